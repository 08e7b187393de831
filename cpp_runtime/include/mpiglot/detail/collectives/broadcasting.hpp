// The root's buffer on all ranks: bcast.

#pragma once

#include <mpiglot/detail/collectives/common.hpp>
#include <mpiglot/detail/merged/bcast_bytes.hpp>
#include <mpiglot/mpi/calls/allreduce.hpp>
#include <mpiglot/mpi/calls/bcast.hpp>

namespace mpiglot::wrong_call {
template <class Parameter, class Operation>
struct value_is_borrowed_move_it_in_or_use_bcast {};
}  // namespace mpiglot::wrong_call

namespace mpiglot::detail {

template <class Buffer>
struct without_limit {
  using type = Buffer;
};
template <class Buffer>
  requires(has_a_limit<plain_t<Buffer>>)
struct without_limit<Buffer> : wrapped<plain_t<Buffer>> {};

/// `Fits`: what the program says of the length has been looked at and is right.
template <class Operation, class Arguments, bool Fits = false>
struct broadcasting : defaults {
  using parameter = parameter_of<Arguments, keys::send_recv_buf>;
  /// The buffer, without the bound that it may have.
  using unlimited = typename without_limit<typename parameter::type>::type;
  static constexpr bool no_value =
      Operation::single && (std::is_array_v<plain_t<unlimited>> || view<unlimited> ||
                            !std::is_constructible_v<plain_t<unlimited>, unlimited>);
  using buffer_type =
      std::conditional_t<Operation::single && !no_value, plain_t<typename parameter::type>,
                         typename parameter::type>;
  using adapter_type =
      mpiglot::buffer_adapter<buffer_type, form_of_bcast<buffer_type>, parameter::policy>;
  using complaint = std::conditional_t<
      no_value, wrong_call::buffer_is_no_single_value<keys::send_recv_buf, Operation>,
      std::conditional_t<
          Operation::single && !adapter_type::writable,
          wrong_call::buffer_to_receive_into_is_const<keys::send_recv_buf, Operation>,
          std::conditional_t<
              Operation::single && !adapter_type::owning,
              wrong_call::value_is_borrowed_move_it_in_or_use_bcast<keys::send_recv_buf, Operation>,
              nothing_wrong>>>;
  static constexpr form how = form_of_bcast<buffer_type>;
  using adapter = mpiglot::buffer_adapter<buffer_type, how, parameter::policy>;
  struct sink {
    using adapter = mpiglot::buffer_adapter<buffer_type, how, parameter::policy>;
    static adapter open(Arguments& given, Arguments&) {
      auto& value = given.template get<keys::send_recv_buf>().value;
      if constexpr (__is_same(buffer_type, typename parameter::type))
        return adapter(static_cast<buffer_type&&>(value));
      else
        return adapter(buffer_type(value));
    }
  };

  static constexpr const char* name = Operation::name;
  static constexpr bool rooted = true;
  static constexpr bool counted = Arguments::template has<keys::send_recv_count>;
  static constexpr bool one_call = adapter::fixed || counted;
  /// A buffer that cannot change its length has one, which may not be the root's: the blocking form
  /// sends it along. Elements that MPI is told at run time are the program's own business.
  static constexpr bool compares_lengths = adapter::fixed && !adapter::agreed && !counted &&
                                           !Arguments::template has<keys::send_recv_type> &&
                                           !std::is_void_v<typename elements_of<adapter>::type>;
  /// Whether a rank looks for a message that is shorter than it expects, where no length travels.
  static constexpr bool looks_at_end = one_call && checks_end<Arguments, buffer_type, adapter>;
  /// Whether the length travels together with a small payload, if it does.
  static constexpr bool merges = !Arguments::template has<keys::lengths_first>;
  /// Whether the root's bytes are written into the message and read from it where they lie.
  static constexpr bool travels_as_bytes =
      !one_call && merges && requires(adapter& p, bytes& to, const std::byte* from) {
        p.pack_behind(to);
        p.unpack_from(from, count_t{});
      };
  static constexpr bool apart = !one_call || compares_lengths;
  static constexpr bool asks = asks_itself<Arguments>;
  static constexpr bool looks = looks_at_given<Arguments, buffer_type, adapter>;
  /// The same where nothing can fail any more, and when that is so.
  using fitting = broadcasting<Operation, Arguments, true>;
  static constexpr bool may_fit = counted && adapter::fixed && adapter::uniform &&
                                  !adapter::owning && !pack_fails<adapter> && !has_limit<adapter> &&
                                  has_elements<typename parameter::type>;
  template <class Io = now>
  [[nodiscard]] static bool fits(const group_view&, const auto&... parameters) noexcept {
    std::size_t room = 0;
    std::size_t count = 0;
    (read(parameters, room, count), ...);
    return fits_in < looks && Io::blocking, typename adapter::wire > (count, room);
  }
  static constexpr bool movable = adapter::movable;
  using failure_type =
      failure_if<!Fits && (pack_fails<adapter> || counted || !one_call || compares_lengths)>;

