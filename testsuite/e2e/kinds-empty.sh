#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A program that does nothing writes its data file, too, and has a report: whatever the kind.
. "$SRC/testsuite/lib.sh"

echo 'int main(void) { return 0; }' >prog.c
for kind in time time-field count alloc time,count time-field,count time-field,alloc; do
    case $kind-$(uname -m) in
    *field*-x86_64) ;;
    *field*) continue ;;
    esac
    for options in -O0 -O2 "-O2 -flto" "-O2 -g -fPIC"; do
        echo "$kind $options"
        # shellcheck disable=SC2086
        pcc -fplugin-arg-ccprof-profile=$kind $options prog.c -o prog
        rm -f mlmon.out
        ./prog
        [ -s mlmon.out ] || fail "no data file"
        run 0 "$MLPROF" -raw true prog mlmon.out
    done
done
