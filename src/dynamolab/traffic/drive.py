"""Send a learner's own boto3 code at a given rate, in simulated time, with boto3's real retries.

Each call is a client of its own (a greenlet): while it waits in boto3's back-off, the others go on, and the clock moves
to whatever happens next. Nothing here knows of DynamoDB's limits; the gate has them.
"""

from __future__ import annotations

import inspect
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import greenlet
from botocore.exceptions import ClientError

from ..arguments import is_number, shown
from ..errors import LabError
from ..interrupts import held, let_in
from ..live import clock, isolation
from ..model.meters import MICROSECONDS
from ..patience import bar
from .simulation import MOST_WAITS, THROTTLES, Simulation

if TYPE_CHECKING:
    import pandas as pd

MOST_CALLS = 200_000
"""Calls that one drive may send: each is a real boto3 call, about half a millisecond."""


@dataclass
class Call:
    """One call of the driven function: ``sent`` and ``finished`` in seconds since the drive began."""

    number: int
    sent: float
    finished: float = 0.0
    retries: int = 0
    outcome: str = "ok"
    error: str = ""
    message: str = ""
    waits: list[float] = field(default_factory=list, repr=False)
    """The seconds that boto3 waited before each retry."""

    def ended_in(self, error: ClientError) -> None:
        """Enter the service's error in which the call ended."""
        self.error, self.message = error.response["Error"]["Code"], error.response["Error"].get("Message", "")
        self.outcome = "throttled" if self.error in THROTTLES else "error"


@dataclass
class Drive:
    """What came of a drive. ``admitted``: calls that returned; ``refused``: calls that ended in a throttling error,
    after the retries that boto3 made for them; ``failed``: calls that ended in another error of the service.
    """

    began: int
    """The simulated second since lab.start in which the drive began."""
    seconds: float
    log: list[Call] = field(repr=False)
    first_error: ClientError | None = None
    """The first error of the service that a call ended in, to be looked at; None if all calls returned."""

    @property
    def sent(self) -> int:
        """Calls made."""
        return len(self.log)

    @property
    def admitted(self) -> int:
        """Calls that returned."""
        return self._count("ok")

    @property
    def refused(self) -> int:
        """Calls that ended in a throttling error."""
        return self._count("throttled")

    @property
    def failed(self) -> int:
        """Calls that ended in another error of the service."""
        return self._count("error")

    @property
    def retries(self) -> int:
        """Attempts that boto3 made beyond the first ones."""
        return sum(call.retries for call in self.log)

    @cached_property
    def calls(self) -> pd.DataFrame:
        """One row a call: ``number``, ``sent`` and ``finished`` (seconds since the drive began), ``retries``,
        ``outcome`` ("ok", "throttled", "error") and ``error`` (the service's code, empty if it went well).
        """
        import pandas as pd

        rows = [(call.number, call.sent, call.finished, call.retries, call.outcome, call.error) for call in self.log]
        return pd.DataFrame(rows, columns=["number", "sent", "finished", "retries", "outcome", "error"])

    def _count(self, outcome: str) -> int:
        return sum(call.outcome == outcome for call in self.log)

    def __repr__(self) -> str:
        text = f"{self.sent:,} calls in {self.seconds:,.4g} s: {self.admitted:,} admitted, {self.refused:,} refused"
        if self.failed:
            code, message = next((call.error, call.message) for call in self.log if call.outcome == "error")
            text += f", {self.failed:,} failed (the first with {code}: {message})"
        return text + (f", {self.retries:,} retries" if self.retries else "")


