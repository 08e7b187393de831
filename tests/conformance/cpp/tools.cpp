// The tools interface: control and performance variables, categories, events.

#include "conformance.hpp"

#include <array>
#include <set>

#include <dlfcn.h>

namespace {

// The tools interface is never finalised for the last time (lives.cpp does): some MPIs crash after it.
struct tools {
  tools() {
    static const auto forever = mpi::t_init_thread(mpi::thread_level::single);
    expect(forever >= mpi::thread_level::single);
    static_cast<void>(mpi::t_init_thread(mpi::thread_level::single));  // Open MPI says nothing now
  }
  tools(const tools&) = delete;
  tools& operator=(const tools&) = delete;
  ~tools() { mpi::t_finalize(); }
};

// Room for the value of any variable.
using room = std::array<char, 8192>;

bool fits_in_room(mpi::datatype_handle type, int count) {
  const auto size = mpi::nothrow::type_size(type);
  return size.ok() && size.value * count <= static_cast<mpi::count_t>(sizeof(room));
}

void check_enumeration(mpi::t_enum_handle enumeration) {
  const auto [number, name] = mpi::t_enum_get_info(enumeration);
  expect(number > 0 && !name.empty());
  for (int i = 0; i < number; ++i) expect(!mpi::t_enum_get_item(enumeration, i).name.empty());
}

// Whether a variable is another after it was written; it is what it was again then.
bool is_changed(mpi::t_cvar_handle handle, mpi::scope scope) {
  const auto value = [&] {
    int out = -77;
    mpi::t_cvar_read(handle, &out);
    expect(out != -77);
    return out;
  };
  const int before = value();
  if (scope == mpi::scope::constant || (before != 0 && before != 1)) return false;
  const int other = 1 - before;  // most are switches; many cannot be written after MPI_Init
  if (!mpi::nothrow::t_cvar_write(handle, &other).ok()) return false;
  const bool changed = value() == other;
  mpi::t_cvar_write(handle, &before);
  equal(value(), before);
  return changed;
}

// What a C function says whose result is a number, which is not negative: written in any case.
template <class... Arguments>
int said(const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<int (*)(Arguments..., int*)>(dlsym(RTLD_DEFAULT, name));
  int out = -1;
  expect(function != nullptr && function(arguments..., &out) == MPI_SUCCESS);
  expect(out >= 0);
  return out;
}

// Numbers of variables, events or categories: all there, and different.
void are_members(const std::vector<int>& indices) {
  const std::set<int> different(indices.begin(), indices.end());
  equal(different.size(), indices.size());
  for (const int one : indices) expect(one >= 0);
}

// MPI_T's codes are classes, which MPI_Error_class need not know.
template <class Call>
void name_refused(Call call) {
  const int found = thrown_by<mpi::error>(call).code();
  for (const int one : {MPI_T_ERR_INVALID_NAME, MPI_T_ERR_INVALID, MPI_T_ERR_INVALID_INDEX})
    if (one == found) return;
  check::fail("another code: " + std::to_string(found), std::source_location::current());
}

}  // namespace

TEST(control_variables_are_read_and_written) {
  const tools open;
  int read = 0;
  int written = 0;
  for (int i = 0; i < mpi::t_cvar_get_num(); ++i) {
    const auto info = mpi::nothrow::t_cvar_get_info(i);
    if (!info.ok()) continue;  // indices may be of variables that are gone
    equal(mpi::t_cvar_get_index(info.value.name), i);
    if (info.value.enumtype != mpi::t_enum_handle{}) check_enumeration(info.value.enumtype);
    if (info.value.bind != mpi::bind::no_object) continue;
    auto [handle, count] = mpi::t_cvar_handle_alloc(i, nullptr);
    room value{};
    if (fits_in_room(info.value.datatype, count)) {
      if (mpi::nothrow::t_cvar_read(handle, value.data()).ok()) ++read;
      if (written == 0 && info.value.datatype == mpi::datatype_handle(mpi::int_) && count == 1)
        written += is_changed(handle, info.value.scope) ? 1 : 0;
    }
    mpi::t_cvar_handle_free(handle);
    expect(handle == mpi::t_cvar_handle{});
  }
  expect(read > 10, "variables were read");
  expect(written > 0, "a variable was changed");
  name_refused([] { return mpi::t_cvar_get_index("no such variable"); });
}

