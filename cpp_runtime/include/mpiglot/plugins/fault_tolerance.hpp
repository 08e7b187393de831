// Going on after processes have failed (User Level Failure Mitigation), with Open MPI 5 and `mpiexec --with-ft ulfm`.
//
//   basic_communicator<fault_tolerant> comm;
//   try {
//     comm.allreduce(send_recv_buf(sums), op(std::plus<>()));
//   } catch (const process_failed&) {      // on the ranks that notice it
//     comm.revoke();                       // which makes the calls of all others fail: `revoked`
//   } catch (const revoked&) {
//   }
//   if (!comm.agree(well)) comm = comm.shrink();
//
// Or all of that, with a copy of each rank's data on another rank:
//
//   auto [rest, mine] = resilient(comm, begin, step, join);
//
// MPI does not tell all ranks of a failure: a collective call may be complete on some ranks, with what they had before,
// and fail on others. So a result counts after `agree`.
//
// Members     survives_failures, revoke, is_revoked, shrink, agree, failed, ack
// Parameters  none
// Messages    shrink and agree are collective among the ranks that are left; the others are local. In a program that
//             includes this header and can survive, `dup`, `split` and their kind end with a barrier: all programs
//             of such a job include it, or none
// Allocates   shrink and agree nothing of their own; revoke a list of the communicators it revokes
// Errors      process_failed and revoked are thrown by every operation, whatever plugins its communicator has;
//             mpi::unavailable where this MPI, or the way it was started, does not survive a failure

#pragma once

#include <algorithm>
#include <exception>
#include <mpiglot/group.hpp>
#include <mpiglot/mpi/extensions.hpp>
#include <mpiglot/plugin.hpp>
#include <mpiglot/request_pool.hpp>
#include <mpiglot/serialized.hpp>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace mpiglot {

namespace fault_tolerance {

/// Why this program cannot survive the failure of a process, which stays so; null if it can.
[[nodiscard]] inline const char* look_for_missing() {
  if constexpr (!mpi::has_mpix_comm_shrink) {
    return "this MPI does not go on after a process has failed; Open MPI 5 does";
  } else {
    if (detail::library_defect("no-fault-tolerance") != nullptr ||
        detail::library_defect("no-agreement") != nullptr)
      return "this MPI has the functions, but ends the job in them; Open MPI 5 does not";
#if defined(MPIX_FT)
    const int* enabled = nullptr;
    int found = 0;
    MPIGLOT_MPI(MPI_Comm_get_attr)(MPI_COMM_WORLD, MPIX_FT, &enabled, &found);
    if (found == 0 || *enabled == 0)
      return "the failure of a process ends this job; start it with mpiexec --with-ft ulfm";
#endif
    return nullptr;
  }
}
/// The same, looked for once.
[[nodiscard]] inline const char* missing() {
  static const char* const sentence = look_for_missing();
  return sentence;
}
/// Throws `mpi::unavailable` of `call` then.
inline void require(const char* call) {
  if (const char* const sentence = missing())
    mpi::detail::fail(mpi::unavailable(call, mpi::lacking{sentence}));
}

/// Revokes a communicator and those that were made of it. MPI's code.
[[nodiscard]] inline int revoke(mpi::comm_handle comm) noexcept {
  const auto key = mpi::detail::key_of(comm);
  std::vector<std::size_t> made;
  try {
    made.resize(mpi::detail::list_family(key, nullptr, 0));
    made.resize(std::min(made.size(), mpi::detail::list_family(key, made.data(), made.size())));
  } catch (const std::bad_alloc&) {
    made.clear();
  }
  const int code = mpi::nothrow::mpix_comm_revoke(comm).code;
  for (const std::size_t number : made)
    static_cast<void>(mpi::nothrow::mpix_comm_revoke({mpi::detail::native_of<MPI_Comm>(number)}));
  return code;
}

/// Whether an error says that a process has failed, here or where a rank has revoked the communicator for it.
[[nodiscard]] inline bool means_failure(const mpi::error& failure) noexcept {
  return detail::tells_of_failure(static_cast<int>(failure.error_class()));
}

/// What a communicator owns, if it is revoked, is not freed: in Open MPI 5, messages of other ranks that are still on
/// their way reach the next communicator that gets its number, or end the process.
inline void leave_if_revoked(detail::held<mpi::comm_handle>& comm) noexcept {
  if (missing() == nullptr && comm.owns() && !detail::mpi_is_over() &&
      mpi::nothrow::mpix_comm_is_revoked(comm).value)
    static_cast<void>(comm.release());
}

/// While it is there, an error that tells of a failure revokes this communicator before it is thrown: then what is
/// in flight is complete where the exception passes. Communicators that exceptions destroy are freed with it: other
/// ranks may wait on them until they are revoked.
class revoking {
 public:
  explicit revoking(mpi::comm_handle comm) noexcept
      : comm_(comm),
        exceptions_(std::uncaught_exceptions()),
        outer_(std::exchange(innermost_, this)) {}
  revoking(const revoking&) = delete;
  revoking& operator=(const revoking&) = delete;
  ~revoking() {
    innermost_ = outer_;
    for (auto& comm : unwound_) leave_if_revoked(comm);
  }

