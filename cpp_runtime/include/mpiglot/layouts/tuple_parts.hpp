// Tuples as buffers: the elements of all members are packed, member by member, and travel as bytes.
// So a tuple is one message to every MPI, whatever its layout is on either side, and what lies between
// elements is neither read nor written.

#pragma once

#include <array>
#include <cstring>
#include <span>
#include <tuple>

#include <mpiglot/as_datatype.hpp>
#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/layouts/parts.hpp>
#include <mpiglot/layouts/tuples.hpp>
#include <mpiglot/parameters.hpp>

namespace mpiglot {
namespace wrong_call {

template <class Parameter, class Operation>
struct elements_of_a_tuple_cannot_be_reduced_fix_a_member {};
template <class Parameter, class Operation>
struct tuple_is_no_memory_that_mpi_uses_later_give_raw_and_as_datatype {};
template <class Parameter, class Operation>
struct tuple_has_no_parts_for_ranks_use_an_mpi_traverser {};

}  // namespace wrong_call

namespace layouts::detail {

/// The types of the elements of a tuple, as both sides of an operation must mean them.
template <class... T>
struct tuple_elements {
  std::byte bytes[(0 + ... + sizeof(T))];
};

/// The parts of ranks of a tuple: views of each member, `Views`, of which a part has one or several
/// that travel one after the other.
template <class... Views>
class tuple_parts : public known_parts {
 public:
  using wire = std::byte;
  using elements = tuple_elements<std::remove_const_t<typename Views::element>...>;
  static constexpr bool writable = !(std::is_const_v<typename Views::element> || ...);
  static constexpr const char* shared_memory =
      "elements of a tuple to receive into may share memory";

  /// `parts` parts; each has as many views of a member as there are for each part.
  tuple_parts(std::size_t parts, std::tuple<kept_array<Views>...>&& of)
      : known_parts(parts), views_(static_cast<std::tuple<kept_array<Views>...>&&>(of)) {
    for (std::size_t i = 0; i < parts; ++i) {
      counts_[i] = 0;
      each(i, parts, [&]<class View>(const View& view) {
        counts_[i] = plus(counts_[i],
                          times(look_at(view).elements, count_t{sizeof(typename View::element)}));
      });
      places_[i] = length_;
      length_ = plus(length_, counts_[i]);
    }
    end_looking();
  }

  /// The number of parts.
  [[nodiscard]] std::size_t size() const noexcept { return counts_.size(); }
  /// Nothing: tuples are always packed.
  [[nodiscard]] static constexpr std::byte* base() noexcept { return nullptr; }
  [[nodiscard]] static constexpr bool direct() noexcept { return false; }

  /// Copies a part of `bytes` bytes to a block or, unless `Packs`, back. Gives back how many.
  template <bool Packs>
  count_t copy(std::size_t part, std::byte* block, count_t bytes) const noexcept {
    each(part, size(), [&]<class View>(const View& view) {
      constexpr auto unit = static_cast<count_t>(sizeof(typename View::element));
      block += detail::copy_elements<Packs>(view, block, bytes / unit) * unit;
    });
    return bytes;
  }

