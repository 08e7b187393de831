// The adapter of views: whatever `view_traits` describes.

#pragma once

#include <mpiglot/detail/views/copying.hpp>
#include <mpiglot/detail/views/kept.hpp>
#include <mpiglot/detail/views/moving.hpp>
#include <mpiglot/detail/views/partitions.hpp>
#include <mpiglot/detail/views/whole.hpp>

namespace mpiglot {
namespace detail {

template <class View>
[[nodiscard]] constexpr auto layout_of_view(const View& view, count_t size) noexcept {
  using traits = view_traits<View>;
  view_layout<traits::rank> layout(size);
  if constexpr (traits::rank > 0)
    for (std::size_t i = 0; i < traits::rank; ++i)
      layout.add(static_cast<count_t>(traits::extent(view, i)),
                 static_cast<count_t>(traits::stride(view, i)), stride_unit<View>);
  layout.finish();
  return layout;
}

template <class Buffer>
  requires described_view<Buffer>
inline constexpr form form_of_bcast<Buffer> = describes_broadcasts ? form::message : form::block;

}  // namespace detail

/// MPI uses the memory of a contiguous view directly. For any other view, the adapter packs the
/// elements into memory that is kept (kept.hpp): always in a collective (but bcast with Open MPI),
/// since Intel MPI gathers elements of a derived datatype into wrong places; in a message where that
/// is faster (moving.hpp). Otherwise it describes them by a derived datatype, which is kept, too. The
/// elements travel in the order of their indices, the last index fastest.
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

  /// What a blocking message needs of a view: of one that is whole, and of all others.
  using by_fit = std::conditional_t<!owning && Form == form::message,
                                    detail::view_by_fit<Buffer, Policy>, void>;

  explicit buffer_adapter(Buffer&& buffer)
      : view_(static_cast<Buffer&&>(buffer)),
        first_(const_cast<wire*>(view_traits<view>::data(view_))) {
    room_ = detail::elements_of_view<view>(view_);
    if (!detail::follow_each_other<view>(view_) || (packs && first_ == nullptr)) find_out();
    if constexpr (Form == form::memory) require_address();
  }
  buffer_adapter(Buffer&& buffer, detail::known_unfit, detail::short_message& room)
      : view_(static_cast<Buffer&&>(buffer)),
        first_(const_cast<wire*>(view_traits<view>::data(view_))) {
    find_out(&room);
  }
  buffer_adapter(buffer_adapter&& other) noexcept
      : view_(static_cast<decltype(view_)&&>(other.view_)),
        first_(other.first_),
        room_(other.room_),
        how_(other.how_) {
    if (how_ != way::whole) ::new (&gaps_) gaps(static_cast<gaps&&>(other.gaps_));
  }
  buffer_adapter& operator=(buffer_adapter&&) = delete;
  ~buffer_adapter() {
    if (how_ != way::whole) gaps_.~gaps();
  }

  // Whose the elements of a view are is not known.
  [[nodiscard]] bool keeps_memory() const noexcept { return staged(); }
  /// From now on only the first `n` elements take part, in the order of their indices. `type` is
  /// the datatype of one element.
  void narrow(count_t n, mpi::datatype_handle type) {
    if (how_ == way::whole || gaps_.fault != nullptr) return;
    require_room(room(), n);
    if (type != datatype_of<wire>() && !detail::is_of_one_element(type, size)) [[unlikely]]
      detail::refuse_view("a datatype given with a view that has gaps is that of one element");
    if (how_ == way::described) describe(n, type);
  }
  /// True if what `out` and `in` lend is one element of a datatype that describes all.
  [[nodiscard]] bool described() const noexcept { return how_ == way::described; }
  /// Instead of that: the datatype of one of `n` equal partitions.
  [[nodiscard]] mpi::unique_datatype partition(count_t n) const {
    return detail::partition_datatype(gaps_.layout.dimensions(), gaps_.layout.rank(), size,
                                      datatype_of<wire>(), gaps_.count, n);
  }

