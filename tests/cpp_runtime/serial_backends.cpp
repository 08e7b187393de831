// Codecs of other libraries, and one that a program brings itself.

#include <boost/serialization/export.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/unique_ptr.hpp>
#include <boost/serialization/unordered_map.hpp>
#include <boost/serialization/vector.hpp>
#include <cereal/archives/binary.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/polymorphic.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <mpiglot/at_most.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/serialization/boost.hpp>
#include <mpiglot/serialization/cereal.hpp>

#include <sstream>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

struct pet {
  std::string name;
  std::map<std::string, std::vector<double>> weights;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, weights);
  }
  bool operator==(const pet&) const = default;
};

pet pet_of(int seed) {
  return {"pet " + std::to_string(seed), {{"kg", {seed + 0.5, 2}}, {"none", {}}}};
}

struct shape {
  virtual ~shape() = default;
  [[nodiscard]] virtual double area() const = 0;
};

struct square : shape {
  explicit square(double its_side = 0) : side(its_side) {}
  [[nodiscard]] double area() const override { return side * side; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(side);
  }
  double side;
};

}  // namespace

CEREAL_REGISTER_TYPE_WITH_NAME(square, "square")
CEREAL_REGISTER_POLYMORPHIC_RELATION(shape, square)

namespace {

// Known to Boost.
struct sound {
  virtual ~sound() = default;
  [[nodiscard]] virtual int pitch() const = 0;
};
struct bark : sound {
  [[nodiscard]] int pitch() const override { return low; }
  int low = 0;
};
struct silence {
  bool operator==(const silence&) const = default;
};

// What the largest request for memory was.
template <class T>
struct watched {
  using value_type = T;
  static inline std::size_t most = 0;
  watched() = default;
  template <class Other>
  watched(const watched<Other>&) {}
  T* allocate(std::size_t n) {
    if (n > most) most = n;
    if (n > 1000000) throw std::bad_alloc();
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* memory, std::size_t n) { std::allocator<T>().deallocate(memory, n); }
  bool operator==(const watched&) const = default;
};

}  // namespace

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, pet& value, unsigned) {
  archive & value.name & value.weights;
}
template <class Archive>
void serialize(Archive&, sound&, unsigned) {}
template <class Archive>
void serialize(Archive& archive, bark& value, unsigned) {
  archive& base_object<sound>(value);
  archive & value.low;
}
template <class Archive>
void serialize(Archive&, silence&, unsigned) {}

}  // namespace boost::serialization

BOOST_CLASS_EXPORT(bark)

namespace {

// Ten lines make a codec: numbers as text.
struct text_codec {
  template <class T>
  static constexpr bool can = std::is_same_v<T, int>;

  static void encode(detail::bytes& to, int value) {
    const std::string text = std::to_string(value);
    to.append(reinterpret_cast<const std::byte*>(text.data()), text.size());
  }
  static void decode(const std::byte* from, std::size_t size, int& value) {
    const std::string text(reinterpret_cast<const char*>(from), size);
    if (text.find_first_not_of("0123456789") != text.npos) throw decode_error("not a number");
    value = std::stoi(text);
  }
};

template <class Codec>
detail::bytes encoded(const pet& value) {
  detail::bytes bytes;
  Codec::encode(bytes, value);
  return bytes;
}

// Around the ring, by value and into a variable, and to everybody.
template <class Codec>
void travels() {
  const communicator comm;
  const int to = (comm.rank() + 1) % comm.size();
  const int from = (comm.rank() + comm.size() - 1) % comm.size();
  auto sent = comm.isend(send_buf(as_serialized<Codec>(pet_of(comm.rank()))), destination(to));
  check::equal(comm.recv(recv_buf(as_deserializable<pet, Codec>()), source(from)), pet_of(from));
  sent.wait();

  pet own = pet_of(comm.rank());
  comm.bcast(send_recv_buf(as_serialized<Codec>(own)));
  check::equal(own, pet_of(0));
  own = pet_of(comm.rank());
  comm.ibcast(send_recv_buf(at_most(4000, as_serialized<Codec>(own)))).wait();
  check::equal(own, pet_of(0));

  const auto all = comm.allgatherv(send_buf(as_serialized<Codec>(pet_of(comm.rank()))));
  for (int rank = 0; rank < comm.size(); ++rank)
    check::equal(all[static_cast<std::size_t>(rank)], pet_of(rank));
}

// Text may lack its last characters and still be understood.
template <class Codec>
void refuses_truncated_messages(double some_of = 1) {
  const detail::bytes right = encoded<Codec>(pet_of(1));
  const auto end = static_cast<std::size_t>(some_of * static_cast<double>(right.size()));
  for (std::size_t size = 0; size < end; ++size) {
    detail::bytes some(size);
    if (size != 0) std::memcpy(some.data(), right.data(), size);
    pet value;
    check::thrown_by<decode_error>([&] { Codec::decode(some.data(), size, value); });
  }
}

}  // namespace

