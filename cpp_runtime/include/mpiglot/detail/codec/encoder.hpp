// The encoder of the built-in codec.

#pragma once

#include <cstdint>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/codec/byte_writer.hpp>
#include <mpiglot/detail/codec/dismantling.hpp>
#include <mpiglot/detail/codec/encode_error.hpp>
#include <mpiglot/detail/codec/fixed_fields.hpp>
#include <mpiglot/detail/codec/format.hpp>
#include <mpiglot/detail/codec/joined_fields.hpp>
#include <mpiglot/detail/codec/key_order.hpp>
#include <mpiglot/detail/codec/long_runs.hpp>
#include <mpiglot/detail/codec/observing.hpp>
#include <mpiglot/detail/codec/open_objects.hpp>
#include <mpiglot/detail/codec/padding.hpp>
#include <mpiglot/detail/codec/sharing.hpp>
#include <mpiglot/detail/codec/type_mark.hpp>

namespace mpiglot {
namespace detail {

/// Encodes values and appends them to a block of bytes.
class encoder {
 public:
  explicit encoder(bytes& to, address_table* table = nullptr)
      : to_(to), left_out_(nullptr), shared_(table) {}
  /// Through a window to a sink. Long runs are left out, if there is a place to note them, until the sink
  /// has bytes.
  encoder(bytes& window, byte_sink& sink, long_runs* left_out = nullptr,
          address_table* table = nullptr)
      : to_(window, &sink), left_out_(left_out), shared_(table) {}
  /// Elements of hash tables are not sorted by their keys' encodings from now on.
  void leave_tables_unsorted() noexcept { sorts_ = false; }
  /// Encodes a whole value. Refuses shared pointers that contradict each other, and pointers that
  /// observe what nothing in the value owns.
  template <class T>
  void write_all(const T& value) {
    set_root(value);
    write(value);
    while (put_off_.size() != 0) [[unlikely]] {
      const later next = put_off_[put_off_.size() - 1];
      put_off_.resize(put_off_.size() - 1);
      depth_ = 0;
      next.write(*this, next.object, next.count);
    }
    shared_.check_owners();
    if constexpr (may_observe<T>())
      if (observed_ != 0) [[unlikely]]
        write_observed(value);
  }
  /// How many bytes there were.
  [[nodiscard]] std::size_t written() const noexcept { return to_.position(); }

  /// Before a value: its type.
  void write_mark(std::uint64_t type) {
    const type_mark mark{type_mark::right_word, type};
    raw(&mark, sizeof mark);
  }

