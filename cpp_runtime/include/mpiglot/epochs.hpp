// Epochs of one-sided communication as objects. The constructor begins an epoch; the destructor or
// `end()` ends it. Only `end()` throws errors. MPI-4.1, section 12.5.
//
// During stack unwinding, the destructor does not make a call that waits for other ranks, because
// they may wait for this rank.

#pragma once

#include <mpiglot/mpi/rma.hpp>
#include <mpiglot/request.hpp>
#include <utility>

namespace mpiglot {
namespace detail {

/// The common part of all epochs. `Derived::finish()` ends the epoch; `Derived::waits` is true if
/// that call waits for other ranks.
template <class Derived>
class epoch {
 public:
  epoch(epoch&& other) noexcept : window_(std::exchange(other.window_, {})) {}
  epoch& operator=(epoch&&) = delete;

  /// Ends the epoch. Throws on error.
  void end() {
    const mpi::win_handle window = std::exchange(window_, {});
    if (window) mpi::detail::check(self().finish(window), Derived::ending);
  }
  [[nodiscard]] bool open() const noexcept { return static_cast<bool>(window_); }

 protected:
  explicit epoch(mpi::win_handle window) noexcept : window_(window) {}
  // Called by the destructors of the derived classes, because `finish` uses their members.
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

/// The epoch between two fences. Each rank may access the memory of every rank. Beginning and
/// ending it are collective.
class [[nodiscard]] fence_epoch : public detail::epoch<fence_epoch> {
 public:
  /// The name of the MPI function that ends the epoch, for error messages.
  static constexpr const char* ending = "MPI_Win_fence";
  /// True if ending the epoch waits for other ranks.
  static constexpr bool waits = true;

  explicit fence_epoch(mpi::win_handle window, mpi::assertion promised = {}) : epoch(window) {
    mpi::win_fence(promised, window);
  }
  fence_epoch(fence_epoch&&) noexcept = default;
  ~fence_epoch() { leave(); }

  /// Sets the assertion (`MPI_MODE_...`) that the closing fence passes to MPI. Default: none.
  void promise(mpi::assertion promised) noexcept { promised_ = promised; }
  /// Ends this epoch and begins the next one by a single fence. Collective.
  void next(mpi::assertion promised = {}) { mpi::win_fence(promised, window()); }
  /// Calls `MPI_Win_fence` and returns its error code. Called by `end()` and the destructor.
  [[nodiscard]] int finish(mpi::win_handle window) noexcept {
    return mpi::nothrow::win_fence(promised_, window).code;
  }

 private:
  mpi::assertion promised_{};
};

/// An access epoch (MPI_Win_start): access to the ranks of a group, which must call `post`. Ending
/// it completes the accesses at this rank.
class [[nodiscard]] access_epoch : public detail::epoch<access_epoch> {
 public:
  /// The name of the MPI function that ends the epoch, for error messages.
  static constexpr const char* ending = "MPI_Win_complete";
  /// True if ending the epoch waits for other ranks.
  static constexpr bool waits = false;

  access_epoch(mpi::win_handle window, mpi::group_handle targets, mpi::assertion promised = {})
      : epoch(window) {
    mpi::win_start(targets, promised, window);
  }
  access_epoch(access_epoch&&) noexcept = default;
  ~access_epoch() { leave(); }

  /// Calls `MPI_Win_complete` and returns its error code. Called by `end()` and the destructor.
  [[nodiscard]] int finish(mpi::win_handle window) noexcept {
    return mpi::nothrow::win_complete(window).code;
  }
};

/// An exposure epoch (MPI_Win_post): access by the ranks of a group, which must call `start`.
/// Ending it waits until all of them have ended their access epochs.
class [[nodiscard]] exposure_epoch : public detail::epoch<exposure_epoch> {
 public:
  /// The name of the MPI function that ends the epoch, for error messages.
  static constexpr const char* ending = "MPI_Win_wait";
  /// True if ending the epoch waits for other ranks.
  static constexpr bool waits = true;

