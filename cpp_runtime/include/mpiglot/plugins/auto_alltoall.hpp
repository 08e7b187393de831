// alltoallv by the way that the previous call has shown to be the best: direct, in two hops over a grid of the
// ranks, or by messages to those ranks alone to which something is sent.
//
//   basic_communicator<auto_alltoall> comm;
//   auto theirs = comm.alltoallv_auto(send_buf(parts), send_counts(counts));
//
// Members     alltoallv_auto, ialltoallv_auto
// Parameters  send_buf or send_buf_out; send_counts (an encoded range has one element for each rank and needs
//             none); send_displs; send_type; recv_buf (a vector by value); recv_displs; recv_type
// Asked for   send_counts_out, recv_counts_out, recv_displs_out, send_displs_out
// Result      that of alltoallv: parts in the order of their sources
// Messages    those of the way, and two allgathers of five integers in the hops of the grid (below 8 ranks an
//             allreduce), which tell how many ranks each one exchanges with and how much: the next call's way
//             depends on the largest, and on the number of ranks. The first call goes over the grid. Below 8
//             ranks all calls are direct. The first call makes the communicators
// Later       these are stages, which whoever waits drives. Several may be in flight; one begins when the one
//             before is complete. send_buf stays as it is until the end
// Allocates   what alltoallv_grid does
// Limits      where MPI has no functions for large counts (Open MPI 4): 2^31 elements sent or received by a rank in
//             one hop
// Errors      those of alltoallv; all ranks learn of an error on one

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <mpiglot/mpi/datatypes.hpp>
#include <mpiglot/mpi/pt2pt.hpp>
#include <mpiglot/plugin.hpp>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <optional>
#include <variant>
#include <vector>

namespace mpiglot {

namespace auto_parts {

/// How the parts travel.
enum class way : unsigned char { direct, grid, sparse };

/// The communicators of the ways, and what the calls have shown.
struct ways : plugin::stage_context {
  /// A grid with any number of hops.
  using grid_of_hops = operations::alltoallv_grid::grid;
  /// What chooses the way of the next call, on all ranks the same one.
  using chooser = way (*)(const ways&);

  /// Below `least` ranks all calls are direct.
  explicit ways(mpi::comm_handle comm, count_t least = 8, chooser chooses = &by_costs)
      : stage_context(comm), choose(chooses), direct(comm, 1) {
    ranks = partners = verdict.size();
    if (ranks < least) return;
    grid.emplace(comm, 2);
    verdict_hops.swap(grid->verdict_hops);
    messages.emplace(verdict.dup());
    barrier.emplace(verdict.dup());
  }

  /// The way that costs least.
  [[nodiscard]] static way by_costs(const ways& on) {
    count_t in_lines = 0;
    for (const plugin::hop& each : on.grid->hops) in_lines += each.lengths.size();
    return cheapest(on.ranks, in_lines, on.partners, on.bytes);
  }
  /// By the messages and bytes of the busiest rank; a message costs as much as 10,000 bytes. `in_lines`: the
  /// messages of the grid, in which each byte travels twice.
  [[nodiscard]] static constexpr way cheapest(count_t ranks, count_t in_lines, count_t partners,
                                              count_t bytes) {
    constexpr count_t message = 10'000;
    const auto rounds = static_cast<count_t>(std::bit_width(static_cast<std::uint64_t>(ranks)));
    const count_t costs[] = {message * ranks + bytes, message * in_lines + 2 * bytes,
                             2 * message * (partners + rounds) + bytes};
    return static_cast<way>(std::min_element(costs, costs + 3) - costs);
  }

