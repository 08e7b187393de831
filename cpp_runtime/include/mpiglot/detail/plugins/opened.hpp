// The buffers of an operation of a plugin as values in memory, whatever kinds of buffers a program gives.

#pragma once

#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpiglot/detail/arguments/results.hpp>
#include <mpiglot/detail/arguments/sides.hpp>
#include <mpiglot/serialized.hpp>

namespace mpiglot {
template <class Inner>
struct bounded;
}

namespace mpiglot::detail {

/// What is given as `as_serialized(range)` or the like: the range and its codec.
template <class Buffer>
struct encoded_list {
  static constexpr bool is_one = false;
};
template <class Value, class Codec>
struct encoded_list<coded<Value, Codec>> {
  static constexpr bool is_one = true;
  using codec = Codec;
  using range = std::remove_reference_t<Value>;
  using value_type = typename std::remove_cvref_t<Value>::value_type;
  [[nodiscard]] static range& of(coded<Value, Codec>& buffer) noexcept { return buffer.value; }
};

/// A buffer without its bound.
template <class Buffer>
struct unbounded {
  using type = Buffer;
  [[nodiscard]] static auto& of(auto& buffer) noexcept { return buffer; }
};
template <class Inner>
struct unbounded<bounded<Inner>> {
  using type = Inner;
  [[nodiscard]] static auto& of(auto& buffer) noexcept { return buffer.buffer; }
};
template <class Arguments, class Key>
using unbounded_of = unbounded<typename parameter_of<Arguments, Key>::type>;

/// How values travel: with a datatype, or encoded.
template <class T, class Codec = void>
struct kind_of_values {
  using value_type = T;
  using codec = Codec;
  static constexpr bool encoded = !std::is_void_v<Codec>;
};

/// The same of values of another type.
template <class Kind, class T>
struct kind_of_others {
  using type = kind_of_values<T, typename Kind::codec>;
};
template <class Kind, class T>
  requires(has_datatype<T>)
struct kind_of_others<Kind, T> {
  using type = kind_of_values<T>;
};
template <class Kind, class T>
  requires(!has_datatype<T> && !Kind::encoded)
struct kind_of_others<Kind, T> {
  using type = kind_of_values<T, builtin_codec>;
};

/// The values that this rank sends. Values with a datatype lie in memory, packed if a view has gaps; of an
/// encoded list they are its elements.
template <class Arguments, class Key = send_key<Arguments>>
class opened_values {
  using given_as = unbounded_of<Arguments, Key>;
  using buffer = typename given_as::type;
  using adapter = buffer_adapter<buffer, form::elements, resize_policy::automatic>;

 public:
  using value_type = typename adapter::wire;
  static constexpr bool encoded = false;
  using kind = kind_of_values<value_type>;

  explicit opened_values(Arguments& given)
      : adapter_(static_cast<buffer&&>(given_as::of(given.template get<Key>().value))) {}

  /// Makes the values ready. May throw.
  void open() { adapter_.pack(); }
  [[nodiscard]] std::span<const value_type> values() {
    const lent memory = adapter_.out();
    return {static_cast<const value_type*>(memory.address),
            static_cast<std::size_t>(adapter_.length())};
  }
  [[nodiscard]] static mpi::datatype_handle type() { return datatype_of<value_type>(); }

 private:
  adapter adapter_;
};

template <class Arguments, class Key>
  requires(encoded_list<typename unbounded_of<Arguments, Key>::type>::is_one)
class opened_values<Arguments, Key> {
  using given_as = unbounded_of<Arguments, Key>;
  using list = encoded_list<typename given_as::type>;

 public:
  using value_type = typename list::value_type;
  using codec = typename list::codec;
  static constexpr bool encoded = true;
  using kind = kind_of_values<value_type, codec>;

  explicit opened_values(Arguments& given)
      : range_(&list::of(given_as::of(given.template get<Key>().value))) {}

  void open() {
    if constexpr (!requires { std::data(*range_); })
      for (const value_type& each : *range_) copied_.push_back(each);
  }
  [[nodiscard]] std::span<const value_type> values() {
    if constexpr (requires { std::data(*range_); })
      return {std::data(*range_), std::size(*range_)};
    else
      return copied_;
  }

 private:
  typename list::range* range_;
  std::vector<value_type> copied_;
};

/// How what the program gives takes values.
template <class Arguments, class Value>
struct room_of {
  using adapter = typename sink_of<Arguments, std::vector<Value>, form::elements>::adapter;
};
/// What is replaced in place takes the new length.
template <class Arguments, class Value>
  requires in_place<Arguments>
struct room_of<Arguments, Value> {
  using given = parameter_of<Arguments, keys::send_recv_buf>;
  static constexpr resize_policy policy =
      given::policy == resize_policy::automatic ? resize_to_fit : given::policy;
  using adapter = buffer_adapter<typename given::type, form::elements, policy>;
};

/// Room for the values that this rank receives: in what the program gives, or in a vector.
template <class Arguments, class Value>
class opened_room {
  using sink = sink_of<Arguments, std::vector<Value>, form::elements>;
  using adapter = typename room_of<Arguments, Value>::adapter;
  struct nothing {};

