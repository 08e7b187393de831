// Traversers that are shared out among the ranks of a communicator: one dimension is the rank.
//
//   auto all = traverser(matrix) ^ into_blocks<'i', 'r', 'y'>();
//   auto mine = mpi_traverser<'r'>(all, comm);      // as many blocks as there are ranks
//   auto tile = bag(scalar<double>() ^ vectors_like<'y', 'j'>(mine));
//   mine.scatter(send_buf(matrix), recv_buf(tile));

#pragma once

#include <mpiglot/communicator.hpp>
#include <mpiglot/layouts/given_parts.hpp>

namespace mpiglot::layouts {

/// A traverser whose dimension `Name` is the rank in a communicator. It is used as the traverser of
/// this rank's part, and its operations exchange elements between bags of different layouts: a bag
/// is read in the order of the traverser, whatever its own is. A dimension of a bag is one of the
/// structures that the traverser was made of, or has the name and the length of one of the
/// traverser's own. The traverser must be the same on all ranks.
template <auto Name, class Order, class Outer, class Communicator>
class mpi_traverser_of {
  using all_order = Order;

 public:
  mpi_traverser_of(const traverser_of<Order, Outer>& all, const Communicator& comm)
      : all_(all), comm_(&comm) {}
  /// A traverser does not keep a communicator, whose destructor is collective.
  mpi_traverser_of(const traverser_of<Order, Outer>& all, const Communicator&& comm) = delete;

  /// The communicator. It must live as long as the traverser.
  [[nodiscard]] const Communicator& comm() const noexcept { return *comm_; }
  /// The rank in the communicator: the index of the dimension `Name`.
  [[nodiscard]] int rank() const { return comm_->rank(); }
  /// The number of ranks.
  [[nodiscard]] int size() const { return comm_->size(); }
  /// The traverser of all ranks' parts.
  [[nodiscard]] const traverser_of<Order, Outer>& all() const noexcept { return all_; }
  /// The traverser of the part of `rank`.
  template <class Rank>
  [[nodiscard]] auto part(Rank rank) const {
    using verdict = detail::integer_or_wrong<Name, Rank>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    const count_t at = detail::number(rank);
    const auto order = detail::fixed<Name>(all_.order(), at);
    const auto outer = all_.state() & indices<index<Name, count_t>>{{at}};
    return traverser_of<std::remove_cv_t<decltype(order)>, std::remove_cv_t<decltype(outer)>>(
        order, outer);
  }
  /// The axes of this rank's part.
  [[nodiscard]] auto layout() const { return detail::fixed<Name>(all_.order(), rank()); }
  /// The index of this rank.
  [[nodiscard]] auto state() const { return part(rank()).state(); }

  /// The communicator of the ranks that differ from this one in `Dimensions` alone, ordered by them:
  /// parts of a merged rank dimension, such as the rows of a grid. Collective.
  template <auto... Dimensions>
  [[nodiscard]] auto split_along() const {
    const auto parts = detail::components(detail::axis_in<Name>(all_.order().axes));
    using verdict = detail::first_wrong_of<
        detail::has_or_wrong<detail::mapping<all_order, decltype(parts)>, Dimensions>...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    detail::place_in_grid place{rank(), 0, 0};
    if constexpr (detail::is_right<verdict>) {
      count_t left = size();
      detail::place_along<Dimensions...>(place, left, parts);
    }
    return comm_->split(static_cast<int>(place.others), static_cast<int>(place.along));
  }

  /// `traverser_of::for_each` of this rank's part.
  template <class F>
  void for_each(const F& f) const {
    part(rank()).for_each(f);
  }
  /// `traverser | parallel<...>(f)` of this rank's part.
  template <auto Dimension, class F>
  friend void operator|(const mpi_traverser_of& over,
                        const detail::parallel_walk<Dimension, F>& with) {
    over.part(over.rank()) | with;
  }
  /// The same as `for_each`.
  template <class F>
    requires(!std::is_base_of_v<detail::query, F>)
  friend void operator|(const mpi_traverser_of& over, const F& f) {
    over.for_each(f);
  }
  /// `traverser_of::for_dims` of this rank's part.
  template <auto... Names, class F>
  void for_dims(const F& f) const {
    part(rank()).template for_dims<Names...>(f);
  }
  /// `traverser_of::for_sections` of this rank's part.
  template <auto... Names, class F>
  void for_sections(const F& f) const {
    part(rank()).template for_sections<Names...>(f);
  }

