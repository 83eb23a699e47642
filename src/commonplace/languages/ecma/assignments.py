"""Assignments: where values go, and functions that are members by assignment."""

from typing import TYPE_CHECKING

from commonplace.domain.expr import THIS, Expr, one
from commonplace.languages.ecma import commonjs
from commonplace.languages.ecma.functions import FUNCTIONS
from commonplace.languages.ecma.names import target
from commonplace.languages.ecma.objects import named_value
from commonplace.languages.ecma.owners import owner_number
from commonplace.languages.ecma.patterns import bindings
from commonplace.languages.quoted import joined
from commonplace.languages.walk import UNKNOWN, Naming, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

PATTERNS = frozenset(("object_pattern", "array_pattern"))


def assignment(walk: Walk, node: "Node") -> Expr:
    """``x = y``, ``a.b = y``, ``[a, b] = y`` and what they export."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        walk.put_off(node.named_children)
        return UNKNOWN
    if left.type in PATTERNS:
        found = walk.expr(right)
        for part, gets in bindings(walk, left, found):
            walk.add_flow(target(walk, part), gets)
        return found
    exported = commonjs.exported(walk, left, right)
    if exported is not None:
        return exported
    if left.type == "member_expression":
        return _member(walk, target(walk, left), right)
    goal = target(walk, left)
    if left.type == "subscript_expression" and goal[0] == "attr":
        return _member(walk, goal, right)
    if left.type == "identifier" and right.type in (*FUNCTIONS, "class", "object"):
        found = named_value(walk, right, Naming(walk.word(left), this=_this(right, goal)))
    else:
        found = walk.expr(right)
    if left.type == "identifier" and _is_anew(walk, node, left):
        goal = walk.renew(walk.word(left))
    walk.add_flow(goal, found)
    return found


def _is_anew(walk: Walk, node: "Node", left: "Node") -> bool:
    """Whether what follows sees nothing of what a local held before.

    It is set in the outermost statements of its function, and no function in there keeps it.
    """
    statement = node.parent
    body = statement.parent if statement is not None else None
    if walk.is_block or body is None or body.type != "statement_block":
        return False
    if walk.scope.is_open or walk.word(left) not in walk.scope.names:
        return False
    whole = walk.text[body.start_byte : body.end_byte]
    return "=>" not in whole and "function" not in whole and "class" not in whole


def _this(right: "Node", goal: Expr) -> Expr | None:
    return goal if right.type == "object" else None


def _member(walk: Walk, goal: Expr, right: "Node") -> Expr:
    """``A.prototype.f = function …`` and ``this.f = …`` make members of what they are set on."""
    if right.type not in (*FUNCTIONS, "object", "class"):
        found = walk.expr(right)
        if goal[2] == "prototype":
            _inherit(walk, goal[1], found)
        walk.add_flow(goal, found)
        return found
    owner, label = walk.scope.object if goal[1] == THIS else goal[1], goal[2]
    is_prototype = owner[0] == "attr" and owner[2] == "prototype"
    if is_prototype:
        owner = owner[1]
    if label == "prototype" and owner[0] == "name" and right.type == "object":
        return _prototype(walk, owner[1], right)
    if owner[0] == "self":
        return _own(walk, goal, right)
    parent = owner_number(walk, owner)
    prefix = None if parent is not None or owner[0] != "name" else owner[1]
    this = goal if right.type == "object" else owner if prefix else None
    if right.type == "arrow_function":
        this = walk.scope.this
    kind = "Method" if parent is not None or prefix else "Function"
    found = named_value(walk, right, Naming(label, kind, parent, prefix, this))
    if found[0] == "made" and parent is not None:
        walk.drafts[found[1]].modifiers.add("prototype")
        if not is_prototype and owner[0] == "name":
            walk.drafts[found[1]].modifiers.add("static")
        elif is_prototype and walk.drafts[parent].kind == "Class":
            return found  # a member of the class, in place of one above it
    walk.add_flow(goal, found)
    return found


def _inherit(walk: Walk, owner: Expr, found: Expr) -> None:
    """``Dog.prototype = Object.create(Animal.prototype)`` or ``= new Animal()``."""
    number = owner_number(walk, owner)
    if number is None or found[0] != "call":
        return
    call = walk.calls[found[1]]
    above = call.callee if call.is_new else call.arguments[0] if call.arguments else UNKNOWN
    if above[0] == "attr" and above[2] == "prototype":
        above = above[1]
    if above[0] == "name":
        walk.drafts[number].bases += (above,)


def _own(walk: Walk, goal: Expr, right: "Node") -> Expr:
    """``this.f = function …`` in a method: of the object, and it sees the locals around it."""
    owner = owner_number(walk, goal[1])
    prefix = walk.drafts[owner].path if owner is not None else None
    this = goal if right.type == "object" else None
    found = named_value(walk, right, Naming(goal[2], "Method", None, prefix, this))
    if found[0] == "made":
        walk.drafts[found[1]].modifiers.add("arrow")
    walk.add_flow(goal, found)
    return found


def _prototype(walk: Walk, label: str, right: "Node") -> Expr:
    parent = owner_number(walk, ("name", label))
    this = ("self",) if parent is not None else None
    found = named_value(walk, right, Naming("", "Method", parent, None, this))
    for _, given in found[1]:
        if given[0] == "made":
            walk.drafts[given[1]].modifiers.add("prototype")
    return found


def augmented(walk: Walk, node: "Node") -> Expr:
    """``x += y`` joins strings; ``x ||= y`` is one of both."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        walk.put_off(node.named_children)
        return UNKNOWN
    goal, found = target(walk, left), walk.expr(right)
    if operator.type in ("||=", "??=", "&&="):
        walk.add_flow(goal, found)
        return one(goal, found)
    if operator.type == "+=" and (found[0] == "text" or found[0] in ("name", "attr")):
        found = joined((goal, found))
        walk.add_flow(goal, found)
        return found
    return UNKNOWN


def update(walk: Walk, node: "Node") -> Expr:
    """``x++`` reads and writes."""
    for child in node.named_children:
        target(walk, child)
    return ("value", "int")
