#include "conformance.hpp"

#include <array>

namespace {

int right() { return (rank() + 1) % size(); }
int left() { return (rank() + size() - 1) % size(); }

constexpr int length = 5;
using numbers = std::array<int, length>;

numbers of(int who) {
  numbers out{};
  for (int i = 0; i < length; ++i) out[at(i)] = 100 * who + i;
  return out;
}

// A message around the ring: `send` is called when the receive has been posted everywhere.
template <class Send>
void around_the_ring(Send send) {
  const numbers mine = of(rank());
  numbers theirs{};
  mpi::request_handle request =
      mpi::irecv(theirs.data(), length, mpi::int_, left(), 3, mpi::comm_world);
  mpi::barrier(mpi::comm_world);  // for ready mode
  send(mine);
  mpi::status status;
  mpi::wait(request, status);
  equal(theirs, of(left()));
  equal(status.source(), left());
  equal(status.tag(), 3);
  equal(mpi::get_count(status, mpi::int_), mpi::count_t{length});
}

template <class Start>
void later_around_the_ring(Start start) {
  around_the_ring([&](const numbers& mine) {
    mpi::request_handle request = start(mine);
    mpi::wait(request);
  });
}

template <class Init>
void persistent_around_the_ring(Init init) {
  around_the_ring([&](const numbers& mine) {
    mpi::request_handle request = init(mine);
    mpi::start(request);
    mpi::wait(request);
    mpi::request_free(request);
  });
}

// Room for buffered sends.
class buffered {
 public:
  buffered() { mpi::buffer_attach(room_, sizeof room_); }
  buffered(const buffered&) = delete;
  buffered& operator=(const buffered&) = delete;
  ~buffered() {
    const auto detached = mpi::buffer_detach();
    expect(detached.buffer_addr == room_ && detached.size == sizeof room_);
  }

 private:
  char room_[4096];
};

}  // namespace

TEST(every_kind_of_send_arrives) {
  both([](auto) {
    const auto& world = mpi::comm_world;
    const buffered room;
    around_the_ring([&](auto& x) { mpi::rsend(x.data(), length, mpi::int_, right(), 3, world); });
    around_the_ring([&](auto& x) { mpi::send(x.data(), length, mpi::int_, right(), 3, world); });
    around_the_ring([&](auto& x) { mpi::ssend(x.data(), length, mpi::int_, right(), 3, world); });
    around_the_ring([&](auto& x) { mpi::bsend(x.data(), length, mpi::int_, right(), 3, world); });
  });
}

TEST(every_kind_of_nonblocking_send_arrives) {
  both([](auto) {
    const auto& world = mpi::comm_world;
    const buffered room;
    later_around_the_ring(
        [&](auto& x) { return mpi::isend(x.data(), length, mpi::int_, right(), 3, world); });
    later_around_the_ring(
        [&](auto& x) { return mpi::issend(x.data(), length, mpi::int_, right(), 3, world); });
    later_around_the_ring(
        [&](auto& x) { return mpi::irsend(x.data(), length, mpi::int_, right(), 3, world); });
    later_around_the_ring(
        [&](auto& x) { return mpi::ibsend(x.data(), length, mpi::int_, right(), 3, world); });
  });
}

TEST(every_kind_of_persistent_send_arrives) {
  both([](auto) {
    const auto& world = mpi::comm_world;
    const buffered room;
    persistent_around_the_ring(
        [&](auto& x) { return mpi::send_init(x.data(), length, mpi::int_, right(), 3, world); });
    persistent_around_the_ring(
        [&](auto& x) { return mpi::ssend_init(x.data(), length, mpi::int_, right(), 3, world); });
    persistent_around_the_ring(
        [&](auto& x) { return mpi::rsend_init(x.data(), length, mpi::int_, right(), 3, world); });
    persistent_around_the_ring(
        [&](auto& x) { return mpi::bsend_init(x.data(), length, mpi::int_, right(), 3, world); });
  });
}

