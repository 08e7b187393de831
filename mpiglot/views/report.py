"""What `mpiglot show` says of a whole MPI: how much of what there is, what is left out, and why."""

from __future__ import annotations

import textwrap
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from mpiglot.blueprints.model import to_json
from mpiglot.generators.inputs import Inputs, Named
from mpiglot.generators.model import AtlasFunction
from mpiglot.generators.policy import availability, decide, why_plain

STATUSES = ("links", "macro", "declared", "stub", "trap", "absent")
_TITLES = {"cpp": "C++", "go": "Go", "java": "Java"}
_TWINS = "large-count twins, called through their small functions when a value does not fit"


@dataclass(slots=True)
class Verdict:
    """What becomes of one function of an MPI, where it is not simply generated."""

    name: str
    decision: str  # "alias", "skip", "unavailable"
    reason: str
    twin: bool = False


@dataclass(slots=True)
class Overview:
    """One MPI at a glance."""

    named: Named
    functions: dict[str, dict[str, int]] = field(default_factory=dict)  # chapter -> status -> n
    constants: dict[str, int] = field(default_factory=dict)  # class -> n
    handles: list[tuple[str, str, int]] = field(default_factory=list)  # name, what it is, bytes
    verdicts: list[Verdict] = field(default_factory=list)
    plain: dict[str, str] = field(default_factory=dict)  # function -> what of it is not folded
    warnings: dict[str, list[str]] = field(default_factory=dict)  # language -> sentences


def overview(named: Named, warnings: dict[str, list[str]]) -> Overview:
    """Counts what `named` has and lists what is not generated from it."""
    inputs = Inputs([named])
    atlas = inputs.atlas
    decisions = decide(atlas)
    out = Overview(named, warnings=_of_this(warnings, named))
    for entry in atlas.functions:
        status, why = availability(entry, named.name)
        chapter = out.functions.setdefault(entry.function.chapter or "other", {})
        chapter[status] = chapter.get(status, 0) + 1
        decision = decisions[entry.function.name]
        if decision.decision != "generate":
            if status == "absent":
                continue
            twin = decision.decision == "alias" and bool(entry.function.small_count)
            out.verdicts.append(
                Verdict(entry.function.name, decision.decision, decision.reason, twin)
            )
        elif status in ("declared", "trap", "absent"):
            reason = _missing(entry, status, why, decision.alternatives, named)
            if reason:
                out.verdicts.append(Verdict(entry.function.name, "unavailable", reason))
    out.constants = dict(sorted(Counter(c.cls for c in named.blueprint.constants).items()))
    out.handles = [
        (t.name, t.underlying or t.kind, t.size) for t in named.blueprint.types if t.handle
    ]
    there = {f.name for f in named.blueprint.functions}
    for planned in inputs.plan.functions:
        plain = [(a, why) for a in planned.arguments if (why := why_plain(a))]
        if plain and planned.decision == "generate" and planned.name in there:
            out.plain[planned.name] = ", ".join(f"{a.name} ({a.type}): {why}" for a, why in plain)
    return out


def _of_this(warnings: dict[str, list[str]], named: Named) -> dict[str, list[str]]:
    """The warnings about names that this MPI has."""
    names = {named.name, *(f.name for f in named.blueprint.functions)}
    names.update(c.name for c in named.blueprint.constants)
    kept = {
        language: [s for s in sentences if s.partition(":")[0] in names]
        for language, sentences in warnings.items()
    }
    return {language: sentences for language, sentences in kept.items() if sentences}


def _missing(
    entry: AtlasFunction, status: str, why: str, alternatives: list[str], named: Named
) -> str | None:
    there = {f.name for f in named.blueprint.functions if f.status != "declared"}
    stand_in = next((name for name in alternatives if name in there), None)
    if stand_in:
        return None
    since = entry.function.since
    return f"{why}; it came with MPI {since}" if since and status == "absent" else why


# --------------------------------------------------------------------------- JSON


