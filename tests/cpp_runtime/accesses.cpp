// Accesses to windows and files: every operation with every description of a buffer, elements of two kinds,
// epochs, levels of checks and lengths, on values that change. Each rank reaches the next one.

#include <array>

#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/window.hpp>

#include "calls/table.hpp"
#include "scratch.hpp"

using namespace calls;

namespace {

constexpr std::array<int, 11> lengths = {0, 1, 7, 8, 9, 255, 256, 257, 4095, 4097, 65537};
constexpr int most = 65537 + 16;

int value_of(int rank, int round, int i) { return 1 + 7 * rank + 1000 * round + i; }
ids values(int rank, int round, int n) {
  ids all;
  for (int i = 0; i < n; ++i) all.push_back(value_of(rank, round, i));
  return all;
}
parts as_parts(const ids& all) {
  parts found;
  for (int each : all) found.push_back({each});
  return found;
}

enum class epoch { fence, shared, exclusive, all };
constexpr epoch epochs[] = {epoch::fence, epoch::shared, epoch::exclusive, epoch::all};

template <class Window, class Access>
void in(epoch kind, const Window& win, Access access) {
  if (kind == epoch::fence) {
    const auto open = win.fence();
    access();
  } else if (kind == epoch::all) {
    const auto open = win.lock_all();
    access();
  } else {
    const auto open = win.lock(
        next(), kind == epoch::shared ? mpi::lock_type::shared : mpi::lock_type::exclusive);
    access();
  }
  mpi::barrier(world());
}

// Whether the library has it: what is refused with the sentence of a defect is refused on all ranks.
template <class Call>
bool is_there(Call call) {
  try {
    call();
    return true;
  } catch (const mpi::unavailable&) {
    return false;
  }
}

// One operation with one description: `call(buffer...)` on lvalues.
template <description D, class T, class Window>
void accessed(int n, int round, epoch kind, const Window& win) {
  const int at = 3;
  std::span<T> mine = win.template memory<T>();
  const auto where = std::to_string(n) + " elements, epoch " +
                     std::to_string(static_cast<int>(kind)) + ", description " +
                     std::to_string(static_cast<int>(D));
  const auto spoil = [&] {
    const auto open = win.lock(rank(), mpi::lock_type::exclusive);
    for (T& each : mine) each = made<T>(untouched);
    win.sync();
  };
  const auto holds = [&](const ids& wanted, const char* what) {
    const auto open = win.lock(rank(), mpi::lock_type::exclusive);
    win.sync();
    for (int i = 0; i < n + 6; ++i) {
      const bool inside = i >= at && i < at + n;
      const int expected = inside ? wanted[static_cast<std::size_t>(i - at)] : untouched;
      const int found = id_of(mine[static_cast<std::size_t>(i)]);
      if (found != expected)
        check::expect(false, std::string(what) + ", " + where + ": element " + std::to_string(i) +
                                 " is " + std::to_string(found) + ", not " +
                                 std::to_string(expected));
    }
  };
  const auto target = [&] { return target_rank(next()); };
  const auto size = static_cast<std::size_t>(n);
  const ids theirs = values(before(), round, n);

  const auto sent_by = [&](const char* what, auto call) {
    spoil();
    holder<D, T> out(size);
    out.fill(as_parts(values(rank(), round, n)));
    mpi::barrier(world());
    bool done = false;
    in(kind, win, [&] { done = is_there([&] { call(out.object); }); });
    if (done) holds(theirs, what);
    check::equal(out.read(), values(rank(), round, n));
    mpi::barrier(world());
  };
  sent_by("put", [&](auto& out) { win.put(send_buf(out), target(), target_displacement(at)); });
  if (kind != epoch::fence)
    sent_by("rput",
            [&](auto& out) { win.rput(send_buf(out), target(), target_displacement(at)).wait(); });

  const auto got_by = [&](const char* what, auto call) {
    {
      const auto open = win.lock(rank(), mpi::lock_type::exclusive);
      for (int i = 0; i < n; ++i)
        mine[static_cast<std::size_t>(i + at)] = made<T>(value_of(rank(), round, i));
      win.sync();
    }
    holder<D, T> into(size);
    into.spoil();
    mpi::barrier(world());
    bool done = false;
    in(kind, win, [&] { done = is_there([&] { call(into.object); }); });
    mpi::barrier(world());
    if (!done) return;
    check::expect(into.read() == values(next(), round, n), std::string(what) + ", " + where);
    check::expect(into.gaps_are_untouched(), std::string(what) + " beside it, " + where);
    mpi::barrier(world());
  };
  got_by("get", [&](auto& into) { win.get(recv_buf(into), target(), target_displacement(at)); });
  if (kind != epoch::fence)
    got_by("rget",
           [&](auto& into) { win.rget(recv_buf(into), target(), target_displacement(at)).wait(); });

  if constexpr (std::is_same_v<T, int>) {
    ids numbers;
    for (int i = 0; i < n; ++i) numbers.push_back(i);
    const auto added_by = [&](const char* what, auto call) -> ids {
      {
        const auto open = win.lock(rank(), mpi::lock_type::exclusive);
        for (T& each : mine) each = made<T>(untouched);
        for (int i = 0; i < n; ++i) mine[static_cast<std::size_t>(i + at)] = i;
        win.sync();
      }
      holder<D, T> out(size), old(size);
      out.fill(as_parts(values(rank(), round, n)));
      old.spoil();
      mpi::barrier(world());
      bool done = false;
      in(kind, win, [&] { done = is_there([&] { call(out.object, old.object); }); });
      if (!done) return numbers;
      ids sums = theirs;
      for (int i = 0; i < n; ++i) sums[static_cast<std::size_t>(i)] += i;
      holds(sums, what);
      mpi::barrier(world());
      return old.read();
    };
    added_by("accumulate", [&](auto& out, auto&) {
      win.accumulate(send_buf(out), target(), target_displacement(at), op(std::plus<>()));
    });
    check::equal(added_by("get_accumulate",
                          [&](auto& out, auto& old) {
                            win.get_accumulate(send_buf(out), recv_buf(old), target(),
                                               target_displacement(at), op(std::plus<>()));
                          }),
                 numbers);
    if (kind == epoch::fence) return;
    added_by("raccumulate", [&](auto& out, auto&) {
      win.raccumulate(send_buf(out), target(), target_displacement(at), op(std::plus<>())).wait();
    });
    check::equal(added_by("rget_accumulate",
                          [&](auto& out, auto& old) {
                            win.rget_accumulate(send_buf(out), recv_buf(old), target(),
                                                target_displacement(at), op(std::plus<>()))
                                .wait();
                          }),
                 numbers);
  }
}

template <class T, class Window>
void all_descriptions(const Window& win) {
  int round = 0;
  for (const int n : lengths)
    for (const epoch kind : epochs) {
      // MPICH polls for locks, which takes its time where ranks share a core.
      if (++round % 3 != 0 && size() > 2) continue;
      accessed<description::range, T>(n, round, kind, win);
      accessed<description::span, T>(n, round, kind, win);
      accessed<description::strided, T>(n, round, kind, win);
      accessed<description::view, T>(n, round, kind, win);
      accessed<description::bag, T>(n, round, kind, win);
    }
}

}  // namespace

