// What a hook does on each side: it writes the dependencies of an object, reads them, or frees them.

#pragma once

#include <cstddef>
#include <cstring>

#include <mpiglot/detail/codec/hook_ways.hpp>

namespace mpiglot::detail {

/// Writes one object.
class writing_hook {
 public:
  template <class T>
  writing_hook(encoder& by, const T& object)
      : by_(by),
        object_(reinterpret_cast<const std::byte*>(__builtin_addressof(object))),
        size_(sizeof(T)),
        image_(by.out(), by.out().size()),
        first_step_(by.open().steps.size()),
        last_found_(first_step_) {
    static_assert(sizeof(T) <= blank_range::largest, "mpiglot: an object with a hook is too large");
    const footprint_link none = blank_range::none;
    std::byte* const to = by.out().extend(footprint_bytes<T>);
    std::memcpy(to, &none, sizeof none);
    copy_without_padding(to + sizeof none, object);
  }

  template <class Way, class T>
  void pointer(T*& pointer, std::ptrdiff_t told, bool shared) {
    mark(pointer);
    if (pointer == nullptr) return;
    if (told < 0) refuse_value("a hook packs an array with a negative length");
    const auto n = static_cast<std::size_t>(told);
    if constexpr (std::is_pointer_v<T>) {
      by_.write_length(n);
      span(pointer, n);
    } else {
      if (shared) {
        if (by_.leads_to_root(pointer, n)) return;
        const auto [number, first] = by_.number_of_shared<std::remove_cv_t<T>>(pointer, n);
        by_.write_length(number);
        if (!first) return;
      }
      by_.write_length(n);
      write_objects<Way>(by_, static_cast<const std::remove_cv_t<T>*>(pointer), n);
    }
  }
  template <class Way, class T>
  void member(T& member, Way) {
    image_.blank(offset_of(member), sizeof(T), 0);
    if constexpr (growing_pointers<T>) {
      by_.write_length(member.size());
      each_span(member, [this](auto* first, std::size_t n) { this->span(first, n); });
    } else if constexpr (std::is_same_v<Way, way_of_codec>) {
      const std::size_t before = by_.observed();
      by_.write(member);
      if (by_.observed() != before)
        refuse_value("a hook packs a member with a pointer that observes");
    } else {
      way_of_elements<Way>::write(by_, member);
    }
  }
  /// The offset of a member in the object.
  template <class T>
  [[nodiscard]] std::size_t offset_of(const T& member) const {
    const std::size_t offset = offset_in(object_, size_, __builtin_addressof(member), sizeof(T));
    if (offset == size_) refuse_value("a hook packs what is no member of its object");
    return offset;
  }
  [[nodiscard]] std::size_t bytes_so_far() const noexcept { return by_.written(); }

  void finish() {
    auto& steps = by_.open().steps;
    for (std::size_t i = first_step_; i < steps.size(); ++i)
      for (std::size_t k = 0; k < steps[i].count; ++k)
        if (by_.out()[steps[i].flags + k] == waiting)
          refuse_value("a hook packs a container of pointers and not each of them");
    steps.resize(first_step_);
  }

 private:
  static constexpr std::byte waiting{
      2};  // in place of the flag of a pointer that is not packed yet

  template <class T>
  [[gnu::noinline]] static void copy_without_padding(std::byte* to, const T& object) {
    std::memcpy(to, static_cast<const void*>(__builtin_addressof(object)), sizeof(T));
    clear_padding<T>(to, 1);
  }
  // Marks a pointer, which is a member or lies in a span, as packed.
  template <class T>
  void mark(T*& pointer) {
    const std::size_t offset = offset_in(object_, size_, &pointer, sizeof pointer);
    if (offset != size_) {
      const auto present = pointer == nullptr ? footprint_link{0} : blank_range::present;
      return image_.blank(offset, sizeof pointer,
                          static_cast<footprint_link>(blank_range::pointer | present));
    }
    const auto* const in = span_with(by_.open().steps, first_step_, last_found_, &pointer);
    if (in == nullptr) refuse_value("a hook packs a pointer that is no member of its object");
    std::byte& flag =
        by_.out()[in->flags + static_cast<std::size_t>(
                                  &pointer - static_cast<T**>(static_cast<void*>(in->place)))];
    if (pointer == nullptr) return;
    if (flag != waiting) refuse_value("a hook packs a pointer twice");
    flag = std::byte{1};
  }
  template <class T>
  void span(T* pointers, std::size_t n) {
    const open_step made{const_cast<void*>(static_cast<const void*>(pointers)), n, nullptr, true,
                         by_.out().size()};
    by_.open().steps.append(&made, 1);
    std::byte* const flags = by_.out().extend(n);
    for (std::size_t i = 0; i < n; ++i) flags[i] = pointers[i] == nullptr ? std::byte{0} : waiting;
  }

