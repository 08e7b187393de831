"""Packages for Java, made afresh, and what the reports of projects that use them say."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.provision.toolchains import obtain_junit
from tests.packages.outside import ROOT, Words, environment, jdk, run

TOOLS = ROOT / ".tools"


def junit_console() -> Path:
    """The jar with all of JUnit."""
    try:
        return obtain_junit(TOOLS, print)
    except EnvironmentProblem as problem:
        pytest.skip(str(problem))


def packages(folder: Path) -> Path:
    """A repository with all artifacts, made now."""
    env = {**environment(folder / "home"), "JAVA_HOME": str(jdk())}
    words: Words = [sys.executable, "-m", "mpiglot", "package", "java", "--no-javadoc"]
    run(*words, "--junit", junit_console(), "-o", folder / "a repository", cwd=folder, env=env)
    return folder / "a repository"


def endings(report: Path) -> dict[str, str]:
    """The tests of a report by name, and how each ended: "" if well."""
    cases = ElementTree.parse(report).iter("testcase")
    return {case.get("name") or "": "".join(part.tag for part in _bad(case)) for case in cases}


def _bad(case: ElementTree.Element) -> list[ElementTree.Element]:
    return [part for part in case if part.tag in ("failure", "error", "skipped")]


def covered(report: Path) -> dict[str, int]:
    """How many lines of each method were executed, as JaCoCo reports it."""
    out = {}
    for method in ElementTree.parse(report).iter("method"):
        counter = method.find("counter[@type='LINE']")
        out[method.get("name") or ""] = 0 if counter is None else int(counter.get("covered") or 0)
    return out
