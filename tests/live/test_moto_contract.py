"""What the lab relies on inside moto and botocore.

One test for each thing, so that an upgrade fails here first. Its message says what changed and who relies on it.
"""

from __future__ import annotations

import inspect
from typing import Any

import boto3
import botocore.endpoint
import botocore.httpsession
import botocore.retries.bucket
import botocore.retries.standard
import botocore.retryhandler
import moto
import moto.core.responses
import moto.core.utils
import pytest
from moto.core.base_backend import BackendDict
from moto.core.botocore_stubber import BotocoreStubber
from moto.dynamodb import comparisons, exceptions
from moto.dynamodb.models import DynamoDBBackend, dynamodb_backends
from moto.dynamodb.models.dynamo_type import DynamoType, Item, LimitedSizeDict
from moto.dynamodb.models.table import Table
from moto.dynamodb.responses import DynamoHandler, DynamoResult, ProjectionExpressionParser

from dynamolab.live import gate, pages


def parameters(function: Any) -> list[str]:
    return list(inspect.signature(function).parameters)


def make_table(**more: Any) -> Table:
    settings: dict[str, Any] = {
        "schema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "attr": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        "billing_mode": "PAY_PER_REQUEST",
    }
    return Table("pedidos", account_id="123456789012", region="eu-west-1", **{**settings, **more})


def test_moto_is_the_minor_version_that_the_lab_was_made_with() -> None:
    assert moto.__version__.startswith("5.2."), "moto's minor version changed: read the failures below first"


@pytest.mark.parametrize(
    "name",
    [
        "put_item", "update_item", "delete_item", "get_item", "query", "scan", "batch_write_item", "batch_get_item",
        "transact_write_items", "transact_get_items", "execute_statement", "batch_execute_statement",
        "execute_transaction", "create_table", "update_table", "update_time_to_live",
    ],
)  # fmt: skip
def test_each_operation_is_a_method_of_moto_s_handler_without_arguments(name: str) -> None:
    assert parameters(vars(DynamoHandler)[name]) == ["self"] or hasattr(vars(DynamoHandler)[name], "__wrapped__"), (
        f"DynamoHandler.{name} is called otherwise now: the gate wraps it as handler -> result"
    )


def test_the_parsed_request_is_in_the_handler_s_body() -> None:
    source = inspect.getsource(DynamoHandler.call_action)
    assert "self.body" in source, "DynamoHandler.call_action sets no body any more: the gate reads and changes it"


def test_the_handler_s_results_hold_a_dictionary() -> None:
    result = DynamoResult({"Item": {"pk": DynamoType({"S": "a"})}})
    assert result.result == {"Item": {"pk": {"S": "a"}}}, "DynamoResult.result changed: the gate answers with it"


def test_a_handler_may_answer_with_status_headers_and_text() -> None:
    answer = moto.core.responses.BaseResponse._transform_response({}, (400, {"status": 400}, "{}"))
    assert answer == (400, {"status": 400}, "{}"), "moto takes no (status, headers, body) any more: the gate's answers"


@pytest.mark.parametrize(("method", "substitute"), [("query", pages.query), ("scan", pages.scan)])
def test_table_query_and_scan_take_the_arguments_that_the_pages_take(method: str, substitute: Any) -> None:
    ours = [name for name in parameters(substitute) if name != "reading"]
    theirs = parameters(getattr(Table, method))
    assert ours[1:-1] == theirs[1:-1], f"Table.{method} has other arguments: pages.{method} stands in for it"


def test_the_backend_passes_its_query_on_to_the_table() -> None:
    for name in ("query", "scan"):
        source = inspect.getsource(getattr(DynamoDBBackend, name))
        assert f"table.{name}(" in source, f"Table.{name} is not called any more: pages.{name} stands in its place"


def test_a_transaction_is_run_by_one_method_of_the_backend() -> None:
    assert parameters(DynamoDBBackend.transact_write_items) == ["self", "transact_items"], (
        "DynamoDBBackend.transact_write_items has other arguments: transactions.run stands in for it"
    )


def test_single_writes_of_the_backend_take_what_transactions_give_them() -> None:
    assert parameters(DynamoDBBackend.put_item)[:3] == ["self", "table_name", "item_attrs"]
    assert "overwrite" in parameters(DynamoDBBackend.put_item)
    assert parameters(DynamoDBBackend.delete_item)[:3] == ["self", "table_name", "key"]
    wanted = {"update_expression", "expression_attribute_names", "expression_attribute_values"}
    assert wanted <= set(parameters(DynamoDBBackend.update_item)), "update_item changed: transactions call it"


def test_a_table_s_items_are_dictionaries_by_partition_key_and_sort_key() -> None:
    table = make_table()
    table.put_item({"pk": {"S": "a"}, "sk": {"S": "1"}})
    item = table.items[DynamoType({"S": "a"})][DynamoType({"S": "1"})]
    assert isinstance(item, Item), "Table.items changed: images.stored looks there, and pages read it"
    assert {name: (value.type, value.value) for name, value in item.attrs.items()} == {
        "pk": ("S", "a"), "sk": ("S", "1"),
    }, "Item.attrs or DynamoType changed: images.image reads them"  # fmt: skip


