// Accesses to files that have begun: reads up to the end of the file and beyond, and those of several
// threads. Some MPIs cannot end them; they are made at once there.

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <mpiglot/file.hpp>
#include <mpiglot/strided.hpp>
#include <mpiglot/outcome.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/request_pool.hpp>
#include <mpiglot/wait.hpp>

#include "scratch.hpp"

using namespace mpiglot;

namespace {

constexpr int length = 6;  // of the file
constexpr int most = 4;    // that a rank reads

// Whether collective accesses that begin are made by each rank alone.
#if defined(OPEN_MPI)
constexpr bool alone_in_all = true;
#else
constexpr bool alone_in_all = false;
#endif

int there(int from) { return std::clamp(length - from, 0, most); }

// What a rank has read, and how many values.
struct found {
  std::array<int, most> values;
  mpi::count_t count = -1;

  found() { values.fill(-1); }
};

// What MPI may do wrong beyond the end of the file.
enum class beyond { nothing, writes };

void expect_read(const found& got, int from, int round, const std::string& what,
                 beyond wrong = beyond::nothing) {
  const int n = there(from);
  const std::string where = what + " from " + std::to_string(from);
  check::expect(got.count == n, where + " read " + std::to_string(got.count));
  for (int i = 0; i < (wrong == beyond::nothing ? most : n); ++i)
    check::expect(got.values[static_cast<std::size_t>(i)] == (i < n ? 100 * round + from + i : -1),
                  where);
}

constexpr beyond in_all = alone_in_all ? beyond::nothing : beyond::writes;

// A file type that picks every second integer.
mpi::unique_datatype every_second() {
  mpi::datatype_handle made =
      mpi::type_create_resized(mpi::int_, 0, 2 * static_cast<mpi::aint_t>(sizeof(int)));
  mpi::type_commit(made);
  return mpi::unique_datatype(made);
}

// Fills a file, which all ranks see then.
void write_at_root(const file& both, const communicator& comm, const std::vector<int>& data) {
  if (comm.rank() == 0) both.write(send_buf(data), at(0));
  both.sync();
  mpi::barrier(comm);
  both.sync();
}

enum class ending { wait, test, pool, all };

template <class Request>
void finish(ending how, Request&& request) {
  if (how == ending::wait) {
    request.wait();
  } else if (how == ending::test) {
    while (!request.test()) {
    }
  } else if (how == ending::pool) {
    request_pool pool;
    auto ticket = pool.add(std::move(request));
    pool.wait_all();
    ticket.wait();
  } else {
    wait_all(request);
  }
}

// Reads of this rank in every form that gives a request, from there on where `seek` has put the pointers.
template <class Test>
void in_every_form(const file& in, int from, Test test) {
  const auto reads = [&](const char* name, auto... where) {
    test(name, [&in, where...](found& to) {
      return in.iread(recv_buf(to.values), recv_count_out(to.count), where...);
    });
  };
  reads("at", at(from));
  reads("at the pointer");
  reads("at, all", at(from), collectively());
  reads("at the pointer, all", collectively());
}

}  // namespace

TEST(reads_that_have_begun_end_with_the_file) {
  const scratch place;
  const communicator& comm = place.comm();
  const file both = place.open();
  both.set_view<int>();
  int round = 0;
  for (const ending how : {ending::wait, ending::test, ending::pool, ending::all})
    for (const int from : {0, 2, 4, length, length + 3}) {
      ++round;
      std::vector<int> data(length);
      for (int i = 0; i < length; ++i) data[static_cast<std::size_t>(i)] = 100 * round + i;
      if (comm.rank() == 0) both.write(send_buf(data), at(0));
      const auto begin = [&] {
        both.sync();
        mpi::barrier(comm);
        both.sync();
        both.seek(from);
        both.seek_shared(from);
        mpi::barrier(comm);
      };
      in_every_form(both, from, [&](const char* name, auto read) {
        begin();
        found got;
        finish(how, read(got));
        const std::string what = name;
        expect_read(got, from, round, what, what.ends_with("all") ? in_all : beyond::nothing);
      });
      const auto at_once = [&](const char* name, auto... where) {
        begin();
        found got;
        both.read(recv_buf(got.values), recv_count_out(got.count), collectively(), where...);
        expect_read(got, from, round, name, beyond::writes);
        begin();
        std::vector<int> grown;
        status told;
        both.read(recv_buf<resize_to_fit>(grown), recv_count(most), collectively(),
                  status_out(told), where...);
        check::equal(grown, std::vector<int>(got.values.begin(), got.values.begin() + there(from)));
        check::equal(mpi::get_count(told, mpi::int_), there(from));
      };
      at_once("at once, at", at(from));
      at_once("at once, at the pointer");
      begin();
      found got;
      finish(how, both.iread(recv_buf(got.values), recv_count_out(got.count), shared_pointer()));
      if (got.count > 0) {
        const int first = got.values[0] - 100 * round;
        check::expect(first >= from && (first - from) % most == 0);
        expect_read(got, first, round, "shared");
      }
      mpi::count_t sum = 0;
      comm.allreduce(send_buf(got.count), recv_buf(sum), op(mpi::sum));
      check::equal(sum,
                   static_cast<mpi::count_t>(std::clamp(length - from, 0, most * comm.size())));
    }
}

