"""Call edges on small cases: what is drawn beside what the text says.

``python -m eval.calls`` runs every case of every language and prints precision, recall and F1 by
theme, for Python beside ``jedi`` where it is installed (``requirements/bench.txt``).
``python -m eval.calls LANGUAGE [THEME]`` runs some; ``--failures`` lists what is missing (-) and
what was not expected (+), case by case.

Cases stand in ``eval/calls/<language>/<theme>.cases``, one file a theme, many cases a file::

    === a nested function is called by the one around it
    --- main.py
    def outer():
        def inner():
            pass
        inner()
    --- calls
    main.outer -> main.outer.inner

- ``=== title`` begins a case, ``--- path`` a file of it; as many files as needed (``go.mod`` and
  ``package.json`` too). ``--- calls`` begins what is expected, one edge a line; a ``#`` begins a
  comment there. A case may expect nothing: then any edge is wrong.
- ``caller -> callee`` is a CALLS edge, ``caller => Class`` an INSTANTIATES edge. Making an object
  is ``=>`` to its class and, where a constructor is written in the case (its own or inherited),
  also ``->`` to that constructor.
- Names are full names as symbols have them (``link/code/modules.qualified``), each file's own
  name for code outside of any function. What has no name is ``<lambda1>``, counted within the
  innermost function, class or file around it, in the order of the text.
- ``Box.put#2`` is the second definition of that name in the text, files in order: of overloads.
  A name is told apart so in all edges of a case or in none.
- Every expected edge is within the case: calls of libraries and built-ins are neither expected
  nor counted. Both ends are definitions, never variables.
- The caller is the innermost function around the call (or the class for a class body, or the
  file). Comprehensions belong to the function around them, default values to the scope in which
  the function is defined.
- ``@decorator`` is a call from the scope in which the decorated thing is defined; calling the
  decorated function calls what the decorator gives back.
- Reading or writing a property calls its getter or setter. Syntax that runs a method (``with``,
  ``for``, operators, ``using``, ``foreach`` on a type of the case) calls it.
- A library function that calls what it is given (``map(f, x)``, ``list.forEach(f)``) makes the
  caller of the library function call it.
- Dynamic dispatch: all methods that can be meant given the types that flow there, not every
  override of the name. With only a declared type, the declared method; with a declared interface
  or abstract method without body, its implementations in the case.
- A line that begins with ``? `` is an edge that may be drawn or not: the method a declared type
  names where the object is known, an override where only the declared type is.
- Write your own cases; never copy those of a public suite.

An edge counts as drawn when it is more than a guess by name alone, which is never above .3
(``--min-confidence``).
"""
