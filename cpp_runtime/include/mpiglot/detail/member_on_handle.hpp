// Gives an operation in one form to a class with a handle (windows, files), inside of the template of
// the class, whose parameter is `Self`.
// Included once for each member; text and not a macro, so that compilers show a mistake in a call in
// a few lines.
//
//   #define MPIGLOT_MEMBER rput
//   #define MPIGLOT_OPERATION put
//   #define MPIGLOT_FORM later
//   #include <mpiglot/detail/member_on_handle.hpp>

template <class... A>
auto MPIGLOT_MEMBER(A&&... a) const {
  using call = detail::handle_call<operations::MPIGLOT_OPERATION, detail::MPIGLOT_FORM, Self, A...>;
  static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
  return call::perform(static_cast<const Self&>(*this), static_cast<A&&>(a)...);
}

#undef MPIGLOT_MEMBER
#undef MPIGLOT_OPERATION
#undef MPIGLOT_FORM
