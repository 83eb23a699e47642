"""What parsers promise."""

REQUIREMENTS: dict[str, str] = {
    "PAR-01": "Whatever the bytes, a parser gives a document whose offsets hold, or ParseError.",
    "PAR-02": "Text is decoded by mark, declaration or cautious guess, and is always storable.",
    "PAR-03": "Markdown gives sections, blocks, links and anchors with offsets into the file.",
    "PAR-04": "Front matter gives title, tags and attributes; a broken one is a warning.",
    "PAR-05": "HTML renders the main content: headings, lists, code with language, whole tables.",
    "PAR-06": "Scripts, comments, menus and other chrome of a page never reach its text.",
    "PAR-07": "reStructuredText gives the sections docutils finds, with exact offsets.",
    "PAR-08": "reStructuredText never includes a file, runs a directive or touches the network.",
    "PAR-09": "Plain text has headings only where its writer left no doubt.",
    "PAR-10": "A Word document gives headings, lists, tables and links.",
    "PAR-11": "An archive that unpacks to too much is refused before it is unpacked.",
    "PAR-12": "A notebook gives its Markdown and code cells, with outputs shortened.",
    "PAR-13": "Nesting of any depth ends in time and never in a crash.",
    "PAR-14": "Every suffix a source lists has a parser.",
    "PAR-15": "Each format keeps its golden structure.",
    "PAR-H20": "MathML becomes LaTeX: the author's own where there is one, else by its structure.",
    "PAR-H21": "Notes and warnings of documentation tools carry their label, once.",
    "PAR-H22": "Images are told with address, alt text, caption and place.",
    "PAR-H23": "Links in table cells are kept, wherever the cell breaks.",
}
