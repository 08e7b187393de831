// Long runs of elements in a bcast of encoded values: they travel from where they lie to where they go.

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <memory_resource>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <valarray>
#include <variant>
#include <vector>

#include <mpiglot/arena.hpp>

#include "encoded_bcasts.hpp"

using namespace mpiglot;
using namespace encoding;
using mpiglot::detail::bytes;
using mpiglot::detail::long_runs;

namespace {

constexpr std::size_t long_run = mpiglot::detail::long_run;

template <class Container>
Container filled(std::size_t n, int first) {
  Container made(n);
  for (std::size_t i = 0; i < n; ++i)
    made[i] = static_cast<std::remove_cvref_t<decltype(made[0])>>(first + static_cast<int>(i % 97));
  return made;
}
using doubles = std::vector<double>;
doubles doubles_of(std::size_t n, int first = 1) { return filled<doubles>(n, first); }

// Copied when a std::vector of it grows.
struct copied {
  doubles values;
  copied() = default;
  copied(const copied&) = default;
  copied& operator=(const copied&) = default;
  bool operator==(const copied&) const = default;
  static void fields(auto& self, auto&& visit) { visit(self.values); }
};
// So large that a std::vector of it is decoded in steps.
struct wide {
  std::array<std::optional<std::array<double, 100>>, 8> empty;
  doubles values;
  bool operator==(const wide&) const = default;
  static void fields(auto& self, auto&& visit) { visit(self.empty, self.values); }
};
// Its elements lie in itself, up to 9000.
struct inside {
  std::size_t n = 0;
  inside() = default;
  inside(const inside& other) : n(other.n), memory(other.memory) {}
  inside& operator=(const inside& other) = default;
  std::array<double, 9000> memory{};
  [[nodiscard]] double* data() { return memory.data(); }
  [[nodiscard]] const double* data() const { return memory.data(); }
  [[nodiscard]] std::size_t size() const { return n; }
  [[nodiscard]] double* begin() { return data(); }
  [[nodiscard]] const double* begin() const { return data(); }
  [[nodiscard]] double* end() { return data() + n; }
  [[nodiscard]] const double* end() const { return data() + n; }
  void resize(std::size_t size) { n = size; }
  using value_type = double;
  bool operator==(const inside&) const = default;
};
struct chained {
  doubles values;
  std::unique_ptr<chained> next;
  static void fields(auto& self, auto&& visit) { visit(self.values, self.next); }
};
struct arrays {
  int n = 0;
  double* owned_ones = nullptr;
  std::unique_ptr<float[]> others;
  std::size_t m = 0;
  std::shared_ptr<short[]> shared_ones, again;
  const double* observed_one = nullptr;
  arrays() = default;
  arrays(const arrays&) = delete;
  arrays& operator=(const arrays&) = delete;
  ~arrays() { delete[] owned_ones; }
  static void fields(auto& self, auto&& visit) {
    visit(self.n, owned(self.owned_ones, self.n), self.m, owned(self.others, self.m),
          shared(self.shared_ones, self.m), shared(self.again, self.m),
          observed(self.observed_one));
  }
};

struct refuses {
  doubles values;
  bool now = false;
  static void fields(auto& self, auto&& visit) {
    visit(self.values);
    if (self.now) throw std::length_error("no place");
  }
};

struct never_full final : mpiglot::detail::byte_sink {
  never_full() noexcept : byte_sink(static_cast<std::size_t>(-1)) {}
  void take(const std::byte*, std::size_t, std::size_t) override { check::expect(false); }
};
template <class T>
void encode_short(bytes& to, const T& value, long_runs& out) {
  never_full sink;
  builtin_codec::encode(to, sink, value, &out);
}

// Whether the encoding leaves out as much as it may: what is left of it is short.
template <class T>
void expect_left_out(const T& value, std::size_t runs, std::size_t left) {
  bytes short_one;
  long_runs out;
  encode_short(short_one, value, out);
  check::equal(static_cast<std::size_t>(out.end() - out.begin()), runs);
  check::equal(short_one.size() + out.bytes_of_all(), encoded(value).size());
  check::expect(short_one.size() <= left);
}

}  // namespace

