// ranks: 1
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPI_Type_vector_c
  MPI_Datatype type;
  MPI_Type_vector_c(2, 1, 2, MPI_INT, &type);
  int integers, addresses, types, combiner;
  return is_right(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) ==
                  MPI_SUCCESS);
#else
  return is_right(1);
#endif
}
