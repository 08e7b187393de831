// Elements of all ranks combined: reduce, allreduce, scan, exscan, reduce_scatter and their like.
//
// The operation says: `calls` (the triple), and `receives`, what of the combined elements a rank
// gets: all of them, an equal block, or as many as recv_counts say.

#pragma once

#include <cstdint>

#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/detail/collectives/common.hpp>
#include <mpiglot/detail/collectives/elements_beside.hpp>
#include <mpiglot/detail/collectives/reduction.hpp>

namespace mpiglot::wrong_call {

template <class Parameter, class Operation>
struct encoded_buffer_cannot_be_combined {};

}  // namespace mpiglot::wrong_call

namespace mpiglot::detail {

/// The defect of the blocking form in place, of which nothing is met if a copy of the elements is
/// sent: `Operation::in_place_defect`, or null.
template <class Operation>
inline constexpr const char* in_place_defect = nullptr;
template <class Operation>
  requires requires { Operation::in_place_defect; }
inline constexpr const char* in_place_defect<Operation> = Operation::in_place_defect;

enum class share { all, block, counts };

/// Throws on all ranks where the loaded MPI writes beyond its memory: it gives parts of elements with a gap
/// at their end, combined by an operation that does not commute (reduce-scatter-of-gaps).
[[gnu::cold, gnu::noinline]] inline void require_no_outer_gap(const char* operation,
                                                              mpi::datatype_handle type,
                                                              mpi::op_handle combines) {
  const char* const sentence = library_defect("reduce-scatter-of-gaps");
  if (sentence == nullptr || !has_outer_gap(type.native)) return;
  int commutes = 0;
  if (MPIGLOT_MPI(MPI_Op_commutative)(combines.native, &commutes) == MPI_SUCCESS && commutes == 0)
    refuse_defect(operation, sentence);
}

/// recv_counts as MPI takes them: lent as they are, or copied from other integers.
template <class Arguments>
struct counts_for_mpi {
  [[nodiscard]] const auto* of(Arguments& given) const noexcept {
    return std::data(given.template get<keys::recv_counts>().value);
  }
};
template <class Arguments>
  requires(Arguments::template has<keys::recv_counts> &&
           !lendable<typename parameter_of<Arguments, keys::recv_counts>::type, absent>)
struct counts_for_mpi<Arguments> {
  using integer = std::conditional_t<mpi::has_large_counts, count_t, int>;

  [[nodiscard]] const integer* of(Arguments& given) {
    const auto& counts = given.template get<keys::recv_counts>().value;
    copied.resize(std::size(counts));
    for (std::size_t i = 0; i < copied.size(); ++i) {
      const auto each = static_cast<count_t>(std::data(counts)[i]);
      if (!mpi::detail::fits<integer>(each)) [[unlikely]]
        refuse_counts(too_many);
      copied[i] = static_cast<integer>(each);
    }
    return copied.data();
  }

  static constexpr const char* too_many = "recv_counts are larger than this MPI can be told";
  block<integer> copied;
};

/// `Fits`: the lengths have been looked at and are right.
template <class Operation, class Arguments, bool Fits = false>
struct reducing : defaults {
  static constexpr bool placed = in_place<Arguments>;
  static constexpr bool rooted = is_rooted<Operation>;
  using message = sending_of<Arguments, form::elements>;
  using source_type = typename message::type;
  using wire = typename source_type::wire;
  using sent = typename parameter_of<Arguments, send_key<Arguments>>::type;
  static constexpr bool sends_array = gives_one_value<Operation> && array_value<sent>;
  using default_result = std::conditional_t<
      sends_array, plain_t<sent>,
      std::conditional_t<gives_one_value<Operation>&& __is_same(wire, bool), bool,
                         single_or<Operation, typename message::gathered>>>;
  using sink = sink_of<Arguments, default_result, form::elements>;
  using op_type = reduction<typename parameter_of<Arguments, keys::op>::type, wire, Operation>;

  static constexpr const char* name = Operation::name;
  // The program says how elements lie in memory; others have no gap.
  static constexpr bool names_datatype = has_own_datatype<wire> ||
                                         Arguments::template has<keys::send_type> ||
                                         Arguments::template has<keys::recv_type>;
  static constexpr bool asks = asks_itself<Arguments>;
  static constexpr bool one_call = source_type::uniform;
  static constexpr bool movable =
      source_type::movable && sink::adapter::movable &&
      layout_of<Arguments, keys::recv_counts, keys::recv_displs>::movable;
  using combined = source_of<Arguments, form::elements>;
  using complaint_about_op = std::conditional_t<
      is_encoded<combined> || !combined::uniform,
      wrong_call::encoded_buffer_cannot_be_combined<send_key<Arguments>, Operation>,
      std::conditional_t<
          !__is_same(typename op_type::complaint, nothing_wrong), typename op_type::complaint,
          std::conditional_t<gives_one_value<Operation> && !source_type::agreed && !sends_array,
                             wrong_call::buffer_is_no_single_value<keys::send_buf, Operation>,
                             nothing_wrong>>>;
  using complaint = typename first_complaint<
      complaint_about_op,
      typename complaint_between<Operation, Arguments, source_type, sink>::type>::type;
  using last_question = typename op_type::question;
  // One value is combined to one value.
  static constexpr bool may_fail = source_type::fails || Operation::receives != share::all ||
                                   needs_memory<typename sink::adapter> ||
                                   !gives_one_value<Operation>;
  using failure_type = failure_if<!Fits && may_fail>;

