// What a program needs that calls every function of the C++ layer with a library in front of MPI that
// answers for it (../echo.c): arguments, no two alike, what C must see of them, and what must come
// back. The calls are written by ../echo_cpp.py.

#pragma once

#include <cstdint>
#include <mpiglot/mpi.hpp>
#include <string>
#include <vector>

namespace echo {

namespace mpi = mpiglot::mpi;

/// What one parameter was given, as C must see it.
struct given {
  enum class as {
    nothing,
    number,
    handle,
    flag,
    pointer,
    text,
    texts,
    lists,
    array,
    place,
    function
  };

  as kind = as::nothing;
  std::int64_t number = 0;
  const void* address = nullptr;
  int bytes = 0;  // of a handle or an enumerator; 0: as wide as C's number is
  std::vector<std::int64_t> elements{};
  std::size_t size = 0;
};

/// What becomes of one argument of the C function.
struct slot {
  std::string kind;        // number, given, array, length, text, result, flag, size or any
  std::string name;        // of a result
  int place = -1;          // which parameter
  std::string letters[2];  // in the function and in its twin
  std::string way;         // in, out, inout, at

  [[nodiscard]] char letter(bool twin) const;
};

/// One function of the layer: a line of the table, and the calls of both its
/// forms.
class call {
 public:
  using form = void (*)(call&);

  call(const char* line, bool exists, form nothrow, form throwing);

  // What a form tells of itself.
  given& parameter(int place);
  void code(int got) { code_ = got; }
  void got(const char* name, std::int64_t value);
  void got(const char* name, bool value);
  void got(const char* name, double value);
  void got(const char* name, const std::string& value);
  void got_nothing(bool nothing) { nothing_ = nothing; }
  /// At the end: what MPI wrote to the arguments is still there.
  void settle();

  /// What is added to the parameter `place`, or to the last of its numbers: 0,
  /// or more than 32 bits hold.
  [[nodiscard]] std::int64_t wide(int place) const { return place == wide_ ? large : 0; }

 private:
  static constexpr std::int64_t large = std::int64_t{1} << 33;
  enum class outcome { success, error, none };

  void run(outcome wanted, bool throwing, int wide, bool twin, bool refused);
  void passed(int i, const slot& s);
  void absent();
  void wrong(const std::string& what);
  [[nodiscard]] bool compares() const;
  [[nodiscard]] char written(const slot& s) const;
  [[nodiscard]] std::int64_t value_of(std::size_t i) const;

  std::string line_, name_, small_, large_, both_, kind_;
  bool always_ = false, twin_ = false, throwing_ = false, nothing_ = false, looks_ = false;
  std::vector<slot> slots_;
  std::vector<given> given_;
  form forms_[2];
  outcome wanted_ = outcome::success;
  int code_ = 0, wide_ = -1, reported_ = 0;
  unsigned compared_ = 0;  // results that came back
};

/// Answers whatever a callback is asked for; nothing calls it.
struct anything {
  template <class T>
  operator T() const {
    __builtin_trap();
  }
};

// ---------------------------------------------------------------------------
// values

template <class T>
[[nodiscard]] std::int64_t seen(const T& value) {
  if constexpr (requires { value.native; })
    return seen(value.native);
  else if constexpr (requires { static_cast<std::int64_t>(value); })
    return static_cast<std::int64_t>(value);
  else
    return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(value));
}
[[nodiscard]] inline bool seen(const bool& value) { return value; }
[[nodiscard]] inline double seen(const double& value) { return value; }
[[nodiscard]] inline const std::string& seen(const std::string& value) { return value; }

/// A handle, number, enumerator or address with a value of its own.
template <class T>
[[nodiscard]] T made(std::int64_t number) {
  if constexpr (requires(T x) { x.native; }) {
    using native = decltype(T::native);
    if constexpr (requires { static_cast<native>(number); })
      return T{static_cast<native>(number)};
    else
      return T{reinterpret_cast<native>(number)};
  } else {
    return static_cast<T>(number);
  }
}

/// How many bytes C sees of such a value whatever the function is.
template <class T>
constexpr int bytes_of() {
  if constexpr (requires(T x) { x.native; }) return sizeof(T);
  return __is_enum(T) ? sizeof(int) : 0;
}

// One argument: `value` is what the function is given.

