#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What -compare, -growth and -gate find, as data: JSON keeps to its schema, CSV is its table.  The counts
# are those of a program that is told how often to do what.

. "$SRC/testsuite/mlprof.sh"
need python3
PYTHON=python3
[ ! -x /usr/bin/python3 ] || PYTHON=/usr/bin/python3
"$PYTHON" -c 'import jsonschema' 2>/dev/null || skip 'python3-jsonschema is not installed'

# found TABLE STATUS OPTION...: its rows, into the file `got'.
found() {
    table=$1 status=$2
    shift 2
    run "$status" "$MLPROF" -json data.json -csv data.csv "$@"
    mv out printed
    "$PYTHON" "$SRC/testsuite/export/compare-data.py" "$SRC/doc/mlprof-compare.schema.json" data.json data.csv \
        "$table" >got || fail "$table: $(cat data.json)"
}

cat >prog.c <<'END'
#include <stdlib.h>
volatile unsigned sum;
static void square(void) { sum++; }
static void line(unsigned n)
{
    while (n--)
        square();
}
static void once(void) { sum += 2; }
#ifdef MORE
static void more(void) { sum += 3; }
#endif
int main(int count, char **words)
{
    unsigned n = count > 1 ? (unsigned)atoi(words[1]) : 0;
    for (unsigned i = 0; i < n; i++)
        line(n);
    once();
#ifdef MORE
    more();
#endif
    return 0;
}
END
pcc -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-exclude-function='^atoi$' prog.c -o prog
pcc -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-exclude-function='^atoi$' -DMORE prog.c -o more
for n in 10 20 40; do
    CCPROF=output=prog.$n ./prog $n
done
CCPROF=output=more.20 ./more 20

echo 'Changes.'
found changes 0 prog prog.10 -compare more more.20
sort -o got got
holds got <<'END'
line 10 20 10 10 10 True None True None
main 1 1 0 0 0 True None False None
more None 1 1 1 1 True None True None
once 1 1 0 0 0 True None False None
square 100 400 300 300 300 True None True None
END
has printed '^3 *functions\|as before$'
# The formula's value, and what is printed otherwise is not, where the data are.
found changes 0 prog -size 10 prog.10 -compare -size 20 prog.20 -formula 'b - a * n(b) / n(a)'
has got '^square 100 400 300 .* 200$'
has data.json '"before": {"program": "prog", "runs": 1, "size": 10, "total": 112}'
run 0 "$MLPROF" prog prog.10 -compare prog.20 -json -
"$PYTHON" -c 'import json; json.load(open("out"))' || fail 'not only JSON'
run 0 "$MLPROF" prog prog.10 -compare prog.20 -csv data.csv.gz
[ "$(gzip -dc data.csv.gz | wc -l)" -eq 5 ] || fail 'compressed'

echo 'Growth.'
found growth 0 prog -growth -size 40 prog.40 -size 10 prog.10 -size 20 prog.20
awk '{ printf "%s %d %d %.6f %.6f\n", $1, $2, $3, $4, $6 }' got >grown
holds grown <<'END'
square 10 100 2.000000 2.000000
square 20 400 2.000000 2.000000
square 40 1600 2.000000 2.000000
line 10 10 1.000000 1.000000
line 20 20 1.000000 1.000000
line 40 40 1.000000 1.000000
main 10 1 0.000000 0.000000
main 20 1 0.000000 0.000000
main 40 1 0.000000 0.000000
once 10 1 0.000000 0.000000
once 20 1 0.000000 0.000000
once 40 1 0.000000 0.000000
END

echo 'A baseline.'
run 0 "$MLPROF" -gate-write baseline more more.20
found differences 3 -gate baseline -gate-threshold 50 prog prog.10
holds got <<'END'
more calls 1 0 None
square calls 400 100 None
END
has data.json '"functions": 5, "functions_beyond": 2'
has printed '^ *400 *100 '
found differences 0 -gate baseline more more.20
same got /dev/null
run 3 "$MLPROF" -gate baseline prog prog.20 -csv -
tr -d '\r' <out >got
holds got <<'END'
function,symbol,file,line,measure,baseline,now,outcome
more,more,prog.c,,calls,1,0,
END

echo 'With time.'
pcc -O2 prog.c -o timed
for n in 1 2; do
    CCPROF=rate=1000,output=timed.$n ./timed 12000
done
found changes 0 timed timed.1 -compare timed.2
"$PYTHON" - <<'END' || fail "$(cat data.json)"
import json
data = json.load(open("data.json"))
assert data["unit"] == "seconds" and data["changes"]
for row in data["changes"]:
    assert row["change_least"] <= row["change"] <= row["change_most"] and not row["exact"], row
END
found changes 0 timed timed.1 -compare timed.2 -change share
has data.json '"unit": "share"'
