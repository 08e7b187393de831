// One call of the table: compiled and, if its verdict is right, run and compared with the numbers of its
// row; else it is refused. The name of the verdict must be the expected one.

#pragma once

#include <cstdio>
#include <functional>
#include <optional>

#include <mpiglot/bsend_buffer.hpp>

#include "rows.hpp"

namespace calls {

struct refused {};

// Compilers print the verdict that was found where another one was expected.
template <bool Expected, class Verdict>
struct found {};
template <class Verdict>
struct found<true, Verdict> {
  using the_expected_verdict = void;
};

template <class Row>
inline constexpr bool is_message = std::is_base_of_v<message, Row>;
template <class Row>
inline constexpr bool is_receive = std::is_same_v<Row, recv> || std::is_same_v<Row, mrecv>;

template <io F>
using form_of =
    std::conditional_t<F == io::now, detail::now,
                       std::conditional_t<F == io::later, detail::later, detail::bound>>;

template <class Operation, io F, class On, class... P>
struct judged_call {
  using type = typename detail::call_on<Operation, form_of<F>, On, P...>::verdict;
};
template <io F, class... P>
struct judged_call<operations::mrecv, F, matched_message, P...> {
  using type = typename operations::mrecv::call<matched_message, form_of<F>, P...>::verdict;
};

// What `as_serialized` and `deep` say about what they cannot encode.
template <class T>
struct verdict_on_code {
  using type = std::conditional_t<
      detail::fault_of<T>() == detail::fault::no_default_constructor,
      wrong_call::type_has_objects_without_default_constructor<builtin_codec, T>,
      wrong_call::type_cannot_be_encoded_list_fields_and_rules_of_pointers<builtin_codec, T>>;
};

// Wrong calls are told one by one; the test of their operation fails when all are made.
inline int faults = 0;
inline void note(const std::string& what) {
  ++faults;
  std::fprintf(stderr, "rank %d: %s\n", rank(), what.c_str());
}
inline void expect_no_faults() {
  made_ring.reset();
  check::expect(std::exchange(faults, 0) == 0, "calls are wrong");
}

// The coordinates of a call, for messages.
struct place {
  const char* row;
  const char* coordinates;
  int n = 0;
};

template <class Row, element E, side S, description D, ownership W, bound B, io F, text Expected>
struct one_call {
  using leaf = typename type_of<E>::type;
  static constexpr bool coded = is_coded<E>;
  template <bool Nested>
  using item = std::conditional_t<coded && Nested, std::vector<leaf>, leaf>;
  template <side Of>
  static constexpr description tested = S == Of ? D : description::range;
  // A buffer that the call takes and that is nowhere else.
  static constexpr bool is_gone = owns<D> && gives_up<W>;

  static count_t limit(int n) {
    const int all = n + 2 * size();
    return coded ? 64 + 64 * all : static_cast<count_t>(sizeof(leaf)) * all * size();
  }
  // Elements behind those that are counted.
  static constexpr std::size_t more = B == bound::count && !coded && !Row::exact ? 2 : 0;

  template <bool Nested, bool Tested>
  static std::size_t items(const parts& all) {
    return (coded && Nested ? all.size() : joined(all).size()) + (Tested ? more : 0);
  }

  template <class Verdict>
  static void judge() {
    using right [[maybe_unused]] =
        typename found<name_of<Verdict>() == Expected.view(), Verdict>::the_expected_verdict;
  }
  template <class On, class... P>
  static auto attempt([[maybe_unused]] On& on, [[maybe_unused]] P&&... p) {
    using verdict =
        typename judged_call<typename Row::operation, F, std::remove_const_t<On>, P...>::type;
    judge<verdict>();
    if constexpr (detail::is_right<verdict>)
      return Row::template call<F>(on, static_cast<P&&>(p)...);
    else
      return refused();
  }

  // What a call gives back takes the place of the buffer that was moved in.
  template <class Holder, class Result>
  static void absorb([[maybe_unused]] Holder& into, [[maybe_unused]] Result&& result) {
    using object = decltype(into.object);
    if constexpr (is_gone) {
      static_assert(std::is_same_v<object, std::remove_cvref_t<Result>>);
      into.object = static_cast<Result&&>(result);
    }
  }
  template <class Holder, class Call>
  static void absorb_from(Holder* into, Call call) {
    using result = decltype(call());
    if constexpr (std::is_void_v<result>) {
      static_assert(!is_gone || S == side::sent);
      call();
    } else if constexpr (S != side::sent) {
      absorb(*into, call());
    } else {
      static_cast<void>(call());
    }
  }

