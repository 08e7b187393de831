"""Tables continued: which named values and which stand-ins for "nothing" a parameter takes."""

from __future__ import annotations

from mpiglot.blueprints.catalogue.tables import NUMBER, Rule, within

_BY_VALUE = r"(const )?int|MPI_Count|MPI_Aint|MPI_Offset"
_OUT = r"(int|MPI_Count|MPI_Aint)( \*| \[\])"
_RECEIVE = (
    r"i?m?recv(_init|_enqueue)?|(\w+_)?i?recv(_enqueue)?|precv_init|i?m?probe|improbe"
    r"|i?sendrecv(_replace)?"
)

# The value set of an integer. A rule may name a set only where every value that can stand there
# and has a name is in that set: values are translated between ABIs with it.
VALUES: tuple[Rule, ...] = (
    within("", "dest", _BY_VALUE, values="dest"),
    within("", "source", _BY_VALUE, values="source"),
    within(r"precv_init", "dest", values="source"),  # the ABI header's name for the source
    within(r"status_(get|set)_source", "source", values="source"),
    within("", "target_rank", _BY_VALUE, values="process"),
    within(r"win_shared_query", "rank", values="process"),
    within(r"cart_shift", "rank_source|rank_dest", values="process"),
    within(r"group_translate_ranks", "ranks1", values="process"),
    within(r"group_translate_ranks", "ranks2", values="rank_result"),
    within(r"group_rank|cart_map|graph_map", "rank|newrank", _OUT, values="rank_result"),
    within(r"(?!comm_(spawn|connect|accept)|dist)\w+", "root", _BY_VALUE, values="root"),
    within(_RECEIVE, "tag|recvtag", _BY_VALUE, values="tag"),
    within(r"status_(get|set)_tag", "tag", values="tag"),
    within(r"comm_split", "color", values="color"),
    within(r"comm_split_type", "split_type", values="split_type"),
    within("", "amode", values="access_mode"),
    within("", "assert", values="assertion"),
    within("", "required|provided", values="thread_level"),
    within(r"(comm|group)_compare", "result", values="comparison"),
    within(r"topo_test", "status", values="topology"),
    within("", "combiner", values="combiner"),
    within("", "lock_type", values="lock_type"),
    within("", "whence", values="seek"),
    within(r"type_create_(darray|subarray)", "order", values="order"),
    within("", "array_of_distribs", values="distribution"),
    within("", "array_of_dargs", values="distribution_argument"),
    within("", "typeclass", values="typeclass"),
    within(r"file_set_view", "disp", values="file_displacement"),
    # errors
    within(
        r"(?!abort)\w+",
        r"error_?class|error_?code|error|err|array_of_errcodes",
        NUMBER,
        values="error_class",
    ),
    # keys of attributes
    within(
        r"(comm_(\w+_)?|copy_|delete_|attr_|keyval_)\w+", r"(comm_)?keyval", values="comm_keyval"
    ),
    within(r"type_\w+", r"(type_)?keyval", values="type_keyval"),
    within(r"win_\w+", r"(win_)?keyval", values="win_keyval"),
    # results that may be MPI_UNDEFINED
    within(r"get_count|get_elements(_x)?", "count", _OUT, values="undefined"),
    within(
        r"(wait|test)(any|some)|request_get_status_(any|some)",
        "indx|index|outcount",
        _OUT,
        values="undefined",
    ),
    within(r"type_size(_x)?|pack_size|pack_external_size", "size", _OUT, values="undefined"),
    within(
        r"type_get_(true_)?extent(_x)?|file_get_type_extent",
        r"(true_)?(lb|extent)",
        _OUT,
        values="undefined",
    ),
    within(r"(buffer|comm|session)_(detach|detach_buffer)", "size", _OUT, values="undefined"),
    within(r"type_create_f90_(real|complex)", "p|r", values="undefined"),
    within(r"gpu_query_support", "gpu_type", values="gpu_type"),
    # the tools interface
    within(r"t_\w+", "verbosity", values="verbosity"),
    within(r"t_\w+", "bind", values="bind"),
    within(r"t_\w+", "scope", values="scope"),
    within(r"t_\w+", "var_class", values="pvar_class"),
    within(r"t_\w+", "ordering", values="source_order"),
    within(r"t_\w+", "cb_safety", values="cb_safety"),
)

_IN_PLACE = (
    r"i?(allgatherv?|gatherv?|allreduce|reduce|reduce_scatter(_block)?|alltoall[vw]?|scan|exscan)"
    r"(_init|_enqueue)?"
)

