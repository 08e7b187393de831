// alltoallv in two hops over a grid of the ranks: for many small messages on many ranks. Each rank
// exchanges with about 2 sqrt(size) ranks instead of all, and each byte travels twice.
//
//   basic_communicator<grid_alltoall> comm;
//   auto theirs = comm.alltoallv_grid(send_buf(parts), send_counts(counts));
//
// Members     alltoallv_grid, ialltoallv_grid
// Parameters  send_buf or send_buf_out; send_counts (an encoded range has one element for each rank
//             and needs none); send_displs; send_type; recv_buf (a vector by value); recv_displs;
//             recv_type
// Asked for   send_counts_out, recv_counts_out (which tells the sources), recv_displs_out,
//             send_displs_out
// Result      that of alltoallv: parts in the order of their sources
// Messages    two alltoallv, each on a part of the ranks. The first call on a communicator splits it
// Later       lengths and parts of each hop, and whether a rank failed, are five stages that whoever
//             waits drives. Several may be in flight, completed in any order. The first call on a
//             communicator makes those of the stages
// Allocates   copies of what is sent, forwarded and received
// Limits      where MPI has no functions for large counts (Open MPI 4): 16 GiB sent or received by a
//             rank in one hop
// Errors      those of alltoallv; a rank that fails takes part in both hops, and all learn of it

#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <mpiglot/plugin.hpp>
#include <vector>

namespace mpiglot {

namespace grid_parts {

/// Rows and columns of any number of ranks. Every column has a rank of every row; ranks beyond the
/// last full column join one of the others.
struct grid_shape {
  explicit grid_shape(int size)
      : rows(static_cast<int>(std::lround(std::sqrt(size)))), columns(size / rows) {}

  /// The row of a rank.
  [[nodiscard]] int row_of(int rank) const noexcept { return rank % rows; }
  /// The column of a rank, which is its place in its row.
  [[nodiscard]] int column_of(int rank) const noexcept {
    return rank / rows < columns ? rank / rows : rank % rows % columns;
  }
  /// The place of a rank in its column.
  [[nodiscard]] int place_in_column(int rank) const noexcept {
    return rank / rows < columns ? rank % rows : rows + rank % rows / columns;
  }

  int rows, columns;
};

/// What this rank does in the two hops, however they are made.
class grid_route {
  /// What travels is counted in words: where MPI counts with int, bytes would end at 2 GiB.
  using word = std::uint64_t;
  /// In front of each parcel.
  struct label {
    int source, target;
    count_t size;  // bytes
  };

  /// The words of a label and its parcel.
  [[nodiscard]] static std::size_t room_for(const label& head) noexcept {
    return (sizeof head + static_cast<std::size_t>(head.size) + sizeof(word) - 1) / sizeof(word);
  }
  /// What calls an action for each parcel in what has arrived.
  [[nodiscard]] static auto each_of(const std::vector<word>& all) {
    return [&all](auto action) {
      label head{};
      for (std::size_t at = 0; at < all.size(); at += room_for(head)) {
        std::memcpy(&head, all.data() + at, sizeof head);
        action(head, reinterpret_cast<const std::byte*>(all.data() + at) + sizeof head);
      }
    };
  }

 public:
  /// What is sent in a hop.
  using outgoing = plugin::parts<word>;
  /// The words of a label.
  static constexpr std::size_t label_words = sizeof(label) / sizeof(word);

  grid_route(const grid_shape& shape, int rank) noexcept : shape_(shape), rank_(rank) {}

