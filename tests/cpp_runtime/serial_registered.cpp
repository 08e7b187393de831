// Pointers to bases with virtual functions, which lead to objects of classes that are registered.

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

// An interface: it lists no fields.
struct shape : counted {
  using registers_types = void;
  virtual ~shape() = default;
  [[nodiscard]] virtual double area() const = 0;
};
struct coloured {
  virtual ~coloured() = default;
  std::string colour = "grey";
  static void fields(auto& self, auto&& visit) { visit(self.colour); }
};
struct square : shape {
  double side = 1;
  std::unique_ptr<shape> inside;
  [[nodiscard]] double area() const override { return side * side - (inside ? inside->area() : 0); }
  static void fields(auto& self, auto&& visit) {
    visit(bases<shape>(self), self.side, self.inside);
  }
};
// The base does not lie at the beginning.
struct circle : coloured, shape {
  double radius = 1;
  std::shared_ptr<shape> neighbour;
  const shape* largest = nullptr;
  [[nodiscard]] double area() const override { return 3 * radius * radius; }
  static void fields(auto& self, auto&& visit) {
    visit(bases<coloured, shape>(self), self.radius, self.neighbour, observed(self.largest));
  }
};
struct cube : square {
  int faces = 6;
  [[nodiscard]] double area() const override { return faces * square::area(); }
  static void fields(auto& self, auto&& visit) { visit(bases<square>(self), self.faces); }
};
struct unknown : square {};

struct scene {
  std::vector<std::unique_ptr<shape>> alone;
  std::vector<std::shared_ptr<shape>> together;
  std::shared_ptr<const square> one;
  std::weak_ptr<shape> last;
  shape* raw = nullptr;
  std::vector<shape*> more;
  const shape* seen = nullptr;
  scene() = default;
  scene(const scene&) = delete;
  ~scene() {
    delete raw;
    for (const shape* each : more) delete each;
  }
  static void fields(auto& self, auto&& visit) {
    visit(observed(self.seen), self.alone, self.together, self.one, self.last, owned(self.raw),
          owned(self.more));
  }
};

void register_all() {
  register_type<square>("square");
  register_type<circle>("circle");
  register_type<cube>("cube");
}

void fill(scene& all) {
  for (int i = 0; i < 50; ++i) {
    auto made = std::make_unique<square>();
    made->side = i;
    if (i % 2 == 1) made->inside = std::make_unique<cube>();
    all.alone.push_back(std::move(made));
    all.alone.push_back(std::make_unique<circle>());
  }
  const auto kept = std::make_shared<cube>();
  kept->faces = 5;
  const auto round = std::make_shared<circle>();
  round->colour = "red";
  round->neighbour = kept;
  round->largest = all.alone.back().get();
  all.together = {kept, round, nullptr, kept};
  all.one = kept;
  all.last = round;
  all.raw = new circle;
  all.more = {new cube, nullptr, new square};
  all.seen = round.get();
}

// A chain through bases.
struct piece : shape {
  std::unique_ptr<shape> next;
  std::shared_ptr<shape> other;
  [[nodiscard]] double area() const override { return 0; }
  static void fields(auto& self, auto&& visit) { visit(bases<shape>(self), self.next, self.other); }
};

}  // namespace

