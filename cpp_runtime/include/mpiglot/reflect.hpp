// The fields of classes that say nothing about them, found by Boost.PFR. The built-in codec then
// takes aggregates (no constructors, bases, private members, virtual functions, arrays of the
// language) without a line for each:
//
//   struct person { std::string name; std::vector<person> friends; };
//   communicator.send(send_buf(as_serialized(person)), destination(1));
//
// And datatypes without padding. Use them if the padding differs between processes, if padding must
// not be read, or if a file has known element types.
//
//   struct particle { char kind; double mass; std::array<int, 3> charge; };
//   template <>
//   struct mpiglot::datatype_traits<particle> : mpiglot::fields_datatype<particle> {};
// The class must be an aggregate without base classes and have at most 100 fields, each of a type
// that has a datatype. Boost has PFR since version 1.75; with an older Boost, a folder that contains
// boost/pfr/ is enough.

#pragma once

#if !__has_include(<boost/pfr/core.hpp>)
#error \
    "mpiglot/reflect.hpp needs boost/pfr/core.hpp: Boost 1.75 or later, or the folder boost/pfr of one"
#endif

#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <boost/pfr/core.hpp>

#include <mpiglot/datatype.hpp>
#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/codec/type_categories.hpp>
#include <mpiglot/mpi/datatypes.hpp>

namespace mpiglot {
namespace detail {

/// Converts to any type; used to initialise a field.
template <std::size_t>
struct any_field {
  template <class T>
  operator T() const;
};

/// Converts to bases of `Class`.
template <class Class>
struct some_base {
  template <class T>
    requires(std::is_base_of_v<T, Class> && !std::is_same_v<T, Class>)
  operator T() const;
};

// Boost.PFR 1.81 gives up on the fields of some classes (std::optional or std::vector of what cannot be
// copied), so that they are counted here: values in parentheses initialise whole fields.
template <class T, std::size_t... Place>
[[nodiscard]] consteval bool has_more_fields(std::index_sequence<Place...>) {
  return requires { T(any_field<0>(), any_field<Place>()...); };
}
template <class T, std::size_t Count = 1>
[[nodiscard]] consteval std::size_t count_fields() {
  if constexpr (Count < 100 && has_more_fields<T>(std::make_index_sequence<Count>()))
    return count_fields<T, Count + 1>();
  else
    return Count;
}
/// True if there are more values than fields: an array of the language is among them, whose elements
/// values in braces initialise.
template <class T, std::size_t... Place>
[[nodiscard]] consteval bool has_arrays(std::index_sequence<Place...>) {
  return requires { T{any_field<0>(), any_field<Place>()...}; };
}

/// References to all fields.
template <class T>
[[nodiscard]] constexpr auto tie_fields(T& value) noexcept {
  constexpr std::size_t count = count_fields<std::remove_cv_t<T>>();
  return boost::pfr::detail::make_stdtiedtuple_from_tietuple(
      boost::pfr::detail::tie_as_tuple(value, boost::pfr::detail::size_t_<count>()),
      std::make_index_sequence<count>());
}
template <class T>
[[nodiscard]] consteval bool all_have_datatypes() {
  return []<class... Field>(std::tuple<Field&...>*) {
    return (has_datatype<Field> && ...);
  }(static_cast<decltype(tie_fields(std::declval<T&>()))*>(nullptr));
}

/// An aggregate whose fields are found and can be set, and that travels neither as bytes nor by a rule.
/// The bases of a class are no fields.
template <class T>
[[nodiscard]] consteval bool is_reflectable() {
  if constexpr (std::is_class_v<T> && std::is_aggregate_v<T> && !std::is_empty_v<T> &&
                !has_tuple_size<T> && !is_rule<T> && !lists_fields_itself<T> && !sent_as_bytes<T> &&
                std::is_default_constructible_v<T> && std::is_move_assignable_v<T>) {
    if constexpr (requires { T{some_base<T>()}; })
      return false;
    else
      return !has_arrays<T>(std::make_index_sequence<count_fields<T>()>());
  } else {
    return false;
  }
}
template <class T>
concept reflectable = is_reflectable<T>();

}  // namespace detail

/// A base class for `fields_of`: the fields of an aggregate in their order, for the built-in codec. A
/// class needs such a line only if it would travel as the bytes of its memory, padding included.
///
///   struct sample { char kind; double value; };
///   template <>
///   struct mpiglot::fields_of<sample> : mpiglot::reflected_fields<sample> {};
template <class T>
struct reflected_fields {
  static_assert(std::is_aggregate_v<T> && !std::is_union_v<T>,
                "mpiglot: only the fields of aggregates can be found: no constructors, private "
                "members, virtual functions or unions; list the fields yourself");
  /// The number of fields.
  static constexpr std::size_t count = [] {
    if constexpr (std::is_empty_v<T>)
      return std::size_t{0};
    else if constexpr (std::is_aggregate_v<T> && !std::is_union_v<T>)
      return detail::count_fields<T>();
    else
      return std::size_t{1};
  }();
  /// True if the class has fields that can be visited.
  static constexpr bool has_fields = count != 0;
  static_assert(has_fields, "mpiglot: a class without fields has nothing to send");
  static_assert(!detail::has_arrays<T>(std::make_index_sequence<count>()),
                "mpiglot: a field that is an array of the language hides how many fields there "
                "are; make it a std::array");

  /// The types of the fields.
  using types = typename decltype([]<class... Field>(std::tuple<Field&...>*) {
    return std::type_identity<detail::field_types<Field...>>();
  }(static_cast<decltype(detail::tie_fields(std::declval<T&>()))*>(nullptr)))::type;

  /// Calls `visit` with all fields of an object, in their order.
  static void fields(auto& self, auto&& visit) { std::apply(visit, detail::tie_fields(self)); }
};

/// A base class for `datatype_traits`: a struct datatype of the fields of `T` with the extent of
/// `T`. It is committed at the first use and freed by MPI_Finalize.
template <class T>
struct fields_datatype : private reflected_fields<T> {
  static_assert(
      detail::all_have_datatypes<T>(),
      "mpiglot: there is no datatype for a field, so none for the whole; as_serialized takes it");

  /// Returns the datatype. The first call creates it; MPI_Finalize frees it.
  [[nodiscard]] static mpi::datatype_handle get() {
    if (!__atomic_load_n(&cache.ready, __ATOMIC_ACQUIRE)) [[unlikely]]
      make();
    return mpi::datatype_handle{cache.type};
  }

 private:
  static inline detail::cached_datatype cache;

  [[gnu::cold, gnu::noinline]] static void make() {
    T example{};
    reflected_fields<T>::fields(example, [&](auto&... field) {
      constexpr std::size_t count = sizeof...(field);
      const std::array<int, count> lengths = {(static_cast<void>(field), 1)...};
      const std::array<mpi::aint_t, count> places = {detail::cast_to<mpi::aint_t>(
          reinterpret_cast<const char*>(&field) - reinterpret_cast<const char*>(&example))...};
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

/// Aggregates that list no fields: those that are found. Not of views: the address that they hold is
/// no field to follow.
template <class T>
  requires(detail::reflectable<T> && !(std::is_trivially_copyable_v<T> && detail::strided_like<T>))
struct fields_of<T> : reflected_fields<T> {};

}  // namespace mpiglot
