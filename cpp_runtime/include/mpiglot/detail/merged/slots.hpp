// Counts and small payloads in one message: every rank sends a slot, a header and what fits behind
// it, and the slots of all have one size that all ranks know.
//
//   header   size of slot that the sender would have needed, and a mark | length in wire elements
//   payload  the elements as MPI_Pack would write them, which between processes of one architecture
//            is how they lie in memory; if they fit
//
// The largest size that is asked for in the slots that a rank receives is the same on all ranks,
// because each operation's headers reach everybody: in allgatherv and bcast all see all slots; in
// alltoallv and scatterv a sender tells each receiver the size for its *largest* message. So all
// agree whether the payload was complete (else the textbook's second message follows, with the
// lengths known by now) and how large the next slots are. A gatherv has no such rule: what the
// others sent, a rank that is not the root does not learn. It keeps the textbook.
//
// A header has 8 bytes. A length that needs more than 4 of them is told in a round of its own. The
// mark tells a header from data of a rank that gives counts (base/marks.hpp).

#pragma once

#include <cstring>

#include <mpiglot/detail/merged/slot_header.hpp>
#include <mpiglot/detail/merged/typeless.hpp>
#include <mpiglot/mpi/calls/pack.hpp>
#include <mpiglot/mpi/calls/pack_size.hpp>
#include <mpiglot/mpi/calls/unpack.hpp>

namespace mpiglot::detail::merged {

/// Copies a payload. Most are a few words, for which a call of memcpy costs more than the copy.
inline void copy_bytes(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  const auto blocks = [&](auto block) {
    constexpr std::size_t width = sizeof block;
    for (std::size_t i = 0; i + width < size; i += width) {
      std::memcpy(&block, from + i, width);
      std::memcpy(to + i, &block, width);
    }
    std::memcpy(&block, from + size - width, width);  // overlaps the one before
    std::memcpy(to + size - width, &block, width);
  };
  struct sixteen {
    std::uint64_t low, high;
  };
  if (size > 64) [[unlikely]]
    std::memcpy(to, from, size);
  else if (size >= sizeof(sixteen))
    blocks(sixteen());
  else if (size >= sizeof(std::uint64_t))
    blocks(std::uint64_t());
  else if (size >= sizeof(std::uint32_t))
    blocks(std::uint32_t());
  else if (size != 0)
    blocks(std::byte());
}

[[nodiscard, gnu::noinline]] inline mpi::result<> pack_typed(std::byte* to, const lent& from,
                                                             std::size_t size,
                                                             mpi::comm_handle comm) noexcept {
  count_t used = 0;
  return {mpi::calls::pack::now(from.address, from.count, from.type, to, static_cast<count_t>(size),
                                used, comm)};
}

inline std::size_t payload::size(mpi::comm_handle comm) const noexcept {
  if (length <= 0) return 0;
  if (plain) [[likely]]
    return static_cast<std::size_t>(length) * width;
  count_t packed = 0;
  const int code = mpi::calls::pack_size::now(from.count, from.type, comm, packed);
  return code == MPI_SUCCESS ? static_cast<std::size_t>(packed) : static_cast<std::size_t>(-1) / 2;
}

inline mpi::result<> payload::pack(std::byte* to, std::size_t size,
                                   mpi::comm_handle comm) const noexcept {
  if (!plain) [[unlikely]]
    return pack_typed(to, from, size, comm);
  copy_bytes(to, static_cast<const std::byte*>(from.address), size);
  return {MPI_SUCCESS};
}

[[nodiscard, gnu::noinline]] inline mpi::result<> unpack_typed(const std::byte* from, void* to,
                                                               count_t n, mpi::datatype_handle type,
                                                               mpi::comm_handle comm) noexcept {
  count_t size = 0;
  const int code = mpi::calls::pack_size::now(n, type, comm, size);
  if (code != MPI_SUCCESS) [[unlikely]]
    return {code};
  count_t used = 0;
  return {mpi::calls::unpack::now(from, size, used, to, n, type, comm)};
}

/// What several headers say together.
struct summary {
  slot_units wanted = lengths_only;  // the largest slot that was asked for
  count_t length = 0;                // of all parts
  int failed = -1;                   // the first rank that failed
};

/// Slots of one size, in memory that the communicator keeps.
class slots {
 public:
  slots(std::byte* memory, slot_units units, slot_mark mark) noexcept
      : memory_(memory), units_(units), mark_(static_cast<std::uint32_t>(mark)) {}

