"""Application Auto Scaling for DynamoDB: its boto3 API on moto, its decisions from the model, its time from the clock.

At the end of each simulated minute in which a scaled table or index was used, the model is told what it consumed; the
change it decides comes into force some minutes later. A minute without consumption has no data point, is not looked at
and never scales in, as on the service: an idle year costs nothing but its scheduled actions.

Sources: "Managing throughput capacity automatically with DynamoDB auto scaling"; Application Auto Scaling API
Reference; "Scheduled scaling for Application Auto Scaling". Cooldowns are accepted and kept, but not modelled.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from moto.applicationautoscaling.exceptions import AWSValidationException
from moto.applicationautoscaling.models import (
    ApplicationAutoscalingBackend,
    FakeApplicationAutoscalingPolicy,
    FakeScalableTarget,
    FakeScheduledAction,
    applicationautoscaling_backends,
)
from moto.cloudwatch.models import Alarm, cloudwatch_backends
from moto.core.exceptions import JsonRESTError
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb.exceptions import DynamodbException
from moto.dynamodb.models import dynamodb_backends
from moto.moto_api._internal import mock_random

from ..model.autoscaling import AutoScaling, Policy, ScheduledAction, Step
from ..model.meters import MICROSECONDS
from ..model.throttling import Side
from . import metrics
from .clock import clock
from .metrics import CONSUMED, MINUTE, NAMESPACE, PROVISIONED, Recorder
from .schedules import in_microseconds, next_time
from .surroundings import REGION

Apply = Callable[[str, str | None, Side, int], int | None]
MayDecrease = Callable[[str, str | None, Side], bool]

_NAMESPACE = "dynamodb"
_METRICS: Mapping[str, Side] = {
    "DynamoDBReadCapacityUtilization": "read",
    "DynamoDBWriteCapacityUtilization": "write",
}


@dataclass(frozen=True)
class Resource:
    """One side of one table or index, as auto scaling names it: ``table/T`` or ``table/T/index/I``."""

    table: str
    index: str | None
    side: Side

    @classmethod
    def of(cls, resource_id: str, dimension: str) -> Resource:
        """Return what a ResourceId and a ScalableDimension name."""
        parts = resource_id.split("/")
        return cls(parts[1], parts[3] if len(parts) == 4 else None, "read" if ":Read" in dimension else "write")

    @property
    def id(self) -> str:
        """The ResourceId."""
        return f"table/{self.table}" + (f"/index/{self.index}" if self.index else "")

    @property
    def dimension(self) -> str:
        """The ScalableDimension."""
        return f"dynamodb:{'index' if self.index else 'table'}:{self.side.capitalize()}CapacityUnits"

    def throughput(self) -> dict[str, Any] | None:
        """moto's ProvisionedThroughput of it; None if it is not there or on-demand."""
        table = dynamodb_backends[DEFAULT_ACCOUNT_ID][REGION].tables.get(self.table)
        if table is None or table.billing_mode == "PAY_PER_REQUEST":
            return None
        if self.index is None:
            return table.throughput
        found: Any = next((each for each in table.global_indexes if each.name == self.index), None)
        return found.throughput if found is not None else None

    def units(self) -> int | None:
        """The capacity in force; None where there is none to scale."""
        found = self.throughput()
        return None if found is None else int(found[f"{self.side.capitalize()}CapacityUnits"])


def set_throughput(table: str, index: str | None, side: Side, units: int) -> int | None:
    """Change the capacity that moto's table or index has, at once: the way without a control plane."""
    found = Resource(table, index, side).throughput()
    if found is not None:
        found[f"{side.capitalize()}CapacityUnits"] = units
    return None


