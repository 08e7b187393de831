// Values in C++ streams: the format of checkpoints, and what is refused.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
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
  check::expect(says(reason(""), "ends too early"));
  check::expect(
      says(reason("a text that was never a checkpoint, but has many letters in it, over 64"),
           "no checkpoint"));
  check::expect(says(reason(right.substr(0, 40)), "ends too early"));
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
    header.size = sizeof header + 8 + length + detail::checks_size(length, header.chunk);
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

namespace {

// Each kind of thing whose bytes may lie across the border of two windows.
struct mixed {
  std::vector<std::unique_ptr<node>> graphs;
  std::map<std::string, std::vector<double>> numbers;
  std::vector<std::optional<std::array<short, 7>>> empty;
  std::vector<bool> flags;
  std::string text;
  std::vector<std::byte> raw;
  std::vector<std::tuple<char, double, std::string>> tuples;
  bool operator==(const mixed& other) const {
    return numbers == other.numbers && empty == other.empty && flags == other.flags &&
           text == other.text && raw == other.raw && tuples == other.tuples;
  }
  static void fields(auto& self, auto&& visit) {
    visit(self.graphs, self.numbers, self.empty, self.flags, self.text, self.raw, self.tuples);
  }
};
mixed mixed_values(std::size_t scale) {
  mixed made;
  for (std::size_t i = 0; i < 30; ++i) made.graphs.push_back(graph());
  for (std::size_t i = 0; i < scale; ++i)
    made.numbers[std::string(i % 50, 'k') + std::to_string(i)].resize(i % 300, 0.5);
  made.empty.resize(scale);
  for (std::size_t i = 0; i < scale; i += 3) made.empty[i] = std::array<short, 7>{1, 2, 3};
  made.flags.resize(scale * 7 + 1, true);
  made.text.assign(scale * 100, 't');
  made.raw.resize(scale * 90, std::byte{9});
  for (std::size_t i = 0; i < scale; ++i)
    made.tuples.emplace_back('c', static_cast<double>(i), std::string(i % 20, 'u'));
  return made;
}

// The encoding in a checkpoint of one part.
detail::bytes encoding_in(const std::vector<std::byte>& all) {
  detail::checkpoint_header header{};
  std::memcpy(&header, all.data(), sizeof header);
  detail::bytes made;
  for (std::size_t at = sizeof header + 8; at < all.size();) {
    const std::size_t left = all.size() - at - 4;
    const std::size_t size = left < header.chunk ? left : header.chunk;
    made.append(all.data() + at, size);
    at += size + 4;
  }
  return made;
}

// Throws where it is told to; notes what is copied from and to where.
struct watched : memory_transport {
  std::int64_t calls = 0;
  std::int64_t fails_at = -1;
  std::vector<std::pair<const std::byte*, std::size_t>> seen;

  void note(const std::byte* at, std::size_t size) {
    if (calls++ == fails_at) throw std::length_error("the transport fails");
    seen.emplace_back(at, size);
  }
  void write(const std::byte* from, std::size_t size) {
    note(from, size);
    memory_transport::write(from, size);
  }
  void read(std::byte* to, std::size_t size) {
    note(to, size);
    memory_transport::read(to, size);
  }
  [[nodiscard]] std::size_t seen_in(const std::vector<double>& run) const {
    const auto* const first = reinterpret_cast<const std::byte*>(run.data());
    std::size_t sum = 0;
    for (const auto& [at, size] : seen)
      if (at >= first && at < first + run.size() * sizeof(double)) sum += size;
    return sum;
  }
};

}  // namespace

TEST(values_pass_windows_of_any_size) {
  const mixed sent = mixed_values(1000);
  const detail::bytes expected = encoded(sent);
  check::equal(size_of(sent), static_cast<std::uint64_t>(expected.size()));
  check::equal(size_of(1.5), std::uint64_t{8});
  for (const std::size_t window : {std::size_t{4096}, std::size_t{5001}, std::size_t{1} << 16,
                                   std::size_t{1} << 20, std::size_t{1} << 25}) {
    memory_transport through;
    write_value(through, sent, window);
    const detail::bytes inside = encoding_in(through.bytes);
    check::equal(inside.size(), expected.size());
    check::expect(std::memcmp(inside.data(), expected.data(), inside.size()) == 0);
    mixed back;
    read_value(through, back);
    check::equal(through.position, through.bytes.size());
    check::expect(back == sent);
    check::equal(back.graphs.size(), sent.graphs.size());
    check::expect(encoded(back.graphs).size() == encoded(sent.graphs).size());
  }
}

TEST(long_runs_are_written_and_read_where_they_lie) {
  std::vector<std::vector<double>> sent(3);
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i].resize(300000 + i, 0.25);
  watched through;
  write_value(through, sent, 1 << 16);
  for (const auto& run : sent) check::equal(through.seen_in(run), run.size() * sizeof(double));
  through.seen.clear();
  std::vector<std::vector<double>> back;
  read_value(through, back);
  check::expect(back == sent);
  for (const auto& run : back)  // the first and the last chunk are shared with others
    check::expect(through.seen_in(run) >= run.size() * sizeof(double) - 2 * (1 << 16));
}

TEST(a_transport_that_fails_leaves_nothing_behind) {
  const mixed sent = mixed_values(40);
  const std::int64_t before = counted::alive;
  watched through;
  write_value(through, sent, 4096);
  const std::int64_t writes = through.calls;
  for (std::int64_t i = 0; i < writes; ++i) {
    watched fails;
    fails.fails_at = i;
    check::thrown_by<std::length_error>([&] { write_value(fails, sent, 4096); });
  }
  for (std::int64_t i = 0;; ++i) {
    through.calls = 0;
    through.fails_at = i;
    through.position = 0;
    mixed back;
    try {
      read_value(through, back);
      check::expect(i > 10 && back == sent);
      break;
    } catch (const std::length_error&) {
      check::expect(back == mixed() && back.graphs.empty());
    }
    check::equal(counted::alive, before);
  }
}

TEST(wrong_windows_and_values_that_change_are_refused) {
  memory_transport through;
  const std::vector<int> value(3);
  check::thrown_by<error>([&] { write_value(through, value, 4095); });
  check::thrown_by<error>([&] { write_value(through, value, (std::size_t{1} << 30) + 1); });
  check::expect(through.bytes.empty());
  // The length went first.
  struct growing : memory_transport {
    std::vector<std::string>* value = nullptr;
    void write(const std::byte* from, std::size_t size) {
      memory_transport::write(from, size);
      value->back().resize(5000);
    }
  };
  std::vector<std::string> grows(2000, std::string(100, 'g'));
  growing meanwhile;
  meanwhile.value = &grows;
  check::thrown_by<encode_error>([&] { write_value(meanwhile, grows, 4096); });
}

namespace {

struct looked_at {
  static inline int times = 0;
  std::vector<std::string> names;
  static void fields(auto& self, auto&& visit) {
    ++times;
    visit(self.names);
  }
};

}  // namespace

TEST(what_fits_a_window_is_encoded_once) {
  memory_transport through;
  looked_at value;
  value.names.assign(50, std::string(70, 'n'));
  const auto looks = [&](std::size_t window) {
    const int before = looked_at::times;
    write_value(through, value, window);
    return looked_at::times - before;
  };
  const int of_the_type = looks(4096) - 1;
  value.names.resize(100, std::string(70, 'n'));
  check::equal(looks(8192), 1 + of_the_type);
  check::equal(looks(4096), 2 + of_the_type);
  check::equal(of_the_type, 1);  // the fingerprint
}
