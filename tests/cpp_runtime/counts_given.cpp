// Who gives a count is part of what ranks agree on: a rank that gives one sends or expects data where
// the others exchange lengths. Every exchange of lengths that a rank may leave out, and what leaves it
// out:
//
//   bcast               send_recv_count, lengths_first            MPI_Bcast beside MPI_Bcast
//   scatter             recv_count                                MPI_Scatter beside MPI_Scatter
//   scatterv            recv_count, lengths_first                 other calls beside each other
//   gatherv             recv_counts
//   allgatherv          recv_counts, lengths_first
//   alltoallv           recv_counts, lengths_first
//   neighbor_allgatherv, neighbor_alltoallv   recv_counts
//
// Serialized values take lengths_first, no count. Nonblocking and persistent forms exchange no
// lengths, and operations of plugins always do. There are no collectives on intercommunicators.
//
// Without checks, the calls of one name beside each other are an error of the rank that sees the
// other's message; others wait for ever, as in MPI. At level `communication` every rank throws (unequal.cpp).

#include <sys/mman.h>

#include <algorithm>
#include <climits>
#include <random>
#include <complex>

#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/topology.hpp>

#include "catchable.hpp"
#include "looking.hpp"

using namespace catchable;

// As many bytes as the first slot of a communicator has, so that the messages are of one size.
TEST(a_count_at_the_root_alone_is_an_error_of_the_others) {
  const communicator comm = communicator().dup();
  const bool at_root = comm.rank() == 0;
  const auto ranks = static_cast<std::size_t>(comm.size());
  for (const int seed : {0, 1, 16, -1, 1 << 20}) {
    std::vector<int> mine(16, seed), all(16 * ranks, seed);
    if (at_root) {
      comm.bcast(send_recv_buf(mine), send_recv_count(16));
      comm.scatter(send_buf(all), recv_buf(mine), recv_count(16));
    } else {
      caught<count_error>([&] { comm.bcast(send_recv_buf<resize_to_fit>(mine)); });
      caught<count_error>([&] { comm.scatter<int>(); });
    }
    // A slot for bytes that are serialized, and a length that travels alone.
    std::vector<double> one{static_cast<double>(seed)};
    std::string text(64, 'x');
    if (at_root) {
      comm.bcast(send_recv_buf(text), send_recv_count(64));
      comm.bcast(send_recv_buf(one), send_recv_count(1));
    } else {
      caught<count_error>([&] { comm.bcast(send_recv_buf(as_serialized(text))); });
      caught<count_error>([&] { comm.bcast(send_recv_buf<resize_to_fit>(one), lengths_first()); });
    }
    works_on();
  }
}

namespace {

// What the root tells comes where the others expect data. Messages of the size of a first slot, which
// every MPI takes for each other; with two ranks all lengths, since MPIs that notice another size
// themselves do not always pass on what others wait for.
constexpr std::size_t lengths[] = {0,  1,  2,  3,   4,   7,   8,    9,    14,
                                   16, 32, 64, 255, 256, 257, 4097, 65537};

// `spare`: elements of the others' buffers behind those that the count says.
template <class T, template <class> class... Level>
void root_tells(std::size_t n, std::size_t spare) {
  const std::size_t size = n * sizeof(T);
  const bool one_message = size <= 56;
  if (size < 8 || (!one_message && size != 64 && (size < 256 || check::size() != 2))) return;
  if (one_message && check::size() != 2) return;
  // Intel MPI takes a long message from another place than a short one: the right one comes. Of short ones
  // of another size and datatype than it expects a rank may wait for ever, on some processors.
  if (size != 64 && check::known_defect("blocking-hides-truncation")) return;
  const bool at_root = check::rank() == 0;
  const int count = static_cast<int>(n);
  std::vector<T> values(n), all;
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(3 * i + 7);
  for (int i = 0; i < check::size(); ++i) all.insert(all.end(), values.begin(), values.end());
  basic_communicator<Level...> comm;
  const auto tells = [&](auto root_call, auto call) {
    comm = basic_communicator<Level...>().dup();  // its slots have the first size
    std::vector<T> mine(n + spare, static_cast<T>(1));
    if (at_root) {
      root_call();
    } else {
      caught<error>([&] { call(mine); });
      if (one_message) return;
      call(mine);
      mine.resize(n);
      check::expect(mine == values);
    }
  };
  const auto told = [&](auto& mine) { comm.bcast(send_recv_buf(mine), send_recv_count(count)); };
  tells([&] { comm.bcast(send_recv_buf<resize_to_fit>(values)); }, told);
  tells([&] { comm.bcast(send_recv_buf(values)); }, told);
  tells([&] { static_cast<void>(comm.scatter(send_buf(all))); },
        [&](auto& mine) { comm.scatter(send_buf(all), recv_buf(mine), recv_count(count)); });
  std::vector<T> own(n);
  tells([&] { comm.scatter(send_buf(all), recv_buf(own)); },
        [&](auto& mine) { mine = comm.scatter(send_buf(all), recv_count(count)); });
}

// The reverse: the others expect a length. Open MPI writes what is long behind the memory for that; Intel
// MPI does not report another size, and some ranks wait for ever.
template <class T>
void root_sends_data(std::size_t n) {
  if (check::size() != 2 || n == 0) return;
  if (n * sizeof(T) > 4000 && check::known_defect("truncation-writes-beside")) return;
  if (check::known_defect("blocking-hides-truncation")) return;
  const communicator comm = communicator().dup();
  std::vector<T> values(n, static_cast<T>(7)), all(2 * n, static_cast<T>(7));
  const int count = static_cast<int>(n);
  if (comm.rank() == 0) {
    comm.bcast(send_recv_buf(values), send_recv_count(count));
    comm.scatter(send_buf(all), recv_buf(values), recv_count(count));
  } else {
    caught<error>([&] { comm.bcast(send_recv_buf<resize_to_fit>(values)); });
    caught<error>([&] { static_cast<void>(comm.scatter<T>()); });
  }
}

}  // namespace

