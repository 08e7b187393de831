// Named layouts: where the pieces put elements, the order in which traversers walk, bags as buffers.

#include <string>
#include <utility>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/layouts.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;
using namespace mpiglot::layouts;

// A line of numbers whose steps count bytes, or halves of a number.
template <count_t Unit>
struct counted_in {
  double* first;
  long length;
  long step;
};

template <count_t Unit>
struct mpiglot::view_traits<counted_in<Unit>> {
  static constexpr std::size_t rank = 1;
  static constexpr long stride_unit = Unit;
  [[nodiscard]] static double* data(const counted_in<Unit>& of) noexcept { return of.first; }
  [[nodiscard]] static long extent(const counted_in<Unit>& of, std::size_t) noexcept {
    return of.length;
  }
  [[nodiscard]] static long stride(const counted_in<Unit>& of, std::size_t) noexcept {
    return of.step;
  }
};

namespace {

template <class F>
std::string reason_of(F wrong) {
  try {
    wrong();
  } catch (const layout_error& error) {
    return error.what();
  }
  return "no error";
}

// The places of all elements in the order of the signature.
template <class Structure>
std::vector<count_t> places(const Structure& structure) {
  std::vector<count_t> found;
  traverser(structure).for_each([&](auto state) {
    found.push_back((structure | offset(state)) / static_cast<count_t>(sizeof(int)));
  });
  return found;
}

using list_of = std::vector<count_t>;

constexpr auto rows = scalar<int>() ^ array<'j', 3>() ^ array<'i', 2>();

}  // namespace

TEST(static_lengths_make_static_layouts) {
  static_assert((rows | get_length<'i'>()) == 2 && get_length<'j'>(rows) == 3);
  static_assert((rows | get_size()) == 6 * sizeof(int));
  static_assert((rows | offset(idx<'i', 'j'>(1, 2))) == 5 * sizeof(int));
  static_assert(std::is_empty_v<decltype(rows)>);
  constexpr auto tiles = rows ^ into_blocks<'j', 'J', 'x'>(lit<3>) ^ set_length<'J'>(lit<1>);
  static_assert((tiles | offset(idx<'i', 'J', 'x'>(1, 0, 2))) == 5 * sizeof(int));
  static_assert(std::is_empty_v<decltype(tiles)>);
}

TEST(pieces_put_elements_in_their_places) {
  const auto matrix = scalar<int>() ^ vector<'j'>(3) ^ vector<'i'>(4);
  check::equal(places(matrix ^ fix<'i'>(2)), list_of{6, 7, 8});
  check::equal(places(matrix ^ hoist<'j'>() ^ slice<'i'>(1, 2)), list_of{3, 6, 4, 7, 5, 8});
  check::equal(places(matrix ^ span<'i'>(2, 4) ^ fix<'j'>(1)), list_of{7, 10});
  check::equal(places(matrix ^ shift<'i'>(3)), list_of{9, 10, 11});
  check::equal(places(matrix ^ fix<'j'>(0) ^ step<'i'>(1, 2)), list_of{3, 9});
  check::equal(places(matrix ^ fix<'j'>(0) ^ step<'i'>(0, 3)), list_of{0, 9});
  check::equal(places(matrix ^ fix<'i'>(1) ^ reverse<'j'>()), list_of{5, 4, 3});
  check::equal(places(matrix ^ fix<'j'>(0) ^ reverse<'i'>() ^ slice<'i'>(1, 2)), list_of{6, 3});
  check::equal(places(matrix ^ fix<'i', 'j'>(3, 2)), list_of{11});
  check::equal(places(matrix ^ fix(idx<'j', 'k'>(2, 9))), list_of{2, 5, 8, 11});
  check::equal(places(matrix ^ slice<'i'>(4, 0)), list_of{});
  check::equal(places(matrix ^ fix<'i'>(0) ^ rename<'j', 'y'>() ^ fix<'y'>(1)), list_of{1});
  check::equal(places(scalar<int>() ^ vector<'j'>(2) ^ bcast<'r'>(3)), list_of{0, 1, 0, 1, 0, 1});
  check::equal(places(matrix ^ bcast<'r'>(2) ^ vector<'k'>(2) ^ fix<'i', 'j', 'r'>(0, 0, 1)),
               list_of{0, 12});
}

