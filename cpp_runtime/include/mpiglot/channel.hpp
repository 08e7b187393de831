// Values that are sent in pieces, while they are encoded and decoded: for structures that take more than
// half of the memory.
//
//   const channel pieces(comm);        // collective
//   pieces.bcast(state, 0);            // all ranks
//   pieces.send(state, 1);             // rank 0
//   pieces.recv(state, 0);             // rank 1

#pragma once

#include <cstddef>
#include <cstdint>

#include <mpiglot/detail/base/failure.hpp>
#include <mpiglot/detail/base/in_flight.hpp>
#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/codec/fingerprint.hpp>
#include <mpiglot/detail/codec/measured.hpp>
#include <mpiglot/detail/codec/piece_stream.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/mpi/collectives.hpp>
#include <mpiglot/mpi/groups.hpp>
#include <mpiglot/mpi/pt2pt.hpp>
#include <mpiglot/serialized.hpp>

namespace mpiglot {
namespace detail {

/// What goes before a value.
struct channel_start {
  std::uint64_t type;
  std::uint64_t first;   // the bytes of its first piece
  std::uint64_t others;  // the size of messages of other pieces; 0 if there are none
  static constexpr std::uint64_t failed = ~std::uint64_t{0};
};

/// Sends all pieces of a value; if that fails, the receivers are told.
template <class Move, class Value>
void send_pieces(Move move, const Value& value, std::size_t window) {
  bytes memory;
  std::uint64_t type = 0;
  bool begun = false;
  const auto first = [&](std::uint64_t others) {
    begun = true;
    channel_start start{type, memory.size() - piece_header::room, others};
    move(&start, sizeof start);
    if (start.first != 0)
      move(memory.data() + piece_header::room, cast_to<std::size_t>(start.first));
    return std::uint64_t{0};
  };
  kept_failure failure;
  failure.attempt([&] {
    type = fingerprint::of<Value>();
    memory.resize(window);
    memory.resize(piece_header::room);
    send_in_pieces(builtin_codec(), value, memory, {window, window}, nullptr, move,
                   [&] { return first(window); });
    if (!begun) first(0);
  });
  if (!begun)
    failure.attempt([&] {
      channel_start start{0, 0, channel_start::failed};
      move(&start, sizeof start);
    });
  failure.rethrow();
}
/// Receives all pieces, also if the value is refused.
template <class Move, class Value>
void recv_pieces(Move move, int from, Value& value) {
  channel_start start{};
  move(&start, sizeof start);
  if (start.others == channel_start::failed) tell_remote_failure(from);
  const auto size = cast_to<std::size_t>(start.first);
  const auto others = cast_to<std::size_t>(start.others);
  bytes memory;
  memory.resize_to_take_part(size < others ? others : size);
  if (size != 0) move(memory.data(), size);
  const auto require_type = [type = start.type] {
    if (type != fingerprint::of<Value>()) refuse_bytes("a value of another type");
  };
  if (others == 0) {
    require_type();
    return builtin_codec::decode(memory.data(), size, value);
  }
  piece_source<Move> source(move, from, memory, {size, others});
  kept_failure failure;
  failure.attempt([&] {
    require_type();
    builtin_codec::decode(source, value, {memory.data(), size});
  });
  const bool decoded = !failure.any();
  failure.attempt([&] { source.end(); });
  if (decoded && failure.any()) dismantle(value);
  failure.rethrow();
}

}  // namespace detail

/// A communicator of its own for values that travel in pieces, each of which is encoded, sent and decoded
/// before the next: a rank needs a window of memory beside the value, and not the whole encoding. Runs of
/// elements of 64 KiB and more go from where they lie to where they go. A bcast of `deep(value)` does the
/// same with pieces of 512 KiB if the encoding exceeds that; a send of it is one message. A value that
/// exceeds that is encoded twice, since the receiver must know its length. No piece matches a
/// receive of another communicator, so that any number of values may be on their way.
class channel {
 public:
  /// Duplicates `comm`. `piece_bytes` is the memory that a send takes, 4 KiB to 1 GiB. Collective.
  explicit channel(mpi::comm_handle comm, std::size_t piece_bytes = detail::usual_chunk)
      : window_(detail::chunk_of(piece_bytes)), comm_(mpi::comm_dup(comm)) {}
  channel(channel&&) noexcept = default;
  channel& operator=(channel&&) noexcept = default;
  /// Frees the communicator, which is collective; not while an exception unwinds the stack.
  ~channel() {
    if (detail::unwinding()) static_cast<void>(comm_.release());
  }

  /// Sends a value to a rank, which calls `recv`. Throws `encode_error`.
  template <class Value>
    requires builtin_codec::can<Value>
  void send(const Value& value, int rank) const {
    detail::send_pieces(
        [this, rank](void* data, std::size_t size) {
          mpi::send(data, static_cast<mpi::count_t>(size), byte(), rank, 0, comm_);
        },
        value, window_);
  }
  /// Receives a value from a rank; `value` is replaced. Throws `decode_error`, or `remote_failure` if the
  /// sender failed; `value` is then as it was, or empty, and the channel can be used again.
  template <class Value>
    requires builtin_codec::can<Value>
  void recv(Value& value, int rank) const {
    detail::recv_pieces(
        [this, rank](void* data, std::size_t size) {
          mpi::recv(data, static_cast<mpi::count_t>(size), byte(), rank, 0, comm_);
        },
        rank, value);
  }
  /// Replaces the value of all ranks by the root's. Collective. A failure of the root is thrown there and,
  /// as `remote_failure`, on all others; one of another rank only there.
  template <class Value>
    requires builtin_codec::can<Value>
  void bcast(Value& value, int root) const {
    const auto move = [this, root](void* data, std::size_t size) {
      mpi::bcast(data, static_cast<mpi::count_t>(size), byte(), root, comm_);
    };
    if (mpi::comm_rank(comm_) == root)
      detail::send_pieces(move, static_cast<const Value&>(value), window_);
    else
      detail::recv_pieces(move, root, value);
  }

 private:
  [[nodiscard]] static mpi::datatype_handle byte() noexcept {
    return mpi::datatype_handle{MPI_BYTE};
  }

  std::size_t window_;
  mpi::unique_comm comm_;
};

}  // namespace mpiglot
