// What is wrong with a layout, found at compile time and said in one short error: compilers print the
// name of the verdict, which says what is wrong, and in which dimension.

#pragma once

#include <mpiglot/detail/arguments/agreeing.hpp>
#include <mpiglot/detail/arguments/explain.hpp>

namespace mpiglot::layouts {

namespace wrong_layout {

template <auto Name>
struct there_is_no_dimension_of_this_name;
template <auto Name>
struct there_is_a_dimension_of_this_name_already;
template <auto Name>
struct a_dimension_is_named_twice;
template <auto Name>
struct there_is_no_open_length_of_the_dimension;
template <auto Name>
struct set_one_of_the_merged_lengths_first;
template <auto Name>
struct an_index_is_missing_for_the_dimension;
template <auto Name>
struct static_lengths_differ_in_the_dimension;
template <auto Name>
struct blocks_do_not_divide_pass_uneven;
template <auto Name>
struct the_length_of_uneven_blocks_is_not_one_number;
template <auto Name>
struct uneven_blocks_cannot_be_cut_fix_the_block_first;
template <auto Name>
struct uneven_blocks_come_before_their_elements_hoist_them;
template <auto Name>
struct merged_dimension_cannot_be_cut_or_split;
template <auto Name>
struct dealt_blocks_cannot_be_cut_or_split;
template <auto Name>
struct dimension_has_no_strides_fix_it_first;
template <auto Name>
struct elements_would_be_received_into_one_place;
template <auto Name, class Given>
struct lengths_and_indices_are_integers;
template <auto Name>
struct parts_of_the_ranks_have_unequal_lengths_in_the_dimension;
struct set_the_length_of_each_dimension_first;
struct bag_that_owns_memory_must_have_a_name;
struct structure_has_no_elements_give_a_bag_of_it;
struct traverser_has_no_elements_give_a_bag;
struct the_memory_of_a_view_has_no_known_size;
struct vector_needs_other_memory_use_bcast_here;
struct elements_of_the_memory_are_not_those_of_the_structure;

}  // namespace wrong_layout

namespace detail {

using mpiglot::detail::is_right;
using mpiglot::detail::judged;
using mpiglot::detail::nothing_wrong;

template <bool Right, class Otherwise>
using right_if = std::conditional_t<Right, nothing_wrong, Otherwise>;

/// The first of the verdicts that is not right.
template <class... Verdict>
using first_wrong_of = typename mpiglot::detail::first_complaint<Verdict..., nothing_wrong>::type;

}  // namespace detail
}  // namespace mpiglot::layouts
