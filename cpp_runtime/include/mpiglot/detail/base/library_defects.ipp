// Bodies of detail/base/library_defects.hpp.

#pragma once

#include <initializer_list>

#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/base/defect_table.hpp>
#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/mpi/available.hpp>
#include <mpiglot/mpi/external.hpp>

namespace mpiglot::detail {

struct library_release {
  vendor maker = vendor::other;
  unsigned number = 0;

  /// Reads "MPICH Version:\t4.0.2", "Open MPI v4.1.4, ..." and "Intel(R) MPI Library 2021.14 for ...".
  explicit library_release(const char* text) noexcept {
    struct beginning {
      vendor maker;
      const char* text;
    };
    for (const beginning& each :
         {beginning{vendor::mpich, "MPICH Version:"}, beginning{vendor::openmpi, "Open MPI v"},
          beginning{vendor::intelmpi, "Intel(R) MPI Library "}}) {
      const std::size_t length = __builtin_strlen(each.text);
      if (__builtin_strncmp(text, each.text, length) != 0) continue;
      maker = each.maker;
      number = read(text + length);
    }
  }

  [[nodiscard]] static unsigned read(const char* version) noexcept {
    while (*version == ' ' || *version == '\t') ++version;
    unsigned parts[3] = {};
    for (unsigned& part : parts) {
      while (*version >= '0' && *version <= '9')
        part = 10 * part + static_cast<unsigned>(*version++ - '0');
      if (*version != '.') break;
      ++version;
    }
    return parts[0] * 1'000'000 + parts[1] * 1'000 + parts[2];
  }
};

[[nodiscard, gnu::cold, gnu::noinline]] MPIGLOT_INLINE library_release read_release() noexcept {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  if (MPIGLOT_MPI(MPI_Get_library_version)(text, &length) != MPI_SUCCESS) text[0] = '\0';
  return library_release(text);
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE const char* library_defect(const char* id) noexcept {
  static const library_release loaded = read_release();
  for (const defect_range& each : defect_table)
    if (each.maker == loaded.maker && loaded.number >= each.first && loaded.number < each.end &&
        __builtin_strcmp(each.id, id) == 0)
      return each.sentence;
  return nullptr;
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE bool learn_defects() {
  ignores_displacements = library_defect("allgatherv-ignores-displacements") != nullptr;
  loses_errors_of_several = library_defect("persistent-errors-lost-among-several") != nullptr;
  waits_alone = library_defect("failed-request-in-waitall") != nullptr &&
                mpi::query_thread() == mpi::thread_level::multiple;
  asks_files_alone = library_defect("file-requests-in-testall") != nullptr;
  return true;
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void refuse_defect(const char* operation,
                                                               const char* sentence) {
  mpi::detail::fail(mpi::unavailable(operation, mpi::known_defect{sentence}));
}

// MPI_Type_get_envelope is an error for a datatype of large counts.
template <class Native>
[[nodiscard, gnu::cold]] bool is_made_of_others(Native type) noexcept {
  int made_by = 0;
  if constexpr (mpi::has_type_get_envelope_c) {
    MPI_Count integers = 0, addresses = 0, large_counts = 0, types = 0;
    return MPIGLOT_MPI(MPI_Type_get_envelope_c)(type, &integers, &addresses, &large_counts, &types,
                                                &made_by) != MPI_SUCCESS ||
           made_by != MPI_COMBINER_NAMED;
  } else {
    int integers = 0, addresses = 0, types = 0;
    return MPIGLOT_MPI(MPI_Type_get_envelope)(type, &integers, &addresses, &types, &made_by) !=
               MPI_SUCCESS ||
           made_by != MPI_COMBINER_NAMED;
  }
}
[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE bool is_derived(MPI_Datatype type) noexcept {
  return is_made_of_others(type);
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE bool has_outer_gap(MPI_Datatype type) noexcept {
  MPI_Aint bound = 0, extent = 0, true_bound = 0, true_extent = 0;
  return MPIGLOT_MPI(MPI_Type_get_extent)(type, &bound, &extent) == MPI_SUCCESS &&
         MPIGLOT_MPI(MPI_Type_get_true_extent)(type, &true_bound, &true_extent) == MPI_SUCCESS &&
         extent != true_extent;
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void* place_of_only_part(
    void* first, mpi::count_t displacement, mpi::datatype_handle type) noexcept {
  MPI_Aint bound = 0, extent = 0;
  if (!ignores_displacements ||
      MPIGLOT_MPI(MPI_Type_get_extent)(type.native, &bound, &extent) != MPI_SUCCESS)
    return first;
  return static_cast<char*>(first) + extent * cast_to<MPI_Aint>(displacement);
}

}  // namespace mpiglot::detail
