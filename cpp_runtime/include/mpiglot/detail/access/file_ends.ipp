// Bodies of detail/access/file_ends.hpp.

#pragma once

#include <cstdint>

#include <mpiglot/detail/access/file_ends.hpp>
#include <mpiglot/detail/access/file_mistakes.hpp>
#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/mpi/available.hpp>
#include <mpiglot/mpi/collectives.hpp>
#include <mpiglot/mpi/environment.hpp>
#include <mpiglot/mpi/groups.hpp>
#include <mpiglot/mpi/io.hpp>

namespace mpiglot::detail {

/// Such a file has no positions.
[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE bool is_sequential(mpi::file_handle file) noexcept {
  return (static_cast<int>(mpi::nothrow::file_get_amode(file).value) & MPI_MODE_SEQUENTIAL) != 0;
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE bool tells_too_much(mpi::file_handle file,
                                                                mpi::datatype_handle buffer) {
  static const bool has_defect = library_defect("strided-read-tells-too-much") != nullptr;
  if (!has_defect || is_sequential(file)) return false;
  const present_view view(file);
  return is_derived(view.filetype) || is_derived(buffer.native);
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE mpi::count_t bytes_before_end(mpi::file_handle file,
                                                                          mpi::offset_t offset,
                                                                          mpi::count_t told) {
  const mpi::count_t one = element_bytes(file);
  if (one <= 0 || told <= 0) return told;
  const mpi::offset_t end = mpi::file_get_size(file);
  const auto lies_before_end = [&](mpi::count_t elements) {
    return mpi::file_get_byte_offset(file, offset + elements - 1) + one <= end;
  };
  mpi::count_t least = 0;
  mpi::count_t most = told / one;
  for (mpi::count_t next = most; least < most; next = (least + most + 1) / 2) {
    if (lies_before_end(next))
      least = next;
    else
      most = next - 1;
  }
  if (least == told / one) return told;
  return least * one;
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE mpi::count_t bytes_before_end(mpi::file_handle file,
                                                                          mpi::offset_t first,
                                                                          mpi::offset_t last,
                                                                          mpi::count_t told) {
  const mpi::count_t most = bytes_before_end(file, first, told);
  const mpi::count_t one = element_bytes(file);
  if (one <= 0) return most;
  const mpi::count_t least = bytes_before_end(file, last - told / one, told);
  if (least != most)
    refuse_defect("read(shared_pointer())", library_defect("strided-read-tells-too-much"));
  return most;
}

/// A communicator of the processes of a group, or null where neither MPI_COMM_WORLD nor a session has them all.
/// Collective over the group.
[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE mpi::unique_comm comm_of(mpi::group_handle processes) {
  if (!mpi::initialized()) {
    if constexpr (mpi::has_comm_create_from_group)
      return mpi::unique_comm(mpi::nothrow::comm_create_from_group(
                                  processes, "mpiglot: file", mpi::info_null, mpi::errors_return)
                                  .value);
    return {};
  }
  const mpi::unique_group all(mpi::nothrow::comm_group(mpi::comm_world).value);
  const mpi::unique_group others(mpi::nothrow::group_difference(processes, all).value);
  if (mpi::nothrow::group_size(others).value != 0) return {};
  constexpr int tag = 29'431;  // no other creation by this group is likely to use it
  return mpi::unique_comm(mpi::nothrow::comm_create_group(mpi::comm_world, processes, tag).value);
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE mpi::offset_t place_in_order(
    mpi::file_handle file, mpi::count_t count, mpi::datatype_handle type) {
  if (is_sequential(file)) return -1;
  const mpi::unique_group processes(mpi::nothrow::file_get_group(file).value);
  const bool is_first = mpi::nothrow::group_rank(processes).value == 0;
  if (mpi::nothrow::group_size(processes).value == 1)
    return mpi::nothrow::file_get_position_shared(file).value;
  const mpi::unique_comm comm = comm_of(processes);
  if (!comm) return -1;
  // Other ranks may still move the pointer in the access before this one.
  static_cast<void>(mpi::nothrow::barrier(comm.get()));
  std::int64_t own = is_first ? mpi::nothrow::file_get_position_shared(file).value : 0;
  const mpi::count_t one = element_bytes(file);
  const mpi::count_t asked = count * mpi::type_size(type);
  const std::int64_t first = own;
  if (one > 0 && asked % one == 0) own += asked / one;  // else it takes part with nothing
  std::int64_t before = first;
  const int code =
      MPIGLOT_WAITING(MPI_Exscan)(&own, &before, 1, MPI_INT64_T, MPI_SUM, comm.get().native);
  return code != MPI_SUCCESS ? -1 : is_first ? first : before;
}

}  // namespace mpiglot::detail
