"""Wrappers of every kind around Debian's MPIs: all give the blueprint of the plain wrapper.

The kinds are a table. Each test makes one wrapper, probes with it, and compares the blueprint byte
by byte with the committed one, but for the section that names the flags.
"""

from __future__ import annotations

import json
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mpiglot.blueprints import model
from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser import choice
from mpiglot.parser.probe import Probed, probe
from mpiglot.parser.start import Starter
from mpiglot.parser.wrapper import Wrapper
from tests import tiers
from tests.limits import guard
from tests.parser import fake_mpi, matrix
from tests.terminal import shown

DEBIAN = ("mpich-4.0.2", "openmpi-4.1.4")
CALLS = 'case " $* " in *" -show "*|*" --showme "*) ;; *) exec {real} "$@" ;; esac\n'


@dataclass(frozen=True)
class Around:
    """The wrapper to be imitated, and a folder for the imitation."""

    real: Wrapper
    folder: Path

    @property
    def flags(self) -> list[str]:
        return [*self.real.compile_flags, *self.real.link_flags]

    def script(self, text: str, name: str = "mpicc") -> Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(f"#!/bin/sh\n{text}", encoding="utf-8")
        path.chmod(0o755)
        return path

    def showing(self, *lines: str) -> Path:
        """A wrapper that prints these lines for -show, and compiles as the real one does."""
        said = self.folder / "said"
        said.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return self.script(f"{CALLS.format(real=self.real.path)}cat '{said}'\n")

    def shown(self, compiler: str | Path = "gcc", *more: str) -> str:
        return shlex.join([str(compiler), *more, *self.flags])


def plain(one: Around) -> Path:
    return one.showing(one.shown())


def banner_before(one: Around) -> Path:
    return one.showing("Welcome to the MPI of our site.", "gcc: -show is old", one.shown())


def banner_behind(one: Around) -> Path:
    return one.showing(one.shown(), "", "See -help for more.", "note: -lm is linked, too")


def comment(one: Around) -> Path:
    return one.showing(f"{one.shown()} # built on a Monday")


def typographic_quotes(one: Around) -> Path:
    return one.showing("gcc " + " ".join(f"“{flag}”" for flag in one.flags))


def response_file(one: Around) -> Path:
    file = one.folder / "flags"
    file.write_text("\n".join(f'"{flag}"' for flag in one.flags))
    return one.showing(f"gcc @{file}")


def response_file_that_is_gone(one: Around) -> Path:
    return one.showing("gcc @flags-of-the-build")


def space_in_path(one: Around) -> Path:
    """Open MPI's way: it does not quote its folders when it shows them, and calls them right."""
    place = one.folder / "a place"
    place.mkdir()
    quoted, bare = [], []
    for i, flag in enumerate(one.flags):
        if flag.startswith(("-I", "-L")):
            (place / str(i)).symlink_to(flag[2:])
            flag = f"{flag[:2]}{place / str(i)}"
        quoted.append(shlex.quote(flag))
        bare.append(flag)
    shown, called = " ".join(bare), " ".join(quoted)
    return one.script(
        f'case " $* " in *" -show "*) echo "gcc {shown}" ;; *) exec gcc "$@" {called} ;; esac\n',
        "a place/mpicc",
    )


def no_show(one: Around) -> Path:
    return one.script(
        'case " $* " in *" -show"*|*" --show"*) echo "unknown option" >&2; exit 1 ;; esac\n'
        f'exec {one.real.path} "$@"\n'
    )


def no_show_and_talkative(one: Around) -> Path:
    """It prints to standard output around what the compiler prints."""
    return one.script(
        'case " $* " in *" -show"*|*" --show"*) exit 1 ;; esac\n'
        f'echo "loading MPI {{ (1.0)"; {one.real.path} "$@"; code=$?; echo "done }};"; exit $code\n'
    )


def shows_nothing_that_compiles(one: Around) -> Path:
    return one.showing("gcc -I/nowhere/include -L/nowhere/lib -lmpi")


