// Request pools: a pool owns requests of any types and completes them together.
//
//   request_pool pool;                                 // grows
//   auto theirs = pool.add(comm.irecv(recv_buf(std::vector<int>()), recv_count(9), source(1)));
//   pool.add(comm.isend(send_buf(mine), destination(1)));
//   pool.wait_all();
//   std::vector<int> values = theirs.wait();           // is there already
//
//   request_pool few(8);                               // at most eight at once
//   for (const auto& [to, words] : letters)
//     few.add([&] { return comm.isend(send_buf(as_serialized(words)), destination(to)); });
// A pool allocates one node for each pending operation and reuses the nodes; a pool with a limit
// allocates all of them when it is created.

#pragma once

#include <cstddef>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <mpiglot/detail/base/in_flight.hpp>
#include <mpiglot/detail/requests/pool_node.hpp>
#include <mpiglot/detail/requests/together.hpp>
#include <mpiglot/parameters.hpp>
#include <mpiglot/request.hpp>
#include <mpiglot/mpi/pt2pt.hpp>
#include <mpiglot/mpi/environment.hpp>

namespace mpiglot {

class request_pool;

namespace detail {
template <class Value>
class ticket_awaiter;
struct awaiting_in_pool;
}  // namespace detail

/// The handle of an operation in a pool, from which its result can be taken. It may be dropped if
/// the result is not needed. It may outlive the pool, and has the result then; it is empty if an
/// exception dropped the pool.
template <class Value>
class pooled_request {
 public:
  pooled_request(pooled_request&& other) noexcept
      : node_(std::exchange(other.node_, nullptr)), number_(other.number_) {
    if (node_ != nullptr) node_->ticket = &node_;
  }
  pooled_request& operator=(pooled_request&& other) noexcept {
    if (this == &other) return *this;
    release();
    node_ = std::exchange(other.node_, nullptr);
    number_ = other.number_;
    if (node_ != nullptr) node_->ticket = &node_;
    return *this;
  }
  ~pooled_request() { release(); }

  /// Completes the operation if necessary, and returns its result or throws its error. Call it
  /// once.
  Value wait();
  /// Returns the result if the operation is complete, else an empty optional. For an operation
  /// without result, returns true if it is complete.
  [[nodiscard]] auto test();

  /// True if the pool has not seen the completion of the operation yet. Makes no MPI call.
  [[nodiscard]] bool pending() const noexcept { return node_ != nullptr && node_->pending(); }
  /// The number of this operation: operations of a pool are numbered from 0 in the order of `add`.
  /// `wait_any` returns this number.
  [[nodiscard]] std::size_t number() const noexcept { return number_; }

 private:
  friend class request_pool;
  template <class>
  friend class detail::ticket_awaiter;
  using node = detail::node_with<Value>;

  explicit pooled_request(node* made) noexcept : node_(made), number_(made->number) {
    node_->ticket = &node_;
  }
  void release() noexcept;
  Value take();

  detail::pool_node* node_;
  std::size_t number_;
};

/// A set of requests that are completed together, in any order. Only one thread may use a pool at a
/// time. A pool that was moved from is empty and keeps its limit; its pooled requests then belong
/// to the new pool. An action must not move or destroy its own pool.
///
/// The error of an operation is thrown by the `wait` of its `pooled_request`. If that was dropped,
/// or if the operation has an action, the next call that waits or tests throws the error, after it
/// has processed all other complete operations.
///
/// The destructor does what `wait_all` does: it completes pending operations and runs their actions.
/// So what an action refers to must live as long as the pool, as buffers must. An error that it would
/// throw is printed. During stack unwinding it waits for nothing and runs no action. Each pending
/// operation ends as its request would, and a sentence is printed if a message had arrived.
class request_pool {
 public:
  /// A pool without a limit.
  request_pool() noexcept = default;
  /// A pool of at most `limit` pending operations (at least one). If the pool is full, `add` first
  /// completes one operation. Therefore, of any `limit` operations in the pool, one must be able to
  /// complete without those that are added later. Example: for messages to oneself or in a ring,
  /// the limit must include the receives, and the receives must be added first.
  explicit request_pool(std::size_t limit) : limit_(limit == 0 ? 1 : limit) {
    nodes_.reserve(limit_);
    make_room(limit_);
  }
  request_pool(request_pool&& other) noexcept;
  /// Completes what it held before, as its destructor would.
  request_pool& operator=(request_pool&& other) noexcept {
    if (this == &other) return *this;
    this->~request_pool();
    return *new (static_cast<void*>(this)) request_pool(std::move(other));
  }
  ~request_pool();

