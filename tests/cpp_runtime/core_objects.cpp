// Communicators, groups, info objects, attributes and the other objects that own a handle.

#include <mpiglot/attribute.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/group.hpp>
#include <mpiglot/info.hpp>
#include <mpiglot/intercommunicator.hpp>
#include <mpiglot/objects.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/session.hpp>
#include <mpiglot/status.hpp>
#include <mpiglot/topology.hpp>
#include <array>
#include <complex>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "../cpp/check.hpp"

using namespace mpiglot;

// How many handles of a kind there are to release, where the program is built with the counter.
extern "C" long balance_of(const char* kind) __attribute__((weak));

namespace {

// Counts how many are alive, to see when MPI deletes what it was given.
struct counted {
  static inline int alive = 0;
  int value;

  explicit counted(int v) : value(v) { ++alive; }
  counted(const counted& other) : value(other.value) { ++alive; }
  counted& operator=(const counted&) = delete;
  ~counted() { --alive; }
};

int sum_of_ranks(const communicator& comm) {
  const int mine = comm.rank();
  int sum = 0;
  mpi::allreduce(&mine, &sum, 1, mpi::int_, mpi::sum, comm);
  return sum;
}

}  // namespace

TEST(communicators_borrow_and_own) {
  const communicator world;
  check::expect(!world.owns() && world.compare(mpi::comm_world) == mpi::comparison::ident);
  const communicator raw(MPI_COMM_WORLD);
  check::equal(raw.rank(), check::rank());
  check::equal(raw.size(), check::size());

  communicator own = world.dup();
  check::expect(own.owns() && own.compare(world) == mpi::comparison::congruent);
  const communicator same = own.borrow();
  check::expect(!same.owns() && same.handle() == own.handle());
  communicator moved = std::move(own);
  check::expect(moved.owns() && !own && same.handle() == moved.handle());
  mpi::comm_handle freed = moved.release();
  check::expect(!moved.owns());
  mpi::comm_free(freed);
}

TEST(ranks_without_color_have_a_null_communicator) {
  const communicator world;
  const communicator even = world.split(world.rank() % 2 == 0 ? 0 : mpi::undefined, -world.rank());
  check::equal(static_cast<bool>(even), world.rank() % 2 == 0);
  if (even) {
    check::equal(even.size(), (world.size() + 1) / 2);
    check::equal(even.rank(), even.size() - 1 - world.rank() / 2);
    sum_of_ranks(even);
  } else {
    check::expect(even.rank() < 0 && even.size() == 0);
  }
}

TEST(shifted_ranks_end_at_the_edges_or_go_around) {
  const communicator world;
  const int n = world.size(), me = world.rank();
  for (int distance = -2 * n; distance <= 2 * n; ++distance) {
    const int to = me + distance;
    check::equal(world.rank_shifted(distance), to >= 0 && to < n ? to : MPI_PROC_NULL);
    check::equal(world.rank_shifted_cyclic(distance), ((to % n) + n) % n);
  }
  constexpr auto most = std::numeric_limits<mpi::count_t>::max();
  constexpr auto least = std::numeric_limits<mpi::count_t>::min();
  check::equal(world.rank_shifted(most), MPI_PROC_NULL);
  check::equal(world.rank_shifted(least), MPI_PROC_NULL);
  check::equal(world.rank_shifted_cyclic(most), static_cast<int>((me + most % n) % n));
  check::equal(world.rank_shifted_cyclic(least), static_cast<int>((me + least % n + n) % n));
}

