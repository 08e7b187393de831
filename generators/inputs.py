"""What a command works on: the catalogue, and blueprints by file or by the name of a known MPI."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import mpiglot.blueprints
from mpiglot.blueprints import catalogue
from mpiglot.blueprints.check import load_checked
from mpiglot.blueprints.errors import UsageError
from mpiglot.blueprints.model import Blueprint, load
from mpiglot.generators.atlas import build_atlas
from mpiglot.generators.marks import digest
from mpiglot.generators.model import Atlas, Plan
from mpiglot.generators.plan import build_plan

KNOWN = Path(str(mpiglot.blueprints.__file__)).resolve().parent / "known"


def known() -> dict[str, Path]:
    """The committed blueprints by name ("mpich-4.0.2")."""
    return {path.stem: path for path in sorted(KNOWN.glob("*.json"))}


@dataclass(slots=True)
class Named:
    """A blueprint under the name it has among the targets."""

    name: str
    blueprint: Blueprint
    source: Path | str  # the file it came from, or its text

    def text(self) -> str:
        """The file as it is."""
        if isinstance(self.source, str):
            return self.source
        return self.source.read_text(encoding="utf-8")


def looks_like_blueprint(argument: str) -> bool:
    """Whether an argument means a blueprint, rather than a function or a constant."""
    return argument == "-" or argument in known() or argument.endswith(".json") or "/" in argument


def blueprint(argument: str) -> Named:
    """The blueprint that `argument` names: a file, "-" for standard input, or a known MPI."""
    if argument == "-":
        return of_text(sys.stdin.buffer.read().decode("utf-8", "replace"), "stdin")
    path = Path(argument)
    if not path.is_file() and argument in known():
        return _known(argument, known()[argument])
    if not path.exists():
        raise UsageError(f"{argument} is neither a file nor a known MPI{_instead(argument)}.")
    return _named(path.stem, load_checked(path), path)


@cache
def _known(name: str, path: Path) -> Named:
    """A committed blueprint, read once; the tests have checked it, so it is not checked again."""
    return Named(name, load(Blueprint, path), path)


def of_text(text: str, fallback: str) -> Named:
    """The blueprint in `text`; called `fallback` if it does not say what it is of."""
    return _named(fallback, load_checked(text), text)


def _named(fallback: str, found: Blueprint, source: Path | str) -> Named:
    """A file gets the name of what is in it, as the known ones have it."""
    mpi = found.mpi
    vendor = "".join(c for c in mpi.vendor.lower() if c.isalnum())
    if not vendor or vendor == "unknown" or not mpi.version:
        plain = re.sub(r"[^A-Za-z0-9_+-]+", "-", fallback).strip("-")
        return Named(plain or "blueprint", found, source)
    suffix = "-abi" if mpi.abi == "abi" else ""
    suffix += "-ilp32" if found.platform.data_model == "ILP32" else ""
    return Named(f"{vendor}-{mpi.version}{suffix}", found, source)


def _instead(argument: str) -> str:
    names = list(known())
    close = difflib.get_close_matches(argument, names, n=3, cutoff=0.5) or names
    return f" (known: {', '.join(close)})" if close else ""


@dataclass(slots=True)
class Texts:
    """The files the request was made from, as JSON text: a foreign generator gets them too."""

    catalogue: str = "{}"
    blueprints: dict[str, str] | None = None  # by name


@dataclass
class Inputs:
    """Catalogue and blueprints, and what follows from them; computed when first asked for."""

    blueprints: list[Named] = field(default_factory=list)

    @classmethod
    def of_known(cls, *extra: Named) -> Inputs:
        """All known blueprints, and further ones (which take the place of a known one's name)."""
        named = {name: _known(name, path) for name, path in known().items()}
        named.update({n.name: n for n in extra})
        return cls([named[name] for name in sorted(named)])

    @cached_property
    def atlas(self) -> Atlas:
        return build_atlas(catalogue.load(), [(n.name, n.blueprint) for n in self.blueprints])

    @cached_property
    def plan(self) -> Plan:
        return build_plan(self.atlas)

    def texts(self, targets: Iterable[str] | None = None) -> Texts:
        """The files themselves, as a foreign generator gets them."""
        wanted = None if targets is None else set(targets)
        chosen = [n for n in self.blueprints if wanted is None or n.name in wanted]
        return Texts(catalogue.PATH.read_text(encoding="utf-8"), {n.name: n.text() for n in chosen})

    def hashes(self) -> dict[str, str]:
        """What went in, for the manifest."""
        out = {"catalogue": digest(catalogue.PATH.read_text(encoding="utf-8"))}
        out.update({n.name: digest(n.text()) for n in self.blueprints})
        return out


def printable(text: str) -> str:
    """Text from a file, safe to show on a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def say(sentence: str) -> None:
    """Tells the user something that is no answer."""
    print(printable(sentence), file=sys.stderr)