TEST(blocks_split_and_merge) {
  const auto line = scalar<int>() ^ vector<'i'>(6);
  const auto blocks = line ^ into_blocks<'i', 'b', 'e'>(2);
  check::equal(places(blocks), list_of{0, 1, 2, 3, 4, 5});
  check::equal(places(blocks ^ hoist<'e'>()), list_of{0, 2, 4, 1, 3, 5});
  check::equal(places(blocks ^ fix<'b'>(1)), list_of{2, 3});
  const auto three = line ^ into_blocks<'i', 'b'>() ^ set_length<'b'>(3);
  check::equal(get_length<'i'>(three), 2L);
  const auto both =
      line ^ into_blocks<'i', 'b', 'e'>(2) ^ hoist<'e'>() ^ merge_blocks<'e', 'b', 'm'>();
  check::equal(get_length<'m'>(both), 6L);
  check::equal(places(both), list_of{0, 2, 4, 1, 3, 5});
  check::equal(places(both ^ fix<'m'>(4)), list_of{3});
}

TEST(uneven_blocks_have_all_elements) {
  for (const count_t n : {0, 1, 4, 5, 6, 7, 12})
    for (const count_t block : {1, 2, 3, 7}) {
      const auto blocks =
          scalar<int>() ^ vector<'i'>(n) ^ into_blocks<'i', 'b', 'e'>(block, uneven);
      list_of all;
      for (count_t i = 0; i < n; ++i) all.push_back(i);
      check::equal(places(blocks), all);
      check::equal(get_length<'b'>(blocks), (n + block - 1) / block);
    }
  const auto over_four =
      scalar<int>() ^ vector<'i'>(5) ^ into_blocks<'i', 'b', 'e'>(uneven) ^ set_length<'b'>(4);
  list_of lengths;
  for (count_t b = 0; b < 4; ++b) lengths.push_back(get_length<'e'>(over_four ^ fix<'b'>(b)));
  check::equal(lengths, list_of{2, 2, 1, 0});
}

TEST(lengths_can_be_set_later) {
  const auto open = scalar<int>() ^ vectors<'n', 'm'>() ^ into_blocks<'m', 'M', 'y'>() ^
                    into_blocks<'n', 'N', 'x'>() ^ merge_blocks<'M', 'N', 'r'>();
  const auto set = open ^ set_length<'n', 'm'>(6, 8) ^ set_length<'M'>(4) ^ set_length<'r'>(8);
  check::equal(get_length<'y'>(set), 2L);
  check::equal(get_length<'x'>(set), 3L);
  check::equal(set | offset(idx<'r', 'y', 'x'>(3, 1, 2)), ((2 + 1) * 6 + 3 + 2) * 4L);
  const auto other = scalar<int>() ^ vectors<'n', 'm'>() ^
                     lengths_like<'n', 'm'>(rows ^ rename<'j', 'n'>() ^ rename<'i', 'm'>());
  check::equal(other | get_size(), 24L);
  const auto like = scalar<int>() ^ vectors<'n', 'm', 'k'>() ^
                    set_length(rows ^ rename<'j', 'n'>() ^ rename<'i', 'm'>()) ^ set_length<'k'>(5);
  check::equal(like | get_size(), 120L);
  // Also those of dimensions that are merged.
  const auto grid = scalar<int>() ^ vectors<'j', 'i'>(6, 4) ^ into_blocks<'i', 'I', 'y'>(2) ^
                    into_blocks<'j', 'J', 'x'>(2) ^ merge_blocks<'I', 'J', 'r'>();
  const auto tiled = scalar<int>() ^ vectors<'j', 'i'>(6, 4) ^ into_blocks<'i', 'I', 'y'>() ^
                     into_blocks<'j', 'J', 'x'>() ^ set_length(traverser(grid));
  check::equal(get_length<'J'>(tiled), 3L);
  check::equal(get_length<'y'>(tiled), 2L);
  const auto renamed = scalar<int>() ^ vector<'n'>() ^ rename<'n', 'x'>() ^ set_length<'x'>(5);
  check::equal(get_length<'x'>(renamed), 5L);
  check::equal(get_size(scalar<short>() ^ vectors_like<'j', 'i'>(rows)), 12L);
}

