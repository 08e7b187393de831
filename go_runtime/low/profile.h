// How a handle type is represented, once as an integer and once as a pointer: its type and the
// conversions from and to Go's 64-bit words. Each profile includes this and says which type is which.
#ifndef MPIGLOT_PROFILE_H
#define MPIGLOT_PROFILE_H

#include "mpiglot.h"

typedef void MPI_Status;

#define MPG_INTEGER_HANDLE(T)                                                                     \
  typedef int T;                                                                                  \
  __attribute__((unused)) static inline T T##_in(uint64_t x) { return (T)(uint32_t)x; }           \
  __attribute__((unused)) static inline uint64_t T##_out(T x) { return (uint32_t)x; }             \
  __attribute__((unused, noinline)) static T *T##_array(mpg_arena *a, const void *p, int64_t n) { \
    if (!p) return NULL;                                                                          \
    const uint64_t *x = p;                                                                        \
    T *y = mpg_alloc(a, (size_t)n * sizeof(T));                                                   \
    for (int64_t i = 0; y && i < n; i++) y[i] = T##_in(x[i]);                                     \
    return y;                                                                                     \
  }                                                                                               \
  __attribute__((unused, noinline)) static void T##_array_back(void *p, const T *y, int64_t n) {  \
    uint64_t *x = p;                                                                              \
    for (int64_t i = 0; x && y && i < n; i++) x[i] = T##_out(y[i]);                               \
  }

#define MPG_POINTER_HANDLE(T)                                                                     \
  typedef struct mpg_##T *T;                                                                      \
  __attribute__((unused)) static inline T T##_in(uint64_t x) { return (T)(uintptr_t)x; }          \
  __attribute__((unused)) static inline uint64_t T##_out(T x) { return (uint64_t)(uintptr_t)x; }  \
  __attribute__((unused, noinline)) static T *T##_array(mpg_arena *a, const void *p, int64_t n) { \
    (void)a;                                                                                      \
    (void)n;                                                                                      \
    return (T *)p;                                                                                \
  }                                                                                               \
  __attribute__((unused, noinline)) static void T##_array_back(void *p, const T *y, int64_t n) {  \
    (void)p;                                                                                      \
    (void)y;                                                                                      \
    (void)n;                                                                                      \
  }

#endif
