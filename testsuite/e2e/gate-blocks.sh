#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -gate-write and -gate of a program whose blocks are counted: how often lines were executed and outcomes
# of branches came, and what is said of what was compared.
. "$SRC/testsuite/mlprof.sh"

cat >prog.c <<'EOF'
#include <stdlib.h>
#ifndef EACH
#define EACH 4
#endif
static int work(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
#ifdef REMARK
        /* A remark moves the lines.  */
#endif
        if (i % EACH == 0)
            s += 3;
        else
            s -= 1;
#ifdef MORE
    s *= 2;
#endif
    return s;
}
int main(int argc, char **argv)
{
    (void)argc;
    return work((int)strtol(argv[1], NULL, 10)) == 77;
}
EOF
# built OUT FLAG...
built() {
    built_out=$1
    shift
    pcc -fplugin-arg-ccprof-profile=count "$@" prog.c -o "$built_out"
}

# The format, with numbers that the source tells: the head of each function is a line, too, and each
# round asks for the next.
built prog -O2 -fplugin-arg-ccprof-blocks
./prog 1000
run 0 "$MLPROF" -gate-write base prog mlmon.out
same err /dev/null
tr '\t' '|' <base >got
holds got <<'EOF'
ccprof baseline 2
measures calls executions
1 main|prog.c
 1 1|lines
1 work|prog.c
 1 1 1001 1000 250 750 1|lines
 1 750|case false
 1000 250|case true
end
EOF
run 0 "$MLPROF" -gate base prog mlmon.out
echo '2 functions as in base: calls, executions of 9 lines, 4 outcomes of branches' | holds out
run 0 "$MLPROF" -gate base -gate-threshold 5 prog mlmon.out
echo '2 functions within 5 % of base: calls, executions of 9 lines, 4 outcomes of branches' | holds out

# The same with branch, from other levels and with LTO, and behind a remark.
for flags in -O0 -O1 '-O3 -g' '-O2 -flto' '-O2 -fplugin-arg-ccprof-branch' '-O2 -DREMARK'; do
    # shellcheck disable=SC2086
    built other -fplugin-arg-ccprof-blocks $flags
    ./other 1000
    run 0 "$MLPROF" -gate-write again other mlmon.out
    same again base
    run 0 "$MLPROF" -gate base other mlmon.out
done

# Three more of a hundred rounds, of which no call tells; 5 % let them pass, and are told.
./prog 1030
run 3 "$MLPROF" -gate base -gate-threshold 2.9 prog mlmon.out
holds out <<'EOF'
baseline   now  change    in %  of          function
    1001  1031     +30  +3.00%  executions  work  prog.c: 8
    1000  1030     +30  +3.00%  executions  work  prog.c: 12
     250   258      +8  +3.20%  executions  work  prog.c: 13
     750   772     +22  +2.93%  executions  work  prog.c: 15
     750   772     +22  +2.93%  branches    work.<case false>  prog.c: 12
    1000  1030     +30  +3.00%  branches    work.<case true>  prog.c: 8
     250   258      +8  +3.20%  branches    work.<case true>  prog.c: 12
EOF
echo 'mlprof: base: 1 of 2 functions differ by more than 2.9 %' | holds err
run 0 "$MLPROF" -gate base -gate-threshold 5 prog mlmon.out
has out '^2 functions within 5 % of base: '
built branch -O2 -fplugin-arg-ccprof-branch
./branch 1030
run 3 "$MLPROF" -gate base branch mlmon.out
has err '^mlprof: base: 1 of 2 functions differ by more than 0 %$'

# What only goes another way: the sum of the lines is the same.
built half -O2 -DEACH=2 -fplugin-arg-ccprof-blocks
./half 1000
run 3 "$MLPROF" -gate base -gate-threshold 30 half mlmon.out
holds out <<'EOF'
baseline  now  change      in %  of          function
     250  500    +250  +100.00%  executions  work  prog.c: 13
     750  500    -250   -33.33%  executions  work  prog.c: 15
     750  500    -250   -33.33%  branches    work.<case false>  prog.c: 12
     250  500    +250  +100.00%  branches    work.<case true>  prog.c: 12
