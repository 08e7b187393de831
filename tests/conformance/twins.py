"""Cases that follow from other cases and from the plan.

- Of a case marked `forms(1)`: the same with nonblocking and with persistent operations.
- Of every function with a twin for large counts that moves elements: a call with few and one with
  more than 2^31 elements of a type of no bytes. Both succeed and leave the memory alone; the second
  one reaches the twin, or is an error where the library has none.
- Of the same functions: calls with few and with many elements and one wrong argument each, which
  the function and its twin refuse with the same class of error.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable

from mpiglot.generators.model import Argument
from tests.conformance.translate import Case, Known

LARGE = "5000000000"
_CHAPTERS = frozenset({"collectives", "pt2pt", "rma", "io"})


def cases(known: dict[str, Known], stated: list[Case]) -> list[Case]:
    """All derived cases."""
    out: list[Case] = []
    for case in stated:
        if case.forms:
            out.append(_form(case, known, "nonblocking", _nonblocking))
            out.append(_form(case, known, "persistent", _persistent))
    for function in known.values():
        for source in (_large(function), _refused(function)):
            if source:
                node = ast.parse(source).body[0]
                assert isinstance(node, ast.FunctionDef)
                out.append(Case(node.name, node))
    return out


# --------------------------------------------------------------------------- forms


def _nonblocking(name: str, arguments: str, number: int) -> tuple[str, str]:
    r = f"request{number}"
    lines = f"{r} = {{name}}({arguments})\nMPI_Wait({r}, MPI_STATUS_IGNORE)"
    return "MPI_I" + name[4].lower() + name[5:], lines


def _persistent(name: str, arguments: str, number: int) -> tuple[str, str]:
    r = f"request{number}"
    lines = f"{r} = {{name}}({arguments}, MPI_INFO_NULL)\nMPI_Start({r})\n"
    lines += f"MPI_Wait({r}, MPI_STATUS_IGNORE)\nMPI_Request_free({r})"
    return name + "_init", lines


class _Replacer(ast.NodeTransformer):
    """Puts a form of an operation where the blocking one stood."""

    def __init__(
        self, known: dict[str, Known], form: Callable[[str, str, int], tuple[str, str]]
    ) -> None:
        self.known, self.form, self.number = known, form, 0

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        match node.value:
            case ast.Call(ast.Name(name), arguments) if name in self.known:
                self.number += 1
                listed = ", ".join(ast.unparse(a) for a in arguments)
                other, lines = self.form(name, listed, self.number)
                if other in self.known:
                    return ast.parse(lines.format(name=other)).body
        return node


def _form(
    case: Case,
    known: dict[str, Known],
    name: str,
    form: Callable[[str, str, int], tuple[str, str]],
) -> Case:
    node = _Replacer(known, form).visit(copy.deepcopy(case.node))
    return Case(f"{case.name}_{name}", ast.fix_missing_locations(node), case.ranks, case.most)


# --------------------------------------------------------------------------- large counts


def _calls(known: Known) -> list[list[str]]:
    """The arguments of a call with few and of one with many elements, if that can be written."""
    f = known.plan
    if not f.large or f.chapter not in _CHAPTERS or f.dispatch not in ("fits", "overload"):
        return []
    if not any(a.kind == "buffer" and a.datatype for a in f.arguments):
        return []
    calls = [[_argument(known, a, count) for a in known.arguments] for count in ("3", LARGE)]
    return [] if None in calls[0] else [[str(x) for x in call if x] for call in calls]


def _large(known: Known) -> str:
    """A case for the large twin of a function, nothing where this is not the way to call it."""
    f = known.plan
    wanted = _calls(known)
    if not wanted:
        return ""
    head, tail = _surroundings(known)
    lines = [*head, f"if have({f.large}):"]
    lines += [f"    {line}" for w in wanted for line in _once(known, w)]
    lines += ["else:", f"    fails(MPI_ERR_COUNT, {f.name}({', '.join(wanted[1])}))"]
    body = "\n".join(f"    {line}" for line in [*lines, *tail])
    return f"def large_{f.name.removeprefix('MPI_').lower()}():\n{body}\n"


def _refused(known: Known) -> str:
    """A case of the mistakes that a function and its twin refuse."""
    f = known.plan
    calls = _calls(known)
    mistakes = [(i, _mistake(a)) for i, a in enumerate(known.arguments)]
    lines = []
    for call, function in zip(calls, (f.name, f.large), strict=False):
        wrong = [
            f"fails({mistake[1]}, {f.name}({', '.join([*call[:i], mistake[0], *call[i + 1 :]])}))"
            for i, mistake in mistakes
            if mistake
        ]
        if function == f.large:
            wrong = [f"if have({function}):", *(f"    {line}" for line in wrong)]
        lines += wrong
    if not calls or not any(mistake for _, mistake in mistakes):
        return ""
    head, tail = _surroundings(known)
    body = "\n".join(f"    {line}" for line in [*head, *lines, *tail])
    return f"def refused_{f.name.removeprefix('MPI_').lower()}():\n{body}\n"


# Without MPI_DATATYPE_NULL and MPI_FILE_NULL, which end the job in some functions of most MPIs.
_NULLS = {
    "MPI_Comm": ("MPI_COMM_NULL", "MPI_ERR_COMM"),
    "MPI_Win": ("MPI_WIN_NULL", "MPI_ERR_WIN"),
}


def _mistake(a: Argument) -> tuple[str, str] | None:
    """What is wrong in the place of an argument, and the class of the error it gives."""
    if a.kind == "handle":
        return _NULLS.get(a.type)
    if a.kind == "int" and a.name in ("dest", "source", "target_rank"):
        return "size", "MPI_ERR_RANK"
    return ("size", "MPI_ERR_ROOT") if a.kind == "int" and a.name == "root" else None


def _surroundings(known: Known) -> tuple[list[str], list[str]]:
    """What such calls need around them."""
    f = known.plan
    head = [
        "empty = MPI_Type_contiguous(0, MPI_INT)",
        "MPI_Type_commit(empty)",
        "memory = ints([1, 2])",
        "other = ints([3, 4])",
    ]
    tail = ["MPI_Type_free(empty)", "check(memory == [1, 2] and other == [3, 4])"]
    types = {a.type for a in f.arguments}
    if "neighbor" in f.name.lower():
        head.append("ring = MPI_Cart_create(world, [size], [True], False)")
        tail.append("MPI_Comm_free(ring)")
    if "MPI_Op" in types and "MPI_Win" not in types:
        head.append("op = MPI_Op_create_c(nothing, True)")
        tail.append("MPI_Op_free(op)")
    if "bsend" in f.name.lower():
        head += ["room = chars(5000)", "MPI_Buffer_attach(room, 5000)"]
        tail.append("_, _ = MPI_Buffer_detach()")
    if "MPI_Win" in types:
        head.append("window = MPI_Win_create(ints(4), 16, 4, MPI_INFO_NULL, world)")
        head.append("MPI_Win_lock_all(0, window)")
        tail.append("MPI_Win_unlock_all(window)")
        tail.append("MPI_Win_free(window)")
    if "MPI_File" in types:
        modes = "MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE"
        place = f'path("{f.name.lower()}")'
        head.append(f"file = MPI_File_open(world, {place}, {modes}, MPI_INFO_NULL)")
        tail.append("MPI_File_close(file)")
    return head, tail


def _once(known: Known, arguments: list[str]) -> list[str]:
    """One call, with the other half of a message around it."""
    f = known.plan
    ends = {a.name for a in f.arguments} & {"dest", "source"}
    half = {"dest": "MPI_Irecv(other", "source": "MPI_Isend(memory"}
    lines = _bare(known, arguments)
    if len(ends) == 1:
        start = f"half = {half[ends.pop()]}, 3, empty, rank, 0, world)"
        return [start, *lines, "MPI_Wait(half, MPI_STATUS_IGNORE)"]
    return lines


def _bare(known: Known, arguments: list[str]) -> list[str]:
    f = known.plan
    call = f"{f.name}({', '.join(arguments)})"
    if f.name.endswith("_begin"):
        end = f.name.removesuffix("_begin") + "_end"
        return [call, f"{end}(file, memory, MPI_STATUS_IGNORE)"]
    if not f.results:
        return [call]
    lines = [f"r = {call}"]
    if f.family == "persistent":
        return [*lines, "MPI_Start(r)", "MPI_Wait(r, MPI_STATUS_IGNORE)", "MPI_Request_free(r)"]
    return [*lines, "MPI_Wait(r, MPI_STATUS_IGNORE)"]


def _argument(known: Known, a: Argument, count: str) -> str | None:
    f = known.plan
    near = "neighbor" in f.name.lower()
    if a.kind == "buffer":
        first = next(x for x in f.arguments if x.kind == "buffer")
        return "memory" if a is first or not a.mutable else "other"
    if a.kind == "handle":
        handles = {
            "MPI_Comm": "ring" if near else "world",
            "MPI_Datatype": "empty",
            "MPI_Op": "MPI_REPLACE" if f.chapter == "rma" else "op",
            "MPI_Info": "MPI_INFO_NULL",
            "MPI_File": "file",
            "MPI_Win": "window",
        }
        return handles.get(a.type)
    if a.kind == "count":
        return count
    if a.kind == "status_out":
        return "MPI_STATUS_IGNORE"
    if a.kind in ("aint", "offset"):
        return "0"
    if a.kind == "int":
        if a.name in ("dest", "source"):
            return "rank"
        return "right" if a.name == "target_rank" else "0"
    if a.kind == "span":
        n = 2 if near else "size"
        if a.element == "handle":
            return "[empty, empty]" if near else "[empty for i in range(size)]"
        value = count if a.element == "count" else "0"
        listed = f"[{value}, {value}]" if near else f"[{value} for i in range({n})]"
        return f"wide({listed})" if count == LARGE else listed
    return None
