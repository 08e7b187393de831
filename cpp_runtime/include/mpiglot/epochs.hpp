// Epochs of one-sided communication as objects: each begins where it is made and ends with its
// scope, or with `end()`, which throws what goes wrong. MPI-4.1, section 12.5.
//
// While an exception unwinds the stack, an end that would wait for other ranks is left out: they
// may wait for this one.

#pragma once

#include <mpiglot/mpi/rma.hpp>
#include <mpiglot/request.hpp>
#include <utility>

namespace mpiglot {
namespace detail {

/// What all epochs share. `Derived::finish()` ends one; `Derived::waits` says whether for others.
template <class Derived>
class epoch {
 public:
  epoch(epoch&& other) noexcept : window_(std::exchange(other.window_, {})) {}
  epoch& operator=(epoch&&) = delete;

  /// Ends the epoch now.
  void end() {
    const mpi::win_handle window = std::exchange(window_, {});
    if (window) mpi::detail::check(self().finish(window), Derived::ending);
  }
  [[nodiscard]] bool open() const noexcept { return static_cast<bool>(window_); }

 protected:
  explicit epoch(mpi::win_handle window) noexcept : window_(window) {}
  // For the destructors of the derived classes, whose members `finish` needs.
  void leave() noexcept {
    const mpi::win_handle window = std::exchange(window_, {});
    if (!window || (Derived::waits && unwinding()) || mpi_is_over()) return;
    static_cast<void>(self().finish(window));
  }
  [[nodiscard]] mpi::win_handle window() const noexcept { return window_; }

 private:
  [[nodiscard]] Derived& self() noexcept { return static_cast<Derived&>(*this); }

  mpi::win_handle window_;
};

}  // namespace detail

/// Between two fences: everybody may access everybody. Beginning and ending are collective.
class [[nodiscard]] fence_epoch : public detail::epoch<fence_epoch> {
 public:
  /// The function that ends the epoch, for messages of errors.
  static constexpr const char* ending = "MPI_Win_fence";
  /// Whether the end waits for other ranks.
  static constexpr bool waits = true;

  explicit fence_epoch(mpi::win_handle window, mpi::assertion promised = {}) : epoch(window) {
    mpi::win_fence(promised, window);
  }
  fence_epoch(fence_epoch&&) noexcept = default;
  ~fence_epoch() { leave(); }

  /// What is promised of the last fence; nothing unless it is said.
  void promise(mpi::assertion promised) noexcept { promised_ = promised; }
  /// Ends this epoch and begins the next with one fence.
  void next(mpi::assertion promised = {}) { mpi::win_fence(promised, window()); }
  /// Calls `MPI_Win_fence` and gives its code; called by `end()` and the destructor.
  [[nodiscard]] int finish(mpi::win_handle window) noexcept {
    return mpi::nothrow::win_fence(promised_, window).code;
  }

 private:
  mpi::assertion promised_{};
};

/// Access to the ranks of a group, which must `post` it. Ending waits until the data is on its way.
class [[nodiscard]] access_epoch : public detail::epoch<access_epoch> {
 public:
  /// The function that ends the epoch, for messages of errors.
  static constexpr const char* ending = "MPI_Win_complete";
  /// Whether the end waits for other ranks.
  static constexpr bool waits = false;

  access_epoch(mpi::win_handle window, mpi::group_handle targets, mpi::assertion promised = {})
      : epoch(window) {
    mpi::win_start(targets, promised, window);
  }
  access_epoch(access_epoch&&) noexcept = default;
  ~access_epoch() { leave(); }

  /// Calls `MPI_Win_complete` and gives its code; called by `end()` and the destructor.
  [[nodiscard]] int finish(mpi::win_handle window) noexcept {
    return mpi::nothrow::win_complete(window).code;
  }
};

/// Access by the ranks of a group, which must `start` it. Ending waits until all of them are done.
class [[nodiscard]] exposure_epoch : public detail::epoch<exposure_epoch> {
 public:
  /// The function that ends the epoch, for messages of errors.
  static constexpr const char* ending = "MPI_Win_wait";
  /// Whether the end waits for other ranks.
  static constexpr bool waits = true;