def as_json(o: Overview) -> dict[str, Any]:
    """The overview for programs."""
    blueprint = o.named.blueprint
    return {
        "name": o.named.name,
        "mpi": to_json(blueprint.mpi),
        "platform": to_json(blueprint.platform),
        "functions": {chapter: counts for chapter, counts in sorted(o.functions.items())},
        "constants": o.constants,
        "handles": [{"name": n, "underlying": u, "size": s} for n, u, s in o.handles],
        "not_generated": [
            {"name": v.name, "decision": v.decision, "reason": v.reason} for v in o.verdicts
        ],
        "plain": o.plain,
        "omitted": [to_json(item) for item in blueprint.omitted],
        "warnings": o.warnings,
    }


# --------------------------------------------------------------------------- text


def as_text(o: Overview) -> str:
    """The overview for a terminal."""
    blueprint = o.named.blueprint
    mpi, platform = blueprint.mpi, blueprint.platform
    reported = mpi.standard_reported
    lines = [
        f"{o.named.name}: {mpi.vendor} {mpi.version}, MPI {mpi.standard or 'unknown'}"
        + (f" (its header says {reported})" if reported not in ("", mpi.standard) else ""),
        f"ABI family {mpi.abi}, {mpi.soname or 'no library'}, "
        f"{platform.architecture} {platform.data_model}",
        "",
        *_function_table(o),
        "",
        f"{'Constants':20}{sum(o.constants.values()):>9}",
        *(f"  {cls:18}{n:>9}" for cls, n in o.constants.items()),
        "",
        "Handles, and what they really are",
        *(f"  {name:28} {what}, {size} bytes" for name, what, size in o.handles),
    ]
    for decision, heading in (
        ("skip", "Skipped"),
        ("alias", "Under another name"),
        ("unavailable", "Unavailable here: the name is there, the call says so"),
    ):
        lines += _verdicts(heading, [v for v in o.verdicts if v.decision == decision])
    lines += _block(
        "Parameters that stay as C has them, in every language",
        [f"{name}: {what}" for name, what in sorted(o.plain.items())],
    )
    for language, sentences in sorted(o.warnings.items()):
        heading = f"Remarks of the {_TITLES.get(language, language)} generator"
        lines += _block(heading, sorted(sentences))
    lines += _block(
        "Names of the header that are left out",
        [f"{item.name}: {item.reason}" for item in blueprint.omitted],
        limit=20,
    )
    return "\n".join(lines)


def _function_table(o: Overview) -> list[str]:
    used = [s for s in STATUSES if any(s in counts for counts in o.functions.values())]
    lines = [f"{'Functions':20}" + "".join(f"{s:>9}" for s in used)]
    for chapter, counts in sorted(o.functions.items()):
        lines.append(f"  {chapter:18}" + "".join(f"{counts.get(s, 0) or '':>9}" for s in used))
    totals = Counter[str]()
    for counts in o.functions.values():
        totals.update(counts)
    return [*lines, f"  {'in all':18}" + "".join(f"{totals[s]:>9}" for s in used)]


def _verdicts(heading: str, verdicts: list[Verdict]) -> list[str]:
    if not verdicts:
        return []
    lines = ["", f"{heading} ({len(verdicts)})"]
    twins = sum(v.twin for v in verdicts)
    if twins:
        lines.append(f"  {twins} {_TWINS}")
    reasons: dict[str, list[str]] = {}
    for v in verdicts:
        if not v.twin:
            reasons.setdefault(v.reason, []).append(v.name)
    for reason, names in sorted(reasons.items(), key=lambda item: (len(item[1]) > 1, item)):
        if len(names) == 1:
            lines.append(f"  {names[0]}: {reason}")
            continue
        lines.append(f"  {reason} ({len(names)}):")
        lines += textwrap.wrap(
            " ".join(names),
            96,
            initial_indent="    ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return lines


def _block(heading: str, sentences: list[str], limit: int = 1000) -> list[str]:
    if not sentences:
        return []
    more = len(sentences) - limit
    lines = ["", f"{heading} ({len(sentences)})", *(f"  {s}" for s in sentences[:limit])]
    return [*lines, f"  ... and {more} more (--json lists all)"] if more > 0 else lines
