"""What is generated where: one unit per language and target, from inputs to a written folder."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mpiglot
from mpiglot.blueprints.errors import UsageError
from mpiglot.exchange import host
from mpiglot.exchange.output import (
    MANIFEST,
    Written,
    manifest_text,
    read_manifest,
    write_tree,
)
from mpiglot.generators.handwritten import CHECKOUT
from mpiglot.generators.inputs import Inputs
from mpiglot.generators.marks import ours
from mpiglot.generators.model import Atlas, File, Plan, Request
from mpiglot.generators.policy import Filters, apply_filters, left_out

GENERATED = CHECKOUT / "generated"

#: What is committed: language, target (none: one layer for every MPI), folder. A package of Go is
#: one folder, so that its generated files lie beside the handwritten ones. Of C++ one target is
#: committed (docs/decisions/one-committed-layer.md).
COMMITTED: tuple[tuple[str, str | None, str], ...] = (
    ("cpp", "mpich-4.0.2", "generated/cpp/mpich-4.0.2"),
    ("go", None, "go_runtime/low"),
    ("java", None, "generated/java"),
)
#: C++ targets whose declarations are listed in `generated/api` beside those of the committed one.
LISTED = ("openmpi-4.1.4", "mpich-5.0.2-abi")
#: Where the handwritten files of a language's output lie, which `generated/` does not repeat.
BESIDE = {"go": "go_runtime/low", "java": "java_runtime/low"}


@dataclass(slots=True)
class Unit:
    """One run of one generator, and the folder that gets its files."""

    language: str
    target: str | None
    folder: Path
    plugin: Path | None = None
    filters: Filters = field(default_factory=Filters)
    options: dict[str, str] = field(default_factory=dict)
    beside: str = ""  # a folder of the checkout whose files are left out


@dataclass(slots=True)
class Product:
    """What a unit's generator has made."""

    unit: Unit
    files: list[File]
    manifest: dict[str, Any]
    warnings: list[str]

    def written(self) -> list[File]:
        """The files of the unit's folder: all but the handwritten ones that lie in the checkout."""
        if not self.unit.beside:
            return self.files
        beside = CHECKOUT / self.unit.beside
        return [f for f in self.files if not _by_hand(beside / f.path)]

    def write(self, *, overwrite: bool = False) -> Written:
        """Makes the unit's folder hold it."""
        return write_tree(self.unit.folder, self.written(), self.manifest, overwrite=overwrite)

    def contents(self) -> dict[str, str]:
        """Every file, the manifest included, as it should stand in the folder."""
        files = self.written()
        out = {f.path: f.content for f in files}
        out[MANIFEST] = manifest_text(self.manifest, files)
        return out


def _by_hand(path: Path) -> bool:
    return path.is_file() and not ours(path.read_text(encoding="utf-8"))


def in_checkout() -> bool:
    """Whether this mpiglot runs from a checkout, with its committed output beside it."""
    return (CHECKOUT / "pyproject.toml").is_file() and GENERATED.is_dir()


def committed_units(languages: tuple[str, ...]) -> list[Unit]:
    """The units of the committed output in the given languages."""
    return [
        Unit(language, target, CHECKOUT / folder, beside=BESIDE.get(language, ""))
        for language, target, folder in COMMITTED
        if language in languages
    ]


def listed_units(languages: tuple[str, ...]) -> list[Unit]:
    """The units whose declarations `generated/api` lists: the committed ones and further."""
    return [*committed_units(languages), *_further_units(languages)]


def _further_units(languages: tuple[str, ...]) -> list[Unit]:
    return [Unit("cpp", target, Path()) for target in LISTED if "cpp" in languages]


def produce(
    unit: Unit, inputs: Inputs, atlas: Atlas | None = None, plan: Plan | None = None
) -> Product:
    """Runs the unit's generator in memory, for another atlas and plan than those of the inputs."""
    atlas, plan = atlas or inputs.atlas, plan or inputs.plan
    if unit.target is not None and unit.target not in {t.name for t in inputs.atlas.targets}:
        names = ", ".join(t.name for t in inputs.atlas.targets)
        raise UsageError(f"{unit.target} is not among the blueprints given ({names}).")
    request = Request(
        language=unit.language,
        atlas=atlas,
        plan=apply_filters(plan, unit.filters),
        target=unit.target,
        options=unit.options,
        tool_version=mpiglot.__version__,
        protocol=host.PROTOCOL,
    )
    foreign = unit.plugin is not None or unit.language not in (*host.BUILT_IN, *host.TOOLS)
    texts = inputs.texts([unit.target] if unit.target else None) if foreign else None
    response = host.run(request, unit.plugin, texts)
    response.warnings = sorted({*response.warnings, *left_out(request.plan)})
    manifest: dict[str, Any] = {
        "schema_version": 1,
        "generator": unit.plugin.name if unit.plugin else unit.language,
        "tool_version": mpiglot.__version__,
        "target": unit.target,
        "inputs": inputs.hashes(),
        "include": unit.filters.include,
        "exclude": unit.filters.exclude,
        "options": dict(sorted(unit.options.items())),
        "warnings": response.warnings,
    }
    return Product(unit, response.files, manifest, response.warnings)


def listed_products(committed: list[Product], inputs: Inputs) -> list[Product]:
    """The committed products, and those that are only made for their declarations."""
    languages = tuple({product.unit.language for product in committed})
    return [*committed, *(produce(unit, inputs) for unit in _further_units(languages))]


def differences(product: Product) -> Iterator[str]:
    """Unified diff lines from what stands in the folder to what would be generated now."""
    folder = product.unit.folder
    listed = (read_manifest(folder) or {}).get("files", {})
    wanted = product.contents()
    for path in sorted({*wanted, *listed}):
        there = folder / path
        try:
            before = there.read_text(encoding="utf-8") if there.is_file() else ""
        except UnicodeDecodeError:
            before = "(not text)\n"
        after = wanted.get(path, "")
        if before != after or there.is_file() != (path in wanted):
            name = f"{folder.name}/{path}"
            yield from difflib.unified_diff(
                before.splitlines(),
                after.splitlines(),
                name if there.is_file() else "/dev/null",
                name if path in wanted else "/dev/null",
                lineterm="",
            )


def committed_warnings(target: str | None) -> dict[str, list[str]]:
    """What the generators could not express, by language, as the committed manifests tell."""
    out: dict[str, list[str]] = {}
    for language, of, folder in COMMITTED:
        if of is None or of == target:
            try:
                manifest = read_manifest(CHECKOUT / folder)
            except UsageError:
                continue
            if manifest and manifest.get("warnings"):
                out[language] = list(manifest["warnings"])
    return out
