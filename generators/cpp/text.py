"""Lays out C++ text: lists broken at the line's end, C declarators, doc comments."""

from __future__ import annotations

import re
import textwrap

WIDTH = 100
_ARRAY = re.compile(r"\s*\[([^\]]*)\]")


def broken(head: str, items: list[str], tail: str, indent: int = 0) -> str:
    """`head`, the items separated by commas, `tail`; what is too long continues below the items."""
    pad = " " * indent
    pieces = [item + ", " for item in items[:-1]] + [item + tail for item in items[-1:]]
    if not items:
        return pad + head + tail
    first = pad + head
    line = first + "".join(pieces)
    if len(line) <= WIDTH:
        return line
    column = len(first)
    longest = max(len(p.rstrip()) for p in pieces)
    lines = []
    line = first
    if column > 60 or column + longest > WIDTH:  # too deep: begin on a new line
        lines.append(first)
        column = indent + 4
        line = " " * column
    for piece in pieces:
        if line.strip() and line is not first and len(line) + len(piece.rstrip()) > WIDTH:
            lines.append(line.rstrip())
            line = " " * column
        line += piece
    lines.append(line.rstrip())
    return "\n".join(lines)


def comment(paragraphs: list[str], indent: int = 0) -> str:
    """Doc comment lines."""
    pad = " " * indent + "/// "
    lines: list[str] = []
    for paragraph in paragraphs:
        lines += textwrap.wrap(paragraph, WIDTH - len(pad), break_on_hyphens=False)
    return "\n".join(pad + line for line in lines)


def declared(c_type: str, name: str) -> str:
    """A parameter `name` of a C type; arrays become pointers (to the inner array)."""
    dimensions = _ARRAY.findall(c_type)
    base = spelled(_ARRAY.sub("", c_type))
    if len(dimensions) == 2:
        return f"{base} (*{name})[{dimensions[1]}]"
    if len(dimensions) == 1:
        return f"{base}* {name}"
    return f"{base} {name}"


def spelled(c_type: str) -> str:
    """A C type in the project's C++ spelling: stars belong to the type."""
    return re.sub(r"\s+(?=\*)", "", c_type).strip()


def sentence(text: str) -> str:
    """`text` beginning with a capital and ending with a full stop."""
    text = text.strip()
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."
