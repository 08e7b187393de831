"""Reads the public declarations out of generated C++ and Java, brace by brace.

No compiler is asked: generated code is regular, and a list of declarations that is compared from
commit to commit must not depend on what is installed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_MARK = re.compile(r"[()\[\];,{]")  # what may end a declaration, or hides such an end
_BRACE = re.compile(r"[{}]")
_OPENING, _CLOSING = "([<", ")]>"


@dataclass(slots=True)
class Scope:
    """Where a declaration stands: the names around it, and whether outsiders see it."""

    names: tuple[str, ...] = ()
    kind: str = "top"  # "top", "namespace", "class", "struct", "enum", "interface", ...
    visible: bool = True


def plain(text: str) -> str:
    """Source text without comments and preprocessor lines; texts in quotes become `""`."""
    without = _COMMENT.sub(lambda m: '""' if m.group().startswith('"') else " ", text)
    return re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", without, flags=re.MULTILINE)


def tidy(text: str) -> str:
    """A declaration on one line."""
    line = re.sub(r"\s+", " ", text).strip()
    return re.sub(r"(?<=\() | (?=\))", "", line)


@dataclass(slots=True)
class Chunk:
    """A piece of a scope's body: a declaration, and the body that follows it, if any."""

    head: str
    body: str | None


def chunks(text: str, comma: bool = False) -> Iterator[Chunk]:
    """The declarations of one scope; with `comma` (enumerators) commas end them too."""
    start = at = depth = 0
    while mark := _MARK.search(text, at):
        c, at = mark.group(), mark.start()
        if c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif depth == 0 and (c == ";" or (comma and c == ",")):
            yield Chunk(tidy(text[start:at]), None)
            start = at + 1
        elif c == "{":
            end = _closing_brace(text, at)
            if depth == 0 and not _INITIALIZING.search(text[start:at]):
                yield Chunk(tidy(text[start:at]), text[at + 1 : end])
                start = end + 1
            at = end
        at += 1
    if tidy(text[start:]):
        yield Chunk(tidy(text[start:]), None)


#: The text before the brace of a member that a constructor initializes: `x(int a) : a_`.
_INITIALIZING = re.compile(r"\)\s*(?:noexcept\s*)?:\s*(?:\w+\s*[({].*)?\w+\s*$", re.DOTALL)


def _closing_brace(text: str, at: int) -> int:
    depth = 0
    for brace in _BRACE.finditer(text, at):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return brace.start()
    return len(text)


# --------------------------------------------------------------------------- C++

_CPP_SCOPE = re.compile(
    r"(?:^|[>\s])(?P<kind>namespace|class|struct|union|enum(?: class| struct)?)\s+"
    r"(?P<name>[\w:]+)[^()=]*$"
)
_ACCESS = re.compile(r"^(public|private|protected)\s*:\s*")
_CPP_ATTRIBUTE = re.compile(r"\[\[[^\]]*\]\]\s*")
_CPP_NOISE = re.compile(r"\[\[[^\]]*\]\]\s*|\b(?:inline|static|constexpr|explicit)\s+")


def cpp(text: str) -> list[str]:
    """The public declarations of a C++ header."""
    return list(_cpp(plain(text), Scope()))


def _cpp(text: str, scope: Scope) -> Iterator[str]:
    visible = scope.kind != "class"
    where = "::".join(scope.names)
    before = ""  # the type whose body has just ended: `struct sum_t {...} sum{};`
    for chunk in chunks(text, comma=scope.kind.startswith("enum")):
        head, before = f"{before}{chunk.head}" if _is_name(chunk.head) else chunk.head, ""
        while access := _ACCESS.match(head):
            visible = access.group(1) == "public"
            head = head[access.end() :]
        if not visible or not head:
            continue
        bare = _CPP_ATTRIBUTE.sub("", head)
        opened = _CPP_SCOPE.search(bare) if chunk.body is not None else None
        if opened is None:
            line = _cpp_declaration(head, scope)
            if line:
                yield f"{where}: {line}"
            continue
        kind, name = opened.group("kind"), opened.group("name")
        if name == "detail" or name.endswith("::detail"):
            continue
        if kind != "namespace":
            yield f"{where}: {tidy(_CPP_NOISE.sub('', head))}"
            before = f"{name} "
        yield from _cpp(chunk.body or "", Scope((*scope.names, name), kind))


def _is_name(text: str) -> bool:
    return re.fullmatch(r"\w+", text) is not None


def _cpp_declaration(head: str, scope: Scope) -> str:
    """A function, field, constant or alias; nothing for what only looks like one."""
    head = re.sub(r"^extern \"\"\s*", "", head)
    if re.match(r"(static_assert|using namespace|friend|namespace)\b|[A-Z][A-Z_]*\(", head):
        return ""
    head = _CPP_NOISE.sub("", head)
    if head.startswith("MPIGLOT_INLINE "):  # the body of what was declared before
        return ""
    if scope.kind.startswith("enum"):
        return head
    head = re.sub(r"(\)(?:\s*(?:const|noexcept|&))*)\s*:\s.*$", r"\1", head)  # initializers
    return "" if head.startswith("~") or re.match(r"operator\s*=", head) else tidy(head)


# --------------------------------------------------------------------------- Java

