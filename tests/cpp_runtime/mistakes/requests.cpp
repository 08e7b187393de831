// Mistakes with requests, pools, numbers and objects that are not copied, each with what the compiler
// must say about it. Compiled once for each by mistakes.cmake; 0 is the program without any.

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/file.hpp>
#include <mpiglot/intercommunicator.hpp>
#include <mpiglot/request_pool.hpp>
#include <mpiglot/wait.hpp>
#include <mpiglot/window.hpp>

using namespace mpiglot;

struct made_of_int {
  int value;
  explicit made_of_int(int given) : value(given) {}
};
template <>
inline constexpr bool mpiglot::plain_bytes<made_of_int> = true;
template <>
inline constexpr bool mpiglot::plain_bytes<std::atomic<int>> = true;

void call(const communicator& comm, request_pool& pool, std::vector<int> v, std::vector<double> d,
          std::string s) {
  static_cast<void>(s);
#if MISTAKE == 0  // nothing
  pool.add(comm.isend(send_buf(v), destination(1)));
  pool.add([&] { return comm.isend(send_buf(v), destination(1)); }, [] {});
  auto both = comm.isend(send_buf(v), destination(std::size_t{1}), tag(short{3}));
  wait_all(both);
  comm.allreduce(send_buf(d), op(std::plus<double>()));
  made_of_int one(1);
  comm.sendrecv_replace(send_recv_buf(one), destination(0));
  comm.recv(recv_buf(one), source(0));
#else
  static_cast<void>(sizeof pool + sizeof v + sizeof d + sizeof comm);
#endif
#if MISTAKE == 1  // parameter_missing<mpiglot::keys::destination, mpiglot::operations::send>
  pool.add(comm.isend(send_buf(v)));
#elif MISTAKE == 2  // parameter_missing<mpiglot::keys::destination, mpiglot::operations::send>
  pool.add(comm.isend(send_buf(v)), [] {});
#elif MISTAKE == 3  // parameter_missing<mpiglot::keys::destination, mpiglot::operations::send>
  pool.add([&] { return comm.isend(send_buf(v)); });
#elif MISTAKE == 4  // argument_without_name_such_as_send_buf
  pool.add(comm.isend(v, 1));
#elif MISTAKE == 5  // a pool takes a request or what starts one
  pool.add(v);
#elif MISTAKE == 6  // a pool takes a request or what starts one
  pool.add(comm, [] {});
#elif MISTAKE == 7  // a pool takes a request or what starts one
  pool.add([] { return 3; });
#elif MISTAKE == 8  // give variables that hold requests
  wait_all(v);
#elif MISTAKE == 9  // give variables that hold requests
  wait_all(comm.isend(send_buf(v), destination(1)), 3);
#elif MISTAKE == 10  // give variables that hold requests
  static_cast<void>(wait_any(3));
#elif MISTAKE == 11  // give variables that hold requests
  static_cast<void>(test_some(comm));
#elif MISTAKE == 12  // parameter_missing<mpiglot::keys::destination, mpiglot::operations::send>
  auto request = comm.isend(send_buf(v));
  wait_all(request, request);
  while (const auto i = wait_any(request)) static_cast<void>(i);
#elif MISTAKE == 13  // deleted
  auto request = comm.isend(send_buf(v), destination(1));
  auto copy = request;
#elif MISTAKE == 14  // deleted
  communicator copy = comm;
#elif MISTAKE == 15  // deleted
  communicator other;
  other = comm;
#elif MISTAKE == 16  // deleted
  auto later = [comm] { comm.barrier(); };
#elif MISTAKE == 17  // deleted
  comm.send(send_buf(v), send_count(1.5), destination(1));
#elif MISTAKE == 18  // deleted
  comm.send(send_buf(v), destination("1"));
#elif MISTAKE == 19  // deleted
  comm.send(send_buf(v), destination(1), tag(s));
#elif MISTAKE == 20  // deleted
  comm.gather(send_buf(v), root(v));
#elif MISTAKE == 21  // deleted
  auto got = comm.recv<int>(source(0.0));
#elif MISTAKE == 22  // a pool takes over a request: write pool.add(std::move(request))
  auto request = comm.isend(send_buf(v), destination(1));
  auto ticket = pool.add(request);
#elif MISTAKE == 23  // a pool takes over a request: write pool.add(std::move(request))
  auto request = comm.isend(send_buf(v), destination(1));
  pool.add(request, [] {});
#elif MISTAKE == 24  // the action cannot be called with the result of the operation
  pool.add(comm.irecv(recv_buf(0), source(0)), [](std::string) {});
#elif MISTAKE == 25  // the action cannot be called with the result of the operation
  pool.add(comm.isend(send_buf(v), destination(0)), [](int) {});
#elif MISTAKE == 26  // elements_without_default_constructor_cannot_be_made_give_a_recv_buf_that_keeps_its_size
  auto got = comm.irecv<made_of_int>(recv_count(2), source(0));
#elif MISTAKE == 27  // buffer_without_datatype_write_as_serialized_or_deep
  std::atomic<int> counter(3);
  comm.bcast(send_recv_buf(counter));
#elif MISTAKE == 28  // [19 lines] no_such_member
  pool.add(comm.irecv(recv_buf(0), source(0)), [](auto x) { x.no_such_member(); });
#elif MISTAKE == 29  // [19 lines] no_such_member
  pool.add([&] { return comm.irecv(recv_buf(0), source(0)); }, [](auto x) { x.no_such_member(); });
#elif MISTAKE == 30  // the action cannot be called with the result of the operation
  pool.add(comm.irecv(recv_buf(0), source(0)), [](auto x, auto y) { return x + y; });
#elif MISTAKE == 31  // [19 lines] no_such_member
  comm.reduce(send_buf(v), op([](auto a, auto b) { return a.no_such_member(b); }, commutative));
#elif MISTAKE == 32  // [19 lines] no_such_member
  auto r = comm.iallreduce(
      send_buf(v), op([](const auto& a, auto&& b) { return a.no_such_member(b); }, commutative));
#elif MISTAKE == 33  // op_cannot_be_called_with_two_elements
  comm.allreduce(send_recv_buf(v), op([](auto a) { return a; }, commutative));
#elif MISTAKE == 34  // op_cannot_be_called_with_two_elements
  auto x = comm.scan(send_buf(v), op([&](auto, auto) { return std::string(); }, non_commutative));
#endif
}
