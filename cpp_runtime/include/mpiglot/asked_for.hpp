// Parameters that ask an operation for a value: `comm.recv(status_out())`. For each of them, this
// header has its key, the member function that extracts the value from a result, and the factory.

#pragma once

#include <mpiglot/parameters.hpp>

namespace mpiglot {
namespace keys {

/// A parameter that asks for a value. The value is part of the result, or is stored in a variable
/// of the caller.
struct asked_for {
  static constexpr bool is_asked_for = true;
};
struct asked_for_counts : counts, asked_for {};

struct send_count_out : asked_for {
  using same_as = send_count;
  template <class Result>
  struct extraction {
    /// Returns the number of elements that this rank sent.
    [[nodiscard]] auto extract_send_count() {
      return detail::extract<send_count_out>(static_cast<Result&>(*this));
    }
  };
};
struct recv_count_out : asked_for {
  template <class Result>
  struct extraction {
    /// Returns the number of elements that this rank received.
    [[nodiscard]] auto extract_recv_count() {
      return detail::extract<recv_count_out>(static_cast<Result&>(*this));
    }
  };
};
struct send_recv_count_out : asked_for {
  using same_as = send_recv_count;
  template <class Result>
  struct extraction {
    /// Returns the number of elements of `send_recv_buf` that the operation used.
    [[nodiscard]] auto extract_send_recv_count() {
      return detail::extract<send_recv_count_out>(static_cast<Result&>(*this));
    }
  };
};
struct send_counts_out : asked_for_counts {
  using same_as = send_counts;
  template <class Result>
  struct extraction {
    /// Moves out the send counts: the number of elements for each rank.
    [[nodiscard]] auto extract_send_counts() {
      return detail::extract<send_counts_out>(static_cast<Result&>(*this));
    }
  };
};
struct recv_counts_out : asked_for_counts {
  using same_as = recv_counts;
  template <class Result>
  struct extraction {
    /// Moves out the receive counts: the number of elements from each rank.
    [[nodiscard]] auto extract_recv_counts() {
      return detail::extract<recv_counts_out>(static_cast<Result&>(*this));
    }
  };
};
struct send_displs_out : asked_for_counts {
  using same_as = send_displs;
  template <class Result>
  struct extraction {
    /// Moves out the send displacements, one for each rank.
    [[nodiscard]] auto extract_send_displs() {
      return detail::extract<send_displs_out>(static_cast<Result&>(*this));
    }
  };
};
struct recv_displs_out : asked_for_counts {
  using same_as = recv_displs;
  template <class Result>
  struct extraction {
    /// Moves out the receive displacements, one for each rank.
    [[nodiscard]] auto extract_recv_displs() {
      return detail::extract<recv_displs_out>(static_cast<Result&>(*this));
    }
  };
};
struct status_out : asked_for {
  template <class Result>
  struct extraction {
    /// Returns the status of the receive.
    [[nodiscard]] auto extract_status() {
      return detail::extract<status_out>(static_cast<Result&>(*this));
    }
  };
};
struct statuses_out : asked_for {};

/// The keys whose values can be extracted from a result.
using extracted = detail::names<recv_buf, send_recv_buf, send_buf_out, recv_counts_out,
                                recv_displs_out, recv_count_out, send_counts_out, send_displs_out,
                                send_count_out, send_recv_count_out, status_out>;

}  // namespace keys

/// Asks for the number of elements received from each rank. The counts are part of the result.
template <class Array = std::vector<int>>
[[nodiscard]] parameter<keys::recv_counts_out, Array> recv_counts_out() {
  return {};
}
/// As above, and stores the counts in `counts`.
template <resize_policy Policy = resize_policy::automatic, class Array>
[[nodiscard]] parameter<keys::recv_counts_out, Array, Policy> recv_counts_out(Array&& counts) {
  return {static_cast<Array&&>(counts)};
}

/// Asks where the elements from each rank begin in the receive buffer. The displacements are part
/// of the result.
template <class Array = std::vector<int>>
[[nodiscard]] parameter<keys::recv_displs_out, Array> recv_displs_out() {
  return {};
}
/// As above, and stores the displacements in `displacements`.
template <resize_policy Policy = resize_policy::automatic, class Array>
[[nodiscard]] parameter<keys::recv_displs_out, Array, Policy> recv_displs_out(
    Array&& displacements) {
  return {static_cast<Array&&>(displacements)};
}

/// Asks for the number of elements sent to each rank. The counts are part of the result.
template <class Array = std::vector<int>>
[[nodiscard]] parameter<keys::send_counts_out, Array> send_counts_out() {
  return {};
}
/// As above, and stores the counts in `counts`.
template <resize_policy Policy = resize_policy::automatic, class Array>
[[nodiscard]] parameter<keys::send_counts_out, Array, Policy> send_counts_out(Array&& counts) {
  return {static_cast<Array&&>(counts)};
}

/// Asks where the elements for each rank begin in the send buffer. The displacements are part of
/// the result.
template <class Array = std::vector<int>>
[[nodiscard]] parameter<keys::send_displs_out, Array> send_displs_out() {
  return {};
}
/// As above, and stores the displacements in `displacements`.
template <resize_policy Policy = resize_policy::automatic, class Array>
[[nodiscard]] parameter<keys::send_displs_out, Array, Policy> send_displs_out(
    Array&& displacements) {
  return {static_cast<Array&&>(displacements)};
}

/// Asks how many elements are sent (to each rank, where all ranks get the same number). Part of the
/// result.
[[nodiscard]] inline parameter<keys::send_count_out, count_t> send_count_out() { return {0}; }
/// As above, and stores the number in `n`.
[[nodiscard]] inline parameter<keys::send_count_out, count_t&> send_count_out(count_t& n) {
  return {n};
}

/// Asks how many elements of `send_recv_buf` the operation used. Part of the result.
[[nodiscard]] inline parameter<keys::send_recv_count_out, count_t> send_recv_count_out() {
  return {0};
}
/// As above, and stores the number in `n`.
[[nodiscard]] inline parameter<keys::send_recv_count_out, count_t&> send_recv_count_out(
    count_t& n) {
  return {n};
}

/// Asks how many elements were received. Part of the result.
[[nodiscard]] inline parameter<keys::recv_count_out, count_t> recv_count_out() { return {0}; }
/// As above, and stores the number in `n`.
[[nodiscard]] inline parameter<keys::recv_count_out, count_t&> recv_count_out(count_t& n) {
  return {n};
}

/// Asks for the status of a receive. Part of the result.
[[nodiscard]] inline parameter<keys::status_out, mpiglot::status> status_out() { return {}; }
/// As above, and stores the status in `status`.
[[nodiscard]] inline parameter<keys::status_out, mpi::status&> status_out(mpi::status& status) {
  return {status};
}

}  // namespace mpiglot