  chooser choose;
  grid_of_hops direct;
  std::optional<grid_of_hops> grid;
  std::optional<plugin::stage_communicator> messages, barrier;
  count_t ranks = 0;
  count_t partners = 0;  // of the rank that had most, in the call before
  count_t bytes = 0;     // of the rank that sent or received most
  count_t begun = 0, ended = 0;
};

/// Synchronous sends, and a barrier that nobody enters before its own messages have been received (NBX: T. Hoefler,
/// C. Siebert, A. Lumsdaine: Scalable communication protocols for dynamic sparse data exchange, PPoPP 2010).
template <class T>
class sparse_route {
 public:
  /// `sent` is there until all is complete; calls that follow each other have different tags.
  sparse_route(const ways& on, const plugin::group_view& group, const plugin::parts<T>& sent,
               int tag)
      : on_(on),
        group_(group),
        sent_(sent),
        tag_(tag),
        counts_(static_cast<std::size_t>(group.size)) {
    sending_.reserve(counts_.size());
    receiving_.reserve(counts_.size());
  }
  /// Two.
  [[nodiscard]] int stages() const { return 2; }
  /// Sends; then enters the barrier.
  void begin(int stage, plugin::troubles& met) {
    if (stage == 1) return barrier_.begin(met, [&] { return on_.barrier->ibarrier(); });
    if (met.any()) return;
    const T* part = sent_.elements;
    for (int rank = 0; rank < group_.size; ++rank) {
      const count_t n = sent_.counts[static_cast<std::size_t>(rank)];
      if (rank == group_.rank)
        own_ = part;
      else if (n != 0)
        met.attempt([&] {
          sending_.push_back(
              mpi::issend(part, n, datatype_of<T>(), rank, tag_, on_.messages->handle()));
        });
      part += n;
    }
  }
  /// Receives, and tests the stage.
  [[nodiscard]] bool completed(int stage, plugin::troubles& met) {
    while (receive_one(met)) continue;
    return (stage == 0 || barrier_.tested(met)) && done(stage == 0 ? sending_ : receiving_, met);
  }
  /// What came, by source.
  [[nodiscard]] plugin::arrived<T> received() {
    const auto self = static_cast<std::size_t>(group_.rank);
    counts_[self] = sent_.counts[self];
    auto all = static_cast<std::size_t>(counts_[self]);
    std::vector<const T*> from(counts_.size(), own_);
    for (const message& each : came_) {
      counts_[each.source] = static_cast<count_t>(each.elements.size());
      from[each.source] = each.elements.data();
      all += each.elements.size();
    }
    elements_.resize(all);
    T* to = elements_.data();
    for (std::size_t i = 0; i < from.size(); ++i) to = std::copy_n(from[i], counts_[i], to);
    came_.clear();
    return {{elements_.data(), counts_}};
  }

 private:
  struct message {
    std::size_t source;
    plugin::elements_on_the_way<T> elements;
  };
  // Only the thread that drives receives on this communicator: what was seen is what is received.
  bool receive_one(plugin::troubles& met) {
    mpi::status status;
    bool found = false;
    met.attempt(
        [&] { found = mpi::iprobe(mpi::any_source, tag_, on_.messages->handle(), status); });
    if (!found) return false;
    // Elements of another size than here are an error that all ranks learn; until then they are bytes.
    count_t n = 0;
    mpi::datatype_handle type = datatype_of<T>();
    met.attempt([&] { n = mpi::get_count(status, type); });
    auto room = static_cast<std::size_t>(n);
    if (n < 0) {
      type = mpi::byte;
      met.attempt([&] { n = mpi::get_count(status, type); });
      room = static_cast<std::size_t>(n) / sizeof(T) + 1;
    }
    plugin::make_in_stage(group_, [&] {
      came_.push_back(
          {static_cast<std::size_t>(status.source()), plugin::elements_on_the_way<T>(room)});
    });
    met.attempt([&] {
      receiving_.push_back(mpi::irecv(came_.back().elements.data(), n, type, status.source(), tag_,
                                      on_.messages->handle()));
    });
    return true;
  }
  [[nodiscard]] static bool done(std::vector<mpi::request_handle>& requests,
                                 plugin::troubles& met) {
    bool all = true;
    if (!met.attempt([&] { all = mpi::testall(requests); }))
      all = std::none_of(requests.begin(), requests.end(),
                         [](const auto& each) { return bool(each); });
    return all;
  }

  const ways& on_;
  plugin::group_view group_;
  plugin::parts<T> sent_;
  int tag_;
  const T* own_ = nullptr;
  std::vector<count_t> counts_;
  std::deque<message> came_;
  plugin::elements_on_the_way<T> elements_;
  std::vector<mpi::request_handle> sending_, receiving_;
  plugin::pending_stage barrier_;
};

/// The way that this call takes.
template <class T>
class route {
  using hops = plugin::route_in_hops<T>;
  using sparse = sparse_route<T>;

