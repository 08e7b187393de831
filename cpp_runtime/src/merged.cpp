// Operations whose lengths nobody knows before.

#include <mpiglot/detail/merged/vector_variants.ipp>
