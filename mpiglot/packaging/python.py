"""The tool's own package: wheel and source distribution, made in a checkout by setuptools."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem, MpiglotError
from mpiglot.exchange.produce import in_checkout
from mpiglot.generators.handwritten import CHECKOUT
from mpiglot.generators.inputs import Inputs
from mpiglot.packaging.archive import steady_sdist, steady_wheel
from mpiglot.packaging.contents import DESCRIPTION, Package, description, filled

TITLE = "mpiglot, the tool"
_FILES = ("pyproject.toml", "README.md", "LICENSE")
_BUILD = """\
import sys
from setuptools import build_meta
folder = sys.argv[1]  # setuptools puts arguments of its own in their place
build_meta.build_sdist(folder)
build_meta.build_wheel(folder)
"""


def package(inputs: Inputs) -> Package:
    """Wheel and sdist; both hold the description, with the hashes of the blueprints in them."""
    if not in_checkout():
        raise EnvironmentProblem(
            "the Python package is made in a checkout of mpiglot, and this mpiglot is an installed "
            "one: that wheel is the package."
        )
    told = description(TITLE, inputs.hashes())
    out = Package("python")
    with tempfile.TemporaryDirectory(prefix="mpiglot-python-") as name:
        copy, made = Path(name) / "copy", Path(name) / "made"
        _copy(copy)
        (copy / "mpiglot" / DESCRIPTION).write_text(told, encoding="utf-8")
        made.mkdir()
        _build(copy, made)
        for path in made.iterdir():
            steady = steady_wheel if path.suffix == ".whl" else steady_sdist
            out.files[path.name] = steady(path.read_bytes())
    out.add("README.md", filled("python/README.md.in", {}))
    out.add(DESCRIPTION, told)
    return out


def _copy(copy: Path) -> None:
    """The part of the checkout that goes into the package: building leaves traces beside it."""
    unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info", "target", "build")
    shutil.copytree(CHECKOUT / "mpiglot", copy / "mpiglot", ignore=unwanted)  # follows its links
    for file in _FILES:
        shutil.copy(CHECKOUT / file, copy)


def _build(copy: Path, made: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _BUILD, str(made)],
        cwd=copy,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    if "No module named 'setuptools'" in done.stdout:
        raise EnvironmentProblem(
            f"the Python package needs setuptools, which {sys.executable} does not have; "
            "install setuptools 77 or later."
        )
    if done.returncode != 0:
        said = done.stdout.strip().splitlines() or [f"exit code {done.returncode}"]
        raise MpiglotError(f"setuptools could not build the Python package: {said[-1]}")
