#include "conformance.hpp"

#include <array>

namespace {

const auto& world = mpi::comm_world;
constexpr int root = 0;

// What a collective works on: `block` numbers for each rank, and what counts and places say so.
template <class Form>
struct blocks {
  using count = typename Form::count;
  using place = typename Form::place;
  static constexpr int block = 2;

  int ranks = size();
  std::vector<int> mine = std::vector<int>(at(block * ranks));
  std::vector<int> theirs = std::vector<int>(at(block * ranks));
  // rank i has i + 1 numbers, at a place with a gap before it
  std::vector<count> counts;
  std::vector<place> places;
  std::vector<place> bytes;
  std::vector<mpi::datatype_handle> types;
  int total = 0;
  std::vector<int> gathered;

  blocks() {
    for (int i = 0; i < ranks; ++i) {
      counts.push_back(static_cast<count>(i + 1));
      places.push_back(static_cast<place>(++total));
      bytes.push_back(places.back() * static_cast<place>(sizeof(int)));
      total += i + 1;
      types.push_back(mpi::int_);
    }
    gathered.resize(at(total), -1);
  }

  // number k of rank `who` for rank `whom`
  static int number(int who, int whom, int k) { return 10000 * who + 100 * whom + k; }

  auto reset() {
    return [this] {
      for (int i = 0; i < ranks; ++i)
        for (int k = 0; k < block; ++k) mine[at(i * block + k)] = number(rank(), i, k);
      std::fill(theirs.begin(), theirs.end(), -1);
      std::fill(gathered.begin(), gathered.end(), -1);
    };
  }

  // Everybody's first block (what rank 0 would get) in rank order.
  void everybodys_first() const {
    for (int i = 0; i < ranks; ++i)
      for (int k = 0; k < block; ++k) equal(theirs[at(i * block + k)], number(i, 0, k));
  }
  void everybodys_for_me() const {
    for (int i = 0; i < ranks; ++i)
      for (int k = 0; k < block; ++k) equal(theirs[at(i * block + k)], number(i, rank(), k));
  }
  void unequal_parts(int (*value)(int)) const {
    int next = 0;
    for (int i = 0; i < ranks; ++i) {
      equal(gathered[at(next++)], -1);
      for (int k = 0; k <= i; ++k) equal(gathered[at(next++)], value(i));
    }
  }
};

int own(int i) { return 7 * i; }

int sum_of_ranks() { return size() * (size() - 1) / 2; }

}  // namespace

TEST(barriers_pass) {
  THREE_FORMS(barrier, [] {}, [] {}, world);
}

TEST(a_root_tells_everybody) {
  both([](auto) {
    std::array<int, 3> values{};
    const auto reset = [&] { values = rank() == root ? std::array{4, 5, 6} : std::array{0, 0, 0}; };
    const auto verify = [&] { expect(values == std::array{4, 5, 6}); };
    THREE_FORMS(bcast, reset, verify, values.data(), 3, mpi::int_, root, world);
  });
}

TEST(blocks_are_gathered_scattered_and_exchanged) {
  both([](auto form) {
    blocks<decltype(form)> b;
    const int n = b.block;
    const auto at_root = [&] {
      if (rank() == root) b.everybodys_first();
    };
    const auto everywhere = [&] { b.everybodys_first(); };
    const auto scattered = [&] {
      for (int k = 0; k < n; ++k) equal(b.theirs[at(k)], b.number(root, rank(), k));
    };
    const auto exchanged = [&] { b.everybodys_for_me(); };
    THREE_FORMS(gather, b.reset(), at_root, b.mine.data(), n, mpi::int_, b.theirs.data(), n,
                mpi::int_, root, world);
    THREE_FORMS(allgather, b.reset(), everywhere, b.mine.data(), n, mpi::int_, b.theirs.data(), n,
                mpi::int_, world);
    THREE_FORMS(scatter, b.reset(), scattered, b.mine.data(), n, mpi::int_, b.theirs.data(), n,
                mpi::int_, root, world);
    THREE_FORMS(alltoall, b.reset(), exchanged, b.mine.data(), n, mpi::int_, b.theirs.data(), n,
                mpi::int_, world);
  });
}

