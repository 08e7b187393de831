"""What of the tests a change can have touched: by the inputs of parts, and by Python's imports."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pathspec

from mpiglot.blueprints.errors import UsageError
from mpiglot.ci.parts import Part, Task

RULES = Path(__file__).resolve().with_name("changed.json")
ROOMS = ("blueprints", "ci", "doctor", "generators", "parser", "provision", "templates")


def git(root: Path, *words: str) -> list[str]:
    """What git answers, one entry for each NUL."""
    done = subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", str(root), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise UsageError(f"git {' '.join(words)}: {done.stderr.strip()}")
    return [entry for entry in done.stdout.split("\0") if entry]


def is_repository(root: Path) -> bool:
    """Whether git knows this folder: an archive of the project has no history."""
    try:
        return (root / ".git").exists() and bool(git(root, "rev-parse", "HEAD"))
    except (OSError, UsageError):
        return False


def walked(root: Path) -> Iterator[str]:
    """The files of a folder that its `.gitignore` does not name, without asking git."""
    lines = (root / ".gitignore").read_text(encoding="utf-8").splitlines()
    ignored = pathspec.GitIgnoreSpec.from_lines([*lines, ".git"])
    for folder, folders, files in os.walk(root):
        inside = Path(folder).relative_to(root)
        names = {name: (inside / name).as_posix() for name in [*folders, *files]}
        links = [name for name in folders if (root / names[name]).is_symlink()]
        folders[:] = sorted(
            name
            for name in folders
            if name not in links and not ignored.match_file(f"{names[name]}/")
        )
        yield from (names[n] for n in sorted(links + files) if not ignored.match_file(names[n]))


def _hashed(root: Path, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Those of the files that are there, each with a hash of what it, or its link, holds."""
    for path in paths:
        file = root / path
        if file.is_symlink() or file.is_file():
            held = str(file.readlink()).encode() if file.is_symlink() else file.read_bytes()
            yield path, hashlib.sha1(held, usedforsecurity=False).hexdigest()


@dataclass
class Tree:
    """The files of a checkout that git does not ignore, each with a hash of what it holds.

    A folder that is no repository, an archive of the sources, has those that git would not ignore.
    """

    root: Path
    files: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Path) -> Tree:
        if not is_repository(root):
            return cls(root, dict(_hashed(root, walked(root))))
        files = {}
        for entry in git(root, "ls-files", "--stage", "-z"):
            kind, _, path = entry.partition("\t")
            files[path] = kind.split()[1]
        others = git(root, "ls-files", "--others", "--exclude-standard", "-z")
        new = [*git(root, "diff-files", "--name-only", "-z"), *others]
        for path in new:
            files.pop(path, None)
        return cls(root, {**files, **dict(_hashed(root, new))})

    def since(self, revision: str) -> set[str]:
        """The files that differ from a commit, those that are gone included."""
        if not is_repository(self.root):
            raise UsageError(f"{self.root} is no git repository: nobody knows what has changed.")
        return {
            *git(self.root, "diff", "--name-only", "-z", revision),
            *git(self.root, "ls-files", "--others", "--exclude-standard", "-z"),
        }

    def hash_of(self, paths: Iterable[str]) -> str:
        """A hash of what some files hold."""
        lines = [f"{path} {self.files.get(path, '')}" for path in sorted(paths)]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@cache
def pattern(glob: str) -> re.Pattern[str]:
    """A glob as an expression: `*` stays in its folder, `**` does not."""
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    parts = re.split(r"(\*\*/|\*\*|\*)", glob)
    return re.compile("".join(words.get(part, re.escape(part)) for part in parts))


class Inputs:
    """The files that the parts depend on, by the globs of `parts.json`."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._globs = {part.name: part.inputs for part in parts}

    def globs(self, name: str) -> Iterator[str]:
        """The globs of a part, and those of the parts that it names as `@part`."""
        for glob in self._globs[name]:
            if glob.startswith("@"):
                yield from self.globs(glob[1:])
            else:
                yield glob

    def of(self, name: str, paths: Iterable[str]) -> list[str]:
        """Those of the files that a part depends on."""
        found = [pattern(glob) for glob in dict.fromkeys(self.globs(name))]
        return [path for path in paths if any(one.fullmatch(path) for one in found)]

    def key(self, task: Task, tree: Tree) -> str:
        """What decides how a task ends: two runs with the same key end alike."""
        about = [
            task.name,
            str(task.part.commands + task.part.matrix_commands),
            task.mpi.version if task.mpi else "",
        ]
        about.append(tree.hash_of(self.of(task.part.name, tree.files)))
        return hashlib.sha256("\n".join(about).encode()).hexdigest()


class Imports:
    """Which Python files each file of a checkout imports."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._closures: dict[str, set[str]] = {}

    def closure(self, path: str) -> set[str]:
        """A file and all that it imports, directly or not, lazy imports included."""
        if path not in self._closures:
            found, new = {path}, [path]
            while new:
                for other in self._imported(new.pop()) - found:
                    found.add(other)
                    new.append(other)
            self._closures[path] = found
        return self._closures[path]

    @cache  # noqa: B019 - lives as long as a run
    def _imported(self, path: str) -> set[str]:
        text = (self._tree.root / path).read_text(encoding="utf-8")
        return {file for words in modules(text) if (file := self._file(words))}

    def _file(self, words: Sequence[str]) -> str:
        """The file of a module, or of the module that has the last word as a name."""
        if words and words[0] == "mpiglot" and words[1:2] and words[1] in ROOMS:
            words = words[1:]
        for end in (len(words), len(words) - 1):
            base = "/".join(words[:end])
            for file in (f"{base}.py", f"{base}/__init__.py"):
                if file in self._tree.files:
                    return file
        return ""


