"""Archives that are the same, byte for byte, whenever and from wherever they are made."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterable
from datetime import datetime, timezone

from mpiglot.packaging.contents import Files

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say
_CHECKSUMS = ("md5", "sha1", "sha256", "sha512")


def _mode(mode: int) -> int:
    """What is kept of a file's mode: the rest is the umask of whoever made the file."""
    return 0o755 if mode & 0o100 else 0o644


def packed(files: Files, first: str | None = None) -> bytes:
    """A zip of `files` in the order of their names; `first`, if given, comes before all others."""
    names = sorted(files, key=lambda n: (n != first, n))
    return _zipped((name, 0o644, files[name]) for name in names)


def _zipped(members: Iterable[tuple[str, int, bytes]]) -> bytes:
    """A zip of these names, modes and contents."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, mode, content in members:
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content)
    return out.getvalue()


def steady_wheel(content: bytes) -> bytes:
    """A wheel that says nothing of the time and the umask with which it was made."""
    with zipfile.ZipFile(io.BytesIO(content)) as source:
        return _zipped(
            (old.filename, _mode(old.external_attr >> 16), source.read(old))
            for old in source.infolist()
        )


def steady_sdist(content: bytes) -> bytes:
    """A source distribution that says nothing of the time, the umask and the user that made it."""
    out = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(content)) as source,
        gzip.GzipFile("", "wb", 9, out, mtime=0) as packed_file,
        tarfile.open(fileobj=packed_file, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for old in sorted(source, key=lambda member: member.name):
            entry = tarfile.TarInfo(old.name)
            entry.type, entry.size, entry.linkname = old.type, old.size, old.linkname
            entry.mode = 0o755 if old.isdir() else _mode(old.mode)
            entry.mtime = int(datetime(*_EPOCH, tzinfo=timezone.utc).timestamp())
            archive.addfile(entry, source.extractfile(old) if old.isfile() else None)
    return out.getvalue()


def jar(files: Files, attributes: dict[str, str]) -> bytes:
    """A jar with the given attributes in its manifest."""
    lines = ["Manifest-Version: 1.0", *(f"{key}: {value}" for key, value in attributes.items())]
    manifest = "".join(_folded(line) for line in lines) + "\r\n"
    name = "META-INF/MANIFEST.MF"
    return packed({**files, name: manifest.encode("utf-8")}, first=name)


def _folded(line: str) -> str:
    """A manifest's lines have at most 72 bytes; what follows begins with a space."""
    out = [line[:72]]
    rest = line[72:]
    while rest:
        out.append(" " + rest[:71])
        rest = rest[71:]
    return "\r\n".join(out) + "\r\n"


def checksums(name: str, content: bytes) -> Files:
    """The files of checksums that stand beside a file in a Maven repository."""
    return {
        f"{name}.{kind}": hashlib.new(kind, content).hexdigest().encode() for kind in _CHECKSUMS
    }


def go_sum(files: Files) -> str:
    """Go's hash "h1:" over the files of a module's zip (or over its go.mod alone)."""
    lines = "".join(f"{hashlib.sha256(files[n]).hexdigest()}  {n}\n" for n in sorted(files))
    return "h1:" + base64.b64encode(hashlib.sha256(lines.encode("utf-8")).digest()).decode("ascii")