// Counts of the two sides that cannot be mistaken for each other.
TEST(what_is_sent_as_two_numbers_is_received_as_one_pair) {
  both([](auto) {
    mpi::unique_datatype pair{mpi::type_contiguous(2, mpi::int_)};
    mpi::type_commit(pair);
    const std::array<int, 2> mine{10 * rank(), 10 * rank() + 1};
    std::vector<int> all(at(2 * size()));
    const auto everybodys = [&] {
      for (int i = 0; i < 2 * size(); ++i) equal(all[at(i)], 10 * (i / 2) + i % 2);
      std::fill(all.begin(), all.end(), -1);
    };
    if (!defect("allgather-of-pairs")) {
      mpi::gather(mine.data(), 2, mpi::int_, all.data(), 1, pair, root, world);
      if (rank() == root) everybodys();
      mpi::allgather(mine.data(), 2, mpi::int_, all.data(), 1, pair, world);
      everybodys();
    }
    std::vector<int> numbers(at(2 * size()));
    for (int i = 0; i < 2 * size(); ++i) numbers[at(i)] = 100 * rank() + i;
    mpi::alltoall(numbers.data(), 2, mpi::int_, all.data(), 1, pair, world);
    for (int i = 0; i < 2 * size(); ++i) equal(all[at(i)], 100 * (i / 2) + 2 * rank() + i % 2);
    std::array<int, 2> part{};
    mpi::scatter(numbers.data(), 2, mpi::int_, part.data(), 1, pair, root, world);
    expect(part == std::array{100 * root + 2 * rank(), 100 * root + 2 * rank() + 1});
    const int next = (rank() + 1) % size();
    const int last = (rank() + size() - 1) % size();
    mpi::sendrecv(mine.data(), 2, mpi::int_, next, 3, part.data(), 1, pair, last, 3, world);
    expect(part == std::array{10 * last, 10 * last + 1});
  });
}

TEST(unequal_parts_are_gathered_and_scattered) {
  both([](auto form) {
    blocks<decltype(form)> b;
    const std::vector<int> part(at(rank() + 1), own(rank()));
    std::vector<int> got(at(rank() + 1));
    const int n = rank() + 1;
    const auto all = [&] { b.unequal_parts(own); };
    const auto at_root = [&] {
      if (rank() == root) b.unequal_parts(own);
    };
    THREE_FORMS(gatherv, b.reset(), at_root, part.data(), n, mpi::int_, b.gathered.data(), b.counts,
                b.places, mpi::int_, root, world);
    if (!(size() == 1 && defect("allgatherv-ignores-displacements")))
      THREE_FORMS(allgatherv, b.reset(), all, part.data(), n, mpi::int_, b.gathered.data(),
                  b.counts, b.places, mpi::int_, world);
    std::vector<int> given(b.gathered.size(), -1);
    for (int i = 0, next = 0; i < size(); ++i) {
      ++next;
      for (int k = 0; k <= i; ++k) given[at(next++)] = own(i);
    }
    const auto reset = [&] { std::fill(got.begin(), got.end(), -1); };
    const auto mine = [&] {
      for (const int x : got) equal(x, own(rank()));
    };
    THREE_FORMS(scatterv, reset, mine, given.data(), b.counts, b.places, mpi::int_, got.data(), n,
                mpi::int_, root, world);
  });
}

TEST(unequal_parts_are_exchanged) {
  both([](auto form) {
    blocks<decltype(form)> b;
    // everybody sends i + 1 numbers to rank i, and gets rank() + 1 from everybody
    std::vector<int> given(b.gathered.size(), own(rank()));
    std::vector<int> got(at(size() * (rank() + 1)));
    std::vector<typename decltype(b)::count> counts(
        at(size()), static_cast<typename decltype(b)::count>(rank() + 1));
    std::vector<typename decltype(b)::place> places, bytes;
    for (int i = 0; i < size(); ++i) {
      places.push_back(static_cast<typename decltype(b)::place>(i * (rank() + 1)));
      bytes.push_back(places.back() * static_cast<typename decltype(b)::place>(sizeof(int)));
    }
    const auto reset = [&] { std::fill(got.begin(), got.end(), -1); };
    const auto verify = [&] {
      for (int i = 0; i < size(); ++i)
        for (int k = 0; k <= rank(); ++k) equal(got[at(i * (rank() + 1) + k)], own(i));
    };
    THREE_FORMS(alltoallv, reset, verify, given.data(), b.counts, b.places, mpi::int_, got.data(),
                counts, places, mpi::int_, world);
    THREE_FORMS(alltoallw, reset, verify, given.data(), b.counts, b.bytes, b.types, got.data(),
                counts, bytes, b.types, world);
  });
}

