// Attributes: values that a program attaches to communicators, windows and datatypes (attribute
// caching, MPI-4.1, section 7.7).
//
//   const attribute_key<settings> key;
//   comm.set_attribute(key, settings{...});
//   if (settings* s = comm.attribute(key)) ...

#pragma once

#include <mpiglot/detail/base/in_flight.hpp>
#include <mpiglot/mpi/attributes.hpp>
#include <mpiglot/mpi/loaded.hpp>
#include <utility>

namespace mpiglot {

/// What happens to an attribute when its object is duplicated.
enum class on_dup { forget, copy };

namespace detail {

struct comm_attributes {
  using copy_function = MPI_Comm_copy_attr_function;
  using delete_function = MPI_Comm_delete_attr_function;
  static int create(copy_function* copy, delete_function* remove, int* key) noexcept {
    return MPIGLOT_MPI(MPI_Comm_create_keyval)(copy, remove, key, nullptr);
  }
  static int free(int* key) noexcept { return MPIGLOT_MPI(MPI_Comm_free_keyval)(key); }
  static auto get(mpi::comm_handle of, int key) { return mpi::comm_get_attr(of, key); }
  static void set(mpi::comm_handle of, int key, void* value) { mpi::comm_set_attr(of, key, value); }
  static void erase(mpi::comm_handle of, int key) { mpi::comm_delete_attr(of, key); }
};
struct win_attributes {
  using copy_function = MPI_Win_copy_attr_function;
  using delete_function = MPI_Win_delete_attr_function;
  static int create(copy_function* copy, delete_function* remove, int* key) noexcept {
    return MPIGLOT_MPI(MPI_Win_create_keyval)(copy, remove, key, nullptr);
  }
  static int free(int* key) noexcept { return MPIGLOT_MPI(MPI_Win_free_keyval)(key); }
  static auto get(mpi::win_handle of, int key) { return mpi::win_get_attr(of, key); }
  static void set(mpi::win_handle of, int key, void* value) { mpi::win_set_attr(of, key, value); }
  static void erase(mpi::win_handle of, int key) { mpi::win_delete_attr(of, key); }
};
struct type_attributes {
  using copy_function = MPI_Type_copy_attr_function;
  using delete_function = MPI_Type_delete_attr_function;
  static int create(copy_function* copy, delete_function* remove, int* key) noexcept {
    return MPIGLOT_MPI(MPI_Type_create_keyval)(copy, remove, key, nullptr);
  }
  static int free(int* key) noexcept { return MPIGLOT_MPI(MPI_Type_free_keyval)(key); }
  static auto get(mpi::datatype_handle of, int key) { return mpi::type_get_attr(of, key); }
  static void set(mpi::datatype_handle of, int key, void* value) {
    mpi::type_set_attr(of, key, value);
  }
  static void erase(mpi::datatype_handle of, int key) { mpi::type_delete_attr(of, key); }
};

template <class Handle>
struct attributes_of;
template <>
struct attributes_of<mpi::comm_handle> {
  using type = comm_attributes;
};
template <>
struct attributes_of<mpi::win_handle> {
  using type = win_attributes;
};
template <>
struct attributes_of<mpi::datatype_handle> {
  using type = type_attributes;
};

}  // namespace detail

/// An attribute key. Under it, each object with a handle of type `Handle` can store one value of
/// type `T`; `Handle` is `mpi::comm_handle` (the default), `mpi::win_handle` or
/// `mpi::datatype_handle`. All functions are local. A stored value lies on the heap until it is
/// erased or its object is freed, even if the key is destroyed before. The destructor of `T` must
/// not throw.
template <class T, class Handle = mpi::comm_handle>
class attribute_key {
  using calls = typename detail::attributes_of<Handle>::type;
  using native = typename Handle::native_type;

 public:
  /// Creates a key. With `on_dup::copy`, a duplicate of an object gets a copy of the value; if that
  /// copy throws, the duplication fails.
  explicit attribute_key(on_dup duplicated = on_dup::forget) {
    mpi::detail::check(calls::create(duplicated == on_dup::copy ? &copy : &drop, &remove, &key_),
                       "MPI_Comm_create_keyval");
    mpi::detail::keep_loaded_for<attribute_key>();
  }
  attribute_key(attribute_key&& other) noexcept
      : key_(std::exchange(other.key_, MPI_KEYVAL_INVALID)) {}
  attribute_key& operator=(attribute_key&&) = delete;
  ~attribute_key() {
    if (key_ == MPI_KEYVAL_INVALID) return;
    if (!detail::mpi_is_over()) static_cast<void>(calls::free(&key_));
  }

  /// Returns a pointer to the value that `of` has under this key, or null if it has none.
  [[nodiscard]] T* find(Handle of) const {
    return static_cast<T*>(calls::get(of, key_).value_or(nullptr));
  }
  /// Stores a value and deletes the previous one, if any.
  template <class Value>
  T& store(Handle of, Value&& value) const {
    struct guard {
      T* made;
      ~guard() { delete made; }
    } owner{new T(static_cast<Value&&>(value))};
    calls::set(of, key_, owner.made);
    return *std::exchange(owner.made, nullptr);
  }
  /// Deletes the value of `of`, if it has one.
  void erase(Handle of) const { calls::erase(of, key_); }
  /// The MPI key value, for calls of the generated layer.
  [[nodiscard]] int native_key() const noexcept { return key_; }

 private:
  static int copy(native, int, void*, void* from, void* to, int* copied) noexcept {
    if constexpr (std::is_copy_constructible_v<T>) {
#if defined(__cpp_exceptions)
      try {
        *static_cast<T**>(to) = new T(*static_cast<const T*>(from));
      } catch (...) {
        return MPI_ERR_OTHER;
      }
#else
      *static_cast<T**>(to) = new T(*static_cast<const T*>(from));
#endif
      *copied = 1;
      return MPI_SUCCESS;
    } else {
      return drop(native{}, 0, nullptr, from, to, copied);
    }
  }
  static int drop(native, int, void*, void*, void*, int* copied) noexcept {
    *copied = 0;
    return MPI_SUCCESS;
  }
  static int remove(native, int, void* value, void*) noexcept {
    delete static_cast<T*>(value);
    return MPI_SUCCESS;
  }

  int key_ = MPI_KEYVAL_INVALID;
};

}  // namespace mpiglot
