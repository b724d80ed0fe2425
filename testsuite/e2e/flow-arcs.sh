#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Who called whom, from the counts of blocks: direct calls exactly, calls by pointers within
# bounds, virtual functions; -arcs, -callers, -callees, the graph. Worked out by hand.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/flow/flow.sh"

# arcs PROGRAM RE: lines `CALLER LINE CALLEE CALLS LEAST MOST SURE'.
arcs() {
    "$MLPROF" -arcs "$2" "$1" mlmon.out |
        awk '/^calls in / { caller = substr($3, 1, length($3) - 1) }
             caller && NF == 6 && $1 ~ /^[0-9]/ { print caller, $1, $2, $3, $4, $5, $6 }'
}

# f is called 88 times, h calls it twice: 86 are by pointers. g's 15 are 14 but for main's. few
# makes 10 calls by pointers, most 90: of these 100, 86 and 14 are wanted, so that most calls f at
# least 76 times, g at least 4 times. In proportion: 8.6 and 1.4, 77.4 and 12.6.
for level in -O0 -O2 "-O3 -flto"; do
    # shellcheck disable=SC2086
    pcc $level $BLOCKS "$SRC/testsuite/flow/pointers.c" -o p
    ./p >output
    has output "^4526 2 1\$"
    arcs ./p '^(few|most|h|main)  ' >got
    cat >want <<'END'
h 11 f 2 2 2 100%
few 20 f ~9 0 10 0%
few 20 g ~1 0 10 0%
main 41 few 1 1 1 100%
main 41 most 1 1 1 100%
main 41 h 1 1 1 100%
main 41 h 1 1 1 100%
main 41 g 1 1 1 100%
main 44 <qsort> 0 0 0 100%
main 45 <printf> 1 1 1 100%
main 45 <strlen> 1 1 1 100%
most 29 f ~77 76 86 88%
most 29 g ~13 4 14 29%
END
    sort got -o got
    sort want -o want
    same got want
done

run 0 "$MLPROF" -callers '^[fg]  ' -callees '^main  ' p mlmon.out
mv out got
cat >want <<'END'
108 ticks

callers of f: cur 81.5%
function calls least most sure
-------- ----- ----- ---- ----
most       ~77    76   86  88%
few         ~9     0   10   0%
h            2     2    2 100%

callers of g: cur 13.9%
function calls least most sure
-------- ----- ----- ---- ----
most       ~13     4   14  29%
few         ~1     0   10   0%
main         1     1    1 100%

callees of main: cur 0.9%
function calls
-------- -----
h            2
g            1
few          1
most         1
END
same got want
same err /dev/null
"$MLPROF" -callers '^main  ' p mlmon.out >out
has out '^<outside>     1$'

# 77 of 108 calls are 71.3 %.
"$MLPROF" -call-graph p.dot p mlmon.out >out
has p.dot ' -> .*label = "[^"]*~71.3%[^"]*".*most .* -> f '
has p.dot ' -> .*label = "[^"~0-9]*1.9%[^"]*".*main .* -> h '
has p.dot 'arrows: calls'

# What qsort calls is one of three for a pointer, too: 101 calls are wanted, 100 were made.
./p x >output
"$MLPROF" -callers '^compare  ' p mlmon.out >got
cat >want <<'END'
109 ticks

callers of compare: cur 0.9%
function  calls least most sure
--------- ----- ----- ---- ----
most         ~1     0    1   0%
few          ~0     0    1   0%
<outside>    ~0     0    1   0%
END
same got want

# With the targets counted nothing is guessed, and what qsort calls is from outside; without
# blocks these are the only calls that are known.
for blocks in "$BLOCKS" -fplugin-arg-ccprof-profile=count; do
    # shellcheck disable=SC2086
    pcc -O2 $blocks -fplugin-arg-ccprof-targets "$SRC/testsuite/flow/pointers.c" -o t
    ./t x >output
    arcs ./t '^(few|most)  ' 2>err >got
    cat >want <<'END'
few 20 f 5 5 5 100%
few 20 g 5 5 5 100%
most 29 f 81 81 81 100%
most 29 g 9 9 9 100%
END
    same got want
    "$MLPROF" -callers '^compare  ' t mlmon.out 2>>err >out
    case $blocks in
    *blocks) has out '^<outside>     1$' ;;
    *)
        hasnot out outside
        has err '^mlprof: t: its blocks are not counted'
        ;;
    esac
done

# A virtual call: nobody else makes one, and nothing else is left of those two.
for level in -O0 -O2; do
    # shellcheck disable=SC2086
    pcxx $level $BLOCKS -fplugin-arg-ccprof-exclude=/usr/ "$SRC/testsuite/flow/virtual.cc" -o v
    ./v >output
    arcs ./v '^ask  ' >got
    cat >want <<'END'
ask 22 derived::value 6 6 6 100%
ask 22 base::value 4 4 4 100%
END
    same got want
    "$MLPROF" -callers '^base::~base  ' v mlmon.out | sed -n 's/ *$//; 6,$p' >got
    cat >want <<'END'
derived::~derived     1
main                  1
END
    same got want
done

# What the compiler has code for is no call; what lies outside has its name in the source.
cat >caught.cc <<'END'
#include <stdexcept>
int check(int n)
{
    if (n > 2)
        throw std::length_error("too long");
    return __builtin_expect(n, 1);
}
int main(int argc, char **)
{
    try {
        return check(argc + 2);
    } catch (std::exception &) {
        return 0;
    }
}
END
# shellcheck disable=SC2086
pcxx -O2 $BLOCKS caught.cc -o caught
./caught
"$MLPROF" -arcs '' caught mlmon.out >out
hasnot out '__builtin_'
has out '^5 *<__cxa_throw> *1 '
has out '^5 *<std::length_error::length_error> *1 '
"$MLPROF" -names full -arcs '' caught mlmon.out >out
has out '^5 *<std::length_error::length_error(char const\*)> *1 '

# Without blocks nothing is known.
pcc -O2 -fplugin-arg-ccprof-profile=count "$SRC/testsuite/flow/pointers.c" -o p
./p >output
run 1 "$MLPROF" -arcs . p mlmon.out
has err '^mlprof: p: its blocks are not counted'
run 1 "$MLPROF" -branch true p mlmon.out
run 0 "$MLPROF" -callers '^[fg]  ' p mlmon.out
has err '^mlprof: p: its blocks are not counted'
