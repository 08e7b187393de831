// Coroutines: `co_await` on requests and on operations of a pool.
//
//   task<int> exchange(request_pool& pool, const communicator& comm, int other) {
//     pool.add(comm.isend(send_buf(comm.rank()), destination(other)));
//     co_return co_await comm.irecv(recv_buf(0), source(other));
//   }
//
//   request_pool pool;
//   auto left = exchange(pool, comm, 0);   // runs until its first co_await
//   auto right = exchange(pool, comm, 1);
//   compute();                             // overlaps with the messages
//   pool.wait_all();                       // resumes the coroutines
//   use(left.wait() + right.wait());
//
// There is no executor: a coroutine is resumed inside of the pool's functions that complete its
// operation (`wait_all`, `test_some`, ...), on the thread that calls them. Inside of a coroutine,
// use `co_await` and not the functions of the pool that wait.

#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include <mpiglot/request_pool.hpp>

namespace mpiglot {

template <class Value>
class task;

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_second_await() {
  refuse_argument(MPI_ERR_REQUEST, "another coroutine already awaits this operation");
}
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_to_wait_for_task() {
  refuse_argument(MPI_ERR_REQUEST, "this task awaits nothing that a pool of requests can complete");
}

/// The part of a pool that coroutines use.
struct awaiting_in_pool {
  static void watch(awaiting& waiter, pool_node& node) {
    if (node.waiter != nullptr) refuse_second_await();
    node.waiter = &waiter;
    waiter.node = &node;
    ++node.pool->actions_;
  }
  static void forget(awaiting& waiter) noexcept {
    if (waiter.node != nullptr) {
      --waiter.node->pool->actions_;
      waiter.node->waiter = nullptr;
      waiter.node = nullptr;
    } else if (waiter.pool != nullptr) {
      awaiting** each = &waiter.pool->ready_;
      while (*each != &waiter) each = &(*each)->next;
      waiter.pool->take_from_ready(each);
    }
  }
  /// Completes at least one operation of the pool and resumes coroutines, also if a coroutine of
  /// the pool calls this.
  static void advance(const awaiting& waiter) {
    request_pool& pool = waiter.node != nullptr ? *waiter.node->pool : *waiter.pool;
    struct restored {
      bool& flag;
      bool before;
      ~restored() { flag = before; }
    } const later{pool.resuming_, std::exchange(pool.resuming_, false)};
    if (waiter.node != nullptr)
      static_cast<void>(pool.complete_some(true));
    else
      pool.resume_ready();
  }
  static void rethrow(request_pool& pool) { pool.rethrow(); }
};

/// What a task awaits: an operation of a pool, or another task.
struct task_state {
  request_pool* pool = nullptr;
  awaiting* operation = nullptr;
  task_state* child = nullptr;
  std::coroutine_handle<> continuation;
  task_state* next_left = nullptr;

  /// Coroutines that exceptions have left: MPI may use their memory.
  static inline constinit task_state* left = nullptr;
  void leave() noexcept {
    next_left = __atomic_load_n(&left, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&left, &next_left, this, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
  }

  [[nodiscard]] awaiting* innermost() noexcept {
    task_state* each = this;
    while (each->child != nullptr) each = each->child;
    return each->operation;
  }
};

/// Awaits an operation of a pool. `Ticket` is `pooled_request<Value>`, or a reference to one.
template <class Ticket>
class ticket_awaiter : awaiting {
 public:
  explicit ticket_awaiter(Ticket&& ticket) : ticket_(static_cast<Ticket&&>(ticket)) {}
  ticket_awaiter(const ticket_awaiter&) = delete;
  ticket_awaiter& operator=(const ticket_awaiter&) = delete;
  ~ticket_awaiter() {
    awaiting_in_pool::forget(*this);
    if (of_ != nullptr) of_->operation = nullptr;
  }

  [[nodiscard]] bool await_ready() {
    pool_node* const awaited = ticket_.node_;
    return awaited == nullptr || !awaited->pending() || awaited->pool->test_one(*awaited);
  }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiting) {
    awaiting_in_pool::watch(*this, *ticket_.node_);
    waiting_ = waiting;
    this->resume = [](awaiting& self) { static_cast<ticket_awaiter&>(self).waiting_.resume(); };
    if constexpr (std::is_base_of_v<task_state, Promise>) {
      of_ = &waiting.promise();
      of_->operation = this;
    }
  }
  decltype(auto) await_resume() { return ticket_.wait(); }

 private:
  Ticket ticket_;
  std::coroutine_handle<> waiting_;
  task_state* of_ = nullptr;
};

/// Resumes the coroutine that awaits the task that has ended.
struct resume_parent {
  [[nodiscard]] static bool await_ready() noexcept { return false; }
  template <class Promise>
  [[nodiscard]] static std::coroutine_handle<> await_suspend(
      std::coroutine_handle<Promise> ended) noexcept {
    const std::coroutine_handle<> parent = ended.promise().continuation;
    return parent ? parent : std::noop_coroutine();
  }
  static void await_resume() noexcept {}
};

/// The result of a task.
template <class Value>
class task_result : public task_state {
 public:
  void unhandled_exception() noexcept { error_ = std::current_exception(); }
  template <class Given>
  void return_value(Given&& given) {
    value_.emplace(static_cast<Given&&>(given));
  }
  [[nodiscard]] Value take() {
    if (error_) std::rethrow_exception(error_);
    return static_cast<Value&&>(*value_);
  }

 private:
  std::exception_ptr error_;
  std::optional<Value> value_;
};
template <>
class task_result<void> : public task_state {
 public:
  void unhandled_exception() noexcept { error_ = std::current_exception(); }
  void return_void() noexcept {}
  void take() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::exception_ptr error_;
};

}  // namespace detail

