"""What the lab rests on inside moto and botocore, name by name, and whether the ones installed still have it.

moto's and botocore's public doors are not enough for a lab that stands between them and simulates time, so an upgrade
of either may take something away. Each line of `USES` says what must be there and which module relies on it: importing
the lab compares it with what is installed, and a difference ends in one sentence instead of a stack from the inside.
What cannot be read off a signature (call sites, the shape of an answer) is held by tests/live/test_moto_contract.py.
"""

from __future__ import annotations

import dis
import functools
import importlib
import importlib.metadata
import inspect
import itertools
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import LabError

_STORE_ATTR = dis.opmap["STORE_ATTR"]
MADE_WITH = {"moto": "5.2", "botocore": "1.44"}
"""The minor versions that the lab was made with."""


@dataclass(frozen=True)
class Uses:
    """What one part of the lab uses of ``place``, a module or ``module:Class``.

    ``names`` are attributes (of the module, of the class, or set by the class on its instances), or callables with
    their parameters: ``put(a, b)`` takes just these, ``put(a, ..., b)`` at least these, and the others have defaults.
    """

    place: str
    by: str
    names: tuple[str, ...]

    @property
    def attributes(self) -> frozenset[str]:
        """The names alone."""
        return frozenset(name.partition("(")[0] for name in self.names)


def _uses(place: str, by: str, *names: str) -> Uses:
    return Uses(place, by, names)


_TABLES = "moto.dynamodb.models.table"
_TYPES = "moto.dynamodb.models.dynamo_type"
_BACKEND = "moto.dynamodb.models:DynamoDBBackend"
_HANDLER = "moto.dynamodb.responses"
_SCALING = "moto.applicationautoscaling.models"
_WATCH = "moto.cloudwatch.models"

