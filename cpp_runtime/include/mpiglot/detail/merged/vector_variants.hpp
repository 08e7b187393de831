// allgatherv, alltoallv and scatterv whose lengths nobody knows before: the first message, which
// tells them and may bring the payloads, and the second if there is one. How: slots.hpp. What is
// declared here knows no type of element, so that it is compiled once.

#pragma once

#include <mpiglot/detail/merged/typeless.hpp>

namespace mpiglot::detail::merged {

/// Everybody's part on everybody, in one message or two. MPI's code.
[[nodiscard]] int allgatherv(const group_view& group, const payload& mine, receiving_parts& to);

/// A part from each rank to each, in one message or two. MPI's code.
[[nodiscard]] int alltoallv(const group_view& group, const payload& from, const sent_layout& sent,
                            receiving_parts& to);

/// The first message of a scatterv, which tells each rank the length of its part (`mine`). Whether
/// the second one is needed.
[[nodiscard]] bool scatterv(const group_view& group, int root, const payload& from,
                            const sent_layout& sent, count_t& mine, const receiving& to, int& code);

/// Copies a payload of `n` wire elements of `width` bytes into lent memory, all of it. MPI's code.
[[nodiscard]] int unpack(const std::byte* from, const room& to, count_t n, std::size_t width,
                         mpi::comm_handle comm) noexcept;
template <class Wire>
[[nodiscard]] mpi::result<> unpack(const std::byte* from, const lent& to, count_t n,
                                   mpi::comm_handle comm) noexcept {
  return {unpack(from, room{to, is_plain<Wire>(to)}, n, sizeof(Wire), comm)};
}

}  // namespace mpiglot::detail::merged

#if MPIGLOT_BODIES
#include <mpiglot/detail/merged/vector_variants.ipp>
#endif
