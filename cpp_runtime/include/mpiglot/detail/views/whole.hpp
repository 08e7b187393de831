// Views that are whole: their elements follow each other in the order of their indices, and have an
// address. For such a view, a blocking message needs no more than for an array.

#pragma once

#include <cstdint>

#include <mpiglot/buffer.hpp>

namespace mpiglot::detail {

template <class View>
using view_element =
    std::remove_reference_t<decltype(*view_traits<plain_t<View>>::data(std::declval<View&>()))>;

/// A view whose elements have a datatype.
template <class Buffer>
concept described_view = requires {
  sizeof(view_traits<plain_t<Buffer>>);
  requires has_datatype<std::remove_cv_t<view_element<std::remove_reference_t<Buffer>>>>;
};

/// True if a copy of the view refers to the same elements.
template <class View>
inline constexpr bool shares_elements =
    std::is_trivially_copyable_v<View> && __is_same(view_element<View>, view_element<const View>);
template <class View>
  requires requires { view_traits<View>::shares_elements; }
inline constexpr bool shares_elements<View> = view_traits<View>::shares_elements;

/// The bytes that strides of a view count: those of an element, unless its traits have `stride_unit`.
template <class View>
inline constexpr count_t stride_unit = sizeof(view_element<View>);
template <class View>
  requires requires { view_traits<View>::stride_unit; }
inline constexpr count_t stride_unit<View> = view_traits<View>::stride_unit;

/// The product of the extents, without a look at them.
template <class View>
[[nodiscard, gnu::always_inline]] constexpr count_t elements_of_view(const View& view) noexcept {
  std::uint64_t elements = 1;
  if constexpr (view_traits<View>::rank > 0)
    for (std::size_t i = view_traits<View>::rank; i-- > 0;)
      elements *= static_cast<std::uint64_t>(view_traits<View>::extent(view, i));
  return static_cast<count_t>(elements);
}

/// True if the elements follow each other in the order of their indices, at least one and at most
/// 2^31. For the calls that are made most often: false says nothing.
template <class View>
[[nodiscard, gnu::always_inline]] constexpr bool follow_each_other(const View& view) noexcept {
  using traits = view_traits<View>;
  static_assert(sizeof(view_element<View>) % stride_unit<View> == 0,
                "mpiglot: the stride_unit of a view divides the size of an element");
  constexpr std::uint64_t apart = sizeof(view_element<View>) / stride_unit<View>;
  // Without sign, a negative extent is too large.
  std::uint64_t elements = 1;
  if constexpr (traits::rank > 0)
    for (std::size_t i = traits::rank; i-- > 0;) {
      const auto extent = static_cast<std::uint64_t>(traits::extent(view, i));
      if (static_cast<std::uint64_t>(traits::stride(view, i)) != elements * apart && extent != 1)
          [[unlikely]]
        return false;
      if (__builtin_mul_overflow(elements, extent, &elements)) [[unlikely]]
        return false;
    }
  return elements - 1 <= 0x7fffffff;
}

/// Whether nothing is received of less than all elements, but an empty message.
template <class View>
inline constexpr bool arrives_whole = false;
template <class View>
  requires requires { requires view_traits<View>::arrives_whole; }
inline constexpr bool arrives_whole<View> = true;
inline constexpr char part_incomplete[] =
    "a message has fewer elements than the part that is received";

/// The adapter of a view that is whole. It looks at nothing.
template <class Buffer>
class whole_view {
  using view = plain_t<Buffer>;
  using element = view_element<std::remove_reference_t<Buffer>>;

 public:
  using wire = std::remove_cv_t<element>;

  static constexpr bool fixed = true;
  static constexpr bool agreed = false;
  static constexpr bool uniform = true;
  static constexpr bool divides = false;
  static constexpr bool writable = !std::is_const_v<element>;
  static constexpr bool owning = false;
  static constexpr bool movable = true;
  static constexpr bool learns_length = arrives_whole<view>;

  explicit whole_view(Buffer&& buffer) noexcept : view_(static_cast<Buffer&&>(buffer)) {}

  /// Whether it can be the adapter of this view.
  [[nodiscard, gnu::always_inline]] static bool fits(const view& given) noexcept {
    return follow_each_other(given) && view_traits<view>::data(given) != nullptr;
  }

  void pack() noexcept {}
  [[nodiscard]] count_t length() const noexcept { return room(); }
  [[nodiscard]] lent out() noexcept(noexcept(datatype_of<wire>())) { return in(room()); }

  [[nodiscard]] count_t room() const noexcept { return elements_of_view<view>(view_); }
  void place(count_t n) { require_room(room(), n); }
  [[nodiscard]] lent in(count_t n) noexcept(noexcept(datatype_of<wire>())) {
    return {const_cast<wire*>(view_traits<view>::data(view_)), n, datatype_of<wire>()};
  }
  void unpack([[maybe_unused]] count_t n) noexcept(!arrives_whole<view>) {
    if constexpr (arrives_whole<view>)
      if (n != 0 && n != room()) [[unlikely]]
        refuse_counts(part_incomplete);
  }

  [[nodiscard]] Buffer take() { return static_cast<Buffer&&>(view_); }

 private:
  std::conditional_t<shares_elements<view>, view, Buffer> view_;
};

/// Says that a view has been looked at, and is not whole.
struct known_unfit {};

/// Memory for a short message to pack.
struct short_message {
  alignas(16) std::byte bytes[512];
  short_message() noexcept {}  // leaves them as they are
};

/// The adapter of a view of which this is known. It is not moved.
template <class Buffer, resize_policy Policy>
class unfit_view : short_message, public buffer_adapter<Buffer, form::message, Policy> {
 public:
  explicit unfit_view(Buffer&& buffer)
      : buffer_adapter<Buffer, form::message, Policy>(static_cast<Buffer&&>(buffer), known_unfit(),
                                                      *this) {}
  unfit_view(unfit_view&&) = delete;
  unfit_view& operator=(unfit_view&&) = delete;
  ~unfit_view() = default;
};

/// Which of the two a message needs.
template <class Buffer, resize_policy Policy>
struct view_by_fit {
  static constexpr bool differ = true;
  using fitting = whole_view<Buffer>;
  using unfit = unfit_view<Buffer, Policy>;
};

}  // namespace mpiglot::detail
