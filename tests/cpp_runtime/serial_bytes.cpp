// Equal values have equal encodings: whatever the history of a hash table, and whatever lies in bytes that
// mean nothing.

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>

#include "../cpp/check.hpp"
#include "encoding.hpp"

using namespace mpiglot;
using namespace encoding;

namespace {

template <class T>
bool same_bytes(const T& a, const T& b) {
  const detail::bytes one = encoded(a), other = encoded(b);
  return one.size() == other.size() && std::memcmp(one.data(), other.data(), one.size()) == 0;
}

// Keys with a list of fields, of two kinds of storage, and keys that all have one hash.
struct place {
  std::string name;
  int number = 0;
  static void fields(auto& self, auto&& visit) { visit(self.name, self.number); }
  bool operator==(const place&) const = default;
};
struct owner_of_place {
  std::unique_ptr<place> inside;
  static void fields(auto& self, auto&& visit) { visit(self.inside); }
  bool operator==(const owner_of_place& other) const { return *inside == *other.inside; }
};
struct hash {
  std::size_t operator()(const place& of) const {
    return std::hash<std::string>()(of.name) + static_cast<std::size_t>(of.number);
  }
  std::size_t operator()(const owner_of_place& of) const { return (*this)(*of.inside); }
  std::size_t operator()(const std::unordered_set<int>& of) const { return of.size(); }
  std::size_t operator()(const std::pair<char, long double>& of) const {
    return static_cast<std::size_t>(of.first);
  }
};
struct always_one {
  std::size_t operator()(int) const { return 1; }
};

template <class T>
T made_of(int i) {
  if constexpr (std::is_same_v<T, place>)
    return {std::string(static_cast<std::size_t>(i % 13), 'x'), i};
  else if constexpr (std::is_same_v<T, owner_of_place>)
    return {std::make_unique<place>(made_of<place>(i))};
  else if constexpr (std::is_same_v<T, std::string>)
    return "key " + std::to_string(i) + std::string(static_cast<std::size_t>(i % 5), '.');
  else if constexpr (std::is_same_v<T, std::pair<char, long double>>)
    return {static_cast<char>(i), 0.5L * static_cast<long double>(i)};
  else if constexpr (std::is_same_v<T, std::unordered_set<int>>)
    return i % 2 == 0 ? T{i, i + 1000, 7, 8} : T{8, 7, i + 1000, i};
  else if constexpr (std::is_same_v<T, std::vector<std::unique_ptr<int>>>) {
    T made;
    made.push_back(std::make_unique<int>(i));
    return made;
  } else
    return static_cast<T>(i);
}

template <class T>
concept map_like = requires { typename T::mapped_type; };
template <class T>
inline constexpr bool is_multi =
    !requires(T& t, typename T::value_type v) { t.insert(std::move(v)).second; };

template <class T>
void put(T& into, int i) {
  if constexpr (map_like<T>)
    into.emplace(made_of<typename T::key_type>(i / (is_multi<T> ? 3 : 1)),
                 made_of<typename T::mapped_type>(i));
  else
    into.emplace(made_of<typename T::key_type>(i / (is_multi<T> ? 3 : 1)));
}
// The same elements by another history: their order, others that are erased, and the number of buckets.
template <class T>
T with_history(int elements, std::mt19937& random) {
  std::vector<int> order(static_cast<std::size_t>(elements));
  for (int i = 0; i < elements; ++i) order[static_cast<std::size_t>(i)] = i;
  std::shuffle(order.begin(), order.end(), random);
  T made;
  const int others = static_cast<int>(random() % 50);
  for (int i = 0; i < others; ++i) put(made, 300 + i);
  if (random() % 2 == 0) made.rehash(random() % 700);
  for (const int i : order) put(made, i);
  for (int i = 0; i < others; ++i)
    made.erase(made_of<typename T::key_type>((300 + i) / (is_multi<T> ? 3 : 1)));
  if (random() % 3 == 0) made.rehash(0);
  return made;
}
template <class T>
void try_histories() {
  std::mt19937 random(7);
  for (const int elements : {0, 1, 2, 5, 100, 290})
    for (int turn = 0; turn < 8; ++turn) {
      const T one = with_history<T>(elements, random);
      const T other = with_history<T>(elements, random);
      check::expect(one.size() == other.size() && same_bytes(one, other));
      T back;
      decode(encoded(one), back);
      check::expect(back.size() == one.size() && same_bytes(one, back));
    }
}

struct padded {
  char kind;
  double value;
  std::int16_t last;
};
struct in_padded {
  padded first;
  bool flag;
  padded others[2];
  long double wide;
  unsigned bits : 3;
};
void set(padded& to) {
  to.kind = 1;
  to.value = 2;
  to.last = 3;
}
// Not a store of sixteen bytes.
void set(long double& to) {
  const long double value = 1.25L;
  std::memcpy(&to, &value, 10);
}
void set(in_padded& to) {
  set(to.first);
  to.flag = true;
  for (padded& each : to.others) set(each);
  set(to.wide);
  to.bits = 5;
}
void set(std::complex<long double>& to) {
  set(reinterpret_cast<long double(&)[2]>(to)[0]);
  set(reinterpret_cast<long double(&)[2]>(to)[1]);
}
// A value in memory that was full of `filling`.
template <class T>
void fill(T& to, int filling) {
  std::memset(static_cast<void*>(&to), filling, sizeof(T));
  set(to);
}

struct lists {
  int before = 0;
  long double wide = 0;
  padded plain{};
  std::array<padded, 2> array{};
  padded table[2] = {};
  std::pair<char, long double> pair{};
  std::string text;
  static void fields(auto& self, auto&& visit) {
    visit(self.before, self.wide, self.plain, self.array, self.table, self.pair, self.text);
  }
};
struct owns {
  std::size_t n = 0;
  padded* all = nullptr;
  std::unique_ptr<padded> one;
  ~owns() { delete[] all; }
  static void fields(auto& self, auto&& visit) { visit(owned(self.all, self.n), self.one); }
};

template <class T, class Container>
void try_container(Container one, Container other) {
  for (T& each : one) fill(each, 0xFF);
  for (T& each : other) fill(each, 0xA5);
  check::expect(same_bytes(one, other));
}
template <class T>
void try_padding() {
  alignas(T) std::byte memory[2][sizeof(T)];
  T& one = reinterpret_cast<T&>(memory[0]);
  T& other = reinterpret_cast<T&>(memory[1]);
  fill(one, 0xFF);
  fill(other, 0x00);
  check::expect(same_bytes(one, other));
  const detail::bytes bytes = encoded(one);
  check::expect(std::memcmp(bytes.data(), memory[1], sizeof(T)) == 0);
  check::expect(std::memcmp(memory[0], memory[1], sizeof(T)) != 0);  // the program's is not touched
  for (const std::size_t n : {0U, 1U, 3U, 100U, 9000U}) {
    try_container<T>(std::vector<T>(n), std::vector<T>(n));
    try_container<T>(std::valarray<T>(n), std::valarray<T>(n));
    try_container<T>(std::deque<T>(n), std::deque<T>(n));
  }
  try_container<T>(std::array<T, 3>(), std::array<T, 3>());
  try_container<T>(std::array<std::array<T, 3>, 1>()[0], std::array<std::array<T, 3>, 1>()[0]);
  using several = std::tuple<char, std::optional<T>, T, std::variant<int, T>, std::array<T, 2>>;
  several a, b;
  for (several* each : {&a, &b}) {
    const int filling = each == &a ? 0xFF : 0;
    fill(std::get<1>(*each).emplace(), filling);
    fill(std::get<2>(*each), filling);
    fill(std::get<3>(*each).template emplace<1>(), filling);
    for (T& element : std::get<4>(*each)) fill(element, filling);
  }
  check::expect(same_bytes(a, b));
}

}  // namespace

