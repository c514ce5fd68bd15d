"""What the judges of exercise 11 rest on."""

from dynamolab.checks import indexes
from dynamolab.live import sandbox


def test_the_units_of_an_orders_life_are_those_that_the_lab_charges():
    with sandbox(3):
        assert indexes.life() == indexes.LIFE_UNITS
