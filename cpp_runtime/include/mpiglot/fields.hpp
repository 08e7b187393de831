// Rules for fields that do not tell themselves what they mean: pointers of the language, arrays on the
// heap, and bases. They stand in the list of fields of a class.
//
//   struct mesh {
//     std::size_t n = 0;
//     double* heights = nullptr;            // n of them
//     mesh* coarser = nullptr;
//     mesh* finer = nullptr;                // the one whose `coarser` this is
//     std::vector<material*> materials;     // other meshes have them, too
//     static void fields(auto& self, auto&& visit) {
//       visit(self.n, mpiglot::owned(self.heights, self.n), mpiglot::owned(self.coarser),
//             mpiglot::observed(self.finer), mpiglot::shared(self.materials));
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
/// A pointer to what something else in the value owns.
template <class Pointer>
struct observed_object {
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
/// A pointer that owns an array together with others.
template <class Pointer, class Count>
struct shared_array {
  using object = std::remove_cv_t<std::remove_reference_t<decltype(std::declval<Pointer&>()[0])>>;
  Pointer& pointer;
  Count count;
};
/// In place of a count: one object, which is no array.
struct one_object {};
template <class Pointer>
using shared_object = shared_array<Pointer, one_object>;

template <class T, std::size_t N>
T& element_of(T (&)[N]);
template <class Range>
auto element_of(Range& range) -> decltype(*range.begin());
/// Each pointer of a range follows the rule.
template <class Range, template <class> class Rule>
struct rule_of_each {
  using pointer = std::remove_reference_t<decltype(detail::element_of(std::declval<Range&>()))>;
  Range& range;

