// Pointers of the language that share what they point to, and those that only observe it.

#include <array>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include <mpiglot/communicator.hpp>

#include "../cpp/check.hpp"
#include "encoding.hpp"

using namespace mpiglot;
using namespace encoding;

namespace {

// A tree whose nodes know their parents, the root, and what was looked at last.
struct node : counted {
  int value = 0;
  node* parent = nullptr;
  node** slot = nullptr;  // of the parent, if a pointer owns this node
  std::vector<node> inside;
  std::vector<std::unique_ptr<node>> apart;
  node* owned_one = nullptr;
  std::vector<node*> path;  // from the root
  int* number = nullptr;

  node() = default;
  node(node&& other) noexcept { swap(other); }
  node& operator=(node&& other) noexcept {
    swap(other);
    return *this;
  }
  ~node() { delete owned_one; }
  void swap(node& other) noexcept {
    std::swap(value, other.value);
    std::swap(parent, other.parent);
    std::swap(slot, other.slot);
    inside.swap(other.inside);
    apart.swap(other.apart);
    std::swap(owned_one, other.owned_one);
    path.swap(other.path);
    std::swap(number, other.number);
  }
  static void fields(auto& self, auto&& visit) {
    visit(observed(self.parent), self.value, observed(self.slot), self.inside, self.apart,
          owned(self.owned_one), observed(self.path), observed(self.number));
  }
};
// Sets all pointers that observe.
void tie(node& at, node* parent = nullptr) {
  at.parent = parent;
  if (parent != nullptr) {
    at.path = parent->path;
    at.number = &parent->value;
  }
  at.path.push_back(&at);
  for (node& each : at.inside) tie(each, &at);
  for (auto& each : at.apart) tie(*each, &at);
  if (at.owned_one != nullptr) {
    tie(*at.owned_one, &at);
    at.owned_one->slot = &at.owned_one;
  }
}
void expect_tied(const node& at, const std::vector<const node*>& path = {}) {
  const node* const parent = path.empty() ? nullptr : path.back();
  check::expect(at.parent == parent && at.number == (parent ? &parent->value : nullptr));
  std::vector<const node*> mine = path;
  mine.push_back(&at);
  check::expect(std::equal(mine.begin(), mine.end(), at.path.begin(), at.path.end()));
  for (const node& each : at.inside) expect_tied(each, mine);
  for (const auto& each : at.apart) expect_tied(*each, mine);
  if (at.owned_one != nullptr) {
    expect_tied(*at.owned_one, mine);
    check::expect(at.owned_one->slot == &at.owned_one);
  }
}
void grow(node& at, std::mt19937& random, int levels, int& next) {
  at.value = next++;
  if (levels == 0) return;
  at.inside.resize(random() % 4);
  for (node& each : at.inside) grow(each, random, levels - 1, next);
  for (auto n = random() % 3; n > 0; --n) {
    at.apart.push_back(std::make_unique<node>());
    grow(*at.apart.back(), random, levels - 1, next);
  }
  if (random() % 2 == 0) {
    at.owned_one = new node;
    grow(*at.owned_one, random, levels - 1, next);
  }
}
std::unique_ptr<node> tree_of(unsigned seed, int levels) {
  std::mt19937 random(seed);
  auto root = std::make_unique<node>();
  int next = 0;
  grow(*root, random, levels, next);
  tie(*root);
  return root;
}

// A graph of MEL: whoever reaches a vertex owns it together with the others.
struct vertex : counted {
  int value = 0;
  std::vector<vertex*> edges;
  static void fields(auto& self, auto&& visit) { visit(self.value, shared(self.edges)); }
};
struct graph {
  vertex* first = nullptr;
  static void fields(auto& self, auto&& visit) { visit(shared(self.first)); }
};
std::vector<vertex*> vertices(int n) {
  std::vector<vertex*> all;
  for (int i = 0; i < n; ++i) {
    all.push_back(new vertex);
    all.back()->value = i;
  }
  return all;
}
// Numbers the vertices in the order in which they are met, and lists their edges by these numbers.
std::vector<std::vector<int>> shape(const vertex* first) {
  std::map<const vertex*, int> number{{first, 0}};
  std::vector<const vertex*> met{first};
  std::vector<std::vector<int>> all;
  for (std::size_t i = 0; i < met.size(); ++i) {
    all.push_back({met[i]->value});
    for (const vertex* to : met[i]->edges) {
      const auto [at, is_new] = number.try_emplace(to, static_cast<int>(met.size()));
      if (is_new) met.push_back(to);
      all.back().push_back(at->second);
    }
  }
  return all;
}

// Arrays with several owners.
struct arrays {
  long n = 0;
  double* all = nullptr;
  double* again = nullptr;
  const std::string* text = nullptr;
  const std::string* same = nullptr;
  std::shared_ptr<vertex[]> counted_ones;
  std::shared_ptr<const vertex[]> same_ones;
  unsigned char how_many = 0;
  std::array<double*, 3> inside{};
  static void fields(auto& self, auto&& visit) {
    visit(shared(self.all, self.n), shared(self.again, self.n), shared(self.text),
          shared(self.same), shared(self.counted_ones, self.how_many),
          shared(self.same_ones, self.how_many), observed(self.inside));
  }
};

}  // namespace

