"""The Java types of a function's parameters and results."""

from __future__ import annotations

from dataclasses import dataclass

from mpiglot.generators.c_types import base_type, is_lists_of_texts
from mpiglot.generators.java import names
from mpiglot.generators.java.types import WIDE, Types
from mpiglot.generators.model import Argument, PlannedFunction, Result, Slot

WIDE_KINDS = frozenset({"count", "aint", "offset"})


@dataclass(slots=True)
class Signature:
    """One function, or one of two overloads told apart by array types."""

    function: PlannedFunction
    types: Types
    form: str = ""  # "", "small" or "large": which of two overloads

    def parameter_type(self, a: Argument) -> str:
        if a.kind in WIDE_KINDS:
            return "long"
        if a.kind in ("int", "enum", "fint"):
            return "long" if a.type in WIDE else "int"
        if is_lists_of_texts(a.type):
            return "String[][]"
        if a.kind == "plain":
            token = self.types.token(a.type)
            return {"i": "int", "j": "long", "d": "double"}.get(token, "MemorySegment")
        if a.kind in ("double",):
            return a.kind
        if a.kind == "bool":
            return "boolean"
        if a.kind in ("handle", "handle_ref"):
            return names.handle_class(a.type)
        if a.kind in ("span", "span_out", "span_ref"):
            return self.element_type(a) + "[]"
        if a.kind == "scalar_ref":
            return {"count": "long", "aint": "long", "offset": "long", "bool": "boolean"}.get(
                a.element, "int"
            ) + "[]"
        if a.kind == "callback":
            return (
                names.callback_class(a.type) if a.type in self.types.callbacks else "MemorySegment"
            )
        return {
            "string": "String",
            "strings": "String[]",
            "status": "StatusValue",
            "status_ref": "StatusValue",
            "status_out": "StatusValue",
            "statuses_out": "StatusValue[]",
        }.get(a.kind, "MemorySegment")

    def element_type(self, a: Argument) -> str:
        if a.element == "handle":
            return names.handle_class(a.type)
        if a.element == "flag":
            return "boolean"
        if a.element == "range":
            return "int[]"
        return "long" if self.wide(a) else "int"

    def slot_of(self, a: Argument) -> Slot:
        return next(
            s for s in self.function.slots if s.argument == a.name and s.fold in ("data", "plain")
        )

    def wide(self, a: Argument) -> bool:
        """Whether the elements of an array are 64 bits wide in this form."""
        slot = self.slot_of(a)
        c_type = slot.large_type if self.form == "large" and slot.large_type else slot.type
        return base_type(c_type) in WIDE

    def result_type(self, r: Result) -> str:
        if r.kind == "handle":
            return names.handle_class(r.type)
        return {
            "count": "long",
            "aint": "long",
            "offset": "long",
            "bool": "boolean",
            "string": "String",
            "pointer": "MemorySegment",
            "double": "double",
        }.get(r.kind, "int")
