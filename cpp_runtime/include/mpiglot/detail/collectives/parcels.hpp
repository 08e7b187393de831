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

// A parcel is empty, or the number of elements (`poison` of a rank that failed) and the elements.
namespace parcel {

[[nodiscard]] inline std::size_t step_of(const lent& memory, bool plain, std::size_t width) {
  if (plain) return width;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  mpi::detail::check(MPIGLOT_MPI(MPI_Type_get_extent)(memory.type.native, &lower, &extent),
                     "MPI_Type_get_extent");
  return static_cast<std::size_t>(extent);
}

inline void add(parcels& to, count_t n, const merged::payload& elements, mpi::comm_handle comm) {
  if (n == 0) {
    to.sizes.push_back(0);
    return;
  }
  const std::size_t start = to.bytes.size();
  const std::size_t size = elements.size(comm);
  to.bytes.resize(start + sizeof n + size);
  std::memcpy(to.bytes.data() + start, &n, sizeof n);
  if (n > 0)
    mpi::detail::check(elements.pack(to.bytes.data() + start + sizeof n, size, comm).code,
                       "MPI_Pack");
  to.sizes.push_back(static_cast<count_t>(sizeof n + size));
}

[[nodiscard]] inline parcels pack(const merged::payload& all, const merged::sent_layout& sent,
                                  mpi::comm_handle comm) {
  parcels packed;
  const std::size_t step = sent.failed() ? 0 : step_of(all.from, all.plain, all.width);
  sent.visit([&](auto lengths, auto places) {
    for (std::size_t i = 0; i < sent.size(); ++i) {
      const auto n = static_cast<count_t>(lengths[i]);
      lent part = all.from;
      if (n > 0) {
        part.address =
            static_cast<std::byte*>(part.address) + static_cast<std::size_t>(places[i]) * step;
        part.count = n;
      }
      add(packed, n, {part, n, all.width, all.plain}, comm);
    }
  });
  return packed;
}

/// Makes room, and puts the elements there unless a rank failed. MPI's code.
[[nodiscard]] inline int deliver(const parcels& received, merged::receiving_parts& to,
                                 mpi::comm_handle comm) {
  if (!to.layout.allocated()) to.layout.allocate();
  count_t all = 0;
  const std::byte* from = received.bytes.data();
  for (std::size_t i = 0; i < to.layout.size(); ++i) {
    count_t n = 0;
    if (received.sizes[i] != 0) std::memcpy(&n, from, sizeof n);
    if (n == poison && to.failed < 0) to.failed = static_cast<int>(i);
    to.layout.set_length(i, n);
    all += n > 0 ? n : 0;
    from += received.sizes[i];
  }
  const merged::room into = to.make_room(all);
  to.layout.lay_out();
  const std::size_t step = step_of(into.memory, into.plain, to.width);
  from = received.bytes.data();
  for (std::size_t i = 0; i < to.layout.size(); from += received.sizes[i++]) {
    const count_t n = to.layout.length(i);
    if (n <= 0) continue;  // there may be no memory then
    lent part = into.memory;
    part.address = static_cast<std::byte*>(part.address) +
                   static_cast<std::size_t>(to.layout.displacement(i)) * step;
    part.count = n;
    const int code = merged::unpack(from + sizeof n, {part, into.plain}, n, to.width, comm);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

}  // namespace parcel

template <class Operation>
struct moved_by {
  [[nodiscard]] static int alltoallv(const group_view& group, const merged::payload& from,
                                     const merged::sent_layout& sent, merged::receiving_parts& to) {
    const parcels received = Operation::move_parts(group, parcel::pack(from, sent, group.comm));
    return parcel::deliver(received, to, group.comm);
  }
};

}  // namespace mpiglot::detail
