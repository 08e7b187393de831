// Serialized buffers: `as_serialized(x)` for every type that a codec can encode, `deep(x)` for
// structures that own objects through pointers. Serialization is always explicit.
//
//   comm.send(send_buf(as_serialized(map)), destination(1));
//   auto map = comm.recv(recv_buf(as_deserializable<std::map<std::string, int>>()), source(0));
// Encoding takes one block of bytes, and decoding one, beside the memory of the decoded object. A process
// keeps one block of at most 4 MiB for the next value.
// To use another codec, name it: `as_serialized<my_codec>(x)`, `as_deserializable<T, my_codec>()`.
// The folder mpiglot/serialization/ has codecs for cereal and Boost.Serialization.

#pragma once

#include <array>
#include <cstring>

#include <mpiglot/buffer.hpp>
#include <mpiglot/codec.hpp>
#include <mpiglot/detail/arguments/verdict.hpp>
#include <mpiglot/detail/base/kept_encoding.hpp>
#include <mpiglot/detail/codec/fingerprint.hpp>
#include <mpiglot/detail/codec/long_runs.hpp>
#include <mpiglot/detail/codec/piece_stream.hpp>

namespace mpiglot {

/// The requirements on a codec; see `builtin_codec`.
template <class Codec, class T>
concept codec_for = Codec::template can<T> && requires(const Codec& codec, detail::bytes& to,
                                                       const std::byte* from, T& value) {
  codec.encode(to, static_cast<const T&>(value));
  codec.decode(from, std::size_t{}, value);
};

namespace wrong_call {

template <class Codec, class T>
struct type_cannot_be_encoded_list_fields_and_rules_of_pointers;
template <class Codec, class T>
struct type_has_objects_without_default_constructor;

}  // namespace wrong_call

namespace detail {

/// Replaces the codec for a type that it cannot encode, so that the compiler reports only one
/// error. A class can list its fields, `static void fields(auto& self, auto&& visit) {
/// visit(self.a, self.b); }`, or beside it in `fields_of`; pointers and bases need a rule of
/// mpiglot/fields.hpp; views are not followed.
template <class Codec, class T>
struct codec_of_nothing {
  using verdict = std::conditional_t<
      fault_of<T>() == fault::no_default_constructor,
      wrong_call::type_has_objects_without_default_constructor<Codec, T>,
      wrong_call::type_cannot_be_encoded_list_fields_and_rules_of_pointers<Codec, T>>;
  using right = typename judged<verdict>::is_right;
  template <class>
  static constexpr bool can = true;
  static void encode(bytes&, const auto&) {}
  static void decode(const std::byte*, std::size_t, auto&) {}
};

template <class Codec, class T>
using codec_or_complaint = std::conditional_t<codec_for<Codec, std::remove_cvref_t<T>>, Codec,
                                              codec_of_nothing<Codec, std::remove_cvref_t<T>>>;

/// What a call keeps for a codec.
template <class Codec>
struct kept_for {};
template <>
struct kept_for<numbering_codec> {
  address_table* table = nullptr;
};
template <class Codec>
inline constexpr bool takes_table = std::is_same_v<Codec, numbering_codec>;
template <class Codec, class T>
void encode_by([[maybe_unused]] const kept_for<Codec>& kept, bytes& to, const T& value) {
  if constexpr (takes_table<Codec>)
    Codec{{}, kept.table}.encode(to, value);
  else
    Codec::encode(to, value);
}

}  // namespace detail

namespace detail {

/// The built-in codec as messages have it: with a table of addresses, or none, and a mark of the type before
/// the value, or none. Hash tables are not sorted, since nobody compares the bytes.
struct marking_codec : builtin_codec {
  address_table* table = nullptr;
  bool marks = false;

  template <class T>
  std::size_t encode(bytes& piece, byte_sink& to, const T& value, long_runs* left_out) const {
    return write<T>(encoder(piece, to, left_out, table), value);
  }
  template <class T>
  void encode(bytes& to, const T& value) const {
    write<T>(encoder(to, table), value);
  }
  [[nodiscard]] std::uint64_t mark_bytes() const noexcept { return marks ? sizeof(type_mark) : 0; }

