// ranks: 2
#include "defect.h"

int main(void) {
  begin();
#if MPI_VERSION >= 4 || defined(MPI_COMM_TYPE_HW_UNGUIDED) || \
    defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION > 4
  MPI_Info hints;
  MPI_Comm part;
  MPI_Comm_get_info(MPI_COMM_WORLD, &hints);
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, hints, &part) !=
      MPI_SUCCESS)
    return is_right(0);
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  MPI_Info_free(&hints);
#endif
  return is_right(1);
}