TEST(traversers_join_index_spaces) {
  const auto a = bag(scalar<int>() ^ vectors<'k', 'i'>(2, 3));
  const auto b = bag(scalar<int>() ^ vectors<'j', 'k'>(4, 2));
  auto c = bag(scalar<int>() ^ vectors<'i', 'j'>(3, 4));
  traverser(a).for_each([&](auto s) { a[s] = static_cast<int>(1 + get_index<'i'>(s) * 2); });
  traverser(b).for_each([&](auto s) { b[s] = static_cast<int>(get_index<'j'>(s)); });
  traverser(a, b).for_each([&](auto s) { c[s] += a[s] * b[s]; });
  traverser(c).for_each([&](auto s) {
    check::equal(count_t{c[s]}, 2 * (1 + get_index<'i'>(s) * 2) * get_index<'j'>(s));
  });

  list_of order;
  (traverser(c) ^ hoist<'i'>() ^ slice<'j'>(1, 2) ^ reverse<'i'>()).for_each([&](auto s) {
    order.push_back(get_index<'i'>(s) * 10 + get_index<'j'>(s));
  });
  check::equal(order, list_of{21, 22, 11, 12, 1, 2});

  order.clear();
  (traverser(c) ^ into_blocks<'j', 'J', 'y'>(3, uneven)).for_each([&](auto s) {
    if (get_index<'i'>(s) == 0)
      order.push_back(get_index<'J'>(s) * 100 + get_index<'y'>(s) * 10 + get_index<'j'>(s));
  });
  check::equal(order, list_of{0, 11, 22, 103});
}

TEST(traversers_walk_parts) {
  const auto space = traverser(scalar<int>() ^ vectors<'k', 'j', 'i'>(2, 3, 4));
  list_of found;
  space.for_dims<'k', 'i'>([&](auto inner) {
    check::equal(get_length<'j'>(inner), 3L);
    const auto [i, k] = get_indices<'i', 'k'>(inner.state());
    inner.for_each([&](auto s) {
      check::equal(get_index<'k'>(s), k);
      if (get_index<'j'>(s) == 0) found.push_back(k * 10 + i);
    });
  });
  check::equal(found, list_of{0, 1, 2, 3, 10, 11, 12, 13});
  found.clear();
  space.for_sections<'k', 'i'>([&](auto section) {
    count_t places = 0;
    section.for_each([&](auto) { ++places; });
    found.push_back(places);
  });
  check::equal(found, list_of{8, 8, 8});
  int calls = 0;
  (space ^ fix<'j'>(1)) | [&](auto s) { calls += get_index<'j'>(s) == 1 ? 1 : 100; };
  check::equal(calls, 8);
}

TEST(layouts_that_do_not_fit_are_refused) {
  const auto line = scalar<int>() ^ vector<'i'>(6);
  const auto expect = [](const std::string& found, const char* wanted) {
    check::expect(found.find(wanted) != std::string::npos);
  };
  expect(reason_of([&] { (void)(line ^ into_blocks<'i', 'b'>(4)); }),
         "'i', 6, is not divisible by 4");
  expect(reason_of([&] { (void)(line ^ into_blocks<'i', 'b'>(0)); }), "not divisible by 0");
  expect(reason_of([&] { (void)(line ^ fix<'i'>(6)); }), "'i' has no index 6: its length is 6");
  expect(reason_of([&] { (void)(line ^ fix<'i'>(-1)); }), "no index -1");
  expect(reason_of([&] { (void)(line ^ slice<'i'>(3, 4)); }), "part of 'i'");
  expect(reason_of([&] { (void)(line ^ slice<'i'>(-1, 1)); }), "part of 'i'");
  expect(reason_of([&] { (void)(line ^ span<'i'>(4, 3)); }), "part of 'i'");
  expect(reason_of([&] { (void)(line ^ shift<'i'>(7)); }), "part of 'i'");
  expect(reason_of([&] { (void)(line ^ step<'i'>(0, 0)); }), "at least 1, not 0");
  expect(reason_of([&] { (void)(line ^ set_length<'i'>(7)); }), "is 6 and cannot be set to 7");
  expect(reason_of([&] { (void)(scalar<int>() ^ vector<'i'>(-2)); }), "negative: -2");
  expect(reason_of([&] { (void)traverser(line, scalar<int>() ^ vector<'i'>(5)); }),
         "is 6 in one structure and 5 in another");
  expect(reason_of([&] { (void)(line ^ vector<'j'>(count_t{1} << 62)); }), "exceed 64 bits");
  expect(reason_of([&] {
           (void)(line ^ into_blocks<'i', 'b', 'e'>() ^ merge_blocks<'b', 'e', 'r'>() ^
                  set_length<'b'>(4));
         }),
         "not divisible by 4");
  const auto grid = scalar<int>() ^ vectors<'n', 'm'>(6, 8) ^ into_blocks<'m', 'M'>() ^
                    into_blocks<'n', 'N'>() ^ merge_blocks<'M', 'N', 'r'>() ^ set_length<'M'>(4);
  expect(reason_of([&] { (void)(grid ^ set_length<'r'>(6)); }), "'r', 6, is not divisible by 4");
}

