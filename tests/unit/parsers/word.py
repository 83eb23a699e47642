"""Makes small Word documents for tests."""

import io
import zipfile

_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
    'content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package'
    '.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.'
    'openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName='
    '"/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.styles+xml"/></Types>'
)
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELS = (
    f'<?xml version="1.0"?><Relationships xmlns="{_PACKAGE}"><Relationship Id="r1" '
    f'Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>'
)
_DOCUMENT_RELS = (
    f'<?xml version="1.0"?><Relationships xmlns="{_PACKAGE}"><Relationship Id="s1" '
    f'Type="{_OFFICE}/styles" Target="styles.xml"/><Relationship Id="h1" '
    f'Type="{_OFFICE}/hyperlink" Target="https://example.org/" TargetMode="External"/>'
    "</Relationships>"
)
_WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_STYLES = (
    f'<?xml version="1.0"?><w:styles xmlns:w="{_WORDS}">'
    + "".join(
        f'<w:style w:type="paragraph" w:styleId="H{level}"><w:name w:val="heading {level}"/>'
        "</w:style>"
        for level in (1, 2)
    )
    + "</w:styles>"
)
BODY = (
    '<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>Report</w:t></w:r></w:p>'
    '<w:p><w:r><w:t xml:space="preserve">See </w:t></w:r><w:hyperlink r:id="h1"><w:r><w:t>the site'
    "</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t></w:r></w:p>"
    '<w:p><w:pPr><w:pStyle w:val="H2"/></w:pPr><w:r><w:t>Costs</w:t></w:r></w:p>'
    "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Name</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Sum</w:t>"
    "</w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>Ink</w:t></w:r></w:p></w:tc><w:tc><w:p>"
    "<w:r><w:t>3</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
)


def make_docx(body: str = BODY, extra: dict[str, bytes] | None = None, styles: str = "") -> bytes:
    """A Word document with this body; ``extra`` sets parts of the archive, ``styles`` styles."""
    document = (
        f'<?xml version="1.0"?><w:document xmlns:w="{_WORDS}" xmlns:r="{_OFFICE}"><w:body>{body}'
        "</w:body></w:document>"
    )
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _RELS,
        "word/_rels/document.xml.rels": _DOCUMENT_RELS,
        "word/styles.xml": _STYLES.replace("</w:styles>", f"{styles}</w:styles>"),
        "word/document.xml": document,
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**parts, **(extra or {})}.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
