"""Running a learner's code: under a budget, without its prints, and with the one line of it that raised.

The budget counts lines of the learner's own code and requests to the lab, so a loop without end stops at the
same place on every machine. Library code is not counted line by line. What cannot be stopped from inside one
process is a loop without end inside a C function, or one that catches everything and never asks the lab.
"""

from __future__ import annotations

import contextlib
import dis
import inspect
import io
import linecache
import os
import re
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType, FrameType, TracebackType
from typing import Any
from unittest import mock

from ..arguments import shown
from ..interrupts import held, let_in
from ..live import clock
from .verdicts import Judged, Verdict, wrong

LINES = 6_000_000
"""Lines of the learner's code that one check may run: about a second, far more than an answer needs."""

LINES_PER_SLEEP = 10_000
"""What one ``time.sleep`` counts for: a loop that only sleeps ends after 600 of them."""

REQUESTS = 1_000
"""Requests to the lab that one check may make unless its judge sets less; boto3's retries are not counted."""

SECONDS = 30.0
"""Wall-clock seconds after which a check stops waiting, for code that does little and takes long."""

WRONG_TYPE = "wrong_type"
SHARED_MISCONCEPTIONS = {WRONG_TYPE: "not the kind of answer that was asked for"}
"""What a wrong answer to any question can show."""


class Stopped(BaseException):
    """The budget is spent. Not an ``Exception``: a learner's ``except Exception`` must not swallow it."""


@dataclass
class Request:
    """One request that the learner's code sent to the lab, and the units that it consumed."""

    operation: str
    parameters: Mapping[str, Any]
    units: float = 0.0


@dataclass
class Attempt:
    """How one call of a learner's function ended: with a value or with an exception."""

    value: Any = None
    error: BaseException | None = None


