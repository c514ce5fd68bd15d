"""An interrupt (the stop button, Ctrl-C), pressed anywhere, leaves a lab that goes on or starts again.

The button is pressed at a line: as the line begins to run, a real SIGINT is raised. ``INTERRUPTION_POINTS=500`` presses
it at more lines than CI does (``all``: at every line of the lab that the scenario runs).
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import boto3
import greenlet
import pytest
from botocore.config import Config
from jupyter_client.manager import start_new_kernel
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb.models import dynamodb_backends

import dynamolab as lab
from dynamolab import checks, interrupts
from dynamolab.jupyter import started
from dynamolab.live import clock, metering, metrics, session
from dynamolab.live.images import image
from dynamolab.model.sizes import item_size
from dynamolab.traffic import demand, simulation

POINTS = os.environ.get("INTERRUPTION_POINTS", "24")
SEED = int(os.environ.get("INTERRUPTION_SEED", "9"))
PLACES = ("/dynamolab/", "/moto/", "/botocore/", "/boto3/")
WIDER = 4
"""One point in so many is in moto or boto3, the others in the lab."""

Line = tuple[str, int]
ONCE = Config(retries={"total_max_attempts": 1})


class Button:
    """Presses stop at the ``nth`` run of a line; notes how often each line ran. A learner's own trace goes on below."""

    def __init__(self, line: Line | None = None, nth: int = 1, press: Callable[[], None] | None = None) -> None:
        self.line, self.nth, self.seen = line, nth, dict[Line, int]()
        self.press = press or (lambda: signal.raise_signal(signal.SIGINT))
        self.pressed = False
        self._inner: Any = None
        self._watched: dict[str, bool] = {}

    def _is_watched(self, name: str) -> bool:
        if name not in self._watched:
            self._watched[name] = any(place in name for place in PLACES)
        return self._watched[name]

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        inner = self._inner(frame, event, argument) if self._inner is not None else None
        return self._in(inner) if self._is_watched(frame.f_code.co_filename) else inner

    def _in(self, inner: Any) -> Any:
        def trace(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal inner
            if inner is not None:
                inner = inner(frame, event, argument)
            if event == "line":
                here = frame.f_code.co_filename, frame.f_lineno
                count = self.seen[here] = self.seen.get(here, 0) + 1
                if here == self.line and count == self.nth:
                    self.pressed = True
                    self.press()
            return trace

        return trace

    def __enter__(self) -> Button:
        self._real = sys.settrace, sys.gettrace, simulation.greenlet.greenlet
        settrace, trace = sys.settrace, self._trace

        class Traced(greenlet.greenlet):  # type: ignore[misc]
            def __init__(self, run: Callable[[], None], parent: Any) -> None:
                def traced() -> None:
                    settrace(trace)  # each greenlet has a trace of its own
                    run()

                super().__init__(traced, parent)

        place: Any = sys
        place.settrace = lambda function: setattr(self, "_inner", function)
        place.gettrace = lambda: self._inner
        simulation.greenlet.greenlet = Traced
        settrace(trace)
        return self

    def __exit__(self, *_: object) -> None:
        place: Any = sys
        place.settrace, place.gettrace, simulation.greenlet.greenlet = self._real
        sys.settrace(None)


def read_day(dynamodb: Any, table: str, day: str, n: int) -> list[Any]:
    found = []
    for number in range(1, n + 1):
        pages = dynamodb.get_paginator("query").paginate(
            TableName=table,
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": f"{day}.{number}"}},
        )
        found += [item for page in pages for item in page["Items"]]
    return found


def scenario(say: Callable[..., None]) -> None:
    """What a learner does in a course, from the start of the lab to its end; ``say`` gets all that is seen."""
    checks.reset()
    lab.start(seed=7)
    dynamodb, once = boto3.client("dynamodb"), boto3.client("dynamodb", config=ONCE)
    units = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
    say(
        dynamodb.create_table(
            TableName="carts",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "g")],
            BillingMode="PROVISIONED",
            ProvisionedThroughput=units,
            GlobalSecondaryIndexes=[
                {
                    "IndexName": "by-g",
                    "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"},
                    "ProvisionedThroughput": units,
                }
            ],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
        )
    )
    dynamodb.update_time_to_live(
        TableName="carts", TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"}
    )
    say(lab.clock.advance(hours=2))
    now = int(lab.clock.time())

    def item(number: int, **more: Any) -> dict[str, Any]:
        expires = {"N": str(now + 600 * (1 + number))}
        return {"pk": {"S": f"k{number}"}, "g": {"S": f"g{number % 3}"}, "expires": expires, **more}

    say(dynamodb.put_item(TableName="carts", Item=item(0), ReturnConsumedCapacity="INDEXES"))
    say(
        dynamodb.update_item(
            TableName="carts",
            Key={"pk": {"S": "k0"}},
            UpdateExpression="SET g = :g",
            ExpressionAttributeValues={":g": {"S": "zz"}},
            ReturnConsumedCapacity="INDEXES",
        )
    )
    say(dynamodb.batch_write_item(RequestItems={"carts": [{"PutRequest": {"Item": item(i)}} for i in (1, 2, 3)]}))
    say(dynamodb.transact_write_items(TransactItems=[{"Put": {"TableName": "carts", "Item": item(i)}} for i in (4, 5)]))
    say(
        dynamodb.query(
            TableName="carts",
            IndexName="by-g",
            KeyConditionExpression="g = :g",
            ExpressionAttributeValues={":g": {"S": "g1"}},
            ReturnConsumedCapacity="INDEXES",
        )
    )
    say(dynamodb.scan(TableName="carts", ReturnConsumedCapacity="TOTAL"))
    say(dynamodb.execute_statement(Statement="SELECT * FROM carts WHERE pk='k1'"))
    boto3.client("cloudwatch").put_metric_alarm(
        AlarmName="busy",
        Namespace="AWS/DynamoDB",
        MetricName="ConsumedWriteCapacityUnits",
        Dimensions=[{"Name": "TableName", "Value": "carts"}],
        Statistic="Sum",
        Period=60,
        EvaluationPeriods=1,
        Threshold=1.0,
        ComparisonOperator="GreaterThanThreshold",
    )
    scaling = boto3.client("application-autoscaling")
    target = {
        "ServiceNamespace": "dynamodb",
        "ResourceId": "table/carts",
        "ScalableDimension": "dynamodb:table:WriteCapacityUnits",
    }
    scaling.register_scalable_target(**target, MinCapacity=5, MaxCapacity=50)
    scaling.put_scaling_policy(
        **target,
        PolicyName="half",
        PolicyType="TargetTrackingScaling",
        TargetTrackingScalingPolicyConfiguration={
            "TargetValue": 50.0,
            "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"},
        },
    )

    def put(client: Any, kilobytes: int) -> Callable[[int], Any]:
        pad = {"S": "x" * kilobytes * 1000}
        return lambda i: client.put_item(TableName="carts", Item={"pk": {"S": f"d{i}"}, "g": {"S": "hot"}, "pad": pad})

    say(lab.drive(put(once, 390), per_second=4, seconds=3))
    drive = lab.drive(put(dynamodb, 100), per_second=2, seconds=3)
    say(drive, [(call.retries, call.waits) for call in drive.log])
    lab.clock.advance(minutes=5)

    def read(client: Any, number: int) -> Any:
        return client.get_item(TableName="carts", Key={"pk": {"S": f"a{number}"}})

    def write(client: Any, number: int) -> Any:
        return client.put_item(TableName="carts", Item={"pk": {"S": f"a{number}"}})

    clients = [lab.Client("a", write, per_second=2), lab.Client("b", read, pause=0.5, retries="adaptive")]
    say(lab.run_clients(clients, seconds=2))
    say(lab.clock.advance(hours=1))
    say(boto3.client("cloudwatch").describe_alarm_history())
    say(dynamodb.describe_table(TableName="carts"))
    for frame in (lab.partition_history("carts"), lab.partition_load("carts").sum(), lab.most_accessed_keys("carts")):
        say(frame.to_string())
    say(lab.simulate(lab.Workload(demand.constant(1500, 5), demand.few(["a", "b"])), lab.Design()).totals)
    say(lab.check("write_sharding.c", read_day))
    say(lab.check("data_model.a", 3), lab.progress())
    say(lab.clock.time())
    lab.stop()


