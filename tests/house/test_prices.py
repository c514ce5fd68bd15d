"""The numbers of the tables in data/, entered a second time: the bills and the lessons rest on them."""

from __future__ import annotations

import pytest

from dynamolab import data

PRICES = {
    "us-east-1": "0.625 0.125 0.00065 0.00013 0.25 0.20 0.10 0.78125 0.15625 0.02 0.10 0.15 0.10 "
    "150 0.0128 180 0.0081 30 0.0025 36 0.0016",
    "eu-west-1": "0.705 0.1415 0.000735 0.000147 0.283 169.5 0.0145 203.4 0.0092 33.9 0.0029 40.68 0.0018",
    "us-east-1 before November 2024": "1.25 0.25 0.00065 0.00013",
    "as given in exercise 21": "0.7452 0.1491 0.00065 0.00013",
}
"""Every price a second time, in the order of the table: a slip of the hand in one of the two is seen."""


def test_a_price_stands_in_the_table_as_it_was_read() -> None:
    found: dict[str, list[str]] = {}
    for row in data.table("prices"):
        found.setdefault(row["region"], []).append(row["usd"])
    assert {region: " ".join(usd) for region, usd in found.items()} == PRICES


def test_standard_ia_costs_what_the_documentation_says_beside_standard() -> None:
    """AWS, "DynamoDB table classes": 60 % less for storage; requests about 25 % more."""
    usd = data.prices("us-east-1").usd
    assert usd("ia_storage_gb_month") == pytest.approx(0.4 * usd("storage_gb_month"))
    for side in ("write", "read"):
        assert usd(f"ia_{side}_request_million") == pytest.approx(1.25 * usd(f"{side}_request_million"))


def test_the_quantities_of_the_two_invoices_and_of_the_mix_stand_as_they_were_given() -> None:
    assert [(row["per_order"], row["bytes"]) for row in data.table("operation_mix")] == [
        ("2.56", "3072"),
        ("28.44", "3072"),
        ("1", "3072"),
        ("33.6", "900"),
        ("100.8", "900"),
        ("33.6", "7168"),
        ("100.8", "900"),
        ("80", "3072"),
        ("4.56", "3072"),
    ]
    parts = data.table("rds_against_dynamodb")
    assert [(row["quantity"], row["usd_per_unit"]) for row in parts if row["quantity"]] == [
        ("78", "0.254"),
        ("78", "0.127"),
        ("220.7", "0.095"),
        ("255.5", "0.078"),
        ("8", ""),
    ]
