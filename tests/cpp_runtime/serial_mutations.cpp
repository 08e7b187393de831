// Encodings that were changed at random, of structures of all kinds: each is decoded, or refused by one
// error; nothing is left behind, and memory stays in proportion to what arrived.
//
// MPIGLOT_TEST_ROUNDS tells how many inputs: 10,000,000 take some minutes.

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <mpiglot/arena.hpp>
#include <mpiglot/streams.hpp>

#include "../cpp/check.hpp"
#include "encoding.hpp"
#include "mutating.hpp"

using namespace mpiglot;
using namespace encoding;
using namespace mutating;

namespace {

// Everything that stands in containers.
struct shelf : counted {
  bool flag = true;
  std::string name;
  std::vector<std::string> names;
  std::map<std::string, std::vector<int>> lists;
  std::unordered_map<int, std::optional<std::string>> table;
  std::variant<int, std::string, std::vector<shelf>> either;
  std::list<std::tuple<char, double>> queue;
  std::vector<bool> bits;
  std::unique_ptr<shelf> next;
  static void fields(auto& self, auto&& visit) {
    visit(self.flag, self.name, self.names, self.lists, self.table, self.either, self.queue,
          self.bits, self.next);
  }
};
// What has several owners has no pointers here: changed bytes would make rings of std::shared_ptr.
struct toy : counted {
  using registers_types = void;
  virtual ~toy() = default;
  std::string name = "toy";
  static void fields(auto& self, auto&& visit) { visit(self.name); }
};
struct ball : toy {
  double radius = 1;
  static void fields(auto& self, auto&& visit) { visit(bases<toy>(self), self.radius); }
};
// Pointers of all kinds, in a ring.
struct knot : counted {
  std::vector<knot*> edges;
  knot* single = nullptr;
  std::size_t n = 0;
  int* numbers = nullptr;
  const knot* seen = nullptr;
  const int* inside = nullptr;
  std::shared_ptr<shelf> other;
  std::shared_ptr<const toy> registered;
  std::weak_ptr<toy> again;
  std::vector<shelf> shelves;
  knot() = default;
  knot(const knot&) = delete;
  static void fields(auto& self, auto&& visit) {
    visit(shared(self.edges), owned(self.single), self.n, owned(self.numbers, self.n),
          observed(self.seen), observed(self.inside), self.other, self.registered, self.again,
          self.shelves);
  }
};
struct animal : counted {
  using registers_types = void;
  virtual ~animal() = default;
  std::vector<std::unique_ptr<animal>> young;
  std::shared_ptr<toy> favourite;
  static void fields(auto& self, auto&& visit) { visit(self.young, self.favourite); }
};
struct cat : animal {
  std::string name = "cat";
  static void fields(auto& self, auto&& visit) { visit(bases<animal>(self), self.name); }
};
struct bird : animal {
  double height = 3;
  static void fields(auto& self, auto&& visit) { visit(self.height, bases<animal>(self)); }
};
struct branch : counted {
  branch* left = nullptr;
  branch* right = nullptr;
  std::pmr::string name;
  std::pmr::vector<int> numbers;
  const branch* above = nullptr;
  static void fields(auto& self, auto&& visit) {
    visit(owned(self.left), owned(self.right), self.name, self.numbers, observed(self.above));
  }
};

void fill(shelf& empty) {
  empty.name = "shelf";
  empty.names = {"a", "bc"};
  empty.lists = {{"x", {1, 2}}, {"y", {}}};
  empty.table = {{1, "one"}, {2, {}}};
  empty.queue = {{'a', 1.5}};
  empty.bits.resize(11, true);
}
std::unique_ptr<shelf> shelf_of(int depth) {
  auto made = std::make_unique<shelf>();
  fill(*made);
  if (depth > 0) {
    auto& inside = made->either.emplace<2>(static_cast<std::size_t>(depth));
    for (shelf& each : inside) fill(each);
    made->next = shelf_of(depth - 1);
  } else {
    made->either = "end";
  }
  return made;
}
void fill(knot& root) {
  auto* const a = new knot;
  auto* const b = new knot;
  a->edges = {b, a};
  b->edges = {a};
  b->seen = &root;
  root.edges = {a, nullptr, b};
  root.single = new knot;
  root.single->seen = a;
  root.n = 3;
  root.numbers = new int[3]{1, 2, 3};
  root.single->inside = root.numbers + 1;
  root.registered = a->registered = std::make_shared<ball>();
  root.again = std::const_pointer_cast<toy>(root.registered);
  root.shelves.resize(2);
  root.other = std::make_shared<shelf>();
  fill(*root.other);
}
std::unique_ptr<animal> zoo(int depth) {
  auto made = std::make_unique<bird>();
  for (int i = 0; i < depth; ++i) made->young.push_back(zoo(i));
  made->young.push_back(std::make_unique<cat>());
  made->favourite = std::make_shared<ball>();
  made->young[0]->favourite = made->favourite;
  return made;
}
void fill(branch& root, std::vector<std::unique_ptr<branch>>& all) {
  all.clear();
  branch* last = &root;
  for (int i = 0; i < 8; ++i) {
    all.push_back(std::make_unique<branch>());
    all.back()->name = "a branch whose name is long";
    all.back()->numbers = {i, i};
    all.back()->above = last;
    (i % 2 == 0 ? last->left : last->right) = all.back().get();
    last = all.back().get();
  }
}

}  // namespace