TEST(cereal_binary_travels) { travels<serialization::cereal_binary>(); }
TEST(cereal_portable_travels) { travels<serialization::cereal_portable>(); }
TEST(cereal_json_travels) { travels<serialization::cereal_json>(); }
TEST(cereal_xml_travels) { travels<serialization::cereal_xml>(); }
TEST(boost_binary_travels) { travels<serialization::boost_binary>(); }
TEST(boost_text_travels) { travels<serialization::boost_text>(); }

TEST(truncated_archives_are_decode_errors) {
  refuses_truncated_messages<serialization::cereal_binary>();
  refuses_truncated_messages<serialization::cereal_portable>();
  refuses_truncated_messages<serialization::cereal_json>(0.9);
  refuses_truncated_messages<serialization::cereal_xml>(0.9);
  refuses_truncated_messages<serialization::boost_binary>();
}

TEST(bytes_after_the_end_of_a_binary_archive_are_a_decode_error) {
  detail::bytes bytes = encoded<serialization::cereal_binary>(pet_of(1));
  const std::byte more{};
  bytes.append(&more, 1);
  pet value;
  check::thrown_by<decode_error>(
      [&] { serialization::cereal_binary::decode(bytes.data(), bytes.size(), value); });
}

// Twenty gigabytes from twenty bytes, in cereal's own archives.
template <class Codec>
static void believes_no_length() {
  for (const std::size_t lie : {std::size_t{2500}, std::size_t{1} << 31, std::size_t{1} << 60}) {
    detail::bytes bytes;
    Codec::encode(bytes, std::vector<double>(2, 1.5));
    const std::size_t at = bytes.size() - 2 * sizeof(double) - sizeof lie;
    std::memcpy(bytes.data() + at, &lie, sizeof lie);
    std::vector<double> value;
    check::thrown_by<decode_error>([&] { Codec::decode(bytes.data(), bytes.size(), value); });
    check::expect(value.capacity() < 2000);
    bytes.resize(at + sizeof lie);
    std::string text;
    check::thrown_by<decode_error>([&] { Codec::decode(bytes.data(), bytes.size(), text); });
    check::expect(text.capacity() < 2000);
  }
}
TEST(cereal_binary_believes_no_length) { believes_no_length<serialization::cereal_binary>(); }
TEST(cereal_portable_believes_no_length) { believes_no_length<serialization::cereal_portable>(); }

TEST(a_program_limits_containers_of_cereal) {
  using codec = serialization::cereal_binary;
  detail::bytes bytes;
  codec::encode(bytes, std::vector<int>(100));
  std::vector<int> value;
  serialization::longest_container = 99;
  check::thrown_by<decode_error>([&] { codec::decode(bytes.data(), bytes.size(), value); });
  serialization::longest_container = static_cast<std::size_t>(-1);
  codec::decode(bytes.data(), bytes.size(), value);
  check::equal(value.size(), std::size_t{100});
}