TEST(a_count_everywhere_but_at_the_root_is_an_error_where_it_is_looked_for) {
  for (const std::size_t n : lengths) {
    for (const auto spare : {std::size_t{0}, std::size_t{5}}) root_tells<char>(n, spare);
    for (const auto spare : {std::size_t{0}, std::size_t{5}}) root_tells<short>(n, spare);
    for (const auto spare : {std::size_t{0}, std::size_t{5}}) root_tells<int>(n, spare);
    for (const auto spare : {std::size_t{0}, std::size_t{5}}) root_tells<double>(n, spare);
    for (const auto spare : {std::size_t{0}, std::size_t{5}}) root_tells<char, checked>(n, spare);
    for (const auto spare : {std::size_t{0}, std::size_t{5}}) root_tells<short, checked>(n, spare);
    for (const auto spare : {std::size_t{0}, std::size_t{5}}) root_tells<int, checked>(n, spare);
    for (const auto spare : {std::size_t{0}, std::size_t{5}}) root_tells<double, checked>(n, spare);
  }
  works_on();
}

// Elements that begin with the highest byte of a mark are data; so are those with a whole one, but for a
// length that can be meant and the slot that it asks for.
TEST(data_that_begins_like_a_mark_is_data) {
  const communicator comm;
  constexpr std::pair<std::uint32_t, std::uint32_t> beginnings[] = {
      {0x9b000000, 7}, {0x9b6d2000, 7}, {0x9b6d2001, 7},   {0x9b6d2004, 400}, {0x9b6d20fe, 400},
      {0x9b6d2600, 7}, {0x9b6e0000, 0}, {0x9b6e0000, 400}, {0x9b6e0001, 7},   {0x9b6d2003, 0}};
  for (const auto& [head, second] : beginnings)
    for (const int n : {0, 1, 2, 3, 8, 300}) {
      const auto size = static_cast<std::size_t>(n);
      const auto filled = [&](auto element, std::size_t elements) {
        std::vector<decltype(element)> made(elements);
        const std::uint32_t words[] = {head, second};
        std::memcpy(static_cast<void*>(made.data()), words,
                    std::min(sizeof words, elements * sizeof element));
        return made;
      };
      const auto travels = [&](auto element) {
        const auto values = filled(element, size);
        std::vector<decltype(element)> mine(size), all;
        if (comm.rank() == 0) mine = values;
        comm.bcast(send_recv_buf(mine), send_recv_count(n));
        check::expect(mine == values);
        for (int i = 0; i < comm.size(); ++i) all.insert(all.end(), values.begin(), values.end());
        std::vector<decltype(element)> part(size);
        comm.scatter(send_buf(all), recv_buf(part), recv_count(n));
        check::expect(part == values);
      };
      travels(char());
      travels(short());
      travels(std::uint32_t());
      travels(std::uint64_t());
    }
}

