// What encodings of classes' own keep of the objects that are being written or read.

#pragma once

#include <cstddef>

#include <mpiglot/detail/base/storage.hpp>

namespace mpiglot::detail {

/// A step in the work on an object: what was done at `place`, with `count` objects, and what undoes it.
struct open_step {
  void* place;
  std::size_t count;
  void (*undo)(void* place, std::size_t count) noexcept;  // or null
  bool is_span;       // `count` pointers lie there, which are packed one by one
  std::size_t flags;  // of a span that is written: where the flags of its pointers are
};

/// A stack: objects that lie deeper are complete before those above go on.
struct open_objects {
  block<open_step> steps;
  bytes kept;  // the objects as they were
};

}  // namespace mpiglot::detail
