"""The labels and types a query names, and what to say of those that are not there."""

from collections.abc import Collection, Iterator

from commonplace.cypher import syntax as s
from commonplace.cypher.run import prepare

_MOST_TOLD = 12


def vocabulary(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Labels and relationship types that stand in a query.

    >>> labels, types = vocabulary("MATCH (a:METHOD)-[:calls]->(b) WHERE b:Class RETURN a")
    >>> sorted(labels), sorted(types)
    (['Class', 'METHOD'], ['calls'])
    """
    labels: set[str] = set()
    types: set[str] = set()
    for one in _all(prepare(text)):
        if isinstance(one, s.NodePattern | s.HasLabels):
            labels.update(one.labels)
        elif isinstance(one, s.EdgePattern):
            types.update(one.types)
    return frozenset(labels), frozenset(types)


def _all(tree: object) -> Iterator[object]:
    yield tree
    for one in s.children(tree):
        yield from _all(one)


def unknown_names(what: str, asked: Collection[str], known: Collection[str]) -> list[str]:
    """A sentence for every name nothing has: the one meant where only letters differ.

    >>> unknown_names("label", ["METHOD", "Class"], ["Class", "Method"])
    ['no label METHOD here, but Method']
    >>> unknown_names("type", ["sees"], ["CALLS", "READS"])
    ['no type sees here; there are CALLS, READS']
    """
    told = []
    for name in sorted(set(asked).difference(known)):
        meant = sorted(one for one in known if one.lower() == name.lower())
        there = ", ".join(sorted(known)[:_MOST_TOLD]) or "none"
        told.append(
            f"no {what} {name} here, but {', '.join(meant)}"
            if meant
            else f"no {what} {name} here; there are {there}"
        )
    return told
