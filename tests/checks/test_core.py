"""The grader itself: outcomes, hints, the value, progress, and what it does with code that misbehaves."""

import itertools
import linecache
import random
import sys
import threading
import time

import boto3
import pytest

import dynamolab as lab
from dynamolab import checks
from dynamolab.checks import core, learner
from dynamolab.checks.learner import Learner
from dynamolab.checks.verdicts import Judged

A = "write_sharding.a"
GOOD = """
import zlib

def suffix(order_id, n):
    return zlib.crc32(order_id.encode()) % n + 1
"""
RAISING = """
def helper(order_id):
    return int(order_id)

def suffix(order_id, n):
    number = helper(order_id)
    return number % n + 1
"""


@pytest.fixture(autouse=True)
def _fresh_memory():
    checks.reset()
    yield
    lab.stop()


def suffix_from(source, filename="<ipython-input-3-0a1b2c>", known=True):
    """Define ``suffix`` as a notebook does: compiled from a cell's source, known to linecache or not."""
    if known:
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    names = {}
    exec(compile(source, filename, "exec"), names)
    return names["suffix"]


def test_an_answer_not_given_is_not_attempted_and_says_what_to_do():
    for result in (checks.check(A), checks.check(A, ...), checks.check(A, None)):
        assert result.outcome == "not attempted"
        assert repr(result) == (
            "write_sharding.a: not attempted\n"
            "Write suffix(order_id, n), then check it: lab.check('write_sharding.a', suffix)."
        )


@pytest.mark.parametrize(
    ("body", "stub"),
    [
        ("return ...", True),
        ("...", True),
        ("pass", True),
        ("'''Return it.'''\n    return ...", True),
        ("return 1", False),
        ("return n", False),
        ("return len(order_id)", False),
        ("return 'x'", False),
    ],
)
def test_a_function_is_a_stub_when_its_body_does_nothing(body, stub):
    names = {}
    exec(f"def suffix(order_id, n):\n    {body}\n", names)
    assert learner.is_stub(names["suffix"]) is stub


def test_the_same_answer_gets_the_same_text_every_time():
    good = suffix_from(GOOD)
    first, second = checks.check(A, good), checks.check(A, good)
    assert first == second
    assert (repr(first), first._repr_html_()) == (repr(second), second._repr_html_())
    assert "0x" not in repr(first)


def test_html_says_what_the_plain_text_says_and_shows_no_markup_of_the_answer():
    result = checks.check("write_sharding.b", "<script>")
    assert "<script>" in repr(result)
    assert "&lt;script&gt;" in result._repr_html_()
    assert "<script>" not in result._repr_html_()
    assert "wrong" in result._repr_html_()


def test_the_value_is_told_at_the_third_wrong_ask_and_counted_anew_after_a_right_one():
    told = "The value: any N from"
    assert [told in repr(checks.check("write_sharding.b", 4)) for _ in range(4)] == [False, False, True, True]
    checks.check("write_sharding.b", 100)
    assert [told in repr(checks.check("write_sharding.b", 4)) for _ in range(3)] == [False, False, True]


def test_asking_without_an_answer_does_not_bring_the_value_nearer():
    for _ in range(5):
        checks.check("write_sharding.b")
    assert "The value" not in repr(checks.check("write_sharding.b", 4))


def test_hints_come_one_at_a_time_and_the_last_one_stays():
    hints = core.questions("write_sharding")[A].hints
    shown = [checks.hint(A) for _ in range(len(hints) + 1)]
    assert [text.paragraphs for text in shown] == [(hint,) for hint in (*hints, hints[-1])]
    assert [text.headline for text in shown[:2]] == [f"{A}: hint 1 of 3", f"{A}: hint 2 of 3"]


def test_a_solution_shows_code_unwrapped_and_the_road_to_it():
    text = repr(checks.solution("write_sharding.c"))
    assert "\n    def read_day(dynamodb, table, day, n):\n" in text
    assert "Scatter: one Query per suffix" in text


def test_progress_names_what_was_not_attempted_and_never_claims_all():
    assert repr(checks.progress()) == "No check has been asked yet."
    checks.check(A, suffix_from(GOOD))
    checks.check("write_sharding.b", 4)
    checks.check("write_sharding.d", 199)
    checks.check("write_sharding.c", lambda dynamodb, table, day, n: 1 / 0)
    assert repr(checks.progress()) == ("write_sharding: 2 of 5 checks pass; wrong: b; raised: c; not attempted: e.")
    checks.check(A, suffix_from("def suffix(order_id, n):\n    return 1\n"))
    assert repr(checks.progress("write_sharding")).startswith("write_sharding: 1 of 5 checks pass; wrong: a, b;")


