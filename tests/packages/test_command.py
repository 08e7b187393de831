"""`mpiglot package` tells what it wrote, and says in one sentence what it cannot do."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

import mpiglot
from mpiglot.cli import command_group, run
from mpiglot.packaging import java
from tests.packages.outside import ROOT


def _complaint(capsys: pytest.CaptureFixture[str], code: int, *words: str) -> str:
    assert run(command_group(), ["package", *words]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def test_it_tells_every_file_with_its_size(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "go"
    assert run(command_group(), ["package", "go", "-o", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    there = {str(p.relative_to(folder)): p.stat().st_size for p in folder.rglob("*") if p.is_file()}
    assert told["files"] == there
    assert told["atlas"] == json.loads((folder / "mpiglot-package.json").read_text())["atlas"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["rust"], "there is no package for rust: say cpp, go, java, python."),
        (["go", "--target", "mpich-4.0.2"], "--target is for cpp, not for go."),
        (["cpp", "--no-javadoc"], "--no-javadoc is for java, not for cpp."),
        (["go", "--aot-cache", "c.aot"], "--aot-cache is for java, not for go."),
        (["cpp", "--target", "nompi-1.0"], "nompi-1.0 is no known MPI (known: intelmpi-2021.14.2"),
        (["cpp", "--blueprint", "no-file.json"], "no-file.json is neither a file nor a known MPI"),
    ],
)
def test_what_makes_no_sense_is_refused(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sentence in _complaint(capsys, 2, *words)
    assert list(tmp_path.iterdir()) == []


def _pretended_jdk(folder: Path, version: str) -> Path:
    (folder / "bin").mkdir(parents=True)
    for name in ("java", "javac"):
        (folder / "bin" / name).touch()
    (folder / "release").write_text(f'JAVA_VERSION="{version}"\n')
    return folder


@pytest.mark.parametrize(
    ("version", "cache", "code", "sentence"),
    [
        ("24.0.2", "c.aot", 3, "needs a JDK of version 25 or later, and {home} has version 24.0.2"),
        ("25.0.1", "", 2, "is a folder; name the file that becomes the AOT cache."),
        ("25.0.1", "a:b", 2, "the JVM takes no AOT cache with a : or a % in its name"),
    ],
)
def test_a_cache_that_cannot_be_made_is_refused_before_the_package_is(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    version: str,
    cache: str,
    code: int,
    sentence: str,
) -> None:
    home = _pretended_jdk(tmp_path / "jdk", version)
    monkeypatch.setenv("JAVA_HOME", str(home))
    package = tmp_path / "package"
    words = ["java", "-o", str(package), "--aot-cache", str(tmp_path / cache)]
    assert sentence.format(home=home) in _complaint(capsys, code, *words)
    assert not package.exists()


def test_a_folder_that_holds_something_is_left_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert f"{tmp_path} is not empty" in _complaint(capsys, 2, "go", "-o", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_file_is_no_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    assert f"{file} is a file" in _complaint(capsys, 2, "go", "-o", str(file))
    assert f"{file} is a file" in _complaint(capsys, 2, "go", "-o", str(file / "below"))


def test_a_folder_that_cannot_be_written_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "/proc/nothing cannot be written" in _complaint(capsys, 3, "go", "-o", "/proc/nothing")


def test_an_empty_folder_becomes_the_package(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run(command_group(), ["package", "go", "-o", str(tmp_path / "empty")]) == 0
    assert (tmp_path / "empty" / "README.md").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_without_a_jdk_the_java_package_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(java, "find_jdk", lambda environment: None)
    said = _complaint(capsys, 3, "java", "-o", str(tmp_path / "out"))
    assert "needs a JDK of version 22 or later" in said


def test_without_javadoc_the_java_package_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "jdk"
    (home / "bin").mkdir(parents=True)
    for name in ("java", "javac"):
        (home / "bin" / name).touch(mode=0o755)
    (home / "release").write_text('JAVA_VERSION="25"\n')
    monkeypatch.setitem(os.environ, "JAVA_HOME", str(home))
    said = _complaint(capsys, 3, "java", "-o", str(tmp_path / "out"))
    assert f"{home} has no javadoc; set JAVA_HOME to a full JDK, or pass --no-javadoc." in said


def test_the_pom_that_maven_builds_with_has_the_one_version() -> None:
    pom = ElementTree.parse(ROOT / "java_runtime" / "pom.xml")
    assert pom.findtext("{http://maven.apache.org/POM/4.0.0}version") == mpiglot.__version__
