"""Archives are the same bytes whenever, by whomever and under whatever umask they are made."""

from __future__ import annotations

import io
import tarfile
import zipfile

from mpiglot.packaging.archive import steady_sdist, steady_wheel

FILES = {"a/": 0o700, "a/program": 0o700, "a/text": 0o600}


def _wheel(year: int, umask: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, mode in FILES.items():
            if not name.endswith("/"):
                entry = zipfile.ZipInfo(name, (year, 2, 3, 4, 5, 6))
                entry.external_attr = (mode | 0o077 & ~umask) << 16
                archive.writestr(entry, name)
    return out.getvalue()


def _sdist(seconds: float, umask: int, user: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, mode in FILES.items():
            entry = tarfile.TarInfo(name.rstrip("/"))
            entry.mtime, entry.mode, entry.uname = seconds, mode | 0o044 & ~umask, user
            entry.type = tarfile.DIRTYPE if name.endswith("/") else tarfile.REGTYPE
            entry.size = 0 if entry.isdir() else len(name)
            archive.addfile(entry, io.BytesIO(name.encode()))
    return out.getvalue()


def test_a_wheel_depends_on_neither_time_nor_umask() -> None:
    steady = steady_wheel(_wheel(2020, 0o022))
    assert steady == steady_wheel(_wheel(2026, 0o077))
    with zipfile.ZipFile(io.BytesIO(steady)) as archive:
        modes = {one.filename: one.external_attr >> 16 & 0o777 for one in archive.infolist()}
        assert modes == {"a/program": 0o755, "a/text": 0o644}
        assert archive.read("a/text") == b"a/text"


def test_a_source_distribution_depends_on_neither_time_nor_umask_nor_user() -> None:
    steady = steady_sdist(_sdist(1e9 + 0.5, 0o022, "one"))
    assert steady == steady_sdist(_sdist(2e9, 0o077, "other"))
    with tarfile.open(fileobj=io.BytesIO(steady)) as archive:
        assert {one.name: one.mode for one in archive} == {
            "a": 0o755,
            "a/program": 0o755,
            "a/text": 0o644,
        }
        content = archive.extractfile("a/text")
        assert content is not None and content.read() == b"a/text"
