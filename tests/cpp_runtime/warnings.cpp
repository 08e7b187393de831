// A program that uses a little of everything, after all public headers (warnings.cmake includes
// them): compilers warn of nothing in the headers. It is only looked at.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <mpiglot/mpi.hpp>

namespace {

struct particle {
  double place = 0;
  int kind = 0;
  std::string name;
  static void fields(auto& self, auto&& visit) { visit(self.place, self.kind, self.name); }
};

}  // namespace

std::size_t use(const mpiglot::communicator& comm);
std::size_t use(const mpiglot::communicator& comm) {
  using namespace mpiglot;
  std::map<std::string, std::vector<particle>> encoded{{"a", {}}};
  comm.bcast(send_recv_buf(as_serialized(encoded)));
  particle deeply;
  comm.bcast(send_recv_buf(deep(deeply)));
  auto values = comm.allgatherv(send_buf(std::vector<int>(3)));
  const int sum = comm.allreduce_single(send_buf(1), op(std::plus<>()));
  auto pending = comm.iallgather(send_buf(std::vector<int>{1}));
  values = pending.wait();
  std::map<int, std::vector<int>> parcels{{0, {1}}};
  const auto received = comm.alltoallv(send_buf(flattened(parcels)));
  strided_view<int> column{values.data(), 1, 1, 1};
  comm.bcast(send_recv_buf(column));

  using namespace layouts;
  auto matrix = bag(scalar<double>() ^ vectors<'j', 'i'>(4, 4));
  auto turned = bag(scalar<double>() ^ vectors<'i', 'j'>(4, 4));
  traverser(matrix, turned) | [&](auto state) { matrix[state] = turned[state]; };
  comm.bcast(send_recv_buf(matrix));
  return encoded.size() + values.size() + received.size() + static_cast<std::size_t>(sum);
}