@dataclass
class Learner:
    """Calls the learner's functions for one check and remembers what they asked of the lab.

    ``requests`` holds every request in the order it was sent. ``refuse`` may name requests that are to be
    refused as after boto3's last retry: it is asked about each and answers with the exception's code or None.
    """

    requests: list[Request] = field(default_factory=list)
    refuse: Callable[[Request], str | None] | None = None
    most_requests: int = REQUESTS
    _lines: int = 0
    _stopped: str | None = None
    _deadline: float = 0.0

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what the function gives; an exception, a spent budget or a stub's ``...`` ends it all.

        An iterator is read to its end and comes back as a list.
        """
        return self.each(function, [arguments])[0]

    def each(self, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]) -> list[Any]:
        """Return what the function gives for each tuple of arguments, under the terms of :meth:`call`."""
        answers = []
        with self._watched():
            for arguments in calls:
                attempt = self._attempt(function, arguments)
                if attempt.error is not None:
                    raise Judged(self._raised(attempt.error, function, arguments))
                if attempt.value is ...:
                    raise Judged(Verdict("not attempted", (f"{_name(function)} still returns `...`.",)))
                answers.append(attempt.value)
        return answers

    def attempt(self, function: Callable[..., Any], *arguments: Any) -> Attempt:
        """Return how the call ended, an exception included; only a spent budget ends the judgement."""
        with self._watched():
            return self._attempt(function, arguments)

    def _attempt(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Attempt:
        try:
            value = function(*arguments)
            # Reading an iterator runs the learner's code, so it is read here, inside the budget.
            return Attempt(list(value) if isinstance(value, Iterator) else value)
        except Stopped:
            raise
        except (Exception, SystemExit, GeneratorExit) as error:
            return Attempt(error=error)

    def _raised(self, error: BaseException, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Verdict:
        place = _place(error.__traceback__)
        where = f", in {place}" if place else ""
        what = f"{type(error).__name__}: {_message(error)}{where}"
        return Verdict("raised", (what, f"The call was {_call(function, arguments)}."))

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        """While the body runs: count lines and requests, swallow prints, sleep in simulated time."""
        self._deadline = time.monotonic() + SECONDS
        ours, threads = sys.gettrace(), threading.gettrace()
        with (
            held() as holding,
            contextlib.redirect_stdout(_Nowhere()),
            contextlib.redirect_stderr(_Nowhere()),
            mock.patch("time.sleep", self._sleeping()),
            mock.patch("botocore.client.BaseClient._make_api_call", self._counting()),
        ):
            threading.settrace(self._trace)
            sys.settrace(self._trace)
            try:
                with let_in(holding):
                    yield
            except Stopped:
                pass
            finally:
                sys.settrace(ours)
                threading.settrace(threads)
        if self._stopped is not None:
            raise Judged(Verdict("raised", (self._stopped,)))

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._trace_line(frame, event, argument) if _is_learners(frame.f_code) else None

    def _trace_line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self._lines += 1
            if self._lines > LINES or self._stopped or time.monotonic() > self._deadline:
                self._stop(
                    f"Stopped: your code ran more than {LINES:,} lines, or longer than {SECONDS:.0f} s. "
                    "Is there a loop that does not end?"
                )
        return self._trace_line

    def _sleeping(self) -> Callable[[float], None]:
        real, home = time.sleep, threading.get_ident()

        def sleep(seconds: float) -> None:
            # A kernel has threads of its own, which sleep in a loop: theirs stays real.
            if threading.get_ident() == home or sys.gettrace() == self._trace:
                self._lines += LINES_PER_SLEEP
                clock.sleep(seconds)
            else:
                real(seconds)

        return sleep

    def _counting(self) -> Callable[..., Any]:
        from botocore.client import BaseClient

        original = BaseClient._make_api_call

        def counted(client: Any, operation: str, parameters: dict[str, Any]) -> Any:
            return self._request(original, client, operation, parameters)

        return counted

    def _request(self, original: Any, client: Any, operation: str, parameters: dict[str, Any]) -> Any:
        if self._stopped or len(self.requests) >= self.most_requests:
            self._trace_again()
            self._stop(
                f"Stopped: your code sent more than {self.most_requests:,} requests to the lab, the last a "
                f"{operation}. Is there a loop that asks the same thing again?"
            )
        request = Request(operation, dict(parameters))
        self.requests.append(request)
        code = self.refuse(request) if self.refuse else None
        if code is not None:
            raise client.exceptions.from_code(code)(_refusal(code), operation)
        shape = client.meta.service_model.operation_model(operation).input_shape
        hidden = (
            shape is not None
            and "ReturnConsumedCapacity" in shape.members
            and parameters.get("ReturnConsumedCapacity", "NONE") == "NONE"
        )
        with _untraced():
            answer = original(
                client, operation, {**parameters, "ReturnConsumedCapacity": "TOTAL"} if hidden else parameters
            )
        request.units = _units(answer.get("ConsumedCapacity", []))
        if hidden:
            answer.pop("ConsumedCapacity", None)
        return answer

    def _trace_again(self) -> None:
        """Turn tracing on again in every running function of the learner's: an exception turns it off.

        A bare ``except:`` may swallow the stop; the next line of the learner's code, in its handler, stops it
        again.
        """
        frame: FrameType | None = sys._getframe()
        sys.settrace(self._trace)
        while frame is not None:
            if _is_learners(frame.f_code):
                frame.f_trace = self._trace_line
            frame = frame.f_back

    def _stop(self, why: str) -> None:
        self._stopped = self._stopped or why
        raise Stopped(why)


class _Nowhere(io.TextIOBase):
    """Where a learner's prints go while they are judged: kept, they could fill the memory."""

    def write(self, text: str) -> int:
        return len(text)


@contextlib.contextmanager
def _untraced() -> Iterator[None]:
    """Count no lines in the body: thousands of library calls to a request, none of them the learner's."""
    tracing = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracing)


_STUB_STEPS = {"RESUME", "NOP", "LOAD_CONST", "POP_TOP", "RETURN_VALUE", "RETURN_CONST"}


def is_stub(answer: Any) -> bool:
    """Say whether an answer is what the exercise came with: nothing, ``...``, a function without body."""
    if answer is None or answer is ...:
        return True
    if isinstance(answer, tuple):
        return any(is_stub(part) for part in answer)
    code = getattr(answer, "__code__", None)
    if not isinstance(code, CodeType):
        return False
    # A body of `...`, `pass` or `return ...` does nothing but give back None or `...`.
    steps = list(dis.get_instructions(code))
    given = [step.argval for step in steps if step.opname in ("LOAD_CONST", "RETURN_CONST")]
    return {step.opname for step in steps} <= _STUB_STEPS and set(given) <= {None, ...}


