"""Breaks lines that are too long, in languages with C's brackets, strings and comments.

Templates write a statement on one line; this decides where it continues. A list in brackets goes on
below its first item, or, if that is too far right, on new lines that are indented by four.
"""

from __future__ import annotations

import re
import textwrap

_COMMENT = re.compile(r"\s*(?:///?|\*(?= )) ?")
_TAG = re.compile(r"\{@[^{}]*\}")  # of Javadoc, not to be broken
_SPACE = "\u2060"  # stands for a space within one
_CONTROLLED = re.compile(r"( *)((?:if|while) \(.*\) \[\[unlikely\]\]) (\S.*;)")
_BODY = re.compile(r"( *)(.*\) [\w ]*\{) (return .*;) \}")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[(\[{)\]},]|(?:&&|\|\|)(?= )')
_TAB = 4  # columns of a tab in Go
_DEEP = 60  # columns; a list that begins further right begins on a new line


def wrapped(text: str, width: int = 100) -> str:
    """`text` with no line longer than `width`, where it can be broken."""
    lines = []
    for line in text.split("\n"):
        lines += [line] if len(line) <= width else _broken(line, width)
    return "\n".join(lines)


def wrapped_go(text: str, width: int) -> str:
    """`text` in Go with no line longer than `width`, where it can be broken, as gofmt leaves it."""
    lines = []
    for line in text.split("\n"):
        lines += [line] if _columns(line) <= width else _broken_go(line, width)
    return "\n".join(lines)


def _columns(line: str) -> int:
    return len(line.expandtabs(_TAB))


def _broken_go(line: str, width: int) -> list[str]:
    """The lines that take the place of one that is too long: what follows is indented once more."""
    pad = line[: len(line) - len(line.lstrip("\t"))]
    if line.startswith(pad + "//"):
        room = width - len(pad) * _TAB - 3
        return [f"{pad}// {piece}" for piece in textwrap.wrap(line.lstrip("\t/ "), room)]
    found = _list_in_go(line, width - (len(pad) + 1) * _TAB)
    if found is None:
        return [line]
    start, ends = found
    ends = [*ends[:-1], len(line)]  # what follows the list stays with its last item
    lines, current = [], line[:start]
    for item in (line[a:b].strip() for a, b in zip([start, *ends], ends, strict=False)):
        space = " " if current.endswith((",", "&&", "||")) else ""
        if space and _columns(current + space + item) > width:
            lines.append(current)
            current, space = pad + "\t", ""
        current += space + item
    return [*lines, current]


def _list_in_go(line: str, room: int) -> tuple[int, list[int]] | None:
    """The longest outermost list; if one of its items has no room in a line, the list within it."""
    code = re.sub(r"^(\t*)return (.*)$", r"\1return(\2)", line)
    groups = [(depth, start, ends) for depth, start, ends in _groups(code) if len(ends) > 1]
    if not groups:
        return None
    level = min(depth for depth, _, _ in groups)
    _, start, ends = max((g for g in groups if g[0] == level), key=lambda g: g[2][-1] - g[1])
    for a, b in zip([start, *ends], ends, strict=False):
        inner = [g for g in groups if a <= g[1] and g[2][-1] <= b and g[0] > level]
        if b - a > room and inner:
            _, start, ends = min(inner, key=lambda g: g[0])
            break
    return start, ends


def _broken(line: str, width: int) -> list[str]:
    """The lines that take the place of one that is too long."""
    if len(line) <= width or line.startswith("#"):  # a directive ends with its line
        return [line]
    comment = _COMMENT.match(line)
    if comment:
        text, room = line[comment.end() :], width - len(comment[0])
        hanging = "    " if text.startswith("@") else ""
        text = _TAG.sub(lambda tag: tag[0].replace(" ", _SPACE), text)
        pieces = textwrap.wrap(text, room, break_on_hyphens=False, subsequent_indent=hanging)
        return [comment[0] + piece.replace(_SPACE, " ") for piece in pieces]
    if controlled := _CONTROLLED.fullmatch(line):
        pad, head, statement = controlled.groups()
        return [*_broken(pad + head, width), *_broken(f"{pad}  {statement}", width)]
    if body := _BODY.fullmatch(line):
        pad, head, statement = body.groups()
        return [*_broken(pad + head, width), *_broken(f"{pad}  {statement}", width), pad + "}"]
    indent = len(line) - len(line.lstrip())
    if line.lstrip().startswith('"'):
        return _literal(line, indent, width)
    found = _list_in(line)
    if found is None:
        return [line]
    start, ends = found
    return _below(line, start, ends, indent, width)


