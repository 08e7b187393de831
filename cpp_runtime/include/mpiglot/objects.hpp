// The small objects that are made, used and freed: derived datatypes, operations of reductions,
// error handlers.

#pragma once

#include <mpiglot/detail/base/attributed.hpp>
#include <mpiglot/mpi/attributes.hpp>
#include <mpiglot/mpi/collectives.hpp>
#include <mpiglot/mpi/datatypes.hpp>
#include <mpiglot/mpi/environment.hpp>

namespace mpiglot {

/// A datatype, owned or borrowed. Local. `mpiglot::datatype_of<T>()` is the one of a C++ type.
///
///   const datatype column = datatype::committed(mpi::type_vector(rows, 1, columns, mpi::double_));
class datatype : public detail::attributed<mpi::datatype_handle> {
 public:
  using attributed::attributed;

  /// Owns what a constructor of `mpiglot::mpi` made, and commits it.
  [[nodiscard]] static datatype committed(mpi::datatype_handle made) {
    mpi::unique_datatype owned(made);
    mpi::type_commit(owned);
    return datatype(static_cast<mpi::unique_datatype&&>(owned));
  }
  /// A copy of the datatype with its attributes, which is owned. Local.
  [[nodiscard]] datatype dup() const {
    return datatype(mpi::unique_datatype(mpi::type_dup(handle())));
  }

  /// Bytes of its elements, without gaps.
  [[nodiscard]] mpi::count_t size() const { return mpi::type_size(handle()); }
  /// Where it begins and how far the next one is, in bytes.
  [[nodiscard]] auto extent() const { return mpi::type_get_extent(handle()); }
  /// The same without artificial bounds.
  [[nodiscard]] auto true_extent() const { return mpi::type_get_true_extent(handle()); }

  /// The name of the datatype; empty if it has none. Local.
  template <class String = std::string>
  [[nodiscard]] String name() const {
    return mpi::type_get_name<String>(handle());
  }
  /// Names the datatype, for debuggers and tools. Local.
  void set_name(mpi::text name) const { mpi::type_set_name(handle(), name); }
};

/// An operation of reductions, owned or borrowed. Local.
class operation : public detail::held<mpi::op_handle> {
 public:
  using held::held;

  /// From `function(const void* in, void* in_out, int count, mpi::datatype_handle)`. A function
  /// with captures takes one of MPIGLOT_CALLBACK_SLOTS places for good.
  template <class Function>
    requires(!std::is_convertible_v<Function, mpi::op_handle>)
  explicit operation(Function function, bool commutes = true)
      : held(mpi::unique_op(mpi::op_create(static_cast<Function&&>(function), commutes))) {}

  /// Whether the operation was declared commutative. Local.
  [[nodiscard]] bool commutes() const { return mpi::op_commutative(handle()); }
};

/// An error handler, owned or borrowed. Local; it stays in use where it was set after it is freed.
class errhandler : public detail::held<mpi::errhandler_handle> {
 public:
  using held::held;

  /// From `function(mpi::comm_handle, int code)`, and its like for windows and files.
  template <class Function>
  [[nodiscard]] static errhandler for_communicators(Function function) {
    return own(mpi::comm_create_errhandler(static_cast<Function&&>(function)));
  }
  /// An error handler for windows, made of a function. Local.
  template <class Function>
  [[nodiscard]] static errhandler for_windows(Function function) {
    return own(mpi::win_create_errhandler(static_cast<Function&&>(function)));
  }
  /// An error handler for files, made of a function. Local.
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
