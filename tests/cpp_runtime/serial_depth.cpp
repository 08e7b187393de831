// Structures of any depth: encoded, decoded, cut off and taken apart on a stack of the usual size.

#include <malloc.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include "../cpp/check.hpp"
#include "encoding.hpp"

using namespace mpiglot;
using namespace encoding;

static void* count_memory(void* taken) noexcept {
  if (taken != nullptr) memory::now += malloc_usable_size(taken);
  if (memory::now > memory::most) memory::most = memory::now;
  return taken;
}
// Allocations are counted down, and one fails.
static long allocations_left = -1;
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (allocations_left >= 0 && allocations_left-- == 0) throw std::bad_alloc();
  if (void* const taken = std::malloc(size == 0 ? 1 : size); taken != nullptr)
    return count_memory(taken);
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  if (allocations_left >= 0 && allocations_left-- == 0) return nullptr;
  return count_memory(std::malloc(size == 0 ? 1 : size));
}
[[gnu::noinline]] void operator delete(void* taken) noexcept {
  if (taken != nullptr) memory::now -= malloc_usable_size(taken);
  std::free(taken);
}
[[gnu::noinline]] void operator delete(void* taken, std::size_t) noexcept {
  operator delete(taken);
}

namespace {

#if defined(__SANITIZE_ADDRESS__)
#define MPIGLOT_TESTS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MPIGLOT_TESTS_SANITIZED 1
#endif
#endif
#if defined(MPIGLOT_TESTS_SANITIZED)
constexpr int long_chain = 20000;
constexpr int many_knots = 3000;
constexpr int rounds = 40;
#else
constexpr int long_chain = 1000000;
constexpr int many_knots = 20000;
constexpr int rounds = 200;
#endif

struct owned_link : counted {
  int value = 0;
  std::unique_ptr<owned_link> next;
  static void fields(auto& self, auto&& visit) { visit(self.value, self.next); }
};
struct shared_link : counted {
  int value = 0;
  std::shared_ptr<shared_link> next;
  static void fields(auto& self, auto&& visit) { visit(self.value, self.next); }
};

template <class Pointer>
Pointer chain(int length) {
  Pointer first;
  for (int i = length; i > 0; --i) {
    Pointer before(new typename Pointer::element_type());
    before->value = i;
    before->next = std::move(first);
    first = std::move(before);
  }
  return first;
}
template <class Pointer>
int length_of(const Pointer& first) {
  int n = 0;
  for (auto* at = first.get(); at != nullptr; at = at->next.get())
    if (at->value != ++n) return -1;
  return n;
}

template <class Pointer>
void try_chain(std::size_t cuts) {
  const std::int64_t before = counted::alive;
  Pointer sent = chain<Pointer>(long_chain);
  const detail::bytes bytes = encoded(sent);
  Pointer back;
  decode(bytes, back);
  check::equal(length_of(back), long_chain);
  decode(bytes, back);  // into one as long
  check::equal(length_of(back), long_chain);
  for (std::size_t i = 0; i < cuts; ++i) {
    const std::size_t end = bytes.size() / cuts * i + i;
    check::thrown_by<decode_error>([&] { builtin_codec::decode(bytes.data(), end, back); });
    check::expect(back == nullptr);
    check::equal(counted::alive, before + long_chain);
  }
  dismantle(sent);
  check::expect(sent == nullptr);
  check::equal(counted::alive, before);
}

// What a pointer leads to lies in every kind of place.
struct knot : counted {
  int value = 0;
  std::unique_ptr<knot> one;
  std::shared_ptr<knot> several;
  std::vector<std::unique_ptr<knot>> row;
  std::vector<std::shared_ptr<knot>> also;
  std::list<knot> inside;
  std::map<int, std::unique_ptr<knot>> by_key;
  std::unordered_map<int, std::pair<int, std::shared_ptr<knot>>> by_hash;
  std::optional<std::unique_ptr<knot>> maybe;
  std::variant<int, std::unique_ptr<knot>, std::vector<std::shared_ptr<knot>>> either;
  std::unique_ptr<knot> pair[2];
  std::array<std::tuple<std::unique_ptr<knot>>, 1> tuples;
  static inline std::set<knot*> all;
  knot() { all.insert(this); }
  ~knot() { all.erase(this); }
  static void fields(auto& self, auto&& visit) {
    visit(self.value, self.one, self.several, self.row, self.also, self.inside, self.by_key,
          self.by_hash, self.maybe, self.either, self.pair, self.tuples);
  }
};

// Frees what a knot owns, which may lead to itself.
void open_ring(knot& of) {
  knot taken;
  taken.one.swap(of.one);
  taken.several.swap(of.several);
  taken.row.swap(of.row);
  taken.also.swap(of.also);
  taken.inside.swap(of.inside);
  taken.by_key.swap(of.by_key);
  taken.by_hash.swap(of.by_hash);
  taken.maybe.swap(of.maybe);
  taken.either.swap(of.either);
  std::swap(taken.pair, of.pair);
  taken.tuples.swap(of.tuples);
  dismantle(taken);
}

constexpr int places = 13;
// Puts `below` into one of the places of a new knot, and short ones into some others.
std::unique_ptr<knot> knot_above(std::unique_ptr<knot> below, int place, int value) {
  auto made = std::make_unique<knot>();
  made->value = value;
  const auto small = [&] {
    auto one = std::make_unique<knot>();
    one->value = -value;
    return one;
  };
  if (value % 3 == 0) made->also = {small(), nullptr, small()};
  if (value % 5 == 0) made->by_key[7] = small();
  switch (place) {
    case 0:
      made->one = std::move(below);
      break;
    case 1:
      made->several = std::move(below);
      break;
    case 2:
      made->row.push_back(nullptr);
      made->row.push_back(std::move(below));
      made->row.push_back(small());
      break;
    case 3:
      made->also.push_back(std::move(below));
      made->also.push_back(made->also.back());
      break;
    case 4:
      made->inside.emplace_back().one = std::move(below);
      break;
    case 5:
      made->by_key[3] = std::move(below);
      break;
    case 6:
      made->by_hash[3] = {5, std::move(below)};
      break;
    case 7:
      made->maybe = std::move(below);
      break;
    case 8:
      made->either = std::move(below);
      break;
    case 9:
      made->either.emplace<2>().push_back(std::move(below));
      break;
    case 10:
      made->pair[1] = std::move(below);
      break;
    case 11:
      std::get<0>(made->tuples[0]) = std::move(below);
      break;
    default:
      made->row.push_back(std::move(below));
      break;
  }
  return made;
}
// The knot below in that place.
const knot* below(const knot& above, int place) {
  switch (place) {
    case 0:
      return above.one.get();
    case 1:
      return above.several.get();
    case 2:
      return above.row.at(1).get();
    case 3:
      return above.also.back().get();
    case 4:
      return above.inside.front().one.get();
    case 5:
      return above.by_key.at(3).get();
    case 6:
      return above.by_hash.at(3).second.get();
    case 7:
      return above.maybe.value().get();
    case 8:
      return std::get<1>(above.either).get();
    case 9:
      return std::get<2>(above.either).front().get();
    case 10:
      return above.pair[1].get();
    case 11:
      return std::get<0>(above.tuples[0]).get();
    default:
      return above.row.front().get();
  }
}
std::unique_ptr<knot> knots(int length) {
  std::unique_ptr<knot> first;
  for (int i = length; i > 0; --i) first = knot_above(std::move(first), i % places, i);
  return first;
}
void expect_knots(const std::unique_ptr<knot>& first, int length) {
  const knot* at = first.get();
  for (int i = 1; i <= length; ++i) {
    check::equal(at->value, i);
    const int place = i % places;
    if (i % 3 == 0) check::expect(at->also.at(0)->value == -i && !at->also.at(1));
    if (i % 5 == 0) check::equal(at->by_key.at(7)->value, -i);
    if (place == 2) check::expect(!at->row.at(0) && at->row.at(2)->value == -i);
    if (place == 3) check::expect(at->also.end()[-2] == at->also.back());
    at = below(*at, place);
  }
  check::expect(at == nullptr);
}

// Copied where a vector grows, with all that it owns: its own copy is another object.
struct cloned {
  int value = 0;
  std::unique_ptr<cloned> next;
  std::vector<std::unique_ptr<int>> padding;
  cloned() = default;
  cloned(const cloned& other) : value(other.value) {
    if (other.next) next = std::make_unique<cloned>(*other.next);
  }
  static void fields(auto& self, auto&& visit) { visit(self.value, self.next); }
};
struct clones {
  std::unique_ptr<clones> next;
  std::vector<cloned> all;
  std::map<int, cloned> by_key;
  static void fields(auto& self, auto&& visit) { visit(self.next, self.all, self.by_key); }
};

// An order that looks through a pointer.
struct by_value {
  bool operator()(const std::unique_ptr<owned_link>& a,
                  const std::unique_ptr<owned_link>& b) const {
    return a->value < b->value;
  }
};
struct keyed {
  std::unique_ptr<keyed> next;
  std::set<std::unique_ptr<owned_link>, by_value> all;
  std::map<std::unique_ptr<owned_link>, int, by_value> by_key;
  static void fields(auto& self, auto&& visit) { visit(self.next, self.all, self.by_key); }
};

struct wide : counted {
  std::int64_t numbers[8] = {};
  std::vector<std::unique_ptr<wide>> children;
  static void fields(auto& self, auto&& visit) { visit(self.numbers, self.children); }
};
struct mixed {
  std::string text;
  std::vector<int> numbers;
  std::pair<std::string, std::optional<int>> both;
  std::map<int, std::string> by_key;
  std::variant<int, std::string> either;
  static void fields(auto& self, auto&& visit) {
    visit(self.text, self.numbers, self.both, self.by_key, self.either);
  }
};
struct tree {
  std::vector<tree> children;
  static void fields(auto& self, auto&& visit) { visit(self.children); }
};

}  // namespace

