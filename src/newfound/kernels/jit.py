"""How every kernel is compiled: without the GIL, cached on disk, and strict about floats."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile on first use. No fastmath, so that infinities and the order of sums are kept."""
    return cast(F, njit(nogil=True, cache=True)(function))


def reduction(function: F) -> F:
    """A kernel whose sums may be taken in vector lanes: one row gives the same bits on any thread."""
    return cast(F, njit(nogil=True, cache=True, fastmath={"reassoc"})(function))


@kernel
def column(indices: Any, at: int, start: int) -> Any:
    """The column of the value at position ``at`` in a row that begins at ``start``."""
    if indices is None:
        return at - start
    # numba drops the branch that cannot be
    return indices[at]
