// Messages between two ranks.

#include "pairs.hpp"

#define SENDING(lower, upper)                                                                     \
  PLAIN(lower) { MPI_##upper(d.mine.data(), length(d.mine), MPI_INT, 2, 0, d.comm.native()); }    \
  NAMED(lower) { d.comm.lower(send_buf(d.mine), destination(2)); }                                \
  NONBLOCKING(i##lower, MPI_I##lower, i##lower, d.comm,                                           \
              (d.mine.data(), length(d.mine), MPI_INT, 2, 0), (send_buf(d.mine), destination(2))) \
  PLAIN(lower##_init) {                                                                           \
    static MPI_Request request = [&] {                                                            \
      MPI_Request made;                                                                           \
      MPI_##upper##_init(d.mine.data(), length(d.mine), MPI_INT, 2, 0, d.comm.native(), &made);   \
      return made;                                                                                \
    }();                                                                                          \
    MPI_Start(&request);                                                                          \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                                                        \
  }                                                                                               \
  NAMED(lower##_init) {                                                                           \
    static auto request = d.comm.lower##_init(send_buf(d.mine), destination(2));                  \
    request.start();                                                                              \
    request.wait();                                                                               \
  }
SENDING(send, Send)
SENDING(bsend, Bsend)
SENDING(ssend, Ssend)
SENDING(rsend, Rsend)

PLAIN(recv) {
  MPI_Recv(d.mine.data(), length(d.mine), MPI_INT, 2, 0, d.comm.native(), MPI_STATUS_IGNORE);
}
NAMED(recv) { d.comm.recv(recv_buf(d.mine), source(2), tag(0)); }
NONBLOCKING(irecv, MPI_Irecv, irecv, d.comm, (d.mine.data(), length(d.mine), MPI_INT, 2, 0),
            (recv_buf(d.mine), source(2), tag(0)))
PLAIN(recv_init) {
  static MPI_Request request = [&] {
    MPI_Request made;
    MPI_Recv_init(d.mine.data(), length(d.mine), MPI_INT, 2, 0, d.comm.native(), &made);
    return made;
  }();
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
NAMED(recv_init) {
  static auto request = d.comm.recv_init(recv_buf(d.mine), source(2), tag(0));
  request.start();
  request.wait();
}

PLAIN(recv_by_value) {
  MPI_Message message;
  MPI_Status status;
  int n = 0;
  MPI_Mprobe(2, 0, d.comm.native(), &message, &status);
  MPI_Get_count(&status, MPI_INT, &n);
  std::vector<int> values(static_cast<std::size_t>(n));
  MPI_Mrecv(values.data(), n, MPI_INT, &message, MPI_STATUS_IGNORE);
  d.all[0] = values[0];
}
NAMED(recv_by_value) {
  const auto values = d.comm.recv(recv_buf(std::vector<int>()), source(2), tag(0));
  d.all[0] = values[0];
}

PLAIN(sendrecv) {
  MPI_Sendrecv(d.mine.data(), length(d.mine), MPI_INT, 2, 0, d.all.data(), length(d.all), MPI_INT,
               0, 0, d.comm.native(), MPI_STATUS_IGNORE);
}
NAMED(sendrecv) {
  d.comm.sendrecv(send_buf(d.mine), destination(2), recv_buf(d.all), source(0), tag(0));
}
PLAIN(sendrecv_replace) {
  MPI_Sendrecv_replace(d.mine.data(), length(d.mine), MPI_INT, 2, 0, 0, 0, d.comm.native(),
                       MPI_STATUS_IGNORE);
}
NAMED(sendrecv_replace) {
  d.comm.sendrecv_replace(send_recv_buf(d.mine), destination(2), source(0), tag(0));
}
