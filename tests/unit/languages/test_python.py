"""Python: definitions, and what stands before them."""

import pytest

from commonplace.languages.python import extract
from tests.unit.languages.showing import kinds, named, shown


@pytest.mark.requirement("PY-01")
def test_definitions_are_symbols_wherever_they_stand() -> None:
    facts = extract(
        '''"""Orders."""
import enum
LIMIT = 10
count: int = 0
go = lambda order: order.ship()

class Order(Base):
    open = True
    RATE: float

    class Line:
        pass

    def __init__(self, lines):
        self.lines = lines
        self.total, other.x = 0, 1

    @property
    def state(self): ...

    @state.setter
    def state(self, value): ...

    def ship(self):
        def pack(): return lambda: 1
        local = 1

class Color(enum.Enum):
    RED = 1

class Speaks(Protocol):
    def speak(self): ...

if LIMIT:
    def late(): ...
else:
    def late(): ...
type Pair[T] = tuple[T, T]
''',
        "shop/order.py",
    )
    assert kinds(facts) == [
        "Constant LIMIT",
        "Variable count",
        "Function <lambda1>",
        "Variable go",
        "Class Order",
        "Field Order.open",
        "Constant Order.RATE",
        "Class Order.Line",
        "Method Order.__init__",
        "Property Order.state",
        "Property Order.state",
        "Method Order.ship",
        "Function Order.ship.pack",
        "Function Order.ship.pack.<lambda1>",
        "Field Order.lines",
        "Field Order.total",
        "Enum Color",
        "Constant Color.RED",
        "Interface Speaks",
        "Method Speaks.speak",
        "Function late",
        "Function late",
        "Type Pair",
    ]
    assert (facts.symbols[0].kind, facts.symbols[0].name, facts.symbols[0].doc) == (
        "Module",
        "order",
        "Orders.",
    )
    line = named(facts, "Order.Line")
    assert facts.symbols[line.parent].path == "Order"


@pytest.mark.requirement("PY-01")
def test_a_package_is_named_by_its_folder() -> None:
    assert extract("", "shop/__init__.py").symbols[0].name == "shop"


@pytest.mark.requirement("PY-02")
def test_signature_doc_and_place_are_those_a_reader_sees() -> None:
    facts = extract(
        '''@app.route("/",
           methods=["GET"])
async def find(
    key: str,
    *args,
    limit: int = 10,
    **more,
) -> list[Order]:
    """Find orders.

        Slowly.
    """
    yield 1
''',
        "a.py",
    )
    find = named(facts, "find")
    assert find.signature == (
        "async def find(key: str, *args, limit: int = 10, **more) -> list[Order]"
    )
    assert find.doc == "Find orders.\n\nSlowly."
    assert (find.at.line, find.at.end_line) == (1, 13)
    assert find.modifiers == {"async", "generator"}
    assert [(one.name, one.flavour) for one in find.parameters] == [
        ("key", "plain"),
        ("args", "rest"),
        ("limit", "keyword"),
        ("more", "named_rest"),
    ]
    assert [shown(facts, one) for one in find.decorators] == ["app.route()"]


@pytest.mark.requirement("PY-02")
@pytest.mark.parametrize(
    ("path", "visibility", "modifiers"),
    [
        ("A.m", "public", set()),
        ("A._m", "protected", {"static"}),
        ("A.__m", "private", {"classmethod"}),
        ("A.__len__", "public", {"abstract"}),
        ("A.later", "public", {"abstract"}),
        ("A.kept", "public", {"property"}),
        ("A.m.inner", "local", set()),
        ("_helper", "internal", {"contextmanager", "generator"}),
        ("D", "public", {"dataclass"}),
        ("B", "public", {"abstract"}),
    ],
)
def test_underscores_and_decorators_say_what_a_definition_is(
    path: str, visibility: str, modifiers: set[str]
) -> None:
    facts = extract(
        """
class A:
    def m(self):
        def inner(): ...
    @staticmethod
    def _m(): return 1
    @classmethod
    def __m(cls): return 1
    @abc.abstractmethod
    def __len__(self): ...
    def later(self):
        "Children write it."
        raise NotImplementedError("later")
    @functools.cached_property
    def kept(self): return 1
@contextmanager
def _helper(): yield
@dataclasses.dataclass(frozen=True)
class D: ...
class B(metaclass=ABCMeta): ...
""",
        "a.py",
    )
    found = named(facts, path)
    assert found.visibility == visibility
    assert found.modifiers == modifiers


