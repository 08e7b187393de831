// The error of the built-in codec's encoder.

#pragma once

#include <mpiglot/error.hpp>

namespace mpiglot {

/// The value cannot be encoded.
class encode_error : public mpi::error {
 public:
  explicit encode_error(const char* reason) noexcept
      : error(MPI_ERR_CONVERSION, mpi::error_class{MPI_ERR_CONVERSION}, "mpiglot", reason) {}
};

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_value(const char* reason) {
  mpi::detail::fail(encode_error(reason));
}

}  // namespace detail
}  // namespace mpiglot
