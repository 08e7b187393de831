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
// Errors      those of alltoallv; a rank that fails takes part in both hops, and all learn of it

#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <mpiglot/detail/base/failure.hpp>
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

  /// A rank that fails takes part in both hops, so that all ranks learn of it.
  [[nodiscard]] plugin::parcels exchange(const plugin::parcels& sent) {
    const auto begun = [&](auto action) {
      const std::byte* next = sent.bytes.data();
      for (std::size_t i = 0; i < sent.sizes.size(); next += sent.sizes[i++])
        if (sent.sizes[i] != 0) action(label{rank_, static_cast<int>(i), sent.sizes[i]}, next);
    };
    troubles met{rank_};
    const words passing =
        row_.forward(met, begun, [this](int target) { return shape_.column_of(target); });
    const words arrived = column_.forward(
        met, each_of(passing), [this](int target) { return shape_.place_in_column(target); });
    met.rethrow();
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

  /// What failed so far: here, or elsewhere, as those told who passed it on.
  struct troubles {
    static constexpr int none = -2;
    int rank;
    int failed = none;  // a rank, or `remote_failure::unknown`
    kept_failure own{};

    template <class Action>
    void attempt(int whose, Action action) {
      if (!own.attempt(action) && failed == none) failed = whose;
    }
    void rethrow() {
      own.rethrow();
      if (failed != none) mpi::detail::fail(remote_failure(failed));
    }
  };
  struct outgoing {
    words all;
    std::vector<count_t> counts;
  };
  /// The ranks of one hop.
  class line {
   public:
    explicit line(communicator among)
        : among_(static_cast<communicator&&>(among)), told_(all_told(among_.size())) {}

    /// Sends each parcel to the rank that has the place of its target; or, after a failure, who failed
    /// to all.
    template <class Each, class Place>
    [[nodiscard]] words forward(troubles& met, Each each, Place place_of) {
      outgoing out;
      if (met.failed == troubles::none)
        met.attempt(met.rank, [&] { out = packed(each, place_of); });
      const bool failed = met.failed != troubles::none;
      if (failed) tell(met.failed);
      const outgoing& sent = failed ? told_ : out;
      words came;
      met.attempt(remote_failure::unknown,
                  [&] { came = among_.alltoallv(send_buf(sent.all), send_counts(sent.counts)); });
      each_of(came)([&](const label& head, const std::byte*) {
        if (head.target < 0 && met.failed == troubles::none) met.failed = head.source;
      });
      return came;
    }

   private:
    static constexpr std::size_t label_words = sizeof(label) / word;

    [[nodiscard]] static outgoing all_told(int size) {
      const auto n = static_cast<std::size_t>(size);
      return {words(n * label_words), std::vector<count_t>(n, label_words)};
    }
    void tell(int failed) noexcept {
      const label head{failed, -1, 0};
      for (std::size_t at = 0; at < told_.all.size(); at += label_words)
        std::memcpy(told_.all.data() + at, &head, sizeof head);
    }
    template <class Each, class Place>
    [[nodiscard]] outgoing packed(Each each, Place place_of) const {
      const auto place = [&](const label& head) {
        return static_cast<std::size_t>(place_of(head.target));
      };
      outgoing out;
      out.counts.resize(static_cast<std::size_t>(among_.size()));
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
        std::uint64_t* const to = out.all.data() + next[place(head)];
        std::memcpy(to, &head, sizeof head);
        std::memcpy(reinterpret_cast<std::byte*>(to) + sizeof head, part,
                    static_cast<std::size_t>(head.size));
        next[place(head)] += room_for(head);
      });
      return out;
    }

    communicator among_;
    outgoing told_;
  };

  int rank_;
  grid_shape shape_;
  line row_, column_;
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
