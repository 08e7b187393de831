// The guards around MPI_Init, from before it to after MPI_Finalize, in one process. Compiled with
// MPIGLOT_CHECK_STATE, so that calls at the wrong time are errors.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <mpiglot/mpi.hpp>
#include <mpiglot/mpi/guard.hpp>

namespace mpi = mpiglot::mpi;

namespace {

int failures = 0;

// Whether `call` throws an error of MPI_ERR_OTHER that says `words`; "" means that it throws none.
template <class Call>
void says(const char* what, const char* words, Call call) {
  const char* said = "";
  char text[1024] = "";
  try {
    call();
  } catch (const mpi::error& error) {
    std::snprintf(text, sizeof text, "%s", error.what());
    said = error.code() == MPI_ERR_OTHER ? text : "another code";
  }
  const bool right = *words == '\0' ? *said == '\0' : std::strstr(said, words) != nullptr;
  if (right) return;
  std::fprintf(stderr, "%s: said '%s', not '%s'\n", what, said, words);
  ++failures;
}

// A variable of the environment that is not there for a while.
class variable_of_ours {
 public:
  explicit variable_of_ours(const char* name) : name_(name) {
    if (const char* const value = std::getenv(name)) value_ = value;
    unsetenv(name);
  }
  variable_of_ours(const variable_of_ours&) = delete;
  variable_of_ours& operator=(const variable_of_ours&) = delete;
  ~variable_of_ours() {
    if (!value_.empty()) setenv(name_, value_.c_str(), 1);
  }

 private:
  const char* name_;
  std::string value_;
};

int sessions_ended = 0;

void ask_rank() { static_cast<void>(mpi::comm_rank(mpi::comm_world)); }

}  // namespace

// In front of MPI's, which has none in old releases.
extern "C" int count_session(void* session) __asm__("MPI_Session_finalize");
extern "C" int count_session(void* session) {
  ++sessions_ended;
  using function = int(void*);
  return reinterpret_cast<function*>(::dlsym(RTLD_NEXT, "MPI_Session_finalize"))(session);
}

namespace {

// A session may outlive MPI_Finalize. (The state of MPI is not looked at any more once there was one.)
template <class Session>
void end_session_after_world() {
  if constexpr (mpi::has_session_init) {
    mpi::init();
    mpi::unique_handle<Session> session{mpi::session_init(mpi::info_null, mpi::errors_return)};
    mpi::finalize();
    const int code = session.reset();
    if (code == MPI_SUCCESS && sessions_ended == 1) return;
    std::fprintf(stderr, "%d sessions ended after MPI_Finalize, code %d\n", sessions_ended, code);
    ++failures;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "session") == 0) {
    end_session_after_world<mpi::session_handle>();
    return failures;
  }
  says("a call before MPI_Init", "MPI_Comm_rank: MPI is not initialized", ask_rank);
  says("a version before MPI_Init", "", [] { static_cast<void>(mpi::get_version()); });
  const bool is_open_mpi =
      std::strcmp(mpi::detail::launcher_family(mpi::detail::library_text().text), "ompi") == 0;
  if (!is_open_mpi) {  // some releases of MPICH would end the process
    const variable_of_ours fd("PMI_FD"), port("PMI_PORT"), size("PMI_SIZE");
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    says("a launcher that cannot be reached", "would be alone", mpi::guard_before_init);
    unsetenv("OMPI_COMM_WORLD_SIZE");
  }
  says("the first start", "", mpi::guard_before_init);
  static_cast<void>(mpi::init_thread(mpi::main_arguments(argc, argv), mpi::thread_level::single));
  says("a call in time", "", ask_rank);
  says("a second start", "MPI is initialized already", mpi::guard_before_init);
  says("a second MPI_Init", "MPI_Init: MPI is initialized already", [] { mpi::init(); });
  says("a good start", "", mpi::guard_after_init);

  // As the other family's launcher would leave it.
  const char* const own = is_open_mpi ? "OMPI_COMM_WORLD_SIZE" : "PMI_SIZE";
  setenv(is_open_mpi ? "PMI_SIZE" : "OMPI_COMM_WORLD_SIZE", "4", 1);
  setenv(own, "1", 1);
  says("its own launcher in a job of another", "", mpi::guard_after_init);
  unsetenv(own);
  setenv("MPIGLOT_GUARD", "off", 1);
  says("guards that are off", "", mpi::guard_after_init);
  unsetenv("MPIGLOT_GUARD");
  says("another launcher", "this job has 4 processes", mpi::guard_after_init);

  says("a call after MPI_Finalize", "MPI has been finalized", ask_rank);
  says("a start after MPI_Finalize", "cannot be started again", mpi::guard_before_init);
  if (failures == 0) std::puts("all guards are right");
  return failures;
}
