// Processes that are started, and processes that find each other.

#include "conformance.hpp"
#include "lives.hpp"

#include <array>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

const auto& world = mpi::comm_world;

std::string told(const std::string& text, int root) {
  std::array<char, MPI_MAX_PORT_NAME> room{};
  if (rank() == root) text.copy(room.data(), room.size() - 1);
  mpi::bcast(room.data(), MPI_MAX_PORT_NAME, mpi::char_, root, world);
  return room.data();
}

// What parent and child say to each other.
void talk(mpi::comm_handle other, int children) {
  expect(mpi::comm_test_inter(other));
  equal(mpi::comm_remote_size(other), children);
  int sum = 0;
  const int one = 1;
  mpi::allreduce(&one, &sum, 1, mpi::int_, mpi::sum, other);
  equal(sum, children);
  mpi::comm_disconnect(other);
}

std::string own_path() {
  std::array<char, 4096> path{};
  const auto length = readlink("/proc/self/exe", path.data(), path.size() - 1);
  expect(length > 0);
  return path.data();
}

// A socket to the other of two ranks.
int connected_socket(int other) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  expect(socket >= 0);
  if (rank() < other) {
    socklen_t length = sizeof address;
    expect(bind(socket, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
           listen(socket, 1) == 0);
    getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length);
    const int port = address.sin_port;
    mpi::send(&port, 1, mpi::int_, other, 0, world);
    const int accepted = accept(socket, nullptr, nullptr);
    close(socket);
    return accepted;
  }
  int port = 0;
  mpi::recv(&port, 1, mpi::int_, other, 0, world);
  address.sin_port = static_cast<in_port_t>(port);
  expect(connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  return socket;
}

}  // namespace

int conformance::child(int argc, char** argv) {
  const mpiglot::environment environment(argc, argv);
  mpi::comm_handle parent = mpi::comm_get_parent();
  if (parent == mpi::comm_handle{}) return 1;
  int sum = 0;
  const int one = 1;
  mpi::allreduce(&one, &sum, 1, mpi::int_, mpi::sum, parent);
  const bool right = sum == mpi::comm_remote_size(parent);
  mpi::comm_disconnect(parent);
  return right ? 0 : 1;
}

TEST(this_program_was_not_spawned) { equal(mpi::comm_get_parent(), mpi::comm_handle{}); }

TEST(programs_are_spawned) {
  if (defect("no-spawn")) return;
  const std::string path = own_path();
  char life[] = "child";
  char* arguments[] = {life, nullptr};
  std::array<int, 2> codes{};
  talk(mpi::comm_spawn(path, arguments, 2, mpi::info_null, 0, world, codes), 2);
  if (rank() == 0) expect(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS);
}

TEST(several_programs_are_spawned_together) {
  if (defect("no-spawn")) return;
  std::string path = own_path();
  char life[] = "child";
  char* arguments[] = {life, nullptr};
  char** all_arguments[] = {arguments, arguments};
  char* commands[] = {path.data(), path.data()};
  const std::array<int, 2> processes{1, 1};
  const std::array<mpi::info_handle, 2> infos{};
  std::array<int, 2> codes{};
  talk(mpi::comm_spawn_multiple(commands, all_arguments, processes, infos, 0, world, codes), 2);
}

TEST(ports_are_opened_accepted_and_connected_to) {
  if (size() < 2 || defect("no-ports")) return;
  std::string port;
  if (rank() == 0) port = mpi::open_port(mpi::info_null);
  port = told(port, 0);
  expect(!port.empty());
  const int side = rank() == 0 ? 0 : 1;
  const mpi::unique_comm mine{mpi::comm_split(world, side, 0)};
  talk(side == 0 ? mpi::comm_accept(port, mpi::info_null, 0, mine)
                 : mpi::comm_connect(port, mpi::info_null, 0, mine),
       side == 0 ? size() - 1 : 1);
  if (rank() == 0) mpi::close_port(port);
}

TEST(services_are_published_and_found) {
  const std::string service = "mpiglot-conformance-" + told(std::to_string(getpid()), 0);
  if (rank() == 0) mpi::publish_name(service, mpi::info_null, "a-port");
  mpi::barrier(world);
  equal(mpi::lookup_name(service, mpi::info_null), std::string("a-port"));
  mpi::barrier(world);
  if (rank() == 0) mpi::unpublish_name(service, mpi::info_null, "a-port");
  mpi::barrier(world);
  refused([&] { return mpi::lookup_name(service, mpi::info_null); },
          {MPI_ERR_NAME, MPI_ERR_SERVICE, MPI_ERR_ARG});
  refused([] { return mpi::lookup_name("no such service", mpi::info_null); },
          {MPI_ERR_NAME, MPI_ERR_SERVICE, MPI_ERR_ARG});
}

TEST(two_processes_join_through_a_socket) {
  if (defect("no-ports")) return;
  if (rank() < 2 && size() > 1) {
    const int socket = connected_socket(1 - rank());
    mpi::comm_handle other = mpi::comm_join(socket);
    talk(other, 1);
    close(socket);
  }
}