TEST(a_count_at_the_root_alone_is_an_error_of_the_others_at_every_length) {
  for (const std::size_t n : lengths) {
    root_sends_data<char>(n);
    root_sends_data<int>(n);
    root_sends_data<double>(n);
  }
  works_on();
}

namespace {

// The root sends eight elements to each rank, the others expect 16. With more than two ranks, a rank of MPICH 5.0.2
// that notices it itself does not pass on what others wait for; in a scatter, MPIs receive into memory of their own what
// some ranks pass on, and write all that these expect.
template <class T, template <class> class... Level>
void root_sends_less() {
  const auto comm = basic_communicator<Level...>().dup();
  const bool expects = comm.rank() != 0;
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<T> mine(expects ? 16 : 8);
  const std::vector<T> all(8 * ranks);
  const std::vector<int> eights(ranks, 8);
  const int expected = static_cast<int>(mine.size());
  IN_EVERY_FORM(expects, bcast, send_recv_buf(mine));
  IN_EVERY_FORM(expects, bcast, send_recv_buf(mine), send_recv_count(expected));
  IN_EVERY_FORM(expects, scatter, send_buf(all), recv_buf(mine));
  IN_EVERY_FORM(expects, scatter, send_buf(all), recv_count(expected));
  IN_EVERY_FORM(expects, scatterv, send_buf(all), send_counts(eights), recv_buf(mine));
  IN_EVERY_FORM(expects, scatterv, send_buf(all), send_counts(eights), recv_count(expected));
}

struct tight {
  int a, b;
  static void fields(auto& self, auto&& visit) { visit(self.a, self.b); }
};

}  // namespace

TEST(a_message_that_is_shorter_than_a_rank_expects_is_an_error_where_it_is_looked_for) {
  if (communicator().size() != 2 || check::known_defect("blocking-hides-truncation")) return;
  root_sends_less<char, checked>();
  root_sends_less<int, checked>();
  root_sends_less<double, checked>();
  root_sends_less<std::complex<float>, checked>();
  root_sends_less<tight, checked>();
}

namespace {

// A persistent operation leaves the buffers alone until it starts, and looks at each start.
template <template <class> class... Level>
void looks_at_each_start() {
  const auto comm = basic_communicator<Level...>().dup();
  const bool expects = comm.rank() != 0;
  if (comm.size() != 2 || !mpi::has_scatter_init) return;
  std::vector<int> mine(expects ? 16 : 8, 5);
  const std::vector<int> all(8 * static_cast<std::size_t>(comm.size()), 7);
  auto request = comm.scatter_init(send_buf(all), recv_buf(mine));
  check::equal(mine, std::vector<int>(mine.size(), 5));
  for (int i = 0; i < 2; ++i)
    fails_on(expects, [&] {
      request.start();
      request.wait();
    });
}

}  // namespace

TEST(a_persistent_operation_looks_for_a_shorter_message_at_each_start) {
  looks_at_each_start<checked>();
}

// Without NDEBUG, of communicators whose type does not say so.
TEST(a_program_that_is_compiled_for_debugging_looks) {
  if (!check::all_look()) return;
  for (const std::size_t n : lengths) {
    for (const auto spare : {std::size_t{0}, std::size_t{5}}) root_tells<char>(n, spare);
    for (const auto spare : {std::size_t{0}, std::size_t{5}}) root_tells<double>(n, spare);
  }
  if (communicator().size() == 2 && !check::known_defect("blocking-hides-truncation")) {
    root_sends_less<char>();
    root_sends_less<double>();
    root_sends_less<tight>();
  }
  looks_at_each_start<>();
}

// What the library makes shows that nothing was written; what the program gives does not change.
TEST(memory_that_nobody_wrote_shows_in_a_program_that_is_compiled_for_debugging) {
  const communicator comm;
  const int n = comm.size();
  const bool shows = detail::shows_unwritten;
  std::vector<int> displs(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) displs[static_cast<std::size_t>(i)] = 1 + 2 * i;
  const auto gaps = [&](const auto& all, auto pattern, auto before) {
    for (int i = 0; i < n; ++i) {
      check::expect(all[static_cast<std::size_t>(2 * i)] == (i == 0 ? before : pattern));
      check::expect(all[static_cast<std::size_t>(2 * i + 1)] == 5);
    }
  };
  gaps(comm.allgatherv(send_buf({5}), recv_displs(displs)), shows ? -67372037 : 0,
       shows ? -67372037 : 0);
  gaps(comm.allgatherv(send_buf({5.0}), recv_displs(displs)),
       shows ? -1.7044745290527055e+289 : 0.0, shows ? -1.7044745290527055e+289 : 0.0);
  gaps(comm.allgatherv(send_buf({5}), recv_displs(displs), recv_buf(std::vector<int>{3})),
       shows ? -67372037 : 0, 3);
}

