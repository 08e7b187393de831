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
    static constexpr bool asks = false;
    static constexpr bool movable = true;

    using compares_type = detail::comparing<Arguments>;

    state(const detail::group_view& on, Arguments&&) noexcept : compares(on), comm(on.comm) {}
    template <class Io = detail::now>
    void prepare() {
      if constexpr (compares_type::possible)
        if (compares.now) [[unlikely]]
          detail::require_agreement({comm, 0, 0}, {.known = &detail::form_alone<Io, state>});
    }
    void call(auto io) { io(mpi::calls::barrier(), comm); }
    void finish() noexcept {}
    [[nodiscard]] static constexpr bool keeps_memory() noexcept { return true; }
    void results() noexcept {}

    [[no_unique_address]] compares_type compares;
    mpi::comm_handle comm;
  };
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/barrier.hpp>
