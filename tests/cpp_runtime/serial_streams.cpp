// Values in C++ streams: the format of checkpoints, and what is refused.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <mpiglot/streams.hpp>

#include "../cpp/check.hpp"
#include "encoding.hpp"

using namespace mpiglot;
using namespace encoding;

namespace {

struct node : counted {
  std::string name;
  std::vector<std::shared_ptr<node>> others;
  std::unique_ptr<node> next;
  node* observed_one = nullptr;
  static void fields(auto& self, auto&& visit) {
    visit(self.name, self.others, self.next, observed(self.observed_one));
  }
};

struct part_of_chain {
  std::unique_ptr<part_of_chain> next;
  static void fields(auto& self, auto&& visit) { visit(self.next); }
};

// Ring, tree and observed pointers. No address of it is in the bytes.
std::unique_ptr<node> graph() {
  auto first = std::make_unique<node>();
  first->name = "first";
  node* last = first.get();
  for (int i = 0; i < 20; ++i) {
    auto shared = std::make_shared<node>();
    shared->name = std::string(static_cast<std::size_t>(i) * 3, 'x');
    if (!last->others.empty()) shared->others.push_back(last->others[0]);
    last->next = std::make_unique<node>();
    last = last->next.get();
    last->others.push_back(shared);
    last->observed_one = first.get();
  }
  return first;
}

template <class T>
std::string written(const T& value) {
  std::ostringstream stream;
  write_value(stream, value);
  return stream.str();
}
template <class T>
T read_again(const std::string& bytes) {
  std::istringstream stream(bytes);
  T value{};
  read_value(stream, value);
  return value;
}

// A checkpoint whose header was changed on purpose.
template <class Change>
std::string with_header(std::string bytes, Change change) {
  detail::checkpoint_header header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  change(header);
  header.check = header.right_check();
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}
std::string reason(const std::string& bytes) {
  return check::thrown_by<checkpoint_error>(
             [&] { static_cast<void>(read_again<std::vector<int>>(bytes)); })
      .what();
}
bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST(checksums_are_those_of_the_standard) {
  check::equal(detail::crc32c("123456789", 9), std::uint32_t{0xE3069283});
  check::equal(detail::crc32c("", 0), std::uint32_t{0});
  std::vector<std::byte> bytes(200);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * i + 7);
  for (std::size_t size = 0; size <= bytes.size(); ++size)
    check::equal(~detail::crc32c_by_tables(~0U, bytes.data(), size),
                 detail::crc32c(bytes.data(), size));
}

TEST(values_go_to_streams_and_come_back) {
  const auto sent = graph();
  std::stringstream stream;
  write_value(stream, sent);
  write_value(stream, std::vector<int>{1, 2, 3});
  std::unique_ptr<node> back;
  read_value(stream, back);
  check::equal(back->name, "first");
  const node* at = back.get();
  int length = 0;
  for (; at->next; at = at->next.get()) {
    check::expect(at->next->observed_one == back.get());
    ++length;
  }
  check::equal(length, 20);
  check::expect(at->others[0]->others[0] != nullptr);
  // What follows in the stream is left there.
  std::vector<int> more;
  read_value(stream, more);
  check::expect(more == std::vector{1, 2, 3});
  check::equal(stream.peek(), std::char_traits<char>::eof());
}

TEST(equal_structures_give_equal_bytes) {
  const auto one = graph();
  const auto padding = std::make_unique<char[]>(100000);
  const auto other = graph();
  check::expect(padding != nullptr && written(one) == written(other));
}

TEST(types_that_are_encoded_alike_are_one_type) {
  const std::string numbers = written(std::vector<int>{4, 5});
  check::expect(read_again<std::list<int>>(numbers) == std::list{4, 5});
  for (const std::string& other :
       {written(std::vector<unsigned>{4, 5}), written(std::vector<long>{4}),
        written(std::vector<std::vector<int>>(2)), written(4), written(std::string("ab")),
        written(std::map<int, int>{{4, 5}}), written(std::array<int, 2>{4, 5}),
        written(std::variant<int, long>(4)), written(std::make_unique<int>(4)),
        written(std::make_shared<int>(4)), written(graph())})
    check::expect(says(reason(other), "another type"));
}

TEST(a_checkpoint_that_ends_early_or_has_changed_is_refused) {
  const auto sent = graph();
  const std::string right = written(sent);
  const std::int64_t before = counted::alive;
  for (std::size_t i = 0; i < 400; ++i) {
    check::thrown_by<checkpoint_error>([&] {
      static_cast<void>(read_again<std::unique_ptr<node>>(right.substr(0, right.size() * i / 400)));
    });
    std::string wrong = right;
    const std::size_t bit = right.size() * 8 * i / 400 + i % 8;
    wrong[bit / 8] = static_cast<char>(wrong[bit / 8] ^ 1 << bit % 8);
    check::thrown_by<checkpoint_error>(
        [&] { static_cast<void>(read_again<std::unique_ptr<node>>(wrong)); });
    check::equal(counted::alive, before);
  }
}

TEST(what_is_no_checkpoint_of_this_machine_is_told) {
  const std::string right = written(std::vector<int>(100));
  check::expect(says(reason(""), "no checkpoint"));
  check::expect(
      says(reason("a text that was never a checkpoint, but has many letters in it, over 64"),
           "no checkpoint"));
  check::expect(says(reason(right.substr(0, 40)), "ends in its header"));
  check::expect(says(reason(right.substr(0, right.size() - 1)), "ends too early"));
  check::expect(
      says(reason(with_header(right, [](auto& header) { header.version = 2; })), "version"));
  check::expect(
      says(reason(with_header(right, [](auto& header) { header.order = 0x04030201; })), "order"));
  check::expect(says(reason(with_header(right, [](auto& header) { ++header.sizes; })), "sizes"));
  check::expect(says(reason(with_header(right, [](auto& header) { header.depth = 7; })), "sizes"));
  check::expect(
      says(reason(with_header(right, [](auto& header) { header.parts = 2; })), "several ranks"));
  check::expect(says(reason(with_header(right, [](auto& header) { ++header.size; })), "table"));
  // A length that nobody can read costs no memory.
  std::string huge = right;
  const std::uint64_t length = std::uint64_t{1} << 60;
  std::memcpy(huge.data() + sizeof(detail::checkpoint_header), &length, sizeof length);
  huge = with_header(huge, [&](auto& header) {
    header.size = sizeof header + 8 + length + detail::checks_size(length);
    header.table_check = detail::crc32c(&length, sizeof length);
  });
  check::expect(says(reason(huge), "ends too early"));
}

TEST(a_chain_of_a_million_goes_to_a_stream_and_back) {
  std::unique_ptr<part_of_chain> chain;
  for (int i = 0; i < 1000000; ++i) {
    auto above = std::make_unique<part_of_chain>();
    above->next = std::move(chain);
    chain = std::move(above);
  }
  const std::string bytes = written(chain);
  std::istringstream stream(bytes);
  std::unique_ptr<part_of_chain> back;
  read_value(stream, back);
  std::size_t length = 0;
  for (const part_of_chain* at = back.get(); at != nullptr; at = at->next.get()) ++length;
  check::equal(length, std::size_t{1000000});
  dismantle(chain);
  dismantle(back);
}
