// What the encoder and the decoder must agree on, and what both refuse.

#pragma once

#include <type_traits>

#include <mpiglot/detail/codec/type_categories.hpp>

namespace mpiglot {

namespace wrong_call {

template <class Class, class Field>
struct field_cannot_be_encoded_or_decoded {};
template <class Class, class Field>
struct field_is_a_pointer_list_it_by_owned_shared_or_observed {};
template <class Class, class Field>
struct field_has_objects_without_default_constructor {};
template <class Class, class Field>
struct field_is_const_and_cannot_be_received {};
template <class Class, class Field>
struct field_has_a_rule_of_pointers_and_is_none {};

}  // namespace wrong_call

namespace detail {

/// A class may contain itself, so its fields are looked at when code is generated for them. This
/// has no definition, and the compiler that generates a call says so.
template <class Mistake>
[[gnu::error("mpiglot: the codec cannot encode and decode a field")]] void refuse_field();
template <class Class, class Field>
consteval auto complaint_of_field() {
  using namespace wrong_call;
  constexpr fault found = fault_of<Field>();
  if constexpr (found == fault::constant)
    return std::type_identity<field_is_const_and_cannot_be_received<Class, Field>>();
  else if constexpr (found == fault::pointer)
    return std::type_identity<
        field_is_a_pointer_list_it_by_owned_shared_or_observed<Class, Field>>();
  else if constexpr (found == fault::no_default_constructor)
    return std::type_identity<field_has_objects_without_default_constructor<Class, Field>>();
  else if constexpr (found == fault::no_pointer)
    return std::type_identity<
        field_has_a_rule_of_pointers_and_is_none<Class, typename Field::given>>();
  else
    return std::type_identity<field_cannot_be_encoded_or_decoded<Class, Field>>();
}
/// Not inlined, since g++ prints all functions that the call was inlined into.
template <class Class, class Field>
[[gnu::cold, gnu::noinline]] void refuse_field_of() {
  refuse_field<typename decltype(complaint_of_field<Class, Field>())::type>();
}

/// A length below this number is encoded in one byte. A larger one is encoded in 2, 4 or 8 bytes,
/// the lowest byte first, after a byte that is this number plus 1, 2 or 3. The encoder always uses
/// the shortest form.
inline constexpr unsigned wide_lengths = 252;

/// How deep objects may lie in each other. They are visited by recursion, which needs stack.
inline constexpr int deepest = 2000;
/// The depth from which on what a pointer owns is put off: it is encoded after the value, the last
/// one first, as if it were a value of its own. Less than `deepest`, since objects that are not put
/// off may lie in one another. It is part of the encoding.
inline constexpr int deep_enough = 1000;

/// Whether objects that elements own stay where they are when a container grows or takes elements in:
/// its elements do not move, or not by copies.
template <class T>
inline constexpr bool keeps_elements = true;
template <class T>
  requires(map_like<T>)
inline constexpr bool keeps_elements<T> =
    std::is_nothrow_move_constructible_v<typename T::mapped_type>;
template <class T>
  requires(value_array<T> || (sequence<T> && requires(T& t) { t.capacity(); }))
inline constexpr bool keeps_elements<T> =
    std::is_nothrow_move_constructible_v<typename T::value_type>;

/// The depth from which on objects are put off; while one of these is alive, none is: keys may be
/// compared before they are complete, and copied elements are not those that were put off.
class not_put_off {
 public:
  explicit not_put_off(int& depth) noexcept : depth_(depth), before_(depth) { depth = __INT_MAX__; }
  not_put_off(const not_put_off&) = delete;
  not_put_off& operator=(const not_put_off&) = delete;
  ~not_put_off() { depth_ = before_; }

 private:
  int& depth_;
  int before_;
};
struct put_off_as_usual {
  explicit put_off_as_usual(int&) noexcept {}
};
template <bool Usual>
using putting_off = std::conditional_t<Usual, put_off_as_usual, not_put_off>;

}  // namespace detail
}  // namespace mpiglot
