// The buffer protocol: the interface between operations and everything that can be communicated.
//
// A named parameter such as `send_buf(x)` only stores `x`. The operation wraps it in an *adapter*,
// `buffer_adapter<Buffer, Form, Policy>`, for the form that it needs; no operation depends on a
// kind of buffer. `Buffer` is `X&` if the adapter borrows the object, and `X` if it owns it. To
// support a new kind of buffer, specialise `buffer_adapter`; docs/guide/buffers.md lists the
// members that it must have.

#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include <mpiglot/datatype.hpp>
#include <mpiglot/detail/base/value_array.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot {

using mpi::count_t;

/// The way in which an operation uses a buffer.
enum class form {
  message,   ///< one message of any datatype; the receiver learns its length from the status
  block,     ///< a part of a collective, of any datatype; all ranks know its length or receive it
  elements,  ///< contiguous elements: for reductions, and for buffers that hold parts of many ranks
  memory,    ///< as `message`, but memory of the program: MPI uses it after the call has returned
};

/// How a receive buffer is resized.
enum class resize_policy {
  automatic,      ///< resize_to_fit for buffers that are moved in, no_resize for borrowed ones
  no_resize,      ///< never resized; its size is the length, so the length need not be sent
  grow_only,      ///< enlarged if it is too small, never made smaller
  resize_to_fit,  ///< resized to the number of elements received
};
/// The buffer keeps its size. `too_small` is thrown if more elements arrive.
inline constexpr resize_policy no_resize = resize_policy::no_resize;
/// The container is enlarged if it is too small. It never shrinks.
inline constexpr resize_policy grow_only = resize_policy::grow_only;
/// The container is resized to the number of elements received.
inline constexpr resize_policy resize_to_fit = resize_policy::resize_to_fit;

/// Memory as it is passed to MPI: address, count and datatype.
struct lent {
  void* address;
  count_t count;
  mpi::datatype_handle type;
};

namespace detail {

/// The adapter of a buffer that has no specialisation of `buffer_adapter`: those of a program come
/// before it, however they are constrained.
template <class Buffer, form Form, resize_policy Policy>
class default_adapter {
 public:
  using is_no_buffer = void;
};

}  // namespace detail

/// The adapter of a buffer. Specialise it for a new kind of buffer (docs/guide/buffers.md).
template <class Buffer, form Form, resize_policy Policy>
class buffer_adapter : public detail::default_adapter<Buffer, Form, Policy> {
  using detail::default_adapter<Buffer, Form, Policy>::default_adapter;
};

/// Throws `too_small` if `room` is less than `needed`; both are numbers of elements.
inline void require_room(count_t room, count_t needed) {
  if (needed > room) [[unlikely]]
    detail::refuse_room(room, needed);
}

/// Default properties of adapters. An adapter derives from this class and redefines those in which
/// it differs.
struct adapter_defaults {
  static constexpr bool fixed = true;     ///< the size never changes, so it is the length
  static constexpr bool agreed = false;   ///< all ranks have the same length, by type or parameter
  static constexpr bool uniform = true;   ///< all items have the same length
  static constexpr bool divides = false;  ///< a send buffer that determines the part of each rank
  static constexpr bool writable = true;  ///< can be received into
  static constexpr bool owning = false;   ///< moved in, so it is part of the result
  static constexpr bool movable = false;  ///< addresses stay valid when the adapter is moved
  static constexpr bool learns_length = true;  ///< `unpack` needs the number of elements received
};

/// The value sent in place of a length to say that this rank failed.
inline constexpr count_t poison = -1;

