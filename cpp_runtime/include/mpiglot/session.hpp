// Sessions: MPI without MPI_Init, for libraries that are independent of the main program. MPI-4.1,
// section 11.3.
//
//   session mine;
//   communicator comm = mine.communicator("mpi://WORLD", "org.example.solver");

#pragma once

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/group.hpp>
#include <mpiglot/info.hpp>
#include <mpiglot/mpi/environment.hpp>
#include <mpiglot/mpi/sessions.hpp>
#include <string>
#include <vector>

namespace mpiglot {

/// A session, owned or borrowed. The destructor finalises an owned session. Both initialisation and
/// finalisation are local, but finalisation may wait for other processes. All objects made from the
/// session must be destroyed before it, so declare it first. Errors are thrown. If this MPI has no
/// sessions (`mpi::has_session_init`), the constructor throws `mpi::unavailable`.
class session : public detail::held<mpi::session_handle> {
 public:
  explicit session(mpi::thread_level required = mpi::thread_level::single)
      : session(required, info()) {}
  session(mpi::thread_level required, const info& hints) : held(start(required, hints)) { own(); }
  using held::held;

  /// The names of the process sets: "mpi://WORLD", "mpi://SELF" and those that the launcher
  /// defines.
  [[nodiscard]] std::vector<std::string> process_sets() const {
    std::vector<std::string> names;
    for (int i = 0, n = mpi::session_get_num_psets(handle(), mpi::info_null); i < n; ++i)
      names.push_back(mpi::session_get_nth_pset(handle(), mpi::info_null, i));
    return names;
  }
  /// The properties of a process set ("mpi_size", ...).
  [[nodiscard]] info about(mpi::text process_set) const {
    return info(mpi::unique_info(mpi::session_get_pset_info(handle(), process_set)));
  }
  /// The group of a process set, such as `mpi://WORLD`. Local.
  [[nodiscard]] mpiglot::group group(mpi::text process_set) const {
    return mpiglot::group(mpi::unique_group(mpi::group_from_session_pset(handle(), process_set)));
  }
  /// Creates a communicator of a process set. Its errors are thrown. `tag` distinguishes
  /// communicators that are created at the same time. Throws `mpi::unavailable` where this library
  /// cannot do without MPI_Init: one process on MPICH 4.0 and 4.1. Collective over the set.
  template <class Communicator = mpiglot::communicator>
  [[nodiscard]] Communicator communicator(mpi::text process_set, mpi::text tag) const {
    if (const char* const defect = detail::library_defect("session-alone-crashes");
        defect != nullptr && !mpi::initialized() && group("mpi://WORLD").size() == 1)
      detail::refuse_defect("session::communicator", defect);
    const mpiglot::group members = group(process_set);
    return Communicator(mpi::unique_comm(
        mpi::comm_create_from_group(members, tag, mpi::info_null, mpi::errors_return)));
  }
  /// Finalises the session. Throws on error.
  void finalize() {
    mpi::session_handle ending = handle();
    static_cast<void>(forget());
    mpi::session_finalize(ending);
  }

 private:
  [[nodiscard]] static mpi::session_handle start(mpi::thread_level required, const info& given) {
    info hints = given.dup();
    hints.set("thread_level", name_of(required));
    return mpi::session_init(hints, mpi::errors_return);
  }
  [[nodiscard]] static const char* name_of(mpi::thread_level level) noexcept {
    switch (level) {
      case mpi::thread_level::single:
        break;
      case mpi::thread_level::funneled:
        return "MPI_THREAD_FUNNELED";
      case mpi::thread_level::serialized:
        return "MPI_THREAD_SERIALIZED";
      case mpi::thread_level::multiple:
        return "MPI_THREAD_MULTIPLE";
    }
    return "MPI_THREAD_SINGLE";
  }
};

}  // namespace mpiglot
