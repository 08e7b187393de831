// Sparse all-to-all: every rank sends messages to a few others, and no rank knows who will send to
// it. The NBX algorithm (T. Hoefler, C. Siebert, A. Lumsdaine: Scalable communication protocols for
// dynamic sparse data exchange, PPoPP 2010): synchronous sends, and a nonblocking consensus that
// nobody enters before its own messages have been received.
//
//   basic_communicator<sparse_alltoall> comm;
//   std::map<int, std::vector<int>> out = ...;
//   for (auto& [source, data] : comm.alltoall_sparse(sparse_send_buf(out))) ...
//
// Members     alltoall_sparse
// Parameters  sparse_send_buf (a range of pairs of rank and message; ranks may
//             repeat; as_serialized(range) encodes each message); on_message (a callable that takes
//             rank and message as they arrive)
// Result      without on_message a vector of sparse_message, by source; messages of one source in
//             their order
// Messages    one for each pair, and a nonblocking allreduce of one integer. The first call on a
//             communicator duplicates it
// Allocates   a request and an adapter for each message sent, the received messages
// Errors      what fails on one rank before it sends (a rank that does not exist, an encoder) is
//             thrown there and, as remote_failure, on all others; what fails while receiving, after
//             all messages were received

#pragma once

#include <algorithm>
#include <iterator>
#include <mpiglot/mpi/collectives.hpp>
#include <mpiglot/mpi/datatypes.hpp>
#include <mpiglot/mpi/pt2pt.hpp>
#include <mpiglot/plugin.hpp>
#include <mpiglot/serialized.hpp>
#include <vector>

namespace mpiglot {

namespace keys {
struct sparse_send_buf {};
struct on_message {};
}  // namespace keys

/// A range of messages: pairs of destination and data.
template <class Messages>
[[nodiscard]] parameter<keys::sparse_send_buf, Messages> sparse_send_buf(Messages&& messages) {
  return {static_cast<Messages&&>(messages)};
}
/// A function that is called with source and message for each message that arrives.
template <class Function>
[[nodiscard]] parameter<keys::on_message, Function> on_message(Function&& function) {
  return {static_cast<Function&&>(function)};
}

/// One received message.
template <class Message>
struct sparse_message {
  int source;
  Message data;
};

namespace sparse_parts {

/// Defines how the messages of a range are sent and received: as buffers, or encoded.
template <class Messages>
struct sparse_source {
  /// The range that the program gives.
  using range = std::remove_reference_t<Messages>;
  /// A message of it.
  using message = std::remove_cvref_t<decltype(std::begin(std::declval<range&>())->second)>;
  /// How a message is sent.
  using sent = buffer_adapter<const message&, form::message, resize_policy::automatic>;
  // If the sender's messages are views, the received messages own their memory.
  using kept = std::conditional_t<plugin::is_view<message>, typename sent::part, message>;
  /// How it is received.
  using arrived = buffer_adapter<kept, form::message, resize_to_fit>;

  /// The range.
  [[nodiscard]] static range& of(Messages& messages) noexcept { return messages; }
  /// Opens a message for sending.
  [[nodiscard]] static sent open(const message& data) { return sent(data); }
  /// Room for one that arrives.
  [[nodiscard]] static arrived make() { return arrived(kept()); }
};

template <class Messages, class Codec>
struct sparse_source<coded<Messages, Codec>> {
  using range = std::remove_reference_t<Messages>;
  using message = std::remove_cvref_t<decltype(std::begin(std::declval<range&>())->second)>;
  using kept = message;
  using sent =
      buffer_adapter<coded<const message&, Codec>, form::message, resize_policy::automatic>;
  using arrived = buffer_adapter<coded<message, Codec>, form::message, resize_to_fit>;

  [[nodiscard]] static range& of(coded<Messages, Codec>& messages) noexcept {
    return messages.value;
  }
  [[nodiscard]] static sent open(const message& data) {
    return sent(coded<const message&, Codec>{data});
  }
  [[nodiscard]] static arrived make() { return arrived(coded<message, Codec>{message()}); }
};

}  // namespace sparse_parts

namespace operations {

struct sparse_alltoall {
  using accepts = plugin::names<keys::sparse_send_buf, keys::on_message>;
  using needs = plugin::names<keys::sparse_send_buf>;

  // What a communicator keeps from call to call.
  struct context : plugin::private_context {
    using private_context::private_context;
    unsigned round = 0;
    plugin::polling pace;
  };

  template <class Arguments>
  struct state : plugin::algorithm {
    using source = sparse_parts::sparse_source<std::remove_reference_t<
        typename plugin::parameter_of<Arguments, keys::sparse_send_buf>::type>>;
    using message = sparse_message<typename source::kept>;
    static constexpr const char* name = "alltoall_sparse";
    static constexpr bool calls_back = Arguments::template has<keys::on_message>;

    state(plugin::group_view on, Arguments&& given)
        : group(on),
          arguments(static_cast<Arguments&&>(given)),
          own(plugin::kept_on<context>(on.comm)) {}

    void prepare() {
      failure.attempt([this] {
        auto& messages = source::of(arguments.template get<keys::sparse_send_buf>().value);
        const auto count =
            static_cast<std::size_t>(std::distance(std::begin(messages), std::end(messages)));
        adapters.reserve(count);
        requests.resize(count);
        for (const auto& [destination, data] : messages) {
          const auto rank = static_cast<count_t>(destination);
          if (rank < 0 || rank >= group.size) plugin::fail(MPI_ERR_RANK, name);
          adapters.push_back(source::open(data));
          adapters.back().pack();
        }
      });
    }

