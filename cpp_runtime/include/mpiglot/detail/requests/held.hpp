// What a request holds while MPI works: the state of its operation, in place or on the heap, and a
// mark of the memory and lengths that a persistent operation told MPI.

#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/mpi/status.hpp>

namespace mpiglot::detail {

/// Holds a state so that the request can be moved while MPI uses it: in place, or on the heap if
/// MPI has addresses inside the state.
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
  explicit boxed_state(A&&... a) : state_(new_to_take_part<State>(static_cast<A&&>(a)...)) {}
  boxed_state(boxed_state&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  boxed_state& operator=(boxed_state&&) = delete;
  ~boxed_state() { delete state_; }
  State* operator->() const noexcept { return state_; }
  State& operator*() noexcept { return *state_; }
  [[nodiscard]] bool empty() const noexcept { return state_ == nullptr; }

 private:
  State* state_;
};

/// Waits or tests, and passes the status to the state if it asks for it.
template <class State>
mpi::status_out status_for(State& state) noexcept {
  if constexpr (requires { state.status; })
    return state.status.out();
  else
    return {};
}

/// The memory and lengths that were passed to MPI. Computing them starts no operation; one may start
/// next.
template <bool Starts>
struct remembered {
  static constexpr bool blocking = false;
  static constexpr bool repeats = true;
  static constexpr bool starts = Starts;
  std::size_t& mark;
  int code = MPI_SUCCESS;

  template <class Calls, class... A>
  void operator()(Calls, const A&... a) const noexcept {
    (add(a), ...);
  }

 private:
  template <class T>
  void add(const T& told) const noexcept {
    if constexpr (std::is_pointer_v<T>)
      mix(reinterpret_cast<std::size_t>(told));
    else if constexpr (std::is_integral_v<T>)
      mix(static_cast<std::size_t>(told));
  }
  void mix(std::size_t word) const noexcept {
    mark = (mark ^ word) * cast_to<std::size_t>(1099511628211u);
  }
};
template <bool Starts, class State>
[[nodiscard]] std::size_t mark_of(State& state) {
  std::size_t mark = 0;
  state.call(remembered<Starts>{mark, MPI_SUCCESS});
  return mark;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_moved_buffer() {
  refuse_argument(MPI_ERR_BUFFER,
                  "a buffer was moved or changed its length since the request was made");
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_empty_request() {
  refuse_argument(MPI_ERR_REQUEST, "the result was given already, or moved away");
}

}  // namespace mpiglot::detail