def test_with_a_file_to_share_progress_tells_of_other_kernels_and_the_last_ask_counts(tmp_path, monkeypatch):
    monkeypatch.setenv(core.PROGRESS, str(tmp_path / "progress.jsonl"))
    assert repr(checks.progress()) == "No check has been asked yet."
    checks.check("write_sharding.b", 4)
    checks.check("lesson_00.a", 8000)
    checks.check("lesson_00.a", 2000)
    checks.reset()  # another notebook, or the same after a restart
    assert repr(checks.progress()) == (
        "lesson_00: 1 of 3 checks pass; not attempted: b, c.\n"
        "write_sharding: 0 of 5 checks pass; wrong: b; not attempted: a, c, d, e."
    )


def test_a_spoilt_or_unwritable_file_of_progress_costs_no_answer(tmp_path, monkeypatch):
    path = tmp_path / "progress.jsonl"
    spoilt = ['{"id": "lesson_00.a", "outc', "[]", '{"id": "lesson_99.a", "outcome": "right"}']
    path.write_text("\n".join([*spoilt, '{"id": "lesson_00.b", "outcome": "splendid"}', ""]), encoding="utf-8")
    monkeypatch.setenv(core.PROGRESS, str(path))
    assert repr(checks.progress()) == "No check has been asked yet."
    monkeypatch.setenv(core.PROGRESS, str(tmp_path / "missing" / "progress.jsonl"))
    assert checks.check("lesson_00.a", 2000).outcome == "right"
    assert repr(checks.progress()).startswith("lesson_00: 1 of 3 checks pass;")


def test_an_unknown_id_is_answered_with_the_ids_near_it():
    with pytest.raises(lab.LabError, match=r"write_sharding\.a, write_sharding\.b"):
        checks.check("write_shardng.a", 1)
    with pytest.raises(lab.LabError, match=r"There is no check 'write_sharding\.z'.*write_sharding\.e"):
        checks.hint("write_sharding.z")
    with pytest.raises(lab.LabError, match="There is no check 5"):
        checks.solution(5)
    with pytest.raises(lab.LabError, match=r"no exercise 'sharding'.*write_sharding"):
        checks.progress("sharding")


def test_what_the_learner_raised_is_one_line_with_their_own_line_of_code():
    result = checks.check(A, suffix_from(RAISING))
    said = result.paragraphs[0]
    assert result.outcome == "raised"
    assert said.startswith("ValueError: invalid literal for int() with base 10: ")
    assert said.endswith(", in helper, line 3: return int(order_id)")
    assert result.paragraphs[1].startswith("The call was suffix('")
    assert "Traceback" not in repr(result)
    assert "dynamolab" not in repr(result)


def test_a_cell_that_is_not_on_record_still_gives_function_and_line():
    result = checks.check(A, suffix_from(RAISING, "<string>", known=False))
    assert result.paragraphs[0].endswith(", in helper, line 3")


def test_an_error_inside_boto3_is_shown_at_the_line_that_called_it():
    def read_day(dynamodb, table, day, n):
        return dynamodb.query(TableName="nowhere", KeyConditions={})

    said = checks.check("write_sharding.c", read_day).paragraphs[0]
    assert "in read_day, line " in said
    assert 'return dynamodb.query(TableName="nowhere", KeyConditions={})' in said
    assert "botocore" not in said


def test_it_works_in_real_ipython_cells():
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell()
    shell.run_cell("import dynamolab as lab\nlab.start(seed=7)")
    shell.run_cell(RAISING.lstrip())
    result = shell.run_cell("lab.check('write_sharding.a', suffix)").result
    assert result.paragraphs[0].endswith(", in helper, line 2: return int(order_id)")
    shell.run_cell(GOOD)
    assert shell.run_cell("lab.check('write_sharding.a', suffix)").result.outcome == "right"


