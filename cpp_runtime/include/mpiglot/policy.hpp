// The policies of a communicator, which hold for all its operations: the check level and the way in
// which errors are reported.

#pragma once

namespace mpiglot {

/// The check level: the checks before an MPI call. A communicator type sets it by a member `static
/// constexpr checks checking`. Checks that cost one comparison (of sizes that the library computes,
/// or of a single number) are always made.
enum class checks {
  off,     ///< no further checks
  light,   ///< the communicator is not null; arrays of counts and displacements have the right
           ///< length and fit the buffer
  normal,  ///< also roots, the length of what arrives, and partitions that are ready twice
  communication,  ///< also that all ranks agree, by an additional message: on roots, on the types of
                  ///< elements, on the shapes of views, on whether counts and lengths_first are
  ///< given, on the counts of bcast, gather, allgather, alltoall and reductions, and
  ///< that the counts sent by alltoallv are those expected; a difference is thrown on
  ///< all ranks
};

/// Errors are thrown.
struct throwing {};
/// Errors are returned: every operation returns an `outcome` (include <mpiglot/outcome.hpp>). This
/// works in programs compiled without exceptions; there, errors that codecs and containers would
/// throw end the job.
struct returning {};

/// The result of an operation with the policy `returning`: outcome.hpp.
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
