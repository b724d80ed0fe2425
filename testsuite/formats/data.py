#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""data.py SCHEMA JSON CSV TABLE [FOLDED]: the JSON keeps to the schema and no field is unknown to it,
the CSV is its TABLE, and the functions' samples are those of the folded stacks."""

import collections
import csv
import json
import sys

import jsonschema

schema, data = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.validate(data, schema)
assert list(data) == list(schema["properties"]), list(data)
for name, table in data.items():
    if isinstance(table, list):
        for row in table:
            assert list(row) == schema["properties"][name]["items"]["required"], (name, row)

text = open(sys.argv[3], encoding="utf-8", newline="").read()
assert text.count("\r\n") and not text.replace("\r\n", "").count("\r")
rows = list(csv.DictReader(text.splitlines(keepends=True), strict=True))
want = [{key: "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
         for key, value in row.items()} for row in data[sys.argv[4]]]
if len(rows) != len(want):
    sys.exit(f"{len(rows)} rows of CSV, {len(want)} of JSON")
for got, one in zip(rows, want):
    for key, value in one.items():
        same = got[key] == value or ("." in value or "e" in value) and float(got[key]) == float(value)
        assert same, (key, got, one)
assert want, "nothing was compared"

if len(sys.argv) > 5:
    own, stack, total = collections.Counter(), collections.Counter(), 0
    for line in open(sys.argv[5], encoding="utf-8"):
        path, count = line.rsplit(" ", 1)
        own[path.split(";")[-1]] += int(count)
        total += int(count)
        for name in set(path.split(";")):
            stack[name] += int(count)
    assert total == data["run"]["total"]
    for row in data["functions"]:
        name = row["function"]
        assert row["samples"] == own[name] and row["stack_samples"] == stack[name], row
        assert row["share_least"] <= row["share"] <= row["share_most"], row
        assert row["time_ns"] == row["samples"] * 1000000000 // data["run"]["rate_hz"], row
    assert sum(row["samples"] for row in data["functions"]) == total
    assert sum(row["samples"] for row in data["lines"]) == total
print(len(rows), "rows of", sys.argv[4])
