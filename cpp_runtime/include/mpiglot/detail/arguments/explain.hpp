// What can be wrong with a call, found at compile time and said in one short error: the member
// function asserts that its `verdict` is right, and compilers print the verdict's name, which says
// what is wrong and names the parameter and the operation.

#pragma once

#include <mpiglot/detail/arguments/adapter_members.hpp>
#include <mpiglot/detail/arguments/forms.hpp>
#include <mpiglot/detail/arguments/sides.hpp>

namespace mpiglot::keys {
struct target_rank;
struct partitions;
struct status_out;
}  // namespace mpiglot::keys

namespace mpiglot::detail {

/// Operations whose buffers MPI uses after the call: on windows, and in partitions.
template <class Operation>
inline constexpr bool uses_memory_later = Operation::accepts::template contain<keys::target_rank> ||
                                          Operation::accepts::template contain<keys::partitions>;
/// Messages between two ranks, and accesses to files.
template <class Operation>
inline constexpr bool is_message = Operation::accepts::template contain<keys::destination> ||
                                   Operation::accepts::template contain<keys::status_out>;

/// Why a kind of view cannot be described: `type<Key, Operation>` is the verdict (view.hpp).
template <class View>
struct view_fault {
  static constexpr bool found = false;
};

/// Why an operation cannot take a kind of buffer: `type<Key>` is the verdict (device.hpp).
template <class Buffer, class Operation>
struct misplaced_buffer {
  static constexpr bool found = false;
};

/// Why nothing can be received into a kind of buffer: `type` is the verdict (layouts/bag.hpp).
template <class Buffer>
struct fault_of_receiver {
  using type = nothing_wrong;
};
template <class Buffer>
inline constexpr bool can_receive =
    __is_same(typename fault_of_receiver<Buffer>::type, nothing_wrong);

enum class problem {
  none,
  no_name,
  not_accepted,
  twice,
  contradictory,
  missing,
  no_datatype,
  misplaced,
  incomplete_adapter,
  not_writable,
  one_place,
  not_resizable,
  encoded_and_counted,
  not_counts,
  missing_lengths,
  unknown_length,
  changing_length,
  of_operation,
};

template <class T>
concept named = requires {
  typename T::key;
  typename T::type;
  resize_policy(T::policy);
};

// What kind of parameter a name is for: members of the key say so.
template <class Key>
inline constexpr bool is_buffer_key = requires { Key::is_buffer; };
template <class Key>
inline constexpr bool is_written = requires { Key::is_written; };
template <class Key>
inline constexpr bool is_sent = !requires { Key::is_only_written; };
template <class Key>
inline constexpr bool is_counts_key = requires { Key::is_counts; };
template <class Key>
inline constexpr bool contradicts_in_place = requires { Key::contradicts_in_place; };

/// The member that a parameter's adapter lacks, or `none`.
template <class Parameter>
using missing_of =
    decltype(missing_member<typename Parameter::type, is_sent<typename Parameter::key>,
                            is_written<typename Parameter::key>>());

template <class Operation>
inline constexpr bool copies_buffers = requires { requires Operation::single; };

/// Whether a parameter asks for a buffer to be resized that cannot be: an array, a span, a view.
template <class Parameter, class Adapter = buffer_adapter<typename Parameter::type, form::elements,
                                                          resize_policy::resize_to_fit>>
inline constexpr bool resizes_in_vain =
    (Parameter::policy == resize_policy::grow_only ||
     Parameter::policy == resize_policy::resize_to_fit) &&
    Adapter::fixed && !requires(Adapter& bounded) { bounded.limit(); };

template <class Operation, class Parameter>
[[nodiscard]] consteval problem problem_of_parameter() {
  using key = typename Parameter::key;
  using type = typename Parameter::type;
  if constexpr (is_counts_key<key>) {
    if constexpr (!integer_array<type>) return problem::not_counts;
  } else if constexpr (is_buffer_key<key>) {
    if constexpr (!__is_same(missing_of<Parameter>, adapter_member::none))
      return problem::incomplete_adapter;
    else if constexpr (!buffer<type>)
      return problem::no_datatype;
    else if constexpr (misplaced_buffer<plain_t<type>, Operation>::found)
      return problem::misplaced;
    else if constexpr (is_written<key> && !copies_buffers<Operation> &&
                       !buffer_adapter<type, form::elements, resize_policy::automatic>::writable)
      return problem::not_writable;
    else if constexpr (is_written<key> && !copies_buffers<Operation> && !can_receive<plain_t<type>>)
      return problem::one_place;
    else if constexpr (is_written<key> && !copies_buffers<Operation> && resizes_in_vain<Parameter>)
      return problem::not_resizable;
  }
  return problem::none;
}

/// Keys that say how many elements of a buffer are sent.
template <class Key>
inline constexpr bool counts_what_is_sent =
    __is_same(Key, keys::send_count) || __is_same(Key, keys::send_recv_count);

/// Whether a parameter is a buffer that is sent, and has an adapter.
template <class Parameter>
concept sends_buffer = is_buffer_key<typename Parameter::key> && is_sent<typename Parameter::key> &&
                       buffer<typename Parameter::type>;

template <class Parameter>
[[nodiscard]] consteval problem problem_of_counted() {
  using type = typename Parameter::type;
  if constexpr (sends_buffer<Parameter>)
    if constexpr (has_a_limit<plain_t<type>> ||
                  !buffer_adapter<type, form::message, resize_policy::automatic>::uniform)
      return problem::encoded_and_counted;
  return problem::none;
}

/// Keys that say how a buffer is divided into parts.
template <class Key>
inline constexpr bool counts_parts_that_are_sent =
    __is_same(Key, keys::send_counts) || __is_same(Key, keys::send_displs);

/// An encoded range has one element for each rank, so that nothing is to be divided.
template <class Parameter>
[[nodiscard]] consteval problem problem_of_divided() {
  if constexpr (sends_buffer<Parameter>)
    if constexpr (buffer_adapter<typename Parameter::type, form::elements,
                                 resize_policy::automatic>::divides)
      return problem::encoded_and_counted;
  return problem::none;
}

/// Counts that are given and asked for, and the two names of the send buffer, are one parameter.
template <class Key>
struct same_parameter {
  using type = Key;
};
template <class Key>
  requires requires { typename Key::same_as; }
struct same_parameter<Key> {
  using type = typename Key::same_as;
};
template <class Key>
using parameter_name = typename same_parameter<Key>::type;

template <class Key, class... A>
inline constexpr int given_times =
    (0 + ... + (std::is_same_v<parameter_name<typename A::key>, parameter_name<Key>> ? 1 : 0));

/// Whether `Needed` is given: a buffer that is sent in place stands for the sent and received one.
template <class Needed, class... A>
inline constexpr bool is_given = given_times<Needed, A...> > 0 ||
                                 (is_buffer_key<Needed> &&
                                  (__is_same(typename A::key, keys::send_recv_buf) || ...));

template <class... A, class... Needed>
[[nodiscard]] consteval bool all_given(names<Needed...>) {
  return (is_given<Needed, A...> && ...);
}
template <class... A, class... Keys>
[[nodiscard]] consteval bool any_given(names<Keys...>) {
  return (is_given<Keys, A...> || ...);
}

/// Whether a call has what it needs. An operation says with `needs_one_of` that one of several
/// parameters is enough: ranks of which nothing is sent need not say what.
template <class Operation, class... A>
[[nodiscard]] consteval bool has_what_it_needs() {
  if constexpr (requires { typename Operation::needs_one_of; })
    return any_given<A...>(typename Operation::needs_one_of());
  else
    return all_given<A...>(typename Operation::needs());
}

template <class... A>
[[nodiscard]] consteval bool is_contradictory() {
  return (__is_same(typename A::key, keys::send_recv_buf) || ...) &&
         (contradicts_in_place<typename A::key> || ...);
}

template <class Operation, class... A>
[[nodiscard]] consteval problem problem_of_arguments() {
  if constexpr (!(named<A> && ...)) {
    return problem::no_name;
  } else if constexpr (!(Operation::accepts::template contain<typename A::key> && ...)) {
    return problem::not_accepted;
  } else if constexpr (!((given_times<typename A::key, A...> == 1) && ...)) {
    return problem::twice;
  } else if constexpr (is_contradictory<A...>()) {
    return problem::contradictory;
  } else if constexpr (!has_what_it_needs<Operation, A...>()) {
    return problem::missing;
  } else {
    problem found = problem::none;
    ((found = found == problem::none ? problem_of_parameter<Operation, A>() : found), ...);
    if constexpr ((counts_what_is_sent<typename A::key> || ...))
      ((found = found == problem::none ? problem_of_counted<A>() : found), ...);
    if constexpr ((counts_parts_that_are_sent<typename A::key> || ...))
      ((found = found == problem::none ? problem_of_divided<A>() : found), ...);
    return found;
  }
}

template <class Operation, class Io, class Given, class... A>
[[nodiscard]] consteval problem problem_of() {
  constexpr problem found = problem_of_arguments<Operation, A...>();
  if constexpr (found == problem::none) {
    using state = typename Operation::template state<Given>;
    if (!state::lengths_given) return problem::missing_lengths;
    if (!__is_same(typename state::complaint, nothing_wrong)) return problem::of_operation;
    if (!Io::blocking && !state::one_call && !state::in_stages) return problem::unknown_length;
    if (Io::repeats && !state::repeats) return problem::changing_length;
    return problem::none;
  } else {
    return found;
  }
}

}  // namespace mpiglot::detail

