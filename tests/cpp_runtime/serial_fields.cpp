// Fields that need a rule: pointers of the language, arrays on the heap, and bases.

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "../cpp/check.hpp"
#include "encoding.hpp"

using namespace mpiglot;
using namespace encoding;

namespace {

// As in a program of MEL: no destructor, whoever has the root frees all.
struct part : counted {
  int value = 0;
  part* next = nullptr;
  const part* last = nullptr;
  long count = 0;
  part* parts = nullptr;
  unsigned char size = 0;
  double* numbers = nullptr;
  std::unique_ptr<std::string[]> words;
  int* pair = nullptr;

  static void fields(auto& self, auto&& visit) {
    visit(self.value, owned(self.next), owned(self.last), self.count, owned(self.parts, self.count),
          owned(self.numbers, self.size), owned(self.words, self.size), owned(self.pair, 2));
  }
};

part* part_of(int value) {
  auto* const made = new part;
  made->value = value;
  if (value % 2 == 0) made->pair = new int[2]{value, -value};
  if (value % 3 == 0) {
    made->size = static_cast<unsigned char>(value % 7);
    made->numbers = new double[made->size];
    for (int i = 0; i < made->size; ++i) made->numbers[i] = value + i;
    made->words = std::make_unique<std::string[]>(made->size);
    for (std::size_t i = 0; i < made->size; ++i)
      made->words[i] = std::string(3, static_cast<char>('a' + static_cast<int>(i)));
  }
  return made;
}
// Of `length` parts: the next one, the first of some parts, or the last one owns the others.
part* chain(int length) {
  part* first = nullptr;
  for (int i = length; i > 0; --i) {
    part* const above = part_of(i);
    if (i % 3 == 0) {
      above->last = first;
    } else if (i % 5 == 0) {
      above->count = 3;
      above->parts = new part[3];
      above->parts[1].value = -i;
      above->parts[2].next = first;
    } else {
      above->next = first;
    }
    first = above;
  }
  return first;
}
void expect_chain(const part* at, int length) {
  for (int i = 1; i <= length; ++i) {
    check::equal(at->value, i);
    if (i % 2 == 0) check::expect(at->pair[0] == i && at->pair[1] == -i);
    check::expect((i % 2 == 0) == (at->pair != nullptr));
    if (i % 3 == 0) {
      check::equal(int{at->size}, i % 7);
      for (int k = 0; k < at->size; ++k)
        check::expect(at->numbers[k] == i + k &&
                      at->words[static_cast<std::size_t>(k)][2] == 'a' + k);
      at = at->last;
    } else if (i % 5 == 0) {
      check::expect(at->count == 3 && at->parts[1].value == -i);
      at = at->parts[2].next;
    } else {
      at = at->next;
    }
  }
  check::expect(at == nullptr);
}

struct root {
  part* first = nullptr;
  static void fields(auto& self, auto&& visit) { visit(owned(self.first)); }
};

struct named {
  std::string name;
  static void fields(auto& self, auto&& visit) { visit(self.name); }
};
struct place {
  double x = 0, y = 0;
};
struct city : named, private place {
  std::vector<int> streets;
  static void fields(auto& self, auto&& visit) { visit(bases<named, place>(self), self.streets); }
  void move(double to) { x = y = to; }
  [[nodiscard]] double where() const { return x + y; }
};

template <class N>
struct sized {
  N n{};
  std::string* all = nullptr;
  ~sized() { delete[] all; }
  static void fields(auto& self, auto&& visit) { visit(owned(self.all, self.n)); }
};
struct nothing {
  static void fields(auto&, auto&& visit) { visit(); }
};
struct nothings {
  long n = 0;
  std::unique_ptr<nothing[]> all;
  static void fields(auto& self, auto&& visit) { visit(owned(self.all, self.n)); }
};

}  // namespace

TEST(owned_pointers_of_the_language_lead_to_any_depth) {
  constexpr int length = 20000;
  root sent{chain(length)};
  const std::int64_t one = counted::alive;
  const detail::bytes bytes = encoded(sent);
  root back;
  decode(bytes, back);
  expect_chain(back.first, length);
  check::equal(counted::alive, 2 * one);
  decode(bytes, back);  // what was there is freed
  expect_chain(back.first, length);
  check::equal(counted::alive, 2 * one);
  for (std::size_t i = 0; i < 50; ++i) {
    check::thrown_by<decode_error>(
        [&] { builtin_codec::decode(bytes.data(), bytes.size() / 50 * i + i % 11, back); });
    check::expect(back.first == nullptr);
    check::equal(counted::alive, one);
  }
  dismantle(sent);
  check::equal(counted::alive, std::int64_t{0});
}

