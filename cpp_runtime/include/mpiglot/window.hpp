// Windows: memory that other ranks can access (one-sided communication). MPI-4.1, chapter 12.
//
//   const window win = window::allocate<double>(comm, 100);
//   std::span<double> mine = win.memory<double>();
//   {
//     const fence_epoch epoch = win.fence();
//     win.put(send_buf(values), target_rank(1), target_displacement(10));
//   }
// operations/one_sided.hpp has the accesses, epochs.hpp the epochs.

#pragma once

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/base/attributed.hpp>
#include <mpiglot/detail/access/window_memory.hpp>
#include <mpiglot/detail/access/windows_left.hpp>
#include <mpiglot/epochs.hpp>
#include <mpiglot/group.hpp>
#include <mpiglot/mpi/attributes.hpp>
#include <mpiglot/mpi/datatypes.hpp>
#include <mpiglot/mpi/environment.hpp>
#include <mpiglot/mpi/groups.hpp>
#include <mpiglot/mpi/rma.hpp>
#include <mpiglot/operations/one_sided.hpp>
#include <mpiglot/operations/members/one_sided.hpp>
#include <span>
#include <type_traits>

namespace mpiglot {

/// Memory that is attached to a dynamic window as long as this object exists. Destroy it before the
/// window and before the memory. Local.
class [[nodiscard]] attachment {
 public:
  attachment(mpi::win_handle window, void* memory, mpi::aint_t bytes)
      : window_(window), memory_(memory) {
    mpi::win_attach(window, memory, bytes);
  }
  attachment(attachment&& other) noexcept
      : window_(std::exchange(other.window_, {})), memory_(other.memory_) {}
  attachment& operator=(attachment&&) = delete;
  ~attachment() {
    if (!window_ || detail::mpi_is_over()) return;
    static_cast<void>(mpi::nothrow::win_detach(window_, memory_));
  }

  /// The target displacement with which other ranks access this memory.
  [[nodiscard]] mpi::aint_t address() const { return mpi::get_address(memory_); }

 private:
  mpi::win_handle window_;
  void* memory_;
};

namespace detail {

/// The base of the window type `Self`, below its plugins.
template <class Self>
class window_base : public attributed<mpi::win_handle>, public operations::one_sided_members<Self> {
 public:
  window_base() noexcept = default;
  /// Borrows.
  explicit window_base(mpi::win_handle borrowed) noexcept
      : attributed(borrowed), known_(windows_left::find(borrowed)) {}
  explicit window_base(MPI_Win borrowed) noexcept : window_base(mpi::win_handle{borrowed}) {}
  /// Owns.
  explicit window_base(mpi::unique_win owned) noexcept
      : attributed(static_cast<mpi::unique_win&&>(owned)), known_(windows_left::find(handle())) {}
  window_base(window_base&&) noexcept = default;
  window_base& operator=(window_base&&) noexcept = default;
  ~window_base() {
    if (owns() && unwinding()) static_cast<void>(release());
  }

