// How a rank polls: it spins while that has soon ended its waits, and yields its core elsewhere.

#pragma once

#include <sched.h>

namespace mpiglot::detail {

/// Paces a loop that polls, and learns from one wait to the next. Where each rank has a core of its
/// own, what a rank waits for comes after a few polls, and a yield only delays it. Where ranks share
/// a core, it comes only after another rank has had that core.
class polling {
 public:
  /// Call this after a poll that found nothing. It may yield the core.
  void missed() noexcept {
    if (++misses_ > patience()) sched_yield();
  }
  /// Call this after a poll that found something, which ends a wait.
  void found() noexcept {
    if (misses_ == 0) return;
    const bool soon = misses_ <= patience();
    misses_ = 0;
    ++waits_;
    learned_ = soon ? (learned_ < most / 2 ? learned_ + most / 8 : most) : learned_ / 2;
  }

  /// The polls without success after which a rank yields.
  [[nodiscard]] unsigned patience() const noexcept { return waits_ % trial == 0 ? most : learned_; }

  static constexpr unsigned most = 64;
  /// Every so many waits, a rank that yields tries again what spinning gives.
  static constexpr unsigned trial = 32;

 private:
  unsigned learned_ = most;
  unsigned misses_ = 0;
  unsigned waits_ = 0;
};

}  // namespace mpiglot::detail
