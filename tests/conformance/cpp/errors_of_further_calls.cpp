// Mistakes in further calls: completions that say what a request met, probes, names, processes,
// errors of one's own, and files that are none.

#include "refused.hpp"

#include <array>
#include <span>

namespace {

constexpr const auto& no_comm = mpi::comm_null;
constexpr const auto& no_type = mpi::datatype_null;
constexpr const auto& no_info = mpi::info_null;
constexpr const auto& no_file = mpi::file_null;

int memory[4];
int output[2];
int made_keyval = MPI_KEYVAL_INVALID;
mpi::errhandler_handle no_handler;
mpi::status status;

#ifdef MPI_ERR_ERRHANDLER
constexpr int err_errhandler = MPI_ERR_ERRHANDLER;  // since MPI 4.1
#else
constexpr int err_errhandler = MPI_ERR_ARG;
#endif

// In place of a class: some MPIs do not look.
constexpr int or_nothing = MPI_SUCCESS;

/// A request that is complete, and was not successful.
mpi::request_handle failed() {
  mpi::request_handle request =
      mpi::grequest_start([](mpi::status&) { return MPI_ERR_OTHER; }, [] {}, [](bool) {});
  mpi::grequest_complete(request);
  return request;
}

/// What a completion gives back for a request that failed, on its own and among several.
template <class Call>
int code_for_failed(Call call) {
  mpi::request_handle requests[] = {failed()};
  return mpi::error_class_(call(requests));
}

}  // namespace

TEST(completions_say_that_a_request_failed) {
  using requests = mpi::request_handle(&)[1];
  equal(code_for_failed([](requests r) { return mpi::nothrow::wait(r[0]).code; }), MPI_ERR_OTHER);
  equal(code_for_failed([](requests r) { return mpi::nothrow::test(r[0]).code; }), MPI_ERR_OTHER);
  equal(code_for_failed([](requests r) { return mpi::nothrow::waitany(r).code; }), MPI_ERR_OTHER);
  equal(code_for_failed([](requests r) { return mpi::nothrow::testany(r).code; }), MPI_ERR_OTHER);
  std::array<mpi::status, 1> seen;
  int index[1];
  const auto in_status = [&](auto call) { equal(code_for_failed(call), MPI_ERR_IN_STATUS); };
  in_status([&](requests r) { return mpi::nothrow::waitall(r, seen).code; });
  equal(mpi::error_class_(seen[0].error()), MPI_ERR_OTHER);
  in_status([&](requests r) { return mpi::nothrow::testall(r, seen).code; });
  equal(mpi::error_class_(seen[0].error()), MPI_ERR_OTHER);
  in_status([&](requests r) { return mpi::nothrow::waitsome(r, index, seen).code; });
  in_status([&](requests r) { return mpi::nothrow::testsome(r, index, seen).code; });
}

TEST(probes_of_nobody_are_refused) {
  if (without("matched-probe-takes-any-rank")) return;
  all_refused({
      REFUSED(mprobe(size(), 0, mpi::comm_world), MPI_ERR_RANK),
      REFUSED(improbe(size(), 0, mpi::comm_world), MPI_ERR_RANK),
  });
}

TEST(names_and_sizes_of_nothing_are_refused) {
  all_refused({
      REFUSED(win_get_name(mpi::win_null), MPI_ERR_WIN, or_nothing),
      REFUSED(info_get(no_info, "a", 10), MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_INFO_KEY),
      REFUSED(info_get_valuelen(no_info, "a"), MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_INFO_KEY),
      REFUSED(attr_put(no_comm, MPI_TAG_UB, memory), MPI_ERR_COMM),
      REFUSED(attr_get(no_comm, MPI_TAG_UB), MPI_ERR_COMM, or_nothing),
      REFUSED(attr_delete(no_comm, MPI_TAG_UB), MPI_ERR_COMM),
      REFUSED(keyval_free(made_keyval), MPI_ERR_KEYVAL, MPI_ERR_ARG, MPI_ERR_OTHER),
      REFUSED(status_set_elements(status, no_type, 1), MPI_ERR_TYPE, MPI_ERR_ARG),
      REFUSED(type_get_value_index(no_type, mpi::int_), MPI_ERR_TYPE, MPI_ERR_ARG),
  });
}

TEST(contents_of_what_has_none_are_refused) {
  both([](auto) {
    all_refused({
        REFUSED(type_get_contents(mpi::int_, std::span(output).first(0), {}, {}), MPI_ERR_TYPE,
                MPI_ERR_ARG, MPI_ERR_INTERN),
    });
  });
}

