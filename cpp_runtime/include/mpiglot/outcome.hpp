// Errors as values: the results of operations on communicators, windows and files with the policy
// `returning`, and of their requests.

#pragma once

#include <optional>

#include <mpiglot/detail/requests/endings.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/policy.hpp>

namespace mpiglot {

/// The result of an operation with the policy `returning`: a value or an error.
template <class T>
class [[nodiscard]] outcome {
 public:
  outcome(T&& value) : value_(static_cast<T&&>(value)) {}
  outcome(const error& failure) noexcept : error_(failure) {}

  /// True if the operation succeeded.
  [[nodiscard]] explicit operator bool() const noexcept { return value_.has_value(); }
  /// The value. Only valid if the operation succeeded.
  [[nodiscard]] T& value() & noexcept { return *value_; }
  /// The value. Only valid if the operation succeeded.
  [[nodiscard]] T&& value() && noexcept { return static_cast<T&&>(*value_); }
  /// The error. Only valid if the operation failed.
  [[nodiscard]] const mpiglot::error& error() const noexcept { return *error_; }

 private:
  std::optional<T> value_;
  std::optional<mpiglot::error> error_;
};

/// The result of an operation without a value: success or an error.
template <>
class [[nodiscard]] outcome<void> {
 public:
  outcome() noexcept = default;
  outcome(const error& failure) noexcept : error_(failure) {}

  /// True if the operation succeeded.
  [[nodiscard]] explicit operator bool() const noexcept { return !error_.has_value(); }
  /// The value. Only valid if the operation succeeded.
  void value() const noexcept {}
  /// The error. Only valid if the operation failed.
  [[nodiscard]] const mpiglot::error& error() const noexcept { return *error_; }

 private:
  std::optional<mpiglot::error> error_;
};

namespace detail {

/// `wait` and `test` of a request return its errors, and the error of its start too. `Shown` is
/// called for them first.
template <class Shown>
class returning_end : Shown {
 public:
  static constexpr bool keeps_failures = true;
  template <class T>
  using value = outcome<T>;

  returning_end()
    requires std::is_default_constructible_v<Shown>
  = default;
  template <class Object>
  explicit returning_end(const Object& object) noexcept : Shown(object) {}

  template <class State, class Io>
  void start(State& state, const char* name, int& code, Io io) {
    begin(state, name, [&] {
      detail::prepare_as<Io>(state);
      state.call(io);
      return code;
    });
  }
  /// Stores the reason why the operation does not start.
  void refuse_start(const mpiglot::error& reason) noexcept { kept_ = reason; }
  /// Runs `action` and stores its error, which `wait` or `test` returns.
  template <class State, class Action>
  void begin(State& state, const char* name, Action action) {
    if (kept_) [[unlikely]]
      kept_ = shown(*kept_, state, name, false);
    else if (const auto begun = run(state, name, false, action); !begun)
      kept_ = begun.error();
  }
  template <class State, class Action>
  outcome<void> run(State& state, const char* name, bool complete, Action action) {
    return giving<void>(state, name, complete, [&](int& code) { code = action(); });
  }
  template <class State>
  auto finish(State& state, const char* name, int code, mpi::request_handle failed) {
    using result = decltype(state.results());
    return giving<result>(state, name, true, [&](int& found) {
      if (code != MPI_SUCCESS && failed) mpi::request_handle::free(&failed.native);
      found = code;
      if (code == MPI_SUCCESS) state.finish();
    });
  }
  template <class Outcome>
  [[nodiscard]] static Outcome refuse() {
    return mpiglot::error(MPI_ERR_REQUEST, mpi::error_class{MPI_ERR_REQUEST}, "mpiglot",
                          "the result was given already, or moved away");
  }

 private:
  template <class T, class State, class Action>
  outcome<T> giving(State& state, const char* name, bool complete, Action action) {
    if (kept_) return *kept_;
#if defined(__cpp_exceptions)
    try {
#endif
      int code = MPI_SUCCESS;
      action(code);
      if (code != MPI_SUCCESS) [[unlikely]]
        return shown(mpiglot::error(code, name), state, name, complete);
      if constexpr (std::is_void_v<T>)
        return {};
      else
        return outcome<T>(state.results());
#if defined(__cpp_exceptions)
    } catch (mpiglot::error& failure) {
      return shown(static_cast<mpiglot::error&&>(failure), state, name, complete);
    }
#endif
  }
  template <class State>
  [[nodiscard]] mpiglot::error shown(mpiglot::error failure, State& state, const char* name,
                                     bool complete) const {
    locate_by(failure, state, name, complete);
    this->see(failure);
    return failure;
  }

  std::optional<mpiglot::error> kept_;
};

}  // namespace detail
}  // namespace mpiglot