def history() -> list[str]:
    """Run the scenario and return all that it showed."""
    seen: list[str] = []
    scenario(lambda *shown: seen.append(repr(shown)))
    return seen


def inconsistencies() -> list[str]:
    """What does not fit together in the lab as it is: a write is stored, charged and counted, or nothing of it."""
    found = []
    if clock.waiter is not None:
        found.append("a drive seems to be under way")
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        found.append("Ctrl-C is still held back")
    if sys.gettrace() is not None:
        found.append("a learner's code is still traced")
    if not session.running():
        return found
    for name, table in dynamodb_backends[DEFAULT_ACCOUNT_ID]["eu-west-1"].tables.items():
        physics = metering.physics_of(table)
        stored = sum(partition.stored_bytes for partition in physics.table.partitions)
        there = sum(item_size(image(item) or {}) for item in table.all_items())
        if stored != there:
            found.append(f"{name}: the partitions hold {stored} bytes, the items {there}")
        charged = sum(
            tally.admitted_units
            for partition in physics.table.partitions
            for (_, side), tally in partition.load.items()
            if side == "write"
        )
        minutes = metrics.recorder.minutes.get(("ConsumedWriteCapacityUnits", name, None, ()), {})
        counted = sum(value * count for values in minutes.values() for value, count in values.items())
        if abs(charged - counted) > 1e-6:
            found.append(f"{name}: {charged} write units are charged, CloudWatch counted {counted}")
    return found


