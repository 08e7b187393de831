#include "check.hpp"

#include <mpiglot/mpi/names.hpp>

#include <type_traits>

// A null pointer is no text, and neither is 0.
static_assert(std::is_convertible_v<char*, mpi::text>);
static_assert(!std::is_convertible_v<decltype(nullptr), mpi::text>);

TEST(fixed_texts_come_back_as_strings) {
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  MPI_Get_processor_name(name, &length);
  check::equal(mpi::get_processor_name(), std::string(name, static_cast<std::size_t>(length)));
  check::expect(mpi::get_library_version().find("MPI") != std::string::npos);
}

TEST(a_name_is_given_and_read) {
  mpi::unique_comm comm{mpi::comm_dup(mpi::comm_self)};
  mpi::comm_set_name(comm, "solver");
  check::equal(mpi::comm_get_name(comm), "solver");
  mpi::comm_set_name(comm, std::string("other solver"));
  check::equal(mpi::comm_get_name(comm), "other solver");
}

TEST(an_info_value_is_a_string_or_nothing) {
  mpi::unique_info info{mpi::info_create()};
  mpi::info_set(info, "colour", "green");
  check::equal(mpi::info_get_nkeys(info), 1);
  check::equal(mpi::info_get_nthkey(info, 0), "colour");
  check::expect(mpi::info_get_valuelen(info, "colour") == std::optional<int>(5));
  check::expect(mpi::info_get(info, "colour", 5) == std::optional<std::string>("green"));
  check::expect(!mpi::info_get(info, "size", 5));
  if constexpr (mpi::has_info_get_string) {
    check::expect(mpi::info_get_string(info, "colour") == std::optional<std::string>("green"));
    check::expect(!mpi::info_get_string(info, "size"));
  } else {
    check::thrown_by<mpi::unavailable>(
        [&] { static_cast<void>(mpi::info_get_string(info, "colour")); });
  }
}

TEST(another_string_type_can_be_asked_for) {
  const std::vector<char> name = [] {
    const auto text = mpi::get_processor_name();
    return std::vector<char>(text.begin(), text.end());
  }();
  struct own {
    std::string inside;
    own(const char* characters, std::size_t length) : inside(characters, length) {}
  };
  check::equal(mpi::get_processor_name<own>().inside, std::string(name.begin(), name.end()));
}

TEST(lists_of_texts_are_what_c_wants) {
  const auto count = [](const mpi::text_list& list) {
    int n = 0;
    for (char** one = list.data(); one != nullptr && *one != nullptr; ++one) ++n;
    return n;
  };
  check::equal(count({"-n", "4"}), 2);
  const std::vector<std::string> many(100, "word");
  check::equal(count(many), 100);
  check::equal(std::string(mpi::text_list(many).data()[99]), "word");
  char word[] = "word";
  char* raw[] = {word, nullptr};
  check::equal(count(raw), 1);
  check::equal(count(mpi::argv_null), 0);
}

TEST(or_ed_flags_have_names) {
  using enum mpi::access_mode;
  check::equal(mpi::names(create | rdwr), "MPI_MODE_CREATE | MPI_MODE_RDWR");
  check::equal(mpi::names(mpi::assertion{}), "0");
  check::equal(mpi::names(static_cast<mpi::access_mode>(1 << 30)), "unknown flags");
}

TEST(lists_of_texts_are_one_for_each_program) {
  const std::vector<std::vector<std::string>> lists{{"-n", "4"}, {}, {"-v"}};
  const mpi::text_lists from_range(lists);
  char*** const all = from_range.data();
  check::expect(std::string(all[0][0]) == "-n" && std::string(all[0][1]) == "4");
  check::expect(all[0][2] == nullptr && all[1][0] == nullptr);
  check::expect(std::string(all[2][0]) == "-v" && all[2][1] == nullptr);
  const auto second_of = [](const mpi::text_lists& given) {
    return std::string(given.data()[1][0]);
  };
  check::expect(second_of({{"-n", "4"}, {"-v"}}) == "-v");
  check::expect(mpi::text_lists(mpi::argvs_null).data() == MPI_ARGVS_NULL);
  check::expect(mpi::text_lists(all).data() == all);
}
