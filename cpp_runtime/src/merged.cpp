// Operations whose lengths nobody knows before.

#include <mpiglot/detail/bodies/merged_parts.hpp>
