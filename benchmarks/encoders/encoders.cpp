// What encoding and decoding cost beside other libraries and beside memcpy by hand, without messages:
//
//   encoders SCENE WAY PART TURNS
//
// PART is `encode`, `encode-kept` (into a buffer that was used before) or `decode`. Prints the least CPU
// seconds of a turn, the page faults of the last one, the bytes, and a checksum of what was decoded. Each
// turn is one call of `measured_part`, which callgrind counts by itself.

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>

#include "scenes.hpp"
#include "ways.hpp"

extern "C" [[gnu::noinline]] void measured_part(const std::function<void()>& part);
extern "C" void measured_part(const std::function<void()>& part) { part(); }

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
long page_faults() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_minflt;
}

struct cost {
  double least = 1e9;
  long faults = 0;

  void take(const std::function<void()>& part) {
    const long before = page_faults();
    const double begin = cpu_seconds();
    measured_part(part);
    const double seconds = cpu_seconds() - begin;
    if (seconds < least) least = seconds;
    faults = page_faults() - before;
  }
};

template <class Way, class Value>
int measure(const Value& value, std::string_view part, int turns) {
  cost found;
  typename Way::buffer encoded;
  Way::encode(encoded, value);
  double sum = 0;
  for (int i = 0; i < turns; ++i) {
    if (part == "encode") {
      std::optional<typename Way::buffer> fresh;
      found.take([&] { Way::encode(fresh.emplace(), value); });
    } else if (part == "encode-kept") {
      found.take([&] { Way::encode(encoded, value); });
    } else {
      Value back;
      found.take([&] { Way::decode(encoded, back); });
      sum = scenes::sum(back);
    }
  }
  if (part == "decode" && sum != scenes::sum(value)) {
    std::fprintf(stderr, "encoders: another value was decoded\n");
    return 1;
  }
  std::printf("%.3e\t%ld\t%zu\n", found.least, found.faults, Way::size(encoded));
  return 0;
}

template <class Value>
int by(const Value& value, std::string_view way, std::string_view part, int turns) {
  if (way == "ours") return measure<ways::ours>(value, part, turns);
  if (way == "sorted") return measure<ways::sorted>(value, part, turns);
  if (way == "memcpy") return measure<ways::by_hand>(value, part, turns);
#if ENCODERS_ZPP_BITS
  if constexpr (!std::is_same_v<Value, scenes::tree>)
    if (way == "zpp_bits") return measure<ways::zpp_bits>(value, part, turns);
#endif
#if ENCODERS_BITSERY
  if (way == "bitsery") return measure<ways::bitsery_library>(value, part, turns);
#endif
#if ENCODERS_CEREAL
  if (way == "cereal") return measure<ways::cereal_library>(value, part, turns);
#endif
  std::fprintf(stderr, "encoders: no such way\n");
  return 2;
}

int by_tree(int nodes, std::string_view way, std::string_view part, int turns) {
#if ENCODERS_ZPP_BITS
  if (way == "zpp_bits")
    return measure<ways::zpp_bits>(scenes::tree_of<ways::zpp_owner>(nodes), part, turns);
#endif
  return by(scenes::tree_of(nodes), way, part, turns);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "encoders SCENE WAY PART TURNS\n");
    return 2;
  }
  const std::string_view scene = argv[1];
  const std::string_view way = argv[2];
  const std::string_view part = argv[3];
  const int turns = std::atoi(argv[4]);
  if (scene == "tree-32767") return by_tree(32767, way, part, turns);
  if (scene == "tree-20000") return by_tree(20000, way, part, turns);
  if (scene == "strings-100000") return by(scenes::strings_of(100000), way, part, turns);
  if (scene == "string-map-50000") return by(scenes::string_map_of(50000), way, part, turns);
  if (scene == "number-map-50000") return by(scenes::number_map_of(50000), way, part, turns);
  if (scene == "records-100000") return by(scenes::records_of(100000), way, part, turns);
  std::fprintf(stderr, "encoders: no such scene\n");
  return 2;
}
