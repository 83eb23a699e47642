"""Zotero libraries: files, notes and annotations of their items, and what is told of them."""

from commonplace.sources.zotero.source import ZOTERO

__all__ = ["ZOTERO"]
