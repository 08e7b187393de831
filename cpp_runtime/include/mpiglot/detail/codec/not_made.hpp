// Lists of fields without an object: only the types of the fields are wanted.

#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include <mpiglot/detail/codec/type_categories.hpp>

namespace mpiglot::detail {

/// Whether the list itself has the types: that of an aggregate whose fields are found.
template <class Class>
concept names_fields = lists_fields<Class> && !lists_fields_itself<Class> &&
                       requires { typename fields_of<Class>::types; };

/// Memory of zeros in the place of an object, so that no constructor of the program runs. A class with
/// virtual functions needs more than memory to be asked for its bases, so that one is made.
template <class Class>
class not_made {
 public:
  template <class Action>
  static void look_at(Action action) {
    if constexpr (std::is_polymorphic_v<Class>) {
      struct made {
        Class* object = new Class();
        ~made() { delete object; }
      } const one;
      action(*one.object);
    } else {
      const not_made zeros;
      action(*static_cast<Class*>(zeros.memory_));
    }
  }

 private:
  not_made() : memory_(::operator new(sizeof(Class), std::align_val_t{alignof(Class)})) {
    std::memset(memory_, 0, sizeof(Class));
  }
  not_made(const not_made&) = delete;
  not_made& operator=(const not_made&) = delete;
  ~not_made() { ::operator delete(memory_, std::align_val_t{alignof(Class)}); }

  void* memory_;
};

}  // namespace mpiglot::detail
