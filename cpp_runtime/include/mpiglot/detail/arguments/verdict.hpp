// How a call that is wrong is refused: compilers print the name of its verdict.

#pragma once

namespace mpiglot::detail {

/// The verdict about a call that is right.
struct nothing_wrong {};

template <class Verdict>
inline constexpr bool is_right = false;
template <>
inline constexpr bool is_right<nothing_wrong> = true;
/// A call is refused with `using right = typename judged<verdict>::is_right`: only what is right has
/// the member, and both compilers name the verdict in the first line of the error. After a
/// static_assert that cannot be computed clang would not know what the function returns.
template <class Verdict, bool = is_right<Verdict>>
struct judged {};
template <class Verdict>
struct judged<Verdict, true> {
  using is_right = void;
};

}  // namespace mpiglot::detail