// One flipped bit of Boost's own binary archive asked for 5.8e17 bytes.
template <class Codec>
static void survives_flipped_bits() {
  using numbers = std::vector<double, watched<double>>;
  std::map<std::string, numbers> right;
  for (int i = 0; i < 6; ++i)
    right["a name of " + std::to_string(i)] = numbers(static_cast<std::size_t>(5 * i), i);
  detail::bytes bytes;
  Codec::encode(bytes, right);
  int refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] ^= std::byte{1} << bit;
      watched<double>::most = 0;
      std::map<std::string, numbers> value;
      try {
        Codec::decode(bytes.data(), bytes.size(), value);
      } catch (const decode_error&) {
        ++refused;
      }
      check::expect(watched<double>::most <= 2 * (bytes.size() + 1024), "a length was believed");
      bytes[i] ^= std::byte{1} << bit;
    }
  }
  check::expect(refused > 0);
}
TEST(boost_binary_survives_flipped_bits) { survives_flipped_bits<serialization::boost_binary>(); }
TEST(boost_text_survives_flipped_bits) { survives_flipped_bits<serialization::boost_text>(); }

TEST(boost_believes_no_length_of_a_text) {
  for (const std::size_t lie : {std::size_t{9}, std::size_t{2500}, std::size_t{1} << 31,
                                std::size_t{1} << 60, ~std::size_t{0}}) {
    detail::bytes bytes;
    serialization::boost_binary::encode(bytes, std::string("one text"));
    std::memcpy(bytes.data() + bytes.size() - 8 - sizeof lie, &lie, sizeof lie);
    std::string value;
    check::thrown_by<decode_error>(
        [&] { serialization::boost_binary::decode(bytes.data(), bytes.size(), value); });
    check::expect(value.capacity() < 2000);
    const std::string text = std::to_string(lie) + " one text";
    check::thrown_by<decode_error>([&] {
      serialization::boost_text::decode(reinterpret_cast<const std::byte*>(text.data()),
                                        text.size(), value);
    });
    check::expect(value.capacity() < 2000);
  }
}

template <class Codec, class T>
static T through(const T& value) {
  detail::bytes bytes;
  Codec::encode(bytes, value);
  T back;
  Codec::decode(bytes.data(), bytes.size(), back);
  return back;
}
template <class Codec>
static void boost_reads_what_it_writes() {
  const auto comes_back = [](const auto& value) { check::equal(through<Codec>(value), value); };
  comes_back(std::string());
  comes_back(std::string("a b\n\0c", 6));
  comes_back(std::wstring(L"wide \u20ac"));
  comes_back(std::vector<int>());
  comes_back(std::vector<double>(3000, 0.5));
  comes_back(std::vector<bool>{true, false});
  comes_back(std::vector<silence>(300));
  comes_back(std::map<std::string, std::vector<std::string>>{{"a", {"", "b c"}}, {"", {}}});
  std::unordered_map<int, int> many_buckets = {{1, 2}};
  comes_back(many_buckets);
  many_buckets.reserve(100000);
  comes_back(many_buckets);
  std::unique_ptr<sound> dog = std::make_unique<bark>();
  static_cast<bark&>(*dog).low = 40;
  check::equal(through<Codec>(dog)->pitch(), 40);
}
TEST(boost_binary_reads_what_it_writes) {
  boost_reads_what_it_writes<serialization::boost_binary>();
}
TEST(boost_text_reads_what_it_writes) { boost_reads_what_it_writes<serialization::boost_text>(); }

TEST(what_cereals_own_archives_write_is_read) {
  std::stringbuf text;
  std::ostream stream(&text);
  cereal::BinaryOutputArchive archive(stream);
  archive(pet_of(4));
  const std::string bytes = text.str();
  pet value;
  serialization::cereal_binary::decode(reinterpret_cast<const std::byte*>(bytes.data()),
                                       bytes.size(), value);
  check::equal(value, pet_of(4));
}

