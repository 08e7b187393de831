"""When two C types are the same to somebody who calls the function."""

from __future__ import annotations

import re

_QUALIFIERS = re.compile(r"\b(const|restrict|__restrict|__restrict__)\b")


def called_as(c_type: str) -> str:
    """A parameter's type as the call sees it: arrays are pointers, const changes nothing."""
    text = _QUALIFIERS.sub(" ", c_type).replace("(*)[", "[][")
    if inner := re.search(r"\[[^\]]*\]\s*\[(\w+)\]", text):
        text = text[: inner.start()] + f"(*)[{inner.group(1)}]"
    else:
        text = re.sub(r"\[[^\]]*\]", "*", text)
    text = re.sub(r"\s*([*,()\[\]])\s*", r"\1", " ".join(text.split()))
    return re.sub(r"(?<=\w)(?=\*|\(\*)", " ", text.replace(",", ", "))
