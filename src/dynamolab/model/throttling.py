"""A refusal in the service's own words: error code, message, reason and resource."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Side = Literal["write", "read"]
"""Which of a resource's two capacities a request uses; they never limit each other."""

BillingMode = Literal["PAY_PER_REQUEST", "PROVISIONED"]


class Limit(StrEnum):
    """What kind of limit refused a request: the last part of a reason ("Diagnosing throttling")."""

    KEY_RANGE = "KeyRangeThroughputExceeded"
    PROVISIONED = "ProvisionedThroughputExceeded"


_ON_DEMAND_MESSAGE = (
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or "
    "index so please try again shortly. If exceptions persist, check if you have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
)
_PROVISIONED_MESSAGE = (
    "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning "
    "level with the UpdateTable API."
)


@dataclass(frozen=True)
class Refusal:
    """Why a request was refused: the limit that was reached, on which side of which resource."""

    side: Side
    limit: Limit
    mode: BillingMode
    resource: str

    @property
    def reason(self) -> str:
        """The service's reason, for example ``TableWriteKeyRangeThroughputExceeded``."""
        return f"Table{self.side.capitalize()}{self.limit}"

    @property
    def code(self) -> str:
        """The exception's name: the two billing modes have one each."""
        return "ThrottlingException" if self.mode == "PAY_PER_REQUEST" else "ProvisionedThroughputExceededException"

    @property
    def message(self) -> str:
        """The exception's text, as recorded from the service."""
        return _ON_DEMAND_MESSAGE if self.mode == "PAY_PER_REQUEST" else _PROVISIONED_MESSAGE

    def as_error(self) -> dict[str, object]:
        """The JSON body that the service answers with; the two exceptions spell the member of reasons differently."""
        member = "throttlingReasons" if self.mode == "PAY_PER_REQUEST" else "ThrottlingReasons"
        return {
            "__type": f"com.amazonaws.dynamodb.v20120810#{self.code}",
            "message": self.message,
            member: [{"reason": self.reason, "resource": self.resource}],
        }
