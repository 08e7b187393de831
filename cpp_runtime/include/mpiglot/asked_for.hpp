// Parameters that ask for a value: `comm.recv(status_out())`. All that concerns one stands here: its
// name with what holds for it, how its value is taken out of a result, and its factory.

#pragma once

#include <mpiglot/parameters.hpp>

namespace mpiglot {
namespace keys {

/// Asks for a value: part of the result unless it goes to a variable of the program.
struct asked_for {
  static constexpr bool is_asked_for = true;
};
struct asked_for_counts : counts, asked_for {};

struct send_count_out : asked_for {
  using same_as = send_count;
  template <class Result>
  struct extraction {
    /// The number of elements that were sent.
    [[nodiscard]] auto extract_send_count() {
      return detail::extract<send_count_out>(static_cast<Result&>(*this));
    }
  };
};
struct recv_count_out : asked_for {
  template <class Result>
  struct extraction {
    /// The number of elements that arrived.
    [[nodiscard]] auto extract_recv_count() {
      return detail::extract<recv_count_out>(static_cast<Result&>(*this));
    }
  };
};
struct send_recv_count_out : asked_for {
  using same_as = send_recv_count;
  template <class Result>
  struct extraction {
    /// The number of elements of `send_recv_buf` that took part.
    [[nodiscard]] auto extract_send_recv_count() {
      return detail::extract<send_recv_count_out>(static_cast<Result&>(*this));
    }
  };
};
struct send_counts_out : asked_for_counts {
  using same_as = send_counts;
  template <class Result>
  struct extraction {
    /// Moves the numbers of elements to each rank out.
    [[nodiscard]] auto extract_send_counts() {
      return detail::extract<send_counts_out>(static_cast<Result&>(*this));
    }
  };
};
struct recv_counts_out : asked_for_counts {
  using same_as = recv_counts;
  template <class Result>
  struct extraction {
    /// Moves the numbers of elements from each rank out.
    [[nodiscard]] auto extract_recv_counts() {
      return detail::extract<recv_counts_out>(static_cast<Result&>(*this));
    }
  };
};
struct send_displs_out : asked_for_counts {
  using same_as = send_displs;
  template <class Result>
  struct extraction {
    /// Moves the displacements of the parts for each rank out.
    [[nodiscard]] auto extract_send_displs() {
      return detail::extract<send_displs_out>(static_cast<Result&>(*this));
    }
  };
};
struct recv_displs_out : asked_for_counts {
  using same_as = recv_displs;
  template <class Result>
  struct extraction {
    /// Moves the displacements of the parts from each rank out.
    [[nodiscard]] auto extract_recv_displs() {
      return detail::extract<recv_displs_out>(static_cast<Result&>(*this));
    }
  };
};
struct status_out : asked_for {
  template <class Result>
  struct extraction {
    /// The status of the receive.
    [[nodiscard]] auto extract_status() {
      return detail::extract<status_out>(static_cast<Result&>(*this));
    }
  };
};
struct statuses_out : asked_for {};

/// The names whose values have an `extraction`.
using extracted = detail::names<recv_buf, send_recv_buf, send_buf_out, recv_counts_out,
                                recv_displs_out, recv_count_out, send_counts_out, send_displs_out,
                                send_count_out, send_recv_count_out, status_out>;

}  // namespace keys

/// Asks for the number of elements from each rank, by value or into `counts`.
template <class Array = std::vector<int>>
[[nodiscard]] parameter<keys::recv_counts_out, Array> recv_counts_out() {
  return {};
}
/// The same, into `counts`.
template <resize_policy Policy = resize_policy::automatic, class Array>
[[nodiscard]] parameter<keys::recv_counts_out, Array, Policy> recv_counts_out(Array&& counts) {
  return {static_cast<Array&&>(counts)};
}

/// Asks for the displacement of each rank's part, by value or into `displacements`.
template <class Array = std::vector<int>>
[[nodiscard]] parameter<keys::recv_displs_out, Array> recv_displs_out() {
  return {};
}
/// The same, into `displacements`.
template <resize_policy Policy = resize_policy::automatic, class Array>
[[nodiscard]] parameter<keys::recv_displs_out, Array, Policy> recv_displs_out(
    Array&& displacements) {
  return {static_cast<Array&&>(displacements)};
}

/// Asks for the number of elements to each rank, by value or into `counts`.
template <class Array = std::vector<int>>
[[nodiscard]] parameter<keys::send_counts_out, Array> send_counts_out() {
  return {};
}
/// The same, into `counts`.
template <resize_policy Policy = resize_policy::automatic, class Array>
[[nodiscard]] parameter<keys::send_counts_out, Array, Policy> send_counts_out(Array&& counts) {
  return {static_cast<Array&&>(counts)};
}

/// Asks for the displacement of the part for each rank, by value or into `displacements`.
template <class Array = std::vector<int>>
[[nodiscard]] parameter<keys::send_displs_out, Array> send_displs_out() {
  return {};
}
/// The same, into `displacements`.
template <resize_policy Policy = resize_policy::automatic, class Array>
[[nodiscard]] parameter<keys::send_displs_out, Array, Policy> send_displs_out(
    Array&& displacements) {
  return {static_cast<Array&&>(displacements)};
}

/// Asks how many elements are sent (to each rank, where all get as many), by value or into `n`.
[[nodiscard]] inline parameter<keys::send_count_out, count_t> send_count_out() { return {0}; }
/// The same, into `n`.
[[nodiscard]] inline parameter<keys::send_count_out, count_t&> send_count_out(count_t& n) {
  return {n};
}

/// Asks how many elements `send_recv_buf` took part with, by value or into `n`.
[[nodiscard]] inline parameter<keys::send_recv_count_out, count_t> send_recv_count_out() {
  return {0};
}
/// The same, into `n`.
[[nodiscard]] inline parameter<keys::send_recv_count_out, count_t&> send_recv_count_out(
    count_t& n) {
  return {n};
}

/// Asks how many elements arrived, by value or into `n`.
[[nodiscard]] inline parameter<keys::recv_count_out, count_t> recv_count_out() { return {0}; }
/// The same, into `n`.
[[nodiscard]] inline parameter<keys::recv_count_out, count_t&> recv_count_out(count_t& n) {
  return {n};
}

/// Asks for the status of a receive, by value or into `status`.
[[nodiscard]] inline parameter<keys::status_out, mpiglot::status> status_out() { return {}; }
/// The same, into `status`.
[[nodiscard]] inline parameter<keys::status_out, mpi::status&> status_out(mpi::status& status) {
  return {status};
}

}  // namespace mpiglot
