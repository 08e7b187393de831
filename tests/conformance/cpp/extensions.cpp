// What MPIs have beside the standard (MPIX_).

#include "conformance.hpp"

#include <array>
#include <cstdint>

namespace {

const auto& world = mpi::comm_world;

[[maybe_unused]] int right() { return (rank() + 1) % size(); }
[[maybe_unused]] int left() { return (rank() + size() - 1) % size(); }

}  // namespace

TEST(accelerators_are_asked_for) {
  if constexpr (mpi::has_mpix_query_cuda_support)
    if (!without("query-cuda-support-asserts")) equal(mpi::mpix_query_cuda_support(), 0);
  if constexpr (mpi::has_mpix_query_hip_support) equal(mpi::mpix_query_hip_support(), 0);
  if constexpr (mpi::has_mpix_query_rocm_support) equal(mpi::mpix_query_rocm_support(), 0);
  if constexpr (mpi::has_mpix_query_ze_support) equal(mpi::mpix_query_ze_support(), 0);
  if constexpr (mpi::has_mpix_gpu_query_support) {
#ifdef MPIX_GPU_SUPPORT_CUDA
    const int kind = MPIX_GPU_SUPPORT_CUDA;
#else
    const int kind = 0;  // Intel MPI's ABI header has the function without the constants
#endif
    expect(!mpi::mpix_gpu_query_support(kind));
  }
}

TEST(no_process_has_failed) {
  if constexpr (mpi::has_mpix_comm_get_failed) {
    const mpi::unique_group gone{mpi::mpix_comm_get_failed(world)};
    equal(mpi::group_size(gone), 0);
  }
}

TEST(a_communicator_without_failures_survives) {
  if constexpr (mpi::has_mpix_comm_agree) {
    if (defect("no-fault-tolerance")) return;
    mpi::unique_comm comm{mpi::comm_dup(world)};
    int flag = 6 | (rank() == 0 ? 1 : 8);
    if (!without("no-agreement")) {
      mpi::mpix_comm_agree(comm, flag);
      equal(flag, size() == 1 ? 7 : 6);
    }
    mpi::mpix_comm_failure_ack(comm);
    const mpi::unique_group failed{mpi::mpix_comm_failure_get_acked(comm)};
    if (failed) equal(mpi::group_size(failed), 0);  // Intel MPI says MPI_GROUP_NULL
    if constexpr (mpi::has_mpix_comm_iagree) {
      mpi::request_handle request = mpi::mpix_comm_iagree(comm, &flag);
      mpi::wait(request);
      equal(mpi::mpix_comm_ack_failed(comm, 0), 0);
    }
    if (!known("no-agreement")) {
      const mpi::unique_comm rest{mpi::mpix_comm_shrink(comm)};
      equal(mpi::comm_size(rest), size());
    }
    mpi::barrier(world);
    if constexpr (mpi::has_mpix_comm_is_revoked) expect(!mpi::mpix_comm_is_revoked(comm));
    if (rank() == 0) mpi::mpix_comm_revoke(comm);
    if (rank() == 0)
      if constexpr (mpi::has_mpix_comm_is_revoked) expect(mpi::mpix_comm_is_revoked(comm));
    mpi::barrier(world);
  }
}

TEST(requests_of_the_program_are_polled) {
  if constexpr (mpi::has_mpix_grequest_start) {
    int polled = 0;
    mpi::request_handle request{};
    const auto query = [](mpi::status& status) {
      mpi::status_set_elements(status, mpi::int_, 1);
      mpi::status_set_cancelled(status, false);
      status.native.MPI_SOURCE = MPI_UNDEFINED;
      status.native.MPI_TAG = 7;
    };
    static mpi::request_handle* pending;
    static int* count;
    pending = &request;
    count = &polled;
    request = mpi::mpix_grequest_start(
        query, [] {}, [](int) {},
        [](mpi::status&) {
          if (++*count == 2) mpi::grequest_complete(*pending);
        },
        [](int, void**, double, mpi::status&) {
          if (*count < 2) mpi::grequest_complete(*pending);
          *count = 2;
        });
    mpi::status status;
    mpi::request_handle waited = request;
    while (!mpi::test(waited, status)) {
    }
    equal(status.tag(), 7);
    equal(polled, 2);
  }
}

