// The members for one_sided.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct one_sided_members {
  /// Writes elements to the memory of another rank.
  ///
  ///     win.put(send_buf(values), target_rank(1), target_displacement(10));
  ///
  /// - Needed: `target_rank`, and the buffers named below
  /// - Parameters: put, accumulate: `send_buf`; get: `recv_buf`; get_accumulate, fetch_and_op: both
  ///   (fetch_and_op without `send_buf` reads); compare_and_swap: `send_buf`, `compare_buf`,
  ///   `recv_buf`; op (sum); `target_rank`; `target_displacement` (0), in units of the window;
  ///   `target_count` (all elements; else the first ones of each buffer) and `target_type` (the
  ///   same; `target_count` is then the number of items of that type)
  /// - Result: none; of the request of rput, rget, raccumulate, rget_accumulate: the receive buffer
  ///   if it was moved in
  /// - Messages: one access. It is complete, and the buffers can be used again, when the epoch ends
  ///   or flushes; completion of a request concerns the buffers of this rank only
  /// - Allocates: nothing
  /// - Errors: a buffer must be an lvalue (a request may own a moved-in buffer), and must not be
  ///   encoded: both are errors when compiled. At level normal, before the access is made:
  ///   `count_error` if it reaches outside of the target's memory (in a dynamic window: if the
  ///   displacement is not positive), error if the window has no such rank
  template <class... Parameters>
  auto put(Parameters&&... parameters) const {
    using call = detail::handle_call<operations::put, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Writes elements to the memory of another rank. Nonblocking. Returns a request, whose `wait()`
  /// gives the result of `put`.
  ///
  ///     auto request = win.rput(send_buf(values), target_rank(1), target_displacement(10));
  ///
  /// - Needed: `target_rank`, and the buffers named below
  /// - Parameters: put, accumulate: `send_buf`; get: `recv_buf`; get_accumulate, fetch_and_op: both
  ///   (fetch_and_op without `send_buf` reads); compare_and_swap: `send_buf`, `compare_buf`,
  ///   `recv_buf`; op (sum); `target_rank`; `target_displacement` (0), in units of the window;
  ///   `target_count` (all elements; else the first ones of each buffer) and `target_type` (the
  ///   same; `target_count` is then the number of items of that type)
  /// - Result: none; of the request of rput, rget, raccumulate, rget_accumulate: the receive buffer
  ///   if it was moved in
  /// - Messages: one access. It is complete, and the buffers can be used again, when the epoch ends
  ///   or flushes; completion of a request concerns the buffers of this rank only
  /// - Allocates: nothing
  /// - Errors: a buffer must be an lvalue (a request may own a moved-in buffer), and must not be
  ///   encoded: both are errors when compiled. At level normal, before the access is made:
  ///   `count_error` if it reaches outside of the target's memory (in a dynamic window: if the
  ///   displacement is not positive), error if the window has no such rank
  template <class... Parameters>
  auto rput(Parameters&&... parameters) const {
    using call = detail::handle_call<operations::put, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Reads elements from the memory of another rank.
  ///
  ///     win.get(recv_buf(values), target_rank(1), target_displacement(10));
  ///
  /// - Needed: `target_rank`, and the buffers named below
  /// - Parameters: put, accumulate: `send_buf`; get: `recv_buf`; get_accumulate, fetch_and_op: both
  ///   (fetch_and_op without `send_buf` reads); compare_and_swap: `send_buf`, `compare_buf`,
  ///   `recv_buf`; op (sum); `target_rank`; `target_displacement` (0), in units of the window;
  ///   `target_count` (all elements; else the first ones of each buffer) and `target_type` (the
  ///   same; `target_count` is then the number of items of that type)
  /// - Result: none; of the request of rput, rget, raccumulate, rget_accumulate: the receive buffer
  ///   if it was moved in
  /// - Messages: one access. It is complete, and the buffers can be used again, when the epoch ends
  ///   or flushes; completion of a request concerns the buffers of this rank only
  /// - Allocates: nothing
  /// - Errors: a buffer must be an lvalue (a request may own a moved-in buffer), and must not be
  ///   encoded: both are errors when compiled. At level normal, before the access is made:
  ///   `count_error` if it reaches outside of the target's memory (in a dynamic window: if the
  ///   displacement is not positive), error if the window has no such rank
  template <class... Parameters>
  auto get(Parameters&&... parameters) const {
    using call = detail::handle_call<operations::get, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Reads elements from the memory of another rank. Nonblocking. Returns a request, whose `wait()`
  /// gives the result of `get`.
  ///
  ///     auto request = win.rget(recv_buf(std::vector<int>()), target_count(5), target_rank(1));
  ///
  /// - Needed: `target_rank`, and the buffers named below
  /// - Parameters: put, accumulate: `send_buf`; get: `recv_buf`; get_accumulate, fetch_and_op: both
  ///   (fetch_and_op without `send_buf` reads); compare_and_swap: `send_buf`, `compare_buf`,
  ///   `recv_buf`; op (sum); `target_rank`; `target_displacement` (0), in units of the window;
  ///   `target_count` (all elements; else the first ones of each buffer) and `target_type` (the
  ///   same; `target_count` is then the number of items of that type)
  /// - Result: none; of the request of rput, rget, raccumulate, rget_accumulate: the receive buffer
  ///   if it was moved in
  /// - Messages: one access. It is complete, and the buffers can be used again, when the epoch ends
  ///   or flushes; completion of a request concerns the buffers of this rank only
  /// - Allocates: nothing
  /// - Errors: a buffer must be an lvalue (a request may own a moved-in buffer), and must not be
  ///   encoded: both are errors when compiled. At level normal, before the access is made:
  ///   `count_error` if it reaches outside of the target's memory (in a dynamic window: if the
  ///   displacement is not positive), error if the window has no such rank
  template <class... Parameters>
  auto rget(Parameters&&... parameters) const {
    using call = detail::handle_call<operations::get, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines elements with those in the memory of another rank.
  ///
  ///     win.accumulate(send_buf(values), target_rank(1), op(std::plus<>()));
  ///
  /// - Needed: `target_rank`, and the buffers named below
  /// - Parameters: put, accumulate: `send_buf`; get: `recv_buf`; get_accumulate, fetch_and_op: both
  ///   (fetch_and_op without `send_buf` reads); compare_and_swap: `send_buf`, `compare_buf`,
  ///   `recv_buf`; op (sum); `target_rank`; `target_displacement` (0), in units of the window;
  ///   `target_count` (all elements; else the first ones of each buffer) and `target_type` (the
  ///   same; `target_count` is then the number of items of that type)
  /// - Result: none; of the request of rput, rget, raccumulate, rget_accumulate: the receive buffer
  ///   if it was moved in
  /// - Messages: one access. It is complete, and the buffers can be used again, when the epoch ends
  ///   or flushes; completion of a request concerns the buffers of this rank only
  /// - Allocates: nothing
  /// - Errors: a buffer must be an lvalue (a request may own a moved-in buffer), and must not be
  ///   encoded: both are errors when compiled. At level normal, before the access is made:
  ///   `count_error` if it reaches outside of the target's memory (in a dynamic window: if the
  ///   displacement is not positive), error if the window has no such rank
  template <class... Parameters>
  auto accumulate(Parameters&&... parameters) const {
    using call = detail::handle_call<operations::accumulate, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines elements with those in the memory of another rank. Nonblocking. Returns a request,
  /// whose `wait()` gives the result of `accumulate`.
  ///
  ///     auto request = win.raccumulate(send_buf(values), target_rank(1), op(std::plus<>()));
  ///
  /// - Needed: `target_rank`, and the buffers named below
  /// - Parameters: put, accumulate: `send_buf`; get: `recv_buf`; get_accumulate, fetch_and_op: both
  ///   (fetch_and_op without `send_buf` reads); compare_and_swap: `send_buf`, `compare_buf`,
  ///   `recv_buf`; op (sum); `target_rank`; `target_displacement` (0), in units of the window;
  ///   `target_count` (all elements; else the first ones of each buffer) and `target_type` (the
  ///   same; `target_count` is then the number of items of that type)
  /// - Result: none; of the request of rput, rget, raccumulate, rget_accumulate: the receive buffer
  ///   if it was moved in
  /// - Messages: one access. It is complete, and the buffers can be used again, when the epoch ends
  ///   or flushes; completion of a request concerns the buffers of this rank only
  /// - Allocates: nothing
  /// - Errors: a buffer must be an lvalue (a request may own a moved-in buffer), and must not be
  ///   encoded: both are errors when compiled. At level normal, before the access is made:
  ///   `count_error` if it reaches outside of the target's memory (in a dynamic window: if the
  ///   displacement is not positive), error if the window has no such rank
  template <class... Parameters>
  auto raccumulate(Parameters&&... parameters) const {
    using call = detail::handle_call<operations::accumulate, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Reads elements from the memory of another rank and combines them with others there.
  ///
  ///     win.get_accumulate(send_buf(values), recv_buf(before), target_rank(1), op(std::plus<>()));
  ///
  /// - Needed: `target_rank`, and the buffers named below
  /// - Parameters: put, accumulate: `send_buf`; get: `recv_buf`; get_accumulate, fetch_and_op: both
  ///   (fetch_and_op without `send_buf` reads); compare_and_swap: `send_buf`, `compare_buf`,
  ///   `recv_buf`; op (sum); `target_rank`; `target_displacement` (0), in units of the window;
  ///   `target_count` (all elements; else the first ones of each buffer) and `target_type` (the
  ///   same; `target_count` is then the number of items of that type)
  /// - Result: none; of the request of rput, rget, raccumulate, rget_accumulate: the receive buffer
  ///   if it was moved in
  /// - Messages: one access. It is complete, and the buffers can be used again, when the epoch ends
  ///   or flushes; completion of a request concerns the buffers of this rank only
  /// - Allocates: nothing
  /// - Errors: a buffer must be an lvalue (a request may own a moved-in buffer), and must not be
  ///   encoded: both are errors when compiled. At level normal, before the access is made:
  ///   `count_error` if it reaches outside of the target's memory (in a dynamic window: if the
  ///   displacement is not positive), error if the window has no such rank
  template <class... Parameters>
  auto get_accumulate(Parameters&&... parameters) const {
    using call = detail::handle_call<operations::get_accumulate, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Reads elements from the memory of another rank and combines them with others there.
  /// Nonblocking. Returns a request, whose `wait()` gives the result of `get_accumulate`.
  ///
  ///     auto request = win.rget_accumulate(send_buf(values), recv_buf(before), target_rank(1),
  ///         op(std::plus<>()));
  ///
  /// - Needed: `target_rank`, and the buffers named below
  /// - Parameters: put, accumulate: `send_buf`; get: `recv_buf`; get_accumulate, fetch_and_op: both
  ///   (fetch_and_op without `send_buf` reads); compare_and_swap: `send_buf`, `compare_buf`,
  ///   `recv_buf`; op (sum); `target_rank`; `target_displacement` (0), in units of the window;
  ///   `target_count` (all elements; else the first ones of each buffer) and `target_type` (the
  ///   same; `target_count` is then the number of items of that type)
  /// - Result: none; of the request of rput, rget, raccumulate, rget_accumulate: the receive buffer
  ///   if it was moved in
  /// - Messages: one access. It is complete, and the buffers can be used again, when the epoch ends
  ///   or flushes; completion of a request concerns the buffers of this rank only
  /// - Allocates: nothing
  /// - Errors: a buffer must be an lvalue (a request may own a moved-in buffer), and must not be
  ///   encoded: both are errors when compiled. At level normal, before the access is made:
  ///   `count_error` if it reaches outside of the target's memory (in a dynamic window: if the
  ///   displacement is not positive), error if the window has no such rank
  template <class... Parameters>
  auto rget_accumulate(Parameters&&... parameters) const {
    using call =
        detail::handle_call<operations::get_accumulate, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Reads one element from the memory of another rank and combines it with another there.
  ///
  ///     win.fetch_and_op(send_buf(one), recv_buf(ticket), target_rank(0));
  ///
  /// - Needed: `target_rank`, and the buffers named below
  /// - Parameters: put, accumulate: `send_buf`; get: `recv_buf`; get_accumulate, fetch_and_op: both
  ///   (fetch_and_op without `send_buf` reads); compare_and_swap: `send_buf`, `compare_buf`,
  ///   `recv_buf`; op (sum); `target_rank`; `target_displacement` (0), in units of the window;
  ///   `target_count` (all elements; else the first ones of each buffer) and `target_type` (the
  ///   same; `target_count` is then the number of items of that type)
  /// - Result: none; of the request of rput, rget, raccumulate, rget_accumulate: the receive buffer
  ///   if it was moved in
  /// - Messages: one access. It is complete, and the buffers can be used again, when the epoch ends
  ///   or flushes; completion of a request concerns the buffers of this rank only
  /// - Allocates: nothing
  /// - Errors: a buffer must be an lvalue (a request may own a moved-in buffer), and must not be
  ///   encoded: both are errors when compiled. At level normal, before the access is made:
  ///   `count_error` if it reaches outside of the target's memory (in a dynamic window: if the
  ///   displacement is not positive), error if the window has no such rank
  template <class... Parameters>
  auto fetch_and_op(Parameters&&... parameters) const {
    using call = detail::handle_call<operations::fetch_and_op, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Reads one element from the memory of another rank and replaces it if it equals `compare_buf`.
  ///
  ///     win.compare_and_swap(compare_buf(zero), send_buf(one), recv_buf(ticket), target_rank(0));
  ///
  /// - Needed: `target_rank`, and the buffers named below
  /// - Parameters: put, accumulate: `send_buf`; get: `recv_buf`; get_accumulate, fetch_and_op: both
  ///   (fetch_and_op without `send_buf` reads); compare_and_swap: `send_buf`, `compare_buf`,
  ///   `recv_buf`; op (sum); `target_rank`; `target_displacement` (0), in units of the window;
  ///   `target_count` (all elements; else the first ones of each buffer) and `target_type` (the
  ///   same; `target_count` is then the number of items of that type)
  /// - Result: none; of the request of rput, rget, raccumulate, rget_accumulate: the receive buffer
  ///   if it was moved in
  /// - Messages: one access. It is complete, and the buffers can be used again, when the epoch ends
  ///   or flushes; completion of a request concerns the buffers of this rank only
  /// - Allocates: nothing
  /// - Errors: a buffer must be an lvalue (a request may own a moved-in buffer), and must not be
  ///   encoded: both are errors when compiled. At level normal, before the access is made:
  ///   `count_error` if it reaches outside of the target's memory (in a dynamic window: if the
  ///   displacement is not positive), error if the window has no such rank
  template <class... Parameters>
  auto compare_and_swap(Parameters&&... parameters) const {
    using call =
        detail::handle_call<operations::compare_and_swap, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
