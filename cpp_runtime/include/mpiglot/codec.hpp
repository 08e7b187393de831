// The codec of `as_serialized` and `deep`. It encodes trivially copyable types, standard
// containers, owning pointers, and classes that list their fields. It recognises containers by
// their members and includes none of their headers.
//
//   struct node {
//     int value;
//     std::vector<std::unique_ptr<node>> children;
//     static void fields(auto& self, auto&& visit) { visit(self.value, self.children); }
//   };
// The encoding uses the byte order and the representations of this architecture. A trivially
// copyable class is encoded as the bytes of its memory, and its contents are not checked. A class
// that has a bool or a pointer should therefore list its fields.

#pragma once

#include <cstdint>
#include <cstring>

#include <mpiglot/detail/codec/encode_error.hpp>
#include <mpiglot/detail/codec/sharing.hpp>
#include <mpiglot/detail/codec/type_categories.hpp>
#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot {

namespace wrong_call {

template <class Class, class Field>
struct field_cannot_be_encoded_or_decoded {};

}  // namespace wrong_call

namespace detail {

/// A class may contain itself, so its fields are looked at when code is generated for them. This
/// has no definition, and the compiler that generates a call says so.
template <class Mistake>
[[gnu::error("mpiglot: the codec cannot encode and decode a field")]] void refuse_field();
/// Not inlined, since g++ prints all functions that the call was inlined into.
template <class Class, class Field>
[[gnu::cold, gnu::noinline]] void refuse_field_of() {
  refuse_field<wrong_call::field_cannot_be_encoded_or_decoded<Class, Field>>();
}

/// A length below this number is encoded in one byte. A larger one is encoded in 2, 4 or 8 bytes,
/// the lowest byte first, after a byte that is this number plus 1, 2 or 3. The encoder always uses
/// the shortest form.
inline constexpr unsigned wide_lengths = 252;

/// The greatest depth of nested objects. They are visited by recursion, which needs stack.
inline constexpr int deepest = 2000;

/// Encodes values and appends them to a block of bytes.
class encoder {
 public:
  explicit encoder(bytes& to) noexcept : to_(to) {}
  /// After the last value: refuses shared pointers that contradict each other.
  void finish() const { shared_.check_owners(); }

  template <class T>
  void write(const T& value) {
    if constexpr (lists_fields<T>) {
      if (++depth_ > deepest) refuse_value("objects are nested more than 2000 deep");
      visit_listed(value, [this](const auto&... fields) { (this->write_field<T>(fields), ...); });
      --depth_;
    } else if constexpr (byte_run<T>) {
      raw(&value, sizeof(T));
    } else if constexpr (std::is_bounded_array_v<T>) {
      each(value);
    } else if constexpr (tuple_like<T>) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        using std::get;
        (write(get<I>(value)), ...);
      }(std::make_index_sequence<std::tuple_size<T>::value>());
    } else if constexpr (owning_pointer<T>) {
      write(value.get() != nullptr);
      if (value.get() != nullptr) write(*value);
    } else if constexpr (sharing_pointer<T>) {
      write_shared(value);
    } else if constexpr (optional_like<T>) {
      write(value.has_value());
      if (value.has_value()) write(*value);
    } else if constexpr (variant_like<T>) {
      if (value.valueless_by_exception()) refuse_value("a variant has no value");
      write(static_cast<unsigned char>(value.index()));
      alternatives<T>::with(value.index(), [&]<std::size_t I>(auto*) {
        using std::get;
        write(get<I>(value));
      });
    } else if constexpr (path_like<T>) {
      write(value.native());
    } else if constexpr (run_of_bytes<const T>) {
      if constexpr (!fixed_array<T>) write_length(value.size());
      raw(value.data(), value.size() * sizeof(*value.data()));
    } else if constexpr (fixed_array<T>) {
      each(value);
    } else if constexpr (value_array_of_bytes<T>) {
      write_length(value.size());
      raw(first_of(value), value.size() * sizeof(typename T::value_type));
    } else {
      write_length(value.size());
      const std::size_t begin = to_.size();
      if constexpr (flag_sequence<T>)
        for (const bool flag : value) write(flag);
      else
        each(value);
      if constexpr (smallest<typename T::value_type>() == 0)
        while (to_.size() - begin < value.size()) write(false);
    }
  }

 private:
  template <class Class, class Field>
  void write_field(const Field& field) {
    if constexpr (codable<Field>())
      write(field);
    else
      refuse_field_of<Class, Field>();
  }
  template <class Range>
  void each(const Range& range) {
    for (const auto& element : range) write(element);
  }

  template <class Pointer>
  void write_shared(const Pointer& pointer) {
    if (pointer.get() == nullptr) return write(reference::none);
    const auto [number, first] = shared_.number_of(pointer);
    write(first ? reference::first : reference::again);
    if (first)
      write(*pointer);
    else
      write_length(number);
  }

  void write_length(std::size_t n) {
    if (n < wide_lengths) [[likely]]
      write(static_cast<unsigned char>(n));
    else
      write_wide(n);
  }
  [[gnu::noinline]] void write_wide(std::uint64_t n) {
    unsigned char word[1 + sizeof n];
    unsigned width = 1;
    while (width < 3 && n >> (8u << width) != 0) ++width;
    word[0] = static_cast<unsigned char>(wide_lengths + width);
    for (unsigned i = 0; i < 1u << width; ++i) word[1 + i] = static_cast<unsigned char>(n >> 8 * i);
    raw(word, 1 + (1u << width));
  }
  void raw(const void* from, std::size_t size) {
    to_.append(static_cast<const std::byte*>(from), size);
  }

  bytes& to_;
  addresses shared_;
  int depth_ = 0;
};

