// The built-in codec: what it writes it reads back, and it believes nothing that it reads.

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <span>
#include <stack>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <variant>
#include <vector>

#include "../cpp/check.hpp"
#include "encoding.hpp"

using namespace mpiglot;
using namespace encoding;

namespace {

enum class color : short { red = -1, blue = 300 };

struct plain {
  int number;
  double weight;
  bool operator==(const plain&) const = default;
};

// Owns others in every way there is.
struct person {
  std::string name;
  int ages[3] = {};
  bool known = false;
  std::vector<person> children;
  std::unique_ptr<person> partner;
  std::variant<std::monostate, int, std::string> note;

  static void fields(auto& self, auto&& visit) {
    visit(self.name, self.ages, self.known, self.children, self.partner, self.note);
  }
  friend bool operator==(const person& a, const person& b) {
    if (!a.partner != !b.partner || (a.partner && !(*a.partner == *b.partner))) return false;
    return a.name == b.name && std::equal(a.ages, a.ages + 3, b.ages) && a.known == b.known &&
           a.children == b.children && a.note == b.note;
  }
};

person family(int depth) {
  person made;
  made.name = std::string(static_cast<std::size_t>(depth), 'n');
  made.ages[1] = depth;
  made.known = depth % 2 == 0;
  if (depth % 3 == 1) made.note = depth;
  if (depth % 3 == 2) made.note = "note";
  if (depth == 0) return made;
  made.partner = std::make_unique<person>(family(depth - 1));
  made.children.resize(2);
  made.children[1] = family(depth - 1);
  return made;
}

struct nothing {
  static void fields(auto&, auto&& visit) { visit(); }
  auto operator<=>(const nothing&) const = default;
};

struct linked {
  int value = 0;
  std::shared_ptr<linked> next;
  static void fields(auto& self, auto&& visit) { visit(self.value, self.next); }
};

struct base {
  virtual ~base() = default;
};

struct throws {
  throws() = default;
  throws(const throws&) { throw 1; }
  throws& operator=(const throws&) = default;
  static void fields(auto&, auto&& visit) { visit(); }
};

// A class that is large in memory and one byte on the wire.
struct inflated {
  std::array<std::unique_ptr<int>, 200> slots;
  bool flag = false;
  static inline std::size_t made = 0;

  inflated() { ++made; }
  static void fields(auto& self, auto&& visit) { visit(self.flag); }
};

// Fields of fixed size, alone and in runs.
struct in_runs {
  std::unique_ptr<int> first;
  bool flag = false;
  int numbers[3] = {};
  std::array<bool, 2> flags = {};
  std::pair<char, double> pair;
  bool table[2][2] = {};
  std::unique_ptr<int> second;
  std::tuple<> nothing;
  std::array<std::pair<bool, short>, 2> pairs = {};
  std::string text;
  std::unique_ptr<int> third;
  char last = 'x';

