// What cannot be sent byte by byte: views that may have gaps, classes with addresses, and classes that
// cannot be looked into.

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/serialized.hpp>

using namespace mpiglot;

// The public members of std::mdspan, Kokkos::View, Eigen::Map and a tensor with strides.
struct mdspan_like {
  double* address;
  std::size_t rows, columns;
  [[nodiscard]] double* data_handle() const { return address; }
  [[nodiscard]] std::size_t extent(int i) const { return i == 0 ? rows : columns; }
  [[nodiscard]] std::size_t size() const { return rows * columns; }
};
struct kokkos_like {
  struct array_layout {};
  std::shared_ptr<double> owner;
  [[nodiscard]] double* data() const { return owner.get(); }
  [[nodiscard]] std::size_t size() const { return 12; }
  [[nodiscard]] std::size_t extent(int) const { return 3; }
};
struct eigen_like {
  double* address;
  [[nodiscard]] double* data() const { return address; }
  [[nodiscard]] long size() const { return 12; }
  [[nodiscard]] long outerStride() const { return 8; }
};
struct tensor_like {
  std::vector<double> elements;
  [[nodiscard]] const double* data() const { return elements.data(); }
  [[nodiscard]] std::size_t size() const { return elements.size(); }
  [[nodiscard]] std::array<long, 2> strides() const { return {1, 4}; }
};

struct point {
  double x, y;
};
struct with_pointer {
  int value;
  int* place;
};
struct node {
  int value;
  node* next;
};
struct with_function {
  double (*function)(double);
};
struct with_member_pointer {
  double point::* member;
};
struct with_method {
  int value;
  void (point::*method)();
};
struct with_span {
  int value;
  std::span<int> others;
};
struct with_text {
  std::string_view text;
  int value;
};
struct with_reference_wrapper {
  std::reference_wrapper<int> to;
};
struct with_array_of_pointers {
  int value;
  char* texts[4];
};
struct with_long_array {
  char text[65536];
  int* place;
};
struct with_nested {
  point first;
  with_pointer second;
  int third;
};
struct with_nested_at_the_end {
  int first;
  struct {
    int value;
    int* place = nullptr;
  } last;
};
struct with_base : with_pointer {
  int third;
};
struct with_iterator {
  std::vector<int>::iterator at;
};
struct with_list {
  std::initializer_list<int> values;
};
struct with_mdspan {
  mdspan_like view;
};
struct with_communicator {
  mpi::comm_handle comm;
};
struct with_reference {
  int& to;
};
struct with_union {
  int which;
  union {
    int number;
    int* place;
  };
};
struct with_const {
  const int number;
};
class secret {
 public:
  secret() = default;
  [[nodiscard]] const void* place() const { return place_; }

 private:
  const void* place_ = nullptr;
};
class clean {
 public:
  clean() = default;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_ = 0;
};
template <>
inline constexpr bool mpiglot::plain_bytes<clean> = true;
struct with_clean {
  clean first;
  std::optional<std::complex<float>> second;
  std::array<std::chrono::milliseconds, 2> third;
  std::bitset<70> fourth;
  std::variant<int, point> fifth;
  char text[4096];
};
struct bits {
  unsigned low : 3, high : 5;
  bool flag;
};
struct nothing {};
[[maybe_unused]] static void call(const communicator& comm, std::vector<with_pointer> several,
                                  mdspan_like mdspan, kokkos_like kokkos, eigen_like eigen,
                                  tensor_like tensor, int& number) {
  static_cast<void>(several), static_cast<void>(mdspan), static_cast<void>(kokkos);
  static_cast<void>(eigen), static_cast<void>(tensor), static_cast<void>(number);
#if MISTAKE == 0  // none: this must compile
  with_clean mixed;
  comm.send(send_buf(mixed), destination(1));
  comm.send(send_buf(std::vector<bits>(3)), destination(1));
  comm.send(send_buf(std::vector<std::pair<int, point>>(3)), destination(1));
  comm.send(send_buf(as_serialized(mixed)), destination(1));
  std::array<nothing, 2> empty;
  comm.bcast(send_recv_buf(empty));
  comm.send(send_buf(std::span<point>()), destination(1));
  comm.send(send_buf(std::string_view("text")), destination(1));
#elif MISTAKE == 1  // view_is_not_known_include_mpiglot_view_hpp_or_specialise_view_traits
  comm.send(send_buf(mdspan), destination(1));
#elif MISTAKE == 2  // view_is_not_known_include_mpiglot_view_hpp_or_specialise_view_traits
  comm.recv(recv_buf(kokkos), source(1));
#elif MISTAKE == 3  // view_is_not_known_include_mpiglot_view_hpp_or_specialise_view_traits
  comm.bcast(send_recv_buf(eigen));
#elif MISTAKE == 4  // view_is_not_known_include_mpiglot_view_hpp_or_specialise_view_traits
  auto x = comm.iallreduce(send_buf(tensor), op(std::plus<>()));
#elif MISTAKE == 5  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  comm.send(send_buf(several), destination(1));
#elif MISTAKE == 6  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  node value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 7  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_function value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 8  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_member_pointer value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 9  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_method value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 10  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_span value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 11  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_text value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 12  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_reference_wrapper value{number};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 13  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_array_of_pointers value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 14  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_long_array value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 15  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_nested value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 16  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_nested_at_the_end value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 17  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_base value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 18  // class_cannot_be_looked_into_specialise_plain_bytes_if_it_holds_no_address
  with_iterator value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 19  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_list value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 20  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_mdspan value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 21  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  with_communicator value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 22  // class_cannot_be_looked_into_specialise_plain_bytes_if_it_holds_no_address
  with_reference value{number};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 23  // class_cannot_be_looked_into_specialise_plain_bytes_if_it_holds_no_address
  with_union value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 24  // class_cannot_be_looked_into_specialise_plain_bytes_if_it_holds_no_address
  with_const value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 25  // class_cannot_be_looked_into_specialise_plain_bytes_if_it_holds_no_address
  secret value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 26  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  std::tm value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 27  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  std::optional<int*> value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 28  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  std::variant<int, char*> value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 29  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  std::array<with_pointer, 2> value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 30  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  mpi::comm_handle value{};
  comm.send(send_buf(value), destination(1));
#elif MISTAKE == 31  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep
  auto x = comm.recv<node>(source(0));
#endif
}
