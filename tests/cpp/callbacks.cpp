#include "check.hpp"

#include <vector>

namespace {

void c_maximum(void* in, void* inout, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i) {
    const int mine = static_cast<int*>(in)[i];
    int& best = static_cast<int*>(inout)[i];
    if (mine > best) best = mine;
  }
}

int reduced_by(mpi::op_handle op) {
  int value = check::rank() + 1;
  mpi::allreduce(mpi::in_place, &value, 1, mpi::int_, op, mpi::comm_world);
  return value;
}

}  // namespace

TEST(an_operation_keeps_what_it_captures) {
  int factor = 2;
  int calls = 0;
  mpi::unique_op op{mpi::op_create(
      [&calls, factor](const void* in, void* inout, int count, mpi::datatype_handle type) {
        check::expect(type.native == MPI_INT);
        for (int i = 0; i < count; ++i)
          static_cast<int*>(inout)[i] += factor * static_cast<const int*>(in)[i] -
                                         static_cast<const int*>(in)[i] * (factor - 1);
        ++calls;
      },
      true)};
  factor = 1000;  // a copy was captured
  check::equal(reduced_by(op), check::size() * (check::size() + 1) / 2);
}

TEST(an_operation_without_captures_takes_no_slot) {
  const std::size_t before = mpi::callback_slots_left<mpi::callbacks::user_function>();
  mpi::unique_op op{mpi::op_create(
      [](const void* in, void* inout, int count, mpi::datatype_handle) {
        for (int i = 0; i < count; ++i)
          static_cast<int*>(inout)[i] *= static_cast<const int*>(in)[i];
      },
      true)};
  int factorial = 1;
  for (int i = 2; i <= check::size(); ++i) factorial *= i;
  check::equal(reduced_by(op), factorial);
  check::equal(mpi::callback_slots_left<mpi::callbacks::user_function>(), before);
}

TEST(a_c_function_is_an_operation_as_it_is) {
  mpi::unique_op op{mpi::op_create(c_maximum, true)};
  check::equal(reduced_by(op), check::size());
}

TEST(a_freed_operation_still_runs_its_own_code) {
  int value = check::rank() + 1;
  int sum = 0;
  int offset = 0;
  mpi::op_handle op = mpi::op_create(
      [offset](const void* in, void* inout, int count, mpi::datatype_handle) {
        for (int i = 0; i < count; ++i)
          static_cast<int*>(inout)[i] += offset + static_cast<const int*>(in)[i];
      },
      true);
  mpi::request_handle request = mpi::iallreduce(&value, &sum, 1, mpi::int_, op, mpi::comm_world);
  mpi::op_free(op);
  offset = 1;
  mpi::unique_op other{mpi::op_create(
      [offset](const void*, void* inout, int count, mpi::datatype_handle) {
        for (int i = 0; i < count; ++i) static_cast<int*>(inout)[i] = -offset;
      },
      true)};
  mpi::wait(request);
  check::equal(sum, check::size() * (check::size() + 1) / 2);
}

TEST(an_error_handler_sees_communicator_and_code_even_when_freed) {
  mpi::unique_comm comm{mpi::comm_dup(mpi::comm_world)};
  MPI_Comm seen_comm = MPI_COMM_NULL;
  int seen_code = MPI_SUCCESS;
  {
    mpi::unique_errhandler handler{
        mpi::comm_create_errhandler([&](mpi::comm_handle failed, int code) {
          seen_comm = failed.native;
          seen_code = code;
        })};
    mpi::comm_set_errhandler(comm, handler);
  }
  const int value = 0;
  // What MPI_Send returns then differs: MPICH 5.0.2's ABI library says success.
  static_cast<void>(mpi::nothrow::send(&value, 1, mpi::int_, 9999, 0, comm));
  check::expect(seen_comm == comm.native);
  check::equal(mpi::error_class_(seen_code), MPI_ERR_RANK);
}

