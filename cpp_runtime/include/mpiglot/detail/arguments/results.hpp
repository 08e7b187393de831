// What an operation gives back, and what it writes into parameters that ask for something.

#pragma once

#include <mpiglot/detail/arguments/names.hpp>
#include <mpiglot/detail/arguments/layout.hpp>
#include <mpiglot/result.hpp>

namespace mpiglot::detail {

/// Writes an array that the program asked for into its parameter.
template <class Key, class Arguments, class At>
void deliver(Arguments& arguments, std::size_t size, At at) {
  if constexpr (Arguments::template has<Key>) {
    using given = parameter_of<Arguments, Key>;
    using array = typename given::type;
    auto& to = arguments.template get<Key>().value;
    using integer = std::remove_cvref_t<decltype(*std::data(to))>;
    constexpr resize_policy policy = resolved(given::policy, !std::is_reference_v<array>);
    if constexpr (policy != no_resize) {
      if (std::size(to) < size || policy == resize_to_fit) to.resize(size);
    } else {
      require_room(static_cast<count_t>(std::size(to)), static_cast<count_t>(size));
    }
    for (std::size_t i = 0; i < size; ++i) {
      const count_t value = at(i);
      if (!mpi::detail::fits<integer>(value)) [[unlikely]]
        detail::refuse_counts("a count does not fit the array that asks for it");
      std::data(to)[i] = static_cast<integer>(value);
    }
  }
}

/// Writes the counts and displacements that the program asked for.
template <class CountsKey, class DisplsKey, class Arguments, class Layout>
void deliver_layout(Arguments& arguments, const Layout& layout) {
  deliver<CountsKey>(arguments, layout.size(), [&](std::size_t i) { return layout.length(i); });
  deliver<DisplsKey>(arguments, layout.size(),
                     [&](std::size_t i) { return layout.displacement(i); });
}

/// Writes one number that the program asked for.
template <class Key, class Arguments>
void deliver_count(Arguments& arguments, count_t n) noexcept {
  if constexpr (Arguments::template has<Key>) arguments.template get<Key>().value = n;
}

/// Whether a parameter asks for something: it is part of the result unless it borrows.
template <class Key>
inline constexpr bool is_asked_for = requires { Key::is_asked_for; };

// The result: fields are collected in their order.

template <class... Fields>
[[nodiscard]] constexpr auto finish_result(Fields&&... values) {
  if constexpr (sizeof...(Fields) == 0)
    return;
  else if constexpr (sizeof...(Fields) == 1)
    return (static_cast<typename Fields::type&&>(values.value), ...);
  else
    return result<Fields...>{static_cast<Fields&&>(values)...,
                             extraction_for<Fields, result<Fields...>>()...};
}

template <class All, class... Fields>
[[nodiscard]] constexpr auto collect(arguments<>*, All&, Fields&&... values) {
  return finish_result(static_cast<Fields&&>(values)...);
}

template <class First, class... Rest, class All, class... Fields>
[[nodiscard]] constexpr auto collect(arguments<First, Rest...>*, All& from, Fields&&... values) {
  using key = typename First::key;
  constexpr arguments<Rest...>* rest = nullptr;
  if constexpr (is_asked_for<key> && !std::is_reference_v<typename First::type>)
    return collect(rest, from, static_cast<Fields&&>(values)...,
                   field<key, typename First::type>{
                       static_cast<typename First::type&&>(from.template get<key>().value)});
  else
    return collect(rest, from, static_cast<Fields&&>(values)...);
}

template <class... Parameters>
inline constexpr bool asks_for_nothing =
    !((is_asked_for<typename Parameters::key> && !std::is_reference_v<typename Parameters::type>) ||
      ...);

/// `fields`, then what was asked for.
template <class... Parameters, class... Fields>
[[nodiscard]] constexpr auto results_with(arguments<Parameters...>& from, Fields&&... fields) {
  constexpr arguments<Parameters...>* all = nullptr;
  if constexpr (asks_for_nothing<Parameters...>)
    return finish_result(static_cast<Fields&&>(fields)...);
  else
    return collect(all, from, static_cast<Fields&&>(fields)...);
}

/// The result of an operation: `buffer_adapter`'s buffer if it owns it, then what was asked for.
template <class Key, class Adapter, class... Parameters>
[[nodiscard]] constexpr auto results(Adapter& adapter, arguments<Parameters...>& from) {
  if constexpr (Adapter::owning)
    return results_with(from, field<Key, decltype(adapter.take())>{adapter.take()});
  else
    return results_with(from);
}

/// The same with a send buffer that may have to come back.
template <class SinkKey, class Sink, class Source, class... Parameters>
[[nodiscard]] constexpr auto results(Sink& sink, Source& source, arguments<Parameters...>& from) {
  if constexpr (arguments<Parameters...>::template has<keys::send_buf_out>) {
    if constexpr (Source::owning) {
      using sent = field<keys::send_buf_out, decltype(source.take())>;
      if constexpr (Sink::owning)
        return results_with(from, field<SinkKey, decltype(sink.take())>{sink.take()},
                            sent{source.take()});
      else
        return results_with(from, sent{source.take()});
    } else {
      return results<SinkKey>(sink, from);
    }
  } else {
    return results<SinkKey>(sink, from);
  }
}

}  // namespace mpiglot::detail
