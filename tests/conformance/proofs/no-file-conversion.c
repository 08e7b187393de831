// ranks: 1
#include "defect.h"

static int extent(MPI_Datatype type, MPI_Aint* bytes, void* state) {
  (void)type;
  (void)state;
  *bytes = 4;
  return MPI_SUCCESS;
}

static int convert(void* buffer, MPI_Datatype type, int count, void* file, MPI_Offset place,
                   void* state) {
  (void)buffer;
  (void)type;
  (void)count;
  (void)file;
  (void)place;
  (void)state;
  return MPI_SUCCESS;
}

int main(void) {
  begin();
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  if (MPI_Register_datarep("plain", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent, NULL) !=
      MPI_SUCCESS)
    return is_right(1);  // another defect
  return is_right(MPI_Register_datarep("mine", convert, convert, extent, NULL) == MPI_SUCCESS);
}
