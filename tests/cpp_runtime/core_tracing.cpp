// What is noted of calls, against what the test has counted itself.

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <mpiglot/plugins/sort.hpp>
#include <mpiglot/plugins/tracing.hpp>
#include <random>
#include <sstream>
#include <string>
#include <tuple>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using traced = basic_communicator<tracing, sorter, grid_alltoall>;

const traced_operation* find(const trace_of_ranks& all, const std::string& name,
                             const std::string& within = "") {
  for (const traced_operation& each : all.operations)
    if (each.operation == name && each.within == within) return &each;
  return nullptr;
}
long long calls_of(const trace_of_ranks& all, const std::string& name) {
  const auto* const found = find(all, name);
  return found == nullptr ? 0 : found->calls;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}
// Whether brackets and quotes of a JSON text pair.
bool is_closed(const std::string& text) {
  std::string open;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '{' || c == '[') open += c;
    if (c == '}' || c == ']') {
      if (open.empty() || open.back() != (c == '}' ? '{' : '[')) return false;
      open.pop_back();
    }
  }
  return open.empty() && !quoted;
}

std::string file_in_scratch() {
  const char* const folder = std::getenv("MPIGLOT_SCRATCH");
  return std::string(folder == nullptr ? "/tmp" : folder) + "/trace.json";
}
std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::stringstream all;
  all << file.rdbuf();
  return all.str();
}

}  // namespace

TEST(calls_and_bytes_are_those_that_were_made) {
  const traced comm;
  traced::forget_trace();
  // The same numbers on all ranks: who sends how much to whom, and how.
  std::mt19937 draw(7);
  std::map<std::tuple<int, int, std::string>, std::pair<long long, long long>> right;
  long long bytes = 0;
  for (int i = 0; i < 60; ++i) {
    const int from = static_cast<int>(draw() % static_cast<unsigned>(comm.size()));
    const int to = static_cast<int>(draw() % static_cast<unsigned>(comm.size()));
    const std::size_t n = draw() % 3000;
    const auto size = static_cast<long long>(n * sizeof(int));
    bytes += size;
    std::vector<int> room(n);
    if (comm.rank() == from) {
      auto sending = comm.isend(send_buf(std::vector<int>(n, i)), destination(to));
      if (from == to) comm.recv(recv_buf(room), source(from));
      sending.wait();
    } else if (comm.rank() == to) {
      comm.recv(recv_buf(room), source(from));
    }
    for (auto& [which, sum] : {std::pair{std::tuple{from, to, std::string("isend")}, size},
                               std::pair{std::tuple{to, from, std::string("recv")}, size}}) {
      ++right[which].first;
      right[which].second += sum;
    }
  }
  const trace_of_ranks all = comm.trace();
  for (const char* name : {"isend", "recv"}) {
    const auto* const found = find(all, name);
    check::expect(found != nullptr && found->calls == 60 && found->bytes == bytes, name);
    check::expect(found->failed == 0 && found->min <= found->mean && found->mean <= found->max);
  }
  std::map<std::tuple<int, int, std::string>, std::pair<long long, long long>> seen;
  for (const traced_pair& each : all.pairs)
    seen[{each.rank, each.peer, each.operation}] = {each.calls, each.bytes};
  check::expect(seen == right);

  // Of a part, whose ranks are others; all communicators note in one place.
  traced::forget_trace();
  const traced backwards = comm.split(0, -comm.rank());
  const int next = (backwards.rank() + 1) % backwards.size();
  auto sending = backwards.isend(send_buf(1.0), destination(next));
  backwards.recv(recv_buf(0.0),
                 source((backwards.rank() + backwards.size() - 1) % backwards.size()));
  sending.wait();
  for (const bool there : {false, true}) {
    const trace_of_ranks of = there ? backwards.trace() : comm.trace();
    check::equal(calls_of(of, "isend"), static_cast<long long>(comm.size()));
    for (const traced_pair& each : of.pairs)
      if (each.operation == "isend")
        check::equal(each.peer, (each.rank + (there ? 1 : comm.size() - 1)) % comm.size());
  }
}