TEST(a_chain_of_any_length_comes_back) {
  try_chain<std::unique_ptr<owned_link>>(100);
  try_chain<std::shared_ptr<shared_link>>(10);
}

TEST(pointers_in_every_place_may_lead_to_any_depth) {
  const std::int64_t before = counted::alive;
  {
    constexpr int length = many_knots;
    auto sent = knots(length);
    const detail::bytes bytes = encoded(sent);
    expect_knots(sent, length);  // the sender keeps all
    std::unique_ptr<knot> back;
    decode(bytes, back);
    expect_knots(back, length);
    decode(bytes, back);
    expect_knots(back, length);
    const std::int64_t both = counted::alive;
    dismantle(back);
    const std::int64_t one = counted::alive;
    check::equal(both - one, one - before);
    for (std::size_t i = 0; i < rounds; ++i) {
      check::thrown_by<decode_error>(
          [&] { builtin_codec::decode(bytes.data(), bytes.size() / rounds * i + i % 7, back); });
      check::expect(back == nullptr);
      check::equal(counted::alive, one);
    }
    dismantle(sent);
  }
  check::equal(counted::alive, before);
}

TEST(changed_bytes_of_deep_structures_are_refused_or_read) {
  auto sent = knots(6000);
  const detail::bytes right = encoded(sent);
  dismantle(sent);
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    detail::bytes wrong(right.size());
    std::memcpy(wrong.data(), right.data(), right.size());
    for (auto changes = random() % 3 + 1; changes > 0; --changes)
      wrong[random() % wrong.size()] = static_cast<std::byte>(random() % 4);
    const std::int64_t before = counted::alive;
    std::unique_ptr<knot> back;
    try {
      decode(wrong, back);
      dismantle(back);
      // References that were changed may have made rings.
      for (knot* const each : std::vector<knot*>(knot::all.begin(), knot::all.end()))
        if (knot::all.contains(each)) open_ring(*each);
      check::equal(counted::alive, before);
    } catch (const decode_error&) {
      ++refused;
      check::equal(counted::alive, before);
    }
    check::expect(back == nullptr);
  }
  check::expect(refused > 0 && refused < rounds, "the changes tell nothing");
}

