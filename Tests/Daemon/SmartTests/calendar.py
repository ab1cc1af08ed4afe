#!/usr/bin/env python3
"""What a year looks like, told by Python's zoneinfo and babel. It shares no code with stickerd.

    calendar.py YEAR ZONE...

prints a line of JSON for each zone: for local noon and for five minutes past local midnight of every day, for
every 37 minutes of the days around changes of clocks, the texts of each locale; and the instants at which the local
minute, hour and day change around them.
"""

import json
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_time
from babel.numbers import format_decimal

LOCALES = ["en_US", "de_DE", "fr_FR", "ja_JP"]


def texts(local, locale):
    pattern = Locale.parse(locale).time_formats["short"].pattern
    hour = "".join(letter for letter in pattern if letter in "HhKk")
    return {
        "weekday": format_date(local, "EEEE", locale), "weekday.short": format_date(local, "E", locale),
        "day": format_date(local, "d", locale), "month": format_date(local, "LLLL", locale),
        "month.short": format_date(local, "LLL", locale), "month.number": format_date(local, "M", locale),
        "year": format_date(local, "y", locale), "date": format_date(local, "medium", locale),
        "date.long": format_date(local, "long", locale), "date.short": format_date(local, "short", locale),
        "time": format_time(local, "short", tzinfo=local.tzinfo, locale=locale),
        "hour": format_time(local, hour, tzinfo=local.tzinfo, locale=locale),
        "minute": f"{local.minute:02}",
        "period": format_time(local, "a", tzinfo=local.tzinfo, locale=locale) if "h" in hour else "",
        "hour.angle": (local.hour * 60 + local.minute // 5 * 5) * 0.5 % 360,
        "minute.angle": local.minute // 5 * 5 * 6 % 360,
    }


def next_change(start, zone, key):
    """The first whole minute after start whose key differs, tried one by one."""
    before = key(start.astimezone(zone))
    instant = start
    for _ in range(26 * 60):
        instant += timedelta(minutes=1)
        if key(instant.astimezone(zone)) != before:
            return int(instant.timestamp())
    raise ValueError(f"nothing changes after {start}")


def instants(year, zone):
    start = datetime(year, 1, 1, tzinfo=timezone.utc)
    end = datetime(year + 1, 1, 1, tzinfo=timezone.utc)
    day = start
    while day < end:
        yield day.replace(hour=11, minute=59), False
        yield day.replace(hour=22, minute=5), False
        offsets = {(day + timedelta(hours=hour)).astimezone(zone).utcoffset() for hour in range(-24, 48)}
        if len(offsets) > 1:
            for minute in range(0, 24 * 60, 37):
                yield day + timedelta(minutes=minute), True
        day += timedelta(days=1)


def main():
    year = int(sys.argv[1])
    for name in sys.argv[2:]:
        zone = ZoneInfo(name)
        for instant, is_near in instants(year, zone):
            local = instant.astimezone(zone)
            entry = {
                "zone": name, "instant": int(instant.timestamp()),
                "texts": {locale: texts(local, locale) for locale in LOCALES},
                "day": next_change(instant, zone, lambda local: local.date()) if is_near or instant.day % 9 == 0 else None,
            }
            if is_near:
                entry["hour"] = next_change(instant, zone, lambda local: (local.date(), local.hour))
                entry["interval"] = next_change(
                    instant, zone, lambda local: (local.date(), local.hour, local.minute // 5))
            print(json.dumps(entry))


main()
