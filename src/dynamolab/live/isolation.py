"""Nothing leaves the process: fake credentials, no profile read, and every request that moto does not own refused."""

from __future__ import annotations

import os
from typing import Any, Literal

import botocore.httpsession
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError

from ..errors import LabError, in_short

REGION = "eu-west-1"
ACCESS_KEY = "AKIADYNAMOLABNOTREAL"
"""The lab's access key id: it marks a client as the lab's, even after the lab has stopped."""

NOT_STARTED = "The lab is not running, and it sends nothing to AWS: call lab.start() first, then make the client."

_FAKE = {
    "AWS_ACCESS_KEY_ID": ACCESS_KEY,
    "AWS_SECRET_ACCESS_KEY": "not-a-secret",
    "AWS_DEFAULT_REGION": REGION,
    "AWS_REGION": REGION,
    # A profile may name another endpoint or credentials; with no files there are no profiles.
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
    # An ARN in a request, as in those on streams, would take boto3 to a host of the account's own, which moto lacks.
    "AWS_ACCOUNT_ID_ENDPOINT_MODE": "disabled",
    "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true",
}
_PROXIES = {"http_proxy", "https_proxy", "all_proxy", "no_proxy"}


class Environment:
    """Swaps every AWS and proxy setting of the process's environment for the lab's, and back."""

    def __init__(self) -> None:
        self._kept: dict[str, str] | None = None

    def enter(self) -> None:
        """Hide the user's settings and put the lab's in their place."""
        if self._kept is None:
            self._kept = {name: value for name, value in os.environ.items() if _is_setting(name)}
        self._clear()
        os.environ.update(_FAKE)

    def leave(self) -> None:
        """Put the user's settings back."""
        if self._kept is not None:
            self._clear()
            os.environ.update(self._kept)
            self._kept = None

    @staticmethod
    def _clear() -> None:
        for name in [name for name in os.environ if _is_setting(name)]:
            del os.environ[name]


def _is_setting(name: str) -> bool:
    return name.upper().startswith(("AWS_", "BOTO_", "MOTO_")) or name.lower() in _PROXIES


class Egress:
    """The last door before the network: botocore's HTTP session.

    Shut from the import of the lab to its stop, so that a learner who forgot ``lab.start`` reaches no real account; and
    for the lab's clients also afterwards, since their credentials are worthless elsewhere.
    """

    def __init__(self) -> None:
        self.state: Literal["not started", "running", "stopped"] = "not started"

    def install(self) -> None:
        """Stand in front of botocore's sender. Called once, when the lab is imported."""
        # Every botocore request that nothing answered in process ends here, credential look-ups included.
        original = botocore.httpsession.URLLib3Session.send

        def send(session: Any, request: Any) -> Any:
            if self.state == "not started" and not _is_here(request.url):
                raise LabError(NOT_STARTED)
            if self.state == "running":
                raise LabError(
                    f"The lab does not send requests out, and nothing in it answers {_host(request.url)}. "
                    "Make the client after lab.start(), without endpoint_url; if you did, the lab has no such service."
                )
            if ACCESS_KEY in _authorization(request):
                raise LabError("The lab is stopped, and this client belongs to it: call lab.start() first.")
            return original(session, request)

        botocore.httpsession.URLLib3Session.send = send


egress = Egress()
"""The process's door."""


def require_running() -> None:
    """Raise LabError, saying what to run first, unless the lab runs."""
    if egress.state != "running":
        raise LabError("The lab is not running: call lab.start() first.")


def show_errors_in_short() -> None:
    """From now on a notebook shows botocore's errors as their message and the learner's line, without the stack."""

    def render(error: BaseException) -> list[str]:
        if isinstance(error, NoCredentialsError):
            error.add_note(NOT_STARTED)
        return in_short(error)

    for kind in (BotoCoreError, ClientError):
        setattr(kind, "_render_traceback_", render)  # noqa: B010  (mypy knows no such attribute)


def _is_here(url: str) -> bool:
    # A server on this machine, for one that `python -m dynamolab serve` started, is no account of anybody's.
    return _host(url).rpartition(":")[0] in ("127.0.0.1", "localhost", "[::1]")


def _host(url: str) -> str:
    return url.split("//")[-1].split("/")[0].split("@")[-1]


def _authorization(request: Any) -> str:
    value = request.headers.get("Authorization", "")
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
