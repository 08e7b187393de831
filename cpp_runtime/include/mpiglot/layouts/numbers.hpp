// Numbers of layouts: known when the program is compiled (`lit<4>`), known when it runs, or not set.

#pragma once

#include <cstdio>
#include <type_traits>

#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot::layouts {

using mpi::count_t;

/// A number that is known when the program is compiled.
template <count_t N>
using constant = std::integral_constant<count_t, N>;
/// `lit<4>` in the place of 4 makes a length static: loops and offsets are computed with it.
template <count_t N>
inline constexpr constant<N> lit{};

/// The length of a dimension that is set later, by `set_length`.
struct open_length {};

/// A layout does not fit: a length that does not divide another, an index out of its range, or a
/// structure whose lengths differ from those of a traverser.
class layout_error : public error {
 public:
  explicit layout_error(const char* reason) noexcept
      : error(MPI_ERR_DIMS, mpi::error_class{MPI_ERR_DIMS}, "mpiglot", reason) {}
};

namespace detail {

template <class N>
inline constexpr bool is_static = false;
template <count_t N>
inline constexpr bool is_static<constant<N>> = true;
template <class N>
inline constexpr count_t value_of = 0;
template <count_t N>
inline constexpr count_t value_of<constant<N>> = N;
template <class N>
inline constexpr bool is_open = std::is_same_v<N, open_length>;

/// True for the types of lengths and indices: integers of up to 64 bits, but `bool` and characters, whose
/// values are no numbers of elements; constants of them, and classes that convert to them alone.
template <class N>
inline constexpr bool is_integer = (std::is_integral_v<N> && sizeof(N) <= sizeof(count_t)) ||
                                   (std::is_enum_v<N> && std::is_convertible_v<N, count_t>) ||
                                   (std::is_class_v<N> && requires(const N& n) { count_t{n}; });
template <class N>
  requires(std::is_same_v<N, bool> || std::is_same_v<N, char> || std::is_same_v<N, wchar_t> ||
           std::is_same_v<N, char8_t> || std::is_same_v<N, char16_t> || std::is_same_v<N, char32_t>)
inline constexpr bool is_integer<N> = false;
template <class N>
  requires(is_open<N> || std::is_integral_v<std::remove_cvref_t<decltype(N::value)>>)
inline constexpr bool is_integer<N> = true;

/// What a number is kept as: a constant, or 64 bits. 0 stands for what is no integer.
template <class N>
[[nodiscard]] constexpr auto number(N n) noexcept {
  if constexpr (!is_integer<N>)
    return count_t{};
  else if constexpr (is_static<N> || is_open<N>)
    return n;
  else if constexpr (requires { N::value; })
    return constant<static_cast<count_t>(N::value)>{};
  else
    return static_cast<count_t>(n);
}

template <auto A, auto B>
inline constexpr bool same_name = false;
template <auto A>
inline constexpr bool same_name<A, A> = true;

/// The name of a dimension as text: a character in quotes, or "a dimension".
template <auto Name>
inline constexpr char quoted[] = {'\'', static_cast<char>(Name), '\'', '\0'};
template <auto Name>
[[nodiscard]] constexpr const char* text_of_name() noexcept {
  if constexpr (std::is_same_v<std::remove_cv_t<decltype(Name)>, char>)
    return quoted<Name>;
  else
    return "a dimension";
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_layout(const char* form, const char* name,
                                                                 count_t one = 0,
                                                                 count_t other = 0) {
  char text[160];
  std::snprintf(text, sizeof text, form, name, mpiglot::detail::cast_to<long long>(one),
                mpiglot::detail::cast_to<long long>(other));
  mpi::detail::fail(layout_error(text));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_size() {
  mpi::detail::fail(layout_error("the lengths and steps of a layout exceed 64 bits"));
}

template <class A, class B>
[[nodiscard]] constexpr auto times(A a, B b) {
  if constexpr (is_static<A> && is_static<B>) {
    return constant<A::value * B::value>{};
  } else {
    count_t product = 0;
    if (__builtin_mul_overflow(static_cast<count_t>(a), static_cast<count_t>(b), &product))
      refuse_size();
    return product;
  }
}
template <class A, class B>
[[nodiscard]] constexpr auto plus(A a, B b) {
  if constexpr (is_static<A> && is_static<B>) {
    return constant<A::value + B::value>{};
  } else {
    count_t sum = 0;
    if (__builtin_add_overflow(static_cast<count_t>(a), static_cast<count_t>(b), &sum))
      refuse_size();
    return sum;
  }
}
template <class A>
[[nodiscard]] constexpr auto minus(A a) {
  if constexpr (is_static<A>)
    return constant<-A::value>{};
  else
    return -static_cast<count_t>(a);
}
/// Throws unless the two are equal; if both are static, the program does not compile.
template <auto Name, class A, class B>
constexpr void require_equal(A a, B b, const char* form) {
  if constexpr (is_static<A> && is_static<B>) {
    static_assert(A::value == B::value, "static lengths differ");
  } else {
    if (static_cast<count_t>(a) != static_cast<count_t>(b)) [[unlikely]]
      refuse_layout(form, text_of_name<Name>(), a, b);
  }
}

}  // namespace detail
}  // namespace mpiglot::layouts
