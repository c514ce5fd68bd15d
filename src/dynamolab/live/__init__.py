"""The model's rules attached to moto: the gate, the simulated clock, boto3's waits. The only code that touches moto."""

from .clock import clock
from .session import Sandbox, running, sandbox, start, stop

__all__ = ["Sandbox", "clock", "running", "sandbox", "start", "stop"]
