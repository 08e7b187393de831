"""One planned function as Java methods, with its result record and its method handles."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from mpiglot.generators import accesses
from mpiglot.generators.java import names
from mpiglot.generators.java.lower import Lowering
from mpiglot.generators.java.model import Holder, Method, Quick, Record
from mpiglot.generators.java.types import Types, widths
from mpiglot.generators.model import AtlasFunction, PlannedFunction

_BOXES = {"int": "Integer", "long": "Long", "boolean": "Boolean", "double": "Double"}
#: Java type of a returned value, and the cast from what the method handle returns.
_CARRIERS = {"i": "int", "d": "double", "v": "void"}
_CASTS = {"i": "(int) (long)", "d": "(double)"}


@dataclass(slots=True)
class Written:
    """Everything that one function becomes."""

    methods: list[Method]
    holders: list[Holder]
    records: list[Record]
    warnings: list[str]


def write(f: PlannedFunction, entry: AtlasFunction | None, types: Types, doc: str) -> Written:
    """The Java form of `f`; two methods when array types choose between the twins."""
    forms = ["small", "large"] if f.dispatch == "overload" else [""]
    lowered = [_lower(f, types, form) for form in forms]
    if len(lowered) == 2 and _same_signature(lowered[0], lowered[1]):
        lowered = [_lower(replace(f, dispatch="fits"), types, "")]
    fallback = _fallback(f, entry)
    out = Written([], [], [], lowered[0].warnings)
    for one in lowered:
        out.methods.append(_method(f, one, types, doc, fallback))
    out.holders = _holders(f, lowered, out.methods, bool(fallback))
    record = _record(f, lowered[0])
    out.records = [record] if record else []
    return out


def _lower(f: PlannedFunction, types: Types, form: str) -> Lowering:
    lowering = Lowering(f, types, form)
    lowering.lower()
    if lowering.fits_cells:
        lowering = Lowering(f, types, form, in_cells=True)
        lowering.lower()
    return lowering


def _same_signature(a: Lowering, b: Lowering) -> bool:
    return [p.type for p in a.parameters] == [p.type for p in b.parameters]


# --------------------------------------------------------------------------- the method


def _method(f: PlannedFunction, low: Lowering, types: Types, doc: str, fallback: str) -> Method:
    body = low.body
    kind = _kind(f)
    returns, body.result = _returned(f, low)
    body.kept, body.begun = low.kept, low.word
    keeper = next((r for r in f.results if r.kind == "handle" and r.type in types.keepers), None)
    if low.kept and keeper is None:
        handles = [a for a in f.arguments if a.kind == "handle"]
        owners = [names.parameter(a.name) for a in handles if a.type in types.holders_of_memory]
        body.keeper = owners[0] if owners else "Keeping.class"
    access = accesses.begun(f)
    if access and body.keeper:
        body.keeper += ", " + _target(access[1])
        body.access = True
    done = accesses.completed(f)
    if done:
        owner_name, target = names.parameter(done[0]), _target(done[1])
        body.kept, body.keeper = [], ""
        body.before.append("long begun = Keeping.begun();")
        body.after.append(f"Keeping.completed({owner_name}, {target}, begun);")
    body.fallback = fallback
    body.things = {a.name: names.parameter(a.name) for a in f.arguments} | low.values
    child = types.holders.of(f.name).child
    null = next((types.nulls[r.type] for r in f.results if r.name == child), "")
    body.things["none"] = null.removesuffix(".handle()")
    method = Method(
        c_name=f.name,
        name=names.method(f.name),
        doc=doc,
        notes=_notes(f),
        parameters=low.parameters,
        returns=returns,
        return_doc=_return_doc(f, low),
        kind=kind,
        holder=names.holder(f.name),
        large_holder=names.holder(f.large) if low.two_calls and f.large else "",
        body=body,
        carrier=_CARRIERS.get(low.returned, "long"),
        cast=_CASTS.get(low.returned, "(long)"),
        guard=f.guard,
        lifecycle=_starts_or_ends(f),
        deprecated=f.deprecated or "",
    )
    method.quick = _quick(f, method)
    return method


def _target(parameter: str) -> str:
    return names.parameter(parameter) if parameter else "Keeping.EVERY_TARGET"


def _starts_or_ends(f: PlannedFunction) -> bool:
    """Whether a call may start or end MPI, or a session: the lifecycle looks at those."""
    if f.chapter == "sessions":
        made = any(r.type == "MPI_Session" for r in f.results)
        return made or any(a.kind == "handle_ref" for a in f.arguments)
    handles = any(a.kind.startswith(("handle", "span")) for a in f.arguments)
    local = f.family == "local" and not f.collective
    return f.chapter == "environment" and not handles and not local


def _kind(f: PlannedFunction) -> str:
    if f.returns == "error":
        return "tool" if f.name.startswith("MPI_T_") else "error"
    return "void" if f.returns == "void" else "value"


def _returned(f: PlannedFunction, low: Lowering) -> tuple[str, str]:
    """Java's return type and the expression that makes the value."""
    if f.returns != "error":
        if f.returns == "void":
            return "void", ""
        if f.returns == "handle":
            name = names.handle_class(f.return_type)
            return name, f"new {name}(Call.handle(code, Widths.{widths(f.return_type)}))"
        return _CARRIERS.get(low.returned, "long"), "code"
    fields = {r.name: p for r, p in zip(f.results, low.fields, strict=True)}
    if f.shape == "void":
        return "void", ""
    if f.shape == "value":
        (result,) = f.results
        return fields[result.name].type, low.values[result.name]
    shown = _shown(f)
    made = ", ".join(low.values[r] for r in shown)
    record = names.result_class(f.name)
    if f.shape == "record":
        return record, f"new {record}({made})"
    flag = next(r.when for r in f.results if r.when)
    if len(shown) == 1:
        kind = fields[shown[0]].type
        box = f"Optional<{_BOXES.get(kind, kind)}>"
        return box, f"{low.values[flag]} ? Optional.of({made}) : Optional.empty()"
    return (
        f"Optional<{record}>",
        f"{low.values[flag]} ? Optional.of(new {record}({made})) : Optional.empty()",
    )


