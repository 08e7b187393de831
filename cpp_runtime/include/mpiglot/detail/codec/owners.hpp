// What the owner of a shared pointer tells about it: whether two pointers share one, and whether it
// holds an object of the type that the pointer points to, or of a class derived from it.

#pragma once

#include <cxxabi.h>

#include <cstddef>
#include <cstdint>
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
/// The same kind of pointer to anything.
template <class Pointer>
struct pointer_to_anything;
template <template <class...> class Pointer, class T, class... Rest>
struct pointer_to_anything<Pointer<T, Rest...>> {
  using type = Pointer<void, Rest...>;
};
template <class Pointer>
using owner_of_any = typename pointer_to_anything<Pointer>::type;
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

/// Whether the name of a type begins with that of a deleter of the standard library, which deletes.
[[nodiscard]] inline bool is_deleter_of_std(const char* type) noexcept {
  constexpr char of_arrays[] = "std::__sp_array_delete";
  if (std::strncmp(type, of_arrays, sizeof of_arrays - 1) == 0) return true;
  const char* const at = std::strstr(type, "default_delete<");
  return at != nullptr && std::memchr(type, ',', static_cast<std::size_t>(at - type)) == nullptr;
}

/// How the owner of a std::shared_ptr keeps the object that it will free.
enum class keeping : std::uintptr_t {
  unknown,    ///< Or a deleter of the user does something with it.
  inside,     ///< It lies in the owner.
  at_word_2,  ///< The owner has its address, behind so many words.
  at_word_3,
  another  ///< It keeps one of another type.
};

/// How owners of class `owner` keep their objects; the class is one of libstdc++ or libc++.
[[nodiscard, gnu::cold, gnu::noinline]] inline keeping keeping_of(
    const std::type_info& owner) noexcept {
  int status = 0;
  char* const name = abi::__cxa_demangle(owner.name(), nullptr, nullptr, &status);
  keeping found = keeping::unknown;
  if (name != nullptr && std::strncmp(name, "std::", 5) == 0) {
    const char* const arguments = std::strchr(name, '<');
    const auto is = [&](const char* what) {
      const char* const at = std::strstr(name, what);
      return at != nullptr && at < arguments;
    };
    // The second argument, behind the comma that is in no argument of the first.
    const char* second = arguments;
    for (int open = 0; second != nullptr && *second != '\0'; ++second) {
      if (*second == '<' || *second == '(') ++open;
      if (*second == '>' || *second == ')') --open;
      if (*second == ',' && open == 1) break;
    }
    const bool deletes = second != nullptr && *second == ',' &&
                         std::strncmp(second, ", std::", 7) == 0 && is_deleter_of_std(second + 2);
    if (is("_Sp_counted_ptr_inplace<") || is("__shared_ptr_emplace<"))
      found = keeping::inside;
    else if (is("_Sp_counted_ptr<") || (is("_Sp_counted_deleter<") && deletes))
      found = keeping::at_word_2;
    else if (is("__shared_ptr_pointer<") && deletes)
      found = keeping::at_word_3;
  }
  std::free(name);
  return found;
}

/// The tables of virtual functions of owners, with what is known of them in the lowest bits.
template <class T>
inline std::uintptr_t known_keepings[4] = {};

template <class T>
[[gnu::cold, gnu::noinline]] keeping learn_keeping([[maybe_unused]] const void* const* virtuals) {
  keeping found = keeping::unknown;
#ifdef __GXX_RTTI
  // The Itanium ABI keeps the type before the functions; null if it was compiled without.
  const auto* const type = static_cast<const std::type_info*>(virtuals[-1]);
  if (type != nullptr)
    found = owner_may_hold(*type, typeid(T)) ? keeping_of(*type) : keeping::another;
#endif
  auto& known = known_keepings<T>;
  for (int i = 3; i > 0; --i)
    __atomic_store_n(&known[i], __atomic_load_n(&known[i - 1], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  __atomic_store_n(&known[0],
                   reinterpret_cast<std::uintptr_t>(virtuals) | static_cast<std::uintptr_t>(found),
                   __ATOMIC_RELAXED);
  return found;
}
template <class T>
[[nodiscard]] keeping known_keeping(const void* const* virtuals) {
  for (const std::uintptr_t& known : known_keepings<T>) {
    const std::uintptr_t both = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if ((both & ~std::uintptr_t{7}) == reinterpret_cast<std::uintptr_t>(virtuals))
      return static_cast<keeping>(both & 7);
  }
  return learn_keeping<T>(virtuals);
}

/// Whether an owner keeps an object in a way that is known.
[[nodiscard]] inline bool is_kept(keeping how, const void* object, const void* const* owner,
                                  std::size_t alignment) noexcept {
  if (how != keeping::inside) return owner[how == keeping::at_word_2 ? 2 : 3] == object;
  const auto apart =
      reinterpret_cast<std::uintptr_t>(object) - reinterpret_cast<std::uintptr_t>(owner);
  return apart < 4 * sizeof(void*) + alignment;
}
/// Whether an owner frees an object of type T, and no deleter of the user decides.
template <class T>
[[nodiscard]] bool owner_frees(const void* object, const void* owner) noexcept {
  const void* const* const words = static_cast<const void* const*>(owner);
  if (words == nullptr) return false;
  const keeping how = known_keeping<T>(static_cast<const void* const*>(words[0]));
  return how != keeping::unknown && how != keeping::another &&
         is_kept(how, object, words, alignof(T));
}
/// Whether an owner does not own the object of type T that a pointer points to, but one of which it is a
/// part, or any other. A deleter of the user's is believed.
template <class T>
[[nodiscard]] bool owner_keeps_another(const void* object, const void* owner) noexcept {
  const void* const* const words = static_cast<const void* const*>(owner);
  const keeping how = known_keeping<T>(static_cast<const void* const*>(words[0]));
  return how == keeping::another ||
         (how != keeping::unknown && !is_kept(how, object, words, alignof(T)));
}
/// The object and the owner of a shared pointer that shows them.
struct two_words {
  const void* object;
  const void* owner;
};
template <class Pointer>
[[nodiscard]] two_words words_of(const Pointer& pointer) noexcept {
  two_words words;
  std::memcpy(&words, &pointer, sizeof words);
  return words;
}
/// Where pointers to parts lead until all parts are there.
alignas(std::max_align_t) inline constexpr char later_part[alignof(std::max_align_t)] = {};

/// Whether a std::shared_ptr points to a part of what it owns, or will.
template <class Pointer>
[[nodiscard]] bool points_to_part(const Pointer& pointer) noexcept {
  if constexpr (owner_has_class<Pointer>) {
    const two_words words = words_of(pointer);
    if (words.object == later_part) return true;
    return words.owner != nullptr &&
           owner_keeps_another<std::remove_cv_t<typename Pointer::element_type>>(words.object,
                                                                                 words.owner);
  } else {
    return false;
  }
}
/// Whether the last pointer to an object of type T frees it, and no deleter of the user decides.
template <class T, class Pointer>
[[nodiscard]] bool frees_object(const Pointer& pointer) {
  if constexpr (!has_owner<Pointer>) {
    return true;  // it counts in the object
  } else if constexpr (owner_has_class<Pointer>) {
    const two_words words = words_of(pointer);
    return owner_frees<T>(words.object, words.owner);
  } else {
    return false;
  }
}

}  // namespace mpiglot::detail
