// Messages of views: what finding out costs, and what is kept for the second call.

#include "pairs.hpp"

#include <mpiglot/strided.hpp>

namespace {

// Two rows of four elements without gaps, which the type says.
struct whole_view {
  int* first;
};

}  // namespace

template <>
struct mpiglot::view_traits<whole_view> {
  static constexpr std::size_t rank = 2;
  static int* data(const whole_view& view) { return view.first; }
  static constexpr long extent(const whole_view&, std::size_t i) { return i == 0 ? 2 : 4; }
  static constexpr long stride(const whole_view&, std::size_t i) { return i == 0 ? 4 : 1; }
};

// Which extents are known is hidden from the compiler.
static strided_view<int> seen_late(strided_view<int> view) {
  asm volatile("" : "+m"(view));
  return view;
}

PLAIN(send_view_of_its_type) { MPI_Send(d.mine.data(), 8, MPI_INT, 2, 0, d.comm.native()); }
NAMED(send_view_of_its_type) { d.comm.send(send_buf(whole_view{d.mine.data()}), destination(2)); }

PLAIN(recv_view_of_its_type) {
  MPI_Recv(d.mine.data(), 8, MPI_INT, 2, 0, d.comm.native(), MPI_STATUS_IGNORE);
}
NAMED(recv_view_of_its_type) {
  d.comm.recv(recv_buf(whole_view{d.mine.data()}), source(2), tag(0));
}

PLAIN(send_view_found_whole) {
  const strided_view<int> view = seen_late({d.all.data(), 2, 4, 4, 1});
  MPI_Send(view.data, static_cast<int>(view.size()), MPI_INT, 2, 0, d.comm.native());
}
NAMED(send_view_found_whole) {
  d.comm.send(send_buf(seen_late({d.all.data(), 2, 4, 4, 1})), destination(2));
}

// Columns: by hand, a loop into memory that is there.
PLAIN(send_view_packed) {
  static int packed[8];
  const strided_view<int> view = seen_late({d.all.data(), 2, 4, 1, 4});
  for (count_t i = 0; i < view.rows; ++i)
    for (count_t j = 0; j < view.columns; ++j) packed[i * view.columns + j] = view(i, j);
  MPI_Send(packed, 8, MPI_INT, 2, 0, d.comm.native());
}
NAMED(send_view_packed) {
  d.comm.send(send_buf(seen_late({d.all.data(), 2, 4, 1, 4})), destination(2));
}

// Rows with gaps, of more than 16 KiB: by hand, a datatype that is there.
static int rows_with_gaps[110 * 100];

PLAIN(send_view_described) {
  static const MPI_Datatype type = [&] {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    int found = 0;
    MPI_Type_create_hvector(110, 40, 400, MPI_INT, &made);
    MPI_Type_commit(&made);
    MPI_Initialized(&found);  // what the first call of the library needs, too
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &found, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, found, nullptr);
    MPI_Comm_free_keyval(&found);
    return made;
  }();
  MPI_Send(rows_with_gaps, 1, type, 2, 0, d.comm.native());
}
NAMED(send_view_described) {
  d.comm.send(send_buf(seen_late({rows_with_gaps, 110, 40, 100, 1})), destination(2));
}
