// The adapter of views: whatever `view_traits` describes.

#pragma once

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/views/kept.hpp>
#include <mpiglot/detail/views/moving.hpp>

namespace mpiglot {
namespace detail {

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

template <class View>
[[nodiscard]] constexpr auto layout_of_view(const View& view, count_t size) noexcept {
  using traits = view_traits<View>;
  view_layout<traits::rank> layout(size);
  if constexpr (traits::rank > 0)
    for (std::size_t i = 0; i < traits::rank; ++i)
      layout.add(static_cast<count_t>(traits::extent(view, i)),
                 static_cast<count_t>(traits::stride(view, i)));
  layout.finish();
  return layout;
}

}  // namespace detail

/// MPI uses the memory of a contiguous view directly. For any other view, the adapter packs the
/// elements into a block: always in a collective, since Intel MPI gathers elements of a derived
/// datatype into wrong places; in a message where that is faster (moving.hpp). Otherwise it creates a
/// derived datatype, which it frees. The elements travel in the order of their indices, the last
/// index fastest.
template <class Buffer, form Form, resize_policy Policy>
  requires detail::described_view<Buffer>
class buffer_adapter<Buffer, Form, Policy> {
  using view = detail::plain_t<Buffer>;
  using element = detail::view_element<std::remove_reference_t<Buffer>>;
  static constexpr bool shares = detail::shares_elements<view>;
  static constexpr bool packs = Form == form::block || Form == form::elements;

 public:
  using is_complete = void;  // core_adapters.cpp checks it
  using wire = std::remove_cv_t<element>;
  using gathered = detail::vector_of_t<wire>;
  using part = detail::vector_of_t<wire>;

  static constexpr bool fixed = true;
  static constexpr bool agreed = false;
  static constexpr bool uniform = true;
  static constexpr bool divides = false;
  static constexpr bool writable = !std::is_const_v<element>;
  static constexpr bool owning =
      !std::is_reference_v<Buffer> && !(shares && std::is_trivially_copyable_v<view>);
  static constexpr bool movable = std::is_reference_v<Buffer> || shares;
  static constexpr bool learns_length = true;  // unpack throws what is wrong with the view

  explicit buffer_adapter(Buffer&& buffer)
      : view_(static_cast<Buffer&&>(buffer)),
        layout_(detail::layout_of_view<view>(view_, size)),
        first_(const_cast<wire*>(view_traits<view>::data(view_))),
        fault_(layout_.fault()) {
    if (fault_ == nullptr && first_ == nullptr && room() != 0)
      fault_ = "a view has elements but no address";
    if constexpr (Form == form::memory) require_sound();  // what is staged would die with the call
    if (fault_ != nullptr || (packs && !layout_.is_contiguous())) {
      stage();
    } else if (!layout_.is_contiguous()) {
      if (Form == form::message &&
          detail::packs_message(layout_.dimensions(), layout_.rank(), size))
        stage();
      if (!staged_ || missing_) {
        staged_ = missing_ = false;
        describe(room(), datatype_of<wire>());
      }
    }
  }

  // Whose the elements of a view are is not known.
  [[nodiscard]] bool keeps_memory() const noexcept { return staged_; }
  /// From now on only the first `n` elements take part, in the order of their indices. `type` is
  /// the datatype of one element.
  void narrow(count_t n, mpi::datatype_handle type) {
    if (layout_.is_contiguous()) return;
    require_room(room(), n);
    if (type != datatype_of<wire>() && !detail::is_of_one_element(type, size)) [[unlikely]]
      detail::refuse_view("a datatype given with a view that has gaps is that of one element");
    if (described_) describe(n, type);
  }
  /// True if what `out` and `in` lend is one element of a datatype that describes all.
  [[nodiscard]] bool described() const noexcept { return described_; }

  /// Whether the memory to pack into is missing. Then nothing must be lent, but a block can be
  /// received by a derived datatype, which `reserve` makes; elsewhere it throws.
  [[nodiscard]] bool lacks_memory() const noexcept { return missing_; }
  void reserve() {
    if (!missing_) [[likely]]
      return;
    if (Form != form::block || fault_ != nullptr || layout_.may_overlap()) detail::refuse_memory();
    missing_ = staged_ = false;
    describe(room(), datatype_of<wire>());
  }

