"""A refusal in the service's own words: error code, message, reason and resource."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Side = Literal["write", "read"]
"""Which of a resource's two capacities a request uses; they never limit each other."""

SIDES: tuple[Side, Side] = ("read", "write")
"""Both sides, in the order in which they are listed everywhere."""

BillingMode = Literal["PAY_PER_REQUEST", "PROVISIONED"]


class Limit(StrEnum):
    """What kind of limit refused a request: the last part of a reason ("Diagnosing throttling").

    There are four, for tables and indexes, reads and writes: sixteen reasons.
    """

    KEY_RANGE = "KeyRangeThroughputExceeded"
    PROVISIONED = "ProvisionedThroughputExceeded"
    ACCOUNT = "AccountLimitExceeded"
    MAXIMUM = "MaxOnDemandThroughputExceeded"


THROTTLING = "ThrottlingException"
PROVISIONED_EXCEEDED = "ProvisionedThroughputExceededException"
REQUEST_LIMIT = "RequestLimitExceeded"

_ON_DEMAND_MESSAGE = (
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or "
    "index so please try again shortly. If exceptions persist, check if you have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
)
_ON_DEMAND_INDEX_MESSAGE = (
    "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically "
    "scaling your index so please try again shortly."
)
_PROVISIONED_MESSAGE = (
    "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning "
    "level with the UpdateTable API."
)
_PROVISIONED_INDEX_MESSAGE = (
    "The level of configured provisioned throughput for one or more global secondary indexes of the table was "
    "exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the "
    "UpdateTable API"
)
_MAXIMUM_MESSAGE = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
_ACCOUNT_MESSAGE = (
    "Throughput exceeds the current throughput limit for your account. To request a limit increase, contact AWS "
    "Support at https://aws.amazon.com/support"
)


@dataclass(frozen=True)
class Refusal:
    """Why a request was refused: the limit that was reached, on which side of which resource.

    ``resource`` is the ARN of a table, or of an index (``.../table/T/index/I``); ``mode`` is that resource's. A refusal
    on the write side of an index answers a write to its table: back-pressure. ``in_transaction``: the request was
    TransactWriteItems, TransactGetItems or ExecuteTransaction.

    Codes and messages are those of "Diagnosing throttling" and "Error handling with DynamoDB", the texts as recorded
    from the service (docs/fidelity.md).
    """

    side: Side
    limit: Limit
    mode: BillingMode
    resource: str
    in_transaction: bool = False

    @property
    def on_index(self) -> bool:
        """Whether an index, not a table, was at its limit."""
        return "/index/" in self.resource

    @property
    def reason(self) -> str:
        """The service's reason, for example ``TableWriteKeyRangeThroughputExceeded``."""
        return f"{'Index' if self.on_index else 'Table'}{self.side.capitalize()}{self.limit}"

    @property
    def metric(self) -> str:
        """The CloudWatch metric of this reason, for example ``WriteKeyRangeThroughputThrottleEvents``.

        It counts on the resource's own dimensions. Source: "DynamoDB metrics and dimensions".
        """
        names = {Limit.PROVISIONED: "ProvisionedThroughput", Limit.KEY_RANGE: "KeyRangeThroughput",
                 Limit.ACCOUNT: "AccountLimit", Limit.MAXIMUM: "MaxOnDemandThroughput"}  # fmt: skip
        return f"{self.side.capitalize()}{names[self.limit]}ThrottleEvents"

    @property
    def code(self) -> str:
        """The exception's name.

        Provisioned and on-demand resources have one each, for whichever limit; a quota of the account has its own,
        though not on an index. A single write that the maximum of an on-demand index stopped was recorded with the
        provisioned exception; in a transaction with the other.
        """
        if self.limit is Limit.ACCOUNT:
            return THROTTLING if self.on_index else REQUEST_LIMIT
        if self.limit is Limit.MAXIMUM:
            stopped_by_index = self.on_index and self.side == "write" and not self.in_transaction
            return PROVISIONED_EXCEEDED if stopped_by_index else THROTTLING
        return THROTTLING if self.mode == "PAY_PER_REQUEST" else PROVISIONED_EXCEEDED

    @property
    def message(self) -> str:
        """The exception's text, as recorded from the service."""
        if self.limit is Limit.ACCOUNT:
            return _ACCOUNT_MESSAGE
        if self.limit is Limit.MAXIMUM:
            return _MAXIMUM_MESSAGE
        if self.mode == "PROVISIONED":
            return _PROVISIONED_INDEX_MESSAGE if self.on_index else _PROVISIONED_MESSAGE
        return _ON_DEMAND_INDEX_MESSAGE if self.on_index and self.side == "write" else _ON_DEMAND_MESSAGE

    @property
    def member(self) -> str:
        """How the exception spells its list of reasons: ThrottlingException has it in lower case."""
        return "throttlingReasons" if self.code == THROTTLING else "ThrottlingReasons"

    @property
    def statement_code(self) -> str:
        """The ``Error.Code`` of a refused statement of BatchExecuteStatement, whose call itself succeeds."""
        return {PROVISIONED_EXCEEDED: "ProvisionedThroughputExceeded", THROTTLING: "ThrottlingError"}.get(
            self.code, self.code
        )

    def as_error(self) -> dict[str, object]:
        """The JSON body that the service answers with; the exceptions spell the member of reasons differently."""
        return {
            "__type": f"com.amazonaws.dynamodb.v20120810#{self.code}",
            "message": self.message,
            self.member: [{"reason": self.reason, "resource": self.resource}],
        }
