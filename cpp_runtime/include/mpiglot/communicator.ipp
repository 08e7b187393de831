// Bodies of communicator.hpp, and of what knows a communicator by its core.

#pragma once

#include <cstdlib>

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/collectives/balance.hpp>
#include <mpiglot/detail/merged/learned.hpp>
#include <mpiglot/mpi/last_words.hpp>

namespace mpiglot::detail {

template <>
[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void held<mpi::comm_handle>::free_owned() noexcept {
  if (owns_) static_cast<void>(mpi::unique_comm(handle_).reset());
}

/// What all communicators check whose type does not say more.
[[nodiscard, gnu::cold, gnu::noinline]] MPIGLOT_INLINE checks checks_asked_for() {
  const char* const level = std::getenv("MPIGLOT_CHECKS");
  if (level == nullptr || *level == 0)
    return compiled_for_debugging ? checks::normal : checks::light;
  if (__builtin_strcmp(level, "light") == 0) return checks::light;
  if (__builtin_strcmp(level, "normal") == 0) return checks::normal;
  if (__builtin_strcmp(level, "communication") == 0) return checks::communication;
  refuse_argument(MPI_ERR_ARG,
                  "MPIGLOT_CHECKS can only be `light`, `normal` or `communication`; the type of a "
                  "communicator can turn off the checks of level `light`");
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void communicator_core::ask() {
  if (!handle()) return;
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_rank)(native(), &rank_), "MPI_Comm_rank");
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_size)(native(), &size_), "MPI_Comm_size");
  static const checks level = checks_asked_for();
  static const bool avoids_defects = library_defect("reduce-null-receive-buffer") != nullptr;
  looks_ = level != checks::light;
  [[maybe_unused]] static const bool known = learn_defects();
  direct_ = size_ > 0 && !looks_ && !avoids_defects;
  compares_ = level == checks::communication;
  if (looks_) shows_unwritten = true;
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void communicator_core::require_one_group() const {
  if (!handle()) return;
  int two_groups = 0;
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_test_inter)(native(), &two_groups),
                     "MPI_Comm_test_inter");
  if (two_groups != 0)
    refuse_argument(MPI_ERR_COMM,
                    "this communicator has two groups: make it a mpiglot::intercommunicator, which "
                    "sends between them and merges them, or call mpiglot::mpi");
}

MPIGLOT_INLINE int communicator_core::rank_shifted(mpi::count_t distance) const {
  static_cast<void>(present("rank_shifted"));
  // Neither difference overflows, as the distance itself may be as large as any.
  const bool inside = distance < 0 ? distance >= -rank_ : distance < size_ - rank_;
  return inside ? rank_ + static_cast<int>(distance) : MPI_PROC_NULL;
}

MPIGLOT_INLINE int communicator_core::rank_shifted_cyclic(mpi::count_t distance) const {
  static_cast<void>(present("rank_shifted_cyclic"));
  const int behind = rank_ + static_cast<int>(distance % size_);
  return behind < 0 ? behind + size_ : behind >= size_ ? behind - size_ : behind;
}

// Where all ranks give the same bytes, and only there, "and" changes neither them nor their
// complements; of two that differ it changes one of each on both ranks.
[[nodiscard]] MPIGLOT_INLINE bool unchanged_by_and(const void* value, std::size_t size,
                                                   MPI_Comm comm) {
  block<unsigned char> mine, all;
  mine.resize(2 * size);
  all.resize(2 * size);
  __builtin_memcpy(mine.data(), value, size);
  for (std::size_t i = 0; i < size; ++i) mine[size + i] = static_cast<unsigned char>(~mine[i]);
  mpi::detail::check(
      MPIGLOT_WAITING(MPI_Allreduce)(mine.data(), all.data(), static_cast<int>(2 * size),
                                     MPI_UNSIGNED_CHAR, MPI_BAND, comm),
      "MPI_Allreduce");
  return __builtin_memcmp(mine.data(), all.data(), 2 * size) == 0;
}

