// The axes of the table of calls (generate.py): elements, descriptions, ownership and bounds of
// buffers. A buffer is filled from numbers and read as numbers, so that one reference serves all.

#pragma once

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpiglot/at_most.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/layouts.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/strided.hpp>
#include <mpiglot/topology.hpp>
#include <mpiglot/view.hpp>
#if __has_include(<boost/pfr/core.hpp>)
#include <mpiglot/reflect.hpp>
#endif

#include "../../cpp/check.hpp"
#include "../foreign_views.hpp"

namespace calls {

using namespace mpiglot;

enum class element { plain, reflected, encoded, deep };
// A value stands in the place of a range where an operation takes one value.
enum class description { range, span, strided, view, bag, value };
enum class ownership { lvalue, constant, moved, temporary };
enum class bound { none, at_most, in_place, count };
enum class io { now, later, bound };
// Which buffer of the call has the description: the one sent, the one received, or both in one.
enum class side { sent, received, both };

using ids = std::vector<int>;
using parts = std::vector<ids>;

inline ids joined(const parts& all) {
  ids made;
  for (const ids& each : all) made.insert(made.end(), each.begin(), each.end());
  return made;
}

// Elements: each is made from a number, and is that number only if all of it is right.

inline constexpr int wrong = -99;
inline constexpr int untouched = -77;

struct reflected_element {
  char kind = 'k';
  double mass = 0;
  std::array<int, 2> charge{};

  bool operator==(const reflected_element&) const = default;
  friend reflected_element operator+(const reflected_element& a, const reflected_element& b) {
    return {a.kind, a.mass + b.mass, {a.charge[0] + b.charge[0], a.charge[1] + b.charge[1]}};
  }
};

struct tree {
  int value = 0;
  std::unique_ptr<tree> below;

