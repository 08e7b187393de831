// Reductions with a function that may throw. The elements travel as one element of MPI's with a word
// beside them that says whether they have a value; a function that throws on the way takes it from them.

#pragma once

#include <cstdint>
#include <cstring>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/collectives/reducing.hpp>
#include <mpiglot/mpi/calls/reduce_scatter_block.hpp>

namespace mpiglot::wrong_call {

template <class Operation>
struct op_that_may_throw_needs_elements_give_no_datatype {};

}  // namespace mpiglot::wrong_call

namespace mpiglot::detail {

/// The state of a reduction whose function may throw. A rank's elements are copied behind their flag before
/// each start, and back after it. A rank that cannot give its elements says so in the flag.
template <class Operation, class Arguments>
struct flagged_reducing : reducing<Operation, Arguments> {
  using base = reducing<Operation, Arguments>;
  using wire = typename base::wire;
  static constexpr bool movable = false;
  static constexpr bool may_fit = false;
  using complaint = typename first_complaint<
      typename base::complaint,
      std::conditional_t<Arguments::template has<keys::send_type> ||
                             Arguments::template has<keys::recv_type>,
                         wrong_call::op_that_may_throw_needs_elements_give_no_datatype<Operation>,
                         nothing_wrong>>::type;
  using base::base;

  template <class Io = now>
  void prepare() {
    base::template prepare_elements<Io>();
    const bool gives = !this->failure.any();
    base::prepare_result();
    fill(gives);
  }
  void call(auto io) {
    std::byte* const from = sent_.data();
    std::byte* const to = received_.data();
    const auto operation = this->op.handle();
    if constexpr (Operation::receives != share::all)
      io(mpi::calls::reduce_scatter_block(), from, to, count_t{1}, type_.get(), operation,
         this->group.comm);
    else if constexpr (base::rooted)
      io(typename Operation::calls(), from, to, count_t{1}, type_.get(), operation, this->root(),
         this->group.comm);
    else
      io(typename Operation::calls(), from, to, count_t{1}, type_.get(), operation,
         this->group.comm);
  }
  void finish() {
    this->failure.rethrow();
    if (this->receives()) {
      require_value(received_.data());
      if (flag::of(received_.data()).written != 0 && this->length != 0)
        std::memcpy(this->received.in(this->failure, this->arguments, this->length).address,
                    received_.data() + sizeof(flag),
                    static_cast<std::size_t>(this->length) * sizeof(wire));
    }
    base::finish();
  }

 private:
  [[nodiscard]] std::size_t parts() const noexcept {
    return Operation::receives == share::all ? 1 : static_cast<std::size_t>(this->group.size);
  }
  /// How many elements a part has, which all ranks know.
  [[nodiscard]] std::size_t elements_of(std::size_t part) {
    if constexpr (Operation::receives == share::counts)
      return static_cast<std::size_t>(
          std::data(this->arguments.template get<keys::recv_counts>().value)[part]);
    else
      return static_cast<std::size_t>(this->length);
  }
  void allocate() {
    std::size_t most = 0;
    for (std::size_t i = 0; i < parts(); ++i) most = most < elements_of(i) ? elements_of(i) : most;
    std::size_t all = 0;
    if (__builtin_mul_overflow(most, sizeof(wire), &stride_) ||
        __builtin_add_overflow(stride_, sizeof(flag) + flag::unit, &stride_)) [[unlikely]]
      refuse_part();
    if (stride_ < sizeof(flag) + flag::least_text) stride_ = sizeof(flag) + flag::least_text;
    stride_ = stride_ / flag::unit * flag::unit;
    if (__builtin_mul_overflow(stride_, parts(), &all)) [[unlikely]]
      refuse_part();
    type_ = flag::type_of(stride_);
    sent_.resize_to_take_part(all);
    // Some MPIs use the receive buffer of rank 0 whoever the root is (memory_of_rank_0).
    if (this->receives() || this->group.rank == 0) received_.resize_to_take_part(stride_);
    this->op.flags(stride_, this->group.rank);
  }
  void fill(bool gives) {
    if (stride_ == 0) allocate();
    const lent out = this->lend();
    const void* from = out.address;
    if (from == MPI_IN_PLACE)
      from = this->received.in(this->failure, this->arguments, this->length).address;
    const auto* element = static_cast<const std::byte*>(from);
    for (std::size_t i = 0; i < parts(); ++i) {
      std::byte* const to = sent_.data() + i * stride_;
      const std::size_t size = elements_of(i) * sizeof(wire);
      const flag mine{gives ? 0 : -1 - this->group.rank, 1,
                      static_cast<std::int64_t>(elements_of(i))};
      std::memcpy(to, &mine, sizeof mine);
      if (gives && size != 0) {
        std::memcpy(to + sizeof(flag), element, size);
        element += size;
      }
    }
    // What rank 0 of an exclusive scan gets stays as it is.
    if (received_.size() != 0) std::memset(received_.data(), 0, sizeof(flag));
  }

  bytes sent_, received_;
  std::size_t stride_ = 0;  // of a part; 0 before the first start
  mpi::unique_datatype type_;
};

template <class Function>
inline constexpr bool function_may_throw = false;
template <class Function, bool Commutative>
inline constexpr bool function_may_throw<combining<Function, Commutative, true>> = true;

/// The state of a reduction.
template <class Operation, class Arguments>
struct state_of_reduction {
  using type = reducing<Operation, Arguments>;
};
template <class Operation, class Arguments>
  requires(function_may_throw<typename parameter_of<Arguments, keys::op>::type>)
struct state_of_reduction<Operation, Arguments> {
  using type = flagged_reducing<Operation, Arguments>;
};

}  // namespace mpiglot::detail
