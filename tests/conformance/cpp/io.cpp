#include "conformance.hpp"

#include <array>
#include <cstdlib>

#include <unistd.h>

namespace {

using mode = mpi::access_mode;

const auto& world = mpi::comm_world;
constexpr int length = 4;  // numbers of each rank
using numbers = std::array<int, length>;

// An empty file of numbers, which disappears when it is closed.
mpi::unique_file open() {
  mpi::unique_file file{mpi::file_open(
      world, common_name(), mode::create | mode::rdwr | mode::delete_on_close, mpi::info_null)};
  mpi::file_set_view(file, 0, mpi::int_, mpi::int_, "native", mpi::info_null);
  return file;
}

numbers of(int who) {
  numbers out{};
  for (int i = 0; i < length; ++i) out[at(i)] = 100 * who + i;
  return out;
}

mpi::offset_t place() { return mpi::offset_t{rank()} * length; }

void visible(mpi::file_handle file) {
  mpi::file_sync(file);
  mpi::barrier(world);
  mpi::file_sync(file);
}

void wrote(const mpi::status& status) {
  equal(mpi::get_count(status, mpi::int_), mpi::count_t{length});
}

// Every way to write this rank's numbers at its place, after each of which the file holds everybody's.
template <class Write>
void written(mpi::file_handle file, Write write) {
  mpi::file_set_size(file, 0);
  mpi::file_seek(file, place(), mpi::seek::set);
  mpi::barrier(world);
  const numbers mine = of(rank());
  mpi::status status;
  write(mine, status);
  wrote(status);
  visible(file);
  numbers theirs{};
  const int other = (rank() + 1) % size();
  mpi::file_read_at(file, mpi::offset_t{other} * length, theirs.data(), length, mpi::int_);
  expect(theirs == of(other));
  mpi::barrier(world);
}

template <class Read>
void is_read(mpi::file_handle file, Read read) {
  mpi::file_seek(file, place(), mpi::seek::set);
  numbers mine{};
  mpi::status status;
  read(mine, status);
  wrote(status);
  expect(mine == of(rank()));
}

void wait(mpi::request_handle request, mpi::status& status) { mpi::wait(request, status); }

// With one file pointer for all, everybody's numbers stand in the file in any order.
void holds_everybody(mpi::file_handle file) {
  visible(file);
  std::vector<int> all(at(size() * length));
  mpi::file_read_at(file, 0, all.data(), size() * length, mpi::int_);
  std::vector<bool> seen(at(size()));
  for (int i = 0; i < size(); ++i) {
    const int who = all[at(i * length)] / 100;
    for (int k = 0; k < length; ++k) equal(all[at(i * length + k)], 100 * who + k);
    seen[at(who)] = true;
  }
  for (const bool one : seen) expect(one);
  mpi::barrier(world);
}

}  // namespace

std::string conformance::common_name() {
  static int opened = 0;
  int id = static_cast<int>(getpid());
  mpi::bcast(&id, 1, mpi::int_, 0, world);
  const char* const scratch =
      std::getenv("MPIGLOT_SCRATCH");  // its runner removes it when tests do not end well, too
  return (scratch ? scratch : "/tmp") + std::string("/mpiglot-conformance-") + std::to_string(id) +
         "-" + std::to_string(opened++);
}

TEST(files_are_written_in_every_way) {
  both([](auto) {
    const mpi::unique_file f = open();
    constexpr auto n = length;
    const auto& t = mpi::int_;
    written(f, [&](auto& x, auto& s) { mpi::file_write(f, x.data(), n, t, s); });
    written(f, [&](auto& x, auto& s) { mpi::file_write_all(f, x.data(), n, t, s); });
    written(f, [&](auto& x, auto& s) { mpi::file_write_at(f, place(), x.data(), n, t, s); });
    written(f, [&](auto& x, auto& s) { mpi::file_write_at_all(f, place(), x.data(), n, t, s); });
    written(f, [&](auto& x, auto& s) { wait(mpi::file_iwrite(f, x.data(), n, t), s); });
    written(f, [&](auto& x, auto& s) { wait(mpi::file_iwrite_at(f, place(), x.data(), n, t), s); });
    if constexpr (mpi::has_file_iwrite_all) {
      written(f, [&](auto& x, auto& s) { wait(mpi::file_iwrite_all(f, x.data(), n, t), s); });
      written(f, [&](auto& x, auto& s) {
        wait(mpi::file_iwrite_at_all(f, place(), x.data(), n, t), s);
      });
    }
    written(f, [&](auto& x, auto& s) {
      mpi::file_write_all_begin(f, x.data(), n, t);
      mpi::file_write_all_end(f, x.data(), s);
    });
    written(f, [&](auto& x, auto& s) {
      mpi::file_write_at_all_begin(f, place(), x.data(), n, t);
      mpi::file_write_at_all_end(f, x.data(), s);
    });
  });
}

