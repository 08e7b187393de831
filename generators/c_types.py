"""What the text of a C type says."""

from __future__ import annotations

import re
from functools import cache

_DECORATION = re.compile(r"\bconst\b|\brestrict\b|\*|\[[^\]]*\]|\(\s*\)")


@cache  # called for every parameter of every function, with a few hundred types
def base_type(c_type: str) -> str:
    """The type behind const, pointers and arrays."""
    return " ".join(_DECORATION.sub(" ", c_type).split())


def signed(number: int) -> int:
    """What a number of 64 bits is in a language or table that has no unsigned ones."""
    return number - (1 << 64) if number >= 1 << 63 else number


def literal(text: str) -> str:
    """A C string literal of a text, in ASCII: its bytes are those of UTF-8 everywhere."""
    plain = {b: chr(b) for b in range(32, 127) if chr(b) not in '\\"'}
    return '"' + "".join(plain.get(b, f"\\{b:03o}") for b in text.encode()) + '"'


_ARRAY = re.compile(r"\s*\[([^\]]*)\]")


def pointer(c_type: str) -> str:
    """A C type with its stars at the type; an array is a pointer to what it consists of."""
    plain = re.sub(r"\s*\brestrict\b", "", c_type)
    if "(" in plain:
        return plain
    inner = "".join(f"[{length.removeprefix('static ')}]" for length in _ARRAY.findall(plain)[1:])
    text = re.sub(r"\s+(?=\*)", "", _ARRAY.sub("", plain)).strip()
    return f"{text} (*){inner}" if inner else text + "*" * len(_ARRAY.findall(plain))


def as_is(c_type: str) -> str:
    """A C type in front of a name in C++, also where C writes the name in its middle."""
    return f"detail::as_is<{c_type}>" if "(" in c_type else c_type


def declared(c_type: str, name: str) -> str:
    """A C parameter `name`; an array of arrays is a pointer to the inner array."""
    dimensions = _ARRAY.findall(c_type)
    if len(dimensions) < 2:
        return f"{pointer(c_type)} {name}"
    return f"{pointer(_ARRAY.sub('', c_type))} (*{name})[{dimensions[1]}]"


def is_lists_of_texts(c_type: str) -> bool:
    """`char **array_of_argv[]`: a list of texts for each of several programs."""
    levels = c_type.count("*") + c_type.count("[")
    return base_type(c_type) == "char" and levels == 3
