"""docs/reference/coverage.md and its picture, from the coverage data."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from tests.conformance.counter import LANGUAGES, ROOT
from tests.conformance.coverage import (
    ABSENT,
    EXECUTED,
    MACRO,
    OPEN,
    SPOKEN,
    UNMEASURED,
    UNREACHABLE,
    Coverage,
)

PAGE = ROOT / "docs" / "reference" / "coverage.md"
PICTURE = ROOT / "docs" / "figures" / "coverage.svg"

HEAD = """# Executed functions

mpiglot generates every function in C++, Go and Java. This page lists the functions that a test
*calls with success*, for each MPI. `python -m tests.conformance.coverage write` makes the page from
counts taken by a library between the programs and MPI (`tests/conformance/README.md`). `ci/test`
fails if a run executes more or fewer functions than this page lists.

![share of functions executed, by chapter and MPI](../figures/coverage.svg)

## Summary

*Exported*: functions of the library. *Executable*: exported functions without those that cannot be
executed here ([reasons](#functions-that-cannot-be-executed-here)), for C++. The percentages of Go
and Java refer to the functions that these two call; in place of a dozen functions they call the
twin for large counts. If more of an MPI works in another environment, the tests run again in it
(`further` in `provision/matrix.json`).
"""

LEGEND = f"""## Function by function

One character for each MPI, in this order:
{{order}}.

| | |
|---|---|
| `{EXECUTED}` | executed: called by a test, with success |
| `{OPEN}` | not executed |
| `{UNREACHABLE}` | cannot be executed here; the reasons are above |
| `{UNMEASURED}` | exported, but no test has run on this MPI yet |
| `{MACRO}` | a macro (`MPI_Comm_c2f` is a cast): no function, or one that only Go calls |
| `{ABSENT}` | not in this MPI: the generated function exists and reports `unavailable` |
"""


def files(coverage: Coverage) -> dict[Path, str]:
    """The page and the picture."""
    return {PAGE: page(coverage), PICTURE: picture(coverage)}


def page(coverage: Coverage) -> str:
    order = textwrap.fill(", ".join(coverage.mpis), 100, break_on_hyphens=False)
    parts = [HEAD, _by_mpi(coverage), _by_chapter(coverage), _reasons(coverage), _open(coverage)]
    parts.append(LEGEND.format(order=order))
    parts += [_functions(coverage, chapter) for chapter in coverage.chapters]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _share(coverage: Coverage, mpi: str, language: str, chapter: str | None = None) -> str:
    if not coverage.measured(mpi, language):
        return "not measured"
    done, all_ = coverage.share(mpi, language, chapter)
    return f"{done} ({100 * done / all_:.1f} %)" if all_ else ""


def _by_mpi(coverage: Coverage) -> str:
    rows = []
    for mpi in coverage.mpis:
        links = sum(coverage.status.get((name, mpi)) == "links" for name in coverage.functions())
        executable = coverage.share(mpi, "cpp")[1]
        shares = [_share(coverage, mpi, language) for language in LANGUAGES]
        rows.append([mpi, str(links), str(executable), *shares])
    return _table(["MPI", "exported", "executable", *(SPOKEN[x] for x in LANGUAGES)], rows)


def _by_chapter(coverage: Coverage) -> str:
    """Totals over the MPIs measured; every function on every MPI counts once."""
    rows = []
    for chapter, names in coverage.chapters.items():
        row = [chapter, str(len(names))]
        for language in LANGUAGES:
            shares = [
                coverage.share(mpi, language, chapter)
                for mpi in coverage.mpis
                if coverage.measured(mpi, language)
            ]
            done, all_ = sum(s[0] for s in shares), sum(s[1] for s in shares)
            row.append(f"{done} of {all_}" if all_ else "")
        rows.append(row)
    heads = ["chapter", "functions", *(SPOKEN[x] for x in LANGUAGES)]
    return "By chapter, over the MPIs measured:\n\n" + _table(heads, rows)


def _reasons(coverage: Coverage) -> str:
    """Every reason with the functions and the MPIs it is about."""
    found: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for name in coverage.functions():
        for mpi in coverage.mpis:
            for language in coverage.languages_of(mpi):
                if coverage.state(name, mpi, language) == UNREACHABLE:
                    functions, mpis = found[coverage.why_not(name, mpi, language)]
                    functions.add(name)
                    mpis.add(mpi)
    rows = [
        [reason, ", ".join(f"`{f}`" for f in sorted(functions)), _named(coverage, mpis)]
        for reason, (functions, mpis) in sorted(found.items())
    ]
    head = "## Functions that cannot be executed here\n\n"
    return head + _table(["reason", "functions", "MPIs"], rows)


def _open(coverage: Coverage) -> str:
    """Every function that could be executed and is not, with the reason."""
    found: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name in coverage.functions():
        for mpi in coverage.mpis:
            for language in coverage.languages_of(mpi):
                if coverage.state(name, mpi, language) == OPEN:
                    found[coverage.why_open(name, mpi, language), name][mpi].append(language)
    alike: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for (reason, name), by_mpi in found.items():
        languages = {one for some in by_mpi.values() for one in some}
        spoken = ", ".join(SPOKEN[x] for x in LANGUAGES if x in languages)
        alike[reason, spoken, _named(coverage, set(by_mpi))].append(f"`{name}`")
    lines = [
        [", ".join(names), spoken, mpis, reason]
        for (reason, spoken, mpis), names in sorted(alike.items())
    ]
    head = "## Functions that could be executed but are not\n\n"
    return head + _table(["functions", "languages", "MPIs", "why"], lines)


def _named(coverage: Coverage, mpis: set[str]) -> str:
    if len(mpis) == len(coverage.mpis):
        return "all"
    return ", ".join(mpi for mpi in coverage.mpis if mpi in mpis)


def _functions(coverage: Coverage, chapter: str) -> str:
    rows = []
    for name in coverage.chapters[chapter]:
        cells = [
            "`" + "".join(coverage.state(name, mpi, language) for mpi in coverage.mpis) + "`"
            for language in LANGUAGES
        ]
        rows.append([name, *cells])
    return f"### {chapter}\n\n" + _table(["function", *(SPOKEN[x] for x in LANGUAGES)], rows)


# --------------------------------------------------------------------------- picture

CELL_WIDTH, CELL_HEIGHT, LEFT, TOP = 23, 17, 96, 124
VENDORS = ("mpich", "openmpi", "intelmpi")


def picture(coverage: Coverage) -> str:
    """A field for each chapter, MPI and language; it says how many percent where it is not all."""
    panel = CELL_WIDTH * len(coverage.mpis) + 58
    width = LEFT + panel * len(LANGUAGES) + 34
    rows = [*coverage.chapters, "all"]
    height = TOP + CELL_HEIGHT * len(rows) + 52
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for row, chapter in enumerate(rows):
        weight = 700 if chapter == "all" else 400
        at = f'x="{LEFT - 8}" y="{_top(row, rows) + 12}"'
        out.append(f'<text {at} text-anchor="end" font-weight="{weight}">{chapter}</text>')
    for number, language in enumerate(LANGUAGES):
        out += _panel(coverage, language, LEFT + number * panel, rows)
    out += _scale(LEFT, height - 26)
    return "\n".join([*out, "</svg>"]) + "\n"


def _top(row: int, rows: Sequence[str]) -> int:
    return TOP + row * CELL_HEIGHT + (5 if rows[row] == "all" else 0)


def _panel(coverage: Coverage, language: str, left: int, rows: Sequence[str]) -> list[str]:
    out = [f'<text x="{left}" y="18" font-size="14" font-weight="bold">{SPOKEN[language]}</text>']
    order = [m for vendor in VENDORS for m in coverage.mpis if m.startswith(vendor)]
    for column, mpi in enumerate(order):
        x = left + column * CELL_WIDTH
        at = f"{x + 14} {TOP - 6}"
        out.append(f'<text transform="translate({at}) rotate(-60)" font-size="10">{mpi}</text>')
        for row, chapter in enumerate(rows):
            done, all_ = coverage.share(mpi, language, None if chapter == "all" else chapter)
            known = all_ if coverage.measured(mpi, language) else 0
            out += _cell(x, _top(row, rows), f"{chapter}, {mpi}", done, known)
    return out


def _cell(x: int, y: int, name: str, done: int, all_: int) -> list[str]:
    middle = f'x="{x + (CELL_WIDTH - 2) / 2:g}" y="{y + 11}" font-size="9" text-anchor="middle"'
    if not all_:
        return [f'<text {middle} fill="#999999">-<title>{name}: nothing</title></text>']
    fill, ink = _colours(done / all_)
    out = [
        f'<rect x="{x}" y="{y}" width="{CELL_WIDTH - 2}" height="{CELL_HEIGHT - 2}" '
        f'fill="{fill}"><title>{name}: {done} of {all_}</title></rect>'
    ]
    if done < all_:
        out.append(f'<text {middle} fill="{ink}">{100 * done // all_}</text>')
    return out


def _colours(share: float) -> tuple[str, str]:
    """From orange (nothing) over pale to blue (everything), which every eye can tell apart."""
    low, middle, high = (230, 97, 1), (247, 243, 225), (33, 102, 172)
    # most fields are above 80 %, where it shall be seen how far
    a, b, t = (low, middle, share / 0.7) if share < 0.7 else (middle, high, (share - 0.7) / 0.3)
    fill = "#" + "".join(f"{round(x + (y - x) * t):02x}" for x, y in zip(a, b, strict=True))
    return fill, "white" if share > 0.88 else "black"


def _scale(left: int, y: int) -> list[str]:
    out = [f'<text x="{left}" y="{y + 11}">executed:</text>']
    for i, share in enumerate((0, 0.25, 0.5, 0.7, 0.8, 0.9, 1.0)):
        x = left + 62 + i * 68
        out.append(f'<rect x="{x}" y="{y}" width="19" height="15" fill="{_colours(share)[0]}"/>')
        out.append(f'<text x="{x + 24}" y="{y + 11}">{round(100 * share)} %</text>')
    x = left + 62 + 7 * 68
    said = (
        "numbers: percent of what can be executed, rounded down; -: nothing there, or not measured"
    )
    return [*out, f'<text x="{x}" y="{y + 11}">{said}</text>']
