// Values that join: the encoder counts their bytes and writes them with one look at the room. Their
// encodings are those of their parts, whatever room there is, and the decoder believes none of them.

#include <array>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../cpp/check.hpp"
#include "encoding.hpp"

using namespace mpiglot;
using namespace encoding;

namespace {

// Around the longest run whose number takes one byte, and the shortest long run.
constexpr std::size_t sizes[] = {0, 1, 2, 15, 16, 250, 251, 252, 253, 65535, 65536, 70000};

std::string text_of(std::size_t n) {
  std::string made(n, 'a');
  for (std::size_t i = 0; i < n; ++i) made[i] = static_cast<char>('a' + i % 23);
  return made;
}

template <class... Parts>
detail::bytes one_by_one(const Parts&... parts) {
  detail::bytes all;
  const auto add = [&](const auto& part) {
    const detail::bytes one = encoded(part);
    all.append(one.data(), one.size());
  };
  (add(parts), ...);
  return all;
}
bool same(const detail::bytes& a, const detail::bytes& b) {
  return a.size() == b.size() && (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size()) == 0);
}
template <class T>
bool comes_back(const T& value, T back = {}) {
  decode(encoded(value), back);
  return back == value;
}
template <class T>
bool survives(const detail::bytes& bytes) {
  T value{};
  try {
    decode(bytes, value);
  } catch (const decode_error&) {
    return false;
  }
  return true;
}
template <class T>
bool all_prefixes_are_refused(const T& value) {
  const detail::bytes whole = encoded(value);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    detail::bytes some;
    some.append(whole.data(), size);
    if (survives<T>(some)) return false;
  }
  return true;
}

struct record {
  int number = 0;
  std::string name;
  std::vector<short> places;
  double weight = 0;
  std::pair<char, std::string> mark;
  std::unique_ptr<int> owned;
  std::string last;

  static void fields(auto& self, auto&& visit) {
    visit(self.number, self.name, self.places, self.weight, self.mark, self.owned, self.last);
  }
  bool operator==(const record& other) const {
    return number == other.number && name == other.name && places == other.places &&
           weight == other.weight && mark == other.mark && !owned == !other.owned &&
           (!owned || *owned == *other.owned) && last == other.last;
  }
};
detail::bytes parts_of(const record& of) {
  return one_by_one(of.number, of.name, of.places, of.weight, of.mark.first, of.mark.second,
                    of.owned, of.last);
}
record record_of(std::size_t name, std::size_t places, std::size_t mark, bool owns) {
  record made;
  made.number = 3;
  made.name = text_of(name);
  made.places.assign(places, 7);
  made.weight = 0.5;
  made.mark = {'m', text_of(mark)};
  if (owns) made.owned = std::make_unique<int>(9);
  made.last = text_of(mark);
  return made;
}

}  // namespace

TEST(fields_that_join_are_encoded_as_each_by_itself) {
  for (const std::size_t n : sizes)
    for (const std::size_t other : {std::size_t{0}, std::size_t{251}, std::size_t{252}})
      for (const bool owns : {false, true})
        for (const record& each : {record_of(n, other, 1, owns), record_of(other, n, 1, owns),
                                   record_of(1, other, n, owns)}) {
          check::expect(same(encoded(each), parts_of(each)));
          record back = record_of(3, 3, 3, !owns);
          decode(encoded(each), back);
          check::expect(back == each);
        }
}

TEST(elements_that_join_are_encoded_as_each_by_itself) {
  for (const std::size_t n : sizes) {
    const std::vector<std::string> some{text_of(n), "", text_of(n), text_of(3)};
    check::expect(same(encoded(some), one_by_one('\4', some[0], some[1], some[2], some[3])));
    check::expect(comes_back(some));
    check::expect(comes_back(some, std::vector<std::string>(9, text_of(40))));
    const std::vector<std::tuple<int, std::string, std::array<short, 3>>> tuples{
        {1, text_of(n), {1, 2, 3}}, {2, "", {}}};
    check::expect(
        same(encoded(tuples), one_by_one('\2', 1, text_of(n), std::array<short, 3>{1, 2, 3}, 2,
                                         '\0', std::array<short, 3>{})));
    check::expect(comes_back(tuples));
    const std::vector<std::vector<double>> rows{std::vector<double>(n, 0.5), {}};
    check::expect(same(encoded(rows), one_by_one('\2', rows[0], '\0')));
    check::expect(comes_back(rows));
    const std::map<std::string, std::string> map{{"a", text_of(n)}, {"b", ""}};
    check::expect(
        same(encoded(map), one_by_one('\2', std::string("a"), text_of(n), std::string("b"), '\0')));
    check::expect(comes_back(map));
  }
}

