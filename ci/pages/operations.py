"""Writes docs/reference/operations.md from the headers of the operations, and checks that it is so.

    .venv/bin/python -m mpiglot.ci.pages

Each header in cpp_runtime/include/mpiglot/operations begins with a comment that describes the
operation: what it is, an example, and lines that begin with `Parameters`, `Asked for`, `Result`
and so on. "those of NAME" among them refers to another operation.
What the code accepts must be described there, and what is described must be accepted.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mpiglot.provision.matrix import matrix

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "cpp_runtime/include/mpiglot"
FOLDER = HEADERS / "operations"
PAGE = ROOT / "docs/reference/operations.md"
PLUGINS = HEADERS / "plugins"
LABELS = (
    *("Members", "Needed", "Parameters", "Asked for", "Result", "Messages", "Later", "Allocates"),
    *("Limits", "Errors"),
)
GROUPS: dict[str, tuple[str, ...]] = {
    "Point to point": (
        *("send", "recv", "sendrecv", "sendrecv_replace", "probe", "mrecv", "partitioned"),
    ),
    "One to all, all to one": (
        *("bcast", "bcast_single", "gather", "gatherv", "scatter", "scatterv", "scatter_single"),
    ),
    "All to all": ("barrier", "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"),
    "Reductions": (
        *("reduce", "reduce_single", "allreduce", "allreduce_single", "reduce_scatter_block"),
        *("reduce_scatter", "scan", "scan_single", "exscan", "exscan_single"),
    ),
    "Neighbors": (
        *("neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv"),
        "neighbor_alltoallw",
    ),
    "Memory of other ranks, and files": ("one_sided", "file_access"),
}
# Operations that plugins of the library add: headers of their folder; the others add none.
OF_PLUGINS = (
    "grid_alltoall",
    "auto_alltoall",
    "sparse_alltoall",
    "sort",
    "ranges",
    "folds",
    "lookup",
    "reproducible",
)
WITHOUT_OPERATION = ("fault_tolerance", "order", "policies", "timers", "tracing")
# What the key of `cpp` in provision/matrix.json adds to its sentence.
WAYS = {
    "refused": "Throws `mpi::unavailable`: ",
    "open": "Can be met: ",
    "undecided": "Can be met. ",
}
THOSE_OF = re.compile(r"those of (\w+)")
# Headers of the folder that describe no operation.
OTHERS = ("message_parameters", "neighborhood", "target_parameters")
# What a parameter of the C function becomes, by its name there; the first that is accepted.
NAMED: dict[str, tuple[str, ...]] = {
    "sendbuf": ("send_buf", "send_recv_buf"),
    "sendcount": ("send_count",),
    "sendcounts": ("send_counts",),
    "sdispls": ("send_displs",),
    "sendtype": ("send_type", "send_recv_type"),
    "recvbuf": ("recv_buf", "send_recv_buf"),
    "recvcount": ("recv_count",),
    "recvcounts": ("recv_counts",),
    "rdispls": ("recv_displs",),
    "recvtype": ("recv_type", "send_recv_type"),
    "buffer": ("send_recv_buf",),
    "buf": ("send_buf", "recv_buf", "send_recv_buf"),
    "count": ("send_recv_count", "send_count", "recv_count", "partitions"),
    "datatype": ("send_recv_type", "send_type", "recv_type"),
    "partitions": ("partitions",),
    "dest": ("destination",),
    "source": ("source",),
    "tag": ("tag",),
    "sendtag": ("send_tag",),
    "recvtag": ("recv_tag",),
    "status": ("status_out",),
    "op": ("op",),
    "root": ("root",),
}


@dataclass(frozen=True)
class Operation:
    """What a header says about its operation, in words and in code."""

    name: str
    summary: str
    example: str
    remarks: str
    fields: dict[str, str]
    accepts: tuple[str, ...]
    needs: tuple[str, ...]
    needs_one_of: tuple[str, ...]
    members: tuple[str, ...]

    def described(self) -> str:
        return " ".join([self.fields.get("Parameters", ""), self.fields.get("Asked for", "")])


def comment(text: str) -> list[str]:
    lines = text.split("#pragma once")[0].splitlines()
    return [line.removeprefix("//").removeprefix(" ") for line in lines if line.startswith("//")]


def parse(path: Path) -> Operation:
    text = path.read_text(encoding="utf-8")
    paragraphs = [part.split("\n") for part in "\n".join(comment(text)).strip().split("\n\n")]
    fields: dict[str, str] = {}
    examples: list[str] = []
    remarks: list[str] = []
    label = ""
    for lines in paragraphs[1:]:
        if all(line.startswith("  ") for line in lines) and not label:
            examples.append("\n".join(line[2:] for line in lines))
            continue
        for line in lines:
            found = next((each for each in LABELS if line.startswith(f"{each}  ")), None)
            if found is not None:
                label = str(found)
                fields[label] = line.removeprefix(found).strip()
            elif label:
                fields[label] += " " + line.strip()
            else:
                remarks.append(line.strip())
    return Operation(
        path.stem,
        " ".join(line.strip() for line in paragraphs[0]),
        "\n\n".join(examples),
        " ".join(remarks),
        fields,
        keys(text, "accepts"),
        keys(text, "needs"),
        keys(text, "needs_one_of"),
        communicator_members(fields.get("Members", "")),
    )


def communicator_members(text: str) -> tuple[str, ...]:
    """The members of communicators that a header lists; none if they are another class's."""
    if " of " in f" {text}":
        return ()
    names = [name.strip() for name in re.split("[;,]", text)]
    return tuple(name for name in names if re.fullmatch(r"\w+", name))


