// Runs the programs on small inputs and compares what they give with a
// reference that one process computes.
//
//   check [CHARACTERS [SEED]]

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mpiglot/environment.hpp>
#include <mpiglot/serialized.hpp>
#include <queue>
#include <random>
#include <string>

#include "likelihood.hpp"
#include "searches.hpp"
#include "suffix_array.hpp"

namespace {

void require(bool right, const char* what,
             const mpiglot::communicator& comm = {}) {
  if (comm.is_same_on_all_ranks(right) && right) return;
  if (!right)
    std::fprintf(stderr, "rank %d of %d: wrong: %s\n", comm.rank(), comm.size(),
                 what);
  comm.abort();
}

/// A text of so many of the first characters, which repeats itself after
/// `period`.
suffixes::numbers make_text(std::size_t length, int characters,
                            std::size_t period, unsigned seed) {
  std::mt19937 random(seed);
  suffixes::numbers text(length);
  for (std::size_t i = 0; i < length; ++i)
    text[i] = i < period ? 1 + static_cast<long>(
                                   random() % static_cast<unsigned>(characters))
                         : text[i - period];
  return text;
}

/// Each suffix is less than the next one: by the first character, and then by
/// the places of the suffixes behind.
bool is_suffix_array(const suffixes::numbers& text,
                     const suffixes::numbers& found) {
  const std::size_t n = text.size();
  if (found.size() != n) return false;
  std::vector<long> place_of(n + 1, -1);
  for (std::size_t i = 0; i < n; ++i) {
    if (found[i] < 0 || found[i] >= static_cast<long>(n)) return false;
    long& place = place_of[static_cast<std::size_t>(found[i])];
    if (place != -1) return false;
    place = static_cast<long>(i);
  }
  for (std::size_t i = 1; i < n; ++i) {
    const auto a = static_cast<std::size_t>(found[i - 1]),
               b = static_cast<std::size_t>(found[i]);
    if (text[a] > text[b] ||
        (text[a] == text[b] && place_of[a + 1] >= place_of[b + 1]))
      return false;
  }
  return true;
}

void check_suffix_arrays(const suffixes::communicator& comm, std::size_t length,
                         int characters, std::size_t period, unsigned seed,
                         bool uneven) {
  const auto text = make_text(length, characters, period, seed);
  const auto ranks = static_cast<std::size_t>(comm.size()),
             rank = static_cast<std::size_t>(comm.rank());
  const auto end_of = [&](std::size_t of) {
    return static_cast<std::ptrdiff_t>(
        uneven ? length * of * of / (ranks * ranks) : length * of / ranks);
  };
  const suffixes::numbers mine(text.begin() + end_of(rank),
                               text.begin() + end_of(rank + 1));
  for (const auto by : {&suffixes::prefix_doubling, &suffixes::dc3}) {
    const auto found = by(comm, mine);
    require(found.size() == (length + ranks - 1 - rank) / ranks,
            "length of a part");
    require(is_suffix_array(text, comm.allgatherv(mpiglot::send_buf(found))),
            "suffix array");
  }
}

std::vector<long> distances_by_one(const graphs::part& whole,
                                   graphs::vertex source) {
  std::vector<long> found(whole.neighbors.size(), -1);
  std::queue<graphs::vertex> next;
  if (!found.empty()) {
    next.push(source);
    found[static_cast<std::size_t>(source)] = 0;
  }
  for (; !next.empty(); next.pop())
    for (const graphs::vertex u : whole.of(next.front()))
      if (found[static_cast<std::size_t>(u)] == -1) {
        found[static_cast<std::size_t>(u)] =
            found[static_cast<std::size_t>(next.front())] + 1;
        next.push(u);
      }
  return found;
}

// The same rounds, of all vertices in one place.
std::vector<graphs::vertex> labels_by_one(const graphs::part& whole,
                                          long largest, int rounds) {
  const auto n = static_cast<graphs::vertex>(whole.neighbors.size());
  std::vector<graphs::vertex> labels(whole.neighbors.size());
  std::iota(labels.begin(), labels.end(), 0);
  std::vector<long> sizes(whole.neighbors.size(), 1);
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::pair<graphs::vertex, graphs::vertex>>
        moves;  // to a label, of a vertex
    for (graphs::vertex v = 0; v < n; ++v) {
      if (graphs::random_numbers(static_cast<std::uint64_t>(round),
                                 static_cast<std::uint64_t>(v))
                  .next() %
              2 ==
          0)
        continue;
      const graphs::vertex own = labels[static_cast<std::size_t>(v)];
      std::map<graphs::vertex, long> counts;
      for (const graphs::vertex u : whole.of(v))
        ++counts[labels[static_cast<std::size_t>(u)]];
      graphs::vertex best = own;
      long most = counts[own];
      for (const auto& [label, count] : counts)
        if (count > most) {
          best = label;
          most = count;
        }
      if (best != own) moves.emplace_back(best, v);
    }
    std::vector<graphs::vertex> left;
    for (const auto& [label, v] : moves) {
      if (sizes[static_cast<std::size_t>(label)] >= largest) continue;
      ++sizes[static_cast<std::size_t>(label)];
      left.push_back(std::exchange(labels[static_cast<std::size_t>(v)], label));
    }
    for (const graphs::vertex label : left)
      --sizes[static_cast<std::size_t>(label)];
  }
  return labels;
}

template <class T>
bool is_part_of(const std::vector<T>& mine, const std::vector<T>& all,
                graphs::vertex first) {
  return std::equal(
      mine.begin(), mine.end(), all.begin() + first,
      all.begin() + first + static_cast<std::ptrdiff_t>(mine.size()));
}

