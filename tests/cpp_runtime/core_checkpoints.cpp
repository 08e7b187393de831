// Checkpoints in files: written and read by all ranks, also by another number of them.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <mpiglot/checkpoint.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/file_transport.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

const communicator& world() {
  static const communicator comm;
  return comm;
}

struct state {
  std::string name;
  std::vector<double> values;
  std::shared_ptr<state> one;
  std::shared_ptr<state> other;
  static void fields(auto& self, auto&& visit) {
    visit(self.name, self.values, self.one, self.other);
  }
};

state state_of(int rank) {
  state made;
  made.name = "rank " + std::to_string(rank);
  // More than a chunk on rank 1, nothing on rank 2.
  made.values.resize(rank == 2 ? 0 : rank == 1 ? 400000 : 100, rank + 0.5);
  made.one = made.other = std::make_shared<state>();
  return made;
}
void expect_state_of(const state& found, int rank) {
  const state right = state_of(rank);
  check::equal(found.name, right.name);
  check::expect(found.values == right.values && found.one && found.one == found.other);
}

// A file of the test, one for all ranks.
std::string path() { return "core_checkpoints." + std::to_string(world().size()); }

std::string content(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}
void replace(const std::string& bytes) {
  if (world().rank() == 0) std::ofstream(path(), std::ios::binary) << bytes;
  world().barrier();
}
void remove() {
  world().barrier();
  if (world().rank() == 0) std::remove(path().c_str());
  world().barrier();
}
bool exists(const std::string& file) { return std::ifstream(file).good(); }

struct refuses {
  bool so = false;
  std::string name;
  refuses* self = nullptr;
  static void fields(auto& self, auto&& visit) { visit(self.so, self.name, observed(self.self)); }
};

}  // namespace

TEST(each_rank_finds_its_value_again) {
  save_checkpoint(world(), path(), state_of(world().rank()));
  state back;
  load_checkpoint(world(), path(), back);
  expect_state_of(back, world().rank());
  // Equal values, equal bytes; the old file is replaced.
  const std::string first = content(path());
  world().barrier();
  save_checkpoint(world(), path(), state_of(world().rank()));
  check::expect(content(path()) == first);
  check::expect(!exists(path() + ".new"));
  remove();
}

TEST(another_number_of_ranks_reads_the_parts) {
  save_checkpoint(world(), path(), state_of(world().rank()));
  const auto halves = world().split(world().rank() % 2);
  {
    const checkpoint saved(halves, path());
    check::equal(saved.parts(), static_cast<std::size_t>(world().size()));
    for (std::size_t i = 0; i < saved.parts(); ++i)
      expect_state_of(saved.read<state>(i), static_cast<int>(i));
    check::thrown_by<checkpoint_error>([&] { static_cast<void>(saved.size(saved.parts())); });
    std::vector<int> other;
    check::thrown_by<checkpoint_error>([&] { saved.read(0, other); });
  }
  if (halves.size() != world().size()) {
    state back;
    const auto error =
        check::thrown_by<checkpoint_error>([&] { load_checkpoint(halves, path(), back); });
    check::expect(std::string(error.what()).find("load_checkpoint on rank") != std::string::npos);
  }
  remove();
}

TEST(a_file_that_ends_early_or_has_changed_is_refused_by_all_ranks) {
  save_checkpoint(world(), path(), state_of(world().rank() == 1 ? 0 : world().rank()));
  const std::string right = content(path());
  constexpr std::size_t places = 12;
  for (std::size_t i = 0; i < places; ++i) {
    world().barrier();
    replace(right.substr(0, right.size() * i / places));
    state back;
    check::thrown_by<checkpoint_error>([&] { load_checkpoint(world(), path(), back); });
    world().barrier();
    std::string wrong = right;
    char& byte = wrong[right.size() * i / places];
    byte = static_cast<char>(byte ^ 1 << i % 8);
    replace(wrong);
    // Whose part it is finds it; the others are told.
    check::thrown_by<error>([&] { load_checkpoint(world(), path(), back); });
  }
  world().barrier();
  replace(right + "x");
  state back;
  check::thrown_by<checkpoint_error>([&] { load_checkpoint(world(), path(), back); });
  replace(right);
  load_checkpoint(world(), path(), back);
  check::equal(back.name,
               world().rank() == 1 ? "rank 0" : "rank " + std::to_string(world().rank()));
  remove();
}

TEST(a_rank_that_fails_leaves_the_old_checkpoint) {
  refuses mine;
  mine.name = "right";
  save_checkpoint(world(), path(), mine);
  refuses outside;
  if (world().rank() == 0) mine.self = &outside;  // nobody owns it
  const auto save = [&] { save_checkpoint(world(), path(), mine); };
  if (world().rank() == 0)
    check::thrown_by<encode_error>(save);
  else
    check::equal(check::thrown_by<remote_failure>(save).failed_rank(), 0);
  refuses back;
  load_checkpoint(world(), path(), back);
  check::equal(back.name, "right");
  remove();
}

TEST(files_that_cannot_be_opened_are_one_error_on_every_rank) {
  state mine;
  check::thrown_by<mpi::error>([&] { load_checkpoint(world(), "no such checkpoint", mine); });
  check::thrown_by<mpi::error>([&] { save_checkpoint(world(), "no such folder/file", mine); });
  world().barrier();
}

TEST(parts_pass_windows_of_any_size) {
  const state sent = state_of(world().rank());
  for (const std::size_t window : {std::size_t{4096}, std::size_t{70000}, std::size_t{1} << 22}) {
    save_checkpoint(world(), path(), sent, window);
    state back;
    load_checkpoint(world(), path(), back);
    expect_state_of(back, world().rank());
    const checkpoint saved(world(), path());
    for (int i = 0; i < world().size(); ++i)
      expect_state_of(saved.read<state>(static_cast<std::size_t>(i)), i);
    remove();
  }
  check::thrown_by<error>([&] { save_checkpoint(world(), path(), sent, 100); });
  check::expect(!exists(path()) && !exists(path() + ".new"));
}

TEST(values_go_to_mpi_files_at_offsets) {
  const file out(world(), path(), mpi::access_mode::create | mpi::access_mode::rdwr);
  const std::size_t mine = static_cast<std::size_t>(world().rank());
  const auto begin = static_cast<mpi::offset_t>(mine << 23);
  file_transport to(out.handle(), begin);
  write_value(to, state_of(world().rank()));
  write_value(to, std::vector<int>{1, 2}, 4096);
  file_transport from(out.handle(), begin);
  state back;
  read_value(from, back);
  expect_state_of(back, world().rank());
  std::vector<int> more;
  read_value(from, more);
  check::expect(more == std::vector{1, 2} && from.offset == to.offset);
  world().barrier();
  from.offset = static_cast<mpi::offset_t>(std::size_t{64} << 23);  // behind the end
  check::thrown_by<checkpoint_error>([&] { read_value(from, more); });
  world().barrier();
  remove();
}
