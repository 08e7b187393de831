// Kinds of buffers whose adapter lacks one member, each with what the compiler must say about it.
// Compiled once for each by mistakes.cmake; 0 is the program whose adapters lack none.

#include <mpiglot/at_most.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/window.hpp>

#define IS(number) ((number) == MISTAKE)

struct bag {
  using describes_buffer = void;
  int items[3];
};

namespace mpiglot {

// A mistake leaves the line out that it names.
template <form Form, resize_policy Policy>
class buffer_adapter<bag&, Form, Policy> {
 public:
#if !IS(1)
  using wire = int;
#endif
#if !IS(2)
  using gathered = std::vector<int>;
#endif
#if !IS(3)
  using part = std::vector<int>;
#endif
#if !IS(4)
  static constexpr bool fixed = true;
#endif
#if !IS(5)
  static constexpr bool agreed = false;
#endif
#if !IS(6)
  static constexpr bool uniform = true;
#endif
#if !IS(7) && !IS(23)
  static constexpr bool divides = false;
#elif IS(23)
  static constexpr bool divides = true;
#endif
#if !IS(8)
  static constexpr bool writable = true;
#endif
#if !IS(9) && !IS(22)
  static constexpr bool owning = false;
#elif IS(22)
  static constexpr bool owning = true;
#endif
#if !IS(10)
  static constexpr bool movable = true;
#endif
#if !IS(11)
  static constexpr bool learns_length = true;
#endif
#if !IS(12)
  explicit buffer_adapter(bag& buffer) : bag_(&buffer) {}
#endif
#if IS(21)
  buffer_adapter(buffer_adapter&&) = delete;
#endif
#if !IS(13)
  void pack() {}
#endif
#if !IS(14)
  count_t length() const { return 3; }
#endif
#if IS(24)
  const int* out() { return bag_->items; }
#elif !IS(15)
  lent out() { return {bag_->items, 3, datatype_of<int>()}; }
#endif
#if !IS(16)
  count_t room() const { return 3; }
#endif
#if !IS(17)
  void place(count_t n) { require_room(3, n); }
#endif
#if !IS(18) && !IS(25) && !IS(26)
  lent in(count_t n) { return {bag_->items, n, datatype_of<int>()}; }
#endif
#if !IS(19)
  void unpack(count_t) {}
#endif
#if !IS(20)
  template <class Layout>
  void unpack_parts(const Layout&) {}
#endif

 private:
  bag* bag_ = nullptr;
};

}  // namespace mpiglot

using namespace mpiglot;

