"""Files that are not what they should be: one sentence, exit code 2, and no code from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mpiglot.generators.inputs import known

Run = Callable[..., Any]
Tiny = Callable[..., Path]

#: Every command that reads a blueprint, as it is typed.
COMMANDS = (
    ("show", "FILE"),
    ("show", "FILE", "MPI_Send"),
    ("diff", "FILE", "mpich-4.0.2"),
    ("diff", "mpich-4.0.2", "FILE"),
    ("atlas", "FILE", "mpich-4.0.2"),
    ("generate", "cpp", "--blueprint", "FILE", "-o", "OUT"),
    ("generate", "go", "--blueprint", "FILE", "-o", "OUT"),
    ("check", "java", "--blueprint", "FILE", "-o", "OUT"),
)

GOOD = known()["mpich-4.0.2"].read_text()


def refused(mpiglot: Run, command: tuple[str, ...], path: Path) -> str:
    """Runs the command on a bad file and gives the sentence it ended with."""
    out = path.parent / "out"
    places = {"FILE": path, "OUT": out}
    done = mpiglot(*[places.get(word, word) for word in command])
    assert done.code == 2, (done.code, done.err)
    assert done.out == ""
    assert len(done.err.splitlines()) == 1, done.err
    assert not out.exists()
    return str(done.err)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("empty", ""),
        ("truncated", GOOD[: len(GOOD) // 2]),
        ("foreign", '{"name": "somebody else", "version": 1}'),
        ("list", "[1, 2]"),
        ("newer", GOOD.replace('"schema_version": 1', '"schema_version": 2', 1)),
        ("prose", "Dear reader,"),
    ],
)
def test_a_file_that_is_no_blueprint_is_refused(
    mpiglot: Run, tmp_path: Path, command: tuple[str, ...], name: str, text: str
) -> None:
    path = tmp_path / f"{name}.json"
    path.write_text(text)
    assert f"{name}.json" in refused(mpiglot, command, path)


def test_a_newer_schema_says_so(mpiglot: Run, tmp_path: Path) -> None:
    path = tmp_path / "newer.json"
    path.write_text(GOOD.replace('"schema_version": 1', '"schema_version": 7', 1))
    said = refused(mpiglot, ("show", "FILE"), path)
    assert "7" in said
    assert "newer" in said


def hostile() -> dict[str, Callable[[dict[str, Any]], None]]:
    """Changes that would become code, terminal commands or files if they were believed."""
    code = 'x(void){system("rm -rf ~");} int y'
    return {
        "function name": lambda d: d["functions"][0].update(name=code),
        "parameter name": lambda d: d["functions"][0]["parameters"][0].update(name="a, int b"),
        "header's name": lambda d: d["functions"][0]["parameters"][0].update(c_name="a) {"),
        "parameter type": lambda d: d["functions"][0]["parameters"][0].update(type="int; }"),
        "return type": lambda d: d["functions"][0].update(returns="int; #include </etc/passwd>"),
        "role": lambda d: d["functions"][0]["parameters"][0].update(role="*/ evil /*"),
        "chapter": lambda d: d["functions"][0].update(chapter="../../evil"),
        "doc": lambda d: d["functions"][0].update(doc="x\nint evil;"),
        "length": lambda d: d["functions"][0]["parameters"][1].update(length="3]; evil("),
        "constant name": lambda d: d["constants"][0].update(name="MPI_X = 1; //"),
        "constant type": lambda d: d["constants"][0].update(type="int\nevil"),
        "symbol": lambda d: d["constants"][0].update(symbol="a;b", access="address"),
        "class": lambda d: d["constants"][0].update({"class": "integer */"}),
        "type name": lambda d: d["types"][0].update(name="MPI_Comm { int x"),
        "underlying": lambda d: d["types"][0].update(underlying="int; evil"),
        "size": lambda d: d["types"][0].update(size="4"),
        "vendor": lambda d: d["mpi"].update(vendor="x\x1b]0;evil\x07"),
        "version": lambda d: d["mpi"].update(version='1"\n#error'),
        "soname": lambda d: d["mpi"].update(soname='lib.so"\nevil'),
        "version as a path": lambda d: d["mpi"].update(version="../../../evil"),
        "version as a folder": lambda d: d["mpi"].update(version="1/2"),
        "version with dots": lambda d: d["mpi"].update(version="1..2"),
        "hidden version": lambda d: d["mpi"].update(version=".1"),
        "vendor as a path": lambda d: d["mpi"].update(vendor="/tmp/evil"),
        "soname as a path": lambda d: d["mpi"].update(soname="../evil/libmpi.so"),
        "text for a number": lambda d: d["constants"][0].update(value="-2"),
        "text for an ABI number": lambda d: d["constants"][0].update(abi_value="-2"),
        "fraction": lambda d: d["constants"][0].update(value=1.5),
        "whole fraction": lambda d: d["constants"][0].update(value=1.0),
        "truth for a number": lambda d: d["constants"][0].update(value=True),
        "number too large": lambda d: d["constants"][0].update(value=2**64),
        "number for a text": lambda d: d["constants"][0].update({"class": "string", "value": 3}),
        "text for a size": lambda d: d["types"][0].update(size="4"),
        "truth for a size": lambda d: d["types"][0].update(size=True),
        "huge size": lambda d: d["types"][0].update(size=2**40),
        "field behind the end": lambda d: d["types"][0].update(
            kind="struct", fields=[{"name": "f", "type": "int", "offset": 8, "size": 4}]
        ),
        "bracket that closes": lambda d: d["functions"][0]["parameters"][0].update(type="int) ("),
        "bracket left open": lambda d: d["functions"][0].update(returns="int (*"),
        "array left open": lambda d: d["constants"][0].update(type="int ["),
        "number for a name": lambda d: d["functions"][0].update(name=3),
        "list for a text": lambda d: d["mpi"].update(vendor=["MPICH"]),
    }


@pytest.mark.parametrize("what", list(hostile()))
def test_names_that_would_become_code_are_refused(
    mpiglot: Run, tiny: Tiny, what: str, tmp_path: Path
) -> None:
    path = tiny("hostile.json")
    data = json.loads(path.read_text())
    hostile()[what](data)
    path.write_text(json.dumps(data))
    for command in (
        ("show", "FILE"),
        ("generate", "cpp", "--blueprint", "FILE", "-o", "OUT"),
        ("package", "cpp", "--blueprint", "FILE", "-o", "OUT"),
    ):
        said = refused(mpiglot, command, path)
        assert said.isprintable() or said.endswith("\n")
        assert "\x1b" not in said


def test_the_small_blueprint_these_changes_are_made_to_is_good(mpiglot: Run, tiny: Tiny) -> None:
    assert mpiglot("show", tiny()).code == 0


def test_a_blueprint_of_a_whole_new_mpi_gives_bindings(mpiglot: Run, tiny: Tiny) -> None:
    """Tiny MPI has one function; everything else of the standard says that it is unavailable."""
    path = tiny()
    out = path.parent / "out"
    done = mpiglot("generate", "go", "--blueprint", path, "-o", out)
    assert done.code == 0, done.err
    assert "func CommSplit(" in "\n".join(p.read_text() for p in out.glob("*.go"))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero here")
def test_a_device_without_end_is_no_blueprint(mpiglot: Run) -> None:
    done = mpiglot("show", "/dev/zero")
    assert done.code == 2
    assert "far too large" in done.err


def test_a_folder_is_no_blueprint(mpiglot: Run, tmp_path: Path) -> None:
    refused(mpiglot, ("show", "FILE"), tmp_path)


@pytest.mark.parametrize(
    "arguments", [("show", "a", "b", "c"), ("diff", "mpich-4.0.2"), ("atlas",)]
)
def test_too_many_or_too_few_arguments_are_a_usage_error(
    mpiglot: Run, arguments: tuple[str, ...]
) -> None:
    done = mpiglot(*arguments)
    assert done.code == 2
    assert done.out == ""
