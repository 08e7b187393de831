// The categories of types that the codec knows: containers, pointers and the like. A type's members
// tell its category, so that no header of the standard library is needed.

#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <mpiglot/datatype.hpp>
#include <mpiglot/detail/base/value_array.hpp>
#include <mpiglot/detail/codec/owners.hpp>
#include <mpiglot/fields.hpp>

namespace mpiglot {

/// Specialise as true for a class with virtual functions, if pointers to it may lead to objects of
/// classes that were given to `register_type`. A class says the same by `using registers_types = void;`,
/// for the classes derived from it, too.
template <class T>
inline constexpr bool registers_types = requires { typename T::registers_types; };

/// Specialise to list the fields of a class that cannot do it itself:
/// `static void fields(auto& self, auto&& visit) { visit(self.a, self.b); }`. Lists are also called for the
/// types alone, with memory of zeros in the place of an object.
template <class T>
struct fields_of {};

namespace detail {

/// The container of an adapter, which is a protected member.
template <class T>
struct opened_adapter : T {
  static constexpr bool has_container = requires(opened_adapter& opened) { opened.c; };

  template <class Adapter>
  [[nodiscard]] static auto& container_of(Adapter& adapter) noexcept {
    return adapter.*(&opened_adapter::c);
  }
};
/// std::queue, std::stack, std::priority_queue: they change how a container is used.
template <class T>
concept container_adapter = requires(T& t, typename T::value_type& element) {
  typename T::container_type;
  t.push(element);
  t.pop();
  t.size();
} && !requires(T& t) {
  T::fields(t, [](auto&&...) {});
} && !std::is_final_v<T> && opened_adapter<T>::has_container;

}  // namespace detail

/// Adapters of containers have one field. The comparison of a `std::priority_queue` stays the
/// receiver's.
template <class T>
  requires detail::container_adapter<T>
struct fields_of<T> {
  static void fields(auto& self, auto&& visit) {
    visit(detail::opened_adapter<T>::container_of(self));
  }
};

namespace detail {

/// Pointers to this class may lead to objects of classes derived from it that are registered. Needs the
/// information about types at run time.
template <class T>
concept registered_base =
#ifdef __GXX_RTTI
    std::is_polymorphic_v<T> && registers_types<T>;
#else
    false;
#endif

/// How objects of a class are encoded that has a way of its own, which goes before a list of fields. A
/// header that knows such classes specialises it (mpiglot/mel.hpp), with these static members:
///   least_bytes               how many bytes an object takes at least; not 0
///   write(encoder&, object)
///   read(decoder&, object)    into what the default constructor has made; leaves that if it throws
///   empty(dismantler&, object)  frees what the object owns and makes its pointers null
///   renew(object)             destroys the object and makes a new one there
template <class T>
struct own_encoding;
template <class T>
concept encodes_itself = requires { own_encoding<T>::least_bytes; };

template <class T>
concept lists_fields_itself = requires(T& t) { T::fields(t, [](auto&&...) {}); };
template <class T>
concept lists_fields_beside = requires(T& t) { fields_of<T>::fields(t, [](auto&&...) {}); };
template <class T>
concept lists_fields = !encodes_itself<T> && (lists_fields_itself<T> || lists_fields_beside<T>);

template <class T>
concept fixed_array = requires { std::tuple_size<T>::value; } && requires(T& t) { t.data(); };

template <class T>
concept tuple_like = requires { std::tuple_size<T>::value; } && !requires(T& t) { t.data(); };

/// std::forward_list: it does not know how many elements it has.
template <class T>
concept uncounted = requires(T& t) { t.before_begin(); } && !requires(T& t) { t.size(); };

template <class T>
concept sequence = requires(T& t) {
  t.resize(std::size_t{});
  t.begin();
  t.end();
} && (uncounted<T> || requires(T& t) { t.size(); });

/// How many elements a container has.
template <class T>
[[nodiscard]] std::size_t elements_in(const T& container) noexcept {
  if constexpr (uncounted<T>) {
    std::size_t n = 0;
    for (auto at = container.begin(); at != container.end(); ++at) ++n;
    return n;
  } else {
    return container.size();
  }
}

/// std::vector<bool>: its elements have no address.
template <class T>
concept flag_sequence = sequence<T> && requires(T& t) { t.flip(); };

template <class T>
concept associative = requires(T& t) {
  typename T::key_type;
  t.begin();
  t.size();
  t.clear();
};

template <class T>
concept map_like = associative<T> && requires { typename T::mapped_type; };

/// std::filesystem::path and its like: a string of its own kind.
template <class T>
concept path_like = requires(T& t, typename T::string_type text) {
  t.native();
  t = static_cast<typename T::string_type&&>(text);
};

template <class T>
concept optional_like = requires(T& t) {
  t.has_value();
  t.reset();
  *t;
};

template <class T>
concept variant_like = requires(T& t) {
  t.index();
  t.valueless_by_exception();
};

/// Points to one object of exactly its type, or to a base whose derived classes are registered.
template <class T>
concept pointer_to_object =
    requires(T& t, typename T::element_type* p) {
      t.get();
      *t;
      t.reset(p);
    } && (!std::is_polymorphic_v<typename T::element_type> ||
          std::is_final_v<typename T::element_type> ||
          registered_base<std::remove_cv_t<typename T::element_type>>);

/// Whether a type is std::default_delete, whose header is not included: its name tells.
template <class T>
[[nodiscard]] consteval bool is_default_delete() {
  const char* const name = __PRETTY_FUNCTION__;
  constexpr const char wanted[] = "default_delete<";
  bool in_std = false;
  for (const char* at = name; *at != '\0'; ++at) {
    if (at[0] == 's' && at[1] == 't' && at[2] == 'd' && at[3] == ':' && at[-1] == ' ')
      in_std = true;
    if (at[0] == ',' || at[0] == ';' || at[0] == ']' || at[0] == '<') in_std = false;
    std::size_t same = 0;
    while (wanted[same] != '\0' && at[same] == wanted[same]) ++same;
    if (in_std && wanted[same] == '\0') return true;
  }
  return false;
}

/// What was made by `new` is freed by `delete`: a deleter of another kind would free what is received.
template <class T>
concept deletes_as_usual =
    !requires { typename T::deleter_type; } || is_default_delete<typename T::deleter_type>();

/// std::unique_ptr and its like: the only owner.
template <class T>
concept owning_pointer =
    pointer_to_object<T> && deletes_as_usual<T> && requires(T& t) { t.release(); };

/// std::shared_ptr and its like: one of several owners. One that may point elsewhere than to what it
/// owns is refused unless that can be seen.
template <class T>
concept sharing_pointer = pointer_to_object<T> && !array_sharer<T> &&
                          requires(T& t) { t.use_count(); } && (!has_owner<T> || shows_owner<T>);

/// std::weak_ptr and its like: refers to what others own.
template <class T>
concept weak_pointer = requires(T& t) {
  t.expired();
  t.reset();
  requires sharing_pointer<decltype(t.lock())>;
};

/// What a pointer or a rule for one points to.
template <class T>
struct object_pointed_to {
  using type = void;
};
template <class T>
  requires requires { typename T::element_type; }
struct object_pointed_to<T> {
  using type = std::remove_cv_t<typename T::element_type>;
};
template <class T>
  requires is_owned_object<T>
struct object_pointed_to<T> {
  using type = typename T::object;
};
/// Owns an object of a class that is found when the program runs.
template <class T>
concept registered_pointer = (owning_pointer<T> || sharing_pointer<T> || is_owned_object<T>) &&
                             registered_base<typename object_pointed_to<T>::type>;

/// An interface: a base of registered classes that lists no fields.
template <class T>
concept interface = registered_base<T> && !lists_fields<T>;

template <class Self, class... Bases, class Action>
void each_base(const base_parts<Self, Bases...>& parts, Action action) {
  (action(as_base<std::conditional_t<std::is_const_v<Self>, const Bases, Bases>>(parts.self)), ...);
}

/// Copied as bytes. Classes only if nothing says better, pointers never.
template <class T>
concept byte_run = std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                   (sent_as_bytes<T> && !encodes_itself<T> && !lists_fields<T> && !is_rule<T> &&
                    !is_rule_of_no_pointer<T> && !tuple_like<T> && !fixed_array<T> &&
                    !optional_like<T> && !variant_like<T>);

/// A byte run all of whose values are valid; a bool has two.
template <class T>
concept copied_run = byte_run<T> && !std::is_same_v<T, bool>;

/// Contiguous elements that are copied at once.
template <class T>
concept run_of_bytes = requires(T& t) {
  t.data();
  t.size();
} && copied_run<std::remove_cvref_t<decltype(*std::declval<T&>().data())>>;

/// A std::valarray whose elements are copied at once.
template <class T>
concept value_array_of_bytes = value_array<T> && copied_run<typename T::value_type>;

/// Bytes that can be copied into a container where they lie, so that none is written twice.
template <class T, class Element>
concept assigned_bytes = (std::is_same_v<Element, char> || std::is_same_v<Element, unsigned char> ||
                          std::is_same_v<Element, std::byte>) &&
                         requires(T& t, const Element* p) { t.assign(p, p); };

/// The same for strings, which replace nothing faster than something.
template <class T, class Element>
concept appended_bytes =
    assigned_bytes<T, Element> && requires(T& t, const Element* p, std::size_t n) {
      t.clear();
      t.append(p, n);
    };

/// The types of the fields of a class.
template <class... T>
struct field_types {};

/// The alternatives of a variant.
template <class T>
struct alternatives {
  static constexpr std::size_t count = 0;
};
template <template <class...> class Variant, class... T>
struct alternatives<Variant<T...>> {
  static constexpr std::size_t count = sizeof...(T);

