"""The model's rules attached to moto: the gate, the simulated clock, boto3's waits. The only code that touches moto."""

from .surroundings import hidden
from .underneath import require

with hidden():  # moto asks boto3 for regions while it is imported, and a profile that is not there would stop that
    require()  # before anything of moto is imported: what is missing there is said in a sentence, not in a stack

    from .clock import clock
    from .session import Sandbox, running, sandbox, start, stop

__all__ = ["Sandbox", "clock", "running", "sandbox", "start", "stop"]
