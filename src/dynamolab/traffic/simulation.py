"""Many real boto3 clients on one simulated clock: each is a greenlet, and whoever waits lets the others go on."""

from __future__ import annotations

import contextlib
import heapq
import itertools
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, Protocol

import greenlet

from ..errors import LabError
from ..live import clock
from ..model.meters import MICROSECONDS

THROTTLES = ("ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded")
"""The error codes of a throttled request."""


MOST_WAITS = 20_000
"""How often one call of a drive may wait: a call that goes on after that has a loop that does not end."""

_endless: list[greenlet.greenlet] = []
"""Clients that went on although they were to end; kept, since nobody can take them away without waking them."""


class Retrying(Protocol):
    """What counts the attempts that boto3 makes beyond the first one, and keeps the seconds it waits before each."""

    retries: int
    waits: list[float]


class Simulation:
    """The greenlets of one run and the order in which they go on; time moves to whatever happens next."""

    def __init__(self, most_waits: int | None = None) -> None:
        self._most_waits = most_waits
        self._waits: dict[greenlet.greenlet, int] = {}
        self._ending = False
        self._waiting: list[tuple[int, int, greenlet.greenlet]] = []
        self._order = itertools.count()
        self._counts: dict[greenlet.greenlet, Retrying | None] = {}
        self._hub = greenlet.getcurrent()
        self._fault: BaseException | None = None

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Let every wait on the lab's clock within a greenlet of this run be a wait of that greenlet alone."""
        self._hub = greenlet.getcurrent()
        clock.waiter = self
        try:
            yield
        finally:
            # After an interrupt or a fault some still wait: end them, so that none wakes up in a later run.
            self._ending = True
            while self._waiting:
                heapq.heappop(self._waiting)[2].throw()
            clock.waiter = None

    def begin(self, function: Callable[..., None], *arguments: Any, counts: Retrying | None = None) -> None:
        """Run ``function`` in a greenlet of its own until it waits or ends; ``counts`` gets its retries.

        Called from a greenlet of the run, that one goes on first: the new one begins, at the same instant, when it
        waits.
        """

        __tracebackhide__ = True

        def run() -> None:
            __tracebackhide__ = True
            try:
                function(*arguments)
            except greenlet.GreenletExit:
                raise
            except BaseException as fault:
                self._fault = fault
            del self._counts[me]
            self._waits.pop(me, None)

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
        __tracebackhide__ = True
        while self._waiting and (due is None or self._waiting[0][0] <= due):
            when, _, waiter = heapq.heappop(self._waiting)
            clock.move_to(when)
            self._switch(waiter)

    def _switch(self, to: greenlet.greenlet) -> None:
        __tracebackhide__ = True
        to.switch()
        if self._fault is not None:
            raise self._fault

    def drives_the_caller(self) -> bool:
        """Say whether the calling greenlet is one of this run's."""
        return greenlet.getcurrent() in self._counts

    def wait(self, step: int, is_retry: bool) -> bool:
        """Let the calling greenlet wait ``step`` microseconds; False if it is none of this run's."""
        me = greenlet.getcurrent()
        if me not in self._counts:
            return False
        if self._ending:  # the client's code caught what was to end it, and tries again
            self._leave(me)
        if self._most_waits is not None:
            self._waits[me] = self._waits.get(me, 0) + 1
            if self._waits[me] > self._most_waits:
                self._fault = LabError(
                    f"A call of the driven function has waited {self._most_waits:,} times and still goes on: is there "
                    "a loop in it that does not end?"
                )
                self._leave(me)
        counts = self._counts[me]
        if counts is not None and is_retry:
            counts.retries += 1
            counts.waits.append(step / MICROSECONDS)
        heapq.heappush(self._waiting, (clock.microseconds + step, next(self._order), me))
        self._hub.switch()
        return True

    def _leave(self, me: greenlet.greenlet) -> NoReturn:
        """Go back to the hub, and never come back here."""
        _endless.append(me)
        while True:
            self._hub.switch()