def _below(line: str, start: int, ends: list[int], indent: int, width: int) -> list[str]:
    """The items of a list (each ends where `ends` says) below its first one, as many as fit."""
    items = [line[a:b].strip() for a, b in zip([start, *ends], [*ends, len(line)], strict=False)]
    items[-2:] = [items[-2] + items[-1]] if len(ends) < len(items) else items[-2:]
    longest = max(map(len, items))
    lines, current, column = [], line[:start], start
    if start > _DEEP or start + longest > width:
        lines, column = _head(line[:start].rstrip(), indent, width), indent + 4
        current = " " * column
    for item in items:
        space = "" if len(current) == column else " "
        if space and len(current) + 1 + len(item) > width:
            lines.append(current)
            current, space = " " * column, ""
        current += space + item
        if len(current) > width:
            *before, last = _broken(current, width)
            lines += before
            current = last if item is items[-1] else _flush(lines, last, column)
    return [*lines, current]


def _head(head: str, indent: int, width: int) -> list[str]:
    """What stands before a list, in several lines if it is too long for one."""
    cut = head.rfind(", ", 0, width)
    if len(head) <= width or cut < 0:
        return [head]
    rest = " " * (indent + 8) + head[cut + 2 :]
    return [head[: cut + 1], *([rest] if len(rest) >= len(head) else _head(rest, indent, width))]


def _flush(lines: list[str], last: str, column: int) -> str:
    """Behind an item of several lines the next one begins a line."""
    lines.append(last)
    return " " * column


def _literal(line: str, indent: int, width: int) -> list[str]:
    """A string literal in several pieces, which the compiler joins."""
    text, _, tail = line.strip()[1:].rpartition('"')
    pieces = textwrap.wrap(text, width - indent - len(tail) - 3, break_on_hyphens=False)
    if text.endswith(" "):  # belongs to the text
        pieces[-1] += " "
    pad = " " * indent
    return [f'{pad}"{piece} "' for piece in pieces[:-1]] + [f'{pad}"{pieces[-1]}"{tail}']


# --------------------------------------------------------------------------- brackets


def _list_in(line: str) -> tuple[int, list[int]] | None:
    """Where the list begins at which the line is best broken, and where its items end.

    That is the outermost list of several items; of several ones the last. If there is none, it is
    the last outermost bracket with anything in it.
    """
    groups = _groups(line)
    best = None
    for depth, start, ends in groups:
        if len(ends) > 1 and (best is None or depth <= best[0]):
            best = depth, start, ends
    if best is None:
        outer = [g for g in groups if g[0] == 0 and g[2][-1] > g[1]]
        best = outer[-1] if outer else None
    return best and (best[1], best[2])


def _groups(line: str) -> list[tuple[int, int, list[int]]]:
    """Depth, beginning and ends of items of every pair of brackets in a line."""
    closed: list[tuple[int, int, list[int]]] = []
    opened: list[tuple[int, list[int]]] = []
    for token in _TOKEN.finditer(line):
        text, end = token[0], token.end()
        if text in "([{":
            opened.append((end, []))
        elif opened and text in ")]}":
            start, ends = opened.pop()
            closed.append((len(opened), start, [*ends, end - 1]))
        elif opened and text in (",", "&&", "||"):
            opened[-1][1].append(end)
    return sorted(closed, key=lambda g: g[1])