TEST(runs_from_64_kib_on_are_left_out_of_an_encoding) {
  const std::size_t n = long_run / sizeof(double);
  expect_left_out(doubles_of(n), 1, 9);
  expect_left_out(doubles_of(n - 1), 0, long_run + 9);
  expect_left_out(std::string(long_run, 'x'), 1, 9);
  expect_left_out(std::string(long_run - 1, 'x'), 0, long_run + 9);
  expect_left_out(std::vector<doubles>{doubles_of(n), doubles_of(3), doubles_of(n + 5)}, 2, 64);
  expect_left_out(filled<std::valarray<float>>(3 * n, 1), 1, 9);
}

TEST(runs_stay_where_elements_move_or_are_looked_at) {
  const std::size_t n = long_run / sizeof(double);
  const std::size_t whole = 1 << 30;
  expect_left_out(std::map<int, doubles>{{1, doubles_of(n)}}, 0, whole);
  expect_left_out(std::set<std::string>{std::string(long_run, 'k')}, 0, whole);
  expect_left_out(std::vector<copied>(2), 0, whole);
  std::vector<copied> copies(1);
  copies[0].values = doubles_of(n);
  expect_left_out(copies, 0, whole);
  auto stays = std::make_unique<inside>();
  stays->n = n;
  expect_left_out(*stays, 0, whole);
  expect_left_out(copies[0], 1, 9);  // alone it does not move
}

TEST(long_runs_of_all_kinds_arrive_by_bcast) {
  const std::size_t n = long_run / sizeof(double);
  for (const std::size_t length : {std::size_t{0}, n - 1, n, 3 * n + 1}) {
    expect_bcast(doubles_of(length));
    expect_bcast(std::string(8 * length, 'z'));
    expect_bcast(std::vector<doubles>{doubles_of(length, 2), {}, doubles_of(length + 7, 5)});
    expect_bcast(std::deque<doubles>{doubles_of(length, 4), doubles_of(length, 3)});
    expect_bcast(std::map<std::string, doubles>{{"a", doubles_of(length)}, {"b", doubles_of(2)}});
    expect_bcast(std::set<std::string>{std::string(8 * length, 'a'), "b"});
    expect_bcast(std::optional<doubles>(doubles_of(length)));
    expect_bcast(std::variant<int, doubles>(doubles_of(length)));
    expect_bcast(std::tuple<int, doubles, std::string>(1, doubles_of(length), "end"));
    std::vector<copied> copies(3);
    copies[1].values = doubles_of(length);
    expect_bcast(copies);
    std::vector<wide> many(40);
    many[0].values = doubles_of(length);
    many[39].values = doubles_of(length, 8);
    expect_bcast(many);
  }
}

TEST(a_bcast_of_elements_that_lie_in_their_container) {
  const auto stays = std::make_unique<inside>();
  stays->n = 8500;
  stays->memory[8499] = 2;
  expect_bcast(*stays);
}

TEST(long_runs_below_objects_that_are_put_off) {
  const communicator comm;
  const std::size_t n = long_run / sizeof(double);
  constexpr int links = 2500;  // deeper than what is put off
  chained first;
  if (comm.rank() == 0) {
    chained* last = &first;
    for (int i = 0; i < links; ++i) {
      if (i % 500 == 0) last->values = doubles_of(n, i);
      last->next = std::make_unique<chained>();
      last = last->next.get();
    }
    expect_left_out(first, 5, 20000);
  }
  comm.bcast(send_recv_buf(deep(first)));
  const chained* last = &first;
  for (int i = 0; i < links; ++i) {
    check::expect(last->values == (i % 500 == 0 ? doubles_of(n, i) : doubles()));
    last = last->next.get();
  }
  check::expect(last->next == nullptr);
  dismantle(first);
}

