"""All that watches the lab, as one: figures, alarms, auto scaling and Contributor Insights, and their place in moto."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import moto.backends
import moto.core.responses
from moto.cloudwatch.models import CloudWatchBackend
from moto.cloudwatch.responses import CloudWatchResponse
from moto.dynamodb.responses import DynamoHandler

from ..model.throttling import Side
from . import alarms, cloudwatch, control, insights, metering, metrics
from .clock import clock

if TYPE_CHECKING:
    from .autoscaling import Scaler

_SCALING = "applicationautoscaling"
_ABSENT: Any = object()
_originals: dict[tuple[Any, str], Any] = {}
_scaling: Any = None
"""The module dynamolab.live.autoscaling, once a lab has used it: moto takes a second and a half to load its part."""


@dataclass(frozen=True)
class Monitoring:
    """What one lab has of each; no auto scaling before it is first used."""

    recorder: metrics.Recorder
    watch: alarms.Watch
    insights: insights.Insights
    scaler: Scaler | None


def reset() -> Monitoring:
    """Begin with nothing recorded; return what there was, for :func:`restore`. Call it after the clock's reset."""
    recorder = metrics.Recorder(metering.parameters())
    return restore(Monitoring(recorder, alarms.Watch(recorder), insights.Insights(), None))


def restore(state: Monitoring) -> Monitoring:
    """Put back what :func:`reset` returned; return what there was."""
    scaler: Scaler | None = None
    if _scaling is not None:
        scaler = _scaling.swap(state.scaler or _new_scaler(state.recorder))
    return Monitoring(metrics.swap(state.recorder), alarms.swap(state.watch), insights.swap(state.insights), scaler)


def install() -> None:
    """Stand in front of moto's CloudWatch and Application Auto Scaling; a second call changes nothing."""
    if _originals:
        return
    for name, operation in cloudwatch.OPERATIONS.items():
        _set(CloudWatchResponse, name, operation)
    _set(CloudWatchResponse, "describe_alarm_history", alarms.describe_alarm_history)
    for name, function in (
        ("put_metric_alarm", alarms.put_metric_alarm),
        ("delete_alarms", alarms.delete_alarms),
        ("set_alarm_state", alarms.set_alarm_state),
        ("put_metric_data", alarms.put_metric_data),
    ):
        _wrap(CloudWatchBackend, name, function)
    for name, operation in insights.OPERATIONS.items():
        _set(DynamoHandler, name, operation)
    _set(metrics, "maxima", _maxima)
    _set(moto.backends, "get_backend", _get_backend(vars(moto.backends)["get_backend"]))
    _forget_names()


def _get_backend(original: Callable[..., Any]) -> Callable[..., Any]:
    """moto asks for a service's backend with each request: auto scaling is attached when it is first wanted."""

    @functools.wraps(original)
    def get_backend(name: str, *args: Any) -> Any:
        if name == _SCALING:
            _install_scaling()
        return original(name, *args)

    return get_backend


def _install_scaling() -> None:
    global _scaling
    import moto.applicationautoscaling.models as models
    from moto.applicationautoscaling.responses import ApplicationAutoScalingResponse

    from . import autoscaling

    if (models, "time") in _originals:
        return
    if _scaling is None:
        _scaling = autoscaling
        autoscaling.swap(_new_scaler(metrics.recorder))
    for name in autoscaling.IN_FRONT:
        _wrap(models.ApplicationAutoscalingBackend, name, getattr(autoscaling, name))
    _set(models.FakeApplicationAutoscalingPolicy, "_generate_dynamodb_alarms", autoscaling.generate_alarms)
    _set(ApplicationAutoScalingResponse, "describe_scaling_activities", autoscaling.describe_scaling_activities)
    # moto dates targets, policies and scheduled actions by the real time.
    _set(models, "time", types.SimpleNamespace(time=clock.time))
    _forget_names()


def _new_scaler(recorder: metrics.Recorder) -> Scaler:
    scaler: Scaler = _scaling.Scaler(recorder, control.apply, _may_decrease)
    return scaler


def remove() -> None:
    """Give moto back what it had."""
    while _originals:
        (place, name), original = _originals.popitem()
        if original is _ABSENT:
            delattr(place, name)
        else:
            setattr(place, name, original)
    _forget_names()


def _forget_names() -> None:
    """Each handler's operations are looked up once (dynamolab.live.session); there are others now."""
    names: Any = vars(moto.core.responses)["method_names_from_class"]
    getattr(names, "cache_clear", lambda: None)()


def _may_decrease(table: str, index: str | None, side: Side) -> bool:
    return control.control_of(metering.find_table(table)).of(index).decreases.check(clock.microseconds) is None


def _maxima(table: Any, index: str | None) -> Mapping[Side, int]:
    return control.control_of(table).of(index).maxima


def _set(place: Any, name: str, substitute: Any) -> None:
    _originals[place, name] = vars(place).get(name, _ABSENT)
    setattr(place, name, substitute)


def _wrap(place: Any, name: str, function: Callable[..., Any]) -> None:
    original = vars(place)[name]

    @functools.wraps(original)
    def method(backend: Any, *args: Any, **more: Any) -> Any:
        return function(original, backend, *args, **more)

    _set(place, name, method)
