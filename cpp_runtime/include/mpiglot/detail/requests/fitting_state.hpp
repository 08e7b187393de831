// The state of a nonblocking operation whose lengths fit: it has no failures and lies in registers. What does not fit is
// on the heap beside it.

#pragma once

#include <type_traits>
#include <utility>

#include <mpiglot/detail/arguments/forms.hpp>
#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/requests/endings.hpp>
#include <mpiglot/mpi/handles.hpp>

namespace mpiglot::detail {

/// An operation whose lengths do not fit, which has started.
template <class State, class End>
struct started_carefully {
  State* state;
  mpi::request_handle handle;
  End end;
};
template <class State, class End, class Group, class Arguments>
[[gnu::cold, gnu::noinline]] started_carefully<State, End> start_carefully(Group group,
                                                                           Arguments given,
                                                                           End end) {
  struct owner {
    State* state;
    ~owner() { delete state; }
  } made{new_to_take_part<State>(group, static_cast<Arguments&&>(given))};
  int code = MPI_SUCCESS;
  mpi::request_handle handle;
  start_later(end, *made.state, code, later{code, handle});
  return {std::exchange(made.state, nullptr), handle, end};
}

/// The state of a request, beside which `State` is for what does not fit. Its arguments are references and numbers, so
/// that both have them. Only inlined functions get an address inside of this.
template <class State>
class fitting_state : public State::fitting {
  using base = typename State::fitting;

 public:
  static constexpr bool stays_in_registers = true;

  template <class Group, class Arguments>
  fitting_state(const Group& on, Arguments&& given, State* careful = nullptr)
      : base(on, static_cast<Arguments&&>(given)), careful_(careful) {}
  fitting_state(fitting_state&& other) noexcept
      : base(static_cast<base&&>(other)), careful_(std::exchange(other.careful_, nullptr)) {}
  fitting_state& operator=(fitting_state&&) = delete;
  [[gnu::always_inline]] ~fitting_state() {
    if (careful_ != nullptr) [[unlikely]]
      forget(careful_);
  }

  [[gnu::always_inline]] void finish() {
    if (careful_ != nullptr) [[unlikely]]
      finish(careful_);
    else
      base::finish();
  }
  [[gnu::always_inline]] auto results() {
    if (careful_ != nullptr) [[unlikely]]
      return results(careful_);
    return base::results();
  }
#if defined(__cpp_exceptions)
  /// After `finish` has thrown: it throws the same again.
  void fail_again() {
    if constexpr (requires { requires State::failure_type::possible; })
      if (careful_ != nullptr) careful_->failure.attempt([] { throw; });
  }
#endif

 private:
  [[gnu::cold, gnu::noinline]] static void finish(State* state) { state->finish(); }
  [[gnu::cold, gnu::noinline]] static auto results(State* state) { return state->results(); }
  [[gnu::cold, gnu::noinline]] static void forget(State* state) noexcept { delete state; }

  State* careful_;
};

}  // namespace mpiglot::detail
