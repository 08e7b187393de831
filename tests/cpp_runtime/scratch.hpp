// A file of a test that all ranks open.

#pragma once

#include <cstdio>
#include <string>

#include <mpiglot/communicator.hpp>
#include <mpiglot/file.hpp>

#include "../cpp/check.hpp"

// A name that all ranks agree on and no other test run uses; the file is gone with the object.
class scratch {
 public:
  scratch() {
    if (comm_.rank() == 0) {
      std::string name = "/tmp/mpiglot-test-XXXXXX";
      const int made = mkstemp(name.data());
      check::expect(made >= 0);
      name.copy(name_, sizeof name_ - 1);
      std::remove(name_);
    }
    mpi::bcast(name_, sizeof name_, mpi::char_, 0, comm_);
  }
  ~scratch() {
    if (comm_.rank() == 0) std::remove(name_);
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  [[nodiscard]] const char* name() const { return name_; }
  [[nodiscard]] mpiglot::file open(mpi::access_mode how = mpi::access_mode::create |
                                                          mpi::access_mode::rdwr) const {
    return mpiglot::file(comm_, name_, how);
  }
  [[nodiscard]] const mpiglot::communicator& comm() const { return comm_; }

 private:
  mpiglot::communicator comm_;
  char name_[64] = {};
};
