// Reads and writes the data of a file. MPI-4.1, section 14.4.
//
//   file.write(send_buf(values), at(8 * rank), collectively());
//   auto header = file.read(recv_buf(std::vector<char>()), recv_count(80), at(0));
//
// Members     read, iread, read_split; write, iwrite, write_split; of a file
// Needed      recv_buf to read, send_buf to write
// Parameters  read: recv_buf, recv_count (an upper bound; needed if the buffer resizes); write:
//             send_buf; position: at (an offset in units of the view), shared_pointer, or neither
//             for the individual file pointer; collectively (all ranks together); ordered (all
//             ranks, in the order of the ranks, at the shared file pointer)
// Asked for   recv_count_out, status_out
// Result      read: the buffer if it was moved in, with the length that could be read, then what
//             was asked for
// Messages    read and write make one MPI call; iread and iwrite return a request; read_split and
//             write_split begin a collective access that the returned request ends, one at a time
//             for each file; Open MPI overlaps nothing with what it reads, nor with what it writes
//             with MPI_THREAD_MULTIPLE: the request is complete
// Allocates   nothing except what the buffer needs to grow, encode, decode or pack
// Errors      a rank with an error before a collective access (an offset that no file has, a count, a
//             buffer without room, data that is no whole number of elements of the view, an encoder
//             or a container that throws) takes part in it without data, and throws afterwards: read,
//             write at once, requests and split accesses in wait

#pragma once

#include <cstdio>

#include <mpiglot/detail/access/file_at_once.hpp>
#include <mpiglot/detail/access/file_ends.hpp>
#include <mpiglot/detail/access/file_mistakes.hpp>
#include <mpiglot/detail/access/file_places.hpp>
#include <mpiglot/detail/base/in_flight.hpp>
#include <mpiglot/detail/base/last_words.hpp>
#include <mpiglot/detail/access/on_handle.hpp>
#include <mpiglot/mpi/calls/status_set_elements.hpp>
#include <mpiglot/mpi/datatypes.hpp>

namespace mpiglot {
namespace keys {
struct at {};
struct shared_pointer {};
struct ordered {};
struct collectively {};
}  // namespace keys

/// Accesses the file at this offset, in elements of the view. No file pointer moves.
[[nodiscard]] inline parameter<keys::at, mpi::offset_t> at(mpi::offset_t offset) {
  return {offset};
}
parameter<keys::at, int> at(detail::no_whole_number auto) = delete;
/// Accesses the file at the shared file pointer. The order of the ranks is not defined.
[[nodiscard]] inline parameter<keys::shared_pointer, bool> shared_pointer() { return {true}; }
/// Accesses the file at the shared file pointer, in the order of the ranks. Collective.
[[nodiscard]] inline parameter<keys::ordered, bool> ordered() { return {true}; }
/// Makes the access collective: all ranks call it together.
[[nodiscard]] inline parameter<keys::collectively, bool> collectively() { return {true}; }

namespace detail {

/// A split collective access: begin and end are separate calls.
struct split {
  static constexpr bool blocking = false;
  static constexpr bool repeats = false;
  static constexpr const char* prefix = "";
  static constexpr const char* suffix = "_split";
};

template <class Arguments, class Io>
struct access_form {
  static constexpr bool at = Arguments::template has<keys::at>;
  static constexpr bool shared = Arguments::template has<keys::shared_pointer>;
  static constexpr bool ordered = Arguments::template has<keys::ordered>;
  static constexpr bool all =
      Arguments::template has<keys::collectively> || std::is_same_v<Io, split>;
  static constexpr place where = ordered     ? place::ordered
                                 : shared    ? place::shared
                                 : at && all ? place::at_all
                                 : at        ? place::at
                                 : all       ? place::all
                                             : place::own;

