"""When a scheduled action falls due: ``at``, ``rate`` and ``cron`` in a time zone.

Source: "Schedule recurring scaling actions using cron expressions", Application Auto Scaling.
"""

from __future__ import annotations

import datetime as dt
import re
import zoneinfo
from typing import Any

from moto.applicationautoscaling.exceptions import AWSValidationException

from ..model.meters import MICROSECONDS

_CRON_FIELDS = ((0, 59), (0, 23), (1, 31), (1, 12), (1, 7), (1970, 2199))
_NAMES = {
    name: number
    for names in ("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC", "SUN MON TUE WED THU FRI SAT")
    for number, name in enumerate(names.split(), 1)
}
_RATES = {"minute": 60, "hour": 3_600, "day": 86_400}


def next_time(schedule: str, timezone: str | None, after: int, start: int | None = None) -> int | None:
    """Return when a schedule next falls after ``after``, not before ``start`` (microseconds); None if it never does.

    ``at(2026-09-06T18:00:00)``, ``rate(1 day)`` or ``cron(0 8 * * ? *)``: minutes, hours, day of month, month, day of
    week (1 is Sunday), year, with ``* ? , - /`` and names. Raises moto's ValidationException for anything else.
    """
    try:
        # UTC needs no database of time zones, which a machine may lack.
        zone = dt.UTC if timezone in (None, "", "UTC") else zoneinfo.ZoneInfo(str(timezone))
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        raise AWSValidationException(f"The timezone {timezone} is not supported.") from None
    found = re.fullmatch(r"(at|rate|cron)\((.+)\)", schedule.strip())
    kind, text = found.groups() if found else ("", "")
    try:
        if kind == "at":
            when = in_microseconds(dt.datetime.fromisoformat(text).replace(tzinfo=zone))
            return when if when is not None and when > after else None
        if kind == "rate":
            number, unit = text.split()
            step = int(number) * _RATES[unit.removesuffix("s")] * MICROSECONDS
            if step <= 0:
                raise ValueError(schedule)
            first = after if start is None else start
            return first if first > after else first + ((after - first) // step + 1) * step
        if kind == "cron":
            return _next_cron(text, zone, max(after, (start or 0) - 1))
    except (ValueError, KeyError):
        pass
    raise AWSValidationException(
        f"Schedule expression {schedule} not valid: the lab reads at(yyyy-mm-ddThh:mm:ss), rate(n minutes) and "
        "cron(minutes hours day-of-month month day-of-week year)."
    )


def _next_cron(text: str, zone: dt.tzinfo, after: int) -> int | None:
    minutes, hours, days, months, weekdays, years = (
        _cron_field(part, *limits) for part, limits in zip(text.split(), _CRON_FIELDS, strict=True)
    )
    day = (dt.datetime.fromtimestamp(after // MICROSECONDS, dt.UTC).astimezone(zone)).date()
    while day.year <= max(years):
        # Python's Monday is 0, the schedule's Sunday is 1.
        if day.year in years and day.month in months and day.day in days and (day.weekday() + 1) % 7 + 1 in weekdays:
            for hour in sorted(hours):
                for minute in sorted(minutes):
                    when = in_microseconds(dt.datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone)) or 0
                    if when > after:
                        return when
        day += dt.timedelta(days=1)
    return None


def _cron_field(text: str, least: int, most: int) -> set[int]:
    found: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        low = least if first in ("*", "?") else _cron_number(first)
        high = _cron_number(last) if last else (most if step or first in ("*", "?") else low)
        if not least <= low <= high <= most:
            raise ValueError(text)
        found |= set(range(low, high + 1, int(step) if step else 1))
    return found


def _cron_number(text: str) -> int:
    return _NAMES[text.upper()] if text.upper() in _NAMES else int(text)


def in_microseconds(when: Any) -> int | None:
    """Return the microseconds since 1970 of a time as a request gives it: a datetime, or seconds; None for none."""
    if when is None or when == "":
        return None
    if isinstance(when, dt.datetime):
        return round(when.replace(tzinfo=when.tzinfo or dt.UTC).timestamp()) * MICROSECONDS
    return round(float(when) * MICROSECONDS)