MPIGLOT_INLINE bool communicator_core::same_bytes(const void* value, std::size_t size) const {
  static_cast<void>(present("is_same_on_all_ranks"));
  struct {
    unsigned long long size;
    unsigned char begin[56];
  } head{size, {}};
  const std::size_t short_part = size < sizeof head.begin ? size : sizeof head.begin;
  if (size > 0) __builtin_memcpy(head.begin, value, short_part);
  if (!unchanged_by_and(&head, sizeof head, native())) return false;
  constexpr std::size_t most = std::size_t{1} << 20;
  const auto* all = static_cast<const unsigned char*>(value);
  for (std::size_t at = short_part; at < size; at += most)
    if (!unchanged_by_and(all + at, size - at < most ? size - at : most, native())) return false;
  return true;
}

[[gnu::cold]] MPIGLOT_INLINE mpi::comparison communicator_core::compare(
    mpi::comm_handle other) const {
  int result = 0;
  mpi::detail::check(
      MPIGLOT_MPI(MPI_Comm_compare)(present("compare").native, other.native, &result),
      "MPI_Comm_compare");
  return static_cast<mpi::comparison>(result);
}

[[gnu::cold]] MPIGLOT_INLINE std::size_t communicator_core::read_name(char* text) const {
  int length = 0;
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_get_name)(present("name").native, text, &length),
                     "MPI_Comm_get_name");
  return static_cast<std::size_t>(length);
}

[[gnu::cold]] MPIGLOT_INLINE void communicator_core::set_name(mpi::text name) const {
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_set_name)(present("set_name").native, name.data()),
                     "MPI_Comm_set_name");
}

[[gnu::cold]] MPIGLOT_INLINE int communicator_core::largest_tag() const {
  void* value = nullptr;
  int found = 0;
  mpi::detail::check(
      MPIGLOT_MPI(MPI_Comm_get_attr)(present("largest_tag").native, MPI_TAG_UB, &value, &found),
      "MPI_Comm_get_attr");
  return found != 0 ? *static_cast<int*>(value) : 32767;  // the standard's least
}

[[gnu::cold]] MPIGLOT_INLINE void communicator_core::set_errhandler(
    mpi::errhandler_handle handler) const {
  const mpi::comm_handle comm = present("set_errhandler");
#ifdef MPI_ERRORS_ABORT
  if (handler.native == MPI_ERRORS_ABORT)
    require_without_defect(library_defect("errors-abort-crashes"), "set_errhandler");
#endif
  const int code = MPIGLOT_MPI(MPI_Comm_set_errhandler)(comm.native, handler.native);
  mpi::detail::attached(code, comm, handler);
  mpi::detail::check(code, "MPI_Comm_set_errhandler");
}

[[noreturn, gnu::cold]] MPIGLOT_INLINE void communicator_core::abort(int code) const {
  mpi::detail::end_job(handle() ? native() : MPI_COMM_WORLD, code);
}

/// A communicator that was made of another one by all its processes, or the error.
[[gnu::cold]] inline mpi::unique_comm child_of(mpi::comm_handle parent, int code,
                                               mpi::comm_handle made, const char* function) {
  mpi::detail::inherited(code, made, parent);
  return once_all_made(parent, made, code, function);
}

[[gnu::cold]] MPIGLOT_INLINE mpi::unique_comm communicator_core::dup_handle() const {
  return duplicate(present("dup"));
}

[[gnu::cold]] MPIGLOT_INLINE mpi::unique_comm communicator_core::dup_handle(
    mpi::info_handle hints) const {
  const mpi::comm_handle comm = present("dup");
  mpi::comm_handle made;
  const int code = MPIGLOT_WAITING(MPI_Comm_dup_with_info)(comm.native, hints.native, &made.native);
  return child_of(comm, code, made, "MPI_Comm_dup_with_info");
}

[[gnu::cold]] MPIGLOT_INLINE mpi::unique_comm communicator_core::split_handle(int color,
                                                                              int key) const {
  const mpi::comm_handle comm = present("split");
  mpi::comm_handle made;
  const int code = MPIGLOT_WAITING(MPI_Comm_split)(comm.native, color, key, &made.native);
  return child_of(comm, code, made, "MPI_Comm_split");
}