TEST(observed_pointers_arrive_at_what_they_observed) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto sent = tree_of(seed, 4);
    node back;
    decode(encoded(*sent), back);
    expect_tied(back);
    std::unique_ptr<node> behind;
    decode(encoded(sent), behind);
    expect_tied(*behind);
    check::equal(encoded(behind).size(), encoded(sent).size());
  }
  check::equal(counted::alive, std::int64_t{0});
}

namespace {

struct base {
  int first = 1;
  static void fields(auto& self, auto&& visit) { visit(self.first); }
};
struct plain {
  float x = 0;
  std::array<short, 4> y{};
};
struct derived : base {
  std::string text = "what is longer than what lies in a string itself";
  std::string little = "short";
  plain bytes;
  static void fields(auto& self, auto&& visit) {
    visit(bases<base>(self), self.text, self.little, self.bytes);
  }
};
// One of each kind of place that can be observed.
struct places {
  derived* of_deque = nullptr;
  derived* of_list = nullptr;
  derived* of_map = nullptr;
  const std::string* of_set = nullptr;
  derived* of_hash[4]{};
  derived* of_optional = nullptr;
  derived* of_variant = nullptr;
  derived* of_tuple = nullptr;
  derived* of_array = nullptr;
  derived* of_unique = nullptr;
  const derived* of_shared = nullptr;
  std::string* text = nullptr;
  char* letter = nullptr;
  char* little_letter = nullptr;
  base* of_base = nullptr;
  int* of_base_field = nullptr;
  short* of_bytes = nullptr;
  std::vector<double>* whole = nullptr;
  double* of_vector = nullptr;
  places* self = nullptr;

  std::deque<derived> deque;
  std::list<derived> list;
  std::map<std::string, derived> map;
  std::set<std::string> set;
  std::unordered_map<std::string, derived> hash;
  std::optional<derived> optional;
  std::variant<int, derived> variant;
  std::tuple<int, derived> tuple;
  derived array[3];
  std::unique_ptr<derived> unique;
  std::shared_ptr<const derived> shared_one;
  std::vector<double> vector;

