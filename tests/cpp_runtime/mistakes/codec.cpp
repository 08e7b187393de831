// Values that a codec cannot write: found where they are named, whatever the operation is.

#include <cstdlib>
#include <map>
#include <memory>
#include <span>
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
struct node {
  int value;
  node* next;
};
struct with_span {
  int value;
  std::span<int> others;
};
class secret {
 public:
  secret() = default;
  [[nodiscard]] const void* place() const { return place_; }

 private:
  const void* place_ = nullptr;
};
struct animal {
  virtual ~animal() = default;
};
struct no_base {
  int value;
  static void fields(auto& self, auto&& visit) { visit(self.value); }
};
struct made_of_int {
  explicit made_of_int(int given) : value(given) {}
  int value;
  static void fields(auto& self, auto&& visit) { visit(self.value); }
};
struct freed_otherwise {
  void operator()(int* p) const { std::free(p); }
};

[[maybe_unused]] static void call(const communicator& comm, without_fields plain, around_it outer,
                                  int* pointer) {
  static_cast<void>(comm);
  static_cast<void>(plain);
  static_cast<void>(outer);
  static_cast<void>(pointer);
#if MISTAKE == 0  // none: this must compile
  comm.send(send_buf(as_serialized(plain.name)), destination(1));
#elif MISTAKE == 1  // type_cannot_be_encoded_list_fields_and_rules_of_pointers<mpiglot::builtin_codec, without_fields>
  comm.send(send_buf(as_serialized(plain)), destination(1));
#elif MISTAKE == 2  // type_cannot_be_encoded_list_fields_and_rules_of_pointers<mpiglot::builtin_codec, around_it>
  auto x = comm.bcast(send_recv_buf(as_serialized(static_cast<around_it&&>(outer))));
#elif MISTAKE == 3  // type_cannot_be_encoded_list_fields_and_rules_of_pointers<mpiglot::builtin_codec, std::map<int, without_fields
  auto x = comm.allgather(send_buf(as_serialized(std::map<int, without_fields>())));
#elif MISTAKE == 4  // type_cannot_be_encoded_list_fields_and_rules_of_pointers<mpiglot::builtin_codec, int
  comm.send(send_buf(as_serialized(pointer)), destination(1));
#elif MISTAKE == 5  // type_cannot_be_encoded_list_fields_and_rules_of_pointers<mpiglot::builtin_codec, node>
  node value{};
  comm.send(send_buf(as_serialized(value)), destination(1));
#elif MISTAKE == 6  // type_cannot_be_encoded_list_fields_and_rules_of_pointers<mpiglot::builtin_codec, std::vector<with_span
  std::vector<with_span> value;
  comm.send(send_buf(as_serialized(value)), destination(1));
#elif MISTAKE == 7  // type_cannot_be_encoded_list_fields_and_rules_of_pointers<mpiglot::builtin_codec, std::unique_ptr<secret
  std::unique_ptr<secret> value;
  comm.send(send_buf(deep(value)), destination(1));
#elif MISTAKE == 8  // type_cannot_be_encoded_list_fields_and_rules_of_pointers<mpiglot::builtin_codec, std::unique_ptr<int, freed_otherwise
  std::unique_ptr<int, freed_otherwise> value;
  comm.send(send_buf(deep(value)), destination(1));
#elif MISTAKE == 9  // type_cannot_be_encoded_list_fields_and_rules_of_pointers<mpiglot::builtin_codec, std::unique_ptr<animal
  std::unique_ptr<animal> value;
  comm.send(send_buf(deep(value)), destination(1));
#elif MISTAKE == 10  // register_type: only classes with virtual functions, fields and a default constructor
  register_type<no_base>("no base");
#elif MISTAKE == 11  // type_has_objects_without_default_constructor<mpiglot::builtin_codec, std::vector<made_of_int
  std::vector<made_of_int> value;
  comm.send(send_buf(as_serialized(value)), destination(1));
#elif MISTAKE == 12  // type_has_objects_without_default_constructor<mpiglot::builtin_codec, std::unique_ptr<made_of_int
  std::unique_ptr<made_of_int> value;
  comm.bcast(send_recv_buf(deep(value)));
#endif
}
