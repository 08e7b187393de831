// Ways to encode a scene into a buffer and to decode it. `encode` replaces what is in the buffer, whose
// memory it uses again.

#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <mpiglot/serialized.hpp>

#include "scenes.hpp"

#ifndef ENCODERS_ZPP_BITS
#define ENCODERS_ZPP_BITS 0
#endif
#ifndef ENCODERS_BITSERY
#define ENCODERS_BITSERY 0
#endif
#ifndef ENCODERS_CEREAL
#define ENCODERS_CEREAL 0
#endif

#if ENCODERS_ZPP_BITS
#include <zpp_bits.h>
#endif
#if ENCODERS_BITSERY
#include <bitsery/adapter/buffer.h>
#include <bitsery/bitsery.h>
#include <bitsery/ext/pointer.h>
#include <bitsery/ext/std_map.h>
#include <bitsery/traits/string.h>
#include <bitsery/traits/vector.h>
#endif
#if ENCODERS_CEREAL
#include <cereal/archives/binary.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/unordered_map.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>
#endif

namespace ways {

/// As messages have it: hash tables in the order in which they are.
struct ours {
  using buffer = mpiglot::detail::bytes;
  static std::size_t size(const buffer& of) { return of.size(); }
  static void encode(buffer& to, const auto& value) {
    to.resize(0);
    mpiglot::detail::marking_codec().encode(to, value);
  }
  static void decode(const buffer& from, auto& value) {
    mpiglot::builtin_codec::decode(from.data(), from.size(), value);
  }
};
/// As files and comparisons have it: hash tables in the order of their keys' encodings.
struct sorted : ours {
  static void encode(buffer& to, const auto& value) {
    to.resize(0);
    mpiglot::builtin_codec::encode(to, value);
  }
};

/// Without libraries: the size first, then all bytes into memory of that size. Refuses nothing.
struct by_hand {
  using buffer = std::unique_ptr<char[]>;
  static inline std::size_t bytes = 0;  // of the last encoding
  static std::size_t size(const buffer&) { return bytes; }

  template <class T>
  static void put(char*& to, const T& value) {
    std::memcpy(to, &value, sizeof value);
    to += sizeof value;
  }
  template <class T>
  static void get(const char*& from, T& value) {
    std::memcpy(&value, from, sizeof value);
    from += sizeof value;
  }

  static std::size_t size_of(int) { return sizeof(int); }
  static std::size_t size_of(double) { return sizeof(double); }
  static void write(char*& to, int value) { put(to, value); }
  static void write(char*& to, double value) { put(to, value); }
  static void read(const char*& from, int& value) { get(from, value); }
  static void read(const char*& from, double& value) { get(from, value); }

  static std::size_t size_of(const std::string& of) { return sizeof(std::uint32_t) + of.size(); }
  static void write(char*& to, const std::string& of) {
    put(to, static_cast<std::uint32_t>(of.size()));
    std::memcpy(to, of.data(), of.size());
    to += of.size();
  }
  static void read(const char*& from, std::string& value) {
    std::uint32_t n = 0;
    get(from, n);
    value.assign(from, n);
    from += n;
  }

  struct node_values {
    int first, count;
    double low, high;
    std::int64_t children;
  };
  static std::size_t size_of(const scenes::tree& of) {
    return of == nullptr ? 0 : sizeof(node_values) + size_of(of->left) + size_of(of->right);
  }
  static void write(char*& to, const scenes::tree& of) {
    put(to, node_values{of->first, of->count, of->low, of->high,
                        (of->left != nullptr ? 1 : 0) + (of->right != nullptr ? 2 : 0)});
    if (of->left != nullptr) write(to, of->left);
    if (of->right != nullptr) write(to, of->right);
  }
  static void read(const char*& from, scenes::tree& made) {
    node_values values{};
    get(from, values);
    made = std::make_unique<scenes::node>();
    made->first = values.first;
    made->count = values.count;
    made->low = values.low;
    made->high = values.high;
    if ((values.children & 1) != 0) read(from, made->left);
    if ((values.children & 2) != 0) read(from, made->right);
  }

