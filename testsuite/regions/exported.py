# SPDX-License-Identifier: GPL-3.0-or-later
"""exported.py DATA JSON: whether the calls of regions in the table of mlprof -json are those of the data file, which is
read here."""

import json
import sys

import mlmon


class Data:
    def __init__(self, path):
        lines = mlmon.of_program(path)
        hz = next(int(words[2]) for words in lines if words[0] == "regions")
        names = [" ".join(words[4:]).replace("\\\\", "\\") for words in lines if words[0] == "region"]
        self.threads = {words[1]: " ".join(words[2:]) for words in lines if words[0] == "thread"}
        paths, self.calls = [], {}
        for words in lines:
            if words[0] == "path":
                paths.append((paths[int(words[1])] if words[1] != "-" else []) + [names[int(words[2])]])
            elif words[0] == "event":
                start, end = ((t * 10**9 + hz // 2) // hz for t in (int(words[3]), int(words[3]) + int(words[4])))
                self.calls.setdefault(words[1], []).append((tuple(paths[int(words[2])]), start, end))

    def name(self, thread):
        if thread == "0":
            return "other threads"
        return "thread " + thread + (" " + self.threads[thread] if thread in self.threads else "")


def table(data, path):
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)["region_events"]
    got = sorted((row["thread"], row["path"], row["start_ns"], row["measured_ns"]) for row in rows)
    want = sorted((data.name(thread), " > ".join(call), start, end - start) for thread in data.calls for call, start, end in data.calls[thread])
    assert got == want
    for row in rows:
        assert row["path"].split(" > ")[-1] == row["region"] and 0 <= row["length_ns"] < row["measured_ns"] + 1, row


table(Data(sys.argv[1]), sys.argv[2])
