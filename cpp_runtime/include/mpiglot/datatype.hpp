// The MPI datatypes of C++ types: built-in types, enumerations, and trivially copyable types, which
// are sent as bytes. Specialise `datatype_traits` to give any other type a datatype.

#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <mpiglot/detail/base/addresses.hpp>
#include <mpiglot/detail/base/at_finalize.hpp>
#include <mpiglot/mpi/error.hpp>
#include <mpiglot/mpi/handles.hpp>
#include <mpiglot/mpi/loaded.hpp>
#include <mpiglot/mpi/spin_lock.hpp>

namespace mpiglot {

/// Specialise this class to choose the datatype of a type: `static mpi::datatype_handle get()`. The
/// datatype must be committed, and the program must free it.
template <class T>
struct datatype_traits {};

/// A bool that can be the element of a container in memory, which std::vector<bool> does not offer.
/// Results of operations on bools have elements of this type: `for (bool ok :
/// comm.allgather(send_buf(fine)))`.
struct boolean {
  boolean() = default;
  constexpr boolean(bool truth) noexcept : value(truth) {}
  /// Converts to bool.
  constexpr operator bool() const noexcept { return value; }

  bool value;
};

namespace detail {

template <class T>
concept has_own_datatype = requires { mpi::datatype_handle{datatype_traits<T>::get()}; };

template <class T, class... Candidates>
inline constexpr bool is_one_of = (__is_same(T, Candidates) || ...);

template <class T>
concept builtin =
    is_one_of<T, char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
              unsigned long, long long, unsigned long long, float, double, long double, wchar_t,
              char8_t, char16_t, char32_t, bool, boolean, std::byte>;

/// Recognises std::complex by its members, because including <complex> takes longer than this whole
/// header.
template <class T>
concept is_complex = std::is_class_v<T> && sizeof(T) >= 2 * sizeof(float) && requires(T& t) {
  typename T::value_type;
  requires std::is_floating_point_v<typename T::value_type>;
  requires std::is_same_v<decltype(t.real()), typename T::value_type>;
  requires std::is_same_v<decltype(t.imag()), typename T::value_type>;
  requires sizeof(T) == 2 * sizeof(typename T::value_type);
};

/// True if equal values have equal bytes in every process: no padding, no address.
template <class T>
inline constexpr bool bytes_say_the_value =
    __has_unique_object_representations(T) && content_in<T> == content::safe;
template <>
inline constexpr bool bytes_say_the_value<float> = true;
template <>
inline constexpr bool bytes_say_the_value<double> = true;
template <is_complex T>
inline constexpr bool bytes_say_the_value<T> = sizeof(typename T::value_type) <= sizeof(double);

template <class T>
inline constexpr bool elements_are_bytes = false;

/// Pairs, tuples and arrays of such types. They can be copied as bytes, although the standard
/// library defines an assignment operator for some of them.
template <class T>
concept bytes_by_element = has_tuple_size<T> && std::is_trivially_destructible_v<T> &&
                           std::is_trivially_copy_constructible_v<T> && elements_are_bytes<T>;

/// A class that is sent as the bytes of its memory.
template <class T>
concept sent_as_bytes =
    ((std::is_class_v<T> || std::is_union_v<T>) && (plain_bytes<T> || !refers_elsewhere<T>) &&
     (std::is_trivially_copyable_v<T> || bytes_by_element<T>) && std::is_move_constructible_v<T> &&
     content_in<T> == content::safe) ||
    is_wide_number<T>;

template <template <class...> class Tuple, class... T>
inline constexpr bool elements_are_bytes<Tuple<T...>> =
    ((std::is_trivially_copyable_v<T> || bytes_by_element<T>) && ...);
template <template <class, std::size_t> class Array, class T, std::size_t Size>
inline constexpr bool elements_are_bytes<Array<T, Size>> =
    std::is_trivially_copyable_v<T> || bytes_by_element<T>;

// These are the names of mpi.h, so that the constants of `mpiglot::mpi` need not be included.

template <std::size_t Size>
[[nodiscard]] MPI_Datatype unsigned_datatype() noexcept {
  if constexpr (Size == 1)
    return MPI_UINT8_T;
  else if constexpr (Size == 2)
    return MPI_UINT16_T;
  else
    return MPI_UINT32_T;
}

template <is_complex T>
[[nodiscard]] MPI_Datatype complex_datatype() noexcept {
  using part = typename T::value_type;
  if constexpr (__is_same(part, float))
    return MPI_C_FLOAT_COMPLEX;
  else if constexpr (__is_same(part, double))
    return MPI_C_DOUBLE_COMPLEX;
  else
    return MPI_C_LONG_DOUBLE_COMPLEX;
}

template <builtin T>
[[nodiscard]] MPI_Datatype builtin_datatype() noexcept {
  if constexpr (__is_same(T, char))
    return MPI_CHAR;
  else if constexpr (__is_same(T, signed char))
    return MPI_SIGNED_CHAR;
  else if constexpr (__is_same(T, unsigned char))
    return MPI_UNSIGNED_CHAR;
  else if constexpr (__is_same(T, short))
    return MPI_SHORT;
  else if constexpr (__is_same(T, unsigned short))
    return MPI_UNSIGNED_SHORT;
  else if constexpr (__is_same(T, int))
    return MPI_INT;
  else if constexpr (__is_same(T, unsigned))
    return MPI_UNSIGNED;
  else if constexpr (__is_same(T, long))
    return MPI_LONG;
  else if constexpr (__is_same(T, unsigned long))
    return MPI_UNSIGNED_LONG;
  else if constexpr (__is_same(T, long long))
    return MPI_LONG_LONG;
  else if constexpr (__is_same(T, unsigned long long))
    return MPI_UNSIGNED_LONG_LONG;
  else if constexpr (__is_same(T, float))
    return MPI_FLOAT;
  else if constexpr (__is_same(T, double))
    return MPI_DOUBLE;
  else if constexpr (__is_same(T, long double))
    return MPI_LONG_DOUBLE;
  else if constexpr (__is_same(T, wchar_t))
    return MPI_WCHAR;
  else if constexpr (is_one_of<T, char8_t, char16_t, char32_t>)
    return unsigned_datatype<sizeof(T)>();
  else if constexpr (is_one_of<T, bool, boolean>)
    return MPI_C_BOOL;
  else
    return MPI_BYTE;
}

/// A datatype that is created once, freed by MPI_Finalize, and created again if MPI is initialised
/// again.
struct cached_datatype {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  bool ready = false;
  cached_datatype* next = nullptr;