TEST(performance_variables_are_started_read_and_reset) {
  const tools open;
  const int number = said("MPI_T_pvar_get_num");
  equal(mpi::t_pvar_get_num(), number);
  mpi::t_pvar_session_handle session = mpi::t_pvar_session_create();
  if (number == 0 && without("no-performance-variables")) {
    mpi::t_pvar_session_free(session);
    expect(session == mpi::t_pvar_session_handle{});
    return;
  }
  expect(number > 0);
  int read = 0, started = 0, reset = 0, readreset = 0, written = 0, found = 0;
  for (int i = 0; i < number; ++i) {
    const auto outcome = mpi::nothrow::t_pvar_get_info(i);
    if (!outcome.ok()) continue;
    const auto& info = outcome.value;
    const auto index = mpi::nothrow::t_pvar_get_index(info.name, info.var_class);
    if (index.ok()) found += index.value == i ? 1 : 0;
    if (info.bind != mpi::bind::no_object) continue;
    if (info.name.starts_with("mtl_psm2") && known("psm2-variables-crash")) continue;
    auto allocated = mpi::nothrow::t_pvar_handle_alloc(session, i, nullptr);
    if (!allocated.ok()) continue;
    auto [handle, count] = allocated.value;
    room value{};
    if (fits_in_room(info.datatype, count)) {
      if (!info.continuous && mpi::nothrow::t_pvar_start(session, handle).ok()) ++started;
      if (mpi::nothrow::t_pvar_read(session, handle, value.data()).ok()) ++read;
      if (!info.readonly) {
        if (mpi::nothrow::t_pvar_write(session, handle, value.data()).ok()) ++written;
        if (mpi::nothrow::t_pvar_reset(session, handle).ok()) ++reset;
        if (mpi::nothrow::t_pvar_readreset(session, handle, value.data()).ok()) ++readreset;
      }
      if (!info.continuous) {
        const auto stopped = mpi::nothrow::t_pvar_stop(session, handle);
        expect(stopped.ok() || stopped.code == MPI_T_ERR_PVAR_NO_STARTSTOP);
      }
    }
    mpi::t_pvar_handle_free(session, handle);
    expect(handle == mpi::t_pvar_handle{});
  }
  expect(found > 0 && read > 0);
  static_cast<void>(started + reset + readreset + written);  // not every MPI has such variables
  mpi::t_pvar_session_free(session);
  expect(session == mpi::t_pvar_session_handle{});
}

// Open MPI has variables that can be started and reset when it is told to monitor messages.
TEST(performance_variables_of_a_communicator_count) {
  const tools open;
  mpi::t_pvar_session_handle session = mpi::t_pvar_session_create();
  MPI_Comm world = MPI_COMM_WORLD;
  for (int i = 0; i < mpi::t_pvar_get_num(); ++i) {
    const auto outcome = mpi::nothrow::t_pvar_get_info(i);
    if (!outcome.ok()) continue;
    const auto& info = outcome.value;
    if (info.name == "coll_monitoring_a2a_count" && !info.continuous) {
      expect(info.bind == mpi::bind::comm);
      auto [handle, count] = mpi::t_pvar_handle_alloc(session, i, &world);
      equal(count, 1);
      const auto value = [&, pvar = handle] {
        std::uint64_t out = 77;
        mpi::t_pvar_read(session, pvar, &out);
        return out;
      };
      const auto sum = [] {
        int total = 0;
        const int one = 1;
        mpi::allreduce(&one, &total, 1, mpi::int_, mpi::sum, mpi::comm_world);
      };
      mpi::barrier(mpi::comm_world);
      mpi::t_pvar_start(session, handle);
      sum();
      equal(value(), std::uint64_t{1});
      mpi::t_pvar_reset(session, handle);
      equal(value(), std::uint64_t{0});
      mpi::t_pvar_stop(session, handle);
      sum();
      equal(value(), std::uint64_t{0});
      mpi::t_pvar_handle_free(session, handle);
    }
  }
  mpi::t_pvar_session_free(session);
}

