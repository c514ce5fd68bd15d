"""A kernel that ended before its first word is started again, and given up in the end."""

import pytest

from dynamolab.jupyter import KERNEL_STARTS, started


@pytest.mark.parametrize("deaths", range(KERNEL_STARTS + 1))
def test_a_kernel_is_started_until_it_speaks_but_not_for_ever(deaths):
    calls = []

    def start():
        calls.append(1)
        if len(calls) <= deaths:
            raise RuntimeError("Kernel died before replying to kernel_info")
        return "ready"

    if deaths < KERNEL_STARTS:
        assert started(start) == "ready"
        assert len(calls) == deaths + 1
    else:
        with pytest.raises(RuntimeError, match="Kernel died"):
            started(start)
        assert len(calls) == KERNEL_STARTS
