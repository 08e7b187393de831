// Messages longer than an int can count. This file stands between the runtime and MPI: nothing
// travels, the counts are what matters. The memory is reserved, not used.

#include <sys/mman.h>

#include <span>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/mpi/available.hpp>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <mpiglot/serialized.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

constexpr count_t beyond = (count_t{1} << 32) + 5;
count_t last_count = -1;
bool large = false;

int note(count_t count, bool twin) {
  last_count = count;
  large = twin;
  return MPI_SUCCESS;
}

int largest_element = 0;  // bytes, of what MPI_Ialltoallv sent

void note_element(MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  if (size > largest_element) largest_element = size;
}

std::span<char> memory() {
  static char* const all =
      static_cast<char*>(mmap(nullptr, static_cast<std::size_t>(beyond), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  check::expect(all != MAP_FAILED, "no address space");
  return {all, static_cast<std::size_t>(beyond)};
}

// `call` tells MPI the whole count, or refuses it: never another one.
void is_never_wrapped(auto call, count_t whole = beyond) {
  last_count = -1;
  if constexpr (mpi::has_send_c) {
    call();
    check::equal(last_count, whole);
    check::expect(large);
  } else {
    check::equal(check::thrown_by(call).error_class(), mpi::error_class::count);
    check::equal(last_count, count_t{-1});
  }
}

// Writes more bytes than an int counts, without touching them.
struct endless {
  static constexpr count_t bytes = (count_t{1} << 31) + 5;
  template <class T>
  static constexpr bool can = true;
  static void encode(detail::bytes& to, const auto&) { to.resize(static_cast<std::size_t>(bytes)); }
  static void decode(const std::byte*, std::size_t, auto&) {}
};

}  // namespace

extern "C" {

int MPI_Send(const void*, int count, MPI_Datatype, int, int, MPI_Comm) {
  return note(count, false);
}
int MPI_Ssend(const void*, int count, MPI_Datatype, int, int, MPI_Comm) {
  return note(count, false);
}
int MPI_Recv(void*, int count, MPI_Datatype, int, int, MPI_Comm, MPI_Status*) {
  return note(count, false);
}
int MPI_Isend(const void*, int count, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return note(count, false);
}
int MPI_Irecv(void*, int count, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return note(count, false);
}

int MPI_Ialltoallv(const void* from, const int* counts, const int* places, MPI_Datatype type,
                   void* to, const int* into, const int* at, MPI_Datatype as, MPI_Comm comm,
                   MPI_Request* request) {
  note_element(type);
  return PMPI_Ialltoallv(from, counts, places, type, to, into, at, as, comm, request);
}

#ifdef MPIGLOT_TEST_TWINS
int MPI_Send_c(const void*, MPI_Count count, MPI_Datatype, int, int, MPI_Comm) {
  return note(count, true);
}
int MPI_Ssend_c(const void*, MPI_Count count, MPI_Datatype, int, int, MPI_Comm) {
  return note(count, true);
}
int MPI_Recv_c(void*, MPI_Count count, MPI_Datatype, int, int, MPI_Comm, MPI_Status*) {
  return note(count, true);
}
int MPI_Isend_c(const void*, MPI_Count count, MPI_Datatype, int, int, MPI_Comm,
                MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return note(count, true);
}
int MPI_Irecv_c(void*, MPI_Count count, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return note(count, true);
}
int MPI_Ialltoallv_c(const void* from, const MPI_Count* counts, const MPI_Aint* places,
                     MPI_Datatype type, void* to, const MPI_Count* into, const MPI_Aint* at,
                     MPI_Datatype as, MPI_Comm comm, MPI_Request* request) {
  note_element(type);
  return PMPI_Ialltoallv_c(from, counts, places, type, to, into, at, as, comm, request);
}
int MPI_Bcast_c(void*, MPI_Count count, MPI_Datatype, int, MPI_Comm) { return note(count, true); }
#endif
}

TEST(a_count_beyond_an_int_is_sent_whole_or_refused) {
  const communicator comm;
  is_never_wrapped([&] { comm.send(send_buf(memory()), destination(0)); });
  is_never_wrapped([&] { comm.ssend(send_buf(memory()), destination(0)); });
  is_never_wrapped([&] { comm.isend(send_buf(memory()), destination(0)).wait(); });
}

TEST(a_count_beyond_an_int_is_received_whole_or_refused) {
  const communicator comm;
  is_never_wrapped([&] { comm.recv(recv_buf(memory()), source(0)); });
  is_never_wrapped([&] { comm.irecv(recv_buf(memory()), source(0)).wait(); });
}

TEST(a_count_beyond_an_int_is_broadcast_whole_or_refused) {
  const communicator comm;
  is_never_wrapped([&] { comm.bcast(send_recv_buf(memory())); });
}

TEST(a_count_that_fits_goes_to_the_function_that_every_mpi_has) {
  const communicator comm;
  comm.send(send_buf(memory().first(2147483647)), destination(0));
  check::equal(last_count, count_t{2147483647});
  check::expect(!large);
}

TEST(an_encoded_value_beyond_an_int_is_sent_whole_or_refused) {
  const communicator comm;
  const auto value = [] { return send_buf(as_serialized<endless>(1)); };
  is_never_wrapped([&] { comm.send(value(), destination(0)); }, endless::bytes);
  is_never_wrapped([&] { comm.isend(value(), destination(0)).wait(); }, endless::bytes);
}

// So an int reaches as far as in alltoallv.
TEST(a_grid_counts_elements_with_their_type) {
  const basic_communicator<grid_alltoall> comm;
  const std::vector<char> small(100003, 'x');
  largest_element = 0;
  check::equal(comm.alltoallv_grid(send_buf(small), send_counts(std::vector{100003})), small);
  check::equal(largest_element, 1);
  const std::vector<double> sent(100003, 0.5);
  check::equal(comm.alltoallv_grid(send_buf(sent), send_counts(std::vector{100003})), sent);
  check::equal(largest_element, 8);
}

TEST(parts_beyond_an_int_are_told_by_wide_arrays) {
  detail::computed_layout layout(3);
  const count_t lengths[] = {count_t{1} << 31, 5, beyond};
  for (std::size_t i = 0; i < 3; ++i) layout.set_length(i, lengths[i]);
  check::equal(layout.lay_out(), lengths[0] + 5 + beyond);
  check::expect(!layout.narrow());
  int visits = 0;
  layout.visit([&](auto counts, auto places) {
    for (std::size_t i = 0; i < 3; ++i) check::equal(count_t{counts[i]}, lengths[i]);
    check::expect(places[0] == 0 && places[1] == lengths[0] && places[2] == lengths[0] + 5);
    ++visits;
  });
  check::equal(visits, 1);
  layout.set_length(2, 7);
  layout.set_length(0, 2147483647 - 12);
  check::equal(layout.lay_out(), count_t{2147483647});
  check::expect(layout.narrow());
}
