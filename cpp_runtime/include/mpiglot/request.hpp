// Requests: nonblocking and persistent operations. A request owns everything that its operation
// needs until completion: buffers that were moved in, staging memory, counts. Only `wait` or `test`
// give access to the data.

#pragma once

#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include <mpiglot/detail/requests/partition_marks.hpp>
#include <mpiglot/detail/requests/endings.hpp>
#include <mpiglot/detail/requests/fitting_state.hpp>
#include <mpiglot/detail/requests/held.hpp>
#include <mpiglot/detail/base/in_flight.hpp>

namespace mpiglot {

/// A nonblocking operation. `wait()` completes it and returns the result of the blocking operation;
/// `test()` does so if the operation is complete. The destructor of a pending request waits for
/// completion and drops the result. While an exception unwinds it does not wait: a receive is
/// cancelled, an operation that owns the memory which MPI uses is kept until it is complete, and any
/// other ends the job. Lvalue buffers are borrowed and must exist until completion; nothing is
/// allocated for them if their lengths fit. Single values that are moved in are kept on the heap, and so is the copy of a
/// single value or a `std::array` of at most 64 bytes that is sent. On a communicator with the policy
/// `returning`, nothing is thrown: `wait()` returns an `outcome`, which also holds an error of the start.
template <class State, class End = detail::throwing_end>
class [[nodiscard]] request {
  using holder =
      std::conditional_t<State::movable, detail::in_place_state<State>, detail::boxed_state<State>>;

 public:
  using value_type = typename End::template value<decltype(std::declval<State&>().results())>;
  /// The name of the operation as it was called: "irecv".
  static constexpr const char* name = detail::form_name<State, detail::later>.text;
  /// True if the operation has `cancel()`.
  static constexpr bool cancellable = State::cancellable;

  /// Starts the operation.
  template <class Group, class Arguments>
  [[gnu::always_inline]] request(const Group& group, Arguments&& arguments, End end = {})
      : state_(group, static_cast<Arguments&&>(arguments)), end_(end) {
    int code = MPI_SUCCESS;
    detail::start_later(end_, *state_, code, detail::later{code, handle_});
  }

  /// The operation has started.
  template <class Group, class Arguments, class Careful>
  [[gnu::always_inline]] request(const Group& group, Arguments&& arguments,
                                 const detail::started_carefully<Careful, End>& started)
      : state_(group, static_cast<Arguments&&>(arguments), started.state),
        handle_(started.handle),
        end_(started.end) {}

  request(request&& other) noexcept
      : state_(std::move(other.state_)),
        handle_(std::exchange(other.handle_, {})),
        ended_(std::exchange(other.ended_, given)),
        end_(std::move(other.end_)),
        told_status_(other.told_status_) {}
  /// First completes the operation that this object held, as its destructor would.
  request& operator=(request&& other) noexcept {
    if (this == &other) return *this;
    this->~request();
    return *new (static_cast<void*>(this)) request(std::move(other));
  }
  [[gnu::always_inline]] ~request() {
    if (handle_) [[unlikely]]
      leave(handle_);
  }

  /// Completes the operation and returns its result. Call it once.
  [[gnu::always_inline]] value_type wait() {
    if (ended_ != on_its_way) [[unlikely]] {
      if constexpr (requires { State::stays_in_registers; }) {
        // A call with the address of this would keep it in memory.
        request moved(std::move(*this));
        return moved.late();
      } else {
        return late();
      }
    }
    mpi::request_handle waited = std::exchange(handle_, {});
    const int code = detail::wait_for(waited, detail::status_for(*state_));
    return conclude(code, waited);
  }

  /// Returns the result if the operation is complete (as `wait` does), else an empty optional. For
  /// an operation without result, returns true if it is complete.
  [[nodiscard]] auto test() {
    if (ended_ != on_its_way) [[unlikely]]
      return some([this] { return late(); });
    mpi::request_handle tested = handle_;
    const auto outcome = detail::test_for(tested, detail::status_for(*state_));
    if (!outcome.value && outcome.code == MPI_SUCCESS) return none();
    handle_ = {};
    return some([&] { return conclude(outcome.code, tested); });
  }

