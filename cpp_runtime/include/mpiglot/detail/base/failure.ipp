// Bodies of detail/base/failure.hpp: they run when something has failed.

#pragma once

#include <cstring>

#include <mpiglot/detail/base/failure.hpp>

namespace mpiglot::detail {

[[gnu::noinline]] MPIGLOT_INLINE void kept_failure::forget(record* kept) noexcept {
  if (static_cast<void*>(kept) != spare_memory) {
    delete kept;
    return;
  }
  kept->~record();
  __atomic_store_n(&spare_taken, false, __ATOMIC_RELEASE);
}

MPIGLOT_INLINE auto kept_failure::spare_record() noexcept -> record* {
  if (__atomic_exchange_n(&spare_taken, true, __ATOMIC_ACQUIRE)) std::terminate();
  return ::new (static_cast<void*>(spare_memory)) record;
}

[[gnu::noinline]] MPIGLOT_INLINE void kept_failure::fill(spare& to, std::size_t n, std::size_t size,
                                                         mpi::datatype_handle type, int value) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(n, size, &all) || !to.memory.try_resize(all)) {
    to.memory.resize(all = size);
    if (!to.type) to.type = in_one_place(type);
  }
  if (all != 0) std::memset(to.memory.data(), value, all);
}

[[gnu::noinline]] MPIGLOT_INLINE void kept_failure::fill_whole(spare& to, std::size_t n,
                                                               std::size_t size) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(n, size, &all) || !to.memory.try_resize(all)) refuse_part();
  if (all != 0) std::memset(to.memory.data(), 0, all);
}

[[gnu::noinline]] MPIGLOT_INLINE loan kept_failure::lend(record* kept, std::size_t n,
                                                         std::size_t size,
                                                         mpi::datatype_handle type, int value) {
  fill(kept->sent, n, size, type, value);
  return {kept->sent.memory.data(), kept->sent.type_or(type)};
}

[[gnu::noinline]] MPIGLOT_INLINE std::byte* kept_failure::lend_whole(record* kept, std::size_t n,
                                                                     std::size_t size) {
  fill_whole(kept->sent, n, size);
  return kept->sent.memory.data();
}

[[gnu::noinline]] MPIGLOT_INLINE void* kept_failure::copied(record* kept, const void* from,
                                                            std::size_t size) {
  kept->counts.resize(size);
  std::memcpy(kept->counts.data(), from, size);
  return kept->counts.data();
}

[[gnu::noinline]] MPIGLOT_INLINE auto kept_failure::keep(record* kept) -> record* {
  if (kept != nullptr) return kept;
  record* made = new (std::nothrow) record;
  if (made == nullptr) made = spare_record();
  made->error = std::current_exception();
  return made;
}

#if defined(__cpp_exceptions)
[[gnu::noinline]] MPIGLOT_INLINE void kept_failure::throw_kept(record* kept) {
  const std::exception_ptr error = kept->error;
  forget(kept);
  std::rethrow_exception(error);
}

[[gnu::noinline]] MPIGLOT_INLINE auto kept_failure::park(mpi::count_t n, std::size_t size)
    -> parked {
  kept_failure failure;
  failure.kept_ = keep(nullptr);
  failure.make_whole_scratch(static_cast<std::size_t>(n), size);
  parked failed;
  failed.kept_ = std::exchange(failure.kept_, nullptr);
  return failed;
}
#endif

}  // namespace mpiglot::detail
