// What messages that are written by hand need for any structure: a buffer for MPI_Pack, and broadcasts of
// containers.

#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace by_hand {

inline bool is_root(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank == 0;
}

// count: containers in messages
// Of rank 0, to all others: objects without pointers, and containers of them.
template <class T>
void broadcast(T* values, std::size_t n, MPI_Comm comm) {
  MPI_Bcast(values, static_cast<int>(n * sizeof(T)), MPI_BYTE, 0, comm);
}
template <class Container>
void broadcast(Container& values, MPI_Comm comm) {
  std::size_t n = values.size();
  broadcast(&n, 1, comm);
  values.resize(n);
  broadcast(values.data(), n, comm);
}
// end

// count: packing
struct packing {
  MPI_Comm comm;
  std::vector<char> bytes{};
  int at = 0;
  int size() const { return static_cast<int>(bytes.size()); }
};
template <class T>
void pack(packing& to, const T* from, std::size_t n) {
  const int count = static_cast<int>(n * sizeof(T));
  int room = 0;
  MPI_Pack_size(count, MPI_BYTE, to.comm, &room);
  to.bytes.resize(static_cast<std::size_t>(to.at + room));
  MPI_Pack(from, count, MPI_BYTE, to.bytes.data(), to.size(), &to.at, to.comm);
}
template <class T>
void unpack(packing& from, T* to, std::size_t n) {
  const int count = static_cast<int>(n * sizeof(T));
  MPI_Unpack(from.bytes.data(), from.size(), &from.at, to, count, MPI_BYTE, from.comm);
}
template <class Container>
void pack(packing& to, const Container& from) {
  const std::size_t n = from.size();
  pack(to, &n, 1);
  pack(to, from.data(), n);
}
template <class Container>
void unpack(packing& from, Container& to) {
  std::size_t n = 0;
  unpack(from, &n, 1);
  to.resize(n);
  unpack(from, to.data(), n);
}
// Afterwards the others unpack from the beginning.
inline void broadcast(packing& all) {
  MPI_Bcast(&all.at, 1, MPI_INT, 0, all.comm);
  all.bytes.resize(static_cast<std::size_t>(all.at));
  MPI_Bcast(all.bytes.data(), all.size(), MPI_BYTE, 0, all.comm);
  all.at = 0;
}
// end

}  // namespace by_hand
