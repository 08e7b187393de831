// A box of doubles in a larger one, and the ways to send it: what sizes.cpp measures, and what
// sources with other libraries (boost_ways.cpp, --with SOURCE) add to.

#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

// Planes, rows and elements of a row; both boxes begin at the same element. Leading lengths are 1
// where there are fewer dimensions.
struct box {
  std::string name;
  std::array<long, 3> part;
  std::array<long, 3> all;

  [[nodiscard]] long size() const { return part[0] * part[1] * part[2]; }
  [[nodiscard]] long size_of_all() const { return all[0] * all[1] * all[2]; }
  // Calls f with the place of each element, counted in elements.
  void each_place(auto f) const {
    for (long z = 0; z < part[0]; ++z)
      for (long y = 0; y < part[1]; ++y)
        for (long x = 0; x < part[2]; ++x)
          f(static_cast<std::size_t>((z * all[1] + y) * all[2] + x));
  }
};

// A way to send the elements of a box to the other of two ranks, and to broadcast them from rank 0.
// Each function takes the first element; one that a library lacks is empty.
struct transfer {
  std::string name;
  std::function<void(const double*, int other)> send;
  std::function<void(double*, int other)> recv;
  std::function<void(double*)> bcast;
};

// What makes the further ways for a box, in the order of their sources.
inline std::vector<std::function<transfer(const box&)>>& more_ways() {
  static std::vector<std::function<transfer(const box&)>> makers;
  return makers;
}
