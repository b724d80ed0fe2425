#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -focus, -ignore and -hide: what is left of the stacks, in every view.

. "$SRC/testsuite/mlprof.sh"
need readelf

# stacks OPTION...: what is left of `one', and the line that says which part.
stacks() {
    run 0 "$MLPROF" -balance false "$@" -folded folded prog one
    same err /dev/null
    sort folded >got
    sort >want
    same got want
    sed -n 2p out >part
}

# part TEXT: the line is this, and `; percentages are of all'.
part() {
    echo "$1; percentages are of all" >want
    same part want
}

recursive
stacks <<'END'
<deep>;main 3
<lost> 2
<unprofiled> 2
main 10
main;main;sq 55
main;main;sq;main 28
END
hasnot out 'percentages are of all'
stacks -focus sq <<'END'
main;main;sq 55
main;main;sq;main 28
END
part '83.0% of the samples: -focus sq'
run 0 mlprof_short -focus sq prog one
{
    echo '1.00 seconds of CPU time'
    cat part
    cat <<'END'
  cur  95% range  stack  function
55.0%  45.2-64.4  83.0%  sq
28.0%  20.1-37.5  83.0%  main
END
} | holds out
stacks -focus sq -focus deep <<'END'
<deep>;main 3
main;main;sq 55
main;main;sq;main 28
END
part '86.0% of the samples: -focus sq, -focus deep'
stacks -ignore '^sq$' <<'END'
<deep>;main 3
<lost> 2
<unprofiled> 2
main 10
END
stacks -focus main -ignore sq -ignore deep <<'END'
main 10
END
part '10.0% of the samples: -focus main, -ignore sq, -ignore deep'
# By the name, or with the position behind it; a place of either is enough.
for focus in 'prog[.]c: 3$' '^sq  ' '^sq$' q; do
    stacks -focus "$focus" <<'END'
main;main;sq 55
main;main;sq;main 28
END
done
# What is hidden goes to the frame around it, if there is one.  The others see it.
stacks -hide sq <<'END'
<deep>;main 3
<lost> 2
<unprofiled> 2
main 10
main;main 55
main;main;main 28
END
part '100.0% of the samples: -hide sq'
stacks -hide main -hide unprofiled -ignore lost <<'END'
<deep> 3
<hidden> 12
sq 83
END
stacks -focus sq -hide sq -hide '^main' <<'END'
<hidden> 83
END
part '83.0% of the samples: -focus sq, -hide sq, -hide ^main'

echo 'The other views.'
run 0 mlprof_short -callers sq -ignore deep -hide lost prog one
has out '^cur 55.0%, stack 83.0%: callers of sq$'
run 0 mlprof_short -callers main -focus sq -hide sq prog one
has out '^cur 83.0%, stack 83.0%: callers of main$'
hasnot out '  sq$'
run 0 mlprof_short -focus sq -call-graph dot -flame flame.svg prog one
has dot '83.0% of the samples: -focus sq; percentages are of all'
has flame.svg '83.0% of the samples: -focus sq; percentages are of all'
hasnot flame.svg '&lt;deep'
hasnot dot '<deep'

run 0 mlprof_short -flame flame.svg prog one
has flame.svg '&lt;deep'

echo 'Errors.'
for option in focus ignore hide; do
    refused "-$option nobody: no function that was measured matches" \
        "$MLPROF" -$option nobody prog one
    # An option that has a match helps none that has not.
    refused "-$option nobody: no function that was measured matches" \
        "$MLPROF" -$option sq -$option nobody prog one
    run 1 "$MLPROF" -$option '(' prog one
    has err "^mlprof: option -$option takes a regular expression, not: ("
done
refused '-focus deep, -ignore main: no stack is left' \
    "$MLPROF" -focus deep -ignore main prog one

STACK=no
data bare 10 0 "$PWD/prog" -- "0 0 $(at prog 4) 10"
run 0 mlprof_short -focus sq prog bare
has err '^mlprof: -focus sq: the data have no stacks: of the calls around a function inlined ones alone are known$'
has out '^100.0% .*  sq$'
