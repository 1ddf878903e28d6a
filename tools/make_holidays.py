#!/usr/bin/env python3
"""Writes pulsecast/calendar/holiday_table.cpp: public holidays of countries, as the Python package
`holidays` has them.

    python3 -m venv .holidays && .holidays/bin/pip install holidays
    .holidays/bin/python tools/make_holidays.py

A holiday is a day off in the whole country (the package's category `public`, days in lieu included,
no provinces). Dates to come that follow the moon or a yearly decree are the package's estimates.
"""

import datetime
import pathlib
import warnings

import holidays

FIRST, LAST = 2000, 2040
COUNTRIES = (
    "AR AT AU BE BR CA CH CL CN CO CZ DE DK ES FI FR GB GR HU ID IE IL IN IT JP KR MX NL NO NZ PL PT RO "
    "RU SE SG TR TW US VN ZA"
).split()
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
LONG = 36 * 36 - 1  # "zz"
WIDTH = 192

HEAD = """// Made by tools/make_holidays.py from the Python package holidays {version} on {day}.
//
// The package is Copyright (c) Vacanza Team and individual contributors, dr-prodigy and ryanss, and
// under the MIT license; what is taken from it are dates.
#include "pulsecast/calendar/holiday_table.h"

namespace pulsecast {{
namespace {{

// clang-format off
constexpr HolidayList kHolidayLists[] = {{
"""

TAIL = """};
// clang-format on

}  // namespace

std::span<const HolidayList> holiday_lists() { return kHolidayLists; }

}  // namespace pulsecast
"""


def steps(country):
    """Days from each holiday to the next, the first from the day before FIRST-01-01, in base 36.

    "zz" passes that many days without a holiday at their end: some countries are known from a later year on.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that later years are estimates
        days = sorted(holidays.country_holidays(country, years=range(FIRST, LAST + 1)))
    before = datetime.date(FIRST - 1, 12, 31)
    text = ""
    for day in days:
        if not FIRST <= day.year <= LAST:
            continue
        count = (day - before).days
        while count >= LONG:
            text += "zz"
            count -= LONG
        text += DIGITS[count // 36] + DIGITS[count % 36]
        before = day
    return text


def main():
    out = HEAD.format(version=holidays.__version__, day=datetime.date.today().isoformat())
    for country in COUNTRIES:
        text = steps(country)
        lines = [text[i : i + WIDTH] for i in range(0, len(text), WIDTH)]
        out += f'    {{"{country}",\n' + "\n".join(f'     "{line}"' for line in lines) + "},\n"
    target = pathlib.Path(__file__).parent.parent / "pulsecast/calendar/holiday_table.cpp"
    target.write_text(out + TAIL)


if __name__ == "__main__":
    main()
