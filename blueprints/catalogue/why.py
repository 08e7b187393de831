"""Which rule gave which fact: `engine.annotate` notes it here, for `mpiglot show --why`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from mpiglot.blueprints.model import Function, Parameter

# What is no fact: names, C types and what an installation has.
_NO_FACTS = frozenset(
    {"name", "type", "c_name", "returns", "parameters", "variadic", "status", "source", "pmpi"}
    | {"expansion", "macro"}
)


@dataclass(frozen=True, slots=True)
class Answer:
    """One fact of a function, or of one of its parameters, and what gave it."""

    parameter: str  # empty: of the function
    fact: str
    value: object
    by: str  # a rule, or the place where it is stated; empty: nobody knows


class Trace:
    """The last rule that set each fact."""

    def __init__(self) -> None:
        self._by: dict[tuple[str, str], str] = {}

    def note(self, parameter: Parameter | None, fact: str, by: str) -> None:
        """`by` gives `fact`; of two that give the same fact, the later one counts."""
        self._by[parameter.name if parameter else "", fact] = by

    def add(self, parameter: Parameter, fact: str, by: str) -> None:
        """`by` completes what has given `fact`."""
        self.note(parameter, fact, f"{self._by[parameter.name, fact]}; {by}")

    def answers(self, function: Function) -> Iterator[Answer]:
        """Every fact that `function` has: its own first, then those of each parameter."""
        subjects: list[tuple[str, Function | Parameter]] = [("", function)]
        subjects += [(p.name, p) for p in function.parameters]
        for name, subject in subjects:
            for f in fields(subject):
                value = getattr(subject, f.name)
                if f.name in _NO_FACTS or value in ("", None, False, []):
                    continue
                yield Answer(name, f.name, value, self._by.get((name, f.name), ""))