def shows_no_library(one: Around) -> Path:
    return one.showing(shlex.join(["gcc", *one.real.compile_flags]))


def shows_too_little_of_another_compiler(one: Around) -> Path:
    if not shutil.which("clang-19"):
        pytest.skip("no clang-19 here")
    return one.showing(shlex.join(["clang-19", *one.real.compile_flags]))


def shows_a_library_that_is_not_there(one: Around) -> Path:
    return one.showing(f"{one.shown()} -lsite-mpi-extras")


def shows_a_compiler_that_is_not_there(one: Around) -> Path:
    return one.showing(one.shown("/opt/site/bin/cc"))


def shows_a_shell_command(one: Around) -> Path:
    return one.showing(f"exec {one.shown()}")


def without_dd(one: Around) -> Path:
    compiler = one.script(
        'case " $* " in *" -dD "*) echo "nvc-Error-Unknown switch: -dD" >&2; exit 1 ;; esac\n'
        'exec gcc "$@"\n',
        "nvc",
    )
    return one.showing(one.shown(compiler))


def ignoring_dd(one: Around) -> Path:
    compiler = one.script(
        'for word; do shift; [ "$word" = -dD ] || set -- "$@" "$word"; done\nexec gcc "$@"\n', "occ"
    )
    return one.showing(one.shown(compiler))


def colours(one: Around) -> Path:
    return one.showing(one.shown("gcc", "-fdiagnostics-color=always", "-Wall", "-Werror"))


def c89(one: Around) -> Path:
    return one.showing(one.shown("gcc", "-std=c89", "-pedantic-errors"))


def both(*flags: str, compiler: str = "gcc") -> Callable[[Around], Path]:
    """Flags that compiler and linker must both have."""

    def make(one: Around) -> Path:
        if not shutil.which(compiler):
            pytest.skip(f"no {compiler} here")
        return one.showing(one.shown(compiler, *flags))

    return make


def demanded(*flags: str) -> Callable[[Around], Path]:
    """The same where this machine has no such target: a compiler that refuses to be without."""

    def make(one: Around) -> Path:
        words = shlex.join(flags)
        compiler = one.script(
            f'case "$*" in *"{words}"*) ;; *) echo "error: no {words}" >&2; exit 1 ;; esac\n'
            f'for word; do shift; case " {words} " in *" $word "*) ;; '
            '*) set -- "$@" "$word" ;; esac; done\nexec gcc "$@"\n',
            "demanding",
        )
        return one.showing(one.shown(compiler, *flags))

    return make


@dataclass(frozen=True)
class Kind:
    make: Callable[[Around], Path]
    warned: str = ""  # what the warning says, where the wrapper itself has to be the compiler
    only: str = ""  # the MPI whose header says the same to every compiler and standard


KINDS = {
    "plain": Kind(plain),
    "banner before": Kind(banner_before),
    "banner behind": Kind(banner_behind),
    "comment": Kind(comment, "the word '#', which is no option"),
    "typographic quotes": Kind(typographic_quotes, "is no command line|typographic quotes"),
    "response file": Kind(response_file),
    "response file that is gone": Kind(response_file_that_is_gone, "'@flags-of-the-build'"),
    "space in path": Kind(space_in_path, "which is no option"),
    "no -show": Kind(no_show),
    "no -show, talkative": Kind(no_show_and_talkative),
    "shows nothing that compiles": Kind(shows_nothing_that_compiles, "does not read mpi.h"),
    "shows no library": Kind(shows_no_library, "links with no MPI library"),
    "shows clang, calls gcc": Kind(
        shows_too_little_of_another_compiler, "links with no MPI", only="mpich-4.0.2"
    ),
    "shows another library": Kind(shows_a_library_that_is_not_there, "does not link .*extras"),
    "shows another compiler": Kind(shows_a_compiler_that_is_not_there, "calls no compiler that"),
    "shows a shell command": Kind(shows_a_shell_command, "is no command line"),
    "-dD refused": Kind(without_dd),
    "-dD ignored": Kind(ignoring_dd),
    "colours and warnings": Kind(colours),
    "-std=c89 -pedantic-errors": Kind(c89, only="mpich-4.0.2"),
    "-m64": Kind(both("-m64")),
    "-fsanitize": Kind(both("-fsanitize=address")),
    "--coverage": Kind(both("--coverage")),
    "-flto": Kind(both("-flto")),
    "--sysroot": Kind(both("--sysroot=/")),
    "--target": Kind(both("--target=x86_64-linux-gnu", compiler="clang-19"), only="mpich-4.0.2"),
    "-m32": Kind(demanded("-m32")),
    "-target x": Kind(demanded("-target", "mips-linux-gnu")),
    "-stdlib": Kind(demanded("-stdlib=libc++")),
    "-isysroot x": Kind(demanded("-isysroot", "/sdk")),
}