  /// Adds a request, or calls a function that starts one and adds it. A pool with a limit makes
  /// room before the function is called.
  template <class Start>
  auto add(Start&& start) {
    if constexpr (!detail::is_for_pool<Start>) {
      static_assert(detail::is_for_pool<Start>,
                    "mpiglot: a pool takes a request or what starts one");
      return detail::anything<1>();
    } else if constexpr (detail::is_named_request<Start>) {
      static_assert(!detail::is_named_request<Start>,
                    "mpiglot: a pool takes over a request: write pool.add(std::move(request))");
      return detail::anything<1>();
    } else if constexpr (std::is_invocable_v<Start&>) {
      keep_to_limit();
      return add(start());
    } else if constexpr (detail::pooled<std::remove_cvref_t<Start>>) {
      keep_to_limit();
      using request = std::remove_cvref_t<Start>;
      using made_of = detail::node_of<request, void>;
      auto* const made = insert<made_of>(static_cast<Start&&>(start));
      return pooled_request<typename request::value_type>(made);
    } else {
      return detail::anything<1>();
    }
  }

  /// As above, with an action for the result: `action(value)`, or `action()` for an operation
  /// without result. The call that sees the completion runs the action. The action may add to the
  /// pool.
  template <class Start, class Action>
  void add(Start&& start, Action&& action) {
    if constexpr (!detail::is_for_pool<Start>) {
      static_assert(detail::is_for_pool<Start>,
                    "mpiglot: a pool takes a request or what starts one");
    } else if constexpr (detail::is_named_request<Start>) {
      static_assert(!detail::is_named_request<Start>,
                    "mpiglot: a pool takes over a request: write pool.add(std::move(request))");
    } else if constexpr (std::is_invocable_v<Start&>) {
      keep_to_limit();
      add(start(), static_cast<Action&&>(action));
    } else if constexpr (detail::refused_already<std::remove_cvref_t<Start>>) {
      return;
    } else if constexpr (detail::pooled<std::remove_cvref_t<Start>> &&
                         !detail::is_action<Action, std::remove_cvref_t<Start>>) {
      static_assert(detail::is_action<Action, std::remove_cvref_t<Start>>,
                    "mpiglot: the action cannot be called with the result of the operation, or "
                    "with nothing where the operation has no result");
    } else if constexpr (detail::pooled<std::remove_cvref_t<Start>> &&
                         detail::still_action<Action, std::remove_cvref_t<Start>>) {
      keep_to_limit();
      using made_of = detail::node_of<std::remove_cvref_t<Start>, std::remove_cvref_t<Action>>;
      insert<made_of>(static_cast<Start&&>(start), static_cast<Action&&>(action));
    }
  }

  /// The number of pending operations.
  [[nodiscard]] std::size_t pending() const noexcept { return size_; }

  /// Completes all operations, and those that actions add.
  void wait_all() {
    complete_with_actions();
    rethrow();
  }
  /// As above, with the status of each operation, in the order in which they were added (include
  /// wait.hpp).
  template <class Array, resize_policy Policy>
  auto wait_all(parameter<keys::statuses_out, Array, Policy> statuses);
  /// Completes the operations that MPI has finished. Returns true if none is pending any more.
  [[nodiscard]] bool test_all() {
    static_cast<void>(complete_some(false));
    rethrow();
    return size_ == 0;
  }
  /// Completes one operation and returns its number. Empty if none is pending.
  std::optional<std::size_t> wait_any() { return any(true); }
  /// Completes one operation that MPI has finished, and returns its number. Empty if there is none.
  [[nodiscard]] std::optional<std::size_t> test_any() { return any(false); }
  /// Waits until MPI has finished at least one operation, completes all finished ones, and returns
  /// their number.
  std::size_t wait_some() {
    const std::size_t count = complete_some(true);
    rethrow();
    return count;
  }
  /// Completes the operations that MPI has finished, and returns their number.
  std::size_t test_some() {
    const std::size_t count = complete_some(false);
    rethrow();
    return count;
  }
  /// `wait_some` with the statuses of the completed operations, in the order in which they were
  /// added (include wait.hpp).
  template <class Array, resize_policy Policy>
  auto wait_some(parameter<keys::statuses_out, Array, Policy> statuses);
  /// `test_some` with the statuses of the completed operations, in the order in which they were
  /// added (include wait.hpp).
  template <class Array, resize_policy Policy>
  auto test_some(parameter<keys::statuses_out, Array, Policy> statuses);
  /// As above, and stores the status of the completed operation.
  std::optional<std::size_t> wait_any(parameter<keys::status_out, mpi::status&> to) {
    return any(true, &to.value);
  }
  /// As above, and stores the status of the completed operation.
  [[nodiscard]] std::optional<std::size_t> test_any(parameter<keys::status_out, mpi::status&> to) {
    return any(false, &to.value);
  }

