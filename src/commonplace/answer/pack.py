"""Budgets are a type: ranked whole entries in, the largest prefix that fits out.

Every list-like reply is built here. A reply has two forms, text and data, and each alone must fit
the budget, because some clients show a model only the one and some only the other.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from commonplace.domain.errors import BudgetExceeded
from commonplace.domain.evidence import Reply, ResourceLink
from commonplace.tokens import TokenCounter

MAX_RESPONSE_BYTES = 512 * 1024  # 000 §3.2

T = TypeVar("T")
LimitReason = Literal["none", "page_size", "token_cap", "byte_cap"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How much a reply may cost."""

    tokens: int
    chars: int
    count: TokenCounter


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """What a list-like reply says of its own completeness."""

    returned_count: int
    total_count: int
    remaining_count: int
    truncated: bool
    """The budget, not the page size, ended the list."""
    has_more: bool
    limit_reason: LimitReason
    next_offset: int | None


@dataclass(frozen=True, slots=True)
class Form:
    """One reply in both forms."""

    text: str
    structured: Mapping[str, Any]
    links: tuple[ResourceLink, ...] = ()
    """Stand beside the text, and are paid for with it."""


@dataclass(frozen=True, slots=True)
class Page:
    """Which stretch of the ranked list is asked for."""

    offset: int
    size: int


def minify(structured: Mapping[str, Any]) -> str:
    """JSON without spare characters, as it goes over the wire.

    >>> minify({"a": [1, "é"]})
    '{"a":[1,"é"]}'
    """
    return json.dumps(structured, ensure_ascii=False, separators=(",", ":"))


def cost_tokens(form: Form, count: TokenCounter, data: str | None = None) -> int:
    """What the dearer of the two forms costs; ``data`` is the second, where it is known."""
    links = "\n".join(minify(link.facts) for link in form.links)
    return max(count(form.text) + count(links), count(data or minify(form.structured)))


def pack(
    ranked: Sequence[T], page: Page, budget: Budget, shape: Callable[[Sequence[T], Tail], Form]
) -> Reply:
    """The reply with the most whole entries of the page that fit the budget.

    ``shape`` renders a prefix of the page and its tail. Raises BudgetExceeded when not even the
    first entry fits; its details name the budget that would do.
    """
    wanted = ranked[page.offset : page.offset + page.size]
    left = max(0, len(ranked) - page.offset)
    whole: LimitReason = "page_size" if left > len(wanted) else "none"
    reply, over = _shaped(wanted, _tail(len(wanted), left, page, whole), budget, shape)
    if over == "none":
        return reply
    best, low, high = None, 0, len(wanted)
    # Entries cost about alike: a guess and its neighbour mostly decide, where halving takes five.
    middle, step = len(wanted) * budget.tokens // max(1, reply.tokens), 1
    while high - low > 1:
        middle = min(max(middle, low + 1), high - 1)
        reply, still = _shaped(wanted[:middle], _tail(middle, left, page, over), budget, shape)
        if still == "none":
            best, low, middle = reply, middle, middle + step
        else:
            high, middle = middle, middle - step
        step *= 2
    if best is not None:
        return best
    least, _ = _shaped(wanted[:1], _tail(min(1, len(wanted)), left, page, over), budget, shape)
    raise BudgetExceeded(
        f"not even one whole entry fits {budget.tokens} tokens; "
        f"ask again with max_response_tokens of at least {least.tokens}",
        budget_tokens=budget.tokens,
        needed_tokens=least.tokens,
    )


def _tail(size: int, left: int, page: Page, reason: LimitReason) -> Tail:
    has_more = left > size
    return Tail(
        returned_count=size,
        total_count=page.offset + left,
        remaining_count=left - size,
        truncated=reason in ("token_cap", "byte_cap"),
        has_more=has_more,
        limit_reason=reason,
        next_offset=page.offset + size if has_more else None,
    )


def _shaped(
    entries: Sequence[T], tail: Tail, budget: Budget, shape: Callable[[Sequence[T], Tail], Form]
) -> tuple[Reply, LimitReason]:
    """The reply with these entries, what the dearer of its two forms costs, and what is over."""
    form = shape(entries, tail)
    data = minify(form.structured)
    tokens = cost_tokens(form, budget.count, data)
    reply = Reply(text=form.text, structured=form.structured, links=form.links, tokens=tokens)
    return reply, _over(reply, data, budget)


def _over(reply: Reply, data: str, budget: Budget) -> LimitReason:
    if reply.tokens > budget.tokens:
        return "token_cap"
    for form in (reply.text, data):
        if len(form) > budget.chars or len(form.encode("utf-8", "replace")) > MAX_RESPONSE_BYTES:
            return "byte_cap"
    return "none"
