// Bags: structures with their memory. A bag is a buffer of every operation; its elements travel in
// the order of its signature.
//
//   auto matrix = bag(scalar<double>() ^ vectors<'j', 'i'>(columns, rows));
//   matrix[idx<'i', 'j'>(2, 3)] = 1;
//   comm.bcast(send_recv_buf(matrix));

#pragma once

#include <memory>

#include <mpiglot/layouts/queries.hpp>
#include <mpiglot/view.hpp>

namespace mpiglot::layouts {

namespace detail {

template <class Memory>
concept owns_memory_move_it_or_use_get_ref = !std::is_pointer_v<Memory>;

/// Moves the memory out of a bag that is not used any more.
struct memory_of_bags {
  template <class Bag>
  [[nodiscard]] static constexpr auto take(Bag& bag) noexcept {
    return static_cast<decltype(bag.memory_)&&>(bag.memory_);
  }
};

}  // namespace detail

/// A structure and the memory of its elements: `Memory` is a pointer, or one that owns it.
template <class Structure, class Memory>
class bag_of {
 public:
  /// The type of the elements.
  using element = typename std::pointer_traits<Memory>::element_type;

  constexpr bag_of(const Structure& structure, Memory memory)
      : structure_(structure), memory_(static_cast<Memory&&>(memory)) {}
  // Not copied if it owns its memory: compilers print the name of the concept.
  bag_of(const bag_of&)
    requires detail::owns_memory_move_it_or_use_get_ref<Memory>
  = delete;
  bag_of& operator=(const bag_of&)
    requires detail::owns_memory_move_it_or_use_get_ref<Memory>
  = delete;
  bag_of(const bag_of&)
    requires std::is_pointer_v<Memory>
  = default;
  bag_of(bag_of&&) = default;
  bag_of& operator=(const bag_of&)
    requires std::is_pointer_v<Memory>
  = default;
  bag_of& operator=(bag_of&&) = default;

  /// Where the elements are.
  [[nodiscard]] constexpr const Structure& layout() const noexcept { return structure_; }
  /// The beginning of the memory.
  [[nodiscard]] constexpr element* data() const noexcept { return std::to_address(memory_); }
  /// The same elements, in a bag that does not own them. It must not live longer than this one.
  [[nodiscard]] constexpr bag_of<Structure, element*> get_ref() const& noexcept {
    return {structure_, data()};
  }
  /// Of a temporary: only if that does not own its memory.
  [[nodiscard]] constexpr bag_of<Structure, element*> get_ref() const&& noexcept {
    using verdict = detail::right_if<std::is_pointer_v<Memory>,
                                     wrong_layout::bag_that_owns_memory_must_have_a_name>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    return {structure_, data()};
  }
  /// The element of these indices. Indices of dimensions that the structure does not have are not
  /// looked at. No range is checked.
  template <class... Index>
  [[nodiscard]] constexpr element& operator[](const indices<Index...>& at) const noexcept {
    using verdict = typename detail::indices_verdict<Structure, indices<Index...>>::type;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    return *mpiglot::detail::stepped<decltype(Structure::root)::unit>(
        data(), detail::elements_before(structure_, at));
  }

 private:
  friend struct detail::memory_of_bags;