 private:
  template <class>
  friend class pooled_request;
  friend struct detail::awaiting_in_pool;
  template <class>
  friend class detail::ticket_awaiter;
  using node = detail::pool_node;
  struct told {
    std::size_t number;
    mpi::status status;
  };

  template <class Node, class... A>
  Node* insert(A&&... a) {
    make_room(size_ + 1);
    Node* const made = nodes_.make<Node>(static_cast<A&&>(a)...);
    made->pool = this;
    made->number = started_++;
    made->slot = size_;
    made->link(&all_);
    if (made->acts()) ++actions_;
    handles_[size_] = made->give_handle();
    made->begun = static_cast<bool>(handles_[size_]);
    if (made->files) ++files_;
    active_[size_++] = made;
    return made;
  }

  void make_room(std::size_t size) {
    if (handles_.size() >= size) return;
    const std::size_t room = size < 16 ? 16 : 2 * size;
    active_.resize(room);
    statuses_.resize(room);
    indices_.resize(room);
    handles_.resize(room);
  }

  void abandon() noexcept;
  void complete_for_good() noexcept;

  std::optional<std::size_t> any(bool wait, mpi::status* to = nullptr) {
    const auto number = complete_any(wait, to);
    rethrow();
    return number;
  }
  template <class Array, resize_policy Policy, class Complete>
  auto with_statuses(parameter<keys::statuses_out, Array, Policy>& statuses, Complete complete);

  void keep_to_limit() {
    while (limit_ != 0 && size_ >= limit_) static_cast<void>(complete_any(true, nullptr));
  }

  [[nodiscard]] std::span<mpi::request_handle> handles() noexcept {
    return {handles_.data(), size_};
  }

  // Removes slot i from the arrays and stores its result for later processing.
  void detach(std::size_t i, int code, const mpi::status& status) noexcept {
    node* const done = active_[i];
    done->slot = node::none;
    if (done->acts() || done->waiter != nullptr) --actions_;
    done->code = done->lost ? detail::lost_error : code;
    if (done->begun || !done->files) done->status = status;
    if (done->lost) [[unlikely]]
      --lost_;
    if (done->files) [[unlikely]]
      --files_;
    if (told_ != nullptr) {
      const told each{done->number, done->status};
      told_->append(&each, 1);
    }
    done->next_done = nullptr;
    // Open MPI keeps a request that failed.
    if (handles_[i]) static_cast<void>(mpi::nothrow::request_free(handles_[i]));
    *last_done_ = done;
    last_done_ = &done->next_done;
    if (i != --size_) {
      active_[i] = active_[size_];
      active_[i]->slot = i;
      handles_[i] = handles_[size_];
    }
  }

  // Processes completed operations: results, actions and coroutines. An action or a coroutine may
  // add to the pool.
  void deal_with_done() noexcept {
    while (done_ != nullptr) {
      node* const each = done_;
      done_ = each->next_done;
      if (done_ == nullptr) last_done_ = &done_;
      each->complete(failure_);
      if (each->waiter != nullptr) [[unlikely]]
        make_ready(std::exchange(each->waiter, nullptr));
      if (each->ticket == nullptr) nodes_.destroy(each);
    }
    if (ready_ != nullptr) [[unlikely]]
      resume_ready();
  }

