// A port in a collective: what goes wrong on one rank waits until the last MPI call is done.
//
// A source whose `pack` throws tells `poison` as its length (or, where the length is known, lends
// what it has); a sink that cannot make room receives into scratch memory. Either way this rank
// takes part in every MPI call, and throws afterwards.

#pragma once

#include <exception>
#include <utility>

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/storage.hpp>

namespace mpiglot::detail {

/// The first exception of an operation on this rank, kept until it may be thrown.
class kept_failure {
 public:
  /// Whether `action` went well. Without exceptions a failure ends the job.
  template <class Action>
  bool attempt(Action action) {
#if defined(__cpp_exceptions)
    try {
      action();
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
      return false;
    }
#else
    action();
#endif
    return true;
  }

  [[nodiscard]] bool any() const noexcept { return static_cast<bool>(failure_); }
  void rethrow() {
#if defined(__cpp_exceptions)
    if (failure_) [[unlikely]] std::rethrow_exception(std::exchange(failure_, nullptr));
#endif
  }

 private:
  std::exception_ptr failure_;
};

template <class Port>
class guarded : public Port {
 public:
  using wire = typename Port::wire;
  using Port::Port;

  void pack() {
    if constexpr (noexcept(Port::pack()))
      Port::pack();
    else
      packed_ = failure_.attempt([this] { Port::pack(); });
  }

  template <class Parts>
  void pack_parts(Parts& parts) {
    packed_ = failure_.attempt([&] { Port::pack_parts(parts); });
    if (!packed_ && !Port::agreed)
      for (std::size_t i = 0; i < parts.size(); ++i) parts.set_length(i, poison);
  }

  [[nodiscard]] count_t length() const noexcept {
    return packed_ || Port::agreed || Port::fixed ? Port::length() : poison;
  }

  [[nodiscard]] lent out() {
    return packed_ || Port::agreed || Port::fixed ? Port::out()
                                                  : lent{nullptr, 0, datatype_of<wire>()};
  }

  void place(count_t n) {
    if (failure_.attempt([&] { Port::place(n); })) return;
    scratch_.resize(static_cast<std::size_t>(n) * sizeof(wire));
  }

  [[nodiscard]] lent in(count_t n) {
    return failure_.any() && scratch_.size() != 0 ? lent{scratch_.data(), n, datatype_of<wire>()}
                                                  : Port::in(n);
  }

  /// Does what must go well before the buffer can be sent.
  template <class Action>
  void require(Action action) {
    if (!failure_.attempt(action)) packed_ = false;
  }
  [[nodiscard]] bool failed() const noexcept { return !packed_; }

  /// After the last MPI call: throws what failed before it.
  void rethrow() { failure_.rethrow(); }

 private:
  bool packed_ = true;
  kept_failure failure_;
  bytes scratch_;
};

}  // namespace mpiglot::detail
