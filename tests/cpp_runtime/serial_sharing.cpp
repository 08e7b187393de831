// Who shares what: two pointers to one object arrive as two pointers to one object, or the sender gets
// an error and so does everyone who would have got the value.

#include "catchable.hpp"
#include "encoding.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <mpiglot/at_most.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/transport.hpp>

using namespace catchable;

namespace {

struct point {
  int x = 1;
  double y = 2;
};
struct segment {
  point from, to;
  std::string name;
  static void fields(auto& self, auto&& visit) { visit(self.from, self.to, self.name); }
};
struct left {
  int a = 1;
};
struct right {
  int b = 2;
};
struct both : left, right {
  std::string c = "c";
  static void fields(auto& self, auto&& visit) { visit(self.a, self.b, self.c); }
};

// A chain of objects, each owned by the one before.
struct link_of_chain {
  int value = 0;
  std::unique_ptr<link_of_chain> next;
  static void fields(auto& self, auto&& visit) { visit(self.value, self.next); }
};
using chain = std::unique_ptr<link_of_chain>;
chain chain_of(int length) {
  chain first;
  for (int i = length; i > 0; --i) {
    auto above = std::make_unique<link_of_chain>();
    above->value = i;
    above->next = std::move(first);
    first = std::move(above);
  }
  return first;
}
void expect_chain(const chain& first, int length) {
  int found = 0;
  for (const auto* at = first.get(); at != nullptr; at = at->next.get())
    check::equal(at->value, ++found);
  check::equal(found, length);
}

template <class... T>
using pointers = std::variant<std::shared_ptr<T>..., std::shared_ptr<const T>...>;
using any = pointers<point, segment, std::string, int, double, char, left, right, both>;

// Two pointers in one of the places where a value can have them.
struct holder {
  any first, second;
  std::vector<any> list;
  std::map<std::string, any> map;
  std::unique_ptr<std::tuple<any, std::unique_ptr<any>>> deeper;

  static void fields(auto& self, auto&& visit) {
    visit(self.first, self.second, self.list, self.map, self.deeper);
  }
};
struct places {
  static constexpr int count = 4;
  static holder put(int place, any one, any two) {
    holder made;
    if (place == 0) {
      made.first = one;
      made.second = two;
    } else if (place == 1) {
      made.list = {one, two};
    } else if (place == 2) {
      made.map = {{"one", one}, {"two", two}};
    } else {
      made.deeper =
          std::make_unique<std::tuple<any, std::unique_ptr<any>>>(one, std::make_unique<any>(two));
    }
    return made;
  }
  static std::pair<any, any> in(int place, const holder& from) {
    if (place == 0) return {from.first, from.second};
    if (place == 1) return {from.list.at(0), from.list.at(1)};
    if (place == 2) return {from.map.at("one"), from.map.at("two")};
    return {std::get<0>(*from.deeper), *std::get<1>(*from.deeper)};
  }
};

constexpr auto with_deep = []<class T>(T& value) { return deep(value); };
constexpr auto with_serialized = []<class T>(T& value) { return as_serialized(value); };

// Sends `value` in every way, and calls `check` with each value that arrives.
template <class Wrap>
void sent_by(Wrap wrap, holder& value, const std::function<void(const holder&)>& check) {
  const communicator comm;
  {
    auto sending = comm.isend(send_buf(wrap(value)), destination((comm.rank() + 1) % comm.size()));
    holder got;
    comm.recv(recv_buf(wrap(got)));
    sending.wait();
    check(got);
  }
  {
    holder got;
    comm.bcast(send_recv_buf(wrap(comm.rank() == 0 ? value : got)));
    check(comm.rank() == 0 ? value : got);
  }
  const std::vector<holder> all = comm.allgather(send_buf(wrap(value)));
  check::equal(static_cast<int>(all.size()), comm.size());
  for (const holder& each : all) check(each);
}

template <class P, class Q, class Check>
void arrives(P p, Q q, Check check) {
  for (int place = 0; place < places::count; ++place) {
    holder value = places::put(place, p, q);
    const auto both_arrive = [&](const holder& got) {
      const auto [one, two] = places::in(place, got);
      check(std::get<P>(one), std::get<Q>(two));
    };
    sent_by(with_deep, value, both_arrive);
    sent_by(with_serialized, value, both_arrive);
  }
}

// An error on all ranks; where the value is, the encoder's.
template <class Call>
void refused(bool here, Call call, std::source_location where = std::source_location::current()) {
  try {
    call();
    check::fail("no error was thrown", where);
  } catch (const encode_error& error) {
    check::expect(here, error.what(), where);
  } catch (const mpi::error& error) {
    check::expect(!here, error.what(), where);
  }
  works_on();
}

template <class Wrap>
void refused_by(Wrap wrap, holder& wrong) {
  const communicator comm;
  holder fine;
  refused(true, [&] { comm.send(send_buf(wrap(wrong)), destination(comm.rank())); });
  refused(true, [&] { comm.isend(send_buf(wrap(wrong)), destination(comm.rank())).wait(); });
  for (const int bad : {0, comm.size() - 1}) {
    const bool here = comm.rank() == bad;
    holder& mine = here ? wrong : fine;
    refused(here, [&] { comm.bcast(send_recv_buf(wrap(mine)), root(bad)); });
    refused(here, [&] { comm.ibcast(send_recv_buf(at_most(4000, wrap(mine))), root(bad)).wait(); });
    refused(here, [&] { static_cast<void>(comm.allgather(send_buf(wrap(mine)))); });
  }
}

void is_refused(any p, any q) {
  for (int place = 0; place < places::count; ++place) {
    holder wrong = places::put(place, p, q);
    refused_by(with_deep, wrong);
    refused_by(with_serialized, wrong);
  }
}

}  // namespace

