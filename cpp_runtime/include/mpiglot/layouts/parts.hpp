// The parts of all ranks in one bag, where they differ in length: packed one after the other.

#pragma once

#include <algorithm>
#include <new>
#include <span>

#include <mpiglot/layouts/aligned.hpp>

namespace mpiglot {
namespace layouts::detail {

/// An array of fixed length without initial values, in memory that is kept for the next call.
template <class T>
class kept_array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;

  /// Throws std::bad_alloc.
  explicit kept_array(std::size_t size = 0) {
    if (!memory_.try_resize(size)) mpiglot::detail::refuse_memory();
  }
  [[nodiscard]] kept_array copy() const {
    kept_array made(size());
    std::copy(begin(), end(), made.begin());
    return made;
  }

  [[nodiscard]] std::size_t size() const noexcept { return memory_.size(); }
  [[nodiscard]] T* data() noexcept { return memory_.data(); }
  [[nodiscard]] const T* data() const noexcept { return memory_.data(); }
  [[nodiscard]] T* begin() noexcept { return data(); }
  [[nodiscard]] const T* begin() const noexcept { return data(); }
  [[nodiscard]] T* end() noexcept { return data() + size(); }
  [[nodiscard]] const T* end() const noexcept { return data() + size(); }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return data()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data()[i]; }

 private:
  mpiglot::detail::borrowed<T> memory_;
};

/// How many views a part consists of: whole blocks that are dealt, and what is left, in each dimension
/// that is.
template <class Order>
inline constexpr std::size_t views_a_part = std::size_t{1} << dealt_axes<Order>;
/// The views of the parts `order(first)` to `order(end - 1)`, one part after the other.
template <class T, class Structure, class Order>
[[nodiscard]] auto views_of_parts(const Structure& structure, T* memory, int first, int end,
                                  const Order& order) {
  constexpr std::size_t pieces = views_a_part<decltype(order(0))>;
  using view = decltype(detail::aligned(structure, memory, order(0)));
  kept_array<view> views(static_cast<std::size_t>(end - first) * pieces);
  view* next = views.data();
  for (int part = first; part < end; ++part)
    for (std::size_t rests = 0; rests < pieces; ++rests)
      ::new (next++) view(detail::aligned(structure, memory, order(part), rests));
  return views;
}

/// What is known of parts of ranks. Counts and places are those of what travels.
class known_parts {
 public:
  using describes_buffer = void;

  explicit known_parts(std::size_t parts) : counts_(parts), places_(parts) {}

  /// How much each part has.
  [[nodiscard]] const kept_array<count_t>& counts() const noexcept { return counts_; }
  /// Where each part begins.
  [[nodiscard]] const kept_array<count_t>& places() const noexcept { return places_; }
  /// From the first part to the end of the last one.
  [[nodiscard]] count_t length() const noexcept { return length_; }
  /// Why they cannot be used, or null.
  [[nodiscard]] const char* fault() const noexcept { return fault_; }
  /// Whether there is no memory.
  [[nodiscard]] bool missing() const noexcept { return missing_; }
  /// Whether two elements of one view may share memory.
  [[nodiscard]] bool overlap() const noexcept { return overlap_; }

 protected:
  struct looked_at {
    count_t elements;  // also of a view with a fault: it takes its place, too
    bool contiguous;
  };
  template <class T, std::size_t Rank, count_t Unit>
  looked_at look_at(const aligned_view<T, Rank, Unit>& piece) {
    using view = aligned_view<T, Rank, Unit>;
    const auto layout = mpiglot::detail::layout_of_view<view>(piece, sizeof(T));
    if (fault_ == nullptr) fault_ = layout.fault() != nullptr ? layout.fault() : piece.wrong;
    if (piece.first == nullptr) missing_ |= layout.elements() != 0;
    overlap_ |= layout.may_overlap();
    count_t n = 1;
    for (const count_t extent : piece.extents) n = times(n, extent);
    return {n, layout.is_contiguous()};
  }
  // After the last view.
  void end_looking() noexcept {
    if (fault_ == nullptr && missing_) fault_ = "a bag has elements but no memory";
  }

  kept_array<count_t> counts_;
  kept_array<count_t> places_;
  count_t length_ = 0;

 private:
  const char* fault_ = nullptr;
  bool missing_ = false;
  bool overlap_ = false;
};

