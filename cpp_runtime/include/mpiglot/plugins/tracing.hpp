// What a program communicates: calls, bytes and waiting, by operation and by pairs of ranks, and when.
//
//   const basic_communicator<tracing> comm;
//   ...                                               // every call is noted
//   if (auto all = comm.trace(); comm.rank() == 0)    // collective
//     std::cout << to_text(all);                      // or to_json(all)
//   comm.write_trace("trace.json");                   // collective; for Perfetto (ui.perfetto.dev) and chrome://tracing
//
// All communicators of a process that have this plugin note their calls in one place, those made by `split` and `dup`, too.
// Calls inside of a plugin's operation are noted with its name.

#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <map>
#include <mpiglot/group.hpp>
#include <mpiglot/plugin.hpp>
#include <mpiglot/serialized.hpp>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace mpiglot {

/// An operation on all ranks: as it was called ("ialltoallv"), and the plugin's operation that called it, or nothing.
struct traced_operation {
  std::string operation, within;
  /// Of all ranks.
  long long calls = 0, failed = 0;
  /// Of all ranks, where they are known: what each sent, else received.
  long long bytes = 0;
  /// The seconds that a rank waited in these calls. A rank without such a call counts as 0.
  double min = 0, mean = 0, max = 0;
  /// The most bytes of a rank.
  long long most_bytes = 0;
  int ranks = 1;
  /// The longest waiting divided by the mean: 1 if all ranks waited equally long.
  [[nodiscard]] double imbalance() const noexcept { return mean > 0 ? max / mean : 1; }
  /// The same of the bytes.
  [[nodiscard]] double imbalance_of_bytes() const noexcept {
    return bytes > 0 ? static_cast<double>(most_bytes) * ranks / static_cast<double>(bytes) : 1;
  }
};
/// Calls of a rank that name another one: the destination, the source, or the root. Both are ranks of the
/// communicator that asks, -1 if it has not such a rank.
struct traced_pair {
  int rank = 0, peer = 0;
  std::string operation;
  long long calls = 0, bytes = 0;
  double seconds = 0;
};
/// What all ranks have noted.
struct trace_of_ranks {
  std::vector<traced_operation> operations;  ///< those that the program waited for longest first
  std::vector<traced_pair> pairs;            ///< by rank and peer
  long long not_kept = 0;                    ///< calls that are in the sums, and not in the file
};

namespace tracing_parts {

/// "sort: allreduce", or the operation alone.
[[nodiscard]] inline std::string full_name(const std::string& operation,
                                           const std::string& within) {
  return within.empty() ? operation : within + ": " + operation;
}

}  // namespace tracing_parts

/// Two tables, one line for each operation and one for each pair.
[[nodiscard]] inline std::string to_text(const trace_of_ranks& all) {
  std::string text;
  std::array<char, 200> line{};
  const auto add = [&](const std::string& name) { text += line.data() + name + '\n'; };
  std::snprintf(line.data(), line.size(), "%10s %14s %9s %11s %11s %11s %9s  ", "calls", "bytes",
                "max/mean", "wait min s", "mean s", "max s", "max/mean");
  add("operation");
  for (const traced_operation& each : all.operations) {
    std::snprintf(line.data(), line.size(), "%10lld %14lld %9.2f %11.6f %11.6f %11.6f %9.2f  ",
                  each.calls, each.bytes, each.imbalance_of_bytes(), each.min, each.mean, each.max,
                  each.imbalance());
    add(tracing_parts::full_name(each.operation, each.within));
  }
  std::snprintf(line.data(), line.size(), "%10s %14s %11s %6s %6s  ", "calls", "bytes", "wait s",
                "rank", "peer");
  add("operation");
  for (const traced_pair& each : all.pairs) {
    std::snprintf(line.data(), line.size(), "%10lld %14lld %11.6f %6d %6d  ", each.calls,
                  each.bytes, each.seconds, each.rank, each.peer);
    add(each.operation);
  }
  if (all.not_kept != 0)
    text += std::to_string(all.not_kept) + " calls are in no trace: there were too many\n";
  return text;
}

