#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The table by other things than functions, of data written by hand: recursion, phases, two
# modules, what is in no module.

. "$SRC/testsuite/mlprof.sh"

recursive
# by KEY ARGUMENT...: the rows, with cur and stack; of threads there is no column for that.
by() {
    run 0 mlprof_short -by "$@"
    same err /dev/null
    heads='cur stack'
    if [ "$1" = thread ]; then
        heads=cur
        hasnot out ' stack '
    fi
    # Two words.
    # shellcheck disable=SC2086
    table_rows $heads <out | tr -s ' ' >got
}

# main calls sq in 9:12 and is itself in 9:2-9:7; 68 samples are below the first main, which is
# below itself, 25 below the second, 3 in the third.
by line prog one
holds got <<'END'
sq prog.c: 3 55.0 83.0
main prog.c: 9 41.0 96.0
<lost> 2.0 2.0
<unprofiled> 2.0 2.0
<deep> 0.0 3.0
END
by expression prog one
holds got <<'END'
sq prog.c: 3:10 55.0 83.0
main prog.c: 9:2-9:7 41.0 96.0
<lost> 2.0 2.0
<unprofiled> 2.0 2.0
main prog.c: 9:12 0.0 83.0
<deep> 0.0 3.0
END
by file prog one
holds got <<'END'
prog.c 96.0 96.0
<lost> 2.0 2.0
<unprofiled> 2.0 2.0
<deep> 0.0 3.0
END
# The two unprofiled samples are in ./lib; what is below it is not its own.
by module prog one
sed "s,$PWD/,," got >short
holds short <<'END'
prog 96.0 96.0
lib 2.0 2.0
<lost> 2.0 2.0
<deep> 0.0 3.0
END
by copy prog one
holds got <<'END'
sq inlined in main at prog.c: 9 55.0 83.0
main own body 41.0 96.0
<lost> 2.0 2.0
<unprofiled> 2.0 2.0
<deep> 0.0 3.0
END

# 40 samples: 5 in no phase, 8 in `load' alone, 7 in `inner' in `load', 20 in `inner' alone.
example prog main sq
STACK=yes
data two 40 0 "$PWD/prog" -- "0 0 $(at prog 0) 5" \
    '0 label 0x0 0' "1 0 $(at prog 4) 8" '1 label 0x1 0' "2 0 $(at prog 9) 7" \
    '0 label 0x1 0' "1 0 $(at prog 4) 20"
sed -i 's/^counts/label 0 load\nlabel 1 inner\ncounts/' two
by phase prog two
holds got <<'END'
[inner] 67.5 67.5
[load] 20.0 37.5
<no phase> 12.5 12.5
END
by file prog two
echo 'prog.c 100.0 100.0' | holds got

# The same 40 in two threads and in others, and 2 that were lost; a run without threads beside it.
data threads 42 2 "$PWD/prog" -- '0 thread 0x1 0' '1 label 0x0 0' "2 0 $(at prog 4) 8" \
    '0 thread 0x7 0' "1 0 $(at prog 0) 5" '1 label 0x1 0' "2 0 $(at prog 4) 20" \
    '0 thread 0x0 0' "1 0 $(at prog 9) 7"
sed -i 's/^ccprof mlmon 1/ccprof mlmon 2/
    s/^counts/label 0 load\nlabel 1 inner\nthread 0 others\nthread 1 prog\nthread 7 a b\ncounts/' threads
by thread prog threads
holds got <<'END'
[thread 7 a b] 59.5
[thread 1 prog] 19.0
[other threads] 16.7
<unknown> 4.8
END
by phase prog threads
holds got <<'END'
[inner] 47.6 47.6
<no phase> 33.3 33.3
[load] 19.0 19.0
END
by thread prog threads two
holds got <<'END'
<unknown> 51.2
[thread 7 a b] 30.5
[thread 1 prog] 9.8
[other threads] 8.5
END
# A phase that is called like a thread is none.
sed 's/^label 0 load/label 0 thread 1 prog/' threads >alike
by thread prog alike
holds got <<'END'
[thread 7 a b] 59.5
[thread 1 prog] 19.0
[other threads] 16.7
<unknown> 4.8
END
by phase prog alike
holds got <<'END'
[inner] 47.6 47.6
<no phase> 33.3 33.3
[thread 1 prog] 19.0 19.0
END
by file -focus '\[thread 7 ' prog threads
echo 'prog.c 59.5 59.5' | holds got
run 1 "$MLPROF" -by thread prog two
has err '^mlprof: -by thread: samples are not told apart by thread: run the program with CCPROF=threads=yes$'
# Counters have nothing of it.
sed '/^counts/,$d; /^engine\|^clock\|^rate\|^stack\|^samples\|^lost\|^elsewhere\|^label/d; s/^kind time/kind count/' \
    two >counted
printf 'counters\nend\n' >>counted
run 1 "$MLPROF" -by thread prog counted
has err '^mlprof: -by thread: counters are added up over all threads; samples are not: '
# Nothing was sampled: there is nothing to tell apart.
data none 0 0 "$PWD/prog" --
run 0 "$MLPROF" -by thread prog none

# -thresh, -sort and -top are the table's.
by line -thresh 50 prog one
echo 'sq prog.c: 3 55.0 83.0' | holds got
by line -sort stack -top 1 prog one
echo 'main prog.c: 9 41.0 96.0' | holds got
run 0 mlprof_short -by line prog one
has out ' line$'
has out '^ *55\.0% .* 83\.0%  sq  prog\.c: 3$'
# Of what is kept of the stacks.
by file -focus sq prog one
echo 'prog.c 83.0 83.0' | holds got

# Without whole stacks there is no column for them.
STACK=no
data flat 10 0 "$PWD/prog" -- "0 0 $(at prog 4) 10"
run 0 mlprof_short -by file prog flat
has out '^100\.0%  [0-9.-]*  prog\.c$'

run 1 "$MLPROF" -by column prog one
has err 'option -by takes function, copy, line, expression, loop, file, module'
