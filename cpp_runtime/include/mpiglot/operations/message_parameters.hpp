// Names of parameters that only messages between two ranks have.

#pragma once

#include <mpiglot/parameters.hpp>

namespace mpiglot {

namespace keys {
struct send_tag {};
struct recv_tag {};
struct partitions {};
}  // namespace keys

/// The tag of what is sent, where something is received, too; else that of `tag`, else 0.
[[nodiscard]] inline parameter<keys::send_tag, int> send_tag(int number) { return {number}; }
/// The tag of what is received; else that of `tag`, else any.
[[nodiscard]] inline parameter<keys::recv_tag, int> recv_tag(int number) { return {number}; }

/// Into how many equal parts the buffer is divided, which become ready and arrive one by one.
[[nodiscard]] inline parameter<keys::partitions, int> partitions(int number) { return {number}; }
parameter<keys::send_tag, int> send_tag(detail::no_whole_number auto) = delete;
parameter<keys::recv_tag, int> recv_tag(detail::no_whole_number auto) = delete;
parameter<keys::partitions, int> partitions(detail::no_whole_number auto) = delete;

}  // namespace mpiglot
