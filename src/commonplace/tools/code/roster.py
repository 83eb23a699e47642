"""All symbols of some kinds, for who asks for ``*``: "which tables are there?"."""

from commonplace.cypher.guard import Limits
from commonplace.cypher.reading import Inquiry
from commonplace.domain.course import Finding, Findings
from commonplace.domain.errors import InvalidArgument
from commonplace.domain.scope import Selection
from commonplace.tools.app import App

_MOST_COUNTED = 2000
_LEVEL = 0.2


async def of_kinds(app: App, selection: Selection, kinds: frozenset[str], most: int) -> Findings:
    """The best connected of these kinds, and how many there are."""
    if not kinds:
        raise InvalidArgument("query '*' needs kinds: CLASS, TABLE, ROUTE, …", field="kinds")
    asked = " UNION ALL ".join(f"MATCH (n:{kind}) RETURN n.id" for kind in sorted(kinds))
    limits = Limits(rows=_MOST_COUNTED)
    answer = await app.store.graph.query(selection, Inquiry(text=asked, limits=limits))
    ids = [row[0] for row in answer.rows]
    described = await app.store.graph.describe(selection, ids)
    edges = {
        one.node.id: sum((*one.edges_in.values(), *one.edges_out.values())) for one in described
    }
    ordered = sorted(described, key=lambda one: (-edges[one.node.id], one.node.id))
    found = (Finding(one.node, _LEVEL - n / 1e6) for n, one in enumerate(ordered[:most]))
    return Findings(tuple(found), len(ids), is_capped=len(ids) >= _MOST_COUNTED)
