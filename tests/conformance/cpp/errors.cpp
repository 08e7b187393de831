// Mistakes that every MPI finds, through both layers: one throws, the other gives the code back.
// Null handles, which most functions can be given, and arguments that cannot stand where they do.

#include "refused.hpp"

namespace {

constexpr const auto& no_comm = mpi::comm_null;
constexpr const auto& no_win = mpi::win_null;
constexpr const auto& no_type = mpi::datatype_null;
constexpr const auto& no_group = mpi::group_null;
constexpr const auto& no_info = mpi::info_null;
constexpr const auto& no_file = mpi::file_null;

// What functions are given that free or change a handle.
mpi::comm_handle made_comm, everybody;
mpi::win_handle made_win, window;
mpi::datatype_handle made_type, predefined;
mpi::group_handle made_group, everyone;
mpi::info_handle made_info, some;
mpi::op_handle made_op;
mpi::request_handle made_request;
mpi::file_handle made_file;
[[maybe_unused]] mpi::session_handle no_session, made_session;  // where there are none
mpi::comm_handle grid;
int keyval, win_keyval, type_keyval;
int made_keyval = MPI_KEYVAL_INVALID;

int memory[4];
int output[1];
int pair[] = {2};
int beyond[1];
const int zero[] = {0};
const int single[] = {1};
const int negative[] = {-1};
const int defaults[] = {MPI_DISTRIBUTE_DFLT_DARG};
const mpi::aint_t no_bytes[] = {0};
const mpi::distribution blocks[] = {mpi::distribution::block};
const mpi::datatype_handle no_types[1] = {};
const mpi::rank_range range[] = {{0, 0, 1}};
const mpi::status status;
const mpi::assertion none{};

}  // namespace

TEST(calls_on_no_communicator_are_refused) {
  everyone = mpi::comm_group(mpi::comm_world);
  some = mpi::info_create();
  keyval = mpi::comm_create_keyval(mpi::comm_null_copy_fn, mpi::comm_null_delete_fn);
  all_refused({
      REFUSED(comm_size(no_comm), MPI_ERR_COMM),
      REFUSED(comm_rank(no_comm), MPI_ERR_COMM),
      REFUSED(comm_test_inter(no_comm), MPI_ERR_COMM),
      REFUSED(comm_remote_size(no_comm), MPI_ERR_COMM),
      REFUSED(comm_group(no_comm), MPI_ERR_COMM),
      REFUSED(comm_remote_group(no_comm), MPI_ERR_COMM),
      REFUSED(comm_dup(no_comm), MPI_ERR_COMM),
      REFUSED(comm_dup_with_info(no_comm, mpi::info_null), MPI_ERR_COMM),
      REFUSED(comm_idup(no_comm), MPI_ERR_COMM),
      REFUSED(comm_idup_with_info(no_comm, mpi::info_null), MPI_ERR_COMM),
      REFUSED(comm_compare(no_comm, mpi::comm_world), MPI_ERR_COMM),
      REFUSED(comm_compare(mpi::comm_world, no_comm), MPI_ERR_COMM),
      REFUSED(comm_create(no_comm, everyone), MPI_ERR_COMM),
      REFUSED(comm_create_group(no_comm, everyone, 0), MPI_ERR_COMM),
      REFUSED(comm_split(no_comm, 0, 0), MPI_ERR_COMM),
      REFUSED(comm_split_type(no_comm, MPI_COMM_TYPE_SHARED, 0, mpi::info_null), MPI_ERR_COMM),
      REFUSED(comm_get_info(no_comm), MPI_ERR_COMM),
      REFUSED(comm_set_info(no_comm, some), MPI_ERR_COMM),
      REFUSED(comm_set_name(no_comm, "x"), MPI_ERR_COMM),
      REFUSED(comm_get_attr(no_comm, MPI_TAG_UB), MPI_ERR_COMM),
      REFUSED(comm_delete_attr(no_comm, keyval), MPI_ERR_COMM),
      REFUSED(comm_set_attr(no_comm, keyval, memory), MPI_ERR_COMM),
      REFUSED(comm_get_errhandler(no_comm), MPI_ERR_COMM),
      REFUSED(comm_set_errhandler(no_comm, mpi::errors_return), MPI_ERR_COMM),
      REFUSED(comm_call_errhandler(no_comm, MPI_ERR_OTHER), MPI_ERR_COMM),
      REFUSED(intercomm_merge(no_comm, false), MPI_ERR_COMM),
      REFUSED(intercomm_create(no_comm, 0, mpi::comm_world, 0, 1), MPI_ERR_COMM),
      REFUSED(comm_free(made_comm), MPI_ERR_COMM),
      REFUSED(barrier(no_comm), MPI_ERR_COMM),
      REFUSED(ibarrier(no_comm), MPI_ERR_COMM),
      REFUSED(barrier_init(no_comm, mpi::info_null), MPI_ERR_COMM),
      REFUSED(topo_test(no_comm), MPI_ERR_COMM),
      REFUSED(cart_create(no_comm, beyond, single, false), MPI_ERR_COMM),
      REFUSED(cartdim_get(no_comm), MPI_ERR_COMM),
      REFUSED(cart_get(no_comm, output, output, output), MPI_ERR_COMM),
      REFUSED(cart_rank(no_comm, zero), MPI_ERR_COMM),
      REFUSED(cart_coords(no_comm, 0, output), MPI_ERR_COMM),
      REFUSED(cart_shift(no_comm, 0, 1), MPI_ERR_COMM),
      REFUSED(cart_sub(no_comm, single), MPI_ERR_COMM),
      REFUSED(cart_map(no_comm, beyond, single), MPI_ERR_COMM),
      REFUSED(graph_create(no_comm, zero, zero, false), MPI_ERR_COMM),
      REFUSED(graphdims_get(no_comm), MPI_ERR_COMM),
      REFUSED(graph_get(no_comm, output, output), MPI_ERR_COMM),
      REFUSED(graph_map(no_comm, single, zero), MPI_ERR_COMM),
      REFUSED(graph_neighbors(no_comm, 0, output), MPI_ERR_COMM),
      REFUSED(graph_neighbors_count(no_comm, 0), MPI_ERR_COMM),
      REFUSED(
          dist_graph_create(no_comm, zero, single, zero, mpi::unweighted, mpi::info_null, false),
          MPI_ERR_COMM),
      REFUSED(dist_graph_create_adjacent(no_comm, zero, mpi::unweighted, zero, mpi::unweighted,
                                         mpi::info_null, false),
              MPI_ERR_COMM),
      REFUSED(dist_graph_neighbors_count(no_comm), MPI_ERR_COMM),
      REFUSED(dist_graph_neighbors(no_comm, output, output, output, output), MPI_ERR_COMM),
      REFUSED(win_create_dynamic(mpi::info_null, no_comm), MPI_ERR_COMM),
      REFUSED(file_open(no_comm, "x", mpi::access_mode::rdonly, mpi::info_null), MPI_ERR_COMM),
      REFUSED(pack_size(1, mpi::int_, no_comm), MPI_ERR_COMM),
  });
  mpi::group_free(everyone);
  mpi::info_free(some);
  mpi::comm_free_keyval(keyval);
}