// ... and one that names the files into which it then writes what it saw.
TEST(performance_variables_are_written) {
  const tools open;
  mpi::t_pvar_session_handle session = mpi::t_pvar_session_create();
  for (int i = 0; i < mpi::t_pvar_get_num(); ++i) {
    const auto info = mpi::nothrow::t_pvar_get_info(i);
    if (!info.ok() || info.value.name != "pml_monitoring_flush" || info.value.readonly) continue;
    auto [handle, count] = mpi::t_pvar_handle_alloc(session, i, nullptr);
    const std::string name = common_name();
    mpi::t_pvar_start(session, handle);
    mpi::t_pvar_write(session, handle, name.c_str());
    mpi::t_pvar_stop(session, handle);
    const std::string written = name + "." + std::to_string(rank()) + ".prof";
    equal(std::remove(written.c_str()), 0);
    mpi::t_pvar_handle_free(session, handle);
  }
  mpi::t_pvar_session_free(session);
}

TEST(categories_list_what_is_in_them) {
  const tools open;
  const int number = mpi::t_category_get_num();
  expect(number > 0);
  const int stamp = said("MPI_T_category_changed");
  equal(mpi::t_category_changed(), stamp);
  int variables = 0;
  for (int i = 0; i < number; ++i) {
    const auto outcome = mpi::nothrow::t_category_get_info(i);
    if (!outcome.ok()) continue;  // as with variables
    const auto& info = outcome.value;
    equal(mpi::t_category_get_index(info.name), i);
    std::vector<int> inside(at(info.num_cvars), -1);
    mpi::t_category_get_cvars(i, inside);
    are_members(inside);
    variables += info.num_cvars;
    inside.assign(at(info.num_pvars), -1);
    mpi::t_category_get_pvars(i, inside);
    are_members(inside);
    inside.assign(at(info.num_categories), -1);
    mpi::t_category_get_categories(i, inside);
    are_members(inside);
    if constexpr (mpi::has_t_category_get_num_events) {
      const int events = said("MPI_T_category_get_num_events", i);
      equal(mpi::t_category_get_num_events(i), events);
      inside.assign(at(events), -1);
      mpi::t_category_get_events(i, inside);
      are_members(inside);
    }
  }
  expect(variables > 0);
  name_refused([] { return mpi::t_category_get_index("no such category"); });
}

TEST(sources_and_events_are_described) {
  if constexpr (mpi::has_t_event_get_num) {
    const tools open;
    const int sources = said("MPI_T_source_get_num");
    equal(mpi::t_source_get_num(), sources);
    for (int i = 0; i < sources; ++i) {
      const auto info = mpi::t_source_get_info(i);
      expect(!info.name.empty());
      expect(mpi::t_source_get_timestamp(i) >= 0);
    }
    const int events = said("MPI_T_event_get_num");
    equal(mpi::t_event_get_num(), events);
    if (events == 0 && without("no-tool-events")) return;
    expect(events > 0);
    for (int i = 0; i < events; ++i) {
      std::array<mpi::datatype_handle, 64> types{};
      std::array<mpi::aint_t, 64> places{};
      int elements = 64;
      const auto info = mpi::t_event_get_info(i, types, places, elements);
      equal(mpi::t_event_get_index(info.name), i);
    }
  }
}

TEST(tools_refuse_what_there_is_not) {
  const tools open;
  const int none = 1 << 29;
  int output[2];
  const mpi::t_pvar_session_handle session{};
  const auto refused = [](const auto& result) { expect(!result.ok()); };
  refused(mpi::nothrow::t_cvar_handle_alloc(none, nullptr));
  refused(mpi::nothrow::t_pvar_handle_alloc(session, none, nullptr));
  refused(mpi::nothrow::t_category_get_cvars(none, output));
  refused(mpi::nothrow::t_category_get_pvars(none, output));
  refused(mpi::nothrow::t_category_get_categories(none, output));
  refused(mpi::nothrow::t_category_get_events(none, output));
  refused(mpi::nothrow::t_category_get_num_events(none));
  refused(mpi::nothrow::t_pvar_get_index("no such variable", mpi::pvar_class::counter));
}