  /// Sends this rank's part of `send_buf` to another rank. Like `communicator::send`.
  template <class... Parameters>
  auto send(Parameters&&... parameters) const {
    using verdict =
        detail::first_wrong_of<verdict_of<detail::own_parts, Parameters...>,
                               detail::given_or_wrong<keys::destination, Parameters...>>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return comm_->send(given<detail::own_parts>(parameters)...);
  }
  /// Nonblocking `send`: the bag must live until the request is complete.
  template <class... Parameters>
  auto isend(Parameters&&... parameters) const {
    using verdict =
        detail::first_wrong_of<verdict_of<detail::own_parts, Parameters...>,
                               detail::given_or_wrong<keys::destination, Parameters...>>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return comm_->isend(given<detail::own_parts>(parameters)...);
  }
  /// Receives this rank's part of `recv_buf`. Like `communicator::recv`.
  template <class... Parameters>
  auto recv(Parameters&&... parameters) const {
    using verdict = verdict_of<detail::own_parts, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return comm_->recv(given<detail::own_parts>(parameters)...);
  }
  /// Nonblocking `recv`: the bag must live until the request is complete.
  template <class... Parameters>
  auto irecv(Parameters&&... parameters) const {
    using verdict = verdict_of<detail::own_parts, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return comm_->irecv(given<detail::own_parts>(parameters)...);
  }
  /// Sends this rank's part of one bag and receives that of another. Like `communicator::sendrecv`.
  template <class... Parameters>
  auto sendrecv(Parameters&&... parameters) const {
    using verdict =
        detail::first_wrong_of<verdict_of<detail::own_parts, Parameters...>,
                               detail::given_or_wrong<keys::destination, Parameters...>>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return comm_->sendrecv(given<detail::own_parts>(parameters)...);
  }
  /// Broadcasts the root's part of `send_recv_buf`, which has the same lengths on all ranks.
  /// Collective.
  template <class... Parameters>
  auto bcast(Parameters&&... parameters) const {
    using verdict = verdict_of<detail::equal_parts, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return in_order([&] { return comm_->bcast(given<detail::own_parts>(parameters)...); });
  }
  /// Nonblocking `bcast`.
  template <class... Parameters>
  auto ibcast(Parameters&&... parameters) const {
    using verdict = verdict_of<detail::equal_parts, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return in_order([&] { return comm_->ibcast(given<detail::own_parts>(parameters)...); });
  }
  /// Reduces the parts of all ranks element by element, at the root. Collective.
  template <class... Parameters>
  auto reduce(Parameters&&... parameters) const {
    using verdict = detail::first_wrong_of<verdict_of<detail::combined_parts, Parameters...>,
                                           detail::given_or_wrong<keys::op, Parameters...>>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return in_order([&] { return comm_->reduce(given<detail::own_parts>(parameters)...); });
  }
  /// Nonblocking `reduce`.
  template <class... Parameters>
  auto ireduce(Parameters&&... parameters) const {
    using verdict = detail::first_wrong_of<verdict_of<detail::combined_parts, Parameters...>,
                                           detail::given_or_wrong<keys::op, Parameters...>>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return in_order([&] { return comm_->ireduce(given<detail::own_parts>(parameters)...); });
  }
  /// Reduces the parts of all ranks element by element, on all ranks. Collective.
  template <class... Parameters>
  auto allreduce(Parameters&&... parameters) const {
    using verdict = detail::first_wrong_of<verdict_of<detail::combined_parts, Parameters...>,
                                           detail::given_or_wrong<keys::op, Parameters...>>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return in_order([&] { return comm_->allreduce(given<detail::own_parts>(parameters)...); });
  }
  /// Nonblocking `allreduce`.
  template <class... Parameters>
  auto iallreduce(Parameters&&... parameters) const {
    using verdict = detail::first_wrong_of<verdict_of<detail::combined_parts, Parameters...>,
                                           detail::given_or_wrong<keys::op, Parameters...>>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return in_order([&] { return comm_->iallreduce(given<detail::own_parts>(parameters)...); });
  }
  /// Sends each rank its part of the root's `send_buf`, which each receives into `recv_buf`, a bag
  /// of its own part. One call of MPI_Scatter, or of MPI_Scatterv where parts differ in length.
  /// Collective.
  template <class... Parameters>
  auto scatter(Parameters&&... parameters) const {
    using verdict = verdict_of<detail::sent_by_root, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return shared<detail::sent_by_root>(
          [&](auto&&... all) {
            const auto count = own_count(all...);
            return comm_->scatter(static_cast<decltype(all)&&>(all)..., count);
          },
          [&](auto&&... all) {
            const auto count = own_count(all...);
            return comm_->scatterv(static_cast<decltype(all)&&>(all)..., count);
          },
          parameters...);
  }
  /// Nonblocking `scatter`: the bags must live until the request is complete.
  template <class... Parameters>
  auto iscatter(Parameters&&... parameters) const {
    using verdict = verdict_of<detail::sent_by_root, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return shared<detail::sent_by_root>(
          [&](auto&&... all) {
            const auto count = own_count(all...);
            return comm_->iscatter(static_cast<decltype(all)&&>(all)..., count);
          },
          [&](auto&&... all) {
            const auto count = own_count(all...);
            return comm_->iscatterv(static_cast<decltype(all)&&>(all)..., count);
          },
          parameters...);
  }
  /// Sends `send_buf`, a bag of each rank's own part, into its part of the root's `recv_buf`. One
  /// call of MPI_Gather, or of MPI_Gatherv where parts differ in length. Collective.
  template <class... Parameters>
  auto gather(Parameters&&... parameters) const {
    using verdict = verdict_of<detail::received_from_all, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return shared<detail::received_from_all>(
          [&](auto&&... all) { return comm_->gather(static_cast<decltype(all)&&>(all)...); },
          [&](auto&&... all) { return comm_->gatherv(static_cast<decltype(all)&&>(all)...); },
          parameters...);
  }
  /// Nonblocking `gather`: the bags must live until the request is complete.
  template <class... Parameters>
  auto igather(Parameters&&... parameters) const {
    using verdict = verdict_of<detail::received_from_all, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return shared<detail::received_from_all>(
          [&](auto&&... all) { return comm_->igather(static_cast<decltype(all)&&>(all)...); },
          [&](auto&&... all) { return comm_->igatherv(static_cast<decltype(all)&&>(all)...); },
          parameters...);
  }
  /// `gather` into the `recv_buf` of every rank. Collective.
  template <class... Parameters>
  auto allgather(Parameters&&... parameters) const {
    using verdict = verdict_of<detail::received_from_all, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return shared<detail::received_from_all>(
          [&](auto&&... all) { return comm_->allgather(static_cast<decltype(all)&&>(all)...); },
          [&](auto&&... all) { return comm_->allgatherv(static_cast<decltype(all)&&>(all)...); },
          parameters...);
  }
  /// Nonblocking `allgather`: the bags must live until the request is complete.
  template <class... Parameters>
  auto iallgather(Parameters&&... parameters) const {
    using verdict = verdict_of<detail::received_from_all, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return shared<detail::received_from_all>(
          [&](auto&&... all) { return comm_->iallgather(static_cast<decltype(all)&&>(all)...); },
          [&](auto&&... all) { return comm_->iallgatherv(static_cast<decltype(all)&&>(all)...); },
          parameters...);
  }
  /// Sends part `k` of `send_buf` to rank `k`, which receives it into part `rank()` of its
  /// `recv_buf`. Both bags have the parts of all ranks, which have equal lengths. Collective.
  template <class... Parameters>
  auto alltoall(Parameters&&... parameters) const {
    using verdict = detail::first_wrong_of<
        detail::right_if<
            !varying,
            wrong_layout::parts_differ_name_the_dimension_of_the_receivers_in_alltoall<Name>>,
        verdict_of<detail::all_parts, Parameters...>>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return in_order([&] { return comm_->alltoall(given<detail::all_parts>(parameters)...); });
  }
  /// Nonblocking `alltoall`: the bags must live until the request is complete.
  template <class... Parameters>
  auto ialltoall(Parameters&&... parameters) const {
    using verdict = detail::first_wrong_of<
        detail::right_if<
            !varying,
            wrong_layout::parts_differ_name_the_dimension_of_the_receivers_in_alltoall<Name>>,
        verdict_of<detail::all_parts, Parameters...>>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return in_order([&] { return comm_->ialltoall(given<detail::all_parts>(parameters)...); });
  }
  /// Sends the elements of `send_buf` that have this rank's index in the dimension of the traverser's
  /// ranks, and index `k` in the dimension `To`, to rank `k`. Receives into `recv_buf` those that have
  /// this rank's index in `To`, from all ranks. The length of `To` must be that of the communicator;
  /// parts may differ in length. One call of MPI_Alltoall, or of MPI_Alltoallv where they do.
  /// Collective.
  template <auto To, class... Parameters>
  auto alltoall(Parameters&&... parameters) const {
    using verdict = exchange_verdict<To, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return exchanged<To>(
          [&](auto&&... all) { return comm_->alltoall(static_cast<decltype(all)&&>(all)...); },
          [&](auto&&... all) { return comm_->alltoallv(static_cast<decltype(all)&&>(all)...); },
          parameters...);
  }
  /// Nonblocking `alltoall` to the ranks of another dimension: the bags must live until the request is
  /// complete.
  template <auto To, class... Parameters>
  auto ialltoall(Parameters&&... parameters) const {
    using verdict = exchange_verdict<To, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (!detail::is_right<verdict>)
      return mpiglot::detail::anything<1>();
    else
      return exchanged<To>(
          [&](auto&&... all) { return comm_->ialltoall(static_cast<decltype(all)&&>(all)...); },
          [&](auto&&... all) { return comm_->ialltoallv(static_cast<decltype(all)&&>(all)...); },
          parameters...);
  }

