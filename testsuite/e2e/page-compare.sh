#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pages of comparisons: their figures are those of -compare and -growth as data, and figures 1 and 2
# of Waddell and Ashley's paper are seen, in a browser.
. "$SRC/testsuite/mlprof.sh"
need python3
need chromium
STACK=no

counted() {
    pcc -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks "$@"
}

# page NAME ARGUMENT...: writes NAME.html, and as data what it is of.
page() {
    name=$1
    shift
    run 0 "$MLPROF" -source-dir . -csv "$name.csv" -html "$name.html" "$@"
    # The tables are made by hand.
    grep -v '/prog.c: the tables do not tell what was compiled there' err >others || :
    same others /dev/null
}

echo >prog.c
# Samples whose changes are known (compare.sh): sq has 1 s more, main as much as before.
example prog main sq
data old 1000 0 "$PWD/prog" -- "0 0 $(at prog 4) 200" "0 0 $(at prog 0) 800"
data new 1100 0 "$PWD/prog" -- "0 0 $(at prog 4) 300" "0 0 $(at prog 0) 800"
page known prog old -compare new

# Regions, beside samples and alone: load has become longer, gone and new are on one side.
# with_regions FROM TO SLOWER LINE...
with_regions() {
    base=$1 made=$2 mean=$3
    shift 3
    {
        sed 's/^ccprof mlmon 1$/ccprof mlmon 4/; /^end$/d' "$base"
        printf '%s\n' 'regions monotonic 1000000000 20000 50000' 'region 0 - 0x0 load' 'region 1 - 0x0 parse' "$@" \
            "path - 0 1000 $((mean * 1000 + 500)) 0 $((mean * 1000 + 160)) \
$((500 * mean * mean + 500 * (mean + 1) * (mean + 1))) 2 2 $mean $mean $((mean + 1)) - 1 0 0 0 0 0 0" \
            "bucket $((mean < 1100 ? 63 : 66)) 1000" \
            'path 0 1 2 340 0 340 62800 0 0 120 120 220 - 0 0 0 1 120 120 120' 'bucket 39 1' 'bucket 45 1' \
            'path - 2 1 700 0 700 490000 0 0 700 700 700 - 0 0 0 0 0 0 0' 'bucket 58 1' end
    } >"$made"
}
sed '/^kind/s/time/region/; /^engine/d; /^clock/d; /^rate/d; /^stack/d; /^samples/d; /^lost/d; /^elsewhere/d
    /^counts/d; /^0 /d' old >bare
for from in old bare; do
    to=new
    [ $from = old ] || to=bare
    with_regions $from $from.before 1000 'region 2 - 0x0 gone'
    with_regions $to $from.after 1400 'region 2 - 0x0 new'
    run 0 "$MLPROF" -html regions-$from.html -regions -csv regions-$from.csv prog $from.before -compare $from.after
done
for side in before after; do
    run 0 "$MLPROF" -csv buckets.$side -histogram . prog bare.$side
done
run 0 "$MLPROF" -html paths.html -regions -paths true prog bare.before -compare bare.after

# Figure 2.
counted -O2 "$SRC/testsuite/compare/fib.c" -o fib
counted -O0 "$SRC/testsuite/compare/fib.c" -o slow
for n in 10 20; do
    CCPROF=output=fib.$n ./fib $n >/dev/null
    "$MLPROF" -balance false -by line -csv "lines.$n" fib "fib.$n" >/dev/null
done
CCPROF=output=slow.10 ./slow 10 >/dev/null
page fib fib -size 10 fib.10 -compare -size 20 fib.20 -formula 'b - a * n(b) / n(a)'
page builds slow slow.10 -compare fib fib.20

# Growth: the queens, and functions of which the exponents are known.
counted -O2 "$SRC/testsuite/compare/queens.c" -o queens
counted -O2 "$SRC/testsuite/compare/grow.c" -o growth
for n in 5 6 8; do
    CCPROF=output=queens.$n ./queens $n >/dev/null
done
for n in 4 8 16; do
    CCPROF=output=growth.$n ./growth $n
done
page queens queens -growth -size 8 queens.8 -size 5 queens.5 -size 6 queens.6
page growth growth -growth -size 4 growth.4 -size 8 growth.8 -size 16 growth.16

# Runs with stacks, one and several a side.
pcc -O2 "$SRC"/testsuite/demo/*.c -lm -o demo
for n in 1 2; do
    CCPROF=rate=2000,output=few.$n ./demo 150 2 >/dev/null
    CCPROF=rate=2000,output=many.$n ./demo 150 8 >/dev/null
done
page single demo few.1 -compare many.1
# Three sizes, of which the second is said to be what it is not: the line goes by the weights of the points.
page sampled demo -growth -size 2 few.1 -size 4 few.2 -size 8 many.1
page double demo few.1 few.2 -compare many.1 many.2
# Each run is evaluated for itself: what skid does with few samples is not what it does with their sum.
for data in few.1 few.2 many.1 many.2; do
    run 0 "$MLPROF" -balance false -folded $data.folded demo $data
    run 0 "$MLPROF" -balance false -by line -csv $data.lines demo $data
done
page merged demo few.1 few.2

# Figure 1: of 1,024 points 512 * 10 butterflies.
pcc -O2 -fplugin-arg-ccprof-profile=time,count -fplugin-arg-ccprof-blocks "$SRC/testsuite/compare/fft.c" -lm -o fft
CCPROF=rate=2000,output=fft.out ./fft 1024 5000 >said
holds said <<'END'
0.000 -1.000
END
page fft fft fft.out
run 0 "$MLPROF" -balance false -by expression -csv fft.expressions fft fft.out

views() {
    echo "$1"
    PAGE_BROWSER=$1 python3 "$SRC/testsuite/page/compare.py" "$SRC/testsuite/compare" || fail "not what was to be seen in $1"
}
views chromium
if have firefox-esr 'pages of comparisons in Firefox'; then
    views firefox
fi