  /// The same where nothing can fail any more, and when that is so.
  using fitting = reducing<Operation, Arguments, true>;
#ifndef __clang__
  using lies_in_memory = void;  // of a request: g++ needs up to four instructions less
#endif
  static constexpr bool may_fit = may_fail && !placed && Operation::receives != share::counts &&
                                  plain_side<Arguments, keys::send_buf, combined> &&
                                  plain_side<Arguments, keys::recv_buf, typename sink::adapter>;
  template <class Io = now>
  [[nodiscard, gnu::always_inline]] static bool fits(const group_view& on,
                                                     const auto&... parameters) noexcept {
    const auto said = said_lengths::of(parameters...);
    std::size_t n = said.sent;
    if constexpr (Arguments::template has<keys::send_count>) n = said.send_count;
    if (n > said.sent) return false;
    if (rooted && on.rank != said.root) return true;
    if constexpr (Operation::receives == share::block) {
      const auto ranks = static_cast<unsigned>(on.size);
      return ranks != 0 && n % ranks == 0 && n / ranks <= said.room;
    }
    return n <= said.room;
  }

  reducing(const group_view& on, Arguments&& given)
      : group(on),
        compares(on),
        arguments(static_cast<Arguments&&>(given)),
        source(arguments),
        received(arguments, source),
        op(arguments.template get<keys::op>().value) {}

  [[nodiscard]] int root() noexcept { return arguments.template value_or<keys::root>(0); }
  [[nodiscard]] bool receives() noexcept { return !rooted || group.rank == root(); }
  [[nodiscard]] bool uses_received() noexcept { return placed || receives(); }

  static constexpr const char* what_differs = "ranks give different roots, lengths or counts";
  template <class Io = now>
  void prepare() {
    prepare_elements<Io>();
    prepare_result();
  }
  template <class Io>
  [[gnu::always_inline]] void prepare_elements() {
    if constexpr (placed) {
      length = received.room();
    } else {
      if constexpr (!Fits) source.pack(failure, arguments);
      length = source.expected(arguments);
    }
    if constexpr (compares_type::possible)
      if (compares.now) [[unlikely]]
        require_agreement_of<Io, Operation>(
            *this, source, received, root_or_counts(), length,
            weight_of<Arguments, keys::recv_type>(arguments, received.buffer(), length));
    if constexpr (checked<Arguments, checks::normal> && rooted) require_rank(root(), group.size);
    if constexpr (placed) received.template pack<true>(failure);
    if constexpr (Operation::receives == share::block) take_block();
    if constexpr (Operation::receives == share::counts) take_counted();
  }
  [[gnu::always_inline]] void prepare_result() {
    if (!Fits && !placed && receives()) received.template place<true>(failure, length);
  }
  // One number for all counts: all ranks give the same ones.
  [[nodiscard]] count_t root_or_counts() {
    if constexpr (Operation::receives != share::counts) {
      return root();
    } else {
      std::uint64_t mark = 0;
      for (const auto each : arguments.template get<keys::recv_counts>().value)
        mark = mark * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(each) + 1;
      return static_cast<count_t>(mark >> 1);
    }
  }
  void take_block() {
    require_member(group);
    const auto all = static_cast<std::size_t>(length);
    const auto ranks = static_cast<unsigned>(group.size);
    if (!Fits && all % ranks != 0) [[unlikely]]
      failure.attempt([] { refuse_counts("send_buf needs equally many elements for each rank"); });
    length = static_cast<count_t>(all / ranks);
  }
  void take_counted() {
    require_member(group);
    auto& given = arguments.template get<keys::recv_counts>().value;
    count_t all = 0, signs = 0;
    for (const auto each : given) {
      all += static_cast<count_t>(each);
      signs |= static_cast<count_t>(each);
    }
    const auto refuse = [] {
      refuse_counts("recv_counts need one element per rank and add up to the length of send_buf");
    };
    if (signs < 0 || std::size(given) != static_cast<std::size_t>(group.size)) [[unlikely]]
      refuse();
    if (all != length) [[unlikely]] {
      failure.attempt(refuse);
      expected = all;
    }
    length = static_cast<count_t>(std::data(given)[group.rank]);
  }

