// What an operation gives back: nothing, one value, or several that have names.
//
// Order, for structured bindings: the received buffer, then the sent one (`send_buf_out`), then
// what else was asked for in the order of the call. Borrowed buffers are not part of it.

#pragma once

#include <utility>

#include <mpiglot/parameters.hpp>

namespace mpiglot {
namespace detail {

/// One value of a result and its name.
template <class Key, class T>
struct field {
  using key = Key;
  using type = T;
  T value;
};

template <std::size_t I, class First, class... Rest>
struct nth : nth<I - 1, Rest...> {};
template <class First, class... Rest>
struct nth<0, First, Rest...> {
  using type = First;
};

template <class Key, class T>
[[nodiscard]] T extract(field<Key, T>& from) {
  return static_cast<T&&>(from.value);
}

}  // namespace detail

/// Several values: `auto [values, counts] = ...`, or `extract_recv_buf()` and its like, each of
/// which moves its value out.
template <class... Fields>
struct result : Fields... {
  template <class Key>
  static constexpr bool has = (std::is_same_v<typename Fields::key, Key> || ...);

  /// Moves the received elements out.
  [[nodiscard]] auto extract_recv_buf()
    requires has<keys::recv_buf>
  {
    return detail::extract<keys::recv_buf>(*this);
  }
  /// Moves the elements of `send_recv_buf` out.
  [[nodiscard]] auto extract_send_recv_buf()
    requires has<keys::send_recv_buf>
  {
    return detail::extract<keys::send_recv_buf>(*this);
  }
  /// Moves the buffer that was sent out.
  [[nodiscard]] auto extract_send_buf()
    requires has<keys::send_buf_out>
  {
    return detail::extract<keys::send_buf_out>(*this);
  }
  /// Moves the numbers of elements from each rank out.
  [[nodiscard]] auto extract_recv_counts()
    requires has<keys::recv_counts_out>
  {
    return detail::extract<keys::recv_counts_out>(*this);
  }
  /// Moves the displacements of the parts from each rank out.
  [[nodiscard]] auto extract_recv_displs()
    requires has<keys::recv_displs_out>
  {
    return detail::extract<keys::recv_displs_out>(*this);
  }
  /// The number of elements that arrived.
  [[nodiscard]] auto extract_recv_count()
    requires has<keys::recv_count_out>
  {
    return detail::extract<keys::recv_count_out>(*this);
  }
  /// Moves the numbers of elements to each rank out.
  [[nodiscard]] auto extract_send_counts()
    requires has<keys::send_counts_out>
  {
    return detail::extract<keys::send_counts_out>(*this);
  }
  /// Moves the displacements of the parts for each rank out.
  [[nodiscard]] auto extract_send_displs()
    requires has<keys::send_displs_out>
  {
    return detail::extract<keys::send_displs_out>(*this);
  }
  /// The number of elements that were sent.
  [[nodiscard]] auto extract_send_count()
    requires has<keys::send_count_out>
  {
    return detail::extract<keys::send_count_out>(*this);
  }
  /// The number of elements of `send_recv_buf` that took part.
  [[nodiscard]] auto extract_send_recv_count()
    requires has<keys::send_recv_count_out>
  {
    return detail::extract<keys::send_recv_count_out>(*this);
  }
  /// The status of the receive.
  [[nodiscard]] auto extract_status()
    requires has<keys::status_out>
  {
    return detail::extract<keys::status_out>(*this);
  }
};

// The tuple protocol, for structured bindings.
template <std::size_t I, class... Fields>
[[nodiscard]] auto& get(result<Fields...>& values) noexcept {
  return static_cast<typename detail::nth<I, Fields...>::type&>(values).value;
}
/// One of the values, for structured bindings.
template <std::size_t I, class... Fields>
[[nodiscard]] const auto& get(const result<Fields...>& values) noexcept {
  return static_cast<const typename detail::nth<I, Fields...>::type&>(values).value;
}
/// One of the values, for structured bindings.
template <std::size_t I, class... Fields>
[[nodiscard]] auto&& get(result<Fields...>&& values) noexcept {
  return std::move(get<I>(values));
}

}  // namespace mpiglot

template <class... Fields>
struct std::tuple_size<mpiglot::result<Fields...>> {
  static constexpr std::size_t value = sizeof...(Fields);
};
template <std::size_t I, class... Fields>
struct std::tuple_element<I, mpiglot::result<Fields...>> {
  using type = typename mpiglot::detail::nth<I, Fields...>::type::type;
};
