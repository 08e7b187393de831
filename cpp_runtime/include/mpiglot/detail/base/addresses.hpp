// Whether the bytes of a type mean the same in another process. An address does not; so classes are
// looked into, field by field, without a library for reflection.

#pragma once

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace mpiglot {

/// Specialise as true for a class whose bytes may be sent although the library cannot look into it:
/// one that is trivially copyable, holds no address, and is no aggregate (it has constructors,
/// private members or virtual functions) or has a union among its fields.
///
///   template <>
///   inline constexpr bool mpiglot::plain_bytes<vec3> = true;
template <class T>
inline constexpr bool plain_bytes = false;

/// How a view lays out its elements. Specialise it for a kind of view that mpiglot does not know
/// (docs/guide/views.md).
template <class View>
struct view_traits;

namespace detail {

/// Describes a buffer (`using describes_buffer = void;` in the class) and is no value to be sent.
template <class T>
concept buffer_description = requires { typename T::describes_buffer; };

template <class T>
concept has_tuple_size = requires { std::tuple_size<T>::value; };

/// A view of elements that need not lie one after another: std::mdspan, Kokkos::View, and what else
/// tells of extents or strides. Known by structure, since no header of theirs is included.
template <class T>
concept strided_like = !std::is_arithmetic_v<T> && (requires { sizeof(view_traits<T>); } ||
                                                     requires(const T& t) { t.data_handle(); } ||
                                                     requires(const T& t) { t.extents(); } ||
                                                     requires(const T& t) { t.extent(0); } ||
                                                     requires(const T& t) { t.stride(0); } ||
                                                     requires(const T& t) { t.stride(); } ||
                                                     requires(const T& t) { t.strides(); } ||
                                                     requires(const T& t) { t.outerStride(); } ||
                                                     requires { typename T::array_layout; } ||
                                                     requires { typename T::layout_type; });

/// Views of other memory, whose elements may not even exist: std::views::transform, iota.
template <class T>
concept iterates_elsewhere = !std::is_aggregate_v<T> && requires(T& t) {
  t.begin();
  t.end();
};

/// Refers to other memory (spans, string views, std::reference_wrapper): copying its bytes would send
/// addresses.
template <class T>
concept refers_elsewhere =
    (requires(const T& t) {
      t.data();
      t.size();
    } && !has_tuple_size<T>) || iterates_elsewhere<T> || strided_like<T> ||
    requires(const T& t) { requires std::is_same_v<decltype(t.get()), typename T::type&>; };

/// A handle of the generated layer: it names an object of this process.
template <class T>
concept names_object = requires(const T& t) {
  typename T::native_type;
  requires std::is_same_v<std::remove_cvref_t<decltype(t.native)>, typename T::native_type>;
};

/// Numbers of the compiler that MPI has no name for: they travel as bytes.
template <class T>
inline constexpr bool is_wide_number = false;
#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
template <>
inline constexpr bool is_wide_number<int128> = true;
template <>
inline constexpr bool is_wide_number<uint128> = true;
#endif

/// What is known of the bytes of a type; of several fields the last of these counts.
enum class content {
  safe,     ///< they mean the same in another process
  unknown,  ///< the class cannot be looked into
  address,  ///< there is an address among them
};

template <class T>
[[nodiscard]] consteval content content_of();
template <class T>
inline constexpr content content_in = content_of<std::remove_cv_t<T>>();

[[nodiscard]] consteval content worst(std::initializer_list<content> all) {
  content found = content::safe;
  for (const content each : all) found = each > found ? each : found;
  return found;
}

/// Initialises any field of a class but never the whole class, which would be a copy.
template <class Class>
struct any_member {
  template <class Field>
    requires(!std::is_same_v<std::remove_cv_t<Field>, Class>)
  operator Field() const;
};
/// Initialises a field whose bytes are of this kind.
template <class Class, content Kind>
struct member_with {
  template <class Field>
    requires(!std::is_same_v<std::remove_cv_t<Field>, Class> && content_in<Field> == Kind)
  operator Field() const;
};
template <class T, std::size_t>
using repeated = T;

/// Initialises each element of a class by a value. Elements of arrays count one by one, since their
/// braces are left out.
template <class T>
struct by_elements {
  static constexpr std::size_t most = 64;
  using any = any_member<T>;

  template <std::size_t... I>
  [[nodiscard]] static consteval bool accepts(std::index_sequence<I...>) {
    return requires { T{repeated<any, I>()...}; };
  }
  template <std::size_t N = 0, bool Found = false>
  [[nodiscard]] static consteval std::size_t count() {
    if constexpr (N > most)
      return 0;
    else if constexpr (accepts(std::make_index_sequence<N>()))
      return count<N + 1, true>();
    else if constexpr (Found)
      return N - 1;
    else
      return count<N + 1, false>();
  }
  template <content Kind, std::size_t... Before, std::size_t... After>
  [[nodiscard]] static consteval bool has_at(std::index_sequence<Before...>,
                                             std::index_sequence<After...>) {
    return requires {
      T{repeated<any, Before>()..., member_with<T, Kind>(), repeated<any, After>()...};
    };
  }
  template <content Kind, std::size_t... I>
  [[nodiscard]] static consteval bool has(std::index_sequence<I...>) {
    return (has_at<Kind>(std::make_index_sequence<I>(),
                         std::make_index_sequence<sizeof...(I) - 1 - I>()) ||
            ...);
  }
};

/// Initialises each field of a class by a value in braces, so that a long array counts as one.
template <class T>
struct by_fields {
  static constexpr std::size_t most = 64;
  using any = any_member<T>;

  template <std::size_t... I>
  [[nodiscard]] static consteval bool accepts(std::index_sequence<I...>) {
    return requires { T{{repeated<any, I>()}...}; };
  }
  template <std::size_t N = 1>
  [[nodiscard]] static consteval std::size_t count() {
    if constexpr (N > most)
      return 0;
    else if constexpr (accepts(std::make_index_sequence<N>()))
      return count<N + 1>();
    else
      return N - 1;
  }
  template <content Kind, std::size_t... Before>
  [[nodiscard]] static consteval bool has_at(std::index_sequence<Before...>) {
    return requires { T{{repeated<any, Before>()}..., member_with<T, Kind>()}; };
  }
  template <content Kind, std::size_t... I>
  [[nodiscard]] static consteval bool has(std::index_sequence<I...>) {
    return (has_at<Kind>(std::make_index_sequence<I>()) || ...);
  }
};

template <class Way>
[[nodiscard]] consteval content content_found() {
  constexpr std::size_t n = Way::count();
  if constexpr (n == 0)
    return content::unknown;
  else if constexpr (Way::template has<content::address>(std::make_index_sequence<n>()))
    return content::address;
  else if constexpr (Way::template has<content::unknown>(std::make_index_sequence<n>()))
    return content::unknown;
  else
    return content::safe;
}

template <class T>
[[nodiscard]] consteval content content_of_fields() {
  if constexpr (std::is_empty_v<T>)
    return content::safe;
  else if constexpr (by_elements<T>::count() > 0)
    return content_found<by_elements<T>>();
  else
    return content_found<by_fields<T>>();
}

/// std::optional, std::variant, and of <chrono> durations and points in time: what is in them.
template <class T>
struct content_of_known {
  static constexpr content value = content::unknown;
};
template <class T>
  requires requires(const T& t, typename T::value_type) {
    t.has_value();
    *t;
  }
struct content_of_known<T> {
  static constexpr content value = content_in<typename T::value_type>;
};
template <class T>
  requires requires(const T& t, typename T::period) { t.count(); }
struct content_of_known<T> {
  static constexpr content value = content_in<typename T::rep>;
};
template <class T>
  requires requires(const T& t, typename T::duration) { t.time_since_epoch(); }
struct content_of_known<T> {
  static constexpr content value = content_in<typename T::duration>;
};
template <template <class...> class Variant, class... T>
  requires requires(const Variant<T...>& t) { t.valueless_by_exception(); }
struct content_of_known<Variant<T...>> {
  static constexpr content value = worst({content_in<T>...});
};
/// std::bitset.
template <class T>
  requires requires(const T& t) {
    t.to_ullong();
    t.test(std::size_t{});
  }
struct content_of_known<T> {
  static constexpr content value = content::safe;
};
/// std::complex.
template <class T>
  requires requires(const T& t, typename T::value_type) {
    t.real();
    t.imag();
  }
struct content_of_known<T> {
  static constexpr content value = content_in<typename T::value_type>;
};

template <class T>
[[nodiscard]] consteval content content_of_class() {
  if constexpr (plain_bytes<T>) {
    return content::safe;
  } else if constexpr (has_tuple_size<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return worst({content::safe, content_in<std::tuple_element_t<I, T>>...});
    }(std::make_index_sequence<std::tuple_size<T>::value>());
  } else if constexpr (names_object<T> || buffer_description<T> || strided_like<T>) {
    return content::address;
  } else if constexpr (!std::is_trivially_copyable_v<T>) {
    return content::unknown;
  } else if constexpr (std::is_aggregate_v<T> && std::is_copy_assignable_v<T>) {
    return content_of_fields<T>();
  } else if constexpr (refers_elsewhere<T>) {
    return content::address;
  } else {
    return content_of_known<T>::value;
  }
}

template <class T>
[[nodiscard]] consteval content content_of() {
  if constexpr (std::is_pointer_v<T> || std::is_reference_v<T> || std::is_member_pointer_v<T> ||
                std::is_null_pointer_v<T> || std::is_function_v<T>)
    return content::address;
  else if constexpr (std::is_array_v<T>)
    return content_in<std::remove_all_extents_t<T>>;
  else if constexpr (std::is_union_v<T>)
    return plain_bytes<T> ? content::safe : content::unknown;
  else if constexpr (std::is_class_v<T>)
    return content_of_class<T>();
  else
    return content::safe;
}

}  // namespace detail
}  // namespace mpiglot
