// Mistakes of one rank in a collective call on a file. MPI refuses them before it talks to the other
// ranks, which then wait: the rank takes part in another way, and throws afterwards.

#pragma once

#include <cstdint>
#include <optional>

#include <mpiglot/detail/arguments/names.hpp>
#include <mpiglot/detail/base/failure.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/mpi/datatypes.hpp>
#include <mpiglot/mpi/handles.hpp>
#include <mpiglot/mpi/io.hpp>

namespace mpiglot::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_offset() {
  refuse_argument(MPI_ERR_ARG, "an offset is negative, or larger than any file");
}
/// Throws if no file has this offset, in elements of the view.
inline void require_offset(mpi::offset_t offset) {
  constexpr int most = 60;  // bits: elements of several bytes have positions in bytes, too
  if (static_cast<std::uint64_t>(offset) >> most != 0) [[unlikely]]
    refuse_offset();
}

/// An adapter in a collective access. If its constructor throws, it is missing, and nothing else is
/// done with it.
template <class Adapter, bool MayBeMissing>
class present_adapter {
 public:
  template <class Parameter>
  present_adapter(kept_failure& failure, Parameter& given) {
    using buffer = typename Parameter::type;
    failure.attempt([&] { adapter_.emplace(static_cast<buffer&&>(given.value)); });
  }
  [[nodiscard]] bool has() const noexcept { return adapter_.has_value(); }
  [[nodiscard]] Adapter& operator*() noexcept { return *adapter_; }
  [[nodiscard]] const Adapter& operator*() const noexcept { return *adapter_; }
  [[nodiscard]] Adapter* operator->() noexcept { return &*adapter_; }

 private:
  std::optional<Adapter> adapter_;
};
template <class Adapter>
class present_adapter<Adapter, false> {
 public:
  template <class Parameter>
  present_adapter(kept_failure&, Parameter& given) : adapter_(open<Adapter>(given)) {}
  [[nodiscard]] static constexpr bool has() noexcept { return true; }
  [[nodiscard]] Adapter& operator*() noexcept { return adapter_; }
  [[nodiscard]] const Adapter& operator*() const noexcept { return adapter_; }
  [[nodiscard]] Adapter* operator->() noexcept { return &adapter_; }

 private:
  Adapter adapter_;
};

/// The view of a rank on a file. It owns the datatypes.
class present_view {
 public:
  explicit present_view(mpi::file_handle file) {
    mpi::detail::check(MPIGLOT_MPI(MPI_File_get_view)(file.native, &displacement, &element,
                                                      &filetype, representation),
                       "MPI_File_get_view");
  }
  present_view(const present_view&) = delete;
  present_view& operator=(const present_view&) = delete;
  ~present_view() {
    release(element);
    release(filetype);
  }

  MPI_Offset displacement = 0;
  MPI_Datatype element = MPI_DATATYPE_NULL;
  MPI_Datatype filetype = MPI_DATATYPE_NULL;
  char representation[MPI_MAX_DATAREP_STRING] = "";

 private:
  static void release(MPI_Datatype& type) noexcept {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = MPI_COMBINER_NAMED;
    if (MPIGLOT_MPI(MPI_Type_get_envelope)(type, &integers, &addresses, &types, &combiner) ==
            MPI_SUCCESS &&
        combiner != MPI_COMBINER_NAMED)
      MPIGLOT_MPI(MPI_Type_free)(&type);
  }
};

/// The bytes of an element of the view; not positive if there are none.
[[nodiscard, gnu::cold, gnu::noinline]] inline mpi::count_t element_bytes(mpi::file_handle file) {
  const present_view view(file);
  return mpi::type_size(mpi::datatype_handle{view.element});
}

/// Whether data of this length is a whole number of elements of the view.
[[nodiscard, gnu::cold, gnu::noinline]] inline bool fills_elements(mpi::file_handle file,
                                                                   mpi::count_t count,
                                                                   mpi::datatype_handle type) {
  const mpi::count_t size = element_bytes(file);
  return size <= 0 || count * (mpi::type_size(type) % size) % size == 0;
}

/// What MPI refuses in a view before it talks to other ranks, or null.
[[nodiscard]] inline const char* mistake_in_view(mpi::offset_t displacement,
                                                 mpi::datatype_handle element,
                                                 mpi::datatype_handle filetype) {
  if (displacement < 0 && displacement != MPI_DISPLACEMENT_CURRENT)
    return "the displacement of a view is negative";
  if (!element || !filetype) return "a datatype of a view is null";
  const mpi::count_t size = mpi::type_size(element);
  if (size <= 0 || mpi::type_size(filetype) % size != 0)
    return "the file type of a view is no whole number of its elements";
  return nullptr;
}

/// Takes part in setting a view with the view that the rank has, and throws. Collective.
[[noreturn, gnu::cold, gnu::noinline]] inline void keep_view(mpi::file_handle file,
                                                             const char* mistake) {
  const present_view now(file);
  mpi::detail::check(
      MPIGLOT_WAITING(MPI_File_set_view)(file.native, now.displacement, now.element, now.filetype,
                                         now.representation, MPI_INFO_NULL),
      "MPI_File_set_view");
  refuse_argument(MPI_ERR_ARG, mistake);
}

}  // namespace mpiglot::detail
