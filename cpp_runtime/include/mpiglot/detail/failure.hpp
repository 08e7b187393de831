// What goes wrong on one rank of a collective waits until the last MPI call is done: this rank
// takes part in every call, and throws afterwards. While nothing fails it costs a null pointer.

#pragma once

#include <exception>
#include <utility>

#include <mpiglot/detail/storage.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot::detail {

/// The first failure of an operation on this rank, kept until it may be thrown.
class kept_failure {
 public:
  static constexpr bool possible = true;

  kept_failure() noexcept = default;
  kept_failure(kept_failure&& other) noexcept : kept_(std::exchange(other.kept_, nullptr)) {}
  kept_failure& operator=(kept_failure&&) = delete;
  ~kept_failure() {
    if (kept_ != nullptr) [[unlikely]] forget(kept_);
  }

  [[nodiscard]] bool any() const noexcept { return kept_ != nullptr; }

  /// Whether `action` went well. Without exceptions a failure ends the job.
  template <class Action>
  bool attempt(Action action) {
#if defined(__cpp_exceptions)
    try {
      action();
    } catch (...) {
      keep();
      return false;
    }
#else
    action();
#endif
    return true;
  }

  /// Memory that takes what arrives for a buffer without room.
  void make_scratch(std::size_t size) { kept_->scratch.resize(size); }
  [[nodiscard]] std::byte* scratch() const noexcept { return kept_->scratch.data(); }

  /// Zeros to send where the others count on so many bytes.
  [[nodiscard, gnu::cold]] std::byte* stand_in(std::size_t size) {
    kept_->sent.resize(size);
    if (size != 0) std::memset(kept_->sent.data(), 0, size);
    return kept_->sent.data();
  }

  void rethrow() {
    if (kept_ != nullptr) [[unlikely]] throw_kept();
  }

 private:
  struct record {
    std::exception_ptr error;
    bytes scratch;
    bytes sent;
  };

  [[gnu::cold, gnu::noinline]] static void forget(record* kept) noexcept { delete kept; }
  [[gnu::cold, gnu::noinline]] void keep() {
    if (kept_ == nullptr) kept_ = new record{std::current_exception(), {}, {}};
  }
  [[gnu::cold, gnu::noinline]] void throw_kept() {
#if defined(__cpp_exceptions)
    const std::exception_ptr error = kept_->error;
    forget(std::exchange(kept_, nullptr));
    std::rethrow_exception(error);
#endif
  }

  record* kept_ = nullptr;
};

/// Stands for the failure of an operation where nothing can fail but memory that runs out, which
/// ends the job: there would be none to receive into either.
struct no_failure {
  static constexpr bool possible = false;

  [[nodiscard]] static constexpr bool any() noexcept { return false; }
  static void make_scratch(std::size_t) noexcept {}
  [[nodiscard]] static std::byte* scratch() noexcept { return nullptr; }
  [[nodiscard]] static std::byte* stand_in(std::size_t) noexcept { return nullptr; }
  static void rethrow() noexcept {}
  template <class Action>
  static bool attempt(Action action) noexcept {
    action();
    return true;
  }
};

/// Where nobody waits for this rank: what fails is thrown at once.
struct fails_at_once : no_failure {
  template <class Action>
  static bool attempt(Action action) {
    action();
    return true;
  }
};

template <bool Possible>
using failure_if = std::conditional_t<Possible, kept_failure, no_failure>;

}  // namespace mpiglot::detail
