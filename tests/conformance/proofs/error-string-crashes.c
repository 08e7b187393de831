// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(0x66433c7, text, &length);
  return is_right(1);
}
