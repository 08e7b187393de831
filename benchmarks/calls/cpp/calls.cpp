// Pairs of functions that do the same, in plain C (`plain_...`) and through the generated layer
// (`layer_...`), one pair for each shape that a signature has. call_cost.py counts the instructions
// of each over an MPI that does nothing.
//
// `plain_...` checks no error code, since C programs do not; `layer_...` does and could throw. A
// name that ends in `_wide` has a count of 64 bits that is known only at run time.

#include <cstdio>
#include <initializer_list>
#include <span>
#include <string>

#include <mpiglot/mpi.hpp>
#include <mpiglot/mpi/calls.hpp>

namespace mpi = mpiglot::mpi;

extern "C" long allocations;

#define CALL extern "C" [[gnu::noinline]] void
#define EACH for (int round = 0; round < rounds; ++round)

namespace {

constexpr int rounds = 1000;

/// Uses a value without doing anything.
template <class T>
void keep(T value) {
  asm volatile("" : : "r"(value));
}

}  // namespace

// --------------------------------------------------------------------------- no output

CALL plain_barrier(MPI_Comm comm) { EACH MPI_Barrier(comm); }
CALL layer_barrier(MPI_Comm comm) { EACH mpi::barrier(mpi::comm_handle{comm}); }

CALL plain_send(const int* data, int n, MPI_Comm comm) {
  EACH MPI_Send(data, n, MPI_INT, 1, 0, comm);
}
CALL layer_send(const int* data, int n, MPI_Comm comm) {
  EACH mpi::send(data, n, mpi::int_, 1, 0, mpi::comm_handle{comm});
}

CALL plain_send_wide(const int* data, MPI_Count n, MPI_Comm comm) {
  EACH MPI_Send(data, static_cast<int>(n), MPI_INT, 1, 0, comm);
}
CALL layer_send_wide(const int* data, MPI_Count n, MPI_Comm comm) {
  EACH mpi::send(data, n, mpi::int_, 1, 0, mpi::comm_handle{comm});
}

CALL plain_operation_wide(const int* data, MPI_Count n, MPI_Comm comm) {
  EACH MPI_Send(data, static_cast<int>(n), MPI_INT, 1, 0, comm);
}
CALL layer_operation_wide(const int* data, MPI_Count n, MPI_Comm comm) {
  EACH keep(mpi::calls::send::now(data, n, mpi::int_, 1, 0, mpi::comm_handle{comm}));
}

CALL plain_operation_later(const int* data, MPI_Comm comm) {
  EACH {
    MPI_Request request;
    MPI_Isend(data, 1, MPI_INT, 1, 0, comm, &request);
    keep(request);
  }
}
CALL layer_operation_later(const int* data, MPI_Comm comm) {
  EACH {
    mpi::request_handle request;
    keep(mpi::calls::send::later(request, data, 1, mpi::int_, 1, 0, mpi::comm_handle{comm}));
    keep(request.native);
  }
}

CALL plain_allreduce(const double* in, double* out, MPI_Comm comm) {
  EACH MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, comm);
}
CALL layer_allreduce(const double* in, double* out, MPI_Comm comm) {
  EACH mpi::allreduce(in, out, 1, mpi::double_, mpi::sum, mpi::comm_handle{comm});
}

CALL plain_in_place(double* out, MPI_Comm comm) {
  EACH MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_DOUBLE, MPI_SUM, comm);
}
CALL layer_in_place(double* out, MPI_Comm comm) {
  EACH mpi::allreduce(mpi::in_place, out, 1, mpi::double_, mpi::sum, mpi::comm_handle{comm});
}

CALL plain_info_set(MPI_Info info) { EACH MPI_Info_set(info, "cb_nodes", "4"); }
CALL layer_info_set(MPI_Info info) { EACH mpi::info_set(mpi::info_handle{info}, "cb_nodes", "4"); }

CALL plain_win_fence(MPI_Win win) { EACH MPI_Win_fence(MPI_MODE_NOSTORE, win); }
CALL layer_win_fence(MPI_Win win) {
  EACH mpi::win_fence(mpi::assertion::nostore, mpi::win_handle{win});
}

