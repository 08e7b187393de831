// What plugins of communicators are made with. docs/guide/plugins-cpp.md is the guide.
//
// A plugin is a class template over its base, stacked on a communicator by
// `basic_communicator<first, second>`:
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
#include <mpiglot/detail/base/private_context.hpp>
#include <mpiglot/detail/base/cached.hpp>

namespace mpiglot::plugin {

/// A list of names of parameters: what an operation `accepts` and `needs`.
template <class... Keys>
using names = detail::names<Keys...>;

/// The base of the state of an operation that is one MPI call (docs/internals/runtime-protocol.md).
using defaults = detail::defaults;

/// The base of the state of an operation that makes its MPI calls in `agree(code)`, which leaves
/// MPI's code there and returns false.
struct algorithm : detail::defaults {
  /// It is not one MPI call, so it has no nonblocking form.
  static constexpr bool one_call = false;
  /// Called before `agree`; may throw.
  void prepare() noexcept {}
  /// Nothing: the calls are those of `agree`.
  template <class Calls>
  void call(Calls) noexcept {}
  /// Called after success; may throw.
  void finish() noexcept {}
};

/// What an operation is told of its communicator: `comm`, `rank`, `size`.
using group_view = detail::group_view;

/// A call of `Operation` on a communicator, blocking. `verdict` is `right` or says what is wrong;
/// `perform(comm, arguments...)` makes the call. Errors go the way of all errors of the
/// communicator.
template <class Operation, class Communicator, class... A>
using call = detail::call_on<Operation, detail::now, Communicator, A...>;
template <class Verdict>
inline constexpr bool is_right = detail::is_right<Verdict>;

/// A failure that waits until this rank has done what the others expect.
using kept_failure = detail::kept_failure;

/// The parameter with that key among the arguments of a call.
template <class Arguments, class Key>
using parameter_of = detail::parameter_of<Arguments, Key>;

/// A context of its own for the messages of an algorithm, the same for all wrappers of an MPI_Comm.
template <class Algorithm>
using private_context = detail::private_context<Algorithm>;

}  // namespace mpiglot::plugin
/// Nothing: the calls are those of `agree`.