TEST(large_types_of_nothing_are_refused) {
  static const mpi::count_t one[] = {1};
  static const mpi::count_t zero[] = {0};
  static const mpi::datatype_handle no_types[] = {mpi::datatype_null};
  static const mpi::distribution blocks[] = {mpi::distribution::block};
  static const int defaults[] = {MPI_DISTRIBUTE_DFLT_DARG};
  static const int processes[] = {1};
  if constexpr (mpi::has_type_indexed_c)
    all_refused({
        REFUSED(type_indexed(one, zero, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_create_hindexed(one, zero, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_create_indexed_block(1, zero, no_type), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_create_struct(one, zero, no_types), MPI_ERR_TYPE, MPI_ERR_ARG),
        REFUSED(type_create_subarray(one, one, zero, mpi::order::c, no_type), MPI_ERR_TYPE,
                MPI_ERR_ARG),
        REFUSED(type_create_darray(1, 0, one, blocks, defaults, processes, mpi::order::c, no_type),
                MPI_ERR_TYPE, MPI_ERR_ARG),
    });
}

TEST(processes_of_no_communicator_are_refused) {
  all_refused({
      REFUSED(comm_accept("x", no_info, 0, no_comm), MPI_ERR_COMM),
      REFUSED(comm_connect("x", no_info, 0, no_comm), MPI_ERR_COMM),
      REFUSED(comm_spawn("x", mpi::argv_null, 1, no_info, 0, no_comm, mpi::errcodes_ignore),
              MPI_ERR_COMM),
      REFUSED(comm_spawn_multiple({"x"}, mpi::argvs_null, {1}, {no_info}, 0, no_comm,
                                  mpi::errcodes_ignore),
              MPI_ERR_COMM, MPI_ERR_OTHER),
  });
}

TEST(errors_that_nobody_made_are_refused) {
  all_refused({
      REFUSED(add_error_code(1 << 29), MPI_ERR_ARG, MPI_ERR_OTHER, or_nothing),
      REFUSED(add_error_string(MPI_ERR_ARG, "x"), MPI_ERR_ARG, MPI_ERR_OTHER, or_nothing),
      REFUSED(error_class_(1 << 29), MPI_ERR_ARG, MPI_ERR_OTHER, or_nothing),
      REFUSED(error_string(1 << 29), MPI_ERR_ARG, MPI_ERR_OTHER, or_nothing),
      REFUSED(remove_error_string(MPI_ERR_ARG), MPI_ERR_ARG, MPI_ERR_OTHER, or_nothing),
  });
}

TEST(buffers_of_nothing_are_refused) {
  both([](auto) {
    all_refused({
        REFUSED(comm_attach_buffer(no_comm, memory, sizeof memory), MPI_ERR_COMM),
        REFUSED(comm_detach_buffer(no_comm), MPI_ERR_COMM),
    });
  });
  all_refused({
      REFUSED(comm_flush_buffer(no_comm), MPI_ERR_COMM),
      REFUSED(comm_iflush_buffer(no_comm), MPI_ERR_COMM),
  });
}

TEST(further_calls_on_no_file_are_refused) {
  if (defect("null-file-aborts")) return;
  all_refused({
      REFUSED(file_get_atomicity(no_file), MPI_ERR_FILE, or_nothing),
      REFUSED(file_get_byte_offset(no_file, 0), MPI_ERR_FILE, or_nothing),
      REFUSED(file_get_position(no_file), MPI_ERR_FILE, or_nothing),
      REFUSED(file_get_position_shared(no_file), MPI_ERR_FILE, or_nothing),
      REFUSED(file_get_view(no_file), MPI_ERR_FILE, or_nothing),
      REFUSED(file_sync(no_file), MPI_ERR_FILE, MPI_ERR_ARG),
      REFUSED(file_write_ordered_end(no_file, memory), MPI_ERR_FILE, or_nothing),
      REFUSED(file_set_errhandler(no_file, no_handler), MPI_ERR_ARG, MPI_ERR_OTHER, err_errhandler),
  });
}

TEST(partitions_of_nothing_are_refused) {
  static mpi::request_handle none;
  static const int first[] = {0};
  all_refused({
      REFUSED(pready_list(first, none), MPI_ERR_REQUEST, MPI_ERR_ARG, MPI_ERR_OTHER),
  });
}
