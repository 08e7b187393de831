// Several threads that receive messages of unknown length: each message goes whole to one of them.
// Meanwhile they use views: what is kept for views belongs to one thread at a time.

#include <atomic>
#include <cstdio>
#include <numeric>
#include <thread>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/request_pool.hpp>
#include <mpiglot/strided.hpp>

using namespace mpiglot;

namespace {

constexpr int threads = 3;
constexpr int messages = 200;

int next(const communicator& comm) { return (comm.rank() + 1) % comm.size(); }
int previous(const communicator& comm) { return (comm.rank() + comm.size() - 1) % comm.size(); }

// A message says how long it is.
void send_all(const communicator& comm) {
  request_pool pool(8);
  for (int i = 0; i < threads * messages; ++i)
    pool.add([&] {
      return comm.isend(send_buf(std::vector<int>(static_cast<std::size_t>(i % 97 + 1), i)),
                        destination(next(comm)));
    });
  pool.wait_all();
}

long receive_some(const communicator& comm, int how, std::atomic<int>& wrong) {
  long sum = 0;
  for (int i = 0; i < messages; ++i) {
    std::vector<int> values;
    if (how == 0) {
      values = comm.recv(recv_buf(std::vector<int>()), source(previous(comm)));
    } else if (how == 1) {
      values = comm.mprobe(source(previous(comm))).recv(recv_buf(std::vector<int>()));
    } else {
      auto message = comm.improbe(source(previous(comm)));
      while (!message) {
        std::this_thread::yield();
        message = comm.improbe(source(previous(comm)));
      }
      values = message->irecv(recv_buf(std::vector<int>())).wait();
    }
    const int first = values.empty() ? -1 : values.front();
    if (values != std::vector<int>(static_cast<std::size_t>(first % 97 + 1), first)) ++wrong;
    sum += first;
  }
  return sum;
}

// Many layouts, more than are kept; some are those of the other threads.
void use_views(int thread, std::atomic<int>& wrong) {
  std::vector<double> elements(100 * 40, thread);
  for (long i = 0; i < 2000; ++i) {
    const long rows = 2 + (i * (thread + 1)) % 97;
    strided_view<double> described{elements.data(), rows, 20, 40, 1};
    buffer_adapter<strided_view<double>&, form::memory, resize_policy::automatic> one(described);
    if (mpi::type_size(one.out().type) != rows * 20 * 8) ++wrong;
    strided_view<double> packed{elements.data(), rows, 20, 40, 2};
    buffer_adapter<strided_view<double>&, form::message, resize_policy::automatic> other(packed);
    other.pack();
    const lent memory = other.out();
    for (count_t j = 0; j < memory.count; ++j)
      if (static_cast<const double*>(memory.address)[j] != thread) ++wrong;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const environment environment(argc, argv, mpi::thread_level::multiple);
  if (environment.thread_level() != mpi::thread_level::multiple) {
    std::puts("this MPI has no MPI_THREAD_MULTIPLE");
    return 77;
  }
  const communicator comm;
  std::atomic<int> wrong = 0;
  std::atomic<long> sum = 0;
  std::vector<std::thread> receivers;
  for (int how = 0; how < threads; ++how)
    receivers.emplace_back([&, how] {
      sum += receive_some(comm, how, wrong);
      use_views(how, wrong);
    });
  send_all(comm);
  for (std::thread& each : receivers) each.join();
  const long n = threads * messages;
  const bool right = wrong == 0 && sum == n * (n - 1) / 2;
  if (!right)
    std::fprintf(stderr, "rank %d: %d wrong messages or views\n", comm.rank(), wrong.load());
  return comm.allreduce_single(send_buf(right ? 0 : 1), op(mpi::max));
}
