"""Writes classes for the tests of the codec, drawn at random: generate.py COUNT FILE.

Each has fields, containers, bases and pointers of all kinds; arrays that share a count, which is a
field, in a field or in a base, and is listed before, behind, between them or not at all. A class
has objects of classes before it, and pointers to itself.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

SCALARS = ("bool", "char", "std::int8_t", "std::uint16_t", "int", "long", "double", "std::string")
COUNTS = ("int", "long", "std::size_t", "std::uint8_t")
KEYS = ("int", "std::string")
CONTAINERS = ("vector", "list", "map", "unordered_map", "optional", "variant", "pair", "array")


@dataclass
class Class:
    """A class that is being written."""

    number: int
    before: list[str] = field(default_factory=list)
    bases: list[str] = field(default_factory=list)
    members: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"drawn{self.number}"

    def member(self, declared: str) -> str:
        """Declares a member, `TYPE {} = VALUE`, and returns its name."""
        name = f"m{self.number}_{len(self.members)}"
        self.members.append(f"{declared.format(name)};")
        return name


def earlier(random: Random, number: int) -> str:
    return f"drawn{random.randrange(number)}" if number else "int"


def listing(*fields: str) -> str:
    names = ", ".join(f"self.{each}" for each in fields)
    return f"static void fields(auto& self, auto&& visit) {{ visit({names}); }}"


def value(random: Random, number: int, depth: int = 0) -> str:
    """The type of a value."""
    kind = random.random()
    if depth == 2 or kind < 0.35:
        return random.choice(SCALARS)
    if kind < 0.5:
        return earlier(random, number)
    if kind < 0.6:
        pointer = random.choice(("std::unique_ptr", "std::shared_ptr"))
        return f"{pointer}<{earlier(random, number)}>"
    inside = value(random, number, depth + 1)
    container = random.choice(CONTAINERS)
    arguments = {
        "map": f"{random.choice(KEYS)}, {inside}",
        "unordered_map": f"{random.choice(KEYS)}, {inside}",
        "variant": f"int, std::string, {inside}",
        "pair": f"{random.choice(SCALARS)}, {inside}",
        "array": f"{inside}, 2",
    }
    if container == "variant" and inside in ("int", "std::string"):
        container = "optional"
    return f"std::{container}<{arguments.get(container, inside)}>"


def add_value(random: Random, to: Class) -> None:
    name = to.member(value(random, to.number) + " {}{{}}")
    to.listed.append(f"self.{name}")
    to.drawn.append(f"draw(from, to.{name});")


def add_pointer(random: Random, to: Class) -> None:
    """One pointer, or several of them, to objects."""
    rule = random.choice(("owned", "shared", "observed"))
    object_ = random.choice((to.name, earlier(random, to.number)))
    pointer = f"const {object_}*" if rule == "observed" else f"{object_}*"
    many = random.choice(
        (
            "{pointer} {{}} = nullptr",
            "std::vector<{pointer}> {{}}",
            "std::array<{pointer}, 2> {{}}{{{{}}}}",
        )
    )
    name = to.member(many.format(pointer=pointer))
    to.listed.append(f"{rule}(self.{name})")
    to.drawn.append(f"from.{rule}(to.{name});")


def add_arrays(random: Random, to: Class) -> None:
    """Arrays with one count."""
    integer = random.choice(COUNTS)
    place = random.choice(("field", "part", "base"))
    if place == "base" and not to.before:
        base, count = f"base{to.number}", f"n{to.number}"
        to.before.append(f"struct {base} {{ {integer} {count} = 0; {listing(count)} }};")
        to.bases.append(base)
        where = f"mpiglot::bases<{base}>(self)"
    elif place == "field":
        count = to.member(integer + " {} = 0")
        where = f"self.{count}"
    else:
        name = to.member(f"counting<{integer}> {{}}")
        count, where = f"{name}.n", f"self.{name}"
    listed: list[str] = []
    to.drawn.append("{ const std::size_t n = from.some();")
    to.drawn.append(f"to.{count} = static_cast<{integer}>(n);")
    for _ in range(random.randint(1, 3)):
        element = random.choice(("int", "double", "std::string", earlier(random, to.number)))
        rule = random.choice(("owned", "shared"))
        smart = {"owned": "std::unique_ptr", "shared": "std::shared_ptr"}[rule]
        pointer = random.choice((f"{element}* {{}} = nullptr", f"{smart}<{element}[]> {{}}"))
        name = to.member(pointer)
        listed.append(f"{rule}(self.{name}, self.{count})")
        to.drawn.append(f"from.{rule}_array(to.{name}, n);")
    to.drawn.append("}")
    if random.random() < 0.75:  # between them, or at one end
        listed.insert(random.randint(0, len(listed)), where)
    to.listed += listed


def drawn_class(random: Random, number: int) -> Class:
    made = Class(number)
    if number and random.random() < 0.2:
        base = earlier(random, number)
        made.bases.append(base)
        made.listed.append(f"mpiglot::bases<{base}>(self)")
        made.drawn.append(f"draw_fields(from, static_cast<{base}&>(to));")
    for _ in range(random.randint(1, 4)):
        random.choice((add_value, add_pointer, add_arrays))(random, made)
    if not any(base.startswith("drawn") for base in made.bases):
        made.bases.append("encoding::counted")
    return made


def lists(random: Random, listed: list[str]) -> list[str]:
    """What is listed, in one list or several."""
    ends = sorted({len(listed), *random.sample(range(1, len(listed) + 1), k=random.randint(0, 1))})
    begins = [0, *ends[:-1]]
    return [f"visit({', '.join(listed[a:b])});" for a, b in zip(begins, ends, strict=True)]


def text_of(random: Random, one: Class) -> str:
    lines = [*one.before, f"struct {one.name} : {', '.join(one.bases)} {{"]
    lines += [f"  {member}" for member in one.members]
    lines.append("  static void fields(auto& self, auto&& visit) {")
    lines += [f"    {line}" for line in lists(random, one.listed)]
    lines += ["  }", "};"]
    lines.append(f"inline void draw_fields(drawing& from, {one.name}& to) {{")
    lines += [f"  {line}" for line in one.drawn]
    lines += ["}", ""]
    return "\n".join(lines)


def main(count: int, file: Path) -> None:
    random = Random(count)
    made = [drawn_class(random, number) for number in range(count)]
    names = ", ".join(one.name for one in made)
    text = '// Generated by drawn/generate.py.\n\n#pragma once\n\n#include "drawing.hpp"\n\n'
    text += "namespace drawn {\n\nusing mpiglot::observed, mpiglot::owned, mpiglot::shared;\n\n"
    text += "\n".join(text_of(random, one) for one in made)
    text += f"\nusing all = std::tuple<{names}>;\n\n}}  // namespace drawn\n"
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
