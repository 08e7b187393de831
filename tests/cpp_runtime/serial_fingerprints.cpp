// Fingerprints tell types apart that are encoded unlike, and are made without an object.

#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <mpiglot/streams.hpp>

#include "../cpp/check.hpp"
#include "encoding.hpp"

using namespace mpiglot;

namespace {

template <class T>
std::uint64_t mark() {
  return detail::fingerprint::of<T>();
}
template <class... T>
void expect_all_unlike() {
  const std::uint64_t marks[] = {mark<T>()...};
  for (std::size_t i = 0; i < sizeof...(T); ++i)
    for (std::size_t j = 0; j < i; ++j) check::expect(marks[i] != marks[j]);
}
template <class T, class Other>
void expect_alike() {
  check::expect(mark<T>() == mark<Other>());
}

struct int_float {
  int a;
  float b;
};
struct float_int {
  float a;
  int b;
};
struct also_int_float {
  int x;
  float y;
};
struct unsigned_float {
  unsigned a;
  float b;
};
struct in_other {
  int_float in;
};
struct in_another {
  float_int in;
};
struct bits_of_int {
  int a : 3;
  float b;
};
struct text_and_number {
  char name[4];
  float number;
};
struct number_and_text {
  float number;
  char name[4];
};
struct one_of {
  int which;
  union {
    int number;
    float weight;
  };
};
struct only_one_of {
  union {
    int number;
    float weight;
  };
};
struct nothing {};
struct base {
  int a;
};
struct derived : base {
  float b;
};
class hidden {
 public:
  hidden() = default;
  [[nodiscard]] bool same() const { return float(number_) == weight_; }

 private:
  int number_ = 0;
  float weight_ = 0;
};
class also_hidden {
 public:
  also_hidden() = default;
  [[nodiscard]] bool same() const { return float(number_) == weight_; }

 private:
  int number_ = 0;
  float weight_ = 0;
};
template <class T>
class box {
 public:
  box() : value_() {}

 private:
  T value_;
};
// One more field than are looked at.
struct long_list {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};

// It must not be made only to be looked at.
struct never_made {
  std::string name;
  std::vector<never_made> others;
  std::unique_ptr<never_made> one;
  std::size_t n = 0;
  int* all = nullptr;
  never_made() { throw std::logic_error("made"); }
  static void fields(auto& self, auto&& visit) {
    visit(self.name, self.others, self.one, owned(self.all, self.n));
  }
};

struct counted_cell {
  static inline int made = 0;
  int value = 0;
  std::string text;
  counted_cell() { ++made; }
  static void fields(auto& self, auto&& visit) { visit(self.value, self.text); }
};
struct cells {
  std::size_t n = 0;
  counted_cell* all = nullptr;
  static void fields(auto& self, auto&& visit) { visit(owned(self.all, self.n)); }
};

}  // namespace

template <>
inline constexpr bool mpiglot::plain_bytes<hidden> = true;
template <>
inline constexpr bool mpiglot::plain_bytes<also_hidden> = true;
template <>
inline constexpr bool mpiglot::plain_bytes<only_one_of> = true;
template <class T>
inline constexpr bool mpiglot::plain_bytes<box<T>> = true;

TEST(fingerprints_tell_numbers_apart) {
  expect_all_unlike<bool, char, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                    std::uint32_t, std::int64_t, std::uint64_t, float, double, long double>();
  expect_all_unlike<std::vector<std::int64_t>, std::vector<double>, std::complex<float>, double,
                    std::complex<double>, std::array<double, 2>, std::array<double, 3>>();
}
TEST(fingerprints_tell_fields_apart) {
  expect_all_unlike<int_float, float_int, unsigned_float, in_other, in_another, nothing>();
  expect_all_unlike<std::vector<int_float>, std::vector<float_int>, std::list<in_another>>();
  expect_alike<int_float, also_int_float>();
  expect_alike<std::vector<int_float>, std::list<also_int_float>>();
  expect_alike<bits_of_int, int_float>();
}
TEST(fingerprints_tell_classes_apart_that_cannot_be_looked_into) {
  expect_all_unlike<hidden, also_hidden, int_float, box<int>, box<float>, box<double>, derived,
                    one_of, only_one_of, text_and_number, number_and_text, long_list,
                    std::chrono::duration<int>, std::chrono::duration<float>>();
}
// The same from g++ and clang.
TEST(fingerprints_do_not_depend_on_the_compiler) {
  check::equal(mark<std::vector<int_float>>(), std::uint64_t{0x66BD8CB01C884F92U});
  check::equal(mark<hidden>(), std::uint64_t{0x6F2A57EF331FDDE2U});
  check::equal(mark<text_and_number>(), std::uint64_t{0xF65806198674BBB2U});
  check::equal(mark<std::chrono::duration<int>>(), std::uint64_t{0xBD5DC865C274D599U});
}
TEST(fingerprints_are_made_without_an_object) {
  expect_all_unlike<never_made, std::vector<never_made>, std::unique_ptr<never_made>>();
}
TEST(arrays_are_decoded_without_an_object_more) {
  cells sent, back;
  sent.n = 3;
  sent.all = new counted_cell[3];
  const detail::bytes bytes = encoding::encoded(sent);
  counted_cell::made = 0;
  encoding::decode_once(bytes, back);
  check::equal(counted_cell::made, 3);
  check::equal(back.n, std::size_t{3});
  dismantle(sent);
  dismantle(back);
}
TEST(streams_of_classes_with_other_fields_are_refused) {
  std::stringstream stream;
  write_value(stream, std::vector<int_float>{{1, 2}});
  std::vector<float_int> other;
  bool refused = false;
  try {
    read_value(stream, other);
  } catch (const checkpoint_error&) {
    refused = true;
  }
  check::expect(refused && other.empty());
}
