// Operations of traversers that cannot be, each with what the compiler must say about it.
// Compiled once for each by mistakes.cmake; 0 is the program with operations that can.

#include <functional>
#include <mpiglot/layouts.hpp>
#include <vector>

using namespace mpiglot;
using namespace mpiglot::layouts;

[[maybe_unused]] static void call(const communicator& comm) {
  const auto structure = scalar<double>() ^ vectors<'j', 'i'>(3, 4);
  auto whole = bag(structure);
  [[maybe_unused]] const auto mine =
      mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(), comm);
  auto tile = bag(scalar<double>() ^ vectors_like<'y', 'j'>(mine));
#if MISTAKE == 0  // none: this must compile
  mine.scatter(send_buf(whole), recv_buf(tile));
#elif MISTAKE == 1  // elements_would_be_received_into_one_place<'y'
  auto one = bag(scalar<double>() ^ vector<'j'>(3) ^ bcast<'y'>(1));
  mine.scatter(send_buf(whole), recv_buf(one));
#elif MISTAKE == 2  // the_buffer_has_no_dimension_like_that_of_the_traverser<'j'
  auto line = bag(scalar<double>() ^ vector<'y'>(1));
  mine.scatter(send_buf(whole), recv_buf(line));
#elif MISTAKE == 3  // the_traverser_has_no_dimension_like_that_of_the_buffer<'z'
  auto deep = bag(scalar<double>() ^ vectors<'y', 'j', 'z'>(1, 3, 2));
  mine.gather(send_buf(deep), recv_buf(whole));
#elif MISTAKE == 4  // there_is_no_dimension_of_this_name<'q'
  auto x = mpi_traverser<'q'>(traverser(structure), comm);
#elif MISTAKE == 5  // set_the_length_of_each_dimension_first
  auto x = mpi_traverser<'r'>(
      traverser(structure) ^ into_blocks<'i', 'r', 'y'>() ^ into_blocks<'j', 'J', 'x'>(), comm);
#elif MISTAKE == 6  // bags_sent_and_received_have_elements_of_different_types
  auto floats = bag(scalar<float>() ^ vectors_like<'y', 'j'>(mine));
  mine.scatter(send_buf(whole), recv_buf(floats));
#elif MISTAKE == 7  // buffer_has_no_named_dimensions_give_a_bag
  std::vector<double> memory(12);
  mine.scatter(send_buf(memory), recv_buf(tile));
#elif MISTAKE == 8  // bag_that_owns_memory_must_have_a_name
  mine.scatter(send_buf(bag(structure)), recv_buf(tile));
#elif MISTAKE == 9  // parts_differ_name_the_dimension_of_the_receivers_in_alltoall<'r'
  const auto parts =
      mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(uneven), comm);
  parts.alltoall(send_buf(whole), recv_buf(tile));
#elif MISTAKE == 10  // static_lengths_differ_in_the_dimension<'j'
  const auto rows = scalar<double>() ^ array<'j', 3>() ^ vector<'i'>(4);
  const auto parts = mpi_traverser<'r'>(traverser(rows) ^ into_blocks<'i', 'r', 'y'>(), comm);
  auto longer = bag(scalar<double>() ^ array<'j', 4>() ^ vector<'y'>(1));
  parts.scatter(send_buf(bag(rows, whole.data())), recv_buf(longer));
#elif MISTAKE == 11  // elements_to_receive_into_are_const
  const double constant[12] = {};
  mine.gather(send_buf(tile), recv_buf(bag(structure, constant)));
#elif MISTAKE == 12  // merged_dimension_has_no_strides_fix_it<'m'
  auto merged = whole ^ merge_blocks<'i', 'j', 'm'>();
  const auto parts = mpi_traverser<'r'>(traverser(merged) ^ bcast<'r'>(comm.size()), comm);
  parts.bcast(send_recv_buf(merged));
#elif MISTAKE == 13  // only_blocks_of_the_rank_can_be_uneven<'x'
  const auto parts = mpi_traverser<'r'>(
      traverser(structure) ^ into_blocks<'i', 'r', 'y'>() ^ into_blocks<'j', 'J', 'x'>(2, uneven), comm);
  parts.scatter(send_buf(whole), recv_buf(tile));
#elif MISTAKE == 14  // there_is_no_dimension_of_this_name<'J'
  auto x = mine.split_along<'J'>();
#elif MISTAKE == 15  // elements_would_be_received_into_one_place<'J'
  const auto same = mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'I', 'y'>(2) ^
                                           bcast<'J'>() ^ merge_blocks<'I', 'J', 'r'>(),
                                       comm);
  same.gather(send_buf(tile), recv_buf(whole));
