// `flattened(x)`: sends the parts of a nested container to the ranks that they belong to, in one
// message for each rank.
//
//   std::unordered_map<int, std::vector<long>> to;          // rank -> elements
//   std::vector<std::pair<int, std::vector<long>>> pairs;   // the same rank any number of times
//   std::vector<std::vector<long>> parts;                   // one element for each rank
//   auto received = comm.alltoallv(send_buf(flattened(to)));
// The send counts are computed from the container. The elements for one rank arrive in the order of
// the container.

#pragma once

#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/base/storage.hpp>

namespace mpiglot {
namespace detail {

template <class Item>
concept addressed_item = requires(const Item& item) {
  { item.first } -> std::convertible_to<int>;
  requires contiguous<decltype((item.second))>;
};

template <class Nested>
using item_t = std::remove_cvref_t<decltype(*std::declval<const Nested&>().begin())>;

/// A range of pairs of a rank and its elements.
template <class Nested>
concept addressed = requires(const Nested& nested) {
  nested.begin() != nested.end();
  requires addressed_item<item_t<Nested>>;
};

/// A range with one contiguous range of elements for each rank.
template <class Nested>
concept one_for_each = requires(const Nested& nested) {
  nested.begin() != nested.end();
  requires contiguous<const item_t<Nested>&>;
};

template <class Nested>
struct nested_element;
template <addressed Nested>
struct nested_element<Nested> {
  using elements = decltype((std::declval<const item_t<Nested>&>().second));
  using type = std::remove_cv_t<element_t<elements>>;
};
template <one_for_each Nested>
struct nested_element<Nested> {
  using type = std::remove_cv_t<element_t<const item_t<Nested>&>>;
};

}  // namespace detail

/// A container that can be flattened.
template <class Nested>
concept nested = detail::addressed<Nested> || detail::one_for_each<Nested>;

/// A nested container. `Nested` is `X&` if it is borrowed.
template <class Nested>
struct flattened_buffer {
  using describes_buffer = void;
  Nested nested;
};

/// Sends a nested container. An lvalue is borrowed, an rvalue is moved in. In operations without a
/// part for each rank (send, gather), it sends all elements in their order. It allocates a copy of
/// the elements, sorted by rank, and one integer for each rank. Throws `count_error` if a rank does
/// not exist, or if a vector of vectors does not have one vector for each rank.
template <class Nested>
  requires nested<std::remove_cvref_t<Nested>>
[[nodiscard]] flattened_buffer<Nested> flattened(Nested&& nested) {
  return {static_cast<Nested&&>(nested)};
}

template <class Nested, form Form, resize_policy Policy>
class buffer_adapter<flattened_buffer<Nested>, Form, Policy> {
  using plain = std::remove_cvref_t<Nested>;

 public:
  using is_complete = void;  // core_adapters.cpp checks it
  using wire = typename detail::nested_element<plain>::type;
  using gathered = std::vector<wire>;
  using part = std::vector<wire>;

  static constexpr bool fixed = false;
  static constexpr bool agreed = false;
  static constexpr bool uniform = false;
  static constexpr bool divides = true;
  static constexpr bool writable = false;
  static constexpr bool owning = !std::is_reference_v<Nested>;
  static constexpr bool movable = true;
  static constexpr bool learns_length = false;

  explicit buffer_adapter(flattened_buffer<Nested>&& buffer)
      : nested_(static_cast<Nested&&>(buffer.nested)) {}

  [[nodiscard]] static constexpr bool keeps_memory() noexcept { return true; }
  void pack() {
    count_t all = 0;
    each([&](std::size_t, const auto& elements) { all += length_of(elements); });
    elements_.resize(static_cast<std::size_t>(all));
    auto to = elements_.begin();
    each([&](std::size_t, const auto& elements) { to = copy(elements, to); });
  }
  [[nodiscard]] count_t length() const noexcept { return static_cast<count_t>(elements_.size()); }
  [[nodiscard]] lent out() noexcept(noexcept(datatype_of<wire>())) {
    return {elements_.data(), length(), datatype_of<wire>()};
  }

  template <class Layout>
  void pack_parts(Layout& layout) {
    detail::block<count_t> at(layout.size());  // first the lengths, then the positions of the next
                                               // elements
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = 0;
    std::size_t items = 0;
    each([&](std::size_t rank, const auto& elements) {
      if (rank >= at.size()) refuse();
      at[rank] += length_of(elements);
      ++items;
    });
    if (!detail::addressed<plain> && items != at.size()) refuse();
    count_t next = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      layout.set_length(i, at[i]);
      at[i] = (next += at[i]) - at[i];
    }
    elements_.resize(static_cast<std::size_t>(next));
    each([&](std::size_t rank, const auto& elements) {
      copy(elements, elements_.begin() + detail::cast_to<std::ptrdiff_t>(at[rank]));
      at[rank] += length_of(elements);
    });
  }

  [[nodiscard]] Nested take() { return static_cast<Nested&&>(nested_); }

 private:
  [[noreturn]] static void refuse() {
    detail::refuse_counts(detail::addressed<plain>
                              ? "flattened: an item is for a rank that does not exist"
                              : "flattened: there must be one range of elements for each rank");
  }

  template <class Elements>
  [[nodiscard]] static count_t length_of(const Elements& elements) noexcept {
    return static_cast<count_t>(std::size(elements));
  }
  template <class Elements, class To>
  static To copy(const Elements& elements, To to) {
    const auto* const from = std::data(elements);
    for (std::size_t i = 0; i < std::size(elements); ++i) *to++ = from[i];
    return to;
  }

  // Calls `action(rank, elements)` for each item. A negative rank is converted to one that is too
  // large.
  template <class Action>
  void each(Action action) const {
    std::size_t position = 0;
    for (const auto& item : nested_) {
      if constexpr (detail::addressed<plain>)
        action(static_cast<std::size_t>(static_cast<int>(item.first)), item.second);
      else
        action(position++, item);
    }
  }

  Nested nested_;
  std::vector<wire> elements_;
};

}  // namespace mpiglot
