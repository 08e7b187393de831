"""The rules as tables: what follows from a parameter's type, its name and the function's name.

A rule's patterns must match wholly: `function` the stem that `engine.stem` makes
(`MPI_Alltoallv_init_c` -> `alltoallv_init`), `parameter` the parameter's name, `type` its C type,
`beside` the text "type name" of another parameter of the same function. Of two rules that match,
the later one counts; so the tables go from the general to the particular.
"""

from __future__ import annotations

from mpiglot.blueprints.catalogue.tables import (
    BY_POINTER,
    HANDLE_POINTER,
    NUMBER,
    Rule,
    named,
    within,
)

# --------------------------------------------------------------------- roles, by name (and type)
_ROLE_NAMES = (
    # counts, lengths, sizes
    (r"\w*counts?|\w*counts?_\w+|num_\w+|npset_names|nkeys|partitions", "count"),
    (r"array_of_blocklengths|blocklength|\w*degrees?|n?neighbors_?count|nneighbors", "count"),
    (r"array_of_large_counts|nedges|nnodes|expected_value|notification", "count"),
    (r"nneighbors|maxprocs|array_of_maxprocs", "count"),
    (r"\w*size|\w*extent|\w*bytes|disp_unit", "size"),
    (r"dims|\w*coords|remain_dims|array_of_(g|sub|p)?sizes|array_of_starts|periods", "dimension"),
    # places
    (r"\w*disp|\w*displs?|array_of_displacements|\w*lb|stride|\w*extent", "displacement"),
    (r"displacement", "displacement"),
    (r"position", "position"),
    (r"\w*offset", "offset"),
    (r"addr[12]|location", "address"),
    # processes
    (r"\w*rank|ranks[12]?|\w*_?root|dest|source|sources|destinations|neighbors|edges", "rank"),
    (r"\w*_leader|rank_source|rank_dest|newrank|ranges|nodes|targets", "rank"),
    (r"\w*tag", "tag"),
    # other integers
    (r"\w*_?index|indx|index|idx|\w+_idx|indices|array_of_indices|partition(_low|_high)?", "index"),
    (r"array_of_partitions|element_index", "index"),
    (r"flag|commute|reorder|high|is_\w+|periods|remain_dims|weighted", "flag"),
    (r"readonly|continuous|atomic|complete|logical_(true|false)", "flag"),
    (r"n|ndims|argc|max(dims|index|edges|neighbors|indegree|outdegree)|max_\w+", "length"),
    (r"len|length|\w*len", "length"),
    (r"color", "color"),
    (r"key", "key"),
    (r"\w*keyval", "keyval"),
    (r"\w*weights", "weight"),
    (r"error_?class|err_?class", "error_class"),
    (r"error_?code|ierr(or)?|error|err|array_of_errcodes|errcode", "error_code"),
    (r"required|provided|thread_level", "thread_level"),
    (r"assert(ion)?", "assertion"),
    (r"amode|whence|lock_type|split_type|combiner|typeclass|order|array_of_distribs", "mode"),
    (r"verbosity|bind|scope|var_class|ordering|cb_safety|flavor|\w+_mode|\w+_kind", "mode"),
)
_HANDLES = r"MPIX?_(?!Status|Count|Aint|Offset|Fint)[A-Z]\w+ \[\]"

