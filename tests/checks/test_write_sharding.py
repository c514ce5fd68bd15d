"""Exercise 05 beyond its answers: what its words tell, and how near its bounds are."""

import pytest

from checks import answers_write_sharding as answers
from dynamolab import checks
from dynamolab.checks import write_sharding


def test_the_reader_of_a_refused_query_is_judged_by_what_it_says_not_by_how():
    loud = checks.check("write_sharding.c", answers.page_by_page)
    patient = checks.check("write_sharding.c", answers.asks_again_when_refused)
    assert "the exception reached the caller" in repr(loud).replace("\n", " ")
    assert "it asked again and lost nothing" in repr(patient).replace("\n", " ")


def test_units_told_for_one_order_are_those_of_the_documented_read_of_an_eventual_kilobyte():
    # Developer Guide, "Read and write operations": an eventually consistent read of up to 4 KB is half a unit.
    assert "0.5 read units each" in repr(checks.check("write_sharding.e", (answers.crc32, answers.get_item)))


def test_the_documented_formula_sends_every_uuid_to_one_suffix():
    # Developer Guide, "Using write sharding to distribute workloads evenly": product of code points modulo 200.
    assert write_sharding._product_spread(200) == (200.0, 1)


def test_exactly_the_primes_repair_the_product_formula_and_none_is_a_close_call():
    for modulus in range(write_sharding.LOWEST, write_sharding.HIGHEST + 1):
        is_prime = all(modulus % divisor for divisor in range(2, modulus))
        fullest, _ = write_sharding._product_spread(modulus)
        assert fullest < 1.5 if is_prime else fullest > 2.3, modulus


@pytest.mark.parametrize("n", range(65, write_sharding.MOST_QUERIES + 1, 37))
def test_any_number_of_suffixes_in_the_range_that_is_told_at_the_end_passes(n):
    assert checks.check("write_sharding.b", n).outcome == "right"
