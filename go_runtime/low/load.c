// Finding the functions of an MPI library at run time.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "mpiglot.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#if defined(__linux__)
#include <link.h>
#endif

mpg_state mpg;
void *const mpg_go_null = NULL;

mpg_extent mpg_extents[MPG_EXTENTS];

void mpg_learn_extent(uint64_t datatype, int64_t bytes) {
  mpg_extent *place = (mpg_extent *)mpg_extent_of(datatype);
  if (bytes > 0 && !place->bytes) *place = (mpg_extent){datatype, bytes};
}

int mpg_roomy_else(const void *p, int64_t n, int64_t count, uint64_t datatype) {
  if (count < 0 || n < 0 || !p) return 1;  // a negative count is for MPI to refuse
  int64_t each = mpg_extent_of(datatype)->bytes;
  return !each || (count <= n && (uint64_t)count <= (uint64_t)n / (uint64_t)each);
}

int mpg_there(const void *p, int64_t n, const void *counts, int64_t counts_n) {
  const int64_t *each = counts;
  for (int64_t i = 0; !p && n >= 0 && each && i < counts_n; i++)
    if (each[i]) return 0;
  return 1;
}

int mpg_within(int64_t n, int64_t used, int64_t position, int64_t count, uint64_t datatype) {
  if (n < 0 || n == INT64_MAX) return 1;
  if (position < 0 || position > used) return 0;
  int64_t each = count > 0 ? mpg_extent_of(datatype)->bytes : 0;
  return !each || count <= (used - position) / each;
}

// Opens a library for the whole process, so that what is looked up there is what tools that were
// preloaded have put in front of it.
void *mpg_open(const char *path, char *error, size_t size) {
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!library) snprintf(error, size, "%s", dlerror());
  return library;
}

void *mpg_symbol(void *library, const char *name) { return dlsym(library, name); }

void *mpg_global(const char *name) { return dlsym(RTLD_DEFAULT, name); }

// The file that holds an address; 0 if there is none.
int mpg_file_of(void *address, char *path, size_t size) {
  Dl_info info;
  if (!address || !dladdr(address, &info) || !info.dli_fname) return 0;
  snprintf(path, size, "%s", info.dli_fname);
  return 1;
}

// The library's own version text: this function may be called before init.
int mpg_library_version(void *library, char *text, size_t size) {
  int (*get)(char *, int *) = (int (*)(char *, int *))dlsym(library, "MPI_Get_library_version");
  char buffer[8192] = {0};
  int length = 0;
  if (!get || get(buffer, &length) != 0) return 0;
  snprintf(text, size, "%s", buffer);
  return 1;
}

// The version of the standard that the library says it has; 0 if it says none.
int mpg_standard(void *library, int *version, int *subversion) {
  int (*get)(int *, int *) = (int (*)(int *, int *))dlsym(library, "MPI_Get_version");
  return get && get(version, subversion) == 0;
}

// Whether a function of the library, which takes two results, tells a version of 1 or more.
int mpg_tells_version(void *library, const char *function) {
  int (*get)(int *, int *) = (int (*)(int *, int *))dlsym(library, function);
  int major = -1, minor = -1;
  return get && get(&major, &minor) == 0 && major > 0;
}

// Looks up every function; returns how many there are.
int mpg_resolve(void) {
  int found = 0;
  for (int i = 0; i < mpg_function_count; i++) {
    void *address = NULL;
    for (const char *name = mpg_names[i]; !address && *name; name += strlen(name) + 1)
      address = dlsym(RTLD_DEFAULT, name);
    mpg_fn[i] = address;
    found += address != NULL;
  }
  mpg.comm_size = mpg_global("PMPI_Comm_size");
  mpg.comm_remote_size = mpg_global("PMPI_Comm_remote_size");
  mpg.comm_test_inter = mpg_global("PMPI_Comm_test_inter");
  mpg.comm_rank = mpg_global("PMPI_Comm_rank");
  mpg.type_size = mpg_global("PMPI_Type_size");
  mpg.topo_test = mpg_global("PMPI_Topo_test");
  mpg.cartdim_get = mpg_global("PMPI_Cartdim_get");
  mpg.graph_neighbors_count = mpg_global("PMPI_Graph_neighbors_count");
  mpg.dist_graph_neighbors_count = mpg_global("PMPI_Dist_graph_neighbors_count");
  mpg.early = mpg_global("MPI_Info_create_env") != NULL;
  mpg.loaded = 1;
  return found;
}