 private:
  static constexpr bool varying = detail::parts_vary<Name, Order>;

  template <class Role, class... Parameters>
  using verdict_of = detail::first_wrong_of<
      detail::right_if<
          detail::elements_agree<detail::element_sent_by<std::remove_cvref_t<Parameters>>...>,
          wrong_layout::bags_sent_and_received_have_elements_of_different_types>,
      typename detail::lengths_of_parts<Role, decltype(Order::axes)>::type,
      typename detail::place_verdict<Role, std::remove_cvref_t<Parameters>>::type...,
      typename detail::parameter_verdict<Name, Order, Role,
                                         std::remove_cvref_t<Parameters>>::type...>;

  // The same for an exchange between the ranks of two dimensions.
  template <auto To, class... Parameters>
  using exchange_verdict = detail::first_wrong_of<
      detail::right_if<detail::has_dimension<Order, To> && !detail::same_name<Name, To>,
                       wrong_layout::there_is_no_dimension_of_this_name<To>>,
      detail::right_if<
          detail::elements_agree<detail::element_sent_by<std::remove_cvref_t<Parameters>>...>,
          wrong_layout::bags_sent_and_received_have_elements_of_different_types>,
      typename detail::exchanged_verdict<Name, To, Order,
                                         std::remove_cvref_t<Parameters>>::type...>;

