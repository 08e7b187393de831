// Prepares a message whose partitions become ready one by one, for example each by a thread of its
// own. MPI-4.1, chapter 4.
//
//   auto sending = comm.psend_init(send_buf(v), partitions(4), destination(1));
//   auto receiving = comm.precv_init(recv_buf(w), partitions(4), source(0));
//
// After `sending.start()`, `sending.pready(2)` (also pready_range, pready_list) says that the third
// quarter of v is final and will not be written before the request is complete. After
// `receiving.start()`, `receiving.parrived(2)` says if the third quarter of w has arrived.
//
// Members     psend_init; precv_init
// Needed      send_buf and destination, or recv_buf and source; partitions
// Parameters  send_buf and destination, or recv_buf and source; partitions, which divide the buffer
//             into equal parts; tag (0)
// Result      a persistent request with `pready` or `parrived`
// Messages    decided by MPI, at most one for each partition
// Allocates   the state of the persistent request, and the datatype of a view with gaps
// Errors      count_error if the number of partitions does not divide the buffer, and of a view with
//             gaps its first dimension; view_error for such a view with Open MPI, which puts its
//             partitions into wrong places; mpi::unavailable before MPI 4.0. pready, pready_range and
//             pready_list throw error if the request is not started or has no such partition; at
//             level normal, also if a partition is marked twice after one start. parrived throws
//             error if there is no such partition

#pragma once

#include <mpiglot/detail/requests/partition_marks.hpp>
#include <mpiglot/detail/engine/engine.hpp>
#include <mpiglot/detail/requests/endings.hpp>
#include <mpiglot/mpi/calls/precv_init.hpp>
#include <mpiglot/mpi/calls/psend_init.hpp>
#include <mpiglot/mpi/calls/recv.hpp>
#include <mpiglot/mpi/calls/send.hpp>
#include <mpiglot/operations/message_parameters.hpp>

namespace mpiglot::detail {

/// Marks the partitions from `first` to `last`, both included, as ready to send.
void pready(int first, int last, mpi::request_handle request);
[[nodiscard]] bool parrived(mpi::request_handle request, int partition);

/// True if an adapter may lend one element of a datatype, and has a datatype of its partitions.
template <class Adapter>
inline constexpr bool divides_by_datatypes =
    requires(const Adapter& buffer) { buffer.partition(count_t{}); };
/// What owns that datatype.
template <class Adapter>
using partition_datatype_of =
    std::conditional_t<divides_by_datatypes<Adapter>, mpi::unique_datatype, absent>;

}  // namespace mpiglot::detail

namespace mpiglot::operations {

/// The elements of one partition.
[[nodiscard]] inline count_t partition_of(count_t elements, int partitions) {
  if (partitions <= 0 || elements % partitions != 0)
    detail::refuse_counts("the buffer cannot be divided into so many equal partitions");
  return elements / partitions;
}

/// One partition of what an adapter lends. If that is one element of a datatype, so is the partition, of
/// one that `kept` owns.
template <class Adapter, class Kept>
[[nodiscard]] lent one_partition([[maybe_unused]] const Adapter& buffer, lent memory,
                                 int partitions, [[maybe_unused]] Kept& kept) {
  if constexpr (detail::divides_by_datatypes<Adapter>)
    if (detail::is_described(buffer) && memory.count != 0) {
      kept = buffer.partition(partitions);
      return {memory.address, 1, kept};
    }
  memory.count = partition_of(memory.count, partitions);
  return memory;
}

/// Prepares a message whose partitions become ready one by one, for example each by a thread.
struct psend_init {
  using accepts = detail::names<keys::send_buf, keys::destination, keys::tag, keys::partitions>;
  using needs = detail::names<keys::send_buf, keys::destination, keys::partitions>;
  using length = keys::send_buf;

  static int bound(mpi::request_handle& request, const void* address, int partitions,
                   const auto& count, const auto& type, int to, int tag,
                   const auto& comm) noexcept {
    if (to == MPI_PROC_NULL)  // partitions-with-nobody
      return mpi::calls::send::bound(request, address, 0, type, to, tag, comm);
    return mpi::calls::psend_init::now(address, partitions, count, type, to, tag, comm,
                                       mpi::info_handle(), request);
  }

