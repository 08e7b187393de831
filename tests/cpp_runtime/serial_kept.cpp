// The memory of an encoding is kept for the next one: one block, within limits, for whoever comes first.

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/base/kept_encoding.hpp>
#include <mpiglot/serialized.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

void forget() {
  detail::bytes old;
  detail::take_kept_encoding(old);
}

}  // namespace

TEST(a_block_that_is_kept_is_taken_once) {
  forget();
  detail::bytes first(8192);
  const std::byte* const memory = first.data();
  detail::keep_encoding(first);
  check::expect(first.room() == 0 && first.size() == 0 && first.data() == nullptr);
  detail::bytes second(1);
  detail::take_kept_encoding(second);  // has some already
  check::equal(second.room(), std::size_t{1});
  detail::bytes third;
  detail::take_kept_encoding(third, 8192);
  check::expect(third.data() == memory && third.room() == 8192 && third.size() == 0);
  detail::bytes fourth;
  detail::take_kept_encoding(fourth);
  check::equal(fourth.room(), std::size_t{0});
}

TEST(blocks_that_are_too_small_or_too_large_are_not_kept) {
  for (const std::size_t size :
       {std::size_t{0}, detail::least_encoding_kept - 1, detail::most_encoding_kept + 1}) {
    forget();
    detail::bytes block(size);
    detail::keep_encoding(block);
    check::equal(block.room(), size);
    detail::bytes other;
    detail::take_kept_encoding(other);
    check::equal(other.room(), std::size_t{0});
  }
  for (const std::size_t size : {detail::least_encoding_kept, detail::most_encoding_kept}) {
    detail::bytes block(size);
    detail::keep_encoding(block);
    detail::bytes other;
    detail::take_kept_encoding(other,
                               size + 1);  // too small: freed, but for more than is ever kept
    check::equal(other.room(), std::size_t{0});
    detail::take_kept_encoding(other);
    check::equal(other.room(), size == detail::most_encoding_kept ? size : 0);
  }
}

TEST(messages_have_nothing_of_those_before) {
  const communicator comm;
  for (const std::size_t n : {100000u, 10u, 0u, 5000u, 2000000u, 3u, 900u}) {
    const std::vector<std::string> value(n / 10, std::string(n % 11, 'x'));
    std::vector<std::string> back{"old"};
    comm.sendrecv(send_buf(as_serialized(value)), destination(comm.rank()),
                  recv_buf(as_serialized(back)), source(comm.rank()));
    check::expect(back == value);
  }
}

TEST(threads_never_share_a_block) {
  bool right[2] = {true, true};
  const auto work = [&right](int me) {
    for (int i = 0; i < 5000; ++i) {
      detail::kept_bytes mine;
      detail::take_kept_encoding(mine);
      mine.resize(detail::least_encoding_kept);
      std::memset(mine.data(), me + 1, mine.size());
      for (std::size_t at = 0; at < mine.size(); at += 512)
        right[me] = right[me] && mine[at] == static_cast<std::byte>(me + 1);
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  check::expect(right[0] && right[1]);
}
