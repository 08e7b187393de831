"""`mpiglot show`: what an MPI has, or everything about one function, constant or type."""

from __future__ import annotations

from typing import Any

import click

from mpiglot.blueprints.errors import UsageError
from mpiglot.commands import _proof as proof
from mpiglot.commands._common import answer, answer_json
from mpiglot.commands._installed import installed, installed_if_any
from mpiglot.exchange.produce import committed_warnings
from mpiglot.generators.inputs import Named, blueprint, looks_like_blueprint
from mpiglot.provision.matrix import matrix
from mpiglot.views import api, explain, explain_set, explain_why, report


@click.command()
@click.argument("what", nargs=-1, metavar="[BLUEPRINT|NAME|-] [SYMBOL]")
@click.option("--why", is_flag=True, help="Tell of each fact of SYMBOL which rule gave it.")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def show(what: tuple[str, ...], why: bool, as_json: bool) -> None:
    """Shows what an MPI has, and what of it is not generated and why.

    The MPI is a blueprint file, a known MPI (mpich-4.0.2), - for a blueprint on standard input, or
    else the one that is installed. With a SYMBOL (MPI_Gatherv, MPI_ANY_SOURCE, MPI_Status, or a
    value set such as thread_level) it explains that one; with --why, it tells for every fact of a
    function or callback type (direction, length, family, version ...) which rule gave it, or where
    it is stated.
    """
    named, symbol = _subjects(what)
    if why:
        _why(named, symbol, as_json)
        return
    if symbol is None:
        chosen = named or installed()
        overview = report.overview(chosen, _all_warnings(chosen))
        if as_json:
            answer_json(report.as_json(overview))
        else:
            answer(report.as_text(overview))
        return
    chosen_or_none = named or installed_if_any()
    values = explain_set.find(symbol)
    if values is not None:
        if as_json:
            answer_json(explain_set.as_json(values, chosen_or_none))
        else:
            answer(explain_set.as_text(values, chosen_or_none))
        return
    explanation = explain.explain(symbol, chosen_or_none)
    explanation.forms = api.forms(symbol, chosen_or_none)
    explanation.warnings = _warnings(symbol, chosen_or_none)
    explanation.defects = _defects(symbol)
    if as_json:
        answer_json(explain.as_json(explanation))
    else:
        answer(explain.as_text(explanation))


def _why(named: Named | None, symbol: str | None, as_json: bool) -> None:
    if symbol is None:
        raise UsageError("--why needs the name of a function: mpiglot show --why MPI_Send")
    if explain_set.find(symbol) is not None:
        raise UsageError(f"--why explains functions and callback types; {symbol} is a value set.")
    explanation = explain.explain(symbol, named)
    found = explain_why.reasons(explanation, named)
    if as_json:
        answer_json(explain_why.as_json(explanation, found))
    else:
        answer(explain_why.as_text(explanation, found))


def _subjects(what: tuple[str, ...]) -> tuple[Named | None, str | None]:
    if len(what) > 2:
        raise UsageError("show takes a blueprint and a name at most.")
    if not what:
        return None, None
    if len(what) == 2:
        return blueprint(what[0]), what[1]
    if looks_like_blueprint(what[0]):
        return blueprint(what[0]), None
    return None, what[0]


def _defects(symbol: str) -> list[dict[str, Any]]:
    return [
        {
            "id": one.id,
            "mpis": list(one.mpis),
            "does": list(one.does),
            "when": one.when,
            "instead": one.instead.get(symbol),
            "cpp": list(one.cpp) if one.cpp else None,
            "reason": one.reason,
        }
        for one in matrix().defects_in(symbol)
    ]


def _all_warnings(named: Named | None) -> dict[str, list[str]]:
    """What the generators could not express, as the committed output and this MPI's C++ tell."""
    if named is None:
        return committed_warnings(None)
    out = committed_warnings(named.name)
    if own := [f"{name}: {reason}" for name, reason in proof.recall(named).items()]:
        out["cpp"] = sorted({*out.get("cpp", []), *own})
    return out


def _warnings(symbol: str, named: Named | None) -> dict[str, str]:
    out: dict[str, str] = {}
    for language, sentences in _all_warnings(named).items():
        for sentence in sentences:
            name, _, reason = sentence.partition(":")
            if name == symbol:
                out[language] = reason.strip()
    return out
