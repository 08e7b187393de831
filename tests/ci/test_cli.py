"""Every way a command can end is one sentence and an exit code; starting it is quick."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from mpiglot import __version__
from mpiglot.blueprints.errors import EnvironmentProblem, MpiglotError, UsageError
from mpiglot.ci.__main__ import run_command
from mpiglot.cli import LazyGroup, command_group, run
from tests.limits import guard


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "acts"
    package.mkdir()
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.split(".")[0] == "acts"]:
        monkeypatch.delitem(sys.modules, name)
    return package


def _act(folder: Path, name: str, body: str) -> LazyGroup:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    (folder / f"{name}.py").write_text(
        "import click\nfrom mpiglot.blueprints.errors import *\n"
        f'@click.command("{name}")\n@click.option("--number", type=int)\n'
        f"def act(number: int | None) -> object:\n{lines}\n"
    )
    return LazyGroup("acts", folder, "Acts.")


@pytest.mark.parametrize(
    ("body", "code", "sentence"),
    [
        ("raise MpiglotError('Odd.')", 4, "mpiglot: Odd.\n"),
        ("raise UsageError('Say which.')", 2, "mpiglot: Say which.\n"),
        ("raise EnvironmentProblem('No MPI.')", 3, "mpiglot: No MPI.\n"),
        ("raise KeyboardInterrupt", 130, "mpiglot: interrupted.\n"),
        ("raise OSError(28, 'No space left on device', 'x.json')", 3, "x.json: No space left"),
        ("raise OSError(28, 'No space left on device')", 3, "temporary files (TMPDIR)"),
        ("raise PermissionError(13, 'Permission denied', '/x')", 3, "/x: Permission denied."),
        ("return 1", 1, ""),
        ("return None", 0, ""),
        ("click.get_current_context().exit(1)", 1, ""),
        ("raise BrokenPipeError(32, 'Broken pipe')", 141, ""),
    ],
)
def test_every_ending_has_its_code_and_sentence(
    folder: Path, capfd: pytest.CaptureFixture[str], body: str, code: int, sentence: str
) -> None:
    keep = os.dup(1)
    try:
        assert run(_act(folder, "act", body), ["act"]) == code
    finally:
        os.dup2(keep, 1)
        os.close(keep)
    complaint = capfd.readouterr().err
    assert sentence in complaint
    assert "Traceback" not in complaint
    assert complaint.count("\n") <= 2


def test_internal_error_asks_for_a_report_and_keeps_the_traceback_for_debugging(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    group = _act(folder, "act", "raise ValueError('a\\nb')")
    monkeypatch.delenv("MPIGLOT_DEBUG", raising=False)
    assert run(group, ["act"]) == 4
    complaint = capfd.readouterr().err
    assert complaint.startswith("mpiglot: internal error: ValueError: a b; please report it")
    assert complaint.count("\n") == 1
    monkeypatch.setenv("MPIGLOT_DEBUG", "1")
    assert run(group, ["act"]) == 4
    assert "Traceback" in capfd.readouterr().err


def test_wrong_option_is_a_usage_error_with_a_hint(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    group = _act(folder, "act", "pass")
    assert run(group, ["act", "--number", "x"]) == 2
    complaint = capfd.readouterr().err
    assert "'x' is not a valid integer" in complaint
    assert "See `mpiglot act --help`." in complaint
    assert run(group, ["other"]) == 2


@pytest.mark.parametrize("words", [["act", ""], ["act", "--number="], ["act", "--number", " "]])
def test_an_empty_argument_is_taken_for_a_variable_that_is_not_set(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert run(_act(folder, "act", "raise MpiglotError('It ran.')"), words) == 2
    assert "one of the arguments is empty" in capsys.readouterr().err


def test_commands_are_imported_only_when_used(folder: Path) -> None:
    group = _act(folder, "used", "pass")
    (folder / "unused.py").write_text("raise RuntimeError('imported')\n")
    assert group.list_commands(click.Context(group)) == ["unused", "used"]
    assert run(group, ["used"]) == 0
    assert run(group, ["unused"]) == 4


def test_a_command_that_is_misspelt_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    group = _act(folder, "package", "pass")
    assert run(group, ["packge"]) == 2
    assert "no command packge; did you mean package? See `mpiglot --help`.\n" in (
        capsys.readouterr().err
    )
    assert run(group, ["rust"]) == 2
    assert "no command rust; say package. See" in capsys.readouterr().err


def test_errors_know_their_exit_codes() -> None:
    assert (MpiglotError.exit_code, UsageError.exit_code, EnvironmentProblem.exit_code) == (4, 2, 3)


def test_known_commands_come_in_the_order_of_use() -> None:
    group = command_group()
    names = group.list_commands(click.Context(group))
    order = ["doctor", "probe", "show", "diff", "atlas", "generate", "check", "package", "env"]
    assert [name for name in names if name in order] == [name for name in order if name in names]
    assert "env" in names


def _python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=guard(30), check=False
    )


@pytest.mark.parametrize("arguments", [["--version"], ["env", "--help"]])
def test_starting_imports_nothing_heavy(arguments: list[str]) -> None:
    done = _python(
        "import sys\nfrom mpiglot.cli import command_group, run\n"
        f"code = run(command_group(), {arguments!r})\n"
        "heavy = {'rich', 'jinja2', 'clang', 'fastjsonschema', 'hypothesis', 'pytest'}\n"
        "print(code, sorted(heavy & set(sys.modules)))"
    )
    assert done.stdout.splitlines()[-1] == "0 []"


def test_an_interrupt_while_modules_are_imported_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    done = subprocess.run(
        [sys.executable, "-m", "mpiglot", "--version"],
        capture_output=True,
        text=True,
        timeout=guard(30),
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "mpiglot: interrupted.\n")


def test_version_is_the_package_version() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mpiglot", "--version"],
        capture_output=True,
        text=True,
        timeout=guard(30),
        check=True,
    )
    assert done.stdout == f"mpiglot {__version__}\n"


def test_full_disk_is_an_environment_problem() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "mpiglot", "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=guard(30),
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.startswith("mpiglot: No space left on device. Make room")
    assert done.stderr.count("\n") == 1


def test_reader_that_goes_away_is_no_error_message() -> None:
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m mpiglot --help | true; echo "${{PIPESTATUS[0]}}"'],
        capture_output=True,
        text=True,
        timeout=guard(30),
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.strip() in ("0", "141")


@pytest.mark.parametrize(
    ("words", "ranks", "program"),
    [
        ("any -n 3 prog -n 5 -x", 3, "prog -n 5 -x"),
        ("-n 3 any prog --timeout 1 --help", 3, "prog --timeout 1 --help"),
        ("any -n3 -- prog -n 5 -- y", 3, "prog -n 5 -- y"),
        ("--timeout=9 any prog -- -n 5", 2, "prog -- -n 5"),
    ],
)
def test_a_launched_program_keeps_its_own_options(words: str, ranks: int, program: str) -> None:
    context = run_command.make_context("run", words.split())
    assert context.params["ranks"] == ranks
    assert context.params["program"] == tuple(program.split())


def test_an_unknown_option_before_a_launched_program_is_refused() -> None:
    with pytest.raises(click.NoSuchOption):
        run_command.make_context("run", ["any", "--foo", "prog"])
