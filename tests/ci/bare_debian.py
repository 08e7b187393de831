"""A bare Debian 12 as a folder of links to programs; its `apt-get` links those of packages.

Only what this machine has installed can be linked. What `apt-get` was asked for, and what of it is
not here, stands in files beside the links. Imported by tests, and run by the stand-ins for
`apt-get` and `dpkg-query` themselves.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

STATUS = Path("/var/lib/dpkg/status")
LISTS = Path("/var/lib/dpkg/info")
ALTERNATIVES = Path("/etc/alternatives")
PROGRAMS = ("/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/games/")
#: Options of apt-get that a value follows.
VALUED = ("-o", "-t", "-c")
_STAND_IN = '#!/bin/sh\nexec "{python}" -IS "{this}" "{folder}" {name} "$@"\n'


@dataclass(frozen=True)
class Package:
    """An installed package."""

    name: str
    version: str
    priority: str
    depends: tuple[tuple[str, ...], ...]  # of each one of these

    def programs(self) -> list[Path]:
        """The files that a shell finds."""
        for path in (LISTS / f"{self.name}.list", *LISTS.glob(f"{self.name}:*.list")):
            if path.is_file():
                lines = path.read_text(encoding="utf-8").splitlines()
                return [Path(line) for line in lines if line.rpartition("/")[0] + "/" in PROGRAMS]
        return []


@cache
def installed() -> dict[str, Package]:
    """The packages of this machine, by name."""
    result = {}
    for entry in STATUS.read_text(encoding="utf-8").split("\n\n"):
        fields = dict(re.findall(r"^([\w-]+): (.*)$", entry, re.MULTILINE))
        if fields.get("Status") != "install ok installed":
            continue
        wanted = ", ".join(filter(None, (fields.get("Pre-Depends"), fields.get("Depends"))))
        depends = tuple(
            tuple(re.split(r"[ :(]", one.strip())[0] for one in choice.split("|"))
            for choice in filter(None, wanted.split(", "))
        )
        priority = "required" if fields.get("Essential") == "yes" else fields.get("Priority", "")
        result[fields["Package"]] = Package(fields["Package"], fields["Version"], priority, depends)
    return result


@cache
def with_dependencies(names: frozenset[str]) -> tuple[frozenset[str], dict[str, Path]]:
    """These packages with all that they depend on, and their programs."""
    packages, new = installed(), sorted(names)
    here: set[str] = set()
    programs: dict[str, Path] = {}
    while new:
        package = packages.get(new.pop())
        if package is None or package.name in here:
            continue
        here.add(package.name)
        programs.update((path.name, path) for path in package.programs() if path.exists())
        for choice in package.depends:
            new += [name for name in choice if name in packages][:1]
    linked = {path.resolve() for path in programs.values()}
    for path in ALTERNATIVES.iterdir():
        program = Path("/usr/bin") / path.name
        if path.resolve() in linked and program.exists():
            programs.setdefault(path.name, program)
    return frozenset(here), programs


@dataclass
class BareDebian:
    """The folder, which is all that PATH names."""

    folder: Path
    packages: dict[str, Package] = field(default_factory=installed)

    @classmethod
    def made(cls, folder: Path) -> BareDebian:
        """The programs of a base system: what is required, and apt."""
        folder.mkdir(parents=True)
        bare = cls(folder)
        bare.add(
            [one.name for one in bare.packages.values() if one.priority == "required"] + ["apt"]
        )
        for name in ("apt-get", "dpkg-query"):
            bare.own(
                name,
                _STAND_IN.format(
                    python=sys.executable, this=Path(__file__).resolve(), folder=folder, name=name
                ),
            )
        if os.getuid() != 0:  # in a container one is root
            bare.own("id", '#!/bin/sh\n[ "$*" = -u ] && echo 0 || exec /usr/bin/id "$@"\n')
        return bare

    def own(self, name: str, text: str) -> None:
        """A program in the place of a link."""
        (self.folder / name).unlink(missing_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")
        (self.folder / name).chmod(0o755)

    def link(self, name: str, to: Path) -> None:
        """A program that is elsewhere; the first one of a name stays."""
        with suppress(FileExistsError):
            (self.folder / name).symlink_to(to)

    def add(self, names: Iterable[str]) -> None:
        """Links the programs of packages and of all that they depend on."""
        here = frozenset(self.there())
        added, programs = with_dependencies(frozenset(names) - here)
        for name, path in programs.items():
            self.link(name, path)
        text = "\n".join(sorted(here | added))
        self._file("there").write_text(text, encoding="utf-8")

    def there(self) -> list[str]:
        """The packages whose programs are linked."""
        return self._lines("there")

    def asked(self) -> list[str]:
        """The packages that were asked for, in order."""
        return self._lines("asked")

    def missing(self) -> list[str]:
        """Those of them that this machine has not."""
        return self._lines("missing")

    def _file(self, name: str) -> Path:
        return self.folder.with_name(f"{self.folder.name}-{name}")

    def _lines(self, name: str) -> list[str]:
        file = self._file(name)
        return file.read_text(encoding="utf-8").split() if file.exists() else []

    def _note(self, name: str, words: Iterable[str]) -> None:
        with self._file(name).open("a", encoding="utf-8") as file:
            file.writelines(f"{word}\n" for word in words)

    def apt_get(self, words: list[str]) -> int:
        """`update` does nothing, `install` links; there is nothing else."""
        plain = [
            word
            for before, word in zip(["", *words], words, strict=False)
            if not word.startswith("-") and before not in VALUED
        ]
        if plain[:1] == ["update"]:
            return 0
        if plain[:1] != ["install"]:
            print(f"E: this stand-in for apt-get does not know {' '.join(plain)}", file=sys.stderr)
            return 100
        names = [word.partition("=")[0] for word in plain[1:]]
        self._note("asked", names)
        absent = [name for name in names if name not in self.packages]
        self._note("missing", absent)
        for name in absent:
            print(f"E: {name} is not installed on this machine: nothing to link", file=sys.stderr)
        self.add(name for name in names if name in self.packages)
        return 100 if absent else 0

    def dpkg_query(self, words: list[str]) -> int:
        """`-W [-f FORMAT] PACKAGE`: says of what is linked that it is installed."""
        name, there = words[-1], set(self.there())
        if name not in there or name not in self.packages:
            print(f"dpkg-query: no packages found matching {name}", file=sys.stderr)
            return 1
        form = words[words.index("-f") + 1] if "-f" in words else "${Version}"
        values = {"db:Status-Status": "installed", "Version": self.packages[name].version}
        print(re.sub(r"\$\{([\w:-]+)\}", lambda found: values[found[1]], form), end="")
        return 0


if __name__ == "__main__":
    debian = BareDebian(Path(sys.argv[1]))
    act = {"apt-get": debian.apt_get, "dpkg-query": debian.dpkg_query}[sys.argv[2]]
    sys.exit(act(sys.argv[3:]))
