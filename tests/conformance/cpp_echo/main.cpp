// Calls every function of the C++ layer, in the form that throws and in the one
// that does not: see echo.hpp.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mpiglot/environment.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "echo.hpp"

namespace {

using word = std::uintptr_t;
constexpr int slots = 16, memory = 256, texts = 24;

}  // namespace

// The library that answers (../echo.c).
extern "C" {
struct echo_last {
  std::int64_t called, times;
  word words[slots];
  unsigned char memory[slots][memory];
  char texts[slots][2][texts];
};
[[gnu::weak]] int mpiglot_echo(const char*, word, const char*, const word*);
[[gnu::weak]] echo_last* mpiglot_echo_last();
}

namespace {

int checked = 0, missing = 0;
std::vector<std::string> mistakes;
std::set<std::string> called;  // C functions that were seen to report an error,
                               // or gave back a value

std::int64_t number_at(const void* place, std::size_t i, int bytes) {
  if (bytes == 4) {
    std::int32_t number;
    std::memcpy(&number, static_cast<const char*>(place) + 4 * i, sizeof number);
    return number;
  }
  std::int64_t number;
  std::memcpy(&number, static_cast<const char*>(place) + 8 * i, sizeof number);
  return number;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, at);)
    if (!one.empty()) out.push_back(one);
  return out;
}

int choose(const std::string& names, std::int64_t code = 0, const std::string& letters = "",
           std::vector<word> values = {}) {
  values.push_back(0);
  return mpiglot_echo(names.c_str(), static_cast<word>(code), letters.c_str(), values.data());
}

// None that the layer itself reports.
constexpr int codes[] = {MPI_ERR_BUFFER, MPI_ERR_TYPE,    MPI_ERR_TAG, MPI_ERR_COMM,
                         MPI_ERR_RANK,   MPI_ERR_ROOT,    MPI_ERR_OP,  MPI_ERR_GROUP,
                         MPI_ERR_DIMS,   MPI_ERR_TOPOLOGY};

}  // namespace