TEST(calls_on_no_window_are_refused) {
  everyone = mpi::comm_group(mpi::comm_world);
  some = mpi::info_create();
  win_keyval = mpi::win_create_keyval(mpi::win_null_copy_fn, mpi::win_null_delete_fn);
  all_refused({
      REFUSED(win_fence(none, no_win), MPI_ERR_WIN),
      REFUSED(win_free(made_win), MPI_ERR_WIN),
      REFUSED(win_get_group(no_win), MPI_ERR_WIN),
      REFUSED(win_get_info(no_win), MPI_ERR_WIN),
      REFUSED(win_set_info(no_win, some), MPI_ERR_WIN),
      REFUSED(win_lock(mpi::lock_type::shared, 0, none, no_win), MPI_ERR_WIN),
      REFUSED(win_unlock(0, no_win), MPI_ERR_WIN),
      REFUSED(win_lock_all(none, no_win), MPI_ERR_WIN),
      REFUSED(win_unlock_all(no_win), MPI_ERR_WIN),
      REFUSED(win_flush(0, no_win), MPI_ERR_WIN),
      REFUSED(win_flush_all(no_win), MPI_ERR_WIN),
      REFUSED(win_flush_local(0, no_win), MPI_ERR_WIN),
      REFUSED(win_flush_local_all(no_win), MPI_ERR_WIN),
      REFUSED(win_sync(no_win), MPI_ERR_WIN),
      REFUSED(win_post(everyone, none, no_win), MPI_ERR_WIN),
      REFUSED(win_start(everyone, none, no_win), MPI_ERR_WIN),
      REFUSED(win_complete(no_win), MPI_ERR_WIN),
      REFUSED(win_wait(no_win), MPI_ERR_WIN),
      REFUSED(win_test(no_win), MPI_ERR_WIN),
      REFUSED(win_set_name(no_win, "x"), MPI_ERR_WIN),
      REFUSED(win_get_attr(no_win, MPI_WIN_SIZE), MPI_ERR_WIN),
      REFUSED(win_set_attr(no_win, win_keyval, memory), MPI_ERR_WIN),
      REFUSED(win_delete_attr(no_win, win_keyval), MPI_ERR_WIN),
      REFUSED(win_get_errhandler(no_win), MPI_ERR_WIN),
      REFUSED(win_set_errhandler(no_win, mpi::errors_return), MPI_ERR_WIN),
      REFUSED(win_call_errhandler(no_win, MPI_ERR_OTHER), MPI_ERR_WIN),
      REFUSED(win_attach(no_win, memory, 4), MPI_ERR_WIN),
      REFUSED(win_detach(no_win, memory), MPI_ERR_WIN),
      REFUSED(fetch_and_op(memory, memory, mpi::int_, 0, 0, mpi::sum, no_win), MPI_ERR_WIN),
      REFUSED(compare_and_swap(memory, memory, memory, mpi::int_, 0, 0, no_win), MPI_ERR_WIN),
  });
  mpi::group_free(everyone);
  mpi::info_free(some);
  mpi::win_free_keyval(win_keyval);
}

