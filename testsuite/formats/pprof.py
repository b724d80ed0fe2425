# SPDX-License-Identifier: GPL-3.0-or-later
"""Decodes the format of pprof by its description alone (google/pprof, proto/profile.proto), checks
it, and prints it or compares it with what mlprof says otherwise.

pprof.py dump FILE                      prints all of it
pprof.py top FILE TOP                   `go tool pprof -top' printed the values of the default type
pprof.py total FILE TYPE                their sum
"""

import gzip
import os
import re
import sys

import folded


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def fields(data):
    """{number: [values]}: integers, or bytes."""
    at, result = 0, {}
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            assert key & 7 == 2, f"wire type {key & 7}"
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
            assert len(value) == size, "cut off"
        result.setdefault(key >> 3, []).append(value)
    return result


def packed(data):
    at, result = 0, []
    while at < len(data):
        value, at = varint(data, at)
        result.append(value)
    return result


def one(message, number):
    values = message.get(number, [0])
    assert len(values) == 1, f"field {number} is there twice"
    return values[0]


class Profile:
    def __init__(self, path):
        with gzip.open(path) as file:
            message = fields(file.read())
        self.strings = [text.decode("utf-8") for text in message[6]]
        assert self.strings[0] == ""
        assert len(set(self.strings)) == len(self.strings)
        self.types = [self.type(data) for data in message.get(1, [])]
        assert self.types
        self.default = self.strings[one(message, 14)]
        assert self.default in [name for name, _ in self.types]
        self.time = one(message, 9)
        self.period = self.type(message[11][0]) if 11 in message else None
        self.period_value = one(message, 12)
        self.comment = [self.strings[number] for number in message.get(13, [])]
        self.mappings = self.by_id(message.get(3, []))
        self.functions = self.by_id(message.get(5, []))
        self.locations = self.by_id(message.get(4, []))
        self.samples = [self.sample(fields(data)) for data in message.get(2, [])]
        used = {number for locations, _, _ in self.samples for number in locations}
        assert used == set(self.locations), "a location is of no sample"
        for number in self.locations:
            self.check_location(number)

    def type(self, data):
        message = fields(data)
        return self.strings[one(message, 1)], self.strings[one(message, 2)]

    def by_id(self, messages):
        result = {}
        for data in messages:
            message = fields(data)
            number = one(message, 1)
            assert number and number not in result, f"id {number}"
            result[number] = message
        return result

    def sample(self, message):
        locations, values = packed(one(message, 1)), packed(one(message, 2))
        assert locations and len(values) == len(self.types)
        labels = []
        for data in message.get(3, []):
            label = fields(data)
            labels.append((self.strings[one(label, 1)], self.strings[one(label, 2)]))
        return locations, values, labels

    def check_location(self, number):
        message = self.locations[number]
        address, mapping = one(message, 3), one(message, 2)
        assert mapping == 0 or mapping in self.mappings
        if address:
            of = self.mappings[mapping]
            assert one(of, 2) <= address < one(of, 3), f"{address:x} is not in its mapping"
        for function, _, _ in self.lines(number):
            assert function in self.functions

    def lines(self, location):
        """[(function, line, column)], the innermost first."""
        result = []
        for data in self.locations[location][4]:
            message = fields(data)
            result.append((one(message, 1), one(message, 2), one(message, 3)))
        return result

    def function(self, number, field):
        return self.strings[one(self.functions[number], field)]

    def stacks(self, kind):
        """[(stack of names, outermost first; value)]"""
        index = [name for name, _ in self.types].index(kind)
        result = []
        for locations, values, _ in self.samples:
            names = [
                self.function(function, 2)
                for location in locations
                for function, _, _ in self.lines(location)
            ]
            result.append((names[::-1], values[index]))
        return result

    def total(self, kind):
        return sum(value for _, value in self.stacks(kind))

    def dump(self):
        for name, unit in self.types:
            print("type", name, unit, *(["default"] if name == self.default else []))
        if self.time:
            print("time", self.time)
        if self.period:
            print("period", self.period_value, *self.period)
        print("comment", *self.comment)
        for number, message in self.mappings.items():
            start, limit, offset = (one(message, field) for field in (2, 3, 4))
            print(
                "mapping", number, f"{start:x}-{limit:x} at {offset:x}",
                os.path.basename(self.strings[one(message, 5)]), self.strings[one(message, 6)],
                *(one(message, field) for field in (7, 8, 9, 10)),
            )
        for number in self.functions:
            print(
                "function", number, "|".join(self.function(number, field) for field in (2, 3)),
                os.path.basename(self.function(number, 4)), one(self.functions[number], 5),
            )
        for locations, values, labels in self.samples:
            print("sample", *values, *(f"{key}={value}" for key, value in labels))
            for location in locations:
                message = self.locations[location]
                print(f"    {one(message, 2)}:{one(message, 3):x}", end="")
                for function, line, column in self.lines(location):
                    print(f" {self.function(function, 2)}:{line}:{column}", end="")
                print()


def main(what, path, *arguments):
    profile = Profile(path)
    if what == "dump":
        profile.dump()
    elif what == "total":
        print(profile.total(*arguments))
    elif what == "top":
        kind, (file,) = profile.default, arguments
        want = folded.tops(profile.stacks(kind))
        unit = dict(profile.types)[kind]
        got = {}
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                row = re.match(r" *([\d.]+)(\S*) +\S+% +\S+% +([\d.]+)\S* +\S+%  (.*?)( \(inline\)| \(partial-inline\))?$", line)
                if row:
                    scale = {"": 1, "ms": 10**6, "ns": 1, "B": 1}
                    factor = scale["ms"] if unit == "nanoseconds" else 1
                    got[row.group(4)] = tuple(round(float(row.group(i)) * factor) for i in (1, 3))
        folded.compare(got, want, "go tool pprof -top")


if __name__ == "__main__":
    main(*sys.argv[1:])
