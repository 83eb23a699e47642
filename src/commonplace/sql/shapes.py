"""A query as nested scopes with the names it uses, before any table is known.

A shape is three tuples: blocks, sets, calls. It is made of tuples, strings and numbers only, so it
is kept with the facts of a file; ``resolve`` decides its names once tables are known.

- A block ``("s", parent, relations, outputs, reads, using)`` is a SELECT: where it looks for names
  next, what it selects from, the columns it gives, what else it looks at, columns joined by name.
- A block ``("u", branches)`` is a UNION and the like.
- A relation ``(alias, kind, what, columns)`` is a table ``t`` by name, a block ``b`` by number, a
  function ``f`` ``(name, refs, refs of each argument)``, inserted rows ``i`` ``(table, block)``, a
  pivot ``p`` ``(relation, overrides, consumed)``.
- An output ``(name, refs, how)``; a star is named ``*``.
- A ref ``(qualifier, column)``, ``(block,)`` for a nested query, ``(function, "()")`` for what a
  function gives, or ``("", table, column)`` where no scope decides: variables are columns of ``@``.
- A set ``("rows", target, columns, block)`` fills a table, ``("make", target, columns, block)``
  makes it, ``("touch", target, (), block)`` deletes from it inside another statement,
  ``("give", "", (), block)`` is what a plain SELECT gives, ``("back", "", (), block)`` the value
  a routine returns, and
  ``("set", target, column, refs, how, block)`` sets one column.
"""

from typing import Any, TypeAlias

Ref: TypeAlias = tuple[Any, ...]
Output: TypeAlias = tuple[str, tuple[Ref, ...], str]
Relation: TypeAlias = tuple[str, str, Any, tuple[str, ...]]
Block: TypeAlias = tuple[Any, ...]
Shape: TypeAlias = tuple[Any, ...]
NOWHERE = -1
VARIABLES = "@"
"""The table that stands for a routine's variables and parameters."""
MAYBE_VARIABLE = "?"
"""The qualifier of a bare name that a routine declares, unless a table has it."""
CALLED = "()"
"""The column of a function that is called: the value it gives."""
STAR_OUTPUT: Output = ("*", (("", "*"),), "copy")
"""SELECT * of everything in FROM."""