namespace {

// Types that only some headers have, told by the functions that take them.
template <class Class>
Class class_of_requests(mpi::request_handle (*)(Class, void*));
template <class Piece>
Piece piece_of_memory(mpi::count_t (*)(mpi::datatype_handle, mpi::count_t, Piece*, mpi::count_t));

template <class Class>
void class_is_made() {
  if constexpr (mpi::has_mpix_grequest_class_create) {
    static mpi::request_handle pending;
    Class request_class{};
    mpi::mpix_grequest_class_create(
        [](mpi::status& status) {
          mpi::status_set_elements(status, mpi::int_, 1);
          mpi::status_set_cancelled(status, false);
          status.native.MPI_TAG = 8;
        },
        [] {}, [](int) {}, [](mpi::status&) { mpi::grequest_complete(pending); },
        [](int, void**, double, mpi::status&) { mpi::grequest_complete(pending); }, &request_class);
    pending = mpi::mpix_grequest_class_allocate(request_class, nullptr);
    mpi::request_handle waited = pending;
    mpi::status status;
    while (!mpi::test(waited, status)) {
    }
    equal(status.tag(), 8);
  }
}

template <class Piece>
void type_has_pieces() {
  if constexpr (mpi::has_mpix_type_iov) {
    mpi::unique_datatype type{mpi::type_vector(3, 1, 2, mpi::int_)};
    mpi::type_commit(type);
    const auto length = mpi::mpix_type_iov_len(type, mpi::type_size(type));
    equal(length.iov_len, mpi::count_t{3});
    equal(length.actual_iov_bytes, mpi::count_t{3 * sizeof(int)});
    std::array<Piece, 3> pieces{};
    equal(mpi::mpix_type_iov(type, 0, pieces.data(), 3), mpi::count_t{3});
    for (int i = 0; i < 3; ++i) {
      equal(reinterpret_cast<std::intptr_t>(pieces[at(i)].iov_base), std::intptr_t{8 * i});
      equal(pieces[at(i)].iov_len, MPI_Aint{sizeof(int)});
    }
  }
}

}  // namespace

TEST(classes_of_requests_are_made) {
  class_is_made<decltype(class_of_requests(&mpi::mpix_grequest_class_allocate))>();
}

TEST(error_handlers_with_state_are_called_and_forgotten) {
  if constexpr (mpi::has_mpix_comm_create_errhandler_x) {
    int seen = 0;
    const auto note = [&seen](auto, auto code) {
      seen += static_cast<int>(code) != MPI_SUCCESS ? 1 : 0;
    };
    {
      mpi::unique_comm comm{mpi::comm_dup(world)};
      mpi::errhandler_handle handler = mpi::mpix_comm_create_errhandler_x(note, [] {});
      mpi::comm_set_errhandler(comm, handler);
      mpi::comm_call_errhandler(comm, MPI_ERR_OTHER);
      mpi::errhandler_free(handler);
    }
    equal(seen, 1);
    mpi::unique_win win{mpi::win_create_dynamic(mpi::info_null, world)};
    mpi::errhandler_handle handler = mpi::mpix_win_create_errhandler_x(note, [] {});
    mpi::win_set_errhandler(win, handler);
    mpi::win_call_errhandler(win, MPI_ERR_OTHER);
    mpi::errhandler_free(handler);
    equal(seen, 2);
    handler = mpi::mpix_file_create_errhandler_x(note, [] {});
    mpi::file_set_errhandler(mpi::file_null, handler);
    mpi::file_call_errhandler(mpi::file_null, MPI_ERR_OTHER);
    mpi::file_set_errhandler(mpi::file_null, mpi::errors_return);
    mpi::errhandler_free(handler);
    equal(seen, 3);
    handler = mpi::mpix_session_create_errhandler_x(note, [] {});
    mpi::session_handle session = mpi::session_init(mpi::info_null, mpi::errors_return);
    mpi::session_set_errhandler(session, handler);
    mpi::session_call_errhandler(session, MPI_ERR_OTHER);
    mpi::errhandler_free(handler);
    mpi::session_finalize(session);
    equal(seen, 4);
  }
}

