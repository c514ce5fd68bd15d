"""Traffic: real boto3 calls in simulated time, millions of requests by arithmetic, and a real grocer's year."""

from . import demand

__all__ = ["demand"]
