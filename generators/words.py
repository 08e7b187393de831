"""Words in the names of constants: what the names of one value set have in common."""

from __future__ import annotations


def without_common_words(names: dict[str, list[str]]) -> dict[str, list[str]]:
    """The words of each name without those that (nearly) all of them begin with."""
    common = _common_words(list(names.values()))
    return {name: words[_shared(words, common) :] for name, words in names.items()}


def _shared(words: list[str], common: list[str]) -> int:
    """How many words a name shares; the last one is its own."""
    most = min(len(common), len(words) - 1)
    return next((i for i in range(most) if words[i] != common[i]), most)


def _common_words(names: list[list[str]]) -> list[str]:
    """The first words that at least three quarters of the names share, never all of a name's."""
    common: list[str] = []
    while len(names) > 1:
        alike = [n for n in names if n[: len(common)] == common and len(n) > len(common) + 1]
        nexts = [n[len(common)] for n in alike]
        word = max(set(nexts), key=lambda w: (nexts.count(w), w)) if nexts else ""
        if 4 * nexts.count(word) < 3 * len(names) or not word:
            break
        common.append(word)
    return common
