// The buffer protocol: how anything that can be communicated speaks to an operation.
//
// A named parameter such as `send_buf(x)` only remembers `x`. The operation makes an *adapter* of it,
// `buffer_adapter<Buffer, Form, Policy>`, in the form that it needs; no operation knows a kind of
// buffer. `Buffer` is `X&` where the adapter borrows and `X` where it owns. To make a new kind of
// buffer, specialise `buffer_adapter`; docs/guide/buffers.md says what it must offer.

#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include <mpiglot/datatype.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot {

using mpi::count_t;

/// What an operation needs of a buffer.
enum class form {
  message,   ///< one message: any datatype; the receiver learns the length from the status
  block,     ///< a part of a collective: any datatype; all know the length, or are told
  elements,  ///< wire elements one after another: reductions, many parts in one buffer
};

/// Whether a buffer may change its size to take what arrives.
enum class resize_policy {
  automatic,      ///< resize_to_fit for buffers moved in, no_resize for borrowed ones
  no_resize,      ///< never; its size is the length, which therefore needs no message
  grow_only,      ///< made larger when needed, never smaller
  resize_to_fit,  ///< afterwards as large as what arrived
};
/// The memory is as long as it is: `too_small` is thrown if more arrives.
inline constexpr resize_policy no_resize = resize_policy::no_resize;
/// The container grows if it is too short, and never shrinks.
inline constexpr resize_policy grow_only = resize_policy::grow_only;
/// The container gets exactly the length of what arrives.
inline constexpr resize_policy resize_to_fit = resize_policy::resize_to_fit;

/// Memory as MPI is told about it.
struct lent {
  void* address;
  count_t count;
  mpi::datatype_handle type;
};

/// Specialise it for a new kind of buffer (docs/guide/buffers.md).
template <class Buffer, form Form, resize_policy Policy>
class buffer_adapter;

/// Throws `too_small` if there is less room than is needed, both in elements.
inline void require_room(count_t room, count_t needed) {
  if (needed > room) [[unlikely]]
    detail::refuse_room(room, needed);
}

/// What most adapters say of themselves; one that derives from it says where it differs.
struct adapter_defaults {
  static constexpr bool fixed = true;     ///< its size never changes, so that it is the length
  static constexpr bool agreed = false;   ///< all ranks have one length, given by type or parameter
  static constexpr bool uniform = true;   ///< equal items have equal length
  static constexpr bool divides = false;  ///< as a source it knows the part of each rank
  static constexpr bool writable = true;  ///< can be received into
  static constexpr bool owning = false;   ///< was moved in, and is part of the result
  static constexpr bool movable = false;  ///< lent addresses survive a move of the adapter
  static constexpr bool learns_length = true;  ///< `unpack` must be told what arrived
};

/// How lengths travel that are none: "this rank failed".
inline constexpr count_t poison = -1;

