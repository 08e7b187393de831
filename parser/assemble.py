"""From declarations and measurements to the lists of a blueprint.

`plan` says what is to be measured, `assemble` puts the answers in. Keys of measured items are
`kind:name[:symbol]`; the linker's complaints are matched with names and symbols in them.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field

from mpiglot.blueprints.model import (
    CallbackType,
    Constant,
    Function,
    Omission,
    Parameter,
    Type,
    to_json,
)
from mpiglot.parser.header import FoundFunction, FoundType, Header
from mpiglot.parser.macros import FoundMacro
from mpiglot.parser.measure import Measured
from mpiglot.parser.program import Program

_EXPANSION = re.compile(r"[\w ()*+,.&|<>=!~^%/?:-]{0,2000}$", re.ASCII)
_CLASSES = {"integer": "integer", "pointer": "sentinel", "function": "function", "string": "string"}
_PLAIN_INTEGERS = {"MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Fint", "MPI_ABI_Aint"}


@dataclass(slots=True)
class Lists:
    """The lists of a blueprint."""

    types: list[Type] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    callbacks: list[CallbackType] = field(default_factory=list)
    omitted: list[Omission] = field(default_factory=list)

    def fingerprint(self) -> str:
        """A hash of everything that the header declares, equal wherever the header lies."""
        found = [self.types, self.constants, self.functions, self.callbacks, self.omitted]
        text = json.dumps(to_json(found), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def plan(header: Header) -> Program:
    """Everything that has to be measured."""
    program = Program(version="MPI_Get_library_version" in header.functions)
    numbers, addresses = program.numbers, program.addresses
    for t in header.types.values():
        numbers += [
            (f"size:{t.name}", f"sizeof({t.name})"),
            (f"align:{t.name}", f"_Alignof({t.name})"),
        ]
        for f in t.fields:
            if f.name not in t.bit_fields:
                numbers.append((f"offset:{t.name}:{f.name}", f"offsetof({t.name}, {f.name})"))
                numbers.append((f"width:{t.name}:{f.name}", f"sizeof((({t.name} *)0)->{f.name})"))
    numbers += [(f"value:{name}", name) for name in header.enumerators]
    for macro in _values(header):
        if macro.symbol is None:
            if macro.what != "string":
                numbers.append((f"value:{macro.name}", macro.name))
            if macro.what == "integer":
                numbers.append(_signless(macro.name))
        else:
            expression = macro.name if macro.access == "address" else f"&{macro.symbol}"
            addresses.append((f"constant:{macro.name}:{macro.symbol}", expression))
    for variable in header.variables.values():
        if variable.constant:
            numbers += [(f"value:{variable.name}", variable.name), _signless(variable.name)]
            continue
        addresses.append((f"constant:{variable.name}:{variable.name}", f"&{variable.name}"))
    addresses += [(f"function:{name}", name) for name in header.functions]
    addresses += [
        (f"twin:P{name}", f"P{name}") for name in header.functions if f"P{name}" in header.twins
    ]
    return program


def _signless(name: str) -> tuple[str, str]:
    """Whether a constant's type has no negative numbers."""
    return f"signless:{name}", f"(__typeof__({name}))-1 > 0"


def _number(measured: Measured, name: str) -> int | None:
    """The value of a constant, which is measured as a signed number of 64 bits."""
    value = measured.numbers.get(f"value:{name}")
    if value is not None and value < 0 and measured.numbers.get(f"signless:{name}"):
        return value + (1 << 64)
    return value


def assemble(header: Header, measured: Measured, constant: set[str]) -> Lists:
    """The lists, sorted by name."""
    lists = Lists(omitted=list(header.omitted))
    handles = _handle_types(header)
    lists.types = [_type(t, measured, t.name in handles) for t in header.types.values()]
    lists.constants = _constants(header, measured, constant, handles)
    lists.functions = _functions(header, measured)
    lists.callbacks = [
        CallbackType(f.name, f.returns, _numbered(f.parameters), f.variadic)
        for f in header.callbacks.values()
    ]
    for items in (lists.types, lists.constants, lists.functions, lists.callbacks, lists.omitted):
        items.sort(key=lambda item: str(item.name))
    return lists


def _values(header: Header) -> list[FoundMacro]:
    """Object-like macros with a value, without those that merely repeat a declared name."""
    declared = {*header.enumerators, *header.variables, *header.functions}
    return [
        m
        for m in header.macros.values()
        if m.parameters is None and m.what in _CLASSES and m.name not in declared
    ]


def _handle_types(header: Header) -> set[str]:
    """The handle types: pointers to structures, integers that have a `..._NULL` of their own."""
    found = {t.name for t in header.types.values() if t.opaque_pointer}
    for macro in _values(header):
        kind = header.types.get(macro.type)
        if (
            kind is not None
            and kind.kind in ("integer", "pointer")
            and macro.name.endswith("_NULL")
        ):
            found.add(macro.type)
    return found - _PLAIN_INTEGERS


