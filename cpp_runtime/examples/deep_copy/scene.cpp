// Broadcasts the scene of a ray tracer in five ways (listings 22 to 25 of the paper of MEL, PeerJ CS 2:e95)
// and traces rays through what has arrived: all ranks see the same.
//
//   scene [FILE.obj | torus] [METHOD]
// METHOD is 0: MEL::Deep::Bcast, 1: MEL::Deep::BufferedBcast, 2: by hand, a message a node, 3: by hand,
// MPI_Pack, 4: deep of mpiglot. Without it all have their turn.

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/mel.hpp>
#include <mpiglot/serialized.hpp>

#include "ending.hpp"
#include "scene_by_hand.hpp"
#include "scene_classes.hpp"
#include "scene_files.hpp"
#include "scene_rays.hpp"

namespace {

using namespace tracing;

constexpr const char* methods[] = {"MEL, not buffered", "MEL, buffered",
                                   "by hand, a message a node", "by hand, MPI_Pack", "mpiglot"};
constexpr int rays_of_side = 20;

template <class Scene, class Make>
void fill(Scene& scene, const scenes::mesh& from, const Make& make) {
  scene.corners = from.corners;
  scene.triangles = from.triangles;
  for (int i = 0; i < 4; ++i) scene.materials.push_back({{0.1 * i, 0.5, 0.2}, {1, 1, 1}, 20.0});
  scene.volumes = scenes::volumes_of(scene.corners, scene.triangles, 0,
                                     static_cast<int>(scene.triangles.size()), make);
  const vector3 low = scene.volumes->low;
  const vector3 size = scene.volumes->high - low;
  const double away = 2 * std::max({size.x, size.y, size.z});
  const vector3 eye{low.x + size.x / 2, low.y - away, low.z + size.z / 2 + away / 3};
  const vector3 middle{eye.x, low.y + size.y / 2, low.z + size.z / 2};
  scene.eye = {eye, middle - eye, 0.8};
}

template <class Pointer>
int nodes_of(const Pointer& first) {
  return first == nullptr ? 0 : 1 + nodes_of(first->left) + nodes_of(first->right);
}

// Prints the line of a method. False, on all ranks, if they see different things.
template <class Scene>
bool seen_alike(const Scene& scene, int method, double seconds) {
  const std::vector<hit> mine = hits_of(scene, rays_of_side);
  std::vector<hit> roots = mine;
  MPI_Bcast(roots.data(), static_cast<int>(roots.size() * sizeof(hit)), MPI_BYTE, 0,
            MPI_COMM_WORLD);
  int alike = mine == roots ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &alike, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  const auto hits =
      mine.size() - static_cast<std::size_t>(std::count(mine.begin(), mine.end(), hit{}));
  if (MEL::CommRank(MEL::Comm::WORLD) == 0)
    std::printf("%-25s %.6f s, %zu triangles, %d nodes, %zu of %zu rays hit, %s on all ranks\n",
                methods[method], seconds, scene.triangles.size(), nodes_of(scene.volumes), hits,
                mine.size(), alike != 0 ? "the same" : "NOT the same");
  return alike != 0;
}

bool by_mel_or_hand(int method, const scenes::mesh& mesh, const MEL::Comm& comm) {
  hooked_scene* scene = nullptr;
  if (MEL::CommRank(comm) == 0) {
    scene = MEL::MemConstruct<hooked_scene>();
    fill(*scene, mesh, [] { return MEL::MemConstruct<hooked_volume>(); });
  }
  MEL::Barrier(comm);
  const double begin = MEL::Wtime();
  if (method == 0) {
    // count: example scene: Bcast of MEL
    MEL::Deep::Bcast(scene, 0, comm);
    // end
  } else if (method == 1) {
    MEL::Deep::BufferedBcast(scene, 0, comm);
  } else if (method == 2) {
    node_by_node(scene, static_cast<MPI_Comm>(comm));
  } else {
    packed(scene, static_cast<MPI_Comm>(comm));
  }
  MEL::Barrier(comm);
  const bool alike = seen_alike(*scene, method, MEL::Wtime() - begin);
  MEL::MemDestruct(scene);
  return alike;
}

bool by_mpiglot(const scenes::mesh& mesh, const mpiglot::communicator& comm) {
  listed_scene scene;
  if (comm.rank() == 0) fill(scene, mesh, [] { return std::make_unique<listed_volume>(); });
  comm.barrier();
  const double begin = MEL::Wtime();
  // count: example scene: deep
  comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(scene)));
  // end
  comm.barrier();
  return seen_alike(scene, 4, MEL::Wtime() - begin);
}

}  // namespace

int main(int argc, char** argv) {
  MEL::Init(argc, argv);
  const MEL::Comm comm = MEL::Comm::WORLD;
  const std::string path = argc > 1 ? argv[1] : "torus";
  const int chosen = argc > 2 ? ending::number(argv[2], 0, 4) : 0;
  std::string problem;
  if (argc > 3 || chosen < 0) problem = "scene: wants FILE.obj or torus, and a method from 0 to 4.";
  ending::if_any(problem);

  scenes::mesh mesh;
  if (MEL::CommRank(comm) == 0) try {
      mesh = path == "torus" ? scenes::torus(79, 40) : read_mesh(path);
    } catch (const std::exception& failure) {
      problem = std::string("scene: ") + failure.what();
    }
  ending::if_any(problem);

  bool alike = true;
  for (int method = chosen; method <= (argc > 2 ? chosen : 4); ++method)
    alike = (method < 4 ? by_mel_or_hand(method, mesh, comm) : by_mpiglot(mesh, comm)) && alike;
  MEL::Finalize();
  return alike ? 0 : 1;
}
