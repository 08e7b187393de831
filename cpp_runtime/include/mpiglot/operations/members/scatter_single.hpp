// The members for scatter_single.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct scatter_single_members {
  /// Sends one element of the root's buffer to each rank. MPI-4.1, section 6.6. Collective.
  ///
  ///     const int mine = comm.scatter_single(send_buf(all), root(0));
  ///
  /// - Parameters: `send_buf`: one element for each rank, read at the `root` only; other ranks may
  ///   leave it out if `recv_buf` or the type in angle brackets tells the element type; `recv_buf`,
  ///   one value (by value); `root` (0)
  /// - Result: the element of this rank, unless `recv_buf` is an lvalue
  /// - Messages: one
  /// - Allocates: nothing
  /// - Errors: at the root if `send_buf` is missing or has another length; the others then receive
  ///   a zero
  template <class... Parameters>
  [[gnu::always_inline]] auto scatter_single(Parameters&&... parameters) const {
    using call = detail::call_on<operations::scatter_single, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// `scatter_single` that receives elements of type `T`. Collective.
  ///
  ///     const int mine = comm.scatter_single<int>(root(0));
  template <class T, class... Parameters>
    requires(detail::no_argument_is<T, Parameters...>)
  [[gnu::always_inline]] auto scatter_single(Parameters&&... parameters) const {
    using into = detail::typed_recv_buf<operations::scatter_single, T>;
    using call =
        detail::call_on<operations::scatter_single, detail::now, Self, into, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         into{}, static_cast<Parameters&&>(parameters)...);
  }

  /// Sends one element of the root's buffer to each rank. MPI-4.1, section 6.6. Nonblocking.
  /// Returns a request, whose `wait()` gives the result of `scatter_single`. Collective.
  ///
  ///     auto request = comm.iscatter_single(send_buf(all), root(0));
  ///
  /// - Parameters: `send_buf`: one element for each rank, read at the `root` only; other ranks may
  ///   leave it out if `recv_buf` or the type in angle brackets tells the element type; `recv_buf`,
  ///   one value (by value); `root` (0)
  /// - Result: the element of this rank, unless `recv_buf` is an lvalue
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing
  /// - Errors: at the root if `send_buf` is missing or has another length; the others then receive
  ///   a zero
  template <class... Parameters>
  [[gnu::always_inline]] auto iscatter_single(Parameters&&... parameters) const {
    using call = detail::call_on<operations::scatter_single, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// `iscatter_single` that receives elements of type `T`. Collective.
  ///
  ///     auto request = comm.iscatter_single<int>(root(0));
  template <class T, class... Parameters>
    requires(detail::no_argument_is<T, Parameters...>)
  [[gnu::always_inline]] auto iscatter_single(Parameters&&... parameters) const {
    using into = detail::typed_recv_buf<operations::scatter_single, T>;
    using call =
        detail::call_on<operations::scatter_single, detail::later, Self, into, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         into{}, static_cast<Parameters&&>(parameters)...);
  }

  /// Sends one element of the root's buffer to each rank. MPI-4.1, section 6.6. Persistent. Returns
  /// a request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.scatter_single_init(send_buf(all), root(0));
  ///
  /// - Parameters: `send_buf`: one element for each rank, read at the `root` only; other ranks may
  ///   leave it out if `recv_buf` or the type in angle brackets tells the element type; `recv_buf`,
  ///   one value (by value); `root` (0)
  /// - Result: the element of this rank, unless `recv_buf` is an lvalue
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing
  /// - Errors: at the root if `send_buf` is missing or has another length; the others then receive
  ///   a zero
  template <class... Parameters>
  auto scatter_single_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::scatter_single, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// `scatter_single_init` that receives elements of type `T`. Collective.
  ///
  ///     auto request = comm.scatter_single_init<int>(root(0));
  template <class T, class... Parameters>
    requires(detail::no_argument_is<T, Parameters...>)
  auto scatter_single_init(Parameters&&... parameters) const {
    using into = detail::typed_recv_buf<operations::scatter_single, T>;
    using call =
        detail::call_on<operations::scatter_single, detail::bound, Self, into, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         into{}, static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
