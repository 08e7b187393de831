// How long a message is.

#pragma once

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/engine/found.hpp>
#include <mpiglot/mpi/calls/get_count.hpp>
#include <mpiglot/status.hpp>

namespace mpiglot::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_odd_length() {
  refuse_counts("a message is no whole number of elements, or longer than MPI can count");
}

/// The elements of `type` that arrived; negative if that is no whole number, or more than an int
/// counts where MPI is asked for one.
[[nodiscard]] inline count_t elements_in(const mpi::status& status,
                                         mpi::datatype_handle type) noexcept {
  count_t n = 0;
  static_cast<void>(mpi::calls::get_count::now(status, type, n));
  return n;
}

[[nodiscard, gnu::cold, gnu::noinline]] inline count_t many_arrived(const mpi::status& status,
                                                                    mpi::datatype_handle type) {
  const count_t n = many_whole_elements(status, type);
  if (n < 0) refuse_odd_length();
  return n;
}

/// The elements of `type` that arrived. Throws if that is no whole number.
[[nodiscard]] inline count_t arrived(const mpi::status& status, mpi::datatype_handle type) {
  const count_t n = elements_in(status, type);
  if (n < 0) [[unlikely]]
    return many_arrived(status, type);
  return n;
}

/// The status of a receive from MPI_PROC_NULL, as the standard has it. (That of MPICH 3.4 to 5.0 is empty
/// or says MPI_ANY_SOURCE in nonblocking and persistent forms.)
[[gnu::cold, gnu::noinline]] inline void tell_nobody(mpi::status& status) noexcept {
  static_cast<void>(MPIGLOT_MPI(MPI_Status_set_elements)(&status.native, MPI_BYTE, 0));
  status.native.MPI_SOURCE = MPI_PROC_NULL;
  status.native.MPI_TAG = MPI_ANY_TAG;
}

/// Receives a message and throws it away, so that its sender does not wait for ever: again and again
/// into the same memory, since there may be no room for all of it.
template <class Message>
[[gnu::cold, gnu::noinline]] void drain(Message message, const mpi::status& status) noexcept {
  constexpr int part = 1024;
  char scratch[part];
  const count_t size = many_whole_elements(status, mpi::datatype_handle{MPI_BYTE});
  mpi::datatype_handle parts;
  if (MPIGLOT_MPI(MPI_Type_create_hvector)(static_cast<int>(size > 0 ? (size - 1) / part + 1 : 0),
                                           part, 0, MPI_BYTE, &parts.native) != MPI_SUCCESS)
    return;
  static_cast<void>(MPIGLOT_MPI(MPI_Type_commit)(&parts.native));
  static_cast<void>(take_message_now({scratch, 1, parts}, message, mpi::status_out()));
  static_cast<void>(MPIGLOT_MPI(MPI_Type_free)(&parts.native));
}

/// The same of a message that was probed, or -1 if that is no whole number: it is gone then.
template <class Message>
[[nodiscard, gnu::cold, gnu::noinline]] count_t many_or_drain(const mpi::status& status,
                                                              mpi::datatype_handle type,
                                                              Message& message) noexcept {
  const count_t n = many_whole_elements(status, type);
  if (n >= 0) return n;
  drain(message, status);
  message = {};
  return -1;
}
template <class Message>
[[nodiscard]] count_t length_or_drain(const mpi::status& status, mpi::datatype_handle type,
                                      Message& message) noexcept {
  const count_t n = elements_in(status, type);
  if (n < 0) [[unlikely]]
    return many_or_drain(status, type, message);
  return n;
}

/// Whether a message of no whole number of elements has whole numbers, such as the first ones of a
/// structure, which fit. MPICH 4.0 crashes where it has not.
[[nodiscard, gnu::cold, gnu::noinline]] inline bool part_fits(const mpi::status& probed,
                                                              const lent& memory) noexcept {
  count_t numbers = -1;
  count_t size = 0;
  static_cast<void>(mpi::calls::get_elements::now(probed, memory.type, numbers));
  static_cast<void>(mpi::calls::type_size::now(memory.type, size));
  const count_t all = many_whole_elements(probed, mpi::datatype_handle{MPI_BYTE});
  return numbers >= 0 && all >= 0 && all <= memory.count * size;
}

/// A blocking receive that looks at the length first: some MPIs write what does not fit behind the
/// memory (defects truncation-writes-beside and truncation-to-self-writes-beside).
[[nodiscard, gnu::noinline]] inline int receive_if_it_fits(const lent& memory, int from, int tag,
                                                           mpi::comm_handle comm,
                                                           const mpi::status_out& status) {
  mpi::status probed;
  found_message found;
  const int code = find_message(from, tag, comm, found, probed);
  if (code != MPI_SUCCESS) return code;
  count_t n = elements_in(probed, memory.type);
  if (n < 0) [[unlikely]]
    n = many_whole_elements(probed, memory.type);
  if (n >= 0 ? n <= memory.count : part_fits(probed, memory)) [[likely]]
    return take_message_now(memory, found, status);
  drain(found, probed);
  if (n < 0) refuse_odd_length();
  refuse_room(memory.count, n);
}

}  // namespace mpiglot::detail