  /// Cancels a receive. Returns an empty optional (or false) if it was cancelled, and the result,
  /// as `test` does, if its message had already arrived.
  [[nodiscard]] auto cancel()
    requires(State::cancellable)
  {
    if (ended_ != on_its_way) [[unlikely]]
      return some([this] { return late(); });
    mpi::status status;
    mpi::request_handle cancelled = std::exchange(handle_, {});
    MPIGLOT_MPI(MPI_Cancel)(&cancelled.native);
    const int code = detail::wait_for(cancelled, status);
    if (code == MPI_SUCCESS && detail::was_cancelled(status)) {
      ended_ = given;
      return none();
    }
    take_status(status);
    return some([&] { return conclude(code, cancelled); });
  }

  /// True if this request has not seen the completion of the operation yet. Makes no MPI call.
  [[nodiscard]] bool pending() const noexcept { return static_cast<bool>(handle_); }

  /// The MPI handle, which this request still owns.
  [[nodiscard]] mpi::request_handle handle() const noexcept { return handle_; }

  // For code that completes the operation instead of this object (request_pool.hpp, wait.hpp):
  // gives up the handle,
  [[nodiscard]] mpi::request_handle give_handle() noexcept { return std::exchange(handle_, {}); }
  // leaves a pending operation whose handle that code has (detail::leave); the result is lost,
  void leave(mpi::request_handle handle) noexcept {
    if constexpr (detail::observes<End>) end_.ends(*state_, detail::unwinding());
    if (detail::keeps_memory_of(*state_))
      detail::leave_with(std::move(state_), handle, cancellable, name);
    else
      detail::leave(handle, cancellable, name);
  }
  // takes the status of the completion,
  void take_status(const mpi::status& status) noexcept {
    if constexpr (requires { state_->status.value; }) state_->status.value = status;
    if constexpr (of_file) told_status_ = status;
  }
  /// The status that other code was told, of an access to a file.
  [[nodiscard]] const mpi::status& told_status() const noexcept
    requires(requires { State::of_file; })
  {
    return told_status_;
  }
  // takes the error code if `wait` returns the result later,
  void complete(int code) noexcept { ended_ = code; }
  // has failed, as MPI has freed its handle; nobody has been told so yet,
  void lose() noexcept {
    handle_ = {};
    ended_ = lost;
  }
  /// True after `lose`, until `wait` or another function has told it.
  [[nodiscard]] bool is_lost() const noexcept { return ended_ == lost; }
  /// True if other code has completed the operation.
  [[nodiscard]] bool ended() const noexcept { return ended_ != on_its_way; }
  // or returns the result at once.
  [[gnu::always_inline]] value_type conclude(int code, mpi::request_handle failed = {}) {
    ended_ = given;
    return detail::finish_later<detail::later>(end_, *state_, code, failed);
  }
  // For code that completes several requests: finishes the operation or throws its error. `take()`
  // returns the result then, and so does `wait()`; after an error, `wait()` throws it once more.
  void settle(int code, mpi::request_handle failed = {}) {
    if (ended_ == settled) return;
    if (ended_ == on_its_way) ended_ = code;
    if (ended_ == lost) ended_ = detail::lost_error;
    if constexpr (End::keeps_failures) {  // an error is a result
      if (ended_ > MPI_SUCCESS && failed) detail::free_prepared(failed, false);
    } else {
      if (ended_ == given) [[unlikely]]
        detail::refuse_empty_request();
      detail::settle_later<detail::later>(end_, *state_, ended_, failed);
      ended_ = settled;
    }
  }
  /// The result of a request that is finished (for `wait_all` and its like).
  [[nodiscard, gnu::always_inline]] value_type take() {
    if constexpr (!End::keeps_failures)
      if (ended_ == settled) {
        ended_ = given;
        return state_->results();
      }
    return late();
  }
  /// The rank that a receive is from, as far as it is known; else a negative number.
  [[nodiscard]] int source_of_message(const mpi::status& status) {
    return detail::source_of_message(*state_, status);
  }
  /// The bytes that plugins are told.
  [[nodiscard]] mpi::count_t bytes() { return detail::bytes_of(*state_); }

