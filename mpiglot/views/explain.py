"""What `mpiglot show MPI_X` says of one name: what it is here, what it means, who has it."""

from __future__ import annotations

import difflib
import json
import textwrap
from dataclasses import dataclass, field, replace
from typing import Any

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.diff import callback_text, prototype
from mpiglot.blueprints.errors import UsageError
from mpiglot.blueprints.model import (
    Blueprint,
    CallbackType,
    Catalogue,
    Constant,
    Function,
    Parameter,
    Type,
    from_json,
    to_json,
)
from mpiglot.generators.inputs import Named, known
from mpiglot.generators.model import Atlas, AtlasFunction, Presence
from mpiglot.generators.policy import Decision, decide, same_call
from mpiglot.views.api import TITLES

Thing = Function | Constant | Type | CallbackType
_CLASSES: tuple[tuple[str, type[Any]], ...] = (
    ("returns", Function),
    ("class", Constant),
    ("kind", Type),
)


@dataclass(slots=True)
class Explanation:
    """Everything known about one name."""

    name: str
    here: tuple[str, Thing] | None  # in the blueprint that was asked for
    standard: Thing | None  # in the catalogue
    sightings: dict[str, Thing] = field(default_factory=dict)  # in the known blueprints
    lacking: list[str] = field(default_factory=list)
    asked: str | None = None  # the blueprint that was asked for, whether it has the name or not
    stand_ins: dict[str, str] = field(default_factory=dict)  # target -> its own name for it
    decision: Decision | None = None
    forms: dict[str, list[str]] = field(default_factory=dict)  # language -> declarations
    warnings: dict[str, str] = field(default_factory=dict)  # language -> why it is plain
    defects: list[dict[str, Any]] = field(default_factory=list)  # what is known to be wrong

    @property
    def thing(self) -> Thing:
        """What the name is, by the best source there is."""
        found = self.standard or (self.here[1] if self.here else None)
        return found or next(iter(self.sightings.values()))


def explain(name: str, named: Named | None) -> Explanation:
    """Looks `name` up everywhere; a `UsageError` names what comes close where there is none."""
    standard = catalogue.load()
    sightings = _sightings(name)
    here = _lookup(named.blueprint, name) if named else None
    meant = _lookup(standard, name)
    if here is None and meant is None and not sightings:
        raise UsageError(_unknown(name, standard, named))
    out = Explanation(
        name,
        here=(named.name, here) if named and here else None,
        standard=meant,
        sightings=sightings,
        lacking=[n for n in known() if n not in sightings],
        asked=named.name if named else None,
    )
    if isinstance(out.thing, Function):
        out.decision = _decision(out)
        out.stand_ins = _stand_ins(out, named)
    return out


def _stand_ins(e: Explanation, named: Named | None) -> dict[str, str]:
    """Where a standard function is missing, but has the name it had before it became one."""
    if not e.name.startswith("MPI_"):
        return {}
    other = f"MPIX_{e.name[4:]}"
    found = dict(_sightings(other))
    if named and (here := _lookup(named.blueprint, other)):
        found[named.name] = here
    return {
        target: other
        for target, f in sorted(found.items())
        if target not in e.sightings
        and isinstance(f, Function)
        and isinstance(e.thing, Function)
        and same_call(f, e.thing)
    }


def _lookup(model: Blueprint | Catalogue, name: str) -> Thing | None:
    lists: list[list[Any]] = [model.functions, model.constants, model.callbacks]
    if isinstance(model, Blueprint):
        lists.append(model.types)
    return next((item for items in lists for item in items if item.name == name), None)


def _sightings(name: str) -> dict[str, Thing]:
    """`name` in every known blueprint, found without reading what else is in them.

    Blueprints have one line per named thing (`blueprints.model.dumps`), which begins with its name.
    """
    start = f"\n  {json.dumps({'name': name})[:-1]},"
    out: dict[str, Thing] = {}
    for target, path in known().items():
        text = path.read_text(encoding="utf-8")
        at = text.find(start)
        if at >= 0:
            line = text[at + 1 : text.index("\n", at + 1)]
            out[target] = _thing(json.loads(line.strip().rstrip(",")))
    return out


def _thing(data: dict[str, Any]) -> Thing:
    if "status" not in data and "source" not in data and "parameters" in data:
        return from_json(CallbackType, data)
    found: Thing = from_json(next(c for key, c in _CLASSES if key in data), data)
    return found


