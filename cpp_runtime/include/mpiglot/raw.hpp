// `raw(pointer, count, datatype)`: a buffer as MPI functions take it, for datatypes that are
// created at run time.
//
//   comm.send(send_buf(raw(matrix, 1, column_type)), destination(1));

#pragma once

#include <mpiglot/buffer.hpp>

namespace mpiglot {

/// `count` elements of datatype `type` at `address`. The memory is borrowed. The datatype must be
/// committed.
template <class Address>
struct raw_memory {
  using describes_buffer = void;

  Address address;
  count_t count;
  mpi::datatype_handle type;
};

/// Memory to send or to receive into.
[[nodiscard]] inline raw_memory<void*> raw(void* address, count_t count,
                                           mpi::datatype_handle type) noexcept {
  return {address, count, type};
}
/// Memory to send.
[[nodiscard]] inline raw_memory<const void*> raw(const void* address, count_t count,
                                                 mpi::datatype_handle type) noexcept {
  return {address, count, type};
}
/// As above, with an MPI_Datatype.
template <class Handle>
  requires(__is_same(Handle, MPI_Datatype))
[[nodiscard]] auto raw(auto* address, count_t count, Handle type) noexcept {
  return raw(address, count, mpi::datatype_handle{type});
}

/// MPI uses the memory directly; its size never changes. Lengths are counted in elements of its
/// datatype. Therefore, in operations that send lengths, the datatypes of all ranks must have the
/// same signature.
template <class Buffer, form Form, resize_policy Policy>
  requires requires(Buffer& b) {
    requires std::is_same_v<std::remove_cvref_t<Buffer>, raw_memory<decltype(+b.address)>>;
  }
class buffer_adapter<Buffer, Form, Policy> {
  using memory = std::remove_cvref_t<Buffer>;

 public:
  using is_complete = void;  // core_adapters.cpp checks it
  using wire = std::byte;    // the element type of scratch memory
  using elements = void;
  using gathered = memory;
  using part = memory;

  static constexpr bool fixed = true;
  static constexpr bool agreed = false;
  static constexpr bool uniform = true;
  static constexpr bool divides = false;
  static constexpr bool writable = std::is_same_v<decltype(memory::address), void*>;
  static constexpr bool owning = false;
  static constexpr bool movable = true;
  static constexpr bool learns_length = false;

  explicit buffer_adapter(Buffer&& buffer) noexcept : memory_(buffer) {}

  void pack() noexcept {}
  [[nodiscard]] count_t length() const noexcept { return memory_.count; }
  [[nodiscard]] lent out() const noexcept { return lend(memory_.count); }

  [[nodiscard]] count_t room() const noexcept { return memory_.count; }
  [[nodiscard]] mpi::datatype_handle type() const noexcept { return memory_.type; }
  void place(count_t n) { require_room(room(), n); }
  [[nodiscard]] lent in(count_t n) const noexcept { return lend(n); }
  void unpack(count_t) noexcept {}
  template <class Layout>
  void unpack_parts(const Layout&) noexcept {}

  [[nodiscard]] Buffer take() noexcept { return static_cast<Buffer&&>(memory_); }

 private:
  [[nodiscard]] lent lend(count_t n) const noexcept {
    return {const_cast<void*>(static_cast<const void*>(memory_.address)), n, memory_.type};
  }

  memory memory_;
};

}  // namespace mpiglot