_JAVA_SCOPE = re.compile(r"\b(?P<kind>class|interface|enum|record)\s+(?P<name>\w+)[^=]*$")
#: A class that programs cannot name above one that they can: its public members are that one's.
_JAVA_ABOVE = re.compile(r"abstract sealed class \w+ (?:extends \w+ )?permits (?P<name>\w+)$")
#: An interface that one class alone can implement: that class has its methods, too.
_JAVA_CHAPTER = re.compile(r"public sealed interface \w+(?:<[^>]*>)? permits (?P<name>\w+)$")
_JAVA_NOISE = re.compile(r"@\w+(?:\([^)]*\))?\s*|\b(?:public|final|abstract|synchronized)\s+")


def java(text: str) -> list[str]:
    """The public declarations of a Java file."""
    source = plain(text)
    package = re.search(r"\bpackage\s+([\w.]+)\s*;", source)
    names = (package.group(1),) if package else ()
    return list(_java(source, Scope(names)))


def _java(text: str, scope: Scope) -> Iterator[str]:
    where = ".".join(scope.names)
    enumerators = scope.kind == "enum"
    for chunk in chunks(text, comma=enumerators):
        head = chunk.head
        if enumerators and re.match(r"(?:@\w+\s+)*[A-Z][A-Z0-9_]*\s*(\(|$)", head):
            yield f"{where}: {head.partition('(')[0].strip()}"
            if chunk.body is None and not _more_enumerators(text, head):
                enumerators = False
            continue
        enumerators = False
        if of := _JAVA_ABOVE.match(head):
            yield from _java(chunk.body or "", Scope((*scope.names, of["name"]), "class"))
            continue
        if of := _JAVA_CHAPTER.match(head):
            members = _java(chunk.body or "", Scope((*scope.names, of["name"]), "interface"))
            yield from (line.replace(": default ", ": ", 1) for line in members)
        seen = re.search(r"\bpublic\b", head) or scope.kind == "interface"
        seen = seen and not head.startswith("private ")
        opened = _JAVA_SCOPE.search(head) if chunk.body is not None else None
        if not seen or re.match(r"(package|import|module)\b", head):
            continue
        if opened is None or "=" in head.partition("(")[0]:
            yield f"{where}: {_java_declaration(head)}"
            continue
        yield f"{where}: {tidy(_JAVA_NOISE.sub('', head))}"
        inner = Scope((*scope.names, opened.group("name")), opened.group("kind"))
        yield from _java(chunk.body or "", inner)


def _more_enumerators(text: str, head: str) -> bool:
    return "," in text


def _java_declaration(head: str) -> str:
    declaration, equals, value = head.partition(" = ")
    text = tidy(_JAVA_NOISE.sub("", declaration))
    literal = equals and re.fullmatch(r"-?[\w.]+", value.strip())
    return f"{text} = {value.strip()}" if literal else text


# --------------------------------------------------------------------------- Go

_GO_FUNC = re.compile(r"^func (?:\(\w*\s*\*?(?P<receiver>\w+)(?:\[.*?\])?\) )?(?P<name>\w+)")


def go(text: str) -> list[str]:
    """The exported declarations of a Go file as gofmt writes it."""
    lines = iter(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).splitlines())
    out: list[str] = []
    for line in lines:
        if line.startswith("func "):
            while _go_body(line) < 0:
                line += " " + next(lines, "{").strip()
            out += _go_function(tidy(line[: _go_body(line)]))
        elif match := re.match(r"(const|var|type) \($", line):
            out += _go_block(match.group(1), lines)
        elif match := re.match(r"(const|var|type) ([A-Z]\w*)", line):
            while match[1] == "type" and line.count("(") > line.count(")"):
                line += " " + next(lines, ")").strip()
            out += _go_single(match.group(1), _uncommented(line), lines)
    return out


def _uncommented(line: str) -> str:
    return tidy(re.sub(r"\s//.*$", "", line))


def _go_body(line: str) -> int:
    """Where the body of a function begins; negative while the declaration goes on."""
    depth = 0
    for at, c in enumerate(line):
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == "{" and depth == 0 and not re.search(r"\b(interface|struct)$", line[:at]):
            return at
    return -1


def _go_function(line: str) -> list[str]:
    match = _GO_FUNC.match(line)
    if match is None or not match.group("name")[0].isupper():
        return []
    receiver = match.group("receiver")
    if receiver and not receiver[0].isupper():
        return []
    return [line]


def _go_block(kind: str, lines: Iterator[str]) -> list[str]:
    out: list[str] = []
    for line in lines:
        if line.startswith(")"):
            break
        inner = _uncommented(line)
        if re.match(r"^\t[A-Z]", line):
            out += _go_single(kind, f"{kind} {inner}", lines, "\t")
    return out


def _go_single(kind: str, line: str, lines: Iterator[str], indent: str = "") -> list[str]:
    if whole := re.search(r"\b(struct|interface) ?\{(.*)\}$", line):
        lines = iter([*(f"\t{member.strip()}" for member in whole.group(2).split(";")), "}"])
        line, indent = f"{line[: whole.end(1)]} {{", ""
    opened = re.search(r"(struct|interface) \{$", line)
    if not opened:
        return [re.sub(r"\{.*?\}?$", "{}", line)]
    head = line[:-1].strip()
    out = [head]
    for inner in lines:
        if inner.startswith(f"{indent}}}"):
            break
        member = _uncommented(inner)
        if member and member[0].isupper():
            out.append(f"{head.split()[1]}: {member}")
    return out


READERS: dict[str, tuple[str, Callable[[str], list[str]]]] = {
    "cpp": (".hpp", cpp),
    "go": (".go", go),
    "java": (".java", java),
}
