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

# Names are what they are: in the data file, as samples' labels, and in mlprof's data.
cat >odd.c <<'END'
#include <ccprof.h>
static volatile int sum;
#define ONE(name) CCPROF_REGION(name) sum++
int main(void)
{
    ONE("");
    ONE("new\nline \\ tab\t");
    ONE("\"quoted\", \xc3\xa4 > end");
    ONE("path 0");
    CCPROF_REGION("long") for (int i = 0; i < 100000000; i++) sum++;
    return 0;
}
END
pcc -O1 -I"$SRC/rt" odd.c -o odd
CCPROF=output=odd.out run 0 ./odd
same err /dev/null
if have python3 'odd names'; then
    run 0 "$MLPROF" -regions -json odd.json odd odd.out
    python3 -c 'import json
for row in json.load(open("odd.json"))["regions"]: print(ascii(row["region"]), row["calls"])' | sort >got
    cat >want <<'END'
'"quoted", \xe4 > end' 1
'' 1
'long' 1
'new\\x0aline \\ tab\\x09' 1
'path 0' 1
END
    sort -o want want
    same got want
fi

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
