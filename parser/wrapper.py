"""One compiler wrapper (`mpicc`): how to ask it what it does, and what lies around it.

`-show` answers for MPICH, Intel MPI, Open MPI and SimGrid, `--showme` for old Open MPIs; wrappers
with neither (Cray's `cc`, a plain compiler with flags) are used as the compiler itself. So are
wrappers whose answer is no plain command line, and those whose flags turn out not to work.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser.process import run
from mpiglot.parser.vendors import compiler_variables

_QUESTIONS = ("-show", "--showme")
_WITH_ARGUMENT = {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-D", "-U", "-imacros"}
_WITH_ARGUMENT |= {"-x", "-MF", "-MT", "-MQ", "--param", "-Xclang", "-mllvm", "-Xpreprocessor"}
_LINK_WITH_ARGUMENT = {"-L", "-l", "-Xlinker", "-rpath", "-z", "-T", "-u", "-framework"}
_LINK_WORDS = {"-shared", "-static", "-static-pie", "-rdynamic", "-no-pie", "-pie"}
_LINK_WORDS |= {"-nostartfiles", "-nostdlib", "-nodefaultlibs"}
_LINK = ("-L", "-l", "-Wl,", "-static-", "-Bstatic", "-Bdynamic", "-fuse-ld=")
# What compiler and linker must agree on, as words and as beginnings of words.
_BOTH_WITH_ARGUMENT = {"-target", "--target", "-arch", "--sysroot", "-isysroot", "-B", "-specs"}
_BOTH_WITH_ARGUMENT |= {"--gcc-toolchain", "-gcc-toolchain"}
_MACHINE: tuple[str, ...] = (
    "-m",
    "--target=",
    "--sysroot=",
    "-isysroot",
    "-B",
    "-specs=",
    "-stdlib=",
    "--stdlib=",
)
_MACHINE += ("--gcc-toolchain=", "-gcc-toolchain=")
_INSTRUMENTED: tuple[str, ...] = (
    "-fsanitize",
    "-fno-sanitize",
    "--coverage",
    "-coverage",
    "-fprofile",
    "-pg",
)
_INSTRUMENTED += ("-ftest-coverage", "-fcf-protection", "-fsplit-stack")
_WHOLE_PROGRAM = ("-flto", "-fno-lto", "-fuse-linker-plugin", "-fopenmp", "-qopenmp", "-pthread")
_BOTH = (*_MACHINE, *_INSTRUMENTED, *_WHOLE_PROGRAM)
_FLAG = re.compile(r"(?:^|[^\w-])-(?:[IlL]|Wl,)\S")
_LIBRARY = re.compile(r"\.(a|so(\.\d+)*|dylib|lib)$")
_COMPILER_PREFIXES = {"ccache", "sccache", "distcc", "env"}
_TYPOGRAPHIC = re.compile("[\u2018\u2019\u201c\u201d\u00ab\u00bb\u201e]")


@dataclass(slots=True)
class Wrapper:
    """A compiler wrapper and what it said about itself."""

    path: Path
    name: str
    compiler: str  # the underlying compiler, as the wrapper names it
    command: list[str] = field(default_factory=list)  # what compiles: compiler or wrapper itself
    compile_flags: list[str] = field(default_factory=list)
    link_flags: list[str] = field(default_factory=list)
    answers: bool = True  # it knows -show or --showme
    environment: dict[str, str] = field(default_factory=dict)  # what it wants set
    abi: bool = False  # compiles against the standard ABI's header
    arguments: list[str] = field(default_factory=list)  # given by the user, in front of all others
    warning: str = ""  # why it is the compiler itself although it answers

    @property
    def include_dirs(self) -> list[Path]:
        """Folders that it adds to the search for headers."""
        return _folders(self.compile_flags, ("-I", "-isystem"))

    @property
    def library_dirs(self) -> list[Path]:
        """Folders that it adds to the search for libraries."""
        return _folders(self.link_flags, ("-L",))

    @property
    def prefix(self) -> Path:
        """The folder of the installation: the one above the wrapper's `bin`."""
        return self.path.parent.parent

    @property
    def needs_launcher(self) -> bool:
        """Whether it makes shared objects that only a launcher can start (SimGrid)."""
        return "-shared" in self.link_flags

    def itself(self, why: str = "") -> Wrapper:
        """The wrapper as the compiler; `why` is what is wrong with its answer, if it has one."""
        question = shlex.join([self.name, *self.arguments, "-show"])
        said = f"what `{question}` prints {why}: {self.name} itself is used as the compiler"
        compile_flags, link_flags = split_flags(self.arguments)
        return replace(
            self,
            compiler=self.name,
            command=[str(self.path)],
            compile_flags=compile_flags,
            link_flags=link_flags,
            answers=False,
            warning=said if why else "",
        )

    def compiles(self, env: Mapping[str, str] | None = None, options: Sequence[str] = ()) -> bool:
        """Whether it preprocesses an empty file, as a compiler does, with these options."""
        command = [*self.command, *self.compile_flags, *options, "-E", "-x", "c", os.devnull]
        try:
            return run(command, env=self.env(env), limit=20).ok
        except EnvironmentProblem:
            return False

    def env(self, base: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment to run it and its programs in."""
        return {**self.environment, **(os.environ if base is None else base)}

    def launcher(self) -> Path | None:
        """The launcher that belongs to it: beside it, with the same ending as its own name."""
        folder = self.path.parent
        if self.needs_launcher:
            return _program(folder / "smpirun")
        ending = self.name.partition(".")[2]
        names = [f"mpiexec.{ending}", f"mpirun.{ending}"] if ending else []
        if "I_MPI_ROOT" in self.environment:
            names.append("mpiexec.hydra")
        for name in [*names, "mpiexec", "mpirun"]:
            found = _program(folder / name)
            if found is not None:
                return found
        return None

    def missing_compiler(self, env: Mapping[str, str] | None = None) -> str | None:
        """Says that the compiler it calls is not there, and what to do; None where it is."""
        if not self.answers:
            return None
        given = os.environ if env is None else env
        compiler = self.command[-1]
        if shutil.which(compiler, path=given.get("PATH")) is not None:
            return None
        said = f"it calls the compiler {compiler!r}, which is not there"
        name = naming(compiler, given)
        return f"{said}: correct {name} or `unset {name}`" if name else said

    def second(self) -> Wrapper | None:
        """The same installation's other header: the standard ABI's, where there is one."""
        if self.abi:
            return None
        twin = _program(self.path.with_name(f"{self.name}_abi"))
        if twin is not None:
            return read(twin)
        headers = (d / "mpi_abi.h" for d in self.include_dirs)
        if not any(h.exists() for h in headers):
            return None
        asked = read([str(self.path), "-mpi-abi"])  # Intel's option
        return asked if asked.abi else _with_abi_header(self)

    def native(self) -> Wrapper | None:
        """The same installation's own header, where this one is the standard ABI's."""
        if not self.abi:
            return self
        twin = _program(self.path.with_name(self.name.removesuffix("_abi")))
        native = read(twin) if twin is not None else None
        return native if native is not None and not native.abi else None


def read(spec: Path | str | Sequence[str], env: Mapping[str, str] | None = None) -> Wrapper:
    """The wrapper that `spec` names: a path, a name on PATH, or a command with arguments."""
    words = _words(spec)
    found = shutil.which(words[0], path=(os.environ if env is None else env).get("PATH"))
    if found is None:
        what = "it cannot be executed" if Path(words[0]).exists() else "there is no such program"
        raise EnvironmentProblem(f"{words[0]}: {what}; name an MPI compiler wrapper with --mpicc")
    path = Path(found).absolute()
    extra = environment_of(path, os.environ if env is None else env)
    full = {**(os.environ if env is None else env), **extra}
    own = Wrapper(path, path.name, path.name, answers=False, environment=extra, arguments=words[1:])
    why = ""
    for question in _QUESTIONS:
        answer = run([str(path), *words[1:], question], env=full, limit=20)
        shown = _answer(answer.out, full) if answer.ok else None
        if shown is not None:
            return _believed(own, shown, full)
        if answer.ok and _FLAG.search(answer.out):
            why = "is no command line"
    return own.itself(why)


def _believed(own: Wrapper, shown: _Shown, env: Mapping[str, str]) -> Wrapper:
    """The compiler and flags that a wrapper shows, if nothing about them is doubtful."""
    compile_flags, link_flags = split_flags(_expanded(shown.flags))
    told = replace(
        own,
        compiler=Path(shown.command[-1]).name,
        command=shown.command,
        compile_flags=compile_flags,
        link_flags=link_flags,
        answers=True,
        abi=own.name.endswith("_abi") or "-DMPI_ABI" in compile_flags,
    )
    doubt = shown.doubt or _stray(compile_flags)
    if not doubt and told.missing_compiler(env) and not naming(shown.command[-1], env):
        doubt = "calls no compiler that is there"
    itself = told.itself(doubt)
    return itself if doubt and itself.compiles(env) else told


def naming(compiler: str, env: Mapping[str, str]) -> str | None:
    """The variable that tells a wrapper to call this compiler, if one does."""
    given = (name for name in compiler_variables() if name in env)
    return next((name for name in given if compiler in env[name].split()), None)


def split_flags(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """What of a compiler's arguments is for compiling and what for linking; some is for both."""
    compiling: list[str] = []
    linking: list[str] = []
    for part in _options(words):
        word = part[0]
        if _is_link(word):
            linking += part
        else:
            compiling += part
            if word in _BOTH_WITH_ARGUMENT or (
                word.startswith(_BOTH) and word not in _WITH_ARGUMENT
            ):
                linking += part
    return compiling, linking


def linker_words(words: Sequence[str]) -> list[str]:
    """What of a compiler's arguments only its linker reads: the wrapper's own options are not."""
    return [word for part in _options(words) if _is_link(part[0]) for word in part]


def _options(words: Sequence[str]) -> Iterator[list[str]]:
    """Each option with its argument."""
    i = 0
    while i < len(words):
        takes = 2 if words[i] in _WITH_ARGUMENT | _LINK_WITH_ARGUMENT | _BOTH_WITH_ARGUMENT else 1
        yield list(words[i : i + takes])
        i += takes


def _is_link(word: str) -> bool:
    return (
        word in _LINK_WITH_ARGUMENT
        or word in _LINK_WORDS
        or word.startswith(_LINK)
        or (not word.startswith("-") and _LIBRARY.search(word) is not None)
    )


def _expanded(flags: Sequence[str], depth: int = 4) -> list[str]:
    """The flags with those in response files (`@file`) in their places."""
    found: list[str] = []
    for flag in flags:
        inner: list[str] | None = None
        if flag.startswith("@") and depth:
            try:
                inner = shlex.split(Path(flag[1:]).read_text(encoding="utf-8"))
            except (OSError, ValueError):
                inner = None
        found += [flag] if inner is None else _expanded(inner, depth - 1)
    return found


def _stray(flags: Sequence[str]) -> str:
    """Says which word is neither an option nor what belongs to one: a space in a path, a remark."""
    for word, *_ in _options(flags):
        if not word.startswith("-"):
            return f"has the word {word!r}, which is no option"
    return ""


def _words(spec: Path | str | Sequence[str]) -> list[str]:
    if isinstance(spec, Path):
        return [str(spec)]
    if not isinstance(spec, str):
        return list(spec)
    if Path(spec).exists() or shutil.which(spec):
        return [spec]
    try:
        words = shlex.split(spec)
    except ValueError:
        words = [spec]
    return words or [spec]


@dataclass(slots=True)
class _Shown:
    """A command line that a wrapper printed."""

    command: list[str]
    flags: list[str]
    doubt: str = ""  # why it is not to be believed


def _answer(text: str, env: Mapping[str, str]) -> _Shown | None:
    """The command line in what a wrapper printed, or nothing if there is none.

    The last one whose compiler exists counts: around it are remarks.
    """
    found: list[_Shown] = []
    for line in text.splitlines():
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        command: list[str] = []
        while words and not words[0].startswith(("-", "@")):
            command.append(words.pop(0))
            if Path(command[-1]).name not in _COMPILER_PREFIXES and "=" not in command[-1]:
                break
        if command and words and words[0].startswith(("-", "@")):
            doubt = "has typographic quotes" if _TYPOGRAPHIC.search(line) else ""
            found.append(_Shown(command, words, doubt))
    there = [one for one in found if shutil.which(one.command[-1], path=env.get("PATH"))]
    return there[-1] if there else found[-1] if found else None


def environment_of(path: Path, env: Mapping[str, str]) -> dict[str, str]:
    """Variables that a wrapper needs and that are not set: Intel's is lost without I_MPI_ROOT."""
    prefix = path.parent.parent
    if "I_MPI_ROOT" not in env and (prefix / "bin" / "impi_info").exists():
        return {"I_MPI_ROOT": str(prefix)}
    return {}


def _with_abi_header(wrapper: Wrapper) -> Wrapper | None:
    """Header and library of the standard ABI may be there without a wrapper for them."""
    if not any(any(d.glob("libmpi_abi.*")) for d in wrapper.library_dirs):
        return None
    others = {"-lmpi", "-lmpich", "-lmpifort", "-lmpichfort", "-lmpicxx", "-lmpichcxx"}
    link_flags = [flag for flag in wrapper.link_flags if flag not in others]
    return replace(
        wrapper,
        compile_flags=["-DMPI_ABI", *wrapper.compile_flags],
        link_flags=[*link_flags, "-lmpi_abi"],
        abi=True,
    )


def _folders(flags: Sequence[str], options: tuple[str, ...]) -> list[Path]:
    found: list[Path] = []
    i = 0
    while i < len(flags):
        for option in options:
            if flags[i] == option and i + 1 < len(flags):
                found.append(Path(flags[i + 1]))
                i += 1
                break
            if flags[i].startswith(option) and flags[i] != option:
                found.append(Path(flags[i][len(option) :]))
                break
        i += 1
    return list(dict.fromkeys(found))


def _program(path: Path) -> Path | None:
    return path if path.is_file() and os.access(path, os.X_OK) else None
