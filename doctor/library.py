"""Which MPI library a program really loaded, and whether it is the one it was built for."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from mpiglot.blueprints import catalogue
from mpiglot.doctor.model import Finding, RankReport, Trial
from mpiglot.doctor.trial import loaded_libraries
from mpiglot.doctor.variables import unset, without
from mpiglot.parser.elf import read_elf
from mpiglot.parser.installation import Installation
from mpiglot.parser.vendors import identify_library, same_version, vendor

_MPI_LIBRARY = re.compile(r"lib(mpi|mpich|mpi_abi|pmpi|mpi_cray)\.(so|dylib)")
_CONSTANT = re.compile(
    r"^[ \t]*(?:#[ \t]*define[ \t]+)?(MPI_\w+)[ \t]*=?[ \t]*"
    r"(?:\([ \t]*\([\w \t*]+\)[ \t]*|\()?(-?(?:0x[0-9a-fA-F]+|\d+))\b",
    re.MULTILINE,
)


def family(report: RankReport) -> str:
    """The ABI family of the library that a rank loaded."""
    if "mpi_abi" in Path(report.library).name:
        return "abi"
    who = identify_library(report.library_version)
    rule = vendor(who[0]) if who else None
    if rule is not None:
        return rule.abi
    if report.symbols:
        return report.symbols
    return "mpich" if _MPI_LIBRARY.match(Path(report.library).name) else ""


def other_library(
    trial: Trial, chosen: Installation, program: Path, env: Mapping[str, str]
) -> Finding | None:
    """A finding where the program loaded another library than it was built with."""
    report = next((one for one in trial.reports if one.library), None)
    if report is None or chosen.library is None:
        return None
    loaded = Path(report.library)
    if os.path.realpath(loaded) == os.path.realpath(chosen.library):
        return None
    who = identify_library(report.library_version)
    title = _title(report)
    mine = family(report)
    expected = "mpich" if chosen.abi == "" else chosen.abi
    names, cause = _cause(chosen, program, env, loaded)
    same = who is not None and who[0] == chosen.vendor and same_version(who[1], chosen.version)
    built = f"The program was built with {chosen.release} ({chosen.library})"
    start = f"{built} but loads {title} ({loaded}){cause}"
    fix = _library_fix(names, env, chosen, loaded, cause)
    if mine and mine != expected:
        return Finding(
            "library-of-other-abi",
            "error",
            f"{start}, which has another binary interface: it crashes or computes nonsense.",
            fix,
            names,
        )
    if same:
        return Finding(
            "library-elsewhere", "info", f"{start}: the same release elsewhere.", "", names
        )
    if who is not None and who[0] == chosen.vendor:
        effect = "another release of the same MPI: what the header promises may be missing."
    else:
        effect = "binary compatible, but with another launcher and other settings."
    return Finding("library-other", "warning", f"{start}: {effect}", fix, names)


def _title(report: RankReport) -> str:
    who = identify_library(report.library_version)
    rule = vendor(who[0]) if who else None
    if who is None or rule is None:
        return report.library_version[:60] or "another library"
    return f"{rule.title} {who[1]}"


def _cause(
    chosen: Installation, program: Path, env: Mapping[str, str], loaded: Path
) -> tuple[tuple[str, ...], str]:
    """Which variable makes the loader take it: tried by asking the loader, not guessed."""
    preloaded = env.get("LD_PRELOAD", "")
    if any(os.path.realpath(part) == os.path.realpath(loaded) for part in _parts(preloaded)):
        return ("LD_PRELOAD",), " because LD_PRELOAD names it"
    soname = chosen.soname or ""
    here = loaded_libraries(program, env).get(soname)
    if here is None or os.path.realpath(here) != os.path.realpath(loaded):
        return (), " because its launcher puts it in front"
    plain = loaded_libraries(program, without(env, ["LD_LIBRARY_PATH"])).get(soname)
    if plain is not None and os.path.realpath(plain) != os.path.realpath(here):
        return ("LD_LIBRARY_PATH",), " because LD_LIBRARY_PATH puts it in front"
    elf = read_elf(program)
    for name, value in (("RPATH", elf and elf.rpath), ("RUNPATH", elf and elf.runpath)):
        if value and any(_is_in(loaded, part) for part in value.split(":")):
            return (), f" because the program's {name} puts it in front"
    return (), " because the loader finds it first"


def _is_in(library: Path, folder: str) -> bool:
    return bool(folder) and os.path.realpath(folder) == os.path.realpath(library.parent)


def _parts(text: str) -> list[str]:
    return [part for part in re.split(r"[:\s]+", text) if part]


def _library_fix(
    names: tuple[str, ...], env: Mapping[str, str], chosen: Installation, loaded: Path, cause: str
) -> str:
    """What to type so that the right library is loaded again."""
    if names == ("LD_LIBRARY_PATH",):
        return _without_entry(env, loaded.parent)
    if names:
        return unset(names)
    if chosen.library is not None and ("RPATH" in cause or "RUNPATH" in cause):
        right = shlex.quote(str(chosen.library.parent))
        if "RUNPATH" in cause:
            return f"export LD_LIBRARY_PATH={right}"
        return f"patchelf --force-rpath --set-rpath {right} ./program"
    if chosen.launcher is not None:
        return f"{chosen.launcher} -n 2 ./program"
    if chosen.library is not None:
        return f"export LD_LIBRARY_PATH={shlex.quote(str(chosen.library.parent))}"
    return ""


def _without_entry(env: Mapping[str, str], folder: Path) -> str:
    """What to type to remove a folder from LD_LIBRARY_PATH."""
    rest = [
        part
        for part in env["LD_LIBRARY_PATH"].split(os.pathsep)
        if part and os.path.realpath(part) != os.path.realpath(folder)
    ]
    if rest:
        return f"export LD_LIBRARY_PATH={shlex.quote(os.pathsep.join(rest))}"
    return unset(["LD_LIBRARY_PATH"])


def passed_over(chosen: Installation, env: Mapping[str, str], trial: Trial) -> list[Finding]:
    """Notes on LD_LIBRARY_PATH entries with an MPI library that this program does not load."""
    loaded = {os.path.realpath(path) for one in trial.reports for path in one.loaded}
    if not loaded:
        return []  # no rank said what it loads
    findings = []
    for entry in dict.fromkeys(env.get("LD_LIBRARY_PATH", "").split(os.pathsep)):
        folder = Path(entry)
        if not entry or not folder.is_dir():
            continue
        held = [path for path in folder.glob("libmpi*.so*") if _MPI_LIBRARY.match(path.name)]
        real = {os.path.realpath(path) for path in held}
        if not real or real & loaded or any(Path(one).parent in _parents(real) for one in loaded):
            continue
        findings.append(
            Finding(
                "library-passed-over",
                "info",
                f"LD_LIBRARY_PATH holds the MPI library of {folder}, which programs of "
                f"{chosen.release} do not load; those of other MPIs here may.",
                _without_entry(env, folder),
                ("LD_LIBRARY_PATH",),
            )
        )
    return findings


def _parents(paths: set[str]) -> set[Path]:
    return {Path(path).parent for path in paths}


def two_libraries(trial: Trial) -> Finding | None:
    """A finding where one process holds the MPI libraries of two installations."""
    for report in trial.reports:
        paths = {os.path.realpath(p) for p in report.loaded if _MPI_LIBRARY.match(Path(p).name)}
        folders = {str(Path(path).parent) for path in paths}
        owners = {os.path.realpath(p) for p in paths if "libmpi_abi" not in Path(p).name}
        if len(paths) > 1 and (len(owners) > 1 or len(folders) > 1):
            listed = " and ".join(sorted(paths))
            return Finding(
                "two-libraries",
                "error",
                f"Two MPI libraries are in one process: {listed}; calls end in either of them.",
                "ldd ./program   # then link with the wrapper only, without -lmpi of your own",
            )
    return None


def other_header(trial: Trial, chosen: Installation) -> Finding | None:
    """A finding where the compiler took the mpi.h of another installation than the wrapper's."""
    report = next((one for one in trial.reports if one.built), None)
    if report is None:
        return None
    key, _, version = report.built.partition(" ")
    version = version.replace('"', "")
    if key in ("unknown", "abi", "simgrid"):
        return None
    right = key == chosen.vendor and (not version or same_version(version, chosen.version))
    if right or (chosen.vendor not in ("mpich", "openmpi", "intelmpi")):
        return None
    rule = vendor(key)
    title = rule.title if rule else key
    return Finding(
        "header-other",
        "error",
        f"{chosen.wrapper} belongs to {chosen.release}, but the program was "
        f"compiled with the mpi.h of {title} {version}.",
    )


