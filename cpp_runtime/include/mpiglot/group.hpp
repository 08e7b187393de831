// Groups: ordered sets of processes. MPI-4.1, section 7.3.
//
//   const group everyone = comm.group();
//   const group some = everyone.include({0, 2});
//   communicator smaller = comm.create_group(some);

#pragma once

#include <initializer_list>
#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/base/held.hpp>
#include <mpiglot/mpi/groups.hpp>
#include <optional>
#include <span>
#include <vector>

namespace mpiglot {

/// A group, owned or borrowed. Everything here is local.
class group : public detail::held<mpi::group_handle> {
 public:
  /// The empty group.
  group() : held(mpi::group_handle(mpi::group_empty)) {}
  using held::held;

  /// The number of its processes. Local.
  [[nodiscard]] int size() const { return mpi::group_size(handle()); }
  /// This process in the group, if it is in it.
  [[nodiscard]] std::optional<int> rank() const { return known(mpi::group_rank(handle())); }

  /// The processes of either, those of the left one first.
  [[nodiscard]] friend group operator|(const group& a, const group& b) {
    return own(mpi::group_union(a, b));
  }
  [[nodiscard]] friend group operator&(const group& a, const group& b) {
    return own(mpi::group_intersection(a, b));
  }
  [[nodiscard]] friend group operator-(const group& a, const group& b) {
    return own(mpi::group_difference(a, b));
  }
  /// The same processes in the same order.
  [[nodiscard]] friend bool operator==(const group& a, const group& b) {
    return a.compare(b) == mpi::comparison::ident;
  }
  /// Whether the groups have the same processes in the same order, in another, or others. Local.
  [[nodiscard]] mpi::comparison compare(mpi::group_handle other) const {
    return mpi::group_compare(handle(), other);
  }

  /// These ranks, in the order given.
  [[nodiscard]] group include(std::span<const int> ranks) const {
    return own(mpi::group_incl(handle(), ranks));
  }
  /// The same for ranks in braces.
  [[nodiscard]] group include(std::initializer_list<int> ranks) const {
    return include(std::span<const int>(ranks.begin(), ranks.size()));
  }
  /// All but these ranks, in their own order.
  [[nodiscard]] group exclude(std::span<const int> ranks) const {
    return own(mpi::group_excl(handle(), ranks));
  }
  /// The same for ranks in braces.
  [[nodiscard]] group exclude(std::initializer_list<int> ranks) const {
    return exclude(std::span<const int>(ranks.begin(), ranks.size()));
  }
  /// The ranks of these ranges {first, last, stride}; `last` belongs to them.
  [[nodiscard]] group include_ranges(std::span<const mpi::rank_range> ranges) const {
    return own(mpi::group_range_incl(handle(), ranges));
  }
  /// The same for ranges in braces.
  [[nodiscard]] group include_ranges(std::initializer_list<mpi::rank_range> ranges) const {
    return include_ranges(std::span<const mpi::rank_range>(ranges.begin(), ranges.size()));
  }
  /// All but the ranks of these ranges.
  [[nodiscard]] group exclude_ranges(std::span<const mpi::rank_range> ranges) const {
    return own(mpi::group_range_excl(handle(), ranges));
  }
  /// All but the ranks of these ranges.
  [[nodiscard]] group exclude_ranges(std::initializer_list<mpi::rank_range> ranges) const {
    return exclude_ranges(std::span<const mpi::rank_range>(ranges.begin(), ranges.size()));
  }

  /// What `rank` of this group is in `other`, if it is there.
  [[nodiscard]] std::optional<int> translate(int rank, mpi::group_handle other) const {
    require_ranks({&rank, 1});
    int there = mpi::undefined;
    mpi::group_translate_ranks(handle(), {&rank, 1}, other, {&there, 1});
    return known(there);
  }
  /// The same for many; `mpi::undefined` for those that are not there.
  [[nodiscard]] std::vector<int> translate(std::span<const int> ranks,
                                           mpi::group_handle other) const {
    require_ranks(ranks);
    std::vector<int> there(ranks.size());
    mpi::group_translate_ranks(handle(), ranks, other, there);
    return there;
  }

 private:
  // Some MPIs look the rank up before they look at it.
  void require_ranks(std::span<const int> ranks) const {
    const int all = size();
    for (const int rank : ranks)
      if ((rank < 0 || rank >= all) && rank != mpi::proc_null)
        detail::refuse_argument(MPI_ERR_RANK, "a rank to translate is not in the group");
  }
  [[nodiscard]] static group own(mpi::group_handle made) { return group(mpi::unique_group(made)); }
  [[nodiscard]] static std::optional<int> known(int rank) {
    return rank == mpi::undefined ? std::nullopt : std::optional<int>(rank);
  }
};

inline group detail::communicator_core::group() const {
  return mpiglot::group(mpi::unique_group(mpi::comm_group(handle())));
}

}  // namespace mpiglot
