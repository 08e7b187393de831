// Programs with MPIGLOT_CHECKS=communication: right calls give what they give without it, whoever owns the
// buffers; wrong ones are a disagreement however the communicator reports errors. unequal.cpp has the operations.

#include "catchable.hpp"

#include <mpiglot/objects.hpp>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/serialized.hpp>

using namespace catchable;

namespace {

bool here() { return check::rank() == check::size() - 1; }
std::vector<int> unequal_ones() { return std::vector<int>(here() ? 3 : 2, check::rank()); }

}  // namespace

TEST(a_buffer_that_is_moved_in_is_compared_where_it_goes) {
  const communicator comm;
  if (comm.size() == 1) return;
  DIFFERS_IN_EVERY_FORM(allreduce, send_buf(unequal_ones()), op(mpi::sum));
  DIFFERS_IN_EVERY_FORM(gather, send_buf(unequal_ones()));
  DIFFERS_IN_EVERY_FORM(bcast, send_recv_buf(std::vector<int>(4)), send_recv_count(here() ? 3 : 4));
}

TEST(buffers_that_are_moved_in_arrive) {
  const communicator comm;
  const int n = comm.size();
  const std::vector<int> ones(4, 1), sums(4, n);
  check::equal(comm.allreduce(send_buf(std::vector<int>(4, 1)), op(mpi::sum)), sums);
  check::equal(comm.iallreduce(send_buf(std::vector<int>(4, 1)), op(mpi::sum)).wait(), sums);
  check::equal(comm.bcast(send_recv_buf(std::vector<int>(4, comm.rank() == 0 ? 1 : 2))), ones);
  check::equal(
      comm.ibcast(send_recv_buf(std::vector<int>(4, comm.rank() == 0 ? 1 : 2)), send_recv_count(4))
          .wait(),
      ones);
  check::equal(comm.scatter<int>(send_buf(std::vector<int>(static_cast<std::size_t>(4 * n), 1))),
               ones);
  auto most = [](int a, int b) { return a > b ? a : b; };
  check::equal(comm.allreduce(send_buf(comm.rank()), op(most, commutative)).front(), n - 1);
  check::equal(comm.iallreduce(send_buf(comm.rank()), op(most, commutative)).wait().front(), n - 1);
}

TEST(encoded_values_arrive) {
  const communicator comm;
  const std::vector<std::string> names = {"a", "list"};
  std::vector<std::string> told = comm.rank() == 0 ? names : std::vector<std::string>();
  comm.bcast(send_recv_buf(as_serialized(told)));
  check::equal(told, names);
}

TEST(an_outcome_holds_the_disagreement) {
  const basic_communicator<with_outcomes> comm;
  if (comm.size() == 1) return;
  const std::vector<int> some = unequal_ones();
  const auto is_disagreement = [](const auto& outcome) {
    return !outcome && std::string_view(outcome.error().what()).find("ranks give different") !=
                           std::string_view::npos;
  };
  check::expect(is_disagreement(comm.allreduce(send_buf(some), op(mpi::sum))), "blocking");
  check::expect(is_disagreement(comm.gather(send_buf(some))), "of a root");
  check::expect(is_disagreement(comm.iallreduce(send_buf(some), op(mpi::sum)).wait()), "begun");
  check::expect(is_disagreement(comm.iallreduce(send_buf(unequal_ones()), op(mpi::sum)).wait()),
                "moved");
  auto prepared = comm.allreduce_init(send_buf(some), op(mpi::sum));
  check::expect(is_disagreement(prepared.start()), "set up");
  works_on();
}

TEST(ranks_that_hop_over_different_grids_are_told) {
  const basic_communicator<grid_alltoall> comm;
  if (comm.size() == 1) return;
  const std::vector<int> ones(static_cast<std::size_t>(comm.size()), 1);
  const auto tell = [&](auto call) {
    const auto told = check::thrown_by<disagreement>(call);
    check::expect(std::string_view(told.what()).find("dimensions") != std::string_view::npos);
  };
  const int hops = here() ? 3 : 2;
  tell([&] { comm.alltoallv_grid(send_buf(ones), send_counts(ones), dimensions(hops)); });
  tell([&] { comm.ialltoallv_grid(send_buf(ones), send_counts(ones), dimensions(hops)).wait(); });
  check::equal(comm.alltoallv_grid(send_buf(ones), send_counts(ones), dimensions(3)), ones);
}

TEST(a_null_communicator_is_told_as_one) {
  const communicator comm;
  const communicator none = comm.split(comm.rank() == 0 ? 0 : mpi::undefined);
  if (comm.rank() == 0) return none.barrier();
  std::vector<int> values(2);
  const auto is_null = [](auto call) {
    try {
      call();
      check::expect(false, "no error was thrown");
    } catch (const mpi::error& problem) {
      check::equal(problem.error_class(), mpi::error_class(MPI_ERR_COMM));
    }
  };
  is_null([&] { none.barrier(); });
  is_null([&] { none.bcast(send_recv_buf(values)); });
  is_null([&] { static_cast<void>(none.allreduce(send_buf(values), op(mpi::sum))); });
  is_null([&] { none.ibarrier().wait(); });
  is_null([&] { static_cast<void>(none.iallreduce(send_buf(values), op(mpi::sum)).wait()); });
  is_null([&] { static_cast<void>(none.allgatherv(send_buf(values))); });
}

#if MPI_VERSION >= 4
// MPI_Type_get_envelope is an error for it.
TEST(a_datatype_with_large_counts_is_asked_about_without_an_error) {
  const communicator comm;
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_contiguous_c(4, MPI_INT, &made);
  const datatype four = datatype::committed(mpi::datatype_handle{made});
  std::vector<int> told(4, comm.rank() == 0 ? 7 : 0);
  MPI_Errhandler before[2];
  const MPI_Comm handling[] = {MPI_COMM_WORLD,
                               MPI_COMM_SELF};  // libraries differ in which they ask
  for (int i : {0, 1}) {
    MPI_Comm_get_errhandler(handling[i], &before[i]);
    MPI_Comm_set_errhandler(handling[i], MPI_ERRORS_ARE_FATAL);
  }
  comm.bcast(send_recv_buf(told), send_recv_count(1), send_recv_type(four.handle()));
  check::equal(told, std::vector<int>(4, 7));
  for (int i : {0, 1}) {
    MPI_Comm_set_errhandler(handling[i], before[i]);
    MPI_Errhandler_free(&before[i]);
  }
}
#endif
