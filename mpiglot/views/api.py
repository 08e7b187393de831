"""The public API of the generated code as lists of declarations, compared from commit to commit.

`generated/api/<language>.txt` is committed: what a new MPI or a new version of the tool does to the
programs of users stands in the diff of that file. A line that goes is a break, a line that comes is
none. C++ is generated for several targets; what only some of them have names them.
"""

from __future__ import annotations

import difflib
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.exchange import host
from mpiglot.exchange.output import write_file
from mpiglot.exchange.produce import GENERATED, Product, listed_units
from mpiglot.generators.inputs import Inputs, Named
from mpiglot.generators.model import File, Plan, Request
from mpiglot.views.api_scan import READERS

FOLDER = GENERATED / "api"
TITLES = {"cpp": "C++", "go": "Go", "java": "Java"}


def declarations(language: str, files: Sequence[File]) -> list[str]:
    """The public declarations of one generated tree, sorted, each once."""
    suffix, reader = READERS[language]
    out: set[str] = set()
    for f in files:
        if f.path.endswith(suffix) and not f.path.endswith("_test.go"):
            out.update(reader(f.content))
    return sorted(out)


def texts(products: Sequence[Product]) -> dict[str, str]:
    """The content of `generated/api/` for what was generated, by language."""
    out: dict[str, str] = {}
    for language in READERS:
        trees = {
            product.unit.target or "": declarations(language, product.files)
            for product in products
            if product.unit.language == language
        }
        if trees:
            out[language] = "".join(f"{line}\n" for line in _merged(trees))
    return out


def _merged(trees: Mapping[str, list[str]]) -> list[str]:
    where: dict[str, list[str]] = {}
    for target in sorted(trees):
        for line in trees[target]:
            where.setdefault(line, []).append(target)
    return [
        line if len(targets) == len(trees) else f"{line}  [only {', '.join(targets)}]"
        for line, targets in sorted(where.items())
    ]


def path(language: str) -> Path:
    """Where the declarations of a language are committed."""
    return FOLDER / f"{language}.txt"


def committed(language: str) -> str:
    """What is committed, or nothing where there is no checkout."""
    try:
        return path(language).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def write_committed(products: Sequence[Product]) -> None:
    """Renews the files of the languages that were generated."""
    for language, text in texts(products).items():
        if committed(language) != text:
            write_file(path(language), text)


def committed_differences(products: Sequence[Product]) -> list[str]:
    """Unified diff from what is committed to what would be generated now."""
    out: list[str] = []
    for language, text in texts(products).items():
        name = f"api/{language}.txt"
        before, after = committed(language).splitlines(), text.splitlines()
        out += difflib.unified_diff(before, after, name, name, lineterm="", n=0)
    return out


# --------------------------------------------------------------------------- from commit to commit


def at_revision(language: str, revision: str) -> str:
    """The declarations as they were committed in a git revision."""
    if revision.startswith("-"):
        raise UsageError(f"{revision} is no git revision.")
    name = path(language)
    command = ["git", "-C", str(name.parent), "show", f"{revision}:./{name.name}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except OSError as error:
        raise EnvironmentProblem(f"git cannot be started: {error.strerror}.") from error
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["git failed"])[-1]
        raise UsageError(f"{revision} has no {name.name} to compare with ({said}).")
    return done.stdout


def changes(before: str, after: str) -> tuple[list[str], list[str]]:
    """The declarations that went (each breaks somebody) and the ones that came."""
    old, new = set(before.splitlines()), set(after.splitlines())
    return sorted(old - new), sorted(new - old)


# --------------------------------------------------------------------------- one function's form


def forms(name: str, named: Named | None) -> dict[str, list[str]]:
    """How the function or constant `name` is declared in each language.

    The committed lists know most names; what they lack (a function only this MPI has, an installed
    mpiglot without checkout) is generated for the occasion.
    """
    out: dict[str, list[str]] = {}
    bare = _folded(re.sub(r"^MPIX_", "", name))
    for language, title in TITLES.items():
        text = committed(language)
        # Most lines are ruled out by a look at their letters, which is fast.
        folded = zip(text.splitlines(), _folded(text).splitlines(), strict=True)
        lines = [line for line, letters in folded if bare in letters]
        target = _nearest_target(named) if language == "cpp" else None
        found = [
            _without_targets(line)
            for line in lines
            if _declares(line, name) and _is_for(line, target)
        ]
        if not found and named is not None:
            found = [line for line in _generated(name, language, named) if _declares(line, name)]
        if found:
            out[title] = found
    return out


def _nearest_target(named: Named | None) -> str | None:
    """The listed C++ target that is most like `named`: itself, or one of its ABI family."""
    targets = [unit.target for unit in listed_units(("cpp",)) if unit.target]
    if named is None or named.name in targets:
        return named.name if named else targets[0]
    abi = named.blueprint.mpi.abi
    families = {"mpich": "mpich-", "ompi": "openmpi-"}
    for target in targets:
        if target.endswith("-abi") if abi == "abi" else target.startswith(families.get(abi, "")):
            return target
    return targets[0]


def _generated(name: str, language: str, named: Named) -> list[str]:
    """The declarations of a layer of this one function."""
    inputs = Inputs([named])
    plan = Plan([f for f in inputs.plan.functions if f.name == name and f.decision != "skip"])
    if not plan.functions:
        return []
    target = named.name if language == "cpp" else None
    response = host.run(Request(language, inputs.atlas, plan, target))
    return declarations(language, response.files)


def _declares(line: str, name: str) -> bool:
    """Whether a declaration is that of `name`; languages mark extensions each in its own way."""
    found = _folded(_declared_name(line))
    bare = _folded(re.sub(r"^MPIX_", "", name))
    if not name.startswith("MPIX_"):
        # A name that a language has taken for itself gets an ending: Java's finalizeMpi.
        return found in (bare, f"{bare}mpi") and "Extensions: " not in line
    return found in (f"mpix{bare}", f"x{bare}") or (found == bare and "Extensions: " in line)


def _folded(name: str) -> str:
    text = re.sub(r"^MPI_", "", name)
    return text.replace("_", "").casefold()


def _declared_name(line: str) -> str:
    """The name a declaration declares: what stands before the parenthesis, or before the value."""
    text = _without_targets(line)
    text = text.partition(": ")[2] or text
    text = re.sub(r"^template <.*?> ", "", text)
    text = re.sub(r"^func \([^)]*\) ", "func ", text)
    head = re.split(r"[(={]", text, maxsplit=1)[0]
    if re.match(r"(const|var|type|class|struct|enum|record|interface)\b", head):
        words = [w for w in head.split() if w != "class"]
        return words[1] if len(words) > 1 else words[0]
    words = re.findall(r"[\w]+", re.sub(r"<[^<>]*>", "", head))
    return words[-1] if words else ""


def _without_targets(line: str) -> str:
    return re.sub(r"  \[only [^\]]*\]$", "", line)


def _is_for(line: str, target: str | None) -> bool:
    only = re.search(r"  \[only ([^\]]*)\]$", line)
    return only is None or target is None or target in only.group(1).split(", ")
