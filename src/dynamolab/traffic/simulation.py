"""Many real boto3 clients on one simulated clock: each is a greenlet, and whoever waits lets the others go on."""

from __future__ import annotations

import contextlib
import heapq
import itertools
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import greenlet

from ..live import clock
from ..model.meters import MICROSECONDS

THROTTLES = ("ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded")
"""The error codes of a throttled request."""


class Retrying(Protocol):
    """What counts the attempts that boto3 makes beyond the first one, and keeps the seconds it waits before each."""

    retries: int
    waits: list[float]


class Simulation:
    """The greenlets of one run and the order in which they go on; time moves to whatever happens next."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, greenlet.greenlet]] = []
        self._order = itertools.count()
        self._counts: dict[greenlet.greenlet, Retrying | None] = {}
        self._hub = greenlet.getcurrent()
        self._fault: BaseException | None = None

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Let every wait on the lab's clock within a greenlet of this run be a wait of that greenlet alone."""
        self._hub = greenlet.getcurrent()
        clock.waiter = self._wait
        try:
            yield
        finally:
            clock.waiter = None
            # After an interrupt or a fault some still wait: end them, so that none wakes up in a later run.
            while self._waiting:
                heapq.heappop(self._waiting)[2].throw()

    def begin(self, function: Callable[..., None], *arguments: Any, counts: Retrying | None = None) -> None:
        """Run ``function`` in a greenlet of its own until it waits or ends; ``counts`` gets its retries.

        Called from a greenlet of the run, that one goes on first: the new one begins, at the same instant, when it
        waits.
        """

        def run() -> None:
            try:
                function(*arguments)
            except greenlet.GreenletExit:
                raise
            except BaseException as fault:
                self._fault = fault
            del self._counts[me]

        me = greenlet.greenlet(run, self._hub)
        self._counts[me] = counts
        if greenlet.getcurrent() is self._hub:
            self._switch(me)
        else:
            heapq.heappush(self._waiting, (clock.microseconds, next(self._order), me))

    def count_for(self, counts: Retrying | None) -> None:
        """Let the running greenlet's retries be counted there from now on."""
        self._counts[greenlet.getcurrent()] = counts

    def resume_until(self, due: int | None) -> None:
        """Let all happen that comes up to ``due`` (microseconds); with None, everything.

        An exception that a greenlet let through is raised here.
        """
        while self._waiting and (due is None or self._waiting[0][0] <= due):
            when, _, waiter = heapq.heappop(self._waiting)
            clock.move_to(when)
            self._switch(waiter)

    def _switch(self, to: greenlet.greenlet) -> None:
        to.switch()
        if self._fault is not None:
            raise self._fault

    def _wait(self, step: int, is_retry: bool) -> bool:
        """Let the calling greenlet wait ``step`` microseconds; False if it is none of this run's."""
        me = greenlet.getcurrent()
        if me not in self._counts:
            return False
        counts = self._counts[me]
        if counts is not None and is_retry:
            counts.retries += 1
            counts.waits.append(step / MICROSECONDS)
        heapq.heappush(self._waiting, (clock.microseconds + step, next(self._order), me))
        self._hub.switch()
        return True