  /// Checks that the parameters fit together, and that the form accepts them.
  template <class Operation>
  [[nodiscard]] static consteval auto problem() {
    if constexpr (at && shared)
      return wrong_call::parameters_exclude_each_other<keys::at, keys::shared_pointer, Operation>();
    else if constexpr (at && ordered)
      return wrong_call::parameters_exclude_each_other<keys::at, keys::ordered, Operation>();
    else if constexpr (shared && (ordered || all))  // all at the shared pointer: that is `ordered`
      return wrong_call::parameters_exclude_each_other<
          keys::shared_pointer, std::conditional_t<ordered, keys::ordered, keys::collectively>,
          Operation>();
    else if constexpr (ordered && std::is_same_v<Io, later>)
      return wrong_call::parameter_not_accepted_here<keys::ordered, Operation>();
    else
      return nothing_wrong();
  }
};

/// The arguments of a split access.
template <class... Parameters>
struct split_arguments : arguments<Parameters...> {
  static constexpr bool splits = true;
};
template <class Arguments>
inline constexpr bool is_split = false;
template <class Arguments>
  requires requires { Arguments::splits; }
inline constexpr bool is_split<Arguments> = true;

/// The common part of reading and writing.
template <class Arguments>
struct file_access : defaults {
  static constexpr bool of_file = true;
  static constexpr bool collective = Arguments::template has<keys::collectively> ||
                                     Arguments::template has<keys::ordered> || is_split<Arguments>;
  template <class Adapter, class Key>
  using present =
      present_adapter<Adapter,
                      collective && !std::is_nothrow_constructible_v<
                                        Adapter, typename parameter_of<Arguments, Key>::type>>;

  file_access(mpi::file_handle on, Arguments&& given)
      : file(on), arguments(static_cast<Arguments&&>(given)) {}

  /// In a collective access, a failure is reported only after the other ranks have made their
  /// access.
  template <class Io, class Action>
  void attempt(Action action) {
    if constexpr (!collective)
      action();
    else if (!failure.any())
      failure.attempt(action);
  }
  void rethrow() { failure.rethrow(); }
  /// Where the access begins: at the offset that was given, or without data at 0.
  [[nodiscard]] mpi::offset_t offset() {
    if (failure.any()) return 0;
    return arguments.template value_or<keys::at>(mpi::offset_t{0});
  }
  /// Looks, before a collective access, at the offset and at the memory that `lend` gives.
  template <class Io, class Lend>
  void look([[maybe_unused]] Lend lend) {
    if constexpr (collective)
      if (!failure.any())
        failure.attempt([&] {
          if constexpr (Arguments::template has<keys::at>)
            require_offset(arguments.template get<keys::at>().value);
          static_cast<void>(lend());
        });
  }
  /// After a collective access that MPI refused with this code: keeps the error and gives true if
  /// MPI refuses it before it talks to other ranks, which wait for this one then.
  [[nodiscard]] bool refused_alone(int code, const lent& memory, const char* function) {
    if (failure.any() || fills_elements(file, memory.count, memory.type)) return false;
    return !failure.attempt([&] { raise(code, function); });
  }
  template <class State, class Calls, class Io>
  void access(Io& io, State& state, mpi::status_out status) {
    const lent memory = state.memory();
    if constexpr (std::is_same_v<Io, later>)
      if (is_made_at_once(Calls::reads)) [[unlikely]]
        return access_at_once<State, typename Calls::made_at_once>(io, memory);
    access_once<Calls>(io, memory, status);
    if constexpr (collective)
      if (io.code != MPI_SUCCESS) [[unlikely]]
        if (refused_alone(io.code, memory, State::function))
          access_once<Calls>(io, state.memory(), status);
  }
  template <class Calls, class Io>
  void access_once(Io& io, const lent& memory, mpi::status_out status) {
    // A negative count is passed to the function with int counts, because the large-count functions
    // of ROMIO can abort on it.
    if constexpr (std::is_same_v<Io, at_once> && !Arguments::template has<keys::recv_count>)
      io(Calls(), file, offset(), memory.address, lone(memory.count), memory.type, status);
    else if constexpr (std::is_same_v<Io, at_once>)
      io(Calls(), file, offset(), memory.address, memory.count, memory.type, status);
    else
      io(Calls(), file, offset(), memory.address, memory.count, memory.type);
  }

