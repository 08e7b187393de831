// Named parameters: `comm.bcast(send_recv_buf(v), root(0))`, in any order.
//
// A factory remembers what it is given and under which name, nothing else: an lvalue by reference,
// an rvalue by value (moved in). What an operation takes stands in its header.

#pragma once

#include <mpiglot/buffer.hpp>
#include <mpiglot/status.hpp>

namespace mpiglot {

namespace detail {

/// One value of a result and its name.
template <class Key, class T>
struct field {
  using key = Key;
  using type = T;
  T value;
};

template <class Key, class T>
[[nodiscard]] T extract(field<Key, T>& from) {
  return static_cast<T&&>(from.value);
}

/// What a call with an error gives back (explain.hpp).
template <std::size_t Values>
struct anything;
template <class Key, std::size_t Values>
anything<1> extract(anything<Values>& from);
/// The result of a call for which the compiler has reported an error already.
template <class T>
concept refused_already = requires { typename std::remove_cvref_t<T>::of_refused_call; };

/// What is no count, rank or tag: a fraction, which would be cut off, or no number at all.
template <class T>
concept no_whole_number = std::is_floating_point_v<T> || !std::is_convertible_v<T, count_t>;

template <class... Keys>
struct names {
  template <class Key>
  static constexpr bool contain = (__is_same(Keys, Key) || ...);
};

}  // namespace detail

/// The names of the parameters, as types. What holds for a parameter is a member of its name:
/// `same_as`, another name of the same parameter, so that only one of the two can be given; and what
/// the classes below say. `extraction` is a base of each result with such a value.
namespace keys {

/// A buffer.
struct buffer {
  static constexpr bool is_buffer = true;
};
/// A buffer that is sent, and so cannot be given beside `send_recv_buf`.
struct sent_buffer : buffer {
  static constexpr bool contradicts_in_place = true;
};
/// A buffer that is received into and not sent.
struct received_buffer : buffer {
  static constexpr bool is_written = true;
  static constexpr bool is_only_written = true;
  static constexpr bool contradicts_in_place = true;
};
/// A buffer that is sent and received into.
struct sent_and_received_buffer : buffer {
  static constexpr bool is_written = true;
};
/// One integer for each rank.
struct counts {
  static constexpr bool is_counts = true;
};

struct send_buf : sent_buffer {};
struct send_buf_out : sent_buffer {
  using same_as = send_buf;
  template <class Result>
  struct extraction {
    /// Moves the buffer that was sent out.
    [[nodiscard]] auto extract_send_buf() {
      return detail::extract<send_buf_out>(static_cast<Result&>(*this));
    }
  };
};
struct recv_buf : received_buffer {
  template <class Result>
  struct extraction {
    /// Moves the received elements out.
    [[nodiscard]] auto extract_recv_buf() {
      return detail::extract<recv_buf>(static_cast<Result&>(*this));
    }
  };
};
struct send_recv_buf : sent_and_received_buffer {
  template <class Result>
  struct extraction {
    /// Moves the elements of `send_recv_buf` out.
    [[nodiscard]] auto extract_send_recv_buf() {
      return detail::extract<send_recv_buf>(static_cast<Result&>(*this));
    }
  };
};
struct send_count {};
struct recv_count {};
struct send_recv_count {};
struct send_counts : counts {};
struct recv_counts : counts {};
struct send_displs : counts {};
struct recv_displs : counts {};
struct send_type {};
struct recv_type {};
struct send_recv_type {};
struct send_types {};
struct recv_types {};
struct root {};
struct destination {};
struct source {};
struct tag {};
struct op {};
struct values_on_rank_0 : buffer {};
struct lengths_first {};

}  // namespace keys

/// One argument of an operation: a value (or a reference) with a name.
template <class Key, class Value, resize_policy Policy = resize_policy::automatic>
struct parameter {
  /// The name, a type of namespace `keys`.
  using key = Key;
  /// The type of the value, or a reference to it.
  using type = Value;
  /// What may become of the length of a container.
  static constexpr resize_policy policy = Policy;

