// Programs for MEL: hooks of classes and beside them, on the codec of this library.

#include <algorithm>
#include <cstring>
#include <new>
#include <random>
#include <sstream>

#include "../cpp/check.hpp"
#include "encoding.hpp"
#include "mel_classes.hpp"

using namespace mpiglot;
using namespace encoding;
using namespace mel_classes;

namespace {

// Through the bytes of one message; `back` is what arrives.
template <class T>
void through(T& sent, T& back) {
  const detail::bytes bytes = encoded(sent);
  decode_once(bytes, back);
  T other;
  decode_through_windows(bytes, other);
  check::equal(encoded(other).size(), bytes.size());
  dismantle(other);
}
// Refused or read, through windows (of some) as from memory; nothing is left behind.
template <class T>
bool is_refused(const detail::bytes& wrong) {
  static int calls = 0;
  const auto by = [&](auto read) {
    const std::int64_t before = counted::alive;
    bool refused = false;
    {
      T back;
      try {
        read(back);
        static_cast<void>(encoded(back));
      } catch (const decode_error&) {
        refused = true;
      } catch (const encode_error&) {  // a footprint is not checked
      }
      dismantle(back);
    }
    check::equal(counted::alive, before);
    return refused;
  };
  const bool refused = by([&](T& back) { decode_once(wrong, back); });
  if (++calls % 8 == 0)
    check::equal(by([&](T& back) { decode_through_windows(wrong, back); }), refused);
  return refused;
}
// Changes at random places, and all of some kinds.
template <class T>
void expect_changes_are_harmless(const detail::bytes& right, unsigned seed, int rounds) {
  std::mt19937 random(seed);
  int refused = 0;
  for (int round = 0; round < rounds; ++round)
    refused += is_refused<T>(with_changed_bytes(right, random)) ? 1 : 0;
  check::expect(refused > 0 && refused < rounds, "the changes tell nothing");
  detail::bytes wrong;
  wrong.append(right.data(), right.size());
  for (std::size_t i = 0; i < right.size(); ++i)
    for (const unsigned change : {1u, 0x10u, 0x40u, 0x80u, 0xffu}) {
      wrong[i] = right[i] ^ static_cast<std::byte>(change);
      static_cast<void>(is_refused<T>(wrong));
      wrong[i] = right[i];
    }
}
template <class T>
void expect_truncations_are_refused(const detail::bytes& bytes) {
  T back;
  const std::int64_t before = counted::alive;
  for (std::size_t i = 0; i < 100; ++i) {
    check::thrown_by<decode_error>(
        [&] { builtin_codec::decode(bytes.data(), bytes.size() * i / 100, back); });
    check::equal(counted::alive, before);
  }
}

// Chains: one owner of each object, or several.
template <bool Shared>
struct chain : counted {
  std::int64_t value = 0;
  chain* next = nullptr;
  template <class MSG>
  void DeepCopy(MSG& msg) {
    if constexpr (Shared)
      msg.packSharedPtr(next);
    else
      msg.packPtr(next);
  }
};
template <bool Shared>
void expect_long_chain(std::int64_t length) {
  const std::int64_t before = counted::alive;
  {
    chain<Shared> sent, back;
    for (std::int64_t i = 0; i < length; ++i) {
      auto* const made = MEL::MemConstruct<chain<Shared>>();
      made->value = i;
      made->next = sent.next;
      sent.next = made;
    }
    const detail::bytes bytes = encoded(sent);
    decode_once(bytes, back);
    check::equal(counted::alive, before + 2 * length + 2);
    std::int64_t at = length;
    for (auto* each = back.next; each != nullptr; each = each->next)
      check::equal(each->value, --at);
    check::equal(at, std::int64_t{0});
    dismantle(back);
    check::equal(counted::alive, before + length + 2);
    check::thrown_by<decode_error>(
        [&] { builtin_codec::decode(bytes.data(), bytes.size() - 1, back); });
    check::expect(back.next == nullptr);
    dismantle(sent);
  }
  check::equal(counted::alive, before);
}

struct base_with_hook {
  int n = 0;
  int* numbers = nullptr;
  template <class MSG>
  void DeepCopy(MSG& msg) const {
    msg.packPtr(const_cast<base_with_hook*>(this)->numbers, n);
  }
};
struct derived_from_it : base_with_hook {
  int more = 5;
};
struct with_virtual {
  virtual ~with_virtual() = default;
  int* p = nullptr;
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg.packPtr(p);
  }
};
static_assert(!builtin_codec::can<with_virtual>);

