// One part from each rank, one after another: gather, gatherv, allgather, allgatherv and the
// neighborhood forms.
//
// The operation says: `calls` (the triple), `unequal_calls` (the triple for parts of different
// length), `lengths_by` (how lengths travel first), `varying` (parts may differ in length).

#pragma once

#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/detail/collectives/balance.hpp>
#include <mpiglot/detail/collectives/own_part.hpp>

namespace mpiglot::detail {

/// `Fits`: the lengths have been looked at and are right.
template <class Operation, class Arguments, bool Fits = false>
struct gathering : defaults {
  static constexpr bool placed = in_place<Arguments>;
  static constexpr bool rooted = is_rooted<Operation>;
  using message = sending_of<Arguments, form::block>;
  using sink = sink_of<Arguments, typename message::gathered, form::elements>;
  using source_type = typename message::type;
  using table = layout_of<Arguments, keys::recv_counts, keys::recv_displs>;

  static constexpr const char* name = Operation::name;
  static constexpr bool counted = Arguments::template has<keys::recv_count>;
  /// Whether MPI is told a count for each part.
  static constexpr bool unequal = Operation::varying || !source_type::uniform;
  static constexpr bool one_call =
      !unequal || table::given || (Operation::varying && source_type::agreed);
  static constexpr bool lengths_given =
      table::given || !unequal || !placed || is_encoded<typename sink::adapter>;
  using complaint = typename first_complaint<
      complaint_of_parts<sink, Arguments, Operation>,
      typename complaint_between<Operation, Arguments, source_type, sink>::type>::type;
  static constexpr bool apart = !one_call;
  static constexpr bool asks = asks_itself<Arguments>;
  /// Whether MPI may pass on what a rank has received.
  static constexpr bool passes_on = !rooted && sees_all<Operation>;
  static constexpr bool movable = source_type::movable && sink::adapter::movable && table::movable;

  /// Whether lengths travel together with small payloads: where everybody learns all of them.
  static constexpr bool merges = !one_call && !rooted && !placed && sees_all<Operation> &&
                                 !Arguments::template has<keys::lengths_first>;
  static constexpr bool sends_all = merges;
  /// Whether the arrays of lengths are only made if a second message needs them.
  static constexpr bool defers = merges && lengths_unseen<Arguments, typename sink::adapter>;

  using layout_type = std::conditional_t<unequal, typename table::type, equal_layout>;
  static constexpr bool places = !one_call || !unequal || !sink::adapter::fixed ||
                                 checked<Arguments, checks::light> || computes_layout<layout_type>;
  /// Whether this rank's own part is compared with what its counts say of it.
  static constexpr bool compares_own =
      one_call && sees_own_part<Operation, Arguments, source_type, typename sink::adapter> &&
      (unequal ? table::given && checked<Arguments, checks::light> : counted);
  static constexpr auto short_of = merges ? short_of_memory::behind : short_of_memory::here;
  static constexpr bool may_fail =
      source_type::fails || needs_memory<typename sink::adapter> || table::placed || counted ||
      compares_own || (places && keeps_place_failure<typename sink::adapter, short_of>);
  using failure_type = failure_if<!Fits && may_fail>;

  /// Whether what the root sends to itself is copied once: a view is involved.
  static constexpr bool packs_own = [] {
    if constexpr (!rooted || placed)
      return false;
    else
      return own_part_is_copied<typename source_type::adapter, typename sink::adapter> &&
             !Arguments::template has<keys::send_count> &&
             !Arguments::template has<keys::send_type> && !counted &&
             !Arguments::template has<keys::recv_type>;
  }();

