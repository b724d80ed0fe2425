#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The kind call: a program prints its chain of calls, inlined ones included, however it was
# built; nothing is measured, and the code is what it is without the plugin.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/call/call.sh"
cp "$CALL/chain.c" .
with="-Wall -Wextra -Werror -pthread -I$SRC/rt"

frames chain.c innermost:print middle:middle compare:compare sort:sort main:main >inlined
frames chain.c recurse:bottom recurse:recurse recurse:recurse main:main-recurse >recursion
frames chain.c last:last main:main-last >last
frames chain.c handle:handle main:main-signal >signal
frames chain.c write_to:write crash:crash main:main-crash >crash

# all PROGRAM: prints what it should.
all() {
    run 0 ./"$1" inlined
    printed out inlined
    run 0 ./"$1" recurse 2
    printed out recursion
    run 0 ./"$1" last
    printed out last
    run 0 ./"$1" signal
    printed out signal
    has out '^<signal>$'
    run 3 ./"$1" segv
    printed out crash
    same err /dev/null
}

# build OPTION...
build() {
    echo "$*"
    # shellcheck disable=SC2086
    pcc "$KIND" $with chain.c "$@" -o prog
}

for options in -O0 -O1 -O2 '-O3 -fomit-frame-pointer' '-O2 -fno-omit-frame-pointer' '-Os -g' -O2\ -flto \
    '-O2 -no-pie -fno-pie' '-O2 -static -L. -lccprof' '-O2 -static-pie -fPIE -L. -lccprof' \
    '-O2 -ffunction-sections -Wl,--gc-sections'; do
    case $options in
    *-lccprof*) ln -sf "$O/rt/libccprof.a" . ;;
    esac
    # shellcheck disable=SC2086
    build $options
    all prog
    # Neither symbols nor debug information are needed.
    strip -s -o stripped prog
    all stripped
done

echo 'Nothing is measured.'
build -O2
[ ! -e mlmon.out ] || fail 'a data file'
run 0 ./prog on
echo '0 0' >want
same out want
run 0 env CCPROF=rate=100 ./prog threads
printf '0 1 0\n' >want
same out want
same err /dev/null
[ ! -e mlmon.out ] || fail 'a data file'

echo 'The array.'
run 0 ./prog room
printf '0 0 1 room 1\n' >want
same out want

echo 'Deep: the middle is left out.'
# shellcheck disable=SC3045
ulimit -s unlimited 2>/dev/null || ulimit -s "$(ulimit -H -s)"
run 0 ./prog recurse 100000
[ "$(grep -c . out)" -eq 1025 ] || fail "$(grep -c . out) lines"
# The 100,001 of recurse, main, and what libc has before it.
before=$(sed '1,/^main /d' out | grep -c .)
has out "^\.\.\. ($((100002 + before - 1024)) calls left out)\$"
sed -n '2,512p;514,$p' out | grep -c '^recurse  ' >got
echo $((1022 - before)) >want
same got want
has out "^main  chain.c: $(line chain.c main-recurse)\."

echo 'The code is the same.'
for level in -O0 -O2 -O3; do
    for file in demo/tree.c forms/names.c forms/cold.c forms/catch.cc; do
        compiler=$CC
        [ "${file%.cc}" = "$file" ] || compiler=$CXX
        "$compiler" $level -I"$SRC/testsuite/shares" -c "$SRC/testsuite/$file" -o a.o
        "$compiler" -fplugin="$PLUGIN" "$KIND" $level -I"$SRC/testsuite/shares" -c "$SRC/testsuite/$file" -o b.o
        run 0 "$BIN/objdiff" a.o b.o
        readelf -SW b.o | grep -q '\.ccprof\.code' || fail "no tables in $file"
    done
done

echo 'With other kinds; the position; functions left out.'
# shellcheck disable=SC2086
pcc $with -O2 chain.c -o prog
all prog
[ -s mlmon.out ] || fail 'no data file'
rm mlmon.out
# shellcheck disable=SC2086
pcc -fplugin-arg-ccprof-profile=time,count,call $with -O2 chain.c -o prog
all prog
[ -s mlmon.out ] || fail 'no data file'
rm mlmon.out
build -O2 -fplugin-arg-ccprof-position=line
run 0 ./prog inlined
cp out lines
printed lines inlined
hasnot lines '\.c: [0-9]*\.'
build -O2 -fplugin-arg-ccprof-position=none
run 0 ./prog inlined
sed 's/: .*//' inlined >want
printed out want
sed '/^static inline void middle/i #line 1 "left.h"
/^NOINLINE static int compare/i #line 35 "chain.c"' chain.c >excluded.c
pcc "$KIND" -O2 -pthread -I"$SRC/rt" -fplugin-arg-ccprof-exclude=left excluded.c -o prog
run 0 ./prog inlined
source_of out | sed 's/ .*//' >got
printf 'innermost\ncompare\nsort\nmain\n' >want
same got want

echo 'Counted alone there are no tables; without the plugin there is nothing.'
pcc -fplugin-arg-ccprof-profile=count -O2 -pthread -I"$SRC/rt" chain.c -o prog
run 0 ./prog inlined
has out '^main  (/.*/prog+0x[0-9a-f]*)$'
has err '^ccprof: /.*/prog: it has no tables of ccprof: the calls there are shown as addresses$'
[ "$(grep -c . err)" -eq 1 ] || fail "said more than once: $(cat err)"
"$CC" -O2 -pthread -I"$SRC/rt" chain.c -o prog
run 0 ./prog inlined
same out /dev/null
build -O2
run 0 env CCPROF=off ./prog inlined
same out /dev/null
