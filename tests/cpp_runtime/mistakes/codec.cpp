// Values that a codec cannot write: found where they are named, whatever the operation is.

#include <map>
#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/serialized.hpp>

using namespace mpiglot;

struct without_fields {
  std::string name;
};
struct around_it {
  std::vector<without_fields> all;
};

[[maybe_unused]] static void call(const communicator& comm, without_fields plain, around_it outer,
                                  int* pointer) {
  static_cast<void>(plain);
  static_cast<void>(outer);
  static_cast<void>(pointer);
#if MISTAKE == 0  // none: this must compile
  comm.send(send_buf(as_serialized(plain.name)), destination(1));
#elif MISTAKE == 1  // writes<mpiglot::builtin_codec, without_fields>
  comm.send(send_buf(as_serialized(plain)), destination(1));
#elif MISTAKE == 2  // writes<mpiglot::builtin_codec, around_it>
  auto x = comm.bcast(send_recv_buf(as_serialized(static_cast<around_it&&>(outer))));
#elif MISTAKE == 3  // writes<mpiglot::builtin_codec, std::map<int, without_fields
  auto x = comm.allgather(send_buf(as_serialized(std::map<int, without_fields>())));
#elif MISTAKE == 4  // writes<mpiglot::builtin_codec, int
  comm.send(send_buf(as_serialized(pointer)), destination(1));
#endif
}
