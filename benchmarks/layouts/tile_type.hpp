// The derived datatype of a tile, as programs usually make it.

#pragma once

#include <mpi.h>

// `lines` of `length` doubles each, both with their distance in doubles. The extent is given in
// doubles, too, so that the next tile begins there.
class tile_type {
 public:
  tile_type(long lines, long between_lines, long length, long between, long extent = 1) {
    constexpr MPI_Aint size = sizeof(double);
    MPI_Datatype line = MPI_DATATYPE_NULL;
    MPI_Datatype tile = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector(static_cast<int>(length), 1, between * size, MPI_DOUBLE, &line);
    MPI_Type_create_hvector(static_cast<int>(lines), 1, between_lines * size, line, &tile);
    MPI_Type_create_resized(tile, 0, extent * size, &type_);
    MPI_Type_commit(&type_);
    MPI_Type_free(&tile);
    MPI_Type_free(&line);
  }
  tile_type(const tile_type&) = delete;
  tile_type& operator=(const tile_type&) = delete;
  ~tile_type() { MPI_Type_free(&type_); }
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};
