"""Tables continued: buffers with their counts, families, chapters, lifetimes, array lengths."""

from __future__ import annotations

from mpiglot.blueprints.catalogue.tables import Rule, named, within

# ------------------------------------------------------------------------------- buffer groups
# buffer's name, names of its count, of its datatype, of its displacements: the first that exist
ONE_SIDED = ("target_rank",)
_ONE = ("count", "datatype")
GROUPS: tuple[tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
    (
        r"sendbuf",
        ("sendcounts", "sendcount", "recvcounts", "count", "recvcount"),
        ("sendtypes", "sendtype", "datatype"),
        ("sdispls", "displs"),
    ),
    (
        r"recvbuf",
        ("recvcounts", "recvcount", "count"),
        ("recvtypes", "recvtype", "datatype"),
        ("rdispls", "displs"),
    ),
    (r"origin_addr", ("origin_count",), ("origin_datatype", "datatype"), ()),
    (r"result_addr", ("result_count",), ("result_datatype", "datatype"), ()),
    (r"compare_addr", (), ("datatype",), ()),
    (r"in(out)?buf", ("incount", "count"), ("datatype",), ()),
    (r"outbuf", ("outcount", "count"), ("datatype",), ()),
    (r"in(out)?vec", ("len",), ("datatype",), ()),
    (r"userbuf", ("count",), ("datatype",), ()),
    (r"buf|buffer|\w*_?buf|data", ("count",), ("datatype",), ()),
)

# How often `count` elements stand in the buffer.
BLOCKS: tuple[tuple[str, str, str], ...] = (
    (r"i?(all)?gather(_init)?", "recvbuf", "comm_size(comm)"),
    (r"i?scatter(_init)?", "sendbuf", "comm_size(comm)"),
    (r"i?alltoall(_init)?", "sendbuf|recvbuf", "comm_size(comm)"),
    (r"i?neighbor_allgather(_init)?", "recvbuf", "indegree(comm)"),
    (r"i?neighbor_alltoall(_init)?", "sendbuf", "outdegree(comm)"),
    (r"i?neighbor_alltoall(_init)?", "recvbuf", "indegree(comm)"),
    (r"i?reduce_scatter_block(_init)?", "sendbuf", "local_size(comm)"),
    (r"i?reduce_scatter(_init)?", "recvbuf", "own(recvcounts)"),
    (r"p(send|recv)_init", "buf", "partitions"),
)

# --------------------------------------------------------------------------- families, chapters
_COLL = (
    r"[ip]?(barrier|bcast|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|reduce|allreduce"
    r"|reduce_scatter(_block)?|scan|exscan|neighbor_(allgatherv?|alltoall[vw]?))"
)
COLLECTIVE: tuple[str, ...] = (
    _COLL + r"(_init|_enqueue)?",
    r"comm_(create|create_group|create_from_group|i?dup|i?dup_with_info|split|split_type|free"
    r"|disconnect|accept|connect|spawn|spawn_multiple|set_info|shrink|i?agree|ishrink)",
    r"intercomm_(create|create_from_groups|merge)",
    r"(cart|graph)_(create|map)|cart_sub|dist_graph_create(_adjacent)?",
    r"win_(create|create_dynamic|allocate|allocate_shared|free|fence|set_info)",
    r"file_(open|close|set_size|preallocate|set_view|set_info|set_atomicity|sync|seek_shared"
    r"|i?(read|write)_(all|at_all|ordered)(_begin|_end)?)",
    r"init|init_thread|finalize|session_finalize",
    r"stream_comm_create(_multiplex)?|threadcomm_(init|free|start|finish)",
)
NONBLOCKING: tuple[str, ...] = (
    r"(put|get|accumulate|get_accumulate|fetch_and_op|compare_and_swap)(_notify)?",
    r"file_\w+_begin",
)
LOCAL_REQUESTS: tuple[str, ...] = (
    r"\w*grequest\w*|request_\w+|\w+_f2c|\w+_fromint|wait\w*|test\w*|start\w*|win_get_notify_request",
)
BLOCKING: tuple[str, ...] = (
    r"(\w+_)?[bsr]?send(recv(_replace)?)?(_enqueue)?|(\w+_)?m?recv(_enqueue)?|m?probe|wait\w*",
    r"win_(complete|wait|lock|unlock|lock_all|unlock_all|flush\w*|post|start)",
    r"file_(read|write|delete)\w*|(buffer|comm|session)_(detach_buffer|flush_buffer|detach|flush)",
    r"comm_join|session_init|lookup_name|(un)?publish_name|abort",
)