 private:
  template <class T>
  std::size_t write(encoder&& by, const T& value) const {
    by.leave_tables_unsorted();
    if (marks) [[unlikely]]
      by.write_mark(fingerprint::of<T>());
    return write_by(static_cast<encoder&&>(by), value);
  }
};

/// What no codec of a program writes by chance.
inline constexpr std::array<std::byte, 16> not_encoded = [] {
  std::array<std::byte, 16> made{};
  std::uint64_t word = 0x9d1e7b3c5f60a248;
  for (std::byte& one : made) {
    one = static_cast<std::byte>(word >> 56);
    word = word * 0x9e3779b97f4a7c15 + 1;
  }
  return made;
}();

}  // namespace detail

/// A value that a codec encodes as bytes. `Value` is `X&` if it is borrowed.
template <class Value, class Codec>
struct coded {
  using describes_buffer = void;
  Value value;
  [[no_unique_address]] detail::kept_for<Codec> kept{};

  /// Returns the encoded bytes. In messages, elements of hash tables go in the order of the table.
  [[nodiscard]] detail::bytes encoded() const {
    detail::bytes made;
    detail::encode_by(kept, made, value);
    return made;
  }
};

/// Sends or receives `value` as bytes. An lvalue is borrowed. An rvalue is moved in; if it is a
/// receive buffer, it is part of the result.
template <class Codec = builtin_codec, class Value>
[[nodiscard]] coded<Value, detail::codec_or_complaint<Codec, Value>> as_serialized(Value&& value) {
  return {static_cast<Value&&>(value)};
}

/// Another name of `as_serialized`, for receive buffers.
template <class Codec = builtin_codec, class Value>
[[nodiscard]] coded<Value&, detail::codec_or_complaint<Codec, Value>> as_deserializable(
    Value& value) {
  return {value};
}

/// Receives an encoded `Value`, which is part of the result.
template <class Value, class Codec = builtin_codec>
[[nodiscard]] coded<Value, detail::codec_or_complaint<Codec, Value>> as_deserializable() {
  return {Value{}};
}

/// Sends or receives a structure with all objects that it owns through pointers.
template <class Value>
[[nodiscard]] coded<Value, detail::codec_or_complaint<builtin_codec, Value>> deep(Value&& value) {
  return {static_cast<Value&&>(value)};
}

/// The same; `table` numbers the objects that have several owners.
template <class Value>
[[nodiscard]] coded<Value, detail::codec_or_complaint<numbering_codec, Value>> deep(
    Value&& value, address_table& table) {
  return {static_cast<Value&&>(value), {&table}};
}

/// Receives a structure, which is part of the result.
template <class Value>
[[nodiscard]] coded<Value, detail::codec_or_complaint<builtin_codec, Value>> deep() {
  return {Value{}};
}

/// Empties `value` and frees all that it alone owns, however deep that is, without recursion: the
/// destructors of long chains recurse until the stack is full. Pointers become null and containers
/// empty. Follows what the built-in codec does. An object of a `std::shared_ptr` is taken apart by its
/// last owner if it was made by `new`, `std::make_shared` or `std::unique_ptr`; others are freed as
/// usual, and rings stay. Local; does not throw.
template <class Value>
  requires builtin_codec::can<Value>
void dismantle(Value& value) noexcept {
  if constexpr (detail::arena_holder<Value>)
    value = Value();
  else
    detail::empty_object(value);
}

/// The adapter of encoded values. In operations with one part for each rank, a send buffer
/// (scatterv) is a range with one element for each rank, and a receive buffer (gather) gets one
/// element from each rank.
template <class Value, class Codec, form Form, resize_policy Policy>
class buffer_adapter<coded<Value, Codec>, Form, Policy> {
  using plain = std::remove_cvref_t<Value>;

