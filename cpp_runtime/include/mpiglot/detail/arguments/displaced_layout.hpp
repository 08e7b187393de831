// Parts whose lengths are exchanged, at displacements that the program gives.

#pragma once

#include <mpiglot/detail/arguments/layout.hpp>

namespace mpiglot::detail {

template <class Displacements>
class displaced_layout : public computed_layout {
 public:
  displaced_layout(std::size_t size, Displacements&& displacements)
      : computed_layout(size), displacements_(static_cast<Displacements&&>(displacements)) {}

  /// Puts the parts where the program says, once their lengths are known; gives the end of the last.
  /// Throws `count_error` if they cannot lie there; then `lay_out` puts them one after another.
  void place() {
    placed_ = false;
    if (std::size(displacements_) != size()) [[unlikely]]
      refuse_counts("displacements need one element for each rank");
    count_t end = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      if (length(i) == 0) continue;
      if (at(i) < 0) [[unlikely]]
        refuse_counts("a displacement is before the buffer");
      if (overlaps_next(i)) [[unlikely]]
        refuse_counts("a part is longer than what its displacement leaves before the next one");
      if (at(i) + length(i) > end) end = at(i) + length(i);
    }
    write(end, [this](std::size_t i) { return length(i) == 0 ? count_t{0} : at(i); });
    placed_ = true;
  }

 private:
  [[nodiscard]] count_t at(std::size_t i) const noexcept {
    return static_cast<count_t>(std::data(displacements_)[i]);
  }
  // Displacements that do not ascend are not compared.
  [[nodiscard]] bool overlaps_next(std::size_t i) const noexcept {
    std::size_t next = i + 1;
    while (next < size() && length(next) == 0) ++next;
    return next < size() && at(next) >= at(i) && at(i) + length(i) > at(next);
  }

  Displacements displacements_;
};

}  // namespace mpiglot::detail
