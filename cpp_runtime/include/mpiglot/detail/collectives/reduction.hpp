// How reductions combine elements: predefined operations, objects of <functional> that are one of
// them, and functions of the program, which MPI calls through prepared functions.

#pragma once

#if defined(__GLIBCXX__)
#include <bits/stl_function.h>
#else
#include <functional>
#endif
#include <cstdint>
#include <typeinfo>
#include <utility>

#include <mpiglot/detail/arguments/explain.hpp>
#include <mpiglot/detail/arguments/forms.hpp>
#include <mpiglot/detail/collectives/user_operation.hpp>
#include <mpiglot/mpi/constants.hpp>
#include <mpiglot/parameters.hpp>

namespace mpiglot {

namespace wrong_call {
template <class Element>
struct operation_has_no_meaning_for_this_type_give_a_function {};
template <class Function>
struct op_needs_commutative_or_non_commutative {};
template <class Function, class Element>
struct op_cannot_be_called_with_two_elements {};
template <class Function, class Element>
struct op_names_another_type_than_the_elements_name_none {};
}  // namespace wrong_call

/// The larger and the smaller of two elements, for `op`: MPI_MAX and MPI_MIN where MPI knows the
/// type.
struct larger {
  template <class T>
  [[nodiscard]] constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
struct smaller {
  template <class T>
  [[nodiscard]] constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};
/// Whether exactly one of two elements is true.
struct logical_xor {
  template <class T>
  [[nodiscard]] constexpr bool operator()(const T& a, const T& b) const {
    return static_cast<bool>(a) != static_cast<bool>(b);
  }
};

namespace detail {

template <class T>
inline constexpr bool is_number = builtin<T> && std::is_arithmetic_v<T> && !__is_same(T, bool) &&
                                  !__is_same(T, char) && !__is_same(T, wchar_t);
template <class T>
inline constexpr bool is_integer = is_number<T> && std::is_integral_v<T>;

template <class T>
inline constexpr bool is_logical = is_integer<T> || is_one_of<T, bool, boolean>;
template <class T>
inline constexpr bool is_bits = is_integer<T> || __is_same(T, std::byte);

/// An object of <functional> takes any operands (void), or those of the type that it names: the
/// fractions of doubles, which MPI_SUM adds, would be cut off by std::plus<int>.
template <class T, class Element>
inline constexpr bool operates_on = std::is_void_v<T> || __is_same(T, Element) ||
                                    (__is_same(T, bool) && __is_same(Element, boolean));

/// Which predefined operation a function object is. `fits<T>`: MPI has it for this type.
template <class Function>
struct known_as {
  static constexpr bool known = false;
};
#define MPIGLOT_KNOWN(tag, ...)                                  \
  {                                                              \
    static constexpr bool known = true;                          \
    template <class Element>                                     \
    static constexpr bool fits = __VA_ARGS__;                    \
    static mpi::op_handle handle() noexcept { return mpi::tag; } \
  }
template <class T>
struct known_as<std::plus<T>> MPIGLOT_KNOWN(sum, operates_on<T, Element> &&
                                                     (is_number<Element> || is_complex<Element>));
template <class T>
struct known_as<std::multiplies<T>> MPIGLOT_KNOWN(prod,
                                                  operates_on<T, Element> &&
                                                      (is_number<Element> || is_complex<Element>));
template <class T>
struct known_as<std::logical_and<T>> MPIGLOT_KNOWN(land,
                                                   operates_on<T, Element>&& is_logical<Element>);
template <class T>
struct known_as<std::logical_or<T>> MPIGLOT_KNOWN(lor,
                                                  operates_on<T, Element>&& is_logical<Element>);
template <class T>
struct known_as<std::bit_and<T>> MPIGLOT_KNOWN(band, operates_on<T, Element>&& is_bits<Element>);
template <class T>
struct known_as<std::bit_or<T>> MPIGLOT_KNOWN(bor, operates_on<T, Element>&& is_bits<Element>);
template <class T>
struct known_as<std::bit_xor<T>> MPIGLOT_KNOWN(bxor, operates_on<T, Element>&& is_bits<Element>);
template <>
struct known_as<larger> MPIGLOT_KNOWN(max, is_number<Element>);
template <>
struct known_as<smaller> MPIGLOT_KNOWN(min, is_number<Element>);
template <>
struct known_as<logical_xor> MPIGLOT_KNOWN(lxor, is_logical<Element>);
#undef MPIGLOT_KNOWN

template <class Function>
struct operand_of {
  using type = void;
};
template <template <class> class Object, class T>
  requires(known_as<Object<T>>::known)
struct operand_of<Object<T>> {
  using type = T;
};

/// Pairs of a value and its place, for MPI_MINLOC and MPI_MAXLOC.
template <class T>
struct located_pair {
  static constexpr bool known = false;
};
template <class Value>
  requires(is_one_of<Value, float, double, long, int, short, long double>)
struct located_pair<std::pair<Value, int>> {
  static constexpr bool known = true;
  static mpi::datatype_handle type() noexcept {
    if constexpr (__is_same(Value, float))
      return mpi::float_int;
    else if constexpr (__is_same(Value, double))
      return mpi::double_int;
    else if constexpr (__is_same(Value, long))
      return mpi::long_int;
    else if constexpr (__is_same(Value, int))
      return mpi::two_int;
    else if constexpr (__is_same(Value, short))
      return mpi::short_int;
    else
      return mpi::long_double_int;
  }
};

/// A number for an operation that all ranks must give alike: its place among those of MPI, or whether
/// a function of the program commutes.
[[nodiscard, gnu::cold]] count_t mark_of_operation(mpi::op_handle operation);
/// The name of a type, the same on all ranks of one program. Without RTTI, g++ gives all lambdas of a function
/// one name.
template <class T>
[[nodiscard]] const char* name_of_type() noexcept {
#if defined(__GXX_RTTI)
  return typeid(T).name();
#else
  return __PRETTY_FUNCTION__;
#endif
}
/// The same of a function of the program: its type, too.
template <class Reduction>
[[nodiscard]] count_t mark_of_operation(const Reduction& operation) {
  count_t mark = mark_of_operation(operation.handle());
  if constexpr (requires { typename Reduction::function; }) {
    std::uint64_t of_type = 0;
    for (const char* name = name_of_type<typename Reduction::function>(); *name != 0; ++name)
      of_type = of_type * 0x9e3779b97f4a7c15U + static_cast<unsigned char>(*name) + 1;
    mark += static_cast<count_t>(of_type >> 7U << 5U);
  }
  return mark;
}

/// An operation of MPI, as it is: a handle, or a predefined one whose name is its type. `Reduced::name`
/// is the reduction that uses it.
template <class Operation, class Wire, class Reduced = void>
class reduction {
  static constexpr bool locates =
      is_one_of<Operation, decltype(mpi::minloc), decltype(mpi::maxloc),
                std::remove_cv_t<decltype(mpi::minloc)>, std::remove_cv_t<decltype(mpi::maxloc)>>;

