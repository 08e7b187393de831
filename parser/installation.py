"""One installation of MPI: what a wrapper leads to, and the launchers that belong to it."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser.elf import read_elf
from mpiglot.parser.process import run
from mpiglot.parser.vendors import (
    Vendor,
    launch_command,
    macro,
    rules,
    same_version,
    vendor,
    vendors,
)
from mpiglot.parser.wrapper import Wrapper, read

SHOW_TIMEOUT = 20.0
VERSION_TIMEOUT = 20.0


@dataclass(frozen=True)
class Installation:
    """One MPI as programs are built with it: a wrapper, whose it is, and what belongs to it.

    An installation with two headers (native and the standard ABI) is two of these.
    """

    wrapper: Path
    """The wrapper to call; `arguments` go in front of all others (Intel: `-mpi-abi`)."""
    arguments: tuple[str, ...] = ()
    wrapper_variables: Mapping[str, str] = field(default_factory=dict)
    """What the wrapper needs in its environment (Intel: `I_MPI_ROOT`)."""
    vendor: str = "unknown"
    title: str = "unknown MPI"
    version: str = ""
    abi: str = ""
    """ABI family: mpich, ompi, abi (the standard's), smpi, msmpi."""
    prefix: Path = Path("/")
    header: Path | None = None
    library: Path | None = None
    """The library the wrapper links with, symbolic links followed."""
    soname: str | None = None
    """What a program asks the loader for."""
    compiler: str | None = None
    flags: tuple[str, ...] = ()
    """What `-show` prints after the compiler."""
    wrappers: tuple[Path, ...] = ()
    """All wrappers found that lead to the same installation."""
    unusable: Mapping[Path, str] = field(default_factory=dict)
    """Further wrappers of it that cannot be used, and why."""
    launchers: tuple[Path, ...] = ()
    """The launchers that belong to it, the one to use first."""
    found: str = ""
    """Where it was found."""
    why: str = ""
    """Why it was chosen (set by `choose`)."""
    problem: str | None = None
    """Why it cannot be used, None where nothing stands against it."""

    @property
    def name(self) -> str:
        """The name of blueprints and targets: vendor-version[-abi]."""
        suffix = "-abi" if self.abi == "abi" else ""
        return f"{self.vendor}-{self.version or 'unknown'}{suffix}"

    @property
    def release(self) -> str:
        """What to call it in a sentence: "MPICH 4.0.2"."""
        return f"{self.title} {self.version}".rstrip()

    @property
    def launcher(self) -> Path | None:
        """The launcher to use, None where none of its own was found."""
        return self.launchers[0] if self.launchers else None

    @property
    def command(self) -> list[str]:
        """The wrapper with the arguments that go in front."""
        return [str(self.wrapper), *self.arguments]

    def launch(self, ranks: int, folder: Path, launcher: Path | None = None) -> list[str]:
        """The command that starts `ranks` ranks of the program to be appended.

        `folder` is a scratch folder for what a launcher wants to read.
        """
        chosen = launcher or self.launcher
        if chosen is None:
            raise EnvironmentProblem(
                f"no launcher that belongs to {self.name} was found beside {self.wrapper}; "
                "name one with --launcher"
            )
        return launch_command(self.vendor, chosen, ranks, folder)


# ------------------------------------------------------------------------------- wrapper names


def name_order(env: Mapping[str, str]) -> dict[str, int]:
    names: list[str] = list(rules()["wrapper_names"])
    if any(env.get(name) for name in rules()["cray_variables"]):
        names = [*rules()["cray_names"], *names]
    return {name: index for index, name in enumerate(names)}


SUFFIX = re.compile(r"[.-](?:mpich|openmpi|lam|mvapich|[a-z]*-?\d[\w.-]*)$")


def name_rank(name: str, order: Mapping[str, int]) -> tuple[int, int] | None:
    """Where a name stands among wrapper names; a suffix (`mpicc.mpich`) ranks behind the name."""
    if name in order:
        return order[name], 0
    base = SUFFIX.sub("", name)
    return (order[base], 1) if base != name and base in order else None


def canonical(wrapper: Path) -> Path:
    """The wrapper at the end of a chain of links, as far as its name still is a wrapper's.

    Debian's /usr/bin/mpicc leads over /etc/alternatives to mpicc.openmpi and on to opal_wrapper,
    which behaves by the name it is called by: the answer is /usr/bin/mpicc.openmpi.
    """
    order = name_order({"CRAYPE_DIR": "1"})
    answer = current = wrapper.parent.resolve() / wrapper.name
    for _ in range(40):
        if not current.is_symlink():
            break
        target = current.readlink()
        current = target if target.is_absolute() else current.parent / target
        current = current.parent.resolve() / current.name
        if name_rank(current.name, order) is not None:
            answer = current
    return answer


# ------------------------------------------------------------------------------------- identifying


def identify(
    wrapper: Path,
    env: Mapping[str, str],
    where: str = "",
    arguments: tuple[str, ...] = (),
) -> list[Installation]:
    """What a wrapper leads to: one installation, two where an option selects the standard ABI."""
    variables: dict[str, str] = {}
    prefix = wrapper.parent.resolve().parent
    for one in vendors():
        if "marker" in one.data and (wrapper.parent / one.data["marker"]).exists():
            variables[one.data["root_variable"]] = str(prefix)
    asked = {**env, **variables}
    first = _identified(wrapper, arguments, asked, replace(_blank(wrapper), found=where))
    first = replace(first, wrapper_variables=variables)
    result = [first]
    rule = vendor(first.vendor)
    option = tuple(rule.data.get("abi_arguments", ())) if rule else ()
    standard = first.header.parent / "mpi_abi.h" if first.header is not None else None
    if option and not arguments and first.abi != "abi" and standard and standard.is_file():
        second = _identified(wrapper, option, asked, replace(_blank(wrapper), found=where))
        result.append(replace(second, wrapper_variables=variables))
    return result


def _blank(wrapper: Path) -> Installation:
    return Installation(
        wrapper=wrapper, prefix=wrapper.parent.resolve().parent, wrappers=(wrapper,)
    )


def _identified(
    wrapper: Path, arguments: tuple[str, ...], env: Mapping[str, str], blank: Installation
) -> Installation:
    blank = replace(blank, arguments=arguments)
    command = [str(wrapper), *arguments]
    try:
        asked = read([str(wrapper.absolute()), *arguments], env)
        problem = None if asked.answers else _reason(command, env)
    except EnvironmentProblem as failure:
        return replace(blank, problem=str(failure))
    header = next((d / "mpi.h" for d in asked.include_dirs if (d / "mpi.h").is_file()), None)
    if header is None and (header := _included(command, env)) is not None:
        problem = None
    if header is None:
        show = shlex.join([*command, "-show"])
        return replace(blank, problem=problem or f"`{show}` leads to no folder with an mpi.h")
    text = header.read_text(encoding="utf-8", errors="replace")
    rule, version = _whose(text, [header.parent, header.parent.parent, *asked.include_dirs])
    standard = asked.abi or (macro(text, "MPI_ABI_VERSION") is not None)
    library = _library(asked, rule, standard)
    elf = read_elf(library) if library else None
    compiler = asked.compiler if asked.answers else None
    problem = asked.missing_compiler(env) or problem
    return replace(
        blank,
        vendor=rule.key if rule else "unknown",
        title=rule.title if rule else "unknown MPI",
        version=version,
        abi="abi" if standard else rule.abi if rule else "",
        prefix=_prefix(wrapper, header),
        header=header,
        library=_loaded_name(library, elf.soname if elf else None),
        soname=elf.soname if elf else None,
        compiler=compiler,
        flags=(*asked.compile_flags, *asked.link_flags),
        problem=problem,
    )


def _reason(command: list[str], env: Mapping[str, str]) -> str:
    """Why a wrapper does not answer `-show`."""
    asked = [*command, "-show"]
    answer = run(asked, env=env, limit=SHOW_TIMEOUT)
    if answer.ok:
        return f"`{shlex.join(asked)}` prints no compiler command"
    return f"`{shlex.join(asked)}` ended with {answer.code}: {answer.first_line()}"


def _included(command: list[str], env: Mapping[str, str]) -> Path | None:
    """The mpi.h that the wrapper's compiler finds by itself (Cray's cc, conda, Spack views)."""
    asked = [*command, "-M", "-include", "mpi.h", "-x", "c", os.devnull]
    answer = run(asked, env=env, limit=SHOW_TIMEOUT)
    if not answer.ok:
        return None
    words = answer.out.replace("\\\n", " ").split()
    return next((Path(word) for word in words if Path(word).name == "mpi.h"), None)


def _whose(text: str, folders: list[Path]) -> tuple[Vendor | None, str]:
    for one in vendors():
        beside = ""
        if "file" in one.data["header"]:
            paths = (folder / one.data["header"]["file"] for folder in folders)
            extra = next((path for path in paths if path.is_file()), None)
            beside = extra.read_text(encoding="utf-8", errors="replace") if extra else ""
        version = one.header_version(text, beside)
        if version is not None:
            return one, version
    return None, ""


def _library(asked: Wrapper, rule: Vendor | None, standard: bool) -> Path | None:
    """The MPI library that the wrapper's link flags lead to."""
    known: list[str] = list(rule.data["libraries"]) if rule else ["mpi", "mpi_abi", "mpich"]
    wanted = ["mpi_abi"] if standard else [n for n in known if f"-l{n}" in asked.link_flags]
    multiarch = getattr(sys.implementation, "_multiarch", "")
    usual = [f"/usr/lib/{multiarch}", "/usr/lib64", "/usr/lib", "/usr/local/lib"]
    for name in wanted:
        for folder in (*asked.library_dirs, *map(Path, usual)):
            for suffix in (".so", ".dylib", ".a"):
                path = folder / f"lib{name}{suffix}"
                if path.exists():
                    return _linker_target(path)
    return None


def _loaded_name(library: Path | None, soname: str | None) -> Path | None:
    """The file that programs load: the one called as the soname, where it stands beside."""
    if library is None or soname is None:
        return library
    beside = library.parent / soname
    return beside.resolve() if beside.exists() else library


def _linker_target(path: Path) -> Path:
    """The library behind a link or behind a linker script such as `INPUT(libmpi.so.12)`."""
    with path.open("rb") as file:
        start = file.read(200)
    script = re.search(rb"(?:INPUT|GROUP)\s*\(\s*([^\s)]+)", start)
    if script is None or start.startswith(b"\x7fELF"):
        return path.resolve()
    return (path.parent / script.group(1).decode("utf-8", "replace")).resolve()


def _prefix(wrapper: Path, header: Path) -> Path:
    """The installation's folder: above the wrapper's `bin`, unless that is the whole system's."""
    prefix = wrapper.parent.resolve().parent
    if header.parent.name == "include" and prefix not in header.resolve().parents:
        return header.resolve().parent.parent  # a script that only calls the real wrapper
    if prefix == Path("/usr") and header.parent != Path("/usr/include"):
        library = header.parent.parent  # Debian: /usr/lib/x86_64-linux-gnu/openmpi/include
        if header.parent.name == "include" and library != prefix:
            return library
    return prefix


def grouped(found: Iterable[Installation]) -> list[Installation]:
    """One entry for all wrappers that lead to the same installation; a usable one represents it.

    A wrapper that cannot be used (Intel's for compilers that are not there) is put down with the
    installation in whose folder it stands.
    """
    groups: dict[tuple[object, ...], list[Installation]] = {}
    lost: list[Installation] = []
    for one in found:
        if one.header is None:
            lost.append(one)
        else:
            key = (one.vendor, one.version, one.abi, one.header.resolve())
            groups.setdefault(key, []).append(one)
    result = []
    for members in groups.values():
        first = next((one for one in members if one.problem is None), members[0])
        wrappers = tuple(one.wrapper for one in members)
        folders = {one.wrapper.parent for one in members}
        beside = [one for one in lost if one.wrapper.parent in folders]
        shared = first.prefix == Path("/usr")
        broken = [one for one in members if one.problem and first.problem is None]
        broken += [] if shared else beside
        unusable = {one.wrapper: one.problem or "" for one in broken}
        lost = [one for one in lost if one.wrapper not in unusable]
        wrappers = tuple(one for one in wrappers if one not in unusable)
        result.append(replace(first, wrappers=wrappers, unusable=unusable))
    by_folder: dict[Path, list[Installation]] = {}
    for one in lost:
        by_folder.setdefault(one.wrapper.parent, []).append(one)
    for members in by_folder.values():
        rest = {one.wrapper: one.problem or "" for one in members[1:]}
        result.append(replace(members[0], unusable=rest))
    return result


# --------------------------------------------------------------------------------------- launchers


@dataclass(frozen=True)
class LauncherIdentity:
    """Whose a launcher is."""

    path: Path
    vendor: str
    version: str


def identify_launcher(path: Path, env: Mapping[str, str]) -> LauncherIdentity | None:
    """Whose launcher this is, by what `--version` prints; None where nobody's is recognised."""
    try:
        answer = run([str(path), "--version"], env=env, limit=VERSION_TIMEOUT)
    except EnvironmentProblem:
        return None
    text = answer.out + answer.err
    for one in vendors():
        version = one.launcher_version(text)
        if version is not None and one.key != "mvapich":
            return LauncherIdentity(path, one.key, version)
    return None


def with_launchers(installation: Installation, env: Mapping[str, str]) -> Installation:
    """The installation with the launchers that belong to it, each asked for its version."""
    rule = vendor(installation.vendor)
    if rule is None:
        return installation
    own = canonical(installation.wrapper)
    suffix = SUFFIX.search(own.name)
    names: list[str] = list(rule.data["launchers"])
    if suffix is not None:
        names = [name + suffix.group() for name in ("mpiexec", "mpirun")] + names
    folders = dict.fromkeys([own.parent, installation.prefix / "bin"])
    asked = {**env, **installation.wrapper_variables}
    found: dict[Path, Path] = {}
    for folder in folders:
        for name in names:
            path = folder / name
            if not (path.is_file() and os.access(path, os.X_OK)):
                continue
            real = path.resolve()
            if real in found or real.parent.name == "alternatives":
                continue
            if _belongs(path, installation, asked):
                found[real] = path
    return replace(installation, launchers=tuple(found.values()))


def _belongs(path: Path, installation: Installation, env: Mapping[str, str]) -> bool:
    who = identify_launcher(path, env)
    if who is None:
        # Open MPI 5's prterun cannot print its version where its texts are not installed.
        return path.parent == installation.prefix / "bin" and installation.prefix != Path("/usr")
    kin = (
        {installation.vendor, "mpich"}
        if installation.vendor == "mvapich"
        else {installation.vendor}
    )
    return who.vendor in kin and same_version(who.version, installation.version)
