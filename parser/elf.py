"""The little of an ELF file that is asked for: its machine, the name of a library, its symbols."""

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
_STRTAB, _SONAME, _RPATH, _RUNPATH = 5, 14, 15, 29
_SYMTAB, _DYNSYM = 2, 11  # kinds of sections


@dataclass(frozen=True)
class Elf:
    """What the dynamic section of a library or program says."""

    machine: str
    soname: str | None
    rpath: str | None = None
    runpath: str | None = None


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
        rpath=next((text(value) for tag, value in entries if tag == _RPATH), None),
        runpath=next((text(value) for tag, value in entries if tag == _RUNPATH), None),
    )


def _file_offset(address: int, loads: list[tuple[int, int, int]]) -> int:
    for start, position, length in loads:
        if start <= address < start + length:
            return position + address - start
    return address


def defined(path: Path, dynamic: bool = True) -> set[str]:
    """The symbols that a file defines: those it exports, or (not `dynamic`) all it has names of."""
    try:
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            return _defined(data, dynamic) if data[:4] == b"\x7fELF" else set()
    except (OSError, struct.error, IndexError, ValueError):
        return set()


def _defined(data: mmap, dynamic: bool) -> set[str]:
    wide = data[4] == 2
    order = "<" if data[5] == 1 else ">"
    start = struct.unpack_from(order + ("Q" if wide else "I"), data, 40 if wide else 32)[0]
    size, count = struct.unpack_from(order + "HH", data, 58 if wide else 46)
    header = order + ("IIQQQQIIQQ" if wide else "10I")
    sections = [struct.unpack_from(header, data, start + i * size) for i in range(count)]
    entry = order + ("IBBHQQ" if wide else "IIIBBH")
    step = struct.calcsize(entry)
    found: set[str] = set()
    for section in sections:
        if section[1] != (_DYNSYM if dynamic else _SYMTAB):
            continue
        strings = sections[section[6]]
        texts = data[strings[4] : strings[4] + strings[5]]
        for at in range(section[4], section[4] + section[5], step):
            fields = struct.unpack_from(entry, data, at)
            if fields[3 if wide else 5]:  # the section it is defined in
                found.add(
                    texts[fields[0] : texts.find(b"\0", fields[0])].decode("utf-8", "replace")
                )
    return found
