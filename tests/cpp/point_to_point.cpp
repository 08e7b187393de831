#include "check.hpp"

#include <array>

TEST(a_message_goes_round_the_ring) {
  const int next = (check::rank() + 1) % check::size();
  const int previous = (check::rank() + check::size() - 1) % check::size();
  const int mine = 100 + check::rank();
  int theirs = 0;
  mpi::status status;
  mpi::sendrecv(&mine, 1, mpi::int_, next, 3, &theirs, 1, mpi::int_, previous, 3, mpi::comm_world,
                status);
  check::equal(theirs, 100 + previous);
  check::equal(status.source(), previous);
  check::equal(status.tag(), 3);
  check::equal(mpi::get_count(status, mpi::int_), mpi::count_t{1});
}

TEST(all_of_several_requests_complete_with_their_statuses) {
  const int size = check::size();
  std::vector<int> received(static_cast<std::size_t>(size), -1);
  std::vector<mpi::request_handle> requests;
  for (int peer = 0; peer < size; ++peer)
    requests.push_back(mpi::irecv(&received[static_cast<std::size_t>(peer)], 1, mpi::int_, peer, 5,
                                  mpi::comm_world));
  const int mine = check::rank();
  for (int peer = 0; peer < size; ++peer)
    requests.push_back(mpi::isend(&mine, 1, mpi::int_, peer, 5, mpi::comm_world));

  std::vector<mpi::status> statuses(requests.size());
  mpi::waitall(requests, statuses);
  for (int peer = 0; peer < size; ++peer) {
    check::equal(received[static_cast<std::size_t>(peer)], peer);
    check::equal(statuses[static_cast<std::size_t>(peer)].source(), peer);
  }
  for (const mpi::request_handle request : requests) check::expect(!request);
}

TEST(statuses_that_are_too_few_are_refused_before_the_call) {
  std::array<mpi::request_handle, 3> requests{};
  std::array<mpi::status, 2> statuses{};
  const auto error = check::thrown_by([&] { mpi::waitall(requests, statuses); });
  check::expect(error.error_class() == mpi::error_class::arg);
}

TEST(wait_any_says_which_and_nothing_when_there_is_none) {
  const int self = check::rank();
  int received = 0;
  const int sent = 41;
  std::array<mpi::request_handle, 2> requests{};
  requests[1] = mpi::irecv(&received, 1, mpi::int_, self, 6, mpi::comm_world);
  mpi::send(&sent, 1, mpi::int_, self, 6, mpi::comm_world);
  check::equal(mpi::waitany(requests), 1);
  check::equal(received, 41);
  check::equal(mpi::waitany(requests), mpi::undefined);
}

TEST(test_tells_whether_a_request_is_complete) {
  const int self = check::rank();
  int received = 0;
  mpi::request_handle request = mpi::irecv(&received, 1, mpi::int_, self, 7, mpi::comm_world);
  check::expect(!mpi::test(request), "nothing was sent yet");
  const int sent = 42;
  mpi::send(&sent, 1, mpi::int_, self, 7, mpi::comm_world);
  mpi::status status;
  while (!mpi::test(request, status)) {
  }
  check::equal(received, 42);
  check::equal(status.source(), self);
}

TEST(a_probed_message_is_received_by_its_handle) {
  const int self = check::rank();
  const std::array<double, 3> sent{1.0, 2.0, 3.0};
  mpi::request_handle departure =
      mpi::isend(sent.data(), 3, mpi::double_, self, 8, mpi::comm_world);
  mpi::status status;
  std::optional<mpi::message_handle> message;
  while (!(message = mpi::improbe(mpi::any_source, 8, mpi::comm_world, status))) {
  }
  check::equal(mpi::get_count(status, mpi::double_), mpi::count_t{3});
  std::array<double, 3> received{};
  mpi::mrecv(received.data(), 3, mpi::double_, *message);
  check::equal(received, sent);
  mpi::wait(departure);
}

TEST(a_persistent_request_starts_again) {
  const int self = check::rank();
  int sent = 0;
  int received = 0;
  std::array<mpi::request_handle, 2> requests{
      mpi::send_init(&sent, 1, mpi::int_, self, 9, mpi::comm_world),
      mpi::recv_init(&received, 1, mpi::int_, self, 9, mpi::comm_world)};
  for (sent = 1; sent < 4; ++sent) {
    mpi::startall(requests);
    mpi::waitall(requests);
    check::equal(received, sent);
  }
  for (mpi::request_handle& request : requests) mpi::request_free(request);
}
