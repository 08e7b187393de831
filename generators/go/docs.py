"""What stands above a function in Go."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mpiglot.generators import shapes
from mpiglot.generators.go import names as go_names
from mpiglot.generators.model import Argument, Atlas, PlannedFunction

_IGNORABLE = ("status_out", "statuses_out")
_PATIENT = ("nonblocking", "persistent")
_FEW = 4  # names of integers are listed where there are no more
_NULL_ELEMENTS = ("MPI_INFO_NULL", "MPI_REQUEST_NULL")
_ANSWERS = ("MPI_KEYVAL_INVALID",)  # what a call sets, not what it takes
_BUFFERS = ("MPI_IN_PLACE", "MPI_BOTTOM", "MPI_BUFFER_AUTOMATIC")

# Of the value sets whose few names are said with each parameter: the names.
Few = Mapping[str, Sequence[str]]


def few(atlas: Atlas) -> Few:
    """The open value sets with few names."""
    return {
        s.name: [c for c in s.constants if c not in _ANSWERS]
        for s in atlas.value_sets
        if s.kind == "open" and len(s.constants) <= _FEW
    }


def lines(f: PlannedFunction, name: str, parameters: Mapping[str, str], values: Few) -> list[str]:
    """The doc comment: what the C function does and wants, and what Go adds to that."""
    text = f.doc[:1].lower() + f.doc[1:] if f.doc and not f.doc[:2].isupper() else f.doc
    out = _wrap(f"{name} is {f.name}" + (f": {text.rstrip('.')}." if text else "."))
    if f.returns == "double":
        out += _wrap("It is not a number while MPI is not running.")
    for paragraph in (_wanted(f, parameters, values), _origin(f)):
        if paragraph:
            out += ["", *_wrap(" ".join(paragraph))]
    if f.deprecated:
        out += ["", *_wrap(f"Deprecated: by MPI {f.deprecated}.")]
    return out


def _wanted(f: PlannedFunction, parameters: Mapping[str, str], values: Few) -> list[str]:
    out = ["Collective: all processes of the group call it."] if f.collective else []
    holds: dict[str, list[Argument]] = {}
    for a in f.arguments:
        if a.kind == "memory" and isinstance(a.length, str):
            what = f"{parameters.get(a.length, a.length)} bytes"
        else:
            what = shapes.elements(f, a, parameters.__getitem__)
            what = what or shapes.length(f, a, parameters.__getitem__)
        if what:
            holds.setdefault(what, []).append(a)
    out += [f"{_named(held, parameters)}: {what}." for what, held in holds.items()]
    rooted = [a for a in f.arguments if a.root_only]
    if rooted:
        out.append(f"Only the root's {_named(rooted, parameters)} {_verb(rooted)} looked at.")
    kept = [a for a in f.arguments if a.kept]
    if kept and f.family in _PATIENT:
        out.append(
            f"{_named(kept, parameters)} {_verb(kept)} in use until the operation completes."
        )
    return out + list(_may_be(f, parameters, values))


def _may_be(f: PlannedFunction, parameters: Mapping[str, str], values: Few) -> Iterator[str]:
    places: dict[str, list[Argument]] = {}
    for a in f.arguments:
        words = _instead(a, values)
        if words:
            where = " where comm has a remote group" if a.values == "root" else ""
            places.setdefault(_joined(words, "or") + where, []).append(a)
    for constants, arguments in places.items():
        yield f"{_named(arguments, parameters)} may be {constants}."


def _instead(a: Argument, values: Few) -> list[str]:
    if a.kind in _IGNORABLE:
        return ["nil"]
    if a.kind == "int":
        constants = values.get(a.values or "", ())
    elif a.kind == "handle":
        constants = a.sentinels
    elif a.kind in ("buffer", "memory"):
        constants = [c for c in a.sentinels if c in _BUFFERS]
    else:  # of handles in arrays each may be null
        return ["nil"] * any(c not in _NULL_ELEMENTS for c in a.sentinels)
    return [f"[{go_names.exported(c)}]" for c in constants]


def _origin(f: PlannedFunction) -> list[str]:
    out = [f"Since MPI {f.since}."] if f.since else []
    if f.large and f.dispatch != "large":
        out.append(f"What needs 64 bits goes to {f.large}, if the library has it.")
    return out


def _named(arguments: Iterable[Argument], parameters: Mapping[str, str]) -> str:
    return _joined([parameters[a.name] for a in arguments], "and")


def _verb(arguments: Sequence[Argument]) -> str:
    return "are" if len(arguments) > 1 else "is"


def _joined(words: Sequence[str], last: str) -> str:
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, 97, break_long_words=False, break_on_hyphens=False)
