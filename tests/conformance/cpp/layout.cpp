// Each handle and the status is what C has, so that arrays of them are passed on as they are. (Sizes of C's
// types, offsets and values of constants are asserted in the layer's own assertions.hpp.)

#include "conformance.hpp"

#include <cstddef>

namespace {

// A handle that this MPI does not have is there without a C type.
template <class Handle>
constexpr bool one_as_in_c = true;
template <class Handle>
  requires requires { typename Handle::native_type; }
constexpr bool one_as_in_c<Handle> =
    sizeof(Handle) == sizeof(typename Handle::native_type) &&
    alignof(Handle) == alignof(typename Handle::native_type) &&
    std::is_trivially_copyable_v<Handle> && std::is_standard_layout_v<Handle>;

template <class... Handles>
constexpr bool as_in_c = (one_as_in_c<Handles> && ...);

static_assert(as_in_c<mpi::comm_handle, mpi::datatype_handle, mpi::errhandler_handle,
                      mpi::file_handle, mpi::group_handle, mpi::info_handle, mpi::message_handle,
                      mpi::op_handle, mpi::request_handle, mpi::session_handle, mpi::win_handle>);
static_assert(
    as_in_c<mpi::t_cvar_handle, mpi::t_enum_handle, mpi::t_event_instance_handle,
            mpi::t_event_registration_handle, mpi::t_pvar_handle, mpi::t_pvar_session_handle,
            mpi::mpix_async_thing_handle, mpi::mpix_stream_handle>);
static_assert(sizeof(mpi::status) == sizeof(MPI_Status) &&
              alignof(mpi::status) == alignof(MPI_Status) && offsetof(mpi::status, native) == 0);

}  // namespace
