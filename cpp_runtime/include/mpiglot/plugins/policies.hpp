// Plugins that choose at compile time what a communicator checks and how errors come back.
//
//   using fast = basic_communicator<unchecked>;
//   using careful = basic_communicator<checked_together, with_outcomes>;

#pragma once

#include <mpiglot/communicator.hpp>
#include <mpiglot/outcome.hpp>

namespace mpiglot {

/// Checks nothing that costs more than one comparison.
template <class Base>
struct unchecked : Base {
  using Base::Base;
  /// The level of checks.
  static constexpr checks checking = checks::off;
};

/// Checks ranks and tags, too.
template <class Base>
struct checked : Base {
  using Base::Base;
  /// The level of checks.
  static constexpr checks checking = checks::normal;
};

/// Checks, by a message of its own, that all ranks agree where they must.
template <class Base>
struct checked_together : Base {
  using Base::Base;
  /// The level of checks.
  static constexpr checks checking = checks::communication;
};

/// Operations give back an `outcome`: their value or an error. Nothing is thrown.
template <class Base>
struct with_outcomes : Base {
  using Base::Base;
  /// How errors come back.
  using error_policy = returning;
};

}  // namespace mpiglot
