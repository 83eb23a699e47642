"""Read-only openCypher: text in, rows out, over whatever can list nodes and edges.

``lex`` and ``parse`` make a tree of ``syntax``, ``check`` refuses what cannot mean anything,
``run`` pulls rows through a ``reading.Reading``. Nothing here can write: there is no clause for
it, and a Reading has no method for it. ``guard`` bounds time, work and memory.
"""
