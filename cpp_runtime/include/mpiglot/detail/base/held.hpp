// A handle that an object owns or borrows: what groups, windows, files and their like have in
// common.

#pragma once

#include <mpiglot/error.hpp>
#include <mpiglot/mpi/handles.hpp>
#include <utility>

namespace mpiglot::detail {

/// How errors name an object whose handle is null, and their class.
template <class Handle>
struct null_object;
template <>
struct null_object<mpi::comm_handle> {
  static constexpr int error_class = MPI_ERR_COMM;
  static constexpr const char* where = "a null communicator";
};
template <>
struct null_object<mpi::group_handle> {
  static constexpr int error_class = MPI_ERR_GROUP;
  static constexpr const char* where = "a null group";
};
template <>
struct null_object<mpi::win_handle> {
  static constexpr int error_class = MPI_ERR_WIN;
  static constexpr const char* where = "a null window";
};
template <>
struct null_object<mpi::file_handle> {
  static constexpr int error_class = MPI_ERR_FILE;
  static constexpr const char* where = "a null file";
};
template <>
struct null_object<mpi::datatype_handle> {
  static constexpr int error_class = MPI_ERR_TYPE;
  static constexpr const char* where = "a null datatype";
};

/// Freed with the object if it is owned, unless MPI is finalized by then. It can be moved; a copy
/// would be a second owner.
template <class Handle>
class held {
 public:
  using native_type = decltype(Handle::native);

  held() noexcept = default;
  /// Borrows.
  explicit held(Handle borrowed) noexcept : handle_(borrowed) {}
  explicit held(native_type borrowed) noexcept : handle_{borrowed} {}
  /// Owns.
  explicit held(mpi::unique_handle<Handle> owned) noexcept
      : handle_(owned.release()), owns_(static_cast<bool>(handle_)) {}

  held(held&& other) noexcept
      : handle_(std::exchange(other.handle_, Handle{})), owns_(std::exchange(other.owns_, false)) {}
  held& operator=(held&& other) noexcept {
    if (this != &other) {
      free_owned();
      handle_ = std::exchange(other.handle_, Handle{});
      owns_ = std::exchange(other.owns_, false);
    }
    return *this;
  }
  ~held() { free_owned(); }

  /// Whether it is anything but the null handle.
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(handle_); }
  [[nodiscard]] Handle handle() const noexcept { return handle_; }
  /// MPI's handle, still owned by whoever owned it.
  [[nodiscard]] native_type native() const noexcept { return handle_.native; }
  [[nodiscard]] bool owns() const noexcept { return owns_; }
  /// So that it can be passed to every function of `mpiglot::mpi`.
  operator Handle() const noexcept { return handle_; }

  /// Gives the handle away: from now on this object borrows it.
  [[nodiscard]] Handle release() noexcept {
    owns_ = false;
    return handle_;
  }

 protected:
  /// The handle. Throws the error of `operation` if it is null: some MPIs crash on that.
  [[nodiscard]] Handle present(const char* operation) const {
    if (!handle_) [[unlikely]]
      refuse_null(null_object<Handle>::error_class, null_object<Handle>::where, operation);
    return handle_;
  }
  /// Owns from now on.
  void own() noexcept { owns_ = static_cast<bool>(handle_); }
  /// Forgets the handle; says whether it was owned.
  bool forget() noexcept {
    handle_ = Handle{};
    return std::exchange(owns_, false);
  }

 private:
  void free_owned() noexcept {
    // A handle that this MPI does not have cannot be freed, nor be there to be.
    if constexpr (requires { typename Handle::native_type; })
      if (owns_) static_cast<void>(mpi::unique_handle<Handle>(handle_).reset());
  }

  Handle handle_;
  bool owns_ = false;
};

}  // namespace mpiglot::detail
