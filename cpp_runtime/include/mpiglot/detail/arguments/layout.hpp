// Lengths and displacements of the parts of one buffer, one part for each rank, in wire elements.

#pragma once

#include <utility>

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/arguments/parts_in.hpp>
#include <mpiglot/detail/base/marks.hpp>
#include <mpiglot/detail/base/storage.hpp>

namespace mpiglot::detail {

/// Whether a buffer can be taken apart, one part for each rank, and put together: encoded values say.
template <class Adapter>
inline constexpr bool has_parts = true;
template <class Adapter>
  requires requires { Adapter::has_parts; }
inline constexpr bool has_parts<Adapter> = Adapter::has_parts;
template <class Adapter>
inline constexpr bool takes_parts = true;
template <class Adapter>
  requires requires { Adapter::takes_parts; }
inline constexpr bool takes_parts<Adapter> = Adapter::takes_parts;

/// The datatype in which lengths travel.
[[nodiscard]] inline mpi::datatype_handle count_type() noexcept {
  return mpi::datatype_handle{MPI_COUNT};
}

/// The length of what MPI_PROC_NULL sends, beyond the edge of a grid.
inline constexpr count_t nobody = -2;

/// Arrays that the library computes. Lengths are exchanged as MPI_Count; MPI is told arrays of
/// `int` whenever the whole buffer fits, since those functions exist everywhere. One allocation, and
/// another one beyond that.
class computed_layout {
 public:
  explicit computed_layout(std::size_t size) : size_(size) { allocate(); }
  /// Without memory until `allocate()`: it may turn out that nobody needs the arrays.
  struct deferred {};
  computed_layout(std::size_t size, deferred) noexcept : size_(size) {}
  void allocate() { memory_.resize_with_others(2 * size_ * sizeof(count_t), size_); }
  [[nodiscard]] bool allocated() const noexcept { return memory_.size() != 0; }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] count_t* lengths() noexcept { return as<count_t>(0); }
  [[nodiscard]] const count_t* lengths() const noexcept { return as<count_t>(0); }
  [[nodiscard]] count_t length(std::size_t i) const noexcept {
    return lengths()[i] < 0 ? 0 : lengths()[i];
  }
  /// Whether the part is one that no rank sends.
  [[nodiscard]] bool is_from_nobody(std::size_t i) const noexcept { return lengths()[i] == nobody; }
  void set_length(std::size_t i, count_t n) noexcept { lengths()[i] = n; }
  [[nodiscard]] count_t extent() const noexcept { return extent_; }
  [[nodiscard]] count_t displacement(std::size_t i) const noexcept {
    return narrow() ? ints()[size_ + i] : wide()[i];
  }

