// The decoder of the built-in codec.

#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/codec/arena_memory.hpp>
#include <mpiglot/detail/codec/array_counts.hpp>
#include <mpiglot/detail/codec/byte_reader.hpp>
#include <mpiglot/detail/codec/dismantling.hpp>
#include <mpiglot/detail/codec/fingerprint.hpp>
#include <mpiglot/detail/codec/fixed_fields.hpp>
#include <mpiglot/detail/codec/format.hpp>
#include <mpiglot/detail/codec/joined_fields.hpp>
#include <mpiglot/detail/codec/long_runs.hpp>
#include <mpiglot/detail/codec/observing.hpp>
#include <mpiglot/detail/codec/open_objects.hpp>
#include <mpiglot/detail/codec/sharing.hpp>
#include <mpiglot/detail/codec/type_mark.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot {
namespace detail {

/// Decodes values. Throws `decode_error` if the bytes are not the output of an encoder, before it
/// allocates much memory for a wrong length.
class decoder : public byte_reader {
 public:
  /// What is decoded lies in `arena`, if there is one: the caller then frees all of it, also if that
  /// fails. Runs that were left out get their places in `left_out`.
  decoder(const std::byte* from, std::size_t size, arena_memory* arena = nullptr,
          long_runs* left_out = nullptr) noexcept
      : byte_reader(from, size), arena_(arena), left_out_(left_out) {}
  /// From a source, whose first bytes are in memory already.
  decoder(byte_source& source, byte_source::view first, arena_memory* arena = nullptr,
          long_runs* left_out = nullptr) noexcept
      : byte_reader(source, first), arena_(arena), left_out_(left_out) {}

  /// Decodes all bytes as one value. Empties the value if that fails, without recursion, and leaves
  /// nothing of it behind. Nothing may point to a value that moves afterwards.
  template <class T>
  void read_all(T& value, bool moves = false) {
    if constexpr (may_own<T>())
      if (arena_ == nullptr) empty_object(value, true, true);
    emptied_unless_complete<T> target{*this, value};
    if (type_mark::is_at(peek(), in_memory())) [[unlikely]]
      read_mark<T>();
    if (!moves) set_root(value);
    read(value);
    read_put_off();
    if constexpr (may_observe<T>())
      if (observed_ != 0) [[unlikely]]
        read_observed(value, moves);
    if (left() != 0) refuse_bytes("more bytes arrived than the type takes");
    if (left_out_ != nullptr) left_out_->require_all_placed();
    target.complete = true;
  }
  /// The same of a value that is made in the arena.
  template <class T>
  [[nodiscard]] T* read_into_arena() {
    T* const value = make<T>();
    read_all(*value);
    return value;
  }

