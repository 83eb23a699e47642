"""Word documents: mammoth reads them as HTML, our HTML walker renders that."""

import io

from commonplace.domain.document import Document, Resource
from commonplace.domain.encoding import Decoded, clean
from commonplace.domain.errors import ParseError
from commonplace.domain.media import DOCX, suffixes_of
from commonplace.parsers.archive import opened
from commonplace.parsers.base import Parser
from commonplace.parsers.docx_formulas import with_formulas
from commonplace.parsers.docx_styles import heading_styles
from commonplace.parsers.guard import guarded
from commonplace.parsers.html import render_html

_PROLOGUE_BYTES = 1024
_STYLES = [
    "p[style-name='Title'] => h1:fresh",
    "p[style-name='Subtitle'] => p:fresh",
    "p[style-name='Code'] => pre:separator('\\n')",
    "r[style-name='Code'] => code",
    # A table of contents says every heading again, far from what stands below it.
    *(f"p[style-name='toc {level}'] => !" for level in range(1, 10)),
    *(f"p[style-name='TOC {level}'] => !" for level in range(1, 10)),
]


def _prepared(content: bytes) -> tuple[bytes, str]:
    """What mammoth is to read, and its rules; raises ParseError before a bomb is unpacked."""
    with opened(content, (".xml", ".rels"), "a word processor") as archive:
        heads = (archive.read(one.filename, _PROLOGUE_BYTES) for one in archive.texts)
        if any(b"<!DOCTYPE" in head for head in heads):
            raise ParseError("it declares XML entities, which no word processor writes")
        rules = [*_STYLES, *heading_styles(archive)]
        return with_formulas(content, archive), "\n".join(rules)


def parse_docx(resource: Resource) -> Document:
    """A Word document; its text is rendered, pictures are left out."""
    content, rules = _prepared(resource.content)
    import mammoth  # noqa: PLC0415 - catalog files load their library late

    converted = mammoth.convert_to_html(
        io.BytesIO(content),
        style_map=rules,
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
