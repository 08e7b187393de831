// Two stages of an operation in flight that exchange parts among the ranks of a communicator: first how long they
// are, and the parts of small messages; then those of large ones, from where they lie.

#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <mpiglot/detail/plugins/staged_state.hpp>

namespace mpiglot::detail {

/// New elements have no value: they are written by MPI.
template <class T>
struct without_values : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = without_values<U>;
  };
  template <class U>
  void construct(U* at) noexcept(noexcept(U())) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... A>
  void construct(U* at, A&&... a) {
    ::new (static_cast<void*>(at)) U(static_cast<A&&>(a)...);
  }
};
template <class T>
using elements_on_the_way = std::vector<T, without_values<T>>;

/// Parts that lie one after another.
template <class T>
struct parts_of {
  const T* elements = nullptr;
  std::span<const count_t> counts{};
};

/// Of how many parts the message to each rank consists, and the one from each.
struct parts_per_message {
  /// One.
  explicit parts_per_message(int ranks)
      : sent(static_cast<std::size_t>(ranks), 1), received(sent) {}

  std::vector<int> sent, received;
  int most = 1;  // of all messages of all ranks
};

template <class T>
class staged_exchange {
 public:
  /// Communicators of one and the same group, which no other stage uses. `element`: the bytes of what the
  /// program calls an element.
  staged_exchange(const stage_communicator& first, const stage_communicator& second,
                  const parts_per_message& messages, count_t element)
      : first_(&first),
        second_(&second),
        messages_(&messages),
        element_(element),
        ranks_(messages.sent.size()),
        head_(2 + static_cast<std::size_t>(messages.most)),
        slot_(head_ + room_beside(head_, ranks_)),
        leaving_(ranks_ * slot_),
        coming_(ranks_ * slot_),
        sending_(ranks_),
        receiving_(ranks_) {
    std::size_t parts = 0;
    for (const int each : messages.received) parts += static_cast<std::size_t>(each);
    counts_.resize(parts);
  }

  /// Tells the lengths; after a failure who failed, and nothing later. `sent` is there until all is complete.
  void begin_lengths(troubles& met, const parts_of<T>& sent) {
    sent_ = met.any() ? parts_of<T>() : sent;
    std::size_t part = 0;
    std::size_t place = 0;
    for (std::size_t i = 0; i < ranks_; ++i) {
      count_t* const slot = leaving_.data() + i * slot_;
      slot[0] = met.any() ? failure_of(met.failed) : 0;
      slot[1] = element_;
      std::size_t size = 0;
      for (int k = 0; k < messages_->sent[i]; ++k) {
        const count_t n = met.any() ? 0 : sent.counts[part++];
        slot[2 + k] = n * static_cast<count_t>(sizeof(T));
        size += static_cast<std::size_t>(n);
      }
      if (in_slot(size) && size != 0)
        std::memcpy(slot + head_, sent.elements + place, size * sizeof(T));
      sending_.set(i, size, place);
      place += size;
    }
    stage_.begin(met, [&] { return first_->ialltoall(send_buf(leaving_), recv_buf(coming_)); });
  }
  [[nodiscard]] bool lengths_came(troubles& met) {
    if (!stage_.completed(met)) return false;
    std::size_t part = 0;
    std::size_t place = 0;
    for (std::size_t i = 0; i < ranks_; ++i) {
      const count_t* const slot = coming_.data() + i * slot_;
      // Both of two ranks see what keeps them from an exchange.
      const bool possible = slot[0] == 0 && slot[1] == element_ && leaving_[i * slot_] == 0;
      if (slot[0] != 0)
        met.met(static_cast<int>(failure_of(slot[0])));
      else if (slot[1] != element_)
        met.met(troubles::types_differ);
      std::size_t size = 0;
      for (int k = 0; k < messages_->received[i]; ++k) {
        const count_t n = possible ? slot[2 + k] / static_cast<count_t>(sizeof(T)) : 0;
        counts_[part++] = n;
        size += static_cast<std::size_t>(n);
      }
      receiving_.set(i, size, place);
      place += size;
      if (!possible || in_slot(sending_.size(i))) sending_.counts[i] = 0;
    }
    const bool room = met.attempt([&] { received_.resize(place); });
    for (std::size_t i = 0; i < ranks_; ++i) {
      const std::size_t size = receiving_.size(i);
      if (!in_slot(size)) continue;
      if (room && size != 0)
        std::memcpy(static_cast<void*>(received_.data() + receiving_.places[i]),
                    coming_.data() + i * slot_ + head_, size * sizeof(T));
      receiving_.counts[i] = 0;
    }
    return true;
  }

  void begin_elements(troubles& met) {
    const std::size_t all = sending_.end();
    stage_.begin(met, [&] {
      return second_->ialltoallv(send_buf(std::span<const T>(sent_.elements, all)),
                                 send_counts(sending_.counts), send_displs(sending_.places),
                                 recv_counts(receiving_.counts), recv_displs(receiving_.places),
                                 recv_buf<grow_only>(received_));
    });
  }
  [[nodiscard]] bool elements_came(troubles& met) { return stage_.completed(met); }

  /// What has arrived, by source, unless something failed.
  [[nodiscard]] parts_of<T> received() const noexcept { return {received_.data(), counts_}; }
  /// Frees it.
  void forget() noexcept { received_ = elements_on_the_way<T>(); }

 private:
  struct arrays {
    explicit arrays(std::size_t ranks) : counts(ranks), places(ranks) {}
    void set(std::size_t i, std::size_t count, std::size_t place) noexcept {
      counts[i] = static_cast<count_t>(count);
      places[i] = static_cast<count_t>(place);
    }
    [[nodiscard]] std::size_t size(std::size_t i) const noexcept {
      return static_cast<std::size_t>(counts[i]);
    }
    [[nodiscard]] std::size_t end() const noexcept {
      std::size_t last = 0;
      for (std::size_t i = 0; i < counts.size(); ++i)
        last = std::max(last, static_cast<std::size_t>(counts[i] + places[i]));
      return last;
    }
    std::vector<count_t> counts, places;
  };

  // No length is negative, no rank below -1. Its own inverse.
  [[nodiscard]] static count_t failure_of(count_t rank) noexcept { return -3 - rank; }
  /// The words behind a header, alike on all ranks: a slot of about 1 KiB, and all together 64 KiB.
  [[nodiscard]] static std::size_t room_beside(std::size_t head, std::size_t ranks) noexcept {
    constexpr std::size_t usual = 126;
    constexpr std::size_t least = 32;
    const std::size_t room = head + least < usual ? usual - head : least;
    return std::min(room, 65536 / sizeof(count_t) / ranks);
  }
  [[nodiscard]] bool in_slot(std::size_t size) const noexcept {
    return size * sizeof(T) <= (slot_ - head_) * sizeof(count_t);
  }

  const stage_communicator* first_;
  const stage_communicator* second_;
  const parts_per_message* messages_;
  count_t element_;
  std::size_t ranks_, head_, slot_;
  parts_of<T> sent_;
  std::vector<count_t> leaving_, coming_;
  arrays sending_, receiving_;
  std::vector<count_t> counts_;
  elements_on_the_way<T> received_;
  pending_stage stage_;  // last: it ends before the memory that it uses
};

}  // namespace mpiglot::detail