 private:
  static constexpr bool of_file = requires { State::of_file; };
  struct no_status {};

  // Values of `ended_` that are not the error code of a complete operation.
  static constexpr int on_its_way = -1;
  static constexpr int given = -2;    // the result was returned or moved away
  static constexpr int settled = -3;  // the operation is finished; nobody has taken its result
  static constexpr int lost = -4;     // see `lose`

  // `wait` after other code has completed the operation, or a second `wait`.
  [[gnu::cold]] value_type late() {
    if constexpr (!End::keeps_failures)
      if (ended_ == settled) return take();
    if (ended_ != given) return conclude(is_lost() ? detail::lost_error : ended_);
    if constexpr (End::keeps_failures)
      return End::template refuse<value_type>();
    else
      detail::refuse_empty_request();
  }
  [[nodiscard]] static auto none() noexcept {
    if constexpr (std::is_void_v<value_type>)
      return false;
    else
      return std::optional<value_type>();
  }
  template <class Give>
  [[nodiscard]] static auto some(Give give) {
    if constexpr (std::is_void_v<value_type>) {
      give();
      return true;
    } else {
      return std::optional<value_type>(give());
    }
  }

  holder state_;
  mpi::request_handle handle_;
  int ended_ = on_its_way;
  [[no_unique_address]] End end_;
  [[no_unique_address]] std::conditional_t<of_file, mpi::status, no_status> told_status_;
};

/// A persistent operation: initialised once, started many times. Every `start()` packs the buffers
/// again if they need packing, and every `wait()` unpacks them. The buffers must keep their address
/// and length as long as this object exists; `start()` throws if they changed. Creating it makes
/// one allocation. With the policy `returning`, `start`, `wait` and `test` return outcomes; `start`
/// also returns an error of the initialisation.
template <class State, class End = detail::throwing_end>
class [[nodiscard]] persistent_request {
  using nothing = typename End::template value<void>;
  static constexpr bool has_partitions = requires(State& state) { state.restart(); };

 public:
  /// The name of the operation as it was called: "recv_init".
  static constexpr const char* name = detail::form_name<State, detail::bound>.text;

  template <class Group, class Arguments>
  persistent_request(const Group& group, Arguments&& arguments, End end = {})
      : state_(group, static_cast<Arguments&&>(arguments)), end_(end) {
    int code = MPI_SUCCESS;
    detail::start_later(end_, *state_, code, detail::bound{code, handle_});
    if (handle_) mark_ = detail::mark_of<false>(*state_);
  }

  persistent_request(persistent_request&& other) noexcept
      : state_(std::move(other.state_)),
        handle_(std::exchange(other.handle_, {})),
        started_(std::exchange(other.started_, {})),
        told_(other.told_),
        mark_(other.mark_),
        end_(std::move(other.end_)) {}
  persistent_request& operator=(persistent_request&& other) noexcept {
    if (this == &other) return *this;
    this->~persistent_request();
    return *new (static_cast<void*>(this)) persistent_request(std::move(other));
  }
  [[gnu::always_inline]] ~persistent_request() {
    if (!handle_) return;
    const bool with_nobody = detail::is_with_nobody(*state_);  // before it may be moved
    if (!(pending() && leave())) detail::free_prepared(handle_, with_nobody);
  }

  /// Starts the operation. Throws if the previous start has not been completed by `wait` or `test`,
  /// because MPI still uses the buffers.
  nothing start() {
    return step<false>([this] {
      prepare();
      const int code = MPIGLOT_MPI(MPI_Start)(&handle_.native);
      if constexpr (has_partitions) {
        if (code == MPI_SUCCESS) mark_started();
      } else {
        started_ = code == MPI_SUCCESS;
      }
      return code;
    });
  }