  template <class T>
  void read(T& value) {
    if constexpr (pmr_container<T>)
      if (arena_ != nullptr) settle(value);
    if constexpr (encodes_itself<T>) {
      const kept_in whole(kept_in_);
      const kept_in needed(kept());
      own_encoding<T>::read(*this, value);
    } else if constexpr (lists_fields<T>) {
      const array_counts::of_object counts{counts_, counts_.size()};
      read_listed(value);
    } else if constexpr (registered_pointer<T> && !sharing_pointer<T>) {
      read_registered(value);
    } else if constexpr (is_owned_object<T>) {
      read_pointer(value, flag());
    } else if constexpr (is_observed_object<T>) {
      value.pointer = nullptr;
      static_cast<void>(flag());
      ++observed_;
    } else if constexpr (is_owned_array<T>) {
      read_owned_array(value);
    } else if constexpr (is_shared_array<T>) {
      read_shared_array(value);
    } else if constexpr (is_rule_of_each<T>) {
      read_each(value);
    } else if constexpr (is_base_parts<T>) {
      each_base(value, [this]<class Base>(Base& base) {
        if constexpr (!interface<Base>) {
          if constexpr (lists_fields<Base> && !encodes_itself<Base> && !pmr_container<Base>)
            this->read_listed(base);  // its counts are the object's
          else
            this->read(base);
        }
      });
    } else if constexpr (std::is_same_v<T, bool>) {
      value = flag();
    } else if constexpr (byte_run<T>) {
      raw(&value, sizeof(T));
    } else if constexpr (std::is_bounded_array_v<T>) {
      for (auto& element : value) read(element);
    } else if constexpr (tuple_like<T>) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        using std::get;
        (read(get<I>(value)), ...);
      }(std::make_index_sequence<std::tuple_size<T>::value>());
    } else if constexpr (owning_pointer<T>) {
      read_pointer(value, flag());
    } else if constexpr (sharing_pointer<T>) {
      read_shared(value);
    } else if constexpr (weak_pointer<T>) {
      decltype(value.lock()) owner;  // the table of shared objects is another one, until the end
      read_shared(owner);
      value = owner;
    } else if constexpr (optional_like<T>) {
      value.reset();
      if (flag()) read(value.emplace());
    } else if constexpr (variant_like<T>) {
      unsigned char which = 0;
      raw(&which, 1);
      if (which >= alternatives<T>::count) refuse_bytes("a variant has no such alternative");
      alternatives<T>::with(which,
                            [&]<std::size_t I>(auto*) { read(value.template emplace<I>()); });
    } else if constexpr (path_like<T>) {
      const kept_in whole(kept_in_);
      typename T::string_type text;
      read(text);
      value = std::move(text);
    } else if constexpr (associative<T>) {
      read_associative(value);
    } else if constexpr (run_of_bytes<T>) {
      read_run(value);
    } else if constexpr (fixed_array<T>) {
      for (auto& element : value) read(element);
    } else if constexpr (value_array_of_bytes<T>) {
      const std::uint64_t n = number();
      const bool apart = is_left_out<typename T::value_type>(n);
      if (!apart) require_bytes(n, sizeof(typename T::value_type));
      value.resize(static_cast<std::size_t>(n));
      raw_or_apart(apart, first_of(value), value.size() * sizeof(typename T::value_type));
    } else {
      read_sequence(value);
    }
  }

  /// The fewest bytes that an object takes.
  template <class Object>
  [[nodiscard]] static std::size_t fewest_bytes(Object& object) {
    std::size_t least = smallest<Object>();
    if constexpr (lists_fields<Object>)
      visit_listed(object, [&]<class... Field>(Field&&...) {
        least = (std::size_t{0} + ... + smallest<std::remove_cvref_t<Field>>());
      });
    return least;
  }

  /// For encodings of classes' own. `How::read` decodes each of `n` objects, now or later.
  template <class How, class Object>
  void read_made(Object* first, std::size_t n) {
    if (depth_ < put_off_from_) [[likely]] {
      for (std::size_t i = 0; i < n; ++i) How::read(*this, first[i]);
    } else if (n != 0) {
      put_off({first, n, n * How::template least_bytes<Object>(),
               [](decoder& by, void* address, std::size_t count) {
                 const kept_in whole(by.kept_in_);
                 const kept_in needed(by.kept());
                 for (std::size_t i = 0; i < count; ++i)
                   How::read(by, static_cast<Object*>(address)[i]);
               }});
    }
  }
  void go_deeper() {
    if (++depth_ > deepest) [[unlikely]]
      refuse_bytes("objects lie in each other more than 2000 deep");
  }
  void go_back() noexcept { --depth_; }
  /// A part of an object that is not there, as the encoder wrote it.
  template <class Pointer>
  void read_part_alone(Pointer& pointer) {
    if constexpr (part_may_be_alone<Pointer>) {
      const std::uint64_t which = number();
      if (which == shared_.next())
        read_first_shared(pointer);
      else
        read_known_shared(pointer, which);
    } else {
      refuse_bytes("a part of an object that is not there");
    }
  }
  [[nodiscard]] shared_objects& shared() noexcept { return shared_; }
  /// Pointers that are shared may lead back to this object.
  template <class T>
  void set_root(T& value) noexcept {
    root_ = {__builtin_addressof(value), &type_tag<T>};
  }
  /// The root, if the number of a shared object says that a pointer leads back to it; else null.
  template <class T>
  [[nodiscard]] T* root_of(std::uint64_t which) const {
    if (which != shared_.next() + 1) [[likely]]
      return nullptr;
    T* const root = root_.as<T>();
    if (root == nullptr)
      refuse_bytes("a pointer to the value itself, which has another type, or moves when returned");
    return root;
  }
  [[nodiscard]] open_objects& open() noexcept { return open_; }
  /// How many pointers that observe were met.
  [[nodiscard]] std::size_t observed() const noexcept { return observed_; }

 private:
  template <class T>
  [[gnu::cold, gnu::noinline]] void read_mark() {
    type_mark mark{};
    raw(&mark, sizeof mark);
    if (mark.type != fingerprint::of<T>()) refuse_type<T>(mark.type);
  }
  template <class T>
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse_type(std::uint64_t told);

  void read_put_off() {
    while (put_off_.size() != 0) [[unlikely]] {
      const later next = put_off_[put_off_.size() - 1];
      put_off_.resize(put_off_.size() - 1);
      promised_ -= next.least;
      depth_ = 0;
      next.read(*this, next.object, next.count);
    }
  }

  // Nothing in the value moves any more.
  template <class T>
  [[gnu::cold, gnu::noinline]] void read_observed(T& value, bool moves) {
    pieces all;
    all.list(value);
    if (!all.ordered()) refuse_bytes("pointers that observe, and two keys with the same encoding");
    require_bytes(all.pointers(), 1);
    for (std::size_t i = 0; i < all.pointers(); ++i) {
      const std::uint64_t owner = all.owns(i) ? number() : 0;
      if (owner == 0 && all.owns(i)) {
        all.read_alone(i, *this);
        continue;
      }
      const std::uint64_t told = number();
      if (told == 0 && owner == 0) continue;
      const std::uint64_t offset = told % 2 == 1 ? number() : 0;
      const void* const at =
          all.address({cast_to<std::size_t>(told / 2), static_cast<std::size_t>(offset)}, i);
      if (at == nullptr) refuse_bytes("a pointer to an object that is not there");
      const auto from_value = reinterpret_cast<std::uintptr_t>(at) -
                              reinterpret_cast<std::uintptr_t>(__builtin_addressof(value));
      if (moves && from_value < sizeof value)
        refuse_bytes("a pointer observes the value itself, which moves when it is returned");
      if (!all.set_pointer(i, at, shared_, owner))
        refuse_bytes("a reference to an object that is not there");
    }
  }

  template <class T>
  struct emptied_unless_complete {
    decoder& by;
    T& value;
    bool complete = false;
    ~emptied_unless_complete() {
      if (!complete) [[unlikely]]
        by.empty(value);
    }
  };
  // What is no part of the value that is decoded, until a container takes it.
  template <class T>
  struct emptied_unless_taken {
    T& value;
    bool taken;
    ~emptied_unless_taken() {
      if constexpr (may_own<T>())
        if (!taken) [[unlikely]]
          empty_object(value, false);
    }
  };
  // Objects that share each other in a ring are emptied one by one.
  template <class T>
  [[gnu::cold, gnu::noinline]] void empty(T& value) noexcept {
    if (arena_ != nullptr) return;
    shared_.empty();
    empty_object(value, false);
  }

  template <class Object>
  [[nodiscard]] Object* make() {
    if (arena_ == nullptr) [[likely]]
      return new Object();
    return ::new (arena_->take(sizeof(Object), alignof(Object))) Object();
  }
  template <class Object>
  [[nodiscard]] Object* make_array(std::size_t n) {
    if (arena_ == nullptr) [[likely]]
      return new Object[n]();
    auto* const first = static_cast<Object*>(arena_->take(n * sizeof(Object), alignof(Object)));
    for (std::size_t i = 0; i < n; ++i) ::new (static_cast<void*>(first + i)) Object();
    return first;
  }
  // A container takes its memory from the arena.
  template <class T>
  void settle(T& value) {
    using allocator = typename T::allocator_type;
    using resource = decltype(value.get_allocator().resource());
    const auto mine = static_cast<resource>(arena_->resource());
    if (value.get_allocator().resource() == mine) return;
    value.~T();
    ::new (static_cast<void*>(__builtin_addressof(value))) T(allocator(mine));
  }

  /// Decodes what a pointer owns, now or later.
  template <class Object>
  void read_owned(Object& object) {
    if (depth_ < put_off_from_) [[likely]]
      read(object);
    else
      put_off(object);
  }
  // The bytes that objects take at least are promised to them, so that none is made without bytes.
  template <class Object>
  [[gnu::noinline]] void put_off(Object& object, std::size_t count = 1) {
    put_off({&object, count, count * fewest_bytes(object),
             [](decoder& by, void* address, std::size_t n) {
               by.read_elements(static_cast<Object*>(address), n);
             }});
  }
  struct later;
  void put_off(const later& them) {
    if (!are_left(in_memory(), them.least) && !are_left(left(), them.least))
      refuse_bytes("fewer bytes arrived than the type takes");
    put_off_.append(&them, 1);
    promised_ += them.least;
  }
  [[nodiscard]] bool are_left(std::size_t there, std::size_t least) const noexcept {
    return there >= promised_ && there - promised_ >= least;
  }
  template <class T>
  void read_listed(T& value) {
    const std::size_t before = counts_.size();
    go_deeper();
    [[maybe_unused]] int lists = 0;
    visit_listed(value, [&]<class... Field>(Field&&... fields) {
      static_assert(
          ((std::is_lvalue_reference_v<Field> || is_rule<Field> || is_rule_of_no_pointer<Field>) &&
           ...),
          "mpiglot: fields() lists a value that is no field of the object");
      if constexpr ((sets_count<std::remove_reference_t<Field>> || ...)) {
        const auto is_listed = [&](const void* count) { return lists_count(value, lists, count); };
        this->read_fields<T, std::remove_reference_t<Field>...>(is_listed, fields...);
      } else {
        this->read_fields<T, std::remove_reference_t<Field>...>(nullptr, fields...);
      }
      ++lists;
    });
    --depth_;
    if (counts_.size() != before) [[unlikely]]
      counts_.require(before);
  }
  template <class Class, class... Fields, class Listed>
  void read_fields(const Listed& is_listed, Fields&... fields) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const std::byte* at = nullptr;
      ((this->note_listed<I>(is_listed, fields, fields...),
        this->read_field<Class, I, field_runs<Fields...>>(at, fields)),
       ...);
    }(std::index_sequence_for<Fields...>());
  }
  /// Notes whether the count of an array is a field, or in one, that was read before.
  template <std::size_t I, class Listed, class Field, class... Fields>
  void note_listed([[maybe_unused]] const Listed& is_listed, [[maybe_unused]] Field& field,
                   [[maybe_unused]] Fields&... fields) {
    if constexpr (sets_count<Field>) {
      const void* const count = __builtin_addressof(field.count);
      std::size_t index = 0;
      bool listed = is_listed(count);
      ((listed = (index++ < I && holds_count(fields, count)) || listed), ...);
      counts_.note_listed(listed);
    }
  }
  template <class Class, std::size_t I, class Runs, class Field>
  void read_field(const std::byte*& at, Field& field) {
    if constexpr (!codable<Field>() || std::is_const_v<Field>) {
      refuse_field_of<Class, Field>();
    } else if constexpr (Runs::bytes[I] != 0) {
      if constexpr (Runs::begins(I)) at = next(Runs::length(I));
      take_fixed(at, field);
    } else if constexpr (Runs::ends_run(I)) {
      read_pointer(field, is_true(*at));
    } else {
      read(field);
    }
  }
  template <class T>
  static void take_fixed(const std::byte*& at, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = is_true(*at++);
    } else if constexpr (lies_as_encoded<T, true>()) {
      std::memcpy(&value, at, sizeof(T));
      at += sizeof(T);
    } else if constexpr (std::is_bounded_array_v<T> || fixed_array<T>) {
      for (auto& element : value) take_fixed(at, element);
    } else {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        using std::get;
        (take_fixed(at, get<I>(value)), ...);
      }(std::make_index_sequence<std::tuple_size<T>::value>());
    }
  }
  template <class T>
  void read_run(T& value) {
    using element = std::remove_reference_t<decltype(*value.data())>;
    if constexpr (short_run<T>) {
      std::size_t n = 0;
      if (const std::byte* const first = next_short_run(sizeof(element), n)) [[likely]]
        return take_run(value, first, n);
    }
    if constexpr (!fixed_array<T>) {
      const std::uint64_t told = number();
      if (is_left_out<element>(told)) [[unlikely]] {
        value.resize(static_cast<std::size_t>(told));
        if (!lies_in_itself(value, value.data())) return left_out_->place(value.data());
      }
      read_elements_of(value, told);
    } else {
      raw(value.data(), value.size() * sizeof(element));
    }
  }
  template <class T>
  void read_elements_of(T& value, std::uint64_t told) {
    using element = std::remove_reference_t<decltype(*value.data())>;
    require_bytes(told, sizeof(element));
    const auto n = cast_to<std::size_t>(told);
    if constexpr (assigned_bytes<T, element>)
      if (n <= in_memory()) return take_run(value, next(n), n);
    value.resize(n);
    raw(value.data(), n * sizeof(element));
  }
  /// A run that is in memory.
  template <class T>
  static void take_run(T& value, const std::byte* at, std::size_t n) {
    using element = std::remove_reference_t<decltype(*value.data())>;
    if constexpr (assigned_bytes<T, element>) {
      const auto* const first = reinterpret_cast<const element*>(at);
      if constexpr (appended_bytes<T, element>) {
        value.clear();
        asm(""
            : "+r"(n));  // what compilers know to be short they copy in steps, which takes longer
        value.append(first, n);
      } else {
        value.assign(first, first + n);
      }
    } else {
      value.resize(n);
      if (n != 0) std::memcpy(value.data(), at, n * sizeof(element));
    }
  }

  template <class T>
  void read_associative(T& value) {
    value.clear();
    const kept_in whole(kept_in_);
    const std::size_t n = length(smallest<typename T::value_type>());
    const std::size_t end = end_of_padding<typename T::value_type>(n);
    if constexpr (requires { value.bucket_count(), value.reserve(n); })
      if (n <= elements_of(in_memory(), sizeof(typename T::value_type))) value.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      typename T::key_type key{};
      {
        [[maybe_unused]] const putting_off<!may_own<typename T::key_type>()> so(put_off_from_);
        read(key);
      }
      if constexpr (map_like<T>) {
        typename T::mapped_type mapped{};
        emptied_unless_taken<typename T::mapped_type> target{mapped, arena_ != nullptr};
        [[maybe_unused]] const putting_off<keeps_elements<T>> so(put_off_from_);
        read(mapped);
        put(value, key, mapped);
        target.taken = target.taken || value.size() != i;
      } else {
        value.emplace_hint(value.end(), std::move(key));
      }
      if (value.size() == i) [[unlikely]]
        refuse_bytes("a key that is there twice");
    }
    if constexpr (smallest<typename T::value_type>() == 0) skip_to(end);
  }

  // A map that has the key already leaves the element as it is, if it can.
  template <class Map, class Key, class Mapped>
  static void put(Map& into, Key& key, Mapped& mapped) {
    if constexpr (requires { into.try_emplace(into.end(), std::move(key), std::move(mapped)); })
      into.try_emplace(into.end(), std::move(key), std::move(mapped));
    else
      into.emplace_hint(into.end(), std::move(key), std::move(mapped));
  }

  template <class T>
  [[nodiscard]] static auto start_of(T& value) {
    if constexpr (value_array<T>)
      return first_of(value);
    else
      return value.begin();
  }

  // The bytes that are left behind elements whose encoding may be empty, if each takes one byte.
  template <class Element>
  [[nodiscard]] std::size_t end_of_padding([[maybe_unused]] std::size_t n) {
    if constexpr (smallest<Element>() == 0)
      return left() - n;
    else
      return 0;
  }
  [[nodiscard]] static std::size_t elements_of(std::size_t room, std::size_t size) noexcept {
    return (room * 16 + 4096) / size;
  }
  // The container grows in steps if its elements are larger in memory than in the encoding.
  template <class T>
  void read_sequence(T& value) {
    using element = typename T::value_type;
    const std::size_t n = length(smallest<element>());
    const std::size_t end = end_of_padding<element>(n);
    std::size_t at_once = elements_of(in_memory(), sizeof(element));
    if (n > at_once) at_once = elements_of(left(), sizeof(element));
    std::size_t made = n < at_once ? n : at_once;
    value.resize(made);
    [[maybe_unused]] const putting_off<keeps_elements<T>> so(put_off_from_);
    auto next = start_of(value);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == made) {
        made = n - i <= i ? n : 2 * i + 1;
        if constexpr (value_array<T>)
          resize_kept(value, made);
        else
          value.resize(made);
        next = start_of(value);
        for (std::size_t skipped = 0; skipped < i; ++skipped) ++next;
      }
      if constexpr (flag_sequence<T>)
        *next = flag();
      else
        read(*next);
      ++next;
    }
    if constexpr (smallest<element>() == 0) skip_to(end);
  }

  template <class Pointer>
  void read_shared(Pointer& pointer);
  template <class Pointer>
  void read_known_shared(Pointer& pointer, std::uint64_t which);
  template <class Pointer>
  void read_first_shared(Pointer& pointer);
  // A pointer to a part of what it owns: it is set when all parts are there.
  template <class Pointer>
  [[gnu::cold, gnu::noinline]] void read_part(Pointer& pointer);
  template <class Pointer>
  void read_shared_registered(Pointer& pointer, std::uint64_t which);
  template <class Pointer>
  void read_registered(Pointer& pointer);
  // Null if there is no object.
  template <class Base>
  [[nodiscard]] const registered_class<Base>* read_class();
  struct class_name {
    const char* text;
    std::size_t size;
  };
  template <class Base>
  [[nodiscard]] static const registered_class<Base>* class_of_name(const class_name& name);
  void read_made(void* object, const class_operations& of);
  template <class Pointer, class Count>
  void read_shared_array(shared_array<Pointer, Count>& rule);
  template <class Rule>
  void read_each(Rule& rule);
  template <class Rule>
  void read_rule(Rule rule);
  template <class Pointer>
  void read_pointer(Pointer& pointer, bool owns);
  template <class Pointer, class Count>
  void read_owned_array(owned_array<Pointer, Count>& rule);
  template <class Object>
  void read_objects(Object* made, std::size_t n);
  /// There are bytes for so many objects, or they were left out.
  template <class Object>
  [[nodiscard]] std::size_t array_length(std::uint64_t n);
  template <class Object>
  void read_elements(Object* first, std::size_t n);
  template <class Object>
  [[nodiscard]] static std::size_t fewest_bytes_of();

  /// Whether the encoder left a run of `n` elements out here.
  template <class Element>
  [[nodiscard]] bool is_left_out(std::uint64_t n) const noexcept {
    return n >= long_run / sizeof(Element) && left_out_ != nullptr && kept_in_ == 0 &&
           put_off_from_ == deep_enough && n <= static_cast<std::size_t>(-1) / sizeof(Element) &&
           n * sizeof(Element) >= long_run && left_out_->next_has(n * sizeof(Element));
  }
  void raw_or_apart(bool apart, void* to, std::size_t size) {
    if (apart) [[unlikely]]
      left_out_->place(to);
    else
      raw(to, size);
  }

  struct later {
    void* object;
    std::size_t count;
    std::size_t least;
    void (*read)(decoder&, void*, std::size_t count);
  };

  arena_memory* arena_;
  long_runs* left_out_;
  root_value root_;
  shared_objects shared_;
  open_objects open_;
  block<later> put_off_;
  block<class_name> classes_;
  array_counts counts_;
  std::size_t promised_ = 0;  // to what was put off
  std::size_t observed_ = 0;  // pointers that observe
  int kept_in_ = 0;           // what leaves no run out
  int depth_ = 0;
  int put_off_from_ = deep_enough;
};

}  // namespace detail
}  // namespace mpiglot

#include <mpiglot/detail/codec/decoder_pointers.hpp>
