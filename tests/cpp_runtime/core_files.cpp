// Files: every way to read and write, views, sizes, errors.

#include <mpiglot/serialized.hpp>
#include <mpiglot/strided.hpp>

#include "scratch.hpp"

using namespace mpiglot;
using mode = mpi::access_mode;

namespace {

// What any rank has written can be read by all.
void settle(const file& written, const communicator& comm) {
  written.sync();
  mpi::barrier(comm);
  written.sync();
}

std::vector<int> mine_of(int rank) { return {10 * rank, 10 * rank + 1, 10 * rank + 2}; }

std::vector<int> all_of(int ranks) {
  std::vector<int> all;
  for (int rank = 0; rank < ranks; ++rank)
    for (int each : mine_of(rank)) all.push_back(each);
  return all;
}

}  // namespace

TEST(offsets_are_written_and_read_alone_and_together) {
  const scratch place;
  const communicator& comm = place.comm();
  const file out = place.open();
  out.set_view<int>();
  const std::vector<int> mine = mine_of(comm.rank());
  out.write(send_buf(mine), at(3 * comm.rank()));
  settle(out, comm);
  std::vector<int> all(static_cast<std::size_t>(3 * comm.size()));
  out.read(recv_buf(all), at(0), collectively());
  check::equal(all, all_of(comm.size()));
  check::equal(out.size(), static_cast<mpi::offset_t>(all.size() * sizeof(int)));

  mpi::barrier(comm);
  const int number = 100 + comm.rank();
  out.write(send_buf(number), collectively(), at(comm.rank()));
  settle(out, comm);
  int back = 0;
  out.read(at(comm.rank()), recv_buf(back));
  check::equal(back, number);
}

TEST(the_pointer_of_a_rank_moves) {
  const scratch place;
  const communicator& comm = place.comm();
  const file both = place.open();
  both.set_view<int>(static_cast<mpi::offset_t>(sizeof(int)) * 3 * comm.rank());
  both.write(send_buf(mine_of(comm.rank())));
  settle(both, comm);
  check::equal(both.position(), 3);
  both.seek(-2, mpi::seek::cur);
  check::equal(both.read(recv_buf(std::vector<int>()), recv_count(2)),
               std::vector<int>{10 * comm.rank() + 1, 10 * comm.rank() + 2});
  both.seek(0);
  both.write(send_buf(5), collectively());
  settle(both, comm);
  both.seek(0);
  int five = 0;
  both.read(recv_buf(five), collectively());
  check::equal(five, 5);
  check::equal(both.byte_offset(1),
               static_cast<mpi::offset_t>(sizeof(int)) * (3 * comm.rank() + 1));
}

TEST(the_shared_pointer_orders_ranks) {
  const scratch place;
  const communicator& comm = place.comm();
  const file both = place.open();
  both.set_view<int>();
  both.write(send_buf(mine_of(comm.rank())), ordered());
  settle(both, comm);
  check::equal(both.shared_position(), 3 * comm.size());
  mpi::barrier(comm);
  both.seek_shared(0);
  check::equal(both.read(recv_buf(std::vector<int>(3)), recv_count(3), ordered()),
               mine_of(comm.rank()));
  mpi::barrier(comm);
  both.seek_shared(0);
  mpi::barrier(comm);
  int one = -1;
  both.read(recv_buf(one), shared_pointer());
  bool there = false;
  for (int each : all_of(comm.size())) there = there || each == one;
  check::expect(there);
  mpi::barrier(comm);
  check::equal(both.shared_position(), comm.size());
}

TEST(requests_read_and_write) {
  const scratch place;
  const communicator& comm = place.comm();
  const file both = place.open();
  both.set_view<int>();
  auto sent = both.iwrite(send_buf(mine_of(comm.rank())), at(3 * comm.rank()));
  sent.wait();
  settle(both, comm);
  auto got = both.iread(recv_buf(std::vector<int>()), recv_count(3), at(3 * comm.rank()));
  check::equal(got.wait(), mine_of(comm.rank()));
  mpi::barrier(comm);
  both.iwrite(send_buf(7), at(comm.rank()), collectively()).wait();
  settle(both, comm);
  int seven = 0;
  both.iread(recv_buf(seven), at(comm.rank()), collectively()).wait();
  check::equal(seven, 7);
  both.iread(recv_buf(seven), shared_pointer()).wait();
}

TEST(accesses_in_two_halves) {
  const scratch place;
  const communicator& comm = place.comm();
  const file both = place.open();
  both.set_view<int>();
  {
    auto half = both.write_split(send_buf(mine_of(comm.rank())), at(3 * comm.rank()));
    check::expect(half.pending());
    half.wait();
    check::expect(!half.pending());
  }
  settle(both, comm);
  {
    auto half = both.read_split(recv_buf(std::vector<int>()), recv_count(3), at(3 * comm.rank()));
    check::equal(half.wait(), mine_of(comm.rank()));
  }
  {
    const auto dropped = both.write_split(send_buf(mine_of(comm.rank())), ordered());
  }
  settle(both, comm);
  both.seek_shared(0);
  mpi::barrier(comm);
  auto half = both.read_split(recv_buf(std::vector<int>()), recv_count(3), ordered());
  check::equal(half.wait(), mine_of(comm.rank()));
  both.seek(3 * comm.rank());
  std::vector<int> own(3);
  both.read_split(recv_buf(own)).wait();
  check::equal(own, mine_of(comm.rank()));
}

