"""The words of names: what part a class plays, which tables belong together, how many of what."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|\d+")
_ROLES = frozenset(
    [
        "controller",
        "service",
        "repository",
        "handler",
        "factory",
        "manager",
        "client",
        "gateway",
        "provider",
        "resource",
        "router",
        "api",
        "middleware",
        "model",
        "entity",
        "view",
        "serializer",
        "form",
        "command",
        "query",
        "event",
        "listener",
        "job",
        "worker",
        "task",
        "validator",
        "mapper",
        "adapter",
        "builder",
        "parser",
        "exception",
        "error",
        "test",
        "tests",
        "config",
        "settings",
        "migration",
        "dto",
        "dao",
        "context",
        "helper",
        "store",
        "component",
        "hook",
        "reducer",
        "module",
        "interceptor",
        "filter",
        "backend",
        "field",
        "widget",
        "mixin",
    ]
)
_PREFIXES = frozenset({"tbl", "vw", "usp", "sp", "fn", "trg", "t", "v"})
_LANGUAGES = {
    "csharp": "C#",
    "javascript": "JavaScript",
    "typescript": "TypeScript",
    "tsx": "TSX",
    "sql": "SQL",
    "python": "Python",
    "java": "Java",
    "go": "Go",
}
_IRREGULAR = {"class": "classes", "query": "queries", "entity": "entities", "dto": "DTOs"}
_MEMBERS = 3


def pieces(name: str) -> list[str]:
    """The words a name is made of, in small letters.

    >>> pieces("HTTPOrderItems_v2")
    ['http', 'order', 'items', 'v', '2']
    """
    return [one.lower() for one in _PIECE.findall(name)]


def role(name: str) -> str:
    """The part its name says a class plays; empty when it says none.

    >>> role("OrderRepository"), role("Order"), role("OrderTests")
    ('repository', '', 'test')
    """
    found = pieces(name)
    if len(found) < 2 or found[-1] not in _ROLES:
        return ""
    return "test" if found[-1] == "tests" else found[-1]


def plural(noun: str) -> str:
    """More than one of it.

    >>> plural("repository"), plural("class"), plural("service")
    ('repositories', 'classes', 'services')
    """
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch")) else f"{noun}s"


def amount(number: int, noun: str) -> str:
    """A number with its noun.

    >>> amount(1, "table"), amount(2, "class")
    ('1 table', '2 classes')
    """
    return f"{number} {noun if number == 1 else plural(noun)}"


def joined(names: Sequence[str]) -> str:
    """Names as a sentence lists them.

    >>> joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def language_name(language: str) -> str:
    """As people write it."""
    return _LANGUAGES.get(language, language)


def singular(word: str) -> str:
    """One of them, near enough to compare by.

    >>> singular("orders"), singular("categories"), singular("address"), singular("status")
    ('order', 'category', 'address', 'status')
    """
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def clusters(degrees: Mapping[str, int]) -> list[tuple[str, list[str]]]:
    """Tables that share the first word of their names, the most used groups first.

    >>> clusters({"Orders": 5, "OrderItems": 2, "Customers": 3})
    [('order', ['Orders', 'OrderItems']), ('customer', ['Customers'])]
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for name in sorted(degrees, key=lambda one: (-degrees[one], one)):
        words = [word for word in pieces(name) if word not in _PREFIXES] or [name.lower()]
        groups[singular(words[0])].append(name)
    weight = {head: sum(1 + degrees[one] for one in own) for head, own in groups.items()}
    return sorted(groups.items(), key=lambda one: (-weight[one[0]], one[0]))