def cases() -> list[Any]:
    """Each kind on one of the two MPIs in turn; in the matrix run on both."""
    return [
        pytest.param(name, kind, id=f"{kind}-{name}")
        for i, (kind, one) in enumerate(KINDS.items())
        for j, name in enumerate(DEBIAN)
        if name in matrix.selected() and one.only in ("", name)
        if tiers.matrix_run() or one.only or (i + j) % 2 == 0
    ]


def around(name: str, folder: Path) -> Around:
    real = matrix.wrapper(name)
    if real is None:
        pytest.skip(f"no {name} here")
    return Around(real, folder)


@cache
def committed(name: str) -> str:
    return compared(json.loads((matrix.KNOWN / f"{name}.json").read_text(encoding="utf-8")))


def compared(data: dict[str, Any], *without: str) -> str:
    """A blueprint as text, without paths and the flags of its wrapper."""
    choice.make_portable(data)
    for key in without:
        data.pop(key, None)
    return model.dumps({k: v for k, v in data.items() if k != "toolchain"})


def text_of(probed: Probed) -> str:
    return compared(model.to_json(probed.blueprint))


@pytest.mark.parametrize(("name", "kind"), cases())
def test_a_wrapper_of_any_kind_gives_the_blueprint_of_the_plain_one(
    name: str, kind: str, tmp_path: Path
) -> None:
    one = KINDS[kind]
    probed = probe(choice.wrapper(str(one.make(around(name, tmp_path)))))
    assert text_of(probed) == committed(name)
    if one.warned:
        (warning,) = probed.warnings
        assert re.search(one.warned, warning), warning
        assert warning.endswith("mpicc itself is used as the compiler")
    else:
        assert probed.warnings == []


BAD = {
    "no text": ("printf '\\377\\376 gcc -I/x\\n'", "is no MPI compiler wrapper"),
    "flags of no compiler": ("echo '@@@ -lx'", "is no MPI compiler wrapper"),
    "a response file in itself": ("echo gcc @{folder}/itself", "is no MPI compiler wrapper"),
    "an open quote": ('echo "gcc -I\'"', "is no MPI compiler wrapper"),
    "options without arguments": ("echo gcc -I -L", "leads to no mpi.h"),
    "a compiler that reads no macros": ("echo {folder}/cc -I{mpich}", "lists no macros"),
    "a machine that is not there": ("echo gcc -m31 -I{mpich}", "unrecognized .*-m31"),
}


@pytest.mark.parametrize("bad", BAD)
def test_what_cannot_be_used_is_one_sentence(bad: str, tmp_path: Path) -> None:
    one = around("mpich-4.0.2", tmp_path)
    body, sentence = BAD[bad]
    (tmp_path / "itself").write_text(f"@{tmp_path}/itself -I/x\n")
    one.script(
        'case " $* " in *" -dD "*|*" -dM "*) echo "unknown switch" >&2; exit 1 ;; esac\n'
        'exec gcc "$@"\n',
        "cc",
    )
    (include,) = one.real.include_dirs
    path = one.script(body.format(folder=tmp_path, mpich=include))
    with pytest.raises(EnvironmentProblem, match=sentence) as problem:
        probe(choice.wrapper(str(path)))
    assert "\n" not in str(problem.value)


