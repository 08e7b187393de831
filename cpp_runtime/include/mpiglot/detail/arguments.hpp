// The arguments of one call: looking parameters up by name, and building the result from them.

#pragma once

#include <cstdio>

#include <mpiglot/detail/guarded.hpp>
#include <mpiglot/detail/last_words.hpp>
#include <mpiglot/detail/parts.hpp>
#include <mpiglot/result.hpp>

namespace mpiglot::detail {

template <class... Keys>
struct names {
  template <class Key>
  static constexpr bool contain = (std::is_same_v<Keys, Key> || ...);
};

template <class Key, class T, resize_policy P>
[[nodiscard]] parameter<Key, T, P>& find(parameter<Key, T, P>& given) noexcept {
  return given;
}

/// All arguments of a call; each is a base, found by its key.
template <class... Parameters>
struct arguments : Parameters... {
  template <class Key>
  static constexpr bool has = (std::is_same_v<typename Parameters::key, Key> || ...);

  template <class Key>
  [[nodiscard]] auto& get() noexcept {
    return find<Key>(*this);
  }

  /// The scalar of that name, or a default.
  template <class Key, class T>
  [[nodiscard]] T value_or(T otherwise) noexcept {
    if constexpr (has<Key>)
      return get<Key>().value;
    else
      return otherwise;
  }
};

template <class Arguments, class Key>
using parameter_of =
    std::remove_reference_t<decltype(std::declval<Arguments&>().template get<Key>())>;

/// The parameter that holds the send buffer, under whichever of its two names.
template <class Arguments>
using send_key =
    std::conditional_t<Arguments::template has<keys::send_buf_out>, keys::send_buf_out,
                       keys::send_buf>;

template <class Parameter, form Form>
using port_of = port<typename Parameter::type, Form, Parameter::policy>;

template <class Arguments, form Form>
using source_of = port_of<parameter_of<Arguments, send_key<Arguments>>, Form>;

template <class Port, class Parameter>
[[nodiscard]] Port open(Parameter& given) {
  return Port(static_cast<typename Parameter::type&&>(given.value));
}

/// The port that an operation receives by: what the program gives as `recv_buf`, else a `Default`,
/// which is part of the result.
template <class Arguments, class Default, form Form>
struct sink_of {
  using type = port<Default, Form, resize_to_fit>;
  template <bool Fails>
  using held = guarded<type, Fails>;

  // A default that is bounded takes the limit of what it stands for.
  template <bool Fails = true, class Source>
  [[nodiscard]] static held<Fails> open(Arguments&, const Source& source) {
    if constexpr (requires { source.limit(); })
      return held<Fails>(Default{{}, source.limit()});
    else
      return held<Fails>(Default{});
  }
};

template <class Arguments, class Default, form Form>
  requires(Arguments::template has<keys::recv_buf>)
struct sink_of<Arguments, Default, Form> {
  using type = port_of<parameter_of<Arguments, keys::recv_buf>, Form>;
  template <bool Fails>
  using held = guarded<type, Fails>;

  template <bool Fails = true, class Source>
  [[nodiscard]] static held<Fails> open(Arguments& given, const Source&) {
    return detail::open<held<Fails>>(given.template get<keys::recv_buf>());
  }
};

/// How an operation holds counts and displacements that may be given as `CountsKey`, `DisplsKey`.
/// `given`: the program gives them; `complete`: it does not give half of them.
template <class Arguments, class CountsKey, class DisplsKey>
struct parts_of {
  static constexpr bool given = Arguments::template has<CountsKey>;
  static constexpr bool complete = given || !Arguments::template has<DisplsKey>;

  template <class Key>
  [[nodiscard]] static auto&& array(Arguments& arguments) {
    if constexpr (Arguments::template has<Key>) {
      using array_type = typename parameter_of<Arguments, Key>::type;
      return static_cast<array_type&&>(arguments.template get<Key>().value);
    } else {
      static absent none;
      return static_cast<absent&&>(none);
    }
  }

  template <class Key>
  struct held {
    using type = absent;
  };
  template <class Key>
    requires(Arguments::template has<Key>)
  struct held<Key> {
    using type = typename parameter_of<Arguments, Key>::type;
  };
  using counts = typename held<CountsKey>::type;
  using displacements = typename held<DisplsKey>::type;

