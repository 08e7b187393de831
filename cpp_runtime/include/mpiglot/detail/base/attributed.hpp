// Handles on which a program hangs attributes (attribute.hpp): communicators, windows, datatypes.

#pragma once

#include <mpiglot/detail/base/held.hpp>

namespace mpiglot::detail {

template <class Handle>
class attributed : public held<Handle> {
 public:
  using held<Handle>::held;

  /// The value stored under `key`, or null. Local.
  template <class Key>
  [[nodiscard]] auto* attribute(const Key& key) const {
    return key.find(this->present("attribute"));
  }
  /// Stores `value` under `key`, and deletes what was there. Local.
  template <class Key, class Value>
  auto& set_attribute(const Key& key, Value&& value) const {
    return key.store(this->present("set_attribute"), static_cast<Value&&>(value));
  }
  /// Deletes what is stored under `key`, if there is something. Local.
  template <class Key>
  void erase_attribute(const Key& key) const {
    if (attribute(key) != nullptr) key.erase(this->present("erase_attribute"));
  }
};

}  // namespace mpiglot::detail
