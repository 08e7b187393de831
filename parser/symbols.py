"""Where the linker found each symbol: the answer of symbol tables where no program can be started.

It takes the place of `dladdr` in a running program: an address is known by name if a shared library
exports the symbol, and by nothing if the program itself holds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mpiglot.parser.elf import defined, read_elf

_PATH = re.compile(r"/[^()\n]*\.so(?:\.[\w.]+)?")


@dataclass(slots=True)
class Address:
    """Where an address lies."""

    symbol: str | None  # exported symbol of exactly this address
    library: str  # the file that holds it


def libraries(trace: str) -> list[Path]:
    """The shared libraries that a linker says it read (`-t`), as the loader will name them."""
    found: dict[Path, None] = {}
    for named in _PATH.findall(trace):
        path = Path(named)
        elf = read_elf(path)
        if elf is not None:
            folders = (path.parent, path.resolve().parent) if elf.soname else ()
            places = (folder / str(elf.soname) for folder in folders)
            found[next((place for place in places if place.exists()), path)] = None
    return list(found)


def addresses(keys: Iterable[str], program: Path, trace: str) -> dict[str, Address]:
    """Where the symbol of each key (`kind:name[:symbol]`) lies, as far as tables tell."""
    exported = [(str(path), defined(path)) for path in libraries(trace)]
    own = defined(program, dynamic=False)
    found: dict[str, Address] = {}
    for key in keys:
        symbol = key.rpartition(":")[2]
        library = next((path for path, names in exported if symbol in names), None)
        if library is not None:
            found[key] = Address(symbol, library)
        elif symbol in own:
            found[key] = Address(None, str(program))
    return found
