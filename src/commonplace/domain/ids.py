"""Deterministic ids and content hashes: the same input always has the same id."""

import hashlib

# Ids are paid for in tokens whenever a reply names one, and byte-pair encodings take three
# decimal digits for one token: 18 digits (60 bits) cost 6 tokens, 12 letters of base 32 cost 12.
_DIGITS = 18  # among a million ids, a collision has one chance in two million
_MOST = 10**_DIGITS


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


def document_id(project: str, uri: str) -> str:
    """The id of a document: its address in its project."""
    return stable_id("d", project, uri)
