# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks what mlprof -firefox has written, against folded stacks.

firefox.py file FILE THREAD SCALE FOLDED    the tables, read by the description of version 66: the weights times
                                            SCALE are the counts
firefox.py functions JSON SCALE FOLDED      what the profiler's own code made of them (profiler-cli thread functions
                                            --json)
"""

import json
import sys

import folded


def columns(table):
    """The lines of a table; each column is as long as it says."""
    names = [name for name in table if isinstance(table[name], list)]
    for name in names:
        assert len(table[name]) == table["length"], name
    return [{name: table[name][i] for name in names} for i in range(table["length"])]


def stacks(data, name):
    (thread,) = [thread for thread in data["threads"] if thread["name"] == name]
    return stacks_of(data, thread)


def stacks_of(data, thread):
    shared = data["shared"]
    strings = shared["stringArray"]
    frames, funcs, symbols = (columns(shared[table]) for table in ("frameTable", "funcTable", "nativeSymbols"))
    sources, resources = columns(shared["sources"]), columns(shared["resourceTable"])
    for func in funcs:
        assert func["resource"] == -1 or resources[func["resource"]]["lib"] < len(data["libs"])
        assert func["source"] is None or sources[func["source"]]["filename"] < len(strings)
    categories = [category["name"] for category in data["meta"]["categories"]]
    for frame in frames:
        assert categories[frame["category"]] != "Inlined function" or frame["inlineDepth"] > 0
    lines = columns(shared["stackTable"])
    paths = []
    for number, line in enumerate(lines):
        frame, around = frames[line["frame"]], line["prefixOffset"]
        assert 0 <= around <= number
        path = paths[number - around] if around else []
        if frame["inlineDepth"]:
            # What is inlined is at the address of what is around it, and in the same compiled function.
            outer = frames[lines[number - around]["frame"]]
            assert outer["inlineDepth"] == frame["inlineDepth"] - 1
            assert outer["address"] == frame["address"] and outer["nativeSymbol"] == frame["nativeSymbol"]
        if frame["nativeSymbol"] is not None:
            symbol = symbols[frame["nativeSymbol"]]
            assert symbol["address"] <= frame["address"] < symbol["address"] + symbol["functionSize"]
        paths.append(path + [strings[funcs[frame["func"]]["name"]]])
    samples = columns(thread["samples"])
    times = thread["samples"]["time"]
    assert times == sorted(times)
    return [(paths[sample["stack"]], sample["weight"]) for sample in samples]


def scaled(weights, scale):
    return [(stack, round(weight * float(scale))) for stack, weight in weights]


def merged(weights):
    result = {}
    for stack, weight in weights:
        result[tuple(stack)] = result.get(tuple(stack), 0) + weight
    return result


def file(path, thread, scale, want):
    with open(path, encoding="utf-8") as text:
        data = json.load(text)
    assert data["meta"]["preprocessedProfileVersion"] == 66
    got, want = merged(scaled(stacks(data, thread), scale)), merged(folded.read(want))
    assert want and got == want, f"{got}, not {want}"


def functions(path, scale, want):
    with open(path, encoding="utf-8") as text:
        data = json.load(text)
    got = {}
    # A function with code of several files is one for each: their own time adds up.
    for function in data["functions"]:
        own = got.get(function["name"], (0,))[0]
        got[function["name"]] = (own + round(function["selfSamples"] * float(scale)),)
    folded.compare(got, folded.own(folded.read(want)), "functions")


if __name__ == "__main__":
    {"file": file, "functions": functions}[sys.argv[1]](*sys.argv[2:])
