// How likely a tree of species is, given their aligned sequences (Felsenstein's
// algorithm, the model of Jukes and Cantor). Its bits are the same for every
// number of ranks and every distribution of the sites.

#pragma once

#include <array>
#include <cmath>
#include <mpiglot/communicator.hpp>
#include <mpiglot/plugins/reproducible.hpp>
#include <string>
#include <vector>

namespace likelihood {

using communicator = mpiglot::basic_communicator<mpiglot::reproducible>;

/// A node of a tree: a species, or what two earlier nodes descend from, with
/// the lengths of both branches.
struct node {
  int species = -1, left = -1, right = -1;
  double left_length = 0, right_length = 0;
};

/// The logarithm of the likelihood of one site: `letters` has 0 to 3 for each
/// species. The last node is the root.
inline double of_site(const std::vector<node>& tree,
                      const std::string& letters) {
  std::vector<std::array<double, 4>> likely(tree.size());
  const auto along = [&](int child, double length, int to) {
    const double change = -std::expm1(-4 * length / 3) / 4;
    double sum = 0;
    for (int from = 0; from < 4; ++from)
      sum += likely[child][from] * (from == to ? 1 - 3 * change : change);
    return sum;
  };
  for (std::size_t i = 0; i < tree.size(); ++i)
    for (int letter = 0; letter < 4; ++letter)
      likely[i][letter] =
          tree[i].species >= 0
              ? letters[tree[i].species] == letter
              : along(tree[i].left, tree[i].left_length, letter) *
                    along(tree[i].right, tree[i].right_length, letter);
  const auto& root = likely.back();
  return std::log((root[0] + root[1] + root[2] + root[3]) / 4);
}

/// The logarithm of the likelihood of all sites; each rank has some of them.
/// The same on every rank.
inline double of_all(const communicator& comm, const std::vector<node>& tree,
                     const std::vector<std::string>& sites) {
  std::vector<double> logarithms;
  for (const std::string& site : sites)
    logarithms.push_back(of_site(tree, site));
  return comm.reproducible_allreduce(mpiglot::send_buf(logarithms),
                                     mpiglot::op(std::plus<>()));
}

}  // namespace likelihood