TEST(changed_inputs_of_all_kinds_are_decoded_or_refused) {
  register_type<toy>("toy");
  register_type<ball>("ball");
  register_type<cat>("cat");
  register_type<bird>("bird");
  static_cast<void>(builtin_codec::can<branch>);
  {
    const auto shelves = shelf_of(4);
    knot ring;
    fill(ring);
    const auto animals = zoo(4);
    branch root;
    std::vector<std::unique_ptr<branch>> branches;
    fill(root, branches);
    std::ostringstream written;
    write_value(written, shelves);
    const std::string text = written.str();

    mutated mutate(2026);
    tally of[5];
    const detail::bytes right[] = {encoded(shelves), encoded(ring), encoded(animals),
                                   encoded(root)};
    detail::bytes stream;
    stream.append(reinterpret_cast<const std::byte*>(text.data()), text.size());
    check::expect(memory::now != 0, "memory is not counted");
    const long count = rounds() / 5;
    for (long i = 0; i < count; ++i) {
      round(mutate, right[0], of[0], [](const detail::bytes& wrong) {
        std::unique_ptr<shelf> back;
        decode(wrong, back);
        check::expect(encoded(back).size() <= wrong.size());
      });
      round(mutate, right[1], of[1], [](const detail::bytes& wrong) {
        knot back;
        struct taken_apart {
          knot& value;
          ~taken_apart() { dismantle(value); }
        } end{back};
        decode(wrong, back);
        check::expect(encoded(back).size() != 0);
      });
      round(mutate, right[2], of[2], [](const detail::bytes& wrong) {
        std::unique_ptr<animal> back;
        decode(wrong, back);
        check::expect(encoded(back).size() != 0);
      });
      round(mutate, right[3], of[3], [](const detail::bytes& wrong) {
        const std::int64_t before = counted::alive;
        arena_of<branch> back;
        try {
          decode(wrong, back);
        } catch (...) {
          counted::alive = before;  // no destructor ran
          throw;
        }
        check::expect(encoded(back).size() != 0);
        counted::alive = before;
      });
      round(mutate, stream, of[4], [](const detail::bytes& wrong) {
        std::istringstream bytes(
            std::string(reinterpret_cast<const char*>(wrong.data()), wrong.size()));
        std::unique_ptr<shelf> back;
        read_value(bytes, back);
      });
    }
    for (int i = 0; i < 4; ++i) {
      check::expect(of[i].decoded > count / 100, "too few inputs are decoded");
      check::expect(of[i].refused > count / 10, "too few inputs are refused");
    }
    // A checkpoint that changed is never read. (Bytes that were added behind it are not looked at.)
    check::expect(of[4].refused > count * 9 / 10);
    dismantle(ring);
  }
}