  static void fields(auto& self, auto&& visit) {
    visit(self.first, self.flag, self.numbers, self.flags, self.pair, self.table, self.second,
          self.nothing, self.pairs, self.text, self.third, self.last);
  }
};

template <class T>
T decoded(const detail::bytes& bytes) {
  T value{};
  decode(bytes, value);
  return value;
}

template <class T>
void comes_back(const T& value, std::source_location where = std::source_location::current()) {
  check::expect(decoded<T>(encoded(value)) == value, "another value came back", where);
}

// Like `comes_back`, into an object that holds something already.
template <class T>
void replaces(T old, const T& value) {
  const detail::bytes bytes = encoded(value);
  decode(bytes, old);
  check::equal(old, value);
}

using everything =
    std::map<std::string,
             std::tuple<std::vector<std::optional<std::string>>, std::unordered_map<int, color>,
                        std::variant<int, std::string, std::vector<bool>>, std::deque<float>>>;

everything sample(unsigned seed) {
  everything made;
  for (unsigned i = 0; i < seed; ++i) {
    auto& [words, colors, either, numbers] = made["key" + std::to_string(i)];
    words = {"one", std::nullopt, std::string(i, 'x')};
    colors = {{1, color::red}, {static_cast<int>(i) + 2, color::blue}};
    if (i % 2 == 0)
      either = std::vector<bool>{true, false, true};
    else
      either = "text";
    numbers.assign(i, 0.5f);
  }
  return made;
}

// Decodes bytes that nobody encoded: a value, or an error that says so. Anything else ends the test.
template <class T>
bool survives(const detail::bytes& bytes) {
  try {
    static_cast<void>(decoded<T>(bytes));
    return true;
  } catch (const decode_error&) {
    return false;
  }
}

template <class T>
void is_robust(const T& value, unsigned seed) {
  std::mt19937 random(seed);
  const detail::bytes right = encoded(value);
  const auto copy = [&](std::size_t size) {
    detail::bytes some(size);
    if (size != 0) std::memcpy(some.data(), right.data(), size);
    return some;
  };
  for (std::size_t size = 0; size < right.size(); ++size)
    check::expect(!survives<T>(copy(size)), "a truncated message was accepted");
  int refused = 0;
  constexpr int rounds = 3000;
  for (int round = 0; round < rounds; ++round) {
    detail::bytes wrong = copy(right.size());
    for (unsigned changes = random() % 4 + 1; changes > 0; --changes)
      wrong[random() % wrong.size()] = static_cast<std::byte>(random() % 4 == 0 ? 255 : random());
    if (random() % 8 == 0) wrong.append(right.data(), random() % right.size());
    if (!survives<T>(wrong)) ++refused;
  }
  check::expect(refused > 0 && refused < rounds, "the changes tell nothing");
}

}  // namespace

TEST(numbers_and_plain_classes_come_back) {
  comes_back(5);
  comes_back(2.5L);
  comes_back(color::blue);
  comes_back(plain{3, 0.25});
  comes_back(std::complex<double>(1, -2));
  comes_back(std::chrono::milliseconds(77));
  comes_back(std::chrono::system_clock::time_point(std::chrono::hours(5)));
  comes_back(std::bitset<70>(12345));
  comes_back(true);
}

TEST(every_standard_container_comes_back) {
  comes_back(std::string("text"));
  comes_back(std::u16string(u"text"));
  comes_back(std::vector<int>{1, 2, 3});
  comes_back(std::vector<std::string>{"a", "", "ccc"});
  comes_back(std::vector<bool>{true, false, true});
  comes_back(std::array<std::string, 2>{"a", "b"});
  comes_back(std::array<bool, 3>{true, false, true});
  comes_back(std::deque<int>{1, 2});
  comes_back(std::list<std::string>{"a", "b"});
  comes_back(std::set<std::string>{"b", "a"});
  comes_back(std::multiset<int>{1, 1, 2});
  comes_back(std::unordered_set<int>{7, 5});
  comes_back(std::unordered_multiset<int>{7, 7});
  comes_back(std::map<int, std::string>{{1, "a"}, {2, "b"}});
  comes_back(std::multimap<int, int>{{1, 1}, {1, 2}});
  comes_back(std::unordered_map<std::string, std::vector<int>>{{"a", {1}}, {"b", {}}});
  comes_back(std::unordered_multimap<int, int>{{1, 1}, {1, 1}});
  comes_back(std::pair<int, std::string>(1, "b"));
  comes_back(std::tuple<int, std::string, std::tuple<>>(1, "b", {}));
  comes_back(std::optional<std::string>("a"));
  comes_back(std::optional<std::string>());
  comes_back(std::variant<int, std::string>("a"));
  comes_back(std::vector<nothing>(5));
  comes_back(std::multiset<nothing>{{}, {}, {}});
  comes_back(std::map<int, nothing>{{1, {}}, {2, {}}});
  comes_back(std::set<int>());
  comes_back(sample(6));
}

