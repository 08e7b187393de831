"""Every fix is typed: the finding is there before, and gone after."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from mpiglot.doctor import Finding, examine
from mpiglot.doctor.model import IDS
from tests.doctor.doctor_fakes import fake_launcher, fake_mpi, script, tools, type_lines

#: Kinds of findings that print nothing to type.
WITHOUT_FIX = {"library-elsewhere", "abi-header-differs"}

#: Kinds whose fix needs another host, a batch system, or the system's own files.
ELSEWHERE = {
    "host-unknown",
    "host-unreachable",
    "launcher-killed",
    "loopback-missing",
    "memory-lock-small",
    "memory-ran-out",
    "ports-closed",
    "processes-few",
    "remote-launcher-missing",
    "selinux-forbids",
    "slurm-refuses",
}


@dataclass
class Bench:
    """A shell with a healthy fake MPI; a test breaks it, and types what the doctor says."""

    folder: Path
    wrapper: Path
    env: dict[str, str]

    def finding(self, wanted: str) -> Finding | None:
        """The finding of this kind, if there is one in the shell as it is now."""
        found = [one for one in examine(env=self.env, limit=5.0).findings if one.id == wanted]
        return found[0] if found else None

    def type(self, commands: list[str]) -> None:
        """Types commands into the shell, which keeps what they set."""
        done = type_lines(commands, self.env, self.folder)
        assert done.code == 0, done.out
        self.env = done.env


@pytest.fixture
def bench(shell: dict[str, str], tmp_path: Path) -> Bench:
    names = ("sh", "gcc", "g++", "as", "ld", "sleep", "env", "mv", "cat")
    folder = tools(tmp_path / "tools", *names)
    wrapper = fake_mpi(tmp_path / "fake")
    cxx = wrapper.read_text().replace("gcc", "${MPICH_CXX:-g++}")
    script(wrapper.with_name("mpicxx"), cxx)
    return Bench(tmp_path, wrapper, {**shell, "PATH": f"{wrapper.parent}:{folder}"})


def cxx_compiler_missing(bench: Bench) -> None:
    path = bench.wrapper.with_name("mpicxx")
    path.write_text(path.read_text().replace(":-g++", ":-nosuch++"))


def cxx_wrapper_in_front_broken(bench: Bench) -> None:
    front = script(bench.folder / "front" / "mpicxx", "#!/bin/sh\necho lost >&2\nexit 1\n")
    bench.env["PATH"] = f"{front.parent}:{bench.env['PATH']}"


def cxx_variable_breaks(bench: Bench) -> None:
    script(bench.folder / "tools" / "brokenxx", "#!/bin/sh\nexit 1\n")
    bench.env["MPICH_CXX"] = "brokenxx"


def root_variable_names_nothing(bench: Bench) -> None:
    bench.env["MPI_HOME"] = "/nowhere"


def compiler_variable_names_nothing(bench: Bench) -> None:
    bench.env["MPICH_CC"] = "nosuchcc"


def mpicc_variable_names_nothing(bench: Bench) -> None:
    bench.env["MPICC"] = "nosuchcc"


def launcher_left_variables(bench: Bench) -> None:
    bench.env["PMI_RANK"] = "0"
    bench.env["PMI_SIZE"] = "2"


def trouble_with_a_variable(bench: Bench) -> None:
    path = bench.wrapper.with_name("mpiexec")
    text = path.read_text()
    path.write_text(text.replace("shift\n", '[ -z "$FI_PROVIDER" ] || exit 1\nshift\n', 1))
    bench.env["FI_PROVIDER"] = "nosuch"


def library_not_found(bench: Bench) -> None:
    root = bench.wrapper.parent.parent
    for path in (bench.wrapper, bench.wrapper.with_name("mpicxx")):
        path.write_text(path.read_text().replace(f"-Wl,-rpath,{root}/lib ", ""))


PROOFS: list[tuple[str, Callable[[Bench], None]]] = [
    ("cxx-wrapper-fails", cxx_compiler_missing),
    ("cxx-wrapper-fails", cxx_wrapper_in_front_broken),
    ("variable-breaks-building", cxx_variable_breaks),
    ("variable-names-missing-folder", root_variable_names_nothing),
    ("compiler-variable", compiler_variable_names_nothing),
    ("mpicc-variable", mpicc_variable_names_nothing),
    ("leftover-launcher-variables", launcher_left_variables),
    ("variable-breaks-running", trouble_with_a_variable),
    ("library-missing", library_not_found),
]


@pytest.mark.parametrize(("wanted", "breaks"), PROOFS, ids=[b.__name__ for _, b in PROOFS])
def test_a_fix_that_is_typed_helps(
    wanted: str, breaks: Callable[[Bench], None], bench: Bench
) -> None:
    assert bench.finding(wanted) is None
    breaks(bench)
    finding = bench.finding(wanted)
    assert finding is not None
    assert finding.commands
    bench.type(finding.commands)
    assert bench.finding(wanted) is None
    assert examine(env=bench.env, limit=5.0).exit_code == 0


def test_every_kind_of_finding_has_a_typed_fix() -> None:
    here = {wanted for wanted, _ in PROOFS} | TYPED_ALONE
    assert here | typed_elsewhere() | WITHOUT_FIX | ELSEWHERE == IDS
    assert not here & WITHOUT_FIX
    assert not typed_elsewhere() & ELSEWHERE


def typed_elsewhere() -> set[str]:
    """The kinds whose fix is typed where the other tests of this folder set them up."""
    texts = [p.read_text(encoding="utf-8") for p in sorted(Path(__file__).parent.glob("test_*.py"))]
    call = re.compile(r'"([a-z0-9-]+)", (?:env|shell), tmp_path')
    names = {name for text in texts for name in call.findall(text)}
    parametrized = {"program-hangs", "program-fails", "cma-forbidden", "binding-refused"}
    limits = {"open-files-few", "address-space-small", "file-size-small"}
    mounted = {
        "shared-memory-small",
        "shared-memory-missing",
        "shared-memory-read-only",
        "host-name-unknown",
    }
    return names | parametrized | mounted | limits


def test_the_launcher_that_a_fix_names_starts_the_program(bench: Bench) -> None:
    foreign = fake_launcher(bench.folder / "front" / "mpiexec", "openmpi")
    bench.env["PATH"] = f"{foreign.parent}:{bench.env['PATH']}"
    finding = bench.finding("launcher-other")
    assert finding is not None
    (bench.folder / "program.c").write_text(
        "#include <mpi.h>\nint main(int c, char **v) { int size = 0; MPI_Init(&c, &v);\n"
        "  MPI_Comm_size(MPI_COMM_WORLD, &size); MPI_Finalize(); return size != 2; }\n"
    )
    bench.type([f"{bench.wrapper} program.c -o program", *finding.commands])


def test_the_examination_that_a_fix_names_finds_all_well(bench: Bench) -> None:
    broken = script(bench.folder / "front" / "mpicc", "#!/bin/sh\nexit 1\n")
    bench.env["PATH"] = f"{broken.parent}:{bench.env['PATH']}"
    finding = bench.finding("wrapper-unusable")
    assert finding is not None
    script(
        bench.folder / "tools" / "mpiglot", f'#!/bin/sh\nexec {sys.executable} -m mpiglot "$@"\n'
    )
    bench.type(finding.commands)


#: Kinds whose fix starts a program or another examination: each has a test of its own.
TYPED_ALONE = {"launcher-other", "wrapper-unusable"}
