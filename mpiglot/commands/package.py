"""`mpiglot package`: what others install, for C++, Go, Java, and the tool itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.commands import _proof as proof
from mpiglot.commands._common import answer, answer_json
from mpiglot.commands._progress import progress
from mpiglot.exchange.produce import Product, Unit
from mpiglot.generators.conflicts import about
from mpiglot.generators.inputs import Inputs, Named, blueprint, say
from mpiglot.packaging import aot, output
from mpiglot.packaging.contents import VERSION, Package, atlas_hash

LANGUAGES = ("cpp", "go", "java", "python")
_CHECKSUMS = (".md5", ".sha1", ".sha256", ".sha512")  # too small to tell of


@click.command()
@click.argument("language", metavar="cpp|go|java|python")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    help="The folder that becomes the package.  [default: build/packages/LANGUAGE]",
)
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help="C++: only the layer for this MPI; repeatable.  [default: all known ones]",
)
@click.option(
    "--blueprint", "blueprints", multiple=True, help="Another MPI's blueprint; repeatable."
)
@click.option("--no-javadoc", is_flag=True, help="Java: leave out the javadoc.")
@click.option(
    "--junit",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="JAR",
    help="Java: also the extension for JUnit 5, compiled with this jar of JUnit.",
)
@click.option(
    "--aot-cache",
    "cache",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Java: also a cache from which JVMs of 25 or newer start sooner, for the MPI here.",
)
@click.option("--no-check", is_flag=True, help="C++: do not compile the layers.")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def package(
    language: str,
    folder: Path | None,
    targets: tuple[str, ...],
    blueprints: tuple[str, ...],
    no_javadoc: bool,
    junit: Path | None,
    cache: Path | None,
    no_check: bool,
    as_json: bool,
) -> int:
    """Makes a package that can be used without mpiglot (docs/guide/packages.md).

    \b
    cpp     a folder for CMake's find_package, with a layer for each known MPI
    go      a Go module in a folder that can be a module proxy
    java    jars, sources, javadoc and poms in a folder that can be a Maven repository
    python  wheel and source distribution of mpiglot itself

    Exit code 1 if blueprints disagree on how a function is called: each such conflict is said.

    --aot-cache runs a program of one rank, from the package that is written, with the MPI that
    MPIGLOT_MPI names or that is found. Make the cache again with each package.

    A layer of C++ is compiled (syntax only) where the MPI's compiler is. What does not compile is
    left out and named, with exit code 1. --no-check writes everything.
    """
    if language not in LANGUAGES:
        raise UsageError(f"there is no package for {language}: say {', '.join(LANGUAGES)}.")
    for given, option, of in (
        (targets, "--target", "cpp"),
        (no_javadoc, "--no-javadoc", "java"),
        (junit, "--junit", "java"),
        (cache, "--aot-cache", "java"),
        (no_check, "--no-check", "cpp"),
    ):
        if given and language != of:
            raise UsageError(f"{option} is for {of}, not for {language}.")
    if blueprints and language == "python":
        raise UsageError("--blueprint is for cpp, go and java: the tool has the known ones.")
    folder = folder or Path("build", "packages", language)
    output.check_folder(folder)
    if cache is not None:
        aot.check(cache)
    with progress("reading what is known of MPIs") as tell:
        extra = [blueprint(argument) for argument in blueprints]
        inputs = Inputs.of_known(*extra)
        wanted = _targets(inputs, targets, extra)
        tell(f"making the package for {language}")
        layers = _Layers(not no_check)
        made = _maker(language, inputs, wanted, not no_javadoc, junit, layers)()
    output.write(folder, made.files)
    for sentence in layers.left_out:
        say(f"cpp: {sentence}")
    for remark in made.remarks:
        say(f"{language}: {remark}")
    conflicts = about(inputs.atlas, wanted if language == "cpp" else None)
    for sentence in conflicts:
        say(f"conflict: {sentence}")
    _tell(folder, made, inputs, as_json)
    if cache is not None:
        say(f"java: the AOT cache {cache} is used by {aot.make(folder, cache)}")
    return 1 if conflicts or layers.left_out else 0


class _Layers:
    """Makes C++ layers of which everything compiles."""

    def __init__(self, checked: bool) -> None:
        self.checked = checked
        self.left_out: list[str] = []

    def make(self, unit: Unit, inputs: Inputs) -> Product:
        """The layer with its PMPI library, or without it where that is not possible."""
        try:
            made = proof.made(unit, inputs, self.checked)
        except EnvironmentProblem as problem:
            if unit.language != "pmpi":
                raise
            product = self.make(replace(unit, language="cpp"), inputs)
            self.left_out.append(f"{unit.target}: without its PMPI library: {problem}")
            return product
        self.left_out += [f"{unit.target}: {': '.join(one)}" for one in made.left_out.items()]
        return made.product


def _targets(inputs: Inputs, wanted: tuple[str, ...], extra: list[Named]) -> list[str]:
    """The MPIs to have C++ layers for: those named, or all; those of own blueprints always."""
    names = [n.name for n in inputs.blueprints]
    for name in wanted:
        if name not in names:
            raise UsageError(f"{name} is no known MPI (known: {', '.join(names)}).")
    return sorted({*(wanted or names), *(n.name for n in extra)})


def _maker(
    language: str,
    inputs: Inputs,
    targets: list[str],
    javadoc: bool,
    junit: Path | None,
    layers: _Layers,
) -> Callable[[], Package]:
    if language == "cpp":
        from mpiglot.packaging import cpp

        return lambda: cpp.package(inputs, targets, layers.make)
    if language == "go":
        from mpiglot.packaging import go

        return lambda: go.package(inputs)
    if language == "java":
        from mpiglot.packaging import java

        return lambda: java.package(inputs, javadoc, junit)
    from mpiglot.packaging import python

    return lambda: python.package(inputs)


def _tell(folder: Path, made: Package, inputs: Inputs, as_json: bool) -> None:
    atlas = atlas_hash(inputs.hashes())
    if as_json:
        data: dict[str, Any] = {
            "language": made.language,
            "version": VERSION,
            "atlas": atlas,
            "folder": str(folder),
            "files": {path: len(content) for path, content in sorted(made.files.items())},
        }
        answer_json(data)
        return
    total = _kilobytes(sum(made.sizes().values()))
    answer(f"{folder}: mpiglot {VERSION} for {made.language}, {len(made.files)} files, {total}")
    for place, size in made.sizes().items():
        if not place.endswith(_CHECKSUMS):
            answer(f"{_kilobytes(size):>10}  {place}")
    answer(f"generated from {atlas}")


def _kilobytes(size: int) -> str:
    return f"{size} B" if size < 1000 else f"{size / 1000:.1f} kB"
