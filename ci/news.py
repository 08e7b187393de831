"""`ci/mpi news`: MPI releases that the matrix does not have, and what of them is to be reviewed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.provision.matrix import DATA, matrix, read
from mpiglot.provision.news import Release, news, with_entry
from mpiglot.provision.obtain import checkout

SECONDS = 1800


@click.command("news")
@click.option("--add", is_flag=True, help="Put them into the matrix, measure them, generate.")
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
def news_command(add: bool, as_json: bool) -> int:
    """List the MPI releases of the registry that the matrix does not have.

    A release counts if it is newer than all known ones of its line (5.0), or of a newer line. Exit
    code 1 if there are any. With --add (in a checkout) each becomes an entry of the matrix and a
    blueprint in blueprints/known, generated/ is renewed, and build/news/NAME.md says what is new.
    """
    found = news(matrix())
    if add:
        for release in found:
            _add(release)
    if as_json:
        click.echo(
            json.dumps(
                [
                    {"name": r.name, "version": r.version, "newest_known": r.like.version}
                    for r in found
                ]
            )
        )
    elif not found:
        click.echo("The matrix has the newest releases.")
    else:
        for release in found:
            click.echo(f"{release.name:24} newest known: {release.like.version}")
    return 1 if found else 0


def _add(release: Release) -> None:
    root = checkout()
    if root is None:
        raise EnvironmentProblem("ci/mpi news --add needs a checkout of the project.")
    before = DATA.read_text(encoding="utf-8")
    after = with_entry(before, release, read(json.loads(before)))
    DATA.write_text(after, encoding="utf-8")
    added = [m.name for m in read(json.loads(after)).mpis if m.version == release.version]
    known = root / "blueprints/known"
    try:
        _run("mpiglot.ci", "install", release.name)
        words = ["--mpi", release.name, "--all", "--portable", "--no-cache"]
        _run("mpiglot", "probe", *words, "-o", str(known))
        missing = [name for name in added if not (known / f"{name}.json").is_file()]
        if missing:
            raise EnvironmentProblem(
                f"{release.package} {release.version} was measured, but there is no "
                f"{' and no '.join(missing)}: see what blueprints/known has now."
            )
    except EnvironmentProblem:
        DATA.write_text(before, encoding="utf-8")
        raise
    _report(root, release)
    _run("mpiglot", "generate", "all")
    _run("mpiglot.ci.pages")
    say = f"{release.name} was added; next: ci/test --mpi {release.name}"
    click.echo(say, err=True)


def _report(root: Path, release: Release) -> None:
    """What is new, and whether calls conflict, as Markdown for a pull request."""
    changes = _run("mpiglot", "diff", release.like.name, release.name, "--format", "markdown")
    blueprints = sorted(path.stem for path in (root / "blueprints/known").glob("*.json"))
    conflicts = _run("mpiglot", "atlas", *blueprints)
    folder = root / "build/news"
    folder.mkdir(parents=True, exist_ok=True)
    text = f"{changes}\n## All known MPIs together\n\n```\n{conflicts}```\n"
    (folder / f"{release.name}.md").write_text(text, encoding="utf-8")


def _run(module: str, *words: str) -> str:
    """The output of one of our commands; differences (exit code 1) are no failure."""
    done = subprocess.run(
        [sys.executable, "-m", module, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode > 1:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise EnvironmentProblem(f"{module} {words[0] if words else ''} failed: {last}")
    return done.stdout
