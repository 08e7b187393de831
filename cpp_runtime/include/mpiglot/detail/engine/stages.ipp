// Bodies of detail/engine/stages.hpp: what is in flight in this process, and how it gets on.

#pragma once

#include <mpiglot/detail/base/polling.hpp>
#include <mpiglot/detail/engine/stages.hpp>
#include <mpiglot/mpi/driving_bodies.hpp>
#include <mpiglot/mpi/loaded.hpp>

namespace mpiglot::detail {

/// The operations in flight, in the order in which they began. One thread drives at a time.
class [[gnu::visibility("default")]] stage_driver {
 public:
  static void add(staged& begun) noexcept {
    const bool inside = is_inside();
    if (!inside) lock();
    begun.ticket_ = begun.turns_->tickets_++;
    *last_ = &begun;
    last_ = &begun.next_;
    mpi::detail::drive_with(&drive);
    if (!inside) unlock();
  }
  /// Drives until `one` is complete, which was added.
  static void complete(staged& one, bool alone) noexcept {
    while (!__atomic_load_n(&one.done_, __ATOMIC_ACQUIRE)) {
      may_wait_ = alone && first_ == &one && one.next_ == nullptr;
      drive();
    }
    may_wait_ = false;
  }
  [[nodiscard]] static bool may_wait() noexcept { return may_wait_; }

  static bool drive() noexcept {
    if (is_inside())
      return false;  // a stage waits for something: it is one of those that would be driven
    if (__atomic_test_and_set(&busy_, __ATOMIC_ACQUIRE)) {
      sched_yield();
      return true;
    }
    __atomic_store_n(&inside_, &mark_, __ATOMIC_RELAXED);
    const bool moved = advance_all();
    __atomic_store_n(&inside_, nullptr, __ATOMIC_RELAXED);
    if (moved)
      pace_.found();
    else
      pace_.missed();
    unlock();
    return true;
  }

 private:
  [[nodiscard]] static bool is_inside() noexcept {
    return __atomic_load_n(&inside_, __ATOMIC_RELAXED) == &mark_;
  }
  static void lock() noexcept {
    while (__atomic_test_and_set(&busy_, __ATOMIC_ACQUIRE)) sched_yield();
  }
  static void unlock() noexcept { __atomic_clear(&busy_, __ATOMIC_RELEASE); }

  [[nodiscard]] static bool advance_all() noexcept {
    bool moved = false;
    for (staged** each = &first_; *each != nullptr;) {
      staged& one = **each;
      while (advance(one)) moved = true;
      if (one.stage_ < one.stages_) {
        each = &one.next_;
        continue;
      }
      *each = one.next_;
      if (last_ == &one.next_) last_ = each;
      if (first_ == nullptr) mpi::detail::drive_with(nullptr);
      // Whoever waits may destroy the operation from now on.
      if (one.request_ == MPI_REQUEST_NULL)
        __atomic_store_n(&one.done_, true, __ATOMIC_RELEASE);
      else
        static_cast<void>(MPIGLOT_MPI(MPI_Grequest_complete)(one.request_));
    }
    return moved;
  }

  /// Returns true if a stage has begun or ended.
  [[nodiscard]] static bool advance(staged& one) noexcept {
    if (one.stage_ == one.stages_) return false;
    std::uint64_t& begun = one.turns_->begun_[one.stage_];
    if (!one.under_way_) {
      if (begun != one.ticket_) return false;
      ++begun;
      one.under_way_ = true;
      one.begin(one.stage_);
      return true;
    }
    if (!one.completed(one.stage_)) return false;
    one.under_way_ = false;
    ++one.stage_;
    return true;
  }

  static inline constinit staged* first_ = nullptr;
  static inline constinit staged** last_ = &first_;
  static inline constinit bool busy_ = false;
  // The mark of the thread that drives. (SimGrid's ranks are one thread, whose variables are those of all, and have
  // own static ones.)
  static inline constinit const char* inside_ = nullptr;
  static inline constinit thread_local char mark_ = 0;
  static inline constinit bool may_wait_ = false;
  static inline constinit polling pace_;
};

MPIGLOT_INLINE int staged::launch(stage_turns& turns, int stages,
                                  mpi::request_handle& request) noexcept {
  constexpr auto query = [](void*, MPI_Status* status) noexcept {
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    MPIGLOT_MPI(MPI_Status_set_cancelled)(status, 0);
    return MPIGLOT_MPI(MPI_Status_set_elements)(status, MPI_BYTE, 0);
  };
  constexpr auto nothing = [](void*) noexcept -> int { return MPI_SUCCESS; };
  constexpr auto stays = [](void*, int) noexcept -> int { return MPI_SUCCESS; };
  const int code = MPIGLOT_MPI(MPI_Grequest_start)(query, nothing, stays, nullptr, &request_);
  if (code != MPI_SUCCESS) return code;
  mpi::detail::keep_loaded_for<stage_driver>();
  request.native = request_;
  turns_ = &turns;
  stages_ = stages;
  stage_driver::add(*this);
  stage_driver::drive();
  return MPI_SUCCESS;
}

MPIGLOT_INLINE void staged::run(stage_turns& turns, int stages) noexcept {
  int level = MPI_THREAD_MULTIPLE;
  MPIGLOT_MPI(MPI_Query_thread)(&level);
  mpi::detail::keep_loaded_for<stage_driver>();
  turns_ = &turns;
  stages_ = stages;
  stage_driver::add(*this);
  stage_driver::complete(*this, level != MPI_THREAD_MULTIPLE);
}

MPIGLOT_INLINE bool staged::may_wait() noexcept { return stage_driver::may_wait(); }

}  // namespace mpiglot::detail
