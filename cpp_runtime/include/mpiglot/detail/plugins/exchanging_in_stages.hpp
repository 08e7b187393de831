// An alltoallv whose parts travel by a route of a plugin, in stages while the program goes on.

#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include <mpiglot/detail/collectives/exchanging.hpp>
#include <mpiglot/detail/merged/slots.hpp>
#include <mpiglot/detail/plugins/staged_exchange.hpp>

namespace mpiglot::detail {

/// Parts that came, and of which rank each is; without ranks: one of each, in their order.
template <class T>
struct arrived_parts {
  parts_of<T> parts;
  std::span<const int> sources{};
};

/// The parts that this rank sends, as the route takes them: the program's memory where they lie there one after
/// another, else a copy.
template <class T>
class leaving_parts {
 public:
  void open(const merged::payload& all, const merged::sent_layout& sent, std::size_t ranks,
            mpi::comm_handle comm) {
    element_ = size_of(all.from, all.plain, all.width);
    unit_ = element_ / static_cast<count_t>(sizeof(T));
    if (element_ % static_cast<count_t>(sizeof(T)) != 0) raise(MPI_ERR_TYPE, "mpiglot");
    counts_.resize(ranks);
    const std::size_t step = step_of(all.from, all.plain, all.width);
    sent.visit([&](auto lengths, auto places) {
      bool dense = all.plain;
      const std::byte* first = nullptr;
      const std::byte* next = nullptr;
      std::size_t room = 0;
      for (std::size_t i = 0; i < ranks; ++i) {
        const auto n = static_cast<count_t>(lengths[i]);
        counts_[i] = n * unit_;
        room += static_cast<std::size_t>(counts_[i]);
        if (n == 0) continue;
        const auto* const part = static_cast<const std::byte*>(all.from.address) +
                                 static_cast<std::size_t>(places[i]) * step;
        if (first == nullptr) first = next = part;
        dense = dense && part == next;
        next += static_cast<std::size_t>(n) * step;
      }
      elements_ = static_cast<const T*>(static_cast<const void*>(first));
      if (dense || room == 0) return;
      copy_.resize(room);
      elements_ = copy_.data();
      T* to = copy_.data();
      for (std::size_t i = 0; i < ranks; ++i) {
        const auto n = static_cast<count_t>(lengths[i]);
        if (n == 0) continue;
        lent part = all.from;
        part.address =
            static_cast<std::byte*>(part.address) + static_cast<std::size_t>(places[i]) * step;
        part.count = n;
        const auto size = static_cast<std::size_t>(counts_[i]);
        const merged::payload packed{part, n, all.width, all.plain};
        mpi::detail::check(
            packed.pack(reinterpret_cast<std::byte*>(to), size * sizeof(T), comm).code, "MPI_Pack");
        to += size;
      }
    });
  }
  [[nodiscard]] parts_of<T> parts() const noexcept { return {elements_, counts_}; }
  /// The bytes of an element of the program, and how many `T` it is.
  [[nodiscard]] count_t element() const noexcept { return element_; }
  [[nodiscard]] count_t unit() const noexcept { return unit_; }

  [[nodiscard]] static count_t size_of(const lent& memory, bool plain, std::size_t width) {
    return plain ? static_cast<count_t>(width) : bytes_of_one(memory.type);
  }
  [[nodiscard]] static std::size_t step_of(const lent& memory, bool plain, std::size_t width) {
    if (plain) return width;
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    mpi::detail::check(MPIGLOT_MPI(MPI_Type_get_extent)(memory.type.native, &lower, &extent),
                       "MPI_Type_get_extent");
    return static_cast<std::size_t>(extent);
  }

 private:
  count_t element_ = 0;
  count_t unit_ = 1;
  const T* elements_ = nullptr;
  std::vector<count_t> counts_;
  elements_on_the_way<T> copy_;
};

/// What the stages of a call share, a `stage_context`: what the communicator keeps for the operation, or a part of it.
template <class Operation, class Arguments>
[[nodiscard]] auto& context_of(typename Operation::kept& all, [[maybe_unused]] Arguments& given) {
  if constexpr (requires { Operation::context(all, given); })
    return Operation::context(all, given);
  else
    return all;
}

/// The steps of an exchange in flight: those of its route.
template <class State>
class route_in_flight {
  using operation = typename State::operation;
  using element = typename State::element;
  using route = typename operation::template route<element>;
  using kept = typename operation::kept;

 public:
  explicit route_in_flight(State& of) noexcept : of_(of) {}