  template <class Arguments>
  struct state : detail::defaults {
    using adapter = detail::source_of<Arguments, form::memory>;
    static constexpr const char* name = "psend";
    static constexpr bool repeats = adapter::fixed || adapter::uniform;
    static constexpr bool movable = false;
    static constexpr bool sends_partitions = true;
    void pready(int first, int last, mpi::request_handle request) {
      marks.take(first, last);
      hand_over(first, last, request);
    }
    template <class Partitions>
    void pready_list(const Partitions& partitions, mpi::request_handle request) {
      marks.take_all(partitions);
      for (const int partition : partitions) hand_over(partition, partition, request);
    }
    void hand_over(int first, int last, mpi::request_handle request) {
      if (!detail::is_with_nobody(*this)) detail::pready(first, last, request);
    }
    /// After each start: nothing is marked. Returns the number of partitions.
    [[nodiscard]] int restart() noexcept {
      const int n = arguments.template get<keys::partitions>().value;
      marks.clear(n);
      return n;
    }

    state(const detail::group_view& group, Arguments&& given)
        : arguments(static_cast<Arguments&&>(given)),
          buffer(detail::open<adapter>(arguments.template get<keys::send_buf>())),
          comm(group.comm) {}

    void prepare() { buffer.pack(); }
    void call(auto io) {
      const int partitions = arguments.template get<keys::partitions>().value;
      const lent memory = one_partition(buffer, buffer.out(), partitions, type);
      marks.resize(partitions);
      io(psend_init(), memory.address, partitions, memory.count, memory.type,
         arguments.template get<keys::destination>().value,
         arguments.template value_or<keys::tag>(0), comm);
    }
    void finish() noexcept {}
    [[nodiscard]] bool keeps_memory() const noexcept { return detail::keeps_memory(buffer); }
    void results() noexcept {}

    Arguments arguments;
    adapter buffer;
    mpi::comm_handle comm;
    [[no_unique_address]] detail::partition_datatype_of<adapter> type;
    [[no_unique_address]] detail::partition_marks_if<detail::checked<Arguments, checks::normal>>
        marks;
  };
};

/// Prepares to receive a message whose partitions arrive one by one.
struct precv_init {
  using accepts = detail::names<keys::recv_buf, keys::source, keys::tag, keys::partitions>;
  using needs = detail::names<keys::recv_buf, keys::source, keys::partitions>;
  using length = keys::recv_buf;

  static int bound(mpi::request_handle& request, void* address, int partitions, const auto& count,
                   const auto& type, int from, int tag, const auto& comm) noexcept {
    if (from == MPI_PROC_NULL)  // partitions-with-nobody
      return mpi::calls::recv::bound(request, address, 0, type, from, tag, comm);
    return mpi::calls::precv_init::now(address, partitions, count, type, from, tag, comm,
                                       mpi::info_handle(), request);
  }

  template <class Arguments>
  struct state : detail::defaults {
    using adapter =
        detail::adapter_of<detail::parameter_of<Arguments, keys::recv_buf>, form::memory>;
    static constexpr const char* name = "precv";
    static constexpr bool one_call = adapter::fixed && adapter::uniform;
    static constexpr bool movable = false;
    static constexpr bool receives_partitions = true;
    [[nodiscard]] int all_partitions() { return arguments.template get<keys::partitions>().value; }
    [[nodiscard]] bool parrived(mpi::request_handle request, int partition) {
      return detail::is_with_nobody(*this) || detail::parrived(request, partition);
    }

    state(const detail::group_view& group, Arguments&& given)
        : arguments(static_cast<Arguments&&>(given)),
          buffer(detail::open<adapter>(arguments.template get<keys::recv_buf>())),
          comm(group.comm) {}

    void prepare() { detail::place_all(buffer); }
    void call(auto io) {
      const int partitions = arguments.template get<keys::partitions>().value;
      const lent memory = one_partition(buffer, buffer.in(buffer.room()), partitions, type);
      io(precv_init(), memory.address, partitions, memory.count, memory.type,
         arguments.template get<keys::source>().value, arguments.template value_or<keys::tag>(0),
         comm);
    }
    void finish() noexcept {}
    [[nodiscard]] bool keeps_memory() const noexcept { return detail::keeps_memory(buffer); }
    void results() noexcept {}

    Arguments arguments;
    adapter buffer;
    mpi::comm_handle comm;
    [[no_unique_address]] detail::partition_datatype_of<adapter> type;
  };
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/partitioned.hpp>

#if MPIGLOT_BODIES
#include <mpiglot/operations/partitioned.ipp>
#endif