  void make_ready(detail::awaiting* waiter) noexcept {
    waiter->node = nullptr;
    waiter->pool = this;
    waiter->next = nullptr;
    *last_ready_ = waiter;
    last_ready_ = &waiter->next;
  }

  void take_from_ready(detail::awaiting** where) noexcept {
    detail::awaiting* const taken = *where;
    *where = taken->next;
    if (*where == nullptr) last_ready_ = where;
    taken->pool = nullptr;
  }

  // One coroutine after another, never one inside of another, which would fill the stack.
  void resume_ready() noexcept {
    if (resuming_) return;
    resuming_ = true;
    while (ready_ != nullptr) {
      detail::awaiting* const each = ready_;
      take_from_ready(&ready_);
      failure_.attempt([each] { each->resume(*each); });
    }
    resuming_ = false;
  }

  // All, and those that actions add.
  void complete_with_actions() {
    // An action must not wait for the other operations, because they may depend on those that it
    // starts.
    while (actions_ > 0) static_cast<void>(complete_some(true));
    while (size_ > 0) complete_all();
  }

  void complete_all() {
    const std::size_t n = size_;
    const int code = detail::wait_for_all<false>(handles(), {statuses_.data(), n});
    // MPI returns the error of a single request directly; otherwise, each status has its error.
    const bool each_has_its_own = code != MPI_SUCCESS && is_in_status(code);
    for (std::size_t i = n; i-- > 0;) {
      const int own = each_has_its_own ? statuses_[i].error() : code;
      const bool complete =
          own == MPI_SUCCESS || (each_has_its_own ? !is_pending(own) : !handles_[i]);
      if (complete) detach(i, own, statuses_[i]);
    }
    if (code != MPI_SUCCESS) {
      lose_untold();
      if (size_ == n && lost_ == 0) mpi::detail::raise(code, "MPI_Waitall");
    }
    deal_with_done();
  }

  [[nodiscard]] std::optional<std::size_t> complete_any(bool wait, mpi::status* to) {
    if (size_ == 0) return std::nullopt;
    mpi::status status;
    const bool is_lost = lost_ > 0;
    const auto done = is_lost ? detail::completed_one{detail::lost_error, first_lost(), false}
                      : asks_alone() ? one_asked_alone(wait, status)
                                     : detail::complete_one_of(wait, handles(), status);
    if (!done.index && !done.all_inactive) return std::nullopt;
    const std::size_t index = done.index.value_or(0);
    const std::size_t number = active_[index]->number;
    if (to != nullptr) *to = status;
    detach(index, done.code, status);
    if (done.code != MPI_SUCCESS && !is_lost) lose_untold();
    deal_with_done();
    return number;
  }

  [[nodiscard]] std::size_t complete_some(bool wait) {
    const std::size_t n = size_;
    if (n == 0) return 0;
    const std::span<int> indices(indices_.data(), n);
    mpi::statuses_out out{std::span<mpi::status>(statuses_.data(), n)};
    const auto outcome = asks_alone()         ? some_asked_alone(wait && lost_ == 0, indices)
                         : wait && lost_ == 0 ? mpi::nothrow::waitsome(handles(), indices, out)
                                              : mpi::nothrow::testsome(handles(), indices, out);
    const bool each_has_its_own = is_in_status(outcome.code);
    if (outcome.code != MPI_SUCCESS && !each_has_its_own)
      mpi::detail::raise(outcome.code, "MPI_Waitsome");
    if (outcome.value == MPI_UNDEFINED) return complete_inactive();
    if (outcome.value <= 0 && lost_ == 0) return 0;
    // Mark all of them first, because removing one from the arrays moves another one.
    auto count = static_cast<std::size_t>(outcome.value < 0 ? 0 : outcome.value);
    for (std::size_t k = 0; k < count; ++k) {
      node* const done = active_[static_cast<std::size_t>(indices[k])];
      done->code = each_has_its_own ? statuses_[k].error() : MPI_SUCCESS;
      done->status = statuses_[k];
      done->next_done = k + 1 < count ? active_[static_cast<std::size_t>(indices[k + 1])] : nullptr;
    }
    node* each = count > 0 ? active_[static_cast<std::size_t>(indices[0])] : nullptr;
    for (std::size_t k = 0; k < count; ++k) {
      node* const next = each->next_done;
      detach(each->slot, each->code, each->status);
      each = next;
    }
    if (each_has_its_own) lose_untold();
    for (; lost_ > 0; ++count) detach(*first_lost(), detail::lost_error, mpi::status());
    deal_with_done();
    return count;
  }

