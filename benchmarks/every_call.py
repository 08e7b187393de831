"""Pairs of functions, in plain C and through the C++ layer, for every function that takes no
callback and no list and gives no text: what call_cost.py counts when asked for all calls of an MPI.

Both functions of a pair take the same parameters, so that what the loop around the call costs is
the same. A function with counts or arrays has a second pair, `_wide`, in which counts and lengths
have 64 bits and are known only at run time. (A position in a buffer always has, `_position_wide`.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mpiglot.generators.c_types import declared
from mpiglot.generators.cpp.names import SCALARS, identifier
from mpiglot.generators.cpp.target import CppTarget, look_up
from mpiglot.generators.inputs import Inputs
from mpiglot.generators.model import Argument, PlannedFunction, Result, Slot

_HEAD = """\
#include <cstdio>
#include <mpiglot/mpi.hpp>
namespace mpi = mpiglot::mpi;
using namespace mpiglot::mpi;
extern "C" long allocations;
#define CALL extern "C" [[gnu::noinline]] void
#define EACH for (int round = 0; round < 1000; ++round)
template <class T>
void keep(T value) {
  asm volatile("" : : "r"(value));
}
alignas(16) char memory[4096];
struct anywhere {  // an address of whatever is asked for
  template <class T>
  operator T*() const {
    return reinterpret_cast<T*>(memory);
  }
};
template <class F>
void counted(const char* name, F call) {
  const long before = allocations;
  call();
  std::printf("%s %ld\\n", name, allocations - before);
}
"""
_SKIPPED = {"callback", "strings", "main_arguments"}
_LENGTH = 4  # of arrays whose length is known


def source(inputs: Inputs, name: str) -> str:
    """The C++ program for the MPI called `name`."""
    target = look_up(inputs.atlas, inputs.plan, name)
    pairs = [pair for f in inputs.plan.functions for pair in _pairs(f, target)]
    lines = [_HEAD, *(pair.text() for pair in pairs), "int main() {"]
    for pair in pairs:
        zeros = ", ".join("anywhere{}" if re.search(r"[*[]", p) else "{}" for p in pair.parameters)
        for kind in ("plain", "layer"):
            lines.append(f'  counted("{kind}_{pair.name}", [] {{ {kind}_{pair.name}({zeros}); }});')
    return "\n".join([*lines, "}", ""])


@dataclass
class _Pair:
    """One call in C and through the layer."""

    name: str
    parameters: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    layer: list[str] = field(default_factory=list)

    def text(self) -> str:
        given = ", ".join(self.parameters)
        plain, layer = (" ".join(body) for body in (self.plain, self.layer))
        return (
            f"CALL plain_{self.name}({given}) {{ EACH {{ {plain} }} }}\n"
            f"CALL layer_{self.name}({given}) {{ EACH {{ {layer} }} }}\n"
        )


def _pairs(function: PlannedFunction, target: CppTarget) -> Iterator[_Pair]:
    if function.decision != "generate" or not target.provider(function):
        return
    if any(a.kind in _SKIPPED for a in function.arguments) or function.variadic:
        return
    if function.deprecated or any(r.kind == "string" for r in function.results):
        return
    counted = any(s.fold == "size" or s.large_type for s in function.slots)
    for wide in (False, True) if counted else (False,):
        yield _pair(function, target, wide)


def _pair(function: PlannedFunction, target: CppTarget, wide: bool) -> _Pair:
    large = target.twin(function)
    by_array = function.dispatch == "overload" and wide and large is not None
    twin = large if by_array or function.dispatch == "large" else None
    moving = any(a.kind == "scalar_ref" and a.type == "MPI_Count" for a in function.arguments)
    suffix = "_wide" if wide else "_position_wide" if moving else ""
    pair = _Pair(function.name.removeprefix("MPI_").lower() + suffix)
    arguments = {a.name: a for a in function.arguments}
    results = {r.name: r for r in function.results}
    passed, given = [], {}
    called = twin or target.provider(function) or ""
    loose = target.loose.get(called, set())  # some headers forget a const
    for slot in function.slots:
        c_type = slot.large_type if twin and slot.large_type else slot.type
        c_type = c_type.removeprefix("const ") if slot.name in loose else c_type
        if slot.fold == "result":
            pair.plain.append(_output(slot.name, c_type))
            passed.append(f"&o_{slot.name}")
            continue
        argument = arguments[slot.argument or ""]
        name = identifier(argument.name)
        if slot.fold == "size":
            passed.append(f"static_cast<int>({_size(argument, wide)})")
            continue
        passed.append(_c_argument(pair, slot, argument, c_type, wide and not twin))
        given[name] = _friendly(argument, target, wide)
        if argument.kind.startswith("span") and wide:
            pair.parameters.append(f"std::size_t {_size(argument, wide)}")
    call = f"{called}({', '.join(passed)})"
    friendly = ", ".join(given[identifier(a.name)] for a in function.arguments)
    own = f"mpi::{target.function_names[function.name]}({friendly})"
    if function.returns not in ("error", "void"):
        pair.plain = [f"keep({call});"]
        pair.layer = [f"keep({own}{_inside(Result('', function.returns))});"]
        return pair
    pair.plain += [f"{call};", *_kept_plain(function, results)]
    pair.layer = _kept_layer(function, own)
    return pair


def _size(a: Argument, wide: bool) -> str:
    return f"n_{a.name}" if wide else str(_LENGTH)


def _output(name: str, c_type: str) -> str:
    """Where C puts an output; MPI says `void *` where it is an address that it writes."""
    pointed = c_type.removesuffix("*").strip()
    return f"{'void *' if pointed == 'void' else pointed} o_{name};"


def _c_argument(pair: _Pair, slot: Slot, a: Argument, c_type: str, narrowed: bool) -> str:
    """Declares a parameter and says how C gets it."""
    name = identifier(a.name)
    if a.kind == "bool":
        pair.parameters.append(f"bool {name}")
        return name
    if narrowed and slot.large_type and a.kind in ("int", "count", "aint", "offset"):
        pair.parameters.append(f"{slot.large_type} {name}")
        return f"static_cast<{slot.type}>({name})"
    pair.parameters.append(declared(c_type, name))
    return name


def _friendly(a: Argument, target: CppTarget, wide: bool) -> str:
    """The layer's argument, made from C's."""
    name = identifier(a.name)
    match a.kind:
        case "handle":
            return f"{target.handles[a.type]}{{{name}}}"
        case "handle_ref":
            return f"*reinterpret_cast<{target.handles[a.type]}*>({name})"
        case "scalar_ref":
            return f"*reinterpret_cast<{SCALARS[a.type]}*>({name})"
        case "enum":
            known = a.values in target.enums
            return f"static_cast<mpi::{identifier(a.values or '')}>({name})" if known else name
        case "status_out" | "status_ref":
            return f"*reinterpret_cast<mpi::status*>({name})"
        case "status":
            return f"*reinterpret_cast<const mpi::status*>({name})"
        case "statuses_out":
            return f"statuses_out({name})"
        case "span" | "span_out" | "span_ref":
            return f"{{{_elements(a, target)}, {_size(a, wide)}}}"
    return name


def _elements(a: Argument, target: CppTarget) -> str:
    name, const = identifier(a.name), "const " if a.kind == "span" else ""
    kind = {"range": "rank_range", "handle": target.handles.get(a.type, "")}.get(a.element, "")
    if a.element == "enum" and a.values in target.enums:
        kind = f"mpi::{identifier(a.values or '')}"
    return f"reinterpret_cast<{const}{kind}*>({name})" if kind else name


def _inside(r: Result) -> str:
    return ".native" if r.kind == "handle" else ""


def _kept_plain(function: PlannedFunction, results: dict[str, Result]) -> Iterator[str]:
    flags = {r.when for r in function.results if r.when}
    for r in results.values():
        if r.name in flags and function.shape == "optional":
            continue
        value = f"o_{r.name}" + (" != 0" if r.kind == "bool" else "")
        yield f"if (o_{r.when}) keep({value});" if r.when else f"keep({value});"


def _kept_layer(function: PlannedFunction, own: str) -> list[str]:
    kept = [r for r in function.results if r.when or function.shape != "optional"]
    if not kept:
        return [f"{own};"]
    if function.shape == "optional":
        members = [f"v->{identifier(r.name)}{_inside(r)}" for r in kept]
        if len(kept) == 1:
            members = ["v->native" if kept[0].kind == "handle" else "*v"]
        uses = " ".join(f"keep({m});" for m in members)
        return [f"if (auto v = {own}) {{ {uses} }}"]
    if len(kept) == 1:
        return [f"keep({own}{_inside(kept[0])});"]
    return [
        f"auto v = {own};",
        *(f"keep(v.{identifier(r.name)}{_inside(r)});" for r in kept),
    ]
