"""Nothing leaves the process: fake credentials, no profile read, and every request that the lab does not own refused.

Three doors, from the inside out: :func:`own` lets moto see only requests to the lab's services; :class:`Egress` stands
where botocore would send what nothing answered; and AWS's names are not looked up, whichever library asks.
"""

from __future__ import annotations

import functools
import re
import socket
from collections.abc import Callable
from typing import Any, Literal

import boto3
import botocore.configprovider
import botocore.credentials
import botocore.httpsession
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    NoCredentialsError,
    NoRegionError,
    ProfileNotFound,
    UnknownServiceError,
)

from ..errors import LabError, in_short
from .surroundings import ACCESS_KEY, REGION

STOPPED = "The lab is stopped, and it sends nothing to AWS: call lab.start() first, then make the client anew."

NOT_STARTED = "The lab is not running, and it sends nothing to AWS: call lab.start() first, then make the client."

SERVICES = ("dynamodb", "dynamodbstreams", "application-autoscaling", "cloudwatch", "s3", "ssm", "sts")
"""What the lab provides, by boto3's names. moto would answer more of them, in its own time and without capacity."""

# How their hosts begin, after a bucket's name if there is one; then the region, except in a global host.
_ENDPOINT = re.compile(
    r"(?:.+\.)?(?:dynamodb|streams\.dynamodb|application-autoscaling|monitoring|s3|ssm|sts)"
    r"(?:[.-](?P<region>[a-z]{2}(?:-[a-z]+)+-\d+))?\.amazonaws\.com(?:\.cn)?"
)
_NOT_BY_HAND = (
    "Nothing goes from the lab's process to AWS ({}): use plain boto3 after lab.start(), without endpoint_url."
)
_AWS = re.compile(r"(?:.+\.)?(?:amazonaws\.com(?:\.cn)?|api\.aws|amazonaws\.eu)\.?")
_SIGNED_FOR = re.compile(r"Credential=[^/]+/\d+/([^/]+)/")


class Egress:
    """The last door before the network: botocore's HTTP session, and the look-up of AWS's names.

    Shut from the import of the lab on, so that a learner who forgot ``lab.start``, or asks again after ``lab.stop``,
    reaches no real account. Until the start, and after the stop, a server on this machine may be asked.
    """

    def __init__(self) -> None:
        self.state: Literal["not started", "running", "stopped"] = "not started"

    def install(self) -> None:
        """Stand in front of botocore's sender. Called once, when the lab is imported."""
        # Every botocore request that nothing answered in process ends here, credential look-ups included.
        original = botocore.httpsession.URLLib3Session.send

        def send(session: Any, request: Any) -> Any:
            if self.state == "running":
                raise LabError(not_provided(_host(request.url)))
            if ACCESS_KEY in _authorization(request):
                raise LabError("The lab is stopped, and this client belongs to it: call lab.start() first.")
            if not _is_here(request.url):
                raise LabError(NOT_STARTED if self.state == "not started" else STOPPED)
            return original(session, request)

        botocore.httpsession.URLLib3Session.send = send
        # A profile may name a program to run for its credentials, which may ask a person or a server.
        botocore.credentials.ProcessProvider.load = lambda provider: None
        # An endpoint that a user has set for all programs is not meant for the lab; one given to a client is.
        botocore.configprovider.ConfiguredEndpointProvider.provide = lambda provider: None
        look_up = socket.getaddrinfo

        @functools.wraps(look_up)
        def getaddrinfo(host: Any, *args: Any, **more: Any) -> Any:
            name = host.decode("latin-1") if isinstance(host, bytes) else str(host)
            if _AWS.fullmatch(name.lower()):
                raise LabError(_NOT_BY_HAND.format(name))
            return look_up(host, *args, **more)

        socket.getaddrinfo = getaddrinfo


egress = Egress()
"""The process's door."""


