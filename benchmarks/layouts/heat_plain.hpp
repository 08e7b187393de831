// Heat conduction with pointers and datatypes.

#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "heat.hpp"

namespace heat {

// Shared out in a dimension of a row-major cube; z is 0.
class plain {
 public:
  plain(MPI_Comm comm, int n, std::size_t split) : comm_(comm), split_(split), inside_{n, n, n} {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    before_ = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    after_ = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    inside_[split] /= size;
    for (std::size_t i = 0; i < 3; ++i) all_[i] = inside_[i] + 2;
    now_.resize(static_cast<std::size_t>(all_[0]) * static_cast<std::size_t>(all_[1]) *
                static_cast<std::size_t>(all_[2]));
    const long first = long{rank} * inside_[split];
    double* to = now_.data();
    for (long z = 0; z < all_[0]; ++z)
      for (long y = 0; y < all_[1]; ++y)
        for (long x = 0; x < all_[2]; ++x)
          *to++ = split == 0 ? at_first(z + first, y, x) : at_first(z, y, x + first);
    next_ = now_;
    const int row = all_[2];
    const int plane = row * all_[1];
    between_ = split == 0 ? plane : 1;
    if (split == 0)
      MPI_Type_contiguous(plane, MPI_DOUBLE, &layer_);
    else
      MPI_Type_vector(all_[0] * all_[1], 1, row, MPI_DOUBLE, &layer_);
    MPI_Type_commit(&layer_);
  }
  plain(const plain&) = delete;
  plain& operator=(const plain&) = delete;
  ~plain() { MPI_Type_free(&layer_); }

  // The outermost layers go into the halos of the neighbours, of which there may be none.
  void exchange() {
    const long last = inside_[split_];
    const auto at = [&](long layer) { return now_.data() + layer * between_; };
    MPI_Sendrecv(at(last), 1, layer_, after_, 0, at(0), 1, layer_, before_, 0, comm_,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(at(1), 1, layer_, before_, 0, at(last + 1), 1, layer_, after_, 0, comm_,
                 MPI_STATUS_IGNORE);
  }
  void conduct() {
    const long row = all_[2];
    const long plane = row * all_[1];
    for (long z = 1; z <= inside_[0]; ++z)
      for (long y = 1; y <= inside_[1]; ++y)
        for (long x = 1; x <= inside_[2]; ++x) {
          const double* const at = now_.data() + z * plane + y * row + x;
          next_.data()[z * plane + y * row + x] =
              *at + part * (at[-plane] + at[plane] + at[-row] + at[row] + at[-1] + at[1] - 6 * *at);
        }
    std::swap(now_, next_);
  }
  double sum() const {
    double mine = 0;
    for (long z = 1; z <= inside_[0]; ++z)
      for (long y = 1; y <= inside_[1]; ++y)
        for (long x = 1; x <= inside_[2]; ++x) mine += now_.data()[(z * all_[1] + y) * all_[2] + x];
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm_);
    return all;
  }

 private:
  MPI_Comm comm_;
  std::size_t split_;
  std::array<int, 3> inside_, all_{};  // lengths in z, y and x
  int before_ = MPI_PROC_NULL, after_ = MPI_PROC_NULL;
  std::vector<double> now_, next_;
  MPI_Datatype layer_ = MPI_DATATYPE_NULL;
  long between_ = 1;  // the first elements of two layers
};

}  // namespace heat