  /// What goes to the ranks of this one's row.
  [[nodiscard]] outgoing to_row(const plugin::parcels& sent, int ranks) const {
    const auto each = [&](auto action) {
      const std::byte* next = sent.bytes.data();
      for (std::size_t i = 0; i < sent.sizes.size(); next += sent.sizes[i++])
        if (sent.sizes[i] != 0) action(label{rank_, static_cast<int>(i), sent.sizes[i]}, next);
    };
    return packed(ranks, each, [this](int target) { return shape_.column_of(target); });
  }
  /// What goes on to the ranks of its column.
  [[nodiscard]] outgoing to_column(const std::vector<word>& came, int ranks) const {
    return packed(ranks, each_of(came),
                  [this](int target) { return shape_.place_in_column(target); });
  }
  /// What came, by source.
  [[nodiscard]] static plugin::parcels received(const std::vector<word>& came, std::size_t ranks) {
    plugin::parcels all{std::vector<count_t>(ranks), {}};
    std::vector<const std::byte*> parts(ranks);
    std::size_t room = 0;
    each_of(came)([&](const label& head, const std::byte* part) {
      all.sizes[static_cast<std::size_t>(head.source)] = head.size;
      parts[static_cast<std::size_t>(head.source)] = part;
      room += static_cast<std::size_t>(head.size);
    });
    all.bytes.reserve(room);
    for (std::size_t i = 0; i < parts.size(); ++i)
      all.bytes.insert(all.bytes.end(), parts[i], parts[i] + all.sizes[i]);
    return all;
  }

  /// What tells each of so many ranks that one failed, made before anything can fail.
  [[nodiscard]] static outgoing room_to_tell(int ranks) {
    const auto n = static_cast<std::size_t>(ranks);
    return {std::vector<word>(n * label_words), std::vector<count_t>(n, label_words)};
  }
  /// Writes who failed.
  static void tell(outgoing& all, int failed) noexcept {
    const label head{failed, -1, 0};
    for (std::size_t at = 0; at < all.all.size(); at += label_words)
      std::memcpy(all.all.data() + at, &head, sizeof head);
  }
  /// Reads who failed, from what came.
  static void learn(plugin::troubles& met, const std::vector<word>& came) {
    each_of(came)([&](const label& head, const std::byte*) {
      if (head.target < 0) met.met(head.source);
    });
  }

 private:
  template <class Each, class Place>
  [[nodiscard]] static outgoing packed(int ranks, Each each, Place place_of) {
    const auto place = [&](const label& head) {
      return static_cast<std::size_t>(place_of(head.target));
    };
    outgoing out;
    out.counts.resize(static_cast<std::size_t>(ranks));
    each([&](const label& head, const std::byte*) {
      out.counts[place(head)] += static_cast<count_t>(room_for(head));
    });
    std::vector<std::size_t> next;
    std::size_t room = 0;
    for (const count_t count : out.counts) {
      next.push_back(room);
      room += static_cast<std::size_t>(count);
    }
    out.all.resize(room);
    each([&](const label& head, const std::byte* part) {
      word* const to = out.all.data() + next[place(head)];
      std::memcpy(to, &head, sizeof head);
      std::memcpy(reinterpret_cast<std::byte*>(to) + sizeof head, part,
                  static_cast<std::size_t>(head.size));
      next[place(head)] += room_for(head);
    });
    return out;
  }

  grid_shape shape_;
  int rank_;
};

/// The communicators of this rank's row and column.
class rank_grid {
  struct line {
    explicit line(communicator ranks)
        : among(static_cast<communicator&&>(ranks)), told(grid_route::room_to_tell(among.size())) {}

    /// Sends what `pack()` gives; or, after a failure, who failed to all.
    template <class Pack>
    [[nodiscard]] auto hop(plugin::troubles& met, Pack pack) {
      grid_route::outgoing out;
      if (!met.any()) met.attempt(met.rank, [&] { out = pack(); });
      if (met.any()) grid_route::tell(told, met.failed);
      const grid_route::outgoing& sent = met.any() ? told : out;
      decltype(out.all) came;
      met.attempt(remote_failure::unknown,
                  [&] { came = among.alltoallv(send_buf(sent.all), send_counts(sent.counts)); });
      grid_route::learn(met, came);
      return came;
    }

