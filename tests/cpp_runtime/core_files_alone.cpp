// Mistakes of one rank in collective accesses to files: it takes part and throws; the others get
// their data.

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <mpiglot/file.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/strided.hpp>

#include "scratch.hpp"

using namespace mpiglot;

namespace {

constexpr int length = 3;

// ROMIO refuses data that is no whole number of elements of the view; OMPIO takes it.
#if defined(OPEN_MPI)
constexpr bool refuses_parts = false;
#else
constexpr bool refuses_parts = true;
#endif

std::vector<int> values_of(int rank, int use) {
  std::vector<int> all;
  for (int i = 0; i < length; ++i) all.push_back(1000 * use + 10 * rank + i);
  return all;
}

// The ways in which one rank is wrong.
enum class mistake { none, negative, far, beyond_the_view, room };
constexpr mistake of_writing[] = {mistake::negative, mistake::far, mistake::beyond_the_view};
constexpr mistake of_reading[] = {mistake::negative, mistake::far, mistake::room,
                                  mistake::beyond_the_view};

mpi::offset_t wrong(mistake what, mpi::offset_t offset) {
  return what == mistake::negative ? -1 : what == mistake::far ? mpi::offset_t{1} << 62 : offset;
}

// Calls `access` on every rank. It throws on the one that is wrong, and only there.
template <class Access>
void expect_alone(bool alone, const std::string& what, Access access) {
  bool thrown = false;
  try {
    access();
  } catch (const error& found) {
    thrown = true;
    if (!alone) check::fail(what + ": " + found.what(), std::source_location::current());
  }
  check::expect(thrown == alone, what + (thrown ? " threw" : " did not throw"));
}

enum class way { at, own, ordered };
enum class how { once, later, split };

template <way Way, class Action>
void with_place(mpi::offset_t offset, Action action) {
  if constexpr (Way == way::at)
    action(at(offset), collectively());
  else if constexpr (Way == way::own)
    action(collectively());
  else
    action(ordered());
}

template <how How>
void write_so(const file& out, const auto& data, auto... where) {
  if constexpr (How == how::once)
    out.write(send_buf(data), where...);
  else if constexpr (How == how::later)
    out.iwrite(send_buf(data), where...).wait();
  else
    out.write_split(send_buf(data), where...).wait();
}
template <how How>
void read_so(const file& in, auto& data, int n, auto... where) {
  if constexpr (How == how::once)
    in.read(recv_buf(data), recv_count(n), where...);
  else if constexpr (How == how::later)
    in.iread(recv_buf(data), recv_count(n), where...).wait();
  else
    in.read_split(recv_buf(data), recv_count(n), where...).wait();
}

// All collective accesses that there are.
template <class Test>
void in_every_form(Test test) {
  test.template operator()<way::at, how::once>("at, at once");
  test.template operator()<way::at, how::later>("at, later");
  test.template operator()<way::at, how::split>("at, split");
  test.template operator()<way::own, how::once>("at the pointer, at once");
  test.template operator()<way::own, how::later>("at the pointer, later");
  test.template operator()<way::own, how::split>("at the pointer, split");
  test.template operator()<way::ordered, how::once>("ordered, at once");
  test.template operator()<way::ordered, how::split>("ordered, split");
}

// The others write and read what is theirs, while one rank is wrong, at each rank.
template <way Way, how How>
void one_is_wrong(const scratch& place, const std::string& name) {
  const communicator& comm = place.comm();
  int use = 1;
  const auto settle = [&](const file& f) {
    f.sync();
    mpi::barrier(comm);
  };
  for (int faulty = 0; faulty < comm.size(); ++faulty) {
    const bool alone = comm.rank() == faulty;
    const file both = place.open();
    both.set_view<double>();
    // An element is a double; 8 bytes of ints are one, so three ints are none.
    for (const mistake each : of_writing) {
      if (Way != way::at && each != mistake::beyond_the_view) continue;
      if (each == mistake::beyond_the_view && !refuses_parts) continue;
      ++use;
      const std::string what = name + ", writing, " + std::to_string(static_cast<int>(each));
      std::vector<double> zeros(static_cast<std::size_t>(length * comm.size()), -1);
      both.write(send_buf(zeros), at(0));
      settle(both);
      both.seek(comm.rank() * length);
      both.seek_shared(0);
      mpi::barrier(comm);
      const std::vector<int> ints = values_of(comm.rank(), use);
      const std::vector<double> data(ints.begin(), ints.end());
      expect_alone(alone, what, [&] {
        with_place<Way>(alone ? wrong(each, comm.rank() * length) : comm.rank() * length,
                        [&](auto... where) {
                          if (alone && each == mistake::beyond_the_view)
                            write_so<How>(both, ints, where...);
                          else
                            write_so<How>(both, data, where...);
                        });
      });
      settle(both);
      std::vector<double> all(zeros.size());
      both.read(recv_buf(all), at(0));
      std::vector<double> expected;
      for (int rank = 0; rank < comm.size(); ++rank)
        if (rank != faulty)
          for (const int value : values_of(rank, use)) expected.push_back(value);
        else if (Way != way::ordered)
          expected.insert(expected.end(), length, -1);
      expected.resize(zeros.size(), -1);
      check::expect(all == expected, what);
      mpi::barrier(comm);
    }
    for (const mistake each : of_reading) {
      if (Way != way::at && each != mistake::beyond_the_view && each != mistake::room) continue;
      if (each == mistake::beyond_the_view && !refuses_parts) continue;
      ++use;
      const std::string what = name + ", reading, " + std::to_string(static_cast<int>(each));
      const std::vector<int> ints = values_of(comm.rank(), use);
      const std::vector<double> data(ints.begin(), ints.end());
      both.write(send_buf(data), at(comm.rank() * length));
      settle(both);
      both.seek(comm.rank() * length);
      both.seek_shared(0);
      mpi::barrier(comm);
      std::vector<double> got(alone && each == mistake::room ? length - 1 : length);
      std::span<double> room(got);
      std::vector<int> parts(length);
      std::span<int> room_of_parts(parts);
      expect_alone(alone, what, [&] {
        with_place<Way>(alone ? wrong(each, comm.rank() * length) : comm.rank() * length,
                        [&](auto... where) {
                          if (alone && each == mistake::beyond_the_view)
                            read_so<How>(both, room_of_parts, length, where...);
                          else
                            read_so<How>(both, room, length, where...);
                        });
      });
      // At the shared pointer, those behind the faulty rank read what was its part.
      const int from = Way == way::ordered && comm.rank() > faulty ? comm.rank() - 1 : comm.rank();
      const std::vector<int> theirs = values_of(from, use);
      if (!alone) check::expect(got == std::vector<double>(theirs.begin(), theirs.end()), what);
      mpi::barrier(comm);
    }
  }
}

}  // namespace

