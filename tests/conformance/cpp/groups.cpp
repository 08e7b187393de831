#include "conformance.hpp"

#include <array>

namespace {

const auto& world = mpi::comm_world;

mpi::unique_group everybody() { return mpi::unique_group{mpi::comm_group(world)}; }

// All but me, on two ranks and more; else nobody.
mpi::unique_group others() {
  return mpi::unique_group{mpi::group_excl(everybody(), std::array{rank()})};
}

bool same(mpi::group_handle a, mpi::group_handle b) {
  return mpi::group_compare(a, b) == mpi::comparison::ident;
}

}  // namespace

TEST(groups_are_sets_of_processes) {
  const mpi::unique_group all = everybody();
  equal(mpi::group_size(all), size());
  equal(mpi::group_rank(all), rank());
  const mpi::unique_group me{mpi::group_incl(all, std::array{rank()})};
  equal(mpi::group_size(me), 1);
  equal(mpi::group_rank(me), 0);
  const mpi::unique_group rest = others();
  equal(mpi::group_size(rest), size() - 1);
  equal(mpi::group_rank(rest), mpi::undefined);
  const mpi::unique_group united{mpi::group_union(me, rest)};
  equal(mpi::group_size(united), size());
  equal(mpi::group_compare(united, all),
        rank() == 0 ? mpi::comparison::ident : mpi::comparison::similar);
  const mpi::unique_group common{mpi::group_intersection(all, me)};
  expect(same(common, me));
  const mpi::unique_group left{mpi::group_difference(all, me)};
  expect(same(left, rest));
  std::vector<int> found(1);
  mpi::group_translate_ranks(me, std::array{0}, all, found);
  equal(found[0], rank());
  refused([&] { return mpi::group_incl(all, std::array{size()}); }, {MPI_ERR_RANK});
}

TEST(groups_are_made_of_ranges) {
  const mpi::unique_group all = everybody();
  const std::array<mpi::rank_range, 1> even{{{0, size() - 1, 2}}};
  const mpi::unique_group in{mpi::group_range_incl(all, even)};
  equal(mpi::group_size(in), (size() + 1) / 2);
  equal(mpi::group_rank(in), rank() % 2 == 0 ? rank() / 2 : mpi::undefined);
  const mpi::unique_group out{mpi::group_range_excl(all, even)};
  equal(mpi::group_size(out), size() / 2);
}

TEST(communicators_are_made_of_communicators) {
  mpi::comm_handle copy = mpi::comm_dup(world);
  equal(mpi::comm_compare(world, copy), mpi::comparison::congruent);
  equal(mpi::comm_compare(world, world), mpi::comparison::ident);
  mpi::comm_free(copy);
  equal(copy, mpi::comm_handle{});
  auto [later, request] = mpi::comm_idup(world);
  mpi::wait(request);
  equal(mpi::comm_size(later), size());
  mpi::comm_disconnect(later);
  equal(later, mpi::comm_handle{});
  mpi::unique_comm told{mpi::comm_dup_with_info(world, mpi::info_null)};
  equal(mpi::comm_rank(told), rank());
  if constexpr (mpi::has_comm_idup_with_info) {
    auto [again, other] = mpi::comm_idup_with_info(world, mpi::info_null);
    mpi::wait(other);
    equal(mpi::comm_rank(again), rank());
    mpi::comm_free(again);
  }
  const mpi::unique_comm half{mpi::comm_split(world, rank() % 2, -rank())};
  equal(mpi::comm_size(half), rank() % 2 == 0 ? (size() + 1) / 2 : size() / 2);
  const mpi::unique_comm nobody{mpi::comm_split(world, mpi::undefined, 0)};
  equal(nobody.get(), mpi::comm_handle{});
  const mpi::unique_comm node{
      mpi::comm_split_type(world, mpi::comm_type_shared, 0, mpi::info_null)};
  equal(mpi::comm_size(node), size());
}

TEST(communicators_are_made_of_groups) {
  const mpi::unique_group all = everybody();
  const mpi::unique_comm of_all{mpi::comm_create(world, all)};
  equal(mpi::comm_compare(of_all, world), mpi::comparison::congruent);
  const mpi::unique_group me{mpi::group_incl(all, std::array{rank()})};
  const mpi::unique_comm alone{mpi::comm_create_group(world, me, 5)};
  equal(mpi::comm_size(alone), 1);
  if constexpr (mpi::has_comm_create_from_group) {
    const mpi::unique_comm fresh{
        mpi::comm_create_from_group(all, "conformance", mpi::info_null, mpi::errors_return)};
    equal(mpi::comm_compare(fresh, world), mpi::comparison::congruent);
  }
}

