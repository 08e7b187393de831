// What a deep copy begins with: an object, a container, or a pointer to objects. Pointers in the structure
// may lead back to it.

#pragma once

#include <cstddef>
#include <type_traits>

#include <mpiglot/detail/codec/hook_message.hpp>

namespace mpiglot::detail {

/// An object or a container.
template <class T, class Way>
struct root_object {
  T* object;
};
template <class T, class Way>
struct own_encoding<root_object<T, Way>> {
  using stands_for = std::remove_cv_t<T>;  // in the fingerprint of a checkpoint
  static constexpr std::size_t least_bytes = 1;
  static void write(encoder& by, const root_object<T, Way>& root) {
    by.set_root(*root.object);
    Way::write(by, *root.object);
  }
  static void read(decoder& by, root_object<T, Way>& root) {
    by.set_root(*root.object);
    Way::read(by, *root.object);
  }
  static void empty(dismantler& by, root_object<T, Way>& root) { Way::empty(by, *root.object); }
  static void renew(root_object<T, Way>& root) {
    if constexpr (encodes_itself<T> || std::is_same_v<Way, way_of_codec>) {
      if constexpr (may_own<T>()) empty_object(*root.object, true, true);
    } else if constexpr (requires { root.object->clear(); }) {
      root.object->clear();
    } else {
      root.object->~T();
      ::new (static_cast<void*>(root.object)) T();
    }
  }
};

/// A pointer to objects. Their number is given, or stored.
template <class T, class Way, class Count>
struct root_array {
  T** pointer;
  std::ptrdiff_t n;
  Count* told;  // null if the number is given

  void set_count(std::size_t arrived) const {
    if (told != nullptr) {
      *told = static_cast<Count>(arrived);
      if (*told < Count{} || static_cast<std::size_t>(*told) != arrived)
        mpi::detail::fail(count_error("the number of objects is too large for its variable"));
    } else if (n < 0 || static_cast<std::size_t>(n) != arrived) {
      mpi::detail::fail(count_error("another number of objects arrives than is expected"));
    }
  }
};
template <class T, class Way, class Count>
struct own_encoding<root_array<T, Way, Count>> {
  using root_type = root_array<T, Way, Count>;
  using object = std::remove_cv_t<T>;
  using stands_for = object;
  static_assert(!std::is_pointer_v<T>, "mpiglot: a deep copy begins with a pointer to objects");
  static constexpr std::size_t least_bytes = 1;

  static void write(encoder& by, const root_type& root) {
    T* const first = *root.pointer;
    if (first == nullptr) return by.write_length(0);
    if (root.n < 0) refuse_value("a negative number of objects");
    const auto n = static_cast<std::size_t>(root.n);
    by.write_length(by.number_of_shared<object>(first, n).number);
    by.write_length(n);
    write_objects<Way>(by, static_cast<const object*>(first), n);
  }
  static void read(decoder& by, root_type& root) {
    *root.pointer = nullptr;
    const std::uint64_t which = by.number();
    if (which > 1) refuse_bytes("a reference to an object that is not there");
    if (which == 0) {
      if (root.told != nullptr) *root.told = 0;
      return;
    }
    const std::size_t n = by.length(Way::template least_bytes<object>());
    root.set_count(n);
    by.shared().reserve();
    object* const made = make_unread_objects<Way, object>(n);
    by.shared().remember(held_made<object, Way>{{made, n}});
    *root.pointer = made;
    read_objects<Way>(by, made, n);
  }
  // The decoder frees what it has made.
  static void empty(dismantler&, root_type& root) noexcept {
    *root.pointer = nullptr;
    if (root.told != nullptr) *root.told = 0;
  }
  static void renew(root_type&) noexcept {}
};

/// How many integers come first.
template <class... Arguments>
inline constexpr std::size_t leading_integers = 0;
template <class First, class... Rest>
  requires std::is_integral_v<std::remove_cvref_t<First>>
inline constexpr std::size_t leading_integers<First, Rest...> = 1 + leading_integers<Rest...>;

/// Calls `action` with the root that the arguments of a deep copy begin with, and the others. Behind a
/// pointer its number of objects may stand, before as many integers as the action has.
template <class Way, class Element, class Action, class Root, class... Rest>
decltype(auto) with_root(Action action, Root& root, Rest&&... rest) {
  using root_type = std::remove_const_t<Root>;
  if constexpr (std::is_pointer_v<root_type>) {
    using object = std::remove_pointer_t<root_type>;
    using way = std::conditional_t<std::is_void_v<Way>, way_of<std::remove_cv_t<object>>, Way>;
    auto* const pointer = const_cast<root_type*>(&root);
    if constexpr (leading_integers<Rest...> == Action::integers) {
      return action(root_array<object, way, int>{pointer, 1, nullptr},
                    static_cast<Rest&&>(rest)...);
    } else {
      static_assert(leading_integers<Rest...> == Action::integers + 1,
                    "mpiglot: a deep copy has other arguments");
      return [&]<class Count>(Count&& n, auto&&... others) {
        using count = std::remove_cvref_t<Count>;
        constexpr bool is_variable =
            std::is_lvalue_reference_v<Count> && !std::is_const_v<std::remove_reference_t<Count>>;
        count* told = nullptr;
        if constexpr (is_variable) told = &n;
        return action(root_array<object, way, count>{pointer, static_cast<std::ptrdiff_t>(n), told},
                      static_cast<decltype(others)&&>(others)...);
      }(static_cast<Rest&&>(rest)...);
    }
  } else {
    using way = std::conditional_t<
        std::is_void_v<Way>, way_of<root_type>,
        std::conditional_t<std::is_same_v<root_type, Element>, Way, way_of_elements<Way>>>;
    return action(root_object<root_type, way>{const_cast<root_type*>(&root)},
                  static_cast<Rest&&>(rest)...);
  }
}

}  // namespace mpiglot::detail