/// A JSON object with the arrays `operations` and `pairs`.
[[nodiscard]] inline std::string to_json(const trace_of_ranks& all) {
  std::array<char, 240> piece{};
  std::string text = "{\"operations\": [";
  const char* comma = "";
  const auto add = [&](const std::string& name) {
    text += comma + std::string(R"({"operation": ")") + name + piece.data();
    comma = ",\n";
  };
  for (const traced_operation& each : all.operations) {
    std::snprintf(piece.data(), piece.size(),
                  R"(", "calls": %lld, "failed": %lld, "bytes": %lld, "most_bytes": %lld, )"
                  R"("min": %.9g, "mean": %.9g, "max": %.9g, "imbalance": %.9g})",
                  each.calls, each.failed, each.bytes, each.most_bytes, each.min, each.mean,
                  each.max, each.imbalance());
    add(each.operation + R"(", "within": ")" + each.within);
  }
  text += "],\n\"pairs\": [";
  comma = "";
  for (const traced_pair& each : all.pairs) {
    std::snprintf(piece.data(), piece.size(),
                  R"(", "rank": %d, "peer": %d, "calls": %lld, "bytes": %lld, "seconds": %.9g})",
                  each.rank, each.peer, each.calls, each.bytes, each.seconds);
    add(each.operation);
  }
  return text + "],\n\"not_kept\": " + std::to_string(all.not_kept) + "}\n";
}

namespace tracing_parts {

/// One call.
struct event {
  const char* operation;
  const char* within;
  call_form form;
  bool failed;
  int thread, peer;
  mpi::count_t bytes;
  double begun, ended, waited;
};

/// Which calls: of an operation with a peer, a rank of MPI_COMM_WORLD.
struct kind {
  std::string operation, within;
  int peer = -1;
  /// By their names, then by the peer.
  auto operator<=>(const kind&) const = default;
  /// What is encoded.
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(self.operation, self.within, self.peer);
  }
};
/// What they are together.
struct sums {
  long long calls = 0, failed = 0, bytes = 0;
  double seconds = 0;
  /// What is encoded.
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(self.calls, self.failed, self.bytes, self.seconds);
  }
};

/// What this process has noted.
class notes {
 public:
  /// So many calls are kept one by one.
  static constexpr std::size_t most = std::size_t{1} << 20;

  /// Those of this process. They stay until it ends: destructors of other objects may make calls.
  [[nodiscard]] static notes& here() {
    static notes& all = *new notes;
    return all;
  }
  /// Without memory, the call is only counted.
  void add(const observed_call& call, int peer) noexcept {
    static std::atomic<int> threads{0};
    thread_local const int thread = threads++;
    const std::lock_guard lock(mutex_);
    plugin::kept_failure none;
    const bool kept = none.attempt([&] {
      const char* const within = call.within == nullptr ? "" : call.within;
      sums& all = all_[kind{call.operation, within, peer}];
      ++all.calls;
      all.failed += call.failed ? 1 : 0;
      all.bytes += std::max<mpi::count_t>(call.bytes, 0);
      all.seconds += call.seconds;
      const bool blocking = call.form == call_form::blocking;
      if (events_.size() < most)
        events_.push_back({call.operation, call.within, call.form, call.failed, thread, peer,
                           call.bytes, call.begun,
                           blocking ? call.begun + call.seconds : detail::seconds_now(),
                           call.seconds});
      else
        ++not_kept_;
    });
    if (!kept) ++not_kept_;
  }
  /// Forgets all.
  void forget() {
    const std::lock_guard lock(mutex_);
    events_.clear();
    all_.clear();
    not_kept_ = 0;
  }
  /// Copies, since what sends them is noted.
  [[nodiscard]] std::map<kind, sums> all() {
    const std::lock_guard lock(mutex_);
    return all_;
  }
  /// The calls that are kept.
  [[nodiscard]] std::vector<event> events() {
    const std::lock_guard lock(mutex_);
    return events_;
  }
  /// How many are not.
  [[nodiscard]] long long not_kept() {
    const std::lock_guard lock(mutex_);
    return not_kept_;
  }

