"""What an expression may stand for while names are bound.

Values are small tuples, told apart by their first letter:

=====  =======================  ==========================================================
``f``  document, number         a function
``c``  document, number         a class
``i``  document, number         some instance of a class
``s``  document, number         the object a method of that class runs on
``k``  document, number         the class a class method runs on
``m``  function, receiver       a method bound to an object or class
``u``  document                 a module or file
``n``  dotted name              a folder, package or namespace
``q``  import path              a package of Go
``x``  dotted name              a thing of a library
``o``  dotted name              what a thing of a library made
``y``  dotted name              a member of what a thing of a library made
``l``  document, site           a list, dict or object, by where it is written
``b``  container, name          a method of a list or dict
``g``  document, number         what calling a generator gives
``a``  document, number, place  what a function was given, put in where it is called
``t``  document, number, place  what a type parameter stands for, put in where it is known
``G``  value, arguments         an instance of a generic type with its arguments
``d``  getter, setters          a property made by a call
``w``  object, beginning        any of the methods whose names begin so
``S``  document, number, self   an object seen as the superclass of that class
``p``  value, document, call    a function with some arguments given already
``v``  kind, name               a function that asks what it is given for a name
``?``                           too many to tell
=====  =======================  ==========================================================
"""

from typing import Any, TypeAlias

from commonplace.link.code.program import Place

Value: TypeAlias = tuple[Any, ...]
Values: TypeAlias = frozenset[Value]

NONE: Values = frozenset()
TOP: Value = ("?",)
UNKNOWN: Values = frozenset({TOP})
INDEXER = "this[]"
"""The member of a class of C# that gives its elements."""
MOST = 48
"""Values a variable may have before nothing is said of it any more."""
MOST_NESTED = 3
"""Types in types in types: put in for each other, those of observables have no end."""
SYMBOLIC = frozenset("sakt")


def place_of(value: Value) -> Place | None:
    """The definition behind a value: of a function, class, instance or bound method."""
    tag = value[0]
    if tag in "fcisk":
        return Place(value[1], value[2])
    if tag == "m":
        return place_of(value[1])
    if tag == "u":
        return Place(value[1], 0)
    if tag in "Gp":
        return place_of(value[1])
    return None


def owner(value: Value) -> Value | None:
    """The class of an instance, as a value."""
    if value[0] in "is":
        return ("c", value[1], value[2])
    if value[0] == "G" and value[1][0] in "is":
        return ("c", value[1][1], value[1][2])
    return None


def flattened(value: Value, depth: int = MOST_NESTED) -> Value:
    """A generic type that nests no deeper; what would is named without its arguments.

    >>> inner = ("G", ("i", "d", 1), ((("i", "d", 2),),))
    >>> flattened(("G", ("i", "d", 3), ((inner,),)), 1)
    ('G', ('i', 'd', 3), ((('i', 'd', 1),),))
    """
    if value[0] != "G":
        return value
    if depth == 0:
        return flattened(value[1], 0)
    arguments = tuple(
        tuple(dict.fromkeys(flattened(one, depth - 1) for one in given)) for given in value[2]
    )
    return ("G", value[1], arguments)


def ordered(values: Values) -> tuple[Value, ...]:
    """Values in a fixed order."""
    return tuple(values) if len(values) < 2 else tuple(sorted(values, key=repr))


def words(text: str) -> frozenset[str]:
    """Names written with spaces between them."""
    return frozenset(text.split())
