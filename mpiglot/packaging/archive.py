"""Zip archives that are the same, byte for byte, whenever and from wherever they are made."""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile

from mpiglot.packaging.contents import Files

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say
_CHECKSUMS = ("md5", "sha1", "sha256", "sha512")


def packed(files: Files, first: str | None = None) -> bytes:
    """A zip of `files` in the order of their names; `first`, if given, comes before all others."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files, key=lambda n: (n != first, n)):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, files[name])
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
