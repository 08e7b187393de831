// Mistakes in calls that move data, through both layers and both sizes of counts: every message,
// collective operation (in three forms), access to a window and call on a file.

#include "refused.hpp"

#include <span>

namespace {

constexpr const auto& no_comm = mpi::comm_null;
constexpr const auto& no_win = mpi::win_null;

int memory[4];
int other[4];
const mpi::datatype_handle types[] = {mpi::int_};
mpi::request_handle no_request;
mpi::file_handle file;

// Arrays of numbers as the small functions and as their twins take them.
template <class Form>
struct given {
  static inline const typename Form::count counts[] = {1};
  static inline const typename Form::place places[] = {0};
  static inline const mpi::aint_t bytes[] = {0};
};

// The blocking, the nonblocking and the persistent form of a call.
#define ALL_FORMS(name, ...)                                                             \
  REFUSED(name(__VA_ARGS__), MPI_ERR_COMM), REFUSED(i##name(__VA_ARGS__), MPI_ERR_COMM), \
      REFUSED(name##_init(__VA_ARGS__, mpi::info_null), MPI_ERR_COMM)

}  // namespace

TEST(messages_on_no_communicator_are_refused) {
  both([](auto) {
    all_refused({
        REFUSED(send(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(bsend(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(ssend(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(rsend(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(isend(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(ibsend(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(issend(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(irsend(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(send_init(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(bsend_init(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(ssend_init(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(rsend_init(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(recv(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(irecv(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(recv_init(memory, 1, mpi::int_, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(sendrecv(memory, 1, mpi::int_, 0, 0, other, 1, mpi::int_, 0, 0, no_comm),
                MPI_ERR_COMM),
        REFUSED(sendrecv_replace(memory, 1, mpi::int_, 0, 0, 0, 0, no_comm), MPI_ERR_COMM),
    });
  });
  if constexpr (mpi::has_send_c)  // one of them crashes in Open MPI 5
    all_refused({
        REFUSED(isendrecv(memory, 1, mpi::int_, 0, 0, other, 1, mpi::int_, 0, 0, no_comm),
                MPI_ERR_COMM),
        REFUSED(isendrecv_replace(memory, 1, mpi::int_, 0, 0, 0, 0, no_comm), MPI_ERR_COMM),
        REFUSED(psend_init(memory, 1, 1, mpi::int_, 0, 0, no_comm, mpi::info_null), MPI_ERR_COMM),
        REFUSED(precv_init(memory, 1, 1, mpi::int_, 0, 0, no_comm, mpi::info_null), MPI_ERR_COMM),
    });
}

TEST(collectives_on_no_communicator_are_refused) {
  both([](auto form) {
    using g = given<decltype(form)>;
    all_refused({
        ALL_FORMS(bcast, memory, 1, mpi::int_, 0, no_comm),
        ALL_FORMS(gather, memory, 1, mpi::int_, other, 1, mpi::int_, 0, no_comm),
        ALL_FORMS(gatherv, memory, 1, mpi::int_, other, g::counts, g::places, mpi::int_, 0,
                  no_comm),
        ALL_FORMS(scatter, memory, 1, mpi::int_, other, 1, mpi::int_, 0, no_comm),
        ALL_FORMS(scatterv, memory, g::counts, g::places, mpi::int_, other, 1, mpi::int_, 0,
                  no_comm),
        ALL_FORMS(allgatherv, memory, 1, mpi::int_, other, g::counts, g::places, mpi::int_,
                  no_comm),
        ALL_FORMS(alltoall, memory, 1, mpi::int_, other, 1, mpi::int_, no_comm),
        ALL_FORMS(alltoallv, memory, g::counts, g::places, mpi::int_, other, g::counts, g::places,
                  mpi::int_, no_comm),
        ALL_FORMS(alltoallw, memory, g::counts, g::places, types, other, g::counts, g::places,
                  types, no_comm),
        ALL_FORMS(reduce, memory, other, 1, mpi::int_, mpi::sum, 0, no_comm),
        ALL_FORMS(allreduce, memory, other, 1, mpi::int_, mpi::sum, no_comm),
        ALL_FORMS(reduce_scatter, memory, other, g::counts, mpi::int_, mpi::sum, no_comm),
        ALL_FORMS(reduce_scatter_block, memory, other, 1, mpi::int_, mpi::sum, no_comm),
        ALL_FORMS(scan, memory, other, 1, mpi::int_, mpi::sum, no_comm),
        ALL_FORMS(exscan, memory, other, 1, mpi::int_, mpi::sum, no_comm),
        ALL_FORMS(neighbor_allgatherv, memory, 1, mpi::int_, other, g::counts, g::places, mpi::int_,
                  no_comm),
        ALL_FORMS(neighbor_alltoall, memory, 1, mpi::int_, other, 1, mpi::int_, no_comm),
        ALL_FORMS(neighbor_alltoallv, memory, g::counts, g::places, mpi::int_, other, g::counts,
                  g::places, mpi::int_, no_comm),
        ALL_FORMS(neighbor_alltoallw, memory, g::counts, g::bytes, types, other, g::counts,
                  g::bytes, types, no_comm),
    });
    if (without("allgather-of-no-communicator")) return;
    all_refused({
        ALL_FORMS(allgather, memory, 1, mpi::int_, other, 1, mpi::int_, no_comm),
        ALL_FORMS(neighbor_allgather, memory, 1, mpi::int_, other, 1, mpi::int_, no_comm),
    });
  });
}

TEST(accesses_to_no_window_are_refused) {
  both([](auto) {
    all_refused({
        REFUSED(put(memory, 1, mpi::int_, 0, 0, 1, mpi::int_, no_win), MPI_ERR_WIN),
        REFUSED(get(memory, 1, mpi::int_, 0, 0, 1, mpi::int_, no_win), MPI_ERR_WIN),
        REFUSED(accumulate(memory, 1, mpi::int_, 0, 0, 1, mpi::int_, mpi::sum, no_win),
                MPI_ERR_WIN),
        REFUSED(get_accumulate(memory, 1, mpi::int_, other, 1, mpi::int_, 0, 0, 1, mpi::int_,
                               mpi::sum, no_win),
                MPI_ERR_WIN),
        REFUSED(rput(memory, 1, mpi::int_, 0, 0, 1, mpi::int_, no_win), MPI_ERR_WIN),
        REFUSED(rget(memory, 1, mpi::int_, 0, 0, 1, mpi::int_, no_win), MPI_ERR_WIN),
        REFUSED(raccumulate(memory, 1, mpi::int_, 0, 0, 1, mpi::int_, mpi::sum, no_win),
                MPI_ERR_WIN),
        REFUSED(rget_accumulate(memory, 1, mpi::int_, other, 1, mpi::int_, 0, 0, 1, mpi::int_,
                                mpi::sum, no_win),
                MPI_ERR_WIN),
        REFUSED(win_create(memory, sizeof memory, 1, mpi::info_null, no_comm), MPI_ERR_COMM),
        REFUSED(win_allocate(4, 1, mpi::info_null, no_comm), MPI_ERR_COMM),
        REFUSED(win_allocate_shared(4, 1, mpi::info_null, no_comm), MPI_ERR_COMM),
        REFUSED(win_shared_query(no_win, 0), MPI_ERR_WIN),
    });
  });
}

TEST(wrong_calls_on_a_file_are_refused) {
  using mode = mpi::access_mode;
  file = mpi::file_open(mpi::comm_world, common_name(),
                        mode::create | mode::rdwr | mode::delete_on_close, mpi::info_null);
  both([](auto) {
    all_refused({
        REFUSED(file_read(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_read_all(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_read_at(file, 0, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_read_at_all(file, 0, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_read_shared(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_read_ordered(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_read_all_begin(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_read_at_all_begin(file, 0, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_read_ordered_begin(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_iread(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_iread_all(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_iread_at(file, 0, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_iread_at_all(file, 0, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_iread_shared(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_write(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_write_all(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_write_at(file, 0, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_write_at_all(file, 0, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_write_shared(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_write_ordered(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_write_all_begin(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_write_at_all_begin(file, 0, memory, -1, mpi::int_), MPI_ERR_COUNT,
                MPI_ERR_ARG),
        REFUSED(file_write_ordered_begin(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_iwrite(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_iwrite_all(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_iwrite_at(file, 0, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_iwrite_at_all(file, 0, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_iwrite_shared(file, memory, -1, mpi::int_), MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(file_get_type_extent(file, mpi::datatype_null), MPI_ERR_TYPE, MPI_ERR_ARG),
    });
  });
  all_refused({
      REFUSED(file_set_size(file, -1), MPI_ERR_ARG, MPI_ERR_OTHER),
      REFUSED(file_seek(file, -1, mpi::seek::set), MPI_ERR_ARG, MPI_ERR_OTHER),
  });
  mpi::file_close(file);
}

TEST(wrong_packing_and_requests_are_refused) {
  both([](auto) {
    static mpi::count_t position;
    position = 0;
    all_refused({
        REFUSED(pack(memory, 1, mpi::int_, other, 16, position, no_comm), MPI_ERR_COMM),
        REFUSED(unpack(memory, 4, position, other, 1, mpi::int_, no_comm), MPI_ERR_COMM),
        REFUSED(pack_external("external32", memory, -1, mpi::int_, other, 16, position),
                MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(unpack_external("external32", memory, 16, position, other, -1, mpi::int_),
                MPI_ERR_COUNT, MPI_ERR_ARG),
        REFUSED(reduce_local(memory, other, 1, mpi::int_, mpi::op_null), MPI_ERR_OP, MPI_ERR_ARG),
    });
  });
  if constexpr (mpi::has_send_c)
    all_refused({
        REFUSED(pready(0, no_request), MPI_ERR_REQUEST, MPI_ERR_ARG),
        REFUSED(pready_range(0, 0, no_request), MPI_ERR_REQUEST, MPI_ERR_ARG),
    });
  all_refused({
      REFUSED(startall(std::span(&no_request, 1)), MPI_ERR_REQUEST, MPI_ERR_ARG),
      REFUSED(grequest_complete(no_request), MPI_ERR_REQUEST, MPI_ERR_ARG),
  });
}
