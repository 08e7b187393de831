// How often each word stands in a text, as java_runtime/examples/words has it. Letters are those of
// ASCII and all bytes beyond it; only those of ASCII become small.
#include <ctype.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 1, COUNTS = 2, LINES = 2000, SHOWN = 3 };

struct bytes {
  char* data;
  size_t length, space;
};

struct count {
  char* word;
  int64_t times;
};

struct counts {
  struct count* all;  // in the order of the words
  int64_t different, lines;
};

static int rank_, ranks_;

static void fail(const char* sentence, int code) {
  fprintf(stderr, "%s\n", sentence);
  MPI_Abort(MPI_COMM_WORLD, code);
}

static void append(struct bytes* to, const void* from, size_t length) {
  if (to->length + length > to->space) {
    to->space = 2 * (to->length + length);
    to->data = realloc(to->data, to->space);
  }
  if (length) memcpy(to->data + to->length, from, length);
  to->length += length;
}

static void send(struct bytes what, int dest, int tag) {
  MPI_Send(what.data, (int)what.length, MPI_BYTE, dest, tag, MPI_COMM_WORLD);
}

static struct bytes receive(int source, int tag) {
  MPI_Message message;
  MPI_Status status;
  int length;
  MPI_Mprobe(source, tag, MPI_COMM_WORLD, &message, &status);
  MPI_Get_count(&status, MPI_BYTE, &length);
  struct bytes got = {malloc(length + 1), length, length + 1};
  MPI_Mrecv(got.data, length, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  return got;
}

static int order(const void* a, const void* b) { return strcmp(*(char**)a, *(char**)b); }

static int is_part(unsigned char c) { return isalnum(c) || c >= 0x80; }

// The words of a text, which become its own bytes: small, each with a zero behind it.
static struct counts count(struct bytes* text) {
  struct counts found = {NULL, 0, 0};
  append(text, "\n", text->length && text->data[text->length - 1] != '\n');
  append(text, "", 1);
  char** words = malloc((text->length / 2 + 1) * sizeof(char*));
  size_t n = 0;
  for (size_t i = 0; i < text->length; i++) {
    unsigned char c = text->data[i];
    found.lines += c == '\n';
    if (is_part(c) && (i == 0 || !text->data[i - 1])) words[n++] = text->data + i;
    text->data[i] = is_part(c) ? (char)tolower(c) : 0;
  }
  qsort(words, n, sizeof(char*), order);
  found.all = malloc((n + 1) * sizeof(struct count));
  for (size_t i = 0; i < n; i++) {
    if (found.different == 0 || strcmp(found.all[found.different - 1].word, words[i]) != 0)
      found.all[found.different++] = (struct count){words[i], 0};
    found.all[found.different - 1].times++;
  }
  free(words);
  return found;
}

static struct counts plus(struct counts a, struct counts b) {
  struct counts sum = {malloc((a.different + b.different + 1) * sizeof(struct count)), 0,
                       a.lines + b.lines};
  for (int64_t i = 0, k = 0; i < a.different || k < b.different;) {
    int which = i == a.different ? 1 : k == b.different ? -1 : strcmp(a.all[i].word, b.all[k].word);
    struct count next = which <= 0 ? a.all[i] : b.all[k];
    if (which == 0) next.times += b.all[k].times;
    i += which <= 0;
    k += which >= 0;
    sum.all[sum.different++] = next;
  }
  return sum;
}

static struct bytes packed(struct counts from) {
  struct bytes to = {NULL, 0, 0};
  append(&to, &from.different, sizeof from.different);
  append(&to, &from.lines, sizeof from.lines);
  for (int64_t i = 0; i < from.different; i++) {
    append(&to, &from.all[i].times, sizeof from.all[i].times);
    append(&to, from.all[i].word, strlen(from.all[i].word) + 1);
  }
  return to;
}

static struct counts unpacked(struct bytes from) {
  struct counts to;
  char* at = from.data + sizeof to.different + sizeof to.lines;
  memcpy(&to.different, from.data, sizeof to.different);
  memcpy(&to.lines, from.data + sizeof to.different, sizeof to.lines);
  to.all = malloc((to.different + 1) * sizeof(struct count));
  for (int64_t i = 0; i < to.different; i++) {
    memcpy(&to.all[i].times, at, sizeof to.all[i].times);
    to.all[i].word = at + sizeof to.all[i].times;
    at = to.all[i].word + strlen(to.all[i].word) + 1;
  }
  return to;
}

static struct counts collect(struct counts own) {
  for (int step = 1; step < ranks_; step *= 2) {
    if (rank_ & step) {
      struct bytes message = packed(own);
      send(message, rank_ - step, COUNTS);
      free(message.data);
      break;
    }
    if (rank_ + step < ranks_) own = plus(own, unpacked(receive(rank_ + step, COUNTS)));
  }
  return own;
}

static struct bytes made(void) {
  struct bytes text = {NULL, 0, 0};
  char word[32];
  uint64_t x = 1;
  for (int i = 0; i < LINES; i++) {
    for (int j = 0; j < i % 17; j++) {
      x = x * 6364136223846793005ULL + 1442695040888963407ULL;
      int rare = (int)(1 + (x >> 33) % 1000);
      int length = sprintf(word, "%s%d", j == 0 ? "Wort" : ", wort", 1000 / rare);
      append(&text, word, length);
    }
    append(&text, "\n", 1);
  }
  return text;
}

static struct bytes read_file(const char* name) {
  struct bytes text = {NULL, 0, 0};
  char block[1 << 16];
  FILE* file = fopen(name, "rb");
  if (!file) fail("The file cannot be read.", 2);
  for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;) append(&text, block, got);
  fclose(file);
  return text;
}