TEST(sums_are_reduced_in_every_way) {
  both([](auto form) {
    const std::vector<int> mine{rank(), 1};
    std::vector<int> sum(2);
    const auto reset = [&] { sum = {-1, -1}; };
    const auto all = [&] { equal(sum, std::vector{sum_of_ranks(), size()}); };
    const auto at_root = [&] {
      if (rank() == root) all();
    };
    const auto scanned = [&] { equal(sum, std::vector{rank() * (rank() + 1) / 2, rank() + 1}); };
    const auto before = [&] {
      if (rank() > 0) equal(sum, std::vector{rank() * (rank() - 1) / 2, rank()});
    };
    THREE_FORMS(reduce, reset, at_root, mine.data(), sum.data(), 2, mpi::int_, mpi::sum, root,
                world);
    THREE_FORMS(allreduce, reset, all, mine.data(), sum.data(), 2, mpi::int_, mpi::sum, world);
    THREE_FORMS(scan, reset, scanned, mine.data(), sum.data(), 2, mpi::int_, mpi::sum, world);
    THREE_FORMS(exscan, reset, before, mine.data(), sum.data(), 2, mpi::int_, mpi::sum, world);

    blocks<decltype(form)> b;
    std::vector<int> parts(at(b.total - b.ranks), 1);  // i + 1 numbers for rank i
    const auto clear = [&] { b.theirs.assign(at(std::max(b.block, rank() + 1)), -1); };
    const auto part = [&] {
      for (int k = 0; k <= rank(); ++k) equal(b.theirs[at(k)], size());
    };
    THREE_FORMS(reduce_scatter, clear, part, parts.data(), b.theirs.data(), b.counts, mpi::int_,
                mpi::sum, world);
    const std::vector<int> equal_parts(at(b.block * size()), 1);
    const auto one_block = [&] {
      for (int k = 0; k < b.block; ++k) equal(b.theirs[at(k)], size());
    };
    THREE_FORMS(reduce_scatter_block, clear, one_block, equal_parts.data(), b.theirs.data(),
                b.block, mpi::int_, mpi::sum, world);

    std::vector<int> other{10, 20};
    mpi::reduce_local(mine.data(), other.data(), 2, mpi::int_, mpi::sum);
    equal(other, std::vector{10 + rank(), 21});
  });
}

namespace {

template <class T, class Combine>
void reduced(mpi::datatype_handle type, mpi::op_handle op, T (*value)(int), Combine combine) {
  const T mine = value(rank());
  T wanted = value(0);
  for (int i = 1; i < size(); ++i) wanted = static_cast<T>(combine(wanted, value(i)));
  T found{};
  mpi::allreduce(&mine, &found, 1, type, op, world);
  equal(found, wanted);
}

// The operations that a kind of number has.
template <class T>
void arithmetic(mpi::datatype_handle type) {
  T (*value)(int) = [](int i) { return static_cast<T>(i + 1); };
  reduced<T>(type, mpi::sum, value, [](T a, T b) { return a + b; });
  reduced<T>(type, mpi::prod, value, [](T a, T b) { return a * b; });
  reduced<T>(type, mpi::max, value, [](T a, T b) { return a < b ? b : a; });
  reduced<T>(type, mpi::min, value, [](T a, T b) { return a < b ? a : b; });
}

template <class T>
void bitwise(mpi::datatype_handle type) {
  T (*value)(int) = [](int i) { return static_cast<T>(5 + i); };
  reduced<T>(type, mpi::band, value, [](T a, T b) { return a & b; });
  reduced<T>(type, mpi::bor, value, [](T a, T b) { return a | b; });
  reduced<T>(type, mpi::bxor, value, [](T a, T b) { return a ^ b; });
}

template <class T>
void logical(mpi::datatype_handle type) {
  T (*value)(int) = [](int i) { return static_cast<T>(i % 2); };
  reduced<T>(type, mpi::land, value, [](T a, T b) { return a != 0 && b != 0; });
  reduced<T>(type, mpi::lor, value, [](T a, T b) { return a != 0 || b != 0; });
  reduced<T>(type, mpi::lxor, value, [](T a, T b) { return (a != 0) != (b != 0); });
}

template <class T>
void integers(mpi::datatype_handle type) {
  arithmetic<T>(type);
  bitwise<T>(type);
  logical<T>(type);
}

template <class T>
void placed(mpi::datatype_handle type) {
  struct pair {
    T value;
    int place;
  };
  pair mine{static_cast<T>(10 - rank()), rank()};
  pair found{};
  mpi::allreduce(&mine, &found, 1, type, mpi::maxloc, world);
  expect(found.value == static_cast<T>(10) && found.place == 0);
  mpi::allreduce(&mine, &found, 1, type, mpi::minloc, world);
  expect(found.value == static_cast<T>(10 - (size() - 1)) && found.place == size() - 1);
}

}  // namespace