@dataclass
class Scaler:
    """Auto scaling in one lab.

    ``apply(table, index, side, units)`` begins a change of capacity and returns when it is in force (microseconds; None
    for at once); it may raise the service's objection. ``may_decrease(table, index, side)`` says whether the quota of
    decreases allows one now. The control plane gives both.
    """

    recorder: Recorder
    apply: Apply = set_throughput
    may_decrease: MayDecrease = lambda table, index, side: True
    activities: list[dict[str, Any]] = field(default_factory=list)
    _scaled: dict[Resource, AutoScaling] = field(default_factory=dict)
    _due: int | None = None

    def __post_init__(self) -> None:
        self.recorder.listeners.append(self.wake)

    @property
    def backend(self) -> ApplicationAutoscalingBackend:
        """moto's Application Auto Scaling, which keeps targets, policies and scheduled actions."""
        return applicationautoscaling_backends[DEFAULT_ACCOUNT_ID][REGION]

    def wake(self) -> None:
        """Something was consumed, or a capacity changed: look at the end of this minute, if anything is scaled."""
        if self._scaled and self._due is None:
            now = clock.microseconds // MICROSECONDS
            self._due = (now // MINUTE + 1) * MINUTE
            clock.at(self._due * MICROSECONDS, self._minute)

    def target(self, resource: Resource) -> FakeScalableTarget | None:
        """moto's scalable target."""
        return self.backend.targets.get(resource.dimension, {}).get(resource.id)

    def policy(self, resource: Resource) -> FakeApplicationAutoscalingPolicy | None:
        """moto's policy of target tracking for it."""
        for policy in self.backend.policies.values():
            same = (policy.resource_id, policy.scalable_dimension) == (resource.id, resource.dimension)
            if same and policy.policy_type == "TargetTrackingScaling":
                return policy
        return None

    def take_up(self, resource: Resource) -> None:
        """Take in a target, a policy or limits that were just put or taken away."""
        target, policy = self.target(resource), self.policy(resource)
        if target is None or policy is None:
            self._scaled.pop(resource, None)
            return
        configuration = policy.target_tracking_scaling_policy_configuration or {}
        wanted = Policy(
            int(target.min_capacity or 1),
            int(target.max_capacity or 1),
            float(configuration["TargetValue"]) / 100,
            not configuration.get("DisableScaleIn", False),
        )
        model = self._scaled.get(resource)
        if model is None:
            model = self._scaled[resource] = AutoScaling(wanted, parameters=self.recorder.parameters)
        model.policy = wanted
        self._to_limits(resource, model, clock.microseconds)

    def _minute(self) -> None:
        """A minute is over: tell the models what was consumed in it."""
        self._due = None
        end = clock.microseconds
        start = end - MINUTE * MICROSECONDS
        metrics.recorder.sync()
        for resource, model in list(self._scaled.items()):
            units = resource.units()
            if units is None:
                continue
            self._retune(resource, units)
            consumed = self.recorder.consumed_in(resource.table, resource.index, resource.side, start)
            if consumed is None:
                continue
            out, into = (not self._suspended(resource, name) for name in ("ScalingOut", "ScalingIn"))
            may = into and self.may_decrease(resource.table, resource.index, resource.side)
            if consumed > model.policy.high_line(units) and not out:
                continue
            step = model.observe(start, consumed, units, may_decrease=may)
            if step is not None:
                self._carry_out(resource, step)

    def _suspended(self, resource: Resource, what: str) -> bool:
        target = self.target(resource)
        state: Any = (target.suspended_state if target is not None else None) or {}
        return bool(state.get(f"Dynamic{what}Suspended" if what != "Scheduled" else "ScheduledScalingSuspended"))

    def _carry_out(self, resource: Resource, step: Step) -> None:
        policy = self.policy(resource)
        alarms = policy.alarms if policy is not None else []
        wanted = {"scale out": "AlarmHigh", "scale in": "AlarmLow"}.get(step.cause)
        alarm = next((each.name for each in alarms if wanted and f"-{wanted}-" in each.name), None)
        cause = "minimum or maximum capacity was changed"
        if alarm is not None and policy is not None:
            cause = f"monitor alarm {alarm} in state ALARM triggered policy {policy.policy_name}"
        activity = {
            "ActivityId": str(mock_random.uuid4()),
            "ServiceNamespace": _NAMESPACE,
            "ResourceId": resource.id,
            "ScalableDimension": resource.dimension,
            "Description": f"Setting {resource.side} capacity units to {step.units}.",
            "Cause": cause,
            "StartTime": step.decided / MICROSECONDS,
            "StatusCode": "InProgress",
            "StatusMessage": f"Successfully set {resource.side} capacity units to {step.units}. "
            "Waiting for change to be fulfilled by dynamodb.",
        }
        self.activities.append(activity)
        clock.at(step.effective, lambda: self._begin(resource, step, activity))

    def _begin(self, resource: Resource, step: Step, activity: dict[str, Any]) -> None:
        """Ask the control plane for the change, when auto scaling has got round to it."""
        before, target = resource.units(), self.target(resource)
        if before is None or target is None:
            self._end(resource, activity, "Failed", f"{resource.id} is not there to be scaled any more.")
            return
        # The limits may have moved since.
        units = _limits(target).clamp(step.units)
        done = f"Successfully set {resource.side} capacity units to {units}. Change successfully fulfilled by dynamodb."
        try:
            when = self.apply(resource.table, resource.index, resource.side, units) if units != before else None
        except DynamodbException as objection:
            why = f"Failed to set {resource.side} capacity units to {units}. Reason: {objection.message}"
            self._end(resource, activity, "Failed", why)
            return
        if when is None or when <= clock.microseconds:
            self._end(resource, activity, "Successful", done)
        else:
            clock.at(when, lambda: self._end(resource, activity, "Successful", done))

    def _end(self, resource: Resource, activity: dict[str, Any], status: str, message: str) -> None:
        activity |= {"EndTime": clock.time(), "StatusCode": status, "StatusMessage": message}
        metrics.recorder.sync()
        units = resource.units()
        if units is not None:
            self._retune(resource, units)

    def _to_limits(self, resource: Resource, model: AutoScaling, now: int) -> None:
        """Bring capacity that lies outside the limits into them, as any change does a moment later."""
        units = resource.units()
        if units is None:
            return
        model.schedule = (ScheduledAction(now, model.policy.minimum, model.policy.maximum),)
        step = model.scheduled(now, units)
        if step is not None:
            self._carry_out(resource, step)

    # --- alarms -------------------------------------------------------------------------------------------------------

    def _retune(self, resource: Resource, units: int) -> None:
        """Set the thresholds of the policy's alarms to the capacity in force."""
        policy, model = self.policy(resource), self._scaled.get(resource)
        if policy is None or model is None:
            return
        for alarm in policy.alarms:
            alarm.threshold = _threshold(alarm.name, model.policy, units)

    # --- scheduled actions --------------------------------------------------------------------------------------------

    def schedule(self, action: FakeScheduledAction, after: int) -> None:
        """Put the next time of a scheduled action after ``after`` (microseconds) on the agenda."""
        following = next_time(action.schedule, action.timezone, after, in_microseconds(action.start_time))
        end = in_microseconds(action.end_time)
        if following is not None and (end is None or following <= end):
            made = (action.schedule, action.timezone, action.start_time, action.end_time)
            clock.at(following, lambda: self._scheduled(action, made))

    def _scheduled(self, action: FakeScheduledAction, made: tuple[Any, ...]) -> None:
        current = (action.schedule, action.timezone, action.start_time, action.end_time)
        if action not in self.backend.scheduled_actions or made != current:
            return
        self.schedule(action, clock.microseconds)
        resource = Resource.of(action.resource_id, action.scalable_dimension)
        target = self.target(resource)
        if target is None or self._suspended(resource, "Scheduled"):
            return
        limits: Any = action.scalable_target_action or {}
        target.update(limits.get("MinCapacity"), limits.get("MaxCapacity"), None)  # type: ignore[arg-type]
        if resource not in self._scaled:  # a target without a policy follows its scheduled limits all the same
            model = AutoScaling(_limits(target), parameters=self.recorder.parameters)
            self._to_limits(resource, model, clock.microseconds)
        else:
            self.take_up(resource)


# --- in front of moto -----------------------------------------------------------------------------------------------


def _threshold(name: str, policy: Policy, units: int) -> float:
    if "-AlarmHigh-" in name:
        return round(policy.high_line(units), 6)
    return round(policy.low_line(units, scaler.recorder.parameters), 6) if "-AlarmLow-" in name else float(units)


def generate_alarms(policy: FakeApplicationAutoscalingPolicy) -> list[Alarm]:
    """FakeApplicationAutoscalingPolicy._generate_dynamodb_alarms: the policy's four alarms, three without scale-in."""
    resource = Resource.of(policy.resource_id, policy.scalable_dimension)
    configuration = policy.target_tracking_scaling_policy_configuration or {}
    tracked = Policy(1, 1, float(configuration["TargetValue"]) / 100)
    units = resource.units() or 1
    dimensions = [{"Name": "TableName", "Value": resource.table}]
    if resource.index is not None:
        dimensions.append({"Name": "GlobalSecondaryIndexName", "Value": resource.index})
    action = f"{policy.policy_arn}:createdBy/{mock_random.uuid4()}"
    more, less = "GreaterThanThreshold", "LessThanThreshold"
    consumed, provisioned = CONSUMED[resource.side], PROVISIONED[resource.side]
    alarms = []
    for kind, metric, comparison, points, period, statistic in (
        ("AlarmHigh", consumed, more, 2, 60, "Sum"),
        ("AlarmLow", consumed, less, 15, 60, "Sum"),
        ("ProvisionedCapacityHigh", provisioned, more, 2, 300, "Average"),
        ("ProvisionedCapacityLow", provisioned, less, 3, 300, "Average"),
    ):
        if kind == "AlarmLow" and configuration.get("DisableScaleIn"):
            continue
        name = f"TargetTracking-{resource.id}-{kind}-{mock_random.uuid4()}"
        alarm = cloudwatch_backends[policy.account_id][policy.region_name].put_metric_alarm(
            name=name,
            namespace=NAMESPACE,
            metric_name=metric,
            comparison_operator=comparison,
            evaluation_periods=points,
            period=period,
            threshold=_threshold(name, tracked, units),
            statistic=statistic,
            description=f"DO NOT EDIT OR DELETE. For TargetTrackingScaling policy {policy.policy_arn}.",
            dimensions=dimensions,
            alarm_actions=[action],
        )
        alarms.append(alarm)
    return alarms


def register_scalable_target(
    original: Callable[..., Any], backend: ApplicationAutoscalingBackend, namespace: str, r_id: str, dimension: str,
    **more: Any,
) -> Any:  # fmt: skip
    """ApplicationAutoscalingBackend.register_scalable_target."""
    if namespace != _NAMESPACE:
        return original(backend, namespace, r_id, dimension, **more)
    before = backend.targets.get(dimension, {}).get(r_id)
    least, most = more.get("min_capacity"), more.get("max_capacity")
    if before is not None:
        least = before.min_capacity if least is None else least
        most = before.max_capacity if most is None else most
    if least is None or most is None:
        raise AWSValidationException("MinCapacity and MaxCapacity are required when a scalable target is registered.")
    if not 1 <= least <= most:
        raise AWSValidationException(
            f"Maximum capacity cannot be less than minimum capacity, nor the minimum less than 1: {least} to {most}."
        )
    resource = _resource(r_id, dimension)
    if resource.table not in dynamodb_backends[DEFAULT_ACCOUNT_ID][REGION].tables:
        raise AWSValidationException(f"DynamoDB table does not exist: {r_id}")
    if resource.throughput() is None and resource.index is not None:
        raise AWSValidationException(f"DynamoDB index does not exist, or is not provisioned: {r_id}")
    target = original(backend, namespace, r_id, dimension, **more)
    if not target.role_arn:
        target.role_arn = (
            f"arn:aws:iam::{DEFAULT_ACCOUNT_ID}:role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/"
            "AWSServiceRoleForApplicationAutoScaling_DynamoDBTable"
        )
    if not target.suspended_state:
        names = ("DynamicScalingInSuspended", "DynamicScalingOutSuspended", "ScheduledScalingSuspended")
        target.suspended_state = dict.fromkeys(names, False)
    scaler.take_up(resource)
    return target


def deregister_scalable_target(
    original: Callable[..., None], backend: ApplicationAutoscalingBackend, namespace: str, r_id: str, dimension: str
) -> None:
    """ApplicationAutoscalingBackend.deregister_scalable_target: its policies, alarms and scheduled actions go too."""
    original(backend, namespace, r_id, dimension)
    for policy in list(backend.policies.values()):
        if (policy.service_namespace, policy.resource_id, policy.scalable_dimension) == (namespace, r_id, dimension):
            backend.delete_scaling_policy(policy.policy_name, namespace, r_id, dimension)
    backend.scheduled_actions = [
        action
        for action in backend.scheduled_actions
        if (action.service_namespace, action.resource_id, action.scalable_dimension) != (namespace, r_id, dimension)
    ]
    if namespace == _NAMESPACE:
        scaler.take_up(_resource(r_id, dimension))


def put_scaling_policy(
    original: Callable[..., FakeApplicationAutoscalingPolicy], backend: ApplicationAutoscalingBackend, **more: Any
) -> FakeApplicationAutoscalingPolicy:
    """ApplicationAutoscalingBackend.put_scaling_policy; one of the same name is changed and keeps its ARN."""
    if more["service_namespace"] != _NAMESPACE:
        return original(backend, **more)
    resource = _resource(more["resource_id"], more["scalable_dimension"])
    if scaler.target(resource) is None:
        raise _NotFound(
            f"No scalable target registered for service namespace: {_NAMESPACE}, resource ID: {resource.id}, scalable "
            f"dimension: {resource.dimension}"
        )
    body = more["policy_body"] or {}
    given, target = more["policy_type"], body.get("TargetValue", 0)
    if given != "TargetTrackingScaling":
        raise AWSValidationException(f"DynamoDB takes policies of type TargetTrackingScaling, not {given}.")
    kind = str((body.get("PredefinedMetricSpecification") or {}).get("PredefinedMetricType"))
    if _METRICS.get(kind) != resource.side:
        raise AWSValidationException(f"Invalid PredefinedMetricType {kind} for {resource.dimension}.")
    if not 20 <= float(target) <= 90:
        raise AWSValidationException(f"The target utilization is between 20 and 90 percent, not {target}.")
    key = FakeApplicationAutoscalingPolicy.formulate_key(
        _NAMESPACE, resource.id, resource.dimension, more["policy_name"]
    )
    before = backend.policies.get(key)
    if before is not None:
        before.delete_alarms(backend.account_id, backend.region_name)
    policy = original(backend, **more)
    if before is not None:
        new, old = policy.policy_arn, before.policy_arn
        for alarm in policy.alarms:
            alarm.alarm_actions = [action.replace(new, old) for action in alarm.alarm_actions]
            alarm.description = alarm.description.replace(new, old)
        policy.policy_arn, policy.creation_time = old, before.creation_time
    scaler.take_up(resource)
    return policy


def delete_scaling_policy(
    original: Callable[..., None],
    backend: ApplicationAutoscalingBackend,
    policy_name: str,
    service_namespace: str,
    resource_id: str,
    scalable_dimension: str,
) -> None:
    """ApplicationAutoscalingBackend.delete_scaling_policy: its alarms go with it."""
    original(backend, policy_name, service_namespace, resource_id, scalable_dimension)
    if service_namespace == _NAMESPACE:
        scaler.take_up(_resource(resource_id, scalable_dimension))


def put_scheduled_action(original: Callable[..., None], backend: ApplicationAutoscalingBackend, **more: Any) -> None:
    """ApplicationAutoscalingBackend.put_scheduled_action."""
    if more["service_namespace"] == _NAMESPACE:
        resource = _resource(more["resource_id"], more["scalable_dimension"])
        if scaler.target(resource) is None:
            raise _NotFound(
                f"No scalable target registered for service namespace: {_NAMESPACE}, resource ID: {resource.id}, "
                f"scalable dimension: {resource.dimension}"
            )
        if more["schedule"]:
            next_time(more["schedule"], more["timezone"], clock.microseconds)  # raises for one that cannot be read
    original(backend, **more)
    for action in backend.scheduled_actions:
        same = all(
            getattr(action, name) == more[name]
            for name in ("service_namespace", "scheduled_action_name", "resource_id", "scalable_dimension")
        )
        if same and more["service_namespace"] == _NAMESPACE and action.schedule:
            scaler.schedule(action, clock.microseconds)


def describe_scaling_activities(handler: Any) -> str:
    """DescribeScalingActivities, which moto lacks: the newest first."""
    found = [
        activity
        for activity in reversed(scaler.activities)
        if handler._get_param("ServiceNamespace") == activity["ServiceNamespace"]
        and handler._get_param("ResourceId") in (None, activity["ResourceId"])
        and handler._get_param("ScalableDimension") in (None, activity["ScalableDimension"])
    ]
    return json.dumps({"ScalingActivities": found})


IN_FRONT = (
    "register_scalable_target",
    "deregister_scalable_target",
    "put_scaling_policy",
    "delete_scaling_policy",
    "put_scheduled_action",
)
"""What stands in front of moto's methods of the same names."""


class _NotFound(JsonRESTError):
    def __init__(self, message: str) -> None:
        super().__init__("ObjectNotFoundException", message)


def _limits(target: FakeScalableTarget) -> Policy:
    return Policy(int(target.min_capacity or 1), int(target.max_capacity or 1))


def _resource(resource_id: str, dimension: str) -> Resource:
    if not re.fullmatch(r"table/[^/]+(/index/[^/]+)?", resource_id or ""):
        raise AWSValidationException("Unsupported service namespace, resource type or scalable dimension")
    return Resource.of(resource_id, dimension)


scaler = Scaler(Recorder())
"""The running lab's auto scaling."""


def swap(new: Scaler) -> Scaler:
    """Make ``new`` the running lab's auto scaling; return the one before, to be put back later."""
    global scaler
    before, scaler = scaler, new
    return before