TEST(files_are_read_in_every_way) {
  both([](auto) {
    const mpi::unique_file f = open();
    constexpr auto n = length;
    const auto& t = mpi::int_;
    written(f, [&](auto& x, auto& s) { mpi::file_write_at_all(f, place(), x.data(), n, t, s); });
    is_read(f, [&](auto& x, auto& s) { mpi::file_read(f, x.data(), n, t, s); });
    is_read(f, [&](auto& x, auto& s) { mpi::file_read_all(f, x.data(), n, t, s); });
    is_read(f, [&](auto& x, auto& s) { mpi::file_read_at(f, place(), x.data(), n, t, s); });
    is_read(f, [&](auto& x, auto& s) { mpi::file_read_at_all(f, place(), x.data(), n, t, s); });
    is_read(f, [&](auto& x, auto& s) { wait(mpi::file_iread(f, x.data(), n, t), s); });
    is_read(f, [&](auto& x, auto& s) { wait(mpi::file_iread_at(f, place(), x.data(), n, t), s); });
    if constexpr (mpi::has_file_iread_all) {
      is_read(f, [&](auto& x, auto& s) { wait(mpi::file_iread_all(f, x.data(), n, t), s); });
      is_read(f, [&](auto& x, auto& s) {
        wait(mpi::file_iread_at_all(f, place(), x.data(), n, t), s);
      });
    }
    is_read(f, [&](auto& x, auto& s) {
      mpi::file_read_all_begin(f, x.data(), n, t);
      mpi::file_read_all_end(f, x.data(), s);
    });
    is_read(f, [&](auto& x, auto& s) {
      mpi::file_read_at_all_begin(f, place(), x.data(), n, t);
      mpi::file_read_at_all_end(f, x.data(), s);
    });
  });
}

TEST(files_are_written_and_read_in_rank_order) {
  both([](auto) {
    const mpi::unique_file f = open();
    numbers mine = of(rank());
    const auto again = [&] { mpi::file_seek_shared(f, 0, mpi::seek::set); };
    const auto check = [&](auto read) {
      visible(f);
      again();
      numbers back{};
      mpi::status status;
      read(back, status);
      wrote(status);
      expect(back == mine);
      again();
    };
    mpi::status status;
    mpi::file_write_ordered(f, mine.data(), length, mpi::int_, status);
    wrote(status);
    check([&](auto& x, auto& s) { mpi::file_read_ordered(f, x.data(), length, mpi::int_, s); });
    mine = of(rank() + size());  // not what the file holds already
    mpi::file_write_ordered_begin(f, mine.data(), length, mpi::int_);
    mpi::file_write_ordered_end(f, mine.data(), status);
    check([&](auto& x, auto& s) {
      mpi::file_read_ordered_begin(f, x.data(), length, mpi::int_);
      mpi::file_read_ordered_end(f, x.data(), s);
    });
  });
}

TEST(files_have_a_pointer_that_all_share) {
  both([](auto) {
    const mpi::unique_file f = open();
    const numbers mine = of(rank());
    const auto again = [&] {
      visible(f);
      mpi::file_seek_shared(f, 0, mpi::seek::set);
      equal(mpi::file_get_position_shared(f), mpi::offset_t{0});
      mpi::barrier(world);
    };
    const auto use = [&](auto write, auto read) {
      mpi::file_set_size(f, 0);
      again();
      mpi::status status;
      write(mine, status);
      wrote(status);
      holds_everybody(f);
      again();
      numbers some{};
      read(some, status);
      wrote(status);
      expect(some == of(some[0] / 100));
      mpi::barrier(world);
      equal(mpi::file_get_position_shared(f), mpi::offset_t{length} * size());
      mpi::barrier(world);
    };
    use([&](auto& x, auto& s) { mpi::file_write_shared(f, x.data(), length, mpi::int_, s); },
        [&](auto& x, auto& s) { mpi::file_read_shared(f, x.data(), length, mpi::int_, s); });
    use([&](auto& x, auto& s) { wait(mpi::file_iwrite_shared(f, x.data(), length, mpi::int_), s); },
        [&](auto& x, auto& s) { wait(mpi::file_iread_shared(f, x.data(), length, mpi::int_), s); });
  });
}