TEST(reads_in_two_halves_end_with_the_file) {
  const scratch place;
  const communicator& comm = place.comm();
  const file both = place.open();
  both.set_view<int>();
  int round = 0;
  for (const int from : {0, 2, 4, length, length + 3}) {
    ++round;
    mpi::barrier(comm);  // all have read what was there before
    std::vector<int> data(length);
    for (int i = 0; i < length; ++i) data[static_cast<std::size_t>(i)] = 100 * round + i;
    if (comm.rank() == 0) both.write(send_buf(data), at(0));
    const auto begin = [&] {
      both.sync();
      mpi::barrier(comm);
      both.sync();
      both.seek(from);
      both.seek_shared(from);
      mpi::barrier(comm);
    };
    const auto read = [&](const char* name, beyond wrong, int first, auto... where) {
      begin();
      found got;
      {
        auto half = both.read_split(recv_buf(got.values), recv_count_out(got.count), where...);
        check::expect(half.pending());
        half.wait();
        check::expect(!half.pending());
      }
      expect_read(got, first, round, name, wrong);
      begin();
      found dropped;
      {
        const auto half =
            both.read_split(recv_buf(dropped.values), recv_count_out(dropped.count), where...);
      }
      check::expect(std::equal(dropped.values.begin(), dropped.values.begin() + there(first),
                               got.values.begin()));
    };
    read("at", in_all, from, at(from));
    read("at the pointer", in_all, from);
    read("ordered", beyond::writes, from + most * comm.rank(), ordered());
  }
}

TEST(a_buffer_takes_the_length_that_a_begun_read_found) {
  const scratch place;
  const file both = place.open();
  both.set_view<int>();
  if (place.comm().rank() == 0) both.write(send_buf(std::vector<int>{1, 2, 3}), at(0));
  both.sync();
  mpi::barrier(place.comm());
  both.sync();
  auto request = both.iread(recv_buf(std::vector<int>()), recv_count(10), at(1), status_out());
  const auto [values, how] = request.wait();
  check::equal(values, std::vector<int>{2, 3});
  check::equal(mpi::get_count(how, mpi::int_), 2);
  check::equal(both.iread(recv_buf(std::vector<int>()), recv_count(10), at(5)).wait(),
               std::vector<int>{});
}

TEST(what_is_wrong_with_a_begun_access_is_told) {
  const scratch place;
  {
    const file made = place.open();
  }
  mpi::barrier(place.comm());
  const file in = place.open(mpi::access_mode::rdonly);
  const file out = place.open(mpi::access_mode::wronly);
  int value = 0;
  // MPI may tell it when the access begins, or at its end.
  const auto told = [](auto action) {
    const mpi::error failure = check::thrown_by(action);
    check::expect(failure.error_class() != mpi::error_class::success);
    return failure.error_class();
  };
  const auto once = told([&] { out.read(recv_buf(value), at(0)); });
  check::expect(told([&] { out.iread(recv_buf(value), at(0)).wait(); }) == once);
  check::expect(told([&] { static_cast<void>(out.iread(recv_buf(value), at(0)).test()); }) == once);
  check::expect(told([&] {
                  auto request = out.iread(recv_buf(value), at(0));
                  wait_all(request);
                }) == once);
  told([&] { in.iwrite(send_buf(value), at(0)).wait(); });
  told([&] { out.read_split(recv_buf(value), at(0)).wait(); });
  told([&] { in.write_split(send_buf(value), at(0)).wait(); });

  using mild_file = basic_file<with_outcomes>;
  const mild_file mild(out.native());
  auto request = mild.iread(recv_buf(value), at(0));
  const auto result = request.wait();
  check::expect(!result && result.error().error_class() == once);
}