TEST(operations_with_state_reduce) {
  if constexpr (mpi::has_mpix_op_create_x) {
    int factor = 1;
    mpi::op_handle op = mpi::mpix_op_create_x(
        [factor](void* in, void* inout, mpi::count_t count, mpi::datatype_handle) {
          for (mpi::count_t i = 0; i < count; ++i)
            static_cast<int*>(inout)[i] += factor * static_cast<int*>(in)[i];
        },
        [] {}, true);
    int sum = 0;
    const int one = 1;
    mpi::allreduce(&one, &sum, 1, mpi::int_, op, world);
    equal(sum, size());
    mpi::op_free(op);
  }
}

TEST(types_are_taken_apart_into_pieces_of_memory) {
  if constexpr (mpi::has_mpix_type_iov)
    type_has_pieces<decltype(piece_of_memory(&mpi::mpix_type_iov))>();
}

TEST(streams_carry_messages) {
  if constexpr (mpi::has_mpix_stream_create) {
    if (defect("no-streams")) return;
    mpi::mpix_stream_handle stream = mpi::mpix_stream_create(mpi::info_null);
    {
      const mpi::unique_comm comm{mpi::mpix_stream_comm_create(world, stream)};
      expect(mpi::mpix_comm_get_stream(comm, 0) == stream);
      const int mine = rank();
      int theirs = -1;
      mpi::sendrecv(&mine, 1, mpi::int_, right(), 0, &theirs, 1, mpi::int_, left(), 0, comm);
      equal(theirs, left());
      mpi::mpix_stream_progress(stream);
    }
    {
      const std::array streams{stream};
      const mpi::unique_comm comm{mpi::mpix_stream_comm_create_multiplex(world, streams)};
      both([&](auto) {
        const int mine = rank();
        int theirs = -1;
        mpi::request_handle sent =
            mpi::mpix_stream_isend(&mine, 1, mpi::int_, right(), 0, comm, 0, 0);
        mpi::mpix_stream_recv(&theirs, 1, mpi::int_, left(), 0, comm, 0, 0);
        equal(theirs, left());
        mpi::wait(sent);
        mpi::request_handle received =
            mpi::mpix_stream_irecv(&theirs, 1, mpi::int_, left(), 1, comm, 0, 0);
        mpi::mpix_stream_send(&mine, 1, mpi::int_, right(), 1, comm, 0, 0);
        mpi::wait(received);
        equal(theirs, left());
      });
    }
    mpi::mpix_stream_free(stream);
    expect(stream == mpi::mpix_stream_handle{});
  }
}

TEST(tasks_of_the_program_are_polled_until_they_are_done) {
  if constexpr (mpi::has_mpix_async_start) {
    constexpr int not_yet = 0, done = 1;  // MPIX_ASYNC_NOPROGRESS, MPIX_ASYNC_DONE
    static int polled, spawned;
    static void* state;
    polled = spawned = 0;
    state = &polled;
    mpi::mpix_async_start(
        [](mpi::mpix_async_thing_handle task) {
          if (++polled < 3) return not_yet;
          state = mpi::mpix_async_get_state(task);
          mpi::mpix_async_spawn(
              task, [](mpi::mpix_async_thing_handle) { return ++spawned < 2 ? not_yet : done; },
              mpi::mpix_stream_handle{});
          return done;
        },
        mpi::mpix_stream_handle{});
    int never = 0;
    mpi::request_handle pending = mpi::irecv(&never, 1, mpi::int_, left(), 997, world);
    for (int i = 0; i < 1000000 && spawned < 2; ++i) expect(!mpi::test(pending));
    for (int i = 0; i < 100; ++i) expect(!mpi::test(pending));
    mpi::cancel(pending);
    mpi::wait(pending);
    equal(polled, 3);
    equal(spawned, 2);
    expect(state == nullptr, "a function without captures has a state");
  }
}