  [[no_unique_address]] Structure structure_;
  Memory memory_;
};

namespace detail {

template <class Bag>
inline constexpr bool is_bag = false;
template <class Structure, class Memory>
inline constexpr bool is_bag<bag_of<Structure, Memory>> = true;
template <class Bag>
struct memory_type;
template <class Structure, class Memory>
struct memory_type<bag_of<Structure, Memory>> {
  using type = Memory;
};
template <class Bag>
using memory_of = typename memory_type<std::remove_cvref_t<Bag>>::type;
/// What a bag owns goes away at the end of the expression: it is a temporary, or is given up.
template <class Bag>
inline constexpr bool gives_up_memory =
    !std::is_lvalue_reference_v<Bag> && !std::is_pointer_v<memory_of<Bag>>;
/// The verdict about a const temporary, whose memory cannot be moved.
template <class Bag>
using movable_or_wrong =
    right_if<!(gives_up_memory<Bag> && std::is_const_v<std::remove_reference_t<Bag>>),
             wrong_layout::bag_that_owns_memory_must_have_a_name>;

template <class Element>
struct owned {
  using element_type = Element;
  std::unique_ptr<Element[]> memory;
  [[nodiscard]] constexpr Element* operator->() const noexcept { return memory.get(); }
};

/// True unless a place in memory is that of several indices, or not one step apart from the next.
template <class Axis>
inline constexpr bool is_strided = false;
template <auto Name, std::size_t Root, class L, class S>
inline constexpr bool is_strided<axis<Name, Root, L, S>> = !is_uneven<L>;

template <class S>
inline constexpr bool is_view = false;
template <class Root, class... Axes>
inline constexpr bool is_view<mapping<Root, list<Axes...>>> = (is_strided<Axes> && ...);

/// What is wrong with a structure that must be a view.
template <class S>
struct view_verdict;
template <class Root, class... Axes>
struct view_verdict<mapping<Root, list<Axes...>>> {
  using type =
      first_wrong_of<right_if<is_strided<Axes>,
                              wrong_layout::dimension_has_no_strides_fix_it_first<Axes::name>>...>;
};

/// True if each index of an axis is the same place: that of `bcast`.
template <class Axis>
inline constexpr bool goes_nowhere = false;
template <auto Name, class L, class S>
inline constexpr bool goes_nowhere<axis<Name, nowhere, L, S>> = true;
/// The first such dimension of a structure.
template <class S>
struct one_place_verdict;
template <class Root, class... Axes>
struct one_place_verdict<mapping<Root, list<Axes...>>> {
  using type = first_wrong_of<right_if<
      !goes_nowhere<Axes>, wrong_layout::elements_would_be_received_into_one_place<Axes::name>>...>;
};

/// Lengths and steps of axes by their places, for views.
template <class... Axes>
[[nodiscard]] constexpr count_t length_at(const list<Axes...>& axes, std::size_t i) noexcept {
  count_t found = 0;
  std::size_t at = 0;
  ((at++ == i ? void(found = static_cast<count_t>(static_cast<const Axes&>(axes).length)) : void()),
   ...);
  return found;
}
template <class... Axes>
[[nodiscard]] constexpr count_t step_at(const list<Axes...>& axes, std::size_t i) noexcept {
  count_t found = 0;
  std::size_t at = 0;
  ((at++ == i ? void(found = static_cast<count_t>(static_cast<const Axes&>(axes).step)) : void()),
   ...);
  return found;
}
template <class Axes>
inline constexpr std::size_t rank_of = 0;
template <class... Axes>
inline constexpr std::size_t rank_of<list<Axes...>> = sizeof...(Axes);

/// Whether memory stays what it is when this piece is applied.
template <class Piece>
inline constexpr bool keeps_memory = true;
template <auto Name, class Length>
inline constexpr bool keeps_memory<outer_piece<Name, Length, true>> = false;
template <class First, class Second>
inline constexpr bool keeps_memory<composed<First, Second>> =
    keeps_memory<First> && keeps_memory<Second>;

/// The same memory, seen through one piece more. A temporary hands the memory that it owns on.
template <class Bag, is_piece Piece>
  requires is_bag<std::remove_cvref_t<Bag>>
[[nodiscard]] constexpr auto operator^(Bag&& of, const Piece& piece) {
  using bag = std::remove_cvref_t<Bag>;
  using structure = std::remove_cvref_t<decltype(of.layout())>;
  using verdict = first_wrong_of<
      typename verdict_on<structure, Piece>::type,
      right_if<keeps_memory<Piece>, wrong_layout::vector_needs_other_memory_use_bcast_here>,
      movable_or_wrong<Bag>>;
  using right [[maybe_unused]] = typename judged<verdict>::is_right;
  if constexpr (is_right<verdict>) {
    const auto changed = detail::apply(of.layout(), piece);
    using found = std::remove_cv_t<decltype(changed)>;
    using ready = ready_or_wrong<found>;
    using sized [[maybe_unused]] = typename judged<ready>::is_right;
    if constexpr (gives_up_memory<Bag>)
      return bag_of<mapping_type<found>, memory_of<bag>>(detail::mapping_of(changed),
                                                         memory_of_bags::take(of));
    else
      return bag_of<mapping_type<found>, typename bag::element*>(detail::mapping_of(changed),
                                                                 of.data());
  } else {
    return bag_of<structure, typename bag::element*>(of.layout(), of.data());
  }
}

}  // namespace detail

using detail::operator^;

/// Memory for all elements of a structure, zeros. The bag owns it and can be moved.
template <class Structure>
[[nodiscard]] auto bag(const Structure& structure) {
  using verdict = detail::sized_or_wrong<Structure>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  const auto mapping = detail::mapping_of(structure);
  using found = detail::mapping_type<Structure>;
  using element = typename decltype(found::root)::element;
  if constexpr (detail::is_right<verdict>)
    return bag_of<found, detail::owned<element>>(
        mapping, {std::make_unique<element[]>(static_cast<std::size_t>(mapping.root.size()))});
  else
    return bag_of<found, element*>(mapping, nullptr);
}
/// The elements that a structure finds in `memory`, which must live as long as the bag is used. A
/// copy of the bag refers to the same elements.
template <class Structure, class Element>
[[nodiscard]] constexpr auto bag(const Structure& structure, Element* memory) {
  using found = detail::mapping_type<Structure>;
  using element = typename decltype(found::root)::element;
  using verdict = detail::first_wrong_of<
      detail::ready_or_wrong<Structure>,
      detail::right_if<std::is_same_v<std::remove_const_t<Element>, element>,
                       wrong_layout::elements_of_the_memory_are_not_those_of_the_structure>>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return bag_of<found, Element*>(detail::mapping_of(structure), memory);
}

}  // namespace mpiglot::layouts

