// Ways to send a message between two ranks, measured in turns: what the programs of this folder share.

#pragma once

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace measuring {

constexpr int rounds = 21;

struct way {
  std::string name;
  std::function<void()> send;
  std::function<void()> receive;
  std::vector<double> times{};

  // There and back.
  void exchange(bool first) const {
    if (first) {
      send();
      receive();
    } else {
      receive();
      send();
    }
  }
};

// A line for each way: n, its name and the median of its times, in microseconds. On one rank.
inline void print_medians(long n, std::vector<way>& ways) {
  for (way& one : ways) {
    const auto middle = one.times.begin() + rounds / 2;
    std::nth_element(one.times.begin(), middle, one.times.end());
    std::printf("%ld\t%s\t%.3f\n", n, one.name.c_str(), *middle * 1e6);
  }
}

}  // namespace measuring