KEPT_ROLES = frozenset(
    {
        "buffer",
        "count",
        "displacement",
        "datatype",
        "communicator",
        "flag",
        "status",
    }
)
NOT_KEPT: tuple[str, ...] = (r"improbe|iprobe|\w*grequest\w*",)
KEPT_OTHERWISE: tuple[tuple[str, str], ...] = (
    (r"\w*attach\w*", "buffer|base"),
    (r"win_create", "base"),
    (r"file_\w+_(begin|end)", "buf"),
    (r"\w+_enqueue", r"\w*buf|request|array_of_requests|status|array_of_statuses"),
)

CHAPTERS: tuple[tuple[str, str], ...] = (
    (
        r"attr_(delete|get|put)|keyval_(create|free)|address|errhandler_(create|get|set)"
        r"|type_(extent|hindexed|hvector|lb|ub|struct)|info_get(_valuelen)?"
        r"|\w+_x",
        "deprecated",
    ),
    (r"\w+_(c2f|f2c|toint|fromint|c2f08|f082c|f082f|f2f08)", "fortran"),
    (r"type_create_f90_\w+|type_match_size", "datatypes"),
    (r"t_\w+|pcontrol", "tools"),
    (r"abi_\w+", "abi"),
    (r"p(send|recv)_init|pready(_\w+)?|parrived", "partitioned"),
    (
        r"file_(create|get|set|call)_errhandler|win_(create|get|set|call)_errhandler"
        r"|(comm|session)_(create|get|set|call)_errhandler|errhandler_free",
        "environment",
    ),
    (r"session_(init|finalize|get_\w+|set_info)|group_from_session_pset", "sessions"),
    (r"(comm|session)_(attach|detach|i?flush)_buffer|buffer_\w+", "pt2pt"),
    (_COLL + r"(_init)?|op_\w+|reduce_local", "collectives"),
    (
        r"\w+_(create_keyval|free_keyval|set_attr|get_attr|delete_attr|set_name|get_name)",
        "attributes",
    ),
    (r"cart\w*|graph\w*|dist_graph\w*|topo_test|dims_create|neighbor_\w+", "topologies"),
    (
        r"comm_(spawn\w*|accept|connect|disconnect|join|get_parent)|open_port|close_port"
        r"|(un)?publish_name|lookup_name",
        "dynamic",
    ),
    (r"file_\w+|register_datarep", "io"),
    (r"win_\w+|r?(put|get|accumulate|get_accumulate)|fetch_and_op|compare_and_swap", "rma"),
    (
        r"grequest_\w+|status_set_\w+|is_thread_main|query_thread|add_error_\w+|remove_error_\w+",
        "external",
    ),
    (r"info_\w+", "info"),
    (r"group_\w+|comm_\w+|intercomm_\w+", "groups"),
    (r"type_\w+|pack\w*|unpack\w*|get_address|aint_\w+|get_count|get_elements", "datatypes"),
    (
        r"init(_thread)?|initialized|finalized?|abort|error_\w+|(alloc|free)_mem|wtime|wtick"
        r"|get_(version|library_version|processor_name|hw_resource_info)",
        "environment",
    ),
    (
        r"i?[bsr]?send(_init)?|i?sendrecv(_replace)?|i?m?recv(_init)?|i?m?probe|cancel|test_cancelled"
        r"|(wait|test)(all|any|some)?|start(all)?|request_\w+|status_get_\w+",
        "pt2pt",
    ),
)