  struct record_values {
    double weight;
    std::int64_t since;
    std::int32_t number;
    float share;
    std::int16_t kind;
    std::uint16_t length;
  };
  static std::size_t size_of(const scenes::record& of) {
    return sizeof(record_values) + of.name.size();
  }
  static void write(char*& to, const scenes::record& of) {
    put(to, record_values{of.weight, of.since, of.number, of.share, of.kind,
                          static_cast<std::uint16_t>(of.name.size())});
    std::memcpy(to, of.name.data(), of.name.size());
    to += of.name.size();
  }
  static void read(const char*& from, scenes::record& made) {
    record_values values{};
    get(from, values);
    made.weight = values.weight;
    made.since = values.since;
    made.number = values.number;
    made.share = values.share;
    made.kind = values.kind;
    made.name.assign(from, values.length);
    from += values.length;
  }

  template <class T>
  static std::size_t size_of(const std::vector<T>& of) {
    std::size_t sum = sizeof(std::uint32_t);
    for (const T& each : of) sum += size_of(each);
    return sum;
  }
  template <class T>
  static void write(char*& to, const std::vector<T>& of) {
    put(to, static_cast<std::uint32_t>(of.size()));
    for (const T& each : of) write(to, each);
  }
  template <class T>
  static void read(const char*& from, std::vector<T>& value) {
    std::uint32_t n = 0;
    get(from, n);
    value.resize(n);
    for (T& each : value) read(from, each);
  }
  template <class Key, class T>
  static std::size_t size_of(const std::unordered_map<Key, T>& of) {
    std::size_t sum = sizeof(std::uint32_t);
    for (const auto& [key, mapped] : of) sum += size_of(key) + size_of(mapped);
    return sum;
  }
  template <class Key, class T>
  static void write(char*& to, const std::unordered_map<Key, T>& of) {
    put(to, static_cast<std::uint32_t>(of.size()));
    for (const auto& [key, mapped] : of) {
      write(to, key);
      write(to, mapped);
    }
  }
  template <class Key, class T>
  static void read(const char*& from, std::unordered_map<Key, T>& value) {
    std::uint32_t n = 0;
    get(from, n);
    value.reserve(n);
    for (; n != 0; --n) {
      Key key;
      T mapped;
      read(from, key);
      read(from, mapped);
      value.emplace(std::move(key), mapped);
    }
  }

