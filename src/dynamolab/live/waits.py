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
import botocore.retries.adaptive
import botocore.retries.bucket
import botocore.retries.quota
import botocore.retries.standard
import botocore.retries.throttling
import botocore.retryhandler
import botocore.waiter

from .clock import clock
from .patches import Patches

jitter = random.Random()
_patches = Patches()


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


# A client keeps what it may still spend on retries, and (adaptive) the rate that it has found. One that is older than a
# start of the lab begins anew as the lab does, or a cell that starts the lab and sends with it would give other numbers
# the second time. So what a client keeps is listed when it is made.
_living: weakref.WeakSet[Any] = weakref.WeakSet()


def _listed(kind: type[Any]) -> None:
    made = kind.__init__

    @functools.wraps(made)
    def make(kept: Any, *args: Any, **kwargs: Any) -> None:
        made(kept, *args, **kwargs)
        _living.add(kept)

    setattr(kind, "__init__", make)  # noqa: B010 - mypy takes no assignment to a method


def renew() -> None:
    """Let the retries of every client, standard and adaptive, go on as if it were made now."""
    for kept in list(_living):
        if isinstance(kept, botocore.retries.quota.RetryQuota):
            kept.__init__()
            continue
        now, maths = kept._clock, botocore.retries.throttling
        kept.__init__(
            rate_adjustor=maths.CubicCalculator(starting_max_rate=0, start_time=now.current_time()),
            rate_clocker=botocore.retries.adaptive.RateClocker(now),
            token_bucket=botocore.retries.bucket.TokenBucket(max_rate=1, clock=now),
            throttling_detector=kept._throttling_detector,
            clock=now,
        )


def save() -> Any:
    """What :func:`give_back` takes: the jitter to come, and what every client keeps of its retries."""
    return jitter.getstate(), [(kept, dict(vars(kept))) for kept in _living]


def give_back(saved: Any) -> None:
    """Go back to what :func:`save` gave."""
    state, clients = saved
    jitter.setstate(state)
    for kept, held in clients:
        vars(kept).update(held)


def simulate(seed: int) -> None:
    """From now on botocore waits on the lab's clock; jitter starts afresh from ``seed``, and so do clients' retries."""
    jitter.seed(seed)
    before_retry = functools.partial(clock.sleep, is_retry=True)
    _patches.replace(botocore.endpoint, "time", types.SimpleNamespace(sleep=before_retry))
    _patches.replace(botocore.waiter, "time", types.SimpleNamespace(sleep=clock.sleep))
    _patches.replace(botocore.retries.bucket, "time", types.SimpleNamespace(sleep=clock.sleep, time=clock.time))
    _patches.replace(botocore.retries.bucket.TokenBucket, "acquire", _acquire)
    _patches.replace(botocore.retries.standard, "ExponentialBackoff", _Backoff)
    _patches.replace(botocore.retryhandler, "random", jitter)
    renew()


def restore() -> None:
    """Give botocore its own time and randomness back."""
    _patches.undo()


for _kind in (botocore.retries.quota.RetryQuota, botocore.retries.adaptive.ClientRateLimiter):
    _listed(_kind)