 public:
  static constexpr bool is_handle = is_one_of<Operation, mpi::op_handle, mpi::unique_op, MPI_Op>;
  static constexpr bool fits =
      is_handle || (locates ? located_pair<Wire>::known
                            : builtin<Wire> || is_complex<Wire> || has_own_datatype<Wire>);
  using question = nothing_wrong;
  using complaint = std::conditional_t<
      !is_handle && !std::is_convertible_v<Operation, mpi::op_handle>,
      wrong_call::op_needs_commutative_or_non_commutative<Operation>,
      std::conditional_t<fits, nothing_wrong,
                         wrong_call::operation_has_no_meaning_for_this_type_give_a_function<Wire>>>;

  explicit reduction(const Operation& given) noexcept : handle_(handle_of(given)) {}

  static constexpr bool keeps_memory = true;
  static constexpr bool may_throw = false;

  [[nodiscard]] mpi::op_handle handle() const noexcept { return handle_; }
  [[nodiscard]] mpi::datatype_handle datatype(mpi::datatype_handle type) const noexcept {
    if constexpr (locates && located_pair<Wire>::known)
      return located_pair<Wire>::type();
    else
      return type;
  }

 private:
  [[nodiscard]] static mpi::op_handle handle_of(const Operation& given) noexcept {
    if constexpr (__is_same(Operation, MPI_Op))
      return mpi::op_handle{given};
    else
      return given;
  }
  mpi::op_handle handle_;
};

/// What combines two elements to one.
template <class Function, class Element>
concept combines =
    requires(Function& f, const Element& a, Element& b) { static_cast<Element>(f(a, b)); };

// Asked last, and by the operation itself: each template between the call and the body of a generic
// lambda is a note beside an error in the body.
template <class Function, class Element>
inline constexpr bool
    is_right<wrong_call::op_cannot_be_called_with_two_elements<Function, Element>> =
        combines<Function, Element>;
template <class Function, class Element>
  requires(has_body_to_come<Function> && !known_as<Function>::known)
inline constexpr bool
    is_right<wrong_call::op_cannot_be_called_with_two_elements<Function, Element>> =
        sizeof(tried_call<Function, const Element&, Element&>) != 0 && !requires {
          requires !call_is_right<typename tried_call<Function, const Element&, Element&>::type,
                                  Element>;
        };
template <class Function, class Element>
inline constexpr bool
    goes_on<wrong_call::op_cannot_be_called_with_two_elements<Function, Element>> =
        combines<Function, Element>;

/// A function of the program.
template <class Function, bool Commutative, bool Throws, class Wire, class Reduced>
class reduction<combining<Function, Commutative, Throws>, Wire, Reduced> {
  using made_of = std::conditional_t<Throws, flagging<Function, Wire>, Function>;

