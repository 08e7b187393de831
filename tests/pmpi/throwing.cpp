/* Error handlers in C++ that throw through MPI, and handlers that jump out of it. */
#include "say.h"

#include <csetjmp>
#include <stdexcept>
#include <string>

static std::jmp_buf back;

static void throws(MPI_Comm *, int *code, ...) {
  throw std::runtime_error(std::to_string(outcome(*code)));
}
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
