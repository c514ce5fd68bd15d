"""What stands around every operation of the lab's services: the request's form before it, no raw failure after it.

boto3 checks the types of a request and what it must contain, but neither the words that a member may have nor how large
it may be: that the service does, and so does this. And where moto fails with an error of Python's own, the learner
gets an error of the service that says which request it was.
"""

from __future__ import annotations

import decimal
import functools
import json
from collections.abc import Callable
from typing import Any

import botocore.session
from boto3.dynamodb.types import TypeSerializer
from boto3.exceptions import Boto3Error
from moto.cloudwatch.exceptions import ValidationError
from moto.core.responses import BaseResponse
from moto.core.utils import camelcase_to_underscores
from moto.dynamodb.exceptions import MockValidationException

from ..errors import in_short
from . import validation, wire
from .patches import Patches

_patches = Patches()


def _cannot_scale(words: str) -> Exception:
    # Imported when it is needed: it brings two large services of moto's with it, and doubles the time of the import.
    from moto.applicationautoscaling.exceptions import AWSValidationException

    return AWSValidationException(words)


# The lab's services by moto's names for them, with the error that each gives for a request that it cannot read.
_REFUSALS: dict[str, Callable[[str], Exception]] = {
    "dynamodb": MockValidationException,
    "dynamodbstreams": MockValidationException,
    "cloudwatch": ValidationError,
    "application-autoscaling": _cannot_scale,
}
_ABOUT_DECIMALS = (
    "boto3 takes a Decimal only if DynamoDB keeps all of it: at most 38 digits, from 1E-130 to 9.99E+125. "
    'Write Decimal("0.1"), not Decimal(0.1).'
)
_call_action = BaseResponse.call_action


def install() -> None:
    """Stand around moto's operations; a second call changes nothing."""
    _shorten()
    if _patches:
        return
    _patches.replace(BaseResponse, "call_action", call_action)


def remove() -> None:
    """Give moto its operations back."""
    _patches.undo()


@functools.cache
def _shorten() -> None:
    """Let a notebook show boto3's own errors without the stack, as it does botocore's; once and for good."""
    Boto3Error._render_traceback_ = in_short
    serialize = TypeSerializer.serialize

    @functools.wraps(serialize)
    def shortened(serializer: Any, value: Any) -> Any:
        try:
            return serialize(serializer, value)
        except (TypeError, decimal.DecimalException) as fault:
            # What boto3 cannot turn into a value of DynamoDB; Python's errors are no class of boto3's.
            if isinstance(fault, decimal.DecimalException) and not hasattr(fault, "__notes__"):
                fault.add_note(_ABOUT_DECIMALS)
            fault._render_traceback_ = functools.partial(in_short, fault)  # type: ignore[union-attr]
            raise

    TypeSerializer.serialize = shortened


def call_action(handler: Any) -> Any:
    """Stand in for moto's ``BaseResponse.call_action``."""
    service = handler.service_name
    if service in _REFUSALS:
        action = handler._get_action()
        name = camelcase_to_underscores(action)
        method = getattr(handler, name, None)
        if method is not None:
            # moto looks the method up once more, and finds this one: its errors become the service's answers.
            setattr(handler, name, _guarded(handler, service, action, method))
    return _call_action(handler)


def _guarded(handler: Any, service: str, action: str, method: Callable[[], Any]) -> Callable[[], Any]:
    refused = _REFUSALS[service]

    @functools.wraps(method)
    def guarded() -> Any:
        # The gate has looked at the requests on items and tables already, where it can count them.
        if not hasattr(method, "is_gated"):
            form = _form(service, action)
            message = wire.broken_constraints(_request(handler), form) if form is not None else None
            if message is not None:
                raise refused(message)
        try:
            return method()
        except validation.MISREAD as fault:
            if not validation.of_moto(fault):
                raise
            reason = f"{type(fault).__name__}: {fault.args[0] if fault.args else fault}"
            raise refused(f"The lab could not carry out this {action} ({reason}).") from fault

    return guarded


def _request(handler: Any) -> Any:
    if isinstance(handler.body, str | bytes):
        try:
            return json.loads(handler.body)
        except ValueError:
            return handler.params  # CloudWatch's requests are no JSON
    return handler.body


@functools.cache
def _form(service: str, action: str) -> Any:
    """botocore's description of the operation's request; None for one without members."""
    model = botocore.session.get_session().get_service_model(service)
    return model.operation_model(action).input_shape if action in model.operation_names else None
