"""Structural summaries: a sentence or two for each schema, namespace, source and service.

No model writes them: counts, centrality and the words of names do, so the same code always has the
same summary. They stand on container nodes as ``summary``; with them go counts to sort by.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from commonplace.domain.graph import Node, Value
from commonplace.domain.ids import stable_id
from commonplace.link.code.shared import namespace_node, sql_node
from commonplace.link.code.wording import (
    amount,
    clusters,
    joined,
    language_name,
    plural,
    role,
)

CONTAINS = "CONTAINS"
SOURCE = "Source"
_CLASSES = frozenset({"Class", "Interface", "Struct", "Record", "Enum"})
_FILES = frozenset({"Module", "File"})
_RELATIONS = frozenset({"Table", "View"})
_SERVICES = frozenset({"service", "controller", "handler", "resource", "gateway", "api", "router"})
_USES = frozenset({"CALLS", "INSTANTIATES", "REFERENCES", "INHERITS", "IMPLEMENTS"})
_BY_MODULE = frozenset({"python", "javascript", "typescript", "tsx"})
"""Languages whose namespaces are folders of files."""
_HELD: Mapping[str, frozenset[str]] = {
    "module": frozenset({"Module"}),
    "class": _CLASSES,
    "type": frozenset({"Type"}),
    "function": frozenset({"Function"}),
}
"""What namespaces are told by, as it is called and by its kinds."""
_HELD_KINDS = frozenset().union(*_HELD.values())
_HOLDERS = _CLASSES | {"Function", "Method", "Constructor", "Test"}
_GO_LOCAL = re.compile(r"\.(?!v\d+$)[^./]+$")
"""The function a type of Go stands in: a package's own name has a dot before its version only."""
_DEFAULT_SCHEMA = "default"
_DEEPEST = 4  # a controller, a service, a repository, its base
_MOST_NAMED = 5
_MOST_ROLES = 4


class Tie(NamedTuple):
    """An edge as far as summaries look at it."""

    source: str
    relation: str
    target: str