  /// Whether one look tells that all parts fit.
  static constexpr bool seen_to_fit = seen_at_once<layout_type> && !placed &&
                                      sink::adapter::fixed && checked<Arguments, checks::light> &&
                                      plain_side<Arguments, keys::recv_buf, typename sink::adapter>;

#ifndef __clang__
  /// g++ -O3 needs 33 instructions for a request of the usual state, and 55 where it fits.
  using lies_in_memory = void;
#endif
  /// The same where nothing can fail any more, and when that is so.
  using fitting = gathering<Operation, Arguments, true>;
  template <class Side>
  static constexpr bool may_fit_from =
      may_fail && (!unequal || seen_to_fit) && !placed && sees_all<Operation> &&
      plain_side<Arguments, keys::send_buf, Side> &&
      plain_side<Arguments, keys::recv_buf, typename sink::adapter>;
  static constexpr bool may_fit = [] {
    if constexpr (placed)
      return false;
    else
      return may_fit_from<typename source_type::adapter>;
  }();
  template <class Io = now>
  [[nodiscard, gnu::always_inline]] static bool fits(const group_view& on,
                                                     const auto&... parameters) noexcept {
    const auto said = said_lengths::of(parameters...);
    std::size_t each = said.sent;
    if constexpr (Arguments::template has<keys::send_count>) each = said.send_count;
    if (each > said.sent) return false;
    const bool own_fits = !compares_own || said.recv_count == each;
    if constexpr (counted) each = said.recv_count;
    if (rooted && on.rank != said.root) return !counted || each <= said.sent;
    if constexpr (unequal) {
      const auto parts = said_parts<keys::recv_counts, keys::recv_displs>::of(parameters...);
      return parts.lie_in(on.size, said.room) && (!compares_own || parts.count(on.rank) == each);
    }
    return own_fits && parts_fit(each, on.size, said.room);
  }

  gathering(const group_view& on, Arguments&& given)
      : group(on),
        compares(on),
        arguments(static_cast<Arguments&&>(given)),
        source(arguments),
        received(arguments, source),
        layout(make_layout<table, layout_type, defers>(arguments,
                                                       receives() ? sources<Operation>(on) : 0)) {}

  [[nodiscard]] int root() noexcept { return arguments.template value_or<keys::root>(0); }
  /// Whether this rank receives: everybody, or the root.
  [[nodiscard]] bool receives() noexcept { return !rooted || group.rank == root(); }
  [[nodiscard]] bool uses_received() noexcept { return placed || receives(); }

  static constexpr const char* what_differs = "ranks give different roots or lengths";
  template <class Io = now>
  void prepare() {
    if constexpr (packs_own) {
      if (copies_own && receives())
        source.pack_later(failure, arguments);
      else
        source.pack(failure, arguments);
    } else if constexpr (!placed && !Fits) {
      source.pack(failure, arguments);
    }
    if (!placed && receives()) received.reserve(failure);
    if constexpr (compares_type::possible)
      if (compares.now) [[unlikely]]
        require_agreement_of<Io, Operation>(*this, source, received, root(), agreed_length(),
                                            agreed_weight());
    if constexpr (lengths_balance)
      if constexpr (compares_type::possible)
        if (compares.now) [[unlikely]]
          require_balance();
    if constexpr (checked<Arguments, checks::normal> && rooted) require_rank(root(), group.size);
    if constexpr (placed) received.template pack<passes_on>(failure);
    if constexpr (!unequal) {
      place_equal();
    } else if constexpr (one_call) {
      if (receives()) place_known();
    }
  }

