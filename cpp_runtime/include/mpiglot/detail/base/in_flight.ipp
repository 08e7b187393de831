// Bodies of detail/base/in_flight.hpp: how the words of an exception that is unwinding the stack are found.
//
// No standard function tells: std::current_exception() only knows exceptions that were caught. But
// the code that runs the destructor has to hand the exception to _Unwind_Resume afterwards, so its
// address is in a register or on the stack. Found by the mark that <unwind.h> documents (the vendor
// and the language, in its first eight bytes), it is caught and asked what it says. Where this is
// not possible nothing is told.

#pragma once

#include <cstdio>
#include <cstring>
#include <exception>

#if defined(__cpp_exceptions) && defined(__linux__) && __has_include(<unwind.h>)
#define MPIGLOT_FINDS_EXCEPTIONS
#include <cxxabi.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

#include <cstdint>
#endif

#include <mpiglot/detail/base/at_finalize.hpp>
#include <mpiglot/detail/base/failure.hpp>
#include <mpiglot/detail/base/in_flight.hpp>
#include <mpiglot/detail/base/last_words.hpp>
#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/mpi/loaded.hpp>

namespace mpiglot::detail {

#if defined(MPIGLOT_FINDS_EXCEPTIONS)
#undef MPIGLOT_FINDS_EXCEPTIONS

/// Copies memory of this process that may not be there.
[[nodiscard]] inline bool peek(std::uintptr_t from, void* to, std::size_t size) noexcept {
  iovec here{to, size};
  iovec there{reinterpret_cast<void*>(from), size};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == static_cast<ssize_t>(size);
}

/// Whether there is an exception at `address` that unwinds frames above `frame`.
[[nodiscard]] inline bool is_exception(std::uintptr_t address, std::uintptr_t frame) noexcept {
  _Unwind_Exception header;
  if (address % alignof(_Unwind_Exception) != 0 || !peek(address, &header, sizeof header))
    return false;
  const std::uint64_t mark = header.exception_class & ~std::uint64_t{1};  // the last bit: rethrown
  if (mark != 0x474E5543432B2B00u && mark != 0x434C4E47432B2B00u) return false;  // GNUCC++, CLNGC++
  if (header.private_2 <= frame) return false;  // where it will be caught
  std::uintptr_t caught = 0;                    // an exception that is being handled is not the one
  const std::exception_ptr handled = std::current_exception();
  static_assert(sizeof handled == sizeof caught);
  std::memcpy(&caught, static_cast<const void*>(&handled), sizeof caught);
  return caught != address + sizeof header;
}

[[gnu::noinline]] inline void* scan_stack() noexcept {
  constexpr std::size_t step = 512;
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  for (std::uintptr_t at = frame & ~(step - 1); at < frame + (1u << 20); at += step) {
    std::uintptr_t words[step / sizeof(std::uintptr_t)];
    if (!peek(at, words, sizeof words)) return nullptr;  // the end of the stack
    for (std::size_t i = 0; i < step / sizeof *words; ++i)
      if (at + i * sizeof *words > frame && words[i] > step && is_exception(words[i], frame))
        return reinterpret_cast<void*>(words[i]);
  }
  return nullptr;
}

/// The exception that unwinds this stack, or null.
[[gnu::noinline]] inline void* find_exception() noexcept {
  __builtin_unwind_init();  // what is in registers goes to the stack
  void* volatile found = scan_stack();
  return found;
}

/// Prints what the exception in flight says. It counts as caught afterwards: the job must end.
[[gnu::noinline]] MPIGLOT_INLINE void tell_exception_in_flight() noexcept {
  void* const found = find_exception();
  if (found == nullptr) return;
  abi::__cxa_begin_catch(found);
  try {
    throw;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mpiglot: the exception says: %s\n", error.what());
  } catch (const char* text) {
    std::fprintf(stderr, "mpiglot: the exception says: %s\n", text);
  } catch (...) {
    if (const auto* const type = abi::__cxa_current_exception_type(); type != nullptr)
      std::fprintf(stderr, "mpiglot: the exception is of type %s\n", type->name());
  }
}

#else

MPIGLOT_INLINE void tell_exception_in_flight() noexcept {}

#endif

[[gnu::noinline]] MPIGLOT_INLINE bool mpi_is_over() noexcept {
  int finished = 0;
  MPIGLOT_EARLY(MPI_Finalized)(&finished);
  return finished != 0;
}

[[gnu::noinline]] MPIGLOT_INLINE void free_prepared(mpi::request_handle handle,
                                                    bool with_nobody) noexcept {
  if (mpi_is_over()) return;
  // The next request takes its place, and a persistent collective would inherit what it left there:
  // a receive that is never started does not. A session alone does not make MPI_COMM_SELF for that,
  // and MPI keeps the request until its end.
  const bool leaves_something =
      with_nobody && library_defect("persistent-collectives-after-nobody") != nullptr;
  int has_self = 1;
  if (leaves_something) MPIGLOT_EARLY(MPI_Initialized)(&has_self);
  if (!has_self) return;
  mpi::request_handle::free(&handle.native);
  MPI_Request next = MPI_REQUEST_NULL;
  if (leaves_something &&
      MPIGLOT_MPI(MPI_Recv_init)(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, &next) == MPI_SUCCESS)
    mpi::request_handle::free(&next);
}

[[gnu::noinline]] MPIGLOT_INLINE void tell_dropped(
    [[maybe_unused]] kept_failure& failure) noexcept {
#if defined(__cpp_exceptions)
  try {
    failure.rethrow();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mpiglot: a pool was dropped with an error: %s\n", error.what());
  } catch (...) {
    std::fputs("mpiglot: a pool was dropped with an exception\n", stderr);
  }
#endif
}

[[gnu::noinline]] MPIGLOT_INLINE void tell_lost_results(std::size_t count) noexcept {
  std::fprintf(
      stderr,
      "mpiglot: an exception drops a pool and %zu results that were there; no action runs\n",
      count);
}

MPIGLOT_INLINE bool unwinding() noexcept {
#if defined(__cpp_exceptions)
  return std::uncaught_exceptions() > 0;
#else
  return false;
#endif
}

[[gnu::noinline]] MPIGLOT_INLINE void end_job_for(const char* name) noexcept {
  std::fprintf(stderr, "mpiglot: an exception leaves the scope of an unfinished %s\n", name);
  tell_exception_in_flight();
  abort_job(1);
}

[[gnu::noinline]] MPIGLOT_INLINE bool completed_or_cancelled(mpi::request_handle& handle,
                                                             bool cancellable) noexcept {
  if (mpi_is_over()) return true;
  if (unwinding() && !cancellable) {
    int complete = 0;
    mpi::detail::testing(&handle.native, &complete, MPI_STATUS_IGNORE);
    return complete != 0;
  }
  if (unwinding()) MPIGLOT_MPI(MPI_Cancel)(&handle.native);
  mpi::detail::waiting(&handle.native, MPI_STATUS_IGNORE);
  return true;
}

[[gnu::noinline]] MPIGLOT_INLINE void leave(mpi::request_handle handle, bool cancellable,
                                            const char* name) noexcept {
  if (completed_or_cancelled(handle, cancellable)) return;
  if (ends_in_flight == nullptr || !ends_in_flight()) end_job_for(name);
  mpi::detail::waiting(&handle.native, MPI_STATUS_IGNORE);
}

/// The operations that exceptions have left and that MPI has not completed.
class operations_left {
 public:
  static void add(operation_left* left) noexcept {
    take_complete();
    push(left);
    mpi::detail::keep_loaded_for<operations_left>();
#if !defined(SMPI_H)  // there all ranks are one process, which does not end with one of them
    if (!__atomic_exchange_n(&watching, true, __ATOMIC_ACQ_REL))
      static_cast<void>(call_at_finalize(&at_finalize));
#endif
  }

