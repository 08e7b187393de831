"""The PMPI library changes nothing of what a program sees, and counts every call."""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mpiglot.generators.inputs import Inputs
from mpiglot.generators.model import Request
from mpiglot.generators.pmpi.generator import generate
from mpiglot.generators.pmpi.report import main, merge, text
from mpiglot.provision.toolchains import ensure, find_go, find_jdk
from tests.conformance import counter
from tests.limits import guard
from tests.pmpi.preloading import ROOT, Preloaded
from tests.tiers import matrix_run

pytestmark = pytest.mark.timeout(1200)  # the first test of each MPI builds its library

HERE = Path(__file__).parent
PROGRAMS = sorted(p.stem for p in HERE.glob("*.c"))
# What the friendly form cannot express, by program; anything else bypassed is a mistake.
BYPASSED = {
    "early": {("MPI_Info_get_string", "text length")},
    "failures": {
        ("MPI_Comm_create_keyval", "null callback"),
        ("MPI_Comm_rank", "null pointer"),
        ("MPI_Info_get", "text length"),
        ("MPI_Info_get_string", "negative length"),
        ("MPI_Irecv", "null pointer"),
        ("MPI_Waitall", "negative length"),
    },
    "tools": {
        (f"MPI_T_{what}_get_info", why)
        for what in ("cvar", "pvar", "category")
        for why in ("null pointer", "text length")
    },
}
# What an MPI cannot do, without the library either.
IMPOSSIBLE = {("intelmpi-2021.18.1", "dynamic"): "MPI_Open_port ends with a segmentation fault"}


@pytest.mark.parametrize("ranks", [1, 2, 3, 4] if matrix_run() else [2, 3])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_says_the_same_with_the_library(
    preloaded: Preloaded, program: str, ranks: int, tmp_path: Path
) -> None:
    if reason := IMPOSSIBLE.get((preloaded.name, program)):
        pytest.skip(reason)
    binary = preloaded.program(HERE / f"{program}.c")
    arguments = (str(tmp_path / "file"),) if program == "files" else ()
    plain = preloaded.run(binary, ranks, tmp_path / "plain", arguments=arguments)
    report = tmp_path / "report"
    routed = preloaded.run(binary, ranks, tmp_path / "routed", report, arguments)
    assert (plain.code, routed.code) == (0, 0), plain.output + routed.output
    assert len(plain.said) > 2 * ranks
    assert routed.said == plain.said
    merged = preloaded.report(report)
    assert merged.processes == ranks
    bypassed = {(n, why) for n, c in merged.functions.items() for why in c.bypassed}
    assert bypassed <= BYPASSED.get(program, set())
    assert merged.routed > 10 * ranks


def test_an_exception_of_a_callback_reaches_the_program(
    preloaded: Preloaded, tmp_path: Path
) -> None:
    binary = preloaded.program(HERE / "throwing.cpp")
    arguments = ("attributes",) if preloaded.name == "mpich-4.0.2" else ()
    plain = preloaded.run(binary, 2, tmp_path / "plain", arguments=arguments)
    report = tmp_path / "report"
    routed = preloaded.run(binary, 2, tmp_path / "routed", report, arguments)
    assert (plain.code, routed.code) == (0, 0), plain.output + routed.output
    assert "0: reduce: threw operation" in plain.said
    assert routed.said == plain.said
    assert preloaded.report(report).functions["MPI_Send"].routed == 2 * (3 + 3)


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="there is no Fortran compiler")
def test_functions_in_fortran_are_called_as_without_the_library(
    preloaded: Preloaded, tmp_path: Path
) -> None:
    binary = preloaded.program(HERE / "fortran.f90")
    plain = preloaded.run(binary, 2, tmp_path / "plain")
    routed = preloaded.run(binary, 2, tmp_path / "routed", tmp_path / "report")
    assert (plain.code, routed.code) == (0, 0), plain.output + routed.output
    # Two attributes of each kind but of windows, which have one.
    assert plain.output.count("removed") == 2 * 5
    assert sorted(routed.output.splitlines()) == sorted(plain.output.splitlines())


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_report_counts_what_a_counter_above_it_counts(
    library: Callable[[str], Preloaded], program: str, tmp_path: Path
) -> None:
    mpi = library("mpich-4.0.2")
    above = counter.build(mpi.name, ROOT / "build" / "counter" / mpi.name).absolute()
    report = tmp_path / "report"
    arguments = (str(tmp_path / "file"),) if program == "files" else ()
    binary = mpi.program(HERE / f"{program}.c")
    outcome = mpi.run(binary, 2, tmp_path / "said", report, arguments, above=above)
    assert outcome.code == 0, outcome.output
    told = mpi.report(report).functions
    counted = counter.read(report.with_suffix(".counts"))
    assert {name: count.calls for name, count in counted.items()} == {
        name: calls.routed + sum(calls.bypassed.values()) for name, calls in told.items()
    }
    assert len(counted) >= 8