TEST(pointers_to_const_and_to_not_const_share_an_object) {
  const auto one = std::make_shared<point>(point{3, 4});
  const auto are_one = [](const auto& p, const auto& q) {
    check::expect(p && p == q && p->x == 3 && p->y == 4, "two objects arrived");
    check::expect(!p.owner_before(q) && !q.owner_before(p), "two owners arrived");
  };
  arrives(one, std::shared_ptr<const point>(one), are_one);
  arrives(std::shared_ptr<const point>(one), one, are_one);
  const auto text = std::make_shared<const std::string>("text");
  arrives(text, std::const_pointer_cast<std::string>(text), [](const auto& p, const auto& q) {
    check::expect(p && p == q && *p == "text", "two objects arrived");
  });
}

TEST(two_objects_stay_two) {
  arrives(std::make_shared<point>(), std::shared_ptr<const point>(std::make_shared<point>()),
          [](const auto& p, const auto& q) { check::expect(p && q && p != q); });
  arrives(std::make_shared<left>(), std::make_shared<both>(),
          [](const auto& p, const auto& q) { check::expect(p && q && q->c == "c"); });
}

TEST(pointers_to_an_object_and_to_a_part_of_it_arrive_at_them) {
  const auto whole = std::make_shared<point>(point{5, 0.5});
  const auto have_one_owner = [](const auto& p, const auto& q) {
    check::expect(p && q && !p.owner_before(q) && !q.owner_before(p), "two owners arrived");
  };
  arrives(whole, std::shared_ptr<double>(whole, &whole->y), [&](const auto& p, const auto& q) {
    have_one_owner(p, q);
    check::expect(q.get() == &p->y && *q == 0.5);
  });
  arrives(std::shared_ptr<const int>(whole, &whole->x), whole, [&](const auto& p, const auto& q) {
    have_one_owner(p, q);
    check::expect(p.get() == &q->x && *p == 5);
  });
  const auto line = std::make_shared<segment>();
  arrives(line, std::shared_ptr<point>(line, &line->from), [&](const auto& p, const auto& q) {
    have_one_owner(p, q);
    check::expect(q.get() == &p->from);
  });
  // Without the whole object, numbers are values.
  arrives(std::shared_ptr<int>(whole, &whole->x), std::shared_ptr<double>(whole, &whole->y),
          [](const auto& p, const auto& q) { check::expect(*p == 5 && *q == 0.5); });
}

TEST(pointers_into_text_arrive_where_there_is_some) {
  const auto line = std::make_shared<segment>();
  line->name = "a";
  arrives(std::shared_ptr<char>(line, line->name.data()), line,
          [](const auto& p, const auto& q) { check::expect(p.get() == q->name.data()); });
  line->name.clear();
  is_refused(std::shared_ptr<char>(line, line->name.data()), line);
}

TEST(pointers_to_an_object_and_to_its_base_are_refused) {
  const auto whole = std::make_shared<both>();
  is_refused(whole, std::shared_ptr<left>(whole));
  is_refused(std::shared_ptr<const right>(whole), whole);
  is_refused(std::shared_ptr<left>(whole), std::shared_ptr<right>(whole));
}