 private:
  template <class F>
  void each(std::size_t part, std::size_t parts, const F& f) const {
    const auto of_member = [&](const auto& views) {
      const std::size_t pieces = views.size() / parts;
      for (std::size_t i = 0; i < pieces; ++i) f(views[part * pieces + i]);
    };
    std::apply([&](const auto&... member) { (of_member(member), ...); }, views_);
  }
  std::tuple<kept_array<Views>...> views_;
};
template <class... Views>
inline constexpr bool is_parts<tuple_parts<Views...>> = true;

/// Whether a parameter is the parts of a tuple.
template <class Parameter>
inline constexpr bool has_tuple_parts = false;
template <class Key, class... Views, resize_policy Policy>
inline constexpr bool has_tuple_parts<parameter<Key, tuple_parts<Views...>, Policy>> = true;

/// The view of a member in the order of its own signature.
template <class T, class Root, class... Axes>
[[nodiscard]] auto own_view(const mapping<Root, list<Axes...>>& of, T* memory) {
  constexpr std::size_t rank = sizeof...(Axes);
  aligned_view<T, rank, Root::unit> view{};
  if (memory != nullptr) view.first = mpiglot::detail::stepped<Root::unit>(memory, of.root.offset);
  for (std::size_t i = 0; i < rank; ++i) {
    view.extents[i] = detail::length_at(of.axes, i);
    view.strides[i] = detail::step_at(of.axes, i);
  }
  return view;
}
template <class View>
[[nodiscard]] kept_array<View> one_view(const View& view) {
  kept_array<View> made(1);
  ::new (made.data()) View(view);
  return made;
}
/// A bag as one part, each member in its own order.
template <class Bag>
[[nodiscard]] auto whole_tuple(const Bag& of) {
  return std::apply(
      [&](const auto&... member) {
        return tuple_parts<decltype(detail::own_view(member, of.memory_of(member)))...>(
            1, {detail::one_view(detail::own_view(member, of.memory_of(member)))...});
      },
      of.members());
}

/// Whether a tuple has strides: no merged or uneven dimensions.
template <class Tuple>
inline constexpr bool is_strided_tuple = false;
template <auto Name, std::size_t A, class Size, class... Members>
inline constexpr bool is_strided_tuple<tuple_of<Name, A, Size, Members...>> =
    (is_view<Members> && ...);
template <class Buffer>
inline constexpr bool is_tuple_buffer = false;
template <class Tuple, class Memory>
inline constexpr bool is_tuple_buffer<tuple_bag<Tuple, Memory>> = is_strided_tuple<Tuple>;

/// Axes of a traverser without those that this member of a tuple lacks but another one has.
template <class Space, class Axis, class Member, class... Members>
inline constexpr bool member_lacks =
    !found_along<Member, Space, Axis>::value && (found_along<Members, Space, Axis>::value || ...);
template <class Space, class Member, class... Members, class Axis>
[[nodiscard]] constexpr auto unless_lacking(const Axis& one) {
  if constexpr (member_lacks<Space, Axis, Member, Members...>)
    return list<>();
  else
    return list<Axis>{one};
}
template <class Member, class Space, class... Axes, class... Members>
[[nodiscard]] constexpr auto order_of_member(const mapping<Space, list<Axes...>>& order,
                                             const std::tuple<Members...>&) {
  return mapping{
      order.root,
      (list<>() + ... +
       detail::unless_lacking<Space, Member, Members...>(static_cast<const Axes&>(order.axes)))};
}

/// Parts of a bag in the order of a traverser.
template <class Bag, class Order>
[[nodiscard]] auto parts_of_tuple(const Bag& of, int first, int end, const Order& order) {
  const auto make = [&]<class... Views>(kept_array<Views>&&... views) {
    return tuple_parts<Views...>(static_cast<std::size_t>(end - first),
                                 {static_cast<kept_array<Views>&&>(views)...});
  };
  return std::apply(
      [&](const auto&... member) {
        return make(detail::views_of_parts(member, of.memory_of(member), first, end, [&](int part) {
          return detail::order_of_member<std::remove_cvref_t<decltype(member)>>(order(part),
                                                                                of.members());
        })...);
      },
      of.members());
}

/// What both adapters of tuples have.
template <class Parts>
class packed_tuple : public lent_parts<Parts> {
 public:
  using elements = typename Parts::elements;
  using lent_parts<Parts>::lent_parts;
};
template <class Bag>
using packed_bag = packed_tuple<decltype(detail::whole_tuple(std::declval<const Bag&>()))>;

}  // namespace layouts::detail

namespace detail {

/// A tuple in the place of a bag of it.
template <auto Name, std::size_t A, class Size, class... Members>
struct view_fault<layouts::tuple_of<Name, A, Size, Members...>> : fault_of_structure {};
/// Of a bag without strides as a buffer: an error that names the dimension.
template <auto Name, std::size_t A, class Size, class... Members, class Memory>
  requires(!(layouts::detail::is_view<Members> && ...))
struct view_fault<layouts::tuple_bag<layouts::tuple_of<Name, A, Size, Members...>, Memory>> {
  static constexpr bool found = true;
  template <class, class>
  using type =
      layouts::detail::first_wrong_of<typename layouts::detail::view_verdict<Members>::type...>;
};
/// A bag with a dimension that goes nowhere: nothing is received into it.
template <auto Name, std::size_t A, class Size, class... Members, class Memory>
struct fault_of_receiver<layouts::tuple_bag<layouts::tuple_of<Name, A, Size, Members...>, Memory>> {
  using type = layouts::detail::first_wrong_of<
      typename layouts::detail::one_place_verdict<Members>::type...>;
};

/// What a whole bag takes part in: messages, accesses to files and bcast.
template <class Operation>
inline constexpr bool takes_whole_bags =
    is_message<Operation> || Operation::accepts::template contain<keys::send_recv_count>;

template <class Operation>
inline constexpr bool reduces = Operation::accepts::template contain<keys::op>;

template <class Tuple, class Memory, class Operation>
  requires(reduces<Operation> || uses_memory_later<Operation> || !takes_whole_bags<Operation>)
struct misplaced_buffer<layouts::tuple_bag<Tuple, Memory>, Operation> {
  static constexpr bool found = true;
  template <class Key>
  using type = std::conditional_t<
      uses_memory_later<Operation>,
      wrong_call::tuple_is_no_memory_that_mpi_uses_later_give_raw_and_as_datatype<Key, Operation>,
      std::conditional_t<
          reduces<Operation>,
          wrong_call::elements_of_a_tuple_cannot_be_reduced_fix_a_member<Key, Operation>,
          wrong_call::tuple_has_no_parts_for_ranks_use_an_mpi_traverser<Key, Operation>>>;
};

}  // namespace detail

/// Lends memory that is kept for the next call. Lengths are bytes, packed.
template <class... Views, form Form, resize_policy Policy>
class buffer_adapter<layouts::detail::tuple_parts<Views...>, Form, Policy>
    : public layouts::detail::packed_tuple<layouts::detail::tuple_parts<Views...>> {
 public:
  using layouts::detail::packed_tuple<layouts::detail::tuple_parts<Views...>>::packed_tuple;
};

/// The same of a whole bag, whose members travel in the order of their signatures.
template <class Buffer, form Form, resize_policy Policy>
  requires layouts::detail::is_tuple_buffer<std::remove_cvref_t<Buffer>>
class buffer_adapter<Buffer, Form, Policy>
    : public layouts::detail::packed_bag<std::remove_cvref_t<Buffer>> {
  using bag = std::remove_cvref_t<Buffer>;

 public:
  static constexpr bool owning = !std::is_reference_v<Buffer> && !std::is_trivially_copyable_v<bag>;

  explicit buffer_adapter(Buffer&& buffer)
      : layouts::detail::packed_bag<bag>(layouts::detail::whole_tuple<bag>(buffer)),
        bag_(static_cast<Buffer&&>(buffer)) {}

  [[nodiscard]] Buffer take() { return static_cast<Buffer&&>(bag_); }

 private:
  Buffer bag_;
};

/// A committed datatype that its owner frees: a struct of the elements of all members, member by
/// member, each in the order of its signature, relative to the beginning of the memory of the bag. Its
/// extent is the size of the tuple's memory. For calls of MPI, `raw(b.data(), 1, type)`, views of files
/// and targets of windows. Throws `view_error` if lengths and steps exceed 64 bits, `mpi::error` if MPI
/// reports an error.
template <class Tuple, class Memory>
  requires layouts::detail::is_strided_tuple<Tuple>
[[nodiscard]] mpi::unique_datatype as_datatype(const layouts::tuple_bag<Tuple, Memory>& of) {
  return std::apply(
      [&]<class... Members>(const Members&... members) {
        const std::array<mpi::unique_datatype, sizeof...(Members)> made{
            as_datatype(layouts::detail::own_view(members, of.memory_of(members)))...};
        std::array<int, sizeof...(Members)> lengths{};
        std::array<mpi::datatype_handle, sizeof...(Members)> types{};
        for (std::size_t i = 0; i < made.size(); ++i) {
          lengths[i] = 1;
          types[i] = made[i];
        }
        const std::array<mpi::aint_t, sizeof...(Members)> places{
            detail::cast_to<mpi::aint_t>(static_cast<count_t>(members.root.offset))...};
        const mpi::unique_datatype fields(mpi::type_create_struct(
            std::span<const int>(lengths), std::span<const mpi::aint_t>(places),
            std::span<const mpi::datatype_handle>(types)));
        mpi::unique_datatype whole(mpi::type_create_resized(
            fields, 0, detail::cast_to<mpi::aint_t>(static_cast<count_t>(of.bytes()))));
        mpi::type_commit(whole);
        return whole;
      },
      of.members());
}
/// Of a bag without strides: an error that names the dimension.
template <auto Name, std::size_t A, class Size, class... Members, class Memory>
  requires(!(layouts::detail::is_view<Members> && ...))
[[nodiscard]] mpi::unique_datatype as_datatype(
    const layouts::tuple_bag<layouts::tuple_of<Name, A, Size, Members...>, Memory>&) {
  using verdict =
      layouts::detail::first_wrong_of<typename layouts::detail::view_verdict<Members>::type...>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return {};
}

}  // namespace mpiglot