  [[nodiscard]] bool tell_lengths_only() const noexcept { return units_ == lengths_only; }
  [[nodiscard]] std::size_t size() const noexcept { return size_of(units_); }
  [[nodiscard]] static std::size_t size_of(slot_units units) noexcept {
    return units == lengths_only ? slot_header + sizeof(count_t) : units * slot_unit;
  }
  [[nodiscard]] std::byte* at(std::size_t i) const noexcept { return memory_ + i * size(); }
  [[nodiscard]] const std::byte* payload(std::size_t i) const noexcept {
    return at(i) + slot_header;
  }
  [[nodiscard]] bool take(slot_units wanted) const noexcept { return wanted <= units_; }

  /// Writes the header of slot `i`.
  void tell(std::size_t i, count_t length, slot_units wanted) const noexcept {
    if (tell_lengths_only())
      std::memcpy(at(i) + slot_header, &length, sizeof length);
    else if (length > longest)
      wanted = cannot_tell;
    if (length == poison) wanted |= failed_bit;
    const header one{mark_ | wanted, static_cast<std::uint32_t>(length)};
    std::memcpy(at(i), &one, sizeof one);
  }

  /// Takes the mark from `count` slots that MPI will write: less than a header may arrive.
  void unmark(std::size_t count) const noexcept {
    for (std::size_t i = 0; i < count; ++i) write_told(i, nothing_arrived);
  }

  /// Fills slot `i` with all that is lent. What is not plain is packed.
  void fill(std::size_t i, const merged::payload& sent, mpi::comm_handle comm) const noexcept {
    const std::size_t bytes = sent.size(comm);
    slot_units wanted = bytes == 0 ? lengths_only : units_for(bytes);
    if (bytes != 0 && take(wanted) && !sent.pack(at(i) + slot_header, bytes, comm).ok())
        [[unlikely]]
      wanted = too_large;
    tell(i, sent.length, wanted);
  }

  /// Reads `count` headers, after an exchange with MPI's `code`: what they say together, and each
  /// length into `lengths` unless that is null. Takes the marks away. Throws `count_error` if
  /// one of them is no header.
  [[nodiscard]] summary read(int code, std::size_t count, count_t* lengths) const {
    summary all;
    count_t nobody_asks = 0;
    count_t* told_to = lengths != nullptr ? lengths : &nobody_asks;
    const std::size_t step = lengths != nullptr ? 1 : 0;
    for (std::size_t i = 0; i < count; ++i, told_to += step) {
      const auto [told, length] = head(i);
      // Without its mark; what has another one is larger than what a slot asks for.
      const std::uint32_t wanted = told ^ mark_;
      write_told(i, wanted);
      *told_to = tell_lengths_only() ? long_length(i) : static_cast<count_t>(length);
      all.length += *told_to;
      if (wanted > all.wanted) all.wanted = wanted;
    }
    if (all.wanted >= failed_bit) [[unlikely]]
      return code == MPI_SUCCESS ? read_failed(all.wanted, count, lengths)
                                 : read_nothing(code, count);
    return all;
  }

  /// The lengths alone, where nobody asked for them before.
  [[gnu::noinline]] void read_lengths(std::size_t count, count_t* lengths) const noexcept {
    for (std::size_t i = 0; i < count; ++i) lengths[i] = length(i);
  }

  /// Copies `count` payloads of elements of `width` bytes, one after another.
  [[gnu::always_inline]] void take_all(std::size_t count, std::byte* to,
                                       std::size_t width) const noexcept {
    if (tell_lengths_only()) return;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t bytes = std::size_t{head(i).length} * width;
      copy_bytes(to, payload(i), bytes);
      to += bytes;
    }
  }