namespace detail {

/// True if MPI uses no memory but that of the adapter, which is there as long as the adapter and its
/// copies by moving. An adapter that packs says so itself.
template <class Adapter>
[[nodiscard]] constexpr bool keeps_memory(const Adapter& adapter) noexcept {
  if constexpr (requires { adapter.keeps_memory(); })
    return adapter.keeps_memory();
  else
    return Adapter::owning;
}

template <class Buffer>
using plain_t = std::remove_cvref_t<Buffer>;

template <class Buffer>
using element_t = std::remove_reference_t<decltype(*std::data(std::declval<Buffer&>()))>;

template <class Buffer>
concept has_elements = requires(std::remove_reference_t<Buffer>& b) {
  std::data(b);
  std::size(b);
};

/// A contiguous range of elements that have a datatype.
template <class Buffer>
concept contiguous = has_elements<Buffer> && !strided_like<plain_t<Buffer>> &&
                     has_datatype<std::remove_cv_t<element_t<Buffer>>>;

/// One value that has a datatype.
template <class Buffer>
concept single = !has_elements<Buffer> && has_datatype<plain_t<Buffer>>;

/// A `std::array`: elements whose number is part of the type, so that it is one value, too.
template <class Buffer>
concept array_value = contiguous<Buffer> && requires { std::tuple_size<plain_t<Buffer>>::value; };

/// True for `at_most(...)`, whose elements are not counted one by one.
template <class Buffer>
inline constexpr bool has_a_limit = false;

template <class T>
inline constexpr bool is_vector = false;
template <class T, class Allocator>
inline constexpr bool is_vector<std::vector<T, Allocator>> = true;

/// True if `resize` fails only for lack of memory.
template <class T>
inline constexpr bool makes_room = false;
template <class T>
inline constexpr bool makes_room<std::vector<T>> = std::is_nothrow_default_constructible_v<T>;

/// The container of a result with elements of type `T`.
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

/// A view: a copy of it refers to the same elements, so there is no difference between owning and
/// borrowing it.
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

/// How a bcast uses a buffer: as a block, unless its adapter says otherwise.
template <class Buffer>
inline constexpr form form_of_bcast = form::block;

/// True if this layout says that no rank sends part `i`.
template <class Layout>
[[nodiscard]] bool none_sent([[maybe_unused]] const Layout& layout,
                             [[maybe_unused]] std::size_t i) noexcept {
  if constexpr (requires { layout.is_from_nobody(i); })
    return layout.is_from_nobody(i);
  else
    return false;
}

/// Whether memory that is made for results starts with a pattern, where this is compiled without NDEBUG: a
/// communicator has found that the local checks of level `normal` are on.
inline constinit bool shows_unwritten = false;
/// The pattern, in the elements from the `from`th on. As an `int` it is -67372037, as a `double` -1.7e289.
template <class Element>
void show_unwritten([[maybe_unused]] Element* first, [[maybe_unused]] std::size_t from,
                    [[maybe_unused]] std::size_t size) {
#ifndef NDEBUG
  if constexpr (std::is_trivially_copyable_v<Element> && !__is_same(Element, bool))
    if (shows_unwritten && size > from)
      __builtin_memset(static_cast<void*>(first + from), 0xfb, (size - from) * sizeof(Element));
#endif
}

}  // namespace detail

