#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Regions from Fortran (ccprof.f90) and Ada (ccprof.ads): each call is counted on its path,
# exceptions end it, and without the plugin nothing happens.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
API=$SRC/testsuite/api

# paths FILE: PARENT NAME COUNT LEFT OPEN of each path, the parent by its name.
paths() {
    awk '$1 == "region" { name[$2] = $5 }
        $1 == "path" { own[n++] = name[$3]
            print ($2 == "-" ? "-" : own[$2]), name[$3], $4, $15, $16 }' "$1" | sort
}

if have "$FC" "regions in Fortran"; then
    for level in -O0 -O2; do
        pfc $level -Wall -Wextra -Werror "$SRC/rt/ccprof.f90" "$API/regions.f90" -L"$O/rt" -lccprof_api -o prog
        run 0 ./prog
        same err /dev/null
        valid mlmon.out
        paths mlmon.out >got
        printf '%s\n' '- load 3 0 0' 'load part 6 0 0' >want
        same got want
    done
    "$FC" "$SRC/rt/ccprof.f90" "$API/regions.f90" -L"$O/rt" -lccprof_api -o plain
    rm mlmon.out
    run 0 ./plain
    same err /dev/null
    [ ! -e mlmon.out ] || fail 'a program that is not profiled has written mlmon.out'
fi

need "$GNATMAKE"
for level in -O0 -O2; do
    rm -f mlmon.out*
    mkdir "ada$level"
    (cd "ada$level" && "$GNATMAKE" -q -gnatwa -gnatwe -gnat2012 -I"$SRC/rt" "$API/regions.adb" -o prog \
        -cargs $level -fplugin="$PLUGIN" -largs -fplugin="$PLUGIN" -L"$O/rt" -lccprof_api)
    run 0 "./ada$level/prog"
    same err /dev/null
    paths mlmon.out >got
    printf '%s\n' '- load 3 0 0' '- part 1 0 0' 'load part 5 0 0' >want
    same got want
done