TEST(threads_access_files_of_their_own) {
  if (mpi::query_thread() != mpi::thread_level::multiple) return;
  constexpr int threads = 4;
  constexpr int rounds = 200;
  constexpr int n = 64;
  // This thread does what is collective: ROMIO keeps a lock while it waits for other ranks.
  const std::array<scratch, threads> places;
  std::vector<communicator> comms;
  std::vector<file> files;
  for (const scratch& place : places) {
    comms.emplace_back(place.comm().dup());
    files.emplace_back(comms.back(), place.name(),
                       mpi::access_mode::create | mpi::access_mode::rdwr);
    files.back().set_view<int>();
  }
  std::atomic<int> wrong = 0;
  const auto work = [&](std::size_t number) {
    const communicator& comm = comms[number];
    const file& both = files[number];
    std::vector<int> sent(n);
    for (int round = 0; round < rounds; ++round) {
      for (int i = 0; i < n; ++i)
        sent[static_cast<std::size_t>(i)] = round * 1000 + comm.rank() * 100 + i;
      std::vector<int> got(n);
      if (alone_in_all && round % 4 == 3) {
        both.write_split(send_buf(sent), at(n * comm.rank())).wait();
        both.read_split(recv_buf(got), at(n * comm.rank())).wait();
      } else {
        both.iwrite(send_buf(sent), at(n * comm.rank())).wait();
        auto request = both.iread(recv_buf(got), at(n * comm.rank()));
        if (round % 4 == 2)
          while (!request.test()) {
          }
        else
          request.wait();
      }
      if (got != sent) ++wrong;
    }
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work, i);
  work(0);
  for (std::thread& each : others) each.join();
  check::equal(wrong.load(), 0);
}

// A process alone, too, and into a buffer with gaps.
TEST(a_view_with_gaps_ends_with_the_file) {
  const scratch place;
  const communicator& comm = place.comm();
  const file both = place.open();
  const mpi::unique_datatype picked = every_second();
  for (int ints = 0; ints < 8; ++ints) {
    both.set_view<int>();
    both.resize(0);
    both.sync();
    mpi::barrier(comm);  // Intel MPI's ranks may truncate it one after the other
    both.sync();
    std::vector<int> data(static_cast<std::size_t>(ints));
    for (int i = 0; i < ints; ++i) data[static_cast<std::size_t>(i)] = 10 * ints + i;
    write_at_root(both, comm, data);
    both.set_view(0, mpi::int_, picked.get());
    for (int from = 0; from < 5; ++from) {
      std::vector<int> expected;
      for (int i = 2 * from; i < ints; i += 2) expected.push_back(10 * ints + i);
      check::equal(both.read(recv_buf(std::vector<int>()), recv_count(6), at(from), collectively()),
                   expected);
      both.seek(from);
      check::equal(both.read(recv_buf(std::vector<int>()), recv_count(6), collectively()),
                   expected);
      check::equal(both.read(recv_buf(std::vector<int>()), recv_count(6), at(from)), expected);
      both.seek(from);
      check::equal(both.read(recv_buf(std::vector<int>()), recv_count(6)), expected);
      check::equal(both.iread(recv_buf(std::vector<int>()), recv_count(6), at(from)).wait(),
                   expected);
      both.seek(from);
      check::equal(both.iread(recv_buf(std::vector<int>()), recv_count(6)).wait(), expected);
      for (const bool later : {false, true}) {
        mpi::barrier(comm);
        both.seek_shared(from);
        mpi::barrier(comm);
        if (comm.rank() != from % comm.size()) continue;  // else the order is not known
        check::equal(
            later ? both.iread(recv_buf(std::vector<int>()), recv_count(6), shared_pointer()).wait()
                  : both.read(recv_buf(std::vector<int>()), recv_count(6), shared_pointer()),
            expected);
      }
    }
    mpi::barrier(comm);
    both.set_view<int>();
    std::array<int, 12> wide;
    wide.fill(-1);
    count_t read = -1;
    both.read(recv_buf(strided_view<int>{wide.data(), 6, 1, 2}), recv_count_out(read), at(0));
    check::equal(read, static_cast<count_t>(std::min(ints, 6)));
    for (int i = 0; i < 6; ++i)
      if (i < ints) check::equal(wide[static_cast<std::size_t>(2 * i)], 10 * ints + i);
    mpi::barrier(comm);
  }
}

