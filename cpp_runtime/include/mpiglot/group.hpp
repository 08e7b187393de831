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
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace mpiglot {

/// A group, owned or borrowed. All functions are local.
class group : public detail::held<mpi::group_handle> {
 public:
  /// The empty group.
  group() : held(mpi::group_handle(mpi::group_empty)) {}
  using held::held;

  /// The number of processes in the group. Local.
  [[nodiscard]] int size() const { return mpi::group_size(present("size")); }
  /// The rank of this process in the group. Empty if it is not a member.
  [[nodiscard]] std::optional<int> rank() const { return known(mpi::group_rank(present("rank"))); }

  /// The union: the processes of `a`, then those of `b` that are not in `a`.
  [[nodiscard]] friend group operator|(const group& a, const group& b) {
    return own(mpi::group_union(a.present("operator|"), b.present("operator|")));
  }
  [[nodiscard]] friend group operator&(const group& a, const group& b) {
    return own(mpi::group_intersection(a.present("operator&"), b.present("operator&")));
  }
  [[nodiscard]] friend group operator-(const group& a, const group& b) {
    return own(mpi::group_difference(a.present("operator-"), b.present("operator-")));
  }
  /// True if both groups have the same processes in the same order.
  [[nodiscard]] friend bool operator==(const group& a, const group& b) {
    return a.compare(b) == mpi::comparison::ident;
  }
  /// Compares the groups: identical, the same processes in another order (similar), or unequal.
  /// Local.
  [[nodiscard]] mpi::comparison compare(mpi::group_handle other) const {
    return mpi::group_compare(present("compare"), other);
  }

  /// Returns the group of these ranks, in the given order.
  [[nodiscard]] group include(std::span<const int> ranks) const {
    return own(mpi::group_incl(present("include"), ranks));
  }
  /// As above, for ranks in braces.
  [[nodiscard]] group include(std::initializer_list<int> ranks) const {
    return include(std::span<const int>(ranks.begin(), ranks.size()));
  }
  /// Returns the group without these ranks; the order of the others is kept.
  [[nodiscard]] group exclude(std::span<const int> ranks) const {
    return own(mpi::group_excl(present("exclude"), ranks));
  }
  /// As above, for ranks in braces.
  [[nodiscard]] group exclude(std::initializer_list<int> ranks) const {
    return exclude(std::span<const int>(ranks.begin(), ranks.size()));
  }
  /// Returns the group of the ranks in the ranges {first, last, stride}, where `last` is included.
  [[nodiscard]] group include_ranges(std::span<const mpi::rank_range> ranges) const {
    return own(mpi::group_range_incl(present("include_ranges"), ranges));
  }
  /// As above, for ranges in braces.
  [[nodiscard]] group include_ranges(std::initializer_list<mpi::rank_range> ranges) const {
    return include_ranges(std::span<const mpi::rank_range>(ranges.begin(), ranges.size()));
  }
  /// Returns the group without the ranks in the ranges {first, last, stride}.
  [[nodiscard]] group exclude_ranges(std::span<const mpi::rank_range> ranges) const {
    return own(mpi::group_range_excl(present("exclude_ranges"), ranges));
  }
  /// Returns the group without the ranks in the ranges {first, last, stride}.
  [[nodiscard]] group exclude_ranges(std::initializer_list<mpi::rank_range> ranges) const {
    return exclude_ranges(std::span<const mpi::rank_range>(ranges.begin(), ranges.size()));
  }

  /// Returns the rank that the process `rank` has in `other`. Empty if it is not a member.
  [[nodiscard]] std::optional<int> translate(int rank, mpi::group_handle other) const {
    require_ranks({&rank, 1});
    int there = mpi::undefined;
    mpi::group_translate_ranks(handle(), {&rank, 1}, other, {&there, 1});
    return known(there);
  }
  /// Returns the ranks of all processes in `other`, in their order here; `mpi::undefined` for those that are
  /// not members.
  [[nodiscard]] std::vector<int> translate(mpi::group_handle other) const {
    std::vector<int> all(static_cast<std::size_t>(size()));
    std::iota(all.begin(), all.end(), 0);
    return translate(all, other);
  }
  /// As above, for several ranks; `mpi::undefined` for those that are not members.
  [[nodiscard]] std::vector<int> translate(std::span<const int> ranks,
                                           mpi::group_handle other) const {
    require_ranks(ranks);
    std::vector<int> there(ranks.size());
    mpi::group_translate_ranks(handle(), ranks, other, there);
    return there;
  }

 private:
  // Some MPIs use a rank as an index before they check it.
  void require_ranks(std::span<const int> ranks) const {
    const int all = mpi::group_size(present("translate"));
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
  return mpiglot::group(mpi::unique_group(mpi::comm_group(present("group"))));
}

}  // namespace mpiglot
