// Classes whose fields cannot be found.

#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/reflect.hpp>
#include <mpiglot/serialized.hpp>

using namespace mpiglot;

struct plain {
  int number;
  std::string text;
};
struct with_array {
  std::string name;
  float matrix[3][2];
  plain rest;
};
class with_constructor {
 public:
  explicit with_constructor(int one) : number(one) {}
  int number;
};
union either {
  int number;
  float other;
};
struct empty {};
struct with_base : plain {
  std::string more;
};
struct with_pointer {
  std::string name;
  plain* other;
};
struct with_reference {
  std::string name;
  plain& other;
};
struct with_either {
  std::string name;
  either other;
};

#if MISTAKE == 0  // none: this must compile
[[maybe_unused]] static void call(const communicator& comm, plain& right) {
  comm.send(send_buf(as_serialized(right)), destination(1));
}
#elif MISTAKE == 1  // make it a std::array
template <>
struct mpiglot::fields_of<with_array> : mpiglot::reflected_fields<with_array> {};
#elif MISTAKE == 2  // list the fields yourself
template <>
struct mpiglot::fields_of<with_constructor> : mpiglot::reflected_fields<with_constructor> {};
#elif MISTAKE == 3  // list the fields yourself
template <>
struct mpiglot::fields_of<either> : mpiglot::reflected_fields<either> {};
#elif MISTAKE == 4  // nothing to send
template <>
struct mpiglot::fields_of<empty> : mpiglot::reflected_fields<empty> {};
#elif MISTAKE == 5  // there is no datatype for a field
template <>
struct mpiglot::datatype_traits<plain> : mpiglot::fields_datatype<plain> {};
#elif MISTAKE == 6  // type_cannot_be_encoded_list_fields_and_rules_of_pointers<mpiglot::builtin_codec, with_base
void call(const communicator& comm, const with_base& value) {
  comm.send(send_buf(as_serialized(value)), destination(1));
}
#elif MISTAKE == 7  // field_is_a_pointer_list_it_by_owned_shared_or_observed<with_pointer, plain
void call(const communicator& comm, const with_pointer& value) {
  comm.send(send_buf(as_serialized(value)), destination(1));
}
#elif MISTAKE == 8  // type_cannot_be_encoded_list_fields_and_rules_of_pointers<mpiglot::builtin_codec, with_reference
void call(const communicator& comm, const with_reference& value) {
  comm.send(send_buf(as_serialized(value)), destination(1));
}
#elif MISTAKE == 9  // type_cannot_be_encoded_list_fields_and_rules_of_pointers<mpiglot::builtin_codec, std::vector<with_array
void call(const communicator& comm, const std::vector<with_array>& value) {
  comm.send(send_buf(as_serialized(value)), destination(1));
}
#elif MISTAKE == 10  // field_cannot_be_encoded_or_decoded<with_either, either
void call(const communicator& comm, const with_either& value) {
  comm.send(send_buf(as_serialized(value)), destination(1));
}
#endif
