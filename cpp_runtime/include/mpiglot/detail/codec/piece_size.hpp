// The sizes of the messages of encodings that travel in pieces.

#pragma once

#include <cstddef>

namespace mpiglot::detail {

/// The sizes of pieces: the first piece, and the messages of the others.
struct piece_sizes {
  std::size_t first;
  std::size_t others;
};
/// Those of a bcast. With more than the first piece, pieces are faster than one message, which takes fresh
/// memory of its size on all ranks; these stay in the cache.
inline constexpr piece_sizes usual_pieces{std::size_t{1} << 19, std::size_t{1} << 19};

}  // namespace mpiglot::detail
