// What belongs to a communicator or to a file.

#include <mpiglot/operations/partitioned.ipp>
#include <mpiglot/communicator.ipp>
#include <mpiglot/detail/access/file_ends.ipp>
#include <mpiglot/detail/base/cached.ipp>
#include <mpiglot/detail/base/library_defects.ipp>
#include <mpiglot/detail/arguments/parts_in.ipp>
#include <mpiglot/detail/collectives/elements_beside.ipp>
#include <mpiglot/detail/collectives/user_operation.ipp>
#include <mpiglot/detail/engine/stages.ipp>
#include <mpiglot/detail/views/kept.ipp>