  /// Whether the memory to pack into is missing. Then nothing must be lent, but a block can be
  /// received by a derived datatype, which `reserve` makes; elsewhere it throws.
  [[nodiscard]] bool lacks_memory() const noexcept { return how_ == way::missing; }
  /// What is wrong with the view, or null.
  [[nodiscard]] const char* fault() const noexcept {
    if (how_ != way::whole) return gaps_.fault;
    return first_ == nullptr && room_ != 0 ? without_address() : nullptr;
  }
  void reserve() {
    if (how_ != way::missing) [[likely]]
      return;
    if (Form != form::block || gaps_.fault != nullptr || gaps_.layout.may_overlap())
      detail::refuse_memory();
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
    const auto mix = [&mixed](std::uint64_t number) { mixed = detail::mixed_with(mixed, number); };
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
    if (how_ == way::whole) return require_address();
    require_sound();
    if (how_ == way::staged) copy<true>(gaps_.staging.data(), room());
  }
  /// The same without the copy: `pack_now` or `pack_around` makes it.
  void pack_later() {
    if (how_ == way::whole) return require_address();
    require_sound();
  }
  void pack_now() noexcept {
    if (how_ == way::staged && gaps_.fault == nullptr) copy<true>(gaps_.staging.data(), room());
  }
  /// Makes the copy of all elements but `n` from the one with index `from` on.
  void pack_around(count_t from, count_t n) noexcept {
    if (how_ != way::staged || gaps_.fault != nullptr) return;
    copy<true>(gaps_.staging.data(), from);
    copy<true>(gaps_.staging.data() + from + n, room() - from - n, from + n);
  }
  /// Where the elements are, unless there is a fault.
  [[nodiscard]] auto elements() const noexcept {
    constexpr std::size_t rank = view_traits<view>::rank;
    if (how_ == way::whole) return detail::placed_elements<rank>::array(first_, room(), size);
    detail::placed_elements<rank> found{reinterpret_cast<std::byte*>(first_), room(),
                                        gaps_.layout.rank()};
    for (std::size_t i = 0; i < found.rank; ++i) found.dimensions[i] = gaps_.layout.dimensions()[i];
    return found;
  }
  [[nodiscard]] count_t length() const noexcept { return room(); }
  [[nodiscard]] lent out() noexcept(noexcept(datatype_of<wire>())) {
    return lend(how_ == way::described ? gaps_.count : room());
  }

  [[nodiscard]] count_t room() const noexcept { return room_; }
  void place(count_t n) {
    if (how_ == way::whole) {
      require_address();
      return require_room(room(), n);
    }
    require_described();
    require_unique();
    reserve();
    require_room(room(), n);
    if (how_ == way::described && n != gaps_.count) describe(n, gaps_.type);
  }
  [[nodiscard]] lent in(count_t n) noexcept(noexcept(datatype_of<wire>())) { return lend(n); }
  void unpack(count_t n) {
    if constexpr (detail::arrives_whole<view>)
      if (n != 0 && n != room()) [[unlikely]]
        detail::refuse_counts(detail::part_incomplete);
    if (how_ == way::whole) return;
    require_sound();
    require_unique();
    if constexpr (writable)
      if (how_ == way::staged) copy<false>(gaps_.staging.data(), n);
  }
  /// All parts but that of the index `but`.
  template <class Layout>
  void unpack_parts(const Layout& layout, std::size_t but = static_cast<std::size_t>(-1)) {
    if (how_ == way::whole) return;
    require_sound();
    require_unique();
    if constexpr (writable)
      for (std::size_t i = 0; how_ == way::staged && i < layout.size(); ++i)
        if (i != but && !detail::none_sent(layout, i))
          copy<false>(gaps_.staging.data() + layout.displacement(i), layout.length(i),
                      layout.displacement(i));
  }

  [[nodiscard]] Buffer take() { return static_cast<Buffer&&>(view_); }

 private:
  static constexpr auto size = static_cast<count_t>(sizeof(wire));
  /// Why there is no address: some views know it.
  [[nodiscard]] const char* without_address() const noexcept {
    if constexpr (requires { view_traits<view>::wrong(view_); })
      if (view_traits<view>::wrong(view_) != nullptr) return view_traits<view>::wrong(view_);
    return "a view has elements but no address";
  }

  enum class way : unsigned char {
    whole,      // as a contiguous array
    staged,     // packed, or zeros in the place of a view with a fault
    missing,    // the same without the memory for it
    described,  // by a datatype
  };

