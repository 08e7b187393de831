// A part from each rank to each rank: alltoall, alltoallv and the neighborhood forms.

#pragma once

#include <mpiglot/detail/collectives/balance.hpp>

namespace mpiglot::detail {

/// True of an operation of a plugin that moves the parts by a route of its own.
template <class Operation>
inline constexpr bool has_route = requires { typename Operation::kept; };

/// `Fits`: the lengths have been looked at and are right.
template <class Operation, class Arguments, bool Fits = false>
struct exchanging : defaults {
  static constexpr bool placed = in_place<Arguments>;
  using message = sending_of<Arguments, form::elements>;
  using source_type = typename message::type;
  using sink = sink_of<Arguments, exchanged_t<message>, form::elements>;
  using sent_table = layout_of<Arguments, keys::send_counts, keys::send_displs>;
  using received_table = layout_of<Arguments, keys::recv_counts, keys::recv_displs>;

  static constexpr const char* name = Operation::name;
  static constexpr bool divides = source_type::divides;
  static constexpr bool unequal = Operation::varying || divides;
  static constexpr bool one_call = !has_route<Operation> && (!unequal || received_table::given ||
                                                             (divides && source_type::agreed));
  static constexpr bool lengths_given =
      !Operation::varying || (placed ? received_table::given || is_encoded<typename sink::adapter>
                                     : divides != sent_table::given && !sent_table::placed);
  using complaint = typename first_complaint<
      complaint_about_limit<source_of<Arguments, form::elements>, send_key<Arguments>, Operation>,
      std::conditional_t<!has_parts<source_type>,
                         wrong_call::encoded_value_is_no_list_with_an_element_for_each_rank<
                             send_key<Arguments>, Operation>,
                         complaint_of_parts<sink, Arguments, Operation>>,
      typename complaint_between<Operation, Arguments, source_type, sink>::type>::type;
  static constexpr bool apart = !one_call;
  static constexpr bool asks = asks_itself<Arguments>;
  static constexpr bool movable = source_type::movable && sink::adapter::movable &&
                                  sent_table::movable && received_table::movable;

  /// Whether lengths travel together with small payloads.
  static constexpr bool merges =
      !one_call && sees_all<Operation> && !Arguments::template has<keys::lengths_first>;
  static constexpr bool sends_all = merges;
  /// Whether the arrays of lengths are only made if a second message needs them.
  static constexpr bool defers = merges && lengths_unseen<Arguments, typename sink::adapter>;

  /// Whether this rank's own part is compared with what its counts say of it.
  static constexpr bool compares_own =
      one_call && sees_own_part<Operation, Arguments, source_type, typename sink::adapter> &&
      (unequal ? received_table::given && checked<Arguments, checks::light>
               : Arguments::template has<keys::recv_count>);

  using sent_type = std::conditional_t<unequal && !placed, typename sent_table::type, equal_layout>;
  using received_type = std::conditional_t<unequal, typename received_table::type, equal_layout>;
  using failure_type = failure_if<!Fits>;
  static constexpr auto short_of = merges ? short_of_memory::behind : short_of_memory::here;

  /// Whether one look tells that all parts fit that are received.
  static constexpr bool seen_to_fit = seen_at_once<received_type> && !placed &&
                                      sink::adapter::fixed && checked<Arguments, checks::light> &&
                                      plain_side<Arguments, keys::recv_buf, typename sink::adapter>;

