"""Draws docs/figures/overhead.svg from overhead.json, which overhead.py writes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

FIGURES = Path(__file__).resolve().parents[2] / "docs" / "figures"
ROW, BAR, LEFT, RIGHT, WIDTH, TOP = 22, 14, 190, 220, 820, 64
WITHIN, BEYOND, OTHERS, INK = "#3a7ca5", "#c8553d", "#9aa5ad", "#222"
# What others cost in the same example (the study of KaMPIng, g++ -O3).
PUBLISHED = {"compile time": 6.1, "text": 8.3}
LIMITS = {"compile time": 1.6, "text": 1.5}
ROWS = {"compile time": "compile CPU s", "text": "linked, shared"}  # of overhead.py


@dataclass(frozen=True)
class Bar:
    """One line: its name, where its bar ends, its limit, and what stands beside it."""

    name: str
    value: float
    limit: float | None
    text: str
    colour: str


@dataclass
class Drawing:
    """The elements of a picture, from top to bottom."""

    y: float = TOP
    elements: list[str] = field(default_factory=list)

    def write(self, x: float, y: float, text: str, more: str = "") -> None:
        self.elements.append(f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(text)}</text>')

    def panel(self, title: str, bars: Iterable[Bar]) -> None:
        """Bars from a common zero line, with a tick at each limit."""
        bars = list(bars)
        ends = [0.0, *(bar.value for bar in bars), *(bar.limit or 0.0 for bar in bars)]
        least, most = min(ends), max(ends)
        scale = (WIDTH - LEFT - RIGHT) / ((most - least) or 1.0)

        def at(value: float) -> float:
            return LEFT + (value - least) * scale

        self.write(12, self.y, title, 'font-weight="bold"')
        self.y += 12
        top = self.y
        for bar in bars:
            left, right = sorted((at(0), at(bar.value)))
            middle = self.y + ROW / 2
            self.write(LEFT - 8, middle + 4, bar.name, 'text-anchor="end"')
            self.elements.append(
                f'<rect x="{left:.1f}" y="{middle - BAR / 2:.1f}" '
                f'width="{max(right - left, 1):.1f}" height="{BAR}" fill="{bar.colour}"/>'
            )
            if bar.limit is not None:
                self.line(at(bar.limit), middle - 9, middle + 9, 2)
            self.write(max(right, at(bar.limit or 0)) + 8, middle + 4, bar.text)
            self.y += ROW
        self.line(at(0), top, self.y, 1)
        self.y += 30

    def line(self, x: float, top: float, bottom: float, width: int) -> None:
        self.elements.append(
            f'<line x1="{x:.1f}" y1="{top:.1f}" x2="{x:.1f}" y2="{bottom:.1f}" '
            f'stroke="{INK}" stroke-width="{width}"/>'
        )

    def svg(self, title: str) -> str:
        self.write(12, 26, title, 'font-size="16"')
        self.write(12, 44, "Black ticks: what is promised at most.", 'fill="#555"')
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y:.0f}" '
                f'font-family="sans-serif" font-size="12" fill="{INK}">',
                f'<rect width="{WIDTH}" height="{self.y:.0f}" fill="white"/>',
                *self.elements,
                "</svg>\n",
            ]
        )


def calls(found: dict[str, Any]) -> Iterable[Bar]:
    for call in found["calls"]:
        above = call["named"] - call["plain"]
        more = call["named_allocations"] - call["plain_allocations"]
        text = f"{above:+.0f} of {call['plain']:.0f}"
        if more:
            text += f", {abs(more):.0f} allocations {'more' if more > 0 else 'fewer'}"
        colour = WITHIN if above <= call["limit"] and more <= 0 else BEYOND
        yield Bar(call["name"].replace("_", " "), above, call["limit"], text, colour)


def ratios(found: dict[str, Any]) -> Iterable[Bar]:
    for what, limit in LIMITS.items():
        plain, headers, compiled = found["example"][ROWS[what]]
        for form, value in (("compiled part", compiled), ("headers only", headers)):
            ratio = value / plain
            colour = WITHIN if ratio <= limit else BEYOND
            yield Bar(f"{what}, {form}", ratio, limit, f"{ratio:.2f}x", colour)
        other = PUBLISHED[what]
        yield Bar(f"{what}, KaMPIng", other, None, f"{other}x", OTHERS)


def draw() -> None:
    """Draws what was measured last."""
    found = json.loads((FIGURES / "overhead.json").read_text(encoding="utf-8"))
    drawing = Drawing()
    drawing.panel("Instructions of a call above the same in plain C", calls(found))
    drawing.panel("The allgatherv example, compared with plain C", ratios(found))
    title = f"What named parameters cost ({found['compiler']})"
    (FIGURES / "overhead.svg").write_text(drawing.svg(title), encoding="utf-8")
