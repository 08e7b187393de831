"""What each macro of the header is: a value, a type, a function in disguise, or nothing of use.

For every macro three lines of C are parsed with libclang (`MacroTests.text`); what parses without
error, with which type and referring to which symbol, decides.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from mpiglot.blueprints.model import Omission
from mpiglot.parser import clang
from mpiglot.parser.clang import Cursor, Kind, TypeKind
from mpiglot.parser.preprocess import Macro, Preprocessed

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_TRAP = re.compile(r"\b_?[Ss]tatic_assert\b|\berror\s*\(|#\s*error")
_TEST = re.compile(r"mg_([vt])(\d+)$")


@dataclass(slots=True)
class FoundMacro:
    """A macro that means something to programs."""

    name: str
    expansion: str
    parameters: list[str] | None  # None: object-like
    what: str  # integer, pointer, function, string, type; cast, call, arithmetic, trap
    type: str = ""  # of the value, or the type it stands for
    symbol: str | None = None
    access: str | None = None  # "address", "load", "call"
    text: str | None = None  # of a string


@dataclass(slots=True)
class _Seen:
    """What libclang said about the lines of one macro."""

    value: Cursor | None = None
    type: Cursor | None = None
    lines: dict[str, int] = field(default_factory=dict)  # test letter -> line


class MacroTests:
    """The C lines that are parsed behind the header, and what they say about its macros."""

    def __init__(self, source: Preprocessed, prefix: re.Pattern[str]) -> None:
        self._source = source
        self._macros: list[Macro] = []
        self._seen: list[_Seen] = []
        self._omitted: list[Omission] = []
        lines = ["static long mg_argument;"]
        for macro in source.macros.values():
            if not prefix.match(macro.name) or macro.builtin:
                continue
            if macro.from_command:
                self._omitted.append(Omission(macro.name, "set by the wrapper's own flags"))
            elif macro.parameters is None and not macro.body:
                self._omitted.append(Omission(macro.name, "macro without a value"))
            elif not _balanced(macro.body):
                self._omitted.append(Omission(macro.name, "macro that is no whole expression"))
            else:
                self._add(macro, lines)
        self.text = "\n".join(lines) + "\n"

    def _add(self, macro: Macro, lines: list[str]) -> None:
        i = len(self._macros)
        seen = _Seen()
        use = macro.name
        if macro.parameters is not None:
            use += f"({', '.join('mg_argument' for p in macro.parameters if p != '...')})"
        seen.lines["v"] = len(lines)
        lines.append(f"static void mg_v{i}(void) {{ __auto_type mg_x = {use}; }}")
        if macro.parameters is None:
            seen.lines["t"] = len(lines)
            lines.append(f"static void mg_t{i}(void) {{ {use} *mg_x = 0; }}")
        self._macros.append(macro)
        self._seen.append(seen)

    def take(self, cursor: Cursor) -> bool:
        """Keeps a cursor that belongs to a test; False for all others."""
        if cursor.kind not in (Kind.FUNCTION_DECL, Kind.TYPEDEF_DECL, Kind.VAR_DECL):
            return False
        name = cursor.spelling
        if not name.startswith("mg_"):
            return False
        found = _TEST.match(name)
        if found:
            seen = self._seen[int(found[2])]
            if found[1] == "v":
                seen.value = cursor
            else:
                seen.type = cursor
        return True

    def results(self, failed: set[int]) -> tuple[dict[str, FoundMacro], list[Omission]]:
        """All macros that mean something, and those that do not, with reasons."""
        found: dict[str, FoundMacro] = {}
        for macro, seen in zip(self._macros, self._seen, strict=True):
            one = FoundMacro(macro.name, macro.body, macro.parameters, "")
            value = None if seen.lines["v"] in failed else _variable(seen.value)
            if macro.parameters is not None:
                one.what = self._function_like(macro, value)
                one.type = clang.spelled(value.type) if value is not None else ""
            elif value is not None:
                _classify(one, value)
            elif seen.lines.get("t") not in failed and (named := _variable(seen.type)) is not None:
                one.what = "type"
                one.type = clang.spelled(named.type.get_pointee())
            if one.what:
                found[macro.name] = one
            else:
                self._omitted.append(Omission(macro.name, self._reason(macro, value)))
        return found, self._omitted

    def _reason(self, macro: Macro, value: Cursor | None) -> str:
        if value is not None and value.type.get_canonical().kind == TypeKind.POINTER:
            return "text that is not UTF-8"
        if value is not None:
            return "value that is neither an integer nor an address"
        if _TRAP.search(self._expanded(macro.body)):
            return "trap: using it stops the compiler with a message"
        return "macro that is no expression and no type"

    def _function_like(self, macro: Macro, value: Cursor | None) -> str:
        if value is None:
            return "trap" if _TRAP.search(self._expanded(macro.body)) else ""
        expression = _initializer(value)
        if expression is None:
            return ""
        while expression.kind in (Kind.PAREN_EXPR, Kind.UNEXPOSED_EXPR):
            expression = clang.children(expression)[0]
        if expression.kind == Kind.CALL_EXPR:
            return "call"
        base = clang.inner(expression)
        if expression.kind == Kind.CSTYLE_CAST_EXPR and base.kind == Kind.DECL_REF_EXPR:
            return "cast"
        return "arithmetic"

    def _expanded(self, body: str, depth: int = 6) -> str:
        """A macro's body together with the bodies of the macros in it."""
        bodies = [body]
        if depth:
            for name in dict.fromkeys(_IDENTIFIER.findall(body)):
                macro = self._source.macros.get(name)
                if macro is not None:
                    bodies.append(self._expanded(macro.body, depth - 1))
        return " ".join(bodies)


