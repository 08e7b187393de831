"""Compiled templates are kept beside the compiled modules, and nobody depends on them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from mpiglot.generators.jinja import Compiled


def rendered(folder: Path, template: str = "{{ 6 * 7 }}") -> str:
    loader = DictLoader({"a": template})
    return (
        Environment(loader=loader, bytecode_cache=Compiled(str(folder))).get_template("a").render()
    )


@pytest.fixture(autouse=True)
def writing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def test_a_template_is_compiled_anew_when_it_has_changed(tmp_path: Path) -> None:
    assert rendered(tmp_path) == rendered(tmp_path) == "42"
    assert rendered(tmp_path, "changed") == "changed"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("kept", [0, 5, 40, -1])
def test_a_broken_file_is_replaced(kept: int, tmp_path: Path) -> None:
    assert rendered(tmp_path) == "42"
    (file,) = tmp_path.iterdir()
    good = file.read_bytes()
    file.write_bytes(good[:kept] + b"\xff" * (kept == 40))
    assert rendered(tmp_path) == "42"
    assert file.read_bytes() == good


def test_where_nothing_may_be_written_templates_are_compiled_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rendered(tmp_path / "not there") == "42"
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert rendered(tmp_path) == "42"
    assert list(tmp_path.iterdir()) == []