namespace mpiglot {

/// Bags whose dimensions have strides: no merged or uneven ones.
template <class Structure, class Memory>
  requires layouts::detail::is_view<Structure>
struct view_traits<layouts::bag_of<Structure, Memory>> {
  using bag = layouts::bag_of<Structure, Memory>;
  static constexpr std::size_t rank = layouts::detail::rank_of<decltype(Structure::axes)>;
  static constexpr bool shares_elements = std::is_pointer_v<Memory>;
  static constexpr count_t stride_unit = decltype(Structure::root)::unit;

  [[nodiscard]] static auto* data(const bag& of) noexcept {
    return detail::stepped<stride_unit>(of.data(), of.layout().root.offset);
  }
  [[nodiscard]] static count_t extent(const bag& of, std::size_t i) noexcept {
    return layouts::detail::length_at(of.layout().axes, i);
  }
  [[nodiscard]] static count_t stride(const bag& of, std::size_t i) noexcept {
    return layouts::detail::step_at(of.layout().axes, i);
  }
};

namespace detail {

/// Of a bag without strides as a buffer: an error that names the dimension.
template <class Structure, class Memory>
  requires(!layouts::detail::is_view<Structure>)
struct view_fault<layouts::bag_of<Structure, Memory>> {
  static constexpr bool found = true;
  template <class, class>
  using type = typename layouts::detail::view_verdict<Structure>::type;
};
/// A bag with a dimension that goes nowhere: nothing is received into it.
template <class Structure, class Memory>
struct fault_of_receiver<layouts::bag_of<Structure, Memory>> {
  using type = typename layouts::detail::one_place_verdict<Structure>::type;
};

/// Structures in the place of bags.
struct fault_of_structure {
  static constexpr bool found = true;
  template <class, class>
  using type = layouts::wrong_layout::structure_has_no_elements_give_a_bag_of_it;
};
template <class Root, class Axes>
struct view_fault<layouts::detail::mapping<Root, Axes>> : fault_of_structure {};
template <class Mapping, class... Pieces>
struct view_fault<layouts::detail::pending<Mapping, Pieces...>> : fault_of_structure {};

}  // namespace detail

/// Of a bag without strides: an error that names the dimension.
template <class Structure, class Memory>
  requires(!layouts::detail::is_view<Structure>)
[[nodiscard]] mpi::unique_datatype as_datatype(const layouts::bag_of<Structure, Memory>&) {
  using verdict = typename layouts::detail::view_verdict<Structure>::type;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return {};
}

}  // namespace mpiglot