CALL plain_put(const int* data, int n, MPI_Aint where, MPI_Win win) {
  EACH MPI_Put(data, n, MPI_INT, 1, where, n, MPI_INT, win);
}
CALL layer_put(const int* data, int n, MPI_Aint where, MPI_Win win) {
  EACH mpi::put(data, n, mpi::int_, 1, where, n, mpi::int_, mpi::win_handle{win});
}

CALL plain_get_accumulate_wide(const int* data, int* all, MPI_Count n, MPI_Count m, MPI_Count l,
                               MPI_Win win) {
  EACH MPI_Get_accumulate(data, static_cast<int>(n), MPI_INT, all, static_cast<int>(m), MPI_INT, 1,
                          0, static_cast<int>(l), MPI_INT, MPI_SUM, win);
}
CALL layer_get_accumulate_wide(const int* data, int* all, MPI_Count n, MPI_Count m, MPI_Count l,
                               MPI_Win win) {
  EACH mpi::get_accumulate(data, n, mpi::int_, all, m, mpi::int_, 1, 0, l, mpi::int_, mpi::sum,
                           mpi::win_handle{win});
}

CALL plain_type_vector_wide(MPI_Count n, MPI_Count m, MPI_Count l) {
  EACH {
    MPI_Datatype type;
    MPI_Type_vector(static_cast<int>(n), static_cast<int>(m), static_cast<int>(l), MPI_INT, &type);
    keep(type);
  }
}
CALL layer_type_vector_wide(MPI_Count n, MPI_Count m, MPI_Count l) {
  EACH keep(mpi::type_vector(n, m, l, mpi::int_).native);
}

CALL plain_set_attr(MPI_Comm comm, int key, void* value) {
  EACH MPI_Comm_set_attr(comm, key, value);
}
CALL layer_set_attr(MPI_Comm comm, int key, void* value) {
  EACH mpi::comm_set_attr(mpi::comm_handle{comm}, key, value);
}

CALL plain_free_key(int* key) { EACH MPI_Type_free_keyval(key); }
CALL layer_free_key(int* key) { EACH mpi::type_free_keyval(*key); }

CALL plain_gather_wide(const int* data, int* all, MPI_Count n, MPI_Count m, MPI_Comm comm) {
  EACH MPI_Gather(data, static_cast<int>(n), MPI_INT, all, static_cast<int>(m), MPI_INT, 0, comm);
}
CALL layer_gather_wide(const int* data, int* all, MPI_Count n, MPI_Count m, MPI_Comm comm) {
  EACH mpi::gather(data, n, mpi::int_, all, m, mpi::int_, 0, mpi::comm_handle{comm});
}

// --------------------------------------------------------------------------- arrays

CALL plain_alltoallv(const int* data, const int* n, const int* at, int* all, MPI_Comm comm) {
  EACH MPI_Alltoallv(data, n, at, MPI_INT, all, n, at, MPI_INT, comm);
}
CALL layer_alltoallv(const int* data, const int* n, const int* at, int* all, MPI_Comm comm) {
  EACH {
    const std::span counts(n, 4);
    const std::span places(at, 4);
    mpi::alltoallv(data, counts, places, mpi::int_, all, counts, places, mpi::int_,
                   mpi::comm_handle{comm});
  }
}

CALL plain_cart_coords(MPI_Comm comm, int rank, int* coords) {
  EACH MPI_Cart_coords(comm, rank, 2, coords);
}
CALL layer_cart_coords(MPI_Comm comm, int rank, int* coords) {
  EACH mpi::cart_coords(mpi::comm_handle{comm}, rank, std::span(coords, 2));
}

CALL plain_waitall(MPI_Request* requests, int n) {
  EACH MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}
CALL layer_waitall(mpi::request_handle* requests, int n) {
  EACH mpi::waitall(std::span(requests, static_cast<std::size_t>(n)));
}

// --------------------------------------------------------------------------- handles that change

CALL plain_wait(MPI_Request* request) { EACH MPI_Wait(request, MPI_STATUS_IGNORE); }
CALL layer_wait(mpi::request_handle* request) { EACH mpi::wait(*request); }

CALL plain_wait_status(MPI_Request* request, MPI_Status* status) { EACH MPI_Wait(request, status); }
CALL layer_wait_status(mpi::request_handle* request, mpi::status* status) {
  EACH mpi::wait(*request, *status);
}

