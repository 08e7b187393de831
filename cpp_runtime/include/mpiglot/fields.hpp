// Rules for fields that do not tell themselves what they mean: pointers of the language, arrays on the
// heap, and bases. They stand in the list of fields of a class.
//
//   struct mesh {
//     std::size_t n = 0;
//     double* heights = nullptr;   // n of them
//     mesh* coarser = nullptr;
//     static void fields(auto& self, auto&& visit) {
//       visit(mpiglot::owned(self.heights, self.n), mpiglot::owned(self.coarser));
//     }
//   };

#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace mpiglot {
namespace detail {

/// A pointer that owns one object.
template <class Pointer>
struct owned_object {
  using object = std::remove_cv_t<std::remove_pointer_t<Pointer>>;
  Pointer& pointer;
};
/// A pointer that owns an array. `Count` is an integer, or a reference to one.
template <class Pointer, class Count>
struct owned_array {
  using object = std::remove_cv_t<std::remove_reference_t<decltype(std::declval<Pointer&>()[0])>>;
  Pointer& pointer;
  Count count;
};
/// An object as these bases.
template <class Self, class... Bases>
struct base_parts {
  Self& self;
};
/// The base of an object. Unlike a static_cast, this cast reaches a private one.
template <class Base, class Self>
[[nodiscard]] Base& as_base(Self& self) noexcept {
  return (Base&)self;
}

/// What `fields` may list beside fields.
template <class T>
inline constexpr bool is_owned_object = false;
template <class Pointer>
inline constexpr bool is_owned_object<owned_object<Pointer>> = true;
template <class T>
inline constexpr bool is_owned_array = false;
template <class Pointer, class Count>
inline constexpr bool is_owned_array<owned_array<Pointer, Count>> = true;
template <class T>
inline constexpr bool is_base_parts = false;
template <class Self, class... Bases>
inline constexpr bool is_base_parts<base_parts<Self, Bases...>> = true;
template <class T>
inline constexpr bool is_rule = is_owned_object<T> || is_owned_array<T> || is_base_parts<T>;

template <class Pointer>
concept raw_pointer =
    std::is_pointer_v<Pointer> && std::is_object_v<std::remove_pointer_t<Pointer>>;
/// std::unique_ptr of an array, and its like.
template <class Pointer>
concept array_owner = requires(Pointer& p) {
  p.get();
  p.release();
  p[std::size_t{}];
  p.reset(nullptr);
} && !requires(Pointer& p) { *p; };

}  // namespace detail

/// In `fields`: this object owns what `pointer` points to, or nothing. What is decoded was made by
/// `new`; the destructor of the class, or `dismantle`, deletes it. The constructors of the class set
/// the pointer.
template <class Pointer>
  requires detail::raw_pointer<Pointer>
[[nodiscard]] constexpr detail::owned_object<Pointer> owned(Pointer& pointer) noexcept {
  return {pointer};
}
/// The same of an array of `count` objects, made by `new[]`; `pointer` may be a
/// `std::unique_ptr<T[]>`. The count is encoded, and set by the decoder if it is a variable; one that
/// is not must be equal.
template <class Pointer, class Count>
  requires((detail::raw_pointer<Pointer> || detail::array_owner<std::remove_const_t<Pointer>>) &&
           std::is_integral_v<std::remove_cvref_t<Count>>)
[[nodiscard]] constexpr detail::owned_array<Pointer, Count> owned(Pointer& pointer,
                                                                  Count&& count) noexcept {
  return {pointer, static_cast<Count&&>(count)};
}
/// In `fields`: the fields of these bases, `bases<A, B>(self)`.
template <class... Bases, class Self>
  requires(sizeof...(Bases) > 0 && (std::is_base_of_v<Bases, Self> && ...))
[[nodiscard]] constexpr detail::base_parts<Self, Bases...> bases(Self& self) noexcept {
  return {self};
}

}  // namespace mpiglot