  static void encode(buffer& to, const auto& value) {
    const std::size_t needed = size_of(value);
    if (to == nullptr || needed > bytes) to = std::make_unique_for_overwrite<char[]>(needed);
    bytes = needed;
    char* at = to.get();
    write(at, value);
  }
  static void decode(const buffer& from, auto& value) {
    const char* at = from.get();
    read(at, value);
  }
};

#if ENCODERS_ZPP_BITS
template <class T>
using zpp_owner = zpp::bits::optional_ptr<T>;
struct zpp_bits {
  using buffer = std::vector<std::byte>;
  static std::size_t size(const buffer& of) { return of.size(); }
  static void encode(buffer& to, const auto& value) {
    zpp::bits::out out(to);
    out.reset();
    out(value).or_throw();
  }
  static void decode(const buffer& from, auto& value) {
    zpp::bits::in by(from);
    by(value).or_throw();
  }
};
#endif

#if ENCODERS_BITSERY
constexpr std::size_t most = std::size_t{1} << 30;
template <class Archive, class T>
void travel(Archive& archive, T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    archive.template value<sizeof(T)>(value);
  else
    archive.object(value);
}
struct in_archive {
  template <class Archive>
  static void of(Archive& archive, std::string& value) {
    archive.text1b(value, most);
  }
  template <class Archive>
  static void of(Archive& archive, std::vector<std::string>& value) {
    archive.container(value, most, [](Archive& by, std::string& each) { by.text1b(each, most); });
  }
  template <class Archive>
  static void of(Archive& archive, scenes::record& value) {
    archive.value4b(value.number);
    archive.value8b(value.weight);
    archive.text1b(value.name, most);
    archive.value2b(value.kind);
    archive.value4b(value.share);
    archive.value8b(value.since);
  }
  template <class Archive>
  static void of(Archive& archive, std::vector<scenes::record>& value) {
    archive.container(value, most, [](Archive& by, scenes::record& each) { of(by, each); });
  }
  template <class Archive>
  static void of(Archive& archive, scenes::string_map& value) {
    archive.ext(value, bitsery::ext::StdMap{most}, [](Archive& by, std::string& key, int& mapped) {
      by.text1b(key, most);
      by.value4b(mapped);
    });
  }
  template <class Archive>
  static void of(Archive& archive, scenes::number_map& value) {
    archive.ext(value, bitsery::ext::StdMap{most}, [](Archive& by, int& key, double& mapped) {
      by.value4b(key);
      by.value8b(mapped);
    });
  }
  template <class Archive>
  static void of(Archive& archive, scenes::tree& value) {
    bool there = value != nullptr;
    archive.boolValue(there);
    if (!there) return;
    if (value == nullptr) value = std::make_unique<scenes::node>();
    archive.value4b(value->first);
    archive.value4b(value->count);
    archive.value8b(value->low);
    archive.value8b(value->high);
    of(archive, value->left);
    of(archive, value->right);
  }
};
struct bitsery_library {
  using buffer = std::vector<std::uint8_t>;
  static inline std::size_t bytes = 0;
  static std::size_t size(const buffer&) { return bytes; }
  template <class T>
  static void encode(buffer& to, const T& value) {
    bitsery::Serializer<bitsery::OutputBufferAdapter<buffer>> archive{to};
    in_archive::of(archive, const_cast<T&>(value));
    archive.adapter().flush();
    bytes = archive.adapter().writtenBytesCount();
  }
  static void decode(const buffer& from, auto& value) {
    bitsery::Deserializer<bitsery::InputBufferAdapter<buffer>> archive{from.begin(), bytes};
    in_archive::of(archive, value);
  }
};
#endif

#if ENCODERS_CEREAL
struct cereal_library {
  using buffer = std::string;
  static std::size_t size(const buffer& of) { return of.size(); }
  static void encode(buffer& to, const auto& value) {
    std::ostringstream stream;
    cereal::BinaryOutputArchive archive(stream);
    archive(value);
    to = std::move(stream).str();
  }
  static void decode(const buffer& from, auto& value) {
    std::istringstream stream(from);
    cereal::BinaryInputArchive archive(stream);
    archive(value);
  }
};
#endif

}  // namespace ways

#if ENCODERS_ZPP_BITS
namespace scenes {

// Not inlined, since a tree has trees in it.
template <class Archive, class Node>
  requires std::is_same_v<std::remove_const_t<Node>, node_of<ways::zpp_owner>>
[[gnu::noinline]] zpp::bits::errc serialize(Archive& archive, Node& of) {
  return archive(of.first, of.count, of.low, of.high, of.left, of.right);
}
inline double sum(const ways::zpp_owner<node_of<ways::zpp_owner>>& of) {
  return sum<ways::zpp_owner>(of);
}

}  // namespace scenes
#endif
#if ENCODERS_CEREAL
namespace scenes {

template <class Archive>
concept of_cereal = std::is_base_of_v<cereal::detail::OutputArchiveBase, Archive> ||
                    std::is_base_of_v<cereal::detail::InputArchiveBase, Archive>;
template <of_cereal Archive>
void serialize(Archive& archive, node& of) {
  archive(of.first, of.count, of.low, of.high, of.left, of.right);
}
template <of_cereal Archive>
void serialize(Archive& archive, record& of) {
  archive(of.number, of.weight, of.name, of.kind, of.share, of.since);
}

}  // namespace scenes
#endif
