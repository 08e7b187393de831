"""The atlas: the catalogue and any number of blueprints merged into one, conflicts listed.

A function keeps its canonical names and its meaning from the catalogue; what a target has is noted
beside it. Functions that only blueprints know are merged by their first prototype. A disagreement
that changes how a call is made (arity, types, class of a constant) becomes a `Conflict`; values
that differ from MPI to MPI are no conflict, they are what the atlas is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from mpiglot.blueprints.model import (
    Attribute,
    Blueprint,
    CallbackType,
    Catalogue,
    Constant,
    Function,
    Parameter,
    Type,
)
from mpiglot.blueprints.prototypes import called_as
from mpiglot.generators.model import (
    Atlas,
    AtlasConstant,
    AtlasFunction,
    AtlasType,
    Conflict,
    ConstantValue,
    Presence,
    Representation,
    Target,
)

Named = Sequence[tuple[str, Blueprint]]


def build_atlas(catalogue: Catalogue, blueprints: Named) -> Atlas:
    """Merges the catalogue with named blueprints (the order of the names decides nothing)."""
    named = sorted(blueprints, key=lambda item: item[0])
    conflicts: list[Conflict] = []
    callbacks = _merge_callbacks(catalogue, named)
    return Atlas(
        standard=catalogue.standard,
        targets=[_target(name, b, callbacks) for name, b in named],
        types=_merge_types(catalogue, named),
        constants=_merge_constants(catalogue, named, conflicts),
        functions=_merge_functions(catalogue, named, conflicts),
        callbacks=callbacks,
        handles=catalogue.handles,
        value_sets=catalogue.value_sets,
        attributes=catalogue.attributes,
        conflicts=sorted(conflicts, key=lambda c: (c.name, c.what)),
    )


def _target(name: str, blueprint: Blueprint, callbacks: Sequence[CallbackType]) -> Target:
    mpi = blueprint.mpi
    there = {c.name for c in blueprint.callbacks} | {t.name for t in blueprint.types}
    there |= {c.name for c in blueprint.constants if c.cls == "type"}
    return Target(
        name=name,
        vendor=mpi.vendor,
        version=mpi.version,
        abi=mpi.abi,
        standard=mpi.standard,
        reported=mpi.standard_reported,
        library_version=mpi.library_version,
        soname=mpi.soname,
        absent_callbacks=[c.name for c in callbacks if c.name not in there],
        data_model=blueprint.platform.data_model,
    )


# --------------------------------------------------------------------------- functions


def _merge_functions(
    catalogue: Catalogue, named: Named, conflicts: list[Conflict]
) -> list[AtlasFunction]:
    merged = {f.name: AtlasFunction(f) for f in catalogue.functions}
    signatures = _signatures(catalogue, named)
    standard = {f.name: f for f in catalogue.functions}
    callbacks = {c.name for _, b in named for c in b.callbacks} | {
        c.name for c in catalogue.callbacks
    }
    sightings: dict[str, list[tuple[str, Function]]] = {}
    for target, blueprint in named:
        for function in blueprint.functions:
            sightings.setdefault(function.name, []).append((target, function))
    for name, seen in sightings.items():
        if name not in merged:
            merged[name] = AtlasFunction(_without_installation(_fullest(f for _, f in seen)))
        entry = merged[name]
        reference = standard.get(name, entry.function)
        entry.present = [
            Presence(
                target, f.status, macro=f.macro, expansion=f.expansion, pmpi=f.pmpi,
                differs=_differs(reference, f, callbacks),
            )
            for target, f in seen
        ]  # fmt: skip
        entry.const_differs = _const_differs(reference, seen)
        conflicts += _prototype_conflicts(reference, seen, signatures)
    return [merged[name] for name in sorted(merged)]


def _const_differs(reference: Function, seen: Sequence[tuple[str, Function]]) -> list[str]:
    """Parameters that are const in one place and not in another: a caller must suit both."""
    out: list[str] = []
    for i, parameter in enumerate(reference.parameters):
        mine = "const" in parameter.type
        types = [f.parameters[i].type for _, f in seen if i < len(f.parameters)]
        if any(("const" in t) != mine for t in types if t):
            out.append(parameter.name)
    return out


def _differs(reference: Function, found: Function, callbacks: Set[str]) -> dict[str, str]:
    """What a call must know of a prototype that is not the atlas's; macros without types pass.

    Two function types are two names of a pointer to code: that makes no difference to a call.
    """
    if found.status == "macro":
        return {}
    out: dict[str, str] = {}
    if called_as(found.returns) != called_as(reference.returns):
        out["returns"] = found.returns
    if len(found.parameters) != len(reference.parameters):
        out["arity"] = str(len(found.parameters))
        return out
    for ours, theirs in zip(reference.parameters, found.parameters, strict=True):
        types = {called_as(ours.type), called_as(theirs.type)}
        if len(types) > 1 and not {t.removesuffix(" *") for t in types} <= callbacks:
            out[ours.name] = theirs.type
    return out


def _fullest(functions: Iterable[Function]) -> Function:
    """The sighting that knows most: a prototype says more than a macro without types."""
    return max(functions, key=lambda f: (f.status != "macro", len(f.parameters)))


def _without_installation(function: Function) -> Function:
    """The function as meaning only; what an installation does with it is in `present`."""
    parameters = [replace(p, c_name=None) for p in function.parameters]
    return replace(function, parameters=parameters, status="", expansion=None, macro=None)


def _prototype_conflicts(
    reference: Function, seen: Sequence[tuple[str, Function]], signatures: Mapping[str, str]
) -> list[Conflict]:
    """Disagreements about how a function is called. Macros without types cannot disagree."""
    out: list[Conflict] = []
    prototypes = [(target, f) for target, f in seen if f.status != "macro"]

    def meant(c_type: str) -> str:
        name = called_as(c_type)
        return signatures.get(name.removesuffix(" *"), name)

    def compare(what: str, wanted: str, found: list[tuple[str, str]]) -> None:
        values: dict[str, list[str]] = {}
        for target, value in found:
            values.setdefault(value, []).append(target)
        if set(values) - {wanted}:
            values.setdefault(wanted, []).append("catalogue")
            joined = {v: ", ".join(t) for v, t in sorted(values.items())}
            out.append(Conflict(reference.name, what, joined, taken=wanted))

    compare("returns", reference.returns, [(t, f.returns) for t, f in prototypes])
    arity = len(reference.parameters)
    compare("arity", str(arity), [(t, str(len(f.parameters))) for t, f in prototypes])
    for i, parameter in enumerate(reference.parameters):
        found = [
            (t, meant(f.parameters[i].type)) for t, f in prototypes if len(f.parameters) == arity
        ]
        compare(f"parameter {i + 1} type", meant(parameter.type), found)
    return out


def _signatures(catalogue: Catalogue, named: Named) -> dict[str, str]:
    """What each function type looks like: two names for one signature are one type."""
    callbacks = [c for _, b in named for c in b.callbacks] + catalogue.callbacks
    return {
        c.name: f"{c.returns} (*)({', '.join(called_as(p.type) for p in c.parameters)})"
        for c in callbacks
    }


# --------------------------------------------------------------------------- constants


def _merge_constants(
    catalogue: Catalogue, named: Named, conflicts: list[Conflict]
) -> list[AtlasConstant]:
    merged = {
        c.name: AtlasConstant(c.name, c.cls, c.type, c.abi_value, c.sets, c.since, c.deprecated)
        for c in catalogue.constants
    }
    for target, blueprint in named:
        for c in blueprint.constants:
            if not c.links:
                continue
            entry = merged.setdefault(
                c.name, AtlasConstant(c.name, c.cls, c.type, sets=c.sets, since=c.since)
            )
            if entry.cls != c.cls:
                _add_conflict(conflicts, c.name, "class", entry.cls, c.cls, target)
            entry.values.append(_value(target, c, entry.type))
    return [merged[name] for name in sorted(merged)]


def _value(target: str, constant: Constant, usual: str) -> ConstantValue:
    return ConstantValue(
        target,
        value=constant.value,
        symbol=constant.symbol,
        access=constant.access,
        constant_expression=constant.constant_expression,
        type=constant.type if constant.type != usual else None,
    )


def number_in_bindings(atlas: Atlas, c: AtlasConstant) -> int | None:
    """What a named integer is in bindings for any MPI: the standard ABI's value.

    What the ABI does not have is what it is in a library of the ABI, or else the first one known:
    the small numbers of an extension of one MPI could mean something in another. What an MPI has
    under an extension's name, too, is one number.
    """
    of_abi = {t.name for t in atlas.targets if t.abi == "abi"}
    extension = _as_extension(c.name)
    twin = next((x for x in atlas.constants if x.name == extension), c)
    values = sorted([*twin.values, *c.values], key=lambda value: value.target not in of_abi)
    numbers = [c.abi_value, *(value.value for value in values)]
    return next((n for n in numbers if isinstance(n, int) and not isinstance(n, bool)), None)


def sets_of(atlas: Atlas, c: AtlasConstant) -> list[str]:
    """The value sets of a constant: errors of extensions are told by their names."""
    extension = _as_extension(c.name)
    error = extension.startswith("MPIX_ERR_") and any(x.name == extension for x in atlas.constants)
    return list(c.sets) or (["error_class"] if error else [])


def named_attributes(atlas: Atlas) -> dict[str, list[Attribute]]:
    """Predefined attributes that are integers with names, by the set that their keys are of."""
    found = {
        s.name: [a for a in atlas.attributes if a.values and a.key in s.constants]
        for s in atlas.value_sets
    }
    return {keys: named for keys, named in found.items() if named}


def _as_extension(name: str) -> str:
    return name.replace("MPI_", "MPIX_", 1)


def _add_conflict(
    conflicts: list[Conflict], name: str, what: str, taken: str, found: str, target: str
) -> None:
    for c in conflicts:
        if c.name == name and c.what == what:
            before = c.values.get(found)
            c.values[found] = f"{before}, {target}" if before else target
            return
    conflicts.append(Conflict(name, what, {taken: "catalogue", found: target}, taken))


# --------------------------------------------------------------------------- types and callbacks


def _merge_types(catalogue: Catalogue, named: Named) -> list[AtlasType]:
    merged = {h.name: AtlasType(h.name, handle=True) for h in catalogue.handles}
    for target, blueprint in named:
        for t in blueprint.types:
            entry = merged.setdefault(t.name, AtlasType(t.name, handle=t.handle))
            entry.handle = entry.handle or t.handle
            entry.representations.append(_representation(target, t))
    return [merged[name] for name in sorted(merged)]


def _representation(target: str, t: Type) -> Representation:
    return Representation(
        target,
        t.kind,
        t.size,
        t.alignment,
        underlying=t.underlying,
        signed=t.signed,
        fields=t.fields,
    )


def _merge_callbacks(catalogue: Catalogue, named: Named) -> list[CallbackType]:
    merged = {c.name: c for c in catalogue.callbacks}
    for _, blueprint in named:
        for c in blueprint.callbacks:
            if c.name not in merged:
                parameters: list[Parameter] = [replace(p, c_name=None) for p in c.parameters]
                merged[c.name] = replace(c, parameters=parameters)
    return [merged[name] for name in sorted(merged)]
