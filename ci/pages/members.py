"""Writes the documented member functions of communicators, windows and files.

    .venv/bin/python -m mpiglot.ci.pages

The comment at the top of each header in `operations/` describes an operation and lists its members.
From it, `operations/members/NAME.hpp` is written: one class template that declares these members,
each with a comment that editors show.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from mpiglot.ci.pages.operations import (  # noqa: E402
    FOLDER,
    GROUPS,
    Operation,
    field,
    operations,
    prose,
)

MEMBERS = FOLDER / "members"
WIDTH = 100
CHECK = "using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right"
# What has no members of its own here: those of a message stand in matched_message.hpp.
ELSEWHERE = frozenset({"mrecv"})
ON_HANDLES = {"one_sided": "detail::handle_call", "file_access": "detail::handle_call"}
CODE_NAMES = {"file_access": {"read": "file_read", "write": "file_write"}}
TYPED = "also with the element type in angle brackets"
REQUEST = "Returns a request, whose `wait()` gives the result of `{operation}`."
SENTENCES = {
    "now": "",
    "later": f"Nonblocking. {REQUEST}",
    "bound": "Persistent. Returns a request; each `start()` begins the operation once more.",
    "split": f"Split collective. {REQUEST}",
}


@dataclass(frozen=True)
class Member:
    """One member function: its name, the operation it performs, and the form."""

    name: str
    operation: str
    form: str


def groups(operation: Operation) -> list[list[Member]]:
    """The members as the header lists them, those of one MPI operation together."""
    found = []
    for group in operation.fields["Members"].split(";"):
        names = [name.strip() for name in group.split(",")]
        if all(re.fullmatch(r"\w+", name) for name in names):
            found.append([Member(name, names[0], form(name, names[0])) for name in names])
    return found


def form(name: str, first: str) -> str:
    """The form of a member, by its name and that of the blocking member."""
    if name.endswith("_init"):
        return "bound"
    if name.endswith("_split"):
        return "split"
    return "now" if name == first else "later"


def is_typed(operation: Operation) -> bool:
    return TYPED in operation.fields["Members"]


def kinds_of(operation: Operation) -> tuple[str, ...]:
    """Which declarations a member has: besides that with a buffer, those that make one."""
    if not is_typed(operation):
        return ("",)
    return ("", "T") if operation.name.endswith("_single") else ("", "T", "View")


def is_collective(operation: Operation) -> bool:
    alone = {*GROUPS["Point to point"], *GROUPS["Memory of other ranks, and files"]}
    return operation.name not in alone


def summary(operation: Operation, member: Member) -> str:
    """What a member does: what its own operation says, or the header."""
    text = (FOLDER / f"{operation.name}.hpp").read_text(encoding="utf-8")
    called = CODE_NAMES.get(operation.name, {}).get(member.operation, member.operation)
    found = re.search(rf"^/// (.*)\nstruct {called}\b", text, re.M)
    return found[1] if found else operation.summary


def example(operation: Operation, member: Member, typed: bool) -> str:
    """One statement with this member: one of the header's, or the blocking one with its name."""
    others = operation.members if operation.name == "send" else ()
    for name in dict.fromkeys((member.name, f"i{member.operation}", member.operation, *others)):
        for statement in re.split(r"(?<=;) *(?://.*)?(?:\n|$)", operation.example):
            found = re.search(rf"\w+\.{name}(<\w+>)?\(.*", statement, re.S)
            if found is None or bool(found[1]) != typed:
                continue
            if name.startswith("i") and member.form == "now" and name != member.name:
                continue
            if name == member.name:
                return statement
            shown = found[0].replace(f".{name}", f".{member.name}", 1)
            return shown if member.form == "now" else f"auto request = {shown}"
    return ""


def shown(operation: Operation, member: Member, kind: str) -> str:
    """The example of a declaration. Extents of a view stand in the place of a count of elements."""
    statement = example(operation, member, bool(kind))
    if kind == "View":
        statement = re.sub(r"<\w+>\(", "<View>(extents(3, 4), ", statement, count=1)
        statement = re.sub(r",\s+recv_count\(\w+\)", "", statement)
    return statement


def comment(operation: Operation, member: Member, kind: str) -> Iterator[str]:
    """The documentation of a member, line by line."""
    sentences = [prose(summary(operation, member)), SENTENCES[member.form]]
    if kind == "T":
        sentences = [f"`{member.name}` that receives elements of type `T`."]
    if kind == "View":
        sentences = [f"`{member.name}` that makes a `View` of these extents and receives into it."]
    if is_collective(operation):
        sentences.append("Collective.")
    text = " ".join(sentence for sentence in sentences if sentence)
    yield from filled(text.format(operation=member.operation))
    yield "///"
    yield from (f"///     {line}" for line in broken(shown(operation, member, kind)))
    if not kind:
        yield "///"
        for label, said in described(operation, member):
            yield from filled(f"{label}: {said}", "- ", "  ")


def broken(statement: str) -> Iterator[str]:
    """A statement in lines that fit, broken behind commas."""
    line = ""
    for piece in re.split(r"(?<=,)\s+", statement):
        if line and len(line) + 1 + len(piece) > WIDTH - len("  ///     "):
            yield line
            line = f"    {piece}"
        else:
            line = f"{line} {piece}" if line else piece
    yield line


