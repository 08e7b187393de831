"""The digest of a jar's classes, in a class and beside it: an AOT cache keeps the class alone."""

from __future__ import annotations

import hashlib

from mpiglot.packaging.contents import Files

CLASS = "dev/mpiglot/low/Build.class"
RESOURCE = "dev/mpiglot/low/build.txt"
_BLANK = b"0" * 64


def stamp(classes: Files) -> Files:
    """The two files that tell the build of these classes, as java_runtime/build-common.sh does."""
    lines = sorted(f"{_digest(content)}  ./{name}\n" for name, content in classes.items())
    build = _digest("".join(lines).encode()).encode()
    if classes[CLASS].count(_BLANK) != 1:
        raise ValueError(f"{CLASS} has no place for the digest")
    return {CLASS: classes[CLASS].replace(_BLANK, build), RESOURCE: build}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
