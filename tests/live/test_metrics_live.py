"""What CloudWatch shows after real traffic through boto3: the counting rules of "DynamoDB metrics and dimensions"."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

import dynamolab as lab
from dynamolab.live import gate
from dynamolab.live.clock import START
from dynamolab.model.throttling import Side

Make = Callable[..., str]
INDEX = "por-estado"
UNITS = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
MANY = {"ReadCapacityUnits": 500, "WriteCapacityUnits": 500}


def total(name: str, stat: str = "Sum", **dimensions: str) -> float:
    """The metric over the whole story, 0 if it has no data point."""
    cloudwatch = boto3.client("cloudwatch")
    metric = {
        "Namespace": "AWS/DynamoDB",
        "MetricName": name,
        "Dimensions": [{"Name": key, "Value": value} for key, value in dimensions.items()],
    }
    answer = cloudwatch.get_metric_data(
        StartTime=START,
        EndTime=START + dt.timedelta(hours=100),
        MetricDataQueries=[{"Id": "m1", "MetricStat": {"Metric": metric, "Period": 360_000, "Stat": stat}}],
    )
    return float(sum(answer["MetricDataResults"][0]["Values"]))


def of_table(name: str, **more: str) -> float:
    return total(name, TableName="pedidos", **more)


def on_index(name: str) -> float:
    return of_table(name, GlobalSecondaryIndexName=INDEX)


def key(number: int) -> dict[str, Any]:
    return {"pk": {"S": f"p{number}"}, "sk": {"S": "a"}}


def item(number: int, kilobytes: int = 1, estado: str = "nuevo") -> dict[str, Any]:
    return {**key(number), "estado": {"S": estado}, "nota": {"S": "x" * (kilobytes * 1024 - 100)}}


def with_index(make_table: Make, table: dict[str, int], index: dict[str, int]) -> None:
    make_table(
        BillingMode="PROVISIONED",
        ProvisionedThroughput=table,
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "estado")],
        GlobalSecondaryIndexes=[
            {
                "IndexName": INDEX,
                "KeySchema": [{"AttributeName": "estado", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
                "ProvisionedThroughput": index,
            }
        ],
    )


def drain(call: Callable[[], Any], most: int = 3_000) -> ClientError:
    """Call until the service throttles, and return how it said so."""
    for _ in range(most):
        try:
            call()
        except ClientError as error:
            if "ThrottlingReasons" not in error.response:
                raise
            return error
    raise AssertionError("never throttled")


def small_table(make_table: Make) -> None:
    make_table(BillingMode="PROVISIONED", ProvisionedThroughput=UNITS)


# --- consumption ----------------------------------------------------------------------------------------------------


def test_a_write_consumes_on_its_table_and_on_each_index_by_itself(client: Any, make_table: Make) -> None:
    with_index(make_table, MANY, MANY)
    client.put_item(TableName="pedidos", Item=item(1, 3))
    client.put_item(TableName="pedidos", Item=item(1, 3, estado="pagado"))
    assert of_table("ConsumedWriteCapacityUnits") == 6
    assert on_index("ConsumedWriteCapacityUnits") == 3 + 6
    assert of_table("ConsumedWriteCapacityUnits", Source="Customer") == 6
    assert of_table("SuccessfulRequestLatency", stat="SampleCount", Operation="PutItem") == 2


def test_reads_of_an_index_consume_on_the_index_alone_and_count_what_they_return(client: Any, make_table: Make) -> None:
    with_index(make_table, MANY, MANY)
    for number in range(4):
        client.put_item(TableName="pedidos", Item=item(number, 4))
    found = client.query(
        TableName="pedidos", IndexName=INDEX, KeyConditionExpression="estado = :e",
        ExpressionAttributeValues={":e": {"S": "nuevo"}},
    )  # fmt: skip
    assert found["Count"] == 4
    assert on_index("ConsumedReadCapacityUnits") == 2
    assert of_table("ConsumedReadCapacityUnits") == 0
    assert of_table("ReturnedItemCount", Operation="Query") == 4


def test_an_arn_as_the_tables_name_counts_under_the_name(client: Any, make_table: Make) -> None:
    make_table()
    arn = client.describe_table(TableName="pedidos")["Table"]["TableArn"]
    client.put_item(TableName=arn, Item=item(1))
    client.batch_write_item(RequestItems={arn: [{"PutRequest": {"Item": item(2)}}]})
    assert of_table("ConsumedWriteCapacityUnits") == 2
    assert total("ConsumedWriteCapacityUnits", TableName=arn) == 0


def test_provisioned_capacity_is_a_figure_that_follows_the_control_plane(client: Any, make_table: Make) -> None:
    small_table(make_table)
    client.update_table(TableName="pedidos", ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 40})
    lab.clock.advance(hours=1)
    assert of_table("ProvisionedWriteCapacityUnits", stat="Minimum") == 1
    assert of_table("ProvisionedWriteCapacityUnits", stat="Maximum") == 40


# --- what is throttled ----------------------------------------------------------------------------------------------


def test_a_refused_put_is_one_request_and_one_event_and_a_done_one_is_neither(client: Any, make_table: Make) -> None:
    small_table(make_table)
    client.put_item(TableName="pedidos", Item=item(1))
    assert of_table("ThrottledRequests", Operation="PutItem") == 0
    drain(lambda: client.put_item(TableName="pedidos", Item=item(1, 10)))
    assert of_table("ThrottledRequests", Operation="PutItem") == 1
    assert of_table("WriteThrottleEvents") == 1
    assert of_table("WriteProvisionedThroughputThrottleEvents") == 1
    assert of_table("ReadThrottleEvents") == 0


def test_every_attempt_of_the_sdk_counts_again(client: Any, make_table: Make) -> None:
    small_table(make_table)
    drain(lambda: client.put_item(TableName="pedidos", Item=item(1, 390)))
    before = of_table("ThrottledRequests", Operation="PutItem")
    retrying = boto3.client("dynamodb")
    with pytest.raises(ClientError) as caught:
        retrying.put_item(TableName="pedidos", Item=item(1))
    attempts = caught.value.response["ResponseMetadata"]["RetryAttempts"] + 1
    assert attempts > 1
    assert of_table("ThrottledRequests", Operation="PutItem") == before + attempts
    assert of_table("WriteThrottleEvents") == before + attempts


def test_a_batch_read_of_ten_of_which_four_are_refused_counts_four_events_and_no_request(
    client: Any, make_table: Make
) -> None:
    small_table(make_table)
    for number in range(10):
        client.put_item(TableName="pedidos", Item=item(number, 4))
    keys = {"pedidos": {"Keys": [key(number) for number in range(10)], "ConsistentRead": True}}
    while budget("read") > 6:
        client.get_item(TableName="pedidos", Key=key(0), ConsistentRead=True)
    left = client.batch_get_item(RequestItems=keys)["UnprocessedKeys"]
    assert len(left["pedidos"]["Keys"]) == 4
    assert of_table("ReadThrottleEvents") == 4
    assert of_table("ThrottledRequests", Operation="BatchGetItem") == 0
    with pytest.raises(ClientError):
        client.batch_get_item(RequestItems=keys)
    assert of_table("ReadThrottleEvents") == 4 + 10
    assert of_table("ThrottledRequests", Operation="BatchGetItem") == 1
    assert of_table("SuccessfulRequestLatency", stat="SampleCount", Operation="BatchGetItem") == 1


def test_a_batch_write_of_25_of_which_one_is_refused_counts_one_event_and_no_request(
    client: Any, make_table: Make
) -> None:
    small_table(make_table)
    full = [{"PutRequest": {"Item": item(number)}} for number in range(25)]
    while budget("write") > 24:
        client.put_item(TableName="pedidos", Item=item(99))
    left = client.batch_write_item(RequestItems={"pedidos": full})["UnprocessedItems"]
    assert len(left["pedidos"]) == 1
    assert of_table("WriteThrottleEvents") == 1
    assert of_table("ThrottledRequests", Operation="BatchWriteItem") == 0
    assert of_table("SuccessfulRequestLatency", stat="SampleCount", Operation="BatchWriteItem") == 1


def budget(side: Side) -> float:
    """How many units the table has left at this instant."""
    limits = gate.throughput_of(gate.find_table("pedidos"))
    return limits._totals[side].level_at(lab.clock.microseconds)


def test_a_write_that_an_index_stops_is_an_event_of_the_index_alone(client: Any, make_table: Make) -> None:
    with_index(make_table, MANY, UNITS)
    error = drain(lambda: client.put_item(TableName="pedidos", Item=item(1, 30, "a" if even() else "b")))
    assert "/index/" in error.response["ThrottlingReasons"][0]["resource"]
    assert of_table("ThrottledRequests", Operation="PutItem") == 1
    assert on_index("WriteThrottleEvents") == 1
    assert of_table("WriteThrottleEvents") == 0
    assert lab.most_throttled_keys("pedidos").empty


def test_a_refused_transaction_is_one_request_and_one_event_of_its_table(client: Any, make_table: Make) -> None:
    small_table(make_table)
    puts = [{"Put": {"TableName": "pedidos", "Item": item(number, 40)}} for number in range(3)]
    gets = [{"Get": {"TableName": "pedidos", "Key": key(number)}} for number in range(3)]
    while budget("write") > 0:
        client.transact_write_items(TransactItems=puts)
    with pytest.raises(ClientError):
        client.transact_write_items(TransactItems=puts)
    assert of_table("WriteThrottleEvents") == of_table("WriteProvisionedThroughputThrottleEvents") == 1
    assert of_table("ThrottledRequests", Operation="TransactWriteItems") == 1
    while budget("read") > 0:
        client.transact_get_items(TransactItems=gets)
    with pytest.raises(ClientError):
        client.transact_get_items(TransactItems=gets)
    assert of_table("ReadThrottleEvents") == of_table("ReadProvisionedThroughputThrottleEvents") == 1
    assert of_table("ThrottledRequests", Operation="TransactGetItems") == 1
    assert of_table("WriteThrottleEvents") == 1


def test_a_transaction_that_an_index_stops_is_an_event_of_the_index_alone(client: Any, make_table: Make) -> None:
    with_index(make_table, MANY, UNITS)
    refused = None
    while refused is None:
        put = {"Put": {"TableName": "pedidos", "Item": item(1, 30, "a" if even() else "b")}}
        try:
            client.transact_write_items(TransactItems=[put])
        except ClientError as error:
            refused = error
    assert on_index("WriteThrottleEvents") == 1
    assert of_table("WriteThrottleEvents") == 0
    assert of_table("ThrottledRequests", Operation="TransactWriteItems") == 1


_turn = 0


def even() -> bool:
    """True and False in turn; a simulated second goes by, so that no partition is at its limit."""
    global _turn
    _turn += 1
    lab.clock.advance(seconds=1)
    return _turn % 2 == 0


# --- conditions, faults, PartiQL, TTL -------------------------------------------------------------------------------


def test_failed_conditions_count_and_consume_and_are_no_user_errors(client: Any, make_table: Make) -> None:
    make_table()
    condition = {"ConditionExpression": "attribute_exists(pk)"}
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        client.put_item(TableName="pedidos", Item=item(1), **condition)
    assert of_table("ConditionalCheckFailedRequests") == 1
    checks = [{"ConditionCheck": {"TableName": "pedidos", "Key": key(number), **condition}} for number in range(2)]
    with pytest.raises(client.exceptions.TransactionCanceledException):
        client.transact_write_items(TransactItems=[*checks, {"Put": {"TableName": "pedidos", "Item": item(5)}}])
    assert of_table("ConditionalCheckFailedRequests") == 3
    assert of_table("ConsumedWriteCapacityUnits") > 1
    assert of_table("SuccessfulRequestLatency", stat="SampleCount", Operation="PutItem") == 0
    assert total("UserErrors") == 0


def test_a_malformed_request_is_a_user_error_of_the_account(client: Any, make_table: Make) -> None:
    make_table()
    with pytest.raises(ClientError):
        client.put_item(TableName="pedidos", Item={"pk": {"S": "a"}})
    with pytest.raises(ClientError):
        client.get_item(TableName="pedidas", Key=key(1))
    with pytest.raises(ClientError):
        client.describe_table(TableName="pedidas")
    assert total("UserErrors") == 3


def test_statements_count_with_their_verb_or_kind_and_not_among_the_keys(client: Any, make_table: Make) -> None:
    make_table()
    client.execute_statement(Statement="INSERT INTO \"pedidos\" VALUE {'pk': 'p1', 'sk': 'a'}")
    client.execute_statement(Statement="SELECT * FROM \"pedidos\" WHERE pk = 'p1'")
    client.execute_transaction(
        TransactStatements=[{"Statement": "DELETE FROM \"pedidos\" WHERE pk = 'p1' AND sk = 'a'"}]
    )
    for operation, more in (
        ("ExecuteStatement", {"Verb": "PartiQLInsert"}),
        ("ExecuteStatement", {"Verb": "PartiQLSelect"}),
        ("ExecuteTransaction", {"OperationType": "Write"}),
    ):
        counted = of_table("SuccessfulRequestLatency", stat="SampleCount", Operation=operation, **more)
        assert counted == 1, more
    assert of_table("ReturnedItemCount", Operation="ExecuteStatement", Verb="PartiQLSelect") == 1
    assert of_table("ConsumedWriteCapacityUnits") == 3
    assert lab.most_accessed_keys("pedidos").empty


def test_the_keys_used_most_are_ranked_by_three_times_the_write_units_plus_the_read_units(
    client: Any, make_table: Make
) -> None:
    with_index(make_table, MANY, MANY)
    client.put_item(TableName="pedidos", Item=item(1, 2))
    client.get_item(TableName="pedidos", Key=key(2), ConsistentRead=True)
    client.query(TableName="pedidos", KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "p3"}})
    ranked = lab.most_accessed_keys("pedidos")
    assert list(ranked["partition_key"]) == ["p1", "p2", "p3"]
    assert list(ranked["units"]) == [6, 1, 0.5]
    assert list(lab.most_accessed_keys("pedidos", sort_key=True)["partition_key"]) == ["p1", "p2"]
    assert list(lab.most_accessed_keys("pedidos", INDEX)["units"]) == [6]


def test_what_ttl_deletes_is_counted_and_consumes_nothing(client: Any, make_table: Make) -> None:
    make_table()
    client.update_time_to_live(
        TableName="pedidos", TimeToLiveSpecification={"Enabled": True, "AttributeName": "caduca"}
    )
    lab.clock.advance(hours=2)
    for number in range(3):
        expires = {"caduca": {"N": str(int(lab.clock.time()) + 60)}}
        client.put_item(TableName="pedidos", Item={**key(number), **expires})
    lab.clock.advance(hours=60)
    assert client.scan(TableName="pedidos")["Count"] == 0
    assert of_table("TimeToLiveDeletedItemCount") == 3
    assert of_table("ConsumedWriteCapacityUnits") == 3


# --- over time ------------------------------------------------------------------------------------------------------


def test_new_capacity_meets_a_spike_of_three_minutes_only_after_its_end(client: Any, make_table: Make) -> None:
    """Auto scaling acts on two minutes above the target, and then the table has to be updated."""
    make_table(BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 100})
    scaling = boto3.client("application-autoscaling")
    target: dict[str, Any] = {
        "ServiceNamespace": "dynamodb",
        "ResourceId": "table/pedidos",
        "ScalableDimension": "dynamodb:table:WriteCapacityUnits",
    }
    scaling.register_scalable_target(**target, MinCapacity=100, MaxCapacity=1_000)
    scaling.put_scaling_policy(
        **target,
        PolicyName="objetivo",
        PolicyType="TargetTrackingScaling",
        TargetTrackingScalingPolicyConfiguration={
            "TargetValue": 70.0,
            "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"},
        },
    )

    def units() -> int:
        return int(client.describe_table(TableName="pedidos")["Table"]["ProvisionedThroughput"]["WriteCapacityUnits"])

    seen = []
    for minute in range(10):
        for part in range(12):
            if minute < 3:
                for number in range(6):
                    client.put_item(TableName="pedidos", Item=item(6 * part + number, 100))
            lab.clock.advance(seconds=5)
        seen.append(units())
    assert seen[:3] == [100] * 3
    assert max(seen) > 100
    assert of_table("ConsumedWriteCapacityUnits") == 3 * 72 * 100


def test_the_same_story_twice_gives_the_same_bytes() -> None:
    def story() -> str:
        lab.start(seed=7)
        boto3.client("dynamodb").create_table(
            TableName="pedidos",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            BillingMode="PROVISIONED",
            ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
        )

        def put(dynamodb: Any, number: int) -> None:
            dynamodb.put_item(TableName="pedidos", Item=item(number, 90))

        lab.run_clients([lab.Client(name, put, per_second=2, random_arrivals=True) for name in "ab"], seconds=40)
        cloudwatch = boto3.client("cloudwatch")
        names = cloudwatch.list_metrics(Namespace="AWS/DynamoDB")["Metrics"]
        queries = [
            {
                "Id": f"m{number}",
                "MetricStat": {
                    "Metric": {name: metric[name] for name in ("Namespace", "MetricName", "Dimensions")},
                    "Period": 60,
                    "Stat": stat,
                },
            }
            for number, (metric, stat) in enumerate((metric, stat) for metric in names for stat in ("Sum", "p90"))
        ]
        answer = cloudwatch.get_metric_data(
            StartTime=START, EndTime=lab.clock.now() + dt.timedelta(minutes=1), MetricDataQueries=queries
        )
        assert of_table("ThrottledRequests", Operation="PutItem") > 0
        lab.stop()
        return json.dumps(answer, default=str, sort_keys=False)

    assert story() == story()
