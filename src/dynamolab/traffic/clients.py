"""Several named boto3 clients at once, each with its own retries, in simulated time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from ..arguments import is_number, shown, whole
from ..errors import LabError
from ..interrupts import held, let_in
from ..live import clock, isolation
from ..model.meters import MICROSECONDS
from ..patience import bar
from .drive import MOST_CALLS, Call, check_result, how_many, takes
from .simulation import Simulation

if TYPE_CHECKING:
    import pandas as pd

Mode = Literal["legacy", "standard", "adaptive"]
_LOOKS = 500
"""Steps of a run between which its progress bar may move."""
_COLUMNS = ["client", "number", "sent", "finished", "retries", "outcome", "error"]


@dataclass(frozen=True)
class Client:
    """One client: a name, and what it does with a boto3 client of its own, as ``function(dynamodb, i)``.

    ``per_second``: an open loop, calls sent at that rate whether or not earlier ones have returned, evenly spaced or,
    with ``random_arrivals``, as independent customers come. ``pause``: a closed loop, the next call so many seconds
    after the last one ended. ``retries``: boto3's retry mode, ``attempts`` its total attempts (None: boto3's default).
    """

    name: str
    function: Callable[[Any, int], Any]
    per_second: float | None = None
    pause: float | None = None
    retries: Mode = "standard"
    attempts: int | None = None
    random_arrivals: bool = False


@dataclass
class ClientCall(Call):
    """One call of one client, whose name is ``client``; its times are seconds since the run began."""

    client: str = ""


@dataclass
class ClientsRun:
    """What came of a run of several clients; printed, one line for each of them."""

    began: int
    """The simulated second since lab.start in which the run began."""
    seconds: float
    names: list[str]
    log: list[ClientCall] = field(repr=False)

    @cached_property
    def calls(self) -> pd.DataFrame:
        """One row a call: ``client``, ``number``, ``sent``, ``finished`` (seconds since the run began), ``retries``,
        ``outcome`` ("ok", "throttled", "error", or "raised" for an exception of the code's own) and ``error``.
        """
        import pandas as pd

        return pd.DataFrame([[getattr(call, name) for name in _COLUMNS] for call in self.log], columns=_COLUMNS)

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row a client: ``client``, ``sent``, ``ok``, ``throttled``, ``error``, ``raised``, ``retries``, and
        ``seconds``: how long a call took on average, waits for retries included.
        """
        import pandas as pd

        rows = []
        for name in self.names:
            calls = [call for call in self.log if call.client == name]
            outcomes = [call.outcome for call in calls]
            took = sum(call.finished - call.sent for call in calls)
            counts = [outcomes.count(outcome) for outcome in ("ok", "throttled", "error", "raised")]
            retries = sum(call.retries for call in calls)
            rows.append([name, len(calls), *counts, retries, took / len(calls) if calls else 0.0])
        return pd.DataFrame(
            rows, columns=["client", "sent", "ok", "throttled", "error", "raised", "retries", "seconds"]
        )

    @property
    def faults(self) -> dict[str, str]:
        """The exception that ended a client, by the client's name; the others went on."""
        return {call.client: f"{call.error}: {call.message}" for call in self.log if call.outcome == "raised"}

    def __repr__(self) -> str:
        lines = [f"{len(self.names)} clients in {self.seconds:,.4g} s"]
        for row in self.summary.itertuples():
            text = f"{row.client}: {row.sent:,} calls, {row.ok:,} ok, {row.throttled:,} throttled"
            text += f", {row.error:,} failed" if row.error else ""
            text += f", {row.retries:,} retries" if row.retries else ""
            fault = self.faults.get(str(row.client))
            lines.append(text + (f"; ended by {fault}" if fault else ""))
        return "\n".join(lines)


def run_clients(clients: Iterable[Client], seconds: float, *, seed: int = 7) -> ClientsRun:
    """Run all clients together for so many simulated seconds; calls in flight at the end are waited for.

    ``seed`` fixes random arrivals. A throttling error that a function lets through ends its call as "throttled",
    another error of the service as "error", and the client goes on; any other exception ends its client alone. Raises
    LabError for clients without sense, two of one name, and a run within a run.
    """
    isolation.require_running()
    if clock.waiter is not None:
        raise LabError("A run is already under way: lab.run_clients cannot be called from a function that it drives.")
    everyone = list(clients) if isinstance(clients, Iterable) else [clients]
    _check(everyone, seconds)
    # From a full second on, because partitions are metered by full seconds.
    began = -(-clock.microseconds // MICROSECONDS) * MICROSECONDS
    clock.move_to(began)
    run = _Run(everyone, began, began + round(seconds * MICROSECONDS), seed)
    run.go()
    clock.move_to(max(clock.microseconds, run.end))
    names = [client.name for client in everyone]
    return ClientsRun((began - clock.started) // MICROSECONDS, seconds, names, run.log)


def _check(clients: list[Client], seconds: Any) -> None:
    if not _positive(seconds):
        raise LabError(f"lab.run_clients needs seconds as a number above 0, not {shown(seconds)}.")
    strangers = [shown(each) for each in clients if not isinstance(each, Client)]
    if strangers or not clients:
        raise LabError(
            "lab.run_clients needs a list of clients such as [lab.Client('shop', function, per_second=10)], not "
            f"{f'one with {strangers[0]}' if strangers else 'an empty one'}."
        )
    for client in clients:
        if not isinstance(client.name, str):
            raise LabError(f"A client's name is text, not {shown(client.name)}.")
    names = [client.name for client in clients]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise LabError(f"Two clients are called {twice!r}: give each a name of its own.")
    for client in clients:
        if not callable(client.function) or not takes(client.function, None, 0):
            raise LabError(
                f"The client {client.name!r} needs a function of (dynamodb, i), not {shown(client.function)}."
            )
        if (client.per_second is None) == (client.pause is None):
            raise LabError(f"The client {client.name!r} needs either per_second (open loop) or pause (closed loop).")
        given = client.pause if client.per_second is None else client.per_second
        if not _positive(given):
            raise LabError(
                f"The client {client.name!r} needs its per_second or pause as a number above 0, not {shown(given)}: "
                "a request takes no simulated time."
            )
        if client.retries not in get_args(Mode):
            raise LabError(
                f"The client {client.name!r} retries as legacy, standard or adaptive, not {shown(client.retries)}."
            )
        if client.attempts is not None:
            whole(f"the attempts of the client {client.name!r}", client.attempts, 1)
    calls = sum(seconds * (client.per_second or 1 / (client.pause or 1)) for client in clients)
    if calls > MOST_CALLS:
        raise LabError(f"That could be {how_many(calls)} real boto3 calls; one run may send {MOST_CALLS:,}.")


def _positive(value: Any) -> bool:
    return is_number(value) and value > 0


class _Run:
    def __init__(self, clients: list[Client], began: int, end: int, seed: int) -> None:
        self.clients, self.began, self.end, self.seed = clients, began, end, seed
        self.log: list[ClientCall] = []
        self.ended: set[str] = set()
        self.simulation = Simulation()

    def go(self) -> None:
        made = [(client, _boto3(client)) for client in self.clients]
        with (
            held() as holding,
            self.simulation.running(),
            bar("lab.run_clients", self.end - self.began) as advance,
            let_in(holding),
        ):
            for client, dynamodb in made:
                self.simulation.begin(self.open if client.pause is None else self.closed, client, dynamodb)
            for due in range(self.began, self.end, max(1, (self.end - self.began) // _LOOKS)):
                self.simulation.resume_until(due)  # in steps, only so that a bar can be shown between them
                advance(due - self.began)
            self.simulation.resume_until(None)

    def open(self, client: Client, dynamodb: Any) -> None:
        """Send a client's calls at their times, each in a greenlet of its own."""
        for number, due in enumerate(self.arrivals(client)):
            clock.sleep((due - clock.microseconds) / MICROSECONDS)
            if client.name in self.ended:
                return
            self.simulation.begin(self.call, client, dynamodb, number)

    def closed(self, client: Client, dynamodb: Any) -> None:
        """Send a client's calls one after the other."""
        number = 0
        while clock.microseconds < self.end and client.name not in self.ended:
            self.call(client, dynamodb, number)
            number += 1
            clock.sleep(client.pause or 0.0)

    def arrivals(self, client: Client) -> Iterator[int]:
        rate = client.per_second or 1.0
        draw = random.Random(f"{self.seed} {client.name}")
        number, due = 0, float(self.began)
        while True:
            if client.random_arrivals:
                due += draw.expovariate(rate) * MICROSECONDS
            else:
                due = self.began + number * MICROSECONDS / rate
            if round(due) >= self.end:
                return
            yield round(due)
            number += 1

    def call(self, client: Client, dynamodb: Any, number: int) -> None:
        call = ClientCall(number, self.since_start(), client=client.name)
        self.log.append(call)
        self.simulation.count_for(call)
        try:
            check_result(client.function(dynamodb, number))
        except ClientError as error:
            call.ended_in(error)
        except Exception as fault:
            call.outcome, call.error, call.message = "raised", type(fault).__name__, str(fault)
            self.ended.add(client.name)
        call.finished = self.since_start()
        self.simulation.count_for(None)

    def since_start(self) -> float:
        return (clock.microseconds - self.began) / MICROSECONDS


def _boto3(client: Client) -> Any:
    retries: dict[str, Any] = {"mode": client.retries}
    if client.attempts is not None:
        retries["total_max_attempts"] = client.attempts
    return boto3.client("dynamodb", config=Config(retries=retries))
