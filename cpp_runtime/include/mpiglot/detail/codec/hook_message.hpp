// The message that a hook gets. It has the same members on all sides.

#pragma once

#include <cstddef>

#include <mpiglot/detail/codec/hook_sides.hpp>

namespace mpiglot::detail {

class hook_message {
  template <class T>
  using function = void (*)(T&, hook_message&);

 public:
  explicit hook_message(writing_hook& side) noexcept : writes_(&side) {}
  explicit hook_message(reading_hook& side) noexcept : reads_(&side) {}
  explicit hook_message(emptying_hook& side) noexcept : empties_(&side) {}
  hook_message(const hook_message&) = delete;
  hook_message& operator=(const hook_message&) = delete;

  /// Packs what a member of the object depends on, by its hook; or a member of another class that the
  /// codec knows. A member that is copied as bytes needs no packing and may be packed.
  template <class T>
  void packVar(T& member) {
    if constexpr (packs_itself<T>)
      part<member_hook>(member);
    else
      whole<way_of_codec>(member);
  }
  template <class T, function<T> Function>
  void packVar(T& member) {
    part<hook_beside<T, Function>>(member);
  }

  /// Packs `n` objects that a pointer owns, or the null pointer. The pointer is a member of the object,
  /// or lies in a container or an array of pointers that the hook has packed before.
  template <class T>
  void packPtr(T*& pointer, std::ptrdiff_t n = 1) {
    follow<way_of<std::remove_cv_t<T>>>(pointer, n, false);
  }
  template <class T, function<T> Function>
  void packPtr(T*& pointer, std::ptrdiff_t n = 1) {
    follow<way_of_hook<hook_beside<T, Function>>>(pointer, n, false);
  }
  /// The same of a pointer that is not the only one to its objects. All tell the same number of them.
  template <class T>
  void packSharedPtr(T*& pointer, std::ptrdiff_t n = 1) {
    follow<way_of<std::remove_cv_t<T>>>(pointer, n, true);
  }
  template <class T, function<T> Function>
  void packSharedPtr(T*& pointer, std::ptrdiff_t n = 1) {
    follow<way_of_hook<hook_beside<T, Function>>>(pointer, n, true);
  }

  /// Packs a container, and its elements as their hook says. Elements that are pointers are packed one
  /// by one afterwards, all that are not null.
  template <class Container>
  void packSTL(Container& container) {
    whole<way_of_codec>(container);
  }
  template <class T, function<T> Function, class Container>
  void packSTL(Container& container) {
    whole<way_of_hook<hook_beside<T, Function>>>(container);
  }
  template <class T>
  hook_message& operator&(T& member) {
    packVar(member);
    return *this;
  }

  /// The same as `packVar`, `packPtr` and `packSTL`: the root of a structure needs none.
  template <class T>
  void packRootVar(T& member) {
    packVar(member);
  }
  template <class T>
  void packRootPtr(T*& pointer, std::ptrdiff_t n = 1) {
    packSharedPtr(pointer, n);
  }
  template <class Container>
  void packRootSTL(Container& container) {
    packSTL(container);
  }

  /// How many bytes the sender has written, or are left to be read.
  [[nodiscard]] std::ptrdiff_t getOffset() const {
    if (writes_ != nullptr) return static_cast<std::ptrdiff_t>(writes_->bytes_so_far());
    return reads_ != nullptr ? static_cast<std::ptrdiff_t>(reads_->bytes_left()) : 0;
  }

  /// True if an exception left one of the members above and the hook went on.
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  struct failed_unless_done {
    bool& failed;
    bool done = false;
    ~failed_unless_done() {
      if (!done) failed = true;
    }
  };
  template <class Action>
  void on_side(Action action) {
    failed_unless_done attempt{failed_};
    if (writes_ != nullptr)
      action(*writes_);
    else if (reads_ != nullptr)
      action(*reads_);
    else
      action(*empties_);
    attempt.done = true;
  }

  template <class Hook, class T>
  void part(T& member) {
    static_assert(!std::is_polymorphic_v<T>,
                  "mpiglot: an object of a class with virtual functions is no bytes");
    on_side([&](auto& side) { static_cast<void>(side.offset_of(member)); });
    failed_unless_done attempt{failed_};
    Hook::call(member, *this);
    attempt.done = true;
  }
  template <class Way, class T>
  void whole(T& member) {
    if constexpr (std::is_bounded_array_v<T> && !raw_pointers<T>) {
      for (auto& each : member) packVar(each);
    } else if constexpr (fixed_pointers<T> || (std::is_same_v<Way, way_of_codec> && byte_run<T>)) {
      on_side([&](auto& side) { static_cast<void>(side.offset_of(member)); });
    } else {
      static_assert(
          !std::is_same_v<Way, way_of_codec> || growing_pointers<T> || packed_by_codec<T>,
          "mpiglot: a hook packs a member of a class that the codec cannot write. A class "
          "can have a hook or list its fields; pointers need packPtr or packSharedPtr");
      on_side([&](auto& side) { side.member(member, Way{}); });
    }
  }
  template <class Way, class T>
  void follow(T*& pointer, std::ptrdiff_t n, bool shared) {
    if constexpr (!std::is_pointer_v<T>) {
      static_assert(
          !std::is_same_v<Way, way_of_codec> || codable<std::remove_cv_t<T>>(),
          "mpiglot: a pointer of a hook leads to objects of a class that the codec cannot "
          "write. A class can have a hook or list its fields");
      static_assert(std::is_same_v<Way, way_of_codec> || !std::is_polymorphic_v<T>,
                    "mpiglot: an object of a class with virtual functions is no bytes");
    }
    on_side([&](auto& side) { side.template pointer<Way>(pointer, n, shared); });
  }

  writing_hook* writes_ = nullptr;
  reading_hook* reads_ = nullptr;
  emptying_hook* empties_ = nullptr;
  bool failed_ = false;
};

template <class Hook>
template <class T>
void way_of_hook<Hook>::write(encoder& by, const T& object) {
  by.go_deeper();
  writing_hook side(by, object);
  hook_message message(side);
  Hook::call(const_cast<T&>(object), message);
  if (message.failed()) refuse_value("a hook went on after an exception");
  side.finish();
  by.go_back();
}
template <class Hook>
template <class T>
void way_of_hook<Hook>::read(decoder& by, T& object) {
  by.go_deeper();
  reading_hook side(by, object);
  hook_message message(side);
  Hook::call(object, message);
  if (message.failed()) refuse_bytes("a hook went on after an exception");
  side.finish();
  by.go_back();
}
template <class Hook>
template <class T>
void way_of_hook<Hook>::empty(dismantler& by, T& object) {
  emptying_hook side(by);
  hook_message message(side);
  Hook::call(object, message);
}

}  // namespace mpiglot::detail