  template <class Holder>
  static void expect_in(Holder& holder, bool is_tested, ids expected, const place& where) {
    const bool resized = !Row::keeps_size && is_tested && is_gone && D == description::range;
    if (is_tested && !resized)
      for (std::size_t i = 0; i < more; ++i) expected.push_back(untouched);
    ids found = holder.read();
    if (S == side::both && Row::prefix_in_place && found.size() > expected.size())
      found.resize(expected.size());
    if (found != expected) note(told(where, found, expected));
    if (!holder.gaps_are_untouched()) note(told(where, found, expected) + ", beside it");
  }
  static std::string told(const place& where, const ids& found, const ids& expected) {
    std::size_t i = 0;
    while (i < found.size() && i < expected.size() && found[i] == expected[i]) ++i;
    const auto number = [&](const ids& of) {
      return i < of.size() ? std::to_string(of[i]) : std::string("nothing");
    };
    return std::string(where.row) + " " + where.coordinates + " of " + std::to_string(where.n) +
           ": " + std::to_string(found.size()) + " of " + std::to_string(expected.size()) +
           ", element " + std::to_string(i) + " is " + number(found) + ", not " + number(expected);
  }

  // Three starts; what the request owns stays as it was when it was made.
  template <class Prepare, class Call, class Around, class Check>
  static void rounds(Prepare prepare, Call call, Around around, Check check) {
    if constexpr (F == io::bound) {
      prepare(0);
      auto request = call();
      for (int round = 0; round < 3; ++round) {
        if (round > 0) prepare(round);
        around([&] {
          request.start();
          request.wait();
        });
        check(is_gone && S != side::received ? 0 : round);
      }
    } else {
      prepare(0);
      around([&] { return ended(call); });
      check(0);
    }
  }
  template <class Call>
  static auto ended(Call call) {
    if constexpr (F == io::later) {
      auto request = call();
      return request.wait();
    } else {
      return call();
    }
  }

  static void run_in_place(place where) {
    const int n = where.n;
    const parts first = Row::placed(n, 0);
    holder<D, item<Row::nested_placed>> all(items<Row::nested_placed, true>(first));
    const auto call = [&] {
      return std::apply(
          [&](auto&&... o) {
            return attempt(Row::on(), send_recv_buf(wrapped<E, B>(limit(n), given<W>(all.object))),
                           static_cast<decltype(o)&&>(o)...);
          },
          Row::template others<E, B, S>(n));
    };
    if constexpr (!std::is_same_v<decltype(call()), refused>) {
      rounds(
          [&](int round) {
            if (!is_gone || round == 0) all.fill(Row::placed(n, round));
          },
          call, [&](auto go) { absorb_in(all, go); },
          [&](int round) {
            if (F != io::bound || !is_gone)
              expect_in(all, true, joined(Row::replaced(n, round)), where);
          });
    }
  }
  // In the persistent form nothing is given back.
  template <class Holder, class Go>
  static void absorb_in(Holder& into, Go go) {
    if constexpr (F == io::bound)
      go();
    else
      absorb_from(&into, go);
  }

  static void run_apart(place where) {
    const int n = where.n;
    constexpr bool nested_sent = Row::nested_sent;
    constexpr bool nested_received = Row::nested_received;
    holder<tested<side::sent>, item<nested_sent>> out(items < nested_sent,
                                                      S == side::sent > (Row::sent(n, 0)));
    holder<tested<side::received>, item<nested_received>> in(
        items < nested_received, S == side::received > (Row::received(n, 0)));
    const auto prepare = [&](int round) {
      if (S != side::sent || !is_gone || round == 0) out.fill(Row::sent(n, round));
      if (S != side::received || !is_gone || round == 0) in.spoil();
    };
    const auto check = [&](int round) {
      if (F != io::bound || !is_gone || S == side::sent)
        expect_in(in, S == side::received, joined(Row::received(n, round)), where);
    };
    if constexpr (is_message<Row>) {
      run_message(where, out, in, prepare, check);
    } else {
      constexpr ownership send_as = S == side::sent ? W : ownership::lvalue;
      constexpr ownership receive_as = S == side::received ? W : ownership::lvalue;
      constexpr bool both_bounded = B == bound::at_most && !Row::is_exchange;
      constexpr bound sent_bound = both_bounded || S == side::sent ? B : bound::none;
      constexpr bound received_bound = both_bounded || S == side::received ? B
                                       : Row::is_exchange && coded         ? bound::at_most
                                                                           : bound::none;
      const auto call = [&] {
        return std::apply(
            [&](auto&&... o) {
              return attempt(
                  Row::on(), send_buf(wrapped<E, sent_bound>(limit(n), given<send_as>(out.object))),
                  recv_buf(wrapped<E, received_bound>(limit(n), given<receive_as>(in.object))),
                  static_cast<decltype(o)&&>(o)...);
            },
            Row::template others<E, B, S>(n));
      };
      if constexpr (!std::is_same_v<decltype(call()), refused>)
        rounds(prepare, call, [&](auto go) { absorb_in(in, go); }, check);
    }
  }