  /// The same at once. What MPI refuses is an error of the request.
  template <class State, class Calls>
  [[gnu::cold, gnu::noinline]] void access_at_once(later io, const lent& memory) {
    complete_request made(io.code);
    if (io.code != MPI_SUCCESS) return;
    at_once now;
    access_once<Calls>(now, memory, mpi::status_out(made.status()));
#if defined(__cpp_exceptions)
    // Not by MPI, which loses errors of several requests and calls the handler of another object.
    if (now.code != MPI_SUCCESS) {
      failure.attempt([&] { raise(now.code, form_name<State, later>.text); });
      now.code = MPI_SUCCESS;
    }
#endif
    io.request = made.complete(now.code);
  }

  using failure_type = kept_failure;
  mpi::file_handle file;
  Arguments arguments;
  failure_type failure;
};

}  // namespace detail

namespace operations {

/// Writes data to a file.
struct file_write {
  using accepts = detail::names<keys::send_buf, keys::at, keys::shared_pointer, keys::ordered,
                                keys::collectively, keys::status_out>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::send_buf;

  template <class Arguments>
  struct state : detail::file_access<Arguments> {
    using base = detail::file_access<Arguments>;
    using adapter = detail::source_of<Arguments, form::message>;
    static constexpr const char* name = "write";
    static constexpr const char* function = "MPI_File_write";
    static constexpr bool movable = adapter::movable;
    static constexpr bool wants_status = Arguments::template has<keys::status_out>;
    static constexpr bool only_mpi_fails = !base::collective && !detail::pack_fails<adapter>;
    template <class Io>
    using verdict = decltype(detail::access_form<Arguments, Io>::template problem<file_write>());

    state(mpi::file_handle on, Arguments&& given)
        : base(on, static_cast<Arguments&&>(given)),
          source(this->failure, this->arguments.template get<keys::send_buf>()) {}

    template <class Io>
    void prepare_for() {
      this->template attempt<Io>([this] { source->pack(); });
      this->template look<Io>([this] { return source->out(); });
    }
    void prepare() { prepare_for<detail::now>(); }
    void call(auto&& io) {
      using form = detail::access_form<Arguments, std::remove_cvref_t<decltype(io)>>;
      this->template access<state, detail::writing<form::where>>(io, *this, status.out());
    }
    template <class Calls>
    [[nodiscard]] int end() {
      return Calls::end(this->file, static_cast<const void*>(memory().address), status.out()).code;
    }
    void finish() {
      this->rethrow();
      if constexpr (wants_status)
        this->arguments.template get<keys::status_out>().value = status.value;
    }
    [[nodiscard]] bool keeps_memory() const noexcept {
      return source.has() && detail::keeps_memory(*source);
    }
    auto results() { return detail::results<keys::send_buf_out>(borrowed, this->arguments); }

    [[nodiscard]] lent memory() {
      return this->failure.any() ? lent{nullptr, 0, mpi::byte} : source->out();
    }

    typename base::template present<adapter, keys::send_buf> source;
    [[no_unique_address]] detail::wanted_status<wants_status> status;
    // The buffer is not part of the result.
    struct no_buffer {
      static constexpr bool owning = false;
    };
    [[no_unique_address]] no_buffer borrowed;
  };
};

/// Reads data from a file.
struct file_read {
  using accepts =
      detail::names<keys::recv_buf, keys::recv_count, keys::at, keys::shared_pointer, keys::ordered,
                    keys::collectively, keys::recv_count_out, keys::status_out>;
  using needs = detail::names<keys::recv_buf>;
  using length = keys::recv_count;

  template <class Arguments>
  struct state : detail::file_access<Arguments> {
    using base = detail::file_access<Arguments>;
    using adapter =
        detail::adapter_of<detail::parameter_of<Arguments, keys::recv_buf>, form::message>;
    using wire = typename adapter::wire;
    static constexpr const char* name = "read";
    static constexpr const char* function = "MPI_File_read";
    static constexpr bool movable = adapter::movable;
    static constexpr bool count_given = Arguments::template has<keys::recv_count>;
    static constexpr bool wants_status = adapter::learns_length ||
                                         Arguments::template has<keys::recv_count_out> ||
                                         Arguments::template has<keys::status_out>;
    static constexpr bool only_mpi_fails = !base::collective && adapter::fixed && !count_given &&
                                           !wants_status && !detail::narrows<adapter>;
    static constexpr bool shares_pointer = Arguments::template has<keys::shared_pointer>;

