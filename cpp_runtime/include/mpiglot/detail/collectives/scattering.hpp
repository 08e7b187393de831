// To each rank its part of the root's buffer: scatter, scatterv.

#pragma once

#include <mpiglot/detail/collectives/balance.hpp>
#include <mpiglot/detail/collectives/own_part.hpp>
#include <mpiglot/mpi/calls/scatter.hpp>

namespace mpiglot::detail {

/// What has no buffer of its own to send: a rank that is not the root needs no `send_buf`, and in
/// place the root's is the receiving one. Whether the parts differ in length, and how they travel,
/// is what that says.
template <class Sink>
class no_sender {
 public:
  using adapter = Sink;
  using wire = typename Sink::wire;
  static constexpr bool owning = false;
  static constexpr bool movable = true;
  static constexpr bool tells_failures = has_limit<adapter>;

  template <class Arguments>
  explicit no_sender(Arguments&) noexcept {}
  [[nodiscard]] static constexpr bool keeps_memory() noexcept { return true; }
  template <class Arguments>
  [[nodiscard]] static lent out(Arguments&) {
    return {nullptr, 0, datatype_of<wire>()};
  }
  /// What a root sends that has nothing: zeros, or messages that say so where they have a header.
  template <class Failure>
  [[nodiscard]] static lent zeros(Failure& failure, count_t n) {
    if constexpr (!needs_memory<adapter>)
      return {failure.whole_stand_in(static_cast<std::size_t>(n), sizeof(wire)), n,
              datatype_of<wire>()};
    const auto made = failure.stand_in(static_cast<std::size_t>(n), sizeof(wire),
                                       datatype_of<wire>(), stand_in_byte<adapter>);
    return {made.address, n, made.type};
  }
};

template <class Arguments>
struct scattered {
  using type = sender<Arguments, form::elements>;
};
template <class Arguments>
  requires(!Arguments::template has<send_key<Arguments>>)
struct scattered<Arguments> {
  using type = no_sender<adapter_of<parameter_of<Arguments, keys::recv_buf>, form::block>>;
};
template <class Arguments>
  requires in_place<Arguments>
struct scattered<Arguments> {
  using type = no_sender<adapter_of<parameter_of<Arguments, keys::send_recv_buf>, form::elements>>;
};

/// `Fits`: the lengths have been looked at and are right.
template <class Operation, class Arguments, bool Fits = false>
struct scattering : defaults {
  using source_type = typename scattered<Arguments>::type;
  using adapter = typename source_type::adapter;
  static constexpr bool sends = Arguments::template has<send_key<Arguments>>;
  static constexpr bool placed = in_place<Arguments>;
  using sink = sink_of<Arguments, single_or<Operation, typename adapter::part>,
                       placed ? form::elements : form::block>;
  using table = layout_of<Arguments, keys::send_counts, keys::send_displs>;

  static constexpr const char* name = Operation::name;
  static constexpr bool rooted = true;
  static constexpr bool counted = Arguments::template has<keys::recv_count>;
  static constexpr bool unequal = Operation::varying || adapter::divides;
  static constexpr bool one_call = counted || sink::adapter::fixed;
  static constexpr bool lengths_given =
      !Operation::varying || !sends || (adapter::divides != table::given && !table::placed);
  static constexpr bool tells_failures = requires { requires source_type::tells_failures; };
  static constexpr bool gives_array = array_value<typename sink::buffer>;
  using complaint_about_parts = std::conditional_t<
      gives_one_value<Operation> && !sink::adapter::agreed && !gives_array,
      wrong_call::buffer_is_no_single_value<keys::recv_buf, Operation>,
      std::conditional_t<has_parts<adapter>, complaint_in_place<Arguments, adapter, Operation>,
                         wrong_call::encoded_value_is_no_list_with_an_element_for_each_rank<
                             keys::send_buf, Operation>>>;
  using complaint = typename first_complaint<
      std::conditional_t<sends, complaint_about_limit<adapter, keys::send_buf, Operation>,
                         nothing_wrong>,
      complaint_about_parts,
      typename complaint_between<Operation, Arguments, source_type, sink>::type>::type;
  /// A buffer that cannot change its length has one, which may not be that of its part: the blocking
  /// form sends it along. Elements that MPI is told at run time are the program's own business.
  static constexpr bool compares_lengths =
      one_call && !counted && !sink::adapter::agreed && !Arguments::template has<keys::send_type> &&
      !Arguments::template has<keys::recv_type> &&
      !std::is_void_v<typename elements_of<adapter>::type> &&
      !std::is_void_v<typename elements_of<typename sink::adapter>::type>;
  /// Whether a rank looks for a part that is shorter than it expects, where no length travels.
  static constexpr bool looks_at_end =
      one_call && checks_end<Arguments, typename sink::buffer, typename sink::adapter>;
  static constexpr bool apart = !one_call || compares_lengths;
  static constexpr bool asks = asks_itself<Arguments>;
  /// Whether lengths travel together with small payloads, if they do.
  static constexpr bool merges = !Arguments::template has<keys::lengths_first>;
  /// Whether a root that fails can send what the others count on.
  static constexpr bool stands_in = one_call && (!unequal || tells_failures);
  /// Whether the root's own part can be compared with its room: both count the same elements.
  static constexpr bool checks_own = one_call && sends && !placed &&
                                     counts_alike<Arguments, adapter, typename sink::adapter> &&
                                     (!unequal || checked<Arguments, checks::light>);
  static constexpr bool movable = source_type::movable && sink::adapter::movable && table::movable;
  /// Whether what the root sends to itself is copied once: a view is involved.
  static constexpr bool packs_own = [] {
    if constexpr (!sends || placed || !one_call || Fits)
      return false;
    else
      return own_part_is_copied<adapter, typename sink::adapter> &&
             !Arguments::template has<keys::send_type> && !Arguments::template has<keys::recv_type>;
  }();