  exposure_epoch(mpi::win_handle window, mpi::group_handle origins, mpi::assertion promised = {})
      : epoch(window) {
    mpi::win_post(origins, promised, window);
  }
  exposure_epoch(exposure_epoch&& other) noexcept
      : epoch(static_cast<epoch&&>(other)), over_(std::exchange(other.over_, false)) {}
  ~exposure_epoch() { leave(); }

  /// Returns true if all ranks of the group have ended their access epochs. This epoch is then
  /// over.
  [[nodiscard]] bool test() {
    if (open() && !over_) over_ = mpi::win_test(window());
    return over_ || !open();
  }
  /// Calls `MPI_Win_wait` and returns its error code. Called by `end()` and the destructor.
  [[nodiscard]] int finish(mpi::win_handle window) noexcept {
    return over_ ? MPI_SUCCESS : mpi::nothrow::win_wait(window).code;
  }

 private:
  bool over_ = false;
};

/// Access to one rank by MPI_Win_lock; the target makes no call. Ending it completes all accesses,
/// at this rank and at the target.
class [[nodiscard]] lock_epoch : public detail::epoch<lock_epoch> {
 public:
  /// The name of the MPI function that ends the epoch, for error messages.
  static constexpr const char* ending = "MPI_Win_unlock";
  /// True if ending the epoch waits for other ranks.
  static constexpr bool waits = false;

  lock_epoch(mpi::win_handle window, int rank, mpi::lock_type type, mpi::assertion promised = {})
      : epoch(window), rank_(rank) {
    mpi::win_lock(type, rank, promised, window);
  }
  lock_epoch(lock_epoch&&) noexcept = default;
  ~lock_epoch() { leave(); }

  /// Completes all accesses made so far, at this rank and at the target.
  void flush() const { mpi::win_flush(rank_, window()); }
  /// Completes all accesses made so far at this rank only: their buffers may be used again.
  void flush_local() const { mpi::win_flush_local(rank_, window()); }
  /// The rank whose memory is locked.
  [[nodiscard]] int rank() const noexcept { return rank_; }
  /// Calls `MPI_Win_unlock` and returns its error code. Called by `end()` and the destructor.
  [[nodiscard]] int finish(mpi::win_handle window) noexcept {
    return mpi::nothrow::win_unlock(rank_, window).code;
  }

 private:
  int rank_;
};

/// Shared access to all ranks by MPI_Win_lock_all; the targets make no call.
class [[nodiscard]] lock_all_epoch : public detail::epoch<lock_all_epoch> {
 public:
  /// The name of the MPI function that ends the epoch, for error messages.
  static constexpr const char* ending = "MPI_Win_unlock_all";
  /// True if ending the epoch waits for other ranks.
  static constexpr bool waits = false;

  explicit lock_all_epoch(mpi::win_handle window, mpi::assertion promised = {}) : epoch(window) {
    mpi::win_lock_all(promised, window);
  }
  lock_all_epoch(lock_all_epoch&&) noexcept = default;
  ~lock_all_epoch() { leave(); }

  /// Completes all accesses to one rank, at this rank and at the target.
  void flush(int rank) const { mpi::win_flush(rank, window()); }
  /// Completes all accesses to all ranks, at this rank and at the targets.
  void flush() const { mpi::win_flush_all(window()); }
  /// Completes all accesses made so far at this rank only: their buffers may be used again.
  void flush_local(int rank) const { mpi::win_flush_local(rank, window()); }
  /// Completes all accesses to all ranks at this rank only: their buffers may be used again. Local.
  void flush_local() const { mpi::win_flush_local_all(window()); }
  /// Calls `MPI_Win_unlock_all` and returns its error code. Called by `end()` and the destructor.
  [[nodiscard]] int finish(mpi::win_handle window) noexcept {
    return mpi::nothrow::win_unlock_all(window).code;
  }
};

}  // namespace mpiglot
