"""Sixteen reasons, in the service's own words."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from dynamolab.model.throttling import SIDES, Limit, Refusal

TABLE = "arn:aws:dynamodb:us-east-1:123456789012:table/T"
INDEX = f"{TABLE}/index/I"
CASES = list(itertools.product((TABLE, INDEX), SIDES, Limit))


def test_there_are_sixteen_reasons() -> None:
    """AWS, "Diagnosing throttling": {Table, Index} x {Read, Write} x four limits."""
    reasons = {Refusal(side, limit, "PAY_PER_REQUEST", arn).reason for arn, side, limit in CASES}
    assert reasons == {
        f"{kind}{side}{limit}Exceeded"
        for kind in ("Table", "Index")
        for side in ("Read", "Write")
        for limit in ("ProvisionedThroughput", "KeyRangeThroughput", "AccountLimit", "MaxOnDemandThroughput")
    }


def test_there_is_a_metric_for_each_side_and_limit() -> None:
    metrics = {Refusal(side, limit, "PROVISIONED", arn).metric for arn, side, limit in CASES}
    assert metrics == {
        f"{side}{limit}ThrottleEvents"
        for side in ("Read", "Write")
        for limit in ("ProvisionedThroughput", "KeyRangeThroughput", "AccountLimit", "MaxOnDemandThroughput")
    }


@pytest.mark.parametrize(
    ("limit", "mode", "resource", "code"),
    [
        (Limit.PROVISIONED, "PROVISIONED", TABLE, "ProvisionedThroughputExceededException"),
        (Limit.KEY_RANGE, "PROVISIONED", TABLE, "ProvisionedThroughputExceededException"),
        (Limit.KEY_RANGE, "PAY_PER_REQUEST", TABLE, "ThrottlingException"),
        (Limit.MAXIMUM, "PAY_PER_REQUEST", TABLE, "ThrottlingException"),
        (Limit.ACCOUNT, "PAY_PER_REQUEST", TABLE, "RequestLimitExceeded"),
        (Limit.PROVISIONED, "PROVISIONED", INDEX, "ProvisionedThroughputExceededException"),
        (Limit.KEY_RANGE, "PAY_PER_REQUEST", INDEX, "ThrottlingException"),
        (Limit.ACCOUNT, "PAY_PER_REQUEST", INDEX, "ThrottlingException"),
        (Limit.MAXIMUM, "PAY_PER_REQUEST", INDEX, "ProvisionedThroughputExceededException"),
    ],
)
def test_the_exception_follows_mode_and_limit(limit: Limit, mode: Any, resource: str, code: str) -> None:
    refusal = Refusal("write", limit, mode, resource)
    body = refusal.as_error()
    assert body["__type"] == f"com.amazonaws.dynamodb.v20120810#{code}"
    member = "throttlingReasons" if code == "ThrottlingException" else "ThrottlingReasons"
    assert body[member] == [{"reason": refusal.reason, "resource": resource}]
    assert len(body) == 3


def test_the_maximum_of_an_index_is_another_exception_in_a_transaction_and_in_a_read() -> None:
    assert Refusal("write", Limit.MAXIMUM, "PAY_PER_REQUEST", INDEX, in_transaction=True).code == "ThrottlingException"
    assert Refusal("read", Limit.MAXIMUM, "PAY_PER_REQUEST", INDEX).code == "ThrottlingException"


@pytest.mark.parametrize(
    ("refusal", "words"),
    [
        (Refusal("write", Limit.PROVISIONED, "PROVISIONED", TABLE), "for the table was exceeded"),
        (Refusal("write", Limit.PROVISIONED, "PROVISIONED", INDEX), "for one or more global secondary indexes of the"),
        (Refusal("write", Limit.KEY_RANGE, "PAY_PER_REQUEST", INDEX), "current capacity for one or more global"),
        (Refusal("read", Limit.KEY_RANGE, "PAY_PER_REQUEST", INDEX), "check if you have a hot key"),
        (Refusal("read", Limit.MAXIMUM, "PAY_PER_REQUEST", TABLE), "exceeds the maximum OnDemandThroughput"),
        (Refusal("read", Limit.ACCOUNT, "PAY_PER_REQUEST", TABLE), "current throughput limit for your account"),
    ],
)
def test_each_limit_has_its_own_words(refusal: Refusal, words: str) -> None:
    assert words in refusal.message


def test_a_statement_of_a_batch_carries_its_own_code() -> None:
    codes = [
        Refusal("write", Limit.KEY_RANGE, "PROVISIONED", TABLE).statement_code,
        Refusal("write", Limit.KEY_RANGE, "PAY_PER_REQUEST", TABLE).statement_code,
    ]
    assert codes == ["ProvisionedThroughputExceeded", "ThrottlingError"]
