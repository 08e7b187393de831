// Generalized requests, Fortran's handles, deprecated functions.

#include "conformance.hpp"

#include <array>

namespace {

const auto& world = mpi::comm_world;

// A handle through Fortran's INTEGER and back, and through the standard ABI's integer.
#define ROUND_TRIP(name, handle)                                                      \
  do {                                                                                \
    const auto there = handle;                                                        \
    if constexpr (CAN_CONVERT(name##_c2f))                                            \
      expect(mpi::name##_f2c(mpi::name##_c2f(there)) == there, #name "_c2f");         \
    if constexpr (mpi::has_##name##_toint)                                            \
      expect(mpi::name##_fromint(mpi::name##_toint(there)) == there, #name "_toint"); \
  } while (false)
#define CAN_CONVERT(name) (mpi::has_##name)

}  // namespace

TEST(a_request_of_the_program_is_asked_freed_and_cancelled) {
  int asked = 0, freed = 0, cancelled = 0;
  const auto query = [&](mpi::status& status) {
    ++asked;
    mpi::status_set_elements(status, mpi::int_, 3);
    mpi::status_set_cancelled(status, cancelled != 0);
    status.native.MPI_SOURCE = MPI_UNDEFINED;
    status.native.MPI_TAG = 12;
  };
  for (const bool cancel : {false, true}) {
    mpi::request_handle request =
        mpi::grequest_start(query, [&freed] { ++freed; }, [&cancelled](int) { ++cancelled; });
    expect(!mpi::test(request));
    if (cancel) mpi::cancel(request);
    mpi::grequest_complete(request);
    mpi::status status;
    mpi::wait(request, status);
    equal(status.tag(), 12);
    equal(mpi::get_count(status, mpi::int_), mpi::count_t{3});
    equal(mpi::test_cancelled(status), cancel);
  }
  expect(asked >= 2);
  equal(freed, 2);
  equal(cancelled, 1);
}

TEST(handles_go_to_fortran_and_back) {
  ROUND_TRIP(comm, mpi::comm_handle(world));
  ROUND_TRIP(type, mpi::datatype_handle(mpi::int_));
  ROUND_TRIP(op, mpi::op_handle(mpi::sum));
  ROUND_TRIP(errhandler, mpi::errhandler_handle(mpi::errors_return));
  ROUND_TRIP(message, mpi::message_handle(mpi::message_no_proc));
  ROUND_TRIP(request, mpi::request_handle{});
  ROUND_TRIP(file, mpi::file_handle{});
  ROUND_TRIP(session, mpi::session_handle{});
  ROUND_TRIP(group, mpi::group_handle(mpi::group_empty));
  ROUND_TRIP(info, mpi::info_handle{});
  ROUND_TRIP(win, mpi::win_handle{});
  if (without("toint-of-made-handles")) return;
  const mpi::unique_group group{mpi::comm_group(world)};
  ROUND_TRIP(group, group.get());
  const mpi::unique_info info{mpi::info_create()};
  ROUND_TRIP(info, info.get());
  const mpi::unique_win win{mpi::win_create_dynamic(mpi::info_null, world)};
  ROUND_TRIP(win, win.get());
}

TEST(statuses_go_to_fortran_and_back) {
  if constexpr (mpi::has_status_c2f) {
    mpi::status status;
    mpi::status_set_elements(status, mpi::int_, 5);
    status.native.MPI_SOURCE = 3;
    status.native.MPI_TAG = 4;
    std::array<mpi::fint_t, sizeof(MPI_Status) / sizeof(mpi::fint_t)> fortran{};
    mpi::status back;
    mpi::status_c2f(status, fortran);
    mpi::status_f2c(fortran, back);
    equal(back.source(), 3);
    equal(back.tag(), 4);
    equal(mpi::get_count(back, mpi::int_), mpi::count_t{5});
  }
}

namespace {

template <class Modern>
Modern fortran_status(void (*)(const mpi::status&, Modern*));

template <class Modern>
void through_fortran_2008() {
  if constexpr (mpi::has_status_c2f08) {
    mpi::status status;
    status.native.MPI_SOURCE = 3;
    status.native.MPI_TAG = 4;
    Modern modern{};
    std::array<mpi::fint_t, sizeof(MPI_Status) / sizeof(mpi::fint_t)> fortran{};
    mpi::status back;
    mpi::status_c2f08(status, &modern);
    mpi::status_f082c(&modern, back);
    equal(back.tag(), 4);
    mpi::status_f082f(&modern, fortran);
    modern = {};
    mpi::status_f2f08(fortran, &modern);
    mpi::status_f082c(&modern, back);
    equal(back.source(), 3);
  }
}

}  // namespace

TEST(statuses_go_to_fortran_2008_and_back) {
  through_fortran_2008<decltype(fortran_status(&mpi::status_c2f08))>();
}

TEST(deprecated_attributes_still_work) {
  if constexpr (!mpi::has_keyval_create) return;
  int key = mpi::keyval_create(mpi::null_copy_fn, mpi::null_delete_fn);
  mpi::unique_comm copy{mpi::comm_dup(world)};
  int value = 3;
  mpi::attr_put(copy, key, &value);
  expect(mpi::attr_get(copy, key) == std::optional<void*>(&value));
  mpi::attr_delete(copy, key);
  expect(!mpi::attr_get(copy, key));
  mpi::keyval_free(key);
  equal(key, mpi::keyval_invalid);
}
