// An alltoallv whose parts travel by a route of a plugin: at once, or in stages while the program goes on.

#pragma once

#include <memory>
#include <optional>

#include <mpiglot/detail/plugins/parcels.hpp>
#include <mpiglot/detail/plugins/staged_exchange.hpp>

namespace mpiglot::detail {

/// The steps of an exchange in flight: those of its route.
template <class State, class Route>
class route_in_flight {
 public:
  explicit route_in_flight(State& of) noexcept : of_(of) {}

  void open() { leaving_ = of_.packed(); }
  void take_off(typename Route::kept& kept) {
    comm_ = kept.verdict.handle();
    route_.emplace(kept, of_.group.rank, leaving_);
  }
  void begin(int stage, troubles& met) { route_->begin(stage, met); }
  [[nodiscard]] bool completed(int stage, troubles& met) { return route_->completed(stage, met); }
  void conclude() { of_.deliver(route_->received(), comm_); }

 private:
  State& of_;
  parcels leaving_;
  mpi::comm_handle comm_;  // that of the program may be freed by now
  std::optional<Route> route_;
};
template <class State, class Route>
class exchange_in_flight final
    : public flight<route_in_flight<State, Route>, typename Route::kept, Route::stages> {
  using steps = route_in_flight<State, Route>;

 public:
  explicit exchange_in_flight(State& of) noexcept
      : flight<steps, typename Route::kept, Route::stages>(steps_, of.group.comm, of.group.rank),
        steps_(of) {}

 private:
  steps steps_;
};

/// The state of an alltoallv by a route.
template <class Operation, class Arguments>
struct exchanging_in_stages : exchanging<Operation, Arguments> {
  using base = exchanging<Operation, Arguments>;
  static constexpr bool in_stages = true;
  static constexpr bool movable = false;
  static constexpr bool repeats = false;

  using base::base;

  template <class Io>
  void call(Io io) {
    if constexpr (!Io::blocking) {
      using in_flight = exchange_in_flight<exchanging_in_stages, typename Operation::route>;
      auto* const begun = new_to_take_part<in_flight>(*this);
      under_way.reset(begun);
      io.code = begun->start(io.request);
    }
  }
  void finish() {
    if (under_way)
      under_way->rethrow();
    else
      base::finish();
  }

  /// What this rank sends, or why it cannot.
  [[nodiscard]] parcels packed() {
    this->failure.rethrow();
    const lent out = this->source.out(this->arguments);
    const auto from = merged::payload::of<typename base::source_type::wire>(out, 0);
    return parcel::pack(from, merged::sent_layout::of(this->sent, false),
                        static_cast<std::size_t>(this->group.size), this->group.comm);
  }
  /// Puts what has come where the program wants it.
  void deliver(const parcels& came, mpi::comm_handle comm) {
    merged::receiving_parts to{receiving_of(*this), this->layout};
    const int code = parcel::deliver(came, to, comm);
    take_failed(*this, to.failed);
    if (code != MPI_SUCCESS) raise(code, base::name);
    base::finish();
  }

  std::unique_ptr<staged> under_way;
};

/// The state for an operation: with stages where it has a route.
template <class Operation, class Arguments>
struct exchanging_of {
  using type = exchanging<Operation, Arguments>;
};
template <class Operation, class Arguments>
  requires requires { typename Operation::route; }
struct exchanging_of<Operation, Arguments> {
  using type = exchanging_in_stages<Operation, Arguments>;
};

}  // namespace mpiglot::detail