TEST(long_arrays_with_a_rule_arrive_in_place) {
  const communicator comm;
  arrays value;
  constexpr int n = 9000;
  if (comm.rank() == comm.size() - 1) {
    value.n = n;
    value.owned_ones = new double[n];
    std::iota(value.owned_ones, value.owned_ones + n, 1.0);
    value.m = 40000;
    value.others.reset(new float[value.m]());
    value.others[39999] = 4;
    value.shared_ones.reset(new short[value.m]());
    value.shared_ones[39998] = 5;
    value.again = value.shared_ones;
    value.observed_one = value.owned_ones + 8999;
    expect_left_out(value, 3, 64);
  }
  comm.bcast(send_recv_buf(deep(value)), root(comm.size() - 1));
  check::equal(value.n, n);
  check::equal(value.owned_ones[8999], 9000.0);
  check::equal(value.others[39999], 4.0f);
  check::equal(value.shared_ones[39998], short{5});
  check::expect(value.again == value.shared_ones && value.again.use_count() == 2);
  check::expect(value.observed_one == value.owned_ones + 8999);
}

TEST(long_runs_arrive_in_an_arena_and_in_a_result) {
  const communicator comm;
  const std::size_t n = long_run / sizeof(double);
  const doubles expected = doubles_of(n + 1);
  arena_of<std::pmr::vector<double>> there;
  bytes made;
  long_runs out;
  encode_short(made, std::pmr::vector<double>(expected.begin(), expected.end()), out);
  out.tell(made);
  long_runs places;
  const std::size_t size = places.learn(made.data(), made.size());
  builtin_codec::decode(made.data(), size, there, places, false);
  check::equal(places.begin()->size, (n + 1) * sizeof(double));
  check::expect(places.begin()->at == reinterpret_cast<std::byte*>(there->data()));
  const doubles got =
      comm.bcast(send_recv_buf(as_serialized(comm.rank() == 0 ? doubles(expected) : doubles())));
  check::expect(got == expected);
}

TEST(wrong_sizes_of_runs_are_refused) {
  const std::vector<doubles> value{doubles_of(long_run), doubles_of(3), doubles_of(long_run + 1)};
  bytes right;
  long_runs out;
  encode_short(right, value, out);
  out.tell(right);
  const auto decoded = [](const bytes& from, std::size_t size) {
    std::vector<doubles> into;
    long_runs runs;
    const std::size_t left = runs.learn(from.data(), size);
    builtin_codec::decode(from.data(), left, into, runs, false);
    return into;
  };
  check::equal(decoded(right, right.size())[2].size(), value[2].size());
  for (std::size_t size = 0; size < right.size(); ++size)
    check::thrown_by<decode_error>([&] { decoded(right, size); });
  for (std::size_t at = 0; at < right.size(); ++at)
    for (const int bit : {0, 1, 5, 7}) {
      bytes wrong;
      wrong.append(right.data(), right.size());
      wrong[at] ^= std::byte(1 << bit);
      try {
        decoded(wrong, wrong.size());  // an element of the short run may have changed
      } catch (const decode_error&) {
      }
    }
}

TEST(a_root_with_another_codec_is_told) {
  const communicator comm;
  doubles value = doubles_of(comm.rank() == 0 ? long_run : 2);
  const auto call = [&] {
    if (comm.rank() == 0)
      comm.bcast(send_recv_buf(as_serialized(value)));
    else
      comm.bcast(send_recv_buf(as_serialized<other_codec>(value)));
  };
  if (comm.size() == 1)
    call();
  else if (comm.rank() == 0)
    check::equal(check::thrown_by<remote_failure>(call).failed_rank(), 1);
  else
    check::thrown_by<decode_error>(call);
  comm.barrier();
}

TEST(who_cannot_make_places_for_runs_tells_the_others) {
  const communicator comm;
  for (int poor = 1; poor < comm.size(); ++poor) {
    refuses value{doubles_of(comm.rank() == 0 ? long_run : 5), comm.rank() == poor};
    const auto call = [&] { comm.bcast(send_recv_buf(as_serialized(value))); };
    if (comm.rank() == poor)
      check::thrown_by<std::length_error>(call);
    else
      check::equal(check::thrown_by<remote_failure>(call).failed_rank(), poor);
    check::equal(value.values.size(), comm.rank() == 0 ? long_run : std::size_t{0});
    check::equal(comm.allreduce(send_buf(1), op(mpi::sum)).front(), comm.size());
  }
}