  using layout_type = std::conditional_t<unequal, typename table::type, equal_layout>;
  using failure_type = failure_if<!Fits>;

  static constexpr bool looks =
      looks_at_given<Arguments, typename sink::buffer, typename sink::adapter>;
  /// Whether one look tells that all parts lie in what is sent; without checks none is needed.
  static constexpr bool seen_to_fit = seen_at_once<layout_type>;
  /// The same where nothing can fail any more, and when that is so.
  using fitting = scattering<Operation, Arguments, true>;
  static constexpr bool may_fit = [] {
    if constexpr (placed || !counted || (unequal && sends && !seen_to_fit))
      return false;
    else
      return plain_side<Arguments, keys::recv_buf, typename sink::adapter> &&
             (!sends || plain_side<Arguments, keys::send_buf, adapter>);
  }();
  template <class Io = now>
  [[nodiscard, gnu::always_inline]] static bool fits(const group_view& on,
                                                     const auto&... parameters) noexcept {
    const auto said = said_lengths::of(parameters...);
    if (!fits_in < looks && Io::blocking,
        typename sink::adapter::wire > (said.recv_count, said.room))
      return false;
    if (on.rank != said.root) return true;
    const auto own_fits = [&](std::size_t own) {
      return checks_own ? own == said.recv_count : own <= said.recv_count;
    };
    if constexpr (unequal && sends) {
      const auto parts = said_parts<keys::send_counts, keys::send_displs>::of(parameters...);
      return !checked<Arguments, checks::light> ||
             (parts.lie_in(on.size, said.sent) && own_fits(parts.count(on.rank)));
    } else if constexpr (unequal) {
      return false;
    }
    if constexpr (Arguments::template has<keys::send_count>)
      return own_fits(said.send_count) && parts_fit(said.send_count, on.size, said.sent);
    const auto ranks = static_cast<unsigned>(on.size);
    return sends && ranks != 0 && said.sent % ranks == 0 && own_fits(said.sent / ranks);
  }

  scattering(const group_view& on, Arguments&& given)
      : group(on),
        compares(on),
        arguments(static_cast<Arguments&&>(given)),
        source(arguments),
        received(arguments, source),
        root(arguments.template value_or<keys::root>(0)),
        layout(make_layout<table, layout_type>(arguments, at_root() ? group.size : 0)) {}

  [[nodiscard]] bool at_root() const noexcept { return group.rank == root; }
  [[nodiscard]] bool uses_source() const noexcept { return at_root(); }

