"""A look at a PDF's streams before pdfium unpacks them: a small file may hide gigabytes."""

import re
import zlib

from commonplace.domain.errors import ParseError

# What draws a page is seldom a megabyte; pdfium takes twelve bytes for one of it.
MOST_UNPACKED_BYTES = 64 * 1024 * 1024
_BEST_RATIO = 1032  # of deflate: a shorter stream cannot unpack to more
_STEP_BYTES = 1024 * 1024
_DICTIONARY_BYTES = 600  # as far back as a stream's own description is looked for
_STREAM = re.compile(rb"\bstream\r?\n")


def check_streams(content: bytes) -> None:
    """Raise ParseError for a stream that would unpack to too much; pictures are not unpacked."""
    for found in _STREAM.finditer(content):
        told = content[max(0, found.start() - _DICTIONARY_BYTES) : found.start()]
        told = told[told.rfind(b" obj") + 1 :]
        if b"/Image" in told:
            continue
        if told.count(b"FlateDecode") > 1:
            raise ParseError("a stream in it is packed twice; save it again in a PDF program")
        end = content.find(b"endstream", found.end())
        end = len(content) if end < 0 else end
        is_large = (end - found.end()) * _BEST_RATIO > MOST_UNPACKED_BYTES
        if is_large and _unpacks_to_too_much(content[found.end() : end]):
            raise ParseError(
                f"a stream in it unpacks to more than {MOST_UNPACKED_BYTES >> 20} MB; save it "
                "again in a PDF program, or name it in .commonplaceignore"
            )


def _unpacks_to_too_much(packed: bytes) -> bool:
    inflate = zlib.decompressobj()
    total = 0
    try:
        # At its end a stream may leave a byte as its tail for ever: that is no more to unpack.
        while packed and not inflate.eof and total <= MOST_UNPACKED_BYTES:
            total += len(inflate.decompress(packed, _STEP_BYTES))
            packed = inflate.unconsumed_tail
    except zlib.error:  # not packed this way, or damaged: pdfium stops there too
        return False
    return total > MOST_UNPACKED_BYTES
