// Views in the order of their memory: what is contiguous travels as it lies, whatever its indices.
//
//   comm.send(send_buf(memory_order(matrix)), destination(1));
//   comm.recv(recv_buf(memory_order(matrix)), source(0));

#pragma once

#include <mpiglot/view.hpp>

namespace mpiglot {
namespace detail {

/// The dimensions of a view in the order of their strides, the largest first, all of them forwards.
template <std::size_t Rank>
class ordered_dimensions {
 public:
  /// Adds the next dimension, whose stride counts elements. Gives back how many elements before the
  /// first one of the view this dimension begins.
  constexpr count_t add(count_t extent, count_t stride) noexcept {
    count_t back = 0;
    dimension added{extent, stride, rank_, false};
    if (stride < 0 && extent > 1 && !__builtin_mul_overflow(extent - 1, stride, &back)) {
      added.stride = -stride;
      added.reversed = true;
    } else {
      back = 0;
    }
    if (extent < 2) added.stride = last_;  // one element lies anywhere: here it keeps its place
    last_ = added.stride;
    std::size_t at = rank_++;
    for (; at > 0 && dimensions_[at - 1].stride < added.stride; --at)
      dimensions_[at] = dimensions_[at - 1];
    dimensions_[at] = added;
    return back;
  }
  [[nodiscard]] constexpr count_t extent(std::size_t i) const noexcept {
    return dimensions_[i].extent;
  }
  [[nodiscard]] constexpr count_t stride(std::size_t i) const noexcept {
    return dimensions_[i].stride;
  }
  /// One number for how this order differs from that of the indices; 0: not at all.
  [[nodiscard]] constexpr std::uint64_t order() const noexcept {
    std::uint64_t found = 1;
    std::size_t before = 0;
    bool differs = false;
    for (std::size_t i = 0; i < rank_; ++i) {
      const dimension& here = dimensions_[i];
      if (here.extent < 2) continue;  // it has no place
      const std::size_t index = place_of(here.index);
      differs |= here.reversed || index < before;
      before = index;
      found = found * 62 + 2 * index + (here.reversed ? 1U : 0U);
    }
    return differs ? found : 0;
  }

 private:
  struct dimension {
    count_t extent;
    count_t stride;
    std::size_t index;
    bool reversed;
  };

  // Which of the dimensions of more than one element this is.
  [[nodiscard]] constexpr std::size_t place_of(std::size_t index) const noexcept {
    std::size_t place = 0;
    for (std::size_t i = 0; i < rank_; ++i)
      place += dimensions_[i].extent > 1 && dimensions_[i].index < index ? 1U : 0U;
    return place;
  }

  dimension dimensions_[Rank == 0 ? 1 : Rank] = {};
  std::size_t rank_ = 0;
  count_t last_ = __LONG_LONG_MAX__;  // the stride of the dimension that was added last
};

/// Whether a copy of the view is kept, and not a reference to it.
template <class View>
inline constexpr bool ordered_by_copy =
    std::is_trivially_copyable_v<plain_t<View>> && shares_elements<plain_t<View>>;

/// A view that `memory_order` takes: it has traits, and does not own elements that would die with it.
template <class View>
concept can_be_ordered = requires { sizeof(view_traits<plain_t<View>>); } &&
                         (std::is_lvalue_reference_v<View> || ordered_by_copy<View> ||
                          (shares_elements<plain_t<View>> && !std::is_const_v<View>));

}  // namespace detail

/// The elements of a view, in the order in which they lie in memory. It is a view, too.
template <class View>
class memory_ordered {
  using traits = view_traits<detail::plain_t<View>>;

 public:
  explicit constexpr memory_ordered(View view)
      : view_(static_cast<View&&>(view)), first_(traits::data(view_)) {
    count_t back = 0;
    bool fits = true;
    if constexpr (traits::rank > 0)
      for (std::size_t i = 0; i < traits::rank; ++i)
        fits &=
            !__builtin_add_overflow(back,
                                    dimensions_.add(static_cast<count_t>(traits::extent(view_, i)),
                                                    static_cast<count_t>(traits::stride(view_, i))),
                                    &back);
    count_t bytes = 0;  // what no 64 bits count is refused by the operation
    constexpr count_t unit = detail::stride_unit<detail::plain_t<View>>;
    fits &= !__builtin_mul_overflow(back, unit, &bytes);
    if (fits && back != 0 && first_ != nullptr && !empty())
      first_ = detail::stepped<unit>(first_, back);
  }

  /// The view that was given.
  [[nodiscard]] const detail::plain_t<View>& view() const noexcept { return view_; }

 private:
  friend struct view_traits<memory_ordered>;

  [[nodiscard]] constexpr bool empty() const noexcept {
    bool found = false;
    for (std::size_t i = 0; i < traits::rank; ++i) found |= dimensions_.extent(i) == 0;
    return found;
  }

  View view_;
  decltype(traits::data(std::declval<View&>())) first_;
  detail::ordered_dimensions<traits::rank> dimensions_;
};

/// Nothing is received into what nothing is received into in another order.
template <class View>
struct detail::fault_of_receiver<memory_ordered<View>>
    : detail::fault_of_receiver<detail::plain_t<View>> {};

template <class View>
struct view_traits<memory_ordered<View>> {
  static constexpr std::size_t rank = view_traits<detail::plain_t<View>>::rank;
  static constexpr bool shares_elements = true;
  static constexpr count_t stride_unit = detail::stride_unit<detail::plain_t<View>>;

  [[nodiscard]] static auto* data(const memory_ordered<View>& of) noexcept { return of.first_; }
  [[nodiscard]] static count_t extent(const memory_ordered<View>& of, std::size_t i) noexcept {
    return of.dimensions_.extent(i);
  }
  [[nodiscard]] static count_t stride(const memory_ordered<View>& of, std::size_t i) noexcept {
    return of.dimensions_.stride(i);
  }
  [[nodiscard]] static std::uint64_t order(const memory_ordered<View>& of) noexcept {
    return of.dimensions_.order();
  }
};

/// The elements of `view` in the order in which they lie in memory: the dimension of the largest
/// stride first, that of the smallest last, all of them from the lowest address on. A view without
/// gaps is sent and received in place then, as fast as a std::vector, whatever its layout says.
/// Both sides must give views whose dimensions lie in the same order: else elements get to other
/// indices. Collective operations of check level `communication` refuse that. A view that has a name
/// must live until the operation is complete, unless it is a small copyable one such as std::mdspan;
/// one whose copies share its elements can be moved in.
template <detail::can_be_ordered View>
[[nodiscard]] constexpr auto memory_order(View&& view) {
  using kept = std::conditional_t<detail::ordered_by_copy<View>, detail::plain_t<View>, View>;
  return memory_ordered<kept>(static_cast<View&&>(view));
}
/// A view that no operation takes: the operation says why.
template <class View>
  requires detail::view_fault<detail::plain_t<View>>::found
[[nodiscard]] constexpr View&& memory_order(View&& view) noexcept {
  return static_cast<View&&>(view);
}

}  // namespace mpiglot
