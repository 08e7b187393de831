// Operations that are not complete yet. A request owns what its operation needs until then:
// moved-in buffers, staging, counts. Data is only reachable through `wait` or `test`.

#pragma once

#include <cstdio>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include <mpiglot/detail/forms.hpp>
#include <mpiglot/detail/last_words.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/mpi/environment.hpp>
#include <mpiglot/mpi/pt2pt.hpp>

namespace mpiglot {
namespace detail {

/// A state where it can be moved while MPI uses it: in place, or on the heap if addresses inside of
/// it are lent.
template <class State>
class in_place_state {
 public:
  template <class... A>
  explicit in_place_state(A&&... a) : state_(static_cast<A&&>(a)...) {}
  State* operator->() noexcept { return &state_; }
  State& operator*() noexcept { return state_; }

 private:
  State state_;
};

template <class State>
class boxed_state {
 public:
  template <class... A>
  explicit boxed_state(A&&... a) : state_(new State(static_cast<A&&>(a)...)) {}
  boxed_state(boxed_state&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  boxed_state& operator=(boxed_state&&) = delete;
  ~boxed_state() { delete state_; }
  State* operator->() noexcept { return state_; }
  State& operator*() noexcept { return *state_; }

 private:
  State* state_;
};

/// Waits or tests; a state that wants the status gets it.
template <class State>
mpi::status_out status_for(State& state) noexcept {
  if constexpr (requires { state.status; })
    return state.status.out();
  else
    return {};
}

/// Whether an exception is on its way. Only asked where an operation is still pending: a destructor
/// that runs during unwinding and drops a pending request of its own is taken for unwinding, too.
[[nodiscard]] inline bool unwinding() noexcept {
#if defined(__cpp_exceptions)
  return std::uncaught_exceptions() > 0;
#else
  return false;
#endif
}

/// Leaves no operation pending that uses memory which is about to go. While an exception unwinds,
/// waiting could hang: a receive is cancelled, anything else ends the job.
[[gnu::cold, gnu::noinline]] inline void abandon(mpi::request_handle& handle, bool cancellable,
                                                 const char* name) noexcept {
  if (unwinding() && cancellable) {
    static_cast<void>(mpi::nothrow::cancel(handle));
  } else if (unwinding()) {
    std::fprintf(stderr, "mpiglot: an exception leaves the scope of an unfinished %s\n", name);
    abort_job(1);
  }
  static_cast<void>(mpi::nothrow::wait(handle));
}

}  // namespace detail

/// A nonblocking operation. `wait()` completes it and gives what the blocking operation would have
/// given; `test()` does so if it is complete by now. Destroyed before that, it waits for completion
/// and drops the result (during unwinding: see `detail::abandon`). Lvalue buffers are borrowed and
/// must live until completion. Nothing is allocated for them; moved-in single values are kept on the
/// heap.
template <class State>
class [[nodiscard]] request {
  using holder = std::conditional_t<State::movable, detail::in_place_state<State>,
                                    detail::boxed_state<State>>;

 public:
  using value_type = decltype(std::declval<State&>().results());

  /// Starts the operation.
  template <class Group, class Arguments>
  request(const Group& group, Arguments&& arguments)
      : state_(group, static_cast<Arguments&&>(arguments)) {
    int code = MPI_SUCCESS;
    state_->prepare();
    state_->call(detail::later{code, handle_});
    if (code != MPI_SUCCESS) [[unlikely]] detail::raise_start(code, State::name);
  }

  request(request&& other) noexcept
      : state_(std::move(other.state_)), handle_(std::exchange(other.handle_, {})) {}
  request& operator=(request&&) = delete;
  ~request() {
    if (handle_) [[unlikely]] detail::abandon(handle_, State::cancellable, State::name);
  }

  /// Completes the operation. Once.
  value_type wait() {
    mpi::wait(handle_, detail::status_for(*state_));
    state_->finish();
    return state_->results();
  }

  /// The result if the operation is complete (then as `wait`), else nothing. For an operation
  /// without result: whether it is complete.
  [[nodiscard]] auto test() {
    const bool complete = mpi::test(handle_, detail::status_for(*state_));
    if (complete) state_->finish();
    if constexpr (std::is_void_v<value_type>)
      return complete;
    else
      return complete ? std::optional<value_type>(state_->results()) : std::nullopt;
  }

  /// Whether the operation is still on its way, as far as this request has been told.
  [[nodiscard]] bool pending() const noexcept { return static_cast<bool>(handle_); }

  /// MPI's handle, still owned by this request.
  [[nodiscard]] mpi::request_handle handle() const noexcept { return handle_; }

 private:
  holder state_;
  mpi::request_handle handle_;
};

/// An operation that is set up once and started many times. Every `start()` packs the buffers anew,
/// every `wait()` unpacks them. One allocation when it is made.
template <class State>
class [[nodiscard]] persistent_request {
 public:
  template <class Group, class Arguments>
  persistent_request(const Group& group, Arguments&& arguments)
      : state_(group, static_cast<Arguments&&>(arguments)) {
    int code = MPI_SUCCESS;
    state_->prepare();
    state_->call(detail::bound{code, handle_});
    if (code != MPI_SUCCESS) [[unlikely]] detail::raise_start(code, State::name);
  }

  persistent_request(persistent_request&& other) noexcept
      : state_(std::move(other.state_)),
        handle_(std::exchange(other.handle_, {})),
        started_(std::exchange(other.started_, false)) {}
  persistent_request& operator=(persistent_request&&) = delete;
  ~persistent_request() {
    if (started_) detail::abandon(handle_, State::cancellable, State::name);
    if (handle_) static_cast<void>(mpi::nothrow::request_free(handle_));
  }

  void start() {
    state_->prepare();
    mpi::start(handle_);
    started_ = true;
  }

  /// Completes what was started; the data is then in the buffers.
  void wait() {
    mpi::wait(handle_, detail::status_for(*state_));
    started_ = false;
    state_->finish();
  }

  [[nodiscard]] bool test() {
    if (!mpi::test(handle_, detail::status_for(*state_))) return false;
    started_ = false;
    state_->finish();
    return true;
  }

  [[nodiscard]] mpi::request_handle handle() const noexcept { return handle_; }

 private:
  detail::boxed_state<State> state_;
  mpi::request_handle handle_;
  bool started_ = false;
};

}  // namespace mpiglot
