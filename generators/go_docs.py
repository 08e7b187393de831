"""What stands above a function in Go."""

from __future__ import annotations

from collections.abc import Mapping

from mpiglot.generators.model import PlannedFunction

_IGNORABLE = ("status_out", "statuses_out")
_OLD = ("", "1.0", "1.1", "1.2", "1.3", "2.0", "2.1", "2.2")


def lines(f: PlannedFunction, name: str, parameters: Mapping[str, str]) -> list[str]:
    """The doc comment: what the C function does, and what Go adds to that."""
    text = f.doc[:1].lower() + f.doc[1:] if f.doc and not f.doc[:2].isupper() else f.doc
    out = wrap(f"{name} is {f.name}" + (f": {text.rstrip('.')}." if text else "."))
    ignorable = [parameters[a.name] for a in f.arguments if a.kind in _IGNORABLE]
    if ignorable:
        out += wrap(f"{ignorable[0]} may be nil.")
    if f.returns == "double":
        out += wrap("It is not a number while MPI is not running.")
    if f.since not in _OLD:
        out += wrap(f"Since MPI {f.since}.")
    if f.deprecated:
        out += ["", *wrap(f"Deprecated: by MPI {f.deprecated}.")]
    return out


def wrap(text: str, width: int = 97) -> list[str]:
    """A paragraph as the lines of a comment."""
    out: list[str] = []
    for word in text.split():
        if out and len(out[-1]) + 1 + len(word) <= width:
            out[-1] += " " + word
        else:
            out.append(word)
    return out