  encoder& by_;
  const std::byte* object_;
  std::size_t size_;
  footprint_writer image_;
  std::size_t first_step_;
  std::size_t last_found_;
};

/// Reads one object. Unless that is finished, the destructor frees what was made, and leaves the object
/// as it was.
class reading_hook {
 public:
  template <class T>
  reading_hook(decoder& by, T& object)
      : by_(by),
        object_(reinterpret_cast<std::byte*>(__builtin_addressof(object))),
        size_(sizeof(T)),
        image_(by.next(footprint_bytes<T>), sizeof(T)),
        kept_(by.open().kept.size()),
        first_step_(by.open().steps.size()),
        last_found_(first_step_),
        next_(image_.first()) {
    by.open().kept.append(object_, size_);
    image_.copy_to(object_);
    for (footprint_link at = image_.first(); at != blank_range::none; at = image_.at(at).next)
      if (image_.at(at).is_pointer()) {
        void* const value = image_.at(at).is_present() ? present() : nullptr;
        std::memcpy(object_ + at, &value, sizeof value);
      }
  }
  reading_hook(const reading_hook&) = delete;
  reading_hook& operator=(const reading_hook&) = delete;
  ~reading_hook() {
    if (!complete_) [[unlikely]]
      undo();
    by_.open().steps.resize(first_step_);
    by_.open().kept.resize(kept_);
  }

  template <class Way, class T>
  void pointer(T*& pointer, std::ptrdiff_t told, bool shared) {
    using object = std::remove_cv_t<T>;
    if (!take_pointer<Way>(pointer, told, shared)) return;
    if (told < 0) refuse_bytes("an array with a negative length");
    const auto n = static_cast<std::size_t>(told);
    if constexpr (std::is_pointer_v<T>) {
      require(by_.length(1) == n);
      auto* const made = memory_for<object>(n);
      pointer = made;
      span(made, n);
    } else {
      using held = held_made<object, Way>;
      if (shared) {
        const std::uint64_t which = by_.number();
        if (object* const root = by_.template root_of<object>(which); root != nullptr) {
          require(n == 1);
          pointer = root;
          return;
        }
        if (which != by_.shared().next()) {
          const held* const known = by_.shared().template find<held>(which);
          if (known == nullptr || known->objects.n != n)
            refuse_bytes("a reference to an object that is not there");
          pointer = known->objects.first;
          return;
        }
        by_.shared().reserve();
      }
      require(by_.length(Way::template least_bytes<object>()) == n);
      object* const made = make_unread_objects<Way, object>(n);
      if (shared) by_.shared().remember(held{{made, n}});
      pointer = made;
      read_objects<Way>(by_, made, n);
    }
  }
  template <class Way, class T>
  void member(T& member, Way) {
    static_cast<void>(take(offset_of(member), sizeof(T), false));
    push({__builtin_addressof(member), 1, empty_member<Way, T>, false, 0});
    if constexpr (requires { member.clear(); }) member.clear();
    if constexpr (growing_pointers<T>) {
      member.resize(by_.length(1));
      each_span(member, [this](auto* first, std::size_t n) { this->span(first, n); });
    } else if constexpr (std::is_same_v<Way, way_of_codec>) {
      const std::size_t before = by_.observed();
      by_.read(member);
      if (by_.observed() != before) refuse_bytes("a pointer that observes, in an object of a hook");
    } else {
      way_of_elements<Way>::read(by_, member);
    }
  }
  template <class T>
  [[nodiscard]] std::size_t offset_of(const T& member) const {
    const std::size_t offset = offset_in(object_, size_, __builtin_addressof(member), sizeof(T));
    if (offset == size_) refuse_bytes("a hook packs what is no member of its object");
    return offset;
  }
  [[nodiscard]] std::size_t bytes_left() { return by_.left(); }