  /// The same where nothing can fail any more, and when that is so.
  using fitting = exchanging<Operation, Arguments, true>;
  static constexpr bool may_fit = [] {
    if constexpr (placed || !sees_all<Operation> ||
                  (unequal && !(seen_to_fit && seen_at_once<sent_type>)))
      return false;
    else
      return plain_side<Arguments, keys::send_buf, typename source_type::adapter> &&
             plain_side<Arguments, keys::recv_buf, typename sink::adapter>;
  }();
  template <class Io = now>
  [[nodiscard, gnu::always_inline]] static bool fits(const group_view& on,
                                                     const auto&... parameters) noexcept {
    constexpr bool counted = Arguments::template has<keys::send_count>;
    const auto said = said_lengths::of(parameters...);
    if constexpr (unequal) {
      const auto out = said_parts<keys::send_counts, keys::send_displs>::of(parameters...);
      const auto in = said_parts<keys::recv_counts, keys::recv_displs>::of(parameters...);
      return out.lie_in(on.size, said.sent) && in.lie_in(on.size, said.room) &&
             (!compares_own || out.count(on.rank) == in.count(on.rank));
    }
    const auto ranks = static_cast<std::size_t>(on.size);
    if (ranks == 0) return false;
    std::size_t each = said.send_count;
    if constexpr (!counted) each = said.sent / ranks;
    if (counted ? !parts_fit(each, on.size, said.sent) : each * ranks != said.sent) return false;
    if (compares_own && said.recv_count != each) return false;
    if constexpr (Arguments::template has<keys::recv_count>) each = said.recv_count;
    return parts_fit(each, on.size, said.room);
  }

  exchanging(const group_view& on, Arguments&& given)
      : group(on),
        compares(on),
        arguments(static_cast<Arguments&&>(given)),
        source(arguments),
        received(arguments, source),
        sent(make_layout<sent_table, sent_type>(arguments, destinations<Operation>(on))),
        layout(make_layout<received_table, received_type, defers>(arguments,
                                                                  sources<Operation>(on))) {}

