"""Asking a compiler wrapper: whatever it prints is split as a shell would."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser.probe import probe
from mpiglot.parser.wrapper import linker_words, read, split_flags
from tests.parser import fake_mpi as fake


def wrapper_that_says(folder: Path, text: str, name: str = "mpicc", code: int = 0) -> Path:
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "said").write_text(text, encoding="utf-8")
    wrapper = folder / "bin" / name
    wrapper.write_text(f"#!/bin/sh\ncat '{folder / 'said'}'\nexit {code}\n", encoding="utf-8")
    wrapper.chmod(0o755)
    return wrapper


@pytest.mark.parametrize(
    ("said", "command", "compiling", "linking"),
    [
        ("gcc -I/a -L/b -lmpi", ["gcc"], ["-I/a"], ["-L/b", "-lmpi"]),
        (
            'gcc -I"/with space/include" -L"/with space/lib" -lmpi',
            ["gcc"],
            ["-I/with space/include"],
            ["-L/with space/lib", "-lmpi"],
        ),
        (
            "ccache gcc-12 -isystem /a -DX='a b' -Xlinker -rpath -Xlinker /b /c/libmpi.so.12",
            ["ccache", "gcc-12"],
            ["-isystem", "/a", "-DX=a b"],
            ["-Xlinker", "-rpath", "-Xlinker", "/b", "/c/libmpi.so.12"],
        ),
        (
            "cc -include /h.h -fPIC -shared -lsimgrid -Wl,-z,defs",
            ["cc"],
            ["-include", "/h.h", "-fPIC"],
            ["-shared", "-lsimgrid", "-Wl,-z,defs"],
        ),
        ("warning: old\ncc -pthread -lmpi\n", ["cc"], ["-pthread"], ["-pthread", "-lmpi"]),
    ],
)
def test_what_a_wrapper_shows_is_split_into_compiler_and_flags(
    tmp_path: Path, said: str, command: list[str], compiling: list[str], linking: list[str]
) -> None:
    found = read(wrapper_that_says(tmp_path, said))
    assert found.answers
    assert (found.command, found.compile_flags, found.link_flags) == (command, compiling, linking)


@pytest.mark.parametrize("said", ["", "gcc", "-I/a", "'unbalanced -I/a", "This is mpicc 4\n"])
def test_an_answer_that_is_no_command_line_makes_the_wrapper_the_compiler(
    tmp_path: Path, said: str
) -> None:
    path = wrapper_that_says(tmp_path, said)
    found = read(path)
    assert not found.answers
    assert found.command == [str(path)]


def test_a_wrapper_that_fails_when_asked_is_used_as_the_compiler(tmp_path: Path) -> None:
    found = read(wrapper_that_says(tmp_path, "gcc -I/a", code=1))
    assert not found.answers and found.compile_flags == []


def test_a_missing_wrapper_is_an_error_of_the_environment(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="no such program"):
        read(tmp_path / "mpicc")


def test_folders_are_found_in_the_flags(tmp_path: Path) -> None:
    found = read(wrapper_that_says(tmp_path, "cc -I/a -I /b -isystem /c -L/d -L /e -L/d -lmpi"))
    assert found.include_dirs == [Path("/a"), Path("/b"), Path("/c")]
    assert found.library_dirs == [Path("/d"), Path("/e")]


def test_every_flag_goes_somewhere_and_keeps_its_argument() -> None:
    words = shlex.split("-O2 -D A -UB -L x -l y -z now -Wl,a,b lib.a -std=c11 -static-libgcc")
    compiling, linking = split_flags(words)
    assert compiling == ["-O2", "-D", "A", "-UB", "-std=c11"]
    assert linking == ["-L", "x", "-l", "y", "-z", "now", "-Wl,a,b", "lib.a", "-static-libgcc"]


@pytest.mark.parametrize(
    ("name", "beside", "expected"),
    [
        ("mpicc", ["mpiexec", "mpirun"], "mpiexec"),
        ("mpicc.mpich", ["mpiexec", "mpiexec.mpich"], "mpiexec.mpich"),
        ("mpicc", ["mpirun"], "mpirun"),
        ("mpicc", [], None),
    ],
)
def test_the_launcher_beside_a_wrapper_is_its_own(
    tmp_path: Path, name: str, beside: list[str], expected: str | None
) -> None:
    wrapper = wrapper_that_says(tmp_path, "cc -lmpi", name)
    for other in beside:
        wrapper.with_name(other).write_text("#!/bin/sh\n")
        wrapper.with_name(other).chmod(0o755)
    launcher = read(wrapper).launcher()
    assert (None if launcher is None else launcher.name) == expected


def test_intels_wrapper_gets_the_variable_it_is_lost_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("I_MPI_ROOT", raising=False)
    wrapper = wrapper_that_says(tmp_path, "cc -lmpi")
    (tmp_path / "bin" / "impi_info").touch()
    assert read(wrapper).env()["I_MPI_ROOT"] == str(tmp_path)
    monkeypatch.setenv("I_MPI_ROOT", "/elsewhere")
    assert read(wrapper).env()["I_MPI_ROOT"] == "/elsewhere"


def test_a_whole_mpi_is_measured_with_few_compiler_calls(tmp_path: Path) -> None:
    """Hundreds of functions cost no more calls than three: everything goes in batches."""
    names = [f"MPIX_Function_{i}" for i in range(400)]
    header = fake.PLAIN_HEADER + "".join(f"int {n}(int a);\n" for n in names)
    header += "".join(f"#define MPIX_CONSTANT_{i} {i}\n" for i in range(400))
    library = fake.PLAIN_LIBRARY + "".join(f"int {n}(int a) {{ return a; }}\n" for n in names[:397])
    mpi = fake.build(tmp_path / "big", header, library, compiler=str(tmp_path / "counting"))
    log = tmp_path / "log"
    (tmp_path / "counting").write_text(f'#!/bin/sh\necho x >> {log}\nexec gcc "$@"\n')
    (tmp_path / "counting").chmod(0o755)
    found = probe(read(mpi.mpicc)).blueprint
    assert [f.name for f in found.functions if f.status == "declared"] == sorted(names[397:])
    assert len([c for c in found.constants if c.name.startswith("MPIX_")]) == 400
    # preprocess, constants in C++, compile, link, and once more without the three
    assert len(log.read_text().split()) == 6


def test_options_of_the_wrapper_itself_are_not_for_the_linker() -> None:
    words = ["-mpi-abi", "-m64", "-I", "-lx", "-L", "dir", "-la", "b.a", "-Wl,-rpath,d", "-O2"]
    assert linker_words(words) == ["-L", "dir", "-la", "b.a", "-Wl,-rpath,d"]
