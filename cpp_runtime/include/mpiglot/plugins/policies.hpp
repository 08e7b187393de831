// Plugins that choose at compile time the check level of a communicator and how it reports errors.
//
//   using fast = basic_communicator<unchecked>;
//   using careful = basic_communicator<checked_together, with_outcomes>;

#pragma once

#include <mpiglot/communicator.hpp>
#include <mpiglot/outcome.hpp>

namespace mpiglot {

/// Disables all checks that cost more than one comparison.
template <class Base>
struct unchecked : Base {
  using Base::Base;
  /// The check level.
  static constexpr checks checking = checks::off;
};

/// Also checks ranks and tags.
template <class Base>
struct checked : Base {
  using Base::Base;
  /// The check level.
  static constexpr checks checking = checks::normal;
};

/// Also checks, by an additional message, that the ranks agree on the arguments that must be the
/// same on all of them.
template <class Base>
struct checked_together : Base {
  using Base::Base;
  /// The check level.
  static constexpr checks checking = checks::communication;
};

/// Operations return an `outcome`: a value or an error. Nothing is thrown.
template <class Base>
struct with_outcomes : Base {
  using Base::Base;
  /// The error policy.
  using error_policy = returning;
};

}  // namespace mpiglot
