// The format of checkpoints: a header, a table with the lengths of the parts, then for each part its
// encoding and the checksums of its chunks. Numbers lie as in memory; the header tells their order.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/codec/format.hpp>
#include <mpiglot/detail/kernels/crc32c.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot {

/// A file or stream is no checkpoint, or one that has changed, or one of another type, version,
/// machine or number of ranks. `what()` says which.
class checkpoint_error : public decode_error {
 public:
  using decode_error::decode_error;
};

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_checkpoint(const char* reason) {
  mpi::detail::fail(checkpoint_error(reason));
}

struct checkpoint_header {
  static constexpr char right_magic[] = {'m', 'p', 'i', 'g', 'l', 'o', 't', 'C'};
  static constexpr std::uint32_t right_order = 0x01020304;
  static constexpr std::uint32_t other_order = 0x04030201;
  static constexpr std::uint32_t right_version = 1;
  static constexpr std::uint32_t right_sizes =
      sizeof(long) | sizeof(wchar_t) << 8 | sizeof(long double) << 16 | alignof(double) << 24;

  char magic[8];
  std::uint32_t order;
  std::uint32_t version;
  std::uint64_t type;   // the fingerprint
  std::uint64_t parts;  // each has its length in the table
  std::uint64_t size;   // of all, with the header
  std::uint32_t chunk;  // bytes to a checksum
  std::uint32_t depth;  // from which on objects are put off
  std::uint32_t sizes;  // of numbers of the language
  std::uint32_t other;  // 0
  std::uint32_t table_check;
  std::uint32_t check;  // of all that is before

  [[nodiscard]] std::uint32_t right_check() const noexcept {
    return crc32c(this, offsetof(checkpoint_header, check));
  }
};
static_assert(sizeof(checkpoint_header) == 64);

inline constexpr std::size_t checkpoint_chunk = std::size_t{1} << 20;

/// The bytes that the checksums of a part take.
[[nodiscard]] constexpr std::uint64_t checks_size(std::uint64_t part) noexcept {
  return (part / checkpoint_chunk + (part % checkpoint_chunk != 0 ? 1 : 0)) * sizeof(std::uint32_t);
}
/// The checksum of the chunk that begins at a place of a part.
[[nodiscard]] inline std::uint32_t check_at(const std::byte* part, std::size_t size,
                                            std::size_t at) noexcept {
  return crc32c(part + at, size - at < checkpoint_chunk ? size - at : checkpoint_chunk);
}
/// Adds the checksums to the encoding of a part.
inline void add_checks(bytes& part) {
  const std::size_t size = part.size();
  for (std::size_t at = 0; at < size; at += checkpoint_chunk) {
    const std::uint32_t check = check_at(part.data(), size, at);
    part.append(reinterpret_cast<const std::byte*>(&check), sizeof check);
  }
}
/// Compares the checksums behind a part of `size` bytes.
inline void compare_checks(const std::byte* part, std::size_t size) {
  const std::byte* check = part + size;
  for (std::size_t at = 0; at < size; at += checkpoint_chunk) {
    const std::uint32_t right = check_at(part, size, at);
    if (std::memcmp(&right, check, sizeof right) != 0)
      refuse_checkpoint("the data of a checkpoint has changed since it was written");
    check += sizeof right;
  }
}

/// Where a part is.
struct checkpoint_part {
  std::uint64_t offset;
  std::uint64_t size;  // without its checksums
};

/// The header and the table.
class checkpoint_table {
 public:
  checkpoint_table() noexcept = default;
  /// That of parts with these lengths.
  checkpoint_table(std::uint64_t type, const std::uint64_t* lengths, std::size_t parts) {
    std::uint64_t size = sizeof(checkpoint_header) + parts * sizeof(std::uint64_t);
    for (std::size_t i = 0; i < parts; ++i) size += lengths[i] + checks_size(lengths[i]);
    lengths_.append(lengths, parts);
    std::memcpy(header_.magic, checkpoint_header::right_magic, sizeof header_.magic);
    header_.order = checkpoint_header::right_order;
    header_.version = checkpoint_header::right_version;
    header_.type = type;
    header_.parts = parts;
    header_.size = size;
    header_.chunk = checkpoint_chunk;
    header_.depth = deep_enough;
    header_.sizes = checkpoint_header::right_sizes;
    header_.other = 0;
    header_.table_check = crc32c(lengths, parts * sizeof(std::uint64_t));
    header_.check = header_.right_check();
  }