 private:
  std::mutex mutex_;
  std::vector<event> events_;
  std::map<kind, sums> all_;
  long long not_kept_ = 0;
};

/// Adds the calls of a rank to those of all.
inline void merge(trace_of_ranks& all, const std::map<kind, sums>& mine, int rank, int ranks,
                  const std::vector<int>& rank_of) {
  std::map<std::pair<std::string, std::string>, sums> by_operation;
  for (const auto& [of, one] : mine) {
    sums& both = by_operation[{of.operation, of.within}];
    both.calls += one.calls;
    both.failed += one.failed;
    both.bytes += one.bytes;
    both.seconds += one.seconds;
    if (of.peer < 0) continue;
    const auto peer = static_cast<std::size_t>(of.peer);
    all.pairs.push_back({rank, peer < rank_of.size() ? rank_of[peer] : -1,
                         full_name(of.operation, of.within), one.calls, one.bytes, one.seconds});
  }
  for (const auto& [name, one] : by_operation) {
    const auto same = [&key = name](const traced_operation& other) {
      return std::tie(other.operation, other.within) == std::tie(key.first, key.second);
    };
    auto at = std::find_if(all.operations.begin(), all.operations.end(), same);
    if (at == all.operations.end()) {
      at = all.operations.insert(at, traced_operation{name.first, name.second});
      at->ranks = ranks;
      at->min = rank == 0 ? one.seconds : 0;
    }
    at->calls += one.calls;
    at->failed += one.failed;
    at->bytes += one.bytes;
    at->most_bytes = std::max(at->most_bytes, one.bytes);
    at->min = std::min(at->min, one.seconds);
    at->max = std::max(at->max, one.seconds);
    at->mean += one.seconds / ranks;
  }
  for (traced_operation& each : all.operations)
    if (by_operation.count({each.operation, each.within}) == 0) each.min = 0;
}

/// The calls of a rank as trace events, each after a comma. Times are in microseconds.
[[nodiscard]] inline std::string to_events(const std::vector<event>& events, int rank,
                                           double offset) {
  std::array<char, 400> line{};
  std::snprintf(line.data(), line.size(),
                R"({"ph":"M","name":"process_name","pid":%d,"args":{"name":"rank %d"}})", rank,
                rank);
  std::string text = line.data();
  std::size_t id = 0;
  const auto add = [&](const event& one, const char* phase, double at, double duration) {
    std::snprintf(line.data(), line.size(),
                  R"(,
{"ph":"%s","name":"%s","cat":"%s","pid":%d,"tid":%d,"id":%zu,"ts":%.3f,"dur":%.3f,"args":{)"
                  R"("bytes":%lld,"peer":%d,"waited":%.3f,"within":"%s","failed":%s}})",
                  phase, one.operation, one.within == nullptr ? "call" : one.within, rank,
                  one.thread, id, 1e6 * (at + offset), 1e6 * duration,
                  static_cast<long long>(one.bytes), one.peer, 1e6 * one.waited,
                  one.within == nullptr ? "" : one.within, one.failed ? "true" : "false");
    text += line.data();
  };
  for (const event& each : events) {
    ++id;
    if (each.form == call_form::blocking) {
      add(each, "X", each.begun, each.ended - each.begun);
    } else {
      add(each, "b", each.begun, 0);
      add(each, "e", each.ended, 0);
    }
  }
  return text;
}

/// For messages that are no part of the program's.
struct own_messages : plugin::private_context {
  using private_context::private_context;
};

/// What to add to the clock of this rank to have that of rank 0. Collective.
[[nodiscard]] inline double clock_offset(const communicator& all) {
  double offset = 0;
  for (int rank = 1; rank < all.size(); ++rank) {
    double shortest = 0;
    for (int round = 0; round < 10; ++round)
      if (all.rank() == 0) {
        static_cast<void>(all.recv(recv_buf(0.0), source(rank)));
        all.send(send_buf(detail::seconds_now()), destination(rank));
      } else if (all.rank() == rank) {
        const double begin = detail::seconds_now();
        all.send(send_buf(begin), destination(0));
        const double there = all.recv(recv_buf(0.0), source(0));
        const double end = detail::seconds_now();
        if (round == 0 || end - begin < shortest) {
          shortest = end - begin;
          offset = there - (begin + end) / 2;
        }
      }
  }
  return offset;
}

}  // namespace tracing_parts