TEST(reading_ends_with_the_file) {
  const scratch place;
  const file both = place.open();
  both.set_view<int>();
  if (place.comm().rank() == 0) both.write(send_buf(std::vector<int>{1, 2, 3}), at(0));
  settle(both, place.comm());
  const auto [values, n, how] = both.read(recv_buf(std::vector<int>()), recv_count(10), at(1),
                                          recv_count_out(), status_out());
  check::equal(values, std::vector<int>{2, 3});
  check::equal(n, 2);
  check::equal(mpi::get_count(how, mpi::int_), 2);
  std::vector<int> fixed(10, -1);
  mpi::count_t m = 0;
  both.read(recv_buf(fixed), recv_count_out(m), at(2));
  check::expect(m == 1 && fixed[0] == 3 && fixed[1] == -1);
}

TEST(views_strides_and_encoded_values_are_buffers) {
  const scratch place;
  const communicator& comm = place.comm();
  const file both = place.open();
  // Each rank sees every size-th int.
  const datatype every = datatype::committed(
      mpi::type_create_resized(mpi::int_, 0, static_cast<mpi::count_t>(sizeof(int)) * comm.size()));
  both.set_view(static_cast<mpi::offset_t>(sizeof(int)) * comm.rank(), mpi::int_, every);
  const file_view<std::string> seen = both.view<std::string>();
  check::equal(seen.displacement, static_cast<mpi::offset_t>(sizeof(int)) * comm.rank());
  check::equal(seen.representation, std::string("native"));
  check::expect(!seen.element.owns());

  std::vector<int> matrix(12);
  for (int i = 0; i < 12; ++i) matrix[static_cast<std::size_t>(i)] = i;
  strided_view<int> column{matrix.data() + 1, 3, 1, 4};
  both.write(send_buf(column), collectively());
  both.set_view<int>();
  std::vector<int> all(static_cast<std::size_t>(3 * comm.size()));
  settle(both, comm);
  both.read(recv_buf(all), at(0));
  for (int i = 0; i < 3 * comm.size(); ++i)
    check::equal(all[static_cast<std::size_t>(i)], 4 * (i / comm.size()) + 1);

  mpi::barrier(comm);
  both.set_view<char>();
  const std::vector<std::string> words{"some", "words", std::string(100, 'x')};
  if (comm.rank() == 0) both.write(send_buf(as_serialized(words)), at(0));
  settle(both, comm);
  std::vector<std::string> back;
  both.read(recv_buf(as_serialized(back)), recv_count(both.size()), at(0), collectively());
  check::equal(back, words);
}

TEST(files_have_sizes_modes_and_a_group) {
  const scratch place;
  file both = place.open();
  both.preallocate(1000);
  settle(both, place.comm());
  check::expect(both.size() >= 1000);
  mpi::barrier(place.comm());
  both.resize(10);
  settle(both, place.comm());
  check::equal(both.size(), 10);
  check::expect(!both.atomic());
  both.set_atomic(true);
  check::expect(both.atomic());
  check::expect(both.modes() & mode::rdwr);
  check::equal(both.group().size(), place.comm().size());
  const file borrowed(both.native());
  check::expect(!borrowed.owns());
  both.close();
  check::expect(!both);
}

TEST(files_throw_what_is_wrong) {
  const scratch place;
  const mpi::error missing = check::thrown_by([&] { const file no = place.open(mode::rdonly); });
  check::expect(missing.error_class() == mpi::error_class::no_such_file);
  check::expect(check::thrown_by([&] { file::remove(place.name()); }).error_class() ==
                mpi::error_class::no_such_file);
  {
    const file made = place.open();
    std::vector<int> room(2);
    check::thrown_by<too_small>([&] { made.read(recv_buf(room), recv_count(3)); });
    // Collective: the rank without room takes part, and throws afterwards.
    const bool small = place.comm().rank() == place.comm().size() - 1;
    std::vector<int> some(small ? 1 : 2);
    const auto read = [&] { made.read(recv_buf(some), recv_count(2), collectively()); };
    if (small)
      check::thrown_by<too_small>(read);
    else
      read();
  }
  mpi::barrier(place.comm());
  const file gone = place.open(mode::rdwr | mode::delete_on_close);
}

TEST(a_rank_reads_what_it_has_just_written_with_the_others) {
  const scratch place;
  const communicator& comm = place.comm();
  const file both = place.open();
  both.set_view<int>();
  for (int round = 0; round < 90; ++round) {
    const int length = 1 + 40 * (round % 4);
    const std::vector<int> mine(static_cast<std::size_t>(length), 1000 * comm.rank() + round);
    const mpi::offset_t first = mpi::offset_t{length} * comm.rank();
    if (round % 3 == 0) {
      both.write(send_buf(mine), at(first), collectively());
    } else if (round % 3 == 1) {
      both.seek(first);
      both.write(send_buf(mine), collectively());
    } else {
      both.seek_shared(0);
      mpi::barrier(comm);
      both.write(send_buf(mine), ordered());
    }
    const auto begun = [&] {
      return both.iread(recv_buf(std::vector<int>()), recv_count(length), at(first)).wait();
    };
    check::equal(round % 2 == 0
                     ? both.read(recv_buf(std::vector<int>()), recv_count(length), at(first))
                     : begun(),
                 mine);
    mpi::barrier(comm);
  }
}