  // The result is a value. In the persistent form it is not given back.
  static void run_single(const place& where) {
    holder<single_object, leaf> out(items<false, false>(Row::sent(where.n, 0)));
    const auto call = [&] {
      return std::apply(
          [&](auto&&... o) {
            if constexpr (Row::is_bcast)
              return attempt(Row::on(),
                             send_recv_buf(wrapped<E, B>(limit(1), given<W>(out.object))),
                             static_cast<decltype(o)&&>(o)...);
            else
              return attempt(Row::on(), send_buf(wrapped<E, B>(limit(1), given<W>(out.object))),
                             static_cast<decltype(o)&&>(o)...);
          },
          Row::template others<E, B, S>(where.n));
    };
    if constexpr (!std::is_same_v<decltype(call()), refused>)
      rounds(
          [&](int round) {
            if (!is_gone || round == 0) out.fill(Row::sent(where.n, round));
          },
          call,
          [&](auto go) {
            if constexpr (F == io::bound) {
              go();
            } else {
              auto result = go();
              const ids value{id_of(at(result, 0))};
              const ids expected = joined(Row::received(where.n, 0));
              if (!expected.empty() && value != expected) note(told(where, value, expected));
            }
          },
          [](int) {});
  }

  template <class Out, class In, class Prepare, class Check>
  static void run_message(const place& where, Out& out, In& in, Prepare prepare, Check check) {
    const int n = where.n;
    std::optional<matched_message> matched;
    const auto call = [&] {
      return std::apply(
          [&](auto&&... o) {
            if constexpr (std::is_same_v<Row, mrecv>)
              return attempt(*matched, recv_buf(wrapped<E, B>(limit(n), given<W>(in.object))),
                             static_cast<decltype(o)&&>(o)...);
            else if constexpr (S == side::received)
              return attempt(world(), recv_buf(wrapped<E, B>(limit(n), given<W>(in.object))),
                             static_cast<decltype(o)&&>(o)...);
            else
              return attempt(world(), send_buf(wrapped<E, B>(limit(n), given<W>(out.object))),
                             static_cast<decltype(o)&&>(o)...);
          },
          Row::template others<E, B, S>(n));
    };
    if constexpr (!std::is_same_v<decltype(call()), refused>) {
      std::optional<bsend_buffer> room;
      if constexpr (std::is_same_v<Row, bsend>) room.emplace(bsend_buffer::room_for(limit(n), 4));
      const auto around = [&](auto go) {
        if constexpr (S == side::sent) {
          constexpr bound how = coded ? bound::at_most : bound::none;
          auto other =
              world().irecv(recv_buf(wrapped<E, how>(limit(n), in.object)), source(before()));
          world().barrier();  // a ready send needs the receive
          absorb_in(in, go);
          other.wait();
        } else {
          auto other =
              world().isend(send_buf(wrapped<E, bound::none>(0, out.object)), destination(next()));
          if constexpr (std::is_same_v<Row, mrecv>) matched = world().mprobe(source(before()));
          absorb_in(in, go);
          other.wait();
        }
      };
      rounds(prepare, call, around, check);
    }
  }

  // A coded buffer is judged before it is a parameter.
  template <class Object>
  static constexpr bool can_be_coded = !coded || codec_for<builtin_codec, Object>;
  static constexpr bool tested_item_is_nested = S == side::both   ? Row::nested_placed
                                                : S == side::sent ? Row::nested_sent
                                                                  : Row::nested_received;
  static constexpr description single_object =
      Row::one_value && D == description::range ? description::value : D;
  using tested_object = decltype(described<single_object, item<tested_item_is_nested>>::object);

  static void run(const place& where) {
    if constexpr (!can_be_coded<tested_object>) {
      using verdict = typename verdict_on_code<tested_object>::type;
      judge<verdict>();
    } else {
      run_coded(where);
    }
  }
  static void run_coded(const place& where) {
    if (F == io::bound && check::known_defect(Row::defect)) return;
    try {
      if constexpr (Row::single)
        run_single(where);
      else if constexpr (S == side::both)
        run_in_place(where);
      else
        run_apart(where);
    } catch (const mpi::unavailable&) {  // not every MPI has every form
    } catch (const std::exception& error) {
      note(std::string(where.row) + " " + where.coordinates + " of " + std::to_string(where.n) +
           ": " + error.what());
    }
  }
};

}  // namespace calls

#define CALL(row, e, s, d, w, b, f, expected, n)                                        \
  calls::one_call<calls::row, calls::element::e, calls::side::s, calls::description::d, \
                  calls::ownership::w, calls::bound::b, calls::io::f,                   \
                  expected>::run({#row, #e " " #s " " #d " " #w " " #b " " #f, n})
