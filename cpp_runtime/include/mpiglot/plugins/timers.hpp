// Times of operations and of sections of a program, compared over the ranks.
//
//   const basic_communicator<timers> comm;
//   {
//     const auto section = comm.timed("assembly");
//     ...
//   }
//   comm.bcast(...);                                  // operations are timed by their names
//   if (auto all = comm.timings(); comm.rank() == 0)  // collective
//     std::cout << to_text(all);                      // or to_json(all)
//
// Of a nonblocking operation the time counts in which the program waits: where it begins, in `wait`
// and `test`, in pools.

#pragma once

#include <algorithm>
#include <cstdio>
#include <map>
#include <mpiglot/plugin.hpp>
#include <mpiglot/serialized.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace mpiglot {

/// Seconds under a name, compared over all ranks. A rank without the name counts as 0 seconds.
struct timing {
  std::string name;
  double min = 0, mean = 0, max = 0;
  /// The largest number of calls on a rank.
  long long calls = 0;
  /// The maximum divided by the mean: 1 if all ranks took equally long.
  [[nodiscard]] double imbalance() const noexcept { return mean > 0 ? max / mean : 1; }
};

/// A table, one line for each timing.
[[nodiscard]] inline std::string to_text(const std::vector<timing>& timings) {
  char line[160];
  const auto add = [&](std::string& to, const std::string& name) {
    to += line;
    to += name;
    to += '\n';
  };
  std::string text;
  std::snprintf(line, sizeof line, "%10s %12s %12s %12s %9s  ", "calls", "min s", "mean s", "max s",
                "imbalance");
  add(text, "name");
  for (const timing& each : timings) {
    std::snprintf(line, sizeof line, "%10lld %12.6f %12.6f %12.6f %9.2f  ", each.calls, each.min,
                  each.mean, each.max, each.imbalance());
    add(text, each.name);
  }
  return text;
}

/// A JSON array with an object for each timing. Names must be UTF-8.
[[nodiscard]] inline std::string to_json(const std::vector<timing>& timings) {
  std::string text = "[";
  char piece[200];
  for (const timing& each : timings) {
    text += text.size() > 1 ? ", {\"name\": \"" : "{\"name\": \"";
    for (const char letter : each.name) {
      if (static_cast<unsigned char>(letter) < 0x20) {
        std::snprintf(piece, sizeof piece, "\\u%04x", static_cast<unsigned>(letter));
        text += piece;
        continue;
      }
      if (letter == '"' || letter == '\\') text += '\\';
      text += letter;
    }
    std::snprintf(
        piece, sizeof piece,
        "\", \"calls\": %lld, \"min\": %.9g, \"mean\": %.9g, \"max\": %.9g, \"imbalance\": %.9g}",
        each.calls, each.min, each.mean, each.max, each.imbalance());
    text += piece;
  }
  return text + "]";
}

/// A plugin that times operations and sections. Each object of the communicator has times of its
/// own; one object must not be used by two threads at once.
template <class Base>
class timers : public Base {
 public:
  using Base::Base;

  /// The time from its construction to its destruction is added to a name.
  class section {
   public:
    section(const timers& comm, const char* name) : comm_(comm), name_(name), begin_(now()) {}
    section(const timers&& comm, const char* name) = delete;
    section(const section&) = delete;
    section& operator=(const section&) = delete;
    ~section() { comm_.add(name_.c_str(), now() - begin_); }

   private:
    const timers& comm_;
    std::string name_;
    double begin_;
  };
  /// Begins a section of the program. It ends with the returned object. Local.
  /// The communicator must live longer, so it is no temporary.
  [[nodiscard]] section timed(const char* name) const& { return section(*this, name); }
  section timed(const char* name) const&& = delete;

  /// Compares the times of all ranks, by name. Collective; the result is the same on all ranks.
  [[nodiscard]] std::vector<timing> timings() const {
    const communicator all(this->handle());
    const totals mine(measured_.begin(), measured_.end());
    const std::vector<totals> of_ranks = all.allgatherv(send_buf(as_serialized(mine)));
    std::map<std::string, timing> found;
    for (const auto& rank : of_ranks)
      for (const auto& [name, total] : rank) found[name].name = name;
    std::vector<timing> compared;
    for (auto& [name, each] : found) {
      each.min = -1;
      for (const auto& rank : of_ranks) {
        const auto at = rank.find(name);
        const double seconds = at == rank.end() ? 0 : at->second.first;
        each.min = each.min < 0 ? seconds : std::min(each.min, seconds);
        each.max = std::max(each.max, seconds);
        each.mean += seconds / all.size();
        if (at != rank.end()) each.calls = std::max(each.calls, at->second.second);
      }
      compared.push_back(each);
    }
    return compared;
  }
  /// Forgets all times of this object. Local.
  void reset_timings() const { measured_.clear(); }

  /// Called when an operation is complete, also if it has failed.
  void completed(const observed_call& call) const noexcept {
    if (call.within == nullptr) add(call.operation, call.seconds);
    if constexpr (requires { Base::completed(call); }) Base::completed(call);
  }

 private:
  [[nodiscard]] static double now() noexcept { return MPIGLOT_MPI(MPI_Wtime)(); }
  void add(const char* name, double seconds) const {
    auto at = measured_.find(std::string_view(name));
    if (at == measured_.end()) at = measured_.emplace(name, std::pair(0.0, 0LL)).first;
    at->second.first += seconds;
    ++at->second.second;
  }

  using totals = std::map<std::string, std::pair<double, long long>>;
  mutable std::map<std::string, std::pair<double, long long>, std::less<>> measured_;
};

}  // namespace mpiglot