  /// An operation may have a number that all ranks give alike, `alike(arguments)`, besides what others have.
  static constexpr bool has_number = requires(Arguments& given) { Operation::alike(given); };
  static constexpr const char* what_differs = [] {
    if constexpr (has_number)
      return Operation::what_differs;
    else
      return "ranks give different counts";
  }();
  template <class Io = now>
  void prepare() {
    if constexpr (!placed) received.reserve(failure);
    if constexpr (!unequal) {
      divide_equally<Io>();
    } else {
      if constexpr (compares_type::possible)
        if (compares.now) [[unlikely]]
          agree_on<Io>(number_given(), 0);
      if constexpr (one_call && !divides)
        if constexpr (compares_type::possible)
          if (compares.now) [[unlikely]]
            require_balance();
      if constexpr (!placed) divide();
      if constexpr (one_call && divides)
        if constexpr (compares_type::possible)
          if (compares.now) [[unlikely]]
            require_balance();
      if constexpr (received_table::given)
        place_known();
      else if constexpr (one_call)
        place_agreed();
    }
  }
  [[nodiscard]] count_t number_given() {
    if constexpr (has_number)
      return Operation::alike(arguments);
    else
      return 0;
  }
  // Neighbors may have views of other shapes, and send other lengths than they receive.
  template <class Io>
  void agree_on(count_t sent_to_each, count_t received_from_each) {
    if constexpr (sees_all<Operation>)
      require_agreement_of<Io, Operation>(*this, source, received,
                                          counts_units && !unequal ? 0 : sent_to_each,
                                          counts_units ? any_length : received_from_each,
                                          agreed_weight(sent_to_each, received_from_each));
    else
      require_agreement(group,
                        {.known = &form_alone<Io, exchanging>, .lengths = way_of_lengths(*this)});
  }
  /// Whether the program says in which units elements are counted.
  static constexpr bool counts_units = [] {
    if constexpr (placed)
      return false;
    else
      return given_type<Arguments, typename source_type::adapter, keys::send_type> ||
             given_type<Arguments, typename sink::adapter, keys::recv_type>;
  }();
  [[nodiscard]] alike agreed_weight(count_t sent_to_each, count_t received_from_each) {
    alike found;
    if constexpr (!placed && !unequal && one_call) {
      found = weight_of<Arguments, keys::send_type>(arguments, source.buffer(), sent_to_each);
      if constexpr (Arguments::template has<keys::recv_count>)
        found.add(weight_of<Arguments, keys::recv_type>(arguments, received.buffer(),
                                                        received_from_each));
    }
    return found;
  }
  // What each rank sends to each against what that one expects.
  void require_balance() {
    balance all;
    const count_t unit = unit_of<Arguments, keys::recv_type>(arguments, received.buffer());
    const auto received_length = [&](std::size_t i) { return weighed(layout.length(i), unit); };
    if constexpr (placed) {
      weigh_parts<Operation>(all, group, layout.size(), received_length, layout.size(),
                             received_length);
    } else {
      const count_t sent_unit = unit_of<Arguments, keys::send_type>(arguments, source.buffer());
      if (divides || sent_unit == 0 || unit == 0) all.cannot_tell();
      weigh_parts<Operation>(
          all, group, sent.size(),
          [&](std::size_t i) { return weighed(sent.length(i), sent_unit); }, layout.size(),
          received_length);
    }
    all.require(group.comm);
  }
  template <class Io>
  void divide_equally() {
    if constexpr (placed) {
      layout.each = layout.size() == 0 ? 0 : received.room() / static_cast<count_t>(layout.size());
      if constexpr (compares_type::possible)
        if (compares.now) [[unlikely]]
          agree_on<Io>(layout.each, layout.each);
      received.pack(failure);
    } else {
      if constexpr (!Fits) failure.attempt([this] { source.buffer().pack(); });
      const count_t all = source.buffer().length();
      const std::size_t ranks = sent.size();
      const auto each =
          static_cast<count_t>(ranks == 0 ? 0 : static_cast<std::size_t>(all) / ranks);
      sent.each = arguments.template value_or<keys::send_count>(each);
      layout.each = arguments.template value_or<keys::recv_count>(sent.each);
      if constexpr (!sees_all<Operation> && !Arguments::template has<keys::recv_count>)
        if (ranks == 0) [[unlikely]]
          expect_what_fits();
      if constexpr (compares_type::possible)
        if (compares.now) [[unlikely]] {
          agree_on<Io>(sent.each, layout.each);
          if constexpr (!sees_all<Operation>) require_balance();
        }
      if constexpr (Fits) return;
      if (Arguments::template has<keys::send_count> ? !sendable(sent.each) || sent.extent() > all
                                                    : sent.extent() != all) [[unlikely]] {
        failure.attempt(
            [] { refuse_counts("send_buf needs equally many elements for each rank"); });
        refused = true;
        if (!sendable(sent.each)) sent.each = each;
        if (Arguments::template has<keys::recv_count> && sendable(layout.each))
          sent.each = layout.each;
        layout.each = sent.each;
      }
      if constexpr (Arguments::template has<keys::recv_count>)
        layout.each = meant<typename sink::adapter::wire>(failure, layout.each, sent.each);
      if constexpr (compares_own)
        if (layout.each != sent.each) [[unlikely]] {
          failure.attempt([] { refuse_own_part(); });
          refused = true;
          sent.each = layout.each;  // the other ranks count on what the counts say
        }
      received.place(failure, layout.extent());
    }
  }
  // A process without destinations knows from its buffer alone how long the parts are that it receives.
  void expect_what_fits() {
    if (layout.size() == 0) return;
    if constexpr (sink::adapter::fixed)
      layout.each = received.room() / static_cast<count_t>(layout.size());
    else
      failure.attempt([] {
        refuse_counts(
            "a process without destinations needs recv_count or a recv_buf of the length that "
            "it receives");
      });
  }
  [[nodiscard]] static bool sendable(count_t n) noexcept {
    return can_be_meant<typename source_type::wire>(n);
  }
  void divide() {
    if constexpr (divides) {
      source.pack_parts(failure, sent);
      sent.lay_out();
    } else {
      // Where no length travels, nobody knows what the others expect: no rank gets further.
      if constexpr (one_call)
        divide_as_given();
      else
        refused = !failure.attempt([this] { divide_as_given(); }) || failure.any();
    }
  }
  void divide_as_given() {
    if constexpr (Fits) return;
    if constexpr (checked<Arguments, checks::light> && seen_at_once<sent_type>) {
      if (!sent.lies_in(static_cast<std::size_t>(destinations<Operation>(group)),
                        source.buffer().length())) [[unlikely]]
        lay_out_carefully();
    } else {
      lay_out_carefully();
    }
    if constexpr (one_call && needs_memory<typename source_type::adapter>)
      failure.attempt([this] { source.buffer().pack(); });
    else
      source.buffer().pack();
  }
  void lay_out_carefully() {
    if constexpr (checked<Arguments, checks::light>)
      require_layout(sent, static_cast<std::size_t>(destinations<Operation>(group)));
    sent.lay_out();
    if constexpr (checked<Arguments, checks::light> || computes_layout<sent_type>)
      require_room(source.buffer().length(), sent.extent());
  }
  [[nodiscard]] bool own_part_fits() const {
    const auto self = static_cast<std::size_t>(group.rank);
    return sent.length(self) == layout.length(self);
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
    if constexpr (placed) received.pack(failure);
    if constexpr (checked<Arguments, checks::light>)
      require_layout(layout, static_cast<std::size_t>(sources<Operation>(group)));
    layout.lay_out();
    if constexpr (compares_own)
      if (!own_part_fits()) [[unlikely]]
        failure.attempt([] { refuse_own_part(); });
    if constexpr (!sink::adapter::fixed || checked<Arguments, checks::light> ||
                  computes_layout<received_type>)
      received.place(failure, layout.extent());
  }
  void place_agreed() {
    for (std::size_t i = 0; i < layout.size(); ++i)
      layout.set_length(i, sent.size() == 0 ? 0 : sent.length(0));
    place_where_told(*this);
    received.place(failure, layout.lay_out());
  }