  /// The number of dimensions, and one number for all extents but the outermost. A view with at most
  /// one extent above 1 is a row of elements: 0 dimensions. Another order than that of the indices
  /// makes another number.
  [[nodiscard]] auto shape() const noexcept {
    struct {
      std::size_t dimensions;
      count_t inner;
    } found{view_traits<view>::rank, 0};
    std::uint64_t mixed = 0;
    const auto mix = [&mixed](std::uint64_t number) {
      mixed = (mixed + number) * 0x9e3779b97f4a7c15U;
      mixed ^= mixed >> 32U;
    };
    int above_one = 0;
    if constexpr (view_traits<view>::rank > 0)
      for (std::size_t i = 0; i < view_traits<view>::rank; ++i) {
        const auto extent = static_cast<std::uint64_t>(view_traits<view>::extent(view_, i));
        above_one += extent > 1 ? 1 : 0;
        if (i > 0) mix(extent);
      }
    if constexpr (requires { view_traits<view>::order(view_); })
      if (const std::uint64_t order = view_traits<view>::order(view_); order != 0) mix(order);
    found.inner = static_cast<count_t>(mixed >> 2U);
    if (above_one < 2) found.dimensions = 0;
    return found;
  }

  void pack() {
    require_sound();
    if (staged_) copy<true>(room());
  }
  [[nodiscard]] count_t length() const noexcept { return room(); }
  [[nodiscard]] lent out() noexcept(noexcept(datatype_of<wire>())) {
    return lend(described_ ? count_ : room());
  }

  [[nodiscard]] count_t room() const noexcept { return layout_.elements(); }
  void place(count_t n) {
    require_described();
    require_unique();
    reserve();
    require_room(room(), n);
    if (described_ && n != count_) describe(n, type_);
  }
  [[nodiscard]] lent in(count_t n) noexcept(noexcept(datatype_of<wire>())) { return lend(n); }
  void unpack(count_t n) {
    require_sound();
    require_unique();
    if constexpr (writable)
      if (staged_) copy<false>(n);
  }
  template <class Layout>
  void unpack_parts(const Layout& layout) {
    require_sound();
    require_unique();
    if constexpr (writable)
      for (std::size_t i = 0; staged_ && i < layout.size(); ++i)
        if (!detail::none_sent(layout, i)) copy<false>(layout.length(i), layout.displacement(i));
  }

  [[nodiscard]] Buffer take() { return static_cast<Buffer&&>(view_); }

 private:
  static constexpr auto size = static_cast<count_t>(sizeof(wire));

  // Elements of a faulty view are zeros, so that the ranks that wait for them go on.
  void stage() {
    staged_ = true;
    missing_ = !staging_.try_resize(static_cast<std::size_t>(room()));
    if (fault_ != nullptr && room() != 0 && !missing_)
      std::memset(static_cast<void*>(staging_.data()), 0, staging_.size() * sizeof(wire));
  }
  void require_described() const {
    if (fault_ != nullptr) [[unlikely]]
      detail::refuse_view(fault_);
  }
  void require_sound() const {
    require_described();
    if (missing_) [[unlikely]]
      detail::refuse_memory();
  }
  void require_unique() const {
    if (layout_.rank() > 0 && !layout_.is_contiguous() && layout_.may_overlap()) [[unlikely]]
      detail::refuse_view("elements of a view to receive into may share memory");
  }
  [[nodiscard]] lent lend(count_t n) noexcept(noexcept(datatype_of<wire>())) {
    if (staged_) return {staging_.data(), n, datatype_of<wire>()};
    if (!described_ || n <= 0) return {first_, n, datatype_of<wire>()};
    return {first_, 1, elements_.handle()};
  }
  // Makes the datatype of the first `n` elements; nothing is lent of none, or of less than none.
  void describe(count_t n, mpi::datatype_handle type) {
    described_ = true;
    count_ = n;
    type_ = type;
    if (n <= 0) return;
    elements_ =
        detail::shared_datatype({layout_.dimensions(), layout_.rank(), size, type, n},
                                !detail::has_own_datatype<wire> && type == datatype_of<wire>());
  }
  // `n` elements from the one with index `from` on.
  template <bool Packs>
  void copy(count_t n, count_t from = 0) noexcept {
    detail::view_copy<sizeof(wire)> copying{reinterpret_cast<std::byte*>(staging_.data() + from), n,
                                            from};
    copying.template run<Packs>(layout_.dimensions(), layout_.rank(),
                                reinterpret_cast<std::byte*>(first_));
  }

  std::conditional_t<shares, view, Buffer> view_;
  detail::view_layout<view_traits<view>::rank> layout_;
  wire* first_;
  const char* fault_;
  bool staged_ = false;
  bool missing_ = false;  // the memory that it would be staged in
  detail::borrowed<wire> staging_;
  bool described_ = false;
  count_t count_ = 0;  // of the elements that take part, and the datatype of each, if described
  mpi::datatype_handle type_;
  detail::shared_datatype elements_;
};

}  // namespace mpiglot