TEST(a_value_is_the_same_on_all_ranks_or_on_none) {
  const communicator world;
  const bool alone = world.size() == 1;
  const bool last = world.rank() == world.size() - 1;

  check::expect(world.is_same_on_all_ranks(7));
  check::equal(world.is_same_on_all_ranks(world.rank()), alone);
  check::equal(world.is_same_on_all_ranks(last ? 0.0 : -0.0), alone);
  check::expect(world.is_same_on_all_ranks(std::numeric_limits<double>::quiet_NaN()));
  check::expect(world.is_same_on_all_ranks(std::complex<float>(1, 2)));
  check::equal(world.is_same_on_all_ranks(std::array{1.0, last ? 2.0 : 3.0}), alone);
  const long fixed[] = {1, 2, last ? 3 : 4};
  check::equal(world.is_same_on_all_ranks(fixed), alone);

  check::expect(world.is_same_on_all_ranks(std::vector<int>()));
  check::expect(world.is_same_on_all_ranks(std::string("steps")));
  check::equal(world.is_same_on_all_ranks(std::string(last ? "steps" : "step")), alone);
  check::equal(world.is_same_on_all_ranks(std::vector<int>(last ? 1 : 0)), alone);  // zeros
  // A difference in the first message, at its end, behind it, and in the last byte of several.
  for (const std::size_t size : {std::size_t{56}, std::size_t{57}, (std::size_t{2} << 20) + 57}) {
    std::vector<char> values(size, 'x');
    check::expect(world.is_same_on_all_ranks(values));
    if (last) values.back() = 'y';
    check::equal(world.is_same_on_all_ranks(values), alone);
    values.resize(last ? size : size + 1);
    check::equal(world.is_same_on_all_ranks(values), alone);
  }

  std::map<std::string, double> settings{{"dt", 0.5}};
  check::expect(world.is_same_on_all_ranks(as_serialized(settings)));
  if (last) settings["dt"] = 0.25;
  check::equal(world.is_same_on_all_ranks(as_serialized(settings)), alone);

  const communicator none = world.split(mpi::undefined);
  check::equal(
      check::thrown_by([&] { static_cast<void>(none.is_same_on_all_ranks(1)); }).error_class(),
      mpi::error_class::comm);
  check::equal(check::thrown_by([&] { static_cast<void>(none.rank_shifted(1)); }).error_class(),
               mpi::error_class::comm);
  check::equal(
      check::thrown_by([&] { static_cast<void>(none.rank_shifted_cyclic(1)); }).error_class(),
      mpi::error_class::comm);
}

TEST(communicators_have_names_largest_tags_and_shared_parts) {
  const communicator comm = communicator().dup();
  comm.set_name("a name of its own");
  check::equal(comm.name(), std::string("a name of its own"));
  check::expect(comm.largest_tag() >= 32767);
  check::equal(comm.split_shared().size(), comm.size());  // one machine
}

TEST(groups_are_sets) {
  const communicator world;
  const group all = world.group();
  check::equal(all.size(), world.size());
  check::expect(all.rank() == world.rank());
  check::equal(group().size(), 0);
  check::expect(!group().rank());

  const group first = all.include({0});
  const group rest = all.exclude({0});
  check::equal(first.size(), 1);
  check::equal(rest.size(), world.size() - 1);
  check::expect((first | rest) == all);
  check::equal((first & rest).size(), 0);
  check::expect((all - rest) == first);
  if (world.size() > 1) {
    check::expect((rest | first).compare(all) == mpi::comparison::similar);
    check::expect(rest.translate(0, all) == 1 && !all.translate(0, rest));
    check::equal(all.translate(std::vector<int>{0, 1}, rest), std::vector<int>{mpi::undefined, 0});
  }
  const group even = all.include_ranges({{0, world.size() - 1, 2}});
  check::equal(even.size(), (world.size() + 1) / 2);
  check::equal(all.exclude_ranges({{0, world.size() - 1, 2}}).size(), world.size() / 2);

  const communicator by_all = world.create(even);
  check::equal(static_cast<bool>(by_all), world.rank() % 2 == 0);
  if (even.rank()) {
    const communicator by_some = world.create_group(even, 3);
    check::equal(by_some.size(), even.size());
    check::equal(sum_of_ranks(by_some), even.size() * (even.size() - 1) / 2);
  }
}

