// A failure at each event of files, codecs of the program, pools, new communicators, layouts and windows.

#include "failing.hpp"

#include <utility>

#include <mpiglot/at_most.hpp>
#include <mpiglot/group.hpp>
#include <mpiglot/intercommunicator.hpp>
#include <mpiglot/layouts.hpp>
#include <mpiglot/request_pool.hpp>
#include <mpiglot/topology.hpp>
#include <mpiglot/window.hpp>

#include "scratch.hpp"

using namespace failing;

namespace {

// Writes and reads in steps that throw, with memory of its own.
struct throwing_codec {
  template <class T>
  static constexpr bool can = std::is_same_v<T, things>;

  static void encode(detail::bytes& to, const things& all) {
    event();
    for (const thing& one : all) {
      const std::string text = std::to_string(one.number) + "," + one.text + ";";
      to.append(reinterpret_cast<const std::byte*>(text.data()), text.size());
      event();
    }
  }
  static void decode(const std::byte* from, std::size_t size, things& all) {
    event();
    const std::string text(reinterpret_cast<const char*>(from), size);
    all.clear();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t comma = text.find(',', at), end = text.find(';', at);
      thing one;
      one.number = std::stoi(text.substr(at, comma - at));
      one.text = text.substr(comma + 1, end - comma - 1);
      all.push_back(std::move(one));
      at = end + 1;
    }
  }
};
template <class T>
auto by_codec(T& value) {
  return as_serialized<throwing_codec>(value);
}

}  // namespace

TEST(values_of_a_codec_of_the_program) {
  const auto mine = [] { return things_of(rank(), 3); };
  std::vector<things> all;
  for (int from = 0; from < size(); ++from) all.push_back(things_of(from, 3));
  const int next = (rank() + 1) % size();
  const int before = (rank() + size() - 1) % size();
  AT_EACH("bcast by a codec", told, mine, input == things_of(0, 3),
          (world().bcast(send_recv_buf(by_codec(input))), 0));
  AT_EACH("ibcast by a codec", told, mine, input == things_of(0, 3),
          (world().ibcast(send_recv_buf(at_most(2000, by_codec(input)))).wait(), 0));
  AT_EACH("allgatherv by a codec", told, mine, result == all,
          world().allgatherv(send_buf(by_codec(input))));
  AT_EACH("gatherv by a codec", told, mine, result == at_root(all),
          world().gatherv(send_buf(by_codec(input))));
  AT_EACH("iallgather by a codec", told, mine, result == all,
          world().iallgather(send_buf(at_most(600, by_codec(input)))).wait());
  AT_EACH("sendrecv by a codec", told, mine, input == things_of(before, 3), [&] {
    things got;
    world().sendrecv(send_buf(by_codec(input)), destination(next), recv_buf(by_codec(got)),
                     source(before));
    input = std::move(got);
    return 0;
  }());
}

TEST(views_in_messages) {
  const int next = (rank() + 1) % size();
  const int before = (rank() + size() - 1) % size();
  struct taken {
    gapped mine;
    gapped got;
  };
  for (const std::size_t n : {std::size_t{5}, std::size_t{3000}, std::size_t{100000}}) {
    const auto mine = [n] { return taken{gapped(ints_of(rank(), n)), gapped(ints(n, -2))}; };
    const ints theirs = ints_of(before, n);
    AT_EACH("sendrecv of views", told, mine, input.got.is(theirs),
            (world().sendrecv(send_buf(input.mine.view()), destination(next),
                              recv_buf(input.got.view()), source(before)),
             0));
    AT_EACH(
        "sendrecv of views by value", told, mine, result == theirs,
        (world().sendrecv<int>(send_buf(input.mine.view()), destination(next), source(before))));
  }
}