 public:
  /// Numbers that all ranks learn: partners, bytes, and the size of an element, twice.
  static constexpr std::size_t told = 4;

  /// Takes its turn.
  route(ways& on, const plugin::group_view& group, const plugin::parts<T>& sent, count_t element)
      : on_(on), group_(group), sent_(sent), element_(element), turn_(on.begun++) {}
  /// The first stage waits for the call before, which decides; those that a way lacks are empty.
  [[nodiscard]] int stages() const { return 5; }
  /// Begins a stage of the way.
  void begin(int stage, plugin::troubles& met) {
    on_way(stage, [&](auto& one) {
      one.begin(stage - 1, met);
      return true;
    });
  }
  /// Tests it.
  [[nodiscard]] bool completed(int stage, plugin::troubles& met) {
    if (stage == 0) return on_.ended == turn_ && chosen();
    return on_way(stage, [&](auto& one) { return one.completed(stage - 1, met); });
  }
  /// What came.
  [[nodiscard]] plugin::arrived<T> received() {
    plugin::arrived<T> all;
    on_way(1, [&](auto& one) {
      all = one.received();
      return true;
    });
    count(all.parts.counts);
    return all;
  }
  /// Writes this rank's numbers.
  void tell(count_t* numbers) {
    count(sent_.counts);
    numbers[0] = partners_;
    numbers[1] = bytes_;
    numbers[2] = element_;
    numbers[3] = -element_;
  }
  /// Reads the largest of all ranks.
  void learn(const count_t* largest, plugin::troubles& met) {
    on_.partners = largest[0];
    on_.bytes = largest[1];
    ++on_.ended;
    if (largest[2] != -largest[3]) met.met(plugin::troubles::types_differ);
  }

 private:
  // Does it with the way if it has that stage, not the one that chooses.
  bool on_way(int stage, auto action) {
    return std::visit(
        [&](auto& one) {
          if constexpr (!std::is_same_v<std::monostate&, decltype(one)>)
            if (stage > 0 && stage <= one.stages()) return action(one);
          return true;
        },
        way_);
  }
  bool chosen() {
    plugin::make_in_stage(group_, [&] {
      const way by = on_.grid ? on_.choose(on_) : way::direct;
      if (by == way::sparse)
        way_.template emplace<sparse>(on_, group_, sent_, static_cast<int>(turn_ % 2));
      else
        way_.template emplace<hops>(by == way::grid ? *on_.grid : on_.direct, group_, sent_,
                                    element_);
    });
    return true;
  }
  void count(std::span<const count_t> lengths) {
    count_t ranks = 0;
    count_t all = 0;
    for (const count_t each : lengths) {
      ranks += each != 0 ? 1 : 0;
      all += each * static_cast<count_t>(sizeof(T));
    }
    partners_ = std::max(partners_, ranks);
    bytes_ = std::max(bytes_, all);
  }

  ways& on_;
  plugin::group_view group_;
  plugin::parts<T> sent_;
  count_t element_, turn_;
  count_t partners_ = 0, bytes_ = 0;
  std::variant<std::monostate, hops, sparse> way_;
};

}  // namespace auto_parts

namespace operations {

struct alltoallv_auto : plugin::alltoallv_by_route<alltoallv_auto> {
  static constexpr const char* name = "alltoallv_auto";
  using kept = auto_parts::ways;
  template <class T>
  using route = auto_parts::route<T>;
};

}  // namespace operations

/// A plugin that adds `alltoallv_auto` to a communicator.
template <class Base>
class auto_alltoall : public Base {
 public:
  using Base::Base;

  /// Sends a part from each rank to each rank by the way that suits what the previous call sent. The comment at the
  /// top of this header lists the parameters. Collective.
  template <class... A>
  auto alltoallv_auto(A&&... a) const {
    return plugin::perform<operations::alltoallv_auto>(*this, static_cast<A&&>(a)...);
  }
  /// The same while the program goes on: returns a request. Whoever waits drives its stages. Collective.
  template <class... A>
  auto ialltoallv_auto(A&&... a) const {
    return plugin::perform_later<operations::alltoallv_auto>(*this, static_cast<A&&>(a)...);
  }
};

}  // namespace mpiglot
