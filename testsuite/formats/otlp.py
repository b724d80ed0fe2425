# SPDX-License-Identifier: GPL-3.0-or-later
"""Decodes OTLP profiles by the published definition (otlp/README), and checks the rules in its comments.

otlp.py check FILE                          checks all rules
otlp.py dump FILE                           prints all of it
otlp.py functions FILE TYPE JSON OWN STACK  the profiles with the sample type TYPE have the values of the columns
                                            OWN and STACK of mlprof -json (STACK may be -)
otlp.py total FILE TYPE                     their sum
"""

import collections
import gzip
import hashlib
import json
import os
import re
import struct
import sys

import folded

HERE = os.path.join(os.path.dirname(__file__), "otlp")
REQUEST = "ExportProfilesServiceRequest"
FRAMES = "beam cpython dotnet go jvm kernel luajit native perl php ruby rust v8js".split()
LINK = {"trace_id": bytes(16), "span_id": bytes(8)}
VARINTS = "int32", "int64", "uint32", "uint64", "bool"


def definition():
    """{message: {number: (name, type, whether it is a list)}}, and the names of members of a oneof."""
    messages, members = {}, set()
    for folder, _, files in os.walk(HERE):
        for name in files:
            if not name.endswith(".proto"):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = re.sub(r"//.*|rpc .*", "", file.read())
            scopes = []
            for line in re.findall(r"\w+ \w+ *\{|\}|[^;{}]+;", text):
                start = re.match(r"(\w+) (\w+) *\{", line)
                field = re.match(r"\s*(repeated )?([\w.]+) (\w+) *= *(\d+)\s*;", line)
                if start:
                    scopes.append(start.groups())
                    if start[1] == "message":
                        messages[start[2]] = {}
                elif line == "}":
                    scopes.pop()
                elif field and scopes:
                    message = [name for kind, name in scopes if kind == "message"][-1]
                    messages[message][int(field[4])] = field[3], field[2].split(".")[-1], bool(field[1])
                    if scopes[-1][0] == "oneof":
                        members.add((message, field[3]))
    return messages, members


MESSAGES, MEMBERS = definition()


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def default(message, name, kind, many):
    if many:
        return []
    if (message, name) in MEMBERS or kind in MESSAGES:
        return None
    return "" if kind == "string" else b"" if kind == "bytes" else 0


def decode(message, data):
    """{field: value} of all fields of the definition; a field that is not there has its default value."""
    fields = MESSAGES[message]
    result = {name: default(message, name, kind, many) for name, kind, many in fields.values()}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        assert key >> 3 in fields, f"{message} has no field {key >> 3}"
        name, kind, many = fields[key >> 3]
        if key & 7 == 0:
            assert kind in VARINTS and not many, f"{message}.{name} is no varint"
            value, at = varint(data, at)
        elif key & 7 == 1:
            assert kind == "fixed64", f"{message}.{name} is not fixed"
            value, at = struct.unpack("<Q", data[at : at + 8])[0], at + 8
        else:
            assert key & 7 == 2, f"wire type {key & 7}"
            size, at = varint(data, at)
            content, at = data[at : at + size], at + size
            assert len(content) == size, "cut off"
            if kind in VARINTS:
                assert many, f"{message}.{name} is a varint"
                value, inside = [], 0
                while inside < size:
                    number, inside = varint(content, inside)
                    value.append(number)
                assert value, f"{message}.{name} is an empty list"
                result[name] += value
                continue
            value = content.decode("utf-8") if kind == "string" else content if kind == "bytes" else decode(kind, content)
        if many:
            result[name].append(value)
        else:
            assert result[name] in (None, 0, "", b""), f"{message}.{name} is there twice"
            assert value or (message, name) in MEMBERS, f"{message}.{name} is written but is zero"
            result[name] = value
    return result


