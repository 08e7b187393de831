// A program of its own: so many errors bring old codes of callbacks back on some MPIs
// (codes-of-callbacks-come-back), which other tests would take for their own.

#include "check.hpp"

#include <cstdint>
#include <cstring>

#include <sys/mman.h>

namespace {

// Memory whose address has so many digits.
template <class T>
T* page_with_digits(int digits) {
  constexpr std::size_t length = 4 * 4096;
  void* const place = reinterpret_cast<void*>(std::uintptr_t{1} << 4 * (digits - 1));
  void* const made = mmap(place, length, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  check::expect(made == place, "this address is not free");
  return static_cast<T*>(made);
}

// What functions that are called next find in their uninitialized variables.
[[gnu::noinline]] void fill_the_stack() {
  char below[8192];
  std::memset(below, 'x', sizeof below);
  asm volatile("" : : "r"(below) : "memory");
}

}  // namespace

// MPICH's texts hold the addresses of the buffers, so that their parts have many lengths.
TEST(a_text_of_any_length_ends_within_its_room) {
  constexpr int fewest = 6, most = 11, elements = 64;
  int* places[most + 1];
  for (int digits = fewest; digits <= most; ++digits)
    places[digits] = page_with_digits<int>(digits);
  const mpi::datatype_handle type =
      check::rank() == 0 ? mpi::datatype_handle(mpi::char_) : mpi::double_;
  const std::vector<double> sent(static_cast<std::size_t>(elements * check::size()));
  for (int i = fewest; i <= most; ++i)
    for (int j = fewest; j <= most; ++j)
      for (int k = fewest; k <= most; ++k) {
        const auto ranks = static_cast<std::size_t>(check::size());
        const mpi::span<int> counts(places[i], ranks);
        const mpi::span<int> displs(places[j] + 1024, ranks);
        for (std::size_t r = 0; r < ranks; ++r) {
          counts[r] = elements;
          displs[r] = static_cast<int>(r) * elements;
        }
        fill_the_stack();
        try {
          mpi::alltoallv(sent.data(), counts, displs, type, places[k] + 2048, counts, displs, type,
                         mpi::comm_world);
        } catch (const mpi::error& error) {
          check::expect(std::strlen(error.message()) < MPI_MAX_ERROR_STRING);
          fill_the_stack();
          check::expect(mpi::error_string(error.code()).size() < MPI_MAX_ERROR_STRING);
        }
        mpi::barrier(mpi::comm_world);
      }
  for (int digits = fewest; digits <= most; ++digits) munmap(places[digits], 4 * 4096);
}