/// What can be wrong with a call. The name is the message: it stands in the one error that
/// compilers print, with the parameter and the operation.
namespace mpiglot::wrong_call {

template <class Argument, class Operation>
struct argument_without_name_such_as_send_buf {};
template <class Parameter, class Operation>
struct parameter_not_accepted_here {};
template <class Parameter, class Operation>
struct parameter_given_twice_or_given_and_asked_for {};
template <class Parameter, class Operation>
struct parameter_contradicts_send_recv_buf {};
template <class Parameter, class Operation>
struct parameter_missing {};
template <class Parameter, class Operation>
struct parameter_missing_else_give_recv_buf_or_the_type_as_in_scatter_of_int {};
template <class Parameter, class Operation, class Buffer>
struct buffer_without_datatype_write_as_serialized_or_deep {};
template <class Parameter, class Operation, class Description>
struct buffer_is_described_by_a_variable_describe_it_in_the_call_or_move_it {};
template <class Parameter, class Operation, class Pointer>
struct pointer_is_no_buffer_give_a_span_or_raw_with_a_count {};
template <class Parameter, class Operation>
struct vector_of_bool_has_no_elements_use_vector_of_boolean {};
template <class Parameter, class Operation, class View>
struct view_is_not_known_include_mpiglot_view_hpp_or_specialise_view_traits {};
template <class Parameter, class Operation, class View>
struct view_has_no_strides_or_its_accessor_is_no_pointer_copy_it {};
template <class Parameter, class Operation, class View>
struct view_lies_in_memory_of_a_device_copy_it_to_its_host_mirror {};
template <class Parameter, class Operation, class View>
struct elements_of_view_have_no_datatype_copy_them_and_write_as_serialized {};
template <class Parameter, class Operation, class Class>
struct class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep {};
template <class Parameter, class Operation, class Class>
struct class_cannot_be_looked_into_specialise_plain_bytes_if_it_holds_no_address {};
template <class Parameter, class Operation>
struct buffer_to_receive_into_is_const {};
template <class Parameter, class Operation, class Buffer>
struct buffer_cannot_be_resized_give_a_vector_or_no_policy {};
template <class Parameter, class Operation>
struct encoded_buffer_has_no_elements_to_count_give_no_count {};
template <class Parameter, class Operation>
struct counts_are_no_contiguous_integers {};
template <class Parameter, class Operation>
struct length_unknown_give_this_or_write_at_most {};
template <class Parameter, class Operation>
struct encoded_buffer_is_replaced_in_two_steps_use_isend_and_irecv {};
template <class Parameter, class Operation>
struct encoded_length_may_change_between_starts_use_the_nonblocking_form {};

}  // namespace mpiglot::wrong_call

