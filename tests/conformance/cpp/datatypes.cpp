#include "conformance.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace {

// The numbers of 0, 1, 2 ... that a datatype picks.
std::vector<int> picked(mpi::datatype_handle type) {
  std::array<int, 64> numbers{};
  for (int i = 0; i < 64; ++i) numbers[at(i)] = i;
  std::vector<int> out(at(static_cast<int>(mpi::type_size(type)) / static_cast<int>(sizeof(int))),
                       -1);
  mpi::sendrecv(numbers.data(), 1, type, 0, 0, out.data(), static_cast<mpi::count_t>(out.size()),
                mpi::int_, 0, 0, mpi::comm_self);
  return out;
}

void picks(mpi::datatype_handle type, const std::vector<int>& wanted,
           std::source_location where = std::source_location::current()) {
  mpi::type_commit(type);
  check::equal(picked(type), wanted, where);
  mpi::type_free(type);
  check::equal(type, mpi::datatype_handle{}, where);
}

constexpr mpi::count_t word = sizeof(int);

}  // namespace

TEST(every_constructor_picks_what_it_says) {
  both([](auto form) {
    using count = typename decltype(form)::count;
    using address = typename decltype(form)::address;
    const mpi::datatype_handle one = mpi::int_;
    picks(mpi::type_contiguous(3, one), {0, 1, 2});
    picks(mpi::type_vector(2, 2, 4, one), {0, 1, 4, 5});
    picks(mpi::type_create_hvector(2, 2, 5 * word, one), {0, 1, 5, 6});
    const std::vector<count> lengths{2, 1};
    const std::vector<count> places{1, 6};
    const std::vector<address> bytes{1 * word, 6 * word};
    picks(mpi::type_indexed(lengths, places, one), {1, 2, 6});
    picks(mpi::type_create_indexed_block(2, places, one), {1, 2, 6, 7});
    picks(mpi::type_create_hindexed(lengths, bytes, one), {1, 2, 6});
    picks(mpi::type_create_hindexed_block(2, bytes, one), {1, 2, 6, 7});
    const std::vector<mpi::datatype_handle> types{one, one};
    picks(mpi::type_create_struct(lengths, bytes, types), {1, 2, 6});
    const std::vector<count> sizes{4, 4}, part{2, 1}, start{1, 2};
    picks(mpi::type_create_subarray(sizes, part, start, mpi::order::c, one), {6, 10});
    const std::vector<mpi::distribution> how{mpi::distribution::block, mpi::distribution::none};
    const std::vector<int> darg{mpi::distribute_dflt_darg, mpi::distribute_dflt_darg}, grid{2, 1};
    const std::vector<count> matrix{4, 2};
    picks(mpi::type_create_darray(2, 1, matrix, how, darg, grid, mpi::order::c, one), {4, 5, 6, 7});
    picks(mpi::type_create_resized(one, 0, 8 * word), {0});
    picks(mpi::type_dup(one), {0});
  });
}

TEST(extents_and_sizes_are_told) {
  both([](auto) {
    mpi::unique_datatype inner{mpi::type_vector(2, 1, 3, mpi::int_)};
    mpi::unique_datatype type{mpi::type_create_resized(inner, -word, 9 * word)};
    equal(mpi::type_size(type), 2 * word);
    const auto [lb, extent] = mpi::type_get_extent(type);
    equal(lb, -word);
    equal(extent, 9 * word);
    const auto [true_lb, true_extent] = mpi::type_get_true_extent(type);
    equal(true_lb, mpi::count_t{0});
    equal(true_extent, 4 * word);
    if constexpr (mpi::has_type_size_x) {
      equal(mpi::type_size_x(type), 2 * word);
      equal(mpi::type_get_extent_x(type).extent, 9 * word);
      equal(mpi::type_get_true_extent_x(type).true_extent, 4 * word);
    }
    // The small functions, whose answers the twins above must repeat.
    int bytes = 0;
    MPI_Aint first = 0, length = 0;
    succeeded(MPIGLOT_MPI(MPI_Type_size)(type.get().native, &bytes));
    equal(mpi::count_t{bytes}, mpi::type_size(type));
    succeeded(MPIGLOT_MPI(MPI_Type_get_extent)(type.get().native, &first, &length));
    expect(first == lb && length == extent);
    succeeded(MPIGLOT_MPI(MPI_Type_get_true_extent)(type.get().native, &first, &length));
    expect(first == true_lb && length == true_extent);
  });
}

TEST(a_type_is_taken_apart) {
  mpi::unique_datatype type{mpi::type_vector(2, 3, 4, mpi::int_)};
  const auto [integers, addresses, datatypes, combiner] = mpi::type_get_envelope(type);
  equal(combiner, mpi::combiner::vector);
  equal(integers, 3);
  equal(addresses, 0);
  equal(datatypes, 1);
  std::array<int, 3> numbers{};
  std::array<mpi::aint_t, 1> no_addresses{};
  std::array<mpi::datatype_handle, 1> old{};
  mpi::type_get_contents(type, numbers, std::span(no_addresses).first(0), old);
  expect(numbers == std::array{2, 3, 4});
  equal(old[0], mpi::datatype_handle(mpi::int_));
  equal(mpi::type_get_envelope(mpi::int_).combiner, mpi::combiner::named);
}

