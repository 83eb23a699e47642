"""The two named graphs of the TCK: binary trees three levels deep."""

_TREE = """
CREATE (a:A {{name: 'a'}}), (b1:X {{name: 'b1'}}), (b2:X {{name: 'b2'}}), (b3:X {{name: 'b3'}}),
  (b4:X {{name: 'b4'}}), (c11:X {{name: 'c11'}}), (c12:{c} {{name: 'c12'}}),
  (c21:X {{name: 'c21'}}), (c22:{c} {{name: 'c22'}}), (c31:X {{name: 'c31'}}),
  (c32:{c} {{name: 'c32'}}), (c41:X {{name: 'c41'}}), (c42:{c} {{name: 'c42'}})
CREATE (a)-[:KNOWS]->(b1), (a)-[:KNOWS]->(b2), (a)-[:FOLLOWS]->(b3), (a)-[:FOLLOWS]->(b4)
CREATE (b1)-[:FRIEND]->(c11), (b1)-[:FRIEND]->(c12), (b2)-[:FRIEND]->(c21),
  (b2)-[:FRIEND]->(c22), (b3)-[:FRIEND]->(c31), (b3)-[:FRIEND]->(c32),
  (b4)-[:FRIEND]->(c41), (b4)-[:FRIEND]->(c42)
CREATE (b1)-[:FRIEND]->(b2), (b2)-[:FRIEND]->(b3), (b3)-[:FRIEND]->(b4), (b4)-[:FRIEND]->(b1)
"""
TREES = {
    "the binary-tree-1 graph": _TREE.format(c="X"),
    "the binary-tree-2 graph": _TREE.format(c="Y"),
}