// What a message of the right length overwrites is data, whatever it is.
TEST(data_of_the_expected_length_is_never_taken_for_a_shorter_message) {
  const basic_communicator<checked> comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  for (std::size_t n = 0; n < 20; ++n) {
    std::vector<char> mine(n, comm.rank() == 0 ? 'x' : 'y'), all(n * ranks, 'z'), part(n);
    comm.ibcast(send_recv_buf(mine)).wait();
    check::equal(mine, std::vector<char>(n, 'x'));
    comm.iscatter(send_buf(all), recv_buf(part)).wait();
    check::equal(part, std::vector<char>(n, 'z'));
    check::equal(comm.scatter(send_buf(all), recv_count(static_cast<int>(n))), part);
  }
}

namespace {

template <class T>
void begins_with_its_length(const communicator& comm) {
  for (const std::size_t n : lengths) {
    const int count = static_cast<int>(n);
    const std::vector<T> sent(n, static_cast<T>(n));
    std::vector<T> mine(n, comm.rank() == 0 ? static_cast<T>(n) : T());
    comm.bcast(send_recv_buf(mine), send_recv_count(count));
    check::expect(mine == sent);
    std::vector<T> all, part(n);
    for (int i = 0; i < comm.size(); ++i) all.insert(all.end(), sent.begin(), sent.end());
    comm.scatter(send_buf(all), recv_buf(part), recv_count(count));
    check::expect(part == sent);
  }
}

}  // namespace

TEST(data_that_begins_with_its_own_length_is_data) {
  begins_with_its_length<char>(communicator());
  begins_with_its_length<short>(communicator());
  begins_with_its_length<int>(communicator());
  begins_with_its_length<long>(communicator());
}

// Beyond the edge of a grid nobody tells a length; a neighbor does.
TEST(a_neighbor_that_tells_no_length_is_an_error) {
  const cartesian line(mpi::comm_world, {check::size()}, {0});
  const detail::group_view group{line.handle(), line.rank(), line.size()};
  detail::computed_layout layout(2);
  layout.expect_lengths();
  const auto read = [&] {
    check::equal(detail::read_lengths<operations::neighbor_alltoallv>(group, layout), count_t{0});
  };
  if (line.size() == 1)
    read();
  else
    caught<count_error>(read);
}

// The marks that a program did not ask for are left out where the processor reaches nothing.
TEST(memory_that_the_processor_does_not_reach_gets_no_mark) {
  constexpr std::size_t size = 4096;
  void* const mine =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  check::expect(mine != MAP_FAILED);
  for (const std::ptrdiff_t from : {0, 1, 7, 4088}) {
    check::expect(detail::can_be_read(static_cast<std::byte*>(mine) + from));
    check::expect(detail::mark_end_if_reached(static_cast<std::byte*>(mine) + from, 8, 1));
  }
  check::expect(!detail::mark_end_if_reached(mine, 7, 1), "shorter than a mark");
  mprotect(mine, size, PROT_NONE);
  check::expect(!detail::can_be_read(mine));
  check::expect(!detail::mark_end_if_reached(mine, 8, 1));
  munmap(mine, size);
  check::expect(!detail::can_be_read(mine));
}

