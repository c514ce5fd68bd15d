"""CloudWatch's alarms, evaluated at each whole simulated minute while something about them can change.

An alarm looks at the last N periods that are over. Which state they mean, missing data included, is :func:`judge`. An
alarm about which nothing can change (no data in sight, or a level that stays) sleeps until the recorder has something
new, so that a year's jump costs nothing. Actions are only recorded, in the alarm's history.

Sources: "Using Amazon CloudWatch alarms"; "Configuring how CloudWatch alarms treat missing data". Alarms on metrics of
AWS/DynamoDB ignore missing data unless the alarm says otherwise (the user guide; the API Reference says always).
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from moto.cloudwatch.exceptions import ResourceNotFound, ValidationError
from moto.cloudwatch.models import Alarm, CloudWatchBackend, cloudwatch_backends
from moto.core.exceptions import ServiceException
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.core.responses import ActionResult

from ..model.meters import MICROSECONDS
from . import metrics
from .clock import clock
from .cloudwatch import Source, evaluate, moment
from .metrics import MINUTE, NAMESPACE, Recorder
from .surroundings import REGION

State = Literal["OK", "ALARM", "INSUFFICIENT_DATA"]
MORE_PERIODS = 2
"""How many periods before the last N an alarm looks at when data is missing; AWS's examples look at two."""

_MISSING = ("breaching", "notBreaching", "ignore", "missing")
_COMPARISONS: Mapping[str, tuple[Callable[[float, float], bool], str]] = {
    "GreaterThanThreshold": (operator.gt, "greater than"),
    "GreaterThanOrEqualToThreshold": (operator.ge, "greater than or equal to"),
    "LessThanThreshold": (operator.lt, "less than"),
    "LessThanOrEqualToThreshold": (operator.le, "less than or equal to"),
}


def judge(
    breaching: Sequence[bool | None], *, periods: int, to_alarm: int, missing: str, state: State
) -> tuple[State, bool]:
    """Return the state that the periods mean, and whether missing data had to be filled.

    ``breaching``: for each period of the evaluation range, the oldest first, whether its value breaches, None where
    there is none. ``periods`` and ``to_alarm``: N and M of "M out of N". ``missing``: the alarm's treatment of missing
    data. ``state``: what the alarm is in, which ``ignore`` keeps.
    """
    real = [value for value in breaching if value is not None][-periods:]
    bad, absent = sum(real), periods - len(real)
    if bad >= to_alarm:
        return "ALARM", False
    if absent <= 0:
        return "OK", False
    if missing == "breaching":
        return ("ALARM" if bad + absent >= to_alarm else "OK"), True
    if missing == "notBreaching":
        return "OK", True
    if bad < len(real):  # something within the threshold, and too little beyond it
        return "OK", False
    if missing == "ignore":
        return state, True
    if not real:
        return "INSUFFICIENT_DATA", True
    # Only breaching data, less than M of it: an alarm if the oldest has stood for M periods.
    oldest = next(place for place, value in enumerate(breaching) if value is not None)
    return ("ALARM" if len(breaching) - oldest >= to_alarm else "OK"), True


@dataclass(frozen=True)
class Entry:
    """One line of an alarm's history; ``when`` in seconds since 1970."""

    alarm: str
    when: int
    kind: Literal["ConfigurationUpdate", "StateUpdate", "Action"]
    summary: str
    data: str

    def as_response(self) -> dict[str, Any]:
        """The entry as DescribeAlarmHistory answers it."""
        return {
            "AlarmName": self.alarm,
            "AlarmType": "MetricAlarm",
            "Timestamp": moment(self.when),
            "HistoryItemType": self.kind,
            "HistorySummary": self.summary,
            "HistoryData": self.data,
        }


