"""`.gitattributes` marks exactly the generated files, so that reviews fold them away."""

from __future__ import annotations

import json
import subprocess

import pytest

from mpiglot.exchange.output import MANIFEST
from mpiglot.exchange.produce import COMMITTED
from tests.ci.test_imports import ROOT
from tests.limits import guard

pytestmark = pytest.mark.usefixtures("repository")

OTHERS = (
    "cpp_runtime/include/mpiglot/detail/base/defect_table.hpp",
    "cpp_runtime/include/mpiglot/operations/members/",
    "docs/reference/errors.md",
    "docs/reference/operations.md",
    "generated/api/",
)


def git(*words: str, given: str = "") -> list[str]:
    done = subprocess.run(
        ["git", "-c", "safe.directory=*", *words],
        cwd=ROOT,
        input=given,
        capture_output=True,
        text=True,
        timeout=guard(60),
        check=True,
    )
    return done.stdout.split("\0")[:-1]


def tracked() -> list[str]:
    return [name for name in git("ls-files", "-z") if (ROOT / name).is_file()]


def marked() -> set[str]:
    words = git("check-attr", "--stdin", "-z", "linguist-generated", given="\0".join(tracked()))
    return {name for name, value in zip(words[::3], words[2::3], strict=True) if value == "set"}


def generated() -> set[str]:
    """The files that the manifests list, the manifests, and what `ci/pages` and `api` write."""
    out = {name for name in tracked() if name.startswith(OTHERS)}
    goldens = (ROOT / "tests/generators/goldens").glob("*.hpp")
    out |= {path.relative_to(ROOT).as_posix() for path in goldens}
    for _, _, folder in COMMITTED:
        listed = json.loads((ROOT / folder / MANIFEST).read_text(encoding="utf-8"))["files"]
        out |= {f"{folder}/{name}" for name in (*listed, MANIFEST)}
    return out


def test_exactly_the_generated_files_are_marked() -> None:
    assert marked() ^ generated() == set()


def test_every_file_that_says_do_not_edit_at_its_top_is_marked() -> None:
    sources = {name for name in tracked() if name.endswith((".hpp", ".h", ".c", ".go", ".java"))}
    tops = {name: (ROOT / name).read_text(encoding="utf-8").splitlines()[:2] for name in sources}
    assert {name for name, top in tops.items() if "DO NOT EDIT" in "".join(top)} <= marked()
