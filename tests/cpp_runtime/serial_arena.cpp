// Structures that lie in memory of their own.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <mpiglot/arena.hpp>

#include "../cpp/check.hpp"
#include "encoding.hpp"

using namespace mpiglot;
using namespace encoding;

namespace {

// A leaf of the tree lies in the arena, too, if its kind is known.
struct leaf {
  std::pmr::string name;
  std::pmr::map<std::pmr::string, std::pmr::vector<int>> numbers;
  std::optional<std::pmr::string> more;
  static void fields(auto& self, auto&& visit) { visit(self.name, self.numbers, self.more); }
};
struct tree : counted {
  double value = 0;
  tree* left = nullptr;
  tree* right = nullptr;
  leaf* last = nullptr;
  std::size_t n = 0;
  double* heights = nullptr;
  std::pmr::vector<leaf> leaves;
  std::pmr::vector<tree*> others;  // shared
  const tree* above = nullptr;
  std::array<float, 2> place{};
  static void fields(auto& self, auto&& visit) {
    visit(self.value, owned(self.left), owned(self.right), owned(self.last), self.n,
          owned(self.heights, self.n), self.leaves, shared(self.others), observed(self.above),
          self.place);
  }
};
struct chain {
  chain* next = nullptr;
  static void fields(auto& self, auto&& visit) { visit(owned(self.next)); }
};

const char* const long_name = "a name that is too long to lie in the string itself";

struct sent_tree {
  tree root;
  tree shared;
  leaf last;
  std::vector<double> heights = {1, 2, 3};
  sent_tree() {
    root.value = 7;
    last.name = long_name;
    last.numbers[long_name] = {1, 2, 3};
    last.more = long_name;
    root.last = &last;
    root.n = heights.size();
    root.heights = heights.data();
    root.leaves.resize(3, last);
    shared.value = 8;
    shared.others = {&shared};
    shared.above = &root;
    root.others = {&shared, nullptr, &shared};
  }
};

}  // namespace

TEST(a_structure_arrives_in_an_arena) {
  const sent_tree sent;
  const std::int64_t before = counted::alive;
  {
    arena_of<tree> back;
    check::expect(!back && back.bytes() == 0);
    decode_once(encoded(sent.root), back);
    check::expect(static_cast<bool>(back) && back->value == 7 && back->n == 3);
    check::equal(back->heights[2], 3.0);
    check::expect(back->last->name == long_name);
    check::equal(back->leaves.size(), std::size_t{3});
    check::equal(back->leaves[2].numbers.at(long_name)[2], 3);
    check::expect(*back->leaves[2].more == long_name);
    const tree* const shared = back->others[0];
    check::expect(shared->value == 8 && back->others[1] == nullptr && back->others[2] == shared);
    check::expect(shared->others[0] == shared && shared->above == &*back);
    // All containers take their memory from the arena, and may grow.
    auto* const resource = back->leaves.get_allocator().resource();
    check::expect(resource != std::pmr::get_default_resource());
    check::expect(back->others.get_allocator().resource() == resource);
    const leaf& last = back->leaves[2];
    check::expect(last.name.get_allocator().resource() == resource);
    check::expect(last.more->get_allocator().resource() == resource);
    check::expect(last.numbers.begin()->second.get_allocator().resource() == resource);
    check::expect(last.numbers.begin()->first.get_allocator().resource() == resource);
    const std::size_t bytes = back.bytes();
    back->leaves.resize(1000);
    check::expect(back.bytes() > bytes);
    check::equal(counted::alive, before + 2);

    // A move moves no object.
    const tree* const root = &*back;
    arena_of<tree> moved = std::move(back);
    check::expect(!back && &*moved == root);
    back = std::move(moved);
    check::expect(&*back == root);
    check::equal(encoded(back).size(), encoded(*back).size());
    dismantle(back);
    check::expect(!back);
    check::thrown_by<encode_error>([&] { static_cast<void>(encoded(back)); });
  }
  check::equal(counted::alive, before + 2);  // no destructor ran
  counted::alive = before;
}

TEST(what_is_received_into_an_arena_is_freed_at_once_also_if_it_fails) {
  const sent_tree sent;
  const detail::bytes right = encoded(sent.root);
  const std::int64_t before = counted::alive;
  arena_of<tree> back;
  for (std::size_t size = 0; size < right.size(); ++size) {
    check::thrown_by<decode_error>([&] { builtin_codec::decode(right.data(), size, back); });
    check::expect(!back);
  }
  std::mt19937 random(5);
  int refused = 0;
  constexpr int rounds = 3000;
  for (int round = 0; round < rounds; ++round) {
    const detail::bytes wrong = with_changed_bytes(right, random);
    try {
      decode(wrong, back);
      static_cast<void>(encoded(back));
    } catch (const decode_error&) {
      check::expect(!back);
      ++refused;
    }
  }
  check::expect(refused > 0 && refused < rounds, "the changes tell nothing");
  counted::alive = before;  // no destructor ran
}

TEST(the_memory_of_an_arena_is_used_again) {
  const sent_tree sent;
  const std::int64_t before = counted::alive;
  const detail::bytes bytes = encoded(sent.root);
  arena_of<tree> back;
  decode(bytes, back);
  const std::size_t memory = back.bytes();
  for (int i = 0; i < 100; ++i) {
    decode(bytes, back);
    check::expect(back->value == 7 && back->leaves[2].numbers.at(long_name)[2] == 3);
    check::equal(back.bytes(), memory);
    check::thrown_by<decode_error>(
        [&] { builtin_codec::decode(bytes.data(), bytes.size() - 1, back); });
    check::expect(!back && back.bytes() == memory);
  }
  back = arena_of<tree>();
  check::equal(back.bytes(), std::size_t{0});
  counted::alive = before;  // no destructor ran
}

TEST(long_chains_lie_in_few_blocks) {
  constexpr std::size_t length = 100000;
  std::vector<chain> nodes(length);
  for (std::size_t i = 1; i < length; ++i) nodes[i - 1].next = &nodes[i];
  arena_of<chain> back;
  decode(encoded(nodes[0]), back);
  std::size_t n = 0;
  for (const chain* at = &*back; at != nullptr; at = at->next) ++n;
  check::equal(n, length);
  check::expect(back.bytes() < 3 * length * sizeof(chain));
  arena_of<std::pmr::vector<std::pmr::string>> names;
  decode(encoded(std::vector<std::string>(100, long_name)), names);
  check::expect((*names)[99] == long_name);
}
