// The members for probe.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct probe_members {
  /// Waits for a message and returns its status, without receiving it.
  ///
  ///     const status found = comm.probe(source(0), tag(1));
  ///
  /// - Parameters: `source` (any); `tag` (any)
  /// - Result: probe: a status; mprobe: the message; iprobe and improbe: a std::optional of the
  ///   same, empty if there is no message yet
  /// - Messages: none
  /// - Allocates: nothing
  template <class... Parameters>
  [[gnu::always_inline]] auto probe(Parameters&&... parameters) const {
    using call = detail::call_on<operations::probe, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

template <class Self>
struct iprobe_members {
  /// Returns the status of a message if there is one, without receiving it.
  ///
  ///     if (auto found = comm.iprobe()) auto v = comm.recv<int>(source(found->source()));
  ///
  /// - Parameters: `source` (any); `tag` (any)
  /// - Result: probe: a status; mprobe: the message; iprobe and improbe: a std::optional of the
  ///   same, empty if there is no message yet
  /// - Messages: none
  /// - Allocates: nothing
  template <class... Parameters>
  [[gnu::always_inline]] auto iprobe(Parameters&&... parameters) const {
    using call = detail::call_on<operations::iprobe, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

template <class Self>
struct mprobe_members {
  /// Waits for a message and returns it, to be received through the returned object only.
  ///
  ///     auto v = comm.mprobe(source(0), tag(1)).recv(recv_buf(std::vector<int>()));
  ///
  /// - Parameters: `source` (any); `tag` (any)
  /// - Result: probe: a status; mprobe: the message; iprobe and improbe: a std::optional of the
  ///   same, empty if there is no message yet
  /// - Messages: none
  /// - Allocates: nothing
  template <class... Parameters>
  [[gnu::always_inline]] auto mprobe(Parameters&&... parameters) const {
    using call = detail::call_on<operations::mprobe, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

template <class Self>
struct improbe_members {
  /// Returns a message if there is one, to be received through the returned object only.
  ///
  ///     if (auto message = comm.improbe()) auto v = message->recv(recv_buf(std::vector<int>()));
  ///
  /// - Parameters: `source` (any); `tag` (any)
  /// - Result: probe: a status; mprobe: the message; iprobe and improbe: a std::optional of the
  ///   same, empty if there is no message yet
  /// - Messages: none
  /// - Allocates: nothing
  template <class... Parameters>
  [[gnu::always_inline]] auto improbe(Parameters&&... parameters) const {
    using call = detail::call_on<operations::improbe, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
