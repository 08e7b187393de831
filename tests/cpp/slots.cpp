// Slots of callables with captures are taken again when MPI can no longer call them, and not before.
// Compiled with few slots. MPIGLOT_TEST_ROUNDS says how often something is made and freed.

#include "check.hpp"

#include <string>
#include <vector>

namespace {

constexpr int more_than_slots = 2 * MPIGLOT_CALLBACK_SLOTS;

int rounds() {
  const char* const told = std::getenv("MPIGLOT_TEST_ROUNDS");
  return told != nullptr ? std::atoi(told) : more_than_slots;
}

int alive = 0;

// Counts the callables that have not ended.
struct witness {
  witness() { ++alive; }
  witness(const witness&) { ++alive; }
  witness(witness&&) noexcept { ++alive; }
  ~witness() { --alive; }
};

auto adding(int& calls) {
  return [&calls, seen = witness()](const void* in, void* inout, int count, mpi::datatype_handle) {
    static_cast<void>(seen);
    for (int i = 0; i < count; ++i) static_cast<int*>(inout)[i] += static_cast<const int*>(in)[i];
    ++calls;
  };
}

mpi::op_handle addition(int& calls) { return mpi::op_create(adding(calls), true); }

// Others that would do harm if they had the slot.
void take_all_slots_of_operations() {
  for (int i = 0; i < more_than_slots; ++i) {
    mpi::op_handle op =
        mpi::op_create([i](const void*, void* inout, int,
                           mpi::datatype_handle) { *static_cast<int*>(inout) = -1000 - i; },
                       true);
    mpi::op_free(op);
  }
}

void take_all_slots_of_error_handlers() {
  for (int i = 0; i < more_than_slots; ++i) {
    mpi::errhandler_handle handler = mpi::comm_create_errhandler([i](mpi::comm_handle, int) {
      check::fail("error handler " + std::to_string(i) + " was called",
                  std::source_location::current());
    });
    mpi::errhandler_free(handler);
  }
}

mpi::errhandler_handle counting(int& errors) {
  return mpi::comm_create_errhandler(
      [&errors, seen = witness()](mpi::comm_handle, int) { static_cast<void>(seen), ++errors; });
}

// Communicators that are made before the first error handler may have requests that nobody noted.
void make_one_error_handler() {
  int errors = 0;
  mpi::errhandler_handle handler = counting(errors);
  mpi::errhandler_free(handler);
  check::equal(alive, 0);
}

void cause_error_on(mpi::comm_handle comm) {
  const int value = 0;
  static_cast<void>(mpi::nothrow::send(&value, 1, mpi::int_, 9999, 0, comm));
}

void reduce_in_all_ways(mpi::op_handle op, mpi::comm_handle comm) {
  const int size = mpi::comm_size(comm);
  const int two = 2;
  int sum = 0;
  mpi::allreduce(&two, &sum, 1, mpi::int_, op, comm);
  check::equal(sum, 2 * size);

  sum = 0;
  mpi::request_handle request = mpi::iallreduce(&two, &sum, 1, mpi::int_, op, comm);
  mpi::wait(request);
  check::equal(sum, 2 * size);

  if constexpr (mpi::has_allreduce_init) {
    request = mpi::allreduce_init(&two, &sum, 1, mpi::int_, op, comm, mpi::info_null);
    for (int i = 0; i < 2; ++i) {
      sum = 0;
      mpi::start(request);
      mpi::wait(request);
      check::equal(sum, 2 * size);
    }
    mpi::request_free(request);
  }
  mpi::reduce_local(&two, &sum, 1, mpi::int_, op);
  check::equal(sum, 2 * size + 2);
}

}  // namespace

TEST(an_operation_ends_when_it_was_used_and_freed) {
  for (int i = 0; i < rounds(); ++i) {
    int calls = 0;
    mpi::op_handle op = addition(calls);
    check::equal(alive, 1);
    reduce_in_all_ways(op, i % 50 == 0 ? mpi::comm_handle(mpi::comm_world) : mpi::comm_self);
    check::expect(calls > 0);
    check::equal(alive, 1);
    mpi::op_free(op);
    check::equal(alive, 0);
  }
  int calls = 0;
  {
    const mpi::unique_op op{addition(calls)};
    check::equal(alive, 1);
  }
  check::equal(alive, 0);
}

