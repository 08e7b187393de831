// The releases with a defect that the runtime asks for, made from provision/matrix.json
// by ci/pages/defects.py. DO NOT EDIT.

#pragma once

namespace mpiglot::detail {

enum class vendor { other, mpich, openmpi, intelmpi };

/// A defect of the releases of one vendor from `first` on and before `end`. A release is a number:
/// 4.0.2 is 4'000'002.
struct defect_range {
  const char* id;
  vendor maker;
  unsigned first, end;
  const char* sentence;
};

inline constexpr defect_range defect_table[] = {
    {"accumulate-ignores-logical", vendor::openmpi, 0, ~0U,
     "With MPI_LAND, MPI_LOR and MPI_LXOR the target stays as it was."},
    {"allgatherv-ignores-displacements", vendor::mpich, 3004004, 4001003,
     "On one process the data is stored at displacement 0, whatever displs says."},
    {"atomics-abort-on-one-process", vendor::mpich, 0, 4000002,
     "An atomic access to a window of one process ends it in an assertion of the network "
     "layer (max_order_war)."},
    {"collective-write-returns-early", vendor::openmpi, 0, ~0U,
     "A collective write returns while another process still writes its data: a process "
     "that reads what it has just written gets what was there before, in plain C on three "
     "and four ranks (up to one read of two)."},
    {"dims-of-large-numbers", vendor::mpich, 0, ~0U,
     "With a prime such as 2147483647 the process ends by an integer division by zero, in "
     "plain C: numbers up to the square of 46340 are divided."},
    {"dims-of-large-numbers", vendor::intelmpi, 0, ~0U,
     "With a prime such as 2147483647 the process ends by an integer division by zero, in "
     "plain C: numbers up to the square of 46340 are divided."},
    {"errors-abort-crashes", vendor::mpich, 3004004, 4001003,
     "Setting the handler MPI_ERRORS_ABORT ends the program in a failed assertion."},
    {"failed-request-in-waitall", vendor::openmpi, 0, 5000011,
     "With MPI_THREAD_MULTIPLE the call never returns if one of its operations had failed "
     "before it, such as by truncation."},
    {"file-requests-in-testall", vendor::mpich, 0, ~0U,
     "MPI_Testall with two requests of files ends the job in an assertion (ref_count >= "
     "0), in plain C; with two of MPI_File_iwrite_all MPI_Waitany and MPI_Waitsome crash "
     "or do not return."},
    {"file-requests-in-testall", vendor::intelmpi, 0, ~0U,
     "MPI_Testall with two requests of files ends the job in an assertion (ref_count >= "
     "0), in plain C; with two of MPI_File_iwrite_all MPI_Waitany and MPI_Waitsome crash "
     "or do not return."},
    {"file-requests-of-threads", vendor::openmpi, 0, ~0U,
     "While a nonblocking access to a file is under way, a call of MPI of another thread "
     "completes its request a second time: a segmentation fault in "
     "mca_common_ompio_progress, in plain C. dev.mpiglot.mpi calls the blocking functions."},
    {"iread-beyond-the-end", vendor::openmpi, 0, ~0U,
     "A nonblocking read that reaches beyond the end of the file is never complete, in "
     "plain C, also on one rank, and a split collective one never ends."},
    {"isendrecv-frees-derived-type", vendor::mpich, 3004004, 4001003,
     "The datatype sent is released once too often if it is a derived one: the process "
     "ends in MPI_Wait or in MPI_Type_free."},
    {"isendrecv-status-empty", vendor::mpich, 3004004, ~0U,
     "The status of a completed request says nothing: no source, no tag, no count."},
    {"isendrecv-status-empty", vendor::intelmpi, 2021014003, ~0U,
     "The status of a completed request says nothing: no source, no tag, no count."},
    {"isendrecv-with-nobody", vendor::mpich, 3004004, 4001003,
     "Where source and destination are both MPI_PROC_NULL, MPI_Wait never returns on one "
     "process, and the process ends on more."},
    {"no-agreement", vendor::mpich, 0, ~0U,
     "The functions are there, but end the job in an assertion of the device or in a "
     "crash."},
    {"no-agreement", vendor::intelmpi, 0, ~0U,
     "The functions are there, but end the job in an assertion of the device or in a "
     "crash."},
    {"no-fault-tolerance", vendor::mpich, 0, ~0U,
     "The functions are there, but end the job in an assertion of the device."},
    {"no-memory-for-window", vendor::mpich, 0, ~0U,
     "A window for which there is no memory ends the job in plain C on one rank: in "
     "ucp_rkey_destroy if the communicator had a window before, or by an assertion "
     "(map_entry != NULL)."},
    {"persistent-allgather", vendor::mpich, 3004004, 4001003,
     "On two and four processes, data is missing when it is started again."},
    {"persistent-allgather", vendor::intelmpi, 0, ~0U,
     "On two and four processes, data is missing when it is started again."},
    {"persistent-bsend-sends-others", vendor::openmpi, 0, 5000011,
     "A message that is longer than an eager one (tried: 4400 bytes and more) has other "
     "bytes when it is started again after it was received, in plain C."},
    {"persistent-collectives-after-nobody", vendor::mpich, 3004004, 4001003,
     "It hangs or ends before its data arrive if a persistent request with MPI_PROC_NULL "
     "was freed before."},
    {"persistent-collectives-after-nobody", vendor::intelmpi, 0, ~0U,
     "It hangs or ends before its data arrive if a persistent request with MPI_PROC_NULL "
     "was freed before."},
    {"persistent-errors-lost-among-several", vendor::mpich, 4001004, ~0U,
     "A persistent receive that cuts off its message is complete without an error: on Open"
     " MPI in MPI_Waitall, MPI_Testall and MPI_Testany, on MPICH and Intel MPI in "
     "MPI_Waitsome and MPI_Testsome."},
    {"persistent-errors-lost-among-several", vendor::openmpi, 0, 5000011,
     "A persistent receive that cuts off its message is complete without an error: on Open"
     " MPI in MPI_Waitall, MPI_Testall and MPI_Testany, on MPICH and Intel MPI in "
     "MPI_Waitsome and MPI_Testsome."},
    {"persistent-errors-lost-among-several", vendor::intelmpi, 0, ~0U,
     "A persistent receive that cuts off its message is complete without an error: on Open"
     " MPI in MPI_Waitall, MPI_Testall and MPI_Testany, on MPICH and Intel MPI in "
     "MPI_Waitsome and MPI_Testsome."},
    {"persistent-gather", vendor::mpich, 3004004, 4003002,
     "The root's buffer stays as it was when the operation is started."},
    {"persistent-gather", vendor::intelmpi, 0, ~0U,
     "The root's buffer stays as it was when the operation is started."},
    {"persistent-scatter", vendor::mpich, 3004004, 4003002,
     "Started on three processes, MPI_Wait fails or does not return."},
    {"persistent-scatter", vendor::intelmpi, 0, ~0U,
     "Started on three processes, MPI_Wait fails or does not return."},
    {"reduce-in-place-on-other-roots", vendor::mpich, 0, 4001003,
     "In place on a root that is not rank 0 it ends in a segmentation fault with more than"
     " 2 KiB."},
    {"reduce-null-receive-buffer", vendor::mpich, 0, 4000002,
     "On a root that is not rank 0, after a few calls, the receive buffer of rank 0 is "
     "used: NULL there ends in a segmentation fault, anything else is overwritten."},
    {"reduce-scatter-in-place-aborts", vendor::mpich, 0, ~0U,
     "In place and with long parts (tried: 400 kB and 800 kB), the job is ended with "
     "'memcpy argument memory ranges overlap' where a part is longer than what stands "
     "before it. dev.mpiglot.mpi sends a copy."},
    {"reduce-scatter-of-gaps", vendor::mpich, 0, ~0U,
     "If a datatype has a gap at its end and the operation does not commute, it writes "
     "beyond its memory on two and four processes, in plain C: other values, or a crash."},
    {"reduce-scatter-of-gaps", vendor::intelmpi, 0, ~0U,
     "If a datatype has a gap at its end and the operation does not commute, it writes "
     "beyond its memory on two and four processes, in plain C: other values, or a crash."},
    {"rget-completes-early", vendor::mpich, 3004004, 4001003,
     "Where the types of both sides differ, MPI_Wait returns before the data is there; it "
     "is after MPI_Win_flush."},
    {"session-alone-crashes", vendor::mpich, 3004004, 4003002,
     "One process that has a session and never called MPI_Init ends in a crash when MPI "
     "makes progress, as in MPI_Testall."},
    {"split-type-with-hints", vendor::mpich, 0, ~0U,
     "With MPI_UNDEFINED, MPI_COMM_TYPE_HW_GUIDED or MPI_COMM_TYPE_HW_UNGUIDED and the "
     "hints of a communicator it ends in a segmentation fault, in plain C."},
    {"strided-read-tells-too-much", vendor::mpich, 0, ~0U,
     "With gaps in the view or in the buffer the status of a read beyond the end of the "
     "file says that all was read, in plain C on one rank."},
    {"strided-read-tells-too-much", vendor::intelmpi, 0, ~0U,
     "With gaps in the view or in the buffer the status of a read beyond the end of the "
     "file says that all was read, in plain C on one rank."},
    {"windows-without-memory-hang", vendor::openmpi, 0, ~0U,
     "If there is no room for the memory, rank 0 returns with an error, and the others "
     "wait for it in a broadcast, in plain C on two ranks; MPI_Win_allocate in Open MPI 5 "
     "only."},
};

}  // namespace mpiglot::detail
