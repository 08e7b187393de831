// Arrays and their counts, in classes that are generated: who owns the count, where it is listed, how
// many arrays share it, what points to them, in one list or several. Bytes that say two counts are
// refused; what is decoded never has an array of another length than its object says.

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <type_traits>
#include <variant>
#include <vector>

#include <mpiglot/serialized.hpp>

#include "../cpp/check.hpp"
#include "encoding.hpp"

using namespace mpiglot;
using namespace encoding;

namespace {

std::map<const void*, std::size_t> made;  // the bytes of each array

struct item {
  double value = 0;
  char kind = 'i';
  static void fields(auto& self, auto&& visit) { visit(self.kind, self.value); }
  static void* operator new[](std::size_t size) {
    void* const memory = std::malloc(size);
    made[memory] = size;
    return memory;
  }
  static void operator delete[](void* memory) {
    made.erase(memory);
    std::free(memory);
  }
};

enum class listed { no, before, between, behind };
enum class owner { member, nested, base };
enum class holder { raw, unique, shared };

struct header {
  char kind = 'h';
  int n = 0;
  static void fields(auto& self, auto&& visit) { visit(self.kind, self.n); }
};
struct other_header : header {  // does not list its count
  static void fields(auto& self, auto&& visit) { visit(self.kind); }
};
struct header_base {
  int n = 0;
  static void fields(auto& self, auto&& visit) { visit(self.n); }
};
struct unlisted_base {
  int n = 0;
};

template <holder Holder>
using pointer_of = std::conditional_t<
    Holder == holder::raw, item*,
    std::conditional_t<Holder == holder::unique, std::unique_ptr<item[]>, std::shared_ptr<item[]>>>;

template <owner Owner, listed Listed>
using base_of =
    std::conditional_t<Owner != owner::base, std::monostate,
                       std::conditional_t<Listed == listed::no, unlisted_base, header_base>>;

template <owner Owner, listed Listed, holder Holder, int Arrays, bool Lists>
struct arrays : base_of<Owner, Listed> {
  using base = base_of<Owner, Listed>;
  std::conditional_t<Owner == owner::nested, header, int> own{};
  pointer_of<Holder> each[Arrays]{};
  int last = 5;

