// Which of the twins is called: this file stands between the C++ layer and MPI, and counts.

#include "check.hpp"

#include <mpiglot/mpi/calls/type_size.hpp>

namespace {

int small_calls = 0;
int large_calls = 0;
MPI_Count last_count = 0;

const char nothing = 0;  // an address for messages to nobody
constexpr mpi::count_t too_many = mpi::count_t{1} << 33;

}  // namespace

extern "C" {

int MPI_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  ++small_calls;
  last_count = count;
  return PMPI_Send(buf, count, type, dest, tag, comm);
}

int MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  ++small_calls;
  last_count = count;
  return PMPI_Type_contiguous(count, oldtype, newtype);
}

#ifdef MPIGLOT_TEST_TWINS
int MPI_Send_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
               MPI_Comm comm) {
  ++large_calls;
  last_count = count;
  return PMPI_Send_c(buf, count, type, dest, tag, comm);
}

int MPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  ++large_calls;
  last_count = count;
  return PMPI_Type_contiguous_c(count, oldtype, newtype);
}
#endif
}

TEST(a_count_that_fits_goes_to_the_small_function) {
  small_calls = large_calls = 0;
  mpi::send(&nothing, 2147483647, mpi::byte, mpi::proc_null, 0, mpi::comm_world);
  check::equal(small_calls, 1);
  check::equal(large_calls, 0);
  check::equal(last_count, MPI_Count{2147483647});
}

TEST(a_count_that_does_not_fit_goes_to_the_twin_or_is_refused) {
  small_calls = large_calls = 0;
  last_count = -1;
  const auto outcome =
      mpi::nothrow::send(&nothing, too_many, mpi::byte, mpi::proc_null, 0, mpi::comm_world);
  check::equal(small_calls, 0);
  if constexpr (mpi::has_send_c) {
    check::equal(large_calls, 1);
    check::equal(last_count, MPI_Count{too_many});
    check::expect(outcome.ok());
  } else {
    check::equal(outcome.code, MPI_ERR_COUNT);
    check::equal(last_count, MPI_Count{-1});
  }
}

TEST(a_negative_count_is_left_for_mpi_to_refuse) {
  const auto outcome =
      mpi::nothrow::send(&nothing, -1, mpi::byte, mpi::proc_null, 0, mpi::comm_world);
  check::equal(mpi::error_class_(outcome.code), MPI_ERR_COUNT);
}

TEST(datatypes_are_made_large_only_where_they_must_be) {
  small_calls = large_calls = 0;
  mpi::unique_datatype normal{mpi::type_contiguous(5, mpi::int_)};
  check::equal(small_calls, 1);
  check::equal(large_calls, 0);
  const auto outcome = mpi::nothrow::type_contiguous(too_many, mpi::byte);
  check::equal(small_calls, 1);
  if constexpr (mpi::has_type_contiguous_c) {
    mpi::unique_datatype huge{outcome.value};
    check::equal(large_calls, 1);
    check::equal(mpi::type_size(huge), too_many);
  } else {
    check::equal(outcome.code, MPI_ERR_COUNT);
    check::expect(!outcome.value, "without a call the value is null");
  }
}

TEST(sizes_of_64_bits_are_told_with_and_without_large_twins) {
  const mpi::unique_datatype block{mpi::type_contiguous(1 << 30, mpi::int32)};
  const mpi::unique_datatype blocks{mpi::type_contiguous(4, block)};
  constexpr mpi::count_t bytes = mpi::count_t{1} << 34;
  check::equal(mpi::type_size(blocks), bytes);
  check::equal(mpi::type_get_extent(blocks).extent, bytes);
  check::equal(mpi::type_get_true_extent(blocks).true_extent, bytes);
  mpi::status status;
  mpi::status_set_elements(status, mpi::byte, bytes);
  check::equal(mpi::get_elements(status, mpi::byte), bytes);
  check::equal(mpi::get_elements(status, mpi::int32), bytes / 4);
}

TEST(an_operation_tells_sizes_as_wide_as_the_place_for_them) {
  const mpi::unique_datatype block{mpi::type_contiguous(1 << 30, mpi::int32)};
  mpi::count_t wide = 0;
  check::equal(mpi::calls::type_size::now(block, wide), MPI_SUCCESS);
  check::equal(wide, mpi::count_t{1} << 32);
  int narrow = 0;
  check::equal(mpi::calls::type_size::now(block, narrow), MPI_SUCCESS);
  check::equal(narrow, MPI_UNDEFINED);
  check::equal(mpi::calls::type_size::now(mpi::int32, narrow), MPI_SUCCESS);
  check::equal(narrow, 4);
}
