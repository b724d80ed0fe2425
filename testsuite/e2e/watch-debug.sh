#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# stopwatch=: debug information tells of no label that the source does not have (in C++ it is
# begun later than in C), and nothing in it is its own origin; GCC 14 and later stop there.
. "$SRC/testsuite/lib.sh"
need readelf

# told OBJECT: the names of its labels, and what is its own origin.
told() {
    readelf --debug-dump=info "$1" >info
    awk '/DW_TAG_/ { at = $1; gsub(/.*<|>.*/, "", at); label = /DW_TAG_label/ }
        label && /DW_AT_name/ { print "label", $NF }
        /DW_AT_(abstract_origin|specification)/ { gsub(/.*<0x|>.*/, ""); if ($0 == at) print "its own origin:", at }' info |
        sort -u
}

# described COMPILER SOURCE OPTIONS...
described() {
    compiler=$1
    shift
    for level in -O1 -O2 '-O3 -flto' -Og; do
        # shellcheck disable=SC2086
        {
            "$compiler" $level -g -w -r -flinker-output=nolto-rel "$@" -o plain.o
            "$compiler" $level -g -w -r -flinker-output=nolto-rel -fplugin="$PLUGIN" \
                -fplugin-arg-ccprof-stopwatch=. "$@" -o it.o
        }
        told plain.o >want
        told it.o >got
        same got want
        if grep ccprof_scope info; then fail "$* $level: a label of the plugin's"; fi
        copies=$((copies + $(grep -c DW_TAG_inlined_subroutine info || :)))
    done
}

copies=0
described "$CC" -I"$SRC" "$SRC/mlprof/base/buf.c"
described "$CC" "$SRC/testsuite/watch/copies.c"
described "$CXX" -std=c++17 -I"$SRC/testsuite/shares" "$SRC/testsuite/forms/names.cc"
echo 'int f(int x) { goto out; again: x *= 3; out: if (x < 99) goto again; return x; } int g(int x) { return f(x) - f(2); }' >label.c
described "$CC" label.c
[ "$copies" -gt 50 ] || fail "nothing is inlined: $copies"