TEST(values_in_shared_files) {
  const scratch place;
  const file both = place.open();
  both.set_view<int>();
  const auto offset = static_cast<mpi::offset_t>(8 * rank());
  struct taken {
    ints mine;
    gapped spread;
    ints back = ints(8, -1);
    gapped apart{ints(8, -1)};
  };
  const auto mine = [] { return taken{ints_of(rank(), 8), gapped(ints_of(rank(), 8))}; };
  const auto written = [&](const taken& of) {
    ints there(8);
    both.sync();
    both.read(recv_buf(there), at(offset));
    return there == of.mine;
  };
  AT_EACH("write", untold, mine, written(input), (both.write(send_buf(input.mine), at(offset)), 0));
  AT_EACH("write together", untold, mine, written(input),
          (both.write(send_buf(input.mine), at(offset), collectively()), 0));
  AT_EACH("write a view together", untold, mine, written(input),
          (both.write(send_buf(input.spread.view()), at(offset), collectively()), 0));
  AT_EACH("iwrite together", untold, mine, written(input),
          (both.iwrite(send_buf(input.mine), at(offset), collectively()).wait(), 0));
  AT_EACH("iwrite a view together", untold, mine, written(input),
          (both.iwrite(send_buf(input.spread.view()), at(offset), collectively()).wait(), 0));
  AT_EACH("write in two halves", untold, mine, written(input), [&] {
    auto half = both.write_split(send_buf(input.mine), at(offset));
    half.wait();
    return 0;
  }());
  both.write(send_buf(ints_of(rank(), 8)), at(offset), collectively());
  AT_EACH("read together", untold, mine, input.back == input.mine,
          (both.read(recv_buf(input.back), at(offset), collectively()), 0));
  AT_EACH("read together by value", untold, mine, result == input.mine,
          both.read(recv_buf(ints()), recv_count(8), at(offset), collectively()));
  AT_EACH("read a view together", untold, mine, input.apart.is(input.mine),
          (both.read(recv_buf(input.apart.view()), at(offset), collectively()), 0));
  AT_EACH("iread a view together", untold, mine, input.apart.is(input.mine),
          (both.iread(recv_buf(input.apart.view()), at(offset), collectively()).wait(), 0));
  AT_EACH("read in two halves", untold, mine, result == input.mine, [&] {
    auto half = both.read_split(recv_buf(ints()), recv_count(8), at(offset));
    return half.wait();
  }());
  mpi::barrier(world());
  both.set_view<char>();
  AT_EACH(
      "write encoded together", untold, [] { return things_of(0, 3); }, true,
      [&] {
        const mpi::offset_t from = 100000 * rank();
        both.write(send_buf(as_serialized(input)), at(from), collectively());
        return 0;
      }());
  const things known = things_of(0, 3);
  const auto length = static_cast<mpi::count_t>(as_serialized(known).encoded().size());
  both.write(send_buf(as_serialized(known)), at(0), collectively());
  both.sync();
  AT_EACH(
      "read encoded together", untold, [] { return things(); }, input == things_of(0, 3),
      [&] {
        both.read(recv_buf(as_serialized(input)), recv_count(length), at(0), collectively());
        return 0;
      }());
}

TEST(values_of_pools) {
  struct taken {
    things mine;
    ints plain;
    things got;
  };
  const auto mine = [] { return taken{things_of(rank(), 2), ints_of(rank(), 5), {}}; };
  AT_EACH(
      "a pool of messages to oneself", told, mine, input.got == input.mine && result == input.plain,
      [&]() -> ints {
        static const communicator self(mpi::comm_self);
        request_pool pool;
        auto numbers = pool.add(self.irecv<int>(source(0), tag(1), recv_count(9)));
        pool.add(self.irecv(recv_buf(at_most(600, as_serialized(input.got))), source(0), tag(2)));
        pool.add(self.isend(send_buf(input.plain), destination(0), tag(1)));
        pool.add(self.isend(send_buf(as_serialized(input.mine)), destination(0), tag(2)));
        pool.wait_all();
        return numbers.wait();
      }());
}

TEST(communicators_made) {
  const auto none = [] { return 0; };
  AT_EACH("dup", untold, none, result.size() == size(), world().dup());
  AT_EACH("split", untold, none, result.size() == (size() + 1 - rank() % 2) / 2,
          world().split(rank() % 2));
  AT_EACH("create", untold, none, result.size() == size(), world().create(world().group()));
  AT_EACH("cartesian", untold, none, result.size() == size(), cartesian(world(), {size()}, {0}));
  const auto ring = [] {
    return neighborhood{.sources = {(rank() + 1) % size()},
                        .destinations = {(rank() + size() - 1) % size()}};
  };
  AT_EACH("graph", untold, ring, result.size() == size(), distributed_graph(world(), input));
}

TEST(values_of_layouts) {
  using namespace mpiglot::layouts;
  const count_t n = 4 * size();
  struct taken {
    ints whole;
    ints tile;
  };
  const auto mine = [&] {
    return taken{ints_of(rank(), static_cast<std::size_t>(n)), ints(4, -1)};
  };
  const auto blocks = [&](taken& from) {
    return bag(scalar<int>() ^ vector<'i'>(n), from.whole.data());
  };
  const ints all = ints_of(0, static_cast<std::size_t>(n));
  const ints wanted(all.begin() + 4 * rank(), all.begin() + 4 * rank() + 4);
  AT_EACH("scatter of a traverser", untold, mine, input.tile == wanted, [&] {
    const auto whole = blocks(input);
    const auto part = mpi_traverser<'r'>(traverser(whole) ^ into_blocks<'i', 'r', 'y'>(), world());
    part.scatter(send_buf(whole),
                 recv_buf(bag(scalar<int>() ^ vectors_like<'y'>(part), input.tile.data())));
    return 0;
  }());
}

TEST(accesses_of_windows) {
  const window memory = window::allocate<int>(world(), 16);
  const int next = (rank() + 1) % size();
  const int before = (rank() + size() - 1) % size();
  struct taken {
    gapped mine;
    gapped got{ints(8, -1)};
  };
  const auto mine = [] { return taken{gapped(ints_of(rank(), 8))}; };
  AT_EACH("put and get of views", untold, mine, input.got.is(ints_of(before, 8)), [&] {
    {
      const auto epoch = memory.fence();
      memory.put(send_buf(input.mine.view()), target_rank(next));
    }
    {
      const auto epoch = memory.fence();
      memory.get(recv_buf(input.got.view()), target_rank(rank()));
    }
    return 0;
  }());
}
