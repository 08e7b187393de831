"""CONTRIBUTING's recipe for a function is enough: the files that it names, and its commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from mpiglot.ci.mutation import copied
from tests.limits import guard

ROOT = Path(__file__).parents[2]
# What the recipe says of each file, for a function of a version and a chapter of its own.
EDITS = {
    "prototypes.json": (
        '"functions": {\n',
        '  "MPI_Weather_get": {"returns": "int", "parameters": [["comm", "MPI_Comm"], '
        '["degrees", "int *"]]},\n',
    ),
    "docs.json": ("{\n", '"MPI_Weather_get": "Tells the weather.",\n'),
    "overlay.json": ('"since": {\n', '  "5.1": ["MPI_Weather_get"],\n'),
    "vocabulary.py": ('"4.1", "5.0"', ', "5.1"'),
    "structure.py": (
        "CHAPTERS: tuple[tuple[str, str], ...] = (\n",
        '    (r"weather_get", "groups"),\n',
    ),
    "surface.json": ('"groups": {\n', '      "MPI_Weather_get": {"absent": "not asked for"},\n'),
}


def run(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=root, capture_output=True, text=True, timeout=guard(120), check=False,
        env={**os.environ, "PYTHONPATH": str(root)},
    )  # fmt: skip


def test_a_function_needs_the_files_that_are_named(tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipe = text[text.index("**A function**") : text.index("**An operation**")]
    named = re.findall(r"^\d\. `((?:blueprints|generators)/[\w/.]+)`", recipe, re.MULTILINE)
    assert {Path(name).name for name in named} == EDITS.keys()
    root = tmp_path / "copy"
    copied(ROOT, root)
    for name in named:
        path = root / name
        before, after = EDITS[Path(name).name]
        old = path.read_text(encoding="utf-8")
        assert before in old, name
        path.write_text(old.replace(before, before + after, 1), encoding="utf-8")
    overlay = root / "blueprints/catalogue/overlay.json"
    old = overlay.read_text(encoding="utf-8")
    overlay.write_text(
        re.sub(r'("families": \{\s+"local": \[\s+)', r'\1"MPI_Weather_get", ', old),
        encoding="utf-8",
    )
    built = run(root, "-m", "mpiglot.blueprints.catalogue.build")
    assert built.returncode == 0, built.stderr
    generated = run(root, "-m", "mpiglot", "generate", "all")
    assert generated.returncode == 0, generated.stderr
    for language, name in (("cpp", "weather_get"), ("go", "WeatherGet"), ("java", "weatherGet")):
        assert name in (root / f"generated/api/{language}.txt").read_text(encoding="utf-8")
    tests = [f"tests/catalogue/test_{name}.py" for name in ("structure", "facts", "versions")]
    checked = run(root, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    assert checked.returncode == 0, checked.stdout[-3000:]