TEST(windows_are_reached_by_every_description) {
  {
    const window win = window::allocate<int>(world(), most);
    all_descriptions<int>(win);
  }
  {
    const basic_window<mpiglot::checked> win =
        basic_window<mpiglot::checked>::allocate<int>(world(), most);
    all_descriptions<int>(win);
  }
  {
    const window win = window::allocate<reflected_element>(world(), most);
    all_descriptions<reflected_element>(win);
  }
}

namespace {

// One length with one description: what is written by each way is read by each other one.
template <description D, class T>
void in_files(int n, int round, const file& both) {
  const auto size_of_part = static_cast<std::size_t>(n);
  const auto mine = static_cast<mpi::offset_t>(rank()) * n;
  const ids own = values(rank(), round, n);
  const std::string where =
      std::to_string(n) + " elements, description " + std::to_string(static_cast<int>(D));
  const auto settle = [&] {
    both.sync();
    mpi::barrier(world());
    both.sync();
  };
  const auto written_by = [&](const char* what, auto write) {
    holder<D, T> out(size_of_part);
    out.fill(as_parts(own));
    const std::vector<T> nothing(size_of_part, made<T>(untouched));
    both.write(send_buf(nothing), at(mine), collectively());
    settle();
    const auto sent = send_buf(out.object);
    write(sent);
    settle();
    std::vector<T> all(size_of_part * static_cast<std::size_t>(::calls::size()));
    both.read(recv_buf(all), at(0), collectively());
    for (int from = 0, i = 0; from < ::calls::size(); ++from)
      for (int k = 0; k < n; ++k, ++i)
        if (id_of(all[static_cast<std::size_t>(i)]) != value_of(from, round, k))
          check::expect(false, std::string(what) + ", " + where + ": element " + std::to_string(i));
    check::equal(out.read(), own);
    mpi::barrier(world());
  };
  const auto to_own_place = [&] { both.seek(mine); };
  written_by("write at", [&](auto& sent) { both.write(sent, at(mine)); });
  written_by("write at, collectively",
             [&](auto& sent) { both.write(sent, at(mine), collectively()); });
  written_by("write", [&](auto& sent) {
    to_own_place();
    both.write(sent);
  });
  written_by("write collectively", [&](auto& sent) {
    to_own_place();
    both.write(sent, collectively());
  });
  written_by("write ordered", [&](auto& sent) {
    both.seek_shared(0);
    both.write(sent, ordered());
  });
  written_by("iwrite at", [&](auto& sent) { both.iwrite(sent, at(mine)).wait(); });
  written_by("iwrite at, collectively",
             [&](auto& sent) { both.iwrite(sent, at(mine), collectively()).wait(); });
  written_by("write_split at", [&](auto& sent) { both.write_split(sent, at(mine)).wait(); });

  const auto got_by = [&](const char* what, auto read) {
    holder<D, T> into(size_of_part);
    into.spoil();
    read(recv_buf(into.object));
    check::expect(into.read() == own, std::string(what) + ", " + where);
    check::expect(into.gaps_are_untouched(), std::string(what) + " beside it, " + where);
    mpi::barrier(world());
  };
  got_by("read at", [&](auto got) { both.read(got, at(mine)); });
  got_by("read at, collectively", [&](auto got) { both.read(got, at(mine), collectively()); });
  got_by("read", [&](auto got) {
    to_own_place();
    both.read(got);
  });
  got_by("read collectively", [&](auto got) {
    to_own_place();
    both.read(got, collectively());
  });
  got_by("read ordered", [&](auto got) {
    both.seek_shared(0);
    both.read(got, ordered());
  });
  got_by("iread at", [&](auto got) { both.iread(got, at(mine)).wait(); });
  got_by("iread at, collectively",
         [&](auto got) { both.iread(got, at(mine), collectively()).wait(); });
  got_by("read_split at", [&](auto got) { both.read_split(got, at(mine)).wait(); });
}

template <class T>
void all_in_files() {
  const scratch place;
  const file both = place.open();
  both.set_view<T>();
  int round = 0;
  for (const int n : {0, 1, 7, 256, 4097, 65537}) {
    in_files<description::range, T>(n, ++round, both);
    in_files<description::span, T>(n, ++round, both);
    in_files<description::strided, T>(n, ++round, both);
    in_files<description::view, T>(n, ++round, both);
    in_files<description::bag, T>(n, ++round, both);
  }
}

}  // namespace

TEST(files_are_written_and_read_by_every_description) {
  all_in_files<int>();
  all_in_files<reflected_element>();
}
