// The codec behind `as_serialized` and `deep`: byte runs, standard containers, and classes that
// list their fields. It knows containers by their shape and includes none of their headers.
//
//   struct node {
//     int value;
//     std::vector<std::unique_ptr<node>> children;
//     static void fields(auto& self, auto&& visit) { visit(self.value, self.children); }
//   };
//
// Bytes are in the order and representation of this architecture.

#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include <mpiglot/datatype.hpp>
#include <mpiglot/detail/storage.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot {

/// Specialise to list the fields of a class that cannot do it itself:
/// `static void fields(auto& self, auto&& visit) { visit(self.a, self.b); }`.
template <class T>
struct fields_of {};

namespace detail {

template <class T>
concept lists_fields_itself = requires(T& t) { T::fields(t, [](auto&...) {}); };
template <class T>
concept lists_fields_beside = requires(T& t) { fields_of<T>::fields(t, [](auto&...) {}); };
template <class T>
concept lists_fields = lists_fields_itself<T> || lists_fields_beside<T>;

template <class T>
concept fixed_array = requires { std::tuple_size<T>::value; } && requires(T& t) { t.data(); };

template <class T>
concept tuple_like = requires { std::tuple_size<T>::value; } && !requires(T& t) { t.data(); };

template <class T>
concept range_like = !refers_elsewhere<T> || requires(T& t) { t.resize(std::size_t{}); };

template <class T>
concept sequence = requires(T& t) {
  t.resize(std::size_t{});
  t.begin();
  t.end();
};

template <class T>
concept associative = requires(T& t) {
  typename T::key_type;
  t.begin();
  t.clear();
};

template <class T>
concept map_like = associative<T> && requires { typename T::mapped_type; };

template <class T>
concept optional_like = requires(T& t) {
  t.has_value();
  t.reset();
  *t;
};

/// std::unique_ptr and its like: owns one object on the heap.
template <class T>
concept owning_pointer = requires(T& t, typename T::element_type* p) {
  t.get();
  t.release();
  t.reset(p);
};

/// Copied as bytes. Classes only if nothing says better, pointers never.
template <class T>
concept byte_run = std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                   (plain_bytes<T> && !lists_fields<T> && !tuple_like<T> && !optional_like<T>);

template <class T>
concept run_of_bytes = requires(T& t) {
  t.data();
  t.size();
} && byte_run<std::remove_cvref_t<decltype(*std::declval<T&>().data())>>;

/// Whether the codec can encode and decode `T`. A class that lists its fields is taken at its word
/// here, since it may contain itself.
template <class T, bool Follow>
[[nodiscard]] consteval bool codable() {
  if constexpr (lists_fields<T> || byte_run<T>) {
    return true;
  } else if constexpr (map_like<T>) {
    return codable<typename T::key_type, Follow>() && codable<typename T::mapped_type, Follow>();
  } else if constexpr (associative<T>) {
    return codable<typename T::key_type, Follow>();
  } else if constexpr (sequence<T> || fixed_array<T>) {
    return codable<typename T::value_type, Follow>();
  } else if constexpr (tuple_like<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (codable<std::remove_cv_t<std::tuple_element_t<I, T>>, Follow>() && ...);
    }(std::make_index_sequence<std::tuple_size<T>::value>());
  } else if constexpr (owning_pointer<T>) {
    return Follow && codable<typename T::element_type, Follow>();
  } else if constexpr (optional_like<T>) {
    return codable<std::remove_cvref_t<decltype(*std::declval<T&>())>, Follow>();
  } else {
    return false;
  }
}

template <class T, class Visit>
void visit_fields(T& t, Visit&& visit) {
  using plain = std::remove_cv_t<T>;
  if constexpr (lists_fields_beside<plain>)
    fields_of<plain>::fields(t, static_cast<Visit&&>(visit));
  else
    plain::fields(t, static_cast<Visit&&>(visit));
}

/// Appends values to a block of bytes; `Follow`: the objects behind owning pointers too.
template <bool Follow>
class encoder {
 public:
  explicit encoder(bytes& to) noexcept : to_(to) {}

