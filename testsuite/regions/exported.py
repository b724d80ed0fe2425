# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the calls of regions in what mlprof has exported are those of the data file, which is read here.

exported.py firefox DATA JSON THREAD...          markers of these threads
exported.py json DATA JSON                       the table of mlprof -json
exported.py cli DATA JSON                        profiler-cli thread markers --json, of the thread 1"""

import json
import sys

import mlmon

OF_REGIONS = 2 * (2**32 - 1)


class Data:
    def __init__(self, path):
        lines = mlmon.of_program(path)
        hz = next(int(words[2]) for words in lines if words[0] == "regions")
        names = [" ".join(words[4:]).replace("\\\\", "\\") for words in lines if words[0] == "region"]
        self.threads = {words[1]: " ".join(words[2:]) for words in lines if words[0] == "thread"}
        paths, self.calls, self.width, self.rate, on = [], {}, 0, 0, []
        self.samples = {}
        for words in lines:
            if words[0] == "path":
                paths.append((paths[int(words[1])] if words[1] != "-" else []) + [names[int(words[2])]])
            elif words[0] in ("times", "rate"):
                setattr(self, "width" if words[0] == "times" else "rate", int(words[1]))
            elif words[0].isdigit() and len(words) == 4 and words[1] in ("thread", "time"):
                on = int(words[2], 16) if words[1] == "thread" else on
                if words[1] == "time":
                    key = on, int(words[2], 16)
                    self.samples[key] = self.samples.get(key, 0) + int(words[3])
            elif words[0] == "event":
                start, end = ((t * 10**9 + hz // 2) // hz for t in (int(words[3]), int(words[3]) + int(words[4])))
                self.calls.setdefault(words[1], []).append((tuple(paths[int(words[2])]), start, end))

    def name(self, thread):
        if thread == "0":
            return "other threads"
        return "thread " + thread + (" " + self.threads[thread] if thread in self.threads else "")


def columns(table):
    names = [name for name in table if isinstance(table[name], list)]
    assert all(len(table[name]) == table["length"] for name in names), names
    return [{name: table[name][i] for name in names} for i in range(table["length"])]


def firefox(data, path, *threads):
    with open(path, encoding="utf-8") as file:
        made = json.load(file)
    (schema,) = made["meta"]["markerSchema"]
    formats = {field["key"]: field["format"] for field in schema["fields"]}
    assert schema["name"] == "Region" and formats == {"path": "unique-string", "length": "duration"}, schema
    strings, found = made["shared"]["stringArray"], []
    tids = [thread["tid"] for thread in made["threads"]]
    assert len(set(tids)) == len(tids), tids
    for thread in made["threads"]:
        samples = thread["samples"]
        assert samples["time"] == sorted(samples["time"]) and len(samples["time"]) == samples["length"]
        if data.width and thread["tid"] < OF_REGIONS:
            # Samples are placed in their buckets of time.
            got = {}
            for sample in columns(samples):
                bucket = int(sample["time"] * 1e6 / data.width)
                got[bucket] = got.get(bucket, 0) + sample["weight"] * data.rate / 1000
            want = {bucket: count for (on, bucket), count in data.samples.items() if on == thread["tid"]}
            assert {bucket: round(count) for bucket, count in got.items()} == want, (thread["name"], got, want)
        markers = columns(thread["markers"])
        if not markers:
            continue
        found.append(thread["name"])
        got = []
        for marker in markers:
            assert marker["phase"] == 1 and marker["category"] == 0 and marker["data"]["type"] == "Region"
            name = strings[marker["name"]]
            got.append((strings[marker["data"]["path"]], round(marker["startTime"] * 1e6), round(marker["endTime"] * 1e6)))
            assert got[-1][0].split(" > ")[-1] == name
        assert [call[1] for call in got] == sorted(call[1] for call in got)
        alone = thread["tid"] >= OF_REGIONS
        number = str(thread["tid"] - alone * OF_REGIONS)
        assert thread["name"] == ("regions of " + data.name(number) if alone else data.threads[number]), thread["name"]
        assert sorted(got) == sorted((" > ".join(call), start, end) for call, start, end in data.calls[number]), number
    assert sorted(found) == sorted(threads), found


def table(data, path):
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)["region_events"]
    got = sorted((row["thread"], row["path"], row["start_ns"], row["measured_ns"]) for row in rows)
    want = sorted((data.name(thread), " > ".join(call), start, end - start) for thread in data.calls for call, start, end in data.calls[thread])
    assert got == want
    for row in rows:
        assert row["path"].split(" > ")[-1] == row["region"] and 0 <= row["length_ns"] < row["measured_ns"] + 1, row


def cli(data, path):
    """All markers of a thread, as the profiler's own code has read them."""
    with open(path, encoding="utf-8") as file:
        made = json.load(file)
    lengths = {}
    for call, start, end in data.calls["1"]:
        lengths.setdefault(call[-1], []).append(end - start)
    got = {of["markerName"]: (of["count"], *(round(1e6 * of["durationStats"][word]) for word in ("min", "max")))
           for of in made["byType"]}
    want = {name: (len(list), min(list), max(list)) for name, list in lengths.items()}
    assert got == want, (got, want)


{"firefox": firefox, "cli": cli, "json": table}[sys.argv[1]](Data(sys.argv[2]), *sys.argv[3:])
