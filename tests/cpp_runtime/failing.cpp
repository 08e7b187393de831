// A failure at each constructor, each allocation and each hook of every rank, in every operation.

#include "failing.hpp"

#include <list>
#include <map>
#include <utility>
#include <vector>

#include <mpiglot/at_most.hpp>
#include <mpiglot/channel.hpp>
#include <mpiglot/checkpoint.hpp>
#include <mpiglot/strided.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/streams.hpp>
#include <mpiglot/topology.hpp>
#include <mpiglot/transport.hpp>
#include <mpiglot/window.hpp>

extern "C" {
// The linker replaces the functions in this program, not in MPI.
void* __real_malloc(std::size_t size);                                // NOLINT
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);  // NOLINT
void* __real_realloc(void* memory, std::size_t size);                 // NOLINT
void __real_free(void* memory);                                       // NOLINT
void* __wrap_malloc(std::size_t size) {                               // NOLINT
  if (failing::fails_now()) return nullptr;
  ++failing::live;
  return __real_malloc(size);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {  // NOLINT
  if (failing::fails_now()) return nullptr;
  ++failing::live;
  return __real_aligned_alloc(alignment, size);
}
void* __wrap_realloc(void* memory, std::size_t size) {  // NOLINT
  if (failing::fails_now()) return nullptr;
  if (memory == nullptr) ++failing::live;
  return __real_realloc(memory, size);
}
void __wrap_free(void* memory) {  // NOLINT
  if (memory != nullptr) --failing::live;
  __real_free(memory);
}
}
void* operator new(std::size_t size) {
  void* const memory = __wrap_malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { __wrap_free(memory); }
void operator delete(void* memory, std::size_t) noexcept { __wrap_free(memory); }

using namespace failing;

TEST(plain_values_gathered) {
  for (const std::size_t n : {std::size_t{5}, std::size_t{3000}}) {
    const auto mine = [n] { return ints_of(rank(), n); };
    const ints all = joined(&ints_of, n);
    const ints counts(ranks(), static_cast<int>(n));
    AT_EACH("allgather", untold, mine, result == all, world().allgather(send_buf(input)));
    AT_EACH("allgatherv", told, mine, result == all, world().allgatherv(send_buf(input)));
    AT_EACH("allgatherv, lengths first", told, mine, result == all,
            world().allgatherv(send_buf(input), lengths_first()));
    AT_EACH("allgatherv, counts asked for", told, mine, get<0>(result) == all,
            world().allgatherv(send_buf(input), recv_counts_out()));
    AT_EACH("allgatherv, counts given", untold, mine, result == all,
            world().allgatherv(send_buf(input), recv_counts(counts)));
    AT_EACH("gather", untold, mine, result == at_root(all), world().gather(send_buf(input)));
    AT_EACH("gatherv", told, mine, result == at_root(all), world().gatherv(send_buf(input)));
    AT_EACH("gatherv, counts given", untold, mine, result == at_root(all),
            world().gatherv(send_buf(input), recv_counts(counts)));
    AT_EACH("iallgather", untold, mine, result == all, world().iallgather(send_buf(input)).wait());
    AT_EACH("igather", untold, mine, result == at_root(all),
            world().igather(send_buf(input)).wait());
    AT_EACH("iallgatherv", untold, mine, result == all,
            world().iallgatherv(send_buf(input), recv_counts(counts)).wait());
    AT_EACH("igatherv", untold, mine, result == at_root(all),
            world().igatherv(send_buf(input), recv_counts(counts)).wait());
  }
}

TEST(views_gathered) {
  struct taken {
    gapped mine;
    gapped all;
  };
  for (const std::size_t n : {std::size_t{5}, std::size_t{3000}}) {
    const ints all = joined(&ints_of, n);
    const ints counts(ranks(), static_cast<int>(n));
    const auto mine = [&] {
      return taken{gapped(ints_of(rank(), n)), gapped(ints(all.size(), -2))};
    };
    AT_EACH("allgather of views", untold, mine, input.all.is(all),
            (world().allgather(send_buf(input.mine.view()), recv_buf(input.all.view())), 0));
    AT_EACH("allgatherv of views", told, mine, input.all.is(all),
            (world().allgatherv(send_buf(input.mine.view()), recv_buf(input.all.view())), 0));
    AT_EACH("gatherv of views", told, mine, rank() != 0 || input.all.is(all),
            (world().gatherv(send_buf(input.mine.view()), recv_buf(input.all.view())), 0));
    AT_EACH("iallgatherv of views", untold, mine, input.all.is(all),
            (world()
                 .iallgatherv(send_buf(input.mine.view()), recv_buf(input.all.view()),
                              recv_counts(counts))
                 .wait(),
             0));
  }
}

TEST(encoded_values_gathered) {
  const auto mine = [] { return things_of(rank(), 2); };
  const auto all = lists();
  AT_EACH("allgatherv encoded", told, mine, result == all,
          world().allgatherv(send_buf(as_serialized(input))));
  AT_EACH("allgather encoded", told, mine, result == all,
          world().allgather(send_buf(as_serialized(input))));
  AT_EACH("gatherv encoded", told, mine, result == at_root(all),
          world().gatherv(send_buf(as_serialized(input))));
  AT_EACH("gather encoded", told, mine, result == at_root(all),
          world().gather(send_buf(as_serialized(input))));
  AT_EACH("iallgather at most", told, mine, result == all,
          world().iallgather(send_buf(at_most(600, as_serialized(input)))).wait());
  AT_EACH("igather at most", told, mine, result == at_root(all),
          world().igather(send_buf(at_most(600, as_serialized(input)))).wait());
}

TEST(values_broadcast) {
  struct taken {
    ints plain;
    things encoded;
  };
  for (const std::size_t n : {std::size_t{3}, std::size_t{2000}})
    for (int from = 0; from < size(); ++from) {
      const auto mine = [from, n] {
        return rank() == from ? taken{ints_of(from, 10 * n), things_of(from, n < 100 ? n : 24)}
                              : taken{};
      };
      const ints plain = ints_of(from, 10 * n);
      const things encoded = things_of(from, n < 100 ? n : 24);
      AT_EACH("bcast", told, mine, input.plain == plain,
              (world().bcast(send_recv_buf<resize_to_fit>(input.plain), root(from)), 0));
      AT_EACH(
          "bcast, lengths first", told, mine, input.plain == plain,
          (world().bcast(send_recv_buf<resize_to_fit>(input.plain), root(from), lengths_first()),
           0));
      AT_EACH("bcast encoded", told, mine, input.encoded == encoded,
              (world().bcast(send_recv_buf(as_serialized(input.encoded)), root(from)), 0));
      AT_EACH("bcast deep", told, mine, input.encoded == encoded,
              (world().bcast(send_recv_buf(deep(input.encoded)), root(from)), 0));
      AT_EACH("ibcast at most", told, mine, input.encoded == encoded,
              (world()
                   .ibcast(send_recv_buf(at_most(40000, as_serialized(input.encoded))), root(from))
                   .wait(),
               0));
      AT_EACH("ibcast counted", untold, mine, input.plain == plain,
              (world()
                   .ibcast(send_recv_buf<resize_to_fit>(input.plain), root(from),
                           send_recv_count(static_cast<count_t>(plain.size())))
                   .wait(),
               0));
    }
}

TEST(values_scattered) {
  for (const std::size_t n : {std::size_t{5}, std::size_t{3000}}) {
    const auto mine = [n] { return at_root(joined(&ints_of, n)); };
    const ints wanted = ints_of(rank(), n);
    const ints counts(ranks(), static_cast<int>(n));
    const auto each = static_cast<count_t>(n);
    AT_EACH("scatter", told, mine, result == wanted, world().scatter(send_buf(input)));
    AT_EACH("scatter, counted", untold, mine, result == wanted,
            world().scatter(send_buf(input), recv_count(each)));
    AT_EACH("scatterv", told, mine, result == wanted,
            world().scatterv(send_buf(input), send_counts(counts)));
    AT_EACH("scatterv, lengths first", told, mine, result == wanted,
            world().scatterv(send_buf(input), send_counts(counts), lengths_first()));
    AT_EACH("scatterv, counted", untold, mine, result == wanted,
            world().scatterv(send_buf(input), send_counts(counts), recv_count(each)));
    AT_EACH("iscatter", untold, mine, result == wanted,
            world().iscatter(send_buf(input), recv_count(each)).wait());
    AT_EACH("iscatterv", untold, mine, result == wanted,
            world().iscatterv(send_buf(input), send_counts(counts), recv_count(each)).wait());
  }
  const auto all = lists();
  const auto mine = [&] { return rank() == 0 ? lists() : std::vector<things>(); };
  AT_EACH("scatter encoded", told, mine, result == things_of(rank(), 2),
          world().scatter(send_buf(as_serialized(input))));
  AT_EACH("scatterv encoded", told, mine, result == things_of(rank(), 2),
          world().scatterv(send_buf(as_serialized(input))));
  AT_EACH("iscatter at most", told, mine, result == things_of(rank(), 2),
          world().iscatter(send_buf(at_most(600, as_serialized(input)))).wait());
}

TEST(values_exchanged) {
  for (const std::size_t n : {std::size_t{5}, std::size_t{3000}}) {
    const auto mine = [n] { return ints_of(rank(), n * ranks()); };
    ints wanted;
    for (int from = 0; from < size(); ++from) {
      const ints theirs = ints_of(from, n * ranks());
      const auto first = theirs.begin() + static_cast<long>(n) * rank();
      wanted.insert(wanted.end(), first, first + static_cast<long>(n));
    }
    const ints counts(ranks(), static_cast<int>(n));
    AT_EACH("alltoall", untold, mine, result == wanted, world().alltoall(send_buf(input)));
    AT_EACH("alltoallv", told, mine, result == wanted,
            world().alltoallv(send_buf(input), send_counts(counts)));
    AT_EACH("alltoallv, lengths first", told, mine, result == wanted,
            world().alltoallv(send_buf(input), send_counts(counts), lengths_first()));
    AT_EACH("alltoallv, counts given", untold, mine, result == wanted,
            world().alltoallv(send_buf(input), send_counts(counts), recv_counts(counts)));
    AT_EACH("ialltoall", untold, mine, result == wanted, world().ialltoall(send_buf(input)).wait());
    AT_EACH("ialltoallv", untold, mine, result == wanted,
            world().ialltoallv(send_buf(input), send_counts(counts), recv_counts(counts)).wait());
  }
  const auto mine = [] {
    things all;
    for (int to = 0; to < size(); ++to) all.emplace_back(10 * rank() + to, 30u);
    return all;
  };
  things wanted;
  for (int from = 0; from < size(); ++from) wanted.emplace_back(10 * from + rank(), 30u);
  AT_EACH("alltoall encoded", told, mine, result == wanted,
          world().alltoall(send_buf(as_serialized(input))));
  AT_EACH("alltoallv encoded", told, mine, result == wanted,
          world().alltoallv(send_buf(as_serialized(input))));
  AT_EACH("ialltoall at most", told, mine, result == wanted,
          world().ialltoall(send_buf(at_most(200, as_serialized(input)))).wait());
}

TEST(values_reduced) {
  for (const std::size_t n : {std::size_t{6}, std::size_t{3000}}) {
    const std::size_t all = n * ranks();
    const auto mine = [all] { return ints_of(rank(), all); };
    ints sums(all), before(all), below(all);
    for (int from = 0; from < size(); ++from)
      for (std::size_t i = 0; i < all; ++i) {
        const int one = ints_of(from, all)[i];
        sums[i] += one;
        if (from <= rank()) before[i] += one;
        if (from < rank()) below[i] += one;
      }
    const auto first = sums.begin() + static_cast<long>(n) * rank();
    const ints share(first, first + static_cast<long>(n));
    const ints counts(ranks(), static_cast<int>(n));
    AT_EACH("reduce", untold, mine, result == at_root(sums),
            world().reduce(send_buf(input), op(mpi::sum)));
    AT_EACH("allreduce", untold, mine, result == sums,
            world().allreduce(send_buf(input), op(mpi::sum)));
    AT_EACH(
        "allreduce by a function", untold, mine, result == sums,
        world().allreduce(send_buf(input), op([](int a, int b) { return a + b; }, commutative)));
    int none = 0;
    const auto captures = [&none](int a, int b) { return a + b + none; };
    AT_EACH("allreduce by a function that captures", untold, mine, result == sums,
            world().allreduce(send_buf(input), op(captures, commutative)));
    AT_EACH("allreduce by a function that may throw", untold, mine, result == sums,
            world().allreduce(send_buf(input), op(captures, commutative, may_throw)));
    AT_EACH("scan", untold, mine, result == before, world().scan(send_buf(input), op(mpi::sum)));
    AT_EACH("exscan", untold, mine, rank() == 0 || result == below,
            world().exscan(send_buf(input), op(mpi::sum)));
    AT_EACH("reduce_scatter_block", untold, mine, result == share,
            world().reduce_scatter_block(send_buf(input), op(mpi::sum)));
    AT_EACH("reduce_scatter", untold, mine, result == share,
            world().reduce_scatter(send_buf(input), recv_counts(counts), op(mpi::sum)));
    AT_EACH("ireduce", untold, mine, result == at_root(sums),
            world().ireduce(send_buf(input), op(mpi::sum)).wait());
    AT_EACH("iallreduce", untold, mine, result == sums,
            world().iallreduce(send_buf(input), op(mpi::sum)).wait());
    AT_EACH("iallreduce by a function", untold, mine, result == sums,
            world()
                .iallreduce(send_buf(input), op([](int a, int b) { return a + b; }, commutative))
                .wait());
    AT_EACH("ireduce_scatter by a function that may throw", untold, mine, result == share,
            world()
                .ireduce_scatter(send_buf(input), recv_counts(counts),
                                 op(captures, commutative, may_throw))
                .wait());
    AT_EACH("iscan", untold, mine, result == before,
            world().iscan(send_buf(input), op(mpi::sum)).wait());
    AT_EACH("ireduce_scatter_block", untold, mine, result == share,
            world().ireduce_scatter_block(send_buf(input), op(mpi::sum)).wait());
  }
}

TEST(what_a_communicator_learns_at_its_first_use) {
  struct taken {
    communicator comm;
    ints mine;
  };
  const auto mine = [] { return taken{world().dup(), ints_of(rank(), 5)}; };
  const ints all = joined(&ints_of, 5);
  AT_EACH("first allgatherv", told, mine, result == all,
          input.comm.allgatherv(send_buf(input.mine)));
  AT_EACH("first bcast", told, mine, input.mine == ints_of(0, 5),
          (input.comm.bcast(send_recv_buf<resize_to_fit>(input.mine)), 0));
}

// A send that fails has sent nothing: it is repeated here, so that its receiver gets the value.
template <class Send>
void until_sent(Send send) {
  for (;;) try {
      return send();
    } catch (const std::bad_alloc&) {
    } catch (const planted&) {
    }
}

TEST(messages) {
  const int next = (rank() + 1) % size();
  const int before = (rank() + size() - 1) % size();
  struct taken {
    ints plain;
    things encoded;
    ints got;
    things decoded;
  };
  for (const std::size_t n : {std::size_t{2}, std::size_t{3000}}) {
    const std::size_t few = n < 100 ? n : 24;
    const auto mine = [=] { return taken{ints_of(rank(), n), things_of(rank(), few), {}, {}}; };
    const ints plain = ints_of(before, n);
    const things encoded = things_of(before, few);
    AT_EACH("sendrecv", told, mine, input.got == plain,
            (world().sendrecv(send_buf(input.plain), destination(next),
                              recv_buf<resize_to_fit>(input.got), source(before)),
             0));
    AT_EACH("sendrecv by value", told, mine, result == plain,
            (world().sendrecv<int>(send_buf(input.plain), destination(next), source(before))));
    AT_EACH("sendrecv encoded", told, mine, input.decoded == encoded,
            (world().sendrecv(send_buf(as_serialized(input.encoded)), destination(next),
                              recv_buf(as_serialized(input.decoded)), source(before)),
             0));
    if (size() != 2) continue;
    const int other = next;
    // From rank 0 to rank 1, and back.
    for (int from = 0; from < 2; ++from) {
      AT_EACH("send and recv", told, mine, rank() == from || result == plain, [&]() -> ints {
        if (rank() != from) return world().recv<int>(source(other));
        until_sent([&] { world().send(send_buf(input.plain), destination(other)); });
        return {};
      }());
      AT_EACH("send and recv encoded", told, mine, rank() == from || input.decoded == encoded, [&] {
        if (rank() != from)
          world().recv(recv_buf(as_serialized(input.decoded)), source(other));
        else
          until_sent(
              [&] { world().send(send_buf(as_serialized(input.encoded)), destination(other)); });
        return 0;
      }());
      AT_EACH("isend and mrecv deep", told, mine, rank() == from || input.decoded == encoded, [&] {
        if (rank() != from) {
          auto message = world().mprobe(source(other));
          message.recv(recv_buf(deep(input.decoded)));
        } else {
          until_sent(
              [&] { world().isend(send_buf(deep(input.encoded)), destination(other)).wait(); });
        }
        return 0;
      }());
    }
  }
}

TEST(values_in_pieces) {
  struct taken {
    channel pieces;
    things value;
  };
  for (const std::size_t n : {std::size_t{2}, std::size_t{24}}) {
    const auto mine = [n] {
      return taken{channel(world(), 4096), rank() == 0 ? things_of(0, n) : things()};
    };
    const things wanted = things_of(0, n);
    AT_EACH("bcast by a channel", told, mine, input.value == wanted,
            (input.pieces.bcast(input.value, 0), 0));
    if (size() == 2)
      AT_EACH(
          "send and recv by a channel", told, mine, input.value == wanted,
          ((rank() == 0 ? input.pieces.send(input.value, 1) : input.pieces.recv(input.value, 0)),
           0));
  }
}

TEST(values_in_files) {
  const std::string path = "/tmp/mpiglot_failing." + std::to_string(getpid());
  std::string shared = path;
  int length = static_cast<int>(path.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  shared.resize(static_cast<std::size_t>(length));
  MPI_Bcast(shared.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  const auto mine = [] { return things_of(rank(), 3); };
  AT_EACH("save_checkpoint", told, mine, true, (save_checkpoint(world(), shared, input, 4096), 0));
  AT_EACH(
      "load_checkpoint", told, [] { return things(); }, input == things_of(rank(), 3),
      (load_checkpoint(world(), shared, input), 0));
  if (rank() == 0) std::remove(shared.c_str());
  AT_EACH("write_value and read_value", told, mine, result == input, [&] {
    memory_transport bytes;
    write_value(bytes, input);
    things back;
    read_value(bytes, back);
    return back;
  }());
}

TEST(windows_made) {
  using checked_window = basic_window<mpiglot::checked>;
  const auto none = [] { return 0; };
  AT_EACH("window", told, none, result, [] {
    window made = window::allocate<int>(world(), 4);
    return made.memory<int>().size() == 4;
  }());
  AT_EACH("window at level normal", told, none, result, [] {
    checked_window made = checked_window::allocate<int>(world(), 4);
    {
      const auto epoch = made.fence();
      const int value = rank();
      made.put(send_buf(value), target_rank((rank() + 1) % size()));
    }
    return made.memory<int>()[0] == (rank() + size() - 1) % size();
  }());
}

TEST(neighbors_and_persistent_forms) {
  const int next = (rank() + 1) % size();
  const int before = (rank() + size() - 1) % size();
  const auto ring =
      distributed_graph(world(), neighborhood{.sources = {before}, .destinations = {next}});
  const auto mine = [] { return ints_of(rank(), 5); };
  const ints theirs = ints_of(before, 5);
  const ints one(1, 5);
  AT_EACH("neighbor_allgather", untold, mine, result == theirs,
          ring.neighbor_allgather(send_buf(input)));
  AT_EACH("neighbor_allgatherv", told, mine, result == theirs,
          ring.neighbor_allgatherv(send_buf(input)));
  AT_EACH("neighbor_alltoall", untold, mine, result == theirs,
          ring.neighbor_alltoall(send_buf(input)));
  AT_EACH("neighbor_alltoallv", told, mine, result == theirs,
          ring.neighbor_alltoallv(send_buf(input), send_counts(one)));
  AT_EACH(
      "neighbor_allgatherv encoded", told, [] { return things_of(rank(), 2); },
      result == std::vector<things>{things_of(before, 2)},
      ring.neighbor_allgatherv(send_buf(as_serialized(input))));

  struct taken {
    ints mine;
    ints got;
  };
  const ints all = joined(&ints_of, 5);
  const auto both = [&] { return taken{ints_of(rank(), 5), ints(all.size())}; };
  const ints counts(ranks(), 5);
  AT_EACH("allgatherv_init", untold, both, input.got == all,
          once(world().allgatherv_init(send_buf(input.mine), recv_buf(input.got),
                                       recv_counts(counts))));
  AT_EACH("bcast_init", untold, both, input.mine == ints_of(0, 5),
          once(world().bcast_init(send_recv_buf(input.mine))));
  AT_EACH("allreduce_init", untold, both, true,
          once(world().allreduce_init(send_recv_buf(input.mine), op(mpi::sum))));
  AT_EACH(
      "scatterv_init", untold, both, true,
      once(world().scatterv_init(send_buf(input.got), send_counts(counts), recv_buf(input.mine))));
  AT_EACH("alltoall_init", untold, both, true,
          once(world().alltoall_init(send_recv_buf(input.got))));
}