/// The adapter of contiguous ranges: vectors, spans, strings, arrays. MPI uses their memory
/// directly.
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
  static constexpr bool ignores_parts = true;  // unpack_parts does nothing
  static constexpr bool place_fails = fixed || !detail::makes_room<detail::plain_t<Buffer>>;

  explicit buffer_adapter(Buffer&& buffer) noexcept(std::is_nothrow_constructible_v<Buffer, Buffer>)
      : buffer_(static_cast<Buffer&&>(buffer)) {}

  // A range that gives elements to change although it is const refers to them.
  [[nodiscard]] static constexpr bool keeps_memory() noexcept {
    return owning && std::is_const_v<detail::element_t<const detail::plain_t<Buffer>>>;
  }
  void pack() noexcept {}
  [[nodiscard]] count_t length() const noexcept { return room(); }
  [[nodiscard]] lent out() const noexcept { return lend(room()); }

  [[nodiscard]] count_t room() const noexcept { return static_cast<count_t>(std::size(buffer_)); }
  void place(count_t n) {
    if constexpr (fixed) {
      require_room(room(), n);
    } else if (n > room() || (policy == resize_to_fit && n != room())) {
      [[maybe_unused]] const std::size_t before = std::size(buffer_);
      resize(n);
      detail::show_unwritten(std::data(buffer_), before, std::size(buffer_));
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
  // Resizes a local copy of the vector, so that the compiler can keep the adapter in registers
  // across the call.
  void resize(count_t n) {
    if constexpr ((Form == form::message || Form == form::memory) && owning &&
                  detail::is_vector<detail::plain_t<Buffer>>) {
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

/// The adapter of single values. MPI uses their memory directly.
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

  explicit buffer_adapter(Buffer&& buffer) noexcept(std::is_nothrow_constructible_v<Buffer, Buffer>)
      : buffer_(static_cast<Buffer&&>(buffer)) {}

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

/// C arrays of arrays such as `double matrix[8][8]`, as one contiguous range.
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

/// A `std::valarray` of elements that have a datatype.
template <class T>
concept value_array_buffer =
    value_array<plain_t<T>> && has_datatype<typename plain_t<T>::value_type>;

/// The adapter of a `std::valarray`, which is contiguous although it has no `data()`.
template <class Buffer, form Form, resize_policy Policy>
  requires value_array_buffer<Buffer>
class default_adapter<Buffer, Form, Policy> : public adapter_defaults {
  using array = std::remove_reference_t<Buffer>;
  static constexpr resize_policy policy =
      std::is_const_v<array> ? no_resize : resolved(Policy, !std::is_reference_v<Buffer>);

 public:
  using is_complete = void;  // core_adapters.cpp checks it
  using wire = typename plain_t<Buffer>::value_type;
  using gathered = vector_of_t<wire>;
  using part = vector_of_t<wire>;

  static constexpr bool fixed = policy == no_resize;
  static constexpr bool writable = !std::is_const_v<array>;
  static constexpr bool owning = !std::is_reference_v<Buffer>;
  static constexpr bool movable = true;  // moving an array takes the elements over
  static constexpr bool learns_length = !fixed;
  static constexpr bool ignores_parts = true;  // unpack_parts does nothing

  explicit default_adapter(Buffer&& buffer) : buffer_(static_cast<Buffer&&>(buffer)) {}

  void pack() noexcept {}
  [[nodiscard]] count_t length() const noexcept { return room(); }
  [[nodiscard]] lent out() const noexcept { return lend(room()); }

  [[nodiscard]] count_t room() const noexcept { return static_cast<count_t>(buffer_.size()); }
  void place(count_t n) {
    if constexpr (fixed) {
      require_room(room(), n);
    } else if (n > room() || (policy == resize_to_fit && n != room())) {
      [[maybe_unused]] const std::size_t before = buffer_.size();
      resize_kept(buffer_, static_cast<std::size_t>(n));
      show_unwritten(first_of(buffer_), before, buffer_.size());
    }
  }
  [[nodiscard]] lent in(count_t n) noexcept(noexcept(datatype_of<wire>())) { return lend(n); }
  void unpack(count_t n) {
    if constexpr (policy == resize_to_fit)
      if (n < room()) resize_kept(buffer_, static_cast<std::size_t>(n));
  }
  template <class Layout>
  void unpack_parts(const Layout&) noexcept {}

  [[nodiscard]] Buffer take() { return static_cast<Buffer&&>(buffer_); }

 private:
  [[nodiscard]] lent lend(count_t n) const noexcept(noexcept(datatype_of<wire>())) {
    return {const_cast<wire*>(first_of(buffer_)), n, datatype_of<wire>()};
  }

  Buffer buffer_;
};

/// True if the value of a parameter has an adapter.
template <class Buffer>
concept buffer = requires {
  sizeof(buffer_adapter<Buffer, form::elements, resize_policy::automatic>);
} && !requires {
  typename buffer_adapter<Buffer, form::elements, resize_policy::automatic>::is_no_buffer;
};

}  // namespace detail
}  // namespace mpiglot