PARAMETERS: tuple[Rule, ...] = (
    *(named(pattern, NUMBER, role=role) for pattern, role in _ROLE_NAMES),
    Rule({"role": "mode"}, type=r"MPI_T_(cb_safety|source_order)( \*)?"),
    # ---------------------------------------------------------------- pointers without a datatype
    named(
        r"extra_state|user_?data|cb_?data|\w*cookie|\w*context|ctx",
        r"(const )?void \*",
        role="state",
        direction="in",
    ),
    named(r"attr(ibute)?_val(ue)?(_in|_out)?", r"(const )?void \*", role="attribute"),
    named(r"attr(ibute)?_val(ue)?_in", r"void \*", direction="in"),
    named(r"obj_handle", r"(const )?void \*", role="object", direction="in"),
    named(r"base|buf_?addr|ptr", r"void \*", direction="in"),
    named(r"baseptr|buffer_addr", r"void \*+", direction="out", indirect=True),
    named(
        r"in(out)?buf|sendbuf|invec|origin_addr|compare_addr|src|value", r"void \*", direction="in"
    ),
    named(r"inout\w*", r"void \*", direction="inout"),
    named(r"\w*stream|\w*queue|\w*device", r"void \*", role="object", direction="in"),
    named(r"position", BY_POINTER, direction="inout"),
    # a string's capacity comes back as its length
    Rule(
        {"direction": "inout"},
        parameter=r"\w+_len|buflen|len",
        type=r"int \*",
        beside=r"char \* \w+",
    ),
    Rule(
        {"direction": "inout"},
        parameter=r"\w+_len|buflen|len",
        type=r"int \*",
        beside=r"char \*\w+",
    ),
    # ---------------------------------------------------------------- inputs that lack their const
    named(
        r"array_of_(block_?lengths|displacements|types|g?sizes|subsizes|starts|distribs|dargs"
        r"|psizes|commands|argv|maxprocs|info|partitions|streams|comms|groups|keys|values)",
        BY_POINTER,
        direction="in",
    ),
    named(r"ranges", r"int \[\]\[3\]", direction="in"),
    within(
        r"\w*_(set|put|write|delete|add|register|query_set)(_\w+)?",
        r"(?!status|c_status|flag|is_|result|supported)\w+",
        r"(char|void|int|MPI_Count|MPI_Aint|double|long|size_t)( \*| \[\])",
        direction="in",
    ),
    within(
        r"\w*(create|multiplex|_incl|_excl|_list|register|spawn)\w*",
        r"(?!array_of_err)\w+",
        r"MPIX?_\w+ \[\]|int \[\]",
        direction="in",
    ),
    within(
        r"(i|s|b|r|is|ib|ir|p|\w*_i?)?send(_\w+)?|put(_\w+)?|r?accumulate(_\w+)?",
        "buf|buffer",
        r"void \*",
        direction="in",
    ),
    within(r"r?get(_\w+)?", "origin_addr", r"void \*", direction="out"),
    within(
        r"\w*(_reg|register|_pin|_map)(_\w+)?",
        r"\w*(buf|buffer|addr|mem|ptr)",
        r"void \*",
        direction="in",
    ),
    # an array of handles is worked on, unless the call is there to tell them
    within(r"(?!\w*(get|contents|query|list_all))\w+", "", _HANDLES, direction="in"),
    # ---------------------------------------------------------------- changed by the call
    Rule(
        {"direction": "inout"},
        function=r"(?!\w+_(init|create)\b)\w+",
        type=r"MPIX?_\w*Request (\*|\[\])",
        not_last=True,
    ),
    named(r"\w*requests", r"MPIX?_\w*Request (\*|\[\])", direction="inout"),
    within(
        r"\w*_(free|close|disconnect|finalize|commit|destroy|release)",
        "",
        HANDLE_POINTER,
        direction="inout",
    ),
    Rule(
        {"direction": "inout"},
        function=r"(wait|test|start)(all|any|some)?(_\w+)?",
        type=r"MPIX?_\w*Request (\*|\[\])",
    ),
    within(r"cancel", "request", r"MPI_Request \*", direction="in"),
    within(r"i?mrecv(_\w+)?", "message", r"MPI_Message \*", direction="inout"),
    within(r"(\w+_)?free_keyval|keyval_free", r"\w*keyval", r"int \*", direction="inout"),
    within(r"status_set_\w+", "status", r"MPI_Status \*", direction="inout"),
    within(r"\w*bcast\w*", "buf(fer)?", r"void \*", direction="inout"),
    within(r"i?sendrecv_replace(_\w+)?", "buf", r"void \*", direction="inout"),
    within(r"\w*attach\w*", "buffer|base", r"void \*", direction="in"),
    within(r"\w*detach_buffer|buffer_detach", "buffer_addr|buffer", r"void \*", direction="out"),
    within(r"(\w+_)?i?agree", "flag", r"int \*", direction="inout"),
    within(r"dims_create", "dims", direction="inout"),
    within(r"init(_thread)?", "argc|argv", r"int \*|char \*\*\*", direction="inout"),
    # ---------------------------------------------------------------- headers without const
    within(
        r"get_(count|elements)(_x)?|status_get_\w+|status_c2f(08)?|test_cancelled",
        "(c_)?status",
        r"MPI_Status \*",
        direction="in",
    ),
    within(r"status_f(08)?2c", r"f(08)?_status", direction="in"),
    within(r"request_get_status_\w+", "array_of_requests", direction="in"),
    within(r"(un)?publish_name|close_port|comm_connect|comm_accept", r"\w+_name", direction="in"),
    named(r"service_name|datarep|filename|command", r"char \*|char \[\]", direction="in"),
    within(r"file_get_view", "datarep", direction="out"),
    within(r"(get_)?address", "location", direction="in"),
    within(r"alloc_mem|win_allocate\w*|win_shared_query", "base", direction="out", indirect=True),
    within(r"\w+_get_name|get_\w+_(version|name)|error_string", r"\w*len", direction="out"),
    # ---------------------------------------------------------------- attributes
    within(r"(\w+_)?(get_attr|attr_get)", "attribute_val", direction="out", indirect=True),
    within(r"(\w+_)?(set_attr|attr_put)", "attribute_val", direction="in"),
    within(r"\w+_copy_attr_function|copy_function", "attribute_val_in", direction="in"),
    within(
        r"\w+_copy_attr_function|copy_function", "attribute_val_out", direction="out", indirect=True
    ),
    within(r"\w+_delete_attr_function|delete_function", "attribute_val", direction="in"),
    # ---------------------------------------------------------------- arrays that come back
    within(r"t_event_get_info", r"array_of_(datatypes|displacements)", direction="out"),
    within(r"type_get_contents", r"array_of_\w+", direction="out"),
    within(r"t_event_get_info", "num_elements", direction="inout"),
    # ---------------------------------------------------------------- other roles by function
    within(r"abi_get_version|get_version", "", r"int \*", role="number"),
    within(r"aint_(add|diff)", "base|addr[12]", role="address"),
    within(r"(get_)?address", "address", role="address"),
    within(
        r"\w*(create_resized|get_(true_)?extent(_x)?)",
        r"(true_)?(lb|extent)",
        NUMBER,
        role="displacement",
    ),
    within(r"type_(lb|ub|extent)", "displacement|extent", role="displacement"),
    within(r"datarep_extent_function", "extent", role="displacement"),
    within(r"type_create_darray", "size", role="size"),
    within(r"type_create_darray", "array_of_dargs", role="number"),
    within(r"cart_shift", "direction", role="index"),
    within(r"cart_shift", "disp", role="displacement"),
    within(r"(comm|group)_compare", "result", role="mode"),
    within(r"topo_test", "status", role="mode"),
    within(r"file_(seek|seek_shared|read_at\w*|write_at\w*)", "offset", role="offset"),
    within(r"file_(get|set)_view|file_get_byte_offset", "disp", role="offset"),
    within(r"dims_create", "nnodes", role="size"),
    within(r"graph_(create|map)", "nnodes", role="length"),
    within(r"graphdims_get", "nnodes", role="size"),
    within(r"comm_spawn\w*", r"(array_of_)?maxprocs", role="size"),
    within(
        r"((wait|test)(all|some|any)|startall|request_get_status_\w+)",
        "count|incount",
        role="length",
    ),
    within(r"comm_spawn_multiple", "count", role="length"),
    within(r"logical_\w+|type_match_size", "size", role="size"),
    within(r"info_get_nthkey|session_get_nth_pset", "n", role="index"),
    within(r"t_category_changed", "update_number", role="number"),
    within(
        r"t_source_get_(info|timestamp)|t_event_get_timestamp",
        r"timestamp|event_timestamp|ticks_per_second|max_ticks",
        role="number",
    ),
    within(r"t_enum_get_info", "num", role="count"),
    within(r"t_\w+_get_num", r"num_\w+", role="count"),
    within(r"comm_join", "fd", role="number"),
    within(
        r"(comm|win|type|datatype|file|group|info|op|request|errhandler|message|session)_"
        r"(c2f|f2c|fromint)",
        "",
        r"MPI_Fint|int",
        role="fortran_handle",
    ),
    within(r"status_\w*(c2f|f2c|f082f|f2f08)", "f_status", role="fortran_handle"),
    within(r"grequest_cancel_function", "complete", role="flag"),
    within(r"(\w+_)?agree", "flag", role="number"),  # bits: those stay that all processes have
    within(r"datarep_conversion_function", "userbuf|filebuf", direction="inout"),
    within(r"datarep_conversion_function", "position", direction="in", role="offset"),
    within(r"t_event_get_info", "num_elements", role="length"),
    within(r"\w*errhandler_function", "error_code", r"int \*", direction="inout"),
    within(r"\w*errhandler_function|user_function", "", r"MPI_\w+ \*", direction="in"),
    within(r"user_function", "len", BY_POINTER, role="count", direction="in"),
    within(r"\w*errhandler_function", "error_code", role="error_code", direction="in"),
    within(r"win_shared_query", "size", role="size"),
    within(r"type_match_size", "size", role="size"),
    # ---------------------------------------------------------------- significant at the root only
    within(r"i?gatherv?(_\w+)?", r"recv\w+|displs", root_only=True),
    within(r"i?scatterv?(_\w+)?", r"send\w+|displs", root_only=True),
    within(r"i?reduce(_init|_\w*enqueue)?", "recvbuf", root_only=True),
    within(r"comm_spawn", "command|argv|maxprocs|info", root_only=True),
    within(r"comm_spawn_multiple", r"count|array_of_(commands|argv|maxprocs|info)", root_only=True),
    within(r"comm_(accept|connect)", "port_name|info", root_only=True),
)