/// Copies the elements of a view, at most `most` of them, to a block or, unless `Packs`, back. Gives
/// back how many.
template <bool Packs, class T, std::size_t Rank, count_t Unit>
count_t copy_elements(const aligned_view<T, Rank, Unit>& of, std::byte* block,
                      count_t most) noexcept {
  using view = aligned_view<T, Rank, Unit>;
  const auto layout = mpiglot::detail::layout_of_view<view>(of, sizeof(T));
  const count_t n = layout.elements() < most ? layout.elements() : most;
  if (n == 0) return 0;
  mpiglot::detail::view_copy<sizeof(T)> copying{block, n};
  copying.template run<Packs>(
      layout.dimensions(), layout.rank(),
      reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(of.first)));
  return n;
}

/// The parts of ranks in the order of a traverser, each of one or several views that travel one after
/// the other, and where the parts lie: in the memory of the bag itself if each lies there as it
/// travels, otherwise in a block into which they are packed. Parts that are the same for several
/// ranks lie there once.
template <class T, std::size_t Rank, count_t Unit>
class rank_parts : public known_parts {
 public:
  using view = aligned_view<T, Rank, Unit>;
  using wire = std::remove_const_t<T>;
  static constexpr bool writable = !std::is_const_v<T>;
  static constexpr const char* shared_memory =
      "elements of a view to receive into may share memory";

  /// Each part is of `pieces` of these views, at least 1.
  explicit rank_parts(kept_array<view>&& of, std::size_t pieces = 1)
      : known_parts(of.size() / pieces),
        views_(static_cast<kept_array<view>&&>(of)),
        pieces_(pieces) {
    for (std::size_t i = 0; i < size(); ++i) {
      T* next = nullptr;  // behind the view before
      count_t all = 0;
      for (const view& piece : part(i)) {
        const auto [n, contiguous] = look_at(piece);
        direct_ &= contiguous;
        if (n == 0) continue;
        if (next != nullptr && piece.first != next) direct_ = false;
        next = piece.first == nullptr ? nullptr : piece.first + n;
        all = plus(all, n);
      }
      counts_[i] = all;
    }
    end_looking();
    direct_ = direct_ && fault() == nullptr && lie_near();
    if (!direct_) pack_up();
  }

  /// The number of parts.
  [[nodiscard]] std::size_t size() const noexcept { return views_.size() / pieces_; }
  /// The views of one.
  [[nodiscard]] std::span<const view> part(std::size_t i) const noexcept {
    return {views_.data() + i * pieces_, pieces_};
  }
  /// The beginning of the parts in the memory of the bag, or null if they are packed.
  [[nodiscard]] T* base() const noexcept { return base_; }
  /// Whether the parts are not packed.
  [[nodiscard]] bool direct() const noexcept { return direct_; }
  /// Copies a part, at most `most` elements, to a block or, unless `Packs`, back. Gives back how many.
  template <bool Packs>
  count_t copy(std::size_t i, wire* block, count_t most) const noexcept {
    count_t done = 0;
    for (const view& piece : part(i))
      done += detail::copy_elements<Packs>(piece, reinterpret_cast<std::byte*>(block + done),
                                           most - done);
    return done;
  }

 private:
  // Where a part with elements begins.
  [[nodiscard]] T* beginning(std::size_t i) const noexcept {
    for (const view& piece : part(i))
      if (std::find(piece.extents.begin(), piece.extents.end(), 0) == piece.extents.end())
        return piece.first;
    return nullptr;
  }
  // Whether all MPIs can count the elements between the parts.
  [[nodiscard]] bool lie_near() {
    T* last = nullptr;
    for (std::size_t i = 0; i < size(); ++i) {
      if (counts_[i] == 0) continue;
      T* const first = beginning(i);
      if (base_ == nullptr || first < base_) base_ = first;
      if (last == nullptr || first + counts_[i] > last) last = first + counts_[i];
    }
    length_ = last - base_;
    if (length_ > __INT_MAX__) return false;
    for (std::size_t i = 0; i < size(); ++i)
      places_[i] = counts_[i] == 0 ? 0 : beginning(i) - base_;
    return true;
  }
  void pack_up() {
    base_ = nullptr;
    length_ = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      const std::size_t same = same_as(i);
      places_[i] = same < i ? places_[same] : length_;
      if (same == i) length_ = plus(length_, counts_[i]);
    }
  }
  // The first part that is this one.
  [[nodiscard]] std::size_t same_as(std::size_t i) const {
    const auto is_same = [](const view& one, const view& other) {
      return one.first != nullptr && one.first == other.first && one.extents == other.extents &&
             one.strides == other.strides;
    };
    for (std::size_t j = 0; j < i; ++j)
      if (std::equal(part(i).begin(), part(i).end(), part(j).begin(), is_same)) return j;
    return i;
  }

  kept_array<view> views_;
  std::size_t pieces_;
  T* base_ = nullptr;
  bool direct_ = Unit == sizeof(T);  // else parts need not lie whole elements apart
};