TEST(a_derived_object_behind_a_base_is_not_sliced) {
  is_refused(std::shared_ptr<left>(std::make_shared<both>()), std::shared_ptr<int>());
  is_refused(std::shared_ptr<const right>(new both), std::shared_ptr<int>());
  is_refused(std::shared_ptr<left>(std::make_unique<both>()), std::shared_ptr<int>());
  is_refused(std::shared_ptr<left>(new both, [](both* all) { delete all; }),
             std::shared_ptr<int>());
}

TEST(a_pointer_that_owns_nothing_is_refused) {
  point value;
  is_refused(std::shared_ptr<point>(std::shared_ptr<point>(), &value), std::shared_ptr<int>());
}

TEST(a_chain_of_any_length_travels) {
  const communicator comm;
  const int length = comm.size() == 2 ? 1000000 : 50000;  // on the stack of the system, 8 MiB
  const int next = (comm.rank() + 1) % comm.size();
  chain mine = chain_of(length);
  chain other;
  auto sending = comm.isend(send_buf(deep(mine)), destination(next));
  comm.recv(recv_buf(deep(other)));
  sending.wait();
  expect_chain(other, length);
  comm.bcast(send_recv_buf(deep(comm.rank() == 0 ? mine : other)));
  expect_chain(other.get() != nullptr ? other : mine, length);
  dismantle(mine);
  dismantle(other);

  mine = chain_of(5000 + comm.rank());
  auto all = comm.allgather(send_buf(deep(mine)));
  for (int i = 0; i < comm.size(); ++i) {
    expect_chain(all[static_cast<std::size_t>(i)], 5000 + i);
    dismantle(all[static_cast<std::size_t>(i)]);
  }
  dismantle(mine);
}

namespace {

// What a table is asked for, and what it says.
struct own_table final : address_table {
  std::map<std::pair<const void*, const void*>, std::uint32_t> numbers;
  int cleared = 0;
  void clear() override {
    ++cleared;
    numbers.clear();
  }
  std::uint32_t& number(const void* object, const void* type) override {
    return numbers[{object, type}];
  }
};
struct wrong_table final : address_table {
  std::uint32_t one = 0;
  std::uint32_t first = 0;
  void clear() override { one = first; }
  std::uint32_t& number(const void*, const void*) override { return one; }
};
struct everything {
  std::vector<std::shared_ptr<both>> whole;
  std::vector<std::shared_ptr<int>> parts;  // each has 7 owners
  std::vector<int*> raw;
  std::shared_ptr<double[]> array, same_array;
  std::size_t n = 0;
  std::weak_ptr<both> weak;
  static void fields(auto& self, auto&& visit) {
    visit(self.whole, self.parts, shared(self.raw), self.n, shared(self.array, self.n),
          shared(self.same_array, self.n), self.weak);
  }
};
everything all_of(int count) {
  everything made;
  for (int i = 0; i < count; ++i) {
    made.whole.push_back(std::make_shared<both>());
    made.parts.push_back(std::make_shared<int>(i));
  }
  for (int i = 0; i < 6 * count; ++i) made.parts.push_back(made.parts[std::size_t(i)]);
  made.n = 5;
  made.array.reset(new double[5]());
  made.same_array = made.array;
  made.whole.push_back(made.whole.front());
  made.weak = made.whole.back();
  return made;
}

}  // namespace

TEST(a_table_of_the_program_gives_the_same_bytes) {
  for (const int count : {1, 3, 40, 700}) {
    everything value = all_of(count);
    int one = 1;
    int two = 2;
    value.raw = {&one, &two, &one};
    own_table table;
    const detail::bytes right = encoding::encoded(value);
    for (int again = 1; again < 3; ++again) {
      const detail::bytes made = deep(value, table).encoded();
      check::equal(made.size(), right.size());
      check::expect(std::memcmp(made.data(), right.data(), right.size()) == 0);
      check::equal(table.cleared, again);
    }
    memory_transport transport;
    write_value(transport, value, 4096, &table);
    memory_transport usual;
    write_value(usual, value, 4096);
    check::expect(transport.bytes == usual.bytes && table.cleared > 2);
    everything got;
    read_value(transport, got);
    check::expect(got.parts.back() == got.parts[got.parts.size() - 1 - std::size_t(count)]);
    for (int* each : {got.raw[0], got.raw[1]}) delete each;
  }
}

TEST(a_table_that_is_wrong_is_an_error) {
  const everything value = all_of(3);
  for (const std::uint32_t first : {0U, 1U, 77U}) {
    wrong_table table;
    table.first = first;
    check::thrown_by<encode_error>([&] { static_cast<void>(deep(value, table).encoded()); });
  }
}
