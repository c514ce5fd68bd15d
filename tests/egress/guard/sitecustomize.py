"""Put first on a Python process's path by the gates: it refuses and writes down whatever would leave this machine.

Python imports a module of this name by itself at every start, so each child of a gate is watched too: pytest and its
workers, kernels, the builder, JupyterLab, the lab over HTTP. The settings are in the environment: ``EGRESS_LOG`` names
the folder to write in, ``EGRESS_CANARY`` the port on this machine that nobody may ask. Unseen are other programs
(Chromium is sent to the canary instead) and ZeroMQ, which a kernel uses on 127.0.0.1 only.
"""

import ipaddress
import json
import os
import sys
import traceback

FOLDER = os.environ.get("EGRESS_LOG")
CANARY = int(os.environ.get("EGRESS_CANARY", "0"))
NAMES = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo")
ADDRESSES = ("socket.connect", "socket.sendto", "socket.sendmsg")


class LeavesTheMachine(ConnectionRefusedError):
    """Nothing may leave the machine while a gate runs."""


def note(file, **what):
    """Add one line to a file of the folder; whole, even where several processes write."""
    line = (json.dumps(what) + "\n").encode()
    handle = os.open(os.path.join(FOLDER, file), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(handle, line)
    finally:
        os.close(handle)


def is_here(host):
    """Whether a host's name or number is this machine's own."""
    if host in (None, "", "localhost", b"localhost", b""):
        return True
    text = host.decode("latin-1") if isinstance(host, bytes) else str(host)
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text.lower().rstrip(".").endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def watch(event, arguments):
    """Refuse what leaves the machine; called by Python for each of its audit events."""
    if event in NAMES:
        host = arguments[0][0] if event == "socket.getnameinfo" else arguments[0]
        port = arguments[1] if event == "socket.getaddrinfo" else None
    elif event in ADDRESSES:
        address = arguments[1]
        if not isinstance(address, tuple):  # a Unix socket, or one that is connected already
            return
        host, port = address[0], address[1]
    else:
        return
    if is_here(host) and not (CANARY and str(port) == str(CANARY)):
        return
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_stack()[:-1]]
    note(
        "attempts",
        host=f"{host!r}:{port}" if port else repr(host),
        how=event,
        test=os.environ.get("PYTEST_CURRENT_TEST", "no test"),
        process=sys.orig_argv[:6],
        stack=where[-12:],
    )
    raise LeavesTheMachine(f"The gates let nothing out: {event} {host!r}")


if FOLDER:
    note("watched", process=sys.orig_argv[:6])
    sys.addaudithook(watch)
