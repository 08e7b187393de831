// Classes with a hook: a member `template <class MSG> void DeepCopy(MSG&)`, or a function beside it, that
// packs what an object depends on. Its other members travel as the bytes that they are.

#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include <mpiglot/detail/codec/decoder.hpp>
#include <mpiglot/detail/codec/encoder.hpp>
#include <mpiglot/detail/codec/footprint.hpp>
#include <mpiglot/detail/codec/made_objects.hpp>

namespace mpiglot::detail {

class hook_message;

template <class T>
concept packs_itself =
    std::is_class_v<T> && requires(T& object, hook_message& message) { object.DeepCopy(message); };

/// The hook of a class itself, and one beside it.
struct member_hook {
  template <class T>
  static void call(T& object, hook_message& message) {
    object.DeepCopy(message);
  }
};
template <class T, void (*Function)(T&, hook_message&)>
struct hook_beside {
  static void call(T& object, hook_message& message) { Function(object, message); }
};

/// Objects travel as the codec writes them.
struct way_of_codec {
  template <class T>
  [[nodiscard]] static std::size_t least_bytes() {
    return smallest<T>() == 0 ? 1 : smallest<T>();
  }
  template <class T>
  static void write(encoder& by, const T& object) {
    by.write(object);
  }
  template <class T>
  static void read(decoder& by, T& object) {
    by.read(object);
  }
  template <class T>
  static void empty(dismantler& by, T& object) {
    if constexpr (may_own<T>()) by.empty(object);
  }
};
/// Objects travel as their hook says.
template <class Hook>
struct way_of_hook {
  template <class T>
  [[nodiscard]] static constexpr std::size_t least_bytes() {
    return footprint_bytes<T>;
  }
  template <class T>
  static void write(encoder& by, const T& object);
  template <class T>
  static void read(decoder& by, T& object);
  template <class T>
  static void empty(dismantler& by, T& object);
};
template <class T>
using way_of = std::conditional_t<packs_itself<T>, way_of_hook<member_hook>, way_of_codec>;

/// A class with virtual functions has an address of its process in each object.
template <class T>
  requires(packs_itself<T> && !std::is_polymorphic_v<T>)
struct own_encoding<T> : way_of_hook<member_hook> {
  static constexpr std::size_t least_bytes = footprint_bytes<T>;
  static void empty(dismantler& by, T& object) { way_of_hook<member_hook>::empty(by, object); }
  static void renew(T& object) noexcept {
    static_assert(std::is_default_constructible_v<T>,
                  "mpiglot: a class with a hook needs a default constructor");
    object.~T();
    ::new (static_cast<void*>(__builtin_addressof(object))) T();
  }
};

/// What a pointer of a hook owns.
template <class T, class Way>
struct made_objects {
  T* first;
  std::size_t n;

  void destroy(dismantler& by) const {
    for (std::size_t i = 0; i < n; ++i) by.below([&] { Way::empty(by, first[i]); });
    destroy_objects(first, n);
  }
};
/// What several pointers of hooks lead to. An object that is `lent` is the target of the decoder itself.
template <class T, class Way>
struct held_made {
  T* pointer;
  std::size_t twice;  // the number of objects, and 1 more if they are lent

  [[nodiscard]] static held_made lent(T& object) noexcept { return {&object, 3}; }
  [[nodiscard]] std::size_t count() const noexcept { return twice / 2; }
  void empty() const noexcept {
    if (twice % 2 == 1) return;
    dismantler by(false);
    for (std::size_t i = 0; i < count(); ++i) by.below([&] { Way::empty(by, pointer[i]); });
  }
  void destroy() const noexcept {
    if (twice % 2 == 0) destroy_objects(pointer, count());
  }
};

/// Containers and arrays of pointers of the language: a hook packs the pointers one by one.
template <class T>
concept fixed_pointers = raw_pointers<T> && (std::is_bounded_array_v<T> || fixed_array<T>);
template <class T>
concept growing_pointers = raw_pointers<T> && !fixed_pointers<T> && sequence<T>;

/// Pointers that follow each other in a container.
template <class Range, class Action>
void each_span(Range& range, Action action) {
  if constexpr (requires { range.data(); }) {
    if (range.size() != 0) action(range.data(), range.size());
  } else {
    for (auto& each : range) action(&each, std::size_t{1});
  }
}
/// The span that a pointer lies in, among the steps from `first` on; null if there is none.
[[nodiscard]] inline open_step* span_with(block<open_step>& steps, std::size_t first,
                                          std::size_t& last_found, const void* pointer) noexcept {
  const auto is_in = [&](std::size_t i) {
    if (i < first || i >= steps.size() || !steps[i].is_span) return false;
    const std::size_t length = steps[i].count * sizeof(void*);
    return offset_in(steps[i].place, length, pointer, sizeof(void*)) != length;
  };
  if (is_in(last_found)) return &steps[last_found];
  if (is_in(last_found + 1)) return &steps[++last_found];
  for (std::size_t i = steps.size(); i > first; --i)
    if (is_in(i - 1)) return &steps[last_found = i - 1];
  return nullptr;
}

template <class T>
concept packed_by_codec = !is_rule<T> && codable<T>() && sizeof(T) >= sizeof(blank_range);

}  // namespace mpiglot::detail