namespace mpiglot::detail {

/// True if the call can be compiled: what is right, and has no error of its own.
template <class Verdict>
inline constexpr bool goes_on = is_right<Verdict>;

/// True of a generic lambda: to ask whether it can be called compiles its body, in which an error is
/// no answer but ends the compilation.
template <class Function>
concept has_body_to_come =
    std::is_class_v<Function> && !std::is_final_v<Function> && !requires { &Function::operator(); };

struct no_call {};
/// What takes a call that the function itself does not take, so that asking is never an error.
template <class Function>
struct or_no_call : Function {
  using Function::operator();
  no_call operator()(...) const;
};
template <class Result>
struct call_gives {};
/// What a call gives. After an error in the body compilers go on with a type of theirs, so that it
/// stays the only one.
template <class Function, class... A>
struct tried_call {
  using type = call_gives<decltype(std::declval<or_no_call<Function>&>()(std::declval<A>()...))>;
};
template <class Tried, class Wanted>
inline constexpr bool call_is_right = true;
template <class Result, class Wanted>
inline constexpr bool call_is_right<call_gives<Result>, Wanted> =
    !__is_same(Result, no_call) && requires { static_cast<Wanted>(std::declval<Result>()); };
template <class Result>
inline constexpr bool call_is_right<call_gives<Result>, void> = !__is_same(Result, no_call);

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::initializer_list<T>> = true;

/// The members `extract_...()` of all results.
template <class Result, class Keys>
struct extracts_anything;
template <class Result, class... Keys>
struct extracts_anything<Result, names<Keys...>> : Keys::template extraction<Result>... {};

/// What a call with an error gives back: anything, with what results, requests and containers are
/// asked for, so that the error stays the only one. `Values` is how many values the call would have
/// had.
template <std::size_t Values>
struct anything : extracts_anything<anything<Values>, keys::extracted> {
  using of_refused_call = void;
  using one = anything<1>;

