"""Long lines of Go are broken as gofmt leaves them."""

from __future__ import annotations

import pytest

from mpiglot.generators.layout import wrapped_go

LONG = {
    "a call goes on one tab further": (
        "\tr := C.call(first(a), second, third)",
        "\tr := C.call(first(a), second,\n\t\tthird)",
    ),
    "what follows a list stays with its last item": (
        "func Name(first int, second int) (err error) {",
        "func Name(first int,\n\tsecond int) (err error) {",
    ),
    "results are a list": (
        "\treturn first.String(), Second(r.v1), check(r)",
        "\treturn first.String(),\n\t\tSecond(r.v1), check(r)",
    ),
    "a list that has no room in a line is broken itself": (
        "var set = {kind: open, all: {first, second, third, fourth}}",
        "var set = {kind: open, all: {first,\n\tsecond, third, fourth}}",
    ),
    "a comment goes on as a comment": (
        "// Bind is one of FIRST, SECOND and THIRD_VALUE.",
        "// Bind is one of FIRST, SECOND and\n// THIRD_VALUE.",
    ),
    "a comma in a string is not one of a list": (
        '\treturn "one, two, three, four, five and six"',
        '\treturn "one, two, three, four, five and six"',
    ),
}


@pytest.mark.parametrize(("line", "lines"), LONG.values(), ids=LONG.keys())
def test_a_long_line_of_go(line: str, lines: str) -> None:
    assert wrapped_go(line, 36) == lines