USES: tuple[Uses, ...] = (
    # One door in front of everything, and the register of what there is.
    _uses("moto", "live.session starts and stops moto", "mock_aws(...)"),
    _uses("moto.settings", "live.surroundings has moto forget a user's settings", "TEST_SERVER_MODE"),
    _uses("moto.core.models", "live.metering looks tables up under this account", "DEFAULT_ACCOUNT_ID"),
    _uses("moto.core.botocore_stubber", "live.session and live.server answer boto3 there", "BotocoreStubber()"),
    _uses(
        "moto.core.botocore_stubber:BotocoreStubber",
        "live.session and live.server answer boto3 there",
        "__call__(event_name, request, ...)",
        "process_request(request)",
        "process_prepared_request(request)",
        "enabled",
    ),
    _uses("moto.core.base_backend:BackendDict", "live.session empties and refills the backends", "_instances"),
    _uses(
        "moto.core.base_backend:BaseBackend",
        "live.streams and live.autoscaling file things by account and region",
        "account_id",
        "region_name",
    ),
    _uses("moto.backends", "live.monitoring attaches auto scaling when it is first asked for", "get_backend(name)"),
    _uses(
        "moto.core.responses:BaseResponse",
        "live.front stands before every operation",
        "call_action()",
        "_get_action()",
        "params",
        "service_name",
    ),
    _uses("moto.core.utils", "live.front finds an operation's method with it", "camelcase_to_underscores(argument)"),
    _uses("moto.core.responses", "live.session remembers moto's look-up of methods", "method_names_from_class(clazz)"),
    _uses("moto.core.utils", "live.session remembers moto's look-up of methods", "method_names_from_class(clazz)"),
    _uses("moto.core.utils", "live.moto_time simulates the time that moto reads there", "datetime"),
    _uses("moto.moto_api._internal", "live.moto_time seeds what moto draws", "mock_random"),
    _uses(
        "moto.moto_api._internal.moto_random:MotoRandom",
        "live.moto_time, live.session and live.autoscaling draw from it",
        "seed(a, ...)",
        "getstate()",
        "setstate(state)",
        "uuid4()",
    ),
    _uses("moto.utilities.aws_headers", "live.server gives each answer a request id", "gen_amzn_requestid_long(...)"),
    # Requests on items and tables.
    _uses(
        f"{_HANDLER}:DynamoHandler",
        "live.gate stands in front of every operation, as a method without arguments",
        *(
            f"{name}()"
            for name in (
                "put_item",
                "update_item",
                "delete_item",
                "get_item",
                "query",
                "scan",
                "batch_write_item",
                "batch_get_item",
                "transact_write_items",
                "transact_get_items",
                "execute_statement",
                "batch_execute_statement",
                "execute_transaction",
                "create_table",
                "update_table",
                "describe_table",
                "delete_table",
                "list_tables",
                "update_time_to_live",
                "describe_limits",
                "list_tags_of_resource",
                "tag_resource",
                "untag_resource",
                "describe_time_to_live",
            )
        ),
    ),  # fmt: skip
    _uses(
        f"{_HANDLER}:DynamoHandler",
        "live.gate reads the request there, live.control the region and the backend",
        "body",
        "region",
        "dynamodb_backend",
    ),
    _uses(
        _HANDLER,
        "live.gate answers with its results, live.transactions reads its projections",
        "DynamoResult(result)",
        "ProjectionExpressionParser(projection_expression, expression_attribute_names)",
        "validate_attributes_used(attribute_names, names_used, ..., validation_error_prefix)",
    ),
    _uses(
        f"{_HANDLER}:ProjectionExpressionParser",
        "live.transactions reads projections with it",
        "parse()",
        "expr_attr_names_found",
    ),
    _uses("moto.dynamodb.models", "live.metering finds tables there", "dynamodb_backends"),
    _uses(_BACKEND, "live.metering and live.control find tables there", "tables", "get_table(table_name)"),
    _uses(
        _BACKEND,
        "live.transactions writes through it, and stands in for its transactions",
        "put_item(table_name, item_attrs, ..., overwrite)",
        "update_item(table_name, key, update_expression, expression_attribute_names, expression_attribute_values, ..., "
        "condition_expression)",
        "delete_item(table_name, key, ..., expression_attribute_names, expression_attribute_values, "
        "condition_expression)",
        "transact_write_items(transact_items)",
    ),
    _uses(
        _BACKEND,
        "live.expiry and live.streams stand in for these",
        "update_time_to_live(table_name, ttl_spec)",
        "describe_time_to_live(table_name)",
        "update_table_streams(table, stream_specification)",
    ),
    _uses(
        f"{_TABLES}:Table",
        "live.schema, live.metering, live.metrics and live.autoscaling read a table there",
        "account_id",
        "all_indexes()",
        "all_items()",
        "attr",
        "billing_mode",
        "created_at",
        "global_indexes",
        "has_range_key",
        "hash_key_attr",
        "indexes",
        "items",
        "name",
        "range_key_attr",
        "region_name",
        "schema",
        "table_arn",
        "table_key_attrs",
        "throughput",
        "ttl",
    ),  # fmt: skip
    _uses(
        f"{_TABLES}:Table",
        "live.writes stands before each change of an item",
        "put_item(item_attrs, ...)",
        "delete_item(hash_key, range_key)",
    ),
    _uses(
        f"{_TABLES}:Table",
        "live.pages stands in for these, live.control for the description",
        "query(hash_key, range_comparison, range_objs, limit, exclusive_start_key, scan_index_forward, "
        "projection_expressions, index_name, consistent_read, filter_expression, hash_key_conditions, "
        "range_key_conditions, filter_kwargs)",
        "scan(filters, limit, exclusive_start_key, filter_expression, index_name, consistent_read, "
        "projection_expression, segments)",
        "describe(base_key)",
    ),
    _uses(
        f"{_TABLES}:Table",
        "live.streams begins and ends a table's stream there",
        "set_stream_specification(streams)",
        "latest_stream_label",
        "stream_shard",
        "stream_specification",
    ),
    _uses(_TABLES, "live.streams puts its shard in this one's place", "StreamShard(account_id, table)"),
    _uses(
        f"{_TABLES}:StreamShard",
        "live.streams puts its shard in this one's place",
        "add(old, new)",
        "to_json()",
        "account_id",
        "created_on",
        "id",
        "items",
        "starting_sequence_number",
        "table",
    ),
    _uses(
        f"{_TABLES}:GlobalSecondaryIndex",
        "live.schema and live.control read an index there",
        "name",
        "projection",
        "schema",
        "throughput",
        "describe()",
    ),
    _uses(_TYPES, "live.images and live.pages make these", "DynamoType(type_as_dict)"),
    _uses(_TYPES, "live.images and live.pages make these", "Item(hash_key, range_key, attrs)"),
    _uses(
        f"{_TYPES}:DynamoType",
        "live.images reads values there",
        "type",
        "value",
        "cast_value",
        "__setitem__(key, value)",
    ),
    _uses(f"{_TYPES}:Item", "live.images reads an item there", "attrs", "hash_key", "range_key"),
    _uses(f"{_TYPES}:Item", "live.pages projects with it", "project(projection_expressions)"),
    _uses(
        f"{_TYPES}:LimitedSizeDict", "live.session lifts moto's own limit of an item's size", "__setitem__(key, value)"
    ),
    _uses(
        "moto.dynamodb.parsing.reserved_keywords:ReservedKeywords",
        "live.validation refuses reserved words by it",
        "get_reserved_keywords()",
    ),
    _uses("moto.dynamodb.models.utilities", "live.statements and live.metering read with it", "dynamo_to_dict(obj)"),
    _uses(
        "moto.dynamodb.comparisons",
        "live.transactions compiles conditions with it, live.comparing tells operands apart",
        "get_filter_expression(expr, names, values)",
        "AttributePath",
        "FuncSize",
    ),
    _uses("moto.dynamodb.comparisons:AttributePath", "live.comparing reads an operand's type there", "_get_attr(item)"),
    _uses("moto.dynamodb.comparisons:FuncSize", "live.comparing reads an operand's type there", "attr"),
    _uses(
        "moto.dynamodb.parsing.key_condition_expression",
        "live.comparing reads key conditions anew",
        "validate_schema(results, schema)",
    ),
    _uses(
        _HANDLER,
        "live.comparing reads key conditions anew",
        "parse_expression(key_condition_expression, expression_attribute_values, expression_attribute_names, schema)",
    ),
    *(
        _uses(f"moto.dynamodb.comparisons:{name}", "live.comparing stands before it", "expr(item)")
        for name in (
            "FuncBeginsWith",
            "FuncBetween",
            "FuncContains",
            "FuncIn",
            "OpEqual",
            "OpGreaterThan",
            "OpGreaterThanOrEqual",
            "OpLessThan",
            "OpLessThanOrEqual",
            "OpNotEqual",
        )  # fmt: skip
    ),
    _uses(
        "moto.dynamodb.exceptions",
        "the gate's modules raise and catch these",
        "ConditionalCheckFailed(msg, item)",
        "DynamodbException(error_type, message, ...)",
        "ERROR_TYPE_PREFIX",
        "InvalidUpdateExpressionInvalidDocumentPath()",
        "InvalidAttributeTypeError(name, expected_type, actual_type)",
        "MockValidationException(message)",
        "MultipleTransactionsException()",
        "ResourceNotFoundException(msg, table_name)",
        "TransactWriteSingleOpException()",
        "TransactionCanceledException(errors)",
    ),
    _uses("moto.dynamodb.exceptions:MockValidationException", "live.gate changes its type", "error_type"),
    _uses(
        "moto.core.exceptions",
        "the gate's modules raise and catch these",
        "JsonRESTError(error_type, message, ...)",
        "ServiceException",
    ),
    _uses(
        "moto.core.exceptions:JsonRESTError",
        "live.counting, live.items and live.statements read errors",
        "description",
        "error_type",
        "message",
    ),
    _uses("moto.dynamodbstreams.models", "live.streams keeps its streams there", "dynamodbstreams_backends"),
    _uses(
        "moto.dynamodbstreams.models:DynamoDBStreamsBackend",
        "live.streams stands in for these",
        "list_streams(table_name)",
        "describe_stream(arn)",
        "get_shard_iterator(arn, shard_id, shard_iterator_type, sequence_number)",
        "get_records(iterator_arn, limit)",
    ),
    # CloudWatch.
    _uses(
        "moto.cloudwatch.responses:CloudWatchResponse",
        "live.cloudwatch and live.alarms answer in its place",
        "get_metric_data()",
        "get_metric_statistics()",
        "list_metrics()",
        "_get_params()",
        "cloudwatch_backend",
    ),
    _uses("moto.core.responses", "live.cloudwatch and live.alarms answer with it", "ActionResult(result)"),
    _uses("moto.core.responses:ActionResult", "live.front and live.counting read an answer there", "result"),
    _uses(
        "moto.cloudwatch.exceptions",
        "live.cloudwatch refuses with these",
        "ResourceNotFound(...)",
        "InvalidParameterCombination(...)",
        "InvalidParameterValue(...)",
        "ValidationError(...)",
    ),
    _uses(_WATCH, "live.alarms and live.autoscaling keep alarms there", "cloudwatch_backends"),
    _uses(
        f"{_WATCH}:CloudWatchBackend",
        "live.alarms stands before these, live.autoscaling makes its alarms with them",
        "alarms",
        "put_metric_alarm(name, namespace, metric_name, comparison_operator, evaluation_periods, period, threshold, "
        "statistic, description, dimensions, alarm_actions, ...)",
        "delete_alarms(alarm_names)",
        "set_alarm_state(alarm_name, reason, reason_data, state_value)",
        "put_metric_data(namespace, metric_data)",
    ),
    _uses(f"{_WATCH}:CloudWatchBackend", "live.cloudwatch shows them too", "metric_data", "get_all_metrics()"),
    _uses(
        f"{_WATCH}:Alarm",
        "live.alarms judges by these",
        "actions_enabled",
        "alarm_actions",
        "comparison_operator",
        "datapoints_to_alarm",
        "description",
        "dimensions",
        "evaluation_periods",
        "extended_statistic",
        "insufficient_data_actions",
        "metric_data_queries",
        "metric_name",
        "name",
        "namespace",
        "ok_actions",
        "period",
        "rule",
        "state_updated_timestamp",
        "state_value",
        "statistic",
        "threshold",
        "treat_missing_data",
        "update_state(reason, reason_data, state_value)",
    ),  # fmt: skip
    _uses(f"{_WATCH}:Dimension", "live.alarms finds an alarm's figure by them", "name", "value"),
    _uses(f"{_WATCH}:Metric", "live.alarms finds an alarm's figure by it", "dimensions", "metric_name", "namespace"),
    _uses(f"{_WATCH}:MetricDatumBase", "live.cloudwatch shows them too", "dimensions", "name", "namespace"),
    _uses(
        _WATCH,
        "live.cloudwatch hands its figures over in these",
        "MetricAggregatedDatum(namespace, name, min_stat, max_stat, sample_count, sum_stat, dimensions, timestamp, "
        "unit)",
    ),
    _uses(f"{_WATCH}:MetricAggregatedDatum", "live.cloudwatch adds them up", "max", "min", "sample_count", "sum"),
    _uses(
        f"{_WATCH}:MetricDataQuery",
        "live.alarms reads an alarm's expressions there",
        "expression",
        "id",
        "metric_stat",
        "period",
        "return_data",
    ),
    _uses(f"{_WATCH}:MetricStat", "live.alarms reads an alarm's expressions there", "metric", "period", "stat"),
    # Auto scaling, which moto loads in a second and a half: looked at when it is first asked for.
    _uses(
        "moto.applicationautoscaling.exceptions", "live.autoscaling refuses with it", "AWSValidationException(message)"
    ),
    _uses(
        "moto.applicationautoscaling.responses:ApplicationAutoScalingResponse",
        "live.autoscaling reads requests there",
        "_get_param(param_name, ...)",
    ),
    _uses(
        _SCALING,
        "live.autoscaling keeps its targets and policies there",
        "applicationautoscaling_backends",
        "time",
    ),
    _uses(
        f"{_SCALING}:ApplicationAutoscalingBackend",
        "live.autoscaling stands before these",
        "policies",
        "scheduled_actions",
        "targets",
        "register_scalable_target(namespace, r_id, dimension, min_capacity, max_capacity, role_arn, suspended_state)",
        "deregister_scalable_target(namespace, r_id, dimension)",
        "put_scaling_policy(policy_name, service_namespace, resource_id, scalable_dimension, policy_body, policy_type)",
        "delete_scaling_policy(policy_name, service_namespace, resource_id, scalable_dimension)",
        "put_scheduled_action(service_namespace, schedule, timezone, scheduled_action_name, resource_id, "
        "scalable_dimension, start_time, end_time, scalable_target_action)",
    ),
    _uses(
        f"{_SCALING}:FakeApplicationAutoscalingPolicy",
        "live.autoscaling scales by them, and makes their alarms",
        "account_id",
        "alarms",
        "creation_time",
        "policy_arn",
        "policy_name",
        "policy_type",
        "region_name",
        "resource_id",
        "scalable_dimension",
        "service_namespace",
        "target_tracking_scaling_policy_configuration",
        "_generate_dynamodb_alarms()",
        "delete_alarms(account_id, region_name)",
        "formulate_key(service_namespace, resource_id, scalable_dimension, policy_name)",
    ),  # fmt: skip
    _uses(
        f"{_SCALING}:FakeScalableTarget",
        "live.autoscaling keeps within them",
        "max_capacity",
        "min_capacity",
        "role_arn",
        "suspended_state",
        "update(min_capacity, max_capacity, suspended_state)",
    ),
    _uses(
        f"{_SCALING}:FakeScheduledAction",
        "live.autoscaling runs them on the lab's clock",
        "end_time",
        "resource_id",
        "scalable_dimension",
        "scalable_target_action",
        "schedule",
        "service_namespace",
        "start_time",
        "timezone",
    ),
    # botocore: where it waits, draws jitter and sends.
    _uses("botocore.endpoint", "live.waits simulates the pauses of legacy and standard retries", "time"),
    _uses("botocore.waiter", "live.waits simulates the pauses of waiters", "time"),
    _uses(
        "botocore.retries.bucket",
        "live.waits simulates the pauses of adaptive retries",
        "time",
        "CapacityNotAvailableError(...)",
        "TokenBucket(max_rate, clock, ...)",
    ),
    _uses(
        "botocore.retries.bucket:TokenBucket",
        "live.waits waits in its place",
        "acquire(amount, block)",
        "_current_capacity",
        "_refill()",
        "_sleep_amount(amount)",
    ),
    _uses(
        "botocore.retries.quota:RetryQuota",
        "live.waits gives each lab a full retry quota",
        "__init__(...)",
    ),
    _uses(
        "botocore.retries.adaptive",
        "live.waits gives each lab a client's rate anew",
        "ClientRateLimiter(rate_adjustor, rate_clocker, token_bucket, throttling_detector, clock)",
        "RateClocker(clock, ...)",
    ),
    _uses(
        "botocore.retries.adaptive:ClientRateLimiter",
        "live.waits gives each lab a client's rate anew",
        "_clock",
        "_throttling_detector",
    ),
    _uses(
        "botocore.retries.throttling",
        "live.waits gives each lab a client's rate anew",
        "CubicCalculator(starting_max_rate, start_time, ...)",
    ),
    _uses("botocore.retryhandler", "live.waits draws the jitter of legacy retries", "random"),
    _uses("botocore.retries.standard", "live.waits draws its jitter", "ExponentialBackoff(..., random)"),
    _uses("botocore.httpsession:URLLib3Session", "live.isolation shuts the door to the network", "send(request)"),
    _uses(
        "botocore.configprovider:ConfiguredEndpointProvider",
        "live.isolation passes over a user's endpoints",
        "provide()",
    ),
    _uses("botocore.credentials:ProcessProvider", "live.isolation runs no program of a profile's", "load()"),
    _uses(
        "botocore.client:BaseClient",
        "the checks count what a learner's answer sends",
        "_make_api_call(operation_name, api_params)",
    ),
    _uses(
        "botocore.awsrequest",
        "live.server hands moto its requests in these",
        "AWSPreparedRequest(method, url, headers, body, stream_output, ...)",
        "HeadersDict(...)",
    ),
    _uses("botocore.session", "live.server reads the API's models with it", "get_session(...)"),
    _uses("botocore.model", "live.wire reads the API's shapes", "Shape"),
    _uses("boto3.dynamodb.types:TypeSerializer", "live.front shortens its errors", "serialize(value)"),
    _uses(
        "boto3",
        "live.session makes boto3 forget the session it had, but not its exceptions",
        "DEFAULT_SESSION",
        "setup_default_session(...)",
    ),
    _uses("boto3.session:Session", "live.session gives all of them the same exceptions", "_session"),
    _uses("botocore.session:Session", "live.session gives all of them the same exceptions", "_internal_components"),
    _uses("botocore.errorfactory:ClientExceptionsFactory", "live.session shares the exceptions", "__init__()"),
)
"""Everything that the lab uses of moto and botocore below their documented doors."""


