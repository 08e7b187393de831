// The members for file_access.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct file_access_members {
  /// Reads data from a file.
  ///
  ///     auto header = file.read(recv_buf(std::vector<char>()), recv_count(80), at(0));
  ///
  /// - Needed: `recv_buf` to read, `send_buf` to write
  /// - Parameters: read: `recv_buf`, `recv_count` (an upper bound; needed if the buffer resizes);
  ///   write: `send_buf`; position: at (an offset in units of the view), `shared_pointer`, or
  ///   neither for the individual file pointer; collectively (all ranks together); `ordered` (all
  ///   ranks, in the order of the ranks, at the shared file pointer)
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: read: the buffer if it was moved in, with the length that could be read, then what
  ///   was asked for
  /// - Messages: read and write make one MPI call; iread and iwrite return a request; read_split
  ///   and write_split begin a collective access that the returned request ends, one at a time for
  ///   each file; Open MPI overlaps nothing with what it reads, nor with what it writes with
  ///   MPI_THREAD_MULTIPLE: the request is complete
  /// - Allocates: nothing except what the buffer needs to grow, encode, decode or pack
  /// - Errors: a rank with an error before a collective access (an offset that no file has, a
  ///   count, a buffer without room, data that is no whole number of elements of the view, an
  ///   encoder or a container that throws) takes part in it without data, and throws afterwards:
  ///   read, write at once, requests and split accesses in wait
  template <class... Parameters>
  auto read(Parameters&&... parameters) const {
    using call = detail::handle_call<operations::file_read, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Reads data from a file. Nonblocking. Returns a request, whose `wait()` gives the result of
  /// `read`.
  ///
  ///     auto request = file.iread(recv_buf(std::vector<char>()), recv_count(80), at(0));
  ///
  /// - Needed: `recv_buf` to read, `send_buf` to write
  /// - Parameters: read: `recv_buf`, `recv_count` (an upper bound; needed if the buffer resizes);
  ///   write: `send_buf`; position: at (an offset in units of the view), `shared_pointer`, or
  ///   neither for the individual file pointer; collectively (all ranks together); `ordered` (all
  ///   ranks, in the order of the ranks, at the shared file pointer)
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: read: the buffer if it was moved in, with the length that could be read, then what
  ///   was asked for
  /// - Messages: read and write make one MPI call; iread and iwrite return a request; read_split
  ///   and write_split begin a collective access that the returned request ends, one at a time for
  ///   each file; Open MPI overlaps nothing with what it reads, nor with what it writes with
  ///   MPI_THREAD_MULTIPLE: the request is complete
  /// - Allocates: nothing except what the buffer needs to grow, encode, decode or pack
  /// - Errors: a rank with an error before a collective access (an offset that no file has, a
  ///   count, a buffer without room, data that is no whole number of elements of the view, an
  ///   encoder or a container that throws) takes part in it without data, and throws afterwards:
  ///   read, write at once, requests and split accesses in wait
  template <class... Parameters>
  auto iread(Parameters&&... parameters) const {
    using call = detail::handle_call<operations::file_read, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Reads data from a file. Split collective. Returns a request, whose `wait()` gives the result
  /// of `read`.
  ///
  ///     auto request = file.read_split(recv_buf(std::vector<char>()), recv_count(80), at(0));
  ///
  /// - Needed: `recv_buf` to read, `send_buf` to write
  /// - Parameters: read: `recv_buf`, `recv_count` (an upper bound; needed if the buffer resizes);
  ///   write: `send_buf`; position: at (an offset in units of the view), `shared_pointer`, or
  ///   neither for the individual file pointer; collectively (all ranks together); `ordered` (all
  ///   ranks, in the order of the ranks, at the shared file pointer)
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: read: the buffer if it was moved in, with the length that could be read, then what
  ///   was asked for
  /// - Messages: read and write make one MPI call; iread and iwrite return a request; read_split
  ///   and write_split begin a collective access that the returned request ends, one at a time for
  ///   each file; Open MPI overlaps nothing with what it reads, nor with what it writes with
  ///   MPI_THREAD_MULTIPLE: the request is complete
  /// - Allocates: nothing except what the buffer needs to grow, encode, decode or pack
  /// - Errors: a rank with an error before a collective access (an offset that no file has, a
  ///   count, a buffer without room, data that is no whole number of elements of the view, an
  ///   encoder or a container that throws) takes part in it without data, and throws afterwards:
  ///   read, write at once, requests and split accesses in wait
  template <class... Parameters>
  auto read_split(Parameters&&... parameters) const {
    using call = mpiglot::split_call<operations::file_read, detail::reading, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Writes data to a file.
  ///
  ///     file.write(send_buf(values), at(8 * rank), collectively());
  ///
  /// - Needed: `recv_buf` to read, `send_buf` to write
  /// - Parameters: read: `recv_buf`, `recv_count` (an upper bound; needed if the buffer resizes);
  ///   write: `send_buf`; position: at (an offset in units of the view), `shared_pointer`, or
  ///   neither for the individual file pointer; collectively (all ranks together); `ordered` (all
  ///   ranks, in the order of the ranks, at the shared file pointer)
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: read: the buffer if it was moved in, with the length that could be read, then what
  ///   was asked for
  /// - Messages: read and write make one MPI call; iread and iwrite return a request; read_split
  ///   and write_split begin a collective access that the returned request ends, one at a time for
  ///   each file; Open MPI overlaps nothing with what it reads, nor with what it writes with
  ///   MPI_THREAD_MULTIPLE: the request is complete
  /// - Allocates: nothing except what the buffer needs to grow, encode, decode or pack
  /// - Errors: a rank with an error before a collective access (an offset that no file has, a
  ///   count, a buffer without room, data that is no whole number of elements of the view, an
  ///   encoder or a container that throws) takes part in it without data, and throws afterwards:
  ///   read, write at once, requests and split accesses in wait
  template <class... Parameters>
  auto write(Parameters&&... parameters) const {
    using call = detail::handle_call<operations::file_write, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Writes data to a file. Nonblocking. Returns a request, whose `wait()` gives the result of
  /// `write`.
  ///
  ///     auto request = file.iwrite(send_buf(values), at(8 * rank), collectively());
  ///
  /// - Needed: `recv_buf` to read, `send_buf` to write
  /// - Parameters: read: `recv_buf`, `recv_count` (an upper bound; needed if the buffer resizes);
  ///   write: `send_buf`; position: at (an offset in units of the view), `shared_pointer`, or
  ///   neither for the individual file pointer; collectively (all ranks together); `ordered` (all
  ///   ranks, in the order of the ranks, at the shared file pointer)
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: read: the buffer if it was moved in, with the length that could be read, then what
  ///   was asked for
  /// - Messages: read and write make one MPI call; iread and iwrite return a request; read_split
  ///   and write_split begin a collective access that the returned request ends, one at a time for
  ///   each file; Open MPI overlaps nothing with what it reads, nor with what it writes with
  ///   MPI_THREAD_MULTIPLE: the request is complete
  /// - Allocates: nothing except what the buffer needs to grow, encode, decode or pack
  /// - Errors: a rank with an error before a collective access (an offset that no file has, a
  ///   count, a buffer without room, data that is no whole number of elements of the view, an
  ///   encoder or a container that throws) takes part in it without data, and throws afterwards:
  ///   read, write at once, requests and split accesses in wait
  template <class... Parameters>
  auto iwrite(Parameters&&... parameters) const {
    using call = detail::handle_call<operations::file_write, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Writes data to a file. Split collective. Returns a request, whose `wait()` gives the result of
  /// `write`.
  ///
  ///     auto request = file.write_split(send_buf(values), at(8 * rank), collectively());
  ///
  /// - Needed: `recv_buf` to read, `send_buf` to write
  /// - Parameters: read: `recv_buf`, `recv_count` (an upper bound; needed if the buffer resizes);
  ///   write: `send_buf`; position: at (an offset in units of the view), `shared_pointer`, or
  ///   neither for the individual file pointer; collectively (all ranks together); `ordered` (all
  ///   ranks, in the order of the ranks, at the shared file pointer)
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: read: the buffer if it was moved in, with the length that could be read, then what
  ///   was asked for
  /// - Messages: read and write make one MPI call; iread and iwrite return a request; read_split
  ///   and write_split begin a collective access that the returned request ends, one at a time for
  ///   each file; Open MPI overlaps nothing with what it reads, nor with what it writes with
  ///   MPI_THREAD_MULTIPLE: the request is complete
  /// - Allocates: nothing except what the buffer needs to grow, encode, decode or pack
  /// - Errors: a rank with an error before a collective access (an offset that no file has, a
  ///   count, a buffer without room, data that is no whole number of elements of the view, an
  ///   encoder or a container that throws) takes part in it without data, and throws afterwards:
  ///   read, write at once, requests and split accesses in wait
  template <class... Parameters>
  auto write_split(Parameters&&... parameters) const {
    using call = mpiglot::split_call<operations::file_write, detail::writing, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
