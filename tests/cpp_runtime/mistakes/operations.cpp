// Mistakes in an operation that a plugin defines, each with what the compiler must say about it.

#include <mpiglot/communicator.hpp>
#include <mpiglot/plugin.hpp>

using namespace mpiglot;

struct largest {
#if MISTAKE == 1  // lacks_using_accepts_plugin_names_of_keys<largest
#elif MISTAKE == 2  // lacks_using_accepts_plugin_names_of_keys<largest
  using accepts = keys::send_buf;
#else
  using accepts = plugin::names<keys::send_buf>;
#endif
#if MISTAKE == 3  // lacks_using_needs_plugin_names_of_keys<largest
#elif MISTAKE == 4  // lacks_using_needs_plugin_names_of_keys<largest
  using needs = keys::send_buf;
#elif MISTAKE == 5  // needs_a_parameter_that_is_not_in_accepts<largest
  using needs = plugin::names<keys::send_buf, keys::root>;
#else
  using needs = plugin::names<keys::send_buf>;
#endif

#if MISTAKE == 6  // lacks_template_struct_state_of_Arguments<largest
  template <class Arguments>
  struct condition : plugin::algorithm {
    static constexpr const char* name = "largest";
    condition(plugin::group_view on, Arguments&& given)
#elif MISTAKE == 7  // state_derives_neither_from_plugin_algorithm_nor_from_plugin_defaults<largest
  template <class Arguments>
  struct state {
    static constexpr const char* name = "largest";
    state(plugin::group_view on, Arguments&& given)
#elif MISTAKE == 8  // state_lacks_static_constexpr_const_char_pointer_name<largest
  template <class Arguments>
  struct state : plugin::algorithm {
    state(plugin::group_view on, Arguments&& given)
#elif MISTAKE == 9  // state_lacks_static_constexpr_const_char_pointer_name<largest
  template <class Arguments>
  struct state : plugin::algorithm {
    const char* const name = "largest";
    state(plugin::group_view on, Arguments&& given)
#elif MISTAKE == 10  // state_lacks_constructor_from_group_view_and_Arguments_rvalue<largest
  template <class Arguments>
  struct state : plugin::algorithm {
    static constexpr const char* name = "largest";
    state(plugin::group_view on, Arguments& given)
#else
  template <class Arguments>
  struct state : plugin::algorithm {
    static constexpr const char* name = "largest";
    state(plugin::group_view on, Arguments&& given)
#endif
        : group(on), mine(given.template get<keys::send_buf>().value) {
    }
#if MISTAKE == 11  // state_lacks_bool_agree_of_int_reference<largest
    bool agreed(int& code) {
#elif MISTAKE == 12  // state_lacks_bool_agree_of_int_reference<largest
    bool agree() {
      int code = 0;
#elif MISTAKE == 13  // state_lacks_bool_agree_of_int_reference<largest
    int agree(int& code) {
#else
    bool agree(int& code) {
#endif
      code = mpi::calls::allreduce::now(&mine, &all, 1, mpi::int_, mpi::max, group.comm);
      return false;
    }
#if MISTAKE == 14  // state_lacks_results_without_arguments<largest
    int result() { return all; }
#elif MISTAKE == 15  // state_lacks_results_without_arguments<largest
    int results(int) { return all; }
#else
    int results() { return all; }
#endif
    plugin::group_view group;
    int mine, all = 0;
  };
};

template <class Base>
struct finding : Base {
  using Base::Base;
  template <class... A>
  auto find_largest(A&&... a) const {
    using call = plugin::call<largest, typename Base::communicator_type, A...>;
    using right [[maybe_unused]] = typename plugin::judged<typename call::verdict>::is_right;
#if MISTAKE == 0  // none, and what the plugin inherits from is a communicator, too
    static_cast<void>(call::perform(*this, static_cast<A&&>(a)...));
#endif
    return call::perform(this->self(), static_cast<A&&>(a)...);
  }
};

int find(const basic_communicator<finding>& comm) { return comm.find_largest(send_buf(comm.rank())); }

// The same in stages.
struct staged_largest {
  using accepts = plugin::names<keys::send_buf>;
  using needs = accepts;
  template <class Arguments>
  struct state : plugin::staged<state<Arguments>, plugin::stage_context, 1> {
    static constexpr const char* name = "largest";
    state(plugin::group_view on, Arguments&& given)
#if MISTAKE == 16  // staged_state_lacks_group_view_group<staged_largest
        : communicator(on), mine(given.template get<keys::send_buf>().value) {
    }
    plugin::group_view communicator;
#else
        : group(on), mine(given.template get<keys::send_buf>().value) {
    }
    plugin::group_view group;
#endif
#if MISTAKE == 17  // staged_state_lacks_begin_of_int_and_troubles_reference<staged_largest
    void start(int, plugin::troubles&) {}
#elif MISTAKE == 18  // staged_state_lacks_begin_of_int_and_troubles_reference<staged_largest
    void begin(plugin::troubles&) {}
#elif MISTAKE != 16
    void begin(int, plugin::troubles& met) {
      request.begin(met, [this] {
        return this->kept().verdict.iallreduce(send_buf(mine), recv_buf(all), op(mpi::max));
      });
    }
#endif
#if MISTAKE == 19  // staged_state_lacks_bool_completed_of_int_and_troubles_reference<staged_largest
    void completed(int, plugin::troubles&) {}
#elif MISTAKE == 20  // staged_state_lacks_bool_completed_of_int_and_troubles_reference<staged_largest
    bool complete(int, plugin::troubles&) { return true; }
#else
    bool completed(int, plugin::troubles& met) { return request.completed(met); }
#endif
    int results() { return all; }

    int mine, all = 0;
    plugin::pending_stage request;
  };
};

template <class Base>
struct finding_later : Base {
  using Base::Base;
  template <class... A>
  auto ifind_largest(A&&... a) const {
    using call = plugin::call_later<staged_largest, typename Base::communicator_type, A...>;
    using right [[maybe_unused]] = typename plugin::judged<typename call::verdict>::is_right;
    return call::perform(this->self(), static_cast<A&&>(a)...);
  }
};

int find(const basic_communicator<finding_later>& comm) {
  return comm.ifind_largest(send_buf(comm.rank())).wait();
}
