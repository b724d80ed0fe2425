#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The listing of a real program, with templates, overloads, macros and a header: a sample
# at each instruction, so that the counts of lines can be compared with objdump's count.

. "$SRC/testsuite/mlprof.sh"
need readelf objdump

cp "$SRC"/testsuite/by/mix.h .
cp "$SRC"/testsuite/by/mixed.cc prog.cc
pcxx -O2 -Wl,--build-id=sha1 prog.cc -o prog

# The addresses of instructions in the functions of prog.cc; those between functions are nops.
objdump -d --no-show-raw-insn prog |
    awk '/^[0-9a-f]+ <.*>:$/ { on = /<main>:|<_Z4area/ } on && /^ +[0-9a-f]+:/ && !/nop|xchg +%ax,%ax/ { sub(/:.*/, ""); print $1 }' >addresses
count=$(wc -l <addresses)
[ "$count" -gt 40 ]
set --
while read -r address; do
    set -- "$@" "0 0 0x$address 1"
done <addresses
STACK=yes data data "$count" 0 "$PWD/prog" -- "$@"

# With names as -where tells them.
run 0 mlprof_short -skid false -raw true -names plain -show-line true prog data
same err /dev/null
cp out table
run 0 mlprof_short -skid false -raw true -names plain -list '.*' prog data
same err /dev/null
cp out listing

# Hundredths of a second are samples.  Of each function the lines' add up to the row's.
table_rows seconds <table | awk '/  [^ ]*: [0-9]+ [^ ]+$/ { seconds = $NF; sub(/ [^ ]*$/, "")
        printf "%s|%d\n", $0, seconds * 100 + .5 }' | sort >want
awk '/^[^ ].*  [^ ]*: [0-9]+$/ { label = $0; next }
    label && $2 ~ /^[0-9]/ { sum[label] += int($2 * 100 + .5) }
    label && $2 == "." { sum[label] += 0 }
    END { for (l in sum) printf "%s|%d\n", l, sum[l] }' listing | sort >got
same got want
[ "$(awk -F '|' '{ sum += $2 } END { print sum }' got)" -eq "$count" ] || fail "not all samples are listed"

# The lines are those that -where tells of the instructions.
"$MLPROF" -where prog <addresses | sed 's/^0x[0-9a-f]*: //; s/ < .*//
    s/^\(.*\) [^ ]*:\([0-9]*\):[0-9]*$/\1|\2/' | sort | uniq -c | sed 's/^ *//' >want
awk '/^[^ ].*  [^ ]*: [0-9]+$/ { sub(/  [^ ]*: [0-9]+$/, ""); name = $0; next }
    name && $2 ~ /^[0-9]/ { sum[name "|" $5] += int($2 * 100 + .5) }
    END { for (l in sum) if (sum[l]) printf "%d %s\n", sum[l], l }' listing >got
sort -o got got
sort -o want want
same got want

# Each instance and each overload is there, with its own text.
for function in 'area  prog.cc: 23' 'area  prog.cc: 28' 'main  prog.cc: 36' 'mix  mix.h: 6' \
    'geo::vec<double, 5>::sum  prog.cc: 13' 'geo::vec<unsigned int, 9>::sum  prog.cc: 13'; do
    grep -qxF "$function" listing || fail "$function is not listed"
done
# The lines of `mix' are those of the header, the macro's use among them.
sed -n '/^mix /,/^$/p' listing >mix.lines
has mix.lines '[1-9].* 8      STEP(x);$'
hasnot mix.lines prog.cc
# Where it was inlined, its samples are those of the call's line, too.
sed -n '/^area  prog.cc: 28/,/^$/p' listing >area.lines
awk '$5 == 31 { found = $4 + 0 > $2 + 0 } END { exit !found }' area.lines ||
    fail "nothing was called in line 31: $(cat area.lines)"

# A file that was changed since it was compiled is told of, once; one that is only newer is not.
touch -d "$(date -r prog '+%Y-%m-%d %H:%M:%S.%N') 1 second" mix.h prog.cc
run 0 mlprof_short -list . prog data
same err /dev/null
cp mix.h mix.before
sed -i 's/unsigned x)/unsigned x) /' mix.h
touch -d '2001-01-01' mix.h
run 0 mlprof_short -list . -source-text any prog data
echo "mlprof: $PWD/mix.h: changed since it was compiled; its lines may not be those that were measured" >want
same err want
# Of what two compilations knew at least one is not what is there.
cat >other.cc <<'END'
#include "mix.h"
unsigned other(unsigned x) { return mix(x); }
END
pcxx -O2 -c other.cc
mv mix.before mix.h
pcxx -O2 -c prog.cc
pcxx -O2 -Wl,--build-id=sha1 prog.o other.o -o both
# shellcheck disable=SC2046
"$MLPROF" -where both $(objdump -d --no-show-raw-insn both | awk '/^[0-9a-f]+ <_Z5otherj>:$/ { on = 1; next }
    /^$/ { on = 0 } on { sub(/:.*/, ""); print $1 }') | sed -n 's/^\(0x[0-9a-f]*\): mix .*/0 0 \1 1/p' >inside
[ -s inside ]
data twice 1 0 "$PWD/both" -- "$(head -n 1 inside)"
run 0 mlprof_short -list mix -source-text any both twice
same err want