/// The one hint that says how to split; the others concern the communicator that is made.
class splitting_hint {
 public:
  explicit splitting_hint(mpi::info_handle hints) {
    constexpr char name[] = "mpi_hw_resource_type";
    char value[MPI_MAX_INFO_VAL + 1] = {};
    int found = 0;
    int code = MPIGLOT_MPI(MPI_Info_create)(&only_.native);
    if (code == MPI_SUCCESS)
      code = MPIGLOT_MPI(MPI_Info_get)(hints.native, name, MPI_MAX_INFO_VAL, value, &found);
    if (code == MPI_SUCCESS && found != 0)
      code = MPIGLOT_MPI(MPI_Info_set)(only_.native, name, value);
    if (code != MPI_SUCCESS) release();
    mpi::detail::check(code, "MPI_Info_set");
  }
  splitting_hint(const splitting_hint&) = delete;
  splitting_hint& operator=(const splitting_hint&) = delete;
  ~splitting_hint() { release(); }

  [[nodiscard]] mpi::info_handle get() const noexcept { return only_; }

 private:
  void release() noexcept {
    if (only_) MPIGLOT_MPI(MPI_Info_free)(&only_.native);
  }
  mpi::info_handle only_;
};

[[gnu::cold]] MPIGLOT_INLINE mpi::unique_comm communicator_core::split_handle(
    int type, int key, mpi::info_handle hints) const {
  if (hints && type != MPI_COMM_TYPE_SHARED && library_defect("split-type-with-hints") != nullptr)
    return split_by(type, key, splitting_hint(hints).get());
  return split_by(type, key, hints);
}
[[gnu::cold]] MPIGLOT_INLINE mpi::unique_comm communicator_core::split_by(
    int type, int key, mpi::info_handle hints) const {
  const mpi::comm_handle comm = present("split_type");
  mpi::comm_handle made;
  const int code =
      MPIGLOT_WAITING(MPI_Comm_split_type)(comm.native, type, key, hints.native, &made.native);
  return child_of(comm, code, made, "MPI_Comm_split_type");
}

[[gnu::cold]] MPIGLOT_INLINE mpi::unique_comm communicator_core::create_handle(
    mpi::group_handle group) const {
  const mpi::comm_handle comm = present("create");
  mpi::comm_handle made;
  const int code = MPIGLOT_WAITING(MPI_Comm_create)(comm.native, group.native, &made.native);
  return child_of(comm, code, made, "MPI_Comm_create");
}

