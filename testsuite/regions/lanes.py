# SPDX-License-Identifier: GPL-3.0-or-later
"""lanes.py SEED CALLS OUT BUILD-ID PROGRAM: writes a data file of regions with about so many calls of three
threads, one of them without a name, and of unknown ones, each call told by itself (mlmon.out(5), event):
inside each other, some inside of themselves, one in a signal handler that ran as the call around it
ended, and one that overlaps another one. Of what is inside of a call its path's line has nothing: calls.py does."""

import random
import sys

from buckets import write_path

HZ = 2500000000
LEAST = 400
NAMES = ["frame", "parse", "layout a line", "recurse", "paint", "hand\\\\ler", "wait"]


def inside(around, region):
    """The path, as a tuple of regions; of a region that is open already the one that ended with it."""
    return around[:around.index(region) + 1] if region in around else around + (region,)


def nest(calls, thread, around, at, length, depth):
    """A call that takes LENGTH at the time AT, with others in it."""
    path = inside(around, min(depth, 3))
    calls.append((thread, path, at, length))
    part = at + 60
    while depth < 6:
        each = int(length * random.uniform(0.02, 0.4))
        if each < 120 or part + each + 80 > at + length:
            break
        nest(calls, thread, path, part, each, depth + 1)
        part += each + 80


def make(seed, most, name, build_id, program):
    random.seed(seed)
    calls, at = [], {1: 1000, 2: 300000, 7: 500000}
    while len(calls) < most:
        thread = min(at, key=at.get)
        length = int(random.lognormvariate(12, 1)) + 500
        nest(calls, thread, (), at[thread], length, 0)
        at[thread] += length + random.randrange(200, 400000)
    end = max(at.values())
    # Of unknown threads: two at once; nothing else is known of them.
    calls += [(0, (6,), start, end // 15) for start in range(0, end, end // 20)]
    # As paint ends, its end being read already, a signal comes; and one that overlaps.
    calls += [(1, (4,), end, 100000), (1, (4, 5), end + 100004, 3000),
              (1, (4,), end + 200000, 100000), (1, (4, 5), end + 299000, 3000)]
    paths = sorted({path for _, path, _, _ in calls})
    with open(name, "w", encoding="utf-8") as out:
        out.write("ccprof mlmon 4\nkind region\ncpu 5\nwall %d\nthreads 3\nwaits 0\n" % ((end + 400000) * 10**9 // HZ))
        out.write("module 0 %s 0x0 %s\nthread 1 prog\nthread 2 worker\n" % (build_id, program))
        out.write("regions tsc %d 50000 120000\n" % HZ)
        for i, region in enumerate(NAMES):
            out.write("region %d - 0x0 %s\n" % (i, region))
        for path in paths:
            times = [call[3] for call in sorted(calls, key=lambda call: call[2]) if call[1] == path]
            around = paths.index(path[:-1]) if path[:-1] else "-"
            write_path(out, around, path[-1], times, sum(times))
        out.write("events %d\n" % LEAST)
        events = [(thread, paths.index(path), start, length)
                  for thread, path, start, length in calls if length >= LEAST]
        random.shuffle(events)
        for event in events:
            out.write("event %d %d %d %d\n" % event)
        out.write("end\n")


make(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
