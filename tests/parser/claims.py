"""A blueprint's claims as a C program: what it says of an MPI is put to the compiler and run.

Independent of how the probe measures: sizes, offsets and integers become `_Static_assert`s,
prototypes assignments to function pointers, addresses comparisons at run time.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.limits import guard

_HEAD = """\
#include <stddef.h>
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#include <stdio.h>
#include <string.h>
"""
_STRICT = ["-Werror=incompatible-pointer-types", "-Wno-deprecated-declarations"]


def program(blueprint: dict[str, Any]) -> str:
    """The claims of `blueprint` in C; the program prints the claims that do not hold."""
    checks: list[str] = []
    lines = [_HEAD]
    for t in blueprint["types"]:
        lines.append(_claim(f"sizeof({t['name']}) == {t['size']}"))
        lines.append(_claim(f"_Alignof({t['name']}) == {t['alignment']}"))
        for f in t.get("fields", []):
            if f.get("size"):
                lines.append(_claim(f"offsetof({t['name']}, {f['name']}) == {f['offset']}"))
    for c in blueprint["constants"]:
        _constant(c, lines, checks)
    for f in blueprint["functions"]:
        if f["status"] == "links" and not f.get("macro"):
            lines.append(f"{_pointer(f)} = {f['name']};")
            checks.append(f'if (!p_{f["name"]}) puts("{f["name"]} has no address");')
    return "\n".join([*lines, "int main(void) {", *checks, "return 0; }", ""])


def _constant(c: dict[str, Any], lines: list[str], checks: list[str]) -> None:
    name, value = c["name"], c["value"]
    if c["class"] == "type":
        lines.append(f"{name} *t_{name} = ({c['type']} *)0;")
    elif c["class"] == "string":
        checks.append(f'if (strcmp({name}, {json.dumps(value)})) puts("{name} is another text");')
    elif isinstance(value, int):
        checks.append(f'if ((long long)({name}) != {value}LL) puts("{name} is not {value}");')
    elif c["links"] and c.get("symbol") and c.get("access") != "call":
        check = {
            "address": f"(const void *)({name}) != (const void *)&({c['symbol']})",
            "load": f"(const void *)({name}) != (const void *)({c['symbol']})",
        }[c["access"]]
        checks.append(f'if ({check}) puts("{name} is not {c["symbol"]}");')


def _claim(expression: str) -> str:
    return f'_Static_assert({expression}, "{expression}");'


def _pointer(f: dict[str, Any]) -> str:
    """The declaration of a pointer to a function of this prototype."""
    types = [p["type"] for p in f["parameters"]]
    if f.get("variadic"):
        types.append("...")
    return f"{f['returns']} (*p_{f['name']})({', '.join(map(_abstract, types)) or 'void'})"


def _abstract(type_: str) -> str:
    """A parameter's type without a name, as a prototype may have it."""
    return re.sub(r"\[restrict\]", "[]", type_)


def failures(
    blueprint: dict[str, Any],
    command: Sequence[str],
    flags: Sequence[str] = (),
    env: dict[str, str] | None = None,
    start: bool = True,
) -> str:
    """What the compiler (`command`) and, with `start`, the program say against the claims."""
    with tempfile.TemporaryDirectory() as folder:
        source, program_file = Path(folder) / "claims.c", Path(folder) / "claims"
        source.write_text(program(blueprint), encoding="utf-8")
        built = subprocess.run(
            [*command, *_STRICT, str(source), "-o", str(program_file), *flags],
            capture_output=True,
            text=True,
            timeout=guard(120),
            env=env,
        )
        if built.returncode or not start:
            return built.stderr
        ran = subprocess.run(
            [str(program_file)], capture_output=True, text=True, timeout=guard(60), env=env
        )
        return ran.stdout + ran.stderr if ran.returncode == 0 else f"exit code {ran.returncode}"