def keys(text: str, which: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for names in re.findall(rf"using {which} =\s*(?:\w+::)?names<(.*?)>;", text, re.S):
        found.update(dict.fromkeys(re.findall(r"keys::(\w+)", names)))
    return tuple(found)


def operations() -> Iterator[Operation]:
    for names in GROUPS.values():
        for name in names:
            yield parse(FOLDER / f"{name}.hpp")


def of_plugins() -> Iterator[Operation]:
    for name in OF_PLUGINS:
        yield parse(PLUGINS / f"{name}.hpp")


def complaints() -> list[str]:
    """Where the words and the code of a header disagree."""
    found = []
    listed = {name for names in GROUPS.values() for name in names} | set(OTHERS)
    listed |= {*OF_PLUGINS, *WITHOUT_OPERATION}
    headers = {path.stem for folder in (FOLDER, PLUGINS) for path in folder.glob("*.hpp")}
    found += [f"{name}.hpp: in no group of operations.py" for name in sorted(headers - listed)]
    known = all_keys()
    for operation in (*operations(), *of_plugins()):
        words = set(re.findall(r"\w+", operation.described()))
        referred = [
            parse(FOLDER / f"{name}.hpp") for name in THOSE_OF.findall(operation.described())
        ]
        inherited = {word for each in referred for word in re.findall(r"\w+", each.described())}
        for key in operation.accepts:
            if key not in words | inherited:
                found.append(f"{operation.name}: {key} is accepted and not described")
        if not operation.accepts:
            continue
        for word in sorted((words & known) - set(operation.accepts)):
            found.append(f"{operation.name}: {word} is described and not accepted")
        for label in ("Messages", "Allocates"):
            if label not in operation.fields:
                found.append(f"{operation.name}: says nothing about {label}")
    return found


def all_keys() -> set[str]:
    """Every name that some operation accepts, apart from words that mean other things, too."""
    every = (*operations(), *of_plugins())
    return {key for each in every for key in each.accepts} - {"at", "op", "collectively"}


def code(text: str) -> str:
    """Names of parameters and errors in a list of them, marked as code."""
    return marked(text, all_keys())


def prose(text: str) -> str:
    """The same in a sentence, where a name without `_` is a word of English."""
    return marked(text, {key for key in all_keys() if "_" in key})


def marked(text: str, keys: set[str]) -> str:
    names = {*keys, "too_small", "remote_failure", "count_error", "decode_error"}
    either = "|".join(sorted(names, key=len, reverse=True))
    return re.sub(rf"(?<![`\w])({either})(?![`\w])", r"`\1`", text).replace("|", "\\|")


def c_functions(operation: Operation, catalogue: dict[str, list[str]]) -> list[str]:
    names = (f"MPI_{name[0].upper()}{name[1:]}" for name in operation.members)
    return [name for name in names if name in catalogue]


def row(name: str, parameters: list[str], operation: Operation) -> str:
    """One line of the table: what each parameter of a C function is called here."""
    cells = []
    for parameter in parameters:
        if parameter == "comm":
            continue
        options = NAMED.get(parameter, ())
        if parameter == "displs":
            options = ("recv_displs",) if "gather" in name.lower() else ("send_displs",)
        key = next((each for each in options if each in operation.accepts), None)
        cells.append(f"{parameter}: {f'`{key}`' if key else 'inferred'}")
    members = ", ".join(f"`{each}`" for each in operation.members)
    return f"| `{name}` | `mpi::{name[4:].lower()}` | {members} | {', '.join(cells)} |"


def table() -> list[str]:
    catalogue = {
        each["name"]: [parameter["name"] for parameter in each["parameters"]]
        for each in json.loads((ROOT / "blueprints/catalogue.json").read_text())["functions"]
    }
    lines = [
        "| C | C++ layer | member of a communicator | parameters of the C function |",
        "|---|---|---|---|",
    ]
    for operation in operations():
        for name in c_functions(operation, catalogue)[:1]:
            lines.append(row(name, catalogue[name], operation))
    return lines


def field(label: str, text: str) -> str:
    """What a line of the header says, with names marked as code."""
    if label == "Members":
        return listed(text)
    return code(text) if label in ("Needed", "Parameters", "Asked for") else prose(text)


def listed(text: str) -> str:
    """The names of members, marked as code."""
    parts = re.split("([;,] )", text)
    return "".join(f"`{part}`" if re.fullmatch(r"\w+", part) else part for part in parts)


def paragraph(text: str) -> list[str]:
    """The lines of a paragraph."""
    return textwrap.wrap(text, 100, break_long_words=False, break_on_hyphens=False)


def section(operation: Operation) -> list[str]:
    lines = [f"### {operation.name}", "", *paragraph(prose(operation.summary)), ""]
    if operation.example:
        lines += ["```c++", operation.example, "```", ""]
    if operation.remarks:
        lines += [*paragraph(prose(operation.remarks)), ""]
    lines += ["| | |", "|---|---|"]
    if operation.needs and "Needed" not in operation.fields:
        lines.append(f"| Needed | {', '.join(f'`{key}`' for key in operation.needs)} |")
    if operation.needs_one_of:
        lines.append(f"| Needed | {' or '.join(f'`{key}`' for key in operation.needs_one_of)} |")
    lines += [f"| {label} | {field(label, text)} |" for label, text in operation.fields.items()]
    lines += [f"| Known defect | {text} |" for text in defects(operation)]
    return [*lines, ""]


def defects(operation: Operation) -> Iterator[str]:
    """What is wrong with the MPI functions of the members, and what becomes of it here."""
    names = [f"MPI_{name.capitalize()}" for name in operation.members]
    for defect in matrix().defects:
        met = [name for name in names if defect.concerns(name)]
        if met and defect.cpp is not None:
            functions = ", ".join(f"`{name}`" for name in met)
            way = WAYS.get(defect.cpp[0], "")
            mpis = ", ".join(defect.mpis)
            yield f"{functions}: {defect.sentence} {way}{defect.cpp[1]} ({mpis})"


def page() -> str:
    lines = [
        "# Operations",
        "",
        "<!-- Made by ci/pages/operations.py from the operations' headers. DO NOT EDIT. -->",
        "",
        "The parameters, results, messages and allocations of each operation. The text comes from",
        "the headers in `cpp_runtime/include/mpiglot/operations/`; a test compares it with the",
        "code.",
        "",
        "The first member is blocking. The second (`i...`) is nonblocking and returns a request;",
        "the third (`..._init`) returns a persistent request; both make one MPI call. *Needed*",
        "parameters must be given; the others have the default in parentheses, or are inferred.",
        "*Asked for* lists further results; they come in the order of the call. A `recv_buf`,",
        "`send_recv_buf` or array of counts that is moved in is part of the result; an lvalue is",
        "borrowed. Errors of MPI and of the library are thrown as `mpiglot::error`. With",
        "`lengths_first`, lengths travel in a separate message. All ranks or none must give it;",
        "the same holds for a count in place of which lengths travel.",
        "",
    ]
    for group, names in GROUPS.items():
        lines += [f"## {group}", ""]
        for name in names:
            lines += section(parse(FOLDER / f"{name}.hpp"))
    lines += [
        "## Of plugins",
        "",
        "Each is a header in `mpiglot/plugins/` and a plugin of its name",
        "([guide](../guide/plugins-cpp.md#plugins-that-come-with-it)).",
        "",
    ]
    for operation in of_plugins():
        lines += section(operation)
    lines += [
        "## C, C++ and named parameters",
        "",
        "`mpi::X` is the function of the generated layer ([cpp.md](../guide/cpp.md)). Nonblocking",
        "and persistent forms have the same parameters as the blocking one. *inferred*: from the",
        "buffer.",
        "",
        *table(),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    for complaint in complaints():
        print(complaint)
    PAGE.write_text(page(), encoding="utf-8")
