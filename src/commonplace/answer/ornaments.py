"""What stands in a text for its looks or for finding one's way, and answers nothing."""

import re

_NAMES = """
a b br center code details div em h1 h2 h3 h4 h5 h6 hr i iframe img kbd li ol p picture pre script
source span strong style sub summary sup svg table tbody td th thead tr ul video
"""
_TAG = re.compile(
    rf"<!--.{0, 4000}?-->|</?(?:{'|'.join(_NAMES.split())})\b[^<>]*>", re.IGNORECASE | re.DOTALL
)
_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]]*\])")
_WORDLESS = re.compile(r"\[\s*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]]*\])")
_ENTRY = re.compile(
    r"^[ \t>]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[[^\]\n]*\]\(#[^()\n]*\)[ \t]*$", re.MULTILINE
)


def is_ornament(words: str) -> bool:
    """Whether a stretch is only markup, images, or entries that lead to sections of its page.

    >>> is_ornament('<p align="center"><img src="a.svg" alt="Build status"></p>')
    True
    >>> is_ornament("[![Build](https://a.b/c.svg)](https://a.b)"), is_ornament("- [Usage](#usage)")
    (True, True)
    >>> is_ornament("See [Usage](#usage)."), is_ornament("<b>Stop.</b>"), is_ornament("- one")
    (False, False, False)
    """
    if "<" not in words and "](" not in words and "][" not in words:
        return False
    rest = _WORDLESS.sub("", _IMAGE.sub("", _TAG.sub("", _ENTRY.sub("", words))))
    return rest != words and not any(map(str.isalnum, rest))
