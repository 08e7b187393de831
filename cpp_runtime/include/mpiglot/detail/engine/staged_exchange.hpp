// Two stages of an operation in flight: a part to each rank of a communicator, a part from each. First the
// lengths travel, then the elements.

#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/base/failure.hpp>
#include <mpiglot/detail/engine/inner.hpp>

namespace mpiglot::detail {

/// What failed so far in an operation of several messages: on this rank, or on another one that told it.
struct troubles {
  static constexpr int none = -2;
  int rank;           // this one
  int failed = none;  // a rank, or `remote_failure::unknown`
  kept_failure own{};

  [[nodiscard]] bool any() const noexcept { return failed != none; }
  template <class Action>
  bool attempt(int whose, Action action) {
    const bool well = own.attempt(action);
    if (!well) met(whose);
    return well;
  }
  void met(int whose) noexcept {
    if (failed == none) failed = whose;
  }
  void rethrow() {
    own.rethrow();
    if (failed != none) mpi::detail::fail(remote_failure(failed));
  }
};

/// A stage compares nothing: a comparison waits for other ranks.
using quiet_communicator = inner_communicator<checks::off>;

/// What is sent: one part after another, and their lengths.
template <class T>
struct parts_of {
  std::vector<T> all;
  std::vector<count_t> counts;
};

template <class T>
class staged_exchange {
  using words = std::vector<count_t>;
  using lengths_request = decltype(std::declval<const quiet_communicator&>().ialltoall(
      send_buf(std::declval<words&>()), recv_buf(std::declval<words&>())));
  using elements_request = decltype(std::declval<const quiet_communicator&>().ialltoallv(
      send_buf(std::declval<std::vector<T>&>()), send_counts(std::declval<words&>()),
      recv_counts(std::declval<words&>())));

 public:
  /// Communicators of one and the same group, which no other stage uses.
  staged_exchange(const quiet_communicator& lengths, const quiet_communicator& elements)
      : lengths_(&lengths),
        elements_(&elements),
        told_(static_cast<std::size_t>(lengths.size())),
        coming_(told_.size()) {}

  /// Sends the lengths; after a failure who failed, and nothing later.
  void begin_lengths(troubles& met, parts_of<T>&& sent) {
    if (!met.any()) sent_ = static_cast<parts_of<T>&&>(sent);
    for (std::size_t i = 0; i < told_.size(); ++i)
      told_[i] = met.any() ? failure_of(met.failed) : sent_.counts[i];
    met.attempt(remote_failure::unknown,
                [&] { first_.emplace(lengths_->ialltoall(send_buf(told_), recv_buf(coming_))); });
  }
  [[nodiscard]] bool lengths_came(troubles& met) {
    if (!first_) return true;
    bool complete = true;
    met.attempt(remote_failure::unknown, [&] { complete = first_->test(); });
    if (!complete) return false;
    first_.reset();
    for (std::size_t i = 0; i < told_.size(); ++i) {
      if (told_[i] < 0) told_[i] = 0;
      if (coming_[i] >= 0) continue;
      met.met(static_cast<int>(failure_of(coming_[i])));
      coming_[i] = 0;
    }
    return true;
  }

  void begin_elements(troubles& met) {
    met.attempt(remote_failure::unknown, [&] {
      second_.emplace(
          elements_->ialltoallv(send_buf(sent_.all), send_counts(told_), recv_counts(coming_)));
    });
  }
  [[nodiscard]] bool elements_came(troubles& met) {
    if (!second_) return true;
    bool complete = true;
    met.attempt(met.rank, [&] {
      auto came = second_->test();
      complete = came.has_value();
      if (complete) received_ = std::move(*came);
    });
    if (complete) second_.reset();
    return complete;
  }

  /// What has arrived; nothing after a failure.
  [[nodiscard]] std::vector<T>& received() noexcept { return received_; }

 private:
  // No length is negative. Its own inverse.
  [[nodiscard]] static count_t failure_of(count_t rank) noexcept { return -3 - rank; }

  const quiet_communicator* lengths_;
  const quiet_communicator* elements_;
  parts_of<T> sent_;
  words told_;
  words coming_;
  std::optional<lengths_request> first_;
  std::optional<elements_request> second_;
  std::vector<T> received_;
};

}  // namespace mpiglot::detail
