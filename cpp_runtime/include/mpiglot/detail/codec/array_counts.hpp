// The counts of arrays that the decoder makes (fields.hpp, `owned` and `shared`): an object may have
// several arrays with one count, and list the count as a field. Bytes may say different numbers.

#pragma once

#include <cstddef>
#include <type_traits>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/codec/type_categories.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/fields.hpp>

namespace mpiglot::detail {

inline constexpr int all_lists = 1 << 30;
template <class T>
[[nodiscard]] bool lists_count(T& value, int lists, const void* count);

/// Whether a count is in what is encoded of a field.
template <class Field>
[[nodiscard]] bool holds_count(Field& field, const void* count) {
  using plain = std::remove_cv_t<Field>;
  if constexpr (is_base_parts<Field>) {
    bool found = false;
    each_base(field, [&](auto& base) { found = holds_count(base, count) || found; });
    return found;
  } else if constexpr (lists_fields<plain> && !encodes_itself<plain>) {
    return lists_count(field, all_lists, count);
  } else {
    const auto* const first = reinterpret_cast<const std::byte*>(__builtin_addressof(field));
    const auto* const at = static_cast<const std::byte*>(count);
    return !is_rule<plain> && at >= first && at < first + sizeof(Field);
  }
}
/// Whether it is in one of the first lists of fields of an object.
template <class T>
[[nodiscard]] bool lists_count(T& value, int lists, const void* count) {
  bool found = false;
  if (lists != 0)
    visit_listed(value, [&](auto&&... fields) {
      if (lists-- > 0) ((found = holds_count(fields, count) || found), ...);
    });
  return found;
}

/// The counts that were set in the objects which are being read.
class array_counts {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  /// Whether the count of the array that comes next was read already, as a field or in one.
  void note_listed(bool listed) noexcept { is_listed_ = listed; }
  /// An array of `n` objects follows. Sets its count if that is a variable. Throws `decode_error` if
  /// something else has said another one.
  template <class Rule>
  void set(Rule& rule, std::size_t n) {
    using count = std::remove_cvref_t<decltype(rule.count)>;
    const auto holds = [](const void* at, std::size_t expected) {
      const count told = *static_cast<const count*>(at);
      return told >= count{} && static_cast<std::size_t>(told) == expected;
    };
    if constexpr (sets_count<Rule>) {
      const entry* const other = entry_of(rule);
      if (other != nullptr && other->n != n) refuse();  // whatever a field has said meanwhile
      if (other == nullptr && !is_listed_) rule.count = static_cast<count>(n);
      if (!holds(__builtin_addressof(rule.count), n)) refuse();
      const entry here{__builtin_addressof(rule.count), n, holds, [](void* at, std::size_t right) {
                         *static_cast<count*>(at) = static_cast<count>(right);
                       }};
      all_.append(&here, 1);
    } else if (!holds(__builtin_addressof(rule.count), n)) {
      refuse();
    }
  }
  /// There is no array. Its count is 0, unless something else says what it is.
  template <class Rule>
  void clear([[maybe_unused]] Rule& rule) noexcept {
    if constexpr (sets_count<Rule>)
      if (!is_listed_ && entry_of(rule) == nullptr) rule.count = {};
  }
  /// Throws if a count from `first` on is not that of its array any more: a field has another one.
  [[gnu::noinline]] void require(std::size_t first) const {
    for (std::size_t i = first; i < all_.size(); ++i)
      if (!all_[i].holds(all_[i].at, all_[i].n)) refuse();
  }

  /// Those of an object, from its beginning to its end, also if that is an exception. They are those of
  /// the arrays then, by which these are freed.
  struct of_object {
    array_counts& counts;
    std::size_t first;
    ~of_object() {
      if (counts.size() != first) [[unlikely]]
        counts.end(first);
    }
  };

 private:
  struct entry {
    void* at;
    std::size_t n;
    bool (*holds)(const void* at, std::size_t n);
    void (*set)(void* at, std::size_t n);
  };

  [[gnu::noinline]] void end(std::size_t first) noexcept {
    for (std::size_t i = first; i < all_.size(); ++i) all_[i].set(all_[i].at, all_[i].n);
    all_.resize(first);
  }
  /// That of another array with the same count, or null.
  template <class Rule>
  [[nodiscard]] const entry* entry_of(const Rule& rule) const noexcept {
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (all_[i].at == __builtin_addressof(rule.count)) return &all_[i];
    return nullptr;
  }
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse() {
    refuse_bytes("an array has another length than its object says");
  }

  block<entry> all_;
  bool is_listed_ = false;
};

}  // namespace mpiglot::detail
