// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  char text[MPI_MAX_ERROR_STRING];
  int code, length;
  MPI_Add_error_code(MPI_ERR_TAG, &code);
  MPI_Add_error_string(code, "ours");
  MPI_Error_string(code, text, &length);
  return is_right(strstr(text, "ours") != NULL);
}