namespace detail {

template <class Buffer>
using plain_t = std::remove_cvref_t<Buffer>;

template <class Buffer>
using element_t = std::remove_reference_t<decltype(*std::data(std::declval<Buffer&>()))>;

template <class Buffer>
concept has_elements = requires(std::remove_reference_t<Buffer>& b) {
  std::data(b);
  std::size(b);
};

/// Elements with a datatype, one after another.
template <class Buffer>
concept contiguous = has_elements<Buffer> && !strided_like<plain_t<Buffer>> &&
                     has_datatype<std::remove_cv_t<element_t<Buffer>>>;

/// One value with a datatype.
template <class Buffer>
concept single = !has_elements<Buffer> && has_datatype<plain_t<Buffer>>;

template <class T>
inline constexpr bool is_vector = false;
template <class T, class Allocator>
inline constexpr bool is_vector<std::vector<T, Allocator>> = true;

/// Whether `resize` fails only where memory runs out.
template <class T>
inline constexpr bool makes_room = false;
template <class T>
inline constexpr bool makes_room<std::vector<T>> = std::is_nothrow_default_constructible_v<T>;

/// The container of a result whose elements are `T`.
template <class T>
struct vector_of {
  using type = std::vector<T>;
};
template <>
struct vector_of<bool> {
  using type = std::vector<boolean>;
};
template <class T>
using vector_of_t = typename vector_of<T>::type;

/// A view: copying it copies no elements, so that owning one means nothing.
template <class Buffer>
concept view = std::is_trivially_copyable_v<plain_t<Buffer>> && refers_elsewhere<plain_t<Buffer>>;

[[nodiscard]] constexpr resize_policy resolved(resize_policy policy, bool owned) noexcept {
  if (policy != resize_policy::automatic) return policy;
  return owned ? resize_to_fit : no_resize;
}

inline void require_room(count_t room, count_t needed) {
  if (needed > room) [[unlikely]]
    detail::refuse_room(room, needed);
}

/// Whether part `i` is one that no rank sends, as far as this layout knows.
template <class Layout>
[[nodiscard]] bool none_sent([[maybe_unused]] const Layout& layout,
                             [[maybe_unused]] std::size_t i) noexcept {
  if constexpr (requires { layout.is_from_nobody(i); })
    return layout.is_from_nobody(i);
  else
    return false;
}

}  // namespace detail

/// Contiguous ranges: vectors, spans, strings, arrays. Lent as they are.
template <class Buffer, form Form, resize_policy Policy>
  requires detail::contiguous<Buffer>
class buffer_adapter<Buffer, Form, Policy> {
  using element = detail::element_t<Buffer>;
  static constexpr bool borrows = std::is_reference_v<Buffer> || detail::view<Buffer>;

 public:
  using is_complete = void;  // core_adapters.cpp checks it
  using wire = std::remove_cv_t<element>;
  using gathered = detail::vector_of_t<wire>;
  using part = detail::vector_of_t<wire>;

  static constexpr resize_policy policy = requires(detail::plain_t<Buffer>& b) {
    b.resize(std::size_t{});
  } && !std::is_const_v<element> ? detail::resolved(Policy, !borrows) : no_resize;
  static constexpr bool fixed = policy == no_resize;
  static constexpr bool agreed = false;
  static constexpr bool uniform = true;
  static constexpr bool divides = false;
  static constexpr bool writable = !std::is_const_v<element>;
  static constexpr bool owning = !borrows;
  static constexpr bool movable = borrows || detail::is_vector<detail::plain_t<Buffer>>;
  static constexpr bool learns_length = !fixed;
  static constexpr bool ignores_parts = true;  // unpack_parts has nothing to do
  static constexpr bool place_fails = fixed || !detail::makes_room<detail::plain_t<Buffer>>;

  explicit buffer_adapter(Buffer&& buffer) : buffer_(static_cast<Buffer&&>(buffer)) {}

  void pack() noexcept {}
  [[nodiscard]] count_t length() const noexcept { return room(); }
  [[nodiscard]] lent out() const noexcept { return lend(room()); }

  [[nodiscard]] count_t room() const noexcept { return static_cast<count_t>(std::size(buffer_)); }
  void place(count_t n) {
    if constexpr (fixed) {
      require_room(room(), n);
    } else if (n > room() || (policy == resize_to_fit && n != room())) {
      resize(n);
    }
  }
  [[nodiscard]] lent in(count_t n) noexcept(noexcept(datatype_of<wire>())) { return lend(n); }
  void unpack(count_t n) {
    if constexpr (policy == resize_to_fit)
      if (n < room()) resize(n);
  }
  template <class Layout>
  void unpack_parts(const Layout&) noexcept {}

  [[nodiscard]] Buffer take() { return static_cast<Buffer&&>(buffer_); }