TEST(a_generalized_request_is_asked_and_freed) {
  int asked = 0;
  int freed = 0;
  mpi::request_handle request = mpi::grequest_start(
      [&asked](mpi::status& status) {
        ++asked;
        mpi::status_set_elements(status, mpi::int_, 3);
        mpi::status_set_cancelled(status, false);
        status.native.MPI_SOURCE = MPI_UNDEFINED;
        status.native.MPI_TAG = 12;
      },
      [&freed]() { ++freed; }, [](int) {});
  check::expect(!mpi::test(request));
  mpi::grequest_complete(request);
  mpi::status status;
  mpi::wait(request, status);
  check::equal(asked, 1);
  check::equal(freed, 1);
  check::equal(status.tag(), 12);
  check::equal(mpi::get_count(status, mpi::int_), mpi::count_t{3});
}

TEST(what_a_generalized_request_captures_ends_with_it) {
  static int alive;
  alive = 0;
  struct witness {
    witness() { ++alive; }
    witness(const witness&) { ++alive; }
    witness(witness&&) noexcept { ++alive; }
    ~witness() { --alive; }
  };
  mpi::request_handle request = mpi::grequest_start(
      [seen = witness()](mpi::status& status) {
        static_cast<void>(seen);
        mpi::status_set_elements(status, mpi::int_, 0);
        mpi::status_set_cancelled(status, false);
      },
      [] {}, [](int) {});
  check::equal(alive, 1);
  mpi::grequest_complete(request);
  mpi::wait(request);
  check::equal(alive, 0);
}

TEST(a_generalized_request_is_asked_how_far_it_is) {
  if constexpr (mpi::has_mpix_grequest_start) {
    int polls = 0;
    mpi::request_handle request{};
    request = mpi::mpix_grequest_start(
        [](mpi::status& status) {
          mpi::status_set_elements(status, mpi::int_, 2);
          mpi::status_set_cancelled(status, false);
        },
        [] {}, [](int) {},
        [&polls, &request](mpi::status&) {
          if (++polls == 3) mpi::grequest_complete(request);
        },
        [](auto&&...) {});
    mpi::status status;
    while (!mpi::test(request, status)) {
    }
    check::equal(polls, 3);
    check::equal(mpi::get_count(status, mpi::int_), mpi::count_t{2});
  }
}

TEST(thousands_of_freed_operations_run_their_own_code) {
  constexpr int many = 2000;
  std::vector<int> sums(many, 0);
  std::vector<mpi::request_handle> requests;
  const int value = 1;
  for (int i = 0; i < many; ++i) {
    mpi::op_handle op = mpi::op_create(
        [i](const void* in, void* inout, int, mpi::datatype_handle) {
          *static_cast<int*>(inout) += *static_cast<const int*>(in) + i;
        },
        true);
    requests.push_back(mpi::iallreduce(&value, &sums[static_cast<std::size_t>(i)], 1, mpi::int_, op,
                                       mpi::comm_world));
    mpi::op_free(op);
  }
  mpi::waitall(requests);
  for (int i = 0; i < many; ++i)
    check::equal(sums[static_cast<std::size_t>(i)], check::size() + i * (check::size() - 1));
}

TEST(thousands_of_freed_error_handlers_run_their_own_code) {
  constexpr int many = 2000;
  mpi::unique_comm comm{mpi::comm_dup(mpi::comm_self)};
  int seen = -1;
  for (int i = 0; i < many; ++i) {
    mpi::errhandler_handle handler =
        mpi::comm_create_errhandler([&seen, i](mpi::comm_handle, int) { seen = i; });
    mpi::comm_set_errhandler(comm, handler);
    mpi::errhandler_free(handler);
    static_cast<void>(mpi::nothrow::comm_call_errhandler(comm, MPI_ERR_OTHER));
    check::equal(seen, i);
  }
}

TEST(a_null_function_is_refused_with_a_class) {
  MPI_User_function* const none = nullptr;
  const auto error = check::thrown_by([&] { static_cast<void>(mpi::op_create(none, true)); });
  check::expect(error.error_class() == mpi::error_class::arg);
  check::equal(mpi::nothrow::comm_create_errhandler(nullptr).code, MPI_ERR_ARG);
}
