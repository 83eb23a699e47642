"""What the results of a reply show: all they have room for, or what of that likely answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from commonplace.split.sentences import sentence_ends
from commonplace.tools.papers.excerpts import RENDER_CHARS, Excerpt, address, pages
from commonplace.tools.papers.stretches import Part, Run, choose, narrowed

_TRIES = 3  # what escapes and quotation marks cost is known only when a reply is written


def trimmed(text: str, most: int) -> str:
    """The text, or as many whole sentences of it as fit; of one too long, its whole words.

    >>> trimmed("One is here. Two is there. Three is gone.", 30)
    'One is here. Two is there.'
    >>> trimmed("abcdef ghijkl mnopqr", 15)
    'abcdef ghijkl …'
    """
    text = text.strip()
    if len(text) <= most:
        return text
    ends = [end for end in sentence_ends(text) if len(text[:end].rstrip()) <= most]
    if ends:
        return text[: ends[-1]].rstrip()
    words = text[: most - 1].rpartition(" ")[0] or text[: most - 2]
    return f"{words.rstrip()} …"


@dataclass(frozen=True, slots=True)
class Shown:
    """A result and the parts of its text it has room for."""

    excerpt: Excerpt
    parts: Sequence[Part]
    """From the first that may be shown to the last."""

    def passages(self) -> str:
        """Whole, all passages it has a part of."""
        start, end = self.parts[0].start, self.parts[-1].end
        return "".join(one.passage.text for one in self.excerpt.between(start, end))

    def written(self, row: dict[str, Any], run: Run) -> dict[str, Any]:
        """The row with the text of a run, and what that is cited by.

        Its id is that of the best hit, or, where nothing of that is shown, of what is.
        """
        first, last = narrowed(self.parts, run, RENDER_CHARS)
        start, end = self.parts[first].start, self.parts[last].end
        passages = self.excerpt.between(start, end)
        span, best = pages(passages), self.excerpt.best.located
        return row | {
            "section_id": (best if best in passages else passages[0]).passage.id,
            "render_text": trimmed(self.excerpt.text[start:end], RENDER_CHARS),
            "page_span": list(span) if span else None,
            "source_uri": address(passages),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """The rows of a reply whose texts are to be written, and what they may cost."""

    rows: Sequence[dict[str, Any]]
    shown: Sequence[Shown]
    tokens: int
    cost: Callable[[Sequence[dict[str, Any]]], int]
    """Of a reply with these rows."""

    def fitting(self) -> list[dict[str, Any]]:
        """With all there is room for, else with what of it likely answers.

        What finds no room in this reply stays as it is: the next shows it.
        """
        rows = self._written([(0, len(one.parts) - 1) for one in self.shown])
        return self._cut(rows) if rows and self.cost(rows) > self.tokens else rows

    def _cut(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        empty = self.cost([])
        each = (self.cost(self.rows) - empty) / len(self.rows)
        left = self.tokens - empty
        texts = [one.parts for one in self.shown]
        written: list[dict[str, Any]] = []
        for _ in range(_TRIES):
            runs = choose(texts, lambda shown, left=left: int(left - shown * each))  # type: ignore[misc]
            written = self._written(runs)
            over = self.cost(written) - self.tokens
            if over <= 0:
                break
            left -= over
        return written + rows[len(written) :]

    def _written(self, runs: Sequence[Run]) -> list[dict[str, Any]]:
        both = zip(self.rows, self.shown, runs, strict=False)
        return [one.written(row, run) for row, one, run in both]