// Greater by the last digit, then by the number.
struct last_digit_first {
  bool operator()(int a, int b) const { return a % 10 != b % 10 ? a % 10 < b % 10 : a < b; }
};
// The elements of an adapter in the order in which they leave it.
template <class Adapter>
std::vector<typename Adapter::value_type> emptied(Adapter adapter) {
  std::vector<typename Adapter::value_type> all;
  while (adapter.size() != 0) {
    if constexpr (requires { adapter.front(); })
      all.push_back(adapter.front());
    else
      all.push_back(adapter.top());
    adapter.pop();
  }
  return all;
}
template <class Adapter>
void adapter_comes_back(int n) {
  Adapter adapter;
  for (int i = 0; i < n; ++i) adapter.push(typename Adapter::value_type(i * 7 % 31));
  Adapter back;
  back.push(typename Adapter::value_type(5));  // is replaced
  decode(encoded(adapter), back);
  check::expect(emptied(back) == emptied(adapter), "other elements came back");
}

TEST(adapters_of_containers_come_back) {
  for (const int n : {0, 1, 1000}) {
    adapter_comes_back<std::queue<int>>(n);
    adapter_comes_back<std::queue<long, std::list<long>>>(n);
    adapter_comes_back<std::stack<int>>(n);
    adapter_comes_back<std::stack<double, std::vector<double>>>(n);
    adapter_comes_back<std::priority_queue<int>>(n);
    adapter_comes_back<std::priority_queue<int, std::deque<int>, std::greater<>>>(n);
    adapter_comes_back<std::priority_queue<int, std::vector<int>, last_digit_first>>(n);
  }
  comes_back(std::map<int, std::queue<std::string>>{{1, std::queue<std::string>({"a", ""})}});
  comes_back(
      std::stack<std::queue<std::vector<int>>>({std::queue<std::vector<int>>({{1, 2}, {}})}));
}

TEST(forward_lists_come_back) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
    comes_back(std::forward_list<int>(n, 3));
    comes_back(std::forward_list<std::string>(n, "text"));
    comes_back(std::forward_list<nothing>(n));
    comes_back(std::forward_list<std::forward_list<std::string>>(n, {"a", "", "ccc"}));
  }
  comes_back(std::forward_list<std::unique_ptr<int>>());
  comes_back(std::map<int, std::forward_list<std::vector<int>>>{{1, {{1}, {}, {2, 3}}}});
}

// Its memory is much larger than its encoding.
struct roomy {
  std::array<char, 8'000> room{};  // clang computes with each element
  int value = 0;
  static void fields(auto& self, auto&& visit) { visit(self.value); }
  friend bool operator==(const roomy& a, const roomy& b) { return a.value == b.value; }
};
TEST(elements_that_are_larger_than_their_encoding_are_as_many_as_were_sent) {
  for (std::size_t n = 0; n < 8; ++n) {
    comes_back(std::vector<roomy>(n));
    comes_back(std::forward_list<roomy>(n));
  }
}

TEST(other_standard_types_come_back) {
  comes_back(std::filesystem::path("/usr/include/mpi.h"));
  comes_back(std::filesystem::path());
  comes_back(std::vector<std::filesystem::path>{"a", "b/c"});
  comes_back(std::u8string(u8"text"));
  comes_back(std::wstring(L"text"));
  comes_back(std::monostate());
  comes_back(std::variant<std::monostate, std::vector<int>>());
  comes_back(std::vector<std::byte>(300, std::byte{7}));
  comes_back(std::vector<std::chrono::nanoseconds>{std::chrono::nanoseconds(1)});
  comes_back(std::map<color, std::bitset<3>>{{color::red, 5}});
  comes_back(std::map<std::string, std::map<int, std::vector<std::set<std::string>>>>{
      {"a", {{1, {{"x", "y"}, {}}}, {2, {}}}}, {"", {}}});
  comes_back(std::optional<std::optional<int>>(std::optional<int>()));
  comes_back(std::deque<bool>{true, false});
  comes_back(std::vector<std::vector<bool>>{{true}, {}});
  comes_back(std::array<std::vector<std::string>, 2>{{{"a"}, {}}});
  comes_back(std::tuple<std::unique_ptr<int>, int>(nullptr, 5));
}

