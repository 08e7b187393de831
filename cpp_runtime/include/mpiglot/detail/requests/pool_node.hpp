// What a request pool keeps for one operation.

#pragma once

#include <cstddef>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include <mpiglot/detail/arguments/explain.hpp>
#include <mpiglot/detail/base/failure.hpp>
#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/requests/one_by_one.hpp>
#include <mpiglot/request.hpp>

namespace mpiglot {

class request_pool;

namespace detail {

struct pool_node;

/// A coroutine that awaits an operation of a pool (coroutine.hpp).
struct awaiting {
  void (*resume)(awaiting&) = nullptr;
  pool_node* node = nullptr;     // while the operation is pending
  request_pool* pool = nullptr;  // while the coroutine is in the pool's list of those to resume
  awaiting* next = nullptr;      // in that list
};

/// One operation, whatever its type.
struct pool_node {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  pool_node() noexcept = default;
  pool_node(const pool_node&) = delete;
  pool_node& operator=(const pool_node&) = delete;
  virtual ~pool_node() {
    if (waiter != nullptr) waiter->node = nullptr;
    unlink();
  }
  void unlink() noexcept {
    if (previous != nullptr) *previous = next;
    if (next != nullptr) next->previous = previous;
    previous = nullptr;
    next = nullptr;
  }
  /// The pool goes; the `pooled_request`, which has the result, owns this node now.
  void outlive_pool() noexcept {
    unlink();
    pool = nullptr;
  }

  /// Whether its result is not there yet.
  [[nodiscard]] bool pending() const noexcept { return !concluded; }

  /// After MPI has completed it: unpacks, keeps the result or runs the action. What goes wrong is kept
  /// for the ticket if there is one, else in `of_pool`.
  virtual void complete(kept_failure& of_pool) noexcept = 0;
  /// MPI's handle, which the pool completes from now on.
  virtual mpi::request_handle give_handle() noexcept = 0;
  /// Leaves the pending operation, whose handle the pool has, as its request would.
  virtual void leave(mpi::request_handle handle) noexcept = 0;
  [[nodiscard]] virtual bool acts() const noexcept = 0;
  [[nodiscard]] virtual bool cancellable() const noexcept = 0;
  [[nodiscard]] virtual const char* name() const noexcept = 0;
  [[nodiscard]] virtual std::size_t size() const noexcept = 0;

  void link(pool_node** first) noexcept {
    next = *first;
    previous = first;
    if (next != nullptr) next->previous = &next;
    *first = this;
  }

  request_pool* pool = nullptr;
  pool_node** ticket = nullptr;  // where a `pooled_request` refers to this
  pool_node** previous = nullptr;
  pool_node* next = nullptr;
  pool_node* next_done = nullptr;
  awaiting* waiter = nullptr;
  std::size_t slot = none;  // in the arrays that MPI is given, until it is complete
  std::size_t number = 0;
  int code = MPI_SUCCESS;
  bool concluded = false;
  bool begun = false;  // it had a handle
  bool lost = false;   // MPI has freed that without telling
  bool files = false;  // it is an access to a file
  mpi::status status;
};

/// The result of an operation, until it is asked for.
template <class Value>
struct node_with : pool_node {
  [[nodiscard]] Value take() {
    failure.rethrow();
    return static_cast<Value&&>(*value);
  }
  template <class Give>
  void keep(Give give) {
    value.emplace(give());
  }

  kept_failure failure;
  std::optional<Value> value;
};

template <>
struct node_with<void> : pool_node {
  void take() { failure.rethrow(); }
  template <class Give>
  static void keep(Give give) {
    give();
  }

