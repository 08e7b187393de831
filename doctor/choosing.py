"""Which installation to examine: the one a user means, even where it does not work."""

from __future__ import annotations

from collections.abc import Mapping

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.doctor import variables
from mpiglot.doctor.model import Finding
from mpiglot.doctor.shell import Shell
from mpiglot.parser.find import choose, discover, first_wrapper
from mpiglot.parser.installation import Installation


def pick(spec: str | None, shell: Shell) -> Installation | None:
    """The installation to examine; findings where there is none, or not the one that is meant.

    Wrappers are looked at without the variables that could make them fail: those are to be found
    out later, with the installation that is meant, not to lead to another one.
    """
    env = variables.for_choosing(shell.given)
    shell.diagnosis.installations = discover(env)
    if spec is None and env.get("MPICC"):
        found = _try(None, env, shell.given)
        if isinstance(found, Installation):
            return found
        message = f"{str(found).split(';')[0]}."
        shell.add(Finding("mpicc-variable", "error", message, "unset MPICC", ("MPICC",)))
        env = variables.without(env, ["MPICC"])
    if spec is None:
        first = first_wrapper(env)
        if first is not None:
            found = _try(str(first), env, shell.given)
            if isinstance(found, Installation):
                return _as_default(found, env)
            shell.add(_unusable(found, shell))
    found = _try(spec, env, shell.given)
    if isinstance(found, Installation):
        return found
    shell.add(_unusable(found, shell))
    return None


def _try(
    spec: str | None, env: Mapping[str, str], given: Mapping[str, str]
) -> Installation | EnvironmentProblem:
    """Chooses without the disturbing variables, then with them (some wrappers need them)."""
    try:
        return choose(spec, env)
    except EnvironmentProblem as problem:
        if spec is None:
            return problem
        try:
            return choose(spec, given)
        except EnvironmentProblem:
            return problem


def _as_default(found: Installation, env: Mapping[str, str]) -> Installation:
    """The installation with the reason that `choose` gives without a name."""
    try:
        chosen = choose(None, env)
    except EnvironmentProblem:
        return found
    return chosen if chosen.wrapper == found.wrapper else found


def _unusable(problem: EnvironmentProblem, shell: Shell) -> Finding:
    known = shell.diagnosis.installations
    usable = [one for one in known if one.problem is None]
    text = str(problem)
    message = text if text.endswith(".") else f"{text}."
    if usable:
        fix = f"mpiglot doctor {' '.join(usable[0].command[:1])}"
        return Finding("wrapper-unusable", "error", message, fix)
    if known:
        return Finding("wrapper-unusable", "error", message, "sudo apt install gcc")
    return Finding("no-mpi", "error", message, "sudo apt install mpich libmpich-dev")