# ----------------------------------------------------------------- programs that cannot start here


def without_start(data: dict[str, Any]) -> str:
    """A blueprint without what only a program that runs can know."""
    data["mpi"].pop("library_version", None)
    return compared(data, "measured")


def starts_not(one: Around, *flags: str) -> Path:
    return one.showing(f"{one.shown()} {shlex.join(flags)}")


def no_loader(one: Around) -> Path:
    return starts_not(one, "-Wl,--dynamic-linker=/nowhere/ld.so")


def other_processor(one: Around) -> Path:
    (one.folder / "trap.h").write_text(
        "static void __attribute__((constructor)) other(void) { __builtin_trap(); }\n"
    )
    return starts_not(one, "-include", str(one.folder / "trap.h"))


def link_time_optimisation(one: Around) -> Path:
    return starts_not(one, "-flto", "-Wl,--dynamic-linker=/nowhere/ld.so")


STARTS_NOT = {
    "foreign loader": (no_loader, "the loader or interpreter that it names is not there"),
    "other processor": (other_processor, "crashed (SIGILL) before it called MPI"),
    "-flto": (link_time_optimisation, "the loader or interpreter that it names is not there"),
}


@pytest.mark.parametrize("name", [n for n in DEBIAN if n in matrix.selected()])
@pytest.mark.parametrize("kind", STARTS_NOT)
def test_what_cannot_start_is_read_from_object_files_and_symbol_tables(
    name: str, kind: str, tmp_path: Path
) -> None:
    make, why = STARTS_NOT[kind]
    if not tiers.matrix_run() and (kind == "-flto") != (name == "openmpi-4.1.4"):
        pytest.skip("at the gate one MPI for each kind")
    probed = probe(choice.wrapper(str(make(around(name, tmp_path)))))
    data = model.to_json(probed.blueprint)
    assert data["measured"] == "object"
    known = json.loads((matrix.KNOWN / f"{name}.json").read_text(encoding="utf-8"))
    assert without_start(data) == without_start(known)
    (warning,) = probed.warnings
    assert why in warning and "--launcher COMMAND" in warning


def test_a_launcher_runs_what_cannot_start_alone(tmp_path: Path) -> None:
    library = fake_mpi.PLAIN_LIBRARY + (
        "#include <stdio.h>\n#include <stdlib.h>\n"
        "__attribute__((constructor)) static void only_under_the_launcher(void)\n"
        '{ if (!getenv("SITE_JOB")) { puts("start it with srun"); exit(1); } }\n'
    )
    mpi = fake_mpi.build(tmp_path / "m", fake_mpi.PLAIN_HEADER, library)
    launcher = tmp_path / "srun"
    launcher.write_text('#!/bin/sh\n[ "$1" = -n1 ] && shift && SITE_JOB=7 exec "$@"\n')
    launcher.chmod(0o755)
    alone = probe(choice.wrapper(str(mpi.mpicc)))
    under = probe(choice.wrapper(str(mpi.mpicc)), Starter([str(launcher), "-n1"]))
    assert (alone.blueprint.measured, under.blueprint.measured) == ("object", "launcher")
    assert "ended with exit code 1 before it called MPI" in alone.warnings[0]
    assert under.warnings == [] and under.blueprint.mpi.library_version == "Fake MPI 1.0"
    assert alone.blueprint.mpi.version == ""  # this one is known by what it says of itself
    under.blueprint.mpi.version = ""
    texts = [without_start(model.to_json(one.blueprint)) for one in (alone, under)]
    assert texts[0] == texts[1]


