"""When two C types are the same to somebody who calls the function."""

from __future__ import annotations

import re
from functools import cache

_RESTRICT = re.compile(r"\b(restrict|__restrict|__restrict__)\b")
_CONST = re.compile(r"\bconst\b")
_ROWS = re.compile(r"\[[^\]]*\]\s*\[(\w+)\]")
_BRACKETS = re.compile(r"\[[^\]]*\]")
_AROUND = re.compile(r"\s*([*,()\[\]])\s*")
_BEFORE_STAR = re.compile(r"(?<=\w)(?=\*|\(\*)")


@cache  # blueprints have the same few hundred types thousands of times
def called_as(c_type: str) -> str:
    """A parameter's type as the call sees it: arrays are pointers, const changes nothing."""
    return declared_as(_CONST.sub(" ", c_type))


@cache
def declared_as(c_type: str) -> str:
    """A parameter's type as the compiler sees it: `int []` and `int *` are one."""
    text = _RESTRICT.sub(" ", c_type).replace("(*)[", "[][")
    if inner := _ROWS.search(text):
        text = text[: inner.start()] + f"(*)[{inner.group(1)}]"
    else:
        text = _BRACKETS.sub("*", text)
    text = _AROUND.sub(r"\1", " ".join(text.split()))
    return _BEFORE_STAR.sub(" ", text.replace(",", ", "))
