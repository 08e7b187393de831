// Classes that are known by a name: what pointers to a base with virtual functions may lead to.

#pragma once

#include <cstddef>
#include <cstring>
#include <typeinfo>

#include <mpiglot/detail/codec/type_categories.hpp>

namespace mpiglot::detail {

class encoder;
class decoder;
class dismantler;
class pieces;

/// What is done with the objects of a class, whose addresses are those of whole objects.
struct class_operations {
  const std::type_info* type;
  void* (*make)();
  void (*write)(encoder&, const void* object, std::size_t);
  void (*read)(decoder&, void* object, std::size_t);
  std::size_t (*fewest_bytes)(void* object);
  void (*empty)(dismantler&, void* object) noexcept;
  bool (*frees)(const void* object, const void* owner) noexcept;
  void (*list)(pieces&, const void* object, bool once);
};

/// A class that is registered, among those with this base. They are never removed.
template <class Base>
struct registered_class {
  const class_operations* of;
  const char* name;
  Base* (*as_base)(void* object);
  const registered_class* next;
};
template <class Base>
inline const registered_class<Base>* last_registered_class = nullptr;

/// The first one for which `is_it` is true, or null.
template <class Base, class Condition>
[[nodiscard]] const registered_class<Base>* registered(Condition is_it) noexcept {
  const auto* at = __atomic_load_n(&last_registered_class<Base>, __ATOMIC_ACQUIRE);
  while (at != nullptr && !is_it(*at)) at = at->next;
  return at;
}
#ifdef __GXX_RTTI
/// That of an object, or null.
template <class Base>
[[nodiscard]] const registered_class<std::remove_cv_t<Base>>* class_of(Base& object) noexcept {
  const std::type_info& type = typeid(object);
  return registered<std::remove_cv_t<Base>>(
      [&](const auto& each) { return *each.of->type == type; });
}
template <class Base>
[[nodiscard]] const void* whole_object(const Base* object) noexcept {
  return dynamic_cast<const void*>(object);
}
#endif
template <class Object>
[[nodiscard]] void* changeable(const Object* object) noexcept {
  return const_cast<void*>(static_cast<const void*>(object));
}

/// Whether neither the name nor the class is there with another one.
template <class Base>
[[nodiscard]] bool may_add_class(const class_operations& of, const char* name) noexcept {
  return registered<Base>([&](const auto& each) {
           return (*each.of->type == *of.type) != (std::strcmp(each.name, name) == 0);
         }) == nullptr;
}
/// Adds a class to those with this base, or finds it there. False if it may not be added.
template <class Base>
[[nodiscard]] bool add_class(const class_operations& of, const char* name,
                             Base* (*as_base)(void*)) {
  auto*& last = last_registered_class<Base>;
  auto* const made = new registered_class<Base>{&of, name, as_base, nullptr};
  for (;;) {
    const auto* const found = registered<Base>([&](const auto& each) {
      return *each.of->type == *of.type || std::strcmp(each.name, name) == 0;
    });
    if (found != nullptr) {
      delete made;
      return *found->of->type == *of.type && std::strcmp(found->name, name) == 0;
    }
    made->next = __atomic_load_n(&last, __ATOMIC_ACQUIRE);
    const auto* before = made->next;
    const registered_class<Base>* now = made;
    if (__atomic_compare_exchange_n(&last, &before, now, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return true;
  }
}

}  // namespace mpiglot::detail
