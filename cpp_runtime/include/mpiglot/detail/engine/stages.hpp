// Operations of several stages, each a nonblocking operation of MPI that begins when the one before is complete.
// Who waits for anything drives them all (mpiglot/mpi/driving.hpp).
//
// MPI matches collectives in the order of their calls, and stages become ready in an order that differs from rank
// to rank. So each operation draws a ticket when it begins, stage s of an operation begins after stage s of the
// one before it has begun, and each stage has communicators of its own. (With one communicator for all stages, or
// without tickets, what ranks send does not match; where a wait drives its own operation alone, ranks wait for
// each other.)

#pragma once

#include <cstdint>

#include <mpiglot/mpi/handles.hpp>

namespace mpiglot::detail {

/// Whose turn it is, for the operations of one kind on a communicator: kept with the communicators of their
/// stages, so that all ranks count alike.
class stage_turns {
 public:
  static constexpr int most = 96;  // stages of an operation

 private:
  friend class staged;
  friend class stage_driver;
  std::uint64_t tickets_ = 0;
  std::uint64_t begun_[most] = {};
};

/// An operation of several stages in flight. It stays where it is until its request is complete.
class staged {
 public:
  staged() noexcept = default;
  staged(const staged&) = delete;
  staged& operator=(const staged&) = delete;

  /// Draws a ticket and begins the first of `stages` stages if it is its turn: all operations with the same
  /// `turns` have as many. `request` is complete when the last stage is; `turns` must be there until then. MPI's
  /// code.
  [[nodiscard]] int launch(stage_turns& turns, int stages, mpi::request_handle& request) noexcept;
  /// The same, and waits for the last stage.
  void run(stage_turns& turns, int stages) noexcept;
  /// Whether a stage may wait in MPI instead of being tested: nothing else is in flight, and no other thread can begin
  /// something.
  [[nodiscard]] static bool may_wait() noexcept;

  virtual ~staged() = default;

  /// Throws what failed, once it is complete.
  virtual void rethrow() = 0;

 protected:
  /// Begins stage `stage`: starts a nonblocking operation on a communicator that no other stage uses. Also
  /// called after a failure, on this rank or another: the other ranks wait for this one's part.
  virtual void begin(int stage) noexcept = 0;
  /// Whether that operation is complete; if so, what the next stage needs is made. Does not wait.
  [[nodiscard]] virtual bool completed(int stage) noexcept = 0;

 private:
  friend class stage_driver;

  stage_turns* turns_ = nullptr;
  int stages_ = 0;
  int stage_ = 0;
  bool under_way_ = false;  // the stage has begun
  bool done_ = false;
  std::uint64_t ticket_ = 0;
  MPI_Request request_ = MPI_REQUEST_NULL;
  staged* next_ = nullptr;
};

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/engine/stages.ipp>
#endif