def _shown(f: PlannedFunction) -> list[str]:
    """Results that callers see; a flag that only guards the others is not among them."""
    flags = {r.when for r in f.results if r.when}
    return [r.name for r in f.results if r.name not in flags]


def _record(f: PlannedFunction, low: Lowering) -> Record | None:
    shown = _shown(f)
    if f.returns != "error" or len(shown) < 2:
        return None
    fields = [p for r, p in zip(f.results, low.fields, strict=True) if r.name in shown]
    return Record(names.result_class(f.name), f.name, fields)


def _return_doc(f: PlannedFunction, low: Lowering) -> str:
    if f.returns != "error":
        return "what the C function returns" if f.returns != "void" else ""
    shown = [p for r, p in zip(f.results, low.fields, strict=True) if r.name in _shown(f)]
    if not shown:
        return ""
    text = "the results: " + ", ".join(f"{{@code {p.name}}}" for p in shown)
    if len(shown) == 1:
        text = shown[0].doc
    return text + (", if there is any" if f.shape == "optional" else "")


def _notes(f: PlannedFunction) -> list[str]:
    notes = []
    if f.collective:
        notes.append("Collective: all processes of the group call it.")
    if f.since and f.since > "3.0":
        notes.append(f"Since MPI {f.since}; not in every library.")
    if f.large:
        notes.append(f"Calls {{@code {f.large}}} when a value needs 64 bits.")
    return notes


# --------------------------------------------------------------------------- macros


def _fallback(f: PlannedFunction, entry: AtlasFunction | None) -> str:
    """The value that an MPI's macro of this name has, in Java; empty if none has one."""
    macros = [p for p in entry.present if p.status == "macro"] if entry else []
    if f.returns == "error" or not macros:
        return ""
    if all(p.macro == "cast" for p in macros) and len(f.arguments) == 1:
        (argument,) = f.arguments
        name = names.parameter(argument.name)
        value = f"{name}.handle()" if argument.kind == "handle" else name
        if f.returns == "handle":
            return f"new {names.handle_class(f.return_type)}({value})"
        return f"(int) {value}"
    text = re.sub(r"\(\s*(const\s+)?\w+\s*\*+\s*\)", "", macros[0].expansion or "")
    operator = re.search(r"\)\s*([+-])\s*\(", text)
    if operator and len(f.arguments) == 2 and all(p.macro == "arithmetic" for p in macros):
        left, right = (names.parameter(a.name) for a in f.arguments)
        return f"{left} {operator.group(1)} {right}"
    return ""


# --------------------------------------------------------------------------- brief calls

#: What a brief call may take and give: what fits into cells and statuses, places in memory, and the
#: short arrays of the functions without a twin.
_KINDS = "int enum bool count aint offset double memory handle status status_ref"
_SMALL = frozenset(_KINDS.split())
_ARRAYS = frozenset(["span", "span_out"])


def _quick(f: PlannedFunction, method: Method) -> Quick | None:
    """The short way, if the catalogue calls the function brief and its arguments are small."""
    kinds = {a.kind for a in f.arguments} | {r.kind for r in f.results}
    allowed = _SMALL if method.large_holder else _SMALL | _ARRAYS
    if not f.brief or f.returns != "error" or not kinds <= allowed:
        return None
    large = method.large_holder
    return Quick(method.holder + "Quick", large and large + "Quick", _open(f))


def _open(f: PlannedFunction) -> str:
    """When the short way is open; for questions that need no lock also beside callbacks, about
    objects that cannot be wrong where Java handles errors."""
    handles = [a for a in f.arguments if a.kind == "handle"]
    others = [a for a in f.arguments if a.kind not in ("handle", "status", "status_ref")]
    certain = all(a.type in _LASTING for a in handles) and not _OF_SOME.search(f.chapter + f.name)
    if not handles or others or len(f.results) != 1 or not certain:
        return "Call.quick"
    known = " && ".join(f"Brief.knows({names.parameter(a.name)})" for a in handles)
    return f"(Call.quick || Call.asking && {known})"


#: Objects of which some live as long as MPI runs.
_LASTING = frozenset({"MPI_Comm", "MPI_Datatype"})
#: Questions that fail about the lasting communicators: those have no topology and no other group.
_OF_SOME = re.compile("topologies|remote")


# --------------------------------------------------------------------------- holders


def _holders(
    f: PlannedFunction, forms: list[Lowering], methods: list[Method], macro: bool
) -> list[Holder]:
    signature = forms[0].signature
    binder = "brief" if f.returns != "error" and f.brief else "function"
    holders = [
        Holder(
            names.holder(f.name),
            f.name,
            signature + ("+" if f.variadic else ""),
            f.alternatives,
            binder=binder,
            macro=macro,
        )
    ]
    others = f.large_alternatives
    if f.large and any(form.two_calls for form in forms):
        holders.append(Holder(names.holder(f.large), f.large, signature, others, presence=True))
    for method in methods:
        if method.quick:
            quick = method.quick
            holders.append(Holder(quick.holder, f.name, signature, f.alternatives, "brief"))
            if quick.large_holder and f.large:
                holders.append(Holder(quick.large_holder, f.large, signature, others, "brief"))
    return holders
