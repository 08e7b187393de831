// Encodings that travel in pieces: in a bcast, and from memory to memory, piece by piece.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <mpiglot/arena.hpp>
#include <mpiglot/transport.hpp>

#include "encoded_bcasts.hpp"

using namespace mpiglot;
using namespace encoding;
using mpiglot::detail::bytes;
using mpiglot::detail::piece_sizes;

namespace {

constexpr std::size_t first_piece = mpiglot::detail::usual_pieces.first;

using texts = std::vector<std::string>;
// About so many bytes.
texts texts_of(std::size_t bytes_of_all) {
  texts made;
  for (std::size_t size = 0, i = 0; size < bytes_of_all; ++i) {
    made.emplace_back(200 + i % 100, static_cast<char>('a' + i % 26));
    size += made.back().size() + 3;
  }
  return made;
}

struct node : counted {
  int value = 0;
  std::string text;
  std::unique_ptr<node> next;
  const node* last = nullptr;
  static void fields(auto& self, auto&& visit) {
    visit(self.value, self.text, self.next, observed(self.last));
  }
};
std::unique_ptr<node> chain_of(int count) {
  std::unique_ptr<node> first;
  const node* last = nullptr;
  for (int i = 0; i < count; ++i) {
    auto made = std::make_unique<node>();
    if (last == nullptr) last = made.get();
    made->value = i;
    made->text.assign(static_cast<std::size_t>(i % 40), 'n');
    made->last = last;
    made->next = std::move(first);
    first = std::move(made);
  }
  return first;
}
void expect_chain(const std::unique_ptr<node>& first, int count) {
  const node* at = first.get();
  for (int i = count; i-- > 0; at = at->next.get()) {
    check::expect(at != nullptr && at->value == i && at->text.size() == std::size_t(i % 40));
    check::expect(at->last->value == 0 && at->last->next == nullptr);
  }
  check::expect(at == nullptr);
}

// Long runs before the first piece is full, behind it, and where they stay in the encoding.
struct mixed {
  std::vector<double> early;
  std::unique_ptr<int[]> owned_ones;
  std::size_t n = 0;
  texts some;
  std::vector<double> late;
  std::set<std::vector<int>> keys;
  std::shared_ptr<std::vector<float>> one, same;
  std::list<short> behind;
  mixed() = default;
  static void fields(auto& self, auto&& visit) {
    visit(self.early, self.n, owned(self.owned_ones, self.n), self.some, self.late, self.keys,
          self.one, self.same, self.behind);
  }
};
mixed a_mixed_one() {
  mixed made;
  made.early.resize(30000);
  std::iota(made.early.begin(), made.early.end(), 0.5);
  made.n = 20000;
  made.owned_ones.reset(new int[made.n]());
  made.owned_ones[19999] = 7;
  made.some = texts_of(first_piece + 300000);
  made.late.resize(150000);
  std::iota(made.late.begin(), made.late.end(), 1.5);
  made.keys.insert(std::vector<int>(40000, 3));
  made.keys.insert(std::vector<int>(140000, 4));
  made.one = std::make_shared<std::vector<float>>(20000, 2.5f);
  made.same = made.one;
  made.behind.assign(30000, 9);
  return made;
}
void expect_mixed(const mixed& got, const mixed& right) {
  check::expect(got.early == right.early && got.n == right.n && got.some == right.some);
  check::expect(std::memcmp(got.owned_ones.get(), right.owned_ones.get(), 4 * right.n) == 0);
  check::expect(got.late == right.late && got.keys == right.keys && got.behind == right.behind);
  check::expect(*got.one == *right.one && got.same == got.one);
}

// Encoded as a std::pair of them, but looked at together.
struct two {
  int a = 0;
  double b = 0;
  static void fields(auto& self, auto&& visit) { visit(self.a, self.b); }
};

// Fails where this rank is told to: in the first piece or behind it.
struct fails {
  std::vector<double> run;
  texts before;
  int early = -1;
  texts between;
  int late = -1;
  texts behind;
  static void fields(auto& self, auto&& visit) {
    visit(self.run, self.before);
    if (self.early == check::rank()) throw std::length_error("not in the first piece");
    visit(self.between);
    if (self.late == check::rank()) throw std::length_error("not behind it");
    visit(self.behind);
  }
  [[nodiscard]] bool empty() const {
    return run.empty() && before.empty() && between.empty() && behind.empty();
  }
};

// The messages of a stream, in memory.
struct messages {
  std::vector<std::vector<std::byte>> all;
  std::size_t next = 0;

