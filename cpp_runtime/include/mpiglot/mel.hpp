// For programs written for MEL, the deep copy library of Whittle, Borgo and Jones (PeerJ CS 2:e95, 2016):
// the parts of its namespace that move structures, on the codec and the operations of this library.
//
//   struct node {
//     int length = 0;
//     double* values = nullptr;
//     std::vector<node*> edges;
//     template <class MSG>
//     void DeepCopy(MSG& msg) {
//       msg.packPtr(values, length);
//       msg & edges;
//       for (auto& each : edges) msg.packSharedPtr(each);
//     }
//   };
// With this header, such classes travel in every operation, as `as_serialized(x)`, and in other classes
// that the codec knows; `dismantle(x)` frees what their pointers own. A hook goes before a list of fields.
//
// Members that the hook does not pack travel as the bytes that they are, and are not checked. So the hook
// packs each container and each pointer that is not to travel as an address, whatever the values of other
// members are. It tests whether a pointer is null before it looks behind it. The class has a default
// constructor, for whose objects the hook works, and no virtual functions. Bytes between the members of a
// class that is not trivially copyable travel, too.
//
// As in MEL, pointers keep what they have in common if all are packed by `packSharedPtr`; what a pointer
// to a part of an object leads to is an object of its own.
//
// Unlike MEL, a message is checked: whatever arrives is a value or an exception. In a hook that is a
// template, a call with a hook beside its class needs a keyword: `msg.template packSTL<item, f>(items)`.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/codec/hook_roots.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/file_transport.hpp>
#include <mpiglot/mpi/environment.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/streams.hpp>

namespace MEL {

/// Memory for `n` objects, which have no values. Free it by `MemFree`. Throws std::bad_alloc. Local, as
/// all functions for memory.
template <class T>
[[nodiscard]] T* MemAlloc(std::ptrdiff_t n) {
  return mpiglot::detail::memory_for<T>(static_cast<std::size_t>(n));
}
/// The same of objects with a value.
template <class T>
[[nodiscard]] T* MemAlloc(std::ptrdiff_t n, const T& value) {
  const auto wanted = static_cast<std::size_t>(n);
  mpiglot::detail::objects_in_the_making<T> made{mpiglot::detail::memory_for<T>(wanted)};
  for (; made.n < wanted; ++made.n) ::new (static_cast<void*>(made.first + made.n)) T(value);
  return std::exchange(made.first, nullptr);
}
/// Makes one object. Free it by `MemDestruct` or `delete`.
template <class T, class... Arguments>
[[nodiscard]] T* MemConstruct(Arguments&&... arguments) {
  mpiglot::detail::objects_in_the_making<T> made{mpiglot::detail::memory_for<T>(1)};
  ::new (static_cast<void*>(made.first)) T(static_cast<Arguments&&>(arguments)...);
  return std::exchange(made.first, nullptr);
}
/// Frees memory without destructors, and makes the pointers null.
template <class... T>
void MemFree(T*&... pointers) noexcept {
  (mpiglot::detail::give_memory_back(std::exchange(pointers, nullptr)), ...);
}
/// Destroys `n` objects and frees their memory; makes the pointer null. Objects that a deep copy has made
/// are freed so.
template <class T>
void MemDestruct(T*& pointer, std::ptrdiff_t n = 1) noexcept {
  mpiglot::detail::destroy_objects(std::exchange(pointer, nullptr), static_cast<std::size_t>(n));
}
template <class T>
void MemDestruct(T* const& pointer, std::ptrdiff_t n = 1) noexcept {
  mpiglot::detail::destroy_objects(pointer, static_cast<std::size_t>(n));
}

/// A communicator, which is not owned.
class Comm {
 public:
  static const Comm WORLD;

  Comm() : Comm(MPI_COMM_WORLD) {}
  explicit Comm(MPI_Comm handle) noexcept : handle_(handle) {}
  template <class Plugged>
    requires requires(const Plugged& comm) { mpiglot::mpi::comm_handle(comm.handle()); }
  Comm(const Plugged& comm) noexcept : handle_(comm.handle().native) {}