TEST(valarrays_come_back) {
  const auto returns = []<class T>(const std::valarray<T>& value) {
    std::valarray<T> old(3);
    const detail::bytes bytes = encoded(value);
    decode(bytes, old);
    check::expect(std::equal(begin(value), end(value), begin(old), end(old)));
    detail::bytes shorter;
    shorter.append(bytes.data(), bytes.size() - 1);
    check::expect(!survives<std::valarray<T>>(shorter));
  };
  returns(std::valarray<int>{1, 2, 3});
  returns(std::valarray<double>());
  returns(std::valarray<bool>{true, false});
  std::valarray<std::string> words(20000);  // more in memory than encoded: it grows in steps
  for (std::size_t i = 0; i < words.size(); i += 100) words[i] = std::to_string(i);
  returns(words);
}

TEST(empty_values_come_back_and_replace) {
  comes_back(std::string());
  comes_back(std::vector<std::string>());
  comes_back(std::list<int>());
  comes_back(std::map<std::string, int>());
  comes_back(std::tuple<>());
  replaces<std::string>("old", "");
  replaces<std::vector<int>>({1, 2}, {});
  replaces<std::vector<bool>>({true}, {});
  replaces<std::map<int, int>>({{1, 1}}, {});
}

TEST(a_value_replaces_what_was_there) {
  replaces<std::vector<std::string>>({"x", "y", "z"}, {"a"});
  replaces<std::list<int>>({1, 2, 3}, {4, 5, 6, 7, 8});
  replaces<std::map<int, int>>({{1, 1}}, {{2, 2}});
  replaces<std::optional<int>>(5, std::nullopt);
  replaces<std::variant<int, std::string>>("a", 3);
  replaces(family(3), family(2));
  replaces(family(1), family(4));
}

TEST(objects_behind_unique_pointers_come_back) {
  comes_back(family(4));
  const auto numbers = decoded<std::vector<std::unique_ptr<int>>>(encoded([] {
    std::vector<std::unique_ptr<int>> made(3);
    made[1] = std::make_unique<int>(5);
    return made;
  }()));
  check::expect(numbers.size() == 3 && !numbers[0] && *numbers[1] == 5 && !numbers[2]);
}

TEST(shared_objects_arrive_shared) {
  const auto one = std::make_shared<std::string>("one");
  const std::vector<std::shared_ptr<std::string>> value = {one, nullptr, one,
                                                           std::make_shared<std::string>("two")};
  const auto back = decoded<std::vector<std::shared_ptr<std::string>>>(encoded(value));
  check::expect(back.size() == 4 && *back[0] == "one" && !back[1] && back[0] == back[2] &&
                *back[3] == "two" && back[0].use_count() == 2);

  std::vector<std::shared_ptr<int>> many;
  for (int i = 0; i < 1000; ++i) many.push_back(std::make_shared<int>(i));
  for (std::size_t i = 0; i < 1000; ++i) many.push_back(many[i]);
  const auto all = decoded<std::vector<std::shared_ptr<int>>>(encoded(many));
  for (std::size_t i = 0; i < 1000; ++i)
    check::expect(*all[i] == static_cast<int>(i) && all[i] == all[1000 + i]);
}

// However the owner was made, it holds an object of the pointer's type.
template <class T>
void every_owner_is_known() {
  struct freeing {
    void operator()(T* object) const { delete object; }
  };
  using pointers = std::vector<std::shared_ptr<T>>;
  const pointers value = {
      std::make_shared<T>(),
      std::shared_ptr<T>(new T()),
      std::shared_ptr<T>(new T(), freeing()),
      std::shared_ptr<T>(new T(), freeing(), std::allocator<T>()),
      std::allocate_shared<T>(std::allocator<T>()),
      std::make_unique<T>(),
      std::unique_ptr<T, freeing>(new T()),
      std::const_pointer_cast<T>(std::make_shared<const T>()),
      std::const_pointer_cast<T>(std::shared_ptr<const T>(new const T())),
      std::static_pointer_cast<T>(std::shared_ptr<void>(std::make_shared<T>()))};
  for (int round = 0; round < 2; ++round) {
    pointers twice = value;
    twice.insert(twice.end(), value.begin(), value.end());
    const auto back = decoded<pointers>(encoded(twice));
    check::equal(back.size(), twice.size());
    for (std::size_t i = 0; i < value.size(); ++i)
      check::expect(back[i] && back[i] == back[i + value.size()] && back[i].use_count() == 2);
  }
}

