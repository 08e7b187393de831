// What plugins are told of the operations of their communicator: `before` and `completed`.

#pragma once

#include <type_traits>
#include <utility>

#include <mpiglot/detail/arguments/names.hpp>
#include <mpiglot/mpi/holders.hpp>

namespace mpiglot {

/// How an operation was called. Of a persistent one, each start is a call.
enum class call_form { blocking, nonblocking, persistent };

/// One call of an operation, as plugins are told of it.
struct observed_call {
  const char* operation;  ///< as it was called: "ialltoallv"
  call_form form;
  /// The destination, else the source, else the root; negative if there is none, or any source.
  int peer = MPI_UNDEFINED;
  /// The bytes of the buffer that this rank sends, else of what it receives; -1: not known. `before` does
  /// not know them.
  mpi::count_t bytes = -1;
  /// What the program has waited for: in a blocking call, or where a request begins and is waited for or
  /// tested. If one wait completes several requests, the first one that is told has its time. 0 in `before`.
  double seconds = 0;
  bool failed = false;  ///< with an error, or left by an exception
  /// The operation of a plugin that makes this call, "sort"; null: the program makes it. What it sends and waits
  /// for is a part of that operation.
  const char* within = nullptr;
  double begun = 0;  ///< the time of MPI_Wtime
};

namespace detail {

template <class Communicator>
concept told_before = requires(const Communicator& comm, const observed_call& call) {
  comm.before(call);
  comm.rank();
};
template <class Communicator>
concept told_completed = requires(const Communicator& comm, const observed_call& call) {
  comm.completed(call);
  comm.rank();
};
/// True of a communicator with a plugin that is told of each operation.
template <class Communicator>
inline constexpr bool is_observed = told_before<Communicator> || told_completed<Communicator>;

template <class Communicator>
void tell_before([[maybe_unused]] const Communicator& comm,
                 [[maybe_unused]] const observed_call& call) {
  if constexpr (told_before<Communicator>) comm.before(call);
}
template <class Communicator>
void tell_completed([[maybe_unused]] const Communicator& comm,
                    [[maybe_unused]] const observed_call& call) {
  if constexpr (told_completed<Communicator>) comm.completed(call);
}

/// The plugins that are told of the calls inside of an operation.
struct listener {
  const void* comm = nullptr;
  const char* operation = nullptr;
  void (*begins)(const void* comm, const observed_call& call) = nullptr;
  void (*ends)(const void* comm, const observed_call& call) = nullptr;

  template <class Communicator>
  [[nodiscard]] static listener on(const Communicator& comm, const char* operation) noexcept {
    return {&comm, operation,
            [](const void* at, const observed_call& call) {
              tell_before(*static_cast<const Communicator*>(at), call);
            },
            [](const void* at, const observed_call& call) {
              tell_completed(*static_cast<const Communicator*>(at), call);
            }};
  }
  void before(observed_call call) const {
    call.within = operation;
    begins(comm, call);
  }
  void completed(observed_call call) const {
    call.within = operation;
    ends(comm, call);
  }
};
/// Those of the operation that this thread is in.
inline constinit thread_local const listener* listening = nullptr;

/// Lets them be told until it is destroyed.
class listening_to {
 public:
  explicit listening_to(const listener& to) noexcept
      : to_(to), before_(std::exchange(listening, &to_)) {}
  listening_to(const listening_to&) = delete;
  listening_to& operator=(const listening_to&) = delete;
  ~listening_to() { listening = before_; }

