"""Starting and stopping the lab, and a lab within the lab for judging exercises."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import boto3
import moto.core.base_backend
import moto.core.responses
from botocore.errorfactory import ClientExceptionsFactory
from moto import mock_aws
from moto.core.botocore_stubber import BotocoreStubber
from moto.core.utils import method_names_from_class
from moto.dynamodb.models.dynamo_type import Item, LimitedSizeDict
from moto.moto_api._internal import mock_random

from ..arguments import is_whole, shown
from ..errors import LabError
from ..interrupts import held, let_in
from ..model.parameters import DEFAULTS, Parameters
from . import counting, expiry, gate, isolation, metering, monitoring, moto_time, replicas, streams, waits, writes
from .clock import clock
from .surroundings import Environment

_environment = Environment()
isolation.egress.install()
isolation.show_errors_in_short()
_mock: Any = None
_backends: Any = moto.core.base_backend.BackendDict
"""moto's registry of all backends in use; emptied and refilled as a whole."""
expiry.deleted += [metering.freed, counting.expired]
_exceptions = ClientExceptionsFactory()
_set_up_default_session = boto3.setup_default_session
_NOT_PROVIDED: tuple[int, dict[str, Any], str] = (404, {}, "Not yet implemented")


def start(seed: int = 7, **parameters: Any) -> None:
    """Begin with an empty, fake eu-west-1 at the fixed first instant; a running lab is emptied and begins again.

    ``seed`` fixes everything random in the lab: request ids, retry jitter. ``parameters`` change numbers of the model,
    by the names in :class:`dynamolab.model.parameters.Parameters`: ``lab.start(seed=7, adaptation="2017")``. Raises
    LabError if the seed is not an integer, for an unknown name, for a value without sense, and in a function that is
    driven.
    """
    global _mock
    if not is_whole(seed):
        raise LabError(f"lab.start needs a whole number as its seed, not {shown(seed)}; for example lab.start(seed=7).")
    seed = int(seed)
    chosen = metering.chosen(parameters)
    _not_driven("start")
    with held():
        _end()
        _begin(seed, chosen)


def _begin(seed: int, chosen: Parameters) -> None:
    global _mock
    metering.use(chosen)
    _environment.enter()
    _mock = mock_aws()
    _mock.start()
    # moto puts its own credentials into the environment; the lab's mark a client as the lab's.
    _environment.enter()
    isolation.egress.state = "running"
    clock.waiter = None
    clock.reset()
    _patch_moto()
    gate.install()
    streams.install()
    expiry.install()
    writes.install()
    expiry.reset(seed)
    replicas.reset(seed)
    monitoring.install()
    monitoring.reset()
    moto_time.simulate(seed)
    waits.simulate(seed)
    boto3.DEFAULT_SESSION = None


def stop() -> None:
    """End the lab: its tables are gone, and credentials, time and botocore are as they were. May be called twice."""
    _not_driven("stop")
    with held():
        _end()


def _not_driven(name: str) -> None:
    if clock.is_driven():
        raise LabError(
            f"lab.{name} cannot be called in a function that lab.drive or lab.run_clients drives: call it before or "
            "after the run."
        )


def _end() -> None:
    global _mock
    if _mock is None:
        return
    waits.restore()
    moto_time.restore()
    monitoring.remove()
    writes.remove()
    expiry.remove()
    streams.remove()
    gate.remove()
    _mock.stop()
    _mock = None
    isolation.egress.state = "stopped"
    _environment.leave()
    boto3.DEFAULT_SESSION = None


def running() -> bool:
    """Say whether the lab has been started and not stopped."""
    return _mock is not None


@dataclass(frozen=True)
class Sandbox:
    """A fresh lab inside the process's lab; ``seed`` is the one it was opened with."""

    seed: int


@contextlib.contextmanager
def sandbox(seed: int) -> Iterator[Sandbox]:
    """Open a fresh, empty lab for the time of a ``with`` block; the learner's own is back afterwards, untouched.

    Its clock starts at the first instant, and the model has its nominal numbers. If no lab was running, none is
    afterwards. Sandboxes may be nested. An interrupt neither opens half of one nor leaves half of one behind.
    """
    with held() as holding, _sandbox(seed) as opened, let_in(holding):
        yield opened


@contextlib.contextmanager
def _sandbox(seed: int) -> Iterator[Sandbox]:
    was_running = running()
    kept: list[tuple[Any, dict[str, Any]]] = []
    clock_state = (clock.microseconds, clock.waiter, clock.agenda)
    parameters = metering.parameters()
    random_state, retries = mock_random.getstate(), waits.save()
    late_and_lag = (expiry.save(), replicas.save())
    if was_running:
        for backend in list(_backends._instances):
            kept.append((backend, dict(backend)))
            backend.clear()
        clock.waiter = None
        clock.reset()
        metering.use(DEFAULTS)
        mock_random.seed(seed)
        waits.jitter.seed(seed)
        waits.renew()
        expiry.reset(seed)
        replicas.reset(seed)
        measured = monitoring.reset()
    else:
        start(seed)
    try:
        yield Sandbox(seed)
    finally:
        if was_running and not running():
            start(seed)  # the judged code called lab.stop(); the learner's lab must be back all the same
        if was_running:
            for backend in list(_backends._instances):
                backend.clear()
            for backend, content in kept:
                backend.update(content)
                if backend not in _backends._instances:
                    _backends._instances.append(backend)
            metering.use(parameters)
            clock.microseconds, clock.waiter, clock.agenda = clock_state
            mock_random.setstate(random_state)
            waits.give_back(retries)
            expiry.reset(late_and_lag[0])
            replicas.restore(late_and_lag[1])
            monitoring.restore(measured)
        else:
            stop()


def _default_session(**kwargs: Any) -> None:
    """Stand in for ``boto3.setup_default_session``.

    Clients of one session share their exceptions, so `except dynamodb.exceptions.X` catches what another client raises.
    boto3's own session is made anew at each start of the lab; a client from before shares them all the same.
    """
    _set_up_default_session(**kwargs)
    boto3.DEFAULT_SESSION._session._internal_components.register_component("exceptions_factory", _exceptions)


@functools.cache
def _patch_moto() -> None:
    """Mend in moto and boto3, once and for good, what would stand between the learner and the service's behaviour."""
    _set(boto3, "setup_default_session", _default_session)
    # A cap of its own, below the service's 400 KB and in another measure: the gate keeps the real one.
    _set(LimitedSizeDict, "__setitem__", dict.__setitem__)
    # moto keeps every item ever made, for a dashboard: a drive of a million writes would fill the memory.
    _set(Item, "__new__", staticmethod(lambda cls, *args, **kwargs: object.__new__(cls)))
    # Looked up by reflection for each request, a tenth of its time.
    _set(moto.core.responses, "method_names_from_class", functools.cache(method_names_from_class))
    _set(BotocoreStubber, "__call__", isolation.own(BotocoreStubber.__call__))
    prepared = isolation.only_signed(BotocoreStubber.process_prepared_request)
    _set(BotocoreStubber, "process_prepared_request", prepared)
    process = BotocoreStubber.process_request

    def process_request(stubber: BotocoreStubber, request: Any) -> Any:
        # Whatever a request changes, it changes as a whole: what is stored, what it costs, what is counted.
        with held():
            answer = process(stubber, request)
        # None sends the request to the network, where the egress guard refuses it with a sentence.
        return None if answer == _NOT_PROVIDED else answer

    _set(BotocoreStubber, "process_request", process_request)


def _set(place: Any, name: str, substitute: Any) -> None:
    setattr(place, name, substitute)