  broadcasting(const group_view& on, Arguments&& given)
      : group(on),
        compares(on),
        arguments(static_cast<Arguments&&>(given)),
        data(arguments, arguments),
        root(arguments.template value_or<keys::root>(0)) {}

  template <class Parameter>
  static void read([[maybe_unused]] const Parameter& given, [[maybe_unused]] std::size_t& room,
                   [[maybe_unused]] std::size_t& count) noexcept {
    if constexpr (__is_same(typename Parameter::key, keys::send_recv_buf))
      room = std::size(given.value);
    else if constexpr (__is_same(typename Parameter::key, keys::send_recv_count))
      count = static_cast<std::size_t>(given.value);
  }
  [[nodiscard]] bool at_root() const noexcept { return group.rank == root; }

  static constexpr const char* what_differs = "ranks give different roots or lengths";
  template <class Io = now>
  void prepare() {
    if constexpr (compares_type::possible)
      if (compares.now) [[unlikely]]
        require_agreement_of<Io, Operation>(
            *this, data, data, root,
            given_type<Arguments, adapter, keys::send_recv_type> ? any_length : agreed_length(),
            weight_of<Arguments, keys::send_recv_type>(arguments, data.buffer(), agreed_length()));
    if constexpr (checked<Arguments, checks::normal>) require_rank(root, group.size);
    if (at_root() && !travels_as_bytes) pack();
    if (!at_root() && !lengths_travel) data.reserve(failure);
    if constexpr (Fits)
      length = arguments.template get<keys::send_recv_count>().value;
    else if constexpr (counted)
      place_counted();
    else if constexpr (one_call)
      length = data.room();
  }
  void place_counted() {
    length = meant<typename adapter::wire>(
        failure, arguments.template get<keys::send_recv_count>().value, data.room());
    data.place(failure, length);
  }
  // What all ranks must give alike, except who takes what it is told.
  [[nodiscard]] count_t agreed_length() {
    if constexpr (counted)
      return arguments.template get<keys::send_recv_count>().value;
    else if constexpr (one_call)
      return data.room();
    else if constexpr (has_elements<buffer_type> && !is_encoded<adapter>)
      return at_root() ? data.buffer().length() : any_length;
    else
      return any_length;
  }
  void pack() {
    if constexpr (pack_fails<adapter>)
      failure.attempt([this] { data.buffer().pack(); });
    else
      data.buffer().pack();
  }
  bool agree(int& code) {
    if constexpr (travels_as_bytes) {
      exchange_bytes(code);
      return false;
    }
    length = !at_root() ? 0 : failure.any() ? poison : data.buffer().length();
    if constexpr (merges) return agree_merged(code);
    count_t word = at_root() ? mark_first(marked(length)) : nobody;
    now{code}(mpi::calls::bcast(), &word, count_t{1}, count_type(), root, group.comm);
    if (code != MPI_SUCCESS) [[unlikely]] {
      refuse_data(code, !at_root() && word != nobody);
      return false;
    }
    length = unmarked(mark_first(word));
    if (length == poison) [[unlikely]]
      return false;
    if (is_long() && !all_have_memory(code)) [[unlikely]]
      return false;
    if (!at_root()) place_told();
    return true;
  }
  /// MPICH packs what is described by a datatype, so a rank without memory cannot take part in a long
  /// bcast. All ranks know its length by now, and ask each other first.
  [[nodiscard]] bool is_long() const noexcept { return length >= count_t{1} << 20; }
  [[nodiscard, gnu::cold, gnu::noinline]] bool all_have_memory(int& code) {
    const bool lacks = lacks_memory(data.buffer());
    const bool well = none_lacks(lacks, code);
    if (lacks && code == MPI_SUCCESS) refuse_memory();
    return well;
  }
  /// All ranks tell each other whether they can take part in what follows.
  [[nodiscard, gnu::cold, gnu::noinline]] bool none_lacks(bool lacks, int& code) {
    const count_t mine = lacks ? group.rank : group.size;
    count_t first = 0;
    now{code}(mpi::calls::allreduce(), &mine, &first, count_t{1}, count_type(),
              mpi::op_handle{MPI_MIN}, group.comm);
    if (code != MPI_SUCCESS || first == group.size) return code == MPI_SUCCESS;
    length = poison;
    lacking = static_cast<int>(first);
    return false;
  }
  void place_told() {
    data.place(failure, length);
    if constexpr (compares_lengths)
      if (length < data.room()) [[unlikely]]
        failure.attempt([] {
          refuse_counts(
              "send_recv_buf is longer than the root's; give send_recv_count or a std::vector "
              "with resize_to_fit");
        });
  }
  // In memory that the communicator keeps, but while it is used here.
  void exchange_bytes(int& code) {
    learned& known = learned_in(group);
    message = static_cast<bytes&&>(known.slots);
    typename adapter::runs_apart runs;
    merged::told_bytes told{};
    bool streamed = false;
    if (at_root()) {
      message.resize_to_take_part(merged::length_room);
      failure.attempt([&] {
        if constexpr (adapter::streams) {
          const std::uint64_t size =
              data.buffer().stream_behind(message, runs, mover(code), [&]() -> std::uint64_t {
                streamed = true;
                runs.tell(message);
                told = tell_bytes(known, {!runs.empty(), true});
                code = told.code;
                mpi::detail::check(code, "MPI_Bcast");
                return runs.bytes_of_all();
              });
          if (streamed) told.length = static_cast<count_t>(size);
        } else {
          data.buffer().pack_behind(message);
        }
        if (!streamed && !runs.empty()) [[unlikely]]
          runs.tell(message);
      });
    }
    if (!streamed) told = tell_bytes(known, {!runs.empty(), false});
    code = told.code;
    length = told.length;
    arrived = told.payload;
    if ((told.follow.runs || told.follow.pieces) && code == MPI_SUCCESS) [[unlikely]]
      exchange_rest(runs, told.follow, code);
  }
  [[nodiscard]] merged::told_bytes tell_bytes(learned& known, merged::following what) {
    return merged::bcast_bytes(known.bcast, group.comm, at_root(), root, message, failure.any(),
                               what);
  }
  /// Moves a message of the root's.
  [[nodiscard]] auto mover(int& code) const {
    return [&code, from = root, comm = group.comm](void* at, std::size_t size) {
      code = mpi::calls::bcast::now(at, static_cast<count_t>(size), mpi::datatype_handle{MPI_BYTE},
                                    from, comm);
      mpi::detail::check(code, "MPI_Bcast");
    };
  }
  template <class Runs>
  [[gnu::cold, gnu::noinline]] void exchange_rest(Runs& runs, merged::following what, int& code) {
    if (!at_root()) {
      const std::byte* const from = arrived;
      arrived = nullptr;
      std::size_t size = 0;
      failure.attempt([&] { size = runs.learn(from, static_cast<std::size_t>(length)); });
      if (what.pieces)
        length = static_cast<count_t>(
            data.buffer().unpack_pieces(mover(code), root, message, {from, size}, runs, failure));
      else if (!failure.any())
        failure.attempt([&] { data.buffer().unpack_from(from, size, runs); });
    }
    if (!what.pieces) length -= static_cast<count_t>(runs.told_in());
    if (what.runs && code == MPI_SUCCESS) exchange_runs(runs, code);
    if (!at_root() && (code != MPI_SUCCESS || length == poison || failure.any()))
      data.buffer().empty();
  }
  /// MPIs before version 4 count no more than 2^31 bytes.
  static constexpr std::size_t most_at_once = std::size_t{1} << 30;
  /// Long runs go from where they lie to where they go, after all ranks have made places for them.
  template <class Runs>
  void exchange_runs(Runs& runs, int& code) {
    if (!none_lacks(failure.any(), code)) return;
    for (const auto& run : runs)
      for (std::size_t at = 0; at < run.size && code == MPI_SUCCESS; at += most_at_once) {
        const std::size_t left = run.size - at;
        const auto now = static_cast<count_t>(left < most_at_once ? left : most_at_once);
        code = mpi::calls::bcast::now(run.at + at, now, mpi::datatype_handle{MPI_BYTE}, root,
                                      group.comm);
      }
    length += static_cast<count_t>(runs.bytes_of_all());
  }
  bool agree_merged(int& code) {
    using wire = typename adapter::wire;
    learned& known = learned_in(group);
    const lent sent = length > 0 ? lend() : lent{};
    const auto told =
        merged::bcast(known, group.comm, at_root(), root, merged::payload::of<wire>(sent, length));
    code = told.code;
    length = told.length;
    if (code != MPI_SUCCESS || length == poison) [[unlikely]]
      return false;
    if (is_long() && !all_have_memory(code)) [[unlikely]]
      return false;
    if (!at_root()) place_told();
    if (told.complete()) {
      if (!at_root())
        code =
            merged::unpack<wire>(known.slots.data() + slot_header, lend(), length, group.comm).code;
      return false;
    }
    if (told.begun() == 0) return true;
    code = merged::end_bcast<wire>(told, known, group.comm, at_root(), root, lend());
    return false;
  }
  [[nodiscard]] lent lend() {
    if (lacks_memory(data.buffer())) [[unlikely]]
      return zeros();
    lent memory = at_root() && !counted ? data.buffer().out() : data.in(failure, arguments, length);
    if constexpr (Arguments::template has<keys::send_recv_type>)
      memory.type = arguments.template get<keys::send_recv_type>().value;
    return memory;
  }
  [[nodiscard]] lent zeros() {
    using wire = typename adapter::wire;
    const auto made = failure.stand_in(static_cast<std::size_t>(length), sizeof(wire),
                                       datatype_of<wire>(), stand_in_byte<adapter>);
    return {made.address, length, made.type};
  }
  MPIGLOT_INLINED void call(auto io) {
    const lent memory = lend();
    if constexpr (looks_at_end)
      if (io.starts && !at_root() && !failure.any() && !is_described(data.buffer()))
        end.template write<decltype(io)>(memory, sizeof(typename adapter::wire), group);
    io(typename Operation::calls(), memory.address, lone(memory.count), memory.type, root,
       group.comm);
    if constexpr (Fits && looks && decltype(io)::blocking) {
      if (io.code == MPI_SUCCESS) [[likely]]
        io.code =
            look_at_given(arguments.template get<keys::send_recv_buf>().value, slot_mark::bcast);
    } else if constexpr (counted && checks_data<decltype(io), Arguments, buffer_type, adapter>) {
      if (io.code == MPI_SUCCESS && !is_described(data.buffer()) &&
          reaches<Arguments, buffer_type>(memory.address))
        merged::require_data<typename adapter::wire>(memory.address, memory.count,
                                                     slot_mark::bcast);
    }
  }
  void finish() {
    failure.rethrow();
    if constexpr (looks_at_end)
      if (!at_root() && !is_described(data.buffer()))
        end.require(lend(), sizeof(typename adapter::wire));
    if constexpr (!one_call || compares_lengths)
      if (length == poison) [[unlikely]]
        tell_remote_failure(lacking < 0 ? root : lacking);
    if constexpr (travels_as_bytes) {
      if (arrived != nullptr && !at_root()) data.buffer().unpack_from(arrived, length);
      learned_in(group).keep(static_cast<bytes&&>(message));
    } else if constexpr (adapter::learns_length) {
      if (!at_root()) data.buffer().unpack(length);
    }
    deliver_count<keys::send_recv_count_out>(arguments, length);
  }
  [[nodiscard]] bool keeps_memory() const noexcept { return data.keeps_memory(); }
  auto results() { return detail::results<keys::send_recv_buf>(data, arguments); }

  using compares_type = comparing<Arguments>;
  group_view group;
  [[no_unique_address]] compares_type compares;
  [[no_unique_address]] std::conditional_t<looks_at_end, end_mark<Arguments>, absent> end;
  Arguments arguments;
  [[no_unique_address]] failure_type failure;
  receiver<sink, Arguments, failure_type> data;
  int root;
  // Whether `agree` tells them: in the blocking form.
  [[no_unique_address]] std::conditional_t<compares_lengths, bool, never> lengths_travel{};
  int lacking = -1;  // the first rank without the memory for a long message
  count_t length = 0;
  // Where bytes are written and read.
  [[no_unique_address]] std::conditional_t<travels_as_bytes, bytes, absent> message;
  const std::byte* arrived = nullptr;
};

}  // namespace mpiglot::detail
