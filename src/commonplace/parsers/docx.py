"""Word documents: mammoth reads them as HTML, our HTML walker renders that."""

import io
import zipfile

from commonplace.domain.document import Document, Resource
from commonplace.domain.errors import ParseError
from commonplace.domain.media import DOCX, suffixes_of
from commonplace.parsers.base import Parser
from commonplace.parsers.encoding import Decoded, clean
from commonplace.parsers.guard import guarded
from commonplace.parsers.html import render_html

# Word's own limit for a document's text is 32 MB; mammoth's tree takes many times the XML.
_MOST_XML_BYTES = 32 * 1024 * 1024
_MOST_ENTRIES = 10_000
# XML packs to a tenth; deflate's best is 1,032 to 1, and only a bomb comes near.
_MOST_RATIO = 200
_RATIO_MATTERS_BYTES = 4 * 1024 * 1024
_PROLOGUE_BYTES = 1024
_STYLES = "\n".join(
    ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"]
    + [f"p[style-name='Heading {level}'] => h{level}:fresh" for level in range(1, 7)]
    + [f"p[style-name='heading {level}'] => h{level}:fresh" for level in range(1, 7)]
    + ["p[style-name='Code'] => pre:separator('\\n')", "r[style-name='Code'] => code"]
)


def check_archive(content: bytes) -> None:
    """Raise ParseError for an archive that would unpack to too much, before unpacking it."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        # Only XML is unpacked; pictures stay closed.
        texts = [one for one in entries if one.filename.endswith((".xml", ".rels"))]
        if len(entries) <= _MOST_ENTRIES and any(_has_entities(archive, one) for one in texts):
            raise ParseError("it declares XML entities, which no word processor writes")
    unpacked = sum(one.file_size for one in texts)
    packed = sum(one.compress_size for one in texts) or 1
    is_bomb = unpacked > _RATIO_MATTERS_BYTES and unpacked / packed > _MOST_RATIO
    if len(entries) > _MOST_ENTRIES or unpacked > _MOST_XML_BYTES or is_bomb:
        raise ParseError(
            f"the archive holds {len(entries)} parts that unpack to {unpacked} bytes; "
            "open it in a word processor and save it again"
        )


def _has_entities(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    with archive.open(entry) as part:
        return b"<!DOCTYPE" in part.read(_PROLOGUE_BYTES)


def parse_docx(resource: Resource) -> Document:
    """A Word document; its text is rendered, pictures are left out."""
    check_archive(resource.content)
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