TEST(two_groups_talk_through_an_intercommunicator) {
  if (size() < 2) return;
  const int side = rank() % 2;
  const mpi::unique_comm mine{mpi::comm_split(world, side, 0)};
  const mpi::unique_comm both_sides{mpi::intercomm_create(mine, 0, world, 1 - side, 9)};
  expect(mpi::comm_test_inter(both_sides));
  expect(!mpi::comm_test_inter(world));
  equal(mpi::comm_remote_size(both_sides), side == 0 ? size() / 2 : (size() + 1) / 2);
  const mpi::unique_group there{mpi::comm_remote_group(both_sides)};
  equal(mpi::group_size(there), mpi::comm_remote_size(both_sides));
  int sum = 0;
  const int one = 1;
  mpi::allreduce(&one, &sum, 1, mpi::int_, mpi::sum, both_sides);
  equal(sum, mpi::comm_remote_size(both_sides));
  const mpi::unique_comm merged{mpi::intercomm_merge(both_sides, side == 1)};
  equal(mpi::comm_size(merged), size());
  if constexpr (mpi::has_intercomm_create_from_groups) {
    mpi::unique_group here{mpi::comm_group(mine)};
    const mpi::unique_comm fresh{mpi::intercomm_create_from_groups(
        here, 0, there, 0, "conformance", mpi::info_null, mpi::errors_return)};
    expect(mpi::comm_test_inter(fresh));
    equal(mpi::comm_remote_size(fresh), mpi::comm_remote_size(both_sides));
  }
}

TEST(objects_have_names) {
  mpi::unique_comm copy{mpi::comm_dup(world)};
  mpi::comm_set_name(copy, "a copy");
  equal(mpi::comm_get_name(copy), std::string("a copy"));
  equal(mpi::comm_get_name(world), std::string("MPI_COMM_WORLD"));
}

TEST(hints_of_communicators_are_set_and_read) {
  mpi::unique_comm copy{mpi::comm_dup(world)};
  mpi::unique_info info{mpi::info_create()};
  mpi::info_set(info, "mpi_assert_no_any_tag", "false");
  mpi::comm_set_info(copy, info);
  const mpi::unique_info found{mpi::comm_get_info(copy)};
  expect(mpi::info_get_nkeys(found) >= 0);
}

TEST(infos_hold_texts) {
  mpi::unique_info info{mpi::info_create()};
  mpi::info_set(info, "colour", "green");
  mpi::info_set(info, "shape", "round");
  equal(mpi::info_get_nkeys(info), 2);
  const std::string first = mpi::info_get_nthkey(info, 0);
  expect(first == "colour" || first == "shape");
  equal(mpi::info_get(info, "colour", 63).value_or(""), std::string("green"));
  expect(!mpi::info_get(info, "weight", 63));
  equal(mpi::info_get_valuelen(info, "shape").value_or(0), 5);
  if constexpr (mpi::has_info_get_string) {
    equal(mpi::info_get_string(info, "shape").value_or(""), std::string("round"));
    expect(!mpi::info_get_string(info, "weight"));
  }
  mpi::unique_info copy{mpi::info_dup(info)};
  mpi::info_delete(info, "shape");
  equal(mpi::info_get_nkeys(info), 1);
  equal(mpi::info_get_nkeys(copy), 2);
  refused([&] { mpi::info_delete(info, "shape"); }, {MPI_ERR_INFO_NOKEY});
  mpi::info_handle last = copy.release();
  mpi::info_free(last);
  equal(last, mpi::info_handle{});
  if constexpr (mpi::has_info_create_env) {
    static char name[] = "program";
    char* arguments[] = {name, nullptr};
    const mpi::unique_info from_environment{mpi::info_create_env(1, arguments)};
    expect(mpi::info_get_nkeys(from_environment) >= 0);
  }
}