namespace echo {

char slot::letter(bool twin) const {
  const std::string& own = letters[twin];
  return own.empty() ? '-' : own[0];
}

call::call(const char* line, bool exists, form nothrow, form throwing)
    : line_(line), forms_{nothrow, throwing} {
  const auto halves = split(line_, '|');
  const auto head = split(halves[0], ' ');
  std::tie(name_, small_, large_, kind_) = std::tie(head[2], head[3], head[4], head[5]);
  always_ = head[6] == "always";
  for (const std::string& one : split(halves.size() > 1 ? halves[1] : "", ' ')) {
    const auto fields = split(one, ':');
    slot s;
    s.kind = fields[0];
    if (fields.size() > 1) s.name = fields[1];
    if (fields.size() > 1 && s.kind != "result" && s.kind != "text") s.place = std::stoi(fields[1]);
    if (fields.size() > 3) std::tie(s.letters[0], s.letters[1]) = std::tie(fields[2], fields[3]);
    if (fields.size() > 4 && fields[4].find('=') == std::string::npos) s.way = fields[4];
    slots_.push_back(s);
  }
  const bool has_small = small_ != "-" && choose(small_) > 0;
  const bool has_large = large_ != "-" && choose(large_) > 0;
  both_ = small_ + "," + large_;
  if (!exists) {
    absent();
    return;
  }
  if (!has_small && !has_large) {
    ++missing;
    return;
  }
  const bool twin = (always_ && has_large) || !has_small;
  for (const bool throws : {false, true}) {
    if (kind_ != "value") run(outcome::error, throws, -1, twin, false);
    run(outcome::success, throws, -1, twin, false);
    run(outcome::none, throws, -1, twin, false);
    for (const slot& s : slots_)
      if (s.letters[0] == "i" && s.letters[1] == "l" &&
          (s.kind == "number" || (s.way == "in" && always_)) &&
          given_[static_cast<std::size_t>(s.place)].bytes == 0)
        run(outcome::success, throws, s.place, true, !has_large);
  }
}

given& call::parameter(int place) {
  const auto at = static_cast<std::size_t>(place);
  if (given_.size() <= at) given_.resize(at + 1);
  return given_[at] = given{};
}

void call::wrong(const std::string& what) {
  if (!looks_) return;
  mistakes.push_back(line_ + (throwing_ ? " (throwing): " : " (nothrow): ") + what);
}

void call::absent() {
  for (const bool throws : {false, true}) {
    throwing_ = throws;
    ++checked;
    code_ = 0;
    looks_ = false;
    try {
      forms_[throws](*this);
      looks_ = true;
      if (throws ? kind_ != "void" : kind_ != "value" && code_ != MPI_ERR_UNSUPPORTED_OPERATION)
        wrong("nothing says that it is not there");
    } catch (const mpi::unavailable&) {
    }
  }
}

std::int64_t call::value_of(std::size_t i) const {
  const slot& s = slots_[i];
  const auto number = static_cast<std::int64_t>(i);
  if (s.kind == "size") return 7;  // the length of the texts
  if (s.kind == "text")
    return 10 + number;  // short: a first call that asks for a length has 8 bytes
  if (wanted_ == outcome::none) return 0;
  if (s.kind == "flag") return 1;
  return written(s) == 'l' ? (7000 + number) | std::int64_t{5} << 32 : 7000 + number;
}

char call::written(const slot& s) const {
  if (s.kind == "text") return 's';
  if (s.kind == "flag" || s.kind == "size") return 'i';
  if (s.kind == "result") return s.letter(twin_);
  if ((s.kind != "given" && s.kind != "array") || s.way == "in" || s.way == "at") return '-';
  const given& g = given_[static_cast<std::size_t>(s.place)];
  if (g.kind == given::as::place || g.kind == given::as::array) return s.letter(twin_);
  return '-';
}

void call::run(outcome wanted, bool throwing, int wide, bool twin, bool refused) {
  wanted_ = wanted, throwing_ = throwing, wide_ = wide, twin_ = twin;
  ++checked;
  reported_ = codes[static_cast<std::size_t>(checked) % std::size(codes)];
  const bool is_value = kind_ == "value";
  const int answer = wanted == outcome::error ? reported_ : is_value ? 5000 : MPI_SUCCESS;
  // Arguments are needed to know what is written: a first call makes them, and
  // nobody looks.
  if (given_.empty()) {
    choose(both_, MPI_SUCCESS);
    looks_ = false;
    forms_[0](*this);
  }
  std::string letters;
  std::vector<word> values;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    letters += written(slots_[i]);
    values.push_back(static_cast<word>(value_of(i)));
  }
  choose(both_, answer, letters, values);
  code_ = 0, compared_ = 0, nothing_ = false;
  bool threw = false;
  std::string function;
  looks_ = !refused;
  try {
    forms_[throwing](*this);
  } catch (const mpi::error& problem) {
    threw = true;
    code_ = problem.code();
    function = problem.function();
  }
  const echo_last& last = *mpiglot_echo_last();
  looks_ = true;
  if (refused) {
    if (last.called != -1 || code_ != MPI_ERR_COUNT || threw != throwing)
      wrong("a count that does not fit ended in code " + std::to_string(code_));
    return;
  }
  const bool fails = wanted == outcome::error;
  if (threw != (fails && throwing))
    return wrong(threw ? "threw " + std::to_string(code_) : "threw nothing");
  if (!is_value && kind_ != "void" && (!throwing || threw) &&
      code_ != (fails ? reported_ : MPI_SUCCESS))
    return wrong("the code is " + std::to_string(code_));
  if (threw && function != name_ && function != large_) wrong("the error is of " + function);
  static const std::set<std::string> for_errors{"MPI_Error_class", "MPI_Error_string",
                                                "MPI_Initialized", "MPI_Finalized"};
  const bool asks = for_errors.contains(small_);  // whoever makes an exception calls them too
  if (last.called < 0) return wrong("MPI was not called");
  const auto small = static_cast<std::int64_t>(split(small_, ',').size());
  if ((last.called >= small) != twin) return wrong("the wrong twin was called");
  const auto has = [this](const char* kind) {
    return std::any_of(slots_.begin(), slots_.end(), [&](const slot& s) { return s.kind == kind; });
  };
  if (last.times != 1 && !asks && !(!fails && has("size") && last.times == 2))
    wrong("it was called " + std::to_string(last.times) + " times");
  called.insert(split(both_, ',')[static_cast<std::size_t>(last.called)]);
  for (std::size_t i = 0; i < slots_.size() && !(asks && threw); ++i) {
    passed(static_cast<int>(i), slots_[i]);
  }
  if (compares() && has("flag") && nothing_ != (wanted == outcome::none))
    wrong("there being a value or none is wrong");
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const bool is_result = slots_[i].kind == "result" || slots_[i].kind == "text";
    if (compares() && is_result && !nothing_ && (compared_ >> i & 1) == 0)
      wrong("output " + std::to_string(i) + " did not come back");
  }
  if (is_value && (compared_ >> slots & 1) == 0) wrong("the value did not come back");
}

bool call::compares() const { return wanted_ != outcome::error; }

// ---------------------------------------------------------------------------
// what was passed