  /// For requests that use memory of the caller.
  static bool see_in_flight() noexcept {
    return innermost_ != nullptr && revoke(innermost_->comm_) == MPI_SUCCESS;
  }
  static void see(const error& failure) {
    if (innermost_ != nullptr && means_failure(failure))
      static_cast<void>(revoke(innermost_->comm_));
  }
  static void see_destroyed(detail::held<mpi::comm_handle>& comm) noexcept {
    if (innermost_ == nullptr || !comm.owns()) return;
    if (std::uncaught_exceptions() == innermost_->exceptions_) return;
    try {
      innermost_->unwound_.push_back(std::move(comm));
    } catch (const std::bad_alloc&) {
      static_cast<void>(revoke(comm));
    }
  }

 private:
  static inline constinit thread_local revoking* innermost_ = nullptr;
  mpi::comm_handle comm_;
  int exceptions_;
  revoking* outer_;
  std::vector<detail::held<mpi::comm_handle>> unwound_{};
};

/// Open MPI 5 crashes on a rank that is still making a communicator when another one revokes it: in this program, a rank
/// that has made one waits for the others. MPI's code.
inline int wait_for_makers(mpi::comm_handle parent) noexcept {
  return missing() == nullptr ? MPIGLOT_WAITING(MPI_Barrier)(parent.native) : MPI_SUCCESS;
}
/// From now on this program waits for them, and ends what is in flight by revoking.
inline bool begin_to_wait() noexcept {
  detail::waits_for_makers = &wait_for_makers;
  detail::ends_in_flight = &revoking::see_in_flight;
  return true;
}
/// True.
[[maybe_unused]] static const bool waits_for_makers = begin_to_wait();

/// Notes families from its first object on.
struct noting_families {
  noting_families() noexcept { mpi::detail::note_families(); }
};

}  // namespace fault_tolerance

/// A plugin for programs that go on after processes have failed.
template <class Base>
class fault_tolerant : public Base {
  using made = typename Base::communicator_type;
  static constexpr bool hooked =
      requires(const Base& base, const error& failure) { base.on_error(failure); };

 public:
  using Base::Base;
  fault_tolerant(fault_tolerant&&) noexcept = default;
  fault_tolerant& operator=(fault_tolerant&& other) noexcept {
    if (this != &other) fault_tolerance::leave_if_revoked(*this);
    Base::operator=(static_cast<Base&&>(other));
    return *this;
  }
  ~fault_tolerant() {
    fault_tolerance::revoking::see_destroyed(*this);
    fault_tolerance::leave_if_revoked(*this);
  }

  /// Whether the program can go on after a failure: this MPI can, and was started for it. Local.
  [[nodiscard]] static bool survives_failures() { return fault_tolerance::missing() == nullptr; }

  /// Makes every call on this communicator fail, on all ranks, now and later: `revoked`. So do those on the
  /// communicators made of it after the first object with this plugin was made. `shrink` and `agree` go on. Local.
  void revoke() const { check(fault_tolerance::revoke(possible("revoke")), "revoke"); }
  /// Whether a rank has revoked it, as far as this one knows. Local.
  [[nodiscard]] bool is_revoked() const {
    return known(mpi::nothrow::mpix_comm_is_revoked(possible("is_revoked")), "is_revoked");
  }
  /// A communicator of the ranks that are left, in their order. Collective among these.
  [[nodiscard]] made shrink() const {
    const mpi::comm_handle comm = possible("shrink");
    const auto outcome = mpi::nothrow::mpix_comm_shrink(comm);
    int bits = 0;  // all ranks that are left have made it then
    static_cast<void>(mpi::nothrow::mpix_comm_agree(comm, bits));
    mpi::unique_comm rest(known(outcome, "shrink"));
    mpi::detail::note_independent(mpi::detail::key_of(rest.get()));
    return made(static_cast<mpi::unique_comm&&>(rest));
  }
  /// The bits that all ranks which are left give, the same on all of them, whatever fails meanwhile. Throws
  /// `process_failed` on all if ranks have failed that not all ranks have acknowledged. Collective among the
  /// ranks that are left.
  [[nodiscard]] int agree(int bits) const {
    check(mpi::nothrow::mpix_comm_agree(possible("agree"), bits).code, "agree");
    return bits;
  }
  /// Whether all ranks that are left say so.
  [[nodiscard]] bool agree(bool well) const { return agree(well ? 1 : 0) != 0; }
  /// The ranks that this rank knows to have failed. Local.
  [[nodiscard]] group failed() const {
    const mpi::comm_handle comm = possible("failed");
    if constexpr (mpi::has_mpix_comm_get_failed) {
      return group(mpi::unique_group(known(mpi::nothrow::mpix_comm_get_failed(comm), "failed")));
    } else {
      check(mpi::nothrow::mpix_comm_failure_ack(comm).code, "failed");
      return group(
          mpi::unique_group(known(mpi::nothrow::mpix_comm_failure_get_acked(comm), "failed")));
    }
  }
  /// Acknowledges these: `agree` no longer throws because of them, and receives from any source no longer fail.
  /// How many this rank has acknowledged. Local.
  int ack() const {
    const int all = failed().size();
    if constexpr (mpi::has_mpix_comm_ack_failed)
      return known(mpi::nothrow::mpix_comm_ack_failed(possible("ack"), all), "ack");
    else
      return all;
  }