  [[nodiscard]] static Rule<pointer> of(pointer& each) noexcept {
    if constexpr (requires { Rule<pointer>{each, {}}; })
      return {each, {}};
    else
      return {each};
  }
};
/// An object as these bases.
template <class Self, class... Bases>
struct base_parts {
  Self& self;
};
/// The base of an object. Unlike a static_cast, this cast reaches a private one.
template <class Base, class Self>
[[nodiscard]] Base& as_base(Self& self) noexcept {
  using reference = Base&;
  return reference(self);
}

/// What `fields` may list beside fields.
template <class T>
inline constexpr bool is_owned_object = false;
template <class Pointer>
inline constexpr bool is_owned_object<owned_object<Pointer>> = true;
template <class T>
inline constexpr bool is_observed_object = false;
template <class Pointer>
inline constexpr bool is_observed_object<observed_object<Pointer>> = true;
template <class T>
inline constexpr bool is_owned_array = false;
template <class Pointer, class Count>
inline constexpr bool is_owned_array<owned_array<Pointer, Count>> = true;
template <class T>
inline constexpr bool is_shared_array = false;
template <class Pointer, class Count>
inline constexpr bool is_shared_array<shared_array<Pointer, Count>> = true;
/// Whether the decoder sets the count of a rule: that is a variable.
template <class T>
inline constexpr bool sets_count = false;
template <class Pointer, class Count>
inline constexpr bool sets_count<owned_array<Pointer, Count&>> = !std::is_const_v<Count>;
template <class Pointer, class Count>
inline constexpr bool sets_count<shared_array<Pointer, Count&>> = !std::is_const_v<Count>;
template <class T>
inline constexpr bool is_rule_of_each = false;
template <class Range, template <class> class Rule>
inline constexpr bool is_rule_of_each<rule_of_each<Range, Rule>> = true;
template <class T>
inline constexpr bool is_base_parts = false;
template <class Self, class... Bases>
inline constexpr bool is_base_parts<base_parts<Self, Bases...>> = true;
/// What a rule for pointers gives of what is none: compilers name the class and the field.
template <class Given>
struct rule_of_no_pointer {
  using given = Given;
};
template <class T>
inline constexpr bool is_rule_of_no_pointer = false;
template <class Given>
inline constexpr bool is_rule_of_no_pointer<rule_of_no_pointer<Given>> = true;

template <class T>
inline constexpr bool is_rule = is_owned_object<T> || is_observed_object<T> || is_owned_array<T> ||
                                is_shared_array<T> || is_rule_of_each<T> || is_base_parts<T>;

template <class Pointer>
concept raw_pointer =
    std::is_pointer_v<Pointer> && std::is_object_v<std::remove_pointer_t<Pointer>>;
/// A container or an array of pointers of the language.
template <class Range>
concept raw_pointers = requires(Range& range) {
  requires raw_pointer<std::remove_cvref_t<decltype(detail::element_of(range))>>;
};
/// std::unique_ptr of an array, and its like.
template <class Pointer>
concept array_owner = requires(Pointer& p) {
  p.get();
  p.release();
  p[std::size_t{}];
  p.reset(nullptr);
} && !requires(Pointer& p) { *p; };
/// std::shared_ptr of an array, and its like. Its members do not tell: in some libraries a pointer to
/// one object has `p[i]`, too, and one to an array has `*p`.
template <class Pointer>
inline constexpr bool names_array = false;
template <template <class...> class Pointer, class T, class... Rest>
inline constexpr bool names_array<Pointer<T[], Rest...>> = true;
template <class Pointer>
concept array_sharer = names_array<Pointer> && requires(const Pointer& p) { p.use_count(); };
template <class Count>
concept count_of_objects = std::is_integral_v<std::remove_cvref_t<Count>>;

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
/// is not must be equal. Arrays may share a count, and it may be a field, too: bytes that say different
/// counts are a `decode_error`. Without an array, a count that nothing else says is 0.
template <class Pointer, class Count>
  requires((detail::raw_pointer<Pointer> || detail::array_owner<std::remove_const_t<Pointer>>) &&
           detail::count_of_objects<Count>)
[[nodiscard]] constexpr detail::owned_array<Pointer, Count> owned(Pointer& pointer,
                                                                  Count&& count) noexcept {
  return {pointer, static_cast<Count&&>(count)};
}
/// The same of each pointer of a container or an array.
template <class Range>
  requires detail::raw_pointers<Range>
[[nodiscard]] constexpr detail::rule_of_each<Range, detail::owned_object> owned(
    Range& pointers) noexcept {
  return {pointers};
}

/// In `fields`: this object and others of the value own together what `pointer` points to, or nothing.
/// Pointers to one object are pointers to one object again, which was made by `new`. `dismantle`
/// deletes it once; a destructor cannot know whether it is the last owner. All pointers to an object
/// have this rule and the same type. They may also lead back to the value itself, which is not deleted.
template <class Pointer>
  requires detail::raw_pointer<Pointer>
[[nodiscard]] constexpr detail::shared_object<Pointer> shared(Pointer& pointer) noexcept {
  return {pointer, {}};
}
/// The same of an array of `count` objects, made by `new[]`; `pointer` may be a
/// `std::shared_ptr<T[]>`. All tell the same count, or the encoder refuses them.
template <class Pointer, class Count>
  requires((detail::raw_pointer<Pointer> || detail::array_sharer<std::remove_const_t<Pointer>>) &&
           detail::count_of_objects<Count>)
[[nodiscard]] constexpr detail::shared_array<Pointer, Count> shared(Pointer& pointer,
                                                                    Count&& count) noexcept {
  return {pointer, static_cast<Count&&>(count)};
}
/// The same of each pointer of a container or an array.
template <class Range>
  requires detail::raw_pointers<Range>
[[nodiscard]] constexpr detail::rule_of_each<Range, detail::shared_object> shared(
    Range& pointers) noexcept {
  return {pointers};
}

/// In `fields`: `pointer` points to the value, to an object, element or field that something in the
/// value owns and lists, or is null. It may come before its owner. Pointers to what nothing in the
/// value owns are refused by the encoder, and so are those in keys of associative containers.
template <class Pointer>
  requires detail::raw_pointer<Pointer>
[[nodiscard]] constexpr detail::observed_object<Pointer> observed(Pointer& pointer) noexcept {
  return {pointer};
}
/// The same of each pointer of a container or an array.
template <class Range>
  requires detail::raw_pointers<Range>
[[nodiscard]] constexpr detail::rule_of_each<Range, detail::observed_object> observed(
    Range& pointers) noexcept {
  return {pointers};
}

/// Refuses what is no pointer, or has a count that is no integer; all rules above go before it.
template <class Given, class... Count>
[[nodiscard]] constexpr detail::rule_of_no_pointer<Given> owned(Given&, Count&&...) noexcept {
  return {};
}
/// Refuses what is no pointer, or has a count that is no integer.
template <class Given, class... Count>
[[nodiscard]] constexpr detail::rule_of_no_pointer<Given> shared(Given&, Count&&...) noexcept {
  return {};
}
/// Refuses what is no pointer.
template <class Given>
[[nodiscard]] constexpr detail::rule_of_no_pointer<Given> observed(Given&) noexcept {
  return {};
}

/// In `fields`: the fields of these bases, `bases<A, B>(self)`.
template <class... Bases, class Self>
  requires(sizeof...(Bases) > 0 && (std::is_base_of_v<Bases, Self> && ...))
[[nodiscard]] constexpr detail::base_parts<Self, Bases...> bases(Self& self) noexcept {
  return {self};
}

}  // namespace mpiglot
