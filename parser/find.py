"""Finding MPI: every compiler wrapper that can be reached, grouped into installations.

`discover` lists what there is, `choose` says which one a command uses and why, `environment` which
variables its programs need here. Nothing is compiled: a wrapper is asked with `-show` what it would
do, and the `mpi.h` it leads to says whose it is.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.parser.installation import (
    SUFFIX,
    Installation,
    LauncherIdentity,
    canonical,
    grouped,
    identify,
    identify_launcher,
    name_order,
    name_rank,
    with_launchers,
)
from mpiglot.parser.vendors import rules, run_variables, vendor
from mpiglot.parser.wrapper import naming

__all__ = [
    "Installation",
    "LauncherIdentity",
    "canonical",
    "choose",
    "discover",
    "environment",
    "first_wrapper",
    "identify_launcher",
    "mpi_folder",
]


def mpi_folder(env: Mapping[str, str]) -> Path:
    """The project's own place for MPIs: MPIGLOT_MPI_DIR, or `.mpi` in the checkout (else here)."""
    named = env.get("MPIGLOT_MPI_DIR")
    if named:
        return Path(named)
    checkout = Path(__file__).resolve().parent.parent
    base = checkout if (checkout / "pyproject.toml").is_file() else Path.cwd()
    return base / ".mpi"


def environment(
    installation: Installation, *, root: bool | None = None, oversubscribe: bool = True
) -> dict[str, str]:
    """The variables with which programs of this installation run on this machine."""
    return run_variables(
        installation.vendor,
        installation.version,
        installation.prefix,
        root=root,
        oversubscribe=oversubscribe,
    )


def discover(env: Mapping[str, str] | None = None) -> list[Installation]:
    """Every installation within reach: on PATH, in named, in usual and in the project's folders."""
    env = os.environ if env is None else env
    found: list[Installation] = []
    seen: dict[Path, None] = {}
    for wrapper, where in _candidates(env):
        real = canonical(wrapper)
        if real in seen:
            continue
        seen[real] = None
        found.extend(identify(wrapper, env, where))
    return [with_launchers(one, env) for one in grouped(found)]


def first_wrapper(env: Mapping[str, str]) -> Path | None:
    """The wrapper that comes first without a name, usable or not."""
    return next((wrapper for wrapper, _ in _candidates(env)), None)


def choose(spec: str | None = None, env: Mapping[str, str] | None = None) -> Installation:
    """The installation a command works with, and why (`Installation.why`).

    `spec` is a wrapper (path or name), an installation's folder, or a name such as
    `mpich-5.0.2`; without it `MPICC`, PATH, variables that name a folder, usual folders and the
    project's own folder are looked at in this order.
    """
    env = os.environ if env is None else env
    if spec is not None:
        return with_launchers(_named(spec, env), env)
    if env.get("MPICC"):
        return with_launchers(_from_mpicc(env), env)
    broken: list[Installation] = []
    for wrapper, where in _candidates(env):
        for one in identify(wrapper, env, where):
            if one.problem is None and not _second_best(one, broken):
                why = f"the first wrapper {where}"
                if broken:
                    why += f" that works (not {broken[0].wrapper}: {broken[0].problem})"
                return with_launchers(replace(one, why=why), env)
            if one.problem is not None and one.compiler and naming(one.compiler, env):
                # A variable to be mended, no reason to take another MPI than the usual one.
                raise EnvironmentProblem(f"{one.wrapper} cannot be used: {one.problem}")
            broken.append(one)
    if broken:
        raise EnvironmentProblem(f"no usable MPI: {broken[0].wrapper}: {broken[0].problem}")
    raise EnvironmentProblem(
        "no MPI compiler wrapper (mpicc, mpiicx, smpicc ...) was found on PATH; install one, for "
        "example with `apt install mpich libmpich-dev` or `ci/mpi install mpich-5.0.2`, or name "
        "it with --mpicc"
    )


# ------------------------------------------------------------------------------------- candidates