TEST(lengths_below_zero_and_above_63_bits_are_refused) {
  const auto line = scalar<int>() ^ vector<'i'>(6);
  const auto refused = [](auto make, const std::string& wanted) {
    const std::string found = reason_of(make);
    if (found.find(wanted) == std::string::npos) check::equal(found, wanted);
  };
  const std::string length_of_j = "the length of 'j' exceeds 63 bits or is negative: -1";
  const auto below = [&]<class N>(N length) {
    refused([&] { (void)(line ^ vector<'j'>(length)); }, length_of_j);
    refused([&] { (void)(line ^ vectors<'k', 'j'>(2, length)); }, length_of_j);
    refused([&] { (void)(line ^ bcast<'j'>(length)); }, length_of_j);
    refused([&] { (void)(line ^ vector<'j'>() ^ set_length<'j'>(length)); }, length_of_j);
  };
  below(-1);
  below(static_cast<signed char>(-1));
  below(count_t{-1});
  below(lit<-1>);
  below(~0ULL);
  refused([&] { (void)(line ^ array<'j', -1>()); }, length_of_j);
  refused([&] { (void)(line ^ into_blocks<'i', 'b'>(-3)); },
          "the length of 'i', 6, is not divisible by -3; pass uneven");
  for (const int block : {-3, 0})
    refused([&] { (void)(line ^ into_blocks<'i', 'b'>(block, uneven)); },
            "'i', of length 6, is split by a length of at least 1, not " + std::to_string(block));
  refused([&] { (void)(line ^ into_blocks<'i', 'b'>(uneven) ^ set_length<'b'>(0)); },
          "'i', of length 6, is split by a length of at least 1, not 0");
  refused([&] { (void)(line ^ deal_blocks<'i', 'r'>(-1) ^ set_length<'r'>(2)); },
          "'i' is dealt in blocks of at least 1 index, not of -1");
  refused([&] { (void)(line ^ deal_blocks<'i', 'r'>(1) ^ set_length<'r'>(0)); },
          "'i' is dealt to 0, at least 1 is needed");
  refused([&] { (void)(line ^ slice<'i'>(0, -1)); },
          "a part of 'i' does not lie in it: it begins at 0 and the length is 6");
  refused([&] { (void)(line ^ step<'i'>(0, -1)); }, "a step along 'i' is at least 1, not -1");
  check::equal(count_t{0},
               get_length<'b'>(scalar<int>() ^ vector<'i'>(0) ^ into_blocks<'i', 'b'>(0, uneven)));
}