  void finish() {
    if (taken_ != image_.count()) refuse_bytes("a hook does not pack what the sender's did");
    const auto& steps = by_.open().steps;
    for (std::size_t i = first_step_; i < steps.size(); ++i)
      if (steps[i].is_span)
        for (std::size_t k = 0; k < steps[i].count; ++k)
          if (static_cast<void**>(steps[i].place)[k] == present())
            refuse_bytes("a hook does not pack each pointer of a container");
    complete_ = true;
  }

 private:
  // The value of a pointer that is not packed yet and will not be null.
  [[nodiscard]] static void* present() noexcept { return reinterpret_cast<void*>(1); }
  static void require(bool right) {
    if (!right) refuse_bytes("an array has another length than its object says");
  }
  void push(const open_step& made) { by_.open().steps.append(&made, 1); }

  // Finds a range of the footprint, which is packed once. Returns whether its pointer is not null.
  [[nodiscard]] bool take(std::size_t offset, std::size_t length, bool pointer) {
    footprint_link at = next_;
    if (at != offset) {
      in_order_ = false;
      at = image_.first();
      while (at != blank_range::none && at < offset) at = image_.at(at).next;
    }
    if (at != offset || (!in_order_ && is_taken(at)))
      refuse_bytes("a hook packs what the sender's did not");
    const blank_range range = image_.at(at);
    if (range.length() != length || range.is_pointer() != pointer)
      refuse_bytes("a hook packs another member than the sender's");
    next_ = range.next;
    ++taken_;
    return range.is_present();
  }
  [[nodiscard]] bool is_taken(footprint_link offset) noexcept {
    const auto& steps = by_.open().steps;
    for (std::size_t i = first_step_; i < steps.size(); ++i)
      if (steps[i].place == object_ + offset) return true;
    return false;
  }
  // Makes the pointer null. False if it stays that.
  template <class Way, class T>
  [[nodiscard]] bool take_pointer(T*& pointer, std::ptrdiff_t n, bool shared) {
    const std::size_t offset = offset_in(object_, size_, &pointer, sizeof pointer);
    bool is_present = true;
    if (offset != size_) {
      is_present = take(offset, sizeof pointer, true);
    } else {
      if (span_with(by_.open().steps, first_step_, last_found_, &pointer) == nullptr)
        refuse_bytes("a hook packs a pointer that is no member of its object");
      if (pointer == nullptr) return false;
      if (static_cast<const void*>(pointer) != present())
        refuse_bytes("a hook packs a pointer twice");
    }
    if (offset != size_ || !shared)
      push({&pointer, static_cast<std::size_t>(n), shared ? forget<T> : destroy<Way, T>, false, 0});
    pointer = nullptr;
    return is_present;
  }
  template <class T>
  void span(T* pointers, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) pointers[i] = nullptr;
    push({pointers, n, nullptr, true, 0});
    for (std::size_t i = 0; i < n; ++i)
      if (by_.flag()) pointers[i] = static_cast<T>(present());
  }

