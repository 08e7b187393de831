"""What people state of each name because no rule can know it; a missing statement is refused."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase

from mpiglot.blueprints.catalogue.vocabulary import FAMILIES
from mpiglot.blueprints.errors import UsageError
from mpiglot.blueprints.model import Function

SOURCE = "blueprints/catalogue/overlay.json"
RULES = "blueprints/catalogue/structure.py"
LINES = "blueprints/catalogue/docs.json"


def where_stated(table: str) -> str:
    """The place of a fact that no rule gives."""
    return f'stated, in {SOURCE} under "{table}"'


class Table:
    """One table of the overlay: headings, and the names that stand under each."""

    def __init__(
        self,
        title: str,
        rows: Mapping[str, Iterable[str]],
        known: Collection[str],
        source: str = SOURCE,
    ):
        self.title = title
        self.source = source
        self._headings: dict[str, str] = {}
        for heading, names in rows.items():
            for name in names:
                self._add(heading, name, known)

    def _add(self, heading: str, name: str, known: Collection[str]) -> None:
        if name not in known:
            raise UsageError(
                f'{self.source}: "{self.title}" lists {name} under "{heading}", but nothing is '
                "called so."
            )
        if name in self._headings:
            raise UsageError(
                f'{self.source}: "{self.title}" lists {name} twice, under "{self._headings[name]}" '
                f'and "{heading}".'
            )
        self._headings[name] = heading

    def get(self, name: str) -> str | None:
        return self._headings.get(name)

    def required(self, name: str) -> str:
        """The heading of `name`; refuses a name without one."""
        for sentence in self.missing(name):
            raise UsageError(sentence)
        return self._headings[name]

    def missing(self, name: str) -> list[str]:
        """What is to be said of a name without a heading."""
        if name in self._headings:
            return []
        return [f'{name} is missing under "{self.title}" in {self.source}.']


class Patterns:
    """One table of the overlay whose entries may be patterns ("MPI_T_*")."""

    def __init__(self, title: str, rows: Mapping[str, Iterable[str]], known: Collection[str]):
        self._rows = [(heading, p) for heading, patterns in rows.items() for p in patterns]
        for _, pattern in self._rows:
            if not any(fnmatchcase(name, pattern) for name in known):
                raise UsageError(f'{SOURCE}: "{title}" lists {pattern}, but nothing is called so.')

    def get(self, name: str) -> str | None:
        return next((heading for heading, p in self._rows if fnmatchcase(name, p)), None)


def check(function: Function, since: Table, families: Table) -> None:
    """Refuses a function of which a fact would be a default that nobody stated.

    One refusal has all that is missing, so that whoever adds a function is told once.
    """
    missing = [*since.missing(function.name), *families.missing(function.name)]
    if function.chapter in ("", "extensions"):
        missing.append(
            f"{function.name} has no chapter: no pattern of CHAPTERS in {RULES} matches it."
        )
    if not function.doc:
        missing.append(f"{function.name} has no line that says what it does in {LINES}.")
    if stated := families.get(function.name):
        missing += _contradictions(function, stated)
    if missing:
        raise UsageError("\n".join(missing))


def _contradictions(function: Function, stated: str) -> list[str]:
    family, _, collective = stated.partition(", ")
    if family not in FAMILIES or collective not in ("", "collective"):
        return [
            f'{function.name}: "{stated}" in {SOURCE} is no family; a family is '
            f'{", ".join(FAMILIES)}, and ", collective" may follow.'
        ]
    inferred = function.family + (", collective" if function.collective else "")
    if inferred == stated:
        return []
    return [f'{function.name}: {SOURCE} states "{stated}", the rules of {RULES} give "{inferred}".']
