// The parts of all ranks in one bag, where they differ in length: packed one after the other.

#pragma once

#include <vector>

#include <mpiglot/layouts/aligned.hpp>

namespace mpiglot {
namespace layouts::detail {

/// The part of each rank, in the order of a traverser.
template <class T, std::size_t Rank>
struct rank_parts {
  using describes_buffer = void;
  std::vector<aligned_view<T, Rank>> of;

  /// The number of elements of each part.
  [[nodiscard]] std::vector<count_t> counts() const {
    std::vector<count_t> found;
    found.reserve(of.size());
    for (const aligned_view<T, Rank>& part : of) {
      count_t n = 1;
      for (const count_t extent : part.extents) n = times(n, extent);
      found.push_back(n);
    }
    return found;
  }
};

template <class Buffer>
inline constexpr bool is_parts = false;
template <class T, std::size_t Rank>
inline constexpr bool is_parts<rank_parts<T, Rank>> = true;

}  // namespace layouts::detail

/// Packed into memory that is kept for the next call, as views are (detail/views/adapter.hpp).
template <class T, std::size_t Rank, form Form, resize_policy Policy>
class buffer_adapter<layouts::detail::rank_parts<T, Rank>, Form, Policy> {
  using parts = layouts::detail::rank_parts<T, Rank>;
  using view = layouts::detail::aligned_view<T, Rank>;

 public:
  using is_complete = void;
  using wire = std::remove_const_t<T>;
  using gathered = std::vector<wire>;
  using part = std::vector<wire>;

  static constexpr bool fixed = true;
  static constexpr bool agreed = false;
  static constexpr bool uniform = true;
  static constexpr bool divides = false;
  static constexpr bool writable = !std::is_const_v<T>;
  static constexpr bool owning = false;
  static constexpr bool movable = true;
  static constexpr bool learns_length = true;

  explicit buffer_adapter(parts&& buffer) : parts_(static_cast<parts&&>(buffer).of) {
    for (const view& one : parts_) {
      const auto layout = layout_of(one);
      if (fault_ == nullptr) fault_ = layout.fault() != nullptr ? layout.fault() : one.wrong;
      if (fault_ == nullptr && one.first == nullptr && layout.elements() != 0)
        fault_ = "a bag has elements but no memory";
      overlap_ |= layout.may_overlap();
      count_t n = 1;  // as the counts have it: a part with a fault takes its place, too
      for (const count_t extent : one.extents) n *= extent;
      length_ += n;
    }
    missing_ = !packed_.try_resize(static_cast<std::size_t>(length_));
    if (!missing_ && fault_ != nullptr && length_ != 0)
      std::memset(static_cast<void*>(packed_.data()), 0, packed_.size() * sizeof(wire));
  }

  [[nodiscard]] bool keeps_memory() const noexcept { return true; }
  [[nodiscard]] bool lacks_memory() const noexcept { return missing_; }
  void reserve() const {
    if (missing_) [[unlikely]]
      detail::refuse_memory();
  }

  void pack() {
    require_sound();
    wire* to = packed_.data();
    for (const view& one : parts_) to += copy<true>(one, to);
  }
  [[nodiscard]] count_t length() const noexcept { return length_; }
  [[nodiscard]] lent out() noexcept(noexcept(datatype_of<wire>())) { return in(length_); }

  [[nodiscard]] count_t room() const noexcept { return length_; }
  void place(count_t n) {
    require_sound();
    if (overlap_) [[unlikely]]
      detail::refuse_view("elements of a view to receive into may share memory");
    require_room(room(), n);
  }
  [[nodiscard]] lent in(count_t n) noexcept(noexcept(datatype_of<wire>())) {
    return {packed_.data(), n, datatype_of<wire>()};
  }
  void unpack(count_t) {
    require_sound();
    wire* from = packed_.data();
    if constexpr (writable)
      for (const view& one : parts_) from += copy<false>(one, from);
  }
  template <class Layout>
  void unpack_parts(const Layout& layout) {
    require_sound();
    if constexpr (writable)
      for (std::size_t i = 0; i < layout.size() && i < parts_.size(); ++i)
        if (!detail::none_sent(layout, i))
          (void)copy<false>(parts_[i], packed_.data() + layout.displacement(i));
  }

 private:
  [[nodiscard]] static auto layout_of(const view& one) noexcept {
    return detail::layout_of_view<view>(one, static_cast<count_t>(sizeof(wire)));
  }
  void require_sound() const {
    if (fault_ != nullptr) [[unlikely]]
      detail::refuse_view(fault_);
    reserve();
  }
  // Gives back how many elements it has copied.
  template <bool Packs>
  static count_t copy(const view& part, wire* block) noexcept {
    const auto layout = layout_of(part);
    detail::view_copy<sizeof(wire)> copying{reinterpret_cast<std::byte*>(block), layout.elements()};
    if (layout.elements() != 0)
      copying.template run<Packs>(layout.dimensions(), layout.rank(),
                                  reinterpret_cast<std::byte*>(const_cast<wire*>(part.first)));
    return layout.elements();
  }

  std::vector<view> parts_;
  detail::borrowed<wire> packed_;
  count_t length_ = 0;
  const char* fault_ = nullptr;
  bool overlap_ = false;
  bool missing_ = false;
};

}  // namespace mpiglot
