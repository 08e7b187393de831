"""The rules as tables: what follows from a parameter's type, its name and the function's name.

A rule's patterns must match wholly: `function` the stem that `engine.stem` makes
(`MPI_Alltoallv_init_c` -> `alltoallv_init`), `parameter` the parameter's name, `type` its C type,
`beside` the text "type name" of another parameter of the same function. Of two rules that match,
the later one counts; so the tables go from the general to the particular.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=2048)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def matches(pattern: str, text: str) -> bool:
    return _compiled(pattern).fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Rule:
    sets: Mapping[str, Any]
    function: str = ""
    parameter: str = ""
    type: str = ""
    role: str = ""
    beside: str = ""


def named(parameter: str, type: str = "", **sets: Any) -> Rule:
    return Rule(sets, parameter=parameter, type=type)


def within(function: str, parameter: str = "", type: str = "", **sets: Any) -> Rule:
    return Rule(sets, function=function, parameter=parameter, type=type)


NUMBER = r"(const )?(int|MPI_Count|MPI_Aint|MPI_Offset|MPI_Fint|size_t|long)( \*| \[\]| \[\]\[3\])?"
INT = r"(const )?int( \*| \[\])?"
HANDLE_POINTER = r"MPIX?_[A-Z]\w*( \*| \[\])"
BY_POINTER = r"[^*\[]*( \*+| \[\]| \*+\[\]| \[\]\[3\])"

# --------------------------------------------------------------------- roles, by name (and type)
_ROLE_NAMES = (
    # counts, lengths, sizes
    (r"\w*counts?|\w*counts?_\w+|num_\w+|npset_names|nkeys|partitions", "count"),
    (r"array_of_blocklengths|blocklength|\w*degrees?|n?neighbors_?count|nneighbors", "count"),
    (r"array_of_large_counts|nedges|nnodes|expected_value|notification", "count"),
    (r"n|len|length|ndims|argc|max\w+|in_?count_max|\w+_len|\w*len|buflen|resultlen", "length"),
    (r"nneighbors|maxprocs|array_of_maxprocs", "count"),
    (r"\w*size|\w*extent|\w*bytes|disp_unit", "size"),
    (r"dims|\w*coords|remain_dims|array_of_(g|sub|p)?sizes|array_of_starts|periods", "dimension"),
    # places
    (r"\w*disp|\w*displs?|array_of_displacements|\w*lb|stride|\w*extent|displacement", "displacement"),
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

PARAMETERS: tuple[Rule, ...] = (
    *(named(pattern, NUMBER, role=role) for pattern, role in _ROLE_NAMES),
    Rule({"role": "mode"}, type=r"MPI_T_(cb_safety|source_order)( \*)?"),
    # ---------------------------------------------------------------- pointers without a datatype
    named(r"extra_state|user_?data|cb_?data|\w*cookie|\w*context|ctx", r"(const )?void \*+",
          role="state", direction="in"),
    named(r"attr(ibute)?_val(ue)?(_in|_out)?", r"(const )?void \*", role="attribute"),
    named(r"attr(ibute)?_val(ue)?_in", r"void \*", direction="in"),
    named(r"obj_handle", r"(const )?void \*", role="object", direction="in"),
    named(r"base|buf_?addr|ptr", r"void \*", direction="in"),
    named(r"baseptr|buffer_addr", r"void \*+", direction="out", indirect=True),
    named(r"in(out)?buf|sendbuf|invec|origin_addr|compare_addr|src|value", r"void \*",
          direction="in"),
    named(r"inoutbuf|inoutvec", r"void \*", direction="inout"),
    named(r"position", BY_POINTER, direction="inout"),
    # a string's capacity comes back as its length
    Rule({"direction": "inout"}, parameter=r"\w+_len|buflen|len", type=r"int \*",
         beside=r"char \* \w+"),
    Rule({"direction": "inout"}, parameter=r"\w+_len|buflen|len", type=r"int \*",
         beside=r"char \*\w+"),
    # ---------------------------------------------------------------- inputs that lack their const
    named(r"array_of_(block_?lengths|displacements|types|g?sizes|subsizes|starts|distribs|dargs"
          r"|psizes|commands|argv|maxprocs|info|partitions|streams|comms|groups|keys|values)",
          BY_POINTER, direction="in"),
    named(r"ranges", r"int \[\]\[3\]", direction="in"),
    within(r"\w*_(set|put|write|delete|add|register|query_set)(_\w+)?", r"(?!status|c_status)\w+",
           r"(char|void|int|MPI_Count|MPI_Aint|double|long|size_t)( \*| \[\])", direction="in"),
    within(r"\w*(create|multiplex|_incl|_excl|_list|register|spawn)\w*", r"(?!array_of_err)\w+",
           r"MPIX?_\w+ \[\]|int \[\]", direction="in"),
    within(r"(i|s|b|r|is|ib|ir|p|\w*_i?)?send(_\w+)?|put(_\w+)?|r?accumulate(_\w+)?", "buf|buffer",
           r"void \*", direction="in"),
    within(r"r?get(_\w+)?", "origin_addr", r"void \*", direction="out"),
    # ---------------------------------------------------------------- changed by the call
    within(r"\w*_(free|close|disconnect|finalize|commit|destroy|release)", "", HANDLE_POINTER,
           direction="inout"),
    Rule({"direction": "inout"}, function=r"(wait|test|start)(all|any|some)?(_\w+)?",
         type=r"MPIX?_\w*Request (\*|\[\])"),
    within(r"cancel", "request", r"MPI_Request \*", direction="in"),
    within(r"i?mrecv(_\w+)?", "message", r"MPI_Message \*", direction="inout"),
    within(r"(\w+_)?free_keyval|keyval_free", r"\w*keyval", r"int \*", direction="inout"),
    within(r"status_set_\w+", "status", r"MPI_Status \*", direction="inout"),
    within(r"(\w+_)?i?bcast(_\w+)?", "buf(fer)?", r"void \*", direction="inout"),
    within(r"i?sendrecv_replace(_\w+)?", "buf", r"void \*", direction="inout"),
    within(r"\w*attach\w*", "buffer|base", r"void \*", direction="in"),
    within(r"\w*detach_buffer|buffer_detach", "buffer_addr|buffer", r"void \*", direction="out"),
    within(r"(\w+_)?i?agree", "flag", r"int \*", direction="inout"),
    within(r"dims_create", "dims", direction="inout"),
    within(r"init(_thread)?", "argc|argv", r"int \*|char \*\*\*", direction="inout"),
    # ---------------------------------------------------------------- attributes
    within(r"(\w+_)?(get_attr|attr_get)", "attribute_val", direction="out", indirect=True),
    within(r"(\w+_)?(set_attr|attr_put)", "attribute_val", direction="in"),
    within(r"\w+_copy_attr_function|copy_function", "attribute_val_in", direction="in"),
    within(r"\w+_copy_attr_function|copy_function", "attribute_val_out", direction="out",
           indirect=True),
    within(r"\w+_delete_attr_function|delete_function", "attribute_val", direction="in"),
    # ---------------------------------------------------------------- arrays that come back
    within(r"t_event_get_info", r"array_of_(datatypes|displacements)", direction="out"),
    within(r"type_get_contents", r"array_of_\w+", direction="out"),
    within(r"t_event_get_info", "num_elements", direction="inout"),
    # ---------------------------------------------------------------- other roles by function
    within(r"abi_get_version|get_version", "", r"int \*", role="number"),
    within(r"aint_(add|diff)", "base|addr[12]", role="address"),
    within(r"(get_)?address", "address", role="address"),
    within(r"\w*(create_resized|get_(true_)?extent(_x)?)", r"(true_)?(lb|extent)", NUMBER,
           role="displacement"),
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
    within(r"((wait|test)(all|some|any)|startall|request_get_status_\w+)", "count|incount",
           role="length"),
    within(r"comm_spawn_multiple", "count", role="length"),
    within(r"logical_\w+|type_match_size", "size", role="size"),
    within(r"graph(_create|_map|_get)", "indx|index", r"(const )?int \[\]", role="count"),
    within(r"info_get_nthkey|session_get_nth_pset", "n", role="index"),
    within(r"t_category_changed", "update_number", role="number"),
    within(r"t_source_get_(info|timestamp)|t_event_get_timestamp",
           r"timestamp|event_timestamp|ticks_per_second|max_ticks", role="number"),
    within(r"t_enum_get_info", "num", role="count"),
    within(r"t_\w+_get_num", r"num_\w+", role="count"),
    within(r"comm_join", "fd", role="number"),
    within(r"(comm|win|type|datatype|file|group|info|op|request|errhandler|message|session)_"
           r"(c2f|f2c|fromint)", "", r"MPI_Fint|int", role="fortran_handle"),
    within(r"status_\w*(c2f|f2c|f082f|f2f08)", "f_status", role="fortran_handle"),
    within(r"grequest_cancel_function", "complete", role="flag"),
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

# ------------------------------------------------------------------------------- buffer groups
# buffer's name, names of its count, of its datatype, of its displacements: the first that exist
ONE_SIDED = ("target_rank",)
_ONE = ("count", "datatype")
GROUPS: tuple[tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
    (r"sendbuf", ("sendcounts", "sendcount", "recvcounts", "count", "recvcount"),
     ("sendtypes", "sendtype", "datatype"), ("sdispls", "displs")),
    (r"recvbuf", ("recvcounts", "recvcount", "count"),
     ("recvtypes", "recvtype", "datatype"), ("rdispls", "displs")),
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
    r"i?(barrier|bcast|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|reduce|allreduce"
    r"|reduce_scatter(_block)?|scan|exscan|neighbor_(allgatherv?|alltoall[vw]?))"
)
COLLECTIVE: tuple[str, ...] = (
    _COLL + r"(_init|_enqueue)?",
    r"comm_(create|create_group|create_from_group|i?dup|i?dup_with_info|split|split_type|free"
    r"|disconnect|accept|connect|spawn|spawn_multiple|set_info|shrink|i?agree|ishrink|join)",
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
    r"win_(complete|wait|lock|unlock|lock_all|unlock_all|flush\w*|sync|post|start)",
    r"file_(read|write|delete)\w*|(buffer|comm|session)_(detach_buffer|flush_buffer|detach|flush)",
    r"comm_join|session_init|lookup_name|(un)?publish_name|abort",
)

KEPT_ROLES = frozenset({
    "buffer", "count", "displacement", "datatype", "communicator", "flag", "status",
})
NOT_KEPT: tuple[str, ...] = (
    r"improbe|iprobe|\w*grequest\w*",
)
KEPT_OTHERWISE: tuple[tuple[str, str], ...] = (
    (r"\w*attach\w*", "buffer|base"),
    (r"win_create", "base"),
    (r"file_\w+_(begin|end)", "buf"),
)

CHAPTERS: tuple[tuple[str, str], ...] = (
    (r"attr_(delete|get|put)|keyval_(create|free)|address|errhandler_(create|get|set)"
     r"|type_(extent|hindexed|hvector|lb|ub|struct)|info_get(_valuelen)?"
     r"|\w+_x", "deprecated"),
    (r"\w+_(c2f|f2c|toint|fromint|c2f08|f082c|f082f|f2f08)", "fortran"),
    (r"type_create_f90_\w+|type_match_size", "datatypes"),
    (r"t_\w+|pcontrol", "tools"),
    (r"abi_\w+", "abi"),
    (r"p(send|recv)_init|pready(_\w+)?|parrived", "partitioned"),
    (r"file_(create|get|set|call)_errhandler|win_(create|get|set|call)_errhandler"
     r"|(comm|session)_(create|get|set|call)_errhandler|errhandler_free", "environment"),
    (r"session_(init|finalize|get_\w+|set_info)|group_from_session_pset", "sessions"),
    (r"(comm|session)_(attach|detach|i?flush)_buffer|buffer_\w+", "pt2pt"),
    (_COLL + r"(_init)?|op_\w+|reduce_local", "collectives"),
    (r"\w+_(create_keyval|free_keyval|set_attr|get_attr|delete_attr|set_name|get_name)",
     "attributes"),
    (r"cart\w*|graph\w*|dist_graph\w*|topo_test|dims_create|neighbor_\w+", "topologies"),
    (r"comm_(spawn\w*|accept|connect|disconnect|join|get_parent)|open_port|close_port"
     r"|(un)?publish_name|lookup_name", "dynamic"),
    (r"file_\w+|register_datarep", "io"),
    (r"win_\w+|r?(put|get|accumulate|get_accumulate)|fetch_and_op|compare_and_swap", "rma"),
    (r"grequest_\w+|status_set_\w+|is_thread_main|query_thread|add_error_\w+|remove_error_\w+",
     "external"),
    (r"info_\w+", "info"),
    (r"group_\w+|comm_\w+|intercomm_\w+", "groups"),
    (r"type_\w+|pack\w*|unpack\w*|get_address|aint_\w+|get_count|get_elements", "datatypes"),
    (r"init(_thread)?|initialized|finalized?|abort|error_\w+|(alloc|free)_mem|wtime|wtick"
     r"|get_(version|library_version|processor_name|hw_resource_info)", "environment"),
    (r"i?[bsr]?send(_init)?|i?sendrecv(_replace)?|i?m?recv(_init)?|i?m?probe|cancel|test_cancelled"
     r"|(wait|test)(all|any|some)?|start(all)?|request_\w+|status_get_\w+", "pt2pt"),
)

# ---------------------------------------------------------------------------------------- lengths
_ARRAY = r"(const )?\w+ (\[\]|\*)|(const )?char \*\*?\[\]"
_VCOLL = r"i?(all)?(gather|scatter|to_?all)[vw](_init)?|i?alltoall[vw](_init)?"
LENGTHS: tuple[Rule, ...] = (
    Rule({"length": ("count", "incount", "n", "ndims", "num_elements", "len", "length")},
         parameter=r"(?!\w*count|position)\w+", type=r"(const )?\w+ \[\]|char \*{1,2}\[\]"),
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
    within(_VCOLL, r"(send|recv)counts|[sr]?displs|(send|recv)types", _ARRAY,
           length="comm_size(comm)"),
    within(r"i?reduce_scatter(_init)?", "recvcounts", length="local_size(comm)"),
    within(r"i?neighbor_alltoall[vw](_init)?", r"sendcounts|sdispls|sendtypes", _ARRAY,
           length="outdegree(comm)"),
    within(r"i?neighbor_(alltoall[vw]|allgatherv)(_init)?", r"recvcounts|r?displs|recvtypes", _ARRAY,
           length="indegree(comm)"),
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
    within(r"type_(indexed|hindexed|struct|create_h?indexed_block|create_hindexed|create_struct)",
           r"array_of_\w+", length="count"),
    within(r"comm_spawn", "array_of_errcodes", length="maxprocs"),
    within(r"comm_spawn_multiple", "array_of_errcodes", length="sum(array_of_maxprocs)"),
    # memory, in bytes
    within(r"pack(_external)?", "outbuf", length="outsize"),
    within(r"unpack(_external)?", "inbuf", length="insize"),
    within(r"buffer_attach|(comm|session)_attach_buffer", "buffer", length="size"),
    within(r"win_(create|attach|allocate|allocate_shared|shared_query)|alloc_mem", "base(ptr)?",
           length="size"),
    within(r"buffer_detach|(comm|session)_detach_buffer", "buffer_addr", length="size"),
    within(r"abi_[gs]et_fortran_booleans", r"logical_(true|false)", length="logical_size"),
    within(r"info_set_hex", "value", length="value_size"),
    within(r"type_iov", "iov", length="max_iov_len"),
)

# ------------------------------------------------------------------------- values and sentinels
VALUES: tuple[Rule, ...] = ()
SENTINELS: tuple[Rule, ...] = ()