    communicator among;
    grid_route::outgoing told;
  };

 public:
  explicit rank_grid(mpi::comm_handle comm) : rank_grid(communicator(comm)) {}

  /// A rank that fails takes part in both hops, so that all ranks learn of it.
  [[nodiscard]] plugin::parcels exchange(const plugin::parcels& sent) {
    plugin::troubles met{rank_};
    const grid_route route(shape_, rank_);
    auto came = row_.hop(met, [&] { return route.to_row(sent, row_.among.size()); });
    came = column_.hop(met, [&] { return route.to_column(came, column_.among.size()); });
    met.rethrow();
    return grid_route::received(came, sent.sizes.size());
  }

 private:
  explicit rank_grid(const communicator& all)
      : rank_(all.rank()),
        shape_(all.size()),
        row_(all.split(shape_.row_of(rank_))),
        column_(all.split(shape_.column_of(rank_))) {}

  int rank_;
  grid_shape shape_;
  line row_, column_;
};

/// The two hops in stages.
class grid_in_stages {
 public:
  static constexpr int stages = 4;
  /// The communicators of the stages.
  struct kept : plugin::stage_context {
    explicit kept(mpi::comm_handle comm) : kept(comm, plugin::stage_communicator(comm)) {}
    kept(mpi::comm_handle comm, const plugin::stage_communicator& all)
        : plugin::stage_context(comm),
          shape(all.size()),
          row(all.split(shape.row_of(all.rank()))),
          column(all.split(shape.column_of(all.rank()))),
          row_again(row.dup()),
          column_again(column.dup()) {}

    grid_shape shape;
    plugin::stage_communicator row, column, row_again, column_again;
  };

  /// `sent` is there until all is complete.
  grid_in_stages(kept& lines, int rank, const plugin::parcels& sent)
      : route_(lines.shape, rank),
        sent_(sent),
        hops_{{lines.row, lines.row_again}, {lines.column, lines.column_again}} {}

  void begin(int stage, plugin::troubles& met) {
    auto& hop = hops_[stage / 2];
    if (stage % 2 != 0) return hop.begin_elements(met);
    grid_route::outgoing out;
    if (!met.any())
      met.attempt(met.rank, [&] {
        out = stage == 0 ? route_.to_row(sent_, hop.ranks())
                         : route_.to_column(hops_[0].received(), hop.ranks());
      });
    hop.begin_lengths(met, static_cast<grid_route::outgoing&&>(out));
  }
  /// Tests a stage.
  [[nodiscard]] bool completed(int stage, plugin::troubles& met) {
    auto& hop = hops_[stage / 2];
    return stage % 2 == 0 ? hop.lengths_came(met) : hop.elements_came(met);
  }
  /// What came, by source, where nothing failed.
  [[nodiscard]] plugin::parcels received() {
    return grid_route::received(hops_[1].received(), sent_.sizes.size());
  }

 private:
  grid_route route_;
  const plugin::parcels& sent_;
  plugin::exchange_stages<std::uint64_t> hops_[2];
};

}  // namespace grid_parts

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
  using route = grid_parts::grid_in_stages;

  [[nodiscard]] static plugin::parcels move_parts(const plugin::group_view& group,
                                                  const plugin::parcels& sent) {
    return plugin::kept_on<grid_parts::rank_grid>(group.comm).exchange(sent);
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
  /// The same while the program goes on: returns a request. Whoever waits drives its stages. Several may
  /// be in flight, and each rank may complete them in its own order. Collective.
  template <class... A>
  auto ialltoallv_grid(A&&... a) const {
    using call =
        plugin::call_later<operations::alltoallv_grid, typename Base::communicator_type, A...>;
    using right [[maybe_unused]] = typename plugin::judged<typename call::verdict>::is_right;
    return call::perform(this->self(), static_cast<A&&>(a)...);
  }
};

}  // namespace mpiglot