  /// Before lengths arrive with their marks: `nobody` where none does.
  void expect_lengths() noexcept {
    for (std::size_t i = 0; i < size_; ++i) lengths()[i] = nobody;
  }
  /// Takes the marks from what arrived; gives the sum of the lengths, or -1 if something is no length.
  [[nodiscard]] count_t unmark() noexcept {
    std::uint64_t all = 0;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const count_t n = without_mark(lengths()[i]);
      lengths()[i] = n;
      bits |= static_cast<std::uint64_t>(n);
      all += static_cast<std::uint64_t>(n);
    }
    return is_length(static_cast<count_t>(bits)) ? static_cast<count_t>(all) : -1;
  }
  /// The same of what is left then: `poison`, and lengths that did not arrive. Gives how many did not.
  /// Throws `count_error` where data arrived.
  [[gnu::cold, gnu::noinline]] int require_lengths() {
    int missing = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      count_t& n = lengths()[i];
      if (is_length(n)) continue;
      if (n == poison)
        failed_ = failed_ < 0 ? static_cast<int>(i) : failed_;
      else if (n != without_mark(nobody))
        refuse_unmarked();
      else {
        n = nobody;
        ++missing;
      }
    }
    return missing;
  }
  /// Whether something else than a length arrived.
  [[nodiscard, gnu::cold]] bool data_came() const noexcept {
    bool came = false;
    for (std::size_t i = 0; i < size_; ++i) {
      const count_t n = without_mark(lengths()[i]);
      came = came || (lengths()[i] != nobody && n != poison && !is_length(n));
    }
    return came;
  }
  /// The first rank that told that it failed, or -1.
  [[nodiscard]] int failed() const noexcept { return failed_; }

  /// Memory for as many lengths, until the parts are laid out.
  [[nodiscard]] count_t* spare() noexcept { return as<count_t>(size_ * sizeof(count_t)); }
  [[nodiscard]] count_t sum() const noexcept {
    count_t all = 0;
    for (std::size_t i = 0; i < size_; ++i) all += length(i);
    return all;
  }

  /// Puts the parts one after another, in the order of the ranks; gives the length of all.
  count_t lay_out() noexcept { return lay_out(sum()); }
  /// The same where the length of all is known.
  // NOLINTNEXTLINE(bugprone-exception-escape): so it ends the job where others wait
  [[gnu::noinline]] count_t lay_out(count_t all) noexcept {
    if (placed_) [[unlikely]]
      return extent_;
    count_t next = 0;
    return write(all, [&](std::size_t i) { return std::exchange(next, next + length(i)); });
  }

  /// Where there are no parts, since another rank has them: the largest number of the call, which
  /// decides how wide the arrays are.
  void tell_largest(count_t number) noexcept { extent_ = number; }

  /// Whether MPI is told arrays of `int`.
  [[nodiscard]] bool narrow() const noexcept { return mpi::detail::fits<int>(extent_); }
  template <class Call>
  void visit_narrow(Call call) const {
    call(ints(), ints() + size_);
  }
  template <class Call>
  void visit_wide(Call call) const {
    call(wide_counts(), wide());
  }
  /// Calls `call(counts, displacements)` with the arrays that MPI takes.
  template <class Call>
  void visit(Call call) const {
    if (narrow()) [[likely]]
      visit_narrow(call);
    else
      visit_wide(call);
  }

 protected:
  /// Writes the arrays for MPI; `at(i)` is where part i begins.
  template <class At>
  count_t write(count_t extent, At at) {
    extent_ = extent;
    if (!narrow()) [[unlikely]]
      return write_wide(at);
    for (std::size_t i = 0; i < size_; ++i) {
      ints()[i] = static_cast<int>(length(i));
      ints()[size_ + i] = static_cast<int>(at(i));
    }
    return extent;
  }

  bool placed_ = false;  // where the program says (displaced_layout.hpp)

 private:
  // MPI is told no length below zero, and who sends nothing is still known afterwards.
  template <class At>
  [[gnu::cold, gnu::noinline]] count_t write_wide(At& at) {
    memory_.resize_with_others(3 * size_ * sizeof(count_t), size_);
    for (std::size_t i = 0; i < size_; ++i) {
      wide_counts()[i] = length(i);
      wide()[i] = static_cast<mpi::aint_t>(at(i));
    }
    return extent_;
  }
  template <class T>
  [[nodiscard]] T* as(std::size_t offset) const noexcept {
    return static_cast<T*>(static_cast<void*>(const_cast<std::byte*>(memory_.data()) + offset));
  }
  [[nodiscard]] int* ints() const noexcept { return as<int>(size_ * sizeof(count_t)); }
  [[nodiscard]] mpi::aint_t* wide() const noexcept {
    return as<mpi::aint_t>(size_ * sizeof(count_t));
  }
  [[nodiscard]] count_t* wide_counts() const noexcept {
    return as<count_t>(2 * size_ * sizeof(count_t));
  }

  std::size_t size_;
  count_t extent_ = 0;
  int failed_ = -1;
  bytes memory_;
};

/// Stands for an array that the program does not give.
struct absent {};
inline absent no_array;

/// As many parts as there are ranks, all of one length.
struct equal_layout {
  std::size_t ranks;
  count_t each = 0;

  [[nodiscard]] std::size_t size() const noexcept { return ranks; }
  [[nodiscard]] count_t length(std::size_t) const noexcept { return each; }
  [[nodiscard]] count_t displacement(std::size_t i) const noexcept {
    return static_cast<count_t>(i) * each;
  }
  [[nodiscard]] count_t extent() const noexcept { return displacement(ranks); }
};