TEST(every_kind_of_receive_takes_it) {
  both([](auto) {
    const auto& world = mpi::comm_world;
    const numbers mine = of(rank());
    const auto is_filled = [](const mpi::status& status) {
      equal(status.source(), left());
      equal(status.tag(), 4);
      equal(mpi::get_count(status, mpi::int_), mpi::count_t{length});
    };
    const auto receive = [&](auto take) {
      mpi::request_handle sent = mpi::isend(mine.data(), length, mpi::int_, right(), 4, world);
      numbers theirs{};
      mpi::status status;
      take(theirs, status);
      equal(theirs, of(left()));
      is_filled(status);
      mpi::wait(sent);
    };
    receive([&](numbers& x, mpi::status& s) {
      mpi::recv(x.data(), length, mpi::int_, mpi::any_source, mpi::any_tag, world, s);
    });
    receive([&](numbers& x, mpi::status& s) {
      mpi::request_handle r = mpi::irecv(x.data(), length, mpi::int_, left(), 4, world);
      mpi::wait(r, s);
    });
    receive([&](numbers& x, mpi::status& s) {
      mpi::request_handle r = mpi::recv_init(x.data(), length, mpi::int_, left(), 4, world);
      std::array<mpi::request_handle, 1> all{r};
      mpi::startall(all);
      mpi::wait(all[0], s);
      mpi::request_free(all[0]);
    });
    receive([&](numbers& x, mpi::status& s) {
      mpi::probe(left(), 4, world, s);
      mpi::recv(x.data(), length, mpi::int_, left(), 4, world);
    });
    receive([&](numbers& x, mpi::status& s) {
      while (!mpi::iprobe(left(), 4, world, s)) {
      }
      mpi::recv(x.data(), length, mpi::int_, left(), 4, world);
    });
    receive([&](numbers& x, mpi::status& s) {
      mpi::message_handle message = mpi::mprobe(left(), 4, world, s);
      is_filled(s);
      s = {};
      mpi::mrecv(x.data(), length, mpi::int_, message, s);
      expect(message == mpi::message_handle{});
    });
    receive([&](numbers& x, mpi::status& s) {
      std::optional<mpi::message_handle> message;
      while (!message) message = mpi::improbe(left(), 4, world, s);
      is_filled(s);
      s = {};
      mpi::request_handle r = mpi::imrecv(x.data(), length, mpi::int_, *message);
      mpi::wait(r, s);
    });
  });
}

TEST(messages_are_exchanged_in_one_call) {
  both([](auto) {
    const auto& world = mpi::comm_world;
    const numbers mine = of(rank());
    numbers theirs{};
    mpi::status status;
    mpi::sendrecv(mine.data(), length, mpi::int_, right(), 5, theirs.data(), length, mpi::int_,
                  left(), 5, world, status);
    equal(theirs, of(left()));
    equal(status.source(), left());
    equal(status.tag(), 5);
    theirs = mine;
    mpi::sendrecv_replace(theirs.data(), length, mpi::int_, right(), 6, left(), 6, world, status);
    equal(theirs, of(left()));
    equal(status.source(), left());
    equal(status.tag(), 6);
    if constexpr (mpi::has_isendrecv) {
      theirs = {};
      mpi::request_handle request =
          mpi::isendrecv(mine.data(), length, mpi::int_, right(), 7, theirs.data(), length,
                         mpi::int_, left(), 7, world);
      mpi::wait(request);
      equal(theirs, of(left()));
      theirs = mine;
      request =
          mpi::isendrecv_replace(theirs.data(), length, mpi::int_, right(), 8, left(), 8, world);
      mpi::wait(request);
      equal(theirs, of(left()));
    }
  });
}

namespace {

template <class T>
void arrives_as(mpi::datatype_handle type, std::initializer_list<T> values) {
  if (!type) return;
  const std::vector<T> mine(values);
  std::vector<T> theirs(mine.size());
  const auto count = static_cast<mpi::count_t>(mine.size());
  mpi::status status;
  mpi::sendrecv(mine.data(), count, type, right(), 9, theirs.data(), count, type, left(), 9,
                mpi::comm_world, status);
  expect(std::memcmp(mine.data(), theirs.data(), mine.size() * sizeof(T)) == 0);
  equal(mpi::get_count(status, type), count);
  equal(mpi::type_size(type), static_cast<mpi::count_t>(sizeof(T)));
}

}  // namespace