class Watch:
    """Watches the alarms of one lab."""

    def __init__(self, recorder: Recorder) -> None:
        self.history: list[Entry] = []
        self._due: int | None = None
        self._evaluating = False
        recorder.listeners.append(self.wake)

    @property
    def backend(self) -> CloudWatchBackend:
        """moto's CloudWatch, which keeps the alarms."""
        return cloudwatch_backends[DEFAULT_ACCOUNT_ID][REGION]

    def wake(self) -> None:
        """Something is new: evaluate the alarms at the next whole minute, if there are any."""
        if not self._evaluating and self.backend.alarms:
            self._at((clock.microseconds // MICROSECONDS // MINUTE + 1) * MINUTE)

    def put(self, alarm: Alarm, before: Alarm | None) -> None:
        """Take up an alarm that was just put; one of the same name keeps its state."""
        place: Any = alarm
        if before is not None:
            for name in ("state_value", "state_reason", "state_reason_data", "state_updated_timestamp", "history"):
                setattr(alarm, name, getattr(before, name))
            place.state_transitioned_timestamp = getattr(before, "state_transitioned_timestamp", None)
        elif alarm.rule is None:
            alarm.state_value = "INSUFFICIENT_DATA"
            place.state_transitioned_timestamp = alarm.state_updated_timestamp
        verb = "created" if before is None else "updated"
        self._note(alarm.name, "ConfigurationUpdate", f'Alarm "{alarm.name}" {verb}', {"type": verb.capitalize()[:-1]})
        self.wake()

    def deleted(self, name: str) -> None:
        """Note that an alarm is gone."""
        self._note(name, "ConfigurationUpdate", f'Alarm "{name}" deleted', {"type": "Delete"})

    def change(self, alarm: Alarm, state: State, reason: str, data: Mapping[str, Any]) -> None:
        """Put an alarm into a state, with its history and its actions."""
        before = alarm.state_value
        alarm.update_state(reason, json.dumps(data), state)
        if before == state:
            return
        place: Any = alarm
        place.state_transitioned_timestamp = alarm.state_updated_timestamp
        self._note(
            alarm.name,
            "StateUpdate",
            f"Alarm updated from {before} to {state}",
            {
                "version": "1.0",
                "oldState": {"stateValue": before},
                "newState": {"stateValue": state, "stateReason": reason, "stateReasonData": data},
            },
        )
        actions = {
            "OK": alarm.ok_actions,
            "ALARM": alarm.alarm_actions,
            "INSUFFICIENT_DATA": alarm.insufficient_data_actions,
        }[state]
        for action in actions if alarm.actions_enabled else ():
            self._note(
                alarm.name,
                "Action",
                f"Successfully executed action {action}",
                {"actionState": "Succeeded", "stateUpdateTimestamp": clock.microseconds // 1_000, "resource": action},
            )

    # --- evaluation ---------------------------------------------------------------------------------------------------

    def _at(self, second: int) -> None:
        if self._due is None or second < self._due:
            self._due = second
            clock.at(second * MICROSECONDS, lambda: self._evaluate(second))

    def _evaluate(self, second: int) -> None:
        if second != self._due:  # something earlier came between
            return
        self._due, following = None, []
        self._evaluating = True
        try:
            for alarm in list(self.backend.alarms.values()):
                # A composite alarm is kept by moto and stays as it is.
                if alarm.rule is None:
                    self._evaluate_one(alarm, second)
                    following.append(self._next(alarm, second))
        finally:
            self._evaluating = False
        later = [each for each in following if each is not None]
        if later:
            self._at(min(later))

    def _evaluate_one(self, alarm: Alarm, now: int) -> None:
        period, count = _period(alarm), int(alarm.evaluation_periods) + MORE_PERIODS
        queries, wanted = _queries(alarm)
        values = evaluate(self.backend, queries, now - count * period, now, anchor=now, every=MINUTE)[wanted]
        compare = _COMPARISONS.get(alarm.comparison_operator)
        if compare is None or alarm.threshold is None:  # bands of anomaly detection: kept, never evaluated
            return
        starts = [now - back * period for back in range(count, 0, -1)]
        breaching = [compare[0](values[start], float(alarm.threshold)) if start in values else None for start in starts]
        periods = int(alarm.evaluation_periods)
        to_alarm = int(alarm.datapoints_to_alarm or periods)
        missing = _missing(alarm)
        before: State = alarm.state_value  # type: ignore[assignment]
        state, filled = judge(breaching, periods=periods, to_alarm=to_alarm, missing=missing, state=before)
        if state == before:
            return
        # What the state rests on: the last N data points, the newest first.
        known = [(start, values[start]) for start in reversed(starts) if start in values][:periods]
        reason = _reason(alarm, known, before, state, to_alarm, filled and not known, missing)
        data = {
            "version": "1.0",
            "queryDate": _date(now),
            "startDate": _date(known[-1][0]) if known else None,
            "statistic": alarm.statistic or alarm.extended_statistic,
            "period": period,
            "recentDatapoints": [value for _, value in reversed(known)],
            "threshold": float(alarm.threshold),
        }
        self.change(alarm, state, reason, {name: value for name, value in data.items() if value is not None})

    def _next(self, alarm: Alarm, now: int) -> int | None:
        """The next minute at which the alarm's data will look otherwise, without anything new; None if none will."""
        period, count = _period(alarm), int(alarm.evaluation_periods) + MORE_PERIODS
        start = now - count * period
        found = []
        for query in _queries(alarm)[0]:
            if not query.get("MetricStat"):
                continue
            source = Source.of(self.backend, query["MetricStat"]["Metric"])
            if source.is_gauge:
                if any(change >= start - period for change in metrics.recorder.changes(source.series)):
                    return now + MINUTE
                continue
            for second, _ in source.between(start, now):
                # A point enters the last period a minute after its beginning, and an older one each period.
                moves = (now - second - MINUTE) // period + 1
                if moves <= count:
                    found.append(second + MINUTE + moves * period)
        return min(found, default=None)

    def _note(
        self,
        alarm: str,
        kind: Literal["ConfigurationUpdate", "StateUpdate", "Action"],
        summary: str,
        data: Mapping[str, Any],
    ) -> None:
        self.history.append(Entry(alarm, clock.microseconds // MICROSECONDS, kind, summary, json.dumps(data)))


def _queries(alarm: Alarm) -> tuple[list[dict[str, Any]], str]:
    """The alarm's metric, or its math, as MetricDataQueries, and the Id of the one that is compared."""
    if not alarm.metric_data_queries:
        metric = {
            "Namespace": alarm.namespace,
            "MetricName": alarm.metric_name,
            "Dimensions": [{"Name": each.name, "Value": each.value} for each in alarm.dimensions],
        }
        stat = alarm.statistic or alarm.extended_statistic
        return [{"Id": "m1", "MetricStat": {"Metric": metric, "Period": alarm.period, "Stat": stat}}], "m1"
    queries: list[dict[str, Any]] = []
    wanted = alarm.metric_data_queries[-1].id
    for query in alarm.metric_data_queries:
        entry: dict[str, Any] = {"Id": query.id}
        if query.metric_stat is not None:
            found = query.metric_stat
            metric = {
                "Namespace": found.metric.namespace,
                "MetricName": found.metric.metric_name,
                "Dimensions": [{"Name": each.name, "Value": each.value} for each in found.metric.dimensions],
            }
            entry["MetricStat"] = {"Metric": metric, "Period": found.period, "Stat": found.stat}
        else:
            entry |= {"Expression": query.expression, "Period": query.period}
        if query.return_data is None or query.return_data in (True, "true"):
            wanted = query.id
        queries.append(entry)
    return queries, wanted


def _period(alarm: Alarm) -> int:
    if alarm.period:
        return max(MINUTE, int(alarm.period))
    given = [query.metric_stat.period for query in alarm.metric_data_queries if query.metric_stat is not None]
    return max([MINUTE, *(int(period) for period in given)])


def _missing(alarm: Alarm) -> str:
    if alarm.treat_missing_data:
        return alarm.treat_missing_data
    spaces = {query["MetricStat"]["Metric"]["Namespace"] for query in _queries(alarm)[0] if "MetricStat" in query}
    return "ignore" if spaces == {NAMESPACE} else "missing"


def _date(second: int) -> str:
    return f"{moment(second):%Y-%m-%dT%H:%M:%S}.000+0000"


def _reason(
    alarm: Alarm,
    known: Sequence[tuple[int, float]],
    before: State,
    state: State,
    to_alarm: int,
    empty: bool,
    missing: str,
) -> str:
    """The service's sentence about a change of state."""
    periods = int(alarm.evaluation_periods)
    points = "datapoint was" if periods == 1 else "datapoints were"
    if state == "INSUFFICIENT_DATA":
        return f"Insufficient Data: {periods} {points} unknown."
    if empty:
        treated = missing[0].upper() + missing[1:]
        return (
            f"Threshold Crossed: no datapoints were received for {periods} period{'s' if periods > 1 else ''} and "
            f"{periods} missing {points} treated as [{treated}]."
        )
    compare, words = _COMPARISONS[alarm.comparison_operator]
    threshold = float(alarm.threshold)
    breaches = state == "ALARM"
    counted = [point for point in known if compare(point[1], threshold) == breaches]
    shown = ", ".join(f"{value} ({moment(second):%d/%m/%y %H:%M:%S})" for second, value in counted)
    needed = to_alarm if breaches else periods - to_alarm + 1
    return (
        f"Threshold Crossed: {len(counted)} out of the last {periods} datapoints [{shown}] "
        f"{'was' if len(counted) == 1 else 'were'} {'' if breaches else 'not '}{words} the threshold ({threshold}) "
        f"(minimum {needed} datapoint{'s' if needed > 1 else ''} for {before} -> {state} transition)."
    )


# --- in front of moto -----------------------------------------------------------------------------------------------


def put_metric_alarm(original: Callable[..., Alarm], backend: CloudWatchBackend, *args: Any, **more: Any) -> Alarm:
    """CloudWatchBackend.put_metric_alarm: a new alarm has insufficient data, a changed one keeps its state."""
    name = more["name"] if "name" in more else args[0]
    before = backend.alarms.get(name)
    alarm = original(backend, *args, **more)
    if alarm.rule is None:
        try:
            _check(alarm)
            # Now, for it would otherwise be found out when the clock moves.
            now = clock.microseconds // MICROSECONDS
            evaluate(backend, _queries(alarm)[0], now - MINUTE, now)
        except ServiceException:
            backend.alarms.pop(name)
            if before is not None:
                backend.alarms[name] = before
            raise
    watch.put(alarm, before)
    return alarm


def _check(alarm: Alarm) -> None:
    """Refuse an alarm that CloudWatch refuses and moto takes ("PutMetricAlarm"; words of the lab's own)."""
    if not alarm.metric_data_queries and not (alarm.statistic or alarm.extended_statistic):
        raise ValidationError("An alarm on a metric needs a Statistic or an ExtendedStatistic.")
    if alarm.treat_missing_data not in (None, "", *_MISSING):
        raise ValidationError(f"TreatMissingData is one of {', '.join(_MISSING)}, not {alarm.treat_missing_data}.")
    periods, points = int(alarm.evaluation_periods or 1), int(alarm.datapoints_to_alarm or 0)
    if points > periods:
        raise ValidationError(f"DatapointsToAlarm is at most EvaluationPeriods: {points} is above {periods}.")


def delete_alarms(original: Callable[..., None], backend: CloudWatchBackend, alarm_names: list[str]) -> None:
    """CloudWatchBackend.delete_alarms."""
    for name in alarm_names:
        if name in backend.alarms:
            watch.deleted(name)
    original(backend, alarm_names)


def set_alarm_state(
    original: Callable[..., None],
    backend: CloudWatchBackend,
    alarm_name: str,
    reason: str,
    reason_data: str | None,
    state_value: State,
) -> None:
    """CloudWatchBackend.set_alarm_state: until the next evaluation."""
    alarm = backend.alarms.get(alarm_name)
    if alarm is None:
        raise ResourceNotFound(f"There is no alarm {alarm_name}.")
    before = alarm.state_value
    original(backend, alarm_name, reason, reason_data, state_value)
    alarm.state_value = before
    watch.change(alarm, state_value, reason, json.loads(reason_data or "{}"))
    watch.wake()


def put_metric_data(original: Callable[..., None], backend: CloudWatchBackend, *args: Any, **more: Any) -> None:
    """CloudWatchBackend.put_metric_data: alarms may be about it."""
    original(backend, *args, **more)
    watch.wake()


def describe_alarm_history(handler: Any) -> Any:
    """DescribeAlarmHistory, which moto lacks."""
    given = handler._get_params()
    entries = [
        entry
        for entry in watch.history
        if given.get("AlarmName") in (None, entry.alarm)
        and given.get("HistoryItemType") in (None, entry.kind)
        and (given.get("StartDate") is None or given["StartDate"] <= moment(entry.when))
        and (given.get("EndDate") is None or moment(entry.when) <= given["EndDate"])
    ]
    if (given.get("ScanBy") or "TimestampDescending") == "TimestampDescending":
        entries.reverse()
    first, most = int(given.get("NextToken") or 0), int(given.get("MaxRecords") or 100)
    answer: dict[str, Any] = {"AlarmHistoryItems": [entry.as_response() for entry in entries[first : first + most]]}
    if len(entries) > first + most:
        answer["NextToken"] = str(first + most)
    return ActionResult(answer)


watch = Watch(Recorder())
"""The running lab's watch."""


def swap(new: Watch) -> Watch:
    """Make ``new`` the running lab's watch; return the one before, to be put back later."""
    global watch
    before, watch = watch, new
    return before
