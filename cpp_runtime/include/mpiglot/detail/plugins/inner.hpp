// The communicator of calls inside of another operation.

#pragma once

#include <mpiglot/communicator.hpp>

namespace mpiglot::detail {

/// Errors of its operations are those of the operation around them, which says where they were.
template <checks Level>
struct inside {
  template <class Base>
  struct plugin : Base {
    using Base::Base;
    using is_inside_of_an_operation = void;
    static constexpr checks checking = Level;
  };
};
template <checks Level>
using inner_communicator = basic_communicator<inside<Level>::template plugin>;

}  // namespace mpiglot::detail