TEST(a_bag_made_of_a_temporary_keeps_its_memory) {
  const auto fill = [](auto& bag) {
    int next = 0;
    traverser(bag).for_each([&](auto state) { bag[state] = ++next; });
  };
  auto columns = bag(scalar<int>() ^ vectors<'j', 'i'>(4, 3)) ^ hoist<'j'>() ^ reverse<'j'>();
  static_assert(!std::is_copy_constructible_v<decltype(columns)>);
  fill(columns);
  check::equal(columns.data()[3], 1);  // column 3 of row 0
  check::equal((columns[idx<'i', 'j'>(2, 0)]), 3);

  auto owner = bag(scalar<int>() ^ vectors<'j', 'i'>(4, 3));
  const int* const memory = owner.data();
  auto seen = owner ^ fix<'i'>(1);  // the owner has a name: it stays the owner
  static_assert(std::is_copy_constructible_v<decltype(seen)>);
  auto moved = std::move(owner) ^ fix<'i'>(1);
  check::expect(moved.data() == memory);
  fill(moved);
  check::equal((seen[idx<'j'>(3)]), 4);

  // A pointer owns nothing, so both are the same.
  std::vector<int> mine(12);
  auto borrowed = bag(scalar<int>() ^ vectors<'j', 'i'>(4, 3), mine.data()) ^ fix<'i'>(2);
  static_assert(std::is_copy_constructible_v<decltype(borrowed)>);
  check::expect(bag(scalar<int>(), mine.data()).get_ref().data() == mine.data());

  const communicator comm;
  auto sent = bag(scalar<int>() ^ vectors<'j', 'i'>(4, 3)) ^ hoist<'j'>();
  if (comm.rank() == 0) fill(sent);
  auto received = comm.bcast(send_recv_buf(std::move(sent) ^ reverse<'i'>()));
  check::equal((received[idx<'i', 'j'>(0, 1)]), 6);
}

TEST(a_parallel_walk_keeps_its_function) {
  auto squares = bag(scalar<int>() ^ vector<'i'>(5));
  const auto walk = parallel<'i'>([&squares, kept = std::vector<int>{0, 1, 4, 9, 16}](auto state) {
    squares[state] = kept[static_cast<std::size_t>(get_index<'i'>(state))];
  });
  traverser(squares) | walk;
  check::equal((squares[idx<'i'>(4)]), 16);
}

TEST(an_index_outside_its_dimension_has_no_offset) {
  const auto refused = [](const auto& structure, const auto& state, const char* wanted) {
    check::equal(
        reason_of([&] { (void)(structure | offset(state)); }).find(wanted) != std::string::npos,
        true);
  };
  const auto bytes = [](const auto& structure, const auto& state) {
    return (structure | offset(state)) / static_cast<count_t>(sizeof(int));
  };
  const auto matrix = scalar<int>() ^ vectors<'j', 'i'>(4, 6);
  refused(matrix, idx<'i', 'j'>(0, 99), "'j' has no index 99: its length is 4");
  refused(matrix, idx<'i', 'j'>(6, 0), "'i' has no index 6: its length is 6");
  refused(matrix, idx<'i', 'j'>(0, -1), "'j' has no index -1");
  refused(matrix, idx<'i', 'j'>(lit<6>, lit<0>), "'i' has no index 6");
  refused(rows, idx<'i', 'j'>(lit<2>, 0), "'i' has no index 2");
  check::equal(bytes(matrix, idx<'i', 'j', 'k'>(5, 3, 99)), count_t{23});

  const auto merged = matrix ^ merge_blocks<'i', 'j', 'm'>();
  check::equal(bytes(merged, idx<'m'>(23)), count_t{23});
  refused(merged, idx<'m'>(24), "'m' has no index 24: its length is 24");
  // The last block is shorter, whatever the order.
  const auto uneven_rows = matrix ^ into_blocks<'i', 'b', 'e'>(4, uneven) ^ hoist<'j', 'b', 'e'>();
  check::equal(bytes(uneven_rows, idx<'b', 'e', 'j'>(1, 1, 0)), count_t{20});
  check::equal(bytes(uneven_rows, idx<'b', 'e', 'j'>(0, 3, 0)), count_t{12});
  refused(uneven_rows, idx<'b', 'e', 'j'>(1, 2, 0), "'e' has no index 2: its length is 2");
  refused(uneven_rows, idx<'b', 'e', 'j'>(2, 0, 0), "'b' has no index 2");
  refused(uneven_rows ^ hoist<'e'>(), idx<'b', 'e', 'j'>(1, 2, 0), "'e' has no index 2");
  // Rows 0, 1, 4, 5 of rank 0 and 2, 3 of rank 1.
  const auto dealt = matrix ^ deal_blocks<'i', 'r', 'y'>(2) ^ set_length<'r'>(2);
  refused(dealt, idx<'r', 'y', 'j'>(1, 2, 0), "'y' has no index 2: its length is 2");
  const auto mine = dealt ^ fix<'r'>(0);
  check::equal(bytes(mine, idx<'y', 'j'>(3, 0)), count_t{20});
  refused(mine, idx<'y', 'j'>(4, 0), "'y' has no index 4: its length is 4");
}

