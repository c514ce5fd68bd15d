"""The lab over HTTP: real time, the service's transport, and a clean end."""

from __future__ import annotations

import datetime as dt
import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from typing import Any

import boto3
import botocore.session
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

import dynamolab as lab
from dynamolab.live import clock, wire

SIGNATURE = (
    "AWS4-HMAC-SHA256 Credential=anything/20260906/us-west-2/dynamodb/aws4_request, SignedHeaders=host, Signature=0"
)
TABLE: dict[str, Any] = {
    "TableName": "pedidos",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


class Serving:
    """``python -m dynamolab serve`` in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dynamolab", "serve", "--port", str(self.port), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(600):
            if self.process.poll() is not None:
                raise AssertionError(self.process.communicate())
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def client(self, service: str = "dynamodb", region: str = "eu-west-1", **more: Any) -> Any:
        session = boto3.Session(aws_access_key_id="any", aws_secret_access_key="any", region_name=region)
        return session.client(service, endpoint_url=self.url, config=Config(retries={"total_max_attempts": 1}), **more)

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str, str]:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


@pytest.fixture(scope="module", autouse=True)
def a_lab_has_been() -> None:
    """A process that imports the lab sends nothing, to whatever address, until a lab of its own has come and gone."""
    lab.start(seed=7)
    lab.stop()


@pytest.fixture(scope="module")
def serving() -> Iterator[Serving]:
    server = Serving()
    yield server
    server.kill()


@pytest.fixture
def connection(serving: Serving) -> Iterator[http.client.HTTPConnection]:
    opened = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=60)
    yield opened
    opened.close()


def post(
    connection: http.client.HTTPConnection, operation: str, body: Any, **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    sent = {
        "Content-Type": "application/x-amz-json-1.0",
        "X-Amz-Target": f"DynamoDB_20120810.{operation}",
        "Authorization": SIGNATURE,
        **headers,
    }
    connection.request("POST", "/", body if isinstance(body, bytes) else json.dumps(body).encode(), sent)
    response = connection.getresponse()
    return response, response.read()


def test_units_and_a_throttle_reach_a_plain_boto3_client(serving: Serving) -> None:
    client = serving.client()
    client.create_table(**TABLE)
    item = {"pk": {"S": "one key"}, "filler": {"S": "x" * 300_000}}
    units = []
    with pytest.raises(ClientError) as refused:
        for _ in range(40):  # 12,000 write units at once, far above one partition's 1,000 a second
            answer = client.put_item(TableName="pedidos", Item=item, ReturnConsumedCapacity="TOTAL")
            units.append(answer["ConsumedCapacity"]["CapacityUnits"])
    assert units
    assert set(units) == {293.0}  # 300,017 bytes
    assert refused.value.response["Error"]["Code"] == "ThrottlingException"
    reason = refused.value.response["throttlingReasons"][0]
    assert reason["reason"] == "TableWriteKeyRangeThroughputExceeded"
    assert reason["resource"].startswith("arn:aws:dynamodb:eu-west-1:")


def test_a_throttled_partition_recovers_in_real_time(serving: Serving) -> None:
    client = serving.client(region="ap-south-1")
    client.create_table(**TABLE)
    item = {"pk": {"S": "one key"}, "filler": {"S": "x" * 300_000}}
    with pytest.raises(ClientError):
        for _ in range(40):
            client.put_item(TableName="pedidos", Item=item)
    for _ in range(100):
        try:
            client.put_item(TableName="pedidos", Item=item)
            return
        except ClientError:
            time.sleep(0.1)
    raise AssertionError("never admitted again")


def test_dates_are_real(serving: Serving) -> None:
    client = serving.client(region="sa-east-1")
    made = client.create_table(**TABLE)["TableDescription"]["CreationDateTime"]
    assert abs(dt.datetime.now(dt.UTC) - made) < dt.timedelta(minutes=10)


def test_the_region_comes_from_the_signature_and_any_name_will_do(serving: Serving) -> None:
    for region in ("us-west-2", "cn-north-1", "local"):
        client = serving.client(region=region)
        client.create_table(**{**TABLE, "TableName": f"in-{region}"})
        assert client.list_tables()["TableNames"] == [f"in-{region}"]
        arn = client.describe_table(TableName=f"in-{region}")["Table"]["TableArn"]
        assert arn.split(":")[3] == region


def test_cloudwatch_streams_and_sts_answer_and_other_services_are_refused_in_a_sentence(serving: Serving) -> None:
    named = {metric["MetricName"] for metric in serving.client("cloudwatch").list_metrics()["Metrics"]}
    assert "AccountMaxReads" in named
    assert serving.client("dynamodbstreams").list_streams()["Streams"] == []
    assert serving.client("sts").get_caller_identity()["Account"] == "123456789012"
    with pytest.raises(ClientError, match="not sqs"):
        serving.client("sqs").list_queues()


def test_answers_carry_the_services_headers_and_the_connection_is_kept(
    connection: http.client.HTTPConnection,
) -> None:
    sockets = set()
    for _ in range(3):
        response, body = post(connection, "ListTables", {})
        assert response.status == 200
        assert response.headers["Content-Type"] == "application/x-amz-json-1.0"
        assert int(response.headers["x-amz-crc32"]) == zlib.crc32(body)
        assert len(response.headers["x-amzn-requestid"]) == 52
        assert connection.sock is not None
        sockets.add(connection.sock.getsockname())
    assert len(sockets) == 1


@pytest.mark.parametrize(
    ("operation", "body", "kind"),
    [
        ("NoSuchThing", {}, "com.amazon.coral.service#UnknownOperationException"),
        ("listTables", {}, "com.amazon.coral.service#UnknownOperationException"),
        ("ListImports", {}, "com.amazon.coral.service#UnknownOperationException"),
        ("ListTables", b"{", "com.amazon.coral.service#SerializationException"),
        ("ListTables", b'{"Limit": NaN}', "com.amazon.coral.service#SerializationException"),
        ("ListTables", b"", "com.amazon.coral.service#SerializationException"),
        ("ListTables", {"Limit": "7"}, "com.amazon.coral.service#SerializationException"),
        ("ListTables", {"Limit": 0}, "com.amazon.coral.validate#ValidationException"),
        ("GetItem", {"TableName": "pedidos"}, "com.amazon.coral.validate#ValidationException"),
        (
            "UpdateItem",
            {"TableName": "pedidos", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET #unnamed = #unnamed"},
            "com.amazon.coral.validate#ValidationException",
        ),
        (
            "DescribeTable",
            {"TableName": "nowhere"},
            "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
        ),
    ],
)
def test_what_cannot_be_done_is_a_400_with_the_services_type(
    connection: http.client.HTTPConnection, operation: str, body: Any, kind: str
) -> None:
    post(connection, "CreateTable", TABLE)
    response, content = post(connection, operation, body)
    assert (response.status, json.loads(content)["__type"]) == (400, kind)


def test_a_request_without_signature_lacks_its_token(connection: http.client.HTTPConnection) -> None:
    response, content = post(connection, "ListTables", {}, Authorization="")
    assert response.status == 400
    assert json.loads(content)["__type"] == "com.amazon.coral.service#MissingAuthenticationTokenException"


def test_a_get_of_the_root_says_healthy(connection: http.client.HTTPConnection) -> None:
    connection.request("GET", "/")
    response = connection.getresponse()
    assert (response.status, response.read()[:7]) == (200, b"healthy")


@pytest.mark.parametrize(("more", "status"), [(0, 400), (1, 413)])
def test_a_body_of_16_mebibytes_is_read_and_one_byte_more_is_refused_with_413_and_no_body(
    connection: http.client.HTTPConnection, more: int, status: int
) -> None:
    frame = b'{"TableName": ""}'
    body = frame[:-2] + b"x" * (16 * 1024 * 1024 - len(frame) + more) + frame[-2:]
    response, content = post(connection, "DescribeTable", body)
    assert response.status == status
    assert (content == b"") == (status == 413)


def test_threads_do_not_disturb_one_another(serving: Serving) -> None:
    client = serving.client(region="ca-central-1")
    client.create_table(**TABLE)
    faults: list[Exception] = []

    def count(own: int) -> None:
        mine = serving.client(region="ca-central-1")
        try:
            for _ in range(40):
                for key in ("shared", f"own-{own}"):
                    mine.update_item(
                        TableName="pedidos",
                        Key={"pk": {"S": key}},
                        UpdateExpression="ADD n :one",
                        ExpressionAttributeValues={":one": {"N": "1"}},
                    )
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=count, args=(own,)) for own in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    counts = {item["pk"]["S"]: int(item["n"]["N"]) for item in client.scan(TableName="pedidos")["Items"]}
    assert counts == {"shared": 160, **{f"own-{own}": 40 for own in range(4)}}


def test_a_client_that_hangs_up_in_the_middle_stops_nothing(serving: Serving) -> None:
    with socket.create_connection(("127.0.0.1", serving.port)) as half:
        half.sendall(b"POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\n{")
    assert serving.client(region="eu-north-1").list_tables()["TableNames"] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_and_stops_cleanly(number: int) -> None:
    server = Serving("--seed", "11")
    try:
        server.client().create_table(**TABLE)  # with a kept connection still open
        status, out, err = server.stop(number)
    finally:
        server.kill()
    assert (status, err) == (0, "")
    assert server.url in out
    assert f"--endpoint-url {server.url}" in out


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "dynamolab", "serve", *arguments], capture_output=True, text=True)


def test_a_taken_port_is_said_in_one_sentence(serving: Serving) -> None:
    done = run("--port", str(serving.port))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert f"Port {serving.port} on 127.0.0.1 is taken" in done.stderr


def test_an_address_that_is_not_this_machines_is_said_in_one_sentence() -> None:
    done = run("--host", "192.0.2.1", "--port", "0")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "192.0.2.1" in done.stderr


@pytest.mark.parametrize("port", ["65536", "-1", "eighty"])
def test_a_port_that_is_none_is_said(port: str) -> None:
    done = run(f"--port={port}")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert port in done.stderr


def test_the_users_own_aws_settings_do_not_reach_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "no-such-profile")
    monkeypatch.setenv("MOTO_ACCOUNT_ID", "999999999999")
    server = Serving()
    monkeypatch.undo()
    try:
        assert server.client("sts").get_caller_identity()["Account"] == "123456789012"
        assert server.stop()[0] == 0
    finally:
        server.kill()


def test_the_next_lab_in_the_process_begins_at_the_fixed_instant_again() -> None:
    clock.reset(dt.datetime(2030, 1, 1, tzinfo=dt.UTC))
    lab.start(seed=7)
    try:
        assert lab.clock.now() == dt.datetime(2026, 9, 6, 10, tzinfo=dt.UTC)
    finally:
        lab.stop()


# --- what the front end checks --------------------------------------------------------------------------------------

FORMS = botocore.session.get_session().get_service_model("dynamodb")


def put_item(value: Any) -> dict[str, Any]:
    return {"TableName": "pedidos", "Item": {"pk": value}}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (put_item({"S": "a"}), None),
        (put_item(None), None),
        ({"Unknown": 1}, None),
        (put_item({"S": 1}), "NUMBER_VALUE cannot be converted to String"),
        (put_item({"S": 1.5}), "DECIMAL_VALUE cannot be converted to String"),
        (put_item({"S": True}), "TRUE_VALUE cannot be converted to String"),
        (put_item({"BOOL": 0}), "NUMBER_VALUE cannot be converted to Boolean"),
        (put_item({"BOOL": "maybe"}), "Unexpected token received from parser"),
        (put_item({"S": {}}), "Start of structure or map found where not expected"),
        (put_item({"S": []}), "Unrecognized collection type class java.lang.String"),
        (put_item({"SS": "a"}), "Unexpected field type"),
        (put_item({"L": ["a"]}), "Unexpected value type in payload"),
        (put_item({"B": "YQ="}), "Base64 encoded length is expected a multiple of 4 bytes but found: 3"),
        (put_item({"B": "!!!!"}), "Invalid last non-pad Base64 character dectected"),
        (put_item("a"), "Unexpected value type in payload"),
        (
            {"Item": []},
            "Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValue>",
        ),
        ({"TableName": 7}, "NUMBER_VALUE cannot be converted to String"),
    ],
)
def test_a_member_of_the_wrong_type_is_told_in_the_services_words(body: Any, message: str | None) -> None:
    assert wire.misfit(body, FORMS.operation_model("PutItem").input_shape) == message


@pytest.mark.parametrize(
    ("operation", "body", "message"),
    [
        ("GetItem", {"TableName": "pedidos", "Key": {}}, None),
        (
            "GetItem",
            {"TableName": "pedidos"},
            "1 validation error detected: Value null at 'key' failed to satisfy constraint: Member must not be null",
        ),
        (
            "Query",
            {"TableName": "pedidos", "Limit": 0},
            "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: "
            "Member must have value greater than or equal to 1",
        ),
        (
            "Scan",
            {"TableName": "pedidos", "ReturnConsumedCapacity": "ALL"},
            "1 validation error detected: Value 'ALL' at 'returnConsumedCapacity' failed to satisfy constraint: "
            "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]",
        ),
        (
            "BatchWriteItem",
            {"RequestItems": {"pedidos": []}},
            "1 validation error detected: Value '{\"pedidos\":[]}' at 'requestItems' failed to satisfy constraint: "
            "Map value must satisfy constraint: [Member must have length less than or equal to 25, "
            "Member must have length greater than or equal to 1]",
        ),
        (
            "CreateTable",
            {"TableName": "pedidos", "KeySchema": [{"AttributeName": "pk"}]},
            "1 validation error detected: Value null at 'keySchema.1.member.keyType' failed to satisfy constraint: "
            "Member must not be null",
        ),
    ],
)
def test_a_broken_constraint_is_told_in_the_services_words(operation: str, body: Any, message: str | None) -> None:
    assert wire.broken_constraints(body, FORMS.operation_model(operation).input_shape) == message


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        ("DescribeTable", "The parameter 'TableName' is required but was not present in the request"),
        ("UpdateTable", "The parameter 'TableName' is required but was not present in the request"),
        ("ListTables", None),
    ],
)
def test_an_operation_on_a_whole_table_looks_for_its_name_before_all_else(operation: str, message: str | None) -> None:
    shape = FORMS.operation_model(operation).input_shape
    assert wire.broken_constraints({}, shape, whole_table=True) == message