/// Decodes values. Throws `decode_error` if the bytes are not the output of an encoder, before it
/// allocates much memory for a wrong length.
class decoder {
 public:
  decoder(const std::byte* from, std::size_t size) noexcept : from_(from), left_(size) {}

  template <class T>
  void read(T& value) {
    if constexpr (lists_fields<T>) {
      if (++depth_ > deepest) refuse_bytes("objects are nested more than 2000 deep");
      visit_listed(value, [this](auto&... fields) { (this->read_field<T>(fields), ...); });
      --depth_;
    } else if constexpr (std::is_same_v<T, bool>) {
      value = flag();
    } else if constexpr (byte_run<T>) {
      raw(&value, sizeof(T));
    } else if constexpr (std::is_bounded_array_v<T>) {
      for (auto& element : value) read(element);
    } else if constexpr (tuple_like<T>) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        using std::get;
        (read(get<I>(value)), ...);
      }(std::make_index_sequence<std::tuple_size<T>::value>());
    } else if constexpr (owning_pointer<T>) {
      value.reset();
      if (flag()) {
        auto* const object = new std::remove_cv_t<typename T::element_type>();
        value.reset(object);
        read(*object);
      }
    } else if constexpr (sharing_pointer<T>) {
      read_shared(value);
    } else if constexpr (optional_like<T>) {
      value.reset();
      if (flag()) read(value.emplace());
    } else if constexpr (variant_like<T>) {
      unsigned char which = 0;
      raw(&which, 1);
      if (which >= alternatives<T>::count) refuse_bytes("a variant has no such alternative");
      alternatives<T>::with(which,
                            [&]<std::size_t I>(auto*) { read(value.template emplace<I>()); });
    } else if constexpr (path_like<T>) {
      typename T::string_type text;
      read(text);
      value = std::move(text);
    } else if constexpr (associative<T>) {
      read_associative(value);
    } else if constexpr (run_of_bytes<T>) {
      read_run(value);
    } else if constexpr (fixed_array<T>) {
      for (auto& element : value) read(element);
    } else if constexpr (value_array_of_bytes<T>) {
      value.resize(length(sizeof(typename T::value_type)));
      raw(first_of(value), value.size() * sizeof(typename T::value_type));
    } else {
      read_sequence(value);
    }
  }

  void expect_end() const {
    if (left_ != 0) refuse_bytes("more bytes arrived than the type takes");
  }

 private:
  template <class Class, class Field>
  void read_field(Field& field) {
    if constexpr (codable<Field>())
      read(field);
    else
      refuse_field_of<Class, Field>();
  }
  template <class T>
  void read_run(T& value) {
    using element = std::remove_reference_t<decltype(*value.data())>;
    if constexpr (assigned_bytes<T, element>) {
      const std::size_t n = length(1);
      const auto* const first = reinterpret_cast<const element*>(from_);
      value.assign(first, first + n);
      from_ += n;
      left_ -= n;
    } else {
      if constexpr (!fixed_array<T>) value.resize(length(sizeof(element)));
      raw(value.data(), value.size() * sizeof(element));
    }
  }

  template <class T>
  void read_associative(T& value) {
    value.clear();
    const std::size_t n = length(smallest<typename T::value_type>());
    const std::size_t end = left_ - n;  // the bytes that are left if each element takes one byte
    for (std::size_t i = 0; i < n; ++i) {
      typename T::key_type key{};
      read(key);
      if constexpr (map_like<T>) {
        typename T::mapped_type mapped{};
        read(mapped);
        value.emplace_hint(value.end(), std::move(key), std::move(mapped));
      } else {
        value.emplace_hint(value.end(), std::move(key));
      }
    }
    if (value.size() != n) refuse_bytes("a key that is there twice");
    if constexpr (smallest<typename T::value_type>() == 0) skip_to(end);
  }

  template <class T>
  [[nodiscard]] static auto start_of(T& value) {
    if constexpr (value_array<T>)
      return first_of(value);
    else
      return value.begin();
  }

  // The container grows in steps if its elements are larger in memory than in the encoding.
  template <class T>
  void read_sequence(T& value) {
    using element = typename T::value_type;
    const std::size_t n = length(smallest<element>());
    const std::size_t end = left_ - n;
    const std::size_t at_once = (left_ * 16 + 65536) / sizeof(element);
    value.resize(n < at_once ? n : at_once);
    auto next = start_of(value);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == value.size()) {
        const std::size_t larger = n - i < i ? n : 2 * i + 1;
        if constexpr (value_array<T>)
          resize_kept(value, larger);
        else
          value.resize(larger);
        next = start_of(value);
        for (std::size_t skipped = 0; skipped < i; ++skipped) ++next;
      }
      if constexpr (flag_sequence<T>)
        *next = flag();
      else
        read(*next);
      ++next;
    }
    if constexpr (smallest<element>() == 0) skip_to(end);
  }

  template <class Pointer>
  void read_shared(Pointer& pointer) {
    using object = std::remove_cv_t<typename Pointer::element_type>;
    using owning = owning_form<Pointer>;
    reference which{};
    raw(&which, sizeof which);
    pointer.reset();
    if (which == reference::first) {
      auto* const made = new object();
      owning owner;
      owner.reset(made);
      shared_.remember(owner);
      pointer = std::move(owner);
      read(*made);
    } else if (which == reference::again) {
      const owning* const known = shared_.find<owning>(number());
      if (known == nullptr) refuse_bytes("a reference to an object that is not there");
      pointer = *known;
    } else if (which != reference::none) {
      refuse_bytes("a byte that is no kind of reference");
    }
  }

  void raw(void* to, std::size_t size) {
    if (size > left_) refuse_bytes("fewer bytes arrived than the type takes");
    if (size != 0) std::memcpy(to, from_, size);
    from_ += size;
    left_ -= size;
  }

  // Elements whose encoding may be empty are followed by padding, so that there is one byte for
  // each element.
  void skip_to(std::size_t end) {
    if (left_ <= end) return;
    from_ += left_ - end;
    left_ = end;
  }

  [[nodiscard]] bool flag() {
    unsigned char value = 0;
    raw(&value, 1);
    if (value > 1) refuse_bytes("a byte that is neither true nor false");
    return value == 1;
  }

  // Reads a number of elements, each of which takes at least `bytes_each` bytes.
  [[nodiscard]] std::size_t length(std::size_t bytes_each) {
    const std::uint64_t value = number();
    if (value > left_ / (bytes_each == 0 ? 1 : bytes_each))
      refuse_bytes("a length that is larger than what arrived");
    return static_cast<std::size_t>(value);
  }
  [[nodiscard]] std::uint64_t number() {
    unsigned char first = 0;
    raw(&first, 1);
    return first < wide_lengths ? first : wide_number(first - wide_lengths);
  }
  [[nodiscard, gnu::noinline]] std::uint64_t wide_number(unsigned width) {
    if (width < 1 || width > 3) refuse_bytes("a byte that begins no length");
    unsigned char word[sizeof(std::uint64_t)];
    raw(word, std::size_t{1} << width);
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 1u << width; ++i) value |= std::uint64_t{word[i]} << 8 * i;
    if (value < (width == 1 ? wide_lengths : std::uint64_t{1} << (8u << (width - 1))))
      refuse_bytes("a length that is written wider than it needs");
    return value;
  }

  const std::byte* from_;
  std::size_t left_;
  shared_objects shared_;
  int depth_ = 0;
};

}  // namespace detail

/// The default codec of `as_serialized` and `deep`. A codec of your own has the same three members.
///
/// An object that several std::shared_ptr of a value own is encoded once; the decoded value has one
/// object with as many owners. Pointers to a class with virtual functions are refused when the
/// program is compiled, and std::shared_ptr to a base or a part of what it owns with `encode_error`.
struct builtin_codec {
  template <class T>
  static constexpr bool can = detail::codable<T>();

  /// Appends the encoding of `value`.
  template <class T>
  static void encode(detail::bytes& to, const T& value) {
    detail::encoder writing(to);
    writing.write(value);
    writing.finish();
  }

  /// Replaces `value` by the decoded value. Throws `decode_error` if the bytes are not the encoding
  /// of exactly one value.
  template <class T>
  static void decode(const std::byte* from, std::size_t size, T& value) {
    detail::decoder reading(from, size);
    reading.read(value);
    reading.expect_end();
  }
};

}  // namespace mpiglot