  template <class T>
  void write(const T& value) {
    if constexpr (encodes_itself<T>) {
      if (leaves_out_what_depends()) return;
      const kept_in whole(kept_in_);
      const kept_in changed(to_.kept());
      own_encoding<T>::write(*this, value);
    } else if constexpr (lists_fields<T>) {
      go_deeper();
      visit_listed(value, [this]<class... Field>(Field&&... fields) {
        this->write_fields<T, std::remove_cvref_t<Field>...>(fields...);
      });
      --depth_;
    } else if constexpr (registered_pointer<T> && !sharing_pointer<T>) {
      write_registered(owned_by(value));
    } else if constexpr (is_owned_object<T>) {
      *to_.extend(1) = static_cast<std::byte>(value.pointer != nullptr);
      if (value.pointer != nullptr) write_owned(*owned_by(value));
    } else if constexpr (is_observed_object<T>) {
      if (leaves_out_what_depends()) return;
      require_no_key();
      ++observed_;
      *to_.extend(1) = static_cast<std::byte>(value.pointer != nullptr);
    } else if constexpr (is_owned_array<T>) {
      if (first_owned(value) == nullptr) return write_length(0);
      const std::size_t n = checked_count(value);
      write_length(n + 1);
      write_objects(first_owned(value), n);
    } else if constexpr (is_shared_array<T>) {
      write_shared_array(value);
    } else if constexpr (is_rule_of_each<T>) {
      std::size_t n = 0;
      for ([[maybe_unused]] const auto& each : value.range) ++n;
      write_length(n);
      for (auto& each : value.range) write(T::of(each));
    } else if constexpr (is_base_parts<T>) {
      each_base(value, [this]<class Base>(const Base& base) {
        if constexpr (!interface<Base>) this->write(base);
      });
    } else if constexpr (byte_run<T>) {
      copy_values(__builtin_addressof(value), 1);
    } else if constexpr (std::is_bounded_array_v<T>) {
      each(value);
    } else if constexpr (tuple_like<T>) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        using std::get;
        this->write_fields<T, std::remove_cv_t<std::tuple_element_t<I, T>>...>(get<I>(value)...);
      }(std::make_index_sequence<std::tuple_size<T>::value>());
    } else if constexpr (owning_pointer<T>) {
      *to_.extend(1) = static_cast<std::byte>(value.get() != nullptr);
      if (value.get() != nullptr) write_owned(*owned_by(value));
    } else if constexpr (sharing_pointer<T>) {
      write_shared(value);
    } else if constexpr (weak_pointer<T>) {
      write_shared(value.lock(), false);
    } else if constexpr (optional_like<T>) {
      write(value.has_value());
      if (value.has_value()) write(*value);
    } else if constexpr (variant_like<T>) {
      if (value.valueless_by_exception()) refuse_value("a variant has no value");
      write(static_cast<unsigned char>(value.index()));
      alternatives<T>::with(value.index(), [&]<std::size_t I>(auto*) {
        using std::get;
        write(get<I>(value));
      });
    } else if constexpr (path_like<T>) {
      const kept_in whole(kept_in_);
      write(value.native());
    } else if constexpr (run_of_bytes<const T>) {
      if constexpr (short_run<T>) {
        const std::size_t size = bytes_of_runs(value);
        if (size <= most_counted) [[likely]] {
          std::byte* at = to_.extend(1 + size);
          return put_joined(at, value);
        }
      }
      if constexpr (!fixed_array<T>) {
        write_length(value.size());
        if (value.size() * sizeof(*value.data()) >= long_run) [[unlikely]]
          return write_long(value.data(), value.size(), !lies_in_itself(value, value.data()));
      }
      copy_values(value.data(), value.size());
    } else if constexpr (fixed_array<T>) {
      each(value);
    } else if constexpr (value_array_of_bytes<T>) {
      write_length(value.size());
      write_run(first_of(value), value.size());
    } else {
      const std::size_t n = elements_in(value);
      write_length(n);
      [[maybe_unused]] const std::size_t begin = to_.position();
      if constexpr (flag_sequence<T>) {
        for (const bool flag : value) write(flag);
      } else if constexpr (associative<T>) {
        each_key(value);
      } else {
        [[maybe_unused]] const putting_off<keeps_elements<T>> so(put_off_from_);
        each(value);
      }
      if constexpr (smallest<typename T::value_type>() == 0)
        while (to_.position() - begin < n) write(false);
    }
  }

  /// For encodings of classes' own. `How::write` encodes each of `n` objects, now or later.
  template <class How, class Object>
  void write_made(const Object* first, std::size_t n) {
    if (depth_ < put_off_from_) [[likely]] {
      for (std::size_t i = 0; i < n; ++i) How::write(*this, first[i]);
    } else {
      const later them{first, n, [](encoder& by, const void* address, std::size_t count) {
                         const kept_in whole(by.kept_in_);
                         const kept_in changed(by.to_.kept());
                         for (std::size_t i = 0; i < count; ++i)
                           How::write(by, static_cast<const Object*>(address)[i]);
                       }};
      put_off_.append(&them, 1);
    }
  }
  /// Pointers that are shared may lead back to this object.
  template <class T>
  void set_root(const T& value) noexcept {
    root_ = {__builtin_addressof(value), &type_tag<T>};
  }
  /// Whether a pointer leads back to the root, which is written then.
  template <class T>
  [[nodiscard]] bool leads_to_root(const T* pointer, std::size_t n, bool may_lead = true) {
    if (!root_.is(pointer)) [[likely]]
      return false;
    if (n != 1 || !may_lead)
      refuse_value("an array, or an object of a std::shared_ptr, is the value itself");
    write_length(shared_.next() + 1);
    return true;
  }
  /// Numbers `n` objects that are shared.
  template <class T>
  [[nodiscard]] addresses::answer number_of_shared(const T* first, std::size_t n) {
    T* const pointer = const_cast<T*>(first);
    return shared_.number_of_array(shared_array<T* const, std::size_t>{pointer, n}, n);
  }
  void write_length(std::size_t n) {
    if (n < wide_lengths) [[likely]]
      write(static_cast<unsigned char>(n));
    else
      write_wide(n);
  }
  /// Each object that lies in another one, or is reached through its pointer, is one deeper.
  void go_deeper() {
    if (++depth_ > deepest) [[unlikely]]
      refuse_value("objects lie in each other more than 2000 deep");
  }
  void go_back() noexcept { --depth_; }
  /// A part of an object that is not there is an object of its own, if it cannot be a base.
  template <class Pointer>
  void write_part_alone(const Pointer& pointer) {
    if constexpr (part_may_be_alone<Pointer>) {
      const auto [number, first] = shared_.number_of_part(pointer);
      write_length(number);
      if (first) write(*pointer);
    } else {
      refuse_value(
          "a shared pointer points to a part or a base of an object to which no pointer leads");
    }
  }
  [[nodiscard]] bytes& out() noexcept { return to_.memory(); }
  [[nodiscard]] open_objects& open() noexcept { return open_; }
  /// How many pointers that observe were met.
  [[nodiscard]] std::size_t observed() const noexcept { return observed_; }

