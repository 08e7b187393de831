// What views in the memory of a GPU cost beside copies by hand: messages of n x n doubles between two
// ranks. NVIDIA's driver is loaded while the program runs, so it is not needed to build it. Without
// a GPU the program says so and measures nothing.
//
// A line of the output is n, the way and the median of 21 rounds, in microseconds for one message.
// With the argument `aware`, MPI reads and writes the GPU's memory itself, which it must be built for.

#include <dlfcn.h>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/device.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/strided.hpp>

#include "ways.hpp"

namespace {

using namespace mpiglot;

using measuring::print_medians;
using measuring::rounds;
using measuring::way;

// The functions of the driver that are used here. An address of the device is a number of 64 bits.
class driver {
 public:
  // Why there is no GPU to use; empty: there is one, and it is current.
  std::string open() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) return "there is no driver (libcuda.so.1)";
    int (*init)(unsigned) = nullptr;
    int (*get)(int*, int) = nullptr;
    int (*retain)(void**, int) = nullptr;
    int (*current)(void*) = nullptr;
    if (!find(library, "cuInit", init) || !find(library, "cuDeviceGet", get) ||
        !find(library, "cuDevicePrimaryCtxRetain", retain) ||
        !find(library, "cuCtxSetCurrent", current) || !find(library, "cuMemAlloc_v2", allocate_) ||
        !find(library, "cuMemFree_v2", free_) || !find(library, "cuMemcpy", copy_))
      return "the driver lacks a function";
    int device = 0;
    void* context = nullptr;
    if (init(0) != 0 || get(&device, 0) != 0) return "the driver finds no device";
    if (retain(&context, device) != 0 || current(context) != 0)
      return "the device gives no context";
    return "";
  }
  // Null if there is no such memory.
  [[nodiscard]] double* allocate(std::size_t elements) const {
    std::uint64_t address = 0;
    if (allocate_(&address, elements * sizeof(double)) != 0) return nullptr;
    return reinterpret_cast<double*>(address);
  }
  void free(double* memory) const { free_(reinterpret_cast<std::uint64_t>(memory)); }
  // From and to memory of the host and of the device; false if it failed.
  [[nodiscard]] bool copy(void* to, const void* from, std::size_t bytes) const {
    return copy_(reinterpret_cast<std::uint64_t>(to), reinterpret_cast<std::uint64_t>(from),
                 bytes) == 0;
  }

 private:
  template <class Function>
  static bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
  }
  int (*allocate_)(std::uint64_t*, std::size_t) = nullptr;
  int (*free_)(std::uint64_t) = nullptr;
  int (*copy_)(std::uint64_t, std::uint64_t, std::size_t) = nullptr;
};

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "benchmarks/views/device.cpp: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void compare(const communicator& comm, long n, std::vector<way>& ways,
             const std::function<bool()>& arrived) {
  const bool first = comm.rank() == 0;
  for (int round = 0; round < rounds; ++round)
    for (way& one : ways) {
      comm.barrier();
      const double begin = MPI_Wtime();
      one.exchange(first);
      one.times.push_back((MPI_Wtime() - begin) / 2);
      require(arrived(), one.name.c_str());
    }
  if (first) print_medians(n, ways);
}

void measure(const communicator& comm, const driver& gpu, long n, bool aware) {
  const int other = 1 - comm.rank();
  const auto all = static_cast<std::size_t>(2 * n * n);
  const auto bytes = all / 2 * sizeof(double);
  double* const from = gpu.allocate(all);
  double* const into = gpu.allocate(all);
  require(from != nullptr && into != nullptr, "the device has too little memory");
  std::vector<double> host(all);
  for (std::size_t i = 0; i < all; ++i) host[i] = static_cast<double>(i);
  require(gpu.copy(from, host.data(), all * sizeof(double)), "a copy to the device failed");

  const auto copy = [&](void* to, const void* of, std::size_t size) {
    require(gpu.copy(to, of, size), "a copy failed");
  };
  // Whole, and rows of half a pitch: a row is one copy.
  const auto whole = [&](double* memory) { return strided_view<double>{memory, n, n, n, 1}; };
  const auto rows = [&](double* memory) { return strided_view<double>{memory, n, n, 2 * n, 1}; };
  const auto by_hand_to = [&] {
    copy(host.data(), from, bytes);
    comm.send(send_buf(host), send_count(n * n), destination(other));
  };
  const auto by_hand_from = [&] {
    comm.recv(recv_buf(host), recv_count(n * n), source(other));
    copy(into, host.data(), bytes);
  };
  std::vector<way> ways = {
      {"whole, copied by hand", by_hand_to, by_hand_from},
      {"whole, staged", [&] { comm.send(send_buf(staged(whole(from), copy)), destination(other)); },
       [&] { comm.recv(recv_buf(staged(whole(into), copy)), source(other)); }},
      {"rows with gaps, staged",
       [&] { comm.send(send_buf(staged(rows(from), copy)), destination(other)); },
       [&] { comm.recv(recv_buf(staged(whole(into), copy)), source(other)); }}};
  if (aware)
    ways.push_back({"whole, read by MPI",
                    [&] { comm.send(send_buf(device_aware(whole(from))), destination(other)); },
                    [&] { comm.recv(recv_buf(device_aware(whole(into))), source(other)); }});
  compare(comm, n, ways, [&] {
    double ends[2] = {-1, -1};  // the first element, and one of the first row
    copy(ends, into, sizeof(double));
    copy(ends + 1, into + n - 1, sizeof(double));
    copy(into, host.data() + 1, sizeof(double));  // what is left must not look as if it arrived
    return ends[0] == 0 && ends[1] == static_cast<double>(n - 1);
  });
  gpu.free(from);
  gpu.free(into);
}

}  // namespace

int main(int argc, char** argv) {
  const environment mpi_is_started(argc, argv);
  const communicator comm;
  driver gpu;
  const std::string reason = gpu.open();
  if (!reason.empty()) {
    if (comm.rank() == 0) std::printf("skipped: %s\n", reason.c_str());
    return 0;
  }
  const bool aware = argc > 1 && std::string_view(argv[1]) == "aware";
  for (const long n : {64L, 256L, 1024L}) measure(comm, gpu, n, aware);
}