def test_the_learners_tables_and_clock_are_as_they_were_after_a_check():
    lab.start(seed=7)
    dynamodb = boto3.client("dynamodb")
    dynamodb.create_table(
        TableName="mine",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    lab.clock.advance(hours=5)
    before = lab.clock.time()

    def read_day(dynamodb, table, day, n):
        lab.clock.advance(hours=1)
        for name in dynamodb.list_tables()["TableNames"]:
            dynamodb.delete_table(TableName=name)
        return []

    assert checks.check("write_sharding.c", read_day).outcome == "wrong"
    assert lab.clock.time() == before
    assert dynamodb.list_tables()["TableNames"] == ["mine"]


def test_a_check_works_before_the_lab_is_started_and_leaves_it_so():
    lab.stop()
    solution = {}
    exec(core.questions("write_sharding")["write_sharding.c"].solution, solution)
    assert checks.check("write_sharding.c", solution["read_day"]).outcome == "right"
    with pytest.raises(lab.LabError):
        lab.partition_of("mine", {"pk": "a"})


def test_an_answer_left_to_chance_meets_the_same_chance_each_time_and_the_learners_own_goes_on():
    def suffix(order_id, n):
        return random.randint(1, n)

    def get_order(dynamodb, table, day, order_id, n):
        key = {"PK": {"S": f"PEDIDOS#{day}.{suffix(order_id, n)}"}, "SK": {"S": order_id}}
        return dynamodb.get_item(TableName=table, Key=key).get("Item")

    random.seed(5)
    expected = [random.random() for _ in range(2)]
    random.seed(5)
    found = [random.random()]
    first, second = (repr(checks.check("write_sharding.e", (suffix, get_order))) for _ in range(2))
    assert first == second
    assert [*found, random.random()] == expected


def test_a_message_of_several_lines_is_told_in_one():
    def read_day(dynamodb, table, day, n):
        return dynamodb.query(TableName=table, KeyConditionExpression=1, Limit="x")

    said = checks.check("write_sharding.c", read_day).paragraphs[0]
    assert said.startswith("ParamValidationError: Parameter validation failed: Invalid type for parameter ")


def test_prints_of_the_learner_do_not_flood_the_notebook(capsys):
    checks.check(A, suffix_from(GOOD.replace("return", "print('here', order_id); return")))
    assert capsys.readouterr().out == ""


def test_a_debuggers_trace_and_the_real_sleep_are_back_after_a_check():
    def trace(frame, event, argument):
        return None

    sleep = time.sleep
    sys.settrace(trace)
    try:
        checks.check(A, suffix_from(RAISING))
        assert sys.gettrace() is trace
    finally:
        sys.settrace(None)
    assert time.sleep is sleep
    assert threading.gettrace() is None


def test_a_loop_without_end_is_stopped_with_one_sentence_that_names_the_budget():
    def suffix(order_id, n):
        for number in itertools.count():
            if number < 0:
                return number

    result = checks.check(A, suffix)
    assert result.outcome == "raised"
    assert result.paragraphs == (
        f"Stopped: your code ran more than {learner.LINES:,} lines, or longer than {learner.SECONDS:.0f} s. "
        "Is there a loop that does not end?",
    )


def test_requests_without_end_are_stopped_even_inside_a_bare_except():
    def read_day(dynamodb, table, day, n):
        while True:
            try:
                dynamodb.describe_table(TableName=table)
            except:  # noqa: E722
                continue

    result = checks.check("write_sharding.c", read_day)
    assert result.outcome == "raised"
    assert result.paragraphs[0].startswith("Stopped: your code sent more than 150 requests to the lab")


def test_a_loop_without_end_in_a_thread_is_stopped_too():
    def suffix(order_id, n):
        def spin():
            while True:
                pass

        thread = threading.Thread(target=spin)
        thread.start()
        thread.join()

    # What the thread's own excepthook would print is of no interest here.
    hook, threading.excepthook = threading.excepthook, lambda arguments: None
    try:
        assert checks.check(A, suffix).outcome == "raised"
    finally:
        threading.excepthook = hook


def test_threads_that_are_not_the_learners_go_on_sleeping_for_real():
    # As a kernel's own do; if their sleep returned at once, they would spend the learner's budget.
    done, naps = threading.Event(), []

    def doze():
        while not done.is_set():
            time.sleep(0.002)
            naps.append(1)

    thread = threading.Thread(target=doze)
    thread.start()
    try:
        began = time.monotonic()
        outcome = checks.check(A, suffix_from(GOOD)).outcome
        took = time.monotonic() - began
    finally:
        done.set()
        thread.join()
    assert outcome == "right"
    assert len(naps) <= took / 0.002 + 2


def test_units_are_counted_without_showing_the_learner_what_they_did_not_ask_for():
    lab.start(seed=7)
    dynamodb = boto3.client("dynamodb")
    dynamodb.create_table(
        TableName="mine",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    key = {"pk": {"S": "a"}}
    person = Learner()
    plain = person.call(lambda: dynamodb.get_item(TableName="mine", Key=key))
    asking = person.call(lambda: dynamodb.get_item(TableName="mine", Key=key, ReturnConsumedCapacity="TOTAL"))
    assert "ConsumedCapacity" not in plain
    assert asking["ConsumedCapacity"]["CapacityUnits"] == 0.5
    assert [request.units for request in person.requests] == [0.5, 0.5]


def test_a_refused_request_raises_the_services_own_exception():
    lab.start(seed=7)
    dynamodb = boto3.client("dynamodb")
    person = Learner(refuse=lambda request: "ThrottlingException" if request.operation == "ListTables" else None)
    attempt = person.attempt(dynamodb.list_tables)
    assert isinstance(attempt.error, dynamodb.exceptions.ThrottlingException)
    assert attempt.error.response["Error"]["Code"] == "ThrottlingException"


@pytest.mark.parametrize("answer", [True, "3", b"3", [3], {}, object(), len, 1j])
def test_only_numbers_pass_for_a_number(answer):
    with pytest.raises(Judged) as judged:
        learner.a_number(answer, "N")
    assert judged.value.verdict.misconception == "wrong_type"


def test_importing_the_door_does_not_load_the_exercises():
    import subprocess

    code = "import sys, dynamolab as lab; lab.check; print([m for m in sys.modules if m.endswith('write_sharding')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