def _decision(e: Explanation) -> Decision:
    """The policy's decision, from an atlas of just this function and its relatives."""
    standard = catalogue.load()
    function = e.thing
    assert isinstance(function, Function)
    relatives = {e.name, function.small_count, e.name.replace("MPIX_", "MPI_", 1)}
    entries = [AtlasFunction(f) for f in standard.functions if f.name in relatives - {e.name}]
    presences = [
        Presence(target, f.status, f.macro, f.expansion)
        for target, f in {**e.sightings, **dict([e.here] if e.here else [])}.items()
        if isinstance(f, Function)
    ]
    atlas = Atlas(standard.standard, functions=[*entries, AtlasFunction(function, presences)])
    return decide(atlas)[e.name]


# --------------------------------------------------------------------------- unknown names


def _unknown(name: str, standard: Catalogue, named: Named | None) -> str:
    models: list[Blueprint | Catalogue] = [standard, *([named.blueprint] if named else [])]
    names: set[str] = set()
    for m in models:
        names.update(f.name for f in m.functions)
        names.update(c.name for c in m.constants)
        names.update(c.name for c in m.callbacks)
    close = nearest(name, names)
    hint = f"; did you mean {' or '.join(close)}?" if close else "."
    return f"no function, constant or type is called {name}{hint}"


def nearest(name: str, names: set[str]) -> list[str]:
    """At most three names that are spelled like `name`, upper and lower case taken for equal."""
    folded = {n.casefold(): n for n in sorted(names)}
    wanted = name.casefold()
    tries = [wanted] if wanted.startswith("mpi") else [wanted, f"mpi_{wanted}"]
    found = [folded[t] for t in tries if t in folded]
    for attempt in tries:
        close = difflib.get_close_matches(attempt, folded, n=3, cutoff=0.75)
        found += [folded[c] for c in close if folded[c] not in found]
    return found[:3]


# --------------------------------------------------------------------------- text


def meaning(p: Parameter) -> str:
    """What one parameter means, in words."""
    words: list[str] = []
    if p.group and (p.group.count or p.group.datatype):
        where = f" at {p.group.displacements}" if p.group.displacements else ""
        what = f"{p.group.count or '1'} elements of {p.group.datatype or 'bytes'}{where}"
        if p.group.blocks == f"own({p.group.count})":
            what += ", this process's entry"
        elif p.group.blocks:
            what = f"{p.group.blocks} times {what}"
        words.append(what)
    if p.length is not None:
        length = " x ".join(p.length) if isinstance(p.length, list) else p.length
        words.append(f"length {length}")
    if p.callback:
        state = f", its state is {p.callback.state}" if p.callback.state else ""
        words.append(f"function {p.callback.type}{state}")
    if p.values:
        words.append(f"values: {p.values}")
    for flag, text in (
        (p.nullable, "may be null"),
        (p.root_only, "significant at the root only"),
        (p.kept, "in use until the operation completes"),
        (p.indirect, "really a pointer to a pointer"),
    ):
        if flag:
            words.append(text)
    return "; ".join(words)


def as_text(e: Explanation) -> str:
    """The explanation for a terminal."""
    thing = e.thing
    if isinstance(thing, Function):
        lines = _function_lines(e, thing)
    elif isinstance(thing, Constant):
        lines = _constant_lines(e, thing)
    elif isinstance(thing, CallbackType):
        lines = [f"{e.name}: function type", "", f"  {callback_text(thing)}"]
        lines += _parameter_lines(thing.parameters)
    else:
        lines = _type_lines(e, thing)
    for language, title in TITLES.items():
        forms, warning = e.forms.get(title, []), e.warnings.get(language)
        if forms or warning:
            lines += ["", title, *(f"  {form}" for form in forms)]
        if warning:
            lines.append(f"  ({warning})" if forms else f"  {warning}")
    return "\n".join(lines)


def _function_lines(e: Explanation, f: Function) -> list[str]:
    facts = [f.chapter, f.family, "collective" if f.collective else ""]
    facts += [f"since MPI {f.since}" if f.since else ""]
    facts += [f"deprecated in MPI {f.deprecated}" if f.deprecated else ""]
    facts += [f"removed in MPI {f.removed}" if f.removed else ""]
    lines = [f"{e.name}: {f.doc}" if f.doc else e.name, ", ".join(x for x in facts if x)]
    if f.large_count:
        lines.append(f"large-count twin: {f.large_count}")
    if e.decision and e.decision.reason:
        lines.append(f"{e.decision.decision}: {e.decision.reason}")
    if e.standard is None:
        lines.append("not in the standard: its meaning is inferred from names and types")
    lines += ["", *_prototype_lines(e, f), *_parameter_lines(f.parameters)]
    return lines + _presence_lines(e) + _defect_lines(e)


