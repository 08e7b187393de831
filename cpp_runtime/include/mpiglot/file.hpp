// Parallel files, which all ranks of a communicator read and write. MPI-4.1, chapter 14.
//
//   const file out(comm, "result.dat", mpi::access_mode::create | mpi::access_mode::wronly);
//   out.write(send_buf(values), at(offset), collectively());
// operations/file_access.hpp documents the parameters of read and write.

#pragma once

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/base/held.hpp>
#include <mpiglot/group.hpp>
#include <mpiglot/objects.hpp>
#include <mpiglot/operations/file_access.hpp>
#include <mpiglot/operations/members/file_access.hpp>

namespace mpiglot {

/// The view of a rank on a file.
template <class String>
struct file_view {
  mpi::offset_t displacement;
  datatype element;
  datatype filetype;
  String representation;
};

namespace detail {

/// The base of the file type `Self`, below its plugins.
template <class Self>
class file_base : public held<mpi::file_handle>, public operations::file_access_members<Self> {
 public:
  using mode = mpi::access_mode;

  /// Opens the file `name`. Collective over `comm`. All ranks give the same modes: one of `rdonly`,
  /// `wronly`, `rdwr`, combined with `create`, `excl`, `append`, `delete_on_close`, `sequential`,
  /// `unique_open`.
  file_base(mpi::comm_handle comm, mpi::text name, mpi::access_mode modes,
            mpi::info_handle hints = {})
      : held(mpi::unique_file(mpi::file_open(comm, name, modes, hints))) {}
  using held::held;
  file_base(file_base&&) noexcept = default;
  file_base& operator=(file_base&&) noexcept = default;
  ~file_base() {
    if (owns() && unwinding()) static_cast<void>(release());
  }

  /// Deletes a file. Local.
  static void remove(mpi::text name, mpi::info_handle hints = {}) { mpi::file_delete(name, hints); }
  /// Closes an owned file. Collective. Throws on error.
  void close() {
    mpi::file_handle closed = handle();
    if (forget()) mpi::file_close(closed);
  }

  /// Sets the view: elements of type `T`, beginning at byte `displacement`. Collective. A rank whose
  /// displacement is negative, or whose datatypes do not fit together, takes part, keeps its view (the
  /// file pointers are at 0 then) and throws `error`.
  template <class T>
  void set_view(mpi::offset_t displacement = 0) const {
    set_view(displacement, datatype_of<T>(), datatype_of<T>());
  }
  /// Sets the view: elements of datatype `element`, of which this rank sees those that `filetype`
  /// selects. Collective.
  void set_view(mpi::offset_t displacement, mpi::datatype_handle element,
                mpi::datatype_handle filetype, mpi::text representation = "native",
                mpi::info_handle hints = {}) const {
    const mpi::file_handle file = present("set_view");
    if (const char* const mistake = mistake_in_view(displacement, element, filetype))
      keep_view(file, mistake);
    mpi::file_set_view(file, displacement, element, filetype, representation, hints);
  }
  template <class String = std::string>
  [[nodiscard]] file_view<String> view() const {
    auto found = mpi::file_get_view<String>(present("view"));
    return {found.disp, derived(found.etype), derived(found.filetype),
            static_cast<String&&>(found.datarep)};
  }

  /// The size of the file in bytes. Setting it and preallocating are collective.
  [[nodiscard]] mpi::offset_t size() const { return mpi::file_get_size(present("size")); }
  void resize(mpi::offset_t length) const { mpi::file_set_size(present("resize"), length); }
  void preallocate(mpi::offset_t length) const {
    mpi::file_preallocate(present("preallocate"), length);
  }

  /// The individual file pointer of this rank, in elements of the view.
  [[nodiscard]] mpi::offset_t position() const {
    return mpi::file_get_position(present("position"));
  }
  void seek(mpi::offset_t offset, mpi::seek from = mpi::seek::set) const {
    mpi::file_seek(present("seek"), offset, from);
  }
  /// The shared file pointer. Moving it is collective.
  [[nodiscard]] mpi::offset_t shared_position() const {
    return mpi::file_get_position_shared(present("shared_position"));
  }
  void seek_shared(mpi::offset_t offset, mpi::seek from = mpi::seek::set) const {
    mpi::file_seek_shared(present("seek_shared"), offset, from);
  }
  /// Converts an offset in the view to a byte position in the file.
  [[nodiscard]] mpi::offset_t byte_offset(mpi::offset_t offset) const {
    return mpi::file_get_byte_offset(present("byte_offset"), offset);
  }

  /// True if concurrent accesses are atomic. Setting it is collective.
  [[nodiscard]] bool atomic() const { return mpi::file_get_atomicity(present("atomic")); }
  void set_atomic(bool on) const { mpi::file_set_atomicity(present("set_atomic"), on); }
  /// Writes all buffered data to the file, so that other ranks can read it. Collective.
  void sync() const { mpi::file_sync(present("sync")); }

  [[nodiscard]] mpi::access_mode modes() const { return mpi::file_get_amode(present("modes")); }
  [[nodiscard]] mpiglot::group group() const {
    return mpiglot::group(mpi::unique_group(mpi::file_get_group(present("group"))));
  }
  void set_errhandler(mpi::errhandler_handle handler) const {
    mpi::file_set_errhandler(present("set_errhandler"), handler);
  }

 private:
  // Owns the datatypes of a view, which must be freed unless they are predefined.
  [[nodiscard]] static datatype derived(mpi::datatype_handle type) {
    const auto made = mpi::type_get_envelope(type);
    return made.combiner == mpi::combiner::named ? datatype(type)
                                                 : datatype(mpi::unique_datatype(type));
  }
};

}  // namespace detail

/// A file, owned or borrowed. Opening a file is collective. The destructor closes an owned file,
/// which is collective too. It does nothing after MPI_Finalize, and it does not close the file
/// during stack unwinding, because the other ranks may wait for this rank. Only `close()` throws
/// errors. Errors are `mpi::error` with their error class: `no_such_file`, `file_exists`, `access`,
/// `no_space`, ...
/// A file accepts the plugins of communicators (docs/guide/plugins-cpp.md). With the policy
/// `returning`, reads and writes return an `outcome`, and so does the `wait` of their requests.
/// `on_error` is called for their errors.
template <template <class> class... Plugins>
class basic_file
    : public detail::stacked<detail::file_base<basic_file<Plugins...>>, Plugins...>::type {
  using base =
      typename detail::stacked<detail::file_base<basic_file<Plugins...>>, Plugins...>::type;

 public:
  using base::base;
};

/// A file without plugins. Errors are thrown; the checks are the default ones.
using file = basic_file<>;

}  // namespace mpiglot
