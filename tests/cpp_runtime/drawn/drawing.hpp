// What the generated classes of the codec's tests are filled with.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "../encoding.hpp"

namespace drawn {

template <class Integer>
struct counting {
  Integer n{};
  static void fields(auto& self, auto&& visit) { visit(self.n); }
};

class drawing;
template <class T>
void draw(drawing& from, T& to);

/// Random values. A value has some hundred objects at most.
class drawing {
 public:
  explicit drawing(unsigned seed) : random_(seed) {}

  [[nodiscard]] std::size_t below(std::size_t n) { return random_() % n; }
  /// A length.
  [[nodiscard]] std::size_t some() {
    const std::size_t n = left_ > 0 ? below(4) : 0;
    left_ -= static_cast<int>(n);
    return n;
  }

  template <class Pointer>
  void owned(Pointer& pointer) {
    one_or_each(pointer, [this]<class T>(T*& to) { to = some() == 0 ? nullptr : made<T>(); });
  }
  template <class Pointer>
  void shared(Pointer& pointer) {
    one_or_each(pointer, [this]<class T>(T*& to) {
      auto& all = places_[typeid(T*)];
      switch (below(3)) {
        case 0:
          break;
        case 1:
          to = all.empty() ? nullptr : static_cast<T*>(all[below(all.size())].first);
          break;
        default:
          if (some() == 0) break;
          to = new T();
          all.emplace_back(to, 1);
          draw(*this, *to);
      }
    });
  }
  template <class Pointer>
  void observed(Pointer& pointer) {
    one_or_each(pointer, [this]<class T>(const T*& to) {
      const auto& all = places_[typeid(T)];
      if (!all.empty() && below(4) != 0) to = static_cast<const T*>(all[below(all.size())].first);
    });
  }
  template <class T>
  void owned_array(T*& to, std::size_t n) {
    if (below(4) != 0) to = array<T>(n);
  }
  template <class T>
  void owned_array(std::unique_ptr<T[]>& to, std::size_t n) {
    if (below(4) != 0) to.reset(array<T>(n));
  }
  template <class T>
  void shared_array(T*& to, std::size_t n) {
    if (below(4) == 0) return;
    auto& all = places_[typeid(T**)];
    if (!all.empty() && all.back().second == n && below(2) == 0) {
      to = static_cast<T*>(all.back().first);
    } else {
      to = array<T>(n);
      all.emplace_back(to, n);
    }
  }
  template <class T>
  void shared_array(std::shared_ptr<T[]>& to, std::size_t n) {
    if (below(4) == 0) return;
    auto& all = owners_[typeid(T[])];
    if (!all.empty() && all.back().second == n && below(2) == 0) {
      to = std::static_pointer_cast<T[]>(all.back().first);
    } else {
      to.reset(array<T>(n));
      all.emplace_back(to, n);
    }
  }
  template <class T>
  void shared_object(std::shared_ptr<T>& to) {
    auto& all = owners_[typeid(T)];
    if (below(3) == 0 && !all.empty()) {
      to = std::static_pointer_cast<T>(all[below(all.size())].first);
    } else if (some() != 0) {
      to.reset(made<T>());
      all.emplace_back(to, 1);
    }
  }
  template <class T>
  [[nodiscard]] T* made() {
    T* const object = new T();
    draw(*this, *object);
    return object;
  }
  /// An object may be observed; the root may be shared, too.
  template <class T>
  void met(T& object) {
    places_[typeid(T)].emplace_back(&object, 1);
  }
  template <class T>
  void draw_root(T& object) {
    places_[typeid(T*)].emplace_back(&object, 1);
    draw(*this, object);
  }

 private:
  template <class T>
  [[nodiscard]] T* array(std::size_t n) {
    T* const first = new T[n]();
    for (std::size_t i = 0; i < n; ++i) {
      draw(*this, first[i]);
      if constexpr (std::is_arithmetic_v<T>) met(first[i]);
    }
    return first;
  }
  template <class Pointer, class Action>
  void one_or_each(Pointer& pointer, Action action) {
    if constexpr (std::is_pointer_v<Pointer>) {
      action(pointer);
    } else {
      if constexpr (requires { pointer.resize(1); }) pointer.resize(some());
      for (auto& each : pointer) action(each);
    }
  }

  std::mt19937 random_;
  int left_ = 40;
  std::map<std::type_index, std::vector<std::pair<void*, std::size_t>>> places_;
  std::map<std::type_index, std::vector<std::pair<std::shared_ptr<void>, std::size_t>>> owners_;
};

template <class T>
void draw_value(drawing& from, std::unique_ptr<T>& to) {
  if (from.some() != 0) to.reset(from.made<T>());
}
template <class T>
void draw_value(drawing& from, std::shared_ptr<T>& to) {
  from.shared_object(to);
}
template <class T>
void draw_value(drawing& from, std::vector<T>& to) {
  to.resize(from.some());
  for (auto& each : to) draw(from, each);
}
inline void draw_value(drawing& from, std::vector<bool>& to) {
  to.assign(from.some(), from.below(2) != 0);
}
template <class T>
void draw_value(drawing& from, std::list<T>& to) {
  to.resize(from.some());
  for (auto& each : to) draw(from, each);
}
template <class Map>
void draw_map(drawing& from, Map& to) {
  for (std::size_t n = from.some(); n > 0; --n) {
    typename Map::key_type key{};
    draw(from, key);
    const auto [at, is_new] = to.try_emplace(key);
    if (is_new) draw(from, at->second);
  }
}
template <class Key, class T>
void draw_value(drawing& from, std::map<Key, T>& to) {
  draw_map(from, to);
}
template <class Key, class T>
void draw_value(drawing& from, std::unordered_map<Key, T>& to) {
  draw_map(from, to);
}
template <class T>
void draw_value(drawing& from, std::optional<T>& to) {
  if (from.some() != 0) draw(from, to.emplace());
}
template <class A, class B, class C>
void draw_value(drawing& from, std::variant<A, B, C>& to) {
  switch (from.below(3)) {
    case 0:
      return draw(from, to.template emplace<0>());
    case 1:
      return draw(from, to.template emplace<1>());
    default:
      draw(from, to.template emplace<2>());
  }
}
template <class A, class B>
void draw_value(drawing& from, std::pair<A, B>& to) {
  draw(from, to.first);
  draw(from, to.second);
}
template <class T, std::size_t N>
void draw_value(drawing& from, std::array<T, N>& to) {
  for (auto& each : to) draw(from, each);
}

template <class T>
void draw(drawing& from, T& to) {
  if constexpr (std::is_arithmetic_v<T>) {
    to = static_cast<T>(from.below(std::is_same_v<T, bool> ? 2 : 128));
  } else if constexpr (std::is_same_v<T, std::string>) {
    to.assign(from.some(), static_cast<char>('a' + from.below(26)));
  } else if constexpr (requires { draw_fields(from, to); }) {
    from.met(to);
    draw_fields(from, to);
  } else {
    draw_value(from, to);
  }
}

}  // namespace drawn