  /// Completes the started operation; the buffers then hold the data. Returns at once if nothing
  /// was started.
  nothing wait() {
    if (!started_) return nothing();
    if (told_ != nobody) [[unlikely]]
      return conclude(known_code());
    return conclude(detail::wait_for(handle_, detail::status_for(*state_)));
  }

  /// Returns true if the started operation is complete; the buffers then hold the data, as after
  /// `wait`.
  [[nodiscard]] auto test() {
    int code = known_code();
    bool complete = true;
    if (pending()) {
      const auto outcome = detail::test_for(handle_, detail::status_for(*state_));
      code = outcome.code;
      complete = outcome.value || code != MPI_SUCCESS;
    }
    if constexpr (std::is_void_v<nothing>) {
      if (started_ && complete) conclude(code);
      return complete;
    } else {
      if (!complete) return std::optional<nothing>();
      return std::optional<nothing>(started_ ? conclude(code) : nothing());
    }
  }

  /// Cancels a started receive. Returns true if its message had already arrived.
  [[nodiscard]] bool cancel()
    requires(State::cancellable)
  {
    if (!pending()) return started_;
    mpi::status status;
    MPIGLOT_MPI(MPI_Cancel)(&handle_.native);
    const int code = detail::wait_for(handle_, status);
    if (code == MPI_SUCCESS && detail::was_cancelled(status)) {
      started_ = {};
      return false;
    }
    take_status(status);
    static_cast<void>(conclude(code));
    return true;
  }

  /// True if the operation was started and this request has not seen its completion yet. Makes no
  /// MPI call.
  [[nodiscard]] bool pending() const noexcept { return started_ && told_ == nobody; }

  // The partitions of a partitioned message (operations/partitioned.hpp), between `start` and `wait`.

  /// Marks a partition as ready to send (MPI_Pready). Several threads may call it at the same time.
  /// Throws `error` if the operation is not started or has no such partition; from level `normal` on,
  /// also if the partition was marked since the start. Nothing is marked then.
  void pready(int partition) const
    requires(State::sends_partitions)
  {
    detail::require_partition(partition, started_);
    state_->pready(partition, partition, handle_);
  }
  /// Marks the partitions from `first` to `last`, both included, as ready to send. Throws as `pready`
  /// does, and if `last` is less than `first`.
  void pready_range(int first, int last) const
    requires(State::sends_partitions)
  {
    detail::require_partitions(first, last, started_);
    state_->pready(first, last, handle_);
  }
  /// Marks these partitions, a range of `int`, as ready to send. Throws as `pready` does.
  template <class Partitions>
  void pready_list(const Partitions& partitions) const
    requires(State::sends_partitions)
  {
    if (!started_) [[unlikely]]
      detail::refuse_partition(0);
    for (const int partition : partitions) detail::require_partition(partition, started_);
    state_->pready_list(partitions, handle_);
  }
  /// Returns true if this partition has arrived (MPI_Parrived). Throws `error` if there is no such
  /// partition.
  [[nodiscard]] bool parrived(int partition) const
    requires(State::receives_partitions)
  {
    if (state_.empty()) [[unlikely]]
      detail::refuse_empty_request();
    detail::require_partition(partition, state_->all_partitions());
    return state_->parrived(handle_, partition);
  }

  /// The MPI handle, which this request still owns.
  [[nodiscard]] mpi::request_handle handle() const noexcept { return handle_; }

  // For `start_all`: the steps before and after the MPI call.
  void prepare() {
    if (started_) [[unlikely]]
      detail::refuse_argument(MPI_ERR_REQUEST, "it was started already; wait for it first");
    detail::prepare_as<detail::bound>(*state_);
    if (detail::mark_of<true>(*state_) != mark_) [[unlikely]]
      detail::refuse_moved_buffer();
    if constexpr (requires { State::starts_once(); })
      if (State::starts_once()) [[unlikely]]
        prepare_again();
  }
  /// Called after MPI has started the operation.
  void mark_started() noexcept {
    if constexpr (has_partitions)
      started_ = state_->restart();
    else
      started_ = true;
  }

