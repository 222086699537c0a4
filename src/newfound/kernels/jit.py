"""How every kernel is compiled: without the GIL, cached on disk, and strict about floats."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile on first use. No fastmath, so that infinities and the order of sums are kept."""
    return cast(F, njit(nogil=True, cache=True, error_model="numpy")(function))


def reduction(function: F) -> F:
    """A kernel whose sums may be taken in vector lanes: one row gives the same bits on any thread."""
    return cast(F, njit(nogil=True, cache=True, error_model="numpy", fastmath={"reassoc"})(function))


@kernel
def columns(indices: Any, start: int, stop: int) -> Any:
    """The columns of a row's values, or None for a dense row: there the first value is in column 0, and so on."""
    if indices is None:
        return None
    else:  # noqa: RET505 - numba drops the branch that cannot be, if it is written as one
        return indices[start:stop]


@kernel
def column(columns: Any, t: int) -> Any:
    """The column of value ``t`` of a row."""
    if columns is None:
        return t
    else:  # noqa: RET505
        return columns[t]