// A hook that does what it is told.
struct obedient : counted {
  int what = 0;
  int n = 1;
  row* one = nullptr;
  row* two = nullptr;
  std::vector<row*> many;
  std::vector<row> last;
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg.packPtr(one, what == 1 ? -1 : n);
    if (what == 2) msg.packPtr(one);
    msg.packSharedPtr(two);
    row* beside = nullptr;
    if (what == 3) msg.packPtr(beside);
    msg & many;
    for (auto& each : many)
      if (what != 4 || each == many[0]) msg.packPtr(each);
    if (what == 5) msg.packPtr(many[0]);
    if (what == 6) try {
        msg.packPtr(beside);
      } catch (...) {
      }
    if (what == 7 && throws) throw std::runtime_error("of the hook");
    msg & last;
    if (what == 8 && throws) throw std::runtime_error("of the hook");
  }
  static inline bool throws = true;
};
void fill(obedient& x) {
  x.one = new_row(1);
  x.two = new_row(2);
  x.many = {new_row(3), nullptr, new_row(4)};
  x.last.resize(2);
  fill_row(x.last[1], 5);
}

// A hook that packs something else when it reads.
struct unfaithful {
  static inline const char* packs = "";
  int* a = nullptr;
  int* b = nullptr;
  std::vector<int> c;
  template <class MSG>
  void DeepCopy(MSG& msg) {
    for (const char* each = packs; *each != '\0'; ++each) {
      if (*each == 'a') msg.packPtr(a);
      if (*each == 'b') msg.packPtr(b);
      if (*each == 'c') msg & c;
    }
  }
};

// Its constructor throws when it is told to.
struct fragile : counted {
  static inline int made_before_it_throws = -1;
  fragile* next = nullptr;
  fragile* array = nullptr;
  int n = 0;
  std::vector<fragile> inside;
  fragile() {
    if (made_before_it_throws >= 0 && made_before_it_throws-- == 0) throw std::bad_alloc();
  }
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg.packSharedPtr(next);
    msg.packPtr(array, n);
    msg & inside;
  }
};

// An object and its first member, which have one address.
struct outer_class {
  row inside;
  int pad[100] = {};
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg & inside;
  }
};
struct two_views {
  row* part = nullptr;
  outer_class* all = nullptr;
  int* few = nullptr;
  int* lot = nullptr;
  int n = 1;
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg.packSharedPtr(part);
    msg.packSharedPtr(all);
    msg.packSharedPtr(few, 1);
    msg.packSharedPtr(lot, n);
  }
};

// Hooks beside classes.
struct outside {
  std::vector<int> numbers;
};
template <class MSG>
void outside_DeepCopy(outside& object, MSG& msg) {
  msg & object.numbers;
}
struct holds_outside {
  std::list<outside> all;
  outside one;
  outside* pointer = nullptr;
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg.template packSTL<outside, outside_DeepCopy>(all);
    msg.template packVar<outside, outside_DeepCopy>(one);
    msg.template packPtr<outside, outside_DeepCopy>(pointer);
  }
};
}  // namespace

TEST(each_call_of_a_hook_brings_its_member) {
  const std::int64_t before = counted::alive;
  {
    everything sent, back;
    fill(sent);
    through(sent, back);
    check::expect(is_filled(sent) && is_filled(back));
    check::expect(back.shared != sent.shared && back.text != sent.text);
    dismantle(sent);
    dismantle(back);
    check::expect(back.text == nullptr && back.listed.empty() && back.fixed[1] == nullptr);
  }
  check::equal(counted::alive, before);
}

TEST(graphs_have_the_same_shape_behind_each_pointer) {
  const std::int64_t before = counted::alive;
  for (int kind = 0; kind < 4; ++kind) {
    graph* sent = make_graph(kind, 60);
    graph* back = nullptr;
    std::stringstream file;
    MEL::Deep::FileWrite(sent, file);
    MEL::Deep::BufferedFileRead(back, file);
    check::expect(shape_of(sent) == shape_of(back));
    destroy(sent);
    destroy(back);
  }
  check::equal(counted::alive, before);
}

TEST(scenes_are_freed_by_their_destructors) {
  const std::int64_t before = counted::alive;
  scene* sent = make_scene();
  const std::int64_t one = counted::alive - before;
  scene* back = nullptr;
  for (int twice = 0; twice < 2; ++twice) {
    std::stringstream file;
    MEL::Deep::BufferedFileWrite(sent, file, 100);
    MEL::Deep::FileRead(back, file);
    check::expect(same(sent->root, back->root) && back->camera.z == 3 &&
                  back->materials == sent->materials && back->mesh.size() == 40);
    check::equal(counted::alive, before + 2 * one);
    delete back;
  }
  scene target;
  target.root = make_tree(0, 3);
  target.materials.assign(1000, 1);
  through(*sent, target);  // which frees what was there
  check::equal(counted::alive, before + 2 * one);
  MEL::MemDestruct(target.root);
  MEL::MemDestruct(sent);
  check::equal(counted::alive, before);
}