  template <class T>
    requires(!is_list<T>)
  operator T() const;

  one wait() const;
  one test() const;
  one cancel() const;
  one start() const;
  one value() const;
  one operator*() const;
  const one* operator->() const;

  one size() const;
  one empty() const;
  one data() const;
  one front() const;
  one back() const;
  one at(auto&&) const;
  one operator[](auto&&) const;
  const one* begin() const;
  const one* end() const;

  one operator+(auto&&) const;
  one operator-(auto&&) const;
  one operator*(auto&&) const;
  one operator/(auto&&) const;
  bool operator==(auto&&) const;
  bool operator<(auto&&) const;
  bool operator>(auto&&) const;
  bool operator<=(auto&&) const;
  bool operator>=(auto&&) const;
};

template <std::size_t I, std::size_t Values>
anything<1> get(const anything<Values>&);

// The first type that a test holds for.
template <template <class> class Test, class First, class... Rest>
struct first_with {
  using type = typename first_with<Test, Rest...>::type;
};
template <template <class> class Test, class First, class... Rest>
  requires(Test<First>::value)
struct first_with<Test, First, Rest...> {
  using type = First;
};

template <class Operation, class... A>
struct tests {
  template <class T>
  struct unnamed : std::bool_constant<!named<T>> {};
  template <class T>
  struct unknown : std::bool_constant<!Operation::accepts::template contain<typename T::key>> {};
  template <class T>
  struct repeated : std::bool_constant<(given_times<typename T::key, A...> > 1)> {};
  template <class T>
  struct faulty : std::bool_constant<problem_of_parameter<Operation, T>() != problem::none> {};
  template <class T>
  struct encoded : std::bool_constant<problem_of_counted<T>() != problem::none> {};
  template <class T>
  struct contradicting : std::bool_constant<contradicts_in_place<typename T::key>> {};
  template <class Key>
  struct absent_key : std::bool_constant<!is_given<Key, A...>> {};
};

template <class Test, class... Needed>
typename first_with<Test::template absent_key, Needed...>::type first_missing(names<Needed...>);

template <class T>
struct type_is {
  using type = T;
};

/// The elements of a range, or a value itself.
template <class Buffer>
struct value_of {
  using type = Buffer;
};
template <has_elements Buffer>
struct value_of<Buffer> {
  using type = std::remove_cv_t<element_t<Buffer>>;
};
template <class Buffer>
using value_in = typename value_of<Buffer>::type;

/// Why a class that can be copied byte by byte is not sent so; `safe` for all other types.
template <class T>
inline constexpr content content_refused = content::safe;
template <class T>
  requires((std::is_class_v<T> || std::is_union_v<T>) && std::is_trivially_copyable_v<T> &&
           !has_elements<T>)
inline constexpr content content_refused<T> = content_in<T>;

// Only where something is wrong.
template <class Operation, class Given, problem found, class... A>
[[nodiscard]] consteval auto complaint_of() {
  using test = tests<Operation, A...>;
  if constexpr (found == problem::no_name) {
    using first = typename first_with<test::template unnamed, A...>::type;
    return type_is<wrong_call::argument_without_name_such_as_send_buf<first, Operation>>();
  } else if constexpr (found == problem::not_accepted) {
    using first = typename first_with<test::template unknown, A...>::type;
    return type_is<wrong_call::parameter_not_accepted_here<typename first::key, Operation>>();
  } else if constexpr (found == problem::twice) {
    using first = typename first_with<test::template repeated, A...>::type;
    return type_is<
        wrong_call::parameter_given_twice_or_given_and_asked_for<typename first::key, Operation>>();
  } else if constexpr (found == problem::contradictory) {
    using first = typename first_with<test::template contradicting, A...>::type;
    return type_is<
        wrong_call::parameter_contradicts_send_recv_buf<typename first::key, Operation>>();
  } else if constexpr (found == problem::encoded_and_counted) {
    using first = typename first_with<test::template encoded, A...>::type;
    return type_is<wrong_call::encoded_buffer_has_no_elements_to_count_give_no_count<
        typename first::key, Operation>>();
  } else if constexpr (found == problem::of_operation) {
    return type_is<typename Operation::template state<Given>::complaint>();
  } else if constexpr (found == problem::missing &&
                       requires { typename Operation::needs_one_of; }) {
    return type_is<
        wrong_call::parameter_missing_else_give_recv_buf_or_the_type_as_in_scatter_of_int<
            keys::send_buf, Operation>>();
  } else if constexpr (found == problem::missing) {
    using first = decltype(first_missing<test>(typename Operation::needs()));
    return type_is<wrong_call::parameter_missing<first, Operation>>();
  } else if constexpr (found == problem::missing_lengths) {
    return type_is<wrong_call::parameter_missing<typename Operation::lengths, Operation>>();
  } else if constexpr (found == problem::unknown_length) {
    using length = typename Operation::length;
    if constexpr (requires { Operation::has_one_count; })
      return type_is<wrong_call::encoded_buffer_is_replaced_in_two_steps_use_isend_and_irecv<
          length, Operation>>();
    else
      return type_is<wrong_call::length_unknown_give_this_or_write_at_most<length, Operation>>();
  } else if constexpr (found == problem::changing_length) {
    return type_is<wrong_call::encoded_length_may_change_between_starts_use_the_nonblocking_form<
        typename Operation::length, Operation>>();
  } else {
    using first = typename first_with<test::template faulty, A...>::type;
    using key = typename first::key;
    using given = plain_t<typename first::type>;
    if constexpr (found == problem::misplaced)
      return type_is<typename misplaced_buffer<given, Operation>::template type<key>>();
    else if constexpr (found == problem::not_writable)
      return type_is<wrong_call::buffer_to_receive_into_is_const<key, Operation>>();
    else if constexpr (found == problem::one_place)
      return type_is<typename fault_of_receiver<given>::type>();
    else if constexpr (found == problem::not_resizable)
      return type_is<
          wrong_call::buffer_cannot_be_resized_give_a_vector_or_no_policy<key, Operation, given>>();
    else if constexpr (found == problem::incomplete_adapter)
      return type_is<
          wrong_call::buffer_adapter_lacks_member<missing_of<first>, given, Operation>>();
    else if constexpr (found == problem::not_counts)
      return type_is<wrong_call::counts_are_no_contiguous_integers<key, Operation>>();
    else if constexpr (buffer_description<given> && buffer<given>)
      return type_is<
          wrong_call::buffer_is_described_by_a_variable_describe_it_in_the_call_or_move_it<
              key, Operation, given>>();
    else if constexpr (std::is_pointer_v<given> || std::is_null_pointer_v<given>)
      return type_is<wrong_call::pointer_is_no_buffer_give_a_span_or_raw_with_a_count<
          key, Operation, given>>();
    else if constexpr (view_fault<given>::found)
      return type_is<typename view_fault<given>::template type<key, Operation>>();
    else if constexpr (requires { sizeof(view_traits<given>); })
      return type_is<
          wrong_call::elements_of_view_have_no_datatype_copy_them_and_write_as_serialized<
              key, Operation, given>>();
    else if constexpr (strided_like<given>)
      return type_is<
          wrong_call::view_is_not_known_include_mpiglot_view_hpp_or_specialise_view_traits<
              key, Operation, given>>();
    else if constexpr (content_refused<value_in<given>> == content::address)
      return type_is<
          wrong_call::class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep<
              key, Operation, value_in<given>>>();
    else if constexpr (content_refused<value_in<given>> == content::unknown)
      return type_is<
          wrong_call::class_cannot_be_looked_into_specialise_plain_bytes_if_it_holds_no_address<
              key, Operation, value_in<given>>>();
    else if constexpr (requires(given b) { b.flip(); })
      return type_is<
          wrong_call::vector_of_bool_has_no_elements_use_vector_of_boolean<key, Operation>>();
    else
      return type_is<
          wrong_call::buffer_without_datatype_write_as_serialized_or_deep<key, Operation, given>>();
  }
}

template <class Operation, class Given, problem found, class... A>
struct verdict_for {
  using type = typename decltype(complaint_of<Operation, Given, found, A...>())::type;
};
template <class Operation, class Given, class... A>
struct verdict_for<Operation, Given, problem::none, A...> {
  using type = typename Operation::template state<Given>::last_question;
};
template <class Operation, class Io, class Given, class... A>
using verdict_of =
    typename verdict_for<Operation, Given, problem_of<Operation, Io, Given, A...>(), A...>::type;

// The received buffer and everything that was asked for.
template <class T>
inline constexpr bool asks = false;
template <named T>
inline constexpr bool asks<T> = is_asked_for<typename T::key>;
template <class... A>
inline constexpr std::size_t values_of = 1 + (std::size_t{0} + ... + (asks<A> ? 1u : 0u));

}  // namespace mpiglot::detail

template <std::size_t Values>
struct std::tuple_size<mpiglot::detail::anything<Values>> {
  static constexpr std::size_t value = Values;
};
template <std::size_t I, std::size_t Values>
struct std::tuple_element<I, mpiglot::detail::anything<Values>> {
  using type = mpiglot::detail::anything<1>;
};
