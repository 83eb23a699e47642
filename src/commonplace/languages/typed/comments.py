"""Doc comments without their marks."""

import re

_TAG = re.compile(r"<[^<>]{1,200}>")
_INLINE = re.compile(r"\{@(?:\w+)\s*([^{}]*)\}")


def doc_text(comment: str) -> str:
    r"""Javadoc as plain text.

    >>> doc_text("/** Sums {@code x}.\n  * @return it */")
    'Sums x.\n@return it'
    """
    inner = comment.strip().removeprefix("/**").removesuffix("*/")
    lines = (line.strip().removeprefix("*").strip() for line in inner.splitlines())
    plain = "\n".join(lines).strip()
    if "{@" in plain:
        plain = _INLINE.sub(r"\1", plain)
    return _TAG.sub("", plain) if "<" in plain else plain