  // Each by itself (defect file-requests-in-testall).
  [[nodiscard]] bool asks_alone() const noexcept { return files_ > 0 && detail::asks_files_alone; }
  [[nodiscard]] std::size_t ask_each(bool wait, std::span<int> indices) {
    return detail::ask_each(wait, handles(), indices, {statuses_.data(), size_},
                            [this](std::size_t i) { return !active_[i]->lost; });
  }
  [[nodiscard, gnu::cold, gnu::noinline]] detail::completed_one one_asked_alone(
      bool wait, mpi::status& status) {
    int index = 0;
    if (ask_each(wait, {&index, 1}) == 0) return {MPI_SUCCESS, std::nullopt, false};
    status = statuses_[0];
    return {status.error(), static_cast<std::size_t>(index), false};
  }
  [[nodiscard, gnu::cold, gnu::noinline]] mpi::result<int> some_asked_alone(
      bool wait, std::span<int> indices) {
    return {MPI_ERR_IN_STATUS, static_cast<int>(ask_each(wait, indices))};
  }

  // After an error: those whose handles MPI has freed without telling are lost, and reported later.
  void lose_untold() noexcept {
    for (std::size_t i = 0; i < size_; ++i) {
      if (handles_[i] || !active_[i]->begun || active_[i]->lost) continue;
      active_[i]->lost = true;
      ++lost_;
    }
  }
  [[nodiscard]] std::optional<std::size_t> first_lost() const noexcept {
    for (std::size_t i = 0; i < size_; ++i)
      if (active_[i]->lost) return i;
    return std::nullopt;
  }

  // Completes the operations that were complete when they were added. MPI has no handle for them,
  // and reports them only when no other request is left.
  [[nodiscard]] std::size_t complete_inactive() {
    const std::size_t count = size_;
    while (size_ > 0) detach(size_ - 1, MPI_SUCCESS, mpi::status());
    deal_with_done();
    return count;
  }

  // Completes one operation for its pooled_request.
  void complete_one(node& wanted) {
    if (wanted.slot == node::none) return deal_with_done();  // called by an action
    mpi::status status;
    const int code = mpi::nothrow::wait(handles_[wanted.slot], status).code;
    detach(wanted.slot, code, status);
    deal_with_done();
  }
  [[nodiscard]] bool test_one(node& wanted) {
    if (wanted.slot == node::none) {
      deal_with_done();
      return true;
    }
    mpi::status status;
    const auto outcome = mpi::nothrow::test(handles_[wanted.slot], status);
    if (outcome.code == MPI_SUCCESS && !outcome.value) return false;
    detach(wanted.slot, outcome.code, status);
    deal_with_done();
    return true;
  }

  [[nodiscard]] static bool is_in_status(int code) noexcept {
    return code != MPI_SUCCESS && mpi::nothrow::error_class_(code).value == MPI_ERR_IN_STATUS;
  }
  [[nodiscard]] static bool is_pending(int code) noexcept {
    return code != MPI_SUCCESS && mpi::nothrow::error_class_(code).value == MPI_ERR_PENDING;
  }

  void rethrow() { failure_.rethrow(); }