TEST(hints_are_a_map_of_texts) {
  const info none;
  check::expect(none.native() == MPI_INFO_NULL && none.empty() && !none.contains("a"));

  info hints{{"first", "1"}, {"second", std::string("a longer text")}};
  hints.set("first", "one");
  check::equal(hints.size(), 2);
  check::expect(hints.get("first") == "one" && hints.get("second") == "a longer text");
  check::expect(!hints.get("third"));
  std::string all;
  for (const auto& [key, value] : hints) all += key + "=" + value + ";";
  check::expect(all.size() == std::string("first=one;second=a longer text;").size());

  const info copy = hints.dup();
  check::expect(hints.erase("first") && !hints.erase("first"));
  check::expect(hints.size() == 1 && copy.size() == 2);
}

TEST(attributes_are_typed_and_deleted_with_their_object) {
  const communicator world;
  {
    const attribute_key<counted> stays;
    const attribute_key<counted> travels(on_dup::copy);
    const communicator comm = world.dup();
    check::expect(comm.attribute(stays) == nullptr);
    comm.set_attribute(stays, 1).value = 5;
    comm.set_attribute(travels, 2);
    check::equal(comm.attribute(stays)->value, 5);
    comm.set_attribute(stays, 6);
    check::equal(counted::alive, 2);
    {
      const communicator copy = comm.dup();
      check::expect(copy.attribute(stays) == nullptr && copy.attribute(travels)->value == 2);
      check::equal(counted::alive, 3);
    }
    check::equal(counted::alive, 2);
    comm.erase_attribute(stays);
    check::expect(comm.attribute(stays) == nullptr && counted::alive == 1);
    comm.erase_attribute(stays);  // nothing is there to erase
  }
  check::equal(counted::alive, 0);

  const attribute_key<std::string, mpi::datatype_handle> of_types;
  const datatype pair = datatype::committed(mpi::type_contiguous(2, mpi::int_));
  pair.set_attribute(of_types, "two");
  check::equal(*pair.attribute(of_types), std::string("two"));
  pair.erase_attribute(of_types);
  check::expect(pair.attribute(of_types) == nullptr);
}

TEST(attributes_outlive_their_key_and_the_object_deletes_them) {
  {
    const communicator comm = communicator().dup();
    {
      const attribute_key<counted> key;
      comm.set_attribute(key, 1);
    }
    check::equal(counted::alive, 1);
  }
  check::equal(counted::alive, 0);
}

TEST(datatypes_operations_and_error_handlers_are_freed) {
  datatype column = datatype::committed(mpi::type_vector(3, 1, 4, mpi::int_));
  column.set_name("column");
  check::equal(column.name(), std::string("column"));
  check::equal(column.size(), 12);
  check::equal(column.extent().extent, 36);
  const datatype twin = column.dup();
  column = datatype(mpi::datatype_handle(mpi::double_));  // frees the first one, borrows this one
  check::expect(!column.owns() && twin.size() == 12);

  const communicator world;
  int factor = 10;
  const operation weighted([&factor](const void* in, void* out, int n, mpi::datatype_handle) {
    for (int i = 0; i < n; ++i)
      static_cast<int*>(out)[i] += static_cast<const int*>(in)[i] + 0 * factor;
  });
  check::expect(weighted.commutes());
  const int one = 1;
  int sum = 0;
  mpi::allreduce(&one, &sum, 1, mpi::int_, weighted, world);
  check::equal(sum, world.size());

  int seen = 0;
  const communicator comm = world.dup();
  comm.set_errhandler(errhandler::for_communicators([&seen](mpi::comm_handle, int) { ++seen; }));
  // MPICH 4.3 and 5 hide the code once the handler has returned (provision/matrix.json).
  static_cast<void>(mpi::nothrow::send(nullptr, 1, mpi::int_, comm.size(), 0, comm));
  check::equal(seen, 1);
}