TEST(every_predefined_type_of_c_is_sent) {
  both([](auto) {
    arrives_as<char>(mpi::char_, {'a', '\0', 'z'});
    arrives_as<signed char>(mpi::signed_char, {-128, 0, 127});
    arrives_as<unsigned char>(mpi::unsigned_char, {0, 255});
    arrives_as<unsigned char>(mpi::byte, {0, 255});
    arrives_as<wchar_t>(mpi::wchar, {L'a', L'z'});
    arrives_as<short>(mpi::short_, {-32768, 32767});
    arrives_as<unsigned short>(mpi::unsigned_short, {65535});
    arrives_as<int>(mpi::int_, {-2147483647, 2147483647});
    arrives_as<unsigned>(mpi::unsigned_, {4294967295U});
    arrives_as<long>(mpi::long_, {-1L, 1L});
    arrives_as<unsigned long>(mpi::unsigned_long, {~0UL});
    arrives_as<long long>(mpi::long_long, {-1LL, 1LL << 62});
    arrives_as<long long>(mpi::long_long_int, {-1LL, 1LL << 62});
    arrives_as<unsigned long long>(mpi::unsigned_long_long, {~0ULL});
    arrives_as<float>(mpi::float_, {1.5F, -0.0F});
    arrives_as<double>(mpi::double_, {1e300, -2.5});
    arrives_as<unsigned char>(mpi::c_bool, {1, 0});
    arrives_as<std::int8_t>(mpi::int8, {-128, 127});
    arrives_as<std::int16_t>(mpi::int16, {-32768, 32767});
    arrives_as<std::int32_t>(mpi::int32, {-1, 2147483647});
    arrives_as<std::int64_t>(mpi::int64, {-1, std::int64_t{1} << 62});
    arrives_as<std::uint8_t>(mpi::uint8, {255});
    arrives_as<std::uint16_t>(mpi::uint16, {65535});
    arrives_as<std::uint32_t>(mpi::uint32, {~std::uint32_t{0}});
    arrives_as<std::uint64_t>(mpi::uint64, {~std::uint64_t{0}});
    arrives_as<mpi::aint_t>(mpi::aint, {-1, 1});
    arrives_as<mpi::offset_t>(mpi::offset_, {-1, 1});
    arrives_as<mpi::count_t>(mpi::count_, {-1, 1});
    struct float_int {
      float a;
      int b;
    };
    arrives_as<float_int>(mpi::float_int, {{1.5F, 2}});
    arrives_as<std::array<int, 2>>(mpi::two_int, {{1, 2}, {3, 4}});
    arrives_as<std::array<float, 2>>(mpi::c_float_complex, {{1.5F, 2.5F}});
    arrives_as<std::array<double, 2>>(mpi::c_double_complex, {{1.5, 2.5}});
  });
}

namespace {

// Three receives that a later call lets come in.
struct three {
  std::array<int, 3> got{-1, -1, -1};
  std::array<mpi::request_handle, 3> requests{};

  three() {
    for (int i = 0; i < 3; ++i)
      requests[at(i)] = mpi::irecv(&got[at(i)], 1, mpi::int_, left(), 20 + i, mpi::comm_world);
  }
  static void come_in() {
    for (int i = 0; i < 3; ++i) {
      const int value = 10 * rank() + i;
      mpi::send(&value, 1, mpi::int_, right(), 20 + i, mpi::comm_world);
    }
  }
  void verify() const {
    for (int i = 0; i < 3; ++i) equal(got[at(i)], 10 * left() + i);
    for (const auto& one : requests) expect(one == mpi::request_handle{});
  }
};

}  // namespace

