"""Zip archives of texts, read with care: nothing goes to disk, and nothing is without limit."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

from commonplace.domain.errors import ParseError

# Word's own limit for a document's text is 32 MB; trees of it take many times the XML.
_MOST_TEXT_BYTES = 32 * 1024 * 1024
_MOST_ENTRIES = 10_000
# XML packs to a tenth; deflate's best is 1,032 to 1, and only a bomb comes near.
_MOST_RATIO = 200
_RATIO_MATTERS_BYTES = 4 * 1024 * 1024


class Archive:
    """The texts of a zip archive, by name."""

    def __init__(self, archive: zipfile.ZipFile, suffixes: tuple[str, ...], program: str) -> None:
        entries = archive.infolist()
        self._archive = archive
        self.names = {one.filename for one in entries}
        # Only texts are unpacked; pictures and fonts stay closed.
        self.texts = [one for one in entries if one.filename.lower().endswith(suffixes)]
        unpacked = sum(one.file_size for one in self.texts)
        packed = sum(one.compress_size for one in self.texts) or 1
        is_bomb = unpacked > _RATIO_MATTERS_BYTES and unpacked / packed > _MOST_RATIO
        if len(entries) > _MOST_ENTRIES or unpacked > _MOST_TEXT_BYTES or is_bomb:
            raise ParseError(
                f"the archive holds {len(entries)} parts that unpack to {unpacked} bytes; "
                f"open it in {program} and save it again"
            )

    def read(self, name: str, most: int = _MOST_TEXT_BYTES) -> bytes:
        """A text, or its first bytes."""
        with self._archive.open(name) as part:
            return part.read(most)


@contextmanager
def opened(content: bytes, suffixes: tuple[str, ...], program: str) -> Iterator[Archive]:
    """The archive; raises ParseError for one that would unpack to too much, before unpacking it."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        yield Archive(archive, suffixes, program)
