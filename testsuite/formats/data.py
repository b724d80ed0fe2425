#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""data.py SCHEMA FOLDED TABLE...: each TABLE.json keeps to the schema and no field is unknown to it, its functions'
samples are those of the folded stacks (`-': these are not looked at), and TABLE.csv is its TABLE."""

import collections
import csv
import json
import sys

import jsonschema

import folded


def check_table(name, table):
    with open(name + ".csv", encoding="utf-8", newline="") as file:
        text = file.read()
    assert text.count("\r\n") and not text.replace("\r\n", "").count("\r")
    rows = list(csv.DictReader(text.splitlines(keepends=True), strict=True))
    want = [{key: "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
             for key, value in row.items()} for row in table]
    if len(rows) != len(want):
        sys.exit(f"{len(rows)} rows of CSV, {len(want)} of JSON")
    for got, one in zip(rows, want):
        for key, value in one.items():
            same = got[key] == value or ("." in value or "e" in value) and float(got[key]) == float(value)
            assert same, (key, got, one)
    assert want, "nothing was compared"
    print(len(rows), "rows of", name)


def check_samples(data, stacks):
    tops, total = collections.defaultdict(lambda: (0, 0), folded.tops(stacks)), sum(count for _, count in stacks)
    assert total == data["run"]["total"]
    for row in data["functions"]:
        assert (row["samples"], row["stack_samples"]) == tops[row["function"]], row
        assert row["share_least"] <= row["share"] <= row["share_most"], row
        assert row["time_ns"] == row["samples"] * 1000000000 // data["run"]["rate_hz"], row
    assert sum(row["samples"] for row in data["functions"]) == total
    assert sum(row["samples"] for row in data["lines"]) == total


def check(text, stacks):
    data = json.loads(text)
    jsonschema.validate(data, schema)
    assert list(data) == list(schema["properties"]), list(data)
    for name, table in data.items():
        for row in table if isinstance(table, list) else []:
            assert list(row) == schema["properties"][name]["items"]["required"], (name, row)
    if stacks != "-":
        check_samples(data, folded.read(stacks))
    return data


with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
# Options that choose the CSV's table leave most of the JSON as it is: each text is looked at once.
known = {}
for table_name in sys.argv[3:]:
    with open(table_name + ".json", encoding="utf-8") as file:
        text = file.read()
    if text not in known:
        known[text] = check(text, sys.argv[2])
    check_table(table_name, known[text][table_name])