TEST(bags_own_or_borrow_memory) {
  std::vector<int> memory(6, 5);
  const auto borrowed = bag(rows, memory.data());
  borrowed[idx<'i', 'j'>(1, 0)] = 9;
  check::equal(memory[3], 9);
  const auto copy = borrowed;
  check::expect(copy.data() == memory.data());
  auto owned = bag(rows);
  check::equal(owned[idx<'j', 'i'>(2, 1)], 0);
  const auto column = owned ^ fix<'j'>(1);
  column[idx<'i'>(1)] = 3;
  check::equal(owned[idx<'i', 'j'>(1, 1)], 3);
  const auto moved = static_cast<decltype(owned)&&>(owned);
  check::equal(moved.get_ref()[idx<'i', 'j'>(1, 1)], 3);
  const int constant[] = {1, 2, 3, 4, 5, 6};
  check::equal(bag(rows, constant)[idx<'i', 'j'>(1, 2)], 6);
}

TEST(bags_are_buffers_in_the_order_of_their_signature) {
  const communicator comm;
  // Rows on rank 0, columns everywhere else: named in the same order, elements find their places.
  auto by_rows = bag(scalar<int>() ^ vectors<'j', 'i'>(3, 4));
  auto by_columns = bag(scalar<int>() ^ vectors<'i', 'j'>(4, 3));
  if (comm.rank() == 0)
    traverser(by_rows).for_each(
        [&](auto s) { by_rows[s] = static_cast<int>(get_index<'i'>(s) * 10 + get_index<'j'>(s)); });
  auto columns = by_columns ^ hoist<'i'>();
  if (comm.rank() == 0)
    comm.bcast(send_recv_buf(by_rows));
  else
    comm.bcast(send_recv_buf(columns));
  traverser(by_rows).for_each([&](auto s) {
    const auto wanted = static_cast<int>(get_index<'i'>(s) * 10 + get_index<'j'>(s));
    check::equal(comm.rank() == 0 ? by_rows[s] : by_columns[s], wanted);
  });

  // A part, backwards.
  auto part = by_rows ^ slice<'i'>(1, 2) ^ reverse<'j'>();
  const auto found = comm.allgather(send_buf(part));
  check::equal(found.size(), 6 * static_cast<std::size_t>(comm.size()));
  if (comm.rank() == 0)
    check::equal(std::vector<int>(found.begin(), found.begin() + 6),
                 std::vector<int>{12, 11, 10, 22, 21, 20});
}

template <count_t Unit>
void expect_steps_of_three_numbers() {
  const communicator comm;
  std::vector<double> memory(20);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<double>(i);
  const counted_in<Unit> view{memory.data(), 4, 24 / Unit};
  const auto bag = named<'i'>(view);
  for (count_t i = 0; i < 4; ++i) check::equal(bag[idx<'i'>(i)], 3.0 * static_cast<double>(i));
  check::equal(bag | offset(idx<'i'>(2)), 48L);
  const auto backwards = bag ^ reverse<'i'>() ^ slice<'i'>(1, 2);
  check::equal(backwards[idx<'i'>(0)], 6.0);
  const auto expect_sent = [&](const auto& buffer) {
    std::vector<double> got(4, -1);
    auto request = comm.irecv(recv_buf(got), source(comm.rank()));
    comm.send(send_buf(buffer), destination(comm.rank()));
    request.wait();
    check::expect(got == std::vector<double>{0, 3, 6, 9});
  };
  expect_sent(view);
  expect_sent(bag);
}

TEST(steps_of_a_view_may_count_bytes_or_parts_of_elements) {
  expect_steps_of_three_numbers<1>();
  expect_steps_of_three_numbers<4>();
  expect_steps_of_three_numbers<8>();
}