CALL plain_type_commit(MPI_Datatype* type) { EACH MPI_Type_commit(type); }
CALL layer_type_commit(mpi::datatype_handle* type) { EACH mpi::type_commit(*type); }

CALL plain_comm_free(MPI_Comm* comm) { EACH MPI_Comm_free(comm); }
CALL layer_comm_free(mpi::comm_handle* comm) { EACH mpi::comm_free(*comm); }

// --------------------------------------------------------------------------- one value

CALL plain_comm_rank(MPI_Comm comm) {
  EACH {
    int rank;
    MPI_Comm_rank(comm, &rank);
    keep(rank);
  }
}
CALL layer_comm_rank(MPI_Comm comm) { EACH keep(mpi::comm_rank(mpi::comm_handle{comm})); }

CALL plain_comm_split(MPI_Comm comm, int color) {
  EACH {
    MPI_Comm part;
    MPI_Comm_split(comm, color, 0, &part);
    keep(part);
  }
}
CALL layer_comm_split(MPI_Comm comm, int color) {
  EACH keep(mpi::comm_split(mpi::comm_handle{comm}, color, 0).native);
}

CALL plain_isend(const int* data, int n, MPI_Comm comm) {
  EACH {
    MPI_Request request;
    MPI_Isend(data, n, MPI_INT, 1, 0, comm, &request);
    keep(request);
  }
}
CALL layer_isend(const int* data, int n, MPI_Comm comm) {
  EACH keep(mpi::isend(data, n, mpi::int_, 1, 0, mpi::comm_handle{comm}).native);
}

CALL plain_isend_wide(const int* data, MPI_Count n, MPI_Comm comm) {
  EACH {
    MPI_Request request;
    MPI_Isend(data, static_cast<int>(n), MPI_INT, 1, 0, comm, &request);
    keep(request);
  }
}
CALL layer_isend_wide(const int* data, MPI_Count n, MPI_Comm comm) {
  EACH keep(mpi::isend(data, n, mpi::int_, 1, 0, mpi::comm_handle{comm}).native);
}

CALL plain_iallreduce(const double* in, double* out, MPI_Comm comm) {
  EACH {
    MPI_Request request;
    MPI_Iallreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, comm, &request);
    keep(request);
  }
}
CALL layer_iallreduce(const double* in, double* out, MPI_Comm comm) {
  EACH keep(mpi::iallreduce(in, out, 1, mpi::double_, mpi::sum, mpi::comm_handle{comm}).native);
}

CALL plain_type_vector(int count, int length, int stride) {
  EACH {
    MPI_Datatype type;
    MPI_Type_vector(count, length, stride, MPI_DOUBLE, &type);
    keep(type);
  }
}
CALL layer_type_vector(int count, int length, int stride) {
  EACH keep(mpi::type_vector(count, length, stride, mpi::double_).native);
}

CALL plain_cart_create(MPI_Comm comm, const int* dims, const int* periods) {
  EACH {
    MPI_Comm grid;
    MPI_Cart_create(comm, 2, dims, periods, 1, &grid);
    keep(grid);
  }
}
CALL layer_cart_create(MPI_Comm comm, const int* dims, const int* periods) {
  EACH keep(
      mpi::cart_create(mpi::comm_handle{comm}, std::span(dims, 2), std::span(periods, 2), true)
          .native);
}

CALL plain_file_open(MPI_Comm comm, const char* name) {
  EACH {
    MPI_File file;
    MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    keep(file);
  }
}
CALL layer_file_open(MPI_Comm comm, const char* name) {
  EACH {
    using enum mpi::access_mode;
    keep(mpi::file_open(mpi::comm_handle{comm}, name, create | rdwr, mpi::info_null).native);
  }
}

CALL plain_get_address(const int* data) {
  EACH {
    MPI_Aint address;
    MPI_Get_address(data, &address);
    keep(address);
  }
}
CALL layer_get_address(const int* data) { EACH keep(mpi::get_address(data)); }

CALL plain_test(MPI_Request* request) {
  EACH {
    int flag;
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    keep(flag != 0);
  }
}
CALL layer_test(mpi::request_handle* request) { EACH keep(mpi::test(*request)); }