  /// Reads a header, of which `size` bytes were there. `available` is the length of the whole, where
  /// that is known.
  void read_header(const checkpoint_header& header, std::size_t size, std::uint64_t available) {
    header_ = header;
    if (size < sizeof header.magic ||
        std::memcmp(header.magic, checkpoint_header::right_magic, sizeof header.magic) != 0)
      refuse_checkpoint("this is no checkpoint of mpiglot");
    if (size < sizeof header) refuse_checkpoint("a checkpoint that ends in its header");
    if (header.order == checkpoint_header::other_order)
      refuse_checkpoint("a checkpoint of a machine with another order of bytes");
    if (header.check != header.right_check())
      refuse_checkpoint("the header of a checkpoint has changed since it was written");
    if (header.version != checkpoint_header::right_version)
      refuse_checkpoint("a checkpoint in a format of another version of mpiglot");
    if (header.sizes != checkpoint_header::right_sizes || header.chunk != checkpoint_chunk ||
        header.depth != deep_enough || header.other != 0 ||
        header.order != checkpoint_header::right_order)
      refuse_checkpoint("a checkpoint of a machine with other sizes of numbers");
    if (available != unknown && header.size != available)
      refuse_checkpoint("a checkpoint that has another length than when it was written");
    if (header.size < sizeof header || header.parts > (header.size - sizeof header) / 8)
      refuse_checkpoint("a checkpoint with more parts than bytes");
  }
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};

  /// Where the table is read into: `table_bytes()` bytes. Then `check_table`.
  [[nodiscard]] void* make_table() {
    lengths_.resize(static_cast<std::size_t>(header_.parts));
    return lengths_.data();
  }
  void check_table() const {
    if (crc32c(lengths_.data(), table_bytes()) != header_.table_check)
      refuse_checkpoint("the table of a checkpoint has changed since it was written");
    std::uint64_t left = header_.size - sizeof header_ - table_bytes();
    for (std::size_t i = 0; i < lengths_.size(); ++i) {
      const std::uint64_t length = lengths_[i];
      if (length > left || checks_size(length) > left - length)
        refuse_checkpoint("a checkpoint whose table is wrong");
      left -= length + checks_size(length);
    }
    if (left != 0) refuse_checkpoint("a checkpoint whose table is wrong");
  }
  /// Refuses a checkpoint of another type.
  void require_type(std::uint64_t type) const {
    if (header_.type != type) refuse_checkpoint("a checkpoint of another type");
  }

  [[nodiscard]] const checkpoint_header& header() const noexcept { return header_; }
  [[nodiscard]] const std::uint64_t* lengths() const noexcept { return lengths_.data(); }
  [[nodiscard]] std::size_t table_bytes() const noexcept {
    return static_cast<std::size_t>(header_.parts) * sizeof(std::uint64_t);
  }
  [[nodiscard]] std::size_t parts() const noexcept { return lengths_.size(); }
  [[nodiscard]] checkpoint_part part(std::size_t which) const {
    if (which >= parts()) refuse_checkpoint("a checkpoint has no such part");
    std::uint64_t offset = sizeof header_ + table_bytes();
    for (std::size_t i = 0; i < which; ++i) offset += lengths_[i] + checks_size(lengths_[i]);
    return {offset, lengths_[which]};
  }

 private:
  checkpoint_header header_{};
  block<std::uint64_t> lengths_;
};

}  // namespace detail
}  // namespace mpiglot
