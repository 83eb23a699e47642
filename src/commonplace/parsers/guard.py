"""The promise of every parser: a document, or ParseError and nothing else."""

import functools
import zipfile
import zlib
from collections.abc import Callable
from xml.parsers.expat import ExpatError
from xml.sax import SAXException

from commonplace.domain.document import Document, Resource
from commonplace.domain.errors import ParseError

# What parsing libraries raise on hostile bytes. RecursionError is a RuntimeError,
# UnicodeError and JSONDecodeError are ValueErrors. KeyboardInterrupt and MemoryError pass.
_BROKEN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    ExpatError,
    SAXException,
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
)


def guarded(parse: Callable[[Resource], Document]) -> Callable[[Resource], Document]:
    """The same parser, raising only ParseError, which names the file and the cause."""

    @functools.wraps(parse)
    def checked(resource: Resource) -> Document:
        try:
            return parse(resource)
        except ParseError as exc:
            raise ParseError(f"cannot parse {resource.path}: {exc.message}") from exc
        except _BROKEN as exc:
            reason = str(exc).strip() or type(exc).__name__
            if isinstance(exc, RecursionError):
                reason = "nested too deeply"
            elif isinstance(exc, LookupError):
                reason = f"malformed, lacks {reason}"
            raise ParseError(
                f"cannot parse {resource.path} as {resource.media_type}: {reason[:200]}; "
                "mend the file, or name it in .commonplaceignore"
            ) from exc

    return checked