#elif MISTAKE == 16  // the_buffer_has_no_dimension_like_that_of_the_traverser<'m'
  const auto merged =
      mpi_traverser<'r'>(traverser(structure) ^ merge_blocks<'i', 'j', 'm'>() ^ bcast<'r'>(), comm);
  merged.bcast(send_recv_buf(whole));
#elif MISTAKE == 17  // there_is_no_dimension_of_this_name<'s'
  mine.alltoall<'s'>(send_buf(whole), recv_buf(tile));
#elif MISTAKE == 18  // the_buffer_has_no_dimension_like_that_of_the_traverser<'r'
  const auto both = mpi_traverser<'r'>(
      traverser(structure) ^ into_blocks<'i', 'r', 'y'>() ^ into_blocks<'j', 's', 'x'>(1), comm);
  both.alltoall<'s'>(send_buf(tile), recv_buf(tile));
#elif MISTAKE == 19  // elements_would_be_received_into_one_place<'x'
  const auto both = mpi_traverser<'r'>(
      traverser(structure) ^ into_blocks<'i', 'r', 'y'>() ^ into_blocks<'j', 's', 'x'>(1), comm);
  auto one = bag(scalar<double>() ^ vector<'i'>(4) ^ bcast<'x'>(1));
  both.ialltoall<'s'>(send_buf(tile), recv_buf(one));
#elif MISTAKE == 20  // there_is_no_dimension_of_this_name<'r'
  mine.alltoall<'r'>(send_buf(whole), recv_buf(tile));
#elif MISTAKE == 21  // the_traverser_knows_the_counts<mpiglot::keys::send_count
  mine.scatter(send_buf(whole), recv_buf(tile), send_count(3));
#elif MISTAKE == 22  // the_traverser_knows_the_counts<mpiglot::keys::recv_counts
  mine.igather(send_buf(tile), recv_buf(whole), recv_counts(std::vector<int>{1}));
#elif MISTAKE == 23  // the_traverser_knows_the_counts<mpiglot::keys::send_recv_count
  mine.bcast(send_recv_buf(tile), send_recv_count(3));
#elif MISTAKE == 24  // the_traverser_knows_the_counts<mpiglot::keys::recv_count
  mine.recv(recv_buf(tile), recv_count(3));
#elif MISTAKE == 25  // the_traverser_knows_the_counts<mpiglot::keys::send_recv_count
  mine.allreduce(send_recv_buf(tile), op(std::plus<>()), send_recv_count(1));
#elif MISTAKE == 26  // the_traverser_knows_the_counts<mpiglot::keys::send_type
  mine.send(send_buf(tile), send_type(mpi::double_), destination(0));
#elif MISTAKE == 27  // the_traverser_knows_the_counts<mpiglot::keys::send_displs
  const auto both = mpi_traverser<'r'>(
      traverser(structure) ^ into_blocks<'i', 'r', 'y'>() ^ into_blocks<'j', 's', 'x'>(1), comm);
  auto columns = bag(scalar<double>() ^ vectors<'i', 'x'>(4, 1));
  both.alltoall<'s'>(send_buf(tile), recv_buf(columns), send_displs(std::vector<int>{1}));
#elif MISTAKE == 28  // this_is_no_traverser_give_one_of_bags_and_structures
  mpi_traverser<'r'>(whole ^ into_blocks<'i', 'r', 'y'>(2), comm);
#elif MISTAKE == 29  // there_is_no_dimension_of_this_name<'Q'
  auto x = mine.split_along<'Q', 'R'>();
#elif MISTAKE == 30  // scatter_is_not_in_place_give_send_buf_and_recv_buf
  mine.scatter(send_recv_buf(whole), root(0));
#elif MISTAKE == 31  // scatter_is_not_in_place_give_send_buf_and_recv_buf
  mine.iscatter(send_recv_buf(whole));
#elif MISTAKE == 32  // parts_of_the_ranks_have_unequal_lengths_in_the_dimension<'y'
  const auto parts =
      mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(uneven), comm);
  parts.allreduce(send_recv_buf(tile), op(std::plus<>()));
#elif MISTAKE == 33  // parts_of_the_ranks_have_unequal_lengths_in_the_dimension<'y'
  const auto parts =
      mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(uneven), comm);
  auto r = parts.iallreduce(send_recv_buf(tile), op(std::plus<>()));
#elif MISTAKE == 34  // parts_of_the_ranks_have_unequal_lengths_in_the_dimension<'y'
  const auto parts =
      mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(uneven), comm);
  parts.reduce(send_buf(tile), recv_buf(tile), op(std::plus<>()));