template <class A, class B>
struct of_two {
  A a{};
  B b{};
  static void fields(auto& self, auto&& visit) { visit(self.a, self.b); }
};

TEST(owners_of_every_kind_are_known) {
  struct local {
    int value = 0;
  };
  every_owner_is_known<int>();
  every_owner_is_known<plain>();
  every_owner_is_known<person>();
  every_owner_is_known<local>();
  every_owner_is_known<std::string>();
  every_owner_is_known<std::vector<std::string>>();
  every_owner_is_known<everything>();
  every_owner_is_known<of_two<everything, of_two<person, std::string>>>();
  every_owner_is_known<of_two<std::shared_ptr<local>, std::shared_ptr<const local>>>();
}

TEST(objects_of_owners_that_free_nothing_arrive_shared) {
  std::string text = "text";
  const auto keep = [](std::string*) {};
  const std::vector<std::shared_ptr<std::string>> value = {
      std::shared_ptr<std::string>(&text, keep), std::shared_ptr<std::string>(&text, keep)};
  const auto back = decoded<std::vector<std::shared_ptr<std::string>>>(encoded(value));
  check::expect(back.size() == 2 && *back[0] == "text" && back[0] == back[1]);
}

TEST(a_pointer_to_a_part_alone_is_a_value) {
  const auto whole = std::make_shared<plain>(plain{3, 0.25});
  const std::shared_ptr<double> part(whole, &whole->weight);
  const auto back = decoded<std::vector<std::shared_ptr<double>>>(encoded(std::vector{part, part}));
  check::expect(*back[0] == 0.25 && back[0] == back[1]);
}

TEST(one_pointer_to_a_part_among_many_arrives_at_it) {
  using both = std::pair<std::vector<std::shared_ptr<plain>>, std::shared_ptr<double>>;
  both value;
  for (int i = 0; i < 3000; ++i) {
    value.first.push_back(std::make_shared<plain>(plain{i, 0.5 * i}));
    if (i % 2 == 0) value.first.push_back(value.first.back());
  }
  const std::vector<std::shared_ptr<plain>> kept = value.first;
  for (const std::size_t i : {std::size_t{0}, std::size_t{2001}, kept.size() - 1}) {
    value.second = std::shared_ptr<double>(kept[i], &kept[i]->weight);
    const both part = decoded<both>(encoded(value));
    check::expect(part.second.get() == &part.first[i]->weight);
    check::equal(part.second.use_count(), part.first[i].use_count());
    value.second = std::make_shared<double>(7);
    const both back = decoded<both>(encoded(value));
    check::expect(*back.second == 7 && back.first[i]->number == kept[i]->number);
  }
}

TEST(rings_of_shared_objects_come_back) {
  auto ring = std::make_shared<linked>();
  ring->value = 1;
  ring->next = std::make_shared<linked>();
  ring->next->value = 2;
  ring->next->next = ring;
  std::shared_ptr<linked> back;
  decode_once(encoded(ring), back);
  check::expect(back->value == 1 && back->next->value == 2 && back->next->next == back);
  ring->next->next.reset();
  back->next->next.reset();
}

TEST(what_cannot_be_written_is_refused_at_compile_time) {
  static_assert(!builtin_codec::can<int*>);
  static_assert(!builtin_codec::can<std::vector<int*>>);
  static_assert(!builtin_codec::can<std::unique_ptr<base>>);
  static_assert(!builtin_codec::can<std::shared_ptr<base>>);
  static_assert(!builtin_codec::can<std::unique_ptr<int[]>>);
  static_assert(!builtin_codec::can<std::weak_ptr<base>>);
  static_assert(!builtin_codec::can<std::string_view>);
  static_assert(!builtin_codec::can<std::span<int>>);
  static_assert(!builtin_codec::can<std::forward_list<int*>>);
  static_assert(!builtin_codec::can<std::stack<std::string_view>>);
  static_assert(!builtin_codec::can<std::vector<std::string_view>>);
  static_assert(!builtin_codec::can<std::map<std::string, int*>>);
  static_assert(builtin_codec::can<person>);
  static_assert(builtin_codec::can<everything>);
}