  /// Calls `action` with the index and a null pointer to the type of alternative `wanted`.
  template <class Action>
  static void with(std::size_t wanted, Action action) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      static_cast<void>((
          (I == wanted && (action.template operator()<I>(static_cast<T*>(nullptr)), true)) || ...));
    }(std::make_index_sequence<count>());
  }
  template <class Predicate>
  static consteval bool all(Predicate holds) {
    return (holds(static_cast<T*>(nullptr)) && ...);
  }
};

/// Asks `is_so` of each type that values of a type consist of, by null pointers, as far as the type
/// itself tells: elements, members of tuples, alternatives. True if one answer is.
template <class T, class Question>
constexpr bool any_part(Question is_so) {
  const auto ask = [&]<class Part>(std::type_identity<Part>) {
    return is_so(static_cast<std::remove_const_t<Part>*>(nullptr));
  };
  if constexpr (encodes_itself<T> || lists_fields<T> || is_rule<T> || byte_run<T> || path_like<T>) {
    return false;
  } else if constexpr (std::is_bounded_array_v<T>) {
    return ask(std::type_identity<std::remove_extent_t<T>>());
  } else if constexpr (map_like<T>) {
    return ask(std::type_identity<typename T::key_type>()) ||
           ask(std::type_identity<typename T::mapped_type>());
  } else if constexpr (associative<T> || fixed_array<T> || sequence<T> || value_array<T>) {
    return ask(std::type_identity<typename T::value_type>());
  } else if constexpr (tuple_like<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (ask(std::type_identity<std::tuple_element_t<I, T>>()) || ...);
    }(std::make_index_sequence<std::tuple_size<T>::value>());
  } else if constexpr (optional_like<T>) {
    return ask(std::type_identity<std::remove_cvref_t<decltype(*std::declval<T&>())>>());
  } else if constexpr (variant_like<T>) {
    return [&]<template <class...> class Variant, class... A>(Variant<A...>*) {
      return (ask(std::type_identity<A>()) || ...);
    }(static_cast<T*>(nullptr));
  } else {
    return false;
  }
}