  /// Creates a window with uninitialised memory for `count` elements, which is freed with the
  /// window. The memory is aligned for `T`. Where MPI does not align it, more is allocated, and MPI
  /// counts displacements in bytes from `mpi::win_base`: calls of MPI with the handle must do so, too;
  /// the members of this class convert. At level `normal`, one message exchanges the sizes.
  /// Collective.
  template <class T>
  [[nodiscard]] static Self allocate(mpi::comm_handle comm, mpi::count_t count,
                                     mpi::info_handle hints = {}) {
    const window_elements elements = elements_of<T>(count);
    constexpr mpi::aint_t step = mpich_window_alignment;  // so that the memory of the next rank is
                                                          // aligned
    return own(make_window(comm, elements, false, false, checks_targets(),
                           [&](mpi::aint_t size, mpi::aint_t unit) {
                             return mpi::win_allocate((size + step - 1) / step * step, unit, hints,
                                                      comm);
                           }),
               elements.size);
  }
  /// As above, with memory that all ranks of `comm` can load from and store to directly. They must
  /// share memory (`comm.split_shared()`). The memory of the ranks is contiguous, unless the hint
  /// `alloc_shared_noncontig` says otherwise. Collective.
  template <class T>
  [[nodiscard]] static Self allocate_shared(mpi::comm_handle comm, mpi::count_t count,
                                            mpi::info_handle hints = {}) {
    static_assert(alignof(T) <= 4096, "mpiglot: ranks share whole pages, of at least 4096 bytes");
    const bool contiguous = asks_for_contiguous(hints);
    // Of memory that is not contiguous, Open MPI tells whole pages.
    return own(make_window(comm, elements_of<T>(count), true, contiguous,
                           checks_targets() || !contiguous,
                           [&](mpi::aint_t size, mpi::aint_t unit) {
                             return mpi::win_allocate_shared(size, unit, hints, comm);
                           }));
  }
  /// Creates a window over memory of the program: a contiguous range, which must outlive the
  /// window. With MPICH 4.0, its address must be a multiple of 16. At level `normal`, one message
  /// exchanges the sizes. Collective.
  template <class Range>
  [[nodiscard]] static Self create(mpi::comm_handle comm, Range& memory,
                                   mpi::info_handle hints = {}) {
    using element = std::remove_reference_t<decltype(*std::data(memory))>;
    const mpi::aint_t size = bytes<element>(static_cast<mpi::count_t>(std::size(memory)));
    refuse_misplaced(comm, std::data(memory), size);
    return own_over(comm, size, sizeof(element),
                    mpi::win_create(std::data(memory), size, sizeof(element), hints, comm));
  }
  /// Creates a dynamic window without memory; `attach` adds memory. Displacements are addresses in
  /// bytes. Collective.
  [[nodiscard]] static Self dynamic(mpi::comm_handle comm, mpi::info_handle hints = {}) {
    return own_over(comm, -1, 1, mpi::win_create_dynamic(hints, comm));
  }
  /// Attaches a contiguous range of the program to a dynamic window. Local.
  template <class Range>
  [[nodiscard]] attachment attach(Range& memory) const {
    using element = std::remove_reference_t<decltype(*std::data(memory))>;
    return {present("attach"), std::data(memory),
            bytes<element>(static_cast<mpi::count_t>(std::size(memory)))};
  }

  /// The memory of this rank. Throws `error` if it is not aligned for `T`. Local.
  template <class T>
  [[nodiscard]] std::span<T> memory() const {
    void* const base = mpi::win_get_attr(present("memory"), mpi::win_base).value_or(nullptr);
    const window_targets* const all = known_.targets;
    if (all != nullptr && (*all)[all->own].size >= 0) return span_in<T>(base, (*all)[all->own]);
    return span_of<T>(base, known_.asked >= 0
                                ? known_.asked
                                : *attribute_of<mpi::aint_t>(mpi::win_size, "memory"));
  }
  /// The memory of the given rank of a shared window. Throws `error` if it is not aligned for `T`.
  /// Local.
  template <class T>
  [[nodiscard]] std::span<T> shared_memory(int rank) const {
    const window_targets* const all = known_.targets;
    if (all != nullptr && rank == MPI_PROC_NULL)
      for (rank = 0; rank + 1 < all->ranks && (*all)[rank].size <= 0;) ++rank;
    const auto found = mpi::win_shared_query(present("shared_memory"), rank);
    if (all != nullptr && all->has(rank)) return span_in<T>(found.baseptr, (*all)[rank]);
    return span_of<T>(found.baseptr, found.size);
  }
  [[nodiscard]] mpi::window_flavor flavor() const {
    return mpi::window_flavor{*attribute_of<int>(mpi::win_create_flavor, "flavor")};
  }
  /// The memory model: local and remote accesses see the same memory (`unified`) or two copies of
  /// it (`separate`).
  [[nodiscard]] mpi::window_model model() const {
    return mpi::window_model{*attribute_of<int>(mpi::win_model, "model")};
  }

  /// Begins an epoch, which ends when the returned object is destroyed.
  [[nodiscard]] fence_epoch fence(mpi::assertion promised = {}) const {
    return fence_epoch(present("fence"), promised);
  }
  [[nodiscard]] access_epoch start(mpi::group_handle targets, mpi::assertion promised = {}) const {
    return {present("start"), targets, promised};
  }
  [[nodiscard]] exposure_epoch post(mpi::group_handle origins, mpi::assertion promised = {}) const {
    return {present("post"), origins, promised};
  }
  [[nodiscard]] lock_epoch lock(int rank, mpi::lock_type type = mpi::lock_type::shared,
                                mpi::assertion promised = {}) const {
    return {present("lock"), rank, type, promised};
  }
  [[nodiscard]] lock_epoch lock_exclusive(int rank, mpi::assertion promised = {}) const {
    return {present("lock_exclusive"), rank, mpi::lock_type::exclusive, promised};
  }
  [[nodiscard]] lock_all_epoch lock_all(mpi::assertion promised = {}) const {
    return lock_all_epoch(present("lock_all"), promised);
  }
  /// Synchronises the two copies of this rank's memory, and orders loads and stores of shared
  /// memory (MPI_Win_sync).
  void sync() const { mpi::win_sync(present("sync")); }

