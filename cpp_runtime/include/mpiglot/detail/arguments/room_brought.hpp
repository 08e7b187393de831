// A vector or valarray that is moved into a nonblocking receive brings the room for what arrives,
// where the program gives no recv_count.

#pragma once

#include <mpiglot/detail/arguments/names.hpp>
#include <mpiglot/parameters.hpp>

namespace mpiglot::detail {

template <class Parameter>
inline constexpr bool has_room_of_its_own = false;
template <class T, class Allocator>
inline constexpr bool has_room_of_its_own<parameter<keys::recv_buf, std::vector<T, Allocator>>> =
    contiguous<std::vector<T, Allocator>>;
template <class Array>
  requires value_array_buffer<Array> && (!std::is_reference_v<Array>)
inline constexpr bool has_room_of_its_own<parameter<keys::recv_buf, Array>> = true;
template <class Parameter>
inline constexpr bool is_recv_count = false;
template <class Value, resize_policy Policy>
inline constexpr bool is_recv_count<parameter<keys::recv_count, Value, Policy>> = true;

template <class Operation, class Io, class... Parameters>
inline constexpr bool vector_brings_room = false;
template <class Operation, class Io, class... Parameters>
  requires(!Io::blocking && __is_same(typename Operation::length, keys::recv_count))
inline constexpr bool vector_brings_room<Operation, Io, Parameters...> =
    (has_room_of_its_own<Parameters> || ...) && !(is_recv_count<Parameters> || ...);

/// How much that is; an empty one cannot be meant.
template <class... Parameters>
[[nodiscard]] parameter<keys::recv_count, count_t> room_brought(
    const Parameters&... given) noexcept {
  count_t room = 0;
  const auto look = [&room]<class Parameter>(const Parameter& one) {
    if constexpr (has_room_of_its_own<Parameter>) room = static_cast<count_t>(one.value.size());
  };
  (look(given), ...);
  return {room > 0 ? room : -1};
}

/// The arguments of a call, with that.
template <bool BringsRoom, bool Told, checks Checking, class... Parameters>
struct arguments_of_call {
  using type = checked_arguments<Checking, Parameters...>;
};
template <checks Checking, class... Parameters>
struct arguments_of_call<true, false, Checking, Parameters...> {
  using type = checked_arguments<Checking, Parameters..., parameter<keys::recv_count, count_t>>;
};
template <checks Checking, class... Parameters>
struct arguments_of_call<false, true, Checking, Parameters...> {
  using type = told_arguments<Checking, Parameters...>;
};
template <checks Checking, class... Parameters>
struct arguments_of_call<true, true, Checking, Parameters...> {
  using type = told_arguments<Checking, Parameters..., parameter<keys::recv_count, count_t>>;
};

}  // namespace mpiglot::detail
