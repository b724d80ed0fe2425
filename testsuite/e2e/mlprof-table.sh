#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The table: every option, several files, no file, and samples outside.

. "$SRC/testsuite/mlprof.sh"
need readelf

example prog main ns::sq

# Half in main (both its points), a quarter in sq, the rest outside or lost.
data one 400 20 "$PWD/prog" /usr/lib/libm.so.6 -- \
    "0 0 $(at prog 0) 150" "0 0 $(at prog 3) 10" "0 0 $(at prog 4) 60" \
    "0 0 $(at prog 8) 40" "0 0 $(at prog 9) 40" "0 0 $(at prog 12) 30" "0 - 0x7fff0000 50"
# 1,000 seconds more, as a tree; the executable was elsewhere.
data two 100000 0 "$PWD/prog" -- "0 0 $(at prog 1) 1" "1 0 $(at prog 5) 99998" \
    "2 0 $(at prog 0) 1"
mkdir elsewhere
cp prog elsewhere
sed 's,/prog$,/elsewhere/prog,' two >three

run 0 mlprof_short prog one
same err /dev/null
holds out <<'END'
4.00 seconds of CPU time
   cur  95% range  function
 50.0%  45.1-54.9  main
 25.0%  21.0-29.5  ns::sq
~20.0%  16.4-24.2  <unprofiled>
  5.0%    3.3-7.6  <lost>
END

run 0 mlprof_short -raw true -show-line true -long-name false prog one
holds out <<'END'
4.00 seconds of CPU time
   cur  95% range  seconds  function
 50.0%  45.1-54.9     2.00  main  prog.c: 7
 25.0%  21.0-29.5     1.00  sq  prog.c: 3
~20.0%  16.4-24.2     0.80  <unprofiled>
  5.0%    3.3-7.6     0.20  <lost>
END

# The least percentage is shown.
run 0 mlprof_short -thresh 25 prog one
holds out <<'END'
4.00 seconds of CPU time
  cur  95% range  function
50.0%  45.1-54.9  main
25.0%  21.0-29.5  ns::sq
END
run 0 mlprof_short -thresh 25.001 prog one
hasnot out ns::sq

cat >sum <<'END'
1,004.00 seconds of CPU time
  cur  95% range   seconds  function
99.7%  99.7-99.7  1,000.98  ns::sq
 0.2%    0.2-0.2      2.02  main
 0.1%    0.1-0.1      0.80  <unprofiled>
 0.0%    0.0-0.0      0.20  <lost>
END
run 0 mlprof_short -raw true prog one two
same out sum
run 0 mlprof_short -raw true prog three one
same out sum
# A list, its words anywhere on its lines; and twice the option.
printf 'one' >list1
printf '\n\n  \ttwo\n' >list2
run 0 mlprof_short -raw true -mlmon list1 -mlmon list2 prog
same out sum
run 0 mlprof_short -raw true -mlmon list2 prog one
same out sum
# Defaults again, and the last word wins.
run 0 mlprof_short -raw false -raw true -tolerant false -show-line false -long-name true prog one two
same out sum
run 0 mlprof_short --raw true -- prog one two
same out sum

refused 'mlmon.out: No such file or directory: run prog in this folder first, or name its data: mlprof prog FILE' \
    "$MLPROF" prog
: >nothing
for option in '-call-graph g' '-mlmon nothing'; do
    # shellcheck disable=SC2086
    run 0 mlprof_short $option prog
    same err /dev/null
done

data idle 0 0 "$PWD/prog" --
run 0 mlprof_short -raw true prog idle
printf '%s\n' '0.00 seconds of CPU time' 'cur  95% range  seconds  function' >want
same out want
echo 'mlprof: no samples: the program used 0 s of CPU time, and one is taken every 0.01 s; let it run longer, or sample more often: CCPROF=rate=10000' >want
same err want
run 0 mlprof_short -raw true prog one idle two
same err /dev/null
same out sum

# What is broken is named and left out.
printf 'junk\n' >junk
sed '$d' one >short
run 0 mlprof_short -raw true -tolerant true prog one junk nowhere two short
same out sum
holds err <<'END'
mlprof: junk: line 1: not a data file of ccprof
mlprof: nowhere: No such file or directory
mlprof: short: line 24: the file is cut off here
END

# MLton's on a terminal: a long name is shortened, so that a row stays in its line: of 40 columns
# the name has 34.  In a file it is whole.
name=a2345678901234567890123456789012345678901234567z
example long $name sq
data three 100 0 "$PWD/long" -- "0 0 $(at long 0) 100"
run 0 mlprof_short -layout mlton long three
has out "^$name 100.0%\$"
if have script 'tables on a terminal'; then
    run 0 script -qec "stty cols 41; $MLPROF -layout mlton -balance false long three" /dev/null
    tr -d '\r' <out | sed 1d >got
    holds got <<'END'
             function               cur  
---------------------------------- ------
...890123456789012345678901234567z 100.0%
END
    # Not below 24 columns, however narrow the terminal is.
    run 0 script -qec "stty cols 10; $MLPROF -layout mlton -balance false long three" /dev/null
    tr -d '\r' <out | grep -qx '\.\.\.89012345678901234567z 100.0%'
fi

# There, what is longer than 80 columns pushes its own row's numbers alone.
name=b$(printf '%0100d' 0)
example longer "$name" sq
data four 100 0 "$PWD/longer" -- "0 0 $(at longer 0) 60" "0 0 $(at longer 10) 40"
run 0 mlprof_short -layout mlton longer four
sed 1d out >got
{
    printf '%36s%s%37s%s\n' '' function ' cur ' ''
    printf '%080d %s\n' 0 ----- | tr 0 -
    printf '%s 60.0%%\n' "$name"
    printf '%-80s 40.0%%\n' sq
} >want