  static constexpr const char* what_differs = "ranks give different roots, or the root no send_buf";
  template <class Io = now>
  void prepare() {
    if constexpr (compares_type::possible)
      if (compares.now) [[unlikely]]
        require_agreement_of<Io, Operation>(*this, source, received, root,
                                            !sends && at_root() ? 1 : 0);
    if constexpr (checked<Arguments, checks::normal>) require_rank(root, group.size);
    const bool divided = (Fits && unequal) || !at_root() || divide();
    if constexpr (counted)
      length = meant<typename sink::adapter::wire>(
          failure, arguments.template get<keys::recv_count>().value, received.room());
    else if constexpr (one_call)
      length = received.room();
    if constexpr (compares_type::possible)
      if (compares.now) [[unlikely]]
        require_balance();
    if constexpr (placed)
      if (at_root()) length = failure.any() ? received.room() / group.size : own_part();
    if constexpr (one_call && !unequal)
      if (at_root() && (checks_own ? !divided : failure.any())) [[unlikely]] {
        layout.each = length;
        stand_in = source.zeros(failure, layout.extent());
      }
    if constexpr (checks_own)
      if (!Fits && at_root() && divided && !lengths_travel) require_own_part();
    if constexpr (one_call && !Fits) place();
    if constexpr (packs_own)
      if (copies_own && at_root()) pack_others();
  }
  // Packs what the root sends to the others, and to itself unless that can be copied later.
  void pack_others() {
    const auto own = static_cast<std::size_t>(root);
    own_copied = !failure.any() && layout.length(own) == length && prepare_own();
    if constexpr (copies_elements<adapter>) {
      // Other parts may be in the same place.
      if (own_copied && !Arguments::template has<keys::send_displs>)
        sent().pack_around(layout.displacement(own), length);
      else
        sent().pack_now();
    }
  }
  [[nodiscard]] bool prepare_own() {
    auto from = elements_behind(sent(), sent().out(), sent().length());
    const auto to =
        elements_behind(received.buffer(), received.in(failure, arguments, length), length);
    return from.narrow(layout.displacement(static_cast<std::size_t>(root)), length) &&
           copying.prepare(from, to);
  }
  // Packs what the root sends, or some of it later.
  void pack() {
    if constexpr (packs_own && copies_elements<adapter>) {
      if (copies_own) return sent().pack_later();
    }
    sent().pack();
  }
  // What the root sends against what each rank takes.
  void require_balance() {
    balance all;
    if constexpr (!one_call || is_encoded<adapter> || is_encoded<typename sink::adapter>) {
      all.cannot_tell();  // takes what it is told, or counts other units
    } else {
      count_t sent_unit = 0;
      if constexpr (sends || placed)
        if (at_root()) sent_unit = unit_of<Arguments, keys::send_type>(arguments, sent());
      const count_t unit = unit_of<Arguments, keys::recv_type>(arguments, received.buffer());
      if ((at_root() && sent_unit == 0) || unit == 0) all.cannot_tell();
      for (std::size_t i = 0; at_root() && i < layout.size(); ++i)
        if (!placed || i != static_cast<std::size_t>(root))
          all.sends(root, static_cast<int>(i), weighed(layout.length(i), sent_unit));
      if (!placed || !at_root()) all.expects(root, group.rank, weighed(expected(), unit));
    }
    all.require(group.comm);
  }
  [[nodiscard]] count_t expected() {
    if constexpr (counted)
      return arguments.template get<keys::recv_count>().value;
    else
      return received.room();
  }
  [[nodiscard]] count_t own_part() const { return layout.length(static_cast<std::size_t>(root)); }
  // The buffer that the root sends from.
  [[nodiscard]] auto& sent() {
    if constexpr (placed)
      return received.buffer();
    else
      return source.buffer();
  }
  [[nodiscard]] lent out() {
    if constexpr (placed)
      return at_root() ? as_told<keys::send_count, keys::send_type>(arguments, sent().out())
                       : source.out(arguments);
    else
      return source.out(arguments);
  }
  // In place the root's part stays where it is.
  [[nodiscard]] bool receives() const noexcept { return !(placed || own_copied) || !at_root(); }
  void place() {
    if (receives()) received.place(failure, length);
  }
  // Some MPIs fail on a root that sends itself more than it takes, and leave the others waiting;
  // what it sends less would be elements without value.
  void require_own_part() {
    const count_t own = own_part();
    if (own == length) [[likely]]
      return;
    // A bounded buffer takes what is shorter.
    if (is_encoded<typename sink::adapter> && own < length) return;
    failure.attempt([&] {
      if (own > length) refuse_room(length, own);
      refuse_own_part();
    });
    length = own;
  }
  /// Whether this went well.
  [[nodiscard]] bool divide() {
    if constexpr (!sends) {
      send_nothing();
      return false;
    } else if constexpr (adapter::divides) {
      source.pack_parts(failure, layout);
      layout.lay_out();
      return !failure.any();
    } else {
      constexpr bool packs_last = unequal && needs_memory<adapter>;
      const bool divided = failure.attempt([this] {
        if constexpr (!packs_last) pack();
        if constexpr (unequal)
          lay_out();
        else
          divide_equally();
      });
      if constexpr (packs_last)
        if (divided && !failure.attempt([this] { pack(); })) unpacked = true;
      // Where no length travels, the others cannot be told, and nobody knows what they expect.
      if constexpr (one_call && unequal)
        if (!divided && !lengths_travel) failure.rethrow();
      return divided;
    }
  }
  // The root has nothing to send.
  [[gnu::cold]] void send_nothing() {
    failure.attempt([] { refuse_argument(MPI_ERR_BUFFER, "the root needs a send_buf"); });
    if constexpr (one_call && unequal && stands_in) {
      for (std::size_t i = 0; i < layout.size(); ++i) layout.set_length(i, received.room());
      layout.lay_out();
      stand_in = source.zeros(failure, layout.extent());
    } else if constexpr (one_call && unequal) {
      if (!lengths_travel) failure.rethrow();  // nobody knows what the others expect
    }
  }
  void lay_out() {
    if constexpr (checked<Arguments, checks::light> && seen_at_once<layout_type>)
      if (layout.lies_in(static_cast<std::size_t>(group.size), sent().length())) [[likely]]
        return;
    if constexpr (checked<Arguments, checks::light>)
      require_layout(layout, static_cast<std::size_t>(group.size));
    layout.lay_out();
    if constexpr (checked<Arguments, checks::light> || computes_layout<layout_type>)
      require_room(sent().length(), layout.extent());
  }
  void divide_equally() {
    const count_t all = sent().length();
    layout.each = arguments.template value_or<keys::send_count>(
        static_cast<count_t>(static_cast<std::size_t>(all) / static_cast<unsigned>(group.size)));
    if constexpr (Fits) return;
    if (Arguments::template has<keys::send_count>
            ? !can_be_meant<typename source_type::wire>(layout.each) || layout.extent() > all
            : layout.extent() != all) [[unlikely]]
      refuse_counts("send_buf needs equally many elements for each rank");
  }