  static void fields(auto& self, auto&& visit) { visit(self.value, self.below); }
};
using owner = std::unique_ptr<tree>;

template <class T>
T made(int id);
template <>
inline int made<int>(int id) {
  return id;
}
template <>
inline reflected_element made<reflected_element>(int id) {
  return {'k', 0.5 * id, {-id, id}};
}
template <>
inline std::string made<std::string>(int id) {
  return std::to_string(id) + std::string(static_cast<std::size_t>(id < 0 ? 0 : id % 5), 'x');
}
template <>
inline owner made<owner>(int id) {
  if (id == untouched) return nullptr;
  owner top = std::make_unique<tree>();
  top->value = id;
  if (id % 2 != 0) {
    top->below = std::make_unique<tree>();
    top->below->value = 3 * id;
  }
  return top;
}

inline int id_of(int value) { return value; }
inline int id_of(const reflected_element& value) {
  return value == made<reflected_element>(value.charge[1]) ? value.charge[1] : wrong;
}
inline int id_of(const std::string& value) {
  const int id = value.empty() ? wrong : std::atoi(value.c_str());
  return value == made<std::string>(id) ? id : wrong;
}
inline int id_of(const owner& value) {
  if (value == nullptr) return untouched;
  const bool right = (value->below != nullptr) == (value->value % 2 != 0) &&
                     (value->below == nullptr || value->below->value == 3 * value->value);
  return right ? value->value : wrong;
}

template <element>
struct type_of;
template <>
struct type_of<element::plain> {
  using type = int;
};
template <>
struct type_of<element::reflected> {
  using type = reflected_element;
};
template <>
struct type_of<element::encoded> {
  using type = std::string;
};
template <>
struct type_of<element::deep> {
  using type = owner;
};
template <element E>
inline constexpr bool is_coded = E == element::encoded || E == element::deep;

// Appends the number of an element, or those of a container in the place of an element.
template <class T>
void read_into(ids& to, const T& value) {
  to.push_back(id_of(value));
}
template <class T>
void read_into(ids& to, const std::vector<T>& values) {
  for (const T& each : values) to.push_back(id_of(each));
}

template <class T>
inline constexpr bool is_container = false;
template <class T>
inline constexpr bool is_container<std::vector<T>> = true;
template <class T>
struct filled_by;
template <class T>
struct filled_by<std::vector<T>> {
  static std::vector<T> from(const ids& many) {
    std::vector<T> all;
    for (const int id : many) all.push_back(made<T>(id));
    return all;
  }
};

// Descriptions: the elements of each, in the order in which they travel.

template <class T>
T& at(std::vector<T>& of, std::size_t i) {
  return of[i];
}
template <class T>
T& at(const std::span<T>& of, std::size_t i) {
  return of[i];
}
template <class T>
T& at(const strided_view<T>& of, std::size_t i) {
  const auto place = static_cast<count_t>(i);
  return of(place / of.columns, place % of.columns);
}
template <class T>
T& at(const foreign::span_of_many<T, 2>& of, std::size_t i) {
  const auto place = static_cast<long>(i);
  return of.first[place / of.lengths[1] * of.strides[0] + place % of.lengths[1] * of.strides[1]];
}
template <class Structure, class Memory>
auto& at(const layouts::bag_of<Structure, Memory>& of, std::size_t i) {
  const auto columns = of | layouts::get_length<'i'>();
  const auto place = static_cast<count_t>(i);
  return of[layouts::idx<'j', 'i'>(place / columns, place % columns)];
}

template <class T>
concept leaf = std::is_same_v<T, int> || std::is_same_v<T, reflected_element> ||
               std::is_same_v<T, std::string> || std::is_same_v<T, owner>;
template <leaf T>
T& at(T& of, std::size_t) {
  return of;
}
template <leaf T>
std::size_t size_of(const T&) {
  return 1;
}

template <class T>
std::size_t size_of(const std::vector<T>& of) {
  return of.size();
}
template <class T>
std::size_t size_of(const std::span<T>& of) {
  return of.size();
}
template <class T>
std::size_t size_of(const strided_view<T>& of) {
  return static_cast<std::size_t>(of.size());
}
template <class T>
std::size_t size_of(const foreign::span_of_many<T, 2>& of) {
  return static_cast<std::size_t>(of.lengths[0] * of.lengths[1]);
}
template <class Structure, class Memory>
std::size_t size_of(const layouts::bag_of<Structure, Memory>& of) {
  return static_cast<std::size_t>((of | layouts::get_length<'i'>()) *
                                  (of | layouts::get_length<'j'>()));
}

// Two columns if that is possible.
inline long columns_of(std::size_t size) { return size % 2 == 0 && size > 0 ? 2 : 1; }
inline long rows_of(std::size_t size) { return static_cast<long>(size) / columns_of(size); }

template <description D, class T>
struct described;

template <class T>
struct described<description::range, T> {
  std::vector<T> memory;  // of nobody: a range is its own memory
  std::vector<T> object;
  explicit described(std::size_t size) : object(size) {}
};
template <class T>
struct described<description::value, T> {
  std::vector<T> memory;
  T object{};
  explicit described(std::size_t) {}
};
template <class T>
struct described<description::span, T> {
  std::vector<T> memory;
  std::span<T> object;
  explicit described(std::size_t size) : memory(size + 2), object(memory.data() + 1, size) {}
};
template <class T>
struct described<description::strided, T> {
  std::vector<T> memory;
  strided_view<T> object;
  explicit described(std::size_t size)
      : memory(5 * size + 5),
        object{memory.data() + 1, rows_of(size), columns_of(size), columns_of(size) + 2, 1} {}
};
// Rows backwards and columns apart, as no container of the standard library has them.
template <class T>
struct described<description::view, T> {
  std::vector<T> memory;
  foreign::span_of_many<T, 2> object;
  explicit described(std::size_t size)
      : memory(3 * size + 5),
        object{memory.data() + 1 + (rows_of(size) > 0 ? rows_of(size) - 1 : 0),
               {rows_of(size), columns_of(size)},
               {-1, rows_of(size) + 1}} {}
};
// By columns, named in the order of rows.
template <class T>
auto bag_by_columns(std::size_t size) {
  using namespace layouts;
  return bag(scalar<T>() ^ vector<'j'>(rows_of(size)) ^ vector<'i'>(columns_of(size)) ^
             hoist<'j'>());
}
template <class T>
struct described<description::bag, T> {
  std::vector<T> memory;
  decltype(bag_by_columns<T>(0)) object;
  explicit described(std::size_t size) : object(bag_by_columns<T>(size)) {}
};

template <description D>
inline constexpr bool owns =
    D == description::range || D == description::bag || D == description::value;

// A buffer with its numbers. `inner` of a coded buffer: each element is a container of numbers.
template <description D, class T>
struct holder : described<D, T> {
  using described<D, T>::object, described<D, T>::memory;
  std::size_t size;