def own(answer: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap moto's answer to boto3, so that what the lab does not provide is refused with one sentence.

    ``answer`` takes moto's stubber, an event's name and the request. None goes on to :class:`Egress`.
    """

    @functools.wraps(answer)
    def call(stubber: Any, event_name: str, request: Any, **more: Any) -> Any:
        if not stubber.enabled:
            return None
        host = _host(request.url)
        endpoint = _ENDPOINT.fullmatch(host)
        if not endpoint:
            return None
        signed = _SIGNED_FOR.search(_authorization(request))
        asked = endpoint["region"]
        if asked and signed and asked != signed[1]:
            raise LabError(
                f"{host} is the endpoint of {asked}, and this client is one of {signed[1]}: "
                f'leave endpoint_url out and give region_name="{asked}", or use the lab\'s own {REGION}.'
            )
        if asked and asked not in regions():
            raise LabError(f"AWS has no region {asked}; the lab's own is {REGION}: leave region_name out.")
        try:
            return answer(stubber, event_name, request, **more)
        except (NotImplementedError, ModuleNotFoundError):  # moto's words for what it lacks
            raise LabError(
                f"The lab has not got the operation {_operation(request)} of {host.partition('.')[0]}; "
                "docs/fidelity.md says what it models."
            ) from None

    return call


def only_signed(answer: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap moto's answer to the library requests: a signed address, as boto3 gives out, may be fetched with it."""

    @functools.wraps(answer)
    def call(stubber: Any, request: Any) -> Any:
        if not _authorization(request) and not re.search(r"[?&](?:X-Amz-)?Signature=", request.url):
            raise LabError(_NOT_BY_HAND.format(_host(request.url)))
        return answer(stubber, request)

    return call


@functools.cache
def regions() -> frozenset[str]:
    """Return the names of all regions that botocore knows for DynamoDB."""
    session = boto3.session.Session()
    partitions = session.get_available_partitions()
    return frozenset(name for part in partitions for name in session.get_available_regions("dynamodb", part))


def not_provided(host: str) -> str:
    """Return the sentence about a request to a host that nothing in the running lab answers for."""
    what = f"The lab sends nothing out, and nothing in it answers {host}"
    if _ENDPOINT.fullmatch(host):
        return f"{what} for a client that is older than the lab. Make the client after lab.start()."
    if _AWS.fullmatch(host):
        return f"{what}: the lab has no such service or endpoint. Plain boto3 finds {', '.join(SERVICES)}."
    return f"{what}. Make the client after lab.start(), without endpoint_url."


def require_running() -> None:
    """Raise LabError, saying what to run first, unless the lab runs."""
    if egress.state != "running":
        raise LabError("The lab is not running: call lab.start() first.")


def show_errors_in_short() -> None:
    """From now on a notebook shows botocore's errors as their message and the learner's line, without the stack."""

    def render(error: BaseException) -> list[str]:
        note = _note(error)
        if note and note not in getattr(error, "__notes__", ()):
            error.add_note(note)
        lines = in_short(error)
        if isinstance(error, UnknownServiceError):
            # boto3 goes on with the names of all its services, some four hundred.
            lines[0] = lines[0].partition(" Valid service names are")[0]
        return lines

    for kind in (BotoCoreError, ClientError):
        setattr(kind, "_render_traceback_", render)  # noqa: B010  (mypy knows no such attribute)


def _note(error: BaseException) -> str | None:
    if isinstance(error, UnknownServiceError):
        return f"The lab provides {', '.join(SERVICES)}."
    if isinstance(error, ProfileNotFound) and egress.state == "running":
        return "The lab reads no profile: make the client without one, boto3.client(...) is enough."
    if isinstance(error, (NoCredentialsError, NoRegionError, ProfileNotFound)) and egress.state != "running":
        return NOT_STARTED if egress.state == "not started" else STOPPED
    return None


def _operation(request: Any) -> str:
    """Return the operation that a request names, in the header of a JSON protocol or in the form of a query."""
    target = _text(request.headers.get("X-Amz-Target", "")).rpartition(".")[2]
    if target:
        return target
    named = re.search(r"(?:^|[?&])Action=(\w+)", f"{_text(request.body or '')}&{request.url}")
    return named[1] if named else request.method


def _is_here(url: str) -> bool:
    # A server on this machine, for one that `python -m dynamolab serve` started, is no account of anybody's.
    return _host(url).rpartition(":")[0] in ("127.0.0.1", "localhost", "[::1]")


def _host(url: str) -> str:
    return url.split("//")[-1].split("/")[0].split("?")[0].split("@")[-1].removesuffix(":443")


def _authorization(request: Any) -> str:
    return _text(request.headers.get("Authorization", ""))


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
