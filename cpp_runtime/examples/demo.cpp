// What mpiglot's C++ layer looks like: a ring, a reduction with an operation of one's own, a column of
// a matrix, and errors. Every part checks its result.

#include <array>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <mpiglot/environment.hpp>
#include <mpiglot/mpi.hpp>

namespace mpi = mpiglot::mpi;

namespace {

void expect(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(std::string("not as expected: ") + what);
}

// Every process sends its rank to the next one and receives that of the one before.
void ring(mpi::comm_handle comm) {
  const int rank = mpi::comm_rank(comm);
  const int size = mpi::comm_size(comm);
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;

  int received = -1;
  mpi::request_handle arrival = mpi::irecv(&received, 1, mpi::int_, previous, 7, comm);
  mpi::send(&rank, 1, mpi::int_, next, 7, comm);
  mpi::status status;
  mpi::wait(arrival, status);

  expect(received == previous, "the neighbour's rank comes round the ring");
  expect(status.source() == previous && status.tag() == 7, "the status tells source and tag");
  expect(mpi::get_count(status, mpi::int_) == 1, "the status tells the count");
  expect(!arrival, "a completed request is null");
}

// The longest of vectors (x, y), by an operation that knows how often it was called.
void longest_vector(mpi::comm_handle comm) {
  struct vector {
    double x, y;
    [[nodiscard]] double length2() const { return x * x + y * y; }
  };
  int calls = 0;
  mpi::unique_op longest{mpi::op_create(
      [&calls](const void* in, void* inout, int count, mpi::datatype_handle) {
        const auto* mine = static_cast<const vector*>(in);
        auto* best = static_cast<vector*>(inout);
        for (int i = 0; i < count; ++i)
          if (mine[i].length2() > best[i].length2()) best[i] = mine[i];
        ++calls;
      },
      true)};
  mpi::unique_datatype vector_type{mpi::type_contiguous(2, mpi::double_)};
  mpi::type_commit(vector_type);

  const int rank = mpi::comm_rank(comm);
  const int size = mpi::comm_size(comm);
  const vector mine{0.0, rank % 2 == 0 ? rank + 1.0 : -rank - 1.0};
  vector result{};
  mpi::allreduce(&mine, &result, 1, vector_type, longest, comm);

  expect(result.length2() == static_cast<double>(size) * size, "the longest vector wins");
  const int all_calls = [&] {
    int sum = 0;
    mpi::allreduce(&calls, &sum, 1, mpi::int_, mpi::sum, comm);
    return sum;
  }();
  expect(size == 1 || all_calls > 0, "the operation was called");
}

// The second column of a matrix, sent as one element and received as contiguous numbers.
void matrix_column(mpi::comm_handle comm) {
  constexpr int rows = 5;
  constexpr int columns = 3;
  std::array<int, rows * columns> matrix{};
  for (int i = 0; i < rows * columns; ++i) matrix[static_cast<std::size_t>(i)] = i;

  mpi::unique_datatype column{mpi::type_vector(rows, 1, columns, mpi::int_)};
  mpi::type_commit(column);

  const int rank = mpi::comm_rank(comm);
  std::array<int, rows> received{};
  mpi::sendrecv(&matrix[1], 1, column, rank, 1, received.data(), rows, mpi::int_, rank, 1, comm);

  for (int i = 0; i < rows; ++i)
    expect(received[static_cast<std::size_t>(i)] == i * columns + 1, "the column arrives");
}

// Errors are exceptions with a class, a function and MPI's own words.
void errors(mpi::comm_handle comm) {
  const int number = 1;
  try {
    mpi::send(&number, 1, mpi::int_, 9999, 0, comm);
    expect(false, "sending to rank 9999 fails");
  } catch (const mpi::error& error) {
    expect(error.error_class() == mpi::error_class::rank, "the class says that it is the rank");
    expect(std::string(error.function()) == "MPI_Send", "the error names the function");
    expect(*error.message() != '\0', "the error has MPI's message");
  }

  const int rank = mpi::comm_rank(comm);
  const std::array<int, 4> four{1, 2, 3, 4};
  int one = 0;
  mpi::request_handle departure = mpi::isend(four.data(), 4, mpi::int_, rank, 2, comm);
  try {
    mpi::recv(&one, 1, mpi::int_, rank, 2, comm);
    expect(false, "receiving four numbers in the room for one fails");
  } catch (const mpi::error& error) {
    expect(error.error_class() == mpi::error_class::truncate, "the message was truncated");
  }
  static_cast<void>(mpi::nothrow::wait(departure));  // on some MPIs the sender is told, too

  const auto outcome = mpi::nothrow::comm_size(mpi::comm_null);
  expect(!outcome.ok(), "where nothing may be thrown, a result tells the code");
}

void run() {
  mpi::unique_comm comm{mpi::comm_dup(mpi::comm_world)};
  ring(comm);
  longest_vector(comm);
  matrix_column(comm);
  errors(comm);
}

}  // namespace

int main(int argc, char** argv) try {
  const mpiglot::environment environment(argc, argv);
  try {
    run();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "demo C++: rank %d: %s\n", mpi::comm_rank(mpi::comm_world),
                 failure.what());
    mpi::abort(mpi::comm_world, 1);
  }
  mpi::barrier(mpi::comm_world);
  if (mpi::comm_rank(mpi::comm_world) == 0) {
    const std::string version = mpi::get_library_version();
    std::printf("demo C++: ok on %d ranks with %s\n", mpi::comm_size(mpi::comm_world),
                version.substr(0, version.find('\n')).c_str());
  }
  return 0;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "demo C++: %s\n", failure.what());
  return 1;
}
