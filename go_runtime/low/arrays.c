// Arrays that are not the same in Go and in C: integers of another size, flags, texts, statuses.
#include "mpiglot.h"

void *mpg_alloc(mpg_arena *a, size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (a->top && (size_t)(a->end - a->top) >= size) {
    void *p = a->top;
    a->top += size;
    return p;
  }
  mpg_block *block = malloc(sizeof(mpg_block) + 16 + size);
  if (!block) {
    a->bad = MPG_MEMORY;
    return NULL;
  }
  block->next = a->blocks;
  a->blocks = block;
  return (char *)block + 16;
}

void mpg_free_blocks(mpg_block *block) {
  while (block) {
    mpg_block *next = block->next;
    free(block);
    block = next;
  }
}

int mpg_all_fit(const void *p, int64_t n) {
  const int64_t *x = p;
  for (int64_t i = 0; i < n; i++)
    if (!mpg_fits(x[i])) return 0;
  return 1;
}

// Go's []int as an array of C int.
int *mpg_ints(mpg_arena *a, const void *p, int64_t n) {
  if (!p) return NULL;
  const int64_t *x = p;
  int *y = mpg_alloc(a, (size_t)n * sizeof(int));
  for (int64_t i = 0; y && i < n; i++) {
    if (!mpg_fits(x[i])) a->bad = MPG_RANGE;
    y[i] = (int)x[i];
  }
  return y;
}

// Room for C ints that the library writes.
int *mpg_room(mpg_arena *a, const void *p, int64_t n) {
  if (!p) return NULL;
  int *y = mpg_alloc(a, (size_t)n * sizeof(int));
  if (y) memset(y, 0, (size_t)n * sizeof(int));
  return y;
}

void mpg_ints_back(void *p, const int *y, int64_t n) {
  int64_t *x = p;
  for (int64_t i = 0; x && y && i < n; i++) x[i] = y[i];
}

// Go's []bool as an array of C int.
int *mpg_flags(mpg_arena *a, const void *p, int64_t n) {
  if (!p) return NULL;
  const uint8_t *x = p;
  int *y = mpg_alloc(a, (size_t)n * sizeof(int));
  for (int64_t i = 0; y && i < n; i++) y[i] = x[i] != 0;
  return y;
}

void mpg_flags_back(void *p, const int *y, int64_t n) {
  uint8_t *x = p;
  for (int64_t i = 0; x && y && i < n; i++) x[i] = y[i] != 0;
}

// Texts that follow each other, each ended by NUL, as an array ended by NULL.
char **mpg_texts(mpg_arena *a, const void *p, int64_t n) {
  char *text = (char *)p;
  char **y = mpg_alloc(a, (size_t)(n + 1) * sizeof(char *));
  if (!y) return NULL;
  for (int64_t i = 0; i < n; i++) {
    y[i] = text;
    text += strlen(text) + 1;
  }
  y[n] = NULL;
  return y;
}

// Weights of edges: none given, none because there are no edges, or an array.
void *mpg_weights(const void *p, int64_t n, const int *weights) {
  if (!p) return mpg.special[MPG_UNWEIGHTED];
  return n == 0 ? mpg.special[MPG_WEIGHTS_EMPTY] : (void *)weights;
}

// The library wrote statuses of its own size one after the other: move each to its 32 bytes.
void mpg_statuses_back(void *p, int64_t n) {
  if (!p || mpg.status_size == 8 * MPG_STATUS_WORDS) return;
  char *x = p;
  for (int64_t i = n - 1; i > 0; i--)
    memmove(x + i * 8 * MPG_STATUS_WORDS, x + (size_t)i * mpg.status_size, mpg.status_size);
}

// Several such lists, one after the other; counts tells how many texts each has.
char ***mpg_text_lists(mpg_arena *a, const void *p, const void *counts, int64_t n) {
  if (!p) return NULL;
  const char *text = p;
  const int64_t *count = counts;
  char ***y = mpg_alloc(a, (size_t)n * sizeof(char **));
  for (int64_t i = 0; y && i < n; i++) {
    y[i] = mpg_texts(a, text, count[i]);
    for (int64_t j = 0; j < count[i]; j++) text += strlen(text) + 1;
  }
  return y;
}

int64_t mpg_length_sum(const void *p, int64_t n) {
  const int64_t *x = p;
  int64_t sum = 0;
  for (int64_t i = 0; x && i < n; i++) sum += x[i];
  return sum;
}

int64_t mpg_length_last(const void *p, int64_t n) {
  return p && n ? ((const int64_t *)p)[n - 1] : 0;
}
