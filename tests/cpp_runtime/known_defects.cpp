// What is known to be wrong with an MPI (provision/matrix.json) never reaches a program: another
// function is called, or the call throws.

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include <mpiglot/info.hpp>
#include <mpiglot/objects.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/topology.hpp>
#include <mpiglot/window.hpp>

#include "kinds.hpp"

using namespace kinds;

namespace {

struct padded {
  char letter;
  int number;
};
// Its fields end before it does.
struct tailed {
  double number;
  char letter;
};

}  // namespace

template <>
struct mpiglot::datatype_traits<padded> {
  static inline datatype bytes;  // as long as a test sends such elements
  static mpi::datatype_handle get() { return bytes.handle(); }
};
template <>
struct mpiglot::datatype_traits<tailed> {
  static inline datatype fields;  // as long as a test sends such elements
  static mpi::datatype_handle get() { return fields.handle(); }
};

namespace {

// Runs a call that throws where the MPI has a defect, and only there. True if it went well.
template <class Call>
bool refused_where_wrong(const char* id, Call call) {
  if (!check::known_defect(id)) {
    call();
    return true;
  }
  const auto error = check::thrown_by<mpi::unavailable>(call);
  check::expect(std::string_view(error.what()).find("known defect: ") != std::string_view::npos);
  return false;
}

}  // namespace

