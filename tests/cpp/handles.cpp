#include "check.hpp"

#include <set>
#include <type_traits>
#include <unordered_map>
#include <vector>

// Handles are the C handles in types of their own.
static_assert(!std::is_convertible_v<mpi::comm_handle, mpi::group_handle>);
static_assert(!std::is_convertible_v<int, mpi::datatype_handle>);
static_assert(!std::is_convertible_v<mpi::comm_handle, int>);
static_assert(std::is_trivially_copyable_v<mpi::request_handle>);
static_assert(sizeof(mpi::request_handle) == sizeof(MPI_Request));
static_assert(!std::is_copy_constructible_v<mpi::unique_comm>);
static_assert(std::is_nothrow_move_constructible_v<mpi::unique_comm>);

TEST(rank_and_size_are_those_of_c) {
  int rank = -1;
  int size = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check::equal(mpi::comm_rank(mpi::comm_world), rank);
  check::equal(mpi::comm_size(mpi::comm_world), size);
  check::equal(mpi::comm_size(mpi::comm_self), 1);
}

TEST(predefined_handles_are_the_c_handles) {
  check::expect(mpi::comm_handle(mpi::comm_world).native == MPI_COMM_WORLD);
  check::expect(mpi::datatype_handle(mpi::double_).native == MPI_DOUBLE);
  check::expect(mpi::datatype_handle(mpi::int32).native == MPI_INT32_T);
  check::expect(mpi::op_handle(mpi::sum).native == MPI_SUM);
  const void* in_place = mpi::in_place;
  check::expect(in_place == MPI_IN_PLACE);
}

TEST(a_default_handle_is_null) {
  check::expect(!mpi::comm_handle{});
  check::expect(mpi::comm_handle{}.native == MPI_COMM_NULL);
  check::expect(mpi::request_handle{} == mpi::request_handle{MPI_REQUEST_NULL});
  check::expect(static_cast<bool>(mpi::comm_handle(mpi::comm_world)));
}

TEST(a_raw_handle_goes_in_and_comes_back) {
  MPI_Comm raw = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &raw);
  check::equal(mpi::comm_size(mpi::comm_handle{raw}), check::size());
  mpi::comm_handle handle{raw};
  mpi::comm_free(handle);
  check::expect(!handle, "a freed handle is null");
}

TEST(an_owner_frees_its_handle_once) {
  static int deleted;
  deleted = 0;
  int keyval = mpi::comm_create_keyval(mpi::comm_null_copy_fn,
                                       [](mpi::comm_handle, int, void*) { ++deleted; });
  {
    mpi::unique_comm owner{mpi::comm_dup(mpi::comm_world)};
    mpi::comm_set_attr(owner, keyval, nullptr);
    mpi::unique_comm moved = std::move(owner);
    check::expect(!owner && moved);
    check::equal(deleted, 0);
  }
  check::equal(deleted, 1);
  mpi::unique_comm given{mpi::comm_dup(mpi::comm_world)};
  mpi::comm_set_attr(given, keyval, nullptr);
  mpi::comm_handle taken = given.release();
  check::equal(given.reset(), MPI_SUCCESS);
  check::equal(deleted, 1);
  mpi::comm_free(taken);
  check::equal(deleted, 2);
  mpi::comm_free_keyval(keyval);
}

TEST(handles_are_keys_of_containers) {
  mpi::unique_comm copy{mpi::comm_dup(mpi::comm_self)};
  std::unordered_map<mpi::comm_handle, int> sizes;
  sizes[mpi::comm_world] = check::size();
  sizes[mpi::comm_self] = 1;
  sizes[copy] = 2;
  check::equal(sizes.size(), std::size_t{3});
  check::equal(sizes.at(mpi::comm_self), 1);
  check::equal(sizes.at(copy.get()), 2);
  const std::set<mpi::datatype_handle> types{mpi::int_, mpi::double_, mpi::int_};
  check::equal(types.size(), std::size_t{2});
  check::expect(types.contains(mpi::double_) && !types.contains(mpi::char_));
}

TEST(arrays_of_owning_handles_are_arrays_of_handles) {
  int given = 3;
  int taken = 0;
  std::vector<mpi::unique_request> requests;
  requests.emplace_back(mpi::isend(&given, 1, mpi::int_, 0, 2, mpi::comm_self));
  requests.emplace_back(mpi::irecv(&taken, 1, mpi::int_, 0, 2, mpi::comm_self));
  mpi::waitall(requests, mpi::statuses_ignore);
  check::expect(!requests[0] && !requests[1]);
  check::equal(taken, 3);
  const mpi::unique_datatype parts[] = {mpi::unique_datatype{mpi::type_dup(mpi::int_)},
                                        mpi::unique_datatype{mpi::type_dup(mpi::double_)}};
  const mpi::unique_datatype both{mpi::type_create_struct({1, 1}, {0, 8}, parts)};
  check::equal(mpi::type_size(both), 12);
}

// Code for every MPI names the types of what some lack behind `if constexpr (mpi::has_...)`.
TEST(owning_handles_of_types_that_the_mpi_lacks_have_their_names) {
  mpi::unique_session session;
  check::expect(!session);
  check::equal(session.reset(), MPI_SUCCESS);
}

TEST(enumerations_and_integers_have_the_values_of_c) {
  check::equal(static_cast<int>(mpi::thread_level::multiple), MPI_THREAD_MULTIPLE);
  check::equal(static_cast<int>(mpi::error_class::truncate), MPI_ERR_TRUNCATE);
  check::equal(static_cast<int>(mpi::access_mode::create | mpi::access_mode::rdwr),
               MPI_MODE_CREATE | MPI_MODE_RDWR);
  check::expect((mpi::access_mode::create | mpi::access_mode::rdwr) & mpi::access_mode::rdwr);
  mpi::access_mode mode = mpi::access_mode::create;
  mode |= mpi::access_mode::wronly;
  check::equal(static_cast<int>(mode), MPI_MODE_CREATE | MPI_MODE_WRONLY);
  static_assert(mpi::any_source == MPI_ANY_SOURCE && mpi::root_ == MPI_ROOT);
}

TEST(an_environment_inside_another_leaves_mpi_running) {
  {
    const mpiglot::environment inner;
  }
  check::expect(!mpi::finalized());
  check::equal(mpi::comm_size(mpi::comm_world), check::size());
}