// Sends a part of the lines to each other process; what stays here.
static struct bytes share(struct bytes text) {
  int64_t lines = 0, line = 0;
  for (size_t i = 0; i < text.length; i++) lines += text.data[i] == '\n';
  lines += text.length && text.data[text.length - 1] != '\n';
  struct bytes own = {NULL, 0, 0};
  size_t from = 0, at = 0;
  for (int i = 0; i < ranks_; i++) {
    for (; line < lines * (i + 1) / ranks_; line++) {
      while (at < text.length && text.data[at] != '\n') at++;
      at += at < text.length;
    }
    struct bytes part = {text.data + from, at - from, 0};
    if (i == 0)
      append(&own, part.data, part.length);
    else
      send(part, i, PART);
    from = at;
  }
  return own;
}

static int often(const void* a, const void* b) {
  int64_t x = ((struct count*)a)->times, y = ((struct count*)b)->times;
  return x != y ? (x < y) - (x > y) : order(a, b);
}

static void tell(struct counts found) {
  int64_t all = 0;
  for (int64_t i = 0; i < found.different; i++) all += found.all[i].times;
  printf("%lld words, %lld different ones, in %lld lines, on %d ranks\n", (long long)all,
         (long long)found.different, (long long)found.lines, ranks_);
  qsort(found.all, found.different, sizeof(struct count), often);
  for (int64_t i = 0; i < found.different && i < SHOWN; i++)
    printf("%s %lld\n", found.all[i].word, (long long)found.all[i].times);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  if (argc > 2) fail("usage: words [FILE]", 2);
  struct bytes text = {NULL, 0, 0}, own;
  if (rank_ == 0) {
    text = argc == 2 ? read_file(argv[1]) : made();
    own = share(text);
  } else {
    own = receive(0, PART);
  }
  struct counts found = collect(count(&own));
  if (rank_ == 0) {
    struct bytes a = packed(found), b = packed(count(&text));
    if (a.length != b.length || memcmp(a.data, b.data, a.length) != 0)
      fail("The counts of the parts are not those of the whole text.", 1);
    tell(found);
  }
  MPI_Finalize();
}