class Request:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.request = decode(REQUEST, gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        self.groups = self.request["resource_profiles"]
        self.tables = self.request["dictionary"]
        self.strings = self.tables["string_table"]
        self.profiles = [profile for group in self.groups for scope in group["scope_profiles"] for profile in scope["profiles"]]
        self.samples = [sample for profile in self.profiles for sample in profile["samples"]]
        self.numbered, self.numbers = {}, {}

    def item(self, table, index):
        """An item, or None for no item."""
        return self.tables[table + "_table"][index] if index else None

    def value(self, value):
        """A value of an attribute, whatever its type."""
        (field,) = [name for name in value if value[name] is not None]
        assert field != "kvlist_value" and not field.endswith("strindex"), "a value that mlprof does not write"
        return [self.value(one) for one in value[field]["values"]] if field == "array_value" else value[field]

    def attributes(self, message):
        """[(key, value)]"""
        items = [self.item("attribute", index) for index in message["attribute_indices"]]
        return [(self.strings[item["key_strindex"]], self.value(item["value"])) for item in items]

    def type(self, profile, field="sample_type"):
        kind = profile[field]
        return kind and (self.strings[kind["type_strindex"]], self.strings[kind["unit_strindex"]])

    def lines(self, location):
        """[(name, line, column)], the innermost first."""
        location = self.item("location", location)
        return [
            (self.strings[self.item("function", line["function_index"])["name_strindex"]], line["line"], line["column"])
            for line in location["lines"]
        ]

    def stacks(self, kind):
        """[(stack of names, outermost first; value)]"""
        result = []
        for profile in self.profiles:
            if self.type(profile)[0] == kind:
                for sample in profile["samples"]:
                    locations = self.item("stack", sample["stack_index"])["location_indices"]
                    names = [name for location in locations for name, _, _ in self.lines(location)]
                    result.append((names[::-1], sample["values"][0]))
        return result

    def total(self, kind):
        return sum(value for _, value in self.stacks(kind))

    # The rules. The first ones make sure that the others can follow indices.

    def references(self):
        """[(table, index)] of all references."""
        tables, result = self.tables, []
        for profile in self.profiles:
            for kind in (profile["sample_type"], profile["period_type"]):
                if kind:
                    result += [("string", kind["type_strindex"]), ("string", kind["unit_strindex"])]
            result += [("attribute", index) for index in profile["attribute_indices"]]
        for sample in self.samples:
            result += [("stack", sample["stack_index"]), ("link", sample["link_index"])]
            result += [("attribute", index) for index in sample["attribute_indices"]]
        for stack in tables["stack_table"]:
            result += [("location", index) for index in stack["location_indices"]]
        for location in tables["location_table"]:
            result += [("mapping", location["mapping_index"])]
            result += [("function", line["function_index"]) for line in location["lines"]]
            result += [("attribute", index) for index in location["attribute_indices"]]
        for mapping in tables["mapping_table"]:
            result += [("string", mapping["filename_strindex"])]
            result += [("attribute", index) for index in mapping["attribute_indices"]]
        for function in tables["function_table"]:
            result += [("string", function[name + "_strindex"]) for name in ("name", "system_name", "filename")]
        for attribute in tables["attribute_table"]:
            result += [("string", attribute["key_strindex"]), ("string", attribute["unit_strindex"])]
        return result

    def rule_zero(self):
        """The first item of each table is there and is the zero value."""
        for name, items in self.tables.items():
            kind = {field: kind for field, kind, _ in MESSAGES["ProfilesDictionary"].values()}[name]
            zero = "" if kind == "string" else LINK if kind == "Link" else decode(kind, b"")
            assert items and items[0] == zero, f"{name} begins with {items[:1]}"

    def rule_range(self):
        """Indices are in their tables."""
        for table, index in self.references():
            assert index < len(self.tables[table + "_table"]), f"{table} {index} is not there"

    def rule_orphans(self):
        """Each item but the first of a table is referenced."""
        used = {*self.references()}
        for name, items in self.tables.items():
            for index in range(1, len(items)):
                assert (name.removesuffix("_table"), index) in used, f"{name} {index} is an orphan: {items[index]}"

    def whole(self, message):
        """A message as a value to compare, with a number for each item instead of its index: equal items of a table
        have the same number."""
        if isinstance(message, list):
            return tuple(self.whole(one) for one in message)
        if not isinstance(message, dict):
            return message
        result = []
        for name, value in message.items():
            table = re.fullmatch(r"(?:\w+_)?(str|\w+?)_?(?:index|indices)", name)
            if table and value is not None:
                items = ("string" if table[1] == "str" else table[1]) + "_table"
                value = [self.number(items, index) for index in value] if isinstance(value, list) \
                    else self.number(items, value)
            result.append((name, self.whole(value)))
        return tuple(result)

    def number(self, table, index):
        if (table, index) not in self.numbered:
            item = table, self.whole(self.tables[table][index])
            self.numbered[table, index] = self.numbers.setdefault(repr(item), len(self.numbers))
        return self.numbered[table, index]

    def rule_duplicates(self):
        """No table has two equal items, and resources differ."""
        for name, items in [*self.tables.items(), ("resources", [group["resource"] for group in self.groups])]:
            seen = [repr(self.whole(item)) for item in items]
            for item, count in collections.Counter(seen).items():
                assert count == 1, f"{name} has twice {item[:300]}"

    def rule_keys(self):
        """Keys of the attributes of one message differ."""
        lists = [[key for key, _ in self.attributes(message)] for message in
                 [*self.profiles, *self.samples, *self.tables["location_table"], *self.tables["mapping_table"]]]
        lists += [[attribute["key"] for attribute in group["resource"]["attributes"]] for group in self.groups]
        for keys in lists:
            assert len({*keys}) == len(keys) and "" not in keys, keys

    def rule_shape(self):
        """Each sample has one value and no times, as all samples of the file."""
        for sample in self.samples:
            assert len(sample["values"]) == 1 and sample["values"][0], f"values {sample['values']}"
            assert sample["timestamps_unix_nano"] == [], "times"

    def rule_identity(self):
        """Samples of one profile have different stacks or attributes."""
        for profile in self.profiles:
            keys = [(one["stack_index"], frozenset(one["attribute_indices"]), one["link_index"]) for one in profile["samples"]]
            assert len({*keys}) == len(keys), "two samples of one identity"

    def rule_types(self):
        """Each profile has a type with a unit, those of a resource differ, and the first types are equal."""
        for group in self.groups:
            (scope,) = group["scope_profiles"]
            types = [self.type(profile) for profile in scope["profiles"]]
            assert types and all(types), "a resource or a profile without type"
            for kind, unit in types:
                assert kind and unit in ("nanoseconds", "count", "bytes"), (kind, unit)
            assert len({*types}) == len(types), f"{types}: one is there twice"
            assert types[0] == self.type(self.profiles[0]), "another first type"
            for profile in scope["profiles"][1:]:
                assert profile["samples"], "a profile without samples"

    def rule_period(self):
        """The period has a type. What mlprof does not know is not there."""
        for profile in self.profiles:
            assert bool(profile["period"]) == bool(profile["period_type"]), "period"
            for name in ("profile_id", "original_payload", "original_payload_format", "dropped_attributes_count"):
                assert not profile[name], name

    def rule_stacks(self):
        """Samples have frames, stacks have locations, locations have lines with functions, and functions have names."""
        for sample in self.samples:
            assert sample["stack_index"] and self.item("stack", sample["stack_index"])["location_indices"], "no frames"
        for stack in self.tables["stack_table"][1:]:
            assert 0 not in stack["location_indices"], "location 0"
        for location in self.tables["location_table"][1:]:
            assert location["lines"] and all(line["function_index"] for line in location["lines"]), "no lines"
        for function in self.tables["function_table"][1:]:
            assert function["name_strindex"], "no name"

    def rule_mappings(self):
        """Mappings have a build ID, and the hash is that of the file."""
        for mapping in self.tables["mapping_table"][1:]:
            found = {key.rsplit(".", 1)[1]: value for key, value in self.attributes(mapping) if ".build_id." in key}
            assert {*found} & {"gnu", "htlhash"}, "no build ID"
            path = self.strings[mapping["filename_strindex"]]
            if "htlhash" in found:
                with open(path, "rb") as file:
                    data = file.read()
                digest = hashlib.sha256(data[:4096] + data[-4096:] + struct.pack(">Q", len(data))).hexdigest()
                assert found["htlhash"] == digest[:32], f"another hash of {path}"

    def rule_addresses(self):
        """An address is in the mapping of its location."""
        for location in self.tables["location_table"][1:]:
            mapping = self.item("mapping", location["mapping_index"])
            if not mapping:
                assert location["address"] == 0, "an address without a mapping"
            elif location["address"]:
                assert mapping["memory_start"] <= location["address"] < mapping["memory_limit"], f"{location['address']:x}"

    def rule_frames(self):
        """The kind of a frame is a known one, and only frames that are no code have none."""
        for index in range(1, len(self.tables["location_table"])):
            kinds = dict(self.attributes(self.item("location", index)))
            name = self.lines(index)[0][0]
            if kinds:
                assert {*kinds} == {"profile.frame.type"} and kinds["profile.frame.type"] in FRAMES, kinds
            assert kinds or re.fullmatch(r"<\w+>", name), f"{name} has no kind"

    def rule_resource(self):
        """A resource names the service, and says which conventions it follows; the scope is the profiler."""
        for group in self.groups:
            assert "service.name" in [attribute["key"] for attribute in group["resource"]["attributes"]], "no service"
            for one in (group, *group["scope_profiles"]):
                assert re.fullmatch(r"https://opentelemetry\.io/schemas/\d+\.\d+\.\d+", one["schema_url"]), "schema"
            for scope in group["scope_profiles"]:
                assert scope["scope"]["name"] == "ccprof" and scope["scope"]["version"], "scope"

    def check(self):
        assert self.groups, "no resource"
        for name in [name for name in dir(Request) if name.startswith("rule_")]:
            # Indices come first.
            self.rule_range()
            try:
                getattr(self, name)()
            except AssertionError as error:
                raise SystemExit(f"{name}: {getattr(self, name).__doc__} But: {error}") from None

    def dump(self):
        for group in self.groups:
            print("resource", *(f"{one['key']}={self.value(one['value'])}" for one in group["resource"]["attributes"]))
            for profile in group["scope_profiles"][0]["profiles"]:
                period = f" period {profile['period']} {' '.join(self.type(profile, 'period_type'))}" if profile["period"] else ""
                time = f" time {profile['time_unix_nano']}" if profile["time_unix_nano"] else ""
                print(f"profile {' '.join(self.type(profile))}{time} duration {profile['duration_nano']}{period}",
                      *(f"{key}={value}" for key, value in self.attributes(profile)))
                for sample in profile["samples"]:
                    print("sample", *sample["values"], *(f"{key}={value}" for key, value in self.attributes(sample)))
                    for index in self.item("stack", sample["stack_index"])["location_indices"]:
                        location = self.item("location", index)
                        print(f"    {location['mapping_index']}:{location['address']:x}", end="")
                        print(*(f"={value}" for _, value in self.attributes(location)), end="")
                        print("", *("%s:%d:%d" % line for line in self.lines(index)))
        for index, mapping in enumerate(self.tables["mapping_table"][1:], 1):
            print(
                "mapping", index, f"{mapping['memory_start']:x}-{mapping['memory_limit']:x} at {mapping['file_offset']:x}",
                os.path.basename(self.strings[mapping["filename_strindex"]]),
                *(f"{key.rsplit('.', 1)[1]}={value}" for key, value in self.attributes(mapping)),
            )
        for index, function in enumerate(self.tables["function_table"][1:], 1):
            print("function", index, "|".join(self.strings[function[name + "_strindex"]] for name in ("name", "system_name")),
                  os.path.basename(self.strings[function["filename_strindex"]]), function["start_line"])


def main(what, path, *arguments):
    request = Request(path)
    if what == "check":
        request.check()
    elif what == "dump":
        request.dump()
    elif what == "total":
        print(request.total(*arguments))
    elif what == "functions":
        kind, table, *columns = arguments
        columns = [column for column in columns if column != "-"]
        with open(table, encoding="utf-8") as file:
            data = json.load(file)
            rows = data["heap"] if data["heap"] and columns[0] in data["heap"][0] else data["functions"]
        want = {}
        for row in rows:
            # Phases and threads are attributes of samples.
            if row["function"].startswith("["):
                continue
            before = want.get(row["function"], [0] * len(columns))
            want[row["function"]] = [one + (row[column] or 0) for one, column in zip(before, columns)]
        got = {name: list(value[: len(columns)]) for name, value in folded.tops(request.stacks(kind)).items()}
        folded.compare(got, want, kind)


if __name__ == "__main__":
    main(*sys.argv[1:])