@dataclass(slots=True)
class _Owned:
    """What the parts of a class or file do, all together."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    uses: Counter[str] = field(default_factory=Counter)
    routes: set[str] = field(default_factory=set)
    used_by: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Summaries:
    """What to store."""

    properties: Mapping[str, Mapping[str, Value]]
    """By the id of a node that is there: what to add to its properties."""
    nodes: Sequence[Node]
    """Containers that are no symbols themselves: sources, namespaces, schemas. Shared."""


def summarise(
    project: str, nodes: Iterable[Node], ties: Iterable[Tie], sources: Mapping[str, str]
) -> Summaries:
    """Summaries of a project, from all its symbols and the edges between them.

    ``sources`` gives the name of the source each document is of.
    """
    survey = _Survey(nodes, ties)
    properties: dict[str, Mapping[str, Value]] = {}
    made: list[Node] = []
    for owner, text in survey.services():
        properties[owner] = {"summary": text}
    for name, language, told in survey.spaces():
        module = survey.modules.get(name)
        if module is not None:
            properties[module] = {**properties.get(module, {}), **told}
        else:
            made.append(namespace_node(project, name, language, told))
    for name, told in survey.schemas():
        made.append(sql_node(project, "Schema", name, told))
    for name, told in survey.sources(sources):
        key, shown = source_id(project, name), {"fqn": name, **told}
        made.append(Node(id=key, project=project, kind=SOURCE, name=name, properties=shown))
    return Summaries(properties=properties, nodes=made)


def outline(project: str, nodes: Iterable[Node]) -> list[Node]:
    """Schemas and namespaces of some symbols of a project, told by what these are alone."""
    survey = _Survey(nodes, ())
    found = [sql_node(project, "Schema", name, told) for name, told in survey.schemas()]
    for name, language, told in survey.spaces():
        if name not in survey.modules:  # a module tells of itself
            found.append(namespace_node(project, name, language, told))
    return found


def source_id(project: str, name: str) -> str:
    """The node of the sources of this name."""
    return stable_id("x", project, "source", name)


class _Survey:
    """All symbols, by what owns them."""

    def __init__(self, nodes: Iterable[Node], ties: Iterable[Tie]) -> None:
        self.nodes = {node.id: node for node in nodes if node.kind != "External"}
        self.modules: dict[str, str] = {}
        """Files of Python that are packages, by their full name."""
        self._parents: dict[str, str] = {}
        others: list[Tie] = []
        for tie in ties:
            if tie.relation == CONTAINS:
                self._parents[tie.target] = tie.source
            else:
                others.append(tie)
        self._owners: dict[str, str] = {}
        self._parts = _parts(self.nodes.values())
        self._owned: dict[str, _Owned] = defaultdict(_Owned)
        self._degree: Counter[str] = Counter()
        self._gather(others)
        self._files: dict[str, Node] = {}
        """Modules, by their full name."""
        self._inner: set[str] = set()
        """Full names of what holds classes that are its own affair."""
        for node in self.nodes.values():
            if node.kind == "Module":
                self._files[_fqn(node)] = node
                if str(node.properties.get("file")).endswith("__init__.py"):
                    self.modules[_fqn(node)] = node.id
            elif node.kind in _HOLDERS:
                self._inner.add(_fqn(node))

    def _gather(self, ties: Iterable[Tie]) -> None:
        for source, relation, target in ties:
            near, far = self.nodes.get(source), self.nodes.get(target)
            if near is None or far is None:
                continue
            owner = self._owner(source)
            if relation == "HANDLES":
                self._owned[self._owner(target)].routes.add(near.name)
            elif relation in ("READS", "WRITES", "MAPS_TO"):
                self._touch(self._owned[owner], relation, far)
            elif relation in _USES:
                other = self._owner(target)
                if other != owner:
                    self._owned[owner].uses[other] += 1
                    self._owned[other].used_by += 1

    def _touch(self, owned: _Owned, relation: str, far: Node) -> None:
        table = self._table(far)
        if table:
            self._degree[table] += 1
            if relation == "READS":
                owned.reads.add(table)
            elif relation == "WRITES":
                owned.writes.add(table)

    def _table(self, node: Node) -> str:
        """The name of the table a node is, or is a column of; empty for anything else."""
        if node.kind in _RELATIONS:
            return _fqn(node)
        if node.kind != "Column":
            return ""
        parent = self.nodes.get(self._parents.get(node.id, ""))
        return _fqn(parent) if parent else _fqn(node).rpartition(".")[0]

    def _owner(self, node_id: str) -> str:
        """The outermost class a symbol stands in, or its file."""
        known = self._owners.get(node_id)
        if known is not None:
            return known
        owner, at = node_id, node_id
        while at in self._parents:
            at = self._parents[at]
            node = self.nodes.get(at)
            if node is None or node.kind in ("Namespace", "Schema"):
                break
            if node.kind not in _FILES or self.nodes[owner].kind not in _CLASSES:
                owner = at
        owner = self._owners[node_id] = self._parts.get(owner, owner)
        return owner

    def _wholes(self) -> Iterable[Node]:
        """Every symbol; of a class in parts, the first."""
        return (node for key, node in self.nodes.items() if key not in self._parts)

    def services(self) -> Iterable[tuple[str, str]]:
        """Classes and files at the border of an application, with what they do."""
        for owner in sorted(self._owned):
            node = self.nodes[owner]
            is_named = node.kind in _CLASSES and role(node.name) in _SERVICES
            if not is_named and not self._owned[owner].routes:
                continue
            reads, writes = self._reached(owner)
            uses = self._owned[owner].uses
            near = [one for one, _ in uses.most_common() if self._is_service(one)]
            calls = [self.nodes[one].name for one in sorted(near)]
            told = _sentence(
                f"{node.name}",
                ("reads from", sorted(reads)),
                ("writes to", sorted(writes)),
                ("calls", calls),
                ("handles", sorted(self._owned[owner].routes)),
            )
            if told:
                yield owner, told

    def _is_service(self, node_id: str) -> bool:
        node = self.nodes[node_id]
        return node.kind in _CLASSES and role(node.name) in _SERVICES

    def _reached(self, owner: str) -> tuple[set[str], set[str]]:
        """Tables it reads and writes, also through what it uses, up to the next service."""
        reads: set[str] = set()
        writes: set[str] = set()
        seen, level = {owner}, [owner]
        for _ in range(_DEEPEST):
            for one in level:
                reads |= self._owned[one].reads
                writes |= self._owned[one].writes
            following = {far for one in level for far in self._owned[one].uses}
            level = [one for one in following - seen if not self._is_service(one)]
            seen.update(level)
        return reads, writes

    def spaces(self) -> Iterable[tuple[str, str, dict[str, Value]]]:
        """Namespaces and packages: name, language and what to tell.

        A folder of several languages is one: what one of them holds must not hide the others.
        """
        members: dict[str, list[Node]] = defaultdict(list)
        for node in self._wholes():
            space = self._space(node)
            package = space.replace("/", ".")
            if space:
                members[package if package in self.modules else space].append(node)
        for name, own in sorted(members.items()):
            counted = Counter(str(node.properties.get("language", "")) for node in own)
            language = _most(counted)[0][0]
            shown = self._space_text(name, own)
            weight = sum(self._owned[one.id].used_by for one in own if one.id in self._owned)
            yield name, language, {"summary": shown, "symbols": len(own), "used": weight}

    def _space(self, node: Node) -> str:
        """The namespace a top-level symbol stands in; empty for all that stands deeper."""
        language = node.properties.get("language")
        if node.document_id is None or not language or language == "sql":
            return ""
        full = _fqn(node)
        if node.kind == "Module":
            if language == "python":
                is_package = str(node.properties.get("file")).endswith("__init__.py")
                return full if is_package else full.rpartition(".")[0]
            return full.rpartition("/")[0]
        above = full.rpartition(".")[0]
        if language in _BY_MODULE:
            module = self._files.get(above)
            return self._space(module) if module and node.kind in _HELD_KINDS else ""
        is_inner = above in self._inner or (language == "go" and _GO_LOCAL.search(above))
        return above if node.kind in _CLASSES and not is_inner else ""

    def _space_text(self, name: str, own: Sequence[Node]) -> str:
        held = [node for node in own if _fqn(node) != name] or own
        kinds = {noun: [one for one in held if one.kind in some] for noun, some in _HELD.items()}
        found = {noun: nodes for noun, nodes in kinds.items() if nodes}
        # What most of it is: two errors among five modules do not say what a folder is for.
        many = len(kinds["class"]) * 2 >= len(kinds["module"])
        named = "class" if "class" in found and many else next(iter(found))
        told = [
            self._amount(noun, nodes) + (f" ({self._central(nodes)})" if noun == named else "")
            for noun, nodes in found.items()
        ]
        what = told[0] + (f" with {joined(told[1:])}" if told[1:] else "")
        reads, writes = set[str](), set[str]()
        for node in own:
            if node.id in self._owned:
                reads |= self._owned[node.id].reads
                writes |= self._owned[node.id].writes
        data = _sentence("It", ("reads from", sorted(reads)), ("writes to", sorted(writes)))
        return f"{name} contains {what}. {data}".strip()

    def _amount(self, noun: str, nodes: Sequence[Node]) -> str:
        """How many there are; of classes most of which play one part, how many of these."""
        roles = Counter(role(node.name) for node in nodes if role(node.name))
        if noun != "class" or not roles or len(nodes) < 2:
            return amount(len(nodes), noun)
        part, count = roles.most_common(1)[0]
        if count * 2 <= len(nodes):
            return amount(len(nodes), noun)
        among = f" among {len(nodes)} classes" if roles.total() < len(nodes) else ""
        return f"{count} {plural(part)}{among}"

    def _central(self, nodes: Sequence[Node]) -> str:
        """The most used of them, by name; one that stands in several files once."""
        ordered = sorted(nodes, key=lambda n: (-self._used(n), n.name))
        return ", ".join(list(dict.fromkeys(node.name for node in ordered))[:_MOST_NAMED])

    def _used(self, node: Node) -> int:
        return self._owned[node.id].used_by if node.id in self._owned else 0

    def schemas(self) -> Iterable[tuple[str, dict[str, Value]]]:
        """Schemas of SQL; those whose names differ in small and capital letters are one."""
        members: dict[str, Counter[str]] = defaultdict(Counter)
        tables: dict[str, dict[str, int]] = defaultdict(dict)
        spelled: dict[str, Counter[str]] = defaultdict(Counter)
        for node in self.nodes.values():
            if node.kind in _RELATIONS or node.kind in ("Procedure", "Trigger", "Sequence"):
                written = _fqn(node).rpartition(".")[0] or _DEFAULT_SCHEMA
                name = written.lower()
                spelled[name][written] += 1
                members[name][node.kind.lower()] += 1
                if node.kind in _RELATIONS:
                    tables[name][node.name] = self._degree[_fqn(node)]
        for name in sorted(members):
            counted = joined([amount(n, kind) for kind, n in _most(members[name])])
            shown = _most(spelled[name])[0][0]
            told = f"The `{shown}` schema contains {counted}"
            groups = [
                f"{head} ({', '.join(own[:3])})" if len(own) > 1 else own[0]
                for head, own in clusters(tables[name])[:_MOST_ROLES]
            ]
            told += f" centered around {joined(groups)}." if groups else "."
            yield shown, {"summary": told, "symbols": members[name].total()}

    def sources(self, sources: Mapping[str, str]) -> Iterable[tuple[str, dict[str, Value]]]:
        """Sources as the user added them."""
        files: dict[str, Counter[str]] = defaultdict(Counter)
        roles: dict[str, Counter[str]] = defaultdict(Counter)
        counts: Counter[str] = Counter()
        reads: dict[str, set[str]] = defaultdict(set)
        writes: dict[str, set[str]] = defaultdict(set)
        for node in self._wholes():
            name = sources.get(node.document_id or "")
            if name is None:
                continue
            counts[name] += 1
            if node.id == node.document_id:
                files[name][str(node.properties.get("language", ""))] += 1
            if node.kind in _CLASSES:
                roles[name][role(node.name) or "class"] += 1
            if node.id in self._owned:
                reads[name] |= self._owned[node.id].reads
                writes[name] |= self._owned[node.id].writes
        for name in sorted(files):
            languages = [
                f"{n} {language_name(one)} {'file' if n == 1 else 'files'}"
                for one, n in sorted(files[name].items(), key=lambda one: (-one[1], one[0]))
            ]
            told = f"This source ({name}) has {joined(languages)}{_roles(roles[name])}."
            if reads[name] or writes[name]:
                told += (
                    f" It reads from {amount(len(reads[name]), 'table')} and writes to "
                    f"{len(writes[name])}."
                )
            yield name, {"summary": told, "symbols": counts[name]}


def _parts(nodes: Iterable[Node]) -> dict[str, str]:
    """Further parts of classes that are written in parts, with the first part of each."""
    found = (
        node
        for node in nodes
        if node.kind in _CLASSES and "partial" in str(node.properties.get("modifiers", "")).split()
    )
    first: dict[tuple[str, str], str] = {}
    parts: dict[str, str] = {}
    for node in sorted(found, key=lambda one: (str(one.properties.get("file")), one.id)):
        known = first.setdefault((node.kind, _fqn(node)), node.id)
        if known != node.id:
            parts[node.id] = known
    return parts


def _most(counted: Counter[str]) -> list[tuple[str, int]]:
    """The most first; of equals, by name: ``most_common`` has them as they came."""
    return sorted(counted.items(), key=lambda one: (-one[1], one[0]))


def _roles(roles: Counter[str]) -> str:
    """How many controllers, services, … there are."""
    known = [(one, n) for one, n in _most(roles) if one != "class"][:_MOST_ROLES]
    if not roles:
        return ""
    if not known:
        return f" with {amount(roles.total(), 'class')}"
    told = [amount(n, one) for one, n in known]
    return f" with {joined(told)} among {amount(roles.total(), 'class')}"


def _sentence(subject: str, *parts: tuple[str, Sequence[str]]) -> str:
    """What something does, in one sentence; empty when it does none of these.

    >>> _sentence("It", ("reads from", ["a", "b"]), ("calls", []), ("writes to", ["c"]))
    'It reads from a and b, and writes to c.'
    """
    told = [f"{verb} {joined(_few(names))}" for verb, names in parts if names]
    if not told:
        return ""
    return f"{subject} {told[0] if len(told) == 1 else ', '.join(told[:-1]) + ', and ' + told[-1]}."


def _few(names: Sequence[str]) -> list[str]:
    rest = len(names) - _MOST_NAMED
    return [*names[:_MOST_NAMED], f"{rest} more"] if rest > 1 else list(names)


def _fqn(node: Node) -> str:
    return str(node.properties.get("fqn") or node.name)
