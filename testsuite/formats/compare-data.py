#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare-data.py SCHEMA JSON CSV TABLE: the JSON keeps to the schema and no field is unknown to it, the
CSV is its TABLE.  Prints the table: each row's values, with blanks between them."""

import csv
import json
import sys

import jsonschema

schema, data = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
name = sys.argv[4]
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.validate(data, schema)
form, = (form for form in schema["oneOf"] if name in form["properties"])


def order(of, there):
    """The names of what OF describes: what is required, and what else is THERE."""
    return [key for key in of["properties"] if key in of["required"] or key in there]


assert list(data) == order(schema, data) + order(form, data), list(data)
rows = list(csv.DictReader(open(sys.argv[3], encoding="utf-8", newline=""), strict=True))
assert len(rows) == len(data[name])
for got, row in zip(rows, data[name]):
    assert list(got) == list(row) == order(form["properties"][name]["items"], row), row
    for key, value in row.items():
        text = got[key]
        assert (text == "" if value is None else text == str(value).lower() if isinstance(value, bool)
                else text == value if isinstance(value, str) else float(text) == value), (key, got, row)
    print(*(value for key, value in row.items() if key not in ("symbol", "file", "line", "place", "text")))