def filled(text: str, first: str = "", rest: str = "") -> Iterator[str]:
    """A text as lines of a comment inside of a class."""
    wrapped = textwrap.wrap(
        text,
        WIDTH - len("  /// "),
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    for line in wrapped:
        yield f"/// {line}"


def described(operation: Operation, member: Member) -> Iterator[tuple[str, str]]:
    """What is to be said of a member, label by label."""
    if operation.needs and "Needed" not in operation.fields:
        yield "Needed", ", ".join(f"`{key}`" for key in operation.needs)
    for label, text in operation.fields.items():
        if label == "Members":
            continue
        if label == "Messages" and member.form in ("later", "bound") and is_collective(operation):
            text = "one MPI call; lengths that a receiver does not know must be given"
        yield label, field(label, text).replace("\\|", "|")


def function(operation: Operation, member: Member, kind: str) -> Iterator[str]:
    """The declaration and body of a member."""
    called = CODE_NAMES.get(operation.name, {}).get(member.operation, member.operation)
    on_handle = ON_HANDLES.get(operation.name)
    yield from (f"  {line}" for line in comment(operation, member, kind))
    short = member.form in ("now", "later") and on_handle is None
    inline = "[[gnu::always_inline]] " if short else ""
    head = f"  {inline}auto {member.name}(Parameters&&... parameters) const {{"
    into = ""
    given = "Parameters..."
    passed = "static_cast<Parameters&&>(parameters)..."
    if kind == "View":
        yield "  template <class View, class... Parameters>"
        yield "    requires(detail::gives_extents<Parameters...>)"
        yield head
        given = "View, Parameters..."
        passed = "detail::made_for<View, Parameters>::put(parameters)..."
    elif kind == "T":
        yield "  template <class T, class... Parameters>"
        yield "    requires(detail::no_argument_is<T, Parameters...>)"
        yield head
        yield f"    using into = detail::typed_recv_buf<operations::{called}, T>;"
        into = "into, "
    else:
        yield "  template <class... Parameters>"
        yield head
    if member.form == "split":
        direction = "reading" if member.operation == "read" else "writing"
        template = "mpiglot::split_call"
        arguments = f"operations::{called}, detail::{direction}, Self, Parameters..."
    else:
        template = on_handle or ("detail::call_made" if kind == "View" else "detail::call_on")
        arguments = f"operations::{called}, detail::{member.form}, Self, {into}{given}"
    line = f"    using call = {template}<{arguments}>;"
    if len(line) > WIDTH:
        yield "    using call ="
        line = f"        {template}<{arguments}>;"
    yield line
    yield f"    {CHECK};"
    object_ = "static_cast<const Self&>(*this)"
    passed = f"into{{}}, {passed}" if into else passed
    line = f"    return call::perform({object_}, {passed});"
    if len(line) > WIDTH:
        yield f"    return call::perform({object_},"
        line = f"                         {passed});"
    yield line
    yield "  }"


def header(operation: Operation) -> str:
    """The text of the file with the members of an operation."""
    lines = [
        f"// The members for {operation.name}.hpp, made from its first comment by",
        "// ci/pages/members.py. DO NOT EDIT.",
        "",
        "#pragma once",
        "",
        "namespace mpiglot::operations {",
    ]
    classes = groups(operation)
    one = operation.name in ON_HANDLES or operation.name == "partitioned"
    if one:
        classes = [[member for group in classes for member in group]]
    for members in classes:
        name = operation.name if one else members[0].operation
        lines += ["", "template <class Self>", f"struct {name}_members {{"]
        for member in members:
            for kind in kinds_of(operation):
                if lines[-1] == "  }":
                    lines.append("")
                lines += function(operation, member, kind)
        lines.append("};")
    return "\n".join([*lines, "", "}  // namespace mpiglot::operations", ""])


def headers() -> dict[Path, str]:
    """The text of each file of members."""
    return {
        MEMBERS / f"{operation.name}.hpp": header(operation)
        for operation in operations()
        if operation.name not in ELSEWHERE
    }


def declared() -> Iterator[tuple[Operation, Member, str]]:
    """Every member function, in the order of the headers."""
    for operation in operations():
        if operation.name not in ELSEWHERE:
            for member in (member for group in groups(operation) for member in group):
                for kind in kinds_of(operation):
                    yield operation, member, kind


def names() -> list[str]:
    """The name of each member function."""
    return [member.name for _, member, _ in declared()]


def examples() -> list[str]:
    """The statement of each member function, as its comment shows it."""
    return [shown(*each) for each in declared()]


def program() -> str:
    """A program that compiles if all examples do; the variables stand in examples.hpp."""
    statements = "".join(
        f"void example_{n}() {{\n  {text}\n}}\n" for n, text in enumerate(examples())
    )
    return f"#include <examples.hpp>\n\nnamespace examples {{\n{statements}}}\n"


def main() -> None:
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(program(), encoding="utf-8")
        return
    MEMBERS.mkdir(exist_ok=True)
    texts = headers()
    for path in MEMBERS.glob("*.hpp"):
        if path not in texts:
            path.unlink()
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
