#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Many functions that all call by pointers and may all be called so: mlprof does not work out all
# pairs if they were not asked for, so that its memory grows like the program.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/flow/flow.sh"
"$CC" -O1 "$SRC/testsuite/flow/peak.c" -o peak

# program COUNT: so many functions in a table, in the folder COUNT. Each of them is called twice, once
# by the one before it.
program() {
    mkdir "$1"
    awk -v n="$1" 'BEGIN {
        print "typedef int function(int); static function *const volatile table[];"
        for (i = 0; i < n; i++)
            printf "int f%d(int more) { return more ? table[%d](0) : %d; }\n", i, (i + 1) % n, i
        print "static function *const volatile table[] = {"
        for (i = 0; i < n; i++)
            printf "f%d,\n", i
        printf "}; int main(void) { for (int i = 0; i < %d; i++) table[i](1); }\n", n
    }' >"$1/p.c"
    # shellcheck disable=SC2086
    pcc -O0 $BLOCKS "$1/p.c" -o "$1/p"
    (cd "$1" && ./p)
}

# memory FOLDER OPTION...: of mlprof with the options, in KiB; what it prints is in the file `out'.
memory() {
    folder=$1
    shift
    run 0 ./peak peaked "$MLPROF" "$@" "$folder/p" "$folder/mlmon.out"
    cat peaked
}

program 500
program 2000
small=$(memory 500)
large=$(memory 2000)
[ "$small" -gt 0 ] || fail "no memory was measured"
[ "$large" -lt $((small * 5)) ] || fail "four times the functions take $small and $large KiB"

# One of them: each makes one of these 4,000 calls, main 2,000, and one in 2,000 goes to it.
# The 20 with most by name, main one of them, and the rest added up.
one=$(memory 2000 -callers '^f7  ' -callees '^f8  ')
[ "$one" -lt $((large + large / 2)) ] || fail "the table takes $large KiB, callers of one $one"
awk '/^callers/ { kin = 1 } /^callees/ { kin = 2 } NF == 5 && $3 == 0 { told[kin]++ }
     END { exit !(told[1] == 21 && told[2] == 21) }' out ||
    fail "not 20 and the rest may have called f7 or been called by f8: $(cat out)"
[ "$(grep -c '^<others> ' out)" -eq 2 ] || fail "the rest is not told: $(cat out)"
