"""The words of the catalogue: what a parameter can be, and which handle type is what."""

from __future__ import annotations

# Role of a parameter -> what it holds. `blueprints/README.md` is checked against this table.
ROLES: dict[str, str] = {
    "address": "a memory address as an integer (MPI_Aint)",
    "argument_vector": "strings: argv, commands",
    "assertion": "or-ed assertions of one-sided synchronisation",
    "attribute": "the value of an attribute",
    "buffer": "memory that MPI reads or writes; its extent is in `group` or `length`",
    "callback": "a function that MPI will call",
    "color": "which part of a split communicator",
    "communicator": "MPI_Comm",
    "count": "a number of elements or of things",
    "datatype": "MPI_Datatype",
    "dimension": "an extent, period or coordinate of a process grid or array",
    "displacement": "where data lies relative to a start: elements or bytes",
    "errhandler": "MPI_Errhandler",
    "error_class": "an error class",
    "error_code": "an error code (every class is a code too)",
    "file": "MPI_File",
    "flag": "a truth value as an int",
    "fortran_handle": "a handle or status as Fortran (or toint) has it",
    "group": "MPI_Group",
    "handle": "a handle of a type outside the standard",
    "index": "the position of something in a list",
    "info": "MPI_Info",
    "key": "the order in a split communicator",
    "keyval": "an attribute's key",
    "length": "the capacity or length of an array or string",
    "message": "MPI_Message",
    "mode": "an integer with named values; `values` says which",
    "number": "an integer without further meaning",
    "object": "a pointer to an MPI object of varying type",
    "offset": "a position in a file",
    "op": "MPI_Op",
    "position": "a position in a packed buffer",
    "rank": "a process of a communicator, group or window; with values \"root\": the root",
    "request": "MPI_Request",
    "session": "MPI_Session",
    "size": "a size in bytes, or the number of processes of a group",
    "state": "the pointer that is handed to callbacks",
    "status": "MPI_Status",
    "string": "text that ends with NUL",
    "tag": "a message's tag",
    "thread_level": "a level of thread support",
    "tool_handle": "a handle of the tools interface (MPI_T_...)",
    "weight": "the weight of an edge of a graph",
    "window": "MPI_Win",
}

HANDLE_ROLES: dict[str, str] = {
    "MPI_Comm": "communicator",
    "MPI_Datatype": "datatype",
    "MPI_Errhandler": "errhandler",
    "MPI_File": "file",
    "MPIO_Request": "request",
    "MPI_Group": "group",
    "MPI_Info": "info",
    "MPI_Message": "message",
    "MPI_Op": "op",
    "MPI_Request": "request",
    "MPI_Session": "session",
    "MPI_T_cvar_handle": "tool_handle",
    "MPI_T_enum": "tool_handle",
    "MPI_T_event_instance": "tool_handle",
    "MPI_T_event_registration": "tool_handle",
    "MPI_T_pvar_handle": "tool_handle",
    "MPI_T_pvar_session": "tool_handle",
    "MPI_Win": "window",
}

# Types that look like handles by their name and are none.
INTEGER_TYPES = frozenset({"int", "MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Fint"})
OTHER_TYPES = INTEGER_TYPES | {
    "char", "void", "double", "float", "long", "size_t", "unsigned", "bool", "_Bool",
    "MPI_Status", "MPI_F08_status", "MPI_T_cb_safety", "MPI_T_source_order",
}

FAMILIES = ("blocking", "nonblocking", "persistent", "local")

CHAPTERS: dict[str, str] = {
    "pt2pt": "point-to-point communication",
    "partitioned": "partitioned communication",
    "datatypes": "datatypes, packing, addresses",
    "collectives": "collective communication and operations",
    "groups": "groups, communicators",
    "topologies": "process topologies",
    "attributes": "attributes and names",
    "environment": "environment, errors, memory, time, start and end",
    "info": "the info object",
    "dynamic": "process creation, ports, names",
    "rma": "one-sided communication",
    "io": "files",
    "external": "generalized requests, status, error codes, threads",
    "sessions": "sessions",
    "tools": "the tools interface (MPI_T, Pcontrol)",
    "fortran": "conversions to and from Fortran and integers",
    "abi": "the application binary interface",
    "deprecated": "deprecated and removed functions",
    "extensions": "MPIX_ and other functions outside the standard",
}
