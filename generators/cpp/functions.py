"""Planned functions ready for the chapter template: text of both layers, no decisions left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from mpiglot.generators.c_types import base_type
from mpiglot.generators.cpp.calls import Body, Branch, Inexpressible, lower
from mpiglot.generators.cpp.keys import is_about_keys
from mpiglot.generators.cpp.names import identifier
from mpiglot.generators.cpp.signature import Signature, SignatureBuilder, documentation, stand_ins
from mpiglot.generators.cpp.target import CppTarget
from mpiglot.generators.cpp.text import WIDTH, broken, comment
from mpiglot.generators.model import Atlas, PlannedFunction
from mpiglot.generators.policy import presence_on


@dataclass(slots=True)
class Record:
    """The struct of a function with several results."""

    name: str
    function: str
    fields: list[str]
    template: bool


@dataclass(slots=True)
class CppFunction:
    """One C++ function in both layers."""

    name: str
    c_name: str
    doc: str
    template: str
    nothrow_head: str
    head: str
    returns: str  # "code", "value" or "void"
    present: bool
    needs: str
    empty: str  # what stands behind the code where there is no value
    body: Body | None = None
    calls: list[str] = field(default_factory=list)
    code: str = "code"  # the variable that has MPI's answer
    guards: list[str] = field(default_factory=list)
    give_back: str = ""
    simple: str = ""  # the body of a function that gives back nothing but a code
    plain: str = ""  # the body of a function whose C function returns no code
    forwarded: str = ""
    unwrap: str = ""  # the body of layer 2 by way of layer 1
    direct: list[str] = field(default_factory=list)  # the body of layer 2 with a call of its own
    record: Record | None = None


@dataclass(slots=True)
class Chapter:
    """The functions of one header."""

    name: str
    functions: list[CppFunction] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)  # "callbacks", "status", "strings"


class FunctionWriter:
    """Turns planned functions into text for one target."""

    def __init__(self, target: CppTarget, atlas: Atlas) -> None:
        self.target = target
        self.signatures = SignatureBuilder(target)
        self.atlas = {f.function.name: f for f in atlas.functions}
        self.targets = atlas.targets
        self.warnings: list[str] = []

    def chapters(self, functions: list[PlannedFunction]) -> list[Chapter]:
        """All functions by chapter; what C++ cannot express is in `warnings`."""
        chapters: dict[str, Chapter] = {}
        for function in functions:
            if function.decision != "generate":
                continue
            chapter = chapters.setdefault(function.chapter, Chapter(function.chapter))
            try:
                written = list(self._write(function))
            except Inexpressible as problem:
                self.warnings.append(f"{function.name}: {problem}")
                continue
            chapter.functions += written
            chapter.records += [w.record for w in written if w.record]
            chapter.uses |= _uses(function)
        return [chapters[name] for name in sorted(chapters)]

    def _write(self, function: PlannedFunction) -> Iterator[CppFunction]:
        if function.dispatch == "overload" and self._indistinct(function):
            yield self._one(replace(function, dispatch="fits"), wide=True)
        elif function.dispatch == "overload":
            yield self._one(replace(function, large=None), wide=False)
            wide = self._one(function, wide=True)
            # Values in braces fit both: then C++ takes the one that is no template.
            yield replace(wide, record=None, template=wide.template or "template <class = void>")
        else:
            yield self._one(function, wide=True)

    def _indistinct(self, function: PlannedFunction) -> bool:
        """Whether the arrays of both twins have the same C types here: then the counts decide."""
        spans = {a.name for a in function.arguments if a.narrow and a.kind.startswith("span")}
        return all(
            self.target.same_type(base_type(s.type), base_type(s.large_type or s.type))
            for s in function.slots
            if s.argument in spans and s.fold == "data"
        )

    def _one(self, function: PlannedFunction, wide: bool) -> CppFunction:
        target = self.target
        signature = self.signatures.build(function, wide)
        arrays_wide = function.dispatch == "overload" and wide
        large = target.twin(function)
        small = target.provider(function)
        narrowed = _narrowed(function) if arrays_wide and not large else []
        if arrays_wide and not narrowed:
            small = None
        present = bool(small or large)
        missing = function.large if arrays_wide else function.name
        text = _head(signature, present)
        out = CppFunction(
            name=signature.name,
            c_name=(missing or function.name) if not small or not present else function.name,
            doc=comment(
                self._documentation(function, signature, arrays_wide, small, large, present)
            ),
            template=f"template <{', '.join(signature.template)}>" if signature.template else "",
            nothrow_head=text[0],
            head=text[1],
            returns=_returns(function, signature),
            present=present,
            needs=self._needs(missing or function.name),
            empty=", {}" if signature.value != "void" else "",
            forwarded=", ".join(signature.forwarded()),
            record=_record(signature, function),
        )
        if present:
            out.body = lower(function, signature, target, small, large, narrowed)
            out.code = "return_code" if out.body.asked else "code"
            out.guards = [_guard(c, f"return {{{code}{out.empty}}}") for c, code in out.body.guards]
            out.give_back = _give_back(out.code, out.body.value)
            out.calls = _calls(out.body)
            out.simple = _simple(out.body)
            out.plain = _plain(out.body, signature.value)
            out.unwrap = _unwrap(out, signature)
            out.direct = _direct(out, function, signature)
        else:
            arguments = [f'"{out.c_name}"', f'"{out.needs}"']
            out.unwrap = broken("detail::raise_unavailable(", arguments, ");", 2)
        return out

    def _documentation(
        self,
        function: PlannedFunction,
        signature: Signature,
        arrays_wide: bool,
        small: str | None,
        large: str | None,
        present: bool,
    ) -> list[str]:
        notes = []
        if not present and arrays_wide and self.target.provider(function):
            notes.append(
                f"{self.target.title()} has no {function.large}, and a copy of the arrays in `int` "
                "would have to live until completion: throws `unavailable`; pass arrays of `int`."
            )
        elif not present:
            notes.append(f"Not in {self.target.title()}: throws `unavailable`.")
        elif small and small != function.name:
            notes.append(f"Calls {small}, its name in {self.target.title()}.")
        elif not large and any(a.narrow for a in function.arguments):
            notes.append("MPI_ERR_COUNT for a count or displacement that does not fit an `int`.")
        twin = large if small or function.dispatch != "overload" else None
        parameters = self.atlas[function.name].function.parameters
        notes = [*stand_ins(function, parameters, self.target), *notes]
        doc = documentation(function, twin, notes)
        if small and arrays_wide:
            doc[0] = f"The same for arrays of 64 bits, which are copied ({small})."
            return [*doc[:1], "MPI_ERR_COUNT for elements that do not fit."]
        if large and not small and function.dispatch == "overload":
            doc[0] = f"The same for large counts ({large})."
            return doc[:1]
        return doc

    def _needs(self, c_name: str) -> str:
        entry = self.atlas.get(c_name)
        if entry is None:
            return "another MPI"
        if entry.function.since:
            return f"MPI {entry.function.since}"
        first: dict[str, str] = {}  # vendor -> first version that has it
        for t in sorted(self.targets, key=lambda t: _numbers(t.version)):
            presence = presence_on(entry, t.name)
            if presence and presence.status in ("links", "macro"):
                first.setdefault(t.vendor, t.version)
        having = [f"{vendor} {version}" for vendor, version in sorted(first.items())]
        return " or ".join(having) or "an MPI that has it"


def _narrowed(function: PlannedFunction) -> list[str]:
    """The arrays to copy for the small function, if none outlives the call or is written."""
    arrays = [a for a in function.arguments if a.narrow and a.kind.startswith("span")]
    if any(a.kind != "span" or a.kept for a in arrays):
        return []
    types = {s.argument: base_type(s.type) for s in function.slots if s.fold == "data"}
    return [a.name for a in arrays if types.get(a.name) != a.type]


def _numbers(version: str) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", version)]


def _uses(function: PlannedFunction) -> set[str]:
    uses = set()
    if is_about_keys(function) or any(a.kind == "callback" for a in function.arguments):
        uses.add("callbacks")
    if any(a.kind.startswith("status") for a in function.arguments):
        uses.add("status")
    if any(a.kind.startswith("span") for a in function.arguments):
        uses.add("sentinels" if any(a.nullable for a in function.arguments) else "spans")
    if function.shape == "optional":
        uses.add("optionals")
    if function.dispatch == "overload" or any(a.kind == "strings" for a in function.arguments):
        uses.add("arrays")
    if any(r.kind == "string" for r in function.results):
        uses.add("strings")
    return uses


def _returns(function: PlannedFunction, signature: Signature) -> str:
    if function.returns == "error":
        return "code"
    return "void" if signature.value == "void" else "value"


def _record(signature: Signature, function: PlannedFunction) -> Record | None:
    if not signature.record:
        return None
    kept = [r for r in signature.results if r.guarded or function.shape != "optional"]
    return Record(
        signature.record,
        signature.name,
        [f"{r.type} {r.name}" for r in kept],
        any(r.type == "String" for r in kept),
    )


def _head(signature: Signature, present: bool) -> tuple[str, str]:
    """The first lines of the function in layer 1 and in layer 2."""
    declarations = signature.declarations()
    if not present:
        declarations = [
            _anonymous(d, p.name) for d, p in zip(declarations, signature.parameters, strict=True)
        ]
    nodiscard = "[[nodiscard]] " if signature.value != "void" else ""
    value = signature.value
    if not signature.returns_code:
        outcome = value
    else:
        outcome = f"result<{value}>" if value != "void" else "result<>"
    return (
        broken(f"inline {outcome} {signature.name}(", declarations, ") noexcept {"),
        broken(f"{nodiscard}inline {value} {signature.name}(", declarations, ") {"),
    )


def _anonymous(declaration: str, name: str) -> str:
    """A parameter that nobody uses keeps its name as a comment."""
    before, found, after = declaration.partition(f" {name}")
    return f"{before} /*{name}*/{after}" if found else declaration


def _before(branch: Branch, initial: str) -> list[str]:
    """What stands before a call; `initial` is what its narrow outputs begin as."""
    return [*branch.before, *(f"{place}{initial};" for place in branch.narrow)]


def _calls(body: Body, initial: str = "{}") -> list[str]:
    """The statements that set `code`."""
    branches = [b for b in (body.small, body.large) if b]
    if len(branches) == 1:
        branch = branches[0]
        lines = [f"  {line}" for line in _before(branch, initial)]
        lines.append(_call("const int code = ", branch, ";", 2))
        return lines + _rooms(body, branch) + [f"  {line}" for line in branch.after]
    small, large = branches
    if not any((b.before or b.narrow or b.after) for b in branches):
        return [
            "  const int code =",
            *_condition("", body.fits, "", 6),
            _call("? ", small, "", 10),
            _call(": ", large, ";", 10),
        ]
    lines = ["  int code = MPI_SUCCESS;", *_condition("if (", body.fits, ") {", 2)]
    for branch, end in ((small, "  } else {"), (large, "  }")):
        lines += [f"    {line}" for line in _before(branch, initial)]
        lines.append(_call("code = ", branch, ";", 4))
        lines += [f"    {line}" for line in branch.after]
        lines.append(end)
    return lines


def _plain(body: Body, value: str) -> str:
    branch = body.small or body.large
    assert branch is not None
    if value == "void":
        return _call("", branch, ";", 2)
    if value.endswith("_handle"):
        return _call(f"return {value}{{", branch, "};", 2)
    if branch.bare:
        return _call(f"return static_cast<{value}>(", branch, ");", 2)
    return _call("return ", branch, ";", 2)


def _unwrap(function: CppFunction, signature: Signature) -> str:
    """Layer 2's body: layer 1's value, or its error thrown."""
    template = "<String>" if "class String = std::string" in signature.template else ""
    limited = function.body.limited if function.body else []
    helper = f"unwrap_callback<{limited[0]}>" if limited else "unwrap"
    result, code = "return ", ""
    if signature.value == "void" and not limited:
        helper, result, code = "check", "", ".code"
    call = f"nothrow::{function.name}{template}({function.forwarded}){code}"
    line = f'  {result}detail::{helper}({call}, "{function.c_name}");'
    if len(line) <= WIDTH:
        return line
    pad = " " * 6
    inner = broken(
        f"nothrow::{function.name}{template}(", signature.forwarded(), f"){code},", len(pad)
    )
    return f'  {result}detail::{helper}(\n{inner}\n{pad}"{function.c_name}");'


def _direct(out: CppFunction, function: PlannedFunction, signature: Signature) -> list[str]:
    """Layer 2's body where values come back: compilers make least of it if the check stands before
    the values are used, in the same function, and they need to be nothing in case of an error."""
    body = out.body
    assert body is not None
    indirect = body.asked or any(a.kind == "callback" for a in function.arguments)
    if is_about_keys(function) and not indirect:
        *call, tell = _calls(body)
        return [*call, tell.replace(");", f', "{out.c_name}");')]
    if out.returns != "code" or not body.value or indirect:
        return []
    telling = _tells_on_error(function)
    # What a flag guards is not looked at unless MPI set the flag.
    lines = list(body.declarations if telling and not body.flag else body.places)
    raised = [(c, f'detail::raise({code}, "{out.c_name}")') for c, code in body.guards]
    lines += [_guard(condition, way_out) for condition, way_out in raised]
    lines += _calls(body, "{}" if telling else "")
    if telling:
        kind = next(r.type for r in signature.results if r.guarded or not body.flag)
        values = [identifier(r.name) for r in reversed(function.results)]
        way_out = f'detail::raise_with<{kind}>(code, "{out.c_name}", {", ".join(values)})'
        lines.append(_guard("code != MPI_SUCCESS", way_out))
    else:
        lines.append(f'  detail::check(code, "{out.c_name}");')
    if body.flag:
        no = body.flag.replace(" != 0", " == 0")
        return [*lines, f"  if ({no}) return std::nullopt;", f"  return {body.guarded};"]
    return [*lines, _give_back("", body.value)]


def _tells_on_error(function: PlannedFunction) -> bool:
    """Whether results mean something on error too: which request it concerns, how many are done."""
    completes = any(a.kind in ("status_out", "statuses_out") for a in function.arguments)
    kinds = [r.kind for r in function.results]
    alone = [["int"], ["bool"]]
    return completes and kinds in (alone if function.shape != "optional" else [["int", "bool"]])


def _rooms(body: Body, branch: Branch) -> list[str]:
    """A second call fills the texts whose lengths the first one told."""
    if not body.asked:
        return []
    rooms = [f"    {name}.make_room();" for name in body.asked]
    again = _call("return_code = ", branch, ";", 4)
    lines = ["  int return_code = code;", "  if (code == MPI_SUCCESS) {"]
    return [*lines, *rooms, again, "  }"]


def _simple(body: Body) -> str:
    """The call as the only statement of a function without outputs."""
    branches = [b for b in (body.small, body.large) if b]
    if any(b.before or b.narrow or b.after for b in branches) or body.asked:
        return ""
    if len(branches) == 1:
        return _call("return {", branches[0], "};", 2)
    small, large = branches
    lines = _condition("if (", body.fits, ")", 2)
    return "\n".join([*lines, _call("return {", small, "};", 4), _call("return {", large, "};", 2)])


def _condition(head: str, checks: list[str], tail: str, indent: int) -> list[str]:
    """`head`, the checks joined by `and`, `tail`."""
    line = " " * indent + head + " && ".join(checks) + tail
    if len(line) <= WIDTH:
        return [line]
    pad = " " * (indent + len(head))
    ends = [" &&"] * (len(checks) - 1) + [tail]
    lines = [pad + check + end for check, end in zip(checks, ends, strict=True)]
    return [" " * indent + head + lines[0].lstrip(), *lines[1:]]


def _guard(condition: str, way_out: str) -> str:
    line = f"  if ({condition}) [[unlikely]]"
    if len(line) > WIDTH:
        head, _, items = condition.partition("(")
        line = broken(f"if ({head}(", items.removesuffix(")").split(", "), ")) [[unlikely]]", 2)
    one = f"{line} {way_out};"
    return one if len(one) <= WIDTH else f"{line}\n    {way_out};"


def _give_back(code: str, value: str) -> str:
    """The last line: code and value, or the value alone."""
    if not code:
        line, record, tail = f"  return {value};", "{", "};"
    else:
        line = f"  return {{{code}{', ' if value else ''}{value}}};"
        record, tail = f"{{{code}, {{", "}};"
    if len(line) <= WIDTH or not value.startswith("{"):
        return line
    return broken(f"return {record}", value[1:-1].split(", "), tail, 2)


def _call(head: str, branch: Branch, tail: str, indent: int) -> str:
    hook = "MPIGLOT_EARLY" if branch.early else "MPIGLOT_MPI"
    name = branch.function if branch.bare else f"{hook}({branch.function})"
    return broken(f"{head}{name}(", branch.arguments, f"){tail}", indent)


def flag_name(c_name: str) -> str:
    """MPI_Comm_split -> has_comm_split."""
    return "has_" + identifier(c_name.removeprefix("MPI_")).rstrip("_")
