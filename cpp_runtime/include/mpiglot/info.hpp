// Info objects: hints for MPI, a map from strings to strings. MPI-4.1, chapter 10.
//
//   const info hints{{"no_locks", "true"}, {"same_size", "true"}};

#pragma once

#include <initializer_list>
#include <iterator>
#include <mpiglot/detail/base/held.hpp>
#include <mpiglot/mpi/deprecated.hpp>
#include <mpiglot/mpi/info.hpp>
#include <optional>
#include <string>
#include <utility>

namespace mpiglot {

/// An info object, owned or borrowed. All functions are local. Without hints it is MPI_INFO_NULL,
/// which every MPI function accepts; the first hint creates the MPI object.
class info : public detail::held<mpi::info_handle> {
 public:
  /// A hint: key and value.
  struct entry {
    mpi::text key;
    mpi::text value;
  };

  info() noexcept = default;
  info(std::initializer_list<entry> hints) {
    for (const entry& hint : hints) set(hint.key, hint.value);
  }
  using held::held;

  /// Returns a copy, which is owned.
  [[nodiscard]] info dup() const {
    return handle() ? info(mpi::unique_info(mpi::info_dup(handle()))) : info();
  }

  /// Adds a hint or replaces its value.
  void set(mpi::text key, mpi::text value) {
    if (!handle()) *this = info(mpi::unique_info(mpi::info_create()));
    mpi::info_set(handle(), key, value);
  }
  /// Returns the value of a hint. Empty if it is not set. Local.
  [[nodiscard]] std::optional<std::string> get(mpi::text key) const {
    if (!handle()) return std::nullopt;
    return text_of<std::string>(key);
  }
  /// True if the hint is set. Local.
  [[nodiscard]] bool contains(mpi::text key) const { return get(key).has_value(); }
  /// Removes a hint. Returns true if it was set.
  bool erase(mpi::text key) {
    if (!contains(key)) return false;
    mpi::info_delete(handle(), key);
    return true;
  }
  /// The number of hints. Local.
  [[nodiscard]] int size() const { return handle() ? mpi::info_get_nkeys(handle()) : 0; }
  /// True if there are no hints. Local.
  [[nodiscard]] bool empty() const { return size() == 0; }

  /// Iterates over pairs of key and value. Changing hints during the iteration may change their
  /// order.
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::pair<std::string, std::string>;
    using difference_type = int;
    using pointer = const value_type*;
    using reference = value_type;

    iterator() = default;
    iterator(const info& of, int n) noexcept : of_(&of), n_(n) {}
    [[nodiscard]] value_type operator*() const {
      std::string key = mpi::info_get_nthkey(of_->handle(), n_);
      std::optional<std::string> value = of_->get(key);
      return {std::move(key), value ? std::move(*value) : std::string()};
    }
    iterator& operator++() noexcept {
      ++n_;
      return *this;
    }
    iterator operator++(int) noexcept { return {*of_, n_++}; }
    bool operator==(const iterator& other) const noexcept { return n_ == other.n_; }

   private:
    const info* of_ = nullptr;
    int n_ = 0;
  };
  /// An iterator refers to the hints, so there is none of a temporary. A `for` keeps its temporary.
  [[nodiscard]] iterator begin() const& noexcept { return {*this, 0}; }
  [[nodiscard]] iterator end() const& { return {*this, size()}; }
  iterator begin() const&& = delete;
  iterator end() const&& = delete;

 private:
  // MPI_Info_get_string is part of MPI since version 4.0.
  template <class String>
  [[nodiscard]] std::optional<String> text_of(mpi::text key) const {
    if constexpr (mpi::has_info_get_string) {
      return mpi::info_get_string<String>(handle(), key);
    } else {
      const std::optional<int> length = mpi::info_get_valuelen(handle(), key);
      return length ? mpi::info_get<String>(handle(), key, *length) : std::nullopt;
    }
  }
};

}  // namespace mpiglot