  template <class T>
  void write(const T& value) {
    if constexpr (lists_fields<T>) {
      visit_fields(value, [this](const auto&... fields) { (this->write(fields), ...); });
    } else if constexpr (byte_run<T>) {
      raw(&value, sizeof(T));
    } else if constexpr (tuple_like<T>) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        using std::get;
        (write(get<I>(value)), ...);
      }(std::make_index_sequence<std::tuple_size<T>::value>());
    } else if constexpr (owning_pointer<T>) {
      static_assert(Follow);
      write(value.get() != nullptr);
      if (value.get() != nullptr) write(*value);
    } else if constexpr (optional_like<T>) {
      write(value.has_value());
      if (value.has_value()) write(*value);
    } else {
      if constexpr (!fixed_array<T>) write(static_cast<unsigned long long>(value.size()));
      if constexpr (run_of_bytes<const T>)
        raw(value.data(), value.size() * sizeof(*value.data()));
      else
        for (const auto& element : value) write(element);
    }
  }

 private:
  void raw(const void* from, std::size_t size) {
    to_.append(static_cast<const std::byte*>(from), size);
  }

  bytes& to_;
};

/// Reads values back; throws `decode_error` where the bytes are not what an encoder writes.
template <bool Follow>
class decoder {
 public:
  decoder(const std::byte* from, std::size_t size) noexcept : from_(from), left_(size) {}

  template <class T>
  void read(T& value) {
    if constexpr (lists_fields<T>) {
      visit_fields(value, [this](auto&... fields) { (this->read(fields), ...); });
    } else if constexpr (std::is_same_v<T, bool>) {
      value = flag();
    } else if constexpr (byte_run<T>) {
      raw(&value, sizeof(T));
    } else if constexpr (tuple_like<T>) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        using std::get;
        (read(get<I>(value)), ...);
      }(std::make_index_sequence<std::tuple_size<T>::value>());
    } else if constexpr (owning_pointer<T>) {
      static_assert(Follow);
      using object = std::remove_cv_t<typename T::element_type>;
      if (flag()) {
        value.reset(new object());
        read(*value);
      } else {
        value.reset();
      }
    } else if constexpr (optional_like<T>) {
      if (flag())
        read(value.emplace());
      else
        value.reset();
    } else if constexpr (map_like<T>) {
      value.clear();
      for (std::size_t left = length(1); left > 0; --left) {
        typename T::key_type key{};
        typename T::mapped_type mapped{};
        read(key);
        read(mapped);
        value.emplace_hint(value.end(), std::move(key), std::move(mapped));
      }
    } else if constexpr (associative<T>) {
      value.clear();
      for (std::size_t left = length(1); left > 0; --left) {
        typename T::key_type key{};
        read(key);
        value.emplace_hint(value.end(), std::move(key));
      }
    } else {
      if constexpr (!fixed_array<T>)
        value.resize(length(run_of_bytes<T> ? sizeof(typename T::value_type) : 1));
      if constexpr (run_of_bytes<T>)
        raw(value.data(), value.size() * sizeof(*value.data()));
      else
        for (auto& element : value) read(element);
    }
  }

  void expect_end() const {
    if (left_ != 0) detail::refuse_bytes("more bytes arrived than the type takes");
  }

 private:
  void raw(void* to, std::size_t size) {
    if (size > left_) detail::refuse_bytes("fewer bytes arrived than the type takes");
    if (size != 0) std::memcpy(to, from_, size);
    from_ += size;
    left_ -= size;
  }

  [[nodiscard]] bool flag() {
    unsigned char value = 0;
    raw(&value, 1);
    if (value > 1) detail::refuse_bytes("a byte that is neither true nor false");
    return value == 1;
  }

  // A number of elements, each of at least `smallest` bytes: nothing is allocated for lies.
  [[nodiscard]] std::size_t length(std::size_t smallest) {
    unsigned long long value = 0;
    raw(&value, sizeof value);
    if (value > left_ / smallest)
      detail::refuse_bytes("a length that is larger than what arrived");
    return static_cast<std::size_t>(value);
  }

  const std::byte* from_;
  std::size_t left_;
};

/// The codec of `as_serialized` (Follow: false) and `deep` (true). A codec of your own has the same
/// three members.
template <bool Follow>
struct builtin_codec {
  template <class T>
  static constexpr bool can = codable<T, Follow>();

  template <class T>
  static void encode(bytes& to, const T& value) {
    encoder<Follow>(to).write(value);
  }

  template <class T>
  static void decode(const std::byte* from, std::size_t size, T& value) {
    decoder<Follow> reading(from, size);
    reading.read(value);
    reading.expect_end();
  }
};

}  // namespace detail
}  // namespace mpiglot