 private:
  // A message's own vector as a local: the adapter need not lie in memory only because `resize` is
  // a call.
  void resize(count_t n) {
    if constexpr (Form == form::message && owning && detail::is_vector<detail::plain_t<Buffer>>) {
      auto resized = static_cast<detail::plain_t<Buffer>&&>(buffer_);
      resized.resize(static_cast<std::size_t>(n));
      buffer_ = static_cast<detail::plain_t<Buffer>&&>(resized);
    } else {
      buffer_.resize(static_cast<std::size_t>(n));
    }
  }
  [[nodiscard]] lent lend(count_t n) const noexcept(noexcept(datatype_of<wire>())) {
    return {const_cast<wire*>(std::data(buffer_)), n, datatype_of<wire>()};
  }

  Buffer buffer_;
};

/// Single values. Lent as they are.
template <class Buffer, form Form, resize_policy Policy>
  requires detail::single<Buffer>
class buffer_adapter<Buffer, Form, Policy> {
  static constexpr bool borrows = std::is_reference_v<Buffer>;

 public:
  using is_complete = void;  // core_adapters.cpp checks it
  using wire = detail::plain_t<Buffer>;
  using gathered = detail::vector_of_t<wire>;
  using part = wire;

  static constexpr bool fixed = true;
  static constexpr bool agreed = true;
  static constexpr bool uniform = true;
  static constexpr bool divides = false;
  static constexpr bool writable = !std::is_const_v<std::remove_reference_t<Buffer>>;
  static constexpr bool owning = !borrows;
  static constexpr bool movable = borrows;
  static constexpr bool learns_length = false;

  explicit buffer_adapter(Buffer&& buffer) : buffer_(static_cast<Buffer&&>(buffer)) {}

  void pack() noexcept {}
  [[nodiscard]] count_t length() const noexcept { return 1; }
  [[nodiscard]] lent out() const noexcept(noexcept(datatype_of<wire>())) { return lend(1); }

  [[nodiscard]] count_t room() const noexcept { return 1; }
  void place(count_t n) { require_room(1, n); }
  [[nodiscard]] lent in(count_t n) noexcept(noexcept(datatype_of<wire>())) { return lend(n); }
  void unpack(count_t) noexcept {}
  template <class Layout>
  void unpack_parts(const Layout&) noexcept {}

  [[nodiscard]] Buffer take() { return static_cast<Buffer&&>(buffer_); }

 private:
  [[nodiscard]] lent lend(count_t n) const noexcept(noexcept(datatype_of<wire>())) {
    return {const_cast<wire*>(&buffer_), n, datatype_of<wire>()};
  }

  Buffer buffer_;
};

namespace detail {

/// C arrays of arrays, `double matrix[8][8]`: one element after another.
template <class Buffer>
concept nested_array =
    std::rank_v<std::remove_reference_t<Buffer>> > 1 &&
    has_datatype<std::remove_cv_t<std::remove_all_extents_t<std::remove_reference_t<Buffer>>>>;

template <class T>
struct flat_array {
  T* first;
  std::size_t count;
  [[nodiscard]] T* data() const noexcept { return first; }
  [[nodiscard]] std::size_t size() const noexcept { return count; }
};
template <class Buffer>
using flat_array_of = flat_array<std::remove_all_extents_t<std::remove_reference_t<Buffer>>>;

}  // namespace detail

template <class Buffer, form Form, resize_policy Policy>
  requires detail::nested_array<Buffer>
class buffer_adapter<Buffer, Form, Policy>
    : public buffer_adapter<detail::flat_array_of<Buffer>, Form, Policy> {
  using flat = detail::flat_array_of<Buffer>;
  using element = std::remove_all_extents_t<std::remove_reference_t<Buffer>>;

 public:
  explicit buffer_adapter(Buffer&& buffer)
      : buffer_adapter<flat, Form, Policy>(
            flat{reinterpret_cast<element*>(&buffer), sizeof buffer / sizeof(element)}) {}
};

namespace detail {

/// Whether there is an adapter for what a parameter holds.
template <class Buffer>
concept buffer =
    requires { sizeof(buffer_adapter<Buffer, form::elements, resize_policy::automatic>); };

}  // namespace detail
}  // namespace mpiglot
