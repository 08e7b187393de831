// Operations whose lengths nobody knows before.

#include <mpiglot/detail/merged/merged_parts.ipp>