def go_on() -> list[str]:
    """What is wrong when a learner goes on after the interrupt as if nothing had been: it works, or a sentence."""
    try:
        dynamodb = boto3.client("dynamodb")
        there = dynamodb.list_tables()["TableNames"]
    except lab.LabError as error:
        return [] if "lab.start()" in str(error) else [str(error)]
    lab.clock.advance(minutes=10)  # so that no limit is in the way
    if "carts" in there:
        dynamodb.delete_item(TableName="carts", Key={"pk": {"S": "k1"}})
    dynamodb.create_table(
        TableName="more",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    drive = lab.drive(
        lambda i: dynamodb.put_item(TableName="more", Item={"pk": {"S": str(i)}}), per_second=2, seconds=1
    )
    lab.clock.advance(minutes=30)
    count = dynamodb.describe_table(TableName="more")["Table"]["ItemCount"]
    return [] if (drive.admitted, count) == (2, 2) else [f"{drive}; {count} items"]


def interrupted(line: Line, nth: int, expected: list[str]) -> list[str]:
    """Press stop at a line of the scenario, go on, start again; return what was wrong."""
    found = []
    with Button(line, nth) as button:
        try:
            scenario(lambda *_: None)
            found += ["the interrupt is lost"] * button.pressed
        except KeyboardInterrupt:
            pass
        except Exception as error:
            found.append(f"it ended in {error!r}")
    if not button.pressed:
        found.append("the line did not run")
    try:
        found += inconsistencies()
        found += go_on()
    except Exception as error:
        found.append(f"going on: {error!r}")
    try:
        if history() != expected:
            found.append("after lab.start() the history is another")
    except Exception as error:
        found.append(f"lab.start() and again: {error!r}")
    return found


@pytest.fixture(autouse=True)
def _as_python_starts() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
    lab.stop()


def lines_of_the_scenario() -> dict[Line, int]:
    """How often each line runs, once everything is imported."""
    with Button() as button:
        history()
    return button.seen


def test_an_interrupt_anywhere_leaves_a_lab_that_goes_on_and_starts_again_with_the_same_history() -> None:
    expected = history()
    seen = lines_of_the_scenario()
    ours = sorted(line for line in seen if "/dynamolab/" in line[0])
    others = sorted(line for line in seen if "/dynamolab/" not in line[0])
    assert len(ours) > 2000
    assert len(others) > 4000
    draw = random.Random(SEED)
    if POINTS == "all":
        chosen = ours
    else:
        wide = int(POINTS) // WIDER
        chosen = draw.sample(ours, int(POINTS) - wide) + draw.sample(others, wide)
    wrong = {}
    for line in chosen:
        nth = draw.choice([1, draw.randint(1, seen[line])])
        found = interrupted(line, nth, expected)
        if found:
            wrong[line, nth] = found
            print(line, nth, *found, sep="\n    ", flush=True)
    assert wrong == {}


def test_without_holding_interrupts_back_a_write_is_stored_and_not_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate above can fail: the product broken on purpose."""
    monkeypatch.setattr(interrupts.held, "__enter__", lambda self: self)
    code = metering.charge_write.__code__
    with Button((code.co_filename, code.co_firstlineno + 2)), contextlib.suppress(KeyboardInterrupt):
        scenario(lambda *_: None)
    assert "the partitions hold 0 bytes" in "; ".join(inconsistencies())


def test_an_interrupt_that_was_held_back_comes_at_the_end_of_the_block_and_only_once() -> None:
    seen = []
    with pytest.raises(KeyboardInterrupt), interrupts.held() as holding:
        signal.raise_signal(signal.SIGINT)
        seen.append("held")
        with interrupts.held():
            seen.append("within")
        with interrupts.let_in(holding):
            seen.append("let in")
    assert seen == ["held", "within"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with interrupts.held():
        pass


def test_an_interrupt_in_a_block_that_lets_them_in_leaves_what_stands_around_it_as_a_whole() -> None:
    left = []

    @contextlib.contextmanager
    def around() -> Iterator[None]:
        try:
            yield
        finally:
            left.append("whole")

    with pytest.raises(KeyboardInterrupt), interrupts.held() as holding, around(), interrupts.let_in(holding):
        signal.raise_signal(signal.SIGINT)
        left.append("not reached")
    assert left == ["whole"]


@pytest.mark.parametrize("spare", [0, 3, 8, 10, 40, 100])  # between 12 and 20 it depends on the Python
def test_code_that_calls_itself_too_often_ends_before_a_held_block_or_after_it(spare: int) -> None:
    steps: list[str] = []

    def frames(count: int) -> None:
        if count:
            frames(count - 1)

    def deep(count: int) -> None:
        if count:
            return deep(count - 1)
        with interrupts.held():
            steps.append("begun")
            frames(150)
            steps.append("done")

    frame: FrameType | None = sys._getframe()
    used = 0
    while frame is not None:
        used, frame = used + 1, frame.f_back
    limit = sys.getrecursionlimit()
    with contextlib.suppress(RecursionError):
        deep(limit - used - spare)
    assert steps in ([], ["begun", "done"])
    assert (steps == []) == (spare < 20)
    assert sys.getrecursionlimit() == limit
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_client_that_swallows_its_end_is_left_behind_and_the_next_drive_runs() -> None:
    lab.start(seed=7)
    dynamodb = boto3.client("dynamodb")
    dynamodb.create_table(
        TableName="carts",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )

    def stubborn(number: int) -> None:
        if number == 5:
            raise KeyboardInterrupt
        while True:
            with contextlib.suppress(BaseException):
                dynamodb.put_item(TableName="carts", Item={"pk": {"S": "hot"}, "pad": {"S": "x" * 390_000}})

    with pytest.raises(KeyboardInterrupt):
        lab.drive(stubborn, per_second=5, seconds=2)
    before = lab.clock.time()
    assert clock.waiter is None
    assert lab.drive(lambda: None, per_second=1, seconds=1).admitted == 1
    assert lab.clock.time() - before < 3


BEGIN = """
import boto3, dynamolab as lab
lab.start(seed=7)
dynamodb = boto3.client("dynamodb")
_ = dynamodb.create_table(TableName="carts", KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
    AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}], BillingMode="PAY_PER_REQUEST")
