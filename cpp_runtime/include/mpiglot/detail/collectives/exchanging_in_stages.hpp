// An alltoallv whose parts travel by a route of a plugin, in stages while the program goes on.

#pragma once

#include <memory>
#include <optional>

#include <mpiglot/detail/base/cached.hpp>
#include <mpiglot/detail/collectives/parcels.hpp>
#include <mpiglot/detail/engine/staged_exchange.hpp>
#include <mpiglot/detail/engine/stages.hpp>

namespace mpiglot::detail {

/// What a communicator keeps for the operations of one kind that are in flight on it, with the communicators of
/// their stages.
struct stage_context {
  explicit stage_context(mpi::comm_handle comm) : verdict(quiet_communicator(comm).dup()) {}

  stage_turns turns;
  quiet_communicator verdict;  // of the last stage
};

/// Operations in flight share it with their communicator, which may be freed before they are complete.
template <class Kept>
struct shared_context {
  explicit shared_context(mpi::comm_handle comm) : kept(std::make_shared<Kept>(comm)) {}
  std::shared_ptr<Kept> kept;
};

/// An exchange in flight. Behind the stages of the route, all ranks learn whether one of them failed: until then,
/// or when it made room or decoded what came.
template <class State, class Route>
class exchange_in_flight final : public staged {
  using kept_type = typename Route::kept;

 public:
  static constexpr int stages = Route::stages + 1;

  explicit exchange_in_flight(State& of) : staged(stages), of_(of), met_{of.group.rank} {}

  [[nodiscard]] int start(mpi::request_handle& request) {
    kept_ = cached_on<shared_context<kept_type>>(of_.group.comm).kept;
    met_.attempt(of_.group.rank, [this] { leaving_ = of_.packed(); });
    route_.emplace(*kept_, of_.group.rank, leaving_);
    return launch(kept_->turns, request);
  }
  void rethrow() override { met_.rethrow(); }

 private:
  void begin(int stage) noexcept override {
    if (stage < Route::stages) return route_->begin(stage, met_);
    told_ = met_.any() ? met_.failed + 3 : 0;
    met_.attempt(remote_failure::unknown, [this] {
      verdict_.emplace(kept_->verdict.iallreduce(send_buf(told_), recv_buf(worst_), op(mpi::max)));
    });
  }
  bool completed(int stage) noexcept override {
    if (stage < Route::stages) {
      if (!route_->completed(stage, met_)) return false;
      if (stage == Route::stages - 1 && !met_.any())
        met_.attempt(of_.group.rank, [this] { of_.deliver(route_->received()); });
      return true;
    }
    if (!verdict_) return true;
    bool complete = true;
    met_.attempt(remote_failure::unknown, [&] { complete = verdict_->test(); });
    if (complete && worst_ != 0) met_.met(worst_ - 3);
    return complete;
  }

  using verdict_request = decltype(std::declval<const quiet_communicator&>().iallreduce(
      send_buf(std::declval<int&>()), recv_buf(std::declval<int&>()), op(mpi::max)));

  State& of_;
  std::shared_ptr<kept_type> kept_;
  troubles met_;
  parcels leaving_;
  std::optional<Route> route_;
  int told_ = 0;
  int worst_ = 0;
  std::optional<verdict_request> verdict_;
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
      using flight_type = exchange_in_flight<exchanging_in_stages, typename Operation::route>;
      auto* const begun = new_to_take_part<flight_type>(*this);
      flight.reset(begun);
      io.code = begun->start(io.request);
    }
  }
  void finish() {
    if (flight)
      flight->rethrow();
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
  void deliver(const parcels& came) {
    merged::receiving_parts to{receiving_of(*this), this->layout};
    const int code = parcel::deliver(came, to, this->group.comm);
    take_failed(*this, to.failed);
    if (code != MPI_SUCCESS) raise(code, base::name);
    base::finish();
  }

  std::unique_ptr<staged> flight;
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