TEST(statuses_count_by_type) {
  const communicator world;
  const double sent[3] = {1, 2, 3};
  double received[5] = {};
  status arrived;
  mpi::sendrecv(sent, 3, mpi::double_, world.rank(), 4, received, 5, mpi::double_, world.rank(), 4,
                world, arrived);
  check::equal(arrived.source(), world.rank());
  check::equal(arrived.tag(), 4);
  check::equal(arrived.count<double>(), 3);
  check::equal(arrived.elements(mpi::double_), 3);
  check::expect(!arrived.cancelled());
}

TEST(grids_know_their_neighbors) {
  const communicator world;
  check::equal(dims_create(6, 2), std::vector<int>{3, 2});
  check::equal(dims_create(6, std::vector<int>{0, 3}), std::vector<int>{2, 3});

  const cartesian ring(world, {world.size()}, {true});
  const int next = (ring.rank() + 1) % ring.size();
  const int before = (ring.rank() + ring.size() - 1) % ring.size();
  check::expect(ring.shift(0).destination == next && ring.shift(0).source == before);
  check::equal(ring.neighbors(), std::vector<int>{before, next});
  check::equal(ring.rank_at({-1}), ring.size() - 1);

  const cartesian line(world, {world.size(), 1}, {false, true});
  check::equal(line.dimensions(), 2);
  check::equal(line.dims(), std::vector<int>{world.size(), 1});
  check::equal(line.periodic(), std::vector<int>{0, 1});
  check::equal(line.coords(), std::vector<int>{line.rank(), 0});
  check::equal(line.coords(0), std::vector<int>{0, 0});
  check::equal(line.shift(0).source, line.rank() == 0 ? mpi::proc_null : line.rank() - 1);
  const cartesian column = line.sub({true, false});
  check::expect(column.size() == world.size() && column.dimensions() == 1);

  // A grid of one place: the other ranks have none.
  const cartesian small(world, {1}, {false});
  check::equal(static_cast<bool>(small), world.rank() == 0);

  // What has a topology already can be borrowed.
  check::equal(cartesian(line.handle()).coords(), line.coords());
}

TEST(graphs_know_their_neighbors) {
  const communicator world;
  std::vector<std::vector<int>> star(static_cast<std::size_t>(world.size()));
  for (int rank = 1; rank < world.size(); ++rank) {
    star[0].push_back(rank);
    star[static_cast<std::size_t>(rank)] = {0};
  }
  const graph all(world, star);
  check::equal(all.neighbors(), star[static_cast<std::size_t>(world.rank())]);
  check::equal(all.adjacency(), star);

  // Everybody sends to the next, rank 0 to nobody else.
  const int next = (world.rank() + 1) % world.size();
  const int before = (world.rank() + world.size() - 1) % world.size();
  const distributed_graph ring(world, {{before}, {next}});
  const neighborhood found = ring.neighbors();
  check::equal(found.sources, std::vector<int>{before});
  check::equal(found.destinations, std::vector<int>{next});
  check::expect(found.source_weights.empty() && found.destination_weights.empty());

  const distributed_graph weighted(world, {{before}, {next}, {before + 1}, {world.rank() + 1}});
  check::equal(weighted.neighbors().source_weights, std::vector<int>{before + 1});
  check::equal(weighted.neighbors().destination_weights, std::vector<int>{world.rank() + 1});

  // One rank knows all edges: from everybody to rank 0.
  std::vector<int> sources, degrees, destinations;
  if (world.rank() == world.size() - 1)
    for (int rank = 0; rank < world.size(); ++rank) {
      sources.push_back(rank);
      degrees.push_back(1);
      destinations.push_back(0);
    }
  const distributed_graph star_in =
      distributed_graph::from_edges(world, sources, degrees, destinations);
  check::equal(star_in.neighbors().destinations, std::vector<int>{0});
  check::equal(star_in.neighbors().sources.size(),
               static_cast<std::size_t>(world.rank() == 0 ? world.size() : 0));
}