TEST(one_rank_that_is_wrong_takes_part_in_every_collective_access) {
  const scratch place;
  in_every_form([&]<way Way, how How>(const char* name) { one_is_wrong<Way, How>(place, name); });
}

namespace {

// Code of a program that throws.
struct refusal : std::runtime_error {
  refusal() : std::runtime_error("the program refuses") {}
};

// Four characters for each number; no negative ones.
struct careful_codec {
  template <class T>
  static constexpr bool can = std::is_same_v<T, int>;

  static void encode(detail::bytes& to, int value) {
    to.append(reinterpret_cast<const std::byte*>("ab"), 2);
    if (value < 0) throw refusal();
    const char text[2] = {'c', static_cast<char>('0' + value % 10)};
    to.append(reinterpret_cast<const std::byte*>(text), 2);
  }
  static void decode(const std::byte* from, std::size_t size, int& value) {
    check::equal(size, std::size_t{4});
    value = static_cast<char>(from[3]) - '0';
    if (value == 9) throw refusal();
  }
};

// A container that grows, but not always.
struct moody {
  using value_type = char;
  std::vector<char> all;
  bool refuses = false;

  char* data() { return all.data(); }
  const char* data() const { return all.data(); }
  std::size_t size() const { return all.size(); }
  auto begin() { return all.begin(); }
  auto end() { return all.end(); }
  auto begin() const { return all.begin(); }
  auto end() const { return all.end(); }
  void resize(std::size_t n) {
    if (refuses) throw refusal();
    all.resize(n);
  }
};

// Every second of eight characters; some have no address.
struct moody_view {
  char all[8] = {'-', '-', '-', '-', '-', '-', '-', '-'};
  bool refuses = false;
};

}  // namespace

template <>
struct mpiglot::view_traits<moody_view> {
  static constexpr std::size_t rank = 1;
  static char* data(moody_view& of) {
    if (of.refuses) throw refusal();
    return of.all;
  }
  static const char* data(const moody_view& of) { return data(const_cast<moody_view&>(of)); }
  static count_t extent(const moody_view&, std::size_t) { return 4; }
  static count_t stride(const moody_view&, std::size_t) { return 2; }
};

