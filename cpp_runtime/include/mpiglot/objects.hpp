// Objects that own MPI handles: derived datatypes, operations of reductions, error handlers.

#pragma once

#include <mpiglot/detail/base/attributed.hpp>
#include <mpiglot/mpi/attributes.hpp>
#include <mpiglot/mpi/collectives.hpp>
#include <mpiglot/mpi/datatypes.hpp>
#include <mpiglot/mpi/environment.hpp>

namespace mpiglot {

/// A datatype, owned or borrowed. All functions are local. `mpiglot::datatype_of<T>()` returns the
/// datatype of a C++ type.
///
///   const datatype column = datatype::committed(mpi::type_vector(rows, 1, columns, mpi::double_));
class datatype : public detail::attributed<mpi::datatype_handle> {
 public:
  using attributed::attributed;

  /// Takes ownership of a datatype that a function of `mpiglot::mpi` created, and commits it.
  [[nodiscard]] static datatype committed(mpi::datatype_handle made) {
    mpi::unique_datatype owned(made);
    mpi::type_commit(owned);
    return datatype(static_cast<mpi::unique_datatype&&>(owned));
  }
  /// Returns a duplicate with its attributes, which is owned. Local.
  [[nodiscard]] datatype dup() const {
    return datatype(mpi::unique_datatype(mpi::type_dup(handle())));
  }

  /// The number of bytes of its elements, without gaps. Local.
  [[nodiscard]] mpi::count_t size() const { return mpi::type_size(handle()); }
  /// The lower bound and the extent in bytes. Local.
  [[nodiscard]] auto extent() const { return mpi::type_get_extent(handle()); }
  /// The true lower bound and the true extent in bytes, without bounds set by
  /// MPI_Type_create_resized. Local.
  [[nodiscard]] auto true_extent() const { return mpi::type_get_true_extent(handle()); }

  /// The name of the datatype. Empty if it has none. Local.
  template <class String = std::string>
  [[nodiscard]] String name() const {
    return mpi::type_get_name<String>(handle());
  }
  /// Sets the name of the datatype, which debuggers and tools show. Local.
  void set_name(mpi::text name) const { mpi::type_set_name(handle(), name); }
};

/// An operation of reductions, owned or borrowed. All functions are local.
class operation : public detail::held<mpi::op_handle> {
 public:
  using held::held;

  /// Creates an operation that calls `function(const void* in, void* in_out, int count,
  /// mpi::datatype_handle)`. Every function with captures uses one of MPIGLOT_CALLBACK_SLOTS
  /// places until the operation is freed and the last request that was made with it is complete.
  template <class Function>
    requires(!std::is_convertible_v<Function, mpi::op_handle>)
  explicit operation(Function function, bool commutes = true)
      : held(mpi::unique_op(mpi::op_create(static_cast<Function&&>(function), commutes))) {}

  /// True if the operation was declared commutative. Local.
  [[nodiscard]] bool commutes() const { return mpi::op_commutative(handle()); }
};

/// An error handler, owned or borrowed. All functions are local. Objects for which it was set keep
/// using it after it is freed.
class errhandler : public detail::held<mpi::errhandler_handle> {
 public:
  using held::held;

  /// Creates an error handler for communicators, which calls `function(mpi::comm_handle, int
  /// code)`. Local.
  template <class Function>
  [[nodiscard]] static errhandler for_communicators(Function function) {
    return own(mpi::comm_create_errhandler(static_cast<Function&&>(function)));
  }
  /// Creates an error handler for windows, which calls `function(mpi::win_handle, int code)`.
  /// Local.
  template <class Function>
  [[nodiscard]] static errhandler for_windows(Function function) {
    return own(mpi::win_create_errhandler(static_cast<Function&&>(function)));
  }
  /// Creates an error handler for files, which calls `function(mpi::file_handle, int code)`. Local.
  template <class Function>
  [[nodiscard]] static errhandler for_files(Function function) {
    return own(mpi::file_create_errhandler(static_cast<Function&&>(function)));
  }

 private:
  [[nodiscard]] static errhandler own(mpi::errhandler_handle made) {
    return errhandler(mpi::unique_errhandler(made));
  }
};

}  // namespace mpiglot
