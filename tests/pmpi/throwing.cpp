/* Callbacks in C++ that throw through MPI, and error handlers that jump out of it. With an argument
   attributes' functions throw, too, which not every MPI survives. */
#include "say.h"

#include <csetjmp>
#include <stdexcept>
#include <string>

static std::jmp_buf back;

static void throws(MPI_Comm *, int *code, ...) {
  throw std::runtime_error(std::to_string(outcome(*code)));
}
static int copies(MPI_Comm, int, void *, void *, void *, int *) {
  throw std::runtime_error("copy");
}
static int deletes(MPI_Comm, int, void *, void *) { throw std::runtime_error("delete"); }
static void adds(void *, void *, int *, MPI_Datatype *) { throw std::runtime_error("operation"); }
static void jumps(MPI_Comm *, int *code, ...) { std::longjmp(back, outcome(*code)); }

template <class Call>
static void expect(const char *what, Call call) {
  try {
    const int code = call();
    say("%s: returned %d", what, outcome(code));
  } catch (const std::exception &thrown) {
    say("%s: threw %s", what, thrown.what());
  }
}

int main(int argc, char **argv) {
  int size = 0, x = 77;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &said_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Errhandler thrower, jumper;
  MPI_Comm_create_errhandler(throws, &thrower);
  MPI_Comm_create_errhandler(jumps, &jumper);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, thrower);
  for (int i = 0; i < 3; ++i) {
    expect("fine", [&] { return MPI_Comm_size(MPI_COMM_WORLD, &size); });
    expect("send", [&] { return MPI_Send(&x, 1, MPI_INT, size + 3, 0, MPI_COMM_WORLD); });
    expect("bcast", [&] { return MPI_Bcast(&x, 1, MPI_INT, size, MPI_COMM_WORLD); });
    expect("start", [&] {
      MPI_Request made;
      return MPI_Recv_init(&x, 1, MPI_INT, 0, -7, MPI_COMM_WORLD, &made);
    });
    expect("cart", [&] {
      const int dims[1] = {size + 1}, periods[1] = {0};
      MPI_Comm made;
      return MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &made);
    });
    expect("called", [] { return MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER); });
    expect("null", [] { return MPI_Comm_rank(MPI_COMM_WORLD, nullptr); });
  }
  MPI_Op adder;
  MPI_Op_create(adds, 1, &adder);
  expect("reduce", [&] { return MPI_Reduce_local(&x, &size, 1, MPI_INT, adder); });
  MPI_Op_free(&adder);
  if (argc > 1) {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm own, made;
    MPI_Comm_dup(MPI_COMM_SELF, &own);
    MPI_Comm_create_keyval(copies, deletes, &key, nullptr);
    MPI_Comm_set_attr(own, key, nullptr);
    expect("copied", [&] { return MPI_Comm_dup(own, &made); });
    expect("deleted", [&] { return MPI_Comm_delete_attr(own, key); });
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, jumper);
  for (volatile int i = 0; i < 3; i = i + 1) {
    if (const int code = setjmp(back)) {
      say("jumped %d", code);
      continue;
    }
    MPI_Send(&x, 1, MPI_INT, size + 3, 0, MPI_COMM_WORLD);
    say("not here");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  say("left alone: %d, %d", outcome(MPI_Comm_size(MPI_COMM_NULL, &x)), x);
  MPI_Errhandler_free(&thrower);
  MPI_Errhandler_free(&jumper);
  MPI_Finalize();
  return 0;
}
