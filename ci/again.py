"""What to run again after a failure: the tests that failed, and what they kept from running.

A test that fails and then passes is *shaky*: a defect, whose cause is to be found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

Command = list[str]
_PYTEST = re.compile(r"^(?:FAILED|ERROR) (\S+::\S+)", re.MULTILINE)
_CTEST = re.compile(r"^\s*\d+ - (\S+) \([^)]*\)", re.MULTILINE)
_CONFORMANCE = re.compile(r"^FAILED: (\w+) on rank \d+ of \d+ ", re.MULTILINE)
_ENDING = re.compile(r"^FAIL ([\w-]+): ", re.MULTILINE)
_JAVA = re.compile(r"^FAILED on rank \d+: \w+\.(\w+)", re.MULTILINE)
_GO = re.compile(r"^--- FAIL: (\w+)", re.MULTILINE)


def _names(pattern: re.Pattern[str], output: str) -> list[str]:
    return list(dict.fromkeys(pattern.findall(output)))


def _pytest(command: Sequence[str], output: str) -> list[Command]:
    return [[*command, "--last-failed"]] if "pytest" in command else []


def _ctest(command: Sequence[str], output: str) -> list[Command]:
    return [[*command, "--rerun-failed"]] if "ctest" in command else []


def _go(command: Sequence[str], output: str) -> list[Command]:
    names = _names(_GO, output)
    return [[*command, "-test.run", f"^({'|'.join(names)})$"]] if names else [list(command)]


def _java(command: Sequence[str], output: str) -> list[Command]:
    return [[*command, *_names(_JAVA, output)]]


def _line(command: Sequence[str], output: str) -> list[Command]:
    """Conformance programs of Go and Java end at the first case that fails: the others are next."""
    words = [word for word in command if word != "--fresh"]
    if endings := _names(_ENDING, output):
        return [[*words, *endings]]
    if cases := _names(_CONFORMANCE, output):
        before = words if "--" in words else [*words, "--"]
        return [[*words, *cases], [*before, *(f"-{name}" for name in cases)]]
    return [list(command)]


_KINDS: dict[str, Callable[[Sequence[str], str], list[Command]]] = {
    "pytest": _pytest,
    "ctest": _ctest,
    "go": _go,
    "java": _java,
    "line": _line,
}


_NAMES = {
    "pytest": (_PYTEST,),
    "ctest": (_CTEST,),
    "go": (_GO,),
    "java": (_JAVA,),
    "line": (_ENDING, _CONFORMANCE),
}


def failures(kind: str, output: str) -> set[str]:
    """The names of the tests that failed, where the tool says them."""
    return {name for one in _NAMES.get(kind, ()) for name in _names(one, output)}


def again(kind: str, command: Sequence[str], output: str) -> list[Command]:
    """The commands that run again what failed in this one; none where nothing runs again."""
    return _KINDS[kind](command, output) if kind in _KINDS else []
