"""Whatever a learner asks that the lab is not, nothing leaves the process, and one sentence says what to do."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from typing import Any

import boto3
import pytest
import requests
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError, NoRegionError, ProfileNotFound, UnknownServiceError

import dynamolab as lab
from dynamolab.live import isolation, sandbox

TABLE: dict[str, Any] = {
    "TableName": "pedidos",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Count what asks the network or waits in real time; both fail at once."""
    tried: list[Any] = []

    def refuse(*what: Any, **more: Any) -> None:
        tried.append(what)
        raise AssertionError(f"the network or the wall clock was asked: {what}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(time, "sleep", refuse)
    return tried


def dynamodb(**more: Any) -> Any:
    return boto3.client("dynamodb", **more)


def settings(**more: Any) -> Any:
    return dynamodb(config=Config(**more)).list_tables()


NONE_SUCH = r"the lab has no such service or endpoint. Plain boto3 finds dynamodb, "
WITHOUT_ENDPOINT = r"Make the client after lab.start\(\), without endpoint_url\."
BY_HAND = r"Nothing goes from the lab's process to AWS .*: use plain boto3 after lab.start\(\)"

# What the learner does while the lab runs, and the sentence that it ends in.
MISTAKES: list[tuple[str, Callable[[], Any], str]] = [
    ("sqs", lambda: boto3.client("sqs").create_queue(QueueName="colas"), NONE_SUCH),
    ("sqs as a resource", lambda: boto3.resource("sqs").create_queue(QueueName="colas"), NONE_SUCH),
    ("sns", lambda: boto3.client("sns").list_topics(), NONE_SUCH),
    ("lambda", lambda: boto3.client("lambda").list_functions(), NONE_SUCH),
    ("kinesis", lambda: boto3.client("kinesis").list_streams(), NONE_SUCH),
    ("kinesis, pages", lambda: list(boto3.client("kinesis").get_paginator("list_streams").paginate()), NONE_SUCH),
    ("rds, waiter", lambda: boto3.client("rds").get_waiter("db_instance_available").wait(), NONE_SUCH),
    ("dax", lambda: boto3.client("dax").describe_clusters(), NONE_SUCH),
    ("iam", lambda: boto3.client("iam").list_users(), NONE_SUCH),
    ("kms", lambda: boto3.client("kms").list_keys(), NONE_SUCH),
    ("backup", lambda: boto3.client("backup").list_backup_vaults(), NONE_SUCH),
    ("cloudformation", lambda: boto3.client("cloudformation").list_stacks(), NONE_SUCH),
    ("xray, which moto lacks a part for", lambda: boto3.client("xray").get_encryption_config(), NONE_SUCH),
    ("chime, which moto does not know", lambda: boto3.client("chime").list_accounts(), NONE_SUCH),
    (
        "bedrock",
        lambda: boto3.client("bedrock-runtime").invoke_model(modelId="a.b", body=b"{}"),
        NONE_SUCH,
    ),
    (
        "retries do not help",
        lambda: boto3.client("sqs", config=Config(retries={"mode": "adaptive"})).list_queues(),
        NONE_SUCH,
    ),
    ("FIPS", lambda: settings(use_fips_endpoint=True), NONE_SUCH),
    ("dual stack", lambda: settings(use_dualstack_endpoint=True), NONE_SUCH),
    ("DynamoDB Local", lambda: dynamodb(endpoint_url="http://localhost:8000").list_tables(), WITHOUT_ENDPOINT),
    ("LocalStack", lambda: dynamodb(endpoint_url="http://127.0.0.1:4566").list_tables(), WITHOUT_ENDPOINT),
    ("a company's own", lambda: dynamodb(endpoint_url="https://dynamodb.example.com").list_tables(), WITHOUT_ENDPOINT),
    (
        "another region's endpoint",
        lambda: dynamodb(endpoint_url="https://dynamodb.us-east-1.amazonaws.com").list_tables(),
        'is the endpoint of us-east-1, and this client is one of eu-west-1: .* give region_name="us-east-1"',
    ),
    (
        "a region that is none",
        lambda: dynamodb(region_name="eu-west-9").list_tables(),
        "AWS has no region eu-west-9; the lab's own is eu-west-1",
    ),
    (
        "an operation that moto lacks",
        lambda: dynamodb().list_global_tables(),
        "The lab has not got the operation ListGlobalTables of dynamodb; docs/fidelity.md",
    ),
    (
        "one of CloudWatch",
        lambda: boto3.client("cloudwatch").list_metric_streams(),
        "has not got the operation ListMetricStreams of monitoring",
    ),
    ("one of Parameter Store", lambda: boto3.client("ssm").describe_activations(), "DescribeActivations of ssm"),
    ("urllib", lambda: urllib.request.build_opener().open("https://dynamodb.eu-west-1.amazonaws.com/"), BY_HAND),
    ("urllib, dual stack", lambda: urllib.request.build_opener().open("https://dynamodb.eu-west-1.api.aws/"), BY_HAND),
    ("requests", lambda: requests.post("https://dynamodb.eu-west-1.amazonaws.com/", json={}, timeout=5), BY_HAND),
]


@pytest.mark.parametrize(("do", "sentence"), [row[1:] for row in MISTAKES], ids=[row[0] for row in MISTAKES])
def test_what_the_lab_is_not_is_refused_with_one_sentence_and_without_a_wait(
    running_lab: None, sealed: list[Any], do: Callable[[], Any], sentence: str
) -> None:
    before = lab.clock.time()
    with pytest.raises(lab.LabError, match=sentence) as raised:
        do()
    assert str(raised.value).count(". ") <= 1
    assert len(str(raised.value)) < 280
    assert lab.clock.time() == before  # nor does the simulated time go on: there are no retries
    assert sealed == []


@pytest.mark.parametrize(
    ("ask", "kind", "says"),
    [
        (
            lambda: boto3.Session(profile_name="prod"),
            ProfileNotFound,
            ["ProfileNotFound: The config profile (prod) could not be found", "The lab reads no profile: "],
        ),
        (
            lambda: boto3.client("dynamo"),
            UnknownServiceError,
            ["UnknownServiceError: Unknown service: 'dynamo'.", "The lab provides dynamodb, "],
        ),
    ],
)
def test_an_error_of_boto3s_own_is_shown_with_what_to_do_next(
    running_lab: None, ask: Callable[[], Any], kind: type[Exception], says: list[str]
) -> None:
    with pytest.raises(kind) as raised:
        ask()
    for _ in range(2):  # shown twice, it is not said twice
        shown = raised.value._render_traceback_()  # type: ignore[attr-defined]
        assert len(shown) == len(says)
        assert all(line.startswith(begin) for line, begin in zip(shown, says, strict=True))
        assert max(map(len, shown)) < 200


def test_every_service_that_the_lab_names_is_answered(running_lab: None) -> None:
    ask = {
        "dynamodb": lambda client: client.list_tables(),
        "dynamodbstreams": lambda client: client.list_streams(),
        "application-autoscaling": lambda client: client.describe_scaling_policies(ServiceNamespace="dynamodb"),
        "cloudwatch": lambda client: client.list_metrics(),
        "s3": lambda client: client.list_buckets(),
        "ssm": lambda client: client.describe_parameters(),
        "sts": lambda client: client.get_caller_identity(),
    }
    assert tuple(ask) == isolation.SERVICES
    for name, operation in ask.items():
        assert operation(boto3.client(name))["ResponseMetadata"]["HTTPStatusCode"] == 200, name


def test_a_bucket_is_answered_in_each_way_that_boto3_writes_its_address(running_lab: None) -> None:
    s3 = boto3.client("s3")
    s3.create_bucket(Bucket="recibos.2026", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    for style in ("path", "virtual"):
        client = boto3.client("s3", config=Config(s3={"addressing_style": style}))
        client.put_object(Bucket="recibos.2026", Key="a", Body=style.encode())
        assert client.get_object(Bucket="recibos.2026", Key="a")["Body"].read() == style.encode()
    public = boto3.client("s3", config=Config(signature_version=UNSIGNED))
    assert public.list_buckets()["Buckets"][0]["Name"] == "recibos.2026"
    address = s3.generate_presigned_url("get_object", Params={"Bucket": "recibos.2026", "Key": "a"})
    assert requests.get(address, timeout=5).text == "virtual"


def test_another_region_is_another_empty_place_as_it_is_at_aws(running_lab: None) -> None:
    dynamodb().create_table(**TABLE)
    for name in ("us-east-1", "cn-north-1", "us-gov-west-1"):
        there = dynamodb(region_name=name)
        assert there.list_tables()["TableNames"] == []
        with pytest.raises(ClientError, match="ResourceNotFoundException"):
            there.put_item(TableName="pedidos", Item={"pk": {"S": "a"}})
    arn = dynamodb(region_name="us-east-1").create_table(**TABLE)["TableDescription"]["TableArn"]
    assert arn == "arn:aws:dynamodb:us-east-1:123456789012:table/pedidos"


def test_the_regions_own_endpoint_and_a_session_with_keys_of_its_own_are_the_labs_too(running_lab: None) -> None:
    dynamodb().create_table(**TABLE)
    session = boto3.Session(aws_access_key_id="AKIAOTHER", aws_secret_access_key="x", region_name="eu-west-1")
    for client in (session.client("dynamodb"), dynamodb(endpoint_url="https://dynamodb.eu-west-1.amazonaws.com")):
        assert client.list_tables()["TableNames"] == ["pedidos"]


def test_other_addresses_than_awss_are_none_of_the_labs_business(running_lab: None) -> None:
    with socket.socket() as here:
        here.bind(("127.0.0.1", 0))
        assert socket.getaddrinfo("127.0.0.1", here.getsockname()[1])


REAL = {"region_name": "eu-west-1", "aws_access_key_id": "AKIAREAL", "aws_secret_access_key": "b"}


def test_a_client_made_after_the_stop_reaches_no_real_account(sealed: list[Any]) -> None:
    lab.start()
    lab.stop()
    with pytest.raises(lab.LabError, match=r"The lab is stopped, and it sends nothing to AWS: call lab.start\(\)"):
        dynamodb(**REAL).list_tables()
    assert sealed == []


def test_a_check_judged_before_the_first_start_does_not_open_the_door(sealed: list[Any]) -> None:
    lab.stop()
    with sandbox(seed=1):
        pass
    with pytest.raises(lab.LabError, match="sends nothing to AWS"):
        dynamodb(**REAL).list_tables()
    assert sealed == []


def test_a_client_without_a_region_or_a_profile_is_told_to_start_the_lab(monkeypatch: pytest.MonkeyPatch) -> None:
    lab.stop()
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "no-such-file")
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    with pytest.raises(NoRegionError) as raised:
        dynamodb(aws_access_key_id="AKIAREAL", aws_secret_access_key="b")
    assert raised.value._render_traceback_()[1] in (isolation.NOT_STARTED, isolation.STOPPED)
    with pytest.raises(ProfileNotFound) as raised:
        boto3.Session(profile_name="prod")
    assert raised.value._render_traceback_()[1] in (isolation.NOT_STARTED, isolation.STOPPED)


def test_on_a_machine_without_credentials_nobody_is_asked_for_some(
    monkeypatch: pytest.MonkeyPatch, sealed: list[Any]
) -> None:
    lab.stop()
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    with pytest.raises(lab.LabError, match="sends nothing to AWS"):
        dynamodb(region_name="eu-west-1").list_tables()
    assert sealed == []


def run(story: str, **environment: str) -> str:
    """What a process prints that runs ``story`` in a user's surroundings."""
    environ = {**os.environ, **environment}
    return subprocess.run(
        [sys.executable, "-c", story], capture_output=True, text=True, check=True, timeout=60, env=environ
    ).stdout.strip()


ASK = "try:\n    print(boto3.client('dynamodb').list_tables()['TableNames'])\nexcept Exception as e:\n    print(e)"


def test_before_the_start_no_profile_runs_a_program_and_no_configured_endpoint_is_asked(tmp_path: Any) -> None:
    config = tmp_path / "config"
    mark = tmp_path / "was-run"
    config.write_text(
        f"[profile prod]\nregion = us-west-2\ncredential_process = touch '{mark}'\nendpoint_url = http://127.0.0.1:9\n"
    )
    said = run(
        f"import boto3, dynamolab as lab\n{ASK}",
        AWS_CONFIG_FILE=str(config),
        AWS_PROFILE="prod",
        AWS_ACCESS_KEY_ID="",
        AWS_EC2_METADATA_DISABLED="true",
    )
    assert said in ("Unable to locate credentials", isolation.NOT_STARTED)  # a notebook shows it beside the former
    said = run(
        f"import boto3, dynamolab as lab\n{ASK}",
        AWS_CONFIG_FILE=str(config),
        AWS_PROFILE="prod",
        AWS_ENDPOINT_URL="http://127.0.0.1:9",
        AWS_ACCESS_KEY_ID="AKIAREAL",
        AWS_SECRET_ACCESS_KEY="b",
    )
    assert said == isolation.NOT_STARTED
    assert not mark.exists()


@pytest.mark.parametrize(
    "settings",
    [
        {"TEST_SERVER_MODE": "true", "TEST_SERVER_MODE_ENDPOINT": "http://127.0.0.1:9", "AWS_PROFILE": "no-such-one"},
        {
            "TEST_PROXY_MODE": "true",
            "AWS_CONFIG_FILE": ".",
            "INITIAL_NO_AUTH_ACTION_COUNT": "0",
            "AWS_DATA_PATH": "/no/such/folder",
            "AWS_DEFAULTS_MODE": "nonsense",
        },
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_a_users_settings_of_aws_or_moto_keep_the_lab_from_nothing(settings: dict[str, str]) -> None:
    ask = "print(boto3.client('dynamodb').list_tables()['TableNames'])"
    assert run(f"import moto.settings, boto3, dynamolab as lab\nlab.start()\n{ask}", **settings) == "[]"