  // What a view needs whose elements do not follow each other, or that has a fault.
  struct gaps {
    explicit gaps(const view& of) noexcept : layout(detail::layout_of_view<view>(of, size)) {
      fault = layout.fault();
    }

    const char* fault;
    detail::borrowed<wire> staging;
    detail::shared_datatype elements;
    count_t count = 0;  // of the elements that take part, and the datatype of each, if described
    mpi::datatype_handle type;
    detail::view_layout<view_traits<view>::rank> layout;
  };

  // Everything but that the elements follow each other.
  [[gnu::noinline]] void find_out(detail::short_message* here = nullptr) {
    ::new (&gaps_) gaps(view_);
    const auto& layout = gaps_.layout;
    room_ = layout.elements();
    const bool lost = first_ == nullptr && room() != 0;
    if (gaps_.fault == nullptr && lost) gaps_.fault = without_address();
    if (gaps_.fault == nullptr && layout.is_contiguous()) return;
    if constexpr (Form == form::memory)
      if (gaps_.fault != nullptr)
        detail::refuse_view(gaps_.fault);  // what is staged would die too soon
    how_ = way::missing;
    if (packs || gaps_.fault != nullptr ||
        (Form == form::message &&
         detail::packs_message(layout.dimensions(), layout.rank(), size, room_)))
      stage(here);
    if (!packs && how_ == way::missing && gaps_.fault == nullptr)
      describe(room(), datatype_of<wire>());
  }
  // Elements of a faulty view are zeros, so that the ranks that wait for them go on.
  void stage(detail::short_message* here) {
    const auto n = static_cast<std::size_t>(room());
    if (here != nullptr && n * sizeof(wire) <= sizeof here->bytes &&
        alignof(wire) <= alignof(detail::short_message))
      gaps_.staging.lie_in(here->bytes, n);
    else if (!gaps_.staging.try_resize(n))
      return;
    how_ = way::staged;
    if (gaps_.fault != nullptr && room() != 0)
      std::memset(static_cast<void*>(gaps_.staging.data()), 0, gaps_.staging.size() * sizeof(wire));
  }
  void require_address() const {
    if (first_ == nullptr && room_ != 0) [[unlikely]]
      detail::refuse_view(without_address());
  }
  [[nodiscard]] bool staged() const noexcept { return how_ == way::staged || how_ == way::missing; }
  void require_described() const {
    if (gaps_.fault != nullptr) [[unlikely]]
      detail::refuse_view(gaps_.fault);
  }
  void require_sound() const {
    require_described();
    if (how_ == way::missing) [[unlikely]]
      detail::refuse_memory();
  }
  void require_unique() const {
    if (!gaps_.layout.is_contiguous() && gaps_.layout.may_overlap()) [[unlikely]]
      detail::refuse_view("elements of a view to receive into may share memory");
  }
  [[nodiscard]] lent lend(count_t n) noexcept(noexcept(datatype_of<wire>())) {
    if (how_ == way::whole || (how_ == way::described && n <= 0))
      return {first_, n, datatype_of<wire>()};
    if (how_ == way::described) return {first_, 1, gaps_.elements.handle()};
    return {gaps_.staging.data(), n, datatype_of<wire>()};
  }
  // Makes the datatype of the first `n` elements; nothing is lent of none, or of less than none.
  void describe(count_t n, mpi::datatype_handle type) {
    how_ = way::described;
    gaps_.count = n;
    gaps_.type = type;
    if (n <= 0) return;
    gaps_.elements =
        detail::shared_datatype({gaps_.layout.dimensions(), gaps_.layout.rank(), size, type, n},
                                !detail::has_own_datatype<wire> && type == datatype_of<wire>());
  }
  // `n` elements from the one with index `from` on, to or from a block.
  template <bool Packs>
  void copy(void* block, count_t n, count_t from = 0) noexcept {
    detail::view_copy<sizeof(wire)> copying{static_cast<std::byte*>(block), n, from};
    copying.template run<Packs>(gaps_.layout.dimensions(), gaps_.layout.rank(),
                                reinterpret_cast<std::byte*>(first_));
  }

  std::conditional_t<shares, view, Buffer> view_;
  wire* first_;
  count_t room_;
  way how_ = way::whole;
  union {
    gaps gaps_;  // unless the view is whole
  };
};

}  // namespace mpiglot
