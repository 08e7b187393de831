"""generate and check: what they write, what they leave alone, and what they refuse."""

from __future__ import annotations

import functools
import json
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mpiglot.exchange import output, produce
from mpiglot.exchange.output import MANIFEST
from mpiglot.generators.handwritten import CHECKOUT, by_hand
from tests.limits import guard
from tests.tiers import in_turn, matrix_run

Run = Callable[..., Any]
Tiny = Callable[..., Path]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


# --------------------------------------------------------------------------- the committed output


@pytest.mark.skipif(
    not matrix_run(), reason='the part "regenerate and diff"; here in the matrix run'
)
def test_the_committed_output_is_what_would_be_generated_now(mpiglot: Run) -> None:
    done = mpiglot("check")
    assert done.code == 0, done.out[:3000]
    assert done.out == ""


def test_the_committed_output_holds_a_manifest_for_every_tree() -> None:
    for _, target, folder in produce.COMMITTED:
        manifest = json.loads((CHECKOUT / folder / MANIFEST).read_text())
        assert manifest["target"] == target
        assert manifest["files"]


def test_handwritten_files_beside_generated_ones_are_left_alone(mpiglot: Run) -> None:
    low = CHECKOUT / "go_runtime" / "low"
    listed = json.loads((low / MANIFEST).read_text())["files"]
    written = {path for path, _ in by_hand("go_runtime/low", ".c", ".go", ".h", ".mod")}
    assert written
    assert not written & set(listed)
    assert {p.name for p in low.iterdir() if p.is_file()} == written | set(listed) | {MANIFEST}


def test_a_layer_in_another_folder_is_complete(program: Run, tmp_path: Path) -> None:
    done = program("generate", "go", "-o", str(tmp_path / "low"))
    assert done.code == 0, done.out
    low = CHECKOUT / "go_runtime" / "low"
    made = {p.name: p.read_bytes() for p in (tmp_path / "low").iterdir() if p.name != MANIFEST}
    assert made == {p.name: p.read_bytes() for p in low.iterdir() if p.name != MANIFEST}


# --------------------------------------------------------------------------- generating


@pytest.mark.parametrize("language", in_turn(["cpp", "go", "java"]))
def test_the_same_inputs_give_the_same_bytes(program: Run, tmp_path: Path, language: str) -> None:
    target = ["--target", "openmpi-4.1.4"] if language == "cpp" else []
    trees = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        done = program(
            "generate", language, *target, "-o", out, env={"PYTHONHASHSEED": seed, "LC_ALL": "C"}
        )
        assert done.code == 0, done.err
        trees.append(contents(out))
    assert trees[0] == trees[1]
    assert len(trees[0]) > 5


def test_every_generated_file_says_that_it_is_generated(mpiglot: Run, tmp_path: Path) -> None:
    mpiglot("generate", "all", "--target", "mpich-4.0.2", "-o", tmp_path)
    files = [p for p in tmp_path.rglob("*") if p.is_file() and p.name != MANIFEST]
    assert {p.relative_to(tmp_path).parts[0] for p in files} == {"cpp", "go", "java"}
    written = {
        tmp_path / "go" / path for path, _ in by_hand("go_runtime/low", ".c", ".go", ".h", ".mod")
    }
    for path in files:
        first = path.read_text().splitlines()[0]
        assert ("DO NOT EDIT" in first) == (path not in written), path


def test_check_after_generate_is_clean_and_after_an_edit_is_not(
    mpiglot: Run, tmp_path: Path
) -> None:
    wish = ("cpp", "--target", "mpich-4.0.2", "-o", tmp_path / "out")
    assert mpiglot("generate", *wish).code == 0
    clean = mpiglot("check", *wish)
    assert (clean.code, clean.out) == (0, "")
    header = tmp_path / "out" / "mpiglot" / "mpi.hpp"
    header.write_text(header.read_text() + "// mine\n")
    found = mpiglot("check", *wish)
    assert found.code == 1
    assert "-// mine" in found.out.splitlines()
    assert header.read_text().endswith("// mine\n")
    refused = mpiglot("generate", *wish)
    assert refused.code == 2 and "mpi.hpp was edited" in refused.err
    assert header.read_text().endswith("// mine\n")
    again = mpiglot("generate", *wish, "--overwrite", "--json").json()
    assert again[0]["changed"] == ["mpiglot/mpi.hpp"]


def test_check_reports_missing_files_and_writes_nothing(mpiglot: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = mpiglot("check", "cpp", "--target", "mpich-4.0.2", "-o", out)
    assert done.code == 1
    assert "--- /dev/null" in done.out
    assert not out.exists()


def test_generating_twice_changes_nothing(mpiglot: Run, tmp_path: Path) -> None:
    wish = ("generate", "cpp", "--target", "mpich-4.0.2", "-o", tmp_path / "out", "--json")
    assert mpiglot(*wish).json()[0]["changed"]
    times = {p: p.stat().st_mtime_ns for p in (tmp_path / "out").rglob("*")}
    assert mpiglot(*wish).json()[0]["changed"] == []
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "out").rglob("*")} == times


