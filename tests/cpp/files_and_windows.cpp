#include "check.hpp"

#include <unistd.h>

namespace {

// A file name that all ranks agree on.
std::string common_name() {
  int id = static_cast<int>(getpid());
  mpi::bcast(&id, 1, mpi::int_, 0, mpi::comm_world);
  return "/tmp/mpiglot-cpp-test-" + std::to_string(id);
}

}  // namespace

TEST(a_file_is_written_and_read_by_all) {
  using mode = mpi::access_mode;
  const std::string name = common_name();
  mpi::unique_file file{mpi::file_open(
      mpi::comm_world, name, mode::create | mode::rdwr | mode::delete_on_close, mpi::info_null)};
  const int mine = check::rank() * 10;
  const auto offset = static_cast<mpi::offset_t>(sizeof(int)) * check::rank();
  mpi::status status;
  mpi::file_write_at_all(file, offset, &mine, 1, mpi::int_, status);
  check::equal(mpi::get_count(status, mpi::int_), mpi::count_t{1});
  mpi::file_sync(file);
  mpi::barrier(mpi::comm_world);
  check::equal(mpi::file_get_size(file), static_cast<mpi::offset_t>(sizeof(int)) * check::size());

  mpi::file_seek(file, static_cast<mpi::offset_t>(sizeof(int)), mpi::seek::set);
  mpi::file_seek(file, -static_cast<mpi::offset_t>(sizeof(int)), mpi::seek::cur);
  check::equal(mpi::file_get_position(file), mpi::offset_t{0});

  const mpi::datatype_handle byte = mpi::byte;
  mpi::file_set_view(file, 0, mpi::int_, mpi::int_, "native", mpi::info_null);
  const auto view = mpi::file_get_view(file);
  check::equal(view.datarep, "native");
  check::expect(view.disp == 0 && view.etype.native != byte.native);
  int last = -1;
  mpi::file_read_at(file, check::size() - 1, &last, 1, mpi::int_);
  check::equal(last, 10 * (check::size() - 1));
}

TEST(a_missing_file_is_an_error) {
  const auto error = check::thrown_by([] {
    static_cast<void>(mpi::file_open(mpi::comm_self, "/nowhere/at/all", mpi::access_mode::rdonly,
                                     mpi::info_null));
  });
  check::equal(std::string(error.function()), "MPI_File_open");
}

TEST(a_window_gives_its_memory_and_takes_puts) {
  auto [memory, window] = mpi::win_allocate(64, sizeof(int), mpi::info_null, mpi::comm_world);
  int* mine = static_cast<int*>(memory);
  *mine = -1;
  mpi::barrier(mpi::comm_world);
  const int next = (check::rank() + 1) % check::size();
  const int value = check::rank();
  mpi::win_fence(mpi::assertion{}, window);
  mpi::put(&value, 1, mpi::int_, next, 0, 1, mpi::int_, window);
  mpi::win_fence(mpi::assertion::nosucceed, window);
  check::equal(*mine, (check::rank() + check::size() - 1) % check::size());

  mpi::win_lock(mpi::lock_type::shared, next, mpi::assertion{}, window);
  int theirs = -1;
  mpi::get(&theirs, 1, mpi::int_, next, 0, 1, mpi::int_, window);
  mpi::win_unlock(next, window);
  check::equal(theirs, check::rank());

  const auto flavour = mpi::win_get_attr(window, mpi::win_create_flavor);
  check::expect(flavour && *static_cast<int*>(*flavour) == MPI_WIN_FLAVOR_ALLOCATE);
  mpi::win_free(window);
}

TEST(memory_is_allocated_and_freed) {
  void* memory = mpi::alloc_mem(64, mpi::info_null);
  check::expect(memory != nullptr);
  mpi::free_mem(memory);
}
