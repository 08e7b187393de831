"""What is known about MPI vendors (`vendors.json`): whose an MPI is, how its programs run."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Vendor:
    """One vendor's rules; `data` is its entry of `vendors.json`."""

    key: str
    title: str
    abi: str
    data: Mapping[str, Any]

    def header_version(self, text: str, beside: str = "") -> str | None:
        """The version an `mpi.h` states, or None where it is not this vendor's.

        `beside` is the text of the further header that holds the version (SimGrid's).
        """
        rule = self.data["header"]
        mark = rule.get("mark")
        if mark is not None and mark not in text:
            return None
        values = [macro(beside or text, name) for name in rule["version"]]
        if rule.get("alternatives"):
            return next((value for value in values if value), None)
        if not values[0]:
            return "" if mark is not None else None
        return ".".join(value for value in values if value)

    def library_version(self, text: str) -> str | None:
        """The version in an MPI_Get_library_version text, or None where it is another vendor's."""
        match = re.search(self.data["library_version"], text)
        return match.group(1) if match else None

    def launcher_version(self, text: str) -> str | None:
        """The version in the output of `launcher --version`, or None where it is another's."""
        match = re.search(self.data["launcher_version"], text)
        return match.group(1) if match else None


@cache
def rules() -> Mapping[str, Any]:
    """The whole of `vendors.json`."""
    path = Path(__file__).with_name("vendors.json")
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


@cache
def vendors() -> tuple[Vendor, ...]:
    """All vendors, in the order in which they are to be tried (MPICH after those built on it)."""
    entries = rules()["vendors"]
    return tuple(Vendor(one["key"], one["title"], one["abi"], one) for one in entries)


@cache
def compiler_variables() -> tuple[str, ...]:
    """The variables that tell wrappers which C compiler to call."""
    lists: list[list[str]] = [one.data.get("compilers", {}).get("c", []) for one in vendors()]
    return tuple(dict.fromkeys(name for names in lists for name in names))


def vendor(key: str) -> Vendor | None:
    """The vendor of this key, None for one that is not known."""
    return next((one for one in vendors() if one.key == key), None)


def macro(text: str, name: str) -> str | None:
    """The value of an object-like macro in the text of a header, without quotes."""
    match = re.search(rf'^[ \t]*#[ \t]*define[ \t]+{name}[ \t]+"?([^"\s]+)"?', text, re.MULTILINE)
    return decimal(match.group(1)) if match else None


def decimal(value: str) -> str:
    """A number of a version macro as people write it: `0x04`, `(4)` and `4u` are 4."""
    match = re.fullmatch(r"\(*\s*(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\s*\)*", value)
    if match is None:
        return value
    digits = match.group(1)
    return str(int(digits, 16)) if digits[:2] in ("0x", "0X") else digits


def identify_library(text: str) -> tuple[str, str] | None:
    """Vendor key and version that a text of MPI_Get_library_version stands for."""
    for one in vendors():
        version = one.library_version(text)
        if version is not None:
            return one.key, version
    return None


def version_number(text: str) -> tuple[int, ...]:
    """A version as numbers that compare: "4.0.2" as (4, 0, 2), "3.4a2" as (3, 4)."""
    numbers = []
    for part in text.split("."):
        match = re.match(r"\d+", part)
        if match is None:
            break
        numbers.append(int(match.group()))
        if match.group() != part:
            break
    return tuple(numbers)


def same_version(one: str, other: str) -> bool:
    """Whether two versions agree as far as both go (Intel's launcher leaves out the last part)."""
    left, right = version_number(one), version_number(other)
    length = min(len(left), len(right))
    return left[:length] == right[:length]


def is_root() -> bool:
    """Whether this process runs as root (False where the system has no such notion)."""
    geteuid = getattr(os, "geteuid", None)
    return geteuid is not None and geteuid() == 0


def run_variables(
    key: str,
    version: str,
    prefix: Path | str,
    *,
    root: bool | None = None,
    oversubscribe: bool = True,
) -> dict[str, str]:
    """The variables with which programs of this MPI run here: the vendor's rules that apply.

    `root` is whether the programs run as root (None: as this process does), `oversubscribe`
    whether there may be more ranks than processors.
    """
    found = vendor(key)
    if found is None:
        return {}
    conditions = {
        "root": is_root() if root is None else root,
        "oversubscribe": oversubscribe,
    }
    number = version_number(version)
    result: dict[str, str] = {}
    for rule in found.data["environment"]:
        condition = rule.get("if")
        if condition is not None and not conditions[condition]:
            continue
        if "from" in rule and number < version_number(rule["from"]):
            continue
        if "before" in rule and number >= version_number(rule["before"]):
            continue
        for name, value in rule["set"].items():
            result[name] = value.replace("{prefix}", str(prefix))
    return result


def host_variables(hosts: Sequence[str], folder: Path) -> dict[str, str]:
    """The variables with which launchers of every vendor start ranks on these hosts in turn.

    They name lists of hosts that are written into `folder`.
    """
    result: dict[str, str] = {}
    for one in rules()["vendors"]:
        if "hosts" in one:
            file = folder / f"{one['key']}-hosts"
            lines = (one["hosts"]["line"].format(host=host) for host in hosts)
            file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            for name, value in one["hosts"]["set"].items():
                result[name] = value.format(file=file)
    return result


def launch_command(
    key: str, launcher: Path | str, ranks: int, folder: Path, exported: Iterable[str] = ()
) -> list[str]:
    """The command that starts `ranks` ranks; the program and its arguments are to be appended.

    `folder` is a scratch folder for what a launcher wants to read (SimGrid: platform and hosts).
    `exported` are variables that reach the ranks on other hosts, too.
    """
    found = vendor(key)
    data: Mapping[str, Any] = found.data if found else {}
    fields = {"launcher": str(launcher), "ranks": str(ranks), "folder": str(folder)}
    for name, text in data.get("files", {}).items():
        (folder / name).write_text(text.replace("{last}", str(ranks - 1)), encoding="utf-8")
    if "host_file" in data:
        name, line = data["host_file"]
        lines = (line.replace("{rank}", str(rank)) for rank in range(ranks))
        (folder / name).write_text("".join(lines), encoding="utf-8")
    pattern: list[str] = data.get("launch", ["{launcher}", "-n", "{ranks}"])
    words = [part.format(name=name) for name in exported for part in data.get("export", [])]
    return [*(part.format(**fields) for part in pattern), *words]
