"""Facts of all files to one graph: names bound across files, one file a pass.

``passes`` draw the edges, one kind each, and ask the rest:

- ``names``: which definition a name means, as far as declarations tell;
- ``values``: what an expression may stand for, by following values;
- ``queries``: SQL that code says in strings; ``orm``: mappers and query builders; ``lineage``: what
  scripts of SQL make of tables and columns; ``web``: routes and who asks for them.

Here stand what they share (``program``, ``shared``, ``drawing``), what an edit concerns
(``affected``, ``keeping``), and summaries.
"""
