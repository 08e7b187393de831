// Adapters of buffers: those of this library lack no member, and one that a program writes for a
// kind of its own works in every operation.

#include <array>
#include <map>
#include <span>
#include <string>
#include <valarray>

#include <mpiglot/at_most.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/device.hpp>
#include <mpiglot/flatten.hpp>
#include <mpiglot/raw.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/strided.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

template <class Buffer, bool Received, form Form>
inline constexpr bool has_all = __is_same(
    decltype(detail::missing_in_adapter<buffer_adapter<Buffer, Form, resize_policy::automatic>,
                                        Buffer, true, Received>()),
    adapter_member::none);
template <class Buffer, bool Received = true>
inline constexpr bool complete =
    has_all<Buffer, Received, form::message> && has_all<Buffer, Received, form::block> &&
    has_all<Buffer, Received, form::elements> && has_all<Buffer, Received, form::memory>;

const communicator& world() {
  static const communicator comm;
  return comm;
}

template <class T>
inline constexpr bool is_valarray = false;
template <class T>
  requires std::is_same_v<T, int> || std::is_same_v<T, double>
inline constexpr bool is_valarray<std::valarray<T>> = true;

}  // namespace

// Comes before the adapter of this library. Packs, and so has the elements twice; resizes where it may.
template <class Buffer, form Form, resize_policy Policy>
  requires is_valarray<std::remove_cvref_t<Buffer>>
class mpiglot::buffer_adapter<Buffer, Form, Policy> : public adapter_defaults {
  using array = std::remove_reference_t<Buffer>;

 public:
  using wire = typename array::value_type;
  using gathered = std::vector<wire>;
  using part = std::vector<wire>;
  static constexpr bool owning = !std::is_reference_v<Buffer>;
  static constexpr bool fixed =
      Policy == no_resize || (Policy == resize_policy::automatic && !owning);
  static constexpr bool writable = !std::is_const_v<array>;

  explicit buffer_adapter(Buffer&& values)
      : values_(static_cast<Buffer&&>(values)), packed_(values_.size()) {}

  void pack() { packed_.assign(std::begin(values_), std::end(values_)); }
  [[nodiscard]] count_t length() const { return static_cast<count_t>(packed_.size()); }
  [[nodiscard]] lent out() { return {packed_.data(), length(), datatype_of<wire>()}; }

  [[nodiscard]] count_t room() const { return static_cast<count_t>(values_.size()); }
  void place(count_t n) {
    if constexpr (fixed) require_room(room(), n);
    packed_.resize(static_cast<std::size_t>(n));
  }
  [[nodiscard]] lent in(count_t n) { return {packed_.data(), n, datatype_of<wire>()}; }
  void unpack(count_t n) {
    if constexpr (!fixed) values_.resize(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) values_[i] = packed_[i];
  }
  template <class Layout>
  void unpack_parts(const Layout& layout) {
    unpack(layout.extent());
  }
  [[nodiscard]] Buffer take() { return static_cast<Buffer&&>(values_); }

 private:
  Buffer values_;
  std::vector<wire> packed_;
};

TEST(adapters_of_this_library_lack_no_member) {
  using texts = std::map<int, std::string>;
  static_assert(complete<std::vector<int>&> && complete<std::vector<int>>);
  static_assert(complete<const std::vector<int>&> && complete<std::span<int>>);
  static_assert(complete<std::valarray<long>&> && complete<std::valarray<long>>);
  static_assert(complete<int&> && complete<int> && complete<double(&)[2][3]>);
  static_assert(complete<strided_view<double>> && complete<raw_memory<void*>>);
  using mover = void (*)(void*, const void*, std::size_t);
  static_assert(complete<device_aware_view<strided_view<int>>>);
  static_assert(complete<staged_view<strided_view<int>, mover>>);
  static_assert(complete<staged_view<strided_view<int>&, mover>&>);
  static_assert(complete<coded<texts&, builtin_codec>> && complete<coded<texts, builtin_codec>>);
  static_assert(complete<bounded<std::vector<int>>> && complete<bounded<std::string&>>);
  static_assert(complete<flattened_buffer<std::vector<std::vector<int>>&>>);
  static_assert(complete<flattened_buffer<std::map<int, std::vector<int>>>, false>);
  check::expect(true);
}

TEST(a_kind_of_buffer_of_a_program_works_in_collectives) {
  const auto& comm = world();
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::valarray<int> mine{comm.rank(), 7};
  const std::vector<int> all = comm.allgather(send_buf(mine));
  check::equal(all.size(), 2 * ranks);
  check::equal(all[2 * (ranks - 1)], comm.size() - 1);

  std::valarray<int> every(2 * ranks);
  comm.allgather(send_buf(mine), recv_buf(every));
  check::equal(every[2 * (ranks - 1)], comm.size() - 1);
  const std::valarray<int> grown = comm.allgatherv(send_buf(mine), recv_buf(std::valarray<int>()));
  check::equal(grown.size(), 2 * ranks);

  std::valarray<int> same(comm.rank(), 3);
  comm.ibcast(send_recv_buf(same), root(0)).wait();
  check::equal(same.sum(), 0);
  comm.allreduce(send_buf(mine), recv_buf(same), op(mpi::sum));
  check::equal(same[1], 7 * comm.size());
  comm.bcast(send_recv_buf(at_most(64, same)), root(0));
  check::equal(same[1], 7 * comm.size());
}

TEST(a_kind_of_buffer_of_a_program_works_in_messages) {
  const auto& comm = world();
  const std::valarray<double> mine{1.5, 2.5, comm.rank() + 0.5};
  auto sent = comm.isend(send_buf(mine), destination((comm.rank() + 1) % comm.size()));
  const std::valarray<double> got = comm.recv(recv_buf(std::valarray<double>()));
  sent.wait();
  check::equal(got.size(), std::size_t{3});
  check::equal(got[2], (comm.rank() + comm.size() - 1) % comm.size() + 0.5);
}
