// Gives an operation to communicators: three member functions, which differ in their names only, so
// that a template cannot write them. Included (again) by the header of each operation, which says
// the names; text and not a macro, so that compilers show a mistake in a call in a few lines.
// Forms that name a type are written out for the same reason: a function that calls another one, or
// another file to include, is a line or three more in every error.
//
//   #define MPIGLOT_OPERATION bcast
//   #define MPIGLOT_STARTS ibcast
//   #define MPIGLOT_PREPARES bcast_init
//   #define MPIGLOT_NAMES_TYPE   // if the type can be named where nothing else says what is received
//   #include <mpiglot/detail/members.hpp>

#define MPIGLOT_JOIN_NOW(a, b) a##b
#define MPIGLOT_JOIN(a, b) MPIGLOT_JOIN_NOW(a, b)

namespace mpiglot::operations {

template <class Communicator>
struct MPIGLOT_JOIN(MPIGLOT_OPERATION, _members) {
  template <class... A>
  [[gnu::always_inline]] auto MPIGLOT_OPERATION(A&&... a) const {
    using call = detail::call_on<operations::MPIGLOT_OPERATION, detail::now, Communicator, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(static_cast<const Communicator&>(*this), static_cast<A&&>(a)...);
  }
#if defined(MPIGLOT_NAMES_TYPE)
  template <class T, class... A>
    requires(detail::no_argument_is<T, A...>)
  [[gnu::always_inline]] auto MPIGLOT_OPERATION(A&&... a) const {
    using into = detail::typed_recv_buf<operations::MPIGLOT_OPERATION, T>;
    using call =
        detail::call_on<operations::MPIGLOT_OPERATION, detail::now, Communicator, into, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(static_cast<const Communicator&>(*this), into{}, static_cast<A&&>(a)...);
  }
#endif
#if defined(MPIGLOT_STARTS)
  template <class... A>
  auto MPIGLOT_STARTS(A&&... a) const {
    using call = detail::call_on<operations::MPIGLOT_OPERATION, detail::later, Communicator, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(static_cast<const Communicator&>(*this), static_cast<A&&>(a)...);
  }
#if defined(MPIGLOT_NAMES_TYPE)
  template <class T, class... A>
    requires(detail::no_argument_is<T, A...>)
  auto MPIGLOT_STARTS(A&&... a) const {
    using into = detail::typed_recv_buf<operations::MPIGLOT_OPERATION, T>;
    using call =
        detail::call_on<operations::MPIGLOT_OPERATION, detail::later, Communicator, into, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(static_cast<const Communicator&>(*this), into{}, static_cast<A&&>(a)...);
  }
#endif
#endif
#if defined(MPIGLOT_PREPARES)
  template <class... A>
  auto MPIGLOT_PREPARES(A&&... a) const {
    using call = detail::call_on<operations::MPIGLOT_OPERATION, detail::bound, Communicator, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(static_cast<const Communicator&>(*this), static_cast<A&&>(a)...);
  }
#if defined(MPIGLOT_NAMES_TYPE)
  template <class T, class... A>
    requires(detail::no_argument_is<T, A...>)
  auto MPIGLOT_PREPARES(A&&... a) const {
    using into = detail::typed_recv_buf<operations::MPIGLOT_OPERATION, T>;
    using call =
        detail::call_on<operations::MPIGLOT_OPERATION, detail::bound, Communicator, into, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(static_cast<const Communicator&>(*this), into{}, static_cast<A&&>(a)...);
  }
#endif
#endif
};

}  // namespace mpiglot::operations

#undef MPIGLOT_JOIN
#undef MPIGLOT_JOIN_NOW
#undef MPIGLOT_OPERATION
#undef MPIGLOT_STARTS
#undef MPIGLOT_PREPARES
#undef MPIGLOT_NAMES_TYPE