void call::passed(int at, const slot& s) {
  const auto i = static_cast<std::size_t>(at);
  const echo_last& last = *mpiglot_echo_last();
  const word passed = last.words[i];
  const char letter = s.letter(twin_);
  bool right = true;
  if (s.kind == "result" || s.kind == "text" || s.kind == "flag" || s.kind == "size") {
    right = passed > 0xffff;
  } else if (s.place >= 0) {
    const given& g = given_[static_cast<std::size_t>(s.place)];
    const int bytes = g.bytes ? g.bytes : letter == 'i' ? 4 : 8;
    const auto number = number_at(&passed, 0, bytes);
    const auto is_text = [&](const char* text) {
      return ("text " + std::to_string(s.place)) == std::string(text, strnlen(text, texts));
    };
    switch (s.kind == "length" ? given::as::nothing : g.kind) {
      case given::as::nothing:
        if (s.kind == "length") right = static_cast<int>(passed) == static_cast<int>(g.size);
        break;
      case given::as::number:
      case given::as::handle:
        right = number == g.number;
        break;
      case given::as::flag:
        right = static_cast<int>(passed) == g.number;
        break;
      case given::as::pointer:
        right = passed == reinterpret_cast<word>(g.address);
        break;
      case given::as::text:
        right = is_text(reinterpret_cast<const char*>(last.memory[i]));
        break;
      case given::as::texts:
        right = is_text(last.texts[i][0]);
        break;
      case given::as::lists:
        right = is_text(last.texts[i][1]);
        break;
      case given::as::function:
        right = passed != 0;
        break;
      case given::as::place:
        right = passed == reinterpret_cast<word>(g.address) &&
                (s.way == "out" || number_at(last.memory[i], 0, bytes) == g.elements[0]);
        break;
      case given::as::array:
        if (s.way != "in") right = passed == reinterpret_cast<word>(g.address);
        for (std::size_t k = 0; s.way != "out" && k < g.elements.size() &&
                                (k + 1) * static_cast<std::size_t>(bytes) <= memory;
             ++k)
          right = right && number_at(last.memory[i], k, bytes) == g.elements[k];
        break;
    }
  }
  if (!right) wrong("argument " + std::to_string(i) + " was passed as " + std::to_string(passed));
}

// ---------------------------------------------------------------------------
// what came back

void call::got(const char* name, std::int64_t value) {
  if (name[0] == '=') {
    compared_ |= 1U << slots;
    if (value != 5000) wrong("the value is " + std::to_string(value));
    return;
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const slot& s = slots_[i];
    if (s.kind == "result" && s.name == name) {
      compared_ |= 1U << i;
      const auto expected = value_of(i);
      if (value != expected)
        wrong("output " + std::to_string(i) + " came back as " + std::to_string(value));
    }
  }
}

void call::got(const char* name, bool value) {
  if (name[0] == '=') return got(name, value ? std::int64_t{5000} : std::int64_t{0});
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].kind == "result" && slots_[i].name == name)
      got(name, value == (value_of(i) != 0) ? value_of(i) : std::int64_t{value});
}

void call::got(const char* name, double value) {
  if (name[0] == '=') return got(name, static_cast<std::int64_t>(value));
  got(name, static_cast<std::int64_t>(value * 2));
}

void call::got(const char* name, const std::string& value) {
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].kind == "text" && slots_[i].name == name) {
      compared_ |= 1U << i;
      if (compares() && value != "text " + std::to_string(value_of(i)))
        wrong("output " + std::to_string(i) + " came back as " + value);
    }
}

void call::settle() {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const slot& s = slots_[i];
    if (s.place < 0 || written(s) == '-' || s.kind == "length") continue;
    const given& g = given_[static_cast<std::size_t>(s.place)];
    const int bytes = g.bytes ? g.bytes : written(s) == 'i' ? 4 : 8;
    const auto now = number_at(g.address, 0, bytes);
    if (now != value_of(i))
      wrong("what argument " + std::to_string(i) + " refers to is " + std::to_string(now));
  }
}

}  // namespace echo

namespace mpi = mpiglot::mpi;

void all_calls();

int main(int argc, char** argv) {
  const mpiglot::environment environment(argc, argv);
  if (mpiglot_echo == nullptr || argc != 2) {
    std::puts(
        "the library that answers is not there: start this with "
        "tests/conformance/echo.py");
    return 2;
  }
  all_calls();
  choose("");
  std::set<std::string> listed;  // functions that cannot be called here
  std::ifstream table(argv[1]);
  for (std::string name; std::getline(table, name);) {
    const bool is_listed = name[0] == '!';
    const std::string function = name.substr(is_listed);
    if (is_listed == called.contains(function))
      mistakes.push_back(function + (is_listed ? " was called, but is listed as what cannot be"
                                               : " was not called"));
  }
  for (const std::string& what : mistakes) std::printf("WRONG: %s\n", what.c_str());
  std::printf("%zu functions of C were called\n", called.size());
  const int failed = static_cast<int>(mistakes.size());
  std::printf("%d passed, %d failed, %d skipped\n", std::max(0, checked - failed), failed, missing);
  return failed > 0;
}
