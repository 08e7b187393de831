#include "lives.hpp"

#include "conformance.hpp"

#include <cstdio>

namespace {

// MPI_Init and MPI_Finalize by name, and what may be called before and after them.
int plain(int argc, char** argv) {
  bool right = !mpi::initialized() && !mpi::finalized();
  right &= mpi::get_version().version == MPI_VERSION;
  right &= !mpi::get_library_version().empty();
  mpi::init(mpi::main_arguments{argc, argv});
  right &= mpi::initialized();
  mpi::comm_set_errhandler(mpi::comm_world, mpi::errors_return);
  int sum = 0;
  const int one = 1;
  mpi::allreduce(&one, &sum, 1, mpi::int_, mpi::sum, mpi::comm_world);
  right &= sum == size();
  const bool first = rank() == 0;
  mpi::finalize();
  right &= mpi::finalized();
  if (first) std::printf("%d passed, %d failed, 0 skipped\n", right ? 1 : 0, right ? 0 : 1);
  return right ? 0 : 1;
}

// The tools interface before MPI_Init, and its end.
int tools(int argc, char** argv) {
  const bool right = mpi::t_init_thread(mpi::thread_level::single) >= mpi::thread_level::single &&
                     mpi::t_cvar_get_num() > 0;
  const mpiglot::environment environment(argc, argv);
  mpi::t_finalize();
  if (rank() == 0) std::printf("%d passed, %d failed, 0 skipped\n", right ? 1 : 0, right ? 0 : 1);
  return right ? 0 : 1;
}

// A program that knows sessions only.
int session(int, char**) {
  bool right = true;
  bool first = true;
  if constexpr (mpi::has_session_init) {
    mpi::session_handle session = mpi::session_init(mpi::info_null, mpi::errors_return);
    mpi::group_handle group = mpi::group_from_session_pset(session, "mpi://WORLD");
    mpi::comm_handle comm =
        mpi::comm_create_from_group(group, "alone", mpi::info_null, mpi::errors_return);
    int sum = 0;
    const int one = 1;
    mpi::allreduce(&one, &sum, 1, mpi::int_, mpi::sum, comm);
    right = sum == mpi::group_size(group);
    first = mpi::comm_rank(comm) == 0;
    mpi::comm_free(comm);
    mpi::group_free(group);
    mpi::session_finalize(session);
  }
  if (first) std::printf("%d passed, %d failed, 0 skipped\n", right ? 1 : 0, right ? 0 : 1);
  return right ? 0 : 1;
}

// Every rank but the first waits for a message that never comes: only MPI_Abort ends this job.
int abort(int argc, char** argv) {
  const mpiglot::environment environment(argc, argv);
  if (rank() == 0) mpi::abort(mpi::comm_world, 3);
  int never = 0;
  mpi::recv(&never, 1, mpi::int_, 0, 0, mpi::comm_world);
  return 0;
}

}  // namespace

conformance::program conformance::life(const char* name) {
  const struct {
    const char* name;
    program run;
  } all[] = {
      {"plain", plain}, {"tools", tools}, {"session", session}, {"abort", abort}, {"child", child}};
  for (const auto& one : all)
    if (std::strcmp(one.name, name) == 0) return one.run;
  return nullptr;
}