TEST(requests_complete_one_by_one_some_and_all) {
  const std::array<mpi::request_handle, 2> none{};
  std::array<mpi::status, 3> statuses;
  std::array<int, 3> places{};
  {
    three all;
    expect(!mpi::testall(all.requests));
    expect(!mpi::testany(all.requests));
    equal(mpi::testsome(all.requests, places), 0);
    expect(!mpi::test(all.requests[0]));
    expect(!mpi::request_get_status(all.requests[0]));
    mpi::barrier(mpi::comm_world);
    three::come_in();
    mpi::waitall(all.requests, statuses);
    for (int i = 0; i < 3; ++i) equal(statuses[at(i)].tag(), 20 + i);
    all.verify();
  }
  {
    three all;
    three::come_in();
    mpi::status status;
    for (int i = 0; i < 3; ++i) {
      const int place = mpi::waitany(all.requests, status);
      equal(status.tag(), 20 + place);
    }
    equal(mpi::waitany(all.requests), mpi::undefined);
    all.verify();
  }
  {
    three all;
    three::come_in();
    int completed = 0;
    while (completed < 3) {
      const int now = mpi::waitsome(all.requests, places, statuses);
      for (int i = 0; i < now; ++i) equal(statuses[at(i)].tag(), 20 + places[at(i)]);
      completed += now;
    }
    equal(mpi::waitsome(all.requests, places), mpi::undefined);
    all.verify();
  }
  {
    three all;
    three::come_in();
    int completed = 0;
    while (completed < 3) {
      const int now = mpi::testsome(all.requests, places, statuses);
      for (int i = 0; i < now; ++i) equal(statuses[at(i)].tag(), 20 + places[at(i)]);
      completed += now;
    }
    all.verify();
  }
  {
    three all;
    three::come_in();
    mpi::status status;
    for (int i = 0; i < 3;)
      if (const auto place = mpi::testany(all.requests, status)) {
        equal(status.tag(), 20 + *place);
        ++i;
      }
    while (!mpi::testall(all.requests)) {
    }
    all.verify();
  }
  {
    three all;
    three::come_in();
    mpi::status status;
    while (!mpi::request_get_status(all.requests[1], status)) {
    }
    equal(status.tag(), 21);
    expect(all.requests[1] != mpi::request_handle{});
    if constexpr (mpi::has_request_get_status_all) {
      while (!mpi::request_get_status_all(all.requests, statuses)) {
      }
      for (int i = 0; i < 3; ++i) equal(statuses[at(i)].tag(), 20 + i);
      const auto place = mpi::request_get_status_any(all.requests, status);
      expect(place.has_value());
      equal(status.tag(), 20 + *place);
      equal(mpi::request_get_status_some(all.requests, places, statuses), 3);
      expect(mpi::request_get_status_all(none));
    }
    while (!mpi::test(all.requests[0], status)) {
    }
    equal(status.tag(), 20);
    while (!mpi::testall(all.requests, statuses)) {
    }
    equal(statuses[1].tag(), 21);
    equal(statuses[2].tag(), 22);
    all.verify();
  }
}

TEST(a_receive_is_cancelled) {
  int never = 0;
  mpi::request_handle request = mpi::irecv(&never, 1, mpi::int_, left(), 999, mpi::comm_world);
  mpi::cancel(request);
  mpi::status status;
  mpi::wait(request, status);
  expect(mpi::test_cancelled(status));
}

TEST(statuses_are_filled_and_read) {
  both<mpi::has_status_set_elements_c>([](auto) {
    mpi::status status;
    mpi::status_set_elements(status, mpi::int_, 7);
    equal(mpi::get_count(status, mpi::int_), mpi::count_t{7});
    equal(mpi::get_elements(status, mpi::int_), mpi::count_t{7});
    mpi::status_set_cancelled(status, true);
    expect(mpi::test_cancelled(status));
    if constexpr (mpi::has_status_set_elements_x) {
      mpi::status_set_elements_x(status, mpi::int_, 9);
      equal(mpi::get_elements_x(status, mpi::int_), mpi::count_t{9});
    }
    // The small function of the same name, which the layer does not need where there is the twin.
    int small = 0;
    succeeded(MPIGLOT_MPI(MPI_Get_count)(&status.native, MPI_INT, &small));
    equal(mpi::count_t{small}, mpi::get_count(status, mpi::int_));
    small = -1;
    succeeded(MPIGLOT_MPI(MPI_Get_elements)(&status.native, MPI_INT, &small));
    equal(mpi::count_t{small}, mpi::get_elements(status, mpi::int_));
    if constexpr (mpi::has_status_set_source) {
      mpi::status_set_source(status, 3);
      mpi::status_set_tag(status, 4);
      mpi::status_set_error(status, mpi::err_truncate);
      equal(status.source(), 3);
      equal(mpi::status_get_source(status), 3);
      equal(mpi::status_get_tag(status), 4);
      equal(mpi::status_get_error(status), MPI_ERR_TRUNCATE);
    }
  });
}

