"""Foreign generators: what they are asked, and what of their answers is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem, MpiglotError, UsageError
from mpiglot.blueprints.model import Function
from mpiglot.exchange import host
from mpiglot.exchange.host import checked, find_foreign, request_text, run_foreign
from mpiglot.exchange.schema import complaint
from mpiglot.generators.inputs import Texts
from mpiglot.generators.model import (
    Atlas,
    AtlasFunction,
    File,
    Plan,
    PlannedFunction,
    Request,
    Response,
)
from tests.limits import guard


def request(target: str | None = None) -> Request:
    atlas = Atlas("5.0", functions=[AtlasFunction(Function("MPI_Send", "int"))])
    plan = Plan(functions=[PlannedFunction("MPI_Send", "error")])
    return Request("echo", atlas, plan, target, {"k": "v"}, "0.1.0")


def program(folder: Path, text: str) -> Path:
    """An executable generator whose body is Python `text`."""
    path = folder / "mpiglot-gen-test"
    path.write_text(f"#!{sys.executable}\nimport json, sys, os, time\n{text}\n")
    path.chmod(0o755)
    return path


def answer(folder: Path, text: str, limit: float = 30) -> Response:
    return run_foreign(program(folder, text), request(), Texts(), limit)


def test_a_request_is_what_its_schema_says_and_carries_the_files_it_was_made_from() -> None:
    texts = Texts('{"functions": []}\n', {"b": '{"x": 1}', "a": "{}\n"})
    data = json.loads(request_text(request("a"), texts))
    assert complaint("request", data) is None
    assert data["protocol"] == 1
    assert data["target"] == "a"
    assert data["options"] == {"k": "v"}
    assert data["catalogue"] == {"functions": []}
    assert data["blueprints"] == {"a": {}, "b": {"x": 1}}
    assert data["plan"]["functions"][0]["name"] == "MPI_Send"


def test_a_request_without_a_target_says_null() -> None:
    data = json.loads(request_text(request(), Texts()))
    assert data["target"] is None
    assert complaint("request", data) is None


def test_files_and_warnings_of_a_foreign_generator_arrive_sorted(tmp_path: Path) -> None:
    response = answer(
        tmp_path,
        "asked = json.load(sys.stdin)\n"
        "names = [f['name'] for f in asked['plan']['functions']]\n"
        "files = [{'path': p, 'content': ' '.join(names)} for p in ('b/c.txt', 'a.txt')]\n"
        "print(json.dumps({'protocol': 1, 'files': files, 'warnings': ['z', 'y']}))",
    )
    assert response.files == [File("a.txt", "MPI_Send"), File("b/c.txt", "MPI_Send")]
    assert response.warnings == ["y", "z"]


def test_a_generator_may_answer_without_reading_the_request(tmp_path: Path) -> None:
    assert answer(tmp_path, 'print(\'{"protocol": 1, "files": []}\')').files == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("print('hello')", "did not answer with JSON"),
        ("", "did not answer with JSON"),
        ("print('[]')", "no response"),
        ("print('{}')", "no response"),
        ('print(\'{"protocol": 2, "files": []}\')', "speaks protocol 2"),
        ("print('{\"protocol\": 1}')", "files"),
        ('print(\'{"protocol": 1, "files": [{"path": 3, "content": ""}]}\')', "path"),
        ("sys.exit('no such target\\x1b[31m')", r"exit code 1: no such target\?\[31m"),
        ("os.kill(os.getpid(), 9)", "signal 9"),
    ],
)
def test_an_answer_that_is_none_is_refused_in_one_sentence(
    tmp_path: Path, text: str, sentence: str
) -> None:
    with pytest.raises(EnvironmentProblem, match=sentence) as caught:
        answer(tmp_path, text)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("mpiglot-gen-test")


def test_a_generator_that_hangs_is_ended_with_all_it_started(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    text = (
        "import subprocess\n"
        "child = subprocess.Popen(['sleep', '600'])\n"
        f"open({str(note)!r}, 'w').write(str(child.pid))\n"
        "time.sleep(600)"
    )
    with pytest.raises(EnvironmentProblem, match="within 2 seconds"):
        answer(tmp_path, text, limit=2)
    assert _gone(int(note.read_text()))


def test_what_a_generator_leaves_running_is_ended(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    text = (
        "import subprocess\n"
        "n = subprocess.DEVNULL\n"
        "child = subprocess.Popen(['sleep', '600'], stdin=n, stdout=n, stderr=n)\n"
        f"open({str(note)!r}, 'w').write(str(child.pid))\n"
        'print(\'{"protocol": 1, "files": []}\')'
    )
    answer(tmp_path, text)
    assert _gone(int(note.read_text()))


def _gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    return False


def test_an_endless_answer_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "SIZE_LIMIT", 1_000_000)
    with pytest.raises(EnvironmentProblem, match="more than 1000000 bytes"):
        answer(tmp_path, "while True: sys.stdout.write('x' * 65536)")


def test_a_file_that_is_no_program_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "mpiglot-gen-test"
    path.write_text("not a program")
    with pytest.raises(EnvironmentProblem, match="cannot be started"):
        run_foreign(path, request(), Texts())
    path.chmod(0o755)
    with pytest.raises(EnvironmentProblem, match="cannot be started"):
        run_foreign(path, request(), Texts())


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../up.txt",
        "a/../../up.txt",
        "a/./b",
        "a//b",
        "",
        "a/",
        "a\\b",
        "C:/b",
        "a\nb",
        "a\0b",
        ".bashrc",
        ".git/hooks/pre-commit",
        "src/.hidden",
        "mpiglot-manifest.json",
        "x" * 300,
    ],
)
def test_a_path_that_could_do_harm_is_refused(path: str) -> None:
    with pytest.raises(EnvironmentProblem, match="wants to write"):
        checked(Response([File("fine.txt", ""), File(path, "")]), "x")


@pytest.mark.parametrize("pair", [("a", "a"), ("A.txt", "a.txt"), ("a", "a/b"), ("x/y/z", "x")])
def test_two_files_that_cannot_both_be_are_refused(pair: tuple[str, str]) -> None:
    with pytest.raises(MpiglotError):
        checked(Response([File(p, "") for p in pair]), "x")


def test_a_generator_that_is_nowhere_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(UsageError, match="mpiglot-gen-klingon"):
        find_foreign("klingon")


def test_a_generator_is_found_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    made = program(tmp_path, "")
    assert find_foreign("test") == made


def test_a_generator_written_in_shell_works_as_well(tmp_path: Path) -> None:
    path = tmp_path / "mpiglot-gen-shell"
    path.write_text(
        "#!/bin/sh\ncat > /dev/null\n"
        'echo \'{"protocol": 1, "files": [{"path": "a.sh", "content": "# generated"}]}\'\n'
    )
    path.chmod(0o755)
    assert run_foreign(path, request(), Texts()).files == [File("a.sh", "# generated")]
    assert subprocess.run(
        [str(path)], input="", capture_output=True, text=True, timeout=guard(10)
    ).stdout