 public:
  using value_type = typename adapter::wire;
  static_assert(std::is_same_v<value_type, Value>,
                "mpiglot: recv_buf has elements of another type than send_buf");

  explicit opened_room(Arguments& given) : adapter_(open(given)) {}

  /// Makes room for `n` values. Throws if a buffer that keeps its size is too small, or too large if it is
  /// replaced in place.
  [[nodiscard]] std::span<Value> make(std::size_t n) {
    placed_ = static_cast<count_t>(n);
    if constexpr (in_place<Arguments> && adapter::fixed)
      if (adapter_.room() != placed_) refuse_room(adapter_.room(), placed_);
    adapter_.place(placed_);
    return {static_cast<Value*>(adapter_.in(placed_).address), n};
  }
  /// What the operation gives back: the buffer unless it is borrowed, and what the program asked for.
  [[nodiscard]] auto results(Arguments& given) {
    deliver_count<keys::recv_count_out>(given, placed_);
    return detail::results<recv_key<Arguments>>(adapter_, given);
  }
  /// Puts the values where a buffer with gaps wants them.
  void finish() { adapter_.unpack(placed_); }

 private:
  [[nodiscard]] static adapter open(Arguments& given) {
    nothing none;
    if constexpr (in_place<Arguments>)
      return detail::open<adapter>(given.template get<keys::send_recv_buf>());
    else
      return sink::open(given, none);
  }

  adapter adapter_;
  count_t placed_ = 0;
};

/// The same of values without a datatype: in a vector, or in a list that the program gives as
/// `recv_buf(as_serialized(list))`.
template <class Arguments, class Value>
  requires(!has_datatype<Value>)
class opened_room<Arguments, Value> {
  using key = recv_key<Arguments>;
  static constexpr bool given = Arguments::template has<key>;

  [[nodiscard]] static auto buffer_of() {
    if constexpr (given)
      return encoded_list<typename parameter_of<Arguments, key>::type>();
    else
      return encoded_list<void>();
  }
  using list = decltype(buffer_of());
  static_assert(!given || list::is_one, "mpiglot: give recv_buf as_serialized(...), as send_buf");

 public:
  using value_type = Value;

  explicit opened_room(Arguments& from) : from_(&from) {}

  [[nodiscard]] std::span<Value> make(std::size_t n) {
    values_.resize(n);
    return values_;
  }
  void finish() {
    if constexpr (given) {
      auto& to = list::of(from_->template get<key>().value);
      if constexpr (requires { to.assign(values_.begin(), values_.end()); })
        to.assign(std::make_move_iterator(values_.begin()), std::make_move_iterator(values_.end()));
    }
  }
  [[nodiscard]] auto results(Arguments& from) {
    deliver_count<keys::recv_count_out>(from, static_cast<count_t>(values_.size()));
    if constexpr (!given)
      return results_with(from, field<key, std::vector<Value>>{std::move(values_)});
    else if constexpr (std::is_reference_v<decltype(parameter_of<Arguments, key>::value.value)>)
      return results_with(from);
    else
      return results_with(from, field<key, typename list::range>{
                                    std::move(list::of(from.template get<key>().value))});
  }

 private:
  Arguments* from_;
  std::vector<Value> values_;
};

/// A buffer that a rank sends unless something failed before: then packing it throws that, so the operation tells
/// the other ranks where it tells them lengths.
template <class Buffer>
struct unless_failed {
  using describes_buffer = void;
  Buffer buffer;
  kept_failure* failure;
};
template <class Buffer>
[[nodiscard]] unless_failed<Buffer> unless(kept_failure& failure, Buffer&& buffer) {
  return {static_cast<Buffer&&>(buffer), &failure};
}

}  // namespace mpiglot::detail

namespace mpiglot {

template <class Buffer, form Form, resize_policy Policy>
class buffer_adapter<detail::unless_failed<Buffer>, Form, Policy>
    : public buffer_adapter<Buffer, Form, Policy> {
  using base = buffer_adapter<Buffer, Form, Policy>;

 public:
  // After a failure it has no length, whatever the buffer has.
  static constexpr bool fixed = false;
  static constexpr bool agreed = false;

  explicit buffer_adapter(detail::unless_failed<Buffer>&& given)
      : base(static_cast<Buffer&&>(given.buffer)), failure_(given.failure) {}

  void pack() {
    failure_->rethrow();
    base::pack();
  }
  void pack_later()
    requires requires(base& all) { all.pack_later(); }
  {
    failure_->rethrow();
    base::pack_later();
  }
  template <class Layout>
  void pack_parts(Layout& layout)
    requires requires(base& all) { all.pack_parts(layout); }
  {
    failure_->rethrow();
    base::pack_parts(layout);
  }

 private:
  detail::kept_failure* failure_;
};

}  // namespace mpiglot
