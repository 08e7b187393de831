// The three forms of an operation: which of {MPI_X, MPI_Ix, MPI_X_init} the last call goes to, and
// what a form must know of the communicator.

#pragma once

#include <cstddef>
#include <initializer_list>

#include <mpiglot/mpi/handles.hpp>
#include <mpiglot/mpi/status.hpp>
#include <mpiglot/detail/arguments/verdict.hpp>

namespace mpiglot::detail {

class communicator_core;

/// What an operation needs to know of its communicator.
struct group_view {
  mpi::comm_handle comm;
  int rank;
  int size;
  const communicator_core* core = nullptr;
};

/// Whether MPIGLOT_CHECKS asks for the comparison of what ranks give to a collective operation.
[[nodiscard]] bool asked_to_compare(const group_view& group) noexcept;
/// Whether the local checks of level `normal` are asked for: by it, too, or since the program is compiled
/// without NDEBUG.
[[nodiscard]] bool asked_to_look(const group_view& group) noexcept;

struct learned;
/// What is known about a communicator (merged/learned.hpp), looked up once for each wrapper.
[[nodiscard]] learned& learned_in(const group_view& group);

// Each form calls its member of the triple `Calls` (mpiglot/mpi/calls/: MPI's codes, no
// exceptions) and leaves MPI's code for the engine, which alone decides what becomes of it.

struct now {
  static constexpr bool blocking = true;
  static constexpr bool repeats = false;
  static constexpr bool starts = true;
  static constexpr const char* prefix = "";
  static constexpr const char* suffix = "";
  int& code;

  template <class Calls, class... A>
  void operator()(Calls, A&&... a) const noexcept {
    code = Calls::now(static_cast<A&&>(a)...);
  }
};

struct later {
  static constexpr bool blocking = false;
  static constexpr bool repeats = false;
  static constexpr bool starts = true;
  static constexpr const char* prefix = "i";
  static constexpr const char* suffix = "";
  int& code;
  mpi::request_handle& request;

  template <class Calls, class... A>
  void operator()(Calls, A&&... a) const noexcept {
    mpi::request_handle started;  // not `request` itself, which need not lie in memory
    code = Calls::later(started, static_cast<A&&>(a)...);
    request = started;
  }
};

struct bound {
  static constexpr bool blocking = false;
  static constexpr bool repeats = true;
  static constexpr bool starts = false;
  static constexpr const char* prefix = "";
  static constexpr const char* suffix = "_init";
  int& code;
  mpi::request_handle& request;

  template <class Calls, class... A>
  void operator()(Calls, A&&... a) const noexcept {
    mpi::request_handle made;
    code = Calls::bound(made, static_cast<A&&>(a)...);
    request = made;
  }
};

/// The name of an operation as it is called in one of its forms.
struct form_text {
  char text[64] = {};

  consteval form_text(const char* prefix, const char* name, const char* suffix) {
    char* end = text;
    for (const char* part : {prefix, name, suffix})
      while (*part != 0) *end++ = *part++;
  }
};
template <class State, class Io>
inline constexpr form_text form_name{Io::prefix, State::name, Io::suffix};
/// Accesses to windows: `rput`.
template <class State, class Io>
  requires(!Io::blocking) && requires { State::later_prefix; }
inline constexpr form_text form_name<State, Io>{State::later_prefix, State::name, Io::suffix};

// clang goes on inlining through these, a function or the calls of a statement; g++ needs fewer instructions without.
#ifdef __clang__
#define MPIGLOT_INLINED __attribute__((always_inline))
#define MPIGLOT_INLINED_HERE [[clang::always_inline]]
#else
#define MPIGLOT_INLINED
#define MPIGLOT_INLINED_HERE
#endif

/// Prepares an operation that is called in the form `Io`, which a comparison of what ranks give names.
template <class Io, class State>
[[gnu::always_inline]] inline void prepare_as(State& state) {
  if constexpr (requires { requires State::compares_type::possible; })
    MPIGLOT_INLINED_HERE state.template prepare<Io>();
  else
    MPIGLOT_INLINED_HERE state.prepare();
}

/// The only count of a call. g++ makes of "the number of elements fits an int" one of bytes that
/// fit 33 bits, an instruction more; of a number without history and sign it does not.
[[nodiscard, gnu::always_inline]] inline std::size_t lone(mpi::count_t n) noexcept {
  auto count = static_cast<std::size_t>(n);
  if (!__builtin_constant_p(count)) asm("" : "+r"(count));
  return count;
}

/// A status, or none where nobody will look at it.
template <bool Wanted>
struct wanted_status {
  mpi::status value;
  [[nodiscard]] mpi::status_out out() noexcept { return value; }
};
template <>
struct wanted_status<false> {
  [[nodiscard]] static mpi::status_out out() noexcept { return {}; }
};

/// What most operations are like; a state says where it differs.
struct defaults {
  static constexpr bool one_call = true;           // no message goes before the last call
  static constexpr bool sends_all = false;         // agree() sends the last message, too
  static constexpr bool compares_lengths = false;  // agree() tells lengths that all should know
  static constexpr bool in_stages = false;     // later, it takes several calls, of which none waits
  static constexpr bool repeats = true;        // can be started again with the same memory
  static constexpr bool lengths_given = true;  // nothing is missing that depends on the buffer
  static constexpr bool cancellable = false;   // MPI_Cancel ends it
  static constexpr bool apart = false;         // too much to be part of every caller
  using complaint = nothing_wrong;             // what is wrong with the arguments together
  using last_question = nothing_wrong;         // asked by is_right where nothing is wrong
};

}  // namespace mpiglot::detail
