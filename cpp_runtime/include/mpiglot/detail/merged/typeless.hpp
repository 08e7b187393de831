// Both sides of an operation, for code that knows no type of element and so is compiled once.

#pragma once

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/arguments/forms.hpp>
#include <mpiglot/detail/arguments/layout.hpp>

namespace mpiglot::detail::merged {

/// Whether the lent memory holds elements of `Wire` one after another, which MPI sends as they are.
template <class Wire>
[[nodiscard]] bool is_plain(const lent& memory) noexcept {
  if constexpr (has_own_datatype<Wire>)
    return false;
  else
    return memory.type.native == datatype_of<Wire>().native;
}

/// Elements to send, of whatever type: the code that takes them is compiled once for all.
struct payload {
  template <class Wire>
  [[nodiscard]] static payload of(const lent& memory, count_t length) noexcept {
    return {memory, length, sizeof(Wire), is_plain<Wire>(memory)};
  }

  /// The bytes that the elements take, or what MPI_Pack needs at most.
  [[nodiscard]] std::size_t size(mpi::comm_handle comm) const noexcept;
  /// Copies the elements; `size`: their bytes, or what MPI_Pack needs at most.
  [[nodiscard]] mpi::result<> pack(std::byte* to, std::size_t size,
                                   mpi::comm_handle comm) const noexcept;

  const lent& from;
  count_t length;
  std::size_t width;  // of an element
  bool plain;
};

/// What a rank sends to many: its arrays as MPI takes them, or one length for all; or that it failed
/// (whatever they say).
class sent_layout {
 public:
  template <class Layout>
  [[nodiscard]] static sent_layout of(const Layout& layout, bool failed) {
    sent_layout told(layout.size(), failed);
    if constexpr (__is_same(Layout, equal_layout))
      told.each_ = layout.each;
    else
      layout.visit([&](auto counts, auto places) { told.lend(counts, places); });
    return told;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  /// Calls `call(lengths, displacements)`, both to be indexed by rank.
  template <class Call>
  void visit(Call call) const {
    if (failed_) [[unlikely]]
      call(always{poison}, always{0});
    else if (counts_ != nullptr)
      call(counts_, places_);
    else if (wide_counts_ != nullptr)
      call(wide_counts_, wide_places_);
    else
      call(always{each_}, multiples{each_});
  }

  // For `visit_both`.
  [[nodiscard]] bool narrow() const noexcept { return counts_ != nullptr; }
  template <class Call>
  void visit_narrow(Call call) const {
    call(counts_, places_);
  }
  template <class Call>
  void visit_wide(Call call) const {
    call(wide_counts_, wide_places_);
  }

 private:
  struct always {
    count_t value;
    count_t operator[](std::size_t) const noexcept { return value; }
  };
  struct multiples {
    count_t of;
    count_t operator[](std::size_t i) const noexcept { return static_cast<count_t>(i) * of; }
  };

  sent_layout(std::size_t size, bool failed) noexcept : size_(size), failed_(failed) {}
  void lend(const int* counts, const int* places) noexcept {
    counts_ = counts;
    places_ = places;
  }
  void lend(const count_t* counts, const mpi::aint_t* places) noexcept {
    wide_counts_ = counts;
    wide_places_ = places;
  }

  std::size_t size_;
  bool failed_;
  const int* counts_ = nullptr;
  const int* places_ = nullptr;
  const count_t* wide_counts_ = nullptr;
  const mpi::aint_t* wide_places_ = nullptr;
  count_t each_ = 0;
};

/// Memory for what arrives.
struct room {
  lent memory;
  bool plain;  // elements lie there as they travel
};

/// The receiving side of an operation.
struct receiving {
  void* state;
  // Makes room for so many wire elements; null: what arrives is in place.
  room (*place)(void* state, count_t all);
  std::size_t width;  // bytes of one

  [[nodiscard]] room make_room(count_t all) const { return place(state, all); }
};

/// The same where parts come from all ranks.
struct receiving_parts : receiving {
  detail::computed_layout& layout;  // allocated if somebody will look at the lengths
  int failed = -1;                  // the first rank that did
};

}  // namespace mpiglot::detail::merged