TEST(hash_tables_have_one_encoding_whatever_their_history) {
  try_histories<std::unordered_set<int>>();
  try_histories<std::unordered_set<std::string>>();
  try_histories<std::unordered_set<int, always_one>>();
  try_histories<std::unordered_set<place, hash>>();
  try_histories<std::unordered_set<std::unordered_set<int>, hash>>();
  try_histories<std::unordered_set<std::pair<char, long double>, hash>>();
  try_histories<std::unordered_map<int, int>>();
  try_histories<std::unordered_map<std::string, int>>();
  try_histories<std::unordered_map<std::string, std::string>>();
  try_histories<std::unordered_map<place, place, hash>>();
  try_histories<std::unordered_map<int, std::vector<std::unique_ptr<int>>>>();
  try_histories<std::unordered_map<short, std::unordered_set<int>>>();
}
TEST(hash_tables_with_keys_that_are_there_twice_have_one_encoding) {
  try_histories<std::unordered_multiset<int>>();
  try_histories<std::unordered_multiset<std::string>>();
  try_histories<std::unordered_multiset<place, hash>>();
  try_histories<std::unordered_multimap<int, int>>();
  try_histories<std::unordered_multimap<std::string, std::string>>();
  try_histories<std::unordered_multimap<int, place>>();
  try_histories<std::unordered_multimap<int, std::vector<std::unique_ptr<int>>>>();
}
// Most keys of a table may have hashes that begin alike.
TEST(keys_are_sorted_whatever_their_hashes) {
  std::mt19937 random(3);
  for (const std::size_t n : {2U, 40U, 500U}) {
    std::vector<std::uint64_t> keys;
    while (keys.size() < n) {
      const std::uint64_t key = random();
      const detail::encoded_key one{nullptr, reinterpret_cast<const std::byte*>(&key), 8, 0};
      detail::encoded_key mixed = one;
      mixed.mix();
      if (mixed.mixed >> 56 == 5) keys.push_back(key);
    }
    std::vector<std::uint64_t> orders[2];
    for (auto& order : orders) {
      std::shuffle(keys.begin(), keys.end(), random);
      detail::block<detail::encoded_key> all(n);
      for (std::size_t i = 0; i < n; ++i) all[i] = {&keys[i], nullptr, 8, 0};
      detail::sort_keys(all, reinterpret_cast<const std::byte*>(keys.data()));
      for (std::size_t i = 0; i < n; ++i)
        order.push_back(*static_cast<const std::uint64_t*>(all[i].element));
    }
    check::expect(orders[0] == orders[1]);
  }
}
TEST(keys_that_own_go_by_what_they_own) {
  std::mt19937 random(5);
  std::vector<std::unique_ptr<int>> ballast;
  for (int turn = 0; turn < 20; ++turn) {
    std::set<std::unique_ptr<int>> one, other;
    std::unordered_set<std::unique_ptr<int>> hashed, other_hashed;
    for (int i = 0; i < 40; ++i) {
      ballast.push_back(std::make_unique<int>());
      if (random() % 2 == 0)
        ballast.erase(ballast.begin() + static_cast<int>(random() % ballast.size()));
      one.insert(std::make_unique<int>(i));
      other.insert(std::make_unique<int>(39 - i));
      hashed.insert(std::make_unique<int>(i));
      other_hashed.insert(std::make_unique<int>(39 - i));
    }
    check::expect(same_bytes(one, other) && same_bytes(hashed, other_hashed));
  }
}
TEST(keys_with_shared_objects_travel_in_the_order_of_the_table) {
  const auto both = std::make_shared<int>(4);
  std::unordered_map<std::shared_ptr<int>, std::shared_ptr<int>> sent{
      {both, both}, {std::make_shared<int>(5), both}},
      back;
  decode(encoded(sent), back);
  check::equal(back.size(), std::size_t{2});
  for (const auto& [key, mapped] : back) check::expect(*key == 5 || key == mapped);
}
TEST(unused_bytes_of_long_double_are_zero) {
  try_padding<long double>();
  try_padding<std::complex<long double>>();
}
TEST(padding_of_classes_is_zero) {
  if constexpr (!detail::clears_padding_of_classes) return;
  try_padding<padded>();
  try_padding<in_padded>();
}
TEST(padding_of_fields_is_zero) {
  if constexpr (!detail::clears_padding_of_classes) return;
  lists one, other;
  owns first, second;
  first.all = new padded[5000];
  second.all = new padded[5000];
  for (lists* each : {&one, &other}) {
    const int filling = each == &one ? 0xFF : 0;
    fill(each->wide, filling);
    fill(each->plain, filling);
    for (padded& element : each->array) fill(element, filling);
    for (padded& element : each->table) fill(element, filling);
    each->pair.first = 1;
    fill(each->pair.second, filling);
  }
  for (owns* each : {&first, &second}) {
    each->n = 5000;
    each->one.reset(new padded);
    fill(*each->one, each == &first ? 0xFF : 0);
    for (std::size_t i = 0; i < 5000; ++i) fill(each->all[i], each == &first ? 0xFF : 0);
  }
  check::expect(same_bytes(one, other) && same_bytes(first, second));
}
// Signalling, pseudo-denormal and unnormal numbers: bytes are copied, not values.
TEST(all_patterns_of_long_double_arrive) {
  if constexpr (detail::used_bytes<long double> != 10) return;
  std::mt19937 random(11);
  for (int turn = 0; turn < 2000; ++turn) {
    alignas(long double) unsigned char pattern[16];
    for (unsigned char& each : pattern) each = static_cast<unsigned char>(random());
    if (turn % 3 == 0) pattern[9] = 0x7F, pattern[8] = 0xFF;
    if (turn % 3 == 1) pattern[9] = pattern[8] = 0;
    std::vector<long double> back;
    std::vector<long double> sent(1);
    std::memcpy(static_cast<void*>(sent.data()), pattern, 16);
    decode(encoded(sent), back);
    const unsigned char none[6] = {};
    check::equal(back.size(), std::size_t{1});
    check::expect(std::memcmp(back.data(), pattern, 10) == 0);
    check::expect(std::memcmp(reinterpret_cast<const char*>(back.data()) + 10, none, 6) == 0);
  }
}

// Nobody compares the bytes of messages, and sorting takes longer than the rest.
TEST(hash_tables_are_not_sorted_in_messages) {
  std::unordered_set<int> table;
  for (int i = 0; i < 100; ++i) table.insert(7919 * i % 1000);
  auto given = as_serialized(table);
  buffer_adapter<decltype(given), form::message, resize_policy::automatic> sent(std::move(given));
  sent.pack();
  const lent memory = sent.out();
  const auto as_it_is = as_serialized(std::vector<int>(table.begin(), table.end())).encoded();
  check::equal(static_cast<std::size_t>(memory.count), as_it_is.size());
  check::expect(std::memcmp(memory.address, as_it_is.data(), as_it_is.size()) == 0);
}
