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
#include <cstring>

#include <mpiglot/detail/base/failure.hpp>
#include <mpiglot/detail/base/in_flight.hpp>
#include <mpiglot/detail/codec/long_runs.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/mpi/collectives.hpp>
#include <mpiglot/mpi/groups.hpp>
#include <mpiglot/mpi/pt2pt.hpp>
#include <mpiglot/transport.hpp>

namespace mpiglot {
namespace detail {

/// A message of pieces: bytes that were collected, and what follows them.
struct piece_message {
  enum class end : std::uint32_t { more, last, failed, run };
  static constexpr std::size_t room = long_run;

  std::uint64_t run;  // the bytes of the message behind this one, if it is a run
  std::uint32_t size;
  end how;
  std::byte bytes[room];
};

/// Collects small pieces; long ones are sent from where they lie.
template <class Move>
class piece_output {
 public:
  explicit piece_output(Move move) : move_(move), memory_(1) { memory_[0].size = 0; }

  void write(const std::byte* from, std::size_t size) {
    if (size >= long_run) {
      memory_[0].run = size;
      send(piece_message::end::run);
      return move_(const_cast<std::byte*>(from), size);
    }
    while (size != 0) {
      const std::size_t left = piece_message::room - memory_[0].size;
      const std::size_t now = size < left ? size : left;
      std::memcpy(memory_[0].bytes + memory_[0].size, from, now);
      memory_[0].size += static_cast<std::uint32_t>(now);
      from += now;
      size -= now;
      if (memory_[0].size == piece_message::room) send(piece_message::end::more);
    }
  }
  /// Sends what is left, and that it is the last, or that this rank failed.
  void send(piece_message::end how) {
    memory_[0].how = how;
    move_(memory_.data(), sizeof(piece_message));
    memory_[0].size = 0;
  }

 private:
  Move move_;
  block<piece_message> memory_;
};

/// The other side.
template <class Move>
class piece_input {
 public:
  piece_input(Move move, int from) : move_(move), from_(from), memory_(1) {
    memory_[0].size = 0;
    memory_[0].how = piece_message::end::more;
  }

  void read(std::byte* to, std::size_t size) {
    while (size != 0) {
      std::size_t now = memory_[0].size - read_;
      if (now == 0) {
        now = next(to, size);
      } else {
        if (now > size) now = size;
        std::memcpy(to, memory_[0].bytes + read_, now);
        read_ += now;
      }
      to += now;
      size -= now;
    }
  }
  /// Receives all that is left, which is not looked at.
  void end() {
    while (memory_[0].how == piece_message::end::more ||
           memory_[0].how == piece_message::end::run) {
      if (memory_[0].how == piece_message::end::run) {
        bytes skipped(static_cast<std::size_t>(memory_[0].run));
        move_(skipped.data(), skipped.size());
      }
      move_(memory_.data(), sizeof(piece_message));
    }
    read_ = memory_[0].size;
  }

 private:
  // The next message; a run goes where its bytes are read to. Returns how many bytes of it there are.
  [[nodiscard]] std::size_t next(std::byte* to, std::size_t size) {
    if (memory_[0].how == piece_message::end::run) {
      const auto run = static_cast<std::size_t>(memory_[0].run);
      if (run > size) refuse_checkpoint("pieces of another kind of value");
      memory_[0].how = piece_message::end::more;
      move_(to, run);
      return run;
    }
    if (memory_[0].how == piece_message::end::last) refuse_short_checkpoint();
    move_(memory_.data(), sizeof(piece_message));
    read_ = 0;
    if (memory_[0].how == piece_message::end::failed) tell_remote_failure(from_);
    return 0;
  }

  Move move_;
  int from_;
  block<piece_message> memory_;
  std::size_t read_ = 0;
};

/// Sends all pieces of a value; if that fails, the receivers are told.
template <class Move, class Value>
void send_pieces(Move move, const Value& value, std::size_t window) {
  piece_output<Move> output(move);
  kept_failure failure;
  failure.attempt([&] { write_value(output, value, window); });
  output.send(failure.any() ? piece_message::end::failed : piece_message::end::last);
  failure.rethrow();
}
/// Receives all pieces, also if the value is refused.
template <class Move, class Value>
void recv_pieces(Move move, int from, Value& value) {
  piece_input<Move> input(move, from);
  kept_failure failure;
  failure.attempt([&] { read_value(input, value); });
  input.end();
  failure.rethrow();
}

}  // namespace detail

/// A communicator of its own for values that travel in pieces, each of which is encoded, sent and decoded
/// before the next: a rank needs a window of memory beside the value, and not the whole encoding. Runs of
/// elements of 64 KiB and more go from where they lie to where they go. A message of `deep(value)` is
/// faster: here a long value is encoded twice, and its pieces have checksums. No piece matches a receive
/// of another communicator, so that any number of values may be on their way.
class channel {
 public:
  /// Duplicates `comm`. `window` is the memory that a send takes, 4 KiB to 1 GiB. Collective.
  explicit channel(mpi::comm_handle comm, std::size_t window = detail::usual_chunk)
      : window_(detail::chunk_of(window)), comm_(mpi::comm_dup(comm)) {}
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
