// What a communicator decides at compile time for all of its operations: how much is checked, and
// how errors come back.

#pragma once

namespace mpiglot {

/// How much is checked before MPI is called. A communicator type says so by a member
/// `static constexpr checks checking`. What costs one comparison (sizes that the library computes
/// or is told as one number) is always checked.
enum class checks {
  off,     ///< nothing else
  light,   ///< that the communicator is not null; arrays of counts and displacements: their length,
           ///< that they fit the buffer
  normal,  ///< ranks and tags, too
  communication,  ///< that all ranks agree where they must, by a message of its own: on roots, on types
  ///< of elements, on the counts of bcast, gather, allgather, alltoall and reductions,
  ///< and that an alltoallv sends as much as is expected; what differs is thrown on all
  ///< ranks
};

/// Errors are thrown.
struct throwing {};
/// Errors come back: every operation gives an `outcome` (include <mpiglot/outcome.hpp>). Works
/// without exceptions, where errors that codecs and containers would throw still end the job.
struct returning {};

/// What operations give back under the policy `returning`: outcome.hpp.
template <class T>
class outcome;

namespace detail {

template <class Communicator>
inline constexpr checks checking_of = checks::light;
template <class Communicator>
  requires requires { Communicator::checking; }
inline constexpr checks checking_of<Communicator> = Communicator::checking;

template <class Communicator>
struct error_policy {
  using type = throwing;
};
template <class Communicator>
  requires requires { typename Communicator::error_policy; }
struct error_policy<Communicator> {
  using type = typename Communicator::error_policy;
};
template <class Communicator>
using error_policy_of = typename error_policy<Communicator>::type;

}  // namespace detail
}  // namespace mpiglot
