// Callbacks of MPI_T's events. Few libraries have events to offer, so this program stands in for the
// functions that take callbacks, and calls what it was given as a library would.

#include <cstdio>

#include <mpiglot/mpi/callbacks.hpp>
#include <mpiglot/mpi/tools.hpp>

namespace mpi = mpiglot::mpi;

namespace {

struct registered {
  MPI_T_event_cb_function* happened = nullptr;
  void* happened_data = nullptr;
  MPI_T_event_dropped_cb_function* dropped = nullptr;
  MPI_T_event_free_cb_function* freed = nullptr;
  void* freed_data = nullptr;
} library;

int failures = 0;

void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "not so: %s\n", what);
  ++failures;
}

}  // namespace

extern "C" {
int MPI_T_event_register_callback(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info, void* data,
                                  MPI_T_event_cb_function function) {
  library.happened = function;
  library.happened_data = data;
  return MPI_SUCCESS;
}
int MPI_T_event_set_dropped_handler(MPI_T_event_registration,
                                    MPI_T_event_dropped_cb_function function) {
  library.dropped = function;
  return MPI_SUCCESS;
}
int MPI_T_event_handle_free(MPI_T_event_registration, void* data,
                            MPI_T_event_free_cb_function function) {
  library.freed = function;
  library.freed_data = data;
  return MPI_SUCCESS;
}
}

int main() {
  int events = 0;
  int lost = 0;
  int freed = 0;
  const mpi::t_event_registration_handle registration{};
  const auto safety = mpi::cb_safety::none;
  mpi::t_event_register_callback(
      registration, safety, mpi::info_null,
      [&events, step = 2](mpi::t_event_instance_handle, mpi::t_event_registration_handle,
                          auto level) { events += level == mpi::cb_safety::none ? step : 0; });
  mpi::t_event_set_dropped_handler(
      registration, [&lost](MPI_Count count, mpi::t_event_registration_handle, int source, auto) {
        lost += static_cast<int>(count) + source;
      });
  mpi::t_event_handle_free(registration,
                           [&freed](mpi::t_event_registration_handle, auto) { ++freed; });

  for (int i = 0; i < 3; ++i)
    library.happened({}, {}, MPI_T_CB_REQUIRE_NONE, library.happened_data);
  library.dropped(5, {}, 1, MPI_T_CB_REQUIRE_NONE, nullptr);
  library.freed({}, MPI_T_CB_REQUIRE_NONE, library.freed_data);
  expect(events == 6, "an event calls what captures");
  expect(lost == 6, "a dropped event calls what captures");
  expect(freed == 1, "the end of a registration calls what captures");
  mpi::release_callbacks();
  if (failures == 0) std::puts("all events arrive");
  return failures;
}