def faults(*, late: bool = False) -> Iterator[str]:
    """Yield a sentence for each of `USES` that is not there, or has other parameters.

    Call it before the lab has started: what the lab puts in moto's place has its own parameters.
    ``late`` looks at what is loaded only when it is first used: auto scaling, which costs 1.5 s to import.
    """
    for uses in USES:
        if uses.place.startswith("moto.applicationautoscaling") == late:
            yield from _faults(uses)


def require() -> None:
    """Raise LabError with one sentence, unless moto and botocore are of `MADE_WITH` and have what the lab rests on."""
    installed = {name: importlib.metadata.version(name) for name in MADE_WITH}
    others = [name for name, minor in MADE_WITH.items() if installed[name].split(".")[:2] != minor.split(".")]
    fault = next(faults(), None)
    if not others and fault is None:
        return
    made_with = " and ".join(f"{name} {minor}" for name, minor in MADE_WITH.items())
    there = " and ".join(f"{name} {installed[name]}" for name in others or MADE_WITH)
    why = f" ({fault})" if fault else ""
    raise LabError(
        f"The lab was made with {made_with}, and {there} {'is' if len(others) == 1 else 'are'} installed{why}. "
        "Install what it was tested with: pip install -r requirements.lock"
    )


def _faults(uses: Uses) -> Iterator[str]:
    module, _, kind = uses.place.partition(":")
    try:
        place: Any = importlib.import_module(module)
    except Exception as error:  # whatever a package does while it is imported
        yield f"{module} cannot be imported, {error}: {uses.by}"
        return
    if kind:
        if not hasattr(place, kind):
            yield f"{module} has no {kind} any more: {uses.by}"
            return
        place = getattr(place, kind)
    for wanted in uses.names:
        name, bracket, listed = wanted.partition("(")
        where = f"{kind or module}.{name}" + (f" of {module}" if kind else "")
        if not hasattr(place, name):
            if bracket or name not in _kept_by(place):
                yield f"{where} is gone: {uses.by}"
        elif bracket:
            found = getattr(place, name)
            if not callable(found):
                yield f"{where} is no function any more: {uses.by}"
                continue
            given = list(inspect.signature(found).parameters.values())
            if kind and isinstance(inspect.getattr_static(place, name), types.FunctionType):
                given = given[1:]  # the instance
            if not _fits(listed.removesuffix(")"), given):
                yield f"{where} takes ({', '.join(each.name for each in given)}), not ({listed}: {uses.by}"


