"""What a web framework or client is: tables of the names it goes by."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from commonplace.domain.code import At
from commonplace.link.code.orm.base import Sight
from commonplace.link.code.program import Place


class Handled(NamedTuple):
    """A route a program answers."""

    method: str
    """In capitals; ``*`` any."""
    path: str
    """As normalised."""
    handler: Place
    at: At
    how: str = "declared"
    confidence: float = 0.95


class Sent(NamedTuple):
    """A request a function makes."""

    scope: int
    method: str
    path: str
    """As normalised."""
    at: At
    is_whole: bool = True
    """Whether the path begins where the address of the server ends; else a base may precede it."""
    confidence: float = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Routes by annotations: a class tells what the paths of its methods begin with."""

    prefixes: frozenset[str] = frozenset()
    methods: Mapping[str, str] = field(default_factory=dict)
    """Empty where an argument tells."""
    keys: tuple[str, ...] = ("value", "path")
    """Keywords that give the path; else the first argument does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbs:
    """Routes by calls of a router: ``router.get("/x", handler)``, or as a decorator."""

    methods: Mapping[str, str]
    """By the name of the call; empty where an argument or the path tells."""
    makers: tuple[str, ...]
    """Ends of the full names of what makes a router, or is its type."""
    usual: frozenset[str] = frozenset()
    """Names of variables that are taken for routers when nothing tells what they are."""
    mounts: frozenset[str] = frozenset()
    """Calls that put one router under another."""
    groups: frozenset[str] = frozenset()
    """Calls that make a router below a path of another."""
    objects: frozenset[str] = frozenset()
    """Calls that are told a route as an object with its method, path and handler."""
    plugins: frozenset[str] = frozenset()
    """Calls that give a router to a function, as its first parameter, below a path."""
    prefix_keys: tuple[str, ...] = ()
    """Keywords of makers, mounts and plugins that give a prefix."""
    is_replaced: bool = False
    """Whether the prefix of a mount stands instead of the maker's."""
    unsaid: str = "*"
    """The method of a route whose call may tell it and does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sends:
    """Requests by calls of a client."""

    methods: Mapping[str, str]
    """By the name of the call; empty where an argument tells."""
    makers: tuple[str, ...]
    """Ends of the full names of the client's module, type or maker."""
    usual: frozenset[str] = frozenset()
    method_place: int = -1
    """Where the method stands among the arguments, when it does; the address is the other."""
    base_keys: tuple[str, ...] = ()
    """Keywords or keys of the maker that give the beginning of every address."""
    bare: frozenset[str] = frozenset()
    """Functions called by their bare name: ``fetch``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """A catalog record; most say it all in tables."""

    name: str
    languages: frozenset[str]
    modules: tuple[str, ...] = ()
    """What a program that uses it imports, somewhere; empty where nothing need be imported."""
    marks: Marks | None = None
    verbs: Verbs | None = None
    sends: Sends | None = None
    serves: Callable[[Sight], Iterable[Handled]] | None = None
    """For what no table can say."""
    asks: Callable[[Sight], Iterable[Sent]] | None = None