  bool agree(int& code) {
    bool last_call = true;
    if constexpr (merges) {
      last_call = agree_merged(code);
      if (code != MPI_SUCCESS || length == poison) [[unlikely]]
        return false;
    } else {
      tell_each(code);
      if (code != MPI_SUCCESS || length == poison) [[unlikely]]
        return false;
      place();
    }
    if constexpr (compares_lengths)
      if (receives() && length < received.room()) [[unlikely]]
        failure.attempt([] {
          refuse_counts(
              "recv_buf is longer than its part; give recv_count or a std::vector with "
              "resize_to_fit");
        });
    return last_call;
  }
  bool agree_merged(int& code) {
    const lent all = at_root() ? out() : lent{};
    return merged::scatterv(group, root, merged::payload::of<typename source_type::wire>(all, 0),
                            merged::sent_layout::of(layout, failure.any()), length, receiving(),
                            code);
  }
  [[nodiscard]] merged::receiving receiving() {
    merged::receiving here = receiving_of(*this);
    if (!receives()) here.place = nullptr;
    return here;
  }
  void take_length(int code, count_t word) {
    if (code == MPI_SUCCESS) [[likely]]
      length = unmarked(mark_first(word));
    else
      refuse_data(code, !at_root() && word != nobody);
  }
  // As MPI_Count, whatever the arrays of the root are: the others need not know.
  void tell_each(int& code) {
    block<count_t> words;
    if (at_root()) words.resize_to_take_part(static_cast<std::size_t>(group.size));
    for (std::size_t i = 0; i < words.size(); ++i)
      words[i] = mark_first(marked(failure.any() ? poison : layout.length(i)));
    count_t word = nobody;
    now{code}(mpi::calls::scatter(), words.data(), count_t{1}, count_type(), &word, count_t{1},
              count_type(), root, group.comm);
    take_length(code, word);
  }

