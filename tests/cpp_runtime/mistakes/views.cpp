// Views that cannot be described, each with what the compiler must say about it.
// Compiled once for each by mistakes.cmake; 0 is the program with views that can.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <mpiglot/at_most.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/device.hpp>
#include <mpiglot/layouts.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/view.hpp>

using namespace mpiglot;

template <class T, bool Strided = true, class Reference = T&>
struct mdspan_like {
  using element_type = T;
  using reference = Reference;
  using data_handle_type = T*;
  using rank_type = int;
  struct accessor_type {
    using offset_policy = accessor_type;
  };
  T* address;

  static constexpr std::size_t rank() { return 2; }
  static constexpr bool is_always_strided() { return Strided; }
  [[nodiscard]] T* data_handle() const { return address; }
  [[nodiscard]] int extent(int) const { return 3; }
  [[nodiscard]] int stride(int i) const { return i == 0 ? 7 : 2; }
};

template <class Space>
struct host_or_device {
  using memory_space = Space;
};
struct host_memory {};
struct device_memory {};
template <class Space>
struct kokkos_like {
  struct array_layout {};
  using value_type = double;
  using memory_space = Space;
  using host_mirror_space = host_or_device<host_memory>;
  static constexpr int rank = 1;
  [[nodiscard]] double* data() const { return nullptr; }
  [[nodiscard]] std::size_t size() const { return 0; }
  [[nodiscard]] std::size_t extent(std::size_t) const { return 0; }
  [[nodiscard]] std::size_t stride(std::size_t) const { return 1; }
};

struct owning {
  double elements[3][3];
};
template <>
struct mpiglot::view_traits<owning> {
  static constexpr std::size_t rank = 2;
  static double* data(owning& of) { return of.elements[0]; }
  static const double* data(const owning& of) { return of.elements[0]; }
  static int extent(const owning&, std::size_t) { return 3; }
  static int stride(const owning&, std::size_t i) { return i == 0 ? 3 : 1; }
  static owning make(count_t, count_t) { return {}; }
};

