#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page: looked around in as a person would, with a real run of the ray tracer in chromium
# and in Firefox.
. "$SRC/testsuite/lib.sh"
need python3
need chromium
need objdump

pcc -O2 -fplugin-arg-ccprof-profile=time,count -fplugin-arg-ccprof-blocks "$SRC"/testsuite/demo/*.c -lm -o prog
CCPROF=rate=2000,command=yes ./prog 300 3 >/dev/null
"$MLPROF" -balance false -html page.html prog mlmon.out >table || fail "mlprof: status $?"
mkdir elsewhere
echo 'int main(int count, char **words) { return count > 1 && words[1]; }' >gone.c
pcc -fplugin-arg-ccprof-profile=count gone.c -o gone
rm gone.c
CCPROF=output=gone.out ./gone
"$MLPROF" -source-dir elsewhere -html gone.html gone gone.out >table 2>errors || fail "mlprof: status $?"
# Stacks as they were sampled: what the data file says is compared with the page.
pcc -O2 -no-pie -fplugin-arg-ccprof-profile=time,count -pthread -I"$SRC/rt" -I"$SRC/testsuite/rt" \
    "$SRC/testsuite/threads/times.c" -o timed
CCPROF=times=yes,rate=2000,output=timed.out ./timed 0.5 >/dev/null
"$MLPROF" -skid false -html timed.html timed timed.out >table || fail "mlprof: status $?"
CCPROF=times=yes,rate=20,output=seldom.out ./timed 0.1 >/dev/null
"$MLPROF" -skid false -html seldom.html timed seldom.out >table || fail "mlprof: status $?"
# For dials.py, which shows their sources.
cp "$SRC/testsuite/page/dials.c" "$SRC/testsuite/flow/queens.c" .
dials() {
    pcc -O2 "-fplugin-arg-ccprof-profile=$2" -fplugin-arg-ccprof-blocks "$1.c" -o "$1"
    CCPROF=output=$1.out "./$1" 4 >output
    "$MLPROF" -balance false -html "$1.html" "$1" "$1.out" >table2 || fail "mlprof: status $?"
}
dials dials count,alloc
dials queens count
# For marks.py: with counts, and of time alone beside what the debug information says.
cp "$SRC/testsuite/page/marks.c" .
pcc -O2 -w -fplugin-arg-ccprof-profile=time,count -fplugin-arg-ccprof-blocks marks.c -o marks
pcc -O2 -w -g -gno-statement-frontiers marks.c -o marks-time
for name in marks marks-time; do
    CCPROF=output=$name.out,rate=1000 ./$name >output
    "$MLPROF" -balance false -html $name.html $name $name.out >table2 || fail "mlprof: status $?"
done
objdump --dwarf=decodedline marks-time | awk '$1 == "marks.c" && $2 ~ /^[0-9]+$/ { print $2 }' >marks.lines
views() {
    echo "$1"
    PAGE_BROWSER=$1 python3 "$SRC/testsuite/page/views.py" page.html "$MLPROF" prog mlmon.out \
        gone.html timed.html timed timed.out seldom.html seldom.out ||
        fail "not what was to be seen in $1"
}
views chromium
if have firefox-esr 'the page in Firefox'; then
    views firefox
fi