def drive(
    function: Callable[..., Any],
    per_second: float | None = None,
    seconds: float | None = None,
    at: Iterable[float] | None = None,
) -> Drive:
    """Call ``function(i)`` for i = 0, 1, 2, ... at a given rate, or at given times, of simulated time.

    Either ``per_second`` and ``seconds``: evenly spaced calls; or ``at``: the seconds from now of each call, in rising
    order (a replayed trace). A drive begins at the next full second of simulated time. A function without a parameter
    is called without i.

    A throttling error that ``function`` lets through counts as refused, another service error as failed; any other
    exception stops the drive and is raised as it is, since it is a fault of the code; a notebook leaves the lab's own
    frames out of its stack. The calls in flight at the end are waited for. Raises LabError for a rate or a duration
    that is not positive, for times that fall, and for more than ``MOST_CALLS`` calls.
    """
    __tracebackhide__ = True  # a notebook folds these frames: what a learner's code raises is theirs
    isolation.require_running()
    if not callable(function):
        raise LabError(f"lab.drive needs a function to call, not {shown(function)}: pass its name, without brackets.")
    if clock.waiter is not None:
        raise LabError("A drive is already running: lab.drive cannot be called from a function that it drives.")
    if at is None:
        rate, duration = _positive("per_second", per_second), _positive("seconds", seconds)
        _bounded(rate * duration)
        offsets = [round(number * MICROSECONDS / rate) for number in range(max(1, round(rate * duration)))]
    elif per_second is None and seconds is None:
        offsets = _offsets(at)
        duration = offsets[-1] / MICROSECONDS
    else:
        raise LabError("lab.drive takes either per_second and seconds, or at, not both.")
    # From a full second on, because partitions are metered by full seconds: two seconds of traffic are two bars.
    began = -(-clock.microseconds // MICROSECONDS) * MICROSECONDS
    clock.can_reach(began + max(duration * MICROSECONDS, offsets[-1]))
    run = _Run(function, offsets, began)
    clock.move_to(began)
    log = run.calls()
    clock.move_to(max(clock.microseconds, began + round(duration * MICROSECONDS)))
    return Drive((began - clock.started) // MICROSECONDS, duration, log, run.first_error)


def _positive(name: str, value: Any) -> float:
    if not is_number(value) or value <= 0:
        raise LabError(f"lab.drive needs {name} as a number above 0, not {shown(value)}.")
    return float(value)


def _bounded(calls: float) -> None:
    if calls > MOST_CALLS:
        raise LabError(
            f"That would be {how_many(calls)} real boto3 calls; one drive may send {MOST_CALLS:,}. "
            "Lower the rate or the time, or send larger items: the limits count units."
        )


def how_many(calls: float) -> str:
    """Return a number of calls in figures, or, where nobody reads those, in short."""
    return f"{calls:,.0f}" if calls < 1e15 else f"{calls:.2g}"


def _offsets(at: Iterable[float]) -> list[int]:
    try:
        if isinstance(at, (str, bytes)):
            raise TypeError(at)
        offsets = [round(float(second) * MICROSECONDS) for second in at]
    except (TypeError, ValueError, OverflowError):
        raise LabError("lab.drive needs at as a list of numbers: the seconds from now of each call.") from None
    _bounded(len(offsets))
    if not offsets or offsets[0] < 0 or any(late < early for early, late in itertools.pairwise(offsets)):
        raise LabError("lab.drive needs at as at least one time, none before 0, in rising order.")
    return offsets


class _Run:
    """The calls of one drive."""

    def __init__(self, function: Callable[..., Any], offsets: list[int], began: int) -> None:
        self.function = function
        self.takes_number = _takes_number(function)
        self.offsets = offsets
        self.began = began
        self.log: list[Call] = []
        self.first_error: ClientError | None = None

    def calls(self) -> list[Call]:
        __tracebackhide__ = True
        simulation = Simulation(MOST_WAITS)
        with (
            held() as holding,
            simulation.running(),
            bar("lab.drive", len(self.offsets)) as advance,
            let_in(holding),
        ):
            for number, offset in enumerate(self.offsets):
                advance(number)
                due = self.began + offset
                simulation.resume_until(due)
                clock.move_to(due)
                call = Call(number, offset / MICROSECONDS)
                self.log.append(call)
                simulation.begin(self.call, call, counts=call)
            simulation.resume_until(None)
        return self.log

    def call(self, call: Call) -> None:
        __tracebackhide__ = True
        try:
            check_result(self.function(call.number) if self.takes_number else self.function())
        except ClientError as error:
            self.first_error = self.first_error or error
            call.ended_in(error)
        except greenlet.GreenletExit:
            raise
        except BaseException as fault:
            when = (clock.microseconds - self.began) / MICROSECONDS
            where = f"call {call.number} of {len(self.offsets):,}, simulated second {when:.6g}"
            fault.add_note(f"lab.drive stopped at {where}.")
            if "IPython" in sys.modules and not hasattr(fault, "_render_traceback_"):
                fault.add_note("The lab's own steps in between are hidden; after %xmode --show they are shown.")
            raise
        call.finished = (clock.microseconds - self.began) / MICROSECONDS


def _takes_number(function: Callable[..., Any]) -> bool:
    if takes(function, 0):
        return True
    if takes(function):
        return False
    raise LabError(
        f"lab.drive calls function(i) with the number of the call, or function() without; yours needs "
        f"{inspect.signature(function)}: wrap it, as in lambda i: {_name(function)}(...)."
    )


def takes(function: Callable[..., Any], *arguments: object) -> bool:
    """Say whether ``function`` can be called with so many arguments; one that does not tell, as some in C, can."""
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _name(function: Callable[..., Any]) -> str:
    name = getattr(function, "__name__", "function")
    return name if name.isidentifier() else "function"


def check_result(result: object) -> None:
    """Raise LabError if a driven function gave something that has yet to run: its requests would never be sent."""
    if inspect.iscoroutine(result):
        result.close()
        raise LabError("The driven function is async, and nothing awaits it: make it a plain def, without await.")
    if isinstance(result, Iterator):
        raise LabError(
            f"The driven function gives a {type(result).__name__}, which does nothing until it is read: send the "
            "requests in a plain def, without yield."
        )
