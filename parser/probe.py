"""From a wrapper to its blueprint: preprocess, parse, measure, identify, join."""

from __future__ import annotations

import platform as machine
from collections.abc import Callable
from dataclasses import dataclass, field

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.blueprints.model import Blueprint, Toolchain
from mpiglot.parser import assemble, floor, header, identity, measure, preprocess, stubs
from mpiglot.parser.constants import ConstantExpressions
from mpiglot.parser.join import join
from mpiglot.parser.start import Starter
from mpiglot.parser.wrapper import Wrapper

Progress = Callable[[str], None]


@dataclass(slots=True)
class Probed:
    """A blueprint, and what the user should know about how it came about."""

    blueprint: Blueprint
    warnings: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)  # the headers that were read
    library: str = ""


def probe(
    wrapper: Wrapper,
    starter: Starter | None = None,
    progress: Progress | None = None,
    accept_unlinked: bool = False,
) -> Probed:
    """The blueprint of the MPI that `wrapper` compiles against."""
    probed = describe(wrapper, starter, progress, accept_unlinked)
    floor.check(probed.blueprint, wrapper.name)
    return probed


def describe(
    wrapper: Wrapper,
    starter: Starter | None = None,
    progress: Progress | None = None,
    accept_unlinked: bool = False,
) -> Probed:
    """The blueprint of whatever `wrapper` compiles against, however little of MPI it is."""
    starter = starter or Starter()
    progress = progress or (lambda _: None)
    progress("reading mpi.h")
    source, wrapper = preprocess.preprocess(wrapper)
    found = header.parse(source)
    warnings = _check(wrapper, source, found)
    progress(f"measuring {len(found.functions)} functions and {len(found.types)} types")
    candidates = [
        m.name for m in found.macros.values() if m.parameters is None and m.what != "type"
    ]
    candidates += [v.name for v in found.variables.values() if v.constant]
    with ConstantExpressions(wrapper, source.error_flags, candidates) as question:
        measured = measure.measure(
            wrapper,
            assemble.plan(found),
            starter,
            source.error_flags,
            progress,
            accept_unlinked,
        )
        progress("looking for constant expressions")
        constant = question.answer()
    wrapper = measured.wrapper
    mpi = identity.identify(source, measured, _handles_are_pointers(found))
    rule = identity.stubs_of(mpi)
    if rule is not None and measured.how in ("run", "launcher"):
        progress("looking for functions that do nothing")
        linked = (name for name in found.functions if f"function:{name}" in measured.linked)
        measured.stubs = stubs.find(wrapper, starter, rule, linked)
    progress("putting it together")
    lists = assemble.assemble(found, measured, constant)
    mpi.header_fingerprint = lists.fingerprint()
    join(lists)
    mpi.standard = identity.effective_standard(lists.functions, catalogue.load())
    warnings += [wrapper.warning] if wrapper.warning else []
    warnings += [*identity.other_release(mpi, measured), *measured.warnings]
    library = identity.library_of(measured)
    blueprint = Blueprint(
        mpi=mpi,
        platform=identity.platform(source, machine.machine(), machine.system()),
        toolchain=_toolchain(wrapper, library),
        measured=measured.how,
        types=lists.types,
        constants=lists.constants,
        functions=lists.functions,
        callbacks=lists.callbacks,
        omitted=lists.omitted,
    )
    return Probed(blueprint, warnings, source.files, library)


def _check(wrapper: Wrapper, source: preprocess.Preprocessed, found: header.Header) -> list[str]:
    """Stops at a header that does not compile; what only libclang dislikes is a warning."""
    if found.errors:
        said = preprocess.check_syntax(wrapper)
        if not said.ok:
            known = preprocess.in_header(said, source.files)
            what = preprocess.first_error(said) if known else found.errors[0]
            raise EnvironmentProblem(f"mpi.h does not compile: {what}")
    if not found.functions:
        raise EnvironmentProblem(f"the mpi.h of {wrapper.name} declares no MPI function")
    return [f"libclang could not read all of mpi.h: {found.errors[0]}"] if found.errors else []


def _handles_are_pointers(found: header.Header) -> bool:
    comm = found.types.get("MPI_Comm")
    return comm is not None and comm.kind == "pointer"


def _toolchain(wrapper: Wrapper, library: str) -> Toolchain:
    flags = [*wrapper.compile_flags, *wrapper.link_flags]
    return Toolchain(
        wrapper=wrapper.name,
        compiler=wrapper.compiler,
        compile_flags=_without_paths(wrapper.compile_flags),
        link_flags=_without_paths(wrapper.link_flags),
        paths={
            "wrapper": str(wrapper.path),
            "prefix": str(wrapper.prefix),
            "command": wrapper.command,
            "flags": flags,
            "include": [str(d) for d in wrapper.include_dirs],
            "libraries": [str(d) for d in wrapper.library_dirs],
            "library": library,
            "launcher": str(wrapper.launcher() or ""),
        },
    )


def _without_paths(flags: list[str]) -> list[str]:
    """The flags that hold no path, in groups as they belong together."""
    kept: list[str] = []
    waiting: list[str] = []
    for flag in flags:
        if flag in ("-I", "-L", "-isystem", "-include", "-Xlinker", "-rpath"):
            waiting.append(flag)
            continue
        if not (flag.startswith(("-I", "-L")) or "/" in flag or flag in ("-Wl,-rpath", "-rpath")):
            kept += [*waiting, flag]
        waiting = []
    return [flag for i, flag in enumerate(kept) if not _lonely_rpath(kept, i)]


def _lonely_rpath(flags: list[str], i: int) -> bool:
    """`-Xlinker -rpath` whose path was dropped."""
    return flags[i : i + 2] == ["-Xlinker", "-rpath"] or flags[i - 1 : i + 1] == [
        "-Xlinker",
        "-rpath",
    ]