TEST(files_tell_their_size_place_and_mode) {
  mpi::unique_file f = open();
  constexpr mpi::offset_t word = sizeof(int);
  mpi::file_set_size(f, 64 * word);
  equal(mpi::file_get_position(f), mpi::offset_t{0});
  equal(mpi::file_get_size(f), 64 * word);
  mpi::barrier(world);
  mpi::file_preallocate(f, 128 * word);
  equal(mpi::file_get_byte_offset(f, 0), mpi::offset_t{0});
  equal(mpi::file_get_size(f), 128 * word);
  mpi::file_seek(f, 5, mpi::seek::set);
  mpi::file_seek(f, 2, mpi::seek::cur);
  equal(mpi::file_get_position(f), mpi::offset_t{7});
  mpi::file_seek(f, 0, mpi::seek::end);
  equal(mpi::file_get_position(f), mpi::offset_t{128});
  equal(mpi::file_get_byte_offset(f, 3), 3 * word);
  expect(mpi::file_get_amode(f) & mode::rdwr);
  mpi::unique_group group{mpi::file_get_group(f)};
  equal(mpi::group_size(group), size());
  mpi::unique_info info{mpi::file_get_info(f)};
  mpi::file_set_info(f, info);
  if constexpr (mpi::has_file_c2f) expect(mpi::file_f2c(mpi::file_c2f(f)) == f.get());
  if constexpr (mpi::has_file_toint)
    if (!without("toint-of-made-handles")) expect(mpi::file_fromint(mpi::file_toint(f)) == f.get());
  both([&](auto) {
    equal(mpi::file_get_type_extent(f, mpi::int_), mpi::count_t{word});
    MPI_Aint small = 0;
    succeeded(MPIGLOT_MPI(MPI_File_get_type_extent)(f.get().native, MPI_INT, &small));
    equal(small, MPI_Aint{word});
  });
  mpi::file_set_view(f, 8, mpi::int_, mpi::int_, "native", mpi::info_null);
  const auto view = mpi::file_get_view(f);
  equal(view.disp, mpi::offset_t{8});
  equal(mpi::type_size(view.etype), mpi::count_t{word});
  equal(view.datarep, std::string("native"));
}

// Open MPI 4.1.4 refuses this, on some ranks, after MPI_File_preallocate.
TEST(files_are_made_atomic) {
  const mpi::unique_file f = open();
  mpi::file_set_atomicity(f, true);
  expect(mpi::file_get_atomicity(f));
  mpi::file_set_atomicity(f, false);
  expect(!mpi::file_get_atomicity(f));
}

TEST(files_call_their_error_handler) {
  mpi::unique_file f = open();
  int seen = 0;
  mpi::errhandler_handle handler =
      mpi::file_create_errhandler([&seen](mpi::file_handle, int code) { seen = code; });
  mpi::file_set_errhandler(f, handler);
  mpi::unique_errhandler again{mpi::file_get_errhandler(f)};
  expect(again.get() == handler);
  mpi::file_call_errhandler(f, MPI_ERR_OTHER);
  equal(seen, MPI_ERR_OTHER);
  mpi::file_set_errhandler(f, mpi::errors_return);
  mpi::errhandler_free(handler);
}

TEST(files_are_deleted) {
  const std::string name = common_name() + "-" + std::to_string(rank());
  mpi::file_handle f =
      mpi::file_open(mpi::comm_self, name, mode::create | mode::wronly, mpi::info_null);
  mpi::file_close(f);
  equal(f, mpi::file_handle{});
  mpi::file_delete(name, mpi::info_null);
  refused([&] { mpi::file_delete(name, mpi::info_null); }, {MPI_ERR_NO_SUCH_FILE});
  refused([&] { return mpi::file_open(mpi::comm_self, name, mode::rdonly, mpi::info_null); },
          {MPI_ERR_NO_SUCH_FILE});
  refused(
      [&] {
        return mpi::file_open(mpi::comm_self, name, mode::rdonly | mode::rdwr, mpi::info_null);
      },
      {MPI_ERR_AMODE, MPI_ERR_ARG});
}

TEST(data_representations_are_registered) {
  if (defect("no-data-representations")) return;
  const auto extent = [](mpi::datatype_handle, mpi::aint_t& bytes) { bytes = sizeof(int); };
  mpi::register_datarep("plain", mpi::conversion_fn_null, mpi::conversion_fn_null, extent);
  refused(
      [&] {
        mpi::register_datarep("plain", mpi::conversion_fn_null, mpi::conversion_fn_null, extent);
      },
      {MPI_ERR_DUP_DATAREP});
#ifdef MPI_CONVERSION_FN_NULL_C
  if constexpr (mpi::has_register_datarep_c)
    mpi::register_datarep_c("plain_c", mpi::conversion_fn_null_c, mpi::conversion_fn_null_c,
                            extent);
#endif
  if (without("no-file-conversion")) return;
  const auto copy = [](void* to, mpi::datatype_handle, int count, void* from, mpi::offset_t) {
    std::memcpy(to, from, at(count) * sizeof(int));
  };
  mpi::register_datarep("copied", copy, copy, extent);
}