  void call(auto io) {
    const lent out = lend();
    lent in = received.in(failure, arguments, length);
    if constexpr (placed && Operation::receives == share::counts)
      if (expected > 0) [[unlikely]]
        in = {static_cast<wire*>(out.address) + expected, length, out.type};
    // What is no receive buffer here must not look like the one that is sent.
    if constexpr (placed && rooted)
      if (!receives()) in.address = nullptr;
    const auto type = op.datatype(in.type);
    if constexpr (Operation::receives != share::all && names_datatype)
      require_no_outer_gap(name, type, op.handle());
    if constexpr (placed && decltype(io)::blocking && in_place_defect<Operation> != nullptr)
      if (receives() && (!rooted || group.rank != 0) &&
          library_defect(in_place_defect<Operation>) != nullptr) [[unlikely]] {
        const elements_beside beside(in.address, elements_in_place(), type);
        if (beside.data() != nullptr)
          return reduce(io, {beside.data(), out.count, out.type}, in, type);
      }
    // Communicators are not `direct` where the loaded MPI needs it.
    if constexpr (rooted && decltype(io)::blocking && checked<Arguments, checks::normal>)
      if (group.rank == 0 && !receives()) [[unlikely]]
        in.address = memory_of_rank_0(in.address, length, type);
    reduce(io, out, in, type);
  }
  /// The elements that this rank gives where they are received, too.
  [[nodiscard]] count_t elements_in_place() {
    if constexpr (Operation::receives == share::counts)
      return expected > 0 ? 0 : received.room();
    else
      return length;
  }
  void reduce(auto io, const lent& out, const lent& in, const auto& type) {
    if constexpr (Operation::receives == share::counts)
      io(typename Operation::calls(), out.address, in.address, counts.of(arguments), type,
         op.handle(), group.comm);
    else if constexpr (rooted)
      io(typename Operation::calls(), out.address, in.address, length, type, op.handle(), root(),
         group.comm);
    else
      io(typename Operation::calls(), out.address, in.address, length, type, op.handle(),
         group.comm);
  }
  [[nodiscard]] lent lend() {
    if constexpr (!placed && Operation::receives == share::counts) {
      if (expected > 0) [[unlikely]]
        return source.template zeros<true>(failure, expected);
      return source.template out_expected<true>(failure, arguments);
    } else if constexpr (!placed) {
      return source.template out_expected<true>(failure, arguments);
    } else if constexpr (Operation::receives == share::counts) {
      if (expected > 0) [[unlikely]]
        return stand_in();
      return lent_in_place();
    } else {
      return receives() ? lent_in_place() : received.out(failure);
    }
  }
  // What the others count on, and room for what comes back, beside a buffer of another length.
  [[nodiscard, gnu::always_inline]] lent stand_in() {
    const auto elements = static_cast<std::size_t>(expected + length);
    return {failure.whole_stand_in(elements, sizeof(wire)), expected, datatype_of<wire>()};
  }
  void finish() {
    failure.rethrow();
    deliver_count<keys::send_count_out>(arguments, length);
    if (!receives()) return;
    if constexpr (Arguments::template has<keys::values_on_rank_0>) {
      if (group.rank == 0) begin_with(arguments.template get<keys::values_on_rank_0>().value);
    } else if constexpr (Operation::accepts::template contain<keys::values_on_rank_0> &&
                         !Arguments::template has<keys::recv_buf> && !placed) {
#ifndef NDEBUG
      if (group.rank == 0 && shows_unwritten) begin_with(wire());
#endif
    }
    received.buffer().unpack(length);
  }
  // What an exclusive scan leaves undefined: one value for all elements, or a value for each.
  template <class Values>
  void begin_with(const Values& values) {
    auto* to = static_cast<wire*>(received.in(failure, arguments, length).address);
    for (count_t i = 0; i < length; ++i) {
      if constexpr (has_elements<const Values>)
        to[i] = std::data(values)[i];
      else if constexpr (value_array<Values>)
        to[i] = values[static_cast<std::size_t>(i)];
      else
        to[i] = values;
    }
  }
  [[nodiscard]] bool keeps_memory() const noexcept {
    return source.keeps_memory() && received.keeps_memory() && op_type::keeps_memory &&
           layout_of<Arguments, keys::recv_counts, keys::recv_displs>::keeps_memory;
  }
  auto results() { return detail::results<recv_key<Arguments>>(received, source, arguments); }

  using compares_type = comparing<Arguments>;
  group_view group;
  [[no_unique_address]] compares_type compares;
  Arguments arguments;
  [[no_unique_address]] failure_type failure;
  [[no_unique_address]] source_type source;
  receiver<sink, Arguments, failure_type> received;
  op_type op;
  [[no_unique_address]] counts_for_mpi<Arguments> counts;
  count_t length = 0;
  count_t expected = 0;  // by the others, of a buffer that is not as long as the counts say
};

}  // namespace mpiglot::detail