def test_threads_lose_no_count(preloaded: Preloaded, tmp_path: Path) -> None:
    binary = preloaded.program(HERE / "threads.c")
    report = tmp_path / "report"
    outcome = preloaded.run(binary, 2, tmp_path / "said", report, ("100",))
    assert outcome.code == 0, outcome.output
    threads = sum(1 for line in outcome.said if "thread" in line)
    functions = preloaded.report(report).functions
    assert functions["MPI_Allreduce"].routed == 100 * threads
    assert functions["MPI_Type_free"].routed == 100 * threads
    # Once at the beginning, and once more in each round, to fail.
    assert functions["MPI_Comm_size"].routed == 101 * threads


def test_the_large_twin_is_called_where_the_program_calls_it(
    preloaded: Preloaded, tmp_path: Path
) -> None:
    if preloaded.name == "openmpi-4.1.4":
        pytest.skip("Open MPI 4.1 has no functions for large counts")
    binary = preloaded.program(HERE / "messages.c")
    report = tmp_path / "report"
    outcome = preloaded.run(binary, 2, tmp_path / "said", report)
    assert outcome.code == 0, outcome.output
    # The type's envelope has large counts: MPI_Type_vector_c has made it, not MPI_Type_vector.
    assert "0: envelope of a large vector: 0 0 3 1 vector 1" in outcome.said
    functions = preloaded.report(report).functions
    assert functions["MPI_Send_c"].routed == 2
    assert functions["MPI_Type_vector_c"].routed == 2


def test_a_program_that_goes_away_and_clears_its_environment_reports_where_it_was_started(
    preloaded: Preloaded, tmp_path: Path
) -> None:
    report = Path(os.path.relpath(tmp_path / "report"))
    outcome = preloaded.run(preloaded.program(HERE / "early.c"), 2, tmp_path / "said", report)
    assert outcome.code == 0, outcome.output
    assert "1: away 0 0" in outcome.said
    assert preloaded.report(report).processes == 2


@pytest.mark.parametrize(
    ("path", "why"),
    [("/nowhere/report", "No such file or directory"), ("/dev/full", "No space left on device")],
)
def test_a_report_that_cannot_be_written_is_told_once_and_harms_nobody(
    preloaded: Preloaded, path: str, why: str, tmp_path: Path
) -> None:
    binary = preloaded.program(HERE / "objects.c")
    outcome = preloaded.run(binary, 2, tmp_path / "said", Path(path))
    assert outcome.code == 0, outcome.output
    sentence = f"mpiglot: the report of the PMPI library cannot be written to {path}: {why}."
    assert outcome.output.count(sentence) == 1
    assert outcome.output.count("mpiglot:") == 1


@pytest.mark.parametrize(
    ("program", "preload"),
    [("mpich-4.0.2", "openmpi-4.1.4"), ("openmpi-4.1.4", "mpich-4.0.2")],
)
def test_a_library_for_another_mpi_than_the_programs_is_refused(
    library: Callable[[str], Preloaded], program: str, preload: str, tmp_path: Path
) -> None:
    mpi = copy.copy(library(program))
    mpi.library = library(preload).library
    binary = mpi.program(HERE / "objects.c")
    outcome = mpi.run(binary, 2, tmp_path / "said", tmp_path / "report")
    assert outcome.code == 1, outcome.output
    assert outcome.said == []
    assert "is preloaded, but the program uses another MPI; preload the library" in outcome.output


def test_every_function_of_the_target_is_exported(preloaded: Preloaded) -> None:
    listing = json.loads((preloaded.source / "pmpi" / "functions.json").read_text())
    table = subprocess.run(
        ["nm", "-D", "--defined-only", str(preloaded.library)],
        capture_output=True, text=True, timeout=guard(60), check=True,
    ).stdout  # fmt: skip
    exported = {line.split()[-1] for line in table.splitlines()}
    twinless = {"MPIX_Query_cuda_support"} if preloaded.name == "openmpi-4.1.4" else set()
    assert set(listing["functions"]) - exported == twinless
    assert {name for name in exported if not name.startswith("MPI")} == set()


def test_what_has_no_wrapper_is_listed_with_a_reason(inputs: Inputs) -> None:
    request = Request("pmpi", inputs.atlas, inputs.plan, "mpich-4.0.2")
    files = {f.path: f.content for f in generate(request).files}
    functions = json.loads(files["pmpi/functions.json"])["functions"]
    without = {name: entry["none"] for name, entry in functions.items() if "none" in entry}
    assert all(without.values())
    removed = {name for name, why in without.items() if "removed from the standard" in why}
    assert set(without) - removed <= {"MPIX_Grequest_start"}
    assert len(functions) > 600


def test_the_same_sources_come_out_every_time(inputs: Inputs) -> None:
    request = Request("pmpi", inputs.atlas, inputs.plan, "openmpi-4.1.4")
    assert generate(request) == generate(request)


