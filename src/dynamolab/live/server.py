"""The lab over HTTP, in real time: for the AWS CLI, NoSQL Workbench, or a program in another language.

A request takes the same way into moto as one of boto3 in a notebook, through the same gate. What is added here is
what the service's front end does before an operation begins: the transport, the signature's region, the request's
form. Signatures are not verified, so any credentials will do.
"""

from __future__ import annotations

import datetime as dt
import errno
import http.server
import json
import os
import re
import signal
import socket
import socketserver
import sys
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import botocore.session
from botocore.awsrequest import AWSPreparedRequest, HeadersDict
from moto.core import botocore_stubber
from moto.utilities.aws_headers import gen_amzn_requestid_long

from ..arguments import shown, typed
from ..errors import LabError
from . import session, wire
from .clock import clock

MAX_BODY_BYTES = 16 * 1024 * 1024
"""The largest request body the service accepts; one byte more is answered with HTTP 413 and no body."""

# A body too large is read to its end all the same, for a client that is cut off while it sends never sees the answer.
# Past this length nobody is waiting for an answer.
_GIVE_UP_BYTES = 16 * MAX_BODY_BYTES
_CREDENTIAL = re.compile(r"Credential=[^/,\s]+/\d+/([A-Za-z0-9-]+)/([A-Za-z0-9-]+)/aws4_request")
_JSON = "application/x-amz-json-1.0"
_CORAL = "com.amazon.coral.service#"
# What a target names, by its botocore model and its host; both are signed as "dynamodb".
_APIS = {
    "DynamoDB_20120810": ("dynamodb", "dynamodb"),
    "DynamoDBStreams_20120810": ("dynamodbstreams", "streams.dynamodb"),
}
_OTHERS = ("monitoring", "sts")
_MISREAD = (ArithmeticError, AssertionError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
# The region comes from the host alone: moto would otherwise look for one in the client's own name as well.
_NOT_FOR_MOTO = {"host", "user-agent", "content-length", "x-moto-account-id"}
_OURS = {"content-length", "connection", "date", "server", "status", "x-amz-crc32"}


@dataclass(frozen=True)
class Answer:
    """What goes back over the wire."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Front:
    """Answers requests one at a time, each at the time that ``now`` gives for its turn (microseconds since 1970)."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        # moto is not made for threads, and the clock must stand still while a request is answered.
        self._turn = threading.Lock()
        self._stub = botocore_stubber.BotocoreStubber()
        loader = botocore.session.get_session()
        self._models = {name: loader.get_service_model(name) for name, _ in _APIS.values()}

    def answer(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Answer one request; whatever goes wrong inside is an answer too (HTTP 500)."""
        with self._turn:
            clock.move_to(self._now())
            headers = {name.lower(): value for name, value in headers.items()}
            try:
                return self._answer(method, path, headers, body)
            except Exception as fault:
                target = headers.get("x-amz-target") or f"{method} {path}"
                reason = f"{type(fault).__name__}: {fault}"
                print(f"The lab failed to answer {target}: {reason}", file=sys.stderr, flush=True)
                message = "The request processing has failed because of an unknown error, exception or failure."
                return _error("com.amazonaws.dynamodb.v20120810#InternalServerError", status=500, message=message)

    def _answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        if method == "GET" and path == "/":
            return Answer(200, {}, b"healthy: dynamodb ")
        signed = _CREDENTIAL.search(headers.get("authorization", ""))
        target = headers.get("x-amz-target", "")
        if signed is None:
            if method != "POST":
                return Answer(404, {}, b"<UnknownOperationException/>\n")
            message = "Request is missing Authentication Token"
            return _error(f"{_CORAL}MissingAuthenticationTokenException", message=message)
        region, service = signed.groups()
        if service in _OTHERS:
            return self._moto(method, f"{service}.{region}", path, headers, body)
        if service != "dynamodb":
            message = f"The lab serves dynamodb, monitoring and sts over HTTP, not {service}."
            return _error(f"{_CORAL}UnknownOperationException", message=message)
        if method != "POST" or path.partition("?")[0] != "/":
            return Answer(404, {}, b"<UnknownOperationException/>\n")
        api, _, operation = target.partition(".")
        if api not in _APIS or operation not in self._models[_APIS[api][0]].operation_names:
            return _error(f"{_CORAL}UnknownOperationException")
        model, host = _APIS[api]
        try:
            content = json.loads(body, parse_constant=_no_constant)
        except ValueError:
            return _error(f"{_CORAL}SerializationException")
        form = self._models[model].operation_model(operation).input_shape
        fault = wire.misfit(content, form)
        if fault is not None:
            return _error(f"{_CORAL}SerializationException", Message=fault)
        fault = wire.broken_constraints(content, form, whole_table=operation.endswith(("Table", "TimeToLive")))
        if fault is not None:
            return _error("com.amazon.coral.validate#ValidationException", message=fault)
        try:
            return self._moto(method, f"{host}.{region}", "/", headers, body)
        except NotImplementedError:  # moto's word for an operation that it does not have; the service's is below
            return _error(f"{_CORAL}UnknownOperationException", message=f"The lab has no {operation}.")
        except _MISREAD as fault:
            # moto stumbles over some malformed expressions that the service refuses.
            reason = f"{type(fault).__name__}: {fault}"
            print(f"The lab could not read a {operation}: {reason}", file=sys.stderr, flush=True)
            message = f"The lab could not read this request ({reason})."
            return _error("com.amazon.coral.validate#ValidationException", message=message)

    def _moto(self, method: str, host: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        kept = {name: value for name, value in headers.items() if name not in _NOT_FOR_MOTO}
        request = AWSPreparedRequest(method, f"https://{host}.amazonaws.com{path}", HeadersDict(kept), body, False)
        found = self._stub.process_request(request)
        if found is None:
            return Answer(404, {}, b"")
        status, given, content = found
        content = content.encode() if isinstance(content, str) else content
        answer = {name.lower(): str(value) for name, value in given.items() if name.lower() not in _OURS}
        return Answer(int(status), answer, content)


def _error(kind: str, *, status: int = 400, **texts: str) -> Answer:
    """``texts`` is the message; the service writes its name as ``message`` or, in one place, ``Message``."""
    return Answer(status, {"content-type": _JSON}, json.dumps({"__type": kind, **texts}).encode())


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")  # Python's reader would take NaN and Infinity


class _Handler(http.server.BaseHTTPRequestHandler):
    """Reads a request whole, so that the connection can be kept, and writes the answer in one piece."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    server: Server

    def do_GET(self) -> None:
        self._reply(self.server.front.answer("GET", self.path, dict(self.headers), b""))

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            self._reply(Answer(411, {"connection": "close"}, b""))
            return
        if int(length) > MAX_BODY_BYTES:
            self._discard(int(length))
            self._reply(Answer(413, {"connection": "close"}, b""))
            return
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            self.close_connection = True  # the client has gone
            return
        self._reply(self.server.front.answer("POST", self.path, dict(self.headers), body))

    def _discard(self, length: int) -> None:
        left = min(length, _GIVE_UP_BYTES)
        while left > 0 and (piece := self.rfile.read(min(left, 65536))):
            left -= len(piece)

    def _reply(self, answer: Answer) -> None:
        headers = dict(answer.headers)
        headers.setdefault("x-amzn-requestid", gen_amzn_requestid_long())
        headers["x-amz-crc32"] = str(zlib.crc32(answer.body))
        headers["content-length"] = str(len(answer.body))
        self.send_response(answer.status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    def version_string(self) -> str:
        return "Server"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: a load test makes thousands of requests."""


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """The lab's HTTP server, bound to its address when made; ``serve_forever`` answers, a thread for each connection.

    ``now`` tells the lab's time for each request, in microseconds since 1970, and never goes back. The lab must have
    been started. Raises OSError when the address cannot be had.
    """

    daemon_threads = True
    # On Windows the option means that a second program may take the port as well.
    allow_reuse_address = os.name != "nt"
    request_queue_size = 128

    def __init__(self, host: str, port: int, *, now: Callable[[], int]) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, port), _Handler)
        self.front = Front(now)

    def server_bind(self) -> None:
        """Take the address. http.server's own asks a name server for this machine's name, which may take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    @property
    def url(self) -> str:
        """Where the lab is to be found."""
        host = f"[{self.server_name}]" if ":" in self.server_name else self.server_name
        return f"http://{host}:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over clients that went away; anything else is reported as socketserver does."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@typed
def serve(*, host: str = "127.0.0.1", port: int = 8000, seed: int = 7) -> None:
    """Serve an empty lab over HTTP in real time until Ctrl-C (SIGINT) or SIGTERM; its tables are forgotten then.

    ``port`` 0 takes any free one; the address is printed. Call it in the main thread of a process that does nothing
    else. Raises LabError, in one sentence, when the address cannot be had, or in another thread.
    """
    if threading.current_thread() is not threading.main_thread():
        raise LabError(
            "Only the main thread hears of Ctrl-C: serve the lab from there, as python -m dynamolab serve does."
        )
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        session.start(seed)
        # A region of any name will do, also "local".
        os.environ["MOTO_ALLOW_NONEXISTENT_REGION"] = "true"
        with _listen(host, port) as server:
            print(
                f"The lab serves DynamoDB at {server.url} in real time; Ctrl-C stops it and forgets its tables.\n"
                f"Try: aws dynamodb list-tables --region eu-west-1 --endpoint-url {server.url}",
                flush=True,
            )
            server.serve_forever()
    except KeyboardInterrupt:
        print("Stopped.", flush=True)
    finally:
        session.stop()


def real_time() -> Callable[[], int]:
    """Start the lab's clock at the real time; returns what tells how it goes on, in microseconds since 1970."""
    clock.reset(dt.datetime.now(dt.UTC))
    # Real time that never goes back, whatever is done to the machine's clock meanwhile.
    offset = clock.microseconds - time.monotonic_ns() // 1000
    return lambda: offset + time.monotonic_ns() // 1000


def _listen(host: str, port: int) -> Server:
    if not host:  # to bind to it means all addresses of the machine
        raise LabError("Give an address to listen on, such as 127.0.0.1, for this machine only.")
    try:
        return Server(host, port, now=real_time())
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            hint = f"try --port {port + 1}" if port < 65535 else "try another --port"
            raise LabError(f"Port {port} on {host} is taken by another program; stop that one or {hint}.") from None
        if error.errno == errno.EACCES:
            raise LabError(f"You may not listen on port {port}; try --port 8000.") from None
        raise LabError(f"The lab cannot listen at {host} port {port}: {error.strerror or error}.") from None
    except (TypeError, UnicodeError):
        raise LabError(f"The lab cannot listen at {shown(host)}: give an address such as 127.0.0.1.") from None
    except OverflowError:
        raise LabError(f"{port} is no port: give a number from 0 (any free one) to 65535.") from None
