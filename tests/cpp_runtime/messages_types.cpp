// Messages of encoded values at level `normal` tell the type; every level reads the messages of the others.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/serialized.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using strict = basic_communicator<checked>;

struct int_float {
  int a;
  float b;
};
struct float_int {
  float a;
  int b;
};
using names = std::unordered_map<std::string, std::vector<std::string>>;

names some(std::size_t n) {
  names made;
  for (std::size_t i = 0; i < n; ++i) made["key " + std::to_string(i)] = {"a", std::to_string(i)};
  return made;
}

template <class Sends, class Receives>
void try_levels(const Sends& sends, const Receives& receives) {
  const int rank = sends.rank();
  for (const std::size_t n : {0U, 1U, 100U, 40000U}) {
    const names right = some(n);
    if (rank == 0) sends.send(send_buf(as_serialized(right)), destination(1));
    if (rank == 1) {
      names got;
      receives.recv(recv_buf(as_deserializable(got)), source(0));
      check::expect(got == right);
    }
    names all = rank == 0 ? right : names();
    if (rank == 0)
      sends.bcast(send_recv_buf(as_serialized(all)));
    else
      receives.bcast(send_recv_buf(as_serialized(all)));
    check::expect(all == right);
    std::vector<std::vector<double>> runs;
    if (rank == 0) runs.assign(3, std::vector<double>(n, 0.5));
    if (rank == 0)
      sends.bcast(send_recv_buf(deep(runs)));
    else
      receives.bcast(send_recv_buf(deep(runs)));
    check::expect(runs == std::vector<std::vector<double>>(3, std::vector<double>(n, 0.5)));
  }
}

}  // namespace

TEST(messages_are_read_at_every_level) {
  const communicator usual;
  const strict checks;
  if (usual.size() < 2) return;
  try_levels(usual, usual);
  try_levels(usual, checks);
  try_levels(checks, usual);
  try_levels(checks, checks);
}
TEST(other_types_are_refused_by_name) {
  const strict comm;
  const communicator usual;
  if (comm.size() < 2) return;
  if (comm.rank() == 0) {
    for (int i = 0; i < 2; ++i)
      comm.send(send_buf(as_serialized(std::vector<int_float>{{1, 2}})), destination(1));
    comm.send(send_buf(as_serialized(std::vector<std::int64_t>{1, 2})), destination(1));
  }
  if (comm.rank() == 1) {
    std::vector<float_int> got;
    const auto failure = check::thrown_by<decode_error>(
        [&] { comm.recv(recv_buf(as_deserializable(got)), source(0)); });
    check::expect(std::string_view(failure.what()).find("float_int") != std::string_view::npos);
    check::thrown_by<decode_error>(
        [&] { usual.recv(recv_buf(as_deserializable(got)), source(0)); });
    std::vector<double> numbers;
    check::thrown_by<decode_error>(
        [&] { comm.recv(recv_buf(as_deserializable(numbers)), source(0)); });
  }
}
TEST(all_operations_take_marked_messages) {
  const strict comm;
  const auto n = static_cast<std::size_t>(comm.size());
  const auto text = [](std::size_t i) { return std::string(40 * i, 'x'); };
  const std::string mine = text(static_cast<std::size_t>(comm.rank()));
  std::vector<std::string> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = text(i);
  std::vector<std::string> got;
  comm.allgather(send_buf(as_serialized(mine)), recv_buf(as_deserializable(got)));
  check::expect(got == all);
  got.clear();
  comm.gather(send_buf(as_serialized(mine)), recv_buf(as_deserializable(got)));
  check::expect(comm.rank() == 0 ? got == all : got.empty());
  std::string one;
  comm.scatter(send_buf(as_serialized(all)), recv_buf(as_deserializable(one)));
  check::equal(one, mine);
  got.clear();
  comm.alltoall(send_buf(as_serialized(std::vector<std::string>(n, mine))),
                recv_buf(as_deserializable(got)));
  check::expect(got == all);
}
// Whether it is compiled for debugging or not.
TEST(messages_are_no_byte_longer_at_the_usual_level) {
  const communicator usual;
  const strict checks;
  std::string text = "abc";
  const auto length = [&](const auto& comm) {
    return comm.bcast(send_recv_buf(as_serialized(text)), send_recv_count_out());
  };
  check::equal(length(usual), count_t{4});
  check::equal(length(checks), count_t{20});
}
