// Pointers to what other parts of a value own. They travel behind the value, each as the number of a
// piece of memory and a place in it. Both sides number the pieces by the same walk over the value, when
// it is complete and nothing in it moves any more.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/codec/dismantling.hpp>
#include <mpiglot/detail/codec/seen.hpp>
#include <mpiglot/detail/codec/sharing.hpp>
#include <mpiglot/detail/codec/type_categories.hpp>

namespace mpiglot::detail {

/// Appends what the encoder makes of a key.
template <class Key>
void encode_key(bytes& to, const Key& key);

class encoder;
class decoder;
/// A shared pointer to a part of an object to which no other pointer in the value leads.
template <class Pointer>
struct part_alone;

/// Whether values of a type may have pieces of memory of their own, or pointers that observe.
template <class T>
[[nodiscard]] consteval bool holds_pieces() {
  if constexpr (lists_fields<T> || is_rule<T>) {
    return true;
  } else if constexpr (encodes_itself<T> || byte_run<T> || std::is_pointer_v<T> || path_like<T> ||
                       flag_sequence<T> || weak_pointer<T>) {
    return false;
  } else if constexpr (std::is_bounded_array_v<T> || fixed_array<T> || tuple_like<T> ||
                       optional_like<T> || variant_like<T>) {
    return any_part<T>([]<class Part>(Part*) { return holds_pieces<Part>(); });
  } else {
    return true;
  }
}

/// Whether pointers in a value may observe: those with a rule, which only classes list, and shared ones
/// that point to a part of what they own.
template <class T>
[[nodiscard]] consteval bool may_observe() {
  if constexpr (lists_fields<T>) {
    return true;
  } else if constexpr (!holds_pieces<T>()) {
    return false;
  } else if constexpr (map_like<T>) {
    return may_observe<typename T::mapped_type>();
  } else if constexpr (associative<T>) {
    return false;
  } else if constexpr (std::is_bounded_array_v<T> || fixed_array<T> || sequence<T> ||
                       value_array<T>) {
    return any_part<T>([]<class Part>(Part*) { return may_observe<Part>(); });
  } else if constexpr (sharing_pointer<T> && owner_has_class<T>) {
    return true;
  } else if constexpr (owning_pointer<T> || sharing_pointer<T>) {
    return may_observe<std::remove_cv_t<typename T::element_type>>();
  } else {
    return true;
  }
}

/// Lists the pieces of memory of a value, and the pointers that observe.
class pieces {
 public:
  /// Of the value itself, which is piece 1, and of all that it owns.
  template <class T>
  void list(const T& value) {
    add(__builtin_addressof(value), 1);
    if (seen_.meet(__builtin_addressof(value), &type_tag<T>) == seen_objects::answer::no_memory)
      refuse_memory();
    walk(value);
    while (put_off_.size() != 0) {
      const later next = put_off_[put_off_.size() - 1];
      put_off_.resize(put_off_.size() - 1);
      depth_ = 0;
      next.of->walk(*this, next.first, next.count);
    }
  }
  /// Whether both sides list them in the same order. Not known of keys whose encodings are equal.
  [[nodiscard]] bool ordered() const noexcept { return ordered_; }

  [[nodiscard]] std::size_t pointers() const noexcept { return pointers_.size(); }
  [[nodiscard]] const void* pointer(std::size_t i) const noexcept {
    const void* to = nullptr;
    std::memcpy(&to, pointers_[i].where, sizeof to);
    return to;
  }
  /// Whether pointer `i` is a std::shared_ptr to a part of what it owns.
  [[nodiscard]] bool owns(std::size_t i) const noexcept { return pointers_[i].part != nullptr; }
  /// What it owns, as its owner tells.
  [[nodiscard]] const void* owner(std::size_t i) const noexcept {
    two_words words;
    std::memcpy(&words, pointers_[i].where, sizeof words);
    return words.owner;
  }
  /// It is written, or read, as an object of its own.
  void write_alone(std::size_t i, encoder& by) const {
    pointers_[i].part->write_alone(by, pointers_[i].where);
  }
  void read_alone(std::size_t i, decoder& by) const {
    pointers_[i].part->read_alone(by, const_cast<void*>(pointers_[i].where));
  }
  /// False if object number `owner` cannot be the owner.
  [[nodiscard]] bool set_pointer(std::size_t i, const void* to, shared_objects& all,
                                 std::uint64_t owner) const {
    const observing& one = pointers_[i];
    void* const where = const_cast<void*>(one.where);
    if (one.part != nullptr) return one.part->set(where, to, all, owner);
    std::memcpy(where, &to, sizeof to);
    return true;
  }

