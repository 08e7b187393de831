// Views in memory that the host cannot reach, such as that of a GPU.
//
//   comm.send(send_buf(device_aware(view)), destination(1));    // MPI reads the memory itself
//   comm.recv(recv_buf(staged(view, copy)), source(0));         // through memory of the host
//
// `copy(to, from, bytes)` is a function of the program, for example a call of cudaMemcpy.

#pragma once

#include <concepts>

#include <mpiglot/view.hpp>

namespace mpiglot {
namespace wrong_call {

template <class Parameter, class Operation>
struct memory_of_a_device_takes_no_part_in_collectives_give_staged {};
template <class Parameter, class Operation>
struct staged_view_is_no_memory_that_mpi_uses_later_give_device_aware {};

}  // namespace wrong_call

namespace detail {

/// What describes a view wherever its elements lie.
template <class View>
struct traits_on_device : view_traits<View> {};
template <class View>
  requires(kokkos_view<View> && kokkos_memory<View> && !on_host<View>)
struct traits_on_device<View> : kokkos_traits<View> {};

template <class View>
concept described_on_device = requires { traits_on_device<plain_t<View>>::rank; };

template <class View>
using data_on_device =
    decltype(traits_on_device<std::remove_const_t<View>>::data(std::declval<View&>()));
/// True if a copy of the view refers to the same elements.
template <class View>
inline constexpr bool copy_refers =
    std::is_same_v<data_on_device<View>, data_on_device<const View>>;
/// How a view is kept: a copy if that is small and refers to the same elements, otherwise as it was
/// given: a reference, or the view that was moved in.
template <class View>
using kept_on_device =
    std::conditional_t<copy_refers<plain_t<View>> && std::is_trivially_copyable_v<plain_t<View>>,
                       plain_t<View>, View>;

}  // namespace detail

/// A view whose elements only MPI reads and writes. It is a view, too.
template <class View>
struct device_aware_view {
  using describes_buffer = void;

  View view;
};

template <class View>
struct view_traits<device_aware_view<View>> {
  using traits = detail::traits_on_device<detail::plain_t<View>>;
  static constexpr std::size_t rank = traits::rank;
  static constexpr bool shares_elements = true;
  static constexpr count_t stride_unit = [] {
    if constexpr (requires { traits::stride_unit; })
      return traits::stride_unit;
    else
      return count_t{sizeof(*traits::data(std::declval<View&>()))};
  }();

  [[nodiscard]] static auto* data(const device_aware_view<View>& of) noexcept {
    return traits::data(of.view);
  }
  [[nodiscard]] static auto extent(const device_aware_view<View>& of, std::size_t i) noexcept {
    return traits::extent(of.view, i);
  }
  [[nodiscard]] static auto stride(const device_aware_view<View>& of, std::size_t i) noexcept {
    return traits::stride(of.view, i);
  }
};

/// A view for an MPI that reads and writes memory of the device itself: it is given the address of the
/// elements, and a derived datatype if they do not follow each other. The host never touches them.
/// For messages, windows, partitions and files; collective operations combine and copy elements on the
/// host, so they take `staged(view, copy)`.
template <detail::described_on_device View>
[[nodiscard]] constexpr device_aware_view<detail::kept_on_device<View>> device_aware(View&& view) {
  return {static_cast<View&&>(view)};
}

/// A view and the function that copies its elements.
template <class View, class Copy>
struct staged_view {
  using describes_buffer = void;

  device_aware_view<View> view;
  Copy copy;
};

/// A view whose elements travel through memory of the host: `copy(to, from, bytes)` copies them there
/// before they are sent, and back after they were received, with a call for each run of elements that
/// follow each other in memory and in the order of indices. It has completed when it returns; what it
/// throws is thrown by the operation. For messages, files and collective operations; not where MPI
/// uses memory after the call (windows, partitions). The view and what `copy` refers to must live
/// until the operation is complete.
template <detail::described_on_device View, class Copy>
  requires std::invocable<std::decay_t<Copy>&, void*, const void*, std::size_t>
[[nodiscard]] constexpr staged_view<detail::kept_on_device<View>, std::decay_t<Copy>> staged(
    View&& view, Copy&& copy) {
  return {{static_cast<View&&>(view)}, static_cast<Copy&&>(copy)};
}

namespace detail {

template <class View>
struct fault_of_receiver<device_aware_view<View>> : fault_of_receiver<plain_t<View>> {};
template <class View, class Copy>
struct fault_of_receiver<staged_view<View, Copy>> : fault_of_receiver<plain_t<View>> {};

template <class Buffer>
inline constexpr bool is_device_aware = false;
template <class View>
inline constexpr bool is_device_aware<device_aware_view<View>> = true;
template <class Buffer>
concept device_buffer = described_view<Buffer> && is_device_aware<plain_t<Buffer>>;

template <class Buffer>
inline constexpr bool is_staged = false;
template <class View, class Copy>
inline constexpr bool is_staged<staged_view<View, Copy>> = described_view<device_aware_view<View>>;

template <class View, class Operation>
  requires(!is_message<Operation> && !uses_memory_later<Operation>)
struct misplaced_buffer<device_aware_view<View>, Operation> {
  static constexpr bool found = true;
  template <class Key>
  using type =
      wrong_call::memory_of_a_device_takes_no_part_in_collectives_give_staged<Key, Operation>;
};
template <class View, class Copy, class Operation>
  requires uses_memory_later<Operation>
struct misplaced_buffer<staged_view<View, Copy>, Operation> {
  static constexpr bool found = true;
  template <class Key>
  using type =
      wrong_call::staged_view_is_no_memory_that_mpi_uses_later_give_device_aware<Key, Operation>;
};

}  // namespace detail

/// As the adapter of other views that are lent as they lie.
template <class Buffer, form Form, resize_policy Policy>
  requires(Form != form::memory) && detail::device_buffer<Buffer>
class buffer_adapter<Buffer, Form, Policy> : public buffer_adapter<Buffer, form::memory, Policy> {
 public:
  explicit buffer_adapter(Buffer&& buffer)
      : buffer_adapter<Buffer, form::memory, Policy>(static_cast<Buffer&&>(buffer)) {
    static_assert(
        Form == form::message,
        "mpiglot: a collective operation takes staged(view, copy), not device_aware(view)");
  }
};

/// Copies the elements to memory of the host and back.
template <class Buffer, form Form, resize_policy Policy>
  requires detail::is_staged<detail::plain_t<Buffer>>
class buffer_adapter<Buffer, Form, Policy> : public adapter_defaults {
  using view = decltype(detail::plain_t<Buffer>::view);
  using element = detail::view_element<view>;

