"""Deterministic ids and content hashes: the same input always has the same id."""

import hashlib
import re

# Ids are paid for in tokens whenever a reply names one, and byte-pair encodings take three
# decimal digits for one token: 18 digits (60 bits) cost 6 tokens, 12 letters of base 32 cost 12.
_DIGITS = 18  # among a million ids, a collision has one chance in two million
_MOST = 10**_DIGITS
_SHOWN_DIGITS = 9  # 3 tokens; two of 20,000 ids begin alike with one chance in five (ADR 58)
_WHOLE = re.compile(rf"[a-z][0-9]{{{_DIGITS}}}")
_BEGINNING = re.compile(rf"[a-z][0-9]{{{_SHOWN_DIGITS},{_DIGITS - 1}}}")


def content_hash(content: bytes) -> str:
    """The hash that decides whether a resource has changed.

    >>> content_hash(b"")
    'cae66941d9efbd404e4d88758ea67670'
    """
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def stable_id(kind: str, *parts: str) -> str:
    """An id of one letter and eighteen digits, made from its parts only.

    >>> stable_id("p", "default", "file:///a.md", "text") == stable_id("p", "default", "", "text")
    False
    >>> stable_id("p", "ab", "c") == stable_id("p", "a", "bc")
    False
    """
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    told = b"".join([len(one).to_bytes(8, "little") + one for one in encoded])
    digest = hashlib.blake2b(told, digest_size=16).digest()
    return f"{kind}{int.from_bytes(digest, 'little') % _MOST:0{_DIGITS}}"


def brief_id(node_id: str) -> str:
    """The beginning of an id that replies show; what is no id of ours stays as it is.

    >>> brief_id("s551193646650251019"), brief_id("svc")
    ('s551193646', 'svc')
    """
    return node_id[: 1 + _SHOWN_DIGITS] if _WHOLE.fullmatch(node_id) else node_id


def is_id(sent: str) -> bool:
    """Whether this is an id of ours, whole or its beginning.

    >>> is_id("s551193646650251019"), is_id("s551193646"), is_id("save")
    (True, True, False)
    """
    return is_beginning(sent) or _WHOLE.fullmatch(sent) is not None


def is_beginning(sent: str) -> bool:
    """Whether this may be the beginning of an id, as replies show it or longer.

    >>> is_beginning("s551193646"), is_beginning("s551193646650251019"), is_beginning("s1")
    (True, False, False)
    """
    return _BEGINNING.fullmatch(sent) is not None


def document_id(project: str, uri: str) -> str:
    """The id of a document: its address in its project."""
    return stable_id("d", project, uri)
