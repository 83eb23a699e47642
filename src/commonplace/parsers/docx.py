"""Word documents: mammoth reads them as HTML, our HTML walker renders that."""

import io

from commonplace.domain.document import Document, Resource
from commonplace.domain.encoding import Decoded, clean
from commonplace.domain.errors import ParseError
from commonplace.domain.media import DOCX, suffixes_of
from commonplace.parsers.archive import opened
from commonplace.parsers.base import Parser
from commonplace.parsers.guard import guarded
from commonplace.parsers.html import render_html

_PROLOGUE_BYTES = 1024
_STYLES = "\n".join(
    ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"]
    + [f"p[style-name='Heading {level}'] => h{level}:fresh" for level in range(1, 7)]
    + [f"p[style-name='heading {level}'] => h{level}:fresh" for level in range(1, 7)]
    + ["p[style-name='Code'] => pre:separator('\\n')", "r[style-name='Code'] => code"]
)


def _check(content: bytes) -> None:
    """Raise ParseError for an archive that would unpack to too much, before unpacking it."""
    with opened(content, (".xml", ".rels"), "a word processor") as archive:
        heads = (archive.read(one.filename, _PROLOGUE_BYTES) for one in archive.texts)
        if any(b"<!DOCTYPE" in head for head in heads):
            raise ParseError("it declares XML entities, which no word processor writes")


def parse_docx(resource: Resource) -> Document:
    """A Word document; its text is rendered, pictures are left out."""
    _check(resource.content)
    import mammoth  # noqa: PLC0415 - catalog files load their library late

    converted = mammoth.convert_to_html(
        io.BytesIO(resource.content),
        style_map=_STYLES,
        convert_image=mammoth.images.img_element(lambda _image: {}),
        id_prefix="",
    )
    told = {message.message for message in converted.messages if message.type == "error"}
    return render_html(Decoded(clean(converted.value), tuple(sorted(told))), resource.path)


PARSER = Parser(
    name="docx",
    media_types=(DOCX,),
    suffixes=suffixes_of(DOCX),
    parse=guarded(parse_docx),
)
