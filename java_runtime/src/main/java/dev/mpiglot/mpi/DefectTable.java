package dev.mpiglot.mpi;

// The releases with a defect that this package asks for, made from provision/matrix.json
// by ci/pages/defects.py. DO NOT EDIT.

/**
 * A defect of the releases of one vendor from {@code first} on and before {@code end}. A release
 * is a number: 4.0.2 is 4_000_002.
 */
record DefectTable(String id, String vendor, int first, int end, String sentence) {

    /** All of them. */
    static DefectTable[] rows() {
        return new DefectTable[] {
            new DefectTable("abort-returns", "mpich", 4000003, Integer.MAX_VALUE,
                "MPI_Abort comes back, so that the program goes on until the launcher ends it, in plain C."),
            new DefectTable("atomics-abort-on-one-process", "mpich", 0, 4000002,
                "An atomic access to a window of one process ends it in an assertion of the network layer "
                + "(max_order_war)."),
            new DefectTable("collective-write-returns-early", "openmpi", 0, Integer.MAX_VALUE,
                "A collective write returns while another process still writes its data: a process that "
                + "reads what it has just written gets what was there before, in plain C on three and four "
                + "ranks (up to one read of two)."),
            new DefectTable("communicators-crash-after-tools", "mpich", 3004004, 4003002,
                "Once MPI_T_finalize was called for the last time, MPI_Comm_dup ends in a segmentation "
                + "fault, in plain C."),
            new DefectTable("communicators-crash-after-tools", "intelmpi", 0, 2021018001,
                "Once MPI_T_finalize was called for the last time, MPI_Comm_dup ends in a segmentation "
                + "fault, in plain C."),
            new DefectTable("contiguous-message-to-gaps-truncated", "mpich", 3004004, 4001003,
                "A contiguous message longer than 8 KB, which every buffered one is, ends in "
                + "MPI_ERR_TRUNCATE where it is received as structures with gaps, in plain C on two "
                + "processes."),
            new DefectTable("crashes-after-tools-finalize", "mpich", 0, 4000002,
                "Once MPI_T_finalize was called, new communicators and windows end in a segmentation fault."),
            new DefectTable("darray-of-cyclic-blocks", "intelmpi", 0, Integer.MAX_VALUE,
                "Where blocks in turn (MPI_DISTRIBUTE_CYCLIC) lie around a dimension that is distributed, "
                + "too, elements of a block but its first lie in wrong places: size and extent are right."),
            new DefectTable("error-handler-hides-code", "mpich", 4001004, Integer.MAX_VALUE,
                "After an error handler of the program has returned, the failed call returns MPI_SUCCESS; "
                + "other MPIs return the code."),
            new DefectTable("errors-abort-crashes", "mpich", 3004004, 4001003,
                "Setting the handler MPI_ERRORS_ABORT ends the program in a failed assertion."),
            new DefectTable("file-requests-of-threads", "openmpi", 0, Integer.MAX_VALUE,
                "While a nonblocking access to a file is under way, a call of MPI of another thread "
                + "completes its request a second time: a segmentation fault in mca_common_ompio_progress, in"
                + " plain C. dev.mpiglot.mpi calls the blocking functions."),
            new DefectTable("iread-beyond-the-end", "openmpi", 0, Integer.MAX_VALUE,
                "A nonblocking read that reaches beyond the end of the file is never complete, in plain C, "
                + "also on one rank, and a split collective one never ends."),
            new DefectTable("isendrecv-frees-derived-type", "mpich", 3004004, 4001003,
                "The datatype sent is released once too often if it is a derived one: the process ends in "
                + "MPI_Wait or in MPI_Type_free."),
            new DefectTable("isendrecv-with-nobody", "mpich", 3004004, 4001003,
                "Where source and destination are both MPI_PROC_NULL, MPI_Wait never returns on one "
                + "process, and the process ends on more."),
            new DefectTable("no-agreement", "mpich", 0, Integer.MAX_VALUE,
                "The functions are there, but end the job in an assertion of the device or in a crash."),
            new DefectTable("no-agreement", "intelmpi", 0, Integer.MAX_VALUE,
                "The functions are there, but end the job in an assertion of the device or in a crash."),
            new DefectTable("no-fault-tolerance", "mpich", 0, Integer.MAX_VALUE,
                "The functions are there, but end the job in an assertion of the device."),
            new DefectTable("no-memory-for-window", "mpich", 0, Integer.MAX_VALUE,
                "A window for which there is no memory ends the job in plain C on one rank: in "
                + "ucp_rkey_destroy if the communicator had a window before, or by an assertion (map_entry !="
                + " NULL)."),
            new DefectTable("pack-external-keeps-byte-order", "mpich", 0, 4000002,
                "Packs integers as they are in memory instead of most significant byte first."),
            new DefectTable("pack-external-of-structures", "mpich", 3004004, 4001003,
                "A structure of several types ends the process by an illegal instruction, and a pair such "
                + "as MPI_DOUBLE_INT ends the job with 'Internal error', in plain C."),
            new DefectTable("persistent-allgather", "mpich", 3004004, 4001003,
                "On two and four processes, data is missing when it is started again."),
            new DefectTable("persistent-allgather", "intelmpi", 0, Integer.MAX_VALUE,
                "On two and four processes, data is missing when it is started again."),
            new DefectTable("persistent-bsend-sends-others", "openmpi", 0, 5000011,
                "A message that is longer than an eager one (tried: 4400 bytes and more) has other bytes "
                + "when it is started again after it was received, in plain C."),
            new DefectTable("persistent-gather", "mpich", 3004004, 4003002,
                "The root's buffer stays as it was when the operation is started."),
            new DefectTable("persistent-gather", "intelmpi", 0, Integer.MAX_VALUE,
                "The root's buffer stays as it was when the operation is started."),
            new DefectTable("persistent-scatter", "mpich", 3004004, 4003002,
                "Started on three processes, MPI_Wait fails or does not return."),
            new DefectTable("persistent-scatter", "intelmpi", 0, Integer.MAX_VALUE,
                "Started on three processes, MPI_Wait fails or does not return."),
            new DefectTable("psm2-counts-crash", "openmpi", 0, 4001008,
                "MPI_T_pvar_handle_alloc for mtl_psm2_rx_user_bytes ends in a segmentation fault where "
                + "there is no such network, on 2 ranks, in plain C."),
            new DefectTable("psm2-variables-crash", "openmpi", 0, 4001008,
                "With a variable of mtl_psm2 it ends in a segmentation fault on machines without that "
                + "network."),
            new DefectTable("reduce-in-place-on-other-roots", "mpich", 0, 4001003,
                "In place on a root that is not rank 0 it ends in a segmentation fault with more than 2 "
                + "KiB."),
            new DefectTable("reduce-null-receive-buffer", "mpich", 0, 4000002,
                "On a root that is not rank 0, after a few calls, the receive buffer of rank 0 is used: "
                + "NULL there ends in a segmentation fault, anything else is overwritten."),
            new DefectTable("requests-after-persistent-collectives", "intelmpi", 0, Integer.MAX_VALUE,
                "After a persistent collective was freed, MPI_Test and MPI_Wait for such a request end in a"
                + " segmentation fault; MPI_Testall for it alone does not."),
            new DefectTable("second-session-crashes", "mpich", 3004004, 4003002,
                "A second session after the first one ended ends the program in a crash."),
            new DefectTable("second-session-crashes", "openmpi", 4001009, Integer.MAX_VALUE,
                "A second session after the first one ended ends the program in a crash."),
            new DefectTable("second-session-crashes", "intelmpi", 0, Integer.MAX_VALUE,
                "A second session after the first one ended ends the program in a crash."),
            new DefectTable("session-alone-crashes", "mpich", 3004004, 4003002,
                "One process that has a session and never called MPI_Init ends in a crash when MPI makes "
                + "progress, as in MPI_Testall."),
            new DefectTable("shared-variables-unloaded", "openmpi", 0, 4001008,
                "Variables of ucx and ofi stay listed after their library was unloaded, and MPI_T_cvar_read"
                + " of one ends in a segmentation fault, in plain C."),
            new DefectTable("small-shared-allocation", "mpich", 3004004, 4001003,
                "Unless sizes are multiples of 16 bytes, accesses to other ranks of the machine reach some "
                + "bytes beside what they should."),
            new DefectTable("split-type-with-hints", "mpich", 0, Integer.MAX_VALUE,
                "With MPI_UNDEFINED, MPI_COMM_TYPE_HW_GUIDED or MPI_COMM_TYPE_HW_UNGUIDED and the hints of "
                + "a communicator it ends in a segmentation fault, in plain C."),
            new DefectTable("strided-read-tells-too-much", "mpich", 0, Integer.MAX_VALUE,
                "With gaps in the view or in the buffer the status of a read beyond the end of the file "
                + "says that all was read, in plain C on one rank."),
            new DefectTable("strided-read-tells-too-much", "intelmpi", 0, Integer.MAX_VALUE,
                "With gaps in the view or in the buffer the status of a read beyond the end of the file "
                + "says that all was read, in plain C on one rank."),
            new DefectTable("tools-end-after-mpi", "openmpi", 0, 5000011,
                "MPI_T_finalize after MPI_Finalize ends in a segmentation fault if MPI_T_init_thread was "
                + "called before MPI_Init, in plain C."),
            new DefectTable("tools-leave-level", "openmpi", 0, Integer.MAX_VALUE,
                "From the second call on, the level of thread support is left as it was."),
            new DefectTable("window-not-at-16-bytes", "mpich", 3004004, 4001003,
                "Rounds the address of a window's memory down to a multiple of 16: accesses of other ranks "
                + "reach that much before the window."),
        };
    }
}