def _fits(listed: str, given: list[inspect.Parameter]) -> bool:
    names = [each.name for each in given]
    wanted = [name for name in listed.split(", ") if name]
    if "..." not in wanted:
        return names == wanted
    first, others = wanted[: wanted.index("...")], wanted[wanted.index("...") + 1 :]
    further = [each for each in given[len(first) :] if each.name not in others]
    flexible = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return (
        names[: len(first)] == first
        and set(others) <= set(names)
        and all(each.default is not each.empty or each.kind in flexible for each in further)
    )


@functools.cache
def _kept_by(place: Any) -> frozenset[str]:
    """The attributes that a class declares, or that its methods set on an instance."""
    kinds = [kind for kind in getattr(place, "__mro__", ()) if kind is not object]
    methods = [each for kind in kinds for each in vars(kind).values() if isinstance(each, types.FunctionType)]
    declared = (vars(kind).get("__annotations__", ()) for kind in kinds)
    return frozenset(itertools.chain(*(_stores(method.__code__) for method in methods), *declared))


def _stores(code: types.CodeType) -> set[str]:
    # Two bytes a step: the operation and which name. Instructions as dis makes them would cost each start 60 ms.
    steps = code.co_code
    found = {steps[at + 1] for at in range(0, len(steps), 2) if steps[at] == _STORE_ATTR}
    return {code.co_names[number] for number in found if number < len(code.co_names)}