  /// Whether what ranks send is compared with what others expect: all lengths need not be equal.
  static constexpr bool lengths_balance = one_call && (Operation::varying || !sees_all<Operation>);
  void require_balance() {
    balance all;
    if constexpr (!placed) {
      const count_t sent_unit = unit_of<Arguments, keys::send_type>(arguments, source.buffer());
      const count_t unit = unit_of<Arguments, keys::recv_type>(arguments, received.buffer());
      if (sent_unit == 0 || unit == 0) all.cannot_tell();
      const count_t own = weighed(source.expected(arguments), sent_unit);
      const auto given = [&](std::size_t i) {
        if constexpr (table::given) return weighed(static_cast<count_t>(layout.length(i)), unit);
        if constexpr (counted)
          return weighed(static_cast<count_t>(arguments.template get<keys::recv_count>().value),
                         unit);
        return own;
      };
      const std::size_t parts =
          table::given ? layout.size() : static_cast<std::size_t>(sources<Operation>(group));
      if constexpr (!sees_all<Operation>) {
        const auto sent = [own](std::size_t) { return own; };
        weigh_parts<Operation>(all, group, ~std::size_t{0}, sent, parts, given);
      } else {
        all.sends_to_all(group.rank, rooted ? 1 : group.size, own);
        for (std::size_t i = 0; receives() && i < parts; ++i)
          all.expects_by_all(static_cast<int>(i), given(i));
      }
    } else if (receives()) {
      // All know the same lengths, each its own among them.
      const count_t unit = unit_of<Arguments, keys::recv_type>(arguments, received.buffer());
      all.sends_to_all(group.rank, rooted ? 1 : group.size, weighed(own_count(), unit));
      for (std::size_t i = 0; i < layout.size(); ++i)
        all.expects_by_all(static_cast<int>(i), weighed(layout.length(i), unit));
    } else {
      all.sends_to_all(group.rank, 1,
                       weighed(received.room(),
                               unit_of<Arguments, keys::recv_type>(arguments, received.buffer())));
    }
    all.require(group.comm);
  }
  /// Whether MPI is told one length for all parts, which all ranks must give alike.
  static constexpr bool lengths_equal = !lengths_balance && one_call && source_type::uniform;
  // The length of a part. Where this rank receives, it may say so itself.
  [[nodiscard]] count_t agreed_length() {
    if constexpr (!lengths_equal) {
      return 0;
    } else if constexpr (!placed) {
      if constexpr (given_type<Arguments, typename source_type::adapter, keys::send_type> ||
                    given_type<Arguments, typename sink::adapter, keys::recv_type>)
        return any_length;
    }
    if constexpr (lengths_equal && counted) {
      if (receives()) return arguments.template get<keys::recv_count>().value;
    }
    return lengths_equal ? expected_each() : 0;
  }
  [[nodiscard]] alike agreed_weight() {
    alike found;
    if constexpr (lengths_equal && !placed) {
      found = weight_of<Arguments, keys::send_type>(arguments, source.buffer(),
                                                    source.expected(arguments));
      if constexpr (counted)
        if (receives())
          found.add(weight_of<Arguments, keys::recv_type>(
              arguments, received.buffer(), arguments.template get<keys::recv_count>().value));
    }
    return found;
  }
  // All parts are as long as this rank's own, or as the root says.
  void place_equal() {
    layout.each = expected_each();
    if constexpr (counted)
      layout.each = meant<typename sink::adapter::wire>(
          failure, arguments.template get<keys::recv_count>().value, layout.each);
    if constexpr (compares_own && !Fits)
      if (receives()) require_own_part();
    if constexpr (placed && counted)
      if (layout.extent() > received.room()) [[unlikely]] {
        failure.attempt([this] { refuse_room(received.room(), layout.extent()); });
        layout.each = expected_each();
      }
    if (!Fits && !placed && receives())
      received.template place<passes_on>(failure, layout.extent());
  }
  // This rank's own part as its counts tell it, which is known where it receives.
  [[nodiscard]] count_t own_count() const {
    if constexpr (unequal)
      return layout.length(static_cast<std::size_t>(group.rank));
    else
      return layout.each;
  }
  [[nodiscard]] bool own_part_fits() { return source.expected(arguments) == own_count(); }
  void require_own_part() {
    if (!own_part_fits()) [[unlikely]]
      failure.attempt([] { refuse_own_part(); });
  }
  [[nodiscard]] count_t expected_each() {
    if constexpr (!placed)
      return source.expected(arguments);
    else
      return receives() ? received.room() / static_cast<count_t>(layout.size()) : received.room();
  }

