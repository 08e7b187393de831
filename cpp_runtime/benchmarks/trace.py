"""trace.py TRACE: draws docs/figures/trace.svg, what a file of write_trace shows.

The file of the documentation is that of examples/traced.cpp on 2 ranks of MPICH.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "figures" / "trace.svg"
LEFT, WIDTH, ROW, BAR, TOP, INK = 70, 860, 58, 20, 84, "#222"
COLOURS = ("#3a7ca5", "#c8553d", "#5b8e4b", "#8e6c8a", "#d9a441", "#5f6b73", "#76b7b2", "#b07aa1")


def calls(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The calls, those that do not block from their begin to their end."""
    begun = {(e["pid"], e["id"]): e["ts"] for e in events if e["ph"] == "b"}
    found = []
    for event in events:
        if event["ph"] == "X":
            found.append({**event, "end": event["ts"] + event["dur"]})
        elif event["ph"] == "e":
            found.append({**event, "ts": begun[event["pid"], event["id"]], "end": event["ts"]})
    return found


def draw(events: list[dict[str, Any]]) -> str:
    found = calls(events)
    names = sorted({call["name"] for call in found})
    colour = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
    last = max(call["end"] for call in found)
    ranks = 1 + max(call["pid"] for call in found)
    height = TOP + ranks * ROW + 34

    def at(time: float) -> float:
        return LEFT + time / last * (WIDTH - LEFT - 12)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="12" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        '<text x="12" y="24" font-size="16">When each rank was in which call</text>',
    ]
    x = 12.0
    for name in names:
        out.append(f'<rect x="{x:.0f}" y="40" width="12" height="12" fill="{colour[name]}"/>')
        out.append(f'<text x="{x + 16:.0f}" y="50">{escape(name)}</text>')
        x += 30 + 7 * len(name)
    out.append(
        '<text x="12" y="70" fill="#555">Above: calls of the program; below: requests, and calls '
        "inside of sort.</text>"
    )
    for rank in range(ranks):
        y = TOP + rank * ROW
        out.append(f'<text x="12" y="{y + BAR:.0f}">rank {rank}</text>')
    for call in sorted(found, key=lambda call: call["ts"]):
        outer = call["ph"] == "X" and not call["args"]["within"]
        y = TOP + call["pid"] * ROW + (0 if outer else BAR + 2)
        width = max(at(call["end"]) - at(call["ts"]), 0.6)
        out.append(
            f'<rect x="{at(call["ts"]):.1f}" y="{y}" width="{width:.1f}" '
            f'height="{BAR if outer else BAR - 8}" fill="{colour[call["name"]]}"/>'
        )
    step = 1000.0 * max(1, round(last / 6000))
    for i in range(int(last / step) + 1):
        out.append(
            f'<text x="{at(i * step):.0f}" y="{height - 10}" text-anchor="middle">'
            f"{i * step / 1000:g} ms</text>"
        )
    return "\n".join([*out, "</svg>\n"])


if __name__ == "__main__":
    trace = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    PICTURE.write_text(draw(trace["traceEvents"]), encoding="utf-8")