 private:
  [[nodiscard]] header head(std::size_t i) const noexcept {
    header one;
    std::memcpy(&one, at(i), sizeof one);
    return one;
  }
  [[nodiscard]] count_t long_length(std::size_t i) const noexcept {
    count_t length = 0;
    std::memcpy(&length, at(i) + slot_header, sizeof length);
    return length;
  }
  [[nodiscard]] count_t length(std::size_t i) const noexcept {
    return tell_lengths_only() ? long_length(i) : static_cast<count_t>(head(i).length);
  }
  void write_told(std::size_t i, std::uint32_t told) const noexcept {
    std::memcpy(at(i) + offsetof(header, told), &told, sizeof told);
  }
  /// Reads headers without their marks again, since `most`, the largest, says that a rank failed, or
  /// that not all are headers.
  [[nodiscard, gnu::cold, gnu::noinline]] summary read_failed(std::uint32_t most, std::size_t count,
                                                              count_t* lengths) const {
    if (most >= 2 * failed_bit) refuse_unmarked();
    summary all;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t told = head(i).told;
      const slot_units wanted = told & (failed_bit - 1);
      if (wanted > all.wanted) all.wanted = wanted;
      if ((told & failed_bit) == 0)
        all.length += length(i);
      else if (all.failed < 0)
        all.failed = static_cast<int>(i);
      if (lengths != nullptr) lengths[i] = (told & failed_bit) == 0 ? length(i) : poison;
    }
    return all;
  }

  /// After MPI failed. Some MPIs say so if data came.
  [[nodiscard, gnu::cold, gnu::noinline]] summary read_nothing(int code, std::size_t count) const {
    bool came = false;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t told = head(i).told ^ mark_;
      // Slots that were not unmarked still have what a slot asked for.
      const bool kept = mark_ == static_cast<std::uint32_t>(slot_mark::allgather);
      came = came || (told != nothing_arrived && (told ^ mark_) >= 2 * failed_bit &&
                      (!kept || told >= 2 * failed_bit));
    }
    refuse_data(code, came);
    return {};
  }

  std::byte* memory_;
  slot_units units_;
  std::uint32_t mark_;
};

[[nodiscard]] inline slots open(learned& known, slot_units units, std::size_t count,
                                slot_mark mark) {
  const std::size_t size = count * slots::size_of(units);
  if (known.slots.size() < size) [[unlikely]] {
    known.slots.resize_to_take_part(size);
    std::memset(known.slots.data(), 0, size);
  }
  return {known.slots.data(), units, mark};
}

/// What an exchange gives: MPI's code, whether the payloads came along, and the slots they are in.
struct outcome {
  outcome(mpi::result<> its_code, const slots& its_slots, const summary& its_summary) noexcept
      : code(its_code.code),
        complete(code == MPI_SUCCESS && its_slots.take(its_summary.wanted)),
        received(its_slots),
        all(its_summary) {}

  int code;
  bool complete;
  slots received;
  summary all;
};

/// Runs `exchange(units)` with slots of the size that was learned; again if they were too small to
/// tell a length. Learns.
template <class Exchange>
[[nodiscard]] outcome run(learned_size& kind, Exchange exchange) {
  // A loop, so that the exchange is compiled once.
  for (slot_units units = kind.next();; units = lengths_only) {
    const outcome done = exchange(units);
    if (done.all.wanted == cannot_tell && units != lengths_only) [[unlikely]] {
      kind.leave();
      continue;
    }
    if (done.code == MPI_SUCCESS) [[likely]]
      kind.learn(done.all.wanted);
    else
      refuse_data(done.code);
    return done;
  }
}

/// Everybody's length, and payload if all are small, to everybody. A rank that failed tells
/// `poison`. `lengths` may be null, here and below where there are several.
[[nodiscard, gnu::always_inline]] inline outcome allgather(learned& known, mpi::comm_handle comm,
                                                           int rank, int size, const payload& mine,
                                                           count_t* lengths) {
  return run(known.allgatherv, [&](slot_units units) {
    const auto ranks = static_cast<std::size_t>(size);
    const slots all = open(known, units, ranks, slot_mark::allgather);
    all.fill(static_cast<std::size_t>(rank), mine, comm);
    const mpi::result<> code{MPIGLOT_WAITING(MPI_Allgather)(
        MPI_IN_PLACE, 0, MPI_BYTE, all.at(0), static_cast<int>(all.size()), MPI_BYTE, comm.native)};
    outcome done(code, all, all.read(code.code, ranks, lengths));
    // Slots that would be empty but for a few are not worth it.
    const auto sent = static_cast<std::size_t>(done.all.length) * mine.width;
    if (done.all.wanted < too_large &&
        done.all.wanted * slot_unit * ranks > 4 * sent + merge_limits::empty) [[unlikely]] {
      done.all.wanted = too_large;
      known.allgatherv.leave();
    }
    return done;
  });
}

template <class Wire>
[[nodiscard]] outcome allgather(learned& known, mpi::comm_handle comm, int rank, int size,
                                count_t length, const lent& out, count_t* lengths) {
  return allgather(known, comm, rank, size, payload::of<Wire>(out, length), lengths);
}