 private:
  template <class Class, class... Fields>
  void write_fields(const Fields&... fields) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] std::byte* at = nullptr;
      (this->write_field<Class, I, field_groups<Fields...>>(at, fields, fields...), ...);
    }(std::index_sequence_for<Fields...>());
  }
  template <class Class, std::size_t I, class Groups, class Field, class... Fields>
  void write_field(std::byte*& at, const Field& field, const Fields&... fields) {
    if constexpr (!codable<Field>()) {
      refuse_field_of<Class, Field>();
    } else if constexpr (Groups::begins(I)) {
      at = write_group<I, Groups>(std::index_sequence_for<Fields...>(), fields...);
    } else if constexpr (Groups::joining[I]) {
    } else if constexpr (Groups::ends_group(I)) {
      const auto* const object = owned_by(field);
      *at = static_cast<std::byte>(object != nullptr);
      if (object != nullptr) write_owned(*object);
    } else {
      write(field);
    }
  }
  /// The fields of a group; returns where the byte of a pointer goes that ends it.
  template <std::size_t Begin, class Groups, std::size_t... I, class... Fields>
  [[nodiscard]] std::byte* write_group(std::index_sequence<I...>, const Fields&... fields) {
    constexpr std::size_t end = Groups::end(Begin);
    const auto each = [&](auto action) {
      const auto one = [&]<std::size_t At>(const auto& field) {
        if constexpr (Begin <= At && At < end) action(field);
      };
      (one.template operator()<I>(fields), ...);
    };
    std::size_t size = 0;
    if constexpr (Groups::has_runs(Begin)) {
      each([&](const auto& field) {
        const std::size_t more = bytes_of_runs(field);
        size = more > most_counted ? more : size + more;
      });
      if (size > most_counted) [[unlikely]] {
        each([&](const auto& field) { write(field); });
        return Groups::points[end] ? to_.extend(1) : nullptr;
      }
    }
    std::byte* at = to_.extend(Groups::length(Begin) + size);
    each([&](const auto& field) { put_joined(at, field); });
    return at;
  }
  template <class Range>
  void each(const Range& range) {
    if constexpr (has_joining_elements<Range>)
      write_joined(range);
    else
      for (const auto& element : range) write(element);
  }
  /// Whether the elements of a range join. Arrays of the language are of a fixed size then.
  template <class Range>
  static constexpr bool has_joining_elements = [] {
    if constexpr (requires(const Range& range) {
                    requires std::is_lvalue_reference_v<decltype(*range.begin())>;
                  })
      return joins<std::remove_cvref_t<decltype(*std::declval<const Range&>().begin())>>();
    else
      return false;
  }();
  /// Elements that join, with one look at the room for each.
  template <class Range>
  void write_joined(const Range& range) {
    using plain = std::remove_cvref_t<decltype(*range.begin())>;
    byte_writer::tail to = to_.open_tail();
    if constexpr (!joins_runs<plain>() && requires { range.size(); })
      to = to_.open_tail_for(range.size(), smallest<plain>());
    for (const auto& element : range) {
      const std::size_t size = smallest<plain>() + bytes_of_runs(element);
      if (size > to.room()) [[unlikely]] {
        to_.end_at(to.at);
        if (size > most_counted) {
          write(element);
          to = to_.open_tail();
          continue;
        }
        to = to_.open_tail(size);
      }
      put_joined(to.at, element);
    }
    to_.end_at(to.at);
  }

  template <class T>
  void each_key(const T& container) {
    const kept_in whole(kept_in_);
    if constexpr (has_order_of_its_own<T>)
      if (sorts_ && write_sorted(container)) return;
    if constexpr (joins_elements<T>()) {
      write_joined(container);
      return;
    }
    for (const auto& element : container) {
      write_key(key_of<T>(element));
      if constexpr (map_like<T>) write_mapped<T>(element);
    }
  }
  /// Whether an element is no more than its key and what that is mapped to, and these join.
  template <class T>
  [[nodiscard]] static consteval bool joins_elements() {
    using element = typename T::value_type;
    if constexpr (std::is_same_v<decltype(*std::declval<const T&>().begin()), const element&>)
      return joins<element>();
    else
      return false;
  }
  /// Whether the order of the elements is no part of the value: it is that of a hash table, or of addresses.
  template <class T>
  static constexpr bool has_order_of_its_own = requires(const T& container) {
    container.bucket_count();
  } || owning_pointer<typename T::key_type>;
  template <class T>
  [[nodiscard]] static const auto& key_of(const typename T::value_type& element) noexcept {
    if constexpr (map_like<T>)
      return element.first;
    else
      return element;
  }
  template <class T>
  void write_mapped(const typename T::value_type& element) {
    [[maybe_unused]] const putting_off<keeps_elements<T>> so(put_off_from_);
    write(element.second);
  }
  /// In the order of the encodings of the keys. Does nothing if these depend on what is around them:
  /// shared objects, registered classes, encodings of classes' own.
  template <class T>
  [[nodiscard]] bool write_sorted(const T& container) {
    bytes text;
    encoder alone(text);
    alone.set_alone(depth_);
    block<encoded_key> all(container.size());
    std::size_t i = 0;
    for (const auto& element : container) {
      const std::size_t begin = text.size();
      alone.write_key(key_of<T>(element));
      all[i++] = {__builtin_addressof(element), nullptr, text.size() - begin, 0};
    }
    if (alone.depends_) return false;
    sort_keys(all, text.data());
    if constexpr (map_like<T>) sort_equal_keys<T>(all);
    for (i = 0; i < all.size(); ++i) {
      raw(all[i].text, all[i].size);
      if constexpr (map_like<T>)
        write_mapped<T>(*static_cast<const typename T::value_type*>(all[i].element));
    }
    return true;
  }
  /// The elements of a multimap with one key go by the encodings of what it is mapped to.
  template <class T>
  void sort_equal_keys(block<encoded_key>& all) {
    for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
      for (end = i + 1; end < all.size() && encoded_key::compare(all[i], all[end]) == 0;) ++end;
      if (end - i > 1) [[unlikely]]
        sort_mapped<T>(all.data() + i, end - i);
    }
  }
  template <class T>
  [[gnu::noinline]] void sort_mapped(encoded_key* first, std::size_t n) {
    bytes text;
    encoder alone(text);
    alone.set_alone(depth_);
    block<encoded_key> all(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t begin = text.size();
      alone.write_mapped<T>(*static_cast<const typename T::value_type*>(first[i].element));
      all[i] = {first[i].element, nullptr, text.size() - begin, 0};
    }
    if (alone.depends_) return;
    sort_keys(all, text.data());
    for (std::size_t i = 0; i < n; ++i) first[i].element = all[i].element;
  }
  /// Encodes values by themselves from now on, `depth` deep: what depends on others is left out.
  void set_alone(int depth) noexcept {
    alone_ = true;
    depth_ = depth;
  }
  /// Whether something is left out because of that.
  [[nodiscard]] bool leaves_out_what_depends() noexcept {
    if (!alone_) [[likely]]
      return false;
    depends_ = true;
    return true;
  }
  template <class Key>
  void write_key(const Key& key) {
    [[maybe_unused]] const putting_off<!may_own<Key>()> so(put_off_from_);
    if constexpr (may_own<Key>()) ++in_keys_;
    write(key);
    if constexpr (may_own<Key>()) --in_keys_;
  }

  /// Encodes what a pointer owns, now or later.
  template <class Object>
  void write_owned(const Object& object) {
    if (depth_ < put_off_from_) [[likely]]
      write(object);
    else
      put_off(object);
  }
  template <class Object>
  [[gnu::noinline]] void put_off(const Object& object, std::size_t count = 1) {
    if (leaves_out_what_depends()) return;
    const later them{&object, count, [](encoder& by, const void* address, std::size_t n) {
                       by.write_elements(static_cast<const Object*>(address), n);
                     }};
    put_off_.append(&them, 1);
  }

  // The length of an array that a rule owns; one object has none.
  template <class Rule>
  [[nodiscard]] static std::size_t checked_count(const Rule& rule) {
    if constexpr (!std::is_same_v<decltype(rule.count), one_object>)
      if (rule.count < std::remove_cvref_t<decltype(rule.count)>{})
        refuse_value("the length of an array is negative");
    return owned_count(rule);
  }
  template <class Object>
  void write_objects(const Object* first, std::size_t n) {
    if constexpr (copied_run<Object>)
      write_run(first, n);
    else if (depth_ < put_off_from_) [[likely]]
      write_elements(first, n);
    else
      put_off(*first, n);
  }
  template <class Pointer, class Count>
  void write_shared_array(const shared_array<Pointer, Count>& rule) {
    const auto* const object = first_owned(rule);
    if (object == nullptr) return write_length(0);
    if (leaves_out_what_depends()) return;
    const std::size_t n = checked_count(rule);
    if (leads_to_root(object, n, std::is_pointer_v<Pointer>)) return;
    const auto [number, first] = shared_.number_of_array(rule, n);
    write_length(number);
    if (!first) return;
    if constexpr (std::is_same_v<Count, one_object>) {
      write_owned(*object);
    } else {
      write_length(n);
      write_objects(object, n);
    }
  }
  template <class Object>
  void write_elements(const Object* first, std::size_t n) {
    const std::size_t begin = to_.position();
    for (std::size_t i = 0; i < n; ++i) write(first[i]);
    if (to_.position() - begin < n)  // the decoder would have to believe the length
      refuse_value("the objects of an array take no bytes");
  }

  template <class Pointer>
  void write_shared(const Pointer& pointer, bool owns = true) {
    if (pointer.get() == nullptr) return write_length(0);
    if (leaves_out_what_depends()) return;
    const auto [number, first] = shared_.number_of(pointer, owns);
    if (number == 0) [[unlikely]]
      return write_part(owns);
    write_length(number);
    if (!first) return;
    if constexpr (registered_pointer<Pointer>)
      write_registered(pointer.get());
    else
      write_owned(*pointer);
  }

  // A pointer to a part of what it owns; behind the value stands what it owns, and the part.
  [[gnu::cold, gnu::noinline]] void write_part(bool owns) {
    if (!owns) refuse_value("a weak pointer to a part of an object");
    require_no_key();
    ++observed_;
    write_length(shared_.next() + 1);
  }
  void require_no_key() const {
    if (in_keys_ != 0) refuse_value("a pointer that observes is in a key of a container");
  }

  // The number of its class, which counts from 1; with a new number comes the name. Then the object.
  template <class Base>
  void write_registered(const Base* object) {
    if (object == nullptr) return write_length(0);
    if (leaves_out_what_depends()) return;
    const auto* const of = class_of(*object);
    if (of == nullptr) refuse_value("an object of a class that is not registered");
    std::size_t i = 0;
    while (i < classes_.size() && classes_[i] != of->name) ++i;
    write_length(i + 1);
    if (i == classes_.size()) {
      const std::size_t size = std::strlen(of->name);
      write_length(size);
      raw(of->name, size);
      classes_.append(&of->name, 1);
    }
    const later whole{whole_object(object), 1, of->of->write};
    if (depth_ < put_off_from_) [[likely]]
      whole.write(*this, whole.object, 1);
    else
      put_off_.append(&whole, 1);
  }

  // Behind the value: for each pointer that observes, 0, or the number of a piece twice and 1 more if
  // an offset follows; before it, of a pointer to a part, the number of what it owns. If that is 0, the
  // part is an object of its own.
  template <class T>
  [[gnu::cold, gnu::noinline]] void write_observed(const T& value) {
    pieces all;
    all.list(value);
    if (!all.ordered())
      refuse_value("a value has pointers that observe, and two keys with the same encoding");
    for (std::size_t i = 0; i < all.pointers(); ++i) {
      if (all.owns(i)) {
        const std::size_t number = shared_.owned_by(all.owner(i));
        write_length(number);
        if (number == 0) {
          all.write_alone(i, *this);
          continue;
        }
      } else if (all.pointer(i) == nullptr) {
        write_length(0);
        continue;
      }
      const pieces::place at = all.find(i);
      if (at.piece == 0)
        refuse_value(
            "a pointer observes what nothing in the value owns, or no field that is listed");
      write_length(2 * at.piece + (at.offset != 0 ? 1 : 0));
      if (at.offset != 0) write_length(at.offset);
    }
  }

  [[gnu::noinline]] void write_wide(std::uint64_t n) {
    unsigned width = 1;
    while (width < 3 && n >> (8u << width) != 0) [[unlikely]]
      ++width;
    std::byte* const at = to_.extend(1 + (std::size_t{1} << width));
    at[0] = static_cast<std::byte>(wide_lengths + width);
    at[1] = static_cast<std::byte>(n);
    at[2] = static_cast<std::byte>(n >> 8);
    for (unsigned i = 2; i < 1u << width; ++i) at[1 + i] = static_cast<std::byte>(n >> 8 * i);
  }
  void raw(const void* from, std::size_t size) { to_.append(from, size); }

  template <class T>
  void copy_values(const T* first, std::size_t n) {
    if constexpr (may_have_padding<T>()) {
      if (n == 0) return;
      std::byte* const at = to_.extend(n * sizeof(T));
      std::memcpy(at, static_cast<const void*>(first), n * sizeof(T));
      clear_padding<T>(at, n);
    } else {
      raw(first, n * sizeof(T));
    }
  }
  template <class T>
  void write_run(const T* first, std::size_t n) {
    if (n * sizeof(T) >= long_run) [[unlikely]]
      write_long(first, n);
    else
      copy_values(first, n);
  }
  // A long run is left out if what it belongs to stays where the decoder makes it. Values with padding are
  // copied, some at a time.
  template <class T>
  [[gnu::cold, gnu::noinline]] void write_long(const T* first, std::size_t n, bool stays = true) {
    if (left_out_ != nullptr && to_.sent() == 0 && stays && kept_in_ == 0 &&
        put_off_from_ == deep_enough)
      return left_out_->leave_out(first, n * sizeof(T));
    if (!has_padding<T>()) return to_.append_long(first, n * sizeof(T));
    constexpr std::size_t some = sizeof(T) < 4096 ? 4096 / sizeof(T) : 1;
    for (std::size_t i = 0; i < n; i += some) copy_values(first + i, n - i < some ? n - i : some);
  }

  struct later {
    const void* object;
    std::size_t count;
    void (*write)(encoder&, const void*, std::size_t count);
  };

  byte_writer to_;
  long_runs* left_out_;
  root_value root_;
  addresses shared_;
  open_objects open_;
  block<later> put_off_;
  block<const char*> classes_;
  std::size_t observed_ = 0;  // pointers that observe
  int in_keys_ = 0;
  int kept_in_ = 0;  // what leaves no run out
  int depth_ = 0;
  int put_off_from_ = deep_enough;
  bool sorts_ = true;
  bool alone_ = false;    // what depends on other parts of the value is left out,
  bool depends_ = false;  // and there was some
};

template <class Pointer>
struct part_alone {
  static void write(encoder& by, const Pointer& pointer) { by.write_part_alone(pointer); }
  template <class Decoder>
  static void read(Decoder& by, Pointer& pointer) {
    by.read_part_alone(pointer);
  }
};

template <class Key>
void encode_key(bytes& to, const Key& key) {
  encoder(to).write_all(key);
}

}  // namespace detail
}  // namespace mpiglot