/// Whether the decoder can make an object of exactly this type.
template <class T>
inline constexpr bool decoder_can_make =
    std::is_default_constructible_v<T> && (!std::is_polymorphic_v<T> || std::is_final_v<T>);

/// Whether the codec can encode and decode `T`. A class that lists its fields is taken at its word
/// here, since it may contain itself.
template <class T>
[[nodiscard]] consteval bool codable() {
  if constexpr (container_adapter<T>) {
    return codable<typename T::container_type>();
  } else if constexpr (encodes_itself<T> || lists_fields<T>) {
    return true;
  } else if constexpr (is_observed_object<T>) {
    return true;
  } else if constexpr (is_owned_object<T> || is_owned_array<T> || is_shared_array<T>) {
    if constexpr (registered_pointer<T>)
      return std::has_virtual_destructor_v<typename T::object>;
    else
      return decoder_can_make<typename T::object> && codable<typename T::object>();
  } else if constexpr (is_rule_of_each<T>) {
    return codable<decltype(T::of(std::declval<typename T::pointer&>()))>();
  } else if constexpr (is_base_parts<T>) {
    return []<class Self, class... Bases>(base_parts<Self, Bases...>*) {
      return ((codable<Bases>() || interface<Bases>) && ...);
    }(static_cast<T*>(nullptr));
  } else if constexpr (byte_run<T>) {
    return true;
  } else if constexpr (std::is_bounded_array_v<T>) {
    return codable<std::remove_extent_t<T>>();
  } else if constexpr (path_like<T>) {
    return true;
  } else if constexpr (map_like<T>) {
    return codable<typename T::key_type>() && codable<typename T::mapped_type>();
  } else if constexpr (associative<T>) {
    return codable<typename T::key_type>();
  } else if constexpr (fixed_array<T>) {
    return codable<typename T::value_type>();
  } else if constexpr (sequence<T> || value_array<T>) {
    return std::is_default_constructible_v<typename T::value_type> &&
           codable<typename T::value_type>();
  } else if constexpr (tuple_like<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (codable<std::remove_cv_t<std::tuple_element_t<I, T>>>() && ...);
    }(std::make_index_sequence<std::tuple_size<T>::value>());
  } else if constexpr (weak_pointer<T>) {
    return codable<decltype(std::declval<const T&>().lock())>();
  } else if constexpr (owning_pointer<T> || sharing_pointer<T>) {
    using object = std::remove_cv_t<typename T::element_type>;
    if constexpr (registered_base<object>)
      return std::has_virtual_destructor_v<object>;
    else
      return std::is_default_constructible_v<object> && codable<object>();
  } else if constexpr (optional_like<T>) {
    using value = std::remove_cvref_t<decltype(*std::declval<T&>())>;
    return std::is_default_constructible_v<value> && codable<value>();
  } else if constexpr (variant_like<T>) {
    return alternatives<T>::count > 0 && alternatives<T>::count < 256 &&
           alternatives<T>::all(
               []<class A>(A*) { return std::is_default_constructible_v<A> && codable<A>(); });
  } else {
    return false;
  }
}

