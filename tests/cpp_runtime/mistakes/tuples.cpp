// Tuples in layouts that cannot be, each with what the compiler must say about it.
// Compiled once for each by mistakes.cmake; 0 is the program with tuples that can.

#include <functional>

#include <mpiglot/communicator.hpp>
#include <mpiglot/layouts.hpp>

using namespace mpiglot;
using namespace mpiglot::layouts;

[[maybe_unused]] static void call([[maybe_unused]] const communicator& comm) {
  const auto particle = tuple<'t'>(scalar<int>(), scalar<double>() ^ vector<'d'>(3));
  const auto structure = particle ^ vector<'i'>(4);
  auto whole = bag(structure);
  [[maybe_unused]] const auto mine =
      mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(), comm);
  auto tile = bag(particle ^ vector<'y'>(4));
#if MISTAKE == 0  // none: this must compile
  mine.scatter(send_buf(whole), recv_buf(tile));
#elif MISTAKE == 1  // index_of_a_tuple_is_a_constant_less_than_the_number_of_members<'t'
  whole[idx<'t', 'i'>(0, 1)] = 1;
#elif MISTAKE == 2  // index_of_a_tuple_is_a_constant_less_than_the_number_of_members<'t'
  auto x = whole ^ fix<'t'>(lit<2>);
#elif MISTAKE == 3  // index_of_a_tuple_is_a_constant_less_than_the_number_of_members<'t'
  auto x = structure ^ fix<'t'>(1);
#elif MISTAKE == 4  // an_index_is_missing_for_the_dimension<'t'
  whole[idx<'i'>(1)] = 1;
#elif MISTAKE == 5  // an_index_is_missing_for_the_dimension<'d'
  whole[idx<'t', 'i'>(lit<1>, 1)] = 1;
#elif MISTAKE == 6  // there_is_no_dimension_of_this_name<'k'
  auto x = structure ^ slice<'k'>(0, 1);
#elif MISTAKE == 7  // there_is_a_dimension_of_this_name_already<'d'
  auto x = structure ^ vector<'d'>(2);
#elif MISTAKE == 8  // there_is_a_dimension_of_this_name_already<'t'
  auto x = structure ^ rename<'i', 't'>();
#elif MISTAKE == 9  // set_the_length_of_each_dimension_first
  auto x = particle ^ vector<'i'>();
#elif MISTAKE == 10  // set_the_length_of_each_dimension_first
  auto x = tuple<'t'>(scalar<int>() ^ vector<'i'>());
#elif MISTAKE == 11  // members_of_a_tuple_are_structures_of_one_element_type<'u'
  auto x = tuple<'u'>(scalar<int>(), particle);
#elif MISTAKE == 12  // a_member_of_the_tuple_has_only_one_of_the_merged_dimensions<'d'
  auto x = structure ^ merge_blocks<'i', 'd', 'm'>();
#elif MISTAKE == 13  // vector_needs_other_memory_use_bcast_here
  auto x = whole ^ vector<'k'>(2);
#elif MISTAKE == 14  // elements_of_a_tuple_cannot_be_reduced_fix_a_member
  comm.allreduce(send_recv_buf(whole), op(std::plus<>()));
#elif MISTAKE == 15  // elements_of_a_tuple_cannot_be_reduced_fix_a_member
  mine.reduce(send_buf(whole), recv_buf(tile), op(std::plus<>()));
#elif MISTAKE == 16  // tuple_has_no_parts_for_ranks_use_an_mpi_traverser
  comm.scatter(send_buf(whole), recv_buf(tile));
#elif MISTAKE == 17  // the_buffer_has_no_dimension_like_that_of_the_traverser<'y'
  auto line = bag(particle);
  mine.scatter(send_buf(whole), recv_buf(line));
#elif MISTAKE == 18  // the_traverser_has_no_dimension_like_that_of_the_buffer<'z'
  auto deep = bag(tile.layout() ^ vector<'z'>(2));
  mine.gather(send_buf(deep), recv_buf(whole));
#elif MISTAKE == 19  // bags_sent_and_received_have_elements_of_different_types
  auto floats = bag(tuple<'t'>(scalar<int>(), scalar<float>() ^ vector<'d'>(3)) ^ vector<'y'>(4));
  mine.scatter(send_buf(whole), recv_buf(floats));
#elif MISTAKE == 20  // a_member_of_the_tuple_has_no_dimension_like_that_of_the_rank<'r'
  const auto parts = mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'d', 'r', 'x'>(), comm);
  parts.scatter(send_buf(whole), recv_buf(tile));
#elif MISTAKE == 21  // bag_that_owns_memory_must_have_a_name
  mine.scatter(send_buf(bag(structure)), recv_buf(tile));
#elif MISTAKE == 22  // elements_to_receive_into_are_const
  const std::byte constant[128] = {};
  mine.gather(send_buf(tile), recv_buf(bag(structure, constant)));
#elif MISTAKE == 23  // elements_would_be_received_into_one_place<'y'
  auto one = bag(particle ^ bcast<'y'>(4));
  mine.scatter(send_buf(whole), recv_buf(one));
#elif MISTAKE == 24  // tuple_is_no_memory_that_mpi_uses_later_give_raw_and_as_datatype
  auto x = comm.psend_init(send_buf(whole), destination(0), partitions(1));
#elif MISTAKE == 25  // the_memory_of_a_view_has_no_known_size
  auto x = (structure ^ fix<'t'>(lit<1>)) ^ vector<'k'>(2);
#elif MISTAKE == 26  // there_is_no_dimension_of_this_name<'k'
  auto x = get_length<'k'>(structure);
#elif MISTAKE == 27  // deleted
  auto x = whole;
#elif MISTAKE == 28  // dimension_has_no_strides_fix_it_first<'e'
  auto x = as_datatype(whole ^ into_blocks<'d', 'b', 'e'>(2, uneven));
#elif MISTAKE == 29  // [15 lines] an_index_is_missing_for_the_dimension<'t'
  traverser(whole).for_each([&](auto state) { whole[state] = 1; });
#elif MISTAKE == 30  // static_lengths_differ_in_the_dimension<'n'
  auto x = tuple<'t'>(scalar<int>() ^ array<'n', 3>(), scalar<double>() ^ array<'n', 4>());
#elif MISTAKE == 31  // structure_has_no_elements_give_a_bag_of_it
  auto x = structure;
  comm.bcast(send_recv_buf(x));
#elif MISTAKE == 32  // dimension_has_no_strides_fix_it_first<'m'
  auto merged = bag(structure ^ vector<'j'>(2) ^ merge_blocks<'i', 'j', 'm'>());
  comm.bcast(send_recv_buf(merged));
#elif MISTAKE == 33  // elements_would_be_received_into_one_place<'k'
  auto one = whole ^ bcast<'k'>(2);
  comm.recv(recv_buf(one));
#elif MISTAKE == 34  // elements_would_be_received_into_one_place<'k'
  auto one = whole ^ bcast<'k'>(2);
  comm.bcast(send_recv_buf(one));
#elif MISTAKE == 35  // bag_that_owns_memory_must_have_a_name
  static_cast<void>(bag(structure).get_ref());
#elif MISTAKE == 36  // bag_that_owns_memory_must_have_a_name
  const auto owner = bag(structure);
  auto x = std::move(owner) ^ fix<'t'>(lit<0>);
#endif
}
