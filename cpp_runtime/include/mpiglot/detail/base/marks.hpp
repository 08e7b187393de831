// Marks of lengths that travel. A rank that gives a count sends data where the others expect a length:
// lengths have a mark, which data has by chance only (one word of 2^18 or fewer), so that a rank that
// expects one notices.

#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <mpiglot/error.hpp>
#include <mpiglot/mpi/native.hpp>

namespace mpiglot::detail {

// No text, no small number and no usual floating-point number begins or ends with these bytes.
inline constexpr std::uint32_t mark_base = 0x9b6d2000;
/// The highest byte of all marks, and where it lies in what the root of a bcast or scatter tells.
inline constexpr unsigned char highest_of_marks = 0x9b;
inline constexpr bool low_bytes_first = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
inline constexpr std::size_t place_of_highest = low_bytes_first ? 3 : 0;

/// The mark of a slot (merged/slots.hpp) of each operation: 23 bits, above what a slot asks for. They
/// differ, since memory may still hold the slots of the last call.
enum class slot_mark : std::uint32_t {
  bcast = mark_base,
  allgather = mark_base + 0x200,
  alltoall = mark_base + 0x400,
  scatter = mark_base + 0x600,
  encoded_bytes = mark_base + 0x800,  // of a bcast of bytes: all 32 bits
  runs_follow = 0x200,                // and long runs follow in messages of their own
  pieces_follow = 0x400               // and other pieces
};
/// In place of a mark where nothing has arrived yet.
inline constexpr std::uint32_t nothing_arrived = 0x5a5a5a5a;
/// The bit below the mark: the rank failed.
inline constexpr std::uint32_t failed_bit = 0x100;

/// The mark of a length that travels alone: 18 bits, above a length.
inline constexpr unsigned length_bits = 46;
inline constexpr std::uint64_t length_mark = std::uint64_t{0x9b6e} << 48;

inline constexpr const char* data_or_length =
    "data came where a length was expected, or the reverse: all ranks or none must give a count, "
    "and all or none lengths_first";
/// No code of MPI: the engine throws a `count_error` with that sentence.
inline constexpr int told_a_length = -0x9b6d;
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_unmarked() {
  mpiglot::detail::refuse_counts(data_or_length);
}
/// Throws after an exchange of lengths that failed with MPI's `code`, if that is so because of data:
/// `came`, or more of it than a length takes. Other errors are told by who asked.
[[gnu::cold, gnu::noinline]] inline void refuse_data(int code, bool came = false) {
  int error_class = MPI_ERR_OTHER;
  static_cast<void>(MPIGLOT_MPI(MPI_Error_class)(code, &error_class));
  if (tells_of_failure(error_class)) return;
  if (came || error_class == MPI_ERR_TRUNCATE) refuse_unmarked();
}

/// A length, `poison` or `nobody` as it travels alone.
[[nodiscard]] constexpr mpi::count_t marked(mpi::count_t length) noexcept {
  return static_cast<mpi::count_t>(static_cast<std::uint64_t>(length) + length_mark);
}
/// The length itself; something that is no length if it had no mark.
[[nodiscard]] constexpr mpi::count_t without_mark(mpi::count_t word) noexcept {
  return static_cast<mpi::count_t>(static_cast<std::uint64_t>(word) - length_mark);
}
[[nodiscard]] constexpr bool is_length(mpi::count_t n) noexcept {
  return static_cast<std::uint64_t>(n) >> length_bits == 0;
}
/// A length as the root of a bcast or scatter tells it alone: the half with the mark comes first, as in a
/// slot. It is its own inverse.
[[nodiscard]] constexpr mpi::count_t mark_first(mpi::count_t word) noexcept {
  const auto bits = static_cast<std::uint64_t>(word);
  return low_bytes_first ? static_cast<mpi::count_t>(bits << 32 | bits >> 32) : word;
}
/// The same, in loops over the ranks: compilers do not vectorize them, which for a few ranks costs more
/// than it saves.
[[nodiscard, gnu::always_inline]] inline mpi::count_t marked_one(mpi::count_t length) noexcept {
  mpi::count_t word = marked(length);
  __asm__("" : "+r"(word));
  return word;
}
/// The length that arrived in `word`, or -1 for `poison`. Throws `count_error` if it had no mark.
[[nodiscard]] inline mpi::count_t unmarked(mpi::count_t word) {
  const mpi::count_t n = without_mark(word);
  if (!is_length(n) && n != -1) [[unlikely]]
    refuse_unmarked();
  return n;
}

/// Whether elements begin like what the root of a bcast or scatter tells: so many of them reach as far.
template <class Wire>
inline constexpr std::size_t reach_of_marks = (place_of_highest + sizeof(Wire)) / sizeof(Wire);
[[nodiscard, gnu::always_inline]] inline bool begins_with_mark(const void* memory) noexcept {
  return static_cast<const unsigned char*>(memory)[place_of_highest] == highest_of_marks;
}
/// The last word of a buffer until a message overwrites it: no number that one computes with, as a `double`.
/// One for all ranks, since MPI may pass on what a message has not overwritten.
inline constexpr std::uint64_t unwritten = 0xfff79b6d20c1e5a3;
#if defined(__linux__) && defined(__x86_64__)
inline constexpr long rt_sigprocmask = 14;
#elif defined(__linux__) && (defined(__aarch64__) || defined(__riscv))
inline constexpr long rt_sigprocmask = 135;
#elif defined(__linux__) && (defined(__i386__) || defined(__arm__))
inline constexpr long rt_sigprocmask = 175;
#else
inline constexpr long rt_sigprocmask = -1;
#endif
extern "C" long mpiglot_call_of_kernel(long number, ...) noexcept __asm__("syscall");

/// Whether eight bytes can be read here. Those of another processor (a GPU) cannot, though MPI may reach them. The
/// kernel reads them as a set of signals, before it finds that nothing is to be done with it.
[[nodiscard, gnu::cold]] inline bool can_be_read([[maybe_unused]] const void* memory) noexcept {
  if constexpr (rt_sigprocmask < 0) return true;
  const int before = errno;
  const long refused = mpiglot_call_of_kernel(rt_sigprocmask, -1L, memory, nullptr, 8L);
  const bool reached = refused == 0 || errno != EFAULT;
  errno = before;
  return reached;
}
/// Where the last word begins of `length` elements of `width` bytes; nullptr if they are less than that.
[[nodiscard]] inline std::byte* last_word(void* memory, mpi::count_t length,
                                          std::size_t width) noexcept {
  const std::size_t size = static_cast<std::size_t>(length) * width;
  if (size < sizeof unwritten) return nullptr;
  return static_cast<std::byte*>(memory) + size - sizeof unwritten;
}
inline void mark_end(void* memory, mpi::count_t length, std::size_t width) noexcept {
  if (std::byte* const end = last_word(memory, length, width))
    std::memcpy(end, &unwritten, sizeof unwritten);
}
/// The same where the processor reaches the memory; whether it does.
[[nodiscard, gnu::cold, gnu::noinline]] inline bool mark_end_if_reached(
    void* memory, mpi::count_t length, std::size_t width) noexcept {
  const std::byte* const end = last_word(memory, length, width);
  if (end == nullptr || !can_be_read(end)) return false;
  mark_end(memory, length, width);
  return true;
}
/// Throws if the mark is there still: the message was shorter.
inline void require_end(void* memory, mpi::count_t length, std::size_t width) {
  std::byte* const end = last_word(memory, length, width);
  if (end == nullptr || std::memcmp(end, &unwritten, sizeof unwritten) != 0) return;
  std::memset(end, 0, sizeof unwritten);  // what is sent from here is not taken for the mark
  refuse_counts("fewer elements came than this rank expects; the root must send as many");
}

}  // namespace mpiglot::detail
