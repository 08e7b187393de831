// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  const int one = 1;
  unsigned char room[4] = {0};
  MPI_Aint place = 0;
  MPI_Pack_external("external32", &one, 1, MPI_INT, room, sizeof room, &place);
  return is_right(room[0] == 0 && room[3] == 1);
}