    template <class Io>
    [[nodiscard]] static consteval auto find_problem() {
      if constexpr (!adapter::fixed && !count_given)
        return wrong_call::parameter_missing<keys::recv_count, file_read>();
      else
        return detail::access_form<Arguments, Io>::template problem<file_read>();
    }
    template <class Io>
    using verdict = decltype(find_problem<Io>());

    state(mpi::file_handle on, Arguments&& given)
        : base(on, static_cast<Arguments&&>(given)),
          sink(this->failure, this->arguments.template get<keys::recv_buf>()) {}

    template <class Io>
    void prepare_for() {
      if constexpr (count_given) {
        room = this->arguments.template get<keys::recv_count>().value;
        this->template attempt<Io>([this] { sink->place(room); });
      } else {
        if (sink.has()) room = sink->room();
        if constexpr (detail::narrows<adapter>)
          this->template attempt<Io>([this] { sink->place(room); });
      }
      this->template look<Io>([this] { return sink->in(room); });
      if constexpr (wants_status)
        if (base::collective || detail::tells_too_much(this->file, memory().type))
          first = first_read();
    }
    void prepare() { prepare_for<detail::now>(); }
    void call(auto&& io) {
      using form = detail::access_form<Arguments, std::remove_cvref_t<decltype(io)>>;
      this->template access<state, detail::reading<form::where>>(io, *this, status.out());
      if constexpr (shares_pointer && wants_status)
        if (first >= 0) last = mpi::nothrow::file_get_position_shared(this->file).value;
    }
    template <class Calls>
    [[nodiscard]] int end() {
      return Calls::end(this->file, memory().address, status.out()).code;
    }
    void finish() {
      this->rethrow();
      if constexpr (wants_status) {
        if (first >= 0) [[unlikely]]
          stop_at_end();
        const count_t n = mpi::get_count(status.value, datatype_of<wire>());
        if (n < 0) [[unlikely]]
          detail::refuse_counts("what was read is no multiple of the type");
        if constexpr (adapter::learns_length) sink->unpack(n);
        if constexpr (Arguments::template has<keys::recv_count_out>)
          this->arguments.template get<keys::recv_count_out>().value = n;
        if constexpr (Arguments::template has<keys::status_out>)
          this->arguments.template get<keys::status_out>().value = status.value;
      }
    }
    [[nodiscard]] mpi::offset_t first_read() {
      if constexpr (Arguments::template has<keys::ordered>) {
        const lent wanted = memory();
        return detail::place_in_order(this->file, wanted.count, wanted.type);
      } else if constexpr (shares_pointer)
        return mpi::file_get_position_shared(this->file);
      else if constexpr (Arguments::template has<keys::at>)
        return this->offset();
      else
        return mpi::file_get_position(this->file);
    }
    void stop_at_end() {
      const count_t told = mpi::get_count(status.value, mpi::byte);
      const count_t there = shares_pointer ? detail::bytes_before_end(this->file, first, last, told)
                                           : detail::bytes_before_end(this->file, first, told);
      if (there != told)
        mpi::detail::check(mpi::calls::status_set_elements::now(status.value, mpi::byte, there),
                           "MPI_Status_set_elements");
    }
    [[nodiscard]] bool keeps_memory() const noexcept {
      return sink.has() && detail::keeps_memory(*sink);
    }
    auto results() { return detail::results<keys::recv_buf>(*sink, this->arguments); }

    [[nodiscard]] lent memory() {
      return this->failure.any() ? lent{nullptr, 0, mpi::byte} : sink->in(room);
    }