def put(i):
    return dynamodb.put_item(TableName="carts", Item={"pk": {"S": str(i)}})
def endless(*_):
    while True:
        pass
"""
ENDLESS = {
    "a drive": ("lab.drive(put, per_second=3000, seconds=60)", "display_data"),
    "an answer": ("print('go', flush=True); lab.check('write_sharding.a', lambda order_id, n: endless())", "stream"),
    "a cell": ("print('go', flush=True); endless()", "stream"),
}


def test_the_stop_button_of_a_notebook_is_answered_in_a_sentence_and_the_lab_starts_again() -> None:
    manager, client = started(lambda: start_new_kernel(kernel_name="python3"))

    def run(code: str, stop_at: str = "") -> list[Any]:
        """Run a cell as a person's notebook does; press stop at its first message of a kind. Returns what it shows."""
        asked, shown, pressed = client.execute(code, allow_stdin=True), [], False
        for _ in itertools.count():
            message = client.get_iopub_msg(timeout=120)
            kind = message["msg_type"]
            if message["parent_header"].get("msg_id") != asked:
                continue
            if kind == "status" and message["content"]["execution_state"] == "idle":
                return shown
            if kind == stop_at and not pressed:
                pressed = True
                manager.interrupt_kernel()
            if kind not in ("status", "execute_input"):
                shown.append((kind, message["content"]))
        raise AssertionError

    try:
        assert run(BEGIN) == []
        for code, stop_at in ENDLESS.values():
            shown = run(code, stop_at)
            assert shown[-1][0] == "error"
            lines = "\n".join(shown[-1][1]["traceback"]).splitlines()
            assert lines[0].startswith("Interrupted: run the cell again"), lines
            assert len(lines) <= 4, lines
            assert not any("site-packages" in line or "/src/" in line for line in lines)
            if stop_at == "display_data":
                assert "clear_output" in [kind for kind, _ in shown], "the bar is still there"
        shown = run("lab.start(seed=7); print(lab.clock.waiter, dynamodb.list_tables()['TableNames'], lab.clock)")
        assert shown == [
            ("stream", {"name": "stdout", "text": "None [] <lab clock at 2026-09-06 10:00:00.000000 UTC>\n"})
        ]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
