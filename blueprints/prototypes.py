"""When two C types are the same to somebody who calls the function."""

from __future__ import annotations

import re

_RESTRICT = re.compile(r"\b(restrict|__restrict|__restrict__)\b")
_CONST = re.compile(r"\bconst\b")


def called_as(c_type: str) -> str:
    """A parameter's type as the call sees it: arrays are pointers, const changes nothing."""
    return declared_as(_CONST.sub(" ", c_type))


def declared_as(c_type: str) -> str:
    """A parameter's type as the compiler sees it: `int []` and `int *` are one."""
    text = _RESTRICT.sub(" ", c_type).replace("(*)[", "[][")
    if inner := re.search(r"\[[^\]]*\]\s*\[(\w+)\]", text):
        text = text[: inner.start()] + f"(*)[{inner.group(1)}]"
    else:
        text = re.sub(r"\[[^\]]*\]", "*", text)
    text = re.sub(r"\s*([*,()\[\]])\s*", r"\1", " ".join(text.split()))
    return re.sub(r"(?<=\w)(?=\*|\(\*)", " ", text.replace(",", ", "))
