"""Reads the workflows and executes their steps as the runner of the forge does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from mpiglot.ci.changes import is_repository
from mpiglot.ci.lint import Checkout
from tests.ci.bare_debian import BareDebian
from tests.limits import guard

ROOT = Path(__file__).parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"
#: What of this machine's environment says how registries are reached.
NETWORK = ("PIP_", "SSL_", "REQUESTS_", "CURL_", "GOPROXY", "GOSUMDB", "GONOSUMDB")
PROXIES = {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"}


@dataclass(frozen=True)
class Step:
    """One `run:` step with what its job says about it."""

    workflow: str
    job: str
    run: str
    name: str = ""
    id: str = ""
    shell: str | None = None
    container: bool = False
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.workflow} {self.job}: {self.name or self.run.splitlines()[0]}"

    def words(self, script: Path) -> list[str]:
        """The shell as the runner starts it."""
        if self.shell == "bash":
            return ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
        assert self.shell is None
        return ["sh" if self.container else "bash", "-e", str(script)]


def steps(texts: Mapping[str, str] | None = None) -> list[Step]:
    """All `run:` steps of the workflows, or of others, in their order."""
    if texts is None:
        texts = {path.name: path.read_text(encoding="utf-8") for path in WORKFLOWS.glob("*.yml")}
    result = []
    for name, text in sorted(texts.items()):
        data = yaml.safe_load(text)
        for job, about in data["jobs"].items():
            for step in about.get("steps", ()):
                if "run" in step:
                    env = {**data.get("env", {}), **about.get("env", {}), **step.get("env", {})}
                    shells = [step, *(_defaults(one) for one in (about, data))]
                    shell = next((one["shell"] for one in shells if "shell" in one), None)
                    container = "container" in about
                    words = (step["run"], step.get("name", ""), step.get("id", ""))
                    result.append(Step(name, job, *words, shell, container, env))
    return result


def _defaults(about: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = about.get("defaults", {}).get("run", {})
    return found


def archive(folder: Path) -> Path:
    """The sources as `git archive` gives them, in a file: tracked files and new ones."""
    made = folder / "sources.tar"
    if not is_repository(ROOT):
        files = [one for one in Checkout.of(ROOT).files if (ROOT / one).exists()]
        links = [
            str(path.relative_to(ROOT)) for path in ROOT.glob("mpiglot/*") if path.is_symlink()
        ]
        names = "\0".join([*files, *links]).encode()
        words = ["tar", "cf", str(made), "-C", str(ROOT), "--null", "-T", "-"]
        subprocess.run(words, input=names, timeout=guard(30), check=True)
        return made

    def git(*words: str, **variables: str) -> str:
        done = subprocess.run(
            ["git", "-c", "safe.directory=*", "-C", str(ROOT), *words],
            env={**os.environ, **variables},
            stdout=subprocess.PIPE,
            text=True,
            timeout=guard(30),
            check=True,
        )
        return done.stdout.strip()

    index = git("rev-parse", "--path-format=absolute", "--git-path", "index")
    objects = git("rev-parse", "--path-format=absolute", "--git-path", "objects")
    shutil.copy(index, folder / "index")
    (folder / "objects").mkdir()
    apart = {
        "GIT_INDEX_FILE": str(folder / "index"),
        "GIT_OBJECT_DIRECTORY": str(folder / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": objects,
    }
    git("add", "-A", **apart)
    tree = git("write-tree", **apart)
    git("archive", "--output", str(made), tree, **apart)
    return made


@dataclass
class Room:
    """A machine for the steps of a job: sources in a folder, a bare system, what steps said."""

    folder: Path
    debian: BareDebian
    outputs: dict[str, str] = field(default_factory=dict)

    @classmethod
    def made(cls, folder: Path, sources: Path | None, *, installed: bool = True) -> Room:
        """A new one, empty or with sources; `installed` with the checkout's own .venv."""
        room = cls(folder, BareDebian.made(folder / "programs"))
        for part in ("sources", "home", "temp"):
            (folder / part).mkdir()
        if sources is None:
            return room
        subprocess.run(
            ["tar", "xf", str(sources), "-C", str(room.sources)], timeout=guard(30), check=True
        )
        for name in (".tools", ".mpi"):
            if (ROOT / name).is_dir():
                (room.sources / name).symlink_to((ROOT / name).resolve())
        if installed:
            room._link_environment()
        return room

    @property
    def sources(self) -> Path:
        return self.folder / "sources"

    @property
    def temp(self) -> Path:
        return self.folder / "temp"

    def _link_environment(self) -> None:
        """A .venv of links to the one that runs this, complete for ci/lib.sh."""
        venv = self.sources / ".venv"
        venv.mkdir()
        for one in Path(sys.prefix).iterdir():
            if one.name not in (".complete", ".lock"):
                (venv / one.name).symlink_to(one.resolve())
        done = subprocess.run(
            ["bash", "-c", ". ci/lib.sh; complete_venv"],
            cwd=self.sources,
            capture_output=True,
            text=True,
            timeout=guard(10),
            check=True,
        )
        (venv / ".complete").write_text(done.stdout, encoding="utf-8")

    def environment(self) -> dict[str, str]:
        """What the runner gives to every step, and how this machine reaches registries."""
        network = {
            key: value
            for key, value in os.environ.items()
            if key in PROXIES or key.startswith(NETWORK)
        }
        home = Path.home()
        caches = {
            "GOCACHE": os.environ.get("GOCACHE") or str(home / ".cache" / "go-build"),
            "GOENV": str(home / ".config" / "go" / "env"),
            "MYPY_CACHE_DIR": str(ROOT / "build" / "workflows" / "mypy"),
            "RUFF_CACHE_DIR": str(ROOT / "build" / "workflows" / "ruff"),
        }
        return {
            **network,
            **caches,
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_WORKSPACE": str(self.sources),
            "HOME": str(self.folder / "home"),
            "PATH": str(self.debian.folder),
            "RUNNER_TEMP": str(self.temp),
        }

    def run(
        self, step: Step, values: Mapping[str, str], *, seconds: float, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Executes a step; `values` are those of the expressions in its environment."""
        script = self.temp / "step.sh"
        script.write_text(step.run, encoding="utf-8")
        (self.folder / "output").write_text("", encoding="utf-8")
        env = {key: expanded(str(text), values) for key, text in step.env.items()}
        words = step.words(script)
        done = subprocess.run(
            [str(self.debian.folder / words[0]), *words[1:]],
            cwd=self.sources,
            env={**self.environment(), **env, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
            check=False,
        )
        for line in (self.folder / "output").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            self.outputs[name] = value
        return done


def expanded(text: str, values: Mapping[str, str]) -> str:
    """A text with its `${{ expressions }}` replaced by their values."""
    return re.sub(r"\$\{\{ *(.+?) *\}\}", lambda found: values[found[1]], text)


def only_listed(run: str) -> str:
    """The commands of a step where those that test for long list what they would do instead."""
    text = re.sub(r"(?<![\w/])(ci/test|\.ci/run|ci/mutate)(?![\w/])", r"\1 --list", run)
    return re.sub(r"(?<![\w/])ci/demo(?![\w/])", "ci/demo --help", text)


def uses_an_expression(every: Sequence[Step]) -> list[str]:
    """The steps whose commands a value could change."""
    return [step.label for step in every if "${{" in step.run]
