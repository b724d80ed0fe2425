#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The views that are printed instead of the table: callers, callees, listing.

. "$SRC/testsuite/mlprof.sh"
need readelf

recursive
printf 'line %s\n' 1 2 >prog.c
printf '\tline %s\n' 3 4 5 6 7 8 >>prog.c
printf 'nine\001' >>prog.c
touch -r prog prog.c

echo 'Callers and callees.'
run 0 mlprof_short -callers main -callees 'sq  ' prog one
same err /dev/null
holds out <<'END'
1.00 seconds of CPU time

cur 41.0%, stack 96.0%: callers of main
stack  function
93.0%  <outside>
83.0%  main
28.0%  sq
 3.0%  <deep>

cur 55.0%, stack 83.0%: callees of sq
stack  function
28.0%  main
END
run 0 mlprof_short -raw true -show-line true -thresh 83 -callers main prog one
holds out <<'END'
1.00 seconds of CPU time

cur 41.0%, stack 96.0%: callers of main  prog.c: 7
stack  seconds  function
93.0%     0.93  <outside>
83.0%     0.83  main  prog.c: 7
END
# A beginning must match, and the position belongs to the text.
run 0 mlprof_short -callees '.*prog\.c: [3-7]' prog one
[ "$(grep -c ': callees of ' out)" -eq 2 ]
for pattern in ain 'main ..main' 'sqx'; do
    refused "-callers $pattern: no function that was measured matches" mlprof_short -callers "$pattern" prog one
    same out /dev/null
done
# Of several views, too, nothing is shown before all of them have something to show.
for view in callers callees peek list; do
    refused "-$view nobody: no function that was measured matches" \
        mlprof_short -callers main -callees main -peek main -list main -$view nobody -csv written prog one
    same out /dev/null
    [ ! -e written ] || fail "-$view nobody: a file was written"
done
refused '-list nobody: no function that was measured matches' "$MLPROF" -list nobody -csv - prog one
same out /dev/null

echo 'Source.'
untold="mlprof: $PWD/prog.c: the tables do not tell what was compiled there"
run 0 mlprof_short -list 'main|<lost>' -source-text any prog one
echo "$untold; its lines may not be those that were measured" | holds err
holds out <<'END'
1.00 seconds of CPU time

main  prog.c: 7
   cur  stack  line
     .      .     7          line 7
     .      .     8          line 8
 41.0%  96.0%     9  nine\x01
END
run 0 mlprof_short -raw true -list sq -source-dir . prog one
holds out <<'END'
1.00 seconds of CPU time

sq  prog.c: 3
   cur   seconds  stack   seconds  line
 55.0%      0.55  83.0%      0.83     3          line 3
END
run 0 mlprof_short -thresh 97 -list main prog one
hasnot out line
# Compiled elsewhere: the folder is in the tables.
mkdir elsewhere
(cd elsewhere && mlprof_short -list 'sq' -source-dir .. ../prog ../one) >out
has out '    3          line 3$'
# What is not known to be what was compiled is not shown unless it is asked for; of one that is
# gone it is told, once.
run 0 mlprof_short -list 'main|sq' prog one
echo "$untold; its lines are listed without text (-source-text any)" | holds err
hasnot out nine
mv prog.c gone.c
run 0 mlprof_short -list 'main|sq' prog one
[ "$(grep -c 'No such file' err)" -eq 1 ] || fail "told of the same file again"
run 0 mlprof_short -list main prog one
echo "mlprof: $PWD/prog.c: No such file or directory; its lines are listed without text (-source-dir, -source-map)" >want
same err want
holds out <<'END'
1.00 seconds of CPU time

main  prog.c: 7
   cur  stack  line
 41.0%  96.0%     9
END
mkfifo prog.c
run 0 mlprof_short -list main prog one
echo "mlprof: $PWD/prog.c: not a regular file; its lines are listed without text (-source-dir, -source-map)" >want
same err want
rm prog.c

echo 'Data without stacks, and files that cannot be written.'
STACK=no
example prog main sq
data bare 2 0 "$PWD/prog" -- "0 0 $(at prog 0) 1" "0 0 $(at prog 4) 1"
for view in '-callers sq' '-callees main' '-call-graph g' '-flame f'; do
    # shellcheck disable=SC2086
    run 0 mlprof_short $view prog bare
    echo 'mlprof: the data have no stacks: calls are those of inlined functions' >want
    same err want
done
has g '^n0 -> n1 \[label = "[^"0-9]*50\.0%[^"0-9]*"'
run 0 mlprof_short -gray true -call-graph g prog bare
[ "$(grep -c 'color = "gray100"' g)" -eq 2 ] || fail "gray without stacks is not white"
for view in call-graph flame; do
    STACK=yes data whole 1 0 "$PWD/prog" -- "0 0 $(at prog 0) 1"
    refused 'no/where: No such file or directory' mlprof_short -$view no/where prog whole
    [ ! -w /dev/full ] || refused '/dev/full: No space left on device' mlprof_short -$view /dev/full prog whole
done