  [[nodiscard]] static auto open(Arguments& arguments, int size) {
    if constexpr (!given)
      return parts(static_cast<std::size_t>(size));
    else if constexpr (lendable<counts, displacements>)
      return given_parts<counts, displacements>(array<CountsKey>(arguments),
                                                array<DisplsKey>(arguments));
    else
      return copied_parts<displacements>(array<CountsKey>(arguments), array<DisplsKey>(arguments));
  }
  using type = decltype(open(std::declval<Arguments&>(), 0));
};

/// Ends the job: a rank cannot take part in a collective, and the others would wait for it.
[[noreturn, gnu::cold, gnu::noinline]] inline void end_job(const char* reason) {
  std::fprintf(stderr, "mpiglot: %s\n", reason);
  abort_job(MPI_ERR_COUNT);
  __builtin_trap();
}

/// Whether making room for known parts is more than trusting what the program says about its buffer
/// (a scan over displacements that it gives is left to a higher assertion level).
template <class Parts, class Sink>
inline constexpr bool places_known = true;
template <class Parts, class Sink>
  requires(requires { Parts::computes; })
inline constexpr bool places_known<Parts, Sink> = !Sink::fixed || Parts::computes;

/// Lays out parts that are known without a message, and makes room for them. Arrays of a wrong size
/// end the job if others would wait: MPI cannot be told anything that fits what they do.
template <class Parts, class Source, class Sink>
void lay_out_known(Parts& table, int ranks, const Source& source, Sink& sink) {
  if constexpr (std::is_same_v<Parts, parts>) {
    for (std::size_t i = 0; i < table.size(); ++i) table.set_length(i, source.length());
    sink.place(table.lay_out());
  } else {
    if (!table.are_for(static_cast<std::size_t>(ranks))) [[unlikely]] {
      if (ranks > 1) end_job("counts and displacements need one element for each rank");
      detail::refuse_counts("counts and displacements need one element for each rank");
    }
    table.lay_out();
    if constexpr (places_known<Parts, Sink>) sink.place(table.extent());
  }
}

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
template <class Arguments, class Parts>
void deliver_parts(Arguments& arguments, const Parts& parts) {
  deliver<keys::recv_counts_out>(arguments, parts.size(),
                                 [&](std::size_t i) { return parts.length(i); });
  deliver<keys::recv_displs_out>(arguments, parts.size(),
                                 [&](std::size_t i) { return parts.displacement(i); });
}

// The result: fields are collected in their order.

template <class Key>
inline constexpr bool is_asked_for =
    names<keys::recv_counts_out, keys::recv_displs_out, keys::recv_count_out,
          keys::status_out>::contain<Key>;

/// Collects what an operation gives back: `buffers` first, then what was asked for.
template <class... Fields>
[[nodiscard]] auto finish_result(Fields&&... values) {
  if constexpr (sizeof...(Fields) == 0)
    return;
  else if constexpr (sizeof...(Fields) == 1)
    return (static_cast<typename Fields::type&&>(values.value), ...);
  else
    return result<Fields...>{static_cast<Fields&&>(values)...};
}

template <class... Parameters, class... Fields>
[[nodiscard]] auto collect(arguments<>*, arguments<Parameters...>&, Fields&&... values) {
  return finish_result(static_cast<Fields&&>(values)...);
}

template <class First, class... Rest, class... Parameters, class... Fields>
[[nodiscard]] auto collect(arguments<First, Rest...>*, arguments<Parameters...>& from,
                           Fields&&... values) {
  using key = typename First::key;
  constexpr arguments<Rest...>* rest = nullptr;
  if constexpr (is_asked_for<key> && !std::is_reference_v<typename First::type>)
    return collect(rest, from, static_cast<Fields&&>(values)...,
                   field<key, typename First::type>{
                       static_cast<typename First::type&&>(from.template get<key>().value)});
  else
    return collect(rest, from, static_cast<Fields&&>(values)...);
}

/// The result of an operation: `port`'s buffer if it owns it, then what was asked for.
template <class Key, class Port, class... Parameters>
[[nodiscard]] auto results(Port& port, arguments<Parameters...>& from) {
  constexpr arguments<Parameters...>* all = nullptr;
  if constexpr (Port::owning)
    return collect(all, from, field<Key, decltype(port.take())>{port.take()});
  else
    return collect(all, from);
}

/// The same with a send buffer that may have to come back.
template <class SinkKey, class Sink, class Source, class... Parameters>
[[nodiscard]] auto results(Sink& sink, Source& source, arguments<Parameters...>& from) {
  constexpr arguments<Parameters...>* all = nullptr;
  if constexpr (arguments<Parameters...>::template has<keys::send_buf_out> && Source::owning) {
    using sent = field<keys::send_buf_out, decltype(source.take())>;
    if constexpr (Sink::owning)
      return collect(all, from, field<SinkKey, decltype(sink.take())>{sink.take()},
                     sent{source.take()});
    else
      return collect(all, from, sent{source.take()});
  } else {
    return results<SinkKey>(sink, from);
  }
}

}  // namespace mpiglot::detail