 private:
  listener to_;
  const listener* before_;
};
/// The same in a call that has no calls inside.
struct not_listening {
  explicit not_listening(const listener&) noexcept {}
};
/// Of a communicator whose operations are parts of another one.
template <class Communicator>
inline constexpr bool is_inner = requires { typename Communicator::is_inside_of_an_operation; };
template <class State, class Communicator>
using listening_in =
    std::conditional_t<State::one_call || is_inner<Communicator>, not_listening, listening_to>;

/// The seconds that this thread has spent in waits and tests since they were last taken.
[[nodiscard]] inline double take_waited() noexcept {
  return std::exchange(mpi::detail::waited, 0.0);
}
[[nodiscard]] inline double seconds_now() noexcept { return MPIGLOT_MPI(MPI_Wtime)(); }

template <class State>
inline constexpr bool has_root = false;
template <class State>
  requires requires { State::rooted; }
inline constexpr bool has_root<State> = State::rooted;

template <class State, class Arguments>
[[nodiscard]] int peer_of([[maybe_unused]] Arguments& given) noexcept {
  if constexpr (Arguments::template has<keys::destination>)
    return static_cast<int>(given.template get<keys::destination>().value);
  else if constexpr (Arguments::template has<keys::source>)
    return static_cast<int>(given.template get<keys::source>().value);
  else if constexpr (Arguments::template has<keys::root>)
    return static_cast<int>(given.template get<keys::root>().value);
  else
    return has_root<State> ? 0 : MPI_UNDEFINED;
}
template <class State>
[[nodiscard]] int peer_of_state([[maybe_unused]] State& state) noexcept {
  if constexpr (requires { state.arguments; })
    return peer_of<State>(state.arguments);
  else
    return MPI_UNDEFINED;
}

[[nodiscard]] inline mpi::count_t bytes_of_elements(mpi::count_t n,
                                                    mpi::datatype_handle type) noexcept {
  int size = 0;
  if (n < 0 || MPIGLOT_MPI(MPI_Type_size)(type.native, &size) != MPI_SUCCESS || size < 0) return -1;
  return n * size;
}

/// Of a receive, whose status says it in the end.
template <class State>
concept is_told_by_status = requires(State& state) {
  state.status.value.native;
  state.received.buffer();
} && !requires(State& state) { state.source; };

/// What a state says of its own buffer, once it is packed.
template <class State>
[[nodiscard]] mpi::count_t bytes_of(State& state) {
  if constexpr (requires { state.bytes(); }) {
    return state.bytes();
  } else if constexpr (requires {
                         state.data.room();
                         state.length;
                         state.root;
                       }) {
    using wire = typename decltype(state.data)::wire;
    return bytes_of_elements(state.length, datatype_of<wire>());
  } else if constexpr (requires {
                         state.root;
                         state.received.buffer();
                         state.source.expected(state.arguments);
                       }) {
    using wire = typename decltype(state.received)::wire;  // of a scatter
    if (state.root != state.group.rank) return bytes_of_elements(state.length, datatype_of<wire>());
    return bytes_of_elements(state.source.expected(state.arguments),
                             datatype_of<typename decltype(state.source)::wire>());
  } else if constexpr (requires {
                         state.sent.length(0);
                         state.sent.size();
                         state.source.buffer();
                       }) {
    mpi::count_t all = 0;
    for (std::size_t i = 0; i < state.sent.size(); ++i)
      if (const mpi::count_t n = state.sent.length(i); n > 0) all += n;
    return bytes_of_elements(all, datatype_of<typename decltype(state.source)::wire>());
  } else if constexpr (requires { state.source.expected(state.arguments); }) {
    lent memory = state.source.out(state.arguments);
    return bytes_of_elements(memory.count, memory.type);
  } else if constexpr (requires {
                         state.length;
                         state.received.buffer();
                       }) {  // a reduction in place
    return bytes_of_elements(state.length, datatype_of<typename decltype(state.received)::wire>());
  } else if constexpr (is_told_by_status<State>) {
    int n = MPI_UNDEFINED;
    MPIGLOT_MPI(MPI_Get_elements)(&state.status.value.native, MPI_BYTE, &n);
    return n == MPI_UNDEFINED ? -1 : n;
  } else if constexpr (!requires { state.arguments; }) {
    return 0;  // a barrier
  } else {
    return -1;
  }
}

/// Tells the plugins of a communicator when a blocking operation begins and ends, also by an exception.
template <class Communicator, class State>
struct observing {
  template <class Arguments>
  constexpr observing(const Communicator&, const char*, Arguments&) noexcept {}
  static constexpr void done(State&) noexcept {}
};
template <class Communicator, class State>
  requires is_observed<Communicator>
class observing<Communicator, State> {
 public:
  template <class Arguments>
  observing(const Communicator& comm, const char* operation, Arguments& given)
      : comm_(comm),
        call_{operation, call_form::blocking, peer_of<State>(given)},
        listens_(listener::on(comm, operation)) {
    call_.begun = seconds_now();
    tell_before(comm, call_);
    call_.failed = true;
  }
  observing(const observing&) = delete;
  observing& operator=(const observing&) = delete;
  void done(State& state) {
    call_.bytes = bytes_of(state);
    call_.failed = false;
  }
  ~observing() {
    call_.seconds = seconds_now() - call_.begun;
    tell_completed(comm_, call_);
  }

 private:
  const Communicator& comm_;
  observed_call call_;
  [[no_unique_address]] listening_in<State, Communicator> listens_;
};

/// The end of a request whose communicator is told of it. The communicator must be where it is until the request
/// is complete.
template <class Communicator, class Ending>
class observed_end : public Ending {
 public:
  using told_type = Communicator;
  static constexpr bool observes = true;

  observed_end(const Communicator& comm, Ending ending) noexcept
      : Ending(static_cast<Ending&&>(ending)), comm_(&comm) {}
  observed_end(const observed_end&) = default;
  observed_end& operator=(const observed_end&) = default;
  observed_end(observed_end&& other) noexcept
      : Ending(static_cast<Ending&&>(other)),
        comm_(other.comm_),
        call_(other.call_),
        open_(std::exchange(other.open_, false)) {}

  [[nodiscard]] listener inside() const noexcept { return listener::on(*comm_, call_.operation); }
  template <class State>
  void begin(State& state, const char* operation, call_form form) {
    mpi::detail::time_waits();
    call_ = {operation, form, peer_of_state(state)};
    call_.begun = seconds_now();
    tell_before(*comm_, call_);
    open_ = true;
  }
  /// It is under way.
  template <class State>
  void began(State& state) {
    if constexpr (!is_told_by_status<State>) call_.bytes = bytes_of(state);
    call_.seconds = seconds_now() - call_.begun;
  }
  template <class State>
  void ends(State& state, bool failed) {
    if (!std::exchange(open_, false)) return;
    if (call_.bytes < 0) call_.bytes = bytes_of(state);
    call_.seconds += take_waited();
    call_.failed = failed;
    tell_completed(*comm_, call_);
  }

 private:
  const Communicator* comm_;
  observed_call call_{};
  bool open_ = false;
};

template <class End>
inline constexpr bool observes = requires { requires End::observes; };

/// One step of a request: tells `end` whether it went well.
template <class End, class State>
class observed_step {
 public:
  observed_step(End& end, State& state, bool last) noexcept
      : end_(end), state_(state), last_(last) {}
  observed_step(const observed_step&) = delete;
  observed_step& operator=(const observed_step&) = delete;
  void well() noexcept { well_ = true; }
  ~observed_step() {
    if (!well_ || last_)
      end_.ends(state_, !well_);
    else
      end_.began(state_);
  }

 private:
  End& end_;
  State& state_;
  bool last_;
  bool well_ = false;
};

}  // namespace detail
}  // namespace mpiglot