  exposure_epoch(mpi::win_handle window, mpi::group_handle origins, mpi::assertion promised = {})
      : epoch(window) {
    mpi::win_post(origins, promised, window);
  }
  exposure_epoch(exposure_epoch&& other) noexcept
      : epoch(static_cast<epoch&&>(other)), over_(std::exchange(other.over_, false)) {}
  ~exposure_epoch() { leave(); }

  /// Whether all of them are done; if so, the epoch is over.
  [[nodiscard]] bool test() {
    if (open() && !over_) over_ = mpi::win_test(window());
    return over_ || !open();
  }
  /// Calls `MPI_Win_wait` and gives its code; called by `end()` and the destructor.
  [[nodiscard]] int finish(mpi::win_handle window) noexcept {
    return over_ ? MPI_SUCCESS : mpi::nothrow::win_wait(window).code;
  }

 private:
  bool over_ = false;
};

/// Access to one rank, which need not do anything. Its end completes all accesses there and here.
class [[nodiscard]] lock_epoch : public detail::epoch<lock_epoch> {
 public:
  /// The function that ends the epoch, for messages of errors.
  static constexpr const char* ending = "MPI_Win_unlock";
  /// Whether the end waits for other ranks.
  static constexpr bool waits = false;

  lock_epoch(mpi::win_handle window, int rank, mpi::lock_type type, mpi::assertion promised = {})
      : epoch(window), rank_(rank) {
    mpi::win_lock(type, rank, promised, window);
  }
  lock_epoch(lock_epoch&&) noexcept = default;
  ~lock_epoch() { leave(); }

  /// Completes all accesses so far, there and here.
  void flush() const { mpi::win_flush(rank_, window()); }
  /// Completes them here: buffers can be used again.
  void flush_local() const { mpi::win_flush_local(rank_, window()); }
  /// The rank whose memory is locked.
  [[nodiscard]] int rank() const noexcept { return rank_; }
  /// Calls `MPI_Win_unlock` and gives its code; called by `end()` and the destructor.
  [[nodiscard]] int finish(mpi::win_handle window) noexcept {
    return mpi::nothrow::win_unlock(rank_, window).code;
  }

 private:
  int rank_;
};

/// Access to all ranks, shared; none of them need do anything.
class [[nodiscard]] lock_all_epoch : public detail::epoch<lock_all_epoch> {
 public:
  /// The function that ends the epoch, for messages of errors.
  static constexpr const char* ending = "MPI_Win_unlock_all";
  /// Whether the end waits for other ranks.
  static constexpr bool waits = false;

  explicit lock_all_epoch(mpi::win_handle window, mpi::assertion promised = {}) : epoch(window) {
    mpi::win_lock_all(promised, window);
  }
  lock_all_epoch(lock_all_epoch&&) noexcept = default;
  ~lock_all_epoch() { leave(); }

  /// Completes all accesses so far, to one rank or to all, there and here.
  void flush(int rank) const { mpi::win_flush(rank, window()); }
  /// Completes all accesses to all ranks, here and there. Local.
  void flush() const { mpi::win_flush_all(window()); }
  /// Completes them here: buffers can be used again.
  void flush_local(int rank) const { mpi::win_flush_local(rank, window()); }
  /// Completes all accesses to all ranks here: their buffers may be used again. Local.
  void flush_local() const { mpi::win_flush_local_all(window()); }
  /// Calls `MPI_Win_unlock_all` and gives its code; called by `end()` and the destructor.
  [[nodiscard]] int finish(mpi::win_handle window) noexcept {
    return mpi::nothrow::win_unlock_all(window).code;
  }
};

}  // namespace mpiglot
