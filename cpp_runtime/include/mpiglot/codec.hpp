// The codec of `as_serialized` and `deep`. It encodes trivially copyable types, standard
// containers, owning pointers, and classes that list their fields. It recognises containers by
// their members and includes none of their headers.
//
//   struct node {
//     int value;
//     std::vector<std::unique_ptr<node>> children;
//     static void fields(auto& self, auto&& visit) { visit(self.value, self.children); }
//   };
// The encoding uses the byte order and the representations of this architecture. A trivially
// copyable class is encoded as the bytes of its memory, with zeros as padding (g++), and its contents
// are not checked. A class that has a bool or a pointer should therefore list its fields.

#pragma once

#include <mpiglot/detail/codec/decoder.hpp>
#include <mpiglot/detail/codec/encoder.hpp>

namespace mpiglot {

#ifdef __GXX_RTTI
namespace detail {

template <class Class>
inline constexpr class_operations operations_of{
    &typeid(Class),
    []() -> void* { return new Class(); },
    [](encoder& by, const void* object, std::size_t) {
      by.write(*static_cast<const Class*>(object));
    },
    [](decoder& by, void* object, std::size_t) { by.read(*static_cast<Class*>(object)); },
    [](void* object) { return decoder::fewest_bytes(*static_cast<Class*>(object)); },
    [](dismantler& by, void* object) noexcept { by.empty_below(*static_cast<Class*>(object)); },
    [](const void* object, const void* owner) noexcept {
      return owner_frees<Class>(object, owner);
    },
    [](pieces& by, const void* object, bool once) {
      if (once)
        by.follow_once(static_cast<const Class*>(object), 1);
      else
        by.follow(static_cast<const Class*>(object), 1);
    }};

/// Registers a class with itself and the bases that it lists, or finds out whether it may be; counts
/// them.
template <class Class, bool Adds, class Base>
int register_with(Base& example, const char* name) {
  int count = 0;
  if constexpr (registered_base<Base>) {
    bool done = false;
    if constexpr (Adds)
      done = add_class<Base>(operations_of<Class>, name,
                             [](void* object) -> Base* { return static_cast<Class*>(object); });
    else
      done = may_add_class<Base>(operations_of<Class>, name);
    if (!done)
      refuse_value("register_type: the class has another name, or another class has this one");
    ++count;
  }
  if constexpr (lists_fields<Base>)
    visit_listed(example, [&](auto&&... fields) {
      const auto look = [&]<class Field>(Field& field) {
        if constexpr (is_base_parts<Field>)
          [&]<class... Bases>(const base_parts<Base, Bases...>& parts) {
            ((count += register_with<Class, Adds>(as_base<Bases>(parts.self), name)), ...);
          }(field);
      };
      (look(fields), ...);
    });
  return count;
}

}  // namespace detail

/// Lets pointers to the bases of `Class` lead to objects of it: `register_type<circle>("circle")`. The
/// fields of the class list its bases, and those among them that may have derived classes say so
/// (`registers_types`). Each process that encodes or decodes calls this before, with one name for a
/// class, which is encoded and is a constant. May be called again, and by several threads. Throws
/// `encode_error` if the name or the class is registered otherwise, or no base may have derived
/// classes. Local.
template <class Class>
void register_type(const char* name) {
  static_assert(std::is_polymorphic_v<Class> && detail::lists_fields<Class> &&
                    std::is_default_constructible_v<Class>,
                "mpiglot: register_type: only classes with virtual functions, fields and a default "
                "constructor");
  Class example{};
  if (detail::register_with<Class, false>(example, name) == 0)
    detail::refuse_value("register_type: no base of the class may lead to registered classes");
  detail::register_with<Class, true>(example, name);
}
#endif

/// The default codec of `as_serialized` and `deep`. A codec of your own has the same three members.
///
/// An object that several std::shared_ptr of a value own is encoded once; the decoded value has one
/// object with as many owners. One to a part or a base of what it owns arrives at that part, if another
/// one leads to the whole object; else it is an object of its own if it cannot be a base and owns nothing,
/// or an `encode_error`. Pointers to a class with virtual functions that is not registered are refused
/// when the program is compiled.
struct builtin_codec {
  template <class T>
  static constexpr bool can = detail::codable_or_in_arena<T>();

  /// Appends the encoding of `value`.
  template <class T>
  static void encode(detail::bytes& to, const T& value) {
    write_by(detail::encoder(to), value);
  }
  /// Encodes `value` through a window of memory: `to` gets the bytes when it is full, the last ones stay
  /// in the window, behind what was in it before. Long runs may be left out before `to` gets any bytes.
  /// Returns the number of all.
  template <class T>
  static std::size_t encode(detail::bytes& piece, detail::byte_sink& to, const T& value,
                            detail::long_runs* left_out = nullptr) {
    return write_by(detail::encoder(piece, to, left_out), value);
  }

  /// Replaces `value` by the decoded value. Throws `decode_error` if the bytes are not the encoding
  /// of exactly one value.
  template <class T>
  static void decode(const std::byte* from, std::size_t size, T& value) {
    read(from, size, value, false, nullptr);
  }
  /// The same, but long runs of elements were left out: `left_out` has their sizes, and gets the places
  /// where they go. `moves`: the value is moved afterwards, as after `decode_and_move`.
  template <class T>
  static void decode(const std::byte* from, std::size_t size, T& value, detail::long_runs& left_out,
                     bool moves) {
    read(from, size, value, moves, &left_out);
  }
  /// The same from a source, whose first bytes may be in memory already.
  template <class T>
  static void decode(detail::byte_source& from, T& value, detail::byte_source::view first = {},
                     detail::long_runs* left_out = nullptr, bool moves = false) {
    if constexpr (detail::arena_holder<T>)
      value.decode(from, first, left_out);
    else
      detail::decoder(from, first, nullptr, left_out).read_all(value, moves);
  }
  /// Replaces a value that is moved afterwards: a pointer that observes the value itself, or a
  /// field of it, is a `decode_error`, too.
  template <class T>
  static void decode_and_move(const std::byte* from, std::size_t size, T& value) {
    read(from, size, value, true, nullptr);
  }

 protected:
  template <class T>
  static std::size_t write_by(detail::encoder&& by, const T& value) {
    if constexpr (detail::arena_holder<T>) {
      if (!value) detail::refuse_value("an arena that holds nothing");
      by.write_all(*value);
    } else {
      by.write_all(value);
    }
    return by.written();
  }

 private:
  template <class T>
  static void read(const std::byte* from, std::size_t size, T& value, [[maybe_unused]] bool moves,
                   detail::long_runs* left_out) {
    if constexpr (detail::arena_holder<T>)  // its value does not move
      value.decode(from, size, left_out);
    else
      detail::decoder(from, size, nullptr, left_out).read_all(value, moves);
  }
};

/// The same with a table of addresses of the program's own (mpiglot/address_table.hpp).
struct numbering_codec : builtin_codec {
  /// The table, or null for the codec's own.
  address_table* table = nullptr;

  /// As that of `builtin_codec`.
  template <class T>
  void encode(detail::bytes& to, const T& value) const {
    write_by(detail::encoder(to, table), value);
  }
  /// As that of `builtin_codec`.
  template <class T>
  std::size_t encode(detail::bytes& piece, detail::byte_sink& to, const T& value,
                     detail::long_runs* left_out = nullptr) const {
    return write_by(detail::encoder(piece, to, left_out, table), value);
  }
};

}  // namespace mpiglot