  kept_failure failure;
};

/// What a pool takes.
template <class T>
concept pooled = requires(T& request, const mpi::status& status) {
  typename T::value_type;
  request.give_handle();
  request.take_status(status);
};
// A variable, of which compilers say less than of a concept.
template <class T>
inline constexpr bool is_for_pool = pooled<std::remove_cvref_t<T>> || refused_already<T>;
template <class T>
  requires std::is_invocable_v<T&>
inline constexpr bool is_for_pool<T> = is_for_pool<std::invoke_result_t<T&>>;

/// A variable that holds a request, which a pool cannot take over.
template <class T>
inline constexpr bool is_named_request =
    std::is_lvalue_reference_v<T> && pooled<std::remove_cvref_t<T>>;

/// Whether an action can be called with what an operation gives.
template <class Action, class Request>
inline constexpr bool is_action =
    std::is_invocable_v<std::remove_cvref_t<Action>&, typename Request::value_type>;
template <class Action, class Request>
  requires std::is_void_v<typename Request::value_type>
inline constexpr bool is_action<Action, Request> =
    std::is_invocable_v<std::remove_cvref_t<Action>&>;

template <class Action, class Request>
  requires(has_body_to_come<std::remove_cvref_t<Action>> &&
           !std::is_void_v<typename Request::value_type>)
inline constexpr bool is_action<Action, Request> = call_is_right<
    typename tried_call<std::remove_cvref_t<Action>, typename Request::value_type>::type, void>;

// After an error in the body of an action nothing of it must be compiled again.
template <class Action, class Request>
inline constexpr bool still_action =
    std::is_invocable_v<std::remove_cvref_t<Action>&, typename Request::value_type>;
template <class Action, class Request>
  requires std::is_void_v<typename Request::value_type>
inline constexpr bool still_action<Action, Request> = is_action<Action, Request>;

/// An operation with an action for its result, or (void) without.
template <class Request, class Action>
struct node_of final : node_with<typename Request::value_type> {
  using value_type = typename Request::value_type;
  struct no_action {};
  using action_type = std::conditional_t<std::is_void_v<Action>, no_action, Action>;

  template <class... A>
  explicit node_of(Request&& started, A&&... actions)
      : request(static_cast<Request&&>(started)), action(static_cast<A&&>(actions)...) {
    if constexpr (of_file<Request>) {
      this->files = true;
      this->status = request.told_status();
    }
  }

  void complete(kept_failure& of_pool) noexcept override {
    kept_failure& kept = this->ticket != nullptr ? this->failure : of_pool;
    kept.attempt([this] {
      if constexpr (std::is_void_v<Action>) {
        this->keep([this] { return result(); });
      } else if constexpr (std::is_void_v<value_type>) {
        result();
        action();
      } else {
        action(result());
      }
    });
    this->concluded = true;
  }
  mpi::request_handle give_handle() noexcept override { return request.give_handle(); }
  void leave(mpi::request_handle handle) noexcept override { request.leave(handle); }
  [[nodiscard]] bool acts() const noexcept override { return !std::is_void_v<Action>; }
  [[nodiscard]] bool cancellable() const noexcept override { return Request::cancellable; }
  [[nodiscard]] const char* name() const noexcept override { return Request::name; }
  [[nodiscard]] std::size_t size() const noexcept override { return sizeof(node_of); }

  // One that was complete when it was added knows more than MPI.
  value_type result() {
    if (!request.ended()) request.take_status(this->status);
    naming_request(request, this->number, this->status, [this] { request.settle(this->code); });
    return request.take();
  }

  Request request;
  [[no_unique_address]] action_type action;
};

/// Memory for nodes. Small ones are used again and again.
class node_store {
 public:
  node_store() noexcept = default;
  node_store(node_store&& other) noexcept : free_(std::exchange(other.free_, nullptr)) {}
  node_store& operator=(node_store&&) = delete;
  ~node_store() {
    while (free_ != nullptr) ::operator delete(std::exchange(free_, free_->next));
  }

  void reserve(std::size_t count) {
    for (; count > 0; --count) give(::operator new(room));
  }

  template <class Node, class... A>
  [[nodiscard]] Node* make(A&&... a) {
    static_assert(alignof(Node) <= alignof(std::max_align_t));
    return new (sizeof(Node) <= room ? take() : ::operator new(sizeof(Node)))
        Node(static_cast<A&&>(a)...);
  }
  /// Of a node that has left its pool.
  static void free(pool_node* node) noexcept {
    node->~pool_node();
    ::operator delete(static_cast<void*>(node));
  }
  void destroy(pool_node* node) noexcept {
    const bool small = node->size() <= room;
    node->~pool_node();
    if (small)
      give(node);
    else
      ::operator delete(static_cast<void*>(node));
  }

 private:
  static constexpr std::size_t room = 384;
  struct free_node {
    free_node* next;
  };

  [[nodiscard]] void* take() {
    return free_ != nullptr ? std::exchange(free_, free_->next) : ::operator new(room);
  }
  void give(void* memory) noexcept { free_ = new (memory) free_node{free_}; }

  free_node* free_ = nullptr;
};

}  // namespace detail
}  // namespace mpiglot
