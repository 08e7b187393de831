// The places of threads for statuses (mpiglot.h). They outlive their threads, since a goroutine may read what its call
// left in one on another thread: those of a thread that ends go to the next thread that needs some.
#include "mpiglot.h"

#include <pthread.h>
#include <stdio.h>

__thread mpg_place *mpg_places;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t leaving;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mpg_place *unowned;

static void leave(void *places) {
  mpg_place *last = places;
  while (last->next) last = last->next;
  pthread_mutex_lock(&lock);
  last->next = unowned;
  unowned = places;
  pthread_mutex_unlock(&lock);
}

static void prepare(void) { pthread_key_create(&leaving, leave); }

static mpg_place *adopt(void) {
  pthread_mutex_lock(&lock);
  mpg_place *place = unowned;
  if (place) unowned = place->next;
  pthread_mutex_unlock(&lock);
  return place;
}

// A place that is not taken, the first one of this thread from now on.
mpg_place *mpg_find_place(void) {
  pthread_once(&once, prepare);
  mpg_place *before = NULL, *place = mpg_places;
  for (; place && place->taken; place = place->next) before = place;
  if (place && !before) return place;
  if (place) {
    before->next = place->next;
  } else {
    while ((place = adopt()) &&
           place->taken) {  // its goroutine has not come back to it yet: it stays with this thread
      place->next = mpg_places;
      mpg_places = place;
    }
    if (!place && posix_memalign((void **)&place, 64, sizeof *place)) {
      fputs("mpiglot: out of memory\n", stderr);
      abort();
    }
    place->taken = 0;
  }
  place->next = mpg_places;
  mpg_places = place;
  pthread_setspecific(leaving, mpg_places);
  return place;
}