TEST(long_chains_of_hooks_need_no_stack) {
  expect_long_chain<false>(1000000);
  expect_long_chain<true>(1000000);
}

TEST(truncated_objects_of_hooks_are_refused) {
  everything sent;
  fill(sent);
  expect_truncations_are_refused<everything>(encoded(sent));
  scene* scenery = make_scene();
  expect_truncations_are_refused<scene>(encoded(*scenery));
  MEL::MemDestruct(scenery);
  dismantle(sent);
}

TEST(changed_objects_of_hooks_are_refused_or_read) {
  everything sent;
  fill(sent);
  expect_changes_are_harmless<everything>(encoded(sent), 3, 3000);
  scene* const scenery = make_scene();
  expect_changes_are_harmless<scene>(encoded(*scenery), 4, 1000);
  delete scenery;
  graph* const nodes = make_graph(2, 20);
  expect_changes_are_harmless<graph>(encoded(*nodes), 5, 2000);
  destroy(nodes);
  dismantle(sent);
}

TEST(wrong_hooks_are_errors) {
  const std::int64_t before = counted::alive;
  for (int what = 0; what < 9; ++what) {
    obedient sent, back;
    fill(sent);
    obedient::throws = false;
    sent.what = what;
    const std::int64_t filled = counted::alive;
    if (what == 0 || what > 6) {
      const detail::bytes bytes = encoded(sent);
      obedient::throws = true;
      if (what == 0) {
        decode_once(bytes, back);
        check::expect(back.many[2]->len == 4 && back.two->len == 2);
      } else {
        check::thrown_by<std::runtime_error>([&] { decode_once(bytes, back); });
        check::equal(counted::alive, filled);
        check::thrown_by<std::runtime_error>([&] { static_cast<void>(encoded(sent)); });
        check::expect(back.many.empty() && back.last.empty() && back.one == nullptr);
      }
    } else {
      check::thrown_by<encode_error>([&] { static_cast<void>(encoded(sent)); });
    }
    obedient::throws = false;
    sent.what = back.what = 0;
    dismantle(sent);
    dismantle(back);
  }
  check::equal(counted::alive, before);
}

TEST(both_sides_pack_the_same_members) {
  const unfaithful sent;
  for (const char* sender : {"abc", "cba", "ab", "b", ""})
    for (const char* receiver : {"abc", "bca", "ab", "bb", "bba", "aba", "a", "c", ""}) {
      unfaithful::packs = sender;
      const detail::bytes bytes = encoded(sent);
      unfaithful::packs = receiver;
      unfaithful back;
      std::string wanted = sender, found = receiver;
      std::sort(wanted.begin(), wanted.end());
      std::sort(found.begin(), found.end());
      if (wanted == found)
        decode_once(bytes, back);
      else
        check::thrown_by<decode_error>([&] { decode_once(bytes, back); });
      check::expect(back.a == nullptr && back.b == nullptr && back.c.empty());
    }
}

TEST(a_constructor_that_throws_leaves_nothing_behind) {
  const std::int64_t before = counted::alive;
  {
    fragile sent, back;
    sent.n = 4;
    sent.array = MEL::MemAlloc<fragile>(4, fragile());
    sent.array[2].next = sent.next = new fragile;
    sent.next->next = sent.next;
    sent.inside.resize(2);
    const detail::bytes bytes = encoded(sent);
    const std::int64_t one = counted::alive;
    for (int i = 1; i < 8; ++i) {  // the first one is the target itself
      fragile::made_before_it_throws = i;
      check::thrown_by<std::bad_alloc>([&] { decode_once(bytes, back); });
      check::expect(counted::alive == one && back.array == nullptr && back.next == nullptr);
    }
    fragile::made_before_it_throws = 8;
    decode_once(bytes, back);
    fragile::made_before_it_throws = -1;
    check::expect(back.array[2].next == back.next && back.next->next == back.next);
    dismantle(back);
    dismantle(sent);
  }
  check::equal(counted::alive, before);
}

TEST(a_pointer_to_the_root_is_one_again) {
  graph sent, back;
  sent.value = 3;
  sent.edges = {&sent, nullptr, &sent};
  std::stringstream file;
  MEL::Deep::FileWrite(sent, file);
  MEL::Deep::FileRead(back, file);
  check::expect(back.value == 3 && back.edges[0] == &back && back.edges[1] == nullptr);
  check::expect(back.edges[2] == &back);
}

TEST(pointers_lead_back_to_a_value_that_is_no_root_of_mel) {
  const std::int64_t before = counted::alive;
  graph sent, back;
  sent.value = 3;
  sent.edges = {&sent, MEL::MemConstruct<graph>()};
  sent.edges[1]->edges = {&sent};
  decode_once(encoded(sent), back);
  check::expect(back.value == 3 && back.edges[0] == &back && back.edges[1]->edges[0] == &back);
  check::equal(counted::alive, before + 4);
  dismantle(sent);
  dismantle(back);
  check::equal(counted::alive, before + 2);
}