/// Fills a slot for each of `ranks`. All are told the slot for the longest part; one that failed
/// tells `poison`.
[[gnu::noinline]] inline void fill_all(const slots& out, std::size_t ranks,
                                       const sent_layout& table, const payload& sent) {
  table.visit([&](auto lengths, auto places) {
    count_t most = 0;
    for (std::size_t i = 0; i < ranks; ++i)
      if (lengths[i] > most) most = lengths[i];
    slot_units wanted = most > longest ? cannot_tell
                        : most <= 0    ? lengths_only
                                       : units_for(static_cast<std::size_t>(most) * sent.width);
    if (most > 0 && !sent.plain) [[unlikely]]
      wanted = wanted < too_large ? too_large : wanted;
    if (out.tell_lengths_only() && wanted == cannot_tell) wanted = too_large;
    for (std::size_t i = 0; i < ranks; ++i) out.tell(i, lengths[i], wanted);
    if (!out.take(wanted)) return;
    const auto* const from = static_cast<const std::byte*>(sent.from.address);
    for (std::size_t i = 0; i < ranks; ++i)
      if (lengths[i] > 0)
        copy_bytes(out.at(i) + slot_header, from + static_cast<std::size_t>(places[i]) * sent.width,
                   static_cast<std::size_t>(lengths[i]) * sent.width);
  });
}

/// To each rank the length of what it gets from this one, and the payload if all are small.
[[nodiscard, gnu::always_inline]] inline outcome alltoall(learned& known, mpi::comm_handle comm,
                                                          int size, const sent_layout& table,
                                                          const payload& from, count_t* lengths) {
  return run(known.alltoallv, [&](slot_units units) {
    const auto ranks = static_cast<std::size_t>(size);
    const slots out = open(known, units, 2 * ranks, slot_mark::alltoall);
    const slots in(out.at(ranks), units, slot_mark::alltoall);
    in.unmark(ranks);
    fill_all(out, ranks, table, from);
    const auto bytes = static_cast<int>(in.size());
    const mpi::result<> code{MPIGLOT_WAITING(MPI_Alltoall)(out.at(0), bytes, MPI_BYTE, in.at(0),
                                                           bytes, MPI_BYTE, comm.native)};
    return outcome(code, in, in.read(code.code, ranks, lengths));
  });
}

/// From the root to each rank the length of its part, and the part if all are small. Elsewhere
/// there are no parts, and `size` is 0.
[[nodiscard, gnu::always_inline]] inline outcome scatter(learned& known, mpi::comm_handle comm,
                                                         int root, int size,
                                                         const sent_layout& table,
                                                         const payload& from, count_t& mine) {
  return run(known.scatterv, [&](slot_units units) {
    const auto ranks = static_cast<std::size_t>(size);
    const slots all = open(known, units, size > 0 ? ranks : 1, slot_mark::scatter);
    if (size > 0)
      fill_all(all, ranks, table, from);
    else
      all.unmark(1);
    // The root's own part stays where it is, so that MPI need not copy it.
    const slots in(all.at(size > 0 ? static_cast<std::size_t>(root) : 0), units,
                   slot_mark::scatter);
    void* const to = size > 0 ? MPI_IN_PLACE : in.at(0);
    const auto bytes = static_cast<int>(in.size());
    const mpi::result<> code{MPIGLOT_WAITING(MPI_Scatter)(all.at(0), bytes, MPI_BYTE, to, bytes,
                                                          MPI_BYTE, root, comm.native)};
    return outcome(code, in, in.read(code.code, 1, &mine));
  });
}

/// Copies all payloads of elements of `width` bytes to where `table` puts them.
[[nodiscard, gnu::noinline]] inline int deliver(const slots& from, const computed_layout& layout,
                                                const lent& to, bool plain, std::size_t width,
                                                mpi::comm_handle comm) noexcept {
  std::size_t step = width;
  if (!plain) [[unlikely]] {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    const int code = MPIGLOT_MPI(MPI_Type_get_extent)(to.type.native, &lower, &extent);
    if (code != MPI_SUCCESS) return code;
    step = static_cast<std::size_t>(extent);
  }
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const count_t n = layout.length(i);
    if (n <= 0) continue;
    std::byte* const memory = static_cast<std::byte*>(to.address) +
                              static_cast<std::size_t>(layout.displacement(i)) * step;
    if (plain) {
      copy_bytes(memory, from.payload(i), static_cast<std::size_t>(n) * width);
    } else {
      const auto done = unpack_typed(from.payload(i), memory, n, to.type, comm);
      if (!done.ok()) return done.code;
    }
  }
  return MPI_SUCCESS;
}

}  // namespace mpiglot::detail::merged