CALL plain_iprobe(MPI_Comm comm, MPI_Status* status) {
  EACH {
    int flag;
    MPI_Iprobe(1, 0, comm, &flag, status);
    keep(flag != 0);
  }
}
CALL layer_iprobe(MPI_Comm comm, mpi::status* status) {
  EACH keep(mpi::iprobe(1, 0, mpi::comm_handle{comm}, *status));
}

CALL plain_get_count(const MPI_Status* status) {
  EACH {
    int n;
    MPI_Get_count(status, MPI_INT, &n);
    keep(n);
  }
}
CALL layer_get_count(const mpi::status* status) { EACH keep(mpi::get_count(*status, mpi::int_)); }

CALL plain_error_class(int code) {
  EACH {
    int number;
    MPI_Error_class(code, &number);
    keep(number);
  }
}
CALL layer_error_class(int code) { EACH keep(static_cast<int>(mpi::error_class_(code))); }

CALL plain_wtime() { EACH keep(MPI_Wtime()); }
CALL layer_wtime() { EACH keep(mpi::wtime()); }

// --------------------------------------------------------------------------- several values

CALL plain_cart_shift(MPI_Comm comm) {
  EACH {
    int from;
    int to;
    MPI_Cart_shift(comm, 0, 1, &from, &to);
    keep(from + to);
  }
}
CALL layer_cart_shift(MPI_Comm comm) {
  EACH {
    const auto [from, to] = mpi::cart_shift(mpi::comm_handle{comm}, 0, 1);
    keep(from + to);
  }
}

CALL plain_type_get_extent(MPI_Datatype type) {
  EACH {
    MPI_Aint lb;
    MPI_Aint extent;
    MPI_Type_get_extent(type, &lb, &extent);
    keep(lb + extent);
  }
}
CALL layer_type_get_extent(MPI_Datatype type) {
  EACH {
    const auto [lb, extent] = mpi::type_get_extent(mpi::datatype_handle{type});
    keep(lb + extent);
  }
}

CALL plain_improbe(MPI_Comm comm, MPI_Status* status) {
  EACH {
    MPI_Message message;
    int flag;
    MPI_Improbe(1, 0, comm, &flag, &message, status);
    if (flag) keep(message);
  }
}
CALL layer_improbe(MPI_Comm comm, mpi::status* status) {
  EACH {
    if (auto message = mpi::improbe(1, 0, mpi::comm_handle{comm}, *status)) keep(message->native);
  }
}

// The same where the variable is const: g++ 12 keeps no const object of a class in registers.
CALL plain_improbe_const(MPI_Comm comm, MPI_Status* status) {
  EACH {
    MPI_Message message;
    int flag;
    MPI_Improbe(1, 0, comm, &flag, &message, status);
    if (flag) keep(message);
  }
}
CALL layer_improbe_const(MPI_Comm comm, mpi::status* status) {
  EACH {
    const auto message = mpi::improbe(1, 0, mpi::comm_handle{comm}, *status);
    if (message) keep(message->native);
  }
}

CALL plain_testany(MPI_Request* requests, int n, MPI_Status* status) {
  EACH {
    int index;
    int flag;
    MPI_Testany(n, requests, &index, &flag, status);
    if (flag) keep(index);
  }
}
CALL layer_testany(mpi::request_handle* requests, int n, mpi::status* status) {
  EACH {
    const std::span all(requests, static_cast<std::size_t>(n));
    if (auto index = mpi::testany(all, *status)) keep(*index);
  }
}

CALL plain_comm_get_attr(MPI_Comm comm) {
  EACH {
    void* value;
    int flag;
    MPI_Comm_get_attr(comm, MPI_TAG_UB, &value, &flag);
    if (flag) keep(value);
  }
}
CALL layer_comm_get_attr(MPI_Comm comm) {
  EACH {
    if (auto value = mpi::comm_get_attr(mpi::comm_handle{comm}, MPI_TAG_UB)) keep(*value);
  }
}

// --------------------------------------------------------------------------- texts