TEST(an_operation_that_is_freed_under_a_reduction_stays_until_that_is_complete) {
  using end = void (*)(std::vector<mpi::request_handle>&);
  const end ends[] = {
      [](auto& all) { mpi::wait(all[0]); },
      [](auto& all) {
        while (!mpi::test(all[0])) {
        }
      },
      [](auto& all) { mpi::waitall(all); },
      [](auto& all) {
        while (!mpi::testall(all)) {
        }
      },
      [](auto& all) { check::equal(mpi::waitany(all), 0); },
      [](auto& all) {
        while (!mpi::testany(all)) {
        }
      },
      [](auto& all) {
        std::vector<int> indices(all.size());
        check::equal(mpi::waitsome(all, indices), 1);
      },
      [](auto& all) {
        std::vector<int> indices(all.size());
        while (mpi::testsome(all, indices) < 1) {
        }
      },
  };
  constexpr int tag = 77;
  for (const end complete : ends) {
    int nothing = 0;
    if (check::rank() > 0)  // the others come late
      mpi::recv(&nothing, 1, mpi::int_, 0, tag, mpi::comm_world);
    const int mine = check::rank() + 1;
    int sum = 0;
    int calls = 0;
    mpi::op_handle op = addition(calls);
    std::vector<mpi::request_handle> requests{
        mpi::iallreduce(&mine, &sum, 1, mpi::int_, op, mpi::comm_world), mpi::request_handle{}};
    mpi::op_free(op);
    check::equal(alive, 1);
    if (check::rank() == 0) {
      take_all_slots_of_operations();
      for (int to = 1; to < check::size(); ++to)
        mpi::send(&nothing, 1, mpi::int_, to, tag, mpi::comm_world);
    }
    check::equal(alive, 1);
    complete(requests);
    check::expect(!requests[0]);
    check::equal(alive, 0);
    check::equal(sum, check::size() * (check::size() + 1) / 2);
  }
}

// (It is not started after that: Open MPI 4.1 does not keep the operation and crashes, in C too.)
TEST(a_persistent_reduction_holds_its_operation_until_its_request_is_freed) {
  if constexpr (mpi::has_allreduce_init) {
    const int two = 2;
    int sum = 0;
    int calls = 0;
    mpi::op_handle op = addition(calls);
    {
      mpi::unique_request request{
          mpi::allreduce_init(&two, &sum, 1, mpi::int_, op, mpi::comm_world, mpi::info_null)};
      mpi::start(request);
      mpi::wait(request);
      check::equal(sum, 2 * check::size());
      mpi::op_free(op);
      check::equal(alive, 1);
    }
    check::equal(alive, 0);
  }
}

TEST(an_error_handler_ends_with_the_last_object_that_has_it) {
  make_one_error_handler();
  for (int i = 0; i < rounds(); ++i) {
    int errors = 0;
    mpi::unique_comm comm{mpi::comm_dup(mpi::comm_self)};
    mpi::errhandler_handle handler = counting(errors);
    mpi::comm_set_errhandler(comm, handler);
    mpi::errhandler_free(handler);
    check::equal(alive, 1);
    mpi::comm_handle copy = mpi::comm_dup(comm);
    if (i % 2 == 0)
      comm.reset();
    else
      mpi::comm_set_errhandler(comm, mpi::errors_return);
    check::equal(alive, 1);
    if (i == 0) take_all_slots_of_error_handlers();
    cause_error_on(copy);
    check::equal(errors, 1);

    mpi::errhandler_handle asked = mpi::comm_get_errhandler(copy);
    mpi::comm_free(copy);
    check::equal(alive, 1);
    if (i == 0) take_all_slots_of_error_handlers();
    mpi::errhandler_handle again = asked;
    if (i % 2 == 0) {
      mpi::comm_set_errhandler(mpi::comm_self, asked);
      mpi::errhandler_free(asked);
      check::equal(alive, 1);
      again = mpi::comm_get_errhandler(mpi::comm_self);
      mpi::comm_set_errhandler(mpi::comm_self, mpi::errors_return);
    }
    check::equal(alive, 1);
    mpi::errhandler_free(again);
    check::equal(alive, 0);
  }
}

TEST(a_request_holds_the_error_handler_of_its_communicator) {
  make_one_error_handler();
  for (const bool late : {false, true}) {
    int errors = 0;
    mpi::comm_handle comm = mpi::comm_dup(mpi::comm_self);
    mpi::errhandler_handle handler = counting(errors);
    if (!late) mpi::comm_set_errhandler(comm, handler);
    int value = 0;
    const int five = 5;
    mpi::request_handle request = mpi::irecv(&value, 1, mpi::int_, 0, 1, comm);
    if (late) mpi::comm_set_errhandler(comm, handler);
    mpi::errhandler_free(handler);
    mpi::send(&five, 1, mpi::int_, 0, 1, comm);
    mpi::comm_free(comm);
    check::equal(alive, 1);
    take_all_slots_of_error_handlers();
    mpi::wait(request);
    check::equal(value, 5);
    check::equal(alive, 0);
    check::equal(errors, 0);
  }
}

