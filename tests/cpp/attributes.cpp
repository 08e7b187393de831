#include <memory>

#include "check.hpp"

TEST(predefined_attributes_are_found) {
  const std::optional<void*> upper_bound = mpi::comm_get_attr(mpi::comm_world, mpi::tag_ub);
  check::expect(upper_bound.has_value());
  check::expect(*static_cast<int*>(*upper_bound) >= 32767);
}

TEST(a_missing_attribute_is_no_value) {
  int keyval = mpi::comm_create_keyval(mpi::comm_null_copy_fn, mpi::comm_null_delete_fn);
  check::expect(!mpi::comm_get_attr(mpi::comm_world, keyval));
  mpi::comm_free_keyval(keyval);
  check::equal(keyval, mpi::keyval_invalid);
}

TEST(attributes_are_copied_and_deleted_by_callables_with_state) {
  int copies = 0;
  int deletions = 0;
  int value = 5;
  int keyval = mpi::comm_create_keyval(
      [&copies](mpi::comm_handle, int, void* in, void* out, int& flag) {
        ++copies;
        *static_cast<void**>(out) = in;
        flag = 1;
      },
      [&deletions, &value](mpi::comm_handle, int, void* attribute) {
        check::expect(attribute == &value);
        ++deletions;
      });
  mpi::comm_handle original = mpi::comm_dup(mpi::comm_world);
  mpi::comm_set_attr(original, keyval, &value);
  mpi::comm_free_keyval(keyval);  // MPI still calls what it was made with
  mpi::comm_handle copy = mpi::comm_dup(original);
  check::equal(copies, 1);
  mpi::comm_free(copy);
  check::equal(deletions, 1);
  mpi::comm_free(original);
  check::equal(deletions, 2);
}

TEST(a_copy_function_that_refuses_stops_the_copy) {
  int keyval = mpi::comm_create_keyval(
      [](mpi::comm_handle, int, void*, void*, int&) -> int { return MPI_ERR_OTHER; },
      mpi::comm_null_delete_fn);
  mpi::comm_handle original = mpi::comm_dup(mpi::comm_self);
  mpi::comm_set_attr(original, keyval, nullptr);
  check::thrown_by([&] { static_cast<void>(mpi::comm_dup(original)); });
  mpi::comm_delete_attr(original, keyval);
  mpi::comm_free(original);
  mpi::comm_free_keyval(keyval);
}

TEST(datatypes_and_windows_have_attributes_too) {
  int value = 3;
  int keyval = mpi::type_create_keyval(mpi::type_null_copy_fn, mpi::type_null_delete_fn);
  mpi::unique_datatype type{mpi::type_contiguous(2, mpi::int_)};
  mpi::type_set_attr(type, keyval, &value);
  check::expect(mpi::type_get_attr(type, keyval) == std::optional<void*>(&value));
  mpi::type_free_keyval(keyval);
}

namespace {

// Counts how many of it there are.
struct witness {
  static inline int alive = 0;
  witness() { ++alive; }
  witness(const witness&) { ++alive; }
  witness(witness&&) noexcept { ++alive; }
  witness& operator=(const witness&) = delete;
  ~witness() { --alive; }
};

}  // namespace

TEST(what_a_key_captures_ends_with_its_last_attribute) {
  witness::alive = 0;
  int keyval = mpi::comm_create_keyval(
      mpi::comm_dup_fn,
      [seen = witness()](mpi::comm_handle, int, void*) { static_cast<void>(seen); });
  check::equal(witness::alive, 1);
  mpi::comm_handle original = mpi::comm_dup(mpi::comm_self);
  mpi::comm_set_attr(original, keyval, nullptr);
  mpi::comm_set_attr(original, keyval, nullptr);  // deletes the first
  mpi::comm_handle copy = mpi::comm_dup(original);
  mpi::comm_free_keyval(keyval);
  mpi::comm_free(original);
  check::equal(witness::alive, 1);
  mpi::comm_free(copy);
  check::equal(witness::alive, 0);
}

TEST(what_a_key_without_attributes_captures_ends_with_the_key) {
  witness::alive = 0;
  int keyval = mpi::type_create_keyval(
      [seen = witness()](mpi::datatype_handle, int, void*, void*, int& flag) {
        static_cast<void>(seen);
        flag = 0;
      },
      mpi::type_null_delete_fn);
  mpi::unique_datatype type{mpi::type_contiguous(2, mpi::int_)};
  mpi::type_set_attr(type, keyval, nullptr);
  const mpi::unique_datatype other{mpi::type_dup(type)};  // no copy
  mpi::type_delete_attr(type, keyval);
  check::equal(witness::alive, 1);
  mpi::type_free_keyval(keyval);
  check::equal(witness::alive, 0);
}

TEST(thousands_of_freed_keys_run_their_own_code) {
  constexpr int many = 2000;
  witness::alive = 0;
  std::vector<int> deleted(many, 0);
  std::vector<mpi::comm_handle> comms;
  for (int i = 0; i < many; ++i) {
    if (i % 100 == 0) comms.push_back(mpi::comm_dup(mpi::comm_self));
    int keyval = mpi::comm_create_keyval(
        mpi::comm_null_copy_fn,
        [i, &deleted, seen = witness()](mpi::comm_handle, int, void* value) {
          static_cast<void>(seen);
          deleted[static_cast<std::size_t>(i)] += value == &deleted ? 1 : 1000;
        });
    mpi::comm_set_attr(comms.back(), keyval, &deleted);
    mpi::comm_free_keyval(keyval);
  }
  check::equal(witness::alive, many);
  for (mpi::comm_handle& comm : comms) mpi::comm_free(comm);
  check::equal(witness::alive, 0);
  for (const int times : deleted) check::equal(times, 1);
}

TEST(an_attribute_that_was_not_counted_does_not_end_a_living_key) {
  int value = 3;
  const auto held = std::make_shared<int>(0);
  int keyval = mpi::type_create_keyval(mpi::type_null_copy_fn,
                                       [held](mpi::datatype_handle, int, void*) { ++*held; });
  mpi::unique_datatype type{mpi::type_contiguous(2, mpi::int_)};
  // As where another thread deletes an attribute before the one that sets it
  // has counted it.
  check::equal(MPI_Type_set_attr(type.native, keyval, &value), MPI_SUCCESS);
  mpi::type_delete_attr(type, keyval);
  check::equal(*held, 1);
  check::equal(held.use_count(), 2L);
  check::equal(MPI_Type_set_attr(type.native, keyval, &value), MPI_SUCCESS);
  mpi::type_delete_attr(type, keyval);
  check::equal(*held, 2);
  mpi::type_free_keyval(keyval);
}