int mpg_has(const char *name) {
  for (int i = 0; name && i < mpg_function_count; i++)
    if (!strcmp(mpg_names[i], name)) return mpg_fn[i] != NULL;
  return 0;
}

void mpg_use(int profile, size_t status_size) {
  mpg.profile = profile;
  mpg.status_size = status_size;
}

void mpg_set_topologies(int cart, int graph, int dist_graph) {
  mpg.cart = cart;
  mpg.graph = graph;
  mpg.dist_graph = dist_graph;
}

void mpg_set_special(int index, uintptr_t value) { mpg.special[index] = (void *)value; }

uint64_t mpg_load_word(void *address) {
  uint64_t word;
  memcpy(&word, address, sizeof word);
  return word;
}

// Asks MPI whether it is between init and finalize. MPI_Initialized stays true after finalize.
int mpg_now_running(void) {
  if (!mpg.loaded) return 0;
  if (mpg.only && mpg.only != mpg_thread()) return 0;
  static int (*initialized)(int *), (*finalized)(int *);
  if (!initialized) {
    finalized = (int (*)(int *))mpg_global("MPI_Finalized");
    initialized = (int (*)(int *))mpg_global("MPI_Initialized");
  }
  int begun = 0, ended = 0;
  if (!initialized || initialized(&begun) != 0 || !finalized || finalized(&ended) != 0) return 0;
  mpg.running = begun && !ended && !mpg.only;
  return begun && !ended;
}

// From now on only this thread may call; each call then takes the slow path, which sees to it.
void mpg_only_this_thread(void) {
  mpg.only = mpg_thread();
  mpg.running = 0;
}

// Why a call was refused.
int mpg_refusal(void) {
  return mpg.only && mpg.only != mpg_thread() ? MPG_WRONG_THREAD : MPG_NOT_RUNNING;
}

void mpg_forget_running(int over) {
  mpg.running = 0;
  mpg.over |= over;
}

// Class (the library's own number) and text of an error code.
int mpg_error_text(int code, int *cls, char *text, int *length) {
  int (*to_class)(int, int *) = (int (*)(int, int *))mpg_global("MPI_Error_class");
  int (*to_text)(int, char *, int *) = (int (*)(int, char *, int *))mpg_global("MPI_Error_string");
  *length = 0;
  *cls = code;
  if (!to_class || !to_text) return 0;
  return to_class(code, cls) == 0 && to_text(code, text, length) == 0;
}

void *mpg_pointer(uintptr_t address) { return (void *)address; }

// The thread that calls this.
uint64_t mpg_thread(void) { return (uint64_t)(uintptr_t)pthread_self(); }

// Go ends a process without running what C libraries registered with atexit. MPICH since 4.3 takes its
// leave from the launcher there; without it the launcher kills the other processes. So once MPI is
// finalized, run what the MPI library itself has registered, and nothing else: exactly what the
// loader does when it unloads a library. The handle under which a library registers is the address of
// a variable in its data that holds its own address.
#if defined(__linux__)
extern void __cxa_finalize(void *);

static int mpg_finalize_object(struct dl_phdr_info *info, size_t size, void *base) {
  (void)size;
  if ((void *)info->dlpi_addr != base) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W)) continue;
    void **word = (void **)((info->dlpi_addr + segment->p_vaddr + 7) & ~(uintptr_t)7);
    void **end = (void **)(info->dlpi_addr + segment->p_vaddr + segment->p_filesz);
    for (; word + 1 <= end; word++)
      if (*word == (void *)word) __cxa_finalize(word);
  }
  return 1;
}

void mpg_run_exit_handlers(void) {
  Dl_info info;
  void *address = mpg_global("PMPI_Finalize");
  if (address && dladdr(address, &info)) dl_iterate_phdr(mpg_finalize_object, info.dli_fbase);
}
#else
void mpg_run_exit_handlers(void) {}
#endif
