// A port in a collective: what goes wrong on one rank waits until the last MPI call is done.
//
// A source whose `pack` throws tells `poison` as its length (or, where the length is known, lends
// what it has); a sink that cannot make room receives into scratch memory. Either way this rank
// takes part in every MPI call, and throws afterwards. As long as nothing fails this costs one null
// pointer.

#pragma once

#include <exception>
#include <utility>

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/storage.hpp>

namespace mpiglot::detail {

/// The first failure of an operation on this rank, kept until it may be thrown.
class kept_failure {
 public:
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

  void rethrow() {
    if (kept_ != nullptr) [[unlikely]] throw_kept();
  }

 private:
  struct record {
    std::exception_ptr error;
    bytes scratch;
  };

  [[gnu::cold, gnu::noinline]] static void forget(record* kept) noexcept { delete kept; }
  [[gnu::cold, gnu::noinline]] void keep() {
    if (kept_ == nullptr) kept_ = new record{std::current_exception(), {}};
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

/// Stands for the failure of a port that cannot fail before the last call.
struct no_failure {
  [[nodiscard]] static constexpr bool any() noexcept { return false; }
  static void make_scratch(std::size_t) noexcept {}
  [[nodiscard]] static std::byte* scratch() noexcept { return nullptr; }
  static void rethrow() noexcept {}
  template <class Action>
  static bool attempt(Action action) {
    action();
    return true;
  }
};

/// Whether packing can throw.
template <class Port>
inline constexpr bool pack_fails = !noexcept(std::declval<Port&>().pack());

/// `Fails`: whether anything can, given what the operation does with the port.
template <class Port, bool Fails = true>
class guarded : public Port {
  static constexpr bool always_lends = Port::fixed || Port::agreed;

 public:
  using wire = typename Port::wire;
  using Port::Port;

  void pack() {
    failure_.attempt([this] { Port::pack(); });
  }

  template <class Parts>
  void pack_parts(Parts& parts) {
    if (failure_.attempt([&] { Port::pack_parts(parts); }) || Port::agreed) return;
    for (std::size_t i = 0; i < parts.size(); ++i) parts.set_length(i, poison);
  }

  /// Does what must go well before the buffer can be sent.
  template <class Action>
  void require(Action action) {
    failure_.attempt(action);
  }
  [[nodiscard]] bool failed() const noexcept { return failure_.any(); }

  [[nodiscard]] count_t length() const noexcept {
    if (!always_lends && failed()) [[unlikely]] return poison;
    return Port::length();
  }

  [[nodiscard]] lent out() {
    if (!always_lends && failed()) [[unlikely]] return {nullptr, 0, datatype_of<wire>()};
    return Port::out();
  }

  void place(count_t n) {
    if (!failure_.attempt([&] { Port::place(n); })) [[unlikely]]
      failure_.make_scratch(static_cast<std::size_t>(n) * sizeof(wire));
  }

  [[nodiscard]] lent in(count_t n) {
    if (failed()) [[unlikely]] return {failure_.scratch(), n, datatype_of<wire>()};
    return Port::in(n);
  }

  /// After the last MPI call: throws what failed before it.
  void rethrow() { failure_.rethrow(); }

 private:
  [[no_unique_address]] std::conditional_t<Fails, kept_failure, no_failure> failure_;
};

}  // namespace mpiglot::detail
