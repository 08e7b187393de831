// The state of an operation of several stages, and what its stages are made of.

#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/base/cached.hpp>
#include <mpiglot/detail/base/failure.hpp>
#include <mpiglot/detail/plugins/inner.hpp>
#include <mpiglot/detail/engine/stages.hpp>

namespace mpiglot::detail {

/// What failed so far in an operation of several messages: on this rank, or on another one that told it.
struct troubles {
  static constexpr int none = -2;
  static constexpr int types_differ = 0x3fffffff;
  int rank;  // this one
  int failed =
      none;  // a rank, `remote_failure::unknown`, or `types_differ` if ranks send elements of two sizes
  kept_failure own{};
  listener told = listening == nullptr ? listener() : *listening;  // of the calls of its stages

  [[nodiscard]] bool any() const noexcept { return failed != none; }
  template <class Action>
  bool attempt(int whose, Action action) {
    const bool well = own.attempt(action);
    if (!well) met(whose);
    return well;
  }
  template <class Action>
  bool attempt(Action action) {
    return attempt(rank, action);
  }
  void met(int whose) noexcept {
    if (failed == none) failed = whose;
  }
  void rethrow() {
    own.rethrow();
    if (failed == types_differ) raise(MPI_ERR_TYPE, "mpiglot");
    if (failed != none) mpi::detail::fail(remote_failure(failed));
  }
};

/// A stage compares nothing: a comparison waits for other ranks.
using stage_communicator = basic_communicator<inside<checks::off, false>::template plugin>;

/// What a communicator keeps for the operations of one kind that are in flight on it, with the communicators of
/// their stages.
struct stage_context {
  explicit stage_context(mpi::comm_handle comm) : verdict(stage_communicator(comm).dup()) {}

  stage_turns turns;
  stage_communicator verdict;  // of the last stage
  /// Where a few hops reach all ranks: one communicator for each hop. The last stages are on them instead.
  std::vector<stage_communicator> verdict_hops;
};

/// Operations in flight share it with their communicator, which may be freed before they are complete.
template <class Kept>
struct shared_context {
  explicit shared_context(mpi::comm_handle comm) : kept(std::make_shared<Kept>(comm)) {}
  std::shared_ptr<Kept> kept;
};

/// The request of a stage, of any type, in place. Its result goes to what the call was given to receive into.
class pending_stage {
 public:
  pending_stage() noexcept = default;
  pending_stage(const pending_stage&) = delete;
  pending_stage& operator=(const pending_stage&) = delete;
  ~pending_stage() { clear(); }

  /// Keeps what `start()` gives. What that throws is met as trouble of unknown ranks.
  template <class Start>
  void begin(troubles& met, Start start) {
    using request = decltype(start());
    static_assert(sizeof(request) <= sizeof memory_ &&
                  alignof(request) <= alignof(std::max_align_t));
    clear();
    const bool told = met.told.comm != nullptr;
    const double began = told ? seconds_now() : 0;
    if (told) {
      call_ = {request::name, call_form::nonblocking};
      call_.begun = began;
      met.told.before(call_);
    }
    const bool well = met.attempt(remote_failure::unknown, [&] {
      auto* const made = ::new (static_cast<void*>(memory_)) request(start());
      if (told) call_.bytes = made->bytes();
      end_ = [](void* held, ending how) {
        auto& one = *static_cast<request*>(held);
        if (how == ending::test) return static_cast<bool>(one.test());
        if (how == ending::wait)
          static_cast<void>(one.wait());
        else
          one.~request();
        return true;
      };
    });
    if (told) tell(met, began, !well, !well);
  }
  /// Whether it is complete, or was not begun. Where nothing else is in flight, it waits.
  [[nodiscard]] bool completed(troubles& met) {
    return ended(met, staged::may_wait() ? ending::wait : ending::test);
  }
  /// The same without waiting, for stages that must do something else meanwhile.
  [[nodiscard]] bool tested(troubles& met) { return ended(met, ending::test); }

