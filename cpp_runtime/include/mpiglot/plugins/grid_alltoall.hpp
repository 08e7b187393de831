// alltoallv in two hops over a grid of the ranks: for many small messages on many ranks. Each rank
// exchanges with about 2 sqrt(size) ranks instead of all, and each byte travels twice.
//
//   basic_communicator<grid_alltoall> comm;
//   auto theirs = comm.alltoallv_grid(send_buf(parts), send_counts(counts));
//
// Parameters  send_buf or send_buf_out; send_counts (an encoded range has one element for each rank
//             and needs none); send_displs; send_type; recv_buf (a vector by value); recv_displs;
//             recv_type
// Asked for   send_counts_out, recv_counts_out (which tells the sources), recv_displs_out,
//             send_displs_out
// Result      that of alltoallv: parts in the order of their sources
// Messages    two alltoallv, each on a part of the ranks. The first call on a communicator splits it
// Allocates   copies of what is sent, forwarded and received
// Limits      where MPI has no functions for large counts (Open MPI 4): 16 GiB sent or received by a
//             rank in one hop
// Errors      those of alltoallv

#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <mpiglot/plugin.hpp>
#include <vector>

namespace mpiglot {

namespace detail {

/// Rows and columns of any number of ranks. Every column has a rank of every row; ranks beyond the
/// last full column join one of the others.
struct grid_shape {
  explicit grid_shape(int size)
      : rows(static_cast<int>(std::lround(std::sqrt(size)))), columns(size / rows) {}

  [[nodiscard]] int row_of(int rank) const noexcept { return rank % rows; }
  [[nodiscard]] int column_of(int rank) const noexcept {
    return rank / rows < columns ? rank / rows : rank % rows % columns;
  }
  [[nodiscard]] int place_in_column(int rank) const noexcept {
    return rank / rows < columns ? rank % rows : rows + rank % rows / columns;
  }

  int rows, columns;
};

/// The communicators of this rank's row and column.
class rank_grid {
  /// What travels is counted in words: where MPI counts with int, bytes would end at 2 GiB.
  using words = std::vector<std::uint64_t>;
  /// In front of each parcel.
  struct label {
    int source, target;
    count_t size;  // bytes
  };
  static constexpr std::size_t word = sizeof(std::uint64_t);

  /// The words of a label and its parcel.
  [[nodiscard]] static std::size_t room_for(const label& head) noexcept {
    return (sizeof head + static_cast<std::size_t>(head.size) + word - 1) / word;
  }
  /// What calls an action for each parcel in what has arrived.
  [[nodiscard]] static auto each_of(const words& all) {
    return [&all](auto action) {
      label head{};
      for (std::size_t at = 0; at < all.size(); at += room_for(head)) {
        std::memcpy(&head, all.data() + at, sizeof head);
        action(head, reinterpret_cast<const std::byte*>(all.data() + at) + sizeof head);
      }
    };
  }

 public:
  explicit rank_grid(mpi::comm_handle comm) : rank_grid(communicator(comm)) {}

  [[nodiscard]] plugin::parcels exchange(const plugin::parcels& sent) const {
    const auto begun = [&](auto action) {
      const std::byte* next = sent.bytes.data();
      for (std::size_t i = 0; i < sent.sizes.size(); next += sent.sizes[i++])
        if (sent.sizes[i] != 0) action(label{rank_, static_cast<int>(i), sent.sizes[i]}, next);
    };
    const words passing =
        forward(row_, begun, [this](int target) { return shape_.column_of(target); });
    const words arrived = forward(column_, each_of(passing),
                                  [this](int target) { return shape_.place_in_column(target); });
    plugin::parcels received{std::vector<count_t>(sent.sizes.size()), {}};
    std::vector<const std::byte*> parts(sent.sizes.size());
    std::size_t room = 0;
    each_of(arrived)([&](const label& head, const std::byte* part) {
      received.sizes[static_cast<std::size_t>(head.source)] = head.size;
      parts[static_cast<std::size_t>(head.source)] = part;
      room += static_cast<std::size_t>(head.size);
    });
    received.bytes.reserve(room);
    for (std::size_t i = 0; i < parts.size(); ++i)
      received.bytes.insert(received.bytes.end(), parts[i], parts[i] + received.sizes[i]);
    return received;
  }

 private:
  explicit rank_grid(const communicator& all)
      : rank_(all.rank()),
        shape_(all.size()),
        row_(all.split(shape_.row_of(rank_))),
        column_(all.split(shape_.column_of(rank_))) {}

  /// Sends each parcel to the rank of `among` that has the place of its target.
  template <class Each, class Place>
  [[nodiscard]] static words forward(const communicator& among, Each each, Place place_of) {
    const auto place = [&](const label& head) {
      return static_cast<std::size_t>(place_of(head.target));
    };
    std::vector<count_t> counts(static_cast<std::size_t>(among.size()));
    each([&](const label& head, const std::byte*) {
      counts[place(head)] += static_cast<count_t>(room_for(head));
    });
    std::vector<std::size_t> next;
    std::size_t room = 0;
    for (const count_t count : counts) {
      next.push_back(room);
      room += static_cast<std::size_t>(count);
    }
    words all(room);
    each([&](const label& head, const std::byte* part) {
      std::uint64_t* const to = all.data() + next[place(head)];
      std::memcpy(to, &head, sizeof head);
      std::memcpy(reinterpret_cast<std::byte*>(to) + sizeof head, part,
                  static_cast<std::size_t>(head.size));
      next[place(head)] += room_for(head);
    });
    return among.alltoallv(send_buf(all), send_counts(counts));
  }

  int rank_;
  grid_shape shape_;
  communicator row_, column_;
};

}  // namespace detail

namespace operations {

struct alltoallv_grid {
  using accepts = plugin::names<keys::send_buf, keys::send_buf_out, keys::send_counts,
                                keys::send_counts_out, keys::send_displs, keys::send_displs_out,
                                keys::send_type, keys::recv_buf, keys::recv_type, keys::recv_displs,
                                keys::recv_counts_out, keys::recv_displs_out>;
  using needs = plugin::names<keys::send_buf>;
  using lengths = keys::send_counts;
  static constexpr const char* name = "alltoallv_grid";
  static constexpr bool varying = true;

  template <class Arguments>
  using state = plugin::exchanging<alltoallv_grid, Arguments>;

  [[nodiscard]] static plugin::parcels move_parts(const plugin::group_view& group,
                                                  const plugin::parcels& sent) {
    return plugin::kept_on<detail::rank_grid>(group.comm).exchange(sent);
  }
};

}  // namespace operations

/// A plugin that adds `alltoallv_grid` to a communicator.
template <class Base>
class grid_alltoall : public Base {
 public:
  using Base::Base;

  /// Sends a part from each rank to each rank in two hops. The comment at the top of this header
  /// lists the parameters. Collective.
  template <class... A>
  auto alltoallv_grid(A&&... a) const {
    using call = plugin::call<operations::alltoallv_grid, typename Base::communicator_type, A...>;
    using right [[maybe_unused]] = typename plugin::judged<typename call::verdict>::is_right;
    return call::perform(this->self(), static_cast<A&&>(a)...);
  }
};

}  // namespace mpiglot