template <class Generator>
void check_searches(const searches::communicator& comm, Generator generate) {
  const graphs::part graph = generate(comm.rank(), comm.size()),
                     whole = generate(0, 1);
  require(is_part_of(graph.neighbors, whole.neighbors, graph.first),
          "the graph");
  const graphs::vertex source = whole.count / 3;
  const auto expected = distances_by_one(whole, source);
  const auto by = [&](const char* what, auto exchange) {
    const auto found = searches::distances(
        comm, graph, source,
        [&](const auto& on, const auto& next) { return exchange(on, next); });
    require(is_part_of(found, expected, graph.first), what);
  };
  by("BFS by alltoallv", [](const auto& on, const auto& next) {
    return on.alltoallv(mpiglot::send_buf(mpiglot::flattened(next)));
  });
  by("BFS by a grid", [](const auto& on, const auto& next) {
    return on.alltoallv_grid(mpiglot::send_buf(mpiglot::flattened(next)));
  });
  by("BFS by what is best", [](const auto& on, const auto& next) {
    return on.alltoallv_auto(mpiglot::send_buf(mpiglot::flattened(next)));
  });
  const auto found = searches::distances(
      comm, graph, source, [](const auto& on, const auto& next) {
        graphs::vertices all;
        for (const auto& [from, some] :
             on.alltoall_sparse(mpiglot::sparse_send_buf(next)))
          all.insert(all.end(), some.begin(), some.end());
        return all;
      });
  require(is_part_of(found, expected, graph.first), "BFS by sparse messages");
  for (const long largest : {8L, 1000L})
    require(is_part_of(searches::label_propagation(comm, graph, largest).run(4),
                       labels_by_one(whole, largest, 4), graph.first),
            "label propagation");
}

// Neighbours first, then neighbours of these: what reproducible_allreduce
// promises.
double sum_by_tree(std::vector<double> values) {
  for (; values.size() > 1; values.resize((values.size() + 1) / 2))
    for (std::size_t i = 0; i < values.size(); i += 2)
      values[i / 2] =
          i + 1 < values.size() ? values[i] + values[i + 1] : values[i];
  return values.at(0);
}

void check_likelihood(const likelihood::communicator& comm, std::size_t count) {
  std::mt19937 random(7);
  std::vector<likelihood::node> tree;
  std::vector<int> roots;
  for (int species = 0; species < 12; ++species) {
    roots.push_back(static_cast<int>(tree.size()));
    tree.push_back({.species = species});
  }
  while (roots.size() > 1) {
    std::shuffle(roots.begin(), roots.end(), random);
    likelihood::node joined{.left = roots.back(),
                            .right = roots[roots.size() - 2]};
    joined.left_length = 0.01 + 0.001 * static_cast<double>(random() % 500);
    joined.right_length = 0.01 + 0.001 * static_cast<double>(random() % 500);
    roots.resize(roots.size() - 2);
    roots.push_back(static_cast<int>(tree.size()));
    tree.push_back(joined);
  }
  std::vector<std::string> sites(count, std::string(12, '\0'));
  for (std::string& site : sites)
    for (char& letter : site) letter = static_cast<char>(random() % 4);
  std::vector<double> logarithms;
  for (const std::string& site : sites)
    logarithms.push_back(likelihood::of_site(tree, site));
  const double expected = sum_by_tree(logarithms);
  std::vector<likelihood::node> told;
  if (comm.rank() == 0) told = tree;
  comm.bcast(mpiglot::send_recv_buf(mpiglot::as_serialized(told)));
  const auto ranks = static_cast<std::size_t>(comm.size()),
             rank = static_cast<std::size_t>(comm.rank());
  for (const std::size_t power :
       {std::size_t{1}, std::size_t{3}}) {  // even and uneven parts
    const auto end_of = [&](std::size_t of) {
      std::size_t end = count;
      for (std::size_t i = 0; i < power; ++i) end = end * of / ranks;
      return static_cast<std::ptrdiff_t>(end);
    };
    const std::vector<std::string> mine(sites.begin() + end_of(rank),
                                        sites.begin() + end_of(rank + 1));
    require(likelihood::of_all(comm, told, mine) == expected,
            "the bits of a likelihood");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const mpiglot::environment mpi;
  const suffixes::communicator comm;
  const auto length =
      static_cast<std::size_t>(argc > 1 ? std::atol(argv[1]) : 600);
  for (const std::size_t n : {0u, 1u, 2u, 99u, 101u, 102u, 103u})
    check_suffix_arrays(comm, n, 1 + static_cast<int>(n % 3), n, 1, n % 2 != 0);
  check_suffix_arrays(comm, length, 26, length, 2, true);
  check_suffix_arrays(comm, length, 1, length, 3, false);
  check_suffix_arrays(comm, length, 2, length / 4 + 1, 4, true);
  const searches::communicator searching;
  const std::size_t few = std::min<std::size_t>(length, 4000);
  const auto vertices = static_cast<graphs::vertex>(few / 4);
  const unsigned seed =
      static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
  check_searches(searching, [&](int rank, int ranks) {
    return graphs::erdos_renyi(vertices, 6, rank, ranks, seed);
  });
  check_searches(searching, [&](int rank, int ranks) {
    return graphs::random_geometric(
        static_cast<graphs::vertex>(std::sqrt(vertices / 3.0)), 3, rank, ranks,
        seed);
  });
  check_searches(searching, [&](int rank, int ranks) {
    return graphs::random_hyperbolic(vertices, 6, rank, ranks, seed);
  });
  for (const std::size_t sites : {std::size_t{1}, std::size_t{7}, few})
    check_likelihood(likelihood::communicator(), sites);
  if (comm.rank() == 0)
    std::printf("all programs are right on %d ranks\n", comm.size());
}