 private:
  enum class ending : unsigned char { test, wait, drop };
  [[nodiscard]] bool ended(troubles& met, ending how) {
    if (end_ == nullptr) return true;
    bool complete = true;
    const bool told = met.told.comm != nullptr;
    const double began = told ? seconds_now() : 0;
    const bool well = met.attempt([&] { complete = end_(memory_, how); });
    if (told) tell(met, began, complete, !well);
    if (complete) clear();
    return complete;
  }
  void tell(troubles& met, double began, bool ends, bool failed) {
    call_.seconds += seconds_now() - began;
    call_.failed = failed;
    if (ends) met.told.completed(call_);
  }
  void clear() noexcept {
    if (auto* const end = std::exchange(end_, nullptr))
      static_cast<void>(end(memory_, ending::drop));
  }

  alignas(std::max_align_t) std::byte memory_[1024];
  bool (*end_)(void* held, ending how) = nullptr;
  observed_call call_{};
};

/// Makes what this rank cannot take part without. Memory for it is asked for twice. Throws `cannot_take_part`.
template <class Make>
void make_to_take_part(Make make) {
#if defined(__cpp_exceptions)
  try {
    try {
      make();
    } catch (const std::bad_alloc&) {
      make();
    }
  } catch (const std::bad_alloc&) {
    refuse_part();
  }
#else
  make();
#endif
}

/// The same in a stage: ends the job where there is no memory and others wait.
template <class Make>
void make_in_stage(int ranks, Make make) {
#if defined(__cpp_exceptions)
  try {
    make_to_take_part(make);
  } catch (const cannot_take_part&) {
    end_if_others_wait(ranks);
    throw;
  }
#else
  static_cast<void>(ranks);
  make();
#endif
}

/// How many numbers an operation tells in its last message, besides whether it failed.
template <class Of>
inline constexpr std::size_t told_by = 0;
template <class Of>
  requires requires { Of::told; }
inline constexpr std::size_t told_by<Of> = Of::told;

/// The last stages of an operation: all ranks learn whether one of them failed, and the largest of some numbers.
template <std::size_t Numbers>
class verdict_of_all {
 public:
  void make_room(const stage_context& on) {
    on_ = &on;
    std::size_t ranks = 1;
    for (const stage_communicator& hop : on.verdict_hops)
      ranks = std::max(ranks, static_cast<std::size_t>(hop.size()));
    received_.resize(ranks * size);
  }
  [[nodiscard]] int stages() const noexcept {
    return std::max(1, static_cast<int>(on_->verdict_hops.size()));
  }
  /// What this rank tells, then the largest of all.
  [[nodiscard]] count_t* numbers() noexcept { return told_ + 1; }
  void begin(int stage, troubles& met) {
    if (met.any()) told_[0] = std::max<count_t>(told_[0], met.failed - troubles::none);
    if (on_->verdict_hops.empty()) {
      ranks_ = 1;
      pending_.begin(met, [this] {
        return on_->verdict.iallreduce(send_buf(told_), recv_buf(received()), op(mpi::max));
      });
      return;
    }
    const stage_communicator& hop = on_->verdict_hops[static_cast<std::size_t>(stage)];
    ranks_ = static_cast<std::size_t>(hop.size());
    pending_.begin(met, [&] { return hop.iallgather(send_buf(told_), recv_buf(received())); });
  }
  [[nodiscard]] bool completed(troubles& met) {
    if (!pending_.completed(met)) return false;
    for (std::size_t i = 0; i < ranks_ * size; ++i)
      told_[i % size] = std::max(told_[i % size], received_[i]);
    if (told_[0] != 0) met.met(static_cast<int>(told_[0]) + troubles::none);
    return true;
  }

 private:
  static constexpr std::size_t size = Numbers + 1;
  [[nodiscard]] std::span<count_t> received() noexcept { return {received_.data(), ranks_ * size}; }

