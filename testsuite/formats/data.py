#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""data.py SCHEMA JSON CSV TABLE: the JSON keeps to the schema, which knows each field in its order, and the CSV is its
TABLE. Prints the table: each row's values, with blanks between them, without those that tell places."""

import csv
import json
import sys

import jsonschema

schema, data = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
name = sys.argv[4]
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.validate(data, schema)
forms = [schema] + [form for form in schema.get("oneOf", []) if name in form["properties"]]
tables = {key: of["items"] for form in forms for key, of in form["properties"].items() if "items" in of}


def order(of, there):
    """The names of what OF describes: what is required, and what else is THERE."""
    return [key for key in of["properties"] if key in of["required"] or key in there]


def text_of(value):
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


assert list(data) == [key for form in forms for key in order(form, data)], list(data)
for table in tables.keys() & data.keys():
    for row in data[table]:
        assert list(row) == order(tables[table], row), (table, row)
with open(sys.argv[3], encoding="utf-8", newline="") as file:
    text = file.read()
assert text.count("\n") == text.count("\r\n") == text.count("\r")
rows = list(csv.DictReader(text.splitlines(keepends=True), strict=True))
assert len(rows) == len(data[name])
for got, row in zip(rows, data[name]):
    assert list(got) == list(row)
    for key, value in row.items():
        same = got[key] == text_of(value) or isinstance(value, (int, float)) and float(got[key]) == value
        assert same, (key, got, row)
    print(*(value for key, value in row.items() if key not in ("symbol", "file", "line", "place", "text")))