TEST(reductions_in_place_give_every_root_its_sum) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  for (const std::size_t n : {1U, 1000U, 100'000U})
    for (int to = 0; to < comm.size(); ++to) {
      std::vector<long> many(n, comm.rank() + 1);
      comm.reduce(send_recv_buf(many), op(std::plus<>()), root(to));
      const long sum = comm.size() * (comm.size() + 1) / 2;
      check::equal(many, std::vector<long>(n, comm.rank() == to ? sum : comm.rank() + 1));
    }
  for (const std::size_t n : {1U, 50'000U, 100'000U}) {
    std::vector<double> all;
    std::vector<int> counts;
    for (std::size_t i = 0; i < ranks; ++i) {
      counts.push_back(static_cast<int>(n * (i + 1)));
      all.insert(all.end(), n * (i + 1), static_cast<double>(i) + comm.rank());
    }
    comm.reduce_scatter(send_recv_buf(all), recv_counts(counts), op(std::plus<>()));
    const double sum = comm.size() * comm.rank() + comm.size() * (comm.size() - 1) / 2.0;
    const auto own = n * (static_cast<std::size_t>(comm.rank()) + 1);
    for (std::size_t i = 0; i < own; ++i) check::equal(all[i], sum);
  }
}

TEST(logical_operations_at_a_target_are_done_or_refused) {
  const communicator comm;
  if (comm.size() == 1) return;  // some MPIs have no windows there
  std::vector<int> memory(4, 1);
  const window win = window::create(comm, memory);
  const int zero = 0, last = comm.size() - 1;
  bool done = true;
  int before = -1, found = -1;  // until the epoch ends
  {
    const auto epoch = win.fence();
    done = refused_where_wrong("accumulate-ignores-logical", [&] {
      win.accumulate(send_buf(zero), target_rank(last), op(std::logical_and<>()));
    });
    refused_where_wrong("accumulate-ignores-logical", [&] {
      win.accumulate(send_buf(zero), target_rank(last), op(mpi::op_handle{MPI_LAND}));
    });
    refused_where_wrong("accumulate-ignores-logical",
                        [&] { win.accumulate(send_buf(zero), target_rank(last), op(mpi::land)); });
    refused_where_wrong("accumulate-ignores-logical", [&] {
      win.get_accumulate(send_buf(zero), recv_buf(before), target_rank(last), op(mpi::lxor));
    });
    refused_where_wrong("accumulate-ignores-logical", [&] {
      win.fetch_and_op(send_buf(zero), recv_buf(found), target_rank(last), op(mpi::land));
    });
    win.accumulate(send_buf(zero), target_rank(last), target_displacement(1), op(std::plus<>()));
  }
  if (comm.rank() == last) check::equal(memory, std::vector<int>{done ? 0 : 1, 1, 1, 1});
}

TEST(an_error_handler_that_ends_the_program_at_once_is_set_or_refused) {
#ifdef MPI_ERRORS_ABORT
  const communicator comm = communicator().dup();
  refused_where_wrong("errors-abort-crashes",
                      [&] { comm.set_errhandler(mpi::errhandler_handle{MPI_ERRORS_ABORT}); });
#endif
}

TEST(grids_of_more_ranks_than_can_be_divided_are_refused) {
  refused_where_wrong("dims-of-large-numbers", [] {
    check::equal(dims_create(2147483647, 2), std::vector<int>{2147483647, 1});
  });
  check::equal(dims_create(12, 2), std::vector<int>{4, 3});
  check::equal(dims_create(12, std::vector<int>{0, 6}), std::vector<int>{2, 6});
}

TEST(hints_of_a_communicator_can_be_given_to_every_split) {
#ifdef MPI_COMM_TYPE_HW_UNGUIDED
  const communicator comm;
  const info hints(mpi::unique_info(mpi::comm_get_info(comm.handle())));
  for (const int type : {MPI_COMM_TYPE_HW_GUIDED, MPI_COMM_TYPE_HW_UNGUIDED}) {
    const auto part = comm.split_type(type, 0, hints);
    check::expect(part.size() <= comm.size());
  }
  info guiding = hints.dup();
  guiding.set("mpi_hw_resource_type", "mpi_shared_memory");
  check::equal(comm.split_type(MPI_COMM_TYPE_HW_GUIDED, 0, guiding).size(),
               comm.split_type(MPI_COMM_TYPE_SHARED).size());
#endif
}

// Processes that have no neighbor on one side: those of a star in both directions, and of a chain.
TEST(processes_without_neighbors_on_a_side_take_part) {
  const communicator comm;
  const int rank = comm.rank(), size = comm.size();
  std::vector<int> others;
  for (int i = 1; i < size; ++i) others.push_back(i);
  const std::vector<int> none, center{0};
  struct sides {
    std::vector<int> sources, destinations;
  };
  const std::vector<int> before(rank > 0 ? 1 : 0, rank - 1),
      after(rank + 1 < size ? 1 : 0, rank + 1);
  const sides shapes[] = {
      rank == 0 ? sides{none, others} : sides{center, none},
      rank == 0 ? sides{others, none} : sides{none, center},
      {before, after},
  };
  for (const sides& shape : shapes) {
    const distributed_graph graph(comm.handle(), {shape.sources, shape.destinations});
    for (const std::size_t n : {1U, 3U, 5000U}) {
      const std::vector<int> mine(n, rank + 1);
      std::vector<int> all, parts, from_each;
      for (const int source : shape.sources) {
        all.insert(all.end(), n, source + 1);
        from_each.insert(from_each.end(), n, 100 * source + rank);
      }
      for (const int to : shape.destinations) parts.insert(parts.end(), n, 100 * rank + to);
      std::vector<int> into(all.size());
      check::equal(graph.neighbor_allgather(send_buf(mine)), all);
      graph.neighbor_allgather(send_buf(mine), recv_buf(into));
      check::equal(into, all);
      into.assign(into.size(), 0);
      graph.ineighbor_allgather(send_buf(mine), recv_buf(into)).wait();
      check::equal(into, all);
      graph.neighbor_alltoall(send_buf(parts), send_count(static_cast<int>(n)), recv_buf(into),
                              recv_count(static_cast<int>(n)));
      check::equal(into, from_each);
      graph.neighbor_alltoall(send_buf(parts), recv_buf(into));
      check::equal(into, from_each);
      into.assign(into.size(), 0);
      graph.ineighbor_alltoall(send_buf(parts), recv_buf(into)).wait();
      check::equal(into, from_each);
    }
  }
}

// A process without others puts its part where its displacement says.
TEST(the_part_of_a_process_without_others_goes_to_its_displacement) {
  const communicator comm(MPI_COMM_SELF);
  const std::vector<int> mine{7, 8}, displs{3}, counts{2}, expected{-1, -1, -1, 7, 8, -1};
  const std::vector<int> empty(6, -1);
  std::vector<int> all = empty;
  comm.allgatherv(send_buf(mine), recv_buf(all), recv_counts(counts), recv_displs(displs));
  check::equal(all, expected);
  all = empty;
  comm.allgatherv(send_buf(mine), recv_buf(all), recv_displs(displs));
  check::equal(all, expected);
  all = empty;
  comm.iallgatherv(send_buf(mine), recv_buf(all), recv_counts(counts), recv_displs(displs)).wait();
  check::equal(all, expected);
  if (mpi::has_allgatherv_init) {
    all = empty;
    auto request = comm.allgatherv_init(send_buf(mine), recv_buf(all), recv_counts(counts),
                                        recv_displs(displs));
    for (int i = 0; i < 2; ++i) {
      request.start();
      request.wait();
      check::equal(all, expected);
      all = empty;
    }
  }
  auto& bytes = mpiglot::datatype_traits<padded>::bytes;
  bytes = datatype::committed(mpi::type_contiguous(sizeof(padded), mpi::byte));
  for (const std::size_t n : {0U, 1U, 5000U}) {  // their lengths travel in a message of their own
    const std::vector<padded> many(n, padded{'x', 5});
    std::vector<padded> parts(n + 4, padded{'-', -1});
    comm.allgatherv(send_buf(many), recv_buf(parts), recv_displs(displs));
    for (std::size_t i = 0; i < parts.size(); ++i)
      check::equal(parts[i].number, i >= 3 && i < n + 3 ? 5 : -1);
  }
  bytes = {};
  std::vector<std::int64_t> wide_counts{2}, wide_displs{3};
  all = empty;
  comm.allgatherv(send_buf(mine), recv_buf(all), recv_counts(wide_counts),
                  recv_displs(wide_displs));
  check::equal(all, expected);
}

// Each kind of access, window and policy.
TEST(atomic_accesses_of_a_process_without_others_are_made_or_refused) {
  if (check::known_defect("no-window-on-one-process")) return;
  static constexpr const char* id = "atomics-abort-on-one-process";
  const communicator self(MPI_COMM_SELF);
  const auto try_window = [](const auto& win, std::span<int> memory) {
    const int five = 5, one = 1, twelve = 12;
    int old = -1, seen = -1, swapped = -1;
    std::vector<int> before(1, -1), later(1, -1);
    memory[0] = 1;
    bool done = true;
    {
      const auto epoch = win.lock_all();
      const auto each = [&](auto access) {
        done = refused_where_wrong(id, access) && done;
        epoch.flush();
      };
      const auto at = target_displacement(0);
      each([&] { win.accumulate(send_buf(five), target_rank(0), at, op(std::plus<>())); });  // 6
      each([&] {
        win.get_accumulate(send_buf(five), recv_buf(before), target_rank(0), at, op(std::plus<>()));
      });  // 11
      each([&] {
        win.fetch_and_op(send_buf(one), recv_buf(old), target_rank(0), at, op(std::plus<>()));
      });                                                                   // 12
      each([&] { win.fetch_and_op(recv_buf(seen), target_rank(0), at); });  // reads
      each([&] {
        win.compare_and_swap(send_buf(one), compare_buf(twelve), recv_buf(swapped), target_rank(0),
                             at);
      });  // 1
      each([&] { win.raccumulate(send_buf(five), target_rank(0), at, op(std::plus<>())).wait(); });
      each([&] {
        win.rget_accumulate(send_buf(five), recv_buf(later), target_rank(0), at, op(std::plus<>()))
            .wait();
      });
    }
    check::equal(memory[0], done ? 11 : 1);
    check::equal(before[0], done ? 6 : -1);
    check::equal(old, done ? 11 : -1);
    check::equal(seen, done ? 12 : -1);
    check::equal(swapped, done ? 12 : -1);
    check::equal(later[0], done ? 6 : -1);
    // Other accesses are made.
    int got = -1;
    {
      const auto epoch = win.lock_all();
      win.put(send_buf(one), target_rank(0));
      epoch.flush();
      win.get(recv_buf(got), target_rank(0));
    }
    check::equal(got, 1);
  };
  const auto try_kind = [&]<class Window>(const Window*) {
    std::vector<int> memory(2, 1);
    const Window over = Window::create(self, memory);
    try_window(over, memory);
    const Window allocated = Window::template allocate<int>(self, 2);
    try_window(allocated, allocated.template memory<int>());
  };
  try_kind(static_cast<const window*>(nullptr));
  try_kind(static_cast<const basic_window<checked>*>(nullptr));

  const auto quiet = basic_window<with_outcomes>::allocate<int>(self, 1);
  const auto epoch = quiet.lock_all();
  const int five = 5;
  static_cast<void>(refused_where_wrong(id, [&] {
    check::expect(bool(quiet.accumulate(send_buf(five), target_rank(0), op(std::plus<>()))));
  }));
  static_cast<void>(refused_where_wrong(id, [&] {
    auto adding = quiet.raccumulate(send_buf(five), target_rank(0), op(std::plus<>()));
    check::expect(bool(adding.wait()));
  }));
}

// Where the datatypes of both sides differ, or could.
TEST(rget_is_refused_where_it_ends_too_early) {
  const communicator comm;
  if (comm.size() == 1 && check::known_defect("no-window-on-one-process")) return;
  const window win = window::allocate<int>(comm, 8);
  for (int i = 0; i < 8; ++i) win.memory<int>()[static_cast<std::size_t>(i)] = 10 * comm.rank() + i;
  const datatype every_second = datatype::committed(mpi::type_vector(4, 1, 2, mpi::int_));
  const int from = (comm.rank() + 1) % comm.size();
  mpi::barrier(comm);
  std::vector<int> got(4), plain(4);
  bool went = false;
  {
    const auto epoch = win.lock_all();
    went = refused_where_wrong("rget-completes-early", [&] {
      win.rget(recv_buf(got), target_rank(from), target_count(1),
               target_type(every_second.handle()))
          .wait();
    });
    win.rget(recv_buf(plain), target_rank(from), target_count(4), target_type(mpi::int_)).wait();
  }
  mpi::barrier(comm);
  for (int i = 0; i < 4; ++i) {
    const auto at = static_cast<std::size_t>(i);
    check::equal(plain[at], 10 * from + i);
    check::equal(got[at], went ? 10 * from + 2 * i : 0);
  }
}

// A derived datatype that is only received is right everywhere.
TEST(isendrecv_of_derived_datatypes_and_with_nobody_is_done_or_refused) {
  if (!mpi::has_isendrecv) return;
  const communicator comm;
  const int to = (comm.rank() + 1) % comm.size();
  const int from = (comm.rank() + comm.size() - 1) % comm.size();
  const datatype pair = datatype::committed(mpi::type_contiguous(2, mpi::int_));
  const std::vector<int> mine{comm.rank(), 7, 8, 9}, theirs{from, 7, 8, 9};
  for (const bool is_sent : {false, true}) {
    std::vector<int> got(4);
    const auto exchange = [&] {
      comm.isendrecv(send_buf(mine), send_count(is_sent ? 2 : 4),
                     send_type(is_sent ? pair.handle() : mpi::datatype_handle(mpi::int_)),
                     destination(to), recv_buf(got), recv_count(2), recv_type(pair.handle()),
                     source(from))
          .wait();
    };
    const bool went = is_sent ? refused_where_wrong("isendrecv-frees-derived-type", exchange)
                              : (exchange(), true);
    check::equal(got, went ? theirs : std::vector<int>(4));
  }
  auto& bytes = mpiglot::datatype_traits<padded>::bytes;
  bytes = datatype::committed(mpi::type_contiguous(sizeof(padded), mpi::byte));
  std::vector<padded> some(3, padded{'x', comm.rank()});
  const bool went = refused_where_wrong("isendrecv-frees-derived-type", [&] {
    comm.isendrecv_replace(send_recv_buf(some), destination(to), source(from)).wait();
  });
  check::equal(some[2].number, went ? from : comm.rank());
  bytes = {};
  std::vector<int> kept(4, 5);
  refused_where_wrong("isendrecv-with-nobody", [&] {
    comm.isendrecv(send_buf(mine), destination(mpi::proc_null), recv_buf(kept),
                   source(mpi::proc_null))
        .wait();
  });
  refused_where_wrong("isendrecv-with-nobody", [&] {
    comm.isendrecv_replace(send_recv_buf(kept), destination(mpi::proc_null), source(mpi::proc_null))
        .wait();
  });
  check::equal(kept, std::vector<int>(4, 5));
  mpi::barrier(comm);
}

// Without a gap, or with an operation that commutes, it is right everywhere.
TEST(parts_of_elements_with_a_gap_at_their_end_are_combined_in_order_or_refused) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::vector<int> lengths{1, 1}, counts(ranks, 7);
  const std::vector<mpi::aint_t> places{0, offsetof(tailed, letter)};
  const std::vector<mpi::datatype_handle> types{mpi::double_, mpi::char_};
  auto& fields = mpiglot::datatype_traits<tailed>::fields;
  auto narrow = mpi::type_create_struct(lengths, places, types);
  fields = datatype::committed(mpi::type_create_resized(narrow, 0, sizeof(tailed)));
  mpi::type_free(narrow);
  std::vector<tailed> mine(7 * ranks, tailed{1.0 * comm.rank(), 'x'}), got(7);
  const auto last = [](const tailed&, const tailed& b) { return b; };
  const auto larger_one = [](const tailed& a, const tailed& b) {
    return a.number < b.number ? b : a;
  };
  const operation last_of_mpi([](const void*, void*, int, mpi::datatype_handle) {},
                              false);  // the last ones stay
  const auto highest = [&](bool went) {
    for (const tailed& each : got) check::equal(each.number, went ? comm.size() - 1.0 : 0.0);
    got.assign(7, tailed{});
  };
  const auto combined = [&](auto call) {
    highest(refused_where_wrong("reduce-scatter-of-gaps", call));
  };
  combined(
      [&] { comm.reduce_scatter_block(send_buf(mine), recv_buf(got), op(last, non_commutative)); });
  combined([&] {
    comm.ireduce_scatter_block(send_buf(mine), recv_buf(got), op(last, non_commutative)).wait();
  });
  combined([&] {
    comm.reduce_scatter(send_buf(mine), recv_buf(got), recv_counts(counts),
                        op(last, non_commutative));
  });
  combined([&] {
    comm.ireduce_scatter(send_buf(mine), recv_buf(got), recv_counts(counts),
                         op(last, non_commutative))
        .wait();
  });
  combined(
      [&] { comm.reduce_scatter_block(send_buf(mine), recv_buf(got), op(last_of_mpi.handle())); });
  if constexpr (mpi::has_reduce_scatter_init) {
    combined([&] {
      auto prepared = comm.reduce_scatter_init(send_buf(mine), recv_buf(got), recv_counts(counts),
                                               op(last, non_commutative));
      prepared.start();
      prepared.wait();
    });
    combined([&] {
      auto prepared =
          comm.reduce_scatter_block_init(send_buf(mine), recv_buf(got), op(last, non_commutative));
      prepared.start();
      prepared.wait();
    });
  }
  comm.reduce_scatter_block(send_buf(mine), recv_buf(got), op(larger_one, commutative));
  highest(true);
  comm.allreduce(send_buf(std::vector<tailed>(mine.begin(), mine.begin() + 7)), recv_buf(got),
                 op(last, non_commutative));
  highest(true);
  const datatype whole = datatype::committed(mpi::type_contiguous(sizeof(tailed), mpi::byte));
  comm.reduce_scatter_block(send_buf(mine), send_type(whole.handle()), recv_buf(got),
                            recv_type(whole.handle()), op(last, non_commutative));
  highest(true);
  auto placed = mine;
  const bool went = refused_where_wrong("reduce-scatter-of-gaps", [&] {
    comm.reduce_scatter_block(send_recv_buf(placed), op(last, non_commutative));
  });
  check::equal(placed[0].number, went ? comm.size() - 1.0 : comm.rank());
  fields = {};
}