template <class Array>
using integer_of = std::remove_cv_t<element_t<Array>>;

/// Whether the elements stay where they are when the object that holds them is moved, so that a
/// request can be. An `std::array` that was moved in does not do that.
template <class Array>
inline constexpr bool survives_moves =
    std::is_reference_v<Array> || std::is_empty_v<Array> || view<Array> || is_vector<Array>;

/// Whether the elements are there as long as the object that holds them, or a copy by moving.
template <class Array>
inline constexpr bool owns_elements = !std::is_reference_v<Array> && !view<Array>;

/// Arrays that the program gives as some other integers than MPI takes: copied.
template <class Displacements>
class copied_layout : public computed_layout {
 public:
  static constexpr bool computes = true;

  template <class Counts>
  copied_layout(const Counts& counts, Displacements&& displacements)
      : computed_layout(std::size(counts)),
        displacements_(static_cast<Displacements&&>(displacements)) {
    for (std::size_t i = 0; i < size(); ++i)
      set_length(i, static_cast<count_t>(std::data(counts)[i]));
  }

  [[nodiscard]] bool are_for(std::size_t ranks) const noexcept {
    if constexpr (!std::is_same_v<Displacements, absent>)
      if (std::size(displacements_) != ranks) return false;
    return size() == ranks;
  }

  /// Whether a part has a negative length, or begins before the buffer.
  [[nodiscard]] bool any_negative() const noexcept {
    count_t all = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      all |= lengths()[i];
      if constexpr (!std::is_same_v<Displacements, absent>)
        if (lengths()[i] != 0) all |= static_cast<count_t>(std::data(displacements_)[i]);
    }
    return all < 0;
  }

  count_t lay_out() {
    if constexpr (std::is_same_v<Displacements, absent>) {
      return computed_layout::lay_out();
    } else {
      const auto at = [&](std::size_t i) {
        return static_cast<count_t>(std::data(displacements_)[i]);
      };
      count_t end = 0;
      for (std::size_t i = 0; i < size(); ++i)
        if (at(i) + length(i) > end) end = at(i) + length(i);
      return write(end, at);
    }
  }

 private:
  [[no_unique_address]] Displacements displacements_;
};

/// Arrays that the program gives, lent to MPI as they are: `int` both, or MPI_Count and MPI_Aint
/// where MPI takes these. Displacements that are not given are computed.
template <class Counts, class Displacements>
class given_layout {
  using integer = integer_of<Counts>;
  using place = std::conditional_t<std::is_same_v<integer, int>, int, mpi::aint_t>;

 public:
  static constexpr bool computes = std::is_same_v<Displacements, absent>;

  given_layout(Counts&& counts, Displacements&& displacements)
      : counts_(static_cast<Counts&&>(counts)),
        displacements_(static_cast<Displacements&&>(displacements)) {}

  [[nodiscard]] std::size_t size() const noexcept { return std::size(counts_); }
  [[nodiscard]] const integer* lengths() const noexcept { return std::data(counts_); }
  [[nodiscard]] count_t length(std::size_t i) const noexcept { return std::data(counts_)[i]; }
  [[nodiscard]] count_t displacement(std::size_t i) const noexcept { return displacements()[i]; }
  [[nodiscard]] count_t extent() const noexcept {
    count_t end = 0;
    for (std::size_t i = 0; i < size(); ++i)
      if (displacement(i) + length(i) > end) end = displacement(i) + length(i);
    return end;
  }
  [[nodiscard]] bool are_for(std::size_t ranks) const noexcept {
    if constexpr (!computes)
      if (std::size(displacements_) != ranks) return false;
    return size() == ranks;
  }