TEST(memory_may_be_missing_at_each_allocation) {
  constexpr int length = 1200;  // some are put off
  const std::int64_t none = counted::alive;
  auto sent = knots(length);
  const detail::bytes bytes = encoded(sent);
  const std::int64_t before = counted::alive;
  long failures = 0;
  for (bool failed = true; failed; ++failures) {
    std::unique_ptr<knot> back;
    allocations_left = failures;
    try {
      decode(bytes, back);
      failed = false;
    } catch (const std::bad_alloc&) {
      check::expect(back == nullptr);
    }
    allocations_left = -1;
    if (!failed) expect_knots(back, length);
    dismantle(back);
    check::equal(counted::alive, before);
    if (failures > 100) failures += 197;  // each would take minutes
  }
  check::expect(failures > 1000);
  // Without memory to put anything off, destructors recurse.
  allocations_left = 0;
  dismantle(sent);
  allocations_left = -1;
  check::equal(counted::alive, none);
}

TEST(a_failed_ring_of_shared_objects_is_freed) {
  const std::int64_t before = counted::alive;
  auto ring = chain<std::shared_ptr<shared_link>>(5000);
  shared_link* last = ring.get();
  while (last->next) last = last->next.get();
  last->next = ring;
  const detail::bytes bytes = encoded(ring);
  std::shared_ptr<shared_link> back;
  check::thrown_by<decode_error>(
      [&] { builtin_codec::decode(bytes.data(), bytes.size() - 1, back); });
  check::expect(back == nullptr);
  check::equal(counted::alive, before + 5000);
  decode_once(bytes, back);
  const shared_link* at = back.get();
  for (int i = 0; i < 5000; ++i) at = at->next.get();
  check::expect(at == back.get());
  for (auto* each : {&ring, &back}) {
    std::shared_ptr<shared_link> rest = std::move((*each)->next);
    each->reset();
    dismantle(rest);
  }
  check::equal(counted::alive, before);
}