def test_a_cross_compiler_measures_for_its_own_processor(tmp_path: Path) -> None:
    compiler = "aarch64-linux-gnu-gcc"
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler} here (Debian's package gcc-aarch64-linux-gnu)")
    if shutil.which("qemu-aarch64-static") or platform.machine() == "aarch64":
        pytest.skip("programs for aarch64 may start here")
    header = fake_mpi.PLAIN_HEADER + "#define MPIX_LONG_DOUBLE ((int)sizeof(long double))\n"
    header += "#define MPIX_CHAR_IS_SIGNED ((char)-1 < 0)\nint MPI_Only_declared(int a);\n"
    mpi = fake_mpi.build(tmp_path / "m", header, None, compiler=compiler)
    source, library = tmp_path / "fake.c", mpi.prefix / "lib" / "libfake.so"
    source.write_text(fake_mpi.PLAIN_LIBRARY)
    command = [compiler, "-w", "-shared", "-fPIC", "-Wl,-soname,libfake.so.4", str(source)]
    command += ["-I", str(mpi.prefix / "include"), "-o", str(library)]
    subprocess.run(command, check=True, timeout=guard(60))
    probed = probe(choice.wrapper(str(mpi.mpicc)))
    found = probed.blueprint
    assert "cannot be started here (Exec format error)" in probed.warnings[0]
    assert (found.measured, found.platform.architecture) == ("object", "aarch64")
    assert found.mpi.soname == "libfake.so"  # the file: no libfake.so.4 lies beside it
    values = {c.name: c.value for c in found.constants}
    assert (values["MPIX_CHAR_IS_SIGNED"], values["MPI_COMM_WORLD"]) == (0, 0x44000000)
    status = {f.name: f.status for f in found.functions}
    assert (status["MPI_Init"], status["MPI_Only_declared"]) == ("links", "declared")


# ------------------------------------------------------------------ what a static library needs


def static(tmp_path: Path, needs: Sequence[str]) -> fake_mpi.FakeMpi:
    """An MPI as an archive whose functions call what it does not hold."""
    mpi = fake_mpi.build(tmp_path / "m", fake_mpi.PLAIN_HEADER, None)
    calls = "".join(f"void {name}(void);\n" for name in needs)
    body = "".join(f"{name}(); " for name in needs)
    text = fake_mpi.PLAIN_LIBRARY.replace("*rank = 0;", f"{body}*rank = 0;")
    source, library = mpi.prefix / "lib" / "fake.c", mpi.prefix / "lib" / "libfake.a"
    source.write_text(f"{calls}{text}")
    (mpi.prefix / "lib" / "site.c").write_text(
        "".join(f"void {name}(void) {{}}\n" for name in needs)
    )
    for one in ("fake", "site"):
        run = ["gcc", "-w", "-c", f"{one}.c", "-I", str(mpi.prefix / "include")]
        subprocess.run(run, cwd=library.parent, check=True, timeout=guard(60))
        archive = ["ar", "rc", f"lib{one}.a", f"{one}.o"]
        subprocess.run(archive, cwd=library.parent, check=True, timeout=guard(60))
    return mpi


def test_a_terminal_shows_what_takes_long(tmp_path: Path) -> None:
    """A linker that names nothing: what does not link has to be searched for."""
    mpi = fake_mpi.build(
        tmp_path / "m",
        fake_mpi.PLAIN_HEADER + "int MPIX_Gone(int a);\n",
        fake_mpi.PLAIN_LIBRARY,
        compiler=str(tmp_path / "cc"),
    )
    (tmp_path / "cc").write_text('#!/bin/sh\ngcc "$@" 2>/dev/null\n')
    (tmp_path / "cc").chmod(0o755)
    command = [sys.executable, "-m", "mpiglot", "probe", "--no-cache", "--mpicc", str(mpi.mpicc)]
    text, code = shown([*command, "-o", str(tmp_path / "b.json")])
    assert code == 0
    for step in ("looking for MPI", "reading mpi.h", "measuring 11 functions", "by halves"):
        assert step in text
    functions = json.loads((tmp_path / "b.json").read_text())["functions"]
    assert [f["name"] for f in functions if f["status"] == "declared"] == ["MPIX_Gone"]


@pytest.mark.parametrize("count", [1, 4, 9])
def test_what_a_static_library_needs_is_named(count: int, tmp_path: Path) -> None:
    names = [f"site_function_{i}" for i in range(count)]
    mpi = static(tmp_path, names)
    steps: list[str] = []
    with pytest.raises(EnvironmentProblem) as problem:
        probe(choice.wrapper(str(mpi.mpicc)), progress=steps.append)
    said = str(problem.value)
    assert f"libfake.a needs {', '.join(names[:4])}" in said
    assert ("and 5 more" in said) == (count == 9)
    assert not any("halves" in step for step in steps)
    added = probe(choice.wrapper(f"{mpi.mpicc} -lsite")).blueprint
    assert all(f.status == "links" for f in added.functions)


def test_a_library_that_a_library_needs_is_named(tmp_path: Path) -> None:
    mpi = static(tmp_path, ["site_function"])
    for name, more in (("site", []), ("fake", ["-lsite"])):
        command = ["gcc", "-w", "-shared", "-fPIC", f"-Wl,-soname,lib{name}.so", f"{name}.c"]
        command += ["-I../include", "-o", f"lib{name}.so", "-L.", *more]
        subprocess.run(command, cwd=mpi.prefix / "lib", check=True, timeout=guard(60))
    for name in ("libsite.so", "libsite.a"):
        (mpi.prefix / "lib" / name).unlink()
    with pytest.raises(EnvironmentProblem, match=r"does not find libsite\.so, which libfake\.so"):
        probe(choice.wrapper(str(mpi.mpicc)))


# --------------------------------------------------------------------------- versions and messages


def test_a_version_that_is_a_hexadecimal_macro_is_a_version(tmp_path: Path) -> None:
    header = fake_mpi.PLAIN_HEADER.replace("MPI_VERSION 3", "MPI_VERSION 0x3")
    header = header.replace("MPI_SUBVERSION 1", "MPI_SUBVERSION (1)")
    for i, macro in enumerate(("OMPI_MAJOR_VERSION", "OMPI_MINOR_VERSION", "OMPI_RELEASE_VERSION")):
        header += f"#define {macro} 0x{i + 9:02x}u\n"
    library = fake_mpi.PLAIN_LIBRARY.replace("Fake MPI 1.0", "Open MPI v9.10.11")
    mpi = fake_mpi.build(tmp_path / "m", header, library)
    probed = probe(choice.wrapper(str(mpi.mpicc)))
    assert probed.blueprint.mpi.standard_reported == "3.1"
    assert (probed.blueprint.mpi.vendor, probed.blueprint.mpi.version) == ("Open MPI", "9.10.11")
    assert probed.warnings == []


@pytest.mark.parametrize(
    "compiler",
    [
        'case " $* " in *" -c "*) echo "$0: probe.c is too large" >&2; exit 1 ;; esac',
        'for w; do case "$w" in *probe.c) echo "$w:99999: error: too large" >&2; exit 1 ;; '
        "esac; done",
        'for w; do case "$w" in *header.c) echo "$w:2: error: no licence" >&2; exit 1 ;; '
        "esac; done",
        'for w; do case "$w" in *probe.o) echo "ld: $w: bad file" >&2; exit 1 ;; esac; done',
    ],
)
def test_no_message_names_a_file_that_is_gone(compiler: str, tmp_path: Path) -> None:
    mpi = fake_mpi.build(
        tmp_path / "m", fake_mpi.PLAIN_HEADER, fake_mpi.PLAIN_LIBRARY, compiler=str(tmp_path / "cc")
    )
    (tmp_path / "cc").write_text(f'#!/bin/sh\n{compiler}\nexec gcc "$@"\n')
    (tmp_path / "cc").chmod(0o755)
    with pytest.raises(EnvironmentProblem) as problem:
        probe(choice.wrapper(str(mpi.mpicc)))
    said = str(problem.value)
    assert re.search("too large|no licence|bad file", said)
    assert not re.search(r"/mpiglot-\w+|99999", said), said
