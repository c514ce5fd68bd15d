"""CloudWatch's answers: GetMetricData, GetMetricStatistics and ListMetrics over the lab's recorder and put data.

moto keeps every sample as an object and knows neither percentiles nor metric math; these three operations are answered
here instead. Sources: CloudWatch API Reference; "Using math expressions with CloudWatch metrics", of which arithmetic,
PERIOD, FILL, SUM, AVG, MIN and MAX are here.
"""

from __future__ import annotations

import ast
import datetime as dt
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moto.cloudwatch.exceptions import InvalidParameterCombination, InvalidParameterValue, ValidationError
from moto.cloudwatch.models import CloudWatchBackend, MetricAggregatedDatum
from moto.core.responses import ActionResult

from . import metrics
from .clock import clock
from .metrics import GAUGE_PERIOD, MINUTE, NAMESPACE, Tally

Values = dict[int, float]
"""A value for each second at which a period starts."""

_MOST_POINTS = 1_440
_PAGE = 500


@dataclass(frozen=True)
class Source:
    """A metric: the lab's own, or one that the learner put."""

    backend: CloudWatchBackend
    namespace: str
    name: str
    dimensions: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, backend: CloudWatchBackend, metric: Mapping[str, Any]) -> Source:
        """Return the metric that a request names."""
        pairs = sorted((each["Name"], each["Value"]) for each in metric.get("Dimensions") or ())
        return cls(backend, metric["Namespace"], metric["MetricName"], tuple(pairs))

    @property
    def series(self) -> metrics.Series:
        """The lab's name of it."""
        return metrics.series_of(self.name, [{"Name": name, "Value": value} for name, value in self.dimensions])

    @property
    def is_gauge(self) -> bool:
        """Whether it is a level that the lab computes."""
        return self.namespace == NAMESPACE and metrics.recorder.is_gauge(self.series)

    def unit(self) -> str:
        """The metric's unit."""
        if self.namespace == NAMESPACE:
            return metrics.unit_of(self.name)
        return next((datum.unit for datum in self._put() if datum.unit), "None")

    def between(self, start: int, end: int, every: int = GAUGE_PERIOD) -> Iterable[tuple[int, Tally]]:
        """Return the data points from the second ``start`` to before ``end``."""
        if self.namespace == NAMESPACE:
            yield from metrics.recorder.between(self.series, start, end, every)
        for datum in self._put():
            second = _second(datum.timestamp)
            if start <= second < end:
                if isinstance(datum, MetricAggregatedDatum):
                    yield second, Tally(datum.sample_count, datum.sum, datum.min, datum.max, None)
                else:
                    yield second, Tally.of({datum.value: 1})

    def _put(self) -> Iterator[Any]:
        for datum in self.backend.metric_data if self.namespace == NAMESPACE else self.backend.get_all_metrics():
            named = (datum.namespace, datum.name) == (self.namespace, self.name)
            if named and self.dimensions == tuple(sorted((each.name, each.value) for each in datum.dimensions)):
                yield datum

    def periods(self, start: int, end: int, period: int, anchor: int, every: int) -> dict[int, Tally]:
        """Return the samples of each period that has any; periods begin at ``anchor`` and every ``period`` seconds."""
        found: dict[int, Tally] = {}
        for second, tally in self.between(start, end, every):
            found.setdefault(anchor + (second - anchor) // period * period, Tally()).add(tally)
        return dict(sorted(found.items()))


def evaluate(
    backend: CloudWatchBackend,
    queries: Sequence[Mapping[str, Any]],
    start: int,
    end: int,
    *,
    anchor: int = 0,
    every: int = GAUGE_PERIOD,
) -> dict[str, Values]:
    """Return the values of each MetricDataQuery, by its Id: statistics of metrics, and math on them.

    Seconds since 1970; ``anchor``: where the periods begin. Raises moto's ValidationError for what it cannot compute.
    """
    results: dict[str, Values] = {}
    periods: dict[str, int] = {}
    for query in queries:
        if "MetricStat" in query and query["MetricStat"]:
            stat = query["MetricStat"]
            period = check_period(int(stat["Period"]))
            first = anchor + (start - anchor) // period * period
            tallies = Source.of(backend, stat["Metric"]).periods(first, end, period, anchor, every)
            results[query["Id"]] = _statistics(tallies, stat["Stat"])
            periods[query["Id"]] = period
    for query in queries:
        if query.get("Expression"):
            period = int(query.get("Period") or min(periods.values(), default=MINUTE))
            first = anchor + (start - anchor) // period * period
            grid = range(first, end, period)
            results[query["Id"]] = Expression(query["Expression"], results, periods, grid).values()
            periods[query["Id"]] = period
    return results


def check_period(period: int) -> int:
    """Return the period in seconds; raises moto's error for one that the service refuses."""
    if period not in (1, 5, 10, 20, 30) and (period < MINUTE or period % MINUTE):
        raise InvalidParameterValue(
            "The parameter Period must be 1, 5, 10, 20, 30, or a multiple of 60 seconds: it is " + str(period) + "."
        )
    return period


def _statistics(tallies: Mapping[int, Tally], name: str) -> Values:
    if name not in metrics.STATISTICS and metrics.percentage(name) is None:
        known = ", ".join(metrics.STATISTICS)
        raise ValidationError(f"The lab knows the statistics {known} and p0 to p100, not {name}.")
    values = {second: tally.statistic(name) for second, tally in tallies.items()}
    return {second: value for second, value in values.items() if value is not None}


_OPERATORS: dict[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Eq: operator.eq,
}  # fmt: skip
_ACROSS: dict[str, Callable[[list[float]], float]] = {
    "SUM": sum, "MIN": min, "MAX": max, "AVG": lambda values: sum(values) / len(values),
}  # fmt: skip


class Expression:
    """A math expression over earlier results: ``100 * m1 / (m1 + FILL(m2, 0))``, ``m1 / PERIOD(m1)``, ``SUM([a, b])``.

    Between two series the periods count in which both have a value; a division by zero gives no value.
    """

    def __init__(self, text: str, results: Mapping[str, Values], periods: Mapping[str, int], grid: range) -> None:
        self.text, self.results, self.periods, self.grid = text, results, periods, grid

    def values(self) -> Values:
        """Return the expression's value for each period that has one."""
        try:
            found = self._value(ast.parse(self.text.strip(), mode="eval").body)
        except SyntaxError:
            raise self._fault() from None
        return found if isinstance(found, dict) else dict.fromkeys(self.grid, float(found))

    def _fault(self) -> ValidationError:
        return ValidationError(
            f"Error in expression '{self.text}': the lab computes + - * / and comparisons of the request's ids and of "
            "numbers, and PERIOD, FILL, SUM, AVG, MIN, MAX."
        )

    def _value(self, node: ast.AST) -> Values | float:
        match node:
            case ast.Constant(value=int() | float() as number):
                return float(number)
            case ast.Name(id=name) if name in self.results:
                return self.results[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._both(operator.sub, 0.0, self._value(operand))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return self._both(_OPERATORS[type(op)], self._value(left), self._value(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPERATORS:
                return self._both(_OPERATORS[type(op)], self._value(left), self._value(right))
            case ast.Call(func=ast.Name(id="PERIOD"), args=[ast.Name(id=name)]) if name in self.periods:
                return float(self.periods[name])
            case ast.Call(func=ast.Name(id="FILL"), args=[series, ast.AST() as number]):
                known, rest = self._value(series), self._value(number)
                if isinstance(known, dict) and isinstance(rest, float):
                    return {second: known.get(second, rest) for second in sorted({*known, *self.grid})}
            case ast.Call(func=ast.Name(id=name), args=[argument]) if name in _ACROSS:
                return self._across(_ACROSS[name], argument)
        raise self._fault()

    def _across(self, function: Callable[[list[float]], float], argument: ast.AST) -> Values | float:
        if isinstance(argument, ast.List):
            several = [self._value(element) for element in argument.elts]
        elif isinstance(argument, ast.Call) and ast.unparse(argument) == "METRICS()":
            several = list(self.results.values())
        else:  # one series: a number over its periods
            one = self._value(argument)
            return function(list(one.values())) if isinstance(one, dict) and one else 0.0
        dicts = [each for each in several if isinstance(each, dict)]
        if len(dicts) != len(several):
            raise self._fault()
        seconds = sorted({second for each in dicts for second in each})
        return {second: float(function([each[second] for each in dicts if second in each])) for second in seconds}

    @staticmethod
    def _both(function: Callable[[float, float], float], left: Values | float, right: Values | float) -> Values | float:
        def at(second: int | None) -> float | None:
            try:
                first = left[second] if isinstance(left, dict) and second is not None else left
                other = right[second] if isinstance(right, dict) and second is not None else right
                return float(function(first, other))  # type: ignore[arg-type]
            except ZeroDivisionError:
                return None

        series = [each for each in (left, right) if isinstance(each, dict)]
        if not series:
            return at(None) or 0.0
        seconds = [second for second in series[0] if all(second in each for each in series)]
        return {second: value for second in seconds if (value := at(second)) is not None}


# --- the operations -------------------------------------------------------------------------------------------------


def get_metric_data(handler: Any) -> Any:
    """GetMetricData."""
    given = handler._get_params()
    start, end = _second(given["StartTime"]), _second(given["EndTime"], up=True)
    if start > end:
        raise ValidationError("The parameter EndTime must be greater than StartTime.")
    if given["StartTime"] == given["EndTime"]:
        raise ValidationError("The parameter StartTime must not equal parameter EndTime.")
    queries = given.get("MetricDataQueries", [])
    for number, query in enumerate(queries, 1):
        if "MetricStat" not in query and "Expression" not in query:
            raise ValidationError(f"The parameter MetricDataQueries.member.{number}.MetricStat is required.\n")
    results = evaluate(handler.cloudwatch_backend, queries, start, end)
    answers = []
    for query in queries:
        if not query.get("ReturnData", True):
            continue
        points = list(results[query["Id"]].items())
        unit = query.get("MetricStat", {}).get("Unit")
        if unit and unit != Source.of(handler.cloudwatch_backend, query["MetricStat"]["Metric"]).unit():
            points = []
        if (given.get("ScanBy") or "TimestampDescending") == "TimestampDescending":
            points.reverse()
        name = query["MetricStat"]["Metric"]["MetricName"] if query.get("MetricStat") else query["Id"]
        answers.append(
            {
                "Id": query["Id"],
                "Label": query.get("Label") or name,
                "Timestamps": [moment(second) for second, _ in points],
                "Values": [value for _, value in points],
                "StatusCode": "Complete",
            }
        )
    return ActionResult({"MetricDataResults": answers, "Messages": []})


def get_metric_statistics(handler: Any) -> Any:
    """GetMetricStatistics."""
    given = handler._get_params()
    plain, extended = given.get("Statistics") or [], given.get("ExtendedStatistics") or []
    if not plain and not extended:
        raise InvalidParameterCombination("Must specify either Statistics or ExtendedStatistics")
    start, end, period = _second(given["StartTime"]), _second(given["EndTime"], up=True), int(given["Period"])
    if start >= end:
        raise InvalidParameterValue("The parameter StartTime must be less than the parameter EndTime.")
    check_period(period)
    asked = -(-(end - start) // period)
    if asked > _MOST_POINTS:
        raise InvalidParameterCombination(
            f"You have requested up to {asked:,} datapoints, which exceeds the limit of {_MOST_POINTS:,}. You may "
            "reduce the datapoints requested by increasing Period, or decreasing the time range."
        )
    source = Source.of(handler.cloudwatch_backend, given)
    unit = source.unit()
    start = start // MINUTE * MINUTE
    tallies = source.periods(start, end, period, start, GAUGE_PERIOD) if given.get("Unit", unit) == unit else {}
    points = []
    for second, tally in tallies.items():
        point: dict[str, Any] = {"Timestamp": moment(second), "Unit": unit}
        for name in plain:
            point.update({name: _statistics({second: tally}, name).get(second)})
        found = {name: _statistics({second: tally}, name).get(second) for name in extended}
        if any(value is not None for value in found.values()):
            point["ExtendedStatistics"] = {name: value for name, value in found.items() if value is not None}
        points.append(point)
    return ActionResult({"Label": given["MetricName"], "Datapoints": points})


def list_metrics(handler: Any) -> Any:
    """ListMetrics: the lab's metrics in the order of names, then what the learner put."""
    given = handler._get_params()
    namespace, name = given.get("Namespace"), given.get("MetricName")
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    listed = [(NAMESPACE, series[0], metrics.dimensions_of(series)) for series in metrics.recorder.all_series()]
    listed += [
        (datum.namespace, datum.name, [{"Name": each.name, "Value": each.value} for each in datum.dimensions])
        for datum in handler.cloudwatch_backend.get_all_metrics()
    ]
    for space, metric, dimensions in listed:
        pairs = {each["Name"]: each["Value"] for each in dimensions}
        wanted = given.get("Dimensions") or []
        fits = all(each["Name"] in pairs and each.get("Value") in (None, pairs[each["Name"]]) for each in wanted)
        if fits and namespace in (None, space) and name in (None, metric):
            key = (space, metric, tuple(sorted(pairs.items())))
            found[key] = {"Namespace": space, "MetricName": metric, "Dimensions": dimensions}
    first = int(given.get("NextToken") or 0)
    answer: dict[str, Any] = {"Metrics": list(found.values())[first : first + _PAGE]}
    if len(found) > first + _PAGE:
        answer["NextToken"] = str(first + _PAGE)
    return ActionResult(answer)


def moment(second: int) -> dt.datetime:
    """Return a second since 1970 as an aware datetime."""
    return dt.datetime.fromtimestamp(second, dt.UTC)


def _second(when: Any, *, up: bool = False) -> int:
    """The second of a datetime, rounded down; up for an end, so that what has begun is inside."""
    if not isinstance(when, dt.datetime):
        return clock.microseconds // 1_000_000 if when is None else int(when)
    exact = when.replace(tzinfo=when.tzinfo or dt.UTC).timestamp()
    return -int(-exact // 1) if up else int(exact // 1)


OPERATIONS = {
    "get_metric_data": get_metric_data,
    "get_metric_statistics": get_metric_statistics,
    "list_metrics": list_metrics,
}
"""What stands in for moto's methods of the same names."""
