#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Who called whom, from the counts of blocks: direct calls exactly, calls by pointers within
# bounds, virtual functions; -arcs, -callers, -callees, the graph. Worked out by hand.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/flow/flow.sh"

# arcs PROGRAM RE: lines `CALLER LINE CALLEE CALLS LEAST MOST SURE'.
arcs() {
    "$MLPROF" -arcs "$2" "$1" mlmon.out | table_rows TITLE line calls least most sure |
        awk '$2 == "calls" && $3 == "in" && NF == 9 && $5 ~ /^[0-9]/ { print $4, $5, $1, $6, $7, $8, $9 }'
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

cur 81.5%: callers of f
calls  least  most  sure  function
  ~77     76    86   88%  most
   ~9      0    10    0%  few
    2      2     2  100%  h

cur 13.9%: callers of g
calls  least  most  sure  function
  ~13      4    14   29%  most
   ~1      0    10    0%  few
    1      1     1  100%  main

cur 0.9%: callees of main
calls  function
    2  h
    1  g
    1  few
    1  most
END
same got want
same err /dev/null
"$MLPROF" -callers '^main  ' p mlmon.out >out
has out '^    1  <outside>$'

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

cur 0.9%: callers of compare
calls  least  most  sure  function
   ~1      0     1    0%  most
   ~0      0     1    0%  few
   ~0      0     1    0%  <outside>
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
    *blocks) has out '^    1  <outside>$' ;;
    *)
        hasnot out outside
        has err '^mlprof: t: its blocks are not counted'
        ;;
    esac
done

# The queens of figures 3 to 5 of Waddell and Ashley. On a board of 4 the first solution is found behind
# 8 queens put (g); rows end 4 times (h), and columns are taken 18 times (k), of which 7 by a diagonal.
# So 8 + 4 + 18 columns are tried, and the equations leave one way:
#     arc(g,7) = count(7) = 8, arc(h,6) = count(6) = 4, arc(h,8) = count(8) = 0,
#     count(2) = arc(b,2) + arc(j,2) = 1 + 8, count(5) = arc(e,5) + arc(f,5) + arc(k,5) = 8 + 4 + 18.
# On a board of 3, which has none, 5 are put, rows end 6 times, the last time for good, 13 are taken.
cat >want.4 <<'END'
a solve 1
b queens 1
c solved 1
d place_queen 8
e try_column 8
f try_column 4
g next_queen 8
h again 4
i on_diagonal 15
j queens 8
k try_column 18
END
cat >want.3 <<'END'
a solve 1
b queens 1
c <outside> 0
d place_queen 6
e try_column 6
f try_column 5
g next_queen 5
h again 5
h none 1
i on_diagonal 11
j queens 5
k try_column 13
END
# by_letters PROGRAM: lines `SITE CALLEE CALLS'.
by_letters() {
    arcs "./$1" '' | while read -r _ line callee calls _; do
        letter=$(sed -n "$line s,.*; /\* \(.\) \*/\$,\1,p" "$SRC/testsuite/flow/queens.c")
        [ -z "$letter" ] || [ "$callee" = '<puts>' ] || echo "$letter $callee $calls"
    done | sort
}
for level in -O0 -O2; do
    # shellcheck disable=SC2086
    pcc $level $BLOCKS -fplugin-arg-ccprof-targets "$SRC/testsuite/flow/queens.c" -o q
    for size in 3 4; do
        ./q $size >output
        by_letters q >got
        same got want.$size
    done
done

# The same without counted targets: any of the three sites may have called any of the three, 13 calls.
# g, which makes 8, calls the one that is called 8 times at least 3 times.
# shellcheck disable=SC2086
pcc -O2 $BLOCKS "$SRC/testsuite/flow/queens.c" -o q
./q 4 >output
arcs ./q '^(queens|try_column)  ' | awk '$5 != $6 { print $1, $3, $4, $5, $6, $7 }' | sort >got
cat >want <<'END'
queens again ~0 0 1 0%
queens next_queen ~1 0 1 0%
queens solved ~0 0 1 0%
try_column again ~1 0 4 0%
try_column again ~2 0 4 0%
try_column next_queen ~2 0 4 0%
try_column next_queen ~5 3 8 38%
try_column solved ~0 0 1 0%
try_column solved ~1 0 1 0%
END
same got want

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
    "$MLPROF" -callers '^base::~base  ' v mlmon.out | table_rows calls >got
    printf '%s\n' 'derived::~derived 1' 'main 1' >want
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
has out '^ *1 .* 5  <__cxa_throw>$'
has out '^ *1 .* 5  <std::length_error::length_error>$'
"$MLPROF" -names full -arcs '' caught mlmon.out >out
has out '^ *1 .* 5  <std::length_error::length_error(char const\*)>$'

# Without blocks nothing is known.
pcc -O2 -fplugin-arg-ccprof-profile=count "$SRC/testsuite/flow/pointers.c" -o p
./p >output
run 1 "$MLPROF" -arcs . p mlmon.out
has err '^mlprof: p: its blocks are not counted'
run 1 "$MLPROF" -branch true p mlmon.out
run 0 "$MLPROF" -callers '^[fg]  ' p mlmon.out
has err '^mlprof: p: its blocks are not counted'