LINE = (
    '{"process": "%s", "mpi": "x", "rank": %d, "size": %d, "functions": 9, "calls": '
    '{"MPI_Send": {"routed": %d}, "MPI_Recv": {"routed": 1, "bypassed": {"null pointer": 2}}}}\n'
)


def test_reports_are_merged_over_processes_and_the_last_line_of_each_counts(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text(LINE % ("a:1", 0, 2, 3) + LINE % ("a:2", 1, 2, 4) + LINE % ("a:1", 0, 2, 5))
    two.write_text(LINE % ("b:1", 0, 1, 10))
    merged = merge([one, two])
    assert merged.processes == 3
    assert merged.silent == 0
    assert merged.functions["MPI_Send"].routed == 19
    assert merged.functions["MPI_Recv"].bypassed == {"null pointer": 6}
    said = text(merged, {"MPI_Send": {"wrapper": "mpi::send"}, "MPI_Old": {"none": "removed"}})
    assert "MPI_Recv  3 routed, 6 bypassed (null pointer)" in said
    assert "1 of 2 never called: MPI_Old." in said
    assert "no report" not in said


def test_ranks_that_were_killed_are_missed(tmp_path: Path) -> None:
    report = tmp_path / "report"
    # Two runs of 4 ranks, of which 3 and 1 left a line; one of 2; a child that is no rank.
    ranks = [(0, 4), (1, 4), (3, 4), (1, 4), (0, 2), (1, 2), (-1, -1)]
    report.write_text("".join(LINE % (f"a:{i}", *ranks[i], 1) for i in range(len(ranks))))
    merged = merge([report])
    assert (merged.processes, merged.silent) == (7, 4)
    assert "4 ranks of the same runs left no report" in text(merged, None)


@pytest.mark.parametrize(
    "broken",
    [b"{", b"\xff\xfe\x00", b"5", b'{"process": "a", "rank": 0, "size": 1, "calls": 5}',
     b'{"process": "a", "rank": 0, "size": 1, "calls": {"MPI_Send": 5}}',
     b'{"process": "a", "rank": 0, "size": 1, "calls": {"MPI_Send": {"routed": "x"}}}',
     b'{"process": "a", "rank": 0, "size": 1, "calls": {"MPI_Se'],
    ids=["open", "bytes", "number", "no calls", "no counts", "no number", "cut"],
)  # fmt: skip
def test_a_broken_report_is_refused_with_its_line(
    broken: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "broken"
    report.write_bytes((LINE % ("a:1", 0, 1, 3)).encode() + broken + b"\n")
    with pytest.raises(SystemExit) as end:
        main([str(report)])
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert said == f"mpiglot: {report}, line 2: no line of such a report.\n"


def test_a_report_that_is_not_there_and_a_listing_that_is_none_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report"
    with pytest.raises(SystemExit):
        main([str(report)])
    assert capsys.readouterr().err.startswith(f"mpiglot: {report} cannot be read: No such file")
    report.write_text(LINE % ("a:1", 0, 1, 3))
    with pytest.raises(SystemExit):
        main([str(report), "--functions", str(report)])
    assert capsys.readouterr().err == f"mpiglot: {report}: no listing of the library's functions.\n"


# --------------------------------------------------------------------------- other languages


def demo(language: str, preloaded: Preloaded) -> Path:
    """The language's demo, built as `ci/test` builds it; Go's and Java's serve every MPI."""
    script = ROOT / f"{language}_runtime" / "build-demo"
    if language == "cpp":
        out = preloaded.folder / "demo"
        assert preloaded.installation.cxx is not None
        arguments = [preloaded.source, preloaded.installation.cxx, out]
        environment = preloaded.environment
    else:
        if (find_go if language == "go" else find_jdk)(os.environ) is None:
            pytest.skip(f"there are no tools for {language} here")
        out = ROOT / "build" / "test" / language
        lower = {"go": "go_runtime/low", "java": "generated/java"}[language]
        arguments = [ROOT / lower, out]
        tools = ensure(ROOT / ".tools", lambda message: None)
        environment = tools.environment(preloaded.environment)
    done = subprocess.run(
        [str(a) for a in (script, *arguments)],
        capture_output=True,
        text=True,
        timeout=guard(600),
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return out / "demo"


@pytest.mark.parametrize("language", ["cpp", "go", "java"])
def test_programs_in_every_language_are_seen(
    preloaded: Preloaded, language: str, tmp_path: Path
) -> None:
    report = tmp_path / "report"
    outcome = preloaded.run(demo(language, preloaded), 2, tmp_path / "said", report)
    assert outcome.code == 0, outcome.output
    assert "ok on 2 ranks" in outcome.output
    merged = preloaded.report(report)
    assert merged.processes == 2
    assert merged.bypassed == 0
    for name in ("MPI_Send", "MPI_Irecv", "MPI_Allreduce", "MPI_Op_create", "MPI_Type_vector"):
        assert merged.functions[name].routed >= 2, name
    assert merged.functions["MPI_Finalize"].routed == 2
