// Errors as values: what operations give back on communicators with the policy `returning`.

#pragma once

#include <optional>

#include <mpiglot/error.hpp>
#include <mpiglot/policy.hpp>

namespace mpiglot {

/// What an operation gives back under the policy `returning`: its value or an error.
template <class T>
class [[nodiscard]] outcome {
 public:
  outcome(T&& value) : value_(static_cast<T&&>(value)) {}
  outcome(const error& failure) noexcept : error_(failure) {}

  [[nodiscard]] explicit operator bool() const noexcept { return value_.has_value(); }
  [[nodiscard]] T& value() & noexcept { return *value_; }
  [[nodiscard]] T&& value() && noexcept { return static_cast<T&&>(*value_); }
  [[nodiscard]] const mpiglot::error& error() const noexcept { return *error_; }

 private:
  std::optional<T> value_;
  std::optional<mpiglot::error> error_;
};

template <>
class [[nodiscard]] outcome<void> {
 public:
  outcome() noexcept = default;
  outcome(const error& failure) noexcept : error_(failure) {}

  [[nodiscard]] explicit operator bool() const noexcept { return !error_.has_value(); }
  void value() const noexcept {}
  [[nodiscard]] const mpiglot::error& error() const noexcept { return *error_; }

 private:
  std::optional<mpiglot::error> error_;
};

}  // namespace mpiglot
