"""What the documents and the package say about dependencies is what is locked."""

from __future__ import annotations

import ast
import re
from importlib.metadata import version
from pathlib import Path

import pytest

from mpiglot.provision.obtain import checkout
from mpiglot.provision.toolchains import versions

ROOT = checkout() or Path.cwd()
LOCKED = dict(
    line.split("==")
    for line in (ROOT / "ci" / "requirements.lock").read_text(encoding="utf-8").splitlines()
    if "==" in line
)


@pytest.mark.parametrize("name", sorted(LOCKED))
def test_environment_has_the_locked_version(name: str) -> None:
    assert version(name) == LOCKED[name]


@pytest.mark.parametrize("name", sorted(LOCKED))
def test_locked_package_is_documented(name: str) -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    assert re.search(rf"\b{re.escape(name)}\b", text)


def test_documented_versions_are_the_locked_ones() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w, -]+) \| ([\d., ]+) \|", text, re.MULTILINE)
    said = {
        name: number
        for names, numbers in rows
        for name, number in zip(names.split(", "), numbers.split(", "), strict=False)
        if name in LOCKED
    }
    assert len(said) > 8
    assert said == {name: LOCKED[name] for name in said}
    for requirement in (versions()["java"]["runtime"], versions()["go"]["wheel"]):
        name, number = requirement.split("==")
        assert f"`{name}` {number}" in text
    assert f"`{versions()['java']['compiler'].rpartition(':')[0]}`" in text
    console, number = versions()["java"]["junit_console"].rsplit(":", 1)
    assert f"`{console}`, which is JUnit {versions()['java']['junit']}) | {number} |" in text
    assert f"`org.junit.jupiter:junit-jupiter-api` {versions()['java']['junit']}" in text
    for program in ("actionlint", "staticcheck"):
        assert f"| {program} | {versions()['go'][program].rpartition('@')[2]} |" in text


PROJECTS = ROOT / "tests" / "packages" / "consumers"


def test_versions_in_projects_of_maven_are_documented() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    pom = (PROJECTS / "maven" / "pom.xml").read_text(encoding="utf-8")
    plugins = dict(
        re.findall(
            r"<artifactId>(?:maven-)?(\w+)-(?:maven-)?plugin</artifactId>\s*<version>(.+?)<", pom
        )
    )
    names, numbers = re.search(r"in these projects: ([^|]+) \| ([^|]+) \|", text).groups()  # type: ignore[union-attr]
    said = dict(zip(names.split(", "), numbers.split(", "), strict=True))
    assert plugins.pop("jacoco") == versions()["java"]["jacoco"]
    assert f"| JaCoCo | {versions()['java']['jacoco']} |" in text
    assert said == plugins
    assert f"<version>{versions()['java']['junit']}</version>" in pom


@pytest.mark.parametrize("name", sorted(versions()["java"]["jars"]))
def test_jars_are_documented(name: str) -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    for artifact in versions()["java"]["jars"][name]:
        product, _, number = artifact.rpartition(":")
        assert re.search(rf"\(.*`{re.escape(product)}`.*\) \| {re.escape(number)} \|", text)


def test_every_dependency_of_the_package_is_locked() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lists = re.findall(r"^(?:dependencies|dev) = (\[.*?\])$", text, re.MULTILINE | re.DOTALL)
    wanted = {re.split(r"[<>=~]", one)[0] for found in lists for one in ast.literal_eval(found)}
    assert "libclang" in wanted
    assert wanted <= {name for name in LOCKED} | {name.lower() for name in LOCKED}