  static void fields(auto& self, auto&& visit) {
    visit(observed(self.of_deque), observed(self.of_list), observed(self.of_map),
          observed(self.of_set), observed(self.of_hash), observed(self.of_optional),
          observed(self.of_variant), observed(self.of_tuple), observed(self.of_array),
          observed(self.of_unique), observed(self.of_shared), observed(self.text),
          observed(self.letter), observed(self.little_letter), observed(self.of_base),
          observed(self.of_base_field), observed(self.of_bytes), observed(self.whole),
          observed(self.of_vector), observed(self.self));
    visit(self.deque, self.list, self.map, self.set, self.hash, self.optional, self.variant,
          self.tuple, self.array, self.unique, self.shared_one, self.vector);
  }
  void fill() {
    deque.resize(100);
    list.resize(5);
    for (int i = 0; i < 300; ++i) {
      map[std::to_string(i)];
      set.insert(std::to_string(i));
      hash[std::to_string(i)].first = i;
    }
    optional.emplace();
    variant.emplace<derived>();
    unique = std::make_unique<derived>();
    shared_one = std::make_shared<derived>();
    vector.assign(50, 1.5);
  }
  void tie() {
    of_deque = &deque[77];
    of_list = &list.back();
    of_map = &map.at("142");
    of_set = &*set.find("17");
    for (int i = 0; i < 4; ++i) of_hash[i] = &hash.at(std::to_string(60 * i));
    of_optional = &*optional;
    of_variant = &std::get<derived>(variant);
    of_tuple = &std::get<derived>(tuple);
    of_array = &array[2];
    of_unique = unique.get();
    of_shared = shared_one.get();
    text = &deque[3].text;
    letter = &deque[3].text[9];
    little_letter = &map.at("5").little[2];
    of_base = &array[1];
    of_base_field = &array[1].first;
    of_bytes = &unique->bytes.y[3];
    whole = &vector;
    of_vector = &vector[49];
    self = this;
  }
  [[nodiscard]] auto pointers() const {
    return std::tuple(of_deque, of_list, of_map, of_set, of_hash[0], of_hash[1], of_hash[2],
                      of_hash[3], of_optional, of_variant, of_tuple, of_array, of_unique, of_shared,
                      text, letter, little_letter, of_base, of_base_field, of_bytes, whole,
                      of_vector, self);
  }
};

}  // namespace

TEST(places_of_every_kind_can_be_observed) {
  places sent;
  sent.fill();
  sent.tie();
  sent.map.at("5").little.reserve(1000);  // its letters lie elsewhere than those that arrive
  sent.tie();
  places back;
  decode(encoded(sent), back);
  const auto arrived = back.pointers();
  back.tie();
  check::expect(arrived == back.pointers());
}

namespace {

struct strange {
  int value = 0;
  int hidden = 0;
  int* at = nullptr;
  std::vector<int> all{1, 2, 3};
  static void fields(auto& self, auto&& visit) { visit(self.value, observed(self.at), self.all); }
};
// Keys are constant, so no pointer in them can be set.
struct key {
  int value = 0;
  int* at = nullptr;
  bool operator<(const key& other) const { return value < other.value; }
  static void fields(auto& self, auto&& visit) { visit(self.value, observed(self.at)); }
};
// The order of equal keys may change.
struct equals {
  std::unordered_multimap<int, std::unique_ptr<int>> all;
  int* at = nullptr;
  static void fields(auto& self, auto&& visit) { visit(self.all, observed(self.at)); }
};

}  // namespace

TEST(what_nothing_owns_or_lists_is_not_observed) {
  int elsewhere = 0;
  strange value;
  for (int* const wrong : {&elsewhere, &value.hidden, value.all.data() + 3, value.all.data() - 1}) {
    value.at = wrong;
    check::thrown_by<encode_error>([&] { static_cast<void>(encoded(value)); });
  }
  value.at = &value.all[2];
  strange back;
  decode(encoded(value), back);
  check::expect(back.at == &back.all[2]);
  decode(encoded(strange{}), back);
  check::expect(back.at == nullptr);

  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(std::map<key, int>{{{}, 1}})); });

  equals twice;
  twice.all.emplace(1, std::make_unique<int>(5));
  twice.at = twice.all.begin()->second.get();
  equals arrived;
  decode(encoded(twice), arrived);
  check::expect(arrived.at == arrived.all.begin()->second.get() && *arrived.at == 5);
  twice.all.emplace(1, std::make_unique<int>(6));
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(twice)); });
}

namespace {

struct ring {
  ring* self = nullptr;
  std::unique_ptr<int> number;
  int* at = nullptr;
  static void fields(auto& self, auto&& visit) {
    visit(observed(self.self), self.number, observed(self.at));
  }
};

}  // namespace