TEST(a_class_that_cereal_does_not_know_is_refused_at_compile_time) {
  struct unknown {
    std::string text;
  };
  static_assert(serialization::cereal_binary::can<pet>);
  static_assert(!serialization::cereal_binary::can<unknown>);
}

TEST(cereal_carries_unique_pointers) {
  const communicator comm;
  auto sent = comm.isend(
      send_buf(as_serialized<serialization::cereal_binary>(std::make_unique<pet>(pet_of(3)))),
      destination(comm.rank()));
  const auto back =
      comm.recv(recv_buf(as_deserializable<std::unique_ptr<pet>, serialization::cereal_binary>()),
                source(comm.rank()));
  check::equal(*back, pet_of(3));
  sent.wait();
}

TEST(cereal_carries_objects_behind_pointers_to_their_base) {
  const communicator comm;
  std::vector<std::unique_ptr<shape>> shapes;
  if (comm.rank() == 0) shapes.push_back(std::make_unique<square>(3));
  static_assert(!builtin_codec::can<decltype(shapes)>);
  comm.bcast(send_recv_buf(as_serialized<serialization::cereal_binary>(shapes)));
  check::expect(shapes.size() == 1 && shapes[0]->area() == 9);
}

// A receiver that reads with another codec than the sender wrote with is told.
TEST(what_another_codec_wrote_is_a_decode_error) {
  const auto refused = [](auto writer, auto reader) {
    const detail::bytes bytes = encoded<decltype(writer)>(pet_of(1));
    pet value;
    check::thrown_by<decode_error>(
        [&] { decltype(reader)::decode(bytes.data(), bytes.size(), value); });
  };
  using namespace serialization;
  refused(cereal_binary(), cereal_json());
  refused(cereal_binary(), cereal_xml());
  refused(cereal_json(), cereal_xml());
  refused(cereal_json(), cereal_binary());
  refused(cereal_json(), boost_text());
  refused(cereal_xml(), cereal_json());
  refused(boost_text(), cereal_json());
  const detail::bytes json = encoded<cereal_json>(pet_of(1));
  std::map<std::string, std::vector<double>> words;
  check::thrown_by<decode_error>([&] { builtin_codec::decode(json.data(), json.size(), words); });
}

// Of a class that only one codec of the program knows.
TEST(every_collective_takes_a_codec) {
  const communicator comm;
  using codec = serialization::cereal_binary;
  const auto size = static_cast<std::size_t>(comm.size());
  std::vector<pet> mine;
  for (int to = 0; to < comm.size(); ++to) mine.push_back(pet_of(10 * comm.rank() + to));
  const auto from_each = [&](int to) {
    std::vector<pet> all;
    for (int from = 0; from < comm.size(); ++from) all.push_back(pet_of(10 * from + to));
    return all;
  };
  check::equal(comm.alltoall(send_buf(as_serialized<codec>(mine))), from_each(comm.rank()));
  const auto gathered = comm.gather(send_buf(as_serialized<codec>(mine[0])));
  check::equal(gathered.size(), comm.rank() == 0 ? size : 0);
  check::equal(comm.scatter(send_buf(as_serialized<codec>(mine))), pet_of(comm.rank()));
  const auto all =
      comm.iallgather(send_buf(at_most(4000, as_serialized<codec>(std::as_const(mine[0]))))).wait();
  check::equal(all, from_each(0));
}

TEST(a_codec_of_the_program_travels) {
  const communicator comm;
  auto sent = comm.isend(send_buf(as_serialized<text_codec>(4711)), destination(comm.rank()));
  check::equal(comm.recv(recv_buf(as_deserializable<int, text_codec>()), source(comm.rank())),
               4711);
  sent.wait();
  auto wrong = comm.isend(send_buf(std::string("no")), destination(comm.rank()));
  check::thrown_by<decode_error>([&] {
    static_cast<void>(
        comm.recv(recv_buf(as_deserializable<int, text_codec>()), source(comm.rank())));
  });
  wrong.wait();
}
