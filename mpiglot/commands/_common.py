"""What several commands share: the MPI of this machine, and printing."""

from __future__ import annotations

import json
from typing import Any

import click

from mpiglot.generators.inputs import printable


def answer(text: str) -> None:
    """Prints an answer: data, on standard output, nothing a terminal would obey."""
    click.echo(printable(text))


def answer_json(data: Any) -> None:
    """Prints an answer for programs."""
    click.echo(json.dumps(data, indent=1, ensure_ascii=True))