TEST(changed_bytes_of_owned_pointers_are_refused_or_read) {
  root sent{chain(1500)};
  const detail::bytes right = encoded(sent);
  dismantle(sent);
  std::mt19937 random(3);
  int refused = 0;
  constexpr int rounds = 200;
  for (int round = 0; round < rounds; ++round) {
    detail::bytes wrong(right.size());
    std::memcpy(wrong.data(), right.data(), right.size());
    for (auto changes = random() % 3 + 1; changes > 0; --changes)
      wrong[random() % wrong.size()] = static_cast<std::byte>(random() % 256);
    root back;
    try {
      decode(wrong, back);
    } catch (const decode_error&) {
      ++refused;
      check::expect(back.first == nullptr);
    }
    dismantle(back);
    check::equal(counted::alive, std::int64_t{0});
  }
  check::expect(refused > 0 && refused < rounds, "the changes tell nothing");
}

// A tree whose nodes know their parents.
struct child {
  int value = 0;
  std::weak_ptr<child> parent;
  std::weak_ptr<const child> sibling;
  std::vector<std::shared_ptr<child>> children;
  static void fields(auto& self, auto&& visit) {
    visit(self.value, self.parent, self.sibling, self.children);
  }
};

TEST(weak_pointers_refer_to_what_others_own) {
  std::shared_ptr<child> tree = std::make_shared<child>();
  tree->sibling = tree;
  for (int i = 0; i < 3; ++i) {
    tree->children.push_back(std::make_shared<child>());
    tree->children.back()->value = i;
    tree->children.back()->parent = tree;
    for (int k = 0; k < i; ++k)
      tree->children[static_cast<std::size_t>(k)]->sibling = tree->children.back();
  }
  std::shared_ptr<child> back;
  decode(encoded(tree), back);
  check::expect(back->parent.expired() && back->sibling.lock() == back);
  check::equal(back.use_count(), 1L);
  for (int i = 0; i < 3; ++i) {
    const auto& each = *back->children[static_cast<std::size_t>(i)];
    check::expect(each.value == i && each.parent.lock() == back);
    check::expect(each.sibling.lock() == (i < 2 ? back->children[2] : nullptr));
  }
  // A weak pointer may come before its owner, which may be in another place of the value.
  using pair = std::pair<std::weak_ptr<std::string>, std::shared_ptr<const std::string>>;
  const auto text = std::make_shared<std::string>("text");
  pair both;
  decode(encoded(pair{text, text}), both);
  check::expect(both.first.lock() == both.second && *both.second == "text");
  check::equal(both.second.use_count(), 1L);
  // Nothing owns the object where it arrives.
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(pair{text, nullptr})); });
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(*tree->children[0])); });
  std::weak_ptr<std::string> expired;
  decode(encoded(pair{expired, text}), both);
  check::expect(both.first.expired());
}

TEST(bases_are_encoded_with_their_class) {
  city sent;
  sent.name = "Brno";
  sent.move(2);
  sent.streets = {1, 2, 3};
  city back;
  decode(encoded(sent), back);
  check::expect(back.name == "Brno" && back.where() == 4 && back.streets == sent.streets);
  check::equal(encoded(sent).size(), 1u + 4 + 2 * sizeof(double) + 1 + 3 * sizeof(int));
  const detail::bytes bytes = encoded(sent);
  check::thrown_by<decode_error>(
      [&] { builtin_codec::decode(bytes.data(), bytes.size() - 1, back); });
  check::expect(back.name.empty() && back.streets.empty());
}

TEST(lengths_of_owned_arrays_are_those_of_the_object) {
  sized<int> sent;
  sent.n = 3;
  sent.all = new std::string[3]{"a", "b", "c"};
  const detail::bytes bytes = encoded(sent);
  sized<unsigned char> small;
  decode(bytes, small);
  check::expect(small.n == 3 && small.all[2] == "c");
  sized<const int> other{3};
  decode(bytes, other);
  check::equal(other.all[1], std::string("b"));
  sized<const int> wrong{4};
  check::thrown_by<decode_error>([&] { decode(bytes, wrong); });
  check::expect(wrong.all == nullptr);

  sized<int> many;
  many.n = 300;
  many.all = new std::string[300];
  check::thrown_by<decode_error>([&] { decode(encoded(many), small); });
  sent.n = -1;
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(sent)); });
  sent.n = 3;

  sized<int> none;
  none.n = 7;  // and no array
  decode(encoded(none), many);
  check::expect(many.all == nullptr);
  sized<int> empty;
  empty.all = new std::string[0];
  decode(encoded(empty), many);
  check::expect(many.all != nullptr && many.n == 0);

  nothings nobody{2, std::make_unique<nothing[]>(2)};
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(nobody)); });
}

TEST(a_length_that_lies_makes_no_array) {
  sized<long> back;
  for (const unsigned first : {255u, 254u, 253u}) {
    detail::bytes bytes(9);
    for (std::size_t i = 0; i < 9; ++i) bytes[i] = std::byte{0x7f};
    bytes[0] = static_cast<std::byte>(first);
    check::thrown_by<decode_error>([&] { decode(bytes, back); });
    check::expect(back.all == nullptr);
  }
}
