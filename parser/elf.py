"""The little of an ELF file that is asked for: its machine, and the name of a library."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path

MACHINES = {
    3: "i386",
    21: "ppc64",
    22: "s390x",
    40: "arm",
    62: "x86_64",
    183: "aarch64",
    243: "riscv64",
}

_DYNAMIC = 2
_LOAD = 1
_STRTAB, _SONAME = 5, 14


@dataclass(frozen=True)
class Elf:
    """What the dynamic section of a library or program says."""

    machine: str
    soname: str | None


def read_elf(path: Path) -> Elf | None:
    """The ELF facts of a file, or None where it is not a readable ELF file."""
    try:
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            return _parse(data) if data[:4] == b"\x7fELF" else None
    except (OSError, struct.error, IndexError, ValueError):
        return None


def _parse(data: mmap) -> Elf:
    bits = 64 if data[4] == 2 else 32
    order = "<" if data[5] == 1 else ">"
    machine = struct.unpack_from(order + "H", data, 18)[0]
    if bits == 64:
        offset = struct.unpack_from(order + "Q", data, 32)[0]
        size, count = struct.unpack_from(order + "HH", data, 54)
        header, entry = order + "IIQQQQQQ", order + "qQ"
    else:
        offset = struct.unpack_from(order + "I", data, 28)[0]
        size, count = struct.unpack_from(order + "HH", data, 42)
        header, entry = order + "IIIIIIII", order + "iI"
    loads: list[tuple[int, int, int]] = []
    dynamic: tuple[int, int] | None = None
    for index in range(count):
        fields = struct.unpack_from(header, data, offset + index * size)
        if bits == 64:
            kind, _, position, address, _, length, _, _ = fields
        else:
            kind, position, address, _, length, _, _, _ = fields
        if kind == _LOAD:
            loads.append((address, position, length))
        elif kind == _DYNAMIC:
            dynamic = (position, length)
    entries: list[tuple[int, int]] = []
    if dynamic is not None:
        step = struct.calcsize(entry)
        for position in range(dynamic[0], dynamic[0] + dynamic[1], step):
            tag, value = struct.unpack_from(entry, data, position)
            if tag == 0:
                break
            entries.append((tag, value))
    strings = 0
    for tag, value in entries:
        if tag == _STRTAB:
            strings = _file_offset(value, loads)

    def text(at: int) -> str:
        start = strings + at
        return data[start : data.find(b"\0", start)].decode("utf-8", "replace")

    return Elf(
        machine=MACHINES.get(machine, f"machine {machine}"),
        soname=next((text(value) for tag, value in entries if tag == _SONAME), None),
    )


def _file_offset(address: int, loads: list[tuple[int, int, int]]) -> int:
    for start, position, length in loads:
        if start <= address < start + length:
            return position + address - start
    return address