  static inline constinit cached_datatype* first = nullptr;
  static inline constinit bool busy = false;  // the list changes once for each type

  static void free_all() noexcept {
    for (cached_datatype* each = first; each != nullptr; each = each->next) {
      MPIGLOT_MPI(MPI_Type_free)(&each->type);
      each->ready = false;
    }
    first = nullptr;
  }

  static int at_finalize(MPI_Comm, int, void*, void*) {
    free_all();
    return MPI_SUCCESS;
  }

  /// Stores `made` in `cache`, unless another thread has stored one before.
  static void keep(cached_datatype& cache, mpi::unique_datatype&& made) {
    const mpi::detail::spin_lock guard(busy);
    if (cache.ready) return;
    if (first == nullptr) watch_finalize();
    mpi::detail::keep_loaded(&cache);
    cache.type = made.release().native;
    cache.next = first;
    first = &cache;
    __atomic_store_n(&cache.ready, true, __ATOMIC_RELEASE);
  }

  // MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else.
  static void watch_finalize() {
    int started = 0;
    MPIGLOT_MPI(MPI_Initialized)(&started);
    if (started == 0) return;  // only sessions are used: there is no MPI_COMM_SELF to watch
    mpi::detail::check(call_at_finalize(&at_finalize), "MPI_Comm_set_attr");
    mpi::detail::keep_loaded(reinterpret_cast<const void*>(&at_finalize));
  }
};

template <std::size_t Size>
struct bytes_datatype {
  static inline cached_datatype cache;

  [[gnu::cold, gnu::noinline]] static void make() {
    static_assert(Size <= 0x7fffffff);
    mpi::unique_datatype made;
    mpi::detail::check(
        MPIGLOT_MPI(MPI_Type_contiguous)(static_cast<int>(Size), MPI_BYTE, &made.native),
        "MPI_Type_contiguous");
    mpi::detail::check(MPIGLOT_MPI(MPI_Type_commit)(&made.native), "MPI_Type_commit");
    cached_datatype::keep(cache, static_cast<mpi::unique_datatype&&>(made));
  }
};

}  // namespace detail

/// True if values of this type can be sent without serialization.
template <class T>
concept has_datatype = detail::has_own_datatype<T> || detail::builtin<T> || std::is_enum_v<T> ||
                       detail::is_complex<T> || detail::sent_as_bytes<T>;

/// Returns the MPI datatype of `T`. Trivially copyable classes are sent as bytes, with their
/// padding; this requires that all processes run on the same architecture. Their datatype is
/// committed at the first use and freed by MPI_Finalize. The first use may throw `mpi::error`.
template <has_datatype T>
[[nodiscard]] mpi::datatype_handle datatype_of() noexcept((!detail::sent_as_bytes<T> ||
                                                           detail::is_complex<T>) &&
                                                          !detail::has_own_datatype<T>) {
  if constexpr (detail::has_own_datatype<T>) {
    return datatype_traits<T>::get();
  } else if constexpr (detail::builtin<T>) {
    return mpi::datatype_handle{detail::builtin_datatype<T>()};
  } else if constexpr (detail::is_complex<T>) {
    return mpi::datatype_handle{detail::complex_datatype<T>()};
  } else if constexpr (std::is_enum_v<T>) {
    return datatype_of<std::underlying_type_t<T>>();
  } else {
    using cached = detail::bytes_datatype<sizeof(T)>;
    if (!__atomic_load_n(&cached::cache.ready, __ATOMIC_ACQUIRE)) [[unlikely]]
      cached::make();
    return mpi::datatype_handle{cached::cache.type};
  }
}

}  // namespace mpiglot
