#include "check.hpp"

#include <numeric>

#include <mpiglot/mpi/calls.hpp>

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

TEST(a_broadcast_reaches_everybody) {
  int value = check::rank() == 0 ? 77 : 0;
  mpi::bcast(&value, 1, mpi::int_, 0, mpi::comm_world);
  check::equal(value, 77);
}

TEST(a_sum_is_reduced_in_place) {
  std::vector<int> values{check::rank(), 1};
  mpi::allreduce(mpi::in_place, values.data(), 2, mpi::int_, mpi::sum, mpi::comm_world);
  check::equal(values[0], check::size() * (check::size() - 1) / 2);
  check::equal(values[1], check::size());
}

template <class Count, class Displacement>
static void gather_unequal_parts() {
  const int size = check::size();
  std::vector<Count> counts;
  std::vector<Displacement> displacements;
  Displacement total = 0;
  for (int i = 0; i < size; ++i) {
    counts.push_back(static_cast<Count>(i + 1));
    displacements.push_back(total);
    total += static_cast<Displacement>(i + 1);
  }
  const std::vector<int> mine(at(check::rank() + 1), check::rank());
  std::vector<int> all(static_cast<std::size_t>(total), -1);
  mpi::allgatherv(mine.data(), static_cast<mpi::count_t>(mine.size()), mpi::int_, all.data(),
                  counts, displacements, mpi::int_, mpi::comm_world);
  std::size_t next = 0;
  for (int i = 0; i < size; ++i)
    for (int k = 0; k <= i; ++k) check::equal(all[next++], i);
}

TEST(parts_of_unequal_length_are_gathered_with_int_counts) { gather_unequal_parts<int, int>(); }

TEST(parts_of_unequal_length_are_gathered_with_large_counts) {
  gather_unequal_parts<mpi::count_t, mpi::aint_t>();
}

TEST(large_arrays_without_a_twin_are_copied_if_they_fit) {
  if constexpr (!mpi::has_allgatherv_c) {
    std::vector<mpi::count_t> counts(at(check::size()), 0);
    const std::vector<mpi::aint_t> displacements(at(check::size()), 0);
    counts.back() = mpi::count_t{1} << 31;
    const auto error = check::thrown_by([&] {
      mpi::allgatherv(nullptr, 0, mpi::int_, nullptr, counts, displacements, mpi::int_,
                      mpi::comm_world);
    });
    check::equal(std::string(error.function()), "MPI_Allgatherv");
    check::expect(error.error_class() == mpi::error_class::count);
    // A copy would have to outlive the call.
    mpi::request_handle request;
    const auto missing = check::thrown_by<mpi::unavailable>([&] {
      request = mpi::iallgatherv(nullptr, 0, mpi::int_, nullptr, counts, displacements, mpi::int_,
                                 mpi::comm_world);
    });
    check::equal(std::string(missing.function()), "MPI_Iallgatherv_c");
    check::equal(std::string(missing.needs()), "MPI 4.0");
  }
}

TEST(different_datatypes_go_to_everybody) {
  const int size = check::size();
  const std::vector<int> counts(at(size), 1);
  std::vector<int> places(at(size));
  for (int i = 0; i < size; ++i) places[at(i)] = i * static_cast<int>(sizeof(int));
  const std::vector<mpi::datatype_handle> types(at(size), mpi::int_);
  std::vector<int> sent(at(size), check::rank());
  std::vector<int> received(at(size), -1);
  mpi::alltoallw(sent.data(), counts, places, types, received.data(), counts, places, types,
                 mpi::comm_world);
  std::vector<int> wanted(at(size));
  std::iota(wanted.begin(), wanted.end(), 0);
  check::equal(received, wanted);
}

TEST(a_nonblocking_sum_completes) {
  const int one = 1;
  int sum = 0;
  mpi::request_handle request =
      mpi::iallreduce(&one, &sum, 1, mpi::int_, mpi::sum, mpi::comm_world);
  mpi::wait(request);
  check::equal(sum, check::size());
}

