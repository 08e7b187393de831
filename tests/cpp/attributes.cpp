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
