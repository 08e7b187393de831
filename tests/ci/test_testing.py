"""`ci/test` counts what ran, ends what hangs, and never calls silence success."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import UsageError
from mpiglot.ci import running
from mpiglot.ci.changes import Inputs, Tree
from mpiglot.ci.executed import Executed
from mpiglot.ci.parts import Choice, Counts, Part, Task, chosen, counted, fill, read, settled, tasks
from mpiglot.ci.running import NOT_RUN, Row, Run
from mpiglot.ci.table import table
from mpiglot.ci.testing import LANGUAGES, PARTS, dearer, report
from mpiglot.provision import launch, toolchains
from mpiglot.provision.launch import TIMED_OUT
from mpiglot.provision.matrix import matrix
from mpiglot.provision.toolchains import Toolchains, find_go, find_jdk, jdk_version

ALL = matrix().mpis


@pytest.mark.parametrize(
    ("kind", "text", "code", "expected"),
    [
        ("pytest", "3 passed, 1 skipped in 0.12s", 0, Counts(3, 0, 1)),
        ("pytest", "==== 1 failed, 2 passed, 1 error in 3.00s ====", 1, Counts(2, 2, 0)),
        ("pytest", "5 passed, 1 warning in 71.20s (0:01:11)", 0, Counts(5, 0, 0)),
        ("pytest", "no tests ran in 0.01s", 5, Counts(0, 1, 0)),
        ("ctest", "100% tests passed, 0 tests failed out of 12", 0, Counts(12, 0, 0)),
        (
            "ctest",
            "3/3 Test #3: x ...***Skipped  0.1 sec\n67% tests passed, 1 tests failed out of 3",
            8,
            Counts(1, 1, 1),
        ),
        ("go", "--- PASS: A (0.00s)\n    --- SKIP: A/b (0.0s)\n--- FAIL: C", 1, Counts(1, 1, 1)),
        ("line", "x\n7 passed, 0 failed, 2 skipped\n", 0, Counts(7, 0, 2)),
        ("line", "1 passed, 0 failed, 2 skipped\n" * 2, 0, Counts(2, 0, 4)),
        (
            "java",
            "known defect, not run: a: b\ntests java: ok 9 tests on 2 ranks with MPICH\n"
            "tests java: 2 failed of 10 tests on 4 ranks with MPICH",
            1,
            Counts(17, 2, 1),
        ),
        ("line", "7 passed, 0 failed, 2 skipped\ncrash", 139, Counts(7, 1, 2)),
        ("line", "nothing was said", 0, Counts(0, 1, 0)),
        ("ctest", "No tests were found!!!", 0, Counts(0, 1, 0)),
        ("exit", "", 0, Counts(1, 0, 0)),
        ("exit", "", TIMED_OUT, Counts(0, 1, 0)),
    ],
)
def test_tests_are_counted_by_what_their_tool_says(
    kind: str, text: str, code: int, expected: Counts
) -> None:
    assert settled(kind, counted(kind, text), code) == expected


def test_the_parts_of_the_project_fit_together() -> None:
    parts = read(PARTS)
    names = [part.name for part in parts]
    assert len(names) == len(set(names))
    for part in parts:
        assert set(part.after) <= set(names)
        assert part.counts in ("pytest", "ctest", "go", "java", "line", "exit")
        assert part.tier in ("gate", "matrix")
        for name in (*part.gate, *(mpi for group in part.in_turn for mpi in group)):
            assert part.is_for(matrix().get(name)), f"{part.name}: {name}"
        assert part.tier == "gate" or not (part.gate or part.in_turn)
        assert part.per == "once" or not part.uses
        assert {*part.only, *part.unless, *part.uses} <= {mpi.name for mpi in ALL}
        assert {one for pair in part.relatives for one in pair} <= {mpi.name for mpi in ALL}
        assert not {mpi for mpi, base in part.relatives} & {base for mpi, base in part.relatives}
        assert part.commands and all(cpu > 0 for _, cpu in part.cpu)
        assert "" in dict(part.cpu)
        assert {mpi for mpi, _ in part.cpu} - {""} <= {mpi.name for mpi in ALL}
        assert part.per == "mpi" or not (
            part.level or part.only or part.unless or part.gate or part.in_turn
        )
        assert part.language in (None, *LANGUAGES)
        filled = [
            word
            for words in (*part.commands, *part.matrix_commands)
            for word in fill(words, _values(part.per))
        ]
        assert not [word for word in filled if word.startswith("{")]


def _values(per: str) -> dict[str, str]:
    names = ["root", "build", "python", "tool", "jobs", "some_ranks", "whole"]
    names += ["not_now", "not_now_either", "large_one", "large_ones"]
    of_mpi = ["mpi", "vendor", "cc", "cxx", "launcher", "library", "prefix", "base"]
    return dict.fromkeys(names + (of_mpi if per == "mpi" else []), "x")


def _part(name: str, *code: str, **more: object) -> Part:
    commands = tuple((sys.executable, "-c", one) for one in code)
    return replace(Part(name, commands, "exit", (("", 4.0),)), **more)  # type: ignore[arg-type]


def _chosen(parts: list[Part], **wishes: object) -> list[str]:
    choice = Choice(**wishes)  # type: ignore[arg-type]
    return [task.name for task in chosen(parts, ALL[:2], choice)]


ONE, OTHER = (mpi.name for mpi in ALL[:2])


def test_a_part_brings_what_it_waits_for() -> None:
    parts = [_part("a", quick=True), _part("b", after=("a",)), _part("c", per="mpi")]
    assert _chosen(parts, names=("b",)) == ["a", "b"]
    assert _chosen(parts, quick=True, mpis=(ONE,)) == ["a"]
    assert _chosen(parts, mpis=(OTHER,)) == [f"c {OTHER}"]
    with pytest.raises(UsageError, match="no part called d"):
        _chosen(parts, names=("d",))


def test_a_change_is_tried_by_a_quick_part_of_another_mpi() -> None:
    parts = [
        _part("here", per="mpi", quick=True),
        _part("there", per="mpi", quick=True, only=(OTHER,)),
        _part("slow", per="mpi", only=(OTHER,)),
    ]
    assert _chosen(parts, once=True, mpis=(ONE,)) == [f"here {ONE}", f"there {OTHER}"]
    assert _chosen(parts, mpis=(ONE,)) == [f"here {ONE}"]


def test_the_gate_has_less_than_the_matrix() -> None:
    parts = [
        _part("always"),
        _part("nightly", tier="matrix"),
        _part("some", per="mpi", gate=(OTHER,)),
        _part("all", per="mpi"),
        _part("none", per="mpi", tier="matrix"),
    ]
    both = [f"all {ONE}", f"all {OTHER}"]
    assert _chosen(parts) == ["always", f"some {OTHER}", *both]
    everything = [f"{name} {mpi}" for name in ("some", "all", "none") for mpi in (ONE, OTHER)]
    assert _chosen(parts, matrix=True) == ["always", "nightly", *everything]
    assert _chosen(parts, names=("nightly",)) == ["nightly"]
    assert _chosen(parts, mpis=(ONE,)) == [f"{name} {ONE}" for name in ("some", "all", "none")]


def test_mpis_take_turns_at_the_gate_and_bring_what_is_built_for_them() -> None:
    parts = [
        _part("build", per="mpi", gate=(ONE,)),
        _part("use", per="mpi", after=("build",), in_turn=((ONE, OTHER),)),
        _part("join", after=("use",)),
    ]
    assert _chosen(parts, turn=0) == [f"build {ONE}", f"use {ONE}", "join"]
    assert _chosen(parts, turn=3) == [f"build {ONE}", f"build {OTHER}", f"use {OTHER}", "join"]
    assert _chosen(parts, turn=3, names=("join",)) == [f"build {OTHER}", f"use {OTHER}", "join"]


def test_every_mpi_has_its_turn_and_each_vendor_its_place_at_the_gate() -> None:
    parts = read(PARTS)
    vendors = {"mpich", "openmpi", "intelmpi"}
    assert vendors <= {mpi.vendor for mpi in ALL if mpi.gate}
    for name in ("C++", "Go", "Java", "C++ conformance", "Go conformance", "Java conformance"):
        tested = {
            mpi.vendor
            for part in parts
            for mpi in ALL
            if part.name == name and part.at_gate(mpi, 0)
        }
        assert vendors <= tested, name
    for name in ("C++", "Java", "Java programs"):
        part = next(part for part in parts if part.name == name)
        ever = {mpi.name for turn in range(60) for mpi in ALL if part.at_gate(mpi, turn)}
        assert ever == {mpi.name for mpi in ALL if part.is_for(mpi)} or name == "Java programs"


def test_a_run_of_one_language_has_its_parts_and_what_they_wait_for() -> None:
    parts = [
        *(_part("tool", language="tools"), _part("build"), _part("join", after=("go", "java"))),
        *(_part("go", language="go", after=("build",)), _part("java", language="java")),
    ]
    assert _chosen(parts, languages=("go",)) == ["build", "go"]
    assert _chosen(parts, languages=("tools", "java")) == ["tool", "java"]
    assert _chosen(parts) == ["tool", "build", "join", "go", "java"]


def test_the_workflow_runs_every_language_on_every_mpi_that_can() -> None:
    text = (PARTS.parents[1] / ".github/workflows/nightly.yml").read_text(encoding="utf-8")
    languages = re.findall(r"^ +language: \[(.*)\]$", text, re.MULTILINE)[0].split(", ")
    assert {*languages, "tools"} == set(LANGUAGES)
    assert "ci/test --matrix --language tools\n" in text
    left_out = set(re.findall(r"- \{ language: (\w+), mpi: (\S+) \}", text))
    assert left_out == {
        (language, mpi.name)
        for mpi in ALL
        for language in languages
        if language not in mpi.languages
    }


def test_a_part_per_mpi_is_for_those_that_can_run_it() -> None:
    part = _part("go", per="mpi", language="go", level="full")
    names = [task.name for task in tasks([part], ALL)]
    assert names == ["go mpich-4.0.2", "go openmpi-4.1.4", "go intelmpi-2021.18.1"]


def test_each_mpi_has_each_large_program_and_costly_one_in_its_turn(tmp_path: Path) -> None:
    runtime = next(part for part in read(PARTS) if part.name == "C++ runtime")
    run = Run(tmp_path, Toolchains(Path("/nowhere"), False, Path("/nowhere/go")), sparing=True)
    every = {*running.LARGE_ONES, *running.COSTLY_ONES}
    labels = {f"turn{i}" for i in range(running.MISTAKES)}
    forms = {f"form{i}" for i in range(running.FORMS)}
    sanitized, plain, mistakes, by_gcc = set(), set(), set(), set()
    for run.turn in range(20_784, 20_784 + 240):
        now = run._turning()
        mpi = runtime.in_turn[0][run.turn % 4]
        (one,) = every - {*now["large_ones"].split(";")}
        here = every - {*now["large_one"].split(";")}
        assert one in running.LARGE_ONES and one not in here
        assert len(here & {*running.LARGE_ONES}) == 2 and len(here) == 3
        sanitized.add(one)
        plain |= {(mpi, name) for name in here}
        kept = {
            name: {one for one in labels | forms if not re.search(now[name], one)}
            for name in ("not_now", "not_now_either")
        }
        assert all(len(some & labels) == len(some & forms) == 1 for some in kept.values())
        assert all(re.search(now[name], "matrix") for name in kept)
        assert not any(re.search(now[name], "cpp") for name in kept)
        mistakes |= kept["not_now"] & labels
        plain |= {(mpi, form) for form in kept["not_now_either"] & forms}
        by_gcc |= kept["not_now_either"] & labels if mpi == "mpich-4.0.2" else set()
    assert sanitized == {*running.LARGE_ONES}
    assert plain == {
        (mpi, one) for mpi in runtime.in_turn[0] for one in (every | forms) - {"codec"}
    }
    assert mistakes == by_gcc == labels
    run.tier = "quick"
    (one,) = every - {*run._turning()["large_one"].split(";")}
    assert one in running.LARGE_ONES and one != "codec"
    run.sparing = False
    assert run._turning() == {
        **dict.fromkeys(("large_one", "large_ones"), ""),
        **dict.fromkeys(("not_now", "not_now_either"), "never"),
    }


def test_tasks_of_all_mpis_are_told_apart() -> None:
    every = tasks([_part("a", per="mpi"), _part("b", per="mpi")], ALL)
    assert len(set(every)) == 2 * len(ALL)


def test_tasks_wait_for_the_same_mpi_only() -> None:
    build, use = _part("build", per="mpi"), _part("use", per="mpi", after=("build",))
    one, other = ALL[0], ALL[1]
    assert Task(use, one).waits_for(Task(build, one))
    assert not Task(use, one).waits_for(Task(build, other))
    assert Task(use, one).waits_for(Task(build))


def test_what_runs_programs_of_a_relative_waits_for_it_and_brings_it() -> None:
    build = _part("build", per="mpi", only=(ONE,))
    use = _part("use", per="mpi", after=("build",), relatives=((OTHER, ONE),))
    one, other = ALL[0], ALL[1]
    assert Task(use, other).waits_for(Task(build, one))
    assert not Task(use, other).waits_for(Task(build, other))
    parts = [build, use]
    assert _chosen(parts, matrix=True) == [f"build {ONE}", f"use {OTHER}"]
    assert _chosen(parts, mpis=(OTHER,), names=("use",)) == [f"build {ONE}", f"use {OTHER}"]
    assert _chosen(parts, mpis=(OTHER,)) == []


def test_nothing_starts_after_the_first_failure_unless_it_shall(tmp_path: Path) -> None:
    bad = replace(_part("bad", "raise SystemExit(1)"), cpu=(("", 99.0),))
    parts = [bad, _part("b"), _part("c", after=("b",))]
    parts += [_part("slow", "import time; time.sleep(1)")]
    run = Run(tmp_path, Toolchains(Path("/nowhere"), False, Path("/nowhere/go")), keep_going=False)
    run.everything(tasks(parts, ALL), 1)
    assert [row.result for row in run.rows] == ["FAILED", NOT_RUN, NOT_RUN, NOT_RUN]


def _run(tmp_path: Path, *parts: Part) -> dict[str, Row]:
    run = Run(tmp_path, Toolchains(Path("/nowhere"), False, Path("/nowhere/go")))
    run.everything(tasks(parts, ALL), 2)
    assert [row.name for row in run.rows] == [task.name for task in tasks(parts, ALL)]
    return {row.name: row for row in run.rows}


def test_parts_run_in_order_and_a_lost_one_takes_those_behind_it_along(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    write = f"open({str(trace)!r}, 'a').write"
    rows = _run(
        tmp_path,
        _part("last", f"{write}('last ')", after=("first",)),
        _part("first", f"import time; time.sleep(0.3); {write}('first ')"),
        _part("bad", "raise SystemExit(3)", f"{write}('never')"),
        _part("behind", f"{write}('never')", after=("bad",)),
    )
    assert trace.read_text() == "first last "
    assert rows["bad"].result == "FAILED"
    assert rows["behind"].result == "FAILED (after bad)"
    assert rows["last"].result == rows["first"].result == "ok"


def test_what_needs_a_full_jdk_is_skipped_without_one(tmp_path: Path) -> None:
    rows = _run(tmp_path, _part("javadoc", "raise SystemExit(1)", needs=("full-jdk",)))
    assert rows["javadoc"].result == "skipped (no full JDK here)"


def test_a_part_that_hangs_is_ended_with_all_it_started(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "LIMIT", 0.5)
    monkeypatch.setattr(launch, "_STILL_SECONDS", 2.0)
    file = tmp_path / "process"
    sleeper = "import os, time; os.setsid(); print(os.getpid(), flush=True); time.sleep(600)"
    starter = (
        f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {sleeper!r}], "
        f"stdout=open({str(file)!r}, 'w')); print('started', flush=True); p.wait()"
    )
    rows = _run(tmp_path, replace(_part("hang", starter), cpu=(("", 0.0),)))
    assert rows["hang"].result == "FAILED (it has stood still for 2 s)"
    assert "  | started" in capfd.readouterr().err
    process = int(file.read_text())
    for _ in range(50):
        if not Path(f"/proc/{process}").exists():
            break
        time.sleep(0.1)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_the_closing_line_stands_alone(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        Row("a", Counts(3, 0, 1), 1.26, cpu=2.5),
        Row("b", Counts(0, 1, 0), 0.5, "no end in 2 s"),
    ]
    assert report(rows, 2.0) == Counts(3, 1, 1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "3 passed, 1 failed, 1 skipped"
    assert lines[-2] == ""
    assert "a          3       0        1      1.3  2.5  ok" in lines[3]
    assert lines[4].endswith("FAILED (no end in 2 s)")


def test_a_part_that_became_a_third_dearer_is_named() -> None:
    parts = [replace(_part(name), cpu=(("", 30.0),)) for name in "abcde"]
    used = {"a": 60.0, "b": 62.0, "c": 61.0, "d": 110.0, "e": 500.0}  # a machine of half the pace
    rows = [Row(name, Counts(1), 1.0, cpu=cpu) for name, cpu in used.items()]
    rows[4].counts = Counts(0, 1)
    said = dearer(tasks(parts, ALL), rows)
    assert [sentence.split(" of CPU")[0] for sentence in said] == ["d used 110 s"]
    assert "30 s) on a machine that needs 2.0" in said[0]
    assert dearer(tasks(parts, ALL), []) == []
    assert dearer(tasks(parts[2:4], ALL), rows) == []  # two parts tell nothing of the machine


def test_the_longest_chain_starts_first(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    write = f"open({str(trace)!r}, 'a').write"
    parts = [
        replace(_part("short", f"{write}('short ')"), cpu=(("", 20.0),)),
        replace(_part("first", f"{write}('first ')"), cpu=(("", 1.0),)),
        replace(_part("long", f"{write}('long ')", after=("first",)), cpu=(("", 30.0),)),
    ]
    run = Run(tmp_path, Toolchains(Path("/nowhere"), False, Path("/nowhere/go")))
    run.everything(tasks(parts, ALL), 1)
    assert trace.read_text() == "first long short "


def test_what_was_not_run_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    report([Row("a", Counts(0, 1, 0), 1.0), Row("b", Counts(), 0.0, NOT_RUN)], 2.0)
    out = capsys.readouterr().out
    assert "1 parts were not run after the first failure; --keep-going runs them." in out
    assert "b" in out and "not run" in out.split("\n\n")[1]


def test_tables_put_numbers_to_the_right() -> None:
    assert table(["name", "n"], [["a", 1], ["long", 12]]).splitlines() == [
        "name   n",
        "----  --",
        "a      1",
        "long  12",
    ]


def _jdk(folder: Path, version: str, *, compiler: bool = True) -> Path:
    (folder / "bin").mkdir(parents=True)
    for name in ["java", "javac"] if compiler else ["java"]:
        (folder / "bin" / name).touch()
    (folder / "release").write_text(f'JAVA_VERSION="{version}"\nOTHER="1"\n')
    return folder


def test_a_jdk_is_known_by_its_release_file_and_compiler(tmp_path: Path) -> None:
    assert jdk_version(_jdk(tmp_path / "new", "25.0.3")) == (25, 0, 3)
    assert jdk_version(_jdk(tmp_path / "runtime", "25.0.3", compiler=False)) == ()
    assert jdk_version(tmp_path / "nothing") == ()


def test_java_home_wins_if_it_is_new_enough(tmp_path: Path) -> None:
    new = _jdk(tmp_path / "new", "22.0.1")
    old = _jdk(tmp_path / "old", "17.0.15")
    assert find_jdk({"JAVA_HOME": str(new), "PATH": ""}) == new
    assert find_jdk({"JAVA_HOME": str(old), "PATH": ""}) != old


def test_an_old_go_is_passed_over(tmp_path: Path) -> None:
    for name, version in (("old", "1.19.8"), ("new", "1.99.1")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "go").write_text(f"#!/bin/sh\necho go version go{version} linux/amd64\n")
        (folder / "go").chmod(0o755)
    assert find_go({"PATH": str(tmp_path / "new")}) == tmp_path / "new" / "go"
    assert find_go({"PATH": str(tmp_path / "old")}) != tmp_path / "old" / "go"


def test_go_has_its_caches_with_the_tools_where_there_is_no_home(tmp_path: Path) -> None:
    in_place = {"GOCACHE": str(tmp_path / "go-build"), "GOPATH": str(tmp_path / "go")}
    (tmp_path / "file").touch()
    for home in ({}, {"HOME": str(tmp_path / "file")}, {"HOME": ""}, {"GOCACHE": "off"}):
        assert toolchains.go_caches(tmp_path, home) == in_place
    assert toolchains.go_caches(tmp_path, {"HOME": str(tmp_path / "home")}) == {}


def test_no_folder_of_python_tests_is_forgotten() -> None:
    words = {word for part in read(PARTS) for command in part.commands for word in command}
    root = PARTS.parent.parent
    folders = {file.parent.relative_to(root) for file in (root / "tests").rglob("test_*.py")}
    assert folders
    for folder in folders:
        assert any(folder.is_relative_to(word) for word in words), folder


def test_the_compiler_of_eclipse_takes_what_is_meant_for_javac(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    java.chmod(0o755)
    toolchains._write_javac(tmp_path)
    words = ["-J-Xmx1g", "--release", "22", "-Xlint:all,-restricted", "-Werror", "-cp", "a b", "@f"]
    done = subprocess.run(
        [str(tmp_path / "bin" / "javac"), *words], capture_output=True, text=True, timeout=20
    )
    assert done.returncode == 0
    jar = f"{tmp_path}/bin/../lib/ecj.jar"
    assert done.stdout == f"-Xmx1g|-jar|{jar}|-nowarn|-22|-cp|a b|@f|"


FAILS_ONCE = "import pathlib, sys; p = pathlib.Path({!r}); bad = not p.exists(); p.touch(); "


def _shaky(tmp_path: Path, **more: object) -> Part:
    says = "print('2 passed, 1 failed, 0 skipped' if bad else '3 passed, 0 failed, 0 skipped')"
    code = FAILS_ONCE.format(str(tmp_path / "mark")) + says + "; sys.exit(bad)"
    return _part("shaky", code, counts="line", **more)


def test_what_fails_and_then_passes_is_shaky_and_told_in_full(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    never = "print('5 passed, 2 failed, 0 skipped'); raise SystemExit(1)"
    rows = _run(
        tmp_path,
        _shaky(tmp_path),
        _part("broken", never, counts="line"),
        _part("behind", "pass", after=("shaky",)),
    )
    assert rows["shaky"].result == "ok (shaky)"
    assert rows["shaky"].counts == Counts(3, 0, 0)
    assert rows["broken"].result == "FAILED"
    assert rows["broken"].counts == Counts(5, 2, 0)
    assert rows["behind"].result == "ok"
    assert "  | 2 passed, 1 failed, 0 skipped" in capfd.readouterr().err
    report(list(rows.values()), 1.0)
    out = capfd.readouterr().out
    assert "shaky is shaky; it failed at first:\n  | 2 passed, 1 failed, 0 skipped" in out
    assert out.splitlines()[-3].endswith("a cause to be found: shaky")


def test_what_passes_at_its_second_try_is_not_noted_as_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(tmp_path, Toolchains(Path("/nowhere"), False, Path("/nowhere/go")))
    run.executed = Executed(tmp_path, Tree(tmp_path), Inputs([]), skip=True)
    monkeypatch.setattr(run, "_due", lambda task, command, *_: (list(command), ["key"]))
    assert run.one(Task(_shaky(tmp_path))).result == "ok (shaky)"
    assert not run.executed.has_passed("key")
    assert run.one(Task(_shaky(tmp_path))).result == "ok"
    assert run.executed.has_passed("key")


def test_the_matrix_run_fails_on_what_is_shaky_without_a_proved_defect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(tmp_path, Toolchains(Path("/nowhere"), False, Path("/nowhere/go")), tier="matrix")
    row = run.one(Task(_shaky(tmp_path)))
    assert row.result == "FAILED (shaky)" and row.counts == Counts(3, 1, 0)
    (tmp_path / "mark").unlink()
    monkeypatch.setattr(run, "_excuse", lambda task: "some-defect")
    row = run.one(Task(_shaky(tmp_path)))
    assert row.result == "ok (shaky: some-defect)" and row.counts == Counts(3, 0, 0)


def test_shakiness_is_excused_by_a_defect_of_this_mpi_and_part_only(tmp_path: Path) -> None:
    run = Run(tmp_path, Toolchains(Path("/nowhere"), False, Path("/nowhere/go")))

    def excuse(part: str, mpi: str) -> str:
        return run._excuse(Task(_part(part, per="mpi"), matrix().get(mpi)))

    assert excuse("Go endings", "mpich-5.0.2") == "leaving-rank-unnoticed"
    assert excuse("Go", "mpich-5.0.2") == excuse("Go endings", "mpich-4.0.2") == ""
    names = {part.name for part in read(PARTS)}
    assert all(set(defect.shaky) <= names for defect in matrix().defects)


def test_of_python_tests_only_those_that_failed_are_tried_again(tmp_path: Path) -> None:
    (tmp_path / "test_shaky.py").write_text(
        "import pathlib\n"
        "def test_good():\n    open('good', 'a').write('x')\n"
        "def test_shaky():\n    p = pathlib.Path('mark'); bad = not p.exists(); p.touch()\n"
        "    assert not bad\n"
    )
    command = (sys.executable, "-m", "pytest", "-q", "test_shaky.py")
    rows = _run(tmp_path, Part("shaky", (command,), "pytest", (("", 10.0),)))
    assert rows["shaky"].counts == Counts(2, 0, 0)
    assert rows["shaky"].result == "ok (shaky)"
    assert (tmp_path / "good").read_text() == "x"


def test_commands_behind_a_shaky_one_run_once(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    said = f"open({str(trace)!r}, 'a').write('x'); print('1 passed, 0 failed, 0 skipped')"
    part = _shaky(tmp_path)
    part = replace(part, commands=(*part.commands, (sys.executable, "-c", said)))
    rows = _run(tmp_path, part)
    assert rows["shaky"].counts == Counts(4, 0, 0)
    assert trace.read_text() == "x"