TEST(a_persistent_broadcast_runs_also_under_the_name_of_an_extension) {
  int value = 0;
  const auto make = [&] {
    return mpi::bcast_init(&value, 1, mpi::int_, 0, mpi::comm_world, mpi::info_null);
  };
  if constexpr (mpi::has_bcast_init) {
    mpi::request_handle request = make();
    for (int round = 1; round < 3; ++round) {
      value = check::rank() == 0 ? round : 0;
      mpi::start(request);
      mpi::wait(request);
      check::equal(value, round);
    }
    mpi::request_free(request);
  } else {
    check::thrown_by<mpi::unavailable>(make);
  }
}

TEST(an_operation_runs_in_all_its_forms_from_one_type) {
  using operation = mpi::calls::allreduce;
  const int one = 1;
  int sum = 0;
  mpi::request_handle request;
  const auto in_form = [&](auto form) {
    sum = 0;
    return form(&one, &sum, mpi::count_t{1}, mpi::int_, mpi::sum, mpi::comm_world);
  };
  check::equal(in_form([](auto... a) { return operation::now(a...); }), MPI_SUCCESS);
  check::equal(sum, check::size());
  check::equal(in_form([&](auto... a) { return operation::later(request, a...); }), MPI_SUCCESS);
  mpi::wait(request);
  check::equal(sum, check::size());
  const int code = in_form([&](auto... a) { return operation::bound(request, a...); });
  if constexpr (mpi::has_allreduce_init || mpi::has_mpix_allreduce_init) {
    check::equal(code, MPI_SUCCESS);
    mpi::start(request);
    mpi::wait(request);
    check::equal(sum, check::size());
    mpi::request_free(request);
  } else {
    check::equal(code, int{MPI_ERR_UNSUPPORTED_OPERATION});
  }
}

TEST(an_operation_takes_arrays_of_the_width_they_have) {
  const auto size = static_cast<std::size_t>(check::size());
  const int mine = check::rank();
  std::vector<int> all(size, -1);
  const std::vector<int> counts(size, 1);
  const std::vector<mpi::count_t> large_counts(size, 1);
  std::vector<int> displacements;
  std::vector<mpi::aint_t> large_displacements;
  for (int i = 0; i < check::size(); ++i) {
    displacements.push_back(i);
    large_displacements.push_back(i);
  }
  const auto gathered = [&](const auto& lengths, const auto& places) {
    all.assign(size, -1);
    return mpi::calls::allgatherv::now(&mine, mpi::count_t{1}, mpi::int_, all.data(),
                                       lengths.data(), places.data(), mpi::int_, mpi::comm_world);
  };
  check::equal(gathered(counts, displacements), MPI_SUCCESS);
  check::equal(all.back(), check::size() - 1);
  const int code = gathered(large_counts, large_displacements);
  check::equal(code, mpi::has_allgatherv_c ? MPI_SUCCESS : int{MPI_ERR_UNSUPPORTED_OPERATION});
  if (code == MPI_SUCCESS) check::equal(all.back(), check::size() - 1);
}

TEST(an_operation_refuses_a_count_that_does_not_fit_and_has_no_twin) {
  if constexpr (!mpi::has_bcast_c) {
    int nothing = 0;
    const auto much = mpi::count_t{1} << 40;
    check::equal(mpi::calls::bcast::now(&nothing, much, mpi::int_, 0, mpi::comm_world),
                 int{MPI_ERR_COUNT});
  }
}

TEST(an_operation_gives_outputs_back_by_reference) {
  mpi::count_t bytes = -1;
  check::equal(mpi::calls::pack_size::now(mpi::count_t{3}, mpi::int_, mpi::comm_self, bytes),
               MPI_SUCCESS);
  check::equal(bytes, mpi::pack_size(3, mpi::int_, mpi::comm_self));
  const int sent = 7;
  int received = 0;
  mpi::status status;
  check::equal(
      mpi::calls::sendrecv::now(&sent, 1, mpi::int_, check::rank(), 5, &received, 1, mpi::int_,
                                check::rank(), 5, mpi::comm_world, mpi::status_out(status)),
      MPI_SUCCESS);
  mpi::count_t elements = -1;
  check::equal(mpi::calls::get_count::now(status, mpi::int_, elements), MPI_SUCCESS);
  check::equal(elements, mpi::count_t{1});
  check::equal(received, 7);
}
