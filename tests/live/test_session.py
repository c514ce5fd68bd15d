"""The lab starts afresh, keeps to itself, and puts everything back."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from typing import Any

import boto3
import pytest
from botocore.config import Config

import dynamolab as lab
from dynamolab.live import metering, sandbox
from dynamolab.live.clock import START
from dynamolab.model.parameters import DEFAULTS

TABLE: dict[str, Any] = {
    "TableName": "pedidos",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Refuse and count every connection."""
    tried: list[Any] = []

    def connect(self: socket.socket, address: Any) -> None:
        tried.append(address)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", connect)
    return tried


def test_starting_again_begins_with_an_empty_region_at_the_first_instant(running_lab: None) -> None:
    boto3.client("dynamodb").create_table(**TABLE)
    lab.clock.advance(hours=5)
    first = lab.clock.now()
    lab.start(seed=7)
    assert boto3.client("dynamodb").list_tables()["TableNames"] == []
    assert lab.clock.now().isoformat() == "2026-09-06T10:00:00+00:00" != first.isoformat()


def test_the_same_seed_gives_the_same_responses_to_the_last_byte() -> None:
    def story(seed: int) -> str:
        lab.start(seed=seed)
        client = boto3.client("dynamodb")
        answers = [client.create_table(**TABLE), client.put_item(TableName="pedidos", Item={"pk": {"S": "a"}})]
        lab.clock.advance(minutes=1)
        answers += [client.describe_table(TableName="pedidos"), boto3.client("sts").get_caller_identity()]
        drive = lab.drive(
            lambda i: client.put_item(TableName="pedidos", Item={"pk": {"S": "a"}, "x": {"S": "x" * 300_000}}),
            per_second=20,
            seconds=1,
        )
        return repr(answers) + drive.calls.to_csv()

    first, again, other = story(7), story(7), story(8)
    lab.stop()
    assert first == again
    assert first != other  # request ids and retry jitter follow the seed


def test_no_credential_profile_or_endpoint_of_the_user_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, no_network: list[Any]
) -> None:
    config = tmp_path / "config"
    config.write_text(
        "[default]\nregion = us-west-2\nendpoint_url = https://example.com\ncredential_process = touch "
        f"{tmp_path / 'was-run'}\n[profile prod]\nregion = us-west-2\n"
    )
    users = {
        "AWS_CONFIG_FILE": str(config),
        "AWS_PROFILE": "prod",
        "AWS_ACCESS_KEY_ID": "AKIAREAL",
        "AWS_SECRET_ACCESS_KEY": "real",
        "AWS_ENDPOINT_URL": "https://example.com",
        "AWS_MAX_ATTEMPTS": "1",
        "HTTPS_PROXY": "http://proxy.example.com:3128",
    }
    for name, value in users.items():
        monkeypatch.setenv(name, value)
    lab.start()
    client = boto3.client("dynamodb")
    client.create_table(**TABLE)
    session = boto3.Session()
    credentials = session.get_credentials()
    assert credentials is not None
    assert credentials.access_key.startswith("AKIADYNAMOLAB")
    assert client.meta.region_name == "eu-west-1"
    assert session.available_profiles == []
    assert not (tmp_path / "was-run").exists()
    lab.stop()
    assert {name: os.environ.get(name) for name in users} == users
    assert no_network == []


def test_a_request_to_another_endpoint_is_refused_with_a_sentence(running_lab: None, no_network: list[Any]) -> None:
    with pytest.raises(lab.LabError, match="nothing in it answers localhost:8000"):
        boto3.client("dynamodb", endpoint_url="http://localhost:8000").list_tables()
    assert no_network == []


def test_a_service_that_nothing_provides_is_refused_with_a_sentence(running_lab: None, no_network: list[Any]) -> None:
    with pytest.raises(lab.LabError, match="the lab has no such service"):
        boto3.client("chime").list_accounts()
    assert no_network == []


def test_a_client_of_a_stopped_lab_says_so(no_network: list[Any]) -> None:
    lab.start()
    client = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
    lab.stop()
    with pytest.raises(lab.LabError, match="The lab is stopped"):
        client.list_tables()
    assert no_network == []