def missing_libraries(program: Path, env: Mapping[str, str], chosen: Installation) -> list[Finding]:
    """Shared libraries that the loader does not find, the MPI library's own included."""
    found: dict[str, str | None] = dict(loaded_libraries(program, env))
    result = []
    for name, path in found.items():
        if path is not None:
            continue
        mpi = name == chosen.soname and chosen.library is not None
        fix = "sudo apt install libfabric1" if name.startswith("libfabric") else ""
        if mpi and chosen.library is not None:
            fix = f"export LD_LIBRARY_PATH={shlex.quote(str(chosen.library.parent))}"
        result.append(
            Finding(
                "library-missing",
                "error",
                f"The loader does not find {name}, which a program of {chosen.wrapper} needs.",
                fix or f"sudo ldconfig   # after installing the package that holds {name}",
            )
        )
    return result


def wrong_architecture(chosen: Installation, program: Path) -> Finding | None:
    """A finding where the installation's library is for another kind of processor."""
    library = read_elf(chosen.library) if chosen.library else None
    built = read_elf(program)
    own = read_elf(Path("/proc/self/exe"))
    look = f"readelf -h {shlex.quote(str(chosen.library))}"
    ask = shlex.join([*chosen.command, "-dumpmachine"])
    for one, what, show in (
        (library, str(chosen.library), look),
        (built, "what the wrapper builds", ask),
    ):
        if one is not None and own is not None and one.machine != own.machine:
            return Finding(
                "wrong-architecture",
                "error",
                f"{what} is for {one.machine}, but this machine runs {own.machine} programs.",
                f"{show}   # then install the MPI for {own.machine}",
            )
    return None


def abi_header(chosen: Installation) -> Finding | None:
    """A note where the standard ABI's header has other values than the MPI Forum's own."""
    if chosen.abi != "abi" or chosen.header is None:
        return None
    path = chosen.header.with_name("mpi_abi.h")
    text = (path if path.is_file() else chosen.header).read_text("utf-8", "replace")
    standard = {c.name: c.abi_value for c in catalogue.load().constants}
    differing = [
        f"{name} {value} (standard {standard[name]})"
        for name, value in _numbers(text).items()
        if standard.get(name) not in (None, value)
    ]
    if not differing:
        return None
    return Finding(
        "abi-header-differs",
        "info",
        f"The mpi_abi.h of {chosen.release} deviates from the MPI Forum's: "
        f"{', '.join(differing)}; a plain C program compiled with it uses wrong values on "
        "another MPI's libmpi_abi (its MPI_ERRORS_RETURN aborts there), so compile it with the MPI "
        "it runs on; mpiglot's own bindings take these values from the library they find.",
    )


def _numbers(text: str) -> dict[str, int]:
    """The constants of a header that are plain numbers, or casts of numbers."""
    return {name: int(value, 16 if "x" in value else 10) for name, value in _CONSTANT.findall(text)}
