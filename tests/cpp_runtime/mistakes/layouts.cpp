// Layouts that cannot be, each with what the compiler must say about it.
// Compiled once for each by mistakes.cmake; 0 is the program with layouts that can.

#include <functional>
#include <utility>
#include <vector>

#include <mpiglot/as_datatype.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/layouts.hpp>
#include <mpiglot/memory_order.hpp>
#include <mpiglot/strided.hpp>

using namespace mpiglot::layouts;

// A view that has memory of its own.
struct owns_elements {
  std::vector<double> elements;
};
template <>
struct mpiglot::view_traits<owns_elements> {
  static constexpr std::size_t rank = 1;
  static auto* data(auto& of) { return of.elements.data(); }
  static std::size_t extent(const owns_elements& of, std::size_t) { return of.elements.size(); }
  static std::ptrdiff_t stride(const owns_elements&, std::size_t) { return 1; }
};

[[maybe_unused]] static void call([[maybe_unused]] const mpiglot::communicator& comm) {
  auto matrix = scalar<double>() ^ vectors<'j', 'i'>(3, 4);
#if MISTAKE == 0  // none: this must compile
  comm.bcast(mpiglot::send_recv_buf(bag(matrix)));
  comm.bcast(mpiglot::send_recv_buf(bag(matrix) ^ hoist<'j'>()));
  comm.send(mpiglot::send_buf(bag(matrix) ^ bcast<'k'>(3)), mpiglot::destination(0));
  enum { four = 4 };
  auto other = scalar<int>() ^ vector<'a'>(four) ^ vector<'b'>(4U) ^ vector<'c'>(std::size_t{4}) ^
               vector<'d'>(std::integral_constant<unsigned char, 4>()) ^ vector<'e'>(short{4});
  static_cast<void>(bag(other, static_cast<int*>(nullptr)).get_ref());
  static_cast<void>(named<'k', 'l'>(mpiglot::strided_view<double>{nullptr, 0, 0, 1}));
  // Of two new names, one may be the old one.
  static_assert(get_length<'i'>(scalar<int>() ^ array<'i', 6>() ^ into_blocks<'i', 'b', 'i'>(lit<2>)) == 2);
  static_assert(get_length<'i'>(scalar<int>() ^ array<'i', 6>() ^ into_blocks<'i', 'i', 'b'>(lit<2>)) == 3);
#elif MISTAKE == 1  // there_is_no_dimension_of_this_name<'k'
  auto x = matrix ^ fix<'k'>(0);
#elif MISTAKE == 2  // there_is_no_dimension_of_this_name<'k'
  auto x = matrix ^ hoist<'k'>();
#elif MISTAKE == 3  // there_is_no_dimension_of_this_name<'k'
  auto x = matrix ^ slice<'k'>(0, 1);
#elif MISTAKE == 4  // there_is_no_dimension_of_this_name<'k'
  auto x = matrix ^ into_blocks<'k', 'K'>(2);
#elif MISTAKE == 5  // there_is_no_dimension_of_this_name<'k'
  auto x = matrix ^ merge_blocks<'i', 'k'>();
#elif MISTAKE == 6  // there_is_no_dimension_of_this_name<'k'
  auto x = get_length<'k'>(matrix);
#elif MISTAKE == 7  // there_is_a_dimension_of_this_name_already<'i'
  auto x = matrix ^ vector<'i'>(2);
#elif MISTAKE == 8  // there_is_a_dimension_of_this_name_already<'j'
  auto x = matrix ^ rename<'i', 'j'>();
#elif MISTAKE == 9  // there_is_a_dimension_of_this_name_already<'j'
  auto x = matrix ^ into_blocks<'i', 'j'>(2);
#elif MISTAKE == 10  // an_index_is_missing_for_the_dimension<'j'
  auto x = bag(matrix)[idx<'i'>(1)];
#elif MISTAKE == 11  // set_the_length_of_each_dimension_first
  auto x = bag(matrix ^ into_blocks<'i', 'b'>());
#elif MISTAKE == 12  // there_is_no_open_length_of_the_dimension<'k'
  auto x = matrix ^ into_blocks<'i', 'b'>() ^ set_length<'k'>(2);
#elif MISTAKE == 13  // vector_needs_other_memory_use_bcast_here
  auto x = traverser(matrix) ^ vector<'k'>(2);
#elif MISTAKE == 14  // vector_needs_other_memory_use_bcast_here
  auto owner = bag(matrix);
  auto x = owner ^ vector<'k'>(2);
#elif MISTAKE == 15  // static_lengths_differ_in_the_dimension<'n'
  auto x = scalar<int>() ^ array<'n', 3>() ^ set_length<'n'>(lit<4>);
#elif MISTAKE == 16  // static_lengths_differ_in_the_dimension<'n'
  auto x = traverser(scalar<int>() ^ array<'n', 3>(), scalar<int>() ^ array<'n', 4>());
#elif MISTAKE == 17  // blocks_do_not_divide_pass_uneven<'n'
  auto x = scalar<int>() ^ array<'n', 7>() ^ into_blocks<'n', 'b'>(lit<2>);
#elif MISTAKE == 18  // elements_of_the_memory_are_not_those_of_the_structure
  float memory[12];
  auto x = bag(matrix, memory);
#elif MISTAKE == 19  // uneven_blocks_cannot_be_cut_fix_the_block_first<'e'
  auto x = matrix ^ into_blocks<'i', 'b', 'e'>(3, uneven) ^ slice<'e'>(0, 1);
#elif MISTAKE == 20  // the_length_of_uneven_blocks_is_not_one_number<'e'
  auto x = get_length<'e'>(matrix ^ into_blocks<'i', 'b', 'e'>(3, uneven));
#elif MISTAKE == 21  // merged_dimension_cannot_be_cut_or_split<'r'
  auto x = matrix ^ merge_blocks<'i', 'j', 'r'>() ^ reverse<'r'>();
#elif MISTAKE == 22  // merged_dimension_cannot_be_cut_or_split<'r'
  auto x = matrix ^ merge_blocks<'i', 'j', 'r'>() ^ into_blocks<'r', 's'>(2);
#elif MISTAKE == 23  // set_one_of_the_merged_lengths_first<'r'
  auto x = matrix ^ into_blocks<'i', 'I'>() ^ into_blocks<'j', 'J'>() ^ merge_blocks<'I', 'J', 'r'>() ^
           set_length<'r'>(4);
#elif MISTAKE == 24  // uneven_blocks_come_before_their_elements_hoist_them<'e'
  (traverser(matrix) ^ into_blocks<'i', 'b', 'e'>(3, uneven) ^ hoist<'e'>()).for_each([](auto) {});
#elif MISTAKE == 25  // give_a_name_to_each_dimension_of_the_view<mpiglot::strided_view<double>
  mpiglot::strided_view<double> view{nullptr, 0, 0, 1};
  auto x = named<'i'>(view);
#elif MISTAKE == 26  // this_is_no_view_that_can_be_described<double
  double number = 1;
  auto x = named<'i'>(number);
#elif MISTAKE == 27  // the_memory_of_a_view_has_no_known_size
  mpiglot::strided_view<double> view{nullptr, 0, 0, 1};
  auto copy = bag(named<'i', 'j'>(view).layout());
#elif MISTAKE == 28  // an_index_is_missing_for_the_dimension<'i'
  double memory[12];
  auto x = get_at(memory, matrix, idx<'j'>(1));
#elif MISTAKE == 29  // there_is_no_dimension_of_this_name<'k'
  traverser(matrix) | parallel<'k'>([](auto) {});
#elif MISTAKE == 30  // dealt_blocks_cannot_be_cut_or_split<'y'
  auto x = matrix ^ deal_blocks<'i', 'r', 'y'>(2) ^ set_length<'r'>(2) ^ fix<'r'>(0) ^
           slice<'y'>(0, 1);
#elif MISTAKE == 31  // uneven_blocks_cannot_be_cut_fix_the_block_first<'y'
  auto x = matrix ^ deal_blocks<'i', 'r', 'y'>(2) ^ set_length<'r'>(2) ^ reverse<'y'>();
#elif MISTAKE == 32  // there_is_a_dimension_of_this_name_already<'j'
  auto x = matrix ^ deal_blocks<'i', 'j'>(2) ^ set_length<'j'>(2);
#elif MISTAKE == 33  // there_is_no_dimension_of_this_name<'k'
  auto x = matrix ^ deal_blocks<'k', 'r'>(2);
#elif MISTAKE == 34  // the_length_of_uneven_blocks_is_not_one_number<'y'
  auto x = get_length<'y'>(matrix ^ deal_blocks<'i', 'r', 'y'>(2) ^ set_length<'r'>(2));
#elif MISTAKE == 35  // a_dimension_is_named_twice<'i'
  auto x = matrix ^ into_blocks<'i', 'i'>(2);
#elif MISTAKE == 36  // a_dimension_is_named_twice<'b'
  auto x = matrix ^ into_blocks<'i', 'b', 'b'>(2, uneven);
#elif MISTAKE == 37  // a_dimension_is_named_twice<'b'
  auto x = matrix ^ into_blocks<'i', 'b', 'b'>();
#elif MISTAKE == 38  // a_dimension_is_named_twice<'i'
  auto x = matrix ^ deal_blocks<'i', 'i'>(2);
#elif MISTAKE == 39  // a_dimension_is_named_twice<'r'
  auto x = matrix ^ deal_blocks<'i', 'r', 'r'>(2);
#elif MISTAKE == 40  // a_dimension_is_named_twice<'i'
  auto x = matrix ^ merge_blocks<'i', 'i'>();
#elif MISTAKE == 41  // a_dimension_is_named_twice<'i'
  auto x = traverser(matrix) ^ merge_blocks<'i', 'i', 'm'>();
#elif MISTAKE == 42  // a_dimension_is_named_twice<'i'
  auto x = matrix ^ hoist<'i', 'i'>();
#elif MISTAKE == 43  // a_dimension_is_named_twice<'i'
  auto x = bag(matrix)[idx<'i', 'j', 'i'>(1, 2, 1)];
#elif MISTAKE == 44  // a_dimension_is_named_twice<'k'
  auto x = matrix ^ vectors<'k', 'k'>(2, 3);
#elif MISTAKE == 45  // a_dimension_is_named_twice<'k'
  auto x = matrix ^ vectors<'k', 'k'>();
#elif MISTAKE == 46  // a_dimension_is_named_twice<'i'
  auto x = scalar<int>() ^ vectors_like<'i', 'i'>(matrix);
#elif MISTAKE == 47  // a_dimension_is_named_twice<'k'
  auto x = matrix ^ vector<'k'>() ^ set_length<'k', 'k'>(2, 2);
#elif MISTAKE == 48  // a_dimension_is_named_twice<'i'
  auto x = matrix ^ lengths_like<'i', 'i'>(matrix);
#elif MISTAKE == 49  // a_dimension_is_named_twice<'i'
  auto x = matrix ^ fix<'i', 'i'>(0, 0);
#elif MISTAKE == 50  // a_dimension_is_named_twice<'i'
  mpiglot::strided_view<double> view{nullptr, 0, 0, 1};
  auto x = named<'i', 'i'>(view);
#elif MISTAKE == 51  // a_dimension_is_named_twice<'i'
  traverser(matrix).for_dims<'i', 'i'>([](auto) {});
#elif MISTAKE == 52  // a_dimension_is_named_twice<'j'
  traverser(matrix).for_sections<'j', 'j'>([](auto) {});
#elif MISTAKE == 53  // there_is_a_dimension_of_this_name_already<'i'
  auto x = matrix ^ rename<'i', 'i'>();
#elif MISTAKE == 54  // a_dimension_is_named_twice<'j'
  auto x = matrix ^ into_blocks<'i', 'I'>() ^ hoist<'j', 'j'>() ^ set_length<'I'>(2);
#elif MISTAKE == 55  // there_is_no_dimension_of_this_name<'k'
  auto x = matrix ^ into_blocks<'i', 'I'>() ^ fix<'k'>(0) ^ set_length<'I'>(2);
#elif MISTAKE == 56  // there_is_a_dimension_of_this_name_already<'j'
  auto x = matrix ^ into_blocks<'i', 'I'>() ^ rename<'i', 'j'>() ^ set_length<'I'>(2);
#elif MISTAKE == 57  // there_is_a_dimension_of_this_name_already<'i'
  auto x = matrix ^ vector<'i'>() ^ set_length<'i'>(2);
#elif MISTAKE == 58  // merged_dimension_cannot_be_cut_or_split<'r'
  auto x = traverser(matrix) ^ into_blocks<'i', 'I'>() ^ merge_blocks<'I', 'j', 'r'>() ^ reverse<'r'>() ^
           set_length<'r'>(6);
#elif MISTAKE == 59  // there_is_no_dimension_of_this_name<'k'
  traverser(matrix).for_dims<'i', 'k'>([](auto) {});
#elif MISTAKE == 60  // uneven_blocks_come_before_their_elements_hoist_them<'e'
  (traverser(matrix) ^ into_blocks<'i', 'b', 'e'>(3, uneven)).for_dims<'e', 'b'>([](auto) {});
#elif MISTAKE == 61  // uneven_blocks_come_before_their_elements_hoist_them<'e'
  (traverser(matrix) ^ into_blocks<'i', 'b', 'e'>(3, uneven)).for_sections<'b'>([](auto) {});
#elif MISTAKE == 62  // deleted
  const auto owner = bag(matrix);
  auto x = owner;
#elif MISTAKE == 63  // dimension_has_no_strides_fix_it_first<'m'
  auto x = mpiglot::as_datatype(bag(matrix) ^ merge_blocks<'i', 'j', 'm'>());
#elif MISTAKE == 64  // dimension_has_no_strides_fix_it_first<'e'
  auto x = mpiglot::as_datatype(bag(matrix) ^ into_blocks<'i', 'b', 'e'>(3, uneven));
#elif MISTAKE == 65  // [15 lines] an_index_is_missing_for_the_dimension<'k'
  auto cube = bag(matrix ^ vector<'k'>(2));
  traverser(matrix).for_each([&](auto state) { cube[state] = 1; });
#elif MISTAKE == 66  // lengths_and_indices_are_integers<'k'
  auto x = matrix ^ vector<'k'>(4.9);
#elif MISTAKE == 67  // lengths_and_indices_are_integers<'l'
  auto x = matrix ^ vectors<'k', 'l'>(4, 2.5F);
#elif MISTAKE == 68  // lengths_and_indices_are_integers<'k'
  auto x = matrix ^ bcast<'k'>(3.5);
#elif MISTAKE == 69  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ fix<'i'>(1.5);
#elif MISTAKE == 70  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ slice<'i'>(0.5, 1);
#elif MISTAKE == 71  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ slice<'i'>(0, 1.5);
#elif MISTAKE == 72  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ span<'i'>(0, 1.5);
#elif MISTAKE == 73  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ span<'i'>(0.5, 1);
#elif MISTAKE == 74  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ shift<'i'>(1.5);
#elif MISTAKE == 75  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ step<'i'>(0, 1.5);
#elif MISTAKE == 76  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ step<'i'>(0.5, 1);
#elif MISTAKE == 77  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ into_blocks<'i', 'b'>(2.0);
#elif MISTAKE == 78  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ into_blocks<'i', 'b'>(2.0, uneven);
#elif MISTAKE == 79  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ deal_blocks<'i', 'b'>(2.0);
#elif MISTAKE == 80  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ set_length<'i'>(4.0);
#elif MISTAKE == 81  // lengths_and_indices_are_integers<'k'
  auto x = matrix ^ vector<'k'>(matrix.root.size() > 3);
#elif MISTAKE == 82  // lengths_and_indices_are_integers<'k'
  auto x = matrix ^ vector<'k'>('4');
#elif MISTAKE == 83  // lengths_and_indices_are_integers<'i'
  auto x = matrix ^ fix<'i'>(nullptr);
#elif MISTAKE == 84  // lengths_and_indices_are_integers<'i'
  auto owner = bag(matrix);
  owner[idx<'i', 'j'>(1.5, 0)] = 1;
#elif MISTAKE == 85  // lengths_and_indices_are_integers<'k'
  auto x = matrix ^ array<'k', 4.9>();
#elif MISTAKE == 86  // bag_that_owns_memory_must_have_a_name
  static_cast<void>(bag(matrix).get_ref());
#elif MISTAKE == 87  // bag_that_owns_memory_must_have_a_name
  const auto owner = bag(matrix);
  auto x = std::move(owner) ^ hoist<'j'>();
#elif MISTAKE == 88  // view_that_owns_its_elements_must_have_a_name
  auto x = named<'k', 'l'>(bag(matrix));
#elif MISTAKE == 89  // view_that_owns_its_elements_must_have_a_name
  auto x = named<'k'>(owns_elements());
#elif MISTAKE == 90  // structure_has_no_elements_give_a_bag_of_it
  auto x = matrix;
  comm.bcast(mpiglot::send_recv_buf(x));
#elif MISTAKE == 91  // structure_has_no_elements_give_a_bag_of_it
  auto x = matrix ^ into_blocks<'i', 'b'>();
  comm.bcast(mpiglot::send_recv_buf(x));
#elif MISTAKE == 92  // traverser_has_no_elements_give_a_bag
  auto x = traverser(matrix);
  comm.bcast(mpiglot::send_recv_buf(x));
#elif MISTAKE == 93  // structure_has_no_elements_give_a_bag_of_it
  comm.send(mpiglot::send_buf(matrix), mpiglot::destination(0));
#elif MISTAKE == 94  // structure_has_no_elements_give_a_bag_of_it
  auto x = comm.gather(mpiglot::send_buf(matrix));
#elif MISTAKE == 95  // structure_has_no_elements_give_a_bag_of_it
  comm.recv(mpiglot::recv_buf(matrix));
#elif MISTAKE == 96  // dimension_has_no_strides_fix_it_first<'k'
  auto merged = bag(matrix ^ merge_blocks<'i', 'j', 'k'>());
  comm.bcast(mpiglot::send_recv_buf(merged));
#elif MISTAKE == 97  // dimension_has_no_strides_fix_it_first<'e'
  auto blocks = bag(matrix ^ into_blocks<'i', 'b', 'e'>(3, uneven));
  comm.send(mpiglot::send_buf(blocks), mpiglot::destination(0));
#elif MISTAKE == 98  // elements_would_be_received_into_one_place<'k'
  auto one = bag(matrix ^ bcast<'k'>(3));
  comm.recv(mpiglot::recv_buf(one), mpiglot::source(0));
#elif MISTAKE == 99  // elements_would_be_received_into_one_place<'k'
  auto one = bag(matrix ^ bcast<'k'>(3));
  comm.bcast(mpiglot::send_recv_buf(one));
#elif MISTAKE == 100  // elements_would_be_received_into_one_place<'k'
  auto one = bag(matrix ^ bcast<'k'>(3));
  comm.gather(mpiglot::send_buf(1.5), mpiglot::recv_buf(one));
#elif MISTAKE == 101  // elements_would_be_received_into_one_place<'k'
  auto one = bag(matrix ^ bcast<'k'>(3));
  auto r = comm.irecv(mpiglot::recv_buf(mpiglot::memory_order(one)));
#elif MISTAKE == 102  // elements_would_be_received_into_one_place<'k'
  auto one = bag(matrix ^ bcast<'k'>(3));
  auto r = comm.iallreduce(mpiglot::send_recv_buf(one), mpiglot::op(std::plus<>()));
#elif MISTAKE == 103  // elements_would_be_received_into_one_place<'k'
  auto one = bag(matrix ^ bcast<'k'>(3));
  comm.sendrecv(mpiglot::send_buf(1.5), mpiglot::destination(0), mpiglot::recv_buf(one));
#endif
}