  const stage_context* on_ = nullptr;
  std::size_t ranks_ = 0;  // that tell this one
  count_t told_[size] = {};
  std::vector<count_t> received_;
  pending_stage pending_;  // last: it ends before the memory that it uses
};

/// An operation of several stages in flight, whose steps `Of` has. Behind them, all ranks learn whether one of them
/// failed: in a stage, or when it made its result.
template <class Of, class Kept>
class flight : public staged {
 public:
  flight(Of& of, mpi::comm_handle comm, int rank) noexcept : of_(of), comm_(comm), met_{rank} {}

  [[nodiscard]] int start(mpi::request_handle& request) {
    prepare();
    return launch(context_->turns, stages_ + verdict_.stages(), request);
  }
  void start_and_wait() {
    prepare();
    run(context_->turns, stages_ + verdict_.stages());
  }
  void rethrow() override { met_.rethrow(); }

 private:
  void prepare() {
    kept_ = cached_on<shared_context<Kept>>(comm_).kept;
    context_ = &of_.context(*kept_);
    met_.attempt([this] { of_.open(); });
    make_to_take_part([this] {
      of_.take_off(*kept_);
      verdict_.make_room(*context_);
    });
    stages_ = of_.stages();
  }
  void begin(int stage) noexcept override {
    if (stage < stages_) {
      met_.attempt(remote_failure::unknown, [&] { of_.begin(stage, met_); });
      return;
    }
    if constexpr (told_by<Of> != 0)
      if (stage == stages_) of_.tell(verdict_.numbers());
    verdict_.begin(stage - stages_, met_);
  }
  bool completed(int stage) noexcept override {
    if (stage < stages_) {
      bool complete = true;
      met_.attempt([&] { complete = of_.completed(stage, met_); });
      if (!complete) return false;
      if (stage == stages_ - 1 && !met_.any()) met_.attempt([this] { of_.conclude(); });
      return true;
    }
    if (!verdict_.completed(met_)) return false;
    if constexpr (told_by<Of> != 0)
      if (stage == stages_ + verdict_.stages() - 1) of_.learn(verdict_.numbers(), met_);
    return true;
  }

  Of& of_;
  mpi::comm_handle comm_;
  std::shared_ptr<Kept> kept_;
  stage_context* context_ = nullptr;
  int stages_ = 0;
  troubles met_;
  verdict_of_all<told_by<Of>> verdict_;
};

/// The state `State` of an operation that a `Flight` makes, from `Base` on. The blocking form is the other one, and a
/// wait.
template <class Base, class State, class Flight>
struct made_in_stages : Base {
  static constexpr bool one_call = false;
  static constexpr bool in_stages = true;
  static constexpr bool movable = false;
  static constexpr bool repeats = false;

  using Base::Base;

  bool agree(int&) {
    begun().start_and_wait();
    return false;
  }
  template <class Io>
  void call(Io io) {
    if constexpr (!Io::blocking) io.code = begun().start(io.request);
  }
  void finish() { under_way->rethrow(); }

 private:
  [[nodiscard]] Flight& begun() {
    State& self = static_cast<State&>(*this);
    auto* const made = new_to_take_part<Flight>(self, self.group.comm, self.group.rank);
    under_way.reset(made);
    return *made;
  }

  std::unique_ptr<staged> under_way;
};

/// The base of the state `State` of an operation of `Stages` stages. `Kept` derives from `stage_context` and has
/// the communicators of the stages; it is made, `Kept(comm)`, by the first call, which is collective.
template <class State, class Kept, int Stages>
struct staged_state : made_in_stages<defaults, State, flight<State, Kept>> {
  using flight_type = flight<State, Kept>;
  static_assert(Stages < stage_turns::most);
  [[nodiscard]] static constexpr int stages() noexcept { return Stages; }
  [[nodiscard]] static stage_context& context(Kept& kept) noexcept { return kept; }

  void prepare() noexcept {}
  void open() noexcept {}
  void take_off(Kept& kept) noexcept { lines = &kept; }
  void conclude() noexcept {}
  /// What the communicator keeps: the communicators of the stages.
  [[nodiscard]] Kept& kept() const noexcept { return *lines; }

 private:
  Kept* lines = nullptr;
};

}  // namespace mpiglot::detail
