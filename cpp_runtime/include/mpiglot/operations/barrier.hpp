// Returns on each rank when all ranks have called it. MPI-4.1, section 6.3.
//
//   comm.barrier();
//
// Members     barrier, ibarrier, barrier_init
// Parameters  none
// Result      none
// Messages    one
// Allocates   nothing
// Errors      those of MPI

#pragma once

#include <mpiglot/detail/collectives/common.hpp>
#include <mpiglot/mpi/calls/barrier.hpp>

namespace mpiglot::operations {

struct barrier {
  using accepts = detail::names<>;
  using needs = detail::names<>;
  using length = keys::send_buf;
  static constexpr const char* name = "barrier";

  template <class Arguments>
  struct state : detail::defaults {
    static constexpr const char* name = "barrier";
    static constexpr bool movable = true;

    static constexpr bool agrees = detail::checked<Arguments, checks::communication>;

    state(const detail::group_view& on, Arguments&&) noexcept : comm(on.comm), group(on) {}
    void prepare() noexcept(!agrees) {
      if constexpr (agrees) detail::require_agreement(group, name, 0, 0, "");
    }
    void call(auto io) { io(mpi::calls::barrier(), comm); }
    void finish() noexcept {}
    [[nodiscard]] static constexpr bool keeps_memory() noexcept { return true; }
    void results() noexcept {}

    struct nobody {
      explicit nobody(const detail::group_view&) noexcept {}
    };
    mpi::comm_handle comm;
    [[no_unique_address]] std::conditional_t<agrees, detail::group_view, nobody> group;
  };
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/barrier.hpp>