void call(const communicator& comm, const window& win, bag& b) {
#if MISTAKE == 0  // nothing
  comm.bcast(send_recv_buf(b));
  comm.send(send_buf(b), destination(1));
  comm.recv(recv_buf(b));
  comm.ibcast(send_recv_buf(b)).wait();
  std::vector<int> all = comm.allgather(send_buf(b));
  comm.allreduce(send_buf(b), recv_buf(b), op(mpi::sum));
  comm.bcast(send_recv_buf(at_most(12, b)));
  win.put(send_buf(b), target_rank(0));
#else
  static_cast<void>(sizeof comm + sizeof win + sizeof b);
#endif
#if MISTAKE == 1  // buffer_adapter_lacks_member<mpiglot::adapter_member::wire, bag, mpiglot::operations::send>
  comm.send(send_buf(b), destination(1));
#elif MISTAKE == 2  // buffer_adapter_lacks_member<mpiglot::adapter_member::gathered, bag, mpiglot::operations::gather>
  auto all = comm.gather(send_buf(b));
#elif MISTAKE == 3  // buffer_adapter_lacks_member<mpiglot::adapter_member::part, bag, mpiglot::operations::scatter>
  auto mine = comm.scatter(send_buf(b));
#elif MISTAKE == 4  // buffer_adapter_lacks_member<mpiglot::adapter_member::fixed, bag, mpiglot::operations::bcast>
  comm.bcast(send_recv_buf(b));
#elif MISTAKE == 5  // buffer_adapter_lacks_member<mpiglot::adapter_member::agreed, bag, mpiglot::operations::allgatherv>
  auto all = comm.allgatherv(send_buf(b));
#elif MISTAKE == 6  // buffer_adapter_lacks_member<mpiglot::adapter_member::uniform, bag, mpiglot::operations::allreduce>
  auto sum = comm.allreduce(send_buf(b), op(mpi::sum));
#elif MISTAKE == 7  // buffer_adapter_lacks_member<mpiglot::adapter_member::divides, bag, mpiglot::operations::alltoall>
  auto theirs = comm.alltoall(send_buf(b));
#elif MISTAKE == 8  // buffer_adapter_lacks_member<mpiglot::adapter_member::writable, bag, mpiglot::operations::recv>
  comm.recv(recv_buf(b));
#elif MISTAKE == 9  // buffer_adapter_lacks_member<mpiglot::adapter_member::owning, bag, mpiglot::operations::put>
  win.put(send_buf(b), target_rank(0));
#elif MISTAKE == 10  // buffer_adapter_lacks_member<mpiglot::adapter_member::movable, bag, mpiglot::operations::send>
  auto request = comm.isend(send_buf(b), destination(1));
#elif MISTAKE == 11  // buffer_adapter_lacks_member<mpiglot::adapter_member::learns_length, bag, mpiglot::operations::recv>
  auto request = comm.irecv(recv_buf(b));
#elif MISTAKE == 12  // buffer_adapter_lacks_member<mpiglot::adapter_member::constructor, bag, mpiglot::operations::bcast>
  comm.bcast(send_recv_buf(b));
#elif MISTAKE == 13  // buffer_adapter_lacks_member<mpiglot::adapter_member::pack, bag, mpiglot::operations::ssend>
  comm.ssend(send_buf(b), destination(1));
#elif MISTAKE == 14  // buffer_adapter_lacks_member<mpiglot::adapter_member::length, bag, mpiglot::operations::bcast>
  auto request = comm.ibcast(send_recv_buf(b));
#elif MISTAKE == 15  // buffer_adapter_lacks_member<mpiglot::adapter_member::out, bag, mpiglot::operations::send>
  auto request = comm.send_init(send_buf(b), destination(1));
#elif MISTAKE == 16  // buffer_adapter_lacks_member<mpiglot::adapter_member::room, bag, mpiglot::operations::get>
  win.get(recv_buf(b), target_rank(0));
#elif MISTAKE == 17  // buffer_adapter_lacks_member<mpiglot::adapter_member::place, bag, mpiglot::operations::recv>
  comm.recv(recv_buf(b), source(0));
#elif MISTAKE == 18  // buffer_adapter_lacks_member<mpiglot::adapter_member::in, bag, mpiglot::operations::sendrecv>
  comm.sendrecv(send_buf(1), destination(0), recv_buf(b), source(0));
#elif MISTAKE == 19  // buffer_adapter_lacks_member<mpiglot::adapter_member::unpack, bag, mpiglot::operations::scatter>
  comm.scatter(recv_buf(b), root(1));
#elif MISTAKE == 20  // buffer_adapter_lacks_member<mpiglot::adapter_member::unpack_parts, bag, mpiglot::operations::allgather>
  comm.allgather(send_recv_buf(b));
#elif MISTAKE == 21  // buffer_adapter_lacks_member<mpiglot::adapter_member::move_constructor, bag, mpiglot::operations::send>
  comm.send(send_buf(b), destination(1));
#elif MISTAKE == 22  // buffer_adapter_lacks_member<mpiglot::adapter_member::take, bag, mpiglot::operations::bcast>
  comm.bcast(send_recv_buf(b));
#elif MISTAKE == 23  // buffer_adapter_lacks_member<mpiglot::adapter_member::pack_parts, bag, mpiglot::operations::scatterv>
  auto mine = comm.scatterv(send_buf(b));
#elif MISTAKE == 24  // buffer_adapter_lacks_member<mpiglot::adapter_member::out, bag, mpiglot::operations::send>
  comm.send(send_buf(b), destination(1));
#elif MISTAKE == 25  // buffer_adapter_lacks_member<mpiglot::adapter_member::in, mpiglot::bounded<bag
  comm.bcast(send_recv_buf(at_most(12, b)));
#elif MISTAKE == 26  // buffer_adapter_lacks_member<mpiglot::adapter_member::in, bag, mpiglot::operations::recv>
  comm.irecv(recv_buf(b)).wait();
#endif
}