TEST(elements_that_are_copied_where_they_grow_keep_the_limit) {
  const auto sample = [](int depth, int length) {
    auto last = std::make_unique<clones>();
    for (int i = 0; i < 2000; ++i) {  // more in memory than encoded: it grows in steps
      cloned& one = last->all.emplace_back();
      one.value = i;
      cloned* at = &one;
      for (int k = 1; k < (i == 0 ? length : 2); ++k) {
        at->next = std::make_unique<cloned>();
        at = at->next.get();
        at->value = i + k;
      }
    }
    last->by_key[5].next = std::make_unique<cloned>();
    last->by_key[5].next->value = 55;
    for (int i = 0; i < depth; ++i) {
      auto above = std::make_unique<clones>();
      above->next = std::move(last);
      last = std::move(above);
    }
    return last;
  };
  auto sent = sample(990, 1000);
  std::unique_ptr<clones> back;
  decode(encoded(sent), back);
  const clones* last = back.get();
  while (last->next) last = last->next.get();
  for (int i = 0; i < 2000; ++i)
    check::equal(last->all[static_cast<std::size_t>(i)].next->value, i + 1);
  check::equal(last->by_key.at(5).next->value, 55);
  dismantle(back);
  // Deeper than 2000 they are refused.
  sent = sample(990, 1100);
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(sent)); });
}

TEST(keys_are_complete_before_they_are_compared) {
  const auto sample = [](int depth, int length) {
    auto last = std::make_unique<keyed>();
    for (int i = 0; i < 3; ++i) {
      auto key = chain<std::unique_ptr<owned_link>>(length);
      key->value = 10 - i;
      last->all.insert(std::move(key));
      key = chain<std::unique_ptr<owned_link>>(1);
      key->value = 20 + i;
      last->by_key[std::move(key)] = i;
    }
    for (int i = 0; i < depth; ++i) {
      auto above = std::make_unique<keyed>();
      above->next = std::move(last);
      last = std::move(above);
    }
    return last;
  };
  std::unique_ptr<keyed> back;
  auto sent = sample(990, 1000);
  decode(encoded(sent), back);
  const keyed* last = back.get();
  while (last->next) last = last->next.get();
  int wanted = 8;
  for (const auto& key : last->all) check::equal(key->value, wanted++);
  check::expect(last->all.size() == 3 && last->by_key.begin()->first->value == 20);
  dismantle(back);
  sent = sample(990, 1100);
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(sent)); });
}

