// Fields that a class lists and the codec cannot write: found on both sides.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <mpiglot/arena.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/serialized.hpp>

using namespace mpiglot;

struct right {
  int value;
  std::vector<std::unique_ptr<right>> children;
  std::map<std::string, std::vector<right>> named;
  static void fields(auto& self, auto&& visit) { visit(self.value, self.children, self.named); }
};
struct with_span {
  int value;
  std::span<int> others;
  static void fields(auto& self, auto&& visit) { visit(self.value, self.others); }
};
struct with_spans {
  std::vector<std::span<const int>> all;
  static void fields(auto& self, auto&& visit) { visit(self.all); }
};
struct outside {
  with_span inside;
  static void fields(auto& self, auto&& visit) { visit(self.inside); }
};
struct with_pointer {
  int* place;
  static void fields(auto& self, auto&& visit) { visit(self.place); }
};

struct shape {
  virtual ~shape() = default;
  static void fields(auto&, auto&& visit) { visit(); }
};
struct with_shape {
  shape* one;
  static void fields(auto& self, auto&& visit) { visit(owned(self.one)); }
};
struct with_spans_of_its_own {
  std::span<int>* all;
  int count;
  static void fields(auto& self, auto&& visit) { visit(owned(self.all, self.count)); }
};

struct with_unique_shape {
  std::unique_ptr<shape> one;
  static void fields(auto& self, auto&& visit) { visit(self.one); }
};
struct with_pointers {
  std::vector<right*> all;
  static void fields(auto& self, auto&& visit) { visit(self.all); }
};
union number {
  int whole;
  float real;
};
struct with_union {
  std::string name;
  number one;
  static void fields(auto& self, auto&& visit) { visit(self.name, self.one); }
};
// Its destructor is not virtual.
struct animal {
  using registers_types = void;
  virtual int legs() const { return 4; }
  static void fields(auto&, auto&& visit) { visit(); }
};
struct with_animal {
  std::shared_ptr<animal> one;
  static void fields(auto& self, auto&& visit) { visit(self.one); }
};

struct with_text {
  with_text* next = nullptr;
  std::string text;
  static void fields(auto& self, auto&& visit) { visit(owned(self.next), self.text); }
};

struct with_const {
  const int k = 3;
  std::string text;
  static void fields(auto& self, auto&& visit) { visit(self.k, self.text); }
};
struct with_owned_text {
  int n = 0;
  std::string text;
  static void fields(auto& self, auto&& visit) { visit(self.n, owned(self.text)); }
};
struct with_count_of_text {
  int* n = nullptr;
  std::string text;
  static void fields(auto& self, auto&& visit) { visit(owned(self.n, self.text)); }
};
struct without_default {
  explicit without_default(int given) : value(given) {}
  int value;
  static void fields(auto& self, auto&& visit) { visit(self.value); }
};
struct with_made {
  std::vector<without_default> all;
  static void fields(auto& self, auto&& visit) { visit(self.all); }
};
struct with_owned_made {
  without_default* one = nullptr;
  static void fields(auto& self, auto&& visit) { visit(owned(self.one)); }
};

// Not static, so that code is generated.
void call(const communicator& comm, right& node, with_span& listed, with_spans& many,
          outside& outer) {
  static_cast<void>(comm);
  static_cast<void>(node);
  static_cast<void>(listed);
  static_cast<void>(many);
  static_cast<void>(outer);
#if MISTAKE == 0  // none: this must compile
  comm.send(send_buf(as_serialized(node)), destination(1));
  comm.recv(recv_buf(as_deserializable(node)), source(1));
#elif MISTAKE == 1  // field_cannot_be_encoded_or_decoded<with_span, std::span<int
  comm.send(send_buf(as_serialized(listed)), destination(1));
#elif MISTAKE == 2  // field_cannot_be_encoded_or_decoded<with_span, std::span<int
  comm.recv(recv_buf(as_deserializable(listed)), source(1));
#elif MISTAKE == 3  // field_cannot_be_encoded_or_decoded<with_spans, std::vector<std::span<
  comm.send(send_buf(as_serialized(many)), destination(1));
#elif MISTAKE == 4  // field_cannot_be_encoded_or_decoded<with_span, std::span<int
  comm.recv(recv_buf(as_deserializable(outer)), source(1));
#elif MISTAKE == 5  // field_is_a_pointer_list_it_by_owned_shared_or_observed<with_pointer, int
  static_cast<void>(comm.recv(recv_buf(deep<with_pointer>()), source(1)));
#elif MISTAKE == 6  // field_cannot_be_encoded_or_decoded<with_shape, mpiglot::detail::owned_object<shape
  static_cast<void>(comm.recv(recv_buf(deep<with_shape>()), source(1)));
#elif MISTAKE == 7  // field_cannot_be_encoded_or_decoded<with_spans_of_its_own, mpiglot::detail::owned_array<
  static_cast<void>(comm.recv(recv_buf(deep<with_spans_of_its_own>()), source(1)));
#elif MISTAKE == 8  // field_cannot_be_encoded_or_decoded<with_unique_shape, std::unique_ptr<shape
  static_cast<void>(comm.recv(recv_buf(deep<with_unique_shape>()), source(1)));
#elif MISTAKE == 9  // field_is_a_pointer_list_it_by_owned_shared_or_observed<with_pointers, std::vector<right
  static_cast<void>(comm.recv(recv_buf(deep<with_pointers>()), source(1)));
#elif MISTAKE == 10  // field_cannot_be_encoded_or_decoded<with_union, number
  static_cast<void>(comm.recv(recv_buf(deep<with_union>()), source(1)));
#elif MISTAKE == 11  // field_cannot_be_encoded_or_decoded<with_animal, std::shared_ptr<animal
  static_cast<void>(comm.recv(recv_buf(deep<with_animal>()), source(1)));
#elif MISTAKE == 12  // field_needs_a_destructor<with_text, std::
  arena_of<with_text> all;
  static_cast<void>(comm.recv(recv_buf(deep(all)), source(1)));
#elif MISTAKE == 13  // field_is_const_and_cannot_be_received<with_const,
  with_const one;
  comm.bcast(send_recv_buf(deep(one)));
#elif MISTAKE == 14  // field_has_a_rule_of_pointers_and_is_none<with_owned_text, std::
  static_cast<void>(comm.recv(recv_buf(deep<with_owned_text>()), source(1)));
#elif MISTAKE == 15  // field_has_a_rule_of_pointers_and_is_none<with_count_of_text, int
  static_cast<void>(comm.recv(recv_buf(deep<with_count_of_text>()), source(1)));
#elif MISTAKE == 16  // field_has_objects_without_default_constructor<with_made, std::vector<without_default
  static_cast<void>(comm.recv(recv_buf(deep<with_made>()), source(1)));
#elif MISTAKE == 17  // field_has_objects_without_default_constructor<with_owned_made, mpiglot::detail::owned_object<
  static_cast<void>(comm.recv(recv_buf(deep<with_owned_made>()), source(1)));
#endif
}