 public:
  using is_complete = void;  // core_adapters.cpp checks it
  using wire = std::remove_cv_t<element>;
  using gathered = detail::vector_of_t<wire>;
  using part = detail::vector_of_t<wire>;

  static constexpr bool writable = !std::is_const_v<element>;
  static constexpr bool movable = true;

  explicit buffer_adapter(Buffer&& buffer)
      : buffer_(static_cast<Buffer&&>(buffer)), layout_(detail::layout_of_view(of(), size)) {
    fault_ = layout_.fault();
    if (fault_ == nullptr && room() != 0 && view_traits<view>::data(of()) == nullptr)
      fault_ = "a view has elements but no address";
    missing_ = !staging_.try_resize(static_cast<std::size_t>(room()));
    if (fault_ != nullptr && !missing_ && room() != 0)  // the ranks that wait for them go on
      std::memset(static_cast<void*>(staging_.data()), 0, staging_.size() * sizeof(wire));
  }

  [[nodiscard]] static constexpr bool keeps_memory() noexcept { return true; }
  [[nodiscard]] bool lacks_memory() const noexcept { return missing_; }
  void reserve() {
    if (missing_) [[unlikely]]
      detail::refuse_memory();
  }

  void pack() {
    require_sound();
    copy<true>(0, room());
  }
  [[nodiscard]] count_t length() const noexcept { return room(); }
  [[nodiscard]] lent out() { return in(room()); }

  [[nodiscard]] count_t room() const noexcept { return layout_.elements(); }
  void place(count_t n) {
    require_sound();
    require_unique();
    require_room(room(), n);
  }
  [[nodiscard]] lent in(count_t n) { return {staging_.data(), n, datatype_of<wire>()}; }
  void unpack(count_t n) {
    require_sound();
    require_unique();
    copy<false>(0, n);
  }
  template <class Layout>
  void unpack_parts(const Layout& layout) {
    require_sound();
    require_unique();
    for (std::size_t i = 0; i < layout.size(); ++i)
      if (!detail::none_sent(layout, i)) copy<false>(layout.displacement(i), layout.length(i));
  }

 private:
  static constexpr auto size = static_cast<count_t>(sizeof(wire));

  [[nodiscard]] const view& of() const noexcept { return buffer_.view; }
  void require_sound() {
    if (fault_ != nullptr) [[unlikely]]
      detail::refuse_view(fault_);
    reserve();
  }
  void require_unique() const {
    if (!layout_.is_contiguous() && layout_.may_overlap()) [[unlikely]]
      detail::refuse_view("elements of a view to receive into may share memory");
  }
  // How many bytes lie between the first element and the one of this index.
  [[nodiscard]] count_t distance(count_t index) const noexcept {
    count_t found = 0;
    for (std::size_t i = layout_.rank(); i-- > 0; index /= layout_.dimensions()[i].length)
      found += index % layout_.dimensions()[i].length * layout_.dimensions()[i].stride;
    return found;
  }
  // `n` elements from the one of index `first` on, run by run.
  template <bool ToHost>
  void copy(count_t first, count_t n) {
    const std::size_t rank = layout_.rank();
    const bool runs = rank > 0 && layout_.dimensions()[rank - 1].stride == size;
    const count_t run = runs ? layout_.dimensions()[rank - 1].length : 1;
    auto* const elements =
        reinterpret_cast<std::conditional_t<ToHost || !writable, const std::byte, std::byte>*>(
            view_traits<view>::data(of()));
    for (const count_t end = first + n; first < end;) {
      const count_t left = run - first % run;
      const count_t now = left < end - first ? left : end - first;
      const auto bytes = static_cast<std::size_t>(now * size);
      if constexpr (ToHost)
        buffer_.copy(staging_.data() + first, elements + distance(first), bytes);
      else if constexpr (writable)
        buffer_.copy(elements + distance(first), staging_.data() + first, bytes);
      first += now;
    }
  }

  Buffer buffer_;
  detail::view_layout<view_traits<view>::rank> layout_;
  const char* fault_ = nullptr;
  bool missing_ = false;
  detail::borrowed<wire> staging_;
};

}  // namespace mpiglot