EOF

# A line more: which of them is new is not known; all of the function are compared as one.
built more -O2 -DMORE -fplugin-arg-ccprof-blocks
./more 1000
run 3 "$MLPROF" -gate base more mlmon.out
holds out <<'EOF'
baseline   now  change    in %  of                            function
    3004  3005      +1  +0.03%  executions (lines: 7, now 8)  work
EOF
run 0 "$MLPROF" -gate base -gate-threshold 1 more mlmon.out
holds out <<'EOF'
2 functions within 1 % of base: calls, executions of 2 lines, 4 outcomes of branches, 1 sum of what has more or fewer of these now
EOF

# As data.
./prog 1030
run 3 "$MLPROF" -gate base -gate-threshold 3.1 -json - -csv differences prog mlmon.out
python3 - out <<'EOF'
import json, sys
found = json.load(open(sys.argv[1]))
assert (found["functions"], found["functions_beyond"]) == (2, 1), found
assert (found["lines"], found["outcomes"], found["sums"]) == (9, 4, 0), found
rows = [(r["symbol"], r["line"], r["measure"], r["outcome"], r["baseline"], r["now"])
        for r in found["differences"]]
assert rows == [("work", 13, "executions", None, 250, 258),
                ("work", 12, "branches", "true", 250, 258)], rows
EOF
tr -d '\r' <differences >lines
has lines '^function,symbol,file,line,measure,baseline,now,outcome$'
has lines '^work,work,prog\.c,12,branches,250,258,true$'

# A baseline of calls alone compares calls alone, and says so; one with executions needs them.
built calls -O2
./calls 1000
run 0 "$MLPROF" -gate-write calls.base calls mlmon.out
has calls.base '^ccprof baseline 1$'
refused 'base: has executions of lines, which the data have not: compile with -fplugin-arg-ccprof-profile=count and -fplugin-arg-ccprof-blocks' \
    "$MLPROF" -gate base calls mlmon.out
./prog 1030
run 0 "$MLPROF" -gate calls.base prog mlmon.out
echo '2 functions as in calls.base: calls; counted now, but not in the baseline: executions of lines, outcomes of branches' |
    holds out

# The calls of a function that is new or gone tell of its lines.
sed '/work/,/true/d' base >without
run 3 "$MLPROF" -gate without prog mlmon.out
holds out <<'EOF'
baseline  now  change  in %  of     function
       0    1      +1   new  calls  work
EOF
# One that had no lines in the baseline: its file was compiled without blocks.
sed '/^ .*lines$/d; /case/d' base >bare
run 3 "$MLPROF" -gate bare prog mlmon.out
has out '^ *0 *2  *+2  *new  executions (lines: 0, now 2)  *main$'

# What is no baseline.
wrong() {
    refused "bad: line $1" "$MLPROF" -gate bad prog mlmon.out
}
sed 's/baseline 2/baseline 1/' base >bad
wrong "2: it should be \`measures' and calls, bytes blocks, or calls bytes blocks"
sed 's/calls exec/exec/' base >bad
wrong "2: it should be \`measures' and calls, bytes blocks, or calls bytes blocks, and executions or nothing"
sed 's/ executions$//' base >bad
wrong '4: points, of which nothing was told, or of no function'
sed '/main/d' base >bad
wrong '3: points, of which nothing was told, or of no function'
sed 's/^ 1 1	/ 1 x	/' base >bad
wrong '4: a number is missing'
sed 's/^ 1 1	lines/ 1 1lines/' base >bad
wrong "4: a tab and \`lines' or \`case' with its outcome are missing"
sed 's/^ 1 1	lines/ 1 1	line/' base >bad
wrong "4: a tab and \`lines' or \`case' with its outcome are missing"
sed 's/case false/case /' base >bad
wrong "7: a tab and \`lines' or \`case' with its outcome are missing"
sed 's/case true/case false/' base >bad
wrong '8: the points of a function are not in their order'
sed 's/^ 1 1	/ 1 18446744073709551615	/' base >bad
wrong '4: the counts are more than can be'