  template <class T>
  struct element_of {
    using type = T;
  };
  template <class T>
    requires requires { typename T::value_type; } && requires(T& t) {
      t.begin();
      t.size();
    }
  struct element_of<T> {
    using type = typename T::value_type;
  };
  using element = typename element_of<plain>::type;

 public:
  using is_complete = void;  // core_adapters.cpp checks it
  using wire = std::byte;
  using gathered = coded<std::vector<plain>, Codec>;
  using part = coded<element, Codec>;
  using exchanged = coded<plain, Codec>;
  using runs_apart = detail::long_runs;
  /// Whether it may be sent while it is encoded.
  static constexpr bool streams = std::is_base_of_v<builtin_codec, Codec>;
  /// True if the value is a range with one element for each rank.
  static constexpr bool has_parts = requires(plain& range) {
    range.begin();
    range.size();
  };
  static constexpr bool takes_parts =
      has_parts && (detail::fixed_array<plain> || requires(plain& range) { range.resize(0); });

  static constexpr bool fixed = false;
  static constexpr bool agreed = false;
  static constexpr bool uniform = false;
  static constexpr bool divides = true;
  static constexpr bool writable = !std::is_const_v<std::remove_reference_t<Value>>;
  static constexpr bool owning = !std::is_reference_v<Value>;
  static constexpr bool movable = true;
  static constexpr bool learns_length = true;

  explicit buffer_adapter(coded<Value, Codec>&& buffer)
      : value_(static_cast<Value&&>(buffer.value)), kept_(buffer.kept) {}

  [[nodiscard]] static constexpr bool keeps_memory() noexcept { return true; }
  /// What is sent begins with a mark of its type: communicators that check at level `normal` say so.
  void tell_type() noexcept { tells_type_ = streams; }
  void pack() {
    detail::take_kept_encoding(bytes_);
    bytes_.resize(0);
    if constexpr (streams)
      codec().encode(bytes_, static_cast<const plain&>(value_));
    else
      Codec::encode(bytes_, value_);  // here, so that compilers say less of a codec that cannot
  }
  [[nodiscard]] count_t length() const noexcept { return static_cast<count_t>(bytes_.size()); }
  [[nodiscard]] lent out() noexcept { return in(length()); }

  /// Encodes one part for each element of the value, and stores their lengths in `layout`.
  template <class Layout>
  void pack_parts(Layout& layout) {
    if (value_.size() != layout.size())
      detail::refuse_counts("a range that is scattered must have one element for each rank");
    detail::take_kept_encoding(bytes_);
    bytes_.resize(0);
    std::size_t i = 0;
    for (const element& each : value_) {
      const std::size_t before = bytes_.size();
      codec().encode(bytes_, each);
      layout.set_length(i++, static_cast<count_t>(bytes_.size() - before));
    }
  }

  /// What is sent in the place of a value that could not be encoded, where no length is told. No
  /// encoding of the built-in codec is empty.
  [[nodiscard]] static lent notice() noexcept
    requires(!streams)
  {
    return {const_cast<std::byte*>(detail::not_encoded.data()),
            static_cast<count_t>(detail::not_encoded.size()), datatype_of<std::byte>()};
  }

