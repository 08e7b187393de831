"""The user's shell during an examination: what is set, what was put right, and what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mpiglot.doctor import variables
from mpiglot.doctor.model import Diagnosis, Finding


@dataclass
class Shell:
    """`given` is the environment as it was found, `env` the same as far as it was put right."""

    given: dict[str, str]
    diagnosis: Diagnosis
    env: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.env = dict(self.given)

    def add(self, *findings: Finding | None) -> None:
        """Puts findings down, each once."""
        for finding in findings:
            if finding is None:
                continue
            known = [(one.id, one.message) for one in self.diagnosis.findings]
            if (finding.id, finding.message) not in known:
                self.diagnosis.findings.append(finding)

    def about(self, names: Sequence[str]) -> Finding | None:
        """The finding about one of these variables."""
        for finding in self.diagnosis.findings:
            if set(finding.variables) & set(names):
                return finding
        return None

    def put_right(self, values: Mapping[str, str]) -> None:
        """Sets variables for everything that follows."""
        self.env = {**self.env, **values}
        self.diagnosis.set_here.update(values)

    def changed(self, names: Sequence[str], needed: Mapping[str, str]) -> dict[str, str]:
        """The environment without these variables, or with their right values where it has any."""
        right = {name: needed[name] for name in names if name in needed}
        return {**variables.without(self.env, names), **right}

    def blame(
        self, names: Sequence[str], effect: str, needed: Mapping[str, str], kind: str
    ) -> None:
        """Puts down that these variables break something (tried!), and goes on without them."""
        self.env = self.changed(names, needed)
        right = {name: needed[name] for name in names if name in needed}
        gone = [name for name in names if name not in right]
        self.diagnosis.unset_here.extend(gone)
        self.diagnosis.set_here.update(right)
        known = self.about(names)
        if known is not None:
            known.severity = "error"
            known.message = f"{known.message} Tried: because of it {effect}."
            return
        values = ", ".join(f"{name}={self.given.get(name, '')}" for name in names)
        lines = [variables.unset(gone)] if gone else []
        lines += [variables.export(right)] if right else []
        message = f"With {values} set {effect}; without, it works."
        self.add(Finding(kind, "error", message, "\n".join(lines), tuple(names)))
