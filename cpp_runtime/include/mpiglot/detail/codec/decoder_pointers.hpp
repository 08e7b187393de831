// What the decoder makes where pointers lead: objects with one owner, with several, of registered classes,
// and arrays.

#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/codec/decoder.hpp>
#include <mpiglot/detail/codec/not_made.hpp>

namespace mpiglot::detail {

template <class T>
[[noreturn]] void decoder::refuse_type(std::uint64_t told) {
  char text[400];
  text_writer to{text, text + sizeof text};
  to.put("a value of another type: its fingerprint is ");
  to.put(told);
  to.put(", that of ");
  to.put(full_name_of<T>());
  to.put(" is ");
  to.put(fingerprint::of<T>());
  refuse_bytes(text);
}

template <class Pointer>
inline void decoder::read_shared(Pointer& pointer) {
  const std::uint64_t which = number();
  if (which == 0) return pointer.reset();
  if constexpr (registered_pointer<Pointer>) {
    read_shared_registered(pointer, which);
  } else if (which == shared_.next()) {
    read_first_shared(pointer);
  } else {
    if constexpr (owner_has_class<Pointer>)
      if (which == shared_.next() + 1) return read_part(pointer);
    read_known_shared(pointer, which);
  }
}

template <class Pointer>
inline void decoder::read_known_shared(Pointer& pointer, std::uint64_t which) {
  const auto* const known = shared_.find<held_pointer<owning_form<Pointer>>>(which);
  if (known == nullptr) refuse_bytes("a reference to an object that is not there");
  pointer = known->pointer;
}

template <class Pointer>
inline void decoder::read_first_shared(Pointer& pointer) {
  using owning = owning_form<Pointer>;
  auto* const made = make<std::remove_cv_t<typename Pointer::element_type>>();
  owning owner;
  owner.reset(made);
  shared_.remember(held_pointer<owning>{owner});
  pointer = std::move(owner);
  read_owned(*made);
}

template <class Pointer>
void decoder::read_part(Pointer& pointer) {
  using object = typename Pointer::element_type;
  const void* const for_now = later_part;
  pointer = Pointer(owner_of_any<Pointer>(), static_cast<object*>(const_cast<void*>(for_now)));
  ++observed_;
}

template <class Pointer>
inline void decoder::read_shared_registered(Pointer& pointer, std::uint64_t which) {
  using base = std::remove_cv_t<typename Pointer::element_type>;
  using held = held_registered<owner_of_any<Pointer>>;
  if (which == shared_.next()) {
    const auto* const of = read_class<base>();
    if (of == nullptr) refuse_bytes("a shared object without a class");
    void* const made = of->of->make();
    owning_form<Pointer> owner;
    owner.reset(of->as_base(made));
    shared_.remember(held{owner, made, of->of});
    pointer = std::move(owner);
    read_made(made, *of->of);
  } else {
    const held* const known = shared_.find<held>(which);
    const registered_class<base>* of = nullptr;
    if (known != nullptr)
      of = registered<base>([&](const auto& each) { return each.of == known->of; });
    if (of == nullptr) refuse_bytes("a reference to an object that is not there");
    pointer = Pointer(known->owner, of->as_base(known->object));
  }
}

template <class Pointer>
inline void decoder::read_registered(Pointer& pointer) {
  using base = typename object_pointed_to<Pointer>::type;
  const auto* const of = read_class<base>();
  void* const made = of == nullptr ? nullptr : of->of->make();
  base* const object = of == nullptr ? nullptr : of->as_base(made);
  if constexpr (is_owned_object<Pointer>)
    pointer.pointer = object;
  else
    pointer.reset(object);
  if (of != nullptr) read_made(made, *of->of);
}

template <class Base>
inline const registered_class<Base>* decoder::read_class() {
  const std::uint64_t which = number();
  if (which == 0) return nullptr;
  if (which > classes_.size() + 1) refuse_bytes("a class that is not there");
  if (which > classes_.size()) {
    const std::size_t size = length(1);
    const class_name name{reinterpret_cast<const char*>(next(size)), size};
    const auto* const found = class_of_name<Base>(name);
    const class_name kept{found->name, size};
    classes_.append(&kept, 1);
    return found;
  }
  return class_of_name<Base>(classes_[cast_to<std::size_t>(which - 1)]);
}

template <class Base>
inline const registered_class<Base>* decoder::class_of_name(const class_name& name) {
  const auto* const found = registered<Base>([&](const auto& each) {
    return std::strlen(each.name) == name.size && std::memcmp(each.name, name.text, name.size) == 0;
  });
  if (found == nullptr) refuse_bytes("an object of a class that is not registered");
  return found;
}

inline void decoder::read_made(void* object, const class_operations& of) {
  if (depth_ < put_off_from_) [[likely]]
    of.read(*this, object, 1);
  else
    put_off({object, 1, of.fewest_bytes(object), of.read});
}

template <class Pointer, class Count>
inline void decoder::read_shared_array(shared_array<Pointer, Count>& rule) {
  using object = typename shared_array<Pointer, Count>::object;
  constexpr bool one = std::is_same_v<Count, one_object>;
  using owning = std::conditional_t<std::is_pointer_v<Pointer>, object*, owning_form<Pointer>>;
  using held = held_array<object, owning, one>;
  rule.pointer = nullptr;
  const std::uint64_t which = number();
  if (which == 0) return counts_.clear(rule);
  if constexpr (std::is_pointer_v<Pointer>)
    if (object* const root = root_of<object>(which); root != nullptr) {
      if constexpr (!one) counts_.set(rule, 1);
      rule.pointer = root;
      return;
    }
  if (which != shared_.next()) {
    const held* const known = shared_.find<held>(which);
    if (known == nullptr) refuse_bytes("a reference to an object that is not there");
    if constexpr (!one) counts_.set(rule, known->count);
    rule.pointer = known->pointer;
    return;
  }
  std::size_t n = 1;
  if constexpr (!one) {
    n = array_length<object>(number());
    counts_.set(rule, n);
  }
  shared_.reserve();
  object* made = nullptr;
  if constexpr (one)
    made = make<object>();
  else
    made = make_array<object>(n);
  if constexpr (std::is_pointer_v<Pointer>) {
    shared_.remember(held{made, n});
    rule.pointer = made;
  } else {
    owning owner(made);
    rule.pointer = owner;
    shared_.remember(held{static_cast<owning&&>(owner), n});
  }
  read_objects(made, n);
}

template <class Rule>
inline void decoder::read_each(Rule& rule) {
  if constexpr (pmr_container<std::remove_reference_t<decltype(rule.range)>>)
    if (arena_ != nullptr) settle(rule.range);
  const std::size_t n = length(1);
  if constexpr (requires { rule.range.resize(n); }) {
    rule.range.resize(n);
    for (auto& each : rule.range) each = nullptr;
  }
  std::size_t have = 0;
  for ([[maybe_unused]] const auto& each : rule.range) ++have;
  if (have != n) refuse_bytes("an array of pointers has another length");
  for (auto& each : rule.range) read_rule(Rule::of(each));
}

template <class Rule>
inline void decoder::read_rule(Rule rule) {
  read(rule);
}

template <class Pointer>
inline void decoder::read_pointer(Pointer& pointer, bool owns) {
  if constexpr (is_owned_object<Pointer>) {
    pointer.pointer = nullptr;
    if (!owns) return;
    auto* const object = make<typename Pointer::object>();
    pointer.pointer = object;
    read_owned(*object);
  } else {
    if (!owns) return pointer.reset();
    auto* const object = make<std::remove_cv_t<typename Pointer::element_type>>();
    pointer.reset(object);
    read_owned(*object);
  }
}

template <class Pointer, class Count>
inline void decoder::read_owned_array(owned_array<Pointer, Count>& rule) {
  using object = typename owned_array<Pointer, Count>::object;
  if constexpr (std::is_pointer_v<Pointer>)
    rule.pointer = nullptr;
  else
    rule.pointer.reset(nullptr);
  const std::uint64_t told = number();
  if (told == 0) return counts_.clear(rule);
  const std::size_t n = array_length<object>(told - 1);
  counts_.set(rule, n);
  auto* const made = make_array<object>(n);
  if constexpr (std::is_pointer_v<Pointer>)
    rule.pointer = made;
  else
    rule.pointer.reset(made);
  read_objects(made, n);
}

template <class Object>
inline void decoder::read_objects(Object* made, std::size_t n) {
  if constexpr (copied_run<Object>)
    raw_or_apart(is_left_out<Object>(n), made, n * sizeof(Object));
  else if (depth_ < put_off_from_) [[likely]]
    read_elements(made, n);
  else if (n != 0)
    put_off(*made, n);
}

template <class Object>
inline std::size_t decoder::array_length(std::uint64_t n) {
  bool apart = false;
  if constexpr (copied_run<Object>) apart = is_left_out<Object>(n);
  if (n != 0 && !apart) require_bytes(n, fewest_bytes_of<Object>());
  return cast_to<std::size_t>(n);
}

template <class Object>
inline void decoder::read_elements(Object* first, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) read(first[i]);
}

template <class Object>
inline std::size_t decoder::fewest_bytes_of() {
  if constexpr (lists_fields<Object>) {
    std::size_t least = 0;
    if constexpr (names_fields<Object>)
      [&least]<class... Field>(field_types<Field...>*) {
        least = (std::size_t{0} + ... + smallest<std::remove_cvref_t<Field>>());
      }(static_cast<typename fields_of<Object>::types*>(nullptr));
    else
      not_made<Object>::look_at([&least](Object& object) { least = fewest_bytes(object); });
    return least;
  } else {
    return smallest<Object>();
  }
}

}  // namespace mpiglot::detail
