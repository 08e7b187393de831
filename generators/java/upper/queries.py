"""What an object is asked, alone or with another: numbers, comparisons, new objects."""

from __future__ import annotations

from dataclasses import dataclass

from mpiglot.generators.java import names
from mpiglot.generators.java.upper.surface import Row
from mpiglot.generators.model import PlannedFunction

#: How a result is given: its type in Java, and what makes it of the lower layer's result.
_FORMS = {
    "int": ("int", "{}"),
    "bool": ("boolean", "{}"),
    "offset": ("long", "{}"),
    "rank": ("OptionalInt", "Arguments.rank({})"),
}
#: Texts of the catalogue that begin with these go on with what the call gives.
_TELLING = ("Tells ", "Makes ")


@dataclass(slots=True)
class Query:
    """One method: `templates/java/queries.java.jinja` lays it out."""

    name: str
    doc: str
    answer: str
    returns: str
    call: str  # of the lower layer, with the form of the result
    other: str  # the class of the second object, "" without one
    holder: str


def fits(f: PlannedFunction) -> bool:
    """Whether a function of the plan asks one or two objects of one kind, and nothing else."""
    types = [a.type for a in f.arguments]
    alone = all(a.kind == "handle" for a in f.arguments) and types == types[:1] * len(types)
    return f.family == "local" and alone and 1 <= len(types) <= 2 and len(f.results) == 1


def write(f: PlannedFunction, row: Row) -> Query:
    """The method of `row`."""
    (result,) = f.results
    kind = names.thing(f.arguments[0].type)
    words = ["self().word()", "other.word()"][: len(f.arguments)]
    low = f"{names.CHAPTERS[f.chapter]}.{names.method(f.name)}({', '.join(words)})"
    answer = _answer(f.doc)
    if result.kind == "handle":
        returns = names.thing(result.type)
        form = f"{returns}.adopt({{}})"
        answer += ", to be closed"
    elif result.kind == "enum":
        returns = names.pascal(str(result.values))
        form = f"{returns}.of({{}})"
        answer = f"a constant of {{@link {returns}}}"
    else:
        returns, form = _FORMS["rank" if result.values == "rank_result" else result.kind]
        if returns == "OptionalInt":
            answer += "; empty if it has none"
    return Query(
        name=row.method,
        doc=f"{f.doc} {{@code {f.name}}}",
        answer=answer,
        returns=returns,
        call=form.format(low),
        other=kind if len(words) > 1 else "",
        holder=names.CHAPTERS[f.chapter],
    )


def _answer(doc: str) -> str:
    text = doc.rstrip(".")
    begin = next((word for word in _TELLING if text.startswith(word)), "")
    return text.removeprefix(begin) if begin else "the copy"
