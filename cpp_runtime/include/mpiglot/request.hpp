// Operations that are not complete yet. A request owns what its operation needs until then:
// moved-in buffers, staging, counts. Data is only reachable through `wait` or `test`.

#pragma once

#include <cstdio>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <mpiglot/detail/forms.hpp>
#include <mpiglot/detail/in_flight.hpp>
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

/// Deals with a pending operation while an exception unwinds, where waiting could hang: a receive is
/// cancelled, anything else ends the job, because the memory that MPI uses is about to go.
[[gnu::cold, gnu::noinline]] inline void cancel_or_end_job(mpi::request_handle& handle,
                                                           bool cancellable,
                                                           const char* name) noexcept {
  if (cancellable) {
    static_cast<void>(mpi::nothrow::cancel(handle));
    return;
  }
  std::fprintf(stderr, "mpiglot: an exception leaves the scope of an unfinished %s\n", name);
  tell_exception_in_flight();
  abort_job(1);
}

// Handles are passed by value and waited for in local variables: a request whose address is known
// elsewhere would have to lie in memory, which is most of what it costs.

/// Leaves no operation pending that uses memory which is about to go.
[[gnu::cold, gnu::noinline]] inline void abandon(mpi::request_handle handle, bool cancellable,
                                                 const char* name) noexcept {
  if (unwinding()) cancel_or_end_job(handle, cancellable, name);
  static_cast<void>(mpi::nothrow::wait(handle));
}

