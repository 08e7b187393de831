// Which partitions of a started message are marked as ready, so that none is marked twice.

#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <mpiglot/error.hpp>

namespace mpiglot::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_partition(int open) {
  if (open == 0)
    refuse_argument(MPI_ERR_REQUEST, "the request is not started: call start() before pready");
  refuse_argument(MPI_ERR_ARG, "the message has no such partition; they are counted from 0");
}
/// Throws if a message does not have this partition. `open` is the number of partitions that may be
/// named now: 0 if the request is not started.
inline void require_partition(int partition, int open) {
  if (static_cast<unsigned>(partition) >= static_cast<unsigned>(open)) [[unlikely]]
    refuse_partition(open);
}
/// The same for the partitions from `first` to `last`, at least one.
inline void require_partitions(int first, int last, int open) {
  if (first < 0 || last < first || last >= open) [[unlikely]]
    refuse_partition(open);
}
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_marked_partition() {
  refuse_argument(MPI_ERR_ARG, "a partition is already marked as ready since the last start");
}

/// A flag for each partition. Several threads may take partitions at the same time.
class partition_marks {
 public:
  partition_marks() noexcept = default;
  partition_marks(partition_marks&& other) noexcept
      : taken_(std::exchange(other.taken_, nullptr)) {}
  partition_marks& operator=(partition_marks&&) = delete;
  ~partition_marks() { delete[] taken_; }

  /// Makes room for `n` partitions. Throws `std::bad_alloc`.
  void resize(int n) {
    if (taken_ == nullptr) taken_ = new bool[static_cast<std::size_t>(n)]();
  }
  void clear(int n) noexcept {
    for (int i = 0; i < n; ++i) put_back(i);
  }
  /// Marks the partitions from `first` to `last`, both included. Throws if one is marked already;
  /// the others are then as before.
  void take(int first, int last) {
    for (int i = first; i <= last; ++i)
      if (taken(i)) [[unlikely]] {
        while (i-- > first) put_back(i);
        refuse_marked_partition();
      }
  }
  /// The same for the partitions of a list.
  template <class Partitions>
  void take_all(const Partitions& partitions) {
    std::size_t done = 0;
    for (const int each : partitions) {
      if (taken(each)) [[unlikely]] {
        for (const int before : partitions) {
          if (done-- == 0) break;
          put_back(before);
        }
        refuse_marked_partition();
      }
      ++done;
    }
  }

 private:
  [[nodiscard]] bool taken(int i) noexcept {
    return __atomic_exchange_n(&taken_[static_cast<std::size_t>(i)], true, __ATOMIC_RELAXED);
  }
  void put_back(int i) noexcept {
    __atomic_store_n(&taken_[static_cast<std::size_t>(i)], false, __ATOMIC_RELAXED);
  }

  bool* taken_ = nullptr;
};

/// Where nobody looks.
struct no_partition_marks {
  static void resize(int) noexcept {}
  static void clear(int) noexcept {}
  static void take(int, int) noexcept {}
  template <class Partitions>
  static void take_all(const Partitions&) noexcept {}
};

template <bool Looks>
using partition_marks_if = std::conditional_t<Looks, partition_marks, no_partition_marks>;

}  // namespace mpiglot::detail
