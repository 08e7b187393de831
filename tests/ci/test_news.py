"""New MPI releases are found, measured and put into the matrix; the registry here is a fake one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mpiglot.provision import news
from mpiglot.provision.matrix import DATA, matrix, read
from mpiglot.provision.obtain import locate
from tests.limits import guard
from tests.tiers import matrix_run

ROOT = Path(__file__).parents[2]
FROM, NEW = "4.1.3", "4.1.9"
COPIED = ("blueprints", "ci", "doctor", "generators", "mpiglot", "parser", "provision", "templates")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder that is served as a registry, and the environment in which pip asks it."""
    folder = tmp_path / "registry"
    for mpi in matrix().mpis:
        for wheel in mpi.wheels:
            offer(folder, *wheel.split("=="))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")}
    environment |= {
        "PIP_INDEX_URL": f"http://127.0.0.1:{server.server_port}",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_CACHE_DIR": "1",
        "NO_PROXY": "127.0.0.1",
    }
    yield folder, environment
    server.shutdown()
    thread.join(10)


def offer(folder: Path, package: str, version: str) -> Path:
    """A wheel of the registry: empty here, filled by who needs it."""
    wheel = folder / package / f"{package.replace('-', '_')}-{version}-py3-none-any.whl"
    wheel.parent.mkdir(parents=True, exist_ok=True)
    wheel.touch()
    return wheel


def ask(environment: dict[str, str], *words: str, root: Path = ROOT) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "mpiglot.ci", "news", *words],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=guard(600),
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_newer_releases_are_news(registry: tuple[Path, dict[str, str]]) -> None:
    folder, environment = registry
    assert ask(environment)[:2] == (0, "The matrix has the newest releases.\n")
    for version in ("4.3.8", "4.3.9", "4.2.3", "9.0.0", "9.1.0rc1", "5.0.2.post1", "3.1.0"):
        offer(folder, "mpich", version)
    offer(folder, "impi-rt", "2099.1.0")
    code, out, _ = ask(environment, "--json")
    assert code == 1
    assert json.loads(out) == [
        {"name": "intelmpi-2099.1.0", "version": "2099.1.0", "newest_known": "2021.19.0"},
        {"name": "mpich-4.3.9", "version": "4.3.9", "newest_known": "4.3.2"},
        {"name": "mpich-9.0.0", "version": "9.0.0", "newest_known": "5.0.2"},
    ]


def test_a_registry_that_does_not_answer_is_one_sentence(
    registry: tuple[Path, dict[str, str]],
) -> None:
    folder, environment = registry
    shutil.rmtree(folder / "mpich")
    code, out, err = ask(environment)
    assert (code, out) == (3, "")
    assert "pip could not ask for the versions of mpich: ERROR" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", [mpi.name for mpi in matrix().mpis if mpi.wheels])
def test_an_entry_is_made_from_the_one_before(name: str) -> None:
    like = matrix().get(name)
    version = f"{like.version}99"
    text = news.with_entry(
        DATA.read_text(encoding="utf-8"), news.Release("p", version, like), matrix()
    )
    made = read(json.loads(text))
    parts = [mpi for mpi in matrix().mpis if name in (mpi.name, mpi.part_of)]
    assert len(made.mpis) == len(matrix().mpis) + len(parts)
    assert {mpi.name for mpi in matrix().mpis} < {mpi.name for mpi in made.mpis}
    new = made.get(name.replace(like.version, version))
    assert (new.version, new.level) == (version, "conformance")
    assert all(wheel.endswith(f"=={version}") for wheel in new.wheels)
    assert {made.get(p.name.replace(like.version, version)).part_of for p in parts[1:]} <= {
        new.name
    }


@pytest.mark.skipif(not matrix_run(), reason="in the matrix run: a minute, and the registry")
@pytest.mark.skipif(locate(matrix().get(f"mpich-{FROM}")) is None, reason="made from this MPI")
def test_a_new_release_becomes_an_entry_a_blueprint_and_a_page(
    registry: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    folder, environment = registry
    found = locate(matrix().get(f"mpich-{FROM}"))
    assert found is not None
    pack(found.prefix, offer(folder, "mpich", NEW))
    root = tmp_path / "checkout"
    for name in (*COPIED, "cpp_runtime", "go_runtime", "java_runtime", "generated"):
        shutil.copytree(ROOT / name, root / name, symlinks=True)
    for name in ("docs", "tests/cpp_runtime/mistakes", "pyproject.toml"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, root / name)
    environment |= {"PYTHONPATH": str(root), "MPIGLOT_MPI_DIR": str(tmp_path / "mpi")}

    code, out, err = ask(environment, "--add", root=root)
    assert (code, out) == (1, f"mpich-{NEW}              newest known: {FROM}\n"), err
    entries = read(json.loads((root / "provision/matrix.json").read_text(encoding="utf-8")))
    assert entries.get(f"mpich-{NEW}").wheels == (f"mpich=={NEW}",)
    blueprint = json.loads((root / f"blueprints/known/mpich-{NEW}.json").read_text("utf-8"))
    assert blueprint["mpi"]["version"] == NEW
    report = (root / f"build/news/mpich-{NEW}.md").read_text(encoding="utf-8")
    assert "No differences that a program can notice." in report
    releases = (root / "docs/reference/releases.md").read_text(encoding="utf-8")
    assert f"## mpich-{NEW} (MPICH {NEW}, MPI 4.0), after mpich-{FROM}" in releases
    assert f"next: ci/test --mpi mpich-{NEW}" in err


def pack(prefix: Path, wheel: Path) -> None:
    """An installation as a wheel of the new version, which the library reports as its own."""
    info = f"mpich-{NEW}.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in sorted(p for folder in ("bin", "include", "lib") for p in tree(prefix, folder)):
            data = path.read_bytes().replace(FROM.encode(), NEW.encode())
            entry = zipfile.ZipInfo(f"mpich-{NEW}.data/data/{path.relative_to(prefix)}")
            entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            archive.writestr(entry, data)
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: mpich\nVersion: {NEW}\n"
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")


def tree(prefix: Path, folder: str) -> list[Path]:
    return [p for p in (prefix / folder).rglob("*") if p.is_file() and "python" not in str(p)]
