// The bytes of an object, as they travel for a class with a hook. What the hook packs is blank in them,
// and the blank ranges are linked: each has the offset of the next one and its own size.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/codec/encode_error.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot::detail {

/// An offset in an object, or a size with marks in the two highest bits.
using footprint_link = std::conditional_t<sizeof(void*) == 8, std::uint32_t, std::uint16_t>;

/// What stands in a blank range.
struct blank_range {
  footprint_link next;
  footprint_link size;

  static constexpr footprint_link none = static_cast<footprint_link>(-1);
  static constexpr footprint_link pointer = cast_to<footprint_link>(~(none >> 1));
  static constexpr footprint_link present = pointer >> 1;  // the pointer is not null
  static constexpr footprint_link largest = present - 1;

  [[nodiscard]] std::size_t length() const noexcept { return size & largest; }
  [[nodiscard]] bool is_pointer() const noexcept { return (size & pointer) != 0; }
  [[nodiscard]] bool is_present() const noexcept { return (size & present) != 0; }
};

/// An object of class `T` takes this many bytes before those of its dependencies.
template <class T>
inline constexpr std::size_t footprint_bytes = sizeof(footprint_link) + sizeof(T);

/// The offset of `place` in an object, or its size if the place does not lie in it.
[[nodiscard]] inline std::size_t offset_in(const void* object, std::size_t size, const void* place,
                                           std::size_t length) noexcept {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(object);
  return offset < size && length <= size - offset ? static_cast<std::size_t>(offset) : size;
}

/// Writes the footprint of one object, from `begin` on in a block of bytes that may grow behind it.
class footprint_writer {
 public:
  footprint_writer(bytes& to, std::size_t begin) noexcept : to_(to), begin_(begin) {}

  /// Blanks a range. Refuses one that meets another.
  void blank(std::size_t offset, std::size_t length, footprint_link marks) {
    footprint_link before = last_ != none && last_ < offset ? last_ : none;
    footprint_link after = next_of(before);
    while (after != none && after < offset) {
      before = after;
      after = next_of(before);
    }
    if ((before != none && before + at(before).length() > offset) ||
        (after != none && offset + length > after))
      refuse_value("a hook packs a member twice");
    last_ = static_cast<footprint_link>(offset);
    std::memset(bytes_at(last_), 0, length);
    const blank_range made{after, static_cast<footprint_link>(length | marks)};
    std::memcpy(bytes_at(last_), &made, sizeof made);
    std::memcpy(before == none ? to_.data() + begin_ : bytes_at(before), &last_, sizeof last_);
  }

 private:
  static constexpr footprint_link none = blank_range::none;

  [[nodiscard]] std::byte* bytes_at(footprint_link offset) noexcept {
    return to_.data() + begin_ + sizeof(footprint_link) + offset;
  }
  [[nodiscard]] blank_range at(footprint_link offset) noexcept {
    blank_range range;
    std::memcpy(&range, bytes_at(offset), sizeof range);
    return range;
  }
  [[nodiscard]] footprint_link next_of(footprint_link offset) noexcept {
    if (offset != none) return at(offset).next;
    footprint_link first = none;
    std::memcpy(&first, to_.data() + begin_, sizeof first);
    return first;
  }

  bytes& to_;
  std::size_t begin_;
  footprint_link last_ = none;
};

/// Reads a footprint of an object of `size` bytes. Believes nothing.
class footprint_reader {
 public:
  footprint_reader(const std::byte* from, std::size_t size) : from_(from), size_(size) {
    std::size_t end = 0;
    for (footprint_link each = first(); each != blank_range::none; each = at(each).next) {
      if (each < end || each > size || size - each < sizeof(blank_range)) refuse();
      const blank_range range = at(each);
      if (range.length() < sizeof(blank_range) || range.length() > size - each) refuse();
      if (range.is_pointer() && range.length() != sizeof(void*)) refuse();
      end = each + range.length();
      ++count_;
    }
  }

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] footprint_link first() const noexcept {
    footprint_link first = blank_range::none;
    std::memcpy(&first, from_, sizeof first);
    return first;
  }
  [[nodiscard]] blank_range at(footprint_link offset) const noexcept {
    blank_range range;
    std::memcpy(&range, from_ + sizeof(footprint_link) + offset, sizeof range);
    return range;
  }
  /// Calls `action` with the offset and the length of each piece that is not blank.
  template <class Action>
  void each_piece(Action action) const {
    std::size_t end = 0;
    for (footprint_link each = first(); each != blank_range::none; each = at(each).next) {
      if (each != end) action(end, each - end);
      end = each + at(each).length();
    }
    if (end != size_) action(end, size_ - end);
  }
  void copy_to(std::byte* object) const noexcept {
    each_piece([&](std::size_t offset, std::size_t length) {
      std::memcpy(object + offset, from_ + sizeof(footprint_link) + offset, length);
    });
  }

 private:
  [[noreturn]] static void refuse() { refuse_bytes("the blanks of an object do not lie in it"); }

  const std::byte* from_;
  std::size_t size_;
  std::size_t count_ = 0;
};

}  // namespace mpiglot::detail