/// A plugin that notes the calls of a communicator.
template <class Base>
class tracing : public Base {
 public:
  using Base::Base;

  /// What the ranks of this communicator have noted until now; the same on all of them. Collective.
  [[nodiscard]] trace_of_ranks trace() const {
    const communicator all(messages());
    auto& here = tracing_parts::notes::here();
    const auto mine = here.all();
    const auto of_ranks = all.allgatherv(send_buf(as_serialized(mine)));
    std::vector<int> rank_of = world().translate(this->group());
    std::replace(rank_of.begin(), rank_of.end(), mpi::undefined, -1);
    trace_of_ranks found;
    for (int rank = 0; rank < all.size(); ++rank)
      tracing_parts::merge(found, of_ranks[static_cast<std::size_t>(rank)], rank, all.size(),
                           rank_of);
    std::sort(found.operations.begin(), found.operations.end(),
              [](const auto& a, const auto& b) { return a.mean > b.mean; });
    found.not_kept = all.allreduce_single(send_buf(here.not_kept()), op(mpi::sum));
    return found;
  }

  /// Writes when each call was, in the trace event format. Rank 0 writes the file; clocks of other ranks are compared
  /// with its own one. Errors are thrown on all ranks. Collective.
  void write_trace(const std::string& path) const {
    using namespace tracing_parts;
    const communicator all(messages());
    const auto events = notes::here().events();
    const double begin =
        events.empty() ? 0 : std::min_element(events.begin(), events.end(), [](auto& a, auto& b) {
                               return a.begun < b.begun;
                             })->begun;
    const double offset = clock_offset(all);
    const double none = 1e300;
    const double first =
        all.allreduce_single(send_buf(events.empty() ? none : begin + offset), op(mpi::min));
    const std::string mine = to_events(events, all.rank(), offset - first);
    bool written = true;
    if (all.rank() == 0) {
      std::ofstream output(path);
      output << "{\"traceEvents\":[\n" << mine;
      for (int rank = 1; rank < all.size(); ++rank)
        output << ",\n" << all.recv(recv_buf(as_serialized(std::string())), source(rank));
      output << "\n]}\n";
      output.close();
      written = static_cast<bool>(output);
    } else {
      all.send(send_buf(as_serialized(mine)), destination(0));
    }
    if (!all.bcast_single(send_recv_buf(written))) {
      if (all.rank() == 0)
        detail::refuse_argument(MPI_ERR_FILE, "write_trace cannot write the file");
      plugin::fail_elsewhere(0);
    }
  }
  /// Forgets all that this process has noted. Local.
  static void forget_trace() { tracing_parts::notes::here().forget(); }

  /// Called when an operation is complete, also if it has failed.
  void completed(const observed_call& call) const noexcept {
    tracing_parts::notes::here().add(call, world_rank(call.peer));
    if constexpr (requires { Base::completed(call); }) Base::completed(call);
  }

 private:
  [[nodiscard]] mpi::comm_handle messages() const {
    return plugin::kept_on<tracing_parts::own_messages>(this->handle()).comm();
  }
  [[nodiscard]] static group world() {
    return group(mpi::unique_group(mpi::comm_group(mpi::comm_world)));
  }
  [[nodiscard]] int world_rank(int rank) const noexcept {
    if (rank < 0 || rank >= this->size()) return -1;
    plugin::kept_failure none;
    none.attempt([&] {
      if (world_.empty()) world_ = this->group().translate(world());
    });
    return world_.empty() ? -1 : world_[static_cast<std::size_t>(rank)];
  }

  mutable std::vector<int>
      world_;  // the ranks of MPI_COMM_WORLD that those of this communicator have
};

}  // namespace mpiglot
