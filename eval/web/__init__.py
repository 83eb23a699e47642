"""How few pages a question needs: our way of following links beside two plain ones.

``python -m eval.web SITE=FOLDER … [--most 20] [--home FOLDER] [--each]``. SITE is the name of a
list of questions beside this file; FOLDER holds its HTML pages as a Debian package brings them:

    python      python3.11-doc     usr/share/doc/python3.11/html
    django      python-django-doc  usr/share/doc/python-django-doc/html
    postgresql  postgresql-doc-15  usr/share/doc/postgresql-doc-15/html

They are served on loopback, fetched over HTTP and indexed by the code users run. Every way of
choosing links begins at the same page and follows at most the same number of links. What counts is
whether the page that answers was reached, and how many pages were fetched. The two plain ways stop
at that page, which no reader could; ours does not know it and stops when it thinks it has the
answer. So the plain ways are also given exactly as many pages as ours took for the same question.

Link scores and thresholds were chosen on ``python`` and ``django``; ``postgresql`` was held out.
"""