  void undo() noexcept {
    const auto& steps = by_.open().steps;
    for (std::size_t i = steps.size(); i > first_step_; --i)
      if (steps[i - 1].undo != nullptr) steps[i - 1].undo(steps[i - 1].place, steps[i - 1].count);
    const std::byte* const kept = by_.open().kept.data() + kept_;
    image_.each_piece([&](std::size_t offset, std::size_t length) {
      std::memcpy(object_ + offset, kept + offset, length);
    });
    for (footprint_link at = image_.first(); at != blank_range::none; at = image_.at(at).next)
      if (!is_taken(at)) std::memcpy(object_ + at, kept + at, image_.at(at).length());
  }
  template <class T>
  static void forget(void* place, std::size_t) noexcept {
    *static_cast<T**>(place) = nullptr;
  }
  template <class Way, class T>
  static void destroy(void* place, std::size_t n) noexcept {
    T*& pointer = *static_cast<T**>(place);
    if (pointer == nullptr) return;
    using object = std::remove_cv_t<T>;
    object* const first = const_cast<object*>(pointer);
    pointer = nullptr;
    if constexpr (std::is_pointer_v<T>)
      give_memory_back(first);
    else
      dismantler(false).destroy_held(made_objects<object, Way>{first, n});
  }
  template <class Way, class T>
  static void empty_member(void* place, std::size_t) noexcept {
    T& member = *static_cast<T*>(place);
    if constexpr (growing_pointers<T>) {
      member.clear();
    } else if constexpr (std::is_same_v<Way, way_of_codec>) {
      empty_object(member, false);
    } else {
      dismantler by(false);
      way_of_elements<Way>::empty(by, member);
    }
  }

  decoder& by_;
  std::byte* object_;
  std::size_t size_;
  footprint_reader image_;
  std::size_t kept_;
  std::size_t first_step_;
  std::size_t last_found_;
  footprint_link next_;  // the range behind that which was packed last
  std::size_t taken_ = 0;
  bool in_order_ = true;
  bool complete_ = false;
};

/// Frees what one object owns, when its hook is through: the hook may look behind its pointers.
class emptying_hook {
 public:
  explicit emptying_hook(dismantler& by) noexcept : by_(by) {}
  emptying_hook(const emptying_hook&) = delete;
  emptying_hook& operator=(const emptying_hook&) = delete;
  ~emptying_hook() {
    for (std::size_t i = more_.size(); i > 0; --i) run(more_[i - 1]);
    for (std::size_t i = few_used_; i > 0; --i) run(few_[i - 1]);
  }

  template <class Way, class T>
  void pointer(T*& pointer, std::ptrdiff_t n, bool shared) {
    if (pointer == nullptr) return;
    push({&pointer, static_cast<std::size_t>(n), shared, free_objects<Way, T>});
  }
  template <class Way, class T>
  void member(T& member, Way) {
    push(
        {__builtin_addressof(member), 1, false, [](dismantler& by, void* place, std::size_t, bool) {
           T& there = *static_cast<T*>(place);
           if constexpr (growing_pointers<T>) {
             there.clear();
           } else if constexpr (std::is_same_v<Way, way_of_codec>) {
             by.empty(there);
           } else {
             way_of_elements<Way>::empty(by, there);
           }
         }});
  }
  template <class T>
  [[nodiscard]] std::size_t offset_of(const T&) const noexcept {
    return 0;
  }

 private:
  struct step {
    void* place;
    std::size_t n;
    bool shared;
    void (*run)(dismantler&, void* place, std::size_t n, bool shared);
  };
  void push(const step& made) {
    if (few_used_ < sizeof few_ / sizeof(step))
      few_[few_used_++] = made;
    else
      more_.append(&made, 1);
  }
  void run(const step& each) noexcept {
    by_.below([&] { each.run(by_, each.place, each.n, each.shared); });
  }

  template <class Way, class T>
  static void free_objects(dismantler& by, void* place, std::size_t n, bool shared) {
    using object = std::remove_cv_t<T>;
    T*& pointer = *static_cast<T**>(place);
    object* const first = const_cast<object*>(pointer);
    pointer = nullptr;
    if (first == nullptr || (shared && !by.frees_now(first, &type_tag<object>))) return;
    if constexpr (std::is_pointer_v<T>)
      give_memory_back(first);
    else
      by.destroy_held(made_objects<object, Way>{first, n});
  }

  dismantler& by_;
  step few_[4];
  std::size_t few_used_ = 0;
  block<step> more_;
};

}  // namespace mpiglot::detail
