"""Numeric functions as machine code, made once per machine where there is a place to keep it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """The function as machine code, made when it is first called.

    Kept beside the source, else in the user's cache folder, else (neither can be written) compiled anew in each process. Never with
    `fastmath`: it would let the compiler reorder sums, and pixels would depend on the processor.
    """
    compiler: Callable[..., Any] = numba.njit
    try:
        result: Function = compiler(function, cache=True, error_model="numpy")
    except RuntimeError:  # numba: "no locator available", nowhere to keep it
        result = compiler(function, error_model="numpy")
    return result
