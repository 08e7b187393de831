// A part from each rank to each rank, each of a datatype of its own: alltoallw, neighbor_alltoallw.
//
// The operation says: `calls` (the triple), `place` (what MPI takes as displacement beside counts of
// `int`), `takes_wide` (whether it has a form for counts of MPI_Count).

#pragma once

#include <mpiglot/detail/collectives/balance.hpp>

namespace mpiglot {

namespace wrong_call {
template <class Parameter, class Operation>
struct types_are_no_contiguous_datatypes {};
template <class Parameter, class Operation>
struct buffer_is_no_contiguous_range_give_one_or_raw_memory {};
}  // namespace wrong_call

/// The datatype of each part that is sent: a contiguous range of `mpi::datatype_handle` or
/// MPI_Datatype.
template <class Array>
[[nodiscard]] parameter<keys::send_types, Array> send_types(Array&& types) {
  return {static_cast<Array&&>(types)};
}
/// The datatype of each part that is received.
template <class Array>
[[nodiscard]] parameter<keys::recv_types, Array> recv_types(Array&& types) {
  return {static_cast<Array&&>(types)};
}

namespace detail {

/// An array of integers as MPI takes it: as it is given, or a copy.
template <class Integer, class Array>
class integers {
  static constexpr bool lends = __is_same(integer_of<Array>, Integer);

 public:
  void read(const std::remove_reference_t<Array>& given) {
    if constexpr (!lends) {
      copy_.resize(std::size(given));
      for (std::size_t i = 0; i < copy_.size(); ++i) {
        const auto value = static_cast<count_t>(std::data(given)[i]);
        if (!mpi::detail::fits<Integer>(value)) [[unlikely]]
          refuse_counts("a count or displacement is more than this MPI can be told");
        copy_[i] = static_cast<Integer>(value);
      }
    }
  }
  [[nodiscard]] const Integer* lend(const std::remove_reference_t<Array>& given) const noexcept {
    if constexpr (lends)
      return std::data(given);
    else
      return copy_.data();
  }

 private:
  [[no_unique_address]] std::conditional_t<lends, absent, block<Integer>> copy_;
};

/// Datatypes as handles of C++ or of MPI.
template <class Array>
concept datatype_array =
    has_elements<Array> &&
    is_one_of<std::remove_cv_t<element_t<Array>>, mpi::datatype_handle, MPI_Datatype>;

/// What is wrong with the datatypes given as `Key`, or else `Complaint`.
template <class Arguments, class Key, class Operation, class Complaint>
struct typed_by {
  using complaint = Complaint;
};
template <class Arguments, class Key, class Operation, class Complaint>
  requires(Arguments::template has<Key> &&
           !datatype_array<typename parameter_of<Arguments, Key>::type>)
struct typed_by<Arguments, Key, Operation, Complaint> {
  using complaint = wrong_call::types_are_no_contiguous_datatypes<Key, Operation>;
};

/// What is wrong with a buffer, whose memory is what datatypes and displacements of the program mean: a
/// view with gaps may be packed, and coded values lie in bytes of their own.
template <class Arguments, class Key, class Operation>
struct complaint_about_memory {
  using buffer = typename parameter_of<Arguments, Key>::type;
  using adapter = adapter_of<parameter_of<Arguments, Key>, form::message>;
  using type = std::conditional_t<
      strided_like<plain_t<buffer>> || has_a_limit<plain_t<buffer>> || !adapter::uniform,
      wrong_call::buffer_is_no_contiguous_range_give_one_or_raw_memory<Key, Operation>,
      nothing_wrong>;
};

template <class Array, class Integer>
inline constexpr bool widens = sizeof(integer_of<Array>) > sizeof(Integer);

template <class Operation, class Arguments>
struct exchanging_typed : defaults {
  static constexpr bool placed = in_place<Arguments>;
  using message = sending_of<Arguments, form::message>;
  using source_type = typename message::type;
  using sink_type = adapter_of<parameter_of<Arguments, recv_key<Arguments>>, form::message>;

  static constexpr const char* name = Operation::name;
  static constexpr bool asks = asks_itself<Arguments>;
  // Whether `Key`, which only a buffer of its own to send needs, is there.
  template <class Key>
  static constexpr bool has = placed || Arguments::template has<Key>;
  using complaint_about_arrays = std::conditional_t<
      !has<keys::send_counts>, wrong_call::parameter_missing<keys::send_counts, Operation>,
      std::conditional_t<
          !has<keys::send_displs>, wrong_call::parameter_missing<keys::send_displs, Operation>,
          std::conditional_t<
              !has<keys::send_types>, wrong_call::parameter_missing<keys::send_types, Operation>,
              typename typed_by<Arguments, keys::send_types, Operation,
                                typename typed_by<Arguments, keys::recv_types, Operation,
                                                  nothing_wrong>::complaint>::complaint>>>;
  using complaint = typename first_complaint<
      typename complaint_about_memory<Arguments, send_key<Arguments>, Operation>::type,
      typename complaint_about_memory<Arguments, recv_key<Arguments>, Operation>::type,
      complaint_about_arrays>::type;

  // In place there are no arrays for what is sent; those of the received parts stand for them.
  template <class Key, class Instead>
  struct array_of {
    using key = std::conditional_t<Arguments::template has<Key>, Key, Instead>;
    using type = typename parameter_of<Arguments, key>::type;
  };
  using out_counts = array_of<keys::send_counts, keys::recv_counts>;
  using out_displs = array_of<keys::send_displs, keys::recv_displs>;
  using out_types = array_of<keys::send_types, keys::recv_types>;
  using in_counts = array_of<keys::recv_counts, keys::recv_counts>;
  using in_displs = array_of<keys::recv_displs, keys::recv_displs>;
  using in_types = array_of<keys::recv_types, keys::recv_types>;

