"""The settings of a process that AWS's libraries read: a user's own swapped for the lab's, and back.

Nothing of botocore or moto is imported here, so that this can be done before they are.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Iterator

REGION = "eu-west-1"
ACCESS_KEY = "AKIADYNAMOLABNOTREAL"
"""The lab's access key id: it marks a client as the lab's, even after the lab has stopped."""

FAKE = {
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
# moto's own settings: one has it send everything to a server of moto's, one enforces IAM, one resizes an upload.
_PREFIXES = ("AWS_", "BOTO_", "MOTO_", "TEST_SERVER_MODE", "TEST_PROXY_MODE", "INITIAL_NO_AUTH_ACTION_COUNT", "S3_")


class Environment:
    """Swaps every AWS, moto and proxy setting of the process's environment for the lab's, and back."""

    def __init__(self) -> None:
        self._kept: dict[str, str] | None = None

    def enter(self) -> None:
        """Hide the user's settings and put the lab's in their place."""
        if self._kept is None:
            self._kept = {name: value for name, value in os.environ.items() if _is_setting(name)}
        self._clear()
        os.environ.update(FAKE)
        _reread()

    def leave(self) -> None:
        """Put the user's settings back."""
        if self._kept is not None:
            self._clear()
            os.environ.update(self._kept)
            self._kept = None
            _reread()

    @staticmethod
    def _clear() -> None:
        for name in [name for name in os.environ if _is_setting(name)]:
            del os.environ[name]


def _is_setting(name: str) -> bool:
    return name.upper().startswith(_PREFIXES) or name.lower() in _PROXIES


def _reread() -> None:
    # moto reads some of its settings once, when it is imported; a moto that could not be imported leaves them behind.
    if "moto" in sys.modules and "moto.settings" in sys.modules:
        importlib.reload(sys.modules["moto.settings"])


@contextlib.contextmanager
def hidden() -> Iterator[None]:
    """Keep the user's settings out of a ``with`` block."""
    environment = Environment()
    environment.enter()
    try:
        yield
    finally:
        environment.leave()
