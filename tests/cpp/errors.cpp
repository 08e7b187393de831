#include "check.hpp"

#include <type_traits>

static_assert(std::is_base_of_v<std::exception, mpi::error>);
static_assert(std::is_base_of_v<mpi::error, mpi::unavailable>);
static_assert(std::is_nothrow_copy_constructible_v<mpi::error>);

TEST(a_wrong_rank_is_an_error_with_class_function_and_message) {
  const int value = 0;
  const auto error =
      check::thrown_by([&] { mpi::send(&value, 1, mpi::int_, 9999, 0, mpi::comm_world); });
  check::expect(error.error_class() == mpi::error_class::rank);
  check::equal(mpi::error_class_(error.code()), MPI_ERR_RANK);
  check::equal(std::string(error.function()), "MPI_Send");
  check::equal(std::string(error.message()), mpi::error_string(error.code()));
  check::equal(std::string(error.what()), "MPI_Send: " + mpi::error_string(error.code()));
}

TEST(without_exceptions_the_code_comes_back) {
  const int value = 0;
  const auto outcome = mpi::nothrow::send(&value, 1, mpi::int_, 9999, 0, mpi::comm_world);
  check::expect(!outcome.ok());
  check::equal(mpi::error_class_(outcome.code), MPI_ERR_RANK);
  const auto good = mpi::nothrow::comm_size(mpi::comm_world);
  check::expect(good.ok());
  check::equal(good.value, check::size());
}

TEST(a_truncated_message_is_an_error_whose_status_is_valid) {
  if (check::size() < 2) return;  // after one to itself Intel MPI 2021.14 may hang
  const int next = (check::rank() + 1) % check::size();
  const int previous = (check::rank() + check::size() - 1) % check::size();
  const int sent[3] = {1, 2, 3};
  int received = 0;
  mpi::request_handle departure = mpi::isend(sent, 3, mpi::int_, next, 4, mpi::comm_world);
  mpi::status status;
  const auto outcome =
      mpi::nothrow::recv(&received, 1, mpi::int_, previous, 4, mpi::comm_world, status);
  check::equal(mpi::error_class_(outcome.code), MPI_ERR_TRUNCATE);
  check::equal(status.source(), previous);
  check::equal(status.tag(), 4);
  static_cast<void>(mpi::nothrow::wait(departure));
}

TEST(an_error_of_completion_says_which_request_it_was) {
  if (check::size() < 2) return;
  const int next = (check::rank() + 1) % check::size();
  const int previous = (check::rank() + check::size() - 1) % check::size();
  const int sent[3] = {1, 2, 3};
  int received = 0;
  mpi::request_handle departure = mpi::isend(sent, 3, mpi::int_, next, 15, mpi::comm_world);
  mpi::probe(previous, 15, mpi::comm_world);
  mpi::request_handle requests[2] = {
      {}, mpi::irecv(&received, 1, mpi::int_, previous, 15, mpi::comm_world)};
  mpi::status status;
  const auto error = check::thrown_by<mpi::error_with<int>>(
      [&] { static_cast<void>(mpi::waitany(requests, status)); });
  check::expect(error.error_class() == mpi::error_class::truncate);
  check::equal(error.value(), 1);
  check::equal(status.source(), previous);
  static_cast<void>(mpi::nothrow::wait(departure));
}

TEST(an_error_in_a_status_is_told_by_the_status) {
  if (check::size() < 2) return;  // from a neighbour, which one process alone has not
  const int next = (check::rank() + 1) % check::size();
  const int previous = (check::rank() + check::size() - 1) % check::size();
  const int sent[3] = {1, 2, 3};
  int received = 0;
  mpi::request_handle departure = mpi::isend(sent, 3, mpi::int_, next, 14, mpi::comm_world);
  mpi::probe(previous, 14, mpi::comm_world);
  mpi::request_handle requests[2] = {
      {}, mpi::irecv(&received, 1, mpi::int_, previous, 14, mpi::comm_world)};
  mpi::status statuses[2];
  const auto error = check::thrown_by([&] { mpi::waitall(requests, statuses); });
  check::expect(error.error_class() == mpi::error_class::in_status);
  check::equal(mpi::error_class_(statuses[1].error()), MPI_ERR_TRUNCATE);
  static_cast<void>(mpi::nothrow::wait(departure));
}

TEST(a_function_that_is_missing_says_what_it_needs) {
  const auto make = [] {
    return mpi::session_init(mpi::info_null, mpi::errhandler_handle{MPI_ERRORS_RETURN});
  };
  if constexpr (mpi::has_session_init) {
    mpi::session_handle session = make();
    mpi::session_finalize(session);
  } else {
    const auto error = check::thrown_by<mpi::unavailable>(make);
    check::equal(std::string(error.function()), "MPI_Session_init");
    check::equal(std::string(error.needs()), "MPI 4.0");
    check::expect(error.error_class() == mpi::error_class::unsupported_operation);
    check::expect(std::string(error.what()).find("MPI 4.0") != std::string::npos);
    check::equal(mpi::nothrow::session_init(mpi::info_handle{}, mpi::errhandler_handle{}).code,
                 MPI_ERR_UNSUPPORTED_OPERATION);
  }
}

TEST(an_error_class_of_ones_own_has_its_text) {
  const int error_class = mpi::add_error_class();
  const int code = mpi::add_error_code(error_class);
  mpi::add_error_string(code, "the tea is cold");
  check::equal(mpi::error_class_(code), error_class);
  check::equal(mpi::error_string(code), "the tea is cold");
}

TEST(a_session_explains_its_errors) {
  if constexpr (mpi::has_session_init) {
    mpi::session_handle session =
        mpi::session_init(mpi::info_null, mpi::errhandler_handle(mpi::errors_return));
    const auto error = check::thrown_by(
        [&] { static_cast<void>(mpi::group_from_session_pset(session, "no such set")); });
    check::expect(*error.message() != '\0');
    mpi::session_finalize(session);
  }
}