TEST(what_nobody_can_tell_of_holds_for_ever) {
  int errors = 0;
  const int before = alive;
  {
    mpi::comm_handle comm{};  // made by C: who knows what is pending
    MPI_Comm_dup(MPI_COMM_SELF, &comm.native);
    mpi::errhandler_handle handler = counting(errors);
    mpi::comm_set_errhandler(comm, handler);
    mpi::errhandler_free(handler);
    mpi::comm_free(comm);
    check::equal(alive, before + 1);
  }
  {
    mpi::comm_handle comm = mpi::comm_dup(mpi::comm_self);
    mpi::errhandler_handle handler = counting(errors);
    mpi::comm_set_errhandler(comm, handler);
    mpi::errhandler_free(handler);
    static int value = 0;
    const int five = 5;
    mpi::request_handle request = mpi::irecv(&value, 1, mpi::int_, 0, 1, comm);
    mpi::request_free(request);  // while it is pending
    mpi::send(&five, 1, mpi::int_, 0, 1, comm);
    mpi::comm_free(comm);
    check::equal(alive, before + 2);
  }
  alive = before;
}

TEST(a_request_that_is_freed_when_it_is_complete_holds_nothing) {
  make_one_error_handler();
  int errors = 0;
  mpi::comm_handle comm = mpi::comm_dup(mpi::comm_self);
  mpi::errhandler_handle handler = counting(errors);
  mpi::comm_set_errhandler(comm, handler);
  mpi::errhandler_free(handler);
  int value = 0;
  const int five = 5;
  mpi::request_handle request = mpi::irecv(&value, 1, mpi::int_, 0, 1, comm);
  mpi::send(&five, 1, mpi::int_, 0, 1, comm);
  while (!mpi::request_get_status(request)) {
  }
  mpi::request_free(request);
  mpi::comm_free(comm);
  check::equal(alive, 0);
}

TEST(an_error_handler_may_take_itself_away) {
  make_one_error_handler();
  mpi::unique_comm comm{mpi::comm_dup(mpi::comm_self)};
  bool there = false;
  mpi::errhandler_handle handler =
      mpi::comm_create_errhandler([&there, seen = witness()](mpi::comm_handle failed, int) {
        static_cast<void>(seen);
        mpi::comm_set_errhandler(failed, mpi::errors_return);
        take_all_slots_of_error_handlers();
        there = alive == 1;
      });
  mpi::comm_set_errhandler(comm, handler);
  mpi::errhandler_free(handler);
  cause_error_on(comm);
  check::expect(there);
  check::equal(alive, 0);
}

TEST(windows_and_files_hold_their_error_handlers) {
  int errors = 0;
  if (check::size() > 1) {  // Open MPI 4.1 makes no window of one process, in C too
    int memory = 0;
    mpi::win_handle win =
        mpi::win_create(&memory, sizeof memory, sizeof memory, mpi::info_null, mpi::comm_world);
    for (int i = 0; i < more_than_slots; ++i) {
      mpi::errhandler_handle handler = mpi::win_create_errhandler(
          [&errors, seen = witness()](mpi::win_handle, int) { static_cast<void>(seen), ++errors; });
      mpi::win_set_errhandler(win, handler);
      mpi::errhandler_free(handler);
      check::equal(alive, 1);
    }
    static_cast<void>(mpi::nothrow::win_call_errhandler(win, MPI_ERR_OTHER));
    check::equal(errors, 1);
    mpi::win_free(win);
  }
  const int left = alive;  // the window may have been pending: it was not seen to be made
  check::expect(left <= 1);
  for (int i = 0; i < more_than_slots; ++i) {
    mpi::errhandler_handle handler = mpi::file_create_errhandler(
        [&errors, seen = witness()](mpi::file_handle, int) { static_cast<void>(seen), ++errors; });
    mpi::file_set_errhandler(mpi::file_null, handler);
    mpi::errhandler_free(handler);
    check::equal(alive, left + 1);
  }
  errors = 0;
  static_cast<void>(mpi::nothrow::file_open(mpi::comm_self, "/nowhere/at/all",
                                            mpi::access_mode::rdonly, mpi::info_null));
  check::equal(errors, 1);
  mpi::file_set_errhandler(mpi::file_null, mpi::errors_return);
  check::equal(alive, left);
  alive = 0;
}

TEST(running_out_of_slots_is_an_error_until_one_is_free) {
  int calls = 0;
  std::vector<mpi::unique_op> all;
  while (mpi::callback_slots_left<mpi::callbacks::user_function>() > 0)
    all.emplace_back(addition(calls));
  const auto error = check::thrown_by<mpi::callback_limit>([&] { addition(calls); });
  check::expect(error.error_class() == mpi::error_class::no_mem);
  check::equal(std::string(error.function()), "MPI_Op_create");
  all.pop_back();
  check::equal(mpi::callback_slots_left<mpi::callbacks::user_function>(), std::size_t{1});
  all.emplace_back(addition(calls));
  reduce_in_all_ways(all.back(), mpi::comm_self);
  all.clear();
  check::equal(alive, 0);
}
