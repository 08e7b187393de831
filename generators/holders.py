"""Through what MPI can call a function of the program that it gives no state to.

Such a function needs a C function of its own, its *slot*. An operation or error handler is a
*carrier*: it is made of the function. MPI can call the function until the carrier was freed, and
beyond that while something else *holds* it: a call that uses it, a request that was made with it,
or an object (communicator, window, file, session) that has it as its error handler. Objects hand
their error handlers on to those that are made of them. Everything here follows from the types of
arguments and results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from mpiglot.blueprints.catalogue import uses
from mpiglot.blueprints.model import CallbackType
from mpiglot.generators.model import Argument, Atlas, PlannedFunction, Result

_REQUEST = "MPI_Request"
_EXTENSIONS = "extensions"


@dataclass(frozen=True, slots=True)
class Holding:
    """What one function changes in what is held. Names are those of its arguments and results."""

    made: str = ""  # the carrier that is made of a function of the program
    released: str = ""  # the carrier or object that is gone if the call changes its handle
    used: tuple[str, ...] = ()  # what the call, or the request that it makes, can call functions of
    request: str = ""  # that request
    given: str = ""  # the error handler that an object gets
    attached: str = ""  # that object: an argument, or the result
    told: str = ""  # the error handler of an object, as a handle that must be freed, too
    asked: str = ""  # that object
    child: str = ""  # an object that gets the error handlers of its parents
    parents: tuple[str, ...] = ()
    none: str = ""  # the null handle of the child's type; files inherit from theirs, too
    # True if something is made of the parents that can call their error handlers, and nobody can
    # tell until when
    for_ever: bool = False


@dataclass(frozen=True, slots=True)
class Holders:
    """The handle types that matter, and what each function does with them."""

    carriers: frozenset[str]  # handle types that are made of functions of the program
    attachable: frozenset[str]  # those of them that objects have
    objects: frozenset[str]  # the handle types of these objects
    null: dict[str, str]  # their null handles
    free: frozenset[str]  # handle types of what can be made of nothing, and belongs to no object
    functions: dict[str, Holding] = field(default_factory=dict)

    def of(self, name: str) -> Holding:
        return self.functions.get(name, Holding())


def is_stateless(callback: CallbackType) -> bool:
    """True if MPI gives a function of this type nothing that tells which of the program's it is."""
    use = uses.load().callback(callback.name)
    told = use.state_function or use.state
    own = not use.foreign_state and any(p.role == "state" for p in callback.parameters)
    return not told and not own


def find(functions: Iterable[PlannedFunction], atlas: Atlas) -> Holders:
    """What each function does to the holders of stateless functions."""
    stateless = frozenset(c.name for c in atlas.callbacks if is_stateless(c))
    there = [f for f in functions if f.decision == "generate"]
    makers = [f for f in there if _takes(f, stateless)]
    others = [f for f in there if not _takes(f, stateless)]
    carriers = frozenset(r.type for f in makers for r in _results(f))
    telling = [(f, r) for f in others for r in _results(f) if r.type in carriers and _handles(f)]
    out = Holders(
        carriers=carriers,
        attachable=frozenset(r.type for _, r in telling),
        objects=frozenset(a.type for f, _ in telling for a in _handles(f)),
        null={h.name: h.null for h in atlas.handles if h.null},
        free=frozenset(r.type for f in others if not f.arguments for r in _results(f)),
    )
    for f in makers:
        made = next((r.name for r in _results(f)), "")
        out.functions[f.name] = Holding(made=made)
    out.functions.update((f.name, _holding(f, out)) for f in others)
    return out


def _holding(f: PlannedFunction, all_of: Holders) -> Holding:
    handles, results = _handles(f), _results(f)
    owners = tuple(a.name for a in handles if a.type in all_of.objects)
    request = next((r.name for r in results if r.type == _REQUEST), "")
    children = [r for r in results if r.type in all_of.objects]
    carriers = [a for a in handles if a.type in all_of.carriers]
    told = [r.name for r in results if r.type in all_of.carriers]
    if told:
        return Holding(told=told[0], asked=owners[0]) if owners else Holding()
    given = [a.name for a in carriers if a.type in all_of.attachable]
    if given:
        attached = [*(r.name for r in children), *owners]
        return Holding(given=given[0], attached=attached[0]) if attached else Holding()
    refs = [a for a in f.arguments if a.kind == "handle_ref"]
    released = [a.name for a in refs if a.type in all_of.carriers | all_of.objects]
    if released:
        return Holding(released=released[0])
    followed = {_REQUEST, *all_of.objects, *all_of.free}
    lost = [r.name for r in results if r.type not in followed]
    if owners and (lost or (children and request)):
        return Holding(parents=owners, for_ever=True)
    if owners and children:
        return Holding(child=children[0].name, parents=owners, none=all_of.null[children[0].type])
    reduces = any(a.kind == "buffer" for a in f.arguments)
    used = tuple(a.name for a in carriers if reduces)
    if request:
        used += owners
    elif used and f.chapter == _EXTENSIONS:  # it may go on after it returned
        return Holding(parents=used, for_ever=True)
    return Holding(used=used, request=request if used else "")


def _takes(f: PlannedFunction, stateless: Collection[str]) -> bool:
    return any(a.kind == "callback" and a.type in stateless for a in f.arguments)


def _handles(f: PlannedFunction) -> list[Argument]:
    return [a for a in f.arguments if a.kind == "handle"]


def _results(f: PlannedFunction) -> list[Result]:
    return [r for r in f.results if r.kind == "handle"]
