// A number that tells whether two types are encoded alike.

#pragma once

#include <cstddef>
#include <cstdint>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/codec/arena_memory.hpp>
#include <mpiglot/detail/codec/not_made.hpp>
#include <mpiglot/detail/codec/plain_fields.hpp>
#include <mpiglot/detail/codec/seen.hpp>
#include <mpiglot/detail/codec/type_categories.hpp>

namespace mpiglot::detail {

/// A description of a type as a sequence of numbers, of which a hash is kept: FNV-1a.
class fingerprint {
 public:
  /// That of a type.
  template <class T>
  [[nodiscard]] static std::uint64_t of() {
    fingerprint made;
    if constexpr (arena_holder<T>)
      made.describe<typename T::in_arena>();
    else
      made.describe<T>();
    return made.hash_;
  }

 private:
  template <class T>
  void describe(T* value = nullptr) {
    if constexpr (requires { typename own_encoding<T>::stands_for; }) {
      describe<typename own_encoding<T>::stands_for>();
    } else if constexpr (encodes_itself<T> || !codable<T>()) {
      add('h');  // what its hook packs is known as it is encoded
      add(sizeof(T));
    } else if constexpr (lists_fields<T>) {
      describe_class(value);
    } else if constexpr (is_base_parts<T>) {
      each_base(*value, [this]<class Base>(Base& base) {
        if constexpr (!interface<Base>) this->describe(&base);
      });
    } else if constexpr (is_observed_object<T>) {
      add('o');
    } else if constexpr (registered_pointer<T>) {
      add(sharing_pointer<T> ? 'R' : 'r');
    } else if constexpr (is_rule_of_each<T>) {
      add('e');
      describe_target<decltype(T::of(std::declval<typename T::pointer&>()))>();
    } else if constexpr (is_rule<T>) {
      describe_target<T>();
    } else if constexpr (std::is_enum_v<T>) {
      describe<std::underlying_type_t<T>>();
    } else if constexpr (is_complex<T>) {
      add('z');
      describe<typename T::value_type>();
    } else if constexpr (byte_run<T> && (std::is_class_v<T> || std::is_union_v<T>)) {
      add('c');
      add(sizeof(T));
      describe_plain<T>();
    } else if constexpr (byte_run<T>) {
      constexpr char kind = kind_of_number<T>();
      add(kind != '\0' ? kind : 'w');  // wide numbers of the compiler
      add(sizeof(T));
    } else if constexpr (std::is_bounded_array_v<T>) {
      add('a');
      add(std::extent_v<T>);
      describe_parts<T>();
    } else if constexpr (fixed_array<T> || tuple_like<T>) {
      add(fixed_array<T> ? 'a' : 't');
      add(std::tuple_size<T>::value);
      describe_parts<T>();
    } else if constexpr (owning_pointer<T>) {
      add('p');
      describe<std::remove_cv_t<typename T::element_type>>();
    } else if constexpr (sharing_pointer<T>) {
      add('s');
      describe<std::remove_cv_t<typename T::element_type>>();
    } else if constexpr (weak_pointer<T>) {
      describe<decltype(std::declval<const T&>().lock())>();
    } else if constexpr (optional_like<T>) {
      add('p');
      describe_parts<T>();
    } else if constexpr (variant_like<T>) {
      add('v');
      add(alternatives<T>::count);
      describe_parts<T>();
    } else if constexpr (path_like<T>) {
      describe<typename T::string_type>();
    } else {
      add('q');
      if constexpr (map_like<T>) {
        add('t');
        add(2);
      }
      describe_parts<T>();
    }
  }
  /// The fields of a class that travels as bytes, or its name if it cannot be looked into.
  template <class T>
  void describe_plain() {
    if constexpr (std::is_empty_v<T>) {
      add('0');
    } else if constexpr (plain_fields<T>() != 0) {
      [this]<class... Field>(field_types<Field...>*) {
        add(sizeof...(Field));
        (this->describe<std::remove_cv_t<Field>>(), ...);
      }(static_cast<plain_field_types<T>*>(nullptr));
    } else {
      add_name<T>();
      add_arguments(static_cast<T*>(nullptr));
      [this]<std::size_t... I>(std::index_sequence<I...>) {
        (this->add(static_cast<std::uint64_t>(kinds_of_elements<T>::template at<I>())), ...);
      }(std::make_index_sequence<kinds_of_elements<T>::count>());
    }
  }
  template <class T>
  void add_name() noexcept {
    constexpr class_name_text name = name_of_class<T>();
    for (std::size_t i = 0; i < name.size; ++i) add(static_cast<unsigned char>(name.first[i]));
    add(name.size);
  }
  /// Numbers among the arguments of a template.
  void add_arguments(const void*) noexcept {}
  template <template <class...> class Template, class... T>
  void add_arguments(Template<T...>*) {
    const auto look = [this]<class Argument>(std::type_identity<Argument>) {
      if constexpr (std::is_arithmetic_v<Argument>) this->describe<Argument>();
    };
    (look(std::type_identity<T>()), ...);
  }
  template <class T>
  void describe_parts() {
    any_part<T>([this]<class Part>(Part*) {
      this->describe<Part>();
      return false;
    });
  }
  template <class Rule>
  void describe_target() {
    if constexpr (registered_pointer<Rule> || is_observed_object<Rule>) {
      describe<Rule>();
    } else {
      add(is_owned_object<Rule> ? 'p' : is_owned_array<Rule> ? 'P' : 's');
      describe<typename Rule::object>();
    }
  }
  template <class Class>
  void describe_class(Class* value) {
    for (std::size_t i = 0; i < met_.size(); ++i)
      if (met_[i] == &type_tag<Class>) {
        add('=');
        return add(i);
      }
    const void* const tag = &type_tag<Class>;
    met_.append(&tag, 1);
    add('{');
    if constexpr (std::is_polymorphic_v<Class> && !std::is_default_constructible_v<Class>) {
      add_name<Class>();
    } else if constexpr (names_fields<Class>) {
      [this]<class... Field>(field_types<Field...>*) {
        (this->describe<std::remove_cvref_t<Field>>(), ...);
      }(static_cast<typename fields_of<Class>::types*>(nullptr));
    } else {
      const auto look = [this](Class& object) {
        visit_listed(object, [this](auto&&... fields) { (this->describe(&fields), ...); });
      };
      if (value != nullptr)
        look(*value);
      else
        not_made<Class>::look_at(look);
    }
    add('}');
  }
  void add(std::uint64_t number) noexcept {
    for (int byte = 0; byte < 8; ++byte, number >>= 8)
      hash_ = (hash_ ^ (number & 0xFF)) * 0x100000001B3U;
  }

  std::uint64_t hash_ = 0xCBF29CE484222325U;
  block<const void*> met_;
};

}  // namespace mpiglot::detail
