// The tools for writing plugins of communicators. docs/guide/plugins-cpp.md is the guide.
// A plugin is a class template whose parameter is its base class. `basic_communicator<first,
// second>` stacks plugins on a communicator:
//
//   template <class Base>
//   struct counting : Base {
//     using Base::Base;
//     template <class... A>
//     auto bcast(A&&... a) const {
//       ++broadcasts;
//       return Base::bcast(std::forward<A>(a)...);
//     }
//     mutable int broadcasts = 0;
//   };

#pragma once

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/plugins/opened.hpp>
#include <mpiglot/detail/base/cached.hpp>
#include <mpiglot/detail/base/polling.hpp>
#include <mpiglot/detail/base/private_context.hpp>
#include <mpiglot/detail/plugins/distributed.hpp>
#include <mpiglot/detail/plugins/divided.hpp>
#include <mpiglot/detail/plugins/hops.hpp>
#include <mpiglot/detail/plugins/authored.hpp>
#include <mpiglot/detail/plugins/inner.hpp>

namespace mpiglot::plugin {

/// A list of parameter keys: those that an operation `accepts`, or those that it `needs`.
template <class... Keys>
using names = detail::names<Keys...>;

/// The base class of the state of an operation that makes one MPI call
/// (docs/internals/runtime-protocol.md).
using defaults = detail::defaults;

/// The base class of the state of an operation that makes its MPI calls in `agree(code)`. That
/// function stores MPI's error code in `code` and returns false. It may also call operations of
/// `communicator(group.comm)` and of other communicators: what these throw is reported as the
/// plugin's communicator reports all its errors.
struct algorithm : detail::defaults {
  /// False: the operation makes several MPI calls, so it has no nonblocking form.
  static constexpr bool one_call = false;
  /// Called before `agree`. An overriding function may throw.
  void prepare() noexcept {}
  /// Nothing: the calls are those of `agree`.
  template <class Calls>
  void call(Calls) noexcept {}
  /// Called after success. An overriding function may throw.
  void finish() noexcept {}
};

/// The properties of the communicator that an operation sees: `comm`, `rank`, `size`.
using group_view = detail::group_view;

/// A blocking call of `Operation` on a communicator. `verdict` is `right`, or describes the mistake
/// in the arguments or in the operation. `perform(comm, arguments...)` makes the call. Errors are
/// reported as the communicator reports all its errors.
template <class Operation, class Communicator, class... A>
using call = detail::authored_call<Operation, detail::now, Communicator, A...>;
/// The same, but it gives a request: of an operation that makes one MPI call, or that has stages.
template <class Operation, class Communicator, class... A>
using call_later = detail::authored_call<Operation, detail::later, Communicator, A...>;
template <class Verdict>
inline constexpr bool is_right = detail::is_right<Verdict>;
/// `using right [[maybe_unused]] = typename plugin::judged<verdict>::is_right` names a mistake in the
/// first line of the error.
template <class Verdict>
using judged = detail::judged<Verdict>;

/// Makes a blocking call of `Operation` on the communicator of a plugin, `perform<Operation>(*this, arguments...)`. A mistake
/// in the arguments or in the operation is named in the first line of the error.
template <class Operation, class Plugin, class... A>
auto perform(const Plugin& on, A&&... a) {
  using made = call<Operation, typename Plugin::communicator_type, A...>;
  using right [[maybe_unused]] = typename judged<typename made::verdict>::is_right;
  return made::perform(on.self(), static_cast<A&&>(a)...);
}
/// The same of a call that gives a request.
template <class Operation, class Plugin, class... A>
auto perform_later(const Plugin& on, A&&... a) {
  using made = call_later<Operation, typename Plugin::communicator_type, A...>;
  using right [[maybe_unused]] = typename judged<typename made::verdict>::is_right;
  return made::perform(on.self(), static_cast<A&&>(a)...);
}

/// A failure that is reported only after this rank has made the calls that the other ranks wait
/// for.
using kept_failure = detail::kept_failure;

/// The communicator for calls inside of an operation, made of `group.comm`. They check what the operation's
/// communicator checks, its plugins are told of them, and their errors name the operation, not the call inside.
/// It has the operations of `Plugins`.
template <class Arguments, template <class> class... Plugins>
using inner = detail::inner_of<Arguments, Plugins...>;
/// Tells the plugins of the operation's communicator of a message of `n` elements, which is not made by `inner`.
template <class Arguments>
void tell([[maybe_unused]] const char* call, [[maybe_unused]] int peer,
          [[maybe_unused]] mpi::count_t n, [[maybe_unused]] mpi::datatype_handle type) {
  if constexpr (detail::is_told<Arguments>)
    if (detail::listening != nullptr) {
      observed_call told{call, call_form::nonblocking, peer};
      told.begun = detail::seconds_now();
      detail::listening->before(told);
      told.bytes = detail::bytes_of_elements(n, type);
      detail::listening->completed(told);
    }
}
/// The bytes of n elements, `bytes_of_elements(n, type)`, for a state's member `count_t bytes()`. If it has one, plugins
/// are told after success what it gives: the bytes that this rank sends.
using detail::bytes_of_elements;

/// The values that a rank gives as send_buf: of any buffer whose elements have a datatype, and of a list that
/// is encoded (`as_serialized(list)`; `encoded` is true then, and `codec` its codec). `open()` packs what has
/// gaps, and may throw; then `values()` is a span of `value_type`.
template <class Arguments, class Key = detail::send_key<Arguments>>
using opened = detail::opened_values<Arguments, Key>;
/// Room for `Value`s that a rank receives: recv_buf, or a vector. `make(n)` gives a span and may throw;
/// `finish()` puts the values where the buffer wants them; `results(arguments)` gives back a buffer that is
/// not borrowed, and what the program asked for.
template <class Arguments, class Value>
using room = detail::opened_room<Arguments, Value>;

/// A buffer for an inner call, unless this rank has failed: then the call takes part without data and throws
/// what failed, and the other ranks throw `remote_failure`. That costs no message of its own. It holds for
/// calls that tell lengths: those in which ranks may send different lengths, and no rank gives the counts that
/// it receives.
///
///     failure.attempt([&] { all = comm.allgatherv(send_buf(plugin::unless(failure, mine))); });
using detail::unless;

// Operations on distributed ranges: the values of all ranks, one rank after another.

/// The base of the state of an operation on the values that ranks give as `send_buf` or `send_recv_buf`,
/// `struct state : plugin::on_values<state, Arguments>`. `make(comm)` makes the inner calls, whatever has failed on this
/// rank, and attempts the rest: `failure.attempt(...)`. `given.values()` are the values of this rank; `given_or<key>(x)` is
/// an argument or `x`; `kind` says how the values travel. An allreduce of one integer at the end tells all ranks whether one of them has failed.
template <class State, class Arguments>
using on_values = detail::on_values<State, Arguments>;
/// The same of an operation whose result is values of this type, in `room`. `move(comm, number, bounds)`: rank r gets the
/// values from place `bounds(sizes)[r]` of the whole range to the next bound; `sizes` are what `tell_sizes` gives.
/// `put(first, last)`: the result of this rank, made by itself.
template <class State, class Arguments>
using to_values = detail::to_values<State, Arguments>;
/// `gather_values<kind>(comm, failure, vector)`: the `values` of all ranks, and `counts` of them, on every rank.
using detail::gather_values;
/// `exchange_values<kind>(comm, failure, values, counts, to)`: moves `counts[r]` values to rank r, and what comes to
/// `to`. Gives the counts of what came.
using detail::exchange_values;
/// `value_before<kind>(comm, failure, span)`: the last value of the ranks before this one, or nothing.
using detail::value_before;
/// `combine_two<T>(by, a, b)`: what `by`, the value of `op`, makes of two values.
using detail::combine_two;
/// How values of another type travel in an operation whose values are of `Kind`.
template <class Kind, class T>
using kind_of_others = typename detail::kind_of_others<Kind, T>::type;
/// `joined(lists)`: the same of a list of each rank.
using detail::joined;
/// What these give: `values` and `counts`.
using detail::values_of_ranks;
/// What `tell_sizes` gives: the `size` `of` each rank, of `own` values, and the number `said`.
using detail::sizes_of_ranks;
/// `tell_sizes(comm, failure, n, number)`: how many values each rank has, and a number of its own. `all()`, and `same()`,
/// which refuses numbers that differ.
using detail::tell_sizes;
/// `merge_parts(values, lengths, less)`: makes sorted parts of these lengths one.
using detail::merge_parts;
/// `sort_stably(values, less)`: equal values keep their order.
using detail::sort_stably;
/// `draw_places(n, all, random, visit)`: calls `visit(place)` for n of all places, in their order.
using detail::draw_places;
/// `even_division{n}`: a `target` for n parts of about the same length.
using detail::even_division;
/// Where the sorted values of all ranks are divided: `find(n, comm, failure, values, less, target, tolerated)`, in which
/// `target(i, all)` says after how many of all values division `i` of `n` is, give or take `tolerated * all`. False: all
/// ranks know of a failure. Else `lengths()` says how many values of this rank are in each of the n + 1 parts, and
/// `length_on(i)` how many of all ranks are in part i.
template <class Kind>
using divided_values = detail::divided_values<Kind>;

// Operations of several stages (docs/guide/plugins-cpp.md).

/// What failed so far: on this rank, or on another one that told it. `any()`; `attempt(action)` keeps what it
/// throws; `met(rank)` notes that a rank failed, whose number on the operation's communicator is known or -1.
using troubles = detail::troubles;
/// The communicator of a stage: its calls compare nothing, and their errors are those of the operation.
using stage_communicator = detail::stage_communicator;
/// The base of what a communicator keeps for operations with stages. A derived class has a
/// `stage_communicator` for each stage and a constructor from `mpi::comm_handle`.
using stage_context = detail::stage_context;
/// The request of a stage. `begin(met, start)` keeps what the function `start` returns; `completed(met)` tests
/// it, or waits if nothing else is in flight; `tested(met)` never waits. Received data goes to what the call gives as recv_buf.
using pending_stage = detail::pending_stage;
/// The base of the state of an operation of several stages, `struct state : plugin::staged<state, kept, stages>`,
/// which has a member `group_view group` and:
///
///     void open();                          // what this rank gives; may throw
///     void begin(int stage, troubles& met); // one nonblocking call; also if a rank failed
///     bool completed(int stage, troubles& met);  // tests it, and makes what the next stage needs
///     void conclude();                      // makes the result; may throw
///
/// All ranks learn of a failure on one of them. `open` and `conclude` may be left out. `kept()` has the
/// communicators. The operation has a blocking form (`plugin::call`) and one that gives a request
/// (`plugin::call_later`).
template <class State, class Kept, int Stages>
using staged = detail::staged_state<State, Kept, Stages>;

/// Parts of an exchange, one after another: `elements`, and `counts`, which has the length of each part.
template <class T>
using parts = detail::parts_of<T>;
/// Of how many parts the message to each rank consists (`sent`), and the one from each (`received`), and the
/// largest number on any rank (`most`).
using parts_per_message = detail::parts_per_message;
/// Two stages that exchange parts: `begin_lengths(met, parts)`, `lengths_came(met)`, `begin_elements(met)`,
/// `elements_came(met)`, then `received()`, by source. Elements travel from where they lie, and small messages
/// with their lengths. What is sent stays until all is complete.
template <class T>
using exchange_stages = detail::staged_exchange<T>;
/// What a route has received: `parts`, and `sources`, which has the rank of each; empty if they are in the order of
/// the ranks.
template <class T>
using arrived = detail::arrived_parts<T>;
/// The base of an operation with the parameters and results of `alltoallv`, and the parameters `More`, whose parts
/// travel by a route in stages. Any buffer that alltoallv takes can be sent and received. `Operation` has the members
/// `name`, `kept` (as for `staged`) and
///
///     template <class T> struct route {     // T: the elements, or bytes where they are encoded or have gaps
///       route(kept& communicators, group_view group, parts<T> sent, count_t element);
///       int stages() const;                           // known alike on all ranks
///       void begin(int stage, troubles& met);         // these two as for `staged`
///       bool completed(int stage, troubles& met);
///       arrived<T> received();
///     };
///
/// `element` has the size of an element in bytes, for `exchange_stages`. With `static constexpr std::size_t told`, a route
/// tells so many numbers in the last message of the call: `tell(count_t* numbers)` writes them, and `learn(const count_t*
/// largest, troubles& met)` gets the largest of all ranks. If calls differ in their communicators,
/// `static stage_context& context(kept&, arguments)` gives those of a call, which the route gets.
template <class Operation, class... More>
using alltoallv_by_route = detail::alltoallv_by_route<Operation, More...>;

/// A hop of a route: `hop(stage_communicator among, vector<int> from, vector<int> targets)`. `from` are the ranks whose
/// parts this rank has before it (at first itself; then `sources` of the hop before); `targets` says for how many ranks
/// it sends parts to each rank of `among`: the next of those for which it has parts. Collective over `among`.
using hop = detail::hop;
/// A `stage_context` with a list of `hops`.
using hops_context = detail::hops_context;
/// The route that goes through the `hops` of a `hops_context`.
template <class T>
using route_in_hops = detail::route_in_hops<T>;

/// A vector whose new elements have no value.
template <class T>
using elements_on_the_way = detail::elements_on_the_way<T>;

/// Makes what this rank needs in a stage; without memory for it, which is asked for twice, the job ends, since the
/// other ranks wait.
template <class Make>
void make_in_stage(const group_view& group, Make make) {
  detail::make_in_stage(group.size, make);
}

/// Throws an error with MPI's code, of the operation that is under way.
[[noreturn]] inline void fail(int code, const char* operation) { detail::raise(code, operation); }
/// Throws `remote_failure`: a rank, or -1, has told that it failed.
[[noreturn]] inline void fail_elsewhere(int rank) { mpi::detail::fail(remote_failure(rank)); }
/// Throws `count_error`.
[[noreturn]] inline void refuse_counts(const char* reason) { detail::refuse_counts(reason); }

/// True of views, which refer to elements that others own.
template <class T>
inline constexpr bool is_view = detail::view<T>;

/// The argument of a call that has this key.
template <class Arguments, class Key>
using parameter_of = detail::parameter_of<Arguments, Key>;

/// A duplicate of a communicator for the messages of one algorithm, which thus meet no others.
using private_context = detail::private_context;

/// The object of type `T` that belongs to an MPI_Comm. All objects that wrap the same MPI_Comm share
/// it. The first call makes it, `T(comm)`, and may be collective; it is freed with the MPI_Comm.
/// It may hold communicators.
template <class T>
[[nodiscard]] T& kept_on(mpi::comm_handle comm) {
  return detail::cached_on<T>(comm);
}

/// Paces a loop that polls MPI: spins while that pays off, else yields the core.
using polling = detail::polling;

}  // namespace mpiglot::plugin