# What may stand for "nothing here", by name.
SENTINELS: tuple[Rule, ...] = (
    within(_IN_PLACE, "sendbuf", sentinels=("MPI_IN_PLACE",)),
    within(r"i?scatterv?(_init)?", "recvbuf", sentinels=("MPI_IN_PLACE",)),
    within(
        r"(?!status_|grequest_|c2f|get_)\w+",
        "status",
        r"MPI_Status \*",
        sentinels=("MPI_STATUS_IGNORE",),
    ),
    within("", "array_of_statuses", sentinels=("MPI_STATUSES_IGNORE",)),
    within("", "array_of_errcodes", sentinels=("MPI_ERRCODES_IGNORE",)),
    within(r"comm_spawn", "argv", sentinels=("MPI_ARGV_NULL",)),
    within(r"comm_spawn_multiple", "array_of_argv", sentinels=("MPI_ARGVS_NULL",)),
    within(
        r"dist_graph_create(_adjacent)?",
        r"\w*weights",
        sentinels=("MPI_UNWEIGHTED", "MPI_WEIGHTS_EMPTY"),
    ),
    within(r"dist_graph_neighbors", r"\w*weights", sentinels=("MPI_UNWEIGHTED",)),
    within(r"init(_thread)?|info_create_env", "argc|argv", r"int \*|char .*", sentinels=("NULL",)),
    within(
        r"buffer_attach|(comm|session)_attach_buffer", "buffer", sentinels=("MPI_BUFFER_AUTOMATIC",)
    ),
    within(r"win_create", "base", sentinels=("NULL", "MPI_BOTTOM")),
    within(
        r"(?!info_|\w*_set_info|abi_set_|\w+_(c2f|toint))\w+",
        "info|array_of_info",
        r"MPI_Info|const MPI_Info \[\]",
        sentinels=("MPI_INFO_NULL",),
    ),
    within(
        r"(wait|test)(all|any|some)?(_enqueue)?|request_get_status\w*|parrived",
        r"request|array_of_requests",
        sentinels=("MPI_REQUEST_NULL",),
    ),
    # callbacks
    within(
        r"comm_create_keyval",
        "comm_copy_attr_fn",
        sentinels=("MPI_COMM_NULL_COPY_FN", "MPI_COMM_DUP_FN"),
    ),
    within(r"comm_create_keyval", "comm_delete_attr_fn", sentinels=("MPI_COMM_NULL_DELETE_FN",)),
    within(
        r"type_create_keyval",
        "type_copy_attr_fn",
        sentinels=("MPI_TYPE_NULL_COPY_FN", "MPI_TYPE_DUP_FN"),
    ),
    within(r"type_create_keyval", "type_delete_attr_fn", sentinels=("MPI_TYPE_NULL_DELETE_FN",)),
    within(
        r"win_create_keyval",
        "win_copy_attr_fn",
        sentinels=("MPI_WIN_NULL_COPY_FN", "MPI_WIN_DUP_FN"),
    ),
    within(r"win_create_keyval", "win_delete_attr_fn", sentinels=("MPI_WIN_NULL_DELETE_FN",)),
    within(r"keyval_create", "copy_fn", sentinels=("MPI_NULL_COPY_FN", "MPI_DUP_FN")),
    within(r"keyval_create", "delete_fn", sentinels=("MPI_NULL_DELETE_FN",)),
    within(
        r"register_datarep",
        r"(read|write)_conversion_fn",
        r"MPI_Datarep_conversion_function \*",
        sentinels=("MPI_CONVERSION_FN_NULL",),
    ),
    within(
        r"register_datarep",
        r"(read|write)_conversion_fn",
        r"MPI_Datarep_conversion_function_c \*",
        sentinels=("MPI_CONVERSION_FN_NULL_C",),
    ),
    # the tools interface leaves out what it is given no pointer for
    within(
        r"t_(cvar|pvar|category|event|source|enum)_get_(info|item)",
        "",
        r"(?!const).*( \*| \[\])",
        sentinels=("NULL",),
    ),
    within(r"t_(cvar|pvar|event)_handle_alloc", "obj_handle", sentinels=("NULL",)),
    within(r"t_pvar_(start|stop|reset)", "handle", sentinels=("MPI_T_PVAR_ALL_HANDLES",)),
    within(r"t_event_(handle_free|set_dropped_handler)", r"\w+_cb_function", sentinels=("NULL",)),
    within(r"session_get_nth_pset", "pset_name", sentinels=("NULL",)),
    within(r"info_get_string", "value", sentinels=("NULL",)),
)

# Stand-ins that mean something else than "nothing".
NOT_NULL = frozenset(
    {
        "MPI_IN_PLACE",
        "MPI_BUFFER_AUTOMATIC",
        "MPI_T_PVAR_ALL_HANDLES",
        "MPI_BOTTOM",
        "MPI_COMM_DUP_FN",
        "MPI_TYPE_DUP_FN",
        "MPI_WIN_DUP_FN",
        "MPI_DUP_FN",
    }
)
