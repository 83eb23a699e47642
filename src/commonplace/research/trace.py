"""The way a research took, as a tree: where it went from where, what it brought, why it ended."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from commonplace.answer.render import one_line
from commonplace.research.nouns import Step

_MOST_URL_CHARS = 120


def common_base(urls: Sequence[str]) -> str:
    """The longest beginning, up to a slash, of the first address and of others like it.

    >>> common_base(["https://a.example/docs/x.html", "https://a.example/docs/y/z.html"])
    'https://a.example/docs/'
    >>> common_base(["https://a.example/docs/x.html", "https://b.example/"])
    'https://a.example/docs/'
    """
    if not urls:
        return ""
    first = urlsplit(urls[0])
    origin = f"{first.scheme}://{first.netloc}/"
    own = [url for url in urls if url.startswith(origin)]
    base = own[0].rpartition("/")[0] + "/" if own else ""
    while base.startswith(origin) and not all(url.startswith(base) for url in own):
        base = base.rstrip("/").rpartition("/")[0] + "/"
    return base if base.startswith(origin) else origin


def _shown(url: str, base: str) -> tuple[str, bool]:
    """An address as the tree shows it, and whether it is of another site."""
    if base and url.startswith(base):
        return f"/{url[len(base) :]}", False
    origin = "/".join(base.split("/")[:3]) + "/"
    text = url if len(url) <= _MOST_URL_CHARS else f"{url[: _MOST_URL_CHARS - 1]}…"
    return text, not url.startswith(origin)


def _facts(step: Step, is_external: bool) -> str:
    facts = ["external"] if is_external else []
    facts.append(f"depth {step.depth}" if step.parent else "seed")
    if step.failure:
        return f"({', '.join(facts)}) [failed: {one_line(step.failure)[:160]}]"
    if step.parent:
        facts.append(f"+{step.passages} chunks")
    facts.append(f"score: {step.before:.2f} → {step.after:.2f}")
    if step.parent:
        facts.append(f"{step.elapsed_ms:.0f}ms")
    if step.was_known:
        facts.append("already indexed")
    return f"({', '.join(facts)})"


def trace(steps: Sequence[Step], stop_reason: str) -> list[str]:
    """The lines of the tree; none when no link was followed."""
    if not any(step.parent for step in steps):
        return []
    base = common_base([step.url for step in steps])
    below: dict[str, list[Step]] = {}
    for step in steps:
        below.setdefault(step.parent, []).append(step)
    lines = [f"Base: {base}", ""]
    drawn: set[str] = set()

    def draw(step: Step, margin: str, lead: str) -> None:
        text, is_external = _shown(step.url, base)
        lines.append(f"{lead}{one_line(text)} {_facts(step, is_external)}")
        drawn.add(step.url)
        children = [one for one in below.get(step.url, []) if one.url not in drawn]
        for place, child in enumerate(children):
            below_it, to_it = ("    ", "└── ") if place == len(children) - 1 else ("│   ", "├── ")
            draw(child, margin + below_it, margin + to_it)

    for seed in below.get("", []):
        draw(seed, "", "")
    for step in steps:  # whose parent was reached by another address
        if step.url not in drawn:
            draw(step, "    ", "└── ")
    lines.append(f"    [stopped: {one_line(stop_reason)}]")
    return lines
