"""boto3's retries and waiters wait in simulated time, with jitter from the lab's seed.

What botocore sees as ``time`` and as randomness is replaced while the lab runs, in its endpoint (legacy and standard
retries), in its rate limiter (adaptive) and in its waiters (``client.get_waiter``). The learner's own ``time.sleep`` is
left alone.
"""

from __future__ import annotations

import functools
import random
import types
import weakref
from typing import Any

import botocore.endpoint
import botocore.retries.bucket
import botocore.retries.quota
import botocore.retries.standard
import botocore.retryhandler
import botocore.waiter

from .clock import clock
from .patches import Patches

jitter = random.Random()
_patches = Patches()
_spend = botocore.retries.quota.RetryQuota.acquire


class _Backoff(botocore.retries.standard.ExponentialBackoff):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"random": jitter.random, **kwargs})


def _acquire(bucket: Any, amount: float = 1, block: bool = True) -> Any:
    # botocore waits on a condition variable while it holds a lock; simulated clients share one thread, so that
    # a waiting client would stop all others. Here the wait comes first and the lock is not needed.
    bucket._refill()
    while amount > bucket._current_capacity:
        if not block:
            raise botocore.retries.bucket.CapacityNotAvailableError()
        # A microsecond is the clock's step: a shorter wait would not move it.
        clock.sleep(max(bucket._sleep_amount(amount), 1e-6))
        bucket._refill()
    bucket._current_capacity -= amount
    return True


def _spending_anew() -> Any:
    # A client keeps what it may still spend on retries. One that is older than this start of the lab begins anew as
    # the lab does, or a cell that starts the lab and sends with it would give other numbers the second time.
    known: weakref.WeakSet[Any] = weakref.WeakSet()

    def acquire(quota: Any, capacity_amount: int) -> Any:
        if quota not in known:
            known.add(quota)
            quota.release(botocore.retries.quota.RetryQuota.INITIAL_CAPACITY)
        return _spend(quota, capacity_amount)

    return acquire


def simulate(seed: int) -> None:
    """From now on botocore waits on the lab's clock; jitter starts afresh from ``seed``, and so do retry tokens."""
    jitter.seed(seed)
    before_retry = functools.partial(clock.sleep, is_retry=True)
    _patches.replace(botocore.endpoint, "time", types.SimpleNamespace(sleep=before_retry))
    _patches.replace(botocore.waiter, "time", types.SimpleNamespace(sleep=clock.sleep))
    _patches.replace(botocore.retries.bucket, "time", types.SimpleNamespace(sleep=clock.sleep, time=clock.time))
    _patches.replace(botocore.retries.bucket.TokenBucket, "acquire", _acquire)
    _patches.replace(botocore.retries.quota.RetryQuota, "acquire", _spending_anew())
    _patches.replace(botocore.retries.standard, "ExponentialBackoff", _Backoff)
    _patches.replace(botocore.retryhandler, "random", jitter)


def restore() -> None:
    """Give botocore its own time and randomness back."""
    _patches.undo()
