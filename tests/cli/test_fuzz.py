"""Blueprints that nobody trusts: a command does its work or says one sentence."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mpiglot.blueprints.errors import MpiglotError
from mpiglot.exchange.host import checked
from mpiglot.exchange.output import write_tree
from mpiglot.generators.model import File, Response
from tests.tiers import in_turn

Run = Callable[..., Any]
Tiny = Callable[..., Path]

ROUNDS = 40
# Rounds of other mutations; one of them at the gate.
SEEDS = tuple(range(3))
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 2**31, 2**63, 2**64, 10**30, "", " ", "..", "/", "../../evil"),
    *(
        "a/b",
        "-o",
        "~",
        "$(id)",
        "`id`",
        "x\x00y",
        "x\ny",
        "\u2028",
        "\x1b[2J",
        '"',
        "\\",
        "*/",
        "//",
    ),
    *(
        "int",
        "int)",
        "class",
        "func",
        "MPI_Send",
        "void *",
        "%s",
        "{{ 7 * 7 }}",
        "{% raw %}",
        "\ud800",
    ),
    *([], {}, [[]], [{}], {"name": "MPI_X"}, ["MPI_X"], "x" * 5000),
)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every place of a JSON value that can be replaced: its container and key."""
    found: list[tuple[Any, Any]] = []
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        found.append((data, key))
        if isinstance(value, (dict, list)):
            found += places(value)
    return found


def mutated(data: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A copy with one to three values replaced, removed, doubled or added."""
    copy: dict[str, Any] = json.loads(json.dumps(data))
    for _ in range(chance.randint(1, 3)):
        container, key = chance.choice(places(copy))
        deed = chance.randrange(4)
        if deed == 0 and isinstance(container, dict):
            del container[key]
        elif deed == 1 and isinstance(container, list):
            container.append(container[key])
        elif deed == 2 and isinstance(container, dict):
            container[chance.choice(("name", "value", "type", "evil"))] = chance.choice(VALUES)
        else:
            container[key] = chance.choice(VALUES)
    return copy


def everything(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("seed", in_turn(SEEDS))
@pytest.mark.parametrize("language", ["cpp", "go", "java"])
def test_a_mutated_blueprint_gives_bindings_or_one_sentence(
    mpiglot: Run, tiny: Tiny, tmp_path: Path, language: str, seed: int
) -> None:
    chance = random.Random(f"blueprints for {language}, {seed}")
    good = json.loads(tiny().read_text())
    (tmp_path / "tiny.json").unlink()
    ended = {0: 0, 1: 0, 2: 0}
    for number in range(ROUNDS):
        path, out = tmp_path / "hostile.json", tmp_path / f"out{number}"
        path.write_text(json.dumps(mutated(good, chance)))
        done = mpiglot("show", path)
        if done.code == 0:
            done = mpiglot(
                "generate",
                language,
                "--blueprint",
                path,
                "--include",
                "MPI_Comm_rank",
                "-o",
                out,
                "--no-check",
            )
        assert done.code in ended, (done.code, done.err, path.read_text())
        ended[done.code] += 1
        assert "Traceback" not in done.err and "\x1b" not in done.err
        if done.code == 2:
            assert len(done.err.splitlines()) == 1
        assert all(p == path or p.is_relative_to(out) for p in everything(tmp_path))
        shutil.rmtree(out, ignore_errors=True)
    assert ended[0] > 0 and ended[2] > ROUNDS / 10


def test_the_answer_of_a_foreign_generator_stays_in_its_folder(tmp_path: Path) -> None:
    chance = random.Random("responses")
    pieces = (
        "a",
        "b",
        "..",
        ".",
        "",
        "/",
        "sub",
        "C:",
        "\\",
        "\n",
        ".git",
        "x" * 300,
        "é",
        "mpiglot-manifest.json",
    )
    outside, out = tmp_path / "outside", tmp_path / "out"
    outside.mkdir()
    written = 0
    for _ in range(2000):
        path = "/".join(chance.choice(pieces) for _ in range(chance.randint(1, 4)))
        try:
            answer = checked(Response([File(path, "evil\n")], [], 1), "mpiglot-gen-evil")
            write_tree(out, answer.files, {})
            written += 1
        except MpiglotError:
            continue
    assert written > 50
    assert all(p.is_relative_to(out) for p in everything(tmp_path))