  Value value;
};

/// What this rank sends. A container that is moved in, and the copy of values in braces, live as
/// long as the operation needs them. A variable is borrowed: it must live, and keep its value, until
/// the operation is complete. A nonblocking operation copies a single value of at most 16 bytes.
template <class Buffer>
[[nodiscard]] parameter<keys::send_buf, Buffer> send_buf(Buffer&& buffer) {
  return {static_cast<Buffer&&>(buffer)};
}
/// Values in braces: `send_buf({1, 2, 3})`.
template <class T>
[[nodiscard]] parameter<keys::send_buf, detail::vector_of_t<T>> send_buf(
    std::initializer_list<T> values) {
  return {detail::vector_of_t<T>(values.begin(), values.end())};
}

/// What this rank sends; given back with the result.
template <class Buffer>
[[nodiscard]] parameter<keys::send_buf_out, Buffer> send_buf_out(Buffer&& buffer) {
  return {static_cast<Buffer&&>(buffer)};
}

/// Where this rank receives. Moved in, it is part of the result, resized to fit.
template <resize_policy Policy = resize_policy::automatic, class Buffer>
[[nodiscard]] parameter<keys::recv_buf, Buffer, Policy> recv_buf(Buffer&& buffer) {
  return {static_cast<Buffer&&>(buffer)};
}

/// What is sent by some ranks and received by the others, or both. Moved in, it is part of the
/// result.
template <resize_policy Policy = resize_policy::automatic, class Buffer>
[[nodiscard]] parameter<keys::send_recv_buf, Buffer, Policy> send_recv_buf(Buffer&& buffer) {
  return {static_cast<Buffer&&>(buffer)};
}
/// Values in braces: `send_recv_buf({1, 2, 3})`.
template <class T>
[[nodiscard]] parameter<keys::send_recv_buf, detail::vector_of_t<T>> send_recv_buf(
    std::initializer_list<T> values) {
  return {detail::vector_of_t<T>(values.begin(), values.end())};
}

/// How many elements of `send_buf` are sent; all of them by default.
[[nodiscard]] inline parameter<keys::send_count, count_t> send_count(count_t n) { return {n}; }

/// The datatype of the elements that are sent, in place of their own (a handle of the layer, or a
/// plain MPI_Datatype).
[[nodiscard]] inline parameter<keys::send_type, mpi::datatype_handle> send_type(
    mpi::datatype_handle type) {
  return {type};
}
/// The same for a handle of the generated layer.
template <class Handle>
  requires(__is_same(Handle, MPI_Datatype))
[[nodiscard]] parameter<keys::send_type, mpi::datatype_handle> send_type(Handle type) {
  return {mpi::datatype_handle{type}};
}
/// The datatype of the elements that are received, in place of their own.
[[nodiscard]] inline parameter<keys::recv_type, mpi::datatype_handle> recv_type(
    mpi::datatype_handle type) {
  return {type};
}
/// The same for a handle of the generated layer.
template <class Handle>
  requires(__is_same(Handle, MPI_Datatype))
[[nodiscard]] parameter<keys::recv_type, mpi::datatype_handle> recv_type(Handle type) {
  return {mpi::datatype_handle{type}};
}
/// The datatype of the elements of `send_recv_buf`, in place of their own.
[[nodiscard]] inline parameter<keys::send_recv_type, mpi::datatype_handle> send_recv_type(
    mpi::datatype_handle type) {
  return {type};
}
/// The same for a handle of the generated layer.
template <class Handle>
  requires(__is_same(Handle, MPI_Datatype))
[[nodiscard]] parameter<keys::send_recv_type, mpi::datatype_handle> send_recv_type(Handle type) {
  return {mpi::datatype_handle{type}};
}

/// How many elements are received, or at most received.
[[nodiscard]] inline parameter<keys::recv_count, count_t> recv_count(count_t n) { return {n}; }

/// How many elements `send_recv_buf` takes part with, on all ranks.
[[nodiscard]] inline parameter<keys::send_recv_count, count_t> send_recv_count(count_t n) {
  return {n};
}

/// How many elements go to each rank: any contiguous range of integers, or braces. `int`, and MPI_Count where
/// MPI has functions that take it, reach MPI uncopied.
template <class Array>
[[nodiscard]] parameter<keys::send_counts, Array> send_counts(Array&& counts) {
  return {static_cast<Array&&>(counts)};
}
/// Counts in braces.
template <class T>
[[nodiscard]] parameter<keys::send_counts, std::vector<T>> send_counts(
    std::initializer_list<T> counts) {
  return {std::vector<T>(counts)};
}

/// Where the part for each rank begins in `send_buf`, in elements.
template <class Array>
[[nodiscard]] parameter<keys::send_displs, Array> send_displs(Array&& displacements) {
  return {static_cast<Array&&>(displacements)};
}
/// Displacements in braces.
template <class T>
[[nodiscard]] parameter<keys::send_displs, std::vector<T>> send_displs(
    std::initializer_list<T> displacements) {
  return {std::vector<T>(displacements)};
}

/// How many elements come from each rank.
template <class Array>
[[nodiscard]] parameter<keys::recv_counts, Array> recv_counts(Array&& counts) {
  return {static_cast<Array&&>(counts)};
}
/// Counts in braces.
template <class T>
[[nodiscard]] parameter<keys::recv_counts, std::vector<T>> recv_counts(
    std::initializer_list<T> counts) {
  return {std::vector<T>(counts)};
}

/// Where the part from each rank begins in `recv_buf`, in elements.
template <class Array>
[[nodiscard]] parameter<keys::recv_displs, Array> recv_displs(Array&& displacements) {
  return {static_cast<Array&&>(displacements)};
}
/// Displacements in braces.
template <class T>
[[nodiscard]] parameter<keys::recv_displs, std::vector<T>> recv_displs(
    std::initializer_list<T> displacements) {
  return {std::vector<T>(displacements)};
}

/// The root of a collective; 0 by default.
[[nodiscard]] inline parameter<keys::root, int> root(int rank) { return {rank}; }
/// The rank to send to.
[[nodiscard]] inline parameter<keys::destination, int> destination(int rank) { return {rank}; }
/// The rank to receive from; any by default.
[[nodiscard]] inline parameter<keys::source, int> source(int rank) { return {rank}; }
/// The tag of a message; 0 by default where it is sent, any where it is received.
[[nodiscard]] inline parameter<keys::tag, int> tag(int number) { return {number}; }

// What stands for no count, rank or tag gets one error.
parameter<keys::send_count, int> send_count(detail::no_whole_number auto) = delete;
parameter<keys::recv_count, int> recv_count(detail::no_whole_number auto) = delete;
parameter<keys::send_recv_count, int> send_recv_count(detail::no_whole_number auto) = delete;
parameter<keys::root, int> root(detail::no_whole_number auto) = delete;
parameter<keys::destination, int> destination(detail::no_whole_number auto) = delete;
parameter<keys::source, int> source(detail::no_whole_number auto) = delete;
parameter<keys::tag, int> tag(detail::no_whole_number auto) = delete;

/// What the result of an exclusive scan is on rank 0, where MPI leaves it undefined.
template <class Buffer>
[[nodiscard]] parameter<keys::values_on_rank_0, Buffer> values_on_rank_0(Buffer&& values) {
  return {static_cast<Buffer&&>(values)};
}

/// Lengths that are not known travel in a message of their own, even where they could travel
/// together with a small payload.
[[nodiscard]] inline parameter<keys::lengths_first, bool> lengths_first() { return {true}; }

/// A function of two elements that combines them into one, and whether their order matters.
template <class Function, bool Commutative>
struct combining {
  Function function;
};
/// Whether the order of the two arguments of a function matters.
template <bool Commutative>
struct commutativity {};
/// `op(f, commutative)`: the order of the arguments of `f` does not matter.
inline constexpr commutativity<true> commutative;
/// `op(f, non_commutative)`: elements are combined in the order of the ranks.
inline constexpr commutativity<false> non_commutative;

/// How a reduction combines elements: a predefined operation (`mpi::sum`), a handle, or an object
/// of <functional> that is one (`std::plus<>()`).
template <class Operation>
[[nodiscard]] constexpr parameter<keys::op, Operation> op(Operation operation) {
  return {static_cast<Operation&&>(operation)};
}
/// Any function of two elements: `op([k](int a, int b) { return a + k * b; }, non_commutative)`. It
/// lives until the reduction is complete, and must be associative and throw nothing.
template <class Function, bool Commutative>
[[nodiscard]] constexpr parameter<keys::op, combining<Function, Commutative>> op(
    Function function, commutativity<Commutative>) {
  return {{static_cast<Function&&>(function)}};
}

}  // namespace mpiglot
