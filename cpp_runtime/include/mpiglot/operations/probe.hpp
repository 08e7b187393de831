// Asks which message a receive would get, without receiving it. MPI-4.1, section 3.8.
//
//   const status found = comm.probe(source(0), tag(1));
//   if (auto found = comm.iprobe()) auto v = comm.recv<int>(source(found->source()));
//   auto v = comm.mprobe(source(0), tag(1)).recv(recv_buf(std::vector<int>()));
//   if (auto message = comm.improbe()) auto v = message->recv(recv_buf(std::vector<int>()));
//
// `probe` and `mprobe` wait for a message; `iprobe` and `improbe` return at once. A message found
// by `mprobe` or `improbe` can be received through the returned object only, so no other thread
// gets it.
//
// Members     probe; iprobe; mprobe; improbe
// Parameters  source (any); tag (any)
// Result      probe: a status; mprobe: the message; iprobe and improbe: a std::optional of the
//             same, empty if there is no message yet
// Messages    none
// Allocates   nothing

#pragma once

#include <optional>

#include <mpiglot/detail/engine/engine.hpp>
#include <mpiglot/matched_message.hpp>

namespace mpiglot::operations {

/// The four probes. They differ in the MPI function and in the result.
template <class Operation>
struct probing {
  using accepts = detail::names<keys::source, keys::tag>;
  using needs = detail::names<>;

  template <class Arguments>
  struct state : detail::defaults {
    static constexpr const char* name = Operation::name;

    state(const detail::group_view& on, Arguments&& given)
        : group(on),
          from(given.template value_or<keys::source>(mpi::any_source)),
          tag(given.template value_or<keys::tag>(mpi::any_tag)) {}

    void prepare() noexcept {}
    void call(auto io) { io(Operation(), from, tag, group.comm, status, found); }
    void finish() noexcept {}
    auto results() { return Operation::result(group, found, status); }

    detail::group_view group;
    int from;
    int tag;
    mpiglot::status status;
    typename Operation::found_type found{};
  };
};

/// Waits for a message and returns its status, without receiving it.
struct probe : probing<probe> {
  static constexpr const char* name = "probe";
  using found_type = bool;

  static int now(int from, int tag, mpi::comm_handle comm, mpi::status& status, bool&) noexcept {
    return MPIGLOT_WAITING(MPI_Probe)(from, tag, comm.native, &status.native);
  }
  static auto result(const detail::group_view&, bool, const mpiglot::status& status) {
    return status;
  }
};

/// Returns the status of a message if there is one, without receiving it.
struct iprobe : probing<iprobe> {
  static constexpr const char* name = "iprobe";
  using found_type = bool;

  static int now(int from, int tag, mpi::comm_handle comm, mpi::status& status,
                 bool& found) noexcept {
    int flag = 0;
    const int code = MPIGLOT_MPI(MPI_Iprobe)(from, tag, comm.native, &flag, &status.native);
    found = flag != 0;
    return code;
  }
  // Templates, here and below, so that std::optional is compiled only if it is used.
  template <class Status>
  static auto result(const detail::group_view&, bool found, const Status& status) {
    return found ? std::optional<Status>(status) : std::nullopt;
  }
};

/// Waits for a message and returns it, to be received through the returned object only.
struct mprobe : probing<mprobe> {
  static constexpr const char* name = "mprobe";
  using found_type = mpi::message_handle;

  static int now(int from, int tag, mpi::comm_handle comm, mpi::status& status,
                 mpi::message_handle& found) noexcept {
    return MPIGLOT_WAITING(MPI_Mprobe)(from, tag, comm.native, &found.native, &status.native);
  }
  static auto result(const detail::group_view& group, mpi::message_handle found,
                     const mpiglot::status& status) {
    return matched_message(group, found, status);
  }
};

/// Returns a message if there is one, to be received through the returned object only.
struct improbe : probing<improbe> {
  static constexpr const char* name = "improbe";
  using found_type = std::optional<mpi::message_handle>;

  static int now(int from, int tag, mpi::comm_handle comm, mpi::status& status,
                 std::optional<mpi::message_handle>& found) noexcept {
    int flag = 0;
    mpi::message_handle message;
    const int code =
        MPIGLOT_MPI(MPI_Improbe)(from, tag, comm.native, &flag, &message.native, &status.native);
    if (flag != 0) found = message;
    return code;
  }
  template <class Status, class Message = matched_message>
  static auto result(const detail::group_view& group,
                     const std::optional<mpi::message_handle>& found, const Status& status) {
    return found ? std::optional<Message>(Message(group, *found, status)) : std::nullopt;
  }
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/probe.hpp>