TEST(calls_on_no_datatype_are_refused) {
  type_keyval = mpi::type_create_keyval(mpi::type_null_copy_fn, mpi::type_null_delete_fn);
  both([](auto) {
    all_refused({
        REFUSED(type_size(no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_get_extent(no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_get_true_extent(no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_commit(made_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_free(made_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_dup(no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_contiguous(1, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_vector(1, 1, 1, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_create_hvector(1, 1, 1, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_indexed(single, zero, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_create_hindexed(single, no_bytes, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_create_indexed_block(1, zero, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_create_hindexed_block(1, no_bytes, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_create_struct(single, no_bytes, no_types), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_create_resized(no_type, 0, 4), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_create_subarray(single, single, zero, mpi::order::c, no_type), MPI_ERR_TYPE,
                MPI_ERR_ARG),
        REFUSED(type_create_darray(1, 0, single, blocks, defaults, single, mpi::order::c, no_type),
                MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_get_envelope(no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_set_name(no_type, "x"), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_set_attr(no_type, type_keyval, memory), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_get_attr(no_type, type_keyval), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_delete_attr(no_type, type_keyval), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(pack_size(1, no_type, mpi::comm_world), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(pack_external_size("external32", 1, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(get_count(status, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(get_elements(status, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
    });
  });
  mpi::type_free_keyval(type_keyval);
}

TEST(calls_on_no_group_are_refused) {
  everyone = mpi::comm_group(mpi::comm_world);
  all_refused({
      REFUSED(group_size(no_group), MPI_ERR_GROUP, MPI_ERR_ARG),
      REFUSED(group_rank(no_group), MPI_ERR_GROUP, MPI_ERR_ARG),
      REFUSED(group_compare(no_group, everyone), MPI_ERR_GROUP, MPI_ERR_ARG),
      REFUSED(group_union(everyone, no_group), MPI_ERR_GROUP, MPI_ERR_ARG),
      REFUSED(group_intersection(no_group, everyone), MPI_ERR_GROUP, MPI_ERR_ARG),
      REFUSED(group_difference(everyone, no_group), MPI_ERR_GROUP, MPI_ERR_ARG),
      REFUSED(group_incl(no_group, zero), MPI_ERR_GROUP, MPI_ERR_ARG),
      REFUSED(group_excl(no_group, zero), MPI_ERR_GROUP, MPI_ERR_ARG),
      REFUSED(group_range_incl(no_group, range), MPI_ERR_GROUP, MPI_ERR_ARG),
      REFUSED(group_range_excl(no_group, range), MPI_ERR_GROUP, MPI_ERR_ARG),
      REFUSED(group_translate_ranks(no_group, zero, everyone, output), MPI_ERR_GROUP, MPI_ERR_ARG),
      REFUSED(group_free(made_group), MPI_ERR_GROUP, MPI_ERR_ARG),
      REFUSED(comm_create(mpi::comm_world, no_group), MPI_ERR_GROUP, MPI_ERR_ARG),
  });
  mpi::group_free(everyone);
}

TEST(calls_on_no_info_are_refused) {
  all_refused({
      REFUSED(info_get_nkeys(no_info), MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_INFO_KEY),
      REFUSED(info_get_nthkey(no_info, 0), MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_INFO_KEY),
      REFUSED(info_set(no_info, "a", "b"), MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_INFO_KEY),
      REFUSED(info_delete(no_info, "a"), MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_INFO_KEY),
      REFUSED(info_dup(no_info), MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_INFO_KEY),
      REFUSED(info_free(made_info), MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_INFO_KEY),
      REFUSED(info_get_string(no_info, "a"), MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_INFO_KEY),
  });
}

TEST(wrong_arguments_are_refused) {
  everyone = mpi::comm_group(mpi::comm_world);
  some = mpi::info_create();
  everybody = mpi::comm_world;
  predefined = mpi::int_;
  beyond[0] = size();
  grid = mpi::cart_create(mpi::comm_world, beyond, zero, false);
  all_refused({
      REFUSED(op_commutative(mpi::op_null), MPI_ERR_OP, MPI_ERR_ARG),
      REFUSED(op_free(made_op), MPI_ERR_OP, MPI_ERR_ARG),
      REFUSED(request_free(made_request), MPI_ERR_REQUEST, MPI_ERR_ARG),
      REFUSED(start(made_request), MPI_ERR_REQUEST, MPI_ERR_ARG),
      REFUSED(cancel(made_request), MPI_ERR_REQUEST, MPI_ERR_ARG),
      REFUSED(group_incl(everyone, beyond), MPI_ERR_RANK),
      REFUSED(group_excl(everyone, negative), MPI_ERR_RANK),
      REFUSED(cart_shift(grid, -1, 1), MPI_ERR_ARG, MPI_ERR_DIMS),
      REFUSED(cart_rank(grid, negative), MPI_ERR_ARG, MPI_ERR_RANK, MPI_ERR_DIMS),
      REFUSED(graph_neighbors_count(mpi::comm_world, 0), MPI_ERR_TOPOLOGY),
      REFUSED(dist_graph_neighbors_count(mpi::comm_world), MPI_ERR_TOPOLOGY),
      REFUSED(dims_create(-1, output), MPI_ERR_ARG, MPI_ERR_DIMS),
      REFUSED(dims_create(7, pair), MPI_ERR_ARG, MPI_ERR_DIMS, MPI_ERR_OTHER),
      REFUSED(type_contiguous(-1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
      REFUSED(type_vector(-1, 1, 1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
      REFUSED(type_match_size(mpi::typeclass::real, 3), MPI_ERR_ARG, MPI_ERR_TYPE),
      REFUSED(type_create_f90_integer(1000), MPI_ERR_ARG, MPI_ERR_OTHER),
      REFUSED(type_free(predefined), MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_INTERN),
      REFUSED(info_delete(some, "nothing"), MPI_ERR_INFO_NOKEY),
      REFUSED(info_get_nthkey(some, 100), MPI_ERR_ARG, MPI_ERR_INFO_NOKEY, MPI_ERR_INFO_KEY),
      REFUSED(comm_free_keyval(made_keyval), MPI_ERR_KEYVAL, MPI_ERR_ARG, MPI_ERR_OTHER),
      REFUSED(comm_get_attr(mpi::comm_world, MPI_KEYVAL_INVALID), MPI_ERR_KEYVAL, MPI_ERR_ARG,
              MPI_ERR_OTHER),
      REFUSED(comm_set_attr(mpi::comm_world, MPI_KEYVAL_INVALID, memory), MPI_ERR_KEYVAL,
              MPI_ERR_ARG, MPI_ERR_OTHER),
      REFUSED(intercomm_create(mpi::comm_world, size(), mpi::comm_world, 0, 1), MPI_ERR_RANK,
              MPI_ERR_COMM, MPI_ERR_ARG),
      REFUSED(comm_free(everybody), MPI_ERR_COMM, MPI_ERR_ARG),
      REFUSED(alloc_mem(-1, mpi::info_null), MPI_ERR_ARG, MPI_ERR_NO_MEM, MPI_ERR_SIZE),
      REFUSED(file_open(mpi::comm_world, "x", mpi::access_mode::rdonly | mpi::access_mode::rdwr,
                        mpi::info_null),
              MPI_ERR_AMODE, MPI_ERR_ARG),
      REFUSED(file_delete("/none/such", mpi::info_null), MPI_ERR_NO_SUCH_FILE, MPI_ERR_FILE,
              MPI_ERR_IO, MPI_ERR_BAD_FILE),
      REFUSED(probe(size(), 0, mpi::comm_world), MPI_ERR_RANK),
      REFUSED(iprobe(size(), 0, mpi::comm_world), MPI_ERR_RANK),
      REFUSED(probe(0, -5, mpi::comm_world), MPI_ERR_TAG),
      REFUSED(iprobe(0, -5, mpi::comm_world), MPI_ERR_TAG),
  });
  mpi::group_free(everyone);
  mpi::info_free(some);
  mpi::comm_free(grid);
}

TEST(calls_on_no_file_are_refused) {
  if (defect("null-file-aborts")) return;
  some = mpi::info_create();
  all_refused({
      REFUSED(file_close(made_file), MPI_ERR_FILE),
      REFUSED(file_get_amode(no_file), MPI_ERR_FILE),
      REFUSED(file_get_group(no_file), MPI_ERR_FILE),
      REFUSED(file_get_info(no_file), MPI_ERR_FILE, MPI_ERR_COMM),
      REFUSED(file_get_size(no_file), MPI_ERR_FILE),
      REFUSED(file_get_type_extent(no_file, mpi::int_), MPI_ERR_FILE),
      REFUSED(file_preallocate(no_file, 1), MPI_ERR_FILE),
      REFUSED(file_read_all_end(no_file, memory), MPI_ERR_FILE),
      REFUSED(file_read_at_all_end(no_file, memory), MPI_ERR_FILE),
      REFUSED(file_read_ordered_end(no_file, memory), MPI_ERR_FILE),
      REFUSED(file_seek(no_file, 0, mpi::seek::set), MPI_ERR_FILE),
      REFUSED(file_seek_shared(no_file, 0, mpi::seek::set), MPI_ERR_FILE),
      REFUSED(file_set_atomicity(no_file, true), MPI_ERR_FILE),
      REFUSED(file_set_info(no_file, some), MPI_ERR_FILE),
      REFUSED(file_set_size(no_file, 1), MPI_ERR_FILE),
      REFUSED(file_set_view(no_file, 0, mpi::int_, mpi::int_, "native", mpi::info_null),
              MPI_ERR_FILE),
      REFUSED(file_write_all_end(no_file, memory), MPI_ERR_FILE),
      REFUSED(file_write_at_all_end(no_file, memory), MPI_ERR_FILE),
  });
  mpi::info_free(some);
}

#if MPI_VERSION >= 4  // before, there is no MPI_ERR_SESSION
TEST(calls_on_no_session_are_refused) {
  all_refused({
      REFUSED(session_finalize(made_session), MPI_ERR_SESSION, MPI_ERR_ARG),
      REFUSED(session_get_info(no_session), MPI_ERR_SESSION, MPI_ERR_ARG),
      REFUSED(session_get_num_psets(no_session, mpi::info_null), MPI_ERR_SESSION, MPI_ERR_ARG),
      REFUSED(session_get_nth_pset(no_session, mpi::info_null, 0), MPI_ERR_SESSION, MPI_ERR_ARG),
      REFUSED(session_get_pset_info(no_session, "mpi://WORLD"), MPI_ERR_SESSION, MPI_ERR_ARG),
      REFUSED(session_get_errhandler(no_session), MPI_ERR_SESSION, MPI_ERR_ARG),
      REFUSED(session_set_errhandler(no_session, mpi::errors_return), MPI_ERR_SESSION, MPI_ERR_ARG),
      REFUSED(session_call_errhandler(no_session, MPI_ERR_OTHER), MPI_ERR_SESSION, MPI_ERR_ARG),
  });
}
#endif

TEST(further_calls_on_nothing_are_refused) {
  all_refused({
      REFUSED(comm_disconnect(made_comm), MPI_ERR_COMM),
      REFUSED(win_shared_query(no_win, 0), MPI_ERR_WIN),
      REFUSED(win_free_keyval(made_keyval), MPI_ERR_KEYVAL, MPI_ERR_ARG, MPI_ERR_OTHER),
      REFUSED(type_free_keyval(made_keyval), MPI_ERR_KEYVAL, MPI_ERR_ARG, MPI_ERR_OTHER),
      REFUSED(type_create_f90_real(1000, 1000), MPI_ERR_ARG, MPI_ERR_OTHER),
      REFUSED(type_create_f90_complex(1000, 1000), MPI_ERR_ARG, MPI_ERR_OTHER),
  });
}

TEST(wrong_calls_on_a_window_are_refused) {
  window = mpi::win_create(memory, sizeof memory, sizeof(int), mpi::info_null, mpi::comm_world);
  mpi::win_set_errhandler(window, mpi::errors_return);
  all_refused({
      REFUSED(win_lock(mpi::lock_type::shared, size(), none, window), MPI_ERR_RANK),
      REFUSED(win_flush(0, window), MPI_ERR_RMA_SYNC),
      REFUSED(win_unlock(0, window), MPI_ERR_RMA_SYNC),
      REFUSED(win_get_attr(window, MPI_KEYVAL_INVALID), MPI_ERR_KEYVAL, MPI_ERR_ARG, MPI_ERR_OTHER),
  });
  mpi::win_free(window);
}