  static auto& count(auto& self) {
    if constexpr (Owner == owner::base)
      return self.n;
    else if constexpr (Owner == owner::nested)
      return self.own.n;
    else
      return self.own;
  }
  static auto rule(auto& self, int i) {
    if constexpr (Holder == holder::shared)
      return shared(self.each[i], count(self));
    else
      return owned(self.each[i], count(self));
  }
  // The field, or the base, that the count is in.
  static decltype(auto) counted(auto& self) {
    if constexpr (Owner == owner::base)
      return bases<base>(self);
    else
      return (self.own);
  }
  static void fields(auto& self, auto&& visit) {
    if constexpr (!Lists) {
      if constexpr (Listed == listed::before) visit(counted(self));
      visit(self.last, rule(self, 0));
      if constexpr (Listed == listed::between) visit(counted(self));
      if constexpr (Arrays == 2) visit(rule(self, 1));
      if constexpr (Listed == listed::behind) visit(counted(self));
    } else if constexpr (Listed == listed::no) {
      if constexpr (Arrays == 1)
        visit(rule(self, 0), self.last);
      else
        visit(rule(self, 0), self.last, rule(self, 1));
    } else if constexpr (Listed == listed::before) {
      if constexpr (Arrays == 1)
        visit(counted(self), self.last, rule(self, 0));
      else
        visit(counted(self), rule(self, 0), self.last, rule(self, 1));
    } else if constexpr (Listed == listed::between) {
      visit(rule(self, 0), counted(self), self.last, rule(self, 1));
    } else {
      if constexpr (Arrays == 1)
        visit(rule(self, 0), self.last, counted(self));
      else
        visit(rule(self, 0), rule(self, 1), counted(self), self.last);
    }
  }
  ~arrays() {
    if constexpr (Holder == holder::raw)
      for (item* const one : each) delete[] one;
  }
};

// The count is in a field that does not list it.
struct beside_unlisted {
  other_header own;
  item* each[2]{};
  static auto& count(auto& self) { return self.own.n; }
  static void fields(auto& self, auto&& visit) {
    visit(self.own, owned(self.each[0], self.own.n), owned(self.each[1], self.own.n));
  }
  ~beside_unlisted() {
    for (item* const one : each) delete[] one;
  }
};

// The length that an array was made with is that of its object.
template <class Object>
void require_whole(const Object& object) {
  for (const auto& one : object.each)
    if (one != nullptr)
      check::equal(made.at(&one[0]),
                   static_cast<std::size_t>(Object::count(object)) * sizeof(item));
}

template <class Object>
void fill(Object& object, int n, std::size_t how_many) {
  Object::count(object) = n;
  for (std::size_t i = 0; i < how_many; ++i) {
    auto* const first = new item[static_cast<std::size_t>(n)]();
    for (int k = 0; k < n; ++k) first[k].value = k + 100;
    if constexpr (std::is_pointer_v<std::remove_reference_t<decltype(object.each[i])>>)
      object.each[i] = first;
    else
      object.each[i].reset(first);
  }
}

// Decodes over what was there before, and looks at what came.
template <class Object>
bool is_refused(const detail::bytes& bytes) {
  Object back;
  Object::count(back) = 1000;
  try {
    decode(bytes, back);
  } catch (const decode_error&) {
    return true;
  }
  require_whole(back);
  return false;
}

long rounds() {
  const char* const told = std::getenv("MPIGLOT_TEST_ROUNDS");
  return told != nullptr ? std::atol(told) / 200 : 50;
}

template <class Object, std::size_t Arrays>
void try_class() {
  std::mt19937 random(2026);
  for (const int n : {0, 1, 4})
    for (std::size_t some = 0; some <= Arrays; ++some) {
      Object right;
      fill(right, n, some);
      const detail::bytes bytes = encoded(right);
      {
        Object back;
        decode(bytes, back);
        require_whole(back);
        if (some != 0) check::equal(Object::count(back), n);
        check::expect(encoded(back).size() == bytes.size());
      }
      for (std::size_t at = 0; at < bytes.size(); ++at)
        for (const int by : {1, 2, -1, 127}) {
          detail::bytes wrong;
          wrong.append(bytes.data(), bytes.size());
          wrong[at] = static_cast<std::byte>(static_cast<int>(wrong[at]) + by);
          static_cast<void>(is_refused<Object>(wrong));
        }
      for (long i = 0; i < rounds(); ++i) {
        detail::bytes wrong;
        for (std::size_t at = 0; at < bytes.size(); ++at) {
          const auto what = random() % 64;
          if (what == 0) continue;
          const std::byte byte = what == 1 ? static_cast<std::byte>(random() % 6) : bytes[at];
          wrong.append(&byte, 1);
          if (what == 2) wrong.append(&byte, 1);
        }
        static_cast<void>(is_refused<Object>(wrong));
      }
    }
}

// A count that is a field and says another number than the arrays, all else as it was.
template <class Object, std::size_t Arrays>
void try_field() {
  Object right;
  fill(right, 4, Arrays);
  const detail::bytes bytes = encoded(right);
  Object none;
  std::size_t fields = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (bytes[at] != std::byte{4}) continue;
    ++fields;  // and the lengths of arrays, of which some may have another byte
    for (const int to : {0, 1, 3, 5, 200}) {
      detail::bytes wrong;
      wrong.append(bytes.data(), bytes.size());
      wrong[at] = static_cast<std::byte>(to);
      check::expect(is_refused<Object>(wrong));
    }
  }
  check::expect(fields != 0);
}

template <owner Owner, listed Listed, bool Lists>
void try_holders() {
  const auto with = []<holder Holder, std::size_t Arrays>() {
    using object = arrays<Owner, Listed, Holder, int{Arrays}, Lists>;
    try_class<object, Arrays>();
    if constexpr (Listed != listed::no) try_field<object, Arrays>();
  };
  if constexpr (Listed != listed::between) with.template operator()<holder::raw, 1>();
  with.template operator()<holder::raw, 2>();
  with.template operator()<holder::unique, 2>();
  with.template operator()<holder::shared, 2>();
}
template <owner Owner, bool Lists>
void try_places() {
  try_holders<Owner, listed::no, Lists>();
  try_holders<Owner, listed::before, Lists>();
  try_holders<Owner, listed::between, Lists>();
  try_holders<Owner, listed::behind, Lists>();
}

}  // namespace

TEST(arrays_never_have_another_length_than_their_object_says) {
  try_places<owner::member, true>();
  try_places<owner::member, false>();
  try_places<owner::nested, true>();
  try_places<owner::nested, false>();
  try_places<owner::base, true>();
  try_places<owner::base, false>();
  try_class<beside_unlisted, 2>();
  check::equal(made.size(), std::size_t{0});
}