TEST(objects_of_registered_classes_arrive_as_what_they_were) {
  register_all();
  register_all();
  scene sent;
  fill(sent);
  scene back;
  decode(encoded(sent), back);
  check::equal(back.alone.size(), sent.alone.size());
  for (std::size_t i = 0; i < sent.alone.size(); ++i) {
    check::equal(back.alone[i]->area(), sent.alone[i]->area());
    const shape& was = *sent.alone[i];
    const shape& is = *back.alone[i];
    check::expect(typeid(was) == typeid(is));
  }
  check::equal(back.together.size(), std::size_t{4});
  const auto* const kept = dynamic_cast<const cube*>(back.together[0].get());
  const auto* const round = dynamic_cast<const circle*>(back.together[1].get());
  check::expect(kept != nullptr && kept->faces == 5 && round != nullptr && round->colour == "red");
  check::expect(back.together[2] == nullptr && back.together[3] == back.together[0]);
  check::expect(back.one.get() == kept && round->neighbour.get() == kept);
  check::equal(back.one.use_count(), 4L);
  check::expect(back.last.lock().get() == round && back.seen == round);
  check::expect(round->largest == back.alone.back().get());
  check::expect(dynamic_cast<circle*>(back.raw) != nullptr);
  check::expect(back.more[1] == nullptr && back.more[0]->area() == 6);
  // The name of a class stands in the encoding once.
  check::expect(encoded(back).size() < 50 * (2 * sizeof(double) + 20) + 200);
}

TEST(what_is_not_registered_is_refused) {
  register_all();
  check::thrown_by<encode_error>([] { register_type<square>("quadrangle"); });
  check::thrown_by<encode_error>([] { register_type<piece>("circle"); });
  std::unique_ptr<shape> sent = std::make_unique<unknown>();
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(sent)); });
  std::shared_ptr<shape> both = std::make_shared<unknown>();
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(both)); });

  sent = std::make_unique<square>();
  detail::bytes bytes = encoded(sent);
  std::unique_ptr<shape> back = std::make_unique<unknown>();
  decode(bytes, back);
  check::equal(back->area(), 1.0);
  auto* const name = static_cast<std::byte*>(std::memchr(bytes.data(), 's', bytes.size()));
  *name = std::byte{'S'};
  check::thrown_by<decode_error>([&] { decode(bytes, back); });
  check::expect(back == nullptr);
}

TEST(long_chains_of_registered_objects_need_no_stack) {
  register_type<piece>("piece");
  constexpr int length = 100000;
  std::unique_ptr<shape> first;
  for (int i = 0; i < length; ++i) {
    auto above = std::make_unique<piece>();
    if (i % 2 == 0)
      above->next = std::move(first);
    else
      above->other = std::move(first);
    first = std::move(above);
  }
  const std::int64_t one = counted::alive;
  std::unique_ptr<shape> back;
  const detail::bytes bytes = encoded(first);
  decode(bytes, back);
  check::equal(counted::alive, 2 * one);
  for (std::size_t i = 0; i < 20; ++i) {
    check::thrown_by<decode_error>(
        [&] { builtin_codec::decode(bytes.data(), bytes.size() / 20 * i, back); });
    check::expect(back == nullptr);
    check::equal(counted::alive, one);
  }
  dismantle(first);
  check::equal(counted::alive, std::int64_t{0});
  auto shared_one = std::make_shared<piece>();
  std::shared_ptr<shape> chain = shared_one;
  for (int i = 0; i < length; ++i) {
    auto above = std::make_shared<piece>();
    above->other = std::move(chain);
    chain = std::move(above);
  }
  std::shared_ptr<shape> arrived;
  decode(encoded(chain), arrived);
  shared_one.reset();
  dismantle(chain);
  dismantle(arrived);
  check::equal(counted::alive, std::int64_t{0});
}

TEST(changed_bytes_of_registered_objects_are_refused_or_read) {
  register_all();
  scene sent;
  fill(sent);
  const detail::bytes right = encoded(sent);
  const std::int64_t before = counted::alive;
  std::mt19937 random(11);
  int refused = 0;
  constexpr int rounds = 3000;
  for (int round = 0; round < rounds; ++round) {
    const detail::bytes wrong = with_changed_bytes(right, random);
    {
      scene back;
      try {
        decode(wrong, back);
        static_cast<void>(encoded(back));
      } catch (const decode_error&) {
        ++refused;
      }
    }
    check::equal(counted::alive, before);
  }
  check::expect(refused > 0 && refused < rounds, "the changes tell nothing");
}