  bool agree(int& code) {
    if constexpr (merges)
      return agree_merged(code);
    else
      return agree_apart(code);
  }
  bool agree_apart(int& code) {
    // All ranks exchange the lengths as MPI_Count, whatever their own arrays are.
    layout.expect_lengths();
    if constexpr (sees_all<Operation>) {
      count_t* const words = layout.spare();
      tell(words, layout.size());
      now{code}(lengths_by<Operation>(), words, count_t{1}, count_type(), layout.lengths(),
                count_t{1}, count_type(), group.comm);
    } else {
      block<count_t> words(static_cast<std::size_t>(destinations<Operation>(group)));
      tell(words.data(), words.size());
      tell_neighbors(code, words.data());
    }
    if (code != MPI_SUCCESS) [[unlikely]] {
      refuse_data(code, layout.data_came());
      return false;
    }
    const count_t all = read_lengths<Operation>(group, layout);
    place_where_told(*this);
    received.place(failure, layout.lay_out(all));
    return true;  // only those who get something from a rank know that it failed
  }
  void tell(count_t* words, std::size_t count) const noexcept {
    for (std::size_t i = 0; i < count; ++i)
      words[i] = marked_one(refused ? poison : static_cast<count_t>(sent.lengths()[i]));
  }
  // By the function that moves the parts, too: on a ring of one or two, where both neighbors are one
  // rank, MPICH before 4.1 orders them in MPI_Neighbor_alltoall in another way.
  void tell_neighbors(int& code, const count_t* lengths) {
    const auto most =
        static_cast<std::size_t>(1 + destinations<Operation>(group) + sources<Operation>(group));
    block<int> ones(most);
    block<int> places(most);
    for (std::size_t i = 0; i < most; ++i) {
      ones[i] = 1;
      places[i] = static_cast<int>(i);
    }
    now{code}(unequal_calls<Operation>(), lengths, ones.data(), places.data(), count_type(),
              layout.lengths(), ones.data(), places.data(), count_type(), group.comm);
  }
  /// Both messages. Nothing is left to be done then.
  bool agree_merged(int& code) {
    const lent out = source.out(arguments);
    merged::receiving_parts to{receiving_of(*this), layout};
    const auto from = merged::payload::of<typename source_type::wire>(out, 0);
    const auto parts = merged::sent_layout::of(sent, failure.any());
    code = merged::alltoallv(group, from, parts, to);
    take_failed(*this, to.failed);
    return false;
  }