  [[nodiscard]] stage_context& context(kept& all) {
    context_ = &context_of<operation>(all, of_.arguments);
    return *context_;
  }
  void open() {
    of_.failure.rethrow();
    const lent out = of_.source.out(of_.arguments);
    leaving_.open(merged::payload::of<typename State::source_type::wire>(out, 0),
                  merged::sent_layout::of(of_.sent, false),
                  static_cast<std::size_t>(of_.group.size), of_.group.comm);
  }
  void take_off(kept&) {
    route_.emplace(*context_, of_.group, leaving_.parts(), leaving_.element());
  }
  [[nodiscard]] int stages() const { return route_->stages(); }
  void begin(int stage, troubles& met) { route_->begin(stage, met); }
  [[nodiscard]] bool completed(int stage, troubles& met) { return route_->completed(stage, met); }
  static constexpr std::size_t told = told_by<route>;
  void tell(count_t* numbers)
    requires(told != 0)
  {
    route_->tell(numbers);
  }
  void learn(const count_t* largest, troubles& met)
    requires(told != 0)
  {
    route_->learn(largest, met);
  }
  // On a communicator that is still there, which that of the program may not be.
  void conclude() { of_.deliver(route_->received(), leaving_, context_->verdict.handle()); }

 private:
  using context_type = std::remove_reference_t<decltype(context_of<operation>(
      std::declval<kept&>(), std::declval<State&>().arguments))>;

  State& of_;
  leaving_parts<element> leaving_;
  context_type* context_ = nullptr;
  std::optional<route> route_;
};
template <class State>
class exchange_in_flight final
    : public flight<route_in_flight<State>, typename State::operation::kept> {
  using steps = route_in_flight<State>;

 public:
  exchange_in_flight(State& of, mpi::comm_handle comm, int rank) noexcept
      : flight<steps, typename State::operation::kept>(steps_, comm, rank), steps_(of) {}

 private:
  steps steps_;
};

/// The state of an alltoallv by a route.
template <class Operation, class Arguments>
struct exchanging_in_stages
    : made_in_stages<exchanging<Operation, Arguments>, exchanging_in_stages<Operation, Arguments>,
                     exchange_in_flight<exchanging_in_stages<Operation, Arguments>>> {
  using base = exchanging<Operation, Arguments>;
  using operation = Operation;
  using wire = typename base::source_type::wire;
  /// What travels: elements, where all ranks know what they are and a vector of them has them in memory, else bytes.
  using element = std::conditional_t<
      given_type<Arguments, typename base::source_type::adapter, keys::send_type> ||
          has_own_datatype<wire> || !std::is_default_constructible_v<wire> ||
          std::is_same_v<wire, bool>,
      std::byte, wire>;

  using exchanging_in_stages::made_in_stages::made_in_stages;

  /// Puts what has come where the program wants it.
  void deliver(const arrived_parts<element>& came, const leaving_parts<element>& own,
               mpi::comm_handle comm) {
    auto& table = this->layout;
    if (!table.allocated()) table.allocate();
    const std::size_t ranks = table.size();
    if (came.parts.counts.size() != ranks) raise(MPI_ERR_INTERN, base::name);
    std::vector<const element*> places(ranks);
    const element* next = came.parts.elements;
    count_t all = 0;
    for (std::size_t i = 0; i < ranks; ++i) {
      const std::size_t rank = came.sources.empty() ? i : static_cast<std::size_t>(came.sources[i]);
      const count_t n = came.parts.counts[i] / own.unit();
      table.set_length(rank, n);
      places[rank] = next;
      next += came.parts.counts[i];
      all += n;
    }
    const merged::receiving to = receiving_of(*this);
    const merged::room into = to.make_room(all);
    table.lay_out();
    throw_failures(*this);
    if (all != 0) put(places, into, to.width, own, comm);
    base::finish();
  }

 private:
  void put(const std::vector<const element*>& places, const merged::room& into, std::size_t width,
           const leaving_parts<element>& own, mpi::comm_handle comm) {
    using parts = leaving_parts<element>;
    const std::size_t step = parts::step_of(into.memory, into.plain, width);
    if (parts::size_of(into.memory, into.plain, width) != own.element())
      raise(MPI_ERR_TYPE, base::name);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const count_t n = this->layout.length(i);
      if (n == 0) continue;
      lent part = into.memory;
      part.address = static_cast<std::byte*>(part.address) +
                     static_cast<std::size_t>(this->layout.displacement(i)) * step;
      part.count = n;
      const auto* const from = reinterpret_cast<const std::byte*>(places[i]);
      const int code = merged::unpack(from, {part, into.plain}, n, width, comm);
      if (code != MPI_SUCCESS) raise(code, base::name);
    }
  }
};

/// What such an operation accepts, and its state.
template <class Operation, class... More>
struct alltoallv_by_route {
  using accepts = names<keys::send_buf, keys::send_buf_out, keys::send_counts,
                        keys::send_counts_out, keys::send_displs, keys::send_displs_out,
                        keys::send_type, keys::recv_buf, keys::recv_type, keys::recv_displs,
                        keys::recv_counts_out, keys::recv_displs_out, More...>;
  using needs = names<keys::send_buf>;
  using lengths = keys::send_counts;  // what a call lacks without it
  static constexpr bool varying = true;
  template <class Arguments>
  using state = exchanging_in_stages<Operation, Arguments>;
};

}  // namespace mpiglot::detail
