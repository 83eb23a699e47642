"""What the documentation and the project itself promise."""

REQUIREMENTS = {
    "DOC-01": "Every promised behaviour has a test, and every marked test a promise.",
    "DOC-02": "No Python file is longer than 500 lines.",
    "DOC-03": "No committed file names a folder of the machine it was written on.",
    "DOC-04": "The generated reference pages are what the code says.",
    "DOC-05": "Every tool, setting and command has its place in the reference.",
    "DOC-06": "Links between pages, also to headings, resolve.",
    "DOC-07": "Every dependency is listed with its reason and licence, and no other.",
    "DOC-08": "Every command shown in the README and the docs is one the program accepts.",
    "DOC-09": "The tutorial works as written, command by command.",
    "DOC-10": "The bundled sample is found both in a checkout and in an installed wheel.",
    "DOC-11": "The README's figures are those of the tables in the documentation.",
}
