// What the tests of encoded broadcasts share: each rank as the root, and a codec of another name.

#pragma once

#include <cstddef>

#include "encoding.hpp"
#include "kinds.hpp"

namespace encoding {

struct other_codec {
  template <class>
  static constexpr bool can = true;
  template <class T>
  static void encode(mpiglot::detail::bytes& to, const T& value) {
    mpiglot::builtin_codec::encode(to, value);
  }
  template <class T>
  static void decode(const std::byte* from, std::size_t size, T& value) {
    mpiglot::builtin_codec::decode(from, size, value);
  }
};

// From each rank to all others; `expected` is what the root has.
template <class T>
void expect_bcast(const T& expected) {
  using namespace mpiglot;
  const communicator comm;
  for (int from = 0; from < comm.size(); ++from) {
    T value{};
    if (comm.rank() == from) value = expected;
    const count_t length =
        comm.bcast(send_recv_buf(as_serialized(value)), root(from), send_recv_count_out());
    check::expect(value == expected);
    check::equal(length, static_cast<count_t>(encoded(expected).size()));
  }
}

}  // namespace encoding