TEST(attributes_of_communicators_and_types_are_kept) {
  int value = 4;
  int deleted = 0;
  const auto forget = [&deleted](auto, int, void* attribute) {
    deleted += *static_cast<int*>(attribute);
  };
  const auto copy = [](auto, int, void* in, void* out, int& flag) {
    *static_cast<void**>(out) = in;
    flag = 1;
  };
  int key = mpi::comm_create_keyval(copy, forget);
  mpi::comm_handle first = mpi::comm_dup(world);
  expect(!mpi::comm_get_attr(first, key));
  mpi::comm_set_attr(first, key, &value);
  mpi::comm_handle second = mpi::comm_dup(first);
  expect(mpi::comm_get_attr(second, key) == std::optional<void*>(&value));
  mpi::comm_delete_attr(second, key);
  equal(deleted, 4);
  mpi::comm_free(first);
  equal(deleted, 8);
  mpi::comm_free(second);
  mpi::comm_free_keyval(key);
  equal(key, mpi::keyval_invalid);

  key = mpi::type_create_keyval(copy, forget);
  mpi::unique_datatype type{mpi::type_contiguous(2, mpi::int_)};
  mpi::type_set_attr(type, key, &value);
  mpi::unique_datatype twin{mpi::type_dup(type)};
  expect(mpi::type_get_attr(twin, key) == std::optional<void*>(&value));
  mpi::type_delete_attr(twin, key);
  equal(deleted, 12);
  mpi::type_free_keyval(key);
  equal(key, mpi::keyval_invalid);
  mpi::type_delete_attr(type, [&] {
    int late = mpi::type_create_keyval(mpi::type_null_copy_fn, mpi::type_null_delete_fn);
    mpi::type_set_attr(type, late, &value);
    return late;
  }());
}

TEST(predefined_attributes_are_there) {
  expect(*static_cast<int*>(mpi::comm_get_attr(world, mpi::tag_ub).value()) >= 32767);
  expect(mpi::comm_get_attr(world, mpi::wtime_is_global).has_value());
}

TEST(error_handlers_of_communicators_are_called) {
  mpi::unique_comm copy{mpi::comm_dup(world)};
  int seen = 0;
  mpi::errhandler_handle handler =
      mpi::comm_create_errhandler([&seen](mpi::comm_handle, int code) { seen = code; });
  mpi::comm_set_errhandler(copy, handler);
  mpi::unique_errhandler again{mpi::comm_get_errhandler(copy)};
  expect(again.get() == handler);
  mpi::comm_call_errhandler(copy, MPI_ERR_OTHER);
  equal(seen, MPI_ERR_OTHER);
  mpi::errhandler_free(handler);
  equal(handler, mpi::errhandler_handle{});
}

TEST(errors_have_classes_codes_and_texts) {
  const int error_class = mpi::add_error_class();
  const int code = mpi::add_error_code(error_class);
  mpi::add_error_string(code, "our own error");
  equal(mpi::error_string(code), std::string("our own error"));
  equal(mpi::error_class_(code), error_class);
  equal(mpi::error_class_(MPI_ERR_RANK), int{MPI_ERR_RANK});
  expect(!mpi::error_string(MPI_ERR_RANK).empty());
  const int* last = static_cast<int*>(mpi::comm_get_attr(world, mpi::lastusedcode).value());
  expect(*last >= error_class);
  if constexpr (mpi::has_remove_error_string) {
    mpi::remove_error_string(code);
    expect(mpi::nothrow::error_string(code).value != "our own error");
    mpi::remove_error_code(code);
    expect(!mpi::nothrow::remove_error_code(code).ok());
    mpi::remove_error_class(error_class);
    expect(!mpi::nothrow::remove_error_class(error_class).ok());
  } else if constexpr (mpi::has_mpix_delete_error_string) {
    mpi::mpix_delete_error_string(code);
    expect(mpi::nothrow::error_string(code).value != "our own error");
    mpi::mpix_delete_error_code(code);
    expect(!mpi::nothrow::mpix_delete_error_code(code).ok());
    mpi::mpix_delete_error_class(error_class);
    expect(!mpi::nothrow::mpix_delete_error_class(error_class).ok());
  }
}

TEST(the_environment_is_described) {
  expect(mpi::initialized());
  expect(!mpi::finalized());
  const auto [version, subversion] = mpi::get_version();
  equal(version, int{MPI_VERSION});
  equal(subversion, int{MPI_SUBVERSION});
  expect(!mpi::get_library_version().empty());
  expect(!mpi::get_processor_name().empty());
  expect(mpi::query_thread() == provided);
  expect(mpi::is_thread_main());
  const double before = mpi::wtime();
  while (!(mpi::wtime() > before)) {
  }  // a clock that stands still is ended by the time limit
  expect(mpi::wtick() > 0 && mpi::wtick() < 1);
  mpi::pcontrol(1);
  if constexpr (mpi::has_get_hw_resource_info) {
    const mpi::unique_info hardware{mpi::get_hw_resource_info()};
    expect(mpi::info_get_nkeys(hardware) >= 0);
  }
}