  // For code that waits instead of this object (wait.hpp), as in `request`; this object keeps the
  // handle.
  [[nodiscard]] mpi::request_handle give_handle() const noexcept {
    return pending() ? handle_ : mpi::request_handle();
  }
  /// Takes the error code if `wait` returns the result later.
  void complete(int code) noexcept { told_ = code; }
  /// Takes what MPI left of the handle: nothing, if it freed an operation that failed.
  void keep(mpi::request_handle handle) noexcept { handle_ = handle; }
  /// As `lose` of `request`.
  void lose() noexcept {
    handle_ = {};
    told_ = lost;
  }
  /// True after `lose`, until `wait` or another function has told it.
  [[nodiscard]] bool is_lost() const noexcept { return told_ == lost; }
  /// True if other code has completed the operation.
  [[nodiscard]] bool ended() const noexcept { return !pending(); }
  /// Takes the status of the completion.
  void take_status(const mpi::status& status) noexcept {
    if constexpr (requires { state_->status.value; }) state_->status.value = status;
  }
  /// Finishes an operation that other code has completed, or throws its error.
  nothing conclude(int code) {
    started_ = {};
    told_ = nobody;
    return step<true>([this, code] {
      if (code == MPI_SUCCESS) state_->finish();
      return code;
    });
  }
  /// As `settle` of `request`: after an error, `wait()` throws it once more.
  void settle(int code, mpi::request_handle = {}) {
    if (!started_) return;
    if (told_ == nobody) told_ = code;
    told_ = known_code();
    if constexpr (!End::keeps_failures) {
      detail::settle_later<detail::bound>(end_, *state_, told_, {});
      started_ = {};
      told_ = nobody;
    }
  }
  /// The result of a request that is finished (for `wait_all` and its like).
  nothing take() { return wait(); }
  /// The rank that a receive is from, as far as it is known; else a negative number.
  [[nodiscard]] int source_of_message(const mpi::status& status) {
    return detail::source_of_message(*state_, status);
  }

 private:
  // Returns true if the operation is kept.
  bool leave() noexcept {
    if (detail::keeps_memory_of(*state_))
      return detail::leave_with(std::move(state_), handle_, State::cancellable, name);
    detail::leave(handle_, State::cancellable, name);
    return false;
  }
  template <bool Complete, class Action>
  nothing step(Action action) {
    if (state_.empty()) [[unlikely]]
      detail::refuse_empty_request();
    return detail::run_step<detail::bound, Complete>(end_, *state_, action);
  }

  [[nodiscard]] int known_code() const noexcept { return is_lost() ? detail::lost_error : told_; }

  // Where MPI starts a prepared operation only once.
  [[gnu::cold, gnu::noinline]] void prepare_again() {
    int code = MPI_SUCCESS;
    mpi::request_handle made;
    state_->call(detail::bound{code, made});
    mpi::detail::check(code, name);
    detail::free_prepared(std::exchange(handle_, made), detail::is_with_nobody(*state_));
  }

  static constexpr int nobody = -1;
  static constexpr int lost = -2;

  detail::boxed_state<State> state_;
  mpi::request_handle handle_;
  // Whether it is started; of a message in partitions their number while it is, else 0.
  std::conditional_t<has_partitions, int, bool> started_{};
  int told_ = nobody;     // the error code, if other code has completed the operation
  std::size_t mark_ = 0;  // what MPI was told
  [[no_unique_address]] End end_;
};

/// Starts several persistent requests by one MPI call. Throws on error.
template <class... Requests>
void start_all(Requests&... requests) {
  (requests.prepare(), ...);
  mpi::request_handle handles[] = {requests.handle()...};
  mpi::detail::check(
      MPIGLOT_MPI(MPI_Startall)(static_cast<int>(sizeof...(requests)), &handles[0].native),
      "MPI_Startall");
  (requests.mark_started(), ...);
}

}  // namespace mpiglot