  struct place {
    std::size_t piece;  // from 1 on; 0 if there is none
    std::size_t offset;
  };
  /// Where pointer `i` points to. The innermost piece that has an object of its type there.
  [[nodiscard]] place find(std::size_t i) {
    if (sorted_.size() == 0) sort();
    const auto* const at = static_cast<const std::byte*>(pointer(i));
    std::size_t first = 0;
    for (std::size_t n = sorted_.size(); n > 1;) {
      const std::size_t half = n / 2;
      if (sorted_[first + half].begin <= at) first += half;
      n -= half;
    }
    for (std::size_t k = first; k != none; k = sorted_[k].outer)
      if (sorted_[k].begin <= at && at < sorted_[k].end) {
        const std::size_t number = sorted_[k].number;
        const auto offset = static_cast<std::size_t>(at - sorted_[k].begin);
        if (has(number, offset, *pointers_[i].to)) return {number, offset};
      }
    return {0, 0};
  }
  /// The address of a place, or null if there is no object of the type of pointer `i`.
  [[nodiscard]] const void* address(place of, std::size_t i) const {
    if (of.piece == 0 || of.piece > all_.size() || of.offset >= all_[of.piece - 1].size ||
        !has(of.piece, of.offset, *pointers_[i].to))
      return nullptr;
    return all_[of.piece - 1].begin + of.offset;
  }