 public:
  using complaint = nothing_wrong;
  using question = wrong_call::op_cannot_be_called_with_two_elements<Function, Wire>;
  using function = made_of;
  static constexpr bool keeps_memory = user_operation<Function, Wire, Reduced>::keeps_memory;
  static constexpr bool may_throw = Throws;

  explicit reduction(combining<Function, Commutative, Throws>& given)
      : operation_(made_of{static_cast<Function&&>(given.function)}, Commutative) {}

  [[nodiscard]] mpi::op_handle handle() const noexcept { return operation_.handle(); }
  [[nodiscard]] static mpi::datatype_handle datatype(mpi::datatype_handle type) noexcept {
    return type;
  }
  /// Before the call: the bytes of a part, and the rank of this process.
  void flags(std::size_t size, int rank) const noexcept
    requires Throws
  {
    operation_.captured().size = size;
    operation_.captured().rank = rank;
  }

 private:
  user_operation<made_of, Wire, Reduced> operation_;
};

/// A function object that is a predefined operation, if MPI has that for this type.
template <class Function, class Wire, class Reduced>
  requires known_as<Function>::known
class reduction<Function, Wire, Reduced>
    : public std::conditional_t<known_as<Function>::template fits<Wire>,
                                reduction<mpi::op_handle, Wire, Reduced>,
                                reduction<combining<Function, true>, Wire, Reduced>> {
  static constexpr bool direct = known_as<Function>::template fits<Wire>;
  using base = std::conditional_t<direct, reduction<mpi::op_handle, Wire, Reduced>,
                                  reduction<combining<Function, true>, Wire, Reduced>>;

 public:
  using complaint = std::conditional_t<
      operates_on<typename operand_of<Function>::type, Wire>, typename base::complaint,
      wrong_call::op_names_another_type_than_the_elements_name_none<Function, Wire>>;

  explicit reduction(Function&)
    requires direct
      : base(known_as<Function>::handle()) {}
  explicit reduction(Function& given)
    requires(!direct)
      : reduction(combining<Function, true>{given}) {}

 private:
  explicit reduction(combining<Function, true>&& given)
    requires(!direct)
      : base(given) {}
};

}  // namespace detail
}  // namespace mpiglot
