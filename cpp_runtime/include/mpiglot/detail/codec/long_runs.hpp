// Long runs of elements that travel apart from an encoding: from where they lie to where they go.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/codec/byte_reader.hpp>

namespace mpiglot::detail {

/// From how many bytes on a run is long: a copy of it costs more than a message of its own.
inline constexpr std::size_t long_run = std::size_t{1} << 16;

/// The long runs of an encoding, in its order. Their sizes stand behind it, and last their number.
class long_runs {
 public:
  struct run {
    std::byte* at;
    std::size_t size;
  };

  [[nodiscard]] const run* begin() const noexcept { return runs_.data(); }
  [[nodiscard]] const run* end() const noexcept { return runs_.data() + runs_.size(); }
  [[nodiscard]] bool empty() const noexcept { return runs_.size() == 0; }
  /// The bytes of all.
  [[nodiscard]] std::size_t bytes_of_all() const noexcept {
    std::size_t sum = 0;
    for (const run& each : *this) sum += each.size;
    return sum;
  }

  /// Notes a run that the encoding leaves out.
  void leave_out(const void* from, std::size_t size) {
    const run one{const_cast<std::byte*>(static_cast<const std::byte*>(from)), size};
    runs_.append(&one, 1);
  }
  /// The bytes that their sizes take behind the encoding.
  [[nodiscard]] std::size_t told_in() const noexcept { return word * (runs_.size() + 1); }
  /// Writes their sizes behind the encoding.
  void tell(bytes& to) const {
    for (const run& each : *this) put(to, each.size);
    put(to, runs_.size());
  }

  /// Reads the sizes behind an encoding; returns how long it is without them.
  [[nodiscard]] std::size_t learn(const std::byte* from, std::size_t size) {
    const std::size_t number = size < word ? size : cast_to<std::size_t>(get(from, size, 1));
    if (size < word || number > (size - word) / word)
      refuse_bytes("fewer bytes arrived than the type takes");
    placed_ = 0;
    runs_.resize(number);
    for (std::size_t i = 0; i < number; ++i)
      runs_[i] = {nullptr, cast_to<std::size_t>(get(from, size, number + 1 - i))};
    return size - told_in();
  }
  /// Whether the next run that was left out has so many bytes.
  [[nodiscard]] bool next_has(std::uint64_t size) const noexcept {
    return placed_ < runs_.size() && runs_[placed_].size == size;
  }
  /// Where the next run goes.
  void place(void* to) noexcept { runs_[placed_++].at = static_cast<std::byte*>(to); }
  /// All have their places, or the bytes are wrong.
  void require_all_placed() const {
    if (placed_ != runs_.size()) refuse_bytes("more bytes arrived than the type takes");
  }

 private:
  static constexpr std::size_t word = sizeof(std::uint64_t);

  static void put(bytes& to, std::uint64_t value) { std::memcpy(to.extend(word), &value, word); }
  [[nodiscard]] static std::uint64_t get(const std::byte* from, std::size_t size,
                                         std::size_t from_end) noexcept {
    std::uint64_t value = 0;
    std::memcpy(&value, from + size - word * from_end, word);
    return value;
  }

  block<run> runs_;
  std::size_t placed_ = 0;
};

/// While one of these is alive, no run is left out: what lies there is looked at before the runs
/// arrive, or moves.
class kept_in {
 public:
  explicit kept_in(int& count) noexcept : count_(count) { ++count; }
  kept_in(const kept_in&) = delete;
  kept_in& operator=(const kept_in&) = delete;
  ~kept_in() { --count_; }

 private:
  int& count_;
};

/// Whether the elements of a container lie in itself, and move with it.
template <class T>
[[nodiscard]] bool lies_in_itself(const T& container, const void* first) noexcept {
  const auto from_begin = reinterpret_cast<std::uintptr_t>(first) -
                          reinterpret_cast<std::uintptr_t>(__builtin_addressof(container));
  return from_begin < sizeof container;
}

}  // namespace mpiglot::detail
