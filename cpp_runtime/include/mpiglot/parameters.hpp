// Named parameters: `comm.bcast(send_recv_buf(v), root(0))`, in any order.
// A factory only stores its argument with a key: an lvalue by reference, an rvalue by value (moved
// in). The header of an operation lists the parameters that it takes.

#pragma once

#include <mpiglot/buffer.hpp>
#include <mpiglot/status.hpp>

namespace mpiglot {

namespace detail {

/// One value of a result, with its key.
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

/// The result type of a call that does not compile (explain.hpp).
template <std::size_t Values>
struct anything;
template <class Key, std::size_t Values>
anything<1> extract(anything<Values>& from);
/// The result of a call for which the compiler has already reported an error.
template <class T>
concept refused_already = requires { typename std::remove_cvref_t<T>::of_refused_call; };

/// An argument that cannot be a count, rank or tag: a floating-point number, which would be
/// truncated, or no number.
template <class T>
concept no_whole_number = std::is_floating_point_v<T> || !std::is_convertible_v<T, count_t>;

template <class... Keys>
struct names {
  template <class Key>
  static constexpr bool contain = (__is_same(Keys, Key) || ...);
};

}  // namespace detail

/// The keys of the parameters: one type for each named parameter. The properties of a parameter are
/// members of its key. `same_as` is the key of a parameter that cannot be given together with this
/// one. `extraction` is a base class of every result that contains the value. The classes below
/// define the other properties.
namespace keys {

/// A buffer.
struct buffer {
  static constexpr bool is_buffer = true;
};
/// A send buffer. It cannot be given together with `send_recv_buf`.
struct sent_buffer : buffer {
  static constexpr bool contradicts_in_place = true;
};
/// A receive buffer.
struct received_buffer : buffer {
  static constexpr bool is_written = true;
  static constexpr bool is_only_written = true;
  static constexpr bool contradicts_in_place = true;
};
/// A buffer that is both sent and received into.
struct sent_and_received_buffer : buffer {
  static constexpr bool is_written = true;
};
/// An array with one integer for each rank.
struct counts {
  static constexpr bool is_counts = true;
};

struct send_buf : sent_buffer {};
struct send_buf_out : sent_buffer {
  using same_as = send_buf;
  template <class Result>
  struct extraction {
    /// Moves out the buffer that was sent.
    [[nodiscard]] auto extract_send_buf() {
      return detail::extract<send_buf_out>(static_cast<Result&>(*this));
    }
  };
};
struct recv_buf : received_buffer {
  template <class Result>
  struct extraction {
    /// Moves out the received elements.
    [[nodiscard]] auto extract_recv_buf() {
      return detail::extract<recv_buf>(static_cast<Result&>(*this));
    }
  };
};
struct send_recv_buf : sent_and_received_buffer {
  template <class Result>
  struct extraction {
    /// Moves out the elements of `send_recv_buf`.
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

/// A named argument of an operation: a value (or a reference) and its key.
template <class Key, class Value, resize_policy Policy = resize_policy::automatic>
struct parameter {
  /// The key, a type of namespace `keys`.
  using key = Key;
  /// The type of the value, or a reference to it.
  using type = Value;
  /// The resize policy of a container.
  static constexpr resize_policy policy = Policy;

