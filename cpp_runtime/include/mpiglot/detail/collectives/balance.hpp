// What is sent against what is expected, for each pair of ranks (level `communication`).

#pragma once

#include <cstdint>

#include <mpiglot/detail/collectives/common.hpp>

namespace mpiglot::detail {

/// Each rank adds a number for each message that it sends and takes one away for each that it expects.
/// The number follows from both ranks and the length, so all of them add up to 0 where all agree. Where
/// they do not, they add up to 0 in one of 2^64 cases.
class balance {
 public:
  void sends(int from, int to, count_t n) noexcept { all_ += mark(from, to, n); }
  void expects(int from, int to, count_t n) noexcept { all_ -= mark(from, to, n); }
  /// The same message to everybody.
  void sends_to_all(int from, int ranks, count_t n) noexcept {
    all_ += mark(from, everybody, n) * static_cast<std::uint64_t>(ranks);
  }
  void expects_by_all(int from, count_t n) noexcept { expects(from, everybody, n); }
  /// This rank does not know what it sends or takes: nobody can compare.
  void cannot_tell() noexcept { known_ = false; }
  /// Throws on all ranks unless the numbers of all add up to 0. One message.
  void require(mpi::comm_handle comm) const;

  /// A number for a message.
  [[nodiscard]] static constexpr std::uint64_t mark(int from, int to, count_t n) noexcept {
    const auto pair = static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32 |
                      static_cast<std::uint32_t>(to);
    return mixed(mixed(pair + 0x9e3779b97f4a7c15u) + static_cast<std::uint64_t>(n));
  }

 private:
  static constexpr int everybody = -1;
  [[nodiscard]] static constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

  std::uint64_t all_ = 0;
  bool known_ = true;
};

/// The ranks that send to this one and those that it sends to, in the order of the parts.
template <class Operation>
class partners {
 public:
  explicit partners(group_view group) {
    if constexpr (sees_all<Operation>)
      size_ = group.size;
    else
      decltype(Operation::neighbors(group))::name(group, sources_, destinations_);
  }
  [[nodiscard]] std::size_t sources() const noexcept {
    return sees_all<Operation> ? static_cast<std::size_t>(size_) : sources_.size();
  }
  [[nodiscard]] std::size_t destinations() const noexcept {
    return sees_all<Operation> ? static_cast<std::size_t>(size_) : destinations_.size();
  }
  [[nodiscard]] int source(std::size_t i) const noexcept {
    return sees_all<Operation> ? static_cast<int>(i) : sources_.data()[i];
  }
  [[nodiscard]] int destination(std::size_t i) const noexcept {
    return sees_all<Operation> ? static_cast<int>(i) : destinations_.data()[i];
  }

 private:
  int size_ = 0;
  block<int> sources_, destinations_;
};

/// The size of a datatype.
[[nodiscard]] inline count_t bytes_of_one(mpi::datatype_handle type) {
  int size = 0;
  mpi::detail::check(MPIGLOT_MPI(MPI_Type_size)(type.native, &size), "MPI_Type_size");
  return size;
}

/// Calls `sent(i)` and `received(i)` for the length of each part, as far as the program gives them;
/// MPI_PROC_NULL gets none.
template <class Operation>
void weigh_parts(balance& all, group_view group, std::size_t sent_parts, auto sent,
                 std::size_t received_parts, auto received) {
  const partners<Operation> others(group);
  for (std::size_t i = 0; i < others.destinations() && i < sent_parts; ++i)
    if (others.destination(i) != MPI_PROC_NULL)
      all.sends(group.rank, others.destination(i), sent(i));
  for (std::size_t i = 0; i < others.sources() && i < received_parts; ++i)
    if (others.source(i) != MPI_PROC_NULL) all.expects(others.source(i), group.rank, received(i));
}

}  // namespace mpiglot::detail
