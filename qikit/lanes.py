"""Vector instructions for kernels: rows of twelve numbers, one a kind.

LLVM does not find these by itself: what is written may overlap what is read, as far as it knows.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

LANES = 12
_WIDTH = 4
_VECTOR = ir.VectorType(ir.DoubleType(), _WIDTH)


def _row(context: Any, builder: Any, kind: Any, array: Any, row: Any) -> list[Any]:
    """Pointers to the vectors of a row."""
    data = context.make_array(kind)(context, builder, array).data
    base = builder.mul(row, ir.Constant(row.type, LANES))
    return [
        builder.bitcast(
            builder.gep(data, [builder.add(base, ir.Constant(row.type, at))]), _VECTOR.as_pointer()
        )
        for at in range(0, LANES, _WIDTH)
    ]


def _load(builder: Any, pointers: list[Any]) -> list[Any]:
    return [builder.load(pointer, align=8) for pointer in pointers]


def _splat(builder: Any, number: Any) -> Any:
    lane = ir.Constant(ir.IntType(32), 0)
    one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, lane)
    return builder.shuffle_vector(
        one,
        ir.Constant(_VECTOR, ir.Undefined),
        ir.Constant(ir.VectorType(ir.IntType(32), _WIDTH), [0] * _WIDTH),
    )


@intrinsic  # type: ignore[untyped-decorator]
def multiply(typing_context: Any, out: Any, i: Any, one: Any, j: Any, other: Any, k: Any) -> Any:
    """``out[i] = one[j] * other[k]``, kind by kind; arrays of float64 rows."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, b, c = (
            _row(context, builder, signature.args[at], args[at], args[at + 1]) for at in (0, 2, 4)
        )
        left, right = _load(builder, b), _load(builder, c)
        for pointer, x, y in zip(a, left, right, strict=True):
            builder.store(builder.fmul(x, y), pointer, align=8)
        return context.get_dummy_value()

    return types.void(out, types.intp, one, types.intp, other, types.intp), codegen


@intrinsic  # type: ignore[untyped-decorator]
def gather(typing_context: Any, out: Any, i: Any, fit: Any, j: Any, weights: Any, k: Any) -> Any:
    """``out[i] *= weights[k] @ fit[j : j + 12]``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        target = _row(context, builder, signature.args[0], args[0], args[1])
        sums: list[Any] = []
        data = context.make_array(signature.args[4])(context, builder, args[4]).data
        at = builder.mul(args[5], ir.Constant(args[5].type, LANES))
        for kind in range(LANES):
            step = ir.Constant(args[5].type, kind)
            number = builder.load(builder.gep(data, [builder.add(at, step)]), align=8)
            row = builder.add(args[3], ir.Constant(args[3].type, kind))
            vectors = _load(builder, _row(context, builder, signature.args[2], args[2], row))
            terms = [builder.fmul(x, _splat(builder, number), flags=("contract",)) for x in vectors]
            sums = (
                [builder.fadd(x, y, flags=("contract",)) for x, y in zip(sums, terms, strict=True)]
                if sums
                else terms
            )
        for pointer, x in zip(target, sums, strict=True):
            builder.store(builder.fmul(builder.load(pointer, align=8), x), pointer, align=8)
        return context.get_dummy_value()

    return types.void(out, types.intp, fit, types.intp, weights, types.intp), codegen


@intrinsic  # type: ignore[untyped-decorator]
def clear(typing_context: Any, out: Any, i: Any) -> Any:
    """``out[i] = 0``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        for pointer in _row(context, builder, signature.args[0], args[0], args[1]):
            builder.store(ir.Constant(_VECTOR, [0.0] * _WIDTH), pointer, align=8)
        return context.get_dummy_value()

    return types.void(out, types.intp), codegen


@intrinsic  # type: ignore[untyped-decorator]
def add(typing_context: Any, out: Any, i: Any, one: Any, j: Any, factor: Any) -> Any:
    """``out[i] += one[j] * factor``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a = _row(context, builder, signature.args[0], args[0], args[1])
        b = _load(builder, _row(context, builder, signature.args[2], args[2], args[3]))
        number = _splat(builder, args[4])
        for pointer, x in zip(a, b, strict=True):
            term = builder.fmul(x, number, flags=("contract",))
            total = builder.fadd(builder.load(pointer, align=8), term, flags=("contract",))
            builder.store(total, pointer, align=8)
        return context.get_dummy_value()

    return types.void(out, types.intp, one, types.intp, types.float64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def lane(typing_context: Any, array: Any, i: Any, kind: Any) -> Any:
    """``array[i, kind]``, without a look at whether the indices are negative."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        base = builder.mul(args[1], ir.Constant(args[1].type, LANES))
        return builder.load(builder.gep(data, [builder.add(base, args[2])]), align=8)

    return types.float64(array, types.intp, types.intp), codegen