  void place_known() {
    if constexpr (Fits) {
      return;
    } else if constexpr (seen_to_fit) {
      if (!layout.lies_in(static_cast<std::size_t>(sources<Operation>(group)), received.room()) ||
          (compares_own && !own_part_fits())) [[unlikely]]
        place_carefully();
    } else {
      place_carefully();
    }
  }
  void place_carefully() {
    if constexpr (table::given) {
      if constexpr (checked<Arguments, checks::light>)
        require_layout(layout, static_cast<std::size_t>(sources<Operation>(group)));
    } else {
      for (std::size_t i = 0; i < layout.size(); ++i)
        layout.set_length(i, source.expected(arguments));
    }
    place_where_told(*this);
    layout.lay_out();
    if constexpr (compares_own) require_own_part();
    if constexpr (places) received.template place<passes_on>(failure, layout.extent());
  }

  bool agree(int& code) {
    if constexpr (needs_memory<typename sink::adapter>) silent = failure.any();
    const count_t mine = silent ? poison : source.length(arguments);
    if constexpr (merges) return agree_merged(code, mine);
    const count_t word = marked(mine);
    layout.expect_lengths();
    if constexpr (rooted)
      now{code}(lengths_by<Operation>(), &word, count_t{1}, count_type(), layout.lengths(),
                count_t{1}, count_type(), root(), group.comm);
    else
      now{code}(lengths_by<Operation>(), &word, count_t{1}, count_type(), layout.lengths(),
                count_t{1}, count_type(), group.comm);
    if (code != MPI_SUCCESS) [[unlikely]] {
      refuse_data(code, layout.data_came());
      return false;
    }
    if (receives()) {
      const count_t all = read_lengths<Operation>(group, layout);
      place_where_told(*this);
      received.place(failure, layout.lay_out(all));
    }
    // Where not all ranks know about it, one that failed sends nothing.
    return rooted || !sees_all<Operation> || layout.failed() < 0;
  }
  /// Both messages. Nothing is left to be done then.
  bool agree_merged(int& code, count_t mine) {
    const lent out = silent ? nothing() : source.out(arguments);
    merged::receiving_parts to{receiving_of(*this), layout};
    code =
        merged::allgatherv(group, merged::payload::of<typename source_type::wire>(out, mine), to);
    take_failed(*this, to.failed);
    return false;
  }

  void call(auto io) {
    const lent out = lend();
    lent in = received.in(failure, arguments, parts_length());
    if constexpr (passes_on && !placed && !decltype(io)::repeats &&
                  Arguments::template has<keys::recv_displs>)
      if (group.size == 1) [[unlikely]]
        in.address = place_of_only_part(in);
    if constexpr (unequal)
      layout.visit([&](auto counts, auto displacements) {
        if constexpr (rooted)
          io(unequal_calls<Operation>(), out.address, out.count, out.type, in.address, counts,
             displacements, in.type, root(), group.comm);
        else
          io(unequal_calls<Operation>(), out.address, out.count, out.type, in.address, counts,
             displacements, in.type, group.comm);
      });
    else if constexpr (rooted)
      io(typename Operation::calls(), out.address, out.count, out.type, in.address, in.count,
         in.type, root(), group.comm);
    else if constexpr (sees_all<Operation>)
      io(typename Operation::calls(), out.address, out.count, out.type, in.address, in.count,
         in.type, group.comm);
    else
      call_with_sides<Operation>(io, group.comm, out, in, false, layout.size() == 0);
  }

