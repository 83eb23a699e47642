"""What reading PDF files promises."""

REQUIREMENTS: dict[str, str] = {
    "PDF-01": "Two columns are read left before right, whatever the order they were drawn in.",
    "PDF-02": "Running heads, feet and page numbers never reach the text.",
    "PDF-03": "Words broken at a line's end are whole again, ligatures are letters.",
    "PDF-04": "Paragraphs are joined across lines, columns and pages, and kept apart from others.",
    "PDF-05": "Headings come from the outline, else from size, weight and numbers, with levels.",
    "PDF-06": "The title is the metadata's, else the largest line; DOI and arXiv number are found.",
    "PDF-07": "Every cited work of the references is a block of its own.",
    "PDF-08": "Every passage knows its first and last page, and citations lead to the page.",
    "PDF-09": "Encrypted, damaged, empty and scanned files are reported with the fix.",
    "PDF-10": "Whatever the bytes, there is a document whose offsets hold, or ParseError.",
    "PDF-11": "Folders list PDF files, and their NUL bytes do not make them unreadable.",
    "PDF-12": "Hostile and broken files end in time, are told with the reason, and the others are"
    " indexed.",
    "PDF-13": "Reading one is limited in time and memory, in a process of its own, small jobs too.",
    "PDF-14": "A book of 2,000 pages is read whole, and its pages are told while it is read.",
    "PDF-15": "A line that looks like the body is a heading when its number is the next.",
    "PDF-16": "Captions and tables stay whole, also where they cut a paragraph.",
    "PDF-17": "A page or table on its side is read in its own direction; stamps in margins go.",
    "PDF-18": "Works in two columns below text in two columns come after all of that text.",
    "PDF-19": "What is written in a figure is text, and never a heading.",
    "PDF-20": "A heading that runs into its paragraph is a heading: by the outline, or its number.",
    "PDF-21": "Levels follow the way of numbering: I, A, 1; and an outline that begins with the "
    "title.",
    "PDF-22": "Exponents and indices stay in their line; the pieces of a formula are one block.",
    "OCR-01": "A scanned page is recognised: its text has paragraphs, headings and its page.",
    "OCR-02": "Only pages without text of their own are recognised; pages and confidence are told.",
    "OCR-03": "The language is the catalogue's, else what was asked for, else English and German.",
    "OCR-04": "Without the engine a scan is told, with what to install.",
    "OCR-05": "Pages past ocr_max_pages and pictures without words are told.",
    "OCR-06": "Another engine, language or limit reads only documents with scanned pages again.",
}
