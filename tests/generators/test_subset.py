"""A library of a part of MPI 2.2: what it has is served, what it lacks is unavailable."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.limits import guard
from tests.parser import fake_mpi

HERE = Path(__file__).parent / "subset"
HEADER = (HERE / "mpi.h").read_text(encoding="utf-8")
LIBRARY = (HERE / "mpi.c").read_text(encoding="utf-8")
QUIET = "#pragma GCC system_header\n"
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wpedantic", "-Werror"]
# The count type is missing, as in MPI 2.2, or one of the library's own.
COUNTS = {
    "missing": ("", 8),
    "int": ("typedef int MPI_Count;\ntypedef long MPI_Offset;\n", 4),
    "macro": ("#define MPI_Count long\n#define MPI_Offset long\n", 8),
}

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")


def run(*command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True, text=True, timeout=guard(280), check=False,
        env={**os.environ, **variables},
    )  # fmt: skip


def mpiglot(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    tool = [sys.executable, "-m", "mpiglot"]
    return run(*tool, *arguments, XDG_CACHE_HOME=str(folder / "cache"))


def subset(folder: Path, header: str = HEADER) -> fake_mpi.FakeMpi:
    return fake_mpi.build(folder / "mpi", header, LIBRARY)


def numbers(folder: Path) -> fake_mpi.FakeMpi:
    """The subset's numbers in a library that tells its version, as Go and Java need."""
    own = HEADER[HEADER.index("#define MPIX_") : HEADER.index("#define MPI_SUCCESS")]
    header = fake_mpi.PLAIN_HEADER.replace("#define MPI_SUCCESS", f"{own}#define MPI_SUCCESS")
    return fake_mpi.build(folder / "numbers", header, fake_mpi.PLAIN_LIBRARY)


def blueprint(folder: Path, made: fake_mpi.FakeMpi) -> Path:
    path = folder / f"{made.prefix.name}.json"
    done = mpiglot(folder, "probe", "--mpicc", made.mpicc, "-o", path)
    assert done.returncode == 0, done.stderr
    return path


@pytest.mark.parametrize("count", COUNTS)
def test_the_cpp_layer_serves_what_the_subset_has(tmp_path: Path, count: str) -> None:
    declared, size = COUNTS[count]
    made = subset(tmp_path, HEADER.replace("#define MPI_SUCCESS", f"{declared}#define MPI_SUCCESS"))
    probed, layer = blueprint(tmp_path, made), tmp_path / "layer"
    done = mpiglot(tmp_path, "generate", "cpp", "--blueprint", probed, "-o", layer)
    assert done.returncode == 0, done.stderr
    for path in layer.rglob("*.hpp"):  # compilers shall tell what they see in them
        path.write_text(path.read_text(encoding="utf-8").replace(QUIET, ""), encoding="utf-8")
    program = tmp_path / "program"
    done = run(
        "g++", "-std=c++20", *WARNINGS, f"-I{layer}", f"-I{made.prefix}/include",
        HERE / "program.cpp", "-o", program, f"-L{made.prefix}/lib", "-lfake",
        f"-Wl,-rpath,{made.prefix}/lib",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "rank 0 of 1 got 42 with tag 7",
        f"a count has {size} bytes",
        "MPI_Send: MPI has no text for this error, code 2",
        "MPI_Send: MPI has no text for this error, code 5",
        "MPI_Info_create: this MPI does not have this function; it needs MPI 2.0",
    ]


def test_the_subset_is_shown_with_what_it_lacks(tmp_path: Path) -> None:
    done = mpiglot(tmp_path, "show", blueprint(tmp_path, subset(tmp_path)))
    assert done.returncode == 0, done.stderr
    assert "its header says 2.2" in done.stdout


# What has a number beyond 2^63 is that number in Go, and the signed one where there is no other.
NUMBERS = {
    "go": ["XBig = 18446744073709551600", '{"MPIX_BIG", -16, []native{{-16,', "XLimit = 17"],
    "java": ["long BIG = -16L;", "long EVERY = -1L;", "constant MPIX_WIDE -8070450532247928832\n"],
}


@pytest.mark.parametrize("language", NUMBERS)
def test_go_and_java_are_generated_beside_the_subset(tmp_path: Path, language: str) -> None:
    for probed in (blueprint(tmp_path, subset(tmp_path)), blueprint(tmp_path, numbers(tmp_path))):
        out = tmp_path / f"out of {probed.stem}"
        done = mpiglot(tmp_path, "generate", language, "--blueprint", probed, "-o", out)
        assert done.returncode == 0, done.stderr
    files = [p for p in out.rglob("*") if p.suffix in (".go", ".java", ".txt")]
    text = "".join(p.read_text(encoding="utf-8") for p in files)
    text = re.sub(" +", " ", text)
    assert [n for n in NUMBERS[language] if n not in text] == []


def test_what_is_probed_is_what_the_header_says(tmp_path: Path) -> None:
    data = json.loads(blueprint(tmp_path, subset(tmp_path)).read_text(encoding="utf-8"))
    value = {c["name"]: c["value"] for c in data["constants"]}
    assert (
        value["MPIX_LINES"] == 'one\n\t"two" \\ \a three'
        and value["MPIX_UTF8"] == "Stra\u00dfe \u2713"
    )
    assert (value["MPIX_EVERY"], value["MPIX_WIDE"]) == (2**64 - 1, 0x9 << 60)
    assert (value["MPIX_LEAST"], value["MPIX_LIMIT"]) == (-(2**63), 17)
    assert {"name": "MPIX_LATIN", "reason": "text that is not UTF-8"} in data["omitted"]
    shown = mpiglot(tmp_path, "show", tmp_path / "mpi.json", "MPIX_LINES").stdout
    assert r"one\n\t" in shown and "\a" not in shown


def test_a_handle_that_is_an_int_by_a_macro_is_no_conflict(tmp_path: Path) -> None:
    header = HEADER.replace("typedef int MPI_Request;", "#define MPI_Request int")
    probed = blueprint(tmp_path, subset(tmp_path, header))
    for language in ("cpp", "go", "java"):
        done = mpiglot(
            tmp_path, "generate", language, "--blueprint", probed, "-o", tmp_path / language
        )
        assert done.returncode == 0, done.stderr