def test_the_manifest_tells_what_went_in(mpiglot: Run, tmp_path: Path) -> None:
    mpiglot("generate", "go", "-o", tmp_path, "--exclude", "MPI_T_*")
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    assert manifest["generator"] == "go"
    assert manifest["target"] is None
    assert manifest["exclude"] == ["MPI_T_*"]
    assert {"catalogue", "mpich-4.0.2", "openmpi-4.1.4"} <= set(manifest["inputs"])
    assert all(h.startswith("sha256:") for h in manifest["files"].values())
    assert set(manifest["files"]) == set(contents(tmp_path)) - {MANIFEST}


# --------------------------------------------------------------------------- include and exclude


def declared(folder: Path) -> str:
    return "\n".join(p.read_text() for p in sorted(folder.rglob("*.hpp")))


def test_what_is_excluded_is_not_there_and_what_is_included_is(
    mpiglot: Run, tmp_path: Path
) -> None:
    wish = ("generate", "cpp", "--target", "mpich-4.0.2", "-o", tmp_path)
    assert mpiglot(*wish).code == 0
    assert " comm_spawn(" in declared(tmp_path)
    done = mpiglot(*wish, "--exclude", "MPI_Comm_spawn*", "--exclude", "MPI_File_*")
    assert done.code == 0
    text = declared(tmp_path)
    assert " comm_spawn(" not in text
    assert " comm_split(" in text


def test_a_configuration_file_holds_the_lists(mpiglot: Run, tmp_path: Path) -> None:
    config = tmp_path / "lists.json"
    config.write_text(json.dumps({"include": ["MPI_Comm_*"], "exclude": ["MPI_Comm_spawn*"]}))
    out = tmp_path / "out"
    assert mpiglot("generate", "go", "--config", config, "-o", out).code == 0
    manifest = json.loads((out / MANIFEST).read_text())
    assert (manifest["include"], manifest["exclude"]) == (["MPI_Comm_*"], ["MPI_Comm_spawn*"])


@pytest.mark.parametrize(
    "text", ["", "[]", '{"includes": []}', '{"include": "MPI_*"}', '{"options": {"a": 1}}']
)
def test_a_bad_configuration_file_is_refused(mpiglot: Run, tmp_path: Path, text: str) -> None:
    config = tmp_path / "lists.json"
    config.write_text(text)
    done = mpiglot("generate", "go", "--config", config, "-o", tmp_path / "out")
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()


