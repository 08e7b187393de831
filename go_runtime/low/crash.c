#define _GNU_SOURCE

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mpiglot.h"

// What Go writes while it crashes comes to this thread too. No goroutine can say anything then, but a thread of C can. The way
// is so narrow that the crash waits until the first of it is read.
static struct {
  int from;
  char *sentence;
} crash;

static void *tell_of_crash(void *ignored) {
  char text[512];
  int told = 0;
  (void)ignored;
  for (;;) {
    ssize_t n = read(crash.from, text, sizeof text);
    if (n <= 0) return NULL;
    if (!told && write(STDERR_FILENO, crash.sentence, strlen(crash.sentence)) > 0) told = 1;
  }
}

// A descriptor to which Go shall write when it crashes, or -1. What is written there makes the sentence appear on stderr.
int mpg_name_crashes(const char *sentence) {
  int ends[2], least = 1;
  pthread_t thread;
  pthread_attr_t attributes;
  if (!sentence || crash.sentence || !(crash.sentence = strdup(sentence))) return -1;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &least, sizeof least);
  }
  crash.from = ends[0];
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  int failed = pthread_create(&thread, &attributes, tell_of_crash, NULL);
  pthread_attr_destroy(&attributes);
  if (!failed) return ends[1];
  close(ends[0]);
  close(ends[1]);
  return -1;
}
