// The bags of an operation as what the communicator's operation takes: views of the parts of ranks, and
// how many elements each part has.

#pragma once

#include <mpiglot/layouts/sharing.hpp>

namespace mpiglot::layouts::detail {

/// Where a process is among the ranks that share out a traverser.
struct rank_of_size {
  int rank;
  int size;
};

/// Gives the parts of bags, in an order of which the dimension `Name` is the rank. `Vary` says that
/// parts need not be one step apart.
template <auto Name, class Order, bool Vary = parts_vary<Name, Order>>
class given_parts {
 public:
  given_parts(const Order& order, rank_of_size place) : order_(order), place_(place) {}

  /// A parameter with views of the parts of a bag in the place of the bag.
  template <class Role, class Key, class Bag, resize_policy Policy>
  [[nodiscard]] auto of(parameter<Key, Bag, Policy>& given) const {
    if constexpr (!mpiglot::detail::is_buffer_key<Key>) {
      return static_cast<parameter<Key, Bag, Policy>&&>(given);
    } else if constexpr (is_tuple_bag<std::remove_cvref_t<Bag>>) {
      const auto [first, end] = range<Role, Key>();
      return replaced<Key, Policy>(detail::parts_of_tuple(given.value, first, end, orders()));
    } else if constexpr (!Role::template has_all<Key> && pieces == 1) {
      return replaced<Key, Policy>(aligned(given.value, detail::fixed<Name>(order_, place_.rank)));
    } else if constexpr (Role::template has_all<Key> && !Vary) {
      return replaced<Key, Policy>(aligned(given.value, detail::rank_first<Name>(order_)));
    } else {
      const auto [first, end] = range<Role, Key>();
      return replaced<Key, Policy>(parts_of(given.value, first, end));
    }
  }
  template <class Role, class Other>
  [[nodiscard]] Other&& of(Other& other) const {
    return static_cast<Other&&>(other);
  }

 private:
  static constexpr std::size_t pieces =
      views_a_part<decltype(detail::fixed<Name>(std::declval<Order>(), 0))>;

  template <class Role, class Key>
  [[nodiscard]] std::pair<int, int> range() const noexcept {
    if constexpr (Role::template has_all<Key>)
      return {0, place_.size};
    else
      return {place_.rank, place_.rank + 1};
  }
  // What gives the order of a part.
  [[nodiscard]] auto orders() const {
    return [this](int part) { return detail::fixed<Name>(order_, part); };
  }
  template <class Bag>
  [[nodiscard]] auto parts_of(const Bag& bag, int first, int end) const {
    auto views = detail::views_of_parts(bag.layout(), bag.data(), first, end, orders());
    using view = typename decltype(views)::value_type;
    return rank_parts<typename view::element, view::rank, view_traits<view>::stride_unit>(
        static_cast<decltype(views)&&>(views), pieces);
  }
  template <class Bag, class Axes>
  [[nodiscard]] static auto aligned(const Bag& bag, const Axes& axes) {
    return detail::aligned(bag.layout(), bag.data(), axes);
  }
  template <class Key, resize_policy Policy, class View>
  [[nodiscard]] static auto replaced(View&& view) {
    return parameter<Key, std::remove_cvref_t<View>, Policy>{static_cast<View&&>(view)};
  }

  Order order_;
  rank_of_size place_;
};

/// The keys of the counts and places of parts that travel one way.
template <bool Received>
struct keys_of_parts {
  using counts = keys::send_counts;
  using places = keys::send_displs;
};
template <>
struct keys_of_parts<true> {
  using counts = keys::recv_counts;
  using places = keys::recv_displs;
};

using numbers = kept_array<count_t>;
/// What `ask` gives of the parts that are sent, or received.
template <bool Received, class Ask>
[[nodiscard]] numbers numbers_of(const Ask&) {
  return numbers();
}
template <bool Received, class Ask, class Key, class Value, resize_policy Policy, class... More>
[[nodiscard]] numbers numbers_of(const Ask& ask, const parameter<Key, Value, Policy>& one,
                                 const More&... more) {
  if constexpr (is_parts<Value> && mpiglot::detail::is_written<Key> == Received)
    return ask(one.value);
  else
    return detail::numbers_of<Received>(ask, more...);
}
/// How much each part of the bag that is sent, or received, has; empty if there is no such bag.
template <bool Received, class... Given>
[[nodiscard]] auto counts_of(const Given&... all) {
  return parameter<typename keys_of_parts<Received>::counts, numbers>{detail::numbers_of<Received>(
      [](const auto& parts) { return parts.counts().copy(); }, all...)};
}
/// Where each of these parts begins.
template <bool Received, class... Given>
[[nodiscard]] auto places_of(const Given&... all) {
  return parameter<typename keys_of_parts<Received>::places, numbers>{detail::numbers_of<Received>(
      [](const auto& parts) { return parts.places().copy(); }, all...)};
}

}  // namespace mpiglot::layouts::detail