  void call(auto io) {
    const lent in = received.in(failure, arguments, 0);
    if constexpr (placed && unequal) {
      const lent out = lent_in_place();
      layout.visit([&](auto counts, auto displacements) {
        io(unequal_calls<Operation>(), out.address, counts, displacements, in.type, in.address,
           counts, displacements, in.type, group.comm);
      });
    } else if constexpr (placed) {
      const lent out = lent_in_place();
      io(typename Operation::calls(), out.address, layout.each, in.type, in.address, layout.each,
         in.type, group.comm);
    } else if constexpr (unequal) {
      if constexpr (!one_call && !divides)
        if (refused) [[unlikely]]
          return call_without_sending(io, in);
      call_with(io, source.out_or_zeros(failure, arguments, sent.extent()), sent, in);
    } else {
      const lent out = refused ? source.zeros(failure, sent.extent())
                               : source.out_or_zeros(failure, arguments, sent.extent());
      if constexpr (sees_all<Operation>)
        io(typename Operation::calls(), out.address, sent.each, out.type, in.address, layout.each,
           in.type, group.comm);
      else
        call_with_sides<Operation>(io, group.comm, {out.address, sent.each, out.type},
                                   {in.address, layout.each, in.type}, sent.size() == 0,
                                   layout.size() == 0);
    }
  }
  template <class Sent>
  void call_with(auto io, const lent& out, const Sent& table, const lent& in) {
    // MPICH takes two empty buffers without address for one that is given twice.
    void* const into = in.address != nullptr ? in.address : &no_array;
    const bool told = visit_both<decltype(io)::blocking>(
        table, layout, [&](auto counts, auto places, auto more, auto others) {
          const auto* leaving = counts;
          const auto* coming = more;
          if constexpr (compares_own && !Fits)
            if (failure.any()) [[unlikely]]
              shorten_own(leaving, coming);
          io(unequal_calls<Operation>(), out.address, leaving, places, out.type, into, coming,
             others, in.type, group.comm);
        });
    if (!told) [[unlikely]]
      io.code = MPI_ERR_COUNT;
  }
  // No other rank sees this rank's own part: where the two sides differ, MPI is told the shorter.
  template <class Integer>
  [[gnu::cold, gnu::noinline]] void shorten_own(const Integer*& leaving, const Integer*& coming) {
    const auto self = static_cast<std::size_t>(group.rank);
    if (leaving[self] > coming[self])
      leaving = failure.with_own(leaving, sent.size(), self, coming[self]);
    else if (coming[self] > leaving[self])
      coming = failure.with_own(coming, layout.size(), self, leaving[self]);
  }
  [[gnu::cold]] void call_without_sending(auto io, const lent& in) {
    detail::computed_layout nothing(static_cast<std::size_t>(destinations<Operation>(group)));
    nothing.expect_lengths();
    nothing.lay_out();
    call_with(io, {nullptr, 0, datatype_of<typename source_type::wire>()}, nothing, in);
  }
  void finish() {
    throw_failures(*this);
    received.buffer().unpack_parts(layout);
    deliver_layout<keys::recv_counts_out, keys::recv_displs_out>(arguments, layout);
    deliver_layout<keys::send_counts_out, keys::send_displs_out>(arguments, sent);
    if constexpr (!unequal) {
      deliver_count<keys::send_count_out>(arguments, sent.each);
      deliver_count<keys::recv_count_out>(arguments, layout.each);
    }
  }
  [[nodiscard]] bool keeps_memory() const noexcept {
    return source.keeps_memory() && received.keeps_memory() && sent_table::keeps_memory &&
           received_table::keeps_memory;
  }
  auto results() { return detail::results<recv_key<Arguments>>(received, source, arguments); }

  using compares_type = comparing<Arguments>;
  group_view group;
  [[no_unique_address]] compares_type compares;
  Arguments arguments;
  failure_type failure;
  source_type source;
  receiver<sink, Arguments, failure_type, short_of> received;
  sent_type sent;
  received_type layout;
  int failed = nobody_failed;  // the first rank that did
  // What failed here where a second message may follow.
  [[no_unique_address]] parked_if<short_of == short_of_memory::behind> parked;
  bool refused = false;  // what the program wants to send cannot be meant
};

}  // namespace mpiglot::detail
