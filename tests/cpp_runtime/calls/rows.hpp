// The rows of the table of calls: what each operation sends and receives, as numbers. `sent` and
// `received` are the parts that this rank gives and gets; `placed` and `replaced` the same in place.

#pragma once

#include "table.hpp"

namespace calls {

// The elements of the part that `from` has for `to`, other ones at each start.
inline ids part(int n, int round, int from, int to) {
  ids all;
  for (int i = 0; i < n; ++i) all.push_back(1 + i % 89 + 100 * to + 1000 * from + 10000 * round);
  return all;
}
inline ids nothing_of(int n) { return ids(static_cast<std::size_t>(n), untouched); }
inline ids sum(const parts& all) {
  ids sums = all.at(0);
  for (std::size_t from = 1; from < all.size(); ++from)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += all[from][i];
  return sums;
}
template <class Part>
parts of_all(Part part, int first = 0, int last = size()) {
  parts all;
  for (int i = first; i < last; ++i) all.push_back(part(i));
  return all;
}
inline ids numbers(int n, int each) { return ids(static_cast<std::size_t>(n), each); }
inline ids sums_before(const ids& counts, int unit = 1) {
  ids sums;
  int next = 0;
  for (const int n : counts) {
    sums.push_back(unit * next);
    next += n;
  }
  return sums;
}

#define CALLS(name)                                            \
  using operation = operations::name;                          \
  template <io F>                                              \
  static auto call(const auto& on, auto&&... p) {              \
    if constexpr (F == io::now)                                \
      return on.name(static_cast<decltype(p)&&>(p)...);        \
    else if constexpr (F == io::later)                         \
      return on.i##name(static_cast<decltype(p)&&>(p)...);     \
    else                                                       \
      return on.name##_init(static_cast<decltype(p)&&>(p)...); \
  }
#define CALLS_TWICE(name)                                  \
  using operation = operations::name;                      \
  template <io F>                                          \
  static auto call(const auto& on, auto&&... p) {          \
    if constexpr (F == io::now)                            \
      return on.name(static_cast<decltype(p)&&>(p)...);    \
    else                                                   \
      return on.i##name(static_cast<decltype(p)&&>(p)...); \
  }

struct row {
  static constexpr const char* defect = "none";
  // Whether a container stands in the place of each coded part.
  static constexpr bool nested_sent = false, nested_received = false, nested_placed = false;
  // The buffer in place may have other elements behind those received.
  static constexpr bool prefix_in_place = false;
  // The buffer has as many elements as all counts together.
  static constexpr bool exact = false;
  // No buffer is resized.
  static constexpr bool keeps_size = false;
  // The result is one value; it is sent as one value; it is sent by `send_recv_buf`.
  static constexpr bool single = false, one_value = false, is_bcast = false;
  // Two messages, of which each has a bound of its own.
  static constexpr bool is_exchange = false;
  static const auto& on() { return world(); }
  static int length(int n, int) { return n; }
};
struct ragged : row {
  static int length(int n, int rank) { return n + rank; }
  static ids lengths(int n) {
    ids all;
    for (int i = 0; i < size(); ++i) all.push_back(n + i);
    return all;
  }
};
inline constexpr int at_root = 0;
inline bool is_root() { return rank() == at_root; }

// The parameters of a call on parts of equal lengths, and others of it.
template <bound B, side S, class... Others>
auto counted_as(int n, Others... others) {
  if constexpr (B == bound::count && S == side::sent)
    return std::make_tuple(send_count(n), others...);
  else if constexpr (B == bound::count)
    return std::make_tuple(recv_count(n), others...);
  else
    return std::make_tuple(others...);
}

// Gathers.

template <class Base, bool Rooted>
struct gathering : Base {
  static constexpr bool nested_received = true, nested_placed = true;
  static ids from(int n, int round, int i) { return part(Base::length(n, i), round, i, 0); }
  static parts sent(int n, int round) { return {from(n, round, rank())}; }
  static parts received(int n, int round) {
    if (Rooted && !is_root()) return {};
    return of_all([&](int i) { return from(n, round, i); });
  }
  static parts placed(int n, int round) {
    if (Rooted && !is_root()) return sent(n, round);
    return of_all(
        [&](int i) { return i == rank() ? from(n, round, i) : nothing_of(Base::length(n, i)); });
  }
  static parts replaced(int n, int round) {
    return Rooted && !is_root() ? sent(n, round) : received(n, round);
  }
};
// The same where their lengths differ.
template <element E, bound B, side S, class... Others>
auto counted_apart(int n, Others... others) {
  if constexpr (B == bound::count && S == side::sent)
    return std::make_tuple(send_count(ragged::length(n, rank())), recv_counts(ragged::lengths(n)),
                           others...);
  else if constexpr (B == bound::count || (B == bound::in_place && !is_coded<E>))
    return std::make_tuple(recv_counts(ragged::lengths(n)), others...);
  else
    return std::make_tuple(others...);
}
struct gather : gathering<row, true> {
  CALLS(gather)
  static constexpr const char* defect = "persistent-gather";
  template <element, bound B, side S>
  static auto others(int n) {
    return counted_as<B, S>(n, root(at_root));
  }
};
struct gatherv : gathering<ragged, true> {
  CALLS(gatherv)
  template <element E, bound B, side S>
  static auto others(int n) {
    return counted_apart<E, B, S>(n, root(at_root));
  }
};
struct allgather : gathering<row, false> {
  CALLS(allgather)
  static constexpr const char* defect = "persistent-allgather";
  template <element, bound B, side S>
  static auto others(int n) {
    return counted_as<B, S>(n);
  }
};
struct allgatherv : gathering<ragged, false> {
  CALLS(allgatherv)
  template <element E, bound B, side S>
  static auto others(int n) {
    return counted_apart<E, B, S>(n);
  }
};

// Scatters.

template <class Base>
struct scattering : Base {
  static constexpr bool nested_sent = true, nested_placed = true;
  static ids to(int n, int round, int i) { return part(Base::length(n, i), round, at_root, i); }
  // What ranks other than the root give is not read.
  static parts sent(int n, int round) {
    return of_all([&](int i) { return part(Base::length(n, i), round, rank(), i); });
  }
  static parts received(int n, int round) { return {to(n, round, rank())}; }
  static parts placed(int n, int round) {
    if (is_root()) return sent(n, round);
    return {nothing_of(Base::length(n, rank()))};
  }
  static parts replaced(int n, int round) {
    return is_root() ? sent(n, round) : received(n, round);
  }
};
struct scatter : scattering<row> {
  CALLS(scatter)
  static constexpr const char* defect = "persistent-scatter";
  template <element, bound B, side S>
  static auto others(int n) {
    return counted_as<B, S>(n, root(at_root));
  }
};
struct scatterv : scattering<ragged> {
  CALLS(scatterv)
  template <element E, bound B, side S>
  static auto others(int n) {
    if constexpr (B == bound::count && S == side::received && is_coded<E>)
      return std::make_tuple(root(at_root), recv_count(length(n, rank())));
    else if constexpr (B == bound::count && S == side::received)
      return std::make_tuple(root(at_root), send_counts(lengths(n)), recv_count(length(n, rank())));
    else if constexpr (B == bound::count || !is_coded<E>)
      return std::make_tuple(root(at_root), send_counts(lengths(n)));
    else
      return std::make_tuple(root(at_root));
  }
};

// Exchanges of all with all. A coded range has one element for each rank.

template <class Base>
struct exchanging : Base {
  static constexpr bool nested_sent = true, nested_received = true, nested_placed = true;
  static ids between(int n, int round, int from, int to) {
    return part(Base::length(Base::length(n, from), to), round, from, to);
  }
  static parts sent(int n, int round) {
    return of_all([&](int to) { return between(n, round, rank(), to); });
  }
  static parts received(int n, int round) {
    return of_all([&](int from) { return between(n, round, from, rank()); });
  }
  static parts placed(int n, int round) { return sent(n, round); }
  static parts replaced(int n, int round) { return received(n, round); }
};
struct alltoall : exchanging<row> {
  CALLS(alltoall)
  template <element, bound B, side S>
  static auto others(int n) {
    return counted_as<B, S>(n);
  }
};
struct alltoallv : exchanging<ragged> {
  CALLS(alltoallv)
  template <element E, bound B, side S>
  static auto others(int n) {
    const ids mine = lengths(length(n, rank()));  // both ranks add theirs
    if constexpr (B == bound::in_place && is_coded<E>)
      return std::make_tuple();
    else if constexpr (B == bound::in_place)
      return std::make_tuple(recv_counts(ids(mine)));
    else if constexpr (B == bound::count && is_coded<E> && S == side::received)
      return std::make_tuple(recv_counts(ids(mine)));
    else if constexpr (B == bound::count)
      return std::make_tuple(send_counts(ids(mine)), recv_counts(ids(mine)));
    else if constexpr (is_coded<E>)
      return std::make_tuple();
    else
      return std::make_tuple(send_counts(ids(mine)));
  }
};
template <element E>
std::vector<mpi::datatype_handle> types(int n) {
  using type = typename type_of<E>::type;
  std::vector<mpi::datatype_handle> all;
  for (int i = 0; i < n; ++i) {
    if constexpr (is_coded<E>)
      all.push_back(mpi::int_);
    else
      all.push_back(datatype_of<type>());
  }
  return all;
}
// All counts, displacements and types are given, whatever the bound is.
template <element E, bound B, class Displacement>
auto typed_parts(const ids& counts) {
  const ids places = sums_before(counts, static_cast<int>(sizeof(typename type_of<E>::type)));
  const std::vector<Displacement> displs(places.begin(), places.end());
  const int n = static_cast<int>(counts.size());
  if constexpr (B == bound::in_place)
    return std::make_tuple(recv_counts(ids(counts)), recv_displs(std::vector(displs)),
                           recv_types(types<E>(n)));
  else
    return std::make_tuple(send_counts(ids(counts)), send_displs(std::vector(displs)),
                           send_types(types<E>(n)), recv_counts(ids(counts)),
                           recv_displs(std::vector(displs)), recv_types(types<E>(n)));
}
struct alltoallw : exchanging<ragged> {
  CALLS(alltoallw)
  static constexpr bool keeps_size = true;
  template <element E, bound B, side>
  static auto others(int n) {
    return typed_parts<E, B, int>(lengths(length(n, rank())));
  }
};

// Exchanges with neighbors: from the rank before to the next one.

struct around : row {
  static const auto& on() { return ring(); }
  static parts sent(int n, int round) { return {part(n, round, rank(), 5)}; }
  static parts received(int n, int round) { return {part(n, round, before(), 5)}; }
};
struct neighbor_allgather : around {
  CALLS(neighbor_allgather)
  static constexpr bool nested_received = true;
  template <element, bound B, side S>
  static auto others(int n) {
    return counted_as<B, S>(n);
  }
};
struct neighbor_allgatherv : around {
  CALLS(neighbor_allgatherv)
  static constexpr bool nested_received = true;
  template <element, bound B, side S>
  static auto others(int n) {
    if constexpr (B == bound::count && S == side::sent)
      return std::make_tuple(send_count(n), recv_counts(ids{n}));
    else if constexpr (B == bound::count)
      return std::make_tuple(recv_counts(ids{n}));
    else
      return std::make_tuple();
  }
};
struct neighbor_alltoall : neighbor_allgather {
  CALLS(neighbor_alltoall)
  static constexpr bool nested_sent = true;
};
struct neighbor_alltoallv : around {
  CALLS(neighbor_alltoallv)
  static constexpr bool nested_sent = true, nested_received = true;
  template <element E, bound B, side S>
  static auto others(int n) {
    if constexpr (B == bound::count && is_coded<E> && S == side::received)
      return std::make_tuple(recv_counts(ids{n}));
    else if constexpr (B == bound::count)
      return std::make_tuple(send_counts(ids{n}), recv_counts(ids{n}));
    else if constexpr (is_coded<E>)
      return std::make_tuple();
    else
      return std::make_tuple(send_counts(ids{n}));
  }
};
struct neighbor_alltoallw : around {
  CALLS(neighbor_alltoallw)
  static constexpr bool keeps_size = true;
  template <element E, bound B, side>
  static auto others(int n) {
    return typed_parts<E, B, mpi::aint_t>({n});
  }
};

// From the root to all.

struct bcast : row {
  CALLS(bcast)
  static parts placed(int n, int round) {
    return {is_root() ? part(n, round, at_root, 3) : nothing_of(n)};
  }
  static parts replaced(int n, int round) { return {part(n, round, at_root, 3)}; }
  template <element, bound B, side>
  static auto others([[maybe_unused]] int n) {
    if constexpr (B == bound::count)
      return std::make_tuple(root(at_root), send_recv_count(n));
    else
      return std::make_tuple(root(at_root));
  }
};

// Reductions.

template <bool Rooted>
struct reducing : row {
  static parts of_ranks(int n, int round) {
    return of_all([&](int i) { return part(n, round, i, 0); });
  }
  static parts sent(int n, int round) { return {part(n, round, rank(), 0)}; }
  static parts received(int n, int round) {
    if (Rooted && !is_root()) return {};
    return {sum(of_ranks(n, round))};
  }
  static parts placed(int n, int round) { return sent(n, round); }
  static parts replaced(int n, int round) {
    return Rooted && !is_root() ? sent(n, round) : received(n, round);
  }
};
struct reduce : reducing<true> {
  CALLS(reduce)
  template <element, bound B, side S>
  static auto others(int n) {
    return counted_as<B, S>(n, op(std::plus<>()), root(at_root));
  }
};
struct allreduce : reducing<false> {
  CALLS(allreduce)
  template <element, bound B, side S>
  static auto others(int n) {
    return counted_as<B, S>(n, op(std::plus<>()));
  }
};
struct scan : reducing<false> {
  CALLS(scan)
  static parts received(int n, int round) {
    return {sum(of_all([&](int i) { return part(n, round, i, 0); }, 0, rank() + 1))};
  }
  static parts replaced(int n, int round) { return received(n, round); }
  template <element, bound B, side S>
  static auto others(int n) {
    return counted_as<B, S>(n, op(std::plus<>()));
  }
};
struct exscan : reducing<false> {
  CALLS(exscan)
  static parts received(int n, int round) {
    if (rank() == 0) return {numbers(n, 7)};
    return {sum(of_all([&](int i) { return part(n, round, i, 0); }, 0, rank()))};
  }
  static parts replaced(int n, int round) { return received(n, round); }
  template <element E, bound B, side S>
  static auto others(int n) {
    if constexpr (is_coded<E>)
      return counted_as<B, S>(n, op(std::plus<>()));
    else
      return counted_as<B, S>(n, op(std::plus<>()),
                              values_on_rank_0(made<typename type_of<E>::type>(7)));
  }
};
template <class Base>
struct sharing : Base {
  static constexpr bool prefix_in_place = true;
  static parts sent(int n, int round) {
    return of_all([&](int to) { return part(Base::length(n, to), round, rank(), to); });
  }
  static parts received(int n, int round) {
    return {sum(of_all([&](int i) { return part(Base::length(n, rank()), round, i, rank()); }))};
  }
  static parts placed(int n, int round) { return sent(n, round); }
  static parts replaced(int n, int round) { return received(n, round); }
};
struct reduce_scatter_block : sharing<row> {
  CALLS(reduce_scatter_block)
  template <element, bound B, side S>
  static auto others(int n) {
    return counted_as<B, S>(n, op(std::plus<>()));
  }
};
struct reduce_scatter : sharing<ragged> {
  CALLS(reduce_scatter)
  static constexpr bool exact = true;
  template <element, bound, side>
  static auto others(int n) {
    return std::make_tuple(recv_counts(lengths(n)), op(std::plus<>()));
  }
};

// Exchanges of messages around the ring.

struct sendrecv : row {
  CALLS_TWICE(sendrecv)
  static constexpr bool is_exchange = true;
  static parts sent(int n, int round) { return {part(n, round, rank(), 5)}; }
  static parts received(int n, int round) { return {part(n, round, before(), 5)}; }
  template <element E, bound B, side S>
  static auto others(int n) {
    return counted_as<B, S>(is_coded<E> ? 64 + 64 * n : n, destination(next()), source(before()));
  }
};
struct sendrecv_replace : row {
  CALLS_TWICE(sendrecv_replace)
  static parts placed(int n, int round) { return {part(n, round, rank(), 5)}; }
  static parts replaced(int n, int round) { return {part(n, round, before(), 5)}; }
  template <element, bound B, side>
  static auto others([[maybe_unused]] int n) {
    if constexpr (B == bound::count)
      return std::make_tuple(destination(next()), source(before()), send_recv_count(n));
    else
      return std::make_tuple(destination(next()), source(before()));
  }
};

// Messages: the other side is a nonblocking one.

struct message : row {
  static parts sent(int n, int round) { return {part(n, round, rank(), 5)}; }
  static parts received(int n, int round) { return {part(n, round, before(), 5)}; }
};
// A bound of what is received: of coded values, bytes.
template <element E>
int most_bytes(int n) {
  return is_coded<E> ? 64 + 64 * n : n;
}
template <bound B>
auto to_the_next([[maybe_unused]] int n) {
  if constexpr (B == bound::count)
    return std::make_tuple(destination(next()), send_count(n));
  else
    return std::make_tuple(destination(next()));
}
#define SENDING(name)                 \
  struct name : message {             \
    CALLS(name)                       \
    template <element, bound B, side> \
    static auto others(int n) {       \
      return to_the_next<B>(n);       \
    }                                 \
  };
SENDING(send)
SENDING(bsend)
SENDING(ssend)
SENDING(rsend)
#undef SENDING
struct recv : message {
  CALLS(recv)
  template <element E, bound B, side>
  static auto others([[maybe_unused]] int n) {
    if constexpr (B == bound::count)
      return std::make_tuple(source(before()), recv_count(most_bytes<E>(n)));
    else
      return std::make_tuple(source(before()));
  }
};
// Of the object that a probe gives.
struct mrecv : message {
  using operation = operations::mrecv;
  template <io F>
  static auto call(auto& on, auto&&... p) {
    if constexpr (F == io::now)
      return on.recv(static_cast<decltype(p)&&>(p)...);
    else
      return on.irecv(static_cast<decltype(p)&&>(p)...);
  }
  template <element, bound B, side>
  static auto others([[maybe_unused]] int n) {
    if constexpr (B == bound::count)
      return std::make_tuple(recv_count(n));
    else
      return std::make_tuple();
  }
};

// Operations whose result is one value.

template <class Row>
struct of_one_value : Row {
  static constexpr bool single = true, one_value = true;
  static parts sent(int, int round) { return Row::sent(1, round); }
  static parts received(int, int round) { return Row::received(1, round); }
};
struct reduce_single : of_one_value<reduce> {
  CALLS(reduce_single)
};
struct allreduce_single : of_one_value<allreduce> {
  CALLS(allreduce_single)
};
struct scan_single : of_one_value<scan> {
  CALLS(scan_single)
};
struct exscan_single : of_one_value<exscan> {
  CALLS(exscan_single)
};
struct bcast_single : row {
  CALLS(bcast_single)
  static constexpr bool single = true, one_value = true, is_bcast = true;
  static parts sent(int, int round) { return {part(1, round, rank(), 3)}; }
  static parts received(int, int round) { return {part(1, round, at_root, 3)}; }
  template <element E, bound B, side S>
  static auto others(int n) {
    return bcast::others<E, B, S>(n);
  }
};
struct scatter_single : row {
  CALLS(scatter_single)
  static constexpr const char* defect = "persistent-scatter";
  static constexpr bool single = true;
  static parts sent(int, int round) {
    return of_all([&](int to) { return part(1, round, rank(), to); });
  }
  static parts received(int, int round) { return {part(1, round, at_root, rank())}; }
  template <element E, bound B, side S>
  static auto others(int) {
    return scatter::others<E, B, S>(1);
  }
};

#undef CALLS
#undef CALLS_TWICE

}  // namespace calls