def _classify(one: FoundMacro, variable: Cursor) -> None:
    """Fills in what an object-like macro with a value is."""
    type_ = variable.type
    canonical = type_.get_canonical()
    one.type = clang.spelled(type_)
    expression = _initializer(variable)
    _find_symbol(one, expression)
    if canonical.kind == TypeKind.POINTER:
        literal = clang.inner(expression) if expression is not None else None
        if literal is not None and literal.kind == Kind.STRING_LITERAL:
            one.text = _string(literal.spelling)
            one.what = "" if one.text is None else "string"
        elif canonical.get_pointee().kind in (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO):
            one.what = "function"
        else:
            one.what = "pointer"
    elif canonical.kind in (TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE, TypeKind.RECORD):
        one.what = ""
    else:
        one.what = "integer"


def _find_symbol(one: FoundMacro, expression: Cursor | None) -> None:
    """The exported symbol that an expression takes the address or the content of."""
    if expression is None:
        return
    address = called = False
    for cursor in clang.walk(expression):
        called |= cursor.kind == Kind.CALL_EXPR
        if cursor.kind == Kind.UNARY_OPERATOR:
            address = True
        if cursor.kind != Kind.DECL_REF_EXPR:
            continue
        target = cursor.referenced
        if target.kind == Kind.FUNCTION_DECL:
            one.symbol, one.access = target.spelling, "call" if called else "address"
        elif target.kind == Kind.VAR_DECL:
            array = target.type.get_canonical().kind in (
                TypeKind.CONSTANTARRAY,
                TypeKind.INCOMPLETEARRAY,
            )
            one.symbol, one.access = target.spelling, "address" if address or array else "load"
        else:
            continue
        return


def _variable(function: Cursor | None) -> Cursor | None:
    """The variable of a test function, None where its value could not be parsed."""
    if function is None:
        return None
    for cursor in clang.walk(function):
        if cursor.kind == Kind.VAR_DECL:
            return None if cursor.type.kind == TypeKind.INVALID else cursor
    return None


def _initializer(variable: Cursor) -> Cursor | None:
    expressions = [c for c in clang.children(variable) if c.kind.is_expression()]
    return expressions[-1] if expressions else None


def _string(spelling: str) -> str | None:
    """The text of a C string literal, None where it is not UTF-8."""
    try:
        return bytes(ast.literal_eval("b" + spelling)).partition(b"\0")[0].decode()
    except (SyntaxError, ValueError):
        return None


def _balanced(body: str) -> bool:
    """Whether a macro's brackets match: else it would spoil its neighbours."""
    open_ = []
    for mark in re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', "", body):
        if mark in "([{":
            open_.append(mark)
        elif mark in ")]}" and (not open_ or open_.pop() + mark not in ("()", "[]", "{}")):
            return False
    return not open_
