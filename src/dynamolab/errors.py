"""The lab's own errors: one or two plain sentences, shown to a learner without a traceback."""

from __future__ import annotations


class LabError(Exception):
    """The lab was asked for something it cannot do; the message says what, where and what to do next.

    The service's own refusals are never a ``LabError``: those reach the caller as botocore's ``ClientError``.
    """

    def _render_traceback_(self) -> list[str]:
        # IPython calls this in place of printing the stack: a learner needs the sentence, not our frames.
        return [f"{type(self).__name__}: {self}"]
