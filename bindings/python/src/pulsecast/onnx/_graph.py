"""A graph of ONNX, written like arithmetic.

A `Value` stands for what a node will compute. Its operators add nodes to its graph; numbers and arrays
beside it become constants of its type. What is written once and used twice is one node, because names
in Python are names in the graph.

Everything is of opset 13, so that what runs files runs these: layer norm and GELU, which later opsets
have, are made of its nodes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Union

import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Operand = Union["Value", float, NDArray[Any]]

OPSET = 13
IR_VERSION = 7  # the one that came with that opset
NORM_EPSILON = 1e-5


class Value:
    """What a node computes, or an input, or a constant."""

    __slots__ = ("dtype", "graph", "name")

    def __init__(self, graph: Graph, name: str, dtype: Any) -> None:
        self.graph = graph
        self.name = name
        self.dtype = numpy.dtype(dtype)

    def _with(self, operation: str, other: Operand, dtype: Any = None) -> Value:
        return self.graph.add(operation, self, self.like(other), dtype=dtype or self.dtype)

    def like(self, other: Operand) -> Value:
        """`other` as a value of this type."""
        return other if isinstance(other, Value) else self.graph.constant(other, self.dtype)

    def __add__(self, other: Operand) -> Value:
        return self._with("Add", other)

    def __sub__(self, other: Operand) -> Value:
        return self._with("Sub", other)

    def __mul__(self, other: Operand) -> Value:
        return self._with("Mul", other)

    def __truediv__(self, other: Operand) -> Value:
        return self._with("Div", other)

    def __mod__(self, other: Operand) -> Value:
        """Of whole numbers, with the sign of the divisor."""
        return self._with("Mod", other)

    def __floordiv__(self, other: Operand) -> Value:
        """Of whole numbers, downwards; ONNX itself rounds towards zero."""
        return (self - self % other)._with("Div", other)

    def __matmul__(self, other: Operand) -> Value:
        return self._with("MatMul", other)

    def is_at_most(self, other: Operand) -> Value:
        return self._with("LessOrEqual", other, bool)

    def is_at_least(self, other: Operand) -> Value:
        return self._with("GreaterOrEqual", other, bool)

    def equals(self, other: Operand) -> Value:
        return self._with("Equal", other, bool)

    def or_more(self, other: Operand) -> Value:
        """The larger of both."""
        return self._with("Max", other)

    def absolute(self) -> Value:
        return self.graph.add("Abs", self)

    def root(self) -> Value:
        return self.graph.add("Sqrt", self)

    def cast(self, dtype: Any) -> Value:
        if self.dtype == numpy.dtype(dtype):
            return self
        return self.graph.add("Cast", self, dtype=dtype, to=self.graph.type_of(dtype))

    def where(self, yes: Value, no: Operand) -> Value:
        """Of booleans: `yes` where they are true."""
        return self.graph.add("Where", self, yes, yes.like(no), dtype=yes.dtype)

    def all(self, axis: int) -> Value:
        """Of booleans: whether all along an axis are true; the axis stays, with one value."""
        least = self.graph.add(
            "ReduceMin", self.cast(numpy.float32), dtype=numpy.float32, axes=[axis], keepdims=1
        )
        return least.is_at_least(0.5)

    # Shapes

    def transpose(self, *axes: int) -> Value:
        return self.graph.add("Transpose", self, perm=list(axes))

    def reshape(self, *sizes: int) -> Value:
        """0 keeps the size at its place, -1 is what is left."""
        return self.graph.add("Reshape", self, self.graph.constant(sizes, numpy.int64))

    def cut(self, axis: int, begin: int, end: int) -> Value:
        """From `begin` up to `end` along an axis."""
        edges = [self.graph.constant([edge], numpy.int64) for edge in (begin, end, axis)]
        return self.graph.add("Slice", self, *edges)

    def pad_edges(self, rank: int, before: int, after: int) -> Value:
        """The last axis continued with its outermost values."""
        if before == 0 and after == 0:
            return self
        pads = [0] * (rank - 1) + [before] + [0] * (rank - 1) + [after]
        return self.graph.add("Pad", self, self.graph.constant(pads, numpy.int64), mode="edge")

    def pad_zeros(self, rank: int, after: int) -> Value:
        """The last axis continued with zeros."""
        if after == 0:
            return self
        pads = [0] * (2 * rank - 1) + [after]
        return self.graph.add("Pad", self, self.graph.constant(pads, numpy.int64))

    def gather(self, indices: Operand, axis: int = 0) -> Value:
        if not isinstance(indices, Value):
            indices = self.graph.constant(indices, numpy.int64)
        return self.graph.add("Gather", self, indices, axis=axis)

    # Layers

    def mean(self, axis: int = -1) -> Value:
        return self.graph.add("ReduceMean", self, axes=[axis], keepdims=1)

    def linear(self, weight: NDArray[Any], bias: NDArray[Any] | None = None) -> Value:
        """weight (out, in), as layers keep it."""
        product = self @ numpy.ascontiguousarray(weight.T)
        return product if bias is None else product + bias

    def gelu(self) -> Value:
        erf = self.graph.add("Erf", self * (1.0 / math.sqrt(2.0)))
        return self * 0.5 * (erf + 1.0)

    def softmax(self) -> Value:
        return self.graph.add("Softmax", self, axis=-1)

    def layer_norm(self, gamma: NDArray[Any], beta: NDArray[Any]) -> Value:
        centred = self - self.mean()
        variance = (centred * centred).mean()
        return centred / (variance + NORM_EPSILON).root() * gamma + beta


class Graph:
    """Nodes in the order in which they are computed."""

    def __init__(self, onnx: Any) -> None:
        self._onnx = onnx
        self._nodes: list[Any] = []
        self._constants: dict[tuple[str, tuple[int, ...], bytes], Value] = {}
        self._initialisers: list[Any] = []
        self._inputs: dict[str, Any] = {}
        self.described: dict[str, str] = {}  # what each input is, in words

    def type_of(self, dtype: Any) -> int:
        return int(self._onnx.helper.np_dtype_to_tensor_dtype(numpy.dtype(dtype)))

    def add(self, operation: str, *values: Value, dtype: Any = None, **attributes: Any) -> Value:
        """A node with one result, of the first value's type unless told."""
        made = Value(self, f"v{len(self._nodes)}", dtype or values[0].dtype)
        names = [value.name for value in values]
        # Nodes are named, because runtimes that fuse nameless ones give several the same name.
        self._nodes.append(
            self._onnx.helper.make_node(operation, names, [made.name], name=made.name, **attributes)
        )
        return made

    def constant(self, value: Any, dtype: Any) -> Value:
        array = numpy.ascontiguousarray(value, dtype=dtype).reshape(numpy.shape(value))
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self._constants:
            name = f"c{len(self._constants)}"
            self._initialisers.append(self._onnx.numpy_helper.from_array(array, name))
            self._constants[key] = Value(self, name, dtype)
        return self._constants[key]

    def concat(self, values: list[Value], axis: int) -> Value:
        return values[0] if len(values) == 1 else self.add("Concat", *values, axis=axis)

    def input(self, name: str, dtype: Any, sizes: tuple[int | str, ...], meaning: str) -> Value:
        """An input, made when it is first asked for: a graph takes no more than it reads."""
        if name not in self._inputs:
            self._inputs[name] = self._onnx.helper.make_tensor_value_info(
                name, self.type_of(dtype), list(sizes), doc_string=meaning
            )
            self.described[name] = meaning
        return Value(self, name, dtype)

    def finish(self, output: Value, sizes: tuple[int | str, ...], about: dict[str, str]) -> Any:
        """The model whose one output is `forecast`, checked."""
        helper = self._onnx.helper
        self._nodes.append(helper.make_node("Identity", [output.name], ["forecast"], name="forecast"))
        result = helper.make_tensor_value_info("forecast", self.type_of(output.dtype), list(sizes))
        graph = helper.make_graph(
            self._nodes, "forecast", list(self._inputs.values()), [result], self._initialisers
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="pulsecast",
        )
        helper.set_model_props(model, about)
        self._onnx.checker.check_model(model, full_check=True)
        return model
