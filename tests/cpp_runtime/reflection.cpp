// Classes whose fields Boost.PFR finds: datatypes without padding, and the codec.

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/reflect.hpp>
#include <mpiglot/serialized.hpp>

#include "../cpp/check.hpp"
#include "encoding.hpp"

using namespace mpiglot;
using namespace encoding;

namespace {

// Has padding after `kind` and `last`.
struct padded {
  char kind;
  double mass;
  std::array<int, 3> charge;
  std::int16_t last;
  bool operator==(const padded&) const = default;
};

// A field has a datatype of fields itself.
struct around {
  bool first;
  padded inner;
  std::pair<char, int> last;
};

// More fields than anybody counts by hand.
struct wide {
  char a0, b0, c0, d0, e0, f0, g0, h0, i0, j0;
  short a1, b1, c1, d1, e1, f1, g1, h1, i1, j1;
  int a2, b2, c2, d2, e2, f2, g2, h2, i2, j2;
  long a3, b3, c3, d3, e3, f3, g3, h3, i3, j3;
  bool operator==(const wide&) const = default;
};

// These say nothing about their fields. Some cannot be copied; one contains itself.
struct entry {
  std::string name;
  std::map<std::string, std::vector<std::vector<std::string>>> lists;
  std::optional<std::filesystem::path> file;
  std::unique_ptr<int> number;
};
struct folder {
  entry first;
  std::optional<entry> second;
  std::vector<std::unique_ptr<int>> numbers;
  std::vector<folder> inside;
  std::map<std::string, entry> named;
  std::shared_ptr<folder> other;
  std::unique_ptr<folder> next;
};
struct either {
  std::variant<entry, int> value;
};
template <class T>
struct pair_of {
  T one;
  T other;
};
// Would travel as bytes, but for its line.
struct sample {
  char kind;
  double value;
};

struct empty_base {};
// Not found: fields that are references or constant, arrays of the language, bases.
struct with_reference {
  std::string name;
  std::string& other;
};
struct with_constant {
  const std::string name;
};
struct with_array {
  std::string name;
  int numbers[2];
};
struct derived : entry {
  int more;
};
struct derived_from_nothing : empty_base {
  std::string name;
};

}  // namespace

template <>
struct mpiglot::datatype_traits<padded> : mpiglot::fields_datatype<padded> {};
template <>
struct mpiglot::datatype_traits<around> : mpiglot::fields_datatype<around> {};
template <>
struct mpiglot::datatype_traits<wide> : mpiglot::fields_datatype<wide> {};
template <>
struct mpiglot::fields_of<sample> : mpiglot::reflected_fields<sample> {};

namespace {

const communicator& world() {
  static const communicator comm;
  return comm;
}

template <class T>
int size_of_datatype() {
  return static_cast<int>(mpi::type_size(datatype_of<T>()));
}

}  // namespace

TEST(datatypes_of_fields_leave_the_padding_alone) {
  check::equal(size_of_datatype<padded>(), 1 + 8 + 12 + 2);
  std::vector<padded> values(3);
  unsigned char* const bytes = reinterpret_cast<unsigned char*>(values.data());
  for (std::size_t i = 0; i < sizeof(padded) * 3; ++i) bytes[i] = 0xAB;
  for (int i = 0; i < 3 && world().rank() == 0; ++i) {
    auto& each = values[static_cast<std::size_t>(i)];
    each.kind = 'k';
    each.mass = i + 0.5;
    each.charge = {i, 2, 3};
    each.last = 7;
  }
  world().bcast(send_recv_buf(values));
  for (int i = 0; i < 3; ++i)
    check::expect(values[static_cast<std::size_t>(i)] == padded{'k', i + 0.5, {i, 2, 3}, 7});
  if (world().rank() != 0) check::equal(static_cast<int>(bytes[1]), 0xAB);
}

TEST(fields_may_have_datatypes_of_fields) {
  check::equal(size_of_datatype<around>(), 1 + 23 + size_of_datatype<std::pair<char, int>>());
  const around mine{true, {'x', 2.5, {1, 2, 3}, 9}, {'y', world().rank()}};
  const auto all = world().allgather(send_buf(mine));
  for (int i = 0; i < world().size(); ++i) {
    const auto& each = all[static_cast<std::size_t>(i)];
    check::expect(each.first && each.inner == mine.inner);
    check::expect(each.last == std::pair('y', i));
  }
}

TEST(forty_fields_are_found) {
  check::equal(size_of_datatype<wide>(), 10 * (1 + 2 + 4 + 8));
  wide value{};
  if (world().rank() == 0) {
    value.a0 = 'a';
    value.j1 = 19;
    value.j3 = 1L << 40;
  }
  world().bcast(send_recv_buf(value));
  check::expect(value.a0 == 'a' && value.j1 == 19 && value.j2 == 0 && value.j3 == 1L << 40);
}

TEST(an_aggregate_needs_no_list_of_its_fields) {
  folder mine;
  if (world().rank() == 0) {
    mine.second.emplace().name = "second";
    mine.numbers.push_back(std::make_unique<int>(7));
    mine.first.name = "name";
    mine.first.lists["a"] = {{"b", "c"}, {}};
    mine.first.file = "a/b";
    mine.first.number = std::make_unique<int>(5);
    mine.inside.resize(2);
    mine.inside[1].named["x"].name = "inside";
    mine.other = std::make_shared<folder>();
    mine.inside[0].other = mine.other;
    mine.next = std::make_unique<folder>();
  }
  world().bcast(send_recv_buf(as_serialized(mine)));
  check::equal(mine.first.name, "name");
  check::expect(mine.second->name == "second" && *mine.numbers.at(0) == 7);
  check::expect(mine.first.lists == decltype(entry::lists){{"a", {{"b", "c"}, {}}}});
  check::expect(mine.first.file == "a/b" && mine.first.number && *mine.first.number == 5);
  check::equal(mine.inside.size(), std::size_t{2});
  check::equal(mine.inside[1].named.at("x").name, "inside");
  check::expect(mine.other && mine.inside[0].other == mine.other && !mine.inside[1].other);
  check::expect(mine.next && !mine.next->next);
}

TEST(aggregates_of_any_kind_are_found) {
  either mine;
  pair_of<std::string> both;
  if (world().rank() == 0) {
    mine.value = 7;
    both = {"a", "b"};
  }
  world().bcast(send_recv_buf(as_serialized(mine)));
  world().bcast(send_recv_buf(as_serialized(both)));
  check::equal(std::get<int>(mine.value), 7);
  check::expect(both.one == "a" && both.other == "b");
  check::equal(encoded(sample{'a', 2.5}).size(), std::size_t{9});
  check::equal(encoded(std::vector<sample>(3)).size(), std::size_t{1 + 3 * 9});
}

TEST(what_hides_its_fields_is_refused) {
  check::expect(detail::codable<folder>() && detail::codable<std::vector<either>>());
  check::expect(!detail::codable<with_reference>() && !detail::codable<with_constant>());
  check::expect(!detail::codable<with_array>());
  check::expect(!detail::codable<derived>() && !detail::codable<derived_from_nothing>());
}