def test_a_client_made_before_the_lab_was_imported_is_refused_while_it_runs() -> None:
    story = (
        "import boto3; old = boto3.client('dynamodb', region_name='eu-west-1', aws_access_key_id='a',"
        " aws_secret_access_key='b')\n"
        "import dynamolab as lab; lab.start()\n"
        "try:\n    old.list_tables()\nexcept lab.LabError as error:\n    print(error)"
    )
    run = subprocess.run([sys.executable, "-c", story], capture_output=True, text=True, check=True, timeout=60)
    assert "Make the client after lab.start()" in run.stdout


def test_stopping_twice_and_without_a_start_is_no_fault() -> None:
    lab.stop()
    lab.start()
    lab.stop()
    lab.stop()


@pytest.mark.parametrize("seed", ["7", 1.5, None, True])
def test_a_seed_that_is_no_whole_number_is_refused(seed: Any) -> None:
    with pytest.raises(lab.LabError, match="whole number as its seed"):
        lab.start(seed=seed)


def test_everything_that_needs_a_running_lab_says_to_start_it() -> None:
    lab.stop()
    for ask in (
        lambda: lab.partition_load("pedidos"),
        lambda: lab.partition_of("pedidos", {"pk": "a"}),
        lambda: lab.drive(print, per_second=1, seconds=1),
    ):
        with pytest.raises(lab.LabError, match=r"call lab\.start\(\) first"):
            ask()


def test_a_sandbox_hides_and_gives_back_tables_clock_and_load(running_lab: None) -> None:
    client = boto3.client("dynamodb")
    client.create_table(**TABLE)
    client.put_item(TableName="pedidos", Item={"pk": {"S": "mine"}})
    lab.clock.advance(minutes=3)
    before, now = lab.partition_load("pedidos").to_csv(), lab.clock.now()
    with sandbox(seed=99):
        assert client.list_tables()["TableNames"] == []
        client.create_table(**TABLE)
        client.put_item(TableName="pedidos", Item={"pk": {"S": "theirs"}})
        lab.clock.advance(days=400)
    assert [row["pk"]["S"] for row in client.scan(TableName="pedidos")["Items"]] == ["mine"]
    assert lab.clock.now() == now
    client.delete_table(TableName="pedidos")
    assert before.count("\n") > 1


def told(name: str) -> list[Any]:
    """What chance and the model decide: ids of requests, waits of retries, what reads see while copies lag."""
    client = boto3.client("dynamodb")
    units = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
    client.create_table(**{**TABLE, "TableName": name, "BillingMode": "PROVISIONED"}, ProvisionedThroughput=units)
    lab.clock.advance(minutes=1)
    seen: list[Any] = []
    for number in range(8):
        item = {"pk": {"S": "a"}, "n": {"N": str(number)}, "filler": {"S": "x" * 60_000}}
        try:
            seen.append(client.put_item(TableName=name, Item=item)["ResponseMetadata"]["RequestId"])
        except client.exceptions.ProvisionedThroughputExceededException as error:
            seen.append(error.response["ResponseMetadata"]["RequestId"])
        read = client.get_item(TableName=name, Key={"pk": {"S": "a"}}).get("Item", {})
        seen += [read.get("n"), lab.clock.now()]
    return seen


def test_a_lab_goes_on_after_a_sandbox_as_if_there_had_been_none() -> None:
    stories = []
    for sandboxes in (0, 2):
        lab.start(seed=5, heat_split_share=0.5)
        lab.replica_lag(3)
        story = told("pedidos")
        for seed in range(sandboxes):
            with sandbox(seed):
                lab.replica_lag(1)
                told("pedidos")
        stories.append([*story, metering.parameters().heat_split_share, *told("otros")])
    lab.stop()
    assert stories[0] == stories[1]
    assert stories[0][24] == 0.5


def test_a_sandbox_is_the_same_whatever_lab_it_is_opened_in() -> None:
    stories = []
    for outer in (None, 5, 6):
        lab.stop()
        if outer is not None:
            lab.start(seed=outer, heat_split_share=0.5)
            lab.replica_lag(3)
            told("pedidos")
        with sandbox(seed=3):
            story = [lab.clock.now(), metering.parameters(), *told("pedidos")]
            lab.replica_lag(1)
            stories.append([*story, *told("otros")])
    lab.stop()
    assert stories[0][:2] == [START, DEFAULTS]
    assert stories[0] == stories[1] == stories[2]


def test_a_sandbox_survives_judged_code_that_stops_the_lab_or_raises(running_lab: None) -> None:
    client = boto3.client("dynamodb")
    client.create_table(**TABLE)
    with pytest.raises(ZeroDivisionError), sandbox(seed=1):
        lab.stop()
        raise ZeroDivisionError
    assert boto3.client("dynamodb").list_tables()["TableNames"] == ["pedidos"]


