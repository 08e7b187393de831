#include "check.hpp"

TEST(control_variables_are_described_and_read) {
  check::expect(mpi::t_init_thread(mpi::thread_level::single) >= mpi::thread_level::single);
  const int count = mpi::t_cvar_get_num();
  check::expect(count > 0);
  int read = 0;
  for (int i = 0; i < count; ++i) {
    const auto info = mpi::nothrow::t_cvar_get_info<std::string>(i);
    if (!info.ok()) continue;  // Open MPI has indices of variables that are gone
    check::expect(!info.value.name.empty());
    if (info.value.bind != mpi::bind::no_object || info.value.datatype.native != MPI_INT) continue;
    auto [handle, elements] = mpi::t_cvar_handle_alloc(i, nullptr);
    check::expect(elements >= 1);
    std::vector<int> values(static_cast<std::size_t>(elements));
    if (mpi::nothrow::t_cvar_read(handle, values.data()).ok()) ++read;
    mpi::t_cvar_handle_free(handle);
  }
  check::expect(read > 10, "integer variables were read");
  mpi::t_finalize();
}