  // A call in the midst of others costs registers, and the size of most elements is known.
  [[nodiscard]] void* place_of_only_part(const lent& in) const {
    using wire = typename sink::adapter::wire;
    if constexpr (Arguments::template has<keys::recv_type> || has_own_datatype<wire>)
      return detail::place_of_only_part(in.address, layout.displacement(0), in.type);
    else if (ignores_displacements)
      return static_cast<wire*>(in.address) + layout.displacement(0);
    else
      return in.address;
  }

  /// Copies the root's own part, which is not packed yet, to its place. False if it is to be sent.
  [[nodiscard]] bool copy_own() {
    if (failure.any() || !own_part_fits()) return false;
    auto& mine = source.buffer();
    auto to = elements_behind(received.buffer(), received.in(failure, arguments, parts_length()),
                              layout.extent());
    const auto from = elements_behind(mine, mine.out(), mine.length());
    copy_between<typename source_type::adapter, typename sink::adapter> own;
    if (!to.narrow(own_displacement(), from.count) || !own.prepare(from, to)) return false;
    own.run();
    return true;
  }
  [[nodiscard]] count_t own_displacement() const {
    if constexpr (unequal)
      return layout.displacement(static_cast<std::size_t>(group.rank));
    else
      return layout.each * group.rank;
  }
  [[nodiscard]] lent lend() {
    if constexpr (packs_own)
      if (copies_own && receives()) {
        own_copied = copy_own();
        if (own_copied) return lent_in_place();
        if constexpr (copies_elements<typename source_type::adapter>) source.buffer().pack_now();
      }
    // The other ranks count on what the counts say.
    if constexpr (compares_own)
      if (failure.any() && receives() && !own_part_fits()) [[unlikely]]
        return source.zeros(failure, own_count());
    if constexpr (!placed && one_call)
      return source.out_expected(failure, arguments);
    else if constexpr (!placed)
      return silent ? nothing() : source.out(arguments);
    else
      return receives() ? lent_in_place() : received.out(failure);
  }
  // A rank that has told of its failure sends nothing.
  [[nodiscard]] static lent nothing() {
    return {nullptr, 0, datatype_of<typename source_type::wire>()};
  }
  [[nodiscard]] count_t parts_length() const noexcept {
    if constexpr (unequal)
      return 0;  // the lengths are in `layout`
    else
      return layout.each;
  }

  void finish() {
    throw_failures(*this);
    if constexpr (!placed) deliver_count<keys::send_count_out>(arguments, source.length(arguments));
    if (!receives()) return;
    if (own_copied)
      unpack_other_parts(received.buffer(), layout, static_cast<std::size_t>(group.rank));
    else
      received.buffer().unpack_parts(layout);
    deliver_layout<keys::recv_counts_out, keys::recv_displs_out>(arguments, layout);
    deliver_count<keys::recv_count_out>(arguments, parts_length());
  }
  [[nodiscard]] bool keeps_memory() const noexcept {
    return source.keeps_memory() && received.keeps_memory() && table::keeps_memory;
  }
  auto results() { return detail::results<recv_key<Arguments>>(received, source, arguments); }

  using compares_type = comparing<Arguments>;
  group_view group;
  [[no_unique_address]] compares_type compares;
  Arguments arguments;
  [[no_unique_address]] failure_type failure;
  [[no_unique_address]] source_type source;
  receiver<sink, Arguments, failure_type, short_of> received;
  layout_type layout;
  // Whether this rank has told that it failed.
  [[no_unique_address]] std::conditional_t<needs_memory<typename sink::adapter>, bool, never>
      silent{};
  int failed = nobody_failed;  // the first rank that did
  // What failed here where a second message may follow.
  [[no_unique_address]] parked_if<short_of == short_of_memory::behind> parked;
  // Whether the call is blocking, so that memory is received into as soon as it is packed.
  [[no_unique_address]] std::conditional_t<packs_own, bool, never> copies_own{};
  // Whether the root's own part lies where it is received.
  [[no_unique_address]] std::conditional_t<packs_own, bool, never> own_copied{};
};

}  // namespace mpiglot::detail