TEST(a_large_type_is_taken_apart) {
  if constexpr (mpi::has_type_get_envelope_c) {
    const only_large twins;
    mpi::unique_datatype type{mpi::type_vector(2, 3, 4, mpi::int_)};
    const auto form = mpi::type_get_envelope_c(type);
    equal(form.combiner, mpi::combiner::vector);
    equal(form.num_integers + form.num_large_counts, mpi::count_t{3});
    equal(form.num_datatypes, mpi::count_t{1});
    std::vector<int> numbers(static_cast<std::size_t>(form.num_integers));
    std::vector<mpi::count_t> counts(static_cast<std::size_t>(form.num_large_counts));
    std::array<mpi::aint_t, 1> no_addresses{};
    std::array<mpi::datatype_handle, 1> old{};
    mpi::type_get_contents_c(type, numbers, std::span(no_addresses).first(0), counts, old);
    for (const int n : numbers) counts.push_back(n);
    equal(counts, std::vector<mpi::count_t>{2, 3, 4});
    equal(old[0], mpi::datatype_handle(mpi::int_));
  }
}

TEST(types_have_names) {
  mpi::unique_datatype type{mpi::type_contiguous(3, mpi::int_)};
  mpi::type_set_name(type, "triple");
  equal(mpi::type_get_name(type), std::string("triple"));
  equal(mpi::type_get_name(mpi::int_), std::string("MPI_INT"));
}

TEST(types_are_found_by_size_and_precision) {
  equal(mpi::type_size(mpi::type_match_size(mpi::typeclass::integer, 4)), mpi::count_t{4});
  equal(mpi::type_size(mpi::type_match_size(mpi::typeclass::real, 8)), mpi::count_t{8});
  expect(mpi::type_size(mpi::type_create_f90_real(15, 307)) >= 8);
  expect(mpi::type_size(mpi::type_create_f90_complex(15, 307)) >= 16);
  expect(mpi::type_size(mpi::type_create_f90_integer(9)) >= 4);
  refused([] { return mpi::type_match_size(mpi::typeclass::real, 3); },
          {MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_SIZE});
  if constexpr (mpi::has_type_get_value_index)
    equal(mpi::type_get_value_index(mpi::float_, mpi::int_), mpi::datatype_handle(mpi::float_int));
}

TEST(numbers_are_packed_and_unpacked) {
  both([](auto) {
    const std::array<int, 3> numbers{1, 2, 3};
    std::array<int, 3> again{};
    std::vector<char> room(static_cast<std::size_t>(mpi::pack_size(3, mpi::int_, mpi::comm_self)));
    const auto bytes = static_cast<mpi::count_t>(room.size());
    mpi::count_t place = 0;
    mpi::pack(numbers.data(), 3, mpi::int_, room.data(), bytes, place, mpi::comm_self);
    expect(place >= 3 * word);
    place = 0;
    mpi::unpack(room.data(), bytes, place, again.data(), 3, mpi::int_, mpi::comm_self);
    expect(again == numbers);
    int small = 0;
    succeeded(MPIGLOT_MPI(MPI_Pack_size)(3, MPI_INT, MPI_COMM_SELF, &small));
    equal(mpi::count_t{small}, bytes);
  });
}

TEST(numbers_are_packed_for_other_machines) {
  both([](auto) {
    const std::array<int, 3> numbers{1, 2, 3};
    std::array<int, 3> again{};
    equal(mpi::pack_external_size("external32", 3, mpi::int_), mpi::count_t{12});
    std::array<unsigned char, 12> room{};
    mpi::count_t place = 0;
    mpi::pack_external("external32", numbers.data(), 3, mpi::int_, room.data(), 12, place);
    equal(place, mpi::count_t{12});
    if (!without("pack-external-keeps-byte-order"))
      expect(room[3] == 1 && room[7] == 2 && room[11] == 3, "most significant byte first");
    place = 0;
    mpi::unpack_external("external32", room.data(), 12, place, again.data(), 3, mpi::int_);
    expect(again == numbers);
    MPI_Aint small = 0;
    succeeded(MPIGLOT_MPI(MPI_Pack_external_size)("external32", 3, MPI_INT, &small));
    equal(small, MPI_Aint{12});
  });
}

TEST(addresses_are_reckoned_with) {
  std::array<int, 4> numbers{};
  const mpi::aint_t first = mpi::get_address(&numbers[0]);
  const mpi::aint_t last = mpi::get_address(&numbers[3]);
  equal(mpi::aint_diff(last, first), static_cast<mpi::aint_t>(3 * word));
  equal(mpi::aint_add(first, 3 * word), last);
}

TEST(partial_elements_are_counted) {
  both([](auto) {
    mpi::unique_datatype type{mpi::type_contiguous(2, mpi::int_)};
    mpi::type_commit(type);
    const std::array<int, 3> numbers{1, 2, 3};
    std::array<int, 4> room{};
    mpi::status status;
    mpi::sendrecv(numbers.data(), 3, mpi::int_, 0, 0, room.data(), 2, type, 0, 0, mpi::comm_self,
                  status);
    equal(mpi::get_elements(status, type), mpi::count_t{3});
    equal(mpi::get_count(status, type), mpi::count_t{MPI_UNDEFINED});
    if constexpr (mpi::has_get_elements_x)
      equal(mpi::get_elements_x(status, type), mpi::count_t{3});
  });
}

TEST(wrong_arguments_of_types_are_refused) {
  both([](auto) {
    refused([] { return mpi::type_contiguous(-1, mpi::int_); }, {MPI_ERR_COUNT, MPI_ERR_ARG});
    refused([] { return mpi::type_size(mpi::datatype_handle{}); }, {MPI_ERR_TYPE});
    refused([] { return mpi::type_contiguous(1, mpi::datatype_handle{}); }, {MPI_ERR_TYPE});
  });
  refused(
      [] {
        mpi::datatype_handle named = mpi::int_;
        mpi::type_free(named);
      },
      {MPI_ERR_TYPE});
}
