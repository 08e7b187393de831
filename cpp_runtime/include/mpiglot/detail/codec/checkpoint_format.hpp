// The format of checkpoints: a header, a table with the lengths of the parts, then for each part its
// encoding in chunks, each with its checksum. Numbers lie as in memory; the header tells their order.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/codec/byte_reader.hpp>
#include <mpiglot/detail/codec/byte_writer.hpp>
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
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_short_checkpoint() {
  refuse_checkpoint("a checkpoint that ends too early");
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

/// The chunk, unless the program says another one, and what it may say.
inline constexpr std::size_t usual_chunk = std::size_t{1} << 20;
inline constexpr std::size_t smallest_chunk = std::size_t{1} << 12;
inline constexpr std::size_t largest_chunk = std::size_t{1} << 30;

/// The bytes that the checksums of a part take.
[[nodiscard]] constexpr std::uint64_t checks_size(std::uint64_t part, std::size_t chunk) noexcept {
  return (part / chunk + (part % chunk != 0 ? 1 : 0)) * sizeof(std::uint32_t);
}

/// Writes the encoding of a part in chunks, each with its checksum behind it.
template <class Output>
class checked_output final : public byte_sink {
 public:
  checked_output(Output& to, std::size_t chunk) noexcept
      : byte_sink(chunk), to_(to), chunk_(chunk) {}
  void take(const std::byte* from, std::size_t size, std::size_t) override {
    while (size != 0) {
      const std::size_t step = size < chunk_ - filled_ ? size : chunk_ - filled_;
      crc_ = crc32c_behind(crc_, from, step);
      to_.write(from, step);
      filled_ += step;
      from += step;
      size -= step;
      if (filled_ == chunk_) write_check();
    }
  }
  /// Ends the last chunk.
  void end() {
    if (filled_ != 0) write_check();
  }

 private:
  void write_check() {
    const std::uint32_t check = ~crc_;
    to_.write(reinterpret_cast<const std::byte*>(&check), sizeof check);
    filled_ = 0;
    crc_ = ~0U;
  }

  Output& to_;
  std::size_t chunk_;
  std::size_t filled_ = 0;
  std::uint32_t crc_ = ~0U;
};

/// Reads such chunks. No byte is given before its chunk was checked, but those that are only copied.
template <class Input>
class checked_input final : public chunk_source {
 public:
  checked_input(Input& from, std::uint64_t size, std::size_t chunk)
      : chunk_source(size, chunk), from_(from) {}

 private:
  void read_chunk(std::byte* to, std::size_t size) override {
    from_.read(to, size);
    std::uint32_t check = 0;
    from_.read(reinterpret_cast<std::byte*>(&check), sizeof check);
    if (check != crc32c(to, size))
      refuse_checkpoint("the data of a checkpoint has changed since it was written");
  }

  Input& from_;
};
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
  checkpoint_table(std::uint64_t type, const std::uint64_t* lengths, std::size_t parts,
                   std::size_t chunk) {
    std::uint64_t size = sizeof(checkpoint_header) + parts * sizeof(std::uint64_t);
    for (std::size_t i = 0; i < parts; ++i) size += lengths[i] + checks_size(lengths[i], chunk);
    lengths_.append(lengths, parts);
    std::memcpy(header_.magic, checkpoint_header::right_magic, sizeof header_.magic);
    header_.order = checkpoint_header::right_order;
    header_.version = checkpoint_header::right_version;
    header_.type = type;
    header_.parts = parts;
    header_.size = size;
    header_.chunk = static_cast<std::uint32_t>(chunk);
    header_.depth = deep_enough;
    header_.sizes = checkpoint_header::right_sizes;
    header_.other = 0;
    header_.table_check = crc32c(lengths, parts * sizeof(std::uint64_t));
    header_.check = header_.right_check();
  }

  template <class Output>
  void write(Output& to) const {
    to.write(reinterpret_cast<const std::byte*>(&header_), sizeof header_);
    to.write(reinterpret_cast<const std::byte*>(lengths_.data()), table_bytes());
  }

  /// Reads a header, of which `size` bytes were there. `available` is the length of the whole, where
  /// that is known.
  void read_header(const checkpoint_header& header, std::size_t size, std::uint64_t available) {
    header_ = header;
    require_magic(header, size);
    if (size < sizeof header) refuse_checkpoint("a checkpoint that ends in its header");
    if (header.order == checkpoint_header::other_order)
      refuse_checkpoint("a checkpoint of a machine with another order of bytes");
    if (header.check != header.right_check())
      refuse_checkpoint("the header of a checkpoint has changed since it was written");
    if (header.version != checkpoint_header::right_version)
      refuse_checkpoint("a checkpoint in a format of another version of mpiglot");
    if (header.sizes != checkpoint_header::right_sizes || header.chunk < smallest_chunk ||
        header.chunk > largest_chunk || header.depth != deep_enough || header.other != 0 ||
        header.order != checkpoint_header::right_order)
      refuse_checkpoint("a checkpoint of a machine with other sizes of numbers");
    if (available != unknown && header.size != available)
      refuse_checkpoint("a checkpoint that has another length than when it was written");
    if (header.size < sizeof header || header.parts > (header.size - sizeof header) / 8)
      refuse_checkpoint("a checkpoint with more parts than bytes");
  }
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};
  static void require_magic(const checkpoint_header& header, std::size_t size) {
    if (size < sizeof header.magic ||
        std::memcmp(header.magic, checkpoint_header::right_magic, sizeof header.magic) != 0)
      refuse_checkpoint("this is no checkpoint of mpiglot");
  }

  /// Where the table is read into: `table_bytes()` bytes. Then `check_table`.
  [[nodiscard]] void* make_table() {
    lengths_.resize(cast_to<std::size_t>(header_.parts));
    return lengths_.data();
  }
  void check_table() const {
    if (crc32c(lengths_.data(), table_bytes()) != header_.table_check)
      refuse_checkpoint("the table of a checkpoint has changed since it was written");
    std::uint64_t left = header_.size - sizeof header_ - table_bytes();
    for (std::size_t i = 0; i < lengths_.size(); ++i) {
      const std::uint64_t length = lengths_[i];
      if (length > left || checks_size(length, header_.chunk) > left - length)
        refuse_checkpoint("a checkpoint whose table is wrong");
      left -= length + checks_size(length, header_.chunk);
    }
    if (left != 0) refuse_checkpoint("a checkpoint whose table is wrong");
  }
  /// Refuses a checkpoint of another type.
  void require_type(std::uint64_t type) const {
    if (header_.type != type) refuse_checkpoint("a checkpoint of another type");
  }

  [[nodiscard]] const checkpoint_header& header() const noexcept { return header_; }
  [[nodiscard]] std::size_t table_bytes() const noexcept {
    return static_cast<std::size_t>(header_.parts) * sizeof(std::uint64_t);
  }
  [[nodiscard]] std::size_t parts() const noexcept { return lengths_.size(); }
  [[nodiscard]] checkpoint_part part(std::size_t which) const {
    if (which >= parts()) refuse_checkpoint("a checkpoint has no such part");
    std::uint64_t offset = sizeof header_ + table_bytes();
    for (std::size_t i = 0; i < which; ++i)
      offset += lengths_[i] + checks_size(lengths_[i], header_.chunk);
    return {offset, lengths_[which]};
  }

 private:
  checkpoint_header header_{};
  block<std::uint64_t> lengths_;
};

}  // namespace detail
}  // namespace mpiglot