  explicit operator MPI_Comm() const noexcept { return handle_; }
  operator mpiglot::communicator() const { return mpiglot::communicator(handle_); }

 private:
  MPI_Comm handle_;
};
inline const Comm Comm::WORLD{};

/// An MPI file, which is not owned. What is written and read goes on where the last one has ended, on
/// each rank by itself.
class File {
 public:
  File() noexcept : File(MPI_FILE_NULL) {}
  explicit File(MPI_File handle, mpiglot::mpi::offset_t offset = 0) noexcept
      : at_(mpiglot::mpi::file_handle{handle}, offset) {}

  explicit operator MPI_File() const noexcept { return at_.file.native; }
  /// In bytes.
  [[nodiscard]] mpiglot::mpi::offset_t offset() const noexcept { return at_.offset; }
  [[nodiscard]] mpiglot::file_transport& transport() noexcept { return at_; }

 private:
  mpiglot::file_transport at_;
};

namespace detail {

inline mpiglot::environment* environment = nullptr;

}  // namespace detail

/// Initialises MPI; errors become exceptions. Collective.
inline void Init(int& argc, char**& argv) {
  if (detail::environment == nullptr) detail::environment = new mpiglot::environment(argc, argv);
}
/// Finalises MPI. Collective.
inline void Finalize() { delete std::exchange(detail::environment, nullptr); }
/// Finalises MPI and ends the process. Collective.
[[noreturn]] inline void Exit(int code) {
  Finalize();
  std::exit(code);
}
[[nodiscard]] inline int CommRank(const Comm& comm) { return mpiglot::communicator(comm).rank(); }
[[nodiscard]] inline int CommSize(const Comm& comm) { return mpiglot::communicator(comm).size(); }
/// Collective.
inline void Barrier(const Comm& comm) { mpiglot::communicator(comm).barrier(); }
/// Seconds since some moment in the past.
[[nodiscard]] inline double Wtime() { return mpiglot::mpi::wtime(); }

namespace Deep {

/// Accepted where MEL takes a hash map. The codec has its own table of shared objects.
class PointerHashMap {};
/// What a hook gets. One type serves all operations.
template <class Transport = void, class HashMap = PointerHashMap>
using Message = mpiglot::detail::hook_message;

namespace detail {

template <class T>
using function = void (*)(T&, Message<>&);
template <class T, function<T> Function>
using way_beside = mpiglot::detail::way_of_hook<mpiglot::detail::hook_beside<T, Function>>;

struct size {
  static constexpr std::size_t integers = 0;
  template <class Root>
  std::ptrdiff_t operator()(Root root) const {
    return static_cast<std::ptrdiff_t>(mpiglot::size_of(root));
  }
};
struct send {
  static constexpr std::size_t integers = 2;
  template <class Root>
  void operator()(Root root, int rank, int tag, const Comm& comm, std::ptrdiff_t = 0) const {
    mpiglot::communicator(comm).send(mpiglot::send_buf(mpiglot::as_serialized(root)),
                                     mpiglot::destination(rank), mpiglot::tag(tag));
  }
};
struct receive {
  static constexpr std::size_t integers = 2;
  template <class Root>
  void operator()(Root root, int rank, int tag, const Comm& comm) const {
    mpiglot::communicator(comm).recv(mpiglot::recv_buf(mpiglot::as_serialized(root)),
                                     mpiglot::source(rank), mpiglot::tag(tag));
  }
};
struct broadcast {
  static constexpr std::size_t integers = 1;
  template <class Root>
  void operator()(Root root, int rank, const Comm& comm, std::ptrdiff_t = 0) const {
    mpiglot::communicator(comm).bcast(mpiglot::send_recv_buf(mpiglot::as_serialized(root)),
                                      mpiglot::root(rank));
  }
};
struct write_file {
  static constexpr std::size_t integers = 0;
  template <class Root>
  void operator()(Root root, std::ostream& file, std::ptrdiff_t = 0) const {
    mpiglot::write_value(file, root);
    if (!file.flush()) mpiglot::detail::refuse_value("a file cannot be written");
  }
  template <class Root>
  void operator()(Root root, File& file, std::ptrdiff_t = 0) const {
    mpiglot::write_value(file.transport(), root);
  }
};
struct read_file {
  static constexpr std::size_t integers = 0;
  template <class Root>
  void operator()(Root root, std::istream& file) const {
    mpiglot::read_value(file, root);
  }
  template <class Root>
  void operator()(Root root, File& file) const {
    mpiglot::read_value(file.transport(), root);
  }
};

}  // namespace detail

// Each function is there without and with functions that take the place of the hooks of class `T`. The
// arguments of `T` and the hash map have no other effect.
#define MPIGLOT_MEL_FUNCTION(Name, operation)                                                   \
  template <class T = void, class HashMap = PointerHashMap, class Root, class... Rest>          \
  auto Name(Root&& root, Rest&&... rest) {                                                      \
    return mpiglot::detail::with_root<void, void>(detail::operation{}, root,                    \
                                                  static_cast<Rest&&>(rest)...);                \
  }                                                                                             \
  template <class T, class HashMap, detail::function<T> Hook, detail::function<T>... Receiving, \
            class Root, class... Rest>                                                          \
  auto Name(Root&& root, Rest&&... rest) {                                                      \
    return mpiglot::detail::with_root<detail::way_beside<T, Hook>, T>(                          \
        detail::operation{}, root, static_cast<Rest&&>(rest)...);                               \
  }

/// `BufferSize(x)`, `BufferSize(pointer, n)`: how many bytes the message of a structure has. Local.
MPIGLOT_MEL_FUNCTION(BufferSize, size)
/// `Send(x, rank, tag, comm)`, `Send(pointer, n, rank, tag, comm)`: sends an object, a container, or what
/// a pointer leads to, in one message. Throws `encode_error`.
MPIGLOT_MEL_FUNCTION(Send, send)
/// `Recv(x, rank, tag, comm)`, `Recv(pointer, n, rank, tag, comm)`: receives what `Send` sends. A pointer
/// then leads to new objects or is null; its old value is forgotten. A variable `n` gets their number; a
/// constant must be equal, or this throws `count_error`. `rank` may be MPI_ANY_SOURCE. Throws
/// `decode_error`; then `x` is empty.
MPIGLOT_MEL_FUNCTION(Recv, receive)
/// `Bcast(x, root, comm)`, `Bcast(pointer, n, root, comm)`. Collective.
MPIGLOT_MEL_FUNCTION(Bcast, broadcast)
/// `FileWrite(x, file)`, `FileWrite(pointer, n, file)`: appends a structure to a std::ofstream or a
/// `File`, as `write_value` does. Throws `encode_error`, or what MPI says, if that fails. Local.
MPIGLOT_MEL_FUNCTION(FileWrite, write_file)
/// Reads it from a std::ifstream or a `File`. Throws as `Recv`, and `checkpoint_error` if the file is too
/// short, has changed or has something else. Local.
MPIGLOT_MEL_FUNCTION(FileRead, read_file)
// Every message is buffered. A last argument, the size of the buffer, is accepted.
MPIGLOT_MEL_FUNCTION(BufferedSend, send)
MPIGLOT_MEL_FUNCTION(BufferedRecv, receive)
MPIGLOT_MEL_FUNCTION(BufferedBcast, broadcast)
MPIGLOT_MEL_FUNCTION(BufferedFileWrite, write_file)
MPIGLOT_MEL_FUNCTION(BufferedFileRead, read_file)
#undef MPIGLOT_MEL_FUNCTION

}  // namespace Deep
}  // namespace MEL