TEST(objects_that_lie_in_each_other_keep_the_limit) {
  const auto nested = [](int depth) {
    tree top;
    tree* at = &top;
    for (int i = 1; i < depth; ++i) at = &at->children.emplace_back();
    return top;
  };
  tree back;
  decode(encoded(nested(2000)), back);
  int depth = 1;
  for (const tree* at = &back; !at->children.empty(); at = &at->children.front()) ++depth;
  check::equal(depth, 2000);
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(nested(2001))); });
  detail::bytes bytes;
  for (int i = 0; i < 100000; ++i) {
    const std::byte one{1};
    bytes.append(&one, 1);
  }
  check::thrown_by<decode_error>([&] { decode(bytes, back); });
  check::expect(back.children.empty());
}

TEST(what_is_put_off_takes_no_memory_without_bytes) {
  // 2000 objects in a chain, the last of which claims a million more, for which no bytes follow.
  auto first = std::make_unique<wide>();
  wide* last = first.get();
  for (int i = 1; i < 2000; ++i) last = last->children.emplace_back(std::make_unique<wide>()).get();
  for (int i = 0; i < 1000; ++i) last->children.emplace_back();
  detail::bytes bytes = encoded(first);
  for (std::size_t i = bytes.size() - 1000; i < bytes.size(); ++i) bytes[i] = std::byte{1};
  dismantle(first);
  const std::int64_t before = counted::alive;
  counted::most = before;
  check::thrown_by<decode_error>([&] { decode(bytes, first); });
  check::expect(first == nullptr);
  check::equal(counted::alive, before);
  check::expect(counted::most - before <= 2000 + 1000 / 65 + 1,
                "objects were made for which there are no bytes");
}

TEST(a_failure_empties_the_target) {
  mixed target{"text", {1, 2}, {"more", 5}, {{1, "one"}}, "either"};
  const detail::bytes bytes = encoded(target);
  check::thrown_by<decode_error>(
      [&] { builtin_codec::decode(bytes.data(), bytes.size() - 1, target); });
  check::expect(target.text.empty() && target.numbers.empty() && target.both.first.empty() &&
                !target.both.second && target.by_key.empty());
}

TEST(taking_apart_leaves_what_others_own) {
  const std::int64_t before = counted::alive;
  auto kept = chain<std::shared_ptr<shared_link>>(10);
  std::vector<std::shared_ptr<shared_link>> pointers = {kept, kept->next, nullptr};
  dismantle(pointers);
  check::expect(pointers.empty());
  check::equal(length_of(kept), 10);

  // The user's own deleter decides what becomes of an object.
  shared_link mine;
  mine.next = kept;
  std::shared_ptr<shared_link> lent(&mine, [](shared_link*) {});
  dismantle(lent);
  check::expect(lent == nullptr && mine.next == kept);
  // A part of another object, and an object that lies elsewhere than in its owner.
  struct two {
    shared_link a;
    shared_link b;
  };
  auto whole = std::make_shared<two>();
  whole->b.next = kept;
  std::shared_ptr<shared_link> part(whole, &whole->b);
  dismantle(part);
  check::expect(whole->b.next == kept);
  std::shared_ptr<shared_link> elsewhere(std::make_shared<shared_link>(), &mine);
  dismantle(elsewhere);
  check::expect(elsewhere == nullptr && mine.next == kept);
  mine.next.reset();
  whole.reset();

  // However the last owner was made.
  for (int kind = 0; kind < 3; ++kind) {
    std::shared_ptr<shared_link> rest;
    for (int i = 0; i < long_chain; ++i) {
      std::shared_ptr<shared_link> above;
      if (kind == 0) above = std::make_shared<shared_link>();
      if (kind == 1) above = std::make_unique<shared_link>();
      if (kind == 2) above = std::allocate_shared<shared_link>(std::allocator<shared_link>());
      above->next = std::move(rest);
      rest = std::move(above);
    }
    dismantle(rest);
    check::equal(counted::alive, before + 11);
  }
  kept.reset();
  check::equal(counted::alive, before + 1);  // `mine`
}