template <class T>
struct argument {
  argument(call& c, int place) : value(made<T>(c.wide(place) + 20 + place)) {
    auto& g = c.parameter(place);
    g.kind = bytes_of<T>() ? given::as::handle : given::as::number;
    g.number = seen(value);
    g.bytes = bytes_of<T>();
  }
  T value;
};

template <>
struct argument<bool> {
  argument(call& c, int place) : value(place % 2 == 0) {
    auto& g = c.parameter(place);
    g.kind = given::as::flag;
    g.number = value;
  }
  bool value;
};

template <class T>
struct argument<T&> {
  argument(call& c, int place) : value(made<T>(c.wide(place) + 20 + place)) {
    auto& g = c.parameter(place);
    g.kind = given::as::place;
    g.address = &value;
    g.bytes = sizeof(T);
    g.elements = {seen(value)};
  }
  T value;
};

template <class T>
struct argument<T*> {
  argument(call& c, int place) : value(reinterpret_cast<T*>(memory)) {
    auto& g = c.parameter(place);
    g.kind = given::as::pointer;
    g.address = value;
  }
  alignas(16) char memory[512] = {};
  T* value;
};

template <class T>
struct argument<mpi::span<T>> {
  using element = typename mpi::detail::without_const<T>::type;
  argument(call& c, int place) {
    auto& g = c.parameter(place);
    g.kind = given::as::array;
    g.bytes = bytes_of<element>();
    for (int i = 0; i < length; ++i) {
      const auto number = (i == length - 1 ? c.wide(place) : 0) + 10 * (place + 1) + i % 8;
      if constexpr (__is_same(element, mpi::rank_range)) {
        elements[i] = {static_cast<int>(number), 1000 * place, i};
        for (const int one : {elements[i].first, elements[i].last, elements[i].stride})
          g.elements.push_back(one);
      } else {
        elements[i] = made<element>(number);
        g.elements.push_back(seen(elements[i]));
      }
    }
    g.address = elements;
    g.size = length;
    value = mpi::span<T>(elements, length);
  }
  static constexpr int length = 24;
  element elements[length];
  mpi::span<T> value;
};

struct status_argument {
  status_argument(call& c, int place) {
    auto& g = c.parameter(place);
    g.kind = given::as::pointer;
    g.address = statuses;
  }
  mpi::status statuses[24];
};
template <>
struct argument<mpi::status&> : status_argument {
  using status_argument::status_argument;
  mpi::status& value = *statuses;
};
template <>
struct argument<const mpi::status&> : argument<mpi::status&> {
  using argument<mpi::status&>::argument;
};
template <>
struct argument<mpi::status_out> : status_argument {
  using status_argument::status_argument;
  mpi::status_out value{*statuses};
};
template <>
struct argument<mpi::statuses_out> : status_argument {
  using status_argument::status_argument;
  mpi::statuses_out value{statuses};
};

template <>
struct argument<mpi::text> {
  argument(call& c, int place) : characters("text " + std::to_string(place)), value(characters) {
    auto& g = c.parameter(place);
    g.kind = given::as::text;
    g.address = characters.c_str();
  }
  std::string characters;
  mpi::text value;
};

template <>
struct argument<const mpi::text_list&> {
  argument(call& c, int place) : characters("text " + std::to_string(place)) {
    auto& g = c.parameter(place);
    g.kind = given::as::texts;
    g.address = characters.c_str();
  }
  std::string characters;
  mpi::text_list value{characters.c_str()};
};

template <>
struct argument<const mpi::text_lists&> {
  argument(call& c, int place) : lists(24, {"text " + std::to_string(place)}) {
    c.parameter(place).kind = given::as::lists;
    c.parameter(place).address = lists[0][0].c_str();
  }
  std::vector<std::vector<std::string>> lists;
  mpi::text_lists value{lists};
};

template <>
struct argument<mpi::main_arguments> {
  argument(call& c, int place) { c.parameter(place).kind = given::as::nothing; }
  int count = 0;
  char** vector = nullptr;
  mpi::main_arguments value{count, vector};
};

struct callable {
  template <class... T>
  anything operator()(T&&...) const {
    __builtin_trap();
  }
};
template <>
struct argument<callable> {
  argument(call& c, int place) { c.parameter(place).kind = given::as::function; }
  callable value;
};

}  // namespace echo