  [[nodiscard]] count_t room() const noexcept { return 0; }
  void place(count_t n) {
    detail::take_kept_encoding(bytes_, static_cast<std::size_t>(n));
    if constexpr (!streams)
      bytes_.resize(detail::not_encoded.size());  // MPIs write behind less room
    bytes_.resize(static_cast<std::size_t>(n));
  }
  [[nodiscard]] lent in(count_t n) noexcept { return {bytes_.data(), n, datatype_of<std::byte>()}; }
  void unpack(count_t n) {
    require_encoded(bytes_.data(), n);
    unpack_from(bytes_.data(), n);
    bytes_.resize(0);
  }
  /// Appends the encoding to memory that the adapter does not own, and decodes from such memory.
  void pack_behind(detail::bytes& to) { codec().encode(to, static_cast<const plain&>(value_)); }
  void unpack_from(const std::byte* from, count_t n) { decode<owning>(from, n, value_); }
  /// The same without long runs of elements, which travel from where they lie to where they go. What
  /// exceeds a piece is sent while it is encoded; returns the bytes of all pieces, or 0 if there is one.
  template <class Move, class First>
  std::uint64_t stream_behind(detail::bytes& to, detail::long_runs& left_out, Move move,
                              First first) {
    return detail::send_in_pieces(codec(), static_cast<const plain&>(value_), to,
                                  detail::usual_pieces, &left_out, move, first);
  }
  void unpack_from(const std::byte* from, std::size_t size, detail::long_runs& left_out) {
    if constexpr (streams)
      Codec::decode(from, size, value_, left_out, owning);
    else
      detail::refuse_bytes("the root uses another codec");
  }
  /// Decodes pieces while they arrive, of which the first lies in `memory`; only receives them if there
  /// is a failure already. Returns the bytes of all.
  template <class Move, class Failure>
  std::uint64_t unpack_pieces(Move move, int root, detail::bytes& memory,
                              detail::byte_source::view first, detail::long_runs& left_out,
                              Failure& failure) {
    detail::piece_source<Move> source(move, root, memory,
                                      {first.size, detail::usual_pieces.others});
    if (!failure.any())
      failure.attempt([&] {
        if constexpr (streams)
          Codec::decode(source, value_, first, &left_out, owning);
        else
          detail::refuse_bytes("the root uses another codec");
      });
    failure.attempt([&] { source.end(); });
    return source.size();
  }
  /// Empties what was decoded, because the runs do not arrive.
  void empty() noexcept {
    if constexpr (streams) dismantle(value_);
  }
  template <class Layout>
  void unpack_parts(const Layout& layout) {
    if constexpr (!detail::fixed_array<plain>)
      value_.resize(layout.size());
    else if (value_.size() != layout.size())
      detail::refuse_counts("an array that is gathered must have one element for each rank");
    std::size_t i = 0;
    for (auto&& each : value_) {
      if (!detail::none_sent(layout, i)) unpack_part(each, layout, i);
      ++i;
    }
  }

  [[nodiscard]] Value take() { return static_cast<Value&&>(value_); }

 private:
  [[nodiscard]] auto codec() const noexcept {
    if constexpr (detail::takes_table<Codec>)
      return detail::marking_codec{{}, kept_.table, tells_type_};
    else if constexpr (streams)
      return detail::marking_codec{{}, nullptr, tells_type_};
    else
      return Codec{};
  }
  template <bool Moves, class T>
  static void decode(const std::byte* from, count_t n, T& value) {
    if constexpr (Moves && requires { Codec::decode_and_move(from, std::size_t{}, value); })
      Codec::decode_and_move(from, static_cast<std::size_t>(n), value);
    else
      Codec::decode(from, static_cast<std::size_t>(n), value);
  }
  static void require_encoded([[maybe_unused]] const std::byte* from, [[maybe_unused]] count_t n) {
    if constexpr (!streams)
      if (n == static_cast<count_t>(detail::not_encoded.size()) &&
          std::memcmp(from, detail::not_encoded.data(), detail::not_encoded.size()) == 0)
          [[unlikely]]
        detail::refuse_bytes("the sender could not encode its value");
  }
  template <class Each, class Layout>
  void unpack_part(Each& each, const Layout& layout, std::size_t i) {
    if constexpr (__is_same(Each, element)) {
      decode<owning && detail::fixed_array<plain>>(bytes_.data() + layout.displacement(i),
                                                   layout.length(i), each);
    } else {  // an element of a std::vector<bool>
      element whole{};
      unpack_part(whole, layout, i);
      each = whole;
    }
  }

  Value value_;
  [[no_unique_address]] detail::kept_for<Codec> kept_;
  detail::kept_bytes bytes_;
  bool tells_type_ = false;
};

}  // namespace mpiglot