    // Returns false: all messages have been sent and received, so no MPI call is left.
    bool agree(int& code) {
      // A rank can be at most one round ahead of another, so two tags are enough to distinguish the
      // rounds.
      const int tag = static_cast<int>(own.round++ % 2);
      int failed = failure.any() ? 1 : 0;
      if (failed == 0) code = send_all(tag);
      mpi::request_handle consensus;
      while (code == MPI_SUCCESS) {
        bool progress = receive_one(tag, code);
        if (code != MPI_SUCCESS) break;
        bool over = false;
        if (consensus) {
          const auto tested = mpi::nothrow::test(consensus);
          code = tested.code;
          over = tested.value;
        } else if (all_received(code) && code == MPI_SUCCESS) {
          const auto started =
              mpi::nothrow::iallreduce(&failed, &any_failed, 1, mpi::int_, mpi::max, own.comm());
          code = started.code;
          consensus = started.value;
          progress = true;
        }
        if (progress || over)
          own.pace.found();
        else
          own.pace.missed();
        if (over) break;
      }
      return false;
    }

    void finish() {
      failure.rethrow();
      if (any_failed != 0) [[unlikely]]
        plugin::fail_elsewhere(remote_failure::unknown);
      sort_by_source();
    }
    [[nodiscard]] count_t bytes() {
      count_t all = 0;
      for (auto& adapter : adapters) {
        const lent out = adapter.out();
        all += plugin::bytes_of_elements(out.count, out.type);
      }
      return all;
    }
    auto results() {
      if constexpr (!calls_back) return static_cast<std::vector<message>&&>(arrived);
    }

   private:
    [[nodiscard]] int send_all(int tag) {
      auto adapter = adapters.begin();
      auto request = requests.begin();
      for (const auto& [destination, data] :
           source::of(arguments.template get<keys::sparse_send_buf>().value)) {
        const lent out = adapter++->out();
        const auto started = mpi::nothrow::issend(out.address, out.count, out.type,
                                                  static_cast<int>(destination), tag, own.comm());
        if (started.code != MPI_SUCCESS) [[unlikely]]
          return started.code;
        *request++ = started.value;
        plugin::tell<Arguments>("issend", static_cast<int>(destination), out.count, out.type);
      }
      return MPI_SUCCESS;
    }
    // True if all messages that this rank sent have been received.
    [[nodiscard]] bool all_received(int& code) {
      const auto tested = mpi::nothrow::testall(requests);
      code = tested.code;
      return tested.value;
    }
    // Receives a message if there is one. Its error is thrown at the end of the operation.
    bool receive_one(int tag, int& code) {
      mpi::status status;
      auto found = mpi::nothrow::improbe(mpi::any_source, tag, own.comm(), status);
      code = found.code;
      if (code != MPI_SUCCESS || !found.value) return false;
      using adapter = typename source::arrived;
      using wire = typename adapter::wire;
      count_t n = 0;
      adapter sink = source::make();
      bool fits = failure.attempt([&] {
        n = mpi::get_count(status, datatype_of<wire>());
        if (n < 0) plugin::refuse_counts("a message is no multiple of the type");
        sink.place(n);
      });
      if (fits) {
        const lent in = sink.in(n);
        code = mpi::nothrow::mrecv(in.address, in.count, in.type, *found.value).code;
      } else {
        n = mpi::get_elements(status, mpi::byte);
        failure.make_scratch(static_cast<std::size_t>(n), 1, mpi::byte);
        code =
            mpi::nothrow::mrecv(failure.scratch(), n, failure.scratch_type(mpi::byte), *found.value)
                .code;
      }
      if (!fits || code != MPI_SUCCESS) return true;
      plugin::tell<Arguments>("mrecv", status.source(), n, datatype_of<wire>());
      failure.attempt([&] {
        sink.unpack(n);
        if constexpr (calls_back)
          arguments.template get<keys::on_message>().value(status.source(), sink.take());
        else
          arrived.push_back(message{status.source(), sink.take()});
      });
      return true;
    }

    // A stable sort. std::stable_sort of libstdc++ 12 causes a warning of clang.
    void sort_by_source() {
      std::vector<std::pair<int, std::size_t>> order;
      order.reserve(arrived.size());
      for (const message& each : arrived) order.emplace_back(each.source, order.size());
      if (std::is_sorted(order.begin(), order.end())) return;
      std::sort(order.begin(), order.end());
      std::vector<message> sorted;
      sorted.reserve(arrived.size());
      for (const auto& [from, index] : order)
        sorted.push_back(static_cast<message&&>(arrived[index]));
      arrived = static_cast<std::vector<message>&&>(sorted);
    }

    plugin::group_view group;
    Arguments arguments;
    context& own;
    plugin::kept_failure failure;
    std::vector<typename source::sent> adapters;
    std::vector<mpi::request_handle> requests;
    std::vector<message> arrived;
    int any_failed = 0;
  };
};

}  // namespace operations

/// A plugin that adds `alltoall_sparse` to a communicator.
template <class Base>
class sparse_alltoall : public Base {
 public:
  using Base::Base;

  /// Sends messages to a few other ranks. The comment at the top of this header lists the
  /// parameters. Collective.
  template <class... A>
  auto alltoall_sparse(A&&... a) const {
    return plugin::perform<operations::sparse_alltoall>(*this, static_cast<A&&>(a)...);
  }
};

}  // namespace mpiglot