  auto sender() {
    return [this](const void* at, std::size_t size) {
      const auto* const from = static_cast<const std::byte*>(at);
      all.emplace_back(from, from + size);
    };
  }
  // Each message has the size that is expected, or the stream is cut off there.
  auto receiver() {
    return [this](void* to, std::size_t size) {
      if (next == all.size() || all[next].size() != size) throw std::out_of_range("no message");
      if (size != 0) std::memcpy(to, all[next].data(), size);
      ++next;
    };
  }
};
struct streamed {
  messages sent;
  std::vector<std::byte> first;
  std::size_t size = 0;
};
template <class T>
streamed streamed_in(piece_sizes sizes, const T& value) {
  streamed made;
  constexpr std::size_t room = mpiglot::detail::piece_header::room;
  bytes window(sizes.first);
  window.resize(room);
  const auto first = [&]() -> std::uint64_t {
    made.first.assign(window.data() + room, window.data() + window.size());
    return 0;
  };
  made.size = static_cast<std::size_t>(mpiglot::detail::send_in_pieces(
      builtin_codec(), value, window, sizes, nullptr, made.sent.sender(), first));
  return made;
}
template <class T>
void decode_stream(const streamed& from, piece_sizes sizes, T& value) {
  messages copy = from.sent;
  bytes memory;
  memory.append(from.first.data(), from.first.size());
  const std::size_t size = memory.size();
  if (size < sizes.others) memory.resize(sizes.others);
  mpiglot::detail::piece_source source(copy.receiver(), 0, memory, {size, sizes.others});
  builtin_codec::decode(source, value, {memory.data(), size});
  source.end();
  check::equal(copy.next, copy.all.size());
}

}  // namespace

TEST(a_bcast_in_pieces_brings_what_one_message_would) {
  for (const std::size_t size : {first_piece - 2000, first_piece + 2000, 2 * first_piece + 12345})
    expect_bcast(texts_of(size));
  std::map<int, std::string> by_number;
  for (int i = 0; i < 30000; ++i) by_number[i].assign(20, 'm');
  expect_bcast(by_number);
  expect_bcast(std::vector<std::vector<int>>(300, std::vector<int>(5000, 3)));
}

TEST(a_bcast_in_pieces_keeps_pointers_and_long_runs) {
  const communicator comm;
  const std::int64_t before = counted::alive;
  constexpr int nodes = 30000;
  const mixed right = a_mixed_one();
  for (int from = 0; from < comm.size(); ++from) {
    std::unique_ptr<node> chain;
    mixed value;
    if (comm.rank() == from) {
      chain = chain_of(nodes);
      value = a_mixed_one();
    }
    comm.bcast(send_recv_buf(deep(chain)), root(from));
    expect_chain(chain, nodes);
    const count_t length =
        comm.bcast(send_recv_buf(deep(value)), root(from), send_recv_count_out());
    expect_mixed(value, right);
    check::equal(length, static_cast<count_t>(size_of(right)));
    dismantle(chain);
  }
  check::equal(counted::alive, before);
}

TEST(a_bcast_in_pieces_goes_into_arenas_results_and_other_containers) {
  const communicator comm;
  const texts right = texts_of(first_piece + 99999);
  const texts got =
      comm.bcast(send_recv_buf(as_serialized(comm.rank() == 0 ? texts(right) : texts())));
  check::expect(got == right);
  if (comm.rank() == 0) {
    texts same = right;
    comm.bcast(send_recv_buf(as_serialized(same)));
  } else {
    std::list<std::string> others;
    comm.bcast(send_recv_buf(as_serialized(others)));
    check::expect(texts(others.begin(), others.end()) == right);
  }
  using there = std::pmr::vector<std::pmr::string>;
  there in_pool(right.begin(), right.end());
  if (comm.rank() == 0) {
    comm.bcast(send_recv_buf(deep(in_pool)));
  } else {
    arena_of<there> arena;
    comm.bcast(send_recv_buf(deep(arena)));
    check::expect(*arena == in_pool);
  }
}

TEST(a_table_of_addresses_numbers_what_is_streamed) {
  struct positions final : address_table {
    std::map<const void*, std::uint32_t> numbers;
    void clear() override { numbers.clear(); }
    std::uint32_t& number(const void* object, const void*) override { return numbers[object]; }
  };
  const communicator comm;
  std::vector<std::shared_ptr<std::string>> value;
  if (comm.rank() == 0) {
    for (std::size_t i = 0; i < 30000; ++i)
      value.push_back(std::make_shared<std::string>(i % 60, 's'));
    for (std::size_t i = 0; i < 30000; ++i) value.push_back(value[i / 2]);
  }
  positions table;
  comm.bcast(send_recv_buf(deep(value, table)));
  for (std::size_t i = 0; i < 30000; ++i)
    check::expect(value[i]->size() == i % 60 && value[30000 + i] == value[i / 2]);
}

TEST(who_fails_in_a_stream_tells_the_others_and_nothing_is_left) {
  const communicator comm;
  for (const bool late : {false, true})
    for (const std::size_t run : {std::size_t{3}, std::size_t{20000}})
      for (int failing = 0; failing < comm.size(); ++failing) {
        fails value;
        (late ? value.late : value.early) = failing;
        if (comm.rank() == 0) {
          value.run.resize(run);
          value.before = texts_of(100000);
          value.between = texts_of(first_piece);
          value.behind = texts_of(2 * first_piece);
        }
        const auto call = [&] { comm.bcast(send_recv_buf(deep(value))); };
        if (comm.rank() == failing)
          check::thrown_by<std::length_error>(call);
        else if (failing == 0 || run > 3)  // all make places for a run together
          check::equal(check::thrown_by<remote_failure>(call).failed_rank(), failing);
        else
          call();
        if (comm.rank() != 0 && (failing == 0 || run > 3 || comm.rank() == failing))
          check::expect(value.empty());
        else
          check::expect(!value.behind.empty());
        check::equal(comm.allreduce(send_buf(1), op(mpi::sum)).front(), comm.size());
      }
}

