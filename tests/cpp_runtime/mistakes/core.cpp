// Mistakes in calls on windows and files, and of plugins, each with what the compiler must say about
// it. Compiled once for each by mistakes.cmake; 0 is the program without any.

#include <map>
#include <string>

#include <mpiglot/file.hpp>
#include <mpiglot/plugins/sparse_alltoall.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/window.hpp>

using namespace mpiglot;

void call(const window& win, const file& out, const basic_communicator<sparse_alltoall>& comm,
          std::vector<int> v, std::map<int, std::vector<int>> m, int n) {
#if MISTAKE == 0  // nothing
  win.put(send_buf(v), target_rank(n));
  out.write(send_buf(v), at(3));
  comm.alltoall_sparse(sparse_send_buf(m));
#else
  static_cast<void>(sizeof win + sizeof out + sizeof comm + sizeof v + sizeof m + sizeof n);
#endif
#if MISTAKE == 1  // parameter_missing<mpiglot::keys::target_rank, mpiglot::operations::put>
  win.put(send_buf(v));
#elif MISTAKE == 2  // buffer_must_live_until_the_epoch_ends_give_an_lvalue<mpiglot::keys::send_buf
  win.put(send_buf(std::vector<int>(3)), target_rank(1));
#elif MISTAKE == 3  // buffer_is_encoded_and_not_laid_out_in_memory<mpiglot::keys::recv_buf
  win.get(recv_buf(as_serialized(m)), target_rank(0));
#elif MISTAKE == 4  // parameter_missing<mpiglot::keys::target_count, mpiglot::operations::get>
  auto got = win.rget(recv_buf(std::vector<int>()), target_rank(0));
#elif MISTAKE == 5  // parameters_exclude_each_other<mpiglot::keys::at, mpiglot::keys::ordered
  out.write(send_buf(v), at(3), ordered());
#elif MISTAKE == 6  // parameter_missing<mpiglot::keys::recv_count, mpiglot::operations::file_read>
  auto [values, size] = out.read(recv_buf(std::vector<int>()), recv_count_out());
#elif MISTAKE == 7  // parameter_not_accepted_here<mpiglot::keys::ordered
  auto later = out.iwrite(send_buf(v), ordered());
#elif MISTAKE == 8  // parameters_exclude_each_other<mpiglot::keys::shared_pointer
  auto half = out.write_split(send_buf(v), shared_pointer());
#elif MISTAKE == 9  // argument_without_name_such_as_send_buf<
  auto all = comm.alltoall_sparse(m);
#elif MISTAKE == 10  // parameter_missing<mpiglot::keys::sparse_send_buf
  auto all = comm.alltoall_sparse();
#elif MISTAKE == 11  // one_sided_operations_are_those_of_mpi_give_no_function<
  win.accumulate(send_buf(v), target_rank(0), op([](int a, int b) { return a + b; }, commutative));
#elif MISTAKE == 12  // elements_sent_and_received_differ_give_one_type_or_send_type_and_recv_type<int, double, mpiglot::operations::get_accumulate>
  std::vector<double> before(v.size());
  win.get_accumulate(send_buf(v), recv_buf(before), target_rank(0));
#endif
}
