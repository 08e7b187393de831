// `at_most(bytes, x)`: a buffer whose length is not known to the receivers, but has a known upper
// limit. Such a buffer can take part in nonblocking and persistent operations. These are one MPI
// call each, so they cannot send the length in a message before the data.

#pragma once

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/arguments/adapter_members.hpp>
#include <mpiglot/detail/arguments/agreeing.hpp>
#include <mpiglot/detail/arguments/explain.hpp>
#include <mpiglot/detail/arguments/layout.hpp>

namespace mpiglot {

/// A buffer and the largest number of bytes that its content may take in a message.
template <class Inner>
struct bounded {
  using describes_buffer = void;
  Inner buffer;
  count_t bytes;
};

/// Limits the buffer `x` to `bytes` bytes. `x` is any buffer: a vector, `as_serialized(...)`,
/// `deep(...)`. In a collective, all ranks must give the same limit, and every rank sends and
/// receives `bytes` + 8 bytes. If a value is longer than the limit, only its length is sent, and
/// `too_small` is thrown on the sender and on every receiver. In point-to-point operations, the
/// limit is the size of the receive buffer; the message is the same as without `at_most`.
template <class Inner>
[[nodiscard]] bounded<Inner> at_most(count_t bytes, Inner&& x) {
  if (bytes < 0) [[unlikely]]
    detail::refuse_counts("at_most is negative");
  return {static_cast<Inner&&>(x), bytes};
}

namespace detail {

template <class Inner>
inline constexpr bool has_a_limit<bounded<Inner>> = true;
template <class Inner>
struct fault_of_receiver<bounded<Inner>> : fault_of_receiver<plain_t<Inner>> {};

template <class Inner>
struct wrapped<bounded<Inner>> {
  using type = Inner;
};

// What a rank receives when parts of such a buffer are exchanged.
template <class Adapter>
struct exchanged_by {
  using type = typename Adapter::gathered;
};
template <class Adapter>
  requires requires { typename Adapter::exchanged; }
struct exchanged_by<Adapter> {
  using type = typename Adapter::exchanged;
};
}  // namespace detail

/// Point to point: the buffer itself. A receive buffer is enlarged to the limit before the receive.
template <class Inner, form Form, resize_policy Policy>
  requires(Form == form::message || Form == form::memory)
class buffer_adapter<bounded<Inner>, Form, Policy>
    : public buffer_adapter<Inner, Form, resize_to_fit> {
  using base = buffer_adapter<Inner, Form, resize_to_fit>;

 public:
  using by_fit = void;  // the adapters that a view has by its fit know no limit
  static constexpr bool fixed = true;
  static constexpr bool learns_length = true;

  explicit buffer_adapter(bounded<Inner>&& buffer)
      : base(static_cast<Inner&&>(buffer.buffer)),
        limit_(buffer.bytes / static_cast<count_t>(sizeof(typename base::wire))) {}

  void pack() {
    base::pack();
    require_room(limit_, base::length());
  }
  [[nodiscard]] count_t room() const noexcept {
    if constexpr (base::fixed)
      if (base::room() < limit_) return base::room();
    return limit_;
  }
  [[nodiscard]] lent in(count_t n) {
    base::place(n);
    return base::in(n);
  }

 private:
  count_t limit_;
};

/// In a collective: [length | payload | unused bytes], always the same number of bytes.
template <class Inner, form Form, resize_policy Policy>
class buffer_adapter<bounded<Inner>, Form, Policy> {
  using inner = buffer_adapter<Inner, form::elements, resize_to_fit>;
  using inner_wire = typename inner::wire;
  static constexpr count_t header = sizeof(count_t);

 public:
  using wire = std::byte;
  using elements = bounded<typename detail::elements_of<inner>::type>;
  using gathered = bounded<typename inner::gathered>;
  using part = bounded<typename inner::part>;
  using exchanged = bounded<typename detail::exchanged_by<inner>::type>;

  static constexpr bool fixed = true;
  static constexpr bool agreed = true;
  static constexpr bool uniform = true;
  static constexpr bool divides = inner::divides;
  static constexpr bool has_parts = detail::has_parts<inner>;
  static constexpr bool takes_parts = detail::takes_parts<inner>;
  static constexpr bool writable = inner::writable;
  static constexpr bool owning = inner::owning;
  static constexpr bool movable = true;
  static constexpr bool learns_length = true;

  explicit buffer_adapter(bounded<Inner>&& buffer)
      : limit_(buffer.bytes), inner_(static_cast<Inner&&>(buffer.buffer)) {
    missing_ = !staging_.try_resize(static_cast<std::size_t>(length()));
  }