TEST(a_variant_without_value_is_an_encode_error) {
  std::variant<int, throws> value = 1;
  try {
    const throws other;
    value.emplace<throws>(other);
  } catch (int) {
  }
  check::expect(value.valueless_by_exception());
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(value)); });
}

TEST(corrupt_and_truncated_messages_are_decode_errors) {
  is_robust(sample(3), 1);
  is_robust(family(2), 2);
  is_robust(std::vector<std::string>{"a", "bb", "ccc"}, 3);
  const auto one = std::make_shared<std::string>("one");
  is_robust(std::vector<std::shared_ptr<std::string>>{one, nullptr, one}, 4);
  is_robust(std::map<std::string, bool>{{"a", true}, {"b", false}}, 5);
}

TEST(bytes_behind_the_end_are_a_decode_error) {
  const auto refuses = [](const auto& value) {
    detail::bytes bytes = encoded(value);
    check::expect(survives<std::remove_cvref_t<decltype(value)>>(bytes));
    for (const std::byte more : {std::byte{0}, std::byte{1}, std::byte{255}}) {
      bytes.append(&more, 1);
      check::expect(!survives<std::remove_cvref_t<decltype(value)>>(bytes));
    }
  };
  refuses(7);
  refuses(nothing());
  refuses(std::string("text"));
  refuses(std::vector<int>{1, 2, 3});
  refuses(std::vector<std::string>{"a"});
  refuses(std::map<int, std::string>{{1, "a"}});
  refuses(std::optional<int>(3));
  refuses(family(1));
}

TEST(a_key_that_is_there_twice_is_a_decode_error) {
  const auto doubled = [](auto two, std::size_t second) {
    detail::bytes bytes = encoded(two);
    std::memcpy(bytes.data() + second, bytes.data() + 1, sizeof(int));
    return bytes;
  };
  check::expect(!survives<std::map<int, int>>(doubled(std::map<int, int>{{1, 5}, {2, 6}}, 9)));
  check::expect(
      !survives<std::unordered_map<int, int>>(doubled(std::map<int, int>{{1, 5}, {2, 6}}, 9)));
  check::expect(!survives<std::set<int>>(doubled(std::set<int>{1, 2}, 5)));
  check::expect(!survives<std::unordered_set<int>>(doubled(std::set<int>{1, 2}, 5)));
  check::expect(survives<std::multiset<int>>(doubled(std::set<int>{1, 2}, 5)));
  check::expect(survives<std::multimap<int, int>>(doubled(std::map<int, int>{{1, 5}, {2, 6}}, 9)));
}

TEST(fields_of_fixed_size_follow_each_other) {
  in_runs value{std::make_unique<int>(1),
                true,
                {2, 3, 4},
                {false, true},
                {'p', 0.5},
                {{true, false}, {false, true}},
                std::make_unique<int>(5),
                {},
                {{{true, 6}, {false, 7}}},
                "text",
                std::make_unique<int>(8),
                'y'};
  const detail::bytes bytes = encoded(value);
  check::equal(bytes.size(), 5u + 1 + 12 + 2 + 9 + 4 + 5 + 6 + 5 + 5 + 1);
  const auto back = decoded<in_runs>(bytes);
  check::expect(*back.first == 1 && back.flag &&
                std::equal(back.numbers, back.numbers + 3, value.numbers));
  check::expect(back.flags == value.flags && back.pair == value.pair && back.table[0][0] &&
                !back.table[0][1] && !back.table[1][0] && back.table[1][1]);
  check::expect(*back.second == 5 && back.pairs == value.pairs && back.text == "text" &&
                *back.third == 8 && back.last == 'y');
  for (const std::size_t at :
       {0u, 5u, 18u, 19u, 29u, 32u, 33u, 38u, 41u, 49u}) {  // what must be 0 or 1
    detail::bytes wrong(bytes.size());
    std::memcpy(wrong.data(), bytes.data(), bytes.size());
    wrong[at] = std::byte{2};
    check::expect(!survives<in_runs>(wrong));
  }
  is_robust(value, 6);
  value.second = nullptr;
  value.third = nullptr;
  check::expect(!decoded<in_runs>(encoded(value)).second &&
                !decoded<in_runs>(encoded(value)).third);
}

