#include "conformance.hpp"

namespace {

const auto& world = mpi::comm_world;

}  // namespace

TEST(a_session_leads_to_a_communicator) {
  if constexpr (mpi::has_session_init) {
    mpi::session_handle session = mpi::session_init(mpi::info_null, mpi::errors_return);
    const int sets = mpi::session_get_num_psets(session, mpi::info_null);
    expect(sets >= 2);
    int found = 0;
    for (int i = 0; i < sets; ++i) {
      const std::string name = mpi::session_get_nth_pset(session, mpi::info_null, i);
      found += name == "mpi://WORLD" || name == "mpi://SELF" ? 1 : 0;
    }
    equal(found, 2);
    const mpi::unique_info described{mpi::session_get_pset_info(session, "mpi://WORLD")};
    equal(mpi::info_get(described, "mpi_size", 20).value_or(""), std::to_string(size()));
    const mpi::unique_info hints{mpi::session_get_info(session)};
    expect(mpi::info_get_nkeys(hints) >= 0);
    mpi::unique_group group{mpi::group_from_session_pset(session, "mpi://WORLD")};
    equal(mpi::group_size(group), size());
    {
      const mpi::unique_comm comm{
          mpi::comm_create_from_group(group, "sessions", mpi::info_null, mpi::errors_return)};
      int sum = 0;
      const int one = 1;
      mpi::allreduce(&one, &sum, 1, mpi::int_, mpi::sum, comm);
      equal(sum, size());
    }
    if constexpr (mpi::has_session_c2f)
      expect(mpi::session_f2c(mpi::session_c2f(session)) == session);
    refused([&] { return mpi::group_from_session_pset(session, "no such set"); },
            {MPI_ERR_ARG, MPI_ERR_OTHER, MPI_ERR_UNKNOWN});
    group = {};
    mpi::session_finalize(session);
    equal(session, mpi::session_handle{});
  }
}

TEST(sessions_call_their_error_handler) {
  if constexpr (mpi::has_session_init) {
    int seen = 0;
    mpi::errhandler_handle handler =
        mpi::session_create_errhandler([&seen](mpi::session_handle, int code) { seen = code; });
    mpi::session_handle session = mpi::session_init(mpi::info_null, mpi::errors_return);
    mpi::session_set_errhandler(session, handler);
    const auto [code, told] = mpi::nothrow::session_get_errhandler(session);  // null before
    succeeded(code);
    expect(told == handler);
    mpi::unique_errhandler again{told};
    mpi::session_call_errhandler(session, MPI_ERR_OTHER);
    equal(seen, MPI_ERR_OTHER);
    again = {};
    mpi::errhandler_free(handler);
    mpi::session_finalize(session);
  }
}

TEST(a_session_has_a_buffer_of_its_own) {
  if constexpr (mpi::has_session_attach_buffer) {
    both([](auto) {
      char room[2048];
      mpi::session_handle session = mpi::session_init(mpi::info_null, mpi::errors_return);
      mpi::session_attach_buffer(session, room, sizeof room);
      mpi::session_flush_buffer(session);
      mpi::request_handle request = mpi::session_iflush_buffer(session);
      mpi::wait(request);
      const auto detached = mpi::session_detach_buffer(session);
      expect(detached.buffer_addr == room);
      equal(detached.size, mpi::count_t{sizeof room});
      mpi::session_finalize(session);
    });
  }
}

// An extension of Open MPI.
TEST(a_session_is_given_information) {
  if constexpr (mpi::has_session_set_info) {
    mpi::session_handle session = mpi::session_init(mpi::info_null, mpi::errors_return);
    const mpi::unique_info info{mpi::info_create()};
    mpi::info_set(info, "mpiglot", "a word");
    mpi::session_set_info(session, info);
    const mpi::unique_info used{mpi::session_get_info(session)};
    equal(mpi::info_get(used, "mpiglot", 63).value_or(""), std::string("a word"));
    mpi::session_finalize(session);
  }
}

TEST(the_standard_abi_is_described) {
  if constexpr (mpi::has_abi_get_version) {
    const auto version = mpi::abi_get_version();
    expect(version.abi_major >= 1 || version.abi_major == -1);
    const mpi::unique_info info{mpi::abi_get_info()};
    expect(mpi::info_get_nkeys(info) >= 0);
    mpi::unique_info fortran{mpi::abi_get_fortran_info()};
    int yes = 0;
    int no = 0;
    const bool known = mpi::abi_get_fortran_booleans(sizeof yes, &yes, &no);
    // They can be set where the MPI has none, which is built without a Fortran compiler.
    if (known) {
      int other = 7;
      static_cast<void>(
          class_of([&] { mpi::abi_set_fortran_booleans(sizeof other, &other, &other); }));
      expect(mpi::abi_get_fortran_booleans(sizeof other, &other, &no));
      equal(other, yes);
    }
    if (fortran) static_cast<void>(class_of([&] { mpi::abi_set_fortran_info(fortran.get()); }));
  }
  static_cast<void>(world);
}
