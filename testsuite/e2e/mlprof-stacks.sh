#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whole stacks: the table's columns, recursion, what is outside, the balance.

. "$SRC/testsuite/mlprof.sh"
need readelf objcopy strip nm

example prog main sq
cat >ext.s <<'END'
        .text
        .fill 4, 1, 6
        .globl outer
        .type outer, %function
outer:  .fill 16, 1, 6
        .size outer, 16
        .fill 4, 1, 6
inner:  .fill 8, 1, 6
        .globl again
        .type again, %function
again:  .fill 8, 1, 6
        .size again, 8
        .section .note.GNU-stack, "", %progbits
END
"$CC" -nostdlib -shared -Wl,--build-id=sha1 ext.s -o ext.so
ext=$((0x$(nm ext.so | awk '$3 == "outer" { print $1 }')))
# in_ext OFFSET: an address by its distance from `outer'.
in_ext() {
    printf '0x%x\n' $((ext + $1))
}

# The executable starts with 4 bytes of main, then 5 of sq in main, then 3 of main.  From
# ext.so main, which calls itself from main (30 in sq, 20 in the call, 8 in ext.so below),
# or from the end of main (25); 3 samples in main below frames that were left out, and
# two outside.
STACK=yes
data one 100 2 "$PWD/prog" "$PWD/ext.so" -- \
    "0 1 $(in_ext 0) 0" "1 0 $(at prog 0) 10" "2 0 $(at prog 4) 30" "3 0 $(at prog 9) 20" \
    "4 1 $(in_ext 15) 8" "1 0 $(at prog 9) 0" "2 0 $(at prog 5) 25" \
    "0 - 0x0 0" "1 0 $(at prog 1) 3" "0 1 $(in_ext 16) 2"

run 0 "$MLPROF" -raw true prog one
same err /dev/null
sed -i "s,$PWD/,FOLDER/," out
holds out <<'END'
1.00 seconds of CPU time
   cur  95% range  seconds  stack  seconds  function
 55.0%  45.2-64.4     0.55  83.0%     0.83  sq
~41.0%  31.9-50.8     0.41  96.0%     0.96  main
  2.0%    0.6-7.0     0.02   2.0%     0.02  <lost>
 ~2.0%    0.6-7.0     0.02   2.0%     0.02  <unprofiled>
  0.0%    0.0-3.7     0.00   3.0%     0.03  <deep>

100 samples: shares are good to +-9.6 points; +-1: CCPROF=rate=9600, or 96 runs
~ not certainly less than the row above
sampled 1.00 s of 1.00 s CPU time (100.0 %), engine task-clock at 100 Hz, 1 thread
unsampled 0.00 s, <lost> 0.02 s, skid corrected
0.10 s (10.0 %) in code without ccprof, charged to its callers or <unprofiled>:
    0.10 s (10.0 %) in FOLDER/ext.so
compile that with ccprof if you can, or see its functions: -show-extern true
END
run 0 "$MLPROF" -balance false -thresh 41 prog one
holds out <<'END'
1.00 seconds of CPU time
   cur  95% range  stack  function
 55.0%  45.2-64.4  83.0%  sq
~41.0%  31.9-50.8  96.0%  main
END

# By the inclusive column; equal ones as before.
run 0 mlprof_short -sort stack prog one
holds out <<'END'
1.00 seconds of CPU time
  cur  95% range  stack  function
41.0%  31.9-50.8  96.0%  main
55.0%  45.2-64.4  83.0%  sq
 0.0%    0.0-3.7   3.0%  <deep>
 2.0%    0.6-7.0   2.0%  <lost>
 2.0%    0.6-7.0   2.0%  <unprofiled>
END
run 0 mlprof_short -sort stack -sort cur -thresh 41 prog one
sed -n 3p out >got
echo ' 55.0%  45.2-64.4  83.0%  sq' >want
same got want

# The functions outside.  Behind `outer' no symbol reaches.
cat >extern <<'END'
1.00 seconds of CPU time
  cur  95% range  stack  function
55.0%  45.2-64.4  83.0%  sq
33.0%  24.6-42.7  96.0%  main
 8.0%   4.1-15.0  93.0%  <outer>
~2.0%    0.6-7.0   2.0%  <ext.so>
~2.0%    0.6-7.0   2.0%  <lost>
 0.0%    0.0-3.7   3.0%  <deep>
