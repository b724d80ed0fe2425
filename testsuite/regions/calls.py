# SPDX-License-Identifier: GPL-3.0-or-later
# calls.py SEED OUT BUILD-ID PROGRAM: writes a data file of regions, and into OUT.json the
# calls that it is made of. calls.py check OUT.json TABLE: compares mlprof's table of the regions, as CSV,
# with what Python makes of these calls. calls.py compared BEFORE.json AFTER.json TABLE:
# the same of a comparison, of so many calls that t is as good as normal. Ticks are quarters of a nanosecond.

import csv
import json
import math
import random
import statistics
import sys

from buckets import write_path

TICK = 0.25
INNER = 80  # ticks
OUTER = 180


def make(seed, name, build_id, program):
    random.seed(seed)
    # An outer region, each of whose calls has the same number of inner ones.
    inner = [int(random.lognormvariate(7, 1)) + INNER for i in range(3000)]
    own = [int(random.lognormvariate(12, 0.5)) + INNER for i in range(100)]
    per = len(inner) // len(own)
    outer = [own[i] + sum(inner[i * per:(i + 1) * per]) + per * (OUTER - INNER) for i in range(len(own))]
    alone = [int(random.paretovariate(1.2) * 3) + INNER for i in range(2000)]
    with open(name, "w") as out:
        out.write("ccprof mlmon 4\nkind region\ncpu 5\nwall 6\nthreads 1\nwaits 0\n")
        out.write("module 0 %s 0x0 %s\n" % (build_id, program))
        out.write("regions tsc 4000000000 %d %d\n" % (INNER * 1000, OUTER * 1000))
        out.write("region 0 - 0x0 outer\nregion 1 - 0x0 inner\n")
        own_time = sum(outer) - sum(inner)
        write_path(out, "-", 0, outer, own_time, len(inner), len(inner), sum(outer) // 8, outer[:1])
        write_path(out, "0", 1, inner, sum(inner), cpu=sum(inner) // 8, cold=[inner[0], inner[1500]])
        write_path(out, "-", 1, alone, sum(alone), cpu=sum(alone) // 8)
        out.write("end\n")
    with open(name + ".json", "w") as out:
        json.dump({"outer": outer, "inner": inner + alone, "inside": {"outer": len(inner), "inner": 0}, "cold": {"outer": outer[:1], "inner":
                  [inner[0], inner[1500]]}, "self": {"outer": sum(own) - INNER * len(own),
                  "inner": sum(inner + alone) - INNER * 5000}}, out)


def near(what, got, want, off=1e-9):
    if not math.isclose(float(got), want, rel_tol=off, abs_tol=1e-6):
        sys.exit("%s: %s is not %s" % (what, got, want))


def check_row(row, data, subtracted):
    name = row["region"]
    calls = data[name]
    measured = [t * TICK for t in calls]
    # Subtracts from each call its own cost, and from the rest the cost of the inner calls.
    own = INNER * TICK if subtracted else 0
    inside = OUTER * TICK * data["inside"][name] if subtracted else 0
    part = 1 - inside / (sum(measured) - own * len(calls))
    ns = [max(0, t - own) * part for t in measured]
    cold = [(t * TICK - own) * part for t in data["cold"][name]]
    mean = (sum(measured) - own * len(calls) - inside) / len(calls)
    near(name + " calls", row["calls"], len(calls))
    near(name + " mean", row["mean_ns"], mean)
    near(name + " deviation", row["deviation_ns"], statistics.stdev(measured) * part)
    near(name + " error", row["mean_error_ns"], statistics.stdev(measured) * part / math.sqrt(len(calls)))
    near(name + " total", row["total_ns"], mean * len(calls))
    near(name + " cpu", row["mean_cpu_ns"], sum(calls) / 8 / len(calls), 1e-3)
    near(name + " first", row["first_ns"], ns[0])
    near(name + " min", row["min_ns"], min(ns))
    near(name + " max", row["max_ns"], max(ns))
    near(name + " subtracted", row["subtracted_ns"], statistics.fmean(measured) - mean, 1e-6)
    near(name + " cold", row["cold_calls"], len(cold))
    near(name + " cold mean", row["cold_mean_ns"], statistics.fmean(cold))
    near(name + " cold min", row["cold_min_ns"], min(cold))
    near(name + " cold max", row["cold_max_ns"], max(cold))
    near(name + " warm mean", row["warm_mean_ns"], (sum(ns) - sum(cold)) / (len(calls) - len(cold)))
    if subtracted:
        near(name + " self", row["self_ns"], data["self"][name] * TICK)
    for percent in 50, 99:
        true = sorted(ns)[math.ceil(len(ns) * percent / 100) - 1]
        least, at, most = (float(row["p%d_%sns" % (percent, word)]) for word in ("least_", "", "most_"))
        if not (least - 1e-6 <= true <= most + 1e-6 and least <= at <= most):
            sys.exit("%s p%d: %g is not in %g to %g" % (name, percent, true, least, most))


def check(file, table, subtracted):
    with open(file) as data, open(table, newline="") as rows:
        data, rows = json.load(data), list(csv.DictReader(rows))
    if sorted(row["region"] for row in rows) != ["inner", "outer"]:
        sys.exit("not the regions: %s" % rows)
    for row in rows:
        check_row(row, data, subtracted)


def compared(before, after, table):
    sides = []
    for file in before, after:
        with open(file) as data:
            sides.append(json.load(data)["inner"])
    with open(table, newline="") as rows:
        row = next(row for row in csv.DictReader(rows) if row["region"] == "inner")
    means = [statistics.fmean(calls) * TICK for calls in sides]
    error = TICK * math.sqrt(sum(statistics.variance(calls) / len(calls) for calls in sides))
    near("before", row["before"], means[0] - INNER * TICK)
    near("after", row["after"], means[1] - INNER * TICK)
    change = means[1] - means[0]
    near("change", row["change"], change)
    near("least", row["change_least"], change - 1.96 * error, 0.02)
    near("most", row["change_most"], change + 1.96 * error, 0.02)
    chance = 2 * (1 - statistics.NormalDist().cdf(abs(change) / error))
    # The chance is the row's own, as the range is.
    if abs(float(row["chance"]) - chance) > 1e-3:
        sys.exit("chance: %s, not %g" % (row["chance"], chance))
    # By Holm's correction: there are two regions.
    if (row["certain"] == "true" and chance > 0.05 + 1e-3) or (row["certain"] == "false" and 2 * chance < 0.05 - 1e-3):
        sys.exit("certain: %s" % row)


if sys.argv[1] == "compared":
    compared(*sys.argv[2:])
elif sys.argv[1] == "check":
    check(sys.argv[2], sys.argv[3], sys.argv[4:] == [])
else:
    make(int(sys.argv[1]), *sys.argv[2:])
