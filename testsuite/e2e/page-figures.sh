#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page: each table has the figures that mlprof has, as a browser shows it, for each kind and
# for programs in C, C++ with templates and threads, and Fortran.
. "$SRC/testsuite/lib.sh"
need python3
need chromium
need readelf

# figures NAME ARGUMENT...: those of the program prog.
figures() {
    echo "$1"
    shift
    rm -f mlmon.out
    CCPROF="rate=2000${settings:+,$settings}" ./prog "$@" >/dev/null || fail "status $?"
    "$MLPROF" -balance false -html page.html prog mlmon.out >table || fail "mlprof: status $?"
    python3 "$SRC/testsuite/page/figures.py" page.html "$MLPROF" prog mlmon.out || fail "not the same figures"
}

settings=
kind=-fplugin-arg-ccprof-profile
pcc -O2 $kind=time,count -fplugin-arg-ccprof-blocks "$SRC"/testsuite/demo/*.c -lm -o prog
figures 'C: time, calls, blocks' 60 1
pcc -O1 -fno-inline "$SRC/testsuite/page/recursion.c" -o prog
figures 'C: recursion' 4
pcc -O3 -flto $kind=time,count -fplugin-arg-ccprof-blocks "$SRC/testsuite/compare/fft.c" -lm -o prog
figures 'C: recursion, inlined' 16384 20
pcc -O2 $kind=time,alloc "$SRC"/testsuite/demo/*.c -lm -o prog
figures 'C: time, allocations' 60 1
pcc -O2 $kind=count -fplugin-arg-ccprof-blocks "$SRC/testsuite/flow/queens.c" -o prog
figures 'C: calls within bounds' 4
if command -v "$CXX" >/dev/null; then
    settings=threads=yes
    pcxx -O2 -pthread -I"$SRC/testsuite/rt" "$SRC/testsuite/threads/pool.cc" -o prog
    figures 'C++: time by thread'
    settings=
    pcxx -O2 $kind=alloc "$SRC/testsuite/alloc/news.cc" -o prog
    figures 'C++: allocations'
    pcxx -O2 $kind=count "$SRC/testsuite/golden/cxx.cc" -o prog
    figures 'C++: calls'
fi
if command -v "$FC" >/dev/null; then
    pfc -O2 $kind=time,count "$SRC/testsuite/golden/fortran.f90" -o prog
    figures 'Fortran: time, calls'
fi

echo 'Regions'
pcc -O1 -I"$SRC/rt" "$SRC/testsuite/page/regions.c" -o prog
CCPROF=regions=cpu,rate=1000,events=1000,times=2 ./prog
"$MLPROF" -html page.html prog mlmon.out >table || fail "mlprof: status $?"
# Samples and calls have one time in the Firefox Profiler, too.
"$MLPROF" -firefox calls.json prog mlmon.out >table || fail "mlprof: status $?"
python3 "$SRC/testsuite/regions/exported.py" firefox mlmon.out calls.json prog || fail 'not the same markers'
python3 "$SRC/testsuite/regions/lanes.py" 1 3000 lanes.out "$(readelf -n prog | sed -n 's/.*Build ID: //p')" "$PWD/prog"
"$MLPROF" -html lanes.html prog lanes.out >table || fail "mlprof: status $?"
"$MLPROF" -html several.html prog lanes.out lanes.out >table || fail "mlprof: status $?"
python3 "$SRC/testsuite/page/regions.py" page.html "$MLPROF" prog mlmon.out 'work of a round' lanes.html lanes.out \
    several.html ||
    fail 'not the same regions'
