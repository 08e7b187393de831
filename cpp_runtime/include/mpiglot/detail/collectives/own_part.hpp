// The part that a rank sends to itself: where a view is involved, it is copied once, from its place to
// its place, and MPI does not see it.

#pragma once

#include <mpiglot/detail/collectives/common.hpp>
#include <mpiglot/detail/views/copying.hpp>

namespace mpiglot::detail {

/// The adapter of a view: what it packs can be copied elsewhere.
template <class Adapter>
concept copies_elements = requires(Adapter& adapter) {
  adapter.pack_later();
  requires noexcept(adapter.pack_now());
  requires noexcept(adapter.elements());
};
/// Whether what an adapter lends is an array of its elements.
template <class Adapter>
inline constexpr bool lends_array =
    copies_elements<Adapter> || requires { Adapter::ignores_parts; };

template <class Adapter>
inline constexpr std::size_t most_dimensions = 1;
template <copies_elements Adapter>
inline constexpr std::size_t most_dimensions<Adapter> =
    decltype(std::declval<Adapter&>().elements())::most;

/// Whether a part that a rank sends to itself is copied.
template <class Source, class Sink>
inline constexpr bool own_part_is_copied =
    (copies_elements<Source> || copies_elements<Sink>) && lends_array<Source> &&
    lends_array<Sink> && counts_elements<Source> && counts_elements<Sink> &&
    __is_same(typename Source::wire, typename Sink::wire);

/// Where the `n` elements are that an adapter has lent: those of a view lie elsewhere.
template <class Adapter>
[[nodiscard]] auto elements_behind(Adapter& adapter, [[maybe_unused]] const lent& memory,
                                   [[maybe_unused]] count_t n) {
  if constexpr (copies_elements<Adapter>)
    return adapter.elements();
  else
    return placed_elements<1>::array(memory.address, n,
                                     static_cast<count_t>(sizeof(typename Adapter::wire)));
}
/// What copies elements from what one adapter lends to what another does.
template <class Source, class Sink>
using copy_between =
    elements_copy<sizeof(typename Source::wire), most_dimensions<Source> + most_dimensions<Sink>>;

template <bool Copies, class Source, class Sink>
struct own_copy {};
template <class Source, class Sink>
struct own_copy<true, Source, Sink> : copy_between<Source, Sink> {};

/// Unpacks all parts that came but the one of index `own`.
template <class Adapter, class Layout>
void unpack_other_parts([[maybe_unused]] Adapter& adapter, [[maybe_unused]] const Layout& layout,
                        [[maybe_unused]] std::size_t own) {
  if constexpr (copies_elements<Adapter>) adapter.unpack_parts(layout, own);
}

}  // namespace mpiglot::detail
