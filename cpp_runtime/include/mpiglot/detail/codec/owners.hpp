// What the owner of a shared pointer tells about it: whether two pointers share one, and whether it
// holds an object of the type that the pointer points to, or of a class derived from it.

#pragma once

#include <cxxabi.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <typeinfo>

namespace mpiglot::detail {

/// std::shared_ptr, boost::shared_ptr and their like: may point elsewhere than to what they own.
template <class T>
concept has_owner = requires(const T& t) { t.owner_before(t); };

/// All known ones are two addresses: of the object and of its owner.
template <class T>
concept shows_owner = has_owner<T> && sizeof(T) == 2 * sizeof(void*);

/// Its owner is an object with virtual functions, whose class names what was made (std::shared_ptr).
template <class T>
concept owner_has_class = shows_owner<T> && requires { typename T::weak_type; };

/// The same kind of pointer to the object without const, which is the same object.
template <class Pointer>
struct pointer_without_const {
  using type = Pointer;
};
template <template <class...> class Pointer, class T, class... Rest>
  requires(std::is_const_v<T>)
struct pointer_without_const<Pointer<T, Rest...>> {
  using type = Pointer<std::remove_const_t<T>, Rest...>;
};
template <class Pointer>
using owning_form = typename pointer_without_const<Pointer>::type;

/// Whether `text` begins with the name of a type or of a pointer to it or an array of it, up to the
/// next template argument.
[[nodiscard]] inline bool begins_with_type(const char* text, const char* type) noexcept {
  const std::size_t size = std::strlen(type);
  if (std::strncmp(text, type, size) != 0) return false;
  text += size;
  if (std::strncmp(text, " const", 6) == 0) text += 6;
  while (*text == ' ' || *text == '*' || *text == '[' || *text == ']') ++text;
  return *text == ',' || *text == '>';
}

/// Whether an owner of class `owner` may hold an object of exactly type `object`. The first template
/// argument of all known classes of owners is the type that was made or the pointer that was given:
/// `std::_Sp_counted_ptr_inplace<T, ...>`, `std::__shared_ptr_emplace<T, ...>`.
[[nodiscard, gnu::cold, gnu::noinline]] inline bool owner_may_hold(const std::type_info& owner,
                                                                   const std::type_info& object) {
  int status = 0;
  char* const outer = abi::__cxa_demangle(owner.name(), nullptr, nullptr, &status);
  char* const inner = abi::__cxa_demangle(object.name(), nullptr, nullptr, &status);
  bool may = true;
  if (outer != nullptr && inner != nullptr) {
    const char* const argument = std::strchr(outer, '<');
    may = argument == nullptr || begins_with_type(argument + 1, inner) ||
          begins_with_type(argument + 1, "void");
  }
  std::free(inner);
  std::free(outer);
  return may;
}

/// The tables of virtual functions of owners that were found to hold objects of type T. One that
/// another replaces is found again.
template <class T>
inline const void* const* known_owners[4] = {};

template <class T>
[[gnu::cold, gnu::noinline]] bool learn_owner([[maybe_unused]] const void* const* virtuals) {
#ifdef __GXX_RTTI
  auto& known = known_owners<T>;
  for (int i = 1; i < 4; ++i)
    if (__atomic_load_n(&known[i], __ATOMIC_RELAXED) == virtuals) return true;
  // The Itanium ABI keeps the type before the functions; null if it was compiled without.
  const auto* const type = static_cast<const std::type_info*>(virtuals[-1]);
  if (type != nullptr && !owner_may_hold(*type, typeid(T))) return false;
  for (int i = 3; i > 0; --i)
    __atomic_store_n(&known[i], __atomic_load_n(&known[i - 1], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  __atomic_store_n(&known[0], virtuals, __ATOMIC_RELAXED);
#endif
  return true;
}

/// Whether the owner may hold an object of exactly type T. Not known, and true, in what is compiled
/// with -fno-rtti.
template <class T>
[[nodiscard]] bool may_hold(const void* owner) {
  const void* const* virtuals = nullptr;
  std::memcpy(&virtuals, owner, sizeof virtuals);
  if (__atomic_load_n(&known_owners<T>[0], __ATOMIC_RELAXED) == virtuals) [[likely]]
    return true;
  return learn_owner<T>(virtuals);
}

}  // namespace mpiglot::detail