  /// The group of the window. Local.
  [[nodiscard]] mpiglot::group group() const {
    return mpiglot::group(mpi::unique_group(mpi::win_get_group(present("group"))));
  }
  template <class String = std::string>
  [[nodiscard]] String name() const {
    return mpi::win_get_name<String>(present("name"));
  }
  void set_name(mpi::text name) const { mpi::win_set_name(present("set_name"), name); }
  void set_errhandler(mpi::errhandler_handle handler) const {
    mpi::win_set_errhandler(present("set_errhandler"), handler);
  }
  /// What accesses know of their targets, or null. For operations/one_sided.hpp.
  [[nodiscard]] const window_targets* reached() const noexcept { return known_.targets; }
  /// Frees an owned window. Throws on error. Collective.
  void free() {
    mpi::win_handle freed = handle();
    if (forget()) mpi::win_free(freed);
  }

 private:
  template <class T>
  [[nodiscard]] static mpi::aint_t bytes(mpi::count_t count) {
    static_assert(std::is_trivially_copyable_v<T> && content_in<T> != content::address,
                  "mpiglot: other ranks copy the bytes of a T, which must hold no address");
    mpi::aint_t size = 0;
    if (__builtin_mul_overflow(count, static_cast<mpi::count_t>(sizeof(T)), &size) || count < 0)
        [[unlikely]]
      refuse_counts("a window cannot have that many elements");
    return size;
  }
  template <class T>
  [[nodiscard]] static window_elements elements_of(mpi::count_t count) {
    return {bytes<T>(count), sizeof(T), alignof(T)};
  }
  /// Whether accesses are compared with the memory of their targets.
  [[nodiscard]] static constexpr bool checks_targets() noexcept {
    return checking_of<Self> >= checks::normal;
  }
  template <class T>
  [[nodiscard]] static std::span<T> span_of(void* memory, mpi::aint_t size) {
    if (size > 0) require_aligned<T>(memory);
    return {static_cast<T*>(memory), static_cast<std::size_t>(size) / sizeof(T)};
  }
  template <class T>
  [[nodiscard]] static std::span<T> span_in(void* base, const window_target& target) {
    return span_of<T>(target.size > 0 ? static_cast<std::byte*>(base) + target.before : base,
                      target.size);
  }
  template <class T>
  [[nodiscard]] const T* attribute_of(int key, const char* asked) const {
    return static_cast<const T*>(mpi::win_get_attr(present(asked), key).value());
  }
  [[nodiscard]] static Self own(made_window made, mpi::aint_t asked = -1) {
    Self owner{static_cast<mpi::unique_win&&>(made.window)};
    owner.set_errhandler(mpi::errors_return);
    const window_targets* const targets = made.targets.get();
    windows_left::add(owner.handle(), static_cast<std::unique_ptr<window_targets>&&>(made.targets),
                      asked);
    owner.known_ = {targets, asked};
    return owner;
  }
  /// The same of a window over memory of the program.
  [[nodiscard]] static Self own_over([[maybe_unused]] mpi::comm_handle comm,
                                     [[maybe_unused]] mpi::aint_t size,
                                     [[maybe_unused]] mpi::aint_t unit, mpi::win_handle window) {
    made_window made{mpi::unique_win(window), nullptr};
#if !defined(SMPI_H)
    if (checks_targets() || defect_of_atomics(comm) != nullptr)
      made.targets = exchange_targets(comm, {.size = size, .unit = unit, .before = 0});
#endif
    return own(static_cast<made_window&&>(made));
  }

  windows_left::known known_;
};

}  // namespace detail

/// A window, owned or borrowed. Creating a window is collective. The destructor frees an owned
/// window, which is collective too; during stack unwinding it does not, because the other ranks may
/// wait for this rank. Windows that still exist at MPI_Finalize are freed then. Errors are thrown.
/// Displacements are in elements of `T`.
/// A window accepts the plugins of communicators (docs/guide/plugins-cpp.md). With the policy
/// `returning`, accesses return an `outcome`, and so does the `wait` of their requests. `on_error`
/// is called for their errors.
template <template <class> class... Plugins>
class basic_window
    : public detail::stacked<detail::window_base<basic_window<Plugins...>>, Plugins...>::type {
  using base =
      typename detail::stacked<detail::window_base<basic_window<Plugins...>>, Plugins...>::type;

 public:
  using base::base;
};

/// A window without plugins. Errors are thrown; the checks are the default ones.
using window = basic_window<>;

}  // namespace mpiglot