  std::size_t limit_ = 0;  // 0: none
  std::size_t size_ = 0;
  std::size_t started_ = 0;
  std::size_t actions_ = 0;                     // the number of pending operations with an action
  std::size_t lost_ = 0;                        // see `lose_untold`
  std::size_t files_ = 0;                       // of pending accesses to files
  detail::block<mpi::request_handle> handles_;  // the first `size_` of them
  detail::block<node*> active_;
  detail::block<mpi::status> statuses_;
  detail::block<int> indices_;
  detail::block<told>* told_ = nullptr;  // where to store the requested statuses
  node* all_ = nullptr;                  // nodes that are pending, or whose result was not taken
                                         // yet
  node* done_ = nullptr;
  node** last_done_ = &done_;
  detail::awaiting* ready_ = nullptr;  // coroutines to resume
  detail::awaiting** last_ready_ = &ready_;
  bool resuming_ = false;
  detail::kept_failure failure_;
  detail::node_store nodes_;
};

inline request_pool::request_pool(request_pool&& other) noexcept
    : limit_(other.limit_),
      size_(std::exchange(other.size_, 0)),
      started_(std::exchange(other.started_, 0)),
      actions_(std::exchange(other.actions_, 0)),
      lost_(std::exchange(other.lost_, 0)),
      files_(std::exchange(other.files_, 0)),
      handles_(std::move(other.handles_)),
      active_(std::move(other.active_)),
      statuses_(std::move(other.statuses_)),
      indices_(std::move(other.indices_)),
      all_(std::exchange(other.all_, nullptr)),
      failure_(std::move(other.failure_)),
      nodes_(std::move(other.nodes_)) {
  if (all_ != nullptr) all_->previous = &all_;
  for (node* each = all_; each != nullptr; each = each->next) each->pool = this;
}

// While an exception unwinds: nothing waits for a message that may never come.
inline void request_pool::abandon() noexcept {
  const std::size_t n = size_;
  for (std::size_t i = 0; i < n; ++i) {
    if (!handles_[i]) continue;
    if (active_[i]->cancellable())
      MPIGLOT_MPI(MPI_Cancel)(&handles_[i].native);
    else
      active_[i]->leave(std::exchange(handles_[i], {}));
  }
  static_cast<void>(detail::wait_for_all<false>(handles(), {statuses_.data(), n}));
  std::size_t arrived = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (active_[i]->cancellable() && !detail::was_cancelled(statuses_[i])) ++arrived;
  if (arrived != 0) detail::tell_lost_results(arrived);
}

inline void request_pool::complete_for_good() noexcept {
  // Coroutines stay suspended.
  for (node* each = all_; each != nullptr; each = each->next) {
    if (each->waiter == nullptr) continue;
    each->waiter->node = nullptr;
    each->waiter = nullptr;
    if (each->slot != node::none) --actions_;
  }
  detail::kept_failure of_mpi;
  while (size_ > 0 && of_mpi.attempt([this] { complete_with_actions(); })) {
  }
  if (of_mpi.any())
    static_cast<void>(detail::wait_for_all<false>(handles(), {statuses_.data(), size_}));
  if (failure_.any()) detail::tell_dropped(failure_);
  if (of_mpi.any()) detail::tell_dropped(of_mpi);
}

inline request_pool::~request_pool() {
  if (size_ > 0 && !detail::mpi_is_over()) {
    if (detail::unwinding())
      abandon();
    else
      complete_for_good();
  }
  while (all_ != nullptr) {
    node* const each = all_;
    if (each->ticket != nullptr && !each->pending()) {
      each->outlive_pool();
      continue;
    }
    if (each->ticket != nullptr) *each->ticket = nullptr;
    nodes_.destroy(each);
  }
}

template <class Value>
void pooled_request<Value>::release() noexcept {
  if (node_ == nullptr) return;
  node_->ticket = nullptr;
  if (node_->pool == nullptr)
    detail::node_store::free(node_);
  else if (!node_->pending())
    node_->pool->nodes_.destroy(node_);
  node_ = nullptr;
}

template <class Value>
Value pooled_request<Value>::take() {
  struct release_later {
    pooled_request& of;
    ~release_later() { of.release(); }
  } const later{*this};
  return static_cast<node*>(node_)->take();
}

template <class Value>
Value pooled_request<Value>::wait() {
  if (node_ == nullptr) detail::refuse_empty_request();
  if (node_->pending()) node_->pool->complete_one(*node_);
  return take();
}

template <class Value>
auto pooled_request<Value>::test() {
  if (node_ == nullptr) detail::refuse_empty_request();
  const bool complete = !node_->pending() || node_->pool->test_one(*node_);
  if constexpr (std::is_void_v<Value>) {
    if (complete) take();
    return complete;
  } else {
    return complete ? std::optional<Value>(take()) : std::nullopt;
  }
}

}  // namespace mpiglot