# ---------------------------------------------------------------------------------------- lengths
_ARRAY = r"(const )?\w+ (\[\]|\*)|(const )?char \*\*?\[\]"
_VCOLL = r"i?(all)?(gather|scatter|to_?all)[vw](_init)?|i?alltoall[vw](_init)?"
LENGTHS: tuple[Rule, ...] = (
    Rule(
        {"length": ("count", "incount", "n", "ndims", "num_elements", "len", "length")},
        parameter=r"(?!\w*count|position)\w+",
        type=r"(const )?\w+ \[\]|char \*{1,2}\[\]",
    ),
    named(r"array_of_(statuses|requests|indices)", length=("count", "incount")),
    Rule({"length": None}, parameter=r"argv|inoutvec|invec"),
    # strings
    within(r"info_get", "value", r"char \*", length="valuelen+1"),
    within(r"info_get_string", "value", r"char \*", length="buflen"),
    within(r"\w+_get_name", r"\w+_name", r"char \*", length="MPI_MAX_OBJECT_NAME"),
    within(r"open_port|lookup_name", "port_name", r"char \*", length="MPI_MAX_PORT_NAME"),
    within(r"error_string", "string", r"char \*", length="MPI_MAX_ERROR_STRING"),
    within(r"get_library_version", "version", length="MPI_MAX_LIBRARY_VERSION_STRING"),
    within(r"get_processor_name", "name", length="MPI_MAX_PROCESSOR_NAME"),
    within(r"info_get_nthkey", "key", r"char \*", length="MPI_MAX_INFO_KEY"),
    within(r"file_get_view", "datarep", r"char \*", length="MPI_MAX_DATAREP_STRING"),
    within(r"session_get_nth_pset", "pset_name", r"char \*", length="pset_len"),
    within(r"t_\w+", "name", r"char \*", length=("name_len",)),
    within(r"t_\w+", "desc", r"char \*", length=("desc_len",)),
    within(r"init(_thread)?|info_create_env", "argv", length="argc"),
    within(r"comm_spawn", "argv", length="null"),
    # one entry per process
    within(
        _VCOLL, r"(send|recv)counts|[sr]?displs|(send|recv)types", _ARRAY, length="comm_size(comm)"
    ),
    within(r"i?reduce_scatter(_init)?", "recvcounts", length="local_size(comm)"),
    within(
        r"i?neighbor_alltoall[vw](_init)?",
        r"sendcounts|sdispls|sendtypes",
        _ARRAY,
        length="outdegree(comm)",
    ),
    within(
        r"i?neighbor_(alltoall[vw]|allgatherv)(_init)?",
        r"recvcounts|r?displs|recvtypes",
        _ARRAY,
        length="indegree(comm)",
    ),
    # grids and graphs
    within(r"cart_(get|coords)", "dims|periods|coords", _ARRAY, length="maxdims"),
    within(r"cart_sub", "remain_dims", length="cartdim(comm)"),
    within(r"cart_rank", "coords", length="cartdim(comm)"),
    within(r"graph_(create|map)", "indx|index", length="nnodes"),
    within(r"graph_(create|map)", "edges", length="last(indx)"),
    within(r"graph_get", "indx|index", length="maxindex"),
    within(r"graph_get", "edges", length="maxedges"),
    within(r"graph_neighbors", "neighbors", length="maxneighbors"),
    within(r"dist_graph_create", "sources|degrees", length="n"),
    within(r"dist_graph_create", "destinations|weights", length="sum(degrees)"),
    within(r"dist_graph_create_adjacent", "sources|sourceweights", length="indegree"),
    within(r"dist_graph_create_adjacent", "destinations|destweights", length="outdegree"),
    within(r"dist_graph_neighbors", "sources|sourceweights", length="maxindegree"),
    within(r"dist_graph_neighbors", "destinations|destweights", length="maxoutdegree"),
    within(r"group_range_(incl|excl)", "ranges", length=["n", "3"]),
    # datatypes
    within(r"type_get_contents", "array_of_integers", length="max_integers"),
    within(r"type_get_contents", "array_of_addresses", length="max_addresses"),
    within(r"type_get_contents", "array_of_large_counts", length="max_large_counts"),
    within(r"type_get_contents", "array_of_datatypes", length="max_datatypes"),
    within(
        r"type_(indexed|hindexed|struct|create_h?indexed_block|create_hindexed|create_struct)",
        r"array_of_\w+",
        length="count",
    ),
    within(r"comm_spawn", "array_of_errcodes", length="maxprocs"),
    within(r"comm_spawn_multiple", "array_of_errcodes", length="sum(array_of_maxprocs)"),
    # memory, in bytes
    within(r"pack(_external)?", "outbuf", length="outsize"),
    within(r"unpack(_external)?", "inbuf", length="insize"),
    within(r"buffer_attach|(comm|session)_attach_buffer", "buffer", length="size"),
    within(
        r"win_(create|attach|allocate|allocate_shared|shared_query)|alloc_mem",
        "base(ptr)?",
        length="size",
    ),
    within(r"buffer_detach|(comm|session)_detach_buffer", "buffer_addr", length="size"),
    within(r"abi_[gs]et_fortran_booleans", r"logical_(true|false)", length="logical_size"),
    within(r"info_set_hex", "value", length="value_size"),
    within(r"status_\w*(c2f|f2c|f082f|f2f08)", "f_status", length="MPI_F_STATUS_SIZE"),
    within(r"type_iov", "iov", length="max_iov_len"),
)