def modules(text: str) -> Iterator[list[str]]:
    """The words of each module, with the name taken out of it, that a file imports anywhere."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ([*(node.module or "").split("."), alias.name] for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and "import_module" in ast.dump(node.func):
            yield ast.unparse(node.args[0]).strip("f'\"").split(".")


@dataclass(frozen=True)
class Rule:
    """Which Python tests look at files that are not imported."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


def touched_tests(
    folders: Sequence[str], changed: Iterable[str], tree: Tree, rules: Sequence[Rule]
) -> list[str]:
    """The Python test files below some folders that a change can have touched."""
    imports = Imports(tree)
    tests = [
        path
        for path in tree.files
        if re.search(r"(^|/)test_\w+\.py$", path) and any(path.startswith(f"{f}/") for f in folders)
    ]
    behind: dict[str, set[str]] = {}
    wanted: set[str] = set()
    for path in changed:
        if path.endswith(".py") and path in tree.files:
            behind = behind or {test: _behind(test, imports, tree) for test in tests}
            wanted.update(test for test in tests if path in behind[test])
        for rule in rules:
            if any(pattern(glob).fullmatch(path) for glob in rule.files):
                wanted.update(t for t in tests if any(pattern(g).fullmatch(t) for g in rule.tests))
        top = "/".join(path.split("/")[:2])
        if path.startswith("tests/") and not path.endswith(".py"):
            wanted.update(test for test in tests if test.startswith(f"{top}/"))
    return sorted(wanted)


def _behind(test: str, imports: Imports, tree: Tree) -> set[str]:
    """The Python files that a test file runs: imports, and the fixtures of its folders."""
    found = set(imports.closure(test))
    words = test.split("/")[:-1]
    for end in range(1, len(words) + 1):
        fixtures = "/".join([*words[:end], "conftest.py"])
        if fixtures in tree.files:
            found |= imports.closure(fixtures)
    return found


@dataclass(frozen=True)
class Passed:
    """The tasks that have passed, with the inputs they had, in a folder."""

    folder: Path
    tree: Tree
    inputs: Inputs

    def row(self, task: Task) -> dict[str, Any] | None:
        """What was noted when a task passed with the inputs that it has now."""
        try:
            noted: dict[str, Any] = json.loads(self._file(task).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return noted if noted.get("key") == self.inputs.key(task, self.tree) else None

    def note(self, task: Task, **about: float) -> None:
        """Notes that a task passed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"key": self.inputs.key(task, self.tree), **about})
        self._file(task).write_text(text + "\n", encoding="utf-8")

    def _file(self, task: Task) -> Path:
        return self.folder / f"{task.file}.json"


def narrowed(every: Sequence[Task], files: set[str], passed: Passed) -> list[Task]:
    """Those of some tasks that changed files can have touched, with what they wait for.

    Of Python tests and lint those files only that the change concerns. A task that others wait for
    and that has passed as it is does not run again.
    """
    rules = read_rules()
    tasks = []
    for task in every:
        part = task.part
        own = set(passed.inputs.of(part.name, files))
        if not own:
            continue
        if part.counts == "pytest":
            tests = touched_tests(_folders(part), own, passed.tree, rules)
            if tests:
                tasks.append(Task(_with_tests(part, tests), task.mpi))
        elif part.name == "lint":
            there = sorted(own & set(passed.tree.files))
            commands = tuple((*words, *there) for words in part.commands)
            tasks.append(Task(replace(part, commands=commands)))
        else:
            tasks.append(task)
    return completed(tasks, [one for one in every if one.part.counts != "pytest"], passed)


def without_joins(every: Sequence[Task]) -> list[Task]:
    """The tasks but those that only join the runs of many MPIs."""
    per_mpi = {task.part.name for task in every if task.mpi}
    return [task for task in every if task.mpi or not per_mpi & set(task.part.after)]


def completed(tasks: Sequence[Task], every: Sequence[Task], passed: Passed) -> list[Task]:
    """The tasks with those that they wait for, of which nothing passed as it is.

    What only joins others brings none of them.
    """
    wanted = {task.name: task for task in tasks}
    new = list(tasks)
    while new:
        new = [
            other
            for other in every
            if other.name not in wanted
            and any(one.waits_for(other) and (one.mpi or not other.mpi) for one in new)
            and passed.row(other) is None
        ]
        wanted.update((one.name, one) for one in new)
    order = {task.name: i for i, task in enumerate([*every, *tasks])}
    return sorted(wanted.values(), key=lambda task: order[task.name])


def _folders(part: Part) -> list[str]:
    return [word for words in part.commands for word in words if word.startswith("tests/")]


def _with_tests(part: Part, tests: Sequence[str]) -> Part:
    """A part with these test files instead of its folders."""
    commands = [
        (*(word for word in words if not word.startswith("tests/")), *tests)
        for words in part.commands
    ]
    return replace(part, commands=tuple(commands))


def read_rules() -> list[Rule]:
    """The rules of `changed.json`."""
    data = json.loads(RULES.read_text(encoding="utf-8"))
    return [Rule(tuple(one["files"]), tuple(one["tests"])) for one in data["rules"]]