TEST(a_value_that_moves_is_not_observed) {
  const communicator comm;
  ring mine;
  mine.number = std::make_unique<int>(3);
  mine.at = mine.number.get();
  {
    auto sent = comm.isend(send_buf(deep(mine)), destination(comm.rank()));
    const ring back = comm.recv(recv_buf(deep<ring>()), source(comm.rank()));
    check::expect(back.at == back.number.get() && *back.at == 3);
    sent.wait();
  }
  mine.self = &mine;
  {
    auto sent = comm.isend(send_buf(deep(mine)), destination(comm.rank()));
    check::thrown_by<decode_error>(
        [&] { static_cast<void>(comm.recv(recv_buf(deep<ring>()), source(comm.rank()))); });
    sent.wait();
  }
  auto sent = comm.isend(send_buf(deep(mine)), destination(comm.rank()));
  ring back;
  comm.recv(recv_buf(deep(back)), source(comm.rank()));
  check::expect(back.self == &back && back.at == back.number.get());
  sent.wait();
  // Elements of a vector stay where they are when it moves.
  std::vector<ring> parts(static_cast<std::size_t>(comm.size()));
  for (ring& each : parts) each.self = &each;
  auto all = comm.gather(send_buf(deep(mine)), root(0));
  for (ring& each : all) check::expect(each.self == &each && *each.at == 3);
}

TEST(graphs_arrive_with_their_shape) {
  constexpr int n = 64;
  std::mt19937 random(5);
  const auto tree = vertices(n), ring = vertices(n), some = vertices(n), full = vertices(n);
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (i > 0) tree[(k - 1) / 2]->edges.push_back(tree[k]);
    ring[k]->edges = {ring[(k + 1) % n], ring[(k + n - 1) % n]};
    if (i > 0) some[random() % k]->edges.push_back(some[k]);
    for (int e = 0; e < 5; ++e) some[k]->edges.push_back(some[random() % n]);
    for (vertex* to : full) full[k]->edges.push_back(to);
  }
  ring[3]->edges.push_back(nullptr);
  ring[3]->edges.pop_back();
  for (const auto& all : {tree, ring, some, full}) {
    graph sent{all[0]};
    graph back;
    decode(encoded(sent), back);
    check::expect(shape(back.first) == shape(sent.first));
    const auto one = counted::alive;
    const detail::bytes bytes = encoded(sent);
    for (std::size_t i = 0; i < 40; ++i) {
      check::thrown_by<decode_error>(
          [&] { builtin_codec::decode(bytes.data(), bytes.size() * i / 40, back); });
      check::expect(back.first == nullptr);
      check::equal(counted::alive, one - n);
    }
    dismantle(sent);
    check::expect(sent.first == nullptr);
    check::equal(counted::alive, one - 2 * n);
  }
  check::equal(counted::alive, std::int64_t{0});
}

TEST(shared_pointers_may_lead_back_to_the_value) {
  const std::int64_t before = counted::alive;
  vertex sent;
  sent.edges = {new vertex, &sent};
  sent.edges[0]->edges = {&sent, sent.edges[0]};
  const detail::bytes bytes = encoded(sent);
  vertex back;
  decode(bytes, back);
  check::equal(counted::alive, before + 4);
  check::expect(back.edges[1] == &back && back.edges[0] != &back);
  check::expect(back.edges[0]->edges[0] == &back && back.edges[0]->edges[1] == back.edges[0]);
  // A value that moves afterwards cannot have them.
  vertex moving;
  check::thrown_by<decode_error>(
      [&] { builtin_codec::decode_and_move(bytes.data(), bytes.size(), moving); });
  check::expect(moving.edges.empty());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    check::thrown_by<decode_error>([&] { builtin_codec::decode(bytes.data(), size, back); });
    check::equal(counted::alive, before + 4);
  }
  dismantle(sent);
  dismantle(back);
  check::equal(counted::alive, before + 3);
}