TEST(a_thread_of_mpi_makes_progress) {
  if constexpr (mpi::has_mpix_start_progress_thread) {
    if (defect("no-progress-thread")) return;
    mpi::mpix_stream_handle stream = mpi::mpix_stream_create(mpi::info_null);
    mpi::mpix_start_progress_thread(stream);
    mpi::barrier(world);
    mpi::mpix_stop_progress_thread(stream);
    mpi::mpix_stream_free(stream);
  }
}

TEST(threads_are_ranks) {
  if constexpr (mpi::has_mpix_threadcomm_init) {
    mpi::comm_handle comm = mpi::mpix_threadcomm_init(world, 1);
    expect(mpi::mpix_comm_test_threadcomm(comm));
    mpi::mpix_threadcomm_start(comm);
    equal(mpi::comm_size(comm), size());
    mpi::mpix_threadcomm_finish(comm);
    mpi::mpix_threadcomm_free(comm);
  }
  if constexpr (mpi::has_mpix_comm_test_threadcomm) expect(!mpi::mpix_comm_test_threadcomm(world));
}

TEST(infos_hold_bytes_in_hexadecimal) {
  if constexpr (mpi::has_mpix_info_set_hex) {
    const mpi::unique_info info{mpi::info_create()};
    const unsigned char bytes[] = {0x0f, 0xa0};
    mpi::mpix_info_set_hex(info, "bytes", bytes, 2);
    const std::string found = mpi::info_get(info, "bytes", 63).value_or("");
    expect(found == "0fa0" || found == "0FA0");
  }
}

TEST(requests_are_asked_without_progress) {
  if constexpr (mpi::has_mpix_request_is_complete) {
    int never = 0;
    mpi::request_handle request = mpi::irecv(&never, 1, mpi::int_, left(), 998, world);
    expect(mpi::mpix_request_is_complete(request) == 0);
    mpi::cancel(request);
    mpi::wait(request);
  }
}

TEST(windows_are_given_counters_of_notifications) {
  if constexpr (mpi::has_mpix_win_create_notify) {
    mpi::unique_win win{mpi::win_create_dynamic(mpi::info_null, world)};
    mpi::mpix_win_create_notify(win, 2);
    mpi::mpix_win_set_notify(win, 0, 0);
    mpi::mpix_win_set_notify(win, 1, 5);
    equal(mpi::mpix_win_get_notify(win, 0), mpi::count_t{0});
    equal(mpi::mpix_win_get_notify(win, 1), mpi::count_t{5});
    mpi::barrier(world);
    mpi::mpix_win_free_notify(win);
  }
}

// Requests of Intel MPI's one-sided calls crash after a persistent collective: see rma.cpp.
TEST(alone_notifications_come_with_one_sided_calls) {
  if constexpr (mpi::has_mpix_put_notify) {
    both([](auto) {
      std::array<int, 16> numbers{};
      mpi::unique_win win{
          mpi::win_create(numbers.data(), sizeof numbers, sizeof(int), mpi::info_null, world)};
      mpi::mpix_win_create_notify(win, 2);
      mpi::mpix_win_set_notify(win, 0, 0);
      mpi::mpix_win_set_notify(win, 1, 0);
      mpi::win_lock_all(mpi::assertion{}, win);
      mpi::barrier(world);
      const int mine = rank() + 1;
      int got = -1;
      mpi::mpix_put_notify(&mine, 1, mpi::int_, right(), 0, 1, mpi::int_, 0, win);
      mpi::mpix_get_notify(&got, 1, mpi::int_, right(), 1, 1, mpi::int_, 1, win);
      mpi::win_flush_all(win);
      equal(got, 0);
      mpi::request_handle request = mpi::mpix_win_get_notify_request(win, 0, 1);
      mpi::wait(request);
      while (mpi::mpix_win_get_notify(win, 1) < 1) {
      }
      equal(numbers[0], left() + 1);
      mpi::barrier(world);
      mpi::win_unlock_all(win);
      mpi::mpix_win_free_notify(win);
    });
  }
}
