// Inputs of the codec that were changed at random: each is decoded, or refused by one error; nothing is
// left behind, and memory stays in proportion to what arrived.
//
// MPIGLOT_TEST_ROUNDS tells how many inputs.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>

#include "../cpp/check.hpp"
#include "encoding.hpp"

namespace mutating {

using mpiglot::detail::bytes;

// Inputs are made of right ones: bytes are changed, left out, doubled or moved.
class mutated {
 public:
  explicit mutated(unsigned seed) : random_(seed) {}

  bytes operator()(const bytes& right) {
    bytes made;
    made.append(right.data(), right.size());
    for (auto changes = 1 + below(4); changes > 0 && made.size() != 0; --changes) change(made);
    return made;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  void change(bytes& in) {
    static constexpr unsigned char telling[] = {0, 1, 2, 3, 127, 128, 251, 252, 253, 254, 255};
    const std::size_t at = below(in.size());
    const std::size_t n = 1 + below(in.size() - at < 16 ? in.size() - at : 16);
    switch (below(6)) {
      case 0:
        in[at] = static_cast<std::byte>(random_());
        break;
      case 1:
        in[at] = static_cast<std::byte>(telling[below(sizeof telling)]);
        break;
      case 2:
        in.resize(at);
        break;
      case 3:  // left out
        std::memmove(in.data() + at, in.data() + at + n, in.size() - at - n);
        in.resize(in.size() - n);
        break;
      case 4: {  // doubled
        const std::size_t size = in.size();
        static_cast<void>(in.extend(n));
        std::memmove(in.data() + at + n, in.data() + at, size - at);
        break;
      }
      default:
        std::memcpy(in.data() + at, in.data() + below(in.size() - n + 1), 0);
        std::memmove(in.data() + at, in.data() + below(in.size() - n + 1), n);
    }
  }

  std::mt19937 random_;
};

struct tally {
  long decoded = 0;
  long refused = 0;
};

// `attempt` decodes an input into something that is gone afterwards. An object takes at most `times` as
// much memory as its encoding.
template <class Attempt>
void round(mutated& mutate, const bytes& right, tally& of, Attempt attempt,
           std::size_t times = 32) {
  const bytes wrong = mutate(right);
  const std::int64_t alive = encoding::counted::alive;
  encoding::memory::most = encoding::memory::now;
  const std::size_t before = encoding::memory::now;
  try {
    attempt(wrong);
    ++of.decoded;
  } catch (const mpiglot::decode_error&) {
    ++of.refused;
  }
  check::equal(encoding::counted::alive, alive);
  check::equal(encoding::memory::now, before);
  check::expect(encoding::memory::most - before <= times * wrong.size() + 65536,
                "too much memory was taken");
}

inline long rounds() {
  const char* const told = std::getenv("MPIGLOT_TEST_ROUNDS");
#if defined(__SANITIZE_ADDRESS__)
  constexpr long usual = 20000;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  constexpr long usual = 20000;  // each takes ten times as long
#else
  constexpr long usual = 100000;
#endif
#else
  constexpr long usual = 100000;
#endif
  return told != nullptr ? std::atol(told) : usual;
}

}  // namespace mutating
