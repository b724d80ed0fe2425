#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -hot-path: from callee to callee, as long as one has more than half of it.

. "$SRC/testsuite/mlprof.sh"

# path OPTION...: what it prints behind the first lines.
path() {
    run 0 "$MLPROF" -balance false -layout ccprof -hot-path "$@"
    sed 1d out >got
}

# By the folded stacks: 10 samples are main's own, 83 are below the main that it calls and in sq
# there, of which 55 are its own, and the third main has 28 of the 83: less than half.
recursive
run 0 "$MLPROF" -folded stacks prog one
has stacks '^main 10$'
has stacks '^main;main;sq 55$'
has stacks '^main;main;sq;main 28$'
path prog one
holds got <<'END'
stack    cur  function
93.0%  10.0%  main
83.0%   0.0%  main
83.0%  55.0%  sq
END
# What is hidden belongs to the function around it.
path -focus '^main$' -hide '^sq$' -show-line true prog one
holds got <<'END'
96.0% of the samples: -focus ^main$, -hide ^sq$; percentages are of all
stack    cur  function
93.0%  10.0%  main  prog.c: 7
83.0%  55.0%  main  prog.c: 7
END
path -top 1 prog one
holds got <<'END'
stack    cur  function
93.0%  10.0%  main
END
path -thresh 90 prog one
holds got <<'END'
stack    cur  function
93.0%  10.0%  main
END

echo 'As data.'
run 0 "$MLPROF" -hot-path -csv path.csv prog one
tr -d '\r' <path.csv >lines
holds lines <<'END'
level,function,file,line,samples,time_ns,stack_samples,stack_time_ns,bytes,stack_bytes
0,main,prog.c,7,10,100000000,93,930000000,,
1,main,prog.c,7,0,0,83,830000000,,
2,sq,prog.c,3,55,550000000,83,830000000,,
END