#elif MISTAKE == 35  // parts_of_the_ranks_have_unequal_lengths_in_the_dimension<'y'
  const auto parts =
      mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(uneven), comm);
  auto r = parts.ireduce(send_buf(tile), recv_buf(tile), op(std::plus<>()));
#elif MISTAKE == 36  // parts_of_the_ranks_have_unequal_lengths_in_the_dimension<'y'
  const auto parts =
      mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(uneven), comm);
  parts.bcast(send_recv_buf(tile));
#elif MISTAKE == 37  // parts_of_the_ranks_have_unequal_lengths_in_the_dimension<'y'
  const auto parts =
      mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(uneven), comm);
  auto r = parts.ibcast(send_recv_buf(tile));
#elif MISTAKE == 38  // parts_of_the_ranks_have_unequal_lengths_in_the_dimension<'y'
  const auto parts =
      mpi_traverser<'r'>(traverser(structure) ^ deal_blocks<'i', 'r', 'y'>(2), comm);
  parts.allreduce(send_recv_buf(tile), op(std::plus<>()));
#elif MISTAKE == 39  // communicator_of_a_traverser_must_have_a_name
  auto x = mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(), communicator());
#elif MISTAKE == 40  // communicator_of_a_traverser_must_have_a_name
  auto x = mpi_traverser<'r'>(traverser(structure) ^ bcast<'r'>(), comm.split(0, 0));
#elif MISTAKE == 41  // bag_that_owns_memory_must_have_a_name
  mine.scatter(send_buf(bag(structure) ^ hoist<'j'>()), recv_buf(tile));
#elif MISTAKE == 42  // lengths_and_indices_are_integers<'r', double
  auto x = mine.part(0.5);
#elif MISTAKE == 43  // buffer_has_no_named_dimensions_give_a_bag
  mine.scatter(send_buf(structure), recv_buf(tile));
#elif MISTAKE == 44  // wrong_layout::parameter_missing<mpiglot::keys::op
  mine.allreduce(send_recv_buf(tile));
#elif MISTAKE == 45  // wrong_layout::parameter_missing<mpiglot::keys::op
  auto r = mine.iallreduce(send_recv_buf(tile));
#elif MISTAKE == 46  // wrong_layout::parameter_missing<mpiglot::keys::op
  mine.reduce(send_buf(tile), recv_buf(tile));
#elif MISTAKE == 47  // wrong_layout::parameter_missing<mpiglot::keys::op
  auto r = mine.ireduce(send_buf(tile), recv_buf(tile));
#elif MISTAKE == 48  // wrong_layout::parameter_missing<mpiglot::keys::destination
  mine.send(send_buf(tile));
#elif MISTAKE == 49  // wrong_layout::parameter_missing<mpiglot::keys::destination
  auto r = mine.isend(send_buf(tile));
#elif MISTAKE == 50  // wrong_layout::parameter_missing<mpiglot::keys::destination
  mine.sendrecv(send_buf(tile), recv_buf(tile));
#elif MISTAKE == 51  // merged_dimension_cannot_be_cut_or_split<'T'
  auto parts = mpi_traverser<'r'>(
      traverser(structure) ^ merge_blocks<'i', 'j', 'T'>() ^ deal_blocks<'T', 'r', 'k'>(1), comm);
#elif MISTAKE == 52  // static_lengths_differ_in_the_dimension<'j'
  auto other = bag(scalar<double>() ^ array<'j', 3>());
  auto longer = bag(scalar<double>() ^ array<'j', 5>());
  traverser(other, longer) | [&](auto s) { other[s] = longer[s]; };
#elif MISTAKE == 53  // [15 lines] an_index_is_missing_for_the_dimension<'y'
  traverser(structure) | [&](auto s) { tile[s] = 1; };
#elif MISTAKE == 54  // communicator_of_a_traverser_must_have_a_name
  auto mine_of_a_temporary = mpi_traverser<'r'>(
      traverser(structure) ^ into_blocks<'i', 'r', 'y'>(uneven), comm.split(0, comm.rank()));
  auto part = bag(scalar<double>() ^ vectors_like<'j', 'y'>(mine_of_a_temporary));
  mine_of_a_temporary.scatter(send_buf(whole), recv_buf(tile), root(0));
#elif MISTAKE == 55  // merged_dimension_cannot_be_cut_or_split<'T'
  auto parts = mpi_traverser<'r'>(
      traverser(structure) ^ merge_blocks<'i', 'j', 'T'>() ^ deal_blocks<'T', 'r', 'k'>(1), comm);
  auto part = bag(scalar<double>() ^ vectors_like<'k', 'q'>(parts));
  parts.gather(send_buf(part), recv_buf(whole));
#endif
}