  // Where no length travels, the others count on zeros if the root cannot pack what it sends.
  [[nodiscard]] lent sendable() {
    if constexpr (sends && unequal && needs_memory<adapter>)
      if (unpacked && lacks_memory(sent())) [[unlikely]] {
        using wire = typename adapter::wire;
        const auto made = failure.stand_in(static_cast<std::size_t>(layout.extent()), sizeof(wire),
                                           datatype_of<wire>());
        return {made.address, layout.extent(), made.type};
      }
    return this->out();
  }
  /// A request of what fits lies in registers if all of this is inlined. Written out: if both called one function for
  /// the parts, g++ would take 15 instructions more to start a scatter_init.
  [[gnu::always_inline]] void call(later io)
    requires(Fits)
  {
    const lent in = receives() ? received.in(failure, arguments, length) : lent_in_place();
    if constexpr (looks_at_end)
      if (receives()) end.template write<later>(in, sizeof(typename sink::adapter::wire), group);
    const lent out = sendable();
    if constexpr (requires { layout.tell_largest(in.count); })
      if (!at_root()) layout.tell_largest(in.count);
    if constexpr (unequal)
      layout.visit([&](auto counts, auto displacements) {
        io(unequal_calls<Operation>(), out.address, counts, displacements, out.type, in.address,
           in.count, in.type, root, group.comm);
      });
    else
      io(typename Operation::calls(), out.address, layout.each, out.type, in.address, in.count,
         in.type, root, group.comm);
  }
  MPIGLOT_INLINED void call(auto io) {
    lent out = sendable();
    if constexpr (stands_in)
      if (stand_in.count != 0) [[unlikely]]
        out = stand_in;
    const lent in = receives() ? received.in(failure, arguments, length) : lent_in_place();
    if constexpr (looks_at_end)
      if (io.starts && receives() && !failure.any())
        end.template write<decltype(io)>(in, sizeof(typename sink::adapter::wire), group);
    if constexpr (requires { layout.tell_largest(in.count); })
      if (!at_root()) layout.tell_largest(in.count);
    if constexpr (unequal)
      layout.visit([&](auto counts, auto displacements) {
        io(unequal_calls<Operation>(), out.address, counts, displacements, out.type, in.address,
           in.count, in.type, root, group.comm);
      });
    else
      io(typename Operation::calls(), out.address, layout.each, out.type, in.address, in.count,
         in.type, root, group.comm);
    if constexpr (Fits && looks) {
      if (io.code == MPI_SUCCESS) [[likely]]
        io.code = look_at_given(arguments.template get<keys::recv_buf>().value, slot_mark::scatter);
    } else if constexpr (counted && !unequal &&
                         checks_data<decltype(io), Arguments, typename sink::buffer,
                                     typename sink::adapter>) {
      if (io.code == MPI_SUCCESS && reaches<Arguments, typename sink::buffer>(in.address))
        merged::require_data<typename sink::adapter::wire>(in.address, in.count,
                                                           slot_mark::scatter);
    }
  }
  void finish() {
    failure.rethrow();
    if (length == poison) [[unlikely]]
      tell_remote_failure(root);
    if constexpr (packs_own)
      if (own_copied) copying.run();
    if (receives()) {
      if constexpr (looks_at_end)
        end.require(received.in(failure, arguments, length), sizeof(typename sink::adapter::wire));
      received.buffer().unpack(length);
    }
    deliver_count<keys::recv_count_out>(arguments, length);
    if constexpr (!unequal) deliver_count<keys::send_count_out>(arguments, layout.each);
    if (at_root()) deliver_layout<keys::send_counts_out, keys::send_displs_out>(arguments, layout);
  }
  [[nodiscard]] bool keeps_memory() const noexcept {
    return source.keeps_memory() && received.keeps_memory() && table::keeps_memory;
  }
  auto results() { return detail::results<recv_key<Arguments>>(received, source, arguments); }

  using compares_type = comparing<Arguments>;
  group_view group;
  [[no_unique_address]] compares_type compares;
  [[no_unique_address]] std::conditional_t<looks_at_end, end_mark<Arguments>, absent> end;
  Arguments arguments;
  failure_type failure;
  source_type source;
  receiver<sink, Arguments, failure_type> received;
  int root;
  count_t length = 0;
  // Whether `agree` tells them: in the blocking form.
  [[no_unique_address]] std::conditional_t<compares_lengths, bool, never> lengths_travel{};
  layout_type layout;
  // Whether the call is blocking, and whether the root's own part is copied after it.
  [[no_unique_address]] std::conditional_t<packs_own, bool, never> copies_own{};
  [[no_unique_address]] std::conditional_t<packs_own, bool, never> own_copied{};
  [[no_unique_address]] own_copy<packs_own, adapter, typename sink::adapter> copying;
  // Whether the root knows what it should send, but cannot pack it.
  [[no_unique_address]] std::conditional_t<needs_memory<adapter>, bool, never> unpacked{};
  // What is sent in place of a buffer that cannot be divided.
  [[no_unique_address]] std::conditional_t<stands_in, lent, absent> stand_in{};
};

}  // namespace mpiglot::detail
