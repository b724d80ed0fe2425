#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Folded stacks; what all formats have in common: standard output, compression, errors.

. "$SRC/testsuite/mlprof.sh"
need readelf gzip

recursive

echo 'Stacks made by hand.'
# Two calls of main from main are one stack; what is outside belongs to the frame around it.
cat >want <<'END'
<unprofiled> 2
main 10
main;main;sq 55
main;main;sq;main 28
<deep>;main 3
<lost> 2
END
cp want stacks
run 0 mlprof_short -folded got prog one
has out 'sq' # the table is there as well
same got stacks
run 0 "$MLPROF" -folded - prog one
same out stacks
same err /dev/null
run 0 "$MLPROF" -folded got.gz prog one
gzip -dc got.gz >unpacked
same unpacked stacks
STACK=no

echo 'Names.'
example odd 'operator;(a  b)' 'new\nline'
data odd.out 3 0 "$PWD/odd" -- "0 0 $(at odd 0) 1" "0 0 $(at odd 4) 2"
run 0 "$MLPROF" -folded - odd odd.out
holds out <<'END'
operator:(a  b) 1
operator:(a  b);new\x0aline 2
END

echo 'Nothing was measured.'
run 0 "$MLPROF" -folded - prog
same out /dev/null
data none 0 0 "$PWD/prog" --
run 0 "$MLPROF" -folded - prog none
same out /dev/null

echo 'What cannot be written.'
echo before >kept
refused "prog: its blocks are not counted; compile with -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks" \
    "$MLPROF" -gcov kept prog one
has kept '^before$'
refused "missing/file: No such file or directory" "$MLPROF" -folded missing/file prog one
same out /dev/null
refused 'standard output: only one file can be written there' "$MLPROF" -folded - -flame - prog one
if [ -w /dev/full ]; then
    # shellcheck disable=SC2016
    refused 'standard output: No space left on device' sh -c '"$MLPROF" -folded - prog one >/dev/full'
fi
