"""What TTL, streams and lagging copies rely on inside moto; an upgrade fails here first, and says who relies on it."""

from __future__ import annotations

import inspect
from typing import Any

import moto.dynamodb.models.table as moto_table
import pytest
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.table import StreamShard, Table
from moto.dynamodb.responses import DynamoHandler
from moto.dynamodbstreams.models import DynamoDBStreamsBackend
from moto.dynamodbstreams.responses import DynamoDBStreamsHandler

from dynamolab.live import streams


def parameters(function: Any) -> list[str]:
    return list(inspect.signature(function).parameters)


def test_every_write_ends_in_one_of_three_methods() -> None:
    assert parameters(Table.put_item)[:2] == ["self", "item_attrs"], (
        "Table.put_item changed: writes.py stands before it"
    )
    assert parameters(Table.delete_item) == ["self", "hash_key", "range_key"], "Table.delete_item changed: writes.py"
    assert parameters(DynamoDBBackend.update_item)[:3] == ["self", "table_name", "key"], "update_item: writes.py"
    for name in ("put_item", "delete_item"):
        source = inspect.getsource(getattr(DynamoDBBackend, name))
        assert f"table.{name}(" in source, f"the backend's {name} goes another way: writes.py hears of nothing"


def test_writes_add_to_the_stream_by_one_method_and_only_if_there_is_one() -> None:
    for method in (Table.put_item, Table.delete_item, DynamoDBBackend.update_item):
        source = inspect.getsource(method)
        assert "stream_shard is not None" in source, f"{method.__name__}: writes.py takes the shard away for an update"
        assert "stream_shard.add(" in source, f"{method.__name__} records changes otherwise: streams.Shard.add"
    assert parameters(StreamShard.add) == ["self", "old", "new"]


def test_a_stream_begins_and_ends_in_one_method_that_makes_a_shard() -> None:
    source = inspect.getsource(Table.set_stream_specification)
    assert "StreamShard(self.account_id, self)" in source, "streams.Shard takes StreamShard's place there"
    assert "latest_stream_label" in source
    assert "set_stream_specification" in inspect.getsource(Table.__init__)
    assert vars(moto_table)["StreamShard"] is StreamShard


@pytest.mark.parametrize("name", ["list_streams", "describe_stream", "get_shard_iterator", "get_records"])
def test_the_streams_backend_takes_what_the_lab_s_functions_take(name: str) -> None:
    ours, theirs = parameters(getattr(streams, f"_{name}")), parameters(getattr(DynamoDBStreamsBackend, name))
    assert ours[1:] == theirs[1:], f"DynamoDBStreamsBackend.{name} has other arguments: streams._{name} replaces it"
    assert f"self.backend.{name}(" in inspect.getsource(getattr(DynamoDBStreamsHandler, name))


def test_streams_of_a_table_are_changed_by_one_method() -> None:
    assert parameters(DynamoDBBackend.update_table_streams) == ["self", "table", "stream_specification"]


def test_time_to_live_is_kept_in_the_table_and_asked_of_the_backend() -> None:
    assert parameters(DynamoDBBackend.update_time_to_live) == ["self", "table_name", "ttl_spec"]
    assert parameters(DynamoDBBackend.describe_time_to_live) == ["self", "table_name"]
    for name in ("update_time_to_live", "describe_time_to_live"):
        # The gate's own function may stand before it.
        source = inspect.getsource(inspect.unwrap(getattr(DynamoHandler, name)))
        assert f"backend.{name}(" in source, f"the handler's {name} goes another way: expiry.py"
    assert 'table.ttl["AttributeName"]' in inspect.getsource(DynamoDBBackend.update_time_to_live), (
        "a table keeps the TTL attribute's name elsewhere: writes.py and expiry.py look there"
    )