def a_function(answer: Any, name: str, *parameters: str) -> Callable[..., Any]:
    """Return the answer if it is a function that takes these parameters; else end the judgement."""
    wanted = f"{name}({', '.join(parameters)})"
    if not callable(answer):
        wrong(
            WRONG_TYPE,
            f"The check needs the function {wanted} itself; it got {_kind(answer)}.",
            f"Pass its name without calling it: {name}.",
        )
    try:
        inspect.signature(answer).bind(*parameters)
    except TypeError:
        wrong(WRONG_TYPE, f"The check calls {wanted}; yours is {_name(answer)}{inspect.signature(answer)}.")
    except ValueError:
        pass  # Some built-in functions tell no signature: calling them will show.
    function: Callable[..., Any] = answer
    return function


def a_number(answer: Any, what: str) -> float:
    """Return the answer as a float if it is a number of any kind; else end the judgement."""
    if not isinstance(answer, bool | str | bytes):
        try:
            return float(answer)
        except (TypeError, ValueError, OverflowError):
            pass
    wrong(WRONG_TYPE, f"The check needs a number ({what}); it got {_kind(answer)}.")


def _kind(answer: Any) -> str:
    text = _without_addresses(shown(answer))
    return f"{type(answer).__name__} {text if len(text) <= 60 else text[:57] + '...'}"


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", None) or getattr(function, "co_name", None) or type(function).__name__)


def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    shown = [repr(a) if isinstance(a, str | int | float | tuple) else _article(a) for a in arguments]
    return f"{_name(function)}({', '.join(shown)})"


def _article(value: Any) -> str:
    return {"DynamoDB": "dynamodb"}.get(type(value).__name__, f"a {type(value).__name__}")


def _message(error: BaseException) -> str:
    line = _without_addresses(" ".join(message_of(error).split()))
    return line if len(line) <= 250 else line[:247] + "..."


def message_of(error: BaseException) -> str:
    """Return what an exception says, also if a learner's own one cannot be asked."""
    try:
        return str(error)
    except (Exception, SystemExit):
        return "(its message cannot be shown)"


def raised_while_judged(error: BaseException) -> Verdict:
    """Return the verdict on an answer that raised when it was looked at, not when it was called."""
    place = _place(error.__traceback__)
    where = f", in {place}" if place else ""
    return Verdict("raised", (f"{type(error).__name__}: {_message(error)}{where}", "Your answer cannot be looked at."))


def _without_addresses(text: str) -> str:
    return re.sub(r"0x[0-9a-fA-F]{6,}", "0x...", text)


def _place(trace: TracebackType | None) -> str | None:
    """Name the last line of the learner's own code in a traceback: ``suffix, line 2: return id % n``."""
    found = None
    while trace is not None:
        if _is_learners(trace.tb_frame.f_code):
            found = trace
        trace = trace.tb_next
    if found is None:
        return None
    code = found.tb_frame.f_code
    source = linecache.getline(code.co_filename, found.tb_lineno).strip()
    return f"{code.co_name}, line {found.tb_lineno}" + (f": {source}" if source else "")


_LIBRARIES = tuple(
    os.path.normcase(os.path.realpath(path)) + os.sep
    for path in {
        *(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
    }
)
_known: dict[str, bool] = {}


def _is_learners(code: CodeType) -> bool:
    """Say whether a function is the learner's: it stands neither in a library nor in this package."""
    name = code.co_filename
    if name not in _known:
        path = os.path.normcase(os.path.realpath(name))
        _known[name] = not name.startswith("<frozen") and not path.startswith(_LIBRARIES)
    return _known[name]


def _units(consumed: Any) -> float:
    entries = consumed if isinstance(consumed, list) else [consumed]
    return float(sum(entry.get("CapacityUnits", 0.0) for entry in entries))


def _refusal(code: str) -> dict[str, Any]:
    text = "Throughput exceeds the current capacity of your table or index."
    return {"Error": {"Code": code, "Message": text}, "ResponseMetadata": {"HTTPStatusCode": 400}}
