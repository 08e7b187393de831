// Tuples in named layouts: where their elements lie, and how bags of different layouts exchange them.

#include <array>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/device.hpp>
#include <mpiglot/layouts.hpp>
#include <mpiglot/memory_order.hpp>
#include <mpiglot/raw.hpp>
#if __has_include(<boost/pfr/core.hpp>)
#include <mpiglot/reflect.hpp>
#endif

#include "../cpp/check.hpp"
#include "scratch.hpp"

using namespace mpiglot;
using namespace mpiglot::layouts;

namespace {

// 12 bytes: the size of a tuple with a double is no multiple of that.
struct place {
  int x;
  float y;
  short z;
  short w;
  bool operator==(const place&) const = default;
};

}  // namespace

#if __has_include(<boost/pfr/core.hpp>)
template <>
struct mpiglot::datatype_traits<place> : mpiglot::fields_datatype<place> {};
#endif

namespace {

using complex = std::complex<double>;

// The bytes of all elements of a tuple of `n` items, without what lies between them.
constexpr count_t bytes_of(count_t n) {
  return n *
         static_cast<count_t>(sizeof(char) + 3 * sizeof(double) + sizeof(complex) + sizeof(place));
}

template <class T>
T value_of(count_t i, count_t d, int salt) {
  if constexpr (std::is_same_v<T, place>)
    return {static_cast<int>(i + salt), static_cast<float>(salt), static_cast<short>(i), 7};
  else
    return static_cast<T>(static_cast<char>(i * 5 + d + salt));
}

// Calls `f(element, i, d)` for each element of all members.
template <class Bag, class F>
void each_element(const Bag& of, const F& f) {
  const auto each_of = [&](auto member) {
    traverser(of ^ fix<'t'>(member)).for_each([&](auto s) {
      count_t d = 0;
      if constexpr (layouts::detail::has_index<decltype(s), 'd'>) d = get_index<'d'>(s);
      f(of[s & idx<'t'>(member)], get_index<'i'>(s), d);
    });
  };
  each_of(lit<0>);
  each_of(lit<1>);
  each_of(lit<2>);
  each_of(lit<3>);
}
template <class Bag>
void fill(const Bag& of, int salt, count_t from = 0) {
  each_element(of, [&](auto& element, count_t i, count_t d) {
    element = value_of<std::remove_cvref_t<decltype(element)>>(from + i, d, salt);
  });
}
constexpr std::byte untouched{0x5a};
template <class Bag>
void cover(const Bag& whole) {
  std::memset(whole.data(), 0x5a, static_cast<std::size_t>(static_cast<count_t>(whole.bytes())));
}
// Whether the part of a bag has the elements, and nothing else of its memory was written. Covers it.
template <class Part, class Whole>
void expect(const Part& part, const Whole& whole, int salt, count_t from = 0) {
  each_element(part, [&](auto& element, count_t i, count_t d) {
    using type = std::remove_cvref_t<decltype(element)>;
    check::equal(element == value_of<type>(from + i, d, salt), true);
    std::memset(static_cast<void*>(&element), 0x5a, sizeof element);
  });
  count_t changed = 0;
  for (count_t at = 0; at < static_cast<count_t>(whole.bytes()); ++at)
    changed += whole.data()[at] != untouched ? 1 : 0;
  check::equal(changed, count_t{0});
}

auto particle() {
  return tuple<'t'>(scalar<char>(), scalar<double>() ^ array<'d', 3>(), scalar<complex>(),
                    scalar<place>());
}
auto aos(count_t n) { return particle() ^ vector<'i'>(n); }
auto soa(count_t n) {
  return tuple<'t'>(scalar<char>() ^ vector<'i'>(n),
                    scalar<double>() ^ vectors<'i', 'd'>(n, lit<3>),
                    scalar<complex>() ^ vector<'i'>(n), scalar<place>() ^ vector<'i'>(n));
}

// Several layouts of `n` items: `f(part, whole)`, where `part` are elements of the memory of `whole`.
template <class F>
void each_layout(count_t n, const F& f) {
  const auto use = [&](const auto& structure, const auto& piece) {
    auto whole = bag(structure);
    cover(whole);
    f(whole ^ piece, whole);
  };
  use(aos(n), hoist<'i'>());
  use(soa(n), hoist<'i'>());
  use(aos(n + 3), slice<'i'>(2, n) ^ reverse<'i'>() ^ hoist<'d'>());
  use(aos(2 * n) ^ bcast<'k'>(1), step<'i'>(0, 2) ^ fix<'k'>(0));
}

template <class T, class F>
std::string reason_of(const F& wrong) {
  try {
    wrong();
  } catch (const T& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(a_bag_made_of_a_temporary_tuple_keeps_its_memory) {
  const auto particle = tuple<'t'>(scalar<char>(), scalar<double>() ^ vector<'d'>(3));
  auto every_other = bag(particle ^ vector<'i'>(4)) ^ step<'i'>(0, 2);
  static_assert(!std::is_copy_constructible_v<decltype(every_other)>);
  every_other[idx<'t', 'i', 'd'>(lit<1>, 1, 2)] = 2.5;
  auto places = std::move(every_other) ^ fix<'t'>(lit<1>);
  static_assert(!std::is_copy_constructible_v<decltype(places)>);
  auto last = std::move(places) ^ fix<'i'>(1);
  check::equal((last[idx<'d'>(2)]), 2.5);

  std::vector<std::byte> mine(64);
  auto borrowed = bag(particle, mine.data()) ^ fix<'t'>(lit<0>);
  static_assert(std::is_copy_constructible_v<decltype(borrowed)>);
}

TEST(members_lie_as_those_of_a_struct) {
  struct native {
    char a;
    double b[3];
    complex c;
    place d;
  };
  constexpr auto one = tuple<'t'>(scalar<char>(), scalar<double>() ^ array<'d', 3>(),
                                  scalar<complex>(), scalar<place>());
  static_assert(get_size(one) == sizeof(native));
  static_assert((one | offset(idx<'t', 'd'>(lit<1>, 2))) == offsetof(native, b) + 16);
  static_assert((one | offset(idx<'t'>(lit<3>))) == offsetof(native, d));
  std::vector<native> memory(4);
  memory[2].b[1] = 7;
  const auto b = bag(aos(4), memory.data());
  check::equal(b[idx<'t', 'i', 'd'>(lit<1>, 2, 1)], 7.0);
  b[idx<'t'>(lit<0>) & idx<'i'>(3)] = 'x';
  check::equal(memory[3].a, 'x');
  const auto constant = bag(aos(4), static_cast<const native*>(memory.data()));
  static_assert(std::is_same_v<decltype(constant[idx<'t', 'i'>(lit<3>, 0)]), const place&>);
  check::equal(get_length<'d'>(b), 3L);
  check::equal(get_length<'i'>(aos(4)), 4L);
  check::equal(get_size(b), static_cast<count_t>(4 * sizeof(native)));
  struct alignas(64) wide {
    int value[16];
  };
  const auto large = bag(tuple<'t'>(scalar<char>(), scalar<wide>()) ^ vector<'i'>(2));
  check::equal(reinterpret_cast<std::uintptr_t>(large.data()) % 64, std::uintptr_t{0});
  check::equal(get_size(large), 256L);
}

TEST(pieces_change_members_that_have_the_dimension) {
  const auto b = bag(soa(6));
  fill(b, 1);
  const auto blocks = b ^ into_blocks<'i', 'I', 'x'>(2) ^ hoist<'x'>() ^ rename<'d', 'e'>();
  check::equal(blocks[idx<'t', 'I', 'x', 'e'>(lit<1>, 2, 1, 2)], value_of<double>(5, 2, 1));
  check::equal(blocks[idx<'t', 'I', 'x'>(lit<2>, 1, 0)], value_of<complex>(2, 0, 1));
  const auto positions = b ^ fix<'t'>(lit<1>);
  check::equal(positions[idx<'i', 'd'>(4, 1)], value_of<double>(4, 1, 1));
  check::equal((b ^ fix(idx<'t', 'i'>(lit<3>, 2)))[idx<>()] == value_of<place>(2, 0, 1), true);
  check::equal((b ^ fix(idx<'i'>(5)))[idx<'t', 'd'>(lit<1>, 0)], value_of<double>(5, 0, 1));
  count_t visited = 0;
  traverser(b).for_each([&](auto s) {
    visited += b[s & idx<'t'>(lit<0>)] == value_of<char>(get_index<'i'>(s), 0, 1) ? 1 : 0;
  });
  check::equal(visited, 18L);
}

TEST(a_member_is_a_buffer_whatever_its_stride) {
  const communicator comm;
  each_layout(5, [&](auto part, auto& whole) {
    fill(part, 3);
    const auto member = part ^ fix<'t'>(lit<3>);
    auto copy = bag(scalar<place>() ^ vector<'i'>(5));
    comm.sendrecv(send_buf(member), recv_buf(copy), destination(comm.rank()), source(comm.rank()));
    for (count_t i = 0; i < 5; ++i)
      check::equal(copy[idx<'i'>(i)] == value_of<place>(i, 0, 3), true);
    const auto numbers = part ^ fix<'t'>(lit<1>) ^ hoist<'i'>();
    if (comm.rank() != 0) fill(part, 4);
    comm.bcast(send_recv_buf(numbers));
    comm.bcast(send_recv_buf(member));
    for (count_t i = 0; i < 5; ++i) {
      check::equal(numbers[idx<'i', 'd'>(i, 2)], value_of<double>(i, 2, 3));
      check::equal(member[idx<'i'>(i)] == value_of<place>(i, 0, 3), true);
    }
    auto as_it_lies = bag(scalar<place>() ^ vector<'i'>(5));
    const bool backwards = (member | offset(idx<'i'>(1))) < (member | offset(idx<'i'>(0)));
    comm.sendrecv(send_buf(memory_order(member)), recv_buf(as_it_lies), destination(comm.rank()),
                  source(comm.rank()));
    check::equal(as_it_lies[idx<'i'>(0)] == value_of<place>(backwards ? 4 : 0, 0, 3), true);
    comm.sendrecv(send_buf(device_aware(named<'x'>(member))), recv_buf(copy),
                  destination(comm.rank()), source(comm.rank()));
    check::equal(copy[idx<'i'>(4)] == value_of<place>(4, 0, 3), true);
    auto all = bag(scalar<place>() ^ vectors<'i', 'r'>(5, comm.size()));
    comm.allgather(send_buf(member), recv_buf(all));
    check::equal(all[idx<'i', 'r'>(4, comm.size() - 1)] == value_of<place>(4, 0, 3), true);
    const auto type = as_datatype(member);
    check::equal(mpi::type_size(type), count_t{60});
    cover(whole);
  });
}

TEST(whole_tuples_are_one_message_without_padding) {
  const communicator comm;
  int salt = 0;
  for (const count_t n : {0, 1, 5})
    each_layout(n, [&](auto from, auto& memory) {
      each_layout(n, [&](auto into, auto& other) {
        ++salt;
        const int next = (comm.rank() + 1) % comm.size();
        const int before = (comm.rank() + comm.size() - 1) % comm.size();
        const auto a = from ^ hoist<'i'>();
        const auto b = into ^ hoist<'i'>();
        fill(from, salt + comm.rank());
        auto request = comm.isend(send_buf(a), destination(next));
        check::equal(comm.probe(source(before)).count(mpi::datatype_handle{MPI_BYTE}), bytes_of(n));
        comm.recv(recv_buf(b), source(before));
        request.wait();
        expect(into, other, salt + before);
        auto coming = comm.irecv(recv_buf(b), source(before));
        comm.send(send_buf(a), destination(next));
        coming.wait();
        expect(into, other, salt + before);
        comm.sendrecv(send_buf(a), recv_buf(b), destination(next), source(before));
        expect(into, other, salt + before);
        if (comm.rank() == 0) fill(into, salt);
        comm.bcast(send_recv_buf(b));
        expect(into, other, salt);
        if (comm.rank() == 0) fill(into, salt + 1);
        comm.ibcast(send_recv_buf(b)).wait();
        expect(into, other, salt + 1);
      });
      cover(memory);
    });
}

TEST(persistent_messages_of_tuples_are_packed_each_time) {
  const communicator comm;
  const auto a = bag(aos(4));
  const auto whole = bag(soa(4));
  const auto b = whole ^ hoist<'i'>();
  cover(whole);
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  auto coming = comm.recv_init(recv_buf(b), source(before));
  auto going = comm.send_init(send_buf(a), destination(next));
  for (const int salt : {1, 2}) {
    fill(a, salt + comm.rank());
    coming.start();
    going.start();
    going.wait();
    coming.wait();
    expect(whole, whole, salt + before);
  }
}

TEST(owned_bags_are_received_and_returned) {
  const communicator comm;
  auto sent = bag(aos(3));
  fill(sent, 9);
  auto request = comm.isend(send_buf(sent), destination(comm.rank()));
  auto received = bag(aos(3));
  cover(received);
  auto got = comm.recv(recv_buf(std::move(received)), source(comm.rank()));
  request.wait();
  expect(got, got, 9);
}

TEST(a_dimension_of_several_members_has_one_length) {
  const auto line = scalar<int>() ^ vector<'i'>(3);
  check::equal(
      reason_of<layout_error>([&] {
        (void)tuple<'t'>(line, scalar<double>() ^ vectors<'i', 'd'>(4, 2));
      }).find("the length of 'i' is 3 in one structure and 4 in another") != std::string::npos,
      true);
  check::equal(reason_of<layout_error>([&] {
                 (void)tuple<'t'>(scalar<char>(), line, line, scalar<double>() ^ array<'i', 4>());
               }) != "no error",
               true);
  const auto fits = tuple<'t'>(line, scalar<double>() ^ vectors<'d', 'i'>(2, 3), scalar<char>());
  check::equal(get_length<'i'>(fits), count_t{3});
  check::equal(reason_of<layout_error>([&] {
                 (void)(fits | offset(idx<'t', 'i'>(lit<0>, 3)));
               }).find("'i' has no index 3") != std::string::npos,
               true);
}

TEST(another_length_is_an_error) {
  const communicator comm;
  auto sent = bag(aos(3));
  auto request = comm.isend(send_buf(sent), destination(comm.rank()));
  auto longer = bag(aos(4));
  check::equal(
      reason_of<error>([&] { comm.recv(recv_buf(longer), source(comm.rank())); }) != "no error",
      true);
  request.wait();
}

TEST(parts_of_tuples_are_shared_out) {
  const communicator comm;
  const count_t n = 3 * comm.size();
  int salt = 0;
  each_layout(n, [&](auto from, auto& memory) {
    const auto mine =
        mpi_traverser<'r'>(traverser(from) ^ hoist<'i'>() ^ into_blocks<'i', 'r', 'y'>(), comm);
    each_layout(3, [&](auto part, auto& own) {
      const auto tile = part ^ rename<'i', 'y'>();
      const int last = comm.size() - 1;
      ++salt;
      if (comm.rank() == last) fill(from, salt);
      mine.scatter(send_buf(from), recv_buf(tile), root(last));
      if (comm.rank() == last) expect(from, memory, salt);
      expect(part, own, salt, 3 * comm.rank());
      fill(part, salt + 1, 3 * comm.rank());
      mine.gather(send_buf(tile), recv_buf(from), root(0));
      if (comm.rank() == 0) expect(from, memory, salt + 1);
      mine.iallgather(send_buf(tile), recv_buf(from)).wait();
      expect(from, memory, salt + 1);
      cover(own);
      fill(from, salt + 2);
      mine.iscatter(send_buf(from), recv_buf(tile), root(0)).wait();
      expect(from, memory, salt + 2);
      expect(part, own, salt + 2, 3 * comm.rank());
      // One part to another rank.
      fill(from, salt + 3);
      const int next = (comm.rank() + 1) % comm.size();
      const int before = (comm.rank() + last) % comm.size();
      mine.sendrecv(send_buf(from), recv_buf(tile), destination(next), source(before));
      expect(part, own, salt + 3, 3 * before);
      expect(from, memory, salt + 3);
      if (comm.rank() == 0) fill(part, salt);
      mine.bcast(send_recv_buf(tile));
      expect(part, own, salt);
    });
  });
}

TEST(uneven_and_dealt_parts_of_tuples_reach_their_ranks) {
  const communicator comm;
  const auto exchange = [&](const auto& from, const auto& memory, const auto& mine) {
    const count_t length = get_length<'y'>(mine);
    const auto check_both = [&](const auto& structure) {
      auto tile = bag(structure);
      fill(from, 1);
      mine.scatter(send_buf(from), recv_buf(tile));
      mine.for_each([&](auto s) {
        const auto i = get_index<'i'>(s);
        check::equal(tile[s & idx<'t'>(lit<0>)], value_of<char>(i, 0, 1));
        check::equal(tile[s & idx<'t'>(lit<1>)], value_of<double>(i, get_index<'d'>(s), 1));
      });
      expect(from, memory, 1);
      mine.allgather(send_buf(tile), recv_buf(from));
      expect(from, memory, 1);
    };
    check_both(aos(length) ^ rename<'i', 'y'>());
    check_both(soa(length) ^ rename<'i', 'y'>());
  };
  for (const count_t n : {0, 1, 7})
    each_layout(n, [&](auto from, auto& memory) {
      exchange(from, memory,
               mpi_traverser<'r'>(traverser(from) ^ into_blocks<'i', 'r', 'y'>(uneven), comm));
      exchange(from, memory,
               mpi_traverser<'r'>(traverser(from) ^ deal_blocks<'i', 'r', 'y'>(2), comm));
    });
}

TEST(tuples_go_from_all_to_all) {
  const communicator comm;
  const auto all = bag(aos(comm.size()) ^ hoist<'i'>());
  const auto back = bag(soa(comm.size()));
  cover(back);
  fill(all, comm.rank());
  const auto each = mpi_traverser<'i'>(traverser(all), comm);
  each.alltoall(send_buf(all), recv_buf(back));
  for (count_t i = 0; i < comm.size(); ++i) {
    const auto k = static_cast<int>(i);
    check::equal(back[idx<'t', 'i', 'd'>(lit<1>, i, 2)], value_of<double>(comm.rank(), 2, k));
    check::equal(back[idx<'t', 'i'>(lit<0>, i)], value_of<char>(comm.rank(), 0, k));
  }
}

TEST(uneven_rows_of_tuples_become_dealt_columns) {
  const communicator comm;
  const auto cell = tuple<'t'>(scalar<char>(), scalar<double>());
  const auto matrix = cell ^ vectors<'i', 'j'>(5, 7);
  const auto cut = traverser(bag(matrix)) ^ into_blocks<'i', 'r', 'y'>(uneven) ^
                   set_length<'r'>(comm.size()) ^ deal_blocks<'j', 's', 'x'>(2) ^
                   set_length<'s'>(comm.size());
  const auto by_rows = mpi_traverser<'r'>(cut, comm);
  const auto by_columns = mpi_traverser<'s'>(cut, comm);
  const count_t height = get_length<'y'>(by_rows);
  const count_t width = get_length<'x'>(by_columns);
  const auto rows = bag(cell ^ vectors<'j', 'y'>(7, height));
  const auto columns = bag(tuple<'t'>(scalar<char>() ^ vectors<'x', 'i'>(width, 5),
                                      scalar<double>() ^ vectors<'i', 'x'>(5, width)));
  cover(columns);
  for (count_t y = 0; y < height; ++y)
    for (count_t j = 0; j < 7; ++j) {
      const count_t value = 10 * (y + (5 + comm.size() - 1) / comm.size() * comm.rank()) + j;
      rows[idx<'t', 'j', 'y'>(lit<0>, j, y)] = static_cast<char>(value);
      rows[idx<'t', 'j', 'y'>(lit<1>, j, y)] = static_cast<double>(value) / 2;
    }
  by_rows.alltoall<'s'>(send_buf(rows), recv_buf(columns));
  count_t x = 0;
  for (count_t j = 0; j < 7; ++j) {
    if (j / 2 % comm.size() != comm.rank()) continue;
    for (count_t i = 0; i < 5; ++i) {
      check::equal(columns[idx<'t', 'i', 'x'>(lit<0>, i, x)], static_cast<char>(10 * i + j));
      check::equal(columns[idx<'t', 'i', 'x'>(lit<1>, i, x)], static_cast<double>(10 * i + j) / 2);
    }
    ++x;
  }
  check::equal(x, width);
}

TEST(a_bag_of_another_length_is_refused_by_its_rank_only) {
  const communicator comm;
  const auto whole = bag(aos(2 * comm.size()));
  fill(whole, 1);
  const auto mine = mpi_traverser<'r'>(traverser(whole) ^ into_blocks<'i', 'r', 'y'>(), comm);
  const bool wrong = comm.rank() == 0 && comm.size() > 1;
  const auto tile = bag(soa(wrong ? 3 : 2) ^ rename<'i', 'y'>());
  const auto reason = reason_of<view_error>(
      [&] { mine.scatter(send_buf(whole), recv_buf(tile), root(comm.size() - 1)); });
  check::equal(reason.find("'y'") != std::string::npos, wrong);
  if (!wrong)
    check::equal(tile[idx<'t', 'y'>(lit<0>, 1)], value_of<char>(2 * comm.rank() + 1, 0, 1));
}

TEST(the_datatype_of_a_tuple_is_a_struct_of_all_elements) {
  const communicator comm;
  each_layout(5, [&](auto part, auto& whole) {
    fill(part, 2);
    const auto type = as_datatype(part);
    check::equal(mpi::type_size(type), bytes_of(5));
    const auto copy = bag(soa(5));
    cover(copy);
    const auto b = copy ^ hoist<'i'>();
    const auto a = part ^ hoist<'i'>();
    const auto sent = as_datatype(a);
    const auto received = as_datatype(b);
    comm.sendrecv(send_buf(raw(a.data(), 1, sent)), recv_buf(raw(b.data(), 1, received)),
                  destination(comm.rank()), source(comm.rank()));
    expect(copy, copy, 2);
    cover(whole);
  });
}

TEST(files_have_the_elements_of_tuples) {
  const scratch place;
  const file both = place.open();
  const auto b = bag(aos(3));
  const auto c = bag(soa(3));
  const auto first = bytes_of(3) * place.comm().rank();
  fill(b, 5 + place.comm().rank());
  cover(c);
  both.write(send_buf(b ^ hoist<'i'>()), at(first));
  both.read(recv_buf(c ^ hoist<'i'>()), at(first));
  expect(c, c, 5 + place.comm().rank());
}
