"""A learner's worst settings, and a watch over everything that a gate starts: nothing may leave the machine.

`hostile` yields the environment of a gate: credentials, profiles, a program that makes credentials, an SSO cache,
endpoints, proxies and container addresses, all of which lead either to names that do not exist or to the canary, a
port on this machine that counts who asks. Afterwards `Watch.left` says what tried to leave, and by which test.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

GUARD = Path(__file__).parent / "guard" / "sitecustomize.py"
SETTINGS = "DYNAMOLAB_HOSTILE_SETTINGS"
"""Names the file from which the builder gives these settings to its kernels too; see `build.kernel_environment`."""

# The documentation's own example of a key: real in shape, worthless in fact.
KEY, SECRET = "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
CONFIG = """\
[default]
region = us-west-2
credential_process = {program} default
endpoint_url = http://127.0.0.1:{port}
services = mine
defaults_mode = in-region
[profile prod]
region = us-west-2
credential_process = {program} prod
endpoint_url = http://127.0.0.1:{port}
[profile role]
role_arn = arn:aws:iam::111122223333:role/admin
source_profile = single
[profile single]
sso_session = ours
sso_account_id = 111122223333
sso_role_name = admin
region = us-west-2
[sso-session ours]
sso_start_url = https://ours.awsapps.com/start
sso_region = us-west-2
[services mine]
dynamodb =
  endpoint_url = http://127.0.0.1:{port}/dynamodb
"""


@dataclass
class Watch:
    """What was seen while a gate ran: who asked the canary, what the guard refused, how many processes it was in."""

    folder: Path
    environment: dict[str, str]
    asked: list[str] = field(default_factory=list)

    def left(self) -> list[str]:
        """Return a line for each attempt to leave the machine since the last time, and forget them."""
        lines = [f"{each['host']} ({each['how']}) in {each['test']}: {_last(each)}" for each in self._take("attempts")]
        lines += [f"a program for credentials was run: {each['process']}" for each in self._take("programs")]
        lines += [f"the canary was asked: {text}" for text in self.asked]
        self.asked.clear()
        return lines

    def processes(self) -> list[list[str]]:
        """Return the command lines of the Python processes that the guard was in since the last time."""
        return [each["process"] for each in self._take("watched")]

    def _take(self, name: str) -> list[dict[str, list[str]]]:
        path = self.folder / name
        if not path.exists():
            return []
        found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        path.unlink()
        return found


def _last(attempt: Mapping[str, list[str]]) -> str:
    """Name the innermost line that is not the standard library's own."""
    ours = [line for line in attempt["stack"] if "/lib/python" not in line or "site-packages" in line]
    return f"{(ours or attempt['stack'])[-1]}, process {' '.join(attempt['process'])[:200]}"


@contextlib.contextmanager
def hostile(before: Mapping[str, str]) -> Iterator[Watch]:
    """Yield a watch whose ``environment`` is the given one with a learner's worst settings, and the guard in it."""
    with (
        tempfile.TemporaryDirectory(prefix="gates-", ignore_cleanup_errors=True) as name,
        socket.create_server(("127.0.0.1", 0)) as canary,
    ):
        folder = Path(name)
        watch = Watch(folder, {})
        port = canary.getsockname()[1]
        settings = _settings(folder, port)
        (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        watch.environment = {**before, **settings, SETTINGS: str(folder / "settings.json")}
        threading.Thread(target=_count, args=(canary, watch.asked), daemon=True).start()
        yield watch


def _settings(folder: Path, port: int) -> dict[str, str]:
    home = folder / "home"
    (home / ".aws" / "sso" / "cache").mkdir(parents=True)
    (folder / "guard").mkdir()
    # A copy, since a path in PYTHONPATH may hold no colon and the repository's may.
    shutil.copy(GUARD, folder / "guard")
    program = home / "credentials"
    mark = json.dumps({"process": ["credential_process"]})
    program.write_text(f"#!/bin/sh\necho '{mark}' >> '{folder}/programs'\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    config = CONFIG.format(program=program, port=port)
    (home / ".aws" / "config").write_text(config, encoding="utf-8")
    (home / ".aws" / "credentials").write_text(
        f"[default]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n", encoding="utf-8"
    )
    token = {
        "startUrl": "https://ours.awsapps.com/start",
        "region": "us-west-2",
        "accessToken": "EXAMPLE",
        "expiresAt": "2099-01-01T00:00:00Z",
    }
    cached = hashlib.sha1(b"ours").hexdigest()  # how botocore names the file of the session `ours`
    (home / ".aws" / "sso" / "cache" / f"{cached}.json").write_text(json.dumps(token), encoding="utf-8")
    boto = f"[Credentials]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n"
    (home / ".boto").write_text(boto, encoding="utf-8")
    (home / "token").write_text("EXAMPLE", encoding="utf-8")
    here = f"http://127.0.0.1:{port}"
    return {
        "HOME": str(home),
        "PYTHONPATH": str(folder / "guard"),
        "EGRESS_LOG": str(folder),
        "EGRESS_CANARY": str(port),
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_SESSION_TOKEN": "EXAMPLETOKEN",
        "AWS_PROFILE": "prod",
        "AWS_DEFAULT_REGION": "us-west-2",
        "AWS_REGION": "us-west-2",
        "AWS_CONFIG_FILE": str(home / ".aws" / "config"),
        "AWS_SHARED_CREDENTIALS_FILE": str(home / ".aws" / "credentials"),
        "AWS_ENDPOINT_URL": here,
        "AWS_ENDPOINT_URL_DYNAMODB": f"{here}/dynamodb",
        "AWS_CA_BUNDLE": str(home / "no-such-bundle.pem"),
        "AWS_USE_FIPS_ENDPOINT": "true",
        "AWS_USE_DUALSTACK_ENDPOINT": "true",
        "AWS_DEFAULTS_MODE": "in-region",
        "AWS_RETRY_MODE": "adaptive",
        "AWS_MAX_ATTEMPTS": "9",
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": f"{here}/credentials",
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/credentials",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN": "EXAMPLE",
        "AWS_WEB_IDENTITY_TOKEN_FILE": str(home / "token"),
        "AWS_ROLE_ARN": "arn:aws:iam::111122223333:role/admin",
        "AWS_EC2_METADATA_SERVICE_ENDPOINT": here,
        "BOTO_CONFIG": str(home / ".boto"),
        "TEST_SERVER_MODE": "true",  # moto's own: it would ask a server of moto's
        "TEST_SERVER_MODE_ENDPOINT": here,
        "HTTP_PROXY": here,
        "HTTPS_PROXY": here,
        "ALL_PROXY": here,
        "http_proxy": here,
        "https_proxy": here,
        # As anyone behind a proxy has it: JupyterLab's own page is not fetched through it.
        "NO_PROXY": "localhost,127.0.0.1,::1",
        "no_proxy": "localhost,127.0.0.1,::1",
    }


def _count(canary: socket.socket, asked: list[str]) -> None:
    while True:
        try:
            connection, _ = canary.accept()
        except OSError:  # closed: the gates are over
            return
        with connection:
            connection.settimeout(2)
            with contextlib.suppress(OSError):
                asked.append(connection.recv(200).decode("latin-1").partition("\r\n")[0])
                continue
            asked.append("nothing was said")
