"""How well the main content of pages is found, beside other extractors and in the same run.

``python -m eval.extraction --newspaper newspaper4k-0.9.6.tar.gz --trafilatura
trafilatura-1.1.0.tar.gz --docs FOLDER``: two sdists of PyPI whose tests hold pages with their text,
and a folder made by ``python -m eval.extraction.docs``. Extractors that are not installed are left
out and named.
"""