CALL plain_comm_get_name(MPI_Comm comm) {
  EACH {
    char text[MPI_MAX_OBJECT_NAME];
    int length = 0;
    MPI_Comm_get_name(comm, text, &length);
    keep(std::string(text, static_cast<std::size_t>(length)).size());
  }
}
CALL layer_comm_get_name(MPI_Comm comm) {
  EACH keep(mpi::comm_get_name(mpi::comm_handle{comm}).size());
}

// --------------------------------------------------------------------------- all of them

namespace {

template <class Function, class... Arguments>
void run(const char* name, Function* function, Arguments... arguments) {
  const long before = allocations;
  function(arguments...);
  std::printf("%s %ld\n", name, (allocations - before) / rounds);
}

}  // namespace

int main() {
  int data[8]{};
  int all[32]{};
  const int counts[4] = {1, 1, 1, 1};
  const int places[4] = {0, 1, 2, 3};
  double sum = 0;
  mpi::request_handle requests[4];
  mpi::status status;
  mpi::datatype_handle type{MPI_INT};
  mpi::comm_handle part{MPI_COMM_WORLD};
  const mpi::win_handle win;
  const MPI_Comm comm = MPI_COMM_WORLD;
  const MPI_Count many = 8;
  MPI_Request* const c_requests = &requests[0].native;
  MPI_Status* const c_status = &status.native;

#define BOTH(name, ...)                                         \
  run("plain_" #name, plain_##name __VA_OPT__(, ) __VA_ARGS__); \
  run("layer_" #name, layer_##name __VA_OPT__(, ) __VA_ARGS__)
#define PLAIN(name, ...) run("plain_" #name, plain_##name, __VA_ARGS__)
#define LAYER(name, ...) run("layer_" #name, layer_##name, __VA_ARGS__)

  BOTH(barrier, comm);
  BOTH(send, data, 8, comm);
  BOTH(send_wide, data, many, comm);
  BOTH(operation_wide, data, many, comm);
  BOTH(operation_later, data, comm);
  BOTH(allreduce, &sum, &sum, comm);
  BOTH(in_place, &sum, comm);
  BOTH(info_set, MPI_INFO_NULL);
  BOTH(win_fence, win.native);
  BOTH(put, data, 8, MPI_Aint{0}, win.native);
  BOTH(get_accumulate_wide, data, all, many, many, many, win.native);
  BOTH(type_vector_wide, many, many, many);
  BOTH(set_attr, comm, 3, static_cast<void*>(nullptr));
  BOTH(free_key, all);
  BOTH(gather_wide, data, all, many, many, comm);
  BOTH(alltoallv, data, counts, places, all, comm);
  BOTH(cart_coords, comm, 0, all);
  PLAIN(waitall, c_requests, 4);
  LAYER(waitall, requests, 4);
  PLAIN(wait, c_requests);
  LAYER(wait, requests);
  PLAIN(wait_status, c_requests, c_status);
  LAYER(wait_status, requests, &status);
  PLAIN(type_commit, &type.native);
  LAYER(type_commit, &type);
  PLAIN(comm_free, &part.native);
  LAYER(comm_free, &part);
  BOTH(comm_rank, comm);
  BOTH(comm_split, comm, 1);
  BOTH(isend, data, 8, comm);
  BOTH(isend_wide, data, many, comm);
  BOTH(iallreduce, &sum, &sum, comm);
  BOTH(type_vector, 2, 3, 4);
  BOTH(cart_create, comm, counts, places);
  BOTH(file_open, comm, "file");
  BOTH(get_address, data);
  PLAIN(test, c_requests);
  LAYER(test, requests);
  PLAIN(iprobe, comm, c_status);
  LAYER(iprobe, comm, &status);
  PLAIN(get_count, c_status);
  LAYER(get_count, &status);
  BOTH(error_class, 1);
  BOTH(wtime);
  BOTH(cart_shift, comm);
  BOTH(type_get_extent, type.native);
  PLAIN(improbe, comm, c_status);
  LAYER(improbe, comm, &status);
  PLAIN(improbe_const, comm, c_status);
  LAYER(improbe_const, comm, &status);
  PLAIN(testany, c_requests, 4, c_status);
  LAYER(testany, requests, 4, &status);
  BOTH(comm_get_attr, comm);
  BOTH(comm_get_name, comm);
}