  // Calls, and says in which order the traverser goes where ranks compare what they give.
  template <class Call>
  auto in_order(const Call& call) const {
    constexpr checks level = mpiglot::detail::checking_of<Communicator>;
    if constexpr (level == checks::communication) {
      return said(call);
    } else if constexpr (level >= checks::light) {
      if (!comm_->direct()) [[unlikely]]
        return said(call);
    }
    return call();
  }
  template <class Call>
  [[gnu::cold, gnu::noinline]] auto said(const Call& call) const {
    const mpiglot::detail::traversing order(detail::mark_of_axes(all_.order().axes));
    return call();
  }
  // Parameters with views of parts in the place of bags.
  [[nodiscard]] auto parts() const {
    return detail::given_parts<Name, Order>(all_.order(), place());
  }
  [[nodiscard]] detail::rank_of_size place() const { return {rank(), size()}; }
  template <class Role, class Parameter>
  [[nodiscard]] decltype(auto) given(Parameter& of) const {
    return parts().template of<Role>(of);
  }
  // Calls `equal` with the bags, or, where parts differ, `varying_call` with the parts of all ranks
  // and where they lie.
  template <class Role, class Equal, class Varying, class... Parameters>
  auto shared(const Equal& equal, const Varying& varying_call, Parameters&... parameters) const {
    return in_order([&] {
      if constexpr (varying)
        return with_places<Role::template has_all<keys::recv_buf>>(varying_call,
                                                                   given<Role>(parameters)...);
      else
        return equal(given<Role>(parameters)...);
    });
  }
  // `Received` says, of each way of parts that differ, whether they are those received.
  template <bool... Received, class Call, class... Given>
  static auto with_places(const Call& call, Given&&... all) {
    return call(static_cast<Given&&>(all)..., detail::counts_of<Received>(all...)...,
                detail::places_of<Received>(all...)...);
  }
  // The same where what is sent is this rank's in `Name`, and what is received this rank's in `To`.
  template <auto To, class Equal, class Varying, class... Parameters>
  auto exchanged(const Equal& equal, const Varying& varying_call, Parameters&... parameters) const {
    constexpr bool vary = varying || detail::parts_vary<To, Order>;
    const auto order = detail::apply(all_.order(), detail::length_piece<To, count_t>(size()));
    const auto sent = detail::given_parts<To, detail::fixed_type<Name, Order>, vary>(
        detail::fixed<Name>(order, rank()), place());
    const auto received = detail::given_parts<Name, detail::fixed_type<To, Order>, vary>(
        detail::fixed<To>(order, rank()), place());
    const auto parts = [&]<class Key, class Value, resize_policy Policy>(
                           parameter<Key, Value, Policy>& of) -> decltype(auto) {
      if constexpr (mpiglot::detail::is_written<Key>)
        return received.template of<detail::all_parts>(of);
      else
        return sent.template of<detail::all_parts>(of);
    };
    return in_order([&] {
      if constexpr (vary)
        return with_places<false, true>(varying_call, parts(parameters)...);
      else
        return equal(parts(parameters)...);
    });
  }
  // How much each rank receives of a scatter: all know it, so that no length travels.
  // Those of tuples are counted in bytes.
  template <class... Given>
  [[nodiscard]] auto own_count(const Given&... all) const {
    count_t n = elements_of(layout().axes);
    const auto look = [&]<class Parameter>(const Parameter& of) {
      if constexpr (detail::has_tuple_parts<Parameter>)
        n = of.value.counts()[of.value.size() == 1 ? 0 : static_cast<std::size_t>(rank())];
    };
    (look(all), ...);
    return recv_count(n);
  }
  template <class... Axes>
  [[nodiscard]] static count_t elements_of(const detail::list<Axes...>& axes) {
    count_t n = 1;
    ((n = detail::times(n, detail::length_of(static_cast<const Axes&>(axes)))), ...);
    return n;
  }