TEST(one_look_tells_whether_all_parts_lie_in_a_buffer) {
  constexpr int values[] = {INT_MIN, -1, 0, 0, 0, 1, 3, 5, 1000, INT_MAX - 5, INT_MAX - 1, INT_MAX};
  constexpr std::size_t rooms[] = {
      0, 1, 5, 8, 1005, INT_MAX, std::size_t{1} << 31, std::size_t{1} << 40};
  std::mt19937 random(7);
  const auto drawn = [&](const auto& from) { return from[random() % std::size(from)]; };
  int right = 0;
  for (int round = 0; round < 200'000; ++round) {
    const std::size_t parts = random() % 10;
    std::vector<int> counts(parts), places(parts);
    // Few mistakes, so that each place is the only one in turn.
    for (std::size_t i = 0; i < parts; ++i) {
      counts[i] = random() % 4 == 0 ? drawn(values) : static_cast<int>(random() % 3);
      places[i] = random() % 4 == 0 ? drawn(values) : static_cast<int>(random() % 4);
    }
    const std::size_t room = drawn(rooms);
    bool expected = true, beyond_int = false;
    for (std::size_t i = 0; i < parts; ++i) {
      const long long end = static_cast<long long>(counts[i]) + places[i];
      if (counts[i] < 0) expected = false;
      if (counts[i] > 0 && (places[i] < 0 || end > static_cast<long long>(room))) expected = false;
      if (counts[i] > 0 && end > INT_MAX) beyond_int = true;
    }
    const bool told = detail::parts_lie_in(counts.data(), places.data(), parts, room);
    // What ends beyond the numbers of `int` takes the careful way.
    check::equal(told, expected && !beyond_int);
    if (told) ++right;
  }
  check::expect(right > 20'000 && right < 180'000);
}

namespace {

struct table {
  std::vector<int> counts, places;
};
// Two elements for each rank.
table right_for(const communicator& comm) {
  table all;
  for (int rank = 0; rank < comm.size(); ++rank) {
    all.counts.push_back(2);
    all.places.push_back(2 * rank);
  }
  return all;
}
using mistake = void (*)(table&, std::size_t self);
constexpr mistake mistakes_in_tables[] = {
    [](table& all, std::size_t self) { all.counts[self] = 1; },
    [](table& all, std::size_t) { all.counts.back() = -1; },
    [](table& all, std::size_t) { all.counts.back() = 1000; },
    [](table& all, std::size_t) { all.places.front() = -1; },
    [](table& all, std::size_t) { all.places.back() = 1000; },
    [](table& all, std::size_t) { all.counts.push_back(0); },
    [](table& all, std::size_t) { all.places.pop_back(); },
};

// Calls `call(sent, received)` with tables that are right, one of which has a mistake.
template <class Call>
void sees_mistakes_in(const communicator& comm, bool in_sent, Call call) {
  const auto self = static_cast<std::size_t>(comm.rank());
  const table right = right_for(comm);
  call(right, right);
  for (const mistake each : mistakes_in_tables) {
    table wrong = right;
    each(wrong, self);
    caught<error>([&] { in_sent ? call(wrong, right) : call(right, wrong); });
    call(right, right);
  }
  table empty = right;
  std::fill(empty.counts.begin(), empty.counts.end(), 0);
  std::fill(empty.places.begin(), empty.places.end(), -7);  // of parts without elements
  call(empty, empty);
}

}  // namespace

TEST(mistakes_in_given_counts_are_seen) {
  const communicator all, alone(MPI_COMM_SELF);
  for (const communicator* const comm : {&all, &alone}) {
    const auto length = static_cast<std::size_t>(2 * comm->size());
    const std::vector<int> many(length, comm->rank());
    std::vector<int> room(length);
    sees_mistakes_in(*comm, false, [&](const table& sent, const table& received) {
      const std::vector<int> mine(static_cast<std::size_t>(sent.counts[0]), 1);
      comm->allgatherv(send_buf(mine), recv_buf(room), recv_counts(received.counts),
                       recv_displs(received.places));
    });
    for (const bool in_sent : {true, false})
      sees_mistakes_in(*comm, in_sent, [&](const table& sent, const table& received) {
        comm->alltoallv(send_buf(many), send_counts(sent.counts), send_displs(sent.places),
                        recv_buf(room), recv_counts(received.counts), recv_displs(received.places));
      });
  }
  const std::vector<int> two(2);
  std::vector<int> room(2);
  sees_mistakes_in(alone, false, [&](const table& sent, const table& received) {
    const std::vector<int> mine(static_cast<std::size_t>(sent.counts[0]), 1);
    alone.gatherv(send_buf(mine), recv_buf(room), recv_counts(received.counts),
                  recv_displs(received.places));
  });
  sees_mistakes_in(alone, true, [&](const table& sent, const table& received) {
    alone.scatterv(send_buf(two), send_counts(sent.counts), send_displs(sent.places),
                   recv_buf(room), recv_count(received.counts[0]));
  });
}