  static constexpr bool wide =
      Operation::takes_wide &&
      (widens<typename out_counts::type, int> || widens<typename in_counts::type, int> ||
       widens<typename out_displs::type, typename Operation::place> ||
       widens<typename in_displs::type, typename Operation::place>);
  using count = std::conditional_t<wide, count_t, int>;
  using place = std::conditional_t<wide, mpi::aint_t, typename Operation::place>;
  static constexpr bool movable =
      source_type::movable && sink_type::movable && survives_moves<typename out_counts::type> &&
      survives_moves<typename out_displs::type> && survives_moves<typename out_types::type> &&
      survives_moves<typename in_counts::type> && survives_moves<typename in_displs::type> &&
      survives_moves<typename in_types::type>;

  exchanging_typed(const group_view& on, Arguments&& given)
      : group(on),
        compares(on),
        arguments(static_cast<Arguments&&>(given)),
        source(arguments),
        received(detail::open<sink_type>(arguments.template get<recv_key<Arguments>>())) {}

  template <class Io = now>
  void prepare() {
    if constexpr (compares_type::possible)
      if (compares.now) [[unlikely]] {
        static constexpr compared_facts known{mark_of_text(form_name<exchanging_typed, Io>.text),
                                              unknown_elements,
                                              place_of_elements<Operation, placed>};
        require_agreement(group, {.known = &known});
        require_balance();
      }
    if constexpr (checked<Arguments, checks::light>) {
      const auto to = static_cast<std::size_t>(destinations<Operation>(group));
      const auto from = static_cast<std::size_t>(sources<Operation>(group));
      if (length<out_counts>() != to || length<out_displs>() != to || length<out_types>() != to ||
          length<in_counts>() != from || length<in_displs>() != from || length<in_types>() != from)
          [[unlikely]]
        refuse_counts("counts, displacements and types need one element for each rank");
    }
    if constexpr (!placed) source.buffer().pack();
    sent_counts.read(given<out_counts>());
    sent_displs.read(given<out_displs>());
    counts.read(given<in_counts>());
    displs.read(given<in_displs>());
  }
  void call(auto io) {
    const lent in = received.in(received.room());
    // MPICH takes two empty buffers without address for one that is given twice.
    void* const into = in.address != nullptr ? in.address : &no_array;
    io(typename Operation::calls(), address(), sent_counts.lend(given<out_counts>()),
       sent_displs.lend(given<out_displs>()), types<out_types>(), into,
       counts.lend(given<in_counts>()), displs.lend(given<in_displs>()), types<in_types>(),
       group.comm);
  }
  void finish() { received.unpack(received.room()); }
  [[nodiscard]] bool keeps_memory() const noexcept {
    return source.keeps_memory() && detail::keeps_memory(received) &&
           owns_elements<typename out_counts::type> && owns_elements<typename out_displs::type> &&
           owns_elements<typename out_types::type> && owns_elements<typename in_counts::type> &&
           owns_elements<typename in_displs::type> && owns_elements<typename in_types::type>;
  }
  auto results() { return detail::results<recv_key<Arguments>>(received, source, arguments); }

  // In elements of MPI: the datatypes of both sides need not be the same.
  void require_balance() {
    const auto parts = [this]<class Counts, class Types>() {
      const std::size_t n = this->length<Counts>(), types = this->length<Types>();
      return n < types ? n : types;
    };
    balance all;
    const auto weight_of_part = [&]<class Counts, class Types>(std::size_t i) {
      const auto n = static_cast<count_t>(std::data(given<Counts>())[i]);
      const count_t unit = n == 0 ? 0 : signature_of(this->types<Types>()[i]);
      if (n != 0 && unit == 0) all.cannot_tell();
      return weighed(n, unit);
    };
    weigh_parts<Operation>(
        all, group, parts.template operator()<out_counts, out_types>(),
        [&](std::size_t i) { return weight_of_part.template operator()<out_counts, out_types>(i); },
        parts.template operator()<in_counts, in_types>(),
        [&](std::size_t i) { return weight_of_part.template operator()<in_counts, in_types>(i); });
    all.require(group.comm);
  }
  template <class Array>
  [[nodiscard]] auto& given() {
    return arguments.template get<typename Array::key>().value;
  }
  template <class Array>
  [[nodiscard]] std::size_t length() {
    return std::size(given<Array>());
  }
  template <class Array>
  [[nodiscard]] const mpi::datatype_handle* types() {
    static_assert(sizeof(mpi::datatype_handle) == sizeof(MPI_Datatype));
    return reinterpret_cast<const mpi::datatype_handle*>(std::data(given<Array>()));
  }
  [[nodiscard]] const void* address() {
    if constexpr (placed)
      return lent_in_place().address;
    else
      return source.buffer().out().address;
  }

  using compares_type = comparing<Arguments>;
  group_view group;
  [[no_unique_address]] compares_type compares;
  Arguments arguments;
  [[no_unique_address]] source_type source;
  sink_type received;
  [[no_unique_address]] integers<count, typename out_counts::type> sent_counts;
  [[no_unique_address]] integers<place, typename out_displs::type> sent_displs;
  [[no_unique_address]] integers<count, typename in_counts::type> counts;
  [[no_unique_address]] integers<place, typename in_displs::type> displs;
};

}  // namespace detail
}  // namespace mpiglot
