// A route of several hops: in each, ranks of a part of the communicator exchange, and the parts that a rank has then
// go on in the next one.

#pragma once

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>
#include <vector>

#include <mpiglot/detail/plugins/exchanging_in_stages.hpp>

namespace mpiglot::detail {

/// A hop of this rank.
struct hop {
  /// `from`: whose parts this rank has before it; at first its own rank. `targets`: for how many ranks it sends parts
  /// to each rank of `among`, which are the next of those for which it has parts. Collective over `among`.
  hop(stage_communicator among, const std::vector<int>& from, const std::vector<int>& targets)
      : lengths(static_cast<stage_communicator&&>(among)),
        elements(lengths.dup()),
        messages(lengths.size()) {
    const auto [theirs, counts] = lengths.allgatherv(send_buf(from), recv_counts_out());
    const std::vector<int> told = lengths.alltoall(send_buf(targets));
    const int largest = lengths.allreduce_single(
        send_buf(*std::max_element(targets.begin(), targets.end())), op(mpi::max));
    messages.most = *std::max_element(counts.begin(), counts.end()) * largest;
    auto next = theirs.begin();
    for (std::size_t i = 0; i < told.size(); ++i) {
      messages.sent[i] = targets[i] * static_cast<int>(from.size());
      messages.received[i] = told[i] * counts[i];
      if (told[i] != 0) {
        sources.insert(sources.end(), next, next + counts[i]);
        ranks = told[i];
      }
      next += counts[i];
    }
  }

  stage_communicator lengths, elements;
  parts_per_message messages;
  std::vector<int> sources;  // whose parts this rank has behind it, in this order
  int ranks = 0;             // for how many ranks
};

/// What the calls share.
struct hops_context : stage_context {
  using stage_context::stage_context;
  std::deque<hop> hops;
};

/// The parts of this rank on their way.
template <class T>
class route_in_hops {
 public:
  route_in_hops(const hops_context& on, group_view, parts_of<T> sent, count_t element)
      : hops_(on.hops), parts_(sent) {
    for (const hop& each : hops_)
      exchanges_.emplace_back(each.lengths, each.elements, each.messages, element);
  }
  [[nodiscard]] int stages() const noexcept { return 2 * static_cast<int>(hops_.size()); }
  void begin(int stage, troubles& met) {
    const auto at = static_cast<std::size_t>(stage / 2);
    if (stage % 2 != 0) return exchanges_[at].begin_elements(met);
    if (at != 0 && !met.any()) met.attempt([&] { arrange(hops_[at - 1], exchanges_[at - 1]); });
    exchanges_[at].begin_lengths(met, parts_);
  }
  [[nodiscard]] bool completed(int stage, troubles& met) {
    auto& exchange = exchanges_[static_cast<std::size_t>(stage / 2)];
    return stage % 2 == 0 ? exchange.lengths_came(met) : exchange.elements_came(met);
  }
  [[nodiscard]] arrived_parts<T> received() noexcept {
    elements_ = elements_on_the_way<T>();
    return {exchanges_.back().received(), hops_.back().sources};
  }

 private:
  // Puts the parts that came in the order of the ranks for which they are, which they have in each message.
  void arrange(const hop& made, staged_exchange<T>& exchange) {
    const parts_of<T> came = exchange.received();
    std::vector<std::pair<const count_t*, const T*>> next;  // of each message
    const count_t* count = came.counts.data();
    const T* element = came.elements;
    for (const int parts : made.messages.received) {
      next.emplace_back(count, element);
      element = std::accumulate(count, count + parts, element);
      count += parts;
    }
    counts_.clear();
    elements_ = elements_on_the_way<T>();
    elements_.resize(static_cast<std::size_t>(element - came.elements));
    T* to = elements_.data();
    for (int rank = 0; rank < made.ranks; ++rank)
      for (std::size_t i = 0; i < next.size(); ++i) {
        auto& [lengths, from] = next[i];
        const count_t* const end = lengths + made.messages.received[i] / made.ranks;
        const count_t size = std::accumulate(lengths, end, count_t{0});
        counts_.insert(counts_.end(), lengths, end);
        to = std::copy_n(from, size, to);
        from += size;
        lengths = end;
      }
    exchange.forget();
    parts_ = {elements_.data(), counts_};
  }

  const std::deque<hop>& hops_;
  std::deque<staged_exchange<T>> exchanges_;
  parts_of<T> parts_;
  std::vector<count_t> counts_;
  elements_on_the_way<T> elements_;
};

}  // namespace mpiglot::detail