/// Why the codec cannot encode and decode a type.
enum class fault { other, constant, pointer, no_default_constructor, no_pointer };

template <class T>
[[nodiscard]] consteval fault fault_of();
/// That of objects which the decoder makes.
template <class T>
[[nodiscard]] consteval fault fault_of_made() {
  if constexpr (!codable<T>())
    return fault_of<T>();
  else if constexpr (!std::is_default_constructible_v<T> && !std::is_abstract_v<T>)
    return fault::no_default_constructor;
  else
    return fault::other;
}
/// The fault of a type that is not `codable`, or of a field that is const.
template <class T>
[[nodiscard]] consteval fault fault_of() {
  if constexpr (std::is_const_v<T>) {
    return fault::constant;
  } else if constexpr (is_rule_of_no_pointer<T>) {
    return fault::no_pointer;
  } else if constexpr (raw_pointer<T>) {
    return fault::pointer;
  } else if constexpr (is_owned_object<T> || is_owned_array<T> || is_shared_array<T>) {
    return fault_of_made<typename T::object>();
  } else if constexpr (std::is_bounded_array_v<T>) {
    return fault_of<std::remove_extent_t<T>>();
  } else if constexpr (map_like<T>) {
    if constexpr (!codable<typename T::key_type>())
      return fault_of<typename T::key_type>();
    else
      return fault_of_made<typename T::mapped_type>();
  } else if constexpr (associative<T> || fixed_array<T> || sequence<T> || value_array<T>) {
    return fault_of_made<typename T::value_type>();
  } else if constexpr (pointer_to_object<T>) {
    return fault_of_made<std::remove_cv_t<typename T::element_type>>();
  } else if constexpr (optional_like<T>) {
    return fault_of_made<std::remove_cvref_t<decltype(*std::declval<T&>())>>();
  } else {
    return fault::other;
  }
}

/// The fewest bytes that a value of the type takes; 0 where that is not known.
template <class T>
[[nodiscard]] consteval std::size_t smallest() {
  if constexpr (encodes_itself<T>) {
    return own_encoding<T>::least_bytes;
  } else if constexpr (lists_fields<T> || is_base_parts<T>) {
    return 0;
  } else if constexpr (is_rule<T>) {
    return 1;
  } else if constexpr (byte_run<T>) {
    return sizeof(T);
  } else if constexpr (std::is_bounded_array_v<T>) {
    return std::extent_v<T> * smallest<std::remove_extent_t<T>>();
  } else if constexpr (fixed_array<T>) {
    return std::tuple_size<T>::value * smallest<typename T::value_type>();
  } else if constexpr (tuple_like<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (std::size_t{0} + ... + smallest<std::remove_cv_t<std::tuple_element_t<I, T>>>());
    }(std::make_index_sequence<std::tuple_size<T>::value>());
  } else if constexpr (associative<T> || sequence<T> || value_array<T>) {
    return 1;  // the length of an empty one
  } else {
    return 1;  // the byte that says which alternative, or whether there is something
  }
}

template <class T, class Visit>
void visit_listed(T& t, Visit&& visit) {
  using plain = std::remove_cv_t<T>;
  if constexpr (lists_fields_beside<plain>)
    fields_of<plain>::fields(t, static_cast<Visit&&>(visit));
  else
    plain::fields(t, static_cast<Visit&&>(visit));
}

}  // namespace detail
}  // namespace mpiglot
