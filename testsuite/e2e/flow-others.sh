#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Calls by pointers between many functions: the twenty with most calls have rows, the others are added up,
# so that the output grows with the functions and not with their pairs.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/flow/flow.sh"

# Thirty functions that call by a pointer, the one with the number i i times: 465 calls, of which
# 93 are of `few' and 372 of `most'.
awk 'BEGIN {
    print "typedef int f(int);\nint few(int x) { return x + 1; }\nint most(int x) { return x + 2; }"
    print "static unsigned turn;\nstatic f *volatile next[] = {few, most, most, most, most};"
    for (i = 1; i <= 30; i++)
        printf "int by%d(int x) { for (int i = 0; i < %d; i++) x = next[turn++ %% 5](x); return x; }\n", i, i
    print "int main(void)\n{\n    int x = 0;"
    for (i = 1; i <= 30; i++)
        printf "    x = by%d(x);\n", i
    print "    return x == 0;\n}"
}' >callers.c
# And one that calls thirty functions by a pointer, the one with the number i i times.
awk 'BEGIN {
    print "typedef int f(int);"
    for (i = 1; i <= 30; i++)
        printf "int to%d(int x) { return x + %d; }\n", i, i
    printf "static f *volatile next[] = {"
    for (i = 1; i <= 30; i++)
        printf "to%d, ", i
    print "};\nint all(int x)\n{\n    for (int i = 0; i < 30; i++)\n        for (int k = 0; k <= i; k++)"
    print "            x = next[i](x);\n    return x;\n}"
    print "int one(int x) { return next[29](x); }"
    print "int main(void) { return one(all(0)) == 0; }"
}' >callees.c
for name in callers callees; do
    # shellcheck disable=SC2086
    pcc -O1 $BLOCKS $name.c -o $name
    ./$name
    mv mlmon.out $name.out
done

# numbers FILE: lines `NAME CALLS LEAST MOST SURE' of a table of calls.
numbers() {
    table_rows calls least most sure <"$1"
}

# Of by30's 30 calls a fifth is that of few; all others together make 435, so that at least none is.
# The ten with least make 55: 11 of few, and of most 44, of which 372 - 410 and more are certain.
run 0 "$MLPROF" -callers 'few  ' callers callers.out
numbers out >got
[ "$(tail -n 1 got)" = '<others> ~11 0 55 0%' ] || fail "the others are not last"
sort -o got got
awk 'BEGIN {
    for (i = 30; i > 10; i--)
        printf "by%d ~%d 0 %d 0%%\n", i, int((i * 93 + 232) / 465), i
    print "<others> ~11 0 55 0%"
}' | sort >want
same got want
run 0 "$MLPROF" -callees 'by9  |by30  ' callers callers.out
numbers out >got
printf '%s\n' 'most ~24 0 30 0%' 'few ~6 0 30 0%' 'most ~7 0 9 0%' 'few ~2 0 9 0%' >want
same got want

# 466 calls, 31 of to30; of all's 465 the ten with least were called 55 times, once less at least.
run 0 "$MLPROF" -callees 'all  ' callees callees.out
numbers out | sort >got
awk 'BEGIN {
    for (i = 30; i > 10; i--) {
        n = i + (i == 30)
        printf "to%d ~%d %d %d %d%%\n", i, int((n * 465 + 233) / 466), n - 1, n, int(100 * (n - 1) / n + .5)
    }
    print "<others> ~55 54 55 98%"
}' | sort >want
same got want
run 0 "$MLPROF" -arcs 'all  ' callees callees.out
numbers out | sort >got
same got want
# The graph has these, and no box for what was added up.
run 0 "$MLPROF" -call-graph graph callees callees.out
[ "$(grep -c 'tooltip = "all .* -> to' graph)" -eq 20 ] || fail "not twenty arrows"
hasnot graph others

# A direct call, however small, has its row, with the caller's share of the others.
sed 's/return one(all(0)) == 0/return to1(one(all(0))) == 0/; s/x = next\[i\](x);/&\n    x = to2(x);/' callees.c >direct.c
# shellcheck disable=SC2086
pcc -O1 $BLOCKS direct.c -o direct
./direct
run 0 "$MLPROF" -callees 'all  ' direct mlmon.out
numbers out >got
has got '^to2 ~3 2 3 67%$'
has got '^<others> ~53 52 53 98%$'
