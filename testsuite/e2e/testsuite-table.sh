#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the other tests read in mlprof's tables: cells by their heads, rows by their names; and a head that
# is not there is an error, since what nobody finds would be 0.
. "$SRC/testsuite/lib.sh"

cat >table <<'END'
1,234.50 seconds of CPU time
   cur  95% range   seconds  stack   seconds      calls      per call  function
 59.0%  49.2-68.1    728.36  83.0%  1,024.60  1,234,567  43.3ms +-17%  main  prog.c: 7
~41.0%  31.9-50.8    506.14   3.0%     37.00          -             -  ns::a b
  0.0%    0.0-3.7      0.00   2.0%     24.00          0             -  ns::a b
 ~0.0%    0.0-3.7      0.00   0.0%      0.00          0             -  [a \ b]

100 samples: shares are good to +-9.6 points; +-1: CCPROF=rate=9600, or 96 runs
sampled 1,234.50 s of 1,234.50 s CPU time (100.0 %), engine task-clock at 100 Hz, 1 thread
END

# read_rows HEAD...: the rows are what `want' says.
read_rows() {
    table_rows "$@" <table >got
    same got want
}
cat >want <<'END'
main  prog.c: 7 59.0 728.36 1024.60
ns::a b 41.0 506.14 37.00
ns::a b 0.0 0.00 24.00
[a \ b] 0.0 0.00 0.00
END
read_rows cur seconds 'stack seconds'
cat >want <<'END'
main  prog.c: 7 43.3ms +-17% 1234567 83.0
ns::a b - - 3.0
ns::a b - 0 2.0
[a \ b] - 0 0.0
END
read_rows 'per call' calls stack

# cell NAME HEAD WANT
cell() {
    got=$(table_cell "$1" "$2" <table)
    [ "$got" = "$3" ] || fail "$1 has $got under $2, not $3"
}
cell 'ns::a b' cur 41
cell 'ns::a b' 'stack seconds' 61
cell 'main  prog.c: 7' calls 1234567
cell '[a \ b]' stack 0
cell main cur 0
cell '100 samples' cur 0

# nowhere FILE HEAD: there is no such column.
nowhere() {
    for command in "table_rows $2" "table_cell main $2"; do
        # Its words are words.
        # shellcheck disable=SC2086
        run 1 $command <"$1"
        echo "no table with the heads $2" >want
        same out want
        same err want
    done
}
nowhere table bytes
nowhere table function
nowhere /dev/null cur

# Tables of several functions, of which not all have each column; and columns of texts.
cat >tables <<'END'
108 ticks

cur 81.5%: callers of f
calls  least  most  sure  function
  ~77     76    86   88%  most
    2      2     2  100%  h

cur 0.9%: callers of main
calls  function
    1  <outside>
END
table_rows TITLE calls <tables >got
cat >want <<'END'
most cur 81.5%: callers of f ~77
h cur 81.5%: callers of f 2
<outside> cur 0.9%: callers of main 1
END
same got want
table_rows sure <tables >got
printf '%s\n' 'most 88%' 'h 100%' >want
same got want
cat >sites <<'END'
30,000 bytes allocated
  cur   bytes  blocks  allocator     type         site
80.0%  24,000   3,000  operator new  struct node  get  a.c: 6
20.0%   6,000       2  calloc        double       main  a.c: 17
END
table_rows bytes blocks allocator type <sites >got
printf '%s\n' 'get  a.c: 6 24000 3000 operator new struct node' 'main  a.c: 17 6000 2 calloc double' >want
same got want