def test_a_table_tells_its_keys_types_indexes_and_capacity() -> None:
    table = make_table(
        attr=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "g")],
        global_indexes=[
            {
                "IndexName": "by-g",
                "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )
    assert (table.hash_key_attr, table.range_key_attr, table.hash_key_type) == ("pk", "sk", "S")
    assert table.billing_mode == "PAY_PER_REQUEST"
    assert isinstance(table.throughput, dict), "Table.throughput changed: live.metrics and live.autoscaling read it"
    assert table.throughput["ReadCapacityUnits"] == 0
    assert table.table_arn.endswith(":table/pedidos")
    (index,) = table.global_indexes
    assert (index.name, index.schema[0]["KeyType"], index.projection["ProjectionType"]) == ("by-g", "HASH", "ALL")
    assert table.indexes == []
    assert index.throughput["ReadCapacityUnits"] == 0, "an index's throughput changed: schema.index_partitions reads it"


def test_a_change_of_global_indexes_replaces_the_list() -> None:
    source = inspect.getsource(DynamoDBBackend.update_table_global_indexes)
    assert "table.global_indexes = " in source, "the list of indexes is changed in place: schema_of keeps what it made"


def test_a_stream_s_records_are_a_list() -> None:
    table = make_table(streams={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
    assert table.stream_shard is not None
    assert table.stream_shard.items == [], "a stream's records are kept elsewhere: items.cut_stream takes them back"


def test_the_errors_that_the_gate_catches_and_raises_are_there() -> None:
    assert exceptions.MockValidationException("why").message == "why"
    reasons = exceptions.TransactionCanceledException([("ConditionalCheckFailed", "why", None), (None, None, None)])
    assert '"CancellationReasons": [{"Code": "ConditionalCheckFailed"' in reasons.description, (
        "TransactionCanceledException tells its reasons otherwise: transactions and counting read them"
    )
    for name in ("ConditionalCheckFailed", "ResourceNotFoundException", "MultipleTransactionsException",
                 "TransactWriteSingleOpException", "InvalidAttributeTypeError", "DynamodbException"):  # fmt: skip
        assert hasattr(exceptions, name), f"moto.dynamodb.exceptions.{name} is gone"


def test_validation_errors_take_their_type_from_the_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exceptions.MockValidationException, "error_type", "changed#ValidationException")
    assert "changed#" in exceptions.MockValidationException("why").description, "the gate changes the type on the wire"


def test_a_condition_is_compiled_into_something_that_judges_an_item() -> None:
    condition = comparisons.get_filter_expression("attribute_not_exists(pk)", {}, {})
    assert condition.expr(Item(DynamoType({"S": "a"}), None, {})) is True, "transactions judge conditions by this"


def test_a_projection_is_compiled_into_paths() -> None:
    parser = ProjectionExpressionParser("#a.b, c", {"#a": "x"})
    assert parser.parse() == [["x", "b"], ["c"]], "TransactGetItems and pages follow these paths"
    assert parser.expr_attr_names_found == ["#a"]


def test_backends_are_found_by_account_and_region() -> None:
    assert isinstance(dynamodb_backends["123456789012"]["eu-west-1"], DynamoDBBackend), "gate.find_table looks there"
    assert isinstance(dynamodb_backends["123456789012"]["eu-west-1"].tables, dict)


def test_moto_keeps_all_its_backends_in_one_list() -> None:
    assert isinstance(BackendDict._instances, list), "a sandbox empties and refills moto's list of backends"


def test_items_may_be_made_without_moto_s_register_and_without_its_size_limit() -> None:
    assert "__setitem__" in vars(LimitedSizeDict), "LimitedSizeDict changed: the lab lifts its limit"
    assert "__new__" in dir(Item), "Item changed: the lab keeps it out of moto's register"


def test_moto_looks_its_methods_up_by_name() -> None:
    assert callable(moto.core.responses.method_names_from_class), "the lab keeps this look-up's answers"


def test_one_function_of_moto_answers_boto3_in_process() -> None:
    assert parameters(BotocoreStubber.process_request)[1:] == ["request"], "the lab and its server stand around it"


def test_moto_reads_the_time_through_its_utils() -> None:
    assert "datetime" in vars(moto.core.utils), "moto.core.utils reads the time otherwise: the lab simulates it there"


def test_botocore_waits_and_draws_jitter_where_the_lab_simulates_it() -> None:
    assert hasattr(botocore.endpoint, "time"), "botocore.endpoint waits otherwise (legacy and standard retries)"
    assert hasattr(botocore.retries.bucket, "time"), "botocore.retries.bucket waits otherwise (adaptive retries)"
    assert hasattr(botocore.retryhandler, "random"), "legacy retries draw their jitter elsewhere"
    assert "random" in parameters(botocore.retries.standard.ExponentialBackoff.__init__)
    bucket = inspect.getsource(botocore.retries.bucket.TokenBucket)
    for name in ("acquire", "_refill", "_current_capacity", "_sleep_amount"):
        assert name in bucket, f"TokenBucket.{name} is gone: the lab waits in its place"


def test_a_client_without_settings_retries_in_standard_mode(running_lab: None) -> None:
    retries = boto3.client("dynamodb").meta.config.retries
    assert retries["mode"] == "standard", (
        "boto3's default retries changed: lessons and drives count the retries of them"
    )


def test_every_request_of_botocore_leaves_through_one_door() -> None:
    assert parameters(botocore.httpsession.URLLib3Session.send)[1:] == ["request"], "the lab shuts that door"


def test_removing_the_gate_leaves_moto_as_it_was() -> None:
    before = {name: vars(DynamoHandler)[name] for name in ("put_item", "query", "execute_statement", "create_table")}
    gate.install()
    assert vars(DynamoHandler)["put_item"] is not before["put_item"]
    gate.remove()
    assert {name: vars(DynamoHandler)[name] for name in before} == before
