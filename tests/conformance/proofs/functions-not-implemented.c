// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  int found;
  MPI_Message message;
  MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &found, &message, MPI_STATUS_IGNORE);
  return is_right(!found);
}