TEST(long_chains_of_shared_and_observed_pointers_need_no_stack) {
  constexpr int length = 100000;
  const auto all = vertices(length);
  for (std::size_t i = 1; i < length; ++i) all[i - 1]->edges = {all[i], all[0]};
  graph sent{all[0]};
  graph back;
  decode(encoded(sent), back);
  check::expect(back.first->edges[0]->edges[1] == back.first);
  dismantle(sent);
  dismantle(back);
  check::equal(counted::alive, std::int64_t{0});

  std::unique_ptr<node> first;
  for (int i = 0; i < length; ++i) {
    auto above = std::make_unique<node>();
    above->value = i;
    if (first != nullptr) first->parent = above.get();
    above->apart.push_back(std::move(first));
    if (above->apart[0] == nullptr) above->apart.clear();
    first = std::move(above);
  }
  std::unique_ptr<node> chain;
  decode(encoded(first), chain);
  const node* parent = nullptr;
  int left = length;
  for (const node* at = chain.get(); at != nullptr;
       at = at->apart.empty() ? nullptr : at->apart[0].get()) {
    check::expect(at->parent == parent && at->value == --left);
    parent = at;
  }
  check::equal(left, 0);
  dismantle(first);
  dismantle(chain);
  check::equal(counted::alive, std::int64_t{0});
}

namespace {

struct contradiction {
  int n = 3, m = 2;
  int* all = nullptr;
  int* again = nullptr;
  static void fields(auto& self, auto&& visit) {
    visit(self.n, self.m, shared(self.all, self.n), shared(self.again, self.m));
  }
};
using part = std::shared_ptr<vertex[]>;
struct two {
  part whole, rest;
  static void fields(auto& self, auto&& visit) {
    visit(shared(self.whole, 5), shared(self.rest, 3));
  }
};

}  // namespace

TEST(arrays_with_several_owners_arrive_once) {
  arrays sent;
  sent.n = 3;
  sent.all = sent.again = new double[3]{1, 2, 3};
  sent.text = sent.same = new std::string("text");
  sent.how_many = 5;
  sent.counted_ones.reset(new vertex[5]);
  sent.counted_ones[4].value = 7;
  sent.same_ones = sent.counted_ones;
  sent.inside = {sent.all + 2, nullptr, sent.again};
  const detail::bytes bytes = encoded(sent);
  arrays back;
  decode(bytes, back);
  check::expect(back.n == 3 && back.all == back.again && back.all[2] == 3);
  check::expect(back.text == back.same && *back.text == "text");
  check::expect(back.how_many == 5 && back.counted_ones == back.same_ones);
  check::expect(back.same_ones[4].value == 7 && back.same_ones.use_count() == 2);
  check::expect(back.inside[0] == back.all + 2 && back.inside[1] == nullptr &&
                back.inside[2] == back.all);
  check::equal(counted::alive, std::int64_t{10});
  decode(bytes, back);  // what was there is freed
  check::equal(counted::alive, std::int64_t{10});
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    check::thrown_by<decode_error>([&] { builtin_codec::decode(bytes.data(), i, back); });
    check::expect(back.all == nullptr && back.text == nullptr && back.counted_ones == nullptr);
    check::equal(counted::alive, std::int64_t{5});
  }
  dismantle(sent);
  check::equal(counted::alive, std::int64_t{0});

  const auto three = std::make_unique<int[]>(3);
  contradiction wrong{3, 2, three.get(), three.get()};
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(wrong)); });
  wrong.m = 3;
  static_cast<void>(encoded(wrong));
  wrong.m = wrong.n = -1;
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(wrong)); });

  // One that points into an array and owns all of it.

  two both{part(new vertex[5]), {}};
  both.rest = part(both.whole, both.whole.get() + 2);
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(both)); });
}