    typename base::template present<adapter, keys::recv_buf> sink;
    count_t room = 0;
    mpi::offset_t first =
        -1;  // element that is read, or that others read before; negative: MPI tells
    mpi::offset_t last = 0;  // the shared pointer after the read
    [[no_unique_address]] detail::wanted_status<wants_status> status;
  };
};

}  // namespace operations

/// A split collective access that has begun. `wait()` ends it, which is collective too. No other
/// collective access to the file may be made before that. The destructor of a pending access waits
/// and drops the result; during stack unwinding, it ends the job.
template <class State, template <detail::place> class Direction, detail::place Where, class End>
class [[nodiscard]] split_access {
  using calls = Direction<Where>;
  static constexpr const char* name = detail::form_name<State, detail::split>.text;

 public:
  template <class Arguments>
  split_access(mpi::file_handle file, Arguments&& arguments, End end)
      : state_(file, static_cast<Arguments&&>(arguments)), end_(end) {
    const auto begin = [&] {
      state_.template prepare_for<detail::split>();
      const lent memory = state_.memory();
      int code = begin_with(file, memory);
      if (code != MPI_SUCCESS) [[unlikely]]
        if (state_.refused_alone(code, memory, State::function)) {
          static_cast<void>(finished());  // ROMIO takes it for begun
          code = begin_with(file, state_.memory());
        }
      if (made_ != nothing_yet) made_ = std::exchange(code, MPI_SUCCESS);
      pending_ = code == MPI_SUCCESS;
      return code;
    };
    if constexpr (End::keeps_failures)
      end_.begin(state_, name, begin);
    else
      detail::run_step<detail::split, false>(end_, state_, begin);
  }
  split_access(const split_access&) = delete;
  split_access& operator=(const split_access&) = delete;
  ~split_access() {
    if (!pending_ || made_ != nothing_yet || detail::mpi_is_over()) return;
    if (detail::unwinding()) {
      std::fprintf(stderr, "mpiglot: an exception leaves an unfinished %s\n", name);
      detail::abort_job(1);
    }
    static_cast<void>(finished());
  }

  /// Ends the access and returns its result. Collective. Call it once.
  auto wait() {
    const int code = std::exchange(pending_, false) ? finished()
                     : End::keeps_failures          ? MPI_SUCCESS
                                                    : MPI_ERR_REQUEST;
    return detail::finish_later<detail::split>(end_, state_, code, {});
  }
  /// True if the access has begun and has not ended.
  [[nodiscard]] bool pending() const noexcept { return pending_; }

 private:
  // A value of `made_` that is no code of MPI.
  static constexpr int nothing_yet = -1;

  [[nodiscard]] int begin_with(mpi::file_handle file, const lent& memory) {
    if (detail::is_made_at_once(calls::reads)) [[unlikely]] {
      detail::at_once now;
      state_.template access_once<typename calls::made_at_once>(now, memory, state_.status.out());
      return made_ = now.code;
    }
    return calls::begin(file, state_.offset(), memory.address, memory.count, memory.type).code;
  }

  [[nodiscard]] int finished() {
    return made_ != nothing_yet ? made_ : state_.template end<calls>();
  }

  State state_;
  bool pending_ = false;
  int made_ = nothing_yet;  // MPI's code, where the access was made at once
  [[no_unique_address]] End end_;
};

/// The first half of an access.
template <class Operation, template <detail::place> class Direction, class File, class... A>
struct split_call : detail::handle_call<Operation, detail::split, File, A...> {
  /// Begins a split access.
  static auto perform(const File& file, A&&... a) {
    using given = detail::split_arguments<std::remove_cvref_t<A>...>;
    if constexpr (!detail::is_right<typename split_call::verdict>)
      return detail::anything<detail::values_of<std::remove_cvref_t<A>...>>();
    else
      return split<typename Operation::template state<given>>(file,
                                                              given{{static_cast<A&&>(a)...}});
  }

 private:
  template <class State, class Given>
  static auto split(const File& file, Given&& all) {
    return split_access<State, Direction, detail::access_form<Given, detail::split>::where,
                        detail::ending_of<File>>(
        file.handle(), static_cast<Given&&>(all),
        detail::end_if_possible<State>(file, detail::form_name<State, detail::split>.text));
  }
};

}  // namespace mpiglot