  traverser_of<Order, Outer> all_;
  const Communicator* comm_;
};

/// Shares out a traverser among the ranks of `comm`: its dimension `Name` is the rank. If the length
/// of that dimension is open, it becomes the size of the communicator; otherwise it must be equal.
/// The communicator must live as long as the traverser, so it is no temporary. Local; nothing is sent.
template <auto Name, class Order, class Outer, class Given>
[[nodiscard]] auto mpi_traverser(const traverser_of<Order, Outer>& all, Given&& comm) {
  using Communicator = std::remove_cvref_t<Given>;
  using length = detail::length_piece<Name, count_t>;
  using first = typename detail::verdict_on<Order, length>::type;
  using sized_or_wrong = typename detail::sized_verdict<Order, length, first>::type;
  using verdict = detail::first_wrong_of<
      detail::right_if<std::is_lvalue_reference_v<Given>,
                       wrong_layout::communicator_of_a_traverser_must_have_a_name>,
      sized_or_wrong>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  if constexpr (detail::is_right<sized_or_wrong>) {
    const auto order = detail::apply(all.order(), length(comm.size()));
    using sized = std::remove_cv_t<decltype(order)>;
    return mpi_traverser_of<Name, sized, Outer, Communicator>(
        traverser_of<sized, Outer>(order, all.state()), comm);
  } else {
    return detail::no_traverser();
  }
}

/// Of a traverser that is wrong already.
template <auto Name, class Communicator>
[[nodiscard]] detail::no_traverser mpi_traverser(const detail::no_traverser&, const Communicator&) {
  return {};
}
/// Refuses what is no traverser, such as a bag.
template <auto Name, class Other, class Communicator>
  requires(!requires(const Other& of) { of.order(); })
detail::no_traverser mpi_traverser(const Other&, const Communicator&) {
  using verdict =
      detail::right_if<sizeof(Other) == 0,
                       wrong_layout::this_is_no_traverser_give_one_of_bags_and_structures>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return {};
}

}  // namespace mpiglot::layouts
