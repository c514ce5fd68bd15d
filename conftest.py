"""For every gate that runs notebooks: a kernel that lost its port to another one is started again."""

from __future__ import annotations

import functools
from typing import Any

import nbval.kernel

from dynamolab.jupyter import started

_start = nbval.kernel.start_new_kernel


def start_new_kernel(*arguments: Any, **more: Any) -> Any:
    """Start a kernel as nbval does, again if it died before its first word."""
    return started(functools.partial(_start, *arguments, **more))


nbval.kernel.start_new_kernel = start_new_kernel