template <class Buffer>
inline constexpr bool is_parts = false;
template <class T, std::size_t Rank, count_t Unit>
inline constexpr bool is_parts<rank_parts<T, Rank, Unit>> = true;

/// Lends the memory of a bag, or memory that is kept for the next call, as views do
/// (detail/views/adapter.hpp).
template <class Parts>
class lent_parts {
 public:
  using is_complete = void;
  using wire = typename Parts::wire;
  using gathered = std::vector<wire>;
  using part = std::vector<wire>;

  static constexpr bool fixed = true;
  static constexpr bool agreed = false;
  static constexpr bool uniform = true;
  static constexpr bool divides = false;
  static constexpr bool writable = Parts::writable;
  static constexpr bool owning = false;
  static constexpr bool movable = true;
  static constexpr bool learns_length = true;

  explicit lent_parts(Parts&& of) : parts_(static_cast<Parts&&>(of)) {
    if (parts_.direct()) return;
    missing_ = parts_.missing() || !packed_.try_resize(static_cast<std::size_t>(parts_.length()));
    // The ranks that wait for elements of a faulty bag go on, with zeros.
    if (!missing_ && parts_.fault() != nullptr && parts_.length() != 0)
      std::memset(static_cast<void*>(packed_.data()), 0, packed_.size() * sizeof(wire));
  }

  [[nodiscard]] bool keeps_memory() const noexcept { return !parts_.direct(); }
  [[nodiscard]] bool lacks_memory() const noexcept { return missing_; }
  [[nodiscard]] const char* fault() const noexcept { return parts_.fault(); }
  void reserve() const {
    if (missing_ && parts_.fault() != nullptr) mpiglot::detail::refuse_view(parts_.fault());
    if (missing_) mpiglot::detail::refuse_memory();
  }

  void pack() {
    require_sound();
    count_t next = 0;
    for (std::size_t i = 0; !parts_.direct() && i < parts_.size(); ++i) {
      const count_t place = parts_.places()[i];
      if (place == next)
        next += parts_.template copy<true>(i, packed_.data() + place, parts_.counts()[i]);
    }
  }
  [[nodiscard]] count_t length() const noexcept { return parts_.length(); }
  [[nodiscard]] lent out() noexcept(noexcept(datatype_of<wire>())) { return in(length()); }

  [[nodiscard]] count_t room() const noexcept { return parts_.length(); }
  void place(count_t n) {
    require_sound();
    if (parts_.overlap()) [[unlikely]]
      mpiglot::detail::refuse_view(Parts::shared_memory);
    require_room(room(), n);
  }
  [[nodiscard]] lent in(count_t n) noexcept(noexcept(datatype_of<wire>())) {
    return {parts_.direct() ? const_cast<wire*>(parts_.base()) : packed_.data(), n,
            datatype_of<wire>()};
  }
  void unpack(count_t n) {
    require_sound();
    if (n != 0 && n != room()) [[unlikely]]
      mpiglot::detail::refuse_counts(mpiglot::detail::part_incomplete);
    for (std::size_t i = 0; i < parts_.size(); ++i)
      unpack_part(i, parts_.places()[i], n - parts_.places()[i]);
  }
  template <class Layout>
  void unpack_parts(const Layout& layout) {
    require_sound();
    for (std::size_t i = 0; i < layout.size() && i < parts_.size(); ++i)
      if (!mpiglot::detail::none_sent(layout, i))
        unpack_part(i, layout.displacement(i), parts_.counts()[i]);
  }

 private:
  void require_sound() const {
    if (parts_.fault() != nullptr) [[unlikely]]
      mpiglot::detail::refuse_view(parts_.fault());
    reserve();
  }
  void unpack_part(std::size_t i, count_t place, count_t most) noexcept {
    if constexpr (writable)
      if (!parts_.direct() && most > 0)
        (void)parts_.template copy<false>(i, packed_.data() + place, most);
  }

  Parts parts_;
  mpiglot::detail::borrowed<wire> packed_;
  bool missing_ = false;
};

}  // namespace layouts::detail

/// Parts of ranks in a bag, or one part that consists of several views.
template <class T, std::size_t Rank, count_t Unit, form Form, resize_policy Policy>
class buffer_adapter<layouts::detail::rank_parts<T, Rank, Unit>, Form, Policy>
    : public layouts::detail::lent_parts<layouts::detail::rank_parts<T, Rank, Unit>> {
 public:
  using layouts::detail::lent_parts<layouts::detail::rank_parts<T, Rank, Unit>>::lent_parts;
};

}  // namespace mpiglot
