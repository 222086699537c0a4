"""The inner loop of the sparse scan, as vector instructions.

A row of ``scores`` is the sum over the row's values of *value times table row*. Compiled plainly,
the running sum goes through memory once per value. Here it stays in vector registers, and the table
row that is needed a few values later is fetched meanwhile. Every sum is taken
in the order of the columns with fused multiply-adds, so a score has the same bits on any thread.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16
"""Classes per step: tables are padded to a multiple of this."""

CACHE_LINE = 64
AHEAD = 8
"""How many values ahead a table row is fetched."""


def _accumulator(steps: int) -> Callable[..., None]:
    """An intrinsic that scores ``steps * LANES`` neighbouring classes of one row."""

    @intrinsic
    def accumulate(
        context: Any, indices: Any, data: Any, start: Any, stop: Any, scale: Any,
        table: Any, first: Any, scores: Any, row: Any, end: Any,
    ) -> Any:  # fmt: skip
        signature = types.void(indices, data, start, stop, scale, table, first, scores, row, end)
        return signature, lambda ctx, builder, sig, args: _emit(steps, ctx, builder, sig, args)

    return accumulate


def _emit(steps: int, ctx: Any, b: Any, sig: Any, args: Any) -> Any:
    """For p in range(start, stop): scores[row, first:] += scale * data[p] * table[indices[p], first:]

    Fetching ahead runs on into the next rows, up to ``end``.
    """
    start, stop, scale, first, row, end = args[2], args[3], args[4], args[6], args[8], args[9]
    element = sig.args[5].dtype
    size = ctx.get_abi_sizeof(ctx.get_value_type(element))
    lanes = CACHE_LINE // size
    vector = ir.VectorType(ctx.get_value_type(element), lanes)
    offsets = [ir.IntType(64)(CACHE_LINE * z) for z in range(steps * LANES // lanes)]
    byte, i32, i64 = ir.IntType(8).as_pointer(), ir.IntType(32), ir.IntType(64)

    arrays = {i: ctx.make_array(sig.args[i])(ctx, b, args[i]) for i in (0, 1, 5, 7)}
    skip = b.mul(first, i64(size))
    table = b.gep(b.bitcast(arrays[5].data, byte), [skip])
    table_stride = cgutils.unpack_tuple(b, arrays[5].strides, 2)[0]
    scores_stride = cgutils.unpack_tuple(b, arrays[7].strides, 2)[0]
    prefetch = cgutils.get_or_insert_function(
        b.module, ir.FunctionType(ir.VoidType(), [byte, i32, i32, i32]), "llvm.prefetch.p0"
    )
    fma = cgutils.get_or_insert_function(b.module, ir.FunctionType(vector, [vector] * 3), f"llvm.fma.v{lanes}f{8 * size}")

    def table_row(at: Any) -> Any:
        feature = ctx.cast(b, b.load(b.gep(arrays[0].data, [at])), sig.args[0].dtype, types.int64)
        return b.gep(table, [b.mul(feature, table_stride)])

    entry = b.block
    head, body, fetch, add, done = (b.append_basic_block(n) for n in ("head", "body", "fetch", "add", "done"))
    b.branch(head)
    b.position_at_end(head)
    p = b.phi(i64)
    p.add_incoming(start, entry)
    sums = [b.phi(vector) for _ in offsets]
    for total in sums:
        total.add_incoming(ir.Constant(vector, [0.0] * lanes), entry)
    b.cbranch(b.icmp_signed("<", p, stop), body, done)

    b.position_at_end(body)
    later = b.add(p, i64(AHEAD))
    b.cbranch(b.icmp_signed("<", later, end), fetch, add)
    b.position_at_end(fetch)
    ahead = table_row(later)
    for offset in offsets:
        b.call(prefetch, [b.gep(ahead, [offset]), i32(0), i32(3), i32(1)])
    b.branch(add)

    b.position_at_end(add)
    value = ctx.cast(b, b.load(b.gep(arrays[1].data, [p])), sig.args[1].dtype, types.float64)
    value = ctx.cast(b, b.fmul(value, scale), types.float64, element)
    lane = b.insert_element(ir.Constant(vector, ir.Undefined), value, i32(0))
    value = b.shuffle_vector(lane, ir.Constant(vector, ir.Undefined), ir.Constant(ir.VectorType(i32, lanes), [0] * lanes))
    here = table_row(p)
    for offset, total in zip(offsets, sums, strict=True):
        weights = b.load(b.bitcast(b.gep(here, [offset]), vector.as_pointer()))
        weights.align = size
        total.add_incoming(b.call(fma, [value, weights, total]), b.block)
    p.add_incoming(b.add(p, i64(1)), b.block)
    b.branch(head)

    b.position_at_end(done)
    out = b.gep(b.bitcast(arrays[7].data, byte), [b.add(skip, b.mul(row, scores_stride))])
    for offset, total in zip(offsets, sums, strict=True):
        b.store(total, b.bitcast(b.gep(out, [offset]), vector.as_pointer())).align = size
    return ctx.get_dummy_value()


accumulate_1, accumulate_2, accumulate_4, accumulate_8 = map(_accumulator, (1, 2, 4, 8))