TEST(hash_tables_come_back_in_the_order_of_the_table_and_of_the_keys) {
  for (const std::size_t n : sizes) {
    std::unordered_map<std::string, int> map{{text_of(n), 1}};
    for (int i = 0; i < 300; ++i) map.emplace("key " + std::to_string(i), i);
    detail::bytes unsorted;
    detail::marking_codec().encode(unsorted, map);
    detail::bytes expected = one_by_one(std::vector<char>(map.size(), 0));
    expected.resize(expected.size() - map.size());  // the number alone
    for (const auto& [key, value] : map) {
      const detail::bytes one = one_by_one(key, value);
      expected.append(one.data(), one.size());
    }
    check::expect(same(unsorted, expected));
    std::unordered_map<std::string, int> back{{"old", 5}};
    decode(unsorted, back);
    check::expect(back == map);
    check::expect(comes_back(map));
  }
  check::expect(comes_back(std::unordered_set<std::string>{"", "a", text_of(252)}));
  check::expect(comes_back(std::unordered_map<int, double>{}));
}

TEST(the_room_that_a_buffer_has_does_not_change_an_encoding) {
  const std::vector<std::pair<std::string, int>> value{
      {text_of(30), 1}, {"", 2}, {text_of(251), 3}, {text_of(252), 4}, {text_of(5), 5}};
  const detail::bytes expected = encoded(value);
  for (std::size_t room = 0; room < expected.size() + 3; ++room) {
    detail::bytes to(room);
    to.resize(0);
    builtin_codec::encode(to, value);
    check::expect(same(to, expected));
    detail::bytes behind(room);  // what is there stays
    if (room != 0) std::memset(behind.data(), 42, room);
    builtin_codec::encode(behind, value);
    check::equal(behind.size(), room + expected.size());
    check::expect(room == 0 || behind[room - 1] == std::byte{42});
    check::expect(std::memcmp(behind.data() + room, expected.data(), expected.size()) == 0);
  }
}

TEST(a_sink_that_fails_among_joined_elements_leaves_the_encoder) {
  struct failing final : detail::byte_sink {
    int calls = 0;
    failing() noexcept : byte_sink(64) {}
    void take(const std::byte*, std::size_t, std::size_t) override {
      if (++calls == 3) throw std::runtime_error("full");
    }
  } sink;
  const std::vector<std::string> value(100, text_of(20));
  detail::bytes window;
  bool thrown = false;
  try {
    builtin_codec::encode(window, sink, value);
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  check::expect(thrown && sink.calls == 3 && window.size() <= 128);
}

TEST(what_ends_among_joined_values_is_a_decode_error) {
  check::expect(all_prefixes_are_refused(record_of(4, 3, 2, true)));
  check::expect(
      all_prefixes_are_refused(std::vector<std::string>{"abc", "", "defghijklmnopqrstu"}));
  check::expect(all_prefixes_are_refused(std::unordered_map<std::string, int>{{"a", 1}, {"b", 2}}));
  check::expect(all_prefixes_are_refused(std::vector<std::vector<int>>{{1, 2}, {}, {3}}));
}

namespace {

// Notes for how many elements memory was asked for.
struct noting_table : std::unordered_map<char, std::array<std::string, 60>> {
  static inline std::size_t most = 0;
  void reserve(std::size_t n) {
    if (n > most) most = n;
    std::unordered_map<char, std::array<std::string, 60>>::reserve(n);
  }
};

}  // namespace

TEST(a_hash_table_reserves_no_more_than_the_bytes_allow) {
  detail::bytes wrong = encoded(std::string(60000, '\1'));
  noting_table::most = 0;
  check::expect(!survives<noting_table>(wrong));
  check::expect(noting_table::most * sizeof(noting_table::value_type) <= 16 * wrong.size() + 4096);
  noting_table right;
  right['a'][3] = "b";
  noting_table back;
  decode(encoded(right), back);
  check::expect(back == right);
  check::equal(noting_table::most, std::size_t{1});
}