def _defect_lines(e: Explanation) -> list[str]:
    if not e.defects:
        return []
    lines = ["", "Known defects"]
    for one in e.defects:
        facts = [", ".join(one["does"]), f"when: {one['when']}"]
        if one["instead"]:
            facts.append(f"right: {one['instead']}")
        if one["cpp"]:
            facts.append("C++: {}. {}".format(*one["cpp"]))
        lines.append(f"  {one['id']} ({'; '.join(facts)})")
        for text in (one["reason"], ", ".join(one["mpis"])):
            indent = " " * 4
            lines += textwrap.wrap(
                text, 96, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
            )
    return lines


def _prototype_lines(e: Explanation, f: Function) -> list[str]:
    if e.here is None:
        missing = [f"{e.asked} does not have it", ""] if e.asked else []
        return [*missing, "C, as in the standard", f"  {prototype(f)}"]
    target, here = e.here
    assert isinstance(here, Function)
    status = {
        "declared": "declared, but its library has no such symbol",
        "stub": "its library says that it is not implemented",
    }
    return [f"C, as in {target} ({status.get(here.status, here.status)})", f"  {prototype(here)}"]


def _parameter_lines(parameters: list[Parameter]) -> list[str]:
    if not parameters:
        return []
    width = max(len(p.name) for p in parameters)
    roles = max(len(p.role) for p in parameters)
    rows = (
        f"  {p.name:{width}}  {p.direction:5}  {p.role:{roles}}  {meaning(p)}".rstrip()
        for p in parameters
    )
    return ["", "Parameters", *rows]


def _presence_lines(e: Explanation) -> list[str]:
    by_status: dict[str, list[str]] = {}
    for target, f in e.sightings.items():
        if isinstance(f, Function):
            by_status.setdefault(f"{f.macro} macro" if f.macro else f.status, []).append(target)
    if e.lacking:
        by_status["absent"] = [t for t in e.lacking if t not in e.stand_ins]
    for target, other in e.stand_ins.items():
        by_status.setdefault(f"as {other}", []).append(target)
    if not by_status:
        return []
    lines = ["", "Known MPIs"]
    for status, targets in sorted((s, t) for s, t in by_status.items() if t):
        lines += textwrap.wrap(
            ", ".join(targets),
            96,
            initial_indent=f"  {status:9} ",
            subsequent_indent=" " * 12,
            break_on_hyphens=False,
        )
    return lines


def _constant_lines(e: Explanation, c: Constant) -> list[str]:
    lines = [f"{e.name}: {c.cls} of type {c.type}"]
    if c.sets:
        lines.append(f"may stand for: {', '.join(c.sets)}")
    lines += ["", "Values"]
    if c.abi_value is not None:
        lines.append(f"  {'standard ABI':24} {_value(replace(c, value=c.abi_value))}")
    here = dict([e.here] if e.here else [])
    for target, found in {**here, **e.sightings}.items():
        if isinstance(found, Constant):
            lines.append(f"  {target:24} {_value(found)}")
    if e.lacking:
        lines.append(f"  absent: {', '.join(e.lacking)}")
    return lines


def _value(c: Constant) -> str:
    if not c.links:
        return "does not link"
    if c.symbol:
        return f"address of {c.symbol}" if c.access == "address" else f"content of {c.symbol}"
    if c.cls == "handle" and isinstance(c.value, int) and c.value > 0:
        return f"{c.value:#x}"
    if isinstance(c.value, str):
        return json.dumps(c.value, ensure_ascii=False)
    return "an address" if c.value is None else str(c.value)


def _type_lines(e: Explanation, t: Type) -> list[str]:
    lines = [f"{e.name}: {'handle' if t.handle else t.kind}", ""]
    here = dict([e.here] if e.here else [])
    for target, found in {**here, **e.sightings}.items():
        if isinstance(found, Type):
            what = found.underlying or found.kind
            lines.append(f"  {target:24} {what}, {found.size} bytes, aligned to {found.alignment}")
            lines += [f"  {'':24}   {x.offset:>3} {x.type} {x.name}" for x in found.fields]
    return lines


# --------------------------------------------------------------------------- JSON


def as_json(e: Explanation) -> dict[str, Any]:
    """The explanation for programs."""
    kinds = {Function: "function", Constant: "constant", Type: "type", CallbackType: "callback"}
    out: dict[str, Any] = {"name": e.name, "kind": kinds[type(e.thing)], **to_json(e.thing)}
    if e.here:
        out["here"] = {"target": e.here[0], **to_json(e.here[1])}
        if isinstance(e.here[1], Function):
            out["prototype"] = prototype(e.here[1])
    elif isinstance(e.thing, Function):
        out["prototype"] = prototype(e.thing)
    if e.decision:
        out["decision"] = e.decision._asdict()
    out["known"] = {target: to_json(found) for target, found in e.sightings.items()}
    out["absent"] = e.lacking
    out["stand_ins"] = e.stand_ins
    out["forms"] = e.forms
    out["warnings"] = e.warnings
    out["defects"] = e.defects
    return out
