// Runs the three programs and checks what they give. PROGRAMS names the header
// with one binding's.

#include <mpi.h>

#include <cstdio>

#include PROGRAMS

namespace {

int rank = 0;
int size = 0;

void expect(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void check_vector_allgather() {
  std::vector<double> expected;
  for (int r = 0; r < size; ++r)
    for (int i = 0; i < r; ++i) expected.push_back(r + i / 8.0);
  std::vector<double> mine;
  for (int i = 0; i < rank; ++i) mine.push_back(rank + i / 8.0);
  expect(program::everybodys(mine, MPI_COMM_WORLD) == expected,
         "vector allgather");
}

// The ranks' parts are sorted, do not overlap, and hold what was there before.
void check_sample_sort() {
  std::mt19937 random(static_cast<unsigned>(rank));
  std::vector<unsigned long> data(1000 + 100 * static_cast<std::size_t>(rank));
  for (auto& value : data) value = random() % 100000;
  unsigned long before[2] = {data.size(),
                             std::accumulate(data.begin(), data.end(), 0ul)};
  program::sort(MPI_COMM_WORLD, data, 42 + static_cast<std::size_t>(rank));
  unsigned long after[2] = {data.size(),
                            std::accumulate(data.begin(), data.end(), 0ul)};
  expect(std::is_sorted(data.begin(), data.end()), "sample sort: order");
  unsigned long ends[2] = {data.empty() ? 0 : data.front(),
                           data.empty() ? 0 : data.back()};
  std::vector<unsigned long> all(2 * static_cast<std::size_t>(size));
  MPI_Allgather(ends, 2, MPI_UNSIGNED_LONG, all.data(), 2, MPI_UNSIGNED_LONG,
                MPI_COMM_WORLD);
  all.erase(std::remove(all.begin(), all.end(), 0ul), all.end());
  expect(std::is_sorted(all.begin(), all.end()),
         "sample sort: order of the ranks");
  MPI_Allreduce(MPI_IN_PLACE, before, 2, MPI_UNSIGNED_LONG, MPI_SUM,
                MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, after, 2, MPI_UNSIGNED_LONG, MPI_SUM,
                MPI_COMM_WORLD);
  expect(before[0] == after[0] && before[1] == after[1],
         "sample sort: elements");
}

// The same search by one process alone.
void check_bfs() {
  const shared::graph g(rank, size, 25);
  std::vector<std::size_t> expected(g.count, shared::unreached);
  shared::vertices queue{g.count / 2};
  expected[g.count / 2] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at)
    for (const shared::vertex u : g.neighbours(queue[at]))
      if (expected[u] == shared::unreached) {
        expected[u] = expected[queue[at]] + 1;
        queue.push_back(u);
      }
  program::distributed_frontier next(MPI_COMM_WORLD);
  const std::vector<std::size_t> levels = shared::search(g, g.count / 2, next);
  expect(std::equal(levels.begin(), levels.end(),
                    expected.begin() + static_cast<std::ptrdiff_t>(g.first)),
         "BFS: levels");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_vector_allgather();
  check_sample_sort();
  check_bfs();
  if (rank == 0) std::printf("3 programs are right on %d ranks\n", size);
  MPI_Finalize();
}
