#include "check.hpp"

#include <array>
#include <cstddef>
#include <cstring>

namespace {

// What arrives when one element of `type` is sent to oneself as `count` ints.
std::vector<int> sent_as_ints(const void* from, mpi::datatype_handle type, int count) {
  std::vector<int> received(static_cast<std::size_t>(count), -1);
  mpi::sendrecv(from, 1, type, check::rank(), 1, received.data(), count, mpi::int_, check::rank(),
                1, mpi::comm_world);
  return received;
}

constexpr std::array<int, 12> numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

}  // namespace

TEST(a_vector_takes_a_column) {
  mpi::unique_datatype column{mpi::type_vector(3, 1, 4, mpi::int_)};
  mpi::type_commit(column);
  check::equal(sent_as_ints(&numbers[2], column, 3), std::vector<int>{2, 6, 10});
  check::equal(mpi::type_size(column), mpi::count_t{3 * sizeof(int)});
}

TEST(blocks_are_given_by_int_arrays_or_by_large_ones) {
  const std::array<int, 2> lengths{2, 1};
  const std::array<int, 2> places{0, 5};
  mpi::unique_datatype small{mpi::type_indexed(lengths, places, mpi::int_)};
  mpi::type_commit(small);
  check::equal(sent_as_ints(numbers.data(), small, 3), std::vector<int>{0, 1, 5});

  const std::array<mpi::count_t, 2> large_lengths{2, 1};
  const std::array<mpi::count_t, 2> large_places{0, 5};
  mpi::unique_datatype large{mpi::type_indexed(large_lengths, large_places, mpi::int_)};
  mpi::type_commit(large);
  check::equal(sent_as_ints(numbers.data(), large, 3), std::vector<int>{0, 1, 5});
}

TEST(many_blocks_in_large_arrays_are_one_type) {
  const std::vector<mpi::count_t> lengths(1000, 1);
  std::vector<mpi::count_t> places;
  for (mpi::count_t i = 0; i < 1000; ++i) places.push_back(2 * i);
  mpi::unique_datatype odd{mpi::type_indexed(lengths, places, mpi::int_)};
  check::equal(mpi::type_size(odd), static_cast<mpi::count_t>(1000 * sizeof(int)));
}

TEST(each_of_several_arrays_is_compared_with_the_first) {
  const int two[] = {2, 2};
  const int three[] = {2, 2, 2};
  const auto code = [](mpi::span<const int> sizes, mpi::span<const int> parts,
                       mpi::span<const int> starts) {
    auto made = mpi::nothrow::type_create_subarray(sizes, parts, starts, mpi::order::c, mpi::int_);
    if (made.ok()) mpi::type_free(made.value);
    return made.code;
  };
  const int zeros[] = {0, 0};
  const int more_zeros[] = {0, 0, 0};
  check::equal(code(two, two, zeros), MPI_SUCCESS);
  check::equal(code(three, two, more_zeros), MPI_ERR_ARG);
  check::equal(code(two, two, more_zeros), MPI_ERR_ARG);
  check::equal(code(two, three, more_zeros), MPI_ERR_ARG);
}

TEST(arrays_of_different_length_are_refused_before_the_call) {
  const std::array<int, 2> lengths{2, 1};
  const std::array<int, 3> places{0, 5, 7};
  const auto error =
      check::thrown_by([&] { static_cast<void>(mpi::type_indexed(lengths, places, mpi::int_)); });
  check::expect(error.error_class() == mpi::error_class::arg);
}

TEST(a_struct_goes_field_by_field) {
  struct mixed {
    int number;
    double value;
  };
  const std::array<int, 2> lengths{1, 1};
  const std::array<mpi::aint_t, 2> places{offsetof(mixed, number), offsetof(mixed, value)};
  const std::array<mpi::datatype_handle, 2> types{mpi::int_, mpi::double_};
  mpi::unique_datatype fields{mpi::type_create_struct(lengths, places, types)};
  mpi::unique_datatype type{mpi::type_create_resized(fields, 0, sizeof(mixed))};
  mpi::type_commit(type);
  const auto [lower_bound, extent] = mpi::type_get_extent(type);
  check::equal(lower_bound, mpi::count_t{0});
  check::equal(extent, static_cast<mpi::count_t>(sizeof(mixed)));

  const mixed sent[2] = {{1, 1.5}, {2, 2.5}};
  mixed received[2] = {};
  mpi::sendrecv(sent, 2, type, check::rank(), 2, received, 2, type, check::rank(), 2,
                mpi::comm_world);
  check::equal(received[1].number, 2);
  check::equal(received[1].value, 2.5);
}

TEST(a_subarray_is_cut_out) {
  const std::array<int, 2> sizes{3, 4};
  const std::array<int, 2> part{2, 2};
  const std::array<int, 2> starts{1, 1};
  mpi::unique_datatype type{
      mpi::type_create_subarray(sizes, part, starts, mpi::order::c, mpi::int_)};
  mpi::type_commit(type);
  check::equal(sent_as_ints(numbers.data(), type, 4), std::vector<int>{5, 6, 9, 10});
}

TEST(packing_moves_the_position) {
  std::array<char, 64> buffer{};
  mpi::count_t position = 0;
  const int number = 5;
  const double value = 2.5;
  const auto room = static_cast<mpi::count_t>(buffer.size());
  mpi::pack(&number, 1, mpi::int_, buffer.data(), room, position, mpi::comm_world);
  mpi::pack(&value, 1, mpi::double_, buffer.data(), room, position, mpi::comm_world);
  check::expect(position >= 12);
  position = 0;
  int unpacked_number = 0;
  double unpacked_value = 0;
  mpi::unpack(buffer.data(), room, position, &unpacked_number, 1, mpi::int_, mpi::comm_world);
  mpi::unpack(buffer.data(), room, position, &unpacked_value, 1, mpi::double_, mpi::comm_world);
  check::equal(unpacked_number, 5);
  check::equal(unpacked_value, 2.5);
}

TEST(a_datatype_tells_how_it_was_made) {
  mpi::unique_datatype type{mpi::type_contiguous(7, mpi::double_)};
  const auto envelope = mpi::type_get_envelope(type);
  check::expect(envelope.combiner == mpi::combiner::contiguous);
  std::vector<int> integers(static_cast<std::size_t>(envelope.num_integers));
  std::vector<mpi::aint_t> addresses(static_cast<std::size_t>(envelope.num_addresses));
  std::vector<mpi::datatype_handle> types(static_cast<std::size_t>(envelope.num_datatypes));
  mpi::type_get_contents(type, integers, addresses, types);
  check::equal(integers.at(0), 7);
  check::expect(types.at(0) == mpi::datatype_handle(mpi::double_));
}

TEST(addresses_are_computed_with) {
  const int pair[2] = {0, 0};
  const mpi::aint_t first = mpi::get_address(&pair[0]);
  const mpi::aint_t second = mpi::get_address(&pair[1]);
  check::equal(mpi::aint_diff(second, first), static_cast<mpi::aint_t>(sizeof(int)));
  check::equal(mpi::aint_add(first, sizeof(int)), second);
}
