// Encodings of classes that are generated (drawn/generate.py): each value comes back, and each that was
// changed at random is decoded or refused.

#include <cstddef>
#include <cstring>
#include <map>
#include <span>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <serial_types.hpp>

#include "../cpp/check.hpp"
#include "encoding.hpp"
#include "mutating.hpp"

using namespace mpiglot;
using namespace encoding;
using namespace mutating;

namespace {

// What pointers of the language own is freed at the end.
template <class T>
struct freed {
  T value{};
  freed() = default;
  freed(const freed&) = delete;
  ~freed() { dismantle(value); }
};

constexpr unsigned values = 4;  // of each class

bool same(const detail::bytes& a, const detail::bytes& b) {
  return a.size() == b.size() && (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

template <class T>
detail::bytes right_of(unsigned seed) {
  freed<T> of;
  {
    drawn::drawing from(seed);
    from.draw_root(of.value);
  }
  detail::bytes all = encoded(of.value);
  freed<T> back;
  decode(all, back.value);
  check::expect(same(encoded(back.value), all), "another value came back");
  return all;
}

template <class T>
void try_class(unsigned number, long rounds, tally& of) {
  mutated mutate(number);
  for (unsigned i = 0; i < values; ++i) {
    const detail::bytes right = right_of<T>(number * values + i);
    if (right.size() == 0) continue;
    for (long k = 0; k < rounds; ++k)
      round(
          mutate, right, of,
          [](const detail::bytes& wrong) {
            freed<T> back;
            decode(wrong, back.value);
            check::expect(encoded(back.value).size() <= wrong.size());
          },
          256);
  }
}

struct leaf : counted {
  int value = 3;
  static void fields(auto& self, auto&& visit) { visit(self.value); }
};
struct leaves {
  std::vector<leaf*> many;
  leaf* one = nullptr;
  static void fields(auto& self, auto&& visit) { visit(owned(self.many), owned(self.one)); }
};
template <class Map>
void try_map() {
  freed<Map> right;
  for (const char key : {'a', 'b'}) {
    leaves& at = right.value[key];
    at.many = {new leaf, nullptr, new leaf};
    at.one = new leaf;
  }
  const detail::bytes all = encoded(right.value);
  const auto refuses = [before = counted::alive](const detail::bytes& wrong) {
    {
      freed<Map> back;
      static_cast<void>(check::thrown_by<decode_error>([&] { decode(wrong, back.value); }));
    }
    check::equal(counted::alive, before);
  };
  for (std::size_t n = 0; n < all.size(); ++n) {
    detail::bytes cut;
    cut.append(all.data(), n);
    refuses(cut);
  }
  detail::bytes twice;
  twice.append(all.data(), all.size());
  for (std::byte& each : std::span(twice.data(), twice.size()))
    if (each == std::byte{'b'}) each = std::byte{'a'};
  refuses(twice);
}

// Two arrays with one count, which is listed between them; and what is encoded alike, with two counts.
struct one_count {
  int n = 0;
  leaves* first = nullptr;
  leaves* second = nullptr;
  static void fields(auto& self, auto&& visit) {
    visit(owned(self.first, self.n), self.n, owned(self.second, self.n));
  }
};
struct two_counts {
  int n_first = 0, n = 0, n_second = 0;
  leaves* first = nullptr;
  leaves* second = nullptr;
  static void fields(auto& self, auto&& visit) {
    visit(owned(self.first, self.n_first), self.n, owned(self.second, self.n_second));
  }
};

}  // namespace

TEST(arrays_before_and_behind_their_count_are_freed_as_they_are) {
  for (const int first : {0, 1, 2, 64})
    for (const int told : {0, 1, 2, 64})
      for (const int second : {0, 1, 2, 64}) {
        freed<two_counts> right;
        right.value.first = new leaves[static_cast<std::size_t>(first)];
        right.value.second = new leaves[static_cast<std::size_t>(second)];
        right.value.n_first = first;
        right.value.n = told;
        right.value.n_second = second;
        if (first != 0) right.value.first[first - 1].one = new leaf;
        if (second != 0) right.value.second[second - 1].one = new leaf;
        const detail::bytes all = encoded(right.value);
        const std::int64_t before = counted::alive;
        {
          freed<one_count> back;
          const auto reads = [&] { decode(all, back.value); };
          if (first == told && told == second)
            reads();
          else
            static_cast<void>(check::thrown_by<decode_error>(reads));
        }
        check::equal(counted::alive, before);
      }
}

TEST(what_a_map_does_not_take_is_freed) {
  try_map<std::map<char, leaves>>();
  try_map<std::unordered_map<char, leaves>>();
}

TEST(changed_inputs_of_generated_classes_are_decoded_or_refused) {
  constexpr std::size_t classes = std::tuple_size_v<drawn::all>;
  const long each = rounds() / static_cast<long>(classes * values) + 1;
  tally of;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (try_class<std::tuple_element_t<I, drawn::all>>(I, each, of), ...);
  }(std::make_index_sequence<classes>());
  check::expect(of.decoded > of.refused / 100, "too few inputs are decoded");
  check::expect(of.refused > of.decoded / 100, "too few inputs are refused");
}