TEST(lengths_take_few_bytes_and_come_back) {
  for (const std::size_t n : {0u, 1u, 251u, 252u, 253u, 65535u, 65536u, 100000u}) {
    const detail::bytes bytes = encoded(std::string(n, 'x'));
    check::equal(bytes.size() - n, n < 252 ? 1u : n < 65536 ? 3u : 5u);
    comes_back(std::string(n, 'x'));
    comes_back(std::vector<int>(n, 7));
    comes_back(std::list<bool>(n, true));
  }
}

// What stands for a length: one byte, or one that tells how wide the length behind it is.
detail::bytes length_of(std::uint64_t n, unsigned width) {
  detail::bytes bytes;
  const std::byte first{static_cast<unsigned char>(252 + width)};
  bytes.append(&first, 1);
  for (unsigned i = 0; i < 1u << width; ++i) {
    const std::byte next{static_cast<unsigned char>(n >> 8 * i)};
    bytes.append(&next, 1);
  }
  return bytes;
}

TEST(a_length_that_lies_allocates_nothing_like_it) {
  for (const std::uint64_t lie : {~0ull, 1ull << 62, 1ull << 60, 1ull << 40}) {
    const detail::bytes bytes = length_of(lie, 3);
    check::expect(!survives<std::vector<int>>(bytes));
    check::expect(!survives<std::string>(bytes));
    check::expect(!survives<std::vector<std::string>>(bytes));
    check::expect(!survives<std::vector<bool>>(bytes));
    check::expect(!survives<std::list<nothing>>(bytes));
    check::expect(!survives<std::map<int, int>>(bytes));
  }
  // Messages that claim an object of two kilobytes for each byte, the second of which is broken.
  for (const std::size_t size : {std::size_t{200}, std::size_t{1} << 20}) {
    detail::bytes bytes = encoded(std::string(size, '\1'));
    bytes[bytes.size() - size + 1] = std::byte{7};
    inflated::made = 0;
    check::expect(!survives<std::vector<inflated>>(bytes));
    // `decode` does it twice.
    check::expect((inflated::made / 2 - 1) * sizeof(inflated) <= 16 * bytes.size() + 65536);
  }
}

TEST(a_length_that_is_written_wider_than_it_needs_is_a_decode_error) {
  for (const unsigned width : {1u, 2u, 3u}) {
    detail::bytes bytes = length_of(2, width);
    bytes.append(reinterpret_cast<const std::byte*>("ab"), 2);
    check::expect(!survives<std::string>(bytes));
  }
  for (const std::byte first : {std::byte{252}, std::byte{0}}) {
    detail::bytes bytes;
    bytes.append(&first, 1);
    check::equal(survives<std::string>(bytes), first == std::byte{0});
  }
}

TEST(a_reference_must_name_an_object_of_its_type) {
  using two = std::pair<std::shared_ptr<int>, std::shared_ptr<std::string>>;
  detail::bytes bytes = encoded(two{std::make_shared<int>(5), nullptr});
  check::equal(bytes[bytes.size() - 1], std::byte{0});  // null
  check::expect(survives<two>(bytes));
  bytes[bytes.size() - 1] = std::byte{1};  // the int
  check::expect(!survives<two>(bytes));
  bytes[bytes.size() - 1] = std::byte{3};  // the one after the next
  check::expect(!survives<two>(bytes));
  bytes[bytes.size() - 1] = std::byte{2};  // the next, which follows
  check::expect(!survives<two>(bytes));
  const std::byte empty{0};
  bytes.append(&empty, 1);
  check::expect(survives<two>(bytes));
}