namespace {

template <class Action>
void expect_refusal(bool alone, const std::string& what, Action action) {
  bool thrown = false;
  try {
    action();
  } catch (const refusal&) {
    thrown = true;
  }
  check::expect(thrown == alone, what);
}

template <way Way, how How>
void one_throws(const scratch& place, const std::string& name) {
  const communicator& comm = place.comm();
  constexpr int n = 4;
  for (int faulty = 0; faulty < comm.size(); ++faulty) {
    const bool alone = comm.rank() == faulty;
    const file both = place.open();
    const auto begin = [&] {
      both.sync();
      mpi::barrier(comm);
      both.seek(comm.rank() * n);
      both.seek_shared(0);
      mpi::barrier(comm);
    };
    both.write(send_buf(std::string(static_cast<std::size_t>(n * comm.size()), '-')), at(0));
    begin();
    const int value = alone ? -1 : comm.rank() + 1;
    expect_refusal(alone, name + ", an encoder", [&] {
      with_place<Way>(comm.rank() * n, [&](auto... where) {
        const auto data = [&] { return send_buf(as_serialized<careful_codec>(value)); };
        if constexpr (How == how::once)
          both.write(data(), where...);
        else if constexpr (How == how::later)
          both.iwrite(data(), where...).wait();
        else
          both.write_split(data(), where...).wait();
      });
    });
    begin();
    std::string expected;
    for (int rank = 0; rank < comm.size(); ++rank)
      if (rank != faulty)
        expected += std::string("abc") + static_cast<char>('1' + rank);
      else if (Way != way::ordered)
        expected += "----";
    expected.resize(static_cast<std::size_t>(n * comm.size()), '-');
    std::string all(expected.size(), ' ');
    both.read(recv_buf(all), at(0));
    check::equal(all, expected);

    std::string data;
    for (int rank = 0; rank < comm.size(); ++rank)
      data += std::string("abc") + static_cast<char>('1' + rank);
    begin();
    if (comm.rank() == 0) both.write(send_buf(data), at(0));
    const int from = Way == way::ordered && comm.rank() > faulty ? comm.rank() - 1 : comm.rank();
    begin();
    moody got;
    got.refuses = alone;
    expect_refusal(alone, name + ", a container", [&] {
      with_place<Way>(comm.rank() * n, [&](auto... where) {
        if constexpr (How == how::once)
          both.read(recv_buf<resize_to_fit>(got), recv_count(n), where...);
        else if constexpr (How == how::later)
          both.iread(recv_buf<resize_to_fit>(got), recv_count(n), where...).wait();
        else
          both.read_split(recv_buf<resize_to_fit>(got), recv_count(n), where...).wait();
      });
    });
    if (!alone)
      check::equal(std::string(got.all.begin(), got.all.end()),
                   data.substr(static_cast<std::size_t>(from * n), n));
    begin();
    moody_view seen;
    seen.refuses = alone;
    expect_refusal(alone, name + ", a view that is read", [&] {
      with_place<Way>(comm.rank() * n, [&](auto... where) {
        if constexpr (How == how::once)
          both.read(recv_buf(seen), where...);
        else if constexpr (How == how::later)
          both.iread(recv_buf(seen), where...).wait();
        else
          both.read_split(recv_buf(seen), where...).wait();
      });
    });
    for (std::size_t i = 0; i < 8; ++i)
      check::equal(seen.all[i],
                   alone || i % 2 == 1 ? '-' : data[static_cast<std::size_t>(from * n) + i / 2]);
    begin();
    expect_refusal(alone, name + ", a view that is written", [&] {
      with_place<Way>(comm.rank() * n, [&](auto... where) {
        if constexpr (How == how::once)
          both.write(send_buf(seen), where...);
        else if constexpr (How == how::later)
          both.iwrite(send_buf(seen), where...).wait();
        else
          both.write_split(send_buf(seen), where...).wait();
      });
    });
    begin();
    both.read(recv_buf(all), at(0));
    check::equal(all, data);
    mpi::barrier(comm);
    begin();
    if (alone) both.write(send_buf(std::string("abc9")), at(comm.rank() * n));
    begin();
    int decoded = 0;
    expect_refusal(alone, name + ", a decoder", [&] {
      with_place<Way>(comm.rank() * n, [&](auto... where) {
        const auto into = [&] { return recv_buf(as_serialized<careful_codec>(decoded)); };
        if constexpr (How == how::once)
          both.read(into(), recv_count(n), where...);
        else if constexpr (How == how::later)
          both.iread(into(), recv_count(n), where...).wait();
        else
          both.read_split(into(), recv_count(n), where...).wait();
      });
    });
    if (!alone) check::equal(decoded, comm.rank() + 1);
    mpi::barrier(comm);
  }
}

}  // namespace

TEST(code_of_one_rank_that_throws_takes_part_in_every_collective_access) {
  const scratch place;
  in_every_form([&]<way Way, how How>(const char* name) { one_throws<Way, How>(place, name); });
}

TEST(one_rank_with_a_wrong_view_keeps_its_own) {
  const scratch place;
  const communicator& comm = place.comm();
  const file both = place.open();
  for (int faulty = 0; faulty < comm.size(); ++faulty) {
    const bool alone = comm.rank() == faulty;
    both.set_view<char>();
    expect_alone(alone, "negative", [&] { both.set_view<int>(alone ? -4 : 0); });
    check::equal(both.view().displacement, 0);
    const mpi::datatype_handle null{MPI_DATATYPE_NULL};
    const mpi::datatype_handle wide = mpi::double_;
    expect_alone(alone, "null", [&] {
      both.set_view(0, mpi::int_, alone ? null : mpi::datatype_handle(mpi::int_));
    });
    expect_alone(alone, "null element", [&] {
      both.set_view(0, alone ? null : mpi::datatype_handle(mpi::int_), mpi::int_);
    });
    expect_alone(alone, "no whole number", [&] {
      both.set_view(0, alone ? wide : mpi::datatype_handle(mpi::int_), mpi::int_);
    });
    const std::vector<char> some(4 * static_cast<std::size_t>(comm.rank() + 1), 'x');
    both.set_view<char>();
    both.write(send_buf(some), at(40 * comm.rank()), collectively());
  }
}