TEST(changed_bytes_of_observed_and_shared_pointers_are_refused_or_read) {
  std::mt19937 random(7);
  const auto tree = tree_of(3, 3);
  const auto all = vertices(30);
  for (std::size_t i = 0; i < 30; ++i)
    for (const std::size_t to : {i + 1, i + 7, i * i, i * 3}) all[i]->edges.push_back(all[to % 30]);
  graph some{all[0]};
  arrays few;
  few.n = 2;
  few.all = few.again = new double[2]{};
  few.inside[1] = few.all + 1;
  int refused = 0;
  int rounds = 0;
  const auto change = [&]<class T>(const T& value) {
    const detail::bytes right = encoded(value);
    for (int round = 0; round < 2000; ++round, ++rounds) {
      const detail::bytes wrong = with_changed_bytes(right, random);
      T back;
      const std::int64_t before = counted::alive;
      try {
        decode(wrong, back);
        static_cast<void>(encoded(back));  // all pointers lead somewhere
      } catch (const decode_error&) {
        ++refused;
      }
      dismantle(back);
      check::equal(counted::alive, before);
    }
  };
  change(*tree);
  change(some);
  change(few);
  check::expect(refused > 0 && refused < rounds, "the changes tell nothing");
  dismantle(some);
  dismantle(few);
}

// Shared pointers to a part of what they own.
namespace {

struct base_part {
  int height = 0;
  static void fields(auto& self, auto&& visit) { visit(self.height); }
};
struct whole : base_part, counted {
  double weight = 0.5;
  std::array<int, 4> numbers{};
  std::vector<double> values;
  std::unique_ptr<whole> child;
  std::shared_ptr<whole> next;
  std::shared_ptr<double> into_other;
  static void fields(auto& self, auto&& visit) {
    visit(bases<base_part>(self), self.weight, self.numbers, self.values, self.child, self.next,
          self.into_other);
  }
};
struct with_parts {
  std::shared_ptr<double> early;  // before its owner
  std::map<int, std::shared_ptr<const int>> numbers;
  std::vector<std::shared_ptr<whole>> owners;
  std::vector<std::shared_ptr<double>> parts;
  std::shared_ptr<base_part> base;
  std::shared_ptr<whole> child;  // of the type of its owner
  static void fields(auto& self, auto&& visit) {
    visit(self.early, self.numbers, self.owners, self.parts, self.base, self.child);
  }
};
with_parts all_parts() {
  with_parts made;
  for (int i = 0; i < 5; ++i) {
    auto& one = *made.owners.emplace_back(std::make_shared<whole>());
    one.weight = i;
    one.height = 10 * i;
    one.numbers[3] = 7 * i;
    one.values.assign(20, 0.25 * i);
    one.child = std::make_unique<whole>();
    one.child->weight = 100 + i;
  }
  const auto& owners = made.owners;
  made.early = {owners[3], &owners[3]->weight};
  made.numbers[4] = {owners[1], &owners[1]->numbers[3]};
  for (int i = 0; i < 40; ++i)
    made.parts.emplace_back(
        owners[static_cast<std::size_t>(i % 5)],
        &owners[static_cast<std::size_t>(i % 5)]->values[static_cast<std::size_t>(i % 20)]);
  made.parts.emplace_back(owners[0], &owners[2]->weight);  // of another object
  made.base = owners[4];
  made.child = {owners[2], owners[2]->child.get()};
  owners[0]->into_other = {owners[1], &owners[1]->child->weight};
  return made;
}
void expect_all_parts(const with_parts& got) {
  const auto& owners = got.owners;
  const auto same_owner = [](const auto& a, const auto& b) {
    return !a.owner_before(b) && !b.owner_before(a);
  };
  check::expect(got.early.get() == &owners[3]->weight && same_owner(got.early, owners[3]));
  check::expect(got.numbers.at(4).get() == &owners[1]->numbers[3]);
  check::equal(got.parts.size(), std::size_t{41});
  for (std::size_t i = 0; i < 40; ++i)
    check::expect(got.parts[i].get() == &owners[i % 5]->values[i % 20] &&
                  same_owner(got.parts[i], owners[i % 5]));
  check::expect(got.parts[40].get() == &owners[2]->weight && same_owner(got.parts[40], owners[0]));
  check::expect(got.base.get() == owners[4].get() && got.base->height == 40);
  check::expect(got.child.get() == owners[2]->child.get() && same_owner(got.child, owners[2]));
  check::expect(owners[0]->into_other.get() == &owners[1]->child->weight);
}

}  // namespace