def test_a_sandbox_without_a_lab_leaves_none_behind() -> None:
    lab.stop()
    with sandbox(seed=1):
        boto3.client("dynamodb").create_table(**TABLE)
    with pytest.raises(lab.LabError):
        lab.partition_load("pedidos")


def test_the_door_offers_its_names_and_says_so_for_others() -> None:
    assert {"start", "stop", "clock", "drive", "partition_load", "partition_map", "partition_of"} <= set(dir(lab))
    with pytest.raises(AttributeError, match="it offers"):
        _ = lab.partition_laod


def test_importing_the_lab_loads_neither_pandas_nor_widgets() -> None:
    story = "import sys, dynamolab; dynamolab.start(); print([m for m in ('pandas', 'ipywidgets') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", story], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "[]"


def test_real_time_is_left_alone(running_lab: None) -> None:
    began = time.monotonic()
    time.sleep(0.01)
    assert time.monotonic() - began >= 0.01
    assert lab.clock.now().year == 2026


def test_before_the_first_start_nothing_is_sent_to_aws() -> None:
    story = (
        "import boto3, dynamolab as lab\n"
        "client = boto3.client('dynamodb', region_name='eu-west-1', aws_access_key_id='AKIAREAL',"
        " aws_secret_access_key='b')\n"
        "try:\n    client.list_tables()\nexcept lab.LabError as error:\n    print(error)"
    )
    run = subprocess.run([sys.executable, "-c", story], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.startswith("The lab is not running, and it sends nothing to AWS: call lab.start() first")


def test_a_notebook_shows_an_error_as_its_sentence_and_the_learners_line(running_lab: None) -> None:
    import linecache

    source = "def ask(client):\n    client.get_item(TableName='no-such-table', Key={'pk': {'S': 'a'}})\n"
    cell = "ipykernel_1/2.py"
    linecache.cache[cell] = (len(source), None, source.splitlines(keepends=True), cell)
    names: dict[str, Any] = {}
    exec(compile(source, cell, "exec"), names)
    with pytest.raises(Exception, match="Requested resource not found") as raised:
        names["ask"](boto3.client("dynamodb"))
    shown = raised.value._render_traceback_()  # type: ignore[attr-defined]
    assert len(shown) == 2
    assert shown[0].startswith("ResourceNotFoundException: An error occurred")
    assert shown[1] == "  in your ask, line 2: client.get_item(TableName='no-such-table', Key={'pk': {'S': 'a'}})"


def test_a_key_of_another_type_has_no_partition(running_lab: None) -> None:
    boto3.client("dynamodb").create_table(**TABLE)
    for key in ({"pk": 5}, {"pk": {"N": "5"}}, {"sk": "a"}, "a"):
        with pytest.raises(lab.LabError, match="partition key"):
            lab.partition_of("pedidos", key)  # type: ignore[arg-type]


def test_before_the_first_start_a_server_on_this_machine_may_be_asked() -> None:
    story = (
        "import boto3, botocore.config, dynamolab as lab\n"
        "client = boto3.client('dynamodb', region_name='eu-west-1', endpoint_url='http://127.0.0.1:9',"
        " aws_access_key_id='a', aws_secret_access_key='b', config=botocore.config.Config(retries="
        "{'total_max_attempts': 1}))\n"
        "try:\n    client.list_tables()\nexcept Exception as error:\n    print(type(error).__name__)"
    )
    run = subprocess.run([sys.executable, "-c", story], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "EndpointConnectionError"


def test_clients_from_before_and_after_a_start_share_their_exceptions(running_lab: None) -> None:
    before = boto3.client("dynamodb")
    lab.start(seed=7)
    after = boto3.client("dynamodb")
    assert after.exceptions.ResourceNotFoundException is before.exceptions.ResourceNotFoundException
    with pytest.raises(before.exceptions.ResourceNotFoundException):
        after.describe_table(TableName="no-such-table")
    with sandbox(seed=1), pytest.raises(before.exceptions.ResourceNotFoundException):
        boto3.resource("dynamodb").Table("no-such-table").load()
    elsewhere = boto3.Session(region_name="eu-west-1").client("dynamodb")  # as with AWS: a session has its own
    assert elsewhere.exceptions.ResourceNotFoundException is not before.exceptions.ResourceNotFoundException