TEST(a_file_that_has_changed_or_has_another_type_is_refused) {
  graph* sent = make_graph(1, 20);
  std::ostringstream file;
  MEL::Deep::FileWrite(sent, file);
  const std::string right = file.str();
  const std::int64_t before = counted::alive;
  for (std::size_t i = 0; i < 200; ++i) {
    std::string wrong = right;
    char& byte = wrong[right.size() * i / 200];
    byte = static_cast<char>(byte ^ 1 << i % 8);
    std::istringstream changed(wrong), ends(right.substr(0, right.size() * i / 200));
    graph* back = nullptr;
    check::thrown_by<checkpoint_error>([&] { MEL::Deep::FileRead(back, changed); });
    check::thrown_by<checkpoint_error>([&] { MEL::Deep::FileRead(back, ends); });
    check::expect(back == nullptr);
  }
  std::istringstream other(right);
  scene* wrong = nullptr;
  check::thrown_by<checkpoint_error>([&] { MEL::Deep::FileRead(wrong, other); });
  check::equal(counted::alive, before);
  destroy(sent);
}

TEST(the_type_and_the_length_tell_shared_objects_apart) {
  outer_class whole;
  fill_row(whole.inside, 2);
  whole.pad[99] = 7;
  int numbers[8] = {5};
  two_views sent, back;
  sent.part = &whole.inside;
  sent.all = &whole;
  sent.few = sent.lot = numbers;
  through(sent, back);
  check::expect(back.all->pad[99] == 7 && back.part->len == 2 && back.few == back.lot);
  dismantle(back);
  detail::bytes wrong = encoded(sent);
  const int more = 2;
  const auto at = reinterpret_cast<const std::byte*>(&sent.n) -
                  reinterpret_cast<const std::byte*>(&sent) + std::ptrdiff_t{4};
  std::memcpy(wrong.data() + at, &more, sizeof more);
  check::thrown_by<decode_error>([&] { decode_once(wrong, back); });
  check::expect(back.lot == nullptr && back.all == nullptr);
  sent.n = 8;
  check::thrown_by<encode_error>([&] { static_cast<void>(encoded(sent)); });
  MEL::MemFree(whole.inside.array);
}

TEST(hooks_are_found_in_bases_and_beside_classes) {
  derived_from_it sent, back;
  sent.n = 3;
  sent.numbers = MEL::MemAlloc<int>(3, 8);
  sent.more = 6;
  through(sent, back);
  check::expect(back.more == 6 && back.numbers != sent.numbers && back.numbers[2] == 8);
  MEL::MemFree(sent.numbers, back.numbers);

  holds_outside many, arrived;
  many.all = {{{1, 2}}, {{}}};
  many.one.numbers = {3};
  outside pointed{{4}};
  many.pointer = &pointed;
  through(many, arrived);
  check::expect(arrived.all.front().numbers[1] == 2 && arrived.one.numbers[0] == 3);
  check::equal(arrived.pointer->numbers[0], 4);
  dismantle(arrived);
  std::stringstream file;
  std::vector<outside> list = {{{1}}, {{2, 3}}}, read;
  MEL::Deep::FileWrite<outside, MEL::Deep::PointerHashMap, outside_DeepCopy>(list, file);
  MEL::Deep::FileRead<outside, MEL::Deep::PointerHashMap, outside_DeepCopy>(read, file);
  check::equal(read[1].numbers[1], 3);
}

TEST(lengths_are_variables_or_are_checked) {
  int n = 5;
  row* rows = make_rows(n);
  std::stringstream file;
  for (int i = 0; i < 2; ++i) MEL::Deep::FileWrite(rows, n, file);
  int arrived = 0;
  row* back = nullptr;
  MEL::Deep::FileRead(back, arrived, file);
  check::expect(arrived == 5 && are_rows(back, 5));
  free_rows(back, 5);
  check::thrown_by<count_error>([&] { MEL::Deep::FileRead(back, 4, file); });
  check::expect(back == nullptr);
  check::thrown_by<decode_error>([&] { MEL::Deep::FileRead(back, arrived, file); });
  static_assert(sizeof(MEL::Deep::BufferSize(rows, n)) == 8);
  check::expect(MEL::Deep::BufferSize(rows, n) > MEL::Deep::BufferSize(rows));
  free_rows(rows, 5);
  std::vector<row> none, nothing(3);
  std::stringstream empty;
  MEL::Deep::FileWrite(none, empty);
  MEL::Deep::FileRead(nothing, empty);
  check::expect(nothing.empty());
}
