"""Writes the differences between two blueprints as text, JSON or Markdown."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from mpiglot.blueprints.diff import SUBJECTS, Change, noticeable
from mpiglot.blueprints.model import Blueprint

_SIGNS = {"removed": "-", "changed": "~", "added": "+"}
_KINDS = ("removed", "changed", "added")
_NONE = "No differences that a program can notice."


def title(name: str, blueprint: Blueprint) -> str:
    """What a blueprint is of, in a few words."""
    mpi = blueprint.mpi
    return f"{name} ({mpi.vendor} {mpi.version}, MPI {mpi.standard or 'unknown'})"


def _counts(
    before: Blueprint, after: Blueprint, changes: list[Change]
) -> dict[str, dict[str, int]]:
    """How many names there were and are, and how many came, went and changed, by subject."""
    out: dict[str, dict[str, int]] = {}
    for subject in SUBJECTS[1:]:
        row = {"before": len(getattr(before, subject)), "after": len(getattr(after, subject))}
        for kind in _KINDS:
            row[kind] = len({c.name for c in changes if c.subject == subject and c.kind == kind})
        out[subject] = row
    return out


def as_json(
    names: tuple[str, str], blueprints: tuple[Blueprint, Blueprint], changes: list[Change]
) -> str:
    """The differences for programs."""

    def side(name: str, b: Blueprint) -> dict[str, Any]:
        mpi = b.mpi
        return {
            "name": name,
            "vendor": mpi.vendor,
            "version": mpi.version,
            "standard": mpi.standard,
        }

    data = {
        "before": side(names[0], blueprints[0]),
        "after": side(names[1], blueprints[1]),
        "noticeable": noticeable(changes),
        "summary": _counts(*blueprints, changes),
        "changes": [{k: v for k, v in asdict(c).items() if v} for c in changes],
    }
    return json.dumps(data, indent=1, ensure_ascii=False)


# --------------------------------------------------------------------------- text


def as_text(
    names: tuple[str, str], blueprints: tuple[Blueprint, Blueprint], changes: list[Change]
) -> str:
    """The differences for a terminal: a table of numbers, then one line each."""
    head = " -> ".join(title(n, b) for n, b in zip(names, blueprints, strict=True))
    if not noticeable(changes):
        said = [f"  {_line(c)}" for c in changes]
        return "\n".join([head, *said, _NONE])
    columns = ("before", "after", *_KINDS)
    lines = [head, "", f"{'':12}" + "".join(f"{c:>9}" for c in columns)]
    for subject, row in _counts(*blueprints, changes).items():
        lines.append(f"{subject:12}" + "".join(f"{row[c]:>9}" for c in columns))
    for subject in SUBJECTS:
        of_subject = [c for c in changes if c.subject == subject]
        if of_subject:
            lines += ["", subject.capitalize(), *(f"  {_line(c)}" for c in of_subject)]
    return "\n".join(lines)


def _line(c: Change) -> str:
    sign = _SIGNS[c.kind]
    if c.kind != "changed":
        return f"{sign} {c.before or c.after}"
    what = f" {c.what}" if c.what else ""
    return f"{sign} {c.name}{what}: {c.before or '(none)'} -> {c.after or '(none)'}"


# --------------------------------------------------------------------------- Markdown


def as_markdown(
    names: tuple[str, str], blueprints: tuple[Blueprint, Blueprint], changes: list[Change]
) -> str:
    """The differences for a pull request: the table first, what goes into detail folded away."""
    before, after = (_cell(title(n, b)) for n, b in zip(names, blueprints, strict=True))
    lines = [f"## {before} → {after}", ""]
    if not noticeable(changes):
        return "\n".join([*lines, _NONE])
    lines += ["| | before | after | removed | changed | added |", "|---|--:|--:|--:|--:|--:|"]
    for subject, row in _counts(*blueprints, changes).items():
        cells = " | ".join(str(row[c]) for c in ("before", "after", *_KINDS))
        lines.append(f"| {subject} | {cells} |")
    for subject in SUBJECTS:
        for kind in _KINDS:
            lines += _section(subject, kind, changes)
    return "\n".join(lines)


def _section(subject: str, kind: str, changes: list[Change]) -> list[str]:
    chosen = [c for c in changes if c.subject == subject and c.kind == kind]
    if not chosen:
        return []
    number = len({c.name for c in chosen})
    heading = subject if subject == "installation" else f"{subject} {kind}"
    lines = ["", "<details>", f"<summary>{heading.capitalize()} ({number})</summary>", ""]
    if kind == "changed":
        lines += ["| name | what | before | after |", "|---|---|---|---|"]
        lines += [
            f"| {_code(c.name)} | {_cell(c.what)} | {_code(c.before)} | {_code(c.after)} |"
            for c in chosen
        ]
    else:
        lines += [f"- {_code(c.before or c.after)}" for c in chosen]
    return [*lines, "", "</details>"]


def _cell(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "&#124;")
    return " ".join(escaped.replace("`", "&#96;").split())


def _code(text: str) -> str:
    """Text as it is, whatever a header may contain."""
    return f"<code>{_cell(text).replace('*', '&#42;').replace('_', '&#95;')}</code>" if text else ""
