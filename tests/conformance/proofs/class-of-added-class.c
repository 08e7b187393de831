// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  int added, its = -1;
  MPI_Add_error_class(&added);
  MPI_Error_class(added, &its);
  return is_right(its == added);
}