[[gnu::cold]] MPIGLOT_INLINE mpi::unique_comm communicator_core::create_handle(
    mpi::group_handle group, int tag) const {
  const mpi::comm_handle comm = present("create_group");
  mpi::comm_handle made;
  const int code =
      MPIGLOT_WAITING(MPI_Comm_create_group)(comm.native, group.native, tag, &made.native);
  mpi::detail::inherited(code, made, comm);
  mpi::detail::check(code, "MPI_Comm_create_group");
  return mpi::unique_comm(made);
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE error not_a_member() {
  return null_error(MPI_ERR_COMM);
}
[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void refuse_non_member() {
  mpi::detail::fail(not_a_member());
}

[[gnu::noinline]] MPIGLOT_INLINE learned& learned_of(mpi::comm_handle comm) {
  return cached_on<learned>(comm);
}

MPIGLOT_INLINE learned& learned_in(const group_view& group) {
  return group.core != nullptr ? group.core->learned() : learned_of(group.comm);
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void require_agreement(const group_view& group,
                                                                   const given_alike& mine) {
  static constexpr const char* complaints[] = {
      "ranks call different operations, or different forms of one",
      "some ranks give a count or lengths_first that others do not give",
      "some ranks send what lies in their receive buffer, and others do not",
      "ranks give elements of different types",
      "ranks give traversers of different dimensions or lengths, or in another order",
      "ranks combine by different operations",
      nullptr,  // what the operation says
      nullptr,
      "ranks give datatypes of different elements, or other lengths of them"};
  constexpr std::size_t before_lacking = 4;
  constexpr std::size_t numbers = std::size(complaints);
  const compared_facts& known = *mine.known;
  const count_t given[numbers] = {
      known.form,
      static_cast<count_t>(mine.lengths),
      known.in_place == in_place_as::any ? alike::unknown : static_cast<count_t>(known.in_place),
      known.elements == unknown_elements ? alike::unknown : known.elements,
      traversed_by,
      mine.combined_by,
      mine.first,
      mine.second == any_length ? alike::unknown : mine.second,
      alike::unknown};
  struct compared {
    alike of[numbers];
    shapes views;
    count_t who_lacks = alike::unknown;
  };
  static constexpr compared nothing;
  compared all = nothing, least = nothing;
  for (std::size_t i = 0; i < numbers; ++i)
    if (given[i] != alike::unknown) all.of[i].add(given[i]);
  all.of[numbers - 1] = mine.weight;
  if (mine.views != nullptr) all.views = *mine.views;
  if (mine.lacks) all.who_lacks = group.rank;
  const int code = MPIGLOT_WAITING(MPI_Allreduce)(&all, &least, sizeof all / sizeof(count_t),
                                                  MPI_LONG_LONG, MPI_MIN, group.comm.native);
  if (code != MPI_SUCCESS) raise(code, "a check that all ranks agree");
  for (std::size_t i = 0; i < numbers; ++i) {
    if (i == before_lacking && least.who_lacks != alike::unknown) {
      if (mine.lacks) return;
      tell_remote_failure(static_cast<int>(least.who_lacks));
    }
    if (least.of[i].differ())
      tell_disagreement(complaints[i] != nullptr ? complaints[i] : known.what_differs);
  }
  for (const alike& shape : least.views.of)
    if (shape.differ()) tell_disagreement("ranks give views of different shapes or memory orders");
}

/// Whether a predefined datatype is one of these.
template <std::size_t N>
[[nodiscard]] bool is_among(MPI_Datatype type, const MPI_Datatype (&several)[N]) noexcept {
  for (const MPI_Datatype one : several)
    if (one == type) return true;
  return false;
}
/// A number for a predefined datatype: its kind and size.
[[nodiscard, gnu::cold]] inline std::uint64_t element_mark(MPI_Datatype type, int size) noexcept {
  const MPI_Datatype floating[] = {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE};
  const MPI_Datatype with_sign[] = {MPI_SIGNED_CHAR, MPI_SHORT,     MPI_INT,
                                    MPI_LONG,        MPI_LONG_LONG, MPI_INT8_T,
                                    MPI_INT16_T,     MPI_INT32_T,   MPI_INT64_T};
  const MPI_Datatype without_sign[] = {MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT,     MPI_UNSIGNED,
                                       MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T,
                                       MPI_UINT16_T,      MPI_UINT32_T,           MPI_UINT64_T};
  const unsigned kind = is_among(type, floating)       ? 1
                        : is_among(type, with_sign)    ? 2
                        : is_among(type, without_sign) ? 3
                        : type == MPI_CHAR             ? 4
                        : type == MPI_BYTE             ? 5
                                                       : 6;
  std::uint64_t mark = (std::uint64_t{kind} << 32U | static_cast<std::uint32_t>(size)) + 1;
  mark *= 0x9e3779b97f4a7c15U;
  return (mark ^ mark >> 31U) | 1U;
}
/// Whether MPI_Type_get_envelope is an error for this datatype, one which a handler may make fatal.
template <class Native>
[[nodiscard, gnu::cold]] bool has_large_counts([[maybe_unused]] Native type) {
  if constexpr (mpi::has_type_get_envelope_c) {
    MPI_Count integers = 0, addresses = 0, large_counts = 0, types = 0;
    int made_by = 0;
    return MPIGLOT_MPI(MPI_Type_get_envelope_c)(type, &integers, &addresses, &large_counts, &types,
                                                &made_by) != MPI_SUCCESS ||
           large_counts != 0;
  }
  return false;
}
/// The sum of the marks of all elements of a datatype; 0 if MPI does not tell what it is made of.
[[nodiscard, gnu::cold]] inline std::uint64_t sum_of_marks(MPI_Datatype type) {
  int size = 0, integers = 0, addresses = 0, types = 0, made_by = 0;
  if (type == MPI_DATATYPE_NULL || type == MPI_PACKED) return 0;
  if (has_large_counts(type)) return 0;
  if (MPIGLOT_MPI(MPI_Type_size)(type, &size) != MPI_SUCCESS || size < 0 ||
      MPIGLOT_MPI(MPI_Type_get_envelope)(type, &integers, &addresses, &types, &made_by) !=
          MPI_SUCCESS)
    return 0;
  if (made_by == MPI_COMBINER_NAMED || types == 0) return element_mark(type, size);
  block<int> numbers;
  block<MPI_Aint> places;
  block<MPI_Datatype> inner;
  numbers.resize(static_cast<std::size_t>(integers) + 1);
  places.resize(static_cast<std::size_t>(addresses) + 1);
  inner.resize(static_cast<std::size_t>(types));
  if (MPIGLOT_MPI(MPI_Type_get_contents)(type, integers, addresses, types, numbers.data(),
                                         places.data(), inner.data()) != MPI_SUCCESS)
    return 0;
  std::uint64_t sum = 0;
  bool known = true;
  for (int i = 0; i < types; ++i) {
    MPI_Datatype& part = inner[static_cast<std::size_t>(i)];
    const std::uint64_t mark = sum_of_marks(part);
    int part_size = 0, others = 0, part_made_by = 0;
    MPIGLOT_MPI(MPI_Type_size)(part, &part_size);
    // All but a structure consist of one datatype.
    const int times = types > 1 || made_by == MPI_COMBINER_STRUCT
                          ? numbers[static_cast<std::size_t>(i) + 1]
                          : (part_size > 0 ? size / part_size : 0);
    known = known && (mark != 0 || times == 0 || part_size == 0);
    sum += mark * static_cast<std::uint64_t>(times);
    MPIGLOT_MPI(MPI_Type_get_envelope)(part, &others, &others, &others, &part_made_by);
    if (part_made_by != MPI_COMBINER_NAMED) MPIGLOT_MPI(MPI_Type_free)(&part);
  }
  return known ? sum : 0;
}
[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE count_t signature_of(mpi::datatype_handle type) {
  return static_cast<count_t>(sum_of_marks(type.native) & ~std::uint64_t{0} >> 3U);
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE mpi::datatype_handle in_one_place(
    mpi::datatype_handle type) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  int code = MPIGLOT_MPI(MPI_Type_create_resized)(type.native, 0, 0, &made);
  if (code == MPI_SUCCESS) code = MPIGLOT_MPI(MPI_Type_commit)(&made);
  if (code != MPI_SUCCESS) raise(code, "mpiglot");
  return mpi::datatype_handle{made};
}
MPIGLOT_INLINE void free_in_one_place(mpi::datatype_handle type) noexcept {
  static_cast<void>(MPIGLOT_MPI(MPI_Type_free)(&type.native));
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void balance::require(mpi::comm_handle comm) const {
  const std::uint64_t mine[] = {all_, known_ ? 0u : 1u};
  std::uint64_t all[2];
  const int code = MPIGLOT_WAITING(MPI_Allreduce)(mine, all, 2, MPI_UINT64_T, MPI_SUM, comm.native);
  if (code != MPI_SUCCESS) raise(code, "a check that all ranks agree");
  if (all[1] == 0 && all[0] != 0)
    tell_disagreement("ranks send other counts than the others expect");
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE count_t mark_of_operation(mpi::op_handle operation) {
  const MPI_Op known[] = {MPI_MAX,    MPI_MIN,    MPI_SUM,     MPI_PROD, MPI_LAND,
                          MPI_BAND,   MPI_LOR,    MPI_BOR,     MPI_LXOR, MPI_BXOR,
                          MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};
  count_t place = 1;
  for (const MPI_Op one : known) {
    if (one == operation.native) return place;
    ++place;
  }
  int commutes = 0;
  mpi::detail::check(MPIGLOT_MPI(MPI_Op_commutative)(operation.native, &commutes),
                     "MPI_Op_commutative");
  return place + (commutes != 0 ? 1 : 0);
}

[[gnu::noinline]] MPIGLOT_INLINE void raise_on(const communicator_core& comm, int code,
                                               const char* operation) {
  if (code == told_a_length) fail_on(comm, count_error(data_or_length), operation);
  raise_at(comm.handle(), comm.rank(), code, operation);
}

[[gnu::noinline]] MPIGLOT_INLINE void locate_on(const communicator_core& comm, error& failure,
                                                const char* operation) {
  failure.locate(operation, comm.handle(), comm.rank());
}

}  // namespace mpiglot::detail