END
run 0 mlprof_short -show-extern true prog one
same out extern
same err /dev/null
sed "s/$(in_ext 16)/$(in_ext 20)/" one >two
run 0 mlprof_short -show-extern true prog two
sed 's/<ext.so>/<inner>/' extern >want
same out want
# A symbol without a size reaches to the next.
sed "s/$(in_ext 16)/$(in_ext 28)/" one >two
run 0 mlprof_short -show-extern true prog two
sed '/<ext.so>/d; /<outer>/a\
~2.0%    0.6-7.0   2.0%  <again>' extern >want
same out want

# Without .symtab: exported names; then in a debug file the others.
sed "s/$(in_ext 16)/$(in_ext 20)/" one >two
cp ext.so whole.so
strip ext.so
run 0 mlprof_short -show-extern true prog two
same out extern
objcopy --only-keep-debug whole.so ext.debug
objcopy --add-gnu-debuglink=ext.debug ext.so
run 0 mlprof_short -show-extern true prog two
sed 's/<ext.so>/<inner>/' extern >want
same out want
# Of another build, or gone: no names.
mv ext.so keep.so
"$CC" -nostdlib -shared -Wl,--build-id=sha1 -Wl,-Ttext=0x3000 ext.s -o ext.so
run 0 mlprof_short -show-extern true prog one
has out '10.0%  *[0-9.]*-[0-9.]*  95.0%  <ext.so>$'
hasnot out outer
rm ext.so
run 0 mlprof_short -show-extern true prog one
has out '10.0%  *[0-9.]*-[0-9.]*  95.0%  <ext.so>$'
has err "^mlprof: $PWD/ext.so: No such file or directory; its code counts as unprofiled\$"
mv keep.so ext.so
# In no module; in the executable, outside of its functions.
data three 10 0 "$PWD/prog" -- "0 0 $(at prog 100) 0" "1 - 0x7fff0000 4" "0 - 0x0 6"
run 0 mlprof_short -show-extern true prog three
holds out <<'END'
0.10 seconds of CPU time
   cur   95% range   stack  function
100.0%  72.2-100.0  100.0%  <unknown>
  0.0%    0.0-27.8   40.0%  <prog>
END
run 0 mlprof_short prog three
has out '^100.0%  *[0-9.]*-100.0  100.0%  <unprofiled>$'

# Data without stacks among them: no columns that would not be true.
STACK=no
data bare 100 0 "$PWD/prog" -- "0 0 $(at prog 4) 100"
run 0 mlprof_short -sort stack prog one bare
holds out <<'END'
2.00 seconds of CPU time
  cur  95% range  function
77.5%  71.2-82.7  sq
20.5%  15.5-26.6  main
 1.0%    0.3-3.6  <lost>
~1.0%    0.3-3.6  <unprofiled>
END
cp out table
left='stacks: what only stacks tell, the column stack for example, is left out'
echo "mlprof: bare: measured without stacks, the data before it with $left" >want
same err want
run 0 mlprof_short prog bare one
same out table
echo "mlprof: one: measured with stacks, the data before it without $left" >want
same err want
# It is told once, and not of files that hold no samples.
run 0 mlprof_short prog bare one one
same err want
data idle 0 0 "$PWD/prog" --
STACK=yes
data busy 1 0 "$PWD/prog" -- "0 0 $(at prog 4) 1"
run 0 mlprof_short prog busy idle busy
same err /dev/null
has out ' stack '
STACK=no

# Other clocks and engines.  Of 200 samples 25, an eighth, may have gone by the tick.
sed 's/^engine .*/engine thread-timer/; s/^waits .*/waits 25/; s/^threads .*/threads 2/' one >ticks
run 0 "$MLPROF" prog one ticks
grep -A 2 "^sampled" out >got
holds got <<'END'
sampled 2.00 s of 2.00 s CPU time (100.0 %), engine task-clock and thread-timer at 100 Hz, 3 threads, 2 data files
unsampled 0.00 s, <lost> 0.04 s, skid corrected
warning: the program waited 0.12 times a sample: it may beat with the kernel's tick, by which the engine samples, and shares be wrong by up to 12 points
END
sed 's/^waits .*/waits 10/' ticks >few
run 0 "$MLPROF" prog few
hasnot out warning
sed 's/^engine .*/engine wall-timer/; s/^clock .*/clock wall/; s/^wall .*/wall 1500000000/' one >wall
run 0 "$MLPROF" prog wall
has out '^1.00 seconds on the clock$'
has out '^sampled 1.00 s on the clock, all threads together, in 1.50 s with 1.00 s CPU time, engine wall-timer at 100 Hz, 1 thread$'