# --------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "klingon", "-o", "out"),
        ("generate", "cpp", "--target", "mpich-9.9", "-o", "out"),
        ("generate", "go", "--exclude", "MPI_T_*"),
        ("generate", "cpp", "--blueprint", "mpich-4.3.2"),
        ("generate", "all", "--target", "mpich-4.3.2"),
        ("generate", "go", "--option", "novalue", "-o", "out"),
        ("generate", "go", "--plugin", "/bin/true", "-o", "out"),
        ("generate", "cpp", "--blueprint", "nowhere.json", "-o", "out"),
    ],
)
def test_a_wish_that_makes_no_sense_is_a_usage_error_and_writes_nothing(
    program: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = program(*arguments)
    assert done.code == 2, done.err
    assert len(done.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_file_in_the_way_is_never_overwritten(mpiglot: Run, tmp_path: Path) -> None:
    mine = tmp_path / "mpiglot" / "mpi.hpp"
    mine.parent.mkdir()
    mine.write_text("// my own\n")
    done = mpiglot("generate", "cpp", "--target", "mpich-4.0.2", "-o", tmp_path)
    assert done.code == 2
    assert "mpi.hpp" in done.err
    assert contents(tmp_path) == {"mpiglot/mpi.hpp": b"// my own\n"}


def test_a_folder_that_cannot_be_written_is_an_environment_problem(
    mpiglot: Run, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    done = mpiglot("generate", "go", "-o", tmp_path / "file" / "out")
    assert done.code == 3
    assert len(done.err.splitlines()) == 1


def plugin(folder: Path, name: str, body: str) -> Path:
    path = folder / f"mpiglot-gen-{name}"
    path.write_text(f"#!{sys.executable}\nimport json, sys\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_a_foreign_generator_writes_through_the_same_door(mpiglot: Run, tmp_path: Path) -> None:
    body = (
        "asked = json.load(sys.stdin)\n"
        "text = '\\n'.join(f['name'] for f in asked['plan']['functions'])\n"
        "text += f\"\\n{asked['target']} {asked['options']['greeting']}\"\n"
        "text += f\"\\n{len(asked['blueprints'])} {asked['catalogue']['standard']}\"\n"
        "print(json.dumps({'protocol': 1, 'files': [{'path': 'names.txt', 'content': text}]}))"
    )
    made = plugin(tmp_path, "names", body)
    out = tmp_path / "out"
    done = mpiglot(
        *("generate", "names", "--plugin", made, "--target", "openmpi-4.1.4"),
        *("--option", "greeting=hello=you", "-o", out),
    )
    assert done.code == 0, done.err
    lines = (out / "names.txt").read_text().splitlines()
    assert "MPI_Send" in lines
    assert lines[-2] == "openmpi-4.1.4 hello=you"
    assert lines[-1].startswith("1 ")


def test_a_hostile_plugin_writes_nothing_anywhere(mpiglot: Run, tmp_path: Path) -> None:
    files = [{"path": "fine.txt", "content": ""}, {"path": "../../escaped.txt", "content": ""}]
    answer = json.dumps({"protocol": 1, "files": files})
    made = plugin(tmp_path, "evil", f"print({answer!r})")
    out = tmp_path / "a" / "b"
    done = mpiglot("generate", "evil", "--plugin", made, "-o", out)
    assert done.code == 3
    assert "escaped.txt" in done.err
    assert not out.exists()
    assert not list(tmp_path.rglob("escaped.txt"))


def test_all_languages_or_none(mpiglot: Run, tmp_path: Path, monkeypatch: Any) -> None:
    """A generator that fails leaves also what the others have made unwritten."""
    from mpiglot.generators.java import generator as java

    def fails(_: object) -> None:
        raise RuntimeError("no luck")

    monkeypatch.setattr(java, "generate", fails)
    done = mpiglot("generate", "all", "--target", "mpich-4.0.2", "-o", tmp_path / "out")
    assert done.code == 4
    assert not (tmp_path / "out").exists()


def test_two_runs_at_once_do_not_mix_their_files(tmp_path: Path, monkeypatch: Any) -> None:
    """One writes after the other: while the first is at it, the second has not begun to look."""
    order: list[str] = []
    first_is_in = threading.Event()
    real = output.read_manifest

    def read_manifest(folder: Path) -> Any:
        name = threading.current_thread().name
        order.append(f"{name} begins")
        if name == "first":
            first_is_in.set()
            time.sleep(0.3)  # without the lock the second would begin meanwhile
            order.append("first ends")
        return real(folder)

    monkeypatch.setattr(output, "read_manifest", read_manifest)
    write = functools.partial(output.write_tree, tmp_path / "out", [], {})
    first = threading.Thread(target=write, name="first")
    second = threading.Thread(target=write, name="second")
    first.start()
    assert first_is_in.wait(60)
    second.start()
    first.join(60)
    second.join(60)
    assert order == ["first begins", "first ends", "second begins"]


def test_an_interrupted_run_leaves_no_half_written_file(tmp_path: Path) -> None:
    """Interrupts the program at several moments; what is there is whole, and a rerun finishes."""
    out = tmp_path / "out"
    files = [{"path": f"{n}/file.txt", "content": f"{n}\n" * 1000} for n in "abcdef"]
    made = plugin(tmp_path, "six", f"print({json.dumps({'protocol': 1, 'files': files})!r})")
    arguments = ["generate", "six", "--plugin", str(made), "-o"]
    command = [sys.executable, "-m", "mpiglot", *arguments]
    subprocess.run([*command, str(tmp_path / "good")], timeout=guard(120), check=True)
    good = contents(tmp_path / "good")
    assert len(good) == 7
    for moment in ("_stage", "_refuse_foreign", "manifest_text"):
        program = (
            "import os, signal\n"
            "from mpiglot import cli\n"
            "from mpiglot.exchange import output\n"
            f"real = output.{moment}\n"
            "def stopped(*a, **k):\n"
            "    os.kill(os.getpid(), signal.SIGINT)\n"
            "    return real(*a, **k)\n"
            f"output.{moment} = stopped\n"
            f"raise SystemExit(cli.run(cli.command_group(), {[*arguments, str(out)]!r}))\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=guard(120)
        )
        assert done.returncode == 130, done.stderr
        assert done.stderr.splitlines() == ["mpiglot: interrupted."]
        there = contents(out) if out.exists() else {}
        assert not [p for p in there if ".mpiglot-staging" in p]
        assert all(good[p] == b for p, b in there.items() if p != MANIFEST)
    subprocess.run([*command, str(out)], timeout=guard(120), check=True)
    assert contents(out) == good


@pytest.mark.parametrize(
    "command", [("generate", "cpp"), ("generate", "go"), ("generate", "java"), ("package", "cpp")]
)
def test_a_conflict_that_matters_is_said_and_ends_with_1(
    mpiglot: Run, tiny: Tiny, command: tuple[str, str], tmp_path: Path
) -> None:
    name = {"name": "comm", "type": "MPI_Comm", "direction": "in", "role": "communicator"}
    rank = {"name": "rank", "type": "short *", "direction": "out", "role": "rank"}
    odd = {"name": "MPI_Comm_rank", "returns": "int", "parameters": [name, rank], "status": "links"}
    bad = tiny("bad.json", functions=[odd])
    target = ("--target", "mpich-4.0.2") if command[0] == "package" else ()
    below = ("--no-check",) if command[1] == "cpp" else ()  # the floor
    done = mpiglot(*command, "--blueprint", bad, *target, *below, "-o", tmp_path / "bad")
    said = "conflict: MPI_Comm_rank, parameter 2 type: short * in tiny-1.0, but int * was taken."
    assert said in done.err.splitlines()
    assert done.code == 1
    assert any((tmp_path / "bad").iterdir())
