#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -keep and -split: the table and the graph, on graphs drawn here by hand.

. "$SRC/testsuite/mlprof.sh"

# drawn FILE: a graph's boxes and arrows by their names, sorted; `=>' is dashed.
drawn() {
    sed -n 's/^\(n[0-9]*\) \[.*label = "\([^\\]*\)\\n.*/box \1 \2/p
        s/^\(n[0-9]*\) -> \(n[0-9]*\)\( \[style = "dashed"\)*.*/arrow \1 \2 \3/p' "$1" |
        awk '$1 == "box" { name[$2] = $3; print $3 }
            $1 == "arrow" { print name[$2], $4 == "" ? "->" : "=>", name[$3] }' | sort
}

# kept EXPRESSION WANT...: the functions in the table, and nothing else, in this order.
kept() {
    kept_text=$1
    shift
    # Options are words.
    # shellcheck disable=SC2086
    run 0 mlprof_short -keep "$kept_text" $SPLIT "$PROG" $DATA
    table_rows cur <out | sed 's/ .*//' | sort | paste -s -d ' ' >got
    echo "$*" >want
    same got want
}
SPLIT=

echo 'Errors.'
example prog
data one 1 0 "$PWD/prog" -- "0 0 $(at prog 0) 1"
run 1 "$MLPROF" -keep '(and all' prog one
has err '^mlprof: option -keep takes an expression, not: (and all (character 1: the parenthesis is not closed)$'
run 1 "$MLPROF" -keep all -keep all prog one
has err '(one is given already; (and ...) or (or ...) makes one of two)$'
run 1 "$MLPROF" -keep all -thresh 1 prog one
has err '^mlprof: options -keep and -thresh cannot be given together$'
refused '-split nobody: no function that was measured matches' "$MLPROF" -split nobody prog one

echo 'Samples.'
recursive
# sq and main call each other, and <deep> main: sq is 55 and 83 on the stack, main 41 and 96.
PROG=prog DATA=one
kept '"sq"' sq
kept '(pred "<deep>")' '<deep>'
kept '(succ "<deep>")' '<deep>' main
kept '(from "<deep>")' '<deep>' main sq
kept '(to "sq")' '<deep>' main sq
kept '(thresh 41)' main sq
kept '(thresh 41.1)' sq
kept '(thresh-stack 83)' main sq
kept '(and (thresh-stack 83) (not (thresh 50)))' main
kept '"<"' '<deep>' '<lost>' '<unprofiled>'
kept '".*prog[.]c: 3$"' sq
# Ways are those on stacks: main called sq, but not where it had been called by <deep> or sq.
run 0 mlprof_short -keep '(or "<deep>" "sq")' -call-graph graph prog one
drawn graph >got
printf '%s\n' '<deep>' sq | holds got

if ! pcc -x c /dev/null -c -o empty.o 2>err; then
    skip "the plugin does not work: $(head -n 1 err)"
fi
# h is inlined in f and in g, and in that one k, as the flag says.
cat >code.c <<'END'
volatile int sink;
static inline __attribute__((always_inline)) void k(void) { sink++; }
static inline __attribute__((always_inline)) void h(int flag)
{
    sink++;
    if (flag)
        k();
    sink++;
}
__attribute__((noipa)) void f(void) { h(0); }
__attribute__((noipa)) void g(void) { sink++; h(1); sink++; }
__attribute__((noipa)) void z(int n) { if (n) { z(n - 1); sink++; } k(); }
int main(void) { f(); for (int i = 0; i < 2; i++) { g(); sink++; } z(1); return 0; }
END
pcc -O1 code.c -o code
PROG=code DATA=
# The tables alone: what is inlined.  Each copy is looked at by itself.
kept_graph() {
    # shellcheck disable=SC2086
    run 0 "$MLPROF" -keep "$1" $SPLIT -call-graph graph $PROG $DATA
    drawn graph >got
    sort >want
    same got want
}
kept_graph all <<'END'
f
f -> h
g
g -> h
h
h -> k
k
main
z
z -> k
END
kept_graph '(from "f")' <<'END'
f
f -> h
h
END
kept_graph '(to "k")' <<'END'
g
g -> h
h
h -> k
k
z
z -> k
END
kept_graph '(or "[fg]" "k")' <<'END'
f
g
g => k
k
END
kept_graph '(pred "h")' <<'END'
f
f -> h
g
g -> h
h
END
kept_graph '(succ (succ "g"))' <<'END'
g
g -> h
h
h -> k
k
END
kept_graph '(and (from "f") (to "k"))' </dev/null
SPLIT='-split h'
kept_graph '(not (or "k" "main" "z"))' <<'END'
f
f -> h
g
g -> h
h
h
END
SPLIT='-split . -split x'
kept_graph '"[kz]"' <<'END'
k
k
z
z -> k
END
SPLIT=

echo 'Counted calls: main calls f once, g twice, z once, that itself once; h is called thrice, k four times.'
pcc -O1 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks code.c -o code
./code
DATA=mlmon.out
kept all f g h k main z
kept '(and)' f g h k main z
kept '(or)'
kept '"[fg]"' f g
kept '(and "[fg]" "[gh]")' g
kept '(or "f" "g")' f g
kept '(not "f")' g h k main z
kept '(pred "h")' f g h
kept '(succ "main")' f g main z
kept '(from "z")' k z
# By function: which of the copies of h called k is not counted.
kept '(from "f")' f h k
kept '(to "f")' f main
# 13 calls: main 1, f 1, g 2, z 2, h 3, k 4.
kept '(thresh 23)' h k
kept '(thresh 30.8)'
kept '(thresh 30.7)' k
kept '(thresh-gc 0)' f g h k main z
kept '(thresh-gc 1)'
kept_graph '(or "main" "k" "z")' <<'END'
k
main
main -> z
main => k
z
z -> k
z -> z
END
run 1 "$MLPROF" -split h code mlmon.out
has err '^mlprof: -split: calls were counted, each function.s, not those of its copies$'

echo 'Copies of functions in C, C++ and Fortran: what they have together is what the function has.'
. "$SRC/testsuite/export/programs.sh"
profiled c pcc c.c
profiled cxx pcxx cxx.cc
profiled bytes pcc c.c -fplugin-arg-ccprof-profile=alloc
programs='c cxx bytes'
# summed FILE: folded stacks, each text once.
summed() {
    awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (at in sum) print at, sum[at] }' "$1" | sort
}
if have "$FC" Fortran; then
    profiled fortran pfc fortran.f90
    programs="$programs fortran"
fi
for name in $programs; do
    run 0 mlprof_short -folded whole "$name" "$name.out"
    rows=$(wc -l <out)
    run 0 mlprof_short -split . -folded copies "$name" "$name.out"
    echo "$name: $rows lines, by copy $(wc -l <out)"
    [ "$(wc -l <out)" -ge "$rows" ] || fail "$name has less copies than functions"
    summed whole >want
    summed copies >got
    cmp -s got want || fail "$name: the copies have other samples than their functions"
    # All that is reached from main, or from what is outside of it: everything.
    run 0 mlprof_short -keep '(or (from "main") (not (from "main")))' "$name" "$name.out"
    [ "$(wc -l <out)" -eq "$rows" ] || fail "$name: not all functions are kept"
done
[ "$(sort -u out | wc -l)" -gt 3 ]
