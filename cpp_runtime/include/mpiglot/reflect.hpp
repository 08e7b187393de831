// Datatypes made of the fields of a class, without its padding: for processes whose padding differs,
// for padding that must not be read, and for files of known types.
//
//   struct particle { char kind; double mass; std::array<int, 3> charge; };
//   template <>
//   struct mpiglot::datatype_traits<particle> : mpiglot::fields_datatype<particle> {};
//
// The class is an aggregate without base classes that says nothing about itself: its fields are
// counted and bound by the language. At most 16 fields, each of a type that has a datatype.

#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include <mpiglot/datatype.hpp>
#include <mpiglot/mpi/datatypes.hpp>

namespace mpiglot {
namespace detail {

/// Converts to anything, in place of a field.
struct any_field {
  template <class T>
  operator T() const;
};

template <class T, std::size_t... I>
[[nodiscard]] consteval bool made_of(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), any_field())...}; };
}

/// How many fields an aggregate has. A field that is an array counts once for each element where
/// the language lets its braces be left out, so arrays of the language are refused: std::array.
template <class T, std::size_t Count = 16>
[[nodiscard]] consteval std::size_t field_count() {
  if constexpr (Count == 0 || made_of<T>(std::make_index_sequence<Count>()))
    return Count;
  else
    return field_count<T, Count - 1>();
}

template <class T, class Visit>
void visit_fields(T& object, Visit visit) {
  constexpr std::size_t count = field_count<std::remove_const_t<T>>();
  static_assert(count > 0, "mpiglot: a class without fields has nothing to send");
  if constexpr (count == 1) {
    auto& [f0] = object;
    visit(f0);
  } else if constexpr (count == 2) {
    auto& [f0, f1] = object;
    visit(f0, f1);
  } else if constexpr (count == 3) {
    auto& [f0, f1, f2] = object;
    visit(f0, f1, f2);
  } else if constexpr (count == 4) {
    auto& [f0, f1, f2, f3] = object;
    visit(f0, f1, f2, f3);
  } else if constexpr (count == 5) {
    auto& [f0, f1, f2, f3, f4] = object;
    visit(f0, f1, f2, f3, f4);
  } else if constexpr (count == 6) {
    auto& [f0, f1, f2, f3, f4, f5] = object;
    visit(f0, f1, f2, f3, f4, f5);
  } else if constexpr (count == 7) {
    auto& [f0, f1, f2, f3, f4, f5, f6] = object;
    visit(f0, f1, f2, f3, f4, f5, f6);
  } else if constexpr (count == 8) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7] = object;
    visit(f0, f1, f2, f3, f4, f5, f6, f7);
  } else if constexpr (count == 9) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8] = object;
    visit(f0, f1, f2, f3, f4, f5, f6, f7, f8);
  } else if constexpr (count == 10) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = object;
    visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9);
  } else if constexpr (count == 11) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = object;
    visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10);
  } else if constexpr (count == 12) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = object;
    visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11);
  } else if constexpr (count == 13) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = object;
    visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12);
  } else if constexpr (count == 14) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = object;
    visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13);
  } else if constexpr (count == 15) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = object;
    visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14);
  } else if constexpr (count == 16) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = object;
    visit(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15);
  }
}

}  // namespace detail

/// Base of a `fields_of`: the fields of an aggregate as the language binds them, for the built-in
/// codec.
///
///   struct person { std::string name; std::vector<int> marks; };
///   template <>
///   struct mpiglot::fields_of<person> : mpiglot::reflected_fields {};
struct reflected_fields {
  static void fields(auto& self, auto&& visit) { detail::visit_fields(self, visit); }
};

/// Base of a `datatype_traits`: the datatype of the fields of `T`, as long as `T`, committed at its
/// first use and freed when MPI finalizes.
template <class T>
struct fields_datatype {
  static_assert(std::is_aggregate_v<T> && std::is_trivially_copyable_v<T>,
                "mpiglot: only aggregates of trivially copyable fields have a datatype of fields");

  [[nodiscard]] static mpi::datatype_handle get() {
    if (!__atomic_load_n(&cache.ready, __ATOMIC_ACQUIRE)) [[unlikely]] make();
    return mpi::datatype_handle{cache.type};
  }

 private:
  static inline detail::cached_datatype cache;

  [[gnu::cold, gnu::noinline]] static void make() {
    T example{};
    detail::visit_fields(example, [&](auto&... field) {
      constexpr std::size_t count = sizeof...(field);
      const std::array<int, count> lengths = {(static_cast<void>(field), 1)...};
      const std::array<mpi::aint_t, count> places = {
          static_cast<mpi::aint_t>(reinterpret_cast<const char*>(&field) -
                                   reinterpret_cast<const char*>(&example))...};
      const std::array<mpi::datatype_handle, count> types = {
          datatype_of<std::remove_cvref_t<decltype(field)>>()...};
      const mpi::unique_datatype fields(mpi::type_create_struct(
          std::span<const int>(lengths), std::span<const mpi::aint_t>(places),
          std::span<const mpi::datatype_handle>(types)));
      mpi::unique_datatype whole(
          mpi::type_create_resized(fields, 0, static_cast<mpi::aint_t>(sizeof(T))));
      mpi::type_commit(whole);
      detail::cached_datatype::keep(cache, static_cast<mpi::unique_datatype&&>(whole));
    });
  }
};

}  // namespace mpiglot
