"""A graph of code of any size, the same every time: files, classes, methods, tables, columns.

Called methods follow a power law: the most called has a hundredth of all calls. Data flows from
column to column in chains of up to twelve, as views over views do.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from bench.made import PROJECT, Link, card, edges
from commonplace.domain.document import Card
from commonplace.domain.graph import Node
from commonplace.domain.ids import stable_id
from commonplace.engines.base import Entry
from commonplace.link.code.shared import column_id, sql_node, table_id

SEED = 2026
CLASSES, METHODS, COLUMNS = 3, 8, 6
VERBS = ("load", "save", "find", "check", "merge", "send", "parse", "render")
NOUNS = ("Order", "Invoice", "Customer", "Stock", "Visit", "Report", "Price", "User", "Event")
ROLES = ("Service", "Repository", "Controller", "Client", "Parser", "Model")
CHAIN = 12
POWER = 2.5  # of 120,000 methods the first gets a hundredth of all calls


@dataclass(frozen=True, slots=True)
class MadeCode:
    """So many edges: a tenth containment, half calls, the rest data, imports and references."""

    edges: int

    @property
    def files(self) -> int:
        """How many files there are; each brings a hundred edges."""
        return self.edges // 100

    @property
    def tables(self) -> int:
        """How many tables there are."""
        return max(CHAIN, self.files // 5)

    def file_id(self, number: int) -> str:
        """The document of a file."""
        return stable_id("d", PROJECT, str(number))

    def method_id(self, number: int) -> str:
        """A method by its number in the whole graph; 0 is called most."""
        return stable_id("s", PROJECT, "method", str(number))

    def method_name(self, number: int) -> str:
        """What it is called."""
        return f"{VERBS[number % 8]}{NOUNS[number // 8 % 9]}{number}"

    @property
    def methods(self) -> int:
        """How many methods there are."""
        return self.files * CLASSES * METHODS

    def table(self, number: int) -> str:
        """The name of a table."""
        return f"dbo.{NOUNS[number % 9]}s{number}"

    def column(self, table: int, number: int) -> str:
        """The id of a column."""
        return column_id(PROJECT, self.table(table), f"col{number}")

    def entries(self) -> Iterator[Entry]:
        """Every file with its symbols and what they do."""
        chance = random.Random(SEED)
        for number in range(self.files):
            yield self._entry(number, chance)

    def _entry(self, number: int, chance: random.Random) -> Entry:
        path = f"src/area{number % 40}/module{number}.py"
        own = card(self.file_id(number), number, path, "bench")
        module = f"area{number % 40}.module{number}"
        nodes = [_symbol(own, own.id, "Module", module, 1)]
        steps: list[Link] = []
        for one in range(CLASSES):
            self._class(own, number * CLASSES + one, (nodes, steps), chance)
        steps += [
            (own.id, "IMPORTS", self.file_id(chance.randrange(self.files)), 1.0) for _ in range(5)
        ]
        self._data(number, (nodes, steps))
        return Entry(
            card=own,
            passages=(),
            nodes=nodes,
            edges=edges(own, steps, {"how": "type", "at": "12:4-9"}),
        )

    def _class(
        self,
        card: Card,
        number: int,
        into: tuple[list[Node], list[Link]],
        chance: random.Random,
    ) -> None:
        nodes, steps = into
        own = stable_id("s", PROJECT, "class", str(number))
        name = f"{nodes[0].properties['fqn']}.{NOUNS[number % 9]}{ROLES[number // 9 % 6]}{number}"
        nodes.append(_symbol(card, own, "Class", name, 10 + number % 100))
        steps.append((card.id, "CONTAINS", own, 1.0))
        for place in range(METHODS):
            key = number * METHODS + place
            method = self.method_id(key)
            nodes.append(_symbol(card, method, "Method", f"{name}.{self.method_name(key)}", place))
            steps.append((own, "CONTAINS", method, 1.0))
            for _ in range(2):
                callee = int(self.methods * chance.random() ** POWER)
                steps.append(
                    (method, "CALLS", self.method_id(callee), chance.choice((1.0, 0.9, 0.3)))
                )
            table = chance.randrange(self.tables)
            relation = "READS" if chance.random() < 0.7 else "WRITES"
            steps.append((method, relation, self.column(table, chance.randrange(COLUMNS)), 0.9))

    def _data(self, number: int, into: tuple[list[Node], list[Link]]) -> None:
        """A table of its own for one file in five, its data flowing on to the next."""
        if number % 5 or number // 5 >= self.tables:
            return
        nodes, steps = into
        own = number // 5
        nodes.append(sql_node(PROJECT, "Table", self.table(own)))
        for place in range(COLUMNS):
            nodes.append(sql_node(PROJECT, "Column", f"{self.table(own)}.col{place}"))
            key = self.column(own, place)
            steps.append((table_id(PROJECT, self.table(own)), "CONTAINS", key, 1.0))
            if (own + 1) % CHAIN:
                following = (own + 1) % self.tables
                steps.append((key, "FLOWS_TO", self.column(following, place), 1.0))
                steps.append((key, "FLOWS_TO", self.column(following, (place + 1) % COLUMNS), 0.9))


def _symbol(card: Card, node_id: str, kind: str, fqn: str, line: int) -> Node:
    name = fqn.rpartition(".")[2]
    told = {
        "fqn": fqn,
        "language": "python",
        "file": card.path,
        "lines": f"{line}-{line + 8}",
        "signature": f"def {name}(self, key: int) -> str",
        "doc": f"What {name} is for, in one sentence.",
    }
    return Node(
        id=node_id,
        project=PROJECT,
        kind=kind,
        name=name,
        document_id=card.id,
        properties=dict(told),
    )