TEST(a_receiver_with_another_codec_or_type_takes_all_pieces) {
  const communicator comm;
  const texts right = texts_of(3 * first_piece);
  if (comm.size() == 1) return;
  if (comm.rank() == 0) {
    for (int i = 0; i < 2; ++i) comm.bcast(send_recv_buf(as_serialized(texts(right))));
  } else {
    texts mine;
    check::thrown_by<decode_error>(
        [&] { comm.bcast(send_recv_buf(as_serialized<other_codec>(mine))); });
    std::vector<std::vector<std::vector<int>>> wrong;
    check::thrown_by<decode_error>([&] { comm.bcast(send_recv_buf(as_serialized(wrong))); });
    check::expect(wrong.empty());
  }
  expect_bcast(std::string("next"));
}

TEST(pieces_of_any_size_are_read_and_each_that_is_missing_is_noticed) {
  const std::int64_t before = counted::alive;
  for (const piece_sizes sizes :
       {piece_sizes{40, 29}, piece_sizes{500, 64}, piece_sizes{64, 999}}) {
    const auto right = chain_of(80);
    const streamed made = streamed_in(sizes, right);
    check::equal(made.size, encoded(right).size());
    std::unique_ptr<node> got;
    decode_stream(made, sizes, got);
    expect_chain(got, 80);
    for (std::size_t cut = 0; cut < made.sent.all.size(); ++cut) {
      streamed shorter = made;
      shorter.sent.all.resize(cut);
      check::thrown_by<std::out_of_range>([&] { decode_stream(shorter, sizes, got); });
      check::expect(got == nullptr);
    }
  }
  check::equal(counted::alive, before);
}

TEST(what_lies_in_two_pieces_is_put_together) {
  const piece_sizes sizes{40, 29};
  std::vector<std::pair<int, double>> right;
  for (int i = 0; i < 100; ++i) right.emplace_back(i, 0.5 * i);
  std::vector<two> got;
  decode_stream(streamed_in(sizes, right), sizes, got);
  check::equal(got.size(), right.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    check::expect(got[i].a == right[i].first && got[i].b == right[i].second);
}

TEST(pieces_that_say_too_much_are_refused) {
  const piece_sizes sizes{100, 64};
  const texts right(90, std::string(20, 'x'));
  constexpr std::size_t room = mpiglot::detail::piece_header::room;
  const auto refused = [&](std::size_t message, std::uint64_t next, std::uint32_t size) {
    streamed wrong = streamed_in(sizes, right);
    mpiglot::detail::piece_header{next, size}.put(wrong.sent.all[message].data());
    texts got;
    try {
      decode_stream(wrong, sizes, got);
      check::expect(false);
    } catch (const decode_error&) {
    } catch (const std::out_of_range&) {  // the size of the next message follows from this one
      check::expect(size <= 64 - room);
    }
    check::expect(got.empty());
  };
  refused(1, mpiglot::detail::next_piece::more, std::uint32_t(64 - room + 1));
  refused(1, mpiglot::detail::next_piece::more, 0xffffffffU);
  refused(1, mpiglot::detail::next_piece::more, 3);
  refused(2, std::uint64_t{1} << 40, 10);
  refused(2, mpiglot::detail::next_piece::last, 10);
}

TEST(changed_pieces_are_refused_or_read_and_nothing_is_believed) {
  std::mt19937 random(20);
  const piece_sizes sizes{300, 200};
  std::map<std::string, std::vector<double>> right;
  for (int i = 0; i < 40; ++i) right[std::to_string(i)].assign(i % 20 == 0 ? 9000 : 7, i);
  const auto chain = chain_of(200);
  const std::int64_t before = counted::alive;
  const streamed map_sent = streamed_in(sizes, right);
  const streamed chain_sent = streamed_in(sizes, chain);
  const auto changed = [&](const streamed& from) {
    streamed wrong = from;
    for (auto changes = random() % 3 + 1; changes > 0; --changes) {
      auto& message =
          wrong.sent.all[1 + random() % std::min<std::size_t>(wrong.sent.all.size() - 1, 12)];
      if (!message.empty())
        message[random() % std::min<std::size_t>(message.size(), 40)] ^=
            static_cast<std::byte>(1 << random() % 8);
    }
    return wrong;
  };
  const auto attempt = [&](auto into, const streamed& wrong) {
    try {
      decode_stream(wrong, sizes, into);
    } catch (const decode_error&) {
    } catch (const remote_failure&) {
    } catch (const std::out_of_range&) {
    }
  };
  for (int i = 0; i < 500; ++i) {
    attempt(std::map<std::string, std::vector<double>>(), changed(map_sent));
    attempt(std::unique_ptr<node>(), changed(chain_sent));
  }
  check::equal(counted::alive, before);
}
