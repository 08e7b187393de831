// Values in pieces: what arrives, who is told of what fails, and that the channel can be used again.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <mpiglot/channel.hpp>
#include <mpiglot/communicator.hpp>

#include "../cpp/check.hpp"
#include "encoding.hpp"

using namespace mpiglot;
using namespace encoding;

namespace {

const communicator& world() {
  static const communicator comm;
  return comm;
}

struct item : counted {
  std::string name;
  std::vector<double> values;
  std::unique_ptr<item> next;
  std::map<int, std::vector<int>> numbers;
  static void fields(auto& self, auto&& visit) {
    visit(self.name, self.values, self.next, self.numbers);
  }
};
// Short and long runs, also where they must stay in the encoding.
std::unique_ptr<item> items_of(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::unique_ptr<item> first;
  for (int i = 0; i < count; ++i) {
    auto made = std::make_unique<item>();
    made->name.assign(random() % 300, static_cast<char>('a' + i % 26));
    made->values.assign(random() % 7 == 0 ? 8000 + random() % 30000 : random() % 50, 0.5 * i);
    made->numbers[i].assign(i % 50 == 0 ? 40000 : 3, i);
    made->next = std::move(first);
    first = std::move(made);
  }
  return first;
}
void expect_same(const std::unique_ptr<item>& got, const std::unique_ptr<item>& right) {
  const item* a = got.get();
  const item* b = right.get();
  for (; a != nullptr && b != nullptr; a = a->next.get(), b = b->next.get())
    check::expect(a->name == b->name && a->values == b->values && a->numbers == b->numbers);
  check::expect(a == nullptr && b == nullptr);
}

struct fails {
  std::vector<std::unique_ptr<std::string>> before;
  int now =
      0;  // the rank that cannot go on, counted from 1; memory of zeros is looked at for types
  std::vector<double> behind;
  static void fields(auto& self, auto&& visit) {
    visit(self.before);
    if (self.now == check::rank() + 1) throw std::length_error("not here");
    visit(self.behind);
  }
};

}  // namespace

TEST(values_arrive_in_pieces_of_any_size) {
  const std::int64_t before = counted::alive;
  for (const std::size_t window : {std::size_t{4096}, std::size_t{100000}, std::size_t{1} << 20}) {
    const channel pieces(world(), window);
    for (int root = 0; root < world().size(); ++root)
      for (const int count : {0, 1, 120}) {
        const auto right = items_of(count, static_cast<unsigned>(root + count));
        std::unique_ptr<item> got;
        if (world().rank() == root) got = items_of(count, static_cast<unsigned>(root + count));
        pieces.bcast(got, root);
        expect_same(got, right);
      }
    const auto sent = items_of(90, 7);
    const int last = world().size() - 1;
    if (last == 0) continue;
    if (world().rank() == last) {
      pieces.send(sent, 0);
      pieces.send(std::string("short"), 0);
    } else if (world().rank() == 0) {
      std::unique_ptr<item> got;
      pieces.recv(got, last);
      expect_same(got, sent);
      std::string text;
      pieces.recv(text, last);
      check::equal(text, "short");
    }
  }
  check::equal(counted::alive, before);
}

TEST(who_fails_tells_the_others_and_the_channel_goes_on) {
  const channel pieces(world(), 4096);
  for (int root = 0; root < world().size(); ++root)
    for (int failing = 0; failing < world().size(); ++failing) {
      fails value;
      value.now = failing + 1;
      if (world().rank() == root) {
        for (int i = 0; i < 3000; ++i)
          value.before.push_back(
              std::make_unique<std::string>(static_cast<std::size_t>(i % 90), 'x'));
        value.behind.resize(100000, 1.5);
      }
      const auto call = [&] { pieces.bcast(value, root); };
      if (world().rank() == failing)
        check::thrown_by<std::length_error>(call);
      else if (failing == root)
        check::equal(check::thrown_by<remote_failure>(call).failed_rank(), root);
      else
        call();
      if (world().rank() != root && (failing == root || world().rank() == failing))
        check::expect(value.before.empty() && value.behind.empty());
      else
        check::equal(value.behind.size(), std::size_t{100000});
      std::string next = world().rank() == root ? "next" : "";
      pieces.bcast(next, root);
      check::equal(next, "next");
    }
}

TEST(another_type_is_refused_and_the_rest_is_skipped) {
  const channel pieces(world());
  if (world().size() == 1) return;
  for (int round = 0; round < 2; ++round) {
    if (world().rank() == 0) {
      pieces.send(std::vector<double>(300000, 1), 1);
      pieces.send(items_of(50, 3), 1);
      pieces.send(std::string("end"), 1);
    } else if (world().rank() == 1) {
      std::vector<float> wrong(3);
      check::thrown_by<decode_error>([&] { pieces.recv(wrong, 0); });
      std::vector<std::string> other;
      check::thrown_by<decode_error>([&] { pieces.recv(other, 0); });
      std::string text;
      pieces.recv(text, 0);
      check::equal(text, "end");
    }
  }
}
