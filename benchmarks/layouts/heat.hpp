// The heat that both programs begin with, and what one step adds.

#pragma once

namespace heat {

constexpr double part = 0.1;  // of the differences to the six neighbours, in a step

// At an element of the whole cube, halos counted.
inline double at_first(long z, long y, long x) {
  return static_cast<double>((z * 7 + y * 5 + x * 3) % 11);
}

}  // namespace heat