  Value value;
};

/// The data that this rank sends. An lvalue is borrowed: it must exist and keep its value until the
/// operation is complete. A container that is moved in, and values in braces, are kept as long as
/// the operation needs them. A nonblocking operation copies a single value and a `std::array` of at
/// most 64 bytes, if these can be copied as bytes.
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

/// The data that this rank sends. The buffer is returned as part of the result.
template <class Buffer>
[[nodiscard]] parameter<keys::send_buf_out, Buffer> send_buf_out(Buffer&& buffer) {
  return {static_cast<Buffer&&>(buffer)};
}

/// The receive buffer of this rank. If it is moved in, it is resized to fit and becomes part of the
/// result.
template <resize_policy Policy = resize_policy::automatic, class Buffer>
[[nodiscard]] parameter<keys::recv_buf, Buffer, Policy> recv_buf(Buffer&& buffer) {
  return {static_cast<Buffer&&>(buffer)};
}

/// A buffer that some ranks send and the others receive into, or that every rank sends and receives
/// into. If it is moved in, it becomes part of the result.
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

/// The number of elements of `send_buf` to send. Default: all.
[[nodiscard]] inline parameter<keys::send_count, count_t> send_count(count_t n) { return {n}; }

/// The datatype of the elements that are sent, instead of the datatype of their C++ type. A handle
/// of the generated layer or an MPI_Datatype.
[[nodiscard]] inline parameter<keys::send_type, mpi::datatype_handle> send_type(
    mpi::datatype_handle type) {
  return {type};
}
/// As above, for any handle type of the generated layer.
template <class Handle>
  requires(__is_same(Handle, MPI_Datatype))
[[nodiscard]] parameter<keys::send_type, mpi::datatype_handle> send_type(Handle type) {
  return {mpi::datatype_handle{type}};
}
/// The datatype of the elements that are received, instead of the datatype of their C++ type.
[[nodiscard]] inline parameter<keys::recv_type, mpi::datatype_handle> recv_type(
    mpi::datatype_handle type) {
  return {type};
}
/// As above, for any handle type of the generated layer.
template <class Handle>
  requires(__is_same(Handle, MPI_Datatype))
[[nodiscard]] parameter<keys::recv_type, mpi::datatype_handle> recv_type(Handle type) {
  return {mpi::datatype_handle{type}};
}
/// The datatype of the elements of `send_recv_buf`, instead of the datatype of their C++ type.
[[nodiscard]] inline parameter<keys::send_recv_type, mpi::datatype_handle> send_recv_type(
    mpi::datatype_handle type) {
  return {type};
}
/// As above, for any handle type of the generated layer.
template <class Handle>
  requires(__is_same(Handle, MPI_Datatype))
[[nodiscard]] parameter<keys::send_recv_type, mpi::datatype_handle> send_recv_type(Handle type) {
  return {mpi::datatype_handle{type}};
}

/// The number of elements to receive; in point-to-point operations, the largest number.
[[nodiscard]] inline parameter<keys::recv_count, count_t> recv_count(count_t n) { return {n}; }

/// The number of elements of `send_recv_buf` to use; the same on all ranks.
[[nodiscard]] inline parameter<keys::send_recv_count, count_t> send_recv_count(count_t n) {
  return {n};
}

/// The number of elements for each rank: any contiguous range of integers, or integers in braces.
/// Ranges of `int` are passed to MPI without a copy; so are ranges of MPI_Count if MPI has a
/// function that takes them.
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

/// The position in `send_buf` of the first element for each rank, in elements.
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

/// The number of elements from each rank.
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

/// The position in `recv_buf` of the first element from each rank, in elements.
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

/// The root of a collective. Default: 0.
[[nodiscard]] inline parameter<keys::root, int> root(int rank) { return {rank}; }
/// The rank to send to.
[[nodiscard]] inline parameter<keys::destination, int> destination(int rank) { return {rank}; }
/// The rank to receive from. Default: any.
[[nodiscard]] inline parameter<keys::source, int> source(int rank) { return {rank}; }
/// The tag of a message. Default: 0 for a send, any for a receive.
[[nodiscard]] inline parameter<keys::tag, int> tag(int number) { return {number}; }

// Arguments that cannot be a count, rank or tag give one compile error.
parameter<keys::send_count, int> send_count(detail::no_whole_number auto) = delete;
parameter<keys::recv_count, int> recv_count(detail::no_whole_number auto) = delete;
parameter<keys::send_recv_count, int> send_recv_count(detail::no_whole_number auto) = delete;
parameter<keys::root, int> root(detail::no_whole_number auto) = delete;
parameter<keys::destination, int> destination(detail::no_whole_number auto) = delete;
parameter<keys::source, int> source(detail::no_whole_number auto) = delete;
parameter<keys::tag, int> tag(detail::no_whole_number auto) = delete;

/// The result of an exclusive scan on rank 0, which MPI leaves undefined.
template <class Buffer>
[[nodiscard]] parameter<keys::values_on_rank_0, Buffer> values_on_rank_0(Buffer&& values) {
  return {static_cast<Buffer&&>(values)};
}

/// Sends unknown lengths in a separate message before the data, even where they could be sent
/// together with a small payload.
[[nodiscard]] inline parameter<keys::lengths_first, bool> lengths_first() { return {true}; }

/// A function that combines two elements into one, whether it is commutative, and whether it may throw.
template <class Function, bool Commutative, bool Throws = false>
struct combining {
  Function function;
};
/// Says whether a function of two elements is commutative.
template <bool Commutative>
struct commutativity {};
/// `op(f, commutative)`: `f(a, b)` equals `f(b, a)`.
inline constexpr commutativity<true> commutative;
/// `op(f, non_commutative)`: elements are combined in the order of the ranks.
inline constexpr commutativity<false> non_commutative;

/// Says that a function of two elements may throw.
struct may_throw_tag {};
/// `op(f, commutative, may_throw)`: if `f` throws, every rank whose result depends on that throws.
inline constexpr may_throw_tag may_throw;

/// The operation of a reduction: a predefined operation (`mpi::sum`), an operation handle, or a
/// function object of <functional> that corresponds to a predefined operation (`std::plus<>()`).
template <class Operation>
[[nodiscard]] constexpr parameter<keys::op, Operation> op(Operation operation) {
  return {static_cast<Operation&&>(operation)};
}
/// Any function of two elements: `op([k](int a, int b) { return a + k * b; }, non_commutative)`. It
/// is kept until the reduction is complete. It must be associative. If it throws, the job ends with a
/// sentence that names the reduction, the rank and the exception: MPI allows no message from inside of an
/// operation, so the other ranks cannot be told. Where that may happen, say `may_throw`.
template <class Function, bool Commutative>
[[nodiscard]] constexpr parameter<keys::op, combining<Function, Commutative>> op(
    Function function, commutativity<Commutative>) {
  return {{static_cast<Function&&>(function)}};
}
/// A function that may throw: `op(f, commutative, may_throw)`. Each rank whose result depends on a call that threw
/// throws `function_failure`, which names the rank and the reason; the others have their results. All ranks must
/// say `may_throw`: their elements travel with a flag, copied on each rank before and after the reduction.
template <class Function, bool Commutative>
[[nodiscard]] constexpr parameter<keys::op, combining<Function, Commutative, true>> op(
    Function function, commutativity<Commutative>, may_throw_tag) {
  return {{static_cast<Function&&>(function)}};
}

}  // namespace mpiglot
