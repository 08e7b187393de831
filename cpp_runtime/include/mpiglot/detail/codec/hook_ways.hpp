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

/// A container whose elements have a hook beside them.
template <class Way>
struct way_of_elements {
  template <class Range>
  static void write(encoder& by, const Range& range) {
    by.write_length(range.size());
    for (const auto& each : range) Way::write(by, each);
  }
  template <class Range>
  static void read(decoder& by, Range& range) {
    range.clear();
    range.resize(by.length(Way::template least_bytes<typename Range::value_type>()));
    for (auto& each : range) Way::read(by, each);
  }
  template <class Range>
  static void empty(dismantler& by, Range& range) {
    for (auto& each : range) by.below([&] { Way::empty(by, each); });
    range.clear();
  }
};

/// Objects behind a pointer. Those that are copied as bytes are not made before they are read.
template <class Way, class T>
inline constexpr bool copied_as_bytes = std::is_same_v<Way, way_of_codec> && copied_run<T>;
template <class Way, class T>
void write_objects(encoder& by, const T* first, std::size_t n) {
  if constexpr (copied_as_bytes<Way, T>)
    by.out().append(reinterpret_cast<const std::byte*>(first), n * sizeof(T));
  else
    by.write_made<Way>(first, n);
}
template <class Way, class T>
[[nodiscard]] T* make_unread_objects(std::size_t n) {
  if constexpr (copied_as_bytes<Way, T>)
    return memory_for<T>(n);
  else
    return make_objects<T>(n);
}
template <class Way, class T>
void read_objects(decoder& by, T* first, std::size_t n) {
  if constexpr (copied_as_bytes<Way, T>)
    by.raw(first, n * sizeof(T));
  else
    by.read_made<Way>(first, n);
}

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

  void empty(dismantler& by) const {
    for (std::size_t i = 0; i < n; ++i) by.below([&] { Way::empty(by, first[i]); });
  }
  void destroy(dismantler& by) const {
    empty(by);
    destroy_objects(first, n);
  }
};
/// What several pointers of hooks lead to.
template <class T, class Way>
struct held_made {
  made_objects<T, Way> objects;

  void empty() const noexcept {
    dismantler by(false);
    objects.empty(by);
  }
  void destroy() const noexcept { destroy_objects(objects.first, objects.n); }
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
