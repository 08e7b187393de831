// Calls whose buffers are seen to have room before anything is done. They need nothing that deals
// with a failure, and are written without it; what does not fit takes the careful way.

#pragma once

#include <mpiglot/detail/arguments/parts_in.hpp>
#include <mpiglot/detail/arguments/sides.hpp>

namespace mpiglot::detail {

/// A buffer whose length is `std::size`, in the elements that MPI is told.
template <class Parameter, class Adapter>
inline constexpr bool counts_its_elements = false;
template <class Parameter, class Adapter>
  requires has_elements<typename Parameter::type>
inline constexpr bool counts_its_elements<Parameter, Adapter> =
    __is_same(typename Adapter::wire,
              std::remove_cv_t<element_t<std::remove_reference_t<typename Parameter::type>>>) &&
    Adapter::uniform && !Adapter::owning && !pack_fails<Adapter> &&
    !requires(Adapter& adapter) { adapter.limit(); };

template <class Arguments, class Key, class Adapter>
inline constexpr bool plain_side = false;
template <class Arguments, class Key, class Adapter>
  requires(Arguments::template has<Key>)
inline constexpr bool plain_side<Arguments, Key, Adapter> =
    counts_its_elements<parameter_of<Arguments, Key>, Adapter>;

/// What a call says of its lengths, read before it is performed.
struct said_lengths {
  std::size_t sent = 0;
  std::size_t room = 0;
  std::size_t send_count = 0;
  std::size_t recv_count = 0;
  int root = 0;

  template <class Parameter>
  [[gnu::always_inline]] constexpr void read([[maybe_unused]] const Parameter& given) noexcept {
    using key = typename Parameter::key;
    if constexpr (__is_same(key, keys::send_buf))
      sent = std::size(given.value);
    else if constexpr (__is_same(key, keys::recv_buf))
      room = std::size(given.value);
    else if constexpr (__is_same(key, keys::send_count))
      send_count = static_cast<std::size_t>(given.value);
    else if constexpr (__is_same(key, keys::recv_count))
      recv_count = static_cast<std::size_t>(given.value);
    else if constexpr (__is_same(key, keys::root))
      root = static_cast<int>(given.value);
  }
  template <class... Parameters>
  [[nodiscard, gnu::always_inline]] static constexpr said_lengths of(
      const Parameters&... given) noexcept {
    said_lengths all;
    (all.read(given), ...);
    return all;
  }
};

/// Arrays of counts and displacements, read before a call is performed.
template <class Counts, class Places>
struct said_parts {
  const int* counts = nullptr;
  const int* places = nullptr;
  std::size_t size = 0;
  std::size_t placed = 0;

  template <class Parameter>
  [[gnu::always_inline]] constexpr void read([[maybe_unused]] const Parameter& given) noexcept {
    using key = typename Parameter::key;
    if constexpr (__is_same(key, Counts)) {
      counts = std::data(given.value);
      size = std::size(given.value);
    } else if constexpr (__is_same(key, Places)) {
      places = std::data(given.value);
      placed = std::size(given.value);
    }
  }
  template <class... Parameters>
  [[nodiscard, gnu::always_inline]] static constexpr said_parts of(
      const Parameters&... given) noexcept {
    said_parts all;
    (all.read(given), ...);
    return all;
  }
  /// Whether there is one for each rank, and all lie in a buffer of so many elements.
  [[nodiscard, gnu::always_inline]] bool lie_in(int ranks, std::size_t room) const noexcept {
    const auto parts = static_cast<std::size_t>(ranks);
    return size == parts && placed == parts && parts_lie_in(counts, places, parts, room);
  }
  [[nodiscard, gnu::always_inline]] std::size_t count(int rank) const noexcept {
    return static_cast<std::size_t>(counts[rank]);
  }
};

/// Whether `ranks` parts of so many elements fit; no more elements than memory can hold.
[[nodiscard, gnu::always_inline]] constexpr bool parts_fit(std::size_t each, int ranks,
                                                           std::size_t room) noexcept {
  std::size_t all = 0;
  if (__builtin_mul_overflow(each, static_cast<unsigned>(ranks), &all)) [[unlikely]]
    return false;
  return all <= room;
}

/// The adapter that is enough for a buffer that it fits, and the one for all others.
template <class Adapter>
struct adapters_by_fit {
  static constexpr bool differ = false;
  using fitting = Adapter;
  using unfit = Adapter;
};
template <class Adapter>
  requires requires { Adapter::by_fit::differ; }
struct adapters_by_fit<Adapter> : Adapter::by_fit {};

/// Whether such an adapter fits the parameter of that name.
template <class Adapter, class Key, class... Parameters>
[[nodiscard, gnu::always_inline]] inline bool fits_parameter(const Parameters&... given) noexcept {
  const auto fits = [](const auto& parameter) noexcept {
    if constexpr (__is_same(typename std::remove_cvref_t<decltype(parameter)>::key, Key))
      return Adapter::fits(parameter.value);
    else
      return true;
  };
  return (fits(given) && ...);
}

/// The same sink with another adapter.
template <class Sink, class Adapter>
struct sink_with : Sink {
  using adapter = Adapter;

  template <class Arguments, class Source>
  [[nodiscard]] static adapter open(Arguments& given, Source&) {
    return detail::open<adapter>(given.template get<recv_key<Arguments>>());
  }
};

}  // namespace mpiglot::detail
