// Structures are taken apart without recursion, however deep they are: destructors recurse.

#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#include <mpiglot/detail/codec/owners.hpp>
#include <mpiglot/detail/codec/registry.hpp>
#include <mpiglot/detail/codec/seen.hpp>
#include <mpiglot/detail/codec/type_categories.hpp>

namespace mpiglot::detail {

/// Whether values of a type may own objects through pointers. A class that lists its fields is not
/// looked into, since it may contain itself.
template <class T>
[[nodiscard]] consteval bool may_own() {
  if constexpr (encodes_itself<T> || lists_fields<T> || owning_pointer<T> || sharing_pointer<T> ||
                is_rule<T>) {
    return true;
  } else if constexpr (map_like<T>) {
    return may_own<typename T::mapped_type>();
  } else if constexpr (associative<T>) {
    return false;  // its elements are const
  } else {
    return any_part<T>([]<class Part>(Part*) { return may_own<Part>(); });
  }
}

/// The first object of an array that a rule owns, or null.
template <class Rule>
[[nodiscard]] const typename Rule::object* first_owned(const Rule& rule) noexcept {
  if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(rule.pointer)>>)
    return rule.pointer;
  else
    return rule.pointer.get();
}
/// How many objects a rule owns, if there are any.
template <class Rule>
[[nodiscard]] std::size_t owned_count(const Rule& rule) noexcept {
  if constexpr (std::is_same_v<decltype(rule.count), one_object>)
    return 1;
  else
    return static_cast<std::size_t>(rule.count);
}

/// Empties values: what they own is freed, what they share is let go. Recurses while that is shallow,
/// and puts off what is deeper. What there is no memory to put off is freed by its own destructor.
class dismantler {
 public:
  /// Objects of `shared` pointers of the language are freed, once; or they are freed elsewhere.
  /// Objects with an encoding of their own are emptied, or made anew if one `renews`.
  explicit dismantler(bool frees_shared = true, bool renews = false) noexcept
      : frees_shared_(frees_shared), renews_(renews) {}
  dismantler(const dismantler&) = delete;
  dismantler& operator=(const dismantler&) = delete;
  ~dismantler() { finish(); }

  /// Empties the whole value. Pointers that lead back to it do not free it.
  template <class Object>
  void empty_root(Object& object) noexcept {
    root_ = {__builtin_addressof(object), &type_tag<Object>};
    empty_below(object);
  }