/// Awaits an operation of a pool; the result of `co_await` is that of `ticket.wait()`. In any
/// coroutine, not only in a `task`.
template <class Value>
[[nodiscard]] auto operator co_await(pooled_request<Value>& ticket) {
  return detail::ticket_awaiter<pooled_request<Value>&>(ticket);
}
/// As above, for a temporary.
template <class Value>
[[nodiscard]] auto operator co_await(pooled_request<Value>&& ticket) {
  return detail::ticket_awaiter<pooled_request<Value>>(std::move(ticket));
}

/// A coroutine that returns a `Value`. Its first parameter (of a member function, the first after
/// the object) is a `request_pool&`, which completes the requests that it awaits. It runs at once
/// until it first awaits an operation that is not complete. Movable, not copyable.
///
/// The destructor of a task that is not done waits until it is done, and drops its result; during
/// stack unwinding it does not wait, and leaves the memory of the coroutine to MPI.
template <class Value = void>
class [[nodiscard]] task {
  static_assert(!std::is_reference_v<Value>, "mpiglot: a task returns a value, not a reference");

 public:
  struct promise_type;

  task(task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  /// First ends the task that this object held, as its destructor would.
  task& operator=(task&& other) noexcept {
    if (this != &other) {
      end();
      frame_ = std::exchange(other.frame_, nullptr);
    }
    return *this;
  }
  ~task() { end(); }

  /// True if the coroutine has not ended yet.
  [[nodiscard]] bool pending() const noexcept { return frame_ != nullptr && !frame_.done(); }

  /// Completes operations of the pool until the task is done, and returns its result or throws its
  /// exception. Call it once; in a coroutine, use `co_await` instead.
  Value wait() {
    if (frame_ == nullptr) detail::refuse_empty_request();
    if (frame_.promise().continuation) detail::refuse_second_await();
    while (!frame_.done()) {
      if (!can_advance()) detail::refuse_to_wait_for_task();
      advance();
      detail::awaiting_in_pool::rethrow(*frame_.promise().pool);
    }
    return take();
  }

  /// Awaits the task in another coroutine; the result is that of `wait()`.
  [[nodiscard]] auto operator co_await() { return awaiter{*this}; }

 private:
  using handle = std::coroutine_handle<promise_type>;

  struct awaiter {
    task& of;
    detail::task_state* parent = nullptr;

    [[nodiscard]] bool await_ready() const {
      if (of.frame_ == nullptr) detail::refuse_empty_request();
      if (of.frame_.promise().continuation) detail::refuse_second_await();
      return of.frame_.done();
    }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> waiting) noexcept {
      of.frame_.promise().continuation = waiting;
      if constexpr (std::is_base_of_v<detail::task_state, Promise>) {
        parent = &waiting.promise();
        parent->child = &of.frame_.promise();
      }
    }
    Value await_resume() {
      if (parent != nullptr) parent->child = nullptr;
      return of.take();
    }
  };

  explicit task(handle frame) noexcept : frame_(frame) {}

  [[nodiscard]] bool can_advance() const noexcept {
    const detail::awaiting* const on = frame_.promise().innermost();
    return on != nullptr && (on->node != nullptr || on->pool != nullptr);
  }
  void advance() { detail::awaiting_in_pool::advance(*frame_.promise().innermost()); }

  Value take() {
    struct destroy_later {
      task& of;
      ~destroy_later() { std::exchange(of.frame_, nullptr).destroy(); }
    } const later{*this};
    return frame_.promise().take();
  }

  void end() noexcept {
    detail::kept_failure of_mpi;
    while (pending() && !detail::unwinding() && can_advance() && !of_mpi.any())
      of_mpi.attempt([this] { advance(); });
    if (frame_ == nullptr) return;
    if (pending() && (detail::unwinding() || of_mpi.any())) {
      if (detail::awaiting* const on = frame_.promise().innermost(); on != nullptr)
        detail::awaiting_in_pool::forget(*on);
      std::exchange(frame_, nullptr).promise().leave();
      return;
    }
    std::exchange(frame_, nullptr).destroy();
  }

  handle frame_;
};

/// The promise of a task.
template <class Value>
struct task<Value>::promise_type : detail::task_result<Value> {
  /// For a function whose first parameter is the pool.
  template <class... A>
  explicit promise_type(request_pool& of, const A&...) noexcept {
    this->pool = &of;
  }
  /// For a member function, or a lambda.
  template <class Object, class... A>
    requires(!std::is_same_v<std::remove_cvref_t<Object>, request_pool>)
  promise_type(const Object&, request_pool& of, const A&...) noexcept {
    this->pool = &of;
  }
  /// A task takes its request_pool& as the first parameter.
  promise_type() = delete;

  /// Returns the task.
  [[nodiscard]] task get_return_object() noexcept { return task(handle::from_promise(*this)); }
  /// Runs at once.
  [[nodiscard]] static std::suspend_never initial_suspend() noexcept { return {}; }
  /// Resumes the coroutine that awaits this one.
  [[nodiscard]] static detail::resume_parent final_suspend() noexcept { return {}; }

  /// Adds a request to the pool and awaits it; passes on everything else.
  template <class Awaited>
  decltype(auto) await_transform(Awaited&& awaited) {
    if constexpr (detail::pooled<std::remove_cvref_t<Awaited>>) {
      using value = typename std::remove_cvref_t<Awaited>::value_type;
      return detail::ticket_awaiter<pooled_request<value>>(
          this->pool->add(static_cast<std::remove_reference_t<Awaited>&&>(awaited)));
    } else {
      return static_cast<Awaited&&>(awaited);
    }
  }
};

}  // namespace mpiglot