[[maybe_unused]] static void call([[maybe_unused]] const communicator& comm) {
#if MISTAKE == 0  // none: this must compile
  mdspan_like<double> matrix{};
  comm.send(send_buf(matrix), destination(1));
  comm.bcast(send_recv_buf(kokkos_like<host_memory>()));
  [[maybe_unused]] auto made = comm.recv<owning>(extents(3, 3), source(0));
  kokkos_like<device_memory> remote;
  comm.recv(recv_buf(device_aware(remote)), source(0));
  comm.allgather(send_buf(staged(remote, [](void*, const void*, std::size_t) {})));
#elif MISTAKE == 1  // view_has_no_strides_or_its_accessor_is_no_pointer_copy_it<mpiglot::keys::send_buf
  mdspan_like<double, false> tiled{};
  comm.send(send_buf(tiled), destination(1));
#elif MISTAKE == 2  // view_has_no_strides_or_its_accessor_is_no_pointer_copy_it<mpiglot::keys::recv_buf
  mdspan_like<double, true, float> scaled{};
  comm.recv(recv_buf(scaled));
#elif MISTAKE == 3  // view_lies_in_memory_of_a_device_copy_it_to_its_host_mirror<mpiglot::keys::send_recv_buf
  kokkos_like<device_memory> remote;
  comm.bcast(send_recv_buf(remote));
#elif MISTAKE == 4  // elements_of_view_have_no_datatype_copy_them_and_write_as_serialized
  mdspan_like<std::string> words{};
  auto x = comm.allgather(send_buf(words));
#elif MISTAKE == 5  // buffer_to_receive_into_is_const<mpiglot::keys::recv_buf
  mdspan_like<const double> constant{};
  comm.recv(recv_buf(constant));
#elif MISTAKE == 6  // elements_sent_and_received_differ_give_one_type_or_send_type_and_recv_type
  mdspan_like<double> matrix{};
  mdspan_like<float> other{};
  comm.allgather(send_buf(matrix), recv_buf(other));
#elif MISTAKE == 7  // buffer_cannot_be_resized_give_a_vector_or_no_policy<mpiglot::keys::recv_buf
  mdspan_like<double> matrix{};
  comm.recv(recv_buf<resize_to_fit>(matrix));
#elif MISTAKE == 8  // buffer_cannot_be_resized_give_a_vector_or_no_policy<mpiglot::keys::recv_buf
  std::array<int, 4> array{};
  comm.scatter(send_buf(std::vector<int>(9)), recv_buf<grow_only>(array));
#elif MISTAKE == 9  // buffer_cannot_be_resized_give_a_vector_or_no_policy<mpiglot::keys::send_recv_buf
  int one = 0;
  comm.bcast(send_recv_buf<resize_to_fit>(one));
#elif MISTAKE == 10  // encoded_buffer_has_no_elements_to_count_give_no_count<mpiglot::keys::send_buf
  std::vector<std::string> words(3);
  comm.ssend(send_buf(as_serialized(words)), send_count(2), destination(1));
#elif MISTAKE == 11  // encoded_buffer_has_no_elements_to_count_give_no_count<mpiglot::keys::send_recv_buf
  std::vector<int> numbers(3);
  auto pending = comm.ibcast(send_recv_buf(at_most(100, numbers)), send_recv_count(2));
#elif MISTAKE == 12  // type_owns_no_elements_or_its_view_traits_have_no_make_give_recv_buf<mpiglot::keys::recv_buf
  auto matrix = comm.recv<mdspan_like<double>>(extents(3, 3), source(0));
#elif MISTAKE == 13  // type_owns_no_elements_or_its_view_traits_have_no_make_give_recv_buf<mpiglot::keys::recv_buf
  auto request = comm.irecv<int>(extents(3), source(0));
#elif MISTAKE == 14  // view_has_another_number_of_extents<mpiglot::keys::recv_buf
  auto square = comm.recv<owning>(extents(3), source(0));
#elif MISTAKE == 15  // parameter_given_twice_or_given_and_asked_for<mpiglot::keys::recv_buf
  owning square{};
  auto other = comm.recv<owning>(extents(3, 3), recv_buf(square), source(0));
#elif MISTAKE == 16  // parameter_not_accepted_here<mpiglot::keys::extents
  comm.recv(extents(3, 3), source(0));
#elif MISTAKE == 17  // memory_of_a_device_takes_no_part_in_collectives_give_staged<mpiglot::keys::send_recv_buf
  kokkos_like<device_memory> remote;
  comm.bcast(send_recv_buf(device_aware(remote)));
#elif MISTAKE == 18  // staged_view_is_no_memory_that_mpi_uses_later_give_device_aware<mpiglot::keys::send_buf
  kokkos_like<device_memory> remote;
  const auto copy = [](void*, const void*, std::size_t) {};
  auto request = comm.psend_init(send_buf(staged(remote, copy)), partitions(2), destination(1));
#elif MISTAKE == 19  // buffer_to_receive_into_is_const<mpiglot::keys::recv_buf
  mdspan_like<const double> constant{};
  comm.recv(recv_buf(device_aware(constant)), source(0));
#elif MISTAKE == 20  // elements_of_a_tuple_cannot_be_reduced_fix_a_member<mpiglot::keys::send_recv_buf
  namespace layouts = mpiglot::layouts;
  auto pair = bag(layouts::tuple<'t'>(layouts::scalar<int>(), layouts::scalar<double>()));
  comm.allreduce(send_recv_buf(pair), op(std::plus<>()));
#elif MISTAKE == 21  // tuple_has_no_parts_for_ranks_use_an_mpi_traverser<mpiglot::keys::send_buf
  namespace layouts = mpiglot::layouts;
  auto pair = bag(layouts::tuple<'t'>(layouts::scalar<int>(), layouts::scalar<double>()));
  auto part = bag(layouts::tuple<'t'>(layouts::scalar<int>(), layouts::scalar<double>()));
  comm.scatter(send_buf(pair), recv_buf(part));
#elif MISTAKE == 22  // tuple_is_no_memory_that_mpi_uses_later_give_raw_and_as_datatype<mpiglot::keys::send_buf
  namespace layouts = mpiglot::layouts;
  auto pair = bag(layouts::tuple<'t'>(layouts::scalar<int>(), layouts::scalar<double>()));
  auto request = comm.psend_init(send_buf(pair), partitions(1), destination(1));
#elif MISTAKE == 23  // this_is_no_view_of_elements_that_have_a_datatype<std::
  auto type = as_datatype(std::vector<int>(3));
#endif
}
