"""How few pages a question needs: our way of following links beside two plain ones.

``python -m eval.web FOLDER [--questions FILE] [--most 20]``. FOLDER holds the HTML pages of the
Python documentation (Debian package ``python3.11-doc``); they are served on loopback, fetched over
HTTP and indexed by the code users run. Every way of choosing links begins at the same page and
follows at most the same number of links. What counts is whether the page that answers was reached,
and how many pages were fetched. The two plain ways stop at that page, which no reader could; ours
does not know it and stops when it thinks it has the answer.
"""
