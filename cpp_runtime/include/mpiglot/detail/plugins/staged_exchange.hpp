// Two stages of an operation in flight: a part to each rank of a communicator, a part from each. First the
// lengths travel, then the elements.

#pragma once

#include <vector>

#include <mpiglot/detail/plugins/staged_state.hpp>

namespace mpiglot::detail {

/// What is sent: one part after another, and their lengths.
template <class T>
struct parts_of {
  std::vector<T> all;
  std::vector<count_t> counts;
};

template <class T>
class staged_exchange {
 public:
  /// Communicators of one and the same group, which no other stage uses.
  staged_exchange(const stage_communicator& lengths, const stage_communicator& elements)
      : lengths_(&lengths),
        elements_(&elements),
        told_(static_cast<std::size_t>(lengths.size())),
        coming_(told_.size()) {}

  /// Sends the lengths; after a failure who failed, and nothing later.
  void begin_lengths(troubles& met, parts_of<T>&& sent) {
    if (!met.any()) sent_ = static_cast<parts_of<T>&&>(sent);
    for (std::size_t i = 0; i < told_.size(); ++i)
      told_[i] = met.any() ? failure_of(met.failed) : sent_.counts[i];
    stage_.begin(met, [&] { return lengths_->ialltoall(send_buf(told_), recv_buf(coming_)); });
  }
  [[nodiscard]] bool lengths_came(troubles& met) {
    if (!stage_.completed(met)) return false;
    for (std::size_t i = 0; i < told_.size(); ++i) {
      if (told_[i] < 0) told_[i] = 0;
      if (coming_[i] >= 0) continue;
      met.met(static_cast<int>(failure_of(coming_[i])));
      coming_[i] = 0;
    }
    return true;
  }

  void begin_elements(troubles& met) {
    stage_.begin(met, [&] {
      return elements_->ialltoallv(send_buf(sent_.all), send_counts(told_), recv_counts(coming_),
                                   recv_buf<resize_to_fit>(received_));
    });
  }
  [[nodiscard]] bool elements_came(troubles& met) { return stage_.completed(met); }

  /// The number of ranks that exchange.
  [[nodiscard]] int ranks() const noexcept { return lengths_->size(); }
  /// What has arrived, by source, and how much is from each. Nothing after a failure.
  [[nodiscard]] std::vector<T>& received() noexcept { return received_; }
  [[nodiscard]] const std::vector<count_t>& received_counts() const noexcept { return coming_; }

 private:
  // No length is negative. Its own inverse.
  [[nodiscard]] static count_t failure_of(count_t rank) noexcept { return -3 - rank; }

  const stage_communicator* lengths_;
  const stage_communicator* elements_;
  parts_of<T> sent_;
  std::vector<count_t> told_;
  std::vector<count_t> coming_;
  std::vector<T> received_;
  pending_stage stage_;  // last: it ends before the memory that it uses
};

}  // namespace mpiglot::detail
