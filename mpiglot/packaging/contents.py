"""What packages are made of: the handwritten halves, the licence, what a package tells of itself.

The version has one source, `mpiglot.__version__`; CMake reads it from there, too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

import mpiglot
import mpiglot.templates
from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.generators.handwritten import CHECKOUT

DESCRIPTION = "mpiglot-package.json"
LICENCE = "BSD-3-Clause"
VERSION = mpiglot.__version__

#: A package's files by path; the order in which they were added does not matter.
Files = dict[str, bytes]


@dataclass(slots=True)
class Package:
    """One package, ready to be written."""

    language: str
    files: Files = field(default_factory=Files)
    remarks: list[str] = field(default_factory=list)  # what the user should know of it
    folders: list[str] = field(default_factory=list)  # those that are told of as a whole

    def add(self, path: str, text: str) -> None:
        self.files[path] = text.encode("utf-8")

    def sizes(self) -> dict[str, int]:
        """How many bytes each file has, or each folder that is told of as a whole."""
        out: dict[str, int] = {}
        for path, content in sorted(self.files.items()):
            place = next((f for f in self.folders if path.startswith(f)), path)
            out[place] = out.get(place, 0) + len(content)
        return out


def licence() -> str:
    """The licence's text."""
    path = CHECKOUT / "LICENSE"
    if path.is_file() and (CHECKOUT / "pyproject.toml").is_file():
        return path.read_text(encoding="utf-8")
    for file in metadata.files("mpiglot") or []:
        if file.name == "LICENSE":
            return file.read_text(encoding="utf-8")
    raise EnvironmentProblem("this installation of mpiglot lacks its licence; install it again.")


def filled(template: str, values: Mapping[str, str]) -> str:
    """A text of `templates/packages/` with its @NAME@s replaced, as CMake's configure_file does."""
    path = Path(str(mpiglot.templates.__file__)).parent / "packages" / template
    return fill(path.read_text(encoding="utf-8"), values)


def fill(text: str, values: Mapping[str, str]) -> str:
    """`text` with its @NAME@s replaced; the version is always known."""
    for name, value in {"PROJECT_VERSION": VERSION, **values}.items():
        text = text.replace(f"@{name}@", value)
    return text


def atlas_hash(inputs: Mapping[str, str]) -> str:
    """One hash over all that was generated from; cpp_runtime/cmake/install.cmake makes the same."""
    lines = "".join(f"{name} {inputs[name]}\n" for name in sorted(inputs))
    return "sha256:" + hashlib.sha256(lines.encode("utf-8")).hexdigest()


def description(title: str, inputs: Mapping[str, str]) -> str:
    """The file in every package that tells version, licence and what it was generated from."""
    data = {
        "package": title,
        "version": VERSION,
        "licence": LICENCE,
        "atlas": atlas_hash(inputs),
        "inputs": {name: inputs[name] for name in sorted(inputs)},
    }
    return json.dumps(data, indent=1) + "\n"
