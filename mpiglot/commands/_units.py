"""The options `generate` and `check` share, and the units of work they name."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from mpiglot.blueprints.errors import UsageError
from mpiglot.commands._installed import installed
from mpiglot.exchange import produce
from mpiglot.exchange.host import BUILT_IN, TOOLS
from mpiglot.generators.inputs import Inputs, blueprint
from mpiglot.generators.policy import Filters

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(slots=True)
class Wish:
    """What the user asked for."""

    language: str
    blueprints: tuple[str, ...] = ()
    target: str | None = None
    output: Path | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    config: Path | None = None
    options: tuple[str, ...] = ()
    plugin: Path | None = None


def unit_options(function: F) -> F:
    """The options, in the order `--help` shows them."""
    path = click.Path(path_type=Path)
    for option in reversed(
        (
            click.option(
                "--blueprint",
                "blueprints",
                multiple=True,
                help="A blueprint beside the known ones (repeatable); for C++ the target.",
            ),
            click.option("--target", help="The MPI to generate for, by name; C++ needs one."),
            click.option("-o", "--output", type=path, help="The folder that gets the files."),
            click.option("--include", multiple=True, help="Only functions like this (MPI_File_*)."),
            click.option("--exclude", multiple=True, help="No functions like this; repeatable."),
            click.option("--config", type=path, help="A JSON file: include, exclude, options."),
            click.option("--option", "options", multiple=True, help="KEY=VALUE for the generator."),
            click.option("--plugin", type=path, help="The foreign generator's executable."),
        )
    ):
        function = option(function)
    return function


def units_of(wish: Wish) -> tuple[list[produce.Unit], Inputs]:
    """The runs the wish means, and what they read."""
    filters, options = _settings(wish)
    extra = [blueprint(b) for b in wish.blueprints]
    languages = BUILT_IN if wish.language == "all" else (wish.language,)
    if wish.output is None:
        return _committed(wish, languages, filters, options), Inputs.of_known(*extra)
    target: str | None = wish.target or (extra[-1].name if extra else None)
    if target is None and {"cpp", *TOOLS} & set(languages):
        here = installed()
        extra.append(here)
        target = here.name
    inputs = Inputs.of_known(*extra)
    plugin = _plugin(wish)
    units: list[produce.Unit] = []
    for language in languages:
        folder = wish.output / language if wish.language == "all" else wish.output
        # Go and Java serve every MPI with one build: they have no target.
        of = None if language in ("go", "java") else target
        units.append(produce.Unit(language, of, folder, plugin, filters, options))
    return units, inputs


def _plugin(wish: Wish) -> Path | None:
    if wish.plugin is None:
        return None
    if wish.language in (*BUILT_IN, *TOOLS, "all"):
        raise UsageError(f"--plugin is for a foreign generator, {wish.language} is built in.")
    return wish.plugin.resolve()


def _committed(
    wish: Wish, languages: tuple[str, ...], filters: Filters, options: dict[str, str]
) -> list[produce.Unit]:
    narrowed = any(
        (filters.include, filters.exclude, options, wish.plugin, wish.target)
        + ((wish.blueprints,) if "cpp" in languages else ())
    )
    foreign = any(language not in BUILT_IN for language in languages)
    if narrowed or foreign or not produce.in_checkout():
        raise UsageError("say where the files go: -o FOLDER.")
    return produce.committed_units(languages)


def _settings(wish: Wish) -> tuple[Filters, dict[str, str]]:
    """Filters and options, those of the configuration file first."""
    include: list[str] = []
    exclude: list[str] = []
    options: dict[str, str] = {}
    if wish.config is not None:
        include, exclude, options = _configuration(wish.config)
    include += wish.include
    exclude += wish.exclude
    for text in wish.options:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise UsageError(f"--option wants KEY=VALUE, not {text}.")
        options[key] = value
    return Filters(include, exclude), options


def _configuration(path: Path) -> tuple[list[str], list[str], dict[str, str]]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise UsageError(f"{path} is no JSON: {error}.") from error
    if not isinstance(data, dict) or set(data) - {"include", "exclude", "options"}:
        raise UsageError(f"{path} may have the keys include, exclude and options, and no others.")
    lists = [data.get("include", []), data.get("exclude", [])]
    options = data.get("options", {})
    if not all(isinstance(x, list) and all(isinstance(s, str) for s in x) for x in lists):
        raise UsageError(f"{path}: include and exclude are lists of patterns.")
    if not isinstance(options, dict) or not all(isinstance(v, str) for v in options.values()):
        raise UsageError(f"{path}: options has text values.")
    return list(lists[0]), list(lists[1]), dict(options)