TEST(shared_pointers_to_parts_arrive_at_them) {
  const std::int64_t before = counted::alive;
  {
    with_parts sent = all_parts();
    with_parts back;
    decode(encoded(sent), back);
    expect_all_parts(back);
    // The part keeps the whole alive.
    back.owners.clear();
    back.parts.clear();
    back.numbers.clear();
    back.base.reset();
    back.child.reset();
    check::equal(*back.early, 3.0);
    sent = {};
    check::equal(counted::alive, before + 2);
    with_parts again;
    sent.early = std::make_shared<double>(4);
    decode(encoded(sent), again);
    check::equal(*again.early, 4.0);
  }
  check::equal(counted::alive, before);
}

TEST(pointers_to_parts_below_long_chains_arrive) {
  auto first = std::make_shared<whole>();
  whole* last = first.get();
  for (int i = 0; i < 3000; ++i) {
    last->next = std::make_shared<whole>();
    last->next->into_other = {first, &first->weight};
    last = last->next.get();
  }
  last->into_other = {first->next, &last->weight};
  std::shared_ptr<whole> back;
  decode_once(encoded(first), back);
  int length = 0;
  last = back.get();
  for (; last->next; last = last->next.get(), ++length)
    check::expect(length == 0 || last->into_other.get() == &back->weight);
  check::equal(length, 3000);
  check::expect(last->into_other.get() == &last->weight);
  for (auto* each : {&first, &back}) {
    for (whole* at = each->get(); at != nullptr; at = at->next.get()) at->into_other.reset();
    dismantle(*each);
  }
}

TEST(parts_whose_owner_is_not_there_are_values_or_are_refused) {
  const auto one = std::make_shared<whole>();
  one->values.assign(3, 2);
  std::vector<std::shared_ptr<double>> parts{{one, &one->weight},
                                             {one, &one->values[2]},
                                             {one, &one->weight},
                                             std::make_shared<double>(7)};
  std::vector<std::shared_ptr<double>> back;
  decode(encoded(parts), back);
  check::expect(*back[0] == 0.5 && *back[1] == 2.0 && *back[3] == 7.0);
  check::expect(back[0] == back[2] && back[0].use_count() == 2 && back[1].use_count() == 1);
  // What may be a base, and what nothing owns.
  const std::shared_ptr<base_part> base = one;
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(base)); });
  with_parts value = all_parts();
  double outside = 0;
  value.early = {value.owners[0], &outside};
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(value)); });
  // A weak pointer would not keep the sentinel, and keys cannot change.
  const std::pair<std::shared_ptr<whole>, std::weak_ptr<double>> weak{one, parts[0]};
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(weak)); });
  const std::pair<std::shared_ptr<whole>, std::set<std::shared_ptr<double>>> keys{one, {parts[0]}};
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(keys)); });
}

TEST(changed_bytes_of_pointers_to_parts_are_refused_or_read) {
  const detail::bytes right = encoded(all_parts());
  const std::int64_t before = counted::alive;
  for (std::size_t size = 0; size < right.size(); size += 1 + right.size() / 300) {
    with_parts back;
    check::thrown_by<decode_error>([&] { builtin_codec::decode(right.data(), size, back); });
    check::expect(back.owners.empty() && back.early == nullptr && back.parts.empty());
  }
  std::mt19937 random(35);
  int refused = 0;
  constexpr int rounds = 4000;
  for (int round = 0; round < rounds; ++round) {
    detail::bytes wrong = with_changed_bytes(right, random);
    // Most of what can go wrong stands at the end.
    wrong[wrong.size() - 1 - random() % 120] = static_cast<std::byte>(random() % 64);
    with_parts back;
    try {
      decode(wrong, back);
      static_cast<void>(encoded(back));
    } catch (const decode_error&) {
      ++refused;
    } catch (const encode_error&) {
    }
    for (const auto& each : back.owners)
      if (each != nullptr) each->into_other.reset();  // it may lead in a ring
    for (const auto& each : back.owners)
      if (each != nullptr) each->next.reset();
  }
  check::expect(refused > rounds / 10 && refused < rounds);
  check::equal(counted::alive, before);
}