TEST(waiting_and_failures_are_noted) {
  const traced comm;
  traced::forget_trace();
  if (comm.rank() == 0) usleep(50'000);
  comm.barrier();
  check::thrown_by<error>([&] { comm.send(send_buf(1), destination(comm.size())); });
  const trace_of_ranks all = comm.trace();
  const auto* const barrier = find(all, "barrier");
  check::expect(barrier != nullptr && barrier->calls == comm.size());
  if (comm.size() > 1) {
    check::expect(barrier->max > 0.03 && barrier->max < 2);
    check::expect(barrier->min < barrier->max && barrier->imbalance() > 1);
    check::equal(all.operations.front().operation, std::string("barrier"));
  }
  const auto* const sent = find(all, "send");
  check::expect(sent != nullptr && sent->failed == comm.size() && sent->bytes == 0);
  // One rank alone: the others count as 0.
  traced::forget_trace();
  if (comm.rank() == comm.size() - 1) {
    auto self = comm.isend(send_buf(std::vector<int>(10)), destination(comm.rank()));
    comm.recv(recv_buf(std::vector<int>(10)), source(comm.rank()));
    self.wait();
  }
  const trace_of_ranks few = comm.trace();
  const auto* const one = find(few, "isend");
  check::expect(one != nullptr && one->calls == 1 && one->bytes == 40 && one->most_bytes == 40);
  check::expect(one->imbalance_of_bytes() == comm.size());
  if (comm.size() > 1) check::expect(one->min == 0 && one->mean < one->max);
}

TEST(calls_inside_of_operations_are_told_apart) {
  const traced comm;
  traced::forget_trace();
  static_cast<void>(comm.sort(send_buf(std::vector<int>(100, comm.rank()))));
  const std::vector<int> ones(static_cast<std::size_t>(comm.size()), 1);
  auto later = comm.ialltoallv_grid(send_buf(ones), send_counts(ones));
  static_cast<void>(later.wait());
  const trace_of_ranks all = comm.trace();
  check::equal(calls_of(all, "sort"), static_cast<long long>(comm.size()));
  check::equal(calls_of(all, "allgatherv"), 0LL);
  const auto* const moved = find(all, "alltoallv", "sort");
  check::expect(moved != nullptr && moved->bytes == 400 * comm.size());
  check::expect(find(all, "ialltoall", "ialltoallv_grid") != nullptr);
  const std::string text = to_text(all);
  check::equal(count(text, "\n"), all.operations.size() + all.pairs.size() + 2);
  check::equal(count(text, "sort: alltoallv\n"), std::size_t{1});
  const std::string json = to_json(all);
  check::expect(is_closed(json));
  check::equal(count(json, "\"within\": \"sort\""), count(text, "sort: "));
}

TEST(traces_have_each_call_of_each_rank) {
  const traced comm;
  traced::forget_trace();
  for (int i = 0; i < 5; ++i) comm.barrier();
  static_cast<void>(comm.iallreduce(send_buf(1), op(mpi::sum)).wait());
  const std::string path = file_in_scratch();
  comm.write_trace(path);
  if (comm.rank() == 0) {
    const std::string text = contents(path);
    const auto ranks = static_cast<std::size_t>(comm.size());
    check::expect(is_closed(text));
    check::equal(count(text, R"("ph":"M")"), ranks);
    check::equal(count(text, R"("ph":"X","name":"barrier")"), 5 * ranks);
    check::equal(count(text, R"("ph":"b","name":"iallreduce")"), ranks);
    check::equal(count(text, R"("ph":"e","name":"iallreduce")"), ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank)
      check::equal(count(text, R"("pid":)" + std::to_string(rank) + ","), std::size_t{8});
    // No barrier of a rank ends before another rank has begun it.
    std::map<std::size_t, std::pair<double, double>> spans;  // the last begin, the first end
    std::istringstream lines(text);
    std::map<std::string, std::size_t> seen;
    for (std::string line; std::getline(lines, line);) {
      if (line.find("\"barrier\"") == std::string::npos) continue;
      const auto number = [&](const std::string& key) {
        return std::strtod(line.c_str() + line.find(key) + key.size(), nullptr);
      };
      const double begin = number("\"ts\":"), end = begin + number("\"dur\":");
      const std::size_t which = seen[std::to_string(number("\"pid\":"))]++;
      auto& span = spans.try_emplace(which, begin, end).first->second;
      span = {std::max(span.first, begin), std::min(span.second, end)};
      check::expect(begin >= 0 && end > begin);
    }
    check::equal(spans.size(), std::size_t{5});
    for (const auto& [which, span] : spans) check::expect(span.second > span.first - 1000);
  }
  const auto lost = [&] { comm.write_trace("/nowhere/at/all/trace.json"); };
  if (comm.rank() == 0)
    check::expect(check::thrown_by<error>(lost).error_class() == mpi::error_class::file);
  else
    check::thrown_by<remote_failure>(lost);
  traced::forget_trace();
  comm.write_trace(path);
  check::expect(comm.trace().operations.empty());
}
