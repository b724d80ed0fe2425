# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines of a path in a data file of regions, and its buckets, as mlmon.out(5) has them."""

import bisect


def low(bucket):
    """Where a bucket begins, in ticks."""
    n, k = divmod(bucket - 16, 8)
    return bucket if bucket < 16 else (8 + k) * 2 ** (n + 1)


STARTS = [low(bucket) for bucket in range(336)]


def counted(lengths):
    """How many there are in each bucket."""
    found = {}
    for length in lengths:
        bucket = bisect.bisect_right(STARTS, length) - 1
        found[bucket] = found.get(bucket, 0) + 1
    return found


def write_path(out, around, region, calls, own, direct=0, inside=0, cpu="-", cold=()):
    """CALLS are the times of all; OWN: together without those of the calls inside; CPU: together; COLD: those that
    were."""
    numbers = [len(calls), sum(calls), 0, own, sum(t * t for t in calls), direct, inside]
    numbers += [calls[0], min(calls), max(calls), cpu, 0, 0, 0, len(cold)]
    numbers += [sum(cold), min(cold, default=0), max(cold, default=0)]
    out.write("path %s %d %s\n" % (around, region, " ".join(map(str, numbers))))
    for bucket, count in sorted(counted(calls).items()):
        out.write("bucket %d %d\n" % (bucket, count))
