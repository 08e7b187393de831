// The communicator of calls inside of another operation.

#pragma once

#include <mpiglot/communicator.hpp>

namespace mpiglot::detail {

/// Errors of its operations are those of the operation around them, which says where they were. Plugins that are
/// `Told` of that one are told of these, too.
template <checks Level, bool Told>
struct inside {
  template <class Base>
  struct plugin : Base {
    using Base::Base;
    using is_inside_of_an_operation = void;
    static constexpr checks checking = Level;
    void before(const observed_call& call) const
      requires Told
    {
      if (listening != nullptr) listening->before(call);
    }
    void completed(const observed_call& call) const
      requires Told
    {
      if (listening != nullptr) listening->completed(call);
    }
  };
};
template <class Arguments, template <class> class... Plugins>
using inner_of =
    basic_communicator<inside<Arguments::checking, is_told<Arguments>>::template plugin,
                       Plugins...>;

}  // namespace mpiglot::detail