/// The operation of a request has failed. Some MPIs keep the request then; nothing is pending.
[[noreturn, gnu::cold, gnu::noinline]] inline void raise_end(int code, mpi::request_handle handle,
                                                             const char* name) {
  if (handle) static_cast<void>(mpi::nothrow::request_free(handle));
  raise(code, name);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_empty_request() {
  refuse_argument(MPI_ERR_REQUEST, "the result was given already, or moved away");
}

/// Says where the error of an operation was found.
[[gnu::cold, gnu::noinline]] inline void locate(error& failure, const char* name,
                                                mpi::comm_handle comm) noexcept {
  int rank = 0;
  MPIGLOT_MPI(MPI_Comm_rank)(comm.native, &rank);
  failure.locate(name, comm, rank);
}

/// The same as far as the operation's state knows.
template <class State>
[[gnu::always_inline]] inline void locate_by(error& failure, const State& state) noexcept {
  if constexpr (requires { state.group.comm; })
    locate(failure, State::name, state.group.comm);
  else if constexpr (requires { mpi::comm_handle(state.comm); })
    locate(failure, State::name, state.comm);
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
  static constexpr const char* name = State::name;
  static constexpr bool cancellable = State::cancellable;

  /// Starts the operation.
  template <class Group, class Arguments>
  request(const Group& group, Arguments&& arguments)
      : state_(group, static_cast<Arguments&&>(arguments)) {
    int code = MPI_SUCCESS;
    state_->prepare();
    state_->call(detail::later{code, handle_});
    if (code != MPI_SUCCESS) [[unlikely]] detail::raise_start(code, name);
  }

  request(request&& other) noexcept
      : state_(std::move(other.state_)),
        handle_(std::exchange(other.handle_, {})),
        given_(std::exchange(other.given_, true)) {}
  /// Completes what it held before, as its destructor would.
  request& operator=(request&& other) noexcept {
    if (this == &other) return *this;
    this->~request();
    return *new (static_cast<void*>(this)) request(std::move(other));
  }
  ~request() {
    if (handle_) [[unlikely]] detail::abandon(handle_, cancellable, name);
  }

  /// Completes the operation. Once.
  value_type wait() {
    require_result();
    mpi::request_handle waited = std::exchange(handle_, {});
    const int code = mpi::nothrow::wait(waited, detail::status_for(*state_)).code;
    return conclude(code, waited);
  }

  /// The result if the operation is complete (then as `wait`), else nothing. For an operation
  /// without result: whether it is complete.
  [[nodiscard]] auto test() {
    require_result();
    mpi::request_handle tested = handle_;
    const auto outcome = mpi::nothrow::test(tested, detail::status_for(*state_));
    const bool complete = outcome.value || outcome.code != MPI_SUCCESS;
    if (complete) handle_ = {};
    return maybe(complete, outcome.code, tested);
  }

  /// Ends a receive that nobody waits for any more. Nothing (false) if it was cancelled; as `test` if
  /// its message was faster.
  [[nodiscard]] auto cancel()
    requires(State::cancellable)
  {
    require_result();
    mpi::status status;
    mpi::request_handle cancelled = std::exchange(handle_, {});
    static_cast<void>(mpi::nothrow::cancel(cancelled));
    const int code = mpi::nothrow::wait(cancelled, status).code;
    given_ = code == MPI_SUCCESS && mpi::test_cancelled(status);
    take_status(status);
    return maybe(!given_, code, cancelled);
  }

  /// Whether the operation is still on its way, as far as this request has been told.
  [[nodiscard]] bool pending() const noexcept { return static_cast<bool>(handle_); }

  /// MPI's handle, still owned by this request.
  [[nodiscard]] mpi::request_handle handle() const noexcept { return handle_; }

  // For whoever completes the operation in its place (request_pool.hpp): the handle, not owned any
  // more, ...
  [[nodiscard]] mpi::request_handle give_handle() noexcept { return std::exchange(handle_, {}); }
  // ... the status of its completion ...
  void take_status(const mpi::status& status) noexcept {
    if constexpr (requires { state_->status.value; }) state_->status.value = status;
  }
  // ... and the result.
  value_type conclude(int code, mpi::request_handle failed = {}) {
    given_ = true;
#if defined(__cpp_exceptions)
    try {
#endif
      if (code != MPI_SUCCESS) [[unlikely]] detail::raise_end(code, failed, name);
      state_->finish();
      return state_->results();
#if defined(__cpp_exceptions)
    } catch (error& failure) {
      detail::locate_by(failure, *state_);
      throw;
    }
#endif
  }

 private:
  void require_result() const {
    if (given_) [[unlikely]] detail::refuse_empty_request();
  }
  auto maybe(bool complete, int code, mpi::request_handle failed) {
    if constexpr (std::is_void_v<value_type>) {
      if (complete) conclude(code, failed);
      return complete;
    } else {
      return complete ? std::optional<value_type>(conclude(code, failed)) : std::nullopt;
    }
  }

  holder state_;
  mpi::request_handle handle_;
  bool given_ = false;  // the result was given, or moved away
};

/// An operation that is set up once and started many times. Every `start()` packs the buffers anew,
/// every `wait()` unpacks them. One allocation when it is made.
template <class State>
class [[nodiscard]] persistent_request {
 public:
  static constexpr const char* name = State::name;

  template <class Group, class Arguments>
  persistent_request(const Group& group, Arguments&& arguments)
      : state_(group, static_cast<Arguments&&>(arguments)) {
    int code = MPI_SUCCESS;
    state_->prepare();
    state_->call(detail::bound{code, handle_});
    if (code != MPI_SUCCESS) [[unlikely]] detail::raise_start(code, name);
  }

  persistent_request(persistent_request&& other) noexcept
      : state_(std::move(other.state_)),
        handle_(std::exchange(other.handle_, {})),
        started_(std::exchange(other.started_, false)) {}
  persistent_request& operator=(persistent_request&& other) noexcept {
    if (this == &other) return *this;
    this->~persistent_request();
    return *new (static_cast<void*>(this)) persistent_request(std::move(other));
  }
  ~persistent_request() {
    if (started_) detail::abandon(handle_, State::cancellable, name);
    if (handle_) static_cast<void>(mpi::nothrow::request_free(handle_));
  }

  /// Starts it. Throws if what was started before has not been waited for: MPI uses the buffers still.
  void start() {
    prepare();
    if (const int code = mpi::nothrow::start(handle_).code; code != MPI_SUCCESS) [[unlikely]]
      detail::raise(code, name);
    started_ = true;
  }

  /// Completes what was started; the data is then in the buffers. Returns at once if nothing was.
  void wait() {
    if (!started_) return;
    conclude(mpi::nothrow::wait(handle_, detail::status_for(*state_)).code);
  }

  /// Whether what was started is complete (then as `wait`).
  [[nodiscard]] bool test() {
    if (!started_) return true;
    const auto outcome = mpi::nothrow::test(handle_, detail::status_for(*state_));
    if (outcome.code == MPI_SUCCESS && !outcome.value) return false;
    conclude(outcome.code);
    return true;
  }

  /// Ends a receive that nobody waits for any more: whether its message was faster.
  [[nodiscard]] bool cancel()
    requires(State::cancellable)
  {
    if (!started_) return false;
    mpi::status status;
    static_cast<void>(mpi::nothrow::cancel(handle_));
    const int code = mpi::nothrow::wait(handle_, status).code;
    if (code == MPI_SUCCESS && mpi::test_cancelled(status)) {
      started_ = false;
      return false;
    }
    if constexpr (requires { state_->status.value; }) state_->status.value = status;
    conclude(code);
    return true;
  }

  /// Whether it was started and not waited for.
  [[nodiscard]] bool pending() const noexcept { return started_; }

  // The partitions of a partitioned message (operations/partitioned.hpp), between `start` and `wait`.

  /// This partition may be sent. Several threads may say so at once.
  void pready(int partition) const
    requires(State::sends_partitions)
  {
    State::pready(partition, handle_);
  }
  /// The partitions from `first` to `last`, both included, may be sent.
  void pready_range(int first, int last) const
    requires(State::sends_partitions)
  {
    State::pready_range(first, last, handle_);
  }
  void pready_list(std::span<const int> partitions) const
    requires(State::sends_partitions)
  {
    State::pready_list(partitions, handle_);
  }
  /// Whether this partition is there.
  [[nodiscard]] bool parrived(int partition) const
    requires(State::receives_partitions)
  {
    return State::parrived(handle_, partition);
  }

  [[nodiscard]] mpi::request_handle handle() const noexcept { return handle_; }

  // For `start_all`: what comes before and after MPI's call.
  void prepare() {
    if (started_) [[unlikely]]
      detail::refuse_argument(MPI_ERR_REQUEST, "it was started already; wait for it first");
    state_->prepare();
  }
  void mark_started() noexcept { started_ = true; }

 private:
  void conclude(int code) {
    started_ = false;
#if defined(__cpp_exceptions)
    try {
#endif
      if (code != MPI_SUCCESS) [[unlikely]] detail::raise(code, name);
      state_->finish();
#if defined(__cpp_exceptions)
    } catch (error& failure) {
      detail::locate_by(failure, *state_);
      throw;
    }
#endif
  }

  detail::boxed_state<State> state_;
  mpi::request_handle handle_;
  bool started_ = false;
};

/// Starts persistent requests by one MPI call.
template <class... State>
void start_all(persistent_request<State>&... requests) {
  (requests.prepare(), ...);
  mpi::request_handle handles[] = {requests.handle()...};
  mpi::startall(handles);
  (requests.mark_started(), ...);
}

}  // namespace mpiglot
