// The parts of an alltoallv as bytes, for operations of plugins that move them by a route of their own.

#pragma once

#include <vector>

#include <mpiglot/detail/collectives/exchanging.hpp>
#include <mpiglot/detail/merged/slots.hpp>

namespace mpiglot::detail {

/// One parcel of bytes for each rank, or from each rank, one after another in the order of the
/// ranks. What is in a parcel is not the mover's business; an empty one need not travel.
struct parcels {
  std::vector<count_t> sizes;
  std::vector<std::byte> bytes;
};

// A parcel is empty, or a label and the elements.
namespace parcel {

struct label {
  count_t length;  // elements; `poison` of a rank that failed
  count_t size;    // bytes of an element, by which other types on another rank are noticed
};

[[nodiscard]] inline count_t size_of(const lent& memory, bool plain, std::size_t width) {
  if (plain) return static_cast<count_t>(width);
  return bytes_of_one(memory.type);
}

[[nodiscard]] inline std::size_t step_of(const lent& memory, bool plain, std::size_t width) {
  if (plain) return width;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  mpi::detail::check(MPIGLOT_MPI(MPI_Type_get_extent)(memory.type.native, &lower, &extent),
                     "MPI_Type_get_extent");
  return static_cast<std::size_t>(extent);
}

inline void add(parcels& to, const label& head, const merged::payload& elements,
                mpi::comm_handle comm) {
  if (head.length == 0) {
    to.sizes.push_back(0);
    return;
  }
  const std::size_t start = to.bytes.size();
  const std::size_t size = head.length > 0 ? elements.size(comm) : 0;
  to.bytes.resize(start + sizeof head + size);
  std::memcpy(to.bytes.data() + start, &head, sizeof head);
  if (head.length > 0)
    mpi::detail::check(elements.pack(to.bytes.data() + start + sizeof head, size, comm).code,
                       "MPI_Pack");
  to.sizes.push_back(static_cast<count_t>(sizeof head + size));
}

/// One parcel for each of `ranks`, however long the array of lengths of a rank that failed is.
[[nodiscard]] inline parcels pack(const merged::payload& all, const merged::sent_layout& sent,
                                  std::size_t ranks, mpi::comm_handle comm) {
  parcels packed;
  const std::size_t step = sent.failed() ? 0 : step_of(all.from, all.plain, all.width);
  const count_t size = sent.failed() ? 0 : size_of(all.from, all.plain, all.width);
  sent.visit([&](auto lengths, auto places) {
    for (std::size_t i = 0; i < ranks; ++i) {
      const auto n = static_cast<count_t>(lengths[i]);
      lent part = all.from;
      if (n > 0) {
        part.address =
            static_cast<std::byte*>(part.address) + static_cast<std::size_t>(places[i]) * step;
        part.count = n;
      }
      add(packed, {n, size}, {part, n, all.width, all.plain}, comm);
    }
  });
  return packed;
}

[[nodiscard]] inline parcels of_failed(std::size_t ranks) {
  parcels packed{std::vector<count_t>(ranks, sizeof(label)),
                 std::vector<std::byte>(ranks * sizeof(label))};
  const label head{poison, 0};
  for (std::size_t i = 0; i < ranks; ++i)
    std::memcpy(packed.bytes.data() + i * sizeof head, &head, sizeof head);
  return packed;
}

/// Whether there is a parcel from each rank, with a label in it, and no byte besides.
[[nodiscard]] inline bool complete(const parcels& received, std::size_t ranks) noexcept {
  if (received.sizes.size() != ranks) return false;
  std::size_t all = 0;
  for (const count_t size : received.sizes) {
    if (size < 0 || (size > 0 && size < static_cast<count_t>(sizeof(label)))) return false;
    all += static_cast<std::size_t>(size);
  }
  return all == received.bytes.size();
}

/// Makes room, and puts the elements there unless a rank failed. MPI's code; MPI_ERR_TYPE where a
/// rank sent elements of another size, MPI_ERR_INTERN where the mover lost parcels.
[[nodiscard]] inline int deliver(const parcels& received, merged::receiving_parts& to,
                                 mpi::comm_handle comm) {
  if (!to.layout.allocated()) to.layout.allocate();
  if (!complete(received, to.layout.size())) return MPI_ERR_INTERN;
  count_t all = 0;
  const std::byte* from = received.bytes.data();
  for (std::size_t i = 0; i < to.layout.size(); ++i) {
    label head{};
    if (received.sizes[i] != 0) std::memcpy(&head, from, sizeof head);
    const count_t n = head.length;
    if (n == poison && to.failed < 0) to.failed = static_cast<int>(i);
    to.layout.set_length(i, n);
    all += n > 0 ? n : 0;
    from += received.sizes[i];
  }
  const merged::room into = to.make_room(all);
  to.layout.lay_out();
  const std::size_t step = step_of(into.memory, into.plain, to.width);
  const count_t size = size_of(into.memory, into.plain, to.width);
  from = received.bytes.data();
  for (std::size_t i = 0; i < to.layout.size(); from += received.sizes[i++]) {
    const count_t n = to.layout.length(i);
    if (n <= 0) continue;  // there may be no memory then
    lent part = into.memory;
    part.address = static_cast<std::byte*>(part.address) +
                   static_cast<std::size_t>(to.layout.displacement(i)) * step;
    part.count = n;
    label head{};
    std::memcpy(&head, from, sizeof head);
    if (head.size != size) return MPI_ERR_TYPE;
    const int code = merged::unpack(from + sizeof head, {part, into.plain}, n, to.width, comm);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

}  // namespace parcel

template <class Operation>
struct moved_by {
  [[nodiscard]] static int alltoallv(const group_view& group, const merged::payload& from,
                                     const merged::sent_layout& sent, merged::receiving_parts& to) {
    const auto ranks = static_cast<std::size_t>(group.size);
    parcels packed;
    kept_failure failure;
    // A rank that fails takes part, and says so in each of its parcels.
    if (!failure.attempt([&] { packed = parcel::pack(from, sent, ranks, group.comm); }))
      packed = parcel::of_failed(ranks);
    const parcels received = Operation::move_parts(group, packed);
    failure.rethrow();
    return parcel::deliver(received, to, group.comm);
  }
};

}  // namespace mpiglot::detail
