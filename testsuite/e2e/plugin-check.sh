#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The checker finds a seeded fault, and none in the programs of the testsuite.
# Without optimisation there are no markers.
. "$SRC/testsuite/plugin/plugin.sh"

# checked COMPILER OPTIONS...
checked() {
    checked_compiler=$1
    shift
    "$checked_compiler" -fplugin="$PLUGIN" -fplugin-arg-ccprof-check "$@" -c -o a.o
}

# The function's name, and the block without its Leave.
cat >fault.c <<'END'
int good(int x) { return x + 1; }
int other(int x) { return x ? good(x) : 3; }
END
for level in -O1 -O2 -O3; do
    run 0 checked "$CC" $level -fplugin-arg-ccprof-fault=other fault.c
    has err "^fault.c:2:5: warning: ccprof: after pass 'ccprof_mark': function 'other', block [0-9][0-9]*: \
return where the local stack is not empty\$"
    hasnot err "'good'"
    has err '^cc1: note: ccprof: checked [1-9][0-9]* functions between passes: [1-9][0-9]* markers, 1 faults'
    run 0 checked "$CC" $level fault.c
    hasnot err 'warning'
    has err ' markers, 0 faults, '
done
run 0 checked "$CXX" -O2 -x c++ -fplugin-arg-ccprof-fault=other fault.c
has err "function 'other', block "

# The fault is in nothing but the checker's report.
run 1 checked "$CC" -O2 -Werror -fplugin-arg-ccprof-fault=other fault.c

# A fault that a pass makes is found behind that pass, whichever it is; the function needs
# loops and more for passes to run on it.
cat >every.c <<'END'
struct pair { double first, second; };
int good(int x, struct pair *p) { p->first += x; return x > 7 ? x + 1 : x; }
double other(int n, struct pair *p, double *a)
{
    for (int i = 0; i < n; i++) {
        a[i] = a[i] * 2 + good(i, p);
        switch (n & 7) {
        case 1: p->first = a[i]; break;
        case 2: p->second = p->first; break;
        case 5: p->second += 3; break;
        case 6: p->second *= 3; break;
        }
    }
    return p->second;
}
END
checked "$CC" -O3 -fdump-passes every.c 2>&1 | awk '/ ON/ && $1 !~ /^rtl/ { print $1 }' |
    sed 's/^tree-//; s/^ipa-//; s/[0-9]*$//' |
    awk '$1 == "ccprof_infer" { exit } seen { print } $1 == "ccprof_mark" { seen = 1 }' | sort -u >passes
while read -r pass; do
    checked "$CC" -O3 "-fplugin-arg-ccprof-fault=other@$pass" every.c 2>err || fail "$(cat err)"
    sed -n "/warning/{s/.*after pass '\([^']*\)': function 'other', block [0-9]*: \
a marker whose scope is not in this function\$/\1 $pass/p;q;}" err
done <passes >found
awk '$1 != $2' found >wrong
same wrong /dev/null
echo "$(wc -l <found) passes of $(wc -l <passes); the others have nothing to do there"
[ "$(wc -l <found)" -ge 90 ] || fail "few passes: $(cat found)"

# The programs of every language; and at the link.
export CC CXX FC PLUGIN SRC O
"$SRC/testsuite/check-markers.sh" -O1 -O2 -O3 -- small
for level in -O2 -O3; do
    run 0 pcc $level -flto -fplugin-arg-ccprof-check "$SOURCES/stack.c" -o linked
    [ "$(grep -c 'checked [1-9][0-9]* functions between passes: [1-9][0-9]* markers, 0 faults, ' err)" -ge 2 ] ||
        fail "not the compiler and the linker: $(cat err)"
done