  [[nodiscard]] bool any_negative() const noexcept {
    count_t all = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      all |= length(i);
      if constexpr (!computes)
        if (length(i) != 0) all |= displacement(i);
    }
    return all < 0;
  }

  /// Whether there is a part for each rank, and all lie in a buffer of so many elements.
  [[nodiscard]] bool lies_in(std::size_t ranks, count_t room) const noexcept
    requires(!computes && std::is_same_v<integer, int>)
  {
    return are_for(ranks) &&
           parts_lie_in(lengths(), displacements(), ranks, static_cast<std::size_t>(room));
  }

  /// Computes what is not given. MPI_ERR_COUNT if it does not fit the arrays' type.
  void lay_out() {
    if constexpr (computes) {
      computed_.resize_with_others(size(), size());
      count_t at = 0;
      for (std::size_t i = 0; i < size(); ++i) {
        computed_[i] = static_cast<place>(at);
        at += length(i);
      }
      if (!mpi::detail::fits<place>(at)) [[unlikely]]
        detail::refuse_counts("displacements need MPI_Count arrays here");
    }
  }

  [[nodiscard]] static constexpr bool narrow() noexcept { return std::is_same_v<integer, int>; }
  template <class Call>
  void visit(Call call) const {
    call(std::data(counts_), displacements());
  }
  template <class Call>
  void visit_narrow(Call call) const {
    if constexpr (narrow()) visit(call);
  }
  template <class Call>
  void visit_wide(Call call) const {
    if constexpr (!narrow()) visit(call);
  }

 private:
  [[nodiscard]] const place* displacements() const noexcept {
    if constexpr (computes)
      return computed_.data();
    else
      return std::data(displacements_);
  }

  Counts counts_;
  [[no_unique_address]] Displacements displacements_;
  [[no_unique_address]] std::conditional_t<computes, block<place>, absent> computed_;
};

/// Arrays copied to the wide types.
class widened {
 public:
  template <class Layout>
  explicit widened(const Layout& from) : counts_(from.size()), places_(from.size()) {
    from.visit([&](auto counts, auto places) {
      for (std::size_t i = 0; i < counts_.size(); ++i) {
        counts_[i] = counts[i] < 0 ? 0 : counts[i];
        places_[i] = static_cast<mpi::aint_t>(places[i]);
      }
    });
  }
  [[nodiscard]] const count_t* counts() const noexcept { return counts_.data(); }
  [[nodiscard]] const mpi::aint_t* displacements() const noexcept { return places_.data(); }

 private:
  block<count_t> counts_;
  block<mpi::aint_t> places_;
};

/// Calls `call(counts, displacements, counts, displacements)` for the two sides of an operation,
/// whose arrays must be of one width. Arrays of two widths are copied, which only a blocking call
/// can use: false otherwise.
template <bool Blocking, class First, class Second, class Call>
bool visit_both(const First& first, const Second& second, Call call) {
  if (first.narrow() && second.narrow()) [[likely]] {
    first.visit_narrow([&](auto counts, auto places) {
      second.visit_narrow([&](auto more, auto others) { call(counts, places, more, others); });
    });
  } else if (!first.narrow() && !second.narrow()) {
    first.visit_wide([&](auto counts, auto places) {
      second.visit_wide([&](auto more, auto others) { call(counts, places, more, others); });
    });
  } else if (!Blocking) {
    return false;
  } else {
    const widened one(first);
    const widened other(second);
    call(one.counts(), one.displacements(), other.counts(), other.displacements());
  }
  return true;
}

/// Whether MPI can be lent these arrays as they are.
template <class Counts, class Displacements>
inline constexpr bool lendable = false;
template <class Counts>
inline constexpr bool lendable<Counts, absent> =
    std::is_same_v<integer_of<Counts>, int> ||
    (std::is_same_v<integer_of<Counts>, count_t> && mpi::has_large_counts);
template <class Counts, class Displacements>
  requires(has_elements<Displacements> && lendable<Counts, absent>)
inline constexpr bool lendable<Counts, Displacements> =
    std::is_same_v<integer_of<Displacements>,
                   std::conditional_t<std::is_same_v<integer_of<Counts>, int>, int, mpi::aint_t>>;

template <class Array>
concept integer_array = has_elements<Array> && std::is_integral_v<integer_of<Array>>;

}  // namespace mpiglot::detail