@pytest.mark.requirement("PY-02")
def test_tests_are_told_from_other_functions_by_file_or_class() -> None:
    text = "def test_a(): ...\nclass TestB:\n    def test_c(self): ...\n    def help(self): ...\n"
    assert kinds(extract(text, "tests/test_a.py")) == [
        "Test test_a",
        "Class TestB",
        "Test TestB.test_c",
        "Method TestB.help",
    ]
    assert "Test" not in " ".join(kinds(extract(text, "src/a.py"))).replace("TestB", "")
    case = extract("class C(unittest.TestCase):\n    def test_c(self): ...\n", "src/a.py")
    assert named(case, "C.test_c").kind == "Test"


@pytest.mark.requirement("PY-02")
def test_bases_and_type_parameters() -> None:
    facts = extract("class A[T: Order, *Ts](Base[T], mod.Mixin, metaclass=M): ...\n", "a.py")
    found = named(facts, "A")
    assert [shown(facts, one) for one in found.bases] == ["Base<T>", "mod.Mixin"]
    assert [(one.name, shown(facts, one.type)) for one in found.type_parameters] == [
        ("T", "Order"),
        ("Ts", ""),
    ]


@pytest.mark.requirement("PY-03")
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Order", "Order"),
        ("model.Order", "model.Order"),
        ("Optional[Order]", "Order | none"),
        ("t.Union[A, B, None]", "A | B | none"),
        ("Order | None", "Order | none"),
        ('"Order"', "Order"),
        ('"model.Order"', "model.Order"),
        ('"list[Order] | None"', "list<Order> | none"),
        ("dict[str, list[Order]]", "dict<str, list<Order>>"),
        ("Annotated[Order, Meta(1)]", "Order"),
        ("ClassVar[Order]", "Order"),
        ("Callable[[int], Order]", "Callable<[int], Order>"),
        ('Literal["a"]', 'Literal<"a">'),
        ("type[Order]", "type<Order>"),
        ('"not a type ["', "unknown"),
    ],
)
def test_annotations_are_types(written: str, read: str) -> None:
    facts = extract(f"def f(x: {written}): ...\n", "a.py")
    assert shown(facts, named(facts, "f").parameters[0].type) == read


@pytest.mark.requirement("PY-04")
def test_imports_are_kept_as_written() -> None:
    facts = extract(
        """
import a.b.c, d as e
from . import f
from ..g.h import i as j, k
from l import *
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from m import N
else:
    from o import N
def late():
    import p.q
try:
    import fast as r
except ImportError:
    import slow as r
""",
        "a.py",
    )
    found = [(one.level, one.module, one.name, one.alias) for one in facts.imports]
    assert found == [
        (0, "a.b.c", None, "a"),
        (0, "d", None, "e"),
        (1, "", "f", "f"),
        (2, "g.h", "i", "j"),
        (2, "g.h", "k", "k"),
        (0, "l", "*", ""),
        (0, "typing", "TYPE_CHECKING", "TYPE_CHECKING"),
        (0, "m", "N", "N"),
        (0, "o", "N", "N"),
        (0, "p.q", None, "p"),
        (0, "fast", None, "r"),
        (0, "slow", None, "r"),
    ]
    by_module = {one.module: one for one in facts.imports}
    assert by_module["m"].modifiers == {"type"}
    assert by_module["o"].modifiers == frozenset()
    assert facts.symbols[by_module["p.q"].scope].path == "late"


@pytest.mark.requirement("PY-04")
def test_all_is_what_a_module_exports_however_it_grows() -> None:
    facts = extract(
        '__all__ = ["a"] + ["b"]\n__all__ += ("c",)\n__all__.extend(["d"])\n__all__.append("e")\n',
        "a.py",
    )
    assert [outside for outside, _ in facts.exports] == ["a", "b", "c", "d", "e"]


@pytest.mark.requirement("PY-04")
def test_an_import_that_a_definition_replaces_is_kept_without_its_name() -> None:
    text = "from a import f, g\nif x:\n    from b import h\ndef f(): ...\ndef h(): ...\n"
    found = [(one.module, one.name, one.alias) for one in extract(text, "a.py").imports]
    assert found == [("a", "f", ""), ("a", "g", "g"), ("b", "h", "h")]