TEST(intercommunicators_send_to_the_other_group) {
  const communicator world;
  if (world.size() < 2) return;
  const bool upper = world.rank() >= world.size() / 2;
  const communicator half = world.split(upper);
  const intercommunicator other(half, 0, world, upper ? 0 : world.size() / 2, 5);
  check::equal(other.size(), half.size());
  check::equal(other.remote_size(), world.size() - half.size());
  check::equal(other.remote_group().size(), other.remote_size());
  if (half.rank() == 0) {
    const std::vector<int> mine{upper ? 1 : 2};
    auto sent = other.isend(send_buf(mine), destination(0));
    check::equal(other.recv(recv_buf(std::vector<int>()), source(0)),
                 std::vector<int>{upper ? 2 : 1});
    sent.wait();
  }
  const communicator merged = other.merge(upper);
  check::equal(merged.size(), world.size());
  check::equal(merged.rank(), world.rank());
}

TEST(sessions_give_groups_and_communicators) {
  if constexpr (!mpi::has_session_init) {
    check::thrown_by<mpi::unavailable>([] { const session none; });
  } else {
    session mine;
    bool world_is_there = false;
    for (const std::string& name : mine.process_sets())
      world_is_there = world_is_there || name == "mpi://WORLD";
    check::expect(world_is_there);
    check::expect(mine.about("mpi://WORLD").get("mpi_size") == std::to_string(check::size()));
    check::equal(mine.group("mpi://SELF").size(), 1);
    {
      const communicator comm = mine.communicator("mpi://WORLD", "mpiglot.test");
      check::equal(sum_of_ranks(comm), comm.size() * (comm.size() - 1) / 2);
      check::thrown_by([&] { mpi::send(nullptr, 1, mpi::int_, comm.size(), 0, comm); });
    }
    mine.finalize();
    check::expect(!mine);
  }
}

TEST(what_is_not_released_is_counted) {
  if (balance_of == nullptr) return;
  for (const char* kind : {"MPI_Comm", "MPI_Group", "MPI_Info", "MPI_Datatype", "MPI_Op",
                           "MPI_Errhandler", "MPI_Request", "keyval"}) {
    const std::string wanted = kind;
    const long before = balance_of(kind);
    mpi::comm_handle comm;
    mpi::group_handle group;
    mpi::info_handle hints;
    mpi::datatype_handle type;
    mpi::op_handle op;
    mpi::errhandler_handle handler;
    mpi::request_handle request;
    int key = MPI_KEYVAL_INVALID;
    int value = 0;
    if (wanted == "MPI_Comm") comm = mpi::comm_dup(mpi::comm_self);
    if (wanted == "MPI_Group") group = mpi::comm_group(mpi::comm_self);
    if (wanted == "MPI_Info") hints = mpi::info_create();
    if (wanted == "MPI_Datatype") type = mpi::type_contiguous(2, mpi::int_);
    if (wanted == "MPI_Op") op = mpi::op_create([](const void*, void*, int, auto) {}, true);
    if (wanted == "MPI_Errhandler") handler = mpi::comm_create_errhandler([](auto, int) {});
    if (wanted == "MPI_Request") request = mpi::irecv(&value, 1, mpi::int_, 0, 9, mpi::comm_self);
    if (wanted == "keyval")
      MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    check::equal(balance_of(kind), before + 1);
    if (comm) mpi::comm_free(comm);
    if (group) mpi::group_free(group);
    if (hints) mpi::info_free(hints);
    if (type) mpi::type_free(type);
    if (op) mpi::op_free(op);
    if (handler) mpi::errhandler_free(handler);
    if (request) {
      const int sent = 0;
      mpi::send(&sent, 1, mpi::int_, 0, 9, mpi::comm_self);
      mpi::wait(request);
    }
    if (key != MPI_KEYVAL_INVALID) mpi::comm_free_keyval(key);
    check::equal(balance_of(kind), before);
  }
}