  /// `resilient` lets it revoke the communicator.
  static void on_error(const error& failure)
    requires(!hooked)
  {
    fault_tolerance::revoking::see(failure);
  }
  /// The same, and tells the plugin below.
  void on_error(const error& failure) const
    requires hooked
  {
    fault_tolerance::revoking::see(failure);
    Base::on_error(failure);
  }

 private:
  // The handle, where `call` is possible.
  [[nodiscard]] mpi::comm_handle possible(const char* call) const {
    fault_tolerance::require(call);
    return this->present(call);
  }
  void check(int code, const char* call) const {
    if (code != MPI_SUCCESS) detail::raise_at(this->handle(), this->rank(), code, call);
  }
  template <class T>
  [[nodiscard]] T known(const mpi::result<T>& outcome, const char* call) const {
    check(outcome.code, call);
    return outcome.value;
  }

  [[no_unique_address]] fault_tolerance::noting_families notes_;
};

#if defined(__cpp_exceptions)

/// The state of a rank that failed is lost: the ranks that had copies of it have failed, too.
class [[gnu::visibility("default")]] state_lost : public error {
 public:
  state_lost() noexcept
      : error(MPI_ERR_OTHER, mpi::error_class{MPI_ERR_OTHER}, "mpiglot",
              "ranks have failed, and with them all ranks that had copies of their states") {}
};

namespace fault_tolerance {

/// What ranks tell in `agree`, as bits that all of them have.
enum told : int { undisturbed = 1, right = 2, goes_on = 4, none_failed = 8, all_of_them = 15 };

/// Runs `action`, which may use `comm` and says whether there is more to do, until all ranks that are left have come to
/// its end. The bits of all; without `undisturbed`, `comm` is revoked. Throws on all ranks if the action has thrown
/// something else on one of them, and no process has failed.
template <class Comm, class Action>
[[nodiscard]] int attempt(const Comm& comm, Action action) {
  int bits = all_of_them;
  plugin::kept_failure failure;
  const revoking guard(comm.handle());
  failure.attempt([&] {
    try {
      if (!action()) bits &= ~goes_on;
    } catch (const mpi::error& thrown) {
      if (!means_failure(thrown)) throw;
      bits &= ~undisturbed;
      if (detail::is_process_failure(static_cast<int>(thrown.error_class()))) bits &= ~none_failed;
    }
  });
  // The others may wait for a rank that has thrown something else.
  if (failure.any()) bits &= ~(undisturbed | right);
  if ((bits & undisturbed) == 0) static_cast<void>(revoke(comm.handle()));
  if (const int code = mpi::nothrow::mpix_comm_agree(comm.handle(), bits).code;
      code != MPI_SUCCESS) {
    // All ranks learn the same. A call may have gone well on all of them without what the failed rank was to give.
    const error told(code, "agree");
    if (!means_failure(told)) mpi::detail::fail(told);
    if ((bits & undisturbed) != 0) static_cast<void>(revoke(comm.handle()));
    bits &= ~(undisturbed | none_failed);
  }
  if ((bits & right) == 0 && (bits & none_failed) != 0) {
    failure.rethrow();
    plugin::fail_elsewhere(remote_failure::unknown);
  }
  return bits;
}

/// The rank that has copy `i`, from 1 on, of the state of rank `of`: one of the next ranks, and of the last ranks one
/// of those before. Negative: there is none.
[[nodiscard]] constexpr int holder_of(int of, int i, int ranks) noexcept {
  const int last = ranks - 1;
  return of + i <= last ? of + i : last - i;
}

/// The states of a step that counts: that of this rank, and copies of those of other ranks.
template <class State>
struct version {
  State own;
  mpiglot::group ranks;
  std::vector<std::pair<int, State>> copies{};