def _candidates(env: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    for folder in _path_folders(env):
        for wrapper in _wrappers_in(folder, env):
            yield wrapper, f"on PATH, in {folder}"
    for name in rules()["home_variables"]:
        if env.get(name):
            for wrapper in _wrappers_below(Path(env[name]), env):
                yield wrapper, f"in the folder that {name} names"
    for pattern in rules()["folders"]:
        for folder in sorted(Path("/").glob(pattern.lstrip("/"))):
            for wrapper in _wrappers_in(folder, env):
                yield wrapper, f"in {folder}"
    own = mpi_folder(env)
    if own.is_dir():
        for folder in sorted(own.iterdir()):
            for wrapper in _wrappers_below(folder, env):
                yield wrapper, f"in {own}"


def _path_folders(env: Mapping[str, str]) -> list[Path]:
    return [Path(part) for part in env.get("PATH", os.defpath).split(os.pathsep) if part]


def _wrappers_below(prefix: Path, env: Mapping[str, str]) -> list[Path]:
    for folder in (prefix / "bin", prefix / "intel64" / "bin", prefix):
        found = _wrappers_in(folder, env)
        if found:
            return found
    return []


def _wrappers_in(folder: Path, env: Mapping[str, str]) -> list[Path]:
    """The wrappers in one folder, the most usual names first."""
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError:
        return []
    order = name_order(env)
    found = [(rank, name) for name in names if (rank := name_rank(name, order)) is not None]
    paths = (folder / name for _, name in sorted(found))
    return [path for path in paths if path.is_file() and os.access(path, os.X_OK)]


# ----------------------------------------------------------------------------------- named by user


def _named(spec: str, env: Mapping[str, str]) -> Installation:
    path = Path(spec).expanduser().absolute()
    if path.is_dir() and (os.sep in spec or not shutil.which(spec, path=env.get("PATH"))):
        return _first(_wrappers_below(path, env), env, f"in the folder {spec}", "named", spec)
    words = _words(spec) if not path.is_file() else [spec]
    named = shutil.which(words[0], path=env.get("PATH"))
    if len(words) > 1 and named is not None:
        return _first([Path(named)], env, "named", "named", spec, tuple(words[1:]))
    if os.sep in spec:
        if not path.is_file():
            raise EnvironmentProblem(f"{spec} does not exist; name an MPI compiler wrapper")
        return _first([path], env, "named", "named", spec)
    on_path = shutil.which(spec, path=env.get("PATH"))
    if on_path:
        return _first([Path(on_path)], env, f"on PATH, in {Path(on_path).parent}", "named", spec)
    return _by_name(spec, env)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command) or [command]
    except ValueError as error:
        raise UsageError(f"{command!r} is no command: {error}") from None


def _by_name(spec: str, env: Mapping[str, str]) -> Installation:
    """An installation by a name such as openmpi-4.1.8 or intelmpi-2021.19.0-abi, or a vendor."""
    own = mpi_folder(env) / spec.removesuffix("-abi")
    if own.is_dir():
        wanted = "abi" if spec.endswith("-abi") else None
        found = [one for path in _wrappers_below(own, env) for one in identify(path, env, str(own))]
        broken = [one for one in found if one.problem is not None]
        for one in grouped(found):
            if one.problem is None and (one.abi == "abi") == (wanted == "abi"):
                if _second_best(one, broken):
                    raise EnvironmentProblem(
                        f"{broken[0].wrapper} cannot be used: {broken[0].problem}"
                    )
                return replace(one, why=f"{spec} is named, and {own} holds it")
    everything: list[Installation] = []
    for wrapper, where in _candidates(env):
        for one in identify(wrapper, env, where):
            if one.problem is None and spec in (one.name, one.vendor):
                return replace(one, why=f"{spec} is named, and it is {where}")
            everything.append(one)
    names = ", ".join(dict.fromkeys(one.name for one in everything if one.header)) or "none"
    if re.match(r"[a-z]+-\d", spec) is not None or vendor(spec) is not None:
        raise EnvironmentProblem(
            f"no MPI {spec!r} here: `ci/mpi install {spec}` may get it; found are: {names}"
        )
    raise EnvironmentProblem(
        f"{spec!r} is neither a compiler wrapper on PATH nor a folder nor an MPI that is here; "
        f"found are: {names}"
    )


def _from_mpicc(env: Mapping[str, str]) -> Installation:
    try:
        words = _words(env["MPICC"])
    except UsageError as error:
        raise UsageError(f"MPICC is set to {error}") from None
    found = shutil.which(words[0], path=env.get("PATH"))
    if found is None:
        raise EnvironmentProblem(
            f"MPICC is set to {env['MPICC']!r}, which is not there; correct it or `unset MPICC`"
        )
    where = "named by MPICC"
    chosen = _first([Path(found)], env, where, where, words[0], tuple(words[1:]))
    return replace(chosen, why=f"MPICC names {env['MPICC']}")


def _second_best(found: Installation, broken: Iterable[Installation]) -> bool:
    """Whether this is a C++ wrapper beside a C wrapper that is the one to mend."""
    beside = any(one.wrapper.parent == found.wrapper.parent for one in broken)
    return beside and SUFFIX.sub("", found.wrapper.name) in rules()["cxx_names"]


def _first(
    wrappers: Iterable[Path],
    env: Mapping[str, str],
    where: str,
    why: str,
    spec: str,
    arguments: tuple[str, ...] = (),
) -> Installation:
    broken: Installation | None = None
    for wrapper in wrappers:
        for one in identify(wrapper, env, where, arguments):
            if one.problem is None and not _second_best(one, [broken] if broken else []):
                return replace(one, why=f"{spec} is {why}")
            broken = broken or one
    if broken is not None:
        raise EnvironmentProblem(f"{broken.wrapper} cannot be used: {broken.problem}")
    raise EnvironmentProblem(f"{spec} holds no MPI compiler wrapper (mpicc, mpiicx, smpicc ...)")
