// A thread that watches MPI_Finalize: it tells that the other processes do not come, and ends the job if
// the program wants that. It calls no MPI, which may allow only one thread.

#pragma once

#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

#include <mpiglot/mpi/last_words.hpp>

namespace mpiglot::detail {

/// Watches from here to the end of its scope.
class finalize_watch {
 public:
  /// `limit`: seconds until the job ends; 0: never.
  finalize_watch(int rank, double limit) noexcept : rank_(rank), limit_(limit) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&ended_, &monotonic);
    pthread_condattr_destroy(&monotonic);
    started_ = pthread_create(&thread_, nullptr, &watch, this) == 0;
  }
  finalize_watch(const finalize_watch&) = delete;
  ~finalize_watch() {
    if (started_) {
      pthread_mutex_lock(&lock_);
      over_ = true;
      pthread_cond_signal(&ended_);
      pthread_mutex_unlock(&lock_);
      pthread_join(thread_, nullptr);
    }
    pthread_cond_destroy(&ended_);
  }

 private:
  static void* watch(void* self) noexcept {
    static_cast<finalize_watch*>(self)->run();
    return nullptr;
  }
  void run() noexcept {
    constexpr double patience = 10;
    const bool tells = !(limit_ > 0) || limit_ > patience;
    timespec start{};
    clock_gettime(CLOCK_MONOTONIC, &start);
    pthread_mutex_lock(&lock_);
    if (tells && !ends_before(start, patience))
      std::fprintf(stderr,
                   "mpiglot: rank %d has been in MPI_Finalize for %g seconds and waits for other "
                   "processes: did it return too early?\n",
                   rank_, patience);
    if (limit_ > 0 && !ends_before(start, limit_)) end_job();
    pthread_mutex_unlock(&lock_);
  }
  [[nodiscard]] bool ends_before(timespec when, double seconds) noexcept {
    const auto whole = static_cast<std::time_t>(seconds);
    when.tv_sec += whole;
    when.tv_nsec += static_cast<long>((seconds - static_cast<double>(whole)) * 1e9);
    if (when.tv_nsec >= 1'000'000'000) {
      ++when.tv_sec;
      when.tv_nsec -= 1'000'000'000;
    }
    while (!over_)
      if (pthread_cond_timedwait(&ended_, &lock_, &when) != 0) return over_;
    return true;
  }
  [[noreturn]] void end_job() const noexcept {
    std::fprintf(
        stderr,
        "mpiglot: rank %d has waited in MPI_Finalize for other processes for %g seconds, the "
        "job ends\n",
        rank_, limit_);
    std::fflush(nullptr);
    mpi::detail::let_last_words_out();
    ::_exit(1);  // before MPI_Finalize is complete: the launcher ends the other processes
  }

  int rank_;
  double limit_;
  bool over_ = false;
  bool started_ = false;
  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t ended_;
  pthread_t thread_{};
};

}  // namespace mpiglot::detail
