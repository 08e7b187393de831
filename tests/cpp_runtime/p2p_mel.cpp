// The functions of MEL between ranks.

#include "../cpp/check.hpp"
#include "mel_classes.hpp"

using namespace mpiglot;
using namespace mel_classes;

namespace {

const MEL::Comm& world() { return MEL::Comm::WORLD; }

struct outside {
  std::vector<int> numbers;
};
template <class MSG>
void outside_DeepCopy(outside& object, MSG& msg) {
  msg & object.numbers;
}
struct throws_in_its_hook {
  void DeepCopy(auto& /*message*/) { throw std::runtime_error("of the hook"); }
};

}  // namespace

TEST(mel_broadcasts_structures_in_both_forms) {
  const std::int64_t before = counted::alive;
  for (int root = 0; root < check::size(); ++root) {
    const bool mine = check::rank() == root;
    scene* const wanted = make_scene();
    scene* got = mine ? make_scene() : nullptr;
    MEL::Deep::Bcast(got, root, world());
    check::expect(same(got->root, wanted->root) && got->materials == wanted->materials);
    if (!mine) MEL::MemDestruct(got);
    MEL::Deep::BufferedBcast(got, root, world(), 1 << 20);
    check::expect(same(got->root, wanted->root) && got->camera.y == 2);
    MEL::MemDestruct(got);
    delete wanted;

    int n = mine ? 8 : 0;
    int* numbers = mine ? MEL::MemAlloc<int>(8, 100) : nullptr;
    if (mine) numbers[7] = 107;
    MEL::Deep::BufferedBcast(numbers, n, root, world());
    check::expect(n == 8 && numbers[0] == 100 && numbers[7] == 107);
    MEL::MemFree(numbers);

    graph here;
    if (mine) here.edges = {&here};
    MEL::Deep::Bcast(here, root, world());
    check::expect(here.edges.size() == 1 && here.edges[0] == &here);

    std::vector<outside> list(mine ? 3 : 1);
    if (mine) list[2].numbers = {1, 2};
    MEL::Deep::Bcast<outside, MEL::Deep::PointerHashMap, outside_DeepCopy, outside_DeepCopy>(
        list, root, world());
    check::expect(list.size() == 3 && list[2].numbers.back() == 2);
  }
  check::equal(counted::alive, before);
}

TEST(mel_receives_from_any_source) {
  constexpr int rounds = 20;
  const std::int64_t before = counted::alive;
  if (check::rank() == 0) {
    std::vector<int> found(static_cast<std::size_t>(check::size()));
    for (int i = 0; i < rounds * (check::size() - 1); ++i) {
      graph* got = nullptr;
      MEL::Deep::Recv(got, MPI_ANY_SOURCE, 3, world());
      const auto nodes = nodes_of(got);
      for (const graph* each : nodes) check::equal(each->value, got->value);
      check::equal(nodes.size(), static_cast<std::size_t>(got->value + 1));
      ++found[static_cast<std::size_t>(got->value)];
      destroy(got);
    }
    for (std::size_t i = 1; i < found.size(); ++i) check::equal(found[i], rounds);
  } else {
    for (int i = 0; i < rounds; ++i) {
      graph* sent = make_graph(1, check::rank() + 1);
      for (graph* each : nodes_of(sent)) each->value = check::rank();
      if (i % 2 == 0)
        MEL::Deep::Send(sent, 0, 3, world());
      else
        MEL::Deep::BufferedSend(sent, 0, 3, world(), 10000);
      destroy(sent);
    }
  }
  check::equal(counted::alive, before);
}

TEST(mel_sends_arrays_with_their_lengths) {
  if (check::size() < 2) return;
  const std::int64_t before = counted::alive;
  if (check::rank() == 0) {
    int len = 5;
    row* rows = make_rows(len);
    for (int i = 0; i < 3; ++i) MEL::Deep::Send(rows, len, 1, i, world());
    free_rows(rows, len);
    row* nothing = nullptr;
    MEL::Deep::Send(nothing, 1, 7, world());
  } else if (check::rank() == 1) {
    int len = 0;
    row* rows = nullptr;
    MEL::Deep::Recv(rows, len, 0, 0, world());
    check::expect(len == 5 && are_rows(rows, 5));
    free_rows(rows, len);
    check::thrown_by<count_error>([&] { MEL::Deep::BufferedRecv(rows, 4, 0, 1, world()); });
    check::expect(rows == nullptr);
    MEL::Deep::Recv(rows, 5, 0, 2, world());
    check::expect(are_rows(rows, 5));
    free_rows(rows, 5);
    rows = reinterpret_cast<row*>(8);  // an old value is forgotten
    MEL::Deep::Recv(rows, 0, 7, world());
    check::expect(rows == nullptr);
  }
  check::equal(counted::alive, before);
}

TEST(mel_tells_ranks_and_converts_communicators) {
  const communicator comm;
  check::equal(MEL::CommRank(comm), check::rank());
  check::equal(MEL::CommSize(world()), check::size());
  check::expect(static_cast<MPI_Comm>(MEL::Comm(comm)) == MPI_COMM_WORLD);
  const communicator back = world();
  check::equal(back.size(), comm.size());
  const double began = MEL::Wtime();
  MEL::Barrier(world());
  check::expect(MEL::Wtime() >= began);
}

// Those who wait for what a hook refuses to write get an error, too.
TEST(an_exception_of_a_hook_reaches_all_ranks) {
  throws_in_its_hook object;
  if (check::size() == 1 || check::rank() == 0)
    check::thrown_by<std::runtime_error>([&] { MEL::Deep::Bcast(object, 0, world()); });
  else
    check::thrown_by<remote_failure>([&] { MEL::Deep::Bcast(object, 0, world()); });
}

TEST(graphs_go_to_mpi_files_of_mel) {
  const std::int64_t before = counted::alive;
  const std::string path = "p2p_mel." + std::to_string(check::size());
  MPI_File opened = MPI_FILE_NULL;
  check::equal(MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR,
                             MPI_INFO_NULL, &opened),
               MPI_SUCCESS);
  MEL::File to(opened, MPI_Offset{check::rank()} << 20);
  check::expect(static_cast<MPI_File>(to) == opened);
  for (int kind = 0; kind < 4; ++kind) {
    graph* sent = make_graph(kind, 40);
    graph* back = nullptr;
    MEL::File from(opened, to.offset());
    MEL::Deep::FileWrite(sent, to);
    MEL::Deep::FileRead(back, from);
    check::expect(shape_of(sent) == shape_of(back) && from.offset() == to.offset());
    destroy(sent);
    destroy(back);
  }
  MPI_File_close(&opened);
  if (check::rank() == 0) std::remove(path.c_str());
  check::equal(counted::alive, before);
}
