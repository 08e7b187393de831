"""Go's names for MPI's: without the prefix, in Go's capitals, never twice and never a keyword."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DIGITS = {"2": "Two", "3": "Three", "4": "Four"}
_INITIALISMS = {word.lower(): word for word in ("ABI", "HW", "ID", "IO", "LB", "RMA", "UB")}

_KEYWORDS = (
    "break case chan const continue default defer else fallthrough for func go goto if import "
    "interface map package range return select struct switch type var"
)
_PREDECLARED = (
    "append any bool byte cap clear close copy error false int int32 int64 len make max min new "
    "nil print string true uint8 uint64 uintptr"
)
_USED = "unsafe err ok r k C before space check keep first pending completed done freed lent h u st"
_RESERVED = frozenset(" ".join((_KEYWORDS, _PREDECLARED, _USED)).split(" "))


def exported(c_name: str) -> str:
    """MPI_Comm_rank -> CommRank, MPI_ANY_SOURCE -> AnySource, MPIX_Comm_agree -> XCommAgree."""
    body = re.sub(r"^P?MPI(X?)_", lambda m: "X_" if m.group(1) else "", c_name)
    if body[:1] in _DIGITS:
        body = _DIGITS[body[0]] + "_" + body[1:]
    words = [w for w in body.split("_") if w]
    return "".join(_capital(w, body.isupper() or c_name.isupper()) for w in words)


def _capital(word: str, constant: bool) -> str:
    if not constant:
        return word[0].upper() + word[1:]
    if word.lower() in _INITIALISMS:
        return _INITIALISMS[word.lower()]
    return word[0] + word[1:].lower()


def type_name(set_name: str) -> str:
    """thread_level -> ThreadLevel."""
    return "".join(_INITIALISMS.get(w, w.capitalize()) for w in set_name.split("_"))


def variable(set_name: str) -> str:
    """thread_level -> threadLevelValues."""
    name = type_name(set_name)
    return name[0].lower() + name[1:] + "Values"


def attributes(set_name: str) -> str:
    """comm_keyval -> namedByCommKeyval."""
    return "namedBy" + type_name(set_name)


def parameters(names: Iterable[str]) -> dict[str, str]:
    """Go names of the parameters of one function: array_of_requests -> requests."""
    out: dict[str, str] = {}
    taken: set[str] = set()
    listed = list(names)
    for name in listed:
        short = name.removeprefix("array_of_")
        if short in listed:
            short = name
        words = [w for w in short.split("_") if w]
        go = words[0][0].lower() + words[0][1:] + "".join(w[0].upper() + w[1:] for w in words[1:])
        while go in _RESERVED or go in taken:
            go += "_" if go in taken else "Arg"
        taken.add(go)
        out[name] = go
    return out
