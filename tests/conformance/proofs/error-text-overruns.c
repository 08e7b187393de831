// ranks: 2
// MPI_MAX_ERROR_STRING bytes are room for every text. Where dots or a colon fill the last of them,
// the byte behind is taken for text, and its length makes the room that is left a negative number.
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>

#include "defect.h"

enum { pages = 6, elements = 64 };

static char *page(int number) {
  static const uintptr_t places[pages] = {0x100000,    0x2000000,    0x30000000,
                                          0x400000000, 0x5000000000, 0x60000000000};
  static char *made[pages];
  if (!made[number])
    made[number] = mmap((void *)places[number], 1 << 16, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  return made[number];
}

int main(void) {
  static char sent[8 * 2 * elements];
  begin();
  // The text holds the addresses of buffers, so its parts have as many lengths as addresses do.
  for (int i = 0; i < pages * pages * pages; i++) {
    int *counts = (int *)page(i % pages), *places = (int *)(page(i / pages % pages) + 4096);
    char *buffer = page(i / pages / pages) + 8192;
    MPI_Datatype type = rank == 0 ? MPI_CHAR : MPI_DOUBLE;
    counts[0] = counts[1] = elements;
    places[0] = 0;
    places[1] = elements;
    int code =
        MPI_Alltoallv(sent, counts, places, type, buffer, counts, places, type, MPI_COMM_WORLD);
    char text[MPI_MAX_ERROR_STRING + 4096] = "";
    text[MPI_MAX_ERROR_STRING] = 'x';
    int length = 0;
    if (code != MPI_SUCCESS) MPI_Error_string(code, text, &length);
    for (size_t k = MPI_MAX_ERROR_STRING + 1; k < sizeof text; k++)
      if (text[k] != 0) return is_right(0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return is_right(1);
}