// Each rank asks for another number of elements; the shared pointer and the view do not begin at 0.
TEST(reads_in_order_end_with_the_file) {
  const scratch place;
  const communicator& comm = place.comm();
  const file both = place.open();
  const mpi::unique_datatype picked = every_second();
  constexpr int ints = 21;
  std::vector<int> data(ints);
  for (int i = 0; i < ints; ++i) data[static_cast<std::size_t>(i)] = 1000 + i;
  write_at_root(both, comm, data);
  const std::array<int, 4> asks = {3, 0, 5, 2};
  const auto read = [&](int from, int turned, auto accessed) {
    mpi::barrier(comm);
    both.seek_shared(from);
    mpi::barrier(comm);
    int first = from;
    for (int rank = 0; rank < comm.rank(); ++rank)
      first += asks[static_cast<std::size_t>(rank + turned) % asks.size()];
    const int asked = asks[static_cast<std::size_t>(comm.rank() + turned) % asks.size()];
    std::vector<int> expected;
    for (int i = 0; i < asked && 1 + 2 * (first + i) < ints; ++i)
      expected.push_back(1001 + 2 * (first + i));
    check::equal(accessed(asked), expected);
  };
  both.set_view(sizeof(int), mpi::int_, picked.get());
  for (int from = 0; from < 12; ++from)
    for (int turned = 0; turned < 4; ++turned) {
      read(from, turned, [&](int asked) {
        return both.read(recv_buf(std::vector<int>()), recv_count(asked), ordered());
      });
      read(from, turned, [&](int asked) {
        count_t count = -1;
        std::vector<int> room(5, -1);
        {
          auto half =
              both.read_split(recv_buf(room), recv_count(asked), recv_count_out(count), ordered());
          half.wait();
        }
        room.resize(static_cast<std::size_t>(count));
        return room;
      });
    }
}

// Where ranks read by the shared pointer at the same time, what they get is right, or they are told that it is not known.
TEST(shared_reads_meet_the_end_at_the_same_time) {
  const scratch place;
  const communicator& comm = place.comm();
  const file both = place.open();
  constexpr int ints = 40;
  std::vector<int> data(ints);
  for (int i = 0; i < ints; ++i) data[static_cast<std::size_t>(i)] = i;
  write_at_root(both, comm, data);
  const mpi::unique_datatype picked = every_second();
  both.set_view(0, mpi::int_, picked.get());
  for (int round = 0; round < 20; ++round) {
    mpi::barrier(comm);
    both.seek_shared(0);
    mpi::barrier(comm);
    for (int i = 0; i < 10; ++i) {
      std::vector<int> got;
      try {
        got = both.read(recv_buf(std::vector<int>()), recv_count(3), shared_pointer());
      } catch (const mpi::unavailable&) {
        check::expect(comm.size() > 1, "one rank alone knows where it has read");
        continue;
      }
      if (got.empty()) continue;
      const int first = got[0];
      std::vector<int> expected;
      for (int at = first; at < first + 6 && at < ints; at += 2) expected.push_back(at);
      check::equal(got, expected);
    }
  }
}

// A sequential file has no positions: what MPI tells is taken.
TEST(sequential_files_are_read) {
  const scratch place;
  const communicator& comm = place.comm();
  if (comm.rank() == 0) {
    const file alone(mpi::comm_self, place.name(),
                     mpi::access_mode::create | mpi::access_mode::rdwr);
    alone.write(send_buf(std::vector<int>{7, 8, 9, 10}), at(0));
  }
  mpi::barrier(comm);
  const file in(comm, place.name(), mpi::access_mode::rdonly | mpi::access_mode::sequential);
  const auto own =
      in.read(recv_buf(std::vector<int>()), recv_count(comm.rank() == 0 ? 3 : 0), ordered());
  check::equal(own, comm.rank() == 0 ? std::vector<int>{7, 8, 9} : std::vector<int>{});
  mpi::barrier(comm);
  if (comm.rank() == comm.size() - 1)
    check::equal(in.read(recv_buf(std::vector<int>()), recv_count(1), shared_pointer()),
                 std::vector<int>{10});
}
