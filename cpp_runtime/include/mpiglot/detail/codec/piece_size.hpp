// The sizes of the messages of encodings that travel in pieces.

#pragma once

#include <cstddef>

namespace mpiglot::detail {

/// The sizes of pieces: the first piece, and the messages of the others.
struct piece_sizes {
  std::size_t first;
  std::size_t others;
};
/// Those of a bcast: up to the first piece one message is about as fast; the longer the encoding is, the
/// faster are pieces, which stay in the cache.
inline constexpr piece_sizes usual_pieces{std::size_t{4} << 20, std::size_t{1} << 20};

}  // namespace mpiglot::detail