TEST(a_buffer_is_attached_and_detached_once) {
  both([](auto) {
    char room[2048];
    mpi::buffer_attach(room, sizeof room);
    if (!without("attach-twice-has-no-class"))
      refused([&] { mpi::buffer_attach(room, sizeof room); }, {MPI_ERR_BUFFER, MPI_ERR_OTHER});
    if constexpr (mpi::has_buffer_flush) {
      mpi::buffer_flush();
      mpi::request_handle request = mpi::buffer_iflush();
      mpi::wait(request);
    }
    const auto detached = mpi::buffer_detach();
    expect(detached.buffer_addr == room);
    equal(detached.size, mpi::count_t{sizeof room});
  });
  char room[2048];
  succeeded(MPIGLOT_MPI(MPI_Buffer_attach)(room, sizeof room));
  void* address = nullptr;
  int bytes = 0;
  succeeded(MPIGLOT_MPI(MPI_Buffer_detach)(&address, &bytes));
  expect(address == room && bytes == sizeof room);
}

TEST(a_communicator_has_a_buffer_of_its_own) {
  if constexpr (mpi::has_comm_attach_buffer) {
    both([](auto) {
      char room[2048];
      mpi::unique_comm comm{mpi::comm_dup(mpi::comm_world)};
      mpi::comm_attach_buffer(comm, room, sizeof room);
      const int mine = rank();
      mpi::bsend(&mine, 1, mpi::int_, right(), 0, comm);
      int theirs = -1;
      mpi::recv(&theirs, 1, mpi::int_, left(), 0, comm);
      equal(theirs, left());
      mpi::comm_flush_buffer(comm);
      mpi::request_handle request = mpi::comm_iflush_buffer(comm);
      mpi::wait(request);
      const auto detached = mpi::comm_detach_buffer(comm);
      expect(detached.buffer_addr == room);
      equal(detached.size, mpi::count_t{sizeof room});
    });
  }
}

TEST(partitions_arrive_one_by_one) {
  if constexpr (mpi::has_psend_init) {
    both([](auto) {
      constexpr int parts = 6;
      std::array<int, parts * 2> mine{};
      std::array<int, parts * 2> theirs{};
      for (int i = 0; i < parts * 2; ++i) mine[at(i)] = 1000 * rank() + i;
      std::array<mpi::request_handle, 2> requests{
          mpi::psend_init(mine.data(), parts, 2, mpi::int_, right(), 7, mpi::comm_world,
                          mpi::info_null),
          mpi::precv_init(theirs.data(), parts, 2, mpi::int_, left(), 7, mpi::comm_world,
                          mpi::info_null)};
      mpi::startall(requests);
      mpi::pready(0, requests[0]);
      mpi::pready_range(1, 3, requests[0]);
      mpi::pready_list(std::array<int, 2>{5, 4}, requests[0]);
      for (int i = 0; i < parts; ++i)
        while (!mpi::parrived(requests[1], i)) {
        }
      mpi::waitall(requests);
      for (int i = 0; i < parts * 2; ++i) equal(theirs[at(i)], 1000 * left() + i);
      for (auto& request : requests) mpi::request_free(request);
    });
  }
}

TEST(wrong_arguments_of_messages_are_refused) {
  both([](auto) {
    const int value = 1;
    int room = 0;
    const auto& world = mpi::comm_world;
    const auto send = [&](mpi::count_t count, mpi::datatype_handle type, int dest, int tag,
                          mpi::comm_handle comm) {
      return [=, &value] { mpi::send(&value, count, type, dest, tag, comm); };
    };
    refused(send(1, mpi::int_, size(), 0, world), {MPI_ERR_RANK});
    refused(send(1, mpi::int_, 0, -5, world), {MPI_ERR_TAG});
    refused(send(-1, mpi::int_, 0, 0, world), {MPI_ERR_COUNT});
    refused(send(1, mpi::datatype_handle{}, 0, 0, world), {MPI_ERR_TYPE});
    refused(send(1, mpi::int_, 0, 0, mpi::comm_handle{}), {MPI_ERR_COMM});
    refused([&] { mpi::recv(&room, 1, mpi::int_, size(), 0, world); }, {MPI_ERR_RANK});
    refused([&] { mpi::probe(size(), 0, world); }, {MPI_ERR_RANK});
    mpi::status status;
    mpi::recv(&room, 1, mpi::int_, mpi::proc_null, 0, world, status);
    equal(status.source(), mpi::proc_null);
    equal(mpi::get_count(status, mpi::int_), mpi::count_t{0});
  });
}