  /// Lists what a pointer owns, or what several pointers own together.
  template <class T>
  void follow(const T* first, std::size_t count) {
    if (first == nullptr || look_ != nullptr) return;
    add(first, count);
    if constexpr (holds_pieces<T>()) {
      if (depth_ >= shallow) {
        const later them{first, count, &kind_of<T>};
        put_off_.append(&them, 1);
      } else {
        ++depth_;
        for (std::size_t i = 0; i < count; ++i) walk(first[i]);
        --depth_;
      }
    }
  }
  template <class T>
  void follow_once(const T* first, std::size_t count) {
    if (first == nullptr || look_ != nullptr) return;
    const auto answer = seen_.meet(first, &type_tag<T>);
    if (answer == seen_objects::answer::no_memory) refuse_memory();
    if (answer == seen_objects::answer::first) follow(first, count);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  /// The depth from which on objects are put off.
  static constexpr int shallow = 100;

  struct kind {
    const void* type;
    std::size_t size;
    std::size_t alignment;
    bool bytes;  // may lie anywhere in a class that is encoded as its bytes
    void (*walk)(pieces&, const void* first, std::size_t count);
  };
  template <class T>
  static void walk_elements(pieces& by, const void* first, std::size_t count) {
    if constexpr (codable<T>())
      for (std::size_t i = 0; i < count; ++i) by.walk(static_cast<const T*>(first)[i]);
  }
  template <class T>
  static constexpr kind kind_of{&type_tag<T>, sizeof(T), alignof(T), byte_run<T>, walk_elements<T>};
  // Of an object that is only pointed to: it is not looked into.
  template <class T>
  static constexpr kind kind_pointed_to{&type_tag<T>, sizeof(T), alignof(T), byte_run<T>, nullptr};

  struct piece {
    const std::byte* begin;
    std::size_t size;
    const kind* of;
  };
  struct kind_of_part {
    bool (*set)(void* where, const void* to, shared_objects& all, std::uint64_t owner);
    void (*write_alone)(encoder& by, const void* where);
    void (*read_alone)(decoder& by, void* where);
  };
  template <class Pointer>
  static constexpr kind_of_part part_pointed_to{
      [](void* where, const void* to, shared_objects& all, std::uint64_t number) {
        owner_of_any<Pointer> owner;
        if (!all.owner_of(number, owner)) return false;
        using object = typename Pointer::element_type;
        *static_cast<Pointer*>(where) = Pointer(owner, static_cast<object*>(const_cast<void*>(to)));
        return true;
      },
      [](encoder& by, const void* where) {
        part_alone<Pointer>::write(by, *static_cast<const Pointer*>(where));
      },
      [](decoder& by, void* where) {
        part_alone<Pointer>::read(by, *static_cast<Pointer*>(where));
      }};
  struct observing {
    const void* where;
    const kind* to;
    const kind_of_part* part;  // of a shared pointer to a part of what it owns
  };
  struct later {
    const void* first;
    std::size_t count;
    const kind* of;
  };
  struct sorted_piece {
    const std::byte* begin;
    const std::byte* end;
    std::size_t number;
    std::size_t outer;  // the next one outwards that this one lies in, or none
  };

  // What is looked for, and whether it was found. Nothing is listed meanwhile.
  struct looking {
    const void* at;
    const kind* wanted;
    bool found;
  };

  template <class T>
  void add(const T* first, std::size_t count) {
    const piece one{reinterpret_cast<const std::byte*>(first), count * sizeof(T), &kind_of<T>};
    all_.append(&one, 1);
  }
  template <class Pointer>
  void add_pointer(const Pointer& pointer) {
    const observing one{
        &pointer, &kind_pointed_to<std::remove_cv_t<std::remove_pointer_t<Pointer>>>, nullptr};
    pointers_.append(&one, 1);
  }
  template <class Pointer>
  void add_pointer_to_part(const Pointer& pointer) {
    using object = typename Pointer::element_type;
    const observing one{&pointer, &kind_pointed_to<std::remove_cv_t<object>>,
                        &part_pointed_to<Pointer>};
    pointers_.append(&one, 1);
  }
  template <class Base>
  void follow_registered(const Base* object, bool once) {
    if (object == nullptr) return;
    if (const auto* const of = class_of(*object)) of->of->list(*this, whole_object(object), once);
  }

  template <class T>
  void look_at(const T& value) {
    const auto* const begin = reinterpret_cast<const std::byte*>(__builtin_addressof(value));
    const auto* const at = static_cast<const std::byte*>(look_->at);
    const kind& wanted = *look_->wanted;
    if (begin == at && wanted.type == &type_tag<T>) look_->found = true;
    if constexpr (byte_run<T> && std::is_class_v<T>)
      if (wanted.bytes && begin <= at && at + wanted.size <= begin + sizeof(T) &&
          reinterpret_cast<std::uintptr_t>(at) % wanted.alignment == 0)
        look_->found = true;
  }

  template <class T>
  void walk(const T& value) {
    if constexpr (!is_rule<T>)
      if (look_ != nullptr) look_at(value);
    if constexpr (lists_fields<T>) {
      visit_listed(const_cast<T&>(value), [this](auto&&... fields) { (this->walk(fields), ...); });
    } else if constexpr (is_base_parts<T>) {
      each_base(value, [this](const auto& base) { this->walk(base); });
    } else if constexpr (is_rule_of_each<T>) {
      walk(value.range);
      for (auto& each : value.range) walk_rule(T::of(each));
    } else if constexpr (is_rule<T>) {
      walk(value.pointer);
      walk_rule(value);
    } else if constexpr (encodes_itself<T> || byte_run<T> || path_like<T> || flag_sequence<T>) {
      // It has no parts that can be pointed to, or was looked at.
    } else if constexpr (std::is_bounded_array_v<T> || fixed_array<T>) {
      walk_array(value);
    } else if constexpr (tuple_like<T>) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        using std::get;
        (this->walk(get<I>(value)), ...);
      }(std::make_index_sequence<std::tuple_size<T>::value>());
    } else if constexpr (optional_like<T>) {
      if (value.has_value()) walk(*value);
    } else if constexpr (variant_like<T>) {
      alternatives<T>::with(value.index(), [&]<std::size_t I>(auto*) {
        using std::get;
        this->walk(get<I>(value));
      });
    } else {
      if (look_ == nullptr) walk_behind(value);
    }
  }
  template <class Rule>
  void walk_rule(const Rule& rule) {
    if (look_ != nullptr) return;
    if constexpr (is_observed_object<Rule>)
      add_pointer(rule.pointer);
    else if constexpr (registered_pointer<Rule>)
      follow_registered(rule.pointer, false);
    else if constexpr (is_owned_object<Rule>)
      follow(rule.pointer, 1);
    else if constexpr (is_owned_array<Rule>)
      follow(first_owned(rule), owned_count(rule));
    else
      follow_once(first_owned(rule), owned_count(rule));
  }
  // What containers and pointers have elsewhere.
  template <class T>
  void walk_behind(const T& value) {
    if constexpr (registered_pointer<T>) {
      follow_registered(value.get(), sharing_pointer<T>);
    } else if constexpr (owning_pointer<T>) {
      follow(value.get(), 1);
    } else if constexpr (sharing_pointer<T>) {
      if constexpr (owner_has_class<T>)
        if (points_to_part(value)) return add_pointer_to_part(value);
      follow_once(value.get(), 1);
    } else if constexpr (associative<T>) {
      walk_associative(value);
    } else if constexpr (value_array<T>) {
      follow(first_of(value), value.size());
    } else if constexpr (sequence<T> && requires { value.data(); }) {
      add(value.data(), value.size());
      if constexpr (holds_pieces<typename T::value_type>())
        for (const auto& element : value) walk(element);
    } else if constexpr (sequence<T>) {
      for (const auto& element : value) {
        add(__builtin_addressof(element), 1);
        walk(element);
      }
    }
  }
  template <class T>
  void walk_array(const T& value) {
    using element = std::remove_cvref_t<decltype(detail::element_of(value))>;
    if (look_ == nullptr) {
      if constexpr (holds_pieces<element>())
        for (const auto& each : value) walk(each);
      return;
    }
    const auto* const begin = reinterpret_cast<const std::byte*>(__builtin_addressof(value));
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(look_->at) - begin) /
                        sizeof(element);
    std::size_t i = 0;
    for (const auto& each : value)
      if (i++ == offset) walk(each);
  }

  // Keys are not looked into: what they own cannot change.
  template <class T>
  void walk_element(const typename T::value_type& element) {
    add(__builtin_addressof(element), 1);
    if constexpr (map_like<T>) walk(element.second);
  }
  // A container that keeps its elements by a hash, or by addresses in its keys, has another order on
  // the other side: there they are taken in the order of the encodings of their keys.
  template <class T>
  void walk_associative(const T& value) {
    if constexpr (!requires { value.bucket_count(); } && !may_own<typename T::key_type>()) {
      for (const auto& element : value) walk_element<T>(element);
    } else {
      bytes text;
      block<keyed> all;
      for (const auto& element : value) {
        keyed one{__builtin_addressof(element), text.size(), 0, nullptr};
        if constexpr (map_like<T>)
          encode_key(text, element.first);
        else
          encode_key(text, element);
        one.size = text.size() - one.begin;
        all.append(&one, 1);
      }
      if (all.size() == 0) return;
      for (std::size_t i = 0; i < all.size(); ++i) all[i].text = text.data() + all[i].begin;
      std::qsort(all.data(), all.size(), sizeof(keyed), [](const void* a, const void* b) {
        return compare(*static_cast<const keyed*>(a), *static_cast<const keyed*>(b));
      });
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0 && compare(all[i - 1], all[i]) == 0) ordered_ = false;
        walk_element<T>(*static_cast<const typename T::value_type*>(all[i].element));
      }
    }
  }
  struct keyed {
    const void* element;
    std::size_t begin;
    std::size_t size;
    const std::byte* text;
  };
  [[nodiscard]] static int compare(const keyed& a, const keyed& b) noexcept {
    const std::size_t both = a.size < b.size ? a.size : b.size;
    const int order = both == 0 ? 0 : std::memcmp(a.text, b.text, both);
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
  }

  /// Whether an object of the wanted type lies there.
  [[nodiscard]] bool has(std::size_t number, std::size_t offset, const kind& wanted) const {
    const piece& in = all_[number - 1];
    const std::size_t within = offset % in.of->size;
    if (wanted.type == in.of->type && within == 0) return true;
    looking for_it{in.begin + offset, &wanted, false};
    pieces looks;
    looks.look_ = &for_it;
    in.of->walk(looks, in.begin + (offset - within), 1);
    return for_it.found;
  }

  void sort() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].size == 0) continue;
      const sorted_piece one{all_[i].begin, all_[i].begin + all_[i].size, i + 1, none};
      sorted_.append(&one, 1);
    }
    std::qsort(sorted_.data(), sorted_.size(), sizeof(sorted_piece),
               [](const void* left, const void* right) {
                 const auto& a = *static_cast<const sorted_piece*>(left);
                 const auto& b = *static_cast<const sorted_piece*>(right);
                 if (a.begin != b.begin) return a.begin < b.begin ? -1 : 1;
                 if (a.end != b.end) return a.end > b.end ? -1 : 1;
                 return a.number < b.number ? -1 : 1;
               });
    for (std::size_t k = 1; k < sorted_.size(); ++k) {
      std::size_t outer = k - 1;
      while (outer != none && sorted_[outer].end < sorted_[k].end) outer = sorted_[outer].outer;
      sorted_[k].outer = outer;
    }
  }

  block<piece> all_;
  block<observing> pointers_;
  block<later> put_off_;
  block<sorted_piece> sorted_;
  seen_objects seen_;
  looking* look_ = nullptr;
  int depth_ = 0;
  bool ordered_ = true;
};

}  // namespace mpiglot::detail