TEST(every_operation_works_on_every_type_it_is_for) {
  both([](auto) {
    integers<signed char>(mpi::signed_char);
    integers<unsigned char>(mpi::unsigned_char);
    integers<short>(mpi::short_);
    integers<unsigned short>(mpi::unsigned_short);
    integers<int>(mpi::int_);
    integers<unsigned>(mpi::unsigned_);
    integers<long>(mpi::long_);
    integers<unsigned long>(mpi::unsigned_long);
    integers<long long>(mpi::long_long);
    integers<unsigned long long>(mpi::unsigned_long_long);
    integers<std::int8_t>(mpi::int8);
    integers<std::int16_t>(mpi::int16);
    integers<std::int32_t>(mpi::int32);
    integers<std::int64_t>(mpi::int64);
    integers<std::uint8_t>(mpi::uint8);
    integers<std::uint16_t>(mpi::uint16);
    integers<std::uint32_t>(mpi::uint32);
    integers<std::uint64_t>(mpi::uint64);
    arithmetic<mpi::aint_t>(mpi::aint);
    arithmetic<mpi::offset_t>(mpi::offset_);
    arithmetic<mpi::count_t>(mpi::count_);
    arithmetic<float>(mpi::float_);
    arithmetic<double>(mpi::double_);
    arithmetic<long double>(mpi::long_double);
    bitwise<unsigned char>(mpi::byte);
    logical<bool>(mpi::c_bool);
    placed<float>(mpi::float_int);
    placed<double>(mpi::double_int);
    placed<long>(mpi::long_int);
    placed<int>(mpi::two_int);
    placed<short>(mpi::short_int);
    placed<long double>(mpi::long_double_int);
  });
}

TEST(operations_of_the_program_are_made_and_freed) {
  const auto add = [](const void* in, void* inout, auto count, mpi::datatype_handle) {
    for (mpi::count_t i = 0; i < count; ++i)
      static_cast<int*>(inout)[i] += static_cast<const int*>(in)[i];
  };
  const auto works = [](mpi::op_handle op) {
    const std::array<int, 2> mine{rank(), 1};
    std::array<int, 2> found{};
    mpi::allreduce(mine.data(), found.data(), 2, mpi::int_, op, world);
    expect(found == std::array{sum_of_ranks(), size()});
    mpi::op_free(op);
    equal(op, mpi::op_handle{});
  };
  const mpi::op_handle small =
      mpi::op_create([add](const void* in, void* inout, int count,
                           mpi::datatype_handle type) { add(in, inout, count, type); },
                     true);
  expect(mpi::op_commutative(small));
  works(small);
  if constexpr (mpi::has_op_create_c) {
    const only_large twins;
    const mpi::op_handle wide =
        mpi::op_create_c([add](const void* in, void* inout, mpi::count_t count,
                               mpi::datatype_handle type) { add(in, inout, count, type); },
                         false);
    expect(!mpi::op_commutative(wide));
    works(wide);
  }
}

TEST(in_place_collectives_take_what_is_there) {
  both([](auto) {
    int value = rank();
    mpi::allreduce(mpi::in_place, &value, 1, mpi::int_, mpi::sum, world);
    equal(value, sum_of_ranks());
    std::vector<int> all(at(size()), -1);
    all[at(rank())] = own(rank());
    mpi::allgather(mpi::in_place, 0, mpi::datatype_handle{}, all.data(), 1, mpi::int_, world);
    for (int i = 0; i < size(); ++i) equal(all[at(i)], own(i));
  });
}

TEST(wrong_arguments_of_collectives_are_refused) {
  both([](auto) {
    int value = 0;
    int other = 0;
    refused([&] { mpi::bcast(&value, 1, mpi::int_, size(), world); }, {MPI_ERR_ROOT});
    refused([&] { mpi::bcast(&value, -1, mpi::int_, 0, world); }, {MPI_ERR_COUNT});
    refused([&] { mpi::bcast(&value, 1, mpi::datatype_handle{}, 0, world); }, {MPI_ERR_TYPE});
    refused([&] { mpi::allreduce(&value, &other, 1, mpi::int_, mpi::op_handle{}, world); },
            {MPI_ERR_OP});
    refused([&] { mpi::barrier(mpi::comm_handle{}); }, {MPI_ERR_COMM});
  });
}
