// ranks: 1
#include "defect.h"

static int extent(MPI_Datatype type, MPI_Aint* bytes, void* state) {
  (void)type;
  (void)state;
  *bytes = 4;
  return MPI_SUCCESS;
}

int main(void) {
  begin();
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  return is_right(MPI_Register_datarep("mine", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL,
                                       extent, NULL) == MPI_SUCCESS);
}