 private:
  static inline constinit operation_left* first = nullptr;
  static inline constinit bool watching = false;

  static void push(operation_left* left) noexcept {
    left->next = __atomic_load_n(&first, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&first, &left->next, left, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
  }

  // Removes those that are complete by now, and returns true if that is all of them.
  static bool take_complete() noexcept {
    operation_left* each = __atomic_exchange_n(&first, nullptr, __ATOMIC_ACQUIRE);
    while (each != nullptr) {
      operation_left* const tested = each;
      each = each->next;
      int complete = 0;
      const int code = mpi::detail::testing(&tested->handle.native, &complete, MPI_STATUS_IGNORE);
      if (complete == 0 && code == MPI_SUCCESS) {
        push(tested);
        continue;
      }
      if (tested->handle)
        mpi::request_handle::free(&tested->handle.native);  // persistent or failed
      delete tested;
    }
    return __atomic_load_n(&first, __ATOMIC_RELAXED) == nullptr;
  }

  // Gives the other ranks a moment to take their part. What is pending then stays where it is: MPI
  // may use its memory until MPI_Finalize is done.
  static int at_finalize(MPI_Comm, int, void*, void*) noexcept {
    constexpr double patience = 1;
    const double start = MPIGLOT_MPI(MPI_Wtime)();
    while (!take_complete())
      if (MPIGLOT_MPI(MPI_Wtime)() - start > patience) {
        tell();
        break;
      }
    watching = false;
    return MPI_SUCCESS;
  }

  static void tell() noexcept {
    std::size_t count = 0;
    char names[256] = "";
    std::size_t used = 0;
    for (const operation_left* each = first; each != nullptr; each = each->next) {
      ++count;
      bool named = false;
      for (const operation_left* before = first; before != each; before = before->next)
        named = named || std::strcmp(before->name, each->name) == 0;
      if (named || used + std::strlen(each->name) + 3 > sizeof names) continue;
      used += static_cast<std::size_t>(std::snprintf(names + used, sizeof names - used, "%s%s",
                                                     used == 0 ? "" : ", ", each->name));
    }
    std::fprintf(stderr,
                 "mpiglot: MPI finalizes while operations are pending that exceptions left: %zu "
                 "(%s)\n",
                 count, names);
  }
};

[[gnu::noinline]] MPIGLOT_INLINE void keep_until_complete(operation_left* left) noexcept {
  operations_left::add(left);
}

}  // namespace mpiglot::detail
