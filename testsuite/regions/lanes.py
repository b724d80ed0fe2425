# SPDX-License-Identifier: GPL-3.0-or-later
"""lanes.py SEED CALLS OUT BUILD-ID PROGRAM: writes a data file of regions with about so many calls of three
threads, one of them without a name, and of unknown ones, each call told by itself (mlmon.out(5), event):
inside each other, some inside of themselves, one in a signal handler that ran as the call around it
ended, and one that overlaps another one."""

import random
import sys

HZ = 2500000000
LEAST = 400
INNER, OUTER = 50, 120
NAMES = ["frame", "parse", "layout a line", "recurse", "paint", "hand\\\\ler", "wait"]


class Run:
    def __init__(self):
        self.paths, self.calls, self.events = {}, [], []

    def path(self, around, region):
        """A region that is open already: the path that ended with it."""
        chain = self.chain(around)
        for at in chain:
            if self.key(at)[1] == region:
                return at
        return self.paths.setdefault((around, region), len(self.paths))

    def key(self, path):
        return list(self.paths)[path]

    def chain(self, path):
        chain = []
        while path is not None:
            chain.append(path)
            path = self.key(path)[0]
        return chain

    def call(self, thread, around, region, start, length, inside=0, count=0, direct=0, nested=False):
        path = self.path(around, region)
        self.calls.append((thread, path, start, length, length - inside, direct, count, nested))
        if length >= LEAST:
            self.events.append((thread, path, start, length))


def nest(run, thread, around, at, depth, length, recursing=0):
    """A call that takes LENGTH at the time AT, with others in it. Returns how many there are."""
    region = [0, 1, 2, 3][depth] if not recursing else 3
    path = run.path(around, region)
    count, time, direct = 0, 0, 0
    part = at + 60
    while depth < 3 or recursing < 3:
        each = int(length * random.uniform(0.02, 0.4))
        if each < 120 or part + each + 80 > at + length:
            break
        count += 1 + nest(run, thread, path, part, min(3, depth + 1), each, recursing + (depth >= 2))
        direct += 1
        time += each
        part += each + 80
    open_already = region in [run.key(p)[1] for p in run.chain(around)]
    run.call(thread, around, region, at, length, time, count, direct, open_already)
    return count


def bucket_of(ticks):
    if ticks < 16:
        return ticks
    n = ticks.bit_length() - 4
    return 16 + 8 * (n - 1) + (ticks >> n) - 8


def make(seed, calls, name, build_id, program):
    random.seed(seed)
    run = Run()
    at = {1: 1000, 2: 300000, 7: 500000}
    while len(run.calls) < calls:
        thread = min(at, key=at.get)
        length = int(random.lognormvariate(12, 1)) + 500
        nest(run, thread, None, at[thread], 0, length)
        at[thread] += length + random.randrange(200, 400000)
    end = max(at.values())
    # Of unknown threads: two at once; nothing else is known of them.
    for start in range(0, end, end // 20):
        run.call(0, None, 6, start, end // 15)
    # As paint ends, its end being read already, a signal comes; and one that overlaps.
    run.call(1, None, 4, end, 100000)
    run.call(1, run.path(None, 4), 5, end + 100004, 3000)
    run.call(1, None, 4, end + 200000, 100000)
    run.call(1, run.path(None, 4), 5, end + 299000, 3000)
    with open(name, "w", encoding="utf-8") as out:
        out.write("ccprof mlmon 4\nkind region\ncpu 5\nwall %d\nthreads 3\nwaits 0\n" % ((end + 400000) * 10**9 // HZ))
        out.write("module 0 %s 0x0 %s\nthread 1 prog\nthread 2 worker\n" % (build_id, program))
        out.write("regions tsc %d %d %d\n" % (HZ, INNER * 1000, OUTER * 1000))
        for i, region in enumerate(NAMES):
            out.write("region %d - 0x0 %s\n" % (i, region))
        by_path = {}
        for call in run.calls:
            by_path.setdefault(call[1], []).append(call)
        for number, (around, region) in enumerate(run.paths):
            of = sorted(by_path[number], key=lambda call: call[2])
            times = [call[3] for call in of]
            numbers = [len(of), sum(times), sum(c[3] for c in of if c[7]), sum(c[4] for c in of), sum(t * t for t in times)]
            numbers += [sum(c[5] for c in of), sum(c[6] for c in of), times[0], min(times), max(times)]
            out.write("path %s %d %s - 0 0 0 0 0 0 0\n" % ("-" if around is None else around, region, " ".join(map(str, numbers))))
            buckets = {}
            for t in times:
                buckets[bucket_of(t)] = buckets.get(bucket_of(t), 0) + 1
            for bucket in sorted(buckets):
                out.write("bucket %d %d\n" % (bucket, buckets[bucket]))
        out.write("events %d\n" % LEAST)
        random.shuffle(run.events)
        for event in run.events:
            out.write("event %d %d %d %d\n" % event)
        out.write("end\n")


make(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