  explicit holder(std::size_t n) : described<D, T>(n), size(n) {
    if constexpr (!is_container<T>)
      for (T& each : memory) each = made<T>(untouched);
  }

  void fill(const parts& all) {
    const ids flat = joined(all);
    for (std::size_t i = 0; i < size_of(object); ++i)
      if constexpr (is_container<T>)
        at(object, i) = filled_by<T>::from(i < all.size() ? all[i] : ids());
      else
        at(object, i) = made<T>(i < flat.size() ? flat[i] : untouched);
  }
  void spoil() { fill({}); }
  [[nodiscard]] ids read() {
    ids found;
    for (std::size_t i = 0; i < size_of(object); ++i) read_into(found, at(object, i));
    return found;
  }
  // Nothing beside the elements was written.
  [[nodiscard]] bool gaps_are_untouched() {
    if constexpr (is_container<T>) {
      return true;
    } else {
      std::size_t others = 0;
      for (const T& each : memory) others += id_of(each) == untouched;
      for (std::size_t i = 0; i < size_of(object); ++i)
        if (!owns<D>) others += id_of(at(object, i)) != untouched;
      return others == memory.size();
    }
  }
};

template <ownership W>
inline constexpr bool gives_up = W == ownership::moved || W == ownership::temporary;

template <ownership W, class Object>
decltype(auto) given(Object& object) {
  if constexpr (W == ownership::lvalue)
    return static_cast<Object&>(object);
  else if constexpr (W == ownership::constant)
    return static_cast<const Object&>(object);
  else
    return static_cast<Object&&>(object);
}

// What a parameter is given: the buffer, wrapped as its elements and its bound ask for.
template <element E, bound B, class Buffer>
decltype(auto) wrapped([[maybe_unused]] count_t limit, Buffer&& buffer) {
  if constexpr (B == bound::at_most)
    return at_most(limit, wrapped<E, bound::none>(limit, static_cast<Buffer&&>(buffer)));
  else if constexpr (E == element::encoded)
    return as_serialized(static_cast<Buffer&&>(buffer));
  else if constexpr (E == element::deep)
    return deep(static_cast<Buffer&&>(buffer));
  else
    return static_cast<Buffer&&>(buffer);
}

// Verdicts by the names that compilers print.
template <class Verdict>
constexpr std::string_view printed() {
  return __PRETTY_FUNCTION__;
}
template <class Verdict>
constexpr std::string_view name_of() {
  if constexpr (detail::is_right<Verdict>) {
    return "right";
  } else {
    std::string_view all = printed<Verdict>();
    all.remove_prefix(all.find("Verdict = ") + 10);
    all = all.substr(0, all.find_first_of("<;]"));
    return all.substr(all.rfind("::") + 2);
  }
}

// The name of a verdict as an argument of a template.
template <std::size_t Size>
struct text {
  char letters[Size];
  consteval text(const char (&given)[Size]) {
    for (std::size_t i = 0; i < Size; ++i) letters[i] = given[i];
  }
  [[nodiscard]] constexpr std::string_view view() const { return {letters, Size - 1}; }
};

inline int size() { return check::size(); }
inline int rank() { return check::rank(); }
inline int before() { return (rank() + size() - 1) % size(); }
inline int next() { return (rank() + 1) % size(); }
inline const communicator& world() {
  static const communicator comm;
  return comm;
}
// Each rank sends to the next one. Made for the tests of a row, which frees it.
inline std::optional<distributed_graph> made_ring;
inline const distributed_graph& ring() {
  if (!made_ring) made_ring.emplace(world(), neighborhood{{before()}, {next()}});
  return *made_ring;
}

}  // namespace calls

#if __has_include(<boost/pfr/core.hpp>)
template <>
struct mpiglot::datatype_traits<calls::reflected_element>
    : mpiglot::fields_datatype<calls::reflected_element> {};
#endif