  [[nodiscard]] static constexpr bool keeps_memory() noexcept { return true; }
  /// Whether the memory of a message is missing. Then the message is one that says so.
  [[nodiscard]] bool lacks_memory() const noexcept { return missing_; }
  void reserve() {
    if (missing_) [[unlikely]]
      detail::refuse_memory();
  }

  [[nodiscard]] auto shape() const noexcept
    requires requires(const inner& of) { of.shape(); }
  {
    return inner_.shape();
  }

  /// The number of bytes of one item, where a buffer holds many of them.
  [[nodiscard]] count_t limit() const noexcept { return limit_; }

  void pack() {
    reserve();
    tell(0, poison);
    inner_.pack();
    const lent content = inner_.out();
    put(0, static_cast<const std::byte*>(content.address), bytes_of(inner_.length()));
  }
  [[nodiscard]] count_t length() const noexcept { return header + limit_; }
  [[nodiscard]] lent out() noexcept { return in(static_cast<count_t>(staging_.size())); }

  template <class Layout>
  void pack_parts(Layout& layout) {
    place(length() * static_cast<count_t>(layout.size()));
    for (std::size_t i = 0; i < layout.size(); ++i) {
      tell(i, poison);
      layout.set_length(i, length());
    }
    detail::computed_layout own(layout.size());
    inner_.pack_parts(own);
    own.lay_out();
    const auto* from = static_cast<const std::byte*>(inner_.out().address);
    for (std::size_t i = 0; i < layout.size(); ++i)
      put(i, from + bytes_of(own.displacement(i)), bytes_of(own.length(i)));
  }

  [[nodiscard]] count_t room() const noexcept { return length(); }
  void place(count_t n) {
    missing_ = !staging_.try_resize(static_cast<std::size_t>(n));
    reserve();
    for (count_t i = 0; (i + 1) * length() <= n; ++i)
      tell(static_cast<std::size_t>(i), detail::nobody);
  }
  [[nodiscard]] lent in(count_t n) noexcept {
    return {staging_.data(), n, datatype_of<std::byte>()};
  }

  void unpack(count_t) {
    const count_t size = told(0, remote_failure::unknown);
    const count_t n = size / static_cast<count_t>(sizeof(inner_wire));
    inner_.place(n);
    get(0, static_cast<std::byte*>(inner_.in(n).address), size);
    inner_.unpack(n);
  }
  template <class Layout>
  void unpack_parts(const Layout& layout) {
    detail::computed_layout own(layout.size());
    for (std::size_t i = 0; i < layout.size(); ++i)
      own.set_length(i, wire_length(told(i, static_cast<int>(i))));
    const count_t total = own.lay_out();  // without the parts that no rank sends
    inner_.place(total);
    auto* to = static_cast<std::byte*>(inner_.in(total).address);
    for (std::size_t i = 0; i < layout.size(); ++i)
      get(i, to + bytes_of(own.displacement(i)), bytes_of(own.length(i)));
    inner_.unpack_parts(own);
  }

  [[nodiscard]] auto take() { return inner_.take(); }

 private:
  [[nodiscard]] static count_t bytes_of(count_t n) noexcept {
    return n * static_cast<count_t>(sizeof(inner_wire));
  }
  [[nodiscard]] std::byte* slot(std::size_t i) noexcept {
    return staging_.data() + i * static_cast<std::size_t>(length());
  }
  void tell(std::size_t i, count_t size) noexcept { std::memcpy(slot(i), &size, sizeof size); }

  // Reads the length in slot `i`. Throws if it says that the rank failed, or if it is above the
  // limit.
  [[nodiscard]] count_t told(std::size_t i, int rank) {
    count_t size = 0;
    std::memcpy(&size, slot(i), sizeof size);
    if (size == detail::nobody) return size;
    if (size < 0) detail::tell_remote_failure(rank);
    require_room(limit_, size);
    return size;
  }
  void put(std::size_t i, const std::byte* from, count_t size) {
    tell(i, size);
    require_room(limit_, size);
    if (size != 0) std::memcpy(slot(i) + header, from, static_cast<std::size_t>(size));
  }
  void get(std::size_t i, std::byte* to, count_t size) noexcept {
    if (size > 0) std::memcpy(to, slot(i) + header, static_cast<std::size_t>(size));
  }
  [[nodiscard]] static count_t wire_length(count_t size) noexcept {
    return size < 0 ? size : size / static_cast<count_t>(sizeof(inner_wire));
  }

  bool missing_ = false;
  count_t limit_;
  inner inner_;
  detail::bytes staging_;
};

}  // namespace mpiglot