  /// Sends copies. Collective.
  template <class Comm>
  void replicate(const Comm& comm, int wanted) {
    const int size = comm.size(), rank = comm.rank();
    request_pool sent;
    try {
      for (int i = 1; i <= wanted; ++i)
        if (const int to = holder_of(rank, i, size); to >= 0)
          sent.add(comm.isend(send_buf(as_serialized(own)), destination(to), tag(i)));
      for (int i = 1; i <= wanted; ++i)
        for (int of = 0; of < size; ++of)
          if (holder_of(of, i, size) == rank)
            copies.emplace_back(of,
                                comm.recv(recv_buf(as_serialized(State())), source(of), tag(i)));
      sent.wait_all();
    } catch (...) {
      static_cast<void>(revoke(comm.handle()));
      throw;
    }
    std::sort(copies.begin(), copies.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  /// The states that this rank has for the ranks of `comm`: its own one, and those of ranks that failed, in their
  /// order. Throws on all ranks if one is lost.
  template <class Comm>
  [[nodiscard]] std::vector<State> parts(const Comm& comm, int wanted) const {
    const int size = ranks.size();
    const auto now = ranks.translate(comm.group());
    const auto left = [&](int of) { return now[static_cast<std::size_t>(of)] != mpi::undefined; };
    std::vector<State> found;
    for (int of = 0; of < size; ++of) {
      int on = of;
      for (int i = 1; i <= wanted && on >= 0 && !left(on); ++i) on = holder_of(of, i, size);
      if (on < 0 || !left(on)) mpi::detail::fail(state_lost());
      if (on != *ranks.rank()) continue;
      if (on == of) {
        found.push_back(own);
        continue;
      }
      for (const auto& [whose, state] : copies)
        if (whose == of) found.push_back(state);
    }
    return found;
  }
};

}  // namespace fault_tolerance

/// Does a step of a program whatever processes fail: calls `step(comm)` with a communicator of the ranks that are left,
/// again after a failure, until all of them have done it without one. Gives that communicator. What the step changes
/// must be right after a repetition, for instance loaded from a file. Collective.
///
/// What else the step throws is thrown there, and `remote_failure` on all others. Throws `mpi::unavailable` if this job
/// ends with the first failure.
template <class Comm, class Step>
[[nodiscard]] auto resilient(const Comm& on, Step step) {
  auto comm = on.shrink();
  while ((fault_tolerance::attempt(comm,
                                   [&] {
                                     step(std::as_const(comm));
                                     return true;
                                   }) &
          fault_tolerance::undisturbed) == 0)
    comm = comm.shrink();
  return comm;
}

/// What is left in the end: the communicator of the ranks that have not failed, and the state of this one.
template <class Comm, class State>
struct survivors {
  Comm comm;
  State state;
};

/// A program of steps that goes on whatever processes fail, with the states of all ranks. A state can be encoded, and
/// copied. Collective.
///
/// `begin(comm)` makes the state of each rank. `step(comm, state)` changes it and says whether another step follows: if
/// all say so. A step counts when all ranks that are left have done it, and sent a copy of their states to the next
/// `copies` ranks. Else, all ranks that are left have their states from before it, and `join(comm, parts)` makes one of
/// several: that of the rank, and those of ranks before it (for the last ones: behind it) that failed, in their
/// order. It may exchange data with the other ranks.
///
/// Errors as above, and `state_lost` on all ranks if a rank failed, and all those that had copies of its state.
template <class Comm, class Begin, class Step, class Join>
[[nodiscard]] auto resilient(const Comm& on, Begin begin, Step step, Join join, int copies = 1) {
  auto comm = on.shrink();
  using communicator_type = decltype(comm);
  using state = std::remove_cvref_t<decltype(begin(std::as_const(comm)))>;
  using version = fault_tolerance::version<state>;
  std::optional<version> counts;
  for (bool whole = true, more = true; more;) {
    std::optional<version> made;
    const int told = fault_tolerance::attempt(comm, [&] {
      const communicator_type& ranks = comm;
      bool another = true;
      if (!counts) {
        made.emplace(begin(ranks), ranks.group());
      } else if (!whole) {
        made.emplace(join(ranks, counts->parts(ranks, copies)), ranks.group());
      } else {
        made.emplace(counts->own, ranks.group());
        another = step(ranks, made->own);
      }
      made->replicate(ranks, copies);
      return another;
    });
    whole = (told & fault_tolerance::undisturbed) != 0;
    if (whole) {
      counts = std::move(made);
      more = (told & fault_tolerance::goes_on) != 0;
    } else {
      comm = comm.shrink();
    }
  }
  return survivors<communicator_type, state>{std::move(comm), std::move(counts->own)};
}

#endif

}  // namespace mpiglot
