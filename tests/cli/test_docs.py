"""What the documents of these commands show is what the commands print."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from mpiglot import cli
from mpiglot.exchange import host
from mpiglot.exchange.schema import complaint

DOCS = Path(__file__).parents[2] / "docs" / "guide"
Run = Callable[..., Any]


def shown(document: str) -> list[tuple[str, str]]:
    """The commands whose whole output a document shows, with that output."""
    text = (DOCS / document).read_text(encoding="utf-8")
    return re.findall(r"<!-- output of: mpiglot (.*?) -->\n```\n(.*?)```\n", text, re.DOTALL)


def test_the_difference_in_the_document_is_the_one_diff_prints(mpiglot: Run) -> None:
    examples = shown("new-release.md")
    assert [command for command, _ in examples] == ["diff mpich-4.3.2 mpich-5.0.2"]
    for command, output in examples:
        done = mpiglot(*command.split())
        assert done.code == 1
        assert done.out == output


def test_what_the_document_says_of_the_difference_is_so(mpiglot: Run) -> None:
    data = mpiglot("diff", "mpich-4.3.2", "mpich-5.0.2", "--json").json()
    added = [
        c["name"] for c in data["changes"] if (c["subject"], c["kind"]) == ("functions", "added")
    ]
    assert len([n for n in added if n.endswith(("_toint", "_fromint"))]) == 22
    assert all("_Abi_" in n or n.endswith(("_toint", "_fromint")) for n in added)
    assert data["summary"]["types"]["changed"] == data["summary"]["functions"]["changed"] == 0
    assert "soname" not in [c["name"] for c in data["changes"] if c["subject"] == "installation"]
    for name in ("MPI_COMPLEX4", "MPI_INTEGER16", "MPI_REAL2"):
        before = next(c["before"] for c in data["changes"] if c["name"] == name)
        null = mpiglot("show", "mpich-4.3.2", "MPI_DATATYPE_NULL", "--json").json()
        assert int(before, 16) == null["here"]["value"]


@pytest.mark.parametrize("document", ["new-release.md", "plugins.md"])
def test_every_command_and_option_in_the_documents_exists(document: str) -> None:
    text = (DOCS / document).read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if "mpiglot" in line]
    group = cli.command_group()
    context = click.Context(group)
    for line in lines:
        words = line.partition("#")[0].split()
        name = words[[w.endswith("mpiglot") for w in words].index(True) + 1]
        command = group.get_command(context, name)
        assert command is not None, line
        known = {o for p in command.params for o in (*p.opts, *p.secondary_opts)}
        options = [w for w in words[1:] if w.startswith("-") and w != "-s"]
        assert set(options) <= known, line
    assert lines


def test_every_file_the_documents_link_to_exists() -> None:
    for document in ("new-release.md", "plugins.md"):
        text = (DOCS / document).read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#]+)\)", text):
            assert (DOCS / link).resolve().exists(), link


def test_the_protocol_in_the_document_is_the_one_spoken() -> None:
    text = (DOCS / "plugins.md").read_text(encoding="utf-8")
    assert f"| `protocol` | {host.PROTOCOL}." in text
    assert f"more than {host.TIME_LIMIT:g} seconds" in text
    example = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert example is not None
    assert complaint("response", json.loads(example.group(1))) is None
