// The root's buffer on all ranks: bcast.

#pragma once

#include <mpiglot/detail/collectives/common.hpp>
#include <mpiglot/detail/merged.hpp>

namespace mpiglot::detail {

template <class Operation, class Arguments>
struct broadcasting : defaults {
  using parameter = parameter_of<Arguments, keys::send_recv_buf>;
  using buffer_type =
      std::conditional_t<Operation::single, plain_t<typename parameter::type>,
                         typename parameter::type>;
  using port = mpiglot::port<buffer_type, form::block, parameter::policy>;
  struct sink {
    using port = mpiglot::port<buffer_type, form::block, parameter::policy>;
    static port open(Arguments& given, Arguments&) {
      auto& value = given.template get<keys::send_recv_buf>().value;
      if constexpr (__is_same(buffer_type, typename parameter::type))
        return port(static_cast<buffer_type&&>(value));
      else
        return port(buffer_type(value));
    }
  };

  static constexpr const char* name = Operation::name;
  static constexpr bool counted = Arguments::template has<keys::send_recv_count>;
  static constexpr bool one_call = port::fixed || counted;
  static constexpr bool decodes =
      requires(port& p, const std::byte* from) { p.unpack_from(from, count_t{}); };
  static constexpr bool apart = !one_call;
  static constexpr bool movable = port::movable;
  using failure_type =
      failure_if<pack_fails<port> || ((counted || !one_call) && place_fails<port>)>;

  broadcasting(const group_view& on, Arguments&& given)
      : group(on),
        arguments(static_cast<Arguments&&>(given)),
        data(arguments, arguments),
        root(arguments.template value_or<keys::root>(0)) {}

  [[nodiscard]] bool at_root() const noexcept { return group.rank == root; }

  void prepare() {
    if constexpr (checked<Arguments, checks::normal>) require_rank(root, group.size);
    if constexpr (checked<Arguments, checks::communication>)
      require_agreement(group, root, agreed_length(), "ranks give different roots or lengths");
    if (at_root()) pack();
    if constexpr (counted)
      data.place(failure, length = arguments.template get<keys::send_recv_count>().value);
    else if constexpr (one_call)
      length = data.room();
  }
  // What all ranks must give alike; a length that travels need not be.
  [[nodiscard]] count_t agreed_length() {
    if constexpr (counted)
      return arguments.template get<keys::send_recv_count>().value;
    else if constexpr (one_call)
      return data.room();
    else
      return 0;
  }
  void pack() {
    if constexpr (pack_fails<port>)
      failure.attempt([this] { data.buffer().pack(); });
    else
      data.buffer().pack();
  }
  bool agree(int& code) {
    length = !at_root() ? 0 : failure.any() ? poison : data.buffer().length();
    if constexpr (!Arguments::template has<keys::lengths_first>) return agree_merged(code);
    now{code}(mpi::forms::bcast(), &length, count_t{1}, mpi::count_, root, group.comm);
    if (code != MPI_SUCCESS || length == poison) [[unlikely]] return false;
    if (!at_root()) data.place(failure, length);
    return true;
  }
  bool agree_merged(int& code) {
    using wire = typename port::wire;
    const auto told =
        merged::bcast<wire>(learned_in(group), group.comm, at_root(), root, length,
                            at_root() && length > 0 ? lend() : lent{});
    code = told.code;
    if (code != MPI_SUCCESS || length == poison) [[unlikely]] return false;
    if constexpr (decodes) {
      if (told.complete) [[likely]] {
        arrived = told.received.payload(0);
        return false;
      }
    }
    if (!at_root()) data.place(failure, length);
    if (!told.complete) return true;
    if (!at_root())
      code = merged::unpack<wire>(told.received.payload(0), lend(), length, group.comm).code;
    return false;
  }
  [[nodiscard]] lent lend() {
    return as_told<keys::send_recv_count, keys::send_recv_type>(
        arguments,
        at_root() && !counted ? data.buffer().out() : data.in(failure, arguments, length));
  }
  void call(auto io) {
    const lent memory = lend();
    io(typename Operation::calls(), memory.address, memory.count, memory.type, root, group.comm);
  }
  void finish() {
    failure.rethrow();
    if constexpr (!one_call)
      if (length == poison) [[unlikely]] tell_remote_failure(root);
    if (at_root()) return;
    if constexpr (decodes)
      if (arrived != nullptr) return data.buffer().unpack_from(arrived, length);
    if constexpr (port::learns_length) data.buffer().unpack(length);
  }
  auto results() { return detail::results<keys::send_recv_buf>(data, arguments); }

  group_view group;
  Arguments arguments;
  [[no_unique_address]] failure_type failure;
  receiver<sink, Arguments, failure_type> data;
  int root;
  count_t length = 0;
  const std::byte* arrived = nullptr;  // what the buffer decodes, if not its own memory
};

}  // namespace mpiglot::detail