def _type(found: FoundType, measured: Measured, handle: bool) -> Type:
    numbers = measured.numbers
    for f in found.fields:
        f.offset = numbers.get(f"offset:{found.name}:{f.name}", found.bit_fields.get(f.name, 0))
        f.size = numbers.get(f"width:{found.name}:{f.name}", 0)
    return Type(
        name=found.name,
        kind=found.kind,
        size=numbers.get(f"size:{found.name}", 0),
        alignment=numbers.get(f"align:{found.name}", 0),
        underlying=found.underlying,
        signed=found.signed,
        handle=handle,
        fields=found.fields,
    )


def _constants(
    header: Header, measured: Measured, constant: set[str], handles: set[str]
) -> list[Constant]:
    found = [
        Constant(name, "integer", type_, measured.numbers.get(f"value:{name}"), True, origin="enum")
        for name, type_ in header.enumerators.items()
    ]
    for macro in header.macros.values():
        if macro.what == "type":
            found.append(Constant(macro.name, "type", macro.type, origin="macro"))
    for macro in _values(header):
        if _is_alias(header, macro):
            continue
        cls = "handle" if macro.type in handles else _CLASSES[macro.what]
        one = Constant(macro.name, cls, macro.type, origin="macro")
        one.constant_expression = macro.name in constant
        if macro.symbol is None:
            one.value = macro.text if cls == "string" else _number(measured, macro.name)
        else:
            _symbol(one, macro.symbol, macro.access or "address", measured)
        found.append(one)
    for variable in header.variables.values():
        if variable.constant:
            one = Constant(variable.name, "integer", variable.type, origin="variable")
            one.value = _number(measured, variable.name)
            one.constant_expression = variable.name in constant
            found.append(one)
            continue
        cls = "handle" if variable.type in handles else "sentinel"
        if not variable.pointer and not variable.array and cls != "handle":
            cls = "integer"
        one = Constant(variable.name, cls, variable.type, origin="variable")
        _symbol(one, variable.name, "address" if variable.array else "load", measured)
        found.append(one)
    return found


def _symbol(one: Constant, symbol: str, access: str, measured: Measured) -> None:
    """Fills in the exported symbol behind a constant, as the running program found it."""
    key = f"constant:{one.name}:{symbol}"
    one.symbol, one.access = symbol, access
    one.links = key in measured.linked
    address = measured.addresses.get(key)
    if address is not None and address.symbol is None:
        one.symbol, one.access = None, None  # the address of something that is not exported


def _functions(header: Header, measured: Measured) -> list[Function]:
    found: list[Function] = []
    for f in header.functions.values():
        one = Function(f.name, f.returns, _numbered(f.parameters), f.variadic)
        one.status = "links" if f"function:{f.name}" in measured.linked else "declared"
        if f.name in measured.stubs:
            one.status = "stub"
        one.pmpi = one.status != "links" or f"twin:P{f.name}" in measured.linked
        macro = header.macros.get(f.name)
        if macro is not None and macro.parameters is not None:
            one.macro, one.expansion = macro.what, _expansion(macro)
        found.append(one)
    declared = set(header.functions)
    for macro in header.macros.values():
        if macro.name in declared:
            continue
        if macro.parameters is not None:
            found.append(_macro_function(macro))
        elif _is_alias(header, macro):
            found.append(_alias(header, macro))
    return found


def _is_alias(header: Header, macro: FoundMacro) -> bool:
    """Whether an object-like macro is another name of a function of the same kind."""
    target = macro.symbol or ""
    return (
        macro.what == "function"
        and re.fullmatch(r"P?MPIX?_\w+", macro.expansion.strip("() ")) is not None
        and target == macro.expansion.strip("() ")
    )


def _macro_function(macro: FoundMacro) -> Function:
    names = [p for p in macro.parameters or [] if p != "..."]
    parameters = [Parameter(name, "") for name in names]
    one = Function(macro.name, macro.type, parameters, "..." in (macro.parameters or []), "macro")
    one.expansion, one.macro = _expansion(macro), macro.what
    return one


def _expansion(macro: FoundMacro) -> str | None:
    """What a macro stands for, unless it holds what a blueprint must not hold (texts, blocks)."""
    return macro.expansion if _EXPANSION.match(macro.expansion) else None


def _alias(header: Header, macro: FoundMacro) -> Function:
    name = macro.symbol or ""
    target = header.functions.get(name) or FoundFunction(macro.name, "int")
    one = Function(
        macro.name, target.returns, _numbered(target.parameters), target.variadic, "macro"
    )
    one.expansion, one.macro = macro.expansion, "alias"
    return one


def _numbered(parameters: list[Parameter]) -> list[Parameter]:
    """The parameters; one without a name in the header gets its position as a name."""
    return [
        Parameter(p.name or f"argument{i + 1}", p.type, c_name=None if p.name else "")
        for i, p in enumerate(parameters)
    ]
