"""Facts about planned functions that every language needs, computed once for the plan.

Each function below fills fields of the plan (`generators/model.py` documents them). It reads only
what the plan's folds already say, and the other functions and callback types of the atlas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mpiglot.blueprints.catalogue import uses
from mpiglot.blueprints.model import CallbackType
from mpiglot.generators import shapes
from mpiglot.generators.c_types import base_type
from mpiglot.generators.model import Argument, PlannedFunction, Result, Slot

_RANK = {"int": 0, "MPI_Fint": 0, "MPI_Aint": 1, "MPI_Offset": 1, "MPI_Count": 2}
_SIZE_RANK = 1  # of an array's own size
_KEY_SUFFIX = "_keyval"


def add_facts(functions: Iterable[PlannedFunction], callbacks: Iterable[CallbackType]) -> None:
    """Fills the derived fields of all functions."""
    planned = {f.name: f for f in functions}
    types = {c.name: c for c in callbacks}
    for f in planned.values():
        arguments = {a.name: a for a in f.arguments}
        for slot in f.slots:
            slot.narrows = _narrows(slot, arguments.get(slot.argument or ""))
        for a in f.arguments:
            a.absent = shapes.may_be_absent(f, a)
            a.state_role = _state_role(types.get(a.type), a)
        for r in f.results:
            if r.kind == "string":
                r.room, r.capacity = _room(f, r)
                r.length_told = any(
                    s.fold == "string_length" and s.result == r.name for s in f.slots
                )
        f.memory_owner = _memory_owner(f)
        f.results_on_error = _results_on_error(f)
        f.key_use, f.key, f.key_kind = _key(f)
        f.forms = _forms(f, planned)


# --------------------------------------------------------------------------- integers


def _narrows(slot: Slot, a: Argument | None) -> str:
    """Which of the twins has an integer type that may be too small for the argument's value."""
    if a is None or slot.fold not in ("value", "size", "reference"):
        return ""
    if slot.fold == "size":
        ours = _SIZE_RANK
    elif a.kind in ("int", "count", "aint", "offset", "fint", "scalar_ref"):
        ours = _RANK.get(a.type, 3)
    else:
        return ""
    small, large = base_type(slot.type), base_type(slot.large_type or slot.type)
    if _RANK.get(large, 3) < ours:
        return "both"
    return "small" if _RANK.get(small, 3) < ours else ""


# --------------------------------------------------------------------------- texts and results


def _room(f: PlannedFunction, r: Result) -> tuple[str, str]:
    """How a program knows how much room a text needs, and the constant or argument that says it."""
    slot = next((s for s in f.slots if s.fold == "string" and s.result == r.name), None)
    told = [s for s in f.slots if s.fold == "capacity" and s.result == r.name]
    if slot is None:
        return "", ""
    if slot.capacity:
        return "constant", slot.capacity
    if any(not s.argument for s in told):
        return "asked", ""
    return ("argument", str(told[0].argument)) if told else ("", "")


def _memory_owner(f: PlannedFunction) -> str:
    """What is made owns the memory rather than what is given."""
    owners = uses.load().memory_owners
    things: list[Argument | Result] = [*f.results, *f.arguments]
    return next((x.name for x in things if x.kind == "handle" and x.type in owners), "")


def _results_on_error(f: PlannedFunction) -> bool:
    """True for completions: which request an error concerns, how many are done."""
    completes = any(a.kind in ("status_out", "statuses_out") for a in f.arguments)
    kinds = [r.kind for r in f.results]
    alone = [["int"], ["bool"]]
    return completes and kinds in (alone if f.shape != "optional" else [["int", "bool"]])


# --------------------------------------------------------------------------- callbacks and keys


def _state_role(callback: CallbackType | None, a: Argument) -> str:
    """How MPI hands the state to a callback: as one argument, as the only one, or not at all."""
    if callback is None or a.kind != "callback" or a.state is None:
        return ""
    parameters = callback.parameters
    nameless = [p for p in parameters if p.type == "void *" and not p.role]
    has_role = any(p.role == "state" for p in parameters)
    if not has_role and len(nameless) != 1:
        return ""  # nobody knows which argument it is
    return "last" if has_role and len(parameters) == 1 else "passed"


def _key(f: PlannedFunction) -> tuple[str, str, str]:
    """What a function does with a key of attributes, the key's name, and the key's owner."""
    things: list[Argument | Result] = [*f.arguments, *f.results]
    keys = [x for x in things if (x.values or "").endswith(_KEY_SUFFIX)]
    if not keys:
        return "", "", ""
    use = ""
    if any(a.kind == "callback" for a in f.arguments):
        use = "makes" if keys[0] in f.results else ""
    elif isinstance(keys[0], Argument) and keys[0].kind == "scalar_ref":
        use = "frees"
    elif keys[0] in f.arguments and any(a.kind == "address" for a in f.arguments):
        use = "sets"
    return use, keys[0].name, (keys[0].values or "").removesuffix(_KEY_SUFFIX)


# --------------------------------------------------------------------------- form families


def _forms(f: PlannedFunction, planned: Mapping[str, PlannedFunction]) -> dict[str, str]:
    """The nonblocking and the persistent form of a blocking function."""
    if f.family != "blocking" or f.decision != "generate":
        return {}
    prefix, own = f.name[:4], f.name[4:]
    names = {
        "nonblocking": f"{prefix}I{own[:1].lower()}{own[1:]}",
        "persistent": f"{f.name}_init",
    }
    return {
        family: name
        for family, name in names.items()
        if name in planned and planned[name].family == family and _alike(f, planned[name])
    }


def _alike(blocking: PlannedFunction, form: PlannedFunction) -> bool:
    """Whether `form` takes what the blocking function takes, and at most an info more."""
    mine, theirs = blocking.inputs(), form.inputs()
    return theirs == mine or (theirs[:-1] == mine and form.arguments[-1].type == "MPI_Info")