  /// Empties containers and pointers; numbers keep their values.
  template <class T>
  void empty(T& value) {
    if constexpr (std::is_const_v<T> || byte_run<T>) {
      // It cannot be changed, or owns nothing.
    } else if constexpr (encodes_itself<T>) {
      if (renews_)
        own_encoding<T>::renew(value);
      else
        own_encoding<T>::empty(*this, value);
    } else if constexpr (lists_fields<T>) {
      visit_listed(value, [this](auto&&... fields) { (this->empty(fields), ...); });
    } else if constexpr (is_owned_object<T>) {
      if constexpr (!std::is_const_v<std::remove_reference_t<decltype(value.pointer)>>) {
        if (value.pointer != nullptr) destroy<typename T::object>(unconst(value.pointer));
        value.pointer = nullptr;
      }
    } else if constexpr (is_observed_object<T>) {
      if constexpr (!std::is_const_v<std::remove_reference_t<decltype(value.pointer)>>)
        value.pointer = nullptr;
    } else if constexpr (is_owned_array<T>) {
      empty_array(value);
    } else if constexpr (is_shared_array<T>) {
      empty_shared(value);
    } else if constexpr (is_rule_of_each<T>) {
      for (auto& each : value.range) empty_rule(T::of(each));
      if constexpr (requires { value.range.clear(); }) value.range.clear();
    } else if constexpr (is_base_parts<T>) {
      each_base(value, [this](auto& base) { this->empty(base); });
    } else if constexpr (owning_pointer<T>) {
      using object = std::remove_cv_t<typename T::element_type>;
      if (value.get() != nullptr) destroy<object>(unconst(value.release()));
    } else if constexpr (sharing_pointer<T>) {
      let_go(value);
    } else if constexpr (weak_pointer<T>) {
      value.reset();
    } else if constexpr (std::is_bounded_array_v<T> || fixed_array<T>) {
      for (auto& element : value) empty(element);
    } else if constexpr (path_like<T>) {
      value.clear();
    } else if constexpr (map_like<T>) {
      if constexpr (may_own<T>())
        for (auto& element : value) empty(element.second);
      value.clear();
    } else if constexpr (associative<T> || sequence<T> || value_array<T>) {
      each(value);
      if constexpr (requires { value.clear(); })
        value.clear();
      else
        value.resize(0);
    } else if constexpr (tuple_like<T>) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        using std::get;
        (this->empty(get<I>(value)), ...);
      }(std::make_index_sequence<std::tuple_size<T>::value>());
    } else if constexpr (optional_like<T>) {
      if (value.has_value()) empty(*value);
      value.reset();
    } else if constexpr (variant_like<T>) {
      alternatives<T>::with(value.index(), [&]<std::size_t I>(auto*) {
        using std::get;
        this->empty(get<I>(value));
      });
    }
  }

  /// The same; what a hook of the user that throws has left is freed by the destructor of the object.
  template <class Object>
  void empty_below(Object& object) noexcept {
    below([&] { empty(object); });
  }
  template <class Action>
  void below(Action action) noexcept {
    const int depth = depth_++;
#if defined(__cpp_exceptions)
    try {
      action();
    } catch (...) {
      depth_ = depth;
    }
#else
    action();
#endif
    depth_ = depth;
  }

  /// Calls `held.destroy(*this)` now, or later if this is deep already.
  template <class Held>
  void destroy_held(Held held) {
    if (depth_ < shallow ||
        !put(
            held,
            [](dismantler& by, void* room) { by.below([&] { taken<Held>(room).destroy(by); }); }))
      below([&] { held.destroy(*this); });
  }
  /// Whether an object that others share, too, is to be freed: once, and not if that is done elsewhere.
  [[nodiscard]] bool frees_now(const void* object, const void* type) noexcept {
    // What there is no memory to remember stays: it may be met again.
    return frees_shared_ && !root_.is(object, type) &&
           shared_.meet(object, type) == seen_objects::answer::first;
  }

  /// Frees all that was put off.
  void finish() noexcept {
    while (top_ != nullptr) {
      if (top_->used == 0) {
        delete_top();
        continue;
      }
      --top_->used;
      entry& next = top_->all[top_->used];
      next.run(*this, next.room);
    }
  }

 private:
  /// The depth from which on objects are put off.
  static constexpr int shallow = 100;

  template <class Object>
  struct array {
    Object* first;
    std::size_t count;
  };
  template <class Pointer, class Count>
  void empty_array(owned_array<Pointer, Count>& rule) {
    if constexpr (!std::is_const_v<Pointer>) {
      using object = typename owned_array<Pointer, Count>::object;
      array<object> all{nullptr, static_cast<std::size_t>(rule.count)};
      if constexpr (std::is_pointer_v<Pointer>) {
        all.first = unconst(rule.pointer);
        rule.pointer = nullptr;
      } else {
        all.first = unconst(rule.pointer.release());
      }
      if (all.first != nullptr) destroy<object>(all);
    }
  }
  template <class Pointer, class Count>
  void empty_shared(shared_array<Pointer, Count>& rule) {
    if constexpr (!std::is_const_v<Pointer>) {
      using object = typename shared_array<Pointer, Count>::object;
      auto* const first = unconst(first_owned(rule));
      if constexpr (std::is_pointer_v<Pointer>) {
        const std::size_t count = owned_count(rule);
        rule.pointer = nullptr;
        if (first == nullptr || !frees_now(first, &type_tag<object>)) return;
        if constexpr (std::is_same_v<Count, one_object>)
          destroy<object>(first);
        else
          destroy<object>(array<object>{first, count});
      } else {
        if constexpr (may_own<object>())
          if (first != nullptr && rule.pointer.use_count() == 1 &&
              frees_object<object>(rule.pointer))
            for (std::size_t i = 0; i < owned_count(rule); ++i) empty_below(first[i]);
        rule.pointer.reset();
      }
    }
  }
  template <class Rule>
  void empty_rule(Rule rule) {
    empty(rule);
  }
  // `Held` is an array or a pointer.
  template <class Object, class Held>
  void destroy(Held held) {
    if constexpr (may_own<Object>() || registered_base<Object>) {
      if (depth_ >= shallow &&
          put(held, [](dismantler& by, void* room) { by.destroy_now(taken<Held>(room)); }))
        return;
    }
    destroy_now(held);
  }
  template <class Object>
  void destroy_now(Object* object) {
    if constexpr (registered_base<Object>)
      empty_registered(class_of(*object), object);
    else if constexpr (may_own<Object>())
      empty_below(*object);
    delete object;
  }
  template <class Class, class Object>
  void empty_registered(const Class* of, Object* object) {
    if (of != nullptr) of->of->empty(*this, changeable(whole_object(object)));
  }
  template <class Object>
  void destroy_now(array<Object> all) {
    if constexpr (may_own<Object>())
      for (std::size_t i = 0; i < all.count; ++i) empty_below(all.first[i]);
    delete[] all.first;
  }

  // A pointer that was put off. It does not move.
  struct entry {
    void (*run)(dismantler&, void* room);
    alignas(void*) std::byte room[2 * sizeof(void*)];
  };
  struct entries {
    entries* below;
    std::size_t used;
    entry all[32];
  };

  template <class Range>
  void each(Range& range) {
    if constexpr (may_own<Range>())
      for (auto& element : range) empty(element);
  }
  template <class Object>
  [[nodiscard]] static auto unconst(Object* object) noexcept {
    return const_cast<std::remove_cv_t<Object>*>(object);
  }
  // The last one that shares an object frees it. Others may be left, as in a ring.
  template <class Pointer>
  void let_go(Pointer& pointer) {
    using object = std::remove_cv_t<typename Pointer::element_type>;
    if constexpr (may_own<object>() || registered_base<object>)
      if (pointer.get() != nullptr && pointer.use_count() == 1 && frees<object>(pointer)) {
        if constexpr (sizeof(Pointer) <= sizeof(entry::room))
          if (depth_ >= shallow && put(pointer, [](dismantler& by, void* room) {
                const Pointer mine = taken<Pointer>(room);
                by.empty_shared_object(*unconst(mine.get()));
              }))
            return;
        empty_shared_object(*unconst(pointer.get()));
      }
    pointer.reset();
  }
  template <class Object, class Pointer>
  [[nodiscard]] static bool frees(const Pointer& pointer) {
    if constexpr (registered_base<Object> && shows_owner<Pointer>) {
      const auto* const of = class_of(*pointer);
      const two_words words = words_of(pointer);
      return of != nullptr && (of->of->frees(whole_object(pointer.get()), words.owner) ||
                               owner_frees<Object>(words.object, words.owner));
    } else {
      return frees_object<Object>(pointer);
    }
  }
  template <class Object>
  void empty_shared_object(Object& object) {
    if constexpr (registered_base<Object>)
      empty_registered(class_of(object), &object);
    else
      empty_below(object);
  }

  // Moves a pointer to where it waits, unless there is no memory for that.
  template <class Pointer>
  [[nodiscard]] bool put(Pointer& pointer, void (*how)(dismantler&, void*)) noexcept {
    if (top_ == nullptr || top_->used == sizeof(entries::all) / sizeof(entry)) {
      auto* const more = static_cast<entries*>(std::malloc(sizeof(entries)));
      if (more == nullptr) return false;
      more->below = top_;
      more->used = 0;
      top_ = more;
    }
    entry& next = top_->all[top_->used++];
    next.run = how;
    ::new (static_cast<void*>(next.room)) Pointer(static_cast<Pointer&&>(pointer));
    return true;
  }
  template <class Pointer>
  [[nodiscard]] static Pointer taken(void* room) noexcept {
    auto& there = *std::launder(static_cast<Pointer*>(room));
    Pointer pointer(static_cast<Pointer&&>(there));
    there.~Pointer();
    return pointer;
  }
  void delete_top() noexcept {
    entries* const last = top_;
    top_ = last->below;
    std::free(last);
  }

  entries* top_ = nullptr;
  seen_objects shared_;
  root_value root_;
  int depth_ = 0;
  bool frees_shared_;
  bool renews_;
};

/// Empties one object, and frees all that it alone owns, and what its `shared` pointers own. Does not
/// throw.
template <class Object>
void empty_object(const Object& object, bool frees_shared = true, bool renews = false) noexcept {
  dismantler(frees_shared, renews).empty_root(const_cast<Object&>(object));
}

}  // namespace mpiglot::detail
