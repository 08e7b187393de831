// One mistake per MISTAKE; mistakes.cmake compiles each and looks at the message.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <mpiglot/at_most.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/serialized.hpp>

using namespace mpiglot;

void takes(std::vector<int>);
struct point {
  double x, y;
};
struct made_of_int {
  int value;
  explicit made_of_int(int given) : value(given) {}
};
template <>
inline constexpr bool mpiglot::plain_bytes<made_of_int> = true;
// A view, which refers to elements that lie elsewhere.
class every_second {
 public:
  explicit every_second(const int* of) : of_(of) {}
  [[nodiscard]] const int* begin() const { return of_; }
  [[nodiscard]] const int* end() const { return of_ + 4; }

 private:
  const int* of_;
};

[[maybe_unused]] static void call(const communicator& comm, std::vector<int> v,
                                  std::vector<std::string> words, std::vector<bool> flags) {
  static_cast<void>(v);
  static_cast<void>(words);
  static_cast<void>(flags);
#if MISTAKE == 0  // none: this must compile
  takes(comm.allgatherv(send_buf(v)));
#elif MISTAKE == 1  // parameter_missing<mpiglot::keys::send_buf, mpiglot::operations::allgatherv>
  comm.allgatherv(recv_counts(v));
#elif MISTAKE == 2  // parameter_missing<mpiglot::keys::destination, mpiglot::operations::send>
  auto x = comm.send(send_buf(v));
#elif MISTAKE == 3  // argument_without_name_such_as_send_buf
  std::vector<int> x = comm.allgatherv(v);
#elif MISTAKE == 4  // parameter_missing<mpiglot::keys::send_buf, mpiglot::operations::allgatherv>
  auto [x, y] = comm.allgatherv(recv_counts_out());
#elif MISTAKE == 5  // parameter_given_twice_or_given_and_asked_for<mpiglot::keys::send_buf
  takes(comm.allgatherv(send_buf(v), send_buf(v)));
#elif MISTAKE == 6  // buffer_without_datatype_write_as_serialized_or_deep<mpiglot::keys::send_recv_buf
  comm.bcast(send_recv_buf(words));
#elif MISTAKE == 7  // vector_of_bool_has_no_elements_use_vector_of_boolean<mpiglot::keys::send_recv_buf
  comm.bcast(send_recv_buf(flags));
#elif MISTAKE == 8  // parameter_not_accepted_here<mpiglot::keys::tag, mpiglot::operations::bcast>
  comm.bcast(send_recv_buf(v), tag(3));
#elif MISTAKE == 9  // length_unknown_give_this_or_write_at_most<mpiglot::keys::send_recv_count
  auto r = comm.ibcast(send_recv_buf(as_serialized(words)));
#elif MISTAKE == 10  // length_unknown_give_this_or_write_at_most<mpiglot::keys::recv_counts
  auto r = comm.iallgatherv(send_buf(v));
#elif MISTAKE == 11  // parameter_given_twice_or_given_and_asked_for<mpiglot::keys::recv_counts
  comm.allgatherv(send_buf(v), recv_counts(v), recv_counts_out());
#elif MISTAKE == 12  // buffer_to_receive_into_is_const<mpiglot::keys::recv_buf, mpiglot::operations::recv>
  const std::vector<int> constant;
  comm.recv(recv_buf(constant));
#elif MISTAKE == 13  // parameter_missing<mpiglot::keys::send_counts, mpiglot::operations::scatterv>
  auto x = comm.scatterv(send_buf(v));
#elif MISTAKE == 14  // counts_are_no_contiguous_integers<mpiglot::keys::recv_counts
  comm.allgatherv(send_buf(v), recv_counts(words));
#elif MISTAKE == 15  // parameter_contradicts_send_recv_buf<mpiglot::keys::recv_buf, mpiglot::operations::allgather>
  comm.allgather(send_recv_buf(v), recv_buf(v));
#elif MISTAKE == 16  // op_needs_commutative_or_non_commutative
  auto x = comm.allreduce(send_buf(v), op([](int a, int b) { return a + b; }));
#elif MISTAKE == 17  // operation_has_no_meaning_for_this_type_give_a_function<point>
  auto x = comm.allreduce(send_buf(point()), op(mpi::sum));
#elif MISTAKE == 18  // parameter_missing<mpiglot::keys::send_counts, mpiglot::operations::alltoallv>
  auto x = comm.alltoallv(send_buf(v));
#elif MISTAKE == 19  // parameter_missing<mpiglot::keys::recv_counts, mpiglot::operations::allgatherv>
  comm.allgatherv(send_recv_buf(v));
#elif MISTAKE == 20  // buffer_is_no_single_value<mpiglot::keys::send_buf, mpiglot::operations::allreduce_single>
  int x = comm.allreduce_single(send_buf(v), op(std::plus<>()));
#elif MISTAKE == 21  // length_unknown_give_this_or_write_at_most<mpiglot::keys::recv_counts, mpiglot::operations::alltoallv>
  auto r = comm.ialltoallv(send_buf(v), send_counts(v));
#elif MISTAKE == 22  // pointer_is_no_buffer_give_a_span_or_raw_with_a_count<mpiglot::keys::send_buf, mpiglot::operations::send, int
  comm.send(send_buf(v.data()), destination(1));
#elif MISTAKE == 23  // encoded_length_may_change_between_starts_use_the_nonblocking_form<mpiglot::keys::send_buf, mpiglot::operations::send>
  auto r = comm.send_init(send_buf(as_serialized(words)), destination(1));
#elif MISTAKE == 24  // parameter_missing_else_give_recv_buf_or_the_type_as_in_scatter_of_int<mpiglot::keys::send_buf, mpiglot::operations::scatterv>
  auto x = comm.scatterv(root(1));
#elif MISTAKE == 26  // argument_without_name_such_as_send_buf
  v = comm.allgatherv(v);
#elif MISTAKE == 27  // argument_without_name_such_as_send_buf
  for (const int each : comm.allgatherv(v)) v.push_back(each + comm.allgatherv(send_buf(v))[0]);
#elif MISTAKE == 28  // argument_without_name_such_as_send_buf
  if (comm.allreduce_single(v) > 3) return;
#elif MISTAKE == 29  // parameter_missing<mpiglot::keys::send_buf, mpiglot::operations::allgatherv>
  takes(comm.allgatherv(recv_counts_out()).extract_recv_buf());
#elif MISTAKE == 30  // argument_without_name_such_as_send_buf
  if (comm.iallgather(v).wait().empty()) return;
#elif MISTAKE == 31  // argument_without_name_such_as_send_buf<int, mpiglot::operations::recv>
  auto x = comm.recv<int>(3);
#elif MISTAKE == 25  // buffer_without_datatype_write_as_serialized_or_deep<mpiglot::keys::recv_buf, mpiglot::operations::scatter
  auto x = comm.scatter<std::string>(root(1));
#elif MISTAKE == 37  // parameter_missing<mpiglot::keys::destination, mpiglot::operations::send>
  comm.isend(send_buf(v));
#elif MISTAKE == 32  // op_cannot_be_called_with_two_elements<
  auto r = comm.iallreduce(send_buf(v), op([](const std::string& a) { return a; }, commutative));
#elif MISTAKE == 33  // class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep<mpiglot::keys::send_buf, mpiglot::operations::send, every_second
  comm.send(send_buf(every_second(v.data())), destination(1));
#elif MISTAKE == 34  // buffer_is_no_single_value<mpiglot::keys::send_recv_buf, mpiglot::operations::bcast_single>
  auto x = comm.bcast_single(send_recv_buf("text"));
#elif MISTAKE == 35  // parameter_missing<mpiglot::keys::send_types, mpiglot::operations::alltoallw>
  comm.alltoallw(send_buf(v), send_counts(v), send_displs(v), recv_buf(v), recv_counts(v),
                 recv_displs(v), recv_types(std::vector<mpi::datatype_handle>()));
#elif MISTAKE == 36  // types_are_no_contiguous_datatypes<mpiglot::keys::recv_types, mpiglot::operations::alltoallw>
  comm.alltoallw(send_recv_buf(v), recv_counts(v), recv_displs(v), recv_types(words));
#elif MISTAKE == 38  // buffer_is_encoded_give_send_buf_and_recv_buf<mpiglot::keys::send_recv_buf, mpiglot::operations::scatter>
  comm.scatter(send_recv_buf(as_serialized(words)));
#elif MISTAKE == 39  // encoded_value_is_no_list_with_an_element_for_each_rank<mpiglot::keys::send_buf, mpiglot::operations::scatter>
  auto x = comm.scatter(send_buf(as_serialized(5)));
#elif MISTAKE == 40  // encoded_value_is_no_list_with_an_element_for_each_rank<mpiglot::keys::recv_buf, mpiglot::operations::alltoall>
  auto x = comm.alltoall(send_buf(as_serialized(std::set<int>())));
#elif MISTAKE == 41  // buffer_is_encoded_give_send_buf_and_recv_buf<mpiglot::keys::send_recv_buf, mpiglot::operations::allgather>
  comm.allgather(send_recv_buf(as_serialized(words)));
#elif MISTAKE == 42  // encoded_buffer_cannot_be_combined<mpiglot::keys::send_recv_buf, mpiglot::operations::allreduce>
  comm.allreduce(send_recv_buf(as_serialized(words)), op(std::plus<>()));
#elif MISTAKE == 43  // elements_sent_and_received_differ_give_one_type_or_send_type_and_recv_type<int, double, mpiglot::operations::allgather>
  std::vector<double> all;
  comm.allgather(send_buf(1), recv_buf(all));
#elif MISTAKE == 44  // elements_sent_and_received_differ_give_one_type_or_send_type_and_recv_type<int, double, mpiglot::operations::allreduce>
  auto r = comm.iallreduce(send_buf(v), recv_buf(std::vector<double>()), op(std::plus<>()));
#elif MISTAKE == 45  // elements_sent_and_received_differ_give_one_type_or_send_type_and_recv_type<std::byte, double, mpiglot::operations::gather>
  std::vector<double> all = comm.gather(send_buf(as_serialized(words)), recv_buf(std::vector<double>()));
#elif MISTAKE == 46  // op_names_another_type_than_the_elements_name_none<std::plus<int>, double
  std::vector<double> x = comm.allreduce(send_buf(std::vector<double>(3)), op(std::plus<int>()));
#elif MISTAKE == 47  // op_names_another_type_than_the_elements_name_none<std::bit_or<long
  auto x = comm.scan(send_buf(v), op(std::bit_or<long>()));
#elif MISTAKE == 48  // op_names_another_type_than_the_elements_name_none<std::plus<std::
  auto x = comm.reduce(send_buf(v), op(std::plus<std::string>()));
#elif MISTAKE == 49  // elements_without_default_constructor_cannot_be_made_give_a_recv_buf_that_keeps_its_size
  auto all = comm.allgather(send_buf(made_of_int(3)));
#elif MISTAKE == 50  // elements_are_divided_without_a_limit_give_no_at_most<mpiglot::keys::send_buf, mpiglot::operations::scatter>
  auto x = comm.scatter(send_buf(at_most(100, v)));
#elif MISTAKE == 51  // buffer_is_no_contiguous_range_give_one_or_raw_memory<mpiglot::keys::send_recv_buf, mpiglot::operations::alltoallw>
  comm.alltoallw(send_recv_buf(as_serialized(words)), recv_counts(v), recv_displs(v),
                 recv_types(std::vector<mpi::datatype_handle>(2)));
#elif MISTAKE == 52  // value_is_borrowed_move_it_in_or_use_bcast<mpiglot::keys::send_recv_buf, mpiglot::operations::bcast_single>
  comm.bcast_single(send_recv_buf(as_serialized(words)));
#elif MISTAKE == 53  // encoded_buffer_is_replaced_in_two_steps_use_isend_and_irecv<mpiglot::keys::send_recv_buf, mpiglot::operations::sendrecv_replace>
  auto r = comm.isendrecv_replace(send_recv_buf(at_most(100, as_serialized(words))), destination(1));
#elif MISTAKE == 54  // op_that_may_throw_needs_elements_give_no_datatype<mpiglot::operations::allreduce>
  auto x = comm.allreduce(send_buf(v), send_type(mpi::int_), op([](int a, int b) { return a + b; }, commutative, may_throw));
#elif MISTAKE == 55  // buffer_is_described_by_a_variable_describe_it_in_the_call_or_move_it<mpiglot::keys::send_buf
  auto described = as_serialized(words);
  comm.send(send_buf(described), destination(1));
#elif MISTAKE == 56  // buffer_is_described_by_a_variable_describe_it_in_the_call_or_move_it<mpiglot::keys::recv_buf
  auto described = at_most(80, v);
  auto r = comm.irecv(recv_buf(described), source(1));
#endif
}
